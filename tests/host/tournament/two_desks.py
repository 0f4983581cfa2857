"""One of several desks that write at the same time: a process of its own.

`python -m tests.host.tournament.two_desks DB NAME CARDS`: says "ready", waits for a line, then
enters CARDS:1 for every match as fast as it can; prints how many it entered.
"""

import sys

from host_tools.core.errors import UserError
from host_tools.tournament.actions import matches
from host_tools.tournament.service import TournamentService, command


def main(db: str, name: str, cards: int) -> int:
    """Enter all matches; the other desk's are refused with a sentence."""
    service = TournamentService.open(db)
    print("ready", flush=True)
    sys.stdin.readline()
    entered = 0
    for match in list(service.state.matches):
        try:
            entered += bool(service.do(name, "", command(matches.enter, match, (cards, 1))))
        except UserError as error:
            if "correct it instead" not in str(error):
                raise
    service.close()
    return entered


if __name__ == "__main__":
    print(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
