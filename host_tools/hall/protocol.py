"""Topics, passwords and signed frames of docs/hall.md, as both ends have them."""

import hmac
import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from firmware.app.link_frames import BadFrame, key_id, read_frame, write_frame

VERSION = 1
ROOT = "schiri"
HALL_USER = "hall"
"""The user as which `schiri hall` logs in; a box of this id could not."""
WATCH_USER = "watch"
"""The user who may read what boxes say of themselves, and no records."""
REFUSED_TOPIC = f"{ROOT}/broker/refused"
"""Where our broker says whom it refused; only it may write there."""
MAC_BYTES = 16
LONGEST_PAYLOAD = 8192
"""Bytes. The longest is an answer with one long record."""
HERE, STATE, RECORDS, ASK, ANSWER = "here", "state", "records", "ask", "answer"
KINDS = (HERE, STATE, RECORDS, ANSWER)
"""What boxes send."""


class Refusal(Exception):
    """A message that is not taken: `reason` is a name of docs/hall.md, `detail` a few words."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


def air_key(league_key: bytes) -> bytes:
    """What signs commands to the boxes of a league, and makes their passwords."""
    return hmac.digest(league_key, b"schiri air 1", sha256)


def league_id(league_key: bytes) -> str:
    """Eight hex digits: the league in a topic, and the key in a box's `hello`."""
    return key_id(league_key)


def password(air: bytes, user: str) -> str:
    """The MQTT password of a box, or of the hall."""
    return hmac.digest(air, f"mqtt {user}".encode(), sha256)[:MAC_BYTES].hex()


def client_id(box: str) -> str:
    """Two connections with one client id: the broker ends the older one."""
    return f"schiri-{box}"


def topic_of(league: str, box: str, kind: str) -> str:
    """The topic of a box."""
    return f"{ROOT}/{VERSION}/{league}/{box}/{kind}"


@dataclass(frozen=True)
class Topic:
    """A box's topic taken apart; `rest` is what follows the kind (records: match, first line)."""

    league: str
    box: str
    kind: str
    rest: tuple[str, ...] = ()


def read_topic(topic: str) -> Topic:
    """Raises Refusal."""
    parts = topic.split("/")
    if len(parts) < 5 or parts[0] != ROOT:
        raise Refusal("foreign_topic", topic[:80])
    if parts[1] != str(VERSION):
        raise Refusal("other_version", f"{parts[3][:32]}: {parts[1][:8]}")
    return Topic(parts[2], parts[3], parts[4], tuple(parts[5:]))


def sign(air: bytes, topic: str, message: dict[str, Any]) -> bytes:
    """A frame with its code in front, for this topic only."""
    frame = write_frame(message).rstrip(b"\n")
    return _mac(air, topic, frame) + b" " + frame


def open_signed(air: bytes, topic: str, payload: bytes) -> dict[str, Any]:
    """The message. Raises Refusal for another key or topic, or damage."""
    code, _, frame = payload.partition(b" ")
    if not hmac.compare_digest(code, _mac(air, topic, frame)):
        raise Refusal("bad_mac")
    try:
        return read_frame(frame)
    except BadFrame as error:
        raise Refusal("damaged", str(error)) from error


def _mac(air: bytes, topic: str, frame: bytes) -> bytes:
    code = hmac.digest(air, topic.encode() + b"\n" + frame, sha256)[:MAC_BYTES]
    return code.hex().encode()


def read_object(payload: bytes) -> dict[str, Any]:
    """The JSON object of `here` and `state`. Raises Refusal."""
    if len(payload) > LONGEST_PAYLOAD:
        raise Refusal("damaged", f"{len(payload)} bytes")
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise Refusal("damaged", "no JSON") from error
    if not isinstance(found, dict) or "\\u0000" in payload.decode("utf8", "replace"):
        raise Refusal("damaged", "no object")
    return found


def whole(message: dict[str, Any], name: str) -> int:
    """A field that counts something. Raises Refusal."""
    value = message.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        raise Refusal("damaged", name)
    return value
