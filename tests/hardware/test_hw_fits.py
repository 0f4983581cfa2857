"""Worst cases of the fits, the ledger of sizes behind them, and the coupons."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import trimesh

from hardware.case import coupons, dimensions, mesh_checks, stacks
from hardware.case.sizes import PARTS, Size, load_parts

Sections = dict[str, dict[str, float]]
Sizes = dict[str, dict[str, Size]]


def stack(name: str, d: Sections, ledger: Sizes) -> stacks.Stack:
    return next(found for found in stacks.stacks(d, ledger) if found.name == name)


def test_every_fit_holds_in_the_worst_case(d: Sections, ledger: Sizes) -> None:
    assert stacks.check_stacks(d, ledger) == []


def test_the_play_of_a_cap_by_hand(d: Sections, ledger: Sizes) -> None:
    """Drawn 1.8, less 0.1 that a switch is not pushed home.

    Wall 0.3, ledge 0.2, board 0.16, switch 0.4 and its 0.1, socket 0.2, flange 0.2: 1.56 in all.
    """
    found = stack("play of a cap under the lid", d, ledger)
    assert found.nominal == pytest.approx(1.7)
    assert found.least == pytest.approx(1.7 - 1.56)
    assert found.most == pytest.approx(1.7 + 1.56)


def test_the_reader_by_hand(d: Sections, ledger: Sizes) -> None:
    """2.6 drawn; wall 0.3, ledge 0.2, board 0.16 off, and tails of up to 1.8."""
    found = stack("air over the tails of the reader's header", d, ledger)
    assert found.least == pytest.approx(2.6 - 0.66 - 1.8)


@pytest.mark.parametrize(
    ("section", "name", "value", "said"),
    [
        ("cap", "play_z", 1.5, "play of a cap under the lid: -0.16 to 2.96 mm in the worst case"),
        ("cap", "rise", 3.9, "a cap above the lid, to be pressed home"),
        ("cap", "ring", 1.3, "JURY below the top of its ring"),
        ("cap", "jury_rise", 0.6, "a finger's way down to JURY"),
        ("cap", "hole", 12.2, "cap in its hole: 0.00 to 0.80 mm"),
        ("cap", "socket", 8.6, "plunger inside the cap's socket, sideways"),
        ("cap", "socket_depth", 2.3, "cap above the switch's body when it clicks"),
        ("screen", "gap", 0.9, "air over the screen's glass: -0.30 to 1.90 mm"),
        ("screen", "gap", 2.0, "last row seen past the window's lower edge"),
        ("screen", "bevel", 2.4, "last row seen past the window's upper edge"),
        ("screen", "slide", 1.7, "the screen slides until its picture is in the window"),
        ("screen", "margin_x", 2.3, "window inside the glass, across"),
        ("reader", "gap", 1.5, "air over the tails of the reader's header: -0.96 to 2.16 mm"),
        ("reader", "gap", 2.9, "card above the antenna"),
        ("seat", "fit", 0.05, "reader in its seat, across"),
        ("seat", "fit", 0.05, "strip in its seat, along"),
        ("card", "play", 0.4, "card in the landing field"),
        ("plug", "slot_z", 9.6, "the cable's plug in its opening, in height"),
        ("plug", "slot_x", 11.0, "the cable's plug in its opening, across"),
        ("rocker", "slot_y", 13.4, "the rocker switch in its opening"),
        ("screws", "passage", 3.2, "lid screw through its hole"),
        ("screws", "pilot", 3.0, "lid screw cuts into its post"),
        ("screws", "post", 6.0, "wall of a post beside its screw"),
        ("screws", "sink", 6.4, "screw head in its sink"),
    ],
)
def test_one_changed_size_breaks_its_chain(
    d: Sections, ledger: Sizes, section: str, name: str, value: float, said: str
) -> None:
    d[section][name] = value
    faults = stacks.check_stacks(d, ledger)
    assert any(said in fault for fault in faults), faults


def test_foam_tape_below_the_strip_breaks_the_chain_and_the_chain_is_told(
    d: Sections, ledger: Sizes
) -> None:
    """A strip that is 0.7 mm higher: what a tape below it does."""
    board = ledger["strip"]["board_t"]
    ledger["strip"]["board_t"] = replace(board, high=board.high + 0.7)
    fault = stacks.check_stacks(d, ledger)[0]
    assert fault == (
        "play of a cap under the lid: -0.56 to 3.26 mm in the worst case, at least 0 is "
        "needed: case.inside_z 37 (36.7 to 37.3) - height of the ledge 27.2 (27 to 27.4) "
        "- strip.board_t 1.6 (1.44 to 2.46) - switch.lift 0.1 (0 to 0.2) "
        "- switch.height 7 (6.6 to 7.4) + cap.socket_depth 2 (1.8 to 2.2) "
        "- cap.flange_t 1.4 (1.2 to 1.6)."
    )


def test_a_size_from_memory_is_no_ground_for_a_fit(d: Sections, ledger: Sizes) -> None:
    ledger["switch"]["height"] = replace(ledger["switch"]["height"], basis="memory")
    faults = stacks.check_stacks(d, ledger)
    assert faults[0] == (
        "play of a cap under the lid: switch.height is from memory; measure it and write the "
        "number and measured_by into parts.toml."
    )


# --- another module is a row -------------------------------------------------------------------


def chosen(tmp_path: Path, section: str, part: str) -> Path:
    from hardware.revision import REV1

    source = REV1.dimensions.read_text(encoding="utf8").splitlines()
    at = next(i for i, line in enumerate(source) if line.startswith(f"{section} = "))
    source[at] = f'{section} = "{part}"'
    copy = tmp_path / "dimensions.toml"
    copy.write_text("\n".join(source), encoding="utf8")
    return copy


def test_another_reader_is_a_row(tmp_path: Path) -> None:
    path = chosen(tmp_path, "reader", "pn532_v3_clone")
    d = dimensions.load(path)
    assert (d["reader"]["board_x"], d["reader"]["board_y"]) == (42.7, 40.4)
    assert stacks.check_stacks(d, dimensions.load_sizes(path)) == []


def test_another_1_3_inch_screen_is_a_row(tmp_path: Path) -> None:
    path = chosen(tmp_path, "screen", "oled_1in3_adafruit")
    d = dimensions.load(path)
    assert (d["screen"]["board_x"], d["screen"]["board_y"]) == (35.05, 35.56)
    assert stacks.check_stacks(d, dimensions.load_sizes(path)) == []


def test_a_larger_screen_moves_buttons_and_wall_and_asks_to_be_measured(tmp_path: Path) -> None:
    """61.5 mm instead of 35.4: everything east of it moves by 26.1 mm."""
    path = chosen(tmp_path, "screen", "oled_2in42")
    small, large = dimensions.load(), dimensions.load(path)
    for section, name in (("strip", "centre_x"), ("case", "inside_x")):
        assert large[section][name] - small[section][name] == pytest.approx(26.1)
    faults = stacks.check_stacks(large, dimensions.load_sizes(path))
    assert any("screen.glass_t is from memory" in fault for fault in faults)


def test_a_part_that_nobody_describes_is_told(tmp_path: Path) -> None:
    path = chosen(tmp_path, "screen", "oled_7in")
    with pytest.raises(ValueError, match=r"screen = 'oled_7in' is not in parts.toml"):
        dimensions.load(path)


# --- the ledger --------------------------------------------------------------------------------


def test_every_size_has_a_source_and_a_span() -> None:
    for part, sizes in load_parts().items():
        for name, size in sizes.items():
            assert size.source, (part, name)
            assert size.low <= size.mm <= size.high, (part, name)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{ mm = 7.0, tol = 0.4, from = "hearsay" }', "'hearsay', which .sources. does not have"),
        ("{ mm = 7.0, tol = 0.4 }", "needs mm, from"),
        ('{ mm = 7.0, tol = 0.4, from = "measured" }', "write by whom and when"),
        ('{ mm = 7.0, low = 7.2, high = 7.4, from = "b3f" }', "7.0 is not between 7.2 and 7.4"),
    ],
)
def test_a_size_without_a_proper_source_is_told(tmp_path: Path, line: str, said: str) -> None:
    source = PARTS.read_text(encoding="utf8")
    old = 'height = { mm = 7.0, tol = 0.4, from = "b3f" }'
    assert source.count(old) == 1
    copy = tmp_path / "parts.toml"
    copy.write_text(source.replace(old, f"height = {line}"), encoding="utf8")
    with pytest.raises(ValueError, match=rf"parts.toml: b3f_1060.height.*{said}"):
        load_parts(copy)


def test_a_measured_size_is_enough_for_a_fit(tmp_path: Path) -> None:
    source = PARTS.read_text(encoding="utf8")
    old = 'height = { mm = 7.0, tol = 0.4, from = "b3f" }'
    new = 'height = { mm = 7.1, tol = 0.05, from = "measured", measured_by = "M, 2026-11-22" }'
    copy = tmp_path / "parts.toml"
    copy.write_text(source.replace(old, new), encoding="utf8")
    size = load_parts(copy)["b3f_1060"]["height"]
    assert (size.basis, size.measured_by) == ("measured", "M, 2026-11-22")


def test_what_rests_on_no_drawing_is_to_be_measured(ledger: Sizes) -> None:
    names = [name for name, _ in stacks.to_measure(ledger)]
    assert "screen.lit_off" in names
    assert "reader.board_x" in names
    assert "pico.board_x" not in names


# --- coupons -----------------------------------------------------------------------------------


def test_coupons_are_printable_and_small(
    printed: Mapping[str, trimesh.Trimesh], d: Sections, tmp_path: Path
) -> None:
    made = coupons.build(d, printed, tmp_path)
    assert tuple(made) == coupons.COUPONS
    whole = printed["base"].volume + printed["lid"].volume
    for name, mesh in made.items():
        assert mesh_checks.check_mesh(name, mesh, d) == []
        assert (tmp_path / f"{name}.stl").exists()
        assert mesh.volume < whole / 8


def test_a_coupon_seats_as_the_case_does(
    printed: Mapping[str, trimesh.Trimesh], d: Sections, tmp_path: Path
) -> None:
    """The reader's ledge is 4 mm above the plate of 1.2, and the rails end 2.6 + 1.6 above it."""
    mesh = coupons.build(d, printed, tmp_path)["coupon_reader"]
    assert mesh.bounds[1][2] == pytest.approx(1.2 + 4 + 1.6 + 2.6, abs=0.02)
