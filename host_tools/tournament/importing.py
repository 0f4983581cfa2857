"""A `schiri-tournament/1` file into a stored tournament."""

from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.commands.entrants import add_players
from host_tools.tournament.ko import bracket_of
from host_tools.tournament.model import PlayerId, Result, Tournament, is_swiss, losers_by_exclusion
from host_tools.tournament.schedule import ko_match_id, plan
from host_tools.tournament.state import TournamentState


def take_over(state: TournamentState, file: Tournament) -> list[ev.AnyBody]:
    """Everything of a file into an empty tournament. Raises UserError."""
    if state.players or state.groups:
        raise UserError("import_not_empty")
    if is_swiss(file.mode):  # the file does not say which result is of which round
        raise UserError("import_swiss")
    setup = state.setup
    size = None if file.ko_size == setup.ko_size else file.ko_size
    mode = None if file.mode == setup.mode else file.mode
    legs = None if file.legs == setup.legs else file.legs
    changed = ev.Changed(ko_size=size, mode=mode, legs=legs)
    bodies: list[ev.AnyBody] = [changed] if changed != ev.Changed() else []
    bodies += add_players(state, file.players)
    bodies += [ev.CheckedIn(player=player.id) for player in file.players]
    if file.groups:
        bodies += _groups(state, file)
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
    for planned_one in reversed(planned):
        matches.setdefault(frozenset((planned_one.a, planned_one.b)), []).append(planned_one)
    for result in file.results:
        if result.group is not None:
            match = matches[frozenset((result.a, result.b))].pop()
            bodies.append(_checked(match.match, match.a, result))
    return bodies


def _checked(match_id: ev.MatchId, a: PlayerId, result: Result) -> ev.Checked:
    """A result in the match's own order of players."""
    cards = result.cards if result.a == a else result.cards[::-1]
    return ev.Checked(match=match_id, cards=cards, kind=result.kind, winner=result.winner)


def _knock_out(state: TournamentState, file: Tournament) -> list[ev.AnyBody]:
    if not file.seeds and all(result.round is None for result in file.results):
        return []
    bracket, strays = bracket_of(file, state.setup.compare)
    if strays:
        raise UserError("fits_no_match", a=strays[0].a, b=strays[0].b)
    bodies: list[ev.AnyBody] = [ev.KoDrawn(seeds=bracket.seeds)]
    for match in bracket.matches():
        if match.result is not None and match.a.player is not None:
            match_id = ko_match_id(match.round, match.number)
            bodies.append(_checked(match_id, match.a.player, match.result))
    return bodies
