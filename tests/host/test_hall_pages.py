"""What the public sees of a match on the air: what lies open, when it may be seen, by its name."""

import copy
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.air_box import recorded_hand
from bench.hall_day import open_day
from firmware.app.link_frames import CHAIN_START, write_record
from firmware.games import open_match
from firmware.rules.answers import write_answer
from firmware.rules.errors import Malformed
from host_tools.games.box_words import box_words
from host_tools.replay.engines import resolve
from host_tools.replay.public_match import PublicMatch
from host_tools.store.live import Batch, BoxStatus, Line
from host_tools.tournament.events import PublicNames
from host_tools.tournament.service import TournamentService
from host_tools.web.desk.live_tables import JURY, LIVE, Delay, LiveTables, line_of, page_of

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
        here = {"here": True, "name": "", "table": "3"}
        batch = Batch({"b0c5": BoxStatus("b0c5", self.now, here, {"clock": 90, **state})})
        self.service.store.live.write(batch)
        return self.tables.look()

    def play(self, count: int) -> None:
        """Lines of the match; the first one is its header."""
        for _ in range(count):
            parts = self.match.steps[self.lines - 1] if self.lines else [json.dumps(self.header)]
            raw, self._chain = write_record(self._chain, self.lines, "\t".join(parts))
            line = Line("b0c5", 1, "a", self.lines, self.now, raw[:-1])
            self.service.store.live.write(Batch(lines=[line]))
            self.lines += 1
        self.tables.look()

    def texts(self) -> list[str]:
        found = page_of(self.service.state.in_public(), self.tables.of_table(3), "en")
        return [text for _, text in found["steps"]][::-1]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    opened = open_day(str(tmp_path / "day.db"), 4, 1)
    yield opened
    opened.close()


def test_a_table_goes_on_with_its_match_after_another_box_with_its_id_was_there(
    service: TournamentService,
) -> None:
    """The other one's match has a higher number; then one has the same."""
    hall = Hall(service, Delay())
    hall.play(3)
    hall.beat(match=1)
    begun = hall.texts()
    other = hall.match.steps[0]
    for number, born in ((7, "b"), (1, "c")):
        raw, chain = write_record(CHAIN_START, 0, json.dumps(hall.header))
        more, _ = write_record(chain, 1, "\t".join(other))
        lines = [
            Line("b0c5", number, born, n, NOON, one[:-1]) for n, one in enumerate((raw, more))
        ]
        service.store.live.write(Batch(lines=lines))
        hall.tables.look()
        assert hall.texts() == begun[:1]
        hall.play(1)
        begun = hall.texts()
        assert len(begun) > 2


def test_a_table_shows_score_names_and_every_trick(service: TournamentService) -> None:
    hall = Hall(service, Delay())
    assert hall.beat() == {LIVE, "table-3"}
    hall.play(4)
    # HA-2: who is behind the dealer leads; the three are the first players of the day
    assert hall.texts() == [
        "Ayşe Aeschbacher begins.",
        "Łukasz Ibáñez opens a trick with R1.",
        "Käthe Şahin opens a trick with G1.",
    ]
    table = hall.tables.of_table(3)
    assert table is not None
    line = line_of(service.state, table, "en")
    assert [seat["name"] for seat in line["seats"] if seat["turn"]] == ["Ayşe Aeschbacher"]
    assert (line["lying"], line["left"], line["over"]) == (["R1", "G1"], 90, False)


def test_short_names_are_short_at_the_tables_too(service: TournamentService) -> None:
    service.do("Anna", "", lambda _state: [PublicNames(short=True)])
    hall = Hall(service, Delay())
    hall.beat()
    hall.play(2)
    assert hall.texts() == ["Ayşe A. begins."]


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
    table = hall.tables.of_table(3)
    assert table is not None
    assert table.left_s is None  # the clock would tell


def test_the_public_sees_it_so_many_tricks_later(service: TournamentService) -> None:
    """Three cards are a round of Hattrick; its tricks are taken with the last one."""
    hall = Hall(service, Delay.read("1t"))
    hall.beat()
    hall.play(2 + 3)
    assert hall.texts() == []
    table = hall.tables.of_table(3)
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
    assert hall.tables.look() == {JURY, LIVE, "table-3"}
    assert [(table.jury, table.silent) for table in hall.tables.tables()] == [(False, True)]
