"""A few shapes as SVG text: enough for the guide's sketches, and the same bytes each time."""

from xml.sax.saxutils import escape

FONT = "DejaVu Sans, Verdana, sans-serif"


def rect(x: float, y: float, w: float, h: float, fill: str = "none", extra: str = "") -> str:
    """A rectangle with a thin edge."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" fill="{fill}" '
        f'stroke="#333" stroke-width="0.25" {extra}/>'
    )


def circle(x: float, y: float, r: float, fill: str = "none") -> str:
    """A circle with a thin edge."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}" '
        'stroke="#333" stroke-width="0.25"/>'
    )


def line(points: list[tuple[float, float]], colour: str, width: float = 0.6) -> str:
    """A bent line."""
    joined = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{joined}" fill="none" stroke="{colour}" '
        f'stroke-width="{width:g}" stroke-linejoin="round"/>'
    )


def curve(
    start: tuple[float, float, float], end: tuple[float, float, float], colour: str, width: float
) -> str:
    """A wire between two points; the third number is the way it leaves: -1 west, 1 east."""
    reach = max(8.0, abs(end[0] - start[0]) / 2.5)
    (x1, y1, way1), (x2, y2, way2) = start, end
    return (
        f'<path d="M{x1:g} {y1:g}C{x1 + way1 * reach:g} {y1:g} {x2 + way2 * reach:g} {y2:g} '
        f'{x2:g} {y2:g}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def polygon(points: list[tuple[float, float]], fill: str) -> str:
    """A closed shape with a thin edge."""
    joined = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polygon points="{joined}" fill="{fill}" stroke="#333" stroke-width="0.25"/>'


def text(
    x: float,
    y: float,
    words: str,
    size: float = 2.4,
    anchor: str = "start",
    colour: str = "",
    bold: bool = False,
) -> str:
    """A line of text; `anchor` is start, middle or end; black without a colour."""
    more = f' fill="{colour}"' if colour else ""
    more += ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{FONT}" font-size="{size:g}" '
        f'text-anchor="{anchor}"{more}>{escape(words)}</text>'
    )


def sheet(width: float, height: float, shapes: list[str], scale: float = 0.0) -> bytes:
    """The whole picture; one unit is a millimetre, `scale` pixels large on a screen.

    Without a scale it prints in true size.
    """
    across, down = (
        (f"{width * scale:g}", f"{height * scale:g}")
        if scale
        else (f"{width:g}mm", f"{height:g}mm")
    )
    body = "\n".join(shapes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" '
        f'viewBox="0 0 {width:g} {height:g}">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>\n{body}\n</svg>\n'
    ).encode()
