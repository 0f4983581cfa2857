"""`schiri box update`: a new firmware into the slot that the box does not use, over our own link.

The box checks every file by its hash, boots the new slot on trial and trusts it after some
seconds; a firmware that does not come up is given up by the box itself (firmware/app/slots.py).
Every step may be repeated: after a pulled cable or a power cut the same command goes on with what
is missing.
"""

import base64
import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware.app.link_frames import MAX_REQUEST
from firmware.app.slots import LIST
from host_tools.box.firmware.build import AIR, without_air
from host_tools.box.link import BoxLink, LinkLost, RequestError
from host_tools.core.errors import UserError

# A frame holds the piece in base64, the path and some names: 3 of 4 bytes, less 256.
PIECE = (MAX_REQUEST - 256) // 4 * 3
COME_BACK_S = 60.0  # two boots of a trial and one of the old firmware, with room
ASK_AGAIN_S = 1.0

REASONS = {"in_match", "on_trial", "flash", "unknown_request"}
"""Why a box takes no update."""


@dataclass(frozen=True)
class Parcel:
    """One file for the slot."""

    path: str
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """What runs after an update. `came_up`: the new firmware does, and is trusted."""

    slot: str
    firmware: str
    came_up: bool


def read_slot(folder: Path) -> list[Parcel]:
    """The files of a built slot, its list last. Raises UserError if one is not as listed."""
    try:
        listed = (folder / LIST).read_bytes()
        rows = [line.split(" ") for line in listed.decode("ascii").splitlines()]
        parcels = [Parcel(path, (folder / path).read_bytes()) for _, _, path in rows]
    except (OSError, ValueError) as error:
        raise UserError("slot_not_whole", path=folder) from error
    for parcel, (sha256, size, _) in zip(parcels, rows, strict=True):
        if (parcel.sha256, str(len(parcel.data))) != (sha256, size):
            raise UserError("slot_damaged", path=folder / parcel.path)
    return [*parcels, Parcel(LIST, listed)]


def for_box(link: BoxLink, parcels: list[Parcel]) -> list[Parcel]:
    """A board without a radio gets none of what only a radio needs; a firmware that is too old to
    tell gets all.
    """
    try:
        if link.request("hall")["hall"]["radio"]:
            return parcels
    except RequestError:
        return parcels
    *files, listing = parcels
    kept = [parcel for parcel in files if parcel.path not in AIR]
    return [*kept, Parcel(LIST, without_air(listing.data))]


def send_slot(link: BoxLink, parcels: list[Parcel], progress: Callable[[int], None]) -> str:
    """Bring the files into the free slot and have it tried; returns that slot's name.

    `progress` is called with the bytes of every piece. Raises UserError.
    """
    try:
        slot = str(link.request("update")["slot"])
        for parcel in parcels:
            _send_file(link, parcel, progress)
        _finish(link, parcels[-1])
    except RequestError as error:
        if error.reason in REASONS:
            raise UserError(f"update_{error.reason}", error.exit_code) from error
        raise
    return slot


def _send_file(link: BoxLink, parcel: Parcel, progress: Callable[[int], None]) -> None:
    size = len(parcel.data)
    asked = {"path": parcel.path, "size": size, "sha256": parcel.sha256}
    have = int(link.request("update_file", **asked)["have"])
    progress(have)
    while have < size:
        piece = parcel.data[have : have + PIECE]
        data = base64.b64encode(piece).decode("ascii")
        link.request("update_data", path=parcel.path, offset=have, data=data)
        progress(len(piece))
        have += len(piece)


def _finish(link: BoxLink, listing: Parcel) -> None:
    with contextlib.suppress(LinkLost):  # it restarts behind its answer; then it says how it went
        link.request("update_finish", sha256=listing.sha256)


def await_outcome(open_again: Callable[[], BoxLink], slot: str, clock: Any = time) -> Outcome:
    """Wait until the box has decided about `slot`. Raises UserError if it does not come back."""
    end = clock.monotonic() + COME_BACK_S
    while clock.monotonic() < end:
        clock.sleep(ASK_AGAIN_S)
        outcome = _look(open_again, slot)
        if outcome is not None:
            return outcome
    raise UserError("update_not_back", 3)


def _look(open_again: Callable[[], BoxLink], slot: str) -> Outcome | None:
    """The outcome, or None while the box is away or still on trial."""
    try:
        link = open_again()
    except UserError:
        return None
    try:
        firmware = str(link.hello()["firmware"])
        state = link.request("update")
    except UserError:
        return None
    finally:
        link.close()
    if state["trial"]:
        return None
    return Outcome(state["running"], firmware, state["running"] == slot == state["trusted"])
