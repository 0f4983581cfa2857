"""Events and matches in words, for the command line, the audit log and exports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import Any

import msgspec

from host_tools.core.errors import UserError, in_words
from host_tools.core.names import LONGEST_REASON, shown
from host_tools.core.texts import EVENTS, MODE, WORDS
from host_tools.tournament import events as ev
from host_tools.tournament.model import PlayerId, SaysResult, Tournament, is_level
from host_tools.tournament.schedule import begin_text
from host_tools.tournament.standings import COUNTED, Compare, StandingsRow, value_of
from host_tools.tournament.state import MatchState, TournamentState


def name_of(state: TournamentState, player: PlayerId | None) -> str:
    """The player's name, with the club of homonyms, the id of a nameless one, "…" for nobody
    yet.
    """
    # a side of the tree that is not known yet
    return "…" if player is None else state.label(player)


def group_name(stages: TournamentState | Tournament, group: str, lang: str) -> str:
    """`Group A`; all players of a Swiss, or at tables of several, are one, which is called so."""
    # the groups before a Swiss keep their letters
    if not stages.in_swiss or all(one.id != group for one in stages.groups):
        return f"{WORDS[lang]['group']} {group}"
    mode = stages.mode if isinstance(stages, Tournament) else stages.setup.mode
    return WORDS[lang]["tables" if mode == "tables" else "swiss"]


def match_name(state: TournamentState, match_id: ev.MatchId) -> str:
    """`A-1 Anna – Berta`; only the id of a match that is gone."""
    match = state.matches.get(match_id)
    if match is None:
        return match_id
    return f"{match_id} {names_of(state, match)}"


def names_of(state: TournamentState, match: MatchState) -> str:
    """`Anna – Berta`, or all at a table of several."""
    return " – ".join(name_of(state, player) for player in match.players)


def cards_text(cards: Sequence[int]) -> str:
    return ":".join(map(str, cards))


def said_text(said: SaysResult) -> str:
    """`20:12`; at a table of several the places."""
    return places_text(said.places) if said.places else cards_text(said.cards)


def places_text(places: Sequence[int]) -> str:
    """Seat by seat: `2. 1. –`."""
    return " ".join(f"{place}." if place else "–" for place in places)


def result_text(match: MatchState, lang: str) -> str:
    """`12:0 forfeit`; "" while nothing counts."""
    if match.result is None:
        return ""
    return f"{said_text(match.result)} {WORDS[lang].get(match.result.kind, '')}".rstrip()


def event_text(state: TournamentState, event: ev.LogEntry, lang: str) -> str:
    """One event as a sentence. `state`: as it stands now, for the names."""
    body = event.body
    fields: dict[str, Any] = {key: getattr(body, key) for key in body.__struct_fields__}
    fields = {key: _worded(state, key, value, lang) for key, value in fields.items()}
    fields |= _counted(body, lang)
    beside = _beside(state, body, lang)
    kept = f" – {WORDS[lang]['seeds_kept']}" if getattr(body, "seeds_kept", False) else ""
    why = f" – {reason(event, lang)}" if event.why else ""
    return EVENTS[lang][_key(body)].format(**fields) + beside + kept + why


def _key(body: ev.AnyBody) -> str:
    """The key of its sentence; what undoes an event of the same tag has one of its own."""
    tag = str(body.__struct_config__.tag)
    turned = {
        ("checked_in", "present"): "checked_out",
        ("box_given", "box"): "box_given_none",
        ("deck_back", "back"): "deck_still_out",
        ("public_names", "short"): "public_names_whole",
        ("signups_set", "open"): "signups_closed",
        ("signup_settled", "player"): "signup_declined",
    }
    other = next(
        (key for (one, name), key in turned.items() if one == tag and not getattr(body, name)), tag
    )
    if isinstance(body, ev.GroupsDrawn) and body.behind:
        return "swiss_begun"
    if isinstance(body, ev.RoundPaired) and body.bye:
        return "round_paired_bye"
    if isinstance(body, ev.TakenBack) and body.reopens:
        return "taken_back_open"
    return "paused_back" if isinstance(body, ev.Paused) and body.back else other


def _counted(body: ev.AnyBody, lang: str) -> dict[str, Any]:
    """What a sentence says beside the fields of its event, or in the place of one."""
    places = getattr(body, "places", [])
    if places:
        return {"cards": places_text(places), "old": places_text(getattr(body, "old_places", []))}
    if isinstance(body, ev.RoundPaired):
        return {"count": len(body.tables or body.pairs)}
    if isinstance(body, ev.GroupsDrawn):
        return {"count": len(body.groups[0].players if body.behind else body.groups)}
    if isinstance(body, ev.KoDrawn):
        return {"count": len(body.seeds)}
    if isinstance(body, ev.Changed):
        return {"changes": _changes(body, lang)}
    if isinstance(body, ev.Penalized):
        word = WORDS[lang]["warning" if body.kind == "warning" else "penalty_cards"]
        return {"kind": word.format(count=body.cards)}
    if isinstance(body, ev.ProtestDecided):
        return {"upheld": WORDS[lang]["upheld" if body.upheld else "rejected"]}
    return {}


def _beside(state: TournamentState, body: ev.AnyBody, lang: str) -> str:
    """The match and the deposit of an entry in the jury's book; whose win the jury's word is."""
    words = WORDS[lang]
    if isinstance(body, ev.ProtestFiled | ev.Observed | ev.Penalized):
        about = [match_name(state, body.match)] if body.match else []
        paid = getattr(body, "deposit", "")
        about += [words["deposit"].format(deposit=shown(paid))] if paid else []
        return f" ({', '.join(about)})" if about else ""
    if isinstance(body, ev.Reported) and body.other_rules:
        return " – " + words["other_rules"].format(rules=choices_text(body.other_rules))
    said = body if isinstance(body, ev.Checked | ev.Corrected | ev.Reported) else None
    if said and said.winner and is_level(said.cards, said.kind):
        return " – " + words["by_word"].format(name=name_of(state, said.winner))
    return ""


def choices_text(choices: Mapping[str, str | int]) -> str:
    """House rules as the command line takes them: `between=both, turn=30`."""
    return ", ".join(f"{shown(name)}={shown(str(choice))}" for name, choice in choices.items())


def reason(event: ev.LogEntry, lang: str) -> str:
    """Why, as somebody wrote it; what the desk wrote itself has a word."""
    return (
        WORDS[lang]["walkover"] if event.why == ev.WALKOVER else shown(event.why, LONGEST_REASON)
    )


def _changes(body: ev.Changed, lang: str) -> str:
    # without those that are None: `omit_defaults` leaves out what is as before
    given = {key: value for key, value in msgspec.to_builtins(body).items() if key != "is"}
    words = MODE[lang]
    if body.begins:
        given["begins"] = begin_text(body.begins)
    for key, value in given.items():
        if isinstance(value, list):
            given[key] = ", ".join(map(str, value)) or "–"
        if isinstance(value, dict):
            given[key] = choices_text(value) or "–"
    return ", ".join(f"{words[key]} {words.get(str(v), v)}" for key, v in given.items())


def _worded(state: TournamentState, key: str, value: Any, lang: str) -> Any:
    """A field for people."""
    if key in ("into", "bye"):
        return name_of(state, value)
    if key == "text":
        return shown(value, LONGEST_REASON)
    if key == "player":
        return shown(value.name or value.id) if hasattr(value, "id") else name_of(state, value)
    if key == "name":
        return shown(value)
    if key == "players" and isinstance(value, list):
        return ", ".join(name_of(state, player) for player in value)
    if key == "matches":
        return ", ".join(value)
    if key == "match":
        return match_name(state, value)
    if key in ("cards", "old") and isinstance(value, tuple):  # a penalty has a number of cards
        return cards_text(value)
    if key == "kind":
        word = WORDS[lang].get(value)  # a result that was played needs none
        return f" ({word})" if word else ""
    return WORDS[lang][value] if key == "source" else value


def explain(
    upper: StandingsRow, lower: StandingsRow, compare: Compare = "raw", lang: str = "en"
) -> str:
    """Why `upper` stands above `lower`: "ahead by card difference, +31 to +24"."""
    words = WORDS[lang]
    # before the first match all are level, which nobody needs to be told
    if upper.rank == lower.rank:
        return words["level"] if upper.played else ""
    # the first number that differs; what all have at 0 never does
    for name in COUNTED:
        high, low = value_of(upper, name, compare), value_of(lower, name, compare)
        if high != low:
            sign = "+" if name == "difference" else ""
            numbers = {"high": _number(high, sign), "low": _number(low, sign)}
            return words["ahead_numbers"].format(by=words[f"by_{name}"], **numbers)
    return words[f"by_{lower.decided_by or 'lot'}"]


MINUS = "\u2212"
"""As wide as the plus."""
Columns = Mapping[str, Callable[[PlayerId], object]]
"""Heading (a key of `WORDS`) -> what stands there for a player."""
NUMBERS = ("points", "+/-", "cards", "games")
SWISS_NUMBERS = ("points", "buchholz", "median", *NUMBERS[1:])
TABLE_NUMBERS = ("points", "firsts", *NUMBERS[1:])


def heads_of(names: Iterable[str], lang: str) -> list[object]:
    """The first line of a table, behind the rank."""
    return ["#", *(WORDS[lang].get(name, name) for name in names)]


def standing_lines(
    rows: Sequence[StandingsRow], who: Columns, compare: Compare, lang: str, sign: str = "+"
) -> list[list[object]]:
    """A table with its headings: rank, who, numbers, and why each stands above the next one."""
    swiss, several = any(row.buchholz for row in rows), any(row.firsts for row in rows)
    numbers_shown = SWISS_NUMBERS if swiss else TABLE_NUMBERS if several else NUMBERS
    lines = [heads_of((*who, *numbers_shown, "ahead"), lang)]
    for row, below in zip_longest(rows, rows[1:]):
        why = explain(row, below, compare, lang) if below else ""
        names = [column(row.player) for column in who.values()]
        difference = f"{row.difference:{sign}}" if sign else row.difference
        between = (row.buchholz, row.median) if swiss else (row.firsts,) if several else ()
        numbers = (row.points, *between, difference, row.cards, row.played)
        lines.append([row.rank, *names, *numbers, why])
    return lines


def _number(value: Fraction | int, sign: str) -> str:
    """Whole numbers as such, others with two decimals."""
    if value.denominator == 1:
        return f"{int(value):{sign}}".replace("-", MINUS)
    return f"{float(value):{sign}.2f}".replace("-", MINUS)


def refusal_text(error: UserError, state: TournamentState, lang: str) -> str:
    """Why something was refused, with names instead of ids: pages show no ids."""
    return sentence_text(error.sentence, state, lang)


def sentence_text(sentence: str, state: TournamentState, lang: str) -> str:
    """A sentence of the tournament in the language of a page."""
    return in_words(sentence, lang, lambda player: name_of(state, player))
