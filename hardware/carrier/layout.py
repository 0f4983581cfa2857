"""Draws the board with KiCad's own Python module: places, routes, pours ground, saves.

Run as `python -m hardware.carrier.layout plan.json board.kicad_pcb tracks.json` by an interpreter
that has pcbnew (Debian's, not a venv's). Tracks are kept: only a changed plan is routed again.
Prints what it could not route; the exit code says whether that is nothing.
"""

import hashlib
import json
import math
import sys
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Any

from hardware.carrier.router import STEP, Grid, Node, corners

# where a part's name goes, off its middle (mm): where no pad is
_BESIDE = {
    "header": (2.2, 1.27),
    "nmos": (0.0, 2.6),
    "slide": (-4.6, 0.0),
    "polar": (0.0, 2.2),
    "button": (0.0, -6.8),
}
_MARKS = {"polar": "+", "tvs": "K"}  # a DO-41 footprint brings its own K
_TRIES = 600
LIBRARY = "schiri"
USB_MARK = "< USB"  # printed on the lower side, where east is on the left
SHEET_Y = 200.0  # the case's y grows to the north, KiCad's to the south
SPACE = uuid.UUID("5c41a0de-0000-4000-8000-000000000002")


def symbol_id(ref: str) -> str:
    """The same identity in schematic and board, the same on every machine."""
    return str(uuid.uuid5(SPACE, ref))


def main(plan_file: str, target: str, tracks_file: str) -> int:
    """Draw the board of a plan; return the exit code."""
    import pcbnew  # type: ignore[import-not-found]  # Debian's KiCad brings it, for its own Python

    pcbnew.KIID.SeedGenerator(2)
    plan = json.loads(Path(plan_file).read_text(encoding="utf8"))
    drawing = Drawing(pcbnew, plan, target)
    drawing.place()
    drawing.outline()
    missing = drawing.lay_tracks(Path(tracks_file))
    drawing.label()
    drawing.pour()
    pcbnew.SaveBoard(target, drawing.board)
    fill(pcbnew, target)
    places = json.dumps(drawing.places())
    Path(target).with_name("parts.json").write_text(places, encoding="utf8")
    for net in missing:
        print(f"no way found for {net}")
    return 1 if missing else 0


def fill(pcbnew: Any, target: str) -> None:
    """Fill the zones of a saved board: only a loaded one knows its rules about holes."""
    board = pcbnew.LoadBoard(target)
    pcbnew.ZONE_FILLER(board).Fill(list(board.Zones()))
    pcbnew.SaveBoard(target, board)


def fingerprint(plan: dict[str, Any]) -> str:
    """What the tracks follow from: places, nets and rules, and the router."""
    router = Path(__file__).with_name("router.py").read_text(encoding="utf8")
    return hashlib.sha256(json.dumps([plan, router], sort_keys=True).encode()).hexdigest()[:16]


def _nobody(part: dict[str, Any], number: str) -> str:
    """KiCad's name for a pin without a net."""
    label = part["pins"][number][0]
    name = "" if label == number else f"{label}-"
    return f"unconnected-({part['ref']}-{name}Pad{number})"


