"""The words of one language; those of the other leave the memory again."""

from micropython import const

from .memory import forget

_MOST_KNOWN = const(32)


class Words:
    """Texts by key, in "de" or "en"."""

    def __init__(self, language: str) -> None:
        self._table = _english() if language == "en" else _german()
        self._known: "dict[str, str]" = {}

    def get(self, key: str) -> str:
        """The text of a key. KeyError if there is none.

        Finding one takes 4 ms on the box, because letters of a text with umlauts are counted from
        its beginning; so those of the screens in use are kept.
        """
        if key not in self._known:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._find(key)
        return self._known[key]

    def _find(self, key: str) -> str:
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
