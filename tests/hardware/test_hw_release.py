"""What a release holds of hardware: bodies as STL and 3MF, guides and the first bench as PDF."""

import re
import tomllib
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import trimesh

from hardware import first_bench, release
from hardware.revision import REV1, REV2, REVISIONS
from hardware.tools import ToolFailed

CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def test_every_printed_part_twice_and_the_same_bytes_again(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    needs("openscad")
    one = release.write_bodies(REV2, tmp_path)
    assert sorted(path.name for path in one if path.suffix == ".stl") == [
        f"schiri-rev2-{part}.stl"
        for part in ("base", "caps", "coupon_button", "coupon_reader", "coupon_window", "lid")
    ]
    assert {path.with_suffix("").name for path in one if path.suffix == ".3mf"} == {
        path.with_suffix("").name for path in one if path.suffix == ".stl"
    }
    before = {path.name: path.read_bytes() for path in one}
    again = release.write_bodies(REV2, tmp_path)
    assert {path.name: path.read_bytes() for path in again} == before


def test_the_files_hold_the_checked_bodies(
    tmp_path: Path, printed: Mapping[str, trimesh.Trimesh]
) -> None:
    release.write_bodies(REV1, tmp_path)
    for part, mesh in printed.items():
        stl = trimesh.load_mesh(tmp_path / f"schiri-rev1-{part}.stl")
        assert stl.is_watertight
        assert stl.volume == pytest.approx(mesh.volume, rel=1e-5)


def test_a_3mf_is_a_package_with_its_unit(tmp_path: Path) -> None:
    """A tetrahedron: 4 corners, 4 triangles, each seen from outside against the clock."""
    body = trimesh.Trimesh(
        [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]],
        [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    )
    release.write_3mf(body, tmp_path / "one.3mf")
    with zipfile.ZipFile(tmp_path / "one.3mf") as package:
        assert package.testzip() is None
        names = package.namelist()
        model = ElementTree.fromstring(package.read("3D/3dmodel.model"))
        kinds = package.read("[Content_Types].xml").decode()
        target = re.search('Target="/([^"]*)"', package.read("_rels/.rels").decode())
    assert target is not None
    assert target[1] in names
    assert "application/vnd.ms-package.3dmanufacturing-3dmodel+xml" in kinds
    assert model.get("unit") == "millimeter"
    assert len(list(model.iter(f"{CORE}vertex"))) == 4
    first = next(model.iter(f"{CORE}triangle"))
    assert [first.get(name) for name in ("v1", "v2", "v3")] == ["0", "2", "1"]


# --- paper -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_bench_is_one_page_with_every_reading(
    language: str, tmp_path: Path, needs: Callable[[str], str]
) -> None:
    needs("chromium-headless-shell")
    page = first_bench.page(language)
    raw = tomllib.loads(first_bench.SOURCE.read_text(encoding="utf8"))
    assert len(raw["measurement"]) == 12
    assert page.count("☐") == 12 + len(raw.get("photo", []))
    for one in raw["measurement"]:
        for reading in one["readings"]:
            assert f"<code>{one['id']}.{reading}</code>" in page
    release.write_pdf(page, tmp_path / "page.pdf")
    made = (tmp_path / "page.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b", made)) == 1
    release.write_pdf(page, tmp_path / "page.pdf")
    assert (tmp_path / "page.pdf").read_bytes() == made


@pytest.mark.parametrize(
    ("bounds", "unit", "language", "said"),
    [
        ({"low": 3.2, "high": 3.4}, "volt", "de", "3,2 bis 3,4 V"),
        ({"low": 100}, "ohm", "en", "at least 100 Ω"),
        ({"high": 5}, "ohm", "de", "höchstens 5 Ω"),
    ],
)
def test_bounds_in_words(bounds: dict[str, float], unit: str, language: str, said: str) -> None:
    assert first_bench.right({**bounds, "unit": unit}, language) == said


@pytest.mark.parametrize("revision", REVISIONS, ids=lambda revision: revision.name)
def test_a_guide_as_a_page_has_its_tables_and_pictures_and_no_path(revision: object) -> None:
    folder = (REV1 if revision == REV1 else REV2).folder
    text = (folder / "BUILD.de.md").read_text(encoding="utf8")
    page = release.as_page(text, "de", folder)
    assert page.count("<table>") == len(re.findall(r"^\|[-|]+\|$", text, re.MULTILINE))
    pictures = re.findall(r'<img src="([^"]*)"', page)
    assert len(pictures) == len(re.findall(r"!\[", text))
    assert all((folder / name).is_file() for name in pictures)
    assert re.findall(r'href="(?!https?:|file:)[^"]*"', page) == []


def test_a_page_that_cannot_be_printed_is_one_sentence(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    needs("chromium-headless-shell")
    with pytest.raises(ToolFailed, match=r"Chromium could not print page.pdf: "):
        release.write_pdf("<p>x</p>", tmp_path / "nowhere" / "page.pdf")
