"""The start menu: game, variant, deck, seats, language, volume. A tapped card chooses too."""

from micropython import const

from card_tags.deck_card import deck_object
from card_tags.errors import TagError
from card_tags.kinds import BADGE, CARD, DECK, HALL, TABLE
from firmware.rules.game import FIELD, NO_DECK, header_of, rows_of

from . import decks, sounds
from .canvas import TOP
from .chooser import moved
from .memory import forget
from .page import DOWN, LONG, OK, UP, Page
from .slots import TwoFiles
from .view import View

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from card_tags.kinds import Badge, Tag
    from firmware.rules.game import Game, MenuRow, Preset

    from .seams import BoxApp

LANGUAGES = ("de", "en")
_SETTINGS = {"language": LANGUAGES, "volume": (0, 1, 2, 3)}
_ASSIGNED = "assigned"  # `assignment.FILE`, which is not loaded for it


def next_of(values: "tuple[Any, ...]", value: object) -> "Any":
    """The value after `value`, round the end; the first one if it is not among them."""
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


def show_desk(app: "BoxApp") -> None:
    """In front of the menu what a desk gave this box, if it gave anything."""
    app.laptop.serve()
    if app.laptop.notice is not None or TwoFiles(app.journal.flash, _ASSIGNED).is_there():
        from .assignment import Desk

        app.laptop.desk = Desk(app)
        app.laptop.desk.show()


