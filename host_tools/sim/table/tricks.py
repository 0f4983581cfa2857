"""Arbiters' training: what people and tags get up to, and what the box makes of it.

Tricks of all games are done with tags, power, cable and flash, the others by a game's actions.
"""

from collections.abc import Callable

from hardware.twin.tags import NtagTwin
from host_tools.core.texts import Texts
from host_tools.games import GAMES
from host_tools.games.base import Exercise
from host_tools.sim.table.hands import Waits
from host_tools.sim.table.table_box import TableBox

PULL_MS = 6
"""A card is read in about 11 ms: this is in the middle."""
LIE_MS = 1_500
OFF_MS = 2_000
JURY = "jury"

_RULES = {
    "two": "reliability",
    "pull": "reliability",
    "foreign": "FORMAT",
    "empty": "FORMAT",
    "torn": "FORMAT",
    "copied": "security",
    "dead": "SW-9",
    "cut": "CL-2",
    "flash": "reliability",
    "unplug": "link",
}
_BUTTONS, _OUTCOMES = Texts("trick"), Texts("trick told")
GAME_OF = {name: game.name for game in GAMES.values() for name in game.tricks}
"""The game of a trick; what works in all games is not here."""
TRICKS: dict[str, Exercise] = {
    **{name: trick for game in GAMES.values() for name, trick in game.tricks.items()},
    **{name: Exercise(rule) for name, rule in _RULES.items()},
}


def trick_texts(lang: str) -> dict[str, dict[str, str]]:
    """For every trick its button and what becomes of it."""
    return {
        name: {"button": _BUTTONS[lang][name], "told": _OUTCOMES[lang][name]} for name in TRICKS
    }


class Tricks:
    """The tricks of one table; `start` in the box's thread."""

    def __init__(self, table: TableBox) -> None:
        self._table = table
        tray = table.tray
        self._acts: dict[str, Callable[[str], Waits | None]] = {
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
        trick = TRICKS[name]
        if trick.action is not None:
            self._table.when_free(lambda: self._do_action(name))
            return
        act = self._acts[name](card or self._next_card(seat))
        if act is not None:
            self._table.queue(act)
        healed = name == "dead" and not self._table.tray.dead
        self._tell("healed" if healed else name, trick.rule)

    def _tell(self, name: str, rule: str) -> None:
        """The hint for the page: the trick's name and the rule."""
        self._table.hint = {"name": name, "rule": rule}

    # -- tricks of a game

    def _do_action(self, name: str) -> None:
        table = self._table
        trick = TRICKS[name]
        world = table.log.world
        if world is None or table.log.closed or world.header["game"] != GAME_OF[name]:
            self._tell("not_here", "")
            return
        action = trick.action(world) if trick.action else None
        if action is None:
            self._tell("not_now", "")
            return
        self._tell(name, action.rule)
        if action.change is not None:
            table.log.change(action.change)
        if action.steps:
            table.runner.begin(table.robot.do(action.steps))

    # -- tricks with tags and current

    def _next_card(self, seat: int) -> str:
        """The card that this seat would play next; the jury card while nobody holds one."""
        world = self._table.log.world
        # a page may name any of eight seats, the match may have fewer
        hand = world.hands[min(seat, world.seats - 1)] if world else []
        return hand[0] if hand else JURY

    def _two(self, card: str) -> Waits:
        table = self._table
        tags = [table.tray[card], table.tray.empty()]
        for tag in tags:
            table.hands.place(tag)
        yield LIE_MS
        for tag in tags:
            table.hands.remove(tag)

    def _pull(self, card: str) -> Waits:
        table = self._table
        tag = table.tray[card]
        table.hands.place(tag)
        # not by a wait: acts go on behind a turn of 10 ms (runner.py), too late for that
        table.session.at(table.session.now_ms + PULL_MS, lambda: table.hands.remove(tag))
        yield LIE_MS

    def _show(self, tag: NtagTwin) -> Waits:
        return self._table.hands.tap(tag)

    def _dead(self, card: str) -> None:
        """This card's tag does not answer any more; once more, and all tags are whole again."""
        tray = self._table.tray
        if tray.dead:
            tray.heal()
        else:
            tray.kill(card)

    def _cut(self, card: str) -> Waits:
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

    def _unplug(self, card: str) -> Waits:
        """The cable is out for two seconds; a running match does not care."""
        usb = self._table.session.box.usb
        usb.unplug()
        yield OFF_MS
        usb.plug()
