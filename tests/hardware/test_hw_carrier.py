"""The carrier board: its plan against firmware and case, the router, and KiCad's own checks."""

import fcntl
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import bom, build, guide, wiring
from hardware.board_file import read_board
from hardware.carrier import layout, made, plan, products, router, schematic
from hardware.carrier.plan import Plan
from hardware.case import dimensions
from hardware.revision import REV1, REV2
from hardware.wiring import Harness


@pytest.fixture
def drawn() -> Plan:
    return plan.load_plan(read_board(REV2.board_file))


def changed(tmp_path: Path, old: str, new: str) -> Plan:
    """The plan from a copy of board.toml with one line changed."""
    source = plan.BOARD.read_text(encoding="utf8")
    assert source.count(old) == 1
    copy = tmp_path / "board.toml"
    copy.write_text(source.replace(old, new), encoding="utf8")
    return plan.load_plan(read_board(REV2.board_file), copy)


def faults_of(drawn: Plan, harness: Harness | None = None) -> list[str]:
    joined = plan.with_wires(drawn, harness or wiring.load_wiring(REV2.wiring))
    return wiring.check_wiring(joined, read_board(REV2.board_file), plan.BOARD_TARGETS)


# --- papers ------------------------------------------------------------------------------------


def test_revision_2_holds_on_paper() -> None:
    assert build.check_papers(REV2) == []


def test_both_revisions_have_the_same_pins() -> None:
    """One firmware serves both: only the keep-alive pin is new."""
    one, two = read_board(REV1.board_file), read_board(REV2.board_file)
    assert {**one.signals(), "keep alive": 14} == two.signals()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"READER_RX", "READER_TX", "3V3"',
            '"READER_TX", "READER_RX", "3V3"',
            "GP0 to SS of READER",
        ),
        (
            'nets = ["GND", "3V3", "SOUTH_SCREEN_SCL", "SOUTH_SCREEN_SDA"]',
            'nets = ["GND", "3V3", "NORTH_SCREEN_SCL", "SOUTH_SCREEN_SDA"]',
            "GP3 to SCL of SCREEN_SOUTH",
        ),
        ('"BUTTON_UP", "GND"]', '"BUTTON_DOWN", "GND"]', "BUTTON_UP has one end only"),
        ('nets = ["KEEP_ALIVE", "KA_GATE"]', 'nets = ["BUZZER", "KA_GATE"]', "KEEP_ALIVE has one"),
        (
            'nets = ["5V_IN", "GND"]\nnote = "a charger',
            'nets = ["3V3", "GND"]\nnote = "a charger',
            "",
        ),
    ],
)
def test_one_changed_net_is_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    try:
        faults = faults_of(changed(tmp_path, old, new))
    except ValueError as error:
        faults = [str(error)]
    if said:
        assert any(said in fault for fault in faults), faults
    else:  # 5 V in on 3V3: no signal is cut, so it is the netlist that must show it
        joined = changed(tmp_path, old, new)
        five = next(part for part in joined.parts if part.ref == "J4")
        assert five.pins["1"] == ("5V", "3V3")


def test_a_wire_of_the_harness_on_the_wrong_pin_is_told(tmp_path: Path) -> None:
    source = REV2.wiring.read_text(encoding="utf8")
    copy = tmp_path / "wiring.yml"
    copy.write_text(source.replace("READER: [MOSI, SS, VCC", "READER: [SS, MOSI, VCC"), "utf8")
    drawn = plan.load_plan(read_board(REV2.board_file))
    faults = faults_of(drawn, wiring.load_wiring(copy))
    assert any("GP0 to SS of READER" in fault for fault in faults), faults


def test_the_pico_is_wired_as_its_data_sheet_numbers_it(drawn: Plan) -> None:
    """Four pins that everybody knows, and eight grounds."""
    pins = next(part for part in drawn.parts if part.kind == "pico").pins
    assert [pins[n] for n in ("1", "40", "36", "37")] == [
        ("GP0", "READER_TX"),
        ("VBUS", "VBUS"),
        ("3V3(OUT)", "3V3"),
        ("3V3_EN", "3V3_EN"),
    ]
    assert sum(net == "GND" for _, net in pins.values()) == 8


