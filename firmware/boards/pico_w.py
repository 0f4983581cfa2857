"""Raspberry Pi Pico W: a Pico with a radio, so with less memory and less flash for the box.

The radio's firmware lies in the flash and its buffers in the RAM, used or not. Its LED hangs on
the radio; GP23, GP24, GP25 and GP29 belong to it, so VSYS is measured with GP25 high
(firmware/app/bringup.py). What is said of a Pico W was seen on an emulated one.
"""

from micropython import const

from firmware.boards.pico import *  # noqa: F403  its pins

NAME = "pico-w-1"
MACHINE = "Raspberry Pi Pico W with RP2040"
STORAGE_BYTES = const(640 * 1024)  # the radio's own firmware lies in the interpreter
