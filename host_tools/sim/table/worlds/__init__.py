"""What lies on the table and in the hands, per game, and a simple player for every seat.

A world is dealt once and then only follows what the box has written into its journal: it holds
cards as people do, and judges nothing. `make_world` is the door.
"""

from host_tools.sim.table.worlds.base import Json, Move, Say, Step, World, box_words, lay, pick
from host_tools.sim.table.worlds.cafe import CafeWorld
from host_tools.sim.table.worlds.hattrick import HattrickWorld
from host_tools.sim.table.worlds.quartett import QuartettWorld
from host_tools.sim.table.worlds.trumpf import TrumpfWorld

__all__ = [
    "WORLDS",
    "CafeWorld",
    "HattrickWorld",
    "Json",
    "Move",
    "QuartettWorld",
    "Say",
    "Step",
    "TrumpfWorld",
    "World",
    "box_words",
    "lay",
    "make_world",
    "pick",
]

WORLDS: dict[str, type[World]] = {
    "trumpf": TrumpfWorld,
    "quartett": QuartettWorld,
    "cafe": CafeWorld,
    "hattrick": HattrickWorld,
}


def make_world(header: Json, seed: int, say: Say) -> World:
    """Deal a match. `header` holds deck and board as objects; `say` gives the box's texts."""
    return WORLDS[header["game"]](header, seed, say)
