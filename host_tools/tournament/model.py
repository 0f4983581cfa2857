"""`schiri-tournament/1`: the file other programs rely on, read strictly, with errors that name the
place.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, Protocol, get_args, get_type_hints

import msgspec

from host_tools.core.errors import Sentence, UserError, decode_reason
from host_tools.core.own_files import read_input

FORMAT = "schiri-tournament/1"
SEATS = 4
"""At most so many at a table of several, if nobody says otherwise."""
MOST_POINTS = 999
"""Of a place at a table of several."""
FORFEIT_CARDS = 12
"""SW-7: a forfeit counts 12:0."""

Kind = Literal["played", "forfeit", "excluded", "drawn", "absent"]
"""`absent`: neither came, or both have left: 0:0, and nobody wins (SW-7b)."""
PlayerId = str
TournamentMode = Literal[
    "groups", "round_robin", "swiss", "swiss_tree", "groups_swiss_tree", "tables"
]
"""How a tournament is played: its stages, one behind the other (`STAGES`)."""
MODES: tuple[TournamentMode, ...] = get_args(TournamentMode)
STAGES: Mapping[TournamentMode, tuple[str, ...]] = {
    "groups": ("groups", "tree"),
    "round_robin": ("groups",),
    "swiss": ("swiss",),
    "swiss_tree": ("swiss", "tree"),
    "groups_swiss_tree": ("groups", "swiss", "tree"),
    "tables": ("tables",),
}
"""`groups` are played to the end; a `swiss` and `tables` of several are paired round by round; a
`tree` is a knock-out; without one the last table decides.
"""


def is_swiss(mode: TournamentMode) -> bool:
    """A stage of it is paired round by round."""
    return bool({"swiss", "tables"} & set(STAGES[mode]))


def has_tree(mode: TournamentMode) -> bool:
    """A knock-out decides it, else the table does."""
    return "tree" in STAGES[mode]


def swiss_follows(mode: TournamentMode) -> bool:
    """Its Swiss has groups before it."""
    return "swiss" in STAGES[mode][1:]


class TournamentRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is written without the fields that have their default.

    msgspec knows a default by its identity: a "played" out of a form would be written, the same
    out of the log left out. So equal texts become the default itself, and the same values give the
    same bytes wherever they came from.
    """

    def __post_init__(self) -> None:
        """Put the default itself in the place of texts that equal it."""
        for name, default in _text_defaults(type(self)):
            value = getattr(self, name)
            if value is not default and value == default:
                # the struct is frozen: this is the only setter that still works on it
                msgspec.structs.force_setattr(self, name, default)


@cache
def _text_defaults(kind: type[TournamentRecord]) -> tuple[tuple[str, str], ...]:
    """Fields with a text as default. Others are None, bools, small numbers or factories, which
    are the same object everywhere.
    """
    fields = msgspec.structs.fields(kind)
    return tuple((f.name, f.default) for f in fields if isinstance(f.default, str))


@dataclass(frozen=True)
class PlayerField:
    """What every door needs to know of a field of `Entrant` beside its name and type: forms,
    options, CSV and JSON, lists, badges and schema follow (docs/adding-a-player-field.md).

    `label`: key of its name in the desk's texts; `help`: of its option; `columns`: its headings in
    CSV files in every language, in lower case, the first for files that we write; `shown`: where
    it appears beside the player's name; `public`: also on pages and in files that everybody sees.
    """

    label: str
    help: str
    columns: tuple[str, ...]
    shown: tuple[Literal["list", "badge"], ...] = ()
    public: bool = True
    name: str = ""
    number: bool = False


class Entrant(TournamentRecord, frozen=True, kw_only=True):
    """One entrant. `name` is what is shown; `first` and `surname` are its parts, where somebody
    gave them. `seed` 1 is the strongest; None: not seeded.
    """

    id: PlayerId
    name: Annotated[
        str,
        PlayerField("player", "The right name, as it is shown.", ("name", "spieler", "player")),
    ] = ""
    first: Annotated[str, PlayerField("first", "The first name.", ("first name", "vorname"))] = ""
    surname: Annotated[
        str, PlayerField("surname", "The surname.", ("surname", "last name", "nachname"))
    ] = ""
    club: Annotated[
        str, PlayerField("club", "The club.", ("club", "verein"), shown=("list", "badge"))
    ] = ""
    country: Annotated[
        str, PlayerField("country", "The country.", ("country", "land"), shown=("list", "badge"))
    ] = ""
    seed: Annotated[
        int | None,
        PlayerField("seed", "The seed; 0 for none.", ("seed", "setzplatz"), shown=("list",)),
    ] = None


