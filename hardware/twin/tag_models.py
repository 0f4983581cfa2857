"""What differs between the NTAG213, 215 and 216 (NXP data sheet NTAG213/215/216 rev 3.2, 8.5)."""

from dataclasses import dataclass

PAGE_BYTES = 4
STATIC_LOCK_PAGE = 2
CC_PAGE = 3
FIRST_USER_PAGE = 4
FIRST_DYNAMIC_PAGE = 16  # pages below are locked by the static lock bytes
COUNTER_ENABLED = 0x10  # NFC_CNT_EN in ACCESS (8.5.6)


# commands that a clone may lack (10.1, 10.3, READ_SIG)
FAST_READ, GET_VERSION, READ_SIGNATURE = 0x3A, 0x60, 0x3C
GENUINE: frozenset[int] = frozenset()
FUDAN = frozenset((FAST_READ, GET_VERSION, READ_SIGNATURE))  # the FM11NT021


@dataclass(frozen=True)
class Model:
    """One member of the family. Pages are numbered from 0; every page has 4 bytes."""

    name: str
    pages: int
    cc_size: int  # byte 2 of the capability container, in units of 8 bytes
    dynamic_lock_page: int
    pages_per_lock_bit: int
    lock_bits: int
    version_size: int  # byte 6 of GET_VERSION
    factory_user: bytes  # pages 4 and 5 as delivered

    @property
    def config_page(self) -> int:
        """CFG0: mirror settings and AUTH0."""
        return self.dynamic_lock_page + 1

    @property
    def access_page(self) -> int:
        """CFG1: the ACCESS byte."""
        return self.dynamic_lock_page + 2

    @property
    def password_page(self) -> int:
        """PWD."""
        return self.dynamic_lock_page + 3

    @property
    def pack_page(self) -> int:
        """PACK, the last page."""
        return self.dynamic_lock_page + 4

    @property
    def version(self) -> bytes:
        """The 8 bytes of GET_VERSION (data sheet 10.1)."""
        return bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self.version_size, 0x03))


NTAG213 = Model("NTAG213", 45, 0x12, 0x28, 2, 12, 0x0F, bytes.fromhex("0103A00C340300FE"))
NTAG215 = Model("NTAG215", 135, 0x3E, 0x82, 16, 8, 0x11, bytes.fromhex("0300FE0000000000"))
NTAG216 = Model("NTAG216", 231, 0x6D, 0xE2, 16, 14, 0x13, bytes.fromhex("0300FE0000000000"))
MODELS = {model.name: model for model in (NTAG213, NTAG215, NTAG216)}

# Two public pairs of UID and originality signature; both verify under NXP's key for the
# NTAG21x (AN11350), as tests/twin/test_signature.py does.
PUBLIC_SIGNATURES = {
    bytes.fromhex("04E10CDA993C80"): bytes.fromhex(
        "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"
    ),
    bytes.fromhex("04DB0BDA993C80"): bytes.fromhex(
        "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0"
    ),
}
