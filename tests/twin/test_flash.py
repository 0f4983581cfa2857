"""The flash: littlefs's promises, with the power gone at any time."""

import errno
import os
from pathlib import Path

import pytest

from hardware.twin.flash import BLOCK, TwinFlash


@pytest.fixture
def flash(tmp_path: Path) -> TwinFlash:
    return TwinFlash(tmp_path / "flash")


def write(flash: TwinFlash, path: str, data: bytes, mode: str = "w") -> int:
    handle = flash.open(path, mode)
    flash.write(handle, data)
    return handle


def read(flash: TwinFlash, path: str) -> bytes:
    handle = flash.open(path, "r")
    data = flash.read(handle, 1_000_000)
    flash.close(handle)
    return data


def test_content_is_durable_at_flush_and_close(flash: TwinFlash) -> None:
    handle = write(flash, "/a", b"one")
    assert read(flash, "/a") == b""
    flash.flush(handle)
    assert read(flash, "/a") == b"one"
    flash.write(handle, b" two")
    flash.power_off()
    assert read(flash, "/a") == b"one"


def test_a_file_is_truncated_only_when_the_new_content_is_synced(flash: TwinFlash) -> None:
    flash.close(write(flash, "/a", b"old and long"))
    handle = write(flash, "/a", b"new")
    assert read(flash, "/a") == b"old and long"
    flash.close(handle)
    assert read(flash, "/a") == b"new"


def test_append_goes_to_the_end_and_keeps_the_rest(flash: TwinFlash) -> None:
    flash.close(write(flash, "/a", b"one "))
    flash.close(write(flash, "/a", b"two", "a"))
    assert read(flash, "/a") == b"one two"


def test_read_and_write_in_one_file(flash: TwinFlash) -> None:
    flash.close(write(flash, "/a", b"0123456789"))
    handle = flash.open("/a", "r", plus=True)
    flash.seek(handle, 4, 0)
    flash.write(handle, b"xx")
    assert flash.seek(handle, -3, 2) == 7
    assert flash.read(handle, 9) == b"789"
    flash.close(handle)
    assert read(flash, "/a") == b"0123xx6789"


def test_a_gap_is_filled_with_zeros(flash: TwinFlash) -> None:
    handle = flash.open("/a", "w")
    flash.seek(handle, 3, 0)
    flash.write(handle, b"x")
    flash.close(handle)
    assert read(flash, "/a") == b"\0\0\0x"


def test_rename_replaces_in_one_step_and_open_files_follow(flash: TwinFlash) -> None:
    flash.close(write(flash, "/new", b"new"))
    flash.close(write(flash, "/old", b"old"))
    handle = flash.open("/new", "a")
    flash.rename("/new", "/old")
    assert flash.names("/") == ["old"]
    flash.write(handle, b"er")
    flash.close(handle)
    assert read(flash, "/old") == b"newer"


def test_errors_are_those_of_the_file_system(flash: TwinFlash) -> None:
    flash.mkdir("/folder")
    flash.close(write(flash, "/folder/a", b"x"))
    reader = flash.open("/folder/a", "r")
    writer = flash.open("/b", "w")
    for action, expected in (
        (lambda: flash.open("/none", "r"), errno.ENOENT),
        (lambda: flash.open("/none/a", "w"), errno.ENOENT),
        (lambda: flash.open("/folder", "r"), errno.EISDIR),
        (lambda: flash.open("/folder/a", "x"), errno.EEXIST),
        (lambda: flash.open("/../a", "w"), errno.EINVAL),
        (lambda: flash.write(reader, b"x"), errno.EBADF),
        (lambda: flash.read(writer, 1), errno.EBADF),
        (lambda: flash.seek(reader, -1, 0), errno.EINVAL),
        (lambda: flash.mkdir("/folder"), errno.EEXIST),
        (lambda: flash.mkdir("/no/folder"), errno.ENOENT),
        (lambda: flash.rmdir("/folder"), errno.ENOTEMPTY),
        (lambda: flash.rmdir("/none"), errno.ENOENT),
        (lambda: flash.remove("/folder"), errno.EISDIR),
        (lambda: flash.remove("/none"), errno.ENOENT),
        (lambda: flash.rename("/none", "/x"), errno.ENOENT),
        (lambda: flash.size("/folder"), errno.ENOENT),
        (lambda: flash.names("/none"), errno.ENOENT),
        (lambda: flash.is_folder("/none"), errno.ENOENT),
    ):
        with pytest.raises(OSError, match=rf"Errno {expected}\b"):
            action()


def test_a_closed_handle_is_gone(flash: TwinFlash) -> None:
    handle = write(flash, "/a", b"x")
    flash.close(handle)
    with pytest.raises(OSError, match=r"\[Errno 9\]|9"):
        flash.write(handle, b"y")


def test_a_full_flash_says_so_and_keeps_what_it_has(tmp_path: Path) -> None:
    flash = TwinFlash(tmp_path / "flash", capacity=6 * BLOCK)  # two go to the root
    handle = write(flash, "/a", bytes(3 * BLOCK))
    flash.flush(handle)
    assert flash.free_blocks() == 1
    flash.write(handle, bytes(BLOCK))
    with pytest.raises(OSError, match=str(errno.ENOSPC)):
        flash.write(handle, b"x")
    flash.close(handle)
    assert flash.size("/a") == 4 * BLOCK
    assert flash.free_blocks() == 0


def test_every_durable_operation_is_announced_before_it_happens(flash: TwinFlash) -> None:
    seen: list[tuple[str, list[str]]] = []
    flash.before_durable = lambda what: seen.append((what, sorted(flash.names("/"))))
    handle = write(flash, "/a", b"x")
    flash.flush(handle)
    flash.flush(handle)  # nothing new: nothing happens on the flash
    flash.close(handle)
    flash.rename("/a", "/b")
    flash.remove("/b")
    assert seen == [
        ("create /a", []),
        ("write /a", ["a"]),
        ("rename /a", ["a"]),
        ("remove /b", ["b"]),
    ]
    assert flash.durable == 4


def test_a_refused_sync_loses_what_was_not_synced_and_nothing_else(flash: TwinFlash) -> None:
    handle = write(flash, "/a", b"kept")
    flash.flush(handle)
    flash.refused_syncs = 1
    flash.write(handle, b" lost")
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        flash.flush(handle)
    flash.close(handle)  # LFS_F_ERRED: nothing more of it is written
    assert read(flash, "/a") == b"kept"
    flash.close(write(flash, "/a", b" and on", "a"))
    assert read(flash, "/a") == b"kept and on"
