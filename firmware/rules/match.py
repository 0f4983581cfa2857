"""The door of every game: commands go in, answers come out, and nothing else changes a match.

A game is a subclass. It lists its commands with their fields, judges one command at a time ("check
first, change afterwards"), and keeps everything an undo must restore in `cells`. Time is a number
in the command; only games with a clock look at it.
"""

from micropython import const

from .answers import Answer, Awaits, Refusal
from .cells import Cells
from .errors import Malformed
from .fields import need_int, need_str

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from abc import abstractmethod
    from collections.abc import Callable

OVER = Refusal("over", "TR-10")
NOT_NOW = Refusal("not_now", "")

# The commands of TRANSCRIPT.md. One that a game lacks is refused, any other is malformed; a game
# that is not built in may have more.
ALL_COMMANDS = (
    "begin tap call ask deny lay place bar swap done table_card leftover tick pause resume"
    " penalty forfeit exclude decide undo"
).split(" ")


class Match:
    """One sitting at a table. Subclasses fill `CHECKS` and write one `do_…` method a command."""

    # command -> function(command) that raises Malformed; "tick", "undo" need none
    CHECKS: "dict[str, Callable[[dict[str, object]], None]]" = {}

    def __init__(self, seats: int, cells: "list[int]") -> None:
        self.seats = seats
        self.cells = Cells(cells)
        self.n = 0
        self.t_ms = 0
        self._accepted: "list[int]" = []

    # -- what a game fills in -------------------------------------------------------------------

    if TYPE_CHECKING:  # MicroPython has no abc; the box need not carry what every game replaces

        @abstractmethod
        def awaits(self) -> "Awaits":
            """Who must do what next."""

        @abstractmethod
        def result(self) -> "list[tuple[str, object]]":
            """The fields of the result line, in order."""

        @abstractmethod
        def over(self) -> bool:
            """True once `match_over` was given and not taken back."""

    def _run_clock(self, t_ms: int) -> None:
        """Advance the game's clock to `t_ms`. Games without a clock: nothing."""

    def _look_at_time(self, events: "list[tuple[object, ...]]") -> None:
        """Add what the time that has run causes in the present position, before a command or after
        an undo.
        """

    def _set_clock(self) -> None:
        """After every command: let the clock run or stand as the position demands."""

    # -- the door -------------------------------------------------------------------------------

    def apply(self, command: "dict[str, object]") -> "Answer":
        """Judge one command. Raises Malformed for what is no command; then nothing has changed."""
        do = self._check_shape(command)
        self.n += 1
        events: "list[tuple[object, ...]]" = []
        self.t_ms = command["t"]  # type: ignore[assignment]
        self._run_clock(self.t_ms)
        if do == "undo":
            refusal = self._undo(events)
        else:
            refusal = self._judge(do, command, events)
        self._set_clock()
        return Answer(self.n, events, refusal, self.awaits())

    def _check_shape(self, command: "dict[str, object]") -> str:
        t_ms = need_int(command, "t")
        if t_ms < self.t_ms:
            raise Malformed("t", "falls" if t_ms >= 0 else "is negative")
        do = need_str(command, "do")
        if do not in ALL_COMMANDS and do not in self.CHECKS:
            raise Malformed("do", "is no command: " + do)
        if do == "undo" and type(command.get("why", "")) is not str:
            raise Malformed("why", "is not a string")
        check = self.CHECKS.get(do)
        if check is not None:
            check(command)
        return do

    def _judge(
        self, do: str, command: "dict[str, object]", events: "list[tuple[object, ...]]"
    ) -> "Refusal | None":
        """Time first, then the command (TRANSCRIPT.md, *Time*)."""
        if self.over():
            return OVER
        self._look_at_time(events)
        self.cells.settle()
        if do == "tick":
            return None  # also the tick during which the match ends
        if self.over():
            return OVER
        if do not in self.CHECKS:
            return NOT_NOW
        refusal: "Refusal | None" = getattr(self, "do_" + do)(command, events)
        if refusal is None and do not in ("pause", "resume"):
            self.cells.keep()
            self._accepted.append(self.n)
        return refusal

    def _undo(self, events: "list[tuple[object, ...]]") -> "Refusal | None":
        if not self._accepted:
            return Refusal("nothing_to_undo", "")
        self.cells.take_back()
        events.append(("undone", self._accepted.pop()))
        self._look_at_time(events)
        self.cells.settle()
        return None
