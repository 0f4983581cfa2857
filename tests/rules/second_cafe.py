"""A second, independent Café referee (board and app), written from TRANSCRIPT.md alone, as plainly
as possible: every question is answered by looking at all chairs anew.
"""

import re
from typing import Any

from tests.rules.second_referee import Command, Event, Refused, SecondReferee, need, places

NATIONS = ["AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US"]
JOKERS = ["JKf1", "JKf2", "JKm1", "JKm2"]
TILES = [n + s + str(k) for n in NATIONS for s in "fm" for k in range(1, 5)] + JOKERS
ALLOWED = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)]
BARS = {
    "board": "1 2 3 4 5 -2 -4 -6 -8 -10 -12 -14 -16 -18 -20 -22 -24 -26 -28 -30",
    "app": "1 2 3 4 5 -2 -4 -6 -8 -10 -4 -6 -8 -10 -12 -6 -8 -10 -12 -14",
}


def natural(item: tuple[str, Any]) -> list[tuple[int, str]]:
    """The id of a table cut into texts and numbers."""
    parts = re.findall(r"\d+|\D+", item[0])
    return [(int(part), part) if part.isdigit() else (-1, part) for part in parts]


class SecondCafe(SecondReferee):
    """Judges one well-formed match. `board` must be in the header."""

    def __init__(self, header: dict[str, Any]) -> None:
        seats = self.seats = header["seats"]
        self.app = header["preset"] == "app"
        options = header.get("options", {})
        self.full_only = options.get("mono_bonus", "any_size") == "full_only"
        self.both = options.get("between", "either") == "both"
        self.leaflet = options.get("drawing", "shrink") == "leaflet"
        self.joker_waits = options.get("bar_joker", "score") == "seat"
        self.any_nation = options.get("mono", "table") == "same"
        self.last_card = options.get("cards_end", "missing") == "last"
        self.bag_end = options.get("bag_end", 3)
        self.bar_values = options.get(
            "bar_values", [int(value) for value in BARS[header["preset"]].split()]
        )
        # "Field order carries no meaning": board order is that of the ids, 2 before 10
        tables = dict(sorted(header["board"]["tables"].items(), key=natural))
        self.chairs_of = {table: list(spec["chairs"]) for table, spec in tables.items()}
        self.tables_of: dict[str, list[str]] = {}
        for table, chairs in self.chairs_of.items():
            for chair in chairs:
                self.tables_of.setdefault(chair, []).append(table)
        cards = [spec["nation"] for spec in tables.values()]
        super().__init__(
            {
                "phase": "begin",
                "seat": None,
                "starter": None,
                "nation": dict(zip(tables, cards, strict=True)),
                "shown_cards": cards,  # app: every table card drawn so far
                "on": {},  # chair -> tile
                "gone": [],  # bar, cleared, hands of those who are out
                "bar": 0,
                "hand": [5] * seats,
                "jokers": {},  # joker -> the seat known to hold it
                "limit": [5] * seats,
                "bag": 100 - 5 * seats,
                "scores": [0] * seats,
                "out": [],
                "guests": 0,  # placed in this turn
                "no_cards_for": False,  # leaflet: a one-nation table was completed in this turn
                "alone_at": [],  # tables the second guest must go to
                "first_ever": False,  # the lone guest is CB-6's
                "seated": [0] * seats,
                "to_draw": [],  # app: tables that wait for a card
                "no_card": False,
                "named": {},  # leftover: seat -> tiles
                "ending": None,
            },
            header,
        )

    # -- what is asked of the position ------------------------------------------------------------

    def awaits(self) -> dict[str, Any]:
        s = self.s
        if s["phase"] == "begin":
            return {"seat": None, "for": "begin"}
        waiting = {"seat": s["seat"], "for": s["phase"]}
        if s["phase"] == "leftover":
            waiting["seat"] = self.still_to_name()[0]
        if s["phase"] == "table_card":
            waiting["table"] = s["to_draw"][0]
        if s["phase"] == "place" and s["alone_at"]:
            waiting["tables"] = list(s["alone_at"])
        return waiting

    def numbers(self) -> dict[str, Any]:
        return {"scores": list(self.s["scores"])}

    def guests_at(self, table: str, on: dict[str, str]) -> list[str]:
        return [on[chair] for chair in self.chairs_of[table] if chair in on]

    def suits(self, tile: str, chair: str) -> bool:
        nations = [self.s["nation"][table] for table in self.tables_of[chair]]
        return tile in JOKERS or tile[:2] in nations

    def sexes_fit(self, tile: str, chair: str) -> bool:
        on = {**self.s["on"], chair: tile}
        for table in self.tables_of[chair]:
            sexes = [guest[2] for guest in self.guests_at(table, on)]
            if (sexes.count("f"), sexes.count("m")) not in ALLOWED:
                return False
        return True

    def all_local(self, table: str, on: dict[str, str]) -> bool:
        """CB-7: nothing but one nation; which, only `mono=same` leaves open."""
        nations = {guest[:2] for guest in self.guests_at(table, on)} - {"JK"}
        return nations <= {self.s["nation"][table]} or (self.any_nation and len(nations) == 1)

    def score(self, tile: str, chair: str) -> dict[str, int]:
        on = {**self.s["on"], chair: tile}
        scores = {}
        for table in self.tables_of[chair]:
            count = len(self.guests_at(table, on))
            double = self.all_local(table, on) and (count == 4 or not self.full_only)
            scores[table] = 0 if count < 2 else count * (2 if double else 1)
        return scores

    def scores_enough(self, scores: dict[str, int]) -> bool:
        """CB-5: a guest must score; with `between=both` at every table of the chair."""
        return all(scores.values()) if self.both else any(scores.values())

    def partners(self, tile: str, chair: str) -> list[tuple[str, str]]:
        """`between=both`: who might follow a guest, and where, so that both score everywhere."""
        s, seat = self.s, self.s["seat"]
        on = {**s["on"], chair: tile}
        mine = self.tables_of[chair]
        if self.app and any(len(self.guests_at(table, on)) == 4 for table in mine):
            return []  # cleared away before anybody can follow
        opened = [table for table in mine if len(self.guests_at(table, on)) == 1]
        free = []
        for place, tables in self.tables_of.items():
            if place not in on and set(opened) <= set(tables):
                sexes = [[guest[2] for guest in self.guests_at(table, on)] for table in tables]
                if all(sexes):  # else there is a table at which the other would sit alone
                    free.append((place, sexes))
        hidden = self.unseen(seat) - (tile not in s["jokers"])
        found = []
        for other in set(TILES) - {tile} - set(s["gone"]) - set(s["on"].values()):
            if not (s["jokers"][other] == seat if other in s["jokers"] else hidden > 0):
                continue
            woman, man = other[2] == "f", other[2] == "m"
            for place, sexes in free:
                pairs = [(one.count("f") + woman, one.count("m") + man) for one in sexes]
                if all(pair in ALLOWED for pair in pairs) and self.suits(other, place):
                    found.append((other, place))
        return found

    def still_to_name(self) -> list[int]:
        return [
            seat
            for seat in range(self.seats)
            if self.s["hand"][seat] and seat not in self.s["named"]
        ]

    def unseen(self, seat: int) -> int:
        return self.s["hand"][seat] - list(self.s["jokers"].values()).count(seat)

    def check_tile(self, tile: str) -> None:
        s = self.s
        need(tile in TILES, "unknown_card")
        need(tile not in s["gone"] and tile not in s["on"].values(), "already_played")
        if tile in s["jokers"]:
            need(s["jokers"][tile] == s["seat"], "not_in_hand")
        else:
            need(self.unseen(s["seat"]) > 0, "not_in_hand")

    def leave_hand(self, tile: str) -> None:
        self.s["hand"][self.s["seat"]] -= 1
        self.s["jokers"].pop(tile, None)

    # -- commands ---------------------------------------------------------------------------------

    def do_begin(self, c: Command, events: list[Event]) -> None:
        need(self.s["phase"] == "begin", "not_now")
        need(0 <= c["seat"] < self.seats, "wrong_seat")
        self.s.update(phase="place", seat=c["seat"], starter=c["seat"])
        events.append({"is": "began", "seat": c["seat"]})

    def do_place(self, c: Command, events: list[Event]) -> None:
        s, tile, chair = self.s, c["tile"], c["chair"]
        need(s["phase"] == "place", "not_now")
        self.check_tile(tile)
        need(chair in self.tables_of, "unknown_card")
        need(chair not in s["on"], "chair_taken")
        tables = self.tables_of[chair]
        need(self.suits(tile, chair), "wrong_nation")
        need(self.sexes_fit(tile, chair), "sexes")
        scores = self.score(tile, chair)
        points = sum(scores.values())
        very_first = sum(s["seated"]) == 0 and s["seat"] == s["starter"]
        if s["alone_at"]:
            met = [table for table in s["alone_at"] if table in tables]
            need(self.scores_enough(scores), "no_score")
            need(met == s["alone_at"] if self.both else bool(met), "no_score")
            s["alone_at"] = []
        elif not self.scores_enough(scores):
            need(s["guests"] == 0, "no_score")
            need(s["hand"][s["seat"]] > 1 or very_first, "alone")
            need(not self.both or very_first or self.partners(tile, chair), "alone")
            s["alone_at"] = [table for table in tables if scores[table] == 0]
            s["first_ever"] = very_first
        self.leave_hand(tile)
        s["on"][chair] = tile
        s["guests"] += 1
        s["seated"][s["seat"]] += 1
        full = [table for table in tables if len(self.guests_at(table, s["on"])) == 4]
        if self.app and full:
            points *= len(full)
        s["scores"][s["seat"]] += points
        events.append(
            {
                "is": "placed",
                "seat": s["seat"],
                "tile": tile,
                "chair": chair,
                "scores": scores,
                "points": points,
            }
        )
        pure = [self.all_local(table, s["on"]) for table in full]
        for table, one_nation in zip(full, pure, strict=True):
            events.append({"is": "completed", "table": table, "one_nation": one_nation})
        if any(pure) and not self.app:
            s["no_cards_for"] = True
            s["limit"][s["seat"]] -= 0 if self.leaflet else 1
        if self.app and full:
            events.append({"is": "cleared", "tables": full, "factor": len(full)})
            for table in full:
                s["nation"][table] = None
                for place in self.chairs_of[table]:
                    if place in s["on"]:
                        s["gone"].append(s["on"].pop(place))
            s.update(phase="table_card", to_draw=full)
        elif s["guests"] == 2:
            self.end_turn(events, draws=True)

    def do_table_card(self, c: Command, events: list[Event]) -> None:
        s, nation = self.s, c["nation"]
        need(s["phase"] == "table_card", "not_now")
        need(c["table"] == s["to_draw"][0], "bad_value")
        none_left = len(s["shown_cards"]) == 24
        if nation is None:
            need(none_left, "bad_value")
            s["no_card"] = True
        else:
            need(nation in NATIONS, "bad_value")
            need(s["shown_cards"].count(nation) < 2, "already_played")
            s["shown_cards"] = [*s["shown_cards"], nation]
        s["nation"][c["table"]] = nation
        s["to_draw"] = s["to_draw"][1:]
        events.append({"is": "table_set", "table": c["table"], "nation": nation})
        if nation is None or (not s["to_draw"] and s["guests"] == 2):
            self.end_turn(events, draws=True)
        elif not s["to_draw"]:
            s["phase"] = "place"

    def do_bar(self, c: Command, events: list[Event]) -> None:
        s, tile, seat = self.s, c["tile"], self.s["seat"]
        need(s["phase"] == "place" and s["guests"] == 0, "not_now")
        self.check_tile(tile)
        if tile in JOKERS:
            first = sum(s["seated"]) == 0 and seat == s["starter"]  # CB-6: may sit alone
            need(not (first and self.joker_waits), "joker_fits")
            free = [chair for chair in self.tables_of if chair not in s["on"]]
            for chair in free:
                scores = self.scores_enough(self.score(tile, chair))
                need(not (scores and self.sexes_fit(tile, chair)), "joker_fits")
        value = self.bar_values[s["bar"]]
        broke = value < 0 and s["scores"][seat] + value < 0
        need(not broke or c.get("forced", False), "cannot_pay")
        if broke:
            value = -s["scores"][seat]
        self.leave_hand(tile)
        s["gone"].append(tile)
        s["bar"] += 1
        s["scores"][seat] += value
        events.append(
            {"is": "barred", "seat": seat, "tile": tile, "field": s["bar"], "points": value}
        )
        if broke:
            s["out"].append(seat)
            s["hand"][seat] = 0
            for joker in [j for j, holder in s["jokers"].items() if holder == seat]:
                del s["jokers"][joker]
                s["gone"].append(joker)
            events.append({"is": "seat_out", "seat": seat, "reason": "cannot_pay"})
        self.end_turn(events, draws=not broke, at_bar=True)

    def do_swap(self, c: Command, events: list[Event]) -> None:
        s, tile, chair = self.s, c["tile"], c["chair"]
        need(s["phase"] == "place" and s["guests"] == 0, "not_now")
        self.check_tile(tile)
        need(chair in self.tables_of, "unknown_card")
        joker = s["on"].get(chair)
        need(joker in JOKERS, "no_joker_there")
        need(tile[2] == joker[2], "sexes")
        need(tile not in JOKERS and self.suits(tile, chair), "wrong_nation")
        s["on"][chair] = tile
        s["jokers"][joker] = s["seat"]
        s["seated"][s["seat"]] += 1
        events.append(
            {"is": "swapped", "seat": s["seat"], "joker": joker, "tile": tile, "chair": chair}
        )
        self.end_turn(events, draws=False)

    def do_done(self, c: Command, events: list[Event]) -> None:
        s = self.s
        need(s["phase"] == "place" and s["guests"] == 1, "not_now")
        need(not s["alone_at"] or s["first_ever"], "alone")
        self.end_turn(events, draws=True)

    def do_decide(self, c: Command, events: list[Event]) -> None:
        raise Refused("not_now")

    def do_leftover(self, c: Command, events: list[Event]) -> None:
        s, seat, tiles = self.s, c["seat"], c["tiles"]
        need(s["phase"] == "leftover", "not_now")
        need(seat == self.still_to_name()[0], "wrong_seat")
        need(all(tile in TILES for tile in tiles), "unknown_card")
        need(len(tiles) == s["hand"][seat] and len(set(tiles)) == len(tiles), "bad_value")
        mine = [joker for joker, holder in s["jokers"].items() if holder == seat]
        need(all(joker in tiles for joker in mine), "bad_value")
        out = s["gone"] + list(s["on"].values())
        need(not any(tile in out for tile in tiles), "already_played")
        need(all(s["jokers"].get(tile, seat) == seat for tile in tiles), "not_in_hand")
        named = [tile for other in s["named"].values() for tile in other]
        need(not any(tile in named for tile in tiles), "not_in_hand")
        points = sum(-10 if tile in JOKERS else -5 for tile in tiles)
        s["named"][seat] = tiles
        s["scores"][seat] += points
        events.append({"is": "left_over", "seat": seat, "tiles": tiles, "points": points})
        if not self.still_to_name():
            self.finish(events)

    # -- the end of a turn ------------------------------------------------------------------------

    def end_turn(self, events: list[Event], draws: bool, at_bar: bool = False) -> None:
        s, seat = self.s, self.s["seat"]
        if self.leaflet and s["no_cards_for"]:
            draws = False
        if draws:
            count = min(s["limit"][seat] - s["hand"][seat], s["bag"])
            if self.leaflet and at_bar:
                count = min(1, s["bag"])
            if count > 0:
                s["hand"][seat] += count
                s["bag"] -= count
                events.append({"is": "drew", "seat": seat, "count": count})
        s.update(no_cards_for=False, guests=0, alone_at=[], first_ever=False, to_draw=[])
        left = [other for other in range(self.seats) if other not in s["out"]]
        ends = {
            "last_seat": len(left) == 1,
            "chairs_full": len(s["on"]) == len(self.tables_of),
            "bar_full": s["bar"] == 20,
            "hand_empty": any(s["hand"][other] == 0 for other in left),
            "bag": not self.app and s["bag"] <= self.bag_end,
            "no_table_card": s["no_card"] or (self.last_card and len(s["shown_cards"]) == 24),
        }
        reason = next((reason for reason, holds in ends.items() if holds), None)
        if reason or s["late"]:
            self.count(reason or "time", events)
            return
        s["phase"] = "place"
        s["seat"] = next(o % self.seats for o in range(seat + 1, 99) if o % self.seats in left)
        events.append({"is": "turn", "seat": s["seat"]})

    def count(self, reason: str, events: list[Event]) -> None:
        """CB-14, if there is anything in a hand."""
        self.s["ending"] = reason
        if reason == "last_seat" or self.app or not self.still_to_name():
            self.finish(events)
        else:
            self.s["phase"] = "leftover"

    def begun(self) -> bool:
        """A turn with a guest seated."""
        return bool(self.s["guests"])

    def goes_on(self) -> bool:
        return bool(self.s["guests"])

    def time_ends(self, events: list[Event]) -> None:
        """Between two turns."""
        self.count("time", events)

    def finish(self, events: list[Event]) -> None:
        s = self.s
        keys: list[Any] = []
        for seat in range(self.seats):
            if seat in s["out"]:
                keys.append((0, s["out"].index(seat), 0, 0))
                continue
            penalty = sum(-10 if t in JOKERS else -5 for t in s["named"].get(seat, []))
            keys.append((1, s["scores"][seat], penalty, s["seated"][seat]))
        self.end(s["ending"], places(keys), events)
