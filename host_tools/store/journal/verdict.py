"""What the desk thinks of a journal: verified, unverified or contested, and why in one sentence.

verified    chain and seal hold, the rules give the same answers, the match is over
unverified  nothing contradicts it, but the desk cannot prove it (no key, no seal, not over)
contested   something does not hold; people must look
"""

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware.app.link_frames import seal_mac
from host_tools.cards.public_keys import EnrolledKey, PublicKeysOf, no_public_keys, verify
from host_tools.store.journal.reading import JournalFile, Seal
from host_tools.store.journal.replaying import first_difference

VERIFIED = "verified"
UNVERIFIED = "unverified"
CONTESTED = "contested"

KeysOf = Callable[[str], dict[str, bytes]]


@dataclass(frozen=True)
class Verdict:
    """`state` is one of the three; `reason` a sentence without full stop, "" when verified."""

    state: str
    reason: str = ""


def judge(
    journal: JournalFile, keys_of: KeysOf, public_keys_of: PublicKeysOf = no_public_keys
) -> Verdict:
    """The verdict on a journal. `keys_of(box id)` gives key id -> key of a box that signs with one
    of the league's, `public_keys_of` the keys of its own that a desk has enrolled.
    """
    for check in (_form, _chain, _seal_fits, _replay):
        reason = check(journal)
        if reason:
            return Verdict(CONTESTED, reason)
    return _seal_holds(journal, keys_of, public_keys_of)


def vouched(
    journal: JournalFile, keys_of: KeysOf, public_keys_of: PublicKeysOf = no_public_keys
) -> bool:
    """True if the box has signed these very bytes, whatever they say."""
    if _form(journal) or _chain(journal) or _seal_fits(journal) or journal.seal is None:
        return False
    return _seal_holds(journal, keys_of, public_keys_of).state == VERIFIED


def _form(journal: JournalFile) -> str:
    return "" if journal.header is not None else "line 1, the header, cannot be read"


def _chain(journal: JournalFile) -> str:
    serious = [fault for fault in journal.faults if fault.kind != "torn"]
    if not serious:
        return ""
    more = f", and {len(serious) - 1} more faults" if len(serious) > 1 else ""
    return f"line {serious[0].line} {serious[0].text}{more}"


def _seal_fits(journal: JournalFile) -> str:
    """The seal, if there is one, must be the last record and name the one before it."""
    seal = journal.seal
    if seal is None:
        return ""
    if seal.count != journal.last_seq:
        return f"the seal is for record {seal.count}, the last one is {journal.last_seq}"
    if seal.head != journal.head_before:
        return "the seal names another last record"
    return ""


def _replay(journal: JournalFile) -> str:
    return first_difference(journal)


def _seal_holds(journal: JournalFile, keys_of: KeysOf, public_keys_of: PublicKeysOf) -> Verdict:
    enrolled = public_keys_of(journal.box)
    if journal.result is None:
        return Verdict(UNVERIFIED, "the match was not finished on the box")
    if journal.seal is not None and journal.seal.id is not None:
        return _own_signature(journal, journal.seal, enrolled)
    if enrolled and (journal.began is None or journal.began >= enrolled[0].since):
        return Verdict(CONTESTED, "the signature of the box's own key is missing")
    if journal.seal is None:
        return Verdict(UNVERIFIED, "the journal has no seal")
    keys = keys_of(journal.box)
    if not keys:
        return Verdict(UNVERIFIED, f"the desk has no key for box {journal.box}")
    return _signature(journal.seal, keys)


def _own_signature(journal: JournalFile, seal: Seal, enrolled: Sequence[EnrolledKey]) -> Verdict:
    """Of two keys of a box the older one is gone since the newer was enrolled, and one that was
    revoked signs nothing more; both hold for what was begun before.
    """
    if not enrolled:
        return Verdict(UNVERIFIED, f"no key of box {journal.box} is enrolled")
    at = next((at for at, key in enumerate(enrolled) if key.id == seal.id), None)
    if at is None:
        return Verdict(CONTESTED, f"the seal was signed with another key ({seal.id})")
    if not verify(enrolled[at].public, "journal", _sealed(seal), _from_hex(seal.signature)):
        return Verdict(CONTESTED, "the signature of the seal is wrong")
    if not _held(journal, enrolled[at].revoked, *(key.since for key in enrolled[at + 1 : at + 2])):
        return Verdict(CONTESTED, f"the key {seal.id} did not hold any more")
    return Verdict(VERIFIED)


def _held(journal: JournalFile, revoked: int | None, followed: int | None = None) -> bool:
    """True if the match began before the key was followed by another, and ended before it was
    revoked.
    """
    if revoked is None and followed is None:
        return True
    if journal.began is None:
        return False
    ended = journal.began + (journal.duration_s or 0)
    return (followed is None or journal.began < followed) and (revoked is None or ended < revoked)


def _sealed(seal: Seal) -> bytes:
    """What a box signs of a match: the link of its result, and the number of the seal."""
    return _from_hex(seal.head) + (seal.count & 0xFFFFFFFF).to_bytes(4)


def _from_hex(text: str | None) -> bytes:
    """Bytes; none for what is no hex."""
    try:
        return bytes.fromhex(text or "")
    except ValueError:
        return b""


def _signature(seal: Seal, keys: dict[str, bytes]) -> Verdict:
    if seal.mac is None:
        return Verdict(UNVERIFIED, "the box had no key to sign with")
    key = keys.get(seal.key or "")
    if key is None:
        return Verdict(CONTESTED, f"the seal was made with another key ({seal.key})")
    if not hmac.compare_digest(seal.mac, seal_mac(key, seal.count, bytes.fromhex(seal.head))):
        return Verdict(CONTESTED, "the signature of the seal is wrong")
    return Verdict(VERIFIED)
