"""Every example of a help is run, in process, and comes to what the help promises: on stages that
are made once, of which each example has a copy.
"""

import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result
from serial.tools import list_ports

from firmware.app.flash import Flash
from firmware.rules import answers
from host_tools.cards.decks import deck_path
from host_tools.cards.public_keys import SigningKey, fingerprint, load_desk_key
from host_tools.cli import schiri
from host_tools.core import helps, places
from host_tools.core.errors import UserError
from host_tools.core.texts import read
from host_tools.games import GAMES, remove_game
from host_tools.games.cafe.boards import BOARDS
from host_tools.sim.tournament.simulated_boxes import SimulatedBox
from host_tools.store import open_store
from host_tools.tournament.actions import knockout, matches
from host_tools.tournament.collecting import Collector
from host_tools.tournament.service import TournamentService, command
from tests.host.test_help import ALL
from tests.host.test_hints import ROOT, examples_in, spellings
from tests.host.tournament.test_incoming import stranger_plays
from tests.support.memory_box import MemoryBox, play

SERVES = "serves until it is stopped: test_stopping.py"
NOT_RUN = {
    "desk": SERVES,
    "desk --host": SERVES,
    "hall": SERVES,
    "hall --host": SERVES,
    "hall --broker": SERVES,
    "hall broker": SERVES,
    "hall receive": SERVES,
    "play": SERVES,
    "twin": SERVES,
    "decks edit": SERVES,
    "box report": "packs the reports and photos of a box: test_first_bench.py",
    "boards new": "asks for every table and chair: tests/rules/test_board_files.py",
    "tournament publish … --follow": "… is the reader's own web space: test_publishing.py",
    "tournament publish www --follow": SERVES,
    "tournament collect --check --watch": SERVES,
    "tournament checkin --badges": "needs a reader: test_tournament_commands.py",
    "firmware": "compiles for a minute: tests/test_image.py, test_signed_firmware.py",
    "games my_game": "the reader's own: tests/host/test_game_checks.py",
    "demo": "plays a whole match: test_demo.py",
    "decks balance": "plays 200 matches: test_deck_balance.py",
    "tournament simulate": "plays a whole day: test_simulation.py",
    "doctor": "says what this machine has: test_fresh_machine.py",
    "verify https://league.example/verify#cM…": "… is left out of the link: test_verify.py",
}
"""Beginnings of examples, and why they are not run."""

STAGES: dict[str, tuple[str, list[str]]] = {
    "keys": ("files", ["keys new league-2025", "keys new try-out", "keys new league-2026"]),
    "entered": (
        "files",
        [
            'tournament new "Zürich Cup" --tables 16 --ko-size 16 --deck berge',
            "tournament import players.csv",
        ],
    ),
    "drawn": (
        "entered",
        ["tournament checkin --all", "tournament draw --size 4", "tournament call A-1 B-1"],
    ),
    "a result": ("drawn", ["tournament enter A-1 20:12"]),
    "groups": ("drawn", ["(all groups)"]),
    "tree": ("groups", ["tournament lot --draw", "tournament ko --draw"]),
    "semi-finals": ("tree", ["(all but the final)"]),
    "final": ("semi-finals", ["tournament enter KF 20:12"]),
    "swiss": (
        "entered",
        ["tournament mode --mode swiss --rounds 7", "tournament checkin --all", "tournament draw"],
    ),
    "tables": (
        "files",
        [
            "tournament new Evening --mode tables --seats 4 --tables 6",
            *(f"tournament add {name}" for name in ("Anna", "Ben", "Cleo", "Dan")),
            "tournament checkin --all",
            "tournament draw",
            "tournament pair",
            "tournament enter R1-1 --places 'Anna = Ben = Cleo = Dan'",
            "tournament pair",
        ],
    ),
    "protest": (
        "drawn",
        [
            "tournament enter A-3 20:12",
            "tournament jury protest Anna seen --match A-3 --deposit -",
        ],
    ),
    "penalty": ("drawn", ["tournament jury penalize Ben late --match A-3 --cards 10"]),
    "stranger": ("drawn", ["(a stranger)"]),
    "present": ("entered", ["tournament checkin --all"]),
    "no Anna": ("entered", ["tournament remove p001"]),
    "named": ("files", ["tournament new Cup"]),
    "practice": ("files", ["tournament new 'Probelauf 32 1' --db practice"]),
    "reported": ("drawn", ["(two matches at a box)"]),
    "handed on": (
        "files",
        [
            "keys new league-2026",
            "keys export -o league.key",
            "keys remove league-2026 --sure",
        ],
    ),
    "no players": (
        "proof",
        ["tournament delete zurich-cup --yes --force", "tournament new Empty"],
    ),
    "removed": ("entered", ["tournament remove p017 --why twice"]),
    "paired": ("swiss", ["tournament pair"]),
    "pausing": ("swiss", ["tournament pause p017"]),
    "withdrawn": ("drawn", ["tournament withdraw p017 --why ill"]),
    "a report": ("drawn", ["tournament enter A-1 20:12"]),
    "level": ("groups", ["tournament lot --draw"]),
    "two cups": ("files", ["tournament new 'Cup 2025'", "tournament new 'Cup 2026'"]),
    "stored": ("files", ["(a stored match)"]),
    "a hall": (
        "keys",
        [
            "(an enrolled box)",
            "hall setup --folder hall --boxes boxes.txt --wifi Boxes --broker 192.168.1.10",
        ],
    ),
    "enrolled": ("files", ["(an enrolled box)"]),
    "proof": (
        "a result",
        [
            "tournament export --format proof -o cup.ndjson",
            "tournament export --format proof -o cup.proof",
            "tournament export -o event.json",
            "(an enrolled box)",
            "keys publish -o keys.json",
        ],
    ),
}
"""What a stage is made of: another one, and calls; in brackets what no call does."""

