"""`schiri tournament …`: the names of the commands and where they live."""

from host_tools.core.command_line import (
    LazyGroup,
    by_option,
    group,
    shared_option,
    tournament_option,
)

# module -> its commands, loaded when called; name:function where that has another name
_COMMANDS = {
    "entrants": "new list:list_all restore delete import:import_file players checkin",
    "entering": "enter",
    "matches": "matches:list_matches announce deck-back:deck_back correct collect unplaced",
    "boxes": "give boxes:list_boxes",
    "jury": "jury",
    "tables": "plan mode standings ko lot",
    "output": "export log verify forget ratings simulate",
    "publishing": "publish print:print_command",
    # rows of the table of operations and nothing else
    "writing": "add edit merge remove withdraw draw pair pause call start undo check lock "
    "take-back:take_back forfeit",
}
SUBCOMMANDS = {
    name: f"host_tools.commands.tournament.{module}:{function or name}"
    for module, words in _COMMANDS.items()
    for name, _, function in (word.partition(":") for word in words.split())
}


@group(cls=LazyGroup, places=SUBCOMMANDS, has_docs=False)
@tournament_option(shared_option)
@by_option(shared_option)
@shared_option("--why", default="", help="Why, for the log.")
def tournament() -> None:
    """Draw, play and rank a tournament; docs/tournament.md leads through the day."""
