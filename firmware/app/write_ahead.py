"""The record that was shown last, on the flash before it stands in the file of its match.

An append to the file of a match costs an erase of a sector each time, 45 ms. littlefs keeps a file
of up to 512 bytes inside its folder, and that grows by a page of 256 bytes or two at a time: in a
folder of its own such a write costs an erase every sixth time (docs/decisions/0155). One line:

    crc32 number size record

`size`: how many bytes the file of match `number` had before the record.
"""

import binascii

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from .flash import Files

_FOLDER = "ahead"
_NAME = "ahead/record"
_MOST_BYTES = const(512)  # an eighth of a block: LFS_F_INLINE in lfs_file_flushedwrite (lfs.c)
_CRC_AT = const(9)
_ENOSPC = const(28)


class WriteAhead:
    """One record at a time: the next one takes its place."""

    def __init__(self, flash: "Files") -> None:
        self._flash = flash
        self._file: "Any" = None

    def put(self, number: int, size: int, record: bytes) -> bool:
        """Write and sync; `record` is a line. False if it is too long, or the flash full. Raises
        OSError.
        """
        body = b"%d %d %s" % (number, size, record)
        if len(body) > _MOST_BYTES - _CRC_AT:
            return False
        try:
            if self._file is None:
                self._file = self._open()
            self._file.seek(0)  # what stood there was longer, perhaps: its end stays
            self._file.write(b"%08x %s" % (binascii.crc32(body), body))
            self._flash.sync(self._file)
        except OSError as error:
            self.close()
            if error.errno != _ENOSPC:
                raise
            return False
        return True

    def get(self, number: int) -> "tuple[int, bytes]":
        """The size and the record that were put last for this match; (0, b"") if there is none."""
        try:
            file = self._flash.open(_NAME, "rb")
        except OSError:
            return 0, b""
        try:
            data = file.read(_MOST_BYTES)
        finally:
            file.close()
        body = data[_CRC_AT : data.find(b"\n") + 1]
        if data[:_CRC_AT] != b"%08x " % binascii.crc32(body):
            return 0, b""
        of, size, record = body.split(b" ", 2)
        return (int(size), record) if int(of) == number else (0, b"")

    def close(self) -> None:
        """Give the file's buffer of 1 kB back. What was put last must stand in its match before
        the next record is put.
        """
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError:
                pass  # it has been reported

    def _open(self) -> "Any":
        try:
            self._flash.mkdir(_FOLDER)
        except OSError:
            pass  # it is there
        return self._flash.open(_NAME, "wb")
