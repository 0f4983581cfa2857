"""The originality signatures of the twin are NXP's: ECDSA on secp128r1 over the UID (AN11350).

The curve is written down here from SEC 2 version 1.0, 2.5.1; the twin itself holds only bytes.
"""

import pytest

from hardware.twin.tag_models import PUBLIC_SIGNATURES
from hardware.twin.tags import NtagTwin

P = 0xFFFFFFFDFFFFFFFFFFFFFFFFFFFFFFFF
A = 0xFFFFFFFDFFFFFFFFFFFFFFFFFFFFFFFC
G = (0x161FF7528B899B2D0C28607CA52C5B86, 0xCF5AC8395BAFEB13C02DA292DDED7A83)
N = 0xFFFFFFFE0000000075A30D1B9038A115
# NXP's public key for the NTAG21x
KEY = (0x494E1A386D3D3CFE3DC10E5DE68A499B, 0x1C202DB5B132393E89ED19FE5BE8BC61)

Point = tuple[int, int] | None


def add(p: Point, q: Point) -> Point:
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    if p == q:
        slope = (3 * p[0] * p[0] + A) * pow(2 * p[1], -1, P)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def times(k: int, p: Point) -> Point:
    total: Point = None
    while k:
        if k & 1:
            total = add(total, p)
        p = add(p, p)
        k >>= 1
    return total


def is_genuine(uid: bytes, signature: bytes) -> bool:
    r, s = int.from_bytes(signature[:16], "big"), int.from_bytes(signature[16:], "big")
    inverse = pow(s, -1, N)
    point = add(times(int.from_bytes(uid, "big") * inverse % N, G), times(r * inverse % N, KEY))
    return point is not None and point[0] % N == r


@pytest.mark.parametrize("uid", PUBLIC_SIGNATURES)
def test_public_signatures_verify(uid: bytes) -> None:
    assert is_genuine(uid, NtagTwin.ntag213(uid).signature)


def test_any_other_uid_does_not() -> None:
    uid = bytes.fromhex("04E10CDA993C81")
    assert not is_genuine(uid, NtagTwin.ntag213(uid).signature)
    assert not is_genuine(uid, next(iter(PUBLIC_SIGNATURES.values())))
