"""An NTAG21x in the field: the state machine of ISO 14443-3 and the commands of NXP's data sheet.

A tag hears whole frames with CRC (`receive`) and answers with bits. `NtagTwin.ntag213(uid=…)`
makes a factory-fresh one, `hardware.twin.tag_files` loads and stores dumps.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from hardware.twin import iso14443
from hardware.twin.iso14443 import TagAnswer
from hardware.twin.tag_memory import TagMemory, block_check
from hardware.twin.tag_models import (
    COUNTER_ENABLED,
    FAST_READ,
    FIRST_USER_PAGE,
    FUDAN,
    GENUINE,
    GET_VERSION,
    NTAG213,
    NTAG215,
    NTAG216,
    PAGE_BYTES,
    PUBLIC_SIGNATURES,
    READ_SIGNATURE,
    Model,
)

ATQA = b"\x44\x00"
SAK_TYPE_2 = 0x00
# ISO 14443-3, 6.1.5: a tag answers at the latest 5 ms after the field is there
START_UP_US = 5_000
EEPROM_WRITE_US = 4_000  # typical; the data sheet's time-out is 10 ms (10.4)

ACK = 0x0A
NAK_ARGUMENT = 0x00  # data sheet table 22
NAK_CHECKSUM = 0x01
NAK_AUTHENTICATION = 0x04

_CASCADE_BITS = 40  # UID part and BCC of one cascade level
# bits of ACCESS (8.5.6)
_PROT = 0x80
_COUNTER_PROTECTED = 0x08
_AUTH_LIMIT = 0x07
_COUNTER_ADDRESS = 0x02
_COUNTER_MAX = 0xFF_FFFF


class TagState(Enum):
    """States of ISO 14443-3 as in figure 8 of the data sheet."""

    IDLE = 0
    READY1 = 1
    READY2 = 2
    ACTIVE = 3
    HALT = 4


@dataclass
class _Programming:
    """A page write under way."""

    page: int
    new: bytes
    start_us: int
    end_us: int


class NtagTwin:
    """One tag. It has no clock: every call that depends on time carries `now_us`."""

    def __init__(self, model: Model, uid: bytes, lacks: frozenset[int] = GENUINE) -> None:
        """`lacks`: commands that this clone does not know."""
        self.memory = TagMemory(model, uid)
        self.model = model
        self.lacks = lacks
        self.signature = PUBLIC_SIGNATURES.get(uid, bytes(range(0x20)))
        self.counter = 0
        self.failed_passwords = 0
        self.state = TagState.IDLE
        self.powered_us: int | None = None
        self.session = 0  # grows with every loss of power, so that a reader sees a broken answer
        self.leaves = False  # set when a planned tearing is due: the field takes the tag out
        self.dead = False  # the antenna is cracked: it gets no power, so it never answers
        self._tear_in_writes = 0
        self._tear_after_bytes = 0
        self._programming: _Programming | None = None
        self._forget_session()

    @classmethod
    def ntag213(cls, uid: bytes) -> "NtagTwin":
        """A factory-fresh NTAG213 (144 bytes of user memory)."""
        return cls(NTAG213, uid)

    @classmethod
    def ntag215(cls, uid: bytes) -> "NtagTwin":
        """A factory-fresh NTAG215 (504 bytes of user memory)."""
        return cls(NTAG215, uid)

    @classmethod
    def ntag216(cls, uid: bytes) -> "NtagTwin":
        """A factory-fresh NTAG216 (888 bytes of user memory)."""
        return cls(NTAG216, uid)

    @classmethod
    def fudan(cls, uid: bytes) -> "NtagTwin":
        """A clone of the NTAG213 without FAST_READ and GET_VERSION; real ones have UIDs 1D …"""
        return cls(NTAG213, uid, FUDAN)

    @property
    def uid(self) -> bytes:
        """The 7 bytes of the UID."""
        return self.memory.uid

    @property
    def user(self) -> bytes:
        """The user memory from page 4 on."""
        return self.memory.user_bytes()

    def load_user(self, data: bytes, first_page: int = FIRST_USER_PAGE) -> None:
        """Put bytes into memory as a factory would, without RF and locks; filled up to a page."""
        padded = data + bytes(-len(data) % PAGE_BYTES)
        last_page = first_page + len(padded) // PAGE_BYTES
        if last_page > self.model.dynamic_lock_page:
            raise ValueError(f"{len(data)} bytes do not fit into an {self.model.name}")
        for i in range(0, len(padded), PAGE_BYTES):
            self.memory.set_page(first_page + i // PAGE_BYTES, padded[i : i + PAGE_BYTES])

    def tear_write(self, nth: int, after_bytes: int) -> None:
        """Leave the field in the middle of the `nth` page write from now (1 = the next one).

        `after_bytes` (0-4) bytes of the page are programmed by then.
        """
        self._tear_in_writes = nth
        self._tear_after_bytes = after_bytes

    # power

    def power_on(self, now_us: int) -> None:
        """The field is there."""
        if self.powered_us is None:
            self.powered_us = now_us
            self.memory.power_up()
            self._forget_session()

    def power_off(self, now_us: int) -> None:
        """The field is gone: a write under way is torn."""
        if self.powered_us is None:
            return
        self._settle(now_us, power_stays=False)
        self.powered_us = None
        self.session += 1

    def _forget_session(self) -> None:
        self.state = TagState.IDLE
        self._came_from_halt = False
        self._authenticated = False
        self._latch_protection()
        self._counted = False
        self._compat_page: int | None = None

    def finish_write(self, now_us: int) -> None:
        """Let a write that is done by now reach the memory. The field calls this."""
        self._settle(now_us)

    def _settle(self, now_us: int, power_stays: bool = True) -> None:
        """Finish the write under way, or tear it if the power goes before its end."""
        job = self._programming
        if job is None or (power_stays and now_us < job.end_us):
            return
        self._programming = None
        if now_us >= job.end_us:
            self.memory.set_page(job.page, job.new)
            return
        done = PAGE_BYTES * (now_us - job.start_us) // (job.end_us - job.start_us)
        self._tear(job.page, job.new, done)

    def _tear(self, page: int, new: bytes, done: int) -> None:
        if not self.memory.tearing_proof(page):
            self.memory.set_page(page, new[:done] + self.memory.page(page)[done:])
        elif done == PAGE_BYTES:
            self.memory.set_page(page, new)

    # frames

    def receive(self, frame: bytes, bits: int, now_us: int) -> TagAnswer | None:
        """What the tag answers to a frame whose last bit has just arrived; None is silence."""
        if self.dead or self.powered_us is None or now_us < self.powered_us + START_UP_US:
            return None
        if self._programming is not None and now_us < self._programming.end_us:
            return None
        self._settle(now_us)
        if bits == iso14443.SHORT_FRAME_BITS:
            return self._wake(frame[0])
        if self.state in (TagState.READY1, TagState.READY2):
            return self._anticollision(frame, bits)
        if self.state is not TagState.ACTIVE:
            return None
        return self._command(frame, now_us)

    def _wake(self, command: int) -> TagAnswer | None:
        """REQA and WUPA. An ACTIVE or READY tag takes them for an error and drops out silently."""
        if self.state in (TagState.ACTIVE, TagState.READY1, TagState.READY2):
            self._drop()
            return None
        hears = (iso14443.WUPA,) if self.state is TagState.HALT else (iso14443.REQA, iso14443.WUPA)
        if command not in hears:
            return None
        self._came_from_halt = self.state is TagState.HALT
        self.state = TagState.READY1
        return TagAnswer(ATQA, 16)

    def _drop(self) -> None:
        """Back to where it was woken from; the password session ends with ACTIVE."""
        self.state = TagState.HALT if self._came_from_halt else TagState.IDLE
        self._authenticated = False
        self._compat_page = None

    def _cascade(self, level: int) -> bytes:
        part = bytes([iso14443.CASCADE_TAG]) + self.uid[:3] if level == 0 else self.uid[3:]
        return part + bytes([block_check(part)])

    def _anticollision(self, frame: bytes, bits: int) -> TagAnswer | None:
        level = 0 if self.state is TagState.READY1 else 1
        if len(frame) < 2 or frame[0] != iso14443.SELECT_LEVELS[level]:
            self._drop()
            return None
        mine = self._cascade(level)
        if frame[1] == iso14443.SELECT_ALL:
            return self._select(frame, mine, level)
        known = bits - 16
        if not 0 <= known < _CASCADE_BITS:
            self._drop()
            return None
        if iso14443.to_bits(frame[2:], known) != iso14443.to_bits(mine, known):
            self._drop()
            return None
        rest = iso14443.to_bits(mine, _CASCADE_BITS)[known:]
        return TagAnswer(iso14443.from_bits(rest), len(rest))

    def _select(self, frame: bytes, mine: bytes, level: int) -> TagAnswer | None:
        if not iso14443.crc_is_right(frame) or frame[2:-2] != mine:
            self._drop()
            return None
        self.state = (TagState.READY2, TagState.ACTIVE)[level]
        self._latch_protection()
        sak = (iso14443.SAK_CASCADE, SAK_TYPE_2)[level]
        return TagAnswer(iso14443.with_crc(bytes([sak])), 24)

    def _command(self, frame: bytes, now_us: int) -> TagAnswer | None:
        if not iso14443.crc_is_right(frame):
            return self._nak(NAK_CHECKSUM)
        body = frame[:-2]
        if self._compat_page is not None:
            return self._compat_data(body, now_us)
        if body == iso14443.HLTA:
            self._authenticated = False
            self.state = TagState.HALT
            return None
        length, handler = _COMMANDS.get(body[0], (0, None))
        if handler is None or len(body) != length or body[0] in self.lacks:
            return self._nak(NAK_ARGUMENT)
        return handler(self, body, now_us)

    def _nak(self, code: int) -> TagAnswer:
        self._drop()
        return TagAnswer(bytes([code]), iso14443.ACK_BITS)

    @staticmethod
    def _data(data: bytes) -> TagAnswer:
        return TagAnswer(iso14443.with_crc(data), 8 * (len(data) + 2))

    # reading

    @property
    def _access(self) -> int:
        return self.memory.page(self.model.access_page)[0]

    def _latch_protection(self) -> None:
        """AUTH0 and PROT count from the next activation on, as a traced NTAG215 showed.

        (flipperzero-firmware issue 4321; nfcpy's `protect` depends on it too.)
        """
        self._auth0 = self.memory.page(self.model.config_page)[3]
        self._read_protected = bool(self._access & _PROT)

    def _read_end(self) -> int:
        """The first page that may not be read now."""
        if self._read_protected and not self._authenticated:
            return min(self._auth0, self.model.pages)
        return self.model.pages

    def _count_reading(self) -> None:
        """The NFC counter rises at the first READ or FAST_READ after power-up (8.7)."""
        if self._access & COUNTER_ENABLED and not self._counted:
            self.counter = min(self.counter + 1, _COUNTER_MAX)
        self._counted = True

    def _read(self, body: bytes, now_us: int) -> TagAnswer:
        """READ 30: 16 bytes, rolling over to page 0 behind the last readable page (10.2)."""
        end = self._read_end()
        if body[1] >= end:
            return self._nak(NAK_ARGUMENT)
        self._count_reading()
        seen = self.memory.as_read(self.counter)
        pages = [(body[1] + i) % end for i in range(4)]
        return self._data(b"".join(bytes(seen[4 * p : 4 * p + 4]) for p in pages))

    def _fast_read(self, body: bytes, now_us: int) -> TagAnswer:
        """FAST_READ 3A: all pages from first to last (10.3)."""
        first, last = body[1], body[2]
        if first > last or last >= self._read_end():
            return self._nak(NAK_ARGUMENT)
        self._count_reading()
        return self._data(bytes(self.memory.as_read(self.counter)[4 * first : 4 * last + 4]))

    def _version(self, body: bytes, now_us: int) -> TagAnswer:
        return self._data(self.model.version)

    def _read_signature(self, body: bytes, now_us: int) -> TagAnswer:
        return self._data(self.signature)

    def _read_counter(self, body: bytes, now_us: int) -> TagAnswer:
        guarded = bool(self._access & _COUNTER_PROTECTED) and not self._authenticated
        if body[1] != _COUNTER_ADDRESS or not self._access & COUNTER_ENABLED or guarded:
            return self._nak(NAK_ARGUMENT)
        return self._data(self.counter.to_bytes(3, "little"))

    # password and writing

    def _password(self, body: bytes, now_us: int) -> TagAnswer:
        """PWD_AUTH 1B: PACK, or a NAK; after AUTHLIM wrong ones in a row never again (8.8.1)."""
        limit = self._access & _AUTH_LIMIT
        if limit and self.failed_passwords >= limit:
            return self._nak(NAK_AUTHENTICATION)
        if body[1:] != self.memory.page(self.model.password_page):
            self.failed_passwords += 1 if limit else 0
            exhausted = limit and self.failed_passwords >= limit
            return self._nak(NAK_AUTHENTICATION if exhausted else NAK_ARGUMENT)
        self.failed_passwords = 0
        self._authenticated = True
        return self._data(self.memory.page(self.model.pack_page)[:2])

    def _may_write(self, page: int) -> bool:
        return (page < self._auth0 or self._authenticated) and not self.memory.refuses(page)

    def _write(self, body: bytes, now_us: int) -> TagAnswer | None:
        """WRITE A2: one page (10.4)."""
        if not self._may_write(body[1]):
            return self._nak(NAK_ARGUMENT)
        return self._program(body[1], body[2:], now_us)

    def _compat_write(self, body: bytes, now_us: int) -> TagAnswer:
        """COMPATIBILITY_WRITE A0: the page first, 16 bytes in a second frame (10.5)."""
        if not self._may_write(body[1]):
            return self._nak(NAK_ARGUMENT)
        self._compat_page = body[1]
        return TagAnswer(bytes([ACK]), iso14443.ACK_BITS)

    def _compat_data(self, body: bytes, now_us: int) -> TagAnswer | None:
        page, self._compat_page = self._compat_page, None
        if page is None or len(body) != 16:
            return self._nak(NAK_ARGUMENT)
        return self._program(page, body[:PAGE_BYTES], now_us)

    def _program(self, page: int, data: bytes, now_us: int) -> TagAnswer | None:
        new = self.memory.after_write(page, data)
        if self._tear_in_writes:
            self._tear_in_writes -= 1
            if self._tear_in_writes == 0:
                self._tear(page, new, self._tear_after_bytes)
                self.leaves = True
                return None
        self._programming = _Programming(page, new, now_us, now_us + EEPROM_WRITE_US)
        return TagAnswer(bytes([ACK]), iso14443.ACK_BITS, EEPROM_WRITE_US)


_Handler = Callable[[NtagTwin, bytes, int], TagAnswer | None]
# command byte -> length of the command without CRC, handler
_COMMANDS: dict[int, tuple[int, _Handler]] = {
    0x30: (2, NtagTwin._read),
    FAST_READ: (3, NtagTwin._fast_read),
    GET_VERSION: (1, NtagTwin._version),
    READ_SIGNATURE: (2, NtagTwin._read_signature),
    0x39: (2, NtagTwin._read_counter),
    0x1B: (5, NtagTwin._password),
    0xA2: (6, NtagTwin._write),
    0xA0: (2, NtagTwin._compat_write),
}
