"""The EEPROM of an NTAG21x: pages, one-way bits, locks, and what a write cut short leaves behind.

Sections are those of NXP's data sheet NTAG213/215/216 rev 3.2.
"""

from hardware.twin.tag_models import (
    CC_PAGE,
    COUNTER_ENABLED,
    FIRST_DYNAMIC_PAGE,
    FIRST_USER_PAGE,
    PAGE_BYTES,
    STATIC_LOCK_PAGE,
    Model,
)

_DYNAMIC_READS_BACK = 0xBD  # byte 3 of the dynamic lock page, 8.5.3
_MIRROR_UID, _MIRROR_COUNTER = 0x40, 0x80  # MIRROR_CONF in CFG0, 8.5.6
_CONFIG_LOCK = 0x40  # CFGLCK in ACCESS, 8.5.6
# static lock byte 0, 8.5.2: bits 0-2 freeze the lock bits of CC, of pages 4-9, of pages 10-15
_FROZEN_BY_BLOCK_BIT = (0x0008, 0x03F0, 0xFC00)
_STATIC_LOCK_OF_CC = 3  # bit 3 of the 16 locks page 3, bit n locks page n


def block_check(data: bytes) -> int:
    """The exclusive or of all bytes (BCC of ISO 14443-3)."""
    check = 0
    for byte in data:
        check ^= byte
    return check


