"""Whatever starts a match writes the same header: every path, every variant, every option.

A header is compared byte for byte in the fields that rules read. What it should be is written here
by hand, from the rules (RULES.md) and the format (TRANSCRIPT.md).
"""

import json
import random
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from card_tags import codec
from card_tags.kinds import DECK, OPTIONS, TABLE, TableTag
from host_tools.box.link import BoxLink
from host_tools.cards.decks import load_deck_file
from host_tools.cards.links import with_options
from host_tools.cards.tag_items import deck_items
from host_tools.games import GAMES, drawn
from host_tools.games.options import card_options, deck_options, header_for, options_of
from host_tools.sim.demo.plan import GAMES as DEMOS
from host_tools.sim.demo.plan import DemoPlan
from host_tools.sim.game_trial import Trial
from host_tools.sim.table import messages
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.runner import UNBOUND
from host_tools.sim.tournament.simulated_boxes import SimulatedBox
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options
from host_tools.tournament.actions import entrants, matches, rounds
from host_tools.tournament.boxes import BoxConnection, BoxTables
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from tests.app.fakes import Box

KEY = bytes(range(32))
SEED = 7
PATIENCE_S = 120
FIELDS = (
    *("schiri", "game", "preset", "seats", "options", "clock_ms", "turn_ms"),
    *("stage", "board", "deck"),
)


class Variant(NamedTuple):
    """A game as it is played, by two or three; `usual`: the options that the rules say."""

    game: str
    preset: str | None
    seats: int
    deck: str | None
    usual: Mapping[str, str | int]

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.game, self.preset)))


VARIANTS = {
    one.name: one
    for one in (
        Variant("trumpf", "swiss", 2, "berge", {}),
        Variant("trumpf", "gastro", 3, "gastro", {"tie_scope": "all"}),
        Variant("trumpf", "kneipe", 3, "kneipe", {"tie_scope": "all"}),
        Variant("quartett", None, 3, "gastro", {}),
        Variant(
            "cafe", "board", 3, None,
            {"between": "either", "drawing": "leaflet", "mono_bonus": "any_size", "bag_end": 3,
             "bar_joker": "seat"},
        ),
        Variant(
            "cafe", "app", 3, None,
            {"between": "either", "mono": "same", "mono_bonus": "any_size",
             "cards_end": "missing", "bar_joker": "seat"},
        ),
        Variant("hattrick", None, 3, None, {"hands": 6}),  # twice as many as seats (HA-8)
    )
}  # fmt: skip
OTHERWISE: dict[str, str | int] = {
    "tie_scope": "tied",
    "between": "both",
    "drawing": "shrink",
    "mono": "table",
    "mono_bonus": "full_only",
    "bag_end": 4,
    "cards_end": "last",
    "bar_joker": "score",
    "hands": 1,
    "target": 100,
    "clock": 90,  # minutes
    "turn": 120,  # seconds
}
"""Another choice of each row."""
TIMES = {"clock": ("clock_ms", 5_400_000), "turn": ("turn_ms", 120_000)}
ROWS = {
    name: [] if name == "trumpf-swiss" else [*one.usual, *TIMES] for name, one in VARIANTS.items()
}
ROWS["hattrick"].append("target")
"""SW: the championship has no house rules."""


def cases() -> Iterator[tuple[str, tuple[str, ...]]]:
    """A variant with its usual rules, with each of its rows changed alone, and with all."""
    for name, rows in ROWS.items():
        every = [(), *((row,) for row in rows), *([tuple(rows)] if rows else [])]
        yield from ((name, changed) for changed in every)


CASES = list(cases())
EACH = pytest.mark.parametrize(("name", "changed"), CASES, ids=lambda one: str(one))


def expected(name: str, changed: tuple[str, ...]) -> dict[str, Any]:
    one = VARIANTS[name]
    options = dict(one.usual)
    header: dict[str, Any] = {"schiri": 1, "game": one.game, "seats": one.seats}
    for row in changed:
        if row in TIMES:
            field, value = TIMES[row]
            header[field] = value
        else:
            options[row] = one.seats if row == "hands" else OTHERWISE[row]
    if options:
        header["options"] = options
    if one.preset:
        header["preset"] = one.preset
    if one.deck:
        header["deck"] = one.deck
    if name == "trumpf-swiss":
        header["stage"] = "group"
    if name == "cafe-board":
        header["board"] = "cafe"
    if name == "cafe-app":
        header["board"] = cards_drawn()
    return header


def cards_drawn() -> dict[str, Any]:
    """The twelve tables of the app as this seed draws them."""
    board: dict[str, Any] = drawn(header_for("cafe", "app", 3, {}), SEED)["board"]
    return board


def nations() -> list[str]:
    tables = cards_drawn()["tables"]
    return [tables[f"T{number:02}"]["nation"] for number in range(1, 13)]


