"""What would be accepted and do nothing is refused: options that need another one, names that
nothing has, numbers that no hall has.
"""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from host_tools.cli import main, schiri
from host_tools.commands.verify import Fingerprint
from host_tools.core import places
from host_tools.core.command_line import OptionPairing, pairings_of
from host_tools.core.errors import UserError
from host_tools.tournament import events as ev
from host_tools.tournament.service import TournamentService
from tests.host.test_help import ALL

RULES = [
    (path, pairing)
    for path, context in ALL.items()
    for pairing in pairings_of(context.command.callback)
]


def say(*words: str) -> Result:
    return CliRunner().invoke(schiri, words)


def key_of(result: Result) -> str:
    return result.exception.sentence.key if isinstance(result.exception, UserError) else ""


# -- options without effect -----------------------------------------------------------------------


def words_for(context: click.Context, called: str) -> list[str]:
    """An option, or an argument, with a value that it takes."""
    for parameter in context.command.get_params(context):
        if isinstance(parameter, click.Argument):
            if parameter.human_readable_name == called:
                return [_value(parameter)]
        elif called in (*parameter.opts, *parameter.secondary_opts):
            flag = isinstance(parameter, click.Option) and parameter.is_flag
            return [called] if flag else [called, _value(parameter)]
    raise AssertionError(f"{context.command_path} has no {called}")


def _value(parameter: click.Parameter) -> str:
    kind = parameter.type
    if isinstance(kind, click.Choice):
        return str(next(iter(kind.choices)))
    if isinstance(kind, click.DateTime):
        return "09-01"
    if isinstance(kind, Fingerprint):
        return "0123 4567 89ab cdef"
    number = isinstance(kind, click.types.IntParamType | click.types.FloatParamType)
    return "1" if number else "x"


def refused(path: str, pairing: OptionPairing, other: str) -> UserError:
    context, command = ALL[path], ALL[path].command
    words = words_for(context, pairing.option) + (words_for(context, other) if other else [])
    needed = [
        _value(one)
        for one in command.params
        if isinstance(one, click.Argument)
        and one.required
        and one.human_readable_name not in (pairing.option, other)
    ]
    for one in command.params:
        if isinstance(one, click.Option) and one.required:
            needed += words_for(context, one.opts[0])
    group = isinstance(command, click.Group)
    call = [word for word in path.split()[1:] if word.islower()]
    done = say(*call, *needed, *words) if not group else say(*call, *words)
    assert isinstance(done.exception, UserError), (path, pairing, done.output)
    return done.exception


