"""The ledger of bought parts (hardware/parts.toml): sizes, their worst cases, their sources."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARTS = Path(__file__).resolve().parent.parent / "parts.toml"
BASES = ("data sheet", "standard", "drawing", "shop", "range", "measured", "memory")
# what a builder can rely on without a caliper
FIRM = ("data sheet", "standard", "drawing", "measured")


@dataclass(frozen=True)
class Size:
    """A size in mm: nominal, lowest and highest, where it is from, who measured it."""

    mm: float
    low: float
    high: float
    basis: str
    source: str
    measured_by: str = ""


SizeTable = Mapping[str, Mapping[str, Size]]


def load_parts(path: Path = PARTS) -> dict[str, dict[str, Size]]:
    """Every part's sizes. ValueError names a size without a proper source."""
    raw = tomllib.loads(path.read_text(encoding="utf8"))
    return {
        part: {
            name: _size(f"{path.name}: {part}.{name}", values, raw["sources"])
            for name, values in sizes.items()
        }
        for part, sizes in raw["parts"].items()
    }


def _size(where: str, raw: Mapping[str, Any], sources: Mapping[str, Mapping[str, str]]) -> Size:
    unknown = set(raw) - {"mm", "tol", "low", "high", "from", "measured_by"}
    if unknown or "mm" not in raw or "from" not in raw:
        raise ValueError(f"{where} needs mm, from, and tol or low and high.")
    basis, source = "measured", str(raw.get("measured_by", ""))
    if raw["from"] != "measured":
        if raw["from"] not in sources:
            raise ValueError(f"{where} is from {raw['from']!r}, which [sources] does not have.")
        line = sources[raw["from"]]
        basis, source = line["basis"], line["says"]
    elif not source:
        raise ValueError(f"{where} is measured; write by whom and when (measured_by).")
    if basis not in BASES:
        raise ValueError(f"{where}: {basis!r} is no basis; these are: {', '.join(BASES)}.")
    mm = float(raw["mm"])
    low, high = (
        (mm - raw["tol"], mm + raw["tol"])
        if "tol" in raw
        else (raw.get("low", mm), raw.get("high", mm))
    )
    if not low <= mm <= high:
        raise ValueError(f"{where}: {mm} is not between {low} and {high}.")
    return Size(mm, float(low), float(high), basis, source, str(raw.get("measured_by", "")))
