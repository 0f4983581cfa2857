"""Takes back what a batch wrote, and locks what it left open: both go by the ledger."""

from dataclasses import replace
from datetime import UTC, datetime

from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.provision.chips import FIRST_USER_PAGE, PAGE_BYTES
from host_tools.provision.ledger import DONE, LOCKED, UNDONE, WRITTEN, LedgerEntry, TagLedger
from host_tools.provision.port import TagPort
from host_tools.provision.writer import VerifyFailed, identify, lock, plan


def undo(port: TagPort, ledger: TagLedger, uid: bytes) -> LedgerEntry:
    """Give the tag back the content it had before the batch. Raises UserError."""
    entry = ledger.of_tag(uid.hex())
    if entry is None or entry.state not in DONE:
        raise UserError("undo_not_written", Exit.CHECK, uid=uid.hex())
    if entry.state == LOCKED:
        raise UserError("undo_locked", Exit.CHECK, code=entry.code)
    if not entry.before:
        raise UserError("undo_nothing", Exit.CHECK, code=entry.code)
    identify(port)
    _restore(port, bytes.fromhex(entry.before))
    taken_back = replace(entry, state=UNDONE, at=_now())
    ledger.add(taken_back)
    return taken_back


def lock_written(port: TagPort, ledger: TagLedger, uid: bytes) -> LedgerEntry:
    """Lock a tag that a batch wrote and left open. Raises UserError."""
    entry = ledger.of_tag(uid.hex())
    if entry is None or entry.state != WRITTEN:
        raise UserError("lock_not_open", Exit.CHECK, uid=uid.hex())
    lock(port, identify(port))
    locked = replace(entry, state=LOCKED, at=_now())
    ledger.add(locked)
    return locked


def _restore(port: TagPort, before: bytes) -> None:
    """Write the old pages in the order of any other write: the length comes last."""
    count = len(before) // PAGE_BYTES
    for page, data in plan(port.read(FIRST_USER_PAGE, count), before):
        port.write_page(page, data)
    if port.read(FIRST_USER_PAGE, count) != before:
        raise VerifyFailed(Sentence("tag_reads_back"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
