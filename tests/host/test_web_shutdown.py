"""Ctrl-C while pages listen: their streams end like any answer, without a complaint."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.web.desk.accounts import Accounts
from tests.processes import LIMIT_S, started, wait
from tests.support.hall_day import open_day

# uvicorn looks for the end less often than the library that streams events: the library would win
RUN = """
import asyncio
from host_tools.cli import main
from host_tools.web import serving
from host_tools.web.serving import Server
serving.GOODBYE_S = 1000  # streams end because they are told to, not because their time is over
tick = Server.on_tick
async def seldom(self, counter):
    await asyncio.sleep(0.8)
    return await tick(self, counter)
Server.on_tick = seldom
main()
"""
LINK = re.compile(r"http://127\.0\.0\.1:(\d+)(/\S*)?")
LAST_CHUNK = b"0\r\n\r\n"


Options = Callable[[Path], list[str]]


def desk(folder: Path) -> list[str]:
    """The public board."""
    Accounts(folder / "users.json").add("jury", "jury", "eine lange Losung")
    open_day(str(folder / "day.db"), players=8, ko_size=4).close()
    return ["desk", "--port", "0", "--db", f"{folder}/day.db", "--users", f"{folder}/users.json"]


def play(_folder: Path) -> list[str]:
    """The virtual table."""
    return ["play", "--port", "0", "--no-open", "--engine", "cpython"]


def _is_pending(process: int) -> bool:
    """Has a signal not reached it yet? Two at once would be one."""
    status = Path(f"/proc/{process}/status").read_text("ascii")
    return "ShdPnd:\t0000000000000000" not in status


@pytest.mark.parametrize(("options", "path"), [(desk, "/live?page=/"), (play, "/t/1/events{key}")])
def test_streams_are_whole_after_ctrl_c(options: Options, path: str, tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-c", RUN, *options(tmp_path)]
    with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        found = LINK.search(server.stdout.readline())
        assert found
        key = (found[2] or "").rpartition("?")[2]
        with socket.create_connection(("127.0.0.1", int(found[1])), timeout=LIMIT_S) as page:
            asked = path.format(key=f"?{key}")
            page.sendall(f"GET {asked} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            heard = page.recv(4096)
            assert b"200" in heard
            for _ in range(2):  # `timeout` tells the process and its group, people press twice
                server.send_signal(signal.SIGINT)
                wait(lambda: not _is_pending(server.pid))
            while part := page.recv(4096):
                heard = heard[-100:] + part
        assert heard.endswith(LAST_CHUNK)
        assert server.wait(LIMIT_S) == 0
        assert server.stderr.read() == ""
