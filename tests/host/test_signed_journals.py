"""What the desk thinks of a journal that its box has signed with a key of its own."""

import hmac
from pathlib import Path

import pytest

from host_tools.cards.public_keys import ORDER, EnrolledKey, SigningKey
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import CONTESTED, UNVERIFIED, VERIFIED, judge, vouched
from host_tools.store.store import Store
from tests.support.signed_journals import played, sealed, signed

FIRST, SECOND = SigningKey(bytes(31) + b"\x07"), SigningKey(bytes(31) + b"\x08")
MISSING = (
    CONTESTED,
    "its signature is missing: the key of this box is enrolled; "
    "if it has a new one, enrol it again",
)
WRONG = (CONTESTED, "the signature of the seal is wrong")


@pytest.fixture
def bare(tmp_path: Path) -> bytes:
    """A match whose seal nobody signed."""
    return played(str(tmp_path))


def told(raw: bytes, *enrolled: EnrolledKey, received: int | None = None) -> tuple[str, str]:
    verdict = judge(read_journal(raw), lambda _box: enrolled, received)
    return verdict.state, verdict.reason


def line(key: SigningKey, since: int = 100, revoked: int | None = None) -> EnrolledKey:
    return EnrolledKey("b0c5", key.public, since, "Anna", revoked)


def test_what_its_own_key_signed_is_verified(bare: bytes) -> None:
    raw = signed(bare, FIRST)
    assert told(raw, line(FIRST)) == (VERIFIED, "")
    assert vouched(read_journal(raw), lambda _box: [line(FIRST)])


def test_without_an_enrolled_key_nothing_is_proved(bare: bytes) -> None:
    assert told(signed(bare, FIRST)) == (UNVERIFIED, "the box is not enrolled: `schiri box enrol`")
    assert told(bare) == (UNVERIFIED, "the box had no key to sign with")


def test_another_key_is_another_box(bare: bytes) -> None:
    """A swapped box, or somebody's own key under this box's name."""
    reason = f"the seal was made with another key ({SECOND.id})"
    assert told(signed(bare, SECOND), line(FIRST)) == (CONTESTED, reason)
    assert told(signed(bare, SECOND, id=FIRST.id), line(FIRST)) == WRONG


@pytest.mark.parametrize(
    "sig",
    ["", "00" * 64, "zz", "ff" * 64, "00" * 63, SECOND.sign("journal", b"").hex()],
    ids=["empty", "zero", "no hex", "out of range", "short", "of something else"],
)
def test_a_signature_that_does_not_fit(bare: bytes, sig: str) -> None:
    assert told(signed(bare, FIRST, sig=sig), line(FIRST)) == WRONG


def test_the_high_s_is_refused(bare: bytes) -> None:
    seal = read_journal(signed(bare, FIRST)).seal
    assert seal is not None
    assert seal.sig is not None
    high = ORDER - int(seal.sig[64:], 16)
    assert told(signed(bare, FIRST, sig=f"{seal.sig[:64]}{high:064x}"), line(FIRST)) == WRONG


def test_the_seal_of_another_match_does_not_fit(bare: bytes, tmp_path: Path) -> None:
    other = signed(played(str(tmp_path / "other"), "b0c6"), FIRST)
    lines = signed(bare, FIRST).splitlines(keepends=True)
    state, reason = told(b"".join(lines[:-1]) + other.splitlines(keepends=True)[-1], line(FIRST))
    assert (state, reason.split()[0]) == (CONTESTED, "line")


@pytest.mark.parametrize("received", [100, 5000, None])
def test_a_stripped_signature_is_seen(bare: bytes, received: int | None) -> None:
    assert told(bare, line(FIRST), received=received) == MISSING


def test_falling_back_to_the_league_key_is_seen(bare: bytes) -> None:
    """Every box has the league's key: it signs no result."""
    lines = bare.splitlines(keepends=True)
    head, count = read_journal(bare).head_before, read_journal(bare).last_seq
    text = f"schiri-journal/1 {count} {head}".encode()
    key = hmac.digest(bytes(range(32)), b"schiri box 1:b0c5", "sha256")
    seal = {"count": count, "head": head, "mac": hmac.digest(key, text, "sha256").hex()}
    old = b"".join(lines[:-1]) + sealed(bytes.fromhex(head), count, seal)
    assert told(old)[0] == UNVERIFIED
    assert told(old, line(FIRST)) == MISSING


def test_a_revoked_key_counts_for_what_came_before(bare: bytes) -> None:
    """By the desk's clock: who has the key can set the box's back."""
    raw, late = signed(bare, FIRST), "it came after the key of the box was revoked"
    assert told(raw, line(FIRST, revoked=200), received=199) == (VERIFIED, "")
    assert told(raw, line(FIRST, revoked=200), received=200) == (CONTESTED, late)
    assert told(raw, line(FIRST, revoked=200)) == (CONTESTED, late)


def test_after_a_new_key_the_old_one_is_a_copy(bare: bytes) -> None:
    raw, both = signed(bare, FIRST), (line(FIRST), line(SECOND, since=300))
    assert told(raw, *both, received=299) == (VERIFIED, "")
    late = "it came after the box got another key"
    assert told(raw, *both, received=300) == (CONTESTED, late)
    assert told(signed(bare, SECOND), *both, received=300) == (VERIFIED, "")


def test_the_store_asks_what_is_enrolled(store: Store, bare: bytes, tmp_path: Path) -> None:
    later = signed(played(str(tmp_path / "later"), number=2), FIRST)
    store.enrolled.enrol("b0c5", FIRST.public, "Anna")
    raw = signed(bare, FIRST)
    assert store.add(raw).state == VERIFIED
    store.enrolled.revoke(FIRST.id, "Anna")
    assert store.add(raw).state == VERIFIED  # it came before
    assert store.add(later).state == CONTESTED


def test_no_bit_of_a_signed_journal_may_change(bare: bytes) -> None:
    raw = signed(bare, FIRST)
    for at in range(len(raw) - 250, len(raw)):
        changed = raw[:at] + bytes((raw[at] ^ 1,)) + raw[at + 1 :]
        assert told(changed, line(FIRST))[0] != VERIFIED, at
