"""`schiri games`: what every game must do, and that each check sees a game which does not."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from firmware.rules import answers
from hardware.twin.session import TwinSession
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.games import GAMES, add_game, loading, remove_game
from host_tools.sim.demo.dry_run import dealt, moves_of
from host_tools.sim.demo.stage import Stage
from host_tools.sim.game_checks import CHECKS, check_game
from host_tools.sim.game_trial import Trial
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import TagTray
from host_tools.web.table.server import PlayServer
from tests.sampling import first_of

ROOT = Path(__file__).resolve().parents[2]
DOUBT = ROOT / "examples" / "doubt"
BUILT_IN = tuple(GAMES)
Added = Callable[[Path], None]


@pytest.fixture
def added() -> Iterator[Added]:
    """Adds games; afterwards they are gone."""
    yield add_game
    for name in [name for name in GAMES if name not in BUILT_IN]:
        remove_game(name)
    own = "turned_up seat card"
    answers._EVENTS[:] = [table for table in answers._EVENTS if own not in table]
    answers._BEFORE.clear()


def faults_of(name: str, *checks: str, whole: bool = False) -> list[tuple[str, str]]:
    trial = Trial(GAMES[name], whole)
    return [tuple(fault) for fault in check_game(trial, checks or CHECKS, lambda check: None)]  # type: ignore[misc]


@pytest.mark.vm
@pytest.mark.parametrize("game", first_of(BUILT_IN, 2))
def test_a_built_in_game_has_no_fault(game: str) -> None:
    assert faults_of(game) == []


@pytest.mark.vm
def test_the_example_has_no_fault(added: Added) -> None:
    added(DOUBT)
    assert faults_of("doubt") == []


@pytest.mark.vm
@pytest.mark.long
def test_the_example_has_no_fault_in_the_whole_form(added: Added) -> None:
    added(DOUBT)
    assert faults_of("doubt", whole=True) == []


@pytest.mark.parametrize("strength", ["", "easy", "medium", "strong"])
def test_the_example_is_played_to_the_end(added: Added, strength: str) -> None:
    added(DOUBT)
    for header in Trial(GAMES["doubt"]).headers:
        table = dealt(header, 1, strengths=[strength] * header["seats"] if strength else ())
        for _ in moves_of(table):
            pass
        assert table.match.over()


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN)
def test_a_built_in_game_has_no_fault_in_the_whole_form(game: str) -> None:
    assert faults_of(game, whole=True) == []


# (check, file, what stands there, what stands there in the broken game, what is said of it)
BROKEN = [
    (
        "imports",
        "box/rules.py",
        "from firmware.rules.ranking import rank",
        "from firmware.games.hattrick.rules import rank",
        "box/rules.py imports firmware.games.hattrick.rules.rank, which is another game's",
    ),
    (
        "events",
        "box/rules.py",
        "picked_up seat cards",
        "picked_up seat cards\npassed seat",
        "event passed is there already, with the fields seat card",
    ),
    (
        "players",
        "laptop/__init__.py",
        "card=min(true or hand)",
        'card="A1"',
        "2 seats: a faultless player's {",
    ),
    (
        "players",
        "box/rules.py",
        "        self.cells.set(_PHASE, _OVER)\n",
        "        self.cells.set(_TAKEN, 0)\n",
        "2 seats: its players do not end a match in ",
    ),
    (
        "players",
        "laptop/__init__.py",
        "card = max(hand, key",
        "card = max([], key",
        "laptop/__init__.py:",
    ),
    (
        "words",
        "box/texts_en.py",
        "doubt_new_pile|A new pile.\n",
        "",
        "texts_en.py has no text doubt_new_pile",
    ),
    (
        "words",
        "laptop/de.po",
        'msgstr "{seat} sagt {letter} an."',
        'msgstr ""',
        "de.po of the game has no text claimed of context 'replay event'",
    ),
    (
        "words",
        "box/rules.py",
        "        if card < 0:\n",
        '        if card == 99:\n            return Refusal("torn", "")\n        if card < 0:\n',
        "de.po of the game has no text torn of context 'replay refusal'",  # no match shows it
    ),
    (
        "refusals",
        "box/rules.py",
        "        if card < 0:\n",
        "        self.last_card = card\n        if card < 0:\n",
        "has changed something",
    ),
    (
        "undo",
        "box/rules.py",
        "cells.set(_TOP, card)",
        "cells.now[_TOP] = card",
        "undo does not take {",
    ),
    (
        "cards",
        "box/rules.py",
        'return Refusal("already_played", "DB-3")',
        "return None",
        " is taken once more, though it was just played",
    ),
    (
        "cards",
        "laptop/__init__.py",
        '            self.hands[seat].remove(command["card"])\n',
        "",
        "cards, and the rules count",
    ),
    (
        "interpreters",
        "box/rules.py",
        'events.append(("turned_up", seat, code))',
        'events.append(("turned_up", seat, code.ljust(3)))',  # MicroPython's strings have no ljust
        "The MicroPython VM stopped",
    ),
    (
        "pages",
        "box/texts_de.py",
        "Stapel {} von {}",
        "Dies ist nun schon der Stapel {} von {}",
        "6 seats: in de this does not fit on the screen: Dies ist nun schon der Stapel 1 von ",
    ),
    (
        "pages",
        "box/page.py",
        '"doubt_turned_up"',
        '"doubt_turn_up"',
        "in de the box stops: KeyError: 'doubt_turn_up'",
    ),
]


@pytest.mark.parametrize(("check", "file", "text", "other", "said"), BROKEN)
def test_a_broken_game_is_told_so(
    tmp_path: Path, added: Added, check: str, file: str, text: str, other: str, said: str
) -> None:
    folder = tmp_path / "doubt"
    shutil.copytree(DOUBT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    source = (folder / file).read_text("utf8")
    assert text in source
    (folder / file).write_text(source.replace(text, other), "utf8")
    added(folder)
    faults = faults_of("doubt", check)
    assert faults
    assert {name for name, _ in faults} == {check}
    assert any(said in sentence for _, sentence in faults), faults


# the end of a match and behind it: (check, file, there, in the broken game, what is said)
BROKEN_ENDS = [
    (
        "words",
        "laptop/de.po",
        'msgid "doubt"',
        'msgid "dobut"',
        "de.po of the game has no text doubt of context 'replay command': add it",
    ),
    (
        "words",
        "laptop/en.po",
        'msgid "claim.letter"',
        'msgid "claim.later"',
        "en.po of the game has no text claim.letter of context 'replay command': add",
    ),
    (
        "words",
        "laptop/de.po",
        'msgstr "Ansage"',
        'msgstr "Ansage {card}"',
        "claim of context 'replay command' takes no value: mend 'Ansage {card}'",
    ),
    (
        "words",
        "laptop/de.po",
        'msgid "for_claim"',
        'msgid "for_clam"',
        "de.po of the game has no text for_claim of context 'table': add it",
    ),
    (
        "words",
        "laptop/en.po",
        'msgid "DB-3"',
        'msgid "DB-33"',
        "en.po of the game has no text DB-3 of context 'rule': add it",
    ),
    (
        "words",
        "laptop/en.po",
        'msgid "reason_last_pile"',
        'msgid "reason_all_cards"',
        "en.po of the game has another text reason_all_cards of context 'results' than texts:"
        " use a name of its own",
    ),
    (
        "words",
        "box/texts_en.py",
        "over_last_pile|",
        "over_all_cards|",
        "en.po of the game has no text reason_all_cards of context 'results', and another game"
        " says 'all cards won': use a name of its own",
    ),
    (
        "bots",
        "laptop/__init__.py",
        "    bot = DoubtBot\n",
        "",
        "laptop/__init__.py names no bot: give its view of the table a `bot`",
    ),
    (
        "bots",
        "laptop/__init__.py",
        "        letter = self.match.letter()\n        if letter",
        "        letter = self.match.leter()\n        if letter",
        "has no attribute 'leter': mend that line",
    ),
    (
        "bots",
        "laptop/__init__.py",
        "for code in sorted(hand)]",
        'for code in ["ZZ9"]]',
        "is refused (unknown_card): ",
    ),
    (
        "bots",
        "laptop/__init__.py",
        "return try_all(options, samples, imagine, try_out)",
        "return []",
        "`search` of the bot judges no option: return an Option for each",
    ),
    (
        "results",
        "laptop/de.po",
        'msgid "reason_no_cards"',
        'msgid "reason_all_gone"',
        "de.po of the game has no text reason_no_cards of context 'results': add why",
    ),
    (
        "results",
        "box/texts_de.py",
        "over_no_cards|Alle Karten abgelegt!\n",
        "",
        "texts_de.py has no text over_no_cards: add why the match ended",
    ),
    (
        "results",
        "box/rules.py",
        'Match.end_rule(self, reason) or ("DB-5" if reason == "no_cards" else "DB-6")',
        "Match.end_rule(self, reason)",
        "`end_rule` of the rules names no rule for the end last_pile: return its id",
    ),
    (
        "results",
        "box/rules.py",
        'scores = ("scores", [-count',
        'scores = ("totals", [-count',
        "2 seats: the result has neither `counts` nor `scores` with an integer a seat: add one in",
    ),
    (
        "results",
        "box/rules.py",
        "return rank([(-count,)",
        "return rank([(count,)",
        "before a higher one: count so that the higher number is the better one, in `result()`",
    ),
    (
        "results",
        "box/rules.py",
        "(-count,) for count in self.counts()])",
        "(-count,) for count in self.counts()])[:1]",
        "does not name every seat once: mend it in `result()` of the rules",
    ),
    (
        "results",
        "box/rules.py",
        'over = [("over", True), ("reason", self._reason()), ',
        'over = [("over", True), ',
        "the result has no `reason`: add it in `result()` of the rules",
    ),
    (
        "results",
        "box/rules.py",
        'return "last_pile" if',
        'return "last_pile" * 40 if',
        "no slip can be written of the result (",
    ),
    (
        "results",
        "box/texts_en.py",
        "game_doubt|I Doubt It\n",
        "",
        "KeyError: 'game_doubt': firmware/app/words.py:",
    ),
    (
        "results",
        "box/rules.py",
        "        if not self.over():\n            return",
        "        if self.over():\n            self.gone()\n        if True:\n            return",
        "has no attribute 'gone': mend that line",
    ),
    (
        "after",
        "laptop/__init__.py",
        '"name": self._names[code]',
        '"name": self._nams[code]',
        "has no attribute '_nams': mend that line",
    ),
    (
        "after",
        "laptop/__init__.py",
        '"code": event["card"]',
        '"code": "ZZ9"',
        "the replay shows ZZ9, which no command names in its field `card`: add that field",
    ),
]


@pytest.mark.parametrize(("check", "file", "text", "other", "said"), BROKEN_ENDS)
def test_a_game_with_a_broken_end_is_told_so(
    tmp_path: Path, added: Added, check: str, file: str, text: str, other: str, said: str
) -> None:
    folder = tmp_path / "doubt"
    shutil.copytree(DOUBT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    source = (folder / file).read_text("utf8")
    assert text in source
    (folder / file).write_text(source.replace(text, other), "utf8")
    added(folder)
    faults = faults_of("doubt", check)
    assert {name for name, _ in faults} == {check}
    assert any(said in sentence for _, sentence in faults), faults


def test_whoever_is_no_game_is_told_so(tmp_path: Path, added: Added) -> None:
    with pytest.raises(UserError, match=r"box/__init__\.py is missing"):
        added(tmp_path)
    shutil.copytree(DOUBT, tmp_path / "Doubt")
    with pytest.raises(UserError, match="small letters"):
        added(tmp_path / "Doubt")
    shutil.copytree(DOUBT, tmp_path / "cafe")
    with pytest.raises(UserError, match="a game cafe already"):
        added(tmp_path / "cafe")
    shutil.copytree(DOUBT, tmp_path / "bridge")
    with pytest.raises(UserError, match="must have the name of the game, bridge"):
        added(tmp_path / "bridge")
    (tmp_path / "bridge" / "laptop" / "__init__.py").write_text("x = y\n")
    with pytest.raises(
        UserError, match=r"laptop/__init__\.py:1: NameError: name 'y' is not defined"
    ):
        added(tmp_path / "bridge")
    assert tuple(GAMES) == BUILT_IN


def test_an_entry_point_names_the_package_that_is_a_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(DOUBT, tmp_path / "somebodys_doubt")
    info = tmp_path / "somebody-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[schiri.games]\ndoubt = somebodys_doubt\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert loading.installed_games() == {"doubt": tmp_path / "somebodys_doubt"}
    listed = run_schiri(["games"], PYTHONPATH=str(tmp_path))
    assert f"doubt      2 to 6 seats; in {tmp_path / 'somebodys_doubt'}" in listed


def run_schiri(arguments: list[str], **environment: str) -> str:
    """A process of its own: nothing of it has been imported before."""
    done = subprocess.run(
        [sys.executable, "-m", "schiri", *arguments],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout


@pytest.mark.vm
def test_the_command_names_the_faults_and_ends_with_1(tmp_path: Path, added: Added) -> None:
    checks = ["--only", "words", "--only", "undo", "--short"]
    done = CliRunner().invoke(schiri, ["games", "quartett", *checks, "--json"])
    assert json.loads(done.stdout) == {
        "game": "quartett",
        "checks": ["words", "undo"],
        "faults": [],
    }
    shutil.copytree(DOUBT, tmp_path / "doubt")
    (tmp_path / "doubt" / "laptop" / "de.po").unlink()
    added(tmp_path / "doubt")
    done = CliRunner().invoke(schiri, ["games", "doubt", *checks])
    # five events, two commands with two fields, a refusal, what is awaited, a unit, three rules
    said = (
        "doubt: words: de.po of the game has no text claimed of context 'replay event': add it.\n"
    )
    assert said in done.stdout
    assert isinstance(done.exception, UserError)
    assert done.exception.exit_code == 1
    assert str(done.exception) == "doubt: 15 faults found."


def test_replay_reads_a_match_of_an_added_game(tmp_path: Path) -> None:
    path = tmp_path / "match.ndjson"
    header = {"schiri": 1, "game": "doubt", "seats": 2, "deck": "gastro", "names": ["Ada", "Bo"]}
    claim = {"t": 2, "do": "claim", "card": "A1", "letter": "A"}
    lines = [header, {"t": 1, "do": "begin", "seat": 1}, claim, {"t": 3, "do": "doubt"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    replay = ["--game-path", "examples/doubt", "replay", str(path)]
    told = run_schiri([*replay, "--lang", "en"])
    assert "Bo names A." in told
    assert "Ada does not believe Bo. Bo has laid A1. Ada takes the pile (1)." in told
    here = run_schiri([*replay, "--json"])
    assert run_schiri([*replay, "--json", "--engine", "micropython"]) == here


@pytest.mark.thorough
@pytest.mark.vm
def test_a_firmware_built_with_the_example_plays_it(tmp_path: Path, added: Added) -> None:
    """The .mpy files of the build in the VM: the box's own menu, its reader, its journal."""
    out = tmp_path / "build"
    run_schiri(["firmware", "--game", "examples/doubt", "--output", str(out)])
    assert (out / "box" / "firmware" / "games" / "doubt" / "rules.mpy").is_file()
    added(DOUBT)
    header = Trial(GAMES["doubt"]).headers[0]
    things = GAMES["doubt"].things(header)
    tray = TagTray()
    tray.fill(things)
    tags = {item.code: tray[item.code] for item in things}
    set_up(tmp_path / "flash", "en", "")
    with TwinSession("micropython", tmp_path / "flash", sources=out / "box") as box:
        stage = Stage(box, tags, dealt(header, 1, "en"))
        stage.power_on()
        stage.set_menu(header)
        stage.set_rows(header)
        stage.start_match()
        while not stage.table.match.over():
            assert stage.perform(stage.table.act())


def test_the_virtual_table_offers_the_example_and_serves_its_script(added: Added) -> None:
    added(DOUBT)
    server = PlayServer("cpython", "en", None)
    try:
        with TestClient(server.app, base_url="http://127.0.0.1") as page:
            assert "doubt" in page.get("/static/games.js").text
            assert "middle" in page.get("/static/games/doubt/page.js").text
    finally:
        server.close()
