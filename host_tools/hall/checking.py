"""What `schiri hall check` says of every box: is it fit for the day?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from host_tools.core.errors import Sentence
from host_tools.core.texts import ORIGINAL, REFUSALS
from host_tools.store.heard import SILENT_S, HeardBox, Refused

# thresholds, as docs/hall.md gives them
WEAK_DBM = -75
SLOW_MS = 1000
CLOCK_OFF_S = 5  # the hall corrects 2 s, so 5 s means that this failed
LOW_MV = 3500
"""A lithium cell is nearly empty below."""
LOW_HEAP = 10_000
"""Bytes. A match needs some for a long answer to the hall; a box goes on the air with 20 000."""


def why(refused: Refused) -> str:
    """Why messages were refused, in words; the names stand in docs/hall.md."""
    key = f"why_{refused.reason}"
    return Sentence(key) if key in REFUSALS[ORIGINAL] else refused.reason


@dataclass(frozen=True)
class BoxCheck:
    """One box: None where it did not say. `faults`: sentences; none if it is fit."""

    box: str
    name: str
    table: int
    silent_s: int | None
    rssi: int | None
    rtt_ms: int | None
    clock_s: int | None
    firmware: str
    league: str
    battery_mv: int | None
    reader: str
    heap: int | None
    faults: list[str]


def check_boxes(
    status: Sequence[HeardBox], now: datetime, firmware: str, leagues: Sequence[str]
) -> list[BoxCheck]:
    """All boxes by their table. `firmware`: the version that they should have, "" for any."""
    checks = [_check(box, now) for box in status]
    heard = [(check, box) for check, box in zip(checks, status, strict=True) if _heard(check, box)]
    names = Counter(check.name for check, _ in heard if check.name)
    tables = Counter(check.table for check, _ in heard if check.table)
    for check, box in zip(checks, status, strict=True):
        found: tuple[tuple[bool, str, dict[str, object]], ...] = (
            (not _heard(check, box), "hall_silent", {}),
            # what a box does not say is no fault of it
            ((check.rssi or 0) < WEAK_DBM, "hall_weak", {"dbm": check.rssi}),
            ((check.rtt_ms or 0) > SLOW_MS, "hall_slow", {"ms": check.rtt_ms}),
            (abs(check.clock_s or 0) > CLOCK_OFF_S, "hall_clock", {"seconds": check.clock_s}),
            (check.firmware != (firmware or check.firmware), "hall_firmware", {"ours": firmware}),
            (check.league not in leagues, "hall_league", {}),
            (_below(check.battery_mv, LOW_MV), "hall_battery", {"mv": check.battery_mv}),
            (_below(check.heap, LOW_HEAP), "hall_memory", {"free": check.heap}),
            (check.reader == "restarting", "hall_reader_restarts", {}),
            (check.reader not in ("", "ok", "restarting"), "hall_reader", {}),
            (check.table == 0, "hall_no_table", {}),
            (box.here.hall.doubt > 0, "hall_doubt", {"match": box.here.hall.doubt}),
            (tables[check.table] > 1, "hall_table_twice", {"table": check.table}),
            (names[check.name] > 1, "hall_twin", {"name": check.name}),
        )
        check.faults.extend(Sentence(key, **fields) for wrong, key, fields in found if wrong)
    # boxes without a table come last
    return sorted(checks, key=lambda check: (check.table or 1 << 30, check.box))


def _heard(check: BoxCheck, status: HeardBox) -> bool:
    silent = check.silent_s is None or check.silent_s > SILENT_S
    return status.here.here and not silent


def _below(value: int | None, least: int) -> bool:
    return value is not None and value < least


def _check(status: HeardBox, now: datetime) -> BoxCheck:
    here, state = status.here, status.state
    silent = (now - status.heard).total_seconds()
    return BoxCheck(
        box=status.box,
        name=here.name[:32],
        table=here.table,
        # a box that was never heard was heard in 1970
        silent_s=int(silent) if silent < 10 * 365 * 86400 else None,
        rssi=state.rssi,
        rtt_ms=here.hall.rtt_ms,
        clock_s=here.hall.clock_s,
        firmware=here.firmware[:32],
        league=here.league,
        battery_mv=state.battery_mv,
        reader=state.reader[:32],
        heap=state.heap,
        faults=[],
    )
