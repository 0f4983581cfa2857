"""Tags as files: what stands in them is what a reader of ours would have written."""

import re
from pathlib import Path

import ndef
import pytest
from click.testing import CliRunner

from card_tags import codec, seal
from host_tools.cards.keys import KeyRing, load_keys, new_key, save_keys
from host_tools.cli import schiri
from host_tools.core.errors import UserError

UIDS = {"jury1": "04:A1:B2:C3:D4:E5:F6", "jury2": "04a1b2c3d4e5f7"}


def exported(folder: Path, *more: str) -> Path:
    words = ["provision", "jury", "Frau Graf", "Herr Moser", "--files", str(folder), *more]
    words += ["--ledger", str(folder.parent / "l.jsonl")]
    done = CliRunner().invoke(schiri, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return folder


def test_unsealed_messages_are_those_of_a_tag(tmp_path: Path) -> None:
    folder = exported(tmp_path / "f", "--no-seal", "--link", "https://example.org/{code}")
    found = sorted(path.name for path in folder.iterdir())
    assert found == ["jury1.ndef", "jury2.ndef", "write.html"]
    ours, link = ndef.message_decoder((folder / "jury2.ndef").read_bytes())
    assert (ours.type, link.uri) == ("urn:nfc:ext:sch:j", "https://example.org/jury2")


def test_a_sealed_dump_fits_its_chip_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    ring = KeyRing()
    key = new_key(ring, "league")
    save_keys(ring, tmp_path / "keys.json")
    assert load_keys().current == key
    with pytest.raises(UserError, match="jury1 is not known"):
        exported(tmp_path / "none")
    listed = tmp_path / "uids.csv"
    listed.write_text("code;uid\n" + "".join(f"{code};{uid}\n" for code, uid in UIDS.items()))
    folder = exported(tmp_path / "f", "--uids", str(listed))
    text = (folder / "jury1.nfc").read_text()
    assert text.startswith("Filetype: Flipper NFC device\nVersion: 4\n")
    pages = re.findall(r"^Page \d+: (.*)$", text, re.MULTILINE)
    assert len(pages) == 45  # an NTAG213
    memory = bytes.fromhex(" ".join(pages))
    # UID with its check bytes: 88 ^ 04 ^ A1 ^ B2 = 9F, C3 ^ D4 ^ E5 ^ F6 = 04; then E1 10 12 00
    assert memory[:16] == bytes.fromhex("04A1B29F C3D4E5F6 04480000 E1101200")
    tag = codec.decode(memory[16:160])
    seal.verify(tag, bytes.fromhex("04A1B2C3D4E5F6"), {key.number: key.secret})
    assert tag.content.name == "Frau Graf"
    listed.write_text("code;uid\njury1;04A1\n")
    with pytest.raises(UserError, match="14 hexadecimal digits"):
        exported(tmp_path / "g", "--uids", str(listed))
