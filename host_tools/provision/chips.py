"""What the provisioner must know about NTAG213, 215 and 216 (NXP data sheet rev 3.2, 8.5)."""

from dataclasses import dataclass

PAGE_BYTES = 4
FIRST_USER_PAGE = 4
STATIC_LOCK_PAGE = 2
CC_PAGE = 3

CC_MAGIC = b"\xe1\x10"  # NDEF, mapping version 1.0
CC_READ_ONLY = b"\x00\x00\x00\x0f"  # ORed into the CC: nobody may write
# Byte 2: CC and pages 4 to 7; byte 3: pages 8 to 15. The block-lock bits 0 to 2 stay open, bytes 0
# and 1 of that page ignore writes.
LOCK_STATIC = b"\x00\x00\xf8\xff"


@dataclass(frozen=True)
class Chip:
    """`lock_dynamic`: all documented lock bits of `lock_page`, block-lock and reserved bits 0."""

    name: str
    storage: int  # byte 6 of GET_VERSION
    cc_size: int  # byte 2 of the CC, in units of 8 bytes
    user_bytes: int
    lock_page: int
    lock_dynamic: bytes
    lock_control: bool  # leaves the factory with a lock control TLV


CHIPS = (
    Chip("NTAG213", 0x0F, 0x12, 144, 0x28, b"\xff\x0f\x00\x00", True),
    # user bytes as the CC has them, in eights: an NTAG215 has 504, an NTAG216 888
    Chip("NTAG215", 0x11, 0x3E, 496, 0x82, b"\xff\x00\x00\x00", False),
    Chip("NTAG216", 0x13, 0x6D, 872, 0xE2, b"\xff\x3f\x00\x00", False),
)
# of the answer to GET_VERSION (data sheet, 10.1)
_STORAGE_BYTE = 6
_VENDOR_NXP = 0x04


def chip_by_version(version: bytes) -> Chip | None:
    """The chip that answers GET_VERSION like this; None for others."""
    if len(version) != 8 or version[1] != _VENDOR_NXP:
        return None
    return next((chip for chip in CHIPS if chip.storage == version[_STORAGE_BYTE]), None)


def chip_by_cc(container: bytes) -> Chip | None:
    """The chip whose size the capability container tells: for clones without GET_VERSION."""
    if container[:2] != CC_MAGIC:
        return None
    return next((chip for chip in CHIPS if chip.cc_size == container[2]), None)
