"""`make hardware`: check that everything fits, then make STL files, pictures and tables.

    hardware/rev*/pictures/   wiring, case and sketches, as the build guide shows them (committed)
    hardware/rev*/BUILD*.md   their tables are filled in anew
    build/hardware/rev*/      base.stl, lid.stl, caps.stl, and three coupons to print first

Ends with exit code 1 and one sentence a line if something does not fit, 3 if a tool is missing.
"""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hardware import board_file, bom, drawings, guide, power, wire_steps, wiring
from hardware.carrier import made, netlist, products
from hardware.case import dimensions, stacks
from hardware.revision import REV1, REV2, REVISIONS, ROOT, Revision
from hardware.tools import ToolFailed, ToolMissing

OUT = REV1.out
PICTURES = REV1.pictures
NO_KICAD = "KiCad 9 is missing: left out are ERC, DRC and the netlist of rev2's board."
PLASTIC_G_CM3 = 1.27  # PETG; PLA weighs 1.24


def main() -> int:
    """Do all of it; return the exit code."""
    try:
        # the case of revision 2 is drawn round the board, so that is made before it
        wired = [revision for revision in REVISIONS if revision != REV2]
        faults = [fault for revision in wired for fault in check_papers(revision)]
        faults = faults or check_carrier() or check_papers(REV2)
        faults = faults or [fault for revision in REVISIONS for fault in make_case(revision)]
        if not faults:
            for revision in REVISIONS:
                write_pictures(revision)
                write_guides(revision)
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


def facts(revision: Revision = REV1) -> guide.Facts:
    """What the guide's tables and most checks read."""
    return guide.Facts(
        bom.load_bom(revision.bom),
        wiring.load_wiring(revision.wiring),
        dimensions.load(revision.dimensions),
        dimensions.load_sizes(revision.dimensions),
        power.load_budget(),
    )


def say_what_to_measure() -> None:
    """Sizes that rest on no drawing: the fits hold over the whole span, the module may not."""
    print("Measure before you print (hardware/parts.toml):")
    for name, size in stacks.to_measure(facts().ledger):
        print(f"  {name:18} {size.low:g} to {size.high:g} mm ({size.basis})")


def check_papers(revision: Revision = REV1) -> list[str]:
    """All checks that need no printed part: pins, wires, parts list, distances, power."""
    from hardware.case.fit_checks import check_distances

    found, board = facts(revision), board_file.read_board(revision.board_file)
    types = wiring.connector_types(revision.wiring)
    if revision == REV2:
        on_board = made.load_made()
        wired = [
            *made.check_made(on_board),
            *netlist.check_netlist(on_board.joints, found.harness, board),
        ]
    else:
        wired = wiring.check_wiring(found.harness, board)
    wires = len(found.harness.wires)
    return [
        *wiring.check_board(board),
        *wired,
        *bom.check_bom(found.rows, found.dimensions, types, wires, board),
        *check_distances(found.dimensions),
        *stacks.check_stacks(found.dimensions, found.ledger),
        *check_others(revision),
        *power.check_power(found.budget),
    ]


def check_others(revision: Revision) -> list[str]:
    """The same print with the other modules that it must hold."""
    return [
        f"with {name}: {fault}"
        for name, d, ledger in dimensions.others(revision.dimensions)
        for fault in stacks.check_stacks(d, ledger)
    ]


def check_carrier() -> list[str]:
    """The carrier board with KiCad: its rules, its netlist, its pictures; sentences."""
    if products.kicad() is None:
        print(NO_KICAD)
        return []
    board, harness = board_file.read_board(REV2.board_file), wiring.load_wiring(REV2.wiring)
    faults = products.check_board()
    faults += netlist.check_netlist(products.netlist(), harness, board)
    if not faults:
        products.keep_schematic()
        for side in ("top", "bottom"):
            _picture(side, REV2.pictures / f"board_{side}.png")
    return faults


