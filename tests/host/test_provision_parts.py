"""The parts of provisioning: signature, chips, sets, labels, and the PN532 on a serial adapter."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from pypdf import PdfReader
from tag_desk import uid

from card_tags import kinds
from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tag_models import MODELS
from hardware.twin.tags import NtagTwin
from host_tools.cards.decks import load_deck
from host_tools.cards.tag_items import Item, Set, deck_items
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.games.cafe.tags import guest_items, table_items
from host_tools.games.hattrick import hattrick_items
from host_tools.print.labels import write_labels
from host_tools.provision import items
from host_tools.provision.chips import CHIPS, LOCK_STATIC, chip_by_cc, chip_by_version
from host_tools.provision.ledger import WRITTEN, LedgerEntry, TagLedger
from host_tools.provision.originality import is_genuine
from host_tools.provision.port import TagRefused
from host_tools.provision.serial_port import open_serial_port
from host_tools.provision.writer import identify, write_record

POINTS_PER_MM = 72 / 25.4
# pairs of UID and READ_SIG that owners of genuine tags have published (research of the project)
GENUINE = [
    ("04E10CDA993C80", "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"),
    ("04DB0BDA993C80", "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0"),
]


@pytest.mark.parametrize(("uid_hex", "signature"), GENUINE)
def test_published_signatures_fit_and_changed_ones_do_not(uid_hex: str, signature: str) -> None:
    uid_bytes, signed = bytes.fromhex(uid_hex), bytes.fromhex(signature)
    assert is_genuine(uid_bytes, signed)
    for place in range(len(signed)):
        changed = bytearray(signed)
        changed[place] ^= 1
        assert not is_genuine(uid_bytes, bytes(changed))
    assert not is_genuine(uid_bytes[:-1] + b"\x81", signed)


@pytest.mark.parametrize("signature", [b"", bytes(32), b"\xff" * 32, bytes(31)])
def test_what_is_no_signature_is_not_genuine(signature: bytes) -> None:
    assert not is_genuine(bytes.fromhex("04E10CDA993C80"), signature)


# NXP data sheet rev 3.2, 8.5.3: every lock bit without the block-lock and the reserved ones
LOCKS = {"NTAG213": "ff0f0000", "NTAG215": "ff000000", "NTAG216": "ff3f0000"}


def test_the_chip_table_is_that_of_the_twin() -> None:
    """Two rooms know the chips' memory; this keeps them equal."""
    for chip in CHIPS:
        model = MODELS[chip.name]
        assert (chip.storage, chip.cc_size) == (model.version_size, model.cc_size)
        assert chip.lock_page == model.dynamic_lock_page
        assert chip.user_bytes == 8 * model.cc_size
        assert chip.lock_dynamic.hex() == LOCKS[chip.name]
        assert chip_by_version(model.version) is chip
        assert chip_by_cc(bytes((0xE1, 0x10, model.cc_size, 0))) is chip
        assert chip.lock_control == model.factory_user.startswith(b"\x01\x03\xa0\x0c\x34")
    assert LOCK_STATIC.hex() == "0000f8ff"


def test_the_sets_have_their_numbers() -> None:
    sets = (guest_items(), table_items(), hattrick_items())
    assert [len(one.items) for one in sets] == [100, 24, 60]
    for one in sets:
        assert len({item.code for item in one.items}) == len(one.items)


def test_the_key_of_a_set_changes_with_any_value() -> None:
    deck = load_deck("berge")
    before = deck_items(deck, with_deck_card=False).key
    deck["cards"][0]["values"][0] += 1
    assert deck_items(deck, with_deck_card=False).key != before


def test_badges_come_from_a_player_list(tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    path.write_text("id,name,club\np1,Änne,Bern\np2,Bo,\n", encoding="utf8")
    found = items.badge_items(path, "Aarau")
    assert [tuple(item.content) for item in found.items] == [
        ("p1", "Änne", "Aarau"),
        ("p2", "Bo", "Aarau"),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name\nBo\n", ":1: the first line must name the columns id and name"),
        ("id,name\n", "holds no players"),
        ("id,name\np1,\n", ":2: name: 1 to 60 bytes"),
        ("id,name\np1,Bo\np1,Cy\n", ":3: id: p1 is there twice"),
    ],
)
def test_a_faulty_player_list_names_the_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "players.csv"
    path.write_text(text, encoding="utf8")
    with pytest.raises(UserError, match=sentence):
        items.badge_items(path, "")


def test_labels_hold_code_and_name_of_every_card(tmp_path: Path) -> None:
    batch = deck_items(load_deck("berge"), with_deck_card=False)
    write_labels(batch, None, tmp_path / "labels.pdf")
    pages = PdfReader(tmp_path / "labels.pdf").pages
    text = "\n".join(page.extract_text() for page in pages)
    assert len(pages) == 2
    for item in batch.items:
        assert item.code in text
    assert "Täschhorn" in text


