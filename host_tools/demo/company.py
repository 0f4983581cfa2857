"""Who sits at the table of a match: the people of each game behind one door."""

from typing import Any

from host_tools.demo.cafe_people import CafePeople
from host_tools.demo.hattrick_people import HattrickPeople
from host_tools.demo.people import People, TrumpfPeople
from host_tools.demo.quartett_people import QuartettPeople

Json = dict[str, Any]


def people_of(header: Json, seed: int) -> People:
    """The people for a header of TRANSCRIPT.md with its deck or board as an object."""
    if header["game"] == "hattrick":
        return HattrickPeople(header, seed)
    if header["game"] == "quartett":
        return QuartettPeople(header, seed)
    if header["game"] == "cafe":
        return CafePeople(header, seed)
    return TrumpfPeople(header, seed)
