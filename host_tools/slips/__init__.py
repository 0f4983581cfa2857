"""Result slips at the desk: a tag with the signed result, carried like a paper slip.

`check_slip` judges the bytes; who keeps results hands in a `SlipBook`.
"""

from host_tools.slips.book import FileSlipBook, SlipBook
from host_tools.slips.checking import SlipRefused, check_slip
from host_tools.slips.comparing import AGREES, CONTRADICTS, NOT_YET, Claim, claim_of, compare

__all__ = [
    "AGREES",
    "CONTRADICTS",
    "NOT_YET",
    "Claim",
    "FileSlipBook",
    "SlipBook",
    "SlipRefused",
    "check_slip",
    "claim_of",
    "compare",
]
