"""The USB line: queues, the cable, and Ctrl-C."""

from hardware.twin.clock import VirtualClock
from hardware.twin.usb import UsbLine


def make() -> tuple[VirtualClock, UsbLine]:
    clock = VirtualClock()
    return clock, UsbLine(clock)


def test_both_directions_keep_their_order() -> None:
    _, line = make()
    line.write(b"abc")
    assert line.take(2) == b"ab"
    line.write(b"d")
    assert line.take(9) == b"cd"
    line.put(b"xy")
    line.put(b"z")
    assert line.read(2) == b"xy"
    assert line.read() == b"z"


def test_the_box_sees_at_most_its_buffer_and_loses_nothing() -> None:
    _, line = make()
    sent = bytes(range(4, 254)) * 2
    line.write(sent)
    assert line.waiting() == 256
    got = b""
    while line.waiting():
        got += line.take(100)
    assert got == sent


def test_writing_takes_a_microsecond_a_byte() -> None:
    clock, line = make()
    line.put(bytes(500))
    assert clock.now_us == 500


def test_ctrl_c_interrupts_and_drops_what_waits() -> None:
    _, line = make()
    line.write(b"half a li\x03ne")
    assert line.interrupted
    assert line.take(99) == b"ne"


def test_a_pulled_cable_loses_everything_under_way() -> None:
    _, line = make()
    line.write(b"in")
    line.put(b"out")
    line.unplug()
    line.put(b"more")
    line.write(b"more")
    line.plug()
    assert line.read() == b""
    assert line.waiting() == 0
    line.put(b"again")
    assert line.read() == b"again"


def test_output_can_be_handed_on_at_once() -> None:
    _, line = make()
    heard: list[bytes] = []
    line.on_output = heard.append
    line.put(b"x")
    assert heard == [b"x"]
    assert line.read() == b""
