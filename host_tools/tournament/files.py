"""What `schiri tournament standings` and `ko` print: data for programs, tables for people."""

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from host_tools.tournament.ko import Bracket, Match, Side
from host_tools.tournament.model import Tournament
from host_tools.tournament.standings import Compare, Row, group_table, open_ties, overall_table

REASONS = {
    "points": "points",
    "difference": "card difference",
    "cards": "cards taken",
    "direct": "direct match",
    "lot": "lot",
    None: "",
}


def standings_data(tournament: Tournament, compare: Compare) -> dict[str, Any]:
    """`{"groups": {id: [rows]}, "overall": [rows]}`."""
    return {
        "groups": {
            group.id: [asdict(row) for row in group_table(tournament, group.id)]
            for group in tournament.groups
        },
        "overall": [asdict(row) for row in overall_table(tournament, compare)],
    }


def ko_data(bracket: Bracket) -> dict[str, Any]:
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


def _match_data(match: Match) -> dict[str, Any]:
    result = match.result
    cards = None
    if result is not None:
        forward = result.a == match.a.player
        cards = list(result.cards if forward else reversed(result.cards))
    return {
        "match": match.number,
        "a": match.a.player,
        "b": match.b.player,
        "seed_a": match.a.seed,
        "seed_b": match.b.seed,
        "bye": match.bye,
        "cards": cards,
        "kind": result.kind if result else None,
        "winner": match.winner,
    }


def explain(upper: Row, lower: Row) -> str:
    """Why `upper` stands above `lower`, in words: "ahead by card difference, +31 to +24"."""
    if upper.rank == lower.rank:
        return "level in everything; a lot is needed"
    for name in ("points", "difference", "cards"):
        high, low = getattr(upper, name), getattr(lower, name)
        if high != low:
            sign = "+" if name == "difference" else ""
            return f"ahead by {REASONS[name]}, {high:{sign}} to {low:{sign}}"
    return f"ahead by {REASONS[lower.decided_by or 'lot']}"


def print_standings(tournament: Tournament, compare: Compare, console: Console) -> None:
    """Group tables and the overall order for people, with the ties that need a lot."""
    for group in tournament.groups:
        console.print(_table(f"Group {group.id}", group_table(tournament, group.id), tournament))
    overall = overall_table(tournament, compare)
    console.print(_table("All groups", overall, tournament))
    for tie in open_ties(overall):
        console.print(f"[bold]Lot needed:[/] {', '.join(tie)}")


def _table(title: str, rows: list[Row], tournament: Tournament) -> Table:
    names = {player.id: player.name or player.id for player in tournament.players}
    table = Table(title=title, title_justify="left")
    for heading in ("#", "player", "points", "+/-", "cards", "played", "over the next"):
        left = heading in ("player", "over the next")
        table.add_column(heading, justify="left" if left else "right")
    for row, below in zip(rows, [*rows[1:], None], strict=True):
        why = explain(row, below) if below else ""
        numbers = (str(row.points), f"{row.difference:+}", str(row.cards), str(row.played))
        table.add_row(str(row.rank), names[row.player], *numbers, why)
    return table


def print_ko(bracket: Bracket, tournament: Tournament, console: Console) -> None:
    """The tree as lists of matches, round by round."""
    names = {player.id: player.name or player.id for player in tournament.players}
    if bracket.byes:
        console.print("[bold]Byes:[/] " + ", ".join(names[player] for player in bracket.byes))
    for match in bracket.matches():
        if not match.bye:
            console.print(_line(match, names))
    if bracket.champion:
        console.print(f"[bold]Champion: {names[bracket.champion]}[/]")


def _line(match: Match, names: dict[str, str]) -> str:
    data = _match_data(match)
    score = "{}:{}".format(*data["cards"]) if data["cards"] else "–"
    winner = f" → {names[match.winner]}" if match.winner else ""
    sides = f"{_side(match.a, names)} – {_side(match.b, names)}"
    return f"{match.round:>6} {match.number:>2}  {sides}  {score}{winner}"


def _side(side: Side, names: dict[str, str]) -> str:
    if side.player is None:
        return "…"
    seed = f" ({side.seed})" if side.seed else ""
    return names[side.player] + seed
