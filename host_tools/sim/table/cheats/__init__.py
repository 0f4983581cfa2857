"""Arbiters' training: what people and tags get up to, and what the box makes of it."""

from host_tools.sim.table.cheats.acts import Cheats
from host_tools.sim.table.cheats.menu import CHEATS, GAME_OF, cheat_texts

__all__ = ["CHEATS", "GAME_OF", "Cheats", "cheat_texts"]
