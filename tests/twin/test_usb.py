"""The USB line: queues, the cable, and Ctrl-C."""

from hardware.twin.clock import VirtualClock
from hardware.twin.usb import UsbQueues


def make() -> tuple[VirtualClock, UsbQueues]:
    clock = VirtualClock()
    return clock, UsbQueues(clock)


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


def test_a_host_that_does_not_read_holds_320_bytes_and_then_half_a_second() -> None:
    """mp_usbd_cdc.c: a queue of 256 and an endpoint of 64; then the write waits and takes none."""
    clock, line = make()
    line.packet_ms = None
    assert line.put(bytes(320)) == 320
    assert clock.now_us == 320
    assert not line.writable()
    assert line.put(b"x") == 0
    assert 500_000 <= clock.now_us - 320 <= 502_000
    assert line.read() == b""


def test_a_write_that_fits_in_part_waits_three_times() -> None:
    """Before the part that fits, behind it, and once more: mp_stream_rw tries again."""
    clock, line = make()
    line.packet_ms = None
    line.put(bytes(300))
    assert line.writable()
    assert line.put(bytes(64)) == 20
    assert 1_500_000 <= clock.now_us <= 1_510_000


def test_a_slow_host_fetches_packet_by_packet() -> None:
    clock, line = make()
    line.packet_ms = 10
    line.put(bytes(range(130)))
    assert line.read() == b""
    clock.advance(10_000)
    assert line.read() == bytes(range(64))
    clock.advance(20_000)
    assert line.read() == bytes(range(64, 130))


def test_a_host_that_comes_back_finds_what_lay_there() -> None:
    _, line = make()
    line.packet_ms = None
    line.put(b"old" * 100)
    line.packet_ms = 0
    line.put(b"new")
    assert line.read() == b"old" * 100 + b"new"
