"""Writes a record so that a tag pulled away shows the old one, an unfinished one, or the new one.

Order (card_tags/FORMAT.md, *Writing*): length 0, body, length, read back, compare. Locks come
last: capability container, dynamic locks, static locks, because the static ones act at once.
"""

from card_tags import framing
from host_tools.core.errors import Sentence
from host_tools.provision.chips import (
    CC_MAGIC,
    CC_PAGE,
    CC_READ_ONLY,
    CHIPS,
    FIRST_USER_PAGE,
    LOCK_STATIC,
    PAGE_BYTES,
    STATIC_LOCK_PAGE,
    Chip,
    chip_by_cc,
    chip_by_version,
)
from host_tools.provision.port import TagPort, TagRefused

WriteStep = tuple[int, bytes]

_ERASED = b"\x03\x00\xfe\x00"  # an empty NDEF TLV and the terminator


class VerifyFailed(Exception):
    """The tag reads back differently from what was written."""


class Unwritable(Exception):
    """This tag will never take it: locked, too small, or not an NTAG21x. The text says which."""


def identify(port: TagPort) -> Chip:
    """Which chip lies there. Raises Unwritable if we do not know it."""
    version = port.version()
    container = port.read(CC_PAGE, 1)
    chip = chip_by_version(version) if version is not None else chip_by_cc(container)
    if chip is None:
        raise Unwritable(Sentence("tag_unknown_chip", ids=[one.name for one in CHIPS]))
    return chip


def holds_record(port: TagPort, record: bytes, chip: Chip) -> bool:
    """Whether this very record stands on the tag: nothing but the locks can be missing."""
    if len(record) > chip.user_bytes:
        raise Unwritable(Sentence("tag_too_small", count=len(record), chip=chip.name))
    return port.read(FIRST_USER_PAGE, -(-len(record) // PAGE_BYTES))[: len(record)] == record


def plan(old: bytes, new: bytes) -> list[WriteStep]:
    """The page writes, in order, that turn user memory `old` into `new` (both whole pages).

    Until the last write the tag is empty, unfinished or foreign, never a wrong record.
    """
    first = framing.length_at(new)[0] // PAGE_BYTES
    pages = [new[at : at + PAGE_BYTES] for at in range(0, len(new), PAGE_BYTES)]
    before = [old[at : at + PAGE_BYTES] for at in range(0, len(old), PAGE_BYTES)]
    changed = [number for number in range(len(pages)) if pages[number] != before[number]]
    if not changed:
        return []
    steps = [(number, pages[number]) for number in range(first) if number in changed]
    steps.append((first, _without_length(pages[first], new)))
    steps += [(number, pages[number]) for number in changed if number > first]
    if steps[-1] != (first, pages[first]):  # an empty tag has no length to set
        steps.append((first, pages[first]))
    return [(FIRST_USER_PAGE + number, data) for number, data in steps]


def write_record(port: TagPort, record: bytes, chip: Chip) -> None:
    """Write, read back, compare. Raises Unwritable, VerifyFailed, TagLost, TagRefused."""
    _format(port, chip)
    write_memory(port, record + bytes(-len(record) % PAGE_BYTES))


def write_memory(port: TagPort, memory: bytes) -> None:
    """The same for whole pages of user memory, on a tag that has its capability container."""
    count = len(memory) // PAGE_BYTES
    for page, data in plan(port.read(FIRST_USER_PAGE, count), memory):
        port.write_page(page, data)
    if port.read(FIRST_USER_PAGE, count) != memory:
        raise VerifyFailed(Sentence("tag_reads_back"))


def erase(port: TagPort, chip: Chip) -> None:
    """Make the tag an empty NDEF tag; what stood behind stays unreadable as a record."""
    write_record(port, (framing.LOCK_CONTROL if chip.lock_control else b"") + _ERASED, chip)


def lock(port: TagPort, chip: Chip) -> None:
    """Make all user pages read-only for good; goes on where an interrupted lock stopped.

    Raises VerifyFailed if a bit was not taken.
    """
    steps = ((CC_PAGE, CC_READ_ONLY), (chip.lock_page, chip.lock_dynamic))
    for page, bits in (*steps, (STATIC_LOCK_PAGE, LOCK_STATIC)):
        if not _has_bits(port, page, bits):
            port.write_page(page, bits)
        if not _has_bits(port, page, bits):
            raise VerifyFailed(Sentence("tag_not_locked"))


def _has_bits(port: TagPort, page: int, bits: bytes) -> bool:
    found = port.read(page, 1)
    return all(have & want == want for have, want in zip(found, bits, strict=True))


def _format(port: TagPort, chip: Chip) -> None:
    """Give a blank tag its capability container; refuse one that holds something else."""
    container = port.read(CC_PAGE, 1)
    wanted = CC_MAGIC + bytes((chip.cc_size, 0))
    if container == wanted:
        return
    # write access of the NFC Forum Type 2 Tag: 0 means free, F never
    if container[3] & 0x0F:
        raise Unwritable(Sentence("tag_locked"))
    # the CC is one-time programmable: a write sets bits and clears none
    if any(have & ~want for have, want in zip(container, wanted, strict=True)):
        raise Unwritable(Sentence("tag_container"))
    try:
        port.write_page(CC_PAGE, wanted)
    except TagRefused as error:
        raise Unwritable(Sentence("tag_locked")) from error


def _without_length(page: bytes, record: bytes) -> bytes:
    """The page that holds the message length, with length 0."""
    at, size = framing.length_at(record)
    cleared = bytearray(page)
    for offset in range(size):
        cleared[at % PAGE_BYTES + offset] = 0
    return bytes(cleared)
