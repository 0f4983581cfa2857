"""What the second referees of Quartett, Café and Hattrick share: counting, `over`, `undo`, time.

They are written from TRANSCRIPT.md alone and share no line with `firmware.rules`: dictionaries in,
dictionaries out, header and shape of a command trusted. `test_second_referees.py` plays random
matches through both and compares every answer. Undo keeps whole copies of the state; no value in
it is deeper than one list or dictionary that changes.
"""

import copy
from typing import Any

Command = dict[str, Any]
Event = dict[str, Any]


class Refused(Exception):
    """A command that changes nothing; the argument is the reason."""


# CL-5: what sets the clock going; what a pause stops
FIRST = {"tap", "ask", "lay", "place", "bar", "swap"}
PLAY = FIRST | {"begin", "deny", "done", "table_card"}


class SecondReferee:
    """A match of Quartett, Café or Hattrick, with or without a clock (CL-5 to CL-7)."""

    def __init__(self, state: dict[str, Any], header: dict[str, Any]) -> None:
        self.s = state
        self.s.update(over=None, started=False, late=False)
        self.n = 0
        self.history: list[tuple[int, dict[str, Any], tuple[int, bool] | None]] = []
        # what an undo leaves alone
        self.clock_ms = header.get("clock_ms")
        self.turn_ms = header.get("turn_ms")
        self.t = self.elapsed = self.turn_used = 0
        self.paused = self.told = self.signalled = False
        self.turns_up = [0] * header["seats"]

    # -- time -------------------------------------------------------------------------------------

    def begun(self) -> bool:
        """CL-6: there is something to finish."""
        raise NotImplementedError

    def time_ends(self, events: list[Event]) -> None:
        """CL-6: nothing is left to finish."""
        raise NotImplementedError

    def goes_on(self) -> bool:
        """CL-7: if the same seat is awaited, it is still the same turn."""
        return False

    def timed(self) -> bool:
        """Neither over nor being counted."""
        return self.s["over"] is None and self.awaits()["for"] not in ("leftover", "lay")

    def pass_time(self, t: int) -> None:
        """Milliseconds go by."""
        if self.timed() and not self.paused:
            if self.clock_ms and self.s["started"]:
                self.elapsed += t - self.t
            if self.awaits()["seat"] is not None:
                self.turn_used += t - self.t
        self.t = t

    def look_at_clock(self, events: list[Event]) -> None:
        """The time-out, once."""
        if not self.clock_ms or self.elapsed < self.clock_ms or self.s["late"]:
            return
        if self.timed():
            self.s["late"] = True
            if not self.told:
                events.append({"is": "time_up", "left_ms": 0})
            self.told = True
            if not self.begun():
                self.time_ends(events)

    def look_at_turn(self, events: list[Event]) -> None:
        """CL-7: signal once a turn."""
        seat = self.awaits()["seat"]
        if not self.turn_ms or self.signalled or self.paused or not self.timed() or seat is None:
            return
        if self.turn_used >= self.turn_ms:
            self.signalled = True
            self.turns_up[seat] += 1
            events.append({"is": "turn_up", "seat": seat, "times": self.turns_up[seat]})

    def new_turn(self) -> None:
        """The next turn."""
        self.turn_used = 0
        self.signalled = False

    def awaits(self) -> dict[str, Any]:
        raise NotImplementedError

    def numbers(self) -> dict[str, Any]:
        raise NotImplementedError

    def apply(self, command: Command) -> dict[str, Any]:
        """The answer to one well-formed command."""
        self.n += 1
        answer: dict[str, Any] = {"n": self.n}
        self.pass_time(command.get("t", self.t))
        events: list[Event] = []
        try:
            self._judged(command, events)
        except Refused as refused:
            answer["refused"] = str(refused)
        if events or "refused" not in answer:
            answer["events"] = events
        answer["awaits"] = self.awaits() if self.s["over"] is None else NOTHING
        return answer

    def fork(self) -> "SecondReferee":
        """The same match once more."""
        twin = copy.copy(self)
        twin.s = {name: copy.copy(value) for name, value in self.s.items()}
        twin.history = list(self.history)
        return twin

    def _judged(self, command: Command, events: list[Event]) -> None:
        do = command["do"]
        if do == "undo":
            if not self.history:
                raise Refused("nothing_to_undo")
            number, self.s, turn = self.history.pop()
            events.append({"is": "undone", "n": number})
            if turn is not None:  # back in the turn before, as it was left
                self.turn_used, self.signalled = turn
            self.look_at_clock(events)
            return
        if self.s["over"] is not None:
            raise Refused("over")
        awaited = self.awaits()["for"]
        self.look_at_clock(events)
        if self.s["over"] is not None:
            need(do == "tick", "over")
            return
        self.look_at_turn(events)
        if do == "tick":
            return
        if do in ("pause", "resume") and self.clock_ms:
            need(do == "resume" or not self.paused, "clock_stopped")
            need(do == "pause" or self.paused, "not_now")
            self.paused = do == "pause"
            return
        judge = getattr(self, "do_" + do, None)
        if judge is None:
            raise Refused("not_now")
        need(not (self.paused and do in PLAY), "clock_stopped")
        need(do == "lay" or do not in PLAY or self.awaits()["for"] == awaited, "not_now")
        self._do(judge, command, events)

    def _do(self, judge: Any, command: Command, events: list[Event]) -> None:
        before = {name: copy.copy(value) for name, value in self.s.items()}
        seat = self.awaits()["seat"]
        done: list[Event] = []
        try:
            judge(command, done)
        except Refused:
            self.s = before
            raise
        events.extend(done)
        if command["do"] in FIRST:
            self.s["started"] = True
        goes_on = self.s["over"] is None and self.awaits()["seat"] == seat and self.goes_on()
        # a quartet anybody may lay, at any time: nobody's turn begins by it
        if goes_on or command["do"] == "lay":
            self.history.append((self.n, before, None))
        else:
            self.history.append((self.n, before, (self.turn_used, self.signalled)))
            self.new_turn()

    def end(self, reason: str, ranking: list[list[int]], events: list[Event]) -> None:
        """The match is over."""
        self.s["over"] = {"reason": reason, "ranking": ranking}
        events.append({"is": "match_over", "reason": reason, "ranking": ranking})

    def result(self) -> dict[str, Any]:
        """What the result line holds."""
        over = self.s["over"]
        turns = {"turns_up": list(self.turns_up)} if self.turn_ms else {}
        return {"over": over is not None, **(over or {}), **self.numbers(), **turns}


NOTHING = {"seat": None, "for": "nothing"}


def need(met: bool, reason: str) -> None:
    """Refuse unless the condition is met."""
    if not met:
        raise Refused(reason)


def places(keys: list[Any]) -> list[list[int]]:
    """Seats by falling key, equal keys share a place."""
    return [
        [seat for seat, own in enumerate(keys) if own == key]
        for key in sorted(set(keys), reverse=True)
    ]
