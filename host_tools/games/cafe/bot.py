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
    sex_of,
)
from firmware.games.cafe.room import EMPTY
from firmware.rules.match import PHASE
from host_tools.games.bot import EASY, RANDOM, Bot, Option, try_all
from host_tools.games.cafe.player import CafePlayer, Seating, cannot_pay
from host_tools.games.player import Act

_MOST_SEATINGS = 10
"""The best by a look ahead; the search plays each on, which takes the time."""
_SECOND = 2
"""The phase behind the first guest of a turn."""
_STEPS = 60
"""More than all seats need for a turn each."""
_HOPES = (0.0, 0.6, 0.85, 1.0)
"""Chance that one of 0, 1, 2, 3 or more chairs is still free a turn later; estimated."""
_OWN_HOPE = 0.5
"""What a chair for a guest that stays in the hand is worth, in points."""
_ALL_HOPE = 30.0
"""The same if every guest that is still to come had one, once few chairs are left."""
_FEW_CHAIRS = 24
"""Free chairs from which on hands fill with guests that no chair is left for."""
_JOKER = 6.0
"""What a joker that stays in the hand is worth, in points."""
_HAND_HOPE = 2.0
"""`_OWN_HOPE` at the end of the strong bot's look-ahead."""
_KINDS = 26
"""Nations and jokers, women and men."""
_TAKES = {(0, 0): 3, (1, 0): 2, (0, 1): 1, (1, 1): 3, (2, 1): 2, (1, 2): 1}
"""CB-4: women and men at a table -> who may come, 1 for a woman, 2 for a man."""


class ChairOutlook:
    """How many chairs would take a guest of each kind and let it score, now or after a seating."""

    def __init__(self, match: Any) -> None:
        board, room = match.board, match.room
        self._tables_of = [board.tables_at(chair) for chair in range(len(board.chairs))]
        self._nations = [room.nation_at(table) for table in range(len(board.tables))]
        self._sits = [(0, 0)] * len(board.tables)
        self._free = []
        for chair, tables in enumerate(self._tables_of):
            guest = room.guest_on(chair)
            if guest == EMPTY:
                self._free.append(chair)
            else:
                for table in tables:
                    self._sits[table] = _joined(self._sits[table], guest)
        self._both = match.rules.both
        self._unseen = [kind_of(guest) for guest in range(GUESTS) if not match.hands.is_out(guest)]

    def chairs(self, taken: int = -1, guest: int = 0) -> list[int]:
        """For each kind; with `guest` on the chair `taken`."""
        sits = list(self._sits)
        for table in self._tables_of[taken] if taken >= 0 else ():
            sits[table] = _joined(sits[table], guest)
        takes = [_TAKES.get(each, 0) for each in sits]
        found = [0] * _KINDS
        for chair in self._free:
            tables = self._tables_of[chair]
            may = 3
            opened = 0
            for table in tables:
                may &= takes[table]
                opened += sits[table] == (0, 0)
            # CB-5: who opens a table needs another guest
            if not may or chair == taken or (opened if self._both else opened == len(tables)):
                continue
            for nation in {JOKER, *(self._nations[table] for table in tables)}:
                found[2 * nation] += may & 1
                found[2 * nation + 1] += may >> 1
        return found

    @property
    def free(self) -> int:
        """Chairs on which nobody sits."""
        return len(self._free)

    def hopes(self, tiles: list[str], chairs: list[int]) -> float:
        """The chances of these guests to sit down, added up."""
        return sum(_hope(chairs[kind_of(guest_number(tile))]) for tile in tiles)

    def hope_of_unseen(self, chairs: list[int]) -> float:
        """The same for the mean of the guests that are not out, whoever holds them."""
        return sum(_hope(chairs[kind]) for kind in self._unseen) / max(1, len(self._unseen))

    def need(self, tile: str, chairs: list[int]) -> tuple[bool, int, int]:
        """Less for those who are missed less: chairs that take it now, and that may later."""
        guest = guest_number(tile)
        later = sum(
            nation_of(guest) in [self._nations[table] for table in self._tables_of[chair]]
            for chair in self._free
        )
        return is_joker(guest), chairs[kind_of(guest)], later


def kind_of(guest: int) -> int:
    """Nation and sex as one number."""
    return 2 * nation_of(guest) + sex_of(guest)


def _joined(sits: tuple[int, int], guest: int) -> tuple[int, int]:
    women, men = sits
    return (women, men + 1) if sex_of(guest) else (women + 1, men)


