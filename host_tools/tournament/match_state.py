"""One match of a tournament and what is known of it."""

from dataclasses import dataclass, field
from typing import Literal

from host_tools.tournament import events as ev
from host_tools.tournament.ko import FINAL
from host_tools.tournament.model import PlayerId, Result, SaysResult, is_level, verdict

Status = Literal["open", "called", "reported", "checked", "locked"]
COUNTS: tuple[Status, ...] = ("checked", "locked")
"""A result counts in the tables once the desk has checked it."""
MATCH_MINUTES = 10
FINAL_MINUTES = 20
"""SW-3."""
EXTENSION_MINUTES = 3
"""SW-5: a level knock-out match."""


def differs(said: SaysResult, counted: Result) -> bool:
    """It says another result than the one that counts; who won a level one is the jury's word."""
    return (said.places or (said.cards, said.kind)) != (
        counted.places or (counted.cards, counted.kind)
    )


@dataclass(frozen=True)
class ManualEntry:
    """A result that somebody entered by hand, while nothing followed it but reports of others.

    `report`: its place among the match's reports; `at` and `seq`: those of its event.
    """

    actor: str
    at: str
    seq: int
    report: int


@dataclass(frozen=True)
class BusyElsewhere:
    """A match that another tournament of the venue has called; `players`: their `name_key`;
    `names`: as everybody may see them.
    """

    name: str
    table: int
    players: frozenset[tuple[str, str]]
    names: tuple[str, str]


@dataclass
class MatchState:
    """One match and what is known of it. Knock-out matches have a `round`, group matches a
    `group`.
    """

    id: ev.MatchId
    a: PlayerId
    b: PlayerId
    group: str | None = None
    round: str | None = None
    swiss_round: int = 0
    """The round of a Swiss, from 1."""
    slot: int = 0
    table: int = 0
    deck: str = ""
    status: Status = "open"
    called_at: str = ""
    call: int = 0
    """The number of the event that called it last: which call is the newer one."""
    started_at: str | None = None
    """When both began to play, if somebody said so; None: only the call is known."""
    box: str | None = None
    """The box that the desk wants to have it, "" for none; None: the box of its table."""
    with_deck: bool = True
    """The box gets the deck of the plan with it."""
    here: list[PlayerId] = field(default_factory=list)
    """Who is at the table, as the box says."""
    deck_back: bool = False
    """The deck of its last call is at the desk again."""
    start_signal: int = 0
    """The number of the desk's signal to begin; 0 for none."""
    time_up: bool = False
    """The box says that its minutes are over."""
    postponed: bool = False
    """It is played later, with the jury's consent (SW-7)."""
    reports: list[ev.Reported] = field(default_factory=list)
    result: Result | None = None
    word: str = ""
    """Why the jury's word decides it, where the cards are level (SW-5)."""
    more: list[PlayerId] = field(default_factory=list)
    """Who else sits at a table of several, behind `a` and `b`."""
    corrections: int = 0
    contradicted: bool = False
    weighed: int = 0
    """So many reports were there when the result was decided; a later one may contradict it."""
    entered: ManualEntry | None = None
    """The last result by hand, as long as it may be undone."""

    def leave_table(self) -> None:
        """Nobody is at a table with it any more."""
        self.called_at, self.call, self.started_at = "", 0, None
        self.here, self.time_up, self.box, self.with_deck = [], False, None, True
        self.start_signal = 0

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """All at the table, seat by seat."""
        return self.a, self.b, *self.more

    @property
    def disagree(self) -> bool:
        """Two reports say different things."""
        return len({verdict(report) for report in self.reports}) > 1

    @property
    def unchecked(self) -> Status:
        """Its status as long as no result counts."""
        if self.reports:
            return "reported"
        return "called" if self.called_at else "open"

    def weigh(self) -> None:
        """A report was taken away: does a late one still contradict the result?"""
        counted = self.result
        late = self.reports[self.weighed :] if counted else []
        # it only ever gets less: a report that is gone cannot contradict anew
        self.contradicted = self.contradicted and any(
            counted and (said.other_rules or differs(said, counted)) for said in late
        )

    @property
    def doubtful(self) -> bool:
        """Somebody must look at the reports: they disagree before the check, or tell of other
        house rules; or one that came after it does.
        """
        # behind the check old disagreement is settled: only what came later counts
        open_question = self.disagree or self.played_otherwise
        return self.contradicted or (open_question and not self.counts)

    @property
    def played_otherwise(self) -> bool:
        """A report tells of other rules than the tournament's."""
        return any(said.other_rules for said in self.reports)

    @property
    def by_word(self) -> bool:
        """The cards are level and the jury has said who won (SW-5)."""
        said = self.result
        if said is None or said.winner is None or said.places:
            return False
        return is_level(said.cards, said.kind)

    @property
    def counts(self) -> bool:
        """The desk has checked the result."""
        return self.status in COUNTS

    @property
    def stage(self) -> Literal["group", "ko", "final"]:
        """As the header of a match has it (TRANSCRIPT.md): decides on draws and extension."""
        if self.round is None:
            return "group"
        return "final" if self.round == FINAL else "ko"

    @property
    def longest_minutes(self) -> int:
        """After so many minutes of play it should be over, extension included (SW-3, SW-5)."""
        return self.minutes + (EXTENSION_MINUTES if self.round is not None else 0)

    @property
    def minutes(self) -> int:
        """How long it lasts at most, without extension (SW-3)."""
        return FINAL_MINUTES if self.stage == "final" else MATCH_MINUTES