def wanted(changed: tuple[str, ...]) -> dict[str, str | int]:
    return {row: OTHERWISE[row] for row in changed}


def compare(name: str, changed: tuple[str, ...], header: Mapping[str, Any]) -> None:
    """The fields that rules read are the same, byte for byte."""
    read = {field: header[field] for field in FIELDS if header.get(field) is not None}
    if isinstance(read.get("deck"), dict):
        read["deck"] = read["deck"]["id"]
    if isinstance(read.get("board"), dict) and read["board"].get("id") == "cafe":
        read["board"] = "cafe"  # the project's own, already resolved
    if isinstance(read.get("board"), dict):
        read["board"] = {"tables": read["board"]["tables"]}
    assert json.dumps(read, sort_keys=True) == json.dumps(expected(name, changed), sort_keys=True)


# -- at the box -----------------------------------------------------------------------------------


@pytest.fixture
def box(tmp_path: Path) -> Box:
    set_up(tmp_path / "box", "en", "Red")
    found = Box(tmp_path / "box", "en", cable=True)
    found.settings.set_key(KEY)
    return found


def opened(box: Box, name: str) -> dict[str, Any]:
    """The header in the record, once the players have told the box their table cards (CA-2)."""
    if name == "cafe-app":
        for nation in nations():
            box.lay_tag(TABLE, TableTag("", nation))
        box.press("OK")
    assert box.app.session is not None, box.words()
    record = next(iter(box.journal.lines(box.journal.number))).record
    assert record is not None
    header: dict[str, Any] = json.loads(record.payload.split("\t")[0])
    return header


@EACH
def test_start_menu(box: Box, name: str, changed: tuple[str, ...]) -> None:
    one = VARIANTS[name]
    choice = {"game": one.game, "preset": one.preset, "seats": one.seats, "deck": one.deck}
    box.set_choice(**choice, **wanted(changed))
    box.press("OK+")
    compare(name, changed, opened(box, name))


@pytest.mark.parametrize(
    ("name", "changed"), [case for case in CASES if case[0].startswith("trumpf-")], ids=str
)
def test_deck_card(box: Box, name: str, changed: tuple[str, ...]) -> None:
    """As `schiri provision deck --house-rule` writes it."""
    file = load_deck_file(str(VARIANTS[name].deck))
    assert file.deck is not None
    card = next(item for item in deck_items(file.deck, True).items if item.kind == DECK)
    behind = codec.unsealed(OPTIONS, deck_options(file, wanted(changed)))
    box.lay(with_options(codec.encode(codec.unsealed(DECK, card.content)), codec.encode(behind)))
    box.app.choice["seats"] = VARIANTS[name].seats
    box.press("OK+")
    compare(name, changed, opened(box, name))


@pytest.mark.parametrize(
    ("name", "changed"), [case for case in CASES if case[0].startswith("cafe-")], ids=str
)
def test_table_card(box: Box, name: str, changed: tuple[str, ...]) -> None:
    """As `schiri provision tables --house-rule` writes it."""
    preset = VARIANTS[name].preset
    content = TableTag("", "FR") if preset == "app" else TableTag("T04", "FR")
    behind = codec.unsealed(OPTIONS, card_options("cafe", preset, wanted(changed)))
    box.lay(with_options(codec.encode(codec.unsealed(TABLE, content)), codec.encode(behind)))
    box.app.choice["seats"] = VARIANTS[name].seats
    box.press("OK+")
    compare(name, changed, opened(box, name))


# -- from a desk ----------------------------------------------------------------------------------


def event(folder: Path, name: str, changed: tuple[str, ...]) -> TournamentService:
    """A tournament with these house rules, whose first match is called to table 1."""
    one = VARIANTS[name]
    decks = [one.deck] if one.deck else []
    if one.seats == 2:
        setup = ev.Created(name="Cup", ko_size=2, decks=decks)
    else:
        setup = ev.Created(
            name="Cup", mode="tables", seats=one.seats, rounds=1, decks=decks, game=name,
            options=rule_options.in_force(name, wanted(changed)),
        )  # fmt: skip
    service = TournamentService.create(str(folder / "cup.db"), "desk", setup)
    players = [Entrant(id=f"p{n}", name=f"Player {n}") for n in range(1, one.seats + 1)]
    service.do("desk", "", command(entrants.add_players, players))
    service.do("desk", "", command(entrants.draw, one.seats, 1, True))
    if one.seats > 2:
        service.do("desk", "", command(rounds.pair_round))
    service.do("desk", "", command(matches.call, next(iter(service.state.matches))))
    return service


