"""From the first tap to the booked result: box in the MicroPython VM, slip on a tag, desk.

The whole path of docs/provisioning.md, *Result slips*, with the firmware as it is.
"""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
import serial

from card_tags import codec, errors, kinds
from card_tags.slip import signed_payload
from firmware.app.flash import Flash
from firmware.app.own_key import OwnKey
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.cards.public_keys import SigningKey
from host_tools.core import places
from host_tools.store import open_store
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import CONTESTED, VERIFIED
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.collecting import Collector
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService
from host_tools.tournament.slips import JOURNAL_DIFFERS, REPLAYED, SlipBook, SlipRefused
from tests.host.tournament.test_incoming import command
from tests.twin.slip_evening import (
    NAMES,
    PORT,
    TABLE,
    Cable,
    Evening,
    copy_of,
    hand_in,
    must,
    run,
    tags_of_the_evening,
)

pytestmark = pytest.mark.vm

FORFEIT = [("Anna", 12, 2, 1), ("Fatoş", 0, 0, 2)]  # SW-7: 12:0; SW-6: 2 points and none
SLIP_UID, SMALL_UID, OTHER_UID = (bytes.fromhex(f"045C415249{n:04x}") for n in (1, 2, 3))


@dataclass
class Played:
    """The evening is over: box and tags are still there."""

    evening: Evening
    slip: NtagTwin
    small_slip: NtagTwin
    journal: bytes
    key: SigningKey


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """One match for all tests here; the box stays on, no match is open."""
    folder = tmp_path_factory.mktemp("evening")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCHIRI_KEYS", str(folder / "keys.json"))
        must("keys", "new", "league-2026")
        tags = tags_of_the_evening(folder / "tags.jsonl")
        with TwinSession("micropython", folder / "flash") as box:
            patch.setattr(serial, "serial_for_url", lambda *_, **__: Cable(box))
            evening = Evening(box, tags)
            evening.stage.power_on()
            must("box", "set", "--port", PORT, "--table", TABLE, "--key")
            evening.play()
            slip, small = NtagTwin.ntag215(SLIP_UID), NtagTwin.ntag213(SMALL_UID)
            evening.stage.hand_out_slip(slip)
            box.run_for(5_000)
            evening.stage.hand_out_slip(small)
            evening.stage.leave()
            (journal,) = (folder / "flash").rglob("m000001.end")
            key = stolen_key(journal.parent)
            yield Played(evening, slip, small, journal.read_bytes(), key)


