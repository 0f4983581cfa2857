"""The menu for arbiters' training: every trick by name, the rule or page that decides it, and the
game it belongs to.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from host_tools.sim.table.cheats import deeds
from host_tools.sim.table.cheats.deeds import Deed


class Trick(NamedTuple):
    """`rule`: a rule of RULES.md, or the page that says what the box promises. `game` is "" for
    what works in all; only tricks of a game have a `deed`.
    """

    rule: str
    game: str = ""
    deed: Callable[[Any], Deed | None] | None = None


CHEATS = {
    "swap": Trick("TR-13", "trumpf", deeds.dropped_pile),
    "keep": Trick("TR-12", "trumpf", deeds.kept_card),
    "card_again": Trick("HA-9", "hattrick", deeds.card_again),
    "out_of_turn": Trick("HA-2", "hattrick", deeds.out_of_turn),
    "quartet_again": Trick("QU-5", "quartett", deeds.quartet_again),
    "other_card": Trick("QU-3", "quartett", deeds.other_card),
    "false_denial": Trick("QU-7", "quartett", deeds.false_denial),
    "impossible_question": Trick("QU-4", "quartett", deeds.impossible_question),
    "seated_again": Trick("CB-3", "cafe", deeds.seated_again),
    "foreign_table": Trick("CB-3", "cafe", deeds.foreign_table),
    "crowd": Trick("CB-4", "cafe", deeds.crowd),
    "somebodys_joker": Trick("CB-12", "cafe", deeds.somebodys_joker),
    "joker_to_the_bar": Trick("CB-10", "cafe", deeds.joker_to_the_bar),
    "two": Trick("reliability"),
    "pull": Trick("reliability"),
    "foreign": Trick("FORMAT"),
    "empty": Trick("FORMAT"),
    "torn": Trick("FORMAT"),
    "copied": Trick("security"),
    "dead": Trick("SW-9"),
    "cut": Trick("CL-2"),
    "flash": Trick("reliability"),
    "unplug": Trick("link"),
}
