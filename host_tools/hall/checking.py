"""What `schiri hall check` says of every box: is it fit for the day?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from host_tools.core.errors import Sentence
from host_tools.store.live import SILENT_S, BoxStatus

WEAK_DBM = -75
SLOW_MS = 1000
CLOCK_OFF_S = 5
LOW_MV = 3500
"""A lithium cell is nearly empty below."""


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
    faults: list[str]


def check_boxes(
    status: Sequence[BoxStatus], now: datetime, firmware: str, leagues: Sequence[str]
) -> list[BoxCheck]:
    """All boxes by their table. `firmware`: the version that they should have, "" for any."""
    names: dict[str, int] = {}
    for box in status:
        name = str(box.here.get("name", ""))
        names[name] = names.get(name, 0) + bool(name)
    checks = [_check(box, now, firmware, leagues, names) for box in status]
    return sorted(checks, key=lambda check: (check.table, check.box))


def _check(
    status: BoxStatus, now: datetime, firmware: str, leagues: Sequence[str], names: dict[str, int]
) -> BoxCheck:
    here, state = status.here, status.state
    hall = here.get("hall") or {}
    silent = (now - status.heard).total_seconds()
    off = _number(hall.get("clock_s"))
    check = BoxCheck(
        box=status.box,
        name=str(here.get("name", ""))[:32],
        table=_number(here.get("table")) or 0,
        silent_s=int(silent) if silent < 10 * 365 * 86400 else None,
        rssi=_number(state.get("rssi")),
        rtt_ms=_number(hall.get("rtt_ms")),
        clock_s=off,
        firmware=str(here.get("firmware", ""))[:32],
        league=str(here.get("league", "")),
        battery_mv=_number(state.get("battery_mv")),
        reader=str(state.get("reader", ""))[:32],
        faults=[],
    )
    found: tuple[tuple[bool, str, dict[str, object]], ...] = (
        (silent > SILENT_S or not here.get("here"), "hall_silent", {}),
        ((check.rssi or 0) < WEAK_DBM, "hall_weak", {"dbm": check.rssi}),
        ((check.rtt_ms or 0) > SLOW_MS, "hall_slow", {"ms": check.rtt_ms}),
        (off is not None and abs(off) > CLOCK_OFF_S, "hall_clock", {"seconds": off}),
        (bool(firmware) and check.firmware != firmware, "hall_firmware", {"ours": firmware}),
        (check.league not in leagues, "hall_league", {}),
        (check.battery_mv is not None and check.battery_mv < LOW_MV, "hall_battery", {}),
        (check.reader not in ("", "ok"), "hall_reader", {}),
        (names.get(check.name, 0) > 1, "hall_twin", {"name": check.name}),
    )
    check.faults.extend(Sentence(key, **fields) for wrong, key, fields in found if wrong)
    return check


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return int(value) if isinstance(value, int | float) else None
