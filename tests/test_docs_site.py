"""The navigation of the site (mkdocs.yml) has every page of docs, once; `make docs` builds it."""

import re
from pathlib import Path

from tools.docs_site import REFERENCE, ROOT, in_nav, modules


def pages() -> list[str]:
    return in_nav((ROOT / "mkdocs.yml").read_text("utf8"))


def test_every_page_stands_once_in_the_navigation() -> None:
    found = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert found - set(pages()) == set()
    assert sorted(set(pages())) == sorted(pages())


def test_every_page_of_the_navigation_is_there() -> None:
    written = {f"reference/{name}.md" for name in REFERENCE}
    assert written <= set(pages())
    assert [page for page in pages() if page not in written and not (ROOT / page).is_file()] == []


def test_every_module_of_the_reference_is_there() -> None:
    for packages in REFERENCE.values():
        for name in (each for package in packages for each in modules(package)):
            path = ROOT / name.replace(".", "/")
            assert path.with_suffix(".py").is_file() or Path(path, "__init__.py").is_file()


def anchors(page: Path) -> set[str]:
    """What code hosts, and our site, make of the headings."""
    found = re.findall(r"^#+ (.+)$", page.read_text("utf8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


def test_every_link_into_a_page_finds_its_heading() -> None:
    paths = [ROOT / page for page in pages() if (ROOT / page).is_file()]
    paths += [
        *(ROOT / "docs/decisions").glob("*.md"),
        *ROOT.glob("*.md"),
        ROOT / "hardware/README.md",
    ]
    links = [
        (path, target, heading)
        for path in paths
        for target, heading in re.findall(
            r"\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)", path.read_text("utf8")
        )
    ]
    assert len(links) > 40
    assert any("ü" in heading for _, _, heading in links)
    assert [
        f"{path.relative_to(ROOT)}: {target}#{heading}"
        for path, target, heading in links
        if heading not in anchors((path.parent / target).resolve() if target else path)
    ] == []
