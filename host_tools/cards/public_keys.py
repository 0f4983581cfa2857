"""Keys that anybody may know: of boxes and desks, what they signed, and the list that a league
publishes. docs/security.md says what a signature proves.

Curve P-256, ECDSA over SHA-256 with the nonce of RFC 6979. Of the two values of s that fit, the
lower one (low s): a signature cannot be changed into another valid one.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from host_tools.cards.keys import read_private
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.core.names import LONGEST_NAME, shown, unsafe
from host_tools.core.own_files import read_input, write_privately, written_below

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import (
        EllipticCurvePrivateKey,
        EllipticCurvePublicKey,
    )

PUBLIC_BYTES = 65
SIGNATURE_BYTES = 64
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the base point of P-256 (SEC 2, 2.4.2)."""
LIST_FORMAT = "schiri keys 1"
PRACTICE_LEAGUE = "Schiri, practice"
MOST_BYTES = 1 << 22
"""Of a published list; one of ten thousand keys is smaller."""
# the page that checks has the same limit (verify.js)
LONGEST_BOX = 64
_TIME_ENDS = 253_402_300_800  # the year 10000: datetime ends
_HALF = 32
_UNCOMPRESSED = 4  # first byte of a point with both coordinates (SEC 1, 2.3.3)


# -- keys and signatures --------------------------------------------------------------------------


def key_id(public: bytes) -> str:
    """16 hex digits that name a public key: the first 8 bytes of its SHA-256."""
    return hashlib.sha256(public).hexdigest()[:16]


def fingerprint(public: bytes) -> str:
    """The same as people compare it."""
    return grouped(key_id(public))


def from_hex(text: str) -> bytes:
    """Bytes from hex with one spelling. Raises ValueError, also for capitals and blanks."""
    made = bytes.fromhex(text)
    # else one bit of a signed file could change and nobody would see it
    if made.hex() != text:
        raise ValueError("not lower-case hex")
    return made


def grouped(name: str) -> str:
    """A key's id in four groups of four."""
    return " ".join(name[at : at + 4] for at in range(0, 16, 4))


def signed_bytes(purpose: str, payload: bytes) -> bytes:
    """What is hashed for a signature: made for one purpose, it fits no other."""
    # the zero byte ends the purpose: none can be the beginning of another with its payload
    return b"schiri sig 1 " + purpose.encode("ascii") + b"\0" + payload


