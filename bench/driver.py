"""Figures of the reader driver on the twin: detect + 48 bytes, and taps with faults.

`measure()` and `measure_taps()` return rows for the table of `make bench`. All times are the
twin's (computed from bus and RF durations), so they do not depend on the machine.
"""

from bench.figure import Figure
from hardware.twin.pn532.chip import NO_HAND_OFF
from tests.support.reader_bench import ReaderBench
from tests.support.reader_taps import FLOOR_MS, detect, tag_of, tap_with_faults

ALLOWED = 1.25
FASTER = 8.0


def tap_ms() -> float:
    """From the list command that finds the card to the CARD event, as in play: the field starts
    first (5 ms), and the chip takes its own time (1 ms a command, estimated)."""
    bench = ReaderBench()
    bench.reader.start()
    bench.run(200)
    bench.field.place(tag_of(0))
    bench.run(200)
    return float(bench.reader.health.last_read_ms)


def measure() -> list[Figure]:
    """Detect + 48 bytes over HSU at 921600, beside Adafruit's driver on the same twin."""
    from tests.support import adafruit  # the extra "reader"; only the comparison needs it

    ours = detect()
    theirs = adafruit.detect(tag_of(0), NO_HAND_OFF)
    goal_ms, times = ALLOWED * FLOOR_MS, theirs.ms / ours.ms
    return [
        Figure(
            "card detected + 48 bytes",
            *(ours.ms, "ms", f"≤ {goal_ms:.1f} (1.25 × floor)", ours.ms <= goal_ms),
        ),
        Figure("  commands", ours.commands, ""),
        Figure("  bytes on the wire", ours.bytes_on_wire, "B"),
        Figure("  with field start and the chip's time", tap_ms(), "ms"),
        Figure("  Adafruit's driver", theirs.ms, "ms"),
        Figure("  its commands", theirs.commands, ""),
        Figure("  its bytes on the wire", theirs.bytes_on_wire, "B"),
        Figure("  times faster", times, "×", f"≥ {FASTER:.0f}", times >= FASTER),
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
