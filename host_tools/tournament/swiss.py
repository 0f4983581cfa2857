"""A Swiss, paired round by round by the Dutch system of FIDE (docs/decisions/pairings.md).

The engine gets a tournament report of FIDE (TRF) and nothing else; the event keeps it. So anybody
can pair the round again, with this engine or another one, and what holds of every pairing can be
checked without any (`check`).
"""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from host_tools.core.errors import Exit, UserError
from host_tools.tournament import events as ev
from host_tools.tournament.model import PlayerId
from host_tools.tournament.standings import WIN_POINTS, match_points
from host_tools.tournament.state import MatchState, TournamentState

ENGINE = "py4swiss"
GROUP = "S"
"""All players of a Swiss are in this group."""
GROUP_BEHIND = "Swiss"
"""The same behind groups, of which one may be S."""
BYE_POINTS = WIN_POINTS
"""A round without an opponent counts as won."""
_BYE, _OUT = "0000 - U", "0000 - Z"


RoundPairs = tuple[list[tuple[PlayerId, PlayerId]], PlayerId]
"""Who meets whom, the first of a pair begins, the best table first; and who has a bye, or ""."""


def rounds_needed(players: int) -> int:
    """So many that one player at most has won all."""
    return max(1, (players - 1).bit_length())


def players_of(state: TournamentState) -> list[PlayerId]:
    """Everybody in the order of the draw, latecomers behind."""
    return [player for group in state.groups for player in group.players]


def advancing(state: TournamentState) -> list[PlayerId]:
    """Who goes on from the groups into the Swiss behind them, in the order in which it begins:
    the first of each group, then the second …, equals in the order across the groups.
    """
    out = state.as_tournament().excluded()
    places: dict[PlayerId, int] = {}
    for group in state.groups:
        stay = [row.player for row in state.group_rows(group.id) if row.player not in out]
        places |= {player: n for n, player in enumerate(stay[: state.setup.advance])}
    order = [row.player for row in state.overall_rows() if row.player in places]
    return sorted(order, key=places.__getitem__)


def in_round(state: TournamentState) -> list[PlayerId]:
    """Who is to be paired next."""
    return [who for who in players_of(state) if who not in state.out | state.paused]


def rounds_of(state: TournamentState) -> list[list[MatchState]]:
    """The matches of each round that is paired."""
    found: list[list[MatchState]] = [[] for _ in state.rounds]
    for match in state.matches.values():
        if match.swiss_round:
            found[match.swiss_round - 1].append(match)
    return found


# -- the report -----------------------------------------------------------------------------------


def report(state: TournamentState, mates_apart: bool = True) -> str:
    """What the next round is paired from: a player a line, by number; then who is not paired, and
    who have been paired already without playing; of a Swiss behind groups, also who met there.
    """
    players = players_of(state)
    number = {player: place for place, player in enumerate(players, 1)}
    cells: dict[PlayerId, list[str]] = {player: [] for player in players}
    halves = dict.fromkeys(players, 0)
    unplayed = []
    for paired, matches in zip(state.rounds, rounds_of(state), strict=True):
        entries = dict.fromkeys(players, _OUT)
        if paired.bye:
            entries[paired.bye] = _BYE
            # TRF has 1.0 for a win, which is 2 here
            halves[paired.bye] += paired.bye_points
        for match in matches:
            a, b, points = _entries(match, number)
            entries[match.a], entries[match.b] = a, b
            halves[match.a] += points[0]
            halves[match.b] += points[1]
            if a[-1] in "+-":
                unplayed.append((number[match.a], number[match.b]))
        for player, entry in entries.items():
            cells[player].append(entry)
    rows = state.overall_rows()
    rank = {row.player: place for place, row in enumerate(rows, 1)}
    lines = [_line(number[p], halves[p], rank[p], cells[p]) for p in players]
    # XXR: number of rounds; XXC white1: the first of the start list begins, whatever an engine
    # would choose
    lines += [f"XXR {max(state.setup.rounds, len(state.rounds) + 1)}", "XXC white1"]
    for group in state.qualifying if mates_apart else ():
        unplayed += combinations(sorted(number[p] for p in group.players if p in number), 2)
    away = sorted(number[player] for player in set(players) - set(in_round(state)))
    if away:
        # XXZ: absent from the next round
        lines.append(f"XXZ {' '.join(map(str, away))}")
    # XXP: must not meet. By FIDE a match that was not played may be paired again; here not
    return "\n".join([*lines, *(f"XXP {a} {b}" for a, b in unplayed), ""])


def _line(number: int, halves: int, rank: int, cells: Sequence[str]) -> str:
    """The columns of a player (FIDE, C.04.A, appendix 2): no name, no rating."""
    points = f"{halves // 2}.{5 * (halves % 2)}"
    return f"001 {number:4}{'':72}{points:>4} {rank:4}  {'  '.join(cells)}".rstrip()


