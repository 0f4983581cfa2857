"""ECDSA on P-256 with SHA-256 (FIPS 186-5), nonce by RFC 6979, low s: in whole numbers alone.

What takes long is a generator that yields after every few multiplications and returns its result;
`finished` runs one to its end. Nothing is kept between two calls. On the laptop the package
`cryptography` does the same.

A point is (X, Y, Z), Jacobian: x = X / Z^2, y = Y / Z^3; Z = 0 is the point at infinity. The base
point is multiplied with a signed comb (M. Hamburg, *Fast and compact elliptic-curve
cryptography*, 2012, section 3.3): an odd number of 259 bits is a sum of powers of two that each
have a sign, so no column of seven is ever empty, and a table of 64 points is enough.
"""

from hashlib import sha256

from micropython import const

from card_tags.hmac import hmac_sha256

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any, TypeVar

    JacobianPoint = tuple[int, int, int]
    _Result = TypeVar("_Result")
    SignerSteps = Generator[None, None, _Result]
    RandomBytes = Callable[[int], bytes]

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
PUBLIC_BYTES = const(65)
SIGNATURE_BYTES = const(64)
_TEETH = const(7)
_COLUMNS = const(37)  # 7 * 37 = 259 bits
_COMB_BITS = const(259)
_WINDOW = const(4)
_WINDOWS = const(65)  # 4 * 65 = 260 bits
_UNIT = const(16)  # divisions of an inversion between two yields


def digest_of(purpose: str, payload: bytes) -> bytes:
    """What is signed (docs/link.md): a signature for one purpose is none for another."""
    whole = sha256(b"schiri sig 1 " + purpose.encode() + b"\0")
    whole.update(payload)
    digest: bytes = whole.digest()
    return digest


def key_id(public: bytes) -> bytes:
    """The eight bytes that name a public key; people compare them as sixteen digits."""
    digest: bytes = sha256(public).digest()
    return digest[:8]


def finished(steps: "SignerSteps[_Result]") -> "_Result":
    """The result of a generator of this module, all at once."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        made: "Any" = end.value
    return made  # type: ignore[no-any-return, unused-ignore]


def signing(secret: int, digest: bytes, draw: "RandomBytes") -> "SignerSteps[bytes]":
    """The signature, 64 bytes, with `secret`, 1 to N - 1, of a SHA-256 digest. What `draw(n)`, as
    `os.urandom`, gives hides the numbers of the way and does not change the result.
    """
    number = int.from_bytes(digest, "big") % N
    nonce = yield from _nonce(_checked(secret), number)
    x, _, z = yield from _base_times(nonce)
    turned = yield from _inverse(z, P, _mask(draw))
    r = x * turned * turned % P % N
    turned = yield from _inverse(nonce, N, _mask(draw))
    s = turned * (number + r * secret) % N  # r or s is 0 once in 2^256: then nobody takes it
    return r.to_bytes(32, "big") + min(s, N - s).to_bytes(32, "big")


def _nonce(secret: int, number: int) -> "SignerSteps[int]":
    """RFC 6979, section 3.2; `number` is its bits2octets as a number."""
    seed = secret.to_bytes(32, "big") + number.to_bytes(32, "big")
    value = b"\x01" * 32
    key = bytes(32)
    for step in (b"\0", b"\x01"):
        key = hmac_sha256(key, value + step + seed)
        yield
        value = hmac_sha256(key, value)
        yield
    value = hmac_sha256(key, value)
    while not 0 < int.from_bytes(value, "big") < N:  # once in 2^32
        key = hmac_sha256(key, value + b"\0")
        value = hmac_sha256(key, hmac_sha256(key, value))
    hmac_sha256(b"", b"")  # which lets go of the key used last
    return int.from_bytes(value, "big")


def public_of(secret: int, draw: "RandomBytes") -> "SignerSteps[bytes]":
    """The public key, 65 bytes, of a private one; `draw` as for `signing`."""
    x, y, z = yield from _base_times(_checked(secret))
    turned = yield from _inverse(z, P, _mask(draw))
    square = turned * turned % P
    x = x * square % P
    y = y * square * turned % P
    return b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")


def _checked(secret: int) -> int:
    if not 0 < secret < N:
        raise ValueError("no private key")
    return secret


def shared(secret: int, public: bytes, draw: "RandomBytes") -> "SignerSteps[bytes]":
    """The x, 32 bytes, of the point that a private key and another one's public key make, either
    way round (SP 800-56A, 5.7.1.2). ValueError if one of them is none.
    """
    if not is_public(public):
        raise ValueError("no public key")
    x, y = _numbers(public[1:])
    x, y, z = yield from _sum(0, _checked(secret), (x, y, 1))
    turned = yield from _inverse(z, P, _mask(draw))
    return (x * turned * turned % P).to_bytes(32, "big")


def is_public(public: bytes) -> bool:
    """False for what is no point of the curve, uncompressed (SEC 1, 2.3.3 and 3.2.2.1)."""
    if len(public) != PUBLIC_BYTES or public[0] != 4:
        return False
    x, y = _numbers(public[1:])
    return x < P and y < P and (y * y - (x * x - 3) * x - _B) % P == 0


def verifying(public: bytes, digest: bytes, signature: bytes) -> "SignerSteps[bool]":
    """True if the signature holds: of this digest, by this key, with low s; else False."""
    if not is_public(public) or len(signature) != SIGNATURE_BYTES:
        return False
    r, s = _numbers(signature)
    if not 0 < r < N or not 0 < s <= N // 2:
        return False
    turned = yield from _inverse(s, N)
    base = int.from_bytes(digest, "big") * turned % N
    key = _numbers(public[1:])
    x, _, z = yield from _sum(base, r * turned % N, (key[0], key[1], 1))
    square = z * z % P
    # x of the sum is below P, r below N: one or two numbers leave r. At infinity x is not 0.
    return r * square % P == x or (r + N < P and (r + N) * square % P == x)


def _numbers(data: bytes) -> "tuple[int, int]":
    return int.from_bytes(data[:32], "big"), int.from_bytes(data[32:], "big")


# -- points ---------------------------------------------------------------------------------------


def _double(point: "JacobianPoint") -> "JacobianPoint":
    """hyperelliptic.org/EFD, dbl-2001-b, for a = -3."""
    x, y, z = point
    delta = z * z % P
    gamma = y * y % P
    beta = x * gamma % P
    alpha = 3 * (x - delta) * (x + delta) % P
    x = (alpha * alpha - 8 * beta) % P
    return x, (alpha * (4 * beta - x) - 8 * gamma * gamma) % P, 2 * y * z % P


def _add(point: "JacobianPoint", other: "JacobianPoint") -> "JacobianPoint":
    """EFD, add-2007-bl without its doublings; any two points, `other` not the one at infinity."""
    x1, y1, z1 = point
    x2, y2, z2 = other
    if not z1:
        return other
    if z2 != 1:
        square = z2 * z2 % P
        x1 = x1 * square % P
        y1 = y1 * square % P * z2 % P
    square = z1 * z1 % P
    across = (x2 * square - x1) % P
    up = (y2 * (square * z1 % P) - y1) % P
    if not across:
        return (1, 1, 0) if up else _double(other)
    square = across * across % P
    cube = square * across % P
    middle = x1 * square % P
    x = (up * up - cube - 2 * middle) % P
    z = z1 * across % P
    return x, (up * (middle - x) - y1 * cube) % P, z if z2 == 1 else z * z2 % P


def _negative(point: "JacobianPoint") -> "JacobianPoint":
    return point[0], P - point[1], point[2]


# -- multiples ------------------------------------------------------------------------------------


def _signs(number: int, bits: int) -> bytes:
    """The signs of the powers of two whose sum is `number`, or `number` + N if that is even: a
    bit each, 1 for plus, low ones first.
    """
    if not number & 1:
        number += N
    return ((number + (1 << bits) - 1) >> 1).to_bytes(33, "little")


def _column(signs: bytes, column: int) -> "JacobianPoint":
    """The comb's point for a column."""
    from card_tags.p256_table import COMB

    index = 0
    for at in range(column + _COLUMNS * (_TEETH - 1), -1, -_COLUMNS):
        index = index << 1 | signs[at >> 3] >> (at & 7) & 1
    positive = index >> (_TEETH - 1)
    at = ((index if positive else ~index) & 0x3F) << 6
    x, y = _numbers(COMB[at : at + 64])
    return x, y if positive else P - y, 1


