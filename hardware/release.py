"""What a release holds of hardware, so that nobody needs OpenSCAD or a checkout to build a box.

    schiri-rev1-base.stl, .3mf      each printed part and coupon, of both revisions, in mm
    schiri-rev1-guide-en.pdf        the guides with their pictures, in both languages
    schiri-first-bench-en.pdf       a page to print: what to measure first

    python -m hardware.release [folder]

    schiri-carrier-gerbers.zip      and what else ordering the board takes: carrier/products.py

The same bytes whenever it is made.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import trimesh
from markdown_it import MarkdownIt

from hardware import first_bench, guide
from hardware.carrier import products
from hardware.case import coupons, dimensions, openscad
from hardware.revision import REVISIONS, ROOT, Revision
from hardware.tools import ToolFailed, ToolMissing, find_tool

OUT = ROOT / "build" / "hardware" / "release"
STYLE = ROOT / "hardware" / "guide.css"
_DAY = (2026, 1, 1, 0, 0, 0)
_MODEL = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" '
    'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>'
    '<object id="1" type="model"><mesh><vertices>{}</vertices><triangles>{}</triangles></mesh>'
    '</object></resources><build><item objectid="1"/></build></model>\n'
)
_PACKAGE = {
    "[Content_Types].xml": '<?xml version="1.0" encoding="UTF-8"?>\n<Types '
    'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n',
    "_rels/.rels": '<?xml version="1.0" encoding="UTF-8"?>\n<Relationships '
    'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Target="/3D/3dmodel.model" Id="model" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n',
}


def release(folder: Path) -> list[Path]:
    """Write all of it into `folder`. Raises ToolMissing and ToolFailed."""
    folder.mkdir(parents=True, exist_ok=True)
    printed = [path for revision in REVISIONS for path in write_bodies(revision, folder)]
    return [*printed, *write_papers(folder), *products.release(folder)]


def write_bodies(revision: Revision, folder: Path) -> list[Path]:
    """Every part that is printed, as STL and as 3MF."""
    d = dimensions.load(revision.dimensions)
    with tempfile.TemporaryDirectory() as scratch:
        source = openscad.place_sources(Path(scratch), d)
        meshes = {part: openscad.build(part, source) for part in openscad.PRINTED}
        meshes |= coupons.build(d, meshes, Path(scratch))
    written = []
    for part, mesh in meshes.items():
        stl = folder / f"schiri-{revision.name}-{part}.stl"
        mesh.export(stl)
        write_3mf(mesh, stl.with_suffix(".3mf"))
        written += [stl, stl.with_suffix(".3mf")]
    return written


def write_3mf(mesh: trimesh.Trimesh, path: Path) -> None:
    """The body with its unit (3MF core specification 1.3). trimesh's own would need lxml, and has
    a date in it.
    """
    corners = "".join(
        f'<vertex x="{x:.5f}" y="{y:.5f}" z="{z:.5f}"/>' for x, y, z in mesh.vertices
    )
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces)
    with zipfile.ZipFile(path, "w") as package:
        for name, text in {**_PACKAGE, "3D/3dmodel.model": _MODEL.format(corners, faces)}.items():
            entry = zipfile.ZipInfo(name, _DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, text)


def write_papers(folder: Path) -> list[Path]:
    """The guides and the page for the first bench, in both languages, as PDF."""
    papers = {}
    for language, name in guide.NAMES.items():
        for revision in REVISIONS:
            text = (revision.folder / name).read_text(encoding="utf8")
            page = as_page(text, language, revision.folder)
            papers[folder / f"schiri-{revision.name}-guide-{language}.pdf"] = page
        papers[folder / f"schiri-first-bench-{language}.pdf"] = first_bench.page(language)
    for path, page in papers.items():
        write_pdf(page, path)
    return list(papers)


def as_page(text: str, language: str, folder: Path) -> str:
    """Markdown as a page with pictures of `folder`; links into the checkout become plain words."""
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    body = re.sub(r'<a href="(?!https?:)[^"]*">(.*?)</a>', r"\1", body)
    style = STYLE.read_text(encoding="utf8")
    base = f'<base href="{folder.as_uri()}/">'
    head = f'<meta charset="utf-8">{base}<style>{style}</style>'
    return f'<!doctype html><html lang="{language}"><head>{head}</head><body>{body}</body></html>'


def write_pdf(page: str, path: Path) -> None:
    """A page as Chromium prints it."""
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "page.html"
        source.write_text(page, encoding="utf8")
        done = subprocess.run(
            [find_tool("chromium-headless-shell"), "--headless", "--no-sandbox",
             "--no-pdf-header-footer", f"--print-to-pdf={path}", source.as_uri()],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode != 0 or not path.exists():
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise ToolFailed(f"Chromium could not print {path.name}: {said}")
    path.write_bytes(_settled(path.read_bytes()))


def _settled(pdf: bytes) -> bytes:
    """Without what differs from run to run: dates, and where Chromium begins to count nodes."""
    pdf = re.sub(rb"(/(?:Creation|Mod)Date \(D:)\d{14}", rb"\g<1>20260101000000", pdf)
    nodes = sorted(set(re.findall(rb"\(node(\d{8})\)", pdf)))
    rank = {node: b"(node%08d)" % number for number, node in enumerate(nodes)}
    return re.sub(rb"\(node(\d{8})\)", lambda found: rank[found[1]], pdf)


def main() -> int:
    """Write it and say where; 3 if a tool is missing."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    try:
        for path in release(folder):
            print(path)
    except (ToolMissing, ToolFailed) as error:
        print(error, file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
