"""The harness in wiring.yml: is it the one that the firmware expects? And its pictures.

Checks return sentences that say what no longer fits; an empty list is a good harness.
"""

import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware import pico_pins
from hardware.board_file import BoardPins
from hardware.revision import REV1
from hardware.tools import ToolFailed, find_tool

WIRING = REV1.wiring
LONGEST_M = 0.2  # research, wiring pitfall 8
SCREENS = ("SCREEN_SOUTH", "SCREEN_NORTH")

ConnectorPin = tuple[str, str]
# signal of the board file -> where its wire must end. The reader's 8-pin header leads straight to
# the chip, at 3.3 V: SS is HSU_RX there and MOSI is HSU_TX (PN532 data sheet, table of pins).
MODULES: dict[str, ConnectorPin] = {
    "reader TX": ("READER", "SS"),
    "reader RX": ("READER", "MOSI"),
    "reader IRQ": ("READER", "IRQ"),
    "reader reset": ("READER", "RSTPD_N"),
    "south screen SDA": ("SCREEN_SOUTH", "SDA"),
    "south screen SCL": ("SCREEN_SOUTH", "SCL"),
    "north screen SDA": ("SCREEN_NORTH", "SDA"),
    "north screen SCL": ("SCREEN_NORTH", "SCL"),
}
TARGETS: dict[str, ConnectorPin] = {
    **MODULES,
    "button UP": ("STRIP", "UP"),
    "button DOWN": ("STRIP", "DOWN"),
    "button OK": ("STRIP", "OK"),
    "button JURY": ("STRIP", "JURY"),
    "buzzer": ("STRIP", "BUZZER"),
}
SUPPLIES: dict[str, tuple[ConnectorPin, ...]] = {
    "3V3(OUT)": (("READER", "VCC"), *((screen, "VCC") for screen in SCREENS)),
    "GND": (("READER", "GND"), *((screen, "GND") for screen in SCREENS)),
}


@dataclass(frozen=True)
class End:
    """One end of a wire: connector, its pin number, and what is printed beside the pin."""

    connector: str
    pin: int
    label: str

    @property
    def spot(self) -> tuple[str, str]:
        """Pins of one label on one connector are joined."""
        return self.connector, self.label


@dataclass(frozen=True)
class WireHarness:
    """The connectors' pins and the wires between them."""

    wires: tuple[tuple[End, End], ...]
    colours: tuple[str, ...]  # of each wire, as WireViz writes them
    lengths: dict[str, float]
    cables: tuple[str, ...] = ()  # the cable that each wire is in

    def labels(self, connector: str) -> dict[int, str]:
        """What is printed beside those pins of a connector that have a wire."""
        return {
            end.pin: end.label for wire in self.wires for end in wire if end.connector == connector
        }

    def net(self, spot: tuple[str, str]) -> set[tuple[str, str]]:
        """Every spot that is joined to this one by wires."""
        joined = {spot}
        while True:
            more = {
                end.spot
                for wire in self.wires
                if any(end.spot in joined for end in wire)
                for end in wire
            }
            if more <= joined:
                return joined
            joined |= more


def load_wiring(path: Path = WIRING) -> WireHarness:
    """Read the WireViz file. ValueError says which wire ends nowhere."""
    raw = _read(path)
    wires: list[tuple[End, End]] = []
    colours: list[str] = []
    cables: list[str] = []
    for chain in raw["connections"]:
        (one, pins), (cable, cores), (other, ends) = (next(iter(link.items())) for link in chain)
        left = [_end(raw, one, pin) for pin in _spread(pins)]
        right = [_end(raw, other, pin) for pin in _spread(ends)]
        wires += zip(left, right, strict=True)
        colours += [raw["cables"][cable]["colors"][core - 1] for core in _spread(cores)]
        cables += [cable] * len(left)
    lengths = {name: float(cable["length"]) for name, cable in raw["cables"].items()}
    return WireHarness(tuple(wires), tuple(colours), lengths, tuple(cables))


def pin_labels(path: Path = WIRING) -> dict[str, list[str]]:
    """What is printed beside the pins of each connector, in their order."""
    described = _read(path)["connectors"]
    return {name: [str(label) for label in c["pinlabels"]] for name, c in described.items()}


def connector_types(path: Path = WIRING) -> dict[str, str]:
    """What each connector of the WireViz file says it is."""
    described = _read(path)["connectors"]
    return {name: str(connector["type"]) for name, connector in described.items()}


def _read(path: Path) -> dict[str, Any]:
    import yaml  # type: ignore[import-untyped]  # ships no types; a dev dependency, so only here

    try:
        raw: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{path.name} is no YAML: {' '.join(str(error).split())}") from error
    return raw


def _spread(pins: list[Any]) -> list[Any]:
    """WireViz writes 1-4 for 1, 2, 3, 4."""
    found: list[Any] = []
    for pin in pins:
        first, dash, last = str(pin).partition("-")
        if dash and first.isdigit() and last.isdigit():
            found += range(int(first), int(last) + 1)
        else:
            found.append(pin)
    return found


def _end(raw: dict[str, Any], connector: str, pin: Any) -> End:
    described = raw["connectors"][connector]
    labels = [str(label) for label in described["pinlabels"]]
    numbers = described.get("pins", list(range(1, len(labels) + 1)))
    known = numbers if isinstance(pin, int) else labels
    if pin not in known:
        raise ValueError(f"wiring.yml: {connector} has no pin {pin}.")
    place = known.index(pin)
    return End(connector, numbers[place], labels[place])


# --- checks ------------------------------------------------------------------------------------


