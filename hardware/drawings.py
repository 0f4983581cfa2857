"""The sketches of the build guide, drawn from the board file, the wiring and the dimensions."""

from collections.abc import Callable

from hardware import svg
from hardware.board_file import BoardPins
from hardware.case.dimensions import Sections
from hardware.pico_pins import GP_TO_PIN, GROUND, SUPPLY
from hardware.wiring import WireHarness

# the strip: rows of holes, counted from the west; the header's is in the dimensions
SWITCH_ROWS = (0, 3)
BUZZER_ROW = 2
RED, BLACK, ORANGE = "#c00", "#111", "#e70"
_At = Callable[[float, float], tuple[float, float]]
_JOINED = {"3V3": RED, "GND": BLACK}


def pico(board: BoardPins, harness: WireHarness) -> bytes:
    """The Pico seen from above, USB on top: used pins with their signals."""
    by_pin = {GP_TO_PIN[gp]: f"GP{gp}  {name}" for name, gp in board.signals().items()}
    supplies = harness.labels("PICO").items()
    by_pin |= {pin: label for pin, label in supplies if not label.startswith("GP")}
    shapes = [svg.rect(40, 6, 21, 51, "#e4f3e4"), svg.rect(46.5, 4.7, 8, 5, "#ccc")]
    shapes.append(svg.text(50.5, 33, "Pico", 3.2, "middle"))
    for pin in range(1, 41):
        left = pin <= 20
        y = 7.6 + 2.5 * ((pin - 1) if left else (40 - pin))
        x, edge = (41.5, 38) if left else (59.5, 63)
        name = by_pin.get(pin, "")
        colour = "#fc3" if name else "#fff"
        if pin in GROUND:
            colour = "#999"
        if pin in SUPPLY.values() and name:
            colour = "#e66"
        shapes.append(svg.circle(x, y, 0.9, colour))
        shapes.append(svg.text(44 if left else 57, y + 0.7, str(pin), 1.7, "middle"))
        if name:
            shapes.append(svg.text(edge, y + 0.8, name, 2.2, "end" if left else "start"))
    return svg.sheet(101, 61, shapes, 8)


STRIP_STEPS = ("strip_parts", "strip_ground", "strip_signals", "strip_header")


def strip(d: Sections, harness: WireHarness, step: str = "") -> bytes:
    """The button strip, seen from the side of the switches, south end on the left.

    West is up in the picture: it shows the strip lying, as on the bench. Of a step: what is added
    in full colour, what was there pale, nothing that comes later.
    """
    s, cut = d["strip"], d["switch"]["body"]
    left, top = 6.0, 9.0
    edge_x = left + (s["board_y"] - (s["columns"] - 1) * s["pitch"]) / 2
    edge_y = top + (s["board_x"] - (s["rows"] - 1) * s["pitch"]) / 2

    def at(row: float, column: float) -> tuple[float, float]:
        return edge_x + column * s["pitch"], edge_y + row * s["pitch"]

    shapes = [svg.rect(left, top, s["board_y"], s["board_x"], "#f3e3bd")]
    for row in range(int(s["rows"])):
        shapes += [svg.circle(*at(row, c), 0.45, "#fff") for c in range(int(s["columns"]))]
    parts = []
    for name in ("ok", "down", "up", "jury"):
        x, y = at(s["switch_row"], s[name])
        parts.append(svg.rect(x - cut / 2, y - cut / 2, cut, cut, "#00000022"))
        parts.append(svg.text(x, y + 1, name.upper(), 2.6, "middle"))
    x, y = at(BUZZER_ROW, s["buzzer"])
    parts.append(svg.circle(x, y, d["buzzer"]["diameter"] / 2, "#00000022"))
    parts.append(svg.text(x, y + 3.4, "BUZZER", 2.0, "middle"))
    layers = [parts, *_strip_wires(d, harness, at)]
    if step:
        now = STRIP_STEPS.index(step)
        earlier = [shape for layer in layers[:now] for shape in layer]
        layers = [['<g opacity="0.3">', *earlier, "</g>"], layers[now]]
    return svg.sheet(92, 50, shapes + [shape for layer in layers for shape in layer], 11)


def _strip_wires(d: Sections, harness: WireHarness, at: _At) -> list[list[str]]:
    """Black: what goes to ground. Orange: which header pin each part's other side goes to.

    Then the header with the pins that are joined.
    """
    s = d["strip"]
    labels = harness.labels("STRIP")
    pin_of = {label: pin for pin, label in labels.items()}
    grounds, signals = [], []
    for name in ("ok", "down", "up", "jury"):
        grounds.append(at(SWITCH_ROWS[0], s[name] - 1))
        signals.append((at(SWITCH_ROWS[1], s[name] + 1), f"to {pin_of[name.upper()]}"))
    grounds.append(at(BUZZER_ROW, s["buzzer"] + 1))
    signals.append((at(BUZZER_ROW, s["buzzer"] - 1), f"100 Ω to {pin_of['BUZZER']}"))
    leads = [svg.circle(*spot, 0.8, ORANGE) for spot, _ in signals]
    leads += [svg.text(x, y - 1.1, words, 1.7, "middle") for (x, y), words in signals]
    row = s["plug_row"]
    rail = grounds[0][1] - 5
    first = at(row, 1)
    corner = at(row, -1)[0]
    shapes = [svg.line([(corner, rail), (max(x for x, _ in grounds), rail)], BLACK)]
    shapes.append(
        svg.line(
            [(corner, rail), (corner, first[1] + 1.6), (first[0], first[1] + 1.6), first], BLACK
        )
    )
    for x, y in grounds:
        shapes += [svg.circle(x, y, 0.8, BLACK), svg.line([(x, y), (x, rail)], BLACK)]
    return [shapes, leads, _header(labels, row, at)]


def _header(labels: dict[int, str], row: float, at: _At) -> list[str]:
    """The pins, their names, and a rail for each name that stands there more than once."""
    shapes = []
    rails = {"3V3": 6.0, "GND": 8.5}
    for pin, label in sorted(labels.items()):
        x, y = at(row, pin - 1)
        shapes.append(svg.rect(x - 0.9, y - 0.9, 1.8, 1.8, "#222"))
        name = svg.text(0, 0, f"{pin} {label}", 1.9)
        shapes.append(f'<g transform="translate({x + 0.7:g} {y + 3.2:g}) rotate(90)">{name}</g>')
    for label, below in rails.items():
        columns = [at(row, pin - 1) for pin, name in labels.items() if name == label]
        y = columns[0][1] + 10 + below
        ends = sorted(x for x, _ in columns)
        shapes.append(svg.line([(ends[0], y), (ends[-1], y)], _JOINED[label]))
        shapes += [svg.circle(x, y, 0.5, _JOINED[label]) for x in ends]
        shapes.append(svg.text(ends[-1] + 2, y + 0.8, f"{label}: join these pins", 2.0))
    return shapes
