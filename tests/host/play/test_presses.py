"""Whatever is pressed at the table's pages and at its box in turn: it is answered, the box takes
what a page lights and nothing else, and there is always a way on.
"""

from collections.abc import Iterator
from typing import Literal

import pytest

from host_tools.sim.table import messages
from host_tools.sim.table.asking import HOST
from host_tools.sim.table.table_state import hand_of, state_of
from tests.support.presser import VARIANTS, Ear, Presser, StillTable

SHORT, LONG = 60, 10_000


@pytest.mark.thorough
@pytest.mark.parametrize("count", [SHORT, pytest.param(LONG, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", VARIANTS)
def test_every_press_is_answered_and_what_is_lit_is_taken(game: str, count: int) -> None:
    presser = Presser(game, count)
    try:
        presser.press(count)
        assert sum(presser.counts.values()) >= count
        assert presser.unanswered == []
        assert presser.wrong == []
        assert presser.stuck == []
        assert presser.counts["tap lit"] > 0
    finally:
        presser.close()


class Seated:
    """A table of two or three, and a device of the seat that is awaited."""

    def __init__(self, game: str, preset: str = "", seats: int = 2, deck: str = "") -> None:
        self.table = StillTable(2)
        self.ear = Ear(HOST)
        self.table._listeners = [self.ear]  # type: ignore[list-item]
        self.table.start()
        self.table.run(2_000)
        start = messages.Start(game=game, preset=preset, seats=seats, deck=deck)
        self.do(start)
        self.seat = self.table.log.awaits["seat"]

    def do(self, message: messages.TableMessage) -> None:
        """Press it as the seat that is awaited would, and let the box answer."""
        self.table.do(message, HOST)
        self.table.settle()

    def tap(self, code: str) -> None:
        """A card of the hand."""
        self.do(messages.Tap(code=code, at=self.table.log.at))

    def press(self, button: Literal["ok", "jury"]) -> None:
        """A button of the box."""
        self.table.do(messages.Button(button=button, down=True), HOST)
        self.table.run(100)
        self.do(messages.Button(button=button, down=False))

    def choose(self, *labels: str) -> None:
        """Items of the box's lists."""
        self.do(messages.Choose(labels=list(labels), at=self.table.log.at))

    @property
    def match(self) -> dict[str, object]:
        """What pages are told of the match."""
        match = state_of(self.table)["match"]
        assert isinstance(match, dict)
        return match

    def lit(self) -> dict[str, object]:
        """Of every card of the hand, what the page is told that it may do."""
        seat = self.table.log.awaits["seat"]
        return {card["code"]: card.get("may") for card in hand_of(self.table, seat)["cards"]}

    def last(self) -> tuple[str, bool, str]:
        """The newest line of the news."""
        line = self.table.log.news[-1]
        return line["text"], line["refused"], line["rule"]

    def close(self) -> None:
        """Switch it off."""
        self.table.session.close()
        self.table.close()


@pytest.fixture
def cafe() -> Iterator[Seated]:
    seated = Seated("cafe", "board")
    yield seated
    seated.close()


@pytest.fixture
def quartett() -> Iterator[Seated]:
    seated = Seated("quartett", seats=3, deck="gastro")
    yield seated
    seated.close()


def test_a_second_guest_is_refused_and_the_first_keeps_its_chairs(cafe: Seated) -> None:
    lit = cafe.lit()
    first = next(code for code, chairs in lit.items() if chairs)
    second = next(code for code in lit if code != first)
    cafe.tap(first)
    assert cafe.match["picked"] == first
    for _ in range(2):  # the same message once more is no new picture of the box
        line = cafe.table.log.news[-1]["line"]
        cafe.tap(second)
        assert cafe.match["picked"] == first
        assert cafe.lit() == {code: lit[code] if code == first else [] for code in lit}
        text, refused, rule = cafe.last()
        assert (text, refused, rule) == ("First choose the chair of this guest.", True, "CB-2")
        assert cafe.table.log.news[-1]["line"] > line
    # the refusal lies over the box's list: the chair is found all the same
    chairs = lit[first]
    assert isinstance(chairs, list)
    plan = cafe.match["fixed"]["plan"]  # type: ignore[index]
    cafe.choose(plan["links"][chairs[0]][0], chairs[0])
    assert cafe.match["middle"]["guests"] == {chairs[0]: first}  # type: ignore[index]


def test_a_guest_for_the_bar_is_awaited_and_may_stay(cafe: Seated) -> None:
    cafe.choose(cafe.table.say("cafe_bar"))
    assert cafe.match["half"]["mode"] == "bar"  # type: ignore[index]
    assert set(cafe.lit().values()) == {True}  # CB-9: any guest may go
    cafe.choose(cafe.table.say("back"))
    assert cafe.match["half"]["mode"] == "guest"  # type: ignore[index]
    assert cafe.match["middle"]["barred"] == []  # type: ignore[index]
    cafe.choose(cafe.table.say("cafe_bar"))
    code = next(iter(cafe.lit()))
    cafe.tap(code)
    assert cafe.match["middle"]["barred"] == [code]  # type: ignore[index]


def test_a_refusal_leaves_the_card_that_was_asked_for(quartett: Seated) -> None:
    seat = quartett.seat
    world = quartett.table.log.world
    assert world is not None
    mine = world.hands[seat][0]
    # a card of the same letter that somebody else has
    code, other = next(
        (code, number)
        for number, hand in enumerate(world.hands)
        for code in hand
        if number != seat and code[0] == mine[0]
    )
    quartett.choose(world.box_name(other), code[0], code)
    shown = {"is": "asked", "seats": [seat, other], "codes": [code]}
    assert quartett.match["middle"]["shown"] == shown  # type: ignore[index]
    wrong = next(card for card in world.hands[other] if card != code)
    quartett.tap(wrong)
    assert quartett.last()[1]
    assert quartett.match["middle"]["shown"] == shown  # type: ignore[index]


def test_a_question_is_seen_to_be_taken_and_takes_little_of_anybodys_time(
    quartett: Seated,
) -> None:
    table = quartett.table
    table.hands.hasty = False
    world = table.log.world
    assert world is not None
    seat = quartett.seat
    letter = world.hands[seat][0][0]
    code = next(c for c in world.fixed()["codes"] if c[0] == letter and c not in world.hands[seat])
    labels = [world.box_name((seat + 2) % 3), letter, code]
    question = messages.Choose(labels=labels, at=table.log.at)
    table.do(question, HOST)
    doing = state_of(table)["doing"]
    assert (doing["seat"], doing["labels"]) == (HOST, labels)
    table.do(question, HOST)  # a second press of the same is no second question
    while not table.runner.hurried:
        table.runner._turn(10)
    began = table.session.now_ms
    while table.runner.busy:
        table.runner._turn(10)
    # not in real time: a list of seats, one of letters, one of cards
    assert table.session.now_ms - began < 2_500
    assert not table.runner.hurried
    table.settle()
    assert state_of(table)["doing"] is None
    assert table.log.awaits["for"] == "answer"
    assert quartett.ear.refused == []


def test_cards_of_a_quartet_that_is_begun_are_told(quartett: Seated) -> None:
    world = quartett.table.log.world
    assert world is not None
    first, second = world.hands[quartett.seat][:2]
    quartett.tap(first)
    quartett.tap(second)
    assert quartett.match["half"]["laid"] == [first, second]  # type: ignore[index]
    quartett.choose(quartett.table.say("back"))
    assert quartett.match["half"]["laid"] == []  # type: ignore[index]
    assert quartett.ear.refused == []


def test_the_jurys_menu_over_a_result_leads_back_to_it() -> None:
    seated = Seated("trumpf", "swiss", deck="berge")
    try:
        seated.do(messages.Arbiter(action="exclude", seat=0, why="conduct"))
        assert seated.match["over"]
        for asks in ("jury", "result"):
            seated.press("jury")
            assert seated.match["asks"] == asks
        for _ in range(3):  # the messages, then the result
            seated.press("ok")
        assert seated.table.log.closed
    finally:
        seated.close()


def test_a_match_can_be_started_right_behind_an_ok(cafe: Seated) -> None:
    """The OK lets itself go after three seconds, if its page has vanished: not a later one."""
    number = cafe.table.log.number
    cafe.press("ok")
    cafe.press("jury")
    cafe.table.run(1_000)
    cafe.press("ok")
    start = messages.Start(game="trumpf", preset="gastro", seats=2, abandon=True)
    start.options = {"turn": 30}
    for _ in range(4):
        cafe.do(start)
        number += 1
        assert cafe.table.log.number == number
        cafe.press("ok")


def test_what_the_jurys_menu_does_not_list_is_refused_and_the_menu_closed(cafe: Seated) -> None:
    cafe.do(messages.Arbiter(action="exclude", seat=0, why="conduct"))
    assert cafe.ear.refused == ["the box does not offer that now: choose again"]
    assert cafe.match["asks"] == ""
    cafe.press("jury")
    assert set(map(bool, cafe.lit().values())) == {False}  # until the jury has chosen
    cafe.choose(cafe.table.say("cafe_bar"))
    assert len(cafe.ear.refused) == 2


def test_only_a_value_that_the_card_has_is_called() -> None:
    seated = Seated("trumpf", "gastro", deck="gastro", seats=2)
    try:
        world = seated.table.log.world
        assert world is not None
        code = world.hands[seated.seat][0]
        seated.tap(code)
        values = {row["key"]: row["value"] for row in world.face(code)["rows"]}  # type: ignore[index]
        offered = seated.match["middle"]["callable"]  # type: ignore[index]
        assert offered == [key for key, value in values.items() if value != "–"]
    finally:
        seated.close()


def test_what_was_refused_stays_refused_when_the_move_before_it_is_taken_back() -> None:
    seated = Seated("trumpf", "gastro", deck="gastro", seats=2)
    try:
        world = seated.table.log.world
        assert world is not None
        first, other = world.hands[seated.seat][:2]
        seated.tap(first)
        seated.do(messages.Tap(code=other, at=""))
        assert seated.last()[1]
        seated.do(messages.Arbiter(action="undo", seat=0, why="wrong_call"))
        assert seated.match["middle"]["lying"] == [[], []]  # type: ignore[index]
        assert [code for code, may in seated.lit().items() if may] == [first]
    finally:
        seated.close()