AT = {
    "keys": "keys",
    "keys new": "files",
    "keys import": "handed on",
    "provision": "keys",
    "tournament": "drawn",
    "tournament new": "files",
    "tournament import": "named",
    "tournament import event.json": "no players",
    "tournament draw": "present",
    "tournament edit": "no Anna",
    "tournament mode": "entered",
    "tournament remove": "entered",
    "tournament remove p017 --undo": "removed",
    "tournament delete": "entered",
    "tournament delete probelauf-32-1": "practice",
    "tournament pair": "swiss",
    "tournament pair --undo": "paired",
    "tournament pause": "swiss",
    "tournament pause p017 --back": "pausing",
    "tournament withdraw p017 --undo": "withdrawn",
    "tournament check A-1": "reported",
    "tournament correct": "a result",
    "tournament take-back": "a report",
    "tournament lock": "a result",
    "tournament undo": "a result",
    "tournament lot": "groups",
    "tournament ko --draw": "level",
    "tournament ko --json": "proof",
    "tournament standings --json": "proof",
    "tournament verify": "proof",
    "tournament restore": "proof",
    "tournament call --round": "tree",
    "tournament enter KF": "semi-finals",
    "tournament enter R2-1": "tables",
    "tournament forget": "final",
    "tournament jury decide": "protest",
    "tournament jury penalize 44": "penalty",
    "tournament unplaced": "stranger",
    "tournament ratings": "two cups",
    "verify": "proof",
    "results": "stored",
    "box revoke": "enrolled",
    "box revoke 3f2a 90c1 7d04 55be --hall": "a hall",
}
"""On which stage the examples are run that begin so; "files" where nothing is said."""
REFUSED = {
    "boards put": "did not take the board: mpremote: failed to access",
    "box restore": "box-3.json: cannot be read",
    "tournament forfeit": r"seconds are left of the two minutes \(SW-7\)",
}
"""What an example is refused with: on this stage that is what its help says."""
TYPED = {
    "box revoke": "y\n",
    "provision hall": "secret123\n",
    "tournament delete zurich-cup": "Zürich Cup\n",
}
NEEDS_A_BOX = "there is no port|no box is plugged in"
"""What an example for a box is refused with, so far as it comes without one."""
FOR_A_BOX = (
    "boards put",
    "box",
    "provision",
    "slip --port",
    "sync",
    "tag",
    "tournament give A-1 --port",
)


def all_examples() -> list[tuple[str, ...]]:
    found = [text for one in ALL.values() for text in examples_in(one.command.help or "")]
    return list(dict.fromkeys(tuple(spelt[1:]) for text in found for spelt in spellings(text)))


