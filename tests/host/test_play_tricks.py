"""Arbiters' training at a virtual table: what the page explains is what the box answers."""

from typing import Any

import pytest
from play_table import ask, play_alone, play_until, table_of

from firmware.games import open_match
from host_tools.games import table_view
from host_tools.games.cafe.table_view import CafeTableView
from host_tools.games.cafe.tricks import somebodys_joker
from host_tools.games.table_view import TableView
from host_tools.sim.table import messages
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.runner import Waits
from host_tools.sim.table.tricks import TRICKS, trick_texts
from tests.processes import wait

Match = tuple[str, int, str, str]
HATTRICK: Match = ("hattrick", 3, "", "")
QUARTETT: Match = ("quartett", 3, "", "gastro")
CAFE: Match = ("cafe", 2, "board", "")
APP: Match = ("cafe", 3, "app", "")
SWISS: Match = ("trumpf", 2, "swiss", "")

# trick, match, the rule that RULES.md names for it
REFUSED = [
    ("keep", SWISS, "TR-12"),
    ("card_again", HATTRICK, "HA-9"),
    ("quartet_again", QUARTETT, "QU-5"),
    ("other_card", QUARTETT, "QU-3"),
    ("impossible_question", QUARTETT, "QU-4"),
    ("seated_again", CAFE, "CB-3"),
    ("foreign_table", APP, "CB-3"),
    ("crowd", CAFE, "CB-4"),
    ("joker_to_the_bar", APP, "CB-10"),
]


def ready(name: str, world: TableView) -> bool:
    action = TRICKS[name].action
    return action is not None and action(world) is not None


def trick(table: PlayTable, name: str, card: str = "") -> dict[str, Any]:
    """Press the trick's button; its hint."""
    table.hint = None
    seat = table.log.awaits["seat"] or 0
    table.do(messages.Trick(name=name, seat=seat, card=card))
    wait(lambda: table.hint is not None and not table.runner.busy)
    assert table.hint is not None
    return table.hint


@pytest.mark.parametrize(("name", "match", "rule"), REFUSED)
def test_the_hint_names_the_rule_of_the_refusal(name: str, match: Match, rule: str) -> None:
    with table_of(*match) as table:
        play_until(table, lambda world: ready(name, world))
        count = table.log.count
        hint = trick(table, name)
        if name == "keep":  # the card only lies on top: its owner taps it
            card = ask(table, lambda world: world.hands[world.match.awaits().seat][0])
            table.do(messages.Tap(code=card))
        wait(lambda: table.log.count == count + 1)
        told = table.log.news[-1]
        assert told["refused"]
        assert told["rule"] == hint["rule"] == rule == TRICKS[name].rule


def test_a_dropped_pile_is_reported_not_refused() -> None:
    with table_of(*SWISS) as table:
        play_until(table, lambda world: ready("swap", world))
        assert trick(table, "swap")["rule"] == "TR-13"
        count = table.log.count
        table.do(messages.Tap(code=ask(table, lambda w: w.hands[w.match.awaits().seat][0])))
        wait(lambda: table.log.count == count + 1)
        assert not table.log.news[-1]["refused"]
        assert table.log.news[-1]["rule"] == "TR-13"


def test_after_a_kept_card_robots_go_on() -> None:
    with table_of(*SWISS) as table:
        play_until(table, lambda world: ready("keep", world))
        trick(table, "keep")
        before = sorted(ask(table, lambda world: world.hands[0] + world.hands[1]))
        play_alone(table)
        wait(lambda: any(told["rule"] == "TR-12" for told in table.log.news))
        count = table.log.count
        wait(lambda: table.log.count > count + 4)
        assert sum(told["refused"] for told in table.log.news) == 1  # it was given back
        assert len(before) == len(set(before))


def test_a_tap_out_of_turn_counts_for_whom_the_box_awaits() -> None:
    with table_of(*HATTRICK) as table:
        seat = table.log.awaits["seat"]
        card = ask(table, lambda world: world.hands[(seat + 1) % 3][0])
        assert trick(table, "out_of_turn")["rule"] == "HA-2"
        wait(lambda: table.log.count == 2)
        assert not table.log.news[-1]["refused"]
        assert card in table.log.news[-1]["text"]
        assert table.log.awaits["seat"] == (seat + 1) % 3
        assert ask(table, lambda world: [len(hand) for hand in world.hands]).count(19) == 1
        table.do(messages.Arbiter(action="undo", why="wrong_card"))
        wait(lambda: table.log.count == 3 and not table.runner.busy)
        assert card in ask(table, lambda world: world.hands[(seat + 1) % 3])