@pytest.fixture(autouse=True)
def desk(played: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that has enrolled the box, with a database and a book of its own for every test."""
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "desk.db"))
    monkeypatch.chdir(tmp_path)
    with closing(open_store()) as store:
        store.enrolled.enrol(box_of(played), played.key.public, "Ada")


def stolen_key(storage: Path) -> SigningKey:
    """What the box never tells: read out of its flash, as a thief would."""
    return SigningKey(OwnKey(Flash(str(storage)))._load().to_bytes(32))


def box_of(played: Played) -> str:
    return read_journal(played.journal).box


def seats(entry: dict[str, list[dict[str, object]]]) -> list[tuple[object, ...]]:
    return [(s["name"], s["count"], s["points"], s["place"]) for s in entry["seats"]]


def reason_of(tag: NtagTwin) -> str:
    """Why the desk refuses this tag; nothing is booked."""
    refused = hand_in(tag).exception
    assert isinstance(refused, SlipRefused)
    assert SlipBook(places.slips()).entries == []
    return refused.reason


def forged(played: Played) -> NtagTwin:
    """Somebody who has stolen the box's key gives Fatoş the match, on a tag of his own."""
    slip = codec.decode(played.slip.user).content
    assert isinstance(slip, kinds.Slip)
    anna, fatos = slip.seats
    other = slip._replace(
        seats=(
            anna._replace(total=0, points=0, place=2),
            fatos._replace(total=12, points=2, place=1),
        )
    )
    tag = NtagTwin.ntag215(OTHER_UID)
    name = bytes.fromhex(played.key.id)[0]
    covered = codec.covered_bytes(kinds.SLIP, other, name)
    check = played.key.sign("slip", signed_payload(tag.uid, covered))
    made = kinds.Tag(kinds.SLIP, other, name, check, covered)
    tag.load_user(codec.encode(made, lock_control=False))
    return tag


# -- the way it should be ----------------------------------------------------------------------


def test_the_slip_first_and_the_journal_later(played: Played) -> None:
    """Read at the desk's own reader, booked, and compared when the box has been synced."""
    first = hand_in(played.slip, "--json")
    entry = json.loads(first.stdout)
    assert entry["journal"] == "not_yet"
    assert seats(entry) == FORFEIT
    assert (entry["game"], entry["table"], entry["reason"]) == ("trumpf", TABLE, "forfeit")
    assert "verified" in must("sync", "--port", PORT, "--quiet")
    with closing(open_store()) as store:
        (match,) = store.matches()
    assert match.state == VERIFIED
    assert [(s.name, s.count, s.points, s.place) for s in match.seats] == FORFEIT
    assert entry["match"] == f"1-{match.born}"
    steps = read_journal(match.journal).steps
    assert entry["duration_s"] == steps[-1][1]["t"] // 1000
    assert "the stored journal tells the same" in must("slip", "--booked")


def test_the_journal_first_and_the_slip_through_the_box(played: Played) -> None:
    """A desk without a reader of its own reads the slip on the box that hangs on its cable."""
    must("sync", "--port", PORT, "--quiet")
    played.evening.box.field.place(played.slip)
    said = must("slip", "--port", PORT)
    played.evening.box.field.clear()
    assert "1. Anna: 12, 2 points\n2. Fatoş: 0, 0 points\n" in said
    assert "The signature fits; the stored journal tells the same; booked." in said
    assert [seats(entry) for entry in SlipBook(places.slips()).entries] == [FORFEIT]


def test_a_second_slip_of_the_same_match_is_known_already(played: Played) -> None:
    """It was written seconds later, on a smaller tag, and says the same to the second."""
    assert codec.decode(played.small_slip.user).content == codec.decode(played.slip.user).content
    assert hand_in(played.slip).exit_code == 0
    refused = hand_in(played.small_slip).exception
    assert isinstance(refused, SlipRefused)
    assert refused.reason == REPLAYED


# -- and the way it should not -----------------------------------------------------------------


def test_a_slip_with_another_number_on_it_is_refused(played: Played) -> None:
    """Anybody with a phone can make twelve cards thirteen; the signature is that for twelve."""
    found = codec.decode(played.slip.user)
    anna, fatos = found.content.seats
    better = found.content._replace(seats=(anna._replace(total=13), fatos))
    covered = codec.covered_bytes(kinds.SLIP, better, found.key_id)
    tag = copy_of(played.slip)
    changed = kinds.Tag(kinds.SLIP, better, found.key_id, found.check, covered)
    tag.load_user(codec.encode(changed, lock_control=False))
    assert codec.decode(tag.user).content.seats[0].total == 13
    assert reason_of(tag) == errors.BAD_SEAL


def test_a_copy_on_another_tag_is_refused(played: Played) -> None:
    assert reason_of(copy_of(played.slip, OTHER_UID)) == errors.BAD_SEAL


def test_a_slip_that_the_journal_contradicts_is_for_the_jury(played: Played) -> None:
    """The seal holds, for the key was stolen; the journal shows it, and people see both."""
    must("sync", "--port", PORT, "--quiet")
    tag = forged(played)
    assert reason_of(tag) == JOURNAL_DIFFERS
    table = hand_in(tag).stderr
    assert re.search(r"^ +Slip +Journal 1, verified$", table, re.MULTILINE)
    assert re.search(r"^Seat 1 +2\. Anna: 0, 0 points +1\. Anna: 12, 2 points$", table, re.M)
    assert re.search(r"^Seat 2 +1\. Fatoş: 12, 2 points +2\. Fatoş: 0, 0 points$", table, re.M)
    assert hand_in(played.slip).exit_code == 0  # the true one is booked


def test_a_false_slip_that_was_faster_than_the_journal_comes_to_light(played: Played) -> None:
    assert hand_in(forged(played)).exit_code == 0
    must("sync", "--port", PORT, "--quiet")
    later = run("slip", "--booked")
    assert str(later.exception) == "1 slip contradicts its journal; the jury must decide."
    assert re.search(
        r"^Seat 1 +2\. Anna: 0, 0 points +1\. Anna: 12, 2 points$", later.output, re.M
    )


def test_a_contested_journal_proves_nothing_against_the_slip(played: Played) -> None:
    """Somebody has changed the copy of the journal that came to the desk."""
    changed = played.journal.replace(b'"counts":[12,0]', b'"counts":[0,12]')
    with closing(open_store()) as store:
        stored = store.add(changed)
    assert stored.state == CONTESTED
    done = hand_in(played.slip)
    assert done.exit_code == 0
    assert "the stored journal of this match is contested: the jury must decide" in done.output
    assert f"Journal {stored.id}: {stored.reason}" in done.output


# -- in a tournament ---------------------------------------------------------------------------


@pytest.mark.parametrize("false", [False, True])
def test_box_and_slip_stand_side_by_side_at_the_desk(
    played: Played, tmp_path: Path, false: bool
) -> None:
    made = ev.Created(name="Cup", ko_size=2, tables=1, decks=["berge"])
    service = TournamentService.create(str(tmp_path / "desk.db"), "desk", made)
    players = [Entrant(id=f"p{n}", name=name) for n, name in enumerate((*NAMES, "Jörg"), 1)]
    service.do("desk", "", command(entrants.add_players, players))
    service.do("desk", "", command(entrants.draw, 3, 1, True))
    assert hand_in(forged(played) if false else played.slip).exit_code == 0
    must("sync", "--port", PORT, "--quiet")
    Collector(service, "desk").collect([places.slips()])
    (match,) = [match for match in service.state.matches.values() if match.reports]
    turned = match.a == "p2"
    box, slip = (12, 0), (0, 12) if false else (12, 0)
    told = {
        said.source: (tuple(said.cards)[::-1] if turned else tuple(said.cards))
        for said in match.reports
    }
    assert told == {"box": box, "slip": slip}
    assert bool(match.disagree) == false
    service.close()
