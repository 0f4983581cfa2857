"""The start menu: game, variant, deck, seats, stage, language. A tapped card chooses too."""

from micropython import const

from card_tags.deck_card import deck_object
from card_tags.errors import TagError
from card_tags.kinds import BADGE, CARD, DECK, GUEST, HATTRICK, TABLE

from . import decks, opening, sounds
from .canvas import TOP
from .chooser import moved
from .page import DOWN, LONG, OK, UP, Page

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from card_tags.kinds import Badge, Tag

    from .app import App
    from .canvas import Canvas

GAMES = ("trumpf", "quartett", "cafe", "hattrick")
PRESETS = {"trumpf": ("swiss", "gastro", "kneipe"), "cafe": ("board", "app")}
# game -> fewest and most seats (TR: 2-8, QU-1, CB-1, HA-1); Swiss is one against one (SW-1)
SEATS = {"trumpf": (2, 8), "quartett": (3, 8), "cafe": (2, 4), "hattrick": (3, 6)}
STAGES = ("group", "ko", "final")
DEALS = (2, 3, 4, 1)  # how often each seat deals in Hattrick; HA-8 says twice
TARGETS = (0, 25, 50, 75, 100)  # points that end Hattrick early (HA-8); 0: none agreed
LANGUAGES = ("de", "en")
# house rule (an option of the header) -> presets that have it, its choices, the default first
HOUSE_RULES = {
    "tie_scope": (("gastro", "kneipe"), ("all", "tied")),  # TR-7; between two it is the same
    "between": (("board", "app"), ("either", "both")),  # CB-5
    "drawing": (("board",), ("shrink", "leaflet")),  # CB-8
    "mono_bonus": (("board", "app"), ("any_size", "full_only")),  # CB-7
    "bag_end": (("board",), (3, 4)),  # CB-13
    "cards_end": (("app",), ("missing", "last")),  # CA-4
}
_HOUSE_ROWS = ("tie_scope", "between", "drawing", "mono_bonus", "bag_end", "cards_end")
_ROWS = (
    ("game", "preset", "deck", "seats", "stage", "deals", "target")
    + _HOUSE_ROWS
    + ("language", "start")
)
_LISTS = {"stage": STAGES, "deals": DEALS, "target": TARGETS}
for _row in _HOUSE_ROWS:
    _LISTS[_row] = HOUSE_RULES[_row][1]
# kind of a tapped tag -> the game it chooses
_GAME_OF_KIND = {GUEST: "cafe", TABLE: "cafe", HATTRICK: "hattrick"}


def next_of(values: "tuple[Any, ...]", value: object) -> "Any":
    """The value after `value`, round the end; the first one if it is not among them."""
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