def verify(public: bytes, purpose: str, payload: bytes, signature: bytes) -> bool:
    """Never raises: what is no key, no point of the curve, no signature, or has r or s outside
    1..n-1 or the higher s, does not hold.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256

    key = _point(public)
    r, s = int.from_bytes(signature[:_HALF]), int.from_bytes(signature[_HALF:])
    in_range = 0 < r < ORDER and 0 < s <= ORDER // 2
    if key is None or len(signature) != SIGNATURE_BYTES or not in_range:
        return False
    try:
        key.verify(
            utils.encode_dss_signature(r, s), signed_bytes(purpose, payload), ec.ECDSA(SHA256())
        )
    except InvalidSignature:
        return False
    return True


def _point(public: bytes) -> "EllipticCurvePublicKey | None":
    """None for what is no point of the curve, uncompressed."""
    from cryptography.hazmat.primitives.asymmetric import ec

    # the library takes compressed points too: one key would have two ids
    if len(public) != PUBLIC_BYTES or public[0] != _UNCOMPRESSED:
        return None
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    except ValueError:
        return None


def read_public(text: object) -> bytes:
    """A public key from hex as JSON has it. Raises UserError, also for a point off the curve."""
    try:
        public = bytes.fromhex(text) if isinstance(text, str) else b""
    except ValueError:
        public = b""
    # fromhex takes blanks and capitals: one key would have several spellings
    if _point(public) is None or public.hex() != text:
        raise UserError("public_key_bad", Exit.CHECK, text=str(text)[:LONGEST_NAME])
    return public


class SigningKey:
    """A private key; `secret`: 32 bytes. Raises ValueError for zero or one not below the order."""

    def __init__(self, secret: bytes, name: str = "") -> None:
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        number = int.from_bytes(secret)
        if len(secret) != _HALF or not 0 < number < ORDER:
            raise ValueError("no private key of P-256")
        self.name, self.secret = name, secret
        self._key: EllipticCurvePrivateKey = ec.derive_private_key(number, ec.SECP256R1())
        self.public: bytes = self._key.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )

    @property
    def id(self) -> str:
        return key_id(self.public)

    def sign(self, purpose: str, payload: bytes) -> bytes:
        """r and s, 32 bytes each; the same for the same payload."""
        from cryptography.hazmat.primitives.asymmetric import ec, utils
        from cryptography.hazmat.primitives.hashes import SHA256

        method = ec.ECDSA(SHA256(), deterministic_signing=True)
        r, s = utils.decode_dss_signature(self._key.sign(signed_bytes(purpose, payload), method))
        low = min(s, ORDER - s)
        return r.to_bytes(_HALF) + low.to_bytes(_HALF)


# -- the desk's own key ---------------------------------------------------------------------------


def load_desk_key(make: str | None = None) -> SigningKey | None:
    """This laptop's key, from a file that only its owner may read; `make`: the name of the league
    if it has to be made. None if there is none. Raises UserError.
    """
    path = places.desk_key()
    if path.exists():
        return read_private(path, _read_desk_key)
    return None if make is None else make_desk_key(make)


def practice_key() -> SigningKey:
    """What demo and simulated days sign with, so that nobody takes one for a day of the league;
    made at the first need. Raises UserError.
    """
    path = places.practice_key()
    if path.exists():
        return read_private(path, _read_desk_key)
    return make_desk_key(PRACTICE_LEAGUE, path=path)


def make_desk_key(
    league: str, known: SigningKey | None = None, path: Path | None = None
) -> SigningKey:
    """A key in its file, in the place of one that was there: a new one, or `known` under another
    name of the league. Raises UserError.
    """
    check_person(league)
    # 1 to n - 1, all equally likely; 32 random bytes may be 0 or n and more
    secret = known.secret if known else (1 + secrets.randbelow(ORDER - 1)).to_bytes(_HALF)
    key = SigningKey(secret, league)
    entry = {"schiri_desk_key": 1, "league": league, "secret": secret.hex(), "id": key.id}
    path = path or places.desk_key()
    with written_below(path):
        write_privately(path, json.dumps(entry, ensure_ascii=False, indent=1))
    return key


def _read_desk_key(path: Path) -> SigningKey:
    entry = json.loads(read_input(path))
    if entry["schiri_desk_key"] != 1:
        raise ValueError("unknown format")
    key = SigningKey(bytes.fromhex(entry["secret"]), str(entry["league"]))
    if key.id != entry["id"]:
        raise ValueError("damaged")  # else one wrong bit would make another key
    return key


# -- the list -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EnrolledKey:
    """A key of `box`, of a desk if that is "": `since` when (unix time) and `by` whom the desk
    knows it; from `revoked` on it counts no more.
    """

    box: str
    public: bytes = field(repr=False)
    since: int
    by: str
    revoked: int | None = None

    @property
    def id(self) -> str:
        return key_id(self.public)

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.public)


PublicKeysOf = Callable[[str], Sequence[EnrolledKey]]
"""From a box's id to its keys, the oldest first."""


def no_public_keys(_box: str) -> Sequence[EnrolledKey]:
    """Where none is enrolled."""
    return ()


@dataclass(frozen=True)
class KeyList:
    """What a league has enrolled. `signer`: the id of the desk's key that signed the list; "" for
    one that comes straight from the database.
    """

    league: str
    keys: tuple[EnrolledKey, ...]
    signer: str = ""

    def of(self, box: str) -> tuple[EnrolledKey, ...]:
        """The keys of a box, the oldest first; of all desks for ""."""
        return tuple(key for key in self.keys if key.box == box)

    def find(self, name: str) -> EnrolledKey | None:
        """The key of that id."""
        return next((key for key in self.keys if key.id == name), None)

    @property
    def issued(self) -> int:
        """When it changed last (unix time): an older list knows less."""
        return max((max(key.since, key.revoked or 0) for key in self.keys), default=0)


class _KeyLine(msgspec.Struct):
    public: str
    id: str
    since: int
    by: str
    revoked: int | None = None
    box: str = ""


class _Published(msgspec.Struct):
    format: str
    league: str
    issued: int
    keys: list[_KeyLine]
    desk: list[_KeyLine]
    signer: str
    signature: str


