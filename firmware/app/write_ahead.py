"""The record that was shown last, on the flash before it stands in the file of its match.

An append to the file of a match costs an erase of a sector each time, 45 ms. littlefs keeps a file
of up to 512 bytes inside its folder, and that grows by two or three pages of 256 bytes at a time:
in a folder of its own such a write costs an erase every sixth time. So that no answer waits for
it, the erase is done beforehand (`prepare`, docs/decisions/journal.md). One line:

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
# Of the folder's log (lfs.c): a commit of the file is a tag and its bytes, two tags with checksums
# behind them, and goes to the end of a page. What does not fit into the block goes into another
# one, erased for it, with the file's name in front.
_PAGE = const(256)
_ROUND = const(279)  # tags with checksums of 24 bytes, and up to the end of the page
_FULL = const(4084)  # 8 bytes of a block stay free, and the first tag has 4
_NAMED = const(14)  # a new block: its number, and a tag with "record"
_FRESH = const(512)  # a new folder with an empty file
_STALE = b"-"


class WriteAhead:
    """One record at a time: the next one takes its place. `due`: the next one may wait for an
    erase, unless `prepare` is called before.
    """

    def __init__(self, flash: "Files") -> None:
        self.due = False
        self._flash = flash
        self._file: "Any" = None
        self._size = 0  # of the file: the longest record so far
        self._used = 0  # bytes of the log's block; 0: unknown

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
            # what stood there was longer, perhaps: its end stays
            self._commit(b"%08x %s" % (binascii.crc32(body), body))
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

    def prepare(self) -> None:
        """Make room for the next record, 50 to 300 ms. What was put last must stand in its match:
        it is given up.
        """
        try:
            if not self._used:  # only of a new folder is known how much its log holds
                self.close()
                try:
                    self._flash.remove(_NAME)
                    self._flash.rmdir(_FOLDER)
                except OSError:
                    pass  # it was not there
                self._file = self._open()
                self._used = _FRESH
            while self.due:
                self._commit(_STALE)
        except OSError:
            self.close()  # the next record finds out

    def close(self) -> None:
        """Give the file's buffer of 1 kB back. What was put last must stand in its match before
        the next record is put.
        """
        self.due = False
        self._size = 0
        self._used = 0
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError:
                pass  # it has been reported

    def _commit(self, data: bytes) -> None:
        """Write to the beginning of the file and sync; it lies in the log whole, each time."""
        self._file.seek(0)
        self._file.write(data)
        self._flash.sync(self._file)
        self._size = max(self._size, len(data))
        if self._used:
            if self._used + self._size > _FULL:
                self._used = _NAMED
            self._used = (self._used + self._size + _ROUND) // _PAGE * _PAGE
        self.due = not self._used or self._used + _MOST_BYTES > _FULL

    def _open(self) -> "Any":
        try:
            self._flash.mkdir(_FOLDER)
        except OSError:
            pass  # it is there
        return self._flash.open(_NAME, "wb")
