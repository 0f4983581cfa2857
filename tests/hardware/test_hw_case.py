"""The case: the printed bodies, and whether everything fits into them."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import trimesh

from hardware.build import check_plastic
from hardware.case import dimensions, fit_checks, mesh_checks, openscad, outlines
from hardware.case.csg import as_body
from hardware.case.outlines import Part
from hardware.tools import ToolFailed, ToolMissing

Sections = dict[str, dict[str, float]]
Printed = Mapping[str, trimesh.Trimesh]


def box(*size: float, at: tuple[float, float, float] = (0, 0, 0)) -> trimesh.Trimesh:
    made = trimesh.creation.box(extents=size)
    made.apply_translation(np.array(size) / 2 + at)
    return made


# --- the printed parts -------------------------------------------------------------------------


@pytest.mark.parametrize("part", openscad.PRINTED)
def test_a_printed_part_is_closed_one_body_and_printable(
    part: str, printed: Printed, d: Sections
) -> None:
    assert mesh_checks.check_mesh(part, printed[part], d) == []


def test_sizes_worked_out_by_hand(printed: Printed) -> None:
    """146 + 2 x 2.4 and 109 + 2 x 2.4 wide; 37 + 2.4 and the tongues high; caps 18.6 mm apart."""
    assert printed["base"].extents == pytest.approx((150.8, 113.8, 40.4), abs=0.01)
    # the plate and the ring round JURY
    assert printed["lid"].extents == pytest.approx((150.8, 113.8, 4.8), abs=0.01)
    # three steps of 14.6 + 4, and a flange; 1.4 flange, 3.2 lid, 4.3 above it
    assert printed["caps"].extents == pytest.approx((70.4, 14.6, 8.9), abs=0.05)


def test_volumes_are_plausible(printed: Printed) -> None:
    """Walls, floor and the tall columns, by hand: 150.8 x 113.8 x 39.4 less 146 x 109 x 37 mm3."""
    shell = 150.8 * 113.8 * 39.4 - 146 * 109 * 37
    # eight under the screens, which slide; four each under reader and strip
    columns = 8 * 6.2 * 11.2 * 34 + 4 * 6.2 * 6.2 * 34 + 4 * 6.2 * 6.2 * 28
    by_hand = shell + columns
    assert by_hand * 0.95 < printed["base"].volume < by_hand * 1.15
    # the plate less the pocket of 68 x 96 x 2
    plate = 150.8 * 113.8 * 3.2 - 68 * 96 * 2
    assert plate * 0.8 < printed["lid"].volume < plate


def test_everything_fits(printed: Printed, d: Sections) -> None:
    assert fit_checks.check_distances(d) == []
    assert fit_checks.check_collisions(d, printed) == []


def test_the_list_buys_enough_filament(printed: Printed) -> None:
    from hardware.bom import load_bom

    assert check_plastic({p: float(m.volume) for p, m in printed.items()}, load_bom()) == []


def test_the_antenna_window_is_thin_everywhere_under_the_card(printed: Printed) -> None:
    """Straight down through the lid over the antenna: 3.2 - 2.0 = 1.2 mm, nothing else."""
    lid = as_body(printed["lid"])
    for x, y in ((43, 54.5), (25, 38), (61, 71), (25, 71), (61, 38)):
        hits = mesh_checks.first_hit(lid, np.array([x, y, 5.0]), np.array([0, 0, -1.0]))
        assert 5.0 - hits == pytest.approx(1.2)


# --- one changed dimension ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "name", "value", "said"),
    [
        ("case", "inside_z", 31.0, "the Pico's plugs and the strip are 0.0 mm apart"),
        ("case", "inside_z", 33.0, "apart, less than 1.0"),
        ("case", "inside_x", 140.0, "the strip stands out of the case"),
        ("case", "lid", 2.4, "the lid is 0.4 mm thin under the card"),
        ("case", "lid", 6.0, "the card lies 6.6 mm above the antenna"),
        ("card", "centre_x", 45.0, "the antenna is not under the middle of the card: centre_x"),
        ("reader", "gap", 4.0, "the card lies 5.2 mm above the antenna"),
        ("reader", "centre_y", 60.0, "the antenna is not under the middle of the card: centre_y"),
        ("reader", "board_x", 60.0, "the south screen is 9.3 mm from the antenna; it needs 10"),
        ("screen", "centre_x", 91.0, "screen is 8.8 mm from the antenna"),
        ("screen", "south_y", 55.0, "the south screen and the north screen are 0.0 mm apart"),
        ("screen", "margin_near", 7.0, "the screen window is deeper than the glass"),
        ("pack", "size_z", 12.0, "the pack is 20.3 mm from the antenna; it needs 25 mm"),
        ("charger", "centre_x", 140.0, "the charger stands out of the case"),
        ("strip", "centre_y", 35.0, "the strip stands out of the case"),
        ("pico", "centre_y", 30.0, "apart, less than 1.0"),
        ("screws", "inset", 30.0, "a lid screw is"),
        ("cap", "flange", 13.5, "a cap falls out"),
        ("strip", "pitch", 2.0, "two caps touch"),
    ],
)
def test_one_changed_dimension_is_told(
    d: Sections, section: str, name: str, value: float, said: str
) -> None:
    assert name in d[section]
    d[section][name] = value
    faults = fit_checks.check_distances(d)
    assert any(said in fault for fault in faults), faults


def test_a_card_near_a_metal_table_is_told(d: Sections) -> None:
    """Inside 6, floor 2.4, no feet: the card lies 9.6 mm above the table."""
    d["case"]["inside_z"] = 6.0
    d["feet"]["height"] = 0.0
    faults = fit_checks.check_distances(d)
    assert "the card is 9.6 mm above the table; a metal table needs 10.0 mm." in faults


@pytest.mark.parametrize(
    ("section", "name", "value", "said"),
    [
        ("reader", "board_x", 44.4, "the reader does not fit into the base"),
        ("screen", "board_y", 40.0, "screen does not fit into the base"),
        ("strip", "board_y", 82.4, "the strip does not fit into the base"),
        ("screen", "gap", -0.6, "glass does not fit into the lid"),
        ("pico", "stand", 3.0, "the Pico does not fit into the base"),
        ("charger", "board_x", 26.0, "the charger does not fit into the base"),
        ("rocker", "centre_z", 12.0, "the switch's neck does not fit into the base"),
        ("plug", "shell_x", 13.0, "the Pico's cable does not fit into the base"),
        ("plug", "shell_x", 13.0, "the charger's cable does not fit into the base"),
        ("pico", "stand", 6.0, "the Pico's cable does not fit into the base"),
        ("buzzer", "height", 9.0, "the strip's buzzer does not fit into the lid"),
        ("cap", "play_z", -0.5, "the flange of the cap jury does not fit into the lid"),
    ],
)
def test_a_part_of_another_size_meets_the_print(
    printed: Printed, d: Sections, section: str, name: str, value: float, said: str
) -> None:
    """The case as printed, and a part that is larger or lies elsewhere."""
    d[section][name] = value
    faults = fit_checks.check_collisions(d, printed)
    assert any(said in fault for fault in faults), faults


def test_a_thin_rim_and_a_wide_slot_are_found_in_the_print(
    build_changed: Callable[[str, Sections], trimesh.Trimesh], d: Sections
) -> None:
    d["seat"]["rim"] = 0.5
    d["plug"]["slot_x"] = 20.0
    faults = mesh_checks.check_mesh("base", build_changed("base", d), d)
    assert any("base.stl is only 0.50 mm thick" in fault for fault in faults), faults
    assert any("needs support: a ceiling" in fault for fault in faults), faults


@pytest.mark.parametrize(
    ("part", "section", "name", "value"),
    [("base", "pico", "pilot_depth", 5.8), ("caps", "cap", "socket", 10.6)],
)
def test_a_floor_of_a_tenth_and_a_wall_of_half_a_millimetre_are_found_in_the_print(
    part: str,
    section: str,
    name: str,
    value: float,
    build_changed: Callable[[str, Sections], trimesh.Trimesh],
    d: Sections,
) -> None:
    d[section][name] = value
    said = mesh_checks.check_mesh(part, build_changed(part, d), d)
    assert any(fault.startswith(f"{part}.stl is only 0.") for fault in said), said


def test_without_a_battery_two_openings_are_closed(
    build_changed: Callable[[str, Sections], trimesh.Trimesh], d: Sections, printed: Printed
) -> None:
    """Charger, pack and switch are gone; the wall in the west is whole."""
    d["case"]["battery"] = False
    assert fit_checks.check_distances(d) == []
    base = build_changed("base", d)
    assert mesh_checks.check_mesh("base", base, d) == []
    through = np.array([-10.0, 92.0, 18.0 + 2.4])
    east = np.array([1.0, 0, 0])
    assert mesh_checks.first_hit(as_body(base), through, east) == pytest.approx(7.6)
    assert mesh_checks.first_hit(as_body(printed["base"]), through, east) > 100


# --- the checks themselves, on bodies worked out by hand ---------------------------------------


def test_a_thin_plate_is_told(d: Sections) -> None:
    plate = box(20, 20, 0.5)
    assert mesh_checks.thicknesses(plate)[0].min() == pytest.approx(0.5)
    said = mesh_checks._thin("lid", plate, d)
    assert len(said) == 1
    assert said[0].startswith("lid.stl is only 0.50 mm thick")


def test_the_thickness_of_a_brick_is_its_smallest_side() -> None:
    assert mesh_checks.thicknesses(box(10, 20, 30))[0].min() == pytest.approx(10)


@pytest.mark.parametrize(("span", "faults"), [(14.0, 0), (16.0, 1)])
def test_a_bridge_may_be_15_mm_wide(d: Sections, span: float, faults: int) -> None:
    """A gate: two walls, and a beam of 3 mm that spans the gap."""
    gate = trimesh.boolean.union(
        [
            box(3, 3, 10),
            box(3, 3, 10, at=(3 + span, 0, 0)),
            box(6 + span, 3, 2, at=(0, 0, 10)),
        ],
        engine="manifold",
    )
    assert len(mesh_checks._overhangs("base", gate, d)) == faults


def test_a_body_too_many_is_told(d: Sections) -> None:
    two = trimesh.util.concatenate([box(150.8, 100, 4.8), box(150.8, 5, 4.8, at=(0, 108.8, 0))])
    said = mesh_checks.check_mesh("lid", two, d)
    assert said == ["lid.stl has 2 separate bodies, not 1."]


def test_a_hole_in_the_surface_is_told(d: Sections) -> None:
    torn = box(150.8, 113.8, 4.8)
    torn.update_faces(np.arange(len(torn.faces)) > 0)
    said = mesh_checks.check_mesh("lid", torn, d)
    assert said == ["lid.stl is not closed: a slicer would have to guess."]


def test_a_part_larger_than_the_bed_is_told(d: Sections) -> None:
    assert mesh_checks._size("base", box(200, 100, 10), d) == [
        "base.stl is 200 x 100 mm; a bed of 180 mm is too small."
    ]


def test_distances_of_boxes_by_hand() -> None:
    def cube(x: float, y: float, z: float) -> Part:
        return Part("m", "n", "k", (x, y, z), (x + 1, y + 1, z + 1))

    assert outlines.distance(cube(0, 0, 0), cube(4, 5, 0)) == 5.0  # gaps 3 and 4
    assert outlines.distance(cube(0, 0, 0), cube(2, 3, 3)) == 3.0  # gaps 1, 2 and 2
    assert outlines.distance(cube(0, 0, 0), cube(0.5, 0.5, 0.5)) == 0.0


def test_derived_places_by_hand(d: Sections) -> None:
    found = dimensions.derive(d)
    # (80 - 27 x 2.54) / 2 = 5.71 from the strip's south end at 60.5 - 40
    assert found["strip_first_y"] == pytest.approx(26.21)
    # (20 - 5 x 2.54) / 2 = 3.65, and 1.5 holes of 2.54, from 132 - 10
    assert found["button_x"] == pytest.approx(129.46)
    assert found["reader_z"] == pytest.approx(32.8)  # 37 - 2.6 - 1.6
    assert found["card_z"] == pytest.approx(38.2)  # 37 + 3.2 - 2
    # the cap hangs 1.8 below the lid, 1.4 thick, 2.0 over the plunger; 7 + 1.6 down to the board
    assert found["buttons_z"] == pytest.approx(37 - 1.8 - 1.4 + 2.0 - 7 - 1.6)


# --- files and tools ---------------------------------------------------------------------------


def test_every_dimension_is_used(d: Sections) -> None:
    case = openscad.SOURCE.parent
    sources = [openscad.SOURCE, *case.glob("*.py")]
    sources += [case.parent / name for name in ("bom.py", "drawings.py", "guide.py")]
    text = "\n".join(path.read_text(encoding="utf8") for path in sources)
    unused = [
        f"{section}.{name}"
        for section, values in d.items()
        for name in values
        if f"{section}_{name}" not in text
        and f'"{name}"' not in text
        and not re.search(rf"\b{section}\.{name}\b", text)
        and not (section == "print" and re.search(rf"\w:{name}\b", text))  # a chain's member
    ]
    assert unused == []


def test_a_word_for_a_number_names_the_dimension(tmp_path: Path) -> None:
    copy = tmp_path / "dimensions.toml"
    copy.write_text('[case]\nwall = "thick"\n', encoding="utf8")
    with pytest.raises(ValueError, match=r"case.wall must be a number, not 'thick'"):
        dimensions.load(copy)


def test_openscad_draws_a_picture(tmp_path: Path, needs: Callable[[str], str]) -> None:
    needs("openscad")
    needs("xvfb-run")
    source = openscad.place_sources(tmp_path, dimensions.load())
    caps = next(view for view in openscad.VIEWS if view.name == "print_caps")
    assert openscad.draw(caps, source).read_bytes().startswith(b"\x89PNG")


def test_a_fault_of_openscad_is_one_sentence(tmp_path: Path, needs: Callable[[str], str]) -> None:
    needs("openscad")
    source = openscad.place_sources(tmp_path, dimensions.load())
    source.write_text("include <dimensions.scad>\ncube(no_such_number);", encoding="utf8")
    with pytest.raises(ToolFailed, match=r"OpenSCAD could not make lid.csg: WARNING"):
        openscad.build("lid", source)


def test_a_missing_openscad_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = openscad.place_sources(tmp_path, dimensions.load())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing) as told:
        openscad.build("lid", source)
    assert str(told.value) == (
        "openscad is missing; it builds the case. On Debian or Ubuntu: sudo make system"
    )
