"""Links to the page that checks a signature in the visitor's browser: all that was signed stands
behind the #, which no browser sends to a server (docs/security.md).
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass

from host_tools.cards.public_keys import SIGNATURE_BYTES, SigningKey
from host_tools.core.errors import UserError

PAGE = "/verify#"
SLIP, PAPER = "slip", "paper"
"""What may be signed, as `signed_bytes` names it: a result slip by a box, lines by a desk."""
_MARKS = {SLIP: b"s", PAPER: b"p"}
_ID = 8


@dataclass(frozen=True)
class Claim:
    """What a link says: `key` (an id) has signed `payload` as a `kind`. Nothing is checked yet."""

    kind: str
    key: str
    signature: bytes
    payload: bytes

    def link(self, base: str) -> str:
        """`base`: address of the league's page, as https://host."""
        data = _MARKS[self.kind] + bytes.fromhex(self.key) + self.signature + self.payload
        return f"{base}{PAGE}{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def paper_claim(desk: SigningKey, lines: Sequence[str]) -> Claim:
    """What a desk has printed, line by line."""
    payload = "\n".join(lines).encode()
    return Claim(PAPER, desk.id, desk.sign(PAPER, payload), payload)


def slip_payload(uid: bytes, covered: bytes) -> bytes:
    """What a box signs of the slip on the tag `uid` (card_tags/FORMAT.md)."""
    return bytes((len(uid),)) + uid + b"s" + covered


def read_link(link: str) -> Claim:
    """The claim in a link, or in what stands behind its #. Raises UserError."""
    text = link.strip().rpartition("#")[2]
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise UserError("link_none") from error
    kind = next((kind for kind, mark in _MARKS.items() if data.startswith(mark)), None)
    at = 1 + _ID + SIGNATURE_BYTES
    if kind is None or len(data) <= at:
        raise UserError("link_none")
    return Claim(kind, data[1 : 1 + _ID].hex(), data[1 + _ID : at], data[at:])
