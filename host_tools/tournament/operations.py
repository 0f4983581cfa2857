"""Everything that people do to a tournament: one table, a function for each operation.

Its parameters are the fields of its form (`fields.FIELDS`), its docstring is the help, the row
above it says who may do it, on which page of the desk its form stands, and what it is called on
the command line. The desk's forms, role check and buttons and the options of `schiri tournament`
follow from it (docs/decisions/roles-and-operations.md). The step of the same name
(`rights.STEPS`) says in which status of a match one is possible; the functions of `actions` say
what it means for the tournament.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from msgspec import NODEFAULT, UNSET, UnsetType

from host_tools.core.errors import Sentence, UserError
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options, schedule, tables, view
from host_tools.tournament.actions import (
    boxes,
    checks,
    corrections,
    entrants,
    jury,
    knockout,
    matches,
    rounds,
    signups,
)
from host_tools.tournament.fields import Form
from host_tools.tournament.model import PLAYER_FIELDS, Kind, PlayerId, TournamentMode, is_level
from host_tools.tournament.players_csv import parse_players
from host_tools.tournament.rights import Forbidden, Role, check_status, includes
from host_tools.tournament.standings import Compare
from host_tools.tournament.state import MatchState, TournamentState

Bodies = Sequence[ev.AnyBody]
FieldValues = Any
"""The struct of a form's values."""
PlayerValues = Mapping[str, Any]
"""A value for each of `PLAYER_FIELDS`."""


class Typed(NamedTuple):
    """A result as people type it."""

    cards: tuple[int, int]
    kind: Kind
    winner: PlayerId | None


@dataclass
class Who:
    """Who wants something, when and why. `role`: None at the command line, which is the
    organiser's own. `notes`: what is worth saying beside what was done.
    """

    name: str
    role: Role | None
    now: datetime
    why: str = ""
    notes: list[Sentence] = field(default_factory=list)

    def needs(self, role: Role) -> None:
        """Raises Forbidden if that takes a bigger role."""
        if self.role is not None and not includes(self.role, role):
            raise Forbidden(role)


Known = Callable[[TournamentState, FieldValues], Iterable[tuple[str, object]]]


@dataclass(frozen=True)
class OperationRow:
    """`role` may do it; for some values it takes a bigger role: field → value → role; also for
    what is no field but `known` already. `page`: where its form stands; `then`: where it leads, if
    not back there. `reason`: the desk's form must give one, or also the command line. `fresh`:
    refused if somebody changed the match since the form was shown. `cli`: the command, its
    arguments, and the option that tells it from others of the same command.
    """

    name: str
    form: Form
    handle: Callable[..., Bodies]
    role: Role
    page: str
    cli: str = ""
    help: str = ""
    then: str = ""
    values: Mapping[str, Mapping[object, Role]] = field(default_factory=dict)
    known: Known | None = None
    reason: Literal["", "desk", "always"] = ""
    fresh: bool = False
    parameters: tuple[str, ...] = ()

    def wanted(self, values: FieldValues, who: Who) -> Callable[[TournamentState], Bodies]:
        """The command for the service. Raises Forbidden, or UserError for a missing reason, before
        anything of the tournament is asked.
        """
        who.needs(self.role)
        # what takes a bigger role is judged on the value that is acted on: a leading space once
        # passed the check on the raw text
        for key in self.values:
            who.needs(role_for(self.name, key, getattr(values, key, "")))
        # at the command line sits the organiser; only some operations ask there
        if (self.reason == "always" or (self.reason and who.role)) and not who.why:
            raise UserError("form_missing", label="why") if who.role else UserError("say_why")
        return lambda state: self._done(self.form.found(values, state), state, who)

    def _done(self, values: FieldValues, state: TournamentState, who: Who) -> Bodies:
        # only the state tells, a locked match for example: so it is asked under the lock of the
        # command
        for key, value in self.known(state, values) if self.known else ():
            who.needs(role_for(self.name, key, value))
        # at the command line nobody looks at a page that may be old
        if who.role and "match" in self.form.fields and values.match:
            self._check_shown(values, state.matches[values.match])
        ours = {"state": state, "who_": who, "actor": who.name, "now": who.now}
        given = {
            name: ours[name] if name in ours else _value(values, name) for name in self.parameters
        }
        try:
            return self.handle(**given)
        except UserError as error:
            # a form asks for the winner; at the command line the sentence says how to name one
            if who.role is None and error.sentence.key == "winner_needed":
                players = (state.matches[values.match].a, state.matches[values.match].b)
                raise UserError("winner_option", match=values.match, choices=players) from None
            raise

    def _check_shown(self, values: FieldValues, match: MatchState) -> None:
        """Raises UserError if the match is not the one, or not as it was, that the form showed."""
        # the hand named a table, and another match was called to it meanwhile
        if values.named and values.named.upper() not in (str(match.table), match.id.upper()):
            raise UserError("form_other_table", table=values.named, match=match.id)
        if self.fresh and values.seen != seen(match):
            raise UserError("form_stale", match=match.id)


