"""The box's end of the link: answers, refusals, and silence unless asked."""

import json
from pathlib import Path

import pytest

from card_tags.hmac import hmac_sha256
from firmware.app.flash import Flash
from firmware.app.link_frames import BadFrame, read_frame, unpack_line, write_frame
from tests.support.memory_box import MemoryBox, play

PACKET = 64  # of full-speed USB


@pytest.fixture
def box(tmp_path: Path) -> MemoryBox:
    return MemoryBox(Flash(str(tmp_path)))


def ask(box: MemoryBox, **request: object) -> dict[str, object]:
    return talk(box, write_frame({"id": 1, **request}))


def talk(box: MemoryBox, data: bytes) -> dict[str, object]:
    box.wire.to_box.extend(data)
    box.step(100)
    said = bytes(box.wire.to_laptop)
    box.wire.to_laptop.clear()
    assert len(said) % PACKET == 0
    (line,) = (line for line in said.split(b"\n") if line)  # behind it, newlines fill the packet
    return read_frame(line)


def test_it_never_speaks_unasked(box: MemoryBox) -> None:
    play(box.journal)
    box.step(1000)
    box.wire.to_box.extend(b"\r\n\n")
    box.step(1000)
    assert box.wire.to_laptop == b""


def test_hello_tells_version_box_and_names(box: MemoryBox) -> None:
    box.settings.set({"name": "Tisch 7", "table": 7})
    assert ask(box, do="hello") == {
        "id": 1,
        "schiri": 1,
        "box": "b0c5",
        "name": "Tisch 7",
        "table": 7,
        "firmware": "0.1.0",
        "key": None,
        "max_request": 1024,
    }


def test_status_counts_what_waits_for_the_desk(box: MemoryBox) -> None:
    play(box.journal)
    play(box.journal)
    play(box.journal, 3)
    box.journal.confirm(1, box.journal.digest(1))
    status = ask(box, do="status")
    assert (status["matches"], status["waiting"], status["unix"]) == (3, 1, None)


def test_a_match_that_was_set_aside_waits_for_the_desk_too(box: MemoryBox) -> None:
    play(box.journal)
    play(box.journal, 3)
    assert ask(box, do="status")["waiting"] == 1
    box.journal.set_aside(2)
    assert ask(box, do="status")["waiting"] == 2
    box.journal.confirm(2, box.journal.digest(2))
    assert ask(box, do="status")["waiting"] == 1


def test_the_list_of_matches_comes_in_pages(box: MemoryBox) -> None:
    for _ in range(23):
        play(box.journal, 1)
    first = ask(box, do="matches")
    second = ask(box, do="matches", after=20)
    assert [len(first["matches"]), first["more"]] == [20, True]
    assert [number for number, _, _ in second["matches"]] == [21, 22, 23]
    assert second["more"] is False


def test_records_come_from_any_line_and_end(box: MemoryBox, tmp_path: Path) -> None:
    play(box.journal)
    stored = (tmp_path / "m000001.end").read_bytes()
    fetched = b""
    line = 0
    end = False
    while not end:
        reply = ask(box, do="records", match=1, **{"from": line}, bytes=700)
        fetched += b"".join(unpack_line(text) + b"\n" for text in reply["lines"])
        line, end = reply["next"], reply["end"]
    assert fetched == stored
    again = ask(box, do="records", match=1, **{"from": 30}, bytes=1)
    assert unpack_line(again["lines"][0]) == stored.split(b"\n")[30]


def test_a_reply_goes_out_in_pieces_so_that_taps_are_not_kept_waiting(box: MemoryBox) -> None:
    play(box.journal)
    box.wire.to_box.extend(write_frame({"id": 1, "do": "records", "match": 1, "from": 0}))
    sizes = []
    for _ in range(100):
        before = len(box.wire.to_laptop)
        box.step()
        sizes.append(len(box.wire.to_laptop) - before)
    assert max(sizes) < 700
    assert sum(sizes) > 4000


@pytest.mark.parametrize(
    ("request_fields", "reason"),
    [
        ({"do": "dance"}, "unknown_request"),
        ({}, "bad_request"),
        ({"do": ["hello"]}, "bad_request"),
        ({"do": "records", "match": 9, "from": 0}, "no_match"),
        ({"do": "records", "match": "x", "from": 0}, "no_match"),
        ({"do": "records", "match": 1}, "bad_request"),
        ({"do": "confirm", "match": 1, "digest": "00"}, "not_confirmed"),
        ({"do": "settings", "set": {"colour": "red"}}, "bad_setting"),
        ({"do": "settings", "set": {"table": True}}, "bad_setting"),
        ({"do": "settings", "set": {"table": 1000}}, "bad_setting"),
        ({"do": "settings", "set": {"language": "fr"}}, "bad_setting"),
        ({"do": "settings", "set": 7}, "bad_request"),
        ({"do": "matches", "after": "x"}, "bad_request"),
        ({"do": "key", "key": "zz"}, "bad_request"),
        ({"do": "key", "key": "00"}, "bad_setting"),
    ],
)
def test_a_wrong_request_gets_a_reason(
    box: MemoryBox, request_fields: dict[str, object], reason: str
) -> None:
    play(box.journal, 2)
    if request_fields.get("do") == "matches":
        play(box.journal, 2)
    reply = ask(box, **request_fields)
    assert reply["error"] == reason, reply
    assert reply["id"] == 1
    assert ask(box, do="hello")["box"] == "b0c5"


