"""Runs OpenSCAD: trees of solids without a display, pictures through xvfb."""

import hashlib
import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import trimesh

from hardware.case.csg import evaluate
from hardware.case.dimensions import Sections, carrier_of, derive, load, posts
from hardware.case.outlines import parts
from hardware.revision import REV1, REV2, Revision
from hardware.tools import ToolFailed, find_tool

SOURCE = Path(__file__).with_name("schiri.scad")
PRINTED = ("base", "lid", "caps")


@dataclass(frozen=True)
class CameraView:
    """A picture of the case: which `part`, and the camera (target x, y, z, turns, distance).

    `solid` draws the true body, without colours. A distance of 0 fits the whole into the picture.
    Of a step: what is in place, what is added, and from how far above.
    """

    name: str
    part: str
    camera: str
    solid: bool = False
    size: str = "1400,1000"
    done: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    lift: float = 30.0


_ABOVE, _BELOW = "73,54,22,50,0,25,460", "73,54,15,125,0,25,460"


def _steps(names: tuple[tuple[str, tuple[str, ...], float], ...]) -> tuple[CameraView, ...]:
    """A picture for each step of putting it together: name, what is added, from how far."""
    views: list[CameraView] = []
    done: tuple[str, ...] = ("base",)
    for name, new, lift in (*names, ("step_feet", ("feet",), 20)):
        camera = _BELOW if name == "step_feet" else _ABOVE
        views.append(CameraView(name, "step", camera, done=done, new=new, lift=lift))
        done += new
    return tuple(views)


_CLOSE = (
    ("step_caps", ("caps",), 25.0),
    ("step_lid", ("foam", "lid"), 40.0),
    ("step_screws", ("lid screws",), 30.0),
)
_PICO = CameraView("pico_header", "pico", "0,0,0,60,0,25,0", size="1000,600")
VIEWS = (
    CameraView("case_closed", "assembly", "73,52,8,55,0,28,400"),
    CameraView("case_top", "assembly", "73,54.5,0,0,0,0,410"),
    CameraView("case_exploded", "explode", "73,54,75,68,0,25,640", size="1400,1400",
         new=("base", "pico", "pack", "strip", "reader", "screen", "caps", "lid", "lid screws"),
         lift=16.0),
    CameraView("case_inside", "parts", "73,54,12,42,0,25,410"),
    CameraView("print_base", "base", "73,54,10,48,0,25,420", True),
    CameraView("print_lid", "lid", "73,54,0,48,0,25,400", True),
    CameraView("print_caps", "caps", "27,0,2,50,0,20,140", True),
    CameraView("print_coupons", "coupons", "80,30,5,45,0,20,420", True),
    _PICO,
    *_steps((
        ("step_pico", ("pico", "pico screws"), 30.0),
        ("step_battery", ("charger", "pack", "switch"), 30.0),
        ("step_boards", ("strip", "reader", "screen"), 30.0),
        *_CLOSE,
    )),
)  # fmt: skip


# of revision 2 the guide shows what differs from revision 1
BOARD_VIEWS = (
    CameraView("case_inside", "parts", "73,54,12,42,0,25,410"),
    CameraView("case_exploded", "explode", "73,54,75,68,0,25,640", size="1400,1400",
         new=("base", "pico", "board", "board screws", "reader", "screen", "caps", "lid",
              "lid screws"), lift=16.0),
    _PICO,
    CameraView("board_pico", "explode", "0,0,0,125,0,205,0", size="1000,800",
         new=("board", "pico"), lift=-25.0),
    *_steps((
        ("step_board", ("pico", "board", "board screws"), 30.0),
        ("step_modules", ("reader", "screen"), 30.0),
        *_CLOSE,
    )),
)  # fmt: skip


def views(revision: Revision) -> tuple[CameraView, ...]:
    """The pictures that a revision's guide shows."""
    return BOARD_VIEWS if revision == REV2 else VIEWS


def place_sources(folder: Path, d: Sections) -> Path:
    """Copy the source beside a fresh dimensions.scad; return the copy."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dimensions.scad").write_text(to_scad(d), encoding="utf8")
    return Path(shutil.copy(SOURCE, folder))


def digest(view: CameraView, revision: Revision = REV1) -> str:
    """A fingerprint of everything a picture is drawn from."""
    scad = to_scad(load(revision.dimensions))
    parts = (SOURCE.read_bytes(), scad.encode(), repr(view).encode())
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def build(part: str, source: Path) -> trimesh.Trimesh:
    """A printed part (mm); `part`.stl is written beside the source. Raises ToolFailed."""
    tree = source.with_name(f"{part}.csg")
    _run(["openscad"], part, tree, source, [])
    mesh = evaluate(tree)
    mesh.export(tree.with_suffix(".stl"))
    return mesh


def draw(view: CameraView, source: Path) -> Path:
    """Write the view as a PNG beside the source. Raises ToolFailed.

    Without a display OpenSCAD 2021.01 crashes on a PNG, so it always runs inside xvfb.
    """
    find_tool("xvfb-run")
    target = source.with_name(f"{view.name}.png")
    camera = [f"--camera={view.camera}", f"--imgsize={view.size}", "--colorscheme=Tomorrow"]
    camera += ["--render=1"] if view.solid else []
    camera += ["--viewall", "--autocenter"] if view.camera.endswith(",0") else []
    for name, names in (("done", view.done), ("new", view.new)):
        camera += ["-D", f"{name}={json.dumps(names)}"]
    camera += ["-D", f"lift={view.lift:g}"]
    _run(["xvfb-run", "-a", "openscad"], view.part, target, source, camera)
    return target


def _run(program: list[str], part: str, target: Path, source: Path, options: list[str]) -> None:
    find_tool("openscad")
    command = [*program, "--hardwarnings", "-o", str(target), "-D", f'part="{part}"']
    done = subprocess.run(
        [*command, *options, str(source)], capture_output=True, text=True, check=False
    )
    trouble = [line for line in done.stderr.splitlines() if "ERROR" in line or "WARNING" in line]
    if done.returncode != 0 or trouble or not target.exists() or target.stat().st_size == 0:
        said = "; ".join(trouble) or done.stderr.strip() or f"exit code {done.returncode}"
        raise ToolFailed(f"OpenSCAD could not make {target.name}: {said}")


def to_scad(d: Sections) -> str:
    """All numbers as OpenSCAD variables `section_name`, and the outlines of the bought parts."""
    lines = ["// Written by `make hardware` from dimensions.toml and parts.toml: change those."]
    lines.append(f'carrier = "{carrier_of(d)}";')
    for section, values in d.items():
        lines += [f"{section}_{name} = {_number(value)};" for name, value in values.items()]
    lines += [f"{name} = {_number(value)};" for name, value in derive(d).items()]
    lines.append(f"posts = {posts(d)};")
    lines.append("part_solids = [")
    for part in parts(d):
        size = [high - low for low, high in zip(part.low, part.high, strict=True)]
        group = _group(part.name, part.kind)
        lines.append(f'    ["{part.kind}", {_vector(part.low)}, {_vector(size)}, "{group}"],')
    lines.append("];")
    return "\n".join(lines) + "\n"


def _group(name: str, kind: str) -> str:
    """What is put in as one; plugs and cables are left out of the pictures of steps."""
    if kind in ("neck", "plug", "pin", "joint", "head", "usb") and "socket" not in name:
        return kind
    if kind == "pico":
        return "pico"
    return name.removeprefix("the ").split("'")[0].split()[-1]


def _number(value: float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _vector(values: "list[float] | tuple[float, float, float]") -> str:
    return "[" + ", ".join(_number(value) for value in values) + "]"
