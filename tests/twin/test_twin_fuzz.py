"""Whatever comes over the line, the chip neither fails nor stays confused after a reset."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.twin.faults import FaultPlan
from hardware.twin.pn532.frames import build
from tests.twin.dialogue import UID, WAKE_UP, Bench, rsp

COMMANDS = (0x00, 0x02, 0x04, 0x06, 0x08, 0x0C, 0x0E, 0x10, 0x12, 0x14, 0x16, 0x32)
RF_COMMANDS = (0x40, 0x42, 0x44, 0x4A, 0x52, 0x54, 0x60)
TAG_COMMANDS = (0x30, 0x3A, 0x60, 0x3C, 0x39, 0x1B, 0xA2, 0xA0, 0x26, 0x52, 0x93, 0x95, 0x50)

junk = st.binary(max_size=40)
commands = st.builds(
    lambda code, data: build(0xD4, bytes([code]) + data),
    st.sampled_from(COMMANDS + RF_COMMANDS),
    st.binary(max_size=20),
)
to_the_tag = st.builds(
    lambda head, code, data: build(0xD4, head + bytes([code]) + data),
    st.sampled_from([b"\x40\x01", b"\x42"]),
    st.sampled_from(TAG_COMMANDS),
    st.binary(max_size=18),
)
listing = st.just(build(0xD4, b"\x4a\x01\x00"))
crc_off = st.just(build(0xD4, bytes.fromhex("08 63 02 00 63 03 00 63 3D 07")))


@given(
    st.lists(st.one_of(junk, commands, to_the_tag, listing, crc_off), max_size=25),
    st.integers(0, 1000),
)
def test_any_bytes_are_survived(sayings: list[bytes], seed: int) -> None:
    bench = Bench()
    bench.chip.faults = FaultPlan.seeded(seed, 25, 0.1)
    bench.lay()
    for saying in sayings:
        bench.say(saying)
        bench.hear(20_000)
    bench.chip.set_reset(0)
    bench.clock.advance(100_000)
    bench.chip.set_reset(1)
    bench.clock.advance(5_000)
    bench.port.baud = 115_200
    bench.hear()
    bench.chip.faults = FaultPlan()
    bench.say(WAKE_UP)
    assert bench.ask("02") == rsp("03 32 01 06 07")
    assert [tag.uid for tag in bench.field.tags] == [UID]
