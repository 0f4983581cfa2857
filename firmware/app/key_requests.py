"""A desk asks for the box's own key and enrols it: requests `key_public`, `key_enrol`, `key_make`
(docs/link.md). Only by cable; the private key is in no answer.
"""

import binascii

from micropython import const

from . import sounds
from .canvas import LINE, TOP
from .link import RequestError
from .page import OK, Page
from .view import View

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .seams import BoxApp, BoxSigning

_LONGEST_NAME = const(20)  # letters of a desk's name that the screen has room for


def add_requests(app: "BoxApp") -> None:
    """Put the requests into the table of the app's link."""
    handlers = app.hardware.link.handlers
    handlers["key_public"] = lambda request: _public(app)
    handlers["key_enrol"] = lambda request: _enrol(app, request)
    handlers["key_make"] = lambda request: _make(app, request)


def _public(app: "BoxApp") -> "dict[str, Any]":
    signing = _signing(app)
    public, desk = signing.public, signing.desk
    return {
        "public": hexed(public) if public else None,
        "made": 1 if public else 0,
        "desk": _id(desk) if desk else None,
        "weak": signing.is_weak,
    }


def _enrol(app: "BoxApp", request: "dict[str, Any]") -> "dict[str, Any]":
    """The desk's key is taken once; a box that shall obey another one makes a new key first."""
    from card_tags.p256 import is_public

    signing = _made(app)
    desk = binascii.unhexlify(request["desk"])
    if not is_public(desk):
        raise RequestError("bad_request", "no public key of P-256")
    if signing.desk not in (b"", desk):
        raise RequestError("other_desk", "another desk has enrolled this box")
    if app.session is not None:
        raise RequestError("in_match", "a match is open; finish it first")
    if not signing.desk:
        signing.enrol(desk)
    for page in [page for page in app.pages if isinstance(page, EnrolPage)]:
        app.close(page)
    app.open(EnrolPage(app, str(request.get("name", ""))[:_LONGEST_NAME], desk))
    app.sound(sounds.NOTICE)
    return {"public": hexed(signing.public), "key": _id(signing.public), "desk": _id(desk)}


def _make(app: "BoxApp", request: "dict[str, Any]") -> "dict[str, Any]":
    """A new key, in the place of the one that is named: no desk knows it."""
    signing = _made(app)
    if app.session is not None:
        raise RequestError("in_match", "a match is open; finish it first")
    if request.get("old") != _id(signing.public):
        raise RequestError("other_key", "the box has another key, %s" % _id(signing.public))
    if signing.is_busy():
        raise RequestError("unsigned", "a finished match waits for its signature")
    signing.make_anew()
    return {"made": 0}


def hexed(data: bytes) -> str:
    """Bytes as JSON has them."""  # not own_key's: its name here would keep all of it in memory
    return binascii.hexlify(data).decode()


def _signing(app: "BoxApp") -> "BoxSigning":
    if app.signing is None:
        raise RequestError("no_key", "this box has no key of its own")
    return app.signing


def _made(app: "BoxApp") -> "BoxSigning":
    signing = _signing(app)
    if not signing.public:
        raise RequestError("no_key", "the box has no key yet; its random source may be refused")
    return signing


def _id(public: bytes) -> str:
    from card_tags.p256 import key_id

    return hexed(key_id(public))


def fingerprint(public: bytes) -> str:
    """What people compare: `3f2a 90c1 7d04 55be`."""
    name = _id(public)
    return " ".join([name[at : at + 4] for at in range(0, 16, 4)])


class EnrolPage(Page):
    """Both fingerprints, until somebody has compared them and presses OK."""

    def __init__(self, app: "BoxApp", name: str, desk: bytes) -> None:
        Page.__init__(self, app)
        signing: "Any" = app.signing
        self._lines = (
            app.say("enrol_box"),
            fingerprint(signing.public),
            app.say("enrol_desk") + (" " + name if name else ""),
            fingerprint(desk),
            app.say("enrol_compare"),
        )

    def view(self) -> "View":
        parts = [("text", 0, TOP + at * LINE, line) for at, line in enumerate(self._lines)]
        return View(self.app.say("own_key"), parts, False)

    def on_blank(self) -> bool:
        return True

    def on_button(self, button: int) -> None:
        if button == OK:
            self.app.close(self)
