"""The carrier board: its KiCad project against firmware, wires and list; KiCad's own checks."""

import csv
import io
import math
import re
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import bom, build, wiring
from hardware.board_file import read_board
from hardware.carrier import made, netlist, products, sexpr
from hardware.carrier.made import Joint, Made
from hardware.case import dimensions, openscad
from hardware.revision import REV1, REV2
from hardware.wiring import WireHarness

PROJECT = made.MADE.parent


@pytest.fixture
def board() -> Made:
    return made.load_made()


def faults_of(joints: tuple[Joint, ...], harness: WireHarness | None = None) -> list[str]:
    wires = harness or wiring.load_wiring(REV2.wiring)
    return netlist.check_netlist(joints, wires, read_board(REV2.board_file))


def joined(board: Made, **nets: str) -> tuple[Joint, ...]:
    """The board's joints with some pins, written J1_4, on other nets."""
    return tuple(replace(j, net=nets.get(f"{j.ref}_{j.pin}", j.net)) for j in board.joints)


def without(board: Made, *pins: str) -> tuple[Joint, ...]:
    return tuple(joint for joint in board.joints if f"{joint.ref}_{joint.pin}" not in pins)


# --- papers ------------------------------------------------------------------------------------


def test_revision_2_holds_on_paper() -> None:
    assert build.check_papers(REV2) == []


def test_both_revisions_have_the_same_pins() -> None:
    """One firmware serves both: only the keep-alive pin is new."""
    one, two = read_board(REV1.board_file), read_board(REV2.board_file)
    assert {**one.signals(), "keep alive": 14} == two.signals()


def test_the_pico_is_wired_as_its_data_sheet_numbers_it(board: Made) -> None:
    """Four pins that everybody knows, and eight grounds."""
    pins = {j.pin: (j.name, j.net) for j in board.joints if j.ref == "U1"}
    assert [pins[n] for n in ("1", "40", "36", "37")] == [
        ("GP0", "/READER_TX"),
        ("VBUS", "VBUS"),
        ("3V3(OUT)", "3V3"),
        ("3V3_EN", "/3V3_EN"),
    ]
    assert sum(net == "GND" for _, net in pins.values()) == 8


@pytest.mark.parametrize(
    ("nets", "said"),
    [
        ({"J1_3": "/READER_TX", "J1_4": "/READER_RX"}, "GP0 to SS of READER"),
        ({"J2_3": "/NORTH_SCREEN_SCL"}, "GP3 to SCL of SCREEN_SOUTH"),
        ({"SW3_1": "/BUTTON_DOWN"}, "GP10 to 1 of SW3"),
        ({"C3_1": "/BUZZER"}, "GP14 to 1 of C3"),
        ({"J4_1": "3V3"}, "joins the charger's 5 V (J4) with 3V3(OUT)"),
        ({"J2_1": "3V3", "J2_2": "GND"}, "a short circuit"),
        ({"SW6_1": "/power/KA_GATE"}, "does not join 3V3_EN of PICO with 1 of SW6"),
        ({"D1_1": "/power/5V_IN", "D1_2": "VSYS"}, "1 of D1 with VSYS of PICO"),
        ({"Q1_2": "/power/KA_LOAD", "Q1_3": "GND"}, "2 of Q1 with GND of PICO"),
        ({"U1_4": "/NORTH_SCREEN_SDA", "U1_6": "/SOUTH_SCREEN_SDA"}, "the net of GP2 is called"),
    ],
)
def test_swapped_nets_are_told(board: Made, nets: dict[str, str], said: str) -> None:
    assert faults_of(board.joints) == []
    faults = faults_of(joined(board, **nets))
    assert any(said in fault for fault in faults), faults


@pytest.mark.parametrize("pin", ["J1_9", "J3_2", "SW4_1", "R1_2", "C2_1", "R8_2", "D1_2"])
def test_a_pin_that_nothing_leads_to_is_told(board: Made, pin: str) -> None:
    assert faults_of(without(board, pin))


