"""`schiri provision`: write the tags of a deck, tiles, badges; undo, lock, report, labels."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from host_tools.cards.decks import load_deck, load_deck_file
from host_tools.cards.keys import load_keys
from host_tools.cards.tag_items import Set, deck_items, linked, with_options
from host_tools.commands.options import (
    CommandReport,
    ask_password,
    echo_line,
    own_file,
    reports,
)
from host_tools.commands.tag import reader_options, tag_on
from host_tools.core import places
from host_tools.core.command_line import (
    BOARD,
    DECK,
    FILE,
    FOLDER,
    KEY,
    PORT_NUMBER,
    Switch,
    asked_language,
    command,
    group,
    never_with,
    only_with,
    output_option,
    shared_option,
    takes,
    together,
)
from host_tools.core.errors import Exit, Sentence, UserError, counted, recognised
from host_tools.core.texts import TAGS
from host_tools.games import GAMES
from host_tools.games.base import Game, TagBatch
from host_tools.games.options import card_options, deck_options, typed_choices
from host_tools.provision import items
from host_tools.provision.batch import Batch, WriteOptions, lock_written, record_of, undo
from host_tools.provision.chips import CHIPS
from host_tools.provision.console import Console
from host_tools.provision.ledger import FAILED, LedgerEntry, TagLedger
from host_tools.provision.phone import read_uids, write_files
from host_tools.provision.port import TagPort
from host_tools.provision.readers import open_reader

# for a tag that is not here: a seal depends on the UID, its length does not
_NO_UID = bytes(7)


_ONE_TAG = takes("reader", "port", "ledger")


def _batch_options(function: Callable[..., None]) -> Callable[..., None]:
    """A command that writes a batch: it takes all options of `schiri provision`."""
    every = (
        *("seal", "key", "lock", "genuine_only", "again", "only", "link", "link_first"),
        *("files", "uids", "dry_run", "yes"),
    )
    refusals = together(
        never_with("--files", "--reader", "--port", "--lock", "--genuine-only", "--yes"),
        never_with("--key", "--no-seal"),
        only_with("--uids", "--files"),
    )
    return refusals(takes(*every)(_ONE_TAG(function)))


_DECK_CARD = click.option(
    "--deck-card/--no-deck-card", cls=Switch, default=True, help="The deck card, on an NTAG215."
)


@group()
@reader_options(shared_option)
@shared_option(
    "--ledger",
    type=FILE,
    callback=own_file(places.tags),
    help="Which tag is which card; a batch goes on from it. Default: your own.",
)
@shared_option(
    "--seal/--no-seal", switch=True, default=True, show_default=True, help="Seal with the key."
)
@shared_option("--key", type=KEY, help="Name of the league key; default: the newest.")
@shared_option("--lock", is_flag=True, help="Make each tag read-only, for good.")
@shared_option("--genuine-only", is_flag=True, help="Refuse tags that NXP did not sign.")
@shared_option("--again", multiple=True, metavar="CODE", help="Write this card once more.")
@shared_option("--only", multiple=True, metavar="CODE", help="Write this card, and no other.")
@shared_option(
    "--link",
    default="",
    metavar="URL",
    help="What a phone opens; {code} stands for the card's code. Default: the deck's.",
)
@shared_option(
    "--link-first", is_flag=True, help="For Android: the link stands in front; slower to read."
)
@shared_option(
    "--files", type=FOLDER, help="No reader: write a file a tag into this folder, for phones."
)
@shared_option(
    "--uids",
    type=FILE,
    help="With --files: CSV with the columns code and uid; sealed files need it.",
)
@shared_option("--dry-run", is_flag=True, help="Only say what would be written.")
@shared_option("--yes", is_flag=True, help="Overwrite without asking.")
def provision() -> None:
    """Write tags in batches: decks, the cards of other games, badges, jury cards."""


def _rule_pairs(_context: object, _parameter: object, given: tuple[str, ...]) -> dict[str, str]:
    return typed_choices(given)


_OPTION_RULES = click.option(
    "--house-rule",
    "rules",
    multiple=True,
    metavar="NAME=CHOICE",
    callback=_rule_pairs,
    help="Laying the deck card or table card presets it on the box.",
)


@provision.command("deck")
@click.argument("deck", type=DECK)
@_DECK_CARD
@_OPTION_RULES
@_batch_options
def provision_deck(deck: str, deck_card: bool, rules: dict[str, str], **options: Any) -> None:
    """Write the cards of DECK, an id or a file, and its deck card.

    \b
    schiri provision deck berge --port /dev/ttyACM0
    schiri provision deck kneipe --house-rule tie_scope=tied
    """
    file = load_deck_file(deck)
    brought = deck_options(file, rules)
    # house rules stand on deck cards and table cards only: without one they would be lost
    if brought and not deck_card:
        raise UserError("option_no_card")
    assert file.deck is not None
    batch = deck_items(file.deck, deck_card)
    # the deck card is none of the file's cards, for which `links` has the addresses
    links = {"deck": file.link.replace("{code}", "deck"), **file.links}
    items = (replace(item, link=links.get(item.code, "")) for item in batch.items)
    batch = with_options(replace(batch, items=tuple(items)), brought)
    _run(batch, **options)


# not in the loop below: its functions would all have the last game
def _game_command(name: str, batch: TagBatch, game: Game) -> click.Command:
    @_batch_options
    def write(
        board: str | None = None, rules: dict[str, str] | None = None, **options: Any
    ) -> None:
        loaded = game.boards.load(board) if game.boards and board else None
        brought = card_options(game.name, batch.preset_of(loaded), rules or {})
        _run(with_options(batch.items(loaded), brought), **options)

    if batch.has_board:
        # its table cards are the only other tags on which house rules stand
        write = _OPTION_RULES(write)
        text = "The tables of this board instead, an id or a file."
        write = click.option("--board", type=BOARD, help=text)(write)
    write.__doc__ = f"{batch.help}\n\nschiri provision {name} --port /dev/ttyACM0\n"
    return command(name)(write)


for _game in GAMES.values():
    for _name, _batch in _game.batches.items():
        provision.add_command(_game_command(_name, _batch, _game))


@provision.command("badges")
@click.argument("players", type=FILE)
@click.option("--event", default="", help="Name or id of the tournament; others refuse the badge.")
@_batch_options
def provision_badges(players: Path, event: str, **options: Any) -> None:
    """Write a badge for every line of PLAYERS, a CSV with the columns id and name.

    schiri provision badges players.csv --event "Aarau 2026"
    """
    _run(items.badge_items(players, event), **options)


@provision.command("hall")
@click.argument("wifi")
@click.option("--broker", required=True, help="Address of the broker, numeric: 192.168.1.10.")
@click.option(
    "--broker-port", type=PORT_NUMBER, default=1883, show_default=True, help="The broker's port."
)
@click.option(
    "--password",
    # a command line is seen by everybody on this machine, and kept by the shell
    envvar="SCHIRI_WIFI_PASSWORD",
    help="Of the network; better in SCHIRI_WIFI_PASSWORD. Default: asked for.",
)
@_batch_options
def provision_hall(
    wifi: str, broker: str, broker_port: int, password: str | None, **options: Any
) -> None:
    """Write the tag that tells boxes their hall: lay it on each, press OK.

    schiri provision hall Boxes --broker 192.168.1.10
    """
    # the league key hides the password (FORMAT.md): without it no box could read the tag
    if not options["seal"]:
        raise UserError("hall_sealed")
    if password is None:
        password = ask_password()
    options = {**options, "again": ("hall",)}  # each time: a hall may have many tags
    _run(items.hall_item(wifi, password, broker, broker_port), **options)


@provision.command("jury")
@click.argument("names", nargs=-1, required=True)
@_batch_options
def provision_jury(names: tuple[str, ...], **options: Any) -> None:
    """Write a jury card for each of the NAMES. It opens the arbiter menu of a box.

    schiri provision jury "Frau Graf" --port /dev/ttyACM0
    """
    _run(items.jury_items(names), **options)


@provision.command("undo")
@_ONE_TAG
def undo_tag(**options: Any) -> None:
    """Lay a tag on that was written and not locked: it gets its old content back.

    schiri provision undo --port /dev/ttyACM0
    """
    _on_one_tag(undo, "taken_back", **options)


@provision.command("lock")
@_ONE_TAG
def lock_tag(**options: Any) -> None:
    """Lay a tag on that was written and not locked: it becomes read-only, for good.

    schiri provision lock --port /dev/ttyACM0
    """
    _on_one_tag(lock_written, "now_locked", **options)


@provision.command("report")
@click.argument(
    "ledger",
    required=False,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    callback=own_file(places.tags),
)
@reports
def report(ledger: Path) -> CommandReport[list[LedgerEntry]]:
    """List what the LEDGER knows: tags by set, and those that failed. Exit code 1 if any did.
    Without one, your own.

    schiri provision report
    """
    found = _reported(TagLedger(ledger))
    failed = sum(entry.state == FAILED for entry in found)
    error = counted("tag_failed", "tags_failed", failed)
    return CommandReport(found, map(_entry_line, found), error if failed else None)


def _entry_line(entry: LedgerEntry) -> str:
    if entry.state == FAILED:
        became = Sentence("ledger_failed", detail=recognised(entry.reason, "tag_"))
    else:
        became = Sentence(f"ledger_{entry.state}", name=entry.name)
    of = {"name": entry.set_key, "code": entry.code, "uid": entry.uid}
    return Sentence("ledger_row", **of, detail=became)


def _reported(book: TagLedger) -> list[LedgerEntry]:
    """The tags of each set, then those of it that failed."""
    found: list[LedgerEntry] = []
    for key in dict.fromkeys(entry.set_key for entry in book.entries):
        codes = dict.fromkeys(entry.code for entry in book.entries if entry.set_key == key)
        # of a card that was written twice its tag of now, of one that was undone none
        found += [entry for code in codes if (entry := book.of_item(key, code)) is not None]
        found += book.failures(key)
    return found


@provision.command("labels")
@click.argument("deck", type=DECK)
@output_option("The PDF file.", required=True)
@_DECK_CARD
@click.option("--ledger", type=FILE, help="Print the tags' UIDs from this ledger.")
@click.option("--own-ledger", "own", is_flag=True, help="The same, from your own.")
@never_with("--own-ledger", "--ledger")
def labels(deck: str, output: Path, deck_card: bool, ledger: Path | None, own: bool) -> None:
    """Write a sheet of labels for DECK as a PDF: code, name and QR code of each card.

    The ledger files a deck with and without its deck card as two sets: say what you said to
    `schiri provision deck DECK`.

    schiri provision labels my-deck.toml -o labels.pdf
    """
    from host_tools.print.labels import write_labels  # fpdf takes long to load

    batch = deck_items(load_deck(deck), deck_card)
    if own:
        ledger = ledger or places.tags()
    write_labels(batch, TagLedger(ledger) if ledger else None, output)
    echo_line(Sentence("labels_written", path=output, count=len(batch.items)))


def _run(
    batch_items: Set,
    *,
    reader: str,
    port: str | None,
    ledger: Path,
    seal: bool,
    key: str | None,
    lock: bool,
    genuine_only: bool,
    again: tuple[str, ...],
    only: tuple[str, ...],
    link: str,
    link_first: bool,
    files: Path | None,
    uids: Path | None,
    dry_run: bool,
    yes: bool,
) -> None:
    """With the options that all batches share."""
    lang = asked_language()
    sealing = load_keys().find(key) if seal else None
    if link:
        batch_items = linked(batch_items, link)
    codes = frozenset((*again, *only))
    unknown = codes - {item.code for item in batch_items.items}
    if unknown:
        raise UserError("again_unknown", code=min(unknown), title=batch_items.title)
    book = TagLedger(ledger)
    options = WriteOptions(sealing, lock, genuine_only, link_first, codes, bool(only))
    if dry_run:
        _say_plan(batch_items, book, options)
        return
    if files is not None:
        # --again narrows nothing here: files know no ledger, so all are made each time
        items = tuple(item for item in batch_items.items if item.code in codes or not only)
        known = read_uids(uids) if uids else {}
        made = write_files(replace(batch_items, items=items), options, files, known)
        sentence = TAGS[lang]["files_made"]
        click.echo(sentence.format(count=len(made), tags=len(items), path=files))
        return
    device = open_reader(reader, port)
    batch = Batch(device, batch_items, book, Console(yes, lang), options)
    try:
        written = batch.run()
    # a batch may be stopped at any tag: not 130, since the same command goes on from there
    except KeyboardInterrupt:
        raise UserError("batch_stopped", Exit.CHECK, count=batch.left(), path=ledger) from None
    finally:
        device.close()
    sentence = TAGS[lang]["batch_done"]
    click.echo(sentence.format(count=written, there=batch.there(), path=ledger))


def _say_plan(batch_items: Set, ledger: TagLedger, options: WriteOptions) -> None:
    """What a batch would write, without a reader."""
    for number, item in enumerate(batch_items.items, 1):
        # the longest that it gets: of the three only an NTAG213 has a lock control TLV
        length = len(record_of(item, _NO_UID, CHIPS[0], options))
        fits = (chip.name for chip in CHIPS if length <= chip.user_bytes)
        chip = next(fits, Sentence("plan_no_chip"))
        done = ledger.of_item(batch_items.key, item.code)
        sealed = "plan_sealed" if options.key else "plan_unsealed"
        plan = Sentence(sealed, count=length, detail=chip)
        state = Sentence("plan_is_tag", uid=done.uid) if done else plan
        place = f"[{number}/{len(batch_items.items)}] {item.code:5} {item.name}"
        click.echo(f"{place}: {state.said(asked_language())}")


def _on_one_tag(
    action: Callable[[TagPort, TagLedger, bytes], LedgerEntry],
    done: str,
    reader: str,
    port: str | None,
    ledger: Path,
) -> None:
    """`done`: the text that says it."""
    lang = asked_language()
    click.echo(TAGS[lang]["lay_tag"])
    with tag_on(reader, port) as (device, uid):
        entry = action(device, TagLedger(ledger), uid)
    click.echo(TAGS[lang][done].format(what=f"{entry.code} {entry.name}"))
