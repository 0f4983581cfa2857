"""Tricks as they are done at a table: with tags, power, cable and flash, or by a game's deeds."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hardware.twin.tags import NtagTwin
from host_tools.sim.table.cheats.menu import CHEATS, GAME_OF
from host_tools.sim.table.hands import Act

if TYPE_CHECKING:
    from host_tools.sim.table.table import PlayTable

Json = dict[str, Any]
PULL_MS = 6
"""A card is read in about 11 ms: this is in the middle."""
LIE_MS = 1_500
OFF_MS = 2_000
JURY = "jury"


class Cheats:
    """The tricks of one table; `start` in the box's thread."""

    def __init__(self, table: "PlayTable") -> None:
        self._table = table
        tray = table.tray
        self._acts: dict[str, Callable[[str], Act | None]] = {
            "two": self._two,
            "pull": self._pull,
            "foreign": lambda card: self._show(tray.foreign()),
            "empty": lambda card: self._show(tray.empty()),
            "torn": lambda card: self._show(tray.half_written(card)),
            "copied": lambda card: self._show(tray.copied(card)),
            "dead": self._dead,
            "cut": self._cut,
            "flash": self._flash,
            "unplug": self._unplug,
        }

    def start(self, name: str, seat: int, card: str) -> None:
        """Do it with this card; "" is the one that the seat would play next. A trick of a game
        waits until no hands are at the box.
        """
        trick = CHEATS[name]
        if trick.deed is not None:
            self._table.when_free(lambda: self._do_deed(name))
            return
        act = self._acts[name](card or self._next_card(seat))
        if act is not None:
            self._table.runner.begin(act)
        healed = name == "dead" and not self._table.tray.dead
        self._tell("healed" if healed else name, trick.rule)

    def _tell(self, name: str, rule: str) -> None:
        """The hint for the page: the trick's name and the rule."""
        self._table.hint = {"name": name, "rule": rule}

    # -- tricks of a game

    def _do_deed(self, name: str) -> None:
        table = self._table
        trick = CHEATS[name]
        world = table.log.world
        if world is None or table.log.closed or world.header["game"] != GAME_OF[name]:
            self._tell("not_here", "")
            return
        deed = trick.deed(world) if trick.deed else None
        if deed is None:
            self._tell("not_now", "")
            return
        self._tell(name, deed.rule)
        if deed.change is not None:
            table.log.change(deed.change)
        if deed.steps:
            table.runner.begin(table.robot.do(deed.steps))

    # -- tricks with tags and current

    def _next_card(self, seat: int) -> str:
        """The card that this seat would play next; the jury card while nobody holds one."""
        world = self._table.log.world
        hand = world.hands[min(seat, world.seats - 1)] if world else []
        return hand[0] if hand else JURY

    def _two(self, card: str) -> Act:
        table = self._table
        tags = [table.tray[card], table.tray.empty()]
        for tag in tags:
            table.hands.place(tag)
        yield LIE_MS
        for tag in tags:
            table.hands.remove(tag)

    def _pull(self, card: str) -> Act:
        table = self._table
        tag = table.tray[card]
        table.hands.place(tag)
        table.session.at(table.session.now_ms + PULL_MS, lambda: table.hands.remove(tag))
        yield LIE_MS

    def _show(self, tag: NtagTwin) -> Act:
        return self._table.hands.tap(tag)

    def _dead(self, card: str) -> None:
        """This card's tag does not answer any more; once more, and all tags are whole again."""
        tray = self._table.tray
        if tray.dead:
            tray.heal()
        else:
            tray.kill(card)

    def _cut(self, card: str) -> Act:
        """The plug goes while a card is being read; two seconds later it is back."""
        table = self._table
        tag = table.tray[card]
        table.hands.place(tag)
        yield 2 * PULL_MS
        table.hands.remove(tag)
        table.runner.call(table.blackout)

    def _flash(self, card: str) -> None:
        """The flash refuses the next thing that the box writes: the next decision."""
        self._table.session.box.flash.refused_syncs = 1

    def _unplug(self, card: str) -> Act:
        """The cable is out for two seconds; a running match does not care."""
        usb = self._table.session.box.usb
        usb.unplug()
        yield OFF_MS
        usb.plug()
