"""Who has won at home: a line for each match in one file of this laptop. Practice is not in it: a
match in which something was tried out, was explained step by step, or nobody played.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from host_tools.core.json_types import Json
from host_tools.core.own_files import written_below
from host_tools.sim.table.match_log import MatchLog

_WHO = ("players", "won")


class Family:
    """All matches that are kept in `file`, oldest first; without a file nothing is."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._matches: list[Json] = []
        with suppress(OSError):  # nobody has played yet
            for line in file.read_text("utf-8").splitlines() if file else ():
                with suppress(ValueError, TypeError, KeyError):  # torn, or somebody's own line
                    match = json.loads(line)
                    self._matches.append({who: list(map(str, match[who])) for who in _WHO})

    def keep(self, players: Sequence[str], won: Sequence[str], game: str) -> None:
        """Who played and who has won."""
        if self._file is None or not players:
            return
        match = {"players": list(players), "won": [name for name in won if name in players]}
        self._matches.append(match)
        line = json.dumps({"game": game, **match}, ensure_ascii=False) + "\n"
        with suppress(OSError):  # a full disk stops no match
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(line)

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
        if self._file is not None:
            with written_below(self._file):
                self._file.unlink(missing_ok=True)


class Evening:
    """The matches of one table, for the family: each is told once, when it has ended here."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.practised = False
        self._played = 0

    def follow(self, log: MatchLog, players: Sequence[str]) -> None:
        """The match has gone on; `players` are those who play and are no bots."""
        world = log.world
        if world is None:
            return
        if not log.closed:  # what had ended before this table was opened is told already
            self._played = log.number
        elif self._played == log.number:
            self._played = 0
            if not (log.abandoned or self.practised):
                best = dict(world.match.result())["ranking"][0]
                self.family.keep(players, [world.name(s) for s in best], log.header["game"])