class Drawing:
    """One board in the making."""

    def __init__(self, pcbnew: Any, plan: dict[str, Any], target: str) -> None:
        self._k, self._plan, self._rules = pcbnew, plan, plan["rules"]
        self._library = Path(target).parent / f"{LIBRARY}.pretty"
        self.board = pcbnew.NewBoard(target)
        settings = self.board.GetDesignSettings()
        settings.m_TrackMinWidth = self._mm(0.2)
        settings.m_MinResolvedSpokes = 1
        settings.m_CopperEdgeClearance = self._mm(self._rules["edge"])
        self._nets: dict[str, Any] = {}
        for name in [*plan["nets"], *self._lonely()]:
            self._nets[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self._nets[name])
        self._feet: dict[str, Any] = {}
        self._numbers = {name: number for number, name in enumerate(plan["nets"], start=1)}

    def _lonely(self) -> list[str]:
        """Pins that nobody uses have a net of their own, named as the schematic does."""
        return [
            _nobody(part, number)
            for part in self._plan["parts"]
            for number, (_, net) in part["pins"].items()
            if not net
        ]

    def _mm(self, value: float) -> int:
        return int(self._k.FromMM(value))

    def _at(self, x: float, y: float) -> Any:
        return self._k.VECTOR2I(self._mm(x), self._mm(SHEET_Y - y))

    def place(self) -> None:
        """Every footprint at its place, its pads on their nets."""
        for part in self._plan["parts"]:
            foot = self._footprint(part["footprint"])
            foot.SetReference(part["ref"])
            foot.SetValue(part["value"])
            foot.SetPath(self._k.KIID_PATH(f"/{symbol_id(part['ref'])}"))
            self.board.Add(foot)
            if part["back"]:
                foot.Flip(foot.GetPosition(), self._k.FLIP_DIRECTION_LEFT_RIGHT)
            foot.SetOrientationDegrees(part["turn"])
            middle = self._middle(foot)
            foot.Move(self._at(part["x"], part["y"]) - middle)
            for pad in foot.Pads():
                number = pad.GetNumber()
                if number in part["pins"]:
                    net = part["pins"][number][1] or _nobody(part, number)
                    pad.SetNet(self._nets[net])
            self._feet[part["ref"]] = foot

    def _footprint(self, wanted: str) -> Any:
        """A footprint from the project's own library (products.py writes it)."""
        name = wanted.split(":")[1]
        foot = self._k.FootprintLoad(str(self._library), name)
        foot.SetFPID(self._k.LIB_ID(LIBRARY, name))
        return foot

    def _middle(self, foot: Any) -> Any:
        """The middle between a footprint's numbered pads; of a hole, its own."""
        pads = [pad for pad in foot.Pads() if pad.GetNumber()] or list(foot.Pads())
        xs = [pad.GetPosition().x for pad in pads]
        ys = [pad.GetPosition().y for pad in pads]
        return self._k.VECTOR2I((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)

    def outline(self) -> None:
        """The board's edge."""
        points = self._plan["outline"]
        for start, end in zip(points, points[1:] + points[:1], strict=True):
            line = self._k.PCB_SHAPE(self.board)
            line.SetShape(self._k.SHAPE_T_SEGMENT)
            line.SetStart(self._at(*start))
            line.SetEnd(self._at(*end))
            line.SetLayer(self._k.Edge_Cuts)
            line.SetWidth(self._mm(0.1))
            self.board.Add(line)

    # --- tracks --------------------------------------------------------------------------------

    def lay_tracks(self, kept: Path) -> list[str]:
        """The tracks of the last time if nothing changed since, else new ones. What has no way."""
        key = fingerprint(self._plan)
        known = json.loads(kept.read_text(encoding="utf8")) if kept.exists() else {"key": ""}
        missing: list[str] = []
        if known["key"] != key:
            missing = self.route()
            pieces = [piece for name in sorted(self._copper) for piece in self._copper[name]]
            known = {"key": key, "pieces": pieces}
            if not missing:
                lines = ",\n".join(json.dumps(piece) for piece in pieces)
                kept.write_text(f'{{"key": "{key}", "pieces": [\n{lines}\n]}}\n', encoding="utf8")
        for piece in known["pieces"]:
            self._lay(*piece)
        return missing

    def _lay(self, name: str, layer: int, start: list[float], end: list[float], w: float) -> None:
        """A track, or a via where start and end are one."""
        if start == end:
            item = self._k.PCB_VIA(self.board)
            item.SetPosition(self._k.VECTOR2I(*(self._mm(v) for v in start)))
            item.SetDrill(self._mm(self._rules["via_drill"]))
        else:
            item = self._k.PCB_TRACK(self.board)
            item.SetStart(self._k.VECTOR2I(*(self._mm(v) for v in start)))
            item.SetEnd(self._k.VECTOR2I(*(self._mm(v) for v in end)))
            item.SetLayer((self._k.F_Cu, self._k.B_Cu)[layer])
        item.SetWidth(self._mm(w))
        item.SetNet(self._nets[name])
        self.board.Add(item)

    def route(self) -> list[str]:
        """All nets, short ones first, ground last. Names of those without a way."""
        queue = list(self._plan["nets"])
        queue.sort(key=lambda name: (name == "GND", self._span(name), name))
        self._grid = self._empty_grid()
        self._copper: dict[str, list[Any]] = {}
        names = {number: name for name, number in self._numbers.items()}
        missing = []
        for _ in range(_TRIES):
            if not queue:
                break
            name = queue.pop(0)
            self._grid.tear_up(self._numbers[name])
            self._copper[name] = []
            crossed = self._route_net(name)
            if crossed is None:
                missing.append(name)
                continue
            for number in sorted(crossed):
                self._grid.tear_up(number)
                self._copper[names[number]] = []
                if names[number] not in queue:
                    queue.append(names[number])
        return missing + queue

    def _span(self, name: str) -> int:
        spots = [pad.GetPosition() for pad in self._pads(name)]
        return int(
            max(s.x for s in spots) - min(s.x for s in spots)
            + max(s.y for s in spots) - min(s.y for s in spots)
        )  # fmt: skip

    def _pads(self, name: str) -> list[Any]:
        return [
            pad
            for ref in sorted(self._feet)
            for pad in self._feet[ref].Pads()
            if pad.GetNetname() == name
        ]

    def _empty_grid(self) -> Grid:
        """The board's edge, every pad, every hole and every keep-out as obstacles."""
        box = self.board.GetBoardEdgesBoundingBox()
        x0, y0 = self._k.ToMM(box.GetLeft()), self._k.ToMM(box.GetTop())
        wide, high = self._k.ToMM(box.GetWidth()), self._k.ToMM(box.GetHeight())
        rules = self._rules
        pin = self._feet["U1"].FindPadByNumber("1").GetPosition()  # pins lie on the grid
        x0 -= STEP - (self._k.ToMM(pin.x) - x0) % STEP
        y0 -= STEP - (self._k.ToMM(pin.y) - y0) % STEP
        grid = Grid(
            x0, y0, int(wide / STEP) + 2, int(high / STEP) + 2,
            rules["clearance"] + 0.05, (rules["track"], rules["power_track"]), rules["via"],
        )  # fmt: skip
        points = [(x, SHEET_Y - y) for x, y in self._plan["outline"]]
        edge = rules["edge"]
        for start, end in zip(points, points[1:] + points[:1], strict=True):
            low = (min(start[0], end[0]), min(start[1], end[1]))
            high_end = (max(start[0], end[0]), max(start[1], end[1]))
            grid.claim(-2, (0, 1), (*low, *high_end), edge)
        self._shut_outside(grid, points)
        for ref in sorted(self._feet):
            for pad in self._feet[ref].Pads():
                self._claim_pad(grid, pad)
            for zone in self._feet[ref].Zones():
                grid.claim(-2, (0, 1), self._box(zone.GetBoundingBox()), 0.0)
        return grid

    def _shut_outside(self, grid: Grid, points: list[tuple[float, float]]) -> None:
        """The bounding box of an L has a part that is no board: south-west and north-west."""
        corner_x = min(x for x, y in points if y == max(p[1] for p in points))
        arm = [y for x, y in points if x == min(p[0] for p in points)]
        grid.claim(-2, (0, 1), (grid.x0, max(arm), corner_x, grid.y0 + grid.rows * STEP), 0.0)
        grid.claim(-2, (0, 1), (grid.x0, grid.y0, corner_x, min(arm)), 0.0)

    def _box(self, box: Any) -> tuple[float, float, float, float]:
        mm = self._k.ToMM
        return mm(box.GetLeft()), mm(box.GetTop()), mm(box.GetRight()), mm(box.GetBottom())

    def _layers(self, pad: Any) -> list[int]:
        copper = (self._k.F_Cu, self._k.B_Cu)
        return [i for i, layer in enumerate(copper) if pad.IsOnLayer(layer)] or [0, 1]

    def _claim_pad(self, grid: Grid, pad: Any) -> None:
        net = self._numbers.get(pad.GetNetname(), -3)
        gap = 0.3 if pad.GetAttribute() == self._k.PAD_ATTRIB_NPTH else None
        grid.claim(net, self._layers(pad), self._box(pad.GetBoundingBox()), gap)

    def _route_net(self, name: str) -> set[int] | None:
        """Join all pads of a net. Nets that are in the way; None if there is no way at all."""
        pads, number, grid = self._pads(name), self._numbers[name], self._grid
        width = self._rules["power_track" if name in self._rules["power"] else "track"]
        tree, rest = self._cells(pads[0]), pads[1:]
        crossed: set[int] = set()
        while rest:
            targets = {node for pad in rest for node in self._cells(pad)}
            way = grid.route(number, width, tree, targets)
            if not way and width != self._rules["track"]:
                width = self._rules["track"]  # between two pins there is room for a thin one only
                continue
            if not way:
                return None
            crossed |= grid.in_the_way(number, width, way)
            self._draw(name, number, way, width)
            tree |= set(corners(way))  # a branch begins at a bend, where tracks end
            reached = [pad for pad in rest if self._cells(pad) & set(way)]
            for pad in reached:
                tree |= self._cells(pad)
            rest = [pad for pad in rest if pad not in reached]
        return crossed

    def _cells(self, pad: Any) -> set[Node]:
        """The cell at a pad's middle, on each of its layers."""
        spot = pad.GetPosition()
        cell = self._grid.cell(self._k.ToMM(spot.x), self._k.ToMM(spot.y))
        return {(layer, *cell) for layer in self._layers(pad)}

    def _draw(self, name: str, number: int, way: list[Node], width: float) -> None:
        bends = corners(way)
        for start, end in pairwise(bends):
            here, there = self._grid.point(*start[1:]), self._grid.point(*end[1:])
            if start[0] != end[0]:
                self._via(name, number, here)
            else:
                self._track(name, number, start[0], (here, there), width)
        for node in dict.fromkeys((way[0], way[-1])):
            here, pad = self._grid.point(*node[1:]), self._pad_at(name, node)
            if pad is not None and math.dist(here, pad) > 0.001:
                self._track(name, number, node[0], (here, pad), width)

    def _pad_at(self, name: str, node: Node) -> tuple[float, float] | None:
        """The exact middle of the net's pad in whose cell a way ends."""
        for pad in self._pads(name):
            if node in self._cells(pad):
                spot = pad.GetPosition()
                return self._k.ToMM(spot.x), self._k.ToMM(spot.y)
        return None

    def _track(
        self, name: str, number: int, layer: int, ends: tuple[tuple[float, float], ...], w: float
    ) -> None:
        start, end = ([round(v, 4) for v in point] for point in ends)
        self._copper[name].append([name, layer, start, end, w])
        self._grid.occupy_line(number, layer, ends[0], ends[1], w)

    def _via(self, name: str, number: int, at: tuple[float, float]) -> None:
        spot = [round(v, 4) for v in at]
        self._copper[name].append([name, 0, spot, spot, self._rules["via"]])
        for layer in (0, 1):
            self._grid.occupy(number, layer, at, self._rules["via"] / 2)

    # --- what was made -------------------------------------------------------------------------

    def places(self) -> dict[str, dict[str, Any]]:
        """Where each part came to lie: middle, side, outline and pads, in mm of the plan."""
        return {
            ref: {
                "at": self._mms(self._middle(foot)),
                "back": foot.IsFlipped(),
                "body": self._body(foot),
                "pads": [
                    [
                        *self._mms(pad.GetPosition()),
                        *(round(side, 2) for side in (x2 - x1, y2 - y1)),
                        round(self._k.ToMM(pad.GetDrillSizeX()), 2),
                    ]
                    for pad in foot.Pads()
                    for x1, y1, x2, y2 in [self._box(pad.GetBoundingBox())]
                ],
            }
            for ref, foot in self._feet.items()
        }

    def _mms(self, point: Any) -> list[float]:
        return [round(self._k.ToMM(point.x), 4), round(SHEET_Y - self._k.ToMM(point.y), 4)]

    def _body(self, foot: Any) -> list[float]:
        """West, south, east, north of a part's drawing; of a hole or a test point, its pads'."""
        fab = (self._k.F_Fab, self._k.B_Fab)
        drawn = [
            item
            for item in foot.GraphicalItems()
            if item.GetLayer() in fab and isinstance(item, self._k.PCB_SHAPE)
        ]
        boxes = [self._box(item.GetBoundingBox()) for item in drawn or foot.Pads()]
        x1, y1, x2, y2 = (pick(values) for pick, values in zip(
            (min, min, max, max), zip(*boxes, strict=True), strict=True))  # fmt: skip
        return [round(v, 2) for v in (x1, SHEET_Y - y2, x2, SHEET_Y - y1)]

    # --- ground, print -------------------------------------------------------------------------

    def pour(self) -> None:
        """Ground on both sides."""
        for layer in (self._k.F_Cu, self._k.B_Cu):
            zone = self._k.ZONE(self.board)
            zone.SetLayer(layer)
            zone.SetNet(self._nets["GND"])
            zone.SetLocalClearance(self._mm(0.25))
            zone.SetMinThickness(self._mm(0.25))
            zone.SetThermalReliefGap(self._mm(0.3))
            zone.SetThermalReliefSpokeWidth(self._mm(0.5))
            zone.SetIslandRemovalMode(self._k.ISLAND_REMOVAL_MODE_ALWAYS)
            outline = zone.Outline()
            outline.NewOutline()
            for x, y in self._plan["outline"]:
                outline.Append(self._mm(x), self._mm(SHEET_Y - y))
            self.board.Add(zone)

    def label(self) -> None:
        """What must be read on the board itself."""
        for part in self._plan["parts"]:
            self._name(part, self._feet[part["ref"]])
        for words, x, y, back in (
            ("Schiri carrier rev 2", 106.0, 90.4, False),
            ("NEVER FABRICATED", 106.0, 77.6, False),
            ("3V3  GND  VBUS", 133.6, 94.9, False),
            (USB_MARK, 142.6, 79.0, True),
        ):
            self._write(words, x, y, back)

    def _write(self, words: str, x: float, y: float, back: bool) -> None:
        """Print on the board, its middle at x, y of the case."""
        text = self._k.PCB_TEXT(self.board)
        text.SetText(words)
        text.SetPosition(self._at(x, y))
        text.SetLayer(self._k.B_SilkS if back else self._k.F_SilkS)
        text.SetTextSize(self._k.VECTOR2I(self._mm(1.0), self._mm(1.0)))
        text.SetTextThickness(self._mm(0.15))
        text.SetMirrored(back)
        self.board.Add(text)

    def _name(self, part: dict[str, Any], foot: Any) -> None:
        """The reference in the middle of its part or beside it; which end is plus or the ring."""
        text = foot.Reference()
        text.SetTextSize(self._k.VECTOR2I(self._mm(0.8), self._mm(0.8)))
        text.SetTextThickness(self._mm(0.12))
        east, north = _BESIDE.get(part["kind"], (0.0, 0.0))
        if part["kind"] in ("hole", "pico", "testpoint"):
            text.SetVisible(False)
        text.SetTextAngleDegrees(0)
        text.SetPosition(self._at(part["x"] + east, part["y"] + north))
        if part["kind"] in _MARKS:
            self._mark(part, foot)

    def _mark(self, part: dict[str, Any], foot: Any) -> None:
        """A sign beside pin 1."""
        one, two = (foot.FindPadByNumber(n).GetPosition() for n in "12")
        mm = self._k.ToMM
        away = [mm(a - b) for a, b in ((one.x, two.x), (one.y, two.y))]
        far = 2.3 / max(abs(away[0]), abs(away[1]))
        east, north = mm(one.x) - away[1] * far, SHEET_Y - mm(one.y) + away[0] * far
        self._write(_MARKS[part["kind"]], east, north, part["back"])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
