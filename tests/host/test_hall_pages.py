"""What the public sees of a match on the air: what lies open, when it may be seen, by its name."""

import asyncio
import copy
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from firmware.app.link_frames import CHAIN_START, write_record
from firmware.games import open_match
from firmware.rules.answers import write_answer
from firmware.rules.errors import Malformed
from host_tools.core.errors import in_words
from host_tools.games.box_words import box_words
from host_tools.hall.checking import check_boxes
from host_tools.replay.engines import resolve
from host_tools.replay.public_match import PublicMatch
from host_tools.store.heard import HeardBox
from host_tools.store.live import LiveLine, WriteBatch
from host_tools.store.said import ByHall, Here, SaidState
from host_tools.tournament.events import PublicNames
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.desk.board_page import AskedPage
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live_tables import JURY, LIVE, Delay, LiveTables, line_of, page_of
from host_tools.web.desk.rendering import BoardRenderer
from tests.support.air_box import recorded_hand
from tests.support.hall_day import open_day

SAY = box_words("en").get
TRANSCRIPTS = sorted(Path(__file__).parents[1].joinpath("transcripts").rglob("*.ndjson"))


@cache
def transcript(path: Path) -> tuple[dict[str, object], list[dict[str, object]]]:
    lines = [json.loads(line) for line in path.read_text("utf8").splitlines()]
    return resolve(lines[0]), [line for line in lines[1:] if "do" in line]


def feed_with(path: Path, place: int, card: str) -> bytes | None:
    """The feed of a match in which somebody lays down a wrong card; None if it is not refused."""
    header, commands = transcript(path)
    public, match = PublicMatch(SAY), open_match(copy.deepcopy(header))
    public.take([header])
    refused = False
    for n, command in enumerate(commands):
        if n == place:
            wrong = {"t": command["t"], "do": "tap", "card": card}
            answer = json.loads(write_answer(match.apply(wrong)))
            refused = "refused" in answer
            public.take([wrong, answer])
        public.take([command, json.loads(write_answer(match.apply(command)))])
    return json.dumps(public.feed()).encode() if refused else None


@given(st.data())
def test_the_feed_is_the_same_whatever_card_was_shown_to_the_box_and_refused(
    data: st.DataObject,
) -> None:
    path = data.draw(st.sampled_from(TRANSCRIPTS))
    header, commands = transcript(path)
    deck = header.get("deck")
    cards = [card["code"] for card in deck["cards"]] if isinstance(deck, dict) else None
    codes = st.sampled_from(cards or [f"{suit}{n}" for suit in "RGB" for n in range(1, 21)])
    place = data.draw(st.integers(0, len(commands) - 1))
    try:
        one, other = (feed_with(path, place, data.draw(codes)) for _ in range(2))
    except Malformed:  # a café is played with guests: no such card
        return
    if one is not None and other is not None:
        assert one == other


# -- tables ---------------------------------------------------------------------------------------

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Hall:
    """One box at table 3, whose match is written line by line; time passes when it is told to."""

    def __init__(self, service: TournamentService, delay: Delay) -> None:
        self.service = service
        self.now = NOON
        self.tables = LiveTables(service.store.live, delay, lambda: self.now)
        self.match, self.lines = recorded_hand(), 0
        names = [player.name for player in list(service.state.players.values())[:3]]
        self.header = {**json.loads(self.match.header), "names": names, "table": 3}
        self._chain: bytes = CHAIN_START

    def beat(self, **state: object) -> frozenset[str]:
        here = Here(here=True, table=3)
        said = SaidState(**{"clock": 90, **state})  # type: ignore[arg-type]
        self.service.store.live.write(WriteBatch({"b0c5": HeardBox("b0c5", self.now, here, said)}))
        return self.tables.look()

    def play(self, count: int) -> None:
        """Lines of the match; the first one is its header."""
        self.record(count)
        self.tables.look()

    def record(self, count: int) -> None:
        """The desk does not look yet."""
        for _ in range(count):
            parts = self.match.steps[self.lines - 1] if self.lines else [json.dumps(self.header)]
            raw, self._chain = write_record(self._chain, self.lines, "\t".join(parts))
            line = LiveLine("b0c5", 1, "a", self.lines, self.now, raw[:-1])
            self.service.store.live.write(WriteBatch(lines=[line]))
            self.lines += 1

    @property
    def head(self) -> str:
        """The link of the last line, as a box says it."""
        return self._chain.hex()

    def texts(self) -> list[str]:
        found = page_of(self.service.state.in_public(), self.tables.of_place("3"), "en")
        return [text for _, text in found["steps"]][::-1]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    opened = open_day(str(tmp_path / "day.db"), 4, 1)
    yield opened
    opened.close()


