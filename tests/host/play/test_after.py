"""After the match: what is said of one in which right and wrong are plain, and who may look."""

import asyncio
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from host_tools.core.json_types import Json
from host_tools.games import game_of
from host_tools.games.bot import Option
from host_tools.games.player import Act
from host_tools.replay.wording import Teller
from host_tools.sim.table.analysis import Decision, _player
from host_tools.sim.table.replays import read_replay
from host_tools.web.table.server import PlayServer

# the card that is best by "a" is worst by "b", and so on down
CARDS = {"A1": [8, 1], "A2": [7, 2], "A3": [6, 3], "A4": [5, 4]}
CARDS |= {"B1": [4, 5], "B2": [3, 6], "B3": [2, 7], "B4": [1, 8]}
HEADER: Json = {
    "schiri": 1,
    "game": "trumpf",
    "preset": "swiss",
    "seats": 2,
    "deck": {
        "id": "mirror",
        "categories": [{"key": "a"}, {"key": "b"}],
        "cards": [{"code": code, "values": values} for code, values in CARDS.items()],
    },
    "names": ["Anna", "Beat"],
}
# Anna calls what her card is worst at; Beat calls what his is good at; then Anna goes
COMMANDS: list[Json] = [
    {"do": "begin", "seat": 0},
    {"do": "tap", "card": "A1"},
    {"do": "call", "category": "b"},
    {"do": "tap", "card": "B1"},
    {"do": "tap", "card": "B3"},
    {"do": "call", "category": "b"},
    {"do": "tap", "card": "A2"},
    {"do": "forfeit", "seat": 0},
]
RECORD = "".join(
    json.dumps(line) + "\n"
    for line in [HEADER, *({"t": 1000 * n, **one} for n, one in enumerate(COMMANDS))]
).encode()


def test_right_and_wrong_calls_and_where_it_turned() -> None:
    summary = read_replay(RECORD, "x", "en").after()
    assert summary["ranking"] == [[1], [0]]
    assert summary["first"] == "Beat"
    worst = summary["players"][0]["worst"]
    assert (worst["n"], worst["made"], worst["other"]) == (3, "Call of b", "Call of a")
    assert worst["gain"] < -4  # a card lost instead of one won, 3:5 for 5:3, and the next call
    best = summary["players"][1]["best"]
    assert (best["n"], best["made"], best["other"]) == (6, "Call of b", "Call of a")
    assert [(turn["n"], turn["before"], turn["after"]) for turn in summary["turns"]] == [
        (4, 0, 2),  # 3:5 cards
        (7, 2, 4),  # 2:6
        (8, 4, 12),  # SW-7: 0:12
    ]
    for row in summary["luck"]:
        assert row["above"] == pytest.approx(row["cards"] + row["play"], abs=0.11)
    assert [row["above"] for row in summary["luck"]] == [-6, 6]


def test_what_weighs_nothing_is_not_somebodys_worst() -> None:
    """It was told with "±0.0"; 0.06 is written as 0.1."""
    teller = Teller(read_replay(RECORD, "x", "en").header, "en")
    act, other = (Act("tap", {"card": card}, 0) for card in ("A1", "A2"))

    def told(gain: float) -> Json:
        return _player([Decision(1, 0, Option(act, gain), Option(other, 0.0))], 0, teller)

    assert told(-0.04) == told(0.04) == {"best": None, "worst": None}
    assert told(-0.06)["worst"]["gain"] == -0.1
    assert told(0.06)["best"]["gain"] == 0.1


def test_the_hands_that_a_record_shows() -> None:
    """TR-1: whoever presents an unseen card was dealt it, in this order; the rest is filled up."""
    replay = read_replay(RECORD, "x", "en")
    ((anna, beat),) = game_of(replay.header).table.dealt_in(replay.header, replay.moves) or []
    assert anna[:2] == ["A1", "A2"]
    assert beat[:2] == ["B1", "B3"]
    assert sorted(anna + beat) == sorted(CARDS)
    assert len(anna) == len(beat) == 4


