"""What a page may ask of a table: one typed message each, all else is refused as malformed.

A message says what makes no sense at this table (`check`), what the device of one seat may do now
(`allow`), and does it (`run`). The table's own page (`HOST`) does everything, as somebody who sits
at the box does, but plays no card out of a hand that is not on turn. The device of a seat acts for
that seat alone: while it is awaited, with what lies on its hand. Between turns it may lay a
quartet (QU-5) and take back what it has laid on the box. The jury sits at the table.
"""

from collections.abc import Iterable
from typing import Literal

import msgspec

from firmware.app.arbiter import REASONS, SEAT_ACTIONS
from host_tools.core.errors import Sentence, UserError, decode_reason
from host_tools.core.texts import LANGS
from host_tools.games import GAMES, game_of
from host_tools.games.options import checked_options, header_for
from host_tools.games.steps import Move
from host_tools.games.table_view import TableView
from host_tools.sim.table.arbiter import ACTIONS, by_hand, is_choosing
from host_tools.sim.table.asking import (
    HOST,
    MOST_SEATS,
    BadMessage,
    NotAllowed,
    TooLong,
    read_name,
)
from host_tools.sim.table.hands import Waits
from host_tools.sim.table.runner import UNBOUND
from host_tools.sim.table.table_box import TableBox
from host_tools.sim.table.tricks import TRICKS, Tricks

LONGEST_MESSAGE = 16_384
"""Bytes: eight names of the longest kind, and everything else."""
_QUARTET = 4
Strength = Literal["easy", "medium", "strong"]
# a question is open while "answer" is awaited
_LAYING = ("ask", "lay")


class TableMessage(msgspec.Struct, tag_field="do", forbid_unknown_fields=True):
    """The base: `do` names the message. All methods are called in the box's thread but `check`."""

    def check(self, table: TableBox) -> None:
        """Raises BadMessage for what makes no sense: a page is told before the box hears of it."""

    def allow(self, table: TableBox, seat: int) -> None:
        """May this seat do that now? Raises NotAllowed."""
        # the host itself is only asked for `_DONE_FIRST` (play_table.py)
        raise NotAllowed("play_host_only")

    def run(self, table: TableBox, seat: int) -> Waits | None:
        """Do it at once, or give back what hands do, one after the other."""
        raise NotImplementedError


class Tap(TableMessage, tag="tap"):
    """Lay a thing on the box and take it away once the box has spoken. `at`: what had been
    decided when the hand was drawn (`MatchLog.at`); "" is not compared.
    """

    code: str
    at: str = ""

    def check(self, table: TableBox) -> None:
        _check_thing(table, self.code)

    def allow(self, table: TableBox, seat: int) -> None:
        _check_newest(table, self.at)
        (_check_unlocked if seat == HOST else _check_card)(table, seat, self.code)

    def run(self, table: TableBox, seat: int) -> Waits | None:
        return table.hands.tap(table.tray[self.code])


class Lay(Tap, tag="lay"):
    """The same, but it is left there."""

    def run(self, table: TableBox, seat: int) -> None:
        table.lay(self.code, seat)


class Lift(TableMessage, tag="lift"):
    """Take everything, or one thing, off the box."""

    code: str = ""

    def check(self, table: TableBox) -> None:
        _check_thing(table, self.code)

    def allow(self, table: TableBox, seat: int) -> None:
        # whoever has laid a thing may take it back, even out of turn
        _world(table, seat)
        if not table.laid_by(seat):
            _check_awaited(table, seat)

    def run(self, table: TableBox, seat: int) -> None:
        table.lift(self.code, seat)


class Button(TableMessage, tag="button"):
    """A button goes down or up."""

    button: Literal["up", "down", "ok", "jury"]
    down: bool

    def allow(self, table: TableBox, seat: int) -> None:
        _world(table, seat)
        # its lists concern everybody, so only the page of the table opens them
        if self.button == "jury":
            raise NotAllowed("play_jury_only")
        # whoever pressed a button may let it go, even out of turn
        if self.down or not table.presses(seat, self.button):
            _check_awaited(table, seat)

    def run(self, table: TableBox, seat: int) -> None:
        table.press(self.button, self.down, seat)


class Choose(TableMessage, tag="choose"):
    """Fingers choose these items of the lists on the screen, one after the other. `at`: Tap."""

    labels: list[str]
    at: str = ""

    def check(self, table: TableBox) -> None:
        # no game asks for more in a row: a seat, a group, a card
        if not 1 <= len(self.labels) <= 4 or any(not 1 <= len(one) <= 60 for one in self.labels):
            raise BadMessage("play_labels")

    def allow(self, table: TableBox, seat: int) -> None:
        _check_newest(table, self.at)
        if seat != HOST:
            _check_awaited(table, seat)

    def run(self, table: TableBox, seat: int) -> Waits:
        world = table.log.world
        with table.brisk():
            if world is not None and world.leaves_half(self.labels):
                yield from table.hands.pick(table.hands.back)
            for label in self.labels:
                if not (yield from table.hands.pick(label)):
                    raise NotAllowed("play_not_offered")