def _declared() -> dict[str, PlayerField]:
    found = {}
    for name, hint in get_type_hints(Entrant, include_extras=True).items():
        for note in getattr(hint, "__metadata__", ()):
            kind = hint.__origin__
            found[name] = replace(note, name=name, number=int in (kind, *get_args(kind)))
    return found


PLAYER_FIELDS: Mapping[str, PlayerField] = _declared()
"""The fields of an `Entrant` that people fill in, by name."""
TEXTS_OF_A_PLAYER = tuple(name for name, field in PLAYER_FIELDS.items() if not field.number)


class Group(msgspec.Struct, frozen=True):
    """Players who all meet each other (TO-1)."""

    id: str
    players: list[PlayerId]


class HallRoom(TournamentRecord, frozen=True, kw_only=True):
    """A room of the event; its tables are numbered on from those of the room before it."""

    name: str
    tables: int


class Result(TournamentRecord, frozen=True, kw_only=True):
    """One match: `cards` taken by `a` and `b` (SW-6). Exactly one of `group` and `round` is set.

    `winner` is given only when the cards do not say it: the jury's verdict on a level knock-out
    match (SW-5). `swiss_round`: of a Swiss, from 1. At a table of several `more` sit behind `a`
    and `b`; `cards` are then the points of each seat in the game, and `places` decides: from 1,
    those who share it have the same, 0: did not come.
    """

    a: PlayerId
    b: PlayerId
    cards: tuple[int, ...]
    kind: Kind = "played"
    group: str | None = None
    round: str | None = None
    winner: PlayerId | None = None
    swiss_round: int = 0
    more: list[PlayerId] = []
    places: list[int] = []

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return self.a, self.b, *self.more

    def cards_from(self, first: PlayerId | None) -> tuple[int, ...]:
        """The cards in the order of a match that `first` begins: a tree or a plan may have the
        two the other way round.
        """
        return self.cards if self.a == first else self.cards[::-1]

    def ahead(self) -> PlayerId | None:
        """Who won, or None for a draw. A match declared drawn is one whatever the cards (TR-8)."""
        if self.places:
            first = [who for who, at in zip(self.players, self.places, strict=True) if at == 1]
            return first[0] if len(first) == 1 else None
        if self.winner is not None:
            return self.winner
        if is_level(self.cards, self.kind):
            return None
        return self.a if self.cards[0] > self.cards[1] else self.b


class SaysResult(Protocol):
    """A report, a check or a result."""

    @property
    def cards(self) -> tuple[int, ...]: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def winner(self) -> PlayerId | None: ...
    @property
    def places(self) -> list[int]: ...


def verdict(said: SaysResult) -> tuple[object, ...]:
    """What is compared of two results. At a table of several the places decide: paper has no
    points.
    """
    # who won a match of two is part of it, since level cards may have a winner (SW-5)
    return tuple(said.places) or (said.cards, said.kind, said.winner)


def fits_seats(result: Result) -> bool:
    """Cards of each player and, at a table of several, a place of each."""
    count = len(set(result.players))
    # places alone count at a table of several; its cards are 0 where the result came on paper
    places = are_places(result.places) and len(result.places) == count
    return len(result.cards) == len(result.players) == count and (
        places if result.places else not result.more
    )


def are_places(places: Sequence[int]) -> bool:
    """`1 1 3 4`: who shares a place has the same, the next one is left out; 0: did not come."""
    came = [place for place in places if place]
    # shared places leave a gap: after two firsts comes a third
    return bool(came) and all(place == 1 + sum(p < place for p in came) for place in came)


def are_points(points: Sequence[int], seats: int) -> bool:
    """What the places of a table are worth, one for each seat, or none."""
    falling = list(points) == sorted(points, reverse=True)
    whole = len(points) == seats and falling and 0 <= points[-1] < points[0] <= MOST_POINTS
    return whole or not points