def test_a_wire_of_the_harness_on_the_wrong_pin_is_told(board: Made, tmp_path: Path) -> None:
    source = REV2.wiring.read_text(encoding="utf8")
    copy = tmp_path / "wiring.yml"
    copy.write_text(source.replace("READER: [MOSI, SS, VCC", "READER: [SS, MOSI, VCC"), "utf8")
    faults = faults_of(board.joints, wiring.load_wiring(copy))
    assert any("GP0 to SS of READER" in fault for fault in faults), faults


# --- the board as it lies in its file ----------------------------------------------------------


def test_pads_and_bodies_are_where_the_drawing_has_them(board: Made) -> None:
    """Worked out by hand: SW6 at (146.3, 43) turned by 90 degrees, its lever 6.2 mm from its pins;
    J1 on the back with pin 1 in the south; U1 from below with pin 1 in the east."""
    switch = board.parts["SW6"]
    assert switch.pads[2] == (146.3, 41.0, 2.5, 1.5, 0.9)
    assert switch.body == (144.05, 38.65, 152.55, 47.35)
    plug = board.parts["J1"]
    assert (plug.back, plug.at, plug.pads[0][:2]) == (True, (123.6, 28.628), (123.6, 18.468))
    pico = board.parts["U1"]
    assert (pico.back, pico.pads[0][:2]) == (True, (147.73, 75.11))
    assert board.holes[0] == (109.2, 98.4, 3.5)
    assert len(board.holes) == 5


def test_a_joint_under_a_button_and_a_button_out_of_the_row_are_told(board: Made) -> None:
    """C1 with wires, its pads at 132.75 and 135.25, in the middle of DOWN; UP 1 mm to the west."""
    assert made.check_made(board) == []
    wired = replace(board.parts["C1"], pads=((132.75, 37.74, 1.6, 1.6, 0.8),))
    moved = replace(board.parts["SW3"], at=(133.0, 52.98))
    assert made.check_made(replace(board, parts={**board.parts, "C1": wired, "SW3": moved})) == [
        "the board has SW3 at x 133, not in one row with SW1.",
        "on the board a joint of C1 lies under SW2, which would not sit flat.",
    ]


@pytest.mark.parametrize(
    "torn", [[((0.0, 0.0), (2.0, 0.0)), ((2.0, 0.0), (2.0, 1.0))],
             [((0.0, 0.0), (2.0, 0.0)), ((2.0, 0.0), (1.0, 1.0)), ((1.0, 1.0), (0.0, 0.0))], []]
)  # fmt: skip
def test_an_edge_that_is_open_or_slanting_is_told(
    torn: list[tuple[made.Point, made.Point]],
) -> None:
    with pytest.raises(ValueError, match=r"not one closed line of right angles|has no edge"):
        made._polygon(torn)


def test_an_edge_may_be_drawn_in_any_direction() -> None:
    sides = [((2.0, 0.0), (0.0, 0.0)), ((2.0, 0.0), (2.0, 1.0)), ((0.0, 0.0), (0.0, 1.0)),
             ((0.0, 1.0), (2.0, 1.0))]  # fmt: skip
    assert made._polygon(sides) == ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0))


@pytest.mark.parametrize("text", ["", "(a", "(a))", "a", "(a) (b)"])
def test_half_a_file_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="no whole file of KiCad"):
        sexpr.parse(text)


def test_a_hole_and_an_edge_that_move_in_the_board_move_in_the_case(tmp_path: Path) -> None:
    """H5 1 mm to the east, the east edge 1 mm further out."""
    text = made.MADE.read_text(encoding="utf8")
    moved = text.replace("(at 109.2 101.6)", "(at 110.2 101.6)").replace("149.5 ", "150.5 ")
    assert moved.count("150.5 ") > 3
    (tmp_path / "moved.kicad_pcb").write_text(moved, encoding="utf8")
    d = dimensions.load(REV2.dimensions, board=tmp_path / "moved.kicad_pcb")
    assert dimensions.posts(d)[0] == [110.2, 98.4]
    assert d["board"]["board_x"] == pytest.approx(29.0)
    assert "posts = [[110.2, 98.4]" in openscad.to_scad(d)


