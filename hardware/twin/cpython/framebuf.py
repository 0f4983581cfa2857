"""MicroPython's built-in `framebuf` for CPython, pixel by pixel the same.

Only MONO_VLSB (a byte is eight rows of one column, lowest bit on top). The algorithms are those of
`extmod/modframebuf.c` of MicroPython 1.29; tests compare with the built-in module in the VM.
`text` is not here: the box has its own font.
"""

from typing import Any

MONO_VLSB = 0


class FrameBuffer:
    """A picture of `width` x `height` pixels in `buffer`, which belongs to the caller."""

    def __init__(
        self,
        buffer: bytes | bytearray | memoryview,
        width: int,
        height: int,
        format: int,
        stride: int | None = None,
        /,
    ) -> None:
        if format != MONO_VLSB:
            raise ValueError("invalid format")
        stride = width if stride is None else stride
        if width < 1 or height < 1 or stride < width:
            raise ValueError
        if len(buffer) < ((height + 7) // 8 - 1) * stride + width:
            raise ValueError
        self._buffer: Any = buffer  # of a picture that is only looked at, bytes
        self._width = width
        self._height = height
        self._stride = stride

    def fill(self, color: int, /) -> None:
        """Set every pixel."""
        self.fill_rect(0, 0, self._width, self._height, color)

    def pixel(self, x: int, y: int, color: int | None = None, /) -> int | None:
        """Read a pixel, or set it. Outside of the picture: nothing, and None."""
        if not (0 <= x < self._width and 0 <= y < self._height):
            return None
        if color is None:
            return self._get(x, y)
        self._set(x, y, color)
        return None

    def hline(self, x: int, y: int, width: int, color: int, /) -> None:
        """A line to the right."""
        self.fill_rect(x, y, width, 1, color)

    def rect(
        self, x: int, y: int, width: int, height: int, color: int, fill: bool = False, /
    ) -> None:
        """The outline of a rectangle, or all of it."""
        if fill:
            self.fill_rect(x, y, width, height, color)
            return
        self.fill_rect(x, y, width, 1, color)
        self.fill_rect(x, y + height - 1, width, 1, color)
        self.fill_rect(x, y, 1, height, color)
        self.fill_rect(x + width - 1, y, 1, height, color)

    def fill_rect(self, x: int, y: int, width: int, height: int, color: int, /) -> None:
        """A filled rectangle; what lies outside of the picture is cut off."""
        left, right = max(x, 0), min(x + width, self._width)
        top, bottom = max(y, 0), min(y + height, self._height)
        if left >= right or top >= bottom:
            return
        for page in range(top // 8, (bottom - 1) // 8 + 1):
            mask = _rows(top - 8 * page) & ~_rows(bottom - 8 * page) & 0xFF
            self._fill_page(page * self._stride + left, right - left, mask, color)

    def _fill_page(self, start: int, width: int, mask: int, color: int) -> None:
        """Set or clear the rows `mask` of `width` bytes."""
        buffer = self._buffer
        for place in range(start, start + width):
            buffer[place] = buffer[place] | mask if color else buffer[place] & ~mask

    def blit(
        self,
        source: "FrameBuffer | tuple[Any, ...] | list[Any]",
        x: int,
        y: int,
        key: int = -1,
        palette: "FrameBuffer | None" = None,
        /,
    ) -> None:
        """Copy another picture to x, y. Pixels equal to `key` (after the palette) stay out. The
        picture may be a tuple or list of buffer, width, height, format, and perhaps stride.
        """
        if not isinstance(source, FrameBuffer):
            if not 4 <= len(source) <= 5:
                raise ValueError
            source = FrameBuffer(*source)
        if palette is None and key in (0, 1):
            self._lay(source, x, y, key)
            return
        for row in range(max(0, -y), min(source._height, self._height - y)):
            for column in range(max(0, -x), min(source._width, self._width - x)):
                color = source._get(column, row)
                if palette is not None:
                    color = palette._get(color, 0)
                if color != key:
                    self._set(x + column, y + row, color)

    def _lay(self, source: "FrameBuffer", x: int, y: int, key: int) -> None:
        """`blit` with a transparent colour, a column at a time: what the box's letters are."""
        first, end = max(0, -y), min(source._height, self._height - y)
        rows = _rows(first) & ~_rows(end) if first < end else 0
        for column in range(max(0, -x), min(source._width, self._width - x)):
            dots = source._column(column) & rows
            if key:
                dots ^= rows
            if dots:
                self._mix_column(x + column, dots << y if y >= 0 else dots >> -y, 1 - key)

    def _column(self, x: int) -> int:
        """All dots of a column, the uppermost in bit 0."""
        pages = (self._height + 7) // 8
        return int.from_bytes(
            bytes(self._buffer[x : pages * self._stride : self._stride]), "little"
        )

    def _mix_column(self, x: int, dots: int, color: int) -> None:
        """Set or clear the given dots of a column."""
        page = 0
        while dots:
            if dots & 0xFF:
                self._fill_page(page * self._stride + x, 1, dots & 0xFF, color)
            dots >>= 8
            page += 1

    def _get(self, x: int, y: int) -> int:
        return self._buffer[y // 8 * self._stride + x] >> y % 8 & 1

    def _set(self, x: int, y: int, color: int) -> None:
        place = y // 8 * self._stride + x
        bit = 1 << y % 8
        if color:
            self._buffer[place] |= bit
        else:
            self._buffer[place] &= ~bit & 0xFF


def _rows(first: int) -> int:
    """Bits of all rows from `first` on; all of them below 0."""
    return -1 << max(first, 0)
