"""The desk in a real browser: log in, enter, compare, correct, two people at once."""

from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from host_tools.store.heard import HeardBox
from host_tools.store.live import WriteBatch
from host_tools.tournament import events as ev
from host_tools.tournament.actions import jury, matches
from host_tools.tournament.export import site_files
from host_tools.tournament.service import utc_now
from host_tools.web.desk.pages import MENU
from tests.sampling import Sample
from tests.support.hall_day import open_matches, play_groups, play_knock_out

from .clicking import resize
from .desk_hall import PASSWORD, DeskHall, desk_hall, prepare
from .draw_desk import at_noon
from .looking import faults

TWICE = """(button) => {
    const refused = [];
    document.addEventListener("submit", (event) => {
        refused.push(event.defaultPrevented);
        event.preventDefault(); // the page stays, as while the answer is on its way
    });
    button.click();
    button.click();
    return refused;
}"""


def test_the_login_refuses_a_wrong_password(chromium: Page, hall: DeskHall) -> None:
    chromium.goto(f"{hall.base}/desk/players?lang=en")
    chromium.goto(f"{hall.base}/desk/login?lang=en")
    chromium.get_by_label("User").fill("jury")
    chromium.get_by_label("Password").fill("something else")
    chromium.get_by_role("button", name="Log in").click()
    expect(chromium.get_by_role("alert")).to_have_text("User or password is wrong.")
    chromium.goto(f"{hall.base}/desk/players")
    assert "/desk/login" in chromium.url


def test_the_login_leads_to_the_page_that_was_wanted(chromium: Page, hall: DeskHall) -> None:
    chromium.goto(f"{hall.base}/desk/enter?match=A-2")
    chromium.locator("[name=user]").fill("desk")
    chromium.locator("[name=password]").fill(PASSWORD)
    chromium.locator("main button").click()
    chromium.wait_for_url("**/desk/match/A-2")


def test_a_result_is_called_entered_and_seen_by_the_hall(
    browser: Browser, chromium: Page, hall: DeskHall
) -> None:
    board = browser.new_page()
    board.goto(f"{hall.base}/?lang=en")
    hall.log_in(chromium, "desk")
    hall.open_match(chromium, "A-1")
    chromium.get_by_role("button", name="Call", exact=True).click()
    expect(board.locator('[data-match="A-1"]')).to_be_visible()
    chromium.goto(f"{hall.base}/desk/match/A-1")
    chromium.locator("[name=cards_a]").first.fill("21")
    chromium.locator("[name=cards_b]").first.fill("11")
    chromium.get_by_role("button", name="Report and check").click()
    expect(chromium.get_by_text("Saved.")).to_be_visible()
    expect(chromium.locator(".facts .state")).to_have_text("checked")
    expect(board.locator('[data-result="A-1"]')).to_contain_text("21:11")
    board.close()


def test_box_and_slip_side_by_side_and_one_is_chosen(chromium: Page, hall: DeskHall) -> None:
    hall.log_in(chromium, "desk")
    for source, cards in (("box", (20, 12)), ("slip", (19, 13))):
        said = ev.Reported(match="B-1", cards=cards, source=source, box="box-07")
        hall.service.do("sync", "", lambda state, s=said: matches.report(state, s))
    chromium.goto(f"{hall.base}/desk")
    expect(chromium.get_by_role("heading", name="Reports disagree")).to_be_visible()
    chromium.get_by_role("link", name="B-1").click()
    reports = chromium.locator(".side-by-side .report")
    expect(reports).to_have_count(2)
    expect(reports.nth(0)).to_contain_text("20:12")
    expect(reports.nth(1)).to_contain_text("19:13")
    reports.nth(1).get_by_role("button", name="This one counts").click()
    expect(chromium.locator("main > .big")).to_contain_text("19:13")


