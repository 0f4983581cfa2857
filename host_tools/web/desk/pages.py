"""What the pages of the desk show: for each page its template and the values it gets."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, TypeVar, get_args

from markupsafe import Markup
from msgspec import structs
from starlette.datastructures import ImmutableMultiDict

from host_tools.core.errors import UserError, in_words
from host_tools.core.names import shown
from host_tools.core.supervisor import Task
from host_tools.core.texts import TEXTS, round_namer
from host_tools.hall.checking import check_boxes, why
from host_tools.print import DOCUMENTS, OF_THE_JURY
from host_tools.print.tree_layout import whole
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options, swiss, view
from host_tools.tournament.actions import checks, corrections, entrants, knockout
from host_tools.tournament.actions import rounds as swiss_rounds
from host_tools.tournament.actions import signups as signup_commands
from host_tools.tournament.actions.matches import check_all, places_of
from host_tools.tournament.boxes import BoxTables, SeenBox, own_match, task, wanted
from host_tools.tournament.export import FORMATS, WITH_OBSERVATIONS
from host_tools.tournament.fields import find_match
from host_tools.tournament.files import seed_lines
from host_tools.tournament.incoming import find_match as find_place
from host_tools.tournament.incoming import seat_labels
from host_tools.tournament.model import MODES, Kind, PlayerId, has_tree, is_swiss, swiss_follows
from host_tools.tournament.operations import OPERATIONS, seen
from host_tools.tournament.phases import PHASES, Phase, next_steps, phase_now
from host_tools.tournament.player_names import beside_name, columns
from host_tools.tournament.rights import (
    READS_OBSERVATIONS,
    STATUSES,
    Role,
    first_against,
    is_possible,
    is_shown,
)
from host_tools.tournament.schedule import begin_text, estimate
from host_tools.tournament.service import TournamentService
from host_tools.tournament.state import MatchState, TournamentState
from host_tools.tournament.wording import (
    event_text,
    group_name,
    name_of,
    reason,
    refusal_text,
    sentence_text,
)
from host_tools.web.desk.accounts import User
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.login import LoginLog
from host_tools.web.desk.rendering import since, team_lines, words
from host_tools.web.desk.tree_drawing import tree_svg

READ_LOGINS: Role = "jury"
FORGETS: Role = "jury"
"""Who takes the names out, after the event."""
LOG_SHOWN = 300
LISTED = 200
"""So many lines of a list stand on one page."""
LOGINS_SHOWN = 50
HONOURS_SHOWN = 8
"""Those who reached the quarter-finals."""
GROUP_SIZE = "4"
GRID, SEARCH = "grid", "search"
NOW = "now"
"""The grid of what is at the tables."""
_LONGEST = 9
"""So many digits of a number are read."""


@dataclass
class PageRequest:
    """One look at a page. `fields`: the query, or what was typed into a form that was refused."""

    follower: Follower
    user: User
    lang: str
    fields: ImmutableMultiDict[str, str]
    which: str
    """The match or the player that the page is about."""
    extra: dict[str, Any]
    service: TournamentService
    logins: LoginLog
    tables: BoxTables | None
    """The boxes at the cables of this machine."""
    tasks: Sequence[Task]
    """What this desk keeps running."""

    @cached_property
    def state(self) -> TournamentState:
        """The same for all of a page, whatever happens meanwhile."""
        return self.follower.state

    @property
    def text(self) -> Mapping[str, str]:
        return TEXTS[self.lang]

    @property
    def order(self) -> str:
        """The places that were typed, seat by seat."""
        # one field `at` for each seat: of the correction, a GET, or of an entry that was refused
        return self.fields.get("order", "") or " ".join(self.fields.getlist("at"))


PageValues = Callable[[PageRequest], dict[str, Any]]
PageItem = TypeVar("PageItem")


def paged(
    items: Sequence[PageItem], request: PageRequest
) -> tuple[Sequence[PageItem], dict[str, Any]]:
    """The piece of a long list that the field `page` asks for, from 1, and the links to others."""
    asked = request.fields.get("page", "")
    last = max(1, -(-len(items) // LISTED))  # rounded up
    # truncated, as int() raises beyond 4300 digits
    number = int(asked[:_LONGEST]) if asked.isascii() and asked.isdecimal() else 1
    number = min(max(number, 1), last)
    piece = items[(number - 1) * LISTED : number * LISTED]
    return piece, {"paging": {"page": number, "last": last}}


def home(request: PageRequest) -> dict[str, Any]:
    """What needs a hand now."""
    state = request.state
    matches = state.matches.values()
    return {
        "disagree": view.lines(state, (m for m in matches if m.doubtful)),
        "to_check": view.lines(
            state, (m for m in matches if m.status == "reported" and not m.doubtful)
        ),
        "sure": len(check_all(state)),
        "latecomers": view.latecomers(state),
        "groups": [group.id for group in state.groups],
        "announcements": list(state.announcements.items()),
        "called": view.at_the_tables(state),
        "decks": view.decks_missed(state),
        "unplaced": len(state.to_place()),
        "box_tasks": [row["task"] for row in tables(request)["rows"] if row["task"]],
        "protests": [n for n, _, _ in _notes(request)["protest_filed"] if n.decision is None],
        "postponed": view.lines(state, (m for m in matches if m.postponed)),
        # before that, results to come may still decide them
        "ties": _named(state, knockout.cut_ties(state)) if state.stage_done else [],
        "champion": view.champion(state),
        "progress": view.progress(state),
        "rules_line": rule_options.line(state.setup, request.lang),
    }


def signups(request: PageRequest) -> dict[str, Any]:
    """Who signed up by themselves and waits to be confirmed; how to reach them."""
    state = request.state
    fitting = set(signup_commands.fitting(state))
    return {
        "signing_up": state.signing_up,
        "left": signup_commands.places_left(state),
        "signups": [(n, said, n in fitting) for n, said in state.signups.items()],
        "fits": len(fitting),
        "contacts": [(name_of(state, who), said) for who, said in state.contacts.items()],
    }


def players(request: PageRequest) -> dict[str, Any]:
    """Everybody, filtered by the field `q`."""
    state = request.state
    wanted = request.fields.get("q", "").casefold()
    found = [p for p in state.players.values() if wanted in f"{p.name} {p.club} {p.id}".casefold()]
    piece, paging = paged(found, request)
    return {
        **paging,
        "players": [
            (player, _standing(state, player.id), len(state.penalties(player.id)))
            for player in piece
        ],
        **_fairness(state),
        "short_names": state.short_names,
        "latecomers": view.latecomers(state),
        "together": len(state.together),
        "present": len(state.present - state.out),
        "total": len(state.players),
        "groups": [group.id for group in state.groups],
        "removed": list(state.removed.values()),
        "columns": columns(state.players.values()),
    }


def _fairness(state: TournamentState) -> dict[str, Any]:
    """Groups of different size, and how their players are compared (TO-3)."""
    return {"sizes": view.sizes(state), "compare": state.setup.compare}


def player(request: PageRequest) -> dict[str, Any]:
    """One entry: what hangs on it, and everything that may be done with it."""
    state = request.state
    who = entrants.meant(state, request.which)
    found = entrants.hanging(state, who)
    typed = "name" in request.fields  # a form that was refused
    return {
        "player": state.players[who],
        "facts": beside_name(state.players[who], "list"),
        "label": name_of(state, who),
        "standing": _standing(state, who),
        "hanging": found,
        # StrictUndefined would fail on a field that the form left out
        "entry": defaultdict(str, request.fields) if typed else structs.asdict(state.players[who]),
        "lines": view.lines(state, (state.matches[match] for match in found.matches)),
        "similar": [(p, name_of(state, p)) for p in view.similar(state, who)],
        "may_forget": request.user.has(FORGETS) and bool(state.players[who].name),
        **_merged(state, who, request),
        "notes": _notes(request, who=who),
    }


def _merged(state: TournamentState, who: PlayerId, request: PageRequest) -> dict[str, Any]:
    """What merging with the entry in the field `double` would do."""
    text = request.fields.get("double", "")
    nothing: dict[str, Any] = {"double": "", "merged": [], "merge_error": ""}
    if not text:
        return nothing
    try:
        double = entrants.meant(state, text)
        bodies = entrants.merge(state, who, double)
    except UserError as error:
        return nothing | {"merge_error": refusal_text(error, state, request.lang)}
    lines = [
        # event_text() takes a whole entry; this one is never stored
        event_text(state, ev.LogEntry(seq=0, at="", actor="", body=b), request.lang)
        for b in bodies
    ]
    other = entrants.hanging(state, double)
    hangs = request.text["hangs" if other.group else "hangs_nothing"].format(
        group=other.group, count=len(other.matches), begun=other.begun, played=other.played
    )
    merged = [f"{name_of(state, double)}: {hangs}", *lines]
    return nothing | {"double": double, "merged": merged}


def _standing(state: TournamentState, player: str) -> str:
    if player in state.excluded:
        return "excluded"
    if player in state.withdrawn:
        return "withdrawn"
    return "present" if player in state.present else "absent"


def draw(request: PageRequest) -> dict[str, Any]:
    state = request.state
    in_groups = [match for match in state.matches.values() if match.group is not None]
    setup = state.setup
    entrants = sum(len(group.players) for group in state.groups)
    if state.swiss_waits:
        # the tree comes from the Swiss, which takes only so many of each group
        entrants = min(entrants, setup.advance * len(state.groups))
    piece, paging = paged(sorted(in_groups, key=lambda m: (m.slot, m.table)), request)
    return {
        **_fairness(state),
        **paging,
        "begun": first_against("draw", state.matches.values()) is not None,
        "setup": setup,
        "rule_rows": rule_options.form(setup, request.lang),
        "rules_line": rule_options.line(setup, request.lang),
        "tree": bool(state.ko_seeds),
        "modes": MODES,
        "default_size": GROUP_SIZE,
        "groups": [
            (group_name(state, group.id, request.lang), [name_of(state, p) for p in group.players])
            for group in state.all_groups
        ],
        "times": view.times(state),
        "begins": begin_text(state.setup.begins),
        "plan": view.lines(state, piece),
        "estimate": estimate(
            in_groups,
            # fewer entrants get byes (TO-3), which need no table
            min(setup.ko_size, entrants) if has_tree(setup.mode) else 0,
            setup.tables,
            setup.slot_minutes,
        ),
    }


def rounds(request: PageRequest) -> dict[str, Any]:
    """The rounds of a Swiss, the newest first; the next one, and with the field `preview` how it
    would be paired.
    """
    state, refused, pairing = _next_round(request)
    last = state.setup.rounds
    number = len(state.rounds) + 1
    here = swiss.in_round(state) if state.in_swiss else []
    return {
        "swiss": is_swiss(state.setup.mode),
        "last": last,
        # no round may follow once the tree is drawn from those before
        "coming": number if here and number <= last and not state.ko_seeds else 0,
        "refused": refused,
        "shown": pairing,
        "sitting": [(player, name_of(state, player)) for player in sorted(state.paused)],
        "playing": [(player, name_of(state, player)) for player in here],
        "undo": swiss_rounds.may_unpair(state),
        "rounds": [
            {
                "number": paired.round,
                "lines": view.lines(state, matches),
                "bye": name_of(state, paired.bye) if paired.bye else "",
            }
            for paired, matches in reversed(
                list(zip(state.rounds, swiss.rounds_of(state), strict=True))
            )
        ],
    }


def _next_round(
    request: PageRequest,
) -> tuple[TournamentState, str, dict[str, Any] | None]:
    """The Swiss that it is of; why it cannot be paired yet; else how it would be, if that was
    asked for.
    """
    state = request.state
    try:
        # a state of its own: previewing a pairing stores nothing
        state = state.after(swiss_rounds.begin(state))
        swiss_rounds.check_ready(state)
        asked = request.fields.get("preview") == "1"
        paired = swiss_rounds.next_round(state) if asked else None
    except UserError as error:
        return state, refusal_text(error, state, request.lang), None
    if paired is None:
        return state, "", None
    pairs = [
        " – ".join(name_of(state, player) for player in pair)
        for pair in paired.tables or paired.pairs
    ]
    bye = name_of(state, paired.bye) if paired.bye else ""
    return state, "", {"pairs": pairs, "bye": bye}


def calls(request: PageRequest) -> dict[str, Any]:
    state = request.state
    waiting = view.waiting(state)
    piece, paging = paged(waiting, request)
    return {
        **paging,
        "called": (called := view.at_the_tables(state)),
        "elsewhere": sorted(state.elsewhere, key=lambda busy: busy.table),
        "ready": sum(not line.started_at for line in called),
        "decks": view.decks_out(state),
        "missed": len(view.decks_missed(state)),
        "waiting": view.lines(state, piece),
        "times": view.times(state),
        "slot": waiting[0].slot if waiting else 0,
        "rounds": list(dict.fromkeys(match.round for match in waiting if match.round)),
        "tables": state.setup.tables,
    }


def grid(request: PageRequest) -> dict[str, Any]:
    """The matches at the tables, or those of a slot or round, to enter one result after the
    other. What is called goes before the plan: its slips come from several slots.
    """
    state = request.state
    last = view.last_at_tables(state)
    known = [*([NOW] if last else []), *view.stages(state)]
    wanted = request.fields.get("stage", "")
    usual = NOW if any(match.status == "called" for match in last) else view.stage_now(state)
    stage = wanted if wanted in known else usual
    shown = last if stage == NOW else view.of_stage(state, stage)
    return {
        "stages": known,
        "stage": stage,
        "rows": [_grid_row(match, request) for match in shown],
    }


def _grid_row(match: MatchState, request: PageRequest) -> dict[str, Any]:
    """A match, what is known of it and what may be done. `undo`: until when, "" if not."""
    may = request.user.may
    kinds = [report.kind for report in match.reports]
    entry = match.entered
    until = ""
    if entry and entry.actor == request.user.name and is_possible("undo", match) and may("undo"):
        end = datetime.fromisoformat(entry.at) + timedelta(seconds=corrections.UNDO_SECONDS)
        # the moment, not the seconds left: the page stays open and hides the button itself
        until = end.isoformat() if datetime.now(UTC) <= end else ""
    return {
        "match": match,
        "line": view.match_line(request.state, match),
        "seen": seen(match),
        "most": checks.cards_in_play(match.deck),
        "dealt": checks.cards_dealt(match.deck) or "",
        "enter": is_possible("enter", match) and may("enter"),
        "check": bool(kinds)
        and not match.doubtful
        and is_possible("check", match)
        # SW-9: an exclusion is the jury's, even to check
        and all(may("check", "kind", kind) for kind in kinds),
        "undo": until,
        "deck": deck_state(request.state, match),
    }


def deck_state(state: TournamentState, match: MatchState) -> str:
    """`out`, or `back` at the desk; "" if no deck went to its table, or another match has it."""
    if match.id in state.decks_out.values():
        return "out"
    return "back" if match.deck_back and (match.table, match.deck) not in state.decks_out else ""


def search(request: PageRequest) -> dict[str, Any]:
    """What the field at the top of every page finds."""
    return {"found": view.search(request.state, request.fields.get("q", ""))}


def matches(request: PageRequest) -> dict[str, Any]:
    """All matches, filtered by the field `status`."""
    state = request.state
    wanted = request.fields.get("status", "")
    found = [m for m in state.matches.values() if wanted not in STATUSES or m.status == wanted]
    piece, paging = paged(found, request)
    lines = view.lines(state, piece)
    return {**paging, "matches": lines, "statuses": STATUSES, "wanted": wanted}


def boxes(request: PageRequest) -> dict[str, Any]:
    """Results of boxes and slips that fit no match: each with why, to be given to one."""
    state = request.state
    tasks = [(body, seat_labels(body), _why_unplaced(body, request)) for body in state.to_place()]
    # the list to choose from has every match, and only a task needs it
    return {"tasks": tasks, "matches": view.lines(state, state.matches.values() if tasks else [])}


def tables(request: PageRequest) -> dict[str, Any]:
    """The boxes at the cables: what each was given, who is here, how far it is."""
    known = request.tables.rows() if request.tables else []
    open_ones = [line for line in view.at_the_tables(request.state) if not line.started_at]
    return {
        "rows": [_box_row(seen_box, known, request) for seen_box in known],
        "looking": request.tables is not None,
        "to_give": open_ones,
    }


def _box_row(seen_box: SeenBox, known: Sequence[SeenBox], request: PageRequest) -> dict[str, Any]:
    state, tournament, given = request.state, request.service.id, seen_box.given
    found = own_match(state, tournament, given.assigned)
    due = wanted(state, seen_box.box, seen_box.table)
    playing = own_match(state, tournament, given.plays)
    what = task(state, tournament, seen_box, [one for one in known if one.connected])
    return {
        "box": seen_box,
        "line": view.match_line(state, found) if found else None,
        "due": due.id if due and not due.started_at else "",
        "here": [name_of(state, player) for player in given.here],
        "arrived": found is not None and (bool(found.reports) or found.counts),
        "playing": view.match_line(state, playing) if playing else None,
        "task": sentence_text(what, state, request.lang) if what else "",
    }


def _why_unplaced(body: ev.Unplaced, request: PageRequest) -> str:
    """As it stands now: the players may have been entered since."""
    found = find_place(request.state, body)
    if isinstance(found, MatchState):
        return request.text["fits_locked"].format(match=found.id)
    return sentence_text(found, request.state, request.lang)


def match(request: PageRequest) -> dict[str, Any]:
    """One match: its reports side by side, and the forms that fit its state."""
    state = request.state
    found = find_match(state, request.which)
    return {
        "line": view.match_line(state, found),
        "places": view.places(state, found),
        "notes": _notes(request, match=found.id),
        "match": found,
        "seen": seen(found),
        "deck": deck_state(state, found),
        "offers": lambda action, *value: (
            is_shown(action, found.status) and request.user.may(action, *value)
        ),
        "other_rules": " ".join(rule_options.sentences(state.setup, found, request.lang)),
        "doubt": _doubt(found, request),
        "typed_doubt": _typed_doubt(found, request),
        "kinds": lambda action: [
            kind for kind in get_args(Kind) if request.user.may(action, "kind", kind)
        ],
        "order": request.order,
        **_preview(found, request),
    }


def after(request: PageRequest) -> dict[str, Any]:
    """What a match was like that a box has recorded (TO-5)."""
    found = find_match(request.state, request.which)
    digests = [report.journal for report in found.reports if report.journal]
    raw = request.service.store.journal(digests[-1]) if digests else None
    if raw is None:
        raise UserError("match_no_journal", match=found.id)
    return {
        "line": view.match_line(request.state, found),
        "match": found,
        "summary": _summary(raw, found.id, request.lang),
    }


@lru_cache(maxsize=64)
def _summary(raw: bytes, name: str, lang: str) -> Markup:
    """A few seconds of work, once: a journal never changes."""
    # with it comes the software box: a third of what a desk loads, for a page that is seldom asked
    from host_tools.sim.table.replays import read_replay
    from host_tools.web.table.after_pages import as_html

    return Markup(as_html(read_replay(raw, name, lang).after(), lang))


def _doubt(match: MatchState, request: PageRequest) -> str:
    # odd is a sum of two players' cards (SW-1); tables of several report places
    doubts = [checks.doubt(said.cards, said.kind) for said in match.reports if not said.places]
    return next(
        (sentence_text(doubt, request.state, request.lang) for doubt in doubts if doubt), ""
    )


def _typed(action: str, match: MatchState, request: PageRequest) -> Any:
    """The result that was typed into a form. Raises UserError."""
    form = OPERATIONS[action].form
    names = ("cards_a", "cards_b", "kind", "winner")
    pairs = [(name, request.fields[name]) for name in names if name in request.fields]
    return form.found(form.read([("match", match.id), *pairs]), request.state)


def _typed_doubt(match: MatchState, request: PageRequest) -> str:
    """What is odd about the result that was typed and refused; "" if nothing."""
    try:
        typed = _typed("enter", match, request)
    except UserError:
        return ""
    odd = checks.doubt((typed.cards_a, typed.cards_b), typed.kind)
    return sentence_text(odd, request.state, request.lang) if odd else ""


def _preview(match: MatchState, request: PageRequest) -> dict[str, Any]:
    """What a correction would move, if one was asked for."""
    state = request.state
    if request.fields.get("preview") != "1":
        return {"impact": None, "preview_error": ""}
    try:
        change = _correction(match, request)
    except UserError as error:
        return {"impact": None, "preview_error": refusal_text(error, state, request.lang)}
    effect = corrections.impact(state, change)
    begun = knockout.tree_begun(state) is not None
    text, lines = request.text, corrections.impact_lines(state, effect, request.lang)
    if effect.seeds:
        lines.append(text["seeds_stay" if begun else "seeds_choose"])
    return {
        "impact": lines or [text["impact_none"]],
        "must_force": bool(effect.voided or effect.seeds),
        "may_redraw": bool(effect.seeds) and not begun,
        "preview_error": "",
    }


def _correction(match: MatchState, request: PageRequest) -> ev.Corrected:
    """As it was typed. Raises UserError."""
    state = request.state
    if match.more:
        places = places_of(state, match.id, request.order)
        return corrections.correction_of_places(state, match.id, places)
    typed = _typed("correct", match, request)
    cards = (typed.cards_a, typed.cards_b)
    return corrections.correction(state, match.id, cards, typed.kind, typed.winner)


def standings(request: PageRequest) -> dict[str, Any]:
    """Group tables, the order across groups, and the ties that need a lot. A page has a piece of
    the order and as many groups as bring all of them onto the pages.
    """
    state = request.state
    ranking, paging = paged(view.ranking(state, request.lang), request)
    number, last = paging["paging"]["page"], paging["paging"]["last"]
    each = -(-len(state.all_groups) // last)
    return {
        **_fairness(state),
        **paging,
        "groups": [
            (
                group_name(state, group.id, request.lang),
                view.group_lines(state, group.id, request.lang),
            )
            for group in state.all_groups[(number - 1) * each : number * each]
        ],
        "ranking": ranking,
        "final": paged(view.final_lines(state), request)[0],
        "tree": has_tree(state.setup.mode),
        "ties": _named(state, knockout.ties(state)) if state.groups else [],
        "teams": team_lines(state),
        "stage_done": state.stage_done,
    }


def _named(state: TournamentState, ties: list[list[PlayerId]]) -> list[list[tuple[str, str]]]:
    return [[(who, name_of(state, who)) for who in tie] for tie in ties]


def ko(request: PageRequest) -> dict[str, Any]:
    state = request.state
    names, title = round_namer(request.lang), request.text["tree"]
    tree = tree_svg(whole(state.bracket), state, names, title) if state.bracket else None
    return {
        "tree": tree,
        "size": state.setup.ko_size,
        "begun": knockout.tree_begun(state) is not None,
        "seed_moves": seed_lines(
            knockout.seed_moves(state), lambda player: name_of(state, player), request.lang
        ),
        "matches": view.lines(state, state.ko_matches()),
        "champion": view.champion(state),
    }


def jury(request: PageRequest) -> dict[str, Any]:
    """Protests, penalties, matches played later, cards counted beside computed; for the jury
    also what undercover referees report.
    """
    state = request.state
    known = view.stages(state)
    wanted = request.fields.get("stage", "")
    stage = wanted if wanted in known else view.stage_now(state)
    return {
        "notes": _notes(request),
        "reads_all": request.user.has(READS_OBSERVATIONS),
        "postponed": view.lines(state, (m for m in state.matches.values() if m.postponed)),
        "stages": known,
        "stage": stage,
        "counted": view.counted(state, stage),
    }


def _notes(request: PageRequest, who: PlayerId = "", match: str = "") -> dict[str, list[Any]]:
    """Entries of the jury's book by kind, newest first, each with the names in it; those about a
    player or a match if one is given.
    """
    state = request.state
    found: dict[str, list[Any]] = {"protest_filed": [], "penalized": [], "observed": []}
    for note in reversed(state.notes.values()):
        body = note.body
        # what undercover referees see is for the jury only
        if isinstance(body, ev.Observed) and not request.user.has(READS_OBSERVATIONS):
            continue
        player, about = getattr(body, "player", ""), body.match
        tag = str(body.__struct_config__.tag)
        if tag in found and who in ("", player) and match in ("", about):
            found[tag].append((note, name_of(state, player) if player else "", about))
    return found


def prints(request: PageRequest) -> dict[str, Any]:
    reads_all = request.user.has(READS_OBSERVATIONS)
    return {
        "documents": [one for one in DOCUMENTS if reads_all or one not in OF_THE_JURY],
        "files": [kind for kind in FORMATS if reads_all or kind not in WITH_OBSERVATIONS],
    }


def honours(request: PageRequest) -> dict[str, Any]:
    """After the final: who won, and everything that is due then."""
    return {
        **prints(request),
        "champion": view.champion(request.state),
        "podium": view.final_lines(request.state)[:HONOURS_SHOWN],
        "forgotten": request.state.forgotten,
        # somebody may have been entered after the names were deleted
        "may_forget": request.user.has(FORGETS)
        and any(player.name for player in request.state.players.values()),
    }


def log(request: PageRequest) -> dict[str, Any]:
    """The last events, newest first; logins for the jury only."""
    lang = request.lang
    # or the log would tell what undercover referees saw
    events = [
        structs.replace(event, actor=shown(event.actor))
        for event in reversed(request.follower.log[-LOG_SHOWN:])
        if request.user.has(READS_OBSERVATIONS) or not isinstance(event.body, ev.Observed)
    ]
    return {
        "events": [
            # without its reason, which has a column of its own
            (e, event_text(request.state, structs.replace(e, why=""), lang), reason(e, lang))
            for e in events
        ],
        "logins": request.logins.last(LOGINS_SHOWN) if request.user.has(READ_LOGINS) else [],
    }


def hall(request: PageRequest) -> dict[str, Any]:
    """The boxes on the air: what each says of itself, what is wrong, who was refused."""
    live = request.follower.live
    # a desk does not know the expected firmware and leagues; `hall check` does
    leagues = {box.here.league for box in live.boxes()}
    return {
        "checks": check_boxes(live.boxes(), datetime.now(UTC), "", list(leagues)),
        "assigned": {box.box: box.state.assignment or ("", "") for box in live.boxes()},
        "said": {box.box: _said_at(box.state.notice, request.text) for box in live.boxes()},
        "refusals": [(refused, why(refused)) for refused in live.refusals()],
        "stopped": [task for task in request.tasks if task.restarts],
        "said_in": lambda sentence: in_words(sentence, request.lang),
    }


def _said_at(notice: tuple[int, str] | None, text: Mapping[str, str]) -> str:
    """What became of the desk's last notice on a box (docs/hall.md: number and state)."""
    return text.get(f"said_{notice[1]}", "–") if notice else "–"


