"""Runs inside the MicroPython VM: draws on the built-in framebuf, answers in hex."""

import json

import _host
import framebuf

WIDTH, HEIGHT = 40, 24
STAMP = framebuf.FrameBuffer(
    bytearray(b"\x3c\x42\x81\xa5\x81\x42\x3c\x00"), 8, 8, framebuf.MONO_VLSB
)
STRIP = bytes(range(0, 256, 8))

line = _host.read()
while line is not None:
    buffer = bytearray(WIDTH * HEIGHT // 8)
    frame = framebuf.FrameBuffer(buffer, WIDTH, HEIGHT, framebuf.MONO_VLSB)
    for name, arguments in json.loads(line):
        if name == "blit":
            frame.blit(STAMP, *arguments)
        elif name == "part":
            first, width, rows, *where = arguments
            view = memoryview(STRIP)[first:]
            frame.blit([view, width, rows, framebuf.MONO_VLSB, 16], *where)
        else:
            getattr(frame, name)(*arguments)
    _host.write("".join([f"{byte:02x}" for byte in buffer]))
    line = _host.read()
