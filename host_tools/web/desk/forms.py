"""A form of the desk as it came: the fields of its operation, and those that every form has."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from msgspec import NODEFAULT
from starlette.datastructures import FormData, ImmutableMultiDict
from starlette.requests import Request

from host_tools.core.errors import UserError
from host_tools.tournament.fields import Form
from host_tools.tournament.operations import Bodies, OperationRow, Who
from host_tools.tournament.state import TournamentState

LARGEST_FORM = 1_000_000
"""Bytes; a player list of five hundred lines has forty thousand."""
LOGIN = Form.of("login", {"user": NODEFAULT, "password": ""})
FORGET = Form.of("forget", {"event": NODEFAULT, "player": ""})
AROUND = Form.of("around", {"why": "", "page": "", "stage": "", "q": "", "preview": False})
"""Why, where the form stood, and what its page showed."""


@dataclass(frozen=True)
class Posted:
    """Every field in its order; a name may come twice."""

    pairs: list[tuple[str, str | bytes]]

    @property
    def csrf(self) -> str:
        """The token, "" unless there is one."""
        found = [value for name, value in self.pairs if name == "csrf"]
        return found[0] if len(found) == 1 and isinstance(found[0], str) else ""

    @property
    def typed(self) -> ImmutableMultiDict[str, str]:
        """To be shown again, as it was typed; of a name that came twice `[]` has the last."""
        texts = [(name, value) for name, value in self.pairs if isinstance(value, str)]
        return ImmutableMultiDict(texts)

    def of(self, *, around: bool) -> Iterable[tuple[str, str | bytes]]:
        """The pairs of the operation, or those `around` it."""
        known = [pair for pair in self.pairs if pair[0] != "csrf"]
        return [pair for pair in known if (pair[0] in AROUND.fields) == around]


def asked_for(
    row: OperationRow, form: Posted, who: Who
) -> tuple[Any, Callable[[TournamentState], Bodies]]:
    """The values around the operation, and what it comes to; the why of the form is that of `who`.
    Nothing but these values is judged, and nothing else is acted on. Raises UserError, Forbidden.
    """
    around = AROUND.read(form.of(around=True))
    who.why = around.why
    return around, row.wanted(row.form.read(form.of(around=False)), who)


async def read_form(request: Request) -> Posted:
    """The form of a POST; a big one is refused before it is read."""
    # browsers send a length; a chunked body has none and might never end
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > LARGEST_FORM:
        raise UserError("form_too_big")
    # Starlette would allow 1000 of each
    data: FormData = await request.form(max_files=1, max_fields=600)
    return Posted(
        [(name, v if isinstance(v, str) else await v.read()) for name, v in data.multi_items()]
    )