OPERATIONS: dict[str, OperationRow] = {}
_OURS = ("state", "who_", "actor", "now")
"""Parameters that are no fields of the form."""
_NAMES = {"match_id": "match"}
_SEVERAL: Mapping[str, Mapping[str, Any]] = {
    "typed": {"cards_a": NODEFAULT, "cards_b": NODEFAULT, "kind": "played", "winner": None},
    "entry": {name: None if field.number else "" for name, field in PLAYER_FIELDS.items()},
    "changes": dict.fromkeys(PLAYER_FIELDS, UNSET),
}
"""Parameters that stand for several fields, with the defaults of these."""
_SHOWN = {"seen": "", "named": ""}
"""What a form says of its match beside its id: how it stood, and the table that the hand named."""


def _value(values: FieldValues, parameter: str) -> Any:
    if parameter == "typed":
        return Typed((values.cards_a, values.cards_b), values.kind, values.winner)
    if parameter in _SEVERAL:
        return {name: getattr(values, name) for name in _SEVERAL[parameter]}
    return getattr(values, _NAMES.get(parameter, parameter))


def _op(
    page: str, cli: str = "", *examples: str, role: Role = "desk", **more: Any
) -> Callable[[Callable[..., Bodies]], Callable[..., Bodies]]:
    """Puts a function into the table, under its name: `/desk/do/<name>`."""

    def entered(handle: Callable[..., Bodies]) -> Callable[..., Bodies]:
        # `import_`: a keyword of the language
        name = handle.__name__.strip("_")
        parameters = inspect.signature(handle).parameters
        defaults: dict[str, Any] = {}
        for key, one in parameters.items():
            if key not in _OURS:
                default = NODEFAULT if one.default is one.empty else one.default
                defaults |= _SEVERAL.get(key, {_NAMES.get(key, key): default})
        shown = "\n".join(f"schiri tournament {example}" for example in examples)
        text = f"{inspect.getdoc(handle)}\n\n\b\n{shown}" if shown else inspect.getdoc(handle)
        form = Form.of(name, {**defaults, **(_SHOWN if "match" in defaults else {})})
        taken = tuple(parameters)
        OPERATIONS[name] = OperationRow(
            name, form, handle, role, page, cli, text or "", parameters=taken, **more
        )
        return handle

    return entered


def role_for(name: str, key: str = "", value: object = "") -> Role:
    """The smallest role that may do an operation, with `value` in the field `key`."""
    row = OPERATIONS[name]
    return row.values.get(key, {}).get(value, row.role)


def seen(match: MatchState) -> str:
    """What a form remembers of a match, to notice that somebody else was faster."""
    result = match.result
    cards = f"{result.cards[0]}.{result.cards[1]}" if result else ""
    return f"{match.status}-{len(match.reports)}-{match.corrections}-{cards}"


_JURYS: Mapping[object, Role] = {True: "jury"}
# SW-9: only the jury excludes. SW-7: a forfeit takes the call and two minutes (`no_show`), unless
# the jury says otherwise; so nobody else writes one down as a result.
_KIND: Mapping[object, Role] = {"forfeit": "jury", "excluded": "jury", "absent": "jury"}
# a forfeit that was reported may be checked like any result
_REPORTED: Mapping[object, Role] = {"excluded": "jury"}


