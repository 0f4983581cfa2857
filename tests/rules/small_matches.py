"""Small Trumpf matches for the tests; runs on both interpreters."""

from firmware.games import open_match
from firmware.games.trumpf.rules import Trumpf


def small_deck(values: "list[int | None]", best: str = "high") -> "dict[str, object]":
    """One category `v`; the cards are A1, A2, … B1, … with these values."""
    cards = []
    for place in range(len(values)):
        code = "ABCDEFGHI"[place // 4] + str(place % 4 + 1)
        cards.append({"code": code, "values": [values[place]]})
    return {"categories": [{"key": "v", "best": best}], "cards": cards}


def swiss_header(values: "list[int | None]", **changes: object) -> "dict[str, object]":
    """A Swiss match with a small deck."""
    header = {"schiri": 1, "game": "trumpf", "preset": "swiss", "seats": 2}
    header["deck"] = small_deck(values)
    header.update(changes)
    return header


class Played:
    """A match with short commands: `tap A1`, `call v`, `begin 0`, `undo`; each takes a second."""

    def __init__(self, header: "dict[str, object]", line: str = "") -> None:
        match = open_match(header)
        assert isinstance(match, Trumpf)
        self.match = match
        self.t_ms = 0
        for words in line.split(",") if line else []:
            self.do(words.strip())

    def do(self, words: str, after_ms: int = 1000) -> "object":
        """Apply one command; returns the answer."""
        self.t_ms += after_ms
        command: dict[str, object] = {"t": self.t_ms}
        parts = words.split(" ")
        command["do"] = parts[0]
        if len(parts) > 1:
            field = {"tap": "card", "call": "category"}.get(parts[0], "seat")
            command[field] = int(parts[1]) if field == "seat" else parts[1]
        return self.match.apply(command)

    def names(self, words: str, after_ms: int = 1000) -> "list[object]":
        """The names of the events of one command, or its refusal's reason."""
        answer = self.do(words, after_ms)
        names = [event[0] for event in answer.events]  # type: ignore[attr-defined]
        refusal = answer.refusal  # type: ignore[attr-defined]
        if refusal is not None:
            names.append(refusal.reason)
        return names

    def state(self) -> "tuple[object, ...]":
        """Everything that a refused command must leave as it is."""
        match = self.match
        return (list(match.cells.now), match.awaits(), match.over(), match.result())
