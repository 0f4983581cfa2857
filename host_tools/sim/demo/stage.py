"""Act two at the box: tags are laid, buttons pressed, and the journal is watched for answers."""

from collections.abc import Callable, Iterator
from typing import Any

from card_tags import codec, kinds
from card_tags.errors import TagError
from firmware.rules.game import PER_SEAT
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.core.errors import UserError
from host_tools.games import game_of
from host_tools.games.player import Act
from host_tools.games.table import TableView
from host_tools.sim.demo.tags import Tags
from host_tools.sim.journal_watch import JournalWatch
from host_tools.sim.screen import ScreenReader
from host_tools.sim.table.hands import Hands

Json = dict[str, Any]
News = tuple[Json, Json]
"""A command and the referee's answer."""
BOOT_LIMIT_MS = 10_000
ANSWER_LIMIT_MS = 8_000
HOLD_MS = 250
"""How long a card lies on the box."""
BETWEEN_MS = 350
"""A card counts as gone after the reader's grace time; the next one comes after that."""
PRESS_GAP_MS = 200
LONG_PRESS_MS = 900
LOOK_MS = 1500
MOST_OKS = 8


def _holds_slip(tag: NtagTwin) -> bool:
    try:
        return codec.decode(tag.user).kind == kinds.SLIP
    except TagError:
        return False


class BoxFailed(UserError):
    """The box did not do what the script expects: a fault of ours, not of the user's."""

    exit_code = 3


class Stage:
    """A running box with its tags; every act returns the box's new answers. `table` follows what
    the box has accepted, and says what hands must do for an act.
    """

    def __init__(self, box: TwinSession, tags: Tags, table: TableView) -> None:
        self.box = box
        self.tags = tags
        self.table = table
        self._hands = Hands(box, tags, ScreenReader(box), lambda: None)
        self._watch = JournalWatch(box.box.flash.folder)
        self._seen = 0

    def power_on(self) -> None:
        """Boot and wait for the first picture."""
        self.box.boot()
        self._wait(lambda: not self.box.screen().dark, BOOT_LIMIT_MS, "show a picture")
        self.box.run_for(BETWEEN_MS)

    def lay(self, code: str) -> None:
        """Lay a tag on the box, wait until it has spoken, and take it away."""
        heard = len(self.box.sounds)
        tag = self.tags[code]
        self.box.field.place(tag)
        self._wait(lambda: len(self.box.sounds) > heard, ANSWER_LIMIT_MS, f"hear of {code}")
        self.box.run_for(HOLD_MS)
        self.box.field.remove(tag)
        self.box.run_for(BETWEEN_MS)

    def press(self, *buttons: str) -> None:
        """Press buttons one after the other."""
        for button in buttons:
            self.box.press(button)
            self.box.run_for(PRESS_GAP_MS)

    def set_menu(self, header: Json) -> None:
        """Walk down the start menu and press OK until every row shows what the header says."""
        say = self.table.say
        preset = header.get("preset")
        self._run(self._hands.set_row(say("menu_game"), say(f"game_{header['game']}")))
        if preset:
            self._run(self._hands.set_row(say("menu_preset"), say(f"preset_{preset}")))
        if "deck" in header:
            self.lay("deck")
        if preset not in game_of(header).fixed_seats:
            self._run(self._hands.set_row(say("menu_seats"), str(header["seats"])))

    def set_rows(self, header: Json) -> None:
        """See every choice of the game's own rows, and leave what the header says."""
        say = self.table.say
        written = {**header, **header.get("options", {})}
        for row in game_of(header).on_box.rows:
            if row.presets and header.get("preset") not in row.presets:
                continue
            times = header["seats"] if row.way == PER_SEAT else 1
            choices = [
                choice * times if isinstance(choice, int) else choice for choice in row.choices
            ]
            for choice in (*choices, written.get(row.name, choices[0])):
                shown = str(choice) if isinstance(choice, int) else say(f"{row.name}_{choice}")
                self._run(self._hands.set_row(say(f"menu_{row.name}"), shown))

    def _run(self, act: Iterator[int]) -> None:
        """Hands do something, the box runs meanwhile."""
        for wait_ms in act:
            self.box.run_for(wait_ms)

    def start_match(self) -> None:
        """A long OK starts from any row."""
        self.box.press("ok", LONG_PRESS_MS)
        self.box.run_for(2 * LONG_PRESS_MS)

    def perform(self, act: Act) -> list[News]:
        """Do what a player wants to do; returns the (command, answer) pairs that came of it."""
        self.box.run_for(act.think_ms)
        for step in self.table.steps(act):
            if step.do == "lay":
                self.lay(step.what)
            else:
                self._run(self._hands.do((step,)))
        return self.news()

    def hand_out_slip(self, tag: NtagTwin) -> None:
        """The match is over and the box silent: lay a tag down until the slip is on it."""
        self.box.run_for(LOOK_MS)
        self.box.field.place(tag)
        self._wait(lambda: _holds_slip(tag), ANSWER_LIMIT_MS, "write the slip")
        self.box.run_for(LOOK_MS)
        self.box.field.remove(tag)
        self.box.run_for(BETWEEN_MS)

    def leave(self) -> None:
        """OK closes the message about the slip, OK leaves the result."""
        self.press("ok", "ok")
        self.box.run_for(LOOK_MS)

    def sign_off(self) -> None:
        """The match is over: read the messages, look at the result, close it with OK."""
        for _ in range(MOST_OKS):
            self._watch.look()
            if self._watch.result is not None:
                return
            self.box.run_for(LOOK_MS)
            self.press("ok")
        raise BoxFailed("the box on the twin did not close the match")

    def news(self) -> list[News]:
        """Answers in the journal that nobody has looked at yet."""
        self._watch.look()
        fresh = self._watch.steps[self._seen :]
        self._seen += len(fresh)
        for command, _ in fresh:
            self.table.play(command)
        return fresh

    def _wait(self, until: Callable[[], bool], limit_ms: int, what: str) -> None:
        if not self.box.run_until(until, limit_ms):
            raise BoxFailed(f"the box on the twin did not {what} within {limit_ms / 1000:g} s")