# -- players --------------------------------------------------------------------------------------


_op("players")(entrants.check_in)


@_op("players", then="players?arrive=1")
def arrive(state: TournamentState, who_: Who, text: str) -> Bodies:
    """Somebody is here, as a badge, a code or a name says; it is said if the draw was earlier."""
    bodies = entrants.check_in(state, entrants.meant(state, text))
    came = [player.id for player in view.latecomers(state.after(bodies))]
    late = [body.player for body in bodies if isinstance(body, ev.CheckedIn)]
    # replaced, not added to: a command is judged anew if another desk was faster
    who_.notes[:] = [Sentence("came_late", player=player) for player in late if player in came]
    return bodies


_op(
    "players",
    "checkin PLAYERS...",
    'checkin p001 "Anna Egli"',
    "checkin --all",
    "checkin --badges --reader pn532",
)(entrants.check_in_many)


@_op("players", "checkin --all")
def check_in_all(
    state: TournamentState, who_: Who, absent: bool = False, sure: bool = False
) -> Bodies:
    """Everybody is here. At the desk it is asked, since one press means many."""
    here = (player for player in state.players if player not in state.out)
    bodies = entrants.check_in_many(state, here, absent)
    if who_.role and bodies and not sure:
        raise UserError("check_in_sure", count=len(bodies))
    return bodies


@_op("players")
def undo_check_in(state: TournamentState) -> Bodies:
    """Those who were checked in together the last time are not here after all."""
    return entrants.check_in_many(state, state.together, absent=True)


@_op("players", "add NAME", 'add "Emil Egli" --club Bern', 'add "Emil Egli" --group C')
def add_player(state: TournamentState, entry: PlayerValues, group: str = "") -> Bodies:
    """Enter a player; after the draw into a group, also one who was entered and not drawn."""
    player = entrants.new_player(state, entry)
    if state.groups:
        known = entrants.waiting(state, player.name)
        # an entry that was not drawn is meant before a new one of the same name
        if known is not None and state.group_of(known.id) is None:
            player = known
        return entrants.late_entry(state, player, group or None)
    return entrants.add_players(state, [player])


@_op("players")
def late(state: TournamentState, who_: Who, entry: PlayerValues, group: str = "") -> Bodies:
    """A player comes after the draw; NAME is new, or a player who was not drawn."""
    # an entry that was not drawn is meant before a new one of the same name
    player = entrants.waiting(state, entry["name"]) or entrants.new_player(state, entry)
    bodies = entrants.late_entry(state, player, group or None)
    if view.sizes(state.after(bodies)) and state.setup.compare == "raw":
        who_.notes[:] = [Sentence("unequal_groups")]
    return bodies


@_op("players")
def import_(state: TournamentState, file: bytes) -> Bodies:
    """Take players from a CSV file."""
    return entrants.add_list(state, parse_players(file, "CSV"))


@_op("player", "edit PLAYER", 'edit p017 --name "Anna Egli" --club Bern')
def edit_player(state: TournamentState, player: PlayerId, changes: PlayerValues) -> Bodies:
    """Correct what is known of a player; results and id stay."""
    return entrants.edit_player(state, player, **changes)


_op(
    "player",
    "remove PLAYER",
    'remove p017 --why "entered twice"',
    "remove p017 --undo",
    then="players",
    reason="desk",
    values={"with_matches": _JURYS},
)(entrants.remove_player)


_op("players", "remove REMOVED --undo")(entrants.enter_again)


def _both_drawn(state: TournamentState, values: FieldValues) -> Iterable[tuple[str, object]]:
    """Of two who are drawn one goes, with all matches, as if withdrawn: the jury's."""
    return [("drawn", all(state.group_of(one) for one in (values.player, values.double)))]


_op(
    "player",
    "merge PLAYER DOUBLE",
    'merge p003 p017 --why "entered twice"',
    then="players",
    reason="desk",
    values={"drawn": _JURYS},
    known=_both_drawn,
)(entrants.merge)


