"""What the device of a seat may do at the virtual table, for every seat, message and phase."""

import asyncio
import re
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from firmware.app.arbiter import MENU
from host_tools.core.errors import in_words
from host_tools.games.table_view import TableView
from host_tools.sim.table import messages, runner
from host_tools.sim.table.asking import HOST, BadMessage, NotAllowed
from host_tools.sim.table.play_table import PlayTable
from host_tools.web.table.server import PlayServer
from tests.host.play_table import ask, play_alone, play_until, table_of
from tests.processes import LIMIT_S, wait

SEATS = 3
NOBODY = 7  # there are keys for eight seats, three of them play
CLOCK = re.compile(r"(\d+):(\d\d)")
BROKE = 6
"""A deal of the café for two, with the usual rules, in which a robot cannot pay the bar."""


@pytest.fixture
def hattrick() -> Iterator[PlayTable]:
    """Three seats; a card of one of them is awaited."""
    with table_of("hattrick", SEATS) as table:
        yield table


def refusal(table: PlayTable, seat: int, message: messages.TableMessage) -> str:
    """The key of the sentence with which the seat is told no; "" if it is done."""
    try:
        table.do(message, seat)
    except BadMessage as error:
        sentence: Any = error.sentence
        for lang in ("de", "en"):
            assert re.fullmatch(r"[^\n]{10,}", in_words(sentence, lang))
        return str(sentence.key)
    return ""


def host_messages() -> list[messages.TableMessage]:
    return [
        messages.Arbiter(action="abandon", why="jury"),
        messages.Power(on=False),
        messages.Cable(plugged=False),
        messages.Speed(speed=10),
        messages.Read(),
        messages.Auto(seat=1, on=True),
        messages.Trick(name="foreign"),
        messages.Free(seat=1),
    ]


@pytest.mark.parametrize("message", host_messages(), ids=lambda m: type(m).__name__)
def test_what_belongs_to_the_tables_page(
    hattrick: PlayTable, message: messages.TableMessage
) -> None:
    for seat in (*range(SEATS), NOBODY):
        assert refusal(hattrick, seat, message) == "play_host_only"
    assert hattrick.session.on
    assert hattrick.session.box.usb.plugged
    assert hattrick.runner.speed == 1000
    assert not hattrick.auto.seats
    assert not hattrick.log.closed


def test_setting_up_belongs_to_the_tables_page_too() -> None:
    table = PlayTable(1, "cpython", "en")
    try:
        table.start()
        for seat in (0, 1, NOBODY):
            wish = messages.Start(game="hattrick", seats=SEATS)
            for message in (wish, messages.Language(lang="de")):
                assert refusal(table, seat, message) == "play_host_only"
            assert refusal(table, seat, messages.Tap(code="jury")) == "play_no_seat_now"
        assert table.log.world is None
    finally:
        table.close()


def test_who_chooses_a_language_gets_the_page_in_it() -> None:
    """The page is asked for as soon as the choice is answered, however long the box was busy."""
    server = PlayServer("cpython", "en")
    client = TestClient(
        server.app, base_url="http://127.0.0.1", headers={"origin": "http://127.0.0.1"}
    )
    key = {"key": server.key}
    answered = threading.Event()
    try:
        table = server.open_table()
        table.runner.call(partial(answered.wait, 0.2))
        wish = {"do": "language", "lang": "de"}
        assert client.post("/t/1/do", params=key, json=wish).status_code == 200
        page = client.get("/t/1", params=key).text
        answered.set()
        assert '<html lang="de"' in page
        wait(lambda: table.session.boots == 2)
    finally:
        server.close()


def _has_begun(table: PlayTable) -> bool:
    return table.log.count == 1 and not table.runner.busy


def test_a_page_that_is_there_before_the_box_does_not_hide_the_match_from_the_table(
    tmp_path: Path,
) -> None:
    """Its cards lie there to be tapped, whoever looked at the journal first."""

    async def listen(table: PlayTable) -> None:
        table.listen()

    for page_first in (False, True):
        table, loop = PlayTable(1, "cpython", "en", tmp_path), asyncio.Runner()
        try:
            if page_first:
                loop.run(listen(table))
            table.start()
            if not page_first:
                table.do(messages.Start(game="hattrick", seats=SEATS))
            wait(partial(_has_begun, table))
            codes = [card["code"] for card in table.hand(0)["cards"]]
            assert codes
            assert all(code in table.tray for code in codes)
        finally:
            table.close()
            loop.close()


def wishes(code: str) -> list[messages.TableMessage]:
    """Everything that moves the match for the seat whose turn it is."""
    return [
        messages.Tap(code=code),
        messages.Lay(code=code),
        messages.Choose(labels=["A"]),
        messages.TakeBack(),
        *(messages.Button(button=name, down=True) for name in ("up", "down", "ok")),
    ]


