"""`schiri demo`: every game from the tags to the slip, on the twin, with refusals worth seeing."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.sim.demo.dry_run import dealt, dry_run, worth_watching
from host_tools.sim.demo.plan import GAMES, DemoPlan, choose_game
from host_tools.store import open_store
from host_tools.store.journal.reading import read_journal

# game -> what must be told in English: refusals, and how the match ends
SIGHTS = {
    "swiss": ["refused: this card cannot be there", "(all cards won, TR-10)"],
    "gastro": ["refused: this card cannot be there", "(a seat has no card left, TR-10)"],
    "kneipe": ["refused: this card cannot be there", "(a seat has no card left, TR-10)"],
    "quartett": [
        "refused: another card was asked for",
        "refused: that seat is known to hold the card",
        "had denied",
        "lays quartet",
    ],
    "hattrick": ["refused: already played", "passes with"],
    "cafe": ["refused: women and men do not match", "is left with", "takes JK"],
    "cafe-app": ["refused: women and men do not match", "Cleared: T"],
}
WITH_SLIP = ("swiss", "cafe")
CLOCK = re.compile(r"\b(\d+):(\d\d)\b")


def play(folder: Path, game: str, engine: str, *more: str, runs: int = 1) -> str:
    """The demo once more with this folder, which then holds the matches of `runs` runs."""
    arguments = ["demo", "--game", game, "--lang", "en", "--pictures", "none"]
    arguments += ["--engine", engine, *more]
    result = CliRunner().invoke(schiri, arguments, catch_exceptions=False, env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert list(folder.iterdir()) == []
    store = open_store("practice")
    try:
        matches, keys = store.matches(), store.enrolled.all()
    finally:
        store.close()
    assert [match.state for match in matches] == ["verified"] * runs
    for match in matches:
        assert match.result["over"] is True
        assert match.header["names"][:2] == ["Anna", "Beat"]
        seal = read_journal(match.journal).seal
        assert seal is not None  # the box's own
        assert seal.sig is not None
        assert seal.id in [key.id for key in keys.of(match.box_id)]
    return result.output


@pytest.mark.parametrize(
    "game",
    [game if game == "swiss" else pytest.param(game, marks=pytest.mark.long) for game in SIGHTS],
)
def test_a_whole_match_of_every_game(tmp_path: Path, game: str) -> None:
    """`--slip`: between two and between three, with counts and with scores."""
    told = play(tmp_path, game, "cpython", *(["--slip"] if game in WITH_SLIP else []))
    for sight in [*SIGHTS[game], "Match over", "RESULT SLIP", "verified"]:
        assert sight in told, sight
    if game in WITH_SLIP:
        assert "The signature fits; the stored journal tells the same." in told


def _seconds(time: tuple[str, str]) -> int:
    return 60 * int(time[0]) + int(time[1])


@pytest.mark.vm
@pytest.mark.thorough
def test_a_whole_match_in_the_vm(tmp_path: Path) -> None:
    """Everything comes from the seed, so both engines tell the same verdicts. They write JSON
    differently, so it is another match, not another journal of the first, and the flash works
    some milliseconds at other moments (an erase is done ahead): a time may fall into the second
    next to it. The same demo again is the first.
    """
    here = play(tmp_path, "kneipe", "cpython")
    there = play(tmp_path, "kneipe", "micropython", runs=2)
    again = play(tmp_path, "kneipe", "cpython", runs=2)
    verdicts = slice(here.index("3. A match"), here.index("4. The laptop"))
    also = there[there.index("3. A match") : there.index("4. The laptop")]
    assert CLOCK.sub("", here[verdicts]) == CLOCK.sub("", also)
    times = [[_seconds(time) for time in CLOCK.findall(said)] for said in (here[verdicts], also)]
    assert len(times[0]) > 30
    assert all(abs(one - other) <= 1 for one, other in zip(*times, strict=True))
    known = "Everything was stored by an earlier run; nothing is new."
    assert [known in told for told in (here, there, again)] == [False, False, True]


@pytest.mark.parametrize("game", GAMES)
def test_faultless_people_are_never_refused(game: str) -> None:
    header = DemoPlan(GAMES[game], "en", 1, "cpython", "practice", "none").header()
    for seed in range(5):
        seen = dry_run(dealt(header, seed, faultless=True))
        assert not [name for name in seen if name in _REASONS], seen
        assert "match_over" in seen


_REASONS = {"not_yours", "already_played", "not_asked", "known_holder", "sexes", "no_score"}
_REASONS |= {"alone", "wrong_nation", "cannot_pay", "not_now", "false_denial", "cannot_hold"}


def test_a_deal_worth_watching_is_found() -> None:
    header = {"schiri": 1, "game": "hattrick", "seats": 4}
    seed = worth_watching(header, 1, {"passed", "already_played"})
    assert {"passed", "already_played"} <= dry_run(dealt(header, seed))


@pytest.mark.parametrize(
    ("game", "deck", "preset", "seats"),
    [
        (None, None, "swiss", 3),
        ("hattrick", None, None, 7),
        ("hattrick", "gastro", None, None),
        ("cafe", None, "swiss", None),
    ],
)
def test_what_cannot_be_played_is_said(
    game: str | None, deck: str | None, preset: str | None, seats: int | None
) -> None:
    with pytest.raises(UserError):
        choose_game(game, deck, preset, seats)


@pytest.mark.parametrize("given", [["--game", "quartett", "--deck", "berge"], ["--seats", "8"]])
def test_a_deck_that_does_not_fit_the_game_is_refused_in_one_sentence(
    given: list[str], tmp_path: Path
) -> None:
    if "--deck" not in given:
        small = tmp_path / "small.csv"
        small.write_text("code;name;Preis\nbest;;high\nA1;Eins;1\nA2;Zwei;2\nA3;Drei;3\n", "utf-8")
        given = [*given, "--game", "gastro", "--deck", str(small)]
    done = CliRunner().invoke(schiri, ["demo", *given, "--db", str(tmp_path / "schiri.db")])
    assert isinstance(done.exception, UserError)
    assert "the game cannot be played with this deck" in str(done.exception)


@pytest.mark.parametrize("game", ["cafe", "cafe-app"])
def test_bots_that_the_game_does_not_offer_are_refused_in_one_sentence(
    game: str, tmp_path: Path
) -> None:
    database = tmp_path / "schiri.db"
    arguments = ["demo", "--game", game, "--robots", "strong", "--db", str(database)]
    done = CliRunner().invoke(schiri, arguments)
    assert isinstance(done.exception, UserError)
    sentence = "no bot of this game plays strong; choose one of these: easy, medium"
    assert str(done.exception) == sentence
    assert not database.exists()
    assert choose_game(game, None, None, None, "medium").game == "cafe"


@pytest.mark.parametrize("seed", ["-1", "16777216"])
def test_a_seed_has_the_three_bytes_of_a_box_id(seed: str) -> None:
    done = CliRunner().invoke(schiri, ["demo", "--seed", seed])
    assert done.exit_code == 2
    assert f"{seed} is not in the range 0<=x<=16777215" in done.output


def test_too_many_seats_end_in_one_sentence(tmp_path: Path) -> None:
    arguments = ["demo", "--game", "hattrick", "--seats", "7", "--db", str(tmp_path / "schiri.db")]
    program = Path(sys.executable).with_name("schiri")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "schiri: --seats 7: this game has 3 to 6\n"


def test_deck_and_preset_choose_each_other() -> None:
    assert choose_game(None, "gastro", None, None).preset == "gastro"
    assert choose_game(None, None, "kneipe", None).deck == "kneipe"
    assert choose_game(None, None, None, None).preset == "swiss"
    assert choose_game("quartett", "berge", None, 4).deck == "berge"
