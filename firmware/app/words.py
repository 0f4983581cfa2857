"""The words of one language; those of the other leave the memory again."""

from .memory import forget


class Words:
    """Texts by key, in "de" or "en"."""

    def __init__(self, language: str) -> None:
        if language == "en":
            from . import texts_en as texts
        else:
            from . import texts_de as texts
        self._table = texts.TABLE
        forget(texts.__name__)

    def get(self, key: str) -> str:
        """The text of a key. KeyError if there is none."""
        start = self._table.find("\n" + key + "|")
        if start < 0:
            raise KeyError(key)
        start += len(key) + 2
        return self._table[start : self._table.find("\n", start)]
