"""What `schiri tournament standings` and `ko` print: data for programs, tables for people."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypedDict

from rich.table import Table
from rich.text import Text

from host_tools.core.texts import ROUNDS, WORDS, round_namer
from host_tools.tournament.ko import (
    Bracket,
    FinalPlace,
    KoMatch,
    Side,
    bracket_of,
    final_ranking,
)
from host_tools.tournament.model import PlayerId, Tournament, losers_by_exclusion
from host_tools.tournament.standings import (
    Compare,
    StandingsRow,
    group_table,
    open_ties,
    overall_table,
    whole_table,
)
from host_tools.tournament.wording import group_name, standing_lines

if TYPE_CHECKING:
    from rich.console import RenderableType

SeedMove = tuple[PlayerId, int, int]
"""Player, seed before, seed after; 0 for none."""


class Standings(TypedDict):
    groups: dict[str, list[StandingsRow]]
    overall: list[StandingsRow]
    final: Sequence[FinalPlace]


class Seed(TypedDict):
    seed: int
    player: PlayerId


class TreeMatch(TypedDict):
    match: int
    a: PlayerId | None
    b: PlayerId | None
    seed_a: int | None
    seed_b: int | None
    bye: bool
    cards: tuple[int, int] | None
    kind: str | None
    winner: PlayerId | None


class TreeRound(TypedDict):
    round: str
    matches: list[TreeMatch]


class KoTree(TypedDict):
    size: int
    seeds: list[Seed]
    byes: list[PlayerId]
    rounds: list[TreeRound]
    third: TreeMatch | None
    champion: PlayerId | None


def standings_data(
    tournament: Tournament, compare: Compare, final: Sequence[FinalPlace]
) -> Standings:
    """`{"groups": {id: [rows]}, "overall": [rows], "final": [places]}`."""
    return {
        "groups": {
            group.id: group_table(tournament, group.id)
            for stage in tournament.stages()
            for group in stage.groups
        },
        "overall": overall_table(tournament, compare),
        "final": final,
    }


def final_of(tournament: Tournament, compare: Compare) -> list[FinalPlace]:
    """The final ranking of a file; empty before its final is decided."""
    if not tournament.seeds and all(result.round is None for result in tournament.results):
        return []
    bracket, _ = bracket_of(tournament, compare)
    # not who was reinstated: that result may still stand
    excluded = losers_by_exclusion(tournament.results).intersection(tournament.out)
    return final_ranking(bracket, whole_table(tournament, compare), excluded)


def ko_data(bracket: Bracket) -> KoTree:
    """The tree: who is seeded where, who skips the first round, who meets whom, who won."""
    return {
        "size": bracket.size,
        "seeds": [{"seed": seed, "player": p} for seed, p in enumerate(bracket.seeds, 1)],
        "byes": bracket.byes,
        "rounds": [
            {"round": stage[0].round, "matches": [_match_data(match) for match in stage]}
            for stage in bracket.rounds
        ],
        "third": _match_data(bracket.third) if bracket.third else None,
        "champion": bracket.champion,
    }


def _match_data(match: KoMatch) -> TreeMatch:
    result = match.result
    cards = result.cards_from(match.a.player) if result else None
    return {
        "match": match.number,
        "a": match.a.player,
        "b": match.b.player,
        "seed_a": match.a.seed,
        "seed_b": match.b.seed,
        "bye": match.bye,
        "cards": (cards[0], cards[1]) if cards else None,
        "kind": result.kind if result else None,
        "winner": match.winner,
    }


def standings_lines(
    tournament: Tournament, compare: Compare, final: Sequence[FinalPlace], lang: str
) -> "Iterator[RenderableType]":
    """Group tables, the overall order and the final ranking for people, with the ties that need
    a lot.
    """
    words = WORDS[lang]
    for group in (group for stage in tournament.stages() for group in stage.groups):
        rows = group_table(tournament, group.id)
        yield _table(group_name(tournament, group.id, lang), rows, tournament, "raw", lang)
    overall = overall_table(tournament, compare)
    yield _table(words["all_groups"], overall, tournament, compare, lang)
    if final:
        yield _final_table(final, tournament, lang)
        return
    # before their first match all are level
    for tie in open_ties([row for row in overall if row.played]):
        yield Text(f"{words['lot_needed']}: {', '.join(tie)}", style="bold")


def _final_table(final: Sequence[FinalPlace], tournament: Tournament, lang: str) -> Table:
    named, words = _namer(tournament), WORDS[lang]
    table = Table("#", words["player"], words["reached"])
    table.title, table.title_justify = words["final_ranking"], "left"
    for line in final:
        place = "–" if line.place is None else str(line.place)
        table.add_row(place, named(line.player), words.get(line.reached_as, line.reached_as))
    return table


def _table(
    title: str, rows: list[StandingsRow], tournament: Tournament, compare: Compare, lang: str
) -> Table:
    table = Table(title=title, title_justify="left")
    heads, *lines = standing_lines(rows, {"player": _namer(tournament)}, compare, lang)
    for place, heading in enumerate(heads):
        # names and reasons are texts, all between are numbers
        left = place in (1, len(heads) - 1)
        table.add_column(str(heading), justify="left" if left else "right")
    for line in lines:
        table.add_row(*map(str, line))
    return table


def _namer(tournament: Tournament) -> Callable[[PlayerId], str]:
    return {player.id: player.name or player.id for player in tournament.players}.__getitem__


def ko_lines(
    bracket: Bracket, tournament: Tournament, moves: Sequence[SeedMove], lang: str
) -> "Iterator[RenderableType]":
    """The tree as lists of matches, round by round, and where it is not seeded as the tables say
    (`moves`), if anywhere.
    """
    named, words, round_name = _namer(tournament), WORDS[lang], round_namer(lang)
    widest = max(map(len, ROUNDS[lang].values()))
    if bracket.byes:
        lucky = ", ".join(map(named, bracket.byes))
        yield Text(f"{words['byes']}: {lucky}")
    for match in bracket.matches():
        if not match.bye:
            yield Text(f"{round_name(match.round):>{widest}} {_line(match, named)}")
    if bracket.champion:
        yield Text(f"{words['champion']}: {named(bracket.champion)}", style="bold")
    if moves:
        yield words["seeds_differ"]
    for line in seed_lines(moves, named, lang):
        yield f"  {line}"


def seed_lines(
    moves: Sequence[SeedMove], named: Callable[[PlayerId], str], lang: str
) -> list[str]:
    """`Anna: seed 3 → 5`; a dash for no seed."""
    text = WORDS[lang]["seed_moves"]
    return [
        text.format(player=named(player), before=before or "–", after=after or "–")
        for player, before, after in moves
    ]


def _line(match: KoMatch, named: Callable[[PlayerId], str]) -> str:
    data = _match_data(match)
    score = "{}:{}".format(*data["cards"]) if data["cards"] else "–"
    winner = f" → {named(match.winner)}" if match.winner else ""
    sides = f"{_side(match.a, named)} – {_side(match.b, named)}"
    return f"{match.number:>2}  {sides}  {score}{winner}"


def _side(side: Side, named: Callable[[PlayerId], str]) -> str:
    if side.player is None:
        return "…"
    seed = f" ({side.seed})" if side.seed else ""
    return named(side.player) + seed
