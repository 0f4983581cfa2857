"""A café on wood: tiles in a bag, in hands, on chairs, at the bar. Every event is counted again.

Written from RULES.md; shares nothing with the referee or its oracle.
"""

import random
from collections import Counter
from typing import Any

NATIONS = ["AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US"]
JOKERS = ["JKf1", "JKf2", "JKm1", "JKm2"]
TILES = [n + sex + copy for n in NATIONS for sex in "fm" for copy in "1234"] + JOKERS
MIXES = {(1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)}
BARS = {
    "board": [1, 2, 3, 4, 5, *range(-2, -32, -2)],
    "app": [1, 2, 3, 4, 5, -2, -4, -6, -8, -10, -4, -6, -8, -10, -12, -6, -8, -10, -12, -14],
}


class CafeWood:
    """`header` as in TRANSCRIPT.md, with its board."""

    def __init__(self, header: dict[str, Any], chance: random.Random) -> None:
        options = header["options"]
        self.app = header["preset"] == "app"
        self.full_only = options.get("mono_bonus") == "full_only"
        self.both = options.get("between") == "both"
        self.leaflet = options.get("drawing") == "leaflet"
        self.same = options.get("mono") == "same"
        self.seat_joker = options.get("bar_joker") == "seat"
        self.last_card = options.get("cards_end") == "last"
        self.bag_end = options.get("bag_end", 3)
        self.bar = options.get("bar_values", BARS[header["preset"]])
        rows = header["board"]["tables"]
        self.tables = sorted(rows)
        self.chairs = {table: rows[table]["chairs"] for table in self.tables}
        self.nation = {table: rows[table]["nation"] for table in self.tables}
        self.at: dict[str, list[str]] = {}
        for table in self.tables:
            for chair in self.chairs[table]:
                self.at.setdefault(chair, []).append(table)
        self.seats = header["seats"]
        self.bag = list(TILES)
        chance.shuffle(self.bag)
        self.hands = [[self.bag.pop() for _ in range(5)] for _ in range(self.seats)]
        self.limit = [5] * self.seats
        self.score = [0] * self.seats
        self.seated = [0] * self.seats
        self.penalty = [0] * self.seats
        self.sit: dict[str, str] = {}
        self.barred: list[str] = []
        self.away: list[str] = []
        self.named: list[str] = []
        self.out: list[int] = []
        self.known: dict[str, int] = {}
        self.gone_jokers: list[str] = []  # were known to be with a seat that went out
        self.cards = Counter(self.nation.values())
        self.waiting: list[str] = []
        self.turn = self.starter = -1
        self.placed = 0
        self.lone: list[str] = []
        self.no_card = False
        self.drawn = False  # in this turn
        self.one_nation = False  # this turn has completed such a table
        self.action = ""
        self.reason = ""

    # -- what the wood says -----------------------------------------------------------------------

    def guests(self, table: str) -> list[str]:
        return [self.sit[chair] for chair in self.chairs[table] if chair in self.sit]

    def pure(self, table: str, guests: list[str]) -> bool:
        strangers = [guest for guest in guests if guest[:2] not in (self.nation[table], "JK")]
        if not (strangers and self.same):
            return not strangers
        return all(guest[:2] in (strangers[0][:2], "JK") for guest in guests)

    def worth(self, tile: str, chair: str) -> dict[str, int]:
        """CB-7: what each table of the chair brings with this guest."""
        worth = {}
        for table in self.at[chair]:
            guests = [*self.guests(table), tile]
            double = self.pure(table, guests) and (len(guests) == 4 or not self.full_only)
            worth[table] = 0 if len(guests) == 1 else len(guests) * (2 if double else 1)
        return worth

    def chair_fault(self, tile: str, chair: str) -> str | None:
        """CB-3, CB-4."""
        if chair in self.sit:
            return "chair_taken"
        if tile[:2] != "JK" and tile[:2] not in [self.nation[table] for table in self.at[chair]]:
            return "wrong_nation"
        for table in self.at[chair]:
            sexes = Counter(guest[2] for guest in [*self.guests(table), tile])
            if (sexes["f"], sexes["m"]) not in MIXES:
                return "sexes"
        return None

    def fault(self, tile: str, chair: str) -> str | None:
        """Why the guest in hand may not sit there now; None if it may (CB-3 to CB-5)."""
        fault = self.chair_fault(tile, chair)
        if fault is not None:
            return fault
        joined = set(self.lone) & set(self.at[chair])
        if self.lone and (joined != set(self.lone) if self.both else not joined):
            return "no_score"
        if self.enough(tile, chair):
            return None
        if self.placed:
            return "no_score"
        if len(self.hands[self.turn]) < 2:
            return "alone"
        first_of_all = not sum(self.seated) and self.turn == self.starter
        return None if not self.both or first_of_all or self.followed(tile, chair) else "alone"

    def enough(self, tile: str, chair: str) -> bool:
        """CB-5: the guest scores as he must, with nobody's help."""
        worth = self.worth(tile, chair).values()
        return all(worth) if self.both else any(worth)

    def followed(self, tile: str, chair: str) -> bool:
        """CB-5, `between=both`: would some guest whom the box must reckon with find a chair?"""
        lone = [table for table in self.at[chair] if not self.guests(table)]
        hidden = [t for t in self.hands[self.turn] if t != tile and t not in self.known]
        public = {*self.sit.values(), *self.barred, *self.away, *self.gone_jokers, tile}
        known_here = [t for t, seat in self.known.items() if seat == self.turn]
        unknown = [t for t in TILES if t not in self.known and hidden]
        self.sit[chair] = tile
        found = any(
            set(lone) <= set(self.at[place])
            and self.chair_fault(other, place) is None
            and self.enough(other, place)
            for other in known_here + unknown
            if other not in public
            for place in self.chairs[lone[0]]
        )
        cleared = self.app and any(len(self.guests(table)) == 4 for table in self.at[chair])
        del self.sit[chair]
        return found and not cleared

    def fits_somewhere(self, joker: str) -> bool:
        """CB-10."""
        if self.seat_joker and not sum(self.seated) and self.turn == self.starter:
            return True  # CB-6
        return any(
            self.chair_fault(joker, chair) is None and self.enough(joker, chair)
            for chair in self.at
        )

    def broke(self) -> bool:
        """CB-11: the next bar field costs more than the seat has."""
        value = self.bar[len(self.barred)]
        return bool(value < 0 and self.score[self.turn] + value < 0)

    def very_first(self) -> bool:
        """CB-6."""
        return sum(self.seated) == 1 and self.turn == self.starter

    def everywhere(self) -> list[str]:
        """All hundred, wherever they are."""
        hands = [tile for hand in self.hands for tile in hand]
        return [*self.bag, *hands, *self.sit.values(), *self.barred, *self.away]

    # -- what the referee says --------------------------------------------------------------------

    def commanded(self, do: str, fields: dict[str, Any], n: int) -> None:
        self.action = do
        if do in ("place", "bar", "swap"):
            hand = self.hands[self.turn]
            hand.remove(fields["tile"])  # from the real hand, or the test is wrong
            self.known.pop(fields["tile"], None)

    def follow(self, event: tuple[Any, ...]) -> None:
        getattr(self, "see_" + event[0])(*event[1:])

    def see_began(self, seat: int) -> None:
        self.turn = self.starter = seat

    def see_placed(self, seat: int, tile: str, chair: str, scores: Any, points: int) -> None:
        assert seat == self.turn
        worth = self.worth(tile, chair)
        assert dict(scores.items) == worth
        enough = self.enough(tile, chair)
        self.sit[chair] = tile
        full = [table for table in self.at[chair] if len(self.guests(table)) == 4]
        factor = max(len(full), 1) if self.app else 1  # CA-2
        assert points == factor * sum(worth.values())
        self.score[seat] += points
        self.seated[seat] += 1
        self.placed += 1
        self.lone = [] if enough else [table for table in worth if not worth[table]]
        self.completed: list[str] = []
        self.must_complete = full
        self.to_clear = full if self.app else []
        if not self.app and any(self.pure(table, self.guests(table)) for table in full):
            self.one_nation = True
            self.limit[seat] -= 0 if self.leaflet else 1  # CB-8

    def see_completed(self, table: str, one_nation: bool) -> None:
        assert len(self.guests(table)) == 4
        assert one_nation == self.pure(table, self.guests(table))
        self.completed.append(table)

    def see_cleared(self, tables: list[str], factor: int) -> None:
        """CA-2: guests leave, from the neighbours' chairs too."""
        assert tables == self.to_clear == self.completed
        assert factor == len(tables)
        for table in tables:
            for chair in self.chairs[table]:
                if chair in self.sit:
                    self.away.append(self.sit.pop(chair))
        self.waiting = list(tables)
        self.to_clear = []

    def see_table_set(self, table: str, nation: str | None) -> None:
        assert table == self.waiting[0]
        if nation is None:
            assert sum(self.cards.values()) == 24
            self.no_card = True  # CA-4: the tables stay without
            return
        self.waiting.pop(0)
        self.cards[nation] += 1
        assert self.cards[nation] <= 2
        self.nation[table] = nation

    def see_barred(self, seat: int, tile: str, field: int, points: int) -> None:
        value = self.bar[len(self.barred)]
        assert points == (-self.score[seat] if self.broke() else value)
        self.barred.append(tile)
        assert field == len(self.barred)
        self.score[seat] += points

    def see_seat_out(self, seat: int, reason: str) -> None:
        assert (reason, self.score[seat]) == ("cannot_pay", 0)
        self.away += self.hands[seat]
        for joker in [j for j, holder in self.known.items() if holder == seat]:
            del self.known[joker]
            self.gone_jokers.append(joker)
        self.hands[seat] = []
        self.out.append(seat)

    def see_swapped(self, seat: int, joker: str, tile: str, chair: str) -> None:
        assert joker[:2] == "JK" != tile[:2]
        assert joker[2] == tile[2]
        assert tile[:2] in [self.nation[table] for table in self.at[chair]]
        assert self.sit[chair] == joker
        self.sit[chair] = tile
        self.hands[seat].append(joker)
        self.known[joker] = seat
        self.seated[seat] += 1

    def see_drew(self, seat: int, count: int) -> None:
        assert self.action != "swap"
        assert count == self.due() > 0
        self.hands[seat] += [self.bag.pop() for _ in range(count)]
        self.drawn = True

    def see_turn(self, seat: int) -> None:
        """CB-2, CB-13: clockwise, and nothing has ended the game."""
        assert self.ended() == ""
        assert self.drawn or not self.due()
        self.drawn = self.one_nation = False
        following = [(self.turn + step) % self.seats for step in range(1, self.seats + 1)]
        assert seat == next(other for other in following if other not in self.out)
        self.turn = seat
        self.placed = 0
        self.lone = []

    def due(self) -> int:
        """CB-8: how many guests the seat in turn draws now."""
        room = min(self.limit[self.turn] - len(self.hands[self.turn]), len(self.bag))
        if self.leaflet:
            room = 0 if self.one_nation else min(room, 1 if self.action == "bar" else 5)
        return 0 if self.action == "swap" or self.turn in self.out else max(room, 0)

    def ended(self) -> str:
        """CB-13, CA-4 in the order of TRANSCRIPT.md; "" if the game goes on."""
        holds = {
            "last_seat": len(self.out) == self.seats - 1,
            "chairs_full": not self.app and len(self.sit) == len(self.at),
            "bar_full": len(self.barred) == 20,
            "hand_empty": not self.hands[self.turn] and self.turn not in self.out,
            "bag": not self.app and len(self.bag) <= self.bag_end,
            "no_table_card": self.no_card or (self.last_card and sum(self.cards.values()) == 24),
        }
        return next((reason for reason, held in holds.items() if held), "")

    def see_left_over(self, seat: int, tiles: list[str], points: int) -> None:
        """CB-14."""
        assert sorted(tiles) == sorted(self.hands[seat])
        assert points == -sum(10 if tile[:2] == "JK" else 5 for tile in tiles)
        self.score[seat] += points
        self.penalty[seat] = -points
        self.named += tiles

    def see_match_over(self, reason: str, ranking: list[list[int]]) -> None:
        self.reason = reason
        alive = [seat for seat in range(self.seats) if seat not in self.out]
        if not self.app and reason != "last_seat":
            holders = [seat for seat in alive if self.hands[seat]]
            assert sorted(self.named) == sorted(t for seat in holders for t in self.hands[seat])
        keys = {seat: (self.score[seat], -self.penalty[seat], self.seated[seat]) for seat in alive}
        places = [
            [seat for seat in alive if keys[seat] == key]
            for key in sorted(set(keys.values()), reverse=True)
        ]
        assert ranking == places + [[seat] for seat in reversed(self.out)]
