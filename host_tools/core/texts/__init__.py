"""Every text that people read on the laptop: a gettext catalogue `<language>.po` a language, here
and in the folder of every game (docs/decisions/texts.md). The languages are those that have a file
here; what one lacks is said in English, whose file explains the placeholders too.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, ClassVar

FOLDER = Path(__file__).parent
ORIGINAL = "en"
LANGS = tuple(sorted(path.stem for path in FOLDER.glob("*.po")))
DEFAULT = "de"
"""Of pages and papers that nobody chose a language for."""

_QUOTED = r'((?:"(?:[^"\\\n]|\\.)*"\n)+)'
_ENTRY = re.compile(rf"((?:^#.*\n)*)^(?:msgctxt {_QUOTED})?msgid {_QUOTED}msgstr {_QUOTED}", re.M)
_ESCAPE = re.compile(r"\\(.)")
_COUNTS = re.compile(r"\{\w*:[^{}|]+\|[^{}|]+\}")
# a third catalogue would differ from the German one in nothing else
_SWISS = str.maketrans({"ß": "ss", "„": "«", "“": "»"})
_NEEDS_WORK = re.compile(r"^#,.*\bfuzzy\b", re.M)


@cache
def read(path: Path) -> Mapping[str, dict[str, str]]:
    """The texts of a catalogue: context -> key -> text, without those that still need a
    translator; nothing if there is no such file.

    The form is that of `msgfmt`, with a context at every text but those of helps; plurals stand
    in the text (`Counting`). Babel reads the same (tests/host/test_catalogue.py), but its import
    alone takes longer than a command that says one sentence.
    """
    found: dict[str, dict[str, str]] = {}
    if path.exists():
        # `_QUOTED` wants a line end, and the last line of a file may have none
        for entry in _ENTRY.finditer(path.read_text("utf-8") + "\n"):
            context, key, text = (_unquoted(each or "") for each in entry.groups()[1:])
            # an empty key is the head of the file
            if key and text and not _NEEDS_WORK.search(entry[1]):
                said = as_spelt(text, path.stem)
                counts = _COUNTS.search(said)
                found.setdefault(context, {})[key] = Counting(said) if counts else said
    return found


def as_spelt(text: str, lang: str) -> str:
    """German of Switzerland where that is asked for."""
    return text.translate(_SWISS) if lang == "de" and is_swiss() else text


def _unquoted(lines: str) -> str:
    text = "".join(line[1:-1] for line in lines.splitlines())
    return _ESCAPE.sub(lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


class Counting(str):
    """A text in which a noun follows its number: `{count:Partie|Partien}` is 1 Partie, 2 Partien
    (docs/decisions/texts.md). Only for texts that Python fills in, not a page's script.
    """

    def format(self, *values: Any, **named: Any) -> str:
        return _FORMATTER.vformat(self, values, named)


# gettext's plural forms choose by one number, and our sentences often have two or three
class _WithNouns(Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        if "|" not in spec:
            return str(super().format_field(value, spec))
        one, many = spec.split("|")
        # with a sign, as of a difference, 1 takes the singular as well
        return f"{value} {one if str(value).lstrip('+-−') == '1' else many}"


_FORMATTER = _WithNouns()


class Texts(Mapping[str, Mapping[str, str]]):
    """The texts of one context: language -> key -> text. A language is read when it is asked for;
    one that is not there is English.
    """

    games: ClassVar[Callable[[], tuple[Path, ...]]] = tuple
    """The folders of the games, whose catalogues hold texts too; host_tools.games sets it. A game
    may be added at any time.
    """

    def __init__(self, context: str) -> None:
        self.context = context
        self._read: dict[tuple[str, tuple[Path, ...]], dict[str, str]] = {}

    def __getitem__(self, lang: str) -> Mapping[str, str]:
        games = Texts.games()
        if (lang, games) not in self._read:
            # what a language lacks is said in English
            made = dict(self[ORIGINAL]) if lang != ORIGINAL else {}
            for folder in (FOLDER, *games):
                made |= read(folder / f"{lang}.po").get(self.context, {})
            self._read[lang, games] = made
        return self._read[lang, games]

    def __iter__(self) -> Iterator[str]:
        return iter(LANGS)

    def __len__(self) -> int:
        return len(LANGS)


TEXTS = Texts("desk")
"""Of the board and the desk."""
ROUNDS = Texts("round")
PAPER = Texts("paper")
RESULTS = Texts("results")
"""`schiri results`, and why a match ended."""
EVENTS = Texts("event")
"""A tournament's events; `{name}` is a field of the event."""
WORDS = Texts("tournament")
MODE = Texts("mode")
"""What the jury changed, and to what: in English as the file format names it."""
REFUSALS = Texts("refusal")
BRINGUP = Texts("bringup")
"""What the bring-up of a box asks and says."""
DOCTOR = Texts("doctor")
"""What `schiri doctor` looks for."""
DATA_PLACES = Texts("place")
"""Where Schiri keeps what, as `schiri doctor` tells it."""
DECK = Texts("deck")
"""Of the page on which a deck is made."""
SOUNDS = Texts("sound")
"""What the box plays, and what it means."""
TAGS = Texts("tag")
"""What is said while tags are written."""
NUMBERS = Texts("number")
SYSTEM = Texts("system")
"""What the operating system says, by the name of its error; others stay in the system's words."""


def chosen(asked: str | None, accepted: str = "") -> str:
    """The language: what was asked for, else the first of an Accept-Language that we have."""
    if asked in LANGS:
        return str(asked)
    # browsers send the preferred one first, so the weights (q=) are not needed
    for part in accepted.split(","):
        code = part.partition(";")[0].strip()[:2].lower()
        if code in LANGS:
            return code
    return DEFAULT


def default_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the locale if it is one of ours, else English."""
    # in the order of precedence of POSIX (XBD 8.2)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            code = environment[name][:2]
            return code if code in LANGS else ORIGINAL
    return ORIGINAL


def is_swiss(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether German is written as in Switzerland, with ss: `SCHIRI_GERMAN=de-CH`, else as the
    locale says.
    """
    names = ("SCHIRI_GERMAN", "LC_ALL", "LC_MESSAGES", "LANG")
    first = next((environment[name] for name in names if environment.get(name)), "")
    return first.replace("_", "-").startswith("de-CH")  # de_CH.UTF-8 of a locale, too


def round_namer(lang: str) -> Callable[[str], str]:
    """A function from a round (`1/8`, `final`) to its name for people."""
    names = ROUNDS[lang]
    return lambda name: names.get(name, name)
