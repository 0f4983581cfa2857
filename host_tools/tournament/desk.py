"""What the desk may do, and when: all wishes in one place.

Each function checks a wish against the state and returns the events it makes; nothing here writes.
A wish that cannot be granted raises UserError with one sentence; `force` is the jury's. With a
service: `service.do("Anna", "", lambda state: desk.call(state, "A-1"))`.
"""

from host_tools.tournament.wishes.common import check_result, doubt
from host_tools.tournament.wishes.corrections import Impact, correct, correction, impact, void
from host_tools.tournament.wishes.entrants import (
    add_players,
    change,
    check_in,
    check_setup,
    draw,
    edit_player,
    enter_again,
    exclude,
    free_id,
    late_entry,
    plan_again,
    reinstate,
    remove_player,
    walkovers,
    withdraw,
)
from host_tools.tournament.wishes.knockout import (
    cut_ties,
    draw_ko,
    draw_lots,
    lot,
    seed_moves,
    ties,
    tree_begun,
)
from host_tools.tournament.wishes.matches import (
    LATE_SECONDS,
    call,
    check,
    enter,
    forfeit,
    free_table,
    late_at,
    lock,
    lock_all,
    report,
    start,
)
from host_tools.tournament.wishes.unplaced import assign, dismiss, leave_to_desk

__all__ = [
    "LATE_SECONDS",
    "Impact",
    "add_players",
    "assign",
    "call",
    "change",
    "check",
    "check_in",
    "check_result",
    "check_setup",
    "correct",
    "correction",
    "cut_ties",
    "dismiss",
    "doubt",
    "draw",
    "draw_ko",
    "draw_lots",
    "edit_player",
    "enter",
    "enter_again",
    "exclude",
    "forfeit",
    "free_id",
    "free_table",
    "impact",
    "late_at",
    "late_entry",
    "leave_to_desk",
    "lock",
    "lock_all",
    "lot",
    "plan_again",
    "reinstate",
    "remove_player",
    "report",
    "seed_moves",
    "start",
    "ties",
    "tree_begun",
    "void",
    "walkovers",
    "withdraw",
]
