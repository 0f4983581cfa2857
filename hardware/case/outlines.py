"""The bought parts as boxes: where each lies in the case. Simple on purpose; plugs included."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from manifold3d import Manifold

from hardware.case.dimensions import BUTTONS, Sections, boxes, carrier_of, derive

Point3 = tuple[float, float, float]
_NECK = 8.0  # length of what is modelled of a cable or switch in its opening
_BOTH = (-0.5, 0.5)
_USB = (7.0, 7.6, 2.7)  # the Pico's socket
_FACE = 0.5  # a plugged-in cable ends that far inside the wall, where the socket begins


@dataclass(frozen=True)
class Part:
    """A box from `low` to `high` (mm). `module` is what is bought and mounted as one, `kind`
    colours it, `name` is for people. A `neck` passes through a wall.
    """

    module: str
    name: str
    kind: str
    low: Point3
    high: Point3

    def grown(self, sideways: float) -> "Part":
        """The same part, larger by `sideways` in x and y."""
        (x1, y1, z1), (x2, y2, z2) = self.low, self.high
        low, high = (x1 - sideways, y1 - sideways, z1), (x2 + sideways, y2 + sideways, z2)
        return replace(self, low=low, high=high)


def as_box(part: Part) -> Manifold:
    """The part as a body."""
    size = tuple(high - low for low, high in zip(part.low, part.high, strict=True))
    return Manifold.cube(size).translate(part.low)


def distance(one: Part, other: Part) -> float:
    """Shortest distance of two boxes (mm), 0 if they touch or overlap."""
    gaps = [
        max(other.low[axis] - one.high[axis], one.low[axis] - other.high[axis], 0.0)
        for axis in range(3)
    ]
    return float(sum(gap * gap for gap in gaps) ** 0.5)


def parts(d: Sections) -> list[Part]:
    """Every bought part with the room its plugs need."""
    carrier = _board(d) if "board" in d else [*_pico(d), *_strip(d)]
    found = [*carrier, *_reader(d), *_screens(d)]
    return found + (_battery(d) if d["case"]["battery"] else [])


def antenna(d: Sections) -> Part:
    """The reader's board: its coil runs along the edge."""
    return next(part for part in parts(d) if part.kind == "reader")


def _box(name: str, kind: str, middle: tuple[float, float], size: Point3, z: float) -> Part:
    """A box by its middle and size; "the reader's plugs" belong to the module "the reader"."""
    (x, y), (dx, dy, dz) = middle, size
    low, high = (x - dx / 2, y - dy / 2, z), (x + dx / 2, y + dy / 2, z + dz)
    return Part(name.split("'")[0], name, kind, low, high)


def _slab(section: Mapping[str, float]) -> Point3:
    return section["board_x"], section["board_y"], section["board_t"]


def _pico(d: Sections) -> list[Part]:
    """Hand-wired: pins up, soldered from below, four screws M2 beside the headers' plastic."""
    pico, plug, screws = d["pico"], d["plug"], d["screws"]
    x, y = middle = (derive(d)["pico_centre_x"], pico["centre_y"])
    top = pico["stand"] + pico["board_t"]
    rows = [(x, y + side * pico["row"]) for side in (-1, 1)]
    long = pico["board_x"] - 0.2
    pins = (long - 0.8, 2.6, plug["height"] + plug["bend"])
    joints = (long - 1.1, pico["pad"], pico["tails"])
    found = [_box("the Pico", "pico", middle, _slab(pico), pico["stand"])]
    for row in rows:
        found += [
            _box("the Pico's plugs", "plug", row, pins, top),
            _box("the Pico's row of plastic", "pin", row, (long, pico["plastic"], 2.5), top),
            _box("the Pico's row of joints", "joint", row, joints, pico["stand"] - pico["tails"]),
        ]
    head = (screws["m2_head"], screws["m2_head"], screws["m2_head_z"])
    holes = [(x + a * pico["hole_x"], y + b * pico["hole_y"]) for a in _BOTH for b in _BOTH]
    found += [_box("the Pico's screw", "head", hole, head, top) for hole in holes]
    return [*found, *_usb(d, "the Pico", top, 1)]


