"""Act two at the box: tags are laid, buttons pressed, and the journal is watched for answers."""

from collections.abc import Callable
from typing import Any

from card_tags import codec, kinds
from card_tags.errors import TagError
from firmware.games import names, row
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.core.errors import UserError
from host_tools.sim.demo.hands import Hands
from host_tools.sim.demo.journal_eye import JournalEye
from host_tools.sim.demo.people import Act
from host_tools.sim.demo.tags import Tags

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


# events that the table itself shows, without a message over it
_SILENT_EVENTS = {
    *("began", "called", "played", "asked", "drew", "turn", "table_set", "match_over"),
    *("opened", "followed", "passed", "shed"),
}


def messages_of(answer: Json) -> int:
    """How many messages the box lays over the table for an answer; OK closes one."""
    news = [event for event in answer.get("events", ()) if event["is"] not in _SILENT_EVENTS]
    return len(news) + ("refused" in answer)


def _holds_slip(tag: NtagTwin) -> bool:
    try:
        return codec.decode(tag.user).kind == kinds.SLIP
    except TagError:
        return False


class StageFright(UserError):
    """The box did not do what the script expects: a fault of ours, not of the user's."""

    exit_code = 3


class Stage:
    """A running box with its tags; every act returns the box's new answers."""

    def __init__(self, box: TwinSession, tags: Tags, header: Json) -> None:
        self.box = box
        self.tags = tags
        self._hands = Hands(header, tags)
        self.eye = JournalEye(box.box.flash.folder)
        self._seen = 0
        self._open_messages = 0

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
        """Walk down the start menu and press OK until every row shows what the header says.

        The menu begins at the top with Trumpf, the Swiss rules and two seats.
        """
        games, choices = names(), row(header["game"]).presets
        chosen = next(p for p in choices if p.name == header.get("preset"))
        before = games[: games.index(header["game"])]
        seats = 0
        for passed in (*(row(name).presets[0] for name in before), choices[0], chosen):
            seats = min(max(seats, passed.fewest), passed.most)  # as the menu keeps them
        self.press(*["ok"] * len(before))
        if chosen.name is not None:
            self.press("down", *["ok"] * choices.index(chosen))
        if "deck" in header:
            self.press("down")
            self.lay("deck")
        if chosen.fewest < chosen.most:
            ways = chosen.most - chosen.fewest + 1
            self.press("down", *["ok"] * ((header["seats"] - seats) % ways))

    def start_match(self) -> None:
        """A long OK starts from any row."""
        self.box.press("ok", LONG_PRESS_MS)
        self.box.run_for(2 * LONG_PRESS_MS)

    def perform(self, act: Act) -> list[News]:
        """Do what a player wants to do; returns the (command, answer) pairs that came of it."""
        self.box.run_for(act.think_ms)
        steps = self._hands.steps(act)
        if steps and steps[0][0] == "press":  # a tag closes what is on the screen by itself
            self.press(*["ok"] * self._open_messages)
        for kind, what in steps:
            if kind == "lay":
                self.lay(what)
            else:
                self.press(what)
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
            self.eye.look()
            if self.eye.result is not None:
                return
            self.box.run_for(LOOK_MS)
            self.press("ok")
        raise StageFright("the box on the twin did not close the match")

    def news(self) -> list[News]:
        """Answers in the journal that nobody has looked at yet."""
        count = self.eye.look()
        fresh = self.eye.steps[self._seen :]
        self._seen = count
        for command, answer in fresh:
            self._hands.follow(command)
            self._open_messages = messages_of(answer)
        return fresh

    def _wait(self, until: Callable[[], bool], limit_ms: int, what: str) -> None:
        if not self.box.run_until(until, limit_ms):
            raise StageFright(f"the box on the twin did not {what} within {limit_ms / 1000:g} s")
