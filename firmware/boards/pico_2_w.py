"""Raspberry Pi Pico 2 W: a Pico 2 with the radio of a Pico W; the one to buy.

Its errata and sizes are those of pico_2.py, its radio's pins those of pico_w.py. What is said of
it is computed.
"""

from firmware.boards.pico_2 import *  # noqa: F403

NAME = "pico-2-w-1"
MACHINE = "Raspberry Pi Pico 2 W with RP2350"
