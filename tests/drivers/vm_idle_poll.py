"""Runs inside the MicroPython VM: a thousand idle polls with the heap locked, then with a card."""

import gc

import _host
import micropython

from firmware.drivers.display import Display
from firmware.drivers.pn532.chip import Pn532
from firmware.drivers.pn532.hsu import Hsu
from firmware.drivers.reader import Reader

ACK = b"\x00\x00\xff\x00\xff\x00"
# by command code: what a PN532 with no card says (frames worked out by hand)
ANSWERS = {
    0x02: ACK + b"\x00\x00\xff\x06\xfa\xd5\x03\x32\x01\x06\x07\xe8\x00",
    0x10: ACK + b"\x00\x00\xff\x02\xfe\xd5\x11\x1a\x00",
    0x12: ACK + b"\x00\x00\xff\x02\xfe\xd5\x13\x18\x00",
    0x14: ACK + b"\x00\x00\xff\x02\xfe\xd5\x15\x16\x00",
    0x32: ACK + b"\x00\x00\xff\x02\xfe\xd5\x33\xf8\x00",
    0x4A: ACK + b"\x00\x00\xff\x03\xfd\xd5\x4b\x00\xe0\x00",
}


class Uart:
    """Answers at once. It allocates nothing itself."""

    def __init__(self):
        self.answer = ACK
        self.at = len(ACK)
        self.lists = 0
        self.spare = []

    def init(self, baudrate):
        self.at = len(self.answer)

    def any(self):
        return len(self.answer) - self.at

    def readinto(self, buffer, count):
        for place in range(count):
            buffer[place] = self.answer[self.at + place]
        self.at += count
        return count

    def write(self, data):
        if len(data) > 6 and data[5] == 0xD4:
            self.answer = ANSWERS[data[6]]
            self.at = 0
            if data[6] == 0x4A:
                self.lists += 1

    def flush(self):
        pass


class Bus:
    """A screen that is on."""

    def __init__(self):
        self.writes = 0

    def writeto(self, address, data):
        self.writes += 1

    def readfrom_into(self, address, into):
        into[0] = 3


class Clock:
    def __init__(self):
        self.ms = 0

    def ticks_ms(self):
        return self.ms

    def ticks_diff(self, end, start):
        return end - start

    def ticks_add(self, ticks, delta):
        return ticks + delta

    def sleep_ms(self, ms):
        self.ms += ms

    def sleep_us(self, us):
        self.ms += 1


def polls(reader, display, clock, turns):
    for _ in range(turns):
        reader.step(clock.ms)
        display.step(clock.ms)
        clock.ms += 2


uart = Uart()
clock = Clock()
reader = Reader(Pn532(Hsu(uart, clock), clock), clock)
started = reader.start()
bus = Bus()
display = Display((lambda fast: bus, None), clock)
display.show()
polls(reader, display, clock, 1000)
uart.lists = bus.writes = 0
control = 0  # a new global would need heap
gc.collect()
micropython.heap_lock()
try:
    uart.spare = [uart] * 4
except MemoryError:
    control = 1  # the lock works
polls(reader, display, clock, 5000)  # MemoryError here fails the test
micropython.heap_unlock()
_host.write(f"{int(started)} {control} {uart.lists} {bus.writes}")