@pytest.mark.parametrize(
    "line",
    [
        b"hello\n",
        b"{}\n",
        b'{"id": 1, "do": "hello"}\n',
        write_frame({"id": 1, "do": "hello"})[:-2] + b"0\n",
        b"\xff\xfe\xfd\n",
        b"[1] " + b"%08x\n" % 0x9C3BA1D1,
    ],
)
def test_a_line_that_is_no_frame_gets_an_error_without_id(box: MemoryBox, line: bytes) -> None:
    reply = talk(box, line)
    assert (reply["id"], reply["error"]) == (None, "bad_frame")


def test_a_line_without_end_is_dropped_and_the_next_one_heard(box: MemoryBox) -> None:
    reply = talk(box, b"x" * 5000 + b"\n" + write_frame({"id": 1, "do": "hello"}))
    assert reply["box"] == "b0c5"


def test_every_flipped_bit_of_a_frame_is_seen() -> None:
    frame = write_frame({"id": 12, "do": "confirm", "match": 3})[:-1]
    for bit in range(8 * len(frame)):
        flipped = bytearray(frame)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadFrame):
            read_frame(bytes(flipped))


def test_frames_never_hold_ctrl_c_or_ctrl_d() -> None:
    frame = write_frame({"text": "".join(map(chr, range(32)))})
    assert [byte for byte in frame if byte < 32] == [10]


def test_settings_change_all_or_none_and_survive(box: MemoryBox, tmp_path: Path) -> None:
    ask(box, do="settings", set={"table": 4, "volume": 9})
    assert box.settings.get("table") == 0
    ask(box, do="settings", set={"table": 4, "volume": 0})
    again = MemoryBox(Flash(str(tmp_path)))
    assert (again.settings.get("table"), again.settings.get("volume")) == (4, 0)


def test_the_first_key_is_taken_a_second_needs_the_first(box: MemoryBox) -> None:
    first, second = bytes(32), bytes(range(32))
    assert "error" not in ask(box, do="key", key=first.hex())
    assert "error" not in ask(box, do="key", key=first.hex())
    assert ask(box, do="key", key=second.hex())["error"] == "wrong_key"
    assert ask(box, do="key", key=second.hex(), proof="00")["error"] == "wrong_key"
    proof = hmac_sha256(first, second).hex()
    assert "error" not in ask(box, do="key", key=second.hex(), proof=proof)
    assert box.settings.key() == second


def test_time_follows_the_laptop(box: MemoryBox) -> None:
    ask(box, do="time", unix=1_800_000_000)
    box.step(5000)
    told = ask(box, do="time")["unix"]
    assert 1_800_000_004 <= int(str(told)) <= 1_800_000_006


def test_time_runs_on_across_many_wraps_of_the_ticks(box: MemoryBox) -> None:
    box.now_ms = (1 << 30) - 1000
    ask(box, do="time", unix=1_800_000_000)
    for _ in range(10):  # the loop has run at least once within half a period of 6.2 days
        box.now_ms = box.ticks_add(box.now_ms, 500_000_000)
        box.step()
    told = ask(box, do="time")
    assert int(str(told["unix"])) - 1_800_000_000 in (5_000_000, 5_000_001)


def test_repeating_any_request_answers_the_same(box: MemoryBox) -> None:
    play(box.journal)
    digest = box.journal.digest(1)
    for request in (
        {"do": "hello"},
        {"do": "matches"},
        {"do": "records", "match": 1, "from": 5},
        {"do": "settings", "set": {"table": 2}},
        {"do": "confirm", "match": 1, "digest": digest},
    ):
        assert ask(box, **request) == ask(box, **request)


def test_a_damaged_journal_line_travels_unchanged(box: MemoryBox, tmp_path: Path) -> None:
    play(box.journal)
    path = tmp_path / "m000001.end"
    lines = path.read_bytes().split(b"\n")
    lines[2] = bytes(range(11, 60)) + b'"~\\' + bytes(range(128, 256))
    path.write_bytes(b"\n".join(lines))
    reply = ask(box, do="records", match=1, **{"from": 2}, bytes=1)
    assert unpack_line(str(reply["lines"][0])) == lines[2]
    assert json.dumps(reply)