def test_a_part_beside_the_board_is_told(tmp_path: Path) -> None:
    moved = changed(tmp_path, "at = [112.0, 84.0, 0]", "at = [112.0, 40.0, 0]")
    assert plan.check_plan(moved) == ["board.toml: D3 lies outside the board."]


def test_another_outline_is_told(tmp_path: Path) -> None:
    longer = changed(tmp_path, "[149.5, 100.5], [121.5, 100.5]", "[149.5, 102.5], [121.5, 102.5]")
    assert made.check_made(made.load_made(), longer) == [
        "board.json has the edge at 90 73.6, 90 94.4, 121.5 9.5, 121.5 73.6, 121.5 94.4, "
        "121.5 100.5, 149.5 9.5, 149.5 100.5, board.toml at 90 73.6, 90 94.4, 121.5 9.5, "
        "121.5 73.6, 121.5 94.4, 121.5 102.5, 149.5 9.5, 149.5 102.5: run `make hardware` with "
        "KiCad."
    ]


def test_a_moved_hole_or_button_is_told(tmp_path: Path) -> None:
    moved = changed(tmp_path, "at = [93.6, 84.0, 0]", "at = [95.6, 84.0, 0]")
    said = made.check_made(made.load_made(), moved)
    assert [fault.split(" at ")[0] for fault in said] == [
        "board.json has the H5",
        "board.json has the screw holes",
    ]


def test_a_button_out_of_the_row_is_told(tmp_path: Path) -> None:
    """The lid has one row of holes."""
    moved = changed(
        tmp_path, 'B3F-40xx"\nat = [134.0, 52.98, 0]', 'B3F-40xx"\nat = [133.0, 52.98, 0]'
    )
    assert plan.check_plan(moved) == ["board.toml: SW3 is not in one row with SW1."]


@pytest.mark.parametrize(
    "torn", [[((0.0, 0.0), (2.0, 0.0)), ((2.0, 0.0), (2.0, 1.0))],
             [((0.0, 0.0), (2.0, 0.0)), ((2.0, 0.0), (1.0, 1.0)), ((1.0, 1.0), (0.0, 0.0))]]
)  # fmt: skip
def test_an_edge_that_is_open_or_slanting_is_told(
    torn: list[tuple[made.Point, made.Point]],
) -> None:
    with pytest.raises(ValueError, match="not one closed line of right angles"):
        made._polygon(torn)


def test_the_list_buys_what_the_board_needs(drawn: Plan) -> None:
    """Counted on the plan, by kind."""
    rows = {row.id: row.quantity for row in bom.load_bom(REV2.bom)}
    kinds = [part.kind for part in drawn.parts]
    big = [part for part in drawn.parts if "B3F" in part.footprint]
    assert rows["switch"] == len(big) == 4
    assert rows["tvs"] == kinds.count("tvs")
    assert rows["screw_board"] == kinds.count("hole") == 5
    assert rows["resistors"] + rows["load"] == kinds.count("resistor")
    assert rows["ceramics"] == kinds.count("capacitor")


# --- the case ----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", sorted(guide.NAMES))
def test_the_guide_of_revision_2_is_fresh_and_says_never_fabricated(language: str) -> None:
    text = (REV2.folder / guide.NAMES[language]).read_text(encoding="utf8")
    assert guide.write(language, build.facts(REV2), REV2.folder) == text, "run `make hardware`"
    said = {"en": "**Never fabricated.**", "de": "**Nie gefertigt.**"}[language]
    assert said in text[:400]


# --- the router --------------------------------------------------------------------------------


def grid() -> router.Grid:
    return router.Grid(0.0, 0.0, 40, 40, 0.2, (0.25,), 0.6)


