"""The journal of the box on an ordinary disk: records, chain, seal, room, and flipped bits."""

import hashlib
import json
import zlib
from pathlib import Path

import pytest

from firmware.app.flash import Flash
from firmware.app.journal import Journal, JournalFull, NotConfirmed
from firmware.app.link_frames import is_part, read_record, write_record
from tests.sampling import Sample

HEADER = '{"schiri": 1, "game": "hattrick", "seats": 3}'


def journal_in(folder: Path) -> Journal:
    return Journal(Flash(str(folder)), "b1", lambda n: bytes(range(n)))


def write_match(journal: Journal, commands: int = 3) -> int:
    number = journal.open_match(HEADER)
    for n in range(1, commands + 1):
        journal.append(f'{{"t": {n}}}', f'{{"n": {n}}}')
    return number


def finish(journal: Journal) -> None:
    journal.close('{"result": {"over": true}}')


def test_a_record_is_crc_number_chain_and_payload() -> None:
    start = hashlib.sha256(b"schiri-journal/1").digest()
    link = hashlib.sha256(start + b'0 {"a": 1}').hexdigest()
    line, chain = write_record(start, 0, '{"a": 1}')
    assert line[9:-1] == f'0 {link} {{"a": 1}}'.encode()
    assert chain.hex() == link
    assert read_record(line[:-1]) == (0, chain, '{"a": 1}')