def test_a_lie_is_found_out_when_the_card_shows_up() -> None:
    with table_of(*QUARTETT) as table:
        play_until(table, lambda world: ready("false_denial", world))
        assert trick(table, "false_denial")["rule"] == "QU-7"
        play_alone(table)
        wait(lambda: any(told["rule"] == "QU-7" for told in table.log.news))


def test_a_trick_at_the_wrong_moment_or_in_the_wrong_game_does_nothing() -> None:
    with table_of(*HATTRICK) as table:
        assert trick(table, "card_again")["name"] == "not_now"
        assert trick(table, "crowd")["name"] == "not_here"
        assert table.log.count == 1


def cafe(seats: int) -> CafeTableView:
    header: dict[str, Any] = {"schiri": 1, "game": "cafe", "preset": "board", "seats": seats}
    from host_tools.games.cafe.boards import load_board

    header["board"] = load_board("cafe")
    world = table_view(header, open_match(header), lambda key: key, 1)
    assert isinstance(world, CafeTableView)
    return world


def test_only_a_swapped_joker_is_known_to_be_somebody_elses() -> None:
    world = cafe(2)
    world.play({"t": 0, "do": "begin", "seat": 0})
    world.hands[1][0] = "JKf1"
    assert somebodys_joker(world) is None  # drawn from the bag: nobody has seen it
    table = next(row for row in world.match.tables() if row[1] == "DE")[0]
    first, second = [
        chair
        for chair in world.header["board"]["tables"][table]["chairs"]
        if len(world._plan["links"][chair]) == 1
    ][:2]
    world.play({"t": 1, "do": "place", "tile": "JKf1", "chair": first})
    world.play({"t": 2, "do": "place", "tile": "DEm1", "chair": second})
    world.play({"t": 3, "do": "swap", "tile": "DEf1", "chair": first})  # seat 1 takes the joker
    action = somebodys_joker(world)
    assert action is not None
    assert action.rule == "CB-12"
    # the box knows whose it is and refuses the tap: it shows no list of tables
    assert [(step.do, step.what) for step in action.steps] == [("lay", "JKf1")]


@pytest.mark.parametrize("match", [SWISS, HATTRICK, CAFE])
def test_a_dead_tag_is_silent_and_robots_enter_the_card_by_hand(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    with table_of(*match) as table:
        seat = table.log.awaits["seat"]
        card = ask(table, lambda world: next(s.what for s in world.move(seat) if s.do == "lay"))
        assert trick(table, "dead", card)["name"] == "dead"
        heard = table.hands.heard()
        begun: list[object] = []
        begin = table.runner.begin

        def begin_and_count(act: Waits) -> None:
            begin(act)
            begun.append(act)

        monkeypatch.setattr(table.runner, "begin", begin_and_count)
        table.do(messages.Tap(code=card))
        wait(lambda: bool(begun) and not table.runner.busy)
        assert (table.hands.heard(), table.log.count) == (heard, 1)
        play_alone(table)
        wait(lambda: '"why":"tag is dead"' in table.transcript().replace(": ", ":"))
        play_alone(table, on=False)
        assert trick(table, "dead")["name"] == "healed"
        assert table.tray.dead == []
        assert not table.tray[card].dead


def test_the_dead_card_is_whole_again_in_the_next_match() -> None:
    with table_of(*HATTRICK) as table:
        trick(table, "dead", "R1")
        assert table.tray["R1"].dead
        table.do(messages.Arbiter(action="abandon", why="jury"))
        wait(lambda: table.log.closed and not table.runner.busy)
        table.do(messages.Start(game="hattrick", seats=4))
        wait(lambda: table.log.number == 2 and not table.runner.busy)
        assert not table.tray["R1"].dead


@pytest.mark.parametrize("match", [SWISS, HATTRICK, QUARTETT])
def test_a_failing_flash_costs_no_answer(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    with table_of(*match) as table:

        class Resets(list[str]):
            """Of the box; the robots take their hands off."""

            def append(self, why: str) -> None:
                table.auto.seats.clear()
                super().append(why)

        play_until(table, lambda world: world.match.n > 5)
        count = table.log.count
        boots = table.session.boots
        monkeypatch.setattr(table.session, "resets", Resets())
        trick(table, "flash")
        play_alone(table)
        wait(lambda: table.session.boots == boots + 1 and not table.runner.busy)
        assert table.session.resets == ["machine.reset"]
        assert table.log.count == count  # what could not be stored does not count
        play_alone(table)
        wait(lambda: table.log.count > count + 3)  # and the robots play on
        assert table.crash == ""


def test_every_trick_has_its_words_in_both_languages() -> None:
    for lang in ("de", "en"):
        assert list(trick_texts(lang)) == list(TRICKS)
        assert all(text for words in trick_texts(lang).values() for text in words.values())
