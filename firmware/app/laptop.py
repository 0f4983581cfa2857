"""What only a laptop asks for is loaded when it asks, and leaves when a match is opened: 6 kB."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .lending import Lending
    from .seams import BoxApp, GivenMatch

_TAG_REQUESTS = (
    "tag_find",
    "tag_read",
    "tag_write",
    "tag_version",
    "tag_signature",
    "tag_signal",
)
_KEY_REQUESTS = ("key_public", "key_enrol", "key_make")
_OTHER_REQUESTS = ("screen", "health", "log", "selftest", "sound", "assign", "notice")


class Laptop:
    """The requests of the link that belong to the app.

    `notice`: what a desk wants to be read: id, text, until (unix or None), waiting, shown or
    acknowledged. `put_off`: the players wanted the menu instead of the match given.
    """

    def __init__(self, app: "BoxApp") -> None:
        self._app = app
        self._lending: "Lending | None" = None
        self.desk: "GivenMatch | None" = None
        self.notice: "tuple[int, str, int | None, str] | None" = None
        self.put_off = False
        self.serve()

    def serve(self) -> None:
        """Forget what was loaded, and load it when it is asked for."""
        self._lending = self.desk = None
        link = self._app.hardware.link
        if link is not None:
            for requests in (_TAG_REQUESTS, _KEY_REQUESTS, _OTHER_REQUESTS):
                for request in requests:
                    link.handlers[request] = self._load

    def has_reader(self, now_ms: int) -> bool:
        """True while the laptop has borrowed the reader."""
        return self._lending is not None and self._lending.active(now_ms)

    def _load(self, request: "dict[str, Any]") -> "dict[str, Any]":
        if request["do"] in _TAG_REQUESTS:
            from .lending import Lending

            self._lending = Lending(self._app)
        elif request["do"] in ("assign", "notice"):
            from .assignment import Desk

            self.desk = Desk(self._app)
        elif request["do"] in _KEY_REQUESTS:
            from .key_requests import add_requests as add_key_requests

            add_key_requests(self._app)
        else:
            from .inspecting import add_requests

            add_requests(self._app)
        reply: "dict[str, Any]" = self._app.hardware.link.handlers[request["do"]](request)
        return reply
