"""One open match: every command gets its time, is judged by the rules and kept in the journal.

Nothing is shown before the journal has it on the flash. After a power cut the journal is replayed
and the match stands where it stood, paused (CL-2).
"""

import json

from micropython import const

from firmware.app.memory import collect_every, free_bytes, with_reserve
from firmware.rules.answers import write_answer, write_awaits, write_both, write_result

# While a match is replayed: what stays of it would lie all over the memory otherwise. A collection
# takes 25 ms, so they are rare where there is room.
_SWEPT_BYTES = const(49152)
_KEEP_EVERY = const(32)  # commands
TICK_EVERY_MS = const(4000)  # CL-2: a power cut may cost at most 5 s of clock

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from firmware.rules.answers import Answer
    from firmware.rules.match import Match

    from .journal import Journal


def _agrees(answer: "Answer", text: str) -> bool:
    """True if `text` says of this answer its number, what comes next, how many events, and
    whether it refuses. No text inside JSON can look like these.
    """
    return (
        text.startswith('{"n":%d,' % answer.n)
        and text.find('"for":"' + answer.awaits.what + '"') > 0
        and text.count('{"is":"') == len(answer.events)
        and (text.find('"refused":{') > 0) == (answer.refusal is not None)
    )


def _is_written(answer: "Answer", text: str) -> bool:
    """True if `text` says this answer, whole; perhaps with other spaces."""
    written = write_answer(answer)
    same: bool = written == text or json.loads(written) == json.loads(text)
    return same


class Session:
    """A match with its journal. `header` is the transcript header, `own_values` added.

    `t_ms` is the match's own time (TRANSCRIPT.md): it only rises, whatever the tick counter does.
    """

    def __init__(
        self, match: "Match", header: "dict[str, Any]", journal: "Journal", clock: "Any"
    ) -> None:
        self._kept_n = 0  # the command after which a checkpoint was written, or tried, last
        self.match = match
        self.header = header
        self.journal = journal
        self.t_ms = 0
        self.differs = 0  # answers that a replay computed differently: a damaged journal
        self._clock = clock
        self._last_ticks: int = clock.ticks_ms()

    # -- time --

    def advance(self, now_ms: int) -> None:
        """Let time pass up to the tick count `now_ms`; call it at least every few days (CL-1)."""
        passed = self._clock.ticks_diff(now_ms, self._last_ticks)
        if passed > 0:
            self.t_ms += passed
            self._last_ticks = now_ms

    def runs(self) -> bool:
        """True while the match clock counts down."""
        clock = self.match.clock
        return clock is not None and clock.running

    def paused(self) -> bool:
        """True while the arbiter has stopped the match clock."""
        clock = self.match.clock
        return clock is not None and clock.paused

    def left_ms(self) -> int:
        """What the match clock shows now, never below 0; -1 in a match without a clock."""
        clock = self.match.clock
        return -1 if clock is None else clock.left_ms(self.t_ms)

    def tick_due(self) -> bool:
        """True when time alone should be told to the rules: every 4 s, at once at zero and when
        the time of a turn has run out (CL-7).
        """
        turns = self.match.turns
        if turns is not None and turns.is_due(self.t_ms):
            return True
        if not self.runs():
            return False
        if self.left_ms() == 0:
            clock = self.match.clock
            return clock is not None and clock.left_ms() > 0  # at the last command
        return self.t_ms - self.match.t_ms >= TICK_EVERY_MS

    # -- commands --

    def apply(self, do: str, fields: "Sequence[tuple[str, object]]" = ()) -> "Answer":
        """Judge a command now. Returns after the journal has it; OSError if it cannot."""
        command: "list[tuple[str, object]]" = [("t", self.t_ms), ("do", do)]
        command.extend(fields)
        answer = self.match.apply(dict(command))
        try:
            texts = write_both(command, answer)
        except MemoryError:
            texts = with_reserve(write_both, command, answer)
        self.journal.append_ahead(*texts)
        return answer

    def keep(self, build: str) -> None:
        """Write a checkpoint when it is time; called when everybody has seen the answer."""
        if self.match.n - self._kept_n < _KEEP_EVERY or self.differs:
            return
        self._kept_n = self.match.n
        from firmware.app import checkpoint

        try:
            checkpoint.write(self.journal, self.match, build)
        except (OSError, MemoryError):
            pass  # the journal has all of it

    def stand_at(self, numbers: "Any", parts: "Any", answer: str) -> bool:
        """Take over a checkpoint. False if the match does not await what `answer` says then."""
        match = self.match
        match.load(numbers, parts)
        self.t_ms = match.t_ms
        self._kept_n = match.n
        return answer.startswith('{"n":%d,' % match.n) and answer.endswith(
            write_awaits(match.awaits())
        )

    def close(self) -> None:
        """The result is final: written and sealed."""
        self.journal.close(write_result(self.match.result()))

    def replay(self, lines: "Any") -> None:
        """Apply what the journal holds, (command, answer) by (command, answer).

        The journal has checked its bytes. What the rules say to them now is compared in outline,
        and the last answer whole: writing each again takes longer than judging it. The desk
        compares all of them (docs/decisions/journal.md).
        """
        before = collect_every(min(_SWEPT_BYTES, free_bytes() // 2))
        try:
            self._replay(lines)
        finally:
            collect_every(before)
        self._last_ticks = self._clock.ticks_ms()
        if self.runs():
            self.apply("pause", (("why", "power"),))

    def _replay(self, lines: "Any") -> None:
        last = None
        for command_text, answer_text in lines:
            command = json.loads(command_text)
            if "do" not in command:
                continue  # the result line of a match whose seal was never written
            self.t_ms = command["t"]
            answer = self.match.apply(command)
            if answer_text:
                last = answer, answer_text
                if not _agrees(answer, answer_text) and not _is_written(answer, answer_text):
                    self.differs += 1
        if last is not None and not _is_written(*last):
            self.differs += 1

    # -- words --

    def seat_name(self, seat: int) -> str:
        """The player's name, or "" if nobody told it."""
        names = self.header.get("names")
        return names[seat] if names else ""
