"""Tags as files: what stands in them is what a reader of ours would have written."""

import json
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


FORMAT = [
    "Filetype: Flipper NFC device",
    "Version: 4",
    "Device type: NTAG/Ultralight",
    "UID",
    "ATQA: 00 44",
    "SAK: 00",
    "Data format version: 2",
    "NTAG/Ultralight type",
    "Signature",
    "Mifare version",
    *(f"{name} {n}" for n in range(3) for name in ("Counter", "Tearing")),
    "Pages total",
    "Pages read",
]
"""The fields of NfcFileFormats.md in their order, with the values that any NTAG21x has."""
SETS = {
    "deck": ["deck", "berge"],
    "guests": ["guests"],
    "tables": ["tables"],
    "hattrick": ["hattrick"],
    "badges": ["badges", "players.csv"],
    "jury": ["jury", "Frau Graf"],
}
# FORMAT.md, House rules: behind a deck card and the table cards stands what is played with them
PLAYED_WITH = {"deck": ("d", "trumpf", "swiss"), "tables": ("t", "cafe", "app")}


@pytest.mark.parametrize("kind", SETS)
def test_a_second_reader_reads_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """ndeflib reads every message, alone, in the chip's memory and in the page, and would write
    the same bytes; the chips stand in their files as the format of the app says.
    """
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    monkeypatch.chdir(tmp_path)
    Path("players.csv").write_text("id,name\nP1,Anna\nP2,Jürg Müller\n", "utf-8")
    ring = KeyRing()
    new_key(ring, "league")
    save_keys(ring, tmp_path / "keys.json")
    words = ["provision", *SETS[kind], "--link", "https://example.org/{code}"]
    words += ["--ledger", str(tmp_path / "l.jsonl")]
    run = CliRunner().invoke
    plain = run(schiri, [*words, "--no-seal", "--files", str(tmp_path / "plain")])
    assert plain.exit_code == 0, plain.output
    codes = sorted(path.stem for path in (tmp_path / "plain").glob("*.ndef"))
    uids = {code: f"04{number:012X}" for number, code in enumerate(codes)}
    (tmp_path / "uids.csv").write_text(
        "code;uid\n" + "".join(f"{c};{u}\n" for c, u in uids.items())
    )
    sealed = run(
        schiri, [*words, "--files", str(tmp_path / "s"), "--uids", str(tmp_path / "uids.csv")]
    )
    assert sealed.exit_code == 0, sealed.output
    for folder, files in ((tmp_path / "plain", 1), (tmp_path / "s", 2)):
        page = (folder / "write.html").read_text("utf-8")
        listed = json.loads(page.split('id="tags">')[1].split("</script>")[0])
        written = {entry["code"]: bytes.fromhex(entry["message"]) for entry in listed}
        assert sorted(written) == codes
        assert len(list(folder.iterdir())) == files * len(codes) + 1
        for code, message in written.items():
            assert (folder / f"{code}.ndef").read_bytes() == message
            ours, *behind, link = records = list(ndef.message_decoder(message))
            assert ours.type.startswith("urn:nfc:ext:sch:")
            assert [_played(record) for record in behind] == _played_with(kind, ours.type[-1])
            assert link.uri == f"https://example.org/{code}"
            assert b"".join(ndef.message_encoder(records)) == message
    for code, uid in uids.items():
        message = (tmp_path / "s" / f"{code}.ndef").read_bytes()
        assert _message_in((tmp_path / "s" / f"{code}.nfc").read_text(), uid) == message


def _played_with(kind: str, letter: str) -> list[tuple[str, str]]:
    """Game and preset of the records between that of this letter and the link."""
    marked, *played = PLAYED_WITH.get(kind, ("",))
    return [(played[0], played[1])] if letter == marked else []


def _played(record: ndef.Record) -> tuple[str, str]:
    """Game and preset of a record of house rules without a choice: two texts, each behind its
    length, between the version with key 0 and the four bytes of a CRC or the eight of a seal.
    """
    assert record.type == "urn:nfc:ext:sch:o"
    body = record.data[2 : -4 if record.data[1] == 0 else -8]
    game = body[1 : 1 + body[0]]
    preset = body[len(game) + 2 :]
    assert body[len(game) + 1] == len(preset)
    return game.decode(), preset.decode()


def _message_in(text: str, uid: str) -> bytes:
    """The NDEF message of a chip's file, by Type 2 Tag: CC in page 3, TLV blocks from page 4."""
    lines = text.splitlines()
    for line, field in zip(lines, FORMAT, strict=False):
        assert line == field or line.startswith(f"{field}: "), line
    fields = dict(line.split(": ", 1) for line in lines)
    count = int(fields["Pages total"])
    assert lines[-1] == "Failed authentication attempts: 0"
    assert len(lines) == len(FORMAT) + count + 1
    assert fields["UID"].replace(" ", "") == uid
    memory = bytes.fromhex(" ".join(fields[f"Page {number}"] for number in range(count)))
    size = {45: 0x12, 135: 0x3E, 231: 0x6D}[count]  # data sheet of NTAG213, 215, 216, 8.5.4
    assert memory[12:16] == bytes((0xE1, 0x10, size, 0))
    at = 16
    while memory[at] != 0x03:
        assert memory[at : at + 2] == b"\x01\x03"  # lock control; nothing else stands in front
        at += 5
    long = memory[at + 1] == 0xFF
    length = int.from_bytes(memory[at + 2 : at + 4], "big") if long else memory[at + 1]
    start = at + (4 if long else 2)
    assert memory[start + length] == 0xFE
    return memory[start : start + length]
