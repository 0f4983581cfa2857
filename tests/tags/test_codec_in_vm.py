"""The codec says the same, byte by byte, on CPython and in the MicroPython VM."""

import random
from pathlib import Path

import pytest
import vm_main
from tag_examples import EXAMPLES, sealed, unsealed

from card_tags import codec
from hardware.twin.node import ROOT
from host_tools.replay.engine.session import VmSession

FILES = [("/" + str(path.relative_to(ROOT)), path) for path in sorted(ROOT.glob("card_tags/*.py"))]


def lines() -> list[str]:
    """Whole tags, tags with one flipped byte, and noise behind a valid head."""
    dice = random.Random(2)
    found = []
    for kind, content in EXAMPLES:
        for tag in (unsealed(kind, content), sealed(kind, content)):
            data = codec.encode(tag)
            found.append(data.hex())
            for _ in range(20):
                changed = bytearray(data)
                changed[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
                found.append(changed.hex())
    for _ in range(100):
        body = dice.randbytes(dice.randrange(30))
        found.append((b"\x03" + bytes([9 + len(body)]) + b"\xd4\x05" + body).hex())
    return found


@pytest.mark.vm
def test_both_interpreters_read_and_write_the_same_bytes() -> None:
    questions = lines()
    expected = [vm_main.answer(line) for line in questions]
    with VmSession(Path(vm_main.__file__), FILES) as session:
        assert list(session.talk(questions)) == expected
