"""A picture for each step at the bench: what is added now in colour, what was there in grey.

Wires come from wiring.yml, the board of revision 2 from its KiCad file. Words in the pictures are
names of wiring.yml and of the schematic, the same in every language.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hardware import svg
from hardware.carrier.made import Made, Point
from hardware.wiring import End, WireHarness

COLOURS = {
    "YE": "#f2c200", "OG": "#f27a00", "GY": "#8a8a8a", "VT": "#8e3fd0", "RD": "#d81010",
    "BK": "#111111", "BU": "#1464e0", "GN": "#0a9a3c", "WH": "#ffffff", "BN": "#8b5a2b",
}  # fmt: skip
_EARLIER, _FAINT, _INK = "#c9c9c9", "#9a9a9a", "#111"
_STEP = 5.0  # between two pins of a module
_OPTIONAL = ("CHARGER", "SWITCH")
_SCALE = 3.6  # pixels a unit: 240 units fill a page
_SUPPLY, _GROUND = End("PICO", 36, "3V3(OUT)"), End("PICO", 38, "GND")

PinSpot = tuple[str, int]
Wires = tuple[tuple[End, End], ...]


@dataclass
class PinLayout:
    """Where each pin is drawn, which ways a wire may leave it, and what lies below the wires."""

    height: float
    ports: dict[PinSpot, list[tuple[float, float, float]]] = field(default_factory=dict)
    labels: dict[PinSpot, tuple[float, float, str, str]] = field(default_factory=dict)
    shapes: list[str] = field(default_factory=list)

    def module(
        self, name: str, words: list[str], at: Point, wide: float, ways: str, up: bool = False
    ) -> None:
        """A box with its pins one below the other; `ways`: sides that wires leave at, "<>".

        `up`: pin 1 is the lowest.
        """
        x, y = at
        tall = _STEP * len(words) + 3
        title = name.replace("_", " ")
        self.shapes += [
            svg.rect(x, y, wide, tall, "#eef3f8", 'rx="1.5"'),
            svg.text(x + wide / 2, y - 1.5, title, 3.6, "middle"),
        ]
        for number, word in enumerate(words, start=1):
            pin_y = y + _STEP * (len(words) + 1 - number if up else number) - 1
            self.ports[name, number] = [
                (x if way == "<" else x + wide, pin_y, -1.0 if way == "<" else 1.0) for way in ways
            ]
            self.labels[name, number] = (x + wide / 2, pin_y + 1.2, word, "middle")

    def pico(self, at: Point, names: dict[int, str]) -> None:
        """The 40 pins from above, USB on top."""
        x, y = at
        wide, tall = 48.0, 20 * _STEP + 2
        self.shapes += [
            svg.rect(x, y, wide, tall, "#e2f1e2", 'rx="2"'),
            svg.rect(x + wide / 2 - 8, y - 5, 16, 9, "#cfcfcf"),
            svg.text(x + wide / 2, y + 1.6, "USB", 3.2, "middle"),
            svg.text(x + wide / 2, y + tall + 5, "PICO", 3.6, "middle"),
        ]
        for pin in range(1, 41):
            west = pin <= 20
            pin_y = y + _STEP * (pin if west else 41 - pin) - 1.5
            edge = x if west else x + wide
            self.ports["PICO", pin] = [(edge, pin_y, -1.0 if west else 1.0)]
            word = f"{pin} {names.get(pin, '')}" if west else f"{names.get(pin, '')} {pin}"
            inset, anchor = (3, "start") if west else (-3, "end")
            self.labels["PICO", pin] = (edge + inset, pin_y + 1.2, word.strip(), anchor)


def picture(bench: PinLayout, earlier: Wires, new: Wires, colours: tuple[str, ...]) -> bytes:
    """The bench with both kinds of wires; only pins of this step have black names."""
    used = {(end.connector, end.pin) for wire in new for end in wire}
    shapes = list(bench.shapes)
    for pin, ports in bench.ports.items():
        for x, y, _ in ports if pin not in used else []:
            shapes.append(svg.circle(x, y, 0.8, "#fff"))
    for wire in earlier:
        shapes.append(svg.curve(*_ways(bench, wire), _EARLIER, 0.9))
    for wire, colour in zip(new, colours, strict=True):
        way = _ways(bench, wire)
        shapes += [
            svg.curve(*way, _INK, 2.1),
            svg.curve(*way, COLOURS[colour], 1.5),
            *(svg.circle(x, y, 1.5, COLOURS[colour]) for x, y, _ in way),
        ]
    for pin, (x, y, word, anchor) in bench.labels.items():
        colour = _INK if pin in used else _FAINT
        shapes.append(svg.text(x, y, word, 3.3, anchor, colour, pin in used))
    return svg.sheet(240, bench.height, shapes, _SCALE)


def _ways(
    bench: PinLayout, wire: tuple[End, End]
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """The two ports of a wire that make it shortest."""
    one, other = (bench.ports[end.connector, end.pin] for end in wire)
    pairs = [(a, b) for a in one for b in other]
    return min(pairs, key=lambda pair: math.dist(pair[0][:2], pair[1][:2]))


def each_cable(harness: WireHarness, lay: Callable[[], PinLayout]) -> dict[str, bytes]:
    """wires_W1.svg …, in the order of wiring.yml."""
    made: dict[str, bytes] = {}
    earlier: list[tuple[End, End]] = []
    for cable in dict.fromkeys(harness.cables):
        new = [at for at, name in enumerate(harness.cables) if name == cable]
        wires = tuple(harness.wires[at] for at in new)
        colours = tuple(harness.colours[at] for at in new)
        made[f"wires_{cable}.svg"] = picture(lay(), tuple(earlier), wires, colours)
        earlier += wires
    return made


# --- revision 1 --------------------------------------------------------------------------------


def hand_wired(labels: dict[str, list[str]], names: dict[int, str]) -> PinLayout:
    """Modules to the west of the Pico, the strip between them; battery parts in the east."""
    bench = PinLayout(200.0)
    bench.pico((138, 10), names)
    for name, at, wide, ways in (
        ("READER", (4.0, 12.0), 34.0, ">"),
        ("SCREEN_SOUTH", (4.0, 82.0), 34.0, ">"),
        ("SCREEN_NORTH", (4.0, 122.0), 34.0, ">"),
        ("STRIP", (76.0, 126.0), 30.0, "<>"),
        ("CHARGER", (208.0, 24.0), 28.0, "<"),
        ("SWITCH", (208.0, 64.0), 28.0, "<"),
    ):
        bench.module(name, labels[name], at, wide, ways)
    return bench


def trial(labels: dict[str, list[str]], names: dict[int, str], harness: WireHarness) -> bytes:
    """The reader alone: its signals as in wiring.yml, its power straight from the Pico."""
    bench = PinLayout(120.0)
    bench.pico((138, 10), names)
    bench.module("READER", labels["READER"], (4.0, 12.0), 34.0, ">")
    signals = [(w, c) for w, c in zip(harness.wires, harness.colours, strict=True)
               if {end.connector for end in w} == {"PICO", "READER"}
               and "RSTPD_N" not in [end.label for end in w]]  # fmt: skip
    power = [
        ((end, End("READER", labels["READER"].index(name) + 1, name)), colour)
        for end, name, colour in ((_SUPPLY, "VCC", "RD"), (_GROUND, "GND", "BK"))
    ]
    wires, colours = zip(*signals, *power, strict=True)
    return picture(bench, (), wires, colours)


def meter(names: dict[int, str]) -> bytes:
    """Where the meter's two tips go before the first power."""
    bench = PinLayout(120.0)
    bench.pico((90, 10), names)
    bench.module("METER", ["red", "black (COM)"], (170.0, 20.0), 40.0, "<")
    tips = ((_SUPPLY, End("METER", 1, "red")), (_GROUND, End("METER", 2, "black")))
    return picture(bench, (), tips, ("RD", "BK"))


