"""`schiri tournament …`: the names of the commands and where they live."""

import click

from host_tools.core.command_line import LazyGroup, db_option

# module -> its commands, loaded when called; name:function where that has another name
_COMMANDS = {
    "entrants": "new list:list_all restore delete import:import_file players checkin",
    "entering": "enter",
    "matches": "matches:list_matches announce deck-back:deck_back correct collect "
    "unplaced:list_unplaced",
    "boxes": "give boxes:list_boxes",
    "jury": "jury",
    "tables": "plan mode begins standings ko lot",
    "output": "export log verify forget ratings simulate",
    "publishing": "publish print:print_command",
    # rows of the table of operations and nothing else
    "writing": "add late edit merge remove names withdraw exclude reinstate draw pair pause call "
    "start signal-start:signal_start undo check lock take-back:take_back void forfeit assign "
    "dismiss",
}
SUBCOMMANDS = {
    name: f"host_tools.commands.tournament.{module}:{function or name}"
    for module, words in _COMMANDS.items()
    for name, _, function in (word.partition(":") for word in words.split())
}


@click.group(cls=LazyGroup, places=SUBCOMMANDS)
@db_option(is_above=True)
def tournament() -> None:
    """Draw, play and rank a tournament; docs/tournament.md leads through the day."""
