"""Every command's help has an example, and the example is one that the command takes."""

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cli import COMMANDS, NAME, main, schiri
from host_tools.core import helps, places
from host_tools.core.command_line import SharedOption, taken_by
from host_tools.core.texts import read
from host_tools.store import open_store
from tests.german import german_faults
from tests.support.hall_day import open_day


def commands(command: click.Command, above: click.Context | None) -> Iterator[click.Context]:
    """The context of everything that can be called."""
    name = command.name if above else "schiri"
    context = command.context_class(command, above, name, help_option_names=["-h", "--help"])
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            found.name = each
            yield from commands(found, context)
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield context


ALL = {context.command_path: context for context in commands(schiri, None)}


def run_python(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=60
    )


def words_of_the_example(context: click.Context) -> list[str]:
    """What follows the command's name in the first example of its help."""
    text = re.sub(r"\s+ARGS?$", "", context.command_path)
    lines = (context.command.help or "").splitlines()
    found = [line.strip() for line in lines if f"{line.strip()} ".startswith(f"{text} ")]
    found += re.findall(rf"`({re.escape(text)}\b[^`]*)`", context.command.help or "")
    assert found, f"{text} --help shows no example"
    return shlex.split(found[0], comments=True)[len(text.split()) :]


def test_every_help_has_an_example_that_the_command_takes() -> None:
    for path, context in ALL.items():
        command = context.command
        given, rest, _ = command.make_parser(context).parse_args(words_of_the_example(context))
        missing = [
            parameter.name
            for parameter in command.params
            if parameter.required and not given.get(parameter.name or "")
        ]
        assert missing == [], path
        # a group's rest is its commands'
        assert rest == [] or isinstance(command, click.Group), path


# What these say is that they did it; a simulated board draws, a transcript is data already.
ACTING = """
boards new, boards put, box backup, box restore, box update, decks edit, demo,
desk, desk user remove, desk user set, hall broker, keys export,
keys import, keys new, keys publish, keys remove, keys retire, keys use, play, provision
badges, provision deck, provision guests, provision hall, provision hattrick, provision jury,
provision labels, provision lock, provision tables, provision undo, tag erase,
tournament print,
twin box, twin reader, twin tag
"""


def test_every_command_that_tells_something_tells_it_to_programs_too() -> None:
    def is_silent(context: click.Context) -> bool:
        options = [
            option
            for option in context.command.get_params(context)
            if not isinstance(option, SharedOption) or option.name in taken_by(context.command)
        ]
        return not any({"--json", "--json-lines"} & set(option.opts) for option in options)

    silent = {path for path, context in ALL.items() if is_silent(context)}
    assert silent == {f"schiri {name}" for name in " ".join(ACTING.split()).split(", ")}


def test_an_option_of_a_group_is_declared_once() -> None:
    """None of its commands has another of the same name and the same help."""
    again = [
        (path, option.opts[0])
        for path, context in ALL.items()
        for group in parents(context)
        for shared in group.command.params
        for option in context.command.params
        if isinstance(shared, SharedOption) and context.command is not group.command
        if shared.opts == option.opts and shared.help == getattr(option, "help", "")
    ]
    assert again == []


def parents(context: click.Context) -> Iterator[click.Context]:
    while context.parent is not None:
        context = context.parent
        yield context


def told(*words: str) -> str:
    done = CliRunner().invoke(schiri, words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    "words",
    [
        "tournament players -t {id} --json",
        "tournament -t {id} players --json",
        "--json tournament -t {id} players",
        "--db {db} --json tournament players -t {id}",
        "tournament --db {db} -t {id} players --json",
    ],
)
def test_a_shared_option_may_stand_before_or_after_the_command(words: str, stored: Path) -> None:
    given = words.format(id="quartett-meisterschaft-zurich", db=places.database()).split()
    assert len(json.loads(told(*given))) == 4