@EACH
@pytest.mark.parametrize("path", ["cable", "air"])
def test_desk(box: Box, tmp_path: Path, path: str, name: str, changed: tuple[str, ...]) -> None:
    """The signed assignment, as the threads of a desk and of a hall give it. On the air the
    request is the same, and another line carries it (tests/host/test_hall.py).
    """
    service = event(tmp_path, name, changed)
    box.settings.set({"table": 1})
    box.give_key(service.store.enrolled.desk().public)
    tables = BoxTables(service)
    seen = BoxConnection(tables, "port", BoxLink(box), "en", by_air=path == "air").look()
    assert seen.trouble == ""
    box.press(*["OK"] * VARIANTS[name].seats, "OK")
    header = opened(box, name)
    if name == "trumpf-swiss":
        # SW-3: ten minutes, which the desk says and a box knows
        assert header.pop("clock_ms") == 600_000
    compare(name, changed, header)
    service.close()


@pytest.mark.parametrize(
    ("name", "changed"), [case for case in CASES if not case[0].startswith("cafe")], ids=str
)
def test_simulation(tmp_path: Path, name: str, changed: tuple[str, ...]) -> None:
    """Simulated days are played without boards."""
    service = event(tmp_path, name, changed)
    match = next(iter(service.state.matches.values()))
    header = SimulatedBox(1, random.Random(SEED))._header(service.state, match)
    compare(name, changed, header)
    service.close()


# -- on the laptop --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table() -> Iterator[PlayTable]:
    made = PlayTable(1, "cpython", "en", speed=UNBOUND)
    made.start()
    yield made
    made.close()


def begun(table: PlayTable, number: int) -> dict[str, Any]:
    """The header of this match of the box, once it is open."""
    late = time.monotonic() + PATIENCE_S
    while table.log.number != number or not table.log.count:
        assert time.monotonic() < late, table.screen.last
        time.sleep(0.02)
    return table.log.record


def abandon(table: PlayTable) -> None:
    table.do(messages.Arbiter(action="abandon", why="break"))
    late = time.monotonic() + PATIENCE_S
    while not table.log.closed:
        assert time.monotonic() < late, table.screen.last
        time.sleep(0.02)


@EACH
def test_virtual_table_and_rematch(table: PlayTable, name: str, changed: tuple[str, ...]) -> None:
    """Hands choose it in the box's menu, and tap the table cards that were drawn."""
    one = VARIANTS[name]
    number = table.log.number
    table.log.deals.wanted = SEED
    start = messages.Start(
        game=one.game, preset=one.preset or "", deck=one.deck or "", seats=one.seats,
        options=wanted(changed),
    )  # fmt: skip
    table.do(start)
    compare(name, changed, begun(table, number + 1))
    abandon(table)
    table.do(messages.Rematch(same_deal=True))
    compare(name, changed, begun(table, number + 2))
    abandon(table)


def test_a_rematch_with_other_cards_draws_other_tables(table: PlayTable) -> None:
    """CA-2: twelve of the 24 cards, no nation more than twice."""
    lots = []
    for message in (messages.Start(game="cafe", preset="app", seats=2), messages.Rematch()):
        number = table.log.number
        table.do(message)
        tables = begun(table, number + 1)["board"]["tables"]
        lots.append([one["nation"] for one in tables.values()])
        abandon(table)
    assert [len(lot) for lot in lots] == [12, 12]
    assert all(lot.count(nation) <= 2 for lot in lots for nation in lot)
    # equal by chance once in 10^11
    assert lots[0] != lots[1]


@pytest.mark.parametrize("demo", DEMOS)
def test_demo(demo: str) -> None:
    game = DEMOS[demo]
    name = "-".join(filter(None, (game.game, game.preset)))
    one = VARIANTS[name]
    plan = DemoPlan(game._replace(seats=one.seats, deck=one.deck), "en", SEED, "cpython", "", "")
    compare(name, (), plan.header())


class Picked(random.Random):
    """Of every row of the menu the choice of a case."""

    def __new__(cls, name: str, changed: tuple[str, ...]) -> "Picked":
        return super().__new__(cls)

    def __init__(self, name: str, changed: tuple[str, ...]) -> None:
        super().__init__(f"drawn/{SEED}")
        one = VARIANTS[name]
        rows = {row.name: row.row.choices for row in options_of(one.game, one.preset)}
        self._picks = {rows[row]: OTHERWISE[row] for row in changed}

    def choice(self, choices: Any) -> Any:
        return self._picks.get(choices, choices[0])


@EACH
def test_game_checks(name: str, changed: tuple[str, ...]) -> None:
    one = VARIANTS[name]
    trial = Trial(GAMES[one.game])
    preset = next(p for p in trial.game.on_box.presets if p.name == one.preset)
    header = trial._header(preset, one.seats, Picked(name, changed))
    compare(name, changed, {**header, "deck": one.deck})