def test_a_correction_shows_what_it_moves_before_it_counts(chromium: Page, hall: DeskHall) -> None:
    first = next(m for m in open_matches(hall.service.state) if m.id == "A-1")
    hall.service.do("desk", "", lambda state: matches.enter(state, "A-1", (20, 12)))
    winner = hall.service.state.players[first.b].name
    hall.log_in(chromium, "desk")
    hall.open_match(chromium, "A-1")
    chromium.locator("[name=cards_a]").fill("12")
    chromium.locator("[name=cards_b]").fill("20")
    chromium.get_by_role("button", name="See what it moves").click()
    expect(chromium.locator(".impact")).to_contain_text(f"{winner}: rank")
    assert hall.service.state.matches["A-1"].corrections == 0
    chromium.locator(".impact [name=why]").fill("slip was read upside down")
    chromium.get_by_role("button", name="Record the correction").click()
    expect(chromium.locator("main > .big")).to_contain_text("12:20")
    chromium.goto(f"{hall.base}/desk/log")
    row = chromium.locator("tr", has_text="20:12 → 12:20")
    expect(row).to_contain_text("slip was read upside down")
    expect(row).to_contain_text("desk")


def test_only_the_jury_forces_a_correction_after_the_next_round(
    browser: Browser, chromium: Page, hall: DeskHall
) -> None:
    play_groups(hall.service)
    play_knock_out(hall.service, rounds=2)
    played = hall.service.state.matches["K4-1"]
    assert played.result is not None
    turned = f"cards_a={played.result.cards[1]}&cards_b={played.result.cards[0]}&preview=1"
    hall.log_in(chromium, "desk")
    chromium.goto(f"{hall.base}/desk/match/K4-1?{turned}")
    expect(chromium.locator(".impact")).to_contain_text("the jury decides here")
    expect(chromium.get_by_role("button", name="Record the correction")).to_have_count(0)

    context = browser.new_context()
    jury = context.new_page()
    hall.log_in(jury, "jury")
    jury.goto(f"{hall.base}/desk/match/K4-1?{turned}")
    jury.locator(".impact [name=why]").fill("wrong winner entered")
    jury.get_by_role("button", name="Record the correction").click()
    expect(jury.get_by_role("alert")).to_contain_text("only the jury can force the correction")
    jury.locator(".impact [name=why]").fill("wrong winner entered")
    jury.locator(".impact").get_by_label("The jury forces it").check()
    jury.get_by_role("button", name="Record the correction").click()
    expect(jury.get_by_text("Saved.")).to_be_visible()
    assert hall.service.state.matches["K2-1"].result is None
    context.close()


def test_two_desks_at_once_and_the_second_one_is_told(
    browser: Browser, chromium: Page, hall: DeskHall
) -> None:
    context = browser.new_context()
    other = context.new_page()
    hall.log_in(chromium, "desk")
    hall.log_in(other, "jury")
    for page, match in ((chromium, "A-1"), (other, "A-1")):
        hall.open_match(page, match)
    for page, cards in ((chromium, ("20", "12")), (other, ("12", "20"))):
        page.locator("[name=cards_a]").first.fill(cards[0])
        page.locator("[name=cards_b]").first.fill(cards[1])
    chromium.get_by_role("button", name="Report and check").click()
    expect(chromium.get_by_text("Saved.")).to_be_visible()
    expect(other.locator("#news")).to_be_visible()
    other.get_by_role("button", name="Report and check").click()
    expect(other.get_by_role("alert")).to_have_text(
        "Match A-1 was changed meanwhile. Please look at it again."
    )
    result = hall.service.state.matches["A-1"].result
    assert result is not None
    assert result.cards == (20, 12)
    context.close()


