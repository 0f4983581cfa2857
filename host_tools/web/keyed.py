"""Pages that a key in their link opens: who may ask, where from, and how much."""

import io
from secrets import compare_digest
from urllib.parse import urlsplit

import segno
from starlette.requests import Request

from host_tools.sim.table import messages

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",  # the key stands in the link
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def key_of(request: Request) -> str:
    """The key of the link, "" without one."""
    return request.query_params.get("key", "")


def is_key(request: Request, key: str) -> bool:
    """Whether the link has this key."""
    return compare_digest(key_of(request).encode(), key.encode())


def check_origin(request: Request) -> None:
    """A page of somebody else must not press our buttons. Raises BadMessage."""
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise messages.NotAllowed("play_other_page")


async def body_of(request: Request, limit: int) -> bytes:
    """The body, never more than `limit` bytes in memory. Raises BadMessage."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > limit:
            raise messages.TooLong("play_too_long", limit=limit)
    return data


def qr_code(text: str) -> bytes:
    """A picture that stands alone: with its namespace, with the four light modules around it that
    readers need (ISO 18004), and with a ground of its own.
    """
    svg = io.BytesIO()
    segno.make(text, micro=False).save(svg, kind="svg", scale=4, border=4, light="white")
    return svg.getvalue()
