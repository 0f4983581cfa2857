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
WHIST, DOUBT = EXAMPLES = ROOT / "examples" / "whist", ROOT / "examples" / "doubt"
BY_NAME = {"argvalues": EXAMPLES, "ids": [folder.name for folder in EXAMPLES]}
BUILT_IN = tuple(GAMES)
Added = Callable[[Path], None]


@pytest.fixture
def added() -> Iterator[Added]:
    """Adds games; afterwards they are gone."""
    yield add_game
    for name in [name for name in GAMES if name not in BUILT_IN]:
        remove_game(name)
    own = ("laid seat card", "turned_up seat card")
    answers._EVENTS[:] = [table for table in answers._EVENTS if not any(o in table for o in own)]
    answers._BEFORE.clear()


def faults_of(name: str, *checks: str, whole: bool = False) -> list[tuple[str, str]]:
    trial = Trial(GAMES[name], whole)
    return [tuple(fault) for fault in check_game(trial, checks or CHECKS, lambda check: None)]  # type: ignore[misc]


@pytest.mark.vm
@pytest.mark.parametrize("game", first_of(BUILT_IN, 2))
def test_a_built_in_game_has_no_fault(game: str) -> None:
    assert faults_of(game) == []


@pytest.mark.vm
@pytest.mark.parametrize("folder", **BY_NAME)
def test_an_example_has_no_fault(added: Added, folder: Path) -> None:
    added(folder)
    assert faults_of(folder.name) == []


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize("folder", **BY_NAME)
def test_an_example_has_no_fault_in_the_whole_form(added: Added, folder: Path) -> None:
    added(folder)
    assert faults_of(folder.name, whole=True) == []


@pytest.mark.parametrize("strength", ["", "easy", "medium", "strong"])
@pytest.mark.parametrize("folder", **BY_NAME)
def test_an_example_is_played_to_the_end(added: Added, folder: Path, strength: str) -> None:
    added(folder)
    for header in Trial(GAMES[folder.name]).headers:
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
        "taken seat points",
        "taken seat points\npassed seat",
        "event passed is there already, with the fields seat card",
    ),
    (
        "players",
        "laptop/__init__.py",
        '"card": self._card(hand)}',
        '"card": "A1"}',
        "2 seats: a faultless player's {",
    ),
    (
        "players",
        "box/rules.py",
        "        self.cells.set(_PHASE, _OVER)\n",
        "        self.cells.set(_TRICKS, 0)\n",
        "laptop/__init__.py:",  # the player has no card left to lay
    ),
    (
        "words",
        "box/texts_en.py",
        "whist_points|Points:\n",
        "",
        "texts_en.py has no text whist_points",
    ),
    (
        "words",
        "laptop/de.po",
        'msgstr "{seat} legt {card}."',
        'msgstr ""',
        "de.po of the game has no text laid of context 'replay event'",
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
        "cells.set(_TRICK + cells.now[_LAID], card)",
        "cells.now[_TRICK + cells.now[_LAID]] = card",
        "undo does not take {",
    ),
    (
        "cards",
        "box/rules.py",
        "        if self.cells.now[self._seen + card]:\n",
        "        if self.cells.now[self._seen + card] > 1:\n",
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
        'events.append(("laid", seat, code))',
        'events.append(("laid", seat, code.ljust(3)))',  # MicroPython's strings have no ljust
        "The MicroPython VM stopped",
    ),
    (
        "pages",
        "box/texts_de.py",
        "Stich {} von {}",
        "Dies ist nun schon der Stich {} von {}",
        "8 seats: in de this does not fit on the screen: Dies ist nun schon der Stich 1 von ",
    ),
    (
        "pages",
        "box/page.py",
        '"whist_taken"',
        '"whist_take"',
        "in de the box stops: KeyError: 'whist_take'",
    ),
]


@pytest.mark.parametrize(("check", "file", "text", "other", "said"), BROKEN)
def test_a_broken_game_is_told_so(
    tmp_path: Path, added: Added, check: str, file: str, text: str, other: str, said: str
) -> None:
    folder = tmp_path / "whist"
    shutil.copytree(WHIST, folder, ignore=shutil.ignore_patterns("__pycache__"))
    source = (folder / file).read_text("utf8")
    assert text in source
    (folder / file).write_text(source.replace(text, other), "utf8")
    added(folder)
    faults = faults_of("whist", check)
    assert faults
    assert {name for name, _ in faults} == {check}
    assert any(said in sentence for _, sentence in faults), faults


