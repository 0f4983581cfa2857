"""The pictures of cards, drawn by program from what stands on them: mountains from their heights,
dishes from the restaurants' names, pubs from their years, guests, hats, backs. The virtual table
and the printed sheets show the same SVG. It holds shapes alone, no text: letters stand beside it.
"""

import colorsys
import hashlib
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from math import cos, pi, sin
from pathlib import Path
from random import Random
from typing import NamedTuple

from host_tools.core.json_types import Json

WIDTH, HEIGHT = 160, 96
NATIONS = ("AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US")
JOKER = "JK"
SUITS = {"R": "#ba1e24", "G": "#14763e", "B": "#18529c"}
"""By the letter of a numbered card's code (rule HA-1)."""
_MOTIFS: Json = tomllib.loads((Path(__file__).parent / "motifs.toml").read_text("utf8"))
_Point = tuple[float, float]
_WHITE, _CREAM, _WOOD, _DARK, _GOLD = "#ffffff", "#fff6e2", "#8a5a2b", "#2b2420", "#e8b53a"


class Art(NamedTuple):
    """A picture; `tag` changes with what is drawn; `size`: width and height."""

    svg: str
    tag: str
    size: tuple[int, int]


def group_colour(code: str) -> str:
    """The colour of a group of cards: neighbouring letters get hues far apart."""
    # 47 and 360 have no common divisor, so no two letters share a hue
    return shade((ord(code[:1] or "S") * 47 + 200) % 360)


def nation_colour(nation: str) -> str:
    """Hues as far from each other as twelve can be; a joker's guest is grey."""
    return shade(30 * NATIONS.index(nation)) if nation in NATIONS else "#566473"


# as given, white on it has a contrast of 4.75 or more at every hue; WCAG 2 (1.4.3) wants 4.5
def shade(hue: float, light: float = 0.3, strong: float = 0.55) -> str:
    """Usually dark enough for white letters."""
    parts = colorsys.hls_to_rgb(hue % 360 / 360, light, strong)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.lstrip("#"))
    return red, green, blue


class _Sketch:
    """Shapes, one over the other."""

    def __init__(self, width: int = WIDTH, height: int = HEIGHT) -> None:
        self.size = width, height
        self.side = "xMidYMid"
        """What stays in sight where a page cuts the picture, in SVG's words."""
        self.parts: list[str] = []

    def area(self, fill: str, points: Iterable[_Point]) -> None:
        way = "L".join(f"{_short(x)} {_short(y)}" for x, y in points)
        self.path(fill, f"M{way}z")

    def path(self, fill: str, way: str, more: str = "") -> None:
        self.parts.append(f'<path fill="{fill}" d="{way}"{more}/>')

    def stroke(self, colour: str, width: float, way: str) -> None:
        more = f' stroke="{colour}" stroke-width="{_short(width)}" stroke-linecap="round"'
        self.path("none", way, more)

    def box(
        self, fill: str, x: float, y: float, wide: float, high: float, round_: float = 0
    ) -> None:
        edge = f' rx="{_short(round_)}"' if round_ else ""
        at = f'x="{_short(x)}" y="{_short(y)}" width="{_short(wide)}" height="{_short(high)}"'
        self.parts.append(f'<rect fill="{fill}" {at}{edge}/>')

    def oval(self, fill: str, x: float, y: float, wide: float, high: float | None = None) -> None:
        radii = f'rx="{_short(wide)}" ry="{_short(wide if high is None else high)}"'
        self.parts.append(f'<ellipse fill="{fill}" cx="{_short(x)}" cy="{_short(y)}" {radii}/>')

    def star(self, fill: str, x: float, y: float, radius: float, tips: int = 5) -> None:
        turns = [pi * turn / tips for turn in range(2 * tips)]
        reach = [radius, radius * 0.45]
        self.area(
            fill,
            [(x + reach[n % 2] * sin(t), y - reach[n % 2] * cos(t)) for n, t in enumerate(turns)],
        )

    def motif(self, svg: str, ink: str) -> None:
        """A shape of motifs.toml."""
        # with its quotes, so that only a whole value of an attribute is replaced
        self.parts.append(svg.replace("\n", "").replace('"ink"', f'"{ink}"'))

    def done(self) -> Art:
        box = "0 0 {} {}".format(*self.size)
        fills = f'viewBox="{box}" preserveAspectRatio="{self.side} slice"'
        shapes = "".join(self.parts)
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {fills}>{shapes}</svg>'
        return Art(svg, tag_of(svg.encode()), self.size)


def tag_of(picture: bytes) -> str:
    """Another one for another picture."""
    # 64 bits: it only has to tell one version of a picture from the next
    return hashlib.sha256(picture).hexdigest()[:16]


def _short(number: float) -> str:
    # tenths keep a picture small; -0.04 would be written "-0.0"
    return f"{number:.1f}".removesuffix(".0").replace("-0", "0" if -0.05 < number <= 0 else "-0")


# -- what there is a picture of -------------------------------------------------------------------


def card_art(deck: Json, card: Json) -> Art:
    """The picture of a card of a deck object."""
    sketch = _Sketch()
    # seeded by what it shows: the same card looks the same on every machine
    chance = Random(f"{deck['id']} {card['code']}")
    if card.get("joker"):
        _joker(sketch)
    else:
        # tops of mountains; tables and doors
        sketch.side = "xMidYMin" if deck["id"] == "berge" else "xMidYMax"
        _PAINTERS.get(deck["id"], _web)(sketch, _Facts(deck, card), chance)
    return sketch.done()