def beginning(words: Iterable[str], known: Iterable[str]) -> str:
    """The longest of those known with which these words begin; "" if none."""
    text = " ".join(words) + " "
    return max((one for one in known if text.startswith(f"{one} ")), key=len, default="")


class Stages:
    """Folders, each made when an example asks for it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._made, self._home = folder / "made", folder / "home"
        for name in ("DATA", "CONFIG", "STATE"):
            monkeypatch.setenv(f"XDG_{name}_HOME", str(self._home / name))
        monkeypatch.setenv("SCHIRI_KEYS", str(self._home / "league-keys.json"))
        self._home.mkdir()
        monkeypatch.chdir(self._home)
        write_files(self._home)
        shutil.copytree(self._home, self._made / "files")

    def stand_on(self, stage: str) -> None:
        """The home is as the stage has it."""
        made = self._made / stage
        if not made.exists():
            before, calls = STAGES[stage]
            self.stand_on(before)
            for call in calls:
                if call in OTHERWISE:
                    OTHERWISE[call]()
                else:
                    done = run(of_this_day(shlex.split(call)))
                    assert done.exception is None, f"{call}: {done.exception!r}"
            shutil.copytree(self._home, made)
            return
        for path in self._home.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(made, self._home, dirs_exist_ok=True)


def run(words: Iterable[str], typed: str = "") -> Result:
    return CliRunner().invoke(schiri, list(words), input=typed)


def write_files(folder: Path) -> None:
    """What the reader of a help has in the folder: `my-deck.csv` and the like."""
    people = ("Anna Egli", "Ben", "Anna", "Cleo", "Dan")
    rows = [f"p{n:03},{name},Bern" for n, name in enumerate(people, 1)]
    rows += [f"p{n:03},Player {n},Club {n % 5}" for n in range(len(people) + 1, 21)]
    for name, text in {
        "players.csv": "\n".join(["id,name,club", *rows]),
        "results.txt": "B-1 20 12\n",
        "autos.csv": "code,name,kmh\n" + "".join(f"A{n},Car {n},{n}\n" for n in range(1, 9)),
        "boxes.txt": "e660583883724a32 3\n",
        "cert.pem": "-\n",
        "key.pem": "-\n",
    }.items():
        (folder / name).write_text(text)
    deck = "code;name;speed\nbest;;high\nA1;Beetle;100\nA2;Duck;90\n"
    (folder / "my-deck.csv").write_text(deck)
    shutil.copyfile(BOARDS.path("cafe"), folder / "my-board.toml")
    shutil.copytree(ROOT / "examples/doubt", folder / "examples/doubt")
    shutil.copyfile(deck_path("berge"), folder / "my-deck.toml")
    transcript = ROOT / "tests/transcripts/trumpf/cl01-pause.ndjson"
    shutil.copyfile(transcript, folder / "match.ndjson")
    play(MemoryBox(Flash(str(folder / "flash")), key=BOX_KEY).journal)
    shutil.copyfile(folder / "flash/m000001.end", folder / "m000001.end")


def service() -> TournamentService:
    return TournamentService.open(str(places.database()))


BOX_KEY = SigningKey(bytes(31) + b"\x07")
PLAYER = re.compile(r"p\d{3}|Anna|Ben")
MATCH = re.compile(r"[A-E]-\d|KF")


def of_this_day(words: Sequence[str]) -> list[str]:
    """The words with what only a day knows: who plays there, who is level, and numbers."""
    said = list(words)
    if said[:2] == ["tournament", "lot"] or MATCH.search(" ".join(said)):
        with closing(service()) as day:
            known = {**day.state.matches, **{m.id: m for m in day.state.ko_matches()}}
            at = [known[word].b for word in said if MATCH.fullmatch(word)]
            level = knockout.cut_ties(day.state)[0] if "p004" in said and not at else []
        if level:
            said[2:4] = level
        who = iter(at)
        said = [next(who, word) if PLAYER.fullmatch(word) else word for word in said]
    for number in {"41", "44", "3fa9c1"} & {*said}:
        with closing(service()) as day:
            tasks = [task.journal[:6] for task in day.state.to_place()]
            of_jury = [str(note.seq) for note in day.state.notes.values()]
        said[said.index(number)] = (tasks if number == "3fa9c1" else of_jury)[0]
    desk = load_desk_key()
    if "0123 4567 89ab cdef" in said and desk is not None:
        said[said.index("0123 4567 89ab cdef")] = fingerprint(desk.public)
    return [word.replace("3f2a 90c1 7d04 55be", fingerprint(BOX_KEY.public)) for word in said]


def _enter(day: TournamentService, match: str) -> None:
    day.do("desk", "", command(matches.enter, match, (20, 12), "played", None))


def _all_groups() -> None:
    with closing(service()) as day:
        for match in list(day.state.matches):
            _enter(day, match)


def _all_but_the_final() -> None:
    with closing(service()) as day:
        while todo := [m for m in day.state.ko_matches() if m.status == "open" and m.id != "KF"]:
            _enter(day, todo[0].id)


def _a_stranger() -> None:
    with closing(service()) as day:
        stranger_plays(day)
        Collector(day, "box").collect()


def _two_matches_at_a_box() -> None:
    with closing(service()) as day:
        box = SimulatedBox(1, Random(3))
        for match in ("A-1", "A-2"):
            box.play(day.state, day.state.matches[match])
        box.upload(day.store)
        Collector(day, "desk").collect()


def _a_stored_match() -> None:
    with closing(open_store(str(places.database()))) as store:
        store.add(Path("m000001.end").read_bytes())


def _an_enrolled_box() -> None:
    with closing(open_store(str(places.database()))) as store:
        store.enrolled.enrol("b0c5", BOX_KEY.public, "Ada")


OTHERWISE: dict[str, Callable[[], None]] = {
    "(all groups)": _all_groups,
    "(all but the final)": _all_but_the_final,
    "(two matches at a box)": _two_matches_at_a_box,
    "(a stranger)": _a_stranger,
    "(a stored match)": _a_stored_match,
    "(an enrolled box)": _an_enrolled_box,
}


def test_a_german_help_has_the_examples_of_the_english_one() -> None:
    texts = read(helps.FOLDER / "de.po")[""].values()
    german = [spelt[1:] for text in texts for ex in examples_in(text) for spelt in spellings(ex)]
    assert german
    assert {tuple(words) for words in german} <= {*all_examples()}


def fault(words: tuple[str, ...], no_box: str) -> str:
    """What an example does otherwise than its help says; "" if nothing."""
    given = [word.replace("/dev/ttyACM0", no_box) for word in of_this_day(words)]
    typed = TYPED.get(beginning(words, TYPED), "")
    done = run(given, Path("event.json").read_text() if given[-1] == "-" else typed)
    if done.exception is None:
        return "done, though it should be refused" if beginning(words, REFUSED) else ""
    expected = REFUSED.get(beginning(words, REFUSED), NEEDS_A_BOX)
    is_named = isinstance(done.exception, UserError)
    if is_named and re.search(expected, str(done.exception)):
        return "" if beginning(words, [*REFUSED, *FOR_A_BOX]) else "looks for a box"
    return f"{done.exception!r} {done.output[-300:]}"


@pytest.fixture
def no_game_stays() -> Iterator[None]:
    """A game that an example adds is gone again for the tests that follow in this process."""
    known, events = set(GAMES), list(answers._EVENTS)
    yield
    for name in set(GAMES) - known:
        remove_game(name)
    answers._EVENTS[:] = events
    answers._BEFORE.clear()


@pytest.mark.usefixtures("no_game_stays")
def test_every_example_comes_to_what_its_help_promises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_ports, "comports", list)  # no box, whatever is plugged in
    stages, wrong = Stages(tmp_path, monkeypatch), {}
    to_run = [words for words in all_examples() if not beginning(words, NOT_RUN)]
    for words in to_run:
        stages.stand_on(AT.get(beginning(words, AT), "files"))
        if why := fault(words, str(tmp_path / "no-box")):
            wrong[" ".join(words)] = why
    assert wrong == {}
    assert len(to_run) > 150


def test_every_row_is_of_an_example() -> None:
    """A row that nothing begins with is left over from an example that is gone."""
    for rows in (NOT_RUN, AT, REFUSED, TYPED, FOR_A_BOX):
        used = {beginning(words, rows) for words in all_examples()}
        assert {*rows} - used == set()