def _entries(match: MatchState, number: dict[PlayerId, int]) -> tuple[str, str, tuple[int, int]]:
    """A match as both players' lines have it, and its points (2 for a win)."""
    result = match.result
    assert result is not None
    points = match_points(result)
    marks = "-=+" if result.kind in ("forfeit", "excluded", "absent") else "0=1"
    a, b = (marks[each] for each in points)
    return f"{number[match.b]:4} w {a}", f"{number[match.a]:4} b {b}", points


# -- pairing --------------------------------------------------------------------------------------


def engine() -> str:
    """`py4swiss 0.3.1`; "" where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # takes long to load

    try:
        return f"{ENGINE} {version(ENGINE)}"
    # py4swiss has wheels for some systems only and no sources; all else works without it
    except PackageNotFoundError:
        return ""


def pair(state: TournamentState) -> ev.RoundPaired:
    """The next round; mates of a group meet again only if it cannot be paired without. Raises
    UserError if there is no engine, or no legal pairing is left.
    """
    if not engine():
        raise UserError("no_pairing_engine", name=ENGINE)
    # mates of a group are kept apart only if that leaves a pairing
    for text in _reports(state):
        found = _run(text, players_of(state))
        if found is not None:
            break
    else:
        raise UserError("no_pairing_left", round=len(state.rounds) + 1)
    made = ev.RoundPaired(
        round=len(state.rounds) + 1,
        pairs=found[0],
        bye=found[1],
        bye_points=BYE_POINTS,
        paused=sorted(state.paused),
        engine=engine(),
        trf=text,
    )
    # the engine is other people's program: what it says is checked like a pairing of a file
    fault = first_fault(state, made)
    if fault:
        raise UserError("pairing_faulty", engine=made.engine, detail=fault)
    return made


def _reports(state: TournamentState) -> list[str]:
    """What a round may be paired from, the first that gives one."""
    # both are alike where there are no groups before: then the engine is asked once
    return list(dict.fromkeys((report(state), report(state, mates_apart=False))))


def _run(text: str, players: Sequence[PlayerId]) -> RoundPairs | None:
    """None if the engine finds no pairing."""
    # its data classes take a third of a second to load
    from py4swiss.engines import DutchEngine
    from py4swiss.engines.common import PairingError
    from py4swiss.trf import TrfParser

    with TemporaryDirectory() as folder:  # it reads files only
        path = Path(folder) / "report.trf"
        # numbers only, no names: forgetting them leaves the report in the log whole
        path.write_text(text, encoding="utf-8")
        # strict: a column that slipped would pair other people without a word
        parsed = TrfParser.parse(path, strict=True)
    try:
        made = DutchEngine.generate_pairings(parsed)
    except PairingError:
        return None
    bye = next((players[pair.white - 1] for pair in made if not pair.black), "")
    return [(players[p.white - 1], players[p.black - 1]) for p in made if p.black], bye


# -- checking -------------------------------------------------------------------------------------


def first_fault(state: TournamentState, paired: ev.RoundPaired) -> str:
    """The first thing that must not be in a pairing of the next round, "" if all is well:
    everybody who is here once, no pair again, no second bye, none without need.
    """
    here = in_round(state)
    named = [player for pair in paired.pairs for player in pair]
    if sorted([*named, *([paired.bye] if paired.bye else [])]) != sorted(here):
        return "not everybody once"
    met = {frozenset((m.a, m.b)) for matches in rounds_of(state) for m in matches}
    again = [pair for pair in paired.pairs if frozenset(pair) in met]
    if again:
        return "{} – {}".format(*again[0])
    if paired.bye and paired.bye in {earlier.bye for earlier in state.rounds}:
        return paired.bye
    return "" if len(here) % 2 == bool(paired.bye) else "a bye for an even number"


def check(state: TournamentState, paired: ev.RoundPaired, event: int) -> None:
    """Raises UserError if the round cannot have been paired so in `state`: from another report,
    against the rules, or, where the same engine is at hand, otherwise than it does.
    """
    fault = first_fault(state, paired)
    if not fault and paired.trf not in _reports(state):
        fault = "report"
    # another version may pair otherwise and be right too
    if not fault and paired.engine == engine():
        again = _run(paired.trf, players_of(state))
        fault = "" if again == (paired.pairs, paired.bye) else paired.engine
    refuse(paired, event, fault)


def refuse(paired: ev.RoundPaired, event: int, fault: str) -> None:
    """Raises UserError if there is a fault."""
    if fault:
        raise UserError(
            "pairing_differs", Exit.CHECK, event=event, round=paired.round, detail=fault
        )
