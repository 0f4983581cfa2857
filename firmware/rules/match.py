"""The interface of every game: commands go in, answers come out, and nothing else changes a match.

A game is a subclass. Its table says which command may come in which phase; `apply` looks it up
before anything else, in the order of refusals that TRANSCRIPT.md, *Exactly*, gives for all games:
`over`, `clock_stopped`, `not_now`, `wrong_seat`. What is left to the game's own `do_…` methods are
the reasons of its rules ("check first, change afterwards"). Everything that an undo must restore
lies in `cells`. Time is a number in the command; only a match with a clock looks at it (CL-5).
"""

from array import array

from micropython import const

from .answers import Answer, Awaits, Refusal
from .cells import Cells
from .clock import EXTENSION_MS, MatchClock, duration
from .commands import ANY_SEAT, AWAITED_SEAT, NO_SEAT
from .errors import Malformed
from .fields import need_int, need_str

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from abc import abstractmethod
    from typing import Any

    from .answers import Events, Fields
    from .commands import Row
    from .times import EndOfTime, TurnTime

NOT_NOW = Refusal("not_now", "")
CLOCK_STOPPED = Refusal("clock_stopped", "CL-1")

# The commands of TRANSCRIPT.md. One that a game lacks is refused, any other is malformed; a game
# that is not built in may have more.
ALL_COMMANDS = (
    "begin tap call ask deny lay place bar swap done table_card leftover tick pause resume"
    " penalty forfeit exclude decide undo"
).split(" ")
PHASE = 0  # place of the phase among the cells, in every game

# CL-5: what starts the clock
_STARTS = ("tap", "ask", "lay", "place", "bar", "swap")

# Play, which a pause stops. Each is meant for the phase in which it was made: time that changes
# the phase while the command is on its way leaves it without one (TRANSCRIPT.md, *Time*), but
# for a quartet, which may still be laid (CL-6).
_PLAY = _STARTS + ("begin", "call", "deny", "done", "table_card")


def is_of_game(do: str) -> bool:
    """A command that only a game which is not built in has: it is play, and starts the clock."""
    return do not in ALL_COMMANDS


