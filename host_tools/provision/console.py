"""What a batch says in the terminal: one line per card, a bell for the ear."""

import click

from host_tools.cards.tag_items import Item
from host_tools.core.command_line import confirmed
from host_tools.core.errors import in_words
from host_tools.core.texts import TAGS
from host_tools.provision.ledger import LOCKED, LedgerEntry


class Console:
    """`News` for people, in their language. `assume_yes` answers every question with yes."""

    def __init__(self, assume_yes: bool = False, lang: str = "en") -> None:
        self._assume_yes = assume_yes
        self._lang = lang
        self._words = TAGS[lang]

    def prompt(self, number: int, count: int, item: Item) -> None:
        name = f" {item.name}" if item.name and item.name != item.code else ""
        lay = self._words["lay_card"]
        click.echo(f"[{number}/{count}] {item.code}{name} — {lay}")

    def same_tag(self, entry: LedgerEntry) -> None:
        sentence = self._words["same_tag"]
        click.echo("  " + sentence.format(what=f"{entry.code} {entry.name}"))

    def ask_overwrite(self, item: Item, holds: str) -> bool:
        said = in_words(holds, self._lang)
        question = self._words["overwrite"].format(holds=said, code=item.code)
        return self._assume_yes or confirmed("  " + question, self._lang)

    def written(self, item: Item, entry: LedgerEntry) -> None:
        words = self._words
        genuine = {True: "", False: words["not_by_nxp"], None: words["no_signature"]}
        number = entry.key_number
        parts = [
            f"{entry.chip} {entry.uid}",
            genuine[entry.genuine],
            words["sealed"].format(number=number) if number else words["unsealed"],
            words["locked"] if entry.state == LOCKED else "",
        ]
        sentence = words["written"].format(tag=", ".join(part for part in parts if part))
        click.echo("\a  " + sentence)

    def replaced(self, item: Item, old: LedgerEntry) -> None:
        sentence = self._words["replaced"]
        click.echo("  " + sentence.format(code=item.code, uid=old.uid))

    def failed(self, item: Item, reason: str) -> None:
        sentence = self._words["failed"]
        click.echo("\a\a  " + sentence.format(reason=in_words(reason, self._lang), code=item.code))

    def two_tags(self) -> None:
        click.echo("  " + self._words["two_tags"])
