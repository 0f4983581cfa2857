"""The interactive parts list: a page to tick off while soldering, the board beside it."""

from html import escape
from pathlib import Path

from hardware.carrier.layout import SHEET_Y
from hardware.carrier.plan import Part, Plan

_STYLE = """
body{font-family:sans-serif;margin:0;display:flex;gap:1rem}
main{flex:1;height:100vh;overflow:auto}figure{margin:.5rem;position:relative;width:30vw}
figure svg{width:100%;height:auto;display:block}table{border-collapse:collapse}
td,th{border:1px solid #bbb;padding:.2rem .5rem;text-align:left}tr.on{background:#fe6}
i{position:absolute;width:4%;aspect-ratio:1;border:3px solid #e00;border-radius:50%;
transform:translate(-50%,-50%);display:none}i.on{display:block}
"""
_SCRIPT = """
for (const row of document.querySelectorAll('tr[data-refs]')) {
  row.addEventListener('mouseenter', () => {
    for (const on of document.querySelectorAll('.on')) on.classList.remove('on');
    row.classList.add('on');
    for (const ref of row.dataset.refs.split(' '))
      for (const dot of document.querySelectorAll(`[data-ref="${ref}"]`)) dot.classList.add('on');
  });
}
"""


def write(plan: Plan, pictures: dict[str, str], target: Path) -> Path:
    """Write the page; the pictures are SVG texts of both sides, cut at the board's edge."""
    figures = "".join(
        f"<figure><figcaption>{side}</figcaption><div style='position:relative'>"
        f"{picture[picture.index('<svg') :]}{''.join(_dots(plan, side))}</div></figure>"
        for side, picture in pictures.items()
    )
    rows = "".join(_row(parts) for parts in _groups(plan))
    target.write_text(
        "<!doctype html><meta charset='utf-8'><title>Schiri carrier board, parts</title>"
        f"<style>{_STYLE}</style><main><h1>Carrier board, revision 2</h1>"
        "<p><b>Never fabricated.</b> Point at a line: its places light up.</p>"
        "<table><tr><th></th><th>n</th><th>places</th><th>value</th><th>footprint</th></tr>"
        f"{rows}</table></main>{figures}<script>{_SCRIPT}</script>\n",
        encoding="utf8",
    )
    return target


def _groups(plan: Plan) -> list[list[Part]]:
    """Parts that are bought as one line, in the order of soldering: low ones first."""
    groups: dict[tuple[str, str], list[Part]] = {}
    for part in plan.parts:
        if part.kind not in ("hole", "testpoint"):
            value = "B3F-4050" if part.footprint.endswith("B3F-40xx") else part.value
            groups.setdefault((value, part.footprint), []).append(part)
    return list(groups.values())


def _row(parts: list[Part]) -> str:
    first, refs = parts[0], " ".join(part.ref for part in parts)
    value = "B3F-4050" if len({part.value for part in parts}) > 1 else first.value
    note = f"<br><small>{escape(first.note)}</small>" if first.note else ""
    return (
        f"<tr data-refs='{refs}'><td><input type='checkbox'></td><td>{len(parts)}</td>"
        f"<td>{refs}</td><td>{escape(value)}{note}</td>"
        f"<td>{escape(first.footprint.split(':')[1])}</td></tr>"
    )


def _dots(plan: Plan, side: str) -> list[str]:
    """A ring for each part on its side, in per cent of the board's box."""
    xs, ys = [x for x, _ in plan.outline], [SHEET_Y - y for _, y in plan.outline]
    dots = []
    for part in plan.parts:
        if part.back != (side == "bottom"):
            continue
        left = (part.x - min(xs)) / (max(xs) - min(xs)) * 100
        left = 100 - left if part.back else left
        top = (SHEET_Y - part.y - min(ys)) / (max(ys) - min(ys)) * 100
        dots.append(f"<i data-ref='{part.ref}' style='left:{left:.2f}%;top:{top:.2f}%'></i>")
    return dots
