"""ISO/IEC 14443-3 type A at 106 kbit/s: checksums, bit strings and the duration of frames."""

from typing import NamedTuple

REQA = 0x26  # request: only tags in IDLE answer
WUPA = 0x52  # wake up: tags in IDLE and HALT answer
SHORT_FRAME_BITS = 7
HLTA = b"\x50\x00"
SELECT_LEVELS = (0x93, 0x95, 0x97)
SELECT_ALL = 0x70  # NVB of a SELECT: all 40 bits follow
ANTICOLLISION = 0x20  # NVB of the first ANTICOLLISION: no bits follow
CASCADE_TAG = 0x88
SAK_CASCADE = 0x04  # the UID goes on at the next level
ACK_BITS = 4

# one bit (etu) is 128 carrier periods at 13.56 MHz = 9.44 µs
_CARRIER_MHZ = 13.56
_ETU_CARRIERS = 128
# start and end of a frame in bits, beside data and one parity bit per byte (ISO 14443-3, 6.2)
_READER_FRAME_EXTRA = 3
_TAG_FRAME_EXTRA = 2
TAG_ANSWERS_AFTER_US = 91.2  # 1236 carrier periods, ISO 14443-3 table 2
READER_GOES_ON_AFTER_US = 86.4  # 1172 carrier periods


class TagAnswer(NamedTuple):
    """What a tag sends: `bits` valid bits of `data` (4 for ACK and NAK).

    `busy_us`: how long the tag works before it answers, beside the frame delay.
    """

    data: bytes
    bits: int
    busy_us: int = 0


def crc_a(data: bytes) -> bytes:
    """CRC_A of ISO 14443-3 annex B, low byte first."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ (byte << 4)) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return crc.to_bytes(2, "little")


def with_crc(data: bytes) -> bytes:
    """`data` with its CRC_A behind it."""
    return data + crc_a(data)


def crc_is_right(frame: bytes) -> bool:
    """True if the last two bytes are the CRC_A of those before."""
    return len(frame) > 2 and crc_a(frame[:-2]) == frame[-2:]


def to_bits(data: bytes, bits: int) -> list[int]:
    """The first `bits` bits in the order of the air: lowest bit of each byte first."""
    return [data[i // 8] >> (i % 8) & 1 for i in range(bits)]


def from_bits(bits: list[int]) -> bytes:
    """The bytes of a bit list; the last byte is filled up with zeros."""
    data = bytearray((len(bits) + 7) // 8)
    for i, bit in enumerate(bits):
        data[i // 8] |= bit << (i % 8)
    return bytes(data)


def _air_us(bits: int, extra: int) -> float:
    parity = bits // 8
    return (bits + parity + extra) * _ETU_CARRIERS / _CARRIER_MHZ


def reader_frame_us(bits: int) -> float:
    """Duration of a frame of `bits` data bits from reader to tag."""
    return _air_us(bits, _READER_FRAME_EXTRA)


def tag_frame_us(bits: int) -> float:
    """Duration of a frame of `bits` data bits from tag to reader."""
    return _air_us(bits, _TAG_FRAME_EXTRA)
