"""The ways of the parts to their places, and the faults of the second audit as they were drawn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import trimesh
from manifold3d import Manifold

from hardware.carrier import products
from hardware.carrier.made import load_made
from hardware.case import (
    assembled,
    csg,
    dimensions,
    fit_checks,
    mesh_checks,
    openscad,
    paths,
    stacks,
)
from hardware.case.outlines import parts
from hardware.case.sizes import Size
from hardware.revision import REV1, REV2, REVISIONS, Revision

Sections = dict[str, dict[str, float]]
Sizes = dict[str, dict[str, Size]]
Printed = Mapping[str, trimesh.Trimesh]
Build = Callable[[str, Sections], trimesh.Trimesh]


@pytest.fixture
def d2() -> Sections:
    """The dimensions of revision 2; a test may change its copy."""
    return dimensions.load(REV2.dimensions)


def with_lines(tmp_path: Path, revision: Revision, **lines: str) -> Sections:
    """The dimensions from a copy with some numbers changed."""
    text = revision.dimensions.read_text(encoding="utf8").splitlines()
    for name, value in lines.items():
        (at,) = (i for i, line in enumerate(text) if line.startswith(f"{name} = "))
        text[at] = f"{name} = {value}"
    copy = tmp_path / "dimensions.toml"
    copy.write_text("\n".join(text), encoding="utf8")
    return dimensions.load(copy)


# --- every part --------------------------------------------------------------------------------


def test_every_part_of_revision_1_has_a_way(printed: Printed, d: Sections) -> None:
    found = paths.ways(d, printed)
    assert [way.name for way in found if way.free] == [
        "the Pico", "the charger", "the pack", "the switch", "the strip", "the reader",
        "the south screen", "the north screen", "caps", "lid",
    ]  # fmt: skip
    assert len(found) == 10
    assert paths._drivers(d, printed) == []
    # its socket is under the wall: it cannot come straight down, and the guide says so
    assert max(abs(tilt) for _, _, tilt in found[0].places) > 5


def test_every_part_of_revision_2_has_a_way_straight_down(printed2: Printed, d2: Sections) -> None:
    found = paths.ways(d2, printed2)
    assert [way.name for way in found if way.free] == [
        "the board", "the reader", "the south screen", "the north screen", "caps", "lid",
    ]  # fmt: skip
    assert len(found) == 6
    assert paths._drivers(d2, printed2) == []
    assert {place[1:] for place in found[0].places} == {(0.0, 0.0)}


@pytest.mark.parametrize("revision", REVISIONS, ids=lambda revision: revision.name)
def test_the_same_print_holds_the_other_modules(
    revision: Revision, printed: Printed, printed2: Printed
) -> None:
    others = dimensions.others(revision.dimensions)
    assert [name for name, _, _ in others] == [
        "screen oled_1in3_adafruit",
        "reader pn532_v3_clone",
    ]
    held = printed if revision == REV1 else printed2
    for _, d, ledger in others:
        assert stacks.check_stacks(d, ledger) == []
        assert fit_checks.check_collisions(d, held) == []
        assert all(way.free for way in paths.ways(d, held))


# --- the audit's findings, as they were drawn --------------------------------------------------


def test_the_lever_under_a_closed_window_is_told(
    tmp_path: Path, build_changed: Build, printed2: Printed
) -> None:
    old = with_lines(tmp_path, REV2, gap_east="1.0", window_z="6.5", window_low="-0.4")
    said = paths.check_paths(old, {**printed2, "base": build_changed("base", old)})
    # and with the lever outside its window the lid has no way either
    assert said[0].startswith("the board cannot be put in: on the best way it binds ")


def test_a_window_to_the_rim_with_little_room_in_the_east_is_told(
    tmp_path: Path, build_changed: Build, printed2: Printed
) -> None:
    """The Pico's socket ends 0.1 mm beside the wall: not with 0.3 mm of air."""
    old = with_lines(tmp_path, REV2, gap_east="1.0")
    way = paths.ways(old, {**printed2, "base": build_changed("base", old)})[0]
    assert max(abs(shift) + abs(tilt) for _, shift, tilt in way.places) > 0


def test_round_posts_under_the_picos_joints_are_told(d: Sections, build_changed: Build) -> None:
    """Ø5.6: 2.8 from a hole's middle to all sides, 0.35 mm into the pads of four pins."""
    d["pico"]["post_flat"] = 2.8
    base = build_changed("base", d)
    lid = trimesh.creation.box((1, 1, 1))
    said = fit_checks.check_collisions(d, {"base": base, "lid": lid})
    assert len(said) == 2
    assert all(fault.startswith("the Pico's row of joints does not fit") for fault in said)
    held = dimensions.load_sizes()
    assert any("a pin's joint beside the Pico's post" in f for f in stacks.check_stacks(d, held))


