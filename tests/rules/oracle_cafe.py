"""A second, slow and simple referee of the café, with real hands and a real bag.

Written from RULES.md, it shares no code with the first one: dicts of names instead of rows of
numbers, whole copies for undo.
"""

import copy
import random
from typing import Any

NATIONS = ("AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US")
ALL_TILES = [
    nation + sex + str(copy_) for nation in NATIONS for sex in "fm" for copy_ in (1, 2, 3, 4)
] + ["JKf1", "JKf2", "JKm1", "JKm2"]
BALANCED = {(1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)}
BAR = {
    "board": [1, 2, 3, 4, 5, *range(-2, -12, -2), *range(-12, -31, -2)],
    "app": [1, 2, 3, 4, 5, -2, -4, -6, -8, -10, -4, -6, -8, -10, -12, -6, -8, -10, -12, -14],
}


def snapshot(state: dict[str, Any]) -> dict[str, Any]:
    """A copy that shares nothing that is changed in place."""
    copied = {key: copy.copy(value) for key, value in state.items()}
    copied["hands"] = [list(hand) for hand in state["hands"]]
    return copied


class Refused(Exception):
    """The reason of a refusal."""


class Oracle:
    """One café match. `s` is everything an undo restores, real hands and bag included."""

    def __init__(self, header: dict[str, Any], chance: random.Random) -> None:
        self.app = header["preset"] == "app"
        options = header.get("options", {})
        self.full_only = options.get("mono_bonus") == "full_only"
        self.bag_end = options.get("bag_end", 3)
        self.bar = options.get("bar_values", BAR[header["preset"]])
        self.seats: int = header["seats"]
        tables = header["board"]["tables"]
        self.tables = sorted(tables)
        self.chairs = {table: tables[table]["chairs"] for table in self.tables}
        self.at: dict[str, list[str]] = {}
        for table in self.tables:
            for chair in self.chairs[table]:
                self.at.setdefault(chair, []).append(table)
        bag = list(ALL_TILES)
        chance.shuffle(bag)
        n = self.seats
        self.s: dict[str, Any] = {
            "phase": "begin", "turn": None, "starter": None, "placed": 0, "lone": [], "bar": 0,
            "sit": {}, "out": set(), "known": {}, "named": {}, "gone": [], "cleared": [],
            "limit": [5] * n, "score": [0] * n, "seated": [0] * n, "penalty": [0] * n,
            "nation": {table: tables[table]["nation"] for table in self.tables},
            "drawn": [tables[table]["nation"] for table in self.tables], "queue": [],
            "hands": [[bag.pop() for _ in range(5)] for _ in range(n)], "bag": bag,
            "barred": [], "left": [], "reason": None,
        }  # fmt: skip
        self.past: list[tuple[int, dict[str, Any]]] = []
        self.n = 0

    def answer(self, command: dict[str, Any]) -> dict[str, Any]:
        """The answer as the transcript has it, without `rule`."""
        self.n += 1
        if command["do"] == "undo":
            if not self.past:
                return self._refuse("nothing_to_undo")
            number, self.s = self.past.pop()
            return self._accept([{"is": "undone", "n": number}])
        if self.s["phase"] == "nothing":
            return self._refuse("over")
        before = snapshot(self.s)
        events: list[dict[str, Any]] = []
        try:
            getattr(self, "_" + command["do"])(command, events)
        except Refused as refused:
            self.s = before
            return self._refuse(str(refused))
        self.past.append((self.n, before))
        return self._accept(events)

    def fork(self) -> "Oracle":
        """The same match once more."""
        twin = copy.copy(self)
        twin.s = snapshot(self.s)
        twin.past = list(self.past)
        return twin

    def _refuse(self, reason: str) -> dict[str, Any]:
        return {"n": self.n, "refused": {"reason": reason}, "awaits": self.awaits()}

    def _accept(self, events: list[dict[str, Any]]) -> dict[str, Any]:
        return {"n": self.n, "events": events, "awaits": self.awaits()}

    def awaits(self) -> dict[str, Any]:
        s = self.s
        awaits = {"seat": s["turn"] if s["phase"] not in ("begin", "nothing") else None}
        awaits["for"] = s["phase"]
        if s["phase"] == "place" and s["lone"]:
            awaits["tables"] = s["lone"]
        if s["phase"] == "table_card":
            awaits["table"] = s["queue"][0]
        return awaits

    # -- what is what -----------------------------------------------------------------------------

    def guests(self, table: str) -> list[str]:
        return [self.s["sit"][chair] for chair in self.chairs[table] if chair in self.s["sit"]]

    def worth(self, table: str, guests: list[str]) -> int:
        local = all(guest[:2] in (self.s["nation"][table], "JK") for guest in guests)
        if len(guests) < 2:
            return 0
        return len(guests) * (2 if local and (len(guests) == 4 or not self.full_only) else 1)

    def chair_fault(self, tile: str, chair: str) -> str | None:
        if chair in self.s["sit"]:
            return "chair_taken"
        if tile[:2] not in ["JK", *[self.s["nation"][table] for table in self.at[chair]]]:
            return "wrong_nation"
        for table in self.at[chair]:
            sexes = [guest[2] for guest in [*self.guests(table), tile]]
            if (sexes.count("f"), sexes.count("m")) not in BALANCED:
                return "sexes"
        return None

    def points(self, tile: str, chair: str) -> dict[str, int]:
        return {t: self.worth(t, [*self.guests(t), tile]) for t in self.at[chair]}

    def place_fault(self, tile: str, chair: str) -> str | None:
        fault = self.chair_fault(tile, chair)
        if fault:
            return fault
        if self.s["lone"] and not set(self.at[chair]) & set(self.s["lone"]):
            return "no_score"
        if any(self.points(tile, chair).values()):
            return None
        if self.s["placed"]:
            return "no_score"
        return "alone" if len(self.s["hands"][self.s["turn"]]) == 1 else None

    def _tile(self, tile: str) -> None:
        seat = self.s["turn"]
        if tile not in ALL_TILES:
            raise Refused("unknown_card")
        if tile in self.s["out"]:
            raise Refused("already_played")
        if self.s["known"].get(tile, seat) != seat:
            raise Refused("not_in_hand")
        here = [t for t, holder in self.s["known"].items() if holder == seat]
        if tile not in here and len(here) == len(self.s["hands"][seat]):
            raise Refused("not_in_hand")

    def _phase(self, phase: str) -> None:
        if self.s["phase"] != phase:
            raise Refused("not_now")

    # -- commands ---------------------------------------------------------------------------------

    def _begin(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("begin")
        if command["seat"] not in range(self.seats):
            raise Refused("wrong_seat")
        self.s.update(phase="place", turn=command["seat"], starter=command["seat"])
        events.append({"is": "began", "seat": command["seat"]})

    def _play(self, tile: str) -> None:
        """A tile leaves the real hand; a stand-in leaves if the test plays tiles nobody drew."""
        hand = self.s["hands"][self.s["turn"]]
        hand.remove(tile if tile in hand else hand[0])
        self.s["out"].add(tile)
        self.s["known"].pop(tile, None)

    def _place(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("place")
        s, tile, chair, seat = self.s, command["tile"], command["chair"], self.s["turn"]
        self._tile(tile)
        if chair not in self.at:
            raise Refused("unknown_card")
        fault = self.place_fault(tile, chair)
        if fault:
            raise Refused(fault)
        scores = self.points(tile, chair)
        self._play(tile)
        s["sit"][chair] = tile
        full = [table for table in self.at[chair] if len(self.guests(table)) == 4]
        points = sum(scores.values()) * (len(full) if self.app and full else 1)
        s["score"][seat] += points
        s["seated"][seat] += 1
        s["placed"] += 1
        s["lone"] = [] if points else self.at[chair]
        events.append({"is": "placed", "seat": seat, "tile": tile, "chair": chair, "scores": scores, "points": points})  # fmt: skip  # noqa: E501 - one fact
        pure = [
            all(guest[:2] in ("JK", s["nation"][table]) for guest in self.guests(table))
            for table in full
        ]
        for table, one in zip(full, pure, strict=True):
            events.append({"is": "completed", "table": table, "one_nation": one})
        if any(pure) and not self.app:
            s["limit"][seat] -= 1
        if full and self.app:
            for table in full:
                for freed in self.chairs[table]:
                    if freed in s["sit"]:
                        s["cleared"].append(s["sit"].pop(freed))
            events.append({"is": "cleared", "tables": full, "factor": len(full)})
            s.update(phase="table_card", queue=full)
        elif s["placed"] == 2:
            self._turn_over(events, True)

    def _done(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("place")
        if not self.s["placed"]:
            raise Refused("not_now")
        first = sum(self.s["seated"]) == 1 and self.s["turn"] == self.s["starter"]
        if self.s["lone"] and not first:
            raise Refused("alone")
        self._turn_over(events, True)

    def _bar(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("place")
        s, tile, seat = self.s, command["tile"], self.s["turn"]
        if s["placed"]:
            raise Refused("not_now")
        self._tile(tile)
        if tile[:2] == "JK" and any(
            self.chair_fault(tile, chair) is None and any(self.points(tile, chair).values())
            for chair in self.at
        ):
            raise Refused("joker_fits")
        points = self.bar[s["bar"]]
        broke = points < 0 and s["score"][seat] < -points
        if broke and not command.get("forced", False):
            raise Refused("cannot_pay")
        points = -s["score"][seat] if broke else points
        s["score"][seat] += points
        s["bar"] += 1
        self._play(tile)
        s["barred"].append(tile)
        events.append({"is": "barred", "seat": seat, "tile": tile, "field": s["bar"], "points": points})  # fmt: skip  # noqa: E501 - one fact
        if broke:
            s["gone"].append(seat)
            s["left"] += s["hands"][seat]
            for known in [t for t, holder in s["known"].items() if holder == seat]:
                s["out"].add(known)
                del s["known"][known]
            s["hands"][seat] = []
            events.append({"is": "seat_out", "seat": seat, "reason": "cannot_pay"})
        self._turn_over(events, not broke)

    def _swap(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("place")
        s, tile, chair, seat = self.s, command["tile"], command["chair"], self.s["turn"]
        if s["placed"]:
            raise Refused("not_now")
        self._tile(tile)
        if chair not in self.at:
            raise Refused("unknown_card")
        joker = s["sit"].get(chair, "")
        if joker[:2] != "JK":
            raise Refused("no_joker_there")
        if joker[2] != tile[2]:
            raise Refused("sexes")
        if tile[:2] not in [s["nation"][table] for table in self.at[chair]]:
            raise Refused("wrong_nation")
        self._play(tile)
        s["sit"][chair] = tile
        s["out"].remove(joker)
        s["known"][joker] = seat
        s["hands"][seat].append(joker)
        s["seated"][seat] += 1
        events.append(
            {"is": "swapped", "seat": seat, "joker": joker, "tile": tile, "chair": chair}
        )
        self._turn_over(events, False)

    def _table_card(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("table_card")
        s, nation = self.s, command["nation"]
        none_left = len(s["drawn"]) == 24
        if command["table"] != s["queue"][0] or nation not in [None, *NATIONS]:
            raise Refused("bad_value")
        if nation is None and not none_left:
            raise Refused("bad_value")
        if nation is not None and s["drawn"].count(nation) == 2:
            raise Refused("already_played")
        events.append({"is": "table_set", "table": command["table"], "nation": nation})
        if nation is None:
            self._turn_over(events, True, True)
            return
        s["drawn"].append(nation)
        s["nation"][s["queue"][0]] = nation
        s["queue"] = s["queue"][1:]
        if not s["queue"]:
            s["phase"] = "place"
            if s["placed"] == 2:
                self._turn_over(events, True)

    def _leftover(self, command: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self._phase("leftover")
        s, tiles, seat = self.s, command["tiles"], self.s["turn"]
        if command["seat"] != seat:
            raise Refused("wrong_seat")
        if set(tiles) - set(ALL_TILES):
            raise Refused("unknown_card")
        mine = {tile for tile, holder in s["known"].items() if holder == seat}
        if (
            len(tiles) != len(s["hands"][seat])
            or len(set(tiles)) < len(tiles)
            or mine - set(tiles)
        ):
            raise Refused("bad_value")
        if set(tiles) & s["out"]:
            raise Refused("already_played")
        if any(s["known"].get(tile, seat) != seat for tile in tiles):
            raise Refused("not_in_hand")
        if any(tile in s["named"] for tile in tiles):
            raise Refused("not_in_hand")
        s["named"].update({tile: seat for tile in tiles})
        cost = sum(10 if tile[:2] == "JK" else 5 for tile in tiles)
        s["penalty"][seat] = cost
        s["score"][seat] -= cost
        events.append({"is": "left_over", "seat": seat, "tiles": tiles, "points": -cost})
        self._next_leftover(seat + 1, events)

    # -- the end ----------------------------------------------------------------------------------

    def _turn_over(self, events: list[dict[str, Any]], draws: bool, no_card: bool = False) -> None:
        s, seat = self.s, self.s["turn"]
        count = 0
        while draws and len(s["hands"][seat]) < s["limit"][seat] and s["bag"]:
            s["hands"][seat].append(s["bag"].pop())
            count += 1
        if count:
            events.append({"is": "drew", "seat": seat, "count": count})
        s.update(placed=0, lone=[], queue=[], phase="place")
        reason = None
        if len(s["gone"]) == self.seats - 1:
            reason = "last_seat"
        elif not self.app and len(s["sit"]) == len(self.at):
            reason = "chairs_full"
        elif s["bar"] == 20:
            reason = "bar_full"
        elif seat not in s["gone"] and not s["hands"][seat]:
            reason = "hand_empty"
        elif not self.app and len(s["bag"]) <= self.bag_end:
            reason = "bag"
        elif no_card:
            reason = "no_table_card"
        if reason:
            s["reason"] = reason
            if self.app or reason == "last_seat":
                self._over(events)
            else:
                self._next_leftover(0, events)
            return
        following = [(seat + step) % self.seats for step in range(1, self.seats + 1)]
        s["turn"] = next(other for other in following if other not in s["gone"])
        events.append({"is": "turn", "seat": s["turn"]})

    def _next_leftover(self, first: int, events: list[dict[str, Any]]) -> None:
        holders = [seat for seat in range(first, self.seats) if self.s["hands"][seat]]
        if holders:
            self.s.update(phase="leftover", turn=holders[0])
        else:
            self._over(events)

    def _over(self, events: list[dict[str, Any]]) -> None:
        self.s["phase"] = "nothing"
        events.append({"is": "match_over", "reason": self.s["reason"], "ranking": self.ranking()})

    def ranking(self) -> list[list[int]]:
        s = self.s
        alive = [seat for seat in range(self.seats) if seat not in s["gone"]]
        places: list[list[int]] = []
        while alive:
            best = max((s["score"][x], -s["penalty"][x], s["seated"][x]) for x in alive)
            top = [x for x in alive if (s["score"][x], -s["penalty"][x], s["seated"][x]) == best]
            places.append(top)
            alive = [x for x in alive if x not in top]
        return places + [[seat] for seat in reversed(s["gone"])]

    def everywhere(self) -> list[str]:
        """Every tile with its place: chairs, bar, hands, bag, cleared, left with a loser."""
        s = self.s
        hands = [tile for hand in s["hands"] for tile in hand]
        return [*s["sit"].values(), *s["barred"], *hands, *s["bag"], *s["cleared"], *s["left"]]