_LEAVE: dict[str, Any] = {"reason": "desk"}
_op(
    "player",
    "withdraw PLAYER",
    'withdraw p017 --why "ill"',
    'withdraw p017 --exclude --why "looked at the pile"',
    'withdraw p017 --undo --why "wrong player"',
    role="jury",
    **_LEAVE,
)(entrants.withdraw)
_op("player", "withdraw PLAYER --exclude", role="jury", **_LEAVE)(entrants.exclude)
_op("player", "withdraw PLAYER --undo", role="jury", **_LEAVE)(entrants.reinstate)


_op("players", "mode --names", role="jury")(entrants.public_names)


# -- signing up -----------------------------------------------------------------------------------


_op("signups", role="jury")(signups.set_signups)
_op("signups")(signups.sign_up)
"""Strangers do this too, by the public page."""
_op("signups")(signups.accept_signup)
_op("signups")(signups.accept_signups)
_op("signups")(signups.decline_signup)


# -- mode, draw, plan and calls -------------------------------------------------------------------


@_op(
    "draw",
    "mode",
    "mode",
    "mode --mode swiss --rounds 7",
    "mode --ko-size 32 --compare per-match --by Jury",
    "mode --names short",
    role="jury",
)
def mode(
    state: TournamentState,
    mode: TournamentMode | None = None,
    rounds: int | None = None,
    legs: int | None = None,
    advance: int | None = None,
    seats: int | None = None,
    points: str | UnsetType = UNSET,
    game: str | UnsetType = UNSET,
    options: tuple[str, ...] = (),
    turn: int | None = None,
    ko_size: int | None = None,
    compare: Compare | None = None,
    team_best: int | None = None,
) -> Bodies:
    """Show the mode, or adapt it: the jury may (footnote of the rules). With another mode or other
    legs what was drawn is gone; that is possible until the first match is called.
    """
    played = None if isinstance(game, UnsetType) else game
    changes = ev.Changed(
        mode=mode,
        rounds=rounds,
        legs=legs,
        seats=seats,
        points=None
        if isinstance(points, UnsetType)
        else tables.points_of(points, seats or state.setup.seats),
        advance=advance,
        game=played,
        options=rule_options.changed(state.setup, played, rule_options.typed(options, turn)),
        ko_size=ko_size,
        compare=compare,
        team_best=team_best,
    )
    return entrants.change(state, changes)


@_op(
    "draw",
    "plan",
    "plan",
    "plan --tables 12 --again",
    "plan --venue sports-hall",
    "plan --begins 10:00",
    role="jury",
)
def plan(
    state: TournamentState,
    again: bool = False,
    tables: int | None = None,
    decks: tuple[str, ...] = (),
    slot_minutes: int | None = None,
    venue: str | UnsetType = UNSET,
) -> Bodies:
    """Show the plan and an honest estimate of the end, or change it."""
    named = [deck for deck in decks if deck] or None
    entrants.check_decks(named or [])
    where = None if venue in (UNSET, state.setup.venue) else str(venue)
    changes = ev.Changed(tables=tables, decks=named, slot_minutes=slot_minutes, venue=where)
    # only `--again` was asked
    bodies = [] if changes == ev.Changed() else entrants.change(state, changes)
    return bodies + (entrants.plan_again(state.after(bodies)) if again else [])


@_op("draw", "plan --begins")
def begins(state: TournamentState, who_: Who, begins: str) -> Bodies:
    """Set when the first slot is to be called: the plan, the board and the calendars
    of the players have times of day from then on.
    """
    return entrants.change(state, ev.Changed(begins=schedule.begin_of(begins, who_.now)))


_op("draw", "draw", "draw --size 4", role="jury")(entrants.draw)


_op("rounds", "pair", "pair", "pair --undo")(rounds.pair_round)
_op("rounds", "pair --undo", role="jury")(rounds.unpair_round)
_op("rounds", "pause PLAYER", "pause p017", "pause p017 --back")(rounds.pause)


