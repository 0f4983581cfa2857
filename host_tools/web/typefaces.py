"""What all our pages share of their looks: the typefaces, from their packages (pages and prints
look alike, offline), and the tokens of the design.
"""

from importlib.resources import files
from pathlib import Path

from host_tools.web.files import KeptFiles

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
    {"Cache-Control": "public, max-age=86400"},
)
DESIGN = {"design.css": Path(__file__).parent / "table" / "static" / "design.css"}
"""For the static files of any server."""