def breadboard(labels: dict[str, list[str]], names: dict[int, str], harness: WireHarness) -> bytes:
    """The bench test: what the strip joins is joined by a breadboard's two rails; one button.

    RSTPD_N is left out: its pad is soldered later.
    """
    bench = PinLayout(190.0)
    bench.pico((138, 10), names)
    for name, y in (("READER", 12.0), ("SCREEN_SOUTH", 82.0), ("SCREEN_NORTH", 122.0)):
        bench.module(name, labels[name], (4.0, y), 34.0, ">")
    bench.module("RAILS", ["+ (3V3)", "- (GND)"], (80.0, 140.0), 30.0, "<>")
    bench.module("BUTTON", ["a", "b"], (140.0, 152.0), 30.0, "<")
    rails = {"3V3": End("RAILS", 1, "+"), "GND": End("RAILS", 2, "-")}
    wires, colours = [], []
    for wire, colour in zip(harness.wires, harness.colours, strict=True):
        if "RSTPD_N" in [end.label for end in wire]:
            continue
        ends = [rails.get(end.label, end) if end.connector == "STRIP" else end for end in wire]
        if any(end.connector in (*_OPTIONAL, "STRIP") for end in ends):
            if "OK" not in [end.label for end in ends]:
                continue
            ends = [End("BUTTON", 1, "a") if end.connector == "STRIP" else end for end in ends]
        wires.append((ends[0], ends[1]))
        colours.append(colour)
    wires.append((End("BUTTON", 2, "b"), rails["GND"]))
    return picture(bench, (), tuple(wires), (*colours, "BK"))