def _usb(d: Sections, owner: str, face: float, up: int) -> list[Part]:
    """The Pico's socket on its `face`, and the cable in it; `up` is -1 if it looks down."""
    pico, plug, x = d["pico"], d["plug"], derive(d)["pico_centre_x"] + d["pico"]["board_x"] / 2
    y, low = pico["centre_y"], face if up > 0 else face - _USB[2]
    socket = (x + pico["usb"] - _USB[0] / 2, y)
    outside = (d["case"]["inside_x"] + _FACE + _NECK / 2, y)
    shell = (_NECK, plug["shell_x"], plug["shell_z"])
    return [
        _box(f"{owner}'s USB", "usb", socket, _USB, low),
        _box(f"{owner}'s cable", "neck", outside, shell, face + up * pico["usb_z"] - shell[2] / 2),
    ]


def _reader(d: Sections) -> list[Part]:
    reader, plug, z = d["reader"], d["plug"], derive(d)["reader_z"]
    middle = (reader["centre_x"], reader["centre_y"])
    chips = (reader["board_x"] - 8, reader["board_y"] - 8, reader["below"])
    pins = (20.4, 2.6, plug["height"])  # the 8-pin header, towards the seat in the south
    header = (middle[0], middle[1] - reader["board_y"] / 2 + 2)
    free_row = (middle[0] - reader["board_x"] / 2 + 4, middle[1])
    return [
        _box("the reader", "reader", middle, _slab(reader), z),
        _box("the reader's components", "plug", middle, chips, z - reader["below"]),
        _box("the reader's plugs", "plug", header, pins, z - plug["height"]),
        # the 4-pin row stays without a header; both capacitors are soldered into it
        _box("the reader's capacitors", "plug", free_row, (4, 8, 7), z - 7),
    ]


def _screens(d: Sections) -> list[Part]:
    screen, plug, z = d["screen"], d["plug"], derive(d)["screen_z"]
    pins = (10.2, 2.6, plug["height"])
    found = []
    for name, y, inward in (("south", screen["south_y"], 1), ("north", screen["north_y"], -1)):
        middle = (screen["centre_x"], y)
        top = z + screen["board_t"]
        header = (middle[0], y + inward * (screen["board_y"] / 2 - 2))
        glass = (screen["glass_x"], screen["glass_y"], screen["glass_t"])
        lit = (screen["lit_x"], screen["lit_y"], 0.05)
        picture = (middle[0], y + inward * screen["lit_off"])
        found += [
            _box(f"the {name} screen", "screen", middle, _slab(screen), z),
            _box(f"the {name} screen's glass", "screen", middle, glass, top),
            _box(f"the {name} screen's picture", "lit", picture, lit, top + screen["glass_t"]),
            _box(f"the {name} screen's plug", "plug", header, pins, z - plug["height"]),
        ]
    return found


def _strip(d: Sections) -> list[Part]:
    strip, z = d["strip"], derive(d)["buttons_z"]
    middle = (strip["centre_x"], strip["centre_y"])
    board = _box("the strip", "strip", middle, _slab(strip), z)
    return [board, _plugs_of_strip(d), *_switches(d, "the strip")]


def _board(d: Sections) -> list[Part]:
    """The carrier board, the Pico in sockets below it, plugs on its lower side."""
    found, board, pico, plug = derive(d), d["board"], d["pico"], d["plug"]
    z = found["buttons_z"]
    bodies = [
        Part("the board", f"the board{of}", kind, (x1, y1, low), (x2, y2, high))
        for kind, of, name, low, high in (
            ("board", "", "slab", z, z + board["board_t"]),
            ("plug", "'s plugs", "J", z - plug["height"], z),
        )
        for x1, y1, x2, y2 in boxes(d, name)
    ]
    middle = (found["pico_centre_x"], pico["centre_y"])
    low = z - board["socket"] - pico["board_t"]
    sockets = [
        _box("the board's socket", "plug", (middle[0], middle[1] + side * 8.89),
             (pico["board_x"], 2.6, board["socket"]), z - board["socket"])
        for side in (-1, 1)
    ]  # fmt: skip
    return [
        *bodies,
        _box("the board's Pico", "pico", middle, _slab(pico), low),
        *sockets,
        *_usb(d, "the board", low, -1),
        *_switches(d, "the board"),
        *_at_the_wall(d, z + board["board_t"]),
    ]


