"""Errors that people see: a code, typed fields and an exit code; words only where they are shown.

Who refuses names a key of the catalogues and its values: `raise UserError("no_group", group="Z")`.
`str(error)` is the English sentence, as programs and logs have it; whoever shows it to people says
it in their language: `in_words(error.sentence, "de")`. For `--json` there is `as_data`.
"""

import errno
import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict

from host_tools.core.names import LONGEST_ECHO, LONGEST_REASON, cut, shown
from host_tools.core.texts import ORIGINAL, REFUSALS, ROUNDS, SYSTEM, TEXTS, WORDS, Texts

NameOf = Callable[[str], str]
"""The name of a player for people, from the id."""


def by_id(player: str) -> str:
    """Players by their id, where no list of names is at hand."""
    return player


class Sentence(str):
    """A sentence of the catalogues: in English a plain str, in other languages by `said`."""

    key: str
    values: Mapping[str, Any]

    def __new__(cls, key: str, /, **values: Any) -> "Sentence":
        """`values`: what the placeholders stand for; how each is told, `_TELLERS` says."""
        # a str, so that logs and programs need not know of languages
        made = super().__new__(cls, _filled(key, values, ORIGINAL, by_id))
        made.key, made.values = key, values
        return made

    def brief(self) -> "Sentence":
        """The same, with at most `LONGEST_ECHO` characters of each value, for programs too."""
        return Sentence(self.key, **_cut(self.values))

    def said(self, lang: str, named: NameOf = by_id) -> str:
        """The sentence in `lang`, its players called as `named` says."""
        return _filled(self.key, self.values, lang, named)


def _cut(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _echo(value) for name, value in values.items()}


def _echo(value: Any) -> Any:
    """A value as an error repeats it: whatever came from outside may be megabytes long."""
    if isinstance(value, Sentence):
        return value.brief()
    if type(value) in (list, tuple):  # records are tuples with names
        return [_echo(each) for each in value]
    if isinstance(value, Path) and len(str(value)) > LONGEST_ECHO:
        return cut(str(value))
    return cut(value) if isinstance(value, str) else value


class Exit(IntEnum):
    """How a command ends; each with what it means, as docs/exit-codes.md has it."""

    meaning: str

    def __new__(cls, code: int, meaning: str = "") -> "Exit":
        made = int.__new__(cls, code)
        made._value_, made.meaning = code, meaning
        return made

    DONE = 0, "Done; what was to be checked is good."
    CHECK = (
        1,
        "What was looked at is not good, or a part of the work was left undone.",
    )
    INPUT = 2, "The call or what it names cannot be used, or the rules forbid it. Nothing changed."
    SYSTEM = 3, "A box, reader, database, network or program is missing, or the system refused."
    PART = 4, "A program that serves could not keep one of its parts running. Start it again."
    # a shell's: 128 and the number of the signal
    INTERRUPTED = 130, "Stopped by Ctrl-C (SIGINT) before the end. What was stored is stored."
    PIPE = 141, "Whoever read the output went away: `schiri … | head`."
    TERMINATED = 143, "Stopped by SIGTERM before the end. What was stored is stored."


class UserError(Exception):
    """Something the user can act on. `sentence`: what `str` says, with its code and fields."""

    exit_code = Exit.INPUT

    def __init__(self, code: "str | Sentence", exit_code: Exit | None = None, /, **fields: Any):
        """`code`: a key of the refusals in the catalogues, or a sentence that was made before."""
        self.sentence = (
            code.brief() if isinstance(code, Sentence) else Sentence(code, **_cut(fields))
        )
        super().__init__(self.sentence)
        if exit_code is not None:
            self.exit_code = exit_code


def counted(one: str, many: str, count: int, **fields: Any) -> UserError:
    """A check failed `count` times; a language may say one of a thing differently than many."""
    if count == 1:
        return UserError(one, Exit.CHECK, **fields)
    return UserError(many, Exit.CHECK, count=count, **fields)


def reason_of(error: Exception) -> str:
    """What an error of a tag says: a sentence if it was made with one."""
    return error.args[0] if error.args else ""


def in_words(sentence: str, lang: str, named: NameOf = by_id) -> str:
    """A sentence in `lang`; one that came without a key stays as it is."""
    return sentence.said(lang, named) if isinstance(sentence, Sentence) else sentence


_KEPT = ("malformed_", "verdict_", "usage_says_")
"""Keys of what rules, databases and click say in English."""


