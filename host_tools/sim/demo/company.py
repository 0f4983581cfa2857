"""Who sits at the table of a match: the people of each game behind one door."""

from collections.abc import Callable
from typing import Any

from host_tools.sim.demo.cafe_people import CafePeople
from host_tools.sim.demo.hattrick_people import HattrickPeople
from host_tools.sim.demo.people import People, TrumpfPeople
from host_tools.sim.demo.quartett_people import QuartettPeople

Json = dict[str, Any]


_PEOPLE: dict[str, Callable[[Json, int, bool], People]] = {
    "trumpf": TrumpfPeople,
    "quartett": QuartettPeople,
    "cafe": CafePeople,
    "hattrick": HattrickPeople,
}


def people_of(header: Json, seed: int, faultless: bool = False) -> People:
    """The people for a header of TRANSCRIPT.md with its deck or board as an object.

    `faultless` people do nothing that the referee would refuse, and do not lie.
    """
    return _PEOPLE[header["game"]](header, seed, faultless)