def test_every_flipped_bit_of_a_record_is_seen() -> None:
    line, _ = write_record(bytes(32), 7, '{"t": 12, "do": "tap"}\t{"n": 7, "events": []}')
    for bit in range(8 * (len(line) - 1)):
        flipped = bytearray(line[:-1])
        flipped[bit // 8] ^= 1 << bit % 8
        assert read_record(bytes(flipped)) is None, bit


@pytest.mark.parametrize(
    "body",
    [
        b"x " + b"0" * 64 + b" {}",
        b"9" * 5000 + b" " + b"0" * 64 + b" {}",
        b"0 " + b"g" * 64 + b" {}",
        b"0 " + b"0" * 64 + b" \xff",
        b"0 " + b"0" * 64,
        b"",
    ],
)
def test_a_checksum_makes_no_record_of_nonsense(body: bytes) -> None:
    assert read_record(b"%08x %s" % (zlib.crc32(body), body)) is None


def test_a_payload_that_is_no_line_is_no_record() -> None:
    with pytest.raises(ValueError, match="one line"):
        write_record(bytes(32), 0, "a\nb")


def test_the_header_gets_box_match_and_birth_mark(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal)
    header, _ = next(journal.resume(1))
    assert json.loads(header) == {
        "schiri": 1,
        "game": "hattrick",
        "seats": 3,
        "box": "b1",
        "match": 1,
        "born": "00010203",
    }


def test_a_match_survives_a_restart_and_goes_on(tmp_path: Path) -> None:
    write_match(journal_in(tmp_path))
    again = journal_in(tmp_path)
    assert again.unfinished() == 1
    steps = list(again.resume(1))
    assert steps[1:] == [(f'{{"t": {n}}}', f'{{"n": {n}}}') for n in (1, 2, 3)]
    again.append('{"t": 4}', '{"n": 4}')
    finish(again)
    assert journal_in(tmp_path).unfinished() is None
    assert [line.record is not None for line in again.lines(1)] == [True] * 7


def test_a_box_without_a_key_seals_without_a_signature(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal)
    finish(journal)
    *_, before, last = [line.record for line in journal.lines(1)]
    assert before is not None
    assert last is not None
    assert json.loads(last.payload)["seal"] == {"count": 5, "head": before.chain.hex()}


def test_a_torn_last_line_is_left_out_and_named(tmp_path: Path) -> None:
    write_match(journal_in(tmp_path))
    with (tmp_path / "m000001.run").open("ab") as file:
        file.write(b"0badc0de 4 12ab")
    journal = journal_in(tmp_path)
    assert len(list(journal.resume(1))) == 4
    assert journal.damaged == []
    journal.append('{"t": 4}', '{"n": 4}')
    finish(journal)
    payloads = [line.record and line.record.payload for line in journal.lines(1)]
    assert payloads[4:7] == [None, '{"note": "torn", "line": 4}', '{"t": 4}\t{"n": 4}']


def test_a_lost_last_newline_loses_nothing(tmp_path: Path) -> None:
    write_match(journal_in(tmp_path))
    path = tmp_path / "m000001.run"
    path.write_bytes(path.read_bytes()[:-1])
    journal = journal_in(tmp_path)
    assert len(list(journal.resume(1))) == 4
    journal.append('{"t": 4}', '{"n": 4}')
    assert all(line.record for line in journal.lines(1))


def test_every_flipped_bit_of_a_running_journal_is_named_or_harmless(
    tmp_path: Path, sampled: Sample
) -> None:
    """What the box resumes after a flipped bit is what was written, or the damage is named."""
    write_match(journal_in(tmp_path), 2)
    path = tmp_path / "m000001.run"
    sound = path.read_bytes()
    told = list(journal_in(tmp_path).resume(1))
    for bit in sampled(range(8 * len(sound))):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        path.write_bytes(flipped)
        journal = journal_in(tmp_path)
        steps = list(journal.resume(1))
        assert journal.damaged or steps == told, bit


def test_a_match_left_running_is_finished_without_a_seal(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal)
    write_match(journal)
    assert [(entry.number, entry.state) for entry in journal.entries()] == [(1, "end"), (2, "run")]


def test_a_file_without_a_whole_header_was_never_a_match(tmp_path: Path) -> None:
    (tmp_path / "m000001.run").write_bytes(b"12")
    journal = journal_in(tmp_path)
    assert journal.unfinished() is None
    assert journal.entries() == []


def test_power_cut_between_seal_and_renaming(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal)
    finish(journal)
    (tmp_path / "m000001.end").rename(tmp_path / "m000001.run")
    assert journal_in(tmp_path).unfinished() is None
    assert (tmp_path / "m000001.end").exists()


def test_only_the_very_bytes_are_confirmed(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal)
    digest = hashlib.sha256((tmp_path / "m000001.run").read_bytes()).hexdigest()
    with pytest.raises(NotConfirmed):
        journal.confirm(1, digest)  # still running
    finish(journal)
    with pytest.raises(NotConfirmed):
        journal.confirm(1, digest)
    digest = hashlib.sha256((tmp_path / "m000001.end").read_bytes()).hexdigest()
    journal.confirm(1, digest)
    journal.confirm(1, digest)
    assert journal.entries()[0].state == "ok"


class SmallFlash(Flash):
    """A disk of `capacity` bytes; a write that does not fit raises ENOSPC after half of it."""

    capacity = 0

    def free_bytes(self) -> int:
        return self.capacity - sum(self.size(name) for name in self.names())

    def sync(self, file: "object") -> None:
        super().sync(file)
        if self.free_bytes() < 0:
            name = str(getattr(file, "name", ""))
            over = -self.free_bytes()
            raw = Path(name).read_bytes()
            Path(name).write_bytes(raw[: max(0, len(raw) - over - 1)])
            raise OSError(28, "no space left")


def small_journal(folder: Path, capacity: int) -> Journal:
    flash = SmallFlash(str(folder))
    flash.capacity = capacity
    return Journal(flash, "b1", lambda n: bytes(n))


def confirm_all(journal: Journal) -> None:
    for entry in journal.entries():
        journal.confirm(entry.number, journal.digest(entry.number))


def test_confirmed_matches_make_room_oldest_first_and_never_the_newest(tmp_path: Path) -> None:
    journal = small_journal(tmp_path, 98304 + 2600)
    for _ in range(4):
        write_match(journal, 5)
        finish(journal)
        confirm_all(journal)
    numbers = [entry.number for entry in journal.entries()]
    assert numbers == list(range(numbers[0], 5))
    assert numbers[0] > 1
    assert not journal.make_room(1 << 30)
    assert [entry.number for entry in journal.entries()] == [4]


def test_unconfirmed_matches_are_never_removed(tmp_path: Path) -> None:
    journal = small_journal(tmp_path, 98304 + 1300)
    write_match(journal)
    finish(journal)
    write_match(journal)
    finish(journal)
    with pytest.raises(JournalFull):
        journal.open_match(HEADER)
    assert journal.entries()[0] == (1, "end", (tmp_path / "m000001.end").stat().st_size)


def test_a_full_flash_in_the_match_loses_only_what_was_not_shown(tmp_path: Path) -> None:
    journal = small_journal(tmp_path, 10**6)
    write_match(journal)
    journal.flash.capacity = sum(entry.size for entry in journal.entries()) + 60
    with pytest.raises(JournalFull):
        journal.append('{"t": 4}', '{"n": 4}')
    journal.flash.capacity = 10**6
    journal.append('{"t": 5}', '{"n": 4}')
    again = journal_in(tmp_path)
    assert [json.loads(command).get("t") for command, _ in again.resume(1)][1:] == [1, 2, 3, 5]


@pytest.mark.parametrize("size", [1022, 1023, 1024, 1025, 2047, 2048, 2049, 16_000, 40_000])
def test_a_long_line_that_is_no_record_comes_in_pieces_and_costs_one_line(
    size: int, tmp_path: Path
) -> None:
    write_match(journal_in(tmp_path), 2)
    path = tmp_path / "m000001.run"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"x" * size + b"\n", lines[2]]))
    journal = journal_in(tmp_path)
    pieces = [line.raw for line in journal.lines(1)]
    assert max(map(len, pieces)) <= 1024
    assert b"".join(raw if is_part(raw) else raw + b"\n" for raw in pieces) == path.read_bytes()
    assert [command for command, _ in list(journal.resume(1))[1:]] == ['{"t": 1}', '{"t": 2}']
    assert journal.damaged == [2]
    journal.append('{"t": 3}', '{"n": 3}')
    assert len(path.read_bytes().splitlines()) == 5


