"""Writes the schematic from the same plan as the board: own symbols, a label at every pin.

Two files come out of it, `carrier.kicad_sch` and the library `schiri.kicad_sym`; both say the same
on every machine.
"""

import uuid
from collections.abc import Iterator

from hardware.carrier.layout import LIBRARY, SPACE, symbol_id
from hardware.carrier.plan import Part, Plan

_PITCH = 2.54
_VERSION = "20250114"  # of KiCad 9's file format
# how each kind is drawn: prefix, and strokes in mm round the middle
_STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "resistor": [[(-2.54, -1), (2.54, -1), (2.54, 1), (-2.54, 1), (-2.54, -1)]],
    "capacitor": [[(-0.6, -2), (-0.6, 2)], [(0.6, -2), (0.6, 2)], [(-2.54, 0), (-0.6, 0)],
                  [(0.6, 0), (2.54, 0)]],
    "polar": [[(-0.6, -2), (-0.6, 2)], [(0.6, -2), (0.6, 2)], [(-2.54, 0), (-0.6, 0)],
              [(0.6, 0), (2.54, 0)], [(-2, 1.2), (-1, 1.2)], [(-1.5, 0.7), (-1.5, 1.7)]],
    "diode": [[(1.3, 1.3), (1.3, -1.3), (-1.3, 0), (1.3, 1.3)], [(-1.3, 1.3), (-1.3, -1.3)],
              [(-2.54, 0), (2.54, 0)]],
    "tvs": [[(1.3, 1.3), (1.3, -1.3), (-1.3, 0), (1.3, 1.3)],
            [(-1.9, 1.7), (-1.3, 1.3), (-1.3, -1.3), (-0.7, -1.7)], [(-2.54, 0), (2.54, 0)]],
    "button": [[(-2.54, 0), (-1.5, 0)], [(1.5, 0), (2.54, 0)], [(-1.8, 1.2), (1.8, 1.2)],
               [(0, 1.2), (0, 2.2)]],
    "buzzer": [[(-2.54, 0), (-1.5, 0), (-1.5, 1.8), (1.5, 1.8), (1.5, 0), (2.54, 0)]],
}  # fmt: skip
_POWER = {"3V3(OUT)": "power_out", "VBUS": "power_out", "VSYS": "power_in", "ADC_VREF": "passive"}
_TITLES = {
    "pico": "Pico in its sockets", "header": "connectors", "button": "buttons",
    "slide": "power switch", "buzzer": "buzzer", "resistor": "resistors",
    "capacitor": "capacitors", "polar": "capacitors", "diode": "5 V", "tvs": "surge",
    "nmos": "keep-alive switch", "testpoint": "test points", "hole": "holes",
}  # fmt: skip


def quote(text: str) -> str:
    """A string as KiCad writes it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def ident(name: str) -> str:
    """A stable identity."""
    return str(uuid.uuid5(SPACE, name))


ROOT = ident("sheet")
Spot = tuple[float, float, int]  # of a pin's end, in the symbol's own y-up millimetres; its angle


def pin_spots(part: Part) -> dict[str, Spot]:
    """Where each pin ends. Two-pin parts lie; the rest are boxes with pins left and right."""
    if part.kind in _STROKES:
        return {"1": (-5.08, 0.0, 0), "2": (5.08, 0.0, 180)}
    numbers = list(part.pins)
    left = numbers[: len(numbers) // 2] if part.kind == "pico" else numbers
    spots: dict[str, Spot] = {}
    width = 25.4 if part.kind == "pico" else 10.16
    for row, number in enumerate(left):
        spots[number] = (-width / 2 - _PITCH, -row * _PITCH, 0)
    for row, number in enumerate(reversed(numbers[len(left) :])):
        spots[number] = (width / 2 + _PITCH, -row * _PITCH, 180)
    return spots


def library(plan: Plan, prefix: str = "") -> str:
    """The symbols of a plan, one a kind and number of pins."""
    drawn: dict[str, str] = {}
    for part in plan.parts:
        drawn.setdefault(_name(part), _symbol(part, prefix))
    flag = _flag(prefix)
    return "\n".join([*(drawn[name] for name in sorted(drawn)), flag])


def _name(part: Part) -> str:
    return part.kind if part.kind in _STROKES else f"{part.kind}_{part.ref}"


def _symbol(part: Part, prefix: str) -> str:
    name = _name(part)
    letters = part.ref.rstrip("0123456789")
    bought = "yes" if _is_bought(part) else "no"
    body = "".join(
        f"(polyline (pts {' '.join(f'(xy {x:g} {y:g})' for x, y in line)}) "
        "(stroke (width 0.254) (type default)) (fill (type none)))\n"
        for line in _strokes(part)
    )
    hidden = "(pin_numbers (hide yes)) (pin_names (offset 0) (hide yes))"
    names = hidden if part.kind in _STROKES else "(pin_names (offset 0.5))"
    return (
        f"(symbol {quote(prefix + name)} {names} (exclude_from_sim no) (in_bom {bought}) "
        f"(on_board yes)\n"
        f"{_property('Reference', letters, 0, 3.81)}{_property('Value', name, 0, 6.35)}"
        f"{_property('Footprint', _own(part), 0, 0, True)}"
        f"{_property('Datasheet', '', 0, 0, True)}{_property('Description', '', 0, 0, True)}"
        f"(symbol {quote(name + '_0_1')}\n{body})\n"
        f"(symbol {quote(name + '_1_1')}\n{''.join(_pins(part))})\n"
        "(embedded_fonts no))"
    )


def _own(part: Part) -> str:
    """The footprint in the project's own library (layout.py makes it)."""
    return f"{LIBRARY}:{part.footprint.split(':')[1]}"


