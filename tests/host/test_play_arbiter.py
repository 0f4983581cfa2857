"""The jury menu as buttons of the page: fingers choose in the box's own menu."""

import json

import pytest
from play_table import ask, play_until, table_of

from firmware.games import open_match
from host_tools.core.json_types import Json
from host_tools.games import table_view
from host_tools.games.box_words import box_words
from host_tools.games.table_view import TableView
from host_tools.sim.table import messages
from host_tools.sim.table.arbiter import ACTIONS, offered, words
from host_tools.sim.table.asking import BadMessage
from host_tools.sim.table.box_screens import BoxScreens
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.table_state import state_of
from tests.processes import wait


def actions(table: PlayTable) -> list[str]:
    """What the page offers now."""
    listed: list[str] = ask(table, lambda world: offered(world, table.screen.last)["actions"])

    return listed


def choose(table: PlayTable, action: str, seat: int = 0, card: str = "", why: str = "") -> None:
    """Press the page's button and wait for the box's answer."""
    count = table.log.count
    table.do(messages.Arbiter(action=action, seat=seat, card=card, why=why))
    wait(lambda: table.log.count > count and not table.runner.busy)


def last(table: PlayTable) -> dict[str, object]:
    """The last command in the record."""
    commands = [line for line in table.transcript().splitlines() if '"do"' in line]
    command: dict[str, object] = json.loads(commands[-1])
    return command


def test_the_actions_of_a_swiss_match_one_after_the_other() -> None:
    with table_of("trumpf", 2, "swiss") as table:
        play_until(table, lambda world: world.match.awaits().what == "tap" and world.match.n > 3)
        assert "resume" not in actions(table)
        choose(table, "pause", why="dispute")
        assert (last(table)["do"], last(table)["why"]) == ("pause", "dispute")
        assert "pause" not in actions(table)
        choose(table, "resume")
        assert last(table)["do"] == "resume"
        choose(table, "undo", why="reader")
        assert (last(table)["do"], last(table)["why"]) == ("undo", "reading error")


def test_a_penalty_an_exclusion_and_back() -> None:
    with table_of("trumpf", 2, "swiss") as table:
        play_until(table, lambda world: "penalty" in offered(world, table.screen.last)["actions"])
        counts = ask(table, lambda world: [len(hand) for hand in world.hands])
        choose(table, "penalty", seat=1, why="delay")
        assert last(table)["seat"] == 1
        moved = ask(table, lambda world: [len(hand) for hand in world.hands])
        assert moved == [counts[0] + 10, counts[1] - 10]  # SW-8
        choose(table, "exclude", seat=1, why="cheating")
        assert ask(table, lambda world: world.match.over())
        assert actions(table) == ["undo"]
        choose(table, "undo", why="jury")
        assert not ask(table, lambda world: world.match.over())
        choose(table, "exclude", seat=1, why="cheating")
        assert state_of(table)["match"]["confirm"]  # people say so
        assert not table.log.closed
        table.do(messages.Confirm())
        wait(lambda: table.log.closed)


@pytest.mark.parametrize(
    ("game", "deck", "awaited"), [("hattrick", "", "tap"), ("quartett", "gastro", "answer")]
)
def test_a_card_by_hand(game: str, deck: str, awaited: str) -> None:
    with table_of(game, 3, "", deck) as table:
        play_until(table, lambda world: asked_card(world, awaited) is not None)
        card = ask(table, lambda world: asked_card(world, awaited))
        choose(table, "hand", card=card, why="no_tag")
        assert (last(table)["card"], last(table)["why"]) == (card, "card without tag")


def test_a_guest_by_hand_looks_for_a_chair_as_if_tapped() -> None:
    with table_of("cafe", 2, "board") as table:
        guest = ask(table, lambda world: world.hand_now()[-1])
        table.do(messages.Arbiter(action="hand", card=guest, why="dead_card"))
        wait(lambda: half(table)["tile"] == guest and not table.runner.busy)
        table.do(messages.Choose(labels=[first_legal(table)]))
        wait(lambda: half(table)["place"] != "" and not table.runner.busy)
        table.do(messages.Choose(labels=[first_legal(table)]))
        wait(lambda: table.log.count == 2)
        assert (last(table)["tile"], last(table)["why"]) == (guest, "tag is dead")


def half(table: PlayTable) -> Json:
    """What the box says of the guest that looks for a chair."""
    return table.screen.last.half or {"tile": "", "place": ""}


def first_legal(table: PlayTable) -> str:
    """The first item of the list on the screen, which the box ticks."""
    first = table.screen.last.rows[0].split("\t")[0]
    assert first.startswith("✓")
    return first


def asked_card(world: TableView, awaited: str) -> str | None:
    """A card that the awaited seat holds and may lay now."""
    awaits = world.match.awaits()
    if awaits.what != awaited or not world.hands[awaits.seat]:
        return None
    if awaited != "answer":
        return world.hands[awaits.seat][0]
    card: str = world.match.asked()[1]
    return card if card in world.hands[awaits.seat] else None


def test_nothing_to_take_back_before_the_first_command() -> None:
    header = {"schiri": 1, "game": "hattrick", "seats": 3}
    world = table_view(header, open_match(header), box_words("en").get, 1)
    box = BoxScreens(header, "en")
    assert offered(world, box.screens()[-1][1])["actions"] == ["abandon"]
    for apply in (world.play, box.apply):
        apply({"t": 0, "do": "begin", "seat": 0})
    offer = offered(world, box.screens()[-1][1])
    assert offer["actions"] == ["undo", "hand", "abandon"]
    assert len(offer["cards"]) == 60


@pytest.mark.parametrize(
    "message",
    [
        messages.Arbiter(action="fly"),
        messages.Arbiter(action="undo", why="cheating"),
        messages.Arbiter(action="undo"),
        messages.Arbiter(action="hand", why="no_tag"),
        messages.Arbiter(action="hand", card="Z9", why="no_tag"),
        messages.Arbiter(action="penalty", seat=99, why="delay"),
    ],
)
def test_what_the_menu_does_not_have_is_refused(message: messages.Arbiter) -> None:
    with table_of("hattrick", 3) as table, pytest.raises(BadMessage):
        table.do(message)


def test_every_action_has_its_words_and_its_items() -> None:
    say = box_words("de").get
    header = {"schiri": 1, "game": "hattrick", "seats": 3}
    world = table_view(header, open_match(header), say, 1)
    assert list(words(say)) == list(ACTIONS)
    message = messages.Arbiter(action="hand", card="R7", why="dead_card")
    assert message.labels(world) == ["Karte von Hand", "R", "R7", "Tag ist kaputt"]
    message = messages.Arbiter(action="exclude", seat=2, why="conduct")
    assert message.labels(world) == ["Ausschließen", "Platz 3", "Verhalten"]