@pytest.mark.parametrize(
    "words", ["--db x doctor", "tournament --by Jury players", "box --by me list"]
)
def test_a_shared_option_without_effect_is_refused(
    words: str, stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert "no such option --" in capsys.readouterr().err


def test_a_switch_and_a_flag_reach_the_command_from_its_group(stored: Path) -> None:
    plain = told("provision", "deck", "berge", "--dry-run", "--no-seal", "--only", "A1")
    assert told("provision", "--no-seal", "--dry-run", "--only", "A1", "deck", "berge") == plain
    assert plain.count("\n") == told("provision", "--dry-run", "deck", "berge").count("\n")


def test_help_names_the_shared_options_in_a_line_and_the_group_explains_them() -> None:
    of_command = " ".join(told("tournament", "standings", "--help").split())
    assert (
        "Also takes --tournament (`schiri tournament --help`), --lang, --db, --json"
        " (`schiri --help`)." in of_command
    )
    assert "Database file or URL" not in of_command
    assert "Database file or URL, or practice" in told("--help")


def test_a_file_that_is_written_is_an_option_of_one_name() -> None:
    """-o and --output: nobody has to remember which command takes it as a word of its own."""
    odd = {"--out", "--output", "-o", "output", "OUTPUT"}
    found = {
        path: {*param.opts, param.metavar}
        for path, context in ALL.items()
        for param in context.command.params
        if odd & {*param.opts, param.metavar} and {*param.opts} != {"-o", "--output"}
    }
    assert found == {}
    written = [p for p in ALL if any("-o" in q.opts for q in ALL[p].command.params)]
    # two each of keys, tournament, three of box, six of cards, one of decks, firmware, provision,
    # tag
    assert len(written) == 17, written


def test_the_walk_finds_the_commands() -> None:
    assert {"schiri sync", "schiri tournament new", "schiri twin box", "schiri results"} <= set(
        ALL
    )


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a key, a deck of its own, a tournament and a box."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("SCHIRI_KEYS", "SCHIRI_DATABASE_URL", "SCHIRI_DECKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    save_keys(KeyRing([LeagueKey("league-2026", bytes(range(32)))]), places.keys())
    places.files_of("deck").mkdir(parents=True)
    (places.files_of("deck") / "autos.csv").write_text("Code,PS\nA1,3\n")
    open_day(str(places.database()), players=4, ko_size=2).close()
    with closing(sqlite3.connect(places.database())) as database, database:
        box = ("b0c5", "", "", "2026-01-01", "2026-01-01")
        database.execute("INSERT INTO boxes VALUES (?, ?, ?, ?, ?)", box)
    return tmp_path


def completed(*words: str) -> list[str]:
    """What bash is told by the real program: a line each, `plain,league-2026`."""
    line = {"_SCHIRI_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words)}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "schiri")],
        env={**os.environ, **line, "COMP_CWORD": str(len(words) - 1)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return list(filter(None, done.stdout.splitlines()))


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("schiri doc", ["plain,doctor"]),
        ("schiri sync --po", ["plain,--port"]),
        ("schiri decks show a", ["plain,autos"]),
        ("schiri cards deck nosuch", ["file,nosuch"]),
        ("schiri play --deck b", ["plain,berge"]),
        ("schiri boards show cafe_", ["plain,cafe_app"]),
        ("schiri keys retire le", ["plain,league-2026"]),
        ("schiri provision guests --key le", ["plain,league-2026"]),
        ("schiri tournament players -t q", ["plain,quartett-meisterschaft-zurich"]),
        ("schiri tournament --db nowhere.db players -t q", []),
        ("schiri tournament players --db nowhere.db -t q", []),
        ("schiri tournament players --db postgresql://away/x -t q", []),
        ("schiri tournament give A-1 --box b", ["plain,b0c5"]),
    ],
)
def test_the_shell_completes_commands_options_and_names(
    words: str, answers: list[str], stored: Path
) -> None:
    assert completed(*words.split()) == answers


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\x00\xff" * 900, b'{"keys": [1]}'])
def test_what_cannot_be_read_has_no_names(text: bytes, stored: Path) -> None:
    places.keys().write_bytes(text)
    places.database().write_bytes(text)
    assert completed("schiri", "keys", "use", "") == []
    assert completed("schiri", "tournament", "log", "-t", "") == []


# -- in other languages ---------------------------------------------------------------------------

GERMAN = read(helps.FOLDER / "de.po")[""]


def option_helps(command: click.Command) -> list[str]:
    return [one.help or "" for one in command.params if isinstance(one, click.Option)]


def help_texts() -> Iterator[str]:
    """Every paragraph that `--help` says in its own words."""
    yield from helps.FRAME
    for context in {
        id(c.command): c for path in ALL.values() for c in (path, *parents(path))
    }.values():
        for text in filter(None, (context.command.help, context.command.epilog)):
            yield from filter(is_said, helps.paragraphs(text))
        yield from option_helps(context.command)


def is_said(paragraph: str) -> bool:
    """Not one that holds only calls to be copied, a line each, and no comment."""
    lines = paragraph.removeprefix(helps.AS_IT_STANDS).splitlines()
    return not all(line.startswith("schiri ") and " # " not in line for line in lines)


WANTED = {text.removeprefix(helps.AS_IT_STANDS) for text in help_texts()} - {""}


def test_every_help_is_there_in_german_and_nothing_else() -> None:
    assert len(WANTED) > 400
    assert sorted(WANTED - {*GERMAN}) == []
    assert sorted({*GERMAN} - WANTED) == []
    assert {text for text, german in GERMAN.items() if text == german} == set()


def test_a_command_and_its_options_say_their_help_in_german() -> None:
    """By the program as it runs, in lines that are long enough for any sentence."""
    settings = {"max_content_width": 9999, "terminal_width": 9999}
    for path, context in ALL.items():
        words = [*re.sub(r"\s+ARGS?$", "", path).split()[1:], "--help"]
        done = CliRunner().invoke(schiri, ["--lang", "de", *words], prog_name=NAME, **settings)
        assert done.exit_code == 0
        assert done.output.startswith("Aufruf: schiri")
        said, real = " ".join(done.output.split()), context.command
        for text in [*helps.paragraphs(real.help or "")[:1], *option_helps(real)]:
            assert text == "" or text not in said, path
            assert " ".join(GERMAN.get(text, "").split()) in said, path


CODE = re.compile(
    r"`[^`]*`|--[a-z][\w-]*|\b\w+\.(?:md|json|toml|csv|zip)\b|\b\d[\d.:]*\b|\b[A-Z][A-Z_\d]{2,}"
)
PAGE_OF = {"turnier.md": "tournament.md"}
"""A page of the documentation that is there in German."""


def codes(text: str) -> set[str]:
    """What is the same in every language: calls, options, files, numbers, words in capitals."""
    return {PAGE_OF.get(each, each) for each in CODE.findall(text.replace("WLAN", "Wi-Fi"))}


def test_german_helps_are_right_german() -> None:
    """Nobody is told du (docs/GLOSSARY.md), and what is code stays."""
    texts = {*GERMAN} - {*helps.FRAME}
    found = {text: faults for text in texts if (faults := faults_of(text, GERMAN[text]))}
    assert found == {}


def faults_of(text: str, german: str) -> list[str]:
    found = german_faults(german)
    found += re.findall(r"\b(?:du|dir|dich|dein\w*|Ihnen)\b", german)
    found += sorted(codes(german) ^ codes(text))
    if (text[-1] == ".") != (german[-1] == "."):
        found.append("full stop")
    return found


@pytest.mark.parametrize(
    ("text", "german", "faults"),
    [
        ("Keep `box status`.", "Behält `box status`.", []),
        ("Keep `box status`.", "Behält `box state`.", ["`box state`", "`box status`"]),
        ("Keep 5.", "Du behältst 5", ["full stop"]),
        ("Keep yours.", "Behalte du das.", ["du"]),
    ],
)
def test_a_help_that_is_wrong_is_found(text: str, german: str, faults: list[str]) -> None:
    assert faults_of(text, german) == faults


@pytest.mark.parametrize(
    ("words", "locale", "said"),
    [
        ("--lang de box --help", "C", "Aufruf: schiri box [OPTIONEN] BEFEHL"),
        ("box --help", "de_DE.UTF-8", "Aufruf: schiri box [OPTIONEN] BEFEHL"),
        ("--lang en box --help", "de_DE.UTF-8", "Usage: schiri box [OPTIONS] COMMAND"),
        ("box --help", "fr_FR.UTF-8", "Usage: schiri box [OPTIONS] COMMAND"),
        ("doctor --lang de -h", "C", "Was von dem da ist"),
        ("box", "de_DE.UTF-8", "Eine Box betreuen"),
        ("", "de_DE.UTF-8", "Schiedsrichter-Box für Kartentische,"),
        ("--lang de box set -x", "C", "Aufruf: schiri box set [OPTIONEN]\n"),
        ("--lang de dsk", "C", "Aufruf: schiri [OPTIONEN] BEFEHL [ARGUMENTE]…\n"),
        ("box sounds --help", "de_CH.UTF-8", "was es heisst"),
        ("keys export", "de_DE.UTF-8", "schiri: -o / --output fehlt."),
    ],
)
def test_help_is_in_the_language_asked_for_else_in_that_of_the_locale(
    words: str,
    locale: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    read.cache_clear()  # a program reads its catalogues in one spelling of German
    with pytest.raises(SystemExit):
        main(words.split())
    read.cache_clear()
    assert said in "".join(capsys.readouterr())


def test_no_line_of_a_list_of_commands_is_cut_off() -> None:
    for context in {id(c): c for path in ALL.values() for c in parents(path)}.values():
        assert "..." not in context.get_help().partition("Commands:")[2]


@pytest.mark.parametrize("place", COMMANDS.values())
def test_the_list_of_commands_is_taken_from_their_docstrings(place: str) -> None:
    name = next(name for name, one in COMMANDS.items() if one == place)
    context = click.Context(schiri, info_name=NAME)
    found = schiri.get_command(context, name)
    assert found is not None
    assert schiri.summary(context, name) == helps.paragraphs(found.help or "")[0]


def test_every_option_has_a_line_of_help() -> None:
    def lacks(option: click.Parameter) -> bool:
        return isinstance(option, click.Option) and not (option.help or option.hidden)

    options = [(path, option) for path in ALL for option in ALL[path].command.params]
    assert [(path, option.opts) for path, option in options if lacks(option)] == []


@pytest.mark.parametrize("words", ["--help", "-h tournament", "tou"])
def test_the_list_of_all_commands_loads_none(words: str) -> None:
    """What makes `schiri --help` and Tab quick; `make bench` measures how quick."""
    program = """
import os, sys
from host_tools.cli import main
if sys.argv[1] == "tou":
    sys.argv[1:] = []
    os.environ |= {"_SCHIRI_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    os.environ["COMP_WORDS"] = "schiri tou"
try:
    main(sys.argv[1:])
finally:
    assert "host_tools.commands.options" not in sys.modules  # every command imports it
"""
    done = run_python(program, *words.split())
    assert (done.returncode, done.stderr) == (0, "")
    assert "schiri" in done.stdout or "tournament" in done.stdout


HEAVY = ("sqlalchemy", "starlette", "uvicorn", "fpdf")
"""Each takes as long to load as a help may take in all."""


def test_no_help_loads_what_only_the_command_needs() -> None:
    program = """
import sys
import click
from host_tools.cli import schiri
def look(command, context):
    command.get_help(context)
    assert not [name for name in sys.argv[1:] if name in sys.modules], context.command_path
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            look(found, type(context)(found, parent=context, info_name=name))
look(schiri, schiri.context_class(schiri, info_name="schiri"))
"""
    done = run_python(program, *HEAVY)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", ["desk user list", "hall check"])
def test_help_below_a_command_that_is_a_group_loads_nothing_heavy(words: str) -> None:
    """The group runs before its command, and could start to load what it serves."""
    program = """
import sys
from host_tools.cli import main
words = sys.argv[1].split()
heavy = sys.argv[2:]
try:
    main([*words, "--help"])
finally:
    assert not [name for name in heavy if name in sys.modules]
"""
    done = run_python(program, words, *HEAVY)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_looks_like_help_and_is_a_value_goes_to_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    with pytest.raises(SystemExit):
        main(["keys", "new", "first"])
    with pytest.raises(SystemExit) as ended:
        main(["keys", "export", "-o", str(tmp_path / "out"), "--name", "-h"])
    assert ended.value.code == 2
    assert "is called -h" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("dsk", "schiri: no such command dsk. Did you mean desk?"),
        ("--lang de dsk", "schiri: Den Befehl dsk gibt es nicht. Gemeint ist vielleicht desk."),
        ("tournament print slips", "schiri: -o / --output is missing."),
        ("desk --prot 8", "no such option --prot. Did you mean --host, --port?"),
        ("--lang de keys new", "schiri: NAME fehlt. `schiri keys new --help` sagt mehr."),
        ("desk --port abc", "invalid value for --port: 'abc' is not a valid integer range."),
        (
            "--lang=de desk --port 99999",
            "Ungültiger Wert für --port: 99999 liegt nicht im Bereich",
        ),
    ],
)
def test_a_call_that_is_wrong_is_told_in_one_sentence(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    usage, _, told = capsys.readouterr().err.partition("\n")
    assert usage.startswith("Aufruf: schiri" if "--lang" in words else "Usage: schiri")
    assert sentence in told


def test_a_call_that_is_wrong_is_data_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["replay", "--jsn", "--json", "x"])
    assert ended.value.code == 2
    told = json.loads(capsys.readouterr().err)
    assert told["code"] == "usage"
    assert told["fields"]["detail"]["fields"] == {"name": "--jsn", "ids": ["--json"]}


