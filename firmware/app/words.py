"""The words of one language: the app's own and those of one game. Others leave the memory."""

from micropython import const

from .memory import forget

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_KNOWN = const(32)
_APP = "firmware.app"
LONGEST_NAME = const(12)  # letters of a name that fit beside everything else


class Words:
    """Texts by key, in "de" or "en": the app's, and those of `packages` (dotted names).

    `tables` are their texts: `key|text`, one a line.
    """

    def __init__(self, language: str, *packages: str) -> None:
        self._names: "tuple[str, ...]" = ()
        self.tables: "tuple[str, ...]" = ("",)
        self._known: "dict[str, str]" = {}
        self.use(language, *packages)

    def use(self, language: str, *packages: str) -> None:
        """Have these texts and no others."""
        names = (language,) + packages
        if names == self._names:
            return
        own = self.tables[0] if self._names[:1] == names[:1] else ""
        self.tables = (own,)  # what is not needed any more may leave before the new ones come
        self._known.clear()
        tables = [own or load_table(_APP, language)]
        tables.extend([load_table(package, language) for package in packages])
        self.tables = tuple(tables)
        self._names = names

    def get(self, key: str) -> str:
        """The text of a key. KeyError if there is none.

        Finding one takes up to 2 ms on the box, because letters of a text with umlauts are counted
        from its beginning; so those of the screens in use are kept.
        """
        text = self._known.get(key)
        if text is None:  # another thread of a laptop may clear the dictionary at any time
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            text = self._known[key] = self._find(key)
        return text

    def _find(self, key: str) -> str:
        line = "\n" + key + "|"
        for table in self.tables:
            start = table.find(line)
            if start >= 0:
                start += len(line)
                return table[start : table.find("\n", start)]
        raise KeyError(key)


def load_table(package: str, language: str) -> str:
    """The table of the module of texts: on the box it lies in the flash."""
    name = package + ".texts_" + language
    table: str = __import__(name, None, None, ("TABLE",)).TABLE
    forget(name)
    return table


def counted(key: str, number: int) -> str:
    """The key of the text that fits this number: one has a text of its own."""
    return key + "_one" if number == 1 else key


def short_name(names: "Sequence[str]", seat: int) -> str:
    """The name of a seat as a screen has room for it. Where another one would look the same, its
    end is the number of the seat: "Maximilian 2".
    """
    name = names[seat][:LONGEST_NAME]
    for other in range(len(names)):
        if name and other != seat and names[other][:LONGEST_NAME] == name:
            return "%s %d" % (name[: LONGEST_NAME - 2].rstrip(), seat + 1)
    return name
