"""Longer acts of the hands: set up a match in the box's menu, play a seat, close the result."""

from firmware.app.arbiter import MENU
from host_tools.core.json_types import Json
from host_tools.games import game_of
from host_tools.games.steps import Move, Say
from host_tools.games.table_view import TableView
from host_tools.sim.table.arbiter import by_hand, is_choosing
from host_tools.sim.table.hands import SETTLE_MS, BoxHands, Picks, Waits
from host_tools.sim.table.match_log import MatchLog
from host_tools.sim.table.tags import TagTray, badges

THINK_MS = 700
MOST_OKS = 14
MOST_JURIES = 3
MOST_LOOKS = 20
DEAD_CARD = "dead_card"


class Robot:
    """Hands that know what they want. `log` tells what the box has said."""

    def __init__(self, hands: BoxHands, log: MatchLog, tray: TagTray, say: Say) -> None:
        self._hands = hands
        self._log = log
        self._tray = tray
        self._say = say

    # -- before the match

    def open_match(self, header: Json) -> Waits:
        """Choose the match in the menu, row by row, tap the badges, and start."""
        items = badges(header.get("names") or [])
        if game_of(header).opening(header):
            # what is laid down before the match is open
            self._tray.fill(game_of(header).things(header))
        self._tray.fill(items)
        yield from self._hands.open_match(self._say, header, [item.code for item in items])
        world = self._log.world
        if world is not None and self._log.awaits["for"] == "begin":
            yield from self._hands.pick(world.box_name(world.starter()))

    # -- in the match

    def begin(self) -> Waits:
        """Tell the box who starts."""
        world = self._world()
        yield self._hands.wait(THINK_MS)
        yield from self._hands.pick(world.box_name(world.starter()))
        yield SETTLE_MS

    def play(self, seat: int) -> Waits:
        """One move of a seat."""
        yield self._hands.wait(THINK_MS)
        if self._log.awaits.get("seat") == seat:
            yield from self.do(self._world().move(seat))
            yield self._hands.wait(SETTLE_MS)

    def do(self, move: Move) -> Waits:
        """All steps of a move, one after the other. A card whose tag is dead is entered by hand,
        as an arbiter would.
        """
        for step in move:
            if step.do == "lay" and step.what in self._tray.dead:
                yield from self.at_arbiter(by_hand(self._say, step.what, DEAD_CARD))
            else:
                yield from self._hands.do((step,))

    def at_arbiter(self, labels: list[str]) -> Picks:
        """Open the arbiter's menu, also from under a list that JURY only closes, and choose. False
        if it has no such item: then it is closed again.
        """
        for _ in range(MOST_JURIES):
            if self._hands.asks() == MENU:
                break
            yield from self._hands.press("jury")
        else:
            # the menu never came: the labels would be chosen in some other list
            return False
        for label in labels:
            if not (yield from self._hands.pick(label)):
                yield from self._hands.press("jury")
                return False
        return True

    def put_away(self) -> Waits:
        """The match that is played ends: abandoned, or confirmed if it is over."""
        yield from self._hands.until_awake()
        if self._world().match.over():
            for _ in range(MOST_JURIES):
                if self.jury_is_open():
                    yield from self._hands.press("jury")
            yield from self.sign_off()
        else:
            yield from self.at_arbiter([self._say("arbiter_abandon"), self._say("why_break")])
        for _ in range(MOST_LOOKS):
            if self._log.closed:
                return
            yield self._hands.wait(SETTLE_MS)

    def resume(self) -> Waits:
        """The box has lost its power: play goes on (CL-2)."""
        yield self._hands.wait(THINK_MS)
        yield from self.at_arbiter([self._say("arbiter_resume")])

    def sign_off(self) -> Waits:
        """Read the messages and make the result final, unless the jury's menu is opened."""
        for _ in range(MOST_OKS):
            yield self._hands.wait(THINK_MS)
            # an OK too many would confirm another page, or choose in a menu
            if self._log.closed or self.jury_is_open():
                return
            yield from self._hands.press("ok")

    def jury_is_open(self) -> bool:
        """Is one of the jury's lists on the screen?"""
        screen = self._hands.screen()
        return screen is not None and is_choosing(screen)

    def _world(self) -> TableView:
        assert self._log.world is not None
        return self._log.world