def art_named(name: str) -> Art | None:
    """Of what is no card of a deck: a guest such as `AFf1`, a hat `R`, a back `back-A`."""
    if name in SUITS:
        return _hat(name)
    if name.startswith("back-") and len(name) == 6:
        return back_art(name[5])
    # the name comes from an address of a page, so it may be anything
    known = name[:2] in (*NATIONS, JOKER) and name[2:3] in ("f", "m") and len(name) == 4
    return guest_art(name) if known else None


def picture_of(deck: Json | None, name: str) -> Art | None:
    """The picture of the card with this code; without a deck what `art_named` has."""
    if deck is None:
        return art_named(name)
    card = next((one for one in deck["cards"] if one["code"] == name), None)
    return card_art(deck, card) if card else None


def address(deck: Json | None, name: str) -> str:
    """Where a page finds the picture of a card of a deck, or without one of what `art_named` has;
    it changes with the picture. None of a deck without an id, of a record alone.
    """
    if deck is not None and "id" not in deck:
        return ""
    art = picture_of(deck, name)
    folder = f"{deck['id']}/" if deck else ""
    return f"/art/{folder}{name}.svg?v={art.tag}" if art else ""


def _share(value: int | None, column: Sequence[int | None]) -> float | None:
    """From 0 for the least of the column to 1 for the most; None for what is not known."""
    known = [one for one in column if one is not None]
    # a column may have no value at all, or the same on every card
    least, most = min(known, default=0), max(known, default=0)
    return None if value is None or least == most else (value - least) / (most - least)


class _Facts:
    """What stands on a card, as parts of the largest and smallest of the deck."""

    def __init__(self, deck: Json, card: Json) -> None:
        self.name: str = card.get("name", "")
        self.code: str = card["code"]
        self.keys = [category["key"] for category in deck["categories"]]
        self._best = [category.get("best", "high") for category in deck["categories"]]
        self._values: list[int | None] = card["values"]
        self._others = [one["values"] for one in deck["cards"] if not one.get("joker")]

    @cached_property
    def _shares(self) -> list[float | None]:
        columns = zip(*self._others, strict=True)
        return [_share(*pair) for pair in zip(self._values, columns, strict=True)]

    def share(self, key: str, usual: float = 0.5) -> float:
        """From 0 for the least of the deck to 1 for the most; `usual` for what is not known."""
        return self.shares(usual)[self.keys.index(key)] if key in self.keys else usual

    def shares(self, usual: float = 0.5) -> list[float]:
        return [usual if share is None else share for share in self._shares]

    def strengths(self) -> list[float]:
        """The same, with 1 for what wins; a value that is missing never wins."""
        return [
            0 if share is None else 1 - share if best == "low" else share
            for share, best in zip(self._shares, self._best, strict=True)
        ]

    def value(self, key: str) -> int | None:
        return self._values[self.keys.index(key)] if key in self.keys else None

    def says(self, *words: str) -> bool:
        lowered = self.name.lower()
        return any(word in lowered for word in words)


# -- mountains ------------------------------------------------------------------------------------


def _peak(sketch: _Sketch, facts: _Facts, chance: Random) -> None:
    """As high as the mountain, as far above its ridge as its prominence, snow above 2800 m; the
    sun stands where it lies, west to east; a flag if the first ascent is known; a row of hills a
    canton.
    """
    height, high = facts.value("hoehe") or 0, facts.share("hoehe")
    warm = facts.share("breite")
    sky = [shade(215 - 24 * warm, 0.6 + 0.07 * band, 0.6) for band in range(3)]
    sky.append(shade(36 - 16 * warm, 0.82, 0.8))
    for band, colour in enumerate(sky):
        sketch.box(colour, 0, 18 * band, WIDTH, HEIGHT - 18 * band)
    sketch.oval("#fff3c4", 14 + 132 * facts.share("laenge"), 16 + 8 * warm, 9)
    top = 40 - 32 * high
    saddle = min(82.0, top + 20 + 34 * facts.share("scharte", 0.3))
    for depth, colour in ((0, "#a9b8c9"), (7, "#8497ad")):
        sketch.area(colour, _ridge(chance, saddle - 6 + depth))
    _massif(sketch, facts, chance, (80 + chance.uniform(-9, 9), top), height)
    _foreground(sketch, facts, chance, height)


def _ridge(chance: Random, level: float) -> list[_Point]:
    points = [(x, level + chance.uniform(-9, 8)) for x in range(0, WIDTH + 1, 16)]
    return [(0, HEIGHT), *points, (WIDTH, HEIGHT)]


# a crest by steps from its top: left of it or, mirrored, right; and how flat either side is
_CRESTS: tuple[tuple[tuple[_Point, ...], float, float], ...] = (
    ((), 1.1, 1.1),  # a pyramid
    (((-36, 13), (-22, 24)), 0.9, 1.0),  # two summits
    (((-27, 8), (-17, 3), (-8, 0.6)), 1.7, 1.5),  # a dome
    (((-7, 19), (-9, 5), (-4, 3)), 1.0, 1.3),  # a tooth that leans
    (((-44, 19), (-36, 13), (-31, 18), (-21, 8), (-15, 13), (-8, 5)), 1.1, 0.9),  # a long ridge
    (((-24, 25), (-9, 21)), 1.6, 0.7),  # a shoulder below a steep wall
)


