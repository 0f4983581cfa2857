"""What the two sides of a card show: playing cards, guests and tables, numbered cards, badges."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageOps

from card_tags import kinds
from host_tools.cards import art
from host_tools.cards.decks.values import written
from host_tools.cards.tag_items import Item
from host_tools.core.errors import UserError
from host_tools.core.json_types import Json
from host_tools.print.cards import Face
from host_tools.print.paper import FAMILY, SMALLEST, SOFT, Colour, Paper
from host_tools.print.sizes import CardSize

ImageSource = Path | bytes
"""A file, or what stands in it."""
WHITE: Colour = (255, 255, 255)
TINT: Colour = (241, 236, 224)
_MARGIN = 3.0
"""White round the printed part, so that a cut that is half a millimetre off does no harm."""
_HEAD_MM = 11.0
_FOOT_MM = 4.5
_LARGEST_ROW_MM = 8.0
_LEAST_PICTURE_MM = 14.0
_QR_MM = 17.0
_DOTS_A_MM = 300 / 25.4


@dataclass(frozen=True)
class DeckFaces:
    """The cards of a deck object. `pictures`: code -> picture; `links`: code -> address;
    `directions`: which end wins in each category, "high" or "low".
    """

    deck: Json
    size: CardSize
    lang: str
    pictures: Mapping[str, ImageSource]
    links: Mapping[str, str]
    directions: Sequence[str]

    def fronts(self) -> list[Face]:
        return [self._front(card) for card in self.deck["cards"]]

    def _front(self, card: Json) -> Face:
        def draw(paper: Paper, x: float, y: float) -> None:
            width = self.size.width - 2 * _MARGIN
            left, top = x + _MARGIN, y + _MARGIN
            colour = art.rgb(art.group_colour(card["code"]))
            _head(paper, left, top, width, card["code"], card["name"], colour)
            bottom = y + self.size.height - _MARGIN - _FOOT_MM
            top += _HEAD_MM + 1
            if card.get("joker"):
                self._joker(paper, card, left, top, width, bottom - top)
            else:
                row = self._row_height(bottom - top)
                rows_top = bottom - row * len(self.deck["categories"])
                self._window(paper, card, (left, top - 1, width, rows_top - top))
                self._rows(paper, card, left, rows_top, width, row)
            paper.set_font(FAMILY, "", SMALLEST)
            # cut here: write_at would part it, and the foot has room for one line
            title = paper.cut(paper.readable(self.deck["title"]), width - 2)
            foot = bottom + _FOOT_MM / 2 + 0.4
            paper.write_at(left, foot, width, title, SMALLEST, align="C", colour=SOFT)
            paper.box_at(left, y + _MARGIN, width, self.size.height - 2 * _MARGIN, 0.3, colour)

        return draw

    def _row_height(self, room: float) -> float:
        """As high as is good to read; a picture or a QR code gets what is left."""
        count = len(self.deck["categories"])
        wanted = max(room * 0.42, _QR_MM if self.links else _LEAST_PICTURE_MM)
        # with many categories the picture gives way: letters must stay readable
        return max(min(_LARGEST_ROW_MM, (room - wanted) / count), 3.4)

    def _window(self, paper: Paper, card: Json, window: tuple[float, float, float, float]) -> None:
        """Between head and values: the picture, ours if there is none, and a QR code."""
        left, top, width, height = window
        if height < _LEAST_PICTURE_MM * 0.6:
            return
        link = self.links.get(card["code"], "")
        code = min(_QR_MM, height) if link else 0.0
        picture = self.pictures.get(card["code"])
        inner = width - code
        if picture is None:
            paper.art_at(art.card_art(self.deck, card), left, top, inner, height)
        else:
            paper.image(_cropped(picture, inner, height), left, top, inner, height)
        if link:
            paper.set_fill_color(*WHITE)
            paper.rect(left + width - code, top, code, height, style="F")
            paper.qr_at(link, left + width - code, top + (height - code) / 2, code)

    def _rows(
        self, paper: Paper, card: Json, left: float, top: float, width: float, row: float
    ) -> None:
        points = min(10.5, row * 1.75)
        for number, category in enumerate(self.deck["categories"]):
            y = top + row * number
            if number % 2 == 0:
                paper.set_fill_color(*TINT)
                paper.rect(left, y, width, row, style="F")
            middle = y + row / 2
            _arrow(paper, left + 2.2, middle, self.directions[number] == "high")
            value = written(card["values"][number], category, self.lang)
            paper.set_font(FAMILY, "B", points)
            # a long value leaves the title more than half of the row
            room = min(paper.get_string_width(value) + 0.2, width * 0.42)
            right = left + width - 1.5 - room
            paper.write_at(right, middle, room, value, points, bold=True, align="R")
            paper.write_at(
                left + 4.4, middle, right - left - 5.4, category["title"], points * 0.95
            )

    def _joker(
        self, paper: Paper, card: Json, x: float, y: float, width: float, height: float
    ) -> None:
        paper.art_at(art.card_art(self.deck, card), x, y - 1, width, height * 0.68)
        doubled = next((c["title"] for c in self.deck["categories"] if c.get("joker")), "")
        words = paper.words
        paper.write_at(
            x + 2, y + height * 0.78, width - 4, words["joker"], 20, bold=True, align="C"
        )
        if doubled:
            doubles = words["joker_doubles"].format(category=doubled)
            paper.write_at(x + 2, y + height * 0.88, width - 4, doubles, 9, align="C", colour=SOFT)


def back(title: str, size: CardSize) -> Face:
    """The same for every card of a deck: a pattern, and the title above and below the middle, so
    that nobody sees which way round it lies.
    """
    letter = (title or "S")[0]

    def draw(paper: Paper, x: float, y: float) -> None:
        left, top = x + _MARGIN, y + _MARGIN
        width, height = size.width - 2 * _MARGIN, size.height - 2 * _MARGIN
        paper.art_at(art.back_art(letter), left, top, width, height)
        band = min(9.0, height / 6)
        for turn in (0, 180):
            with paper.rotation(turn, x + size.width / 2, y + size.height / 2):
                paper.write_at(
                    left + 4,
                    top + 3 + band / 2,
                    width - 8,
                    title,
                    13,
                    bold=True,
                    align="C",
                    colour=WHITE,
                )
        # white for the sticker, which has a radius of 12.5 mm (cards.py)
        middle = (x + size.width / 2, y + size.height / 2)
        paper.set_fill_color(*WHITE)
        paper.circle(*middle, min(14.0, width / 2 - 2), style="F")

    return draw


def item_front(item: Item, size: CardSize) -> Face:
    """The front of anything but a playing card. Raises UserError for what is not printed."""
    face = _FRONTS.get(item.kind)
    if face is None:
        raise UserError("not_printed", code=item.code)

    def draw(paper: Paper, x: float, y: float) -> None:
        face(paper, item, (x + _MARGIN, y + _MARGIN), size)

    return draw


# -- parts ----------------------------------------------------------------------------------------


def _head(
    paper: Paper, x: float, y: float, width: float, code: str, name: str, colour: Colour
) -> None:
    paper.set_fill_color(*colour)
    paper.rect(x, y, width, _HEAD_MM, style="F")
    middle = y + _HEAD_MM / 2
    paper.set_font(FAMILY, "B", 20)
    room = min(paper.get_string_width(code), width * 0.34)
    paper.write_at(x + 2, middle, room, code, 20, bold=True, colour=WHITE)
    left = x + room + 4.5
    paper.write_at(left, middle, x + width - left - 1.5, name, 12, bold=True, colour=WHITE)


def _arrow(paper: Paper, x: float, y: float, up: bool) -> None:
    """The best value is the highest, or the lowest."""
    side = -1 if up else 1
    paper.set_fill_color(*SOFT)
    tip, base = y + side * 1.1, y - side * 0.8
    paper.polygon([(x, tip), (x - 1.1, base), (x + 1.1, base)], style="F")


def _cropped(picture: ImageSource, width: float, height: float) -> Image.Image:
    """The middle of a picture, as large as it is printed at 300 dots an inch. Raises UserError."""
    flat = opened(picture)
    dots = (max(1, round(width * _DOTS_A_MM)), max(1, round(height * _DOTS_A_MM)))
    scale = max(dots[0] / flat.width, dots[1] / flat.height)
    if scale > 1:  # smaller than needed: only cut, the printer enlarges it
        dots = (max(1, round(dots[0] / scale)), max(1, round(dots[1] / scale)))
    return ImageOps.fit(flat, dots)


def opened(picture: ImageSource, name: str = "") -> Image.Image:
    """A picture that stands upright, on white, in the colours of screens. Raises UserError that
    calls it `name`, if it is no file.
    """
    try:
        data = picture if isinstance(picture, bytes) else picture.read_bytes()
        with Image.open(io.BytesIO(data)) as found:
            # phones store photos sideways and note in EXIF how to turn them
            clear = ImageOps.exif_transpose(found).convert("RGBA")
    # Pillow raises SyntaxError for a broken PNG; the last one derives from none of the others
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise UserError("picture_unreadable", path=name or picture) from error
    # convert("RGB") would show the hidden colour of transparent dots, often black
    flat = Image.new("RGB", clear.size, WHITE)
    flat.paste(clear, mask=clear.getchannel("A"))
    return flat


# -- other cards ----------------------------------------------------------------------------------


def _guest(paper: Paper, item: Item, corner: tuple[float, float], size: CardSize) -> None:
    tile = item.content.tile
    nation, sex = tile[:2], tile[2]
    width, height = size.width - 2 * _MARGIN, size.height - 2 * _MARGIN
    colour = art.rgb(art.nation_colour(nation))
    x, y = corner
    paper.box_at(x, y, width, height, 0.5, colour)
    paper.set_fill_color(*colour)
    paper.rect(x, y, width, 8, style="F")
    word = paper.words[f"nation_{nation}"]
    paper.write_at(x + 1.5, y + 4, width - 3, word, 13, bold=True, align="C", colour=WHITE)
    picture, side = art.guest_art(tile), height - 15
    paper.art_at(picture, x + (width - side) / 2, y + 8.5, side, side)
    middle = y + height - 3.2
    paper.write_at(x + 1.5, middle, width - 3, tile, 11, bold=True)
    paper.write_at(x + 1.5, middle, width - 3, paper.words[f"guest_{sex}"], 11, align="R")


def _table(paper: Paper, item: Item, corner: tuple[float, float], size: CardSize) -> None:
    content = item.content
    x, y = corner
    width, height = size.width - 2 * _MARGIN, size.height - 2 * _MARGIN
    colour = art.rgb(art.nation_colour(content.nation))
    middle = y + height / 2
    paper.set_fill_color(*colour)
    paper.circle(x + width / 2, middle, min(width, height) / 2, style="F")
    word = paper.words[f"nation_{content.nation}"]
    paper.write_at(x + 4, middle, width - 8, word, 17, bold=True, align="C", colour=WHITE)
    name = content.table or paper.words["table"]
    paper.write_at(x + 8, middle - 10, width - 16, name, 11, align="C", colour=WHITE)
    paper.write_at(x, y + height - 1, width, item.code, 8, align="R", colour=SOFT)


def _numbered(paper: Paper, item: Item, corner: tuple[float, float], size: CardSize) -> None:
    """Number and colour; the colour also as a letter and a hat, for who does not see it."""
    code = item.code
    colour = art.rgb(art.SUITS.get(code[0], "#15202c"))
    x, y = corner
    width, height = size.width - 2 * _MARGIN, size.height - 2 * _MARGIN
    paper.box_at(x, y, width, height, 0.8, colour)
    middle = (x + width / 2, y + height / 2)
    for turn in (0, 180):
        with paper.rotation(turn, *middle):
            paper.write_at(x + 2.5, y + 8, 20, code[1:], 30, bold=True, colour=colour)
            paper.write_at(x + 2.5, y + 15, 10, code[0], 12, bold=True, colour=colour)
    hat = art.art_named(code[0])
    if hat is not None:
        side = min(width, height) * 0.86
        paper.art_at(hat, middle[0] - side / 2, middle[1] - side / 2, side, side)
    crown = middle[1] - height * 0.05
    paper.write_at(x, crown, width, code[1:], 40, bold=True, align="C", colour=WHITE)


def _named(paper: Paper, item: Item, corner: tuple[float, float], size: CardSize) -> None:
    """A badge or a jury card: the name, and what it is of."""
    x, y = corner
    width, height = size.width - 2 * _MARGIN, size.height - 2 * _MARGIN
    jury = item.kind == kinds.JURY
    colour = art.rgb(art.SUITS["R"] if jury else art.group_colour("S"))
    paper.box_at(x, y, width, height, 0.4, colour)
    paper.set_fill_color(*colour)
    paper.rect(x, y, width, 9, style="F")
    head = paper.words["jury_card"] if jury else item.content.event or paper.words["badge"]
    paper.write_at(x + 3, y + 4.5, width - 6, head, 12, bold=True, colour=WHITE)
    paper.write_at(x + 3, y + height / 2 + 2, width - 6, item.name, 24, bold=True)
    paper.write_at(x + 3, y + height - 5, width - 6, item.code, 9, colour=SOFT)


_FRONTS: Mapping[str, Callable[[Paper, Item, tuple[float, float], CardSize], None]] = {
    kinds.GUEST: _guest,
    kinds.TABLE: _table,
    kinds.NUMBERED: _numbered,
    kinds.BADGE: _named,
    kinds.JURY: _named,
}
