"""Make anew what is made from the commands: host_tools/core/help.json, what `--help` and Tab show.
The catalogues of helps get what is new, to be translated, and lose what is no longer said.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from host_tools.cli import NAME, schiri
from host_tools.core.help_table import HELPS, PLACE, texts, written
from tools.man_pages import HEADINGS


def catalogues() -> dict[str, Catalog]:
    """Language -> its texts of helps."""
    found = {}
    for path in sorted(HELPS.glob("*.po")):
        with path.open("rb") as file:
            found[path.stem] = read_po(file, locale=path.stem)
    return found


def translations(said: dict[str, Catalog]) -> dict[str, dict[str, str]]:
    """Language -> text -> what it is there, without what still needs a translator."""
    return {
        lang: {str(each.id): str(each.string) for each in catalogue if _is_done(each)}
        for lang, catalogue in said.items()
    }


def _is_done(message: object) -> bool:
    return bool(message.id and message.string and not message.fuzzy)  # type: ignore[attr-defined]


def renew(path: Path, catalogue: Catalog, wanted: Iterable[str]) -> Catalog:
    """The catalogue with these texts, in this order, and no other; the head of its file stays."""
    renewed = Catalog(catalogue.locale)
    for text in dict.fromkeys(filter(None, wanted)):
        old = catalogue.get(text)
        renewed.add(text, old.string if old else "", flags=old.flags if old else ())
    head, _, _ = path.read_text("utf8").partition("\n\n")
    with path.open("wb") as file:
        file.write(f"{head}\n\n".encode())
        write_po(file, renewed, width=0, omit_header=True)
    return renewed


if __name__ == "__main__":
    table = json.loads(written(schiri, NAME, {}))
    renewed = {
        lang: renew(HELPS / f"{lang}.po", catalogue, [*texts(table), *HEADINGS])
        for lang, catalogue in catalogues().items()
    }
    PLACE.write_text(written(schiri, NAME, translations(renewed)), "utf8")
