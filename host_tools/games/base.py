"""What every game says about itself on the laptop: one row `GAME` a game, made of these types."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from firmware.games import row
from firmware.rules.game import Game as BoxRow
from host_tools.cards.tag_items import Item, Set
from host_tools.core.errors import Sentence, UserError
from host_tools.core.faults import Fault
from host_tools.core.json_types import Json
from host_tools.games.bot import MEDIUM, STRENGTHS
from host_tools.games.steps import Move, lay
from host_tools.games.table_view import TableView


class Demo(NamedTuple):
    """What `schiri demo` plays; `highlights`: names of events and refusals to be seen in it."""

    preset: str | None
    deck: str | None
    seats: int
    highlights: frozenset[str]


class TagBatch(NamedTuple):
    """A command of `schiri provision` and of `schiri cards`. `items(board)`; `board` is None but
    where `has_board`. `size`: one of host_tools/print/cards.py, if nothing else is asked for.
    `preset_of(board)`: what is played with these tags.
    """

    help: str
    items: Callable[[Json | None], Set]
    has_board: bool = False
    size: str = "badge"
    preset_of: Callable[[Json | None], str | None] = lambda board: None


class Boards(NamedTuple):
    """The boards that a game is played on, as files. `ids`: the project's own. `check`: an id or a
    file -> what stands in it and its faults; `load`: the `board` object of TRANSCRIPT.md. Both
    raise UserError. `enter`: id, title, preset -> a file, after asking at the terminal.
    """

    ids: Callable[[], list[str]]
    check: Callable[[str], "BoardFile"]
    load: Callable[[str | Path], Json]
    enter: Callable[[str, str, str], str]


class BoardFile(Protocol):
    """A checked file; `board` is what stands in it, whether or not there are faults."""

    path: Path
    board: Json
    faults: list[Fault]


class Exercise(NamedTuple):
    """A trick of arbiters' training. `rule`: a rule of RULES.md, or the page that says what the
    box promises. Only tricks of a game have a `action`: table -> Action, or None while there is
    nothing for this trick.
    """

    rule: str
    action: "Callable[[Any], Action | None] | None" = None


class Moved(NamedTuple):
    """Cards that were moved behind the box's back: the method of the table that does it."""

    does: str
    seat: int
    code: str

    def __call__(self, table: Any) -> None:
        getattr(table, self.does)(self.seat, self.code)


class Action(NamedTuple):
    """`rule` is what the box answers with; `change` moves cards behind the box's back; then hands
    do `steps`.
    """

    rule: str
    steps: Move = ()
    change: Moved | None = None


def unchanged(header: Json) -> Json:
    """A header that names neither deck nor board."""
    return header


def nothing_drawn(header: Json, chance: Random) -> Json:
    """A match before which nothing is drawn by lot."""
    return header


def no_steps(header: Json) -> Move:
    """A match that begins right behind the start menu."""
    return ()


def no_hints(deck: Json, preset: str | None) -> list[Sentence]:
    """A game that takes any deck as it is."""
    return []


@dataclass(frozen=True)
class Game:
    """A game, by the name it has in a header.

    `folder`: its own, with the catalogues of its texts, a `<language>.po` a language: contexts as
    in host_tools/core/texts, and `table` for its words on the virtual table's pages.
    `resolved`: a header with deck or board as an object instead of its id; raises Malformed.
    `drawn`: the same with what is drawn by lot before a match; `opening`: how hands tell the box
    of it behind the start menu.
    `tag_sets`: everything that has a tag in the match of a resolved header. `describe`: content of
    a tag -> one line. `event_rules`: event -> the rule that explains it where it does not say so;
    of several events of an answer the first one here counts.
    `box_words`: keys of the box's texts that the page's script needs. `values_on_tags`: a card's
    values come with its tap. `low_first`: preset -> how the box's `read_deck` has it, where values
    are compared. `deck_hints`: a deck and its preset -> what is odd about it in this game.
    `boards`: if it is played on one. `strengths`: of its bots, those that people may choose, with
    medium among them. Presets, their seats, and whether it is played with a deck stand in the
    box's row (`on_box`).
    """

    name: str
    folder: Path
    table: type[TableView]
    demos: Mapping[str, Demo]
    tag_sets: Callable[[Json], list[Set]]
    tricks: Mapping[str, Exercise]
    resolved: Callable[[Json], Json] = unchanged
    drawn: Callable[[Json, Random], Json] = nothing_drawn
    opening: Callable[[Json], Move] = no_steps
    batches: Mapping[str, TagBatch] = field(default_factory=dict)
    describe: Mapping[type, Callable[[Any], str]] = field(default_factory=dict)
    event_rules: Mapping[str, str] = field(default_factory=dict)
    box_words: tuple[str, ...] = ()
    values_on_tags: bool = False
    low_first: Mapping[str, int] = field(default_factory=dict)
    deck_hints: Callable[[Json, str | None], list[Sentence]] = no_hints
    boards: Boards | None = None
    strengths: tuple[str, ...] = STRENGTHS

    @property
    def on_box(self) -> BoxRow:
        """What the box knows of it."""
        return row(self.name)

    @property
    def fewest(self) -> int:
        """Seats."""
        return min(preset.fewest for preset in self.on_box.presets)

    @property
    def most(self) -> int:
        """Seats."""
        return max(preset.most for preset in self.on_box.presets)

    @property
    def fixed_seats(self) -> dict[str | None, int]:
        """The presets with just so many seats."""
        presets = self.on_box.presets
        return {preset.name: preset.most for preset in presets if preset.fewest == preset.most}

    def board_of(self, preset: str | None) -> str | None:
        """The id of the board on which a preset is played."""
        return next((p.board for p in self.on_box.presets if p.name == preset), None)

    def deck_for(self, preset: str | None) -> str | None:
        """The project's deck that fits a preset: the one that its demo is played with."""
        return next((d.deck for d in self.demos.values() if d.preset == preset), None)

    def strength_near(self, wanted: str) -> str:
        """How the bots play for whom this strength is the usual one."""
        return wanted if wanted in self.strengths else MEDIUM

    def check_strength(self, chosen: str) -> None:
        """Raises UserError for a strength that this game does not offer."""
        if chosen not in self.strengths:
            raise UserError("bots_no_strength", strength=chosen, choices=list(self.strengths))

    def things(self, header: Json) -> list[Item]:
        """The tags of a match, one after the other."""
        return [item for items in self.tag_sets(header) for item in items.items]


# -- what the tricks of all games are made of


class Attempt(NamedTuple):
    """The command that the steps come to."""

    do: str
    fields: dict[str, Any]
    steps: Move


def tapped(card: str) -> Attempt:
    """A card is tapped."""
    return Attempt("tap", {"card": card}, (lay(card),))


def refused(
    table: TableView, attempts: Iterable[Attempt], reasons: tuple[str, ...]
) -> Action | None:
    """The first attempt that the rules refuse for one of these reasons (TRANSCRIPT.md)."""
    for attempt in attempts:
        refusal = table.judge(attempt.do, **attempt.fields).refusal
        if refusal is not None and refusal.reason in reasons:
            return Action(refusal.rule, attempt.steps)
    return None


def awaited(table: TableView) -> tuple[int, str]:
    """Whose turn it is (0 if nobody's), and what is awaited."""
    awaits = table.match.awaits()
    return (0 if awaits.seat is None else awaits.seat), awaits.what
