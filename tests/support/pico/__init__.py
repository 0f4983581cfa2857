"""A Pico in software: real MicroPython firmware for the RP2040 in the emulator rp2040py, with the
twin's reader, display and buttons on its pins. Logic, memory, flash and rough milliseconds are
right; microseconds, caches and voltages are not modelled.
"""