def publish(found: KeyList, desk: SigningKey) -> bytes:
    """The list as everybody may read it, signed by one of its desk keys."""
    content: dict[str, object] = {
        "format": LIST_FORMAT,
        "league": found.league,
        "issued": found.issued,
        "keys": [{"box": key.box, **_line(key)} for key in found.keys if key.box],
        "desk": [_line(key) for key in found.of("")],
        "signer": desk.id,
    }
    signature = desk.sign("keys", canonical(content)).hex()
    text = json.dumps({**content, "signature": signature}, ensure_ascii=False, indent=1)
    return f"{text}\n".encode()


def _line(key: EnrolledKey) -> dict[str, object]:
    about = {"public": key.public.hex(), "id": key.id, "since": key.since}
    return {**about, "by": key.by, "revoked": key.revoked}


def canonical(content: dict[str, object]) -> bytes:
    """The bytes that are signed: without the signature, names in order, no blanks."""
    bare = {name: value for name, value in content.items() if name != "signature"}
    # letters as they are, as JSON.stringify writes them on the page that checks (verify.js)
    return json.dumps(bare, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def read_list(data: bytes) -> KeyList:
    """A published list, checked: every key, every id, and the signature. Raises UserError, exit
    code 1 for one that was changed.
    """
    try:
        # before anything is parsed: a list may come from anybody
        if len(data) > MOST_BYTES:
            raise ValueError("too long")
        said = msgspec.json.decode(data, type=_Published)
        # again, for the fields that this version does not know: they are signed too
        content = json.loads(data)
        signature = from_hex(said.signature)
        signed = canonical(content)
    # RecursionError: thousands of nested brackets
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UserError("key_list_none") from error
    if said.format != LIST_FORMAT:
        raise UserError("key_list_none")
    desks = [_read_line(line, "") for line in said.desk]
    keys = (*desks, *(_read_line(line, checked_box(line.box)) for line in said.keys))
    found = KeyList(said.league, keys, said.signer)
    _check_list(found, said, desks, signed, signature)
    return found


def _check_list(
    found: KeyList,
    said: _Published,
    desks: Iterable[EnrolledKey],
    signed: bytes,
    signature: bytes,
) -> None:
    """Raises UserError for a list that contradicts itself, or that its signer has not signed."""
    names = [key.id for key in found.keys]
    if len(set(names)) != len(names) or said.issued != found.issued:
        raise UserError("key_list_contradicts", Exit.CHECK)
    check_alike({key.box for key in found.keys if key.box})
    signer = next((key for key in desks if key.id == said.signer), None)
    if signer is None or signer.revoked is not None:
        raise UserError("key_list_signer", Exit.CHECK, name=said.signer[:LONGEST_NAME])
    if not verify(signer.public, "keys", signed, signature):
        raise UserError("key_list_forged", Exit.CHECK)


def _read_line(line: _KeyLine, box: str) -> EnrolledKey:
    key = EnrolledKey(box, read_public(line.public), line.since, line.by, line.revoked)
    times = (line.since, line.revoked or 0)
    if key.id != line.id or unsafe(line.by) or not all(0 <= at < _TIME_ENDS for at in times):
        raise UserError("key_list_contradicts", Exit.CHECK)
    return key


def check_person(by: str) -> None:
    """Raises UserError for the name of a person or league that a list could not show."""
    if not by.strip() or by != by.strip() or len(by) > LONGEST_NAME or unsafe(by):
        raise UserError("key_name", count=LONGEST_NAME)


def checked_box(box: object) -> str:
    """A box's id: the boxes' own are hex digits, and nothing that reads like another one passes:
    no blanks, no capitals, no letters of other alphabets. Raises UserError.
    """
    text = box if isinstance(box, str) else ""
    plain = text.isascii() and text == text.lower() and text.replace("-", "").isalnum()
    if not plain or len(text) > LONGEST_BOX:
        raise UserError("box_id_bad", Exit.CHECK, text=shown(str(box)))
    return text


# a hyphen is easily missed: an id is not told apart by it alone
_ALIKE = str.maketrans("oli-", "011 ")


def check_alike(boxes: Iterable[str]) -> None:
    """Raises UserError for two ids that people may take for one another: o and 0, l, i and 1."""
    seen: dict[str, str] = {}
    for box in sorted(boxes):
        other = seen.setdefault(box.translate(_ALIKE).replace(" ", ""), box)
        if other != box:
            raise UserError("box_id_alike", Exit.CHECK, ids=[other, box])