def test_a_form_is_sent_once_and_its_answer_has_an_address_of_its_own(
    chromium: Page, hall: DeskHall
) -> None:
    hall.log_in(chromium, "jury")
    sent: list[str] = []
    chromium.on("request", lambda one: sent.append(one.url) if one.method == "POST" else None)
    hall.open_match(chromium, "A-1")
    page = f"{hall.base}/desk/match/A-1"
    enter = chromium.get_by_role("button", name="Report and check")
    for name, cards in (("cards_a", "20"), ("cards_b", "13")):
        chromium.locator(f"[name={name}]").first.fill(cards)
    enter.click()
    expect(chromium.get_by_role("alert")).to_contain_text("33 cards, an odd number")
    assert chromium.url == page
    chromium.locator("[name=cards_b]").first.fill("12")
    enter.click()
    expect(chromium.get_by_text("Saved.")).to_be_visible()
    assert len(sent) == 2
    chromium.reload()
    chromium.go_back()
    expect(chromium.locator(".facts .state")).to_have_text("checked")
    # and in another language after a refusal
    hall.open_match(chromium, "A-2")
    for name in ("cards_a", "cards_b"):
        chromium.locator(f"[name={name}]").first.fill("30")
    enter.click()
    expect(chromium.get_by_role("alert")).to_contain_text("60 cards")
    chromium.get_by_role("link", name="Deutsch").click()
    expect(chromium.get_by_role("heading", name="Ergebnis eintragen")).to_be_visible()
    assert len(sent) == 3
    for name in ("cards_a", "cards_b"):
        chromium.locator(f"[name={name}]").first.fill("16")
    again = chromium.locator("[action='/desk/do/enter'] button").first
    assert again.evaluate(TWICE) == [False, True]


def test_people_sign_up_on_their_phones_and_the_desk_sees_them_come(
    browser: Browser, chromium: Page, hall: DeskHall
) -> None:
    """Of 16 players and one place more: one has it, one waits for one, in either language."""
    hall.log_in(chromium, "jury")
    chromium.get_by_role("link", name="Before").click()
    chromium.get_by_label("So many players").fill("17")
    chromium.get_by_label("Ask for mail or phone").check()
    chromium.get_by_role("button", name="Open the page").click()
    expect(chromium.get_by_text("1 place is free.")).to_be_visible()
    phone = browser.new_page(viewport={"width": 390, "height": 844}, locale="de-CH")
    phone.goto(hall.base)
    said = {"de": "Danke! Die Turnierleitung bestätigt", "en": "You are on the waiting list"}
    for lang, name, send in (("de", "Anna Ærø", "Anmelden"), ("en", "Bo Čech", "Sign up")):
        if lang == "de":
            phone.get_by_role("link", name="Anmelden").click()
        else:
            phone.get_by_role("link", name="English").click()
            expect(phone.get_by_role("status")).to_have_text(
                "Thank you! The organisers will confirm it."
            )
            phone.get_by_role("link", name="Sign up somebody else").click()
            expect(phone.get_by_text("All places are taken")).to_be_visible()
        phone.locator("[name=name]").fill(name)
        phone.get_by_role("button", name=send).click()
        assert "done" not in phone.url  # first how to reach them
        phone.locator("[name=contact]").fill("079 000 00 00")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        phone.get_by_role("button", name=send).dblclick()
        expect(phone.get_by_role("status")).to_contain_text(said[lang])
    # without a reload, and what is next says it too
    waiting = chromium.locator("#waiting tr")
    expect(waiting).to_have_count(2)
    expect(waiting.nth(1)).to_contain_text("waiting list")
    expect(chromium.locator("#next-step")).to_contain_text("2 sign-ups wait to be confirmed")
    chromium.get_by_role("button", name="Confirm all who have a place: 1").click()
    expect(waiting).to_have_count(1)
    chromium.get_by_role("button", name="Decline").click()
    expect(chromium.get_by_text("Nobody waits")).to_be_visible()
    names = [player.name for player in hall.service.state.players.values()]
    assert names[16:] == ["Anna Ærø"]
    phone.close()


