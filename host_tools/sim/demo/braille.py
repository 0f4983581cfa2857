"""The OLED in small: one braille character is two by four pixels, so 128×64 fit into 64×16."""

from hardware.twin.oled import HEIGHT, WIDTH, Picture

# the bits of a braille cell, row by row (Unicode 2800)
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_CELL_WIDTH, _CELL_HEIGHT = 2, 4


def to_braille(picture: Picture) -> list[str]:
    """Sixteen lines of 64 characters."""
    return [
        "".join(_cell(picture, x, y) for x in range(0, WIDTH, _CELL_WIDTH))
        for y in range(0, HEIGHT, _CELL_HEIGHT)
    ]


def _cell(picture: Picture, x: int, y: int) -> str:
    bits = 0
    for row, dots in enumerate(_DOTS):
        for column, dot in enumerate(dots):
            if picture.pixel(x + column, y + row):
                bits |= dot
    return chr(0x2800 + bits)
