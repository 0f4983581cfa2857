"""Scripts, styles and typefaces from memory: an answer that nobody reads keeps no file open."""

import hashlib
import mimetypes
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

PIECE = 1 << 16
"""Bytes handed over at a time, so that a slow reader costs no more memory than this."""
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
"""Of what has another address once it is another."""


def all_files(folder: Path) -> dict[str, Path]:
    """Every file of a folder by its path in it."""
    # with a dot: folders match "*" too, and cannot be read
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.*")}


class KeptFiles:
    """Files by their name in the address, read once; `answer` is the endpoint of a route with
    `{name:path}`.
    """

    def __init__(
        self, paths: Mapping[str, Path], headers: Mapping[str, str] | None = None
    ) -> None:
        self._headers = headers or {}
        self._files = {name: path.read_bytes() for name, path in paths.items()}
        self._tags = {
            name: f'"{hashlib.sha256(data).hexdigest()[:32]}"'
            for name, data in self._files.items()
        }

    async def answer(self, request: Request) -> Response:
        """The file, or 304 for a browser that has it. Raises HTTPException (404)."""
        name = request.path_params["name"]
        if name not in self._files:
            raise HTTPException(404)
        headers = {**self._headers, "ETag": self._tags[name]}
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return unchanged(request, headers) or _InPieces(
            self._files[name], media_type=kind, headers=headers
        )


def unchanged(request: Request, headers: Mapping[str, str]) -> Response | None:
    """304 for a reader who has what the ETag among `headers` names, else None."""
    known = request.headers.get("if-none-match", "")
    has_it = headers["ETag"] in (part.strip() for part in known.split(","))
    return Response(status_code=304, headers=headers) if has_it else None


class _InPieces(Response):
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        data = memoryview(self.body)
        for begin in range(0, len(data), PIECE):
            piece = bytes(data[begin : begin + PIECE])
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


_SANS = Path(str(files("font_source_sans_pro"))) / "files"
_NARROW = Path(str(files("fontpkg_barlow_condensed"))) / "files"
FONTS = KeptFiles(
    {
        **{
            f"{one}.ttf": _SANS / f"SourceSansPro-{one}.ttf"
            for one in ("Regular", "Semibold", "Bold")
        },
        "Narrow.ttf": _NARROW / "BarlowCondensed-SemiBold.ttf",
    },
    # not FOR_EVER: another version of the package has the same addresses
    {"Cache-Control": "public, max-age=86400"},
)
"""The typefaces of all our pages, from their packages: offline, and the same as on prints."""
_SHARED = Path(__file__).parent / "table" / "static"
DESIGN = {"design.css": _SHARED / "design.css"}
"""The tokens of the design, for the static files of any server."""
PRESS = {"press.js": _SHARED / "press.js"}
"""What keeps a press from being lost where a page changes by itself, for any server as well."""

_IN_WHEEL = Path(__file__).parent / "morph.js"
_OF_NPM = Path(__file__).parents[2] / "node_modules" / "idiomorph" / "dist" / "idiomorph.min.js"
_MORPH = next((path for path in (_OF_NPM, _IN_WHEEL) if path.exists()), None)
MORPH = {"morph.js": _MORPH} if _MORPH else {}
"""idiomorph makes a page of another one in place; a wheel brings it, a checkout has it of npm. In
a checkout without it pages stay as they are, and say so.
"""


def picture_kind(data: bytes) -> str:
    """Of a picture, by its first bytes."""
    if data.startswith(b"\x89PNG"):
        return "png"
    if data.startswith(b"GIF8"):
        return "gif"
    # "RIFF", four bytes of length, then the kind of RIFF file
    return "webp" if data[8:12] == b"WEBP" else "jpeg"
