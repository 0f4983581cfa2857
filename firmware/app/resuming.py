"""What a boot begins with: the menu, or the match that ran, unless that has taken the box down."""

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .seams import BoxApp

_MOST_TRIES = const(3)  # boots in a row that a match may take down
_SOUND_MS = const(1000)  # its first pictures, with the reader started and garbage collected


class Resuming:
    """Counts the boots that a match takes down (docs/reliability.md)."""

    def __init__(self, app: "BoxApp") -> None:
        self._app = app
        self._tried = 0  # the match that this boot resumes, until that has proved sound
        self._tried_ms: "int | None" = None  # its first step

    def boot(self) -> None:
        """The menu, or the match that was running; after three boots that died of it, a choice."""
        number = self._app.journal.running()
        if not number:
            self._app.show_menu()
        elif self._may_try(number):
            self.resume(number)
        else:
            from . import stuck

            self._app.use_words()
            stuck.offer(self._app, number)

    def resume(self, number: int) -> None:
        """Go on with a match. The boot counts as a failed try until `_SOUND_MS` of it are over."""
        self._tried = number
        self._tried_ms = None
        if self._app.journal.unfinished() is None:
            self._app.show_menu()
            return
        self._app.use_words()
        from . import opening

        opening.resume(self._app, number)

    def step(self, now_ms: int) -> None:
        """The match that was resumed does the box no harm: the next boot begins to count anew."""
        if not self._tried:
            return
        if self._tried_ms is None:
            self._tried_ms = now_ms
        elif self._app.clock.ticks_diff(now_ms, self._tried_ms) >= _SOUND_MS:
            number, self._tried = self._tried, 0
            try:
                self._app.journal.keep_tries(number, 0)
            except OSError:
                pass  # a full flash: the next boot asks sooner than it must

    def _may_try(self, number: int) -> bool:
        """Count this boot before anything can go wrong. False after three, or if it cannot be
        counted: what is not counted could go on for ever."""
        journal = self._app.journal
        tries = journal.tries(number)
        if tries >= _MOST_TRIES:
            return False
        try:
            journal.keep_tries(number, tries + 1)
        except OSError:
            return False
        return True
