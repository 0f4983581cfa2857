"""`make image`: MicroPython for a box, built from its own unmodified sources with the board
definition in firmware/port, and a first flash of it for every board.

    build/interpreters/RPI_PICO….bin    MicroPython with the loader; for `schiri firmware`
    build/schiri-0.1.0-RPI_PICO….uf2    it, the firmware and an empty file system: one drag

It needs arm-none-eabi-gcc with newlib, cmake, make and a compiler of this machine's own (Debian:
gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make g++), and
MicroPython's sources: a folder with the tag checked out, or a network. The same bytes come out in
whatever folder it is built.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from shutil import rmtree, which

from host_tools.box.firmware.build import (
    BOX_FOLDER,
    Build,
    build,
    compiled,
    find_mpy_cross,
    last_line,
)
from host_tools.box.firmware.image import BOARDS, INTERPRETERS, PicoBoard, image_name, write_image
from host_tools.commands.doctor import BRING_COMPILERS, COMPILERS
from host_tools.core.errors import Exit, UserError

ROOT = Path(__file__).resolve().parents[1]
PORT = ROOT / "firmware" / "port"
TAG = "v1.28.0"
SOURCES = "https://github.com/micropython/micropython"
_COUNT_AT = 4  # in a .mpy file: how many names it has
LIBRARIES = ("cyw43-driver", "lwip", "mbedtls", "micropython-lib", "pico-sdk", "tinyusb")


def main() -> None:
    """Build it. One sentence on stderr and an exit code if something does not go."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("micropython", nargs="?", default="", help=f"its sources, at {TAG}")
    parser.add_argument("--out", type=Path, default=ROOT / "build")
    parser.add_argument("--board", action="append", choices=sorted(BOARDS), help="default: all")
    asked = parser.parse_args()
    try:
        for path in images(asked.out, asked.micropython, asked.board or list(BOARDS)):
            print(path)
    except UserError as error:
        print(f"image: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def images(out: Path, micropython: str, boards: list[str]) -> list[Path]:
    """The images that were made. Raises UserError."""
    missing = [program for program in COMPILERS if which(program) is None]
    if missing:
        raise UserError(
            "image_no_tools", Exit.SYSTEM, programs=", ".join(missing), mend=BRING_COMPILERS
        )
    out = out.resolve()
    sources = Path(micropython).resolve() if micropython else _cloned(out / "micropython")
    check_sources(sources)
    built = build(out)
    made = []
    for name in boards:
        interpreter = build_interpreter(sources, BOARDS[name], built, out)
        made.append(out / image_name(built, BOARDS[name]))
        write_image(built, BOARDS[name], interpreter, made[-1])
    return made


def check_sources(folder: Path) -> None:
    """UserError unless they are MicroPython's at the tag, as they were published."""
    if not (folder / "ports/rp2").is_dir():
        raise UserError("image_no_sources", Exit.INPUT, folder=folder, tag=TAG)
    tag = _git(folder, "describe", "--tags", "--dirty", "--always", "--match", "v*")
    if tag.returncode != 0 or tag.stdout.strip() != TAG:
        raise UserError(
            "image_other_sources", Exit.INPUT, folder=folder, tag=TAG, found=tag.stdout.strip()
        )
    for name in LIBRARIES:
        if not any((folder / "lib" / name).iterdir()):
            raise UserError("image_no_library", Exit.INPUT, folder=folder, name=name)


def build_interpreter(sources: Path, board: PicoBoard, built: Build, out: Path) -> bytes:
    """MicroPython for a board. Raises UserError with the compiler's last word."""
    work = out / "interpreter" / board.name
    rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    write_names(built, work)
    date = _git(sources, "log", "-1", "--format=%ct").stdout.strip()
    environment = {**os.environ, "SOURCE_DATE_EPOCH": date, "SCHIRI_NAMES": str(work)}
    sizes = {"SCHIRI_SLOTS_BYTES": board.slots, "SCHIRI_STORAGE_BYTES": board.storage}
    options = {
        "MICROPY_BOARD": board.name,
        "MICROPY_BOARD_DIR": PORT,
        "PICO_NO_PICOTOOL": 1,  # it writes UF2 files; we have our own
        **sizes,
    }
    words = [f"-D{name}={value}" for name, value in options.items()]
    _run(["make", "-C", sources / "mpy-cross"], environment)
    _run(["cmake", "-S", sources / "ports/rp2", "-B", work, *words], environment)
    _run(["cmake", "--build", work, "-j", str(os.cpu_count())], environment)
    interpreter = next(work.glob("firmware*.bin")).read_bytes()
    kept = out / INTERPRETERS / f"{board.name}.bin"
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(interpreter)
    return interpreter


def write_names(built: Build, folder: Path) -> None:
    """A module without code that has every name of the firmware: frozen, it gives MicroPython all
    of them sorted and in flash. Names of a later firmware are kept on the heap, as usual.
    """
    code = [file.path for file in built.files if file.path.endswith(".mpy")]
    box = built.folder / BOX_FOLDER
    names = {name for path in code for name in names_in((box / path).read_bytes())}
    empty = compiled(find_mpy_cross(), "names.py", "")
    (folder / "names.mpy").write_bytes(with_names(empty, sorted(names)))


def names_in(mpy: bytes) -> set[str]:
    """The names that a .mpy file brings along: those that every MicroPython has are numbers."""
    return {name for name in _table(mpy)[0] if name}


def with_names(mpy: bytes, names: list[str]) -> bytes:
    """A .mpy file with these names behind its own."""
    own, begin, end = _table(mpy)
    raw = [name.encode() for name in names]
    more = b"".join(_number(2 * len(name)) + name + b"\0" for name in raw)
    return mpy[:_COUNT_AT] + _number(len(own) + len(raw)) + mpy[begin:end] + more + mpy[end:]


def _table(mpy: bytes) -> tuple[list[str], int, int]:
    """The names in a .mpy file (docs.micropython.org, .mpy files), "" for a number; where their
    count ends, and where they do.
    """
    at = _COUNT_AT

    def number() -> int:
        nonlocal at
        value = 0
        while True:
            byte = mpy[at]
            at += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    count = number()
    begin = at
    number()  # of constants
    names = []
    for _ in range(count):
        size = number()
        names.append("" if size & 1 else mpy[at : at + size // 2].decode())
        at += 0 if size & 1 else size // 2 + 1
    return names, begin, at


def _number(value: int) -> bytes:
    """As such a file has it: seven bits a byte, high ones first."""
    head = b"" if value < 0x80 else bytes(0x80 | byte for byte in _number(value >> 7))
    return head + bytes((value & 0x7F,))


def _cloned(folder: Path) -> Path:
    """MicroPython at the tag with the libraries that its port for the RP2 needs."""
    if not folder.exists():
        _run(["git", "clone", "-q", "--depth", "1", "--branch", TAG, SOURCES, folder], None)
        libraries = [f"lib/{name}" for name in LIBRARIES]
        words = ["submodule", "update", "-q", "--init", "--depth", "1", *libraries]
        _run(["git", "-C", folder, *words], None)
    return folder


def _git(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["git", "-C", folder, *words], capture_output=True, text=True, check=False
    )


def _run(words: "list[str | Path]", environment: "dict[str, str] | None") -> None:
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        step = " ".join(map(str, words[:2]))
        raise UserError(
            "image_not_built", Exit.CHECK, step=step, detail=_fault(done.stderr or done.stdout)
        )


def _fault(output: str) -> str:
    """The first line that names an error, else the last one."""
    errors = [line for line in output.splitlines() if "error" in line.lower()]
    return errors[0].strip() if errors else last_line(output)


if __name__ == "__main__":
    main()
