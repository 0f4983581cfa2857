"""The last card of a match with eight seats, the result and its signature, in the chip's heap."""

import json
import random
from pathlib import Path

import pytest

from card_tags.p256 import finished
from firmware.app.flash import Flash
from firmware.app.own_key import OwnKey
from hardware.twin.session import TwinSession
from host_tools.cards.public_keys import EnrolledKey, SigningKey
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.verdict import vouched
from tests.twin.test_air import lay

from . import matches
from .conftest import PROGRAMS, WithProgram

BOOT_MS = 4_000
SIGNED_MS = 20_000
TURN_BYTES = 2 * 32_768  # firmware/app/signing.py; a whole number here takes twice a chip's words


@pytest.mark.parametrize("engine", ["chip", "chip-w"])
def test_a_match_is_signed_in_the_heap_of_the_chip(
    engine: str, with_program: WithProgram, storage: Path
) -> None:
    own = OwnKey(Flash(str(storage)))
    finished(own.making(random.Random(1).randbytes))
    own.enrol(SigningKey(bytes(31) + b"\x07").public)
    matches.lay_down(storage, "gastro", 0, whole=True)
    told = matches.commands_of("gastro", storage)
    (storage / "m000001.end").unlink()
    before_last = len(told) - 3  # two cards, and the result
    matches.lay_down(storage, "gastro", before_last)
    first, last = [json.loads(line)["card"] for line, _ in told[before_last:-1]]
    running = next(storage.glob("*.run"))
    end = running.with_suffix(".end")
    rom = with_program(PROGRAMS / "signed.py")
    with TwinSession(engine, storage, sources=rom, entry="firmware.signed:turns") as box:
        box.boot()
        box.run_for(BOOT_MS)
        box.press("ok")  # the news of the restart
        size = len(running.read_bytes())
        lay(box, first, 1, lambda: len(running.read_bytes()) > size)
        half = len(running.read_bytes())
        lay(box, last, 2, lambda: len(running.read_bytes()) > half)
        box.press("ok")  # who has won
        box.run_for(1_500)
        box.press("ok")  # the ranking
        assert box.run_until(end.exists, SIGNED_MS)
        assert box.resets == []
    key = EnrolledKey("", own.public, 0, "Ada")
    assert vouched(read_journal(end.read_bytes()), lambda _: (key,))
    turns = [line.split() for line in (storage / "signed.txt").read_text().splitlines()]
    taken = [int(took) for free, took in turns if int(free) > TURN_BYTES]
    print(f"\n{engine}: {len(turns)} turns, at most {max(taken)} bytes a turn")
    assert len(turns) > 5
    assert max(taken) < TURN_BYTES  # so none of them collects garbage half way