def _crest(facts: _Facts, tip: _Point) -> tuple[list[_Point], float, float]:
    """The line of the top from left to right, and how flat the sides are. No two of a group have
    the same; in every second group it is mirrored.
    """
    letter, *rest = map(ord, facts.code or "S")
    # so that the Matterhorn, A2, has the tooth
    steps, left, right = _CRESTS[(4 * letter + sum(rest) + 5) % len(_CRESTS)]
    crown = [*((tip[0] + x, tip[1] + y) for x, y in steps), tip]
    if letter % 2 == 0:
        return [(2 * tip[0] - x, y) for x, y in reversed(crown)], right, left
    return crown, left, right


def _massif(sketch: _Sketch, facts: _Facts, chance: Random, tip: _Point, height: int) -> None:
    crown, flat_left, flat_right = _crest(facts, tip)
    steep = 0.8 if facts.says("horn", "piz", "dent", "cime") else 1.05
    left = _flank(chance, crown[0], -steep * flat_left)
    right = _flank(chance, crown[-1], steep * flat_right)
    foot = [(WIDTH, HEIGHT), (0, HEIGHT)]
    sketch.area("#6d7888", [*left[::-1], *crown, *right, *foot])
    middle = [
        (tip[0] + chance.uniform(-7, 9) * n, tip[1] + 9.5 * (n + 1)) for n in range(len(left))
    ]
    lee = [*crown[crown.index(tip) :], *right]
    sketch.area("#4e5969", [*lee, (middle[-1][0], HEIGHT), *middle[::-1]])
    if height > 2800:
        # the foot of the picture counts as 800 m above the sea
        part = (height - 2800) / (height - 800)
        _snow(sketch, chance, left, right, crown, tip[1] + 10 + part * (80 - tip[1]))
    if facts.value("jahr"):
        x, y = tip
        sketch.stroke(_DARK, 0.8, f"M{_short(x)} {_short(y)}V{_short(y - 7)}")
        sketch.area("#d5262b", [(x, y - 7), (x + 6, y - 5.5), (x, y - 4)])


def _flank(chance: Random, tip: _Point, slope: float) -> list[_Point]:
    """From the top down to the edge of the picture."""
    points, y, x = [], tip[1], tip[0]
    while y < HEIGHT and -20 < x < WIDTH + 20:
        y += chance.uniform(7, 12)
        x += slope * chance.uniform(6, 13)
        points.append((x, y))
    return points


