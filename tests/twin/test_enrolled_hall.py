"""An enrolled box in a live hall, from the cable to the desk: enrolled, paired, given its match on
the air by the desk's signature, played, and proven by the box's own key. Who has copied its
password, or has another key, is refused, and the page *Hall* says so.
"""

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from card_tags import codec
from card_tags.deck_card import deck_number
from card_tags.kinds import CARD, Card
from hardware.twin.radio import AccessPoint
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.link import BoxLink
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cards.public_keys import SigningKey
from host_tools.cli import schiri
from host_tools.commands import box as box_commands
from host_tools.commands import enrolling
from host_tools.core import places
from host_tools.hall import passwords, protocol
from host_tools.hall.connection import MqttClient
from host_tools.sim.demo.usb import TwinPort
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import LEAGUE_KEY, write
from host_tools.store.journal.reading import read_journal
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.web.desk.app import make_app
from host_tools.web.serving import LOOPBACK
from tests.app.sample_decks import PEAKS, card_values
from tests.host.desk_web import Clock, Web, users
from tests.processes import free_port, started, wait

BOX = "e6614c311b000000"  # the id of the twin with seed 0
LEAGUE, AIR = protocol.league_id(LEAGUE_KEY), protocol.air_key(LEAGUE_KEY)
# the higher peak takes both, and its owner goes on: 8 to 0
TRICKS = (("A1", "A4"), ("A2", "B1"), ("A3", "B2"), ("B3", "B4"))


class EveningInHall:
    """The box, and the laptop at its cable and at the desk."""

    def __init__(self, box: TwinSession, storage: Path, service: TournamentService) -> None:
        self.box, self.storage, self.service = box, storage, service
        self._laid = 0

    def until(self, done: Callable[[], bool]) -> None:
        """On the air the box is no faster than the wall."""
        wait(lambda: self.box.run_for(100) or done())  # type: ignore[func-returns-value]

    def ok(self) -> None:
        self.box.press("ok")
        self.box.run_for(500)

    def lay(self, code: str) -> None:
        self._laid += 1
        tag = NtagTwin.ntag213(uid=bytes((4, 1, 2, 3, 4, 5, self._laid)))
        card = Card(deck_number("gipfel"), code, False, card_values("gipfel", code))
        write(tag, codec.encode(codec.unsealed(CARD, card)))
        self.box.field.place(tag)
        self.box.run_for(700)
        self.box.field.remove(tag)
        self.box.run_for(700)

    def play(self) -> None:
        radio = self.box.box.air()
        radio.sleep, pace = lambda _seconds: None, radio.sleep  # nobody is asked anything
        for first, second in TRICKS:
            self.lay(first)
            self.ok()
            self.lay(second)
        for _ in range(2):  # who has won, and the ranking
            self.box.run_for(1_500)
            self.ok()
        radio.sleep = pace
        radio._rebase()  # else it waits until the wall has come so far

    def given(self) -> str:
        """What has become of the match that the box was given."""
        return str(BoxLink(TwinPort(self.box), first_id=1).request("assign")["state"])

    def files(self, state: str) -> list[Path]:
        return sorted(self.storage.glob(f"m*.{state}"))


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EveningInHall]:
    """A box at the cable, with a key of its own; a match is called to its table."""
    storage = tmp_path / "flash"
    set_up(storage, "en", "Red", {"gipfel": PEAKS})
    own = places.files_of("deck")
    own.mkdir(parents=True)
    (own / "gipfel.json").write_text(json.dumps({**PEAKS, "preset": "swiss"}))
    save_keys(KeyRing([LeagueKey("cup", LEAGUE_KEY)]), places.keys())
    setup = ev.Created(name="Cup", ko_size=2, tables=1, decks=["gipfel"])
    service = TournamentService.create(None, "desk", setup)
    pair = [Entrant(id="p1", name="Anna"), Entrant(id="p2", name="Ben")]
    service.do("desk", "", command(entrants.add_players, pair))
    service.do("desk", "", command(entrants.draw, 2, 1, True))
    service.do("desk", "", command(matches.call, "A-1"))
    air = AccessPoint("Boxes", "twelve tables", (LOOPBACK, free_port()))
    with TwinSession("cpython", storage, point=air, survive_resets=True) as box:
        cable: Any = lambda _port: BoxLink(TwinPort(box), first_id=1)  # noqa: E731
        monkeypatch.setattr(enrolling, "open_link", cable)
        monkeypatch.setattr(box_commands, "open_link", cable)
        box.boot()
        box.run_for(3_000)
        yield EveningInHall(box, storage, service)
    service.close()


