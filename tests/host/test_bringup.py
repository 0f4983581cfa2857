"""Bring-up against the twin's box: every fault that the drawings allow, and what is said of it."""

import hashlib
import hmac
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hardware import wire_list
from hardware.twin.harness import NORTH, READER, SOUTH, Harness, Modules, ScreenModule, Wire
from hardware.twin.inproc import InprocEngine
from hardware.twin.oled import Picture
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.bringup import diagnosis, faults, measuring, report, signs
from host_tools.box.bringup.faults import WiringFault
from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.core.texts import BRINGUP
from host_tools.sim.demo.usb import TwinPort
from tests.app.pictures import stock
from tests.processes import started
from tests.sampling import Sample
from tests.support.electric import ElectricBox, sound

pytestmark = pytest.mark.box

BOOT_MS = 4_000
SCREENS = (SOUTH, NORTH)
LISTED = Modules(south=ScreenModule("sh1106"), north=ScreenModule("sh1106"))
REVISIONS = ("rev1", "rev2")
# so that two processes share the work
PARTS = 2


class TwinBuilder:
    """Hands and eyes at the twin: what it shows and plays, not what it means."""

    def __init__(self, box: TwinSession, numbers: dict[int, Picture]) -> None:
        self._box = box
        self._numbers = numbers
        self.heard: list[str] = []
        self._tones = 0

    def say(self, key: str, **values: object) -> None:
        for language in BRINGUP:
            assert BRINGUP[language][key].format(**values)
        self.heard.append(key)

    def resists(self) -> bool:
        return True

    def apart(self) -> bool:
        return True

    def window(self, name: str) -> tuple[str, int | None]:
        self._box.run_for(300)
        self._tones = len(self._box.sounds)
        picture = self._box.screen(SCREENS.index(name))
        if picture.dark:
            return "dark", None
        for number, known in self._numbers.items():
            if picture == known:
                return "whole", number
        return "shifted", None

    def press(self, button: str) -> None:
        self._box.press(button.lower())
        self._box.run_for(300)

    def hears(self) -> bool:
        self._box.run_for(1_500)
        tones = [tone.hz for tone in self._box.sounds[self._tones :]]
        return tones[-3:] == [440, 880, 1760]

    def holds(self, mm: int) -> bool:
        tag = NtagTwin.ntag213(uid=bytes.fromhex("04A1B2C3D4E5F6"))
        self._box.field.clear()
        self._box.field.place(tag)
        return mm == 0

    def wait(self) -> None:
        self._box.run_for(20)


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Picture]:
    """What the two pictures look like on a box that is right."""
    harness = faults.right("rev1", LISTED)
    with TwinSession("cpython", tmp_path_factory.mktemp("right"), harness=harness) as box:
        box.boot()
        box.run_for(BOOT_MS)
        BoxLink(TwinPort(box), first_id=1).request("bringup", part="picture", south=1, north=2)
        box.run_for(500)
        assert box.screen().pixel(0, 0)
        assert box.screen() != box.screen(1)
        return {1: box.screen(), 2: box.screen(1)}


def measured(
    harness: Harness, folder: Path, numbers: dict[int, Picture], engine: str = "cpython"
) -> measuring.Findings:
    if harness.shorted:
        return measuring.Findings({"alive": False})
    with TwinSession(engine, folder, harness=harness) as box:
        box.boot()
        box.run_for(BOOT_MS)
        link = BoxLink(TwinPort(box), first_id=1)
        found = measuring.measure(link, TwinBuilder(box, numbers), SCREENS)
        assert box.running
        return found


def test_the_wires_are_those_of_the_drawings() -> None:
    assert json.loads(wire_list.TARGET.read_text("utf8")) == wire_list.wire_list()


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_wire_of_the_drawings_can_be_missing(revision: str) -> None:
    made = faults.faults(revision, LISTED)
    missing = [fault for fault in made if fault.kind == "missing"]
    assert len(missing) == len(wire_list.wire_list()[revision]["wires"])


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_box_that_is_right_has_no_fault(
    revision: str, tmp_path: Path, numbers: dict[int, Picture]
) -> None:
    found = measured(faults.right(revision, LISTED), tmp_path, numbers)
    assert differ(found.signs, signs.expected(faults.right(revision, LISTED))) == {}
    assert diagnosis.diagnose(found.signs, revision, LISTED).is_good


class Restless(TwinBuilder):
    """Plays with a button while looking at the screens."""

    presses = 70

    def window(self, name: str) -> tuple[str, int | None]:
        found = super().window(name)
        if name == SOUTH:
            for _ in range(self.presses):
                self.press("JURY")
        return found


class OlderLink(BoxLink):
    """To a firmware that does not count presses."""

    def request(self, kind: str, **fields: Any) -> dict[str, Any]:
        reply = super().request(kind, **fields)
        reply.pop("count", None)
        return reply


