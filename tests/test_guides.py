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


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_every_file_a_guide_names_is_there(guide: Path) -> None:
    named = paths_in(guide.read_text(encoding="utf8"))
    assert len(named) > 5
    assert [path for path in named if not (ROOT / path).exists()] == []


# -- where people begin ---------------------------------------------------------------------------

READMES = ("README.md", "README.de.md")


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
