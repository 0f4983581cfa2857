"""The arbiter's menu, behind the jury card or the jury button: what a player may not do.

Each action that changes the match asks for a reason, which is kept in the record as `why`.
"""

from micropython import const

from .chooser import Chooser

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable

    from .seams import BoxApp, Played

# action -> reasons to choose from; text keys are "arbiter_" + action and "why_" + reason
REASONS = {
    "undo": ("wrong_card", "wrong_call", "reader", "jury"),
    "hand": ("dead_card", "no_tag", "jury"),
    "penalty": ("delay", "jury"),
    "forfeit": ("late", "left", "jury"),
    "exclude": ("cheating", "conduct", "jury"),
    "decide": ("level", "jury"),
    "pause": ("dispute", "break", "fault"),
    "abandon": ("fault", "break", "jury"),
}
MENU = "jury"
ASKS = "jury_asks"
"""What the jury's menu is called (`Chooser.asks`), and the lists behind it."""
SEAT_ACTIONS = ("penalty", "forfeit", "exclude", "decide")


class ArbiterMenu(Chooser):
    """Lists the actions that this match has now."""

    calls_jury = True  # a live hall shows it (app/air.py)

    def __init__(self, app: "BoxApp", table: "Played") -> None:
        self._table = table
        self._actions = actions(table)
        items = [app.say("arbiter_" + action) for action in self._actions]
        Chooser.__init__(self, app, app.say("jury"), items, self._chose, asks=MENU)

    def _chose(self, number: int) -> None:
        action = self._actions[number]
        if action == "resume":
            self._table.act("resume")
        elif action in SEAT_ACTIONS:
            self._choose_seat(action)
        elif action == "hand":
            self._table.enter_by_hand()
        else:
            choose_why(self.app, action, lambda why: self._do(action, why))

    def _do(self, action: str, why: str) -> None:
        if action == "abandon":
            self._abandon(why)
        else:
            self._table.act(action, ("why", why))

    def _choose_seat(self, action: str) -> None:
        app = self.app
        seats = [app.seat_name(seat) for seat in range(self._table.session.match.seats)]
        heading = app.say("arbiter_" + action)

        def chose(seat: int) -> None:
            self._why_for_seat(action, seat)

        app.open(Chooser(app, heading, seats, chose, asks=ASKS))

    def _why_for_seat(self, action: str, seat: int) -> None:
        choose_why(self.app, action, lambda why: self._for_seat(action, seat, why))

    def _for_seat(self, action: str, seat: int, why: str) -> None:
        self._table.act(action, ("seat", seat), ("why", why))

    def _abandon(self, why: str) -> None:
        """The match ends without a result: the record says why."""
        session = self._table.session
        session.journal.note("abandoned: " + why)
        session.close()
        self.app.show_menu()


def choose_why(app: "BoxApp", action: str, done: "Callable[[str], None]") -> None:
    """Ask for the reason of an action; `done` gets the words that go into the record."""
    reasons = [app.say("why_" + reason) for reason in REASONS[action]]

    def chose(number: int) -> None:
        done(reasons[number])

    app.open(Chooser(app, app.say("why"), reasons, chose, asks=ASKS))


def actions(table: "Played") -> "list[str]":
    """The actions that make sense now, the most used first."""
    session = table.session
    over = session.match.over()
    against = table.jury_actions()
    fits = (
        ("pause", session.left_ms() >= 0 and not session.paused() and not over),
        ("resume", session.paused() and not over),
        ("undo", True),
        ("hand", bool(table.codes()) and not over),
        ("penalty", "penalty" in against and not over),
        ("forfeit", "forfeit" in against and not over),
        ("exclude", "exclude" in against and not over),
        ("decide", table.can_decide() and not over),
        ("abandon", not over),
    )
    return [action for action, fit in fits if fit]
