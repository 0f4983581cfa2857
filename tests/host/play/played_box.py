"""A box that is really played on: tags, buttons, journal; it remembers what it showed."""

import json
import random
from pathlib import Path
from typing import Any

from firmware.app.link_frames import read_record
from host_tools.replay.engines import resolve
from host_tools.sim.demo.company import people_of
from host_tools.sim.demo.hands import Hands
from host_tools.sim.demo.people import Act
from host_tools.sim.demo.rehearsal import follow
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import TagTray, things_of
from tests.app.fakes import Box

Json = dict[str, Any]
SEED = 3
THINK_MS = (200, 9_000)
WAIT = Act("wait", {}, 0)


class PlayedBox(Box):
    """`shown[n]` is the frame buffer right behind command n, `shown[0]` that of a fresh table."""

    def __init__(self, folder: Path, header: Json) -> None:
        self.shown: list[bytes] = []
        self._commands = 0
        self._bytes = 0
        set_up(folder, "en", "Test")
        super().__init__(folder, "en")
        self.header = resolve(header)
        self._hands = Hands(self.header, ())
        self._tray = TagTray()
        self._tray.fill(things_of(self.header))
        self._chance = random.Random(SEED)
        choice = {name: header.get(name) for name in ("game", "preset", "seats", "deck", "stage")}
        self.set_choice(**choice)
        self.press("OK+")
        self.shown = [self.display.shown]

    def step(self, ms: int = 10) -> None:
        """A step; the picture behind a command is the first one after its record."""
        super().step(ms)
        if not self.shown or len(self.journal_bytes()) == self._bytes:
            return
        self._bytes = len(self.journal_bytes())
        commands = len(self._steps())
        if commands > self._commands:
            assert commands == self._commands + 1
            self._commands = commands
            self.shown.append(self.display.shown)

    def _steps(self) -> list[tuple[Json, Json]]:
        steps = []
        for line in self.journal_bytes().splitlines():
            record = read_record(line)
            assert record is not None
            parts = record.payload.split("\t")
            if len(parts) == 2:
                steps.append((json.loads(parts[0]), json.loads(parts[1])))
        return steps

    def journal_bytes(self) -> bytes:
        """The file of the newest match as it lies on the flash."""
        return max(self.folder.glob("m??????.*")).read_bytes()

    def play(self, acts: int) -> None:
        """The people of the demo play so many moves, wrong ones among them, or to the end."""
        people = people_of(self.header, SEED)
        awaits: Json = {"seat": None, "for": "begin"}
        category: str | None = None
        for _ in range(acts):
            if awaits["for"] == "nothing":
                return
            act = people.act(awaits, category)
            for command, answer in self._do(act):
                self._hands.follow(command)
                done = WAIT if command["do"] == "tick" else act  # time went by while they thought
                category = follow(people, done, awaits, answer, category)
                awaits = answer["awaits"]

    def _do(self, act: Act) -> list[tuple[Json, Json]]:
        """Returns what the journal got."""
        before = self._commands
        self.read_messages()
        self.wait(self._chance.randint(*THINK_MS))
        self.read_messages()
        for how, what in self._hands.steps(act):
            if how == "lay":
                tag = self._tray[what]
                self.lay(tag.memory.user_bytes(), tag.memory.uid)
            else:
                self.press(what.upper())
        return self._steps()[before:]

    def read_messages(self) -> None:
        """Press OK as long as something is told."""
        while type(self.app.page()).__name__ == "Message":
            self.press("OK")

    def undo(self) -> None:
        """The arbiter takes back the last move."""
        self.read_messages()
        self.press("JURY")
        self.choose("Take back")
        self.press("OK")
