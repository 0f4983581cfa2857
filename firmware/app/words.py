"""The words of one language; those of the other leave the memory again."""

from .memory import forget


class Words:
    """Texts by key, in "de" or "en"."""

    def __init__(self, language: str) -> None:
        self._table = _english() if language == "en" else _german()

    def get(self, key: str) -> str:
        """The text of a key. KeyError if there is none."""
        start = self._table.find("\n" + key + "|")
        if start < 0:
            raise KeyError(key)
        start += len(key) + 2
        return self._table[start : self._table.find("\n", start)]


def _english() -> str:
    from . import texts_en

    forget(texts_en.__name__)
    return texts_en.TABLE


def _german() -> str:
    from . import texts_de

    forget(texts_de.__name__)
    return texts_de.TABLE
