"""`schiri box update`: a new firmware into the slot that the box does not use, over our own link.

The box checks the whole by its hash, boots the new slot on trial and trusts it after some seconds;
a firmware that does not come up is given up by the box itself (firmware/app/slots.py). Every step
may be repeated: after a pulled cable the same command goes on where it was, after a power cut
anew.
"""

import base64
import contextlib
import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from firmware.app.link_frames import MAX_REQUEST
from host_tools.box.link import BoxLink, BoxRefusal, LinkLost
from host_tools.core.errors import Exit, UserError

# A frame holds the piece in base64 and some names: 3 of 4 bytes, less 256; whole pages of the
# flash.
PAGE = 256
PIECE = (MAX_REQUEST - 256) // 4 * 3 // PAGE * PAGE
COME_BACK_S = 60.0  # two boots of a trial and one of the old firmware, with room
ASK_AGAIN_S = 1.0

CHECK_S, CHECKS = 0.05, 400  # a signature takes a box half a second of its own time

REASONS = {
    *("in_match", "on_trial", "flash", "no_slots"),
    *("no_signature", "bad_signature", "old_version", "other_board"),
}
"""Why a box takes no update."""


@dataclass(frozen=True)
class UpdateOutcome:
    """What runs after an update. `came_up`: the new firmware does, and is trusted."""

    slot: str
    firmware: str
    came_up: bool


def send_slot(
    link: BoxLink,
    rom: bytes,
    progress: Callable[[int], None],
    signed: Callable[[dict[str, Any]], dict[str, str]] = lambda state: {},
) -> str:
    """Bring a firmware, a build's ROM, into the free slot and have it tried; returns that slot's
    name.

    `progress` is called with the bytes of every piece; `signed` gives the signature for a box
    that answered so to `update` (firmware/signature.py). Raises UserError.
    """
    sha256 = hashlib.sha256(rom).hexdigest()
    try:
        state = link.request("update")
        if len(rom) > state["room"] > 0:
            raise UserError("slot_no_room", Exit.CHECK, size=len(rom), room=state["room"])
        have = _begin(link, {"size": len(rom), "sha256": sha256, **signed(state)})
        progress(have)
        while have < len(rom):
            piece = rom[have : have + PIECE]
            data = base64.b64encode(piece).decode("ascii")
            link.request("update_data", offset=have, data=data)
            progress(len(piece))
            have += len(piece)
        # it restarts behind its answer, which may be lost; then it says how it went
        with contextlib.suppress(LinkLost):
            link.request("update_finish", sha256=sha256)
    except BoxRefusal as error:
        if error.reason in REASONS:
            raise UserError(f"update_{error.reason}", error.exit_code) from error
        raise
    return str(state["slot"])


def _begin(link: BoxLink, fields: dict[str, Any]) -> int:
    """Bytes that are there, once the box has checked the signature."""
    for _ in range(CHECKS):
        answer = link.request("update_begin", **fields)
        if "have" in answer:
            return int(answer["have"])
        time.sleep(CHECK_S)
    raise UserError("update_not_checked", Exit.SYSTEM)


def await_outcome(
    open_again: Callable[[], BoxLink], slot: str, clock: Any = time
) -> UpdateOutcome:
    """Wait until the box has decided about `slot`. Raises UserError if it does not come back."""
    end = clock.monotonic() + COME_BACK_S
    while clock.monotonic() < end:
        clock.sleep(ASK_AGAIN_S)
        outcome = _look(open_again, slot)
        if outcome is not None:
            return outcome
    raise UserError("update_not_back", Exit.SYSTEM)


def _look(open_again: Callable[[], BoxLink], slot: str) -> UpdateOutcome | None:
    """The outcome, or None while the box is away or still on trial."""
    try:
        with contextlib.closing(open_again()) as link:
            firmware = str(link.hello()["firmware"])
            state = link.request("update")
    except UserError:  # it restarts
        return None
    if state["trial"]:
        return None
    return UpdateOutcome(state["running"], firmware, state["running"] == slot == state["trusted"])
