"""`schiri verify`: one sentence what is proved and what not, and the exit code."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from host_tools.cards.check_links import PAPER, SLIP, SignedClaim, paper_claim, read_link
from host_tools.cards.public_keys import EnrolledKey, KeyList, SigningKey, fingerprint, publish
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import LARGEST_INPUT
from host_tools.store import open_store
from tests.support.signed_journals import a_slip, played, signed

MAIN = "from host_tools.cli import main; main()"
BOX, DESK, OTHER = (SigningKey(bytes(31) + bytes((n,))) for n in (7, 8, 9))
LINES = ["Cup", "1. Ayşe Öztürk"]


def published(folder: Path, *more: EnrolledKey, box_revoked: int | None = None) -> Path:
    keys = (
        EnrolledKey("", DESK.public, 100, "Cup"),
        EnrolledKey("b0c5", BOX.public, 100, "Anna", box_revoked),
        *more,
    )
    path = folder / "keys.json"
    path.write_bytes(publish(KeyList("Cup", keys), DESK))
    return path


def run(what: object, *words: object) -> tuple[int, dict[str, Any], str]:
    """Exit code, what programs read, and the sentence that people do."""
    call = ["verify", str(what), *map(str, words)]
    told = CliRunner().invoke(schiri, call)
    data = CliRunner().invoke(schiri, [*call, "--json"])
    if isinstance(told.exception, UserError):
        found = json.loads(data.stdout) if data.stdout else {}
        return told.exception.exit_code, found, str(told.exception)
    return told.exit_code, json.loads(data.stdout), told.stdout.splitlines()[-1]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "m000001.end"
    path.write_bytes(signed(played(str(tmp_path / "box")), BOX))
    return path


def test_a_journal_with_public_keys_alone(journal: Path, tmp_path: Path) -> None:
    code, found, sentence = run(journal, "--keys", published(tmp_path))
    assert (code, found["kind"], found["holds"], found["key"]) == (0, "journal", True, BOX.id)
    assert sentence.startswith("This proves that box b0c5 with the key")
    assert sentence.endswith("not who sat at the table.")
    assert not places.database().exists()


def test_a_journal_that_proves_nothing(journal: Path, tmp_path: Path) -> None:
    keys = published(tmp_path)
    raw = journal.read_bytes()
    journal.write_bytes(raw.replace(b'"do": "tap"', b'"do": "tab"', 1))
    code, found, sentence = run(journal, "--keys", keys)
    assert (code, found["holds"]) == (Exit.CHECK, False)
    assert sentence.startswith("match 1 of box b0c5 is contested: line 3")
    journal.write_bytes(played(str(tmp_path / "bare")))
    code, found, sentence = run(journal, "--keys", keys)
    assert (code, found["reason"].partition(";")[0]) == (
        Exit.CHECK,
        "its signature is missing: the key of this box is enrolled",
    )
    journal.write_bytes(raw)
    assert run(journal, "--keys", published(tmp_path, box_revoked=200))[0] == Exit.CHECK


def test_at_the_desk_what_came_before_a_key_was_revoked_holds(journal: Path) -> None:
    with closing(open_store()) as store:
        store.enrolled.enrol("b0c5", BOX.public, "Anna")
        store.add(journal.read_bytes())
    assert run(journal)[0] == 0
    with closing(open_store()) as store:
        sooner = store.digests()[0][2].timestamp()
        store.enrolled._now = lambda: sooner + 100
        store.enrolled.revoke(BOX.id, "Anna")
    assert run(journal)[0] == 0
    journal.write_bytes(signed(played(str(journal.parent / "later"), number=2), BOX))
    assert run(journal)[2].endswith("it came after the key of the box was revoked.")


def test_the_link_of_a_paper(tmp_path: Path) -> None:
    keys = published(tmp_path)
    claim = paper_claim(DESK, LINES)
    link = claim.link("https://cup.example")
    assert read_link(link) == claim
    code, found, sentence = run(link, "--keys", keys)
    assert (code, found["kind"], found["says"], found["box"]) == (0, PAPER, LINES, "")
    assert sentence.endswith("not that what people told it is true.")
    as_slip = SignedClaim("slip", claim.key, claim.signature, claim.payload)
    changed = SignedClaim(PAPER, claim.key, claim.signature, claim.payload[1:])
    for other, start in (
        (changed, "nothing is proved: the sig"),
        (as_slip, "nothing is proved: the key"),
        (paper_claim(OTHER, LINES), "nothing is proved: the key"),
        (paper_claim(BOX, LINES), "nothing is proved: the key"),
    ):
        code, found, sentence = run(other.link(""), "--keys", keys)
        assert (code, found["holds"], found["says"]) == (Exit.CHECK, False, [])
        assert sentence.startswith(start)


def test_a_paper_of_a_desk_that_is_revoked(tmp_path: Path) -> None:
    late = EnrolledKey("", OTHER.public, 100, "Cup", revoked=200)
    code, found, sentence = run(
        paper_claim(OTHER, LINES).link(""), "--keys", published(tmp_path, late)
    )
    assert (code, found["holds"], found["says"]) == (Exit.CHECK, False, LINES)
    assert sentence.startswith("contested: the key")


def test_the_link_of_a_slip(tmp_path: Path) -> None:
    keys = published(tmp_path)
    claim = a_slip(BOX)
    code, found, sentence = run(claim.link("https://cup.example"), "--keys", keys)
    assert (code, found["kind"], found["box"]) == (0, SLIP, "b0c5")
    assert found["says"][0] == "Match 12-0a1b2c3d, Box b0c5, Table 7"
    assert found["says"][2:] == ["1. Ayşe: 20, 2 points", "2. Björn: 12, 0 points"]
    assert sentence.endswith("not who sat at the table.")
    payload = bytearray(claim.payload)
    for at in range(len(payload)):
        payload[at] ^= 1
        other = SignedClaim(SLIP, claim.key, claim.signature, bytes(payload))
        payload[at] ^= 1
        assert run(other.link(""), "--keys", keys)[0] == Exit.CHECK, at
    by_desk = SignedClaim(SLIP, DESK.id, DESK.sign(SLIP, claim.payload), claim.payload)
    assert run(by_desk.link(""), "--keys", keys)[0] == Exit.CHECK
    as_journal = BOX.sign("journal", claim.payload)
    other = SignedClaim(SLIP, BOX.id, as_journal, claim.payload)
    assert run(other.link(""), "--keys", keys)[0] == Exit.CHECK


@pytest.mark.parametrize(
    "payload", [b"", b"\x07", b"\x00s", b"\x00s\x02", b"\x00s\x02\x00\x01", b"\xff"]
)
def test_a_box_that_signed_nonsense_is_a_sentence(payload: bytes, tmp_path: Path) -> None:
    claim = SignedClaim(SLIP, BOX.id, BOX.sign(SLIP, payload), payload)
    code, _, sentence = run(claim.link(""), "--keys", published(tmp_path))
    assert (code, sentence.startswith("this is no link")) == (Exit.INPUT, True)


@pytest.mark.parametrize("link", ["/verify#", "/verify#cA", "/verify#!", "x/verify#" + "A" * 200])
def test_what_is_no_link_is_a_sentence(link: str, tmp_path: Path) -> None:
    code, _, sentence = run(link, "--keys", published(tmp_path))
    assert (code, sentence.split(":")[0]) == (
        Exit.INPUT,
        "this is no link of a slip, a certificate or a result list, or not all of it.",
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert run(tmp_path / "none", "--keys", published(tmp_path))[0] == Exit.INPUT


def listed(folder: Path, signer: SigningKey, *keys: EnrolledKey) -> Path:
    path = folder / "list.json"
    path.write_bytes(publish(KeyList("Cup", keys), signer))
    return path


def test_an_older_list_is_not_gone_back_to(tmp_path: Path) -> None:
    """Somebody serves the list of before a key was revoked."""
    desk, box = EnrolledKey("", DESK.public, 100, "Cup"), EnrolledKey("b0c5", BOX.public, 100, "A")
    revoked = EnrolledKey("b0c5", BOX.public, 100, "A", 200)
    link = a_slip(BOX).link("")
    old, new = listed(tmp_path, DESK, desk, box).read_bytes(), (desk, revoked)
    assert run(link, "--keys", tmp_path / "list.json")[0] == 0
    assert run(link, "--keys", listed(tmp_path, DESK, *new))[2].startswith("contested: the key")
    (tmp_path / "list.json").write_bytes(old)
    for _ in range(2):
        code, _, sentence = run(link, "--keys", tmp_path / "list.json")
        assert (code, "older than one that this computer has seen" in sentence) == (1, True)
    assert run(link, "--keys", listed(tmp_path, DESK, *new))[2].startswith("contested: the key")
    places.seen_lists().write_text("[]")
    assert str(places.seen_lists()) in run(link, "--keys", tmp_path / "list.json")[2]
    places.seen_lists().unlink()
    places.seen_lists().parent.rmdir()
    places.seen_lists().parent.touch()  # nothing can be kept there: told, and checked all the same
    (tmp_path / "list.json").write_bytes(old)
    assert run(link, "--keys", tmp_path / "list.json")[0] == 0
    call = ["verify", link, "--keys", str(tmp_path / "list.json")]
    assert "cannot be written" in CliRunner().invoke(schiri, call).stderr


def test_a_revoked_desk_cannot_take_the_league_back(tmp_path: Path) -> None:
    """Its key signs lists in which nothing is revoked, of before and with a later date."""
    mine, stolen = (EnrolledKey("", key.public, 100, "Cup") for key in (DESK, OTHER))
    revoked = EnrolledKey("", OTHER.public, 100, "Cup", 200)
    box = EnrolledKey("b0c5", BOX.public, 900, "A")
    late = SigningKey(bytes(31) + b"\x0a")
    link = paper_claim(OTHER, LINES).link("")
    old = "older than one that this computer has seen"
    for keys, signer, start in (
        ((stolen, mine), OTHER, "This proves"),
        ((mine, revoked), DESK, "contested"),
        ((stolen, mine), OTHER, old),
        ((stolen, box), OTHER, old),  # the first list of before named both desks
        # who is in nobody's list puts none out of use, and speaks for no league that is known
        ((EnrolledKey("", late.public, 9_000, "X"), revoked), late, "signed by another desk"),
        ((mine, revoked, box), DESK, "contested"),
    ):
        assert start in run(link, "--keys", listed(tmp_path, signer, *keys))[2]


def test_a_list_that_was_changed_is_refused_before_anything(journal: Path, tmp_path: Path) -> None:
    keys = published(tmp_path)
    keys.write_bytes(keys.read_bytes().replace(b"Anna", b"Anne"))
    code, _, sentence = run(journal, "--keys", keys)
    assert (code, "was changed" in sentence) == (Exit.CHECK, True)


# -- whose list it is -----------------------------------------------------------------------------


def test_every_verdict_names_the_desk_whose_list_it_used(journal: Path, tmp_path: Path) -> None:
    keys = published(tmp_path)
    wrong = tmp_path / "wrong.end"
    wrong.write_bytes(journal.read_bytes()[:-9])
    for what in (journal, wrong, paper_claim(DESK, LINES).link(""), a_slip(BOX).link(""), keys):
        call = ["verify", str(what), "--keys", str(keys)]
        told = CliRunner().invoke(schiri, call)
        assert fingerprint(DESK.public) in told.stdout, what
        assert json.loads(CliRunner().invoke(schiri, [*call, "--json"]).stdout)["desk"] == DESK.id


def test_a_desk_can_be_pinned(journal: Path, tmp_path: Path) -> None:
    keys = published(tmp_path)
    for mine in (DESK.id, fingerprint(DESK.public), DESK.id.upper()):
        assert run(journal, "--keys", keys, "--desk", mine)[0] == 0
    code, _, sentence = run(journal, "--keys", keys, "--desk", OTHER.id)
    assert (code, fingerprint(OTHER.public) in sentence) == (Exit.CHECK, True)
    assert run(journal, "--keys", keys, "--desk", "0123")[0] == Exit.INPUT
    with closing(open_store()) as store:  # by this laptop's own database, whose desk is another
        store.enrolled.enrol("b0c5", BOX.public, "Anna")
    assert run(journal)[0] == 0
    assert run(journal, "--desk", DESK.id)[0] == Exit.CHECK


def test_another_desk_of_a_known_league_has_to_be_accepted(tmp_path: Path) -> None:
    mine, other = (EnrolledKey("", key.public, 100, "Cup") for key in (DESK, OTHER))
    link = paper_claim(OTHER, LINES).link("")
    assert run(link, "--keys", listed(tmp_path, DESK, mine))[2].startswith("nothing is proved")
    for league in ("Cup", " cup", "ＣＵＰ"):
        theirs = tmp_path / "theirs.json"
        theirs.write_bytes(publish(KeyList(league, (other, mine)), OTHER))
        for _ in range(2):
            code, _, sentence = run(link, "--keys", theirs)
            assert (code, "signed by another desk" in sentence) == (Exit.CHECK, True)
            assert fingerprint(OTHER.public) in sentence
            assert fingerprint(DESK.public) in sentence
    assert run(link, "--keys", theirs, "--desk", OTHER.id)[0] == 0
    assert run(link, "--keys", theirs)[0] == 0  # from now on
    assert run(link, "--keys", listed(tmp_path, DESK, mine))[0] == Exit.CHECK  # it knows no OTHER


def test_a_desk_that_the_one_before_has_named_needs_no_word(tmp_path: Path) -> None:
    mine, other = (EnrolledKey("", key.public, 100, "Cup") for key in (DESK, OTHER))
    link = paper_claim(OTHER, LINES).link("")
    assert run(link, "--keys", listed(tmp_path, DESK, mine, other))[0] == 0
    assert run(link, "--keys", listed(tmp_path, OTHER, other, mine))[0] == 0


# -- files that are none --------------------------------------------------------------------------


def nested(brackets: int) -> bytes:
    return b'{"seq":1,"x":' * brackets + b"1" + b"}" * brackets


UNREADABLE = {
    "nothing": b"",
    "noise": bytes(range(256)) * 8,
    "a nested log": nested(12_000),
    "a log that is not closed": b'{"seq":' * 40_000,
    "brackets": b"[" * 300_000,
    "a nested list": b'{"a":' * 60_000,
    "a nested log in links": b'{"seq":1,"x":'
    + b"[" * 150_000
    + b',"link":"'
    + b"0" * 64
    + b'"}\n',
    "a line of one megabyte": b"x" * (1 << 20),
    "a million lines": b"\n" * (1 << 20),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_product_of_ours_is_one_sentence(name: str, tmp_path: Path) -> None:
    path, keys = tmp_path / "what", published(tmp_path)
    path.write_bytes(UNREADABLE[name])
    begun = time.process_time()
    code, _, sentence = run(path, "--keys", keys)
    assert code in (Exit.CHECK, Exit.INPUT)
    assert 0 < len(sentence) < 500
    assert time.process_time() - begun < 20  # of two calls; 11 s were once needed for one


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_what_has_no_end_is_refused_at_once(tmp_path: Path) -> None:
    fifo, keys = tmp_path / "fifo", published(tmp_path)
    os.mkfifo(fifo)
    for path in ("/dev/zero", fifo, tmp_path):
        assert run(path, "--keys", keys)[0] == Exit.INPUT
    for path in ("/dev/zero", fifo):
        assert run(keys, "--keys", path)[0] == Exit.INPUT
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(LARGEST_INPUT + 1)
    assert run(huge, "--keys", keys)[2].endswith("is larger than any file of Schiri.")


def test_an_export_as_a_user_checks_it(tmp_path: Path) -> None:
    """A process of its own, with a day that was played, exported and published by commands."""
    proof, keys, db = tmp_path / "cup.proof", tmp_path / "keys.json", str(tmp_path / "cup.db")
    for words in (
        ("tournament", "simulate", "--players", "8", "--seed", "1", "--db", db),
        ("tournament", "export", "--format", "proof", "-o", str(proof), "--db", db),
        ("keys", "publish", "-o", str(keys), "--db", db),
    ):
        done = CliRunner().invoke(schiri, words)
        assert done.exit_code == 0, (words, done.output, done.exception)
    for words in (["verify", str(proof)], ["tournament", "verify", "--export", str(proof)]):
        for more in ([], ["--json"]):
            call = [sys.executable, "-c", MAIN, "--lang", "en", *words, "--keys", str(keys), *more]
            done = subprocess.run(call, capture_output=True, text=True, timeout=120)
            assert (done.returncode, done.stderr) == (0, ""), words
            assert "This proves that the desk with the key" in done.stdout or more
    raw = proof.read_bytes()
    proof.write_bytes(raw.replace(b"Probelauf", b"Probelauv", 1))
    assert run(proof, "--keys", keys)[0] == Exit.CHECK
