"""HMAC-SHA256 (RFC 2104), for seals, signatures and passwords: MicroPython has no hmac."""

from hashlib import sha256

from micropython import const

_BLOCK = const(64)  # SHA-256 works on blocks of 64 bytes (FIPS 180-4)
_INNER = const(0x36)
_OUTER = const(0x5C)
# The key used last, and what it is made into: each card needs the same. Replaced as a whole: a
# hall has many threads; half of one key with half of another would make every later seal wrong.
_last = [(b"", b"", b"")]


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """Returns 32 bytes."""
    if len(key) > _BLOCK:
        key = sha256(key).digest()
    pads = _last[0]
    if key != pads[0]:
        padded = key + bytes(_BLOCK - len(key))
        inside = bytes([octet ^ _INNER for octet in padded])
        outside = bytes([octet ^ _OUTER for octet in padded])
        pads = _last[0] = (key, inside, outside)
    inner = sha256(pads[1])
    inner.update(message)
    outer = sha256(pads[2])
    outer.update(inner.digest())
    mac: bytes = outer.digest()
    return mac


def same(left: bytes, right: bytes) -> bool:
    """Equality in time that does not depend on where the difference lies."""
    if len(left) != len(right):
        return False
    difference = 0
    for at in range(len(left)):
        difference |= left[at] ^ right[at]
    return difference == 0
