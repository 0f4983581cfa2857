"""One tap, counted: a card is laid, the rules give their verdict, the screen shows it.

    python -m bench.tap

Counted are the calls from Python to Python in firmware/ and card_tags/, from the turn of the loop
in which the reader has read the tag until the last dot is sent in the same turn; and the switches
from one package to another on the way. The polls of the turns before are not in it: how many there
are depends on when the card comes. A round of waiting for the reader's next byte counts once
however often it is repeated, which depends on the line. The rules and a game's own are
one package: what a game adds are methods of its match.
"""

import json
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bench.figure import Figure
from card_tags import codec
from card_tags.deck_card import deck_number
from card_tags.kinds import BADGE, CARD, Badge, Card
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin

CALLS = 350
SWITCHES = 20
_BOX = ("firmware", "card_tags")
_WAITING = ("Pn532.poll", "Hsu.read")
_DECK = "peaks"
_CARDS = ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4")
_LIMIT_MS = 3000
_SETTLED_MS = 600
_PAGE = 4


class CountedTap:
    """The calls of one turn of the loop: (package, file, function) of each, in order."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str]] = []
        self._is_shown = False

    def add(self, call: tuple[str, str, str]) -> None:
        """The next call, unless all is on the screen."""
        calls = self.calls
        self._is_shown = self._is_shown or call[2] == "Display.step"  # behind `Display.show`
        if self._is_shown:
            return
        waits = call[2] == _WAITING[1] and calls[-1][2] == _WAITING[0]
        if waits and calls[-2] == call and calls[-3] == calls[-1]:
            calls.pop()
        else:
            calls.append(call)

    @property
    def functions(self) -> int:
        """How many different ones."""
        return len(set(self.calls))

    @property
    def files(self) -> int:
        """How many they lie in."""
        return len({file for _, file, _ in self.calls})

    @property
    def switches(self) -> int:
        """How often the way from call to call came to a package from another one."""
        packages = [package for package, _, _ in self.calls]
        return sum(a != b for a, b in pairwise(packages))


def measure() -> list[Figure]:
    """The tap that decides a round of Trumpf, the second of its match."""
    tap = verdict()
    return [
        _goal("calls", len(tap.calls), CALLS),
        Figure("functions", tap.functions, ""),
        Figure("files", tap.files, ""),
        _goal("switches between packages", tap.switches, SWITCHES),
    ]


def _goal(what: str, value: int, limit: int) -> Figure:
    return Figure(what, value, "", f"≤ {limit}", value <= limit)


def verdict() -> CountedTap:
    """Play to the second verdict (the first one loads modules) and count it."""
    with tempfile.TemporaryDirectory() as name:
        _stock(Path(name))
        with _watching() as turns, TwinSession("cpython", Path(name)) as box:
            box.boot()
            box.run_until(lambda: not box.screen().dark, _LIMIT_MS)
            box.run_for(_SETTLED_MS)
            _play(box)
            turns.clear()
            _lay(box, 8, CARD, _card("B2"))
    return next(tap for tap in turns if _is_verdict(tap))


def _is_verdict(tap: CountedTap) -> bool:
    return any(file.endswith("rules/match.py") for _, file, _ in tap.calls) and any(
        file.endswith("tag_reading.py") for _, file, _ in tap.calls
    )


def _play(box: TwinSession) -> None:
    for number, player in enumerate(("Ada", "Kurt")):
        _lay(box, number, BADGE, Badge("p-" + player, player, "cup"))
    _press(box, "ok", 900)  # start; then the first seat begins
    _press(box, "ok")
    for number, code in enumerate(("A1", "B1", "A2"), 2):
        _lay(box, number, CARD, _card(code))
        _press(box, "ok")  # calls, or closes the verdict


def _press(box: TwinSession, button: str, ms: int = 120) -> None:
    box.press(button, ms)
    box.run_for(ms + _SETTLED_MS)


def _lay(box: TwinSession, number: int, kind: str, content: object) -> None:
    twin = NtagTwin.ntag213(uid=bytes((0x04, 1, 2, 3, 4, 5, number)))
    data = codec.encode(codec.unsealed(kind, content))
    data += bytes(-len(data) % _PAGE)
    for at in range(0, len(data), _PAGE):
        twin.memory.set_page(4 + at // _PAGE, data[at : at + _PAGE])
    before = box.screen()
    box.field.place(twin)
    if not box.run_until(lambda: box.screen() != before, _LIMIT_MS):
        raise RuntimeError(f"the box said nothing to {content}")
    box.field.remove(twin)
    box.run_for(_SETTLED_MS)


def _values(code: str) -> list[int]:
    """Of two numbers; the lower letter wins in both, so that the seat that calls keeps calling."""
    return [40 - _CARDS.index(code), 30 - _CARDS.index(code)]


def _card(code: str) -> Card:
    return Card(deck_number(_DECK), code, False, tuple(_values(code)))


def _stock(folder: Path) -> None:
    names = (("height", "Height", "m"), ("first", "First climbed", ""))
    deck: dict[str, Any] = {
        "id": _DECK,
        "name": "Peaks",
        "categories": [
            {"key": key, "title": title, "unit": unit, "best": "high"}
            for key, title, unit in names
        ],
        "cards": [{"code": code, "values": _values(code)} for code in _CARDS],
    }
    (folder / "decks").mkdir()
    (folder / "decks" / f"{_DECK}.json").write_text(json.dumps(deck), "utf8")


@contextmanager
def _watching() -> Iterator[list[CountedTap]]:
    """Every turn of the loops of boxes that are booted meanwhile."""
    turns: list[CountedTap] = []
    places: dict[CodeType, tuple[str, str, str] | None] = {}

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code not in places:
            places[code] = _place_of(code)
        place = places[code]
        if place is None:
            return
        if place[2] == "App.step":
            turns.append(CountedTap())
        if turns:
            turns[-1].add(place)

    threading.setprofile(watch)
    try:
        yield turns
    finally:
        threading.setprofile(None)


def _place_of(code: CodeType) -> tuple[str, str, str] | None:
    root = Path(__file__).resolve().parents[1]
    path = Path(code.co_filename)
    if not path.is_relative_to(root):
        return None
    file = path.relative_to(root)
    if file.parts[0] not in _BOX:
        return None
    package = "rules" if file.parts[1] in ("games", "rules") else file.parent.as_posix()
    return package, file.as_posix(), code.co_qualname


def main() -> None:
    """Every call, a package's under its name; then the figures."""
    last = ""
    for package, file, function in verdict().calls:
        if package != last:
            print(package)
        print(f"    {file}: {function}")
        last = package
    for figure in measure():
        print(f"{figure.what}: {figure.value:.0f} {figure.goal}")


if __name__ == "__main__":
    main()