# the end of a match and behind it: (check, game, file, there, in the broken game, what is said)
BROKEN_ENDS = [
    (
        "words",
        DOUBT,
        "laptop/de.po",
        'msgid "doubt"',
        'msgid "dobut"',
        "de.po of the game has no text doubt of context 'replay command': add it",
    ),
    (
        "words",
        DOUBT,
        "laptop/en.po",
        'msgid "claim.letter"',
        'msgid "claim.later"',
        "en.po of the game has no text claim.letter of context 'replay command': add",
    ),
    (
        "words",
        DOUBT,
        "laptop/de.po",
        'msgstr "Ansage"',
        'msgstr "Ansage {card}"',
        "claim of context 'replay command' takes no value: mend 'Ansage {card}'",
    ),
    (
        "words",
        DOUBT,
        "laptop/de.po",
        'msgid "for_claim"',
        'msgid "for_clam"',
        "de.po of the game has no text for_claim of context 'table': add it",
    ),
    (
        "words",
        WHIST,
        "laptop/en.po",
        'msgid "WH-3"',
        'msgid "WH-33"',
        "en.po of the game has no text WH-3 of context 'rule': add it",
    ),
    (
        "words",
        WHIST,
        "laptop/en.po",
        'msgid "reason_all_laid"',
        'msgid "reason_all_cards"',
        "en.po of the game has another text reason_all_cards of context 'results' than texts:"
        " use a name of its own",
    ),
    (
        "words",
        WHIST,
        "box/texts_en.py",
        "over_all_laid|",
        "over_all_cards|",
        "en.po of the game has no text reason_all_cards of context 'results', and another game"
        " says 'all cards won': use a name of its own",
    ),
    (
        "bots",
        WHIST,
        "laptop/__init__.py",
        "    bot = WhistBot\n",
        "",
        "laptop/__init__.py names no bot: give its view of the table a `bot`",
    ),
    (
        "bots",
        WHIST,
        "laptop/__init__.py",
        "        lying = self.match.lying()\n        mine",
        "        lying = self.match.laying()\n        mine",
        "has no attribute 'laying': mend that line",
    ),
    (
        "bots",
        DOUBT,
        "laptop/__init__.py",
        "for code in sorted(hand)]",
        'for code in ["ZZ9"]]',
        "is refused (unknown_card): ",
    ),
    (
        "bots",
        DOUBT,
        "laptop/__init__.py",
        "return try_all(options, samples, imagine, try_out)",
        "return []",
        "`search` of the bot judges no option: return an Option for each",
    ),
    (
        "results",
        WHIST,
        "laptop/de.po",
        'msgid "reason_all_laid"',
        'msgid "reason_all_gone"',
        "de.po of the game has no text reason_all_laid of context 'results': add why",
    ),
    (
        "results",
        WHIST,
        "box/texts_de.py",
        "over_all_laid|Alle Karten gelegt!\n",
        "",
        "texts_de.py has no text over_all_laid: add why the match ended",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        'Match.end_rule(self, reason) or "WH-6"',
        "Match.end_rule(self, reason)",
        "`end_rule` of the rules names no rule for the end all_laid: return its id",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        'scores = ("scores", self.points())',
        'scores = ("totals", self.points())',
        "2 seats: the result has neither `counts` nor `scores` with an integer a seat: add one in",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        "return rank([(points,)",
        "return rank([(-points,)",
        "before a higher one: count so that the higher number is the better one, in `result()`",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        "for points in self.points()])",
        "for points in self.points()])[:1]",
        "does not name every seat once: mend it in `result()` of the rules",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        'over = [("over", True), ("reason", self._reason()), ',
        'over = [("over", True), ',
        "the result has no `reason`: add it in `result()` of the rules",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        'REASON = "all_laid"',
        'REASON = "all_laid" * 40',
        "no slip can be written of the result (",
    ),
    (
        "results",
        WHIST,
        "box/texts_en.py",
        "game_whist|Whist\n",
        "",
        "KeyError: 'game_whist': firmware/app/words.py:",
    ),
    (
        "results",
        WHIST,
        "box/rules.py",
        "        if not self.over():\n            return",
        "        if self.over():\n            self.gone()\n        if True:\n            return",
        "has no attribute 'gone': mend that line",
    ),
    (
        "after",
        WHIST,
        "laptop/__init__.py",
        '"name": self._names[code]',
        '"name": self._nams[code]',
        "has no attribute '_nams': mend that line",
    ),
    (
        "after",
        DOUBT,
        "laptop/__init__.py",
        '"code": event["card"]',
        '"code": "ZZ9"',
        "the replay shows ZZ9, which no command names in its field `card`: add that field",
    ),
]


