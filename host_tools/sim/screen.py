"""What stands on the screen of a box in software, as the box itself says (docs/link.md, `screen`
with `text`): for hands that choose in its lists, and for people who hear the page.
"""

from collections.abc import Callable
from typing import NamedTuple

from firmware.app.crash import LINES as FAULT_LINES
from firmware.app.link_frames import BadFrame, read_frame, write_frame
from hardware.twin.oled import Picture
from hardware.twin.session import TwinSession
from host_tools.core.json_types import Json

_OF_THE_APP = ("asks", "message", "half", "n", "said")
_AGAIN_MS = 500
"""After so long without an answer the box is asked again: it has been reset, or unplugged."""


class Screen(NamedTuple):
    """`rows` below the title, a list with all its items; `chosen` of them is the lit one, `large`
    stand in large letters, where one of `winners` may be named. In a match `actions` are what the
    arbiter's menu lists, `codes` what may be entered by hand. The rest is no text of the screen
    but what the app says of itself: docs/link.md, `screen`.
    """

    title: str
    rows: list[str]
    chosen: int | None = None
    actions: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    large: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    asks: str = ""
    message: bool = False
    half: Json | None = None
    n: int = 0
    said: Json | None = None

    def lines(self) -> list[Json]:
        """For the page: text from top to bottom, whether it is lit, and whether it names who has
        won: that stands there large, without a word.
        """
        lines: list[Json] = [{"text": self.title, "lit": False}]
        for place, row in enumerate(self.rows):
            # the box ends a name that is too long with an ellipsis
            name = row.split("\t")[-1].rstrip("…")
            wins = place in self.large and any(one.startswith(name) for one in self.winners)
            lines.append({"text": row, "lit": place == self.chosen, "wins": wins})
        return lines

    def find(self, label: str) -> int | None:
        """The item of the list with this name, else the first whose first word it is (a table of
        the café, with nation and guests behind it); None if there is none, or no list. The box
        ticks what is legal; hands may name the item without it.
        """
        if self.chosen is None:
            return None
        wanted = label.lstrip("✓ ")
        names = [row.split("\t")[0].lstrip("✓ ") for row in self.rows]
        words = [name.split(" ")[0] for name in names]
        return next((known.index(wanted) for known in (names, words) if wanted in known), None)


def screen_of(reply: Json) -> Screen:
    """What the box has answered."""
    actions, codes, large = (tuple(reply.get(name, ())) for name in ("actions", "codes", "large"))
    shown = Screen(reply["title"], reply["rows"], reply["chosen"], actions, codes, large)
    return shown._replace(**{name: reply[name] for name in _OF_THE_APP if name in reply})


def picture_message(picture: Picture, screen: Screen) -> Json:
    """The pixels as hex, 32 digits a row, and what stands there in words."""
    return {"rows": "".join(f"{row:032x}" for row in picture.rows), "lines": screen.lines()}


class ScreenReader:
    """Asks the box whenever its picture has changed; `on_read()` is called with every answer.

    `last` is what it said last, whatever has happened since.
    """

    def __init__(self, session: TwinSession, on_read: Callable[[], None] = lambda: None) -> None:
        self.last = Screen("", [])
        self._session = session
        self._on_read = on_read
        self._picture = session.screen()
        self._count = 0
        self._asked_ms = 0
        self._fresh = False
        self._crash = session.box.flash.folder / "crash.txt"
        self._faults = self._crash_time()
        session.on_screen(self._changed)

    @property
    def dark(self) -> bool:
        """Without power, or before the first picture."""
        return self._picture.dark

    def now(self) -> Screen | None:
        """What stands there now; None while the box is dark, or has not said it yet."""
        if self._fresh or self._picture.dark or not self._session.running:
            return self.last if self._fresh else None
        if self._session.now_ms - self._asked_ms > _AGAIN_MS:
            self._ask()
        return None

    def ask_anew(self) -> None:
        """Have the box say it again: it may have acted already and still be drawing. It asks its
        buttons before it answers, so the answer knows of every press before this.
        """
        self._fresh = False
        if self._session.running and not self._picture.dark:
            self._ask()

    def _changed(self, picture: Picture) -> None:
        if picture != self._picture:
            self._picture = picture
            self._fresh = False
            if self._crash_time() != self._faults:
                self._tell_fault()
            elif not picture.dark:
                self._ask()

    def _crash_time(self) -> int:
        """When the box last kept a fault; 0: never."""
        return self._crash.stat().st_mtime_ns if self._crash.exists() else 0

    def _tell_fault(self) -> None:
        """The box shows a fault (firmware/app/crash.py), answers nobody, and will restart."""
        self._faults = self._crash_time()
        fault = self._crash.read_text(encoding="utf8").splitlines()[-1:]
        self.last = Screen("", [*filter(None, FAULT_LINES), *fault])
        self._on_read()

    def _ask(self) -> None:
        self._count += 1
        self._asked_ms = self._session.now_ms
        # our ids are negative, those of a laptop on the same line are not
        request = write_frame({"id": -self._count, "do": "screen", "text": True})
        # works with the cable out: the screen is seen then, too; a real box answers by cable only
        self._session.box.usb.ask_beside(b"\n" + request, self._answers)

    def _answers(self, line: bytes) -> bool:
        """Ours have an id below 0; the newest is the one that is waited for."""
        try:
            reply = read_frame(line)
        except BadFrame:
            return False
        number = reply.get("id")
        # not isinstance: true is no id
        if type(number) is not int or number >= 0:
            return False
        if number == -self._count:
            self._session.box.usb.beside = None
            self._fresh = "rows" in reply
            if self._fresh:
                self.last = screen_of(reply)
                self._on_read()
        return True
