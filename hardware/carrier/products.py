"""Makes the carrier board with KiCad: schematic, layout, both checks, and what a fabricator needs.

Everything goes to build/hardware/rev2/board. Without KiCad 9 nothing of it is made, and the caller
says so. Files are the same bytes each time but for dates, which `undated` takes out.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hardware.carrier import bom_page, schematic
from hardware.carrier.layout import LIBRARY
from hardware.carrier.plan import Plan
from hardware.revision import REV2, ROOT
from hardware.tools import ToolFailed, find_tool

OUT = REV2.out / "board"
NAME = "carrier"
TRACKS = REV2.folder / "tracks.json"  # laid by the router, kept as long as nothing changes
SCHEMATIC = REV2.folder / "schematic.pdf"
FOOTPRINTS = Path("/usr/share/kicad/footprints")  # where Debian puts them
_PYTHONS = ("/usr/bin/python3",)  # KiCad's module belongs to the system's Python, not to a venv
_PRINT = re.compile(r'\n\t\(fp_\w+\n(?:(?!\n\t\)).)*?\(layer "[FB]\.SilkS"\).*?\n\t\)', re.DOTALL)
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)  # path and time
_DATES = re.compile(
    r"^(%TF\.CreationDate|G04 Created by|; #@! TF\.CreationDate|; DRILL file|### Module positions"
    r"|FILE_NAME|.*\"CreationDate\").*$",
    re.MULTILINE,
)


def tracks_key() -> str:
    """What the kept tracks were laid for."""
    return str(json.loads(TRACKS.read_text(encoding="utf8"))["key"])


def kicad() -> str | None:
    """The version of KiCad if it is one that can do this, else None."""
    if shutil.which("kicad-cli") is None:
        return None
    version = _run(["kicad-cli", "version"]).strip()
    return version if int(version.split(".")[0]) >= 9 else None


def make_board(plan: Plan, out: Path = OUT, tracks: Path = TRACKS) -> Path:
    """Schematic and board into `out`; return the board. Raises ToolFailed.

    `tracks` are laid if they were routed for this plan, else routed anew and kept there.
    """
    out.mkdir(parents=True, exist_ok=True)
    _write_project(plan, out)
    plan_file, board = out / "plan.json", out / f"{NAME}.kicad_pcb"
    plan_file.write_text(json.dumps(plan.as_dict(), indent=1), encoding="utf8")
    board.unlink(missing_ok=True)
    command = [_python(), "-m", "hardware.carrier.layout", str(plan_file), str(board), str(tracks)]
    _run(command, {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"})
    return board


def _python() -> str:
    for python in _PYTHONS:
        if Path(python).exists():
            return python
    raise ToolFailed("no Python with KiCad's module pcbnew was found.")


def _write_project(plan: Plan, out: Path) -> None:
    """Schematic, symbols, footprints, and the tables that lead to them."""
    (out / f"{NAME}.kicad_sch").write_text(schematic.sheet(plan), encoding="utf8")
    (out / f"{LIBRARY}.kicad_sym").write_text(schematic.symbol_file(plan), encoding="utf8")
    for kind, table in (("sym", f"{LIBRARY}.kicad_sym"), ("fp", f"{LIBRARY}.pretty")):
        (out / f"{kind}-lib-table").write_text(
            f'({kind}_lib_table (version 7)\n  (lib (name "{LIBRARY}")(type "KiCad")'
            f'(uri "${{KIPRJMOD}}/{table}")(options "")(descr ""))\n)\n',
            encoding="utf8",
        )
    library = out / f"{LIBRARY}.pretty"
    shutil.rmtree(library, ignore_errors=True)
    library.mkdir()
    for wanted in sorted({part.footprint for part in plan.parts}):
        folder, name = wanted.split(":")
        source = (FOOTPRINTS / f"{folder}.pretty" / f"{name}.kicad_mod").read_text(encoding="utf8")
        (library / f"{name}.kicad_mod").write_text(_PRINT.sub("", source), encoding="utf8")


# --- checks ------------------------------------------------------------------------------------


def check_board(board: Path) -> list[str]:
    """Sentences: what KiCad's rule checks find in schematic and board, every severity."""
    return [
        *(f"ERC: {found}" for found in erc(board.with_suffix(".kicad_sch"))),
        *(f"DRC: {found}" for found in drc(board)),
    ]


