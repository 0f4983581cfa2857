"""What can happen in a tournament. The log of these events is the truth; everything else is a fold
over it.

An event is never changed or removed: a correction is one more event (SW-9, TO-5).
"""

from typing import Literal

import msgspec

from host_tools.tournament.model import (
    SEATS,
    Entrant,
    Group,
    HallRoom,
    Kind,
    PlayerId,
    TournamentMode,
    TournamentRecord,
)

MatchId = str
Source = Literal["box", "slip", "paper", "jury"]
Trust = Literal["verified", "unverified", "contested"]
Penalty = Literal["warning", "cards"]
# not a person's words: forgetting leaves it, and pages say it in their language
WALKOVER = "walkover"
"""The reason of matches that are lost because a player has left."""


class Body(TournamentRecord, frozen=True, kw_only=True, tag_field="is"):
    """What happened; `is` names it in the log."""


class Created(Body, frozen=True, tag="created"):
    """The tournament exists. `compare`: see standings.Compare; `legs`: how often a pair of a group
    meets; `rounds` of a Swiss or of tables of several, 0: as many as the draw finds are needed;
    `advance`: so many of each group go into the Swiss behind the groups; `seats`: at most so many
    at a table of several; `points`: what its places are worth, if not as `standings.place_points`
    has it; `game`: what boxes play there (`assigning.games_of_several`), "" for what the players
    choose.
    """

    name: str
    ko_size: int = 64
    tables: int = 1
    decks: list[str] = msgspec.field(default_factory=list)
    # `schedule.SLOT_MINUTES`, which cannot be imported here: that module imports this one
    slot_minutes: int = 13
    compare: Literal["raw", "per-match"] = "raw"
    begins: str = ""
    """When the first slot is to be called, as UTC in ISO 8601; "" if nobody has said so."""
    # a field needs a default: a log that was written without it must still be read
    mode: TournamentMode = "groups"
    legs: int = 1
    rounds: int = 0
    seats: int = SEATS
    points: list[int] = msgspec.field(default_factory=list)
    advance: int = 2
    game: str = ""
    # only values of a menu come in, so that a log can be read without knowing any
    options: dict[str, str | int] = msgspec.field(default_factory=dict)
    """The house rules of that game and the time of a turn (rule_options.py)."""
    halls: list[HallRoom] = msgspec.field(default_factory=list)
    """Its rooms, if there are several or it has a name."""
    team_best: int = 0
    """So many of a club count for it as a team; 0: all."""
    venue: str = ""
    """Tournaments of a database with the same word here share tables and players."""


class PlayerAdded(Body, frozen=True, tag="player_added"):
    """An entrant; `late`: after the draw, by the desk's decision."""

    player: Entrant
    late: bool = False


class PlayerChanged(Body, frozen=True, tag="player_changed"):
    """Name, club or seed were wrong; the id stays."""

    player: Entrant


class PlayerRemoved(Body, frozen=True, tag="player_removed"):
    """An entry was a mistake, a double for example; entering the id again takes it back."""

    player: PlayerId


class PlayerStruck(Body, frozen=True, tag="player_struck"):
    """An entry was a mistake and had been drawn already: it leaves its group, and its matches,
    none of which had begun, are gone.
    """

    player: PlayerId


class PlayerMerged(Body, frozen=True, tag="player_merged"):
    """Two entries were one person: `player` is gone, and what names that id (a badge, a slip)
    means `into`.
    """

    player: PlayerId
    into: PlayerId


class PublicNames(Body, frozen=True, tag="public_names"):
    """Whether pages that everybody sees have short names, `Anna E.`"""

    short: bool


class CheckedIn(Body, frozen=True, tag="checked_in"):
    """A player is (or is not) in the hall; `together`: with so many at once, by one press."""

    player: PlayerId
    present: bool = True
    # so that one press can take back all of them
    together: int = 0


class Withdrawn(Body, frozen=True, tag="withdrawn"):
    """A player leaves the tournament; open matches become forfeits by events of their own."""

    player: PlayerId


class Excluded(Body, frozen=True, tag="excluded"):
    """The jury excludes a player (SW-9)."""

    player: PlayerId


class Reinstated(Body, frozen=True, tag="reinstated"):
    """A withdrawal or exclusion was a mistake; forfeits stand until they are voided."""

    player: PlayerId


