"""Runs on both interpreters: hex of user memory in, what the codec makes of it out."""

from card_tags import codec, seal
from card_tags.deck_card import deck_number
from card_tags.errors import TagError

UID = bytes.fromhex("04A1B2C3D4E5F6")
KEY = bytes(range(32))


def answer(line: str) -> str:
    """Tag or reason, the re-encoded bytes, and a seal for the same content."""
    try:
        tag = codec.decode(memoryview(bytes.fromhex(line)))
    except TagError as error:
        return error.reason + " " + str(error.needed)
    sealed = seal.sealed(tag.kind, tag.content, UID, 17, KEY)
    parts = (tag.kind, tag.key_id, codec.encode(tag).hex(), codec.encode(sealed, False).hex())
    return " ".join(str(part) for part in parts) + " " + str(deck_number(line))


def run(host: "object") -> None:
    """Answer every line until there is none."""
    while True:
        line = host.read()  # type: ignore[attr-defined]  # the VM's own module
        if line is None:
            break
        host.write(answer(line))  # type: ignore[attr-defined]  # the VM's own module


if __name__ == "__main__":
    import sys

    sys.path.insert(0, "/")
    import _host  # type: ignore[import-not-found]  # exists in the VM only

    run(_host)
