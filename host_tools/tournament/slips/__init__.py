"""Result slips at the desk: a tag with the signed result, carried like a paper slip.

`check_slip` judges the bytes; who keeps results hands in a `SlipBook`.
"""

from host_tools.tournament.slips.book import FileSlipBook, SlipBook
from host_tools.tournament.slips.checking import SlipRefused, check_slip
from host_tools.tournament.slips.comparing import (
    AGREES,
    CONTESTED,
    CONTRADICTS,
    NOT_YET,
    Claim,
    claim_of,
    compare,
    journals_of,
)
from host_tools.tournament.slips.showing import beside_journal, side_by_side, slip_lines

__all__ = [
    "AGREES",
    "CONTESTED",
    "CONTRADICTS",
    "NOT_YET",
    "Claim",
    "FileSlipBook",
    "SlipBook",
    "SlipRefused",
    "beside_journal",
    "check_slip",
    "claim_of",
    "compare",
    "journals_of",
    "side_by_side",
    "slip_lines",
]