@pytest.mark.parametrize(("make", "presses"), [(BoxLink, 70), (OlderLink, 60)])
def test_many_presses_before_hide_no_button(
    make: type[BoxLink], presses: int, tmp_path: Path, numbers: dict[int, Picture]
) -> None:
    """A box tells of 64; with 4 more, one a button, an older one is at its end."""
    with TwinSession("cpython", tmp_path, harness=faults.right("rev1", LISTED)) as box:
        box.boot()
        box.run_for(BOOT_MS)
        builder = Restless(box, numbers)
        builder.presses = presses
        found = measuring.measure(make(TwinPort(box), first_id=1), builder, SCREENS)
    assert found.parts["buttons"] == {name: (name,) for name in ("UP", "DOWN", "OK", "JURY")}


def test_the_box_tells_of_its_last_presses_and_of_how_many_there_were(tmp_path: Path) -> None:
    with TwinSession("micropython", tmp_path) as box:
        box.boot()
        box.run_for(BOOT_MS)
        link = BoxLink(TwinPort(box), first_id=1)
        link.request("bringup", part="supply")
        for button in ("up", *["down"] * 65, "ok"):
            box.press(button)
            box.run_for(150)
        told = link.request("bringup", part="buttons")
    assert (told["pressed"], told["count"]) == ([1] * 63 + [2], 67)


def differ(found: signs.Signs, wanted: signs.Signs) -> dict[str, object]:
    """What is not as expected: sign -> measured, expected."""
    names = {*found, *(name for name in wanted if signs.of(wanted, name) is True)}
    pairs = {name: (signs.of(found, name), signs.of(wanted, name)) for name in names}
    return {
        name: pair for name, pair in pairs.items() if pair[0] is not None and not signs.fits(*pair)
    }


def as_told(fault: WiringFault) -> tuple[str, frozenset[object], str]:
    return fault.kind, frozenset(fault.wires), fault.module


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("revision", REVISIONS)
def test_every_fault_gets_its_sentence(
    revision: str, part: int, sampled: Sample, tmp_path: Path, numbers: dict[int, Picture]
) -> None:
    """What the twin's box measures with a fault leads back to that fault. Bridges, and what no
    wire can tell, are proved by volts and ohms: test_bringup_proof.py.
    """
    wrong = []
    made = faults.faults(revision, LISTED)
    wired = [fault for fault in made if not fault.own and fault.kind != "bridge"]
    for number, fault in enumerate([*sampled(wired)][part::PARTS]):
        found = measured(fault.harness, tmp_path / str(number), numbers)
        told = diagnosis.diagnose(found.signs, revision, LISTED)
        apart = differ(found.signs, fault.signs)
        named = as_told(fault) in [as_told(one) for one in told.all_faults()]
        # wires of two modules that have changed places may look like two simpler faults
        likelier = fault.kind == "swapped" and len(told.causes) > 1 and not apart
        if not named and not likelier:
            wrong.append((fault.kind, fault.wires, fault.module, apart))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    "bridge",
    [
        (("STRIP", "UP"), ("STRIP", "DOWN")),
        (("STRIP", "OK"), ("PICO", "GND")),
        (("SCREEN_SOUTH", "SDA"), ("SCREEN_SOUTH", "SCL")),
    ],
)
def test_the_box_itself_sees_a_bridge(
    bridge: Wire, tmp_path: Path, numbers: dict[int, Picture]
) -> None:
    """The firmware's own look at its lines, on the twin; no supply is called short meanwhile."""
    whole = faults.right("rev1", LISTED)
    found = measured(Harness((*whole.wires, bridge), LISTED), tmp_path, numbers)
    (alike,) = diagnosis.diagnose(found.signs, "rev1", LISTED).causes
    assert any(set(fault.wires[0]) == set(bridge) for fault in alike if fault.kind == "bridge")
    assert not any(fault.harness.shorted for fault in alike)


@pytest.mark.parametrize(
    ("language", "what", "measure"),
    [("en", "nothing that we know", "Measure next"), ("de", "nichts, was wir kennen", "Miss als")],
)
def test_what_nothing_explains_is_unknown(language: str, what: str, measure: str) -> None:
    """A reader that is silent, a line of a button held high, a window that shows the other side's
    number: no three faults do that. The signs are printed as they are, and the next step.
    """
    good = ElectricBox(sound("rev1", ("sh1106", "ssd1306")), 1)
    signs = measuring.measure(good, good, SCREENS).signs  # type: ignore[arg-type]
    assert diagnosis.diagnose(signs, "rev1", LISTED).is_good
    signs |= {"GP12": 1, "button UP": ("DOWN", "JURY"), f"window {SOUTH}": ("whole", 2), "GP3": 0}
    found = diagnosis.diagnose(signs, "rev1", LISTED)
    assert found.is_unknown
    assert not found.all_faults()
    lines = report.sentences(found, signs, language)
    assert what in lines[0]
    assert any("GP3 = 0" in line for line in lines)
    assert any(measure in line and "SCREEN_SOUTH" in line for line in lines)


