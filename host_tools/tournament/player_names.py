"""What players are called: homonyms told apart, and short names for pages that everybody sees."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from host_tools.core.names import tidy
from host_tools.tournament.model import (
    PLAYER_FIELDS,
    TEXTS_OF_A_PLAYER,
    Entrant,
    PlayerField,
    PlayerId,
)

PLAYER_PAGE = "/player/"
"""The page of a player on the board: what the QR code of a badge opens."""
EVENT_OF_BADGE = "event="
"""In a QR code in front of the tournament's id: ids of players begin anew in every event."""


def full_name(first: str, surname: str) -> str:
    """The display name of who gave none."""
    return " ".join(part for part in (first, surname) if part)


def tidied(player: Entrant) -> Entrant:
    """The player with every text in its one spelling, as files may have another."""
    return replace(player, **{key: tidy(getattr(player, key)) for key in TEXTS_OF_A_PLAYER})


def columns(players: Iterable[Entrant]) -> list[PlayerField]:
    """The columns of a list of players beside the name: those in which anything is filled in."""
    known = list(players)
    listed = (field for field in PLAYER_FIELDS.values() if "list" in field.shown)
    return [field for field in listed if any(getattr(p, field.name) for p in known)]


def beside_name(player: Entrant, place: Literal["list", "badge"]) -> list[tuple[PlayerField, str]]:
    """What is shown of a player beside the name, where it is filled in."""
    shown = (field for field in PLAYER_FIELDS.values() if place in field.shown)
    return [(f, str(getattr(player, f.name))) for f in shown if getattr(player, f.name)]


def for_everybody(player: Entrant, short: bool) -> Entrant:
    """The player as public pages and files have it; `short`: with the name shortened."""
    hidden = {f.name: None if f.number else "" for f in PLAYER_FIELDS.values() if not f.public}
    seen = replace(player, **hidden) if hidden else player
    return shortened(seen) if short else seen


def name_key(player: Entrant) -> tuple[str, str]:
    """Only entrants with the same one can be taken for the same person."""
    return player.name.casefold(), (player.club or player.country).casefold()


def double_of(player: Entrant, others: Iterable[Entrant]) -> Entrant | None:
    """The first of `others` who is taken for the same person: the same name and club; whoever is
    of another country is somebody else.
    """
    key, country = name_key(player), player.country.casefold()
    for other in others:
        # an empty country says nothing
        elsewhere = country and other.country and country != other.country.casefold()
        if name_key(other) == key and not elsewhere:
            return other
    return None


def labels(players: Iterable[Entrant]) -> dict[PlayerId, str]:
    """What everybody is called where the name stands alone. Who shares a name has the club behind
    it, else the country; who shares the club, club and country; who shares that too, the id.
    """
    called: dict[str, list[Entrant]] = defaultdict(list)
    for player in players:
        called[(player.name or player.id).casefold()].append(player)
    found: dict[PlayerId, str] = {}
    for same in called.values():
        found |= _distinct(same) if len(same) > 1 else {same[0].id: same[0].name or same[0].id}
    return found


def _distinct(same: Sequence[Entrant]) -> dict[PlayerId, str]:
    short = {player.id: player.club or player.country for player in same}
    long = {p.id: f"{p.club}, {p.country}" if p.club and p.country else short[p.id] for p in same}
    # the shortest that tells them apart: club, then club and country, then the id
    taken = [Counter(text.casefold() for text in texts.values()) for texts in (short, long)]

    def apart(player: PlayerId) -> str:
        for text, times in zip((short[player], long[player]), taken, strict=True):
            if text and times[text.casefold()] == 1:
                return text
        return f"{short[player]}, {player}" if short[player] else player

    return {player.id: f"{player.name} ({apart(player.id)})" for player in same}


def shortened(player: Entrant) -> Entrant:
    """The player as public pages show who did not want the whole name there: `Anna E.`. A name of
    one word stays, and so does one that people chose for themselves and that has no surname in it.
    """
    name, surname = player.name, player.surname
    # a pen name: shortening it would make up a person
    if surname and not name.endswith(surname):
        short = name
    else:
        first = name.removesuffix(surname).strip() if surname else name.rpartition(" ")[0]
        last = surname or name.rpartition(" ")[2]
        short = f"{first} {last[:1]}." if first else name
    # the parts would tell the whole name again
    return replace(player, name=short, first="", surname="")
