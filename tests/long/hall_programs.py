"""The programs of a fault day: Mosquitto, one `schiri hall`, two `schiri desk`. Each is a process
that can be killed, hung and started again; and the pages of the desks as a browser has them.
"""

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil

from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cards.public_keys import make_desk_key
from host_tools.core.errors import Exit
from host_tools.hall import protocol
from host_tools.hall.mosquitto import write_setup
from host_tools.sim.table.tags import LEAGUE_KEY
from host_tools.web.desk.accounts import Accounts
from host_tools.web.serving import LOOPBACK
from tests.long.planted import planted_into
from tests.processes import begin, free_ports
from tests.support import programs

LEAGUE = protocol.league_id(LEAGUE_KEY)
AIR = protocol.air_key(LEAGUE_KEY)
MAD = "mad"
"""A box whose password somebody has who means ill."""
DESKS = (0, 1)
_USER, _PASSWORD = "anna", "schiri-in-der-halle"
_TOKEN = re.compile(r'name="csrf" value="([^"]+)"')
_NONE_KEPT = httpx.Limits(max_keepalive_connections=0)


class HallPrograms:
    """All of them in one folder, on one database. `fault`: a planted one, by its name."""

    def __init__(self, folder: Path, db: str, fault: str = "") -> None:
        self.folder, self.db, self._fault = folder, db, fault
        self.broker_port, *desks = free_ports(1 + len(DESKS))
        self._desks = [
            httpx.Client(
                base_url=f"http://{LOOPBACK}:{port}",
                limits=_NONE_KEPT,
                timeout=10,
                follow_redirects=True,
            )
            for port in desks
        ]
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self.dead: dict[str, int] = {}
        """Programs that have ended by themselves, with what code; below 0: by that signal."""

    def start(self, boxes: list[str]) -> None:
        """All of them, for boxes with these ids."""
        save_keys(KeyRing([LeagueKey("long", LEAGUE_KEY)]), self.folder / "keys.json")
        make_desk_key("long", path=self.folder / "desk-key.json")  # what it gives boxes is signed
        Accounts(self.folder / "users.json").add(_USER, "jury", _PASSWORD)
        league = {LEAGUE: LEAGUE_KEY}
        write_setup(self.folder, league, [*boxes, MAD], LOOPBACK, port=self.broker_port)
        self.begin("broker")
        programs.wait_for(self.broker_port)
        for name in ("hall", *(f"desk{desk}" for desk in DESKS)):
            self.begin(name)
        for desk in self._desks:
            programs.wait_for(desk.base_url.port or 0)

    def _words(self, name: str) -> list[str]:
        if name == "broker":
            return [programs.mosquitto() or "mosquitto", "-c", f"{self.folder}/mosquitto.conf"]
        if name == "hall":
            words = ["hall", "--db", self.db, "--broker", f"mqtt://{LOOPBACK}:{self.broker_port}"]
            return programs.schiri([*words, "--desk-port", "0", "--health", "0"])
        port = str(self._desks[int(name[-1])].base_url.port)
        users = f"{self.folder}/users.json"
        words = ["desk", "--db", self.db, "--port", port, "--no-boxes", "--users", users]
        return programs.schiri(words)

    def begin(self, name: str) -> None:
        """Start it; with the planted fault, if it is to have one."""
        planted = planted_into(name, self._fault, self.folder)
        keys, log = str(self.folder / "keys.json"), self.folder / f"{name}.log"
        self._running[name] = begin(self._words(name), log, SCHIRI_KEYS=keys, **planted)

    def is_running(self, name: str) -> bool:
        """False while it is away."""
        return name in self._running

    def kill(self, name: str) -> None:
        """SIGKILL, with what it keeps beside itself."""
        process = self._running.pop(name)
        for one in [*psutil.Process(process.pid).children(recursive=True), process]:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        process.wait()

    @contextmanager
    def hung_hall(self) -> Iterator[None]:
        """The process that receives stands still meanwhile: the hall itself, or the one that it
        keeps and may have ended before the block does.
        """
        process = psutil.Process(self._running["hall"].pid)
        receiver = next(iter(process.children()), process)
        receiver.suspend()
        try:
            yield
        finally:
            with suppress(psutil.NoSuchProcess):
                receiver.resume()

    def see_who_ended(self) -> None:
        """A program that is started while the database is away says so and ends (exit code 3);
        whoever looks after it starts it again. Any other end is a fault.
        """
        for name, process in list(self._running.items()):
            if process.poll() == Exit.SYSTEM:
                self.begin(name)
            elif process.poll() is not None:
                self.dead.setdefault(name, process.returncode)

    def stop(self) -> None:
        """All of them, in order."""
        for process in self._running.values():
            programs.end(process)
        for desk in self._desks:
            desk.close()

    def page(self, path: str, desk: int) -> str:
        """ "" from a desk that does not answer."""
        with suppress(httpx.HTTPError):
            return self._get(path, desk).text
        return ""

    def _get(self, path: str, desk: int) -> httpx.Response:
        """Raises httpx.HTTPError."""
        return self._desks[desk].get(path, params={"lang": "en"}).raise_for_status()

    def desk_page(self, path: str, desk: int) -> str:
        """A page behind the login."""
        with suppress(httpx.HTTPError):
            page = self._get(path, desk)
            if not page.url.path.endswith("/login"):
                return page.text
            token = _TOKEN.search(page.text)
            form = {"user": _USER, "password": _PASSWORD, "csrf": token[1] if token else ""}
            self._desks[desk].post("/desk/login", data=form)
            return self._get(path, desk).text
        return ""
