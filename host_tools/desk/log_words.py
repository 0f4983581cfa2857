"""An event of the log as one line for people."""

from collections.abc import Callable
from typing import Any

from host_tools.desk.texts import TEXTS
from host_tools.desk.view import name_of
from host_tools.tournament import events as ev
from host_tools.tournament.model import Player
from host_tools.tournament.state import State

Fields = Callable[[Any, State, dict[str, str]], dict[str, object]]


def sentence(body: ev.AnyBody, state: State, lang: str) -> str:
    """What happened, in `lang`."""
    texts = TEXTS[lang]
    key, fields = _SENTENCES[type(body)]
    if isinstance(body, ev.CheckedIn) and not body.present:
        key = "e_checked_out"
    return texts[key].format(**fields(body, state, texts))


def _player(body: Any, state: State, _texts: dict[str, str]) -> dict[str, object]:
    who = body.player
    return {"player": who.name or who.id if isinstance(who, Player) else name_of(state, who)}


def _joined(body: ev.Joined, state: State, _texts: dict[str, str]) -> dict[str, object]:
    return {"player": name_of(state, body.player), "group": body.group}


def _pair(body: Any, state: State) -> str:
    match = state.matches.get(body.match)
    a = getattr(body, "a", match.a if match else "")
    b = getattr(body, "b", match.b if match else "")
    return f"{name_of(state, a)} – {name_of(state, b)}"


def _match(body: Any, state: State, texts: dict[str, str]) -> dict[str, object]:
    found: dict[str, object] = {"match": body.match, "pair": _pair(body, state)}
    if hasattr(body, "cards"):
        found["cards"] = f"{body.cards[0]}:{body.cards[1]}"
    if isinstance(body, ev.Corrected):
        found["old"] = f"{body.old[0]}:{body.old[1]}"
    if isinstance(body, ev.Reported):
        found["source"] = texts[f"source_{body.source}"]
    if isinstance(body, ev.Called | ev.MatchPlanned):
        found["table"] = body.table
    return found


def _setup(body: Any, _state: State, _texts: dict[str, str]) -> dict[str, object]:
    values = {
        "ko_size": body.ko_size,
        "tables": body.tables,
        "slot_minutes": body.slot_minutes,
        "compare": body.compare,
    }
    changed = ", ".join(f"{key} {value}" for key, value in values.items() if value is not None)
    return {"name": getattr(body, "name", ""), "changes": changed}


def _groups(body: ev.GroupsDrawn, _state: State, _texts: dict[str, str]) -> dict[str, object]:
    return {"count": len(body.groups), "seed": body.random_seed}


def _lot(body: ev.LotDrawn, state: State, _texts: dict[str, str]) -> dict[str, object]:
    return {"players": ", ".join(name_of(state, player) for player in body.players)}


def _tree(body: ev.KoDrawn, _state: State, _texts: dict[str, str]) -> dict[str, object]:
    return {"count": len(body.seeds)}


_SENTENCES: dict[type, tuple[str, Fields]] = {
    ev.Created: ("e_created", _setup),
    ev.Changed: ("e_changed", _setup),
    ev.PlayerAdded: ("e_player_added", _player),
    ev.CheckedIn: ("e_checked_in", _player),
    ev.Withdrawn: ("e_withdrawn", _player),
    ev.Excluded: ("e_excluded", _player),
    ev.Reinstated: ("e_reinstated", _player),
    ev.Joined: ("e_joined", _joined),
    ev.GroupsDrawn: ("e_groups_drawn", _groups),
    ev.MatchPlanned: ("e_match_planned", _match),
    ev.Called: ("e_called", _match),
    ev.Reported: ("e_reported", _match),
    ev.Checked: ("e_checked", _match),
    ev.Locked: ("e_locked", _match),
    ev.Corrected: ("e_corrected", _match),
    ev.Voided: ("e_voided", _match),
    ev.LotDrawn: ("e_lot_drawn", _lot),
    ev.KoDrawn: ("e_ko_drawn", _tree),
}
