"""A second, independent Trumpf referee, written from TRANSCRIPT.md alone and as plainly as
possible.

It shares no line with `firmware.rules`: whole state in one dictionary, undo by deep copies,
answers as dictionaries. `test_trumpf_oracle.py` plays random matches through both and compares
every answer.
"""

import copy
from typing import Any

EVENTS_OF_TIME = ("time_up", "extended", "sudden")


class Oracle:
    """Judges one well-formed match; the header is trusted."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.seats = header["seats"]
        self.swiss = header["preset"] == "swiss"
        self.scope_all = header.get("options", {}).get("tie_scope", "all") == "all"
        self.stage = header.get("stage", "group")
        deck = header["deck"]
        self.keys = [c["key"] for c in deck["categories"]]
        self.high = {}
        self.doubled = None
        for place, category in enumerate(deck["categories"]):
            best = category.get("best") or (
                "low" if header["preset"] == "kneipe" and place < 3 else "high"
            )
            self.high[category["key"]] = self.swiss or best == "high"
            if category.get("joker"):
                self.doubled = category["key"]
        self.jokers = {c["code"] for c in deck["cards"] if c.get("joker")}
        self.values = {c["code"]: c.get("values") for c in deck["cards"]}
        self.aside = set(header.get("aside", ()))
        clock = header.get("clock_ms")
        if clock is None and self.swiss:
            clock = 1_200_000 if self.stage == "final" else 600_000
        self.base_limit = clock
        self.extension = header.get("extension_ms") or 180_000
        per_seat = len(deck["cards"]) // self.seats
        # what undo restores
        self.s: dict[str, Any] = {
            "begun": False,
            "caller": None,
            "piles": [[{"known": set(), "unseen": per_seat}] for _ in range(self.seats)],
            "pot": [],  # (owner, card) in the order of the taps
            "round": None,
            "players": None,  # who plays for the pot; None: everybody
            "decide": False,
            "over": None,
            "tapped": False,
            "brought": {},  # card without values in the header -> what its accepted tap said
            "ups": 0,  # time-outs so far
            "extended": False,
            "sudden": False,
        }
        # what undo leaves alone
        self.t = self.elapsed = self.turn_used = 0
        self.signalled = False
        self.turn_ms = header.get("turn_ms")
        self.turns_up = [0] * self.seats
        self.paused = False
        # how often announced, over all time
        self.given = {"time_up": 0, "extended": 0, "sudden": 0}
        self.n = 0
        self.history: list[tuple[int, dict[str, Any]]] = []
        # how the turn stood that each of these ended; None where it went on
        self.turns_ended: list[tuple[int, bool] | None] = []

    # -- commands, judged -----------------------------------------------------------------------

    def apply(self, command: dict[str, Any]) -> dict[str, Any]:
        self.n += 1
        events: list[dict[str, Any]] = []
        over_before = self.s["over"] is not None
        if self.base_limit is not None and self.s["tapped"] and not self.paused:
            if not over_before and not self.s["decide"]:
                self.elapsed += command["t"] - self.t
        if self.on_turn() is not None:
            self.turn_used += command["t"] - self.t
        self.t = command["t"]
        took_back = False
        if command["do"] != "undo":
            took_back = self.look_at_time(events)
            if self.on_turn() is not None and not self.signalled:
                self.look_at_turn(events)
        seat, before = self.awaits()["seat"], len(self.history)
        reason = self.judge(command, over_before, took_back, events)
        awaited = self.awaits()
        answer: dict[str, Any] = {"n": self.n, "awaits": awaited}
        started = self.s["round"] and self.s["round"]["units"]
        if len(self.history) > before:
            same = awaited["seat"] == seat and started
            self.turns_ended.append(None if same else (self.turn_used, self.signalled))
            if not same:
                self.turn_used, self.signalled = 0, False
        elif len(self.history) < before:
            self.turn_used, self.signalled = self.turns_ended.pop() or (
                self.turn_used,
                self.signalled,
            )
        if reason is None:
            answer["events"] = events
        else:
            answer["refused"] = reason
            if events:
                answer["events"] = events
        return answer

    def judge(
        self, command: dict[str, Any], over_before: bool, took_back: bool, events: list
    ) -> str | None:
        do = command["do"]
        if do == "undo":
            if not self.history:
                return "nothing_to_undo"
            number, self.s = self.history.pop()
            events.append({"is": "undone", "n": number})
            self.look_at_time(events, quiet=True)
            return None
        if over_before or (self.s["over"] and do != "tick"):
            return "over"
        if do == "tick":
            return None
        if do in ("pause", "resume"):
            if self.base_limit is None:
                return "not_now"
            if do == "pause" and self.paused:
                return "clock_stopped"
            if do == "resume" and not self.paused:
                return "not_now"
            self.paused = do == "pause"
            return None
        if self.paused and do in ("begin", "tap", "call"):
            return "clock_stopped"
        if took_back and do in ("tap", "call"):
            return "not_now"
        method = getattr(self, "do_" + do, None)
        if method is None:
            return "not_now"
        before = copy.deepcopy(self.s)
        reason = method(command, events)
        if reason is None:
            self.history.append((self.n, before))
        else:
            assert self.s == before
        return reason

    def on_turn(self) -> int | None:
        """CL-7: whose turn it is, unless time is stopped."""
        return None if self.paused or self.s["decide"] else self.awaits()["seat"]

    def look_at_turn(self, events: list[dict[str, Any]]) -> None:
        seat = self.on_turn()
        if self.turn_ms and seat is not None and self.turn_used >= self.turn_ms:
            self.signalled = True
            self.turns_up[seat] += 1
            events.append({"is": "turn_up", "seat": seat, "times": self.turns_up[seat]})

    # -- time -------------------------------------------------------------------------------------

    def look_at_time(self, events: list, quiet: bool = False) -> bool:
        """Returns True if presented cards were taken back."""
        took_back = False
        while (
            self.base_limit is not None
            and not self.s["over"]
            and not self.s["decide"]
            and not self.s["sudden"]
        ):
            limit = self.base_limit + (self.extension if self.s["extended"] else 0)
            if self.elapsed < limit:
                break
            need = 2 if self.s["extended"] else 1
            if self.s["ups"] < need:
                self.s["ups"] = need
                self.announce("time_up", need, 0, events, quiet)
            if self.s["round"] and self.s["round"]["called"]:
                break
            took_back = self.put_back() or took_back
            counts = self.counts()
            if self.stage == "group" or counts[0] != counts[1]:
                places = sorted(set(counts), reverse=True)
                ranking = [[s for s, own in enumerate(counts) if own == c] for c in places]
                self.finish("time", ranking, events)
            elif not self.s["extended"]:
                self.s["extended"] = True
                left = self.base_limit + self.extension - self.elapsed
                self.announce("extended", 1, max(0, left), events, quiet)
            else:
                self.s["sudden"] = True
                self.announce("sudden", 1, 0, events, quiet)
        return took_back

    def announce(self, name: str, number: int, left_ms: int, events: list, quiet: bool) -> None:
        """An undo never repeats what was announced before, in whatever answer (TRANSCRIPT.md,
        *Undo*).
        """
        if not quiet or number > self.given[name]:
            self.given[name] = max(number, self.given[name])
            events.append({"is": name, "left_ms": left_ms})

    def put_back(self) -> bool:
        found = False
        if self.s["round"]:
            for seat, unit in self.s["round"]["units"].items():
                if unit:
                    found = True
                    self.s["piles"][seat].insert(0, {"known": set(unit), "unseen": 0})
        self.s["round"] = None
        if self.s["begun"]:
            self.new_round()
        return found

    # -- where cards are --------------------------------------------------------------------------

    def counts(self) -> list[int]:
        return [sum(len(b["known"]) + b["unseen"] for b in pile) for pile in self.s["piles"]]

    def in_round(self) -> list[str]:
        return [c for unit in (self.s["round"] or {"units": {}})["units"].values() for c in unit]

    def known_with(self, card: str) -> int | None:
        for seat, pile in enumerate(self.s["piles"]):
            if any(card in batch["known"] for batch in pile):
                return seat
        return None

    # -- rounds -----------------------------------------------------------------------------------

    def new_round(self) -> None:
        counts = self.counts()
        playing = [
            s
            for s in range(self.seats)
            if counts[s] and (self.s["players"] is None or s in self.s["players"])
        ]
        self.s["round"] = {
            "units": {},
            "done": [],
            "called": False,
            "category": None,
            "recall": False,
            "playing": playing,
            "choosing": [s for s in playing if counts[s] <= 3],
            "suspects": [],
        }

    def clockwise(self, start: int) -> list[int]:
        return [(start + step) % self.seats for step in range(self.seats)]

    def order(self) -> list[int]:
        r, caller = self.s["round"], self.s["caller"]
        others = [s for s in self.clockwise(caller)[1:] if s in r["playing"]]
        return (
            [caller]
            + [s for s in others if s not in r["choosing"]]
            + [s for s in others if s in r["choosing"]]
        )

    def awaits(self) -> dict[str, Any]:
        if self.s["over"]:
            return {"seat": None, "for": "nothing"}
        if self.s["decide"]:
            return {"seat": None, "for": "decide"}
        if not self.s["begun"]:
            return {"seat": None, "for": "begin"}
        r = self.s["round"]
        if r["recall"]:
            return {"seat": self.s["caller"], "for": "call"}
        for seat in self.order():
            if seat not in r["done"]:
                return {"seat": seat, "for": "tap"}
            if seat == self.s["caller"] and not r["called"] and self.unit_values(r["units"][seat]):
                return {"seat": seat, "for": "call"}
        raise AssertionError("the round should have been judged")

    def unit_values(self, unit: list[str]) -> dict[str, int]:
        """Category -> value as compared, for those the unit has."""
        if unit[-1] in self.jokers:
            return {}
        found = {}
        printed = self.s["brought"].get(unit[-1], self.values[unit[-1]])
        for key, value in zip(self.keys, printed, strict=True):
            if value is not None:
                found[key] = value * 2 ** (len(unit) - 1) if key == self.doubled else value
        return found

    # -- commands ---------------------------------------------------------------------------------

    def do_begin(self, command: dict, events: list) -> str | None:
        if self.s["begun"]:
            return "not_now"
        if not 0 <= command["seat"] < self.seats:
            return "wrong_seat"
        self.s["begun"] = True
        self.s["caller"] = command["seat"]
        self.new_round()
        events.append({"is": "began", "seat": command["seat"]})
        return None

    def do_tap(self, command: dict, events: list) -> str | None:
        waiting = self.awaits()
        if waiting["for"] != "tap":
            return "not_now"
        seat, card = waiting["seat"], command["card"]
        if command.get("seat", seat) != seat:
            return "wrong_seat"
        if card not in self.values:
            return "unknown_card"
        if card in self.aside:
            return "aside"
        if card in self.in_round() or card in [c for _, c in self.s["pot"]]:
            return "already_played"
        pile = self.s["piles"][seat]
        owner = self.known_with(card)
        if owner is not None and owner != seat:
            return "not_yours"
        if owner is None and not any(b["unseen"] for b in pile):
            return "not_yours"
        self.s["tapped"] = True
        bare = card not in self.jokers and not any(v is not None for v in self.values[card])
        said = any(v is not None for v in self.s["brought"].get(card, ()))
        if bare and not said and "values" in command:
            self.s["brought"][card] = command["values"]
        r = self.s["round"]
        front = pile[0]
        in_front = card in front["known"] if owner is not None else front["unseen"] > 0
        if not in_front and seat not in r["choosing"]:
            r["suspects"].append(card)
        for batch in pile:
            if owner is not None and card in batch["known"]:
                batch["known"].discard(card)
                break
            if owner is None and batch["unseen"]:
                batch["unseen"] -= 1
                break
        if seat in r["choosing"]:
            merged = {
                "known": set().union(*(b["known"] for b in pile)),
                "unseen": sum(b["unseen"] for b in pile),
            }
            pile[:] = [merged]
        pile[:] = [b for b in pile if b["known"] or b["unseen"]]
        r["units"].setdefault(seat, []).append(card)
        if card in self.jokers and self.counts()[seat]:
            return None
        r["done"].append(seat)
        events.append({"is": "played", "seat": seat, "cards": list(r["units"][seat])})
        events.extend(
            {"is": "order_suspect", "seat": seat, "card": c, "rule": "TR-13"}
            for c in r["suspects"]
        )
        r["suspects"] = []
        if len(r["done"]) == len(r["playing"]):
            self.all_presented(events)
        return None

    def all_presented(self, events: list) -> None:
        r = self.s["round"]
        caller = self.s["caller"]
        if len(r["playing"]) == 1:
            raise AssertionError("nobody to compare with")
        if not r["called"]:
            self.tie(None, sorted(r["done"]), events)
            return
        if self.swiss:
            other = 1 - caller
            theirs = self.unit_values(r["units"][other])
            if r["category"] not in theirs:
                if set(theirs) & set(self.unit_values(r["units"][caller])):
                    r["recall"] = True
                    events.append(
                        {"is": "value_missing", "seat": other, "category": r["category"]}
                    )
                else:
                    self.tie(None, sorted(r["done"]), events)
                return
        self.verdict(events)

    def do_call(self, command: dict, events: list) -> str | None:
        waiting = self.awaits()
        if waiting["for"] != "call":
            return "not_now"
        category = command["category"]
        if isinstance(category, int):
            if not 0 <= category < len(self.keys):
                return "no_such_category"
            category = self.keys[category]
        if category not in self.keys:
            return "no_such_category"
        r = self.s["round"]
        lying = [self.unit_values(unit) for unit in r["units"].values()]
        if any(category not in values for values in lying):
            return "value_missing"
        r["called"] = True
        r["category"] = category
        events.append({"is": "called", "seat": self.s["caller"], "category": category})
        if r["recall"]:
            r["recall"] = False
            self.verdict(events)
        return None

    def verdict(self, events: list) -> None:
        r = self.s["round"]
        values = {s: self.unit_values(r["units"][s]).get(r["category"]) for s in r["done"]}
        present = [v for v in values.values() if v is not None]
        best = max(present) if self.high[r["category"]] else min(present)
        winners = sorted(s for s, v in values.items() if v == best)
        if len(winners) > 1:
            self.tie(r["category"], winners, events)
            return
        winner = winners[0]
        cards = [c for s in self.clockwise(winner) for c in r["units"].get(s, [])]
        pot = [c for _, c in self.s["pot"]]
        events.append(
            {
                "is": "round_won",
                "seat": winner,
                "category": r["category"],
                "cards": cards + pot,
                "values": [values.get(s) for s in range(self.seats)],
                "pot": len(pot),
            }
        )
        self.s["piles"][winner].append({"known": set(cards + pot), "unseen": 0})
        self.s.update(pot=[], players=None, round=None, caller=winner)
        self.after_round(events, decided=winner)

    def tie(self, category: str | None, seats: list[int], events: list) -> None:
        r = self.s["round"]
        for seat in r["done"]:  # the order of the taps
            self.s["pot"].extend((seat, card) for card in r["units"][seat])
        self.s["round"] = None
        if not self.scope_all:
            self.s["players"] = seats
        events.append(
            {"is": "round_tied", "seats": seats, "category": category, "pot": len(self.s["pot"])}
        )
        self.after_round(events, decided=None)

    def after_round(self, events: list, decided: int | None) -> None:
        if self.s["pot"]:
            self.tr8(events)
        if self.s["over"] or self.s["decide"]:
            return
        counts = self.counts()
        if not self.s["pot"] and 0 in counts:
            if self.seats == 2:
                winner = 0 if counts[0] else 1
                self.finish("all_cards", [[winner], [1 - winner]], events)
            else:
                places = sorted(set(counts), reverse=True)
                ranking = [[s for s in range(self.seats) if counts[s] == c] for c in places]
                self.finish("seat_out", ranking, events)
            return
        if self.s["sudden"] and decided is not None:
            self.finish("time", [[decided], [1 - decided]], events)
            return
        if not self.s["round"]:
            playing = [
                s
                for s in range(self.seats)
                if counts[s] and (self.s["players"] is None or s in self.s["players"])
            ]
            self.s["caller"] = next(s for s in self.clockwise(self.s["caller"]) if s in playing)
            self.new_round()
        self.look_at_time(events)

    def tr8(self, events: list) -> None:
        counts = self.counts()
        players = range(self.seats) if self.s["players"] is None else self.s["players"]
        left = [s for s in players if counts[s]]
        if len(left) > 1:
            return
        pot = self.s["pot"]
        self.s.update(pot=[], players=None)
        if len(left) == 1:
            events.append({"is": "pot_won", "seat": left[0], "pot": len(pot)})
            self.s["piles"][left[0]].append({"known": {c for _, c in pot}, "unseen": 0})
            return
        others = any(counts)
        for seat in range(self.seats):
            mine = {c for owner, c in pot if owner == seat}
            if mine:
                self.s["piles"][seat].append({"known": mine, "unseen": 0})
        events.append({"is": "pot_returned", "counts": self.counts()})
        if others:
            return
        if self.stage == "group":
            self.finish("all_tied", [list(range(self.seats))], events)
        else:
            self.s["decide"] = True

    def do_penalty(self, command: dict, events: list) -> str | None:
        r = self.s["round"]
        if not self.swiss or not self.s["begun"] or self.s["decide"] or (r and r["units"]):
            return "not_now"
        seat = command["seat"]
        if not 0 <= seat < 2:
            return "wrong_seat"
        counts = self.counts()
        moved = 10 if counts[seat] >= 11 else counts[seat]
        counts[seat] -= moved
        counts[1 - seat] += moved
        events.append({"is": "moved", "from": seat, "to": 1 - seat, "count": moved})
        self.s["piles"] = [[{"known": set(), "unseen": c}] if c else [] for c in counts]
        if not counts[seat]:
            pot = [c for _, c in self.s["pot"]]
            if pot:
                events.append({"is": "pot_won", "seat": 1 - seat, "pot": len(pot)})
                self.s["piles"][1 - seat].append({"known": set(pot), "unseen": 0})
                self.s["pot"] = []
            self.finish("all_cards", [[1 - seat], [seat]], events)
        else:
            self.new_round()
        return None

    def lose(self, command: dict, events: list, event: str, reason: str) -> str | None:
        if not self.swiss:
            return "not_now"
        seat = command["seat"]
        if not 0 <= seat < 2:
            return "wrong_seat"
        events.append({"is": event, "seat": seat})
        self.finish(reason, [[1 - seat], [seat]], events)
        return None

    def do_forfeit(self, command: dict, events: list) -> str | None:
        return self.lose(command, events, "forfeited", "forfeit")

    def do_exclude(self, command: dict, events: list) -> str | None:
        return self.lose(command, events, "excluded", "excluded")

    def do_decide(self, command: dict, events: list) -> str | None:
        if not self.s["decide"] and not (self.s["sudden"] and not self.s["over"]):
            return "not_now"
        seat = command["seat"]
        if seat is None:
            return "bad_value"
        if not 0 <= seat < self.seats:
            return "wrong_seat"
        self.put_back()
        self.finish("jury", [[seat], [1 - seat]], events)
        return None

    def finish(self, reason: str, ranking: list[list[int]], events: list) -> None:
        self.s["over"] = {"reason": reason, "ranking": ranking}
        events.append({"is": "match_over", "reason": reason, "ranking": ranking})

    # -- result -----------------------------------------------------------------------------------

    def result(self) -> dict[str, Any]:
        counts = self.counts()
        for seat, unit in (self.s["round"] or {"units": {}})["units"].items():
            counts[seat] += len(unit)
        result: dict[str, Any] = {
            "over": bool(self.s["over"]),
            "counts": counts,
            "pot": len(self.s["pot"]),
        }
        if self.s["over"]:
            result.update(self.s["over"])
            ranking = self.s["over"]["ranking"]
            if self.s["over"]["reason"] in ("forfeit", "excluded"):
                result.update(counts=[12 if s in ranking[0] else 0 for s in range(2)], pot=0)
            if self.swiss:
                level = len(ranking) == 1
                result["points"] = [1 if level else 2 if s in ranking[0] else 0 for s in range(2)]
        if self.turn_ms:
            result["turns_up"] = list(self.turns_up)
        return result