class Changed(Body, frozen=True, tag="changed"):
    """The jury adapts the mode (seed 001, footnote); None: as before. With another `mode` or other
    `legs` what was drawn is gone.
    """

    ko_size: int | None = None
    tables: int | None = None
    decks: list[str] | None = None
    slot_minutes: int | None = None
    compare: Literal["raw", "per-match"] | None = None
    begins: str | None = None
    mode: TournamentMode | None = None
    legs: int | None = None
    rounds: int | None = None
    seats: int | None = None
    points: list[int] | None = None
    advance: int | None = None
    game: str | None = None
    options: dict[str, str | int] | None = None
    team_best: int | None = None
    venue: str | None = None

    def applied_to(self, setup: Created) -> Created:
        """`setup` as it is from now on."""
        given = msgspec.structs.asdict(self).items()
        # None is "as before", so an empty list or 0 still says something
        return msgspec.structs.replace(setup, **{k: v for k, v in given if v is not None})


class GroupsDrawn(Body, frozen=True, tag="groups_drawn"):
    """The groups and the random seed that gave them; a later one replaces it while nothing was
    played. `behind`: the Swiss of those who go on from the groups, which stay.
    """

    groups: list[Group]
    random_seed: int
    behind: bool = False


class Joined(Body, frozen=True, tag="joined"):
    """A player comes into a group after the draw."""

    group: str
    player: PlayerId


class MatchPlanned(Body, frozen=True, tag="match_planned"):
    """A group match has a slot, a table and a deck. `more`: who sits behind `a` and `b` at a table
    of several.
    """

    match: MatchId
    group: str
    a: PlayerId
    b: PlayerId
    slot: int
    table: int
    deck: str = ""
    more: list[PlayerId] = msgspec.field(default_factory=list)

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return self.a, self.b, *self.more


class RoundPaired(Body, frozen=True, tag="round_paired"):
    """A round of a Swiss; the matches planned behind it are its matches. `bye`: who has no
    opponent, "" for nobody; `paused`: who sits it out; `engine`: what paired it, with its version;
    `trf`: what it was given, a tournament report of FIDE without names (`swiss.report`). Of tables
    of several `tables`, seat by seat, and the `random_seed` of their search.
    """

    round: int
    pairs: list[tuple[PlayerId, PlayerId]]
    bye_points: int
    # `verify` pairs again only with the same version
    engine: str
    # kept whole, so that anybody can pair the round again, with this engine or another
    trf: str
    bye: PlayerId = ""
    paused: list[PlayerId] = msgspec.field(default_factory=list)
    tables: list[list[PlayerId]] = msgspec.field(default_factory=list)
    random_seed: int = 0


class RoundUnpaired(Body, frozen=True, tag="round_unpaired"):
    """The last pairing does not hold: nobody was called yet."""

    round: int


class Paused(Body, frozen=True, tag="paused"):
    """A player sits out the next round that is paired, or after all does not (`back`)."""

    player: PlayerId
    back: bool = False


class Called(Body, frozen=True, tag="called"):
    """A match was called to a table: the late timer runs from here (CL-4)."""

    match: MatchId
    table: int
    deck: str = ""  # "": the deck of the plan stays


class Reported(Body, frozen=True, tag="reported"):
    """One report of a result. A match may have several: one of the box, one of the slip.
    `places` at a table of several, as in `model.Result`, also of a check and a correction.

    `box` and `journal`: who wrote it, and the digest of the log that proves it (TO-5).
    """

    match: MatchId
    cards: tuple[int, ...]
    kind: Kind = "played"
    source: Source = "paper"
    winner: PlayerId | None = None
    box: str = ""
    journal: str = ""
    duration_s: int | None = None
    trust: Trust = "unverified"
    places: list[int] = msgspec.field(default_factory=list)
    other_rules: dict[str, str | int] = msgspec.field(default_factory=dict)
    """By which rules it was played that are not the tournament's (`rule_options.otherwise`)."""


class BoxGiven(Body, frozen=True, tag="box_given"):
    """The desk wants this box to have the match, whatever its table; `box` "": no box shall.
    `with_deck`: with the deck of the plan, else the players lay down a card of theirs.
    """

    match: MatchId
    box: str = ""
    with_deck: bool = True


class DeckBack(Body, frozen=True, tag="deck_back"):
    """The deck that lay on the match's table is at the desk again; `back` false: it is not, after
    all.
    """

    match: MatchId
    back: bool = True


