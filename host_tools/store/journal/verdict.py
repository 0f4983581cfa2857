"""What the desk thinks of a journal: verified, unverified or contested, and why in one sentence.

verified    chain and seal hold, the rules give the same answers, the match is over
unverified  nothing contradicts it, but the desk cannot prove it (box not enrolled, not over)
contested   something does not hold; people must look
"""

from collections.abc import Sequence
from dataclasses import dataclass

from host_tools.cards.public_keys import (
    EnrolledKey,
    PublicKeysOf,
    from_hex,
    no_public_keys,
    verify,
)
from host_tools.store.journal.reading import JournalFile, Seal

VERIFIED = "verified"
UNVERIFIED = "unverified"
CONTESTED = "contested"

NOT_ENROLLED = "the box is not enrolled: `schiri box enrol`"
"""What becomes a proof once the box is."""
SET_ASIDE = "set aside on the box, which could not open it in three tries"
"""How the reason begins of a match that its box could not go on with."""
_NEVER = 1 << 62
"""Later than any date."""


@dataclass(frozen=True)
class Verdict:
    """`state` is one of the three; `reason` a sentence without full stop, "" when verified."""

    state: str
    reason: str = ""


def judge(
    journal: JournalFile,
    public_keys_of: PublicKeysOf = no_public_keys,
    received: int | None = None,
    rules: bool = True,
) -> Verdict:
    """The verdict on a journal. `public_keys_of(box id)` gives what is enrolled for a box.

    `received`: when a desk got it (unix time); None: after all that is enrolled and revoked. No
    clock of a box says when it signed: who has its key can set that back. `rules` False: what the
    page that checks can say, which has no rules (verify.js).
    """
    for check in (_form, _chain, _seal_fits):
        reason = check(journal)
        if reason:
            return Verdict(CONTESTED, reason)
    verdict = _seal_holds(journal, public_keys_of, _NEVER if received is None else received)
    # the rules last: they are slow, and what is forged needs none
    if rules and verdict.state != CONTESTED and (reason := rules_differ(journal)):
        return Verdict(CONTESTED, reason)
    return verdict


def rules_differ(journal: JournalFile) -> str:
    """Where the journal and the rules part, as a sentence without full stop; "" if nowhere."""
    from host_tools.store.journal.replaying import first_difference  # loads every game

    return first_difference(journal)


def vouched(journal: JournalFile, public_keys_of: PublicKeysOf = no_public_keys) -> bool:
    """True if the box has signed these very bytes, whatever they say."""
    if _form(journal) or _chain(journal) or _seal_fits(journal) or journal.seal is None:
        return False
    return _signature(journal, journal.seal, public_keys_of, _NEVER).state == VERIFIED


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


def _seal_holds(journal: JournalFile, public_keys_of: PublicKeysOf, received: int) -> Verdict:
    if journal.result is None:
        return Verdict(UNVERIFIED, "the match was not finished on the box")
    if journal.seal is None:
        return Verdict(UNVERIFIED, "the journal has no seal")
    return _signature(journal, journal.seal, public_keys_of, received)


def _signature(
    journal: JournalFile, seal: Seal, public_keys_of: PublicKeysOf, received: int
) -> Verdict:
    enrolled = public_keys_of(journal.box)
    if seal.sig is None:
        return _unsigned(enrolled, received)
    if not enrolled:
        return Verdict(UNVERIFIED, NOT_ENROLLED)
    return _signed(seal, enrolled, received)


def _unsigned(enrolled: Sequence[EnrolledKey], received: int) -> Verdict:
    if enrolled and received >= enrolled[0].since:
        # else anybody could write a journal of this box
        return Verdict(
            CONTESTED,
            "its signature is missing: the key of this box is enrolled;"
            " if it has a new one, enrol it again",
        )
    return Verdict(UNVERIFIED, "the box had no key to sign with")


def _signed(seal: Seal, enrolled: Sequence[EnrolledKey], received: int) -> Verdict:
    place = next((n for n, key in enumerate(enrolled) if key.id == seal.id), None)
    if place is None:
        return Verdict(CONTESTED, f"the seal was made with another key ({seal.id})")
    key = enrolled[place]
    if not _is_signed(key.public, seal):
        return Verdict(CONTESTED, "the signature of the seal is wrong")
    # what was received before holds (docs/tournament.md, "Keys of the boxes")
    if key.revoked is not None and received >= key.revoked:
        return Verdict(CONTESTED, "it came after the key of the box was revoked")
    later = enrolled[place + 1 :]
    if later and received >= later[0].since:
        return Verdict(CONTESTED, "it came after the box got another key")
    return Verdict(VERIFIED)


def _is_signed(public: bytes, seal: Seal) -> bool:
    """docs/reliability.md: the link that the seal names, and its count."""
    try:
        signature = from_hex(seal.sig or "")
        payload = from_hex(seal.head) + seal.count.to_bytes(4)
    except (ValueError, OverflowError):
        return False
    return verify(public, "journal", payload, signature)
