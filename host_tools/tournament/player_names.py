"""What players are called: homonyms told apart, and short names for pages that everybody sees."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from host_tools.tournament.model import Player, PlayerId

PLAYER_PAGE = "/player/"
"""The page of a player on the board: what the QR code of a badge opens."""


def full_name(first: str, surname: str) -> str:
    """The display name of who gave none."""
    return " ".join(part for part in (first, surname) if part)


def labels(players: Iterable[Player]) -> dict[PlayerId, str]:
    """What everybody is called where the name stands alone. Who shares a name has the club behind
    it, else the country; who shares that too, or has neither, the id.
    """
    called: dict[str, list[Player]] = defaultdict(list)
    for player in players:
        called[(player.name or player.id).casefold()].append(player)
    found: dict[PlayerId, str] = {}
    for same in called.values():
        found |= _distinct(same) if len(same) > 1 else {same[0].id: same[0].name or same[0].id}
    return found


def _distinct(same: Iterable[Player]) -> dict[PlayerId, str]:
    behind = {player.id: player.club or player.country for player in same}
    times = Counter(text.casefold() for text in behind.values())
    return {player.id: f"{player.name} ({_alone(player.id, behind, times)})" for player in same}


def _alone(player: PlayerId, behind: Mapping[PlayerId, str], times: Mapping[str, int]) -> str:
    text = behind[player]
    if not text:
        return player
    return text if times[text.casefold()] == 1 else f"{text}, {player}"


def shortened(player: Player) -> Player:
    """The player as public pages show who did not want the whole name there: `Anna E.`. A name of
    one word stays, and so does one that people chose for themselves and that has no surname in it.
    """
    name, surname = player.name, player.surname
    if surname and not name.endswith(surname):
        short = name
    else:
        first = name.removesuffix(surname).strip() if surname else name.rpartition(" ")[0]
        last = surname or name.rpartition(" ")[2]
        short = f"{first} {last[:1]}." if first else name
    return replace(player, name=short, first="", surname="")