class AtTable(Body, frozen=True, tag="at_table"):
    """So far these players have tapped their badge at the table, or pressed OK."""

    match: MatchId
    players: list[PlayerId]


class Started(Body, frozen=True, tag="started"):
    """Both players are at the table and play: from its `at` the match runs, not from its call.
    `since`: the same moment, where a box knows it better than who asks it.
    """

    match: MatchId
    since: str = ""


class StartSignal(Body, frozen=True, tag="start_signal"):
    """The desk starts these matches, which are called and have not begun; their boxes say so."""

    matches: list[MatchId]


class TimeUp(Body, frozen=True, tag="time_up"):
    """The box says that the minutes of the match are over (SW-3)."""

    match: MatchId


class TakenBack(Body, frozen=True, tag="taken_back"):
    """A report by hand was a mistake. `report`: its place among the match's reports, from 0;
    `reopens`: the result rested on it alone, and counts no more; the rest so that the log reads by
    itself.
    """

    match: MatchId
    # reports have no ids, but the same order at every desk: the log's
    report: int
    cards: tuple[int, ...]
    source: Source = "paper"
    places: list[int] = msgspec.field(default_factory=list)
    reopens: bool = False


class Undone(Body, frozen=True, tag="undone"):
    """Who entered a result by hand undid it within a minute: the report is gone, and the check
    that came with it. `report`, `cards` and `source` as in `TakenBack`.
    """

    match: MatchId
    report: int
    cards: tuple[int, ...]
    source: Source = "paper"
    places: list[int] = msgspec.field(default_factory=list)


class Checked(Body, frozen=True, tag="checked"):
    """The desk has compared the reports; this result counts."""

    match: MatchId
    cards: tuple[int, ...]
    kind: Kind = "played"
    winner: PlayerId | None = None
    places: list[int] = msgspec.field(default_factory=list)


class Locked(Body, frozen=True, tag="locked"):
    """The result is final; only the jury changes it now, by a correction."""

    match: MatchId


class Corrected(Body, frozen=True, tag="corrected"):
    """A result was wrong. `old` as it stood, so that the log reads by itself. `seeds_kept`: by the
    tables the drawn tree would be seeded otherwise now, and the jury let it stand.
    """

    match: MatchId
    old: tuple[int, ...]
    cards: tuple[int, ...]
    kind: Kind = "played"
    winner: PlayerId | None = None
    forced: bool = False  # for people who read the log: the fold does not use it
    seeds_kept: bool = False
    places: list[int] = msgspec.field(default_factory=list)
    old_places: list[int] = msgspec.field(default_factory=list)


class Voided(Body, frozen=True, tag="voided"):
    """A result no longer counts, the match is open again (replay of a forfeit, or a forced
    correction).
    """

    match: MatchId


class LotDrawn(Body, frozen=True, tag="lot_drawn"):
    """The lot, in drawn order (TO-2)."""

    players: list[PlayerId]


class KoDrawn(Body, frozen=True, tag="ko_drawn"):
    """The knock-out tree: players in seed order."""

    seeds: list[PlayerId]


class Unplaced(Body, frozen=True, tag="unplaced"):
    """A finished match as a box or slip tells it. In the log: it fits no match, and somebody at
    the desk must say where it belongs.

    `journal`: digest of the journal, or head of the chain that the slip names; `counts` by seat,
    none if they cannot be read; `ranking` seats by place; `players`: "" for a seat without an id;
    `stage`: "" of a slip, which does not say; `received`: when the laptop got it, for people.
    """

    source: Source
    label: str
    box: str
    journal: str
    trust: Trust
    counts: tuple[int, ...]
    ranking: list[list[int]]
    reason: str
    names: list[str]
    players: list[PlayerId]
    tournament: str
    match: MatchId
    stage: str
    table: int
    duration_s: int | None
    received: str
    rules: dict[str, str | int] = msgspec.field(default_factory=dict)
    """What it was played by (`rule_options.played_by`)."""
    events: list[str] = msgspec.field(default_factory=list)
    """Of the badges, by seat; "" for one that names none."""


class Dismissed(Body, frozen=True, tag="dismissed"):
    """An unplaced result belongs to no match; the reason stands beside it."""

    journal: str
    label: str


class Announced(Body, frozen=True, tag="announced"):
    """A sentence for everybody in the hall, until it is taken down."""

    text: str


