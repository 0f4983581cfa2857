"""`schiri tournament …`: the names of the commands and where they live."""

from typing import Any

import click

from host_tools.core.errors import UserError
from host_tools.core.lazy_group import LazyGroup

# module -> its commands, loaded when called; name:function where that has another name
_COMMANDS = {
    "entrants": "new list:list_all restore import:import_file players checkin late edit remove "
    "withdraw exclude reinstate draw",
    "planning": "plan mode",
    "matches": "matches:list_matches call start enter check lock correct take-back:take_back "
    "void forfeit collect",
    "unplaced": "unplaced:list_unplaced assign dismiss",
    "tables": "standings ko lot",
    "output": "export log verify simulate",
    "print": "print:print_command",
}
SUBCOMMANDS = {
    name: f"host_tools.commands.tournament.{module}:{function or name}"
    for module, words in _COMMANDS.items()
    for name, _, function in (word.partition(":") for word in words.split())
}

LANGUAGE = "schiri.lang"
"""Where a command with --lang keeps its language for the refusals, in the context's `meta`."""


class TournamentGroup(LazyGroup):
    """Refuses in the language of the command."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            from host_tools.core.refusal import in_words

            sentence = in_words(error.sentence, ctx.meta.get(LANGUAGE, "en"))
            raise UserError(sentence, error.exit_code) from error


@click.group(cls=TournamentGroup, places=SUBCOMMANDS)
def tournament() -> None:
    """Draw, play and rank a tournament; docs/tournament.md leads through the day."""