def test_only_the_seat_that_is_awaited_acts(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    hands = ask(hattrick, lambda world: [list(hand) for hand in world.hands])
    for seat in range(SEATS):
        if seat == awaited:
            continue
        for code in (hands[seat][0], hands[awaited][0]):
            for message in wishes(code):
                assert refusal(hattrick, seat, message) == "play_not_your_turn", message
        assert refusal(hattrick, seat, messages.Lift()) == "play_not_your_turn"
    for message in wishes(hands[awaited][0]):
        assert refusal(hattrick, NOBODY, message) == "play_no_seat_now"
    assert hattrick.log.count == 1
    assert not hattrick.session.field.tags
    assert refusal(hattrick, awaited, messages.Tap(code=hands[awaited][0])) == ""
    wait(lambda: hattrick.log.count == 2)
    assert not hattrick.log.refused


def test_the_sentence_names_who_is_awaited(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    with pytest.raises(NotAllowed) as told:
        hattrick.do(messages.Button(button="ok", down=True), (awaited + 1) % SEATS)
    name = f"Seat {awaited + 1}"
    assert str(told.value) == f"it is not your turn: it is {name}'s"
    german = in_words(told.value.sentence, "de")
    assert german.startswith("Du bist nicht ")
    assert name in german


def test_with_ones_own_cards_only(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    other = ask(hattrick, lambda world: world.hands[(awaited + 1) % SEATS][0])
    for code in (other, "jury"):
        for message in (messages.Tap(code=code), messages.Lay(code=code)):
            assert refusal(hattrick, awaited, message) == "play_not_in_hand"
    assert hattrick.log.count == 1


def test_a_hand_that_is_not_on_turn_is_locked_for_the_tables_page_too(
    hattrick: PlayTable,
) -> None:
    awaited = hattrick.log.awaits["seat"]
    mine, *others = ask(
        hattrick, lambda world: [world.hands[(awaited + add) % SEATS][0] for add in range(SEATS)]
    )
    for code in others:
        for message in (messages.Tap(code=code), messages.Lay(code=code)):
            assert refusal(hattrick, HOST, message) == "play_not_your_turn"
    assert hattrick.log.count == 1
    assert not hattrick.session.field.tags
    assert refusal(hattrick, HOST, messages.Tap(code=mine)) == ""
    wait(lambda: hattrick.log.count == 2 and not hattrick.runner.busy)
    assert refusal(hattrick, HOST, messages.Tap(code="jury")) == ""  # in nobody's hand


def test_two_taps_at_once_do_not_play_the_next_ones_turn(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    first, second = ask(hattrick, lambda world: world.hands[awaited][:2])
    hattrick.do(messages.Speed(speed=0))
    for code in (first, second):  # both arrive while it is still this seat's turn
        hattrick.do(messages.Tap(code=code), awaited)
    hattrick.do(messages.Speed(speed=1000))
    wait(lambda: hattrick.log.count == 2 and not hattrick.runner.busy)
    assert second in ask(hattrick, lambda world: world.hands[awaited])


def test_a_tap_waits_until_the_bots_card_is_off_the_reader(
    hattrick: PlayTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who taps at once, while the card before still lies there, is not told "Two cards!"."""
    table, look = hattrick, hattrick.log.look
    me = (table.log.awaits["seat"] + 1) % SEATS

    def stop() -> None:
        if table.log.awaits["seat"] == me and table.session.field.tags:
            table.runner.speed = runner.PAUSED

    def look_and_stop() -> bool:
        table.runner.call(stop)
        return look()

    monkeypatch.setattr(table.log, "look", look_and_stop)
    table.do(messages.Speed(speed=1))
    table.do(messages.Auto(seat=(me - 1) % SEATS, on=True))
    wait(lambda: table.runner.speed == runner.PAUSED)
    mine = ask(table, lambda world: world.hands[me][0])
    assert len(table.session.field.tags) == 1
    assert refusal(table, me, messages.Tap(code=mine)) == ""
    monkeypatch.setattr(table.log, "look", look)
    count = table.log.count
    table.do(messages.Speed(speed=1000))
    wait(lambda: not table.runner.busy)
    assert table.log.count == count + 1
    assert table.log.steps[-1][0]["card"] == mine


def test_what_is_pressed_on_a_hand_of_before_is_refused(hattrick: PlayTable) -> None:
    awaited, before = hattrick.log.awaits["seat"], hattrick.log.at
    cards = ask(hattrick, lambda world: [list(hand) for hand in world.hands])
    hattrick.do(messages.Tap(code=cards[awaited][0], at=before), awaited)
    wait(lambda: hattrick.log.count == 2 and not hattrick.runner.busy)
    next_one = hattrick.log.awaits["seat"]
    late: list[messages.TableMessage] = [
        messages.Tap(code=cards[next_one][0], at=before),
        messages.Choose(labels=["A"], at=before),
        messages.Quartet(seat=next_one, group="A", at=before),
        messages.TakeBack(at=before),
    ]
    for message in late:
        for seat in (HOST, next_one):
            assert refusal(hattrick, seat, message) == "play_moved_on"
    assert hattrick.log.count == 2
    assert refusal(hattrick, next_one, messages.Tap(code=cards[next_one][0])) == ""


def test_a_refusal_outdates_no_hand(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    mine = ask(hattrick, lambda world: world.hands[awaited][0])
    hattrick.do(messages.Tap(code=mine), awaited)
    wait(lambda: hattrick.log.count == 2 and not hattrick.runner.busy)
    at = hattrick.log.at
    hattrick.do(messages.Tap(code=mine))  # it lies on the table
    wait(lambda: hattrick.log.count == 3 and not hattrick.runner.busy)
    assert hattrick.log.refused
    assert hattrick.log.at == at


def test_the_box_says_who_has_won(hattrick: PlayTable) -> None:
    """The screen has the name in large letters alone; people who hear it get a sentence."""
    play_until(hattrick, lambda world: world.is_decided())
    events = hattrick.log.steps[-1][1]["events"]
    (over,) = (event for event in events if event["is"] == "round_over")
    names = [f"Seat {trick['seat'] + 1}" for trick in over["tricks"]]
    wait(lambda: len(hattrick.screen.last.large) == len(names))
    lines = hattrick.screen.last._replace(winners=hattrick.log.winners()).lines()
    assert [line["text"].split("\t")[-1] for line in lines if line.get("wins")] == names


def test_what_one_has_laid_one_may_take_back(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    code = ask(hattrick, lambda world: world.hands[awaited][0])
    hattrick.do(messages.Lay(code=code), awaited)
    wait(lambda: hattrick.log.awaits["seat"] != awaited)  # counted; it still lies there
    third = 3 - awaited - hattrick.log.awaits["seat"]
    assert refusal(hattrick, third, messages.Lift()) == "play_not_your_turn"
    assert refusal(hattrick, awaited, messages.Lift()) == ""
    wait(lambda: not hattrick.session.field.tags)


def test_the_jury_sits_at_the_table(hattrick: PlayTable) -> None:
    awaited = hattrick.log.awaits["seat"]
    for seat in range(SEATS):
        press = messages.Button(button="jury", down=True)
        assert refusal(hattrick, seat, press) == "play_jury_only"
    for down in (True, False):
        hattrick.do(messages.Button(button="jury", down=down))
    wait(lambda: hattrick.hands.asks() == MENU)
    for message in wishes(ask(hattrick, lambda world: world.hands[awaited][0])):
        assert refusal(hattrick, awaited, message) == "play_jury_only"


def test_between_matches_no_seat_plays(hattrick: PlayTable) -> None:
    code = ask(hattrick, lambda world: world.hands[0][0])
    hattrick.do(messages.Arbiter(action="abandon", why="jury"))
    wait(lambda: hattrick.log.closed)
    for seat in range(SEATS):
        for message in wishes(code):
            assert refusal(hattrick, seat, message) == "play_no_seat_now"


# -- Quartett: a card that was asked for, and quartets at any time --------------------------------


def test_the_seat_that_was_asked_answers() -> None:
    with table_of("quartett", SEATS, deck="gastro") as table:
        play_until(table, lambda world: world.match.awaits().what == "answer")
        asked = table.log.awaits["seat"]
        for seat in range(SEATS):
            deny = messages.Choose(labels=[table.say("quartett_deny")])
            if seat != asked:
                assert refusal(table, seat, deny) == "play_not_your_turn"
        count = table.log.count
        holds = ask(table, lambda w: w.match.asked()[1] in w.hands[asked])
        code = ask(table, lambda w: w.match.asked()[1])
        answer: messages.TableMessage = messages.Tap(code=code) if holds else deny
        assert refusal(table, asked, answer) == ""
        wait(lambda: table.log.count == count + 1)
        assert not table.log.refused


def whole_group_of_another(world: TableView) -> tuple[int, str] | None:
    """A seat that is not awaited and holds four of a letter, while cards are asked for."""
    awaits = world.match.awaits()
    for seat, hand in enumerate(world.hands):
        for code in hand if awaits.what == "ask" and seat != awaits.seat else ():
            if sum(other[0] == code[0] for other in hand) == 4:
                return seat, code[0]
    return None


def test_any_seat_lays_its_quartet_whoevers_turn_it_is() -> None:
    with table_of("quartett", SEATS, deck="gastro") as table:
        give_four(table)
        seat, group = ask(table, whole_group_of_another)
        awaited = table.log.awaits["seat"]
        stranger = next(s for s in range(SEATS) if s != seat)
        assert refusal(table, stranger, messages.Quartet(seat=seat, group=group)) == (
            "play_not_in_hand"
        )
        absent = next(g for g in "ABCDEFGH" if g != group)
        assert refusal(table, seat, messages.Quartet(seat=seat, group=absent)) == "play_no_quartet"
        assert refusal(table, seat, messages.Quartet(seat=seat, group=group)) == ""
        wait(lambda: table.log.count == 2 and not table.runner.busy)
        assert not table.log.refused
        assert table.log.awaits == {**table.log.awaits, "seat": awaited, "for": "ask"}
        assert ask(table, lambda world: world.match.quartets())[seat] == 1


def give_four(table: PlayTable) -> None:
    """Somebody whose turn it is not was dealt a whole quartet: cards change hands, sizes stay."""

    def deal(world: TableView) -> None:
        awaited = world.match.awaits().seat
        lucky = (awaited + 1) % SEATS
        wanted = [code for hand in world.hands for code in hand if code[0] == "C"]
        for code in wanted:
            world.bring(lucky, code, wanted)

    ask(table, deal)
    wait(lambda: ask(table, whole_group_of_another) is not None)


def test_a_dozing_box_has_its_time_and_hears_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    dozing = threading.Event()
    doze = runner.Runner._doze

    def noted(self: runner.Runner, limit_s: float) -> None:
        dozing.set()
        doze(self, limit_s)

    monkeypatch.setattr(runner.Runner, "_doze", noted)
    monkeypatch.setattr(runner, "LIVELY_S", 0.3)
    table = PlayTable(1, "cpython", "en", speed=runner.REAL)
    try:
        table.start()
        assert dozing.wait(LIMIT_S)
        before_ms = table.session.now_ms
        wait(lambda: table.session.now_ms > before_ms + 1000)
        for down in (True, False):
            table.do(messages.Button(button="down", down=down))
        wait(lambda: table.screen.last.chosen == 1)
    finally:
        table.close()


def test_a_match_clock_is_drawn_every_second_while_the_box_dozes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CL-1: ten minutes, counted down in the top bar. Six seconds of the wall are six of it, at
    most one second of them is passed over, and the box rests for more than half of them.
    """
    monkeypatch.setattr(runner, "LIVELY_S", 0.3)
    rested: list[float] = []
    doze = runner.Runner._doze

    def timed(self: runner.Runner, limit_s: float) -> None:
        begin_s = time.monotonic()
        doze(self, limit_s)
        rested.append(time.monotonic() - begin_s)

    monkeypatch.setattr(runner.Runner, "_doze", timed)
    table = PlayTable(1, "cpython", "en", speed=runner.REAL)
    try:
        table.start()
        table.do(messages.Start(game="trumpf", preset="swiss", auto=[]))
        wait(lambda: table.log.count > 0 and not table.runner.busy)
        table.do(messages.Tap(code=table.hand(table.log.awaits["seat"])["cards"][0]["code"]))
        wait(lambda: bool(CLOCK.search(table._oled()["lines"][0]["text"])))
        rested.clear()
        begin_s = time.monotonic()
        shown: list[int] = []
        while time.monotonic() < begin_s + 6:
            minutes, seconds = CLOCK.findall(table._oled()["lines"][0]["text"])[-1]
            left = 60 * int(minutes) + int(seconds)
            if left not in shown:
                shown.append(left)
            time.sleep(0.02)
    finally:
        table.close()
    assert 5 <= shown[0] - shown[-1] <= 7
    assert len(shown) >= shown[0] - shown[-1]
    assert sum(rested) > 3


# -- the café: who cannot pay the bar -------------------------------------------------------------


def test_a_robot_confirms_that_it_cannot_pay() -> None:
    """CB-11: the box refuses the bar to ask whether nothing else is possible, and nothing else
    that a robot does.
    """
    with table_of("cafe", 2, preset="board", seed=BROKE) as table:
        play_alone(table)
        wait(lambda: table.log.closed)
        steps = table.log.steps
        asked = [number for number, (_, answer) in enumerate(steps) if "refused" in answer]
        assert len(asked) == 1
        (first, answer), (then, said) = steps[asked[0] :]
        assert answer["refused"] == {"reason": "cannot_pay", "rule": "CB-11"}
        assert then == {**first, "t": then["t"], "forced": True}
        assert "seat_out" in {event["is"] for event in said["events"]}
        events = [event for _, step in steps for event in step.get("events", ())]
        world = table.log.world
        assert world is not None
        sits = [event["tile"] for event in events if event["is"] == "barred"]
        assert sits
        assert world.middle()["barred"] == sits  # who is drawn at the counter
