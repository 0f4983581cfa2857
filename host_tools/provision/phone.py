"""Tags as files, for phones and for writers that are none of ours: one set of files a batch.

A seal is made for one chip, so a sealed file needs the UID of the tag that it is for.
"""

import html
import json
from collections.abc import Mapping
from pathlib import Path

from host_tools.cards.links import message_of
from host_tools.cards.tag_items import Item, Set
from host_tools.core.errors import UserError
from host_tools.core.own_files import write_folder, written_below
from host_tools.core.spreadsheet import read_table
from host_tools.provision.batch import WriteOptions, record_of
from host_tools.provision.chips import CC_MAGIC, CHIPS, PAGE_BYTES, Chip

PAGE = "write.html"
_UID_BYTES = 7
_TEMPLATE = Path(__file__).parent / PAGE
_CASCADE = 0x88  # ISO/IEC 14443-3: in front of the first three bytes of a longer UID
_INTERNAL = 0x48  # byte 9 of an NTAG21x
# behind the dynamic lock bytes: no password, nothing mirrored, as from the factory (8.5.7)
_CONFIGURATION = b"\x04\x00\x00\xff" + b"\x00\x05\x00\x00" + bytes(8)


def read_uids(path: Path) -> dict[str, bytes]:
    """Code -> UID, from a list with the columns `code` and `uid`. Raises UserError."""
    rows = read_table(path)
    heads = [cell.lower() for cell in rows[0].cells] if rows else []
    if not {"code", "uid"} <= set(heads):
        raise UserError("uids_columns", path=path)
    found: dict[str, bytes] = {}
    for row in rows[1:]:
        fields = dict(zip(heads, row.cells, strict=False))
        # with colons, as Web NFC gives it (write.html)
        digits = fields.get("uid", "").replace(":", "").replace(" ", "")
        try:
            uid = bytes.fromhex(digits)
        except ValueError:
            uid = b""
        # one tag cannot be two cards
        if len(uid) != _UID_BYTES or uid in found.values():
            raise UserError("uids_line", path=path, line=row.line)
        found[fields["code"]] = uid
    return found


def write_files(
    batch: Set, options: WriteOptions, folder: Path, uids: Mapping[str, bytes]
) -> list[Path]:
    """For every tag `<code>.ndef`, the NDEF message; with its UID also `<code>.nfc`, the whole
    chip; and a page with all of them. Raises UserError.
    """
    missing = [item.code for item in batch.items if item.code not in uids]
    if options.key is not None and missing:
        raise UserError("uids_missing", code=missing[0], count=len(missing))
    written: dict[str, bytes] = {}
    entries = []
    for item in batch.items:
        uid = uids.get(item.code, b"")
        chip, record = _record(item, uid, options)
        message = message_of(record)
        written[f"{item.code}.ndef"] = message
        if uid:
            written[f"{item.code}.nfc"] = _dump(chip, uid, record).encode()
        entries.append(
            {
                "code": item.code,
                "name": item.name,
                "chip": chip.name,
                "uid": uid.hex(":"),
                "message": message.hex(),
            }
        )
    written[PAGE] = _page(batch.title, entries).encode()
    with written_below(folder):
        write_folder(folder, written)
    return [folder / name for name in written]


def _record(item: Item, uid: bytes, options: WriteOptions) -> tuple[Chip, bytes]:
    """The smallest chip that holds it."""
    for chip in CHIPS:
        record = record_of(item, uid, chip, options)
        if len(record) <= chip.user_bytes:
            return chip, record
    raise UserError("no_chip_holds", code=item.code, count=len(record))


def _dump(chip: Chip, uid: bytes, record: bytes) -> str:
    """The chip's memory as Flipper's file format has it, version 4 (flipperzero-firmware,
    documentation/file_formats/NfcFileFormats.md): text, a line a page. The signature of the maker
    is not known and left 0.
    """
    check = _CASCADE ^ uid[0] ^ uid[1] ^ uid[2], uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
    # the chip keeps the two check bytes of ISO/IEC 14443-3 between the parts of the UID
    head = uid[:3] + bytes(check[:1]) + uid[3:] + bytes((check[1], _INTERNAL, 0, 0))
    memory = head + CC_MAGIC + bytes((chip.cc_size, 0)) + record
    # the byte behind the dynamic lock bytes always reads BD (NXP data sheet, 8.5.3)
    memory = memory.ljust(chip.lock_page * PAGE_BYTES, b"\0") + b"\0\0\0\xbd" + _CONFIGURATION
    pages = [memory[at : at + PAGE_BYTES] for at in range(0, len(memory), PAGE_BYTES)]
    lines = [
        "Filetype: Flipper NFC device",
        "Version: 4",
        "Device type: NTAG/Ultralight",
        f"UID: {_spaced(uid)}",
        "ATQA: 00 44",
        "SAK: 00",
        "Data format version: 2",
        f"NTAG/Ultralight type: {chip.name}",
        f"Signature: {_spaced(bytes(32))}",
        f"Mifare version: 00 04 04 02 01 00 {chip.storage:02X} 03",
        *(line for n in range(3) for line in (f"Counter {n}: 0", f"Tearing {n}: 00")),
        f"Pages total: {len(pages)}",
        f"Pages read: {len(pages)}",
        *(f"Page {number}: {_spaced(page)}" for number, page in enumerate(pages)),
        "Failed authentication attempts: 0",
    ]
    return "\n".join(lines) + "\n"


def _spaced(data: bytes) -> str:
    return data.hex(" ").upper()


def _page(title: str, entries: list[dict[str, str]]) -> str:
    """The page that writes tags in Chrome on Android (Web NFC), with all messages in it."""
    # inside a script element: a name with </script> would end it
    data = json.dumps(entries, ensure_ascii=False).replace("<", "\\u003c")
    template = _TEMPLATE.read_text(encoding="utf8")
    return template.replace("{{title}}", html.escape(title)).replace("{{tags}}", data)
