"""What the public may know of a match while it is played: what lies open on the table.

It is made from the records alone, as they come. A card that was refused, or taken back, is not
shown; what a player holds is not known here at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from firmware.games import open_match
from firmware.rules.errors import Malformed
from host_tools.core.json_types import Json
from host_tools.games import GAMES, table_view
from host_tools.games.table_view import TableView
from host_tools.replay.engines import resolve
from host_tools.replay.wording import Teller


@dataclass(frozen=True)
class PublicStep:
    """A command that was accepted: number, time (ms of play), command and answer of the record;
    `trick`: somebody has won something with it.
    """

    n: int
    t: int
    command: Json
    answer: Json
    trick: bool


@dataclass
class PublicMatch:
    """One match; `take` its records in their order. `say` gives the texts of the box."""

    say: Callable[..., str]
    header: Json = field(default_factory=dict)
    steps: list[PublicStep] = field(default_factory=list)
    tricks: int = 0
    over: bool = False
    _view: TableView | None = None

    def take(self, parts: list[Json]) -> bool:
        """A record: its header, a command with its answer, a result. True if the public sees more
        than before. What the rules do not know ends the match for the public, without a word.
        """
        if not parts:
            return False
        try:
            if not self.header:
                return self._open(parts[0])
            if "result" in parts[0]:
                self.over = True
                return True
            if len(parts) == 2 and self._view is not None:
                return self._play(parts[0])
        # a pushed line may be forged, and hold whatever makes the rules stumble
        except (Malformed, LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
            self._view = None
        return False

    def _open(self, header: Json) -> bool:
        # kept even if the rules refuse it: the next record is no header
        self.header = header
        if header.get("game") in GAMES:
            whole = resolve(header)
            self._view = table_view(whole, open_match(whole), self.say)
            self.header = whole
        return True

    def _play(self, command: Json) -> bool:
        """What the rules answer counts: what came as the box's answer may be anybody's."""
        view = self._view
        assert view is not None
        scores = view.scores()
        answer = view.play(command)
        # the card may go back into a hand: not even its number is used up
        if "refused" in answer:
            return False
        back = {event["n"] for event in answer.get("events", ()) if event.get("is") == "undone"}
        if back:
            # as if it had never been laid
            self.steps = [step for step in self.steps if step.n not in back]
            self.tricks = sum(step.trick for step in self.steps)
            return True
        trick = bool(view.won) or view.scores() != scores
        self.tricks += trick
        self.steps.append(PublicStep(answer["n"], command.get("t", 0), command, answer, trick))
        return True

    def table(self) -> Json:
        """Score and cards by seat, pot, who is awaited, what lies open; {} if nothing is known."""
        view = self._view
        if view is None:
            return {}
        middle = view.middle()
        return {
            "score": view.scores(),
            "cards": view.cards(),
            "pot": middle.get("pot"),
            "awaits": view.match.awaits().seat,
            "shown": view.shown(),
            "won": list(view.won),
            "middle": middle,
            "tricks": self.tricks,
            "over": self.over,
        }

    def sentences(self, lang: str, names: list[str], most: int = 1000) -> list[tuple[int, str]]:
        """The last steps in words, with their time of play in seconds; the newest first."""
        teller = Teller({**self.header, "names": names}, lang)
        found = []
        for step in reversed(self.steps[-most:]):
            found.append((step.t // 1000, teller.sentence(step.command, step.answer)))
        return found

    def feed(self) -> Json:
        """All that programs and pages get, but for names."""
        return {
            "game": self.header.get("game", ""),
            "seats": self.header.get("seats", 0),
            "steps": [[step.n, step.t, step.answer.get("events", [])] for step in self.steps],
            **self.table(),
        }
