"""The box's own key (P-256): made here, kept here, never told. docs/decisions/keys.md.

Two files in turn: half a key is never read. The private key is in memory only while it works.
Loaded when the box signs, or a desk asks for its key.
"""

import binascii
from hashlib import sha256

from micropython import const

from card_tags import p256

from .slots import TwoFiles

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from card_tags.p256 import RandomBytes, SignerSteps

    from .slots import StateFiles

FILE = "own_key"
# Of a random source that a byte of has four bits of entropy at least: one false alarm in 2^30.
_NOISE = const(1024)  # bytes that are looked at: SP 800-90B, 4.3
_REPEATED = const(9)  # 4.4.1: 1 + 30 / 4, rounded up
_WINDOW = const(512)  # 4.4.2
_LOOKED_AT = const(32)  # bytes between two yields
_FREQUENT = const(71)  # in a window of them: 1 + CRITBINOM(512, 1/16, 1 - 2^-30)


class WeakSource(RuntimeError):
    """The random source repeats itself: no key is made of it."""


class OwnKey:
    """`public`: 65 bytes, b"" while there is no key; `desk`: the public key of the desk that has
    enrolled it, or b"". `is_lost`: there was a key, which cannot be read.
    """

    def __init__(self, flash: "StateFiles") -> None:
        self._file = TwoFiles(flash, FILE)
        self.public = self.desk = b""
        self.is_lost = not self._load() and self._file.is_there()

    def _load(self) -> int:
        """The private key, 0 without one."""
        words = (self._file.load() or "").split(" ")
        if len(words) != 3:
            return 0
        self.public, self.desk = binascii.unhexlify(words[1]), binascii.unhexlify(words[2])
        return int(words[0], 16)

    def making(self, draw: "RandomBytes") -> "SignerSteps[None]":
        """A new key, in the place of the one that was: no desk knows it. Raises WeakSource,
        OSError.
        """
        secret = 0
        while not 0 < secret < p256.N:  # once in 2^32 it is none
            secret = yield from drawing(draw)
        public = yield from p256.public_of(secret, draw)
        self._store(secret, public, b"")
        yield
        self._store(secret, public, b"")  # twice: else the older file keeps the key before

    def enrol(self, desk: bytes) -> None:
        """The desk `desk` knows this key from now on. Raises OSError."""
        self._store(self._load(), self.public, desk)

    def _store(self, secret: int, public: bytes, desk: bytes) -> None:
        self._file.store("%064x %s %s" % (secret, hexed(public), hexed(desk)))
        self.public, self.desk = public, desk

    def signing(self, purpose: str, payload: bytes, draw: "RandomBytes") -> "SignerSteps[bytes]":
        """The signature of `payload`. Raises ValueError without a key."""
        return p256.signing(self._load(), p256.digest_of(purpose, payload), draw)

    def sharing(self, draw: "RandomBytes") -> "SignerSteps[bytes]":
        """The 32 bytes that this box and its desk alone can know (SP 800-56A, ECC CDH)."""
        return p256.shared(self._load(), self.desk, draw)


def hexed(data: bytes) -> str:
    """Bytes as JSON has them."""
    return binascii.hexlify(data).decode()


def drawing(draw: "RandomBytes") -> "SignerSteps[int]":
    """A drawn number of 256 bits. Raises WeakSource.

    More is drawn than a key needs, and hashed: what is looked at is what is used.
    """
    noise = draw(_NOISE)
    good = yield from judging(noise)
    if not good:
        raise WeakSource
    return int.from_bytes(sha256(noise).digest(), "big")


def judging(noise: bytes) -> "SignerSteps[bool]":
    """The health tests of SP 800-90B, 4.4: False for a source that repeats a byte too often, in a
    row or in a window.
    """
    row, last = 0, -1
    for at, byte in enumerate(noise):
        row = row + 1 if byte == last else 1
        last = byte
        if row >= _REPEATED:
            return False
        if at % _WINDOW == 0:
            window = noise[at : at + _WINDOW]
            if window.count(bytes((byte,))) >= _FREQUENT:
                return False
        if at % _LOOKED_AT == 0:
            yield
    return True
