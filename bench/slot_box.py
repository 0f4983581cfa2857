"""A box on a littlefs with a trusted firmware in its first slot, and updates for the second."""

import hashlib

from bench.memory_box import MemoryBox, MemoryPort
from bench.power import LittleDisk, empty_image
from firmware.app.slots import LIST, SLOTS, Slots
from firmware.app.updating import Updating
from host_tools.box.link import BoxLink
from host_tools.box.updating import Parcel, send_slot

OLD, NEW = SLOTS
BLOCKS = 64


def firmware(tag: str, files: int = 5) -> list[Parcel]:
    """A small firmware: some files in two packages, one larger than a piece, and the list."""
    parcels = [
        Parcel(f"firmware/app/part{n}.mpy", f"{tag} {n} ".encode() * (400 + 600 * (n == 1)))
        for n in range(files)
    ]
    parcels.append(Parcel("card_tags/codec.mpy", tag.encode()))
    rows = [f"{parcel.sha256} {len(parcel.data)} {parcel.path}\n" for parcel in parcels]
    return [*parcels, Parcel(LIST, "".join(rows).encode())]


def put(disk: LittleDisk, slot: str, parcels: list[Parcel]) -> None:
    """Lay a firmware into a slot, as `make flash` does."""
    for parcel in parcels:
        parts = [slot, *parcel.path.split("/")]
        for depth in range(1, len(parts)):
            if parts[depth - 1] not in disk.listing("/".join(parts[: depth - 1])):
                disk.mkdir("/".join(parts[:depth]))
        file = disk.open("/".join(parts), "wb")
        file.write(parcel.data)
        file.close()


def whole_firmware(disk: LittleDisk, slot: str) -> str:
    """The first word of the firmware in a slot; AssertionError if a file is not as listed."""
    rows = read(disk, f"{slot}/{LIST}").decode().splitlines()
    for row in rows:
        digest, size, path = row.split(" ")
        data = read(disk, f"{slot}/{path}")
        assert (hashlib.sha256(data).hexdigest(), str(len(data))) == (digest, size)
    return read(disk, f"{slot}/card_tags/codec.mpy").decode()


def read(disk: LittleDisk, path: str) -> bytes:
    file = disk.open(path, "rb")
    data = bytes(file.read())
    file.close()
    return data


class UpdatingBox(MemoryBox):
    """A box with the update requests; `resets` counts its restarts."""

    def __init__(self, disk: LittleDisk, running: str = OLD) -> None:
        super().__init__(disk)
        self.resets = 0
        self.in_match = False
        self.updating = Updating(disk, running, self._reset, lambda: None, self)
        self.updating.serve(self.link, self.journal, lambda: self.in_match)

    def _reset(self) -> None:
        self.resets += 1

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            super().step()
            self.updating.step(self.now_ms)


class PulledPort(MemoryPort):
    """The cable is pulled after some transfers."""

    def __init__(self, box: UpdatingBox, transfers: int) -> None:
        super().__init__(box)
        self._left = transfers
        self.pulled = False

    def write(self, data: bytes) -> object:
        self._use()
        return super().write(data)

    def read(self, size: int = 1) -> bytes:
        self._use()
        return super().read(size)

    def _use(self) -> None:
        self._left -= 1
        if self._left < 0:
            self.pulled = True
            raise OSError(5, "pulled")


def trusted_box() -> LittleDisk:
    """A disk with the firmware "old" in the first slot, trusted."""
    disk = LittleDisk(empty_image(BLOCKS))
    put(disk, OLD, firmware("old"))
    Slots(disk).confirm(OLD)
    disk.chip.operations.clear()
    return disk


def update(box: UpdatingBox, tag: str = "new", port: MemoryPort | None = None) -> str:
    """A laptop brings a firmware over the link; returns its slot."""
    return send_slot(BoxLink(port or box.port(), first_id=0), firmware(tag), lambda size: None)