@pytest.mark.parametrize(
    ("path", "pairing"), RULES, ids=[f"{path} {pairing.option}" for path, pairing in RULES]
)
def test_an_option_without_effect_is_refused(
    path: str, pairing: OptionPairing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is opened: none of these calls names a database, a box or a file."""
    monkeypatch.setattr("host_tools.box.finding.port_of_box", lambda port: port or "/dev/null")
    if pairing.together:
        error = refused(path, pairing, "")
        assert (error.sentence.key, error.exit_code) == ("option_alone", 2)
        return
    for other in pairing.others:
        error = refused(path, pairing, other)
        assert (error.sentence.key, error.exit_code) == ("option_idle", 2)
        assert error.sentence.values == {"option": pairing.option, "other": other}


def test_an_option_of_a_group_before_its_command_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert key_of(say("desk", "--port", "1", "user", "list")) == "option_before"
    assert key_of(say("hall", "--host", "x", "check")) == "option_before"
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "de", "desk", "--port", "1", "user", "list"])
    assert ended.value.code == 2
    said = "schiri: --port bewirkt nichts "
    assert said in capsys.readouterr().err


def test_the_users_file_stands_before_its_commands(tmp_path: Path) -> None:
    done = say("desk", "--users", str(tmp_path / "users.json"), "user", "list")
    assert done.exit_code == 0


@pytest.mark.parametrize("words", ["badges --player Anna", "groups --match A-1"])
def test_a_choice_that_a_document_does_not_have_is_refused(words: str) -> None:
    assert key_of(say("tournament", "print", *words.split(), "-o", "x.pdf")) == "option_idle"


# -- said twice -----------------------------------------------------------------------------------

OPTIONS = [
    (path, one)
    for path, context in ALL.items()
    for one in context.command.get_params(context)
    if isinstance(one, click.Option)
]
TWICE = {  # a call for each option that names what it says a value of
    ("schiri box report", "--measured"): ("usb.VBUS=5.0", "usb.VBUS=5.1"),
    ("schiri box report", "--photo"): ("wiring=a.jpg", "wiring=b.jpg"),
    ("schiri provision deck", "--house-rule"): ("tie_scope=tied", "tie_scope=all"),
    ("schiri provision tables", "--house-rule"): ("cards_end=last", "cards_end=last"),
}


@pytest.mark.parametrize(("path", "option"), TWICE)
def test_two_values_of_one_name_are_refused(path: str, option: str) -> None:
    words = [word for value in TWICE[path, option] for word in (option, value)]
    deck = ["berge"] if path == "schiri provision deck" else []
    done = say(*path.split()[1:], *deck, *words)
    assert isinstance(done.exception, UserError), done.output
    assert done.exception.sentence.key == "option_twice"
    name = TWICE[path, option][0].partition("=")[0]
    assert done.exception.sentence.values == {"option": option, "name": name}


def test_no_two_options_have_one_parameter() -> None:
    """Click takes the last one then and says nothing."""
    for context in ALL.values():
        names = [one.name for one in context.command.get_params(context)]
        assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("path", "option"),
    [pytest.param(p, one, id=f"{p} {one.opts[0]}") for p, one in OPTIONS if one.secondary_opts],
)
def test_a_switch_is_not_said_both_ways(path: str, option: click.Option) -> None:
    """In either order; the same way twice is no contradiction and is not refused for it."""
    on, off = option.opts[0], option.secondary_opts[0]
    for words in ((on, off), (off, on)):
        with pytest.raises(UserError) as refused:
            ALL[path].command.make_context(path, list(words), ALL[path].parent)
        assert refused.value.sentence.key == "option_idle"
        assert refused.value.sentence.values == {"option": on, "other": off}
    for word, value in ((on, True), (off, False)):
        context = click.Context(ALL[path].command, ALL[path].parent, resilient_parsing=True)
        ALL[path].command.parse_args(context, [word, word])
        assert context.params[option.name or ""] is value


# -- names and numbers ----------------------------------------------------------------------------


def test_a_tournament_is_made_with_decks_that_there_are(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    refused = say("tournament", "new", "Cup", "--deck", "nodeck", "--db", db)
    assert str(refused.exception).startswith("there is no deck nodeck; known are berge")
    assert not Path(db).exists()
    assert say("tournament", "new", "Cup", "--deck", "berge", "--db", db).exit_code == 0
    refused = say("tournament", "plan", "--deck", "nodeck", "--db", db)
    assert key_of(refused) == "no_deck_here"
    own = places.files_of("deck")
    own.mkdir(parents=True)
    (own / "mine.csv").write_text("code,name,a\nA1,x,1\nA2,y,2\n")
    assert say("tournament", "plan", "--deck", "mine", "--db", db).exit_code == 0


def test_a_log_of_before_with_another_deck_is_still_read(tmp_path: Path) -> None:
    db = str(tmp_path / "x.db")
    TournamentService.create(db, "x", ev.Created(name="Cup", decks=["gone"])).close()
    assert say("tournament", "plan", "--tables", "2", "--db", db).exit_code == 0


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("new Cup --tables 999999999", "no_tables"),
        ("new Cup --tables 1000", "no_tables"),
        ("new Cup --tables 0", "no_tables"),
        ("new Cup --slot-minutes 1441", "no_minutes"),
    ],
)
def test_numbers_of_no_hall_are_refused(words: str, key: str, tmp_path: Path) -> None:
    db = tmp_path / "x.db"
    assert key_of(say("tournament", *words.split(), "--db", str(db))) == key
    assert not db.exists()
    assert say("tournament", "new", "Cup", "--tables", "999", "--db", str(db)).exit_code == 0


@pytest.mark.parametrize("tables", ["0", "1000"])
def test_a_simulated_day_has_tables(tables: str) -> None:
    assert say("tournament", "simulate", "--tables", tables).exit_code == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name,club\nX,"q\n', 2),
        ('name,club\nA,B\nX,"q\nY,r\nZ,s\n', 3),
        ('name,club\nA,"two\nlines"\nX,"q"r\n', 4),
    ],
)
def test_a_quotation_mark_that_is_left_open_is_named(text: str, line: int, tmp_path: Path) -> None:
    db, file = str(tmp_path / "x.db"), tmp_path / "players.csv"
    say("tournament", "new", "Cup", "--db", db)
    file.write_text(text)
    done = say("tournament", "import", str(file), "--db", db)
    assert isinstance(done.exception, UserError)
    assert done.exception.sentence.key == "csv_quote"
    assert done.exception.sentence.values["line"] == line
    file.write_text('name,club\nAnna "Ace" Egli,"Bern, ""Mitte"""\n')
    assert say("tournament", "import", str(file), "--db", db).exit_code == 0
    told = say("tournament", "players", "--json", "--db", db).output
    assert r'"name": "Anna \"Ace\" Egli"' in told
    assert r'"club": "Bern, \"Mitte\""' in told
