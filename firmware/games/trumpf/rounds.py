"""The rounds of Trumpf, from the first card to the question who calls next: who presents when, who
wins, what becomes of the pot (TR-3 to TR-11, KN-2 to KN-5).

Functions on a match; they end it with `match.finish` and know nothing of time.
"""

from micropython import const

from firmware.games.trumpf.piles import CHOOSING
from firmware.games.trumpf.state import (
    CALL,
    CALLER,
    CATEGORY,
    DECIDE,
    LEAD,
    NONE,
    ORDER,
    PLAYERS,
    SUDDEN,
    TAP,
    TURN,
)
from firmware.rules.match import PHASE

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.games.trumpf.state import Rounds
    from firmware.rules.answers import Events

# -- order --------------------------------------------------------------------------------------


def open_round(match: "Rounds", playing: "list[int]") -> None:
    """Await the caller, or the next seat clockwise that plays (TR-6); then the order of TR-9."""
    cells = match.cells
    seats = match.seats
    caller = cells.now[CALLER]
    while caller not in playing:
        caller = (caller + 1) % seats
    cells.set(CALLER, caller)
    order = [caller]
    choosing: "list[int]" = []
    for step in range(1, seats):
        seat = (caller + step) % seats
        if seat in playing:
            (order if match.piles.count(seat) > CHOOSING else choosing).append(seat)
    order.extend(choosing)
    cells.set(PLAYERS, len(order))
    for place in range(len(order)):
        cells.set(ORDER + place, order[place])
    _restart_round(match)


def take_back_cards(match: "Rounds") -> None:
    """Presented cards lie on top of their piles again and the same caller goes on."""
    if match.piles.put_back():
        _restart_round(match)


def _restart_round(match: "Rounds") -> None:
    """Await the caller's card; nothing is called."""
    cells = match.cells
    cells.set(PHASE, LEAD)
    cells.set(TURN, 0)
    cells.set(CATEGORY, NONE)


def playing_seats(match: "Rounds") -> "list[int]":
    """The seats of this round in the order of presenting."""
    now = match.cells.now
    return list(now[ORDER : ORDER + now[PLAYERS]])


# -- presenting ---------------------------------------------------------------------------------


def present(match: "Rounds", seat: int, card: int, events: "Events") -> None:
    """A card is laid; with the last one of its unit go on to the call, the next seat or the
    verdict.
    """
    piles = match.piles
    chosen = match.is_choosing(seat)
    piles.present(seat, card, not chosen)
    if match.deck.jokers[card] and piles.count(seat):
        match.cells.set(PHASE, TAP)  # KN-2: the unit goes on with the next card of the pile
    else:
        _end_unit(match, seat, chosen, events)


def _end_unit(match: "Rounds", seat: int, chosen: bool, events: "Events") -> None:
    cells = match.cells
    piles = match.piles
    codes = match.deck.codes
    unit = piles.unit(seat)
    events.append(("played", seat, [codes[card] for card in unit]))
    for card in unit:
        if piles.is_suspect(card):
            events.append(("order_suspect", seat, codes[card], "TR-13"))
    if chosen:
        piles.mix(seat)
    turn = cells.now[TURN] + 1
    cells.set(TURN, turn)
    cells.set(PHASE, CALL if turn == 1 and match.deck.has_any_value(unit[-1]) else TAP)
    if turn == cells.now[PLAYERS]:
        judge_round(match, events)


def printed(match: "Rounds", seat: int, category: int) -> "int | None":
    """What stands on the card behind a seat's jokers, None if there is no such value (KN-4)."""
    return match.deck.value(match.piles.unit(seat)[-1], category)


def _value(match: "Rounds", unit: "list[int]", category: int) -> "int | None":
    """The value that is compared: each joker doubles the joker category (KN-2)."""
    value = match.deck.value(unit[-1], category)
    if value is None or category != match.deck.doubled:
        return value
    return value << (len(unit) - 1)


# -- the verdict --------------------------------------------------------------------------------


def judge_round(match: "Rounds", events: "Events") -> None:
    """Everybody has presented and a category is in force, or the call was skipped."""
    now = match.cells.now
    category = now[CATEGORY]
    if category == NONE:
        _tie(match, sorted(playing_seats(match)), None, events)
    elif match.swiss and printed(match, 1 - now[CALLER], category) is None:
        _call_another(match, category, events)
    else:
        _compare(match, category, events)


