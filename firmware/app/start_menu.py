"""The start menu: game, variant, deck, seats, language, volume. A tapped card chooses too."""

from micropython import const

from card_tags.deck_card import deck_object
from card_tags.errors import TagError
from card_tags.kinds import BADGE, CARD, DECK, HALL, TABLE
from firmware.rules.game import FIELD, PER_SEAT, unit_ms

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
        if self.choice:
            self._game: "Game" = app.games.row(self.choice["game"])
            app.use_words(self._game)
        else:
            self.choice["seats"] = 0
            self.choice["deck"] = self._ids[0] if self._ids else None
            self._set_game(app.games.row(app.games.names()[0]))
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
            ("deck", self._game.deck),
            ("seats", preset.fewest < preset.most),
        )
        names = [row for row, fit in fits if fit]
        own = self.own_rows()
        fields = [row.name for row in own if row.way == FIELD]
        options = ["options"] if len(fields) < len(own) else []
        return names + fields + options + ["language", "volume", "start"]

    def own_rows(self) -> "list[MenuRow]":
        """The game's own rows that the chosen preset has."""
        preset = self.choice["preset"]
        return [row for row in self._game.rows if not row.presets or preset in row.presets]

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
        elif name == "preset":
            presets = tuple([preset.name for preset in self._game.presets])
            choice["preset"] = next_of(presets, choice["preset"])
            self._keep_seats()
        elif name == "deck":
            choice["deck"] = next_of(self._ids, choice["deck"]) if self._ids else None
        elif name == "seats":
            preset = self._preset()
            choice["seats"] = (
                choice["seats"] + 1 if choice["seats"] < preset.most else preset.fewest
            )
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
        self._keep_seats()
        self.app.use_words(game)

    def _keep_seats(self) -> None:
        preset = self._preset()
        self.choice["seats"] = min(max(self.choice["seats"], preset.fewest), preset.most)

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
        forget("card_tags.options")

    def _take_kind(self, kind: str) -> bool:
        """A kind of tag that only one game has chooses it. False if no game knows it."""
        if kind not in self._game.kinds:
            game = self._first_game(lambda game: kind in game.kinds)
            if game is None:
                return False
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

    def _set_deck(self, deck: object) -> None:
        if not self._game.deck:
            game = self._first_game(lambda game: game.deck)
            if game is not None:
                self.choose_game(game)
        self.choice["deck"] = deck
        self.app.sound(sounds.ACCEPTED)

    def _take_badge(self, badge: "Badge") -> None:
        """Badges name the seats one after the other; one more than seats begins anew."""
        if len(self.badges) >= self.choice["seats"]:
            self.badges = []
        self.badges.append(badge)
        self.app.sound(sounds.ACCEPTED)

    # -- start --

    def header(self) -> "dict[str, Any]":
        """The transcript header of what is chosen."""
        choice = self.choice
        header: "dict[str, Any]" = {"schiri": 1, "game": choice["game"], "seats": choice["seats"]}
        rows = self.rows()
        for field in ("preset", "deck"):
            if field in rows:
                header[field] = choice[field]
        for row in self.own_rows():
            unit = unit_ms(row)
            if row.way == FIELD:
                header[row.name] = choice[row.name]
            elif unit and choice[row.name] != "off":
                header[row.name + "_ms"] = choice[row.name] * unit
        options = self.options()
        if options:
            header["options"] = options
        board = self._preset().board
        if board is not None:
            header["board"] = board
        if len(self.badges) == choice["seats"]:
            header["names"] = [badge.name for badge in self.badges]
            if any([badge.player for badge in self.badges]):
                # the desk's ids tell two players of one name apart
                header["players"] = [badge.player or None for badge in self.badges]
        table = self.app.settings.get("table")
        if table:
            header["table"] = table
        return header

    def options(self) -> "dict[str, Any]":
        """Every option that is played by: what a menu writes usually may change, a record not."""
        options = {}
        for row in self.own_rows():
            choice = self.choice[row.name]
            if row.way != FIELD and choice != "off" and not unit_ms(row):
                options[row.name] = (
                    choice * self.choice["seats"] if row.way == PER_SEAT else choice
                )
        return options

    def _start(self) -> None:
        if "deck" in self.rows() and self.choice["deck"] is None:
            self.app.message(
                "QUESTION", self.app.say("menu_deck"), (self.app.say("lay_deck"),), sounds.REFUSED
            )
            return
        self.app.start(self.header())
