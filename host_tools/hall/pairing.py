"""From the desk to the boxes on the air: each gets the match called to its table, and what the
desk announces; what a box says of its match comes into the log, as over a cable.
"""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from host_tools.box.assigning import say
from host_tools.core.errors import UserError
from host_tools.hall.air_link import BlockingAirLink
from host_tools.hall.reception import BoxOnAir, Reception, passes
from host_tools.tournament.boxes import BoxConnection, BoxTables, notice, wanted
from host_tools.tournament.service import TournamentService
from host_tools.tournament.state import TournamentState

LOOK_S = 1.0
"""Poll interval for the log, in seconds."""
WORKERS = 64
"""Maximum boxes that are given something at a time."""
BEAT_S = 10.0
"""Seconds after which a box is asked about its match again, also if nothing has changed."""


class Pairing:
    """Which match a box shall have follows from the log alone (`tournament.boxes.wanted`), so it
    does not matter which hall sends it. `lang`: the language of titles on the boxes.
    """

    def __init__(self, services: list[TournamentService], lang: str = "de") -> None:
        self._services = services
        self._lang = lang
        self._tables = BoxTables(services[0], ports=tuple)
        self._tables.services = services
        self._states = self._read()
        self._threads = ThreadPoolExecutor(WORKERS, "pairing")

    async def watch(self, reception: Reception) -> None:
        """See to the boxes when the desk has written something; until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                loop = asyncio.get_running_loop()
                states = await loop.run_in_executor(self._threads, self._read)
            except UserError:
                continue  # the database: asked again
            # states are immutable, so identity is enough to see a change
            if any(now is not before for now, before in zip(states, self._states, strict=True)):
                self._states = states
                for box in reception.boxes.values():
                    reception.serve(box)

    def _read(self) -> list[TournamentState]:
        return [service.state for service in self._services]

    async def follow(self, reception: Reception, box: BoxOnAir) -> None:
        """Give a box what it shall have, and take in what it says. Raises UserError."""
        found = [(state, wanted(state, box.name, box.here.table)) for state in self._states]
        said = (box.state.assignment, box.state.match, box.air.boot)
        calls = [match and (match.id, match.called_at, match.box) for _, match in found]
        mark = (calls, str(said))
        memory = box.follow_state
        if memory.get("mark") != mark or time.monotonic() - memory["at"] > BEAT_S:
            memory["mark"], memory["at"] = mark, time.monotonic()  # also if it is refused
            try:
                await reception.loop.run_in_executor(self._threads, self._look, reception, box)
            except UserError as error:
                if passes(error):
                    del memory[
                        "mark"
                    ]  # not a refusal: retry on the next turn, before `BEAT_S` is over
                raise
        state = next((state for state, match in found if match), self._states[0])
        await self._tell(reception, box, *notice(state, box.name, box.here.table, self._lang))

    def _look(self, reception: Reception, box: BoxOnAir) -> None:
        """In a thread: one round, as with a box at a cable."""
        memory = box.follow_state
        if memory.get("boot") != box.air.boot:
            link = BlockingAirLink(box.air, reception.loop)
            memory["connection"] = BoxConnection(self._tables, "air", link, self._lang, True)
            memory["boot"] = box.air.boot
        memory["connection"].look()

    async def _tell(self, reception: Reception, box: BoxOnAir, number: int, text: str) -> None:
        """The desk's last word to this box; again if a box that was switched off has lost it."""
        said = box.state.notice[0] if box.state.notice else 0
        known = box.follow_state.get("told")
        if number <= said or known == (number, box.air.boot):
            return
        link = BlockingAirLink(box.air, reception.loop)
        await reception.loop.run_in_executor(
            self._threads, partial(say, link, box.name, text, number)
        )
        box.follow_state["told"] = (number, box.air.boot)
