"""The OLED controller: commands and picture data as the data sheets have them."""

import zlib

import pytest

from hardware.twin.errors import TwinError
from hardware.twin.oled import DARK, Oled
from hardware.twin.picture import to_png, to_terminal

ON_UPRIGHT = b"\x00\xae\xa1\xc8\xaf"  # off, segment remap, COM scan reversed, on


def upright(model: str = "ssd1306") -> Oled:
    oled = Oled(model)
    oled.write(ON_UPRIGHT)
    return oled


def lit(oled: Oled) -> set[tuple[int, int]]:
    picture = oled.picture()
    return {(x, y) for y in range(64) for x in range(128) if picture.pixel(x, y)}


def test_a_display_that_is_off_is_dark() -> None:
    oled = upright()
    oled.write(b"\x40" + b"\xff" * 8)
    oled.write(b"\x00\xae")
    assert oled.picture() == DARK


def test_a_data_byte_is_eight_pixels_below_each_other_lowest_bit_on_top() -> None:
    oled = upright()
    oled.write(b"\x00\xb2\x05\x10")  # page 2, column 5
    oled.write(b"\x40\x81")
    assert lit(oled) == {(5, 16), (5, 23)}


def test_columns_count_on_and_wrap_within_the_page() -> None:
    oled = upright()
    oled.write(b"\x00\xb1\x0e\x17")  # page 1, column 0x7e
    oled.write(b"\x40\x01\x01\x01")
    assert lit(oled) == {(126, 8), (127, 8), (0, 8)}


def test_sh1106_shows_columns_2_to_129_and_does_not_wrap() -> None:
    oled = upright("sh1106")
    oled.write(b"\x00\xb0\x02\x10\x40\x01"[:4])
    oled.write(b"\x40\x01")
    oled.write(b"\x00\xb0\x03\x18")  # column 0x83 = 131, the last of the RAM, not on the glass
    oled.write(b"\x40\x01\x01")
    assert lit(oled) == {(0, 0)}


def test_without_remap_the_picture_stands_on_its_head() -> None:
    oled = Oled()
    oled.write(b"\x00\xa0\xc0\xaf\xb0\x00\x10")
    oled.write(b"\x40\x01")
    assert lit(oled) == {(127, 63)}


def test_inverse_and_all_on_change_only_what_is_seen() -> None:
    oled = upright()
    oled.write(b"\x40\x01")
    oled.write(b"\x00\xa7")
    assert len(lit(oled)) == 128 * 64 - 1
    oled.write(b"\x00\xa6\xa5")
    assert len(lit(oled)) == 128 * 64
    oled.write(b"\x00\xa4")
    assert lit(oled) == {(0, 0)}


def test_horizontal_mode_fills_a_window() -> None:
    oled = upright()
    oled.write(b"\x00\x20\x00\x21\x0a\x0b\x22\x03\x04")  # columns 10..11, pages 3..4
    oled.write(b"\x40\x01\x02\x04\x08\x10")  # the fifth byte is back at the first place
    assert lit(oled) == {(10, 28), (11, 25), (10, 34), (11, 35)}


def test_commands_and_data_can_share_a_write() -> None:
    oled = upright()
    oled.write(b"\x80\xb3\x80\x04\x80\x10\x40\x01")
    assert lit(oled) == {(4, 24)}


def test_contrast_takes_its_argument() -> None:
    oled = upright()
    oled.write(b"\x00\x81\xae")  # 0xae is the contrast here, not "display off"
    assert oled.contrast == 0xAE
    assert oled.on


@pytest.mark.parametrize(
    ("model", "data"),
    [("ssd1306", b"\x00\xff"), ("sh1106", b"\x00\x20\x00"), ("ssd1306", b"\x01\xaf")],
)
def test_what_the_chip_does_not_know_is_an_error(model: str, data: bytes) -> None:
    with pytest.raises(TwinError):
        upright(model).write(data)


def test_an_unknown_model_is_an_error() -> None:
    with pytest.raises(TwinError, match="st7735"):
        Oled("st7735")


def test_the_terminal_shows_two_rows_in_one_line() -> None:
    oled = upright()
    oled.write(b"\x40\x01\x02\x03\x00")  # upper, lower, both, neither
    lines = to_terminal(oled.picture(), frame=False).split("\n")
    assert len(lines) == 32
    assert lines[0] == "▀▄█" + " " * 125
    framed = to_terminal(oled.picture()).split("\n")
    assert {len(line) for line in framed} == {130}


def test_the_png_holds_every_pixel_at_its_scale() -> None:
    oled = upright()
    oled.write(b"\x40\x01")
    png = to_png(oled.picture(), scale=2, margin=1)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(png[16:20], "big") == (128 + 2) * 2
    assert int.from_bytes(png[20:24], "big") == (64 + 2) * 2
    start = png.index(b"IDAT") + 4
    length = int.from_bytes(png[start - 8 : start - 4], "big")
    rows = zlib.decompress(png[start : start + length])
    stride = 1 + (260 + 7) // 8
    assert len(rows) == 132 * stride
    # two rows of margin, then the lit pixel as the third and fourth dot of two rows
    assert [rows[y * stride + 1] for y in range(5)] == [0, 0, 0b0011_0000, 0b0011_0000, 0]
