"""A tournament made in the browser, from an empty folder to the home page of its desk."""

from functools import partial
from pathlib import Path

from playwright.sync_api import Page, expect

from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app, make_opening
from tests.sampling import Sample
from tests.support.served import served

from .desk_hall import PASSWORD
from .looking import faults

LIST = "Anna Egli, Bern\nBen Łukasz, Łódź\nÇiğdem Öztürk"


def test_from_an_empty_folder_to_the_home_page(
    chromium: Page, tmp_path: Path, sampled: Sample
) -> None:
    db, accounts = str(tmp_path / "day.db"), Accounts(tmp_path / "users.json")
    app = make_opening(
        accounts,
        partial(TournamentService.restore, db),
        lambda service: make_app(service, accounts),
    )
    with served(app) as base:
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
        chromium.get_by_role("button", name="Make the tournament").click()
        expect(chromium.locator("#next-step")).to_contain_text("3 players entered")
        assert chromium.url == f"{base}/desk"
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
