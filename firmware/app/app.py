"""The app on the box as a step function: reader events, buttons, link, time, screen. Nothing in here sleeps.

`App(hardware, clock, storage)` is all a test or `main.py` needs; `step(now_ms)` does what is due and returns.
"""

from collections import namedtuple

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any, NamedTuple

    class Hardware(NamedTuple):
        """The devices, each with a `step(now_ms)` or as its driver says.

        `reader` drivers.reader.Reader, `display` drivers.display.Display, `buttons` drivers.buttons.Buttons,
        `buzzer` drivers.buzzer.Buzzer, `link` app.link.Link or None (a box without USB line).
        """

        reader: "Any"
        display: "Any"
        buttons: "Any"
        buzzer: "Any"
        link: "Any"

else:
    Hardware = namedtuple("Hardware", ("reader", "display", "buttons", "buzzer", "link"))


class App:
    """The box. `storage` is the folder for journal, settings and decks; `clock` as in docs/ARCHITECTURE.md.

    Public for tests and the link: `session` (None or the open match), `pages` (the last one is on top),
    `settings`.
    """

    def __init__(self, hardware: "Hardware", clock: "Any", storage: str) -> None:
        self.hardware = hardware
        self.clock = clock
        self.storage = storage

    def step(self, now_ms: int) -> None:
        """Do what is due at `now_ms` (ticks_ms of the clock): never sleeps, blocks only for one bus transfer."""