def _base_times(number: int) -> "SignerSteps[JacobianPoint]":
    """The base point, taken `number` times."""
    signs = _signs(number, _COMB_BITS)
    point = _column(signs, _COLUMNS - 1)
    yield
    for column in range(_COLUMNS - 2, -1, -1):
        point = _double(point)
        yield
        point = _add(point, _column(signs, column))
        yield
    return point


def _sum(base: int, times: int, point: "JacobianPoint") -> "SignerSteps[JacobianPoint]":
    """`base` times the base point and `times` times `point`, which share the doublings."""
    twice = _double(point)
    odd = [point]  # 1, 3, 5 … 15 times
    for _ in range(7):
        odd.append(_add(odd[-1], twice))
        yield
    combs = _signs(base, _COMB_BITS)
    signs = _signs(times, _WINDOW * _WINDOWS)
    total = 1, 1, 0
    for at in range(_WINDOW * _WINDOWS - 1, -1, -1):
        total = _double(total)
        yield
        if at % _WINDOW == 0:
            nibble = signs[at >> 3] >> (at & 4) & 15  # stands for 2 * nibble - 15
            total = _add(total, odd[nibble - 8] if nibble > 7 else _negative(odd[7 - nibble]))
            yield
        if at < _COLUMNS:
            total = _add(total, _column(combs, at))
            yield
    return total


def _mask(draw: "RandomBytes") -> int:
    return 1 + int.from_bytes(draw(31), "big")


def _inverse(number: int, modulus: int, mask: int = 1) -> "SignerSteps[int]":
    """1 / `number`, by Euclid. How many divisions that takes tells something of a number: with a
    drawn `mask` it is another one.
    """
    left, right = modulus, number * mask % modulus
    before, now = 0, 1
    steps = 0
    while right:
        times, rest = divmod(left, right)
        left, right = right, rest
        before, now = now, before - times * now
        steps += 1
        if steps % _UNIT == 0:
            yield
    return before * mask % modulus
