"""The house rules of the chosen game: its options, each choice with a sentence that says what it
means. Only loaded when somebody looks at them; so are the sentences (`texts_options_de.py` and
`texts_options_en.py` of a game: `option_choice|sentence`, or `option|sentence` for all numbers).
"""

from micropython import const

from firmware.rules.game import FIELD, MINUTES, PER_SEAT, unit_ms

from . import sounds
from .canvas import TOP
from .chooser import Chooser
from .page import OK
from .view import View
from .words import load_table

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    from typing import Any

    from firmware.rules.game import Game, MenuRow

    from .seams import BoxApp

_LIST_TOP = const(42)  # two choices below the sentence


class OptionsPage(Chooser):
    """The options with what is chosen in `choice`, by name."""

    def __init__(
        self, app: "BoxApp", game: "Game", choice: "dict[str, Any]", rows: "list[MenuRow]"
    ) -> None:
        self.game = game
        self.choice = choice
        self._rows = [row for row in rows if row.way != FIELD]
        Chooser.__init__(self, app, app.say("menu_options"), [], self._leave)
        self._list()

    def _list(self) -> None:
        say = self.app.say
        self.items = [
            say("menu_" + row.name) + "\t" + self.shown(row, self.choice[row.name])
            for row in self._rows
        ]
        self.items.append(say("back"))

    def _leave(self, number: int) -> None:
        """The last item, or JURY."""

    def shown(self, row: "MenuRow", value: "str | int") -> str:
        """A choice as the screen says it."""
        if unit_ms(row) and type(value) is int:
            return self.app.say("minutes" if row.way == MINUTES else "seconds", value)
        if type(value) is int:
            return str(value * self.choice["seats"] if row.way == PER_SEAT else value)
        return self.app.say(row.name + "_" + str(value))

    def on_button(self, button: int) -> None:
        if button == OK and self.chosen < len(self._rows):
            self.app.open(_Choices(self, self._rows[self.chosen]))
        else:
            Chooser.on_button(self, button)

    def choose(self, row: "MenuRow", value: "str | int") -> None:
        """From now on this is played."""
        self.choice[row.name] = value
        self._list()


class _Choices(Chooser):
    """The choices of one option, what the rules say first; above them what the lit one means."""

    def __init__(self, page: OptionsPage, row: "MenuRow") -> None:
        app = page.app
        items = [page.shown(row, value) for value in row.choices]
        items[0] += "\t" + app.say("options_usual")
        lit = row.choices.index(page.choice[row.name])
        Chooser.__init__(self, app, app.say("menu_" + row.name), items, self._chose, lit)
        self._page = page
        self._row = row
        try:
            self._table = load_table(
                page.game.package, "options_" + str(app.settings.get("language"))
            )
        except OSError:  # a game without sentences
            self._table = ""

    def view(self) -> "View":
        meant = meaning(self._table, self._row, self.chosen)
        parts = (("lines", 0, TOP, (meant,)), ("rows", _LIST_TOP, self.items, self.chosen))
        return View(self.heading, parts, True)

    def _chose(self, number: int) -> None:
        self._page.choose(self._row, self._row.choices[number])
        self.app.sound(sounds.STEP)


def meaning(table: str, row: "MenuRow", number: int) -> str:
    """The sentence of a choice. `table`: the game's sentences."""
    value = row.choices[number]
    for key in (row.name + "_" + str(value), row.name):
        start = table.find("\n" + key + "|")
        if start >= 0:
            start += len(key) + 2
            return table[start : table.find("\n", start)].format(value)
    return ""
