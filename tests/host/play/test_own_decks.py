"""A deck of one's own, wherever a deck can be chosen: by its file, by its name, in the menu."""

import json
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from host_tools.cards.decks import DECKS, check_deck, deck_path, load_deck, own_decks
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.replay.engines import recompute
from host_tools.replay.reading import read_transcript
from host_tools.sim.table import messages
from host_tools.web.decks.server import DeckEditor
from host_tools.web.table.page_data import page_data
from host_tools.web.table.server import PlayServer
from tests.host.play_table import play_alone
from tests.processes import wait
from tests.support.served import tables_served

CARDS = [f"{group}{number}" for group in "ABC" for number in "1234"]


def zoo(title: str = "Zoo") -> str:
    """Twelve cards; number 4 of a group is the heaviest."""
    deck: Json = {
        "id": "zoo",
        "title": title,
        "preset": "gastro",
        "categories": [{"key": "kg", "title": "Weight", "unit": "kg", "best": "high"}],
        "cards": [{"code": c, "name": f"Beast {c}", "values": [int(c[1])]} for c in CARDS],
    }
    return json.dumps(deck)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own decks: one."""
    folder = tmp_path / "decks"
    folder.mkdir()
    monkeypatch.setenv("SCHIRI_DECKS", str(folder))
    (folder / "zoo.json").write_text(zoo())
    (folder / "notes.txt").write_text("no deck")
    (folder / "broken.toml").write_text("id = ")
    return folder


def test_a_deck_that_is_kept_is_known_by_its_name(store: Path) -> None:
    assert check_deck(store / "zoo.json").faults == []
    assert list(own_decks()) == ["zoo"]
    assert deck_path("zoo") == store / "zoo.json"
    assert load_deck("zoo")["title"] == "Zoo"
    with pytest.raises(UserError, match="zoo"):  # it names what there is
        deck_path("zu")
    listed = CliRunner().invoke(schiri, ["decks", "show", "--json"])
    assert {"id": "zoo", "title": "Zoo", "cards": 12, "preset": "gastro"} in json.loads(
        listed.output
    )


def test_a_folder_with_pictures_is_kept_too(store: Path) -> None:
    (store / "cars").mkdir()
    (store / "cars" / "deck.toml").write_text("")
    assert DECKS.own()["cars"] == store / "cars" / "deck.toml"


def test_the_projects_own_name_and_a_file_come_first(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (store / "berge.json").write_text(zoo("Not these mountains"))
    assert load_deck("berge")["id"] == "berge"
    monkeypatch.chdir(store.parent)
    Path("zoo").mkdir()
    Path("zoo/deck.toml").write_text("")
    assert deck_path("zoo") == Path("zoo/deck.toml")


def play(server: PlayServer, deck: str) -> Json:
    """A whole match with a deck; the record as it is saved."""
    table = server.open_table()
    names = ["Anna", "Beat", "Chiara"]
    start = messages.Start(game="trumpf", preset="gastro", deck=deck, seats=3, names=names)
    table.do(start)
    wait(lambda: table.log.count > 0 and not table.runner.busy)
    play_alone(table)
    wait(lambda: table.log.closed)
    world = table.log.world
    assert world is not None
    assert sorted(world.header["deck"]["cards"][0]) == ["code", "name", "values"]
    transcript = read_transcript(table.transcript().encode(), "saved")
    lines = recompute(transcript)
    for step, line in zip(transcript.steps, lines, strict=False):
        assert step.answer is not None
        assert step.answer.content == json.loads(line)
    return dict(transcript.header.content)


def test_an_own_deck_is_in_the_menu_and_is_played(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is kept, and one that is named by its file; their records need no store."""
    other = tmp_path / "other.json"
    other.write_text(zoo("Sea").replace('"zoo"', '"sea"'))
    server = PlayServer("cpython", "en", speed=1000, decks=[check_deck(other)])
    with tables_served(server):
        headers = [play(server, deck) for deck in ("zoo", "sea")]
        data = page_data(server.tables[1], server.key, None, True, server.decks)
        gastro = next(game for game in data["games"] if game["preset"] == "gastro")
        swiss = next(game for game in data["games"] if game["preset"] == "swiss")
        assert gastro["decks"][:3] == ["sea", "gastro", "zoo"]
        assert swiss["decks"][:3] == ["sea", "berge", "zoo"]
        # two cards of berge are in group I: no quartet, and the box does not offer it either
        quartett = next(game for game in data["games"] if game["game"] == "quartett")
        assert sorted(quartett["decks"]) == ["gastro", "kneipe", "sea", "zoo"]
        assert data["deck_titles"]["sea"] == "Sea"
        assert (data["asked_deck"], data["asked_preset"]) == ("sea", "gastro")
    assert [header["deck"]["title"] for header in headers] == ["Zoo", "Sea"]


def test_play_takes_a_deck_and_says_which_it_does_not_know(store: Path) -> None:
    refused = CliRunner().invoke(schiri, ["play", "--engine", "cpython", "--deck", "zu"])
    assert isinstance(refused.exception, UserError)
    assert "zu: no such deck" in str(refused.exception)


def test_play_it_on_the_page_where_the_deck_is_made(store: Path, tmp_path: Path) -> None:
    """A table opens with the deck as it stands on the page; saved, it is one of the user's own."""
    (tmp_path / "made.json").write_text(zoo("Made").replace('"zoo"', '"made"'))
    editor = DeckEditor(tmp_path / "folder", tmp_path / "made.json", "en")
    page = TestClient(
        editor.app, base_url="http://127.0.0.1", headers={"origin": "http://127.0.0.1"}
    )
    try:
        text = page.get("/", params={"key": editor.key}).text
        draft = json.loads(text.split('id="data">')[1].split("</script>")[0])["draft"]
        draft["title"] = "Made today"
        for number in (1, 2):
            answer = page.post("/play", params={"key": editor.key}, json=draft)
            assert answer.status_code == 200, answer.text
            table = httpx.get(answer.json()["table"])
            assert f"/t/{number}?" in answer.json()["table"]
            assert '"asked_deck": "made"' in table.text
            assert "Made today" in table.text
        assert "made" not in own_decks()
        assert page.post("/save", params={"key": editor.key}, json=draft).status_code == 200
        assert load_deck("made")["title"] == "Made today"
        draft["categories"] = []
        assert page.post("/play", params={"key": editor.key}, json=draft).status_code == 400
    finally:
        editor.app.state.farewell()
