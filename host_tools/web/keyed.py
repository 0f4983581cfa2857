"""Pages that a key in their link opens: who may ask, where from, and how much."""

import io
import socket
from ipaddress import ip_address
from secrets import compare_digest

import segno
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from host_tools.core.errors import UserError, in_words
from host_tools.sim.table.asking import BadMessage, NotAllowed, TooLong
from host_tools.web.serving import from_own_page

HEADERS = {
    # data: for cards drawn on the deck page; blob: for the result saved as a picture
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
    # constant time; bytes, as it only takes ASCII text
    return compare_digest(key_of(request).encode(), key.encode())


def check_key(request: Request, key: str) -> None:
    """Only with this key in the link, and from a page of ours. Raises BadMessage."""
    if not is_key(request, key):
        raise NotAllowed("play_link")
    check_origin(request)


def check_origin(request: Request) -> None:
    """A page of somebody else must not press our buttons. Raises BadMessage."""
    if not from_own_page(request):
        raise NotAllowed("play_other_page")


class OwnHosts:
    """Middleware: answers whoever asks for this machine by an address or by its own name. A page
    of somebody else could let a name of its own lead here (DNS rebinding), and would count as
    ours.
    """

    def __init__(self, app: ASGIApp, lang: str) -> None:
        self._app = app
        self._lang = lang

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not is_own_host(Request(scope).url.hostname or ""):
            await refusal(NotAllowed("play_other_host"), self._lang)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def is_own_host(name: str) -> bool:
    """Whether a name in a link can only mean this machine."""
    try:
        ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        return name.lower() in ("localhost", own, f"{own}.local")
    return True


async def body_of(request: Request, limit: int) -> bytes:
    """The body, never more than `limit` bytes in memory. Raises BadMessage."""
    # counted while reading: a Content-Length may be wrong or missing
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > limit:
            raise TooLong("play_too_long", limit=limit)
    return data


def number_of(request: Request, name: str, digits: int = 8) -> int:
    """The number in a field of the address, 0 without one."""
    asked = request.query_params.get(name, "")
    return int(asked) if asked.isdecimal() and len(asked) <= digits else 0


def refusal(error: Exception, lang: str) -> Response:
    """For Starlette: a UserError as one sentence in the language of the page."""
    assert isinstance(error, UserError)
    status = error.status if isinstance(error, BadMessage) else 400
    return PlainTextResponse(in_words(error.sentence, lang), status, HEADERS)


def qr_code(text: str) -> bytes:
    """A picture that stands alone: with its namespace, with the four light modules around it that
    readers need (ISO 18004), and with a ground of its own.
    """
    svg = io.BytesIO()
    segno.make(text, micro=False).save(svg, kind="svg", scale=4, border=4, light="white")
    return svg.getvalue()
