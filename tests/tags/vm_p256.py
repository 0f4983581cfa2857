"""Runs on both interpreters: a question in, what `card_tags.p256` says of it out.

public SECRET          the public key
sign SECRET DIGEST     the signature
verify PUBLIC DIGEST SIGNATURE
"""

from binascii import hexlify, unhexlify

from card_tags import p256


def no_draw(count: int) -> bytes:
    """The VM has no random source."""
    return bytes(count)


def answer(line: str) -> str:
    """Numbers and bytes in hex."""
    do, *words = line.split(" ")
    given = [unhexlify(word) for word in words]
    if do == "verify":
        return str(p256.finished(p256.verifying(given[0], given[1], given[2])))
    secret = int.from_bytes(given[0], "big")
    try:
        if do == "public":
            return hexlify(p256.finished(p256.public_of(secret, no_draw))).decode()
        return hexlify(p256.finished(p256.signing(secret, given[1], no_draw))).decode()
    except ValueError:
        return "no key"


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
