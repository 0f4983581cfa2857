"""One evening on the twin: a match in the MicroPython VM, and its result slip on real tags.

What the laptop does is done by the commands that people type; the box hangs on a cable of virtual
time, the desk's own reader on a pty.
"""

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from card_tags import kinds
from hardware.twin.picture import below_bar
from hardware.twin.reader_pty import ReaderPty
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.cards.decks import load_deck
from host_tools.cards.keys import load_keys
from host_tools.cards.tag_items import Item, Set, deck_items
from host_tools.cli import schiri
from host_tools.games.player import Act
from host_tools.provision.items import jury_items
from host_tools.sim.demo.dry_run import dealt
from host_tools.sim.demo.stage import Stage
from host_tools.sim.demo.tags import write_tags
from host_tools.sim.demo.usb import TwinPort

PORT = "twin"
NAMES = ("Anna", "Fatoş")
TABLE = "4"
ANNAS_CARD, FATOSS_CARD = "A1", "A2"  # Dufourspitze 4634 m, Matterhorn 4478 m
HEIGHT = 0  # the deck's first category
_SLIP_LIMIT_MS = 3_000
_REST_MS = 1_500  # messages are drawn, sounds are over, a tag counts as gone
_TIMEOUT_OF_PYSERIAL = 4096
# the jury's menu in a running Swiss match: pause, undo, by hand, penalty, forfeit, exclude, …
_FORFEIT = 4
_LEFT = 1  # why: late, left, jury


class Cable:
    """What pyserial hands to the link: while the laptop waits for bytes, the box runs."""

    in_waiting = _TIMEOUT_OF_PYSERIAL

    def __init__(self, box: TwinSession) -> None:
        self._port = TwinPort(box)

    def read(self, size: int = 1) -> bytes:
        return self._port.read(size)

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def close(self) -> None:
        """The box stays plugged in."""


def run(*arguments: str) -> Result:
    """A command of the laptop."""
    return CliRunner().invoke(schiri, arguments)


def must(*arguments: str) -> str:
    """A command that has to succeed; returns what it says."""
    done = run(*arguments)
    assert done.exit_code == 0, (arguments, done.output, done.exception)
    return done.output


def tags_of_the_evening(ledger: Path) -> dict[str, NtagTwin]:
    """Written by the provisioner and sealed with the league key; only what this match needs."""
    deck = deck_items(load_deck("berge"), with_deck_card=True).items
    cards = tuple(item for item in deck if item.code in (ANNAS_CARD, FATOSS_CARD, "deck"))
    badges = tuple(
        Item(f"p{n}", name, kinds.BADGE, kinds.Badge(f"p{n}", name, "cup"))
        for n, name in enumerate(NAMES, 1)
    )
    everything = Set("evening", cards + badges + jury_items(("Ada",)).items)
    return write_tags(everything, load_keys().current, ledger, lambda *_: None)


class Evening:
    """The box with its people."""

    def __init__(self, box: TwinSession, tags: dict[str, NtagTwin]) -> None:
        self.box = box
        self.tags = tags
        self.header: dict[str, Any] = {"schiri": 1, "game": "trumpf", "preset": "swiss"}
        self.header |= {"seats": len(NAMES), "deck": load_deck("berge")}
        self.stage = Stage(box, tags, dealt({**self.header, "names": list(NAMES)}, 1, "de"))

    def play(self) -> None:
        """A round that Anna wins; then Fatoş goes home, and the jury gives a forfeit (SW-7)."""
        stage = self.stage
        stage.open_match(self.header, ("p1", "p2"))
        for act in (
            Act("begin", {"seat": 0}, 500),
            Act("tap", {"card": ANNAS_CARD}, 500),
            Act("call", {"category": HEIGHT}, 500),
            Act("tap", {"card": FATOSS_CARD}, 500),
        ):
            stage.perform(act)
        self.box.run_for(_REST_MS)
        self._show_jury_card()
        for place in (_FORFEIT, 1, _LEFT):
            stage.press(*["down"] * place, "ok")
        stage.news()
        self.box.run_for(_REST_MS)

    def _show_jury_card(self) -> None:
        """The menu opens without a sound."""
        before = below_bar(self.box.screen())  # the clock in the bar changes by itself
        self.box.field.place(self.tags["jury1"])
        assert self.box.run_until(lambda: below_bar(self.box.screen()) != before, _SLIP_LIMIT_MS)
        self.box.field.clear()
        self.box.run_for(_REST_MS)


def copy_of(tag: NtagTwin, uid: bytes | None = None) -> NtagTwin:
    """A tag of the same kind with the same user memory; with another UID if asked."""
    twin = NtagTwin(tag.model, uid or tag.uid)
    twin.load_user(tag.user)
    return twin


def hand_in(tag: NtagTwin, *options: str) -> Result:
    """`schiri slip` at the desk, whose reader is a PN532 on a serial adapter."""
    with ReaderPty() as reader:
        with reader.lock:
            reader.field.place(tag)
        return run("slip", "--reader", "pn532", "--port", str(reader.path), *options)
