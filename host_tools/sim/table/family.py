"""The match history at home: a line for each match in one file of this laptop. Practice is not in
it: a match in which something was tried out, was explained step by step, or nobody played.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from host_tools.core.json_types import Json
from host_tools.core.own_files import append_line, written_below
from host_tools.sim.table.match_log import MatchLog

FEWEST = 3
"""Matches that somebody must have played before there is a history to tell."""


class Family:
    """All matches that are kept in `file`, oldest first; without a file nothing is."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._matches: list[Json] = []
        self._deals: set[str] = set()
        with suppress(OSError):  # nobody has played yet
            for line in file.read_text("utf-8").splitlines() if file else ():
                # torn, or somebody's own line
                with suppress(ValueError, TypeError, KeyError, AttributeError):
                    match = json.loads(line)
                    self._matches.append(_read(match))
                    self._deals |= {str(match.get("deal", ""))} - {""}

    def keep(
        self,
        players: Sequence[str],
        won: Sequence[str],
        game: str,
        scores: Mapping[str, int] | None = None,
        called: Mapping[str, Mapping[str, int]] | None = None,
        deal: str = "",
    ) -> None:
        """Who played and who has won; by player the score, and how often which category was
        called. A match with the same `deal` is kept once.
        """
        if self._file is None or not players or deal in self._deals:
            return
        match = {
            "game": game,
            "deal": deal,
            "players": list(players),
            "won": [name for name in won if name in players],
            "scores": _only(players, scores),
            "called": _only(players, called),
        }
        self._matches.append(_read(match))
        self._deals |= {deal} - {""}
        with suppress(OSError):  # a full disk stops no match
            append_line(self._file, match)

    def of(self, names: Sequence[str] | None = None) -> list[Json]:
        """The figures of these players, or of everybody, from their third match on: most wins
        first. `best` is the highest score by game, `calls` the category called most often.
        """
        found = {name for match in self._matches for name in match["players"]}
        lines = [self.figures(name) for name in found if names is None or name in names]
        told = [line for line in lines if line["matches"] >= FEWEST]
        return sorted(told, key=lambda line: (-line["won"], line["matches"], line["name"]))

    def figures(self, name: str) -> Json:
        """What one player has won so far, from the first match on."""
        mine = [match for match in self._matches if name in match["players"]]
        row = longest = 0
        best: dict[str, int] = {}
        calls: Counter[str] = Counter()
        for match in mine:
            row = row + 1 if name in match["won"] else 0
            longest = max(longest, row)
            calls.update(match["called"].get(name, {}))
            if name in match["scores"]:
                score = match["scores"][name]
                best[match["game"]] = max(score, best.get(match["game"], score))
        return {
            "name": name,
            "matches": len(mine),
            "won": sum(name in match["won"] for match in mine),
            "row": row,
            "longest": longest,
            "calls": next((title for title, _ in calls.most_common(1)), ""),
            "best": best,
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
                winners = [world.name(seat) for seat in best]
                scores = {world.name(seat): one for seat, one in enumerate(world.scores())}
                called = log.called()
                # the server may end between this and its note that it is told
                deal = f"{log.number}/{log.seed}"
                self.family.keep(players, winners, log.header["game"], scores, called, deal)


def _read(match: Json) -> Json:
    """A line as it is counted; those of earlier versions have no scores and no calls."""
    called = match.get("called", {})
    return {
        "game": str(match.get("game", "")),
        "players": list(map(str, match["players"])),
        "won": list(map(str, match["won"])),
        "scores": {str(name): int(score) for name, score in match.get("scores", {}).items()},
        "called": {
            str(name): {str(title): int(times) for title, times in titles.items()}
            for name, titles in called.items()
        },
    }


def _only(players: Sequence[str], figures: Mapping[str, Any] | None) -> Json:
    return {name: one for name, one in (figures or {}).items() if name in players}
