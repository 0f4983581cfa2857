"""A buffer and views of its beginning, each made once: reading n bytes then costs no heap."""


class Window:
    """One buffer; `first(n)` is a memoryview of its first n bytes, the same object every time."""

    def __init__(self, size: int) -> None:
        self.bytes = bytearray(size)
        self._views: "list[memoryview | None]" = [None] * (size + 1)

    def first(self, count: int) -> memoryview:
        """Return the view of the first `count` bytes (0 to size)."""
        view = self._views[count]
        if view is None:
            view = memoryview(self.bytes)[:count]
            self._views[count] = view
        return view
