"""`schiri tournament publish`: whole files, again when the web space is back, nothing private."""

import json
import random
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from host_tools.core.errors import UserError
from host_tools.tournament import publishing
from host_tools.tournament.publishing import (
    FEED_FILE,
    LIST_FILE,
    FolderTarget,
    HttpTarget,
    Publisher,
)
from host_tools.tournament.service import TournamentService
from tests.processes import free_port, started, wait
from tests.support.hall_day import open_day, open_matches, play


@pytest.fixture
def day(tmp_path: Path) -> Iterator[TournamentService]:
    service = open_day(str(tmp_path / "day.db"), 8, tables=2, ko_size=4)
    yield service
    service.close()


@contextmanager
def web_space(
    port: int, files: dict[str, bytes], asked: list[str], kept: Collection[str] = ()
) -> Iterator[str]:
    """A server that takes files by PUT from a user with a password, and removes all but `kept`."""

    class Space(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            asked.append(self.headers.get("Authorization", ""))
            data = self.rfile.read(int(self.headers["Content-Length"]))
            files[self.path] = data
            self.send_response(201)
            self.end_headers()

        def do_GET(self) -> None:
            self.send_response(200 if self.path in files else 404)
            self.end_headers()
            self.wfile.write(files.get(self.path, b""))

        def do_DELETE(self) -> None:
            self.send_response(403 if self.path in kept else 204 if self.path in files else 404)
            self.end_headers()
            if self.path not in kept:
                files.pop(self.path, None)

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", port), Space)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://anna:secret@127.0.0.1:{port}/cup/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def ends_at(data: bytes) -> int:
    """The number of the feed's `end`."""
    return int(json.loads(data.splitlines()[-1])["seq"])


def test_only_what_changed_is_sent_and_the_front_page_last(day: TournamentService) -> None:
    sent: list[str] = []

    class Noted:
        def read(self, name: str) -> bytes:
            return b""

        def remove(self, name: str) -> None:
            raise AssertionError(name)

        def put(self, name: str, data: bytes) -> None:
            sent.append(name)

        def finish(self) -> None:
            sent.append("")

    publisher = Publisher(day, Noted(), "en")
    assert publisher.publish() == len(sent) - 2  # without the list, and the end
    assert sent[-2:] == ["index.html", ""]
    sent.clear()
    assert publisher.publish() == 0
    assert sent == []
    play(day, open_matches(day.state)[0], random.Random(1))
    publisher.publish()
    assert {FEED_FILE, "results.csv", "groups.html"} <= set(sent)
    assert "style.css" not in sent


def test_what_failed_in_the_middle_goes_on_with_the_rest(
    day: TournamentService, tmp_path: Path
) -> None:
    class Failing(FolderTarget):
        left = 2

        def put(self, name: str, data: bytes) -> None:
            if self.left == 0:
                raise UserError("publish_put", url=name, detail="down")
            self.left -= 1
            super().put(name, data)

    www = tmp_path / "www"
    target = Failing(www)
    publisher = Publisher(day, target, "en")
    with pytest.raises(UserError):
        publisher.publish()
    assert len(list(www.iterdir())) == 2
    target.left = 100
    whole = publisher.publish() + 2
    assert {file.name for file in www.iterdir()} >= {"index.html", FEED_FILE}
    assert len(list(www.iterdir())) == whole
    assert not list(www.glob("*.new"))


def test_the_command_that_carries_on_says_why_it_failed(
    day: TournamentService, tmp_path: Path
) -> None:
    target = FolderTarget(tmp_path / "www", "echo no line >&2; exit 3")
    publisher = Publisher(day, target, "en")
    for _ in range(2):  # also when no file is new any more
        with pytest.raises(UserError, match="no line"):
            publisher.publish()


def test_a_web_space_that_was_down_has_everything_when_it_is_back(
    day: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publishing, "SEND_S", 5.0)
    port, files, asked = free_port(), dict[str, bytes](), list[str]()
    told: list[int | UserError] = []
    pauses: list[float] = []

    def waited(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) >= 8:
            raise KeyboardInterrupt

    target = HttpTarget(f"http://anna:secret@127.0.0.1:{port}/cup/")
    publisher = Publisher(day, target, "en", 30)
    with pytest.raises(KeyboardInterrupt):
        publisher.publish_always(told.append, waited)
    # down: told once, asked again after 1, 2, 4 … seconds, a minute at most
    assert [type(news) for news in told] == [UserError]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]

    play(day, open_matches(day.state)[0], random.Random(1))
    pauses[:] = [0.0] * 7
    with web_space(port, files, asked), pytest.raises(KeyboardInterrupt):
        publisher.publish_always(told.append, waited)
    assert told[1:] == [len(files) - 1]  # the list of the files is none of the pages
    assert ends_at(files[f"/cup/{FEED_FILE}"]) == day.state.seq
    assert b'http-equiv="refresh" content="30"' in files["/cup/index.html"]
    assert set(asked) == {"Basic YW5uYTpzZWNyZXQ="}  # anna:secret, RFC 7617


def test_what_is_no_longer_made_leaves_the_web_space(day: TournamentService) -> None:
    port, files = free_port(), dict[str, bytes]()
    old, own = "/cup/old.html", "/cup/own.html"
    with web_space(port, files, [], kept=["/cup/held.html"]) as address:
        Publisher(day, HttpTarget(address), "en").publish()
        made = set(files)
        files |= {old: b"Anna", own: b"by the club", "/cup/held.html": b"Anna"}
        listed = json.loads(files[f"/cup/{LIST_FILE}"])
        files[f"/cup/{LIST_FILE}"] = json.dumps([*listed, "old.html", "gone.html"]).encode()
        Publisher(day, HttpTarget(address), "en").publish()
        assert set(files) == made | {own, "/cup/held.html"}
        files[f"/cup/{LIST_FILE}"] = json.dumps([*listed, "held.html"]).encode()
        with pytest.raises(UserError, match=r"held\.html: the web space did not remove"):
            Publisher(day, HttpTarget(address), "en").publish()


def test_the_command_follows_the_day(day: TournamentService, tmp_path: Path) -> None:
    schiri = str(Path(sys.executable).with_name("schiri"))
    db, www = str(tmp_path / "day.db"), tmp_path / "www"
    command = [schiri, "tournament", "publish", str(www), "--follow", "--db", db, "--lang", "en"]
    feed = www / FEED_FILE

    def is_there() -> bool:
        return feed.exists() and ends_at(feed.read_bytes()) == day.state.seq

    with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        wait(is_there)
        match = open_matches(day.state)[0]
        play(day, match, random.Random(1))
        wait(is_there)
    first = day.state.matches[match.id].result
    assert first
    assert f",{first.cards[0]},{first.cards[1]}," in (www / "results.csv").read_text("utf8")