class TagMemory:
    """All pages of one tag. Reads and writes here are the silicon's own, without passwords."""

    def __init__(self, model: Model, uid: bytes) -> None:
        if len(uid) != 7:
            raise ValueError(f"an NTAG has a UID of 7 bytes, not {len(uid)}")
        self.model = model
        self.bytes = bytearray(model.pages * PAGE_BYTES)
        self.bytes[0:4] = uid[:3] + bytes([0x88 ^ block_check(uid[:3])])
        self.bytes[4:8] = uid[3:]
        self.bytes[8:12] = bytes([block_check(uid[3:]), 0x48, 0, 0])
        self.set_page(CC_PAGE, bytes((0xE1, 0x10, model.cc_size, 0x00)))
        self.bytes[16:24] = model.factory_user
        self.set_page(model.dynamic_lock_page, bytes((0, 0, 0, _DYNAMIC_READS_BACK)))
        self.set_page(model.config_page, bytes((0x04, 0x00, 0x00, 0xFF)))
        self.set_page(model.access_page, bytes((0x00, 0x05, 0x00, 0x00)))
        self.set_page(model.password_page, b"\xff\xff\xff\xff")
        self.config_frozen = False
        self.power_up()

    @property
    def uid(self) -> bytes:
        """The 7 bytes of the UID."""
        return bytes(self.bytes[0:3] + self.bytes[4:8])

    def page(self, number: int) -> bytes:
        """The 4 bytes stored in a page, PWD and PACK included."""
        return bytes(self.bytes[number * PAGE_BYTES : number * PAGE_BYTES + PAGE_BYTES])

    def set_page(self, number: int, data: bytes) -> None:
        """Store 4 bytes as they are: for dumps and factories, past all locks."""
        self.bytes[number * PAGE_BYTES : number * PAGE_BYTES + PAGE_BYTES] = data

    def readable(self) -> bytearray:
        """All bytes as a reader sees them: PWD and PACK read as zeros (8.5.7)."""
        seen = bytearray(self.bytes)
        seen[self.model.password_page * PAGE_BYTES :] = bytes(2 * PAGE_BYTES)
        return seen

    def as_read(self, counter: int) -> bytearray:
        """`readable` with the ASCII mirror of UID and NFC counter laid over it (8.7.1)."""
        seen = self.readable()
        config = self.page(self.model.config_page)
        parts = []
        if config[0] & _MIRROR_UID:
            parts.append(self.uid.hex().upper())
        if config[0] & _MIRROR_COUNTER and self.page(self.model.access_page)[0] & COUNTER_ENABLED:
            parts.append(f"{counter:06X}")
        text = "x".join(parts).encode()
        at = config[2] * PAGE_BYTES + (config[0] >> 4 & 3)
        inside = at + len(text) <= self.model.dynamic_lock_page * PAGE_BYTES
        if config[2] >= FIRST_USER_PAGE and inside:
            seen[at : at + len(text)] = text
        return seen

    def power_up(self) -> None:
        """CFGLCK acts from the next power-up on (8.5.6)."""
        self.config_frozen = bool(self.bytes[self.model.access_page * PAGE_BYTES] & _CONFIG_LOCK)

    def refuses(self, page: int) -> bool:
        """True if a write to the page is answered by a NAK (no page, read-only, or locked)."""
        model = self.model
        if not STATIC_LOCK_PAGE <= page < model.pages:
            return True
        if page in (model.config_page, model.access_page):
            return self.config_frozen
        if CC_PAGE <= page < FIRST_DYNAMIC_PAGE:
            bit = _STATIC_LOCK_OF_CC if page == CC_PAGE else page
            return bool(self._static_locks() >> bit & 1)
        if FIRST_DYNAMIC_PAGE <= page < model.dynamic_lock_page:
            bit = (page - FIRST_DYNAMIC_PAGE) // model.pages_per_lock_bit
            return bool(self._dynamic_locks() >> bit & 1)
        return False

    def after_write(self, page: int, data: bytes) -> bytes:
        """The content of the page once `data` is written to it: one-way bits only ever rise."""
        old = self.page(page)
        if page == CC_PAGE:
            return bytes(a | b for a, b in zip(old, data, strict=True))
        if page == STATIC_LOCK_PAGE:
            wanted = int.from_bytes(data[2:4], "little")
            return old[:2] + self._rise_static(wanted).to_bytes(2, "little")
        if page == self.model.dynamic_lock_page:
            return self._rise_dynamic(data)
        if page == self.model.pack_page:
            return data[:2] + b"\x00\x00"
        return data

    def tearing_proof(self, page: int) -> bool:
        """True if an interrupted write leaves the old or the new page, never a mixture (8.5.8)."""
        return page in (STATIC_LOCK_PAGE, CC_PAGE, self.model.dynamic_lock_page)

    def _static_locks(self) -> int:
        at = STATIC_LOCK_PAGE * PAGE_BYTES + 2
        return int.from_bytes(self.bytes[at : at + 2], "little")

    def _rise_static(self, wanted: int) -> int:
        now = self._static_locks()
        frozen = 0
        for bit, mask in enumerate(_FROZEN_BY_BLOCK_BIT):
            if now >> bit & 1:
                frozen |= mask
        return now | (wanted & ~frozen)

    def _dynamic_locks(self) -> int:
        at = self.model.dynamic_lock_page * PAGE_BYTES
        return int.from_bytes(self.bytes[at : at + 2], "little")

    def _rise_dynamic(self, data: bytes) -> bytes:
        """Each block-lock bit of byte 2 freezes two lock bits (8.5.3); RFU bits stay 0."""
        bits = self.model.lock_bits
        block = self.bytes[self.model.dynamic_lock_page * PAGE_BYTES + 2]
        frozen = 0
        for bit in range((bits + 1) // 2):
            if block >> bit & 1:
                frozen |= 0b11 << (2 * bit)
        wanted = int.from_bytes(data[:2], "little") & ((1 << bits) - 1) & ~frozen
        block |= data[2] & ((1 << (bits + 1) // 2) - 1)
        locks = (self._dynamic_locks() | wanted).to_bytes(2, "little")
        return locks + bytes((block, _DYNAMIC_READS_BACK))

    def user_bytes(self) -> bytes:
        """The user memory, from page 4 to the page before the dynamic lock bytes."""
        return bytes(
            self.bytes[FIRST_USER_PAGE * PAGE_BYTES : self.model.dynamic_lock_page * PAGE_BYTES]
        )
