"""NXP's originality signature: ECDSA over secp128r1 of the UID (NXP AN11350, section 3).

It says that NXP made the chip, nothing more: UID and signature can be read and replayed by an
emulator. Checked once, when a tag is provisioned.
"""

# secp128r1 (SEC 2 version 1.0, section 2.4.1)
# by hand: the cryptography package has no curve of 128 bits
_P = 0xFFFFFFFDFFFFFFFFFFFFFFFFFFFFFFFF
_A = _P - 3
_N = 0xFFFFFFFE0000000075A30D1B9038A115
_G = (0x161FF7528B899B2D0C28607CA52C5B86, 0xCF5AC8395BAFEB13C02DA292DDED7A83)
# the key "NTAG21x 2013" of AN11350
_KEY = (0x494E1A386D3D3CFE3DC10E5DE68A499B, 0x1C202DB5B132393E89ED19FE5BE8BC61)

_HALF = 16

CurvePoint = tuple[int, int]


def is_genuine(uid: bytes, signature: bytes) -> bool:
    """True if NXP signed this UID. The UID itself is the message number, without a hash."""
    r = int.from_bytes(signature[:_HALF], "big")
    s = int.from_bytes(signature[_HALF:], "big")
    # SEC 1, 4.1.4; of 0 there is no inverse
    if len(signature) != 2 * _HALF or not 0 < r < _N or not 0 < s < _N:
        return False
    inverse = pow(s, -1, _N)
    message = int.from_bytes(uid, "big")
    left = _times(message * inverse % _N, _G)
    right = _times(r * inverse % _N, _KEY)
    point = _add(left, right)
    return point is not None and point[0] % _N == r


def _add(left: CurvePoint | None, right: CurvePoint | None) -> CurvePoint | None:
    """Addition on the curve; None is the point at infinity (SEC 1 version 2.0, section 2.2.1)."""
    if left is None or right is None:
        return left or right
    (x1, y1), (x2, y2) = left, right
    if x1 == x2 and (y1 + y2) % _P == 0:
        return None
    if left == right:
        slope = (3 * x1 * x1 + _A) * pow(2 * y1, -1, _P) % _P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, _P) % _P
    x3 = (slope * slope - x1 - x2) % _P
    return x3, (slope * (x1 - x3) - y1) % _P


def _times(factor: int, point: CurvePoint | None) -> CurvePoint | None:
    """Double and add."""
    result: CurvePoint | None = None
    while factor:
        if factor & 1:
            result = _add(result, point)
        point = _add(point, point)
        factor >>= 1
    return result