def test_a_shared_link_opens_its_match_and_nothing_else() -> None:
    server = PlayServer("cpython", "de")
    page = TestClient(server.app, base_url="http://127.0.0.1")
    mine, other = (server.add_replay(RECORD, name) for name in ("Käse.ndjson", "x"))
    key = {"key": server.replays[mine].key}
    for path in (
        "",
        "/after",
        "/summary",
        "/decisions",
        "/steps",
        "/views/0",
        "/file",
        "/share.svg?at=3",
    ):
        shown = page.get(f"/r/{mine}{path}{'&' if '?' in path else '?'}key={key['key']}")
        assert shown.status_code == 200
        hidden = page.get(f"/r/{other}{path}{'&' if '?' in path else '?'}key={key['key']}")
        assert hidden.status_code == 403
    assert page.get("/", params=key).status_code == 403
    assert 'id="rematch"' not in page.get(f"/r/{mine}/after", params=key).text
    file = page.get(f"/r/{mine}/file", params=key)
    assert file.content == RECORD
    assert file.headers["content-disposition"] == "attachment; filename=K_se.ndjson"
    summary = page.get(f"/r/{mine}/summary", params=key).text
    assert "Beat gewinnt!" in summary
    assert "Ansage b" in summary


def test_the_end_at_the_table_names_the_best_and_the_worst_decision() -> None:
    """Of the record above: Anna called "b" where "a" was better, in step 3, and Beat in step 6 was
    right to; a seat is told its own.
    """
    server = PlayServer("cpython", "de")
    page = TestClient(server.app, base_url="http://127.0.0.1")
    number = server.add_replay(RECORD, "x")

    def told(seat: str) -> list[str]:
        shown = page.get(f"/r/{number}/decisions?key={server.key}{seat}")
        assert shown.status_code == 200
        assert f'href="/r/{number}?key={server.key}&amp;at=3"' in shown.text
        words = re.sub(r"<[^>]*>", " ", shown.text).split()
        return re.split(r" (?=Beste |Schlechteste )", " ".join(words))

    title, best, worst = told("")
    assert title == "Entscheidungen"
    assert re.fullmatch(r"Beste Beat, Schritt 6 : Ansage b statt Ansage a \(\+\d,\d\)", best)
    wrong = r"Schritt 3 : Ansage b statt Ansage a \(−\d,\d\)"
    assert re.fullmatch("Schlechteste Anna, " + wrong, worst)
    assert told("&seat=1")[1] == "Beste keine von Gewicht"
    assert re.fullmatch("Schlechteste " + wrong, told("&seat=1")[2])


def test_pages_that_ask_at_once_share_one_analysis() -> None:
    server = PlayServer("cpython", "de")
    try:
        table = server.open_table()
        text = RECORD.decode()
        table.transcript = lambda: text  # type: ignore[method-assign]
        over = SimpleNamespace(match=SimpleNamespace(over=lambda: True))
        table.log.world = over  # type: ignore[assignment]
        with (
            TestClient(server.app, base_url="http://127.0.0.1") as page,
            ThreadPoolExecutor(4) as devices,
        ):
            keys = [{"key": server.key}, *({"key": key} for key in table.phones.seat_keys[:3])]
            said = list(devices.map(lambda key: page.post("/t/1/after", params=key).text, keys))
        assert said == ['{"replay":1}'] * 4
        assert len(server.replays) == 1
    finally:
        server.close()


def test_a_seat_sees_the_matches_of_its_table_once_they_are_over() -> None:
    server = PlayServer("cpython", "de")
    try:
        here, elsewhere = server.open_table(), server.open_table()
        page = TestClient(server.app, base_url="http://127.0.0.1")
        mine, theirs = {"key": here.phones.seat_keys[1]}, {"key": elsewhere.phones.seat_keys[1]}
        number = server.add_replay(RECORD, "x")
        server.replays[number].table = here.number
        shown = page.get(f"/r/{number}/after", params=mine).text
        assert f"/t/{here.number}?seat=2&amp;key={mine['key']}" in shown
        assert page.get(f"/r/{number}/after", params=theirs).status_code == 403
        assert page.post(f"/t/{here.number}/after", params=mine).status_code == 400
        assert page.post(f"/t/{here.number}/after", params=theirs).status_code == 403
    finally:
        server.close()


def test_a_server_that_ends_waits_for_no_analysis() -> None:
    """Ctrl-C while a match is being judged: the request is answered, at once."""

    async def ended_meanwhile() -> int:
        pages = PlayServer("cpython", "en", speed=1000)._after
        replay = SimpleNamespace(after=lambda: time.sleep(1))
        asyncio.get_running_loop().call_later(0.05, pages.hang_up)
        with pytest.raises(HTTPException) as answer:
            await pages._worked_out(replay)  # type: ignore[arg-type]
        return answer.value.status_code

    began = time.monotonic()
    assert asyncio.run(ended_meanwhile()) == 503
    assert time.monotonic() - began < 0.9
