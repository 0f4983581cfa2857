"""The guides docs/adding-a-….md name files that are there, and are linked where people begin."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GUIDES = sorted((ROOT / "docs").glob("adding-*.md"))
TOPS = ("firmware/", "host_tools/", "hardware/", "tests/", "docs/", "card_tags/", "bench/")


def paths_in(text: str) -> list[str]:
    """Paths of the repository in backticks; not those of files that are still to be made."""
    # three backticks of a block of code would be taken for the begin of a word
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    words = [word for part in re.findall(r"`([^`]+)`", text) for word in part.split()]
    opened = [
        f"{head}{each}{tail}"
        for word in words
        for head, inside, tail in [re.fullmatch(r"([^{]*)(?:{([^}]*)})?(.*)", word).groups("")]  # type: ignore[union-attr]
        for each in inside.split(",")
    ]
    return [path for path in opened if path.startswith(TOPS) and not set("<*…") & set(path)]


def test_paths_are_found() -> None:
    text = "`docs/a.md` `.venv/bin/pytest tests/a.py\ntests/b.py` `docs/{a,b}.md` `docs/<name>.md`"
    assert paths_in(text) == [
        "docs/a.md",
        "tests/a.py",
        "tests/b.py",
        "docs/a.md",
        "docs/b.md",
    ]


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_every_file_a_guide_names_is_there(guide: Path) -> None:
    named = paths_in(guide.read_text(encoding="utf8"))
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/ARCHITECTURE.md"])
def test_every_guide_is_linked(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf8")
    assert [guide.name for guide in GUIDES if guide.name not in text] == []


# -- where people begin ---------------------------------------------------------------------------

READMES = ("README.md", "README.de.md")
ONE_SCREEN = 45  # lines, as an editor or a code host's page shows


def links(page: Path) -> set[Path]:
    """Files of the repository that a page links to, or shows."""
    found = re.findall(r"\]\((?!\w+:|#)([^)#]+)", page.read_text(encoding="utf8"))
    return {(page.parent / path).resolve() for path in found}


@pytest.mark.parametrize(
    "page", [*READMES, "docs/README.md", "docs/command-line.md", "SECURITY.md"]
)
def test_every_link_of_a_first_page_leads_somewhere(page: str) -> None:
    named = links(ROOT / page)
    assert named
    assert [path for path in named if not path.exists()] == []


@pytest.mark.parametrize("page", READMES)
def test_the_readme_is_one_screen(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf8")
    assert len(text.splitlines()) <= ONE_SCREEN
    pictures = re.findall(r"\[!\[[^]]+\]\(([^)]+)\)\]\(([^)]+)\)", text)
    assert text.count("![") == len(pictures) == 3, "three pictures, and each leads somewhere"
    assert all((ROOT / path).is_file() for pair in pictures for path in pair)


def test_the_readme_says_the_same_in_both_languages() -> None:
    """Headings, commands, and doors with as many links."""
    english, german = ((ROOT / page).read_text("utf8").splitlines() for page in READMES)
    assert len(english) == len(german)
    for here, there in zip(english, german, strict=True):
        assert here.partition(" ")[0] == there.partition(" ")[0] or not here.startswith(("#", "m"))
    assert re.findall(r"`make \w+`", "".join(english)) == re.findall(
        r"`make \w+`", "".join(german)
    )


def test_the_list_of_pages_has_every_page() -> None:
    listed = links(ROOT / "docs/README.md")
    pages = {path.resolve() for path in (ROOT / "docs").glob("*.md")} - {ROOT / "docs/README.md"}
    assert pages - listed == set()
