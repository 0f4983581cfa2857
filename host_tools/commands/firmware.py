"""The command `schiri firmware`: build what runs on the box, and sign it."""

from pathlib import Path
from typing import TypedDict

import click
from rich.table import Table

from host_tools.box.firmware.build import ROM, Build, build, read_rom, temporary_build
from host_tools.box.firmware.image import (
    BOARDS,
    PicoBoard,
    board_of,
    image_name,
    interpreter_of,
    slot_of,
    write_image,
)
from host_tools.box.firmware.signature import signature_file, signature_of, written
from host_tools.cards.public_keys import fingerprint, load_desk_key
from host_tools.commands.options import CommandReport, reports
from host_tools.core.command_line import (
    FILE,
    FOLDER,
    asked_language,
    command,
    never_with,
    only_with,
    output_option,
)
from host_tools.core.errors import Sentence, UserError
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


@command()
@output_option("Folder for the result.", "build", folder=True)
@click.option(
    "--game",
    "folders",
    type=FOLDER,
    multiple=True,
    help="Folder of a game that is not built in; as `schiri --game-path FOLDER`.",
)
@click.option(
    "--like",
    type=FILE,
    help="Write a UF2 file for a first flash, with the MicroPython of this one: a file of ours for"
    " that board, of a release or of `make image`.",
)
@click.option("--board", "name", default="", help=f"With --like, the Pico: {', '.join(BOARDS)}.")
@click.option(
    "--sign",
    type=FILE,
    help="Only sign this box.romfs with this laptop's key, into a file beside it.",
)
@reports
@only_with("--board", "--like")
@never_with("--sign", "--output", "--game", "--like")
def firmware(
    output: Path, folders: tuple[Path, ...], like: Path | None, name: str, sign: Path | None
) -> CommandReport[BuiltFirmware] | CommandReport[Image] | CommandReport[SignedFirmware]:
    """Compile the box's firmware: `schiri box update --from build/box.romfs` brings it to a box.

    A signed file is taken by boxes that this laptop has enrolled, and by those whose firmware
    names its key as that of releases, also from other laptops. A UF2 file is for a firmware with
    games of your own: hold BOOTSEL, plug in, drag it onto the drive. Whatever is on the Pico is
    lost.

    \b
    schiri firmware
    schiri firmware --game examples/doubt
    schiri firmware --sign build/box.romfs
    schiri firmware --board RPI_PICO2_W --like schiri-0.1.0-RPI_PICO2_W.uf2
    """
    for folder in folders:
        add_game(folder)
    if sign is not None:
        return _signed(sign)
    if like is not None:
        return _image(output, board_of(name), like)
    built = build(output, firmware_sources())
    slot_of(built.rom, BOARDS["RPI_PICO"])  # refuses more than fits: a slot is as large on each
    data: BuiltFirmware = {"rom": len(built.rom), "rooms": built.by_room()}
    return CommandReport(data, [size_table(built, asked_language())])


def _image(output: Path, board: PicoBoard, like: Path) -> CommandReport[Image]:
    interpreter = interpreter_of(like, board)
    with temporary_build(firmware_sources()) as built:
        path = output / image_name(built, board)
        write_image(built, board, interpreter, path)
    size = path.stat().st_size
    data: Image = {"file": str(path), "board": board.name, "bytes": size}
    said = Sentence("image_written", path=path, size=f"{size:,}", board=board.name)
    return CommandReport(data, [said])


def _signed(file: Path) -> CommandReport[SignedFirmware]:
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
