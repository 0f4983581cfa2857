"""A tournament made in the browser, from an empty folder to the home page of its desk."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.service import TournamentService, command
from tests.sampling import Sample

from .desk_hall import DAY, PASSWORD, empty_desk
from .looking import faults
from .organiser import run, verified

MOST_CLICKS = 57
LIST = "Anna Egli, Bern\nBen Łukasz, Łódź\nÇiğdem Öztürk"


def test_from_an_empty_folder_to_the_home_page(
    chromium: Page, tmp_path: Path, sampled: Sample
) -> None:
    db = str(tmp_path / DAY)
    with empty_desk(tmp_path) as (base, accounts):
        chromium.goto(f"{base}/?lang=en")
        chromium.goto(f"{base}/desk?lang=en")
        assert faults(chromium, sampled) == []
        chromium.get_by_label("User").fill("anna")
        chromium.get_by_label("Password").fill(PASSWORD)
        chromium.get_by_role("button", name="Make the account").click()

        expect(chromium.get_by_role("heading", name="Make a tournament")).to_be_visible()
        assert faults(chromium, sampled) == []
        chromium.get_by_label("Begins").fill("noon")
        chromium.get_by_label("Several halls").fill("Main hall: 12\nAnnex")
        chromium.get_by_label("Paste the list").fill("Anna\nAnna")
        chromium.get_by_role("button", name="Look it over").click()
        # one sentence at each of the four fields, and what was typed still stands there
        shown = chromium.locator(".fault")
        expect(shown).to_have_count(4)
        said = dict(
            zip(("event", "begins", "halls", "listed"), shown.all_inner_texts(), strict=True)
        )
        assert "name" in said["event"]
        assert "noon" in said["begins"]
        assert said["halls"].startswith("'Annex' is no hall")
        assert "line 2" in said["listed"]
        assert "\n" not in "".join(said.values())
        assert chromium.get_by_label("Begins").get_attribute("aria-describedby") == "fault-begins"
        assert faults(chromium, sampled) == []
        assert not Path(db).exists()

        chromium.get_by_label("Name of the tournament").fill("Zürich Cup")
        chromium.get_by_label("Begins").fill("2027-05-01 10:00")
        chromium.get_by_label("Several halls").fill("Main hall: 12\nAnnex: 4")
        chromium.get_by_label("Paste the list").fill(LIST)
        chromium.get_by_label("gastro").check()
        chromium.get_by_role("button", name="Look it over").click()
        review = chromium.locator("#review")
        expect(review).to_contain_text("Zürich Cup")
        expect(review).to_contain_text("16 · Main hall: 12 · Annex: 4")
        assert faults(chromium, sampled) == []
        chromium.get_by_role("button", name="Make the tournament").dblclick()
        expect(chromium.locator("#next-step")).to_contain_text("3 players entered")
        assert chromium.url == f"{base}/desk"
        chromium.go_back()  # not to the form, to be sent once more
        expect(chromium.locator("#next-step")).to_contain_text("3 players entered")
    made = TournamentService.open(db)
    assert [(p.name, p.club) for p in made.state.players.values()] == [
        ("Anna Egli", "Bern"),
        ("Ben Łukasz", "Łódź"),
        ("Çiğdem Öztürk", ""),
    ]
    setup = made.state.setup
    assert (setup.name, setup.tables, setup.decks) == ("Zürich Cup", 16, ["gastro"])
    assert [(hall.name, hall.tables) for hall in setup.halls] == [("Main hall", 12), ("Annex", 4)]
    assert [(user.name, user.role) for user in accounts.users()] == [("anna", "jury")]
    made.close()


def test_two_tournaments_of_a_hall_and_a_player_in_both(
    chromium: Page, tmp_path: Path, sampled: Sample
) -> None:
    """Both made here; the head of each page leads to the same page of the other."""
    db = str(tmp_path / DAY)

    def make(name: str, players: str, hall: str) -> None:
        chromium.get_by_label("Name of the tournament").fill(name)
        chromium.get_by_label("Everybody against everybody").check()
        chromium.get_by_label("Tables", exact=True).fill("3")
        expect(chromium.get_by_label("Venue")).to_have_value(hall)
        chromium.get_by_label("Venue").fill("Sports hall")
        chromium.get_by_label("Paste the list").fill(players)
        chromium.get_by_role("button", name="Look it over").click()
        expect(chromium.locator("#review")).to_contain_text("Sports hall")
        chromium.get_by_role("button", name="Make the tournament").click()
        expect(chromium.locator("#next-step")).to_contain_text("2 players entered")

    with empty_desk(tmp_path) as (base, _):
        chromium.goto(f"{base}/desk?lang=en")
        chromium.get_by_label("User").fill("anna")
        chromium.get_by_label("Password").fill(PASSWORD)
        chromium.get_by_role("button", name="Make the account").click()
        make("Open", "Anna\nBen", "")
        assert chromium.url == f"{base}/desk"
        chromium.goto(f"{base}/t?lang=en")
        assert faults(chromium, sampled) == []
        chromium.get_by_role("link", name="Make a tournament").click()
        make("Youth", "Ben\nEmil", "Sports hall")
        assert chromium.url == f"{base}/t/youth/desk"
        for name, at in (("Open", ""), ("Youth", "/t/youth")):
            chromium.goto(f"{base}{at}/desk/draw")
            service = TournamentService.open(db, name.lower())
            service.do("anna", "", command(entrants.draw, 2, 1, True))
            service.close()

        chromium.goto(f"{base}/desk/calls")
        chromium.get_by_role("button", name="Call", exact=True).first.click()
        expect(chromium.locator(".flash")).to_be_visible()
        switch = chromium.get_by_role("navigation", name="Tournaments")
        expect(switch.locator("[aria-current]")).to_have_text("Open")
        switch.get_by_role("link", name="Youth").click()
        chromium.wait_for_url(f"{base}/t/youth/desk/calls")
        expect(chromium.locator("main")).to_contain_text("Table 1: Open A-1")
        chromium.get_by_role("button", name="Call", exact=True).first.click()
        expect(chromium.get_by_role("alert")).to_contain_text("busy with match Open A-1")
        assert faults(chromium, sampled) == []
        expect(chromium.locator("#next")).to_contain_text("plays in another tournament")
        service = TournamentService.open(db, "open")
        service.do("anna", "", command(matches.enter, "A-1", (20, 12)))
        service.close()
        chromium.goto(f"{base}/t/youth/desk/calls")
        chromium.get_by_role("button", name="Call", exact=True).first.click()
        expect(chromium.locator(".flash")).to_be_visible()
        # a board hears its own tournament
        chromium.goto(f"{base}/t/youth/?lang=en")
        expect(chromium.locator('[data-match="A-1"]')).to_contain_text("Emil")
        assert faults(chromium, sampled) == []
        chromium.get_by_role("link", name="Tournaments").click()
        expect(chromium.locator("section").first).to_contain_text("1 match at the tables")


def test_a_whole_day_by_clicks_alone(browser: Browser, tmp_path: Path) -> None:
    """8 players: 12 matches of two groups, 4 of the tree."""
    day = run(browser, tmp_path, players=8, tables=4)
    assert day.results == 16
    assert "entries hold" in verified(tmp_path)
    assert day.counts["clicks"] <= MOST_CLICKS
    saved = {path.name: path.read_bytes()[:4] for path in tmp_path.iterdir() if path.is_file()}
    assert saved["certificates.pdf"] == b"%PDF"
    assert saved["site"] == b"PK\x03\x04"
