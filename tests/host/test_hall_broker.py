"""A real Mosquitto with the files of `schiri hall setup`: TLS, and who may do what."""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from click.testing import CliRunner

from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.hall import connection, protocol
from host_tools.hall.connection import BrokerAddress, broker_error
from host_tools.hall.mosquitto import CONF, write_setup
from host_tools.web.serving import LOOPBACK
from tests.processes import free_ports, is_free, started, wait

KEY = bytes(range(32))
LEAGUE = protocol.league_id(KEY)
AIR = protocol.air_key(KEY)
ROOT = Path(__file__).parents[2]
WAIT_S = 120


def run(work: Coroutine[Any, Any, None]) -> None:
    """In a thread: in this one the browser's own event loop may be running."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, work).result()


def certificates(openssl: str, folder: Path) -> None:
    """`cert.pem` by the command of docs/hall.md for this machine, a stranger's by the same; one
    with the same key that is over.
    """
    told = (ROOT / "docs" / "hall.md").read_text(encoding="utf8")
    words = re.search(r"^openssl req .*?[^\\]\n", told, re.M | re.S)
    assert words
    made = words[0].replace("192.168.1.10", LOOPBACK).replace("openssl", openssl, 1)
    subprocess.run(made, shell=True, cwd=folder, check=True, capture_output=True)
    shutil.move(folder / "cert.pem", folder / "stranger.pem")
    subprocess.run(made, shell=True, cwd=folder, check=True, capture_output=True)
    past = f"{openssl} x509 -in cert.pem -signkey key.pem -days -1 -out past.pem"
    subprocess.run(past, shell=True, cwd=folder, check=True, capture_output=True)


def test_tls_and_the_rights_of_a_box_and_of_who_watches(
    tmp_path: Path, needs: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = needs("mosquitto")
    certificates(needs("openssl"), tmp_path)
    plain, tls, past = free_ports(3)
    pair = (tmp_path / "cert.pem", tmp_path / "key.pem")
    write_setup(tmp_path, {LEAGUE: KEY}, ["b0", "b1"], LOOPBACK, pair, plain, tls)
    also = f"listener {past} {LOOPBACK}\ncertfile {tmp_path}/past.pem\nkeyfile {pair[1]}\n"
    with (tmp_path / CONF).open("a", encoding="utf8") as conf:
        conf.write(also)
    with started([program, "-c", str(tmp_path / CONF)], stderr=subprocess.DEVNULL):
        wait(lambda: not any(is_free(port) for port in (plain, tls, past)))
        run(by_tls(tls, past, plain, tmp_path, monkeypatch))
        run(rights(plain))


async def by_tls(
    tls: int, past: int, plain: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, strangers = folder / "cert.pem", folder / "stranger.pem"
    assert await refused(f"mqtts://{LOOPBACK}:{tls}", own) == ""
    assert await refused(f"mqtts://{LOOPBACK}:{tls}", strangers) == "broker_tls"
    assert await refused(f"mqtts://{LOOPBACK}:{tls}") == "broker_tls"
    assert await refused(f"mqtts://localhost:{tls}", own) == "broker_tls_name"
    assert await refused(f"mqtts://{LOOPBACK}:{past}", folder / "past.pem") == "broker_tls_expired"
    assert await refused(f"mqtts://{LOOPBACK}:{plain}", own) == "broker_no_tls"
    with pytest.raises(UserError, match="holds no certificate"):
        BrokerAddress.read(f"mqtts://{LOOPBACK}:{tls}", folder / "key.pem")
    monkeypatch.setattr(connection, "CONNECT_S", 0.5)  # nothing will come
    assert await refused(f"mqtt://{LOOPBACK}:{tls}") == "broker_silent"


async def refused(url: str, cafile: Path | None = None) -> str:
    """The key of the sentence that says why the hall cannot connect; "" if it can."""
    address = BrokerAddress.read(url, cafile)
    try:
        async with address.client(AIR):
            return ""
    except aiomqtt.MqttError as error:
        return broker_error(error, address).sentence.key


def client(port: int, user: str) -> aiomqtt.Client:
    return aiomqtt.Client(
        LOOPBACK,
        port,
        username=user,
        password=protocol.password(AIR, user),
        identifier=protocol.client_id(user),
        timeout=WAIT_S,
    )


def of(box: str, kind: str) -> str:
    return protocol.topic_of(LEAGUE, box, kind)


async def heard(client: aiomqtt.Client, last: str) -> list[str]:
    """The topics of what comes, up to this one."""
    topics: list[str] = []
    async with asyncio.timeout(WAIT_S):
        async for message in client.messages:
            topics.append(message.topic.value)
            if topics[-1] == last:
                break
    return topics


async def rights(port: int) -> None:
    """What is forbidden is thrown away by the broker; the last message behind it is not."""
    own = ["here", "state", "records/1/0", "answer"]
    async with (
        client(port, protocol.HALL_USER) as hall,
        client(port, protocol.WATCH_USER) as watch,
        client(port, "b0") as b0,
        client(port, "b1") as b1,
    ):
        for one in (hall, watch, b0, b1):
            await one.subscribe("schiri/#", qos=1)
        for kind in (*own, "ask"):
            await watch.publish(of("b1", kind), b"w", qos=1)
            await b0.publish(of("b1", kind), b"x", qos=1)
        await b0.publish(of("b0", "ask"), b"x", qos=1)
        await b0.publish("schiri/broker/refused", b"{}", qos=1)
        for kind in own:
            await b0.publish(of("b0", kind), b"b", qos=1)
        await hall.publish(of("b0", "ask"), b"h", qos=1)
        await hall.publish(of("b1", "ask"), b"h", qos=1)
        await b1.publish(of("b1", "here"), b"b", qos=1)
        last = of("b1", "here")
        assert await heard(hall, last) == [
            *(of("b0", kind) for kind in own),
            of("b0", "ask"),
            of("b1", "ask"),
            last,
        ]
        assert await heard(watch, last) == [of("b0", "here"), of("b0", "state"), last]
        assert await heard(b0, of("b0", "ask")) == [of("b0", "ask")]
        assert await heard(b1, of("b1", "ask")) == [of("b1", "ask")]


def test_a_mistyped_database_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the hall is set up for no boxes at all."""
    save_keys(KeyRing([LeagueKey("test", KEY)]), tmp_path / "keys.json")
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    db, folder = tmp_path / "mistpyed.db", tmp_path / "hall"
    words = ["hall", "setup", "--folder", str(folder), "--db", str(db)]
    refused = CliRunner().invoke(schiri, words).exception
    assert isinstance(refused, UserError)
    assert (refused.sentence.key, refused.exit_code) == ("db_missing", 3)
    assert [path.name for path in tmp_path.iterdir()] == ["keys.json"]


