"""deploy/: the commands and files of the compose files, as processes on this machine. Nothing here
runs containers.
"""

import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from hardware.twin.node import ROOT
from host_tools.cli import schiri as command_line
from host_tools.hall import mosquitto
from host_tools.web.serving import LOOPBACK
from tests.processes import free_port, started, wait
from tests.support import programs
from tests.support.hall_day import open_day, open_matches, play

DEPLOY = ROOT / "deploy"
COMPOSE = sorted(DEPLOY.glob("*/compose.yml"))
_DEFAULT = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


def services(path: Path, **environment: str) -> dict[str, Any]:
    """What compose makes of the file: ${NAME:-default} filled in, $$ is $."""
    text = path.read_text(encoding="utf8")
    filled = _DEFAULT.sub(lambda m: environment.get(m[1], m[2] or ""), text).replace("$$", "$")
    found: dict[str, Any] = yaml.safe_load(filled)["services"]
    return found


def schiri_words(service: dict[str, Any]) -> Iterator[list[str]]:
    """The commands of Schiri that a service runs."""
    for line in service.get("command", []):
        for part in re.split(r";|\|\|", line):
            words = shlex.split(part.replace("exec ", ""))
            if words[:1] == ["schiri"]:
                yield words[1:]


@pytest.mark.parametrize("path", COMPOSE, ids=lambda path: path.parent.name)
def test_every_command_and_every_file_is_there(path: Path) -> None:
    known = services(path, SCHIRI_HALLS="--hall north --hall south")
    commands = [words for service in known.values() for words in schiri_words(service)]
    assert commands
    for words in commands:
        group: Any = command_line
        context = group.make_context("schiri", list(words), resilient_parsing=True)
        while rest := [*context.protected_args, *context.args]:
            name, group, args = group.resolve_command(context, rest)
            context = group.make_context(name, args, parent=context, resilient_parsing=True)
            if not hasattr(group, "resolve_command"):
                break
    for service in known.values():
        mounts = [volume.split(":")[0] for volume in service.get("volumes", [])]
        files = [mount for mount in mounts if mount.startswith("./") and "." in mount[2:]]
        assert [file for file in files if not (path.parent / file).is_file()] == []
        assert set(service.get("depends_on", ())) <= set(known)


def test_the_hall_and_the_league_are_set_up_by_their_own_words(
    tmp_path: Path, needs: Callable[[str], str]
) -> None:
    """Both `setup` services, with /data in a folder of the test: Mosquitto takes what they write,
    and the bridge of the hall may log in at the league.
    """
    needs("mosquitto")
    ports = {name: free_port() for name in ("league", "hall")}
    at = {"SCHIRI_HALLS": "--hall north", "SCHIRI_HALL": "north"}
    at["SCHIRI_LEAGUE"] = f"mqtt://{LOOPBACK}:{ports['league']}"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin"
    for name in ports:
        data = tmp_path / name
        data.mkdir()
        (data / "boxes.txt").write_text("b0 1\n")
        line = services(DEPLOY / name / "compose.yml", **at)["setup"]["command"][0]
        environment = {"PATH": path, "SCHIRI_KEYS": str(tmp_path / "keys.json")}
        words = ["sh", "-ec", line.replace("/data", str(data))]
        subprocess.run(words, check=True, env={**os.environ, **environment}, cwd=data)
        conf = data / "hall" / mosquitto.CONF
        conf.write_text(conf.read_text().replace("listener 1883", f"listener {ports[name]}", 1))
    assert "connection league" in conf.read_text()
    said = tmp_path / "said"
    with ExitStack() as stack, said.open("wb") as out:
        for name in ports:
            run = [needs("mosquitto"), "-c", str(tmp_path / name / "hall" / mosquitto.CONF)]
            stack.enter_context(started(run, stdout=out, stderr=out))
        wait(lambda: "connected from" in said.read_text() and "bridge-north" in said.read_text())
        assert "not authorised" not in said.read_text()


def test_the_site_shows_what_the_replica_has(tmp_path: Path, needs: Callable[[str], str]) -> None:
    """Results of the primary, by replica.sh, a desk that cannot write, and nginx; and the pages
    are there while the replica is away.
    """
    needs("nginx")
    with ExitStack() as stack:
        server = stack.enter_context(programs.postgres_server())
        service = open_day(server.uri, 8, tables=2, ko_size=4)
        stack.callback(service.close)
        replica = stack.enter_context(programs.postgres_replica(server))
        port = free_port()
        users = str(tmp_path / "users.json")
        line = services(DEPLOY / "site" / "compose.yml")["desk"]["command"][0]
        words = shlex.split(line.replace("$DB", replica).replace("0.0.0.0", LOOPBACK))[2:]
        words[words.index("/data/users.json")] = users
        desk = programs.schiri([*words, "--port", str(port)])
        stack.enter_context(programs.program(desk, tmp_path / "log"))
        programs.wait_for(port)
        tmp_path.chmod(0o755)
        _, site = stack.enter_context(programs.site_before(port, tmp_path))
        client = httpx.Client(base_url=f"http://{LOOPBACK}:{site}", trust_env=False)
        stack.enter_context(client)
        assert 'value="0"' in client.get("/").text
        play(service, open_matches(service.state)[0], random.Random(1))
        wait(lambda: 'value="1"' in client.get("/").text)
        event = f"/t/{service.id}"
        assert client.get(f"{event}/").status_code == client.get("/t").status_code == 200
        for behind in (
            "/desk",
            "/guide/desk",
            f"{event}/desk/login",
            f"{event}/signup",
            "/metrics",
        ):
            assert client.get(behind).status_code == 404, behind
        assert client.get(f"{event}/live").status_code == client.get("/live").status_code == 503