def _at_the_wall(d: Sections, top: float) -> list[Part]:
    """Reset and power, which one reaches through the east wall; the lever slides along y."""
    ((west, south, east, north),) = boxes(d, "SW6")
    (reset,) = boxes(d, "SW5")
    slide, y = d["slide"], derive(d)["power_y"]
    reach, root = (slide["lever_wide"] + slide["travel"]) / 2, east - slide["lever"]
    spots = (
        ("reset", reset, d["reset"]["body_z"]),
        ("power switch", (west, south, root, north), slide["body_z"]),
        ("lever", (root, y - reach, east, y + reach), slide["body_z"]),
    )
    return [
        Part("the board", f"the board's {name}", "switch", (x1, y1, top), (x2, y2, top + high))
        for name, (x1, y1, x2, y2), high in spots
    ]


def _switches(d: Sections, owner: str) -> list[Part]:
    """Switches and buzzer on the upper side of what carries them."""
    switch, buzzer, found = d["switch"], d["buzzer"], derive(d)
    x, top = found["button_x"], found["buttons_z"] + d[carrier_of(d)]["board_t"]
    body = (switch["body"], switch["body"], switch["body_z"])
    pin = (switch["plunger"], switch["plunger"], switch["height"] - switch["body_z"])
    boxes = []
    for name in BUTTONS:
        middle = (x, found[f"{name}_y"])
        boxes += [
            _box(f"{owner}'s switch {name}", "switch", middle, body, top),
            _box(f"{owner}'s plunger {name}", "switch", middle, pin, top + switch["body_z"]),
        ]
    round_body = (buzzer["diameter"], buzzer["diameter"], buzzer["height"])
    return [*boxes, _box(f"{owner}'s buzzer", "switch", (x, found["buzzer_y"]), round_body, top)]


def _plugs_of_strip(d: Sections) -> Part:
    strip, plug, found = d["strip"], d["plug"], derive(d)
    long = strip["plug_pins"] * strip["pitch"]
    middle = (found["plug_x"], found["strip_first_y"] + long / 2 - strip["pitch"] / 2)
    z = found["buttons_z"] - plug["height"]
    return _box("the strip's plugs", "plug", middle, (2.6, long, plug["height"]), z)


def _battery(d: Sections) -> list[Part]:
    charger, pack = d["charger"], d["pack"]
    middle = (charger["centre_x"], derive(d)["charger_centre_y"])
    size = (charger["board_x"], charger["board_y"], charger["board_t"] + charger["above"])
    cell = (pack["size_x"], pack["size_y"], pack["size_z"])
    shell = (d["plug"]["shell_x"], _NECK, d["plug"]["shell_z"])
    outside = (charger["centre_x"], -_FACE - _NECK / 2)
    cable_z = charger["stand"] + charger["board_t"] + charger["usb_z"] - shell[2] / 2
    return [
        _box("the charger", "charger", middle, size, charger["stand"]),
        _box("the charger's cable", "neck", outside, shell, cable_z),
        _box("the pack", "pack", (pack["centre_x"], pack["centre_y"]), cell, pack["tape"]),
        *_rocker(d),
    ]


def _rocker(d: Sections) -> list[Part]:
    rocker = d["rocker"]
    body = (rocker["depth"], rocker["body_y"], rocker["body_z"])
    z = rocker["centre_z"] - rocker["body_z"] / 2
    inside, through = rocker["depth"] / 2 + 0.5, -_NECK / 2
    return [
        _box("the switch", "rocker", (inside, rocker["centre_y"]), body, z),
        _box("the switch's neck", "neck", (through, rocker["centre_y"]), (_NECK, *body[1:]), z),
    ]
