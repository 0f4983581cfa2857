"""The tournament as it stands: a fold over the log. Rebuilding it from the first event gives the
same.
"""

import copy
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import attrgetter

import msgspec

from host_tools.core.names import LONGEST_REASON, shown, slug
from host_tools.tournament import events as ev
from host_tools.tournament.ko import (
    Bracket,
    FinalPlace,
    KoMatch,
    draw,
    final_ranking,
    play,
    table_ranking,
)
from host_tools.tournament.match_state import (
    COUNTS,
    BusyElsewhere,
    ManualEntry,
    MatchState,
    Status,
    differs,
)
from host_tools.tournament.model import (
    FORMAT,
    PLAYER_FIELDS,
    TEXTS_OF_A_PLAYER,
    Bye,
    Entrant,
    Group,
    PlayerId,
    Result,
    Tournament,
    has_tree,
    is_swiss,
    swiss_follows,
)
from host_tools.tournament.player_names import for_everybody, labels
from host_tools.tournament.standings import (
    Meetings,
    StandingsRow,
    Tally,
    TeamRow,
    joined,
    meetings,
    sums_of,
    table,
    team_table,
)

__all__ = ["COUNTS", "MatchState", "Status", "TournamentState", "fold"]

OF_THE_SETUP = ("ko_size", "mode", "legs", "rounds", "seats", "points", "advance")
"""What a `Tournament` and `events.Created` both say."""
_digested = attrgetter(
    "id", "a", "b", "status", "slot", "table", "deck", "called_at", "corrections"
)


@dataclass(frozen=True)
class Note:
    """An entry of the jury's book. `seq`, `at`, `actor`: of its event."""

    seq: int
    at: str
    actor: str
    body: ev.ProtestFiled | ev.Observed | ev.Penalized | ev.Postponed
    decision: ev.ProtestDecided | None = None
    lifted: bool = False


