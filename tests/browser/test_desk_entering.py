"""Results typed into the grid with real keys, the field that finds everything, live pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import entrants, knockout, matches, rounds
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from tests.support.hall_day import open_day, play_groups

from .desk_hall import DAY, DeskHall, add_users, desk_hall

RESULTS = 32
KEYS = 6
COUNT = """window.keys = 0;
addEventListener("keydown", (key) => { if (key.isTrusted) window.keys += 1; }, true);"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """64 players, 32 tables, a deck of 34 cards, of which everybody has 17."""
    folder = tmp_path_factory.mktemp("large")
    add_users(folder)
    service = TournamentService.create(
        str(folder / DAY), "Anna", ev.Created(name="Cup", tables=32, decks=["berge"])
    )
    players = [Entrant(id=f"p{n:03}", name=f"P{n}") for n in range(64)]
    service.do("Anna", "", command(entrants.add_players, players))
    service.do("Anna", "", command(entrants.draw, 4, 7, True))
    service.close()
    return folder


@pytest.fixture
def grid(chromium: Page, large: Path, tmp_path: Path) -> Iterator[tuple[Page, DeskHall]]:
    """The grid of slot 1, ready for keys; every load of a page is counted from now on."""
    with desk_hall(large, tmp_path) as hall:
        hall.log_in(chromium, "desk")
        chromium.goto(f"{hall.base}/desk/grid")
        expect(chromium.locator("#table")).to_be_focused()
        chromium.evaluate(COUNT)
        yield chromium, hall


def at_tables(hall: DeskHall) -> dict[int, str]:
    return {match.table: match.id for match in view.of_stage(hall.service.state, "1")}


def typed(page: Page, text: str) -> None:
    """Keys as a hand presses them; ⏎ is Enter."""
    for char in text:
        page.keyboard.press("Enter" if char == "⏎" else char)


def test_32_results_take_six_keys_each_and_no_page_is_loaded(
    grid: tuple[Page, DeskHall],
) -> None:
    page, hall = grid
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    wanted = {table: (34 - table, table) for table in range(1, RESULTS + 1)}
    # half of them by table, in the order in which slips come: the other one has the rest
    for table in reversed(range(17, RESULTS + 1)):
        typed(page, f"{table}{34 - table}⏎⏎")
    # the others from the first to the last, both numbers as they stand on the slip
    for table in range(1, 17):
        page.keyboard.press("ArrowDown")
        typed(page, f"{34 - table}{table}⏎")
    expect(page.locator("#grid .score")).to_have_count(RESULTS)
    state = hall.service.state
    found = {table: state.matches[match].result for table, match in at_tables(hall).items()}
    assert {table: result and result.cards for table, result in found.items()} == wanted
    assert page.evaluate("window.keys") <= KEYS * RESULTS
    assert loads == []


def test_the_arrow_passes_a_row_whose_result_is_in_though_it_is_not_drawn_yet(
    grid: tuple[Page, DeskHall],
) -> None:
    page, hall = grid
    held: list[Route] = []
    typed(page, "32 20 14")
    page.route("**/desk/grid*", lambda route: held.append(route))  # the page with the new row
    typed(page, "⏎")
    expect(page.locator("#said")).to_have_text(f"{at_tables(hall)[32]} 20:14 entered")
    page.keyboard.press("ArrowDown")
    assert line_of(page)[0] == "1"
    page.keyboard.press("ArrowUp")
    assert line_of(page)[0] == "31"
    for route in held:
        route.continue_()
    page.unroute("**/desk/grid*")
    expect(page.locator(f"#row-{at_tables(hall)[32]} .score")).to_have_text("20:14")


def test_what_cannot_be_is_refused_and_what_is_odd_is_asked(grid: tuple[Page, DeskHall]) -> None:
    page, hall = grid
    at = at_tables(hall)
    asked = page.locator(f"#questions li[data-match={at[5]}]")
    row = page.locator(f"#row-{at[5]}")
    typed(page, "53510⏎")  # table 5, 35:10
    expect(asked.get_by_role("alert")).to_contain_text("makes 45 cards, 34 are played with")
    expect(page.locator("#table")).to_be_focused()
    assert line_of(page) == ("5", "35", "10")  # what was typed stays to be seen
    typed(page, "⏎ ⏎")  # pressed by habit
    assert hall.service.state.matches[at[5]].status == "open"
    typed(page, "52014⏎")  # typed anew, as every slip
    expect(row.locator(".score")).to_have_text("20:14")
    expect(asked).to_have_count(0)
    row = page.locator(f"#row-{at[6]}")
    typed(page, "62013⏎")
    asked = page.locator(f"#questions li[data-match={at[6]}]")
    expect(asked.get_by_role("alert")).to_contain_text("33 cards, an odd number")
    asked.get_by_role("button", name="Change it").focus()
    page.keyboard.press("Tab")
    typed(page, "⏎")
    expect(row.locator(".score")).to_have_text("20:13")
    # undone with one key, for it was 14:20
    page.keyboard.press("Control+z")
    expect(page.locator("#said")).to_have_text(f"{at[6]} undone")
    expect(page.locator("#table")).to_be_focused()
    assert line_of(page) == ("6", "20", "13")
    page.keyboard.press("ArrowRight")  # into the cards
    typed(page, "1420⏎")
    expect(row.locator(".score")).to_have_text("14:20")
    tags = [event.body.__struct_config__.tag for event in hall.service.events()[-5:]]
    assert tags == ["reported", "checked", "undone", "reported", "checked"]


def test_wide_digits_are_digits_and_no_number_is_longer_than_it_can_be(
    grid: tuple[Page, DeskHall],
) -> None:
    """As keyboards for Chinese and Japanese write them."""
    page, hall = grid
    page.keyboard.insert_text("\uff15")  # a wide 5
    page.keyboard.press("Enter")
    page.keyboard.insert_text("\uff12\uff10")  # 20
    page.keyboard.insert_text("\uff11\uff14")  # 14
    assert line_of(page) == ("5", "20", "14")
    page.keyboard.press("Enter")
    expect(page.locator(f"#row-{at_tables(hall)[5]} .score")).to_have_text("20:14")
    typed(page, "6 20 1" + "0" * 400 + "⏎")
    asked = page.locator(f"#questions li[data-match={at_tables(hall)[6]}]")
    expect(asked.get_by_role("alert")).to_contain_text("makes 1020 cards")


def test_a_hand_that_is_logged_out_is_told_so(grid: tuple[Page, DeskHall]) -> None:
    page, _ = grid
    page.context.clear_cookies()
    typed(page, "5 20 14⏎")
    said = page.locator("#questions").get_by_role("alert")
    expect(said).to_have_text("The form is no longer valid. Please load the page anew.")


def test_a_slip_whose_table_has_another_match_by_now_books_nothing(
    grid: tuple[Page, DeskHall],
) -> None:
    page, hall = grid
    first = at_tables(hall)[5]
    busy = hall.service.state.matches[first].players
    second = next(
        match.id
        for match in view.of_stage(hall.service.state, "2")
        if not set(match.players) & set(busy)
    )

    def do(made: object) -> None:
        hall.service.do("other", "", made)  # type: ignore[arg-type]

    do(command(matches.call, first))
    page.goto(f"{hall.base}/desk/grid")
    expect(page.locator("#grid > li")).to_have_count(1)
    typed(page, "5 20 14")
    do(command(matches.enter, first, (14, 20)))
    do(command(matches.call, second, 5))
    expect(page.locator(f"#row-{second}")).to_be_visible()
    typed(page, "⏎")  # the line still shows the names of the first
    asked = page.locator(f"#questions li[data-match={first}]")
    expect(asked.get_by_role("alert")).to_contain_text("was changed meanwhile")
    asked.get_by_role("button", name="Change it").click()
    expect(page.locator("#said")).to_have_text("There is no such table here.")
    states = [hall.service.state.matches[match] for match in (first, second)]
    assert [state.result and state.result.cards for state in states] == [(14, 20), None]


def line_of(page: Page) -> tuple[str, str, str]:
    """What the line shows: table and cards."""
    fields = ("#table", "#cards-a", "#cards-b")
    table, first, second = (page.locator(field).input_value() for field in fields)
    return table, first, second


def test_the_next_slip_is_its_own_whatever_became_of_the_one_before(
    grid: tuple[Page, DeskHall],
) -> None:
    """After a refusal, an undo, and Tab behind a number that is the beginning of more."""
    page, hall = grid
    at = at_tables(hall)

    def score(table: int) -> None:
        expect(page.locator(f"#row-{at[table]} .score")).to_have_count(1)

    typed(page, "5 24 24⏎")
    expect(page.locator("#questions li")).to_have_count(1)
    typed(page, "7 17 17⏎")
    score(7)
    page.keyboard.press("Control+z")
    expect(page.locator("#said")).to_have_text(f"{at[7]} undone")
    typed(page, "11 21 13⏎")
    score(11)
    typed(page, "1")
    page.keyboard.press("Tab")
    expect(page.locator("#table")).to_be_focused()
    expect(page.locator("#table")).to_have_value("1")
    typed(page, "⏎2014⏎")
    score(1)
    page.keyboard.press("Escape")
    typed(page, "4 17")
    page.keyboard.press("Escape")
    expect(page.locator("#table")).to_be_focused()
    assert line_of(page) == ("4", "17", "")
    typed(page, "8 20 14⏎")
    score(8)
    # buttons are reached, and neither a digit nor the space behind it is for them
    typed(page, "9 20 13⏎")
    expect(page.locator("#questions li")).to_have_count(2)
    for key in ("Tab", "Tab", "Tab"):
        page.keyboard.press(key)
    expect(page.locator("#questions button").nth(1)).to_be_focused()
    typed(page, "6 18 16⏎")
    score(6)
    state = hall.service.state
    found = {table: result.cards for table in at if (result := state.matches[at[table]].result)}
    assert found == {11: (21, 13), 1: (20, 14), 8: (20, 14), 6: (18, 16)}


def test_ctrl_z_behind_a_refusal_takes_back_the_refused_slip_alone(
    grid: tuple[Page, DeskHall],
) -> None:
    page, hall = grid
    at = at_tables(hall)
    typed(page, "7 17 17⏎")
    expect(page.locator(f"#row-{at[7]} .score")).to_have_text("17:17")
    typed(page, "5 24 24⏎")
    expect(page.locator("#questions li")).to_have_count(1)
    page.keyboard.press("Control+z")
    expect(page.locator("#said")).to_contain_text(f"{at[5]} 24:24")
    expect(page.locator("#questions li")).to_have_count(0)
    assert not [event for event in hall.service.events() if isinstance(event.body, ev.Undone)]


def test_an_answer_that_comes_late_leaves_the_line_as_it_is(grid: tuple[Page, DeskHall]) -> None:
    """A refusal, and an undo, while the next slip is half typed."""
    page, hall = grid
    at = at_tables(hall)
    held: list[Route] = []

    def answer() -> None:
        while not held:
            page.wait_for_timeout(20)
        held.pop().continue_()

    page.route("**/desk/do/*", lambda route: held.append(route))
    typed(page, "5 24 24⏎7 20")
    answer()
    expect(page.locator("#questions li")).to_have_count(1)
    assert line_of(page) == ("7", "20", "")
    typed(page, " 14⏎")
    answer()
    expect(page.locator(f"#row-{at[7]} .score")).to_have_text("20:14")
    page.keyboard.press("Control+z")
    typed(page, "8 21")
    answer()
    expect(page.locator("#said")).to_have_text(f"{at[7]} undone")
    assert line_of(page) == ("8", "21", "")
    page.unroute("**/desk/do/*")  # the next test has the same page


def test_a_forgotten_enter_stops_the_line_until_somebody_looks(
    grid: tuple[Page, DeskHall],
) -> None:
    """The slip behind it would go to table 21 with 13:21."""
    page, hall = grid
    typed(page, "5 20 14 6⏎21 13⏎21⏎⏎")
    expect(page.locator("#said")).to_contain_text("more than one number stands there")
    assert line_of(page)[:2] == ("5", "20")
    assert {match.status for match in hall.service.state.matches.values()} == {"open"}
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    typed(page, "5 20 14⏎")
    expect(page.locator("#grid .score")).to_have_text(["20:14"])


def test_a_result_for_another_table_than_was_typed_is_refused(grid: tuple[Page, DeskHall]) -> None:
    """The request names table and match; a page that mixes them up books nothing."""
    page, hall = grid
    at = at_tables(hall)
    page.evaluate(f"document.getElementById('row-{at[5]}').dataset.match = '{at[6]}'")
    typed(page, "5 20 14⏎")
    expect(page.locator("#questions")).to_contain_text(f"table 5 was typed, and match {at[6]}")
    assert {match.status for match in hall.service.state.matches.values()} == {"open"}


def test_what_a_box_brings_appears_by_itself_and_what_is_typed_stays(
    grid: tuple[Page, DeskHall],
) -> None:
    page, hall = grid
    at = at_tables(hall)
    typed(page, "720")
    said = ev.Reported(
        match=at[7], cards=(20, 14), source="box", box="b1", journal="ab", trust="verified"
    )
    hall.service.do("box", "", command(matches.report, said))
    row = page.locator(f"#row-{at[7]}")
    expect(row.locator(".trust.verified")).to_have_text("journal verified")
    assert line_of(page) == ("7", "20", "")
    expect(page.locator("#cards-b")).to_be_focused()
    typed(page, "14⏎")  # paper and box agree
    expect(row.locator(".score")).to_have_text("20:14")
    expect(row.locator(".report")).to_contain_text("Box 20:14")
    # the overview is live too
    page.goto(f"{hall.base}/desk")
    said = ev.Reported(match=at[8], cards=(20, 14), source="box", box="b1", journal="cd")
    hall.service.do("box", "", command(matches.report, said))
    page.get_by_role("link", name=at[8]).wait_for()


def test_a_refusal_stays_while_other_results_come_in(grid: tuple[Page, DeskHall]) -> None:
    """Neither news of its own row nor what succeeds elsewhere takes it away before it is read."""
    page, hall = grid
    at = at_tables(hall)
    typed(page, "71921⏎")  # 40 of 34 cards
    row = page.locator(f"#row-{at[7]}")
    refusal = page.locator("#questions").get_by_role("alert")
    expect(refusal).to_contain_text("34")
    for source, trust in (("box", "verified"), ("slip", "unverified")):
        said = ev.Reported(match=at[7], cards=(20, 14), source=source, journal=source, trust=trust)
        hall.service.do("box", "", command(matches.report, said))
        expect(row.locator(".report", has_text="20:14").last).to_be_visible()
        expect(refusal).to_contain_text("34")
    hall.service.do("jury", "", command(matches.check, at[7]))
    expect(row.locator(".score")).to_have_text("20:14")  # nothing is left to enter here
    expect(refusal).to_contain_text("34")
    typed(page, "82014⏎")
    expect(page.locator(f"#row-{at[8]} .score")).to_have_text("20:14")
    expect(refusal).to_contain_text("34")
    page.locator("#questions").get_by_role("button", name="Put away").click()
    expect(refusal).to_have_count(0)
    expect(page.locator("#table")).to_be_focused()


def test_a_player_a_table_and_a_match_are_found_from_every_page(
    chromium: Page, hall: DeskHall
) -> None:
    hall.log_in(chromium, "desk")
    found = chromium.locator("#found")
    for text, words, leads in (
        ("ludmila", "Ludmiła", "/desk/match/"),
        ("table 2", "Table 2", "/desk/match/"),
        ("b-3", "B-3", "/desk/match/B-3"),
    ):
        chromium.goto(f"{hall.base}/desk/log")
        chromium.keyboard.press("Control+k")
        chromium.keyboard.type(text)
        expect(found).to_contain_text(words)
        expect(found).to_have_attribute("data-answers", text)  # not those of a shorter text
        chromium.keyboard.press("ArrowDown")
        expect(found.locator("a.chosen")).to_have_count(1)
        chromium.keyboard.press("Enter")
        chromium.wait_for_url(f"**{leads}*")
    chromium.keyboard.press("Control+k")
    chromium.keyboard.type("lodz")
    expect(found.get_by_role("link", name="Łódź").first).to_be_visible()
    chromium.keyboard.press("Escape")
    expect(found).to_be_hidden()


def test_the_jurys_word_has_its_reason_and_the_deck_is_ticked_off(
    chromium: Page, tmp_path: Path
) -> None:
    """A level semi-final is typed like any slip; its question asks who won and why, and asks
    again for a reason that was left out. The deck came back with the slip.
    """
    before, day = tmp_path / "before", tmp_path / "day"
    before.mkdir()
    day.mkdir()
    add_users(before)
    service = open_day(str(before / DAY), players=8, ko_size=4)
    play_groups(service)
    service.do("Anna", "", command(knockout.draw_ko))
    service.do("Anna", "", command(matches.call, "K2-1", 1))
    service.do("Anna", "", command(matches.call, "K2-2", 2))
    service.close()
    with desk_hall(before, day) as hall:
        semi = hall.service.state.matches["K2-1"]
        second = hall.service.state.label(semi.b)
        hall.log_in(chromium, "desk")
        chromium.goto(f"{hall.base}/desk/grid?stage=1/2")
        expect(chromium.locator("#table")).to_be_focused()
        typed(chromium, "K2-1⏎1616⏎")
        asked = chromium.locator("#questions li[data-match='K2-1']")
        wins = asked.get_by_role("button", name=second)
        expect(wins).to_have_count(1)
        wins.click()  # without a reason
        expect(asked.get_by_role("alert")).to_contain_text("say why the jury")
        why = asked.get_by_label("Reason, if the jury's word decides")
        why.click()
        typed(chromium, "the last pot was his")
        why.press("Enter")  # it is none of the line's
        expect(why).to_have_value("the last pot was his")
        asked.get_by_role("button", name=second).click()
        row = chromium.locator("#row-K2-1")
        expect(row.locator(".score")).to_have_text("16:16")
        expect(asked).to_have_count(0)
        found = hall.service.state.matches["K2-1"]
        assert (found.result and found.result.winner, found.word) == (
            semi.b,
            "the last pot was his",
        )
        typed(chromium, "K2-2⏎1616⏎")  # the reason is asked with the winner
        asked = chromium.locator("#questions li[data-match='K2-2']")
        asked.get_by_label("Reason, if the jury's word decides").fill("by lot")
        other = hall.service.state.matches["K2-2"]
        asked.get_by_role("button", name=hall.service.state.label(other.a)).click()
        expect(chromium.locator("#row-K2-2 .score")).to_have_text("16:16")
        found = hall.service.state.matches["K2-2"]
        assert (found.result and found.result.winner, found.word) == (other.a, "by lot")
        row.get_by_role("button", name="Deck is back").click()
        expect(chromium.locator("#said")).to_have_text("K2-1 deck is back")
        assert hall.service.state.matches["K2-1"].deck_back
        expect(row.locator("[action$=deck_back]")).to_contain_text("✓")  # the row is drawn anew
        row.locator("[action$=deck_back] button").click()  # not after all
        expect(chromium.locator("#said")).to_have_text("K2-1 undone")
        assert not hall.service.state.matches["K2-1"].deck_back


# -- tables of several ----------------------------------------------------------------------------


def test_places_are_typed_a_digit_a_seat(chromium: Page, tmp_path: Path) -> None:
    """Seven at tables of at most four: in a snake three at the first table, four at the second."""
    add_users(tmp_path)
    setup = ev.Created(name="Evening", mode="tables", tables=2, rounds=1)
    service = TournamentService.create(str(tmp_path / DAY), "Anna", setup)
    players = [Entrant(id=f"p{n}", name=f"P{n}", seed=n + 1) for n in range(7)]
    service.do("Anna", "", command(entrants.add_players, players))
    service.do("Anna", "", command(entrants.draw, 4, 1, True))
    service.do("Anna", "", command(rounds.pair_round))
    sizes = {match.table: len(match.players) for match in service.state.matches.values()}
    service.close()
    assert sizes == {1: 3, 2: 4}
    page = chromium
    (tmp_path / "again").mkdir()
    with desk_hall(tmp_path, tmp_path / "again") as hall:
        hall.log_in(page, "desk")
        page.goto(f"{hall.base}/desk/grid")
        expect(page.locator("#table")).to_be_focused()
        typed(page, "2")
        expect(page.locator("#cards-b")).to_be_hidden()
        expect(page.locator("#place .name").first).to_have_text("P1 – P2 – P5 – P6")
        typed(page, "213⏎")
        expect(page.locator("#said")).to_contain_text("one place for each name")
        typed(page, "4⏎")
        expect(page.locator("#said")).to_have_text("R1-2 2134 entered")
        expect(page.locator("#row-R1-2 .score")).to_have_text("2. 1. 3. 4.")
        typed(page, "1331⏎")  # nobody was second
        asked = page.locator("#questions li[data-match=R1-1]")
        expect(asked.get_by_role("alert")).to_contain_text("3 places are needed")
        typed(page, "1120⏎")
        expect(page.locator("#row-R1-1 .score")).to_have_text("1. 2. –")
        expect(asked).to_have_count(0)
        results = [match.result for match in hall.service.state.matches.values()]
        assert [result and result.places for result in results] == [[1, 2, 0], [2, 1, 3, 4]]
