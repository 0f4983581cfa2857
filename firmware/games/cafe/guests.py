"""The hundred guests of the café: twelve nations with four women and four men, four jokers (CB-1).

A guest is a number 0..99: nation times eight, plus four for a man, plus the copy. Jokers follow
from 96.
"""

from micropython import const

from firmware.games.cafe.board import NATIONS

GUESTS = const(100)
FIRST_JOKER = const(96)
JOKER = const(12)  # in place of a nation
WOMAN = const(0)
MAN = const(1)

_PER_NATION = const(8)
_PER_SEX = const(4)
_JOKERS = ("JKf1", "JKf2", "JKm1", "JKm2")
# Tuples: to take a letter out of a string, MicroPython looks it up among all names that it knows.
_SEXES = ("f", "m")
_COPIES = ("1", "2", "3", "4")


def guest_code(guest: int) -> str:
    """Code of a guest number: 0 is AFf1, 99 is JKm2."""
    if guest >= FIRST_JOKER:
        return _JOKERS[guest - FIRST_JOKER]
    copy = _COPIES[guest % _PER_SEX]
    return NATIONS[guest // _PER_NATION] + _SEXES[sex_of(guest)] + copy


def guest_number(code: str) -> int:
    """Number of a guest code, or -1 if there is no such guest."""
    if code in _JOKERS:
        return FIRST_JOKER + _JOKERS.index(code)
    if len(code) != 4 or code[:2] not in NATIONS or code[2] not in "fm" or code[3] not in "1234":
        return -1
    copy = "1234".index(code[3])
    return NATIONS.index(code[:2]) * _PER_NATION + "fm".index(code[2]) * _PER_SEX + copy


def candidates(nations: "list[int]") -> "list[int]":
    """All guests of these nations, and the jokers."""
    guests = list(range(FIRST_JOKER, GUESTS))
    for nation in nations:
        guests.extend(range(nation * _PER_NATION, (nation + 1) * _PER_NATION))
    return guests


def nation_of(guest: int) -> int:
    """Index into NATIONS, or JOKER."""
    return guest // _PER_NATION


def sex_of(guest: int) -> int:
    """WOMAN or MAN; a joker has a sex too (CB-3)."""
    if guest >= FIRST_JOKER:
        return WOMAN if guest < FIRST_JOKER + 2 else MAN
    return MAN if guest % _PER_NATION >= _PER_SEX else WOMAN


def is_joker(guest: int) -> bool:
    """True for the four jokers."""
    return guest >= FIRST_JOKER