def is_level(cards: Sequence[int], kind: Kind) -> bool:
    """The cards of two do not say who won."""
    return cards[0] == cards[1] or kind == "drawn"


class Bye(TournamentRecord, frozen=True, kw_only=True):
    """A player of a Swiss for whom a round had no opponent, and the points for it."""

    player: PlayerId
    points: int
    swiss_round: int = 0


class Tournament(TournamentRecord, frozen=True, kw_only=True):
    """A whole tournament as a file. `out`: who has left (withdrawn or excluded, SW-9) and does not
    go on, whatever their results. `seeds`: the knock-out as it was drawn, the best first; without
    it, it follows from the tables. `legs`: how often a pair of a group meets; `rounds` and `byes`
    of a Swiss. Of a Swiss behind groups: `qualifying`, the groups before it, once `groups` is the
    Swiss; `advance`, so many of each go on. `seats`: at most so many at a table of several;
    `points`: what the places there are worth, if not as `standings.place_points` has it.
    """

    format: str
    players: list[Entrant]
    groups: list[Group]
    results: list[Result] = []
    ko_size: int = 64
    lots: list[list[PlayerId]] = []
    out: list[PlayerId] = []
    seeds: list[PlayerId] = []
    mode: TournamentMode = "groups"
    legs: int = 1
    rounds: int = 0
    byes: list[Bye] = []
    seats: int = SEATS
    points: list[int] = []
    qualifying: list[Group] = []
    advance: int = 2

    @property
    def in_swiss(self) -> bool:
        """`groups` is a Swiss."""
        return is_swiss(self.mode) and bool(self.qualifying or not swiss_follows(self.mode))

    def stages(self) -> list["Tournament"]:
        """Itself, and of a Swiss behind groups these as a tournament of their own."""
        # `in_swiss` of the copy is false without `qualifying`, so its groups are counted as groups
        before = msgspec.structs.replace(self, groups=self.qualifying, qualifying=[])
        return [self, before] if self.qualifying else [self]

    def stage_results(self) -> list[Result]:
        """The results of `groups`, in file order."""
        ids = {group.id for group in self.groups}
        return [result for result in self.results if result.group in ids]

    def group_of(self) -> dict[PlayerId, str]:
        """Who should not meet early again in the tree; in a Swiss everybody may."""
        # all players of a Swiss are one group, and would all be kept apart from each other
        groups = [] if is_swiss(self.mode) else self.groups
        return {player: group.id for group in groups for player in group.players}

    def excluded(self) -> set[PlayerId]:
        """Who does not qualify: players in `out`, and those who lost a group match by exclusion
        (SW-9). Whoever is excluded later had qualified before.
        """
        in_groups = (result for result in self.results if result.group is not None)
        return {*self.out, *losers_by_exclusion(in_groups)}


def losers_by_exclusion(results: Iterable[Result]) -> set[PlayerId]:
    """The losing sides of `excluded` results (SW-9)."""
    return {
        result.b if result.ahead() == result.a else result.a
        for result in results
        if result.kind == "excluded"
    }


def read(source: bytes, name: str) -> Tournament:
    """Decode and check a file; raises UserError naming the file, the place and what to do."""
    try:
        tournament = msgspec.json.decode(source, type=Tournament)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError("file_fault", file=name, detail=decode_reason(error)) from error
    fault = first_fault(tournament)
    if fault:
        raise UserError("file_fault", file=name, detail=fault)
    return tournament


def read_file(path: Path) -> Tournament:
    """Read a tournament file; a missing or unreadable one is a UserError."""
    return read(read_input(path), str(path))


def first_fault(tournament: Tournament) -> Sentence | None:
    """The first thing that contradicts itself, as a sentence; None if all is well."""
    if tournament.format != FORMAT:
        return Sentence("fault_format", format=tournament.format, known=FORMAT)
    # a power of two has a single bit
    if tournament.ko_size < 2 or tournament.ko_size & (tournament.ko_size - 1):
        return Sentence("fault_ko_size", ko_size=tournament.ko_size)
    if not are_points(tournament.points, tournament.seats):
        return Sentence("no_points", seats=tournament.seats, most=MOST_POINTS)
    return _players_fault(tournament) or _results_fault(tournament) or _left_fault(tournament)