def test_a_way_round_a_wall_on_one_layer() -> None:
    """A wall on both layers with a gap at the top: the way goes through the gap."""
    made = grid()
    made.claim(-2, (0, 1), (5.0, 0.0, 5.0, 7.0))
    way = made.route(1, 0.25, {(0, 5, 5)}, {(0, 35, 5)})
    assert way[0] == (0, 5, 5)
    assert way[-1] == (0, 35, 5)
    assert max(row for _, _, row in way) * router.STEP > 7.0 + 0.2 + 0.125


def test_a_wall_on_one_layer_is_passed_on_the_other() -> None:
    made = grid()
    made.claim(-2, (0,), (5.0, -1.0, 5.0, 11.0))
    way = made.route(1, 0.25, {(0, 5, 5)}, {(0, 35, 5)})
    assert {layer for layer, _, _ in way} == {0, 1}


def test_no_way_is_an_empty_way() -> None:
    made = grid()
    made.claim(-2, (0, 1), (5.0, -1.0, 5.0, 11.0))
    assert made.route(1, 0.25, {(0, 5, 5)}, {(0, 35, 5)}) == []


def test_who_is_crossed_is_named_and_dearer_the_next_time() -> None:
    made = grid()
    made.claim(-2, (1,), (-1.0, -1.0, 11.0, 11.0))  # one layer only
    made.occupy_line(2, 0, (5.0, 0.0), (5.0, 9.9), 0.25)
    way = made.route(1, 0.25, {(0, 5, 5)}, {(0, 35, 5)})
    assert made.in_the_way(1, 0.25, way) == {2}
    assert made.grudges
    made.tear_up(2)
    assert made.in_the_way(1, 0.25, way) == set()


def test_straight_runs_become_one_piece() -> None:
    way = [(0, 0, 0), (0, 1, 0), (0, 2, 0), (0, 3, 1), (1, 3, 1)]
    assert router.corners(way) == [(0, 0, 0), (0, 2, 0), (0, 3, 1), (1, 3, 1)]


# --- the schematic -----------------------------------------------------------------------------


def test_the_schematic_is_the_same_bytes_and_names_every_part_and_net(drawn: Plan) -> None:
    text = schematic.sheet(drawn)
    assert text == schematic.sheet(drawn)
    for part in drawn.parts:
        assert f'(reference "{part.ref}")' in text
    for net in drawn.nets:
        assert f'(global_label "{net}"' in text
    assert "Never fabricated" in text


