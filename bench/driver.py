"""Figures of the reader driver on the twin: detect + 48 bytes, and taps with faults.

`measure()` and `measure_taps()` return rows for the table of `make bench`. All times are the
twin's (computed from bus and RF durations), so they do not depend on the machine.
"""

from bench.figure import Figure
from hardware.twin.pn532.chip import NO_HAND_OFF
from tests.support.reader_bench import ReaderBench
from tests.support.reader_taps import FLOOR_MS, detect, tag_of, tap_with_faults

NAMES = {"hsu": "HSU 921600", "i2c": "I2C 400 kHz", "spi": "SPI 5 MHz"}
ALLOWED = 1.25
FASTER = 8.0


def tap_ms(transport: str) -> float:
    """From the list command that finds the card to the CARD event, as in play: the field starts
    first (5 ms), and the chip takes its own time (1 ms a command, estimated)."""
    bench = ReaderBench(transport)
    bench.reader.start()
    bench.run(200)
    bench.field.place(tag_of(0))
    bench.run(200)
    return float(bench.reader.health.last_read_ms)


def measure() -> list[Figure]:
    """Detect + 48 bytes for the three transports, beside Adafruit's driver on the same twin."""
    return [figure for transport in FLOOR_MS for figure in _measure(transport)]


def _measure(transport: str) -> list[Figure]:
    from tests.support import adafruit  # the extra "reader"; only the comparison needs it

    ours = detect(transport)
    theirs = adafruit.detect(transport, tag_of(0), NO_HAND_OFF)
    name, times = NAMES[transport], theirs.ms / ours.ms
    goal_ms = ALLOWED * FLOOR_MS[transport]
    return [
        Figure(
            "card detected + 48 bytes",
            *(ours.ms, "ms", f"≤ {goal_ms:.1f} (1.25 × floor)", ours.ms <= goal_ms, name),
        ),
        Figure("  commands", ours.commands, "", case=name),
        Figure("  bytes on the wire", ours.bytes_on_wire, "B", case=name),
        Figure("  with field start and the chip's time", tap_ms(transport), "ms", case=name),
        Figure("  Adafruit's driver", theirs.ms, "ms", case=name),
        Figure("  its commands", theirs.commands, "", case=name),
        Figure("  its bytes on the wire", theirs.bytes_on_wire, "B", case=name),
        Figure("  times faster", times, "×", f"≥ {FASTER:.0f}", times >= FASTER, case=name),
    ]


def measure_taps(taps: int = 10_000, fault_rate: float = 0.05) -> list[Figure]:
    """Taps while 5 % of the chip's commands fail."""
    seen = tap_with_faults(taps, fault_rate)
    return [
        Figure("wrong cards", seen.wrong_cards, "", "0", seen.wrong_cards == 0),
        Figure("double counts", seen.double_counts, "", "0", seen.double_counts == 0),
        Figure("not recovered", seen.not_recovered, "", "0", seen.not_recovered == 0),
        Figure("faults met", seen.faults, ""),
        Figure("worst recovery", seen.worst_recovery_ms, "ms"),
    ]