class Arbiter(TableMessage, tag="arbiter"):
    """Fingers press JURY and choose this action, then what it asks for: a seat, a card, why."""

    action: str
    seat: int = 0
    card: str = ""
    why: str = ""

    def check(self, table: TableBox) -> None:
        _check_seat(self.seat)
        if self.action not in ACTIONS:
            raise BadMessage("play_no_action")
        # `resume` alone asks for no reason
        if self.why not in REASONS.get(self.action, ("",)):
            raise BadMessage("play_needs_reason")
        if (self.card in table.tray) != (self.action == "hand"):
            raise BadMessage("play_by_hand")

    def run(self, table: TableBox, seat: int) -> Waits:
        world = table.log.world
        if world is None or not 0 <= self.seat < world.seats:
            return
        if not (yield from table.robot.at_arbiter(self.labels(world))):
            raise NotAllowed("play_not_offered")

    def labels(self, world: TableView) -> list[str]:
        """The items to choose, one after the other."""
        say = world.say
        if self.action == "hand":
            return by_hand(say, self.card, self.why)
        chosen = [say(f"arbiter_{self.action}")]
        if self.action in SEAT_ACTIONS:
            chosen.append(world.box_name(self.seat))
        return [*chosen, say(f"why_{self.why}")] if self.why else chosen


class Power(TableMessage, tag="power"):
    """The power switch; a box that has crashed boots again."""

    on: bool

    def run(self, table: TableBox, seat: int) -> None:
        # switching on a box that is on would cut its power and boot it anew
        if self.on != table.session.on or table.crash:
            table.switch(self.on)


class Cable(TableMessage, tag="cable"):
    """The USB cable, in or out."""

    plugged: bool

    def run(self, table: TableBox, seat: int) -> None:
        usb = table.session.box.usb
        (usb.plug if self.plugged else usb.unplug)()


class Speed(TableMessage, tag="speed"):
    """How fast time runs: 0 paused, 1 real, 10, 1000 as fast as it goes."""

    speed: Literal[0, 1, 10, 1000]

    def run(self, table: TableBox, seat: int) -> None:
        table.runner.speed = self.speed
        table.hands.hasty = self.speed == UNBOUND


class Language(TableMessage, tag="language"):
    """Table and box speak another language; the box starts anew with it."""

    lang: str

    def check(self, table: TableBox) -> None:
        if self.lang not in LANGS:
            raise BadMessage("play_no_language", lang=self.lang[:12])
        if not table.log.closed:
            raise BadMessage("play_running")

    def allow(self, table: TableBox, seat: int) -> None:
        # one of `_DONE_FIRST`: the host is asked, too, and the base would refuse it
        if seat != HOST:
            super().allow(table, seat)

    def run(self, table: TableBox, seat: int) -> None:
        table.speak(self.lang)


class Read(TableMessage, tag="read"):
    """What was decided is read: robots go on."""

    def run(self, table: TableBox, seat: int) -> None:
        table.auto.read_on()


class Auto(TableMessage, tag="auto"):
    """A seat is played by its bot, or not; a `strength` is the bot's from now on."""

    seat: int
    on: bool
    strength: Strength | None = None

    def check(self, table: TableBox) -> None:
        _check_seat(self.seat)
        if self.strength is not None and table.log.header:
            _check_strengths(table.log.header["game"], [self.strength])

    def run(self, table: TableBox, seat: int) -> None:
        (table.auto.seats.add if self.on else table.auto.seats.discard)(self.seat)
        if self.strength is not None:
            table.log.set_strength(self.seat, self.strength)
        table.auto.forgive()


class Trick(TableMessage, tag="trick"):
    """An item of the menu for training; without a card, the one that the seat would play next."""

    name: str
    seat: int = 0
    card: str = ""

    def check(self, table: TableBox) -> None:
        _check_seat(self.seat)
        if self.name not in TRICKS:
            raise BadMessage("play_no_trick")
        _check_thing(table, self.card)

    def run(self, table: TableBox, seat: int) -> None:
        # what was tried out does not count for the family
        table.evening.practised = True
        Tricks(table).start(self.name, self.seat, self.card)


