"""Tags as text files: one line per page, readable and editable by hand.

    type ntag213
    clone fudan                 (only for clones)
    signature 8B76…             (32 bytes; what READ_SIG returns)
    counter 12                  (NFC counter)
    failed-passwords 0
    00: 04 E1 0C 61             (every page, number and bytes in hex)
    …

Lines that begin with # are comments. PWD and PACK are stored in clear: this is the silicon's view.
"""

from hardware.twin.tag_models import FUDAN, GENUINE, MODELS, PAGE_BYTES
from hardware.twin.tags import NtagTwin

_CLONES = {"fudan": FUDAN}


class TagFileError(ValueError):
    """A dump that cannot be read; the text names the line."""


def dump_tag(tag: NtagTwin) -> str:
    """The text of a tag."""
    lines = [f"type {tag.model.name.lower()}"]
    lines += [f"clone {name}" for name, lacks in _CLONES.items() if lacks == tag.lacks]
    lines += [
        f"signature {tag.signature.hex().upper()}",
        f"counter {tag.counter}",
        f"failed-passwords {tag.failed_passwords}",
    ]
    for number in range(tag.model.pages):
        lines.append(f"{number:02X}: {tag.memory.page(number).hex(' ').upper()}")
    return "\n".join(lines) + "\n"


def parse_tag(text: str) -> NtagTwin:
    """The tag of a text. Raises `TagFileError`."""
    settings: dict[str, str] = {}
    pages: dict[int, bytes] = {}
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.split("#")[0].strip()
        if ":" in stripped:
            pages |= _page(number, stripped)
        elif stripped:
            name, _, value = stripped.partition(" ")
            settings[name] = value.strip()
    model = MODELS.get(settings.get("type", "").upper())
    if model is None:
        known = ", ".join(name.lower() for name in MODELS)
        raise TagFileError(f"the dump needs a line 'type …' with one of {known}")
    missing = set(range(model.pages)) - set(pages)
    if missing or max(pages) >= model.pages:
        raise TagFileError(f"an {model.name} has the pages 00 to {model.pages - 1:02X}, each once")
    uid = pages[0][:3] + pages[1]
    tag = NtagTwin(model, uid, _CLONES.get(settings.get("clone", ""), GENUINE))
    for page, data in pages.items():
        tag.memory.set_page(page, data)
    _apply(tag, settings)
    return tag


def _page(number: int, line: str) -> dict[int, bytes]:
    """A page by its number, from line `number` of the text."""
    name, _, value = line.partition(":")
    try:
        page, data = int(name, 16), bytes.fromhex(value)
    except ValueError:
        data = b""
    if len(data) != PAGE_BYTES:
        raise TagFileError(f"line {number} is not a page like '04: 03 00 FE 00'")
    return {page: data}


def _apply(tag: NtagTwin, settings: dict[str, str]) -> None:
    try:
        tag.counter = int(settings.get("counter", "0"))
        tag.failed_passwords = int(settings.get("failed-passwords", "0"))
        if "signature" in settings:
            tag.signature = bytes.fromhex(settings["signature"])
    except ValueError as error:
        raise TagFileError(f"signature or counters are not numbers: {error}") from None
    if len(tag.signature) != 32:
        raise TagFileError(f"the signature has {len(tag.signature)} bytes instead of 32")
