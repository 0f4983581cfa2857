"""Result slips at the desk: a tag with the signed result, carried like a paper slip.

`check_slip` judges the bytes; who keeps results hands in a `SlipBook`.
"""

from host_tools.slips.book import FileSlipBook, SlipBook
from host_tools.slips.checking import SlipRefused, agrees, check_slip

__all__ = ["FileSlipBook", "SlipBook", "SlipRefused", "agrees", "check_slip"]
