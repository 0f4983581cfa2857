"""Certificates, to be signed: for the best four, for everybody, or for who asks."""

from collections import Counter
from collections.abc import Sequence

from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import UserError
from host_tools.print.paper import CLAIM_MM, SOFT, Paper
from host_tools.tournament.ko import HONOURED
from host_tools.tournament.model import PlayerId, has_tree
from host_tools.tournament.state import TournamentState
from host_tools.tournament.wording import name_of

PAGE_W, PAGE_H = 297.0, 210.0
GOLD = (190, 140, 40)
NAVY = (20, 48, 79)
CORNER = 5.0
CARD_W, CARD_H = 19.0, 28.0
FAN_RADIUS = 38.0
FAN_ANGLES = (27, 9, -9, -27)


def make(
    state: TournamentState,
    lang: str,
    base: str,
    players: Sequence[PlayerId] = (),
    desk: SigningKey | None = None,
) -> bytes:
    """One page a place, for the best four or for `players`; the final must be decided."""
    # in the order of places, however they were asked for
    chosen = [line for line in everybody(state) if line[1] in players]
    unknown = set(players) - {player for _, player in chosen}
    if unknown:
        raise UserError("no_certificate", player=min(unknown))
    return _printed(state, lang, base, chosen or places(state), desk)


def make_all(
    state: TournamentState, lang: str, base: str, desk: SigningKey | None = None
) -> bytes:
    """One page for everybody who has a place."""
    return _printed(state, lang, base, everybody(state), desk)


def _printed(
    state: TournamentState,
    lang: str,
    base: str,
    chosen: Sequence[tuple[int, PlayerId]],
    desk: SigningKey | None,
) -> bytes:
    paper = Paper(lang, "L")
    paper.set_title(f"{state.setup.name} – {paper.words['certificate']}")
    for place, player in chosen:
        paper.add_page()
        _frame(paper)
        _cards(paper)
        _text(paper, state, place, player)
        rank = paper.words["place"].format(place=place)
        lines = [state.setup.name, paper.words["certificate"], rank, name_of(state, player)]
        paper.claim_at(desk, base, lines, (PAGE_W - CLAIM_MM) / 2, 165)
    return paper.data()


def places(state: TournamentState) -> list[tuple[int, PlayerId]]:
    """(place, player) of the best four as far as there are so many. Nobody of a tree who shares a
    place, because the match for third place is still to come. Raises UserError.
    """
    found = everybody(state)
    if not has_tree(state.setup.mode):
        return [line for line in found if line[0] <= HONOURED]
    shared = Counter(place for place, _ in found)
    return [line for line in found[:HONOURED] if shared[line[0]] == 1]


def everybody(state: TournamentState) -> list[tuple[int, PlayerId]]:
    """(place, player) of the whole final ranking. Raises UserError before the final."""
    found = state.final_places()
    if not found:
        raise UserError("no_final")
    return [(line.place, line.player) for line in found if line.place is not None]


def _frame(paper: Paper) -> None:
    for inset, thick, colour in ((9.0, 1.4, NAVY), (12.0, 0.4, GOLD)):
        paper.set_draw_color(*colour)
        paper.set_line_width(thick)
        frame = (inset, inset, PAGE_W - 2 * inset, PAGE_H - 2 * inset)
        paper.rect(*frame, round_corners=True, corner_radius=CORNER)


def _cards(paper: Paper) -> None:
    """A fan of a quartet: the four cards of group A."""
    middle, pivot = PAGE_W / 2, 78.0
    left, top = middle - CARD_W / 2, pivot - FAN_RADIUS - CARD_H / 2
    for number, angle in enumerate(FAN_ANGLES):
        with paper.rotation(angle, middle, pivot):
            paper.set_fill_color(255)
            paper.set_draw_color(*NAVY)
            paper.set_line_width(0.5)
            paper.rect(
                left, top, CARD_W, CARD_H, style="DF", round_corners=True, corner_radius=1.6
            )
            colour = GOLD if number % 2 else NAVY
            code = f"A{number + 1}"
            paper.write_at(left + 1.5, top + 4, CARD_W, code, 11, bold=True, colour=colour)


def _text(paper: Paper, state: TournamentState, place: int, player: PlayerId) -> None:
    words = paper.words
    left, width = 30.0, PAGE_W - 60.0
    paper.write_at(left, 78, width, words["certificate"], 44, bold=True, align="C", colour=NAVY)
    paper.write_at(left, 96, width, state.setup.name, 19, align="C")
    name = name_of(state, player)
    paper.write_at(left, 120, width, name, 40, bold=True, align="C")
    club = state.players[player].club
    paper.write_at(left, 134, width, club, 16, align="C", colour=SOFT)
    rank = words["place"].format(place=place)
    paper.write_at(left, 150, width, rank, 26, bold=True, align="C", colour=GOLD)
    entrants = words["of"].format(players=len(state.whole_rows()))
    paper.write_at(left, 161, width, entrants, 12, align="C", colour=SOFT)
    for x, label in ((45.0, words["place_date"]), (PAGE_W - 45.0 - 70.0, words["jury_line"])):
        paper.line_at(x, 182, x + 70, 182, thick=0.3)
        paper.write_at(x, 187, 70, label, 10, align="C", colour=SOFT)