def test_labels_print_every_european_letter(tmp_path: Path) -> None:
    """The codes of a deck are ASCII; its names and its title are whatever people are called."""
    deck = load_deck("berge")
    deck["title"] = "Şahin Ğülay"
    names = ["Žofia", "Łódź", "İzmir ıĞşçő", "Wolfeschlegelsteinhausenbergerdorff"]
    for card, name in zip(deck["cards"], names, strict=False):
        card["name"] = name
    (tmp_path / "deck.json").write_text(json.dumps(deck), encoding="utf8")
    sheet = tmp_path / "labels.pdf"
    done = CliRunner().invoke(
        schiri, ["provision", "labels", str(tmp_path / "deck.json"), "-o", str(sheet)]
    )
    assert done.exit_code == 0, done.output
    text = "\n".join(page.extract_text() for page in PdfReader(sheet).pages)
    assert [name for name in [*names[:3], deck["title"]] if name not in text] == []
    assert names[3] in text.replace("\n", "")  # too long for one line
    assert "?" not in text


def test_labels_name_the_tags_of_the_ledger(tmp_path: Path) -> None:
    """Under the key by which `schiri provision deck` has written them, deck card included."""
    key = deck_items(load_deck("berge"), with_deck_card=True).key
    entry = LedgerEntry(key, "A3", "Täschhorn", "04e10cda993c80", WRITTEN)
    TagLedger(tmp_path / "tags.jsonl").add(entry)
    sheet = tmp_path / "labels.pdf"
    arguments = ["labels", "berge", "-o", str(sheet), "--ledger", str(tmp_path / "tags.jsonl")]
    assert CliRunner().invoke(schiri, ["provision", *arguments]).exit_code == 0
    lines = PdfReader(sheet).pages[0].extract_text().splitlines()
    third = lines.index("A3")
    assert lines[third : third + 4] == ["A3", "Täschhorn", "deck berge", entry.uid]


def test_labels_stay_inside_their_frames(tmp_path: Path) -> None:
    """Three columns of 65 mm from 7 mm on, eight rows of 34 mm from 12 mm on, on A4."""
    item = Item("Ğ" * 40, "Łukasz " * 5, kinds.BADGE, None)
    write_labels(Set("İzmir " * 5, (item,) * 24), None, tmp_path / "labels.pdf")
    (page,) = PdfReader(tmp_path / "labels.pdf").pages
    places: list[tuple[float, float]] = []

    def note(text: str, _: object, matrix: list[float], *font: object) -> None:
        if text.strip():
            places.append((matrix[4] / POINTS_PER_MM, 297 - matrix[5] / POINTS_PER_MM))

    page.extract_text(visitor_text=note)
    cells = {(int((x - 7) // 65), int((y - 12) // 34)) for x, y in places}
    assert cells == {(column, row) for column in range(3) for row in range(8)}
    assert {round((x - 7) % 65) for x, _ in places} == {33}  # right of the QR code


def test_a_sheet_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        write_labels(hattrick_items(), None, tmp_path / "missing" / "labels.pdf")


def test_a_pn532_on_a_serial_adapter_through_adafruits_driver() -> None:
    tag = NtagTwin.ntag213(uid(5))
    with ReaderPty() as reader:
        port = open_serial_port(str(reader.path))
        assert port.find() is None
        with reader.lock:
            reader.field.place(tag)
        assert port.find() == tag.uid
        chip = identify(port)
        assert (chip.name, port.signature()) == ("NTAG213", tag.signature)
        record = b"\x01\x03\xa0\x0c\x34\x03\x03\xd0\x00\x00\xfe\x00"
        write_record(port, record, chip)
        assert port.read(4, 36) == tag.user
        with pytest.raises(TagRefused):
            port.write_page(44 + 1, bytes(4))
        assert tag.user.startswith(record)
        port.close()


def test_a_dry_run_needs_no_reader() -> None:
    arguments = ["provision", "deck", "kneipe", "--no-seal", "--dry-run"]
    result = CliRunner().invoke(schiri, arguments)
    assert result.exit_code == 0
    assert result.output.splitlines()[6].startswith("[7/35] B3    Goldener Krug")
    assert result.output.splitlines()[-1].endswith("NTAG215")


def test_without_a_port_the_sentence_says_what_to_give() -> None:
    result = CliRunner().invoke(schiri, ["provision", "hattrick", "--no-seal"])
    assert isinstance(result.exception, UserError)
    assert "Give --port" in str(result.exception)
