"""Phones that hold the hands of seats: one code opens the table, all else is said on the phone.

A seat that a phone holds is that phone's until the table's own page frees it; a second phone is
refused (docs/decisions/play-page.md).
"""

import secrets
from collections.abc import Collection
from typing import Literal, get_args

import msgspec

from host_tools.core.errors import decode_reason
from host_tools.core.json_types import Json
from host_tools.sim.table.asking import MOST_SEATS, BadMessage, NotAllowed, read_name

SeatColour = Literal["red", "orange", "yellow", "green", "turquoise", "blue", "violet", "pink"]
COLOURS: tuple[SeatColour, ...] = get_args(SeatColour)
LONGEST_CLAIM = 4096
"""Bytes: twenty letters may be families of eleven code points, each escaped."""
CODE_LENGTH = 4
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Without vowels, so that no code is a word; without Y, which is read as one."""


class SeatClaim(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody has chosen on the phone; the seat counts from 0."""

    name: str
    colour: SeatColour
    seat: int


def read_claim(raw: bytes) -> SeatClaim:
    """The claim in a request's body. Raises BadMessage."""
    try:
        claim = msgspec.json.decode(raw, type=SeatClaim)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadMessage("play_malformed", reason=decode_reason(error)) from error
    claim.name = read_name(claim.name)
    return claim


def _new_key() -> str:
    # 72 bits, twelve characters
    return secrets.token_urlsafe(9)


def new_code() -> str:
    """A table's code, which is read out and typed."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


class Phones(msgspec.Struct):
    """Who holds which seat of one table. `key` opens the page on which a phone joins, and `code`
    leads to it; a seat's key opens that seat, and is another one once the seat was freed.
    """

    key: str = msgspec.field(default_factory=_new_key)
    code: str = msgspec.field(default_factory=new_code)
    seat_keys: list[str] = msgspec.field(
        default_factory=lambda: [_new_key() for _ in range(MOST_SEATS)]
    )
    held: dict[int, SeatClaim] = {}

    def take(self, claim: SeatClaim, free: Collection[int]) -> str:
        """The key of the seat. Raises BadMessage when it cannot be had: `free` seats can."""
        if not 0 <= claim.seat < MOST_SEATS:
            raise BadMessage("play_no_seat", seat=claim.seat + 1)
        # refused, and no takeover is offered: whoever has the code could look into any hand
        if claim.seat in self.held:
            name = self.held[claim.seat].name
            raise NotAllowed("play_seat_taken", seat=claim.seat + 1, name=name)
        if claim.seat not in free:
            raise NotAllowed("play_seat_here", seat=claim.seat + 1)
        self.held[claim.seat] = claim
        return self.seat_keys[claim.seat]

    def free(self, seats: int | None, bots: Collection[int]) -> list[int]:
        """Seats that a phone may take. While a match of so many `seats` is played (None: there is
        none) not the one whose cards lie open on the table's own page, because one person alone
        plays there.
        """
        free = [seat for seat in range(seats or MOST_SEATS) if seat not in self.held]
        here = [seat for seat in free if seat not in bots]
        return [seat for seat in free if seats is None or here != [seat]]

    def give_back(self, seat: int) -> None:
        """Nobody's phone holds the seat any more, and its link opens nothing."""
        if self.held.pop(seat, None):
            self.seat_keys[seat] = _new_key()

    def named(self, header: Json, usual: str) -> Json:
        """The header of a match with the names that were said on phones; `usual` names a seat
        without one by its number.
        """
        seats = range(header["seats"])
        if not self.held.keys() & set(seats):
            return header
        # a header names every seat or none
        given = header.get("names") or [usual.format(seat + 1) for seat in seats]
        names = [self.held[s].name if s in self.held else given[s] for s in seats]
        return {**header, "names": names}

    def as_json(self, connected: list[int]) -> list[Json]:
        """For every page: who holds which seat, and how many devices show it now."""
        return [
            {
                "seat": seat,
                "name": claim.name,
                "colour": claim.colour,
                "here": connected.count(seat),
            }
            for seat, claim in sorted(self.held.items())
        ]
