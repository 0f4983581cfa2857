"""FORMAT.md says what the code does: its worked example and its list of reasons."""

import re
from pathlib import Path

import card_tags
from card_tags import codec, kinds, seal
from tests.tags.tag_examples import REASONS

PAGE = (Path(card_tags.__file__).parent / "FORMAT.md").read_text(encoding="utf8")
UID = bytes.fromhex("04A1B2C3D4E5F6")


def test_the_worked_example() -> None:
    line = next(line for line in PAGE.splitlines() if line.startswith("01 03") and "42 33" in line)
    data = bytes.fromhex(line.replace("|", ""))
    tag = codec.decode(data)
    seal.verify(tag, UID, {0x11: bytes(range(32))})
    assert tag.content == kinds.Card(0x0088, "B3", False, (2970, None, None, 466, 78, 1))
    assert codec.encode(tag) == data


def test_every_kind_and_reason_is_on_the_page() -> None:
    table = PAGE.split("## Bodies")[1].split("* **Deck number**")[0]
    assert re.findall(r"\| `([a-z])` \|", table) == list(kinds.KINDS)
    reasons = PAGE.split("## Reasons")[1].split("## Writing")[0]
    assert set(re.findall(r"`([a-z_]+)`", reasons)) >= set(REASONS)
