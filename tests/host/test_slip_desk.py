"""Result slips at the desk: booked once, and refused with the reason otherwise."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from card_tags import codec, errors, framing, kinds, seal
from card_tags.slip import signed_payload
from firmware.app.flash import Flash
from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tags import NtagTwin
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cards.public_keys import EnrolledKey, SigningKey
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.store import open_store
from host_tools.store.journal.reading import JournalFile, read_journal
from host_tools.store.models import SeatResult, StoredMatch
from host_tools.tournament.slips import (
    AGREES,
    CONTESTED,
    CONTRADICTS,
    IMPOSSIBLE,
    JOURNAL_DIFFERS,
    NOT_A_SLIP,
    NOT_YET,
    REPLAYED,
    UNKNOWN_BOX,
    SlipBook,
    SlipRefused,
    check_slip,
    compare,
    journals_of,
    slip_fields,
)
from tests.support.memory_box import MemoryBox, play

UID = bytes.fromhex("04A1B2C3D4E5F6")
KEY = LeagueKey("league", bytes(range(32)))
BOX = SigningKey(bytes(31) + b"\x07")
SEATS = (kinds.SlipSeat("Anna", 20, 2, 1), kinds.SlipSeat("Jürg", 12, 0, 2))
SLIP = kinds.Slip("7-0a1b2c3d", "b0c5", "trumpf", "4", "time", 600, b"\x55" * 16, SEATS)
ENROLLED = [EnrolledKey(SLIP.box_id, BOX.public, 0, "Ada")]


def written(slip: kinds.Slip = SLIP, uid: bytes = UID, key: SigningKey = BOX) -> bytes:
    """As the box with this key writes it onto a tag."""
    name = bytes.fromhex(key.id)[0]
    covered = codec.covered_bytes(kinds.SLIP, slip, name)
    check = key.sign("slip", signed_payload(uid, covered))
    return codec.encode(kinds.Tag(kinds.SLIP, slip, name, check, covered), lock_control=False)


@pytest.fixture
def book(tmp_path: Path) -> SlipBook:
    return SlipBook(tmp_path / "slips.jsonl")


def reason_of(data: bytes, uid: bytes, book: SlipBook) -> str:
    with pytest.raises(SlipRefused) as caught:
        check_slip(data, uid, book, ENROLLED)
    assert caught.value.exit_code == 1
    return caught.value.reason


def test_a_good_slip_is_booked_once(tmp_path: Path, book: SlipBook) -> None:
    slip = check_slip(written(), UID, book, ENROLLED)
    assert slip == SLIP
    book.book(slip, UID)
    assert reason_of(written(), UID, book) == REPLAYED
    again = SlipBook(tmp_path / "slips.jsonl")
    assert reason_of(written(), UID, again) == REPLAYED


def test_a_second_result_of_the_same_match_is_for_the_jury(book: SlipBook) -> None:
    book.book(SLIP, UID)
    other = SLIP._replace(head=b"\x66" * 16)
    assert reason_of(written(other), UID, book) == CONTRADICTS


def test_copied_forged_and_of_a_box_that_is_not_enrolled(book: SlipBook) -> None:
    assert reason_of(written(), UID[:-1] + b"\x00", book) == errors.BAD_SEAL
    stranger = SigningKey(bytes(31) + b"\x08")
    assert reason_of(written(key=stranger), UID, book) == UNKNOWN_BOX
    tag = codec.decode(written())
    forged = codec.encode(tag._replace(check=bytes(64)), lock_control=False)
    assert reason_of(forged, UID, book) == errors.BAD_SEAL
    with pytest.raises(SlipRefused) as caught:
        check_slip(written(), UID, book)
    assert caught.value.reason == UNKNOWN_BOX


def test_the_league_key_signs_no_slip(book: SlipBook) -> None:
    """It lies in every box: a slip sealed with it, as a card is, is none."""
    league = seal.sealed(kinds.SLIP, SLIP, UID, KEY.number, KEY.secret)
    payload = league.covered + league.check
    data = framing.framed(kinds.SLIP, payload, lock_control=False)
    assert reason_of(data, UID, book) in (errors.MALFORMED, errors.TORN)
    padded = framing.framed(kinds.SLIP, payload.ljust(len(league.covered) + 64, b"\0"), False)
    assert reason_of(padded, UID, book) == UNKNOWN_BOX


def test_every_changed_byte_is_refused(book: SlipBook) -> None:
    data = written()
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x04
        reason_of(bytes(changed), UID, book)


def test_truncated_anywhere_is_refused(book: SlipBook) -> None:
    data = written()
    for length in range(len(data) - 1):
        padded = data[:length] + bytes(len(data) + 8 - length)
        assert reason_of(padded, UID, book) in (
            errors.TORN,
            errors.EMPTY,
            errors.FOREIGN,
            errors.WRONG_VERSION,
            errors.BAD_SEAL,
            errors.MALFORMED,
        )


def test_another_kind_of_tag_is_no_slip(book: SlipBook) -> None:
    tag = seal.sealed(kinds.GUEST, kinds.Guest("FRf1"), UID, KEY.number, KEY.secret)
    assert reason_of(codec.encode(tag), UID, book) == NOT_A_SLIP


@pytest.mark.parametrize(
    ("places", "possible"),
    [((1, 1), True), ((1, 2), True), ((1, 3), False), ((2, 2), False), ((0, 1), False)],
)
def test_places_must_be_those_of_a_ranking(
    book: SlipBook, places: tuple[int, int], possible: bool
) -> None:
    seats = tuple(seat._replace(place=place) for seat, place in zip(SEATS, places, strict=True))
    data = written(SLIP._replace(seats=seats))
    if possible:
        assert check_slip(data, UID, book, ENROLLED).seats == seats
    else:
        assert reason_of(data, UID, book) == IMPOSSIBLE


# -- commands ------------------------------------------------------------------------------


@pytest.fixture
def with_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "keys.json"
    save_keys(KeyRing([KEY]), path)
    monkeypatch.setenv("SCHIRI_KEYS", str(path))
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "desk.db"))
    monkeypatch.chdir(tmp_path)
    with closing(open_store()) as store:
        store.enrolled.enrol(SLIP.box_id, BOX.public, "Ada")


@pytest.mark.usefixtures("with_key")
def test_a_dump_is_read_booked_and_refused_the_second_time(tmp_path: Path) -> None:
    (tmp_path / "slip.bin").write_bytes(written())
    arguments = ["slip", "--file", "slip.bin", "--uid", UID.hex(), "--json"]
    first = CliRunner().invoke(schiri, arguments)
    seats = json.loads(first.output)["seats"]
    assert [(seat["name"], seat["count"]) for seat in seats] == [("Anna", 20), ("Jürg", 12)]
    second = CliRunner().invoke(schiri, arguments)
    assert isinstance(second.exception, SlipRefused)


@pytest.mark.usefixtures("with_key")
def test_slip_and_tag_commands_on_a_reader(tmp_path: Path) -> None:
    runner = CliRunner()
    tag = NtagTwin.ntag215(UID)
    tag.load_user(written())
    with ReaderPty() as reader:
        with reader.lock:
            reader.field.place(tag)
        where = ["--reader", "pn532", "--port", str(reader.path)]
        slip = runner.invoke(schiri, ["slip", *where])
        assert "1. Anna: 20, 2 points" in slip.output
        found = runner.invoke(schiri, ["tag", "read", *where, "--output", "dump.bin"]).output
        assert "NTAG215 04a1b2c3d4e5f6" in found
        assert "result slip of match 7-0a1b2c3d: Anna, Jürg 20:12" in found
        assert "dump.bin: 496 bytes from page 4\n" in found
        assert (tmp_path / "dump.bin").read_bytes() == tag.user[:496]
        assert "erased" in runner.invoke(schiri, ["tag", "erase", *where, "--yes"]).output
        empty = runner.invoke(schiri, ["tag", "read", *where])
        assert isinstance(empty.exception, UserError)
        assert "the tag is empty" in str(empty.exception)


# -- beside the journal --------------------------------------------------------------------


def played(folder: Path) -> JournalFile:
    """The journal of a finished Hattrick match of box `b0c5`."""
    box = MemoryBox(Flash(str(folder / "box")), key=BOX)
    play(box.journal)
    return read_journal((folder / "box" / "m000001.end").read_bytes())


def slip_of(journal: JournalFile, **changes: object) -> kinds.Slip:
    """What the box would write about this match (firmware/app/slip.py)."""
    result = journal.result or {}
    places = {
        seat: 1 + sum(map(len, result["ranking"][:n]))
        for n, seats in enumerate(result["ranking"])
        for seat in seats
    }
    seats = tuple(
        kinds.SlipSeat("", score, None, places[seat])
        for seat, score in enumerate(result["scores"])
    )
    head = bytes.fromhex(journal.head_before)[:16]
    name = f"{journal.number}-{journal.born}"
    slip = kinds.Slip(name, journal.box, "hattrick", "0", result["reason"], 60, head, seats)
    return slip._replace(**changes)


def read(slip: kinds.Slip, *more: str, lang: str = "en") -> Result:
    Path("slip.bin").write_bytes(written(slip))
    arguments = ["--lang", lang, "slip", "--file", "slip.bin", "--uid", UID.hex(), *more]
    return CliRunner().invoke(schiri, arguments)


def put_into_store(journal: JournalFile) -> None:
    with closing(open_store()) as store:
        store.add(journal.raw)


@pytest.mark.usefixtures("with_key")
def test_the_slip_of_a_stored_match_agrees(tmp_path: Path) -> None:
    journal = played(tmp_path)
    put_into_store(journal)
    result = read(slip_of(journal))
    assert "the stored journal tells the same; booked" in result.output
    assert "tells the same" in CliRunner().invoke(schiri, ["slip", "--booked"]).output
    (told,) = json.loads(CliRunner().invoke(schiri, ["slip", "--booked", "--json"]).output)
    assert (told["journal"], told["head"]) == ("agrees", slip_of(journal).head.hex())


@pytest.mark.usefixtures("with_key")
def test_a_slip_is_told_in_the_language_asked_for(tmp_path: Path) -> None:
    journal = played(tmp_path)
    slip = slip_of(journal)
    first, *others = slip.seats
    scored = slip._replace(seats=(first._replace(points=1), *others))
    told = read(scored, lang="de").output
    assert f"{first.total}, 1 Punkt\n" in told
    assert "stimmt; das Journal dieser Partie ist noch nicht da; gebucht.\n" in told
    put_into_store(journal)
    checked = CliRunner().invoke(schiri, ["--lang", "de", "slip", "--booked"]).output
    heads = [line.split("  ")[0] for line in checked.splitlines()]
    seats = [f"Platz {number}" for number in range(1, len(slip.seats) + 1)]
    assert heads == [
        f"Partie {slip.match_id}, Box {slip.box_id}: das gespeicherte Journal sagt etwas anderes: "
        "Die Jury muss entscheiden.",
        "",
        *seats,
        "Ende",
        "Letzter Eintrag",
    ]
    assert "Spielzettel" in checked
    assert "Journal 1, geprüft" in checked


@pytest.mark.usefixtures("with_key")
@pytest.mark.parametrize("what", ["head", "total", "name", "points"])
def test_a_slip_that_contradicts_the_stored_journal_is_not_booked(
    tmp_path: Path, what: str
) -> None:
    journal = played(tmp_path)
    put_into_store(journal)
    slip = slip_of(journal)
    first, *others = slip.seats
    better = {"total": first.total + 1, "name": "Eve", "points": 2}
    if what == "head":
        result = read(slip._replace(head=b"\x66" * 16))
    else:
        result = read(slip._replace(seats=(first._replace(**{what: better[what]}), *others)))
    assert isinstance(result.exception, SlipRefused)
    assert result.exception.reason == JOURNAL_DIFFERS
    assert SlipBook(places.slips()).entries == []


@pytest.mark.usefixtures("with_key")
@pytest.mark.parametrize("total", [0, 1])
def test_a_slip_is_kept_until_its_journal_comes(tmp_path: Path, total: int) -> None:
    """It is compared then, by `schiri slip --booked`."""
    journal = played(tmp_path)
    slip = slip_of(journal)
    better = slip.seats[0]._replace(total=slip.seats[0].total + total)
    first = read(slip._replace(seats=(better, *slip.seats[1:])), "--json")
    assert json.loads(first.output)["journal"] == "not_yet"
    waiting = CliRunner().invoke(schiri, ["slip", "--booked"])
    assert (waiting.exit_code, "has not come yet" in waiting.output) == (0, True)
    put_into_store(journal)
    later = CliRunner().invoke(schiri, ["slip", "--booked"])
    assert isinstance(later.exception, UserError) == bool(total)
    assert ("tells otherwise" if total else "tells the same") in later.output


def test_the_same_number_of_a_wiped_box_is_another_match(tmp_path: Path) -> None:
    journal = played(tmp_path)
    with closing(open_store(str(tmp_path / "desk.db"))) as store:
        store.add(journal.raw)
        other = slip_of(journal, match_id="1-ffffffff")
        for slip, expected in ((other, NOT_YET), (slip_of(journal), AGREES)):
            fields = slip_fields(slip, UID)
            assert compare(fields, journals_of(fields, store)) == expected


@pytest.mark.parametrize(
    ("journal", "outcome"),
    [
        (None, NOT_YET),
        ({}, AGREES),
        ({"state": "unverified"}, AGREES),
        ({"state": "contested"}, CONTESTED),
        ({"count": 21}, CONTRADICTS),
        ({"points": 1}, CONTRADICTS),
        ({"place": 2}, CONTRADICTS),
        ({"name": "Anne"}, CONTRADICTS),
        ({"head": "55" * 15 + "56" * 17}, CONTRADICTS),
        ({"head": None}, CONTRADICTS),
    ],
)
def test_a_slip_agrees_with_a_journal_that_says_the_same_of_every_seat(
    journal: dict[str, Any] | None, outcome: str
) -> None:
    journals = [] if journal is None else [stored_as(SLIP, **journal)]
    assert compare(slip_fields(SLIP, UID), journals) == outcome


def test_of_several_journals_one_that_agrees_is_enough_and_a_contested_one_is_nothing() -> None:
    slip = slip_fields(SLIP, UID)
    good, other = stored_as(SLIP), stored_as(SLIP, count=21)
    contested = stored_as(SLIP, state="contested")
    assert compare(slip, [other, good]) == AGREES
    assert compare(slip, [contested, other]) == CONTRADICTS
    assert compare(slip, [contested, contested]) == CONTESTED


def stored_as(
    slip: kinds.Slip,
    *,
    state: str = "verified",
    head: str | None = "55" * 32,
    **first_seat: object,
) -> StoredMatch:
    """The journal of the slip's match as the store keeps it, but for what is given."""
    seats = [
        SeatResult(seat=n, name=seat.name, count=seat.total, points=seat.points, place=seat.place)
        for n, seat in enumerate(slip.seats)
    ]
    for name, value in first_seat.items():
        setattr(seats[0], name, value)
    return StoredMatch(number=7, born="0a1b2c3d", state=state, sealed_head=head, seats=seats)
