"""A table with real piles of cards plays beside the referee (hypothesis state machine).

The players of this table only do what the rules allow, so no act of theirs may be refused and no
card of theirs may be suspect; cards are conserved; what is refused changes nothing; undo restores
the position exactly. Verdicts are checked by the second referee (test_trumpf_oracle.py).
"""

import copy
import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from firmware.games import open_match
from firmware.games.trumpf.rules import Trumpf
from firmware.rules.answers import Answer
from tests.sampling import examples

STEPS_MS = st.sampled_from([0, 1, 10, 400, 400, 2000])
CHANCES = st.integers(0, 2**20)
NO_CARD = "Z9"
TIME_EVENTS = ("time_up", "extended", "sudden")


def make_deck(chance: random.Random, size: int, jokers: int) -> dict[str, Any]:
    """Few different values, so that ties and missing values are common."""
    categories: list[dict[str, Any]] = [
        {"key": f"k{place}", "best": chance.choice(["high", "low"])} for place in range(3)
    ]
    if jokers:
        categories[0]["joker"] = True
    cards: list[dict[str, Any]] = []
    for place in range(size):
        values = [chance.choice([None, 1, 2, 3, 4, 6, 8]) for _ in categories]
        cards.append({"code": f"{'ABCDEFGHIJ'[place // 4]}{place % 4 + 1}", "values": values})
    for place in chance.sample(range(size), jokers):
        cards[place] = {"code": f"J{place}", "joker": True}
    return {"categories": categories, "cards": cards}


class Table:
    """Piles (top first), the open round and the pot, as they lie on the wood."""

    def __init__(self, codes: list[str], seats: int) -> None:
        each = len(codes) // seats
        self.piles = [codes[seat * each : (seat + 1) * each] for seat in range(seats)]
        self.round: list[tuple[int, str]] = []
        self.pot: list[tuple[int, str]] = []
        # TR-13, as everybody can know it: batches from the top of a pile to its bottom
        self.batches = [[list(pile)] for pile in self.piles]
        self.suspects: list[str] = []  # cards of the open unit that cannot have been on top
        self.started = False  # CL-1: a card was presented

    def present(self, card: str) -> tuple[int, bool]:
        """A card goes to the table: from whom, and whether it can have been the top card."""
        seat = next(s for s, pile in enumerate(self.piles) if card in pile)
        self.piles[seat].remove(card)
        self.round.append((seat, card))
        self.started = True
        front = self.batches[seat][0]
        for batch in self.batches[seat]:
            if card in batch:
                batch.remove(card)
                on_top = batch is front
        self.batches[seat] = [batch for batch in self.batches[seat] if batch]
        return seat, on_top

    def mix(self, seat: int) -> None:
        """Nobody knows the order any more."""
        self.batches[seat] = [list(self.piles[seat])] if self.piles[seat] else []

    def _under(self, seat: int, cards: list[str]) -> None:
        self.piles[seat] += cards
        if cards:
            self.batches[seat].append(list(cards))

    def counts(self) -> list[int]:
        counts = [len(pile) for pile in self.piles]
        for seat, _ in self.round:
            counts[seat] += 1
        return counts

    def follow(self, event: tuple[Any, ...]) -> None:
        """Do with the cards what the referee says."""
        if event[0] == "round_won":
            cards = [card for _, card in self.round + self.pot]
            assert sorted(event[3]) == sorted(cards)
            assert event[5] == len(self.pot)
            self._under(event[1], event[3])
            self.round, self.pot = [], []
        elif event[0] == "round_tied":
            self.pot += self.round
            self.round = []
            assert event[3] == len(self.pot)
        elif event[0] == "pot_won":
            self._under(event[1], [card for _, card in self.pot])
            self.pot = []
        elif event[0] == "pot_returned":
            for seat in range(len(self.piles)):
                self._under(seat, [card for owner, card in self.pot if owner == seat])
            self.pot = []
            assert event[1] == self.counts()
        elif event[0] == "moved":
            _, giver, taker, count = event
            kept = len(self.piles[giver]) - count
            self.piles[taker] += self.piles[giver][kept:]
            self.piles[giver] = self.piles[giver][:kept]
            self.mix(giver)
            self.mix(taker)

    def take_back_round(self) -> None:
        """Presented cards lie on top again, in the order they lay in."""
        for seat in range(len(self.piles)):
            unit = [card for owner, card in self.round if owner == seat]
            self.piles[seat][:0] = unit
            self.batches[seat][:0] = [unit] if unit else []
        self.round = []
        self.suspects = []