@dataclass
class TournamentState:
    """Everything; `seq` is the number of the last event folded in."""

    seq: int = 0
    tournament: str = field(default="", compare=False)
    """Its id in the database, "" in a log by itself: ids of players and matches are its own, and
    begin anew in every other.
    """
    others: frozenset[str] = field(default=frozenset(), compare=False)
    """Ids and names (`slug`) of the other tournaments of the database."""
    setup: ev.Created = field(default_factory=lambda: ev.Created(name=""))
    players: dict[PlayerId, Entrant] = field(default_factory=dict)
    removed: dict[PlayerId, Entrant] = field(default_factory=dict)
    """Who was entered by mistake: their ids are not given again, the log still names them."""
    aliases: dict[PlayerId, PlayerId] = field(default_factory=dict)
    """Ids of entries that were merged, and whom they mean."""
    forgotten: bool = False
    """Names were taken out of the log after the event."""
    short_names: bool = False
    """Pages that everybody sees have short names."""
    present: set[PlayerId] = field(default_factory=set)
    withdrawn: set[PlayerId] = field(default_factory=set)
    excluded: set[PlayerId] = field(default_factory=set)
    groups: list[Group] = field(default_factory=list)
    """Of the stage that is on; all players of a Swiss are one group."""
    qualifying: list[Group] = field(default_factory=list)
    """Those before the Swiss, once it is drawn."""
    matches: dict[ev.MatchId, MatchState] = field(default_factory=dict)
    lots: list[list[PlayerId]] = field(default_factory=list)
    ko_seeds: list[PlayerId] = field(default_factory=list)
    bracket: Bracket | None = None
    rounds: list[ev.RoundPaired] = field(default_factory=list)
    """The rounds of a Swiss that are paired."""
    paused: set[PlayerId] = field(default_factory=set)
    """Who sits out the next one."""
    decks_out: dict[tuple[int, str], ev.MatchId] = field(default_factory=dict)
    """Table and deck -> the match it was last called for, until it is back at the desk."""
    journals: dict[str, ev.MatchId] = field(default_factory=dict)
    """Digest of every journal or slip ever reported, and the match it was reported for."""
    unplaced: dict[str, ev.Unplaced] = field(default_factory=dict)
    """By journal: results of boxes and slips that fit no match, also those that were dismissed."""
    dismissed: set[str] = field(default_factory=set)
    announcements: dict[int, str] = field(default_factory=dict)
    """What the hall is told now: number of the event and the sentence, the newest last."""
    said_at: dict[int, str] = field(default_factory=dict)
    """When something was said to the tables, by the number of the event."""
    together: list[PlayerId] = field(default_factory=list)
    """Who was checked in at once, the last time that several were."""
    signing_up: ev.SignupsSet = field(default_factory=lambda: ev.SignupsSet(open=False))
    signups: dict[int, ev.SignedUp] = field(default_factory=dict)
    """Who waits to be confirmed, by the number of the event, the earliest first."""
    contacts: dict[PlayerId, str] = field(default_factory=dict)
    """Of those who signed up by themselves; for the desk alone."""
    notes: dict[int, Note] = field(default_factory=dict)
    """The jury's book, by the number of the event."""
    elsewhere: list[BusyElsewhere] = field(default_factory=list, compare=False)
    """What plays at the tables for other tournaments; not of this log."""
    _still_together: int = 0
    _labels: dict[PlayerId, str] = field(default_factory=dict, compare=False)
    _empty_tree: Bracket | None = None
    _sums: dict[str, tuple[dict[PlayerId, Tally], Meetings]] = field(default_factory=dict)
    _tables: dict[str, list[StandingsRow]] = field(default_factory=dict)
    _own: set[ev.MatchId] = field(default_factory=set, compare=False)
    """Matches that no copy shares: only these may be changed."""

    def is_event(self, name: str) -> bool:
        """Whether this tournament is meant by an id or a name, as on a badge. A name that another
        one has as well means neither.
        """
        wanted = slug(name)
        own_name = wanted == slug(self.setup.name) and wanted not in self.others
        return wanted == self.tournament or own_name

    # -- the fold: a method for each tag of `events`, called by its name --------------------------

    def apply(self, event: ev.LogEntry) -> None:
        """Take in the next event. Events are trusted: the desk checked them before they were
        written.
        """
        # a hole in the log is not folded over: what follows may rest on what is missing
        if event.seq != self.seq + 1:
            raise ValueError(f"event {event.seq} does not follow {self.seq}")
        self.seq = event.seq
        # the tag is the name of the method; a test finds an event without one
        getattr(self, f"_{event.body.__struct_config__.tag}")(event.body, event)

    def _created(self, body: ev.Created, _event: ev.LogEntry) -> None:
        self.setup = msgspec.structs.replace(body, name=shown(body.name))

    def _player_added(self, body: ev.PlayerAdded, event: ev.LogEntry) -> None:
        self._player_changed(body, event)
        # an id that was merged away is a player again, not another name of one
        self.removed.pop(body.player.id, None)
        self.aliases.pop(body.player.id, None)

    def _player_changed(
        self, body: ev.PlayerAdded | ev.PlayerChanged, _event: ev.LogEntry
    ) -> None:
        self.players[body.player.id] = shown_player(body.player)
        self._labels.clear()

    def _player_removed(self, body: ev.PlayerRemoved, _event: ev.LogEntry) -> None:
        self.removed[body.player] = self.players.pop(body.player)
        for players in (self.present, self.withdrawn, self.excluded):
            players.discard(body.player)
        self._labels.clear()

    def _player_struck(self, body: ev.PlayerStruck, event: ev.LogEntry) -> None:
        gone = body.player
        self._player_removed(ev.PlayerRemoved(player=gone), event)
        self.matches = {m.id: m for m in self.matches.values() if gone not in m.players}
        self.groups = [
            Group(group.id, [player for player in group.players if player != gone])
            for group in self.groups
        ]
        self.forget_tables()

    def _player_merged(self, body: ev.PlayerMerged, _event: ev.LogEntry) -> None:
        for old, meant in self.aliases.items():
            # aliases of aliases are resolved here, so that one look-up is enough everywhere
            if meant == body.player:
                self.aliases[old] = body.into
        self.aliases[body.player] = body.into
        for seq, note in self.notes.items():
            if getattr(note.body, "player", "") == body.player:
                changed = msgspec.structs.replace(note.body, player=body.into)
                self.notes[seq] = replace(note, body=changed)

    def _forgotten(self, body: ev.Forgotten, _event: ev.LogEntry) -> None:
        self.forgotten = self.forgotten or not body.player

    def _public_names(self, body: ev.PublicNames, _event: ev.LogEntry) -> None:
        self.short_names = body.short

    def _checked_in(self, body: ev.CheckedIn, _event: ev.LogEntry) -> None:
        (self.present.add if body.present else self.present.discard)(body.player)
        # the first of several starts the list; `together` counts down in the events behind it
        if body.together and not self._still_together:
            self.together, self._still_together = [], body.together
        if body.together:
            self.together.append(body.player)
            self._still_together -= 1
        if not body.present and body.player in self.together:
            self.together.remove(body.player)

    def _withdrawn(self, body: ev.Withdrawn, _event: ev.LogEntry) -> None:
        self.withdrawn.add(body.player)

    def _excluded(self, body: ev.Excluded, _event: ev.LogEntry) -> None:
        self.excluded.add(body.player)

    def _reinstated(self, body: ev.Reinstated, _event: ev.LogEntry) -> None:
        self.withdrawn.discard(body.player)
        self.excluded.discard(body.player)

    def _changed(self, body: ev.Changed, _event: ev.LogEntry) -> None:
        self.setup = body.applied_to(self.setup)
        self._tables.pop("", None)
        # `points` may be set to none at all, which is an empty list
        if body.seats or body.points is not None:  # the unit of the points
            self.forget_tables()
        if body.mode or body.legs:
            self._draw_anew([])

    def _groups_drawn(self, body: ev.GroupsDrawn, _event: ev.LogEntry) -> None:
        if body.behind:
            # the groups stay, with their matches and results: the Swiss is drawn from them
            self.groups, self.qualifying = list(body.groups), self.groups
            self.forget_tables()
        else:
            self._draw_anew(list(body.groups))

    def _draw_anew(self, groups: list[Group]) -> None:
        self.groups, self.qualifying, self.rounds = groups, [], []
        self.matches, self.decks_out = {}, {}
        self._own.clear()
        self.lots = []
        self.forget_tables()

    def _joined(self, body: ev.Joined, _event: ev.LogEntry) -> None:
        self.groups = [
            Group(group.id, [*group.players, body.player]) if group.id == body.group else group
            for group in self.groups
        ]
        self.forget_tables()

    def _match_planned(self, body: ev.MatchPlanned, _event: ev.LogEntry) -> None:
        # the same event plans a match and moves one that is planned (`plan --again`)
        if body.match not in self.matches:
            made = MatchState(body.match, body.a, body.b, group=body.group, more=body.more)
            made.swiss_round = len(self.rounds)
            self._add_match(made)
        match = self._own_match(body.match)
        match.slot, match.table, match.deck = body.slot, body.table, body.deck
        match.postponed = False

    def _round_paired(self, body: ev.RoundPaired, _event: ev.LogEntry) -> None:
        self.rounds = [*self.rounds, body]
        self.paused = set()
        self.forget_tables()

    def _round_unpaired(self, body: ev.RoundUnpaired, _event: ev.LogEntry) -> None:
        gone = self.rounds[-1]
        self.rounds = self.rounds[:-1]
        self.paused |= set(gone.paused)
        # taking back the first round takes back the draw of the Swiss, so the groups can be
        # corrected
        if self.qualifying and not self.rounds:
            self.groups, self.qualifying = self.qualifying, []
        self.matches = {m.id: m for m in self.matches.values() if m.swiss_round != gone.round}
        self.forget_tables()

    def _paused(self, body: ev.Paused, _event: ev.LogEntry) -> None:
        (self.paused.discard if body.back else self.paused.add)(body.player)

    def _called(self, body: ev.Called, event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        match.leave_table()
        match.table, match.called_at, match.call = body.table, event.at, event.seq
        # a desk without a list of decks says nothing: the deck that was planned stays
        match.deck = body.deck or match.deck
        match.entered, match.postponed = None, False
        self._deck_in(match)
        match.deck_back = False
        if match.deck:
            self.decks_out[match.table, match.deck] = match.id
        # one that was called before only changes its table
        if match.status == "open":
            match.status = "called"

    def _started(self, body: ev.Started, event: ev.LogEntry) -> None:
        self._own_match(body.match).started_at = body.since or event.at

    def _start_signal(self, body: ev.StartSignal, event: ev.LogEntry) -> None:
        self.said_at[event.seq] = event.at
        for match in body.matches:
            self._own_match(match).start_signal = event.seq

    def _box_given(self, body: ev.BoxGiven, _event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        match.box, match.with_deck = body.box, body.with_deck

    def _deck_back(self, body: ev.DeckBack, _event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        match.deck_back = body.back
        if body.back:
            self._deck_in(match)
        else:
            self.decks_out[match.table, match.deck] = match.id

    def _deck_in(self, match: MatchState) -> None:
        """No deck is out for it any more."""
        self.decks_out = {deck: m for deck, m in self.decks_out.items() if m != match.id}

    def _at_table(self, body: ev.AtTable, _event: ev.LogEntry) -> None:
        self._own_match(body.match).here = body.players

    def _time_up(self, body: ev.TimeUp, _event: ev.LogEntry) -> None:
        self._own_match(body.match).time_up = True

    def _unplaced(self, body: ev.Unplaced, _event: ev.LogEntry) -> None:
        self.unplaced[body.journal] = body

    def _dismissed(self, body: ev.Dismissed, _event: ev.LogEntry) -> None:
        self.dismissed.add(body.journal)

    def _announced(self, body: ev.Announced, event: ev.LogEntry) -> None:
        self.said_at[event.seq] = event.at
        self.announcements[event.seq] = shown(body.text, LONGEST_REASON)

    def _announcement_ended(self, body: ev.AnnouncementEnded, _event: ev.LogEntry) -> None:
        del self.announcements[body.announcement]

    def _reported(self, body: ev.Reported, event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        if body.source in ("paper", "jury"):
            # undo is for what a hand has typed; what a box says is not undone
            match.entered = ManualEntry(event.actor, event.at, event.seq, len(match.reports))
        again = [place for place, one in enumerate(match.reports) if body.journal == one.journal]
        if body.journal and again:  # its box is enrolled now (`actions.matches.report`)
            match.reports[again[0]] = body
            return
        match.reports.append(body)
        if body.journal:
            self.journals[body.journal] = match.id
            self.unplaced.pop(body.journal, None)
            # `assign` takes what was dismissed before: the newer word counts
            self.dismissed.discard(body.journal)
        if match.status in ("open", "called"):
            match.status = "reported"
        counted = match.result
        if counted and (body.other_rules or differs(body, counted)):
            match.contradicted = True

    def _taken_back(self, body: ev.TakenBack, _event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        del match.reports[body.report]
        if body.reopens:
            self._reopen(match, match.unchecked)
            return
        # True is 1: a report that the result was weighed with is gone from the count
        match.weighed -= body.report < match.weighed
        match.weigh()
        match.entered = None
        if match.status == "reported":
            match.status = match.unchecked

    def _undone(self, body: ev.Undone, _event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        del match.reports[body.report]
        self._reopen(match, match.unchecked)

    def _checked(self, body: ev.Checked, event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        entry = match.entered
        # `enter` writes report and check one behind the other; any other check ends the undo
        if entry and (event.actor, event.seq) != (entry.actor, entry.seq + 1):
            match.entered = None  # not the check that came with the entry
        self._count(match, body, event)
        match.status = "checked"

    def _locked(self, body: ev.Locked, _event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        # whoever locks has looked at all reports, also those that came late
        match.status, match.contradicted, match.weighed = "locked", False, len(match.reports)
        match.entered = None

    def _corrected(self, body: ev.Corrected, event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        match.corrections += 1
        match.entered = None
        self._count(match, body, event)

    def _voided(self, body: ev.Voided, _event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        match.reports = []
        match.leave_table()
        self._reopen(match, "open")

    def _reopen(self, match: MatchState, status: Status) -> None:
        """Nothing counts any more."""
        match.result, match.status, match.entered = None, status, None
        match.contradicted, match.weighed = False, 0
        self._forget_tables(match)
        if match.round is not None:
            self._grow_tree()

    # -- the jury's book --------------------------------------------------------------------------

    def _postponed(self, body: ev.Postponed, event: ev.LogEntry) -> None:
        match = self._own_match(body.match)
        match.leave_table()
        match.status, match.postponed = "open", True
        self._noted(body, event)

    def _noted(
        self, body: ev.ProtestFiled | ev.Observed | ev.Penalized | ev.Postponed, event: ev.LogEntry
    ) -> None:
        self.notes[event.seq] = Note(event.seq, event.at, event.actor, body)

    _protest_filed = _observed = _penalized = _noted

    def _protest_decided(self, body: ev.ProtestDecided, _event: ev.LogEntry) -> None:
        self.notes[body.protest] = replace(self.notes[body.protest], decision=body)

    def _penalty_lifted(self, body: ev.PenaltyLifted, _event: ev.LogEntry) -> None:
        self.notes[body.note] = replace(self.notes[body.note], lifted=True)

    # -- signing up -------------------------------------------------------------------------------

    def _signups_set(self, body: ev.SignupsSet, _event: ev.LogEntry) -> None:
        self.signing_up = body

    def _signed_up(self, body: ev.SignedUp, event: ev.LogEntry) -> None:
        self.signups[event.seq] = body

    def _signup_settled(self, body: ev.SignupSettled, _event: ev.LogEntry) -> None:
        signup = self.signups.pop(body.signup)
        if body.player and signup.contact:
            self.contacts[body.player] = signup.contact

    # ---------------------------------------------------------------------------------------------

    def _lot_drawn(self, body: ev.LotDrawn, _event: ev.LogEntry) -> None:
        self.lots.append(body.players)
        self._tables.clear()

    def _ko_drawn(self, body: ev.KoDrawn, _event: ev.LogEntry) -> None:
        self.ko_seeds = body.seeds
        # drawn again only until its first match is called: nothing of the old tree was played
        self.matches = {m.id: m for m in self.matches.values() if m.group is not None}
        self._empty_tree = draw(self.ko_seeds, self.as_tournament([]).group_of())
        self._grow_tree()

    def _count(
        self, match: MatchState, body: ev.Checked | ev.Corrected, event: ev.LogEntry
    ) -> None:
        match.word = event.why
        match.result = Result(
            a=match.a,
            b=match.b,
            cards=body.cards,
            kind=body.kind,
            winner=body.winner,
            group=match.group,
            round=match.round,
            swiss_round=match.swiss_round,
            more=match.more,
            places=body.places,
        )
        match.contradicted, match.weighed = False, len(match.reports)
        self._forget_tables(match)
        if match.round is not None:
            self._grow_tree()

    def forget_tables(self) -> None:
        """Compute all tables anew when they are wanted next."""
        self._sums.clear()
        self._tables.clear()

    def _forget_tables(self, match: MatchState) -> None:
        if match.group is not None:
            # "" is the table across groups, which rests on every group
            self._sums.pop(match.group, None)
            self._tables.pop(match.group, None)
            self._tables.pop("", None)

    # -- the knock-out ----------------------------------------------------------------------------

    def _grow_tree(self) -> None:
        """Build the tree anew and give every match with two known players an entry of its own."""
        assert self._empty_tree is not None
        # anew from the empty tree: a corrected winner must leave no trace in later rounds
        self.bracket = self._empty_tree.copy()
        play(self.bracket, self.ko_results())
        for match in self.bracket.matches():
            self._enter_ko_match(match)

    def _enter_ko_match(self, match: KoMatch) -> None:
        known = self.matches.get(match.id)
        a, b = match.a.player, match.b.player
        if match.bye or a is None or b is None:
            self.matches.pop(match.id, None)
        # other players make it another match: what was reported of the old one does not count
        elif known is None or (known.a, known.b) != (a, b):
            self._add_match(MatchState(match.id, a, b, round=match.round))

    def ko_results(self) -> list[Result]:
        """Knock-out results that count."""
        return [m.result for m in self.matches.values() if m.round is not None and m.result]

    def follow_ups(self, match: MatchState) -> list[MatchState]:
        """Matches that exist only because `match` was decided: where its players went on."""
        if self.bracket is None or match.round is None:
            return []
        later = self.bracket.fed_by(match.id)
        return [self.matches[one.id] for one in later if one.id in self.matches]

    # -- copies -----------------------------------------------------------------------------------

    def after(self, bodies: Iterable[ev.AnyBody]) -> "TournamentState":
        """The tournament as it would be after `bodies`; this one stays as it is."""
        later = self.copy()
        for body in bodies:
            later.apply(ev.LogEntry(seq=later.seq + 1, at="", actor="", body=body))
        return later

    def _add_match(self, match: MatchState) -> None:
        self.matches[match.id] = match
        self._own.add(match.id)

    def _own_match(self, match_id: ev.MatchId) -> MatchState:
        """The match to be changed; one that a copy shares is copied before."""
        if match_id not in self._own:
            shared = self.matches[match_id]
            self._add_match(replace(shared, reports=list(shared.reports)))
        return self.matches[match_id]

    def copy(self) -> "TournamentState":
        """A state that may go on without changing this one. Players, groups, results and reports
        are never changed, so both share them; matches until one of the two changes them.
        """
        # the original, too, owns no match from here on: both copy before they change one
        self._own = set()
        later = copy.copy(self)
        for name, value in vars(self).items():
            # one level deep: what the containers hold is never changed in place
            if isinstance(value, dict | set | list):
                setattr(later, name, copy.copy(value))
        return later

    def digest(self) -> str:
        """SHA-256 over everything that people see of the tournament, as 64 hex digits. It depends
        on values only (`TournamentRecord`).
        """
        matches = [(*_digested(m), *m.more) for m in self.matches.values()]
        # sets have another order in every process (PYTHONHASHSEED)
        players = [sorted(self.present), sorted(self.withdrawn), sorted(self.excluded)]
        everything = [self.setup, players, matches, self.ko_seeds, self.as_tournament()]
        return hashlib.sha256(msgspec.json.encode(everything)).hexdigest()

    # -- views ------------------------------------------------------------------------------------

    def in_public(self) -> "TournamentState":
        """The tournament as pages show it that everybody sees."""
        if not self.short_names and all(field.public for field in PLAYER_FIELDS.values()):
            return self
        seen = self.copy()
        short = self.short_names
        seen.players = {one.id: for_everybody(one, short) for one in self.players.values()}
        # short names make other homonyms: Anna Egli and Anna Egger are both Anna E.
        seen._labels = {}
        return seen

    def penalties(self, player: PlayerId) -> list[Note]:
        """Warnings and penalties of a player in all matches that stand."""
        return [
            note
            for note in self.notes.values()
            if isinstance(note.body, ev.Penalized)
            and note.body.player == player
            and not note.lifted
        ]

    def label(self, player: PlayerId) -> str:
        """What a player is called, homonyms told apart; the id of somebody unknown."""
        if not self._labels:
            self._labels.update(labels(self.players.values()))
        if player in self._labels:
            return self._labels[player]
        gone = self.removed.get(player)
        return (gone.name if gone else "") or player

    @property
    def out(self) -> set[PlayerId]:
        """Who has left, by their own will or the jury's (SW-9)."""
        return self.withdrawn | self.excluded

    def to_place(self) -> list[ev.Unplaced]:
        """Results of boxes and slips that somebody must give to a match, or dismiss."""
        return [body for body in self.unplaced.values() if body.journal not in self.dismissed]

    def ko_matches(self) -> list[MatchState]:
        """Knock-out matches with two known players, in playing order."""
        order = self.bracket.matches() if self.bracket else []
        return [self.matches[match.id] for match in order if match.id in self.matches]

    @property
    def all_groups(self) -> list[Group]:
        """Of all stages, the one that is on first."""
        return [*self.groups, *self.qualifying]

    @property
    def swiss_waits(self) -> bool:
        """A Swiss comes behind the groups that are on."""
        return swiss_follows(self.setup.mode) and not self.qualifying

    @property
    def in_swiss(self) -> bool:
        """Rounds are paired."""
        return is_swiss(self.setup.mode) and not self.swiss_waits

    @property
    def stage_done(self) -> bool:
        """The groups, or all rounds of the Swiss, are played and count."""
        # 0 rounds means as many as needed, said at the draw: before it none is enough
        paired = len(self.rounds) >= max(self.setup.rounds, 1) if self.in_swiss else True
        before = [match for match in self.matches.values() if match.group is not None]
        return paired and bool(before) and all(match.counts for match in before)

    @property
    def groups_done(self) -> bool:
        """Everything before the tree is played and counts."""
        return self.stage_done and not self.swiss_waits

    def drawn_on(self, match: MatchState) -> bool:
        """The tree was drawn from the result of a match, or a round of a Swiss behind its group
        is paired.
        """
        before = self.rounds and any(group.id == match.group for group in self.qualifying)
        return match.group is not None and bool(self.ko_seeds or before)

    @property
    def champion(self) -> PlayerId | None:
        """Who has won the tournament; None before, and while a tie for it needs a lot."""
        if self.bracket is not None:
            return self.bracket.champion
        first = [line.player for line in self.final_places() if line.place == 1]
        return first[0] if len(first) == 1 else None

    def final_places(self) -> list[FinalPlace]:
        """The final ranking once it is known, empty before."""
        if not has_tree(self.setup.mode):
            return table_ranking(self.whole_rows(), self.excluded) if self.groups_done else []
        if self.bracket is None or self.bracket.champion is None:
            return []
        return final_ranking(self.bracket, self.whole_rows(), self.excluded)

    def group_of(self, player: PlayerId) -> str | None:
        return next((group.id for group in self.all_groups if player in group.players), None)

    def group_results(self) -> list[Result]:
        """Group results that count."""
        return [m.result for m in self.matches.values() if m.group is not None and m.result]

    def group_rows(self, group: str) -> list[StandingsRow]:
        """The table of one group; kept until one of its results changes."""
        if group not in self._tables:
            sums, met = self._group_sums(group)
            self._tables[group] = table(sums, met, self.lots, "raw")
        return self._tables[group]

    def overall_rows(self) -> list[StandingsRow]:
        """Everybody of the stage that is on in one table (TO-3)."""
        if "" not in self._tables:
            self._tables[""] = self._rows_across(self.groups)
        return self._tables[""]

    def _rows_across(self, groups: list[Group]) -> list[StandingsRow]:
        """Nobody plays in two of these groups, so their sums are joined."""
        everybody: dict[PlayerId, Tally] = {}
        met = Meetings()
        for group in groups:
            sums, of_group = self._group_sums(group.id)
            # no id is in two groups of a stage (`model.first_fault`)
            everybody.update(sums)
            met.points.update(of_group.points)
        return table(everybody, met, self.lots, self.setup.compare)

    def team_rows(self) -> list[TeamRow]:
        """The clubs as teams."""
        return team_table(self.as_tournament(), self.setup.team_best)

    def whole_rows(self) -> list[StandingsRow]:
        """Everybody: behind a Swiss those who did not come into it."""
        return joined([self.overall_rows(), self._rows_across(self.qualifying)])

    def _group_sums(self, group_id: str) -> tuple[dict[PlayerId, Tally], Meetings]:
        """Added up once for the group's table and the overall one."""
        if group_id not in self._sums:
            self._add_up()
        return self._sums[group_id]

    def _add_up(self) -> None:
        """The sums of all groups that have none, in one walk over the matches."""
        results: dict[str, list[Result]] = {
            group.id: [] for group in self.all_groups if group.id not in self._sums
        }
        for match in self.matches.values():
            if match.result is not None and match.group in results:
                results[match.group].append(match.result)
        # without results: those that are wanted are in `results`
        for stage in self.as_tournament([]).stages():
            for group in stage.groups:
                if group.id in results:
                    found = results[group.id]
                    sums = sums_of(stage, group.players, found)
                    self._sums[group.id] = (sums, meetings(found))

    def as_tournament(self, results: list[Result] | None = None) -> Tournament:
        """The same as a `schiri-tournament/1` file holds it."""
        return Tournament(
            format=FORMAT,
            players=list(self.players.values()),
            groups=self.groups,
            results=self.group_results() + self.ko_results() if results is None else results,
            lots=self.lots,
            out=sorted(self.out),
            seeds=self.ko_seeds,
            byes=[
                Bye(player=r.bye, points=r.bye_points, swiss_round=r.round)
                for r in self.rounds
                if r.bye
            ],
            qualifying=self.qualifying,
            **{name: getattr(self.setup, name) for name in OF_THE_SETUP},
        )


def shown_player(player: Entrant) -> Entrant:
    """As people may see it: what a restored log holds is not always safe to show."""
    texts = {key: getattr(player, key) for key in TEXTS_OF_A_PLAYER}
    safe = {key: shown(text) for key, text in texts.items()}
    return player if safe == texts else msgspec.structs.replace(player, **safe)


def fold(log: Iterable[ev.LogEntry]) -> TournamentState:
    state = TournamentState()
    for event in log:
        state.apply(event)
    return state
