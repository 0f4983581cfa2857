"""A match that took the box down three times in a row: the box asks, and does not try for ever.

Imported only then, and imports nothing of the rules or of a game: they may be what fails.
"""

from micropython import const

from . import sounds
from .chooser import Chooser
from .page import JURY

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from .seams import BoxApp

_AGAIN = const(0)


def offer(app: "BoxApp", number: int) -> None:
    """Ask whether to try match `number` once more or to leave it, whole, for the desk."""
    _ask(app, number, "stuck")


def _ask(app: "BoxApp", number: int, why: str) -> None:
    heading = app.say("stuck_title", number)
    items = [app.say("stuck_again"), app.say("stuck_aside")]
    app.open(_Choice(app, heading, items, lambda item: _do(app, number, item)))
    app.message("STOP", heading, (app.say(why),), sounds.ATTENTION)


class _Choice(Chooser):
    """There is no page below to go back to."""

    def on_button(self, button: int) -> None:
        if button != JURY:
            Chooser.on_button(self, button)


def _do(app: "BoxApp", number: int, item: int) -> None:
    if item == _AGAIN:
        app.resuming.resume(number)  # the count stands: after another fault the box asks again
        return
    try:
        app.journal.set_aside(number)
    except OSError:  # the flash is full, and the last record is not in the file of the match yet
        _ask(app, number, "journal_full")
        return
    app.show_menu()
    app.message(
        "CLOCK", app.say("stuck_title", number), (app.say("stuck_done"),), sounds.ATTENTION
    )
