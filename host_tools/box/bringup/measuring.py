"""The conversation of bring-up: part by part, what the box measures and what its builder sees."""

import statistics
from dataclasses import dataclass, field
from typing import Any, Protocol

from hardware.twin.harness import NORTH, SOUTH, SWITCHES
from host_tools.box.bringup.faults import Signs
from host_tools.box.link import BoxLink

SIDES = {SOUTH: 0, NORTH: 1}
DISTANCES_MM = (0, 5, 10, 20, 30)
BAUDS = (115200, 230400, 460800, 921600)  # firmware/drivers/pn532/hsu.py
SPEEDS = len(BAUDS)
_POLLS = 50
_SH1106 = (0, 8, 12)  # firmware/drivers/display.py


class Builder(Protocol):
    """Who sits at the box. Every method may take as long as it likes."""

    def say(self, key: str, **values: object) -> None:
        """Hear a sentence of the texts."""

    def window(self, name: str) -> tuple[str, int | None]:
        """What stands in a window: "whole" with its number, "shifted", or "dark"."""

    def press(self, button: str) -> None:
        """Press a button now."""

    def hears(self) -> bool:
        """Were there three rising tones?"""

    def holds(self, mm: int) -> bool:
        """A tag is held at this distance; False to leave the rest out."""

    def wait(self) -> None:
        """A fifth of a second passes."""


@dataclass
class Findings:
    """`signs` for the diagnosis, `parts` as the box told them, for the report."""

    signs: Signs = field(default_factory=lambda: {"alive": True})
    parts: dict[str, Any] = field(default_factory=dict)


def measure(link: BoxLink, builder: Builder, screens: tuple[str, ...]) -> Findings:
    """Go through the box. Raises LinkLost, RequestError (a match is open)."""
    found = Findings()
    for part in (_supply, _lines, _screens, _reader, _speeds, _buttons, _tone, _range, _memory):
        part(link, builder, found, screens)
    link.request("bringup", part="end")
    return found


def figures(link: BoxLink) -> dict[str, float | str]:
    """What a box and its twin can be compared by: nobody need do anything for it."""
    reader = link.request("bringup", part="reader")
    found: dict[str, float | str] = {
        "reader version": str(reader["version"]),
        "RSTPD_N resets it": str(reader["reset"]),
    }
    for index in range(SPEEDS if reader["works"] else 0):
        echo = link.request("bringup", part="speed", index=index)
        name = f"echo at {BAUDS[index]} baud"
        found[f"{name}, ms"] = round(echo["us"] / 1000 / max(echo["sent"], 1), 2)
        found[f"{name}, faults"] = echo["sent"] - echo["good"] + echo["bad"]
    if reader["works"]:
        reads = link.request("bringup", part="reads")
        found["field off, on and search without a tag, ms"] = round(
            reads["us"] / 1000 / reads["tried"], 1
        )
    flash = link.request("bringup", part="flash")
    found["4 kB to flash, ms"] = flash["block_ms"]
    found["a record to flash, median ms"] = statistics.median(flash["append_ms"])
    found["a record to flash, longest ms"] = max(flash["append_ms"])
    health = link.request("health")
    if "heap_free" in health:
        found["heap free, bytes"] = health["heap_free"]
        found["largest free block, bytes"] = health["heap_largest"]
    for name, verdict in link.request("selftest").items():
        if name != "id":
            found[f"self-test: {name}"] = str(verdict)
    link.request("bringup", part="end")
    return found


def _ask(link: BoxLink, found: Findings, part: str, **fields: object) -> dict[str, Any]:
    reply = link.request("bringup", part=part, **fields)
    reply.pop("id", None)
    found.parts.setdefault(part, []).append(reply)
    return reply


def _supply(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "supply")
    builder.say("supply", mv=reply["vsys_mv"])


def _lines(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "lines")
    for gpio, low, high in reply["levels"]:
        found.signs[f"GP{gpio}"] = "floats" if (low, high) == (0, 1) else low
    found.signs["found"] = frozenset(tuple(answer) for answer in reply["found"])
    for sda, scl, address in reply["found"]:
        builder.say("answers", sda=sda, scl=scl, address=f"{address:#04x}")


def _screens(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "screens")
    by_side = {row[0]: row for row in reply["screens"]}
    _ask(link, found, "picture", south=1, north=2)
    for name, side in SIDES.items():
        _, well, address, status, *_ = by_side.get(side, (side, False, 0, 0))
        kind = "sh1106" if status & 0x0F in _SH1106 else "ssd1306"
        found.signs[f"kind {name}"] = (address, kind) if well else None
        if well:
            builder.say("screen_is", name=name, kind=kind.upper(), address=f"{address:#04x}")
        if name in screens:
            found.signs[f"window {name}"] = builder.window(name)
    found.parts["windows"] = {name: found.signs[f"window {name}"] for name in screens}


def _reader(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "reader")
    found.signs["reader"] = reply["version"] is not None
    found.signs["reset"] = reply["reset"]
    builder.say("reader_says" if reply["version"] else "reader_silent", version=reply["version"])
    if found.signs["reader"]:
        field_on = _ask(link, found, "reads")
        found.signs["field"] = not field_on["failed"]


def _speeds(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    if not found.parts["reader"][0]["works"]:
        return
    for index in range(SPEEDS):
        reply = _ask(link, found, "speed", index=index)
        builder.say("speed", **{name: reply[name] for name in ("baud", "sent", "good", "bad")})


def _buttons(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    for name in SWITCHES:
        seen = len(link.request("bringup", part="buttons")["pressed"])
        builder.press(name)
        came: list[int] = []
        for _ in range(_POLLS):
            came = link.request("bringup", part="buttons")["pressed"][seen:]
            if came:
                break
            builder.wait()
        arrived = tuple(dict.fromkeys(SWITCHES[code & 3] for code in came))
        found.signs[f"button {name}"] = arrived
        builder.say("pressed" if arrived == (name,) else "press_lost", button=name)
    found.parts["buttons"] = {name: found.signs[f"button {name}"] for name in SWITCHES}


def _tone(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    _ask(link, found, "tone")
    found.signs["tone"] = found.parts["heard"] = builder.hears()


def _range(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    """Twenty reads at each of five distances."""
    if not found.signs["reader"]:
        return
    rows = []
    for mm in DISTANCES_MM:
        if not builder.holds(mm):
            break
        reply = link.request("bringup", part="reads")
        rows.append({"mm": mm, "tried": reply["tried"], "read": reply["read"]})
        builder.say("range", mm=mm, read=reply["read"], tried=reply["tried"])
        if mm == 0:
            found.signs["card"] = reply["read"] > 0
    found.parts["range"] = rows


def _memory(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "flash")
    append_ms = statistics.median(reply["append_ms"])
    builder.say("flash", block=reply["block_ms"], append=append_ms)
    health = link.request("health")
    found.parts["health"] = {name: value for name, value in health.items() if name != "id"}
    if "heap_free" in health:
        builder.say("heap", free=health["heap_free"])