class Match:
    """One sitting at a table. Subclasses fill `AWAITED` and `TABLE` and write one `do_…` method a
    command of the table.
    """

    # phase -> what `awaits` says; "nothing" is the last phase, in which the match is over
    AWAITED: "tuple[str, ...]" = ()
    # command -> Row (commands.py). A number in its last column has bit p set if the command may
    # lead to phase p; 0: it is `not_now`. tick, undo, pause, resume are the same in every game.
    TABLE: "dict[str, Row]" = {}
    # CL-5: time counts in the phases below this one; in those of SAME_TURN a seat that is still
    # awaited goes on with its turn (CL-7)
    TIMED = 0
    SAME_TURN: "tuple[int, ...]" = ()
    clock: "MatchClock | None" = None
    turns: "TurnTime | None" = None
    _time: "EndOfTime | None" = None

    def __init__(
        self, seats: int, cells: "list[int]", header: "dict[str, Any] | None" = None
    ) -> None:
        """`header`: in a game that ends by `end_by_time` when its clock has run out."""
        self.seats = seats
        if header is not None:
            self._read_times(header, cells)
        self.cells = Cells(cells)
        self.n = 0
        self.t_ms = 0
        # an array grows a little at a time; a list of 256 asks for 2 kB in one piece
        self._accepted = array("I")

    def _read_times(self, header: "dict[str, Any]", cells: "list[int]") -> None:
        """CL-5, CL-7; what time does is only loaded for a match that has some."""
        limit_ms = duration(header, "clock_ms")
        extension_ms = duration(header, "extension_ms") or EXTENSION_MS
        if limit_ms is not None:
            from .times import EndOfTime

            self.clock = MatchClock(limit_ms, extension_ms)
            self._time = EndOfTime(self.clock, len(cells))
            cells.extend((0, 0))
        self._read_turn_time(duration(header, "turn_ms"))

    def _read_turn_time(self, limit_ms: "int | None") -> None:
        if limit_ms is not None:
            from .times import TurnTime

            self.turns = TurnTime(limit_ms, self.seats)

    # -- what a game fills in -------------------------------------------------------------------

    if TYPE_CHECKING:  # MicroPython has no abc; the box need not carry what every game replaces

        @abstractmethod
        def awaited_seat(self) -> "int | None":
            """Whose turn it is; None: nobody in particular."""

        @abstractmethod
        def result(self) -> "Fields":
            """The fields of the result line, in order."""

    def is_begun(self) -> bool:
        """CL-6: something is to be finished before time ends the match."""
        return False

    def end_by_time(self, events: "Events") -> None:
        """CL-6: the match ends as it does otherwise, but for the reason."""

    def end_rule(self, reason: str) -> str:
        """The rule by which a match ends for this reason."""
        return "CL-6" if reason == "time" else ""

    def _look_at_time(self, events: "Events", undone: bool) -> None:
        """Add what the time that has run causes in the present position, before a command or after
        an undo. Only with a clock.
        """
        if self._time is not None:
            self._time.look(self, events)

    def _set_clock(self) -> None:
        """After every command: let the clock run or stand as the position demands. Only with a
        clock.
        """
        if self._time is not None:
            self._time.set_clock(self)

    def _is_time_up(self) -> bool:
        """CL-6: what is finished now was the last."""
        return self._time is not None and self.cells.now[self._time.up] == 1

    def _turn_fields(self) -> "Fields":
        """CL-7, for the result: how often each seat's time for a turn ran out."""
        return [] if self.turns is None else [("turns_up", list(self.turns.counts))]

    def beside(self) -> "list[Any] | None":
        """What changes beside the cells, as JSON has it; `take_beside` gets it. None: the game has
        not said what does, and its matches are always replayed from the beginning.
        """
        return None

    def take_beside(self, kept: "list[Any]") -> None:
        """Stand where `kept` was taken; the cells do already."""

    # -- questions of screens -------------------------------------------------------------------

    def over(self) -> bool:
        """True once `match_over` was given and not taken back."""
        return self.AWAITED[self.cells.now[PHASE]] == "nothing"

    def awaits(self) -> "Awaits":
        """Who must do what next."""
        return Awaits(self.awaited_seat(), self.AWAITED[self.cells.now[PHASE]], ())

    # -- the interface --------------------------------------------------------------------------

    def apply(self, command: "dict[str, Any]") -> "Answer":
        """Judge one command. Raises Malformed for what is no command; then nothing has changed."""
        t_ms = need_int(command, "t")
        if t_ms < self.t_ms:
            raise Malformed("t", "falls" if t_ms >= 0 else "is negative")
        do = need_str(command, "do")
        self._check_shape(do, command)
        self.n += 1
        events: "Events" = []
        self.t_ms = t_ms
        clock = self.clock
        if clock is not None:
            clock.run(t_ms)
        if self.turns is not None:
            self.turns.run(t_ms)
        if do == "undo":
            refusal = self._undo(events)
        else:
            refusal = self._judge(do, command, events)
        if clock is not None:
            self._set_clock()
        if self.turns is not None:
            self.turns.running = self._is_turn()
        return Answer(self.n, events, refusal, self.awaits())

    def numbers(self) -> "list[Any] | None":
        """All that changes, with `parts`: as JSON has it. None as `beside`."""
        beside = self.beside()
        clock = None if self.clock is None else self.clock.numbers()
        if beside is None:
            return None
        noted = None if self._time is None else self._time.reported
        turns = None if self.turns is None else self.turns.numbers()
        return [self.n, self.t_ms, clock, beside, noted, turns]

    def parts(self) -> "list[bytes | bytearray]":
        """The rest, as bytes."""
        parts = self.cells.parts()
        parts.append(bytes(self._accepted))
        if self.turns is not None:
            parts.append(bytes(self.turns.past))
        return parts

    def load(self, numbers: "list[Any]", parts: "list[bytearray]") -> None:
        """Stand, history and all, where both were taken. ValueError if that was another match."""
        if self.turns is not None:
            self.turns.past = array("I", parts[-1])
            parts = parts[:-1]
        self.cells.load(parts[:-1])
        self._accepted = array("I", parts[-1])
        self.n, self.t_ms, clock, beside, noted, turns = numbers
        if self.clock is not None:
            self.clock.load(clock)
        if self._time is not None:
            self._time.reported = noted
        if self.turns is not None:
            self.turns.load(turns)
        self.take_beside(beside)

    def _check_shape(self, do: str, command: "dict[str, Any]") -> None:
        row = self.TABLE.get(do)
        if row is not None:
            row[0](command)
        elif do not in ALL_COMMANDS:
            raise Malformed("do", "is no command: " + do)
        elif do == "undo" and type(command.get("why", "")) is not str:
            raise Malformed("why", "is not a string")

    def _judge(self, do: str, command: "dict[str, Any]", events: "Events") -> "Refusal | None":
        """Time first, then the command (TRANSCRIPT.md, *Time*)."""
        if self.over():
            return self._over()
        phase = self.cells.now[PHASE]
        if self.clock is not None:
            self._look_at_time(events, False)
            self.cells.settle()
            if self.over():
                return None if do == "tick" else self._over()
        turns = self.turns
        if turns is not None and self._is_turn():
            turns.look(self.awaited_seat() or 0, events)
        row = self.TABLE.get(do)
        if row is None:
            return self._judge_common(do)
        refusal = self._out_of_place(do, row, phase) or self._wrong_seat(row, command)
        if refusal is None:
            seat = None if self.turns is None else self.awaited_seat()
            refusal = getattr(self, "do_" + do)(command, events)
            if refusal is None:
                self._accept(do, seat)
        return refusal

    def _over(self) -> Refusal:
        return Refusal("over", self.end_rule(str(dict(self.result())["reason"])))

    def _is_turn(self) -> bool:
        """CL-7: somebody is on turn, and nobody has stopped the time."""
        clock = self.clock
        if self.cells.now[PHASE] >= self.TIMED or (clock is not None and clock.paused):
            return False
        return self.awaited_seat() is not None

    def _accept(self, do: str, seat: "int | None") -> None:
        """Keep what an accepted command has changed; `seat` was awaited before it."""
        time = self._time
        if time is not None and not self.cells.now[time.started]:
            if do in _STARTS or is_of_game(do):
                self.cells.set(time.started, 1)
        self.cells.keep()
        self._accepted.append(self.n)
        turns = self.turns
        if turns is not None:
            same = self.cells.now[PHASE] in self.SAME_TURN and seat == self.awaited_seat()
            if not same and do != "lay":  # a quartet is laid within a turn, by any seat
                turns.begin(len(self._accepted))

    def _judge_common(self, do: str) -> "Refusal | None":
        """What no game has in its table: `tick`, the arbiter's hand on the clock (CL-1), and the
        commands of other games.
        """
        if do == "tick":
            return None
        clock = self.clock
        pause = do == "pause"
        if clock is None or not (pause or do == "resume"):
            return NOT_NOW
        if clock.paused == pause:
            return CLOCK_STOPPED if pause else NOT_NOW
        clock.paused = pause
        return None

    def _out_of_place(self, do: str, row: "Row", made_in: int) -> "Refusal | None":
        """What forbids a command of the table in this phase, whatever its fields say."""
        phase = self.cells.now[PHASE]
        clock = self.clock
        if clock is not None and (do in _PLAY or is_of_game(do)):
            if clock.paused:
                return CLOCK_STOPPED
            if phase != made_in and do != "lay":
                return NOT_NOW
        when = row[3]
        if row[4][phase] and (when is None or when(self)):
            return None
        return NOT_NOW

    def _wrong_seat(self, row: "Row", command: "dict[str, Any]") -> "Refusal | None":
        """The refusal if the command names a seat that may not do it, or to which it may not be
        done.
        """
        whose = row[1]
        if whose == NO_SEAT:
            return None
        awaited = self.awaited_seat()
        seat = command.get("seat", awaited)
        if whose == AWAITED_SEAT:
            right = seat == awaited
        else:
            right = seat is None or 0 <= seat < self.seats
            right = right and (whose == ANY_SEAT or seat != awaited)
        return None if right else Refusal("wrong_seat", row[2])

    def _undo(self, events: "Events") -> "Refusal | None":
        if not self._accepted:
            return Refusal("nothing_to_undo", "")
        self.cells.take_back()
        events.append(("undone", self._accepted[-1]))
        self._accepted = self._accepted[:-1]  # MicroPython's has no pop
        if self.turns is not None:
            self.turns.take_back(len(self._accepted))
        if self.clock is not None:
            self._look_at_time(events, True)
            self.cells.settle()
        return None
