"""What a cache in front may hand to everybody: hashed and packed once, however many ask."""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from starlette.requests import Request
from starlette.responses import Response

from host_tools.web.files import unchanged

FRESH = {"Cache-Control": "public, max-age=0, s-maxage=1"}
"""Browsers ask each time, and get 304 if nothing has changed; caches between keep it a second."""
SMALL = 256
"""Bytes that packing would not shorten."""
# without ?lang= pages follow the browser's language
_BY_LANGUAGE = {"Vary": "Accept-Encoding, Accept-Language"}
_BY_ENCODING = {"Vary": "Accept-Encoding"}
EVERYWHERE = {"Access-Control-Allow-Origin": "*"}
"""Other sites' scripts may read it: it is public, and no cookie counts."""


@dataclass(frozen=True)
class TaggedContent:
    """`tag` is its ETag: weak, because packed or not it is the same."""

    data: bytes
    kind: str = "text/html"

    @cached_property
    def tag(self) -> str:
        # 128 bits of SHA-256
        return f'W/"{hashlib.sha256(self.data).hexdigest()[:32]}"'

    @cached_property
    def packed(self) -> bytes:
        # the board holds no secrets, so the length tells none; without a time stamp every desk
        # packs alike
        return gzip.compress(self.data, 6, mtime=0)


def answer(
    request: Request, content: TaggedContent, headers: Mapping[str, str] = FRESH
) -> Response:
    """The content for a reader, or 304 for one who has it."""
    vary = _BY_LANGUAGE if content.kind == "text/html" else _BY_ENCODING
    found = {**headers, **vary, "ETag": content.tag}
    if has_it := unchanged(request, found):
        return has_it
    if "gzip" in request.headers.get("accept-encoding", "") and len(content.data) > SMALL:
        found["Content-Encoding"] = "gzip"
        return Response(content.packed, headers=found, media_type=content.kind)
    return Response(content.data, headers=found, media_type=content.kind)