def test_every_part_on_the_board_is_on_the_list_and_the_other_way_round() -> None:
    """Counted in the sheets: the field List names the row of bom.csv."""
    bought: Counter[str] = Counter()
    for sheet in PROJECT.glob("*.kicad_sch"):
        for symbol in sexpr.every(sexpr.parse(sheet.read_text(encoding="utf8")), "symbol"):
            fields = {p[1]: p[2] for p in sexpr.every(symbol, "property")}
            if sexpr.first(symbol, "in_bom") == ["yes"] and fields["Reference"][0] != "#":
                bought[fields["List"]] += 1
    rows = {row.id: row.quantity for row in bom.load_bom(REV2.bom)}
    bought["board_header"] -= 3  # one strip is cut into four
    assert {name: rows[name] for name in bought} == bought
    assert rows["screw_board"] == len(made.load_made().holes)


def test_every_pin_of_a_plug_and_every_button_is_named_in_print() -> None:
    """As the schematic calls them; letters of 1 mm, strokes of 0.15 mm or more."""
    tree = sexpr.parse(made.MADE.read_text(encoding="utf8"))
    printed = [t for t in sexpr.every(tree, "gr_text") if "SilkS" in sexpr.first(t, "layer")[0]]
    back = Counter(text[1] for text in printed if sexpr.first(text, "layer") == ["B.SilkS"])
    labels = wiring.pin_labels(REV2.wiring)
    wanted = Counter([*labels["J1"], *labels["J2"], *labels["J3"], "5V", "GND"])
    assert wanted <= back
    front = {text[1] for text in printed if sexpr.first(text, "layer") == ["F.SilkS"]}
    assert {"SW1 OK", "SW2 DOWN", "SW3 UP", "SW4 JURY", "SW5", "RESET", "SW6 POWER"} <= front
    assert {"3V3", "GND", "VSYS", "VBUS", "SDA", "SCL"} <= front
    for text in printed:
        (font,) = sexpr.every(next(sexpr.every(text, "effects")), "font")
        assert float(sexpr.first(font, "size")[0]) >= 1.0
        assert float(sexpr.first(font, "thickness")[0]) >= 0.15


def test_the_print_shows_where_the_picos_usb_goes(board: Made) -> None:
    """Pin 1 is at the USB end, in the east; seen from below, east is on the left."""
    pico = board.parts["U1"]
    assert pico.back
    assert pico.pads[0][0] > pico.at[0]
    assert '(gr_text "< USB"' in made.MADE.read_text(encoding="utf8")


# --- KiCad -------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path, needs: Callable[[str], str]) -> Path:
    """A copy of the project to break; returns its board."""
    needs("kicad-cli")
    if products.kicad() is None:
        pytest.fail("KiCad is older than 9: .ci/run shows how to take it from Debian's backports")
    shutil.copytree(PROJECT, tmp_path / "project")
    return tmp_path / "project" / made.MADE.name


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf8")


def length(track: str) -> float:
    segment = sexpr.parse(track)
    start, end = ([float(v) for v in sexpr.first(segment, name)] for name in ("start", "end"))
    return math.dist(start, end)


def test_kicad_finds_nothing_and_its_netlist_is_the_boards(project: Path, board: Made) -> None:
    """ERC, DRC with a fab's limits, unconnected pads, parity; every severity."""
    assert products.check_board(project) == []
    joints = products.netlist(project.with_suffix(".kicad_sch"))
    assert joints == board.joints
    assert faults_of(joints) == []


def test_kicad_finds_a_cut_track_a_wrong_footprint_a_fabs_limit_and_a_lost_wire(
    project: Path,
) -> None:
    """The checks themselves, each with its fault."""
    tracks = re.findall(r"\t\(segment\n.*?\n\t\)\n", project.read_text("utf8"), re.DOTALL)
    change(project, max(tracks, key=length), "")
    change(project.with_name("power.kicad_sch"), '"schiri:SOT-23"', '"schiri:SMA"')
    change(project.with_suffix(".kicad_dru"), "(min 0.254mm)", "(min 0.4mm)")
    reader = project.with_name("reader.kicad_sch")
    lost = next(
        wire
        for wire in re.findall(r"\t\(wire\n.*?\n\t\)\n", reader.read_text("utf8"), re.DOTALL)
        if "127 86.36" in wire
    )
    change(reader, lost, "")
    said = products.check_board(project)
    assert any("Missing connection" in fault or "unconnected end" in fault for fault in said), said
    assert any("SOT-23" in fault and "SMA" in fault for fault in said), said
    assert any("rule 'JLCPCB: hole without copper to copper" in fault for fault in said), said
    assert any("J1" in fault and "RSTPD_N" in fault for fault in said), said


