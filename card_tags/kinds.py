"""What can stand on a tag: one named tuple per kind (FORMAT.md, *Kinds*).

A kind is the last letter of the NDEF type.
"""

from collections import namedtuple

from micropython import const

CARD = const("c")
DECK = const("d")
BADGE = const("b")
JURY = const("j")
GUEST = const("g")
TABLE = const("t")
NUMBERED = const("h")
SLIP = const("s")
HALL = const("w")
OPTIONS = const("o")

KINDS = (CARD, DECK, BADGE, JURY, GUEST, TABLE, NUMBERED, SLIP, HALL, OPTIONS)

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import NamedTuple

    class Card(NamedTuple):
        """A playing card. `deck` = `deck_number(id)`; `values` scaled integers or None."""

        deck: int
        code: str
        joker: bool
        values: tuple[int | None, ...]

    class DeckCategory(NamedTuple):
        """A category as in TRANSCRIPT.md; `best` "high" or "low"; `joker`: doubled by one."""

        key: str
        title: str
        unit: str
        best: str
        decimals: int
        joker: bool

    class DeckCard(NamedTuple):
        """A deck. `cards` without jokers; `scheme`, `group_size`: see `deck_card.codes`;
        `revoked`: the UIDs of tags that were replaced, seven bytes each.
        """

        deck_id: str
        title: str
        scheme: int
        group_size: int
        cards: int
        jokers: int
        categories: tuple[DeckCategory, ...]
        revoked: bytes

    class Badge(NamedTuple):
        """A player: `player` is the desk's id, `event` the tournament."""

        player: str
        name: str
        event: str

    class Jury(NamedTuple):
        """An arbiter's card; opens the arbiter menu."""

        number: int
        name: str

    class Guest(NamedTuple):
        """A café tile, named as in TRANSCRIPT.md: `FRf1`, `JKm2`."""

        tile: str

    class TableTag(NamedTuple):
        """A café table `T01`.. with its nation, or with `table` "" a table card of the app."""

        table: str
        nation: str

    class NumberedCard(NamedTuple):
        """A card of a colour and a number: `R1`..`R20`, `G1`.., `B1`.."""

        code: str

    class SlipSeat(NamedTuple):
        """A seat's result: `total` cards, quartets or score; `points` or None; `place` from 1."""

        name: str
        total: int
        points: int | None
        place: int

    class Slip(NamedTuple):
        """A result. `head`: the journal's chain head, half of it from a tag, which does not name
        the box either; `duration_s`: seconds.
        """

        match_id: str
        box_id: str
        game: str
        table: str
        reason: str
        duration_s: int
        head: bytes
        seats: tuple[SlipSeat, ...]

    # and card_tags.hall.Hall and card_tags.options.Options, which few ever load
    Content = Card | DeckCard | Badge | Jury | Guest | TableTag | NumberedCard | Slip

    class Tag(NamedTuple):
        """`key_id` 0 = unsealed; `check`: the seal or CRC over `covered`, the payload bytes."""

        kind: str
        content: Content
        key_id: int
        check: bytes
        covered: bytes
else:
    Card = namedtuple("Card", ("deck", "code", "joker", "values"))
    DeckCategory = namedtuple(
        "DeckCategory", ("key", "title", "unit", "best", "decimals", "joker")
    )
    DeckCard = namedtuple(
        "DeckCard",
        ("deck_id", "title", "scheme", "group_size", "cards", "jokers", "categories", "revoked"),
    )
    Badge = namedtuple("Badge", ("player", "name", "event"))
    Jury = namedtuple("Jury", ("number", "name"))
    Guest = namedtuple("Guest", ("tile",))
    TableTag = namedtuple("TableTag", ("table", "nation"))
    NumberedCard = namedtuple("NumberedCard", ("code",))
    SlipSeat = namedtuple("SlipSeat", ("name", "total", "points", "place"))
    Slip = namedtuple(
        "Slip",
        ("match_id", "box_id", "game", "table", "reason", "duration_s", "head", "seats"),
    )
    Tag = namedtuple("Tag", ("kind", "content", "key_id", "check", "covered"))
