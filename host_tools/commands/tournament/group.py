"""`schiri tournament …`: the names of the commands and where they live."""

from typing import Any

import click

from host_tools.core.errors import UserError
from host_tools.core.lazy_group import LazyGroup

_COMMANDS = "host_tools.commands.tournament."

# name -> "module:function"; loaded when called
SUBCOMMANDS = {
    "new": _COMMANDS + "entrants:new",
    "list": _COMMANDS + "entrants:list_all",
    "restore": _COMMANDS + "entrants:restore",
    "import": _COMMANDS + "entrants:import_file",
    "players": _COMMANDS + "entrants:players",
    "checkin": _COMMANDS + "entrants:checkin",
    "late": _COMMANDS + "entrants:late",
    "edit": _COMMANDS + "entrants:edit",
    "remove": _COMMANDS + "entrants:remove",
    "withdraw": _COMMANDS + "entrants:withdraw",
    "exclude": _COMMANDS + "entrants:exclude",
    "reinstate": _COMMANDS + "entrants:reinstate",
    "draw": _COMMANDS + "entrants:draw",
    "plan": _COMMANDS + "planning:plan",
    "mode": _COMMANDS + "planning:mode",
    "matches": _COMMANDS + "matches:list_matches",
    "call": _COMMANDS + "matches:call",
    "start": _COMMANDS + "matches:start",
    "enter": _COMMANDS + "matches:enter",
    "check": _COMMANDS + "matches:check",
    "lock": _COMMANDS + "matches:lock",
    "correct": _COMMANDS + "matches:correct",
    "take-back": _COMMANDS + "matches:take_back",
    "void": _COMMANDS + "matches:void",
    "forfeit": _COMMANDS + "matches:forfeit",
    "unplaced": _COMMANDS + "unplaced:list_unplaced",
    "assign": _COMMANDS + "unplaced:assign",
    "dismiss": _COMMANDS + "unplaced:dismiss",
    "collect": _COMMANDS + "matches:collect",
    "standings": _COMMANDS + "tables:standings",
    "ko": _COMMANDS + "tables:ko",
    "lot": _COMMANDS + "tables:lot",
    "export": _COMMANDS + "output:export",
    "log": _COMMANDS + "output:log",
    "verify": _COMMANDS + "output:verify",
    "print": "host_tools.commands.tournament.print:print_command",
    "simulate": _COMMANDS + "output:simulate",
}


LANGUAGE = "schiri.lang"
"""Where a command with --lang keeps its language for the refusals, in the context's `meta`."""


class TournamentGroup(LazyGroup):
    """Refuses in the language of the command."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            from host_tools.core.refusal import in_words

            sentence = in_words(error.sentence, ctx.meta.get(LANGUAGE, "en"))
            raise UserError(sentence, error.exit_code) from error


@click.group(cls=TournamentGroup, places=SUBCOMMANDS)
def tournament() -> None:
    """Draw, play and rank a tournament; docs/tournament.md leads through the day."""