def _is_bought(part: Part) -> bool:
    return part.kind not in ("hole", "testpoint")


def _strokes(part: Part) -> list[list[tuple[float, float]]]:
    if part.kind in _STROKES:
        return _STROKES[part.kind]
    spots = pin_spots(part)
    if not spots:
        return [[(-2.54, -1.27), (2.54, -1.27), (2.54, 1.27), (-2.54, 1.27), (-2.54, -1.27)]]
    half = max(abs(x) for x, _, _ in spots.values()) - _PITCH
    low = min(y for _, y, _ in spots.values()) - _PITCH
    return [[(-half, _PITCH), (half, _PITCH), (half, low), (-half, low), (-half, _PITCH)]]


def _pins(part: Part) -> Iterator[str]:
    for number, (x, y, angle) in pin_spots(part).items():
        label, net = part.pins[number]
        kind = _POWER.get(label, "passive") if part.kind == "pico" else "passive"
        if part.kind == "pico" and not net:
            kind = "no_connect" if kind == "passive" else "passive"
        yield (
            f"(pin {kind} line (at {x:g} {y:g} {angle}) (length 2.54) "
            f"(name {quote(label)} (effects (font (size 1.27 1.27)))) "
            f"(number {quote(number)} (effects (font (size 1.27 1.27)))))\n"
        )


def _flag(prefix: str) -> str:
    """Tells ERC that a net is fed from outside."""
    return (
        f'(symbol "{prefix}PWR_FLAG" (power) (pin_numbers (hide yes)) '
        "(pin_names (offset 0) (hide yes)) (exclude_from_sim no) (in_bom yes) (on_board yes)\n"
        f"{_property('Reference', '#FLG', 0, 2, True)}{_property('Value', 'PWR_FLAG', 0, 4)}"
        f"{_property('Footprint', '', 0, 0, True)}{_property('Datasheet', '', 0, 0, True)}"
        f"{_property('Description', '', 0, 0, True)}"
        '(symbol "PWR_FLAG_0_0" (pin power_out line (at 0 0 90) (length 0) '
        '(name "" (effects (font (size 1.27 1.27)))) '
        '(number "1" (effects (font (size 1.27 1.27))))))\n(embedded_fonts no))'
    )


def _property(name: str, value: str, x: float, y: float, hide: bool = False) -> str:
    hidden = " (hide yes)" if hide else ""
    return (
        f"(property {quote(name)} {quote(value)} (at {x:g} {y:g} 0)"
        f" (effects (font (size 1.27 1.27)){hidden}))\n"
    )


def symbol_file(plan: Plan) -> str:
    """schiri.kicad_sym."""
    return (
        '(kicad_symbol_lib (version 20241209) (generator "schiri") (generator_version "9.0")\n'
        f"{library(plan)}\n)\n"
    )


# --- the sheet ---------------------------------------------------------------------------------

