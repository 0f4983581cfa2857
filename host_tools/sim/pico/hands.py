"""Hands at an emulated Pico: they lay tags down, take them away, press buttons and watch."""

from typing import Any

from card_tags import codec, kinds
from hardware.twin.errors import TwinError
from hardware.twin.oled import HEIGHT, Picture
from hardware.twin.panel import Button
from hardware.twin.tags import NtagTwin
from host_tools.games import GAMES, game_of
from host_tools.sim.demo.rehearsal import command_of, dealt
from host_tools.sim.pico.emulator import EmulatedPico

Json = dict[str, Any]
SETTLE_MS = 400
_ANSWER_LIMIT_MS = 3_000
_GONE_MS = 500  # a card taken away, three looks of the reader
_LONG_MS = 900
_BAR_ROWS = 9  # the top bar: clock and names
_PAGE = 4
_SEED = 1
_MINI_DECK = {
    "id": "mini",
    "title": "Mini",
    "categories": [{"key": "h", "title": "Höhe", "unit": "m", "best": "high", "decimals": 0}],
    "cards": [
        {"code": code, "name": code, "values": [height]}
        for code, height in (("A1", 40), ("A2", 30), ("A3", 20), ("A4", 10))
    ],
}


def without_deck() -> Json:
    """The header of a match whose cards need no deck, with as many seats as the menu offers."""
    games = (game for game in GAMES.values() if not game.on_box.deck)
    game, demo = next((g, d) for g in games for d in g.demos.values() if d.preset is None)
    return {"schiri": 1, "game": game.name, "seats": demo.seats}


def smallest() -> Json:
    """The header of the smallest match between two that there is: two cards each."""
    game = next(game for game in GAMES.values() if game.fixed_seats)
    preset, seats = next(iter(game.fixed_seats.items()))
    match = {"schiri": 1, "game": game.name, "preset": preset, "seats": seats}
    return {**match, "deck": _MINI_DECK}


class PicoHands:
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
        """A whole match from the deck card to the final result; tap to verdict in ms."""
        table = dealt(smallest(), _SEED, faultless=True)
        tags = tags_of(table.header)
        self.lay(tags["deck"], "the deck card")
        self.press(Button.OK, long=True)
        self.press(Button.OK)  # the first seat begins
        table.play({"t": 0, "do": "begin", "seat": 0})
        took_ms = []
        while not table.match.over():
            act = table.act()
            if act.do == "tap":
                card = act.fields["card"]
                took_ms.append(self.lay(tags[card], card))
            else:
                self.press(Button.OK)  # the one category
            table.play(command_of(act, table.match.t_ms))
            if table.won:
                self.press(Button.OK)  # the verdict is read
        self.press(Button.OK)  # the result is final
        return took_ms


def below_bar(picture: Picture) -> tuple[int, ...]:
    """The picture without the top bar, in which the clock runs."""
    return tuple(picture.rows[y] for y in range(_BAR_ROWS, HEIGHT))


def tags_of(header: Json) -> dict[str, NtagTwin]:
    """The tags of a match by their codes, not sealed."""
    things = game_of(header).things(header)
    return {
        item.code: _written(number, codec.unsealed(item.kind, item.content))
        for number, item in enumerate(things)
    }


def _written(number: int, tag: kinds.Tag) -> NtagTwin:
    data = codec.encode(tag)
    chip = NtagTwin.ntag215 if tag.kind == kinds.DECK else NtagTwin.ntag213
    blank = chip(bytes((0x04, 0x48, 0x41, 0x54, 0, 0, number)))
    blank.load_user(data + bytes(-len(data) % _PAGE))
    return blank