def _picture(side: str, target: Path) -> None:
    """A side of the board, drawn again only if the board has changed."""
    from hardware.case import stamp

    if target.exists() and stamp.read_stamp(target) == products.board_key():
        return
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder) / "side.png"
        products.render(side, drawn)
        stamp.copy_stamped(drawn, target, products.board_key())


def make_case(revision: Revision = REV1) -> list[str]:
    """Build the STL files of a revision and check them; sentences."""
    from hardware.case import assembled, coupons, fit_checks, mesh_checks, openscad, paths

    d, out = dimensions.load(revision.dimensions), revision.out
    source = openscad.place_sources(out, d)
    meshes = {part: openscad.build(part, source) for part in openscad.PRINTED}
    every = {**meshes, **coupons.build(d, meshes, out)}
    faults = [
        fault for part, mesh in every.items() for fault in mesh_checks.check_mesh(part, mesh, d)
    ]
    volumes = {part: float(mesh.volume) for part, mesh in meshes.items()}
    faults += check_plastic(volumes, bom.load_bom(revision.bom))
    for _, held, _ in [("", d, {}), *dimensions.others(revision.dimensions)]:
        faults += fit_checks.check_collisions(held, meshes)
    if revision == REV2 and products.kicad() is not None:
        faults += assembled.check_assembled(products.step(), d, meshes)
    return faults + paths.check_paths(d, meshes)


def check_plastic(volumes_mm3: Mapping[str, float], rows: list[bom.BomRow]) -> list[str]:
    """The parts list must buy enough filament, even printed solid."""
    needed = sum(volumes_mm3.values()) / 1000 * PLASTIC_G_CM3
    bought = next(row.quantity for row in rows if row.id == "plastic")
    if bought < needed:
        return [f"bom.csv buys {bought} g of filament; the case takes up to {needed:.0f} g."]
    return []


def sketches(revision: Revision = REV1) -> dict[str, bytes]:
    """Every picture of a revision's guide that is the same bytes on every machine."""
    board = board_file.read_board(revision.board_file)
    harness, labels = wiring.load_wiring(revision.wiring), wiring.pin_labels(revision.wiring)
    if revision == REV2:
        on_board = made.load_made()
        return {
            **wire_steps.solder_steps(on_board),
            **wire_steps.each_cable(harness, lambda: wire_steps.board_bench(on_board, labels)),
        }
    d, names = dimensions.load(), harness.labels("PICO")
    return {
        "pico.svg": drawings.pico(board, harness),
        "strip.svg": drawings.strip(d, harness),
        **{f"{step}.svg": drawings.strip(d, harness, step) for step in drawings.STRIP_STEPS},
        "try_reader.svg": wire_steps.trial(labels, names, harness),
        "breadboard.svg": wire_steps.breadboard(labels, names, harness),
        "meter.svg": wire_steps.meter(names),
        **wire_steps.each_cable(harness, lambda: wire_steps.hand_wired(labels, names)),
    }


def write_pictures(revision: Revision = REV1) -> None:
    """All pictures of a revision's guide; those of the case only where the case has changed."""
    from hardware.case import openscad, stamp

    pictures, out = revision.pictures, revision.out
    pictures.mkdir(exist_ok=True)
    for name, content in {**sketches(revision), **wiring.draw_wiring(revision.wiring)}.items():
        (pictures / name).write_bytes(content)
    source = openscad.place_sources(out, dimensions.load(revision.dimensions))
    for view in openscad.views(revision):
        target, digest = pictures / f"{view.name}.png", openscad.digest(view, revision)
        if not target.exists() or stamp.read_stamp(target) != digest:
            stamp.copy_stamped(openscad.draw(view, source), target, digest)


def write_guides(revision: Revision = REV1) -> None:
    """Both languages of a revision's guide."""
    found = facts(revision)
    for language, name in guide.NAMES.items():
        text = guide.write(language, found, revision.folder)
        (revision.folder / name).write_text(text, encoding="utf8")


if __name__ == "__main__":
    sys.exit(main())
