"""Everything the desk pages can write: one table of actions, each a command to the tournament."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from host_tools.core.errors import UserError
from host_tools.core.texts import TEXTS
from host_tools.tournament import events as ev
from host_tools.tournament import schedule
from host_tools.tournament.commands import (
    boxes,
    checks,
    corrections,
    entrants,
    jury,
    knockout,
    matches,
    unplaced,
)
from host_tools.tournament.model import TEXTS_OF_A_PLAYER, Player, PlayerId
from host_tools.tournament.player_names import full_name
from host_tools.tournament.players_csv import parse_players
from host_tools.tournament.rights import RIGHTS, role_for
from host_tools.tournament.state import MatchState, State
from host_tools.web.desk.accounts import User
from host_tools.web.desk.forms import Form
from host_tools.web.desk.login import Forbidden


@dataclass(frozen=True)
class Context:
    """Who wants something, and in which language a refusal comes."""

    user: User
    lang: str
    now: datetime

    def say(self, key: str, **values: object) -> str:
        return TEXTS[self.lang][key].format(**values)

    def needs(self, action: str, name: str, value: str) -> None:
        """Raises Forbidden if that takes a bigger role (`RIGHTS`)."""
        if not self.user.may(action, name, value):
            raise Forbidden(role_for(action, name, value))


Bodies = Sequence[ev.AnyBody]
Handler = Callable[[State, Form, Context], Bodies]
MatchHandler = Callable[[State, MatchState, Form, Context], Bodies]


@dataclass(frozen=True)
class Action:
    """`page`: where its form stands; `then`: where it leads, if not back there. Who may do it, and
    when: `RIGHTS`.
    """

    page: str
    handle: Handler
    then: str = ""


def _of_match(handle: MatchHandler, *, fresh: bool = False) -> Handler:
    """For an action on the match that the form names. `fresh`: refused if somebody changed the
    match since the form was shown.
    """

    def handler(state: State, form: Form, context: Context) -> Bodies:
        match = form.match(state)
        if fresh:
            form.unchanged(match)
        return handle(state, match, form, context)

    return handler


# -- players --------------------------------------------------------------------------------------


def _check_in(state: State, form: Form, _context: Context) -> Bodies:
    return entrants.check_in(state, form.text("player"), form.flag("present"))


def _arrive(state: State, form: Form, context: Context) -> Bodies:
    return entrants.arrived(state, form.needed("text", context.say("arrive")))


def _check_in_many(state: State, form: Form, _context: Context) -> Bodies:
    ticked = [name.removeprefix("in-") for name in form.fields if name.startswith("in-")]
    return entrants.check_in_many(state, ticked, form.flag("present"))


def _add_player(state: State, form: Form, context: Context) -> Bodies:
    texts = {key: form.text(key) for key in TEXTS_OF_A_PLAYER}
    if not (texts["first"] or texts["surname"]):
        form.needed("name", context.say("player"))
    texts["name"] = texts["name"] or full_name(texts["first"], texts["surname"])
    seed = form.optional_number("seed", context.say("seed"))
    player = Player(id=entrants.free_id(state), seed=seed, **texts)
    if state.groups:
        return entrants.late_entry(state, player, form.text("group") or None)
    return entrants.add_players(state, [player])


def _edit_player(state: State, form: Form, context: Context) -> Bodies:
    seed = form.optional_number("seed", context.say("seed"))
    texts = {key: form.text(key) for key in TEXTS_OF_A_PLAYER}
    return entrants.edit_player(state, form.text("player"), seed=seed or 0, **texts)


def _remove_player(state: State, form: Form, _context: Context) -> Bodies:
    return entrants.remove_player(state, form.text("player"), form.flag("with_matches"))


def _merge(state: State, form: Form, _context: Context) -> Bodies:
    return entrants.merge(state, form.text("player"), form.text("double"))


def _public_names(state: State, form: Form, _context: Context) -> Bodies:
    return entrants.public_names(state, form.flag("short"))


def _compare(state: State, form: Form, _context: Context) -> Bodies:
    per_match = form.text("compare") == "per-match"
    return entrants.change(state, ev.Changed(compare="per-match" if per_match else "raw"))


def _import(state: State, form: Form, context: Context) -> Bodies:
    if not form.file:
        raise UserError("form_missing", field=context.say("import_csv"))
    found = parse_players(form.file, "CSV")
    return entrants.add_list(state, found)


def _of_player(command: Callable[[State, PlayerId], Bodies]) -> Handler:
    return lambda state, form, _context: command(state, form.text("player"))


# -- draw and calls -------------------------------------------------------------------------------


def _draw(state: State, form: Form, context: Context) -> Bodies:
    size = form.number("size", context.say("group_size"))
    random_seed = form.optional_number("random_seed", context.say("random_seed"))
    return entrants.draw(state, size, random_seed, form.flag("everybody"))


def _call(state: State, match: MatchState, form: Form, context: Context) -> Bodies:
    return matches.call(state, match.id, form.optional_number("table", context.say("table")))


def _call_slot(state: State, form: Form, context: Context) -> Bodies:
    called, refused = matches.call_slot(state, form.number("slot", context.say("slot")))
    if refused and not called:
        raise refused[-1]
    return called


def _begins(state: State, form: Form, context: Context) -> Bodies:
    text = form.needed("begins", context.say("begins"))
    return entrants.change(state, ev.Changed(begins=schedule.begin_of(text, context.now)))


def _announce(state: State, form: Form, _context: Context) -> Bodies:
    return matches.announce(state, form.text("text"))


def _end_announcement(state: State, form: Form, context: Context) -> Bodies:
    number = form.number("announcement", context.say("announcement"))
    return matches.end_announcement(state, number)


# -- results --------------------------------------------------------------------------------------


def _enter(state: State, match: MatchState, form: Form, _context: Context) -> Bodies:
    result = form.result(match, state)
    bodies = matches.enter(state, match.id, result.cards, result.kind, result.winner)
    checks.ask(match, result.cards, result.kind, form.flag("sure"))
    return bodies


def _report(state: State, match: MatchState, form: Form, _context: Context) -> Bodies:
    result = form.result(match, state)
    said = ev.Reported(
        match=match.id, cards=result.cards, kind=result.kind, winner=result.winner, source="paper"
    )
    bodies = matches.report(state, said)
    checks.ask(match, result.cards, result.kind, form.flag("sure"))
    return bodies


def _take_back(state: State, match: MatchState, form: Form, context: Context) -> Bodies:
    number = form.number("report", context.say("reports"))
    bodies = matches.take_back(state, match.id, number)
    context.needs("take_back", "source", match.reports[number].source)
    return bodies


def _undo(state: State, form: Form, context: Context) -> Bodies:
    """Of the match that the form names, else the last one."""
    match = form.match(state) if form.text("match") else None
    if match:
        form.unchanged(match)
    return corrections.undo(state, context.user.name, context.now, match.id if match else None)


def _assign(state: State, match: MatchState, form: Form, _context: Context) -> Bodies:
    first = {"a": match.a, "b": match.b}.get(form.text("first"))
    return unplaced.assign(state, form.text("journal"), match.id, first)


def _give(state: State, match: MatchState, form: Form, _context: Context) -> Bodies:
    return boxes.give(state, match.id, form.text("box"), not form.flag("no_deck"))


def _dismiss(state: State, form: Form, _context: Context) -> Bodies:
    return unplaced.dismiss(state, form.text("journal"))


def _check(state: State, match: MatchState, form: Form, context: Context) -> Bodies:
    for said in match.reports:
        context.needs("check", "kind", said.kind)
    return matches.check(state, match.id)


def _choose(state: State, match: MatchState, form: Form, context: Context) -> Bodies:
    """One of several reports counts."""
    number = form.number("report", context.say("reports"))
    if number >= len(match.reports):
        raise UserError("form_stale", match=match.id)
    said = match.reports[number]
    context.needs("choose", "kind", said.kind)
    return matches.check(state, match.id, said.cards, said.kind, said.winner)


def _no_show(state: State, match: MatchState, form: Form, context: Context) -> Bodies:
    absent = match.a if form.text("absent") == "a" else match.b
    return matches.forfeit(state, match.id, absent, context.now, form.flag("force"))


def _correct(state: State, match: MatchState, form: Form, context: Context) -> Bodies:
    context.needs("correct", "status", match.status)
    context.needs("correct", "was", match.result.kind if match.result else "")
    result = form.result(match, state)
    wanted = (result.cards, result.kind, result.winner)
    return corrections.correct(state, match.id, *wanted, form.flag("force"), form.flag("redraw"))


def _void(state: State, match: MatchState, form: Form, _context: Context) -> Bodies:
    return corrections.void(state, match.id, form.flag("force"))


# -- lots and knock-out ---------------------------------------------------------------------------


def _lot(state: State, form: Form, context: Context) -> Bodies:
    """The drawn order as people wrote it: a number for each player."""
    places = {
        name.removeprefix("place-"): form.number(name, context.say("lot_title"))
        for name in form.fields
        if name.startswith("place-")
    }
    if sorted(places.values()) != list(range(1, len(places) + 1)):
        raise UserError("lot_order", count=len(places))
    return knockout.lot(state, sorted(places, key=lambda player: places[player]))


# -- the jury's book ------------------------------------------------------------------------------


def _who(state: State, form: Form, *, needed: str = "") -> tuple[PlayerId, ev.MatchId]:
    """The player and the match that an entry is about; "" for none. `needed`: the label of the
    player's field if there must be one.
    """
    text = form.needed("who", needed) if needed else form.text("who")
    match = form.match(state).id if form.text("match") else ""
    return (entrants.meant(state, text) if text else ""), match


def _protest(state: State, form: Form, context: Context) -> Bodies:
    player, match = _who(state, form, needed=context.say("player"))
    return jury.protest(state, player, form.long_text("text"), form.text("deposit"), match)


def _decide(state: State, form: Form, context: Context) -> Bodies:
    return jury.decide(
        state,
        form.number("protest", context.say("protests")),
        form.flag("upheld"),
        form.long_text("text"),
        form.flag("deposit_back"),
        "void" if form.text("effect") == "void" else "",
    )


def _observe(state: State, form: Form, _context: Context) -> Bodies:
    return jury.observe(state, form.long_text("text"), *_who(state, form))


def _penalize(state: State, form: Form, context: Context) -> Bodies:
    player, match = _who(state, form, needed=context.say("player"))
    cards = form.optional_number("cards", context.say("how_many")) or 0
    kind: ev.Penalty = "cards" if form.text("kind") == "cards" else "warning"
    return jury.penalize(state, player, kind, form.long_text("text"), match, cards)


def _lift(state: State, form: Form, context: Context) -> Bodies:
    return jury.lift(state, form.number("note", context.say("penalties")))


ACTIONS: dict[str, Action] = {
    "check_in": Action("players", _check_in),
    "arrive": Action("players", _arrive, then="players?arrive=1"),
    "check_in_many": Action("players", _check_in_many),
    "check_in_all": Action("players", lambda state, *_: entrants.check_in_all(state)),
    "add_player": Action("players", _add_player),
    "import": Action("players", _import),
    "edit_player": Action("player", _edit_player),
    "remove_player": Action("player", _remove_player, then="players"),
    "merge": Action("player", _merge, then="players"),
    "enter_again": Action("players", _of_player(entrants.enter_again)),
    "withdraw": Action("player", _of_player(entrants.withdraw)),
    "exclude": Action("player", _of_player(entrants.exclude)),
    "reinstate": Action("player", _of_player(entrants.reinstate)),
    "public_names": Action("players", _public_names),
    "compare": Action("standings", _compare),
    "draw": Action("draw", _draw),
    "call": Action("calls", _of_match(_call)),
    "call_slot": Action("calls", _call_slot),
    "begins": Action("draw", _begins),
    "announce": Action("home", _announce),
    "end_announcement": Action("home", _end_announcement),
    "signal_start": Action("calls", lambda state, _form, _who: matches.signal_start(state)),
    "start": Action("match", _of_match(lambda state, match, *_: matches.start(state, match.id))),
    "give": Action("tables", _of_match(_give)),
    "assign": Action("boxes", _of_match(_assign)),
    "dismiss": Action("boxes", _dismiss),
    "enter": Action("match", _of_match(_enter, fresh=True)),
    "report": Action("match", _of_match(_report)),
    "take_back": Action("match", _of_match(_take_back, fresh=True)),
    "undo": Action("grid", _undo),
    "check": Action("match", _of_match(_check, fresh=True)),
    "check_all": Action("home", lambda state, _form, _who: matches.check_all(state)),
    "choose": Action("match", _of_match(_choose, fresh=True)),
    "lock": Action("match", _of_match(lambda state, match, *_: matches.lock(state, match.id))),
    "no_show": Action("match", _of_match(_no_show, fresh=True)),
    "correct": Action("match", _of_match(_correct, fresh=True)),
    "void": Action("match", _of_match(_void, fresh=True)),
    "postpone": Action("match", _of_match(lambda s, m, *_: jury.postpone(s, m.id), fresh=True)),
    "protest": Action("jury", _protest),
    "decide": Action("jury", _decide),
    "observe": Action("jury", _observe),
    "penalize": Action("jury", _penalize),
    "lift": Action("jury", _lift),
    "lot": Action("standings", _lot),
    "draw_lots": Action("standings", lambda state, _form, _who: knockout.draw_lots(state)),
    "lock_all": Action("matches", lambda state, _form, _who: matches.lock_all(state)),
    "draw_ko": Action("ko", lambda state, _form, _who: knockout.draw_ko(state)),
}


def command_of(name: str, form: Form, context: Context) -> Callable[[State], Bodies]:
    """The command for the service; a missing reason is refused before anything is judged."""
    if RIGHTS[name].reason:
        form.needed("why", context.say("why"))
    return lambda state: ACTIONS[name].handle(state, form, context)
