"""Hands at an emulated Pico: they lay tags down, take them away, press buttons and watch."""

from card_tags import codec, kinds
from hardware.twin.errors import TwinError
from hardware.twin.oled import HEIGHT, Picture
from hardware.twin.panel import Button
from hardware.twin.tags import NtagTwin
from host_tools.cards.tag_items import deck_items
from host_tools.sim.pico.emulator import EmulatedPico

SETTLE_MS = 400
_ANSWER_LIMIT_MS = 3_000
_GONE_MS = 500  # a card taken away, three looks of the reader
_LONG_MS = 900
_BAR_ROWS = 9  # the top bar: clock and names
_PAGE = 4
# the smallest Swiss match there is: two cards each, Anna's are higher
MINI_DECK = {
    "id": "mini",
    "title": "Mini",
    "categories": [{"key": "h", "title": "Höhe", "unit": "m", "best": "high", "decimals": 0}],
    "cards": [
        {"code": code, "name": code, "values": [height]}
        for code, height in (("A1", 40), ("A2", 30), ("A3", 20), ("A4", 10))
    ],
}
MINI_ROUNDS = (("A1", "A3"), ("A2", "A4"))


class Hands:
    """The people at one box."""

    def __init__(self, pico: EmulatedPico) -> None:
        self.pico = pico

    def lay(self, tag: NtagTwin, name: str) -> float:
        """Lay a tag until the screen answers, take it away; the milliseconds that took.

        Raises TwinError if the screen does not change.
        """
        pico = self.pico
        before = self._look()
        start_ms = pico.now_ms
        pico.parts.follow()
        pico.parts.field.place(tag)
        self._await_other_than(before, name)
        took_ms = pico.now_ms - start_ms
        pico.run_for(SETTLE_MS)
        pico.parts.follow()
        pico.parts.field.remove(tag)
        pico.run_for(_GONE_MS)
        return took_ms

    def press(self, button: Button, long: bool = False) -> None:
        """Press a button until the screen answers. Raises TwinError if it does not change."""
        before = self._look()
        if long:
            self.pico.press(button, _LONG_MS)
        else:
            self.pico.press(button)
        self._await_other_than(before, f"button {button.name}")
        self.pico.run_for(SETTLE_MS)

    def _look(self) -> tuple[int, ...]:
        return below_bar(self.pico.parts.oled.picture())

    def _await_other_than(self, before: tuple[int, ...], what: str) -> None:
        if not self.pico.run_until(lambda: self._look() != before, _ANSWER_LIMIT_MS):
            raise TwinError(f"The screen does not answer: {what}.")

    def play_mini_match(self) -> list[float]:
        """A whole Swiss match from the deck card to the final result; tap to verdict in ms."""
        tags = {
            item.code: _written(number, codec.unsealed(item.kind, item.content))
            for number, item in enumerate(deck_items(MINI_DECK, with_deck_card=True).items, 100)
        }
        self.lay(tags["deck"], "the deck card")
        self.press(Button.OK, long=True)
        self.press(Button.OK)  # Anna begins
        took_ms = []
        for mine, theirs in MINI_ROUNDS:
            took_ms.append(self.lay(tags[mine], mine))
            self.press(Button.OK)  # the one category
            took_ms.append(self.lay(tags[theirs], theirs))
            self.press(Button.OK)  # the verdict is read
        self.press(Button.OK)  # the result is final
        return took_ms


def below_bar(picture: Picture) -> tuple[int, ...]:
    """The picture without the top bar, in which the clock runs."""
    return tuple(picture.rows[y] for y in range(_BAR_ROWS, HEIGHT))


def hattrick_tag(card: str) -> NtagTwin:
    """A Hattrick card, not sealed."""
    number = "RGB".index(card[0]) * 20 + int(card[1:])
    return _written(number, codec.unsealed(kinds.HATTRICK, kinds.HattrickCard(card)))


def _written(number: int, tag: kinds.Tag) -> NtagTwin:
    data = codec.encode(tag)
    chip = NtagTwin.ntag215 if tag.kind == kinds.DECK else NtagTwin.ntag213
    blank = chip(bytes((0x04, 0x48, 0x41, 0x54, 0, 0, number)))
    blank.load_user(data + bytes(-len(data) % _PAGE))
    return blank
