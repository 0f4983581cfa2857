"""What people typed, read strictly: every fault is a sentence in their language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from host_tools.core.errors import UserError
from host_tools.core.texts import TEXTS
from host_tools.tournament import events as ev
from host_tools.tournament.model import Kind, PlayerId
from host_tools.tournament.state import MatchState, State
from host_tools.tournament.wording import name_of

LARGEST_FORM = 1_000_000
"""Bytes; a player list of five hundred lines has forty thousand."""
LONGEST_TEXT = 200
_DIGITS = 9


@dataclass(frozen=True)
class TypedResult:
    """A result as the form has it."""

    cards: tuple[int, int]
    kind: Kind
    winner: PlayerId | None


class Form:
    """The fields of a form or a query."""

    def __init__(self, fields: Mapping[str, str], lang: str, file: bytes = b"") -> None:
        self.fields = fields
        self.file = file
        self._texts = TEXTS[lang]

    def text(self, name: str) -> str:
        """A field without spaces around it; "" if it is missing."""
        return self.fields.get(name, "").strip()[:LONGEST_TEXT]

    def long_text(self, name: str) -> str:
        """A field of several lines."""
        return self.fields.get(name, "").strip()

    def needed(self, name: str, label: str) -> str:
        """A field that must be filled in. Raises UserError."""
        text = self.text(name)
        if not text:
            raise UserError("form_missing", field=label)
        return text

    def number(self, name: str, label: str) -> int:
        """A number from 0. Raises UserError."""
        text = self.text(name)
        if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS):
            raise UserError("form_number", field=label)
        return int(text)

    def optional_number(self, name: str, label: str) -> int | None:
        """A number, or None for an empty field. Raises UserError."""
        return self.number(name, label) if self.text(name) else None

    def flag(self, name: str) -> bool:
        return self.text(name) == "1"

    def result(self, match: MatchState, state: State) -> TypedResult:
        """Cards, kind and winner of a match. Raises UserError."""
        names = (name_of(state, match.a), name_of(state, match.b))
        labels = [self._texts["cards_of"].format(name=name) for name in names]
        kind = self.text("kind") or "played"
        if kind not in get_args(Kind):
            raise UserError("form_missing", field=self._texts["kind"])
        cards = (self.number("cards_a", labels[0]), self.number("cards_b", labels[1]))
        winner = {"a": match.a, "b": match.b}.get(self.text("winner"))
        return TypedResult(cards, cast(Kind, kind), winner)

    def match(self, state: State) -> MatchState:
        """The match the form is about. Raises UserError."""
        return find_match(state, self.text("match"))

    def unchanged(self, match: MatchState) -> None:
        """Raises UserError if somebody changed the match since the form was shown, or if it is not
        at the table that the hand named.
        """
        table = self.text("table")
        if table and table.upper() not in (str(match.table), match.id.upper()):
            raise UserError("form_other_table", table=table, match=match.id)
        if self.text("seen") != seen(match):
            raise UserError("form_stale", match=match.id)


def seen(match: MatchState) -> str:
    """What a form remembers of a match, to notice that somebody else was faster."""
    result = match.result
    cards = f"{result.cards[0]}.{result.cards[1]}" if result else ""
    return f"{match.status}-{len(match.reports)}-{match.corrections}-{cards}"


def find_match(state: State, text: str) -> MatchState:
    """A match by its id in any case, or by the text of a slip's QR code. Raises UserError."""
    wanted = text.rpartition("match=")[2].partition("&")[0].strip()
    by_id: dict[ev.MatchId, MatchState] = {key.upper(): m for key, m in state.matches.items()}
    match = by_id.get(wanted.upper())
    if match is None:
        raise UserError("form_no_match", match=wanted or "?")
    return match


async def read_form(request: Request, lang: str) -> Form:
    """The form of a POST; a big one is refused before it is read."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > LARGEST_FORM:
        raise UserError("form_too_big")
    data: FormData = await request.form(max_files=1, max_fields=600)
    fields = {name: value for name, value in data.items() if isinstance(value, str)}
    upload = next((value for value in data.values() if isinstance(value, UploadFile)), None)
    return Form(fields, lang, await upload.read() if upload else b"")
