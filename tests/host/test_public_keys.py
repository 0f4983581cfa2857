"""Keys that anybody may know: what holds, and what must not."""

import hashlib
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from host_tools.cards import public_keys
from host_tools.cards.public_keys import (
    ORDER,
    EnrolledKey,
    KeyList,
    SigningKey,
    fingerprint,
    load_desk_key,
    publish,
    read_list,
    verify,
)
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.web.desk.rendering import verify_files

PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
# RFC 6979, A.2.5: the key of its examples for P-256
RFC_KEY = bytes.fromhex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
RFC_PUBLIC = bytes.fromhex(
    "0460FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
    "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
)
BOX = SigningKey(bytes(31) + b"\x07")
OTHER = SigningKey(bytes(31) + b"\x08")
DESK = SigningKey(bytes(31) + b"\x09", "Cup")
SIGNED = BOX.sign("slip", b"a result")


def test_the_key_of_rfc_6979_has_the_public_key_of_rfc_6979() -> None:
    key = SigningKey(RFC_KEY)
    assert key.public == RFC_PUBLIC
    digest = hashlib.sha256(RFC_PUBLIC).hexdigest()
    assert key.id == digest[:16]
    assert fingerprint(key.public) == f"{digest[:4]} {digest[4:8]} {digest[8:12]} {digest[12:16]}"


