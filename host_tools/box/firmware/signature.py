"""Who answers for a firmware: a box that knows a key takes an update only with its signature
(firmware/app/update_check.py), of this laptop or from a file beside the firmware.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from firmware.app.update_check import NO_NEWER
from host_tools.box.firmware.build import ABOUT, sha256_of
from host_tools.cards.public_keys import SigningKey
from host_tools.core.errors import Exit, UserError

ENDING = ".sig"
PURPOSE = "firmware"
_ABOUT = re.compile(ABOUT.format(board="([a-z0-9-]+)", version=r"([0-9]+(?:\.[0-9]+)+)").encode())


def announced(rom: bytes, replaces: str = NO_NEWER) -> str:
    """What is signed of a build's ROM. `replaces`: the newer firmware that it may replace. Raises
    UserError for a ROM that does not say what it is.
    """
    found = _ABOUT.findall(rom)
    # a second one would leave open which board and version are signed
    if len(found) != 1:
        raise UserError("rom_no_version", Exit.CHECK)
    board, version = (word.decode("ascii") for word in found[0])
    return f"{board} {version} {replaces} {sha256_of(rom)}"


def signature_of(rom: bytes, desk: SigningKey, replaces: str = NO_NEWER) -> dict[str, str]:
    """The fields of `update_begin` that say who answers for this firmware."""
    text = announced(rom, replaces)
    return {"firmware": text, "sig": desk.sign(PURPOSE, text.encode()).hex()}


def fields_for(
    state: Mapping[str, object],
    rom: bytes,
    desk: SigningKey | None,
    beside: Path | None = None,
    older: bool = False,
) -> dict[str, str]:
    """The same for a box that answered `state` to `update`; none for one that takes any firmware.
    `beside`: the file of the firmware, which may have a signature. `older`: it may replace a newer
    one. Raises UserError.
    """
    signers = state["signers"]
    if not signers or not isinstance(signers, list):
        return {}
    if desk is not None and desk.id in signers:
        # for this very build: else an old firmware with a hole would be good for ever
        return signature_of(rom, desk, str(state["build"]) if older else NO_NEWER)
    if beside is not None and (path := signature_file(beside)).is_file():
        return read_signature(path)
    raise UserError("update_other_desk", Exit.CHECK, name=signers[0])


def signature_file(rom: Path) -> Path:
    """Where the signature of a firmware lies."""
    return rom.with_name(rom.name + ENDING)


def written(fields: Mapping[str, str]) -> bytes:
    """A signature as a file: what was signed, and the signature."""
    return "".join(f"{fields[name]}\n" for name in ("firmware", "sig")).encode()


def read_signature(path: Path) -> dict[str, str]:
    """A signature from its file. Raises UserError."""
    try:
        text, signature = path.read_text("utf8").splitlines()
        bytes.fromhex(signature)
    except (OSError, ValueError) as error:
        raise UserError("signature_unreadable", path=path) from error
    return {"firmware": text, "sig": signature}
