"""The box's screens: every `shot` of every script, in both languages.

    python -m tests.app.pictures

draws them all into build/screens, writes what `test_scripts.py` compares with (screens.txt), and
copies those that a page shows into docs/screens.
"""

import json
import re
import tempfile
import tomllib
from pathlib import Path

from .fakes import Box
from .picture import digest, png
from .sample_decks import DECKS, translated
from .script import Script

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "docs" / "screens"
"""Those that a guide shows."""
ALL = ROOT / "build" / "screens"
DIGESTS = Path(__file__).parent / "screens.txt"
SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.txt"))
LANGUAGES = ("de", "en")


def stock(folder: Path, language: str = "de") -> None:
    """Put the sample decks and the café boards where the box looks for them."""
    for name in ("decks", "boards"):
        (folder / name).mkdir(exist_ok=True)
    for name, deck in DECKS.items():
        (folder / "decks" / f"{name}.json").write_text(
            json.dumps(translated(deck, language)), "utf8"
        )
    for path in (ROOT / "card_tags" / "boards").glob("*.toml"):
        board = tomllib.loads(path.read_text("utf8"))
        (folder / "boards" / f"{path.stem}.json").write_text(json.dumps(board), "utf8")


def played(path: Path, folder: Path, language: str) -> dict[str, bytes]:
    """Run a script on a new box; its pictures by name."""
    stock(folder, language)
    shots: dict[str, bytes] = {}
    box = Box(folder, language)
    Script(box, lambda name, pixels: shots.update({name: png(pixels)}), language).run(path)
    return shots


def drawn(name: str, language: str) -> bytes:
    """The picture that a script shoots under this name."""
    path = next(path for path in SCRIPTS if f"shot {name}\n" in path.read_text("utf8"))
    with tempfile.TemporaryDirectory() as folder:
        return played(path, Path(folder), language)[name]


def digests() -> dict[str, str]:
    """Of every picture, by language and name: `de/start_menu`."""
    return dict(line.split() for line in DIGESTS.read_text("utf8").splitlines())


def shown() -> set[str]:
    """The pictures that a page shows, by language and name."""
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "hardware").glob("rev*/*.md")]
    linked = re.compile(r"docs/screens/(\w+/\w+)\.png|\(screens/(\w+/\w+)\.png\)")
    return {a or b for page in pages for a, b in linked.findall(page.read_text("utf8"))}


def main() -> None:
    lines = []
    for language in LANGUAGES:
        for folder in (ALL, SCREENS):
            (folder / language).mkdir(parents=True, exist_ok=True)
            for old in (folder / language).glob("*.png"):
                old.unlink()
        for path in SCRIPTS:
            with tempfile.TemporaryDirectory() as name:
                shots = played(path, Path(name), language)
            for shot, picture in shots.items():
                (ALL / language / f"{shot}.png").write_bytes(picture)
                lines.append(f"{language}/{shot} {digest(picture)}\n")
    DIGESTS.write_text("".join(sorted(lines)), "utf8")
    for name in shown():
        (SCREENS / f"{name}.png").write_bytes((ALL / f"{name}.png").read_bytes())


if __name__ == "__main__":
    main()
