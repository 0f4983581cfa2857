"""`schiri firmware`: build what runs on the box, and sign it."""

from pathlib import Path
from typing import TypedDict

import click
from rich.console import Console
from rich.table import Table

from host_tools.box.firmware.build import ROM, Build, build, read_rom, temporary_build
from host_tools.box.firmware.image import (
    BOARDS,
    board_of,
    image_name,
    interpreter_of,
    slot_of,
    write_image,
)
from host_tools.box.firmware.signature import signature_file, signature_of, written
from host_tools.cards.public_keys import fingerprint, load_desk_key
from host_tools.commands.options import CommandReport, echo_json, prints, reports
from host_tools.core.command_line import FILE, FOLDER, asked_language, json_option, output_option
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.own_files import write_output
from host_tools.games import add_game
from host_tools.games.loading import firmware_sources


class BuiltFirmware(TypedDict):
    rom: int
    rooms: dict[str, int]


class Image(TypedDict):
    file: str
    board: str
    bytes: int


class SignedFirmware(TypedDict):
    file: str
    firmware: str
    public: str


@click.group()
def firmware() -> None:
    """Build the box's firmware."""


OUT = output_option("Folder for the result.", "build", folder=True)


@firmware.command("build")
@OUT
@click.option(
    "--game",
    "folders",
    type=FOLDER,
    multiple=True,
    help="Folder of a game that is not built in; as `schiri --game-path FOLDER`.",
)
@json_option("Print the sizes as JSON.")
@prints(BuiltFirmware)
def build_command(output: Path, folders: tuple[Path, ...], as_json: bool) -> None:
    """Compile the firmware: `schiri box update --from build/box.romfs` brings it.

    \b
    schiri firmware build
    schiri firmware build --game examples/doubt
    """
    for folder in folders:
        add_game(folder)
    built = build(output, firmware_sources())
    slot_of(built.rom, BOARDS["RPI_PICO"])  # refuses more than fits: a slot is as large on each
    if as_json:
        echo_json({"rom": len(built.rom), "rooms": built.by_room()})
        return
    Console().print(size_table(built, asked_language()))


@firmware.command("image")
@click.option("--board", "name", default="", help=f"The Pico: {', '.join(BOARDS)}.")
@click.option(
    "--like",
    type=FILE,
    help="A UF2 file of ours for that board, for its MicroPython: of a release, or `make image`.",
)
@OUT
@reports
def image_command(name: str, like: Path | None, output: Path) -> CommandReport[Image]:
    """Write a UF2 file that is a first flash: hold BOOTSEL, plug in, drag it onto the drive.

    For a firmware with games of your own; those that are built in have their files in every
    release. Whatever is on the Pico is lost.

    schiri firmware image --board RPI_PICO2_W --like schiri-0.1.0-RPI_PICO2_W.uf2
    """
    board = board_of(name)
    if like is None:
        raise UserError("image_like_what", Exit.INPUT, board=board.name)
    interpreter = interpreter_of(like, board)
    with temporary_build(firmware_sources()) as built:
        path = output / image_name(built, board)
        write_image(built, board, interpreter, path)
    size = path.stat().st_size
    data: Image = {"file": str(path), "board": board.name, "bytes": size}
    said = Sentence("image_written", path=path, size=f"{size:,}", board=board.name)
    return CommandReport(data, [said])


@firmware.command("sign")
@click.argument("file", type=FILE)
@reports
def sign_command(file: Path) -> CommandReport[SignedFirmware]:
    """Sign a FILE of `schiri firmware build` with this laptop's key, into a file beside it.

    Boxes that this laptop has enrolled, and those whose firmware names its key as that of
    releases, take it then from every laptop: `schiri box update --from FILE`.

    schiri firmware sign build/box.romfs
    """
    desk = load_desk_key()
    if desk is None:
        raise UserError("sign_no_key")
    fields = signature_of(read_rom(file), desk)
    path = signature_file(file)
    write_output(path, written(fields))
    data: SignedFirmware = {
        "file": str(path),
        "firmware": fields["firmware"],
        "public": desk.public.hex(),
    }
    sentence = Sentence("firmware_signed", path=path, fingerprint=fingerprint(desk.public))
    return CommandReport(data, [sentence])


def size_table(built: Build, lang: str) -> Table:
    """Bytes by room, and the whole against the room of a slot."""
    table = Table(title=str(built.folder / ROM))
    table.add_column(Sentence("firmware_folder").said(lang))
    table.add_column(Sentence("firmware_bytes").said(lang), justify="right")
    for room, size in sorted(built.by_room().items()):
        table.add_row(room, f"{size:,}")
    table.add_section()
    files = Sentence("firmware_files", count=len(built.files))
    table.add_row(files.said(lang), f"{len(built.rom):,}")
    table.add_row(Sentence("firmware_slot").said(lang), f"{BOARDS['RPI_PICO'].room:,}")
    return table