def drc(board: Path) -> list[str]:
    """Design rules, unconnected pads, and whether board and schematic agree."""
    report = _report(["pcb", "drc", "--schematic-parity"], board)
    found = [*report["violations"], *report["unconnected_items"], *report["schematic_parity"]]
    return [_sentence(item) for item in found]


def erc(sheet: Path) -> list[str]:
    """Electrical rules of the schematic."""
    report = _report(["sch", "erc"], sheet)
    return [_sentence(item) for page in report["sheets"] for item in page["violations"]]


def _report(command: list[str], source: Path) -> dict[str, Any]:
    target = source.with_name(f"{command[1]}.json")
    _run(["kicad-cli", *command, "--severity-all", "--format", "json", "-o", str(target),
          str(source)])  # fmt: skip
    found: dict[str, Any] = json.loads(target.read_text(encoding="utf8"))
    return found


def _sentence(item: dict[str, Any]) -> str:
    where = "; ".join(str(part["description"]) for part in item.get("items", []))
    return f"{item['description']}: {where}"


# --- products ----------------------------------------------------------------------------------


def make_products(plan: Plan, board: Path) -> list[Path]:
    """Gerbers, drill, positions, PDF, STEP and the interactive parts list."""
    out, sheet = board.parent, board.with_suffix(".kicad_sch")
    gerbers = out / "gerbers"
    gerbers.mkdir(exist_ok=True)
    export = ["kicad-cli", "pcb", "export"]
    layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,F.Paste,B.Paste,Edge.Cuts"
    _run([*export, "gerbers", "-l", layers, "-o", f"{gerbers}/", str(board)])
    _run([*export, "drill", "-o", f"{gerbers}/", str(board)])
    made = [out / "positions.csv", out / "carrier.step", out / "schematic.pdf"]
    _run([*export, "pos", "--format", "csv", "--units", "mm", "-o", str(made[0]), str(board)])
    make_step(board)
    _run(["kicad-cli", "sch", "export", "pdf", "-o", str(made[2]), str(sheet)])
    made.append(bom_page.write(plan, _board_svgs(board), out / "parts.html"))
    return [*made, *sorted(gerbers.iterdir())]


def make_step(board: Path) -> None:
    """The bare board as a solid, beside the board file."""
    _run(["kicad-cli", "pcb", "export", "step", "--board-only", "--force", "-o",
          str(board.with_suffix(".step")), str(board)])  # fmt: skip


def keep_schematic(plan: Plan, board: Path, target: Path = SCHEMATIC) -> None:
    """The schematic as PDF without its date, marked with the digest of what it was drawn from."""
    drawn = board.with_name("schematic.pdf").read_bytes()
    same = re.sub(rb"(CreationDate \(D:)\d{14}", rb"\g<1>20260101000000", drawn)
    target.write_bytes(same + b"%" + schematic_key(plan).encode() + b"\n")


def schematic_key(plan: Plan) -> str:
    """A fingerprint of the schematic; the kept PDF ends with it, as a comment."""
    return hashlib.sha256(schematic.sheet(plan).encode()).hexdigest()[:16]


def render(board: Path, side: str) -> Path:
    """A picture of one side."""
    target = board.with_name(f"board_{side}.png")
    _run(["kicad-cli", "pcb", "render", "--side", side, "--background", "opaque", "-w", "900",
          "-h", "1100", "-o", str(target), str(board)])  # fmt: skip
    return target


def _board_svgs(board: Path) -> dict[str, str]:
    """Each side as SVG: pads, print, outlines of the parts, edge."""
    found = {}
    for side, letter in (("top", "F"), ("bottom", "B")):
        target = board.with_name(f"{side}.svg")
        layers = f"{letter}.Mask,{letter}.Fab,{letter}.Silkscreen,Edge.Cuts"
        mirror = ["--mirror"] if letter == "B" else []
        _run(["kicad-cli", "pcb", "export", "svg", "-l", layers, "--page-size-mode", "2",
              "--exclude-drawing-sheet", *mirror, "-o", str(target), str(board)])  # fmt: skip
        found[side] = _TITLE.sub("", target.read_text(encoding="utf8"))
    return found


def undated(text: str) -> str:
    """A product without the lines that say when it was made."""
    return _DATES.sub("", text)


def _run(command: list[str], more: dict[str, str] | None = None) -> str:
    if command[0] == "kicad-cli":
        find_tool("kicad-cli")
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **(more or {})},
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines() or ["no reason given"]
        raise ToolFailed(f"{' '.join(command[:4])} failed: {said[-1]}")
    return done.stdout
