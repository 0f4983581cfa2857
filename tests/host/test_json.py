"""`--json` of every command: one document, of the shape that docs/json.schema.json promises."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from firmware.app.flash import Flash
from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tags import NtagTwin
from host_tools.cards.keys import KeyRing, save_keys
from host_tools.cli import main, schiri
from host_tools.commands.tournament.common import LogEntries
from host_tools.core.command_line import taken_by
from host_tools.core.errors import ErrorReport, Exit
from host_tools.store import open_store
from tests.host.test_help import ALL
from tests.host.test_slip_desk import BOX, KEY, SLIP, UID, written
from tests.processes import started
from tests.support.hall_day import open_day
from tests.support.memory_box import MemoryBox, play
from tools.schemas import DOCS, LINES, SCHEMAS, fits, shapes

ELSEWHERE = {
    "schiri box bringup": "tests/host/test_bringup.py: presses are asked for",
    "schiri box certify": "tests/host/test_bringup.py: measures for long",
    "schiri box enrol": "tests/host/test_enrolling.py: a box with a key",
    "schiri box revoke": "the same",
    "schiri firmware": "tests/test_release.py: on an image",
}
PLAYERS = "id,name,club\np901,Anna Graf,Bern\np902,Beat Ott,Thun\np903,Eva Roth,Chur\n"
# one after the other: some need what those before have done
CALLS = """
boards show
boards show cafe
boards check cafe
decks show
decks show kneipe
decks check kneipe
decks import cars.csv -o cars
decks balance berge --matches 2 --seats 2
cards deck kneipe -o deck.pdf
cards guests -o guests.pdf
cards hattrick -o hattrick.pdf
cards jury 'Frau Graf' -o jury.pdf
cards tables -o tables.pdf
cards badges players.csv -o badges.pdf
games
games hattrick --short --only words
firmware -o build
box report --measured supply.3V3=3.31
keys show
keys desk
firmware --sign build/box.romfs
box list --enrolled
doctor play
doctor
desk user list
tag read --reader pn532 --port {reader}
slip --file slip.bin --uid {uid} --book slips.jsonl
slip --booked --book slips.jsonl
box list
box status --port {port}
box set --port {port} --name 'Table 1'
box hall --port {port}
box assign --port {port}
box status --selftest --port {port}
box sounds --only tie
sync --port {port}
results
results 1
results 1 --slip
verify m000001.end
provision report schiri-tags.jsonl
hall setup --folder hall --boxes boxes.txt
hall check
tournament new Cup --id cup --ko-size 2 --deck berge
tournament list
tournament add 'Cara Frei' --club Bern -t cup
tournament import players.csv -t cup
tournament edit p901 --club Zug -t cup
tournament mode -t cup
tournament mode --ko-size 4 -t cup
tournament plan --begins 2026-12-01T09:00 -t cup
tournament mode --names short -t cup
tournament announce -t cup
tournament announce Welcome -t cup
tournament announce -t cup
tournament players -t cup
tournament jury postpone A-6 -t {day}
tournament boxes --port {port} -t {day}
tournament plan -t {day}
tournament matches -t {day}
tournament call --slot 1 -t {day}
tournament start --all -t {day}
tournament give A-1 --none -t {day}
tournament start A-1 -t {day}
tournament enter A-1 20:12 -t {day}
tournament take-back A-1 -t {day}
tournament enter A-1 20:12 -t {day}
tournament enter B-1 20:12 -t {day}
tournament undo B-1 -t {day}
tournament check B-1 --cards 20:12 -t {day}
tournament correct A-1 12:20 -t {day}
tournament correct A-1 12:20 --yes --why typo -t {day}
tournament deck-back -t {day}
tournament deck-back A-1 -t {day}
tournament forfeit A-2 --both --force -t {day}
tournament correct A-1 --void --why wrong -t {day}
tournament enter A-1 20:12 -t {day}
tournament lock A-1 -t {day}
tournament jury observe slow -t {day}
tournament jury protest p000 'wrong cards' --match A-1 --deposit - -t {day}
tournament jury list -t {day}
tournament jury penalize p000 'looked' --match A-1 --penalty warning -t {day}
tournament jury penalize {penalized} --lift -t {day}
tournament jury decide {protest_filed} stands --rejected -t {day}
tournament withdraw p007 -t {day}
tournament withdraw p006 --exclude --why late -t {day}
tournament withdraw p006 --undo -t {day}
tournament merge p001 p901 -t cup
tournament remove p902 -t cup
tournament checkin --all -t cup
tournament draw -t cup
tournament plan --again -t cup
tournament add 'Dora Wyss' -t cup
tournament new Swiss --id swiss --mode swiss --rounds 1
tournament import players.csv -t swiss
tournament checkin --all -t swiss
tournament draw -t swiss
tournament pause p901 -t swiss
tournament pause p901 --back -t swiss
tournament pair -t swiss
tournament pair --undo -t swiss
tournament collect --slips slips.jsonl -t {day}
tournament unplaced -t {day}
tournament unplaced 55 --dismiss --why trial -t {day}
tournament unplaced 55 A-3 --first p000 -t {day}
tournament standings -t {day}
tournament ko -t {day}
tournament lot -t {day}
tournament log -t {day}
tournament verify -t {day}
tournament ratings
tournament export -t {day}
tournament publish www -t {day}
tournament export --format proof -o day.ndjson -t {day}
tournament restore day.ndjson --id again
tournament simulate --players 8 --db sim.db
tournament forget --yes --db sim.db
tournament delete cup --yes --force
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with everything that the calls name, and databases and keys of its own."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "day.db"))
    monkeypatch.chdir(tmp_path)
    save_keys(KeyRing([KEY]), tmp_path / "keys.json")
    (tmp_path / "slip.bin").write_bytes(written())
    with closing(open_store()) as store:  # of the slip
        store.enrolled.enrol(SLIP.box_id, BOX.public, "Ada")
    (tmp_path / "cars.csv").write_text("Code,Name,PS\nA1,Käfer,30\nA2,Ente,9\n", "utf8")
    (tmp_path / "players.csv").write_text(PLAYERS, "utf8")
    (tmp_path / "boxes.txt").write_text("b0 12\n", "utf8")
    entry = {"set_key": "guests", "code": "FRf1", "name": "", "uid": "04", "state": "written"}
    (tmp_path / "schiri-tags.jsonl").write_text(json.dumps(entry) + "\n")
    play(MemoryBox(Flash(str(tmp_path))).journal)
    return tmp_path