def test_players_come_are_drawn_and_called(chromium: Page, hall: DeskHall) -> None:
    hall.log_in(chromium, "jury")
    chromium.goto(f"{hall.base}/desk/players")
    new = chromium.locator("form[action='/desk/do/add_player']")
    new.get_by_label("Name", exact=True).fill("Şule Çağlar")
    chromium.get_by_role("button", name="Enter a player").click()
    expect(chromium.get_by_text("Saved.")).to_be_visible()
    chromium.goto(f"{hall.base}/desk/draw")
    chromium.get_by_label("Players in a group (at most)").fill("6")
    chromium.get_by_role("button", name="Draw the groups").click()
    expect(chromium.locator(".cards article")).to_have_count(3)
    expect(chromium.locator(".cards")).to_contain_text("Şule Çağlar")
    chromium.goto(f"{hall.base}/desk/calls")
    chromium.get_by_role("button", name="Call all of slot 1").click()
    expect(chromium.locator("tr.called")).to_have_count(4)


def test_a_lot_is_recorded_in_the_order_drawn(chromium: Page, hall: DeskHall) -> None:
    for match in open_matches(hall.service.state):
        hall.service.do("desk", "", lambda state, m=match: matches.enter(state, m.id, (16, 16)))
    hall.log_in(chromium, "jury")
    chromium.goto(f"{hall.base}/desk/standings")
    form = chromium.locator("form[action='/desk/do/lot']").first
    fields = form.locator("input:not([type=hidden])")
    count = fields.count()
    for number in range(count):
        fields.nth(number).fill(str(count - number))
    form.get_by_role("button", name="Record the lot").click()
    expect(chromium.get_by_text("Saved.")).to_be_visible()
    drawn = hall.service.state.lots[-1]
    assert len(drawn) == count == 16


PHASES = ["Before", "Check-in", "Groups", "Knock-out", "Honours"]

SMALL = """() => [...document.links].flatMap((link) => {
    const { width, height } = link.getBoundingClientRect();
    return width < 24 || height < 24 ? [`${link.textContent} ${width} x ${height}`] : [];
})"""


def test_axe_finds_nothing_on_any_page_of_the_desk_and_of_the_site(
    chromium: Page, tmp_path: Path, sampled: Sample
) -> None:
    """In the semi-finals: one called, one whose reports disagree; a protest and a warning."""
    prepare(tmp_path, players=12)
    site = tmp_path / "site"
    site.mkdir()
    with desk_hall(tmp_path, site) as hall:
        urls = _semi_finals(hall, site)
        hall.log_in(chromium, "jury")
        assert _faults(chromium, urls, sampled) == {}


def test_the_boxes_of_the_hall_fit_a_tablet(
    chromium: Page, tmp_path: Path, sampled: Sample
) -> None:
    """At cables in every state, with what can be given to them."""
    with at_noon(tmp_path) as hall:
        hall.log_in(chromium, "jury")
        chromium.goto(f"{hall.base}/desk/tables")
        expect(chromium.locator(".boxes select")).to_have_count(5)
        assert faults(chromium, sampled) == []


def _semi_finals(hall: DeskHall, site: Path) -> list[str]:
    """The day so far is played; the addresses of all pages of the desk and of the site."""
    play_groups(hall.service)
    play_knock_out(hall.service, rounds=1)
    doubtful, called = open_matches(hall.service.state)[:2]
    player = called.a
    report = partial(ev.Reported, match=doubtful.id)
    for command in (
        partial(matches.report, said=report(cards=(20, 12), source="box", journal="j")),
        partial(matches.report, said=report(cards=(12, 20), source="slip")),
        partial(matches.call, match_id=called.id),
        partial(matches.announce, text="Soup"),
        partial(jury.protest, who=player, text="looked at the pile", deposit="-"),
        partial(jury.penalize, who=player, text="talked"),
    ):
        hall.service.do("jury", "seen", command)
    pages = ["", *(f"/{page}" for page in MENU if page != "home"), "/search?q=a"]
    pages += [f"/match/{doubtful.id}", "/match/A-1", f"/player/{player}"]
    urls = [f"{hall.base}/desk{page}" for page in pages]
    for path, content in site_files(hall.service, "en").items():
        (site / path).write_bytes(content)
        urls += [(site / path).as_uri()] * path.endswith(".html")
    return urls