class Start(TableMessage, tag="start"):
    """Hands choose this match in the box's menu and open it. `strengths`: of the bots, a seat
    each, "" is the table's usual one; `options`: choices of house rules, by name. `abandon` what
    is played now, first. Of `practice` nothing is kept for the family.
    """

    game: str
    preset: str = ""
    deck: str = ""
    seats: int = 2
    # msgspec copies an empty list or dict for every message
    auto: list[int] = []
    names: list[str] = []
    strengths: list[Strength | Literal[""]] = []
    options: dict[str, str | int] = {}
    abandon: bool = False
    practice: bool = False

    def check(self, table: TableBox) -> None:
        if self.game not in GAMES:
            raise BadMessage(
                "play_malformed", reason=Sentence("play_no_game", name=repr(self.game[:20]))
            )
        if not (table.log.closed or self.abandon):
            raise BadMessage("play_running")
        if len(self.names) not in (0, self.seats):
            raise BadMessage("play_nameless")
        self.names = [read_name(name) for name in self.names]
        # "" is the table's usual one, or medium where the game does not offer that
        _check_strengths(self.game, filter(None, self.strengths))
        try:
            header_for(self.game, self.preset, self.seats, {})
            checked_options(self.game, self.preset or None, self.options)
        except UserError as error:
            raise BadMessage("play_malformed", reason=error.sentence) from error

    def run(self, table: TableBox, seat: int) -> Waits | None:
        if table.log.closed:
            self._begin(table)
            return None
        # hands cannot put a match away at a box that is off or paused
        table.awake()
        return self._after_this_one(table)

    def _after_this_one(self, table: TableBox) -> Waits:
        # keeps bots from moving while the match is put away
        table.auto.seats = set()
        yield from table.robot.put_away()
        if table.log.closed:
            self._begin(table)

    def _begin(self, table: TableBox) -> None:
        deck = {"deck": self.deck} if self.deck else {}
        # every seat: no strength of the match before may stay
        for number in range(MOST_SEATS):
            given = self.strengths[number] if number < len(self.strengths) else ""
            table.log.set_strength(number, given or table.log.usual)
        header = header_for(self.game, self.preset, self.seats, self.options)
        header |= {**deck, "names": self.names}
        table.begin_match(header, set(self.auto), self.practice)


class Quartet(TableMessage, tag="quartet"):
    """Lay four cards of a letter: a seat's own, whoever's turn it is (QU-5). `at`: Tap."""

    seat: int
    group: str
    at: str = ""

    def check(self, table: TableBox) -> None:
        _check_seat(self.seat)

    def allow(self, table: TableBox, seat: int) -> None:
        _check_newest(table, self.at)
        if seat not in (HOST, self.seat):
            raise NotAllowed("play_not_in_hand")
        if table.log.awaits["for"] not in _LAYING:
            raise NotAllowed("play_question_open")
        if seat != HOST and is_choosing(table.screen.last):
            raise NotAllowed("play_jury_only")
        hand = _world(table, self.seat).hands[self.seat]
        if sum(bool(self.group) and code[:1] == self.group for code in hand) != _QUARTET:
            raise NotAllowed("play_no_quartet", group=self.group[:1])

    def run(self, table: TableBox, seat: int) -> Waits:
        # in one message, so that nobody is left with a half-chosen list
        world = table.log.world
        if world is not None and self.seat < world.seats:
            yield from _done(table, world.lay_group(self.seat, self.group))


class TakeBack(TableMessage, tag="take_back"):
    """A seat takes back what it has just done, before its turn is over. `at`: Tap."""

    at: str = ""

    def allow(self, table: TableBox, seat: int) -> None:
        _check_newest(table, self.at)
        awaited = table.log.awaits.get("seat")
        if seat != HOST:
            _check_awaited(table, seat)
        if awaited is None or not _world(table, awaited).may_take_back(awaited):
            raise NotAllowed("play_nothing_to_take_back")

    def run(self, table: TableBox, seat: int) -> Waits:
        world = table.log.world
        if world is not None:
            yield from _done(table, world.take_back())


class Rematch(TableMessage, tag="rematch"):
    """The match that has just ended, once more: same game, seats and names; with `same_deal` also
    the same cards at the same seats.
    """

    same_deal: bool = False

    def check(self, table: TableBox) -> None:
        if table.log.world is None:
            raise BadMessage("play_nothing_to_repeat")
        if not (table.log.closed or table.log.world.match.over()):
            raise BadMessage("play_running")

    def allow(self, table: TableBox, seat: int) -> None:
        """Whoever sits at the table may want another one."""

    def run(self, table: TableBox, seat: int) -> Waits | None:
        if table.log.closed:
            self._begin(table)
            return None
        return self._confirmed(table)

    def _confirmed(self, table: TableBox) -> Waits:
        """Hands press OK for the people, who have seen the result."""
        yield from table.robot.put_away()
        if table.log.closed:
            self._begin(table)

    def _begin(self, table: TableBox) -> None:
        # the log has the deck as an object, the menu of the box asks for its id
        header = dict(table.log.header)
        if header.get("deck"):
            header["deck"] = header["deck"]["id"]
        if header.get("board") and not self.same_deal:
            # else the tables that were drawn would lie again
            header["board"] = game_of(header).board_of(header.get("preset"))
        table.log.deals.wanted = table.log.seed if self.same_deal else None
        table.begin_match(header, table.auto.seats)


