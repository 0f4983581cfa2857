"""What KiCad makes of the board's project: rule checks, netlist, and what a fabricator needs.

The project is only read. Files are the same bytes each time: dates are those of `_DAY`.
"""

import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from hardware.carrier.made import MADE, Joint
from hardware.carrier.netlist import read_netlist
from hardware.revision import REV2, ROOT
from hardware.tools import ToolFailed, find_tool

SHEET = MADE.with_suffix(".kicad_sch")
SCHEMATIC = REV2.folder / "schematic.pdf"
IBOM = ROOT / "requirements" / "ibom.lock"
_PYTHON = Path("/usr/bin/python3")  # Debian's, which has KiCad's module pcbnew
_NAME = "schiri-carrier"
_LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,F.Paste,B.Paste,Edge.Cuts"
_DAY = (2020, 2, 2, 0, 0, 0)
_DATES = re.compile(rb"\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d|(?<=D:)\d{14}")
_ZONES = re.compile(rb"(?<=:00:00)[+-]\d\d:\d\d|(?<=0000)[+-]\d\d'\d\d'")
# fields of the schematic -> columns of a fab: JLCPCB's sample BOM, PCBWay's BOM format
_BOMS = {
    "jlcpcb": {"Value": "Comment", "Reference": "Designator", "Footprint": "Footprint",
               "LCSC": "LCSC Part #", "MPN": "Manufacturer Part"},
    "pcbway": {"${ITEM_NUMBER}": "Item #", "Reference": "*Designator", "${QUANTITY}": "*Qty",
               "Manufacturer": "Manufacturer", "MPN": "*Mfg Part #",
               "Value": "Description / Value", "Footprint": "*Package/Footprint",
               "Note": "Your Instructions / Notes"},
}  # fmt: skip
# columns of KiCad's positions -> those of a fab; PCBWay asks for places, angle, side, in mm
_PLACES = {
    "jlcpcb": {"Ref": "Designator", "PosX": "Mid X", "PosY": "Mid Y", "Side": "Layer",
               "Rot": "Rotation"},
    "pcbway": {"Ref": "Designator", "Package": "Footprint", "PosX": "Mid X", "PosY": "Mid Y",
               "Rot": "Rotation", "Side": "Layer"},
}  # fmt: skip


def kicad() -> str | None:
    """The version of KiCad if it is one that can do this, else None."""
    if shutil.which("kicad-cli") is None:
        return None
    version = _run(["version"]).strip()
    return version if int(version.split(".")[0]) >= 9 else None


# --- checks ------------------------------------------------------------------------------------


def check_board(board: Path = MADE) -> list[str]:
    """Sentences: what KiCad finds in schematic and board at every severity, a fab's limits
    (carrier.kicad_dru) and the parity of both included.
    """
    erc = _report(["sch", "erc"], board.with_suffix(".kicad_sch"))
    drc = _report(["pcb", "drc", "--schematic-parity"], board)
    found = [item for page in erc["sheets"] for item in page["violations"]]
    return [f"ERC: {_sentence(item)}" for item in found] + [
        f"DRC: {_sentence(item)}"
        for kind in ("violations", "unconnected_items", "schematic_parity")
        for item in drc[kind]
    ]


def netlist(sheet: Path = SHEET) -> tuple[Joint, ...]:
    """What the schematic joins."""
    command = ["sch", "export", "netlist", "--format", "kicadsexpr"]
    return read_netlist(_export("netlist", command, sheet).decode())


def _report(command: list[str], source: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        _export("report.json", [*command, "--severity-all", "--format", "json"], source)
    )
    return found


def _sentence(item: dict[str, Any]) -> str:
    where = "; ".join(str(part["description"]) for part in item.get("items", []))
    return f"{item['description']}: {where}"


# --- pictures ----------------------------------------------------------------------------------


def board_key() -> str:
    """A fingerprint of the board file: what its pictures were drawn from."""
    return hashlib.sha256(MADE.read_bytes()).hexdigest()[:16]


def render(side: str, target: Path) -> None:
    """A picture of one side, as the board looks."""
    _run(["pcb", "render", "--side", side, "--background", "opaque", "-w", "900", "-h", "1100",
          "-o", str(target), str(MADE)])  # fmt: skip


def sheets_key() -> str:
    """A fingerprint of the schematic's sheets; the kept PDF ends with it, as a comment."""
    sheets = sorted(MADE.parent.glob("*.kicad_sch"))
    return hashlib.sha256(b"".join(sheet.read_bytes() for sheet in sheets)).hexdigest()[:16]


def keep_schematic() -> None:
    """The schematic as PDF beside the guide, drawn again only if a sheet has changed."""
    mark = f"%{sheets_key()}\n".encode()
    if not (SCHEMATIC.exists() and SCHEMATIC.read_bytes().endswith(mark)):
        SCHEMATIC.write_bytes(_schematic() + mark)


