"""The presence tables: every state with every input, and what must never happen."""

import pytest
from dialogue import Clock

from firmware.drivers import presence as p
from firmware.drivers.presence import Presence

STATES = ("IDLE", "SEEN", "HELD", "AWAY", "UNREAD", "PAIR", "BOTH")
INPUTS = ("NOBODY", "SAME", "OTHER", "TWO", "LOST", "READ", "GIVEN_UP")
LISTED = (p.NOBODY, p.SAME, p.OTHER, p.TWO)

# worked out from DESIGN.md 9 and the brief: a card counts once, two cards are two cards
EXPECTED = {
    ("IDLE", "NOBODY"): ("IDLE", p.NOTHING),
    ("IDLE", "SAME"): ("SEEN", p.NOTHING),
    ("IDLE", "OTHER"): ("SEEN", p.NOTHING),
    ("IDLE", "TWO"): ("PAIR", p.TWO_CARDS),
    ("IDLE", "LOST"): ("IDLE", p.NOTHING),
    ("SEEN", "NOBODY"): ("SEEN", p.NOTHING),
    ("SEEN", "SAME"): ("SEEN", p.NOTHING),
    ("SEEN", "OTHER"): ("SEEN", p.NOTHING),
    ("SEEN", "TWO"): ("PAIR", p.TWO_CARDS),
    ("SEEN", "LOST"): ("UNREAD", p.UNREADABLE),
    ("SEEN", "READ"): ("HELD", p.CARD),
    ("SEEN", "GIVEN_UP"): ("UNREAD", p.UNREADABLE),
    ("HELD", "NOBODY"): ("AWAY", p.NOTHING),
    ("HELD", "SAME"): ("HELD", p.NOTHING),
    ("HELD", "OTHER"): ("AWAY", p.NOTHING),
    ("HELD", "TWO"): ("BOTH", p.TWO_CARDS),
    ("HELD", "LOST"): ("AWAY", p.NOTHING),
    ("AWAY", "NOBODY"): ("AWAY", p.NOTHING),
    ("AWAY", "SAME"): ("HELD", p.NOTHING),
    ("AWAY", "OTHER"): ("AWAY", p.NOTHING),
    ("AWAY", "TWO"): ("BOTH", p.TWO_CARDS),
    ("AWAY", "LOST"): ("IDLE", p.GONE),
    ("UNREAD", "NOBODY"): ("UNREAD", p.NOTHING),
    ("UNREAD", "SAME"): ("UNREAD", p.NOTHING),
    ("UNREAD", "OTHER"): ("SEEN", p.GONE),
    ("UNREAD", "TWO"): ("PAIR", p.TWO_CARDS),
    ("UNREAD", "LOST"): ("IDLE", p.GONE),
    ("UNREAD", "READ"): ("HELD", p.CARD),
    ("UNREAD", "GIVEN_UP"): ("UNREAD", p.NOTHING),
    ("PAIR", "NOBODY"): ("PAIR", p.NOTHING),
    ("PAIR", "SAME"): ("PAIR", p.NOTHING),
    ("PAIR", "OTHER"): ("PAIR", p.NOTHING),
    ("PAIR", "TWO"): ("PAIR", p.NOTHING),
    ("PAIR", "LOST"): ("IDLE", p.GONE),
    ("BOTH", "NOBODY"): ("BOTH", p.NOTHING),
    ("BOTH", "SAME"): ("BOTH", p.NOTHING),
    ("BOTH", "OTHER"): ("BOTH", p.NOTHING),
    ("BOTH", "TWO"): ("BOTH", p.NOTHING),
    ("BOTH", "LOST"): ("AWAY", p.NOTHING),
}


@pytest.mark.parametrize("state", range(len(STATES)))
@pytest.mark.parametrize("found", range(len(INPUTS)))
def test_every_state_with_every_input(state: int, found: int) -> None:
    assert (getattr(p, STATES[state]), getattr(p, INPUTS[found])) == (state, found)
    expected = EXPECTED.get((STATES[state], INPUTS[found]))
    place = len(INPUTS) * state + found
    if expected is None:
        assert (p.NEXT[place], p.TELL[place]) == (9, 9)
    else:
        assert (STATES[p.NEXT[place]], p.TELL[place]) == expected


def presence(state: int = p.IDLE) -> Presence:
    made = Presence(Clock(), 250)
    made.state = state
    return made


def test_a_held_card_is_gone_after_the_grace_time_and_three_misses() -> None:
    held = presence(p.HELD)
    held.listed(p.SAME, 1000)
    assert [held.listed(p.NOBODY, ms) for ms in (1050, 1150, 1249)] == [p.NOTHING] * 3
    assert held.listed(p.NOBODY, 1250) == p.GONE
    assert held.state == p.IDLE


def test_two_slow_misses_are_not_enough() -> None:
    held = presence(p.HELD)
    held.listed(p.SAME, 1000)
    assert [held.listed(p.NOBODY, ms) for ms in (1400, 1800)] == [p.NOTHING] * 2
    assert held.listed(p.NOBODY, 2200) == p.GONE


def test_a_card_that_answers_every_second_list_rests_for_ever() -> None:
    held = presence(p.HELD)
    for poll in range(1000):
        assert held.listed((p.SAME, p.NOBODY)[poll % 2], 140 * poll) == p.NOTHING
    assert held.state in (p.HELD, p.AWAY)


def test_another_card_waits_until_the_counted_one_was_away_for_the_grace_time() -> None:
    held = presence(p.HELD)
    held.listed(p.SAME, 1000)
    assert [held.listed(p.OTHER, ms) for ms in (1050, 1100, 1150, 1200)] == [p.NOTHING] * 4
    assert held.listed(p.OTHER, 1250) == p.GONE
    assert held.listed(p.OTHER, 1300) == p.NOTHING
    assert held.state == p.SEEN


def test_a_counted_card_below_a_second_one_is_still_counted_after_it_left() -> None:
    held = presence(p.HELD)
    held.listed(p.SAME, 1000)
    assert held.listed(p.TWO, 1050) == p.TWO_CARDS
    events = [held.listed(p.SAME, 1050 + 50 * turn) for turn in range(1, 40)]
    assert set(events) == {p.NOTHING}
    assert held.state == p.HELD
