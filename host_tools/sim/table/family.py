"""Who has won at home: a line for each match in one file of this laptop. Practice is not in it: a
match in which something was tried out, was explained step by step, or nobody played.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from host_tools.core.json_types import Json
from host_tools.core.own_files import append_line, written_below
from host_tools.sim.table.match_log import MatchLog

_WHO = ("players", "won")


class Family:
    """All matches that are kept in `file`, oldest first; without a file nothing is."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._matches: list[Json] = []
        self._deals: set[str] = set()
        with suppress(OSError):  # nobody has played yet
            for line in file.read_text("utf-8").splitlines() if file else ():
                with suppress(ValueError, TypeError, KeyError):  # torn, or somebody's own line
                    match = json.loads(line)
                    self._matches.append({who: list(map(str, match[who])) for who in _WHO})
                    self._deals |= {match.get("deal", "")} - {""}

    def keep(self, players: Sequence[str], won: Sequence[str], game: str, deal: str = "") -> None:
        """Who played and who has won; a match with the same `deal` is kept once."""
        if self._file is None or not players or deal in self._deals:
            return
        match = {"players": list(players), "won": [name for name in won if name in players]}
        self._matches.append(match)
        self._deals |= {deal} - {""}
        with suppress(OSError):  # a full disk stops no match
            append_line(self._file, {"game": game, "deal": deal, **match})

    def of(self, names: Sequence[str] | None = None) -> list[Json]:
        """What these players have won so far, or everybody: most wins first."""
        found = {name for match in self._matches for name in match["players"]}
        lines = [self._of(name) for name in found if names is None or name in names]
        return sorted(lines, key=lambda line: (-line["won"], line["matches"], line["name"]))

    def _of(self, name: str) -> Json:
        wins = [name in match["won"] for match in self._matches if name in match["players"]]
        row = longest = 0
        for win in wins:
            row = row + 1 if win else 0
            longest = max(longest, row)
        return {
            "name": name,
            "matches": len(wins),
            "won": sum(wins),
            "row": row,
            "longest": longest,
        }

    def forget(self) -> None:
        """Everything. Raises UserError."""
        self._matches.clear()
        self._deals.clear()
        if self._file is not None:
            with written_below(self._file):
                self._file.unlink(missing_ok=True)


class Evening:
    """The matches of one table, for the family: each is told once, when it has ended here.
    `coming` is the number of the one that is to be told.
    """

    def __init__(self, family: Family, practised: bool = False, coming: int = 0) -> None:
        self.family = family
        self.practised = practised
        self.coming = coming

    def follow(self, log: MatchLog, players: Sequence[str]) -> None:
        """The match has gone on; `players` are those who play and are no bots."""
        world = log.world
        if world is None:
            return
        if not log.closed:  # what had ended before this table was opened is told already
            self.coming = log.number
        elif self.coming == log.number:
            self.coming = 0
            if not (log.abandoned or self.practised):
                best = dict(world.match.result())["ranking"][0]
                won = [world.name(seat) for seat in best]
                # the server may end between this and its note that it is told
                deal = f"{log.number}/{log.seed}"
                self.family.keep(players, won, log.header["game"], deal)