def test_swapped_labels_in_a_sheet_turn_the_check_of_the_netlist_red(project: Path) -> None:
    reader = project.with_name("reader.kicad_sch")
    for old, new in (("READER_TX", "X"), ("READER_RX", "READER_TX"), ("X", "READER_RX")):
        change(reader, f'(hierarchical_label "{old}"', f'(hierarchical_label "{new}"')
    faults = faults_of(products.netlist(project.with_suffix(".kicad_sch")))
    assert any("GP0 to SS of READER" in fault for fault in faults), faults


def test_gerbers_are_whole_and_without_dates(needs: Callable[[str], str]) -> None:
    needs("kicad-cli")
    with zipfile.ZipFile(io.BytesIO(products._fabrication())) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    layers = ("F_Cu", "B_Cu", "F_Mask", "B_Mask", "F_Silkscreen", "B_Silkscreen", "F_Paste",
              "B_Paste", "Edge_Cuts")  # fmt: skip
    assert {f"carrier-{layer}" for layer in layers} <= {Path(name).stem for name in content}
    assert {"carrier-PTH.drl", "carrier-NPTH.drl", "carrier-job.gbrjob"} <= set(content)
    # five screw holes and two bosses below each of four buttons
    assert content["carrier-NPTH.drl"].count(b"\nX") == 13
    assert all(products.undated(one) == one for one in content.values())


def test_lists_of_both_fabs_hold_every_part_once(needs: Callable[[str], str], board: Made) -> None:
    needs("kicad-cli")
    soldered = sorted(ref for ref in board.parts if ref[0] != "H" and ref[:2] != "TP")
    for fab, columns in products._BOMS.items():
        rows = list(csv.DictReader(io.StringIO(products._bom(columns).decode())))
        refs = [ref for row in rows for ref in row[columns["Reference"]].split(",")]
        assert sorted(refs) == soldered, fab
    for fab, columns in products._PLACES.items():
        rows = list(csv.DictReader(io.StringIO(products._places(columns).decode())))
        assert sorted(row["Designator"] for row in rows) == soldered, fab
        (switch,) = (row for row in rows if row["Designator"] == "C2")
        assert (float(switch["Mid X"]), float(switch["Mid Y"])) == (125.95, -170.1)


@pytest.mark.long
def test_a_release_of_the_board_is_whole(tmp_path: Path, needs: Callable[[str], str]) -> None:
    needs("kicad-cli")
    names = [path.name.removeprefix("schiri-carrier-") for path in products.release(tmp_path)]
    assert names == [
        "gerbers.zip", "schematic.pdf", "assembled.step", "parts.html", "bom-jlcpcb.csv",
        "bom-pcbway.csv", "cpl-jlcpcb.csv", "cpl-pcbway.csv",
    ]  # fmt: skip
    step = (tmp_path / "schiri-carrier-assembled.step").read_text(encoding="utf8")
    assert step.count("MANIFOLD_SOLID_BREP") > 40  # the board alone would be one


def test_without_kicad_make_hardware_says_what_it_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert build.check_carrier() == []
    assert capsys.readouterr().out == (
        "KiCad 9 is missing: left out are ERC, DRC and the netlist of rev2's board.\n"
    )


def test_the_kept_schematic_and_pictures_are_of_this_board() -> None:
    from hardware.case import stamp

    assert products.SCHEMATIC.read_bytes().endswith(f"%{products.sheets_key()}\n".encode())
    for side in ("top", "bottom"):
        picture = REV2.pictures / f"board_{side}.png"
        assert stamp.read_stamp(picture) == products.board_key(), "run `make hardware`"