@_op("calls", "call MATCH...", "call A-1 B-1", "call --slot 3", "call --round 1/8")
def call(
    state: TournamentState,
    who_: Who,
    match: ev.MatchId,
    table: int | None = None,
    anyway: bool = False,
) -> Bodies:
    """Call matches to their tables; the two minutes of SW-7 begin. Of a slot or a round, matches
    whose table or player is still busy are left out and named.
    """
    jury.in_the_way(state, _before(state, [state.matches[match]]), anyway, who_.why)
    return matches.call(state, match, table)


def _before(state: TournamentState, called: Iterable[MatchState]) -> Callable[[ev.MatchId], bool]:
    """Is a match one on which a knock-out match was built: an earlier one of its players?"""
    # a group match is built on nothing
    players = {who for match in called if match.round for who in match.players}
    others = (m for m in state.matches.values() if m.counts and players & {*m.players})
    return {match.id for match in others}.__contains__


@_op("calls", "call --slot")
def call_slot(state: TournamentState, who_: Who, slot: int) -> Bodies:
    """Call all open matches of a slot."""
    return _left_out_noted(matches.call_slot(state, slot), who_)


@_op("calls", "call --round")
def call_round(state: TournamentState, who_: Who, round: str, anyway: bool = False) -> Bodies:
    """Call all open matches of a round of the knock-out."""
    ready = [match for match in state.ko_matches() if match.round == round]
    jury.in_the_way(state, _before(state, ready), anyway, who_.why)
    return _left_out_noted(matches.call_round(state, round), who_)


@_op("calls")
def call_free(state: TournamentState, who_: Who, anyway: bool = False) -> Bodies:
    """Call the next match to every free table, in the order of the plan."""
    bodies = matches.call_free(state, view.waiting(state))
    if not bodies:
        raise UserError("nothing_to_call")
    called = (state.matches[body.match] for body in bodies if isinstance(body, ev.Called))
    jury.in_the_way(state, _before(state, called), anyway, who_.why)
    return bodies


def _left_out_noted(called: matches.CalledMatches, who: Who) -> Bodies:
    """At the desk it is a refusal if none can be called."""
    bodies, refused = called
    # a button that does nothing must say why
    if refused and not bodies and who.role:
        raise refused[-1]
    who.notes[:] = [error.sentence for error in refused]
    return bodies


_op("calls", "start --all")(matches.signal_start)
_op("home", "announce TEXT", 'announce "Soup is ready"', "announce --end")(matches.announce)


_op("home", "announce ANNOUNCEMENT --end")(matches.end_announcement)


_op("match", "start MATCH...", "start A-1", "start --all")(matches.start)


_op(
    "tables",
    "give MATCH",
    "give A-1 --port /dev/ttyACM0",
    "give A-1 --box e660583883724a32",
    "give A-1 --none",
)(boxes.give)


_op(
    "match",
    "deck-back MATCH...",
    "deck-back                   # which decks are out",
    "deck-back A-1 B-1",
    "deck-back A-1 --still-out",
    "deck-back --all",
)(matches.deck_back)


@_op("calls", "deck-back --all")
def all_decks_back(state: TournamentState) -> Bodies:
    """All decks are back whose matches are over."""
    missed = view.decks_missed(state)
    return [body for line in missed for body in matches.deck_back(state, line.id)]


# -- results --------------------------------------------------------------------------------------


@_op(
    "match",
    "enter MATCH CARDS",
    "enter A-1 20:12",
    "enter KF 16:16 --winner p003",
    'enter R2-1 --places "Anna, Ben = Cleo / Dan"',
    "enter                       # one after the other",
    "enter --from results.txt    # many: all of them, or none",
    fresh=True,
    values={"kind": _KIND},
)
def enter(
    state: TournamentState,
    who_: Who,
    match: ev.MatchId,
    typed: Typed,
    sure: bool = False,
) -> Bodies:
    """Enter results from paper: the cards of both players in the match's order. They count at
    once, unless a box or a slip says something else. An odd one is asked about: --sure.

    A line is TABLE CARDS or MATCH CARDS, such as "5 20 12", "A-3;20;12", or "5 20": the other
    player has the rest of the deck. Behind level cards of the knock-out stands who won.
    """
    bodies = matches.enter(state, match, *typed)
    _by_word(typed, who_)
    checks.ask(state.matches[match], typed.cards, typed.kind, sure)
    return bodies