PHASE_PAGES: Mapping[Phase, tuple[str, ...]] = {
    "before": ("signups", "prints"),
    "checkin": ("players", "draw"),
    "groups": ("calls", GRID, "standings", "rounds"),
    "knockout": ("ko", "calls", GRID),
    "honours": ("honours",),
}
"""The menu by phases of the day: what each needs; the first page is the phase's own."""
BESIDE = {"player": "players", "match": GRID, "after": GRID}
"""A page about one of them is in the phase of the page that lists them."""
MORE = ("matches", "tables", "boxes", "hall", "jury", "log")
"""What may be needed at any time."""
# calls and grid belong to two phases and stand in the menu's order once
MENU = tuple(dict.fromkeys(["home", *(one for p in PHASES for one in PHASE_PAGES[p]), *MORE]))


def _menu(page: str, request: PageRequest) -> dict[str, Any]:
    """The phase that a page belongs to (of two the one that is on or was last), and what is next
    in it; of other pages what is next now.
    """
    steps = next_steps(request.state)
    now = phase_now(steps)
    own = [phase for phase in PHASES if BESIDE.get(page, page) in PHASE_PAGES[phase]]
    begun = [phase for phase in own if PHASES.index(phase) <= PHASES.index(now)]
    phase = begun[-1] if begun else own[0] if own else ""
    mode = request.state.setup.mode
    is_paired = is_swiss(mode)
    own_pages = PHASE_PAGES[phase] if phase else ()
    return {
        "phases": [
            (one, PHASE_PAGES[one][0], steps[one].done)
            for one in PHASES
            if one != "knockout" or has_tree(mode)
        ],
        # a Swiss without groups before it has rounds in their phase
        "phase_names": {"groups": "d_rounds"} if is_paired and not swiss_follows(mode) else {},
        "phase": phase,
        "phase_pages": [one for one in own_pages if is_paired or one != "rounds"],
        "phase_now": now,
        "more": MORE,
        "next": steps[phase or now],
    }


_FUNCTIONS: tuple[PageValues, ...] = (home, signups, players, player, draw, rounds, calls, grid)
_FUNCTIONS += (matches, match, after, tables, boxes, hall, standings, ko, honours, jury, prints)
_FUNCTIONS += (log, search)
PAGES = {function.__name__: function for function in _FUNCTIONS}
"""A page has the name of its function."""


def values_of(page: str, request: PageRequest) -> dict[str, Any]:
    """Everything the template of `page` gets."""
    return {
        **words(request.lang),
        "page": page,
        **_menu(page, request),
        "user": request.user,
        "may": request.user.may,
        "fields": defaultdict(str, request.fields),
        "name": request.state.setup.name,
        "version": request.follower.desk_version,
        "calling": [table for table in request.follower.live.tables(public=False) if table.jury],
        "look": "desk",
        "since": since(request.follower),
        **request.extra,
        **PAGES[page](request),
    }