@pytest.mark.parametrize(
    ("message", "r", "s"),
    [
        (
            b"sample",
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
        ),
        (
            b"test",
            "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083",
        ),
    ],
)
def test_signatures_are_those_of_rfc_6979_with_the_lower_s(
    message: bytes, r: str, s: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """RFC 6979, A.2.5, with SHA-256; the first s is the higher one of the two that fit."""
    monkeypatch.setattr(public_keys, "signed_bytes", lambda _purpose, payload: payload)
    low = min(int(s, 16), ORDER - int(s, 16))
    signed = SigningKey(RFC_KEY).sign("", message)
    assert signed == bytes.fromhex(r) + low.to_bytes(32)
    assert verify(RFC_PUBLIC, "", message, signed)
    assert not verify(RFC_PUBLIC, "", message, signed[:32] + (ORDER - low).to_bytes(32))


def test_what_was_signed_holds_and_nothing_beside_it() -> None:
    assert verify(BOX.public, "slip", b"a result", SIGNED)
    assert not verify(OTHER.public, "slip", b"a result", SIGNED)
    assert not verify(BOX.public, "slip", b"a result.", SIGNED)
    assert not verify(BOX.public, "journal", b"a result", SIGNED)


@pytest.mark.parametrize("place", [0, 31, 32, 63])
@pytest.mark.parametrize("bit", range(8))
def test_no_bit_of_a_signature_may_change(place: int, bit: int) -> None:
    changed = bytearray(SIGNED)
    changed[place] ^= 1 << bit
    assert not verify(BOX.public, "slip", b"a result", bytes(changed))


R, S = int.from_bytes(SIGNED[:32]), int.from_bytes(SIGNED[32:])


@pytest.mark.parametrize(
    ("r", "s"),
    [
        (0, S),
        (R, 0),
        (0, 0),
        (ORDER, S),
        (R, ORDER),
        (R, ORDER - S),
        (2**256 - 1, S),
        (R, 2**256 - 1),
    ],
    ids=["r 0", "s 0", "both 0", "r n", "s n", "high s", "r most", "s most"],
)
def test_r_and_s_out_of_range_and_the_high_s_are_refused(r: int, s: int) -> None:
    assert not verify(BOX.public, "slip", b"a result", r.to_bytes(32) + s.to_bytes(32))


@pytest.mark.parametrize("length", [0, 1, 32, 63, 65, 72])
def test_a_signature_has_64_bytes(length: int) -> None:
    assert not verify(BOX.public, "slip", b"a result", (SIGNED + SIGNED)[:length])


B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
"""Of the equation of P-256 (SEC 2, 2.4.2): at x = 0 its square is y; p is 3 modulo 4."""
ROOT = pow(B, (PRIME + 1) // 4, PRIME)


def test_there_is_a_point_at_x_zero() -> None:
    """Else that x is not below p would be refused for another reason."""
    assert public_keys.read_public((b"\x04" + bytes(32) + ROOT.to_bytes(32)).hex())


X, Y = BOX.public[1:33], BOX.public[33:]
BAD_KEYS = {
    "off the curve": b"\x04" + X + Y[:-1] + bytes((Y[-1] ^ 1,)),
    "x of another": b"\x04" + OTHER.public[1:33] + Y,
    "zero": b"\x04" + bytes(64),
    "infinity": b"\x00",
    "compressed": bytes((2 + (Y[-1] & 1),)) + X,
    "hybrid": bytes((6 + (Y[-1] & 1),)) + X + Y,
    "x not below p": b"\x04" + PRIME.to_bytes(32) + ROOT.to_bytes(32),
    "all ones": b"\x04" + b"\xff" * 64,
    "short": BOX.public[:-1],
    "long": BOX.public + b"\0",
    "empty": b"",
    "secp256k1": b"\x04"
    + bytes.fromhex(  # the base point of another curve (SEC 2, 2.4.1)
        "79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798"
        "483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8"
    ),
}


@pytest.mark.parametrize("name", BAD_KEYS)
def test_what_is_no_point_of_the_curve_verifies_nothing_and_is_in_no_list(name: str) -> None:
    public = BAD_KEYS[name]
    assert not verify(public, "slip", b"a result", SIGNED)
    with pytest.raises(UserError) as refused:
        public_keys.read_public(public.hex())
    assert refused.value.sentence.key == "public_key_bad"


@pytest.mark.parametrize("number", [0, ORDER, ORDER + 1, 2**256 - 1])
def test_a_private_key_is_between_zero_and_the_order(number: int) -> None:
    with pytest.raises(ValueError, match="no private key"):
        SigningKey(number.to_bytes(32))


# -- the desk's own key ---------------------------------------------------------------------------


def test_a_desk_key_is_made_once_and_only_its_owner_reads_it() -> None:
    assert load_desk_key() is None
    made = load_desk_key(make="Cup")
    again = load_desk_key(make="other")
    assert made is not None
    assert again is not None
    assert (again.public, again.name) == (made.public, "Cup")
    path = places.desk_key()
    assert path.stat().st_mode & 0o777 == 0o600
    os.chmod(path, 0o644)
    with pytest.raises(UserError, match="chmod 600"):
        load_desk_key()


def test_a_wrong_bit_in_its_file_makes_no_other_key() -> None:
    load_desk_key(make="Cup")
    path = places.desk_key()
    entry = json.loads(path.read_text())
    first = entry["secret"]
    entry["secret"] = ("1" if first[0] == "0" else "0") + first[1:]
    path.write_text(json.dumps(entry))
    with pytest.raises(UserError, match="backup"):
        load_desk_key()


def test_half_a_file_is_told() -> None:
    load_desk_key(make="Cup")
    path = places.desk_key()
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(UserError, match="backup"):
        load_desk_key()


# -- lists ----------------------------------------------------------------------------------------

KEYS = (
    EnrolledKey("", DESK.public, 100, "Cup"),
    EnrolledKey("e661a4d1", BOX.public, 200, "Anna"),
    EnrolledKey("e661a4d2", OTHER.public, 300, "Ben", revoked=400),
)


def changed(**fields: Any) -> bytes:
    content = json.loads(publish(KeyList("Cup", KEYS), DESK))
    content.update(fields)
    return json.dumps(content).encode()


def signed(content: dict[str, Any], desk: SigningKey = DESK) -> bytes:
    """A list that its signer has really signed, whatever is in it."""
    content["signature"] = desk.sign("keys", public_keys.canonical(content)).hex()
    return json.dumps(content).encode()


def why(data: bytes) -> str:
    with pytest.raises(UserError) as refused:
        read_list(data)
    return refused.value.sentence.key


def test_a_list_comes_back_as_it_was() -> None:
    found = read_list(publish(KeyList("Cup", KEYS), DESK))
    assert found == KeyList("Cup", KEYS, DESK.id)
    assert found.issued == 400
    assert [key.by for key in found.of("e661a4d1")] == ["Anna"]
    assert found.of("e661a4d3") == ()


def test_names_of_all_scripts_are_signed_as_they_stand() -> None:
    odd = (KEYS[0], EnrolledKey("b1", BOX.public, 1, 'Çiğdem "Ö" \\ 漢'))
    assert read_list(publish(KeyList('Liga "Süd"', odd), DESK)).keys == odd


def test_a_changed_list_is_refused() -> None:
    content = json.loads(changed())
    assert why(changed(league="Other")) == "key_list_forged"
    assert why(changed(signature="00" * 64)) == "key_list_forged"
    del content["keys"][1]
    content["issued"] = 200
    assert why(json.dumps(content).encode()) == "key_list_forged"


def test_a_list_without_signature_or_with_half_of_it_is_none() -> None:
    content = json.loads(changed())
    del content["signature"]
    assert why(json.dumps(content).encode()) == "key_list_none"
    assert why(changed(signature=None)) == "key_list_none"
    assert why(changed()[:-20]) == "key_list_none"
    assert why(changed(signature=changed()[:10].hex())) == "key_list_forged"
    assert why(b"[" * 100_000) == "key_list_none"


def test_a_list_is_signed_by_one_of_its_own_desks_that_is_not_revoked() -> None:
    content = json.loads(changed())
    content["signer"] = BOX.id
    assert why(signed(content, BOX)) == "key_list_signer"
    late = (EnrolledKey("", DESK.public, 100, "Cup", revoked=500), *KEYS[1:])
    assert why(publish(KeyList("Cup", late), DESK)) == "key_list_signer"


def test_an_off_curve_key_in_a_signed_list_is_refused() -> None:
    content = json.loads(changed())
    content["keys"][0]["public"] = BAD_KEYS["off the curve"].hex()
    content["keys"][0]["id"] = public_keys.key_id(BAD_KEYS["off the curve"])
    assert why(signed(content)) == "public_key_bad"


def test_an_id_that_is_not_its_keys_and_a_key_that_stands_twice_are_refused() -> None:
    content = json.loads(changed())
    content["keys"][0]["id"] = OTHER.id
    assert why(signed(content)) == "key_list_contradicts"
    content = json.loads(changed())
    content["keys"].append({**content["keys"][0], "box": "e661a4d9"})
    assert why(signed(content)) == "key_list_contradicts"


@pytest.mark.parametrize("field", ["since", "revoked"])
# the second one: the first second of the year 10000
@pytest.mark.parametrize("time", [-1, 253_402_300_800, 10**30])
def test_a_time_that_no_calendar_has_is_refused(field: str, time: int) -> None:
    content = json.loads(changed())
    content["keys"][0][field] = time
    content["issued"] = max(content["issued"], time)
    assert why(signed(content)) == "key_list_contradicts"


def test_a_list_that_claims_to_be_newer_than_its_lines_is_refused() -> None:
    content = json.loads(changed())
    content["issued"] = 10_000
    assert why(signed(content)) == "key_list_contradicts"


@pytest.mark.parametrize(
    "box",
    [
        "",
        " e661a4d1",
        "e661a4d1 ",
        "E661A4D1",
        "е661а4d1",
        "e661a4d1\n",
        "e6 61",
        "x" * 65,
        "e661\u200b",
    ],
)
def test_ids_that_read_like_another_box_are_none(box: str) -> None:
    content = json.loads(changed())
    content["keys"][1]["box"] = box
    assert why(signed(content)) == "box_id_bad"


@pytest.mark.parametrize(
    ("one", "other"), [("box-1", "box-l"), ("b0", "bo"), ("ab1", "ab-1"), ("i", "1")]
)
def test_two_ids_that_people_may_confuse_are_not_in_one_list(one: str, other: str) -> None:
    content = json.loads(changed())
    content["keys"][0]["box"], content["keys"][1]["box"] = one, other
    assert why(signed(content)) == "box_id_alike"


def test_no_byte_of_a_list_may_change(tmp_path: Path) -> None:
    """Whatever a byte becomes: refused, or the very same list (a blank between two names)."""
    data = publish(KeyList("Cup", KEYS), DESK)
    right = read_list(data)
    for at in range(len(data)):
        other = data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]
        try:
            assert read_list(other) == right, at
        except UserError:
            continue


def test_the_folder_for_any_web_space_names_only_its_own_files() -> None:
    found = verify_files(b"{}", "Cup", "en")
    for name in ("index.html", "de.html", "en.html"):
        named = re.findall(r'(?:href|src)="([^"#?]+)', found[name].decode())
        assert "design.css" in named
        assert set(named) <= set(found)
    sheets = [content for name, content in found.items() if name.endswith(".css")]
    assert [one for one in sheets if b"url(" in one] == []
