"""The hall tag: how a box reaches its hall. Loaded only when one is read or written.

Its password is hidden from everybody without the league key: XOR with HMAC-SHA256(league key,
"schiri hall 1" and salt and UID and number of the block). What that is worth: docs/security.md.
"""

from collections import namedtuple

from micropython import const

from card_tags.errors import MALFORMED, TagError
from card_tags.hmac import hmac_sha256
from card_tags.wire import WireReader

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NamedTuple

    from card_tags.writer import Writer

    class Hall(NamedTuple):
        """A hall. `hidden` is the password as it stands on the tag, with the `salt` it was hidden
        with; before that `salt` is empty and `hidden` the password itself.
        """

        wifi: str
        broker: str
        port: int
        salt: bytes
        hidden: bytes

else:
    Hall = namedtuple("Hall", ("wifi", "broker", "port", "salt", "hidden"))

SALT_BYTES = const(8)
_LONGEST_PASSWORD = const(63)  # of WPA2, as a passphrase (IEEE 802.11)
_LONGEST_NAME = const(32)  # of an SSID (IEEE 802.11)
_LARGEST_PORT = const(65535)
_BLOCK = const(32)  # of SHA-256


def with_password_hidden(hall: Hall, salt: bytes, uid: bytes, key: bytes) -> Hall:
    """What a tag may hold. `salt`: random, another one each time."""
    return Hall(hall.wifi, hall.broker, hall.port, salt, _mixed(hall.hidden, salt, uid, key))


def password_of(hall: Hall, uid: bytes, key: bytes) -> str:
    """The password on the tag `uid`, whose seal was checked. UnicodeError if it is none."""
    return _mixed(hall.hidden, hall.salt, uid, key).decode()


def _mixed(data: bytes, salt: bytes, uid: bytes, key: bytes) -> bytes:
    mixed = bytearray(data)
    for at in range(len(mixed)):
        if at % _BLOCK == 0:
            stream = hmac_sha256(key, b"schiri hall 1" + salt + uid + bytes((at // _BLOCK,)))
        mixed[at] ^= stream[at % _BLOCK]
    return bytes(mixed)


def write_hall(out: "Writer", hall: Hall) -> None:
    """Append it. Raises ValueError, also for a password that is not hidden."""
    if len(hall.salt) != SALT_BYTES:
        raise ValueError("a hall tag is always sealed")
    if len(hall.hidden) > _LONGEST_PASSWORD or not 0 < hall.port <= _LARGEST_PORT:
        raise ValueError("a password of 63 bytes at most and a port up to 65535 expected")
    if not 0 < len(hall.wifi.encode()) <= _LONGEST_NAME:
        raise ValueError("a network's name of 1 to 32 bytes expected")
    out.text(hall.wifi)
    out.text(hall.broker)
    out.number(hall.port)
    out.data.extend(hall.salt)
    out.byte(len(hall.hidden))
    out.data.extend(hall.hidden)


def read_hall(data: WireReader) -> Hall:
    """The body. Raises TagError(MALFORMED)."""
    wifi, broker, port = data.text(), data.text(), data.number()
    salt = data.raw(SALT_BYTES)
    size = data.byte()
    if size > _LONGEST_PASSWORD or not 0 < port <= _LARGEST_PORT:
        raise TagError(MALFORMED)
    if not 0 < len(wifi.encode()) <= _LONGEST_NAME:
        raise TagError(MALFORMED)
    return Hall(wifi, broker, port, salt, data.raw(size))
