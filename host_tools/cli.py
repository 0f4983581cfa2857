"""The command line `schiri`: a thin layer over the library. Commands load when they are called."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from host_tools.core import output
from host_tools.core.command_line import (
    FOLDER,
    Asked,
    LazyGroup,
    Named,
    asked_in,
    db_option,
    group,
    json_option,
    lang_option,
    usage_error,
)
from host_tools.core.errors import Exit, UserError, as_data
from host_tools.core.signals import Stopped, heed_signals
from host_tools.core.texts import default_language

NEEDS_PTY = "termios"
"""The module of the standard library that Windows has not, because it has no pseudo terminals."""
NAME = "schiri"
OURS = ("firmware", "card_tags", "host_tools", "hardware", "schiri")

# name -> "module:function"; a command's help comes from its own docstring
COMMANDS = {
    "demo": "host_tools.commands.demo:demo",
    "play": "host_tools.commands.play:play",
    "doctor": "host_tools.commands.doctor:doctor",
    "desk": "host_tools.commands.desk:desk",
    "hall": "host_tools.commands.hall:hall",
    "slip": "host_tools.commands.slip:slip",
    "tag": "host_tools.commands.tag:tag",
    "provision": "host_tools.commands.provision:provision",
    "keys": "host_tools.commands.keys:keys",
    "boards": "host_tools.commands.boards:boards",
    "cards": "host_tools.commands.cards:cards",
    "decks": "host_tools.commands.decks:decks",
    "games": "host_tools.commands.games:games",
    "firmware": "host_tools.commands.firmware:firmware",
    "twin": "host_tools.cli:twin",
    "tournament": "host_tools.commands.tournament.group:tournament",
    "box": "host_tools.commands.box:box",
    "sync": "host_tools.commands.sync:sync",
    "results": "host_tools.commands.results:results",
    "verify": "host_tools.commands.verify:verify",
    "replay": "host_tools.commands.replay:replay",
}

TWINS = {
    "box": "host_tools.sim.twin.box:box",
    "reader": "host_tools.sim.twin.reader:reader",
    "tag": "host_tools.sim.twin.tag:tag",
}


@group(cls=LazyGroup, places=TWINS)
def twin() -> None:
    """A box, a reader or tags in software: try everything without electronics."""


def _names(what: str, given: dict[str, Any]) -> list[str]:
    """For Tab."""
    from host_tools.commands.completing import names

    return names(what, given)


Named.known.append(_names)


def _add_games(ctx: click.Context, option: click.Parameter, folders: tuple[Path, ...]) -> None:
    """Before any command is loaded: some list the games when they are."""
    if folders:
        from host_tools.games import add_game

        for folder in folders:
            add_game(folder)


class Program(LazyGroup):
    """The whole of `schiri`; a command that was stopped before its end has a shell's exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort) as ended:
            why = ended if isinstance(ended, Stopped) else ended.__context__  # of a question
            if isinstance(why, Stopped):
                raise UserError("stopped", why.exit_code) from ended
            raise


@group(
    cls=Program,
    places=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 a check failed, 2 bad input, 3 something is missing or failed; "
    "all of them: docs/exit-codes.md.",
)
@click.version_option(package_name="schiri")
@lang_option()
@db_option()
@json_option()
@click.option(
    "--game-path",
    type=FOLDER,
    multiple=True,
    envvar="SCHIRI_GAME_PATH",
    is_eager=True,
    expose_value=False,
    callback=_add_games,
    help="Folder of a game that is not built in; again for another, or in SCHIRI_GAME_PATH.",
)
def schiri() -> None:
    """Schiri: referee box for card tables, and the tournament desk."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run `schiri`; a `UserError` becomes one sentence on stderr and its exit code, with `--json`
    one object with its code, fields and text. docs/exit-codes.md lists the codes.
    """
    try:
        _run_and_tell(arguments)
    except KeyboardInterrupt:  # while an error was told: the rest of it stays untold
        sys.exit(Exit.INTERRUPTED)


def _run_and_tell(arguments: Sequence[str] | None) -> NoReturn:
    given = list(sys.argv[1:] if arguments is None else arguments)
    asked = Asked(asked_in(given).lang)
    output.make_steady()
    try:
        with heed_signals():
            exit_code = _run(given, asked)
            output.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.UsageError as error:
        _tell(usage_error(error), asked_in(given), usage=error)
    except (click.Abort, KeyboardInterrupt):  # before a command, or a question without an answer
        _tell(UserError("stopped", Exit.INTERRUPTED), asked_in(given))
    except UserError as error:
        _tell(error, asked)
    except BrokenPipeError:
        output.give_up()
        sys.exit(Exit.PIPE)
    except OSError as error:
        _tell(output.refused(error), asked_in(given))
    except ModuleNotFoundError as error:
        if not error.name or error.name.partition(".")[0] in OURS:
            raise
        if error.name == NEEDS_PTY:
            _tell(UserError("no_pty"), asked)
        _tell(UserError("package_missing", Exit.SYSTEM, name=error.name), asked)
    sys.exit(exit_code)


def _run(given: list[str], asked: Asked) -> int:
    """The exit code of a command that said its own."""
    done = schiri.main(args=given, prog_name=NAME, obj=asked, standalone_mode=False)
    return done if isinstance(done, int) else 0


def _tell(error: UserError, asked: Asked, usage: click.UsageError | None = None) -> NoReturn:
    lang = asked.lang or default_language()
    if asked.as_json:
        lines = [json.dumps(as_data(error.sentence, lang), ensure_ascii=False)]
    else:
        lines = [f"schiri: {error.sentence.said(lang)}"]
        if usage is not None and usage.ctx is not None:
            lines.insert(0, usage.ctx.get_usage())
    output.say_last("\n".join(lines))
    output.let_go()
    sys.exit(error.exit_code)
