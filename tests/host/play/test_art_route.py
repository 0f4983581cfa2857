"""The pictures of cards as a browser gets them: for ever by their address, or asked for again."""

import json

from starlette.testclient import TestClient

from host_tools.cards import art
from host_tools.cards.decks import load_deck
from host_tools.sim.table.replays import read_replay
from host_tools.web.table.server import PlayServer

from .test_seen import deck

HEADER = '{"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 2, "deck": %s}'


def client() -> TestClient:
    return TestClient(PlayServer("cpython", "en").app, base_url="http://127.0.0.1")


def test_a_picture_keeps_its_address_as_long_as_it_looks_so() -> None:
    swiss = load_deck("berge")
    address = art.address(swiss, "A2")
    assert address.startswith("/art/berge/A2.svg?v=")
    assert address != art.address(swiss, "A3")
    with client() as browser:
        answer = browser.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text == art.card_art(swiss, swiss["cards"][1]).svg
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        again = browser.get(address, headers={"If-None-Match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        plain = browser.get("/art/CUf2.svg")
        assert plain.headers["cache-control"] == "no-cache"
        assert plain.text == art.guest_art("CUf2").svg
        assert browser.get(art.address(None, "R")).status_code == 200
        for wrong in ("berge/A2.svg?v=0", "berge/Z9.svg", "nobody/A1.svg", "ZZf1.svg", "x.svg"):
            assert browser.get(f"/art/{wrong}").status_code == 404, wrong


def test_a_deck_of_a_replay_has_its_pictures_too() -> None:
    server = PlayServer("cpython", "en")
    zoo = deck()
    lines = HEADER % json.dumps(zoo) + '\n{"t": 0, "do": "begin", "seat": 0}\n'
    with TestClient(server.app, base_url="http://127.0.0.1") as browser:
        address = art.address(zoo, "B2")
        assert browser.get(address).status_code == 404
        number = server.add_replay(lines.encode(), "zoo")
        assert server.replays[number].fixed["faces"] is not None
        assert browser.get(address).text == art.card_art(zoo, zoo["cards"][5]).svg


def test_a_replay_speaks_the_language_of_its_page() -> None:
    lines = HEADER % '"gastro"' + '\n{"t": 0, "do": "begin", "seat": 0}\n'
    lines += '{"t": 1, "do": "tap", "card": "A1"}\n'
    for lang, title in (("en", "Dearest dish"), ("de", "Teuerstes Gericht")):
        (face,) = read_replay(lines.encode(), "x", lang).fixed["faces"].values()
        assert face["rows"][8]["title"] == title
        assert face["rows"][8]["value"] == {"en": "21.50 €", "de": "21,50 €"}[lang]