class TrumpfMachine(RuleBasedStateMachine):
    """Random people at a table."""

    match: Trumpf
    table: Table
    choosing = False  # TR-9, of the seat that taps
    sudden = False

    @initialize(seed=CHANCES, preset=st.sampled_from(["gastro", "kneipe", "swiss"]))
    def sit_down(self, seed: int, preset: str) -> None:
        self.chance = chance = random.Random(seed)
        seats = 2 if preset == "swiss" else chance.randint(2, 8)
        size = chance.randint(seats, 36)
        jokers = min(chance.choice([0, 0, 1, 3]), size)
        self.deck = make_deck(chance, size, jokers)
        header: dict[str, Any] = {"schiri": 1, "game": "trumpf", "preset": preset}
        header |= {"seats": seats, "deck": self.deck}
        header["options"] = {"tie_scope": chance.choice(["all", "tied"])}
        if seats == 2:
            header["stage"] = chance.choice(["group", "ko", "final"])
            header["clock_ms"] = chance.choice([None, 3_000, 40_000])
            header["extension_ms"] = chance.choice([None, 500])
        match = open_match(header)
        assert isinstance(match, Trumpf)
        self.match = match
        codes = [card["code"] for card in self.deck["cards"]]
        chance.shuffle(codes)
        self.table = Table(codes, seats)
        self.in_play = size // seats * seats
        self.t_ms = 0
        self.elapsed_ms = 0
        self.timed_out = False  # time has caused something, and an undo does not unmake that
        self.before: list[tuple[list[int], Any, Table]] = []

    # -- the referee is told -------------------------------------------------------------------

    def say(self, after_ms: int, do: str, **fields: Any) -> Answer:
        """Tell the referee, and do with the cards what it answers."""
        self.let_time_pass(after_ms)
        before = (list(self.match.cells.now), self.match.awaits(), copy.deepcopy(self.table))
        answer = self.match.apply({"t": self.t_ms, "do": do, **fields})
        self.timed_out |= any(event[0] in TIME_EVENTS for event in answer.events)
        if do == "undo" and answer.refusal is None:
            cells, awaits, self.table = self.before.pop()
            if not self.timed_out:
                assert list(self.match.cells.now) == cells
                assert self.match.awaits() == awaits
        elif answer.refusal is None and do not in ("tick", "pause", "resume"):
            self.before.append(before)
        put_back = self.puts_cards_back(answer)
        if put_back:
            self.table.take_back_round()
        tapped = do == "tap" and answer.refusal is None
        if tapped:
            self.follow_tap(fields["card"], answer)
        for event in answer.events:
            self.table.follow(event)
            self.check_time_over(event)
        lying = sum(len(self.match.presented(seat)) for seat in range(self.match.seats))
        if put_back:
            assert lying == tapped  # only what was laid down after the time-out
        elif {"extended", "sudden"} & {event[0] for event in answer.events}:
            assert not lying
        if self.table.round and not lying:
            self.table.take_back_round()
        return answer

    @staticmethod
    def puts_cards_back(answer: Answer) -> bool:
        """SW-5: did the time run out before anything was done, and play goes on?"""
        names = [event[0] for event in answer.events]
        upto = [names.index(name) for name in ("extended", "sudden") if name in names]
        return bool(upto) and not {"played", "round_won", "round_tied"} & set(names[: upto[0]])

    def let_time_pass(self, after_ms: int) -> None:
        """CL-1: the match's time runs from the first card on, but not while somebody decides."""
        self.t_ms += after_ms
        clock = self.match.clock
        waits = self.match.awaits().what in ("decide", "nothing")
        if clock is not None and self.table.started and not clock.paused and not waits:
            self.elapsed_ms += after_ms

    def follow_tap(self, card: str, answer: Answer) -> None:
        """TR-13: exactly the cards that cannot have been on top are suspect."""
        seat, on_top = self.table.present(card)
        if not on_top and not self.choosing:
            self.table.suspects.append(card)
        if any(event[0] == "played" for event in answer.events):
            told = [event[2] for event in answer.events if event[0] == "order_suspect"]
            assert told == self.table.suspects
            self.table.suspects = []
            if self.choosing:
                self.table.mix(seat)

    def check_time_over(self, event: tuple[Any, ...]) -> None:
        """SW-3: more cards win, pot cards count for nobody; in sudden play the last round does."""
        if event[0] == "match_over" and event[1] == "time" and not self.sudden:
            mine, theirs = self.table.counts()
            places = [[0, 1]] if mine == theirs else [[0], [1]] if mine > theirs else [[1], [0]]
            assert event[2] == places
        self.sudden |= event[0] == "sudden"

    def must_be_accepted(self, answer: Answer) -> None:
        """A legal act is refused only because of the clock."""
        clock = self.match.clock
        if answer.refusal is not None:
            assert answer.events or (clock is not None and clock.paused), answer

    # -- what people do ------------------------------------------------------------------------

    @rule(after_ms=STEPS_MS, pick=CHANCES, dropped=st.booleans())
    def play_on(self, after_ms: int, pick: int, dropped: bool) -> None:
        self.awaited_act(after_ms, pick, dropped)

    @rule(seed=CHANCES, acts=st.sampled_from([6, 20, 80]))
    def play_for_a_while(self, seed: int, acts: int) -> None:
        """Several rounds; the clock mostly stands nearly still."""
        chance = random.Random(seed)
        for _ in range(acts):
            if self.match.over():
                return
            pause_ms = chance.choice([0, 0, 1, 10, 400])
            self.awaited_act(pause_ms, chance.randrange(2**20), chance.random() < 0.1)
            self.cards_are_conserved()

    def awaited_act(self, after_ms: int, pick: int, dropped: bool = False) -> None:
        """The awaited act of somebody who keeps to the rules, but may have dropped the pile.

        A card from deep in the pile is accepted, and told as suspect if that can be known (TR-13).
        """
        awaits = self.match.awaits()
        if awaits.what == "begin":
            answer = self.say(after_ms, "begin", seat=pick % self.match.seats)
        elif awaits.what == "tap":
            assert awaits.seat is not None
            self.choosing = self.match.is_choosing(awaits.seat)
            card = self.card_of(awaits.seat, pick, dropped)
            answer = self.say(after_ms, "tap", card=card)
        elif awaits.what == "call":
            answer = self.say(after_ms, "call", category=self.category_to_call(pick))
        elif awaits.what == "decide":
            answer = self.say(after_ms, "decide", seat=pick % 2)
        else:
            answer = self.say(after_ms, "tick")
            assert answer.refusal is not None
            return
        self.must_be_accepted(answer)

    def card_of(self, seat: int, pick: int, dropped: bool) -> str:
        """The top card, or any card of a seat that chooses or has dropped its pile."""
        pile = self.table.piles[seat]
        return pile[pick % len(pile) if dropped or self.match.is_choosing(seat) else 0]

    def category_to_call(self, pick: int) -> int:
        """A category that every card which must have it has."""
        lying = [self.match.presented(seat) for seat in range(self.match.seats)]
        cards = [self.deck["cards"][unit[-1]]["values"] for unit in lying if unit]
        possible = [n for n in range(3) if all(values[n] is not None for values in cards)]
        assert possible, "the referee awaits a call that nobody can make"
        return possible[pick % len(possible)]

    @precondition(lambda self: self.match.clock is not None and self.match.clock.left_ms() > 0)
    @rule()
    def the_time_runs_out(self) -> None:
        """Whatever lies on the table then (SW-4, SW-5)."""
        self.say(self.match.clock.left_ms(), "tick")

    @precondition(lambda self: self.match.clock is not None and self.match.awaits().what == "tap")
    @rule(pick=CHANCES)
    def the_time_runs_out_over_a_card(self, pick: int) -> None:
        """SW-5: it lies on top of its pile again; any other card is suspect then (TR-13)."""
        self.awaited_act(0, pick)
        self.say(self.match.clock.left_ms(), "tick")
        if self.match.awaits().what == "tap":
            self.awaited_act(0, pick, dropped=True)

    @precondition(lambda self: self.match.clock is not None and self.match.awaits().what == "tap")
    @rule(pick=CHANCES, late=st.booleans())
    def a_called_round_outlasts_the_time(self, pick: int, late: bool) -> None:
        """SW-4: it counts; SW-5: the extension runs from the time-out, and may be over as well."""
        clock = self.match.clock
        if self.match.is_called():
            self.awaited_act(clock.left_ms() + (clock.extension_ms if late else 1), pick)

    @precondition(lambda self: self.before)
    @rule(after_ms=STEPS_MS)
    def take_back(self, after_ms: int) -> None:
        answer = self.say(after_ms, "undo")
        assert answer.refusal is None
        assert answer.events[0][0] == "undone"

    @rule(after_ms=STEPS_MS, do=st.sampled_from(["tick", "pause", "resume"]))
    def arbiter(self, after_ms: int, do: str) -> None:
        self.say(after_ms, do)

    @rule(after_ms=STEPS_MS, seat=st.integers(0, 1))
    def penalty(self, after_ms: int, seat: int) -> None:
        if self.match.preset == "swiss" and self.chance.random() < 0.2:
            self.say(after_ms, "penalty", seat=seat)

    @rule(pick=CHANCES, do=st.sampled_from(["begin", "tap", "call", "decide", "penalty", "ask"]))
    def nonsense(self, pick: int, do: str) -> None:
        """What cannot be: it is refused and nothing changes."""
        seat = (-1, self.match.seats)[pick % 2]
        card = NO_CARD
        if do == "tap" and self.table.pot:
            card = self.table.pot[pick % len(self.table.pot)][1]
        before = (list(self.match.cells.now), self.match.awaits(), self.match.result())
        fields = {"seat": seat, "card": card, "category": "no such"}
        answer = self.match.apply({"t": self.t_ms, "do": do, **fields})
        assert answer.refusal is not None
        assert not answer.events
        after = (list(self.match.cells.now), self.match.awaits(), self.match.result())
        assert after == before

    # -- what must always hold -----------------------------------------------------------------

    @invariant()
    def cards_are_conserved(self) -> None:
        assert sum(self.match.counts()) + self.match.pot_size() == self.in_play
        assert self.match.counts() == self.table.counts()
        assert self.match.pot_size() == len(self.table.pot)

    @invariant()
    def the_clock_shows_what_has_run(self) -> None:
        clock = self.match.clock
        if clock is None:
            return
        assert 0 <= clock.left_ms() <= clock.limit_ms
        if not self.timed_out:
            assert clock.left_ms() == clock.limit_ms - self.elapsed_ms

    @invariant()
    def a_time_out_is_never_left_open(self) -> None:
        """SW-4, SW-5: at zero a called round is finished, else the match is over or sudden."""
        clock = self.match.clock
        if clock is not None and clock.left_ms() == 0 and not self.match.over():
            called = self.match.is_called()
            assert called or self.sudden or self.match.awaits().what == "decide"


TestTrumpfMachine = TrumpfMachine.TestCase
TestTrumpfMachine.settings = settings(
    max_examples=examples(150), stateful_step_count=40, deadline=None
)
