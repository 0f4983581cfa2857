"""A `schiri-tournament/1` file into a stored tournament."""

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament import swiss, tables
from host_tools.tournament.actions import rounds
from host_tools.tournament.actions.entrants import add_players, change
from host_tools.tournament.ko import bracket_of
from host_tools.tournament.model import PlayerId, Result, Tournament, losers_by_exclusion
from host_tools.tournament.schedule import plan
from host_tools.tournament.state import OF_THE_SETUP, TournamentState


def take_over(state: TournamentState, file: Tournament) -> list[ev.AnyBody]:
    """Everything of a file into an empty tournament. Raises UserError."""
    if state.players or state.groups:
        raise UserError("import_not_empty")
    said = {name: getattr(file, name) for name in OF_THE_SETUP}
    new = {name: value for name, value in said.items() if value != getattr(state.setup, name)}
    bodies = change(state, ev.Changed(**new))
    bodies += add_players(state, file.players)
    # who stands in a file has played
    bodies += [ev.CheckedIn(player=player.id) for player in file.players]
    # the groups before their Swiss: its draw puts them aside
    for stage in reversed(file.stages()):
        if stage.groups:
            played = _swiss if stage.in_swiss else _groups
            bodies += played(state.after(bodies), stage)
    # not who was reinstated: that result may still stand, but nothing more is lost by it
    excluded = losers_by_exclusion(file.results).intersection(file.out)
    bodies += [ev.LotDrawn(players=list(lot)) for lot in file.lots]
    bodies += [ev.Withdrawn(player=player) for player in file.out if player not in excluded]
    bodies += [ev.Excluded(player=player) for player in sorted(excluded)]
    return bodies + _knock_out(state, file)


def _groups(state: TournamentState, file: Tournament) -> list[ev.AnyBody]:
    planned = plan(file.groups, state.setup.tables, state.setup.decks, file.legs)
    bodies: list[ev.AnyBody] = [ev.GroupsDrawn(groups=file.groups, random_seed=0)]
    bodies += planned
    matches: dict[frozenset[PlayerId], list[ev.MatchPlanned]] = {}
    # reversed, as `pop` takes from the end: the first leg comes first
    for planned_one in reversed(planned):
        matches.setdefault(frozenset((planned_one.a, planned_one.b)), []).append(planned_one)
    for result in file.stage_results():
        match = matches[frozenset((result.a, result.b))].pop()
        bodies.append(_checked(match.match, match.a, result))
    return bodies


def _swiss(state: TournamentState, file: Tournament) -> list[ev.AnyBody]:
    """Round by round; who has neither result nor bye in one sat it out."""
    made: list[ev.AnyBody] = [
        ev.GroupsDrawn(groups=file.groups, random_seed=0, behind=bool(file.qualifying))
    ]
    results = file.stage_results()
    last = max((result.swiss_round for result in results), default=0)
    byes = [bye.swiss_round for bye in file.byes]
    # a bye behind the last result would be of a round that nobody played
    known = all(1 <= r <= last for r in (*(result.swiss_round for result in results), *byes))
    if not known or len(set(byes)) < len(byes):
        raise UserError("import_swiss")
    state = state.after(made)
    for number in range(1, last + 1):
        bodies = _round(state, file, [r for r in results if r.swiss_round == number])
        state = state.after(bodies)
        made += bodies
    return made


def _round(state: TournamentState, file: Tournament, results: list[Result]) -> list[ev.AnyBody]:
    number = len(state.rounds) + 1
    seated = [list(result.players) for result in results]
    at_tables = file.mode == "tables"
    bye = next((bye for bye in file.byes if bye.swiss_round == number), None)
    here = {*(who for players in seated for who in players), bye.player if bye else ""}
    # the file does not say who sat out: whoever is not in a round did
    pauses = [ev.Paused(player=player) for player in swiss.players_of(state) if player not in here]
    state = state.after(pauses)
    paired = ev.RoundPaired(
        round=number,
        pairs=[] if at_tables else [(a, b) for a, b, *_ in seated],
        bye=bye.player if bye else "",
        bye_points=bye.points if bye else swiss.BYE_POINTS,
        paused=sorted(state.paused),
        engine="file",
        trf="" if at_tables else swiss.report(state),
        tables=seated if at_tables else [],
    )
    # other programs pair otherwise, but not against the rules
    fault = (tables if at_tables else swiss).first_fault(state, paired)
    if fault:
        raise UserError("pairing_faulty", engine=paired.engine, detail=fault)
    planned = rounds.planned(state, number, seated)
    checked = [_checked(m.match, m.a, r) for m, r in zip(planned, results, strict=True)]
    return [*pauses, paired, *planned, *checked]


def _checked(match_id: ev.MatchId, a: PlayerId, result: Result) -> ev.Checked:
    """A result in the match's own order of players."""
    return ev.Checked(
        match=match_id,
        cards=result.cards_from(a),
        kind=result.kind,
        winner=result.winner,
        places=result.places,
    )


def _knock_out(state: TournamentState, file: Tournament) -> list[ev.AnyBody]:
    if not file.seeds and all(result.round is None for result in file.results):
        return []
    bracket, strays = bracket_of(file, state.setup.compare)
    if strays:
        raise UserError("fits_no_match", a=strays[0].a, b=strays[0].b)
    bodies: list[ev.AnyBody] = [ev.KoDrawn(seeds=bracket.seeds)]
    for match in bracket.matches():
        if match.result is not None and match.a.player is not None:
            bodies.append(_checked(match.id, match.a.player, match.result))
    return bodies
