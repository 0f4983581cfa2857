"""What becomes a tag: one item a tag, a set of them a batch; and those of a deck."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from card_tags import kinds
from card_tags.hall import Hall
from card_tags.options import Options
from host_tools.cards.decks.contents import card_contents, deck_content
from host_tools.core.errors import UserError


@dataclass(frozen=True)
class Item:
    """One tag to be: `code`, `name` for people; `kind`, `content` as in card_tags/kinds.py;
    `link`: what a phone opens; `options`: house rules that the card brings.
    """

    code: str
    name: str
    kind: str
    content: Any
    link: str = ""
    options: Options | None = None


@dataclass(frozen=True)
class Set:
    """All items of one batch. `key` changes with any content: ledgers are never mixed up."""

    title: str
    items: tuple[Item, ...]

    @property
    def key(self) -> str:
        """Title and fingerprint: what the ledger files this set under."""
        text = repr([(item.kind, _lasting(item.content)) for item in self.items])
        return f"{self.title} {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _lasting(content: Any) -> tuple[Any, ...]:
    """The content but for tags that were replaced, whose deck stays the same, and for a hall's
    password, which nobody shall find out by trying.
    """
    return tuple(content[:-1] if isinstance(content, kinds.DeckCard | Hall) else content)


def linked(batch: Set, link: str) -> Set:
    """Every tag with this address, in which `{code}` stands for its code."""
    items = (replace(item, link=link.replace("{code}", item.code)) for item in batch.items)
    return replace(batch, items=tuple(items))


def with_options(batch: Set, options: Options | None) -> Set:
    """Deck card and table cards bring these house rules."""
    items = (
        replace(item, options=options if item.kind in (kinds.DECK, kinds.TABLE) else None)
        for item in batch.items
    )
    return replace(batch, items=tuple(items))


def deck_items(deck: dict[str, Any], with_deck_card: bool) -> Set:
    """The cards of a deck object, and its deck card behind them (that one needs an NTAG215)."""
    items = [
        Item(content.code, card.get("name", ""), kinds.CARD, content)
        for card, content in zip(deck["cards"], card_contents(deck), strict=True)
    ]
    if with_deck_card:
        content = deck_content(deck)
        if content is None:
            raise UserError("deck_no_scheme", name=deck["id"])
        items.append(Item("deck", deck["title"], kinds.DECK, content))
    return Set(f"deck {deck['id']}", tuple(items))