def test_the_commands_of_each_box_are_said_and_written(
    tmp_path: Path, needs: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    needs("mosquitto")
    save_keys(KeyRing([LeagueKey("test", KEY)]), tmp_path / "keys.json")
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    (tmp_path / "boxes.txt").write_text("b0 12\n\nb1  # spare\n", encoding="utf8")
    words = ["hall", "setup", "--folder", str(tmp_path), "--boxes", str(tmp_path / "boxes.txt")]
    words += ["--wifi", "Saal 1", "--broker", "192.168.1.10"]
    said = CliRunner().invoke(schiri, words).output
    hall = "schiri box hall --wifi 'Saal 1' --broker 192.168.1.10"
    assert f"b0: schiri box set --key --table 12; {hall}\n" in said
    assert f"b1: schiri box set --key --table N; {hall}\n" in said
    told = json.loads(CliRunner().invoke(schiri, [*words, "--json"]).output)
    written = (tmp_path / "commands.txt").read_text(encoding="utf8")
    assert told["commands"]["b0"] == ["schiri box set --key --table 12", hall]
    assert "\n# box b0\n" + "\n".join(told["commands"]["b0"]) in written
    assert told["tag"] in written
    (tmp_path / "boxes.txt").write_text("b0 twelve\n", encoding="utf8")
    assert "b0 twelve is no box" in str(CliRunner().invoke(schiri, words).exception)
    (tmp_path / "boxes.txt").write_bytes("Küche 12\n".encode("cp1252"))
    refused = CliRunner().invoke(schiri, words).exception
    assert f"{tmp_path}/boxes.txt: is not UTF-8 text; save it as UTF-8." == str(refused)
