"""Everything a tournament prints, as PDF: slips, group sheets, call list, tree, certificates.

Letters come from a typeface in a package of its own (Source Sans Pro, SIL Open Font License), so
that umlauts and Turkish letters look the same on every machine, without the internet.
"""

import importlib
from collections.abc import Sequence

from host_tools.cards.public_keys import SigningKey
from host_tools.tournament.events import MatchId
from host_tools.tournament.model import PlayerId
from host_tools.tournament.state import TournamentState

# name of the document -> "module:function"; loaded when it is printed
DOCUMENTS = {
    "slips": "host_tools.print.slips:make",
    "groups": "host_tools.print.groups:make",
    "calls": "host_tools.print.calls:make",
    "pairings": "host_tools.print.calls:pairings",
    "tree": "host_tools.print.tree:make",
    "certificates": "host_tools.print.certificates:make",
    "certificates_all": "host_tools.print.certificates:make_all",
    "honours": "host_tools.print.signs:honours",
    "call_cards": "host_tools.print.signs:call_cards",
    "tables": "host_tools.print.signs:tables",
    "badges": "host_tools.print.signs:badges",
    "jury": "host_tools.print.jury:make",
}


OF_THE_JURY = frozenset({"jury"})
"""Documents that only the jury reads."""
SIGNED = frozenset({"slips", "groups", "certificates", "certificates_all"})
"""Documents that carry the desk's signature as a QR code."""
CERTIFICATES = "certificates"
SLIPS = "slips"


def make(
    document: str,
    state: TournamentState,
    lang: str = "de",
    base: str = "",
    players: Sequence[PlayerId] = (),
    matches: Sequence[MatchId] = (),
    desk: SigningKey | None = None,
) -> bytes:
    """One of `DOCUMENTS` as a PDF. `base`: address of the desk for QR codes, as
    `http://192.168.1.5:8010`; `players`: whose certificates; `matches`: whose slips; `desk`:
    what signs those of `SIGNED`. Raises UserError if there is nothing to print yet.
    """
    chosen = {CERTIFICATES: (players,), SLIPS: (matches,)}
    more = chosen.get(document, ())
    module, function = DOCUMENTS[document].split(":")
    signed = {"desk": desk} if document in SIGNED else {}
    function_of = getattr(importlib.import_module(module), function)
    made: bytes = function_of(state, lang, base, *more, **signed)
    return made
