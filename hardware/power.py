"""The power budget: how much the box draws, what 3V3(OUT) must give, and how long it runs."""

import tomllib
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

from hardware.board_file import constants
from hardware.revision import ROOT

POWER = Path(__file__).resolve().parent / "power.toml"
READER_FILE = ROOT / "firmware" / "drivers" / "reader.py"


@dataclass(frozen=True)
class Budget:
    """The figures of power.toml, and how long the firmware leaves the field off."""

    loads: dict[str, dict[str, Any]]
    waiting_on_ms: float  # the field, in a list that finds nobody
    resting_on_ms: float  # the same with a card that lies there
    dark_ms: float  # between two polls while the box waits for a card
    calm_ms: float  # the same while a card lies there
    supply: dict[str, float]
    sources: dict[str, dict[str, Any]]
    keep_alive: dict[str, Any]

    @property
    def duties(self) -> dict[str, float]:
        """Part of the time that the field is on: always, waiting for a card, a card lies there."""
        return {
            "always": 1.0,
            "waiting": self.waiting_on_ms / (self.waiting_on_ms + self.dark_ms),
            "resting": self.resting_on_ms / (self.resting_on_ms + self.calm_ms),
        }

    def draw_ma(self, duty: float, kind: str = "typical", radio: bool = False) -> float:
        """Current at 3.3 V, in mA, with the field on for `duty` of the time; `radio`: on Wi-Fi."""
        load = {name: float(values[kind]) for name, values in self.loads.items()}
        reader = load["reader_field"] * duty + load["reader_idle"] * (1 - duty)
        always = load["pico"] + load["screens"] + load["buzzer"]
        return always + reader + (load["radio"] if radio else 0.0)

    def usb_ma(self, duty: float, radio: bool = False) -> float:
        """Current at the 5 V socket, in mA."""
        return (
            self.draw_ma(duty, radio=radio) * self.supply["volts"] / 5.0 / self.supply["converter"]
        )

    def pulse_ma(self) -> float:
        """What a pulse of the keep-alive load draws at 5 V, in mA."""
        return 5000.0 / float(self.keep_alive["ohms"])

    def keep_alive_ma(self) -> float:
        """The same on average, in mA."""
        share = float(self.keep_alive["on_ms"]) / float(self.keep_alive["every_ms"])
        return self.pulse_ma() * share

    def hours(
        self, source: str, duty: float, kept_alive: bool = False, radio: bool = False
    ) -> float:
        """Run time from a source, in hours."""
        # less what the step up to 5 V loses; of a power bank that is off its watt-hours already
        stored = float(self.sources[source]["watt_hours"]) * float(self.sources[source]["boost"])
        extra_ma = self.keep_alive_ma() if kept_alive else 0.0
        return stored / ((self.usb_ma(duty, radio) + extra_ma) * 5 / 1000)

    def worst_out_ma(self) -> float:
        """The most that 3V3(OUT) gives to the reader, the screens and the buzzer, in mA."""
        return fsum(
            float(self.loads[name]["worst"]) for name in ("reader_field", "screens", "buzzer")
        )


def load_budget() -> Budget:
    """Read the figures."""
    raw = tomllib.loads(POWER.read_text(encoding="utf8"))
    return Budget(
        raw["loads"],
        raw["field"]["waiting_on_ms"],
        raw["field"]["resting_on_ms"],
        constant_of(READER_FILE, "_POLL_MS"),
        constant_of(READER_FILE, "_CALM_POLL_MS"),
        raw["supply"],
        raw["sources"],
        raw["keep_alive"],
    )


def constant_of(reader_file: Path, name: str) -> float:
    """A constant of the reader driver. ValueError if it is not there any more."""
    found = constants(reader_file)
    if name not in found:
        raise ValueError(f"{reader_file.name} has no {name}; the power budget needs it.")
    return float(found[name])


def check_power(budget: Budget) -> list[str]:
    """Sentences; none if the supply carries the box through a day and no bank falls asleep."""
    faults = []
    limit = budget.supply["out_limit"]
    if budget.worst_out_ma() > limit:
        faults.append(
            f"3V3(OUT) would have to give {budget.worst_out_ma():.0f} mA; {limit:.0f} mA is "
            "what the Pico's regulator is meant for."
        )
    whole = budget.draw_ma(1.0, "worst", radio=True)
    if whole > budget.supply["regulator"]:
        faults.append(
            f"the Pico's regulator would have to give {whole:.0f} mA with the radio on; "
            f"{budget.supply['regulator']:.0f} mA is its limit."
        )
    for source, values in budget.sources.items():
        hours = budget.hours(source, 1.0)
        if hours < 8:
            faults.append(f"{values['name_en']} lasts {hours:.0f} h, less than a tournament day.")
    return faults
