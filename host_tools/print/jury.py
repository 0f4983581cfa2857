"""The jury's book: protests, penalties, reports of undercover referees, matches played later.

Every entry has the number that it has in the log.
"""

from collections.abc import Mapping
from datetime import datetime

from host_tools.core.texts import TEXTS
from host_tools.print.paper import INK, SOFT, Colour, Paper
from host_tools.tournament import events as ev
from host_tools.tournament.state import Note, TournamentState
from host_tools.tournament.wording import match_name, name_of

MARGIN = 18.0
WIDTH = 210.0 - 2 * MARGIN
TOP = 36.0
BOTTOM = 275.0
NUMBER_W = 14.0


def make(state: TournamentState, lang: str, base: str) -> bytes:
    """The whole book; there is always something to print, if only that nothing happened."""
    paper = Paper(lang)
    words = paper.words
    paper.set_title(f"{state.setup.name} – {words['book']}")
    book = _Book(paper, state, lang)
    book.page()
    for heading, kind in (
        (words["book_protests"], ev.ProtestFiled),
        (words["book_penalties"], ev.Penalized),
        (words["book_observations"], ev.Observed),
        (words["book_postponed"], ev.Postponed),
    ):
        book.section(heading, [n for n in state.notes.values() if isinstance(n.body, kind)])
    return paper.data()


class _Book:
    def __init__(self, paper: Paper, state: TournamentState, lang: str) -> None:
        self.paper, self.state, self.text = paper, state, TEXTS[lang]
        self.y = 0.0

    def page(self) -> None:
        paper = self.paper
        paper.add_page()
        paper.write_at(MARGIN, 17, WIDTH, self.state.setup.name, 10, colour=SOFT)
        paper.write_at(MARGIN, 25, WIDTH, paper.words["book"], 20, bold=True)
        page = paper.words["page"].format(page=paper.page_no())
        paper.write_at(MARGIN, 288, WIDTH, page, 8, align="R", colour=SOFT)
        self.y = TOP

    def section(self, heading: str, notes: list[Note]) -> None:
        # a heading stays with the first lines below it
        self._room(24)
        self.paper.write_at(MARGIN, self.y + 4, WIDTH, heading, 14, bold=True)
        self.y += 10
        if not notes:
            self._line(self.paper.words["book_nothing"], SOFT)
        for note in notes:
            self._note(note)
        self.y += 5

    def _room(self, height: float) -> None:
        if self.y + height > BOTTOM:
            self.page()

    def _line(self, text: str, colour: Colour = INK) -> None:
        left = MARGIN + NUMBER_W
        self.y = self.paper.wrap_at(left, self.y, WIDTH - NUMBER_W, text, 10.5, colour)

    def _note(self, note: Note) -> None:
        undecided = self.paper.words["book_undecided"]
        lines = _lines(note, self.state, self.text, undecided)
        letters = sum(len(line) for line in lines)
        # an estimate, about 90 letters a line: an entry is not parted over two pages
        self._room(8 + 5.5 * (len(lines) + letters / 90))
        # the log has UTC; people read the time of their own clock
        number, at = f"{note.seq}", datetime.fromisoformat(note.at).astimezone()
        self.paper.write_at(MARGIN, self.y + 2.4, NUMBER_W - 2, number, 10.5, bold=True)
        head = f"{at:%Y-%m-%d %H:%M}  {note.actor}"
        self._line(head, SOFT)
        for line in lines:
            self._line(line)
        self.y += 3
        self.paper.line_at(MARGIN, self.y - 1.5, MARGIN + WIDTH, self.y - 1.5)


def _lines(
    note: Note, state: TournamentState, text: Mapping[str, str], undecided: str
) -> list[str]:
    """What an entry says, line by line."""
    body = note.body
    match = getattr(body, "match", "")
    who = getattr(body, "player", "")
    found = [match_name(state, match)] if match else []
    if who:
        found.insert(0, name_of(state, who))
    head = " · ".join(found)
    if isinstance(body, ev.Penalized):
        kind = text["penalty_warning"] if body.kind == "warning" else text["penalty_cards"]
        count = f" ({body.cards})" if body.cards else ""
        lifted = f" – {text['lifted']}" if note.lifted else ""
        return [f"{head}: {kind}{count}{lifted}", body.text]
    lines = [head] if head else []
    if isinstance(body, ev.ProtestFiled | ev.Observed):
        lines.append(body.text)
    if isinstance(body, ev.ProtestFiled) and body.deposit:
        lines.append(f"{text['deposit']}: {body.deposit}")
    if isinstance(body, ev.ProtestFiled) and note.decision is None:
        return [*lines, f"→ {undecided}"]
    if note.decision is not None:
        said = note.decision
        back = text["deposit_back" if said.deposit_back else "deposit_kept"]
        verdict = text["upheld" if said.upheld else "rejected"]
        effect = text["effect_void" if said.effect else "effect_none"]
        lines.append(f"→ {verdict}: {said.text}")
        lines.append(f"→ {text['effect']}: {effect}. {back}.")
    return lines
