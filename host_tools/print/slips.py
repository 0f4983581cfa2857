"""Result slips, four on a sheet to be cut; the QR code finds the match at the desk."""

from collections.abc import Sequence

from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import UserError
from host_tools.print.paper import CLAIM_MM, SOFT, Paper
from host_tools.tournament import rule_options
from host_tools.tournament.actions.checks import match_of
from host_tools.tournament.events import MatchId
from host_tools.tournament.state import TournamentState
from host_tools.tournament.view import MatchLine, lines, waiting

# a quarter of A4: two cuts through the middle
SLIP_W = 105.0
SLIP_H = 148.5
MARGIN = 9.0
QR_MM = 30.0
RULES_PT = 7.5
"""House rules, in points."""
_PER_PAGE = 4


def make(
    state: TournamentState,
    lang: str,
    base: str,
    matches: Sequence[MatchId] = (),
    desk: SigningKey | None = None,
) -> bytes:
    """Slips of all matches without a result, in the order of the plan; or those of `matches`,
    whatever they have, to replace one that is lost.

    `base`: address of the desk (`http://host:port`) for the QR code; "" works with a scanner only.
    """
    called = [match for match in state.matches.values() if match.status == "called"]
    chosen = [match_of(state, match) for match in matches]
    wanted = lines(state, chosen or [*called, *waiting(state)])
    if not wanted:
        raise UserError("no_slips")
    paper = Paper(lang)
    paper.set_title(f"{state.setup.name} – {paper.words['slip']}")
    for number, line in enumerate(wanted):
        place = number % _PER_PAGE
        if place == 0:
            paper.add_page()
            paper.set_dash_pattern(dash=1.5, gap=1.5)
            paper.line_at(SLIP_W, 0, SLIP_W, 2 * SLIP_H)
            paper.line_at(0, SLIP_H, 2 * SLIP_W, SLIP_H)
            paper.set_dash_pattern()
        left, top = place % 2 * SLIP_W, place // 2 * SLIP_H
        _Slip(paper, state, line, lang, base).draw(left, top)
        if _counts(state, line):
            said = [state.setup.name, line.id, line.who, line.score]
            paper.claim_at(desk, base, said, left + SLIP_W - MARGIN - CLAIM_MM, top + 119)
    return paper.data()


def _counts(state: TournamentState, line: MatchLine) -> bool:
    """Whether there is a result to be checked."""
    return bool(line.score) and state.matches[line.id].counts


def qr_text(match_id: str, base: str) -> str:
    """What the QR code says: the address of the match at the desk."""
    return f"{base}/desk/enter?match={match_id}" if base else f"schiri:?match={match_id}"


class _Slip:
    def __init__(
        self, paper: Paper, state: TournamentState, line: MatchLine, lang: str, base: str
    ) -> None:
        self.paper = paper
        self.line = line
        self.title = state.setup.name
        self.base = base
        self.beside = CLAIM_MM + 2 if _counts(state, line) else 0.0
        self.stage = paper.stage_of(line)
        self.rules = rule_options.line(state.setup, lang) if line.several else ""

    def draw(self, x: float, y: float) -> None:
        """Upper left corner at `x`, `y`."""
        left, width = x + MARGIN, SLIP_W - 2 * MARGIN
        self._head(left, y + MARGIN, width)
        self._facts(left, y + 47, width)
        top = y + 62
        if self.rules:
            # above the players, who sit closer together then
            top = self.paper.wrap_at(left, y + 57, width, self.rules, RULES_PT) + 4
        step = (y + 124 - top) / len(self.line.names)
        for number, name in enumerate(self.line.names):
            self._player(left, top + number * step, width, name)
        self._foot(left, y + 129, width)

    def _head(self, left: float, top: float, width: float) -> None:
        paper, words = self.paper, self.paper.words
        # the quiet zone, 3 mm, may lie in the margin
        paper.qr_at(qr_text(self.line.id, self.base), left + width - QR_MM + 3, top - 3, QR_MM)
        room = width - QR_MM
        paper.write_at(left, top + 2, room, self.title, 10, colour=SOFT)
        paper.write_at(left, top + 9, room, words["slip"], 17, bold=True)
        paper.write_at(left, top + 17, room, self.stage, 12)
        paper.write_at(left, top + 28, room, self.line.id, 34, bold=True)

    def _facts(self, left: float, top: float, width: float) -> None:
        words, line = self.paper.words, self.line
        facts = (
            (words["table"], str(line.table or "")),
            (words["slot"], str(line.slot or "")),
            (words["deck"], line.deck),
        )
        step = width / len(facts)
        for number, (label, value) in enumerate(facts):
            x = left + number * step
            self.paper.write_at(x, top, step - 2, label, 8, colour=SOFT)
            self.paper.write_at(x, top + 6, step - 2, value or "_____", 15, bold=bool(value))

    def _player(self, left: float, top: float, width: float, name: str) -> None:
        if self.line.several:
            self._seat(left, top, width, name)
            return
        paper, words = self.paper, self.paper.words
        box = 30.0
        paper.write_at(left, top + 3, width - box - 4, name, 16, bold=True)
        paper.line_at(left, top + 20, left + width - box - 6, top + 20, thick=0.3)
        paper.write_at(left, top + 23, 40, words["signature"], 8, colour=SOFT)
        paper.box_at(left + width - box, top, box, 20, 0.6)
        paper.write_at(
            left + width - box, top + 23, box, words["cards"], 8, align="C", colour=SOFT
        )
        self._tick(left, top + 11, words["absent"])

    def _seat(self, left: float, top: float, width: float, name: str) -> None:
        """A line of a table of several: a name, where to sign, the place."""
        paper, words = self.paper, self.paper.words
        paper.write_at(left, top, width - 16, name, 10.5, bold=True)
        paper.write_at(left + 48, top, 20, words["signature"], 7, colour=SOFT)
        paper.write_at(left + width - 27, top, 14, words["rank"], 7, align="R", colour=SOFT)
        paper.line_at(left, top + 3, left + width - 14, top + 3, thick=0.2)
        paper.box_at(left + width - 11, top - 3, 11, 6, 0.5)

    def _tick(self, left: float, y: float, label: str) -> None:
        self.paper.box_at(left, y - 1.8, 3.6, 3.6)
        self.paper.write_at(left + 5.5, y, 50, label, 9)

    def _foot(self, left: float, top: float, width: float) -> None:
        self._tick(left, top, self.paper.words["jury"])
        rule = self.paper.words["slip_rule_places" if self.line.several else "slip_rule"]
        self.paper.write_at(left, top + 8, width - self.beside, rule, 9.5, colour=SOFT)
