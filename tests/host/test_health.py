"""`/healthz` and `/metrics`: what a machine reads of a desk and of a hall."""

import asyncio
import json
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.core.supervisor import Supervisor, Task
from host_tools.hall.reception import Reception
from host_tools.store.heard import Refused
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app
from host_tools.web.health import TOKEN_VARIABLE, HealthCollector, Value
from host_tools.web.serving import LOOPBACK
from tests.host.desk_web import PASSWORD, log_in
from tests.processes import LIMIT_S, free_ports, started, wait
from tests.support.hall_day import open_day, play_groups

HERE, ELSEWHERE = (LOOPBACK, 50000), ("192.168.1.20", 50000)


def asked(client: tuple[str, int], path: str = "/metrics", **headers: str) -> int:
    health = HealthCollector(Supervisor(), list, lambda: [Value("boxes", "Boxes", 3)])
    with TestClient(Starlette(routes=health.routes()), client=client) as web:
        return web.get(path, headers=headers).status_code


def test_metrics_are_for_this_machine_and_for_whoever_has_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    assert asked(HERE) == 200
    assert asked(("::1", 50000)) == 200
    assert asked(ELSEWHERE) == 403
    assert asked(("testclient", 50000)) == 403
    assert asked(HERE, **{"X-Forwarded-For": "192.168.1.20"}) == 403  # through a proxy
    assert asked(HERE, Forwarded="for=192.168.1.20") == 403
    assert asked(ELSEWHERE, Authorization="Bearer ") == 403  # there is none
    assert asked(ELSEWHERE, "/healthz") == 200  # says nothing but whether all is well
    monkeypatch.setenv(TOKEN_VARIABLE, "saal")
    assert asked(ELSEWHERE, Authorization="Bearer saal") == 200
    assert asked(ELSEWHERE, Authorization="Bearer saal2") == 403
    assert asked(ELSEWHERE) == 403


def test_a_desk_tells_what_it_has_seen_of_what_is_stored(tmp_path: Path) -> None:
    service = open_day(str(tmp_path / "day.db"), players=8, tables=2, ko_size=4)
    play_groups(service, 3)
    app = make_app(service, Accounts(tmp_path / "users.json"))
    with TestClient(app, client=HERE) as web:
        assert web.get("/healthz").json() == {"ok": True, "troubles": []}
        said = web.get("/metrics").text
        follower = app.state.follower
        follower.stale_since = follower.seen_at
        answer = web.get("/healthz")
        assert (answer.status_code, answer.json()["troubles"]) == (503, ["stale"])
    last = service.last_seq()
    assert f"schiri_log_seen {last}.0\n" in said
    assert f"schiri_log_stored {last}.0\n" in said
    for task in ("follow", "age", "collect"):
        assert f'schiri_task_up{{task="{task}"}} 1.0\n' in said
        assert f'schiri_task_faults_total{{task="{task}"}} 0.0\n' in said
    assert "process_resident_memory_bytes" in said
    service.close()


def test_a_part_that_rests_is_told() -> None:
    async def work() -> None:
        raise ValueError("no such card")

    async def main() -> tuple[int, list[str]]:
        tasks = Supervisor()
        tasks.keep("follow", work)
        await asyncio.sleep(0.01)
        health = HealthCollector(tasks, list, list)
        answer = await health._health(None)  # type: ignore[arg-type]
        await tasks.close()
        return answer.status_code, json.loads(answer.body)["troubles"]

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(asyncio.run, main()).result() == (503, ["stopped: follow"])


