"""Whole-box scripts: what people do and what they must see, line by line; pictures too.

    # a comment
    card A1               lay a card of the deck in use, with its values (more words: other values)
    hat R5 B7             lay Hattrick cards;  guest FRf1, table T04, nation FR: a café tag
    badge Ada             lay a player's badge;  deck ID: a deck card;  jurycard
    sealed A1             a card with the league's seal (A1 copied: made for another chip)
    key                   give the box the league's key
    raw 0300fe            lay a tag with these bytes (hex) from page 4 on
    event 3               the reader reports this event code
    press DOWN OK         press buttons (OK+ is a long press)
    choose Start          go down to the item that begins so, and press OK
    wait 1000             let milliseconds pass
    power                 cut the power and boot
    see TEXT              the screen holds TEXT;  hide TEXT: it does not
    sound REFUSED         the last sound was this one of firmware/app/sounds.py
    sound ROUND_WON 1     the same, of this seat (the first is 0)
    setting NAME JSON     change a setting of the box
    shot NAME             keep the screen as picture NAME

A TEXT `@key` is the text of that key up to its first `{}`, so a script runs in every language;
`@@key` is a sentence about a house rule.
"""

import json
from collections.abc import Callable
from pathlib import Path

from card_tags import codec, seal
from card_tags.deck_card import deck_number
from card_tags.kinds import (
    BADGE,
    CARD,
    DECK,
    GUEST,
    NUMBERED,
    TABLE,
    Badge,
    Card,
    DeckCard,
    DeckCategory,
    Guest,
    NumberedCard,
    TableTag,
)
from firmware.app import sounds

from .fakes import Box, option_words
from .sample_decks import DECKS, ENGLISH, card_values, translated

LEAGUE_KEY = bytes(range(32))
UID = bytes.fromhex("04010203040506")
OTHER_UID = bytes.fromhex("04010203040507")
Shot = Callable[[str, bytes], None]


class Script:
    """Runs script lines on a box; AssertionError names file and line of what went wrong."""

    def __init__(self, box: Box, shot: Shot, language: str = "de") -> None:
        self.box = box
        self._language = language
        self._shot = shot

    def run(self, path: Path) -> None:
        for number, line in enumerate(path.read_text("utf8").splitlines(), 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            try:
                getattr(self, "do_" + words[0])(*words[1:])
            except AssertionError as error:
                raise AssertionError(f"{path.name}:{number}: {line.strip()}: {error}") from error

    def _text(self, words: tuple[str, ...]) -> str:
        text = " ".join(words)
        if text.startswith("@@"):
            return option_words(self.box.app._words._names[0])[text[2:]].split("{")[0].strip()
        if text.startswith("@"):
            return self.box.app._words.get(text[1:]).split("{")[0].strip()
        return ENGLISH.get(text, text) if self._language == "en" else text

    def _deck(self) -> str:
        session = self.box.app.session
        page = self.box.app.page()
        return str(session.header["deck"] if session else getattr(page, "choice", {})["deck"])

    # -- hands --

    def do_card(self, code: str, *values: str) -> None:
        deck = self._deck()
        given = [int(value) for value in values] or card_values(deck, code)
        self.box.lay_card(deck_number(deck), code, given)

    def do_othercard(self, deck: str, code: str) -> None:
        self.box.lay_card(deck_number(deck), code, card_values(deck, code))

    def do_hat(self, *codes: str) -> None:
        for code in codes:
            self.box.lay_tag(NUMBERED, NumberedCard(code))

    def do_guest(self, tile: str) -> None:
        self.box.lay_tag(GUEST, Guest(tile))

    def do_table(self, table: str) -> None:
        self.box.lay_tag(TABLE, TableTag(table, ""))

    def do_nation(self, nation: str) -> None:
        self.box.lay_tag(TABLE, TableTag("", nation))

    def do_badge(self, name: str) -> None:
        self.box.lay_tag(BADGE, Badge("p-" + name, name, "cup"))

    def do_deck(self, name: str) -> None:
        deck = translated(DECKS[name], self._language)
        categories = tuple(
            DeckCategory(c["key"], c["title"], c["unit"], c["best"], c["decimals"], False)
            for c in deck["categories"]
        )
        card = DeckCard(
            name + "-card", deck["title"], 0, 4, len(deck["cards"]), 0, categories, b""
        )
        self.box.lay_tag(DECK, card)

    def do_jurycard(self) -> None:
        self.box.lay_jury()

    def do_raw(self, digits: str) -> None:
        self.box.lay(bytes.fromhex(digits))

    def do_sealed(self, code: str, fault: str = "") -> None:
        """A card with the league's seal, or with a seal made for another chip."""
        card = Card(deck_number(self._deck()), code, False, tuple(card_values(self._deck(), code)))
        uid = OTHER_UID if fault == "copied" else UID
        self.box.lay(
            codec.encode(seal.sealed(CARD, card, uid, seal.tag_key_id(LEAGUE_KEY), LEAGUE_KEY)),
            UID,
        )

    def do_key(self) -> None:
        self.box.settings.set_key(LEAGUE_KEY)

    def do_event(self, code: str) -> None:
        self.box.reader_event(int(code))

    def do_press(self, *names: str) -> None:
        self.box.press(*names)

    def do_choose(self, *words: str) -> None:
        self.box.choose(self._text(words))

    def do_wait(self, ms: str) -> None:
        self.box.wait(int(ms))

    def do_power(self) -> None:
        self.box.power_on()

    def do_setting(self, name: str, value: str) -> None:
        self.box.settings.set({name: json.loads(value)})

    # -- eyes and ears --

    def do_see(self, *words: str) -> None:
        text = self._text(words)
        seen = " ".join(part for part in self.box.canvas.read)
        assert text in seen, f"not on the screen: {self.box.words()}"
        assert not self.box.canvas.cut, f"does not fit: {self.box.canvas.cut}"

    def do_hide(self, *words: str) -> None:
        assert self._text(words) not in self.box.words(), f"on the screen: {self.box.words()}"

    def do_sound(self, name: str, seat: str = "0") -> None:
        played = self.box.buzzer.played[-1]
        assert played == getattr(sounds, name) + int(seat), f"played {played}"

    def do_shot(self, name: str) -> None:
        assert not self.box.canvas.cut, f"does not fit: {self.box.canvas.cut}"
        self._shot(name, self.box.display.shown)