def test_heads_of_4_mm_are_told(d: Sections, ledger: Sizes) -> None:
    """ISO 7045: 5.7 + 2.0 mm, and the plastic begins at 8.89 - 1.25."""
    d["screws"]["m2_head"] = 4.0
    said = fit_checks.check_distances(d)
    assert (
        said.count("the Pico's screw overlaps the Pico's row of plastic: its head is too wide.")
        == 4
    )
    ledger["screws"]["m2_head"] = replace(ledger["screws"]["m2_head"], mm=4.0, low=3.7, high=4.0)
    (fault,) = stacks.check_stacks(d, ledger)
    assert fault.startswith("an M2 head beside the header: -0.26 to ")


@pytest.mark.parametrize(
    ("line", "value", "said"),
    [
        ("gap", "1.2", "air over the screen's glass: -0.16 to "),
        ("slide", "2.5", "the screen slides until its picture is in the window: "),
    ],
)
def test_seats_for_one_screen_only_are_told(line: str, value: str, said: str) -> None:
    """The SSD1306 board is 2 mm longer and thicker: 1.2 + 1.6 + 1.2 - 1.76 - 1.9 - 0.5."""
    name, d, ledger = dimensions.others(REV1.dimensions)[0]
    assert name == "screen oled_1in3_adafruit"
    drawn = dimensions.load()
    drawn["screen"][line] = float(value)
    assert any(said in fault for fault in stacks.check_stacks(drawn, ledger))
    assert stacks.check_stacks(d, ledger) == []


def test_a_screw_beside_the_antenna_of_a_pico_w_is_told(d2: Sections) -> None:
    """H5 where it was, of steel: 4.5 mm from the Pico's end at 98.1."""
    d2["made"] |= {"hole_0_x": 93.6, "hole_0_y": 84.0}
    assert "a board screw is 4.5 mm from the antenna; it needs 8 mm." in fit_checks._radio(d2)


# --- the search on bodies made by hand ---------------------------------------------------------


def well(opening: float) -> Manifold:
    """A well of 20 x 20 x 20 mm in a block; its lid leaves `opening` free at the east end."""
    block = Manifold.cube((30, 30, 24)).translate((-5, -5, -2))
    return (
        block
        - Manifold.cube((20, 20, 20))
        - Manifold.cube((opening, 20, 10)).translate((20 - opening, 0, 0)).translate((0, 0, 15))
    )


@pytest.mark.parametrize(("opening", "free"), [(14.0, True), (10.5, True), (9.5, False)])
def test_a_cube_of_10_under_a_lip(opening: float, free: bool) -> None:
    """It lies 6 mm aside of the way out at most, and needs 10 mm to get through."""
    cube = Manifold.cube((10, 10, 10)).translate((4, 5, 0))
    way = paths.way_out("the cube", cube, well(opening), "+z", "x")
    assert way.free == free
    if free:
        assert max(shift for _, shift, _ in way.places) >= 20 - opening - 4
    else:
        assert way.sentence().startswith("the cube cannot be put in: on the best way it binds ")


def test_a_plate_is_tilted_out_under_a_ledge() -> None:
    """A plate of 30 x 2 whose east end lies 2 mm under a ledge that is 4 mm above the floor."""
    floor = Manifold.cube((60, 20, 2)).translate((-20, -5, -2))
    ledge = Manifold.cube((3, 20, 40)).translate((31, -5, 0))
    lip = Manifold.cube((3, 20, 2)).translate((28, -5, 4))
    plate = Manifold.cube((30, 10, 2))
    way = paths.way_out("the plate", plate, floor + ledge + lip, "+z", "x")
    assert way.free
    assert any(shift < 0 for _, shift, _ in way.places)


def test_a_screw_under_a_part_is_told(d2: Sections, printed2: Printed) -> None:
    d2["made"] |= {"hole_0_x": d2["made"]["ok_x"], "hole_0_y": d2["made"]["ok_y"]}
    assert paths.check_paths(d2, printed2) == [
        "no screwdriver reaches the screw at x 134.0, y 22.5."
    ]


# --- bodies ------------------------------------------------------------------------------------


def test_revision_2_prints(printed2: Printed, d2: Sections) -> None:
    for part, mesh in printed2.items():
        assert mesh_checks.check_mesh(part, mesh, d2) == []
    assert fit_checks.check_distances(d2) == []
    assert fit_checks.check_collisions(d2, printed2) == []
    assert stacks.check_stacks(d2, dimensions.load_sizes(REV2.dimensions)) == []


def test_a_hole_that_is_elsewhere_has_no_post(printed2: Printed, d2: Sections) -> None:
    x, y = d2["made"]["hole_0_x"], d2["made"]["hole_0_y"]
    d2["made"]["hole_0_x"] += 2.0
    said = fit_checks.check_posts(d2, printed2["base"])
    assert len(said) == 1
    assert said[0].startswith(
        f"the print has no post for the board's hole at x {x + 2:.1f}, y {y:.1f}"
    )


@pytest.mark.long
@pytest.mark.parametrize("part", openscad.PRINTED)
def test_openscad_itself_makes_the_same_body(part: str, tmp_path: Path, d: Sections) -> None:
    """Its CGAL needs a minute for what manifold3d does in a second."""
    source = openscad.place_sources(tmp_path, d)
    ours = openscad.build(part, source)
    openscad._run(["openscad"], part, tmp_path / "own.stl", source, [])
    theirs = trimesh.load_mesh(tmp_path / "own.stl")
    assert ours.volume == pytest.approx(theirs.volume, rel=1e-5)
    assert ours.bounds == pytest.approx(theirs.bounds, abs=1e-4)
    both = (csg.as_body(ours) - csg.as_body(theirs)).volume()
    assert both == pytest.approx(0.0, abs=1.0)