class StartMenu(Page):
    """`choice`: game, preset, deck (id or deck object), seats, stage; `badges` by seat."""

    def __init__(self, app: "App") -> None:
        Page.__init__(self, app)
        self.badges: "list[Badge]" = []
        self._ids = tuple(decks.stored_ids(app.storage, "decks"))
        self.choice: "dict[str, Any]" = app.choice
        if not self.choice:
            self.choice.update({"game": "trumpf", "preset": "swiss", "seats": 2})
            for row in _LISTS:
                self.choice[row] = _LISTS[row][0]
            self.choice["deck"] = self._ids[0] if self._ids else None
        self._row = 0
        self._seen = app.settings.changes

    def on_time(self, now_ms: int) -> None:
        """The laptop may change language and name while the menu is open."""
        if self._seen != self.app.settings.changes:
            self._seen = self.app.settings.changes
            self.app.use_language()
            self.app.redraw()

    def title(self) -> str:
        if self.badges:
            return " – ".join([badge.name for badge in self.badges])
        return str(self.app.settings.get("name")) or "Schiri"

    def rows(self) -> "list[str]":
        """The rows that the chosen game has."""
        game = self.choice["game"]
        fits = {
            "preset": game in PRESETS,
            "deck": game in ("trumpf", "quartett"),
            "seats": self.choice["preset"] != "swiss" or game != "trumpf",
            "stage": self.choice["preset"] == "swiss" and game == "trumpf",
            "deals": game == "hattrick",
            "target": game == "hattrick",
        }
        for row in _HOUSE_ROWS:
            fits[row] = self.choice["preset"] in HOUSE_RULES[row][0]
        return [row for row in _ROWS if fits.get(row, True)]

    def draw(self, canvas: "Canvas") -> None:
        rows = self.rows()
        items = [self._item(row) for row in rows]
        canvas.rows(TOP, items, self._row)

    def _item(self, row: str) -> str:
        say = self.app.say
        if row == "start":
            return say("menu_start")
        return say("menu_" + row) + "\t" + self._value(row)

    def _hands(self) -> int:
        """Hands of Hattrick: every seat deals equally often."""
        return int(self.choice["deals"] * self.choice["seats"])

    def _value(self, row: str) -> str:
        if row == "deals":
            return str(self._hands())
        if row in ("seats", "bag_end") or (row == "target" and self.choice["target"]):
            return str(self.choice[row])
        if row == "target":
            return self.app.say("target_off")
        if row == "language":
            return self.app.say("language")
        if row == "deck":
            deck = self.choice["deck"]
            if deck is None:
                return self.app.say("menu_no_deck")
            return str(deck.get("title") or deck["id"]) if type(deck) is dict else str(deck)
        return self.app.say(row + "_" + self.choice[row])

    # -- presses --

    def on_button(self, button: int) -> None:
        rows = self.rows()
        if button in (UP, DOWN):
            self._row = moved(self._row, button, len(rows))
        elif button == OK + LONG or (button == OK and rows[self._row] == "start"):
            self._start()
            return
        elif button == OK:
            self._change(rows[self._row])
        self.app.sound(sounds.STEP)

    def _change(self, row: str) -> None:
        choice = self.choice
        game = choice["game"]
        if row == "game":
            self.choose_game(next_of(GAMES, game))
        elif row == "preset":
            choice["preset"] = next_of(PRESETS[game], choice["preset"])
            self._keep_seats()
        elif row == "deck":
            choice["deck"] = next_of(self._ids, choice["deck"]) if self._ids else None
        elif row == "seats":
            fewest, most = SEATS[game]
            choice["seats"] = choice["seats"] + 1 if choice["seats"] < most else fewest
        elif row in _LISTS:
            choice[row] = next_of(_LISTS[row], choice[row])
        else:
            self._change_language()

    def _change_language(self) -> None:
        language = next_of(LANGUAGES, self.app.settings.get("language"))
        self.app.settings.set({"language": language})
        self.app.use_language()

    def choose_game(self, game: str) -> None:
        """Choose a game with its first preset and its seats; the same row stays lit, if it can."""
        lit = self.rows()[self._row]
        self.choice["game"] = game
        self.choice["preset"] = PRESETS[game][0] if game in PRESETS else None
        self._keep_seats()
        rows = self.rows()
        self._row = rows.index(lit) if lit in rows else min(self._row, len(rows) - 1)

    def _keep_seats(self) -> None:
        fewest, most = SEATS[self.choice["game"]]
        if self.choice["preset"] == "swiss":
            most = 2
        self.choice["seats"] = min(max(self.choice["seats"], fewest), most)

    # -- taps --

    def on_tag(self, tag: "Tag") -> None:
        content: "Any" = tag.content
        if tag.kind == DECK:
            self._take_deck(content)
        elif tag.kind == CARD:
            self._take_card(content.deck)
        elif tag.kind == BADGE:
            self._take_badge(content)
        elif tag.kind in _GAME_OF_KIND:
            if self.choice["game"] != _GAME_OF_KIND[tag.kind]:
                self.choose_game(_GAME_OF_KIND[tag.kind])
            self.app.sound(sounds.ACCEPTED)
        else:
            self.app.wrong_kind()
        self.app.redraw()

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
        if self.choice["game"] not in ("trumpf", "quartett"):
            self.choose_game("trumpf")
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
        for field in ("preset", "deck", "stage"):
            if field in rows:
                header[field] = choice[field]
        self._add_options(header, rows)
        if choice["game"] == "cafe":
            header["board"] = "cafe" if choice["preset"] == "board" else "cafe_app"
        if len(self.badges) == choice["seats"]:
            header["names"] = [badge.name for badge in self.badges]
            if any([badge.player for badge in self.badges]):
                # the desk's ids tell two players of one name apart
                header["players"] = [badge.player or None for badge in self.badges]
        table = self.app.settings.get("table")
        if table:
            header["table"] = table
        return header

    def _add_options(self, header: "dict[str, Any]", rows: "list[str]") -> None:
        """House rules, hands and target: only what differs from the rule is written down."""
        options = {}
        for row in rows:
            if row in _LISTS and row != "stage" and self.choice[row] != _LISTS[row][0]:
                options[row] = self.choice[row]
        if "deals" in options:  # HA-8
            del options["deals"]
            options["hands"] = self._hands()
        if options:
            header["options"] = options

    def _start(self) -> None:
        if "deck" in self.rows() and self.choice["deck"] is None:
            self.app.message(
                "QUESTION", self.app.say("menu_deck"), (self.app.say("lay_deck"),), sounds.REFUSED
            )
        elif opening.start(self.app, self.header()):
            self.app.sound(sounds.OVER)
