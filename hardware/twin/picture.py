"""The OLED's picture for people: in the terminal as half blocks, and as a PNG."""

import struct
import zlib

from hardware.twin.oled import HEIGHT, WIDTH, Picture

_BLOCKS = " ▀▄█"  # neither, upper, lower, both
_BAR_ROWS = 9  # the top bar: clock and names


def below_bar(picture: Picture) -> tuple[int, ...]:
    """The rows below the top bar, in which the clock runs."""
    return tuple(picture.rows[y] for y in range(_BAR_ROWS, HEIGHT))


def to_terminal(picture: Picture, frame: bool = True) -> str:
    """32 lines of half blocks, two pixels above each other in one character, with a frame round
    them.
    """
    lines = [
        "".join(_BLOCKS[picture.pixel(x, y) + 2 * picture.pixel(x, y + 1)] for x in range(WIDTH))
        for y in range(0, HEIGHT, 2)
    ]
    if not frame:
        return "\n".join(lines)
    edge = "─" * WIDTH
    return "\n".join([f"┌{edge}┐", *(f"│{line}│" for line in lines), f"└{edge}┘"])


def to_png(picture: Picture, scale: int = 4, margin: int = 4) -> bytes:
    """A PNG, one bit a pixel, `scale` dots for each pixel of the OLED and `margin` of its pixels
    around it.
    """
    width = (WIDTH + 2 * margin) * scale
    blank = bytes((width + 7) // 8)
    lines = [blank] * (margin * scale)
    for row in picture.rows:
        lines.extend([_scaled(row, scale, margin)] * scale)
    lines.extend([blank] * (margin * scale))
    body = zlib.compress(b"".join(b"\x00" + line for line in lines), 9)
    header = struct.pack(">IIBBBBB", width, len(lines), 1, 3, 0, 0, 0)
    palette = bytes((0x08, 0x0C, 0x14, 0xBF, 0xE8, 0xFF))  # a blue-white OLED on its dark glass
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(name, data)
        for name, data in ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", body), (b"IEND", b""))
    )


def _scaled(row: int, scale: int, margin: int) -> bytes:
    """One row of the PNG, 8 pixels a byte, each OLED pixel `scale` wide."""
    bits = f"{row:0{WIDTH}b}"
    edge = "0" * (margin * scale)
    text = edge + "".join(bit * scale for bit in bits) + edge
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
