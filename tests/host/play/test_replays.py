"""What may be loaded into the replay viewer: decks as ids, as objects, or learned from tags."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from host_tools.cards.decks import load_deck
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.sim.journal_watch import JournalWatch
from host_tools.sim.table.replays import CHUNK, read_replay
from host_tools.sim.table.runner import UNBOUND
from host_tools.web.table.server import PlayServer
from tests.processes import wait
from tests.sampling import one_in

from .played_box import PlayedBox

TRANSCRIPTS = sorted((Path(__file__).parents[2] / "transcripts").rglob("*.ndjson"))
HEADER: Json = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 3}
ROUND: list[Json] = [
    {"t": 0, "do": "begin", "seat": 0},
    {"t": 900, "do": "tap", "card": "A1"},
    {"t": 1900, "do": "call", "category": 0},
    {"t": 2900, "do": "tap", "card": "B1"},
    {"t": 3900, "do": "tap", "card": "C1"},
    {"t": 4900, "do": "tap", "card": "C1"},
]


def bytes_of(header: Json, commands: list[Json]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in [header, *commands]).encode()


@pytest.mark.parametrize("path", one_in(4, TRANSCRIPTS), ids=lambda path: path.stem)
def test_every_transcript_of_the_house_can_be_watched(path: Path) -> None:
    replay = read_replay(path.read_bytes(), path.name, "de")
    assert replay.differs is None
    first = max(0, len(replay.steps) - 3)
    views = replay.walk.views(first)
    assert len(views) == len(replay.steps) - first + 1
    assert all(view["screens"][0]["lines"] for view in views)


def test_a_deck_as_id_as_object_and_learned_from_its_tags() -> None:
    """An unknown deck: the box gets the values with the taps, and the header has none."""
    deck = load_deck("gastro")
    values = {card["code"]: card["values"] for card in deck["cards"]}
    bare = {**deck, "cards": [{"code": c, "values": [None] * len(v)} for c, v in values.items()]}
    learned = [
        {**command, "values": values[command["card"]]} if "card" in command else command
        for command in ROUND
    ]
    views = [
        read_replay(bytes_of({**HEADER, "deck": kind}, commands), "x", "de").walk.views(0)
        for kind, commands in (("gastro", ROUND), (deck, ROUND), (bare, learned))
    ]
    assert views[0] == views[1] == views[2]
    assert views[0][5]["middle"]["won"] is not None


class RenamedMeanwhile(JournalWatch):
    """The box gives the match's file its next name just when we have found it."""

    def __init__(self, storage: Path) -> None:
        super().__init__(storage)
        self.names = ["m000001.run", "m000001.end", "m000001.ok"]

    def _newest(self, name: str) -> Path | None:
        path = super()._newest(name)
        if path is not None and path.name in self.names[:-1]:
            path.rename(path.with_name(self.names[self.names.index(path.name) + 1]))
        return path


def test_a_match_that_ends_just_now_is_read_under_its_new_name(tmp_path: Path) -> None:
    """Setting up the next match reads the last one, while the box seals it."""
    PlayedBox(tmp_path, {"schiri": 1, "game": "hattrick", "seats": 4}).play(3)
    journal = max(tmp_path.glob("m??????.*"))
    written = journal.read_bytes()
    watch = RenamedMeanwhile(tmp_path)
    assert [watch.look(), watch.look(), watch.look()] == [False, False, True]
    assert [path.suffix for path in tmp_path.glob("m??????.*")] == [".ok"]
    max(tmp_path.glob("m??????.*")).rename(journal)
    whole = watch.whole()
    assert whole is not None
    assert whole.transcript()
    max(tmp_path.glob("m??????.*")).unlink()  # a match that the box gave away
    assert watch.whole() is None
    journal.write_bytes(written)
    assert list(watch.whole().transcript()) == list(whole.transcript())


def test_no_module_leaves_while_other_threads_import_it() -> None:
    """Pages, the viewer and boxes that boot share one process: what one of them lets go, another
    is just importing, and its page would be an Internal Server Error.
    """
    kept = {
        name: import_module(name)
        for name in ("firmware.app.texts_en", "firmware.games.trumpf.texts_en")
    }
    server = PlayServer("cpython", "en", speed=UNBOUND)
    table = server.open_table()
    try:
        wait(lambda: table.session.boots == 1 and not table.session.screen().dark)
        page = TestClient(server.app, base_url="http://127.0.0.1").get(
            "/t/1", params={"key": server.key}
        )
        assert page.status_code == 200
        read_replay(TRANSCRIPTS[-1].read_bytes(), "x", "en").walk.views(0)  # a game of Trumpf
        assert {name: sys.modules.get(name) for name in kept} == kept
    finally:
        server.close()


def test_an_open_match_is_not_blamed_for_having_no_result() -> None:
    lines = TRANSCRIPTS[0].read_bytes().splitlines()
    assert b'"result"' in lines[-1]
    assert read_replay(b"\n".join(lines[:-1]), "open", "en").differs is None


@pytest.mark.parametrize(
    "data",
    [
        b'{"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 3, "deck": "none"}\n',
        bytes_of({**HEADER, "deck": "gastro"}, [{"t": 5, "do": "dance"}]),
        bytes_of({**HEADER, "deck": "gastro"}, [{"t": 5, "do": "tap", "card": 7}]),
        bytes_of({**HEADER, "deck": {"id": "x"}}, []),
        b"00000000 0 not a journal\n",
    ],
)
def test_a_malformed_file_gets_one_sentence(data: bytes) -> None:
    with pytest.raises(UserError, match=r"^match\.ndjson: .*[^\n]$"):
        read_replay(data, "match.ndjson", "en")


def test_pictures_come_in_chunks_and_only_with_the_key() -> None:
    server = PlayServer("cpython", "en")
    client = TestClient(
        server.app, base_url="http://127.0.0.1", headers={"origin": "http://127.0.0.1"}
    )
    more = [{"t": 5000 + n, "do": "undo", "card": 1.5, "unknown": {}} for n in range(2 * CHUNK)]
    data = bytes_of({**HEADER, "deck": "gastro"}, [*ROUND, *more])
    assert client.post("/replays", content=data).status_code == 403
    key = {"key": server.key}
    number = client.post("/replays", params={**key, "name": "a.ndjson"}, content=data).json()
    page = f"/r/{number['replay']}"
    steps = client.get(f"{page}/steps", params=key).json()
    assert len(steps["steps"]) == len(ROUND) + len(more)
    assert steps["chunk"] == CHUNK
    chunk = client.get(f"{page}/views/{CHUNK}", params=key)
    assert chunk.headers["content-encoding"] == "gzip"
    assert len(chunk.json()) == CHUNK
    assert len(client.get(f"{page}/views/{2 * CHUNK}", params=key).json()) == len(ROUND) + 1
    assert client.get(f"{page}/views/0").status_code == 403
    assert client.get(f"{page}/views/{10 * CHUNK}", params=key).status_code == 404
    assert "a.ndjson" in client.get(page, params=key).text
