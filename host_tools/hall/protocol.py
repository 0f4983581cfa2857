"""Topics, passwords and signed frames of docs/hall.md, as both ends have them."""

import hmac
import json
import re
from dataclasses import dataclass
from hashlib import sha256

from firmware.app.link_frames import BadFrame, key_id, read_frame, write_frame
from host_tools.cards.public_keys import SigningKey
from host_tools.core.json_types import Json
from host_tools.store.said import Beat, Here, Said, SaidState, Unfit, read, read_parts

VERSION = 1
PORT, TLS_PORT = 1883, 8883
"""Where a broker listens."""
ROOT = "schiri"
HALL_USER = "hall"
"""The user as which `schiri hall` logs in; a box of this id could not."""
WATCH_USER = "watch"
"""The user who may read what boxes say of themselves, and no records."""
WATCH_USERS = (WATCH_USER, *(f"{WATCH_USER}-{n}" for n in range(2, 5)))
"""Mosquitto lets each user in once: a program that watches takes one of these."""
COMMON_USERS = (HALL_USER, *WATCH_USERS)
REFUSED_TOPIC = f"{ROOT}/broker/refused"
"""Where our broker says whom it refused; only it may write there."""
MAC_BYTES = 16
"""Half of the HMAC: a state is said every ten seconds, and 128 bits are not guessed."""
CRC_BYTES = len(" 00000000")
"""Behind the JSON of a frame."""
LONGEST_PAYLOAD = 8192
"""Bytes. The longest is an answer with one long record."""
PACKET_BYTES = 16384
"""Longest MQTT packet that a broker takes; room for LONGEST_PAYLOAD."""
HERE, STATE, RECORDS, ASK, ANSWER = "here", "state", "records", "ask", "answer"
KINDS = (HERE, STATE, RECORDS, ANSWER)
"""What boxes send."""
# an id becomes a level of topics and a key of the database
_BOX = re.compile(r"[0-9A-Za-z_.-]{1,64}", re.ASCII)
_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_CODE = re.compile(rb', "mac": "([0-9a-f]{32})"\}')
_CODE_BYTES = len(b', "mac": ""}') + 2 * MAC_BYTES


class RefusedMessage(Exception):
    """A message that is not taken: `reason` is a name of docs/hall.md, `detail` a few words."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


def air_key(league_key: bytes) -> bytes:
    """What signs commands to the boxes of a league, and makes their passwords."""
    return hmac.digest(league_key, b"schiri air 1", sha256)


def pair_key(desk: SigningKey, public: bytes) -> bytes:
    """The same for a box that a desk has enrolled: only these two can make it (SP 800-56A, ECC CDH
    of the box's key and the desk's), so that an opened box speaks for no other.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    private = ec.derive_private_key(int.from_bytes(desk.secret), ec.SECP256R1())
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    return hmac.digest(private.exchange(ec.ECDH(), point), b"schiri air 2", sha256)


def league_id(league_key: bytes) -> str:
    """Eight hex digits: the league in a topic, and the key in a box's `hello`."""
    return key_id(league_key)


def password(air: bytes, user: str) -> str:
    """The MQTT password of a box, or of the hall."""
    # derived: no box needs a secret of its own, on a tag or in a list
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
    """Raises RefusedMessage."""
    parts = topic.split("/")
    if len(parts) < 5 or parts[0] != ROOT:
        raise RefusedMessage("foreign_topic", topic[:80])
    if parts[1] != str(VERSION):
        raise RefusedMessage("other_version", f"{parts[3][:32]}: {parts[1][:8]}")
    if not _BOX.fullmatch(parts[3]):
        raise RefusedMessage("foreign_topic", parts[3][:32])
    return Topic(parts[2], parts[3], parts[4], tuple(parts[5:]))


def record_place(topic: Topic) -> tuple[int, int]:
    """Match and first line of pushed records. Raises RefusedMessage."""
    if len(topic.rest) != 2 or not all(_NUMBER.fullmatch(part) for part in topic.rest):
        raise RefusedMessage("foreign_topic", "/".join(topic.rest)[:40])
    return int(topic.rest[0]), int(topic.rest[1])


def sign(air: bytes, topic: str, message: Json) -> bytes:
    """A frame with its code in front, for this topic only."""
    frame = write_frame(message).rstrip(b"\n")
    return _mac(air, topic, frame) + b" " + frame


def open_signed(air: bytes, topic: str, payload: bytes) -> Json:
    """The message. Raises RefusedMessage for another key or topic, or damage."""
    code, _, frame = payload.partition(b" ")
    # before anything is parsed: until then the bytes may be anyone's
    if not hmac.compare_digest(code, _mac(air, topic, frame)):
        raise RefusedMessage("bad_mac")
    if len(payload) > LONGEST_PAYLOAD:
        raise RefusedMessage("damaged", f"{len(payload)} bytes")
    try:
        read_parts(
            frame[:-CRC_BYTES].decode()
        )  # rejects NaN and whatever else only Python accepts
        return read_frame(frame)
    except BadFrame as error:
        raise RefusedMessage("damaged", str(error)) from error
    except (Unfit, UnicodeDecodeError) as error:
        raise RefusedMessage("bad_value", str(error)) from error


def _mac(air: bytes, topic: str, frame: bytes) -> bytes:
    # over topic and frame: league, box and direction are signed without a field each
    code = hmac.digest(air, topic.encode() + b"\n" + frame, sha256)[:MAC_BYTES]
    return code.hex().encode()


def sign_object(air: bytes, topic: str, message: Json) -> bytes:
    """A JSON object with the code of all of it as its last field, as boxes write it."""
    data = json.dumps(message).encode()
    # at the end, so that programs that watch read the rest as plain JSON
    return data[:-1] + b', "mac": "%s"}' % _mac(air, topic, data)


def open_object(air: bytes, topic: str, payload: bytes) -> bytes:
    """What was signed. Raises RefusedMessage: `unsigned` for an object without a code."""
    if len(payload) > LONGEST_PAYLOAD:
        raise RefusedMessage("damaged", f"{len(payload)} bytes")
    code = _CODE.fullmatch(payload[-_CODE_BYTES:])
    if code is None:
        raise RefusedMessage("unsigned", topic.rpartition("/")[2])
    # cut from the bytes: MicroPython and CPython write the same JSON differently
    data = payload[:-_CODE_BYTES] + b"}"
    if not hmac.compare_digest(code[1], _mac(air, topic, data)):
        raise RefusedMessage("bad_mac")
    return data


def read_here(data: bytes) -> Here:
    """Raises RefusedMessage."""
    return _fit(Here, data)


def read_state(data: bytes) -> SaidState:
    """Raises RefusedMessage."""
    _fit(Beat, data)
    return _fit(SaidState, data)


def _fit(kind: type[Said], data: bytes) -> Said:
    try:
        return read(kind, data)
    except Unfit as error:
        raise RefusedMessage("bad_value", str(error)) from error