@pytest.mark.parametrize(("check", "game", "file", "text", "other", "said"), BROKEN_ENDS)
def test_a_game_with_a_broken_end_is_told_so(
    tmp_path: Path,
    added: Added,
    check: str,
    game: Path,
    file: str,
    text: str,
    other: str,
    said: str,
) -> None:
    shutil.copytree(game, tmp_path / game.name, ignore=shutil.ignore_patterns("__pycache__"))
    source = (tmp_path / game.name / file).read_text("utf8")
    assert text in source
    (tmp_path / game.name / file).write_text(source.replace(text, other), "utf8")
    added(tmp_path / game.name)
    faults = faults_of(game.name, check)
    assert {name for name, _ in faults} == {check}
    assert any(said in sentence for _, sentence in faults), faults


def test_whoever_is_no_game_is_told_so(tmp_path: Path, added: Added) -> None:
    with pytest.raises(UserError, match=r"box/__init__\.py is missing"):
        added(tmp_path)
    shutil.copytree(WHIST, tmp_path / "Whist")
    with pytest.raises(UserError, match="small letters"):
        added(tmp_path / "Whist")
    shutil.copytree(WHIST, tmp_path / "cafe")
    with pytest.raises(UserError, match="a game cafe already"):
        added(tmp_path / "cafe")
    shutil.copytree(WHIST, tmp_path / "bridge")
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
    shutil.copytree(WHIST, tmp_path / "somebodys_whist")
    info = tmp_path / "somebody-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: somebody\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[schiri.games]\nwhist = somebodys_whist\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert loading.installed_games() == {"whist": tmp_path / "somebodys_whist"}
    listed = run_schiri(["games", "list"], PYTHONPATH=str(tmp_path))
    assert f"whist      2 to 8 seats; in {tmp_path / 'somebodys_whist'}" in listed


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
    done = CliRunner().invoke(schiri, ["games", "check", "quartett", *checks, "--json"])
    assert json.loads(done.stdout) == {
        "game": "quartett",
        "checks": ["words", "undo"],
        "faults": [],
    }
    shutil.copytree(WHIST, tmp_path / "whist")
    (tmp_path / "whist" / "laptop" / "de.po").unlink()
    added(tmp_path / "whist")
    done = CliRunner().invoke(schiri, ["games", "check", "whist", *checks])
    said = "whist: words: de.po of the game has no text laid of context 'replay event': add it.\n"
    assert said in done.stdout
    assert isinstance(done.exception, UserError)
    assert done.exception.exit_code == 1
    assert str(done.exception) == "whist: 7 faults found."


def test_replay_reads_a_match_of_an_added_game(tmp_path: Path) -> None:
    path = tmp_path / "match.ndjson"
    header = {"schiri": 1, "game": "whist", "seats": 2, "deck": "gastro", "names": ["Ada", "Bo"]}
    taps = [{"t": t, "do": "tap", "card": card} for t, card in ((2, "A1"), (3, "A3"))]
    lines = [header, {"t": 1, "do": "begin", "seat": 1}, *taps]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    replay = ["--game-path", "examples/whist", "replay", str(path)]
    told = run_schiri([*replay, "--lang", "en"])
    assert "Bo lays A1." in told
    assert "Ada lays A3. Ada takes the trick (1)." in told
    here = run_schiri([*replay, "--json"])
    assert run_schiri([*replay, "--json", "--engine", "micropython"]) == here


@pytest.mark.thorough
@pytest.mark.vm
@pytest.mark.parametrize("folder", **BY_NAME)
def test_a_firmware_built_with_an_example_plays_it(
    tmp_path: Path, added: Added, folder: Path
) -> None:
    """The .mpy files of the build in the VM: the box's own menu, its reader, its journal."""
    name = folder.name
    out = tmp_path / "build"
    run_schiri(["firmware", "build", "--game", f"examples/{name}", "--output", str(out)])
    assert (out / "box" / "firmware" / "games" / name / "rules.mpy").is_file()
    added(folder)
    header = Trial(GAMES[name]).headers[0]
    tray = TagTray()
    tray.fill(GAMES[name].things(header))
    tags = {item.code: tray[item.code] for item in GAMES[name].things(header)}
    set_up(tmp_path / "flash", "en", "")
    with TwinSession("micropython", tmp_path / "flash", sources=out / "box") as box:
        stage = Stage(box, tags, dealt(header, 1, "en"))
        stage.power_on()
        stage.set_menu(header)
        stage.set_rows(header)
        stage.start_match()
        while not stage.table.match.over():
            assert stage.perform(stage.table.act())


@pytest.mark.parametrize("folder", **BY_NAME)
def test_the_virtual_table_offers_an_example_and_serves_its_script(
    added: Added, folder: Path
) -> None:
    added(folder)
    server = PlayServer("cpython", "en", None)
    try:
        with TestClient(server.app) as page:
            assert folder.name in page.get("/static/games.js").text
            assert "middle" in page.get(f"/static/games/{folder.name}/page.js").text
    finally:
        server.close()
