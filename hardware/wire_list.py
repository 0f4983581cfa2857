"""The wires of both revisions as plain data, for bring-up (host_tools/box/bringup/wires.json).

    python -m hardware.wire_list

writes it anew; a test compares. `wires` are those that a builder plugs in; `copper` is what a
carrier board joins by itself. The battery's wires are left out: over USB nobody can measure them.
"""

import json
from pathlib import Path

from hardware.carrier import made, netlist
from hardware.revision import REV2, REVISIONS, ROOT
from hardware.wiring import TARGETS, End, WireHarness, load_wiring

TARGET = ROOT / "host_tools" / "box" / "bringup" / "wires.json"
_BATTERY = ("CHARGER", "SWITCH")
_MODULES = ("PICO", "J1", "J2", "J3", "STRIP")

Pair = list[list[str]]


def wire_list() -> dict[str, dict[str, list[Pair]]]:
    """Of each revision, `wires` and `copper` as pairs of `[connector, label]`."""
    found: dict[str, dict[str, list[Pair]]] = {}
    for revision in REVISIONS:
        harness = load_wiring(revision.wiring)
        found[revision.name] = {"wires": _wires(harness), "copper": []}
        if revision == REV2:
            joined = netlist.with_wires(made.load_made().joints, harness).wires
            found[revision.name]["copper"] = _copper(joined[len(harness.wires) :])
    return found


def _wires(harness: WireHarness) -> list[Pair]:
    return [
        [list(one.spot), list(other.spot)]
        for one, other in harness.wires
        if not {one.connector, other.connector} & set(_BATTERY)
    ]


def _copper(joined: tuple[tuple[End, End], ...]) -> list[Pair]:
    """What the board joins, its switches and buzzer under the names of the strip of revision 1."""
    switches = {
        spot: TARGETS[signal]
        for signal, spot in netlist.BOARD_TARGETS.items()
        if signal in TARGETS
    }
    spots = [[switches.get(end.spot, end.spot) for end in pair] for pair in joined]
    kept = [pair for pair in spots if all(connector in _MODULES for connector, _ in pair)]
    return sorted([list(map(list, pair)) for pair in kept] + [[["PICO", "GND"], ["STRIP", "GND"]]])


def main(target: Path = TARGET) -> None:
    target.write_text(json.dumps(wire_list(), indent=1) + "\n", encoding="utf8")


if __name__ == "__main__":
    main()
