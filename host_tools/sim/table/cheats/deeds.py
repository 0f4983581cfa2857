"""What people get up to with their cards, game by game: a deed per trick.

A deed is the steps of the hands and the rule that the box answers with. The rule is asked of the
rules themselves before anything is done, so the page never explains another one. None: there is
nothing for this trick at this moment.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from host_tools.sim.table.worlds import (
    CafeWorld,
    HattrickWorld,
    Move,
    QuartettWorld,
    TrumpfWorld,
    World,
    lay,
    pick,
)

JOKER = "JK"


class Deed(NamedTuple):
    """`change` moves cards behind the box's back; then hands do `steps`."""

    rule: str
    steps: Move = ()
    change: Callable[[Any], None] | None = None


class Attempt(NamedTuple):
    """The command that the steps come to."""

    do: str
    fields: dict[str, Any]
    steps: Move


def refused(world: World, attempts: Iterable[Attempt], reasons: tuple[str, ...]) -> Deed | None:
    """The first attempt that the rules refuse for one of these reasons (TRANSCRIPT.md)."""
    for attempt in attempts:
        refusal = world.judge(attempt.do, **attempt.fields).refusal
        if refusal is not None and refusal.reason in reasons:
            return Deed(refusal.rule, attempt.steps)
    return None


# -- Trumpf ------------------------------------------------------------------------------------


def dropped_pile(world: TrumpfWorld) -> Deed | None:
    """TR-13: a card from the depth of the pile comes to lie on top."""
    seat, what = _awaited(world)
    if what != "tap":
        return None
    for card in world.hands[seat]:
        events = world.judge("tap", card=card).events
        rule = next((str(event[3]) for event in events if event[0] == "order_suspect"), "")
        if rule:
            return Deed(rule, change=partial(TrumpfWorld.bring_up, seat=seat, code=card))
    return None


def kept_card(world: TrumpfWorld) -> Deed | None:
    """TR-12: a card that was seen going to somebody else lies on top again."""
    seat, what = _awaited(world)
    if what != "tap":
        return None
    deed = refused(world, (_tap(card) for card in world.lost_cards(seat)), ("not_yours",))
    if deed is None:
        return None
    card = deed.steps[0].what
    return Deed(deed.rule, change=partial(TrumpfWorld.keep_lost, seat=seat, code=card))


# -- Hattrick ----------------------------------------------------------------------------------


def card_again(world: HattrickWorld) -> Deed | None:
    """HA-9: a card of an earlier trick of this hand is tapped again."""
    cards = reversed(world.played)
    return refused(world, (_tap(card) for card in cards), ("already_played",))


def out_of_turn(world: HattrickWorld) -> Deed | None:
    """HA-2: the next player is too quick. The box cannot know whose card it was."""
    seat, what = _awaited(world)
    hand = world.hands[(seat + 1) % world.seats]
    return Deed("HA-2", (lay(hand[0]),)) if what == "tap" and hand else None


# -- Quartett ----------------------------------------------------------------------------------


def quartet_again(world: QuartettWorld) -> Deed | None:
    """QU-5: a quartet that lies on the table is laid once more."""
    seat, what = _awaited(world)
    if what != "ask":
        return None
    laid = [code for cards in world.laid for code in cards]
    groups = [[code for code in laid if code[0] == letter] for letter in sorted(_groups(laid))]
    attempts = (
        Attempt("lay", {"seat": seat, "cards": cards}, tuple(lay(code) for code in cards))
        for cards in groups
    )
    return refused(world, attempts, ("already_played",))


def other_card(world: QuartettWorld) -> Deed | None:
    """QU-3: the seat that was asked hands over another card."""
    seat, what = _awaited(world)
    if what != "answer":
        return None
    return refused(world, (_tap(card) for card in world.hands[seat]), ("not_asked",))


def false_denial(world: QuartettWorld) -> Deed | None:
    """QU-7: the seat that was asked denies a card that it holds."""
    asked = world.match.asked()
    if asked is None or asked[1] not in world.hands[asked[0]]:
        return None
    steps = (pick(world.say("quartett_deny")),)
    known = refused(world, [Attempt("deny", {}, steps)], ("known_holder",))
    return known or Deed("QU-7", steps)


def impossible_question(world: QuartettWorld) -> Deed | None:
    """QU-4: a card that the caller is known to hold, or of a group that lies with others."""
    seat, what = _awaited(world)
    if what != "ask":
        return None
    other = (seat + 1) % world.seats
    return refused(world, _questions(world, other), ("own_card", "cannot_hold"))


def _questions(world: QuartettWorld, other: int) -> Iterator[Attempt]:
    for card in world.match.codes():
        steps = (pick(world.name(other)), pick(card[:1]), pick(card))
        yield Attempt("ask", {"seat": other, "card": card}, steps)


# -- Café --------------------------------------------------------------------------------------


def seated_again(world: CafeWorld) -> Deed | None:
    """CB-3: a guest who sits already is taken along to another chair."""
    seated = list(world.middle()["guests"].values())
    return refused(world, _seatings(world, seated), ("already_played",))


def foreign_table(world: CafeWorld) -> Deed | None:
    """CB-3: a guest at a table of another nation."""
    return refused(world, _seatings(world, world.hand_now()), ("wrong_nation",))


def crowd(world: CafeWorld) -> Deed | None:
    """CB-4: a second woman at a table with one woman, and the like."""
    return refused(world, _seatings(world, world.hand_now()), ("sexes",))


def somebodys_joker(world: CafeWorld) -> Deed | None:
    """CB-12: everybody has seen in whose hand a swapped joker lies; another seat plays it."""
    seat, _ = _awaited(world)
    hands = (hand for other, hand in enumerate(world.hands) if other != seat)
    jokers = [tile for hand in hands for tile in hand if tile.startswith(JOKER)]
    return refused(world, _seatings(world, jokers), ("not_in_hand",))


def joker_to_the_bar(world: CafeWorld) -> Deed | None:
    """CB-10: a joker goes to the bar although a chair would take it."""
    jokers = [tile for tile in world.hand_now() if tile.startswith(JOKER)]
    bar = world.say("cafe_bar")
    attempts = (Attempt("bar", {"tile": tile}, (pick(bar), lay(tile))) for tile in jokers)
    return refused(world, attempts, ("joker_fits",))


def _seatings(world: CafeWorld, tiles: list[str]) -> Iterator[Attempt]:
    """Every guest on every free chair, by the box's lists: the table first, then the chair."""
    for tile in tiles:
        for table, _, _ in world.match.tables():
            for chair in world.match.free_chairs(table):
                steps = (lay(tile), pick(table), pick(chair))
                yield Attempt("place", {"tile": tile, "chair": chair}, steps)


# -- all ---------------------------------------------------------------------------------------


def _awaited(world: World) -> tuple[int, str]:
    awaits = world.match.awaits()
    return (0 if awaits.seat is None else awaits.seat), awaits.what


def _tap(card: str) -> Attempt:
    return Attempt("tap", {"card": card}, (lay(card),))


def _groups(codes: list[str]) -> set[str]:
    return {code[0] for code in codes}
