"""Raspberry Pi Pico 2: twice the memory, twice the flash, a faster processor (RP2350).

Erratum RP2350-E9: a pin with its pull-down keeps about 2.2 V once it was high. So every input of
the box is pulled up or driven; only bring-up pulls down, and takes the pin low first. The watchdog
allows 16.7 s and not 8.3; the box asks for 8 on both.

No RP2350 was emulated: its sizes are those of the data sheet and of MicroPython's board file, and
what follows from them is computed (docs/reliability.md).
"""

from micropython import const

from firmware.boards.pico import *  # noqa: F403  its pins

NAME = "pico-2-1"
MACHINE = "Raspberry Pi Pico2 with RP2350"
RAM_BYTES = const(520 * 1024)
FLASH_BYTES = const(4096 * 1024)
STORAGE_BYTES = const(2560 * 1024)