class AnnouncementEnded(Body, frozen=True, tag="announcement_ended"):
    """An announcement is taken down. `announcement`: the number of its event."""

    # an event's number names it for good: none is removed, and forgetting keeps them
    announcement: int


class Forgotten(Body, frozen=True, tag="forgotten"):
    """The names of `players` players, and what people wrote, were taken out of the log: all names,
    or those of `player` alone.
    """

    players: int
    player: PlayerId = ""


class Postponed(Body, frozen=True, tag="postponed"):
    """A match is played later, with the jury's consent (SW-7); the next `called` ends it."""

    match: MatchId


class ProtestFiled(Body, frozen=True, tag="protest_filed"):
    """A player protests in writing and has paid a deposit (seed 001); `match`: "" for none."""

    player: PlayerId
    text: str
    deposit: str = ""
    match: MatchId = ""


class ProtestDecided(Body, frozen=True, tag="protest_decided"):
    """The jury has decided. `protest`: the number of the event that filed it; `effect`: "void" if
    its match is open again by it.
    """

    protest: int
    upheld: bool
    text: str
    deposit_back: bool = False
    effect: Literal["", "void"] = ""


class Observed(Body, frozen=True, tag="observed"):
    """What an undercover referee reports to the jury, who alone reads it."""

    text: str
    player: PlayerId = ""
    match: MatchId = ""


class Penalized(Body, frozen=True, tag="penalized"):
    """A player was warned, or had to hand over `cards` (SW-8). It counts nothing by itself."""

    player: PlayerId
    kind: Penalty
    text: str
    match: MatchId = ""
    # the result of the match has them already: a penalty moves none
    cards: int = 0


class PenaltyLifted(Body, frozen=True, tag="penalty_lifted"):
    """A penalty was a mistake. `note`: the number of its event."""

    note: int


class SignupsSet(Body, frozen=True, tag="signups_set"):
    """The public page for signing up is open, or closed. `limit`: so many players, who comes later
    waits (0: no limit); `asks`: it asks how to reach them.
    """

    open: bool
    limit: int = 0
    asks: bool = False


class SignedUp(Body, frozen=True, tag="signed_up"):
    """Somebody wants to play and is not confirmed yet. `contact`: mail or phone, for the desk
    alone; `forgetting` takes it out.
    """

    name: str
    club: str = ""
    contact: str = ""


class SignupSettled(Body, frozen=True, tag="signup_settled"):
    """The desk has confirmed a sign-up (by its event's number) as `player`, or declined it: ""."""

    signup: int
    player: PlayerId = ""


# by hand: what a stored log may hold follows from no import
AnyBody = (
    Created
    | PlayerAdded
    | PlayerChanged
    | PlayerRemoved
    | PlayerStruck
    | PlayerMerged
    | PublicNames
    | CheckedIn
    | Withdrawn
    | Excluded
    | Reinstated
    | Changed
    | GroupsDrawn
    | Joined
    | MatchPlanned
    | RoundPaired
    | RoundUnpaired
    | Paused
    | Called
    | Reported
    | BoxGiven
    | DeckBack
    | AtTable
    | Started
    | StartSignal
    | TimeUp
    | TakenBack
    | Undone
    | Checked
    | Locked
    | Corrected
    | Voided
    | LotDrawn
    | KoDrawn
    | Unplaced
    | Dismissed
    | Announced
    | AnnouncementEnded
    | Forgotten
    | Postponed
    | ProtestFiled
    | ProtestDecided
    | Observed
    | Penalized
    | PenaltyLifted
    | SignupsSet
    | SignedUp
    | SignupSettled
)


WRITTEN = ProtestFiled | ProtestDecided | Observed | Penalized | Announced
"""Bodies whose `text` somebody has written."""


class LogEntry(TournamentRecord, frozen=True, kw_only=True):
    """An entry of the log: number from 1 without gaps, UTC time, who, why, and what."""

    seq: int
    at: str
    actor: str
    body: AnyBody
    why: str = ""


def encode(event: LogEntry) -> str:
    """One line of the NDJSON log."""
    return msgspec.json.encode(event).decode()


def decode(line: str | bytes) -> LogEntry:
    """Read one line; raises msgspec.DecodeError."""
    try:
        return msgspec.json.decode(line, type=LogEntry)
    except RecursionError as error:  # thousands of brackets
        raise msgspec.DecodeError("nested too deeply") from error
