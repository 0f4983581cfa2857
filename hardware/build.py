"""`make hardware`: check that everything fits, then make STL files, pictures and tables.

    hardware/rev*/pictures/   wiring, case and sketches, as the build guide shows them (committed)
    hardware/rev*/BUILD*.md   their tables are filled in anew
    build/hardware/rev*/      base.stl, lid.stl, caps.stl, and three coupons to print first

Ends with exit code 1 and one sentence a line if something does not fit, 3 if a tool is missing.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from hardware import board_file, bom, drawings, guide, power, wiring
from hardware.case import dimensions, stacks
from hardware.revision import REV1, ROOT
from hardware.tools import ToolFailed, ToolMissing

OUT = REV1.out
PICTURES = REV1.pictures
PLASTIC_G_CM3 = 1.27  # PETG; PLA weighs 1.24


def main() -> int:
    """Do all of it; return the exit code."""
    try:
        faults = check_papers() or make_case()
        if not faults:
            write_pictures()
            write_guides()
    except (ToolMissing, ToolFailed) as error:
        print(error, file=sys.stderr)
        return 3
    except ModuleNotFoundError as error:
        print(f"The Python package {error.name} is missing: run `make setup`.", file=sys.stderr)
        return 3
    except ValueError as error:  # a file of dimensions, wires or parts that makes no sense
        faults = [str(error)]
    except KeyError as error:
        faults = [
            f"{error} is missing in dimensions.toml, parts.toml, wiring.yml, bom.csv or pico.py."
        ]
    for fault in faults:
        print(f"does not fit: {fault}", file=sys.stderr)
    if not faults:
        say_what_to_measure()
        print(f"Everything fits. Print {OUT.relative_to(ROOT)}/*.stl, the coupons first.")
    return 1 if faults else 0


def facts() -> guide.Facts:
    """What the guide's tables and most checks read."""
    return guide.Facts(
        bom.load_bom(),
        wiring.load_wiring(),
        dimensions.load(),
        dimensions.load_sizes(),
        power.load_budget(),
    )


def say_what_to_measure() -> None:
    """Sizes that rest on no drawing: the fits hold over the whole span, the module may not."""
    print("Measure before you print (hardware/parts.toml):")
    for name, size in stacks.to_measure(facts().ledger):
        print(f"  {name:18} {size.low:g} to {size.high:g} mm ({size.basis})")


def check_papers() -> list[str]:
    """All checks that need no printed part: pins, wires, parts list, distances, power."""
    from hardware.case.fit_checks import check_distances

    found, board = facts(), board_file.read_board()
    types = wiring.connector_types()
    return [
        *wiring.check_board(board),
        *wiring.check_wiring(found.harness, board),
        *bom.check_bom(found.rows, found.dimensions, types, len(found.harness.wires), board),
        *check_distances(found.dimensions),
        *stacks.check_stacks(found.dimensions, found.ledger),
        *power.check_power(found.budget),
    ]


def make_case(out: Path = OUT) -> list[str]:
    """Build the STL files into `out` and check them; sentences."""
    from hardware.case import coupons, fit_checks, mesh_checks, openscad

    d = dimensions.load()
    source = openscad.place_sources(out, d)
    meshes = {
        part: mesh_checks.load_mesh(openscad.build_stl(part, source)) for part in openscad.PRINTED
    }
    every = {**meshes, **coupons.build(d, meshes, out)}
    faults = [
        fault for part, mesh in every.items() for fault in mesh_checks.check_mesh(part, mesh, d)
    ]
    volumes = {part: float(mesh.volume) for part, mesh in meshes.items()}
    faults += check_plastic(volumes, bom.load_bom())
    return faults + fit_checks.check_collisions(d, meshes)


def check_plastic(volumes_mm3: Mapping[str, float], rows: list[bom.Row]) -> list[str]:
    """The parts list must buy enough filament, even printed solid."""
    needed = sum(volumes_mm3.values()) / 1000 * PLASTIC_G_CM3
    bought = next(row.quantity for row in rows if row.id == "plastic")
    if bought < needed:
        return [f"bom.csv buys {bought} g of filament; the case takes up to {needed:.0f} g."]
    return []


def sketches() -> dict[str, bytes]:
    """Every picture that is the same bytes on every machine."""
    harness, board, d = wiring.load_wiring(), board_file.read_board(), dimensions.load()
    return {
        "pico.svg": drawings.pico(board, harness),
        "strip.svg": drawings.strip(d, harness),
        "reader.svg": drawings.reader(board),
        "sticker.svg": drawings.sticker(),
    }


def write_pictures() -> None:
    """All pictures of the guide, into hardware/pictures."""
    from hardware.case import openscad, stamp

    PICTURES.mkdir(exist_ok=True)
    for name, content in {**sketches(), **wiring.draw_wiring()}.items():
        (PICTURES / name).write_bytes(content)
    source = openscad.place_sources(OUT, dimensions.load())
    for view in openscad.VIEWS:
        drawn = openscad.draw(view, source)
        stamp.copy_stamped(drawn, PICTURES / drawn.name, openscad.digest(view))


def write_guides() -> None:
    """Both languages of the guide."""
    found = facts()
    for language, path in guide.GUIDES.items():
        path.write_text(guide.write(language, found, REV1.folder), encoding="utf8")


if __name__ == "__main__":
    sys.exit(main())