def run(*words: str) -> str:
    done = CliRunner().invoke(schiri, [*words, "--port", "cable"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


async def says(port: int, user: str, password: str, payload: bytes) -> str:
    """Log in as somebody and publish under the box's topic: "" if the broker lets that pass."""
    login = {"username": user, "password": password, "identifier": f"schiri-{user}"}
    try:
        async with MqttClient(LOOPBACK, port, timeout=10, **login) as client:
            await client.publish(protocol.topic_of(LEAGUE, BOX, "state"), payload, 1)
    except aiomqtt.MqttError as error:
        return str(error)
    return ""


def state(key: bytes) -> bytes:
    """That the jury is wanted."""
    said = {"boot": "aa", "beat": 1, "match": 0, "lines": 0, "jury": True}
    return protocol.sign_object(key, protocol.topic_of(LEAGUE, BOX, "state"), said)


def refusals(page: str) -> Counter[str]:
    """What the page *Hall* says of who was refused: "sender reason" -> how often."""
    row = re.compile(
        r'<td class="text">(\S+)</td>\s*<td class="text">.*?<small>(\w+)</small></td><td>(\d+)'
    )
    return Counter({f"{sender} {why}": int(count) for sender, why, count in row.findall(page)})


def test_an_enrolled_box_plays_on_the_air_and_its_own_key_proves_its_result(
    evening: EveningInHall, tmp_path: Path
) -> None:
    box, service = evening.box, evening.service
    port = box.box.air().point.broker[1]
    key = json.loads(run("box", "enrol", "--yes", "--by", "Ada", "--json"))
    assert (key["box"], key["by"], key["new"]) == (BOX, "Ada", True)
    evening.ok()  # somebody has compared the fingerprints
    run("box", "set", "--table", "1")
    hall = ("--wifi", "Boxes", "--password", "twelve tables", "--broker", LOOPBACK)
    run("box", "hall", *hall, "--broker-port", str(port))
    login = passwords.load_logins()[BOX]
    assert login.password != protocol.password(AIR, BOX)  # nothing that the league's key makes

    words = ["hall", "--port", str(port), "--desk-port", "0", "--health", "0"]
    accounts, clock = users(tmp_path), Clock()
    with (
        started([sys.executable, "-m", "schiri", *words]),
        TestClient(make_app(service, accounts)) as running,
    ):
        desk = Web(running.app, running, accounts, clock).visitor("desk")  # type: ignore[arg-type]

        def page(name: str) -> str:
            return desk.get(f"/desk/{name}?lang=en").text

        evening.until(lambda: f'id="box-{BOX}"' in page("hall"))
        evening.until(lambda: evening.given() == "shown")  # the desk has signed the order
        for _ in range(4):  # both are here; they start; the one who is named first begins
            evening.ok()
        assert evening.given() == "running"
        evening.play()
        evening.until(lambda: bool(evening.files("ok")))  # signed, fetched, confirmed
        evening.until(lambda: bool(service.state.matches["A-1"].reports))
        (said,) = service.state.matches["A-1"].reports
        assert (said.cards, said.box, said.trust) == ((8, 0), BOX, "verified")
        journal = read_journal(evening.files("ok")[0].read_bytes())
        assert journal.seal is not None
        assert journal.seal.id == key["id"]

        # who has opened another box has the league's key; and somebody has seen this password
        stolen, public = login.password, bytes.fromhex(key["public"])
        assert asyncio.run(says(port, "b2", stolen, state(AIR))) != ""
        for wrong in (AIR, protocol.pair_key(SigningKey(bytes(31) + b"\x07"), public)):
            assert asyncio.run(says(port, BOX, stolen, state(wrong))) == ""
        evening.until(lambda: refusals(page("hall")).get(f"{BOX} bad_mac") == 2)
        shown = page("hall")
        assert refusals(shown)["b2 wrong_password"] == 1
        for sentence in ("another box&#39;s password", "another key than this box has"):
            assert sentence in shown
        assert "calls the jury" not in shown
        assert len(service.state.matches["A-1"].reports) == 1
