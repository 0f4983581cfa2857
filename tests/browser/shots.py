"""Pictures of our pages for the docs: all their colours, and a deck that speaks their language."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PIL import Image

from host_tools.cards.data_files import DataFiles
from host_tools.cards.decks import DECKS, deck_ids, deck_path

WIDEST = 1280
ENGLISH = {
    "Schweizer Berge": "Swiss Peaks",
    "Höhe": "Height",
    "Schartenhöhe": "Prominence",
    "Erstbesteigung": "First ascent",
    "Nördliche Breite": "Latitude north",
    "Östliche Länge": "Longitude east",
    "Kantone am Gipfel": "Cantons",
    "Eröffnet": "Opened",
    "ÖPNV-Anbindung": "Bus or tram",
    "Sitzplätze innen": "Seats inside",
    "Sitzplätze außen": "Seats outside",
    "Gerichte": "Dishes",
    "Vegetarische Gerichte": "Vegetarian dishes",
    "Weine": "Wines",
    "Teuerstes Gericht": "Dearest dish",
    "Kneipen-Quartett": "Pubs",
    "Gründungsjahr": "Founded",
    "Bierpreis 0,5 l": "Pint of beer",
    "Ruhetage im Jahr": "Days closed",
    "Fassungsvermögen": "Room for guests",
    "Biere vom Fass": "Beers on tap",
    "Stunden pro Woche": "Hours a week",
    "Schnapssorten": "Kinds of schnapps",
    "Tage": "days",
    "Gäste": "guests",
}


def save(png: bytes, path: Path, scale: float = 1.0, colours: int = 0) -> None:
    """The picture as it was taken, or smaller: at most `WIDEST` pixels wide. `colours`: not all of
    them, where there are a hundred pictures to look at side by side.
    """
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    size = min(WIDEST, round(picture.width * scale))
    if size < picture.width:
        height = round(picture.height * size / picture.width)
        picture = picture.resize((size, height), Image.Resampling.LANCZOS)
    if colours:
        picture = picture.quantize(colours)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, optimize=True)


@contextmanager
def english_decks() -> Iterator[None]:
    """Our decks are German; in pictures of English pages their words are English too."""
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        for deck in deck_ids():
            text = deck_path(deck).read_text("utf8")
            for german, english in ENGLISH.items():
                text = text.replace(f'"{german}"', f'"{english}"')
            (folder / f"{deck}.toml").write_text(text, "utf8")
        ours = DECKS._folder.parent
        patch.setattr(
            DataFiles,
            "_folder",
            property(lambda self: folder if self.what == "deck" else ours / "boards"),
        )
        yield
