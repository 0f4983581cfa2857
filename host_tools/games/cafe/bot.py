"""The bot of Café International: tries every seating, and plays on until its next turn."""

import copy
import random
from typing import Any, NamedTuple

from firmware.games.cafe.board import NATIONS
from firmware.games.cafe.guests import (
    GUESTS,
    JOKER,
    guest_code,
    guest_number,
    is_joker,
    nation_of,
)
from firmware.games.cafe.room import EMPTY
from firmware.rules.match import PHASE
from host_tools.games.bot import Bot, Option, try_all
from host_tools.games.cafe.player import CafePlayer, Seating, cannot_pay
from host_tools.games.player import Act

_MOST_SEATINGS = 10
"""Those with most points at once; the search plays each on, which takes the time."""
_SECOND = 2
"""The phase behind the first guest of a turn."""
_STEPS = 60
"""More than all seats need for a turn each."""


class Deal(NamedTuple):
    """Guests per seat, the bag, and the nations of the table cards to come."""

    hands: list[list[str]]
    bag: list[str]
    nations: list[str]


class CafeBot(Bot, CafePlayer):
    """Knows which guests have been seen. `medium` seats what scores most now."""

    samples = 16

    # -- what may be done

    def options(self, hand: list[str]) -> list[Act]:
        """The best seatings, the best opening of a table, and what else a turn can be (CB-2).
        Guests of one nation and sex are the same.
        """
        awaits = self.match.awaits()
        if awaits.what != "place":
            return []
        # `FRm1` to `FRm4`: the first three letters are nation and sex
        kinds = list({tile[:3]: tile for tile in sorted(hand)}.values())
        seatings = seatings_of(self.match, kinds)
        seatings.sort(key=lambda seating: (-seating.points, seating.tile, seating.chair))
        found = [_place(seating) for seating in seatings[:_MOST_SEATINGS]]
        if self._placed:
            return [*found, Act("done", {}, 700)] if self._may_end() else found
        opening = opening_of(self.match, hand)
        found += [_place(opening)] if opening else []
        swap = self._swap(hand)
        found += [swap] if swap else []
        if cannot_pay(self.match, self.seat) and (found or self._opening(hand)):
            return found  # CB-11: it would confirm that nothing else is possible
        return found + [act for act in map(self._bar, kinds) if self._is_accepted(act)]

    def _bar(self, tile: str) -> Act:
        forced = {"forced": True} if cannot_pay(self.match, self.seat) else {}
        return Act("bar", {"tile": tile, **forced}, 900)

    def _is_accepted(self, act: Act) -> bool:
        command = {"t": self.match.t_ms, "do": act.do, **act.fields}
        return self.fork().apply(command).refusal is None

    def fork(self) -> Any:
        match = self.match
        # shared by all copies: neither changes during a match
        same = {id(thing): thing for thing in (match.board, match.rules)}
        return copy.deepcopy(match, same)

    # -- what it is worth

    def search(self, hand: list[str], options: list[Act], samples: int) -> list[Option]:
        chance = self.dice()
        return try_all(options, samples, lambda: self._imagine(hand, chance), self._try_out)

    def _imagine(self, hand: list[str], chance: random.Random) -> Deal:
        match = self.match
        seats = range(match.seats)
        # CB-12: everybody has seen who took a joker
        known = [[guest_code(joker) for joker in match.hands.known_jokers(s)] for s in seats]
        held = {*hand, *(code for codes in known for code in codes)}
        unseen = [
            code
            for guest in range(GUESTS)
            if (code := guest_code(guest)) not in held and not match.hands.is_out(guest)
        ]
        chance.shuffle(unseen)
        hands = [known[seat] if seat != self.seat else list(hand) for seat in seats]
        for seat, size in enumerate(match.hand_sizes()):
            missing = max(0, size - len(hands[seat]))
            hands[seat] = hands[seat] + unseen[:missing]
            del unseen[:missing]
        nations = list(NATIONS)
        chance.shuffle(nations)
        return Deal(hands, unseen, nations)

    def _try_out(self, option: Act, deal: Deal) -> float:
        """What this seat gains more than the others on average, until it is its turn again."""
        match = self.fork()
        copied = Deal([list(hand) for hand in deal.hands], list(deal.bag), deal.nations)
        before = match.scores()
        act = option
        for _ in range(_STEPS):
            events = _apply(match, act, copied)
            if match.over() or not events or ("turn", self.seat) in events:
                break
            act = next_act(match, copied)
        gains = [now - then for now, then in zip(match.scores(), before, strict=True)]
        own = gains[self.seat]
        return float(own - (sum(gains) - own) / (len(gains) - 1))