@pytest.fixture
def hall_port(tmp_path: Path) -> Iterator[str]:
    """A box with a radio and a network in reach; no broker there."""
    words = ["twin", "box", "--engine", "cpython", "--flash", str(tmp_path / "flash")]
    words += ["--wifi", "Boxes:twelve tables@127.0.0.1:9"]
    command = [str(Path(sys.executable).parent / "schiri"), *words]
    with started(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


def command_in(words: list[str]) -> str:
    """The command that a call is of."""
    names = [" ".join(["schiri", *words[:count]]) for count in (3, 2, 1)]
    return next(name for name in names if name in shapes())


def test_every_command_prints_one_document_of_its_shape(
    place: Path, port: str, needs: Any
) -> None:
    needs("mosquitto")
    with closing(open_day("day.db", players=8, ko_size=4)) as service:
        day = service.id
    tag = NtagTwin.ntag215(UID)
    tag.load_user(written())
    called, wrong = set(), {}
    names: dict[str, object] = {"port": port, "uid": UID.hex(), "day": day}
    with ReaderPty() as reader:
        with reader.lock:
            reader.field.place(tag)
        names["reader"] = reader.path
        for line in CALLS.split("\n")[1:-1]:
            words = shlex.split(line.format_map(names))
            done = CliRunner().invoke(schiri, [*words, "--json"])
            called.add(command := command_in(words))
            try:
                data = json.loads(done.stdout)
            except ValueError:
                data = None
            if not fits(command, data):
                wrong[line] = (done.stdout[:2000], done.stderr[:500], done.exception)
            elif LogEntries in shapes()[command] and "body" in str(data):
                names |= {event["body"]["is"]: event["seq"] for event in data}
    assert wrong == {}
    assert called | set(ELSEWHERE) == with_json()


def test_a_change_of_the_hall_prints_the_shape_of_what_is_shown(
    place: Path, hall_port: str
) -> None:
    """Its answer says nothing of the radio; a board without one had refused."""
    joins = ["--wifi", "Boxes", "--password", "twelve tables", "--broker", "192.168.1.10"]
    known = {"wifi": "Boxes", "wifi_password": True, "broker": "192.168.1.10", "port": 1883}
    left = {"wifi": "", "wifi_password": False, "broker": "", "port": 1883}
    for words, told in (
        (joins, {**known, "mqtt_password": True, "radio": True, "air": None}),
        (["--leave"], {**left, "mqtt_password": False, "radio": True, "air": None}),
    ):
        call = ["box", "hall", "--port", hall_port, *words, "--json"]
        data = json.loads(CliRunner().invoke(schiri, call, catch_exceptions=False).stdout)
        assert data == told
        assert fits("schiri box hall", data)


def with_json() -> set[str]:
    """The commands that have `--json`, but for those whose lines another page fixes."""
    found = {
        path.removesuffix(" ARGS")
        for path, context in ALL.items()
        if "as_json" in taken_by(context.command)
    }
    return {path.partition(" [")[0] for path in found} - set(LINES)


def test_every_command_with_json_has_a_shape() -> None:
    assert with_json() == set(shapes())
    assert [command for command, found in shapes().items() if not found] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_those_of_the_types(name: str) -> None:
    assert (DOCS / name).read_bytes() == SCHEMAS[name](), "make schemas"


@pytest.mark.parametrize(
    ("command", "data"),
    [
        ("schiri tournament list", [1]),
        ("schiri tournament list", {}),
        ("schiri box status", {"flash": True}),
        (
            "schiri desk user list",
            [{"name": "Anna", "role": "desk", "password": "1234"}],
        ),
    ],
)
def test_what_is_missing_too_much_or_of_another_type_is_seen(command: str, data: object) -> None:
    assert not fits(command, data)


@pytest.mark.parametrize(
    "words",
    [
        "replay --jsn --json x",
        "results 7 --json",
        "verify nowhere --json",
        "x --json",
    ],
)
def test_an_error_is_one_object(
    words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "empty.db"))
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    out, err = capsys.readouterr()
    told = json.loads(err)
    assert (ended.value.code, out) == (Exit.INPUT, "")
    assert msgspec.convert(told, ErrorReport) == told


def test_what_goes_on_is_lines_by_another_name(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_day("day.db", players=4, ko_size=2).close()
    for words, sentence in (
        ("--watch --json", "--json is one document"),
        ("--json-lines", "--json-lines goes with --watch"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["tournament", "collect", *words.split()])
        assert ended.value.code == Exit.INPUT
        assert sentence in json.loads(capsys.readouterr().err)["text"]


def test_the_database_may_stand_before_the_command_or_behind_it(place: Path) -> None:
    open_day("day.db", players=4, ko_size=2).close()
    for words in (
        "tournament --db day.db players --json",
        "tournament players --db day.db --json",
        "--db day.db results --json",
        "results --db day.db --json",
    ):
        done = CliRunner().invoke(schiri, words.split(), env={"SCHIRI_DATABASE_URL": "none.db"})
        assert done.exit_code == 0, done.output
        assert isinstance(json.loads(done.output), list)