def _schematic() -> bytes:
    return undated(_export("schematic.pdf", ["sch", "export", "pdf"], SHEET))


def undated(content: bytes) -> bytes:
    """A product with every date and time set to one day; what it is long does not change."""
    day = _DATES.sub(
        lambda found: b"2020-02-02%b00:00:00" % found[1] if found[1] else b"20200202000000",
        content,
    )
    return _ZONES.sub(lambda found: re.sub(rb"\d", b"0", found[0]), day)


# --- a release ---------------------------------------------------------------------------------


def release(folder: Path) -> list[Path]:
    """Everything that ordering and building the board takes, into a folder. Raises ToolFailed."""
    made = {
        "gerbers.zip": _fabrication(),
        "schematic.pdf": _schematic(),
        "assembled.step": step(),
        "parts.html": _interactive_bom(),
        **{f"bom-{fab}.csv": _bom(columns) for fab, columns in _BOMS.items()},
        **{f"cpl-{fab}.csv": _places(columns) for fab, columns in _PLACES.items()},
    }
    files = []
    for name, content in made.items():
        files.append(folder / f"{_NAME}-{name}")
        files[-1].write_bytes(content)
    return files


def _fabrication() -> bytes:
    """Gerbers and drill files of all layers as one zip."""
    with tempfile.TemporaryDirectory() as folder:
        _run(["pcb", "export", "gerbers", "-l", _LAYERS, "-o", f"{folder}/", str(MADE)])
        _run(["pcb", "export", "drill", "--excellon-separate-th", "-o", f"{folder}/", str(MADE)])
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).iterdir()):
                entry = zipfile.ZipInfo(path.name, _DAY)
                entry.compress_type = zipfile.ZIP_DEFLATED
                # else zipfile writes 0600, readable by the owner alone
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, undated(path.read_bytes()))
        return packed.getvalue()


def step() -> bytes:
    """The board with its parts as solids."""
    return undated(_export("carrier.step", ["pcb", "export", "step", "--force"], MADE))


def _bom(columns: dict[str, str]) -> bytes:
    """Parts that a fab puts onto the board; those without a footprint are elsewhere."""
    rows = _rows("bom.csv", ["sch", "export", "bom", "--fields", ",".join(columns), "--labels",
                             ",".join(columns.values()), "--group-by", "Value,Footprint,MPN",
                             "--ref-range-delimiter", ""], SHEET)  # fmt: skip
    place = columns["Footprint"]
    kept = [{**row, place: row[place].partition(":")[2]} for row in rows if row[place]]
    if "${ITEM_NUMBER}" in columns:
        kept = [{**row, columns["${ITEM_NUMBER}"]: str(n)} for n, row in enumerate(kept, start=1)]
    return _table(kept)


def _places(columns: dict[str, str]) -> bytes:
    """The middle, angle and side of each part on the board, in mm."""
    rows = _rows("pos.csv", ["pcb", "export", "pos", "--format", "csv", "--units", "mm"], MADE)
    return _table([{new: row[old] for old, new in columns.items()} for row in rows])


def _rows(name: str, command: list[str], source: Path) -> list[dict[str, str]]:
    text = _export(name, command, source).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _table(rows: list[dict[str, str]]) -> bytes:
    written = io.StringIO()
    table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue().encode()


def _interactive_bom() -> bytes:
    """The page to tick off while soldering (InteractiveHtmlBom, run by KiCad's own Python)."""
    tool = ROOT / "build" / "tools" / "ibom"
    if not tool.exists():
        _do([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes", "-r",
             str(IBOM), "--target", str(tool)])  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        _do([str(_PYTHON), "-m", "InteractiveHtmlBom.generate_interactive_bom", "--no-browser",
             "--dest-dir", folder, "--name-format", "parts", "--extra-fields",
             "MPN,Manufacturer,Mouser,DigiKey,LCSC", "--group-fields", "Value,Footprint",
             "--blacklist", "TP*,H*", str(MADE)],
            PYTHONPATH=str(tool), INTERACTIVE_HTML_BOM_NO_DISPLAY="1")  # fmt: skip
        return undated((Path(folder) / "parts.html").read_bytes())


# --- running -----------------------------------------------------------------------------------


def _export(name: str, command: list[str], source: Path) -> bytes:
    """The file that a command of KiCad makes; its name says to some commands what it shall be."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / name
        _run([*command, "-o", str(target), str(source)])
        return target.read_bytes()


def _run(command: list[str]) -> str:
    find_tool("kicad-cli")
    return _do(["kicad-cli", *command])


def _do(command: list[str], **more: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **more},
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr).strip().splitlines() or ["no reason given"]
        raise ToolFailed(f"{' '.join(command[:4])} failed: {said[-1]}")
    return done.stdout
