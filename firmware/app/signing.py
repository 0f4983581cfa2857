"""What the box signs with its own key, a little in every turn of the loop: a journal's head behind
its match, a slip while its tag lies there. The code for it leaves the memory when all is signed
(docs/decisions/keys.md).
"""

import gc

from micropython import const

from . import sounds
from .memory import forget

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from card_tags.p256 import RandomBytes, SignerSteps

    from .journal import Journal
    from .seams import BoxApp

_TURN_MS = const(3)  # so long a turn may be given to it, and the step that is under way then
# Each of these steps collects the garbage of those before it, 3 kB each: that takes 9 ms, and up
# to 15 with more of it. To ask how much is free takes 5.
_SWEEP = const(9)
MODULES = ("card_tags.p256_table", "card_tags.p256", "firmware.app.own_key")
_ALL_STEPS = const(107)  # of a signature, about


class Signing:
    """`public`: the box's public key, b"" while it has none; `desk`: that of the desk which has
    enrolled it, or b"". `is_weak`: the random source was refused, so there is no key. `is_lost`:
    the files of the key before cannot be read, which has to be said.

    `shared`: what only this box and its desk know, b"" until somebody wanted it (`share`) and it
    is worked out. `proven`: the request whose order the desk's key has signed.

    `draw(n)` is `os.urandom`.
    """

    def __init__(self, journal: "Journal", draw: "RandomBytes", clock: "Any") -> None:
        self.public = self.desk = b""
        self.is_weak = self.is_lost = self.wants_shared = False
        self.is_idle = False  # nothing is left to do, as far as was known when it was looked
        self.shared = b""
        self.proven: "object" = None
        self._journal = journal
        self._draw = draw
        self._clock = clock
        self._steps: "SignerSteps[Any] | None" = None
        self._done = 0  # steps of the work under way
        self._then: "Callable[[Any], None]" = _nothing
        self._waiting: "list[tuple[SignerSteps[Any], Callable[[Any], None]]]" = []
        self._loaded = self._stopped = False
        self._see(self.own_key())

    def own_key(self) -> "Any":
        """The key as the flash has it, loaded for a moment."""
        from .own_key import OwnKey

        self._loaded = True
        return OwnKey(self._journal.flash)

    def _see(self, own: "Any") -> None:
        self.public, self.desk, self.shared = own.public, own.desk, b""
        self._journal.signs_later = bool(self.public)

    # -- the loop --

    def step(self, app: "BoxApp") -> None:
        """Once in a turn in which nobody got an answer. What a full flash does not take waits for
        the next start.
        """
        try:
            if not self._stopped:
                if self._steps is not None:
                    self._go_on(app)
                    return
                if self._begin(app):  # what it has loaded takes its time: a turn of its own
                    return
        except OSError:
            self._stopped = True
        self.is_idle = True
        if self._loaded:
            self._loaded = False
            for name in MODULES:
                forget(name)

    def _begin(self, app: "BoxApp") -> bool:
        """Take what is next; False if there is nothing to do. A seal goes first: a slip names the
        link that the seal names.
        """
        if not (self.public or self.is_weak or self._waiting) and app.session is None:
            self.make_anew()
        if self.public and self._journal.is_due(app.session is None):
            self._seal()
        if self.desk and self.wants_shared and not (self.shared or self._waiting):
            self.start(self.own_key().sharing(self._draw), self._keep_shared)
        if not self._waiting:
            return False
        self._steps, self._then = self._waiting.pop(0)
        self._done = 0
        return True

    def _go_on(self, app: "BoxApp") -> None:
        try:
            self._done = go_on(self._steps, self._done, self._clock)
        except StopIteration as end:
            then = self._then
            self._steps, self._then = None, _nothing  # what stays would keep its modules
            then(end.value)
            if self.is_lost:
                self.is_lost = False
                self._tell(app, "own_key_lost")
        except RuntimeError:  # own_key.WeakSource
            self._steps, self._then = None, _nothing
            self._see(self.own_key())
            self.is_weak = not self.public
            self._tell(app, "own_key_weak")

    def _tell(self, app: "BoxApp", key: str) -> None:
        app.message("WRENCH", app.say("own_key"), (app.say(key),), sounds.FAULT)

    # -- what is signed --

    def start(self, steps: "SignerSteps[Any]", then: "Callable[[Any], None]") -> None:
        """Do this behind what is under way, and give `then` what comes of it."""
        self._waiting.append((steps, then))
        self.is_idle = False

    def sign(self, purpose: str, payload: bytes, then: "Callable[[bytes], None]") -> None:
        """Sign, and give `then` the 64 bytes."""
        self.start(self.own_key().signing(purpose, payload, self._draw), then)

    def _keep_shared(self, shared: bytes) -> None:
        self.shared = shared

    def check(
        self, kind: str, text: bytes, signature: bytes, then: "Callable[[bool], None]"
    ) -> None:
        """Give `then` whether the desk has signed this order (docs/link.md)."""
        from card_tags import p256

        self._loaded = True
        digest = p256.digest_of("order", kind.encode() + b"\n" + text)
        self.start(p256.verifying(self.desk, digest, signature), then)

    def enrol(self, desk: bytes) -> None:
        """The desk with this public key knows the box's key from now on. Raises OSError."""
        own = self.own_key()
        own.enrol(desk)
        self._see(own)
        self.is_idle = False  # the key of the air may be wanted

    def make_anew(self) -> None:
        """A new key, behind what is under way, in the place of the one that is there."""
        own = self.own_key()
        self.is_lost = own.is_lost
        self.start(own.making(self._draw), lambda _: self._see(own))
        self.public = self.desk = b""

    def share(self) -> None:
        """Work out `shared`, a little in every turn."""
        self.wants_shared = True
        self.is_idle = False

    def percent(self) -> int:
        """How far the signature under way is, 0 to 99."""
        return min(self._done * 100 // _ALL_STEPS, 99) if self._steps is not None else 0

    def is_busy(self) -> bool:
        """True while something is or will be signed; without a key no match waits for that."""
        busy = self._steps is not None or bool(self._waiting)
        return busy or (bool(self.public) and self._journal.is_due(True))

    def key_id(self) -> bytes:
        """The eight bytes that name the box's key."""
        from card_tags.p256 import key_id

        self._loaded = True
        return key_id(self.public)

    def _seal(self) -> None:
        """The oldest match that waits for its seal."""
        journal = self._journal
        waits = journal.to_seal()
        if waits is not None:
            number, count, head = waits
            name = self.key_id()
            payload = head + count.to_bytes(4, "big")
            steps = self.own_key().signing("journal", payload, self._draw)
            then = lambda made: journal.seal(number, count, name, made)  # noqa: E731
            self._waiting.insert(0, (steps, then))


def go_on(steps: "Any", done: int, clock: "Any") -> int:
    """One turn of steps of which `done` are done; returns how many are then. StopIteration behind
    the last one.
    """
    if done % _SWEEP == 0:  # a turn of its own
        gc.collect()
        return done + 1
    began_ms = clock.ticks_ms()
    while True:
        next(steps)
        done += 1
        if done % _SWEEP == 0 or clock.ticks_diff(clock.ticks_ms(), began_ms) >= _TURN_MS:
            return done


def _nothing(made: object) -> None:
    """Before there is any work."""