def _call_another(match: "Rounds", category: int, events: "Events") -> None:
    """TR-11, Swiss: another value of the caller's same card, or a tie if none can be answered."""
    cells = match.cells
    categories = match.deck.categories
    for other in range(len(categories)):
        if printed(match, 0, other) is not None and printed(match, 1, other) is not None:
            events.append(("value_missing", 1 - cells.now[CALLER], categories[category].key))
            cells.set(CATEGORY, NONE)
            cells.set(PHASE, CALL)
            return
    _tie(match, [0, 1], None, events)


def _compare(match: "Rounds", category: int, events: "Events") -> None:
    """TR-4, TR-5: the best value wins; two of them are a tie. The caller always has a value."""
    values: "list[int | None]" = [None] * match.seats
    given: "list[int]" = []
    units = match.piles.units()
    for seat in playing_seats(match):
        value = _value(match, units[seat], category)
        values[seat] = value
        if value is not None:
            given.append(value)
    line = match.deck.categories[category]
    best = max(given) if line.best == "high" else min(given)
    winners = [seat for seat in range(match.seats) if values[seat] == best]
    if len(winners) > 1:
        _tie(match, winners, line.key, events)
        return
    winner = winners[0]
    cards = _cards_won(match, winner, units)
    events.append(("round_won", winner, line.key, cards, values, match.piles.pot()))
    match.piles.sweep(winner)
    match.cells.set(CALLER, winner)
    _after_round(match, list(range(match.seats)), winner, events)


def _cards_won(match: "Rounds", winner: int, units: "list[list[int]]") -> "list[str]":
    """TR-4: the winner's unit, the others clockwise, then the pot."""
    cards: "list[int]" = []
    for unit in units[winner:] + units[:winner]:
        cards.extend(unit)
    cards.extend(match.piles.pot_cards())
    codes = match.deck.codes
    return [codes[card] for card in cards]


def _tie(match: "Rounds", seats: "list[int]", key: "str | None", events: "Events") -> None:
    """TR-6 to TR-8: the pot grows; who plays for it, and is anybody of them left with cards?"""
    piles = match.piles
    piles.grow_pot()
    events.append(("round_tied", seats, key, piles.pot()))
    playing = seats if match.only_tied else playing_seats(match)
    playing = [seat for seat in playing if piles.count(seat)]
    if len(playing) > 1:
        _after_round(match, playing, NONE, events)
    elif playing:
        give_pot(match, playing[0], events)
        _after_round(match, list(range(match.seats)), NONE, events)
    else:
        _return_pot(match, events)


def give_pot(match: "Rounds", seat: int, events: "Events") -> None:
    """TR-8: the pot goes to a seat without a round."""
    events.append(("pot_won", seat, match.piles.pot()))
    match.piles.sweep(seat)
    match.cells.set(CALLER, seat)


def _return_pot(match: "Rounds", events: "Events") -> None:
    """TR-8: nobody who plays for the pot has a card: it goes back to those who filled it."""
    piles = match.piles
    everybody = list(range(match.seats))
    others_play = any([piles.count(seat) for seat in everybody])
    piles.return_pot()
    events.append(("pot_returned", [piles.count(seat) for seat in everybody]))
    if others_play:
        _after_round(match, everybody, NONE, events)
    elif match.stage == "group":
        match.finish("all_tied", NONE, events)
    else:
        match.cells.set(PHASE, DECIDE)


def _after_round(match: "Rounds", playing: "list[int]", winner: int, events: "Events") -> None:
    """After TR-8: TR-10, sudden (SW-5), or the next round. `winner` is NONE after a tie."""
    piles = match.piles
    if not piles.pot():
        empty = [seat for seat in range(match.seats) if not piles.count(seat)]
        if empty:
            _end_by_cards(match, empty[0], events)
            return
    if winner != NONE and match.cells.now[SUDDEN]:
        match.finish("time", winner, events)
        return
    open_round(match, playing)


def _end_by_cards(match: "Rounds", empty: int, events: "Events") -> None:
    """TR-10: between two the other seat has all cards; between more the cards are counted."""
    if match.seats == 2:
        match.finish("all_cards", 1 - empty, events)
    else:
        match.finish("seat_out", NONE, events)