def _faults(chromium: Page, urls: list[str], sample: Sample) -> dict[str, list[str]]:
    """By address."""
    found = {}
    for turn, url in enumerate(urls):
        chromium.goto(url)
        found[url] = faults(chromium, sample, turn)
    return {page: wrong for page, wrong in found.items() if wrong}


def test_every_link_of_the_site_is_large_enough_for_a_finger(
    chromium: Page, tmp_path: Path
) -> None:
    """24 dots each way (WCAG 2.5.8), however tall the letters of the reader's font are."""
    prepare(tmp_path, players=12)
    site = tmp_path / "site"
    site.mkdir()
    with desk_hall(tmp_path, site) as hall:
        pages = [url for url in _semi_finals(hall, site) if url.startswith("file:")]
    small = set()
    for url in pages:
        chromium.goto(url)
        small |= {f"{url}: {text}" for text in chromium.evaluate(SMALL)}
    assert len(pages) > 5
    assert small == set()


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_every_page_of_the_menu_is_in_sight_once(
    chromium: Page, hall: DeskHall, width: int
) -> None:
    """Nothing is beyond the edge; every page is in a phase of the day or under "More"."""
    hall.log_in(chromium, "jury")
    resize(chromium, width, 900)
    chromium.goto(f"{hall.base}/desk?lang=en")
    phases = chromium.locator(".top .step")
    assert [name[2:] for name in phases.all_inner_texts()] == PHASES
    chromium.get_by_text("More", exact=True).click()
    elsewhere = ("home", "rounds")  # rounds are paired in a Swiss only
    leads = set()
    for link in chromium.locator(".top nav a").all():
        box = link.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        leads.add(link.get_attribute("href"))
    for phase in [phase.get_attribute("href") for phase in phases.all()]:
        chromium.goto(f"{hall.base}{phase}")
        tabs = chromium.locator(".top .tabs a").all()
        leads |= {tab.get_attribute("href") for tab in tabs}
    assert leads == {"/desk", *(f"/desk/{page}" for page in MENU if page not in elsewhere)}


def test_on_a_phone_nothing_stands_beyond_the_edge(
    chromium: Page, prepared: Path, tmp_path: Path
) -> None:
    """The final ranking with its last column, and the boxes of the hall."""
    with desk_hall(prepared, tmp_path) as hall:
        play_groups(hall.service)
        play_knock_out(hall.service, rounds=5)
        assert hall.service.state.final_places()
        here = {"here": True, "name": "Box am Fenster", "table": 12}
        state = {"rssi": -81, "battery_mv": 3700, "heap": 90_000, "reader": "ok"}
        box = "e6616408432a2b3c"
        hall.service.store.live.write(WriteBatch({box: HeardBox(box, utc_now(), here, state)}, []))
        hall.log_in(chromium, "jury")
        resize(chromium, 390, 844)
        for path, cells in (("standings", ".people td"), ("hall", "#boxes-on-air td > span")):
            chromium.goto(f"{hall.base}/desk/{path}")
            beyond = chromium.evaluate(
                """(cells) => [...document.querySelectorAll(cells)].filter((cell) =>
                cell.getBoundingClientRect().right > innerWidth).map((cell) => cell.innerText)""",
                cells,
            )
            assert chromium.locator(cells).count() > 10
            assert beyond == []
            wide = chromium.evaluate("document.documentElement.scrollWidth")
            assert wide <= 390
        chromium.goto(f"{hall.base}/ranking")
        assert chromium.evaluate("document.documentElement.scrollWidth") <= 390
