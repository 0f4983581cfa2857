"""The box writes a result slip, and the desk accepts exactly that."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from card_tags import codec, kinds, seal
from card_tags.deck_card import deck_number
from card_tags.errors import TagError
from firmware.app.slip import write_slip
from firmware.drivers.pn532.errors import ReaderError
from firmware.drivers.presence import CARD
from hardware.twin.tags import NtagTwin
from host_tools.cards.public_keys import ORDER, EnrolledKey
from host_tools.games import GAMES
from host_tools.store import open_store
from host_tools.store import store as store_module
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import UNVERIFIED, Verdict
from host_tools.tournament.slips import (
    AGREES,
    SlipBook,
    SlipRefused,
    check_slip,
    compare,
    journals_of,
    slip_fields,
)
from tests.support.reader_bench import ReaderBench

from .fakes import Box, FakeReader, ReaderFault
from .pictures import stock
from .sample_decks import card_values

KEY = bytes(range(32))
KEYS = {seal.tag_key_id(KEY): KEY}
UID = bytes.fromhex("04E10CDA993C80")
FACTORY_213 = bytes.fromhex("0103A00C340300FE") + bytes(136)
FACTORY_215 = bytes.fromhex("0300FE00") + bytes(492)


class SlipReader(FakeReader):
    """A reader with one tag whose memory can be written. `container` is its page 3."""

    def __init__(self, memory: bytes, container: bytes) -> None:
        super().__init__()
        self.container = container
        self.memory = memory
        self.broken = False

    def read_user(self, first_page: int, count_pages: int) -> bytes:
        if first_page == 3:
            return self.container
        start = 4 * (first_page - 4)
        return self.memory[start : start + 4 * count_pages]

    def write_record(self, data: bytes, length_at: int) -> None:
        if self.broken:
            raise ReaderFault("card left")
        assert (len(data) % 4, data[length_at - 1]) == (0, 0x03)
        self.memory = data + self.memory[len(data) :]


def said(box: Box) -> str:
    """The words on the screen, as if the lines were not broken."""
    return box.words().replace(" | ", " ")


def lay_blank(box: Box, reader: SlipReader) -> None:
    reader.queue.append((1, UID, reader.memory))
    box.step()


@pytest.fixture
def box(tmp_path: Path) -> Box:
    """A box with a key of its own at the end of a match: 8 to 0 cards by height."""
    stock(tmp_path)
    found = Box(tmp_path, "en")
    found.settings.set_key(KEY)
    found.give_key()
    return at_the_end(found)


def at_the_end(found: Box) -> Box:
    choice: dict[str, Any] = {"game": "trumpf", "preset": "swiss", "seats": 2, "deck": "gipfel"}
    found.set_choice(**choice)
    found.press("OK+", "OK")
    for first, second in (("A1", "A4"), ("A2", "B1"), ("A3", "B2"), ("B3", "B4")):
        found.lay_card(deck_number("gipfel"), first, card_values("gipfel", first))
        found.press("OK")
        found.lay_card(deck_number("gipfel"), second, card_values("gipfel", second))
    while type(found.app.page()).__name__ == "Message":
        found.press("OK")
    return found


@pytest.fixture
def enrolled(box: Box) -> EnrolledKey:
    """Its line in the desk's list."""
    assert box.app.signing is not None
    return EnrolledKey("box1", box.app.signing.public, 0, "Ada")


def with_tag(box: Box, memory: bytes, container: str) -> SlipReader:
    reader = SlipReader(memory, bytes.fromhex(container))
    box.app.hardware = box.app.hardware._replace(reader=reader)
    return reader


def written_by(box: Box, reader: SlipReader) -> None:
    lay_blank(box, reader)
    assert "Leave it there." in said(box)
    box.wait(18_000)


