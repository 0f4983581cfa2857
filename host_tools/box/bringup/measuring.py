"""The conversation of bring-up: part by part, what the box measures and what its builder sees."""

import statistics
from dataclasses import dataclass, field
from typing import Any, Protocol

from hardware.twin.harness import NORTH, SOUTH, SWITCHES
from hardware.twin.wiring import PICO
from host_tools.box.bringup.signs import FLOATS, NOBODY, Signs, answers, joined
from host_tools.box.link import BoxLink, LinkLost

SIDES = {SOUTH: 0, NORTH: 1}
DISTANCES_MM = (0, 5, 10, 20, 30)
BAUDS = (115200, 230400, 460800, 921600)  # firmware/drivers/pn532/hsu.py
SPEEDS = len(BAUDS)
VSYS_MV = (4000, 5500)
"""USB 2.0, 7.2.2: 4.40 V at the end of a cable, less 0.4 V of the Pico's diode; Pico data sheet,
section 4.5: 5.5 V at most."""
_RESET, _READER = PICO.reader_reset, (PICO.reader_tx, PICO.reader_rx, PICO.reader_irq)
"""What the reader does with its own lines while RSTPD_N is low, nobody knows."""
_POLLS = 50
_READS_WELL = 0.9  # of the reads of a tag that lies on the field
_SH1106 = (0, 8, 12)  # firmware/drivers/display.py


class Builder(Protocol):
    """Who sits at the box. Every method may take as long as it likes; None: not known, or tried by
    nobody.
    """

    def say(self, key: str, **values: object) -> None:
        """Hear a sentence of the texts."""

    def resists(self) -> bool | None:
        """Unplugged, more than 100 ohm between 3V3 and GND?"""

    def apart(self) -> bool | None:
        """Unplugged, does a meter stay silent between any two of MOSI, IRQ, RSTPD_N and VCC?"""

    def window(self, name: str) -> tuple[str, int | None]:
        """What stands in a window: "whole" with its number, "shifted", or "dark"."""

    def press(self, button: str) -> None:
        """Press a button now."""

    def hears(self) -> bool | None:
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
    """Go through the box; `lost` is the part at which it fell silent. Raises BoxRefusal (a match
    is open).
    """
    found = Findings()
    for part in (_supply, _lines, _screens, _reader, _speeds, _buttons, _tone, _range, _memory):
        try:
            part(link, builder, found, screens)
        except LinkLost:
            # no `end` to a silent box: it leaves the bring-up by itself after two minutes
            found.signs["lost"] = part.__name__.lstrip("_")
            return found
    link.request("bringup", part="end")
    return found