_CUBE = "cube(size = [2, 2, 2], center = false);"
_BAR = "cube(size = [1, 9, 9], center = false);"


def moved(matrix: str, solid: str) -> str:
    return f"multmatrix([{matrix}, [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]) {{\n{solid}\n}}"


@pytest.mark.parametrize(
    ("tree", "volume"),
    [
        ("cube(size = [2, 3, 4], center = false);", 24.0),
        (moved("[2, 0, 0, 9]", _CUBE), 16.0),
        (f"difference() {{\n{_CUBE}\ngroup();\n{_BAR}\n}}", 4.0),
        (f"intersection() {{\n{_CUBE}\n{_BAR}\n}}", 4.0),
        (f"hull() {{\n{_CUBE}\n{moved('[1, 0, 0, 3]', _CUBE)}\n}}", 20.0),
        ("cylinder($fn = 4, $fa = 12, h = 3, r1 = 1, r2 = 1, center = false);", 6.0),
        (
            "linear_extrude(height = 5, center = false) {\noffset(r = -1, $fn = 48) {\n"
            "square(size = [4, 3], center = true);\n}\n}",
            10.0,
        ),
    ],
)
def test_solids_by_hand(tree: str, volume: float, tmp_path: Path) -> None:
    file = tmp_path / "body.csg"
    file.write_text(f"group() {{\n{tree}\n}}\n", encoding="utf8")
    assert csg.evaluate(file).volume == pytest.approx(volume)


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ("sphere(r = 2);", "a solid that nobody makes: sphere"),
        ("cube(size", "a line that nobody reads: cube"),
        ("group();", "body.csg holds no body"),
    ],
)
def test_a_tree_that_nobody_reads_is_told(tree: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "body.csg"
    file.write_text(tree + "\n", encoding="utf8")
    with pytest.raises(ValueError, match=said):
        csg.evaluate(file)


# --- the made board ----------------------------------------------------------------------------


def test_an_l_is_two_boxes() -> None:
    edge = ((0.0, 0.0), (2.0, 0.0), (2.0, 9.0), (-3.0, 9.0), (-3.0, 7.0), (0.0, 7.0))
    assert dimensions.slabs(edge) == [(-3.0, 7.0, 0.0, 9.0), (0.0, 0.0, 2.0, 9.0)]


def test_the_case_takes_edge_holes_and_buttons_from_the_made_board(d2: Sections) -> None:
    """The board's bar begins 3.8 mm east of the screens, at 121.5, and is 28 wide."""
    assert (d2["board"]["board_x"], d2["board"]["board_y"]) == (28.0, 91.0)
    assert d2["case"]["inside_x"] == pytest.approx(151.0)
    found = dimensions.derive(d2)
    assert (found["button_x"], found["jury_y"], found["reset_y"]) == (134.0, 84.0, 66.0)
    lever = next(part for part in parts(d2) if part.name == "the board's lever")
    # from the middle of its pins 2.2 + 4 mm to the east; 2 wide, and it slides 2 along the wall
    assert lever.high[0] == pytest.approx(146.3 + 6.2, abs=0.06)
    assert (lever.low[1], lever.high[1]) == (41.0, 45.0)


def test_a_wider_screen_moves_the_board_with_its_posts_and_buttons(tmp_path: Path) -> None:
    before = dimensions.load(REV2.dimensions)
    source = REV2.dimensions.read_text(encoding="utf8")
    copy = tmp_path / "dimensions.toml"
    copy.write_text(source.replace("gap_west = 5.3", "gap_west = 9.3"), encoding="utf8")
    d = dimensions.load(copy)
    for (x, y), (old_x, old_y) in zip(dimensions.posts(d), dimensions.posts(before), strict=True):
        assert (x, y) == pytest.approx((old_x + 4, old_y))
    assert dimensions.derive(d)["button_x"] == pytest.approx(138.0)
    assert d["case"]["inside_x"] == pytest.approx(155.0)


# --- the board as KiCad assembles it -------------------------------------------------------------


def test_the_assembled_board_of_a_release_goes_into_its_case(
    printed2: Printed, needs: Callable[[str], str]
) -> None:
    """Its STEP file, with every footprint's body; a board 1.5 mm to the east is in the wall."""
    needs("kicad-cli")
    step = products.step()
    d = dimensions.load(REV2.dimensions)
    named = assembled.bodies(step, d)
    placed = load_made().parts
    assert {"J1", "U1", "SW5", "SW6", "LS1"} <= {*named} & {*placed}
    assert assembled.check_assembled(step, d, printed2) == []
    d["made"]["hole_0_x"] += 1.5
    in_the_wall, *_, stuck = assembled.check_assembled(step, d, printed2)
    assert "and the case share" in in_the_wall
    assert stuck.startswith("the board as KiCad assembles it cannot be put in")
