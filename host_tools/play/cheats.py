"""The menu for arbiters' training: what people and tags get up to, and what the box makes of it.

Each trick has a name, which is also the key of its texts, and the rule or page that decides it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hardware.twin.tags import NtagTwin
from host_tools.play.hands import Act
from host_tools.play.worlds import World
from host_tools.play.worlds.trumpf import TrumpfWorld

if TYPE_CHECKING:
    from host_tools.play.table import PlayTable

Json = dict[str, Any]
# name -> the rule, or the page that says what the box promises
CHEATS = {
    "swap": "TR-13",
    "keep": "TR-12",
    "two": "reliability",
    "pull": "reliability",
    "foreign": "FORMAT",
    "empty": "FORMAT",
    "torn": "FORMAT",
    "copied": "security",
    "dead": "SW-9",
    "cut": "CL-2",
    "unplug": "link",
}
PULL_MS = 6
"""A card is read in about 11 ms: this is in the middle."""
LIE_MS = 1_500
OFF_MS = 2_000


class Cheats:
    """The tricks of one table; `start` in the box's thread."""

    def __init__(self, table: "PlayTable") -> None:
        self._table = table
        self._acts: dict[str, Callable[[int], Act | None]] = {
            "swap": self._swap,
            "keep": self._keep,
            "two": self._two,
            "pull": self._pull,
            "foreign": lambda seat: self._show(table.tray.foreign()),
            "empty": lambda seat: self._show(table.tray.empty()),
            "torn": lambda seat: self._show(table.tray.half_written(self._card(seat))),
            "copied": lambda seat: self._show(table.tray.copied(self._card(seat))),
            "dead": lambda seat: None,
            "cut": self._cut,
            "unplug": self._unplug,
        }

    def start(self, name: str, seat: int) -> Json:
        """Do it; returns the hint for the page: the trick's name, its rule, and the card used."""
        world = self._table.log.world
        if name in ("swap", "keep") and not isinstance(world, TrumpfWorld):
            return {"name": "not_here", "rule": ""}
        act = self._acts[name](min(seat, world.seats - 1) if world else 0)
        if act is not None:
            self._table.runner.begin(act)
        return {"name": name, "rule": CHEATS[name]}

    def _card(self, seat: int) -> str:
        """The card that this seat would play next; the jury card while nobody holds one."""
        world = self._table.log.world
        return world.hands[seat][0] if world and world.hands[seat] else "jury"

    def _swap(self, seat: int) -> None:
        def change(world: World) -> None:
            if isinstance(world, TrumpfWorld) and len(world.hands[seat]) > 1:
                world.swap(seat, 0, len(world.hands[seat]) // 2)

        self._table.log.change(change)

    def _keep(self, seat: int) -> None:
        def change(world: World) -> None:
            if isinstance(world, TrumpfWorld):
                world.keep_lost(seat)

        self._table.log.change(change)

    def _two(self, seat: int) -> Act:
        world = self._table.log.world
        hand = world.hands[seat][:2] if world else []
        tags = [self._table.tray[code] for code in [*hand, "jury"][:2]]
        tags += [self._table.tray.empty()] * (2 - len(tags))
        for tag in tags:
            self._table.hands.place(tag)
        yield LIE_MS
        for tag in tags:
            self._table.hands.remove(tag)

    def _pull(self, seat: int) -> Act:
        table = self._table
        tag = table.tray[self._card(seat)]
        table.hands.place(tag)
        table.session.at(table.session.now_ms + PULL_MS, lambda: table.hands.remove(tag))
        yield LIE_MS

    def _show(self, tag: NtagTwin) -> Act:
        return self._table.hands.tap(tag)

    def _cut(self, seat: int) -> Act:
        """The plug goes while a card is being read; two seconds later it is back."""
        table = self._table
        tag = table.tray[self._card(seat)]
        table.hands.place(tag)
        yield 2 * PULL_MS
        table.hands.remove(tag)
        table.runner.call(table.blackout)

    def _unplug(self, seat: int) -> Act:
        """The cable is out for two seconds; a running match does not care."""
        usb = self._table.session.box.usb
        usb.unplug()
        yield OFF_MS
        usb.plug()
