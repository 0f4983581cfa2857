"""A screen as a PNG file, written by hand so that no library changes its bytes."""

import hashlib
import struct
import zlib

WIDTH, HEIGHT, ZOOM = 128, 64, 3


def png(pixels: bytes) -> bytes:
    """128 x 64 dots (MONO_VLSB), each as 3 x 3, grey 1 bit, lit dots white."""
    rows = b"".join((b"\0" + row_bytes(pixels, y)) * ZOOM for y in range(HEIGHT))
    head = struct.pack(">IIBBBBB", WIDTH * ZOOM, HEIGHT * ZOOM, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def row_bytes(pixels: bytes, y: int) -> bytes:
    dots = "".join(str(pixels[(y >> 3) * WIDTH + x] >> (y & 7) & 1) * ZOOM for x in range(WIDTH))
    return int(dots, 2).to_bytes(len(dots) // 8, "big")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def unpacked(file: bytes) -> bytes:
    """The dots of one of our PNGs, unzipped: zlib versions may pack the same dots differently."""
    start = file.index(b"IDAT") + 4
    return zlib.decompress(
        file[start : start + struct.unpack(">I", file[start - 8 : start - 4])[0]]
    )


def digest(file: bytes) -> str:
    """Of the dots of one of our PNGs."""
    return hashlib.sha256(unpacked(file)).hexdigest()[:16]