# --- revision 2 --------------------------------------------------------------------------------


_MM = 1.75  # units a millimetre of the board
_GREEN, _PAD = "#d9ead9", "#e8d48a"
_NEW, _DONE = "#ff9a3d", "#c4cbd2"


def board_bench(made: Made, labels: dict[str, list[str]]) -> PinLayout:
    """The carrier board from below, its headers towards the modules in the east."""
    bench = PinLayout(176.0)
    view = BoardSide(made, (24.0, 8.0), _MM, True)
    headers = [name for name in made.parts if name.startswith("J")]
    bench.shapes += [view.edge(), *view.bodies([*headers, "SW5", "SW6"]), *view.bodies(["U1"])]
    bench.shapes += [*view.pads(["J4", *(name for name in made.parts if name.startswith("H"))])]
    x, y = view.at(made.parts["U1"].at)
    bench.shapes += [
        svg.text(x, y + 1.2, "PICO", 3.6, "middle"),
        svg.text(13, y + 1.2, "USB", 3.6, "middle"),
        svg.rect(18, y - 7, 10, 14, "#cfcfcf"),
    ]
    for name in ("J1", "J2", "J3"):
        for number, pad in enumerate(made.parts[name].pads, start=1):
            x, y = view.at((pad[0], pad[1]))
            bench.ports[name, number] = [(x, y, 1.0)]
            bench.labels[name, number] = (x - 3, y + 1.1, labels[name][number - 1], "end")
        x, y = view.at(made.parts[name].at)
        bench.shapes.append(svg.text(x - 24, y + 1.2, name, 3.6, "end", _INK, True))
    for ref, word, off, anchor in (
        ("J4", "J4  5V_IN", 4.0, "start"),
        ("SW5", "RESET", -9.0, "end"),
        ("SW6", "POWER", -12.0, "end"),
    ):
        x, y = view.at(made.parts[ref].at)
        bench.shapes.append(svg.text(x + off, y + 1.2, word, 3.3, anchor))
    for name, y in (("READER", 118.0), ("SCREEN_SOUTH", 86.0), ("SCREEN_NORTH", 56.0)):
        bench.module(name, labels[name], (186.0, y), 40.0, "<", up=True)
    return bench


