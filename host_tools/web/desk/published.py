"""The page that checks signatures as files, with the league's list, for any web space."""

from pathlib import Path

from host_tools.core.texts import LANGS
from host_tools.web.desk.rendering import environment, words
from host_tools.web.typefaces import DESIGN

_STATIC = Path(__file__).parent / "static"
_COPIED = {
    **{name: _STATIC / name for name in ("verify.js", "look.css", "board.css", "icon.svg")},
    **DESIGN,
}
_TYPEFACE = b"url(/font/"
"""In lines that name files of a desk."""


def verify_files(published: bytes, league: str, lang: str) -> dict[str, bytes]:
    """Name -> content of a folder; `lang`: what its first page speaks."""
    template = environment().get_template("page_verify.html")
    pages = {
        f"{code}.html": template.render(**words(code), name=league, look="", board=False)
        .replace('="/static/', '="')
        .encode()
        for code in LANGS
    }
    copied = {name: _without_typeface(path.read_bytes()) for name, path in _COPIED.items()}
    return {**pages, "index.html": pages[f"{lang}.html"], **copied, "keys.json": published}


def _without_typeface(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(line for line in lines if _TYPEFACE not in line)
