"""Arbiters' training: what people and tags get up to, and what the box makes of it."""

from host_tools.play.cheats.acts import Cheats
from host_tools.play.cheats.menu import CHEATS

__all__ = ["CHEATS", "Cheats"]