def test_what_is_measured_next_comes_by_likelihood_and_once() -> None:
    whole = faults.right("rev1", LISTED)
    likeliest = [WiringFault("absent", whole, module=name) for name in (READER, NORTH, READER)]
    found = diagnosis.Diagnosis(tuple((fault,) for fault in likeliest), ("reader",))
    steps = [line for line in report.sentences(found, {}, "en") if line.startswith("Measure next")]
    assert [line.split(":")[0] for line in steps] == [
        f"Measure next, at the plug of {READER}",
        f"Measure next, at the plug of {NORTH}",
    ]


def test_a_box_that_falls_silent_has_no_short() -> None:
    """It has answered: a supply that breaks down when the field goes on, never 3V3 against GND."""
    weak = sound("rev2", ("sh1106", "sh1106"))
    weak.usb_volt, weak.usb_ohm = 3.4, 3.5
    box = ElectricBox(weak, 1)
    assert box.alive
    signs = measuring.measure(box, box, SCREENS).signs  # type: ignore[arg-type]
    assert signs["lost"] == "reader"
    found = diagnosis.diagnose(signs, "rev2", LISTED)
    assert not found.is_good
    assert not any(fault.harness.shorted for fault in found.all_faults())
    assert "fell silent at the part" in report.sentences(found, signs, "en")[0]


def test_the_real_interpreter_measures_the_same(
    tmp_path: Path, numbers: dict[int, Picture]
) -> None:
    found = measured(faults.right("rev1", LISTED), tmp_path, numbers, "micropython")
    assert differ(found.signs, signs.expected(faults.right("rev1", LISTED))) == {}


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A box with one screen, served on a pty."""
    command = [str(Path(sys.executable).parent / "schiri"), "twin", "box", "--engine", "cpython"]
    command += ["--flash", str(tmp_path_factory.mktemp("flash"))]
    with started(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


@pytest.fixture
def own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeyRing:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    ring = KeyRing([LeagueKey("cup", bytes(range(32)))])
    save_keys(ring, tmp_path / "keys.json")
    return ring


WINDOW = "yes\nyes\n1\nyes\n"  # the two looks with the meter, the number, the frame


def brought_up(port: str, path: Path, answers: str, *more: str) -> Result:
    command = ["box", "bringup", "--port", port, "--screens", "south", "--report", str(path)]
    return CliRunner().invoke(schiri, [*command, *more], input=answers)


def test_the_command_asks_measures_and_signs(
    port: str, own_keys: KeyRing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody presses: the report says that no press came, and everything else is good."""
    monkeypatch.setattr(measuring, "_POLLS", 2)
    path = tmp_path / "box.json"
    outcome = brought_up(port, path, WINDOW + "yes\nno\n")  # the tones, no tag
    assert isinstance(outcome.exception, UserError), outcome.output
    report_data = json.loads(path.read_text("utf8"))
    signs = report_data["signs"]
    assert (signs["reader"], signs["reset"], signs["tone"]) == (True, True, True)
    assert signs[f"window {SOUTH}"] == ["whole", 1]
    assert all(signs[f"button {name}"] == [] for name in ("UP", "DOWN", "OK", "JURY"))
    assert [alike[0]["kind"] for alike in report_data["causes"]] == ["no_button"]
    assert "No button arrives" in outcome.output
    assert "a tag on the landing field" in outcome.output
    assert "Pico pins 14, 15, 16 and 17" in outcome.output  # what to measure next
    assert report_data["sha256"] == hashlib.sha256(report.canonical(report_data)).hexdigest()
    secret = own_keys.keys[0].secret
    assert (
        report_data["hmac"]
        == hmac.new(secret, report.canonical(report_data), hashlib.sha256).hexdigest()
    )
    page = path.with_suffix(".md").read_text("utf8")
    assert report_data["sha256"] in page
    assert "921600 baud" in outcome.output


