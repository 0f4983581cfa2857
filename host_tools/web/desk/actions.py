"""Everything the desk pages can write: one table of actions, each a wish to the tournament."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from host_tools.core.errors import UserError
from host_tools.core.texts.pages import TEXTS
from host_tools.tournament import desk
from host_tools.tournament import events as ev
from host_tools.tournament.model import Player, PlayerId
from host_tools.tournament.players_csv import parse_players, with_free_ids
from host_tools.tournament.state import State
from host_tools.web.desk.accounts import User
from host_tools.web.desk.forms import Form
from host_tools.web.desk.login import Forbidden
from host_tools.web.desk.roles import may, role_for


@dataclass(frozen=True)
class Context:
    """Who wants something, and in which language they are told why not."""

    user: User
    lang: str
    now: datetime

    def say(self, key: str, **values: object) -> str:
        """A text of the desk."""
        return TEXTS[self.lang][key].format(**values)

    def needs(self, action: str, name: str, value: str) -> None:
        """Raises Forbidden if that takes a bigger role (`roles.RIGHTS`)."""
        if not may(self.user, action, name, value):
            raise Forbidden(role_for(action, name, value))


Bodies = Sequence[ev.AnyBody]
Wish = Callable[[State, Form, Context], Bodies]


@dataclass(frozen=True)
class Action:
    """`page`: where its form stands; `reason`: a reason must be given. Who may: `roles.RIGHTS`."""

    page: str
    wish: Wish
    reason: bool = False


# -- players --------------------------------------------------------------------------------------


def _check_in(state: State, form: Form, _context: Context) -> Bodies:
    return desk.check_in(state, form.text("player"), form.flag("present"))


def _add_player(state: State, form: Form, context: Context) -> Bodies:
    name = form.needed("name", context.say("player"))
    seed = form.optional_number("seed", context.say("seed"))
    player = Player(id=desk.free_id(state), name=name, club=form.text("club"), seed=seed)
    if state.groups:
        return desk.late_entry(state, player, form.text("group") or None)
    return desk.add_players(state, [player])


def _edit_player(state: State, form: Form, context: Context) -> Bodies:
    seed = form.optional_number("seed", context.say("seed"))
    name = form.needed("name", context.say("player"))
    return desk.edit_player(state, form.text("player"), name, form.text("club"), seed or 0)


def _import(state: State, form: Form, context: Context) -> Bodies:
    if not form.file:
        raise UserError(context.say("missing", field=context.say("import_csv")))
    found = parse_players(form.file, "CSV")
    return desk.add_players(state, with_free_ids(state.players, found))


def _of_player(wish: Callable[[State, PlayerId], Bodies]) -> Wish:
    return lambda state, form, _context: wish(state, form.text("player"))


# -- draw and calls -------------------------------------------------------------------------------


def _draw(state: State, form: Form, context: Context) -> Bodies:
    size = form.number("size", context.say("group_size"))
    random_seed = form.optional_number("random_seed", context.say("random_seed"))
    return desk.draw(state, size, random_seed, form.flag("everybody"))


def _call(state: State, form: Form, context: Context) -> Bodies:
    table = form.optional_number("table", context.say("table"))
    return desk.call(state, form.match(state).id, table)


def _call_slot(state: State, form: Form, context: Context) -> Bodies:
    """Calls what can be called of a slot; a table or player that is still busy waits."""
    slot = form.number("slot", context.say("slot"))
    waiting = [m for m in state.matches.values() if m.slot == slot and m.status == "open"]
    called: list[ev.AnyBody] = []
    refused: UserError | None = None
    later = state
    for match in sorted(waiting, key=lambda match: match.table):
        try:
            made = desk.call(later, match.id)
        except UserError as error:
            refused = error
            continue
        called += made
        later = later.after(made)
    if refused is not None and not called:
        raise refused
    return called


# -- results --------------------------------------------------------------------------------------


def _enter(state: State, form: Form, _context: Context) -> Bodies:
    match = form.match(state)
    form.unchanged(match)
    result = form.result(match, state)
    bodies = desk.enter(state, match.id, result.cards, result.kind, result.winner)
    desk.ask(match, result.cards, result.kind, form.flag("sure"))
    return bodies


def _report(state: State, form: Form, _context: Context) -> Bodies:
    match = form.match(state)
    result = form.result(match, state)
    said = ev.Reported(
        match=match.id, cards=result.cards, kind=result.kind, winner=result.winner, source="paper"
    )
    bodies = desk.report(state, said)
    desk.ask(match, result.cards, result.kind, form.flag("sure"))
    return bodies


def _take_back(state: State, form: Form, context: Context) -> Bodies:
    match = form.match(state)
    form.unchanged(match)
    number = form.number("report", context.say("reports"))
    bodies = desk.take_back(state, match.id, number)
    context.needs("take_back", "source", match.reports[number].source)
    return bodies


def _start(state: State, form: Form, _context: Context) -> Bodies:
    return desk.start(state, form.match(state).id)


def _assign(state: State, form: Form, _context: Context) -> Bodies:
    match = form.match(state)
    first = {"a": match.a, "b": match.b}.get(form.text("first"))
    return desk.assign(state, form.text("journal"), match.id, first)


def _dismiss(state: State, form: Form, _context: Context) -> Bodies:
    return desk.dismiss(state, form.text("journal"))


def _check(state: State, form: Form, context: Context) -> Bodies:
    match = form.match(state)
    form.unchanged(match)
    for said in match.reports:
        context.needs("check", "kind", said.kind)
    return desk.check(state, match.id)


def _choose(state: State, form: Form, context: Context) -> Bodies:
    """One of several reports counts."""
    match = form.match(state)
    form.unchanged(match)
    number = form.number("report", context.say("reports"))
    if number >= len(match.reports):
        raise UserError(context.say("stale", match=match.id))
    said = match.reports[number]
    context.needs("choose", "kind", said.kind)
    return desk.check(state, match.id, said.cards, said.kind, said.winner)


def _lock(state: State, form: Form, _context: Context) -> Bodies:
    return desk.lock(state, form.match(state).id)


def _no_show(state: State, form: Form, context: Context) -> Bodies:
    match = form.match(state)
    form.unchanged(match)
    absent = match.a if form.text("absent") == "a" else match.b
    return desk.forfeit(state, match.id, absent, context.now, form.flag("force"))


def _correct(state: State, form: Form, context: Context) -> Bodies:
    match = form.match(state)
    form.unchanged(match)
    context.needs("correct", "status", match.status)
    context.needs("correct", "was", match.result.kind if match.result else "")
    result = form.result(match, state)
    wanted = (result.cards, result.kind, result.winner)
    return desk.correct(state, match.id, *wanted, form.flag("force"), form.flag("redraw"))


def _void(state: State, form: Form, _context: Context) -> Bodies:
    match = form.match(state)
    form.unchanged(match)
    return desk.void(state, match.id, form.flag("force"))


# -- lots and knock-out ---------------------------------------------------------------------------


def _lot(state: State, form: Form, context: Context) -> Bodies:
    """The drawn order as people wrote it: a number for each player."""
    places = {
        name.removeprefix("place-"): form.number(name, context.say("lot_title"))
        for name in form.fields
        if name.startswith("place-")
    }
    if sorted(places.values()) != list(range(1, len(places) + 1)):
        raise UserError(context.say("lot_order", count=len(places)))
    return desk.lot(state, sorted(places, key=lambda player: places[player]))


ACTIONS: dict[str, Action] = {
    "check_in": Action("players", _check_in),
    "add_player": Action("players", _add_player),
    "import": Action("players", _import),
    "edit_player": Action("players", _edit_player),
    "remove_player": Action("players", _of_player(desk.remove_player), reason=True),
    "enter_again": Action("players", _of_player(desk.enter_again)),
    "withdraw": Action("players", _of_player(desk.withdraw), reason=True),
    "exclude": Action("players", _of_player(desk.exclude), reason=True),
    "reinstate": Action("players", _of_player(desk.reinstate), reason=True),
    "draw": Action("draw", _draw),
    "call": Action("calls", _call),
    "call_slot": Action("calls", _call_slot),
    "start": Action("match", _start),
    "assign": Action("boxes", _assign),
    "dismiss": Action("boxes", _dismiss, reason=True),
    "enter": Action("match", _enter),
    "report": Action("match", _report),
    "take_back": Action("match", _take_back, reason=True),
    "check": Action("match", _check),
    "choose": Action("match", _choose),
    "lock": Action("match", _lock),
    "no_show": Action("match", _no_show),
    "correct": Action("match", _correct, reason=True),
    "void": Action("match", _void, reason=True),
    "lot": Action("standings", _lot),
    "draw_lots": Action("standings", lambda state, _form, _who: desk.draw_lots(state)),
    "lock_all": Action("matches", lambda state, _form, _who: desk.lock_all(state)),
    "draw_ko": Action("ko", lambda state, _form, _who: desk.draw_ko(state)),
}


def wish_of(action: Action, form: Form, context: Context) -> Callable[[State], Bodies]:
    """The wish for the service; a missing reason is refused before anything is judged."""
    if action.reason:
        form.needed("why", context.say("why"))
    return lambda state: action.wish(state, form, context)


def moment() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)