def check_board(board: BoardPins) -> list[str]:
    """Can the Pico do what the board file asks of its pins?"""
    faults = []
    uses = Counter(board.signals().values())
    for gp, count in uses.items():
        if count > 1:
            names = " and ".join(name for name, pin in board.signals().items() if pin == gp)
            faults.append(f"GP{gp} is used {count} times: {names}.")
        if gp not in pico_pins.GP_TO_PIN:
            faults.append(f"GP{gp} is not on a pin of the Pico.")
    if board.reader_tx not in pico_pins.UART_TX[board.reader_uart]:
        faults.append(f"GP{board.reader_tx} cannot be TX of UART{board.reader_uart}.")
    if board.reader_rx not in pico_pins.UART_RX[board.reader_uart]:
        faults.append(f"GP{board.reader_rx} cannot be RX of UART{board.reader_uart}.")
    for bus, sda_gp, scl_gp in (
        (board.display_i2c, board.display_sda, board.display_scl),
        (board.north_i2c, board.north_sda, board.north_scl),
    ):
        for gp, sda in ((sda_gp, True), (scl_gp, False)):
            line = "SDA" if sda else "SCL"
            if pico_pins.i2c_of(gp) != bus or pico_pins.is_sda(gp) != sda:
                faults.append(f"GP{gp} cannot be {line} of I2C{bus}.")
    if board.display_i2c == board.north_i2c:
        faults.append(f"both screens are on I2C{board.north_i2c}, and both answer at 0x3C.")
    return faults


def check_wiring(
    harness: WireHarness, board: BoardPins, targets: "dict[str, ConnectorPin]" = TARGETS
) -> list[str]:
    """Does every wire end where the firmware expects it?"""
    return [
        *_pin_numbers(harness),
        *_signals(harness, board, targets),
        *_unknown_parts(harness, board),
        *_supplies(harness),
        *_lengths(harness),
    ]


def _pin_numbers(harness: WireHarness) -> list[str]:
    """Labels of the Pico stand at the right one of its 40 pins."""
    faults = []
    for end in {end for wire in harness.wires for end in wire if end.connector == "PICO"}:
        if end.label == "GND":
            right = end.pin in pico_pins.GROUND
        elif end.label.startswith("GP"):
            right = pico_pins.GP_TO_PIN.get(int(end.label[2:])) == end.pin
        else:
            right = pico_pins.SUPPLY.get(end.label) == end.pin
        if not right:
            faults.append(f"wiring.yml: pin {end.pin} of the Pico is not {end.label}.")
    return sorted(faults)


def _signals(
    harness: WireHarness, board: BoardPins, targets: "dict[str, ConnectorPin]"
) -> list[str]:
    faults = []
    for signal, gp in board.signals().items():
        net = harness.net(("PICO", f"GP{gp}"))
        target = targets[signal]
        if target not in net:
            faults.append(
                f"the firmware has the {signal} on GP{gp}, but wiring.yml does not lead "
                f"GP{gp} to {target[1]} of {target[0]}."
            )
        others = sorted(label for name, label in net if name == "PICO" and label != f"GP{gp}")
        if others:
            faults.append(f"wiring.yml joins GP{gp} ({signal}) with {', '.join(others)}.")
    return faults


def _unknown_parts(harness: WireHarness, board: BoardPins) -> list[str]:
    known = {f"GP{gp}" for gp in board.signals().values()}
    wired = {end.label for wire in harness.wires for end in wire if end.connector == "PICO"}
    return [
        f"wiring.yml has a wire on {label}, which the firmware does not use."
        for label in sorted(wired - known)
        if label.startswith("GP")
    ]


def _supplies(harness: WireHarness) -> list[str]:
    faults = []
    for supply, targets in SUPPLIES.items():
        net = harness.net(("PICO", supply))
        faults += [
            f"wiring.yml does not lead {supply} to {label} of {connector}."
            for connector, label in targets
            if (connector, label) not in net
        ]
        opposite = {spot for other in SUPPLIES if other != supply for spot in SUPPLIES[other]}
        faults += [
            f"wiring.yml joins {supply} with {label} of {connector}: a short circuit."
            for connector, label in sorted(net & opposite)
        ]
        others = {label for name, label in net if name == "PICO"} - {supply}
        if others:
            faults.append(f"wiring.yml joins {supply} with {', '.join(sorted(others))}.")
    charger = any(end.connector == "CHARGER" for wire in harness.wires for end in wire)
    if charger and ("CHARGER", "5V") not in harness.net(("PICO", "VSYS")):
        faults.append("wiring.yml does not lead the charger's 5V to VSYS.")
    return faults


def _lengths(harness: WireHarness) -> list[str]:
    return [
        f"cable {name} is {length} m long; {LONGEST_M} m is the limit."
        for name, length in harness.lengths.items()
        if length > LONGEST_M
    ]


# --- pictures ----------------------------------------------------------------------------------


def draw_wiring(source: Path = WIRING) -> dict[str, bytes]:
    """wiring.svg as bytes: the whole harness. Raises ToolMissing or ToolFailed."""
    find_tool("dot")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "wiring.yml"
        copy.write_bytes(source.read_bytes())
        done = subprocess.run(
            [sys.executable, "-m", "wireviz.wv_cli", "-f", "s", str(copy)],
            capture_output=True,
            text=True,
            check=False,
        )
        made = copy.with_suffix(".svg")
        if done.returncode != 0 or not made.exists():
            last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise ToolFailed(f"WireViz could not draw wiring.yml: {last}")
        return {made.name: made.read_bytes()}