def _apply(match: Any, act: Act, deal: Deal) -> list[Any]:
    """Do it, and move the guests; no events: it was refused."""
    answer = match.apply({"t": match.t_ms, "do": act.do, **act.fields})
    for event in answer.events:
        if event[0] in ("placed", "barred", "swapped"):
            tile = event[3] if event[0] == "swapped" else event[2]
            deal.hands[event[1]].remove(tile)
            if event[0] == "swapped":
                deal.hands[event[1]].append(event[2])
        elif event[0] == "drew":
            deal.hands[event[1]].extend(deal.bag[: event[2]])
            del deal.bag[: event[2]]
        elif event[0] == "seat_out":
            deal.hands[event[1]].clear()
    return list(answer.events)


def next_act(match: Any, deal: Deal) -> Act:
    """What the awaited seat does by rule of thumb, quickly."""
    awaits = match.awaits()
    if awaits.what == "table_card":
        table = dict(awaits.more)["table"]
        fits = [nation for nation in deal.nations if match.cards.refusal(nation) is None]
        return Act("table_card", {"table": table, "nation": fits[0] if fits else None}, 0)
    hand = deal.hands[awaits.seat]
    if awaits.what == "leftover":
        return Act("leftover", {"seat": awaits.seat, "tiles": list(hand)}, 0)
    seatings = seatings_of(match, hand)
    if seatings:
        return _place(max(seatings))
    if match.cells.now[PHASE] == _SECOND:
        return Act("done", {}, 0)
    opening = opening_of(match, hand)
    if opening is not None:
        return _place(opening)
    forced = {"forced": True} if cannot_pay(match, awaits.seat) else {}
    tile = min(hand, key=lambda code: is_joker(guest_number(code)))
    return Act("bar", {"tile": tile, **forced}, 0)


def seatings_of(match: Any, hand: list[str]) -> list[Seating]:
    """All that score now, as CB-5 asks for it."""
    # much as CafePlayer does, which stays as it is: the matches of the demo must not change
    board, room = match.board, match.room
    tables = dict(match.awaits().more).get("tables")
    joined = None if tables is None else [board.tables.index(table) for table in tables]
    at_nation: list[set[int]] = [set() for _ in range(JOKER)]
    for table in range(len(board.tables)):
        at_nation[room.nation_at(table)].update(board.chairs_at(table))
    found = []
    for tile in hand:
        guest = guest_number(tile)
        chairs = (
            range(len(board.chairs)) if is_joker(guest) else sorted(at_nation[nation_of(guest)])
        )
        for chair in chairs:
            if room.guest_on(chair) != EMPTY or room.refusal(guest, chair) is not None:
                continue
            if room.scores_alone(chair) and (joined is None or room.joins(chair, joined)):
                points = sum(room.scores(guest, chair))
                if points > 0:
                    found.append(Seating(points, tile, board.chairs[chair]))
    return found


def opening_of(match: Any, hand: list[str]) -> Seating | None:
    """CB-5: two guests for an empty table, those that score most together."""
    board, room = match.board, match.room
    best = None
    most = 0
    for table in range(len(board.tables)):
        if room.is_empty(table):
            chairs = [c for c in board.chairs_at(table) if room.guest_on(c) == EMPTY]
            firsts = [c for c in chairs if not room.scores_alone(c)][:1]
            for first, tile in [(chair, tile) for chair in firsts for tile in hand]:
                if room.refusal(guest_number(tile), first) is None:
                    points = _followed(match, hand, tile, first, chairs)
                    if points > most and board.chairs[first] in match.legal_chairs(tile):
                        best, most = Seating(0, tile, board.chairs[first]), points
    return best


def _followed(match: Any, hand: list[str], tile: str, first: int, chairs: list[int]) -> int:
    """What the best second guest at the same table would score, who is alone nowhere (CB-5)."""
    room = match.room
    room.sit(guest_number(tile), first)
    alone = room.alone_at(first)
    joining = [c for c in chairs if room.joins(c, alone) and room.scores_alone(c)]
    most = 0
    for other in hand:
        guest = guest_number(other)
        for chair in joining:
            if chair != first and other != tile and room.refusal(guest, chair) is None:
                most = max(most, sum(room.scores(guest, chair)))
    # only tried: `sit` wrote into the cells of the match
    match.cells.drop()
    return most


def _place(seating: Seating) -> Act:
    return Act("place", {"tile": seating.tile, "chair": seating.chair}, 800)