@pytest.mark.parametrize(
    ("memory", "container"), [(FACTORY_213, "E1101200"), (FACTORY_215, "E1103E00")]
)
def test_the_desk_books_what_the_box_wrote(
    box: Box,
    enrolled: EnrolledKey,
    tmp_path: Path,
    memory: bytes,
    container: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The laptop has no deck `gipfel`, so the journal counts as judged."""
    assert "OK: final; tag: slip" in said(box)
    reader = with_tag(box, memory, container)
    written_by(box, reader)
    assert "The slip is written." in said(box)
    book = SlipBook(tmp_path / "slips.jsonl")
    slip = check_slip(reader.memory, UID, book, [enrolled])
    assert (slip.match_id, slip.box_id, slip.game) == ("1-5a5a5a5a", "box1", "trumpf")
    assert (slip.reason, slip.table) == ("all_cards", "0")
    assert [(seat.total, seat.points, seat.place) for seat in slip.seats] == [(8, 2, 1), (0, 0, 2)]
    assert len(reader.memory) == len(memory)
    assert reader.memory[:5] == memory[:5] or len(memory) != 144
    raw = (box.folder / "m000001.end").read_bytes()
    assert (read_journal(raw).sealed_head or "")[:32] == slip.head.hex()
    with closing(open_store(str(tmp_path / "desk.db"))) as store:
        monkeypatch.setattr(store_module, "judge", lambda *given: Verdict(UNVERIFIED))
        store.add(raw)
        fields = slip_fields(slip, UID)
        assert compare(fields, journals_of(fields, store)) == AGREES
    book.book(slip, UID)
    assert refused(reader.memory, UID, book, enrolled) == "replayed"


def test_a_box_without_a_key_writes_no_slip(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en")
    box.settings.set_key(KEY)
    at_the_end(box)
    assert "slip" not in said(box)
    reader = with_tag(box, FACTORY_215, "E1103E00")
    lay_blank(box, reader)
    assert "The box has no key. Without it no slip." in said(box)
    assert reader.memory == FACTORY_215


def test_a_second_slip_says_the_same_and_ok_still_leaves(box: Box) -> None:
    """Minutes later too: the match has lasted as long as it has lasted."""
    reader = with_tag(box, FACTORY_215, "E1103E00")
    written_by(box, reader)
    first = codec.decode(reader.memory)
    box.wait(120_000)
    written_by(box, reader)
    assert codec.decode(reader.memory).content == first.content
    assert "The slip is written." in said(box)
    box.press("OK", "OK")
    assert box.app.session is None
    assert box.journal.entries()[-1].state == "end"


@pytest.mark.parametrize(
    ("container", "words"),
    [
        ("E1100600", "The tag is too small"),
        ("E1103E0F", "or locked"),
        ("00000000", "The tag is too small"),
    ],
)
def test_a_tag_without_room_says_so(box: Box, container: str, words: str) -> None:
    reader = with_tag(box, FACTORY_215, container)
    written_by(box, reader)
    assert words in said(box)
    assert reader.memory == FACTORY_215


def test_a_tag_pulled_away_is_asked_for_again(box: Box) -> None:
    reader = with_tag(box, FACTORY_215, "E1103E00")
    reader.broken = True
    written_by(box, reader)
    assert "Not written." in said(box)
    reader.broken = False
    written_by(box, reader)
    assert codec.decode(reader.memory).kind == kinds.SLIP


def test_a_playing_card_is_never_overwritten(box: Box) -> None:
    tag = seal.sealed(kinds.GUEST, kinds.Guest("FRf1"), UID, *next(iter(KEYS.items())))
    reader = with_tag(box, codec.encode(tag).ljust(144, b"\0"), "E1101200")
    lay_blank(box, reader)
    assert codec.decode(reader.memory).kind == kinds.GUEST
    assert "This card means nothing here." in said(box)


def test_after_a_slip_the_jury_cannot_take_moves_back(box: Box) -> None:
    reader = with_tag(box, FACTORY_215, "E1103E00")
    written_by(box, reader)
    box.press("OK", "JURY")
    assert type(box.app.page()).__name__ == "ResultPage"
    jury = seal.sealed(kinds.JURY, kinds.Jury(1, "Ada"), UID, *next(iter(KEYS.items())))
    reader.queue.append((1, UID, codec.encode(jury)))
    box.step()
    assert "This card means nothing here." in said(box)


def test_the_jury_menu_leads_back_to_the_result(box: Box) -> None:
    """A box on which nothing made the result final had to be unplugged."""
    box.press("JURY", "JURY")
    assert type(box.app.page()).__name__ == "ResultPage"
    box.press("OK")
    assert type(box.app.page()).__name__ == "StartMenu"


def test_a_match_resumed_after_a_power_cut_knows_its_birth(box: Box) -> None:
    box.power_on()
    assert box.journal.born == "5a5a5a5a"


class FinishedMatch:
    """A match whose result is known; `names` make the slip long or short."""

    header = {"game": "trumpf"}
    t_ms = 600_000

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.match = self

    def result(self) -> dict[str, Any]:
        count = len(self.names)
        return {"reason": "time", "ranking": [list(range(count))], "counts": [16] * count}

    def seat_name(self, seat: int) -> str:
        return self.names[seat]


@pytest.mark.parametrize(
    ("tag", "names", "words"),
    [
        (NtagTwin.ntag213(UID), ("Anna", "Jürg"), "The slip is written."),
        (NtagTwin.ntag213(UID), ("Anna Amsler",) * 6, "The tag is too small"),
        (NtagTwin.ntag215(UID), ("A long name of twenty",) * 8, "The slip is written."),
    ],
)
def test_the_driver_writes_the_slip_on_the_twin(
    box: Box,
    enrolled: EnrolledKey,
    tmp_path: Path,
    tag: NtagTwin,
    names: tuple[str, ...],
    words: str,
) -> None:
    bench = ReaderBench()
    assert bench.reader.start()
    bench.field.place(tag)
    assert [event.code for event in bench.run(300)] == [CARD]
    box.app.session.close()  # type: ignore[union-attr]  # the match is there
    hardware = box.app.hardware._replace(reader=bench.reader, reader_fault=ReaderError)
    box.app.hardware = hardware
    match: Any = FinishedMatch(names)
    write_slip(box.app, match)
    box.wait(18_000)
    assert words in said(box)
    if "written" in words:
        slip = check_slip(tag.user, UID, SlipBook(tmp_path / "slips.jsonl"), [enrolled])
        assert [seat.name for seat in slip.seats] == [name[:20] for name in names]
    else:
        assert tag.user == NtagTwin.ntag213(UID).user


# -- what the desk refuses ------------------------------------------------------------------------


def refused(data: bytes, uid: bytes, book: SlipBook, *enrolled: EnrolledKey) -> str:
    with pytest.raises(SlipRefused) as refusal:
        check_slip(data, uid, book, enrolled)
    return refusal.value.reason


def test_attacks_on_a_signed_slip(box: Box, enrolled: EnrolledKey, tmp_path: Path) -> None:
    reader = with_tag(box, FACTORY_215, "E1103E00")
    written_by(box, reader)
    data, book = reader.memory, SlipBook(tmp_path / "slips.jsonl")
    assert refused(data, UID[:-1] + b"\x81", book, enrolled) == "bad_seal"  # copied
    assert refused(data, UID, book) == "unknown_box"
    revoked = EnrolledKey("box1", enrolled.public, 0, "Ada", 1)
    assert refused(data, UID, book, revoked) == "revoked"
    tag = codec.decode(data)
    high = ORDER - int.from_bytes(tag.check[32:])
    for check in (bytes(64), tag.check[:32] + high.to_bytes(32), tag.check[32:] + tag.check[:32]):
        forged = codec.encode(tag._replace(check=check), lock_control=False)
        assert refused(forged, UID, book, enrolled) == "bad_seal"
    for at in range(2, len(tag.covered)):
        covered = bytearray(tag.covered)
        covered[at] ^= 1
        changed = codec.encode(tag._replace(covered=bytes(covered)), lock_control=False)
        assert refused(changed, UID, book, enrolled) in ("bad_seal", "malformed"), at


def test_a_tag_that_leaves_while_its_slip_is_signed(box: Box, enrolled: EnrolledKey) -> None:
    reader = with_tag(box, FACTORY_213, "E1101200")
    lay_blank(box, reader)
    reader.broken = True
    box.wait(18_000)
    assert "Not written." in said(box)
    reader.broken = False
    written_by(box, reader)
    assert "The slip is written." in said(box)
    lay_blank(box, reader)
    reader.uid = UID[:-1] + b"\x81"
    box.wait(18_000)
    assert "Not written." in said(box)


SIZES = {2: 142, 3: 154, 4: 166, 5: 178, 6: 190, 7: 202, 8: 214}
"""Bytes on a tag, the lock control of an NTAG213 included: 16 around the payload, 38 of match,
game (eight letters) and link, 64 of signature, and 12 for a player whose name has eight letters.
"""


@pytest.mark.parametrize("players", SIZES)
def test_how_long_a_signed_slip_is(players: int) -> None:
    seats = tuple(kinds.SlipSeat("Wilhelmi", 32, 12, 1) for _ in range(players))
    content = kinds.Slip(
        "1234-5a5a5a5a", "", "quartett", "120", "all_cards", 600, bytes(32), seats
    )
    covered = codec.covered_bytes(kinds.SLIP, content, 0xFF)
    tag = kinds.Tag(kinds.SLIP, content, 0xFF, bytes(64), covered)
    assert len(codec.encode(tag, lock_control=True)) == SIZES[players]
    assert codec.content_of(kinds.SLIP, covered) == content._replace(head=bytes(16))
    assert max(map(len, GAMES)) <= len(content.game)
    assert SIZES[2] <= 144
    assert SIZES[8] <= 496


def test_eight_long_names_fit_an_ntag215() -> None:
    seats = tuple(kinds.SlipSeat("Maximiliane-Alexandr", -99, 240, 8) for _ in range(8))
    content = kinds.Slip(
        "99999-5a5a5a5a", "", "an added game", "999", "some", 9999, bytes(16), seats
    )
    covered = codec.covered_bytes(kinds.SLIP, content, 1)
    tag = kinds.Tag(kinds.SLIP, content, 1, bytes(64), covered)
    data = codec.encode(tag, lock_control=False)
    assert len(data) <= 496
    assert codec.decode(data).content == content


def test_one_content_has_one_spelling() -> None:
    """Whatever is read would be written the same."""
    seats = (kinds.SlipSeat("A", 1, None, 1), kinds.SlipSeat("B", 0, 3, 2))
    content = kinds.Slip("7-00112233", "", "whist", "3", "time", 60, bytes(16), seats)
    covered = codec.covered_bytes(kinds.SLIP, content, 9)
    read = 0
    for at in range(2, len(covered)):
        for value in range(256):
            changed = covered[:at] + bytes((value,)) + covered[at + 1 :]
            try:
                found: Any = codec.content_of(kinds.SLIP, changed)
            except TagError:
                continue
            assert codec.covered_bytes(kinds.SLIP, found, 9) == changed
            read += 1
    assert read > 5000