def _players_fault(tournament: Tournament) -> Sentence | None:
    known: set[PlayerId] = set()
    for player in tournament.players:
        if player.id in known:
            return Sentence("fault_player_twice", id=player.id)
        known.add(player.id)
    groups: set[str] = set()
    # ids of groups are unique over both stages, because a result names its group alone; players
    # are in one group of each
    before = _groups_fault(tournament.qualifying, known, groups)
    return before or _groups_fault(tournament.groups, known, groups)


def _groups_fault(
    stage: Iterable[Group], known: set[PlayerId], groups: set[str]
) -> Sentence | None:
    """The first fault of the groups of a stage; `groups`: the ids that are given."""
    group_of: dict[PlayerId, str] = {}
    for group in stage:
        if group.id in groups:
            return Sentence("fault_group_twice", group=group.id)
        groups.add(group.id)
        for player_id in group.players:
            if player_id not in known:
                return Sentence("fault_group_stranger", group=group.id, id=player_id)
            if player_id in group_of:
                first = group_of[player_id]
                return Sentence("fault_two_groups", id=player_id, group=first, other=group.id)
            group_of[player_id] = group.id
    return None


def _results_fault(tournament: Tournament) -> Sentence | None:
    all_groups = (*tournament.qualifying, *tournament.groups)
    members = {group.id: set(group.players) for group in all_groups}
    players = {player.id for player in tournament.players}
    seen: Counter[tuple[str, frozenset[PlayerId]]] = Counter()
    for number, result in enumerate(tournament.results, 1):
        place = f"results[{number}]"
        fault = _result_fault(result, members, players)
        if fault:
            return Sentence("place_fault", place=place, detail=fault)
        # a pair may meet in its group and once more in the tree
        key = (f"{result.group}/{result.round}", frozenset(result.players))
        # the same people may meet at tables of several as often as they like; a pair once a leg
        again = tournament.legs if not result.more else len(tournament.results)
        if seen[key] >= (1 if result.group is None else again):
            twice = Sentence("fault_result_twice", a=result.a, b=result.b)
            return Sentence("place_fault", place=place, detail=twice)
        seen[key] += 1
    return None


def _result_fault(
    result: Result, members: dict[str, set[PlayerId]], players: set[PlayerId]
) -> Sentence | None:
    if (result.group is None) == (result.round is None):
        return Sentence("fault_no_place")
    if result.a == result.b:
        return Sentence("fault_alone", id=result.a)
    if not fits_seats(result):
        return Sentence("fault_seats")
    if min(result.cards) < 0:
        return Sentence("fault_negative")
    if result.winner is not None and result.winner not in (result.a, result.b):
        return Sentence("fault_winner", id=result.winner)
    if result.group is not None and result.group not in members:
        return Sentence("fault_no_group", group=result.group)
    allowed = players if result.group is None else members[result.group]
    unknown = next((player for player in result.players if player not in allowed), None)
    if unknown is None:
        return None
    if result.group:
        return Sentence("fault_not_in_group", id=unknown, group=result.group)
    return Sentence("fault_not_in_tournament", id=unknown)


def _left_fault(tournament: Tournament) -> Sentence | None:
    """Faults of `out`, `seeds` and `lots`."""
    players = {player.id for player in tournament.players}
    lists = {"out": tournament.out, "seeds": tournament.seeds}
    for field, named in (*lists.items(), ("byes", [bye.player for bye in tournament.byes])):
        for place, player in enumerate(named):
            if player not in players:
                fault = Sentence("fault_stranger", id=player)
                return Sentence("place_fault", place=field, detail=fault)
            if player in named[:place]:
                twice = Sentence("fault_named_twice", id=player)
                return Sentence("place_fault", place=field, detail=twice)
    for number, lot in enumerate(tournament.lots, 1):
        if len(set(lot)) != len(lot):
            return Sentence("fault_lot_twice", number=number)
        unknown = [player for player in lot if player not in players]
        if unknown:
            fault = Sentence("fault_stranger", id=unknown[0])
            return Sentence("place_fault", place=f"lots[{number}]", detail=fault)
    return None