@pytest.mark.parametrize(
    ("revision", "language", "yes", "said"),
    [
        ("rev1", "en", "yes", "The buzzer is silent"),
        ("rev2", "de", "ja", "Der Summer ist still"),
    ],
)
def test_a_dead_buzzer_is_never_good(
    revision: str, language: str, yes: str, said: str, port: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """One window, an SSD1306, which is not the module that is listed first, and no tone: a review
    saw exit code 0 and `"good": true`. Every button is pressed, and a tag lies there.
    """
    monkeypatch.setattr(measuring, "_share", lambda read, tried: True)
    monkeypatch.setattr(measuring, "_buttons", pressed_all)
    answers = f"{yes}\n{yes}\n1\n{yes}\nn\n{yes}\nn\n"
    path = tmp_path / "box.json"
    more = ("--revision", revision, "--lang", language)
    outcome = brought_up(port, path, answers, *more)
    assert isinstance(outcome.exception, UserError), outcome.output
    assert outcome.exception.exit_code == 1
    assert said in str(outcome.exception) or said in outcome.output
    report_data = json.loads(path.read_text("utf8"))
    assert report_data["signs"]["kind SCREEN_SOUTH"][1] == "ssd1306"
    assert report_data["good"] is False
    kinds = [fault["kind"] for fault in report_data["causes"][0]]
    assert "silent_buzzer" in kinds


def pressed_all(
    link: BoxLink, builder: object, found: measuring.Findings, screens: object
) -> None:
    for name in ("UP", "DOWN", "OK", "JURY"):
        found.signs[f"button {name}"] = (name,)


def test_what_nobody_answers_is_not_good(
    port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that is passed over with ? is named, and exit code 1."""
    monkeypatch.setattr(measuring, "_buttons", pressed_all)
    path = tmp_path / "box.json"
    outcome = brought_up(port, path, "?\nyes\n1\nyes\n?\nno\n")
    assert isinstance(outcome.exception, UserError), outcome.output
    assert outcome.exception.exit_code == 1
    report_data = json.loads(path.read_text("utf8"))
    assert report_data["good"] is False
    assert sorted(report_data["unasked"]) == ["card", "ohms", "tone"]


def test_twin_beside_box(port: str) -> None:
    outcome = CliRunner().invoke(schiri, ["box", "certify", "--port", port, "--json"])
    assert outcome.exit_code == 0, outcome.output
    rows = json.loads(outcome.output)
    assert rows["reader version"] == {"twin": "32010607", "box": "32010607"}
    # the served box has one screen; a twin with two would differ in every line of the north
    lines = {name: row for name, row in rows.items() if name.startswith(("GP", "lines that"))}
    assert len(lines) == len(signs.LINES) + 1
    assert all(row["twin"] == row["box"] for row in lines.values()), lines
    assert rows["GP2"] == {"twin": 1, "box": 1}
    assert rows["GP4"] == {"twin": "floats", "box": "floats"}
    for baud in (115200, 230400, 460800, 921600):
        assert rows[f"echo at {baud} baud, faults"] == {"twin": 0, "box": 0}
    slow, fast = (rows[f"echo at {baud} baud, ms"]["twin"] for baud in (115200, 921600))
    # 41 bytes with the frame there and 41 back, and an ACK of 6: 88 bytes of 10 bits
    assert 88 * 10 / 115.2 <= slow <= 88 * 10 / 115.2 + 3
    assert fast < slow / 3
    assert rows["self-test: reader"] == {"twin": "True", "box": "True"}


def test_a_box_in_a_match_is_left_alone(tmp_path: Path) -> None:
    stock(tmp_path)
    with TwinSession("cpython", tmp_path) as box:
        box.boot()
        box.run_for(BOOT_MS)
        box.press("ok", 900)
        box.run_for(2_000)
        box.press("ok")
        box.run_for(1_000)
        with pytest.raises(BoxRefusal, match="in_match"):
            BoxLink(TwinPort(box), first_id=1).request("bringup", part="lines")


@pytest.mark.parametrize("ended", [True, False])
def test_it_leaves_the_memory_when_it_is_over(ended: bool, tmp_path: Path) -> None:
    with TwinSession("cpython", tmp_path) as box:
        box.boot()
        box.run_for(BOOT_MS)
        menu = box.screen()
        link = BoxLink(TwinPort(box), first_id=1)
        link.request("bringup", part="picture", south=1, north=2)
        box.run_for(500)
        assert box.screen() != menu
        assert isinstance(box.engine, InprocEngine)
        assert box.engine.loader is not None
        if ended:
            link.request("bringup", part="end")
            box.run_for(500)
        else:
            box.run_for(125_000)
        assert box.screen() == menu
        assert link.request("bringup", part="supply")["vsys_mv"] == 4699  # and comes back


@pytest.mark.parametrize(
    ("controller", "address", "notes"), [("ssd1306", 0x3C, []), ("sh1106", 0x3D, ["address"])]
)
def test_a_module_that_needs_nothing_is_no_fault(
    controller: str, address: int, notes: list[str], tmp_path: Path, numbers: dict[int, Picture]
) -> None:
    """The parts list allows either controller; another address is told, and good."""
    harness = faults.right("rev1", LISTED).with_modules(south=ScreenModule(controller, address))
    found = diagnosis.diagnose(measured(harness, tmp_path, numbers).signs, "rev1", LISTED)
    assert [note.kind for note in found.notes] == notes
    assert found.is_good
