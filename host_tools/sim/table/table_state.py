"""What every page may know about a table. Hands are not in it: they are fetched one by one."""

from collections.abc import Sequence

from host_tools.core.errors import Sentence
from host_tools.core.json_types import Json
from host_tools.games import page_texts
from host_tools.games.box_words import proper_name
from host_tools.games.deck_rules import overruled
from host_tools.games.options import in_force, title_of, with_options
from host_tools.sim.table.arbiter import is_choosing
from host_tools.sim.table.table_box import TableBox


def state_of(table: TableBox) -> Json:
    """The whole public state, small enough to be sent after every change."""
    session = table.session
    return {
        "life": table.life,
        "power": session.on,
        "plugged": session.box.usb.plugged,
        "speed": table.runner.speed,
        "crash": table.crash,
        "busy": table.runner.busy,
        "held": table.auto.waits,
        "doing": table.doing,
        "field": [table.tray.code_of(tag) for tag in session.field.tags],
        "hint": table.hint,
        "dead": table.tray.dead,
        "phones": table.phones.as_json(table.connected()),
        "match": _match(table),
    }


def hand_of(table: TableBox, seat: int) -> Json:
    """The cards of a seat for the one who may see them, and where the match stands: a page draws
    them with the state that says the same.
    """
    world = table.log.world
    seated = world is not None and 0 <= seat < world.seats
    return {**_moment(table), "cards": world.hand(seat) if world is not None and seated else []}


def _moment(table: TableBox) -> Json:
    """Which match, how far it is, what was decided in it last (`MatchLog.at`), and what the box
    has half chosen since.
    """
    log = table.log
    half = log.world.half if log.world is not None else {}
    return {
        "number": log.number,
        "count": log.count,
        "changes": log.changes,
        "at": log.at,
        "half": half,
    }


def _match(table: TableBox) -> Json | None:
    log = table.log
    world = log.world
    if world is None:
        return None
    awaits = log.awaits
    return {
        **_moment(table),
        "game": world.header["game"],
        "preset": world.header.get("preset") or "",
        "in_force": in_force(world.header),
        "note": note_of(world.header, table.lang),
        "title": with_options(title_of(world.header), world.header, table.lang),
        "closed": log.closed,
        "paused": bool(log.paused),
        "over": bool(world.match.over()),
        "disputed": bool(world.match.over()) and is_choosing(table.screen.last),
        "awaits": {"seat": awaits.get("seat"), "for": awaits["for"]},
        "picked": world.half.get("tile") or None,
        "asks": table.screen.last.asks,
        "seats": [
            {
                "name": world.name(seat),
                "box_name": world.box_name(seat),
                "auto": seat in table.auto.seats,
                "strength": log.strength(seat),
                "score": score,
                "cards": len(world.hands[seat]),
            }
            for seat, score in enumerate(world.scores())
        ],
        "middle": world.middle(),
        "faces": {code: world.face(code) for code in world.shown()},
        "fixed": world.fixed(),
        "arbiter": _offer(table),
        "confirm": bool(world.match.over()) and not log.closed and table.auto.is_for_people(),
        "news": list(log.news),  # told in another thread, while the box's goes on writing
        "result": log.result,
        "end": _end(table),
    }


def note_of(header: Json, lang: str) -> str:
    """What cards in the hand may say otherwise than the rules in force; "" for nothing."""
    deck = header.get("deck")
    turned = overruled(deck, header.get("preset")) if isinstance(deck, dict) else []
    return Sentence("note_overruled", choices=turned).said(lang) if turned else ""


def _end(table: TableBox) -> Json | None:
    """Who has won, and what the match was like; None while it is being played: whoever knows the
    number of the deal knows all hands.

    `ranking` lists the seats of every place, best first; it is empty after an abandoned match.
    """
    log = table.log
    if log.world is None or not (log.closed or log.world.match.over()):
        return None
    ranking = [] if log.abandoned else dict(log.world.match.result())["ranking"]
    return {
        "abandoned": log.abandoned,
        "ranking": ranking,
        "deal": log.seed,
        "curve": log.curve,
        "family": history_of(table, table.players()),
        **log.numbers(),
    }


def history_of(table: TableBox, names: Sequence[str] | None = None) -> list[Json]:
    """The match history of these players, or of everybody, in words."""
    texts = page_texts(table.lang)
    told = []
    for one in table.evening.family.of(names):
        facts = [texts["family_won"].format(one["won"], one["matches"])]
        if one["row"] > 1:
            facts.append(texts["family_row"].format(one["row"]))
        if one["longest"] > max(1, one["row"]):
            facts.append(texts["family_longest"].format(one["longest"]))
        if one["calls"]:
            facts.append(texts["family_calls"].format(one["calls"]))
        best = [
            f"{proper_name(game, None, table.lang)} {score}" for game, score in one["best"].items()
        ]
        facts += [texts["family_best"].format(", ".join(best))] if best else []
        told.append({"name": one["name"], "facts": facts})
    return told


def _offer(table: TableBox) -> Json | None:
    """What the jury menu has now; None once the match is closed."""
    log = table.log
    if log.closed or log.world is None:
        return None
    return table.offer.at(log.number, log.count, log.world, table.screen.last)
