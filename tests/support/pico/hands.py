"""Who looks at the screen of an emulated Pico, and who plays at it."""

from hardware.twin.errors import TwinError
from hardware.twin.picture import below_bar
from hardware.twin.session import TwinSession
from host_tools.games import game_of
from host_tools.games.table_view import TableView
from host_tools.sim.demo.dry_run import command_of
from host_tools.sim.table.tags import TagTray
from tests.support.pico.engine import PicoEngine

DARK_MS = 20_000
READY_MS = 1_000
IDLE_MS = 4  # firmware/main.py sleeps so long between two turns
TAPS = 20  # verdicts
_ANSWER_MS = 3_000
_READ_MS = 350  # a card lies so long after its verdict
_GONE_MS = 400  # also behind a press, whose record is then written and its erase done


class Watch:
    """Looks at every write to the display. `changed_ms`: milliseconds from power to the last
    change below the top bar, in which the clock runs.
    """

    def __init__(self, box: TwinSession) -> None:
        assert isinstance(box.engine, PicoEngine)
        self._box = box
        self.pico = box.engine
        self.pico.parts.on_drawn = self._drawn
        self._rows = below_bar(box.screen())
        self.changed_ms = 0.0
        self.times: list[float] = []

    def _drawn(self) -> None:
        rows = below_bar(self._box.screen())
        if rows != self._rows:
            self._rows = rows
            self.changed_ms = self.pico.up_ms
            self.times.append(self.changed_ms)

    def first_picture(self) -> float:
        """Run until something is shown; milliseconds from power."""
        box = self._box
        if not box.run_until(lambda: not box.screen().dark, DARK_MS):
            raise TwinError("The screen stays dark.")
        return self.times[0]

    def resumed(self, box: TwinSession) -> bool:
        """The box has said with a tone that the match is there, and has drawn it: a picture tells
        before that it is being resumed.
        """
        return bool(box.sounds) and self.pico.up_ms - self.changed_ms > READY_MS


class Turns:
    """How long the turns of the box's loop take from now on, without the sleep behind each, in ms:
    those in which nothing was written to the flash, and those with.
    """

    def __init__(self, pico: PicoEngine) -> None:
        self.computed_ms: list[float] = []
        self.written_ms: list[float] = []
        self._pico = pico
        self._fed_ms, self._operations = -1.0, 0
        pico.on_fed = self._fed

    def _fed(self) -> None:
        pico = self._pico
        if self._fed_ms >= 0:
            written = pico.work.operations > self._operations
            turns = self.written_ms if written else self.computed_ms
            turns.append(pico.up_ms - self._fed_ms - IDLE_MS)
        self._fed_ms, self._operations = pico.up_ms, pico.work.operations


class SwissHands:
    """Lay cards and press OK in a resumed Swiss match; note how long every card took."""

    def __init__(self, box: TwinSession, watch: Watch, table: TableView) -> None:
        self._box = box
        self._watch = watch
        self._table = table
        self._tray = TagTray()
        for one in game_of(table.header).tag_sets(table.header):
            self._tray.fill(list(one.items))
        self.first_ms: list[float] = []
        self.last_ms: list[float] = []
        self.verdict_ms: list[float] = []  # of them, those that end a round, and the others
        self.card_ms: list[float] = []
        self.with_erase_ms: list[float] = []  # those that an erase kept waiting
        self.erases = 0
        for button in ("ok", "jury", "ok"):  # the news of the restart; the clock runs again
            self._press(button)

    def play_on(self, verdicts: int = TAPS) -> None:
        """So many rounds. The category is always the first one: OK chooses it."""
        table = self._table
        while len(self.verdict_ms) < verdicts and not table.match.over():
            act = table.act()
            if act.do == "tap":
                self._lay(act.fields["card"])
                command = command_of(act, table.match.t_ms)
            else:
                self._press("ok")
                command = {"t": table.match.t_ms, "do": act.do, "category": 0}
            answer = table.play(command)
            if "refused" in answer:
                raise TwinError(f"The rules refuse {command}.")
            won = any(event["is"] == "round_won" for event in answer.get("events", ()))
            if act.do == "tap":
                (self.verdict_ms if won else self.card_ms).append(self.last_ms[-1])
            if won:
                self._press("ok")  # the verdict is read

    def _lay(self, code: str) -> None:
        box, watch = self._box, self._watch
        pico = box.engine
        assert isinstance(pico, PicoEngine)
        start_ms, erases = pico.up_ms, pico.work.erases
        watch.times.clear()
        box.field.place(self._tray[code])
        if not box.run_until(lambda: bool(watch.times), _ANSWER_MS):
            raise TwinError(f"The screen does not answer to {code}.")
        waited = pico.work.erases > erases
        box.run_for(_READ_MS)
        last_ms = watch.times[-1] - start_ms
        self.first_ms.append(watch.times[0] - start_ms)
        self.last_ms.append(last_ms)
        if waited:
            self.with_erase_ms.append(last_ms)
        self.erases += pico.work.erases - erases
        box.field.remove(self._tray[code])
        box.run_for(_GONE_MS)

    def _press(self, button: str) -> None:
        self._box.press(button)
        self._box.run_for(_GONE_MS)
