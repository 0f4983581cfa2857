"""The parts list: its sums, and that one changed part is told in a sentence."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hardware import bom, wiring
from hardware.board_file import read_board
from hardware.build import check_plastic
from hardware.case import dimensions


def check(rows: list[bom.BomRow]) -> list[str]:
    wires = len(wiring.load_wiring().wires)
    return bom.check_bom(rows, dimensions.load(), wiring.connector_types(), wires, read_board())


def changed(name: str, **values: object) -> list[bom.BomRow]:
    rows = bom.load_bom()
    assert any(row.id == name for row in rows)
    return [replace(row, **values) if row.id == name else row for row in rows]  # type: ignore[arg-type]


def test_the_list_fits_wiring_case_and_firmware() -> None:
    assert check(bom.load_bom()) == []


def test_totals_are_the_sums_of_the_file() -> None:
    """Added up again from the raw file, in cents."""
    with bom.BOM.open(encoding="utf8", newline="") as file:
        raw = list(csv.DictReader(file))
    for group, (low, high) in bom.totals(bom.load_bom()).items():
        for name, found in (("low_eur", low), ("high_eur", high)):
            cents = [
                round(float(row[name]) * 100) * int(row["quantity"])
                for row in raw
                if row["group"] == group
            ]
            assert round(found * 100) == sum(cents)


def test_totals_worked_out_by_hand() -> None:
    """Battery, lowest: charger 15 + pack 10 + switch 0.50 + diode 0.10 + tape 1 + tube 0.20."""
    assert bom.totals(bom.load_bom())["battery"][0] == pytest.approx(26.80)


def test_every_row_says_what_why_and_how_much_in_both_languages() -> None:
    for row in bom.load_bom():
        assert row.variant, row.id
        assert row.part_de, row.id
        assert row.variant_de, row.id
        assert bool(row.avoid) == bool(row.avoid_de), row.id
        assert row.basis, row.id


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("pico", {"part": "ESP32-S3 board"}, 'PICO is wired as "Raspberry Pi Pico 2 W'),
        ("pico", {"size_mm": "69 x 26"}, "room for 51 x 21 mm ([pico])"),
        ("reader", {"size_mm": "118 x 53"}, "room for 43 x 41 mm ([reader])"),
        ("reader", {"wired_as": ()}, "has READER, but bom.csv lists no part for it"),
        ("reader", {"wired_as": ("RFID",)}, "wired as RFID, which wiring.yml lacks"),
        ("screen", {"quantity": 1}, "buys 1 of screen, but 2 are wired"),
        ("screen", {"size_mm": "27.3 x 27.8"}, "room for 35.4 x 33.5 mm"),
        ("screen", {"variant": "ST7565, SPI"}, "a screen without any of them"),
        ("switch", {"quantity": 3}, "the firmware reads 4 buttons"),
        ("switch", {"size_mm": "12 x 12"}, "room for 6 x 6 mm"),
        ("buzzer", {"size_mm": "14"}, "room for 12.2 mm"),
        ("screw_m3", {"size_mm": "M3 x 25"}, "enters its hole by 21.8 mm; 6 to 14 mm is right"),
        ("screw_m3", {"size_mm": "M4 x 12"}, "an M4 screw (screw_m3) does not fit"),
        ("screw_m2", {"size_mm": "M2 x 10"}, "enters its hole by 9.0 mm; 4 to 5 mm is right"),
        ("screw_m2", {"size_mm": "M2.5 x 6"}, "an M2.5 screw (screw_m2) does not fit"),
        ("screw_m3", {"quantity": 2}, "the lid has 4 posts"),
        ("feet", {"size_mm": "8 x 3"}, "room for 12 x 5 mm"),
        ("jumper", {"quantity": 20}, "buys 20 jumper wires; wiring.yml has 25"),
        ("pack", {"size_mm": "65 x 50"}, "room for 36 x 60 mm"),
        ("sleeve", {"size_mm": "70 x 120"}, "room for 66 x 94 mm"),
        ("resistor", {"low_eur": 0.0}, "needs a group, a quantity and a price band"),
        ("resistor", {"high_eur": 0.01}, "needs a group, a quantity and a price band"),
    ],
)
def test_one_changed_part_is_told(name: str, values: dict[str, object], said: str) -> None:
    faults = check(changed(name, **values))
    assert any(said in fault for fault in faults), faults


def test_a_part_without_a_place_in_the_list_is_told() -> None:
    rows = [replace(row, case_section="") if row.id == "rocker" else row for row in bom.load_bom()]
    assert "the case has a place for [rocker], but bom.csv has none." in check(rows)


def test_too_little_filament_is_told() -> None:
    """220 cm3 of PETG weigh 279 g."""
    assert check_plastic({"base": 220_000.0}, bom.load_bom()) == [
        "bom.csv buys 250 g of filament; the case takes up to 279 g."
    ]


@pytest.fixture
def with_line(tmp_path: Path) -> Callable[[str, str], Path]:
    def write(old: str, new: str) -> Path:
        source = bom.BOM.read_text(encoding="utf8")
        assert source.count(old) == 1
        copy = tmp_path / "bom.csv"
        copy.write_text(source.replace(old, new), encoding="utf8")
        return copy

    return write


def test_a_price_that_is_no_number_names_the_line(with_line: Callable[[str, str], Path]) -> None:
    copy = with_line("pico,1,piece", "pico,one,piece")
    with pytest.raises(ValueError, match=r"bom.csv, line 2: .*'one'"):
        bom.load_bom(copy)


def test_the_controllers_are_those_of_the_driver() -> None:
    from firmware.drivers import display

    assert bom.CONTROLLERS == {
        "SSD1306": display.SSD1306,
        "SSD1309": display.SSD1306,
        "SH1106": display.SH1106,
    }
