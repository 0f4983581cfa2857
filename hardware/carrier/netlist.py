"""What the board joins, against the firmware's pins and the wires behind its plugs.

The joints come from the netlist that KiCad exports of the schematic; where there is no KiCad, from
the board file, which KiCad's parity check holds to the schematic.
"""

from hardware.board_file import BoardPins
from hardware.carrier import sexpr
from hardware.carrier.made import Joint, in_order
from hardware.wiring import MODULES, ConnectorPin, End, WireHarness, check_wiring

# where the board's connectors lead, and what must be behind them
BOARD_TARGETS: dict[str, ConnectorPin] = {
    **MODULES,
    "button UP": ("SW3", "1"),
    "button DOWN": ("SW2", "1"),
    "button OK": ("SW1", "1"),
    "button JURY": ("SW4", "1"),
    "buzzer": ("R1", "1"),
    "keep alive": ("C3", "1"),
}
# pins that must be joined, and one that may not be: what no signal of the firmware shows
_JOINED = (
    (("PICO", "RUN"), ("SW5", "1")),
    (("PICO", "3V3_EN"), ("SW6", "1")),
    (("PICO", "GND"), ("SW6", "2")),
    (("J4", "5V"), ("D1", "2")),
    (("D1", "1"), ("PICO", "VSYS")),
    (("R1", "2"), ("LS1", "1")),
    (("C3", "2"), ("Q1", "1")),
    (("Q1", "2"), ("PICO", "GND")),
    (("Q1", "3"), ("R3", "2")),
    (("R3", "1"), ("PICO", "VBUS")),
    *((("PICO", "3V3(OUT)"), (f"R{number}", "2")) for number in (6, 7, 8, 9)),
    *((("PICO", "3V3(OUT)"), (f"C{number}", "1")) for number in (1, 2)),
)
_SUPPLIES = ("VBUS", "VSYS", "3V3(OUT)", "GND")


def read_netlist(text: str) -> tuple[Joint, ...]:
    """The joints of KiCad's netlist, those of parts beside the board left out."""
    tree = sexpr.parse(text)
    (components,), (nets,) = sexpr.every(tree, "components"), sexpr.every(tree, "nets")
    beside = {
        sexpr.first(part, "ref")[0]
        for part in sexpr.every(components, "comp")
        if any(
            sexpr.first(p, "name") == ["exclude_from_board"] for p in sexpr.every(part, "property")
        )
    }
    return in_order(
        Joint(ref, sexpr.first(node, "pin")[0], "".join(sexpr.first(node, "pinfunction")), name)
        for net in sexpr.every(nets, "net")
        for name in sexpr.first(net, "name")
        for node in sexpr.every(net, "node")
        if (ref := sexpr.first(node, "ref")[0]) not in beside
    )


def with_wires(joints: tuple[Joint, ...], harness: WireHarness) -> WireHarness:
    """The harness with the board's copper: each net joins all its pins to its first."""
    ends: dict[str, list[End]] = {}
    for joint in joints:
        name = "PICO" if joint.ref == "U1" else joint.ref
        label = joint.name if joint.ref[0] in "UJ" else joint.pin
        ends.setdefault(joint.net, []).append(End(name, int(joint.pin), label))
    copper = tuple((joined[0], other) for joined in ends.values() for other in joined[1:])
    return WireHarness((*harness.wires, *copper), harness.colours, harness.lengths)


def check_netlist(joints: tuple[Joint, ...], harness: WireHarness, board: BoardPins) -> list[str]:
    """Sentences: does each pin of the firmware come through copper and wire to its module?"""
    whole = with_wires(joints, harness)
    faults = [
        f"the board does not join {one[1]} of {one[0]} with {other[1]} of {other[0]}."
        for one, other in _JOINED
        if other not in whole.net(one)
    ]
    faults += [
        f"the board joins the charger's 5 V (J4) with {supply} of the Pico."
        for supply in _SUPPLIES
        if ("PICO", supply) in whole.net(("J4", "5V"))
    ]
    return [*check_wiring(whole, board, BOARD_TARGETS), *faults, *_names(joints, board)]


def _names(joints: tuple[Joint, ...], board: BoardPins) -> list[str]:
    """A net is called as the firmware calls its signal, so that a schematic does not mislead."""
    nets = {joint.name: joint.net for joint in joints if joint.ref == "U1"}
    return [
        f"the net of GP{gp} is called {nets[f'GP{gp}']}, the firmware has the {signal} there."
        for signal, gp in board.signals().items()
        if f"GP{gp}" in nets and nets[f"GP{gp}"] != "/" + signal.upper().replace(" ", "_")
    ]