@_op("match", values={"kind": _KIND})
def report(
    state: TournamentState,
    who_: Who,
    match: ev.MatchId,
    typed: Typed,
    sure: bool = False,
) -> Bodies:
    """A result from paper is reported, to be checked later."""
    bodies = matches.report(state, ev.Reported(match=match, **typed._asdict()))
    _by_word(typed, who_)
    checks.ask(state.matches[match], typed.cards, typed.kind, sure)
    return bodies


def _by_word(typed: Typed, who: Who) -> None:
    """Raises UserError if the jury's word decides and nobody says why; the organiser at the
    command line need not.
    """
    if who.role and typed.winner and is_level(typed.cards, typed.kind) and not who.why:
        raise UserError("word_why")


def _said(step: str, key: str) -> Known:
    """What the report says that a form names, once the status of its match allows the step."""

    def known(state: TournamentState, values: FieldValues) -> Iterable[tuple[str, object]]:
        # status before role: whoever may not do it anyway learns the nearer reason
        check_status(step, state.matches[values.match])
        said = matches.report_of(state.matches[values.match], values.report)[1]
        return [(key, getattr(said, key))]

    return known


def _placing(
    command: Callable[[TournamentState, ev.MatchId, Sequence[int]], Bodies],
) -> Callable[..., Bodies]:
    """`command`, for a form or a line that names the players in order, or a place a seat."""

    def handle(
        state: TournamentState, match: ev.MatchId, order: str = "", at: tuple[int, ...] = ()
    ) -> Bodies:
        return command(state, match, at or matches.places_of(state, match, order))

    handle.__name__, handle.__doc__ = command.__name__, command.__doc__
    return handle


_op("match", "enter MATCH --order", fresh=True)(_placing(matches.enter_places))
_op(
    "match",
    "correct MATCH --order",
    reason="desk",
    fresh=True,
    values={"status": {"locked": "jury"}},
    known=lambda state, values: [("status", state.matches[values.match].status)],
)(_placing(corrections.correct_places))


_op(
    "match",
    "take-back MATCH",
    'take-back A-1 --why "typed the wrong match"',
    reason="desk",
    fresh=True,
    values={"source": {"jury": "jury"}},
    known=_said("take_back", "source"),
)(matches.take_back)


@_op("match", fresh=True, values={"kind": _REPORTED}, known=_said("choose", "kind"))
def choose(state: TournamentState, match: ev.MatchId, report: int) -> Bodies:
    """One of several reports counts."""
    said = matches.report_of(state.matches[match], report)[1]
    return matches.check(state, match, said.cards, said.kind, said.winner, said.places)


_op("grid", "undo MATCH", "undo", "undo A-1", fresh=True)(corrections.undo)


_op(
    "boxes",
    "unplaced JOURNAL MATCH",
    "unplaced",
    'unplaced 3fa9c1 A-2 --first p004 --why "wrong badge"',
    'unplaced 3fa9c1 --dismiss --why "a trial before the doors opened"',
)(boxes.assign)
_op("boxes", "unplaced JOURNAL --dismiss", reason="always")(boxes.dismiss)


def _kinds(state: TournamentState, values: FieldValues) -> Iterable[tuple[str, object]]:
    return [("kind", said.kind) for said in state.matches[values.match].reports]


@_op(
    "match",
    "check MATCH...",
    "check A-1 A-2",
    "check --all",
    'check A-3 --cards 20:12 --why "counted again"',
    fresh=True,
    values={"kind": _REPORTED},
    known=_kinds,
)
def check(state: TournamentState, match: ev.MatchId) -> Bodies:
    """Let reported results count: what all reports agree on, or --cards."""
    return matches.check(state, match)


@_op("match", "check MATCH... --cards", role="jury", reason="desk", fresh=True)
def check_as(
    state: TournamentState,
    who_: Who,
    match: ev.MatchId,
    typed: Typed,
) -> Bodies:
    """What counts, where the reports disagree."""
    _by_word(typed, who_)
    return matches.check(state, match, *typed)