def recognised(text: str, *families: str) -> str:
    """The sentence of the catalogues that reads so in English: what the rules say and what a
    database keeps is English and has no key. `text` itself if there is none. `families`: how the
    keys begin, if it is something else.
    """
    text = cut(text, 2 * LONGEST_REASON)  # the patterns are tried one by one
    found = [
        (len(known.pattern), key, match)
        for key, english in REFUSALS[ORIGINAL].items()
        if key.startswith(families or _KEPT)
        and (match := (known := pattern(english)).fullmatch(text))
    ]
    if not found:
        return text
    _, key, match = max(found, key=lambda each: each[0])  # the one that says most itself
    parts = {name: recognised(value, *families) for name, value in match.groupdict().items()}
    return Sentence(key, **parts)


def decode_reason(error: Exception) -> str:
    """What msgspec says of JSON that is not as it should be, as a sentence of the catalogues."""
    what, _, place = str(error).partition(" - at ")
    what = recognised(what, "json_says_")
    place = place.strip("`").removeprefix("$").removeprefix(".")
    return Sentence("json_fault_at", what=what, place=place) if place else what


@cache
def pattern(english: str) -> re.Pattern[str]:
    """What a text is once its placeholders are filled."""
    # DOTALL: what a placeholder stands for may have several lines
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(english)), re.DOTALL)


def _filled(key: str, values: Mapping[str, Any], lang: str, named: NameOf) -> str:
    spoken = {
        name: _TELLERS.get(name, _plain)(value, lang, named) for name, value in values.items()
    }
    return REFUSALS[lang][key].format(**spoken)


class ErrorReport(TypedDict):
    """An error, on stderr: of every command, of a call that is wrong, too."""

    code: str
    fields: dict[str, Any]
    text: str


def as_data(sentence: Sentence, lang: str) -> ErrorReport:
    """A sentence for programs: its code, its fields and the text for people in `lang`."""
    fields = {name: _datum(value, lang) for name, value in sentence.values.items()}
    return {"code": sentence.key, "fields": fields, "text": sentence.said(lang)}


def _datum(value: Any, lang: str) -> Any:
    """A field as JSON has it: numbers and texts stay, a sentence is one inside the other."""
    if isinstance(value, Sentence):
        return as_data(value, lang)
    if isinstance(value, OSError):
        return {"errno": value.errno, "text": str(value.strerror)}
    if isinstance(value, list | tuple):
        return [_datum(each, lang) for each in value]
    return value if isinstance(value, str | int | float | None) else str(value)


# -- how a value is told --------------------------------------------------------------------------


def _plain(value: Any, lang: str, _named: NameOf) -> Any:
    """What came from outside is shown safely: a name may hold what moves a terminal's cursor."""
    if isinstance(value, Sentence):
        return value.said(lang)
    return shown(str(value), LONGEST_REASON) if isinstance(value, str | Path) else value


def _player(player: str, _lang: str, named: NameOf) -> str:
    return shown(named(player))


def _players(players: Sequence[str], _lang: str, named: NameOf) -> str:
    return ", ".join(shown(named(player)) for player in players)


def _listed(ids: Sequence[str] | str, _lang: str, _named: NameOf) -> str:
    """A list; in a sentence that was `recognised` it is a text already."""
    return shown(ids) if isinstance(ids, str) else ", ".join(shown(each) for each in ids)


def _word(word: str, lang: str, _named: NameOf, texts: Texts = WORDS) -> str:
    """A state, kind, source or column. English sentences use the program's own words."""
    return word if lang == ORIGINAL else texts[lang].get(word, word)


def _label(name: str, lang: str, _named: NameOf) -> str:
    """A field as the forms of the desk call it; one that they do not have, by its name."""
    return TEXTS[lang].get(name, shown(name, 40))


def _reports(reports: Sequence[tuple[str, str]], lang: str, named: NameOf) -> str:
    """(source, cards) of each report."""
    parts = (f"{_word(source, lang, named)} {cards}" for source, cards in reports)
    return f" {WORDS[lang]['and']} ".join(parts)


def _system(error: OSError, lang: str, _named: NameOf) -> str:
    """What the operating system says."""
    return SYSTEM[lang].get(errno.errorcode.get(error.errno or 0, ""), str(error.strerror))


def _detail(sentence: str, lang: str, named: NameOf) -> str:
    return in_words(sentence, lang, named)


def _faults(sentences: Sequence[str], lang: str, named: NameOf) -> str:
    """One fault a line."""
    return "\n".join(in_words(sentence, lang, named) for sentence in sentences)


# placeholder -> how its value is told; others stand as they are
_TELLERS: dict[str, Callable[[Any, str, NameOf], Any]] = {
    **dict.fromkeys(("player", "winner", "ahead", "a", "b"), _player),
    "players": _players,
    **dict.fromkeys(("matches", "groups", "choices", "ids"), _listed),
    **dict.fromkeys(("status", "kind", "column"), _word),
    "label": _label,
    "round": partial(_word, texts=ROUNDS),
    "reports": _reports,
    "system": _system,
    "detail": _detail,
    "faults": _faults,
}