_COLUMNS = {  # kind -> column of the sheet (mm)
    "pico": 70, "nmos": 70, "slide": 70, "header": 170, "button": 240, "buzzer": 240,
    "diode": 240, "tvs": 240, "resistor": 310, "capacitor": 310, "polar": 310,
    "testpoint": 370, "hole": 370,
}  # fmt: skip
FED = ("GND", "VSYS", "5V_IN")  # nets that no output of a symbol feeds


def sheet(plan: Plan) -> str:
    """carrier.kicad_sch."""
    pieces = [
        f'(kicad_sch (version {_VERSION}) (generator "schiri") (generator_version "9.0")',
        f'(uuid "{ROOT}") (paper "A3")',
        '(title_block (title "Schiri carrier board") (rev "2") '
        '(comment 1 "Never fabricated. Written by make hardware from hardware/rev2/board.toml."))',
        f"(lib_symbols\n{library(plan, 'schiri:')}\n)",
    ]
    below: dict[int, float] = {}
    for part in plan.parts:
        column = _COLUMNS[part.kind]
        y = below.get(column, 30.48)
        pieces += _placed(part, _snap(column), y)
        tall = max([-spot[1] for spot in pin_spots(part).values()] or [0.0])
        below[column] = _snap(y + tall + 15.24)
    for number, net in enumerate(FED, start=1):
        pieces += _fed(net, number, _snap(370), _snap(below[370] + 15.24 * number))
    pieces.append('(sheet_instances (path "/" (page "1")))\n(embedded_fonts no))')
    return "\n".join(pieces) + "\n"


def _snap(value: float) -> float:
    return round(round(value / _PITCH) * _PITCH, 4)


def _placed(part: Part, x: float, y: float) -> Iterator[str]:
    bought = "yes" if _is_bought(part) else "no"
    pins = "".join(
        f'(pin {quote(n)} (uuid "{ident(part.ref + ".pin" + n)}"))\n' for n in pin_spots(part)
    )
    yield (
        f"(symbol (lib_id {quote('schiri:' + _name(part))}) (at {x:g} {y:g} 0) (unit 1) "
        f"(exclude_from_sim no) (in_bom {bought}) (on_board yes) (dnp no) "
        f'(uuid "{symbol_id(part.ref)}")\n'
        f"{_property('Reference', part.ref, x, y - 6.35)}"
        f"{_property('Value', part.value, x, y - 3.81)}"
        f"{_property('Footprint', _own(part), x, y, True)}"
        f"{_property('Datasheet', '', x, y, True)}{_property('Description', '', x, y, True)}"
        f"{pins}"
        f'(instances (project "carrier" (path "/{ROOT}" (reference {quote(part.ref)}) '
        "(unit 1)))))"
    )
    for number, (px, py, angle) in pin_spots(part).items():
        net = part.pins[number][1]
        at = f"(at {x + px:g} {y - py:g}"
        key = f"{part.ref}.{number}"
        if net:
            yield _label(net, at, angle, key)
        else:
            yield f'(no_connect {at}) (uuid "{ident(key + ".nc")}"))'


def _label(net: str, at: str, angle: int, key: str) -> str:
    turned, side = (180, "right") if angle == 0 else (0, "left")
    return (
        f"(global_label {quote(net)} (shape passive) {at} {turned}) "
        f"(effects (font (size 1.27 1.27)) (justify {side})) "
        f'(uuid "{ident(key + ".label")}"))'
    )


def _fed(net: str, number: int, x: float, y: float) -> Iterator[str]:
    ref = f"#FLG{number}"
    yield (
        f'(symbol (lib_id "schiri:PWR_FLAG") (at {x:g} {y:g} 0) (unit 1) (exclude_from_sim no) '
        f'(in_bom yes) (on_board yes) (dnp no) (uuid "{ident(ref)}")\n'
        f"{_property('Reference', ref, x, y, True)}{_property('Value', 'PWR_FLAG', x, y - 3.81)}"
        f"{_property('Footprint', '', x, y, True)}{_property('Datasheet', '', x, y, True)}"
        f"{_property('Description', '', x, y, True)}"
        f'(pin "1" (uuid "{ident(ref + ".pin")}"))\n'
        f'(instances (project "carrier" (path "/{ROOT}" (reference "{ref}") (unit 1)))))'
    )
    yield _label(net, f"(at {x:g} {y:g}", 180, ref)