_op("home", "check --all")(matches.check_all)


@_op("match", "lock MATCH...", "lock A-1", "lock --all")
def lock(state: TournamentState, who_: Who, match: ev.MatchId, anyway: bool = False) -> Bodies:
    """Close checked results; after that only corrections change them."""
    jury.in_the_way(state, match.__eq__, anyway, who_.why)
    return matches.lock(state, match)


@_op("matches", "lock --all")
def lock_all(state: TournamentState, who_: Who, anyway: bool = False) -> Bodies:
    """Lock every checked result that no late report contradicts."""
    bodies = matches.lock_all(state)
    locked = {body.match for body in bodies if isinstance(body, ev.Locked)}
    jury.in_the_way(state, locked.__contains__, anyway, who_.why)
    return bodies


_op(
    "match",
    "forfeit MATCH MISSING",
    "forfeit A-1 p002",
    fresh=True,
    values={"force": _JURYS},
)(matches.no_show)


_op("match", "forfeit MATCH --both", fresh=True, values={"force": _JURYS})(matches.both_absent)


_CORRECT: Mapping[str, Mapping[object, Role]] = {
    "kind": _KIND,
    "force": _JURYS,
    "redraw": _JURYS,
    "was": _REPORTED,
    "status": {"locked": "jury"},
}


def _what_counts(state: TournamentState, values: FieldValues) -> Iterable[tuple[str, object]]:
    match = state.matches[values.match]
    return [("status", match.status), ("was", match.result.kind if match.result else "")]


@_op(
    "match",
    "correct MATCH CARDS",
    "correct A-1 19:13",
    'correct A-1 19:13 --yes --by Jury --why "counted again"',
    'correct A-1 --void --by Jury --why "replayed"',
    reason="desk",
    fresh=True,
    values=_CORRECT,
    known=_what_counts,
)
def correct(
    state: TournamentState,
    who_: Who,
    match: ev.MatchId,
    typed: Typed,
    force: bool = False,
    redraw: bool = False,
) -> Bodies:
    """Correct a result that counts (SW-9): first the preview of what it moves, then --yes."""
    _by_word(typed, who_)
    return corrections.correct(state, match, *typed, force, redraw)


_op(
    "match",
    "correct MATCH --void",
    role="jury",
    reason="desk",
    fresh=True,
)(corrections.void)
_op(
    "match",
    "jury postpone MATCH",
    'jury postpone A-3 --why "at the doctor\'s"',
    role="jury",
    reason="desk",
    fresh=True,
)(jury.postpone)


# -- the jury's book ------------------------------------------------------------------------------


_op(
    "jury",
    "jury protest WHO TEXT",
    'jury protest Anna "the card lay already" --match A-3 --deposit "20 CHF"',
)(jury.protest)


_op(
    "jury",
    "jury decide PROTEST TEXT",
    'jury decide 41 "the card was seen" --upheld --deposit-back --void',
    role="jury",
)(jury.decide)


_op(
    "jury",
    "jury observe TEXT",
    'jury observe "signs from behind table 4" --match A-3',
    role="viewer",
)(jury.observe)


_op(
    "jury",
    "jury penalize WHO TEXT",
    'jury penalize Ben "delays the game" --match A-3 --cards 10',
    'jury penalize 44 --lift --why "it was another"',
    role="jury",
)(jury.penalize)


_op("jury", "jury penalize NOTE --lift", role="jury", reason="desk")(jury.lift)


# -- lots and knock-out ---------------------------------------------------------------------------


_op("standings", "lot PLAYERS...", "lot", "lot p004 p011 --by Jury", "lot --draw", role="jury")(
    knockout.lot
)


_op("standings", "lot --draw", role="jury")(knockout.draw_lots)


@_op("ko", role="jury")
def draw_ko(state: TournamentState, who_: Who, anyway: bool = False) -> Bodies:
    """Draw the knock-out from the group tables, once no protest is open."""
    bodies = knockout.draw_ko(state)
    # the tree is drawn from all results, so every protest counts
    jury.in_the_way(state, lambda match: True, anyway, who_.why)
    return bodies
