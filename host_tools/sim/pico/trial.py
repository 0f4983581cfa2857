"""The trial of an emulated Pico: install, play, cut the power, resume, play on, sync, measure.

The first match is of a game whose cards need no deck; the jury ends it. The second one is between
two with a deck of four cards, played to its natural end.
"""

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hardware.twin.errors import TwinError
from hardware.twin.panel import Button
from host_tools.box.firmware.build import Build
from host_tools.box.link import BoxLink
from host_tools.box.sync import BoxSync, Synced
from host_tools.sim.demo.rehearsal import command_of, dealt
from host_tools.sim.pico.emulator import EmulatedPico, PicoPort
from host_tools.sim.pico.hands import SETTLE_MS, PicoHands, tags_of, without_deck
from host_tools.sim.pico.install import install
from host_tools.sim.pico.parts import BoxParts
from host_tools.store import open_store

_READY_LIMIT_MS = 8_000

Say = Callable[[str], None]


@dataclass
class Figures:
    """What the trial measured; times in emulated milliseconds."""

    usb_ms: float = 0.0
    ready_ms: float = 0.0
    resumed_ms: float = 0.0
    verdict_ms: list[float] = field(default_factory=list)
    heap_free: int = 0
    flash_used: int = 0
    flash_free: int = 0
    shown: int = 0
    synced: list[Synced] = field(default_factory=list)

    def rows(self) -> list[tuple[str, str]]:
        """The figures as people read them."""
        middle = statistics.median(self.verdict_ms) if self.verdict_ms else 0.0
        longest = max(self.verdict_ms, default=0.0)
        return [
            ("power on to USB", f"{self.usb_ms:.0f} ms"),
            ("power on to the start menu", f"{self.ready_ms:.0f} ms"),
            ("power on to the resumed match", f"{self.resumed_ms:.0f} ms"),
            ("tap to verdict, median", f"{middle:.0f} ms of {len(self.verdict_ms)}"),
            ("tap to verdict, longest", f"{longest:.0f} ms"),
            ("heap free in a match", f"{self.heap_free:,} bytes"),
            ("flash used", f"{self.flash_used:,} bytes"),
            ("flash free", f"{self.flash_free:,} bytes"),
            ("verdicts shown before the cut", str(self.shown)),
            *[(f"match {one.number}", f"{one.state} {one.reason}".strip()) for one in self.synced],
        ]


class Trial:
    """One trial of one UF2. `cards` are played before the power cut and as many after it."""

    def __init__(self, uf2: Path, built: Build, cards: int, say: Say) -> None:
        self._uf2 = uf2
        self._built = built
        self._table = dealt(without_deck(), 1, faultless=True)
        self._tags = tags_of(self._table.header)
        self._half = cards
        self._say = say
        self.figures = Figures()

    def run(self) -> Figures:
        """The whole of it. Raises TwinError for whatever does not hold."""
        flash = self._install()
        pico, self.figures.ready_ms = self._power_on(flash)
        self._begin_match(pico)
        self._play_on(pico)
        self.figures.shown = self._half
        flash = self._cut(pico)
        self._resume_and_end(flash)
        return self.figures

    def _install(self) -> bytes:
        pico = EmulatedPico(self._uf2, BoxParts())
        pico.boot()
        self.figures.usb_ms = pico.now_ms
        self._say(f"Installing {self._built.total:,} bytes over the serial console.")
        install(pico, self._built, self._tell_copied())
        return self._cut(pico)

    def _tell_copied(self) -> Callable[[int, int], None]:
        """A line for every tenth: it takes minutes."""
        said = 0

        def report(done: int, total: int) -> None:
            nonlocal said
            if 10 * done // total > said:
                said = 10 * done // total
                self._say(f"{10 * said} % copied")

        return report

    def _power_on(self, flash: bytes) -> tuple[EmulatedPico, float]:
        pico = EmulatedPico(self._uf2, BoxParts(), flash)
        pico.boot()
        if not pico.run_until(lambda: not pico.parts.oled.picture().dark, _READY_LIMIT_MS):
            raise TwinError(f"The screen stays dark; the Pico said {pico.read()[-400:]!r}.")
        ready_ms = pico.now_ms
        pico.run_for(SETTLE_MS)
        self._say(f"On again, {ready_ms:.0f} ms to the first picture.")
        return pico, ready_ms

    def _cut(self, pico: EmulatedPico) -> bytes:
        """Pull the plug: only the flash stays."""
        pico.parts.unplug()
        return pico.file_system()

    # -- the match

    def _begin_match(self, pico: EmulatedPico) -> None:
        hands = PicoHands(pico)
        card = next(iter(self._tags))
        hands.lay(self._tags[card], card)  # a card chooses its game
        hands.press(Button.OK, long=True)
        hands.press(Button.OK)  # the first seat deals
        self._table.play({"t": 0, "do": "begin", "seat": 0})

    def _play_on(self, pico: EmulatedPico) -> None:
        """Half of the cards: those that the players choose."""
        for _ in range(self._half):
            act = self._table.act()
            self._tap(pico, act.fields["card"])
            self._table.play(command_of(act, self._table.match.t_ms))

    def _tap(self, pico: EmulatedPico, card: str) -> None:
        took_ms = PicoHands(pico).lay(self._tags[card], card)
        self.figures.verdict_ms.append(took_ms)
        self._say(f"{card}: verdict after {took_ms:.0f} ms")

    def _resume_and_end(self, flash: bytes) -> None:
        pico, self.figures.resumed_ms = self._power_on(flash)
        self._play_on(pico)
        link = BoxLink(PicoPort(pico), first_id=1)
        self._inspect(link)
        self._abandon(pico)
        self._say("A whole match with four cards.")
        self.figures.verdict_ms += PicoHands(pico).play_mini_match()
        with tempfile.TemporaryDirectory() as folder:
            store = open_store(str(Path(folder) / "trial.db"))
            try:
                sync = BoxSync(link, store, lambda box: {}, lambda number, done, total: None)
                sync.greet()
                self.figures.synced = list(sync.matches())
            finally:
                store.close()

    def _inspect(self, link: BoxLink) -> None:
        health = link.request("health")
        if not health["in_match"]:
            raise TwinError("The match was not resumed after the power cut.")
        self.figures.heap_free = int(health.get("heap_free", 0))
        self.figures.flash_free = int(link.request("status")["free_bytes"])
        self.figures.flash_used = 352 * 4096 - self.figures.flash_free

    def _abandon(self, pico: EmulatedPico) -> None:
        """The jury ends the match: its last action, then the first reason."""
        hands = PicoHands(pico)
        hands.press(Button.JURY)
        hands.press(Button.UP)  # round the end to the last one: abandon
        hands.press(Button.OK)
        hands.press(Button.OK)