def test_a_desk_loads_nothing_that_only_few_desks_need(tmp_path: Path) -> None:
    """It has ten seconds to show what it shows: neither migrations of a database that is new
    enough nor the software box.
    """
    program = """
import gc, sys
import click
from host_tools.cli import schiri
from host_tools.store import open_store
schiri.get_command(click.Context(schiri), "desk")
assert gc.isenabled()
open_store(sys.argv[1], reads=True).close()
assert not {"alembic", "mako", "hardware.twin.box"} & set(sys.modules)
"""
    database = str(tmp_path / "day.db")
    open_store(database).close()
    done = run_python(program, database)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_but_the_box_on_a_pseudo_terminal_needs_a_module_that_windows_lacks() -> None:
    """pyserial chooses its own by the system, so it is there before they are hidden."""
    program = """
import importlib, pkgutil, sys
import serial.tools.list_ports
hidden = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
sys.modules.update(dict.fromkeys(hidden))
import host_tools
failed = []
for module in pkgutil.walk_packages(host_tools.__path__, "host_tools."):
    if ".engine.replay_main" in module.name:  # MicroPython's
        continue
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        failed.append(f"{module.name}: {error.name}")
print(*failed, sep="; ")
"""
    done = run_python(program)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "host_tools.sim.twin.pty_line: pty\n"