# --- KiCad -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def board(
    tmp_path_factory: pytest.TempPathFactory, worker_id: str, needs: Callable[[str], str]
) -> Path:
    """The board, drawn once for all workers."""
    needs("kicad-cli")
    if products.kicad() is None:
        pytest.fail("KiCad is older than 9: .ci/run shows how to take it from Debian's backports")
    shared = tmp_path_factory.getbasetemp()
    folder = (shared if worker_id == "master" else shared.parent) / "carrier"
    with (folder.parent / "carrier.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = folder / "carrier.kicad_pcb"
        if not made.exists():
            loaded = plan.load_plan(read_board(REV2.board_file))
            products.make_board(loaded, folder)
    return made


def test_kicad_finds_nothing_in_schematic_and_board(board: Path) -> None:
    """ERC, DRC, unconnected pads, board against schematic; every severity."""
    assert products.check_board(board) == []


def test_kicad_finds_a_cut_track_and_a_wrong_net(board: Path, tmp_path: Path) -> None:
    """The checks themselves: without its first track the board has an open connection."""
    copy = tmp_path / "cut"
    shutil.copytree(board.parent, copy)
    cut = copy / board.name
    text = cut.read_text(encoding="utf8")
    at = text.index("\t(segment")
    cut.write_text(text[:at] + text[text.index("\n\t)\n", at) + 4 :], encoding="utf8")
    sheet = cut.with_suffix(".kicad_sch")
    wrong = sheet.read_text(encoding="utf8").replace('"BUTTON_OK"', '"BUTTON_KO"')
    sheet.write_text(wrong, encoding="utf8")
    said = products.check_board(cut)
    assert any("Missing connection" in fault or "unconnected end" in fault for fault in said), said
    assert any("BUTTON_KO" in fault for fault in said), said


def test_board_json_is_what_kicad_makes(board: Path) -> None:
    products.make_step(board)
    assert made.read_made(board) == made.load_made(), "run `make hardware`"


def test_a_hole_and_an_edge_that_move_in_the_board_move_in_the_case(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    """H5 2 mm to the east and 1 to the south, the east edge 1 mm further out."""
    needs("kicad-cli")
    changed(tmp_path, "at = [93.6, 84.0, 0]", "at = [95.6, 83.0, 0]")
    other = tmp_path / "board.toml"
    text = other.read_text(encoding="utf8").replace("[149.5, ", "[150.5, ")
    other.write_text(text, encoding="utf8")
    loaded = plan.load_plan(read_board(REV2.board_file), other)
    tracks = json.loads(products.TRACKS.read_text(encoding="utf8"))
    tracks["key"] = layout.fingerprint(loaded.as_dict())  # routing is not what is tried here
    (tmp_path / "tracks.json").write_text(json.dumps(tracks), encoding="utf8")
    board = products.make_board(loaded, tmp_path / "moved", tmp_path / "tracks.json")
    products.make_step(board)
    made.write_made(made.read_made(board), tmp_path / "board.json")
    d = dimensions.load(REV2.dimensions, board=tmp_path / "board.json")
    assert dimensions.posts(d)[0] == [95.6, 83.0]
    assert d["case"]["inside_x"] == pytest.approx(152.0)
    assert "posts = [[95.6, 83.0]" in dimensions.to_scad(d)


def test_products_are_complete_and_the_same_but_for_dates(
    board: Path, drawn: Plan, tmp_path: Path
) -> None:
    shutil.copytree(board.parent, tmp_path / "one")
    boards = [tmp_path / "one" / board.name, products.make_board(drawn, tmp_path / "two")]
    both = [products.make_products(drawn, each) for each in boards]
    names = [[path.name for path in files] for files in both]
    assert names[0] == names[1]
    assert {"positions.csv", "carrier.step", "schematic.pdf", "parts.html", "carrier.drl"} <= set(
        names[0]
    )
    assert sum(name.startswith("carrier-") for name in names[0]) == 10  # nine layers and the job
    for one, two in zip(*both, strict=True):
        if one.suffix not in (".pdf", ".png", ".step", ".gbrjob"):
            first, second = (path.read_text(encoding="utf8") for path in (one, two))
            assert products.undated(first) == products.undated(second), one.name


def test_without_kicad_make_hardware_says_what_it_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build.make_carrier() == []
    assert capsys.readouterr().out == (
        "KiCad 9 is missing: left out are schematic, board, ERC, DRC and gerbers of rev2.\n"
    )


def test_the_kept_schematic_is_of_this_plan(drawn: Plan) -> None:
    kept = products.SCHEMATIC.read_bytes()
    assert kept.endswith(f"%{products.schematic_key(drawn)}\n".encode()), "run `make hardware`"


def test_the_print_shows_where_the_picos_usb_goes() -> None:
    """Pin 1 is at the USB end, in the east; seen from below, east is on the left."""
    pico = made.load_made().parts["U1"]
    assert pico.back
    assert pico.pads[0][0] > pico.at[0]
    assert layout.USB_MARK.startswith("<")


def test_a_joint_under_a_button_is_told() -> None:
    """C1 with wires, its pads at 132.75 and 135.25, in the middle of DOWN."""
    board = made.load_made()
    assert made.check_joints(board) == []
    wired = replace(board.parts["C1"], pads=((132.75, 37.74, 1.6, 1.6, 0.8),))
    assert made.check_joints(replace(board, parts={**board.parts, "C1": wired})) == [
        "board.toml: a joint of C1 lies under SW2, which would not sit flat."
    ]


def test_the_pictures_of_the_board_are_of_these_tracks() -> None:
    from hardware.case import stamp

    for side in ("top", "bottom"):
        picture = REV2.pictures / f"board_{side}.png"
        assert stamp.read_stamp(picture) == products.tracks_key(), "run `make hardware`"
