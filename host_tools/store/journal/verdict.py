"""What the desk thinks of a journal: verified, unverified or contested, and why in one sentence.

verified    chain and seal hold, the rules give the same answers, the match is over
unverified  nothing contradicts it, but the desk cannot prove it (no key, no seal, not over)
contested   something does not hold; people must look
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass

from firmware.app.link_frames import seal_mac
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


def judge(journal: JournalFile, keys_of: KeysOf) -> Verdict:
    """The verdict on a journal. `keys_of(box id)` gives key id -> key of a box."""
    # from the bytes to the rules: a broken chain explains what the rules would find
    for check in (_form, _chain, _seal_fits, _replay):
        reason = check(journal)
        if reason:
            return Verdict(CONTESTED, reason)
    return _seal_holds(journal, keys_of)


def vouched(journal: JournalFile, keys_of: KeysOf) -> bool:
    """True if the box has signed these very bytes, whatever they say."""
    if _form(journal) or _chain(journal) or _seal_fits(journal) or journal.seal is None:
        return False
    return _signature(journal.seal, keys_of(journal.box)).state == VERIFIED


def _form(journal: JournalFile) -> str:
    return "" if journal.header is not None else "line 1, the header, cannot be read"


def _chain(journal: JournalFile) -> str:
    # a torn line was never shown
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


def _seal_holds(journal: JournalFile, keys_of: KeysOf) -> Verdict:
    # before the seal, which is only written at the end
    if journal.result is None:
        return Verdict(UNVERIFIED, "the match was not finished on the box")
    if journal.seal is None:
        return Verdict(UNVERIFIED, "the journal has no seal")
    keys = keys_of(journal.box)
    if not keys:
        return Verdict(UNVERIFIED, f"the desk has no key for box {journal.box}")
    return _signature(journal.seal, keys)


def _signature(seal: Seal, keys: dict[str, bytes]) -> Verdict:
    if seal.mac is None:
        return Verdict(UNVERIFIED, "the box had no key to sign with")
    key = keys.get(seal.key or "")
    if key is None:
        return Verdict(CONTESTED, f"the seal was made with another key ({seal.key})")
    if not hmac.compare_digest(seal.mac, seal_mac(key, seal.count, bytes.fromhex(seal.head))):
        return Verdict(CONTESTED, "the signature of the seal is wrong")
    return Verdict(VERIFIED)