@dataclass(frozen=True)
class BoardSide:
    """A side of the made board on paper: its north-west corner at `corner`, `scale` units a mm."""

    made: Made
    corner: Point
    scale: float
    below: bool

    def at(self, place: Point) -> Point:
        """A place of the board on the sheet; from below, west and east change sides."""
        xs, ys = [x for x, _ in self.made.edge], [y for _, y in self.made.edge]
        across = max(xs) - place[0] if self.below else place[0] - min(xs)
        return (
            round(self.corner[0] + across * self.scale, 2),
            round(self.corner[1] + (max(ys) - place[1]) * self.scale, 2),
        )

    def edge(self) -> str:
        """The outline."""
        return svg.polygon([self.at(point) for point in self.made.edge], _GREEN)

    def bodies(self, refs: Iterable[str], fill: str = "#f4f4f4") -> list[str]:
        """Outlines of parts."""
        shapes = []
        for ref in refs:
            west, south, east, north = self.made.parts[ref].body
            (x1, y1), (x2, y2) = self.at((west, north)), self.at((east, south))
            shapes.append(svg.rect(min(x1, x2), y1, abs(x2 - x1), y2 - y1, fill))
        return shapes

    def pads(self, refs: Iterable[str]) -> list[str]:
        """Pads of some parts that can be seen from this side: in holes, or lying here."""
        return [
            svg.rect(x - w / 2, y - h / 2, w, h, _PAD, f'rx="{min(w, h) / 2 if drill else 0:g}"')
            for part in map(self.made.parts.__getitem__, refs)
            for px, py, wide, high, drill in part.pads
            if drill or part.back == self.below
            for (x, y), w, h in [(self.at((px, py)), wide * self.scale, high * self.scale)]
        ]

    def name(self, ref: str, first_pad: str) -> list[str]:
        """A part's name in its middle, beside it if it is small; what its first pad is."""
        part = self.made.parts[ref]
        west, _, east, _ = part.body
        (x, y), small = self.at(part.at), east - west < 5
        x += (east - west) / 2 * self.scale + 4 if small else 0.0
        if small and ref[0] == "J":
            x -= (east - west) * self.scale + 8  # wires leave on the other side
        shapes = [svg.text(x, y + 1.1, ref, 3.3, "middle", _INK, True)]
        if ref == "U1":  # its sockets, not the Pico
            rows = sorted({pad[1] for pad in part.pads})
            corners = [(self.at((west, row + 1.27)), self.at((east, row - 1.27))) for row in rows]
            shapes += [
                svg.rect(min(a[0], b[0]), a[1], abs(b[0] - a[0]), b[1] - a[1], _NEW)
                for a, b in corners
            ] + self.pads(["U1"])
        if first_pad:
            px, py = self.at((part.pads[0][0], part.pads[0][1]))
            mx, my = self.at(part.at)
            far = 1.6 if math.dist((px, py), (mx, my)) < 8 else 1.3
            at = (mx + (px - mx) * far, my + (py - my) * far + 1.4)
            shapes.append(svg.text(*at, first_pad, 4, "middle", "#c00", True))
        return shapes


# the order of soldering: flat parts first, then low ones, sockets last; seen from which side
SOLDER = (
    ("bottom", "Q1 C1 C3"),
    ("top", "C2 D2 D3"),
    ("bottom", "R1 R3 R4 R5 R6 R7 R8 R9"),
    ("top", "D1 SW5 SW6"),
    ("top", "SW1 SW2 SW3 SW4 LS1"),
    ("bottom", "J1 J2 J3 J4 U1"),
)
_FIRST_PAD = {"CP_6.3": "+", "SMA": "K", "DO-41_P10.16": "K"}  # what pin 1 of a footprint is


def solder_steps(made: Made) -> dict[str, bytes]:
    """solder_1.svg …: the board from the side that the parts are put on, and their list."""
    pictures, done = {}, list[str]()
    for number, (side, names) in enumerate(SOLDER, start=1):
        refs = names.split()
        view = BoardSide(made, (10.0, 8.0), _MM, side == "bottom")
        here = [ref for ref in done if made.parts[ref].back == view.below]
        shapes = [view.edge(), *view.pads(made.parts), *view.bodies(here, _DONE)]
        shapes += [*view.bodies([ref for ref in refs if ref != "U1"], _NEW), *view.pads(refs)]
        for row, ref in enumerate(refs):
            part = made.parts[ref]
            shapes += view.name(ref, _FIRST_PAD.get(part.footprint, ""))
            words = "2 x 1x20" if ref == "U1" else part.value
            shapes.append(svg.text(128, 92 + 8 * row, f"{ref}  {words}", 4))
        shapes.append(svg.text(128, 80, f"{number}  {side.upper()}", 5, "start", _INK, True))
        pictures[f"solder_{number}.svg"] = svg.sheet(240, 176, shapes, _SCALE)
        done += refs
    return pictures
