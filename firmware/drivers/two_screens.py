"""Two displays, one for each side of the table; loaded only where a second one was found.

Both have one frame to draw on: what a side sees is drawn and shown before the other's.
"""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.display import Display


class TwoScreens:
    """Stands where one `Display` would. `north` shares the frame of `south`."""

    sides = (1, 0)  # the south's last: its picture stays in the frame

    def __init__(self, south: "Display", north: "Display") -> None:
        self.screens = (south, north)
        self.frame = south.frame

    def show(self, side: int = 0) -> bool:
        """Send a side's pages that changed. False: its display has a fault."""
        return self.screens[side].show()

    def step(self, now_ms: int) -> None:
        """Refresh what is due."""
        for screen in self.screens:
            screen.step(now_ms)

    def check(self) -> bool:
        """Ask both now. False: one of them has a fault."""
        south = self.screens[0].check()
        return self.screens[1].check() and south
