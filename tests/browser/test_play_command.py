"""`schiri play` as a newcomer calls it: the printed link, a finished match, an orderly end."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, expect

from tests.processes import LIMIT_S, started

from .play_desk import LIT, MATCH_MS, open_drawer

RUN = "from host_tools.cli import main; main()"


@contextmanager
def schiri_play(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running command and the first line it prints: the link. A test that fails shows what the
    command complained about.
    """
    command = [sys.executable, "-c", RUN, "play", "--no-open", "--lang", "en", *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with started(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        try:
            yield run, run.stdout.readline().strip()
        except BaseException:
            run.kill()
            print(run.stderr.read())
            raise


def test_from_the_command_to_a_finished_match(chromium: Page) -> None:
    with schiri_play("--engine", "cpython", "--port", "0", "--tables", "2") as (run, link):
        assert link.startswith("http://127.0.0.1:")
        chromium.goto(link)
        expect(chromium.locator("#oled")).to_have_attribute("data-rows", LIT, timeout=MATCH_MS)
        open_drawer(chromium, "Settings")
        chromium.get_by_role("button", name="Rush").click()
        chromium.get_by_label("Trumpf – Gastro").check()
        chromium.get_by_label("Seats", exact=True).select_option("3")
        chromium.get_by_label("I play").select_option("nobody")
        chromium.get_by_role("button", name="Play", exact=True).click()
        done = chromium.locator("#prompt")
        expect(done).to_have_text("The result is final.", timeout=MATCH_MS)
        run.send_signal(signal.SIGINT)
        assert run.wait(LIMIT_S) == 0
        assert run.stderr is not None
        assert run.stderr.read() == ""


def test_a_taken_port_is_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with schiri_play("--engine", "cpython", "--port", port) as (run, line):
            assert line == ""
            assert run.wait(LIMIT_S) == 3
            assert run.stderr is not None
            assert run.stderr.read() == (
                f"schiri: port {port} is taken: give another one with --port\n"
            )
