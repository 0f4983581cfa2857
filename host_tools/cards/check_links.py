"""Links to the page that checks a signature in the visitor's browser: all that was signed stands
behind the #, which no browser sends to a server (docs/security.md).
"""

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from card_tags import codec, kinds
from card_tags.errors import MALFORMED, TagError
from card_tags.slip import signed_payload
from host_tools.cards.public_keys import SIGNATURE_BYTES, SigningKey
from host_tools.core.errors import UserError

PAGE = "/verify#"
SLIP, PAPER = "slip", "paper"
"""What may be signed, as `signed_bytes` names it: a result slip by a box, lines by a desk."""
_MARKS = {SLIP: b"s", PAPER: b"p"}
_ID = 8
_LETTERS = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class SignedClaim:
    """What a link says: `key` (an id) has signed `payload` as a `kind`. Nothing is checked yet."""

    kind: str
    key: str
    signature: bytes
    payload: bytes

    def link(self, base: str) -> str:
        """`base`: address of the league's page, as https://host."""
        data = _MARKS[self.kind] + bytes.fromhex(self.key) + self.signature + self.payload
        return f"{base}{PAGE}{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def paper_claim(desk: SigningKey, lines: Sequence[str]) -> SignedClaim:
    """What a desk has printed, line by line."""
    payload = "\n".join(lines).encode()
    return SignedClaim(PAPER, desk.id, desk.sign(PAPER, payload), payload)


def slip_claim(key: str, uid: bytes, covered: bytes, signature: bytes) -> SignedClaim:
    """What stands on the tag `uid`: a slip that the box with this key has signed."""
    return SignedClaim(SLIP, key, signature, signed_payload(uid, covered))


def slip_in(claim: SignedClaim) -> "kinds.Slip":
    """The slip that was signed; its box is known by the key. Raises UserError."""
    covered = claim.payload[1 + claim.payload[0] + len(kinds.SLIP) :]
    try:
        # behind the UID the letter of the kind has to stand (card_tags/FORMAT.md)
        if claim.payload != signed_payload(claim.payload[1 : 1 + claim.payload[0]], covered):
            raise TagError(MALFORMED)
        slip: Any = codec.content_of(kinds.SLIP, covered)
    except TagError as error:
        raise UserError("link_none") from error
    return slip  # type: ignore[no-any-return]


def read_link(link: str) -> SignedClaim:
    """The claim in a link, or in what stands behind its #. Raises UserError."""
    text = link.strip().rpartition("#")[2]
    # the decoder takes + and / too: the page that checks does not (verify.js)
    if not _LETTERS.fullmatch(text):
        raise UserError("link_none")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise UserError("link_none") from error
    kind = next((kind for kind, mark in _MARKS.items() if data.startswith(mark)), None)
    at = 1 + _ID + SIGNATURE_BYTES
    if kind is None or len(data) <= at:
        raise UserError("link_none")
    return SignedClaim(kind, data[1 : 1 + _ID].hex(), data[1 + _ID : at], data[at:])