def _snow(
    sketch: _Sketch,
    chance: Random,
    left: Sequence[_Point],
    right: Sequence[_Point],
    crown: Sequence[_Point],
    line: float,
) -> None:
    sides = [[point for point in side if point[1] < line] for side in (left, right)]
    ends = [side[-1] if side else crown[-1] for side in sides]
    # four teeth of the snow line have no room here
    if ends[1][0] - ends[0][0] < 4:
        return
    steps = max(4, int((ends[1][0] - ends[0][0]) / 7))
    teeth = []
    for step in range(1, steps):
        part = step / steps
        x = ends[1][0] + (ends[0][0] - ends[1][0]) * part
        y = ends[1][1] + (ends[0][1] - ends[1][1]) * part
        teeth.append((x, y + (chance.uniform(3, 9) if step % 2 else chance.uniform(-9, -3))))
    sketch.area(_WHITE, [*sides[0][::-1], *crown, *sides[1], *teeth])
    shaded = [crown[-1], *sides[1], *teeth[: len(teeth) // 2]]
    sketch.area("#cfdbea", shaded)


def _foreground(sketch: _Sketch, facts: _Facts, chance: Random, height: int) -> None:
    cantons = facts.value("kantone") or 1
    for row in range(cantons):
        level = 86 - 5 * (cantons - 1 - row)
        points = [(x, level + chance.uniform(-3, 3)) for x in range(0, WIDTH + 1, 20)]
        green = shade(120 - 12 * row, 0.36 - 0.06 * row, 0.4)
        sketch.area(green, [(0, HEIGHT), *points, (WIDTH, HEIGHT)])
    if height < 3000:
        sketch.oval("#4f8fc0", 40 + chance.uniform(0, 80), 94, 34, 5)
    for _ in range(6 if height > 3500 else 9):
        x, y = chance.uniform(4, WIDTH - 4), chance.uniform(88, 95)
        sketch.area("#1f4d34", [(x, y - 11), (x + 3.4, y), (x - 3.4, y)])


# -- dishes ---------------------------------------------------------------------------------------


def _dish(sketch: _Sketch, facts: _Facts, chance: Random) -> None:
    """What the name promises, on a table; a glass where there are many wines or cocktails, a gilt
    rim where it is dear, parsley where much is without meat.
    """
    # that of group_colour, which the card around the picture has
    hue = (ord(facts.code[0]) * 47 + 200) % 360
    sketch.box(shade(hue, 0.86, 0.45), 0, 0, WIDTH, HEIGHT)
    for x in range(0, WIDTH, 20):
        sketch.box(shade(hue, 0.8, 0.45), x, 0, 10, HEIGHT)
    sketch.box("#c79a62", 0, 54, WIDTH, 42)
    sketch.box("#b38650", 0, 54, WIDTH, 3)
    sketch.oval("#a8794a", 80, 82, 50, 9)
    sketch.oval(_GOLD if facts.share("preis") > 0.4 else "#d9d2c4", 80, 77, 48, 15)
    sketch.oval(_WHITE, 80, 76, 45, 13.4)
    sketch.oval("#ece7dc", 80, 76.5, 34, 9)
    motif = next((draw for draw, words in _DISHES if facts.says(*words)), _bowl)
    motif(sketch, chance)
    if facts.share("veggie") > 0.35:
        for turn in range(3):
            sketch.oval("#3d8b40", 112 + 4 * turn, 74 - 2 * (turn % 2), 3.4, 2)
    sketch.stroke("#8f979e", 2, "M22 66V90M18 62V69Q22 73 26 69V62M22 62V68")
    if facts.share("weine") > 0.5:
        _glass(sketch, 140, "#8c1d3a")
    elif facts.share("cocktails") > 0.5:
        _cocktail(sketch, 140)


def _glass(sketch: _Sketch, x: float, wine: str) -> None:
    sketch.path("#f4f7f8", f"M{x - 9} 34h18q1 20-9 21-10-1-9-21z")
    sketch.path(wine, f"M{x - 9} 42h18q-1 11-9 12-8-1-9-12z")
    sketch.stroke("#d8e0e4", 2, f"M{x} 55V76M{x - 7} 77h14")


def _cocktail(sketch: _Sketch, x: float) -> None:
    sketch.area("#f7d6e0", [(x - 12, 38), (x + 12, 38), (x, 54)])
    sketch.area("#e4577e", [(x - 9, 42), (x + 9, 42), (x, 54)])
    sketch.stroke("#d8e0e4", 2, f"M{x} 54V76M{x - 7} 77h14")
    sketch.oval("#7fb23c", x + 9, 37, 4)


def _heap(
    sketch: _Sketch, chance: Random, colours: Sequence[str], count: int, size: float
) -> None:
    """Pieces on a plate, the lower ones in front."""
    for n in range(count):
        x, y = 80 + chance.uniform(-24, 24), 62 + 14 * n / count + chance.uniform(-2, 2)
        sketch.oval(colours[n % len(colours)], x, y, size, size * 0.7)


def _pizza(sketch: _Sketch, chance: Random) -> None:
    sketch.oval("#d9984a", 80, 72, 40, 14)
    sketch.oval("#f3c94f", 80, 71, 35, 11)
    for _ in range(9):
        sketch.oval("#c0392b", 80 + chance.uniform(-27, 27), 71 + chance.uniform(-6, 6), 4, 2.6)
    for _ in range(5):
        sketch.oval("#3d8b40", 80 + chance.uniform(-26, 26), 71 + chance.uniform(-6, 6), 2.6, 1.4)


def _pasta(sketch: _Sketch, chance: Random) -> None:
    sketch.oval("#f0cf78", 80, 68, 30, 13)
    for n in range(8):
        x, y = 52 + 6.4 * n, 66 + chance.uniform(-4, 4)
        sketch.stroke("#d9ac45", 1.6, f"M{_short(x)} {_short(y)}q8-11 16 0t-9 9")
    sketch.oval("#b93a25", 80, 59, 14, 6)
    for x in (74, 82, 88):
        sketch.oval("#7d2b1c", x, 57, 4, 3)
    sketch.oval("#3d8b40", 78, 53, 5, 2.2)


def _sushi(sketch: _Sketch, chance: Random) -> None:
    for n, x in enumerate((54, 71, 88, 105)):
        fish = ("#f2845c", "#f7b7a3", "#d8423a", "#f2845c")[(n + chance.randrange(2)) % 4]
        if n % 2:
            sketch.box("#20303a", x - 8, 60, 16, 17, 3)
            sketch.oval(_WHITE, x, 61, 8, 4.4)
            sketch.oval(fish, x, 61, 3.6, 2)
        else:
            sketch.box(_WHITE, x - 8, 65, 16, 12, 5)
            sketch.box(fish, x - 9, 60, 18, 9, 4)
            sketch.stroke("#ffffff", 1, f"M{x - 3} 61l-2 7M{x + 3} 61l-2 7")
    sketch.stroke("#5d3a17", 2, "M116 88L152 62M120 91L156 66")


def _cake(sketch: _Sketch, chance: Random) -> None:
    sketch.area("#f4dcae", [(52, 60), (92, 54), (104, 62), (104, 76), (66, 80), (52, 74)])
    sketch.area("#b0555f", [(52, 66), (66, 71), (104, 67), (104, 71), (66, 76), (52, 71)])
    sketch.area(_WHITE, [(52, 58), (92, 51), (104, 59), (66, 65)])
    for n in range(3):
        sketch.oval("#c9252d", 66 + 12 * n, 57 - n + chance.uniform(-1, 1), 3.4)
    sketch.path(_WHITE, "M118 66h22v8q0 8-11 8t-11-8z")
    sketch.oval("#6b3f22", 129, 66.6, 10, 2.6)
    sketch.stroke(_WHITE, 2.4, "M140 69q7 1 0 8")


def _waffle(sketch: _Sketch, chance: Random) -> None:
    sketch.area("#d99a45", [(46, 70), (70, 58), (116, 62), (94, 79)])
    for n in range(5):
        sketch.stroke("#a86a23", 1.4, f"M{52 + 10 * n} {69 - 2 * n}l{24 - n} {9 - n}")
        sketch.stroke("#a86a23", 1.4, f"M{56 + 8 * n} {75 - n}L{74 + 8 * n} {60 + n}")
    sketch.oval("#fffaf0", 82, 61, 13, 7)
    sketch.oval("#fffaf0", 84, 54, 8, 6)
    for n in range(4):
        sketch.oval("#a3213c", 70 + 9 * n, 66 + chance.uniform(-3, 2), 3)


def _steak(sketch: _Sketch, chance: Random) -> None:
    sketch.path("#5a2a1a", "M48 70q2-14 26-13 30-3 34 8 2 14-26 14-30 2-34-9z")
    sketch.path("#8a4129", "M52 68q3-10 24-9 26-2 28 6-8 9-26 8-20 2-26-5z")
    for n in range(4):
        sketch.stroke("#3a1a10", 2, f"M{60 + 11 * n} 60l-6 13")
    sketch.box(_GOLD, 74, 55, 11, 7, 2)
    _heap(sketch, chance, ("#e8c15a",), 3, 4)


def _schnitzel(sketch: _Sketch, chance: Random) -> None:
    sketch.path("#d89a3e", "M46 72q-2-12 18-13 14-7 28 0 22-2 22 10-2 12-30 11-34 2-38-8z")
    for _ in range(12):
        sketch.oval("#b87724", 80 + chance.uniform(-27, 27), 69 + chance.uniform(-7, 6), 2.2, 1.2)
    sketch.oval("#f2dc4a", 84, 60, 8, 5)
    sketch.oval("#fff6b0", 84, 60, 5.6, 3.2)
    _heap(sketch, chance, ("#3d8b40",), 2, 3)


def _sausages(sketch: _Sketch, chance: Random) -> None:
    for n in range(3):
        sketch.stroke(
            "#9c4a26", 7, f"M{52 + 4 * n} {74 - 6 * n}q24 {chance.randrange(7, 11)} 52 -2"
        )
        sketch.stroke("#c77a4c", 1.6, f"M{56 + 4 * n} {74 - 6 * n}q22 8 44 0")
    sketch.oval("#e2b92f", 112, 72, 7, 4)


def _salad(sketch: _Sketch, chance: Random) -> None:
    _heap(sketch, chance, ("#4f9d45", "#7cbf4f", "#2f7a3b"), 18, 8)
    for n in range(6):
        x, y = 80 + chance.uniform(-24, 24), 63 + chance.uniform(-5, 8)
        sketch.oval(("#d63b2f", "#f4d35e", "#f3eee0")[n % 3], x, y, 4.4, 3)


def _bowl(sketch: _Sketch, chance: Random) -> None:
    """Soup; what it is made of lies on top."""
    sketch.path("#2f5d7c", "M42 56h76q-2 26-38 26T42 56z")
    sketch.oval("#e7ddc5", 80, 56, 38, 8)
    sketch.oval("#c98b3c", 80, 56.5, 34, 6.4)
    for n in range(8):
        x, y = 80 + chance.uniform(-27, 27), 56 + chance.uniform(-3.4, 3.4)
        sketch.oval(("#3d8b40", "#f7f0d8", "#d9542e", "#8a3d22")[n % 4], x, y, 4.4, 2)
    _steam(sketch)


def _noodles(sketch: _Sketch, chance: Random) -> None:
    _bowl(sketch, chance)
    for n in range(6):
        sketch.stroke("#f3dfa0", 1.6, f"M{54 + 8 * n} 57q6-6 12 0")
    sketch.oval("#fff8e6", 94, 55, 8, 4)
    sketch.oval("#f1a93b", 94, 55, 3.6, 2)
    sketch.stroke("#5d3a17", 2, "M96 52L134 22M101 54L140 27")


def _curry(sketch: _Sketch, chance: Random) -> None:
    sketch.oval("#f8f4e8", 66, 66, 20, 11)
    for _ in range(8):
        sketch.oval("#e1dac4", 66 + chance.uniform(-14, 14), 64 + chance.uniform(-5, 7), 2, 1)
    sketch.oval("#d0761f", 96, 70, 24, 9)
    for n in range(6):
        x = 96 + chance.uniform(-17, 17)
        sketch.oval(("#8a3d16", "#e9a63a", "#3d8b40")[n % 3], x, 69 + chance.uniform(-4, 4), 4, 3)
    _steam(sketch)


def _steam(sketch: _Sketch) -> None:
    for x in (68, 80, 92):
        sketch.stroke(_WHITE, 2, f"M{x} 42q-6-6 0-12t0-12")


def _fish(sketch: _Sketch, chance: Random) -> None:
    sketch.path("#7fa3b5", "M44 70Q66 52 98 68L116 58Q112 70 117 82L98 73Q66 88 44 70z")
    sketch.path("#b9d0da", "M48 72Q68 82 96 72 72 77 48 72z")
    sketch.oval(_WHITE, 56, 68, 3)
    sketch.oval(_DARK, 56, 68, 1.5)
    for n in range(4):
        sketch.stroke("#5c8193", 1.2, f"M{68 + 8 * n} 65q4 4 0 9")
    sketch.oval("#f2dc4a", 88 + chance.uniform(-2, 6), 60, 7, 4)
    sketch.oval("#fff6b0", 88, 60, 4.4, 2.4)


def _burger(sketch: _Sketch, chance: Random) -> None:
    sketch.path("#d08a3c", "M52 56q2-22 28-22t28 22z")
    for _ in range(8):
        sketch.oval("#fbe7bd", 80 + chance.uniform(-20, 20), 46 + chance.uniform(-5, 5), 1.6, 1)
    sketch.path("#58a044", "M48 57q4-3 8 1t8 0 8 0 8 0 8 0 8 0 8 0q4-4 8-1v4H48z")
    sketch.box("#d8382e", 52, 60, 56, 4)
    sketch.box("#5a2f1c", 50, 63, 60, 8, 4)
    sketch.area("#f6c945", [(52, 63), (108, 63), (98, 69), (88, 63)])
    sketch.box("#d08a3c", 52, 70, 56, 9, 4)


def _potatoes(sketch: _Sketch, chance: Random) -> None:
    _heap(sketch, chance, ("#d9b060", "#c99a45", "#e3c27a"), 9, 9)
    sketch.oval("#fffaf0", 80, 61, 10, 5)
    for n in range(5):
        sketch.oval("#3d8b40", 74 + 3 * n, 60 + chance.uniform(-2, 2), 1.4, 1)


def _dumplings(sketch: _Sketch, chance: Random) -> None:
    sketch.box("#b98446", 46, 58, 68, 22, 6)
    for x in range(50, 114, 8):
        sketch.stroke("#93642e", 1, f"M{x} 60v19")
    sketch.oval("#d9b274", 80, 58, 34, 9)
    for n, x in enumerate((60, 75, 90, 102)):
        y = 57 + 3 * (n % 2) + chance.uniform(-1, 1)
        sketch.oval("#fdf6e8", x, y, 8, 6)
        sketch.stroke("#d8cbb2", 1, f"M{x - 4} {_short(y - 2)}l4-3 4 3")
    _steam(sketch)


def _balls(sketch: _Sketch, chance: Random) -> None:
    sketch.path("#e7c888", "M44 72q2-20 36-20t36 20q-36 14-72 0z")
    _heap(sketch, chance, ("#8a5a24", "#9c6a2f"), 8, 8)
    _heap(sketch, chance, ("#5fa84a", "#d63b2f"), 5, 3.4)


def _small_plates(sketch: _Sketch, chance: Random) -> None:
    fills = ["#3d6b35", "#d2452f", "#e9b23f", "#f1e7cf", "#7d4a2a"]
    chance.shuffle(fills)
    for n, (x, y) in enumerate(((58, 62), (80, 58), (102, 62), (68, 75), (93, 75))):
        sketch.oval("#b0562f", x, y, 13, 6.4)
        sketch.oval(fills[n], x, y - 1, 10, 4.4)
        for k in range(3):
            sketch.oval(fills[(n + 2) % 5], x - 5 + 5 * k, y - 2, 2, 1.4)


def _pretzel(sketch: _Sketch, chance: Random) -> None:
    sketch.stroke("#a0602a", 6, "M64 78Q96 68 94 56 88 46 78 58 68 46 62 56 60 68 92 78")
    for _ in range(9):
        sketch.oval(_WHITE, 78 + chance.uniform(-15, 15), 60 + chance.uniform(-7, 6), 1)
    _mug(sketch, 116, 56, 1.0)


def _tea(sketch: _Sketch, chance: Random) -> None:
    sketch.path("#4b8a86", "M56 60q0-14 22-14t22 14q0 20-22 20T56 60z")
    sketch.stroke("#4b8a86", 5, "M56 62Q44 60 42 50")
    sketch.stroke("#4b8a86", 4, "M99 56q16-2 12 10-2 8-13 6")
    sketch.oval("#3a6f6c", 78, 47, 11, 3)
    sketch.oval("#3a6f6c", 78, 42, 3)
    for turn in range(5):
        angle = turn * 2 * pi / 5
        sketch.oval("#f3b6c4", 78 + 5 * sin(angle), 63 - 5 * cos(angle), 3.4)
    sketch.oval(_GOLD, 78, 63, 2.6)


def _roast(sketch: _Sketch, chance: Random) -> None:
    _heap(sketch, chance, ("#7a3f22", "#693419"), 6, 10)
    for x in (56, 106):
        sketch.oval("#f2e3bd", x, 72, 10, 8)
    _heap(sketch, chance, ("#a3213c",), 5, 2.4)


_Draws = Callable[[_Sketch, Random], None]
_DISHES: tuple[tuple[_Draws, tuple[str, ...]], ...] = (
    (_roast, ("hirsch", "linde", "eber")),
    (_pizza, ("trattoria", "pizz")),
    (_sushi, ("sushi", "izakaya")),
    (_cake, ("caf", "konditorei")),  # with any accent behind it
    (_pasta, ("osteria", "pasta", "spaghetti")),
    (_schnitzel, ("ratsstube", "brasserie", "schnitzel")),
    (_small_plates, ("tapas", "mezze")),
    (_noodles, ("pho", "ramen")),
    (_curry, ("curry",)),
    (_fish, ("ufer", "hafen", "fisch", "nordlicht")),
    (_steak, ("steak", "toro")),
    (_salad, ("green", "grüne", "jardin", "delphi")),
    (_pretzel, ("wirtshaus", "brau")),
    (_burger, ("burger",)),
    (_potatoes, ("kartoffel",)),
    (_sausages, ("speicher", "wurst")),
    (_dumplings, ("dim sum",)),
    (_balls, ("falafel",)),
    (_waffle, ("waffel",)),
    (_tea, ("tee", "tea")),  # behind steak, which has "tea" in it
)


# -- pubs -----------------------------------------------------------------------------------------


def _pub(sketch: _Sketch, facts: _Facts, chance: Random) -> None:
    """Half-timbered if it is old, as many lit windows as it has room, barrels for its beers; the
    moon for who has open long; the sign shows the name, or a mug.
    """
    late = facts.share("stunden")
    sketch.box(shade(232 - 20 * late, 0.16 + 0.1 * (1 - late), 0.5), 0, 0, WIDTH, HEIGHT)
    for _ in range(9):
        sketch.oval("#fff3c4", chance.uniform(2, 158), chance.uniform(2, 40), 0.8)
    if late > 0.4:
        sketch.oval("#fbe9a6", 138, 16, 9)
        sketch.oval(shade(232 - 20 * late, 0.16 + 0.1 * (1 - late), 0.5), 134, 14, 8)
    sketch.box("#55504c", 0, 86, WIDTH, 10)
    old = 1 - facts.share("gruendung")
    wall = (
        shade(chance.randrange(20, 50), 0.78, 0.4)
        if old > 0.4
        else shade(chance.randrange(360), 0.5, 0.3)
    )
    sketch.box(wall, 30, 36, 92, 50)
    if old > 0.4:
        sketch.area("#8c3b2a", [(22, 38), (76, 4), (130, 38)])
        for x in (30, 60, 90, 118):
            sketch.box("#5d3a17", x, 36, 3.4, 50)
        sketch.stroke("#5d3a17", 3, "M31 60h90M33 60l26-22M93 38l26 22")
    else:
        sketch.box("#3d4348", 26, 30, 100, 7)
        sketch.box("#6b7278", 104, 16, 9, 14)
    _windows(sketch, 2 + round(3 * facts.share("plaetze")))
    sketch.box("#5d3a17", 68, 62, 16, 24, 2)
    sketch.oval(_GOLD, 81, 75, 1.2)
    for n in range(1 + round(2 * facts.share("fass"))):
        sketch.box("#a06a34", 126 + 10 * (n % 2), 74 - 12 * (n // 2), 9, 12, 3)
        sketch.box("#3d3a38", 126 + 10 * (n % 2), 78 - 12 * (n // 2), 9, 1.4)
    _sign(sketch, facts)


def _windows(sketch: _Sketch, count: int) -> None:
    for n in range(count):
        x = 76 + (n - (count - 1) / 2) * (80 / max(count, 3)) - 6
        sketch.box("#ffd873", x, 42, 12, 13, 1)
        sketch.box("#7a5a2a", x + 5.4, 42, 1.2, 13)
    for x in (38, 102):
        sketch.box("#ffd873", x, 65, 14, 12, 1)
        sketch.box("#7a5a2a", x + 6.4, 65, 1.2, 12)


def _sign(sketch: _Sketch, facts: _Facts) -> None:
    sketch.stroke("#d8d2c4", 2, "M31 44H4M16 44v5")
    sketch.box("#f6ead0", 2, 48, 28, 30, 3)
    sketch.box("#fffaf0", 4, 50, 24, 26, 2)
    found = next((sign for sign in _MOTIFS["signs"] if facts.says(*sign["words"])), None)
    if found is None:
        _mug(sketch, 15, 55, 0.9)
    else:
        sketch.motif(found["svg"], group_colour(facts.code))


def _mug(sketch: _Sketch, x: float, y: float, size: float) -> None:
    sketch.stroke("#d9b65a", 2 * size, f"M{x + 7 * size} {y + 4 * size}q6 0 6 5t-6 6")
    sketch.box("#e8a92c", x - 7 * size, y, 14 * size, 18 * size, 2)
    for dx in (-5, 0, 5):
        sketch.oval(_WHITE, x + dx * size, y, 3.6 * size)


# -- other decks, jokers, hats, backs -------------------------------------------------------------


def _web(sketch: _Sketch, facts: _Facts, chance: Random) -> None:
    """A deck that we know nothing of: its values as a web, far out where they win."""
    hue = (ord(facts.code[0]) * 47 + 200) % 360
    sketch.box(shade(hue, 0.9, 0.4), 0, 0, WIDTH, HEIGHT)
    for _ in range(7):
        x, y = chance.uniform(0, WIDTH), chance.uniform(0, HEIGHT)
        sketch.oval(shade(hue + 20, 0.85, 0.4), x, y, chance.uniform(6, 18))
    strengths = facts.strengths()
    # one or two corners enclose no area, so they are repeated
    strengths = strengths if len(strengths) > 2 else (strengths or [0.5]) * 4
    turns = [2 * pi * n / len(strengths) for n in range(len(strengths))]
    for reach in (44, 30, 16):
        fill = shade(hue, 0.8 + 0.005 * (44 - reach) / 2, 0.4)
        sketch.area(fill, [(80 + reach * sin(t), 48 - reach * cos(t)) for t in turns])
    # 44 is the outermost ring; the weakest value is seen too
    reaches = [10 + 34 * strength for strength in strengths]
    tips = [(80 + r * sin(t), 48 - r * cos(t)) for r, t in zip(reaches, turns, strict=True)]
    sketch.area(group_colour(facts.code), tips)
    for x, y in tips:
        sketch.oval(_WHITE, x, y, 2.6)


def _joker(sketch: _Sketch) -> None:
    """A fool's cap with bells."""
    sketch.box("#efe3fa", 0, 0, WIDTH, HEIGHT)
    for n in range(8):
        turn = n * pi / 4
        far = (80 + 130 * sin(turn), 56 - 130 * cos(turn))
        near = (80 + 130 * sin(turn + pi / 8), 56 - 130 * cos(turn + pi / 8))
        sketch.area("#e0cdf3", [(80, 56), far, near])
    sketch.path("#6b3fa0", "M56 74Q40 60 34 36 54 34 68 52z")
    sketch.area("#4d2c78", [(52, 76), (62, 48), (98, 48), (108, 76)])
    sketch.path("#d5262b", "M62 60Q66 24 80 12 94 24 98 60z")
    sketch.path("#14763e", "M104 74Q120 60 126 36 106 34 92 52z")
    sketch.path(_GOLD, "M44 76Q80 58 116 76L111 90Q80 74 49 90z")
    for x, y in ((34, 36), (80, 12), (126, 36)):
        sketch.oval(_GOLD, x, y, 6)
        sketch.oval(_DARK, x, y + 2, 1.4)


@lru_cache
def _hat(suit: str) -> Art:
    """A suit: red a top hat, green a bowler, blue a cap; told apart without colours."""
    sketch = _Sketch(120, 120)
    sketch.motif(_MOTIFS["suits"][suit], SUITS[suit])
    return sketch.done()


@lru_cache
def back_art(letter: str) -> Art:
    """The back of a deck whose title begins so: the same after half a turn."""
    sketch, colour = _Sketch(170, 274), group_colour(letter)
    hue = (ord(letter) * 47 + 200) % 360
    sketch.box(colour, 0, 0, 170, 274, 10)
    light = shade(hue, 0.42, 0.5)
    for row in range(1, 8):  # a title has room above and below
        for column in range(5 - row % 2):
            # row 4 lies in the middle, at 137: the pattern is the same upside down
            x, y = 21 + 32 * column + 16 * (row % 2), 25 + 28 * row
            sketch.area(light, [(x, y - 12), (x + 12, y), (x, y + 12), (x - 12, y)])
    frame = f' stroke="{_CREAM}" stroke-width="2"'
    sketch.path(
        "none", "M8 16a8 8 0 0 1 8-8H154a8 8 0 0 1 8 8V258a8 8 0 0 1-8 8H16a8 8 0 0 1-8-8z", frame
    )
    sketch.oval(_CREAM, 85, 137, 40)
    sketch.oval(colour, 85, 137, 36)
    sketch.star(_CREAM, 85, 137, 30, 6)
    sketch.oval(colour, 85, 137, 8)
    return sketch.done()


# -- guests ---------------------------------------------------------------------------------------

_SKINS = ("#f3d2b3", "#e2b48c", "#b87f55", "#8a5836")
_HAIRS = ("#2b2420", "#5b3a22", "#a8763a", "#8d8a86")


@lru_cache
def guest_art(code: str) -> Art:
    """Head and shoulders. A woman has long hair and a dress, a man short hair and a collar; every
    nation its colour and its hat.
    """
    nation, woman = code[:2], code[2] == "f"
    chance = Random(code)
    sketch = _Sketch(100, 100)
    colour, skin, hair = nation_colour(nation), chance.choice(_SKINS), chance.choice(_HAIRS)
    sketch.oval("#f5ecd8", 50, 50, 50)
    if woman:
        sketch.path(hair, "M24 66Q20 14 50 14T76 66Q64 76 50 72 36 76 24 66z")
        sketch.path(colour, "M12 100Q20 68 50 68T88 100z")
        sketch.path(skin, "M34 74Q50 92 66 74L58 62H42z")
    else:
        sketch.path(hair, "M28 44Q26 16 50 16T72 44V52H28z")
        sketch.path(colour, "M10 100V88Q12 74 34 70H66Q88 74 90 88V100z")
        sketch.area(_WHITE, [(36, 69), (50, 86), (64, 69), (58, 64), (42, 64)])
        sketch.area(skin, [(43, 60), (57, 60), (57, 72), (50, 78), (43, 72)])
    sketch.oval(skin, 50, 46, 19, 22)
    sketch.path(hair, "M31 42Q32 24 50 24T69 42Q60 32 50 32T31 42z")
    for x in (42.5, 57.5):
        sketch.oval(_DARK, x, 46, 2)
    if woman:
        sketch.stroke("#b23a48", 2.4, "M44 57q6 4 12 0")
        for x in (31, 69):
            sketch.oval(_GOLD, x, 54, 2.4)
    else:
        sketch.stroke("#7d4a3a", 2, "M44 58q6 3 12 0")
        if chance.random() < 0.5:
            sketch.stroke(hair, 3.4, "M42 54q8-4 16 0")
    sketch.motif(_MOTIFS["guests"][nation], colour)
    return sketch.done()


_PAINTERS: dict[str, Callable[[_Sketch, _Facts, Random], None]] = {
    "berge": _peak,
    "gastro": _dish,
    "kneipe": _pub,
}
