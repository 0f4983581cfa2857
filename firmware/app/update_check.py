"""May this firmware come? A box that knows a key takes an update only with its signature, which is
checked before anything is erased (docs/link.md, docs/security.md). Loaded with the slot writer.

What is signed, for the purpose "firmware", is four words: board, version, the firmware that it may
replace though that is newer ("-": none; else the first 16 digits of its SHA-256), SHA-256.
"""

import binascii

from micropython import const

from . import sounds
from .link import RequestError
from .memory import forget
from .signing import MODULES, go_on

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.p256 import SignerSteps

    from .seams import BoxApp
    from .slots import StateFiles

    About = tuple[str, str, bytes, BoxApp | None]

NO_NEWER = "-"
_WORDS = const(4)
BUILD_DIGITS = const(16)


class UpdateCheck:
    """`about`: the board's name, the version that runs, the release key, b"" without one, and the
    app, None after a crash. `build`: the first digits of the SHA-256 of what runs.
    """

    def __init__(self, files: "StateFiles", clock: "Any", about: "About") -> None:
        self._files = files
        self._board, self._version, self._release, self._app = about
        self.build = ""
        self._clock = clock
        self._asked: "tuple[str, str] | None" = None  # what was signed, and the signature
        self._holds = False
        self._steps: "SignerSteps[bool] | None" = None
        self._done = 0

    def keys(self) -> "list[bytes]":
        """The public keys whose signature counts: of the desk that has enrolled the box, and of
        releases. Without any, every firmware is taken.
        """
        from .own_key import OwnKey

        desk = OwnKey(self._files).desk
        return [key for key in (desk, self._release) if key]

    def about(self) -> "dict[str, Any]":
        """What a laptop must know to sign, or to bring what fits."""
        from card_tags.p256 import key_id

        signers = [binascii.hexlify(key_id(key)).decode() for key in self.keys()]
        self._forget()
        return {
            "board": self._board,
            "version": self._version,
            "build": self.build,
            "signers": signers,
        }

    def allows(self, request: "dict[str, Any]") -> bool:
        """True if the firmware of this `update_begin` may come; False while its signature is being
        checked. RequestError if it may not, which the screen says too.
        """
        try:
            return self._allows(request)
        except RequestError as error:
            if self._app is not None:
                say = self._app.say
                lines = (say("update_" + error.args[0]),)
                self._app.message("SEAL", say("update_refused"), lines, sounds.REFUSED)
            raise

    def _allows(self, request: "dict[str, Any]") -> bool:
        text, signature = str(request.get("firmware", "")), str(request.get("sig", ""))
        if self._steps is not None and self._asked == (text, signature):
            return False
        keys = self.keys()
        if not keys:
            self._forget()
            return True
        if not signature:
            raise RequestError("no_signature", "this box takes only what its desk has signed")
        self._check_words(text, str(request["sha256"]))
        if self._asked != (text, signature):
            self._asked = (text, signature)
            self._holds = False
            self._steps = _verifying(keys, text, binascii.unhexlify(signature))
            self._done = 0
            return False
        if not self._holds:
            self._asked = None
            raise RequestError("bad_signature", "no key that this box knows has signed it")
        return True

    def is_allowed(self, digest: str) -> bool:
        """True if what has come may still be tried: a desk may have enrolled the box meanwhile."""
        asked = self._asked
        if asked is not None and self._holds and asked[0].endswith(" " + digest):
            return True
        keys = self.keys()
        self._forget()
        return not keys

    def _check_words(self, text: str, digest: str) -> None:
        """What is signed is this firmware, for this board, and none older than what runs."""
        words = text.split(" ")
        if len(words) != _WORDS or words[3] != digest:
            raise RequestError("bad_signature", "the signature is of another firmware")
        if words[0] != self._board:
            raise RequestError("other_board", "it is for %s; this is %s" % (words[0], self._board))
        if _numbers(words[1]) < _numbers(self._version) and words[2] != self.build:
            raise RequestError(
                "old_version", "%s is older than %s, which runs" % (words[1], self._version)
            )

    def step(self) -> None:
        """A little of the check, in every turn of the loop."""
        if self._steps is None:
            return
        try:
            self._done = go_on(self._steps, self._done, self._clock)
        except StopIteration as end:
            self._steps = None
            self._holds = end.value
            self._forget()

    def _forget(self) -> None:
        if self._steps is None:
            for name in MODULES:
                forget(name)


def _verifying(keys: "list[bytes]", text: str, signature: bytes) -> "SignerSteps[bool]":
    """Has one of the keys signed it?"""
    from card_tags import p256

    digest = p256.digest_of("firmware", text.encode())
    for key in keys:
        holds = yield from p256.verifying(key, digest, signature)
        if holds:
            return True
    return False


def _numbers(version: str) -> "list[int]":
    return [int(part) for part in version.split(".")]
