"""Seals of the league: HMAC-SHA256 (RFC 2104) over UID and payload, cut to 8 bytes.

docs/security.md says what they prevent and what not.
"""

from hashlib import sha256

from micropython import const

from card_tags import codec, kinds
from card_tags.errors import BAD_SEAL, UNKNOWN_KEY, UNSEALED, TagError
from card_tags.hmac import hmac_sha256, same

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

KEY_BYTES = const(32)
# so that a seal can never pass for another signature made with the same key
_DOMAIN = b"schiri tag 1"


def tag_key_id(key: bytes) -> int:
    """The number, 1 to 255, under which a league key stands on tags; it does not tell the key."""
    digest: bytes = sha256(b"schiri tag key" + key).digest()
    return 1 + digest[0] % 255  # 0 stands for unsealed


def sealed(kind: str, content: "Any", uid: bytes, key_id: int, key: bytes) -> "kinds.Tag":
    """A tag sealed for the chip `uid` with league key `key` (number `key_id`, 1..255)."""
    if not 1 <= key_id <= 255:
        raise ValueError("key id 1 to 255 expected")
    if kind == kinds.HALL and not content.salt:
        import os  # for writers only: the password is hidden before it is sealed

        from card_tags.hall import SALT_BYTES, with_password_hidden

        content = with_password_hidden(content, os.urandom(SALT_BYTES), uid, key)
    covered = codec.covered_bytes(kind, content, key_id)
    return kinds.Tag(kind, content, key_id, _seal(kind, covered, uid, key), covered)


def verify(tag: "kinds.Tag", uid: bytes, keys: "dict[int, bytes]") -> None:
    """Return if the seal fits this chip. `keys`: key id -> league key.

    Raises TagError UNSEALED, UNKNOWN_KEY or BAD_SEAL.
    """
    if tag.kind == kinds.SLIP:
        raise TagError(UNKNOWN_KEY)  # of a box: a desk knows it
    if tag.key_id == codec.UNSEALED_KEY:
        raise TagError(UNSEALED)
    if tag.key_id not in keys:
        raise TagError(UNKNOWN_KEY)
    expected = _seal(tag.kind, tag.covered, uid, keys[tag.key_id])
    if not same(expected, tag.check):
        raise TagError(BAD_SEAL)


def _seal(kind: str, covered: bytes, uid: bytes, key: bytes) -> bytes:
    message = _DOMAIN + bytes((len(uid),)) + uid + kind.encode() + covered
    return hmac_sha256(key, message)[: codec.SEAL_BYTES]
