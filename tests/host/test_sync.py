"""Sync from a box in this process: stored, checked, confirmed; on good lines and bad ones."""

import hashlib
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.app.flash import Flash
from firmware.app.link_frames import write_record
from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from host_tools.box.link import BoxLink, LinkLost, Port
from host_tools.box.sync import BoxSync, Synced
from host_tools.cards.public_keys import EnrolledKey, SigningKey
from host_tools.store import open_store
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import VERIFIED, judge
from host_tools.store.store import Store
from tests.sampling import Sample
from tests.support.bad_line import BadLine, LineFaultRates
from tests.support.memory_box import HATTRICK, MemoryBox, MemoryPort, hand, play

KEY, OTHER = SigningKey(bytes(31) + b"\x07"), SigningKey(bytes(31) + b"\x08")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Of a desk that has enrolled the box."""
    opened = open_store(str(tmp_path / "schiri.db"))
    opened.enrolled.enrol("b0c5", KEY.public, "Ada")
    yield opened
    opened.close()


@pytest.fixture
def box(tmp_path: Path) -> MemoryBox:
    return MemoryBox(Flash(str(tmp_path / "box")), key=KEY)


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def run_sync(port: Port, store: Store) -> list[Synced]:
    job = BoxSync(BoxLink(port), store, lambda number, done, size: None)
    job.greet()
    return list(job.matches())


def stored_bytes(store: Store) -> dict[int, bytes]:
    return {match.number: match.journal for match in store.matches()}


def box_bytes(folder: Path) -> dict[int, bytes]:
    return {
        int(path.name[1:7]): path.read_bytes() for path in (folder / "box").glob("m*.[eo][nk]*")
    }


def test_a_finished_match_arrives_byte_for_byte_and_is_verified(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    assert run_sync(box.port(), store) == [Synced(1, 1, "verified", "", True)]
    assert stored_bytes(store) == box_bytes(tmp_path)
    assert [entry.state for entry in box.journal.entries()] == ["ok"]


def test_a_second_sync_finds_it_stored(box: MemoryBox, store: Store) -> None:
    play(box.journal)
    run_sync(box.port(), store)
    assert run_sync(box.port(), store) == [Synced(1, 1, "verified", "", False)]
    assert len(store.matches()) == 1


def test_a_second_laptop_gets_what_the_first_has_confirmed(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    run_sync(box.port(), store)
    other = open_store(str(tmp_path / "other.db"))
    assert [outcome.new for outcome in run_sync(box.port(), other)] == [True]
    other.close()


def test_a_running_match_is_left_alone(box: MemoryBox, store: Store) -> None:
    play(box.journal, 5)
    job = BoxSync(BoxLink(box.port()), store, lambda *_: None)
    assert job.greet().running == 1
    assert list(job.matches()) == []
    assert [entry.state for entry in box.journal.entries()] == ["run"]


def test_what_came_before_a_box_was_enrolled_is_verified_then(
    box: MemoryBox, tmp_path: Path
) -> None:
    play(box.journal)
    play(box.journal)
    with closing(open_store(str(tmp_path / "new.db"))) as store:
        first, _ = run_sync(box.port(), store)
        why = "the box is not enrolled: `schiri box enrol`"
        assert first == Synced(1, 1, "unverified", why, True)
        assert stored_bytes(store) == box_bytes(tmp_path)
        assert store.judge_again("b0c5") == 0  # nobody has enrolled it yet
        store.enrolled.enrol("b0c5", KEY.public, "Ada")
        assert store.judge_again("b0c6") == 0
        assert store.judge_again("b0c5") == 2
        again = run_sync(box.port(), store)
        assert again == [Synced(1, 1, "verified", "", False), Synced(2, 2, "verified", "", False)]
        (match, _) = store.matches()
        assert [change.state for change in match.states] == ["unverified", "verified"]
        assert [seat.count for seat in match.seats] != []
        assert store.judge_again("b0c5") == 0


def test_what_another_key_signed_before_the_box_was_enrolled_stays_unverified(
    box: MemoryBox, tmp_path: Path
) -> None:
    """The box has made a new key since, or somebody brought a file under its name."""
    play(box.journal)
    with closing(open_store(str(tmp_path / "new.db"))) as store:
        run_sync(box.port(), store)
        store.enrolled.enrol("b0c5", OTHER.public, "Ada")
        assert store.judge_again("b0c5") == 0
        assert [match.state for match in store.matches()] == ["unverified"]


def test_a_wiped_box_brings_new_matches_under_old_numbers(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    run_sync(box.port(), store)
    wiped = MemoryBox(Flash(str(tmp_path / "wiped")), key=KEY)
    wiped.journal._random_bytes = lambda n: b"\x99" * n
    play(wiped.journal)
    assert [outcome.new for outcome in run_sync(wiped.port(), store)] == [True]
    assert len(store.matches()) == 2


def spoil(folder: Path, line: int, change: bytes) -> None:
    path = folder / "box" / "m000001.end"
    lines = path.read_bytes().split(b"\n")
    lines[line] = change
    path.write_bytes(b"\n".join(lines))


def test_a_damaged_line_is_kept_and_contested(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    spoil(tmp_path, 9, b"\x00\xff rubbish")
    (outcome,) = run_sync(box.port(), store)
    assert (outcome.state, outcome.reason) == ("contested", "line 10 cannot be read")
    assert stored_bytes(store) == box_bytes(tmp_path)


def forge(folder: Path, change: dict[str, object]) -> None:
    """Rewrite one answer and, as a forger would, all records and the chain behind it."""
    path = folder / "box" / "m000001.end"
    chain = hashlib.sha256(b"schiri-journal/1").digest()
    forged = b""
    for seq, line in enumerate(path.read_bytes().splitlines()):
        payload = line.split(b" ", 3)[3].decode()
        if seq == 5:
            command, answer = payload.split("\t")
            payload = command + "\t" + json.dumps({**json.loads(answer), **change})
        record, chain = write_record(chain, seq, payload)
        forged += record
    path.write_bytes(forged)


def test_a_forged_answer_with_a_mended_chain_is_contested(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    forge(tmp_path, {"events": []})
    (outcome,) = run_sync(box.port(), store)
    assert (outcome.state, outcome.reason) == ("contested", "the seal names another last record")


def test_a_journal_of_other_rules_is_contested_by_the_replay(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    number = box.journal.open_match('{"schiri": 1, "game": "hattrick", "seats": 3}')
    box.journal.append('{"t": 0, "do": "begin", "seat": 0}', '{"n": 1, "events": []}')
    box.journal.close('{"result": {"over": true}}')
    (outcome,) = run_sync(box.port(), store)
    assert number == 1
    assert outcome.state == "contested"
    assert outcome.reason.startswith("the rules answer line 2 differently: began")


class Unplugged:
    """A port that is pulled after so many transfers."""

    def __init__(self, port: MemoryPort, transfers: int) -> None:
        self.port = port
        self.left = transfers

    def _use(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(5, "gone")

    def read(self, size: int = 1) -> bytes:
        self._use()
        return self.port.read(size)

    def write(self, data: bytes) -> object:
        self._use()
        return self.port.write(data)

    def close(self) -> None:
        self.port.close()


def test_unplugged_at_every_transfer_the_next_sync_completes(
    tmp_path: Path, sampled: Sample
) -> None:
    """Whatever the moment: nothing lost, nothing doubled, and the fetch goes on where it was."""
    transfers = 0
    finished = False
    while not finished:
        folder = tmp_path / str(transfers)
        folder.mkdir()
        box = MemoryBox(Flash(str(folder / "box")), key=KEY)
        play(box.journal)
        store = open_store(str(folder / "schiri.db"))
        try:
            run_sync(Unplugged(box.port(), transfers), store)
            finished = True
        except LinkLost:
            pass
        box.wire.to_laptop.clear()
        run_sync(box.port(), store)
        assert stored_bytes(store) == box_bytes(folder)
        assert [entry.state for entry in box.journal.entries()] == ["ok"]
        store.close()
        transfers += sampled.step
    assert transfers > 15


def test_a_fetch_goes_on_where_it_was_cut_off(box: MemoryBox, store: Store) -> None:
    play(box.journal)
    with pytest.raises(LinkLost):
        run_sync(Unplugged(box.port(), 9), store)
    line, half, own = store.fetched("b0c5", 1)
    assert own
    assert 0 < line < 64
    assert len(half) > 4000
    told: list[int] = []
    job = BoxSync(BoxLink(box.port()), store, lambda n, done, size: told.append(done))
    job.greet()
    assert [outcome.state for outcome in job.matches()] == ["verified"]
    assert told[0] > len(half)


def test_a_half_fetched_match_of_a_wiped_box_is_fetched_anew(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    store.keep_fetch("b0c5", 1, 3, b"some other match\nline\nline\n")
    (outcome,) = run_sync(box.port(), store)
    assert outcome.state == "verified"
    assert stored_bytes(store) == box_bytes(tmp_path)


@pytest.mark.parametrize("seed", range(8))  # ten thousand: test_bench_of_box.py
def test_syncs_over_a_bad_line_lose_and_double_nothing(tmp_path: Path, seed: int) -> None:
    box = MemoryBox(Flash(str(tmp_path / "box")), key=KEY)
    play(box.journal)
    play(box.journal, 20)
    play(box.journal, 0)
    store = open_store(str(tmp_path / "schiri.db"))
    for attempt in range(200):
        line = BadLine(box.port(), LineFaultRates(), seed * 1000 + attempt)
        try:
            run_sync(line, store)
            break
        except LinkLost:
            box.wire.to_laptop.clear()
    run_sync(box.port(), store)
    assert stored_bytes(store) == box_bytes(tmp_path)
    assert len(store.matches()) == 2
    store.close()


def test_the_clock_of_the_box_may_jump_while_it_syncs(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal)
    job = BoxSync(BoxLink(box.port()), store, lambda *_: jump(box))
    job.greet()
    assert [outcome.state for outcome in job.matches()] == ["verified"]


def jump(box: MemoryBox) -> None:
    box.now_ms = 0 if box.now_ms > 1 << 29 else (1 << 30) - 5


def test_the_command_without_a_box_is_a_sentence(tmp_path: Path) -> None:
    from host_tools.cli import schiri

    arguments = ["sync", "--port", "/dev/never", "--db", str(tmp_path / "x.db")]
    outcome = CliRunner().invoke(schiri, arguments)
    assert "there is no port /dev/never" in str(outcome.exception)


def play_on(box: MemoryBox, number: int) -> None:
    """Resume a match as the box does after a power cut, and play it to its end."""
    steps = list(box.journal.resume(number))[1:]
    match = open_match(HATTRICK)
    for command, _ in steps:
        match.apply(json.loads(command))
    for command in hand()[len(steps) :]:
        box.journal.append(json.dumps(command), write_answer(match.apply(command)))
    box.journal.close(write_result(match.result()))


def test_a_match_played_on_after_a_power_cut_is_verified(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal, 20)
    with (tmp_path / "box" / "m000001.run").open("ab") as file:
        file.write(b"11223344 20 half a rec")
    again = MemoryBox(box.flash, key=KEY)
    assert again.journal.unfinished() == 1
    play_on(again, 1)
    assert run_sync(again.port(), store) == [Synced(1, 1, "verified", "", True)]
    assert stored_bytes(store) == box_bytes(tmp_path)


def test_a_match_left_open_with_a_torn_tail_arrives_byte_for_byte(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    play(box.journal, 7)
    with (tmp_path / "box" / "m000001.run").open("ab") as file:
        file.write(b"11223344 8 half")
    again = MemoryBox(box.flash, key=KEY)
    play(again.journal, 1)
    (outcome,) = run_sync(again.port(), store)
    assert outcome.state == "contested"
    assert stored_bytes(store) == box_bytes(tmp_path)
    assert [entry.state for entry in again.journal.entries()] == ["ok", "run"]


def test_a_box_without_a_key_is_unverified(box: MemoryBox, tmp_path: Path) -> None:
    box.journal.key = None
    play(box.journal)
    with closing(open_store(str(tmp_path / "new.db"))) as store:
        (outcome,) = run_sync(box.port(), store)
    assert (outcome.state, outcome.reason) == ("unverified", "the box had no key to sign with")


def test_a_seal_of_another_key_is_contested(box: MemoryBox, store: Store) -> None:
    box.journal.key = OTHER
    play(box.journal)
    (outcome,) = run_sync(box.port(), store)
    assert outcome.state == "contested"
    assert outcome.reason.startswith("the seal was made with another key")


@pytest.mark.parametrize("size", [1023, 1024, 1025, 5_000, 20_000])
@pytest.mark.parametrize("torn", [False, True])
def test_a_long_line_that_is_no_record_arrives_as_it_is(
    box: MemoryBox, store: Store, tmp_path: Path, size: int, torn: bool
) -> None:
    play(box.journal)
    path = tmp_path / "box" / "m000001.end"
    lines = path.read_bytes().splitlines(keepends=True)
    damage = b"x" * size + (b"" if torn else b"\n")
    path.write_bytes(b"".join([*lines, damage] if torn else [*lines[:3], damage, *lines[3:]]))
    before = path.read_bytes()
    run_sync(box.port(), store)
    assert stored_bytes(store) == {1: before}


def test_a_match_that_was_set_aside_is_fetched_and_called_so(
    box: MemoryBox, store: Store, tmp_path: Path
) -> None:
    box.journal.open_match(json.dumps(HATTRICK))
    box.journal.set_aside(1)
    before = (tmp_path / "box" / "m000001.aside").read_bytes()
    (outcome,) = run_sync(box.port(), store)
    assert outcome.state == "unverified"
    assert outcome.reason.startswith("set aside on the box")
    assert outcome.reason.endswith("the match was not finished on the box")
    assert stored_bytes(store) == {1: before}
    assert (tmp_path / "box" / "m000001.ok").read_bytes() == before


def test_the_seals_of_many_boxes_hold_though_they_are_looked_at_at_once(
    tmp_path: Path, quick_switches: None
) -> None:
    """A hall has many threads: half of one key with half of another made all later seals wrong."""
    sealed, keys = [], {}
    for number in range(8):
        name, key = str(number), SigningKey(bytes(31) + bytes([7 + number]))
        keys[name] = [EnrolledKey(name, key.public, 0, "Ada")]
        play(MemoryBox(Flash(str(tmp_path / name)), name, key).journal)
        sealed.append(read_journal((tmp_path / name / "m000001.end").read_bytes()))
    with ThreadPoolExecutor(len(sealed)) as threads:
        many = [journal for _ in range(40) for journal in sealed]
        judged = threads.map(lambda one: judge(one, keys.__getitem__), many)
        states = [said.state for said in judged]
    assert states == [VERIFIED] * len(many)
    assert [judge(one, keys.__getitem__).state for one in sealed] == [VERIFIED] * len(sealed)
