"""The pictures of docs/screens: every `shot` of every script, in both languages.

    python -m tests.app.pictures

draws them anew; `test_scripts.py` compares.
"""

import json
import tempfile
import tomllib
from pathlib import Path

from .fakes import Box
from .picture import png
from .sample_decks import DECKS, translated
from .script import Script

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ROOT / "docs" / "screens"
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


def main() -> None:
    for language in LANGUAGES:
        shots: dict[str, bytes] = {}
        for path in SCRIPTS:
            with tempfile.TemporaryDirectory() as folder:
                shots.update(played(path, Path(folder), language))
        target = SCREENS / language
        target.mkdir(parents=True, exist_ok=True)
        for old in target.glob("*.png"):
            old.unlink()
        for name, picture in shots.items():
            (target / f"{name}.png").write_bytes(picture)


if __name__ == "__main__":
    main()