class StartMenu(Page):
    """`choice`: game, preset, deck (id or deck object), seats, and by name what the game's own
    rows chose; `badges` by seat.
    """

    IS_MENU = True

    def __init__(self, app: "BoxApp") -> None:
        Page.__init__(self, app)
        self.badges: "list[Badge]" = []
        self._ids = tuple(decks.stored_ids(app.storage, "decks"))
        self.choice: "dict[str, Any]" = app.choice
        self._row = 0
        self._by_hand = False  # somebody has chosen the game with the buttons
        self._known: "dict[str, decks.DeckFacts]" = {}
        if self.choice:
            self._game: "Game" = app.games.row(self.choice["game"])
            app.use_words(self._game)
        else:
            self.choice["seats"] = 0
            self.choice["deck"] = None
            self._set_game(app.games.row(app.games.names()[0]))
            self._follow(self._facts(self.choice["deck"]))
        self._seen = app.settings.changes

    def on_time(self, now_ms: int) -> None:
        """The laptop may change language and name while the menu is open."""
        if self._seen != self.app.settings.changes:
            self._seen = self.app.settings.changes
            self.app.use_words(self._game)
            self.app.redraw()
        desk = self.app.laptop.desk
        if desk is not None and self.app.laptop.put_off:
            desk.come_back(now_ms)

    def title(self) -> str:
        if self.badges:
            return " – ".join([badge.name for badge in self.badges])
        return str(self.app.settings.get("name")) or "Schiri"

    def rows(self) -> "list[str]":
        """The rows that the chosen game has."""
        preset = self._preset()
        fits = (
            ("game", True),
            ("preset", preset.name is not None),
            ("deck", self._game.deck != NO_DECK),
            ("seats", preset.fewest < preset.most),
        )
        names = [row for row, fit in fits if fit]
        own = self.own_rows()
        fields = [row.name for row in own if row.way == FIELD]
        options = ["options"] if len(fields) < len(own) else []
        return names + fields + options + ["language", "volume", "start"]

    def own_rows(self) -> "list[MenuRow]":
        """The game's own rows that the chosen preset has."""
        return rows_of(self._game, self.choice["preset"])

    def _is_changed(self, row: "MenuRow") -> bool:
        return row.way != FIELD and self.choice[row.name] != row.choices[0]

    def _preset(self) -> "Preset":
        for preset in self._game.presets:
            if preset.name == self.choice["preset"]:
                return preset
        return self._game.presets[0]

    def view(self) -> "View":
        items = [self._item(row) for row in self.rows()]
        return View(self.title(), (("rows", TOP, items, self._row),), True)

    def _item(self, row: str) -> str:
        say = self.app.say
        if row == "start":
            return say("menu_start")
        return say("menu_" + row) + "\t" + self._value(row)

    def _value(self, name: str) -> str:
        say = self.app.say
        choice = self.choice.get(name)
        if name == "language":
            return say("language")
        if name == "volume":
            return say("volume_%s" % self.app.settings.get(name))
        if name == "options":
            count = len([row for row in self.own_rows() if self._is_changed(row)])
            return say("options_changed", count) if count else say("options_usual")
        if name == "deck":
            if choice is None:
                return say("menu_no_deck")
            return (
                str(choice.get("title") or choice["id"]) if type(choice) is dict else str(choice)
            )
        return str(choice) if type(choice) is int else say(name + "_" + str(choice))

    # -- presses --

    def on_button(self, button: int) -> None:
        rows = self.rows()
        sound = sounds.STEP
        if button in (UP, DOWN):
            self._row = moved(self._row, button, len(rows))
        elif button == OK + LONG or (button == OK and rows[self._row] == "start"):
            self._start()
            return
        elif button == OK:
            if rows[self._row] == "volume":
                sound = sounds.ACCEPTED  # a click would not tell how loud it is
            self._change(rows[self._row])
        self.app.sound(sound)

    def _change(self, name: str) -> None:
        choice = self.choice
        if name == "options":
            from .options import OptionsPage

            self.app.open(OptionsPage(self.app, self._game, choice, self.own_rows()))
            forget("firmware.app.options")
        elif name == "game":
            games = self.app.games
            self.choose_game(games.row(next_of(games.names(), choice["game"])))
            self._by_hand = True
        elif name == "preset":
            presets = tuple([preset.name for preset in self._game.presets])
            choice["preset"] = next_of(presets, choice["preset"])
            self._keep_seats()
        elif name == "deck":
            fitting = self._fitting()
            if fitting:
                choice["deck"] = next_of(fitting, choice["deck"])
                self._follow(self._facts(choice["deck"]))
        elif name == "seats":
            fewest = self._preset().fewest
            choice["seats"] = choice["seats"] + 1 if choice["seats"] < self._most() else fewest
        elif name in _SETTINGS:
            settings = self.app.settings
            settings.set({name: next_of(_SETTINGS[name], settings.get(name))})
            self.app.use_words(self._game)
        else:
            for row in self.own_rows():
                if row.name == name:
                    choice[name] = next_of(row.choices, choice[name])

    def choose_game(self, game: "Game") -> None:
        """Choose a game with its first preset and its seats; the same row stays lit, if it can."""
        lit = self.rows()[self._row]
        self._set_game(game)
        rows = self.rows()
        self._row = rows.index(lit) if lit in rows else min(self._row, len(rows) - 1)

    def choose_preset(self, name: "str | None") -> bool:
        """False if the game has no such preset."""
        found = name in [preset.name for preset in self._game.presets]
        if found:
            self.choice["preset"] = name
            self._keep_seats()
        return found

    def _set_game(self, game: "Game") -> None:
        self._game = game
        choice = self.choice
        choice["game"] = game.name
        choice["preset"] = game.presets[0].name
        for row in game.rows:
            if choice.get(row.name) not in row.choices:
                choice[row.name] = row.choices[0]
        if game.deck and not decks.fits(game, self._facts(choice["deck"])):
            choice["deck"] = (self._fitting() or (None,))[0]
        self._keep_seats()
        self.app.use_words(game)

    def _keep_seats(self) -> None:
        seats = min(max(self.choice["seats"], self._preset().fewest), self._most())
        self.choice["seats"] = seats
        if len(self.badges) > seats:
            self.badges = []

    def _most(self) -> int:
        """The most seats that preset and deck have room for."""
        preset = self._preset()
        if not self._game.deck or self.choice["deck"] is None:
            return preset.most
        cards = decks.most_seats(self._game, self._facts(self.choice["deck"]))
        return max(min(preset.most, cards), preset.fewest)

    # -- decks --

    def _facts(self, deck: "Any") -> "decks.DeckFacts":
        """A stored deck is read once a menu."""
        if type(deck) is not str:
            return decks.facts_of(self.app.storage, deck)
        if deck not in self._known:
            self._known[deck] = decks.facts_of(self.app.storage, deck)
        return self._known[deck]

    def _fitting(self) -> "tuple[str, ...]":
        """The stored decks that the chosen game can be played with."""
        return tuple([name for name in self._ids if decks.fits(self._game, self._facts(name))])

    def _follow(self, facts: "decks.DeckFacts") -> None:
        """The deck decides the variant, and brings its house rules along (TR-5)."""
        mine = [preset.name for preset in self._game.presets]
        if facts.preset is not None and facts.preset in mine:
            unknown = self.preselect(self._game, facts.preset, facts.rules)
            if unknown:
                self.say_unknown(unknown)
        self._keep_seats()

    def _game_for(self, facts: "decks.DeckFacts") -> "Game | None":
        """The game that a deck laid down is for: the one chosen by hand, else the one that has the
        deck's preset, else the first that it fits. None if it fits none.
        """
        if self._by_hand and self._game.deck:
            return self._game if decks.fits(self._game, facts) else None
        game = self._first_game(
            lambda game: (
                facts.preset is not None and facts.preset in [one.name for one in game.presets]
            )
        )
        if game is not None and decks.fits(game, facts):
            return game
        if self._game.deck and decks.fits(self._game, facts):
            return self._game
        return self._first_game(lambda game: game.deck != NO_DECK and decks.fits(game, facts))

    def preselect(
        self, game: "Game", preset: "str | None", rules: "tuple[tuple[str, str], ...]"
    ) -> str:
        """Choose game, preset and house rules as a deck or a card names them; a rule that it does
        not name is as usual. A game chosen by hand stays. Returns what this box does not know, or
        "".
        """
        if self._by_hand and game.name != self._game.name:
            return ""
        if game.name != self._game.name:
            self.choose_game(game)
        if not self.choose_preset(preset):
            return str(preset)
        left = dict(rules)
        for row in self.own_rows():
            if row.way != FIELD:
                texts = [str(choice) for choice in row.choices]
                text = left.get(row.name, "")
                known = text in texts
                self.choice[row.name] = row.choices[texts.index(text) if known else 0]
                if known:
                    left.pop(row.name)
        for name, text in rules:
            if name in left:
                return name + "=" + text
        return ""

    def say_unknown(self, what: str) -> None:
        """A card or deck file names what this box does not know; the usual rule holds."""
        app = self.app
        text = app.say("options_unknown", what)
        app.message("QUESTION", app.say("menu_options"), (text,), sounds.UNREADABLE)

    # -- taps --

    def on_tag(self, tag: "Tag") -> None:
        content: "Any" = tag.content
        if tag.kind == DECK:
            self._take_deck(content)
        elif tag.kind == CARD:
            self._take_card(content.deck)
        elif tag.kind == BADGE:
            self._take_badge(content)
        elif tag.kind == HALL:
            from .hall_tag import offer

            offer(self.app, content, bytes(self.app.hardware.reader.uid))
        elif not self._take_kind(tag.kind):
            self.app.wrong_kind()
        if tag.kind in (DECK, TABLE):
            self._take_options()
        self.app.redraw()

    def _take_options(self) -> None:
        """House rules that stand on the card, too, preset the menu."""
        from card_tags.options import bytes_needed

        try:
            needed = bytes_needed(self.app.hardware.reader.data)
        except TagError:
            needed = 0  # a link in front: nothing stands behind
        if needed:
            from .options_tag import take

            take(self, needed)
            forget("firmware.app.options_tag")
            self._light_next()  # another preset has other rows
        forget("card_tags.options")

    def _take_kind(self, kind: str) -> bool:
        """A kind of tag that only one game has chooses it. False if no game knows it."""
        if kind not in self._game.kinds:
            game = self._first_game(lambda game: kind in game.kinds)
            if game is None:
                return False
            self._by_hand = False
            self.choose_game(game)
        self.app.sound(sounds.ACCEPTED)
        return True

    def _first_game(self, fits: "Callable[[Game], bool]") -> "Game | None":
        for name in self.app.games.names():
            game = self.app.games.row(name)
            if fits(game):
                return game
        return None

    def _take_deck(self, card: "Any") -> None:
        """A deck that the box has comes from its storage, with all values; else from the card."""
        try:
            self._set_deck(card.deck_id if card.deck_id in self._ids else deck_object(card))
        except TagError:
            self.app.message(
                "TORN", self.app.say("reader"), (self.app.say("tag_malformed"),), sounds.UNREADABLE
            )

    def _take_card(self, number: int) -> None:
        name = decks.id_of_number(self.app.storage, number)
        if name is None:
            self.app.message(
                "QUESTION",
                self.app.say("reader"),
                (self.app.say("tag_unknown_deck"),),
                sounds.FOREIGN,
            )
        else:
            self._set_deck(name)

    def _set_deck(self, deck: "str | dict[str, Any]") -> None:
        """Take a deck that was laid down, and what it decides; what is left to choose is lit."""
        app = self.app
        facts = self._facts(deck)
        game = self._game_for(facts)
        if game is None:
            text = app.say("deck_unfit", app.say("game_" + self._game.name))
            app.message("QUESTION", app.say("menu_deck"), (text,), sounds.REFUSED)
            return
        self.choice["deck"] = deck
        if game.name != self._game.name:
            self._by_hand = False
            self.choose_game(game)
        app.sound(sounds.ACCEPTED)
        self._follow(facts)
        self._light_next()

    def _light_next(self) -> None:
        rows = self.rows()
        self._row = rows.index("seats" if "seats" in rows else "start")

    def _take_badge(self, badge: "Badge") -> None:
        """Badges name the seats one after the other, and there are as many seats as badges. One
        that is there already begins again, and so does one more than there can be.
        """
        if len(self.badges) >= self._most() or (badge.player and badge in self.badges):
            self.badges = []
        self.badges.append(badge)
        self.choice["seats"] = max(len(self.badges), self._preset().fewest)
        self.app.sound(sounds.ACCEPTED)

    # -- start --

    def header(self) -> "dict[str, Any]":
        """The transcript header of what is chosen."""
        choice = self.choice
        header = header_of(self._game, self._preset(), choice["seats"], choice)
        if self._game.deck:
            header["deck"] = choice["deck"]
        if len(self.badges) == choice["seats"]:
            header["names"] = [badge.name for badge in self.badges]
            if any([badge.player for badge in self.badges]):
                # the desk's ids tell two players of one name apart
                header["players"] = [badge.player or None for badge in self.badges]
            if any([badge.event for badge in self.badges]):
                # in every event they begin anew
                header["events"] = [badge.event or None for badge in self.badges]
        table = self.app.settings.get("table")
        if table:
            header["table"] = table
        return header

    def _start(self) -> None:
        if "deck" in self.rows() and self.choice["deck"] is None:
            self.app.message(
                "QUESTION", self.app.say("menu_deck"), (self.app.say("lay_deck"),), sounds.REFUSED
            )
            return
        self.app.start(self.header())
