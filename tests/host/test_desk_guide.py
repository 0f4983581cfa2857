"""Who may make the first account and the first tournament."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_web import PASSWORD, TOKEN, users
from starlette.testclient import TestClient

from host_tools.store import open_store
from host_tools.tournament.service import tournament_ids
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app, make_venue

KEY = "the-key-of-the-link"
HERE = ("127.0.0.1", 50_000)
HALL = ("10.0.0.7", 50_000)
CUP = {"event": "Cup", "tables": "4", "make": "1"}


class Opening:
    """An opening that runs; `visitor`: somebody at another address or under another name."""

    def __init__(self, folder: Path, accounts: Accounts, behind_proxy: bool = False) -> None:
        self.db = str(folder / "day.db")
        self.accounts = accounts
        self.app = make_venue(
            accounts,
            self.db,
            lambda service, place: make_app(service, accounts, place=place),
            key=KEY,
            behind_proxy=behind_proxy,
        ).app

    def visitor(
        self, running: TestClient, client: tuple[str, int], base: str = "http://127.0.0.1:8010"
    ) -> TestClient:
        made = TestClient(self.app, base_url=base, client=client, follow_redirects=False)
        made.portal = running.portal
        return made

    @property
    def tournaments(self) -> list[str]:
        if not Path(self.db).exists():
            return []
        store = open_store(self.db)
        found = tournament_ids(store)
        store.close()
        return found


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[tuple[Opening, TestClient]]:
    opening = Opening(tmp_path, Accounts(tmp_path / "desk-users.json"))
    with TestClient(opening.app) as running:
        yield opening, running


def first(client: TestClient, user: str = "anna") -> int:
    page = client.get("/desk?lang=en").text
    found = TOKEN.search(page)
    form = {"user": user, "password": PASSWORD, "csrf": found[1] if found else ""}
    return client.post("/desk/first", data=form).status_code


def test_the_first_account_is_for_who_sits_here_or_has_the_link(
    empty: tuple[Opening, TestClient],
) -> None:
    opening, running = empty
    # another device; a name that another site made lead here; a wrong key
    for client in (
        opening.visitor(running, HALL),
        opening.visitor(running, HERE, "http://evil.example:8010"),
    ):
        assert "first account" in client.get("/desk?lang=en").text
        assert "<form" not in client.get("/desk?lang=en").text
        assert first(client) == 403
        client.get("/desk?key=guessed")
        assert first(client) == 403
    assert opening.accounts.users() == []
    phone = opening.visitor(running, HALL, "http://10.0.0.1:8010")
    assert phone.get(f"/desk?key={KEY}").status_code == 303
    assert first(phone) == 303
    assert [(one.name, one.role) for one in opening.accounts.users()] == [("anna", "jury")]
    # the link has done its work
    other = opening.visitor(running, HALL)
    other.get(f"/desk?key={KEY}")
    assert first(other, "eve") == 403
    assert first(opening.visitor(running, HERE), "eve") == 403
    assert [one.name for one in opening.accounts.users()] == ["anna"]


def test_behind_a_proxy_everybody_seems_to_sit_here(tmp_path: Path) -> None:
    opening = Opening(tmp_path, Accounts(tmp_path / "desk-users.json"), behind_proxy=True)
    with TestClient(opening.app) as running:
        assert first(opening.visitor(running, HERE)) == 403
        assert opening.accounts.users() == []


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), ("desk", 403), ("jury", 303)])
def test_only_the_jury_makes_a_tournament(tmp_path: Path, role: str, status: int) -> None:
    opening = Opening(tmp_path, users(tmp_path))
    with TestClient(opening.app) as running:
        client = opening.visitor(running, HERE)
        assert first(client, "eve") == 403
        assert client.post("/desk/guide", data=CUP).status_code == 403  # nobody's form
        found = TOKEN.search(client.get("/desk").text)
        assert found
        form = {"user": "jury", "password": PASSWORD, "csrf": found[1]}
        assert client.post("/desk/login", data=form).status_code == 303
        csrf = TOKEN.search(client.get("/desk").text)
        token = csrf[1] if csrf else ""
        file = opening.accounts.path  # the session and its token stay, the role does not
        file.write_text(
            file.read_text("utf8").replace('"role": "jury"', f'"role": "{role}"'), "utf8"
        )
        assert client.post("/desk/guide", data={**CUP, "csrf": "forged"}).status_code == 403
        assert opening.tournaments == []
        assert client.post("/desk/guide", data={**CUP, "csrf": token}).status_code == status
        assert opening.tournaments == (["cup"] if status == 303 else [])
        if status == 303:  # now it is a desk
            assert "Cup" in client.get("/").text
            assert client.get("/desk/draw").status_code == 200


def test_points_of_places_are_asked_for_and_shown_before_the_tournament_is_made(
    empty: tuple[Opening, TestClient],
) -> None:
    opening, running = empty
    client = opening.visitor(running, HERE)
    assert first(client) == 303
    found = TOKEN.search(client.get("/desk?lang=en").text)
    form = {**CUP, "csrf": found[1] if found else "", "mode": "tables", "seats": "3"}
    ticked = ["berge", "gastro"]
    wrong = client.post("/desk/guide", data={**form, "points": "5, 3", "decks": ticked})
    assert re.findall(r'name="decks"\s+value="(\w+)" checked', wrong.text) == ticked
    assert wrong.status_code == 409
    assert "3 whole numbers, one for each place" in wrong.text
    assert 'value="5, 3"' in wrong.text  # what was typed is there to be mended
    shown = client.post("/desk/guide", data={**form, "points": "5, 3, 2", "make": ""}).text
    assert "(empty: 12, 8, 4, 0 at four): 5, 3, 2" in shown
    assert client.post("/desk/guide", data={**form, "points": "5 3 2"}).status_code == 303
    assert 'name="points" size="10" value="5,3,2"' in client.get("/desk/draw").text
