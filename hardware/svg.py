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


def text(x: float, y: float, words: str, size: float = 2.4, anchor: str = "start") -> str:
    """A line of text; `anchor` is start, middle or end."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{FONT}" font-size="{size:g}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
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