def _hope(chairs: int) -> float:
    return _HOPES[min(chairs, len(_HOPES) - 1)]


class Deal(NamedTuple):
    """Guests per seat, the bag, and the nations of the table cards to come."""

    hands: list[list[str]]
    bag: list[str]
    nations: list[str]


class CafeBot(Bot, CafePlayer):
    """Knows which guests have been seen. `medium` weighs what a seating scores now against what
    its other guests can do next turn, `easy` only what it scores. None of them sends a guest to
    the bar while a chair scores.
    """

    samples = 16

    # -- a turn ahead

    def _best(self, hand: list[str], tables: list[str] | None) -> Seating | None:
        if self.strength == EASY:
            return super()._best(hand, tables)
        view = ChairOutlook(self.match)
        seatings: dict[tuple[str, str], Seating] = {}
        for seating in self._seatings(hand, tables):
            # guests of one kind are the same
            seatings.setdefault((seating.tile[:3], seating.chair), seating)
        return max(seatings.values(), key=lambda one: self._weighed(one, hand, view), default=None)

    def _weighed(self, seating: Seating, hand: list[str], view: "ChairOutlook") -> float:
        chair = self.match.board.chairs.index(seating.chair)
        chairs = view.chairs(chair, guest_number(seating.tile))
        rest = [tile for tile in hand if tile != seating.tile]
        worth = seating.points + _OWN_HOPE * view.hopes(rest, chairs)
        # in the app tables are cleared, and chairs do not run out
        if view.free <= _FEW_CHAIRS and not self.match.rules.app:
            worth += _ALL_HOPE * view.hope_of_unseen(chairs)
        return worth - _JOKER * is_joker(guest_number(seating.tile))

    def _swap(self, hand: list[str]) -> Act | None:
        """CB-12: a joker is taken for the guest that has least hope of another chair."""
        room = self.match.room
        view = ChairOutlook(self.match)
        chairs = view.chairs()
        found = [
            (view.need(tile, chairs), tile, name)
            for number, name in enumerate(self.match.board.chairs)
            if (joker := room.guest_on(number)) != EMPTY and is_joker(joker)
            for tile in hand
            if not is_joker(guest_number(tile))
            and sex_of(guest_number(tile)) == sex_of(joker)
            and room.suits(guest_number(tile), number)
        ]
        if not found:
            return None
        _, tile, name = min(found)
        return Act("swap", {"chair": name, "tile": tile}, 900)

    def _to_bar(self, hand: list[str]) -> Act:
        """Who has least hope of a chair; jokers last."""
        view = ChairOutlook(self.match)
        chairs = view.chairs()
        return self._bar(min(hand, key=lambda tile: view.need(tile, chairs)))

    # -- what may be done

    def options(self, hand: list[str]) -> list[Act]:
        """The best seatings, the best opening of a table, a swap; the bar only where no chair
        would score. Guests of one nation and sex are the same.
        """
        awaits = self.match.awaits()
        if awaits.what != "place":
            return []
        # `FRm1` to `FRm4`: the first three letters are nation and sex
        kinds = list({tile[:3]: tile for tile in sorted(hand)}.values())
        view = ChairOutlook(self.match)
        seatings = seatings_of(self.match, kinds)
        seatings.sort(key=lambda one: (-self._weighed(one, hand, view), one.tile, one.chair))
        # an easy one may choose any of them
        weak = self.strength in (EASY, RANDOM)
        found = [_place(one) for one in (seatings if weak else seatings[:_MOST_SEATINGS])]
        if self._placed:
            return [*found, Act("done", {}, 700)] if self._may_end() else found
        opening = opening_of(self.match, hand)
        found += [_place(opening)] if opening else []
        no_chair = not found and not self._opening(hand) and not self._first_of_all(hand)
        swap = self._swap(hand)
        found += [swap] if swap else []
        # CB-11: who cannot pay would confirm that nothing else is possible
        if no_chair and not (found and cannot_pay(self.match, self.seat)):
            found += [act for act in map(self._bar, kinds) if self._is_accepted(act)]
        return found

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
        """What this seat gains more than the others on average, until it is its turn again, and
        what its guests can expect then.
        """
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
        view = ChairOutlook(match)
        hope = 0 if match.over() else view.hopes(copied.hands[self.seat], view.chairs())
        return float(own - (sum(gains) - own) / (len(gains) - 1)) + _HAND_HOPE * hope


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
