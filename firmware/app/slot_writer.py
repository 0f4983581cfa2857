"""A new firmware over the USB link: into the slot that nobody uses, checked, then on trial.

Requests (docs/link.md): `update` tells the state, `update_file` begins a file or says that it is
there, `update_data` brings its bytes, `update_finish` checks the whole slot and restarts the box.
Every one may be repeated. A cable that is pulled or a power cut leaves the running slot as it was;
the next try goes on with the files that are already there. No update while a match is open.
"""

import binascii

from micropython import const

from .flash import hash_of
from .link import RequestError
from .slots import LIST

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .slots import Disk, Slots

_PACKAGES = ("firmware/", "card_tags/")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_/."


class SlotWriter:
    """`running` is the slot in use; `feed()` keeps the watchdog quiet while a slot is checked."""

    def __init__(
        self,
        disk: "Disk",
        slots: "Slots",
        running: str,
        in_match: "Callable[[], bool]",
        feed: "Callable[[], None]",
    ) -> None:
        self._disk = disk
        self._slots = slots
        self._running = running
        self._in_match = in_match
        self._feed = feed
        self.handlers = {
            "update": self._tell,
            "update_file": self._begin_file,
            "update_data": self._take_data,
            "update_finish": self._finish,
        }

    # -- requests -------------------------------------------------------------------------

    def _tell(self, request: "dict[str, Any]") -> "dict[str, Any]":
        state = self._slots.state
        return {
            "running": self._running,
            "trusted": state.good,
            "trial": state.trial,
            "failed": state.failed,
            "slot": self._slots.free_slot(self._running),
        }

    def _begin_file(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """`have` tells how many bytes are there: all of them, or none and the file is empty."""
        path = self._target(request["path"])
        size = request["size"]
        if self._is_there(path, size, request["sha256"]):
            return {"have": size}
        self._forget_list()
        self._make_folders(path)
        self._disk.open(path, "wb").close()
        return {"have": 0}

    def _take_data(self, request: "dict[str, Any]") -> "dict[str, Any]":
        path = self._target(request["path"])
        data = binascii.a2b_base64(request["data"].encode())
        offset = request["offset"]
        have = self._disk.size(path)
        if have == offset:
            file = self._disk.open(path, "ab")
            try:
                file.write(data)
                self._disk.sync(file)
            finally:
                file.close()
        elif have != offset + len(data):  # else: the same piece, asked twice
            raise RequestError("bad_update", "%s has %d bytes; begin it anew" % (path, have))
        return {"have": offset + len(data)}

    def _finish(self, request: "dict[str, Any]") -> "dict[str, Any]":
        """The list has this hash and every file in it too: try the slot from the next boot on."""
        path = self._target(LIST)
        slot = path.split("/")[0]
        if LIST not in self._disk.listing(slot) or self._hash(path) != request["sha256"]:
            raise RequestError("bad_update", "the list of files is not the one that was sent")
        wanted = self._read_list(path)
        for name in wanted:
            self._feed()
            size, digest = wanted[name]
            if not self._is_there(slot + "/" + name, size, digest):
                self._forget_list()
                raise RequestError("bad_update", "%s is not as it was sent" % name)
        self._remove_others(slot, wanted)
        self._slots.begin_trial(slot)
        return {"trial": slot}

    # -- inside ---------------------------------------------------------------------------

    def _target(self, name: str) -> str:
        """The path of a file in the slot that may be written. RequestError if none may, or for a
        name that is none of ours."""
        if self._in_match():
            raise RequestError("in_match", "a match is open; finish it before the update")
        slot = self._slots.free_slot(self._running)
        if not slot:
            raise RequestError("on_trial", "the firmware is still on trial; wait ten seconds")
        if name != LIST and not _is_ours(name):
            raise RequestError("bad_update", "no file of a firmware is called %s" % name)
        return slot + "/" + name

    def _is_there(self, path: str, size: int, digest: str) -> bool:
        folder, name = path.rsplit("/", 1)
        return (
            name in self._disk.listing(folder)
            and self._disk.size(path) == size
            and self._hash(path) == digest
        )

    def _hash(self, path: str) -> str:
        return hash_of(self._disk.open(path, "rb"))

    def _read_list(self, path: str) -> "dict[str, tuple[int, str]]":
        """Name -> (size, sha256). ValueError for a line that is none."""
        file = self._disk.open(path, "rb")
        try:
            lines = file.read().decode().split("\n")
        finally:
            file.close()
        wanted = {}
        for line in lines:
            if line:
                digest, size, name = line.split(" ")
                wanted[name] = (int(size), digest)
        return wanted

    def _forget_list(self) -> None:
        """A slot without its list is not whole, and no boot looks at it."""
        slot = self._slots.free_slot(self._running)
        if LIST in self._disk.listing(slot):
            self._disk.remove(slot + "/" + LIST)

    def _make_folders(self, path: str) -> None:
        parts = path.split("/")
        for depth in range(1, len(parts)):
            above, name = "/".join(parts[: depth - 1]), parts[depth - 1]
            if name not in self._disk.listing(above):
                self._disk.mkdir("/".join(parts[:depth]))

    def _remove_others(self, slot: str, wanted: "dict[str, tuple[int, str]]") -> None:
        """A module that is no longer part of the firmware must not stay and be imported."""
        waiting = [package[:-1] for package in _PACKAGES]
        while waiting:
            folder = waiting.pop()
            for name in self._disk.listing(slot + "/" + folder):
                path = folder + "/" + name
                if self._disk.size(slot + "/" + path) < 0:
                    waiting.append(path)
                elif path not in wanted:
                    self._disk.remove(slot + "/" + path)


def _is_ours(name: str) -> bool:
    if ".." in name or [letter for letter in name if letter not in _LETTERS]:
        return False
    return bool([package for package in _PACKAGES if name.startswith(package)])