@pytest.mark.parametrize("size", [1023, 1024, 1025, 5000])
def test_a_long_torn_end_is_one_torn_line(size: int, tmp_path: Path) -> None:
    write_match(journal_in(tmp_path), 2)
    path = tmp_path / "m000001.run"
    with path.open("ab") as file:
        file.write(b"x" * size)
    journal = journal_in(tmp_path)
    raws = list(journal.lines(1))
    assert not raws[-1].whole
    assert not is_part(raws[-1].raw)
    assert len(list(journal.resume(1))) == 3
    journal.append('{"t": 3}', '{"n": 3}')
    records = [line.record and line.record.payload for line in journal.lines(1)]
    assert records[-2:] == ['{"note": "torn", "line": 3}', '{"t": 3}\t{"n": 3}']


def test_a_header_longer_than_a_piece_is_one_record(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    header = json.dumps({"schiri": 1, "names": ["x" * 15_000]})
    journal.open_match(header)
    journal.append('{"t": 1}', '{"n": 1}')
    again = journal_in(tmp_path)
    told = list(again.resume(1))
    assert json.loads(told[0][0])["names"] == ["x" * 15_000]
    assert told[1:] == [('{"t": 1}', '{"n": 1}')]
    assert again.damaged == []


def test_a_note_is_a_record_of_its_own_in_the_chain(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal, 1)
    journal.note("boot")
    journal.append('{"t": 2}', '{"n": 2}')
    records = [line.record for line in journal.lines(1)]
    assert [record and record.seq for record in records] == [0, 1, 2, 3]
    assert records[2] is not None
    assert records[2].payload == '{"note": "boot"}'
    assert [command for command, _ in journal_in(tmp_path).resume(1)][1:] == [
        '{"t": 1}',
        '{"t": 2}',
    ]


def test_no_more_room_is_made_than_is_needed(tmp_path: Path) -> None:
    journal = small_journal(tmp_path, 10**6)
    for _ in range(4):
        write_match(journal, 2)
        finish(journal)
    confirm_all(journal)
    free, sizes = journal.flash.free_bytes(), [entry.size for entry in journal.entries()]
    for needed, left in (
        (free, [1, 2, 3, 4]),
        (free + 1, [2, 3, 4]),
        (free + sizes[0], [2, 3, 4]),
        (free + sizes[0] + sizes[1], [3, 4]),
    ):
        assert journal.make_room(needed)
        assert [entry.number for entry in journal.entries()] == left


@pytest.mark.parametrize("written", [0, 1, 20])
def test_what_goes_ahead_of_a_match_that_is_not_resumed_is_in_its_file(
    tmp_path: Path, written: int
) -> None:
    """After a power cut that left so many bytes of the record in the file of the match."""
    journal = journal_in(tmp_path)
    write_match(journal, 1)
    journal.append_ahead('{"t": 2}', '{"n": 2}')
    match = tmp_path / "m000001.run"
    record = journal_in(tmp_path)._ahead.get(1)[1]
    match.write_bytes(match.read_bytes() + record[:written])
    again = journal_in(tmp_path)
    again.open_match(HEADER)
    payloads = [line.record and line.record.payload for line in again.lines(1)]
    assert payloads[1:] == ['{"t": 1}\t{"n": 1}', '{"t": 2}\t{"n": 2}']


def test_what_goes_ahead_does_not_go_behind_what_is_not_its_own(tmp_path: Path) -> None:
    journal = journal_in(tmp_path)
    write_match(journal, 1)
    journal.append_ahead('{"t": 2}', '{"n": 2}')
    match = tmp_path / "m000001.run"
    before = match.read_bytes()
    match.write_bytes(before + b"something else")
    journal_in(tmp_path).open_match(HEADER)
    assert (tmp_path / "m000001.end").read_bytes() == before + b"something else"
