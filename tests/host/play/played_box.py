"""A box that is really played on: tags, buttons, journal; it remembers what it showed."""

import json
import random
from pathlib import Path
from typing import Any
from unittest.mock import patch

from firmware.app.link_frames import read_record
from firmware.games.cafe import cards_page
from host_tools.core.json_types import Json
from host_tools.games import game_of
from host_tools.games.player import Act
from host_tools.replay.engines import resolve
from host_tools.sim.demo.dry_run import dealt
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import TagTray
from tests.app.fakes import Box

SEED = 17  # nobody's match is over too soon, and everybody is refused once
THINK_MS = (200, 9_000)


class PlayedBox(Box):
    """`shown[n]` is the frame buffer right behind command n, `shown[0]` that of a fresh table."""

    def __init__(self, folder: Path, header: Json, seed: int = SEED) -> None:
        self.shown: list[bytes] = []
        self._commands = 0
        self._bytes = 0
        set_up(folder, "en", "Test")
        super().__init__(folder, "en")
        choice = {name: header.get(name) for name in ("game", "preset", "seats", "deck", "stage")}
        self.set_choice(**choice)
        self.press("OK+")
        if header.get("preset") == "app":
            # the table cards by lot (CA-2), and begin; the same ones each time, as the moves are
            with patch.object(cards_page, "lot", random.Random(seed).randrange):
                self.press("OK", "OK")
        # with the options that the menu writes
        self.header = resolve(self._written_header(), "en")
        self._table = dealt(self.header, seed)
        self._tray = TagTray()
        self._tray.fill(game_of(self.header).things(self.header))
        self._chance = random.Random(seed)
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

    def _written_header(self) -> Json:
        record = read_record(self.journal_bytes().splitlines()[0])
        assert record is not None
        header: Json = json.loads(record.payload)
        return header

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
        for _ in range(acts):
            if self._table.match.over():
                return
            for command, _ in self._do(self._table.act()):
                self._table.play(command)

    def _do(self, act: Act) -> list[tuple[Json, Json]]:
        """Returns what the journal got."""
        before = self._commands
        self.read_messages()
        self.wait(self._chance.randint(*THINK_MS))
        self.read_messages()
        steps = self._steps()
        if steps and steps[-1][1]["awaits"]["for"] == "nothing":  # the time is up meanwhile
            return steps[before:]
        for step in self._table.steps(act):
            if step.do == "lay":
                tag = self._tray[step.what]
                self.lay(tag.memory.user_bytes(), tag.memory.uid)
            elif step.do == "pick":
                self._pick(step.what)
            else:
                self.press(step.what.upper())
        return self._steps()[before:]

    def _pick(self, label: str) -> None:
        """Choose in the list on the screen; OK on the bare table opens the list of a turn."""
        page: Any = self.app.page()
        if not hasattr(page, "items") and not (hasattr(page, "choices") and page.choices()):
            self.press("OK")
        self.choose(label)

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
