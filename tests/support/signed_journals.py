"""Journals and slips as a box with a key of its own writes them."""

import json
from collections.abc import Mapping

from card_tags import codec
from card_tags.kinds import Slip, SlipSeat
from card_tags.slip import signed_payload
from firmware.app.flash import Flash
from firmware.app.link_frames import read_record, write_record
from host_tools.cards.check_links import SLIP, SignedClaim, slip_claim
from host_tools.cards.public_keys import SigningKey
from tests.support.memory_box import MemoryBox, play


def played(folder: str, box: str = "b0c5", number: int = 1) -> bytes:
    """The match `number` of a box that has no key."""
    made = MemoryBox(Flash(folder), box)
    for _ in range(number):
        play(made.journal)
    name = f"m{number:06}.end"
    with open(f"{folder}/{name}", "rb") as file:
        return file.read()


def signed(raw: bytes, key: SigningKey, **changes: object) -> bytes:
    """The same with the box's own signature in its seal, and `changes` to that."""
    lines = raw.splitlines(keepends=True)
    before = read_record(lines[-2].rstrip())
    assert before is not None
    count = before.seq + 1
    signature = key.sign("journal", before.chain + count.to_bytes(4))
    seal = {"count": count, "head": before.chain.hex(), "id": key.id, "sig": signature.hex()}
    return b"".join(lines[:-1]) + sealed(before.chain, count, {**seal, **changes})


def sealed(chain: bytes, count: int, seal: Mapping[str, object]) -> bytes:
    """The record of a seal."""
    return write_record(chain, count, json.dumps({"seal": seal}))[0]


def a_slip(key: SigningKey) -> SignedClaim:
    """A slip that a box has signed."""
    seats = (SlipSeat("Ayşe", 20, 2, 1), SlipSeat("Björn", 12, 0, 2))
    slip = Slip("12-0a1b2c3d", "", "trumpf", "7", "all_cards", 481, bytes(range(32)), seats)
    covered = codec.covered_bytes("s", slip, bytes.fromhex(key.id)[0])
    uid = bytes.fromhex("04a1b2c3d4e5f6")
    signature = key.sign(SLIP, signed_payload(uid, covered))
    return slip_claim(key.id, uid, covered, signature)
