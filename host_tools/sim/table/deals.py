"""By which number the cards of every match at a table are dealt: the result tells it."""

import json
import secrets
from contextlib import suppress
from pathlib import Path

SEEDS = 10**12
"""So many numbers there are: twelve digits can be written down."""


class Deals:
    """`wanted` is the number of the next match, if somebody asks for that deal again. `file` keeps
    the numbers where the box's flash is kept: a match goes on with the cards it was dealt.
    """

    def __init__(self, file: Path | None = None, wanted: int | None = None) -> None:
        self.wanted = wanted
        self._file = file
        self._of: dict[int, int] = {}
        if file is not None:
            with suppress(OSError, ValueError, AttributeError):  # a new box; or torn: dealt anew
                kept = json.loads(file.read_text(encoding="utf8"))
                self._of = {int(match): int(seed) for match, seed in kept.items()}

    def of(self, match: int) -> int:
        """The number of this match of the box, the same however often it is asked."""
        if match not in self._of:
            wanted, self.wanted = self.wanted, None
            self._of[match] = secrets.randbelow(SEEDS) if wanted is None else wanted
            self._keep()
        return self._of[match]

    def _keep(self) -> None:
        if self._file is not None:
            with suppress(OSError):  # a full disk stops no match
                self._file.write_text(json.dumps(self._of), encoding="utf8")