class Confirm(TableMessage, tag="confirm"):
    """The result that the jury has brought about counts."""

    def check(self, table: TableBox) -> None:
        if table.log.closed or table.log.world is None or not table.log.world.match.over():
            raise BadMessage("play_not_over")

    def run(self, table: TableBox, seat: int) -> Waits:
        return table.robot.sign_off()


class Free(TableMessage, tag="free"):
    """No phone holds this seat any more: it is played at the table's own page again."""

    seat: int

    def check(self, table: TableBox) -> None:
        _check_seat(self.seat)

    def run(self, table: TableBox, seat: int) -> None:
        table.free_seat(self.seat)


OF_A_HAND = Tap | Lay | Choose | Quartet | TakeBack
"""What is pressed on a hand as it was drawn: judged when it comes, whoever sends it."""
AnyMessage = (
    Tap
    | Lay
    | Lift
    | Button
    | Choose
    | Arbiter
    | Power
    | Cable
    | Speed
    | Language
    | Read
    | Auto
    | Trick
    | Start
    | Quartet
    | TakeBack
    | Rematch
    | Confirm
    | Free
)
_DECODER: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


def read_message(raw: bytes) -> TableMessage:
    """The message in a request's body. Raises BadMessage with a sentence."""
    if len(raw) > LONGEST_MESSAGE:
        raise TooLong("play_too_long", limit=LONGEST_MESSAGE)
    try:
        return _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadMessage("play_malformed", reason=decode_reason(error)) from error


def _done(table: TableBox, move: Move) -> Waits:
    """Raises NotAllowed if the box has no such item, such as behind a list of the jury's."""
    if not (yield from table.hands.do(move)):
        raise NotAllowed("play_not_offered")


def _check_thing(table: TableBox, code: str) -> None:
    if code and code not in table.tray:
        raise BadMessage("play_no_thing", code=code[:12])


def _check_newest(table: TableBox, at: str) -> None:
    """What was pressed on a hand of before would now mean something else."""
    # empty from a program, or from a tab that is older than this field
    if at and at != table.log.at:
        raise NotAllowed("play_moved_on")


def _check_strengths(game: str, chosen: Iterable[str]) -> None:
    try:
        for strength in chosen:
            GAMES[game].check_strength(strength)
    except UserError as error:
        raise BadMessage(error.sentence) from error


def _check_seat(seat: int) -> None:
    if not 0 <= seat < MOST_SEATS:
        raise BadMessage("play_no_seat", seat=seat)


def _world(table: TableBox, seat: int) -> TableView:
    """The cards of the match in which this seat plays."""
    world = table.log.world
    if world is None or table.log.closed or not 0 <= seat < world.seats:
        raise NotAllowed("play_no_seat_now")
    return world


def _check_awaited(table: TableBox, seat: int) -> None:
    world = _world(table, seat)
    if table.log.paused:
        raise NotAllowed("play_clock_stands")
    awaited = table.log.awaits.get("seat")
    if awaited is None:
        raise NotAllowed("play_at_the_table")
    if awaited != seat:
        raise NotAllowed("play_not_your_turn", name=world.name(awaited))
    if is_choosing(table.screen.last):
        raise NotAllowed("play_jury_only")


def _check_unlocked(table: TableBox, seat: int, code: str) -> None:
    """A hand that is not on turn is locked, also for those at the box; but QU-5: four of a letter
    are laid between questions.
    """
    world, awaits = table.log.world, table.log.awaits
    awaited = awaits.get("seat")
    if world is None or awaited is None:
        return
    # HA-2: a tag does not say whose it is. A card pressed too early was played for somebody else
    hand = next((cards for cards in world.hands if code in cards), [])
    is_quartet = sum(card[:1] == code[:1] for card in hand) == _QUARTET
    if not hand or hand is world.hands[awaited] or (awaits["for"] in _LAYING and is_quartet):
        return
    raise NotAllowed("play_not_your_turn", name=world.name(awaited))


def _check_card(table: TableBox, seat: int, code: str) -> None:
    """The seat can see it in its hand; what lies in the middle is for the one whose turn it is."""
    _check_awaited(table, seat)
    world = _world(table, seat)
    if code not in (*world.sight(seat), *world.within_reach()):
        raise NotAllowed("play_not_in_hand")
