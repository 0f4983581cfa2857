"""Trials of a reader for the bring-up of a box: loaded when asked for, and gone afterwards."""

from micropython import const

from firmware.drivers.pn532 import commands, errors
from firmware.drivers.pn532.frame import build

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from firmware.drivers.pn532.chip import Pn532
    from firmware.drivers.reader import Reader

ECHOES = const(32)
READS = const(20)
_BOOT_MS = const(200)  # what clones were seen to need (Adafruit, ESPHome)
_ECHO_MS = const(60)
_DARK_MS = const(6)
_CARD_BYTES = const(48)


def version(chip: "Pn532") -> bytes:
    """GetFirmwareVersion of a chip that was just reset and has no field to feed; empty without."""
    for level in (0, 1):
        chip.hold_reset(level)
        chip.clock.sleep_ms(_BOOT_MS)
    try:
        chip.find()
        chip.call(commands.GET_VERSION)
    except errors.ReaderError:
        return b""
    return bytes(chip.data[: chip.size])


def echoes(reader: "Reader", index: int) -> "tuple[int, int, int]":
    """Echoes (UM0701-02 Diagnose 00) at the line's speed number `index`: how many came back whole,
    how many faults, and the microseconds of all.
    """
    chip, health, clock = reader.chip, reader.health, reader.chip.clock
    before = health.bad_frames + health.resends
    text = bytes(range(0x20, 0x40))
    command = build(b"\x00\x00" + text)
    good = took_us = 0
    try:
        reader.settle()
        chip.aim = index
        chip.follow_line()
        for _ in range(ECHOES):
            since_us = clock.ticks_us()
            chip.call(command, _ECHO_MS)
            took_us += clock.ticks_diff(clock.ticks_us(), since_us)
            good += bytes(chip.data[1 : chip.size]) == text
    except errors.ReaderError:
        pass  # the counts tell
    return good, health.bad_frames + health.resends - before, took_us


def reads(reader: "Reader") -> "tuple[int, int, int, int]":
    """Search for a card anew and read it, again and again: how often it was found and read, how
    often the reader itself failed, and the microseconds of all.
    """
    chip, clock = reader.chip, reader.chip.clock
    found = read = failed = 0
    into = bytearray(_CARD_BYTES)
    since_us = clock.ticks_us()
    for _ in range(READS):
        try:
            reader.settle()
            chip.call(commands.FIELD_OFF)
            clock.sleep_ms(_DARK_MS)
            chip.call(commands.LIST_CARDS, commands.LIST_MS)
            if chip.data[0] == 1:
                found += 1
                reader.tag.read_card(into, True)
                read += 1
        except errors.ReaderError as error:
            failed += error.advice == errors.BROKEN
    return found, read, failed, clock.ticks_diff(clock.ticks_us(), since_us)
