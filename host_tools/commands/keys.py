"""`schiri keys`: make, show, choose, retire and hand on league keys; the desk's own key, and the
list of all public keys.
"""

from contextlib import closing
from pathlib import Path
from typing import TypedDict

import click

from host_tools.cards.keys import KeyRing, load_keys, new_key, save_keys
from host_tools.cards.public_keys import fingerprint, load_desk_key, make_desk_key, read_list
from host_tools.commands.options import DB, CommandReport, echo_line, reports
from host_tools.core import places
from host_tools.core.command_line import (
    FILE,
    FOLDER,
    KEY,
    asked_language,
    confirmed,
    group,
    never_with,
    output_option,
)
from host_tools.core.errors import Sentence, UserError
from host_tools.core.own_files import write_folder, write_output, written_below
from host_tools.store import open_store


class DeskKey(TypedDict):
    league: str
    id: str
    public: str
    file: str


class ListedKey(TypedDict):
    number: int
    name: str
    current: bool
    retired: bool


@group()
@click.option(
    "--file",
    "path",
    type=FILE,
    help="The key file; default: $SCHIRI_KEYS, else the user's configuration folder.",
)
@click.pass_context
def keys(context: click.Context, path: Path | None) -> None:
    """Make, show, choose, retire and hand on league keys."""
    context.obj = path or places.keys()


@keys.command("new")
@click.argument("name")
@click.pass_obj
def make_key(path: Path, name: str) -> None:
    """Make a key called NAME; new cards are sealed with it, old ones stay valid.

    schiri keys new league-2026
    """
    ring = load_keys(path)
    key = new_key(ring, name)
    save_keys(ring, path)
    echo_line(Sentence("key_made", name=key.name, number=key.number, path=path))


@keys.command("show")
@click.pass_obj
@reports
def show_keys(path: Path) -> CommandReport[list[ListedKey]]:
    """List names and numbers; the keys themselves are not shown.

    schiri keys show
    """
    ring = load_keys(path)
    found: list[ListedKey] = [
        {
            "number": key.number,
            "name": key.name,
            "current": key is ring.sealing,
            "retired": key.retired,
        }
        for key in ring.keys
    ]
    lines = [
        Sentence("key_line", number=key["number"], name=key["name"], detail=_mark(key))
        for key in found
    ]
    return CommandReport(found, lines or [Sentence("keys_none", path=path)])


def _mark(key: ListedKey) -> str:
    if key["current"]:
        return Sentence("key_seals_new")
    return Sentence("key_is_retired") if key["retired"] else ""


@keys.command("use")
@click.argument("name", type=KEY)
@click.pass_obj
def use_key(path: Path, name: str) -> None:
    """Seal new cards with the key NAME from now on; a retired one comes back.

    schiri keys use league-2026
    """
    ring = load_keys(path)
    key = ring.choose(name)
    save_keys(ring, path)
    echo_line(Sentence("key_in_use", name=key.name, number=key.number))


@keys.command("retire")
@click.argument("name", type=KEY)
@click.pass_obj
def retire_key(path: Path, name: str) -> None:
    """Seal nothing more with the key NAME; what it has sealed stays valid.

    schiri keys retire league-2025
    """
    ring = load_keys(path)
    key = ring.retire(name)
    save_keys(ring, path)
    echo_line(Sentence("key_retired", name=key.name, number=key.number))


@keys.command("remove")
@click.argument("name", type=KEY)
@click.option("--sure", is_flag=True, help="Do not ask: it cannot be undone without a backup.")
@click.pass_obj
def remove_key(path: Path, name: str, sure: bool) -> None:
    """Forget the key NAME: its cards count as unsealed.

    schiri keys remove try-out --sure
    """
    ring = load_keys(path)
    # in memory only; an unknown name is refused before anything is asked
    key = ring.remove(name)
    if not sure:
        echo_line(Sentence("key_forget", name=key.name))
        lang = asked_language()
        if not confirmed(Sentence("key_forget_sure").said(lang), lang):
            raise click.Abort
    save_keys(ring, path)
    echo_line(Sentence("key_gone", name=key.name, number=key.number))


@keys.command("export")
@output_option("The file; one that is there is left alone.", required=True)
@click.option("--name", type=KEY, help="Only this key; default: the newest.")
@click.pass_obj
def export_key(path: Path, output: Path, name: str | None) -> None:
    """Write one key to a file (mode 600) for another desk; who has it can seal cards.

    schiri keys export -o league.key
    """
    # `save_keys` replaces what is there: it might be the key file itself
    if output.exists():
        raise UserError("file_exists", path=output)
    key = load_keys(path).find(name)
    save_keys(KeyRing([key]), output)
    echo_line(Sentence("key_exported", name=key.name, path=output))


@keys.command("import")
@click.argument("source", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.pass_obj
def import_key(path: Path, source: Path) -> None:
    """Add the keys of an exported file; the last one seals new cards.

    schiri keys import league.key
    """
    ring = load_keys(path)
    added = load_keys(source).keys
    # saved after the loop: a name or number that is there already leaves the file as it was
    for key in added:
        ring.add(key)
    save_keys(ring, path)
    for key in added:
        echo_line(Sentence("key_added", name=key.name, number=key.number))


@keys.command("desk")
@click.option("--league", help="What the league is called, for the list that everybody may read.")
@click.option("--new", is_flag=True, help="Make another one: the old one was revoked or is lost.")
@DB
@reports
def desk_key(league: str | None, new: bool, db: str | None) -> CommandReport[DeskKey]:
    """The key with which this desk signs, made if there is none: its fingerprint, for people to
    compare. Boxes learn it with `schiri box enrol`.

    schiri keys desk --league 'Quartet league'
    """
    with closing(open_store(db)) as store:
        # inside the store: no key is made that no database could enrol
        key = None if new else load_desk_key()
        from host_tools.store.enrolled import LEAGUE

        if key is None or (league is not None and league != key.name):
            # a key that is there keeps its secret and gets the name: boxes know it by its id
            make_desk_key(league or LEAGUE, None if key is None else key)
        # refuses one that was revoked, and puts it into the list
        key = store.enrolled.desk()
    path = places.desk_key()
    data: DeskKey = {
        "league": key.name,
        "id": key.id,
        "public": key.public.hex(),
        "file": str(path),
    }
    named = {"league": key.name, "fingerprint": fingerprint(key.public), "path": path}
    return CommandReport(data, [Sentence("desk_key_is", **named)])


@keys.command("publish")
@output_option("The list alone, keys.json.")
@click.option(
    "--folder",
    type=FOLDER,
    help="The list, and the page that checks with it: what stands at /verify of your web space.",
)
@DB
@never_with("--output", "--folder")
def publish_keys(output: Path | None, folder: Path | None, db: str | None) -> None:
    """Write the list of all public keys, signed by this desk, for any web space: with it anybody
    can check results. A desk serves the same as /keys.json, and the page as /verify.

    \b
    schiri keys publish -o keys.json
    schiri keys publish --folder verify
    """
    # `reads`: the list of a mistyped database would be signed, and lack every box
    with closing(open_store(db, reads=True)) as store:
        data = store.enrolled.published()
    if folder is not None:
        from host_tools.web.desk.rendering import verify_files  # takes its time to load

        with written_below(folder):
            write_folder(folder, verify_files(data, read_list(data).league, asked_language()))
    elif output is not None:
        write_output(output, data)
    else:
        raise UserError("publish_where")
    echo_line(Sentence("print_written", path=folder or output))
