"""The box writes a result slip, and the desk accepts exactly that."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from card_tags import codec, kinds, seal
from card_tags.deck_card import deck_number
from firmware.app.slip import write_slip
from firmware.drivers.pn532.errors import ReaderError
from firmware.drivers.presence import CARD
from hardware.twin.tags import NtagTwin
from host_tools.store import open_store
from host_tools.store import store as store_module
from host_tools.store.journal.verdict import UNVERIFIED, Verdict
from host_tools.tournament.slips.book import SlipBook, slip_fields
from host_tools.tournament.slips.checking import SlipRefused, check_slip
from host_tools.tournament.slips.comparing import AGREES, compare, journals_of
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
    """A box with a key at the end of a match: 8 to 0 cards by height."""
    stock(tmp_path)
    found = Box(tmp_path, "en")
    found.settings.set_key(KEY)
    choice: dict[str, Any] = {"game": "trumpf", "preset": "swiss", "seats": 2, "deck": "gipfel"}
    found.set_choice(**choice)
    found.press("OK+", "OK")
    for first, second in (("A1", "A4"), ("A2", "B1"), ("A3", "B2"), ("B3", "B4")):
        found.lay_card(deck_number("gipfel"), first, card_values("gipfel", first))
        found.press("OK")
        found.lay_card(deck_number("gipfel"), second, card_values("gipfel", second))
    while type(found.app.page()).__name__ == "Message":
        found.press("OK")
    assert "OK: final; tag: slip" in said(found)
    return found


def with_tag(box: Box, memory: bytes, container: str) -> SlipReader:
    reader = SlipReader(memory, bytes.fromhex(container))
    box.app.hardware = box.app.hardware._replace(reader=reader)
    return reader


@pytest.mark.parametrize(
    ("memory", "container"), [(FACTORY_213, "E1101200"), (FACTORY_215, "E1103E00")]
)
def test_the_desk_books_what_the_box_wrote(
    box: Box,
    tmp_path: Path,
    memory: bytes,
    container: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The laptop has no deck `gipfel`, so the journal counts as judged."""
    reader = with_tag(box, memory, container)
    lay_blank(box, reader)
    assert "The slip is written." in said(box)
    book = SlipBook(tmp_path / "slips.jsonl")
    slip = check_slip(reader.memory, UID, KEYS, book)
    assert (slip.match_id, slip.box_id, slip.game) == ("1-5a5a5a5a", "BOX1", "trumpf")
    assert slip.reason == "all_cards"
    assert [(seat.total, seat.points, seat.place) for seat in slip.seats] == [(8, 2, 1), (0, 0, 2)]
    assert len(reader.memory) == len(memory)
    assert reader.memory[:5] == memory[:5] or len(memory) != 144
    with closing(open_store(str(tmp_path / "desk.db"))) as store:
        raw = (box.folder / "m000001.end").read_bytes()
        monkeypatch.setattr(store_module, "judge", lambda journal, keys_of: Verdict(UNVERIFIED))
        store.add(raw, lambda box: {})
        fields = slip_fields(slip, UID)
        assert compare(fields, journals_of(fields, store)) == AGREES
    with pytest.raises(SlipRefused):
        check_slip(reader.memory, UID[:-1] + b"\x81", KEYS, book)


def test_a_second_slip_says_the_same_and_ok_still_leaves(box: Box) -> None:
    """Minutes later too: the match has lasted as long as it has lasted."""
    reader = with_tag(box, FACTORY_215, "E1103E00")
    lay_blank(box, reader)
    first = codec.decode(reader.memory)
    box.wait(120_000)
    lay_blank(box, reader)
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
    lay_blank(box, reader)
    assert words in said(box)
    assert reader.memory == FACTORY_215


def test_a_tag_pulled_away_is_asked_for_again(box: Box) -> None:
    reader = with_tag(box, FACTORY_215, "E1103E00")
    reader.broken = True
    lay_blank(box, reader)
    assert "Not written." in said(box)
    reader.broken = False
    lay_blank(box, reader)
    assert codec.decode(reader.memory).kind == kinds.SLIP


def test_a_playing_card_is_never_overwritten(box: Box) -> None:
    tag = seal.sealed(kinds.GUEST, kinds.Guest("FRf1"), UID, *next(iter(KEYS.items())))
    reader = with_tag(box, codec.encode(tag).ljust(144, b"\0"), "E1101200")
    lay_blank(box, reader)
    assert codec.decode(reader.memory).kind == kinds.GUEST
    assert "This card means nothing here." in said(box)


def test_after_a_slip_the_jury_cannot_take_moves_back(box: Box) -> None:
    reader = with_tag(box, FACTORY_215, "E1103E00")
    lay_blank(box, reader)
    box.press("OK", "JURY")
    assert type(box.app.page()).__name__ == "ResultPage"
    jury = seal.sealed(kinds.JURY, kinds.Jury(1, "Ada"), UID, *next(iter(KEYS.items())))
    reader.queue.append((1, UID, codec.encode(jury)))
    box.step()
    assert "This card means nothing here." in said(box)


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
    ("tag", "names", "said_key"),
    [
        (NtagTwin.ntag213(UID), ("Anna", "Jürg"), "slip_written"),
        (NtagTwin.ntag213(UID), ("Anna Amsler",) * 6, "slip_too_small"),
        (NtagTwin.ntag215(UID), ("A long name of twenty",) * 8, "slip_written"),
    ],
)
def test_the_driver_writes_the_slip_on_the_twin(
    box: Box, tmp_path: Path, tag: NtagTwin, names: tuple[str, ...], said_key: str
) -> None:
    bench = ReaderBench()
    assert bench.reader.start()
    bench.field.place(tag)
    assert [event.code for event in bench.run(300)] == [CARD]
    box.app.session.close()  # type: ignore[union-attr]  # the match is there
    hardware = box.app.hardware._replace(reader=bench.reader, reader_fault=ReaderError)
    box.app.hardware = hardware
    match: Any = FinishedMatch(names)
    assert write_slip(box.app, match) == said_key
    if said_key == "slip_written":
        slip = check_slip(tag.user, UID, KEYS, SlipBook(tmp_path / "slips.jsonl"))
        assert [seat.name for seat in slip.seats] == [name[:20] for name in names]
    else:
        assert tag.user == NtagTwin.ntag213(UID).user