def test_the_page_hall_names_what_has_stopped(tmp_path: Path) -> None:
    """Of this desk by its supervisor, of a hall by what it has written among the refusals."""
    db = str(tmp_path / "day.db")
    service = open_day(db, players=8, tables=2, ko_size=4)
    accounts = Accounts(tmp_path / "users.json")
    accounts.add("desk", "desk", PASSWORD)
    tasks = Supervisor(end=lambda: pytest.fail("the desk would have ended"))
    tasks.tasks["collect"] = Task(
        "collect", restarts=3, fault="KeyError (x.py:1): 'b0'", at=datetime.now(UTC)
    )

    async def work() -> None:
        raise ValueError("no such card")

    async def hall() -> None:
        reception = Reception(service.store, {})
        reception.tasks.once("box b0", work)
        await asyncio.sleep(0.01)
        assert reception.tasks.tasks["box b0"].running  # at its next word
        await reception.close()

    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, hall()).result()
    with TestClient(make_app(service, accounts, supervisor=tasks)) as web:
        assert log_in(web, "desk").status_code in (200, 303)
        page = web.get("/desk/hall?lang=en").text
        assert web.get("/healthz").status_code == 200  # it runs again
        german = web.get("/desk/hall?lang=de").text
    assert "KeyError (x.py:1): &#39;b0&#39;" in page
    assert "<td>3</td>" in page
    assert "hall: box b0" in page
    assert "a part of the hall has stopped by a fault" in page
    assert "no such card" in page
    assert "lief neu an" in german
    service.close()


def read(port: int, path: str) -> tuple[int, str]:
    """Status and text; 0 while nobody listens."""
    try:
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}{path}", timeout=LIMIT_S) as page:
            return page.status, page.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


@pytest.mark.parametrize("path", ["/desk/hall", "/metrics"])
def test_who_asks_a_database_that_hangs_holds_up_no_board(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pages are made one after the other: none may wait for somebody's question."""
    service = open_day(str(tmp_path / "day.db"), players=8, tables=2, ko_size=4)
    accounts = Accounts(tmp_path / "users.json")
    accounts.add("desk", "desk", PASSWORD)
    asked, goes_on = threading.Event(), threading.Event()

    def hang() -> list[Refused]:
        asked.set()
        goes_on.wait()
        return []

    with (
        TestClient(make_app(service, accounts), client=HERE) as web,
        ThreadPoolExecutor(2) as all_,
    ):
        log_in(web, "desk")
        monkeypatch.setattr(service.store.live, "refusals", hang)
        try:
            official = all_.submit(web.get, path)
            asked.wait()
            assert all_.submit(web.get, "/").result(timeout=10).status_code == 200
        finally:
            goes_on.set()
        assert official.result().status_code == 200
    service.close()


def test_a_hall_says_that_it_receives_and_where_it_stands(tmp_path: Path) -> None:
    save_keys(KeyRing([LeagueKey("test", bytes(range(32)))]), tmp_path / "keys.json")
    broker, health = free_ports(2)
    words = ["hall", "--db", str(tmp_path / "hall.db"), "--port", str(broker)]
    words += ["--desk-port", "0", "--health", f"{LOOPBACK}:{health}"]
    environment = {"SCHIRI_KEYS": str(tmp_path / "keys.json"), "PATH": "/usr/bin"}
    hall = [sys.executable, "-m", "schiri", *words]
    with started(hall, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE):
        wait(lambda: read(health, "/healthz") == (200, '{"ok":true,"troubles":[]}'))
        wait(lambda: "schiri_receiving 1.0\n" in read(health, "/metrics")[1])
        said = read(health, "/metrics")[1]
        for name in ("heard_seconds", "stored_seconds", "messages_waiting", "rows_waiting"):
            assert f"\nschiri_{name} " in said
        for task in ("receive", "write", "report", "health"):
            assert f'schiri_task_up{{task="{task}"}} 1.0\n' in said
        assert '{state="silent"} 0.0\n' in said
        second = [sys.executable, "-m", "schiri", *words[:-2], "--health", "nowhere"]
        done = subprocess.run(second, env=environment, capture_output=True, text=True)
        assert (done.returncode, "127.0.0.1:8011" in done.stderr) == (2, True)
