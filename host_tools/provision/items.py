"""What a batch writes for people, one item per tag: badges and jury cards; what a tag says."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from card_tags import kinds
from card_tags.deck_card import deck_number
from card_tags.hall import Hall
from card_tags.options import Options
from firmware.app.hall_settings import check_hall
from firmware.app.settings import BadSetting
from host_tools.cards.decks import deck_ids, load_deck
from host_tools.cards.decks.values import shown_value
from host_tools.cards.tag_items import Item, Set
from host_tools.core.errors import Sentence, UserError
from host_tools.core.names import tidy, within
from host_tools.core.spreadsheet import read_table
from host_tools.core.text_check import text_fault
from host_tools.games import GAMES

_LONGEST_TEXT = 60  # bytes of UTF-8, card_tags/FORMAT.md


def badge_items(path: Path, event: str) -> Set:
    """One badge per line of a CSV with the columns `id` and `name`. Raises UserError."""
    rows = read_table(path)
    columns = [heading.lower() for heading in rows[0].cells] if rows else []
    if not {"id", "name"} <= set(columns):
        raise UserError("badges_columns", path=path)
    badges: dict[str, Item] = {}
    for row in rows[1:]:
        # not strict: a row may lack its last cells
        item = _badge(path, row.line, dict(zip(columns, row.cells, strict=False)), event)
        if item.code in badges:
            raise UserError("badges_twice", path=path, line=row.line, id=item.code)
        badges[item.code] = item
    if not badges:
        raise UserError("badges_none", path=path)
    return Set(f"badges {event}".strip(), tuple(badges.values()))


def jury_items(names: tuple[str, ...]) -> Set:
    """One jury card per arbiter."""
    items = tuple(
        Item(f"jury{number}", name, kinds.JURY, kinds.Jury(number, name))
        for number, name in enumerate(map(tidy, names), 1)
    )
    return Set("jury", items)


def hall_item(wifi: str, password: str, broker: str, port: int) -> Set:
    """The tag that tells boxes how to reach their hall. Raises UserError."""
    for name, value in (("wifi", wifi), ("wifi_password", password), ("broker", broker)):
        try:
            # by the box's own check: it would refuse such a tag in the hall
            check_hall(name, value)
        except BadSetting as error:
            raise UserError("hall_bad", field=name, detail=error.args[1]) from error
    # without salt the password is not hidden yet: sealing does it (card_tags/seal.py)
    content = Hall(wifi, broker, port, b"", password.encode())
    return Set("hall", (Item("hall", wifi, kinds.HALL, content),))


def describe(content: object, deck: dict[str, Any] | None = None) -> str:
    """One line for people about any content: what a reader finds on a tag.

    A card tells neither the names nor the decimals of its values; they come from `deck` or one of
    the project's own, if the card is of it.
    """
    if isinstance(content, kinds.Card):
        return _card_line(content, deck)
    return _DESCRIPTIONS[type(content)](content)


def _card_line(card: kinds.Card, deck: dict[str, Any] | None) -> str:
    known = _deck_of(card, deck)
    if card.joker:
        values: str = Sentence("holds_joker")
    elif known is None:
        numbers = ", ".join("–" if value is None else str(value) for value in card.values)
        values = Sentence("holds_bare_values", values=numbers)
    else:
        pairs = zip(known["categories"], card.values, strict=True)
        values = ", ".join(_named_value(category, value) for category, value in pairs)
    of = known["id"] if known else f"{card.deck:04x}"
    return Sentence("holds_card", code=card.code, deck=of, values=values)


def _named_value(category: dict[str, Any], value: int | None) -> str:
    """`Preis 4200,50 Fr.`, as it is printed on the card."""
    unit = "" if value is None else category["unit"]
    return f"{category['title']} {shown_value(value, category['decimals'])} {unit}".rstrip()


def _deck_of(card: kinds.Card, deck: dict[str, Any] | None) -> dict[str, Any] | None:
    """The deck with the card's number and as many categories."""
    for known in [*([deck] if deck else []), *map(load_deck, deck_ids())]:
        # a joker has no values to count
        same_width = card.joker or len(known["categories"]) == len(card.values)
        if deck_number(known["id"]) == card.deck and same_width:
            return known
    return None


def _deck_line(deck: kinds.DeckCard) -> str:
    number = f"{deck_number(deck.deck_id):04x}"
    jokers = Sentence("holds_jokers", count=deck.jokers) if deck.jokers else ""
    of = {"deck": deck.deck_id, "number": number, "title": deck.title}
    return Sentence("holds_deck", **of, count=deck.cards, jokers=jokers)


def _slip_line(slip: kinds.Slip) -> str:
    counts = ":".join(str(seat.total) for seat in slip.seats)
    names = ", ".join(seat.name for seat in slip.seats)
    return Sentence("holds_slip", match=slip.match_id, names=names, cards=counts)


def _badge_line(badge: kinds.Badge) -> str:
    event = badge.event or "–"
    return Sentence("holds_badge", name=badge.name, id=badge.player, event=event)


def _rules_line(rules: Options) -> str:
    chosen = " ".join((rules.preset, *map("=".join, rules.choices)))
    return Sentence("holds_rules", game=rules.game, rules=chosen)


def _hall_line(hall: Hall) -> str:
    return Sentence("holds_hall", name=hall.wifi, where=f"{hall.broker}:{hall.port}")


_DESCRIPTIONS: dict[type, Callable[[Any], str]] = {
    kinds.DeckCard: _deck_line,
    kinds.Badge: _badge_line,
    kinds.Jury: lambda jury: Sentence("holds_jury", number=jury.number, name=jury.name),
    kinds.Slip: _slip_line,
    Options: _rules_line,
    Hall: _hall_line,
    **{kind: line for game in GAMES.values() for kind, line in game.describe.items()},
}


def _badge(path: Path, line: int, row: dict[str, str], event: str) -> Item:
    player, name = row.get("id", ""), row.get("name", "")
    for field, value in (("id", player), ("name", name), ("--event", event)):
        # a name is cut: the id says who it is, and the desk has the whole name
        is_long = field != "name" and len(value.encode()) > _LONGEST_TEXT
        if is_long or (not value and field != "--event"):
            raise UserError("badges_length", path=path, line=line, field=field, most=_LONGEST_TEXT)
        fault = text_fault(value)
        if fault is not None:
            raise UserError("badges_text", path=path, line=line, field=field, detail=fault)
    return Item(player, name, kinds.BADGE, kinds.Badge(player, within(name, _LONGEST_TEXT), event))
