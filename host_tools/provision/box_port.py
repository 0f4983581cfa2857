"""The reader of a box, over its USB link: requests `tag_…` as in card_tags/FORMAT.md, *Link*."""

import time
from collections.abc import Callable
from typing import Any

from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.core.errors import Sentence
from host_tools.provision.port import TagLost, TagRefused, TwoTags

_PAUSE_S = 0.05
# the box refuses more (firmware/app/lending.py)
_PAGES_PER_REQUEST = 60

_ERRORS: dict[str, tuple[type[Exception], str]] = {
    "tag_lost": (TagLost, "tag_gone"),
    "tag_refused": (TagRefused, "tag_page_locked"),
    "two_tags": (TwoTags, "two_tags"),
}


class BoxPort:
    """A box that is not in a match. A refusal for another reason is a UserError of the link.

    `sleep(seconds)` is handed in for a twin, whose time only moves when it runs.
    """

    def __init__(self, link: BoxLink, sleep: Callable[[float], None] = time.sleep) -> None:
        self._link = link
        self._sleep = sleep

    def find(self) -> bytes | None:
        uid = self._ask("tag_find")["uid"]
        return None if uid is None else bytes.fromhex(uid)

    def read(self, first_page: int, count: int) -> bytes:
        data = b""
        for done in range(0, count, _PAGES_PER_REQUEST):
            pages = min(_PAGES_PER_REQUEST, count - done)
            reply = self._ask("tag_read", page=first_page + done, count=pages)
            data += bytes.fromhex(reply["data"])
        return data

    def write_page(self, page: int, data: bytes) -> None:
        self._ask("tag_write", page=page, data=data.hex())

    def version(self) -> bytes | None:
        return self._optional("tag_version")

    def signature(self) -> bytes | None:
        return self._optional("tag_signature")

    def signal(self, good: bool) -> None:
        self._ask("tag_signal", good=good)

    def pause(self) -> None:
        self._sleep(_PAUSE_S)

    def close(self) -> None:
        self._link.close()

    def _optional(self, request: str) -> bytes | None:
        data = self._ask(request)["data"]
        return None if data is None else bytes.fromhex(data)

    def _ask(self, request: str, **fields: object) -> dict[str, Any]:
        try:
            return self._link.request(request, **fields)
        except BoxRefusal as error:
            known = _ERRORS.get(error.reason)
            if known is None:
                raise
            kind, key = known
            raise kind(Sentence(key)) from error