def figures(link: BoxLink) -> dict[str, float | str]:
    """What a box and its twin can be compared by: nobody need do anything for it."""
    lines = link.request("bringup", part="lines")
    reader = link.request("bringup", part="reader")
    levels = {f"GP{gpio}": _level(low, high) for gpio, low, high in lines["levels"]}
    follow = [f"GP{one}>GP{other}" for one, other in lines.get("joined", ())]
    found: dict[str, float | str] = {
        "supply, mV": link.request("bringup", part="supply")["vsys_mv"],
        **levels,
        "lines that follow others": " ".join(follow) or "none",
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
    reply.pop("id", None)  # of the link, another one in each run
    found.parts.setdefault(part, []).append(reply)
    return reply


def _supply(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    low, high = VSYS_MV
    # asked once: the part is measured again with the field on
    if not found.parts:
        found.signs |= {"ohms": builder.resists(), "apart": builder.apart()}
    reply = _ask(link, found, "supply")
    mv = reply["vsys_mv"]
    before = found.signs.get("supply", "fine")
    # a second measurement that is fine does not take back a first one that was not
    now = "low" if mv < low else "high" if mv > high else before
    found.signs["supply"] = now
    builder.say("supply", mv=mv)


def _lines(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "lines")
    for gpio, low, high in reply["levels"]:
        found.signs[f"GP{gpio}"] = _level(low, high)
    for one, other in reply.get("joined", ()):
        if one != _RESET or other not in _READER:
            found.signs[joined(one, other)] = True
    for sda, scl, address in reply["found"]:
        found.signs[answers(sda, scl, address)] = True
        builder.say("answers", sda=sda, scl=scl, address=f"{address:#04x}")


def _level(low: int, high: int) -> int | str:
    """Of a line, from its levels while it is pulled down and up."""
    return FLOATS if (low, high) == (0, 1) else low


def _screens(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "screens")
    _ask(link, found, "picture", south=1, north=2)
    for name, reported in kinds(reply).items():
        address, kind = found.signs[f"kind {name}"] = reported
        if reported != NOBODY:
            builder.say("screen_is", name=name, kind=kind.upper(), address=f"{address:#04x}")
        if name in screens:
            found.signs[f"window {name}"] = builder.window(name)
    found.parts["windows"] = {name: found.signs[f"window {name}"] for name in screens}


def kinds(reply: dict[str, Any]) -> dict[str, tuple[int, str]]:
    """Address and controller of each screen, from the part `screens`; NOBODY without."""
    by_side = {row[0]: row for row in reply["screens"]}
    found = {}
    for name, side in SIDES.items():
        _, well, address, status, *_ = by_side.get(side, (side, False, 0, 0))
        kind = "sh1106" if status & 0x0F in _SH1106 else "ssd1306"
        found[name] = (address, kind) if well else NOBODY
    return found


def _reader(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "reader")
    found.signs["reader"] = reply["version"] is not None
    found.signs["reset"] = reply["reset"]
    builder.say("reader_says" if reply["version"] else "reader_silent", version=reply["version"])
    if found.signs["reader"]:
        field_on = _ask(link, found, "reads")
        failed = field_on["failed"]
        found.signs["field"] = (not failed) if failed in (0, field_on["tried"]) else "some"
        _supply(link, builder, found, screens)  # once more, with the field on


def _speeds(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    """Only the slowest speed is judged: from the others the box goes back by itself."""
    if not found.parts["reader"][0]["works"]:
        if found.signs["reader"]:
            found.signs["line"] = False
        return
    for index in range(SPEEDS):
        reply = _ask(link, found, "speed", index=index)
        if not index:
            found.signs["line"] = reply["good"] == reply["sent"] and not reply["bad"]
        builder.say("speed", **{name: reply[name] for name in ("baud", "sent", "good", "bad")})


def _buttons(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    for name in SWITCHES:
        seen, _ = _presses(link)
        builder.press(name)
        came: list[int] = []
        for _ in range(_POLLS):
            came = _pressed_since(link, seen)
            builder.wait()  # also behind the first one: a bridged button comes a moment later
            if came:
                came = _pressed_since(link, seen)
                break
        # + 4 is a long press, which is good as well
        codes = {code & 3 for code in came}
        arrived = tuple(button for at, button in enumerate(SWITCHES) if at in codes)
        found.signs[f"button {name}"] = arrived
        builder.say("pressed" if arrived == (name,) else "press_lost", button=name)
    found.parts["buttons"] = {name: found.signs[f"button {name}"] for name in SWITCHES}


def _pressed_since(link: BoxLink, seen: int) -> list[int]:
    count, pressed = _presses(link)
    new = count - seen
    return pressed[-new:] if new else []


def _presses(link: BoxLink) -> tuple[int, list[int]]:
    """How many there were, and the last of them; a firmware that does not count tells of 64."""
    reply = link.request("bringup", part="buttons")
    pressed = reply["pressed"]
    return reply.get("count", len(pressed)), pressed


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
            found.signs["card"] = _share(reply["read"], reply["tried"])
    found.parts["range"] = rows


def _share(read: int, tried: int) -> bool | str:
    return read >= _READS_WELL * tried or ("some" if read else False)


def _memory(link: BoxLink, builder: Builder, found: Findings, screens: tuple[str, ...]) -> None:
    reply = _ask(link, found, "flash")
    append_ms = statistics.median(reply["append_ms"])
    builder.say("flash", block=reply["block_ms"], append=append_ms)
    health = link.request("health")
    found.parts["health"] = {name: value for name, value in health.items() if name != "id"}
    if "heap_free" in health:
        builder.say("heap", free=health["heap_free"])