def test_what_is_written_while_a_desk_looks_is_told_once(
    service: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line told twice is against the rules: the match would be off the board until its end."""
    hall, ask = Hall(service, Delay()), service.store.live.lines
    hall.play(6)
    hall.beat(match=1)

    def lines(*args: Any, **fields: Any) -> list[LiveLine]:
        monkeypatch.undo()
        hall.record(1)
        return ask(*args, **fields)

    hall.record(1)
    monkeypatch.setattr(service.store.live, "lines", lines)
    hall.tables.look()
    hall.play(1)
    seen = hall.texts()
    hall.tables = LiveTables(service.store.live, now=lambda: NOON)
    hall.tables.look()
    assert seen == hall.texts()
    assert len(seen) >= 3


def test_a_page_sees_no_box_without_the_match_it_plays(
    service: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one look finds is shown at once: a match in doubt is marked from the first moment."""
    hall = Hall(service, Delay())
    hall.record(3)
    doubtful = Here(here=True, table=3, hall=ByHall(doubt=1))
    said = HeardBox("b0c5", NOON, doubtful, SaidState(match=1, clock=90))
    service.store.live.write(WriteBatch({"b0c5": said}))
    tables, shown = hall.tables, []
    lock = tables._lock

    class ReadAtOnce:
        """Whoever lets go of the lock sees a page read before anything else happens."""

        def __enter__(self) -> None:
            lock.acquire()

        def __exit__(self, *_failed: object) -> None:
            lock.release()
            with monkeypatch.context() as patched:
                patched.setattr(tables, "_lock", lock)
                shown.extend((table.doubt, table.match is None) for table in tables.tables())

    monkeypatch.setattr(tables, "_lock", ReadAtOnce())
    tables.look()
    assert shown
    assert set(shown) == {(True, False)}


def test_the_first_page_of_a_desk_shows_the_tables(
    service: TournamentService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = Hall(service, Delay())
    hall.record(3)
    hall.beat(match=1)

    async def never(follower: Follower) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Follower, "follow", never)  # it has not come to its first look
    with TestClient(make_app(service, Accounts(tmp_path / "users.json"))) as client:
        page = client.get("/tables?lang=en").text
        assert 'href="/table/3' in page


def test_a_database_that_hangs_freezes_no_page(
    service: TournamentService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a desk asks of it while it looks, nobody waits who reads what is known."""
    hall = Hall(service, Delay())
    hall.play(3)
    hall.beat(match=1)
    live, asked, goes_on = service.store.live, threading.Event(), threading.Event()

    def hanging(ask: Callable[..., Any], of_a_match: bool) -> Callable[..., Any]:
        def hang(*args: Any, **fields: Any) -> Any:
            if of_a_match == ("box" in fields):
                asked.set()
                goes_on.wait()
            return ask(*args, **fields)

        return hang

    for question, its in (
        ("newest", {}),
        ("boxes", {}),
        ("lines", {}),
        ("lines", {"match": 1, "lines": 9, "head": "ff" * 8}),  # another match is looked up
    ):
        asked.clear()
        goes_on.clear()
        hall.record(1)
        said = HeardBox("b0c5", NOON, Here(here=True, table=3), SaidState(clock=90, **its))
        live.write(WriteBatch({"b0c5": said}))
        with monkeypatch.context() as patched:
            patched.setattr(live, question, hanging(getattr(live, question), bool(its)))
            looks = threading.Thread(target=hall.tables.look)
            looks.start()
            asked.wait()
            reads = ThreadPoolExecutor(1)
            try:
                shown = reads.submit(
                    lambda: (hall.tables.tables(), hall.tables.of_place("3"), hall.tables.boxes())
                ).result(timeout=10)
            finally:
                goes_on.set()
                looks.join()
                reads.shutdown()
        assert [table.box for table in shown[0]] == ["b0c5"]
        assert shown[1] is not None
        assert len(shown[2]) == 1


def other_plays(hall: Hall, number: int, born: str) -> None:
    """A second box with the id of the first begins a match."""
    raw, chain = write_record(CHAIN_START, 0, json.dumps(hall.header))
    more, _ = write_record(chain, 1, "\t".join(hall.match.steps[0]))
    lines = [
        LiveLine("b0c5", number, born, n, NOON, one[:-1]) for n, one in enumerate((raw, more))
    ]
    hall.service.store.live.write(WriteBatch(lines=lines))
    hall.tables.look()


def test_a_table_goes_on_with_its_match_after_another_box_with_its_id_was_there(
    service: TournamentService,
) -> None:
    """The other one's match has a higher number; then one has the same."""
    hall = Hall(service, Delay())
    hall.play(3)
    hall.beat(match=1)
    begun = hall.texts()
    for number, born in ((7, "b"), (1, "c")):
        other_plays(hall, number, born)
        assert hall.texts() == begun[:1]
        hall.play(1)
        begun = hall.texts()
        assert len(begun) > 2


@pytest.mark.parametrize("number", [7, 1])
def test_a_table_is_right_again_before_anything_is_played_at_it(
    number: int, service: TournamentService
) -> None:
    """The jury is there, and nobody plays: the box says which match it is at, and how it ends."""
    hall = Hall(service, Delay())
    hall.play(3)
    before = hall.head
    hall.play(1)
    hall.beat(match=1, lines=4, head=hall.head)
    begun = hall.texts()
    other_plays(hall, number, "b")
    assert hall.texts() != begun
    hall.beat(match=1, lines=4, head=before)  # what nobody has sent
    assert hall.texts() != begun
    hall.beat(match=1, lines=4, head=hall.head)
    assert hall.texts() == begun
    other_plays(hall, number, "b")
    hall.beat(match=1, lines=3, head=before)  # as the broker had kept it, older than its lines
    assert hall.texts() == begun
    hall.play(1)
    assert hall.texts()[: len(begun)] == begun
    assert len(hall.texts()) > len(begun)


def test_a_table_shows_score_names_and_every_trick(service: TournamentService) -> None:
    hall = Hall(service, Delay())
    assert hall.beat() == {LIVE, "table-3", "table-b0c5"}
    hall.play(4)
    # HA-2: who is behind the dealer leads; the three are the first players of the day
    assert hall.texts() == [
        "Ayşe Aeschbacher deals, Łukasz Ibáñez leads.",
        "Łukasz Ibáñez opens a trick with R1.",
        "Käthe Şahin opens a trick with G1.",
    ]
    table = hall.tables.of_place("3")
    assert table is not None
    line = line_of(service.state, table, "en")
    assert [seat["name"] for seat in line["seats"] if seat["turn"]] == ["Ayşe Aeschbacher"]
    assert (line["lying"], line["left"], line["over"]) == (["R1", "G1"], 90, False)


def test_short_names_are_short_at_the_tables_too(service: TournamentService) -> None:
    service.do("Anna", "", lambda _state: [PublicNames(short=True)])
    hall = Hall(service, Delay())
    hall.beat()
    hall.play(2)
    assert hall.texts() == ["Ayşe A. deals, Łukasz I. leads."]


def test_the_public_sees_it_so_many_seconds_later(service: TournamentService) -> None:
    hall = Hall(service, Delay.read("60"))
    hall.beat()
    hall.play(3)
    hall.now += timedelta(seconds=59)
    hall.play(1)
    assert hall.texts() == []
    hall.now += timedelta(seconds=1)
    assert LIVE in hall.tables.look()
    assert len(hall.texts()) == 2
    table = hall.tables.of_place("3")
    assert table is not None
    assert table.left_s is None  # the clock would tell


def test_the_public_sees_it_so_many_tricks_later(service: TournamentService) -> None:
    """Three cards are a round of Hattrick; its tricks are taken with the last one."""
    hall = Hall(service, Delay.read("1t"))
    hall.beat()
    hall.play(2 + 3)
    assert hall.texts() == []
    table = hall.tables.of_place("3")
    assert table is not None
    assert [seat["score"] for seat in line_of(service.state, table, "en")["seats"]] == [0, 0, 0]
    hall.play(3)  # the second round is decided: the first one is shown
    assert len(hall.texts()) == 1 + 3


def test_a_silent_box_and_one_that_wants_the_jury_are_told(service: TournamentService) -> None:
    hall = Hall(service, Delay())
    hall.beat()
    assert JURY in hall.beat(jury=True)
    assert [(table.jury, table.silent) for table in hall.tables.tables()] == [(True, False)]
    hall.now += timedelta(seconds=21)
    assert hall.tables.look() == {JURY, LIVE, "table-3", "table-b0c5"}
    assert [(table.jury, table.silent) for table in hall.tables.tables()] == [(False, True)]


def say(tables: LiveTables, service: TournamentService, box: str, **fields: Any) -> None:
    """A box says `here`, and what it is asked for beside."""
    names = {name: fields.pop(name) for name in ("table", "name", "hall") if name in fields}
    here = Here(**{"here": True, "name": box, "league": "4a3b2c1d", "firmware": "0.1.0", **names})
    said = HeardBox(box, fields.pop("heard", NOON), here, SaidState(**fields))
    service.store.live.write(WriteBatch({box: said}))
    tables.look()


def test_every_box_has_a_page_of_its_own(service: TournamentService) -> None:
    """Two without a table, and two at one: its number leads to the one that is heard."""
    tables = LiveTables(service.store.live, now=lambda: NOON)
    for box, table, heard in (
        ("b1", 0, NOON),
        ("b2", 0, NOON),
        ("b3", 12, NOON - timedelta(seconds=30)),
        ("b4", 12, NOON),
    ):
        say(tables, service, box, table=table, heard=heard)
    places = {table.box: table.place for table in tables.tables()}
    assert places == {"b1": "b1", "b2": "b2", "b3": "b3", "b4": "12"}
    for place, box in (*((place, box) for box, place in places.items()), ("b4", "b4")):
        found = tables.of_place(place)
        assert found is not None
        assert found.box == box
    assert tables.of_place("13") is None
    board = BoardRenderer(Follower(service, tables))
    asked = ("b1", "12", "0", "b9", "12345")
    pages = {place: board.has(AskedPage("table", "en", place)) for place in asked}
    assert pages == {"b1": True, "12": True, "0": False, "b9": False, "12345": False}
    assert 'href="/table/b1?lang=de"><small>Box</small> b1</a>' in (
        board.page(AskedPage("tables", "de")).data.decode()
    )


def test_what_makes_a_box_unfit_is_said_in_both_languages(service: TournamentService) -> None:
    """docs/hall.md has the thresholds; each sentence says what to do."""
    tables = LiveTables(service.store.live, now=lambda: NOON)
    good = {"rssi": -60, "battery_mv": 3500, "heap": 10_000, "reader": "ok"}
    bad = {"rssi": -80, "battery_mv": 3499, "heap": 9_999, "reader": "broken"}
    say(tables, service, "b1", table=1, **good)
    say(tables, service, "b2", table=2, **bad)
    say(tables, service, "b3", table=0, name="Anna")
    say(tables, service, "b4", table=4, name="Anna")
    say(tables, service, "b5", table=1, heard=NOON - timedelta(seconds=21))
    found = check_boxes(tables.boxes(), NOON, "", ["4a3b2c1d"])
    keys = {check.box: [fault.key for fault in check.faults] for check in found}  # type: ignore[attr-defined]
    assert keys == {
        "b1": [],
        "b2": ["hall_weak", "hall_battery", "hall_memory", "hall_reader"],
        "b3": ["hall_no_table", "hall_twin"],
        "b4": ["hall_twin"],
        "b5": ["hall_silent"],
    }
    say(tables, service, "b5", table=1)
    twice = [check for check in check_boxes(tables.boxes(), NOON, "0.2.0", []) if check.table == 1]
    assert [[in_words(fault, "de") for fault in check.faults] for check in twice] == [
        [
            "nicht Version 0.2.0",
            "hat den Schlüssel einer anderen Liga",
            "noch eine Box nennt Tisch 1: `schiri box set --table N`",
        ]
    ] * 2
