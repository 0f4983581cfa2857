"""The words of one language, taken from `texts.py` and kept as one string."""

from .memory import forget


class Words:
    """Texts by key, in "de" or "en". The other language leaves the memory again."""

    def __init__(self, language: str) -> None:
        from . import texts

        column = 2 if language == "en" else 1
        table = texts.TABLE.strip().split("\n")
        lines = [""]
        for row in range(0, len(table), 3):
            lines.append(table[row] + "|" + table[row + column].strip())
        lines.append("")
        self._lines = "\n".join(lines)
        forget(texts.__name__)

    def get(self, key: str) -> str:
        """The text of a key. KeyError if there is none."""
        start = self._lines.find("\n" + key + "|")
        if start < 0:
            raise KeyError(key)
        start += len(key) + 2
        return self._lines[start : self._lines.find("\n", start)]
