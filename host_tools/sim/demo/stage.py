"""Act two at the box: tags are laid, buttons pressed, and the journal is watched for answers."""

from collections.abc import Callable, Iterator, Sequence

from card_tags import codec, kinds
from card_tags.errors import TagError
from firmware.app.journal import DUE
from firmware.rules.game import FIELD, rows_of
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.link import BoxLink
from host_tools.cards.public_keys import read_public
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.core.json_types import Json
from host_tools.games import game_of
from host_tools.games.options import options_of
from host_tools.games.player import Act
from host_tools.games.table_view import TableView
from host_tools.sim.demo.tags import TwinTags
from host_tools.sim.journal_watch import JournalWatch
from host_tools.sim.screen import ScreenReader
from host_tools.sim.table.hands import BETWEEN_MS, BOOT_LIMIT_MS, BoxHands

CommandAnswer = tuple[Json, Json]
"""A command and the referee's answer."""
ANSWER_LIMIT_MS = 8_000
LOOK_MS = 1500
MOST_OKS = 8


def _holds_slip(tag: NtagTwin) -> bool:
    try:
        # may be read while the box writes: a half-written tag does not decode
        return codec.decode(tag.user).kind == kinds.SLIP
    except TagError:
        return False


class BoxFailed(UserError):
    """The box did not do what the script expects: a fault of ours, not of the user's."""

    exit_code = Exit.SYSTEM


class Stage:
    """A running box with its tags; every act returns the box's new answers. `table` follows what
    the box has accepted, and says what hands must do for an act.
    """

    def __init__(self, box: TwinSession, tags: TwinTags, table: TableView) -> None:
        self.box = box
        self.tags = tags
        self.table = table
        self._hands = BoxHands(box, tags, ScreenReader(box), lambda: None)
        self._watch = JournalWatch(box.box.flash.folder)
        self._seen = 0

    def power_on(self) -> None:
        """Boot and wait for the first picture."""
        self.box.boot()
        self._wait(lambda: not self.box.screen().dark, BOOT_LIMIT_MS, Sentence("demo_picture"))
        self.box.run_for(BETWEEN_MS)

    def open_match(self, header: Json, badges: Sequence[str]) -> None:
        """Choose the match in the start menu, tap deck card and badges, and start."""
        self._run(self._hands.open_match(self.table.say, header, badges))

    def press(self, *buttons: str) -> None:
        """Press buttons one after the other."""
        for button in buttons:
            self._run(self._hands.press(button))

    def set_menu(self, header: Json) -> None:
        """Choose in the start menu what the header says, but for the game's own rows."""
        self._run(self._hands.set_menu(self.table.say, header))

    def start_match(self) -> None:
        """Start what the menu shows."""
        self._run(self._hands.start_match())

    def set_rows(self, header: Json) -> None:
        """See every choice of the game's own rows, and leave what the header says."""
        say, hands, preset = self.table.say, self._hands, header.get("preset")
        for row in rows_of(game_of(header).on_box, preset):
            if row.way == FIELD:
                for choice in (*row.choices, header.get(row.name, row.choices[0])):
                    shown = str(choice) if type(choice) is int else say(f"{row.name}_{choice}")
                    self._run(hands.set_row(say(f"menu_{row.name}"), shown))
        rules = options_of(header["game"], preset)
        if rules:
            self._run(hands.pick(say("menu_options")))
        for rule in rules:
            choices = [rule.written(choice, header["seats"]) for choice in rule.row.choices]
            for value in (*choices, rule.of(header)):
                self._run(hands.choose_rule(say, rule, rule.shown(value, say)))
        if rules:
            self._run(hands.pick(say("back")))

    def _run(self, act: Iterator[int]) -> None:
        """Hands do something, the box runs meanwhile."""
        for wait_ms in act:
            self.box.run_for(wait_ms)

    def perform(self, act: Act) -> list[CommandAnswer]:
        """Do what a player wants to do; returns the (command, answer) pairs that came of it."""
        self.box.run_for(act.think_ms)
        self._run(self._hands.do(self.table.steps(act)))
        return self.news()

    def hand_out_slip(self, tag: NtagTwin) -> None:
        """The match is over and the box silent: lay a tag down until the slip is on it."""
        self.box.run_for(LOOK_MS)
        self.box.field.place(tag)
        self._wait(lambda: _holds_slip(tag), ANSWER_LIMIT_MS, Sentence("demo_slip"))
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
            # looked at before each OK: one too many would act on the page behind the result
            if self._watch.result is not None:
                return
            self.box.run_for(LOOK_MS)
            self.press("ok")
        raise BoxFailed("demo_not_closed")

    def key_of_box(self, link: BoxLink) -> bytes:
        """Its public key, which a new box is still making."""
        while not (said := link.request("key_public"))["made"]:
            self.box.run_for(LOOK_MS)
        return read_public(said["public"])

    def wait_for_seal(self, link: BoxLink) -> None:
        """The box signs behind the result."""
        while any(state == DUE for _, state, _ in link.request("matches")["matches"]):
            self.box.run_for(LOOK_MS)

    def news(self) -> list[CommandAnswer]:
        """Answers in the journal that nobody has looked at yet."""
        self._watch.look()
        fresh = self._watch.steps[self._seen :]
        self._seen += len(fresh)
        for command, _ in fresh:
            self.table.play(command)
        return fresh

    def _wait(self, until: Callable[[], bool], limit_ms: int, what: Sentence) -> None:
        if not self.box.run_until(until, limit_ms):
            raise BoxFailed("demo_waited", what=what, seconds=limit_ms / 1000)
