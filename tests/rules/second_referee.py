"""What the second referees of Quartett, Café and Hattrick share: counting, `over`, `tick`, `undo`.

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


class SecondReferee:
    """A game without a clock (Quartett, Café, Hattrick)."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.s = state
        self.s["over"] = None
        self.n = 0
        self.history: list[tuple[int, dict[str, Any]]] = []

    def awaits(self) -> dict[str, Any]:
        raise NotImplementedError

    def numbers(self) -> dict[str, Any]:
        raise NotImplementedError

    def apply(self, command: Command) -> dict[str, Any]:
        """The answer to one well-formed command."""
        self.n += 1
        answer: dict[str, Any] = {"n": self.n}
        try:
            answer["events"] = self._judged(command)
        except Refused as refused:
            answer["refused"] = str(refused)
        answer["awaits"] = self.awaits() if self.s["over"] is None else NOTHING
        return answer

    def fork(self) -> "SecondReferee":
        """The same match once more."""
        twin = copy.copy(self)
        twin.s = {name: copy.copy(value) for name, value in self.s.items()}
        twin.history = list(self.history)
        return twin

    def _judged(self, command: Command) -> list[Event]:
        do = command["do"]
        if do == "undo":
            if not self.history:
                raise Refused("nothing_to_undo")
            number, self.s = self.history.pop()
            return [{"is": "undone", "n": number}]
        if self.s["over"] is not None:
            raise Refused("over")
        if do == "tick":
            return []
        judge = getattr(self, "do_" + do, None)
        if judge is None:
            raise Refused("not_now")
        before = {name: copy.copy(value) for name, value in self.s.items()}
        events: list[Event] = []
        try:
            judge(command, events)
        except Refused:
            self.s = before
            raise
        self.history.append((self.n, before))
        return events

    def end(self, reason: str, ranking: list[list[int]], events: list[Event]) -> None:
        """The match is over."""
        self.s["over"] = {"reason": reason, "ranking": ranking}
        events.append({"is": "match_over", "reason": reason, "ranking": ranking})

    def result(self) -> dict[str, Any]:
        """What the result line holds."""
        over = self.s["over"]
        return {"over": over is not None, **(over or {}), **self.numbers()}


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
