"""What a cache in front may hand to everybody: small answers that are right for half a second, and
snapshots that stay right for ever, because their name is the hash of what they hold
(docs/scale.md).
"""

import gzip
import hashlib
import json
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response

from host_tools.web.desk.rendering import BoardRenderer
from host_tools.web.files import unchanged

KEPT = 512
"""So many snapshots are known by their name; a cache asks for one within seconds."""
FRESH = {"Cache-Control": "public, max-age=0, s-maxage=1"}
"""Browsers ask each time, and get 304 if nothing has changed; caches between keep it a second."""
SMALL = 256
"""Bytes that packing would not shorten."""
# without ?lang= pages follow the browser's language
_BY_LANGUAGE = {"Vary": "Accept-Encoding, Accept-Language"}
_BY_ENCODING = {"Vary": "Accept-Encoding"}
EVERYWHERE = {"Access-Control-Allow-Origin": "*"}
"""Other sites' scripts may read it: it is public, and no cookie counts."""


def name_of(data: bytes) -> str:
    """The name of a content: 128 bits of its SHA-256."""
    return hashlib.sha256(data).hexdigest()[:32]


@lru_cache(maxsize=64)
def _packed(data: bytes) -> bytes:
    """Packed once for all who ask for the same. The board holds no secrets, so the length tells
    none; pages of the desk stay as they are.
    """
    return gzip.compress(data, 6, mtime=0)  # no time stamp: the same bytes from every desk


def packs(request: Request) -> bool:
    """True for a reader who takes gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def answer(
    request: Request, data: bytes, kind: str, headers: Mapping[str, str] = FRESH
) -> Response:
    """`data` for a reader, or 304 for one who has it. Packing takes a moment: in a thread."""
    # weak: packed or not, it is the same
    tag = f'W/"{name_of(data)}"'
    vary = _BY_LANGUAGE if kind == "text/html" else _BY_ENCODING
    found = {**headers, **vary, "ETag": tag}
    if has_it := unchanged(request, found):
        return has_it
    if packs(request) and len(data) > SMALL:
        return Response(
            _packed(data), headers=found | {"Content-Encoding": "gzip"}, media_type=kind
        )
    return Response(data, headers=found, media_type=kind)


class PageSnapshots:
    """The parts of a page of the board as they are now, for viewers who hear no stream; and the
    latest ones by their names. Not shared by threads at the same moment.
    """

    def __init__(self, board: BoardRenderer) -> None:
        self._board = board
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._latest: dict[tuple[str, str], tuple[int, str]] = {}

    def get(self, name: str) -> bytes | None:
        """The snapshot of this name; None if it is too long ago."""
        return self._kept.get(name)

    def latest(self, page: str, lang: str) -> str:
        """The name of the snapshot of a page."""
        key = (page, lang)
        seq, name = self._latest.get(key, (-1, ""))
        if seq == self._board.seq and name in self._kept:
            return name
        seq, shape, parts = self._board.snapshot(page, lang)
        text = json.dumps({"shape": shape, "parts": parts}, ensure_ascii=False)
        name = self._keep(text.encode())
        if len(self._latest) > KEPT:
            self._latest.clear()  # pages of players and tables that nobody looks at any more
        self._latest[key] = seq, name
        return name

    def _keep(self, data: bytes) -> str:
        name = name_of(data)
        self._kept[name] = data
        self._kept.move_to_end(name)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return name
