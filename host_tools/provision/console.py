"""What a batch says in the terminal: one line per card, a bell for the ear."""

import click

from host_tools.cards.tag_items import Item
from host_tools.provision.ledger import LOCKED, Entry

_GENUINE = {True: "", False: ", NOT signed by NXP", None: ", no NXP signature"}


class Console:
    """`News` for people. `assume_yes` answers every question with yes."""

    def __init__(self, assume_yes: bool = False) -> None:
        self._assume_yes = assume_yes

    def prompt(self, number: int, count: int, item: Item) -> None:
        name = f" {item.name}" if item.name and item.name != item.code else ""
        click.echo(f"[{number}/{count}] {item.code}{name} — lay the card")

    def same_tag(self, entry: Entry) -> None:
        click.echo(f"  this is {entry.code} {entry.name} already; take it away")

    def ask_overwrite(self, item: Item, holds: str) -> bool:
        question = f"  it holds {holds}; write {item.code} all the same?"
        return self._assume_yes or click.confirm(question)

    def written(self, item: Item, entry: Entry) -> None:
        seal = f", sealed with key {entry.key_number}" if entry.key_number else ", unsealed"
        locked = ", locked" if entry.state == LOCKED else ""
        tag = f"{entry.chip} {entry.uid}{_GENUINE[entry.genuine]}"
        click.echo(f"\a  written: {tag}{seal}{locked}; take it away")

    def replaced(self, item: Item, old: Entry) -> None:
        click.echo(f"  {item.code} was tag {old.uid}: revoked, destroy that one")

    def failed(self, item: Item, reason: str) -> None:
        click.echo(f"\a\a  failed: {reason}. Lay {item.code} again, or another tag.")

    def two_tags(self) -> None:
        click.echo("  two tags lie there; one at a time")
