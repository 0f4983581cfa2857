"""Every command that we print or write down can be copied: out of every message, help and page.

A word in capitals, or `…`, stands for something that the reader puts in its place.
"""

import re
import shlex
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from click.testing import CliRunner

from host_tools.cards.decks import deck_path
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.helps import FOLDER as HELPS
from host_tools.core.texts import FOLDER, LANGS, read
from host_tools.games import GAMES
from host_tools.tournament.actions import entrants, knockout, matches
from host_tools.tournament.model import MODES
from host_tools.tournament.service import TournamentService, command
from tests.host.test_help import ALL
from tests.sampling import first_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(set(ROOT.glob("*.md")) - {ROOT / "CHANGELOG.md"}),  # it names what is gone
    ROOT / "card_tags/FORMAT.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "hardware").rglob("*.md")),
]
TEMPLATES = sorted(
    path for path in (ROOT / "host_tools").rglob("*") if path.suffix in (".html", ".js", ".jinja")
)
_CALL = r"(?:schiri|make)(?: [^`\n]*)?"
_QUOTES = (rf"`({_CALL})`", rf"„({_CALL}?)“", rf"“({_CALL}?)”")
_LINE = re.compile(r"^\s*(?:\$ )?(?:\.venv/bin/)?((?:schiri|make) .*?)(?:\s+#.*)?$")
_SHORT = ("docs/tournament.md", "docs/turnier.md")
"""Pages that leave out `schiri tournament` inside a sentence."""
_SHORT_CALL = re.compile(r"`(?!schiri |make |export SCHIRI)([a-z][a-z_-]*(?: [^`]+)?)`")
_BARE = re.compile(r"(?:: |\()(schiri [a-z][^`„“”)\n;,]*)(?=[);,]|$)")
# the final and a group are no placeholders
_PLACEHOLDER = re.compile(r"(?!(?:KF|C)$)(?:[A-Z][A-Z_-]*|\d?:?[A-Z]|…|\.\.\.|\{.*\})")
BOX_COMMANDS = re.compile(r"schiri (?:(?:assign|notice) 1:|sig 1 )")
"""What the desk signs on the link begins so (docs/link.md)."""


class Hint(NamedTuple):
    place: str
    text: str


def _in_page(path: Path) -> Iterator[Hint]:
    """Calls in code blocks, and those between backticks."""
    name, block = str(path.relative_to(ROOT)), False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            block = not block
        elif block:
            if found := _LINE.match(line):
                yield Hint(f"{name}:{number}", found[1])
        else:
            yield from (Hint(f"{name}:{number}", text) for text in _quoted(line))


def _quoted(text: str) -> list[str]:
    return [found for quotes in _QUOTES for found in re.findall(quotes, text)]


def _in_messages() -> Iterator[Hint]:
    for folder in (FOLDER, *(game.folder for game in GAMES.values())):
        for lang in LANGS:
            for context, texts in read(folder / f"{lang}.po").items():
                for key, text in texts.items():
                    calls = [*_quoted(text), *_BARE.findall(text)]
                    yield from (Hint(f"{lang} {context} {key}", call) for call in calls)


def _in_helps() -> Iterator[Hint]:
    """Examples are lines of their own."""
    for path in HELPS.glob("*.po"):
        lang = path.stem
        for text in read(path)[""].values():
            calls = [*_quoted(text), *re.findall(r"^schiri [a-z].*", text, re.M)]
            yield from (Hint(f"{lang} --help", call) for call in calls)
    for path, context in ALL.items():
        texts = [context.command.help or "", *_helps_of(context.command)]
        for text in texts:
            yield from (Hint(f"{path} --help", call) for call in _quoted(text))
            yield from (Hint(f"{path} --help", call) for call in examples_in(text))


def examples_in(text: str) -> list[str]:
    """Lines of their own, in a help."""
    lines = [re.fullmatch(r"\s*(schiri (?!tell).*)", line) for line in text.splitlines()]
    return [found[1] for found in lines if found]


def _helps_of(command: click.Command) -> list[str]:
    return [one.help for one in command.params if isinstance(one, click.Option) and one.help]


@cache
def hints() -> list[Hint]:
    found = [hint for path in (*PAGES, *TEMPLATES) for hint in _in_page(path)]
    found += [*_in_messages(), *_in_helps()]
    return [hint for hint in found if not BOX_COMMANDS.match(hint.text)]


# -- is it a call? --------------------------------------------------------------------------------


def spellings(text: str) -> list[list[str]]:
    """The calls that a hint stands for: `print a|b` is two."""
    words = shlex.split(re.split(" [<>] ", text)[0], comments=True)
    calls: list[list[str]] = [[]]
    for word in words:
        several = word.split("|") if re.fullmatch(r"\w[\w-]*(\|\w[\w-]*)+", word) else [word]
        calls = [[*call, one] for call in calls for one in several]
    return calls


def fault(text: str) -> str:
    """What click, or make, says against a call; "" if nothing."""
    try:
        for words in spellings(text):
            if words[0] == "make":
                _check_make(words[1:])
            else:
                _check(schiri, None, "schiri", words[1:])
    except (click.UsageError, ValueError) as error:
        return error.format_message() if isinstance(error, click.UsageError) else str(error)
    return ""


def _check(
    command: click.Command, above: click.Context | None, name: str, words: list[str]
) -> None:
    """Raises UsageError as a call would, without doing anything."""
    context = click.Context(command, above, name, help_option_names=["-h", "--help"])
    if {"-h", "--help"} & {*words}:
        return
    parser = command.make_parser(context)
    if isinstance(command, click.Group):
        parser.allow_interspersed_args = False
    given, rest, _ = parser.parse_args(list(words))
    for parameter in command.get_params(context):
        _check_value(parameter, given.get(parameter.name or ""), context)
    if isinstance(command, click.Group):
        if rest and not _PLACEHOLDER.fullmatch(rest[0]):
            called, below, left = command.resolve_command(context, rest)
            assert below is not None
            _check(below, context, called or "", left)
    elif rest:
        raise click.UsageError(f"one word too many: {rest}", context)


def _check_value(parameter: click.Parameter, value: object, context: click.Context) -> None:
    missing = value is None or value == () or repr(value) == "Sentinel.UNSET"
    if missing:
        if parameter.required:
            raise click.MissingParameter(ctx=context, param=parameter)
        return
    for one in value if isinstance(value, tuple | list) else [value]:
        if isinstance(one, str) and not _PLACEHOLDER.fullmatch(one):
            if not isinstance(parameter.type, click.Path | click.File):
                parameter.type.convert(one, parameter, context)


@cache
def _makefile() -> str:
    return (ROOT / "Makefile").read_text("utf-8")


def _check_make(words: list[str]) -> None:
    for word in words:
        name, equals, _ = word.partition("=")
        known = rf"^{name}(?:\s*\??=|:)|\$[({{]{name}[)}}]" if equals else rf"^{name}:"
        if not _PLACEHOLDER.fullmatch(word) and not re.search(known, _makefile(), re.M):
            raise ValueError(f"make knows no {word}")


def test_hints_are_found() -> None:
    found = hints()
    assert len(found) > 800
    places = " ".join(hint.place for hint in found)
    for part in ("README.md", "docs/turnier.md", "de refusal", "de --help", "BUILD.de.md"):
        assert part in places
    assert "schiri desk --help" in places


def _written_out(line: str) -> Iterator[str]:
    """`pair --undo` and `swiss --rounds 7` as they are typed; the name of a game is no call."""
    for text in _SHORT_CALL.findall(line):
        first = text.split()[0]
        if first in MODES:
            yield f"schiri tournament mode --mode {text}"
        elif first == "user":
            yield f"schiri desk {text}"
        elif first.split("-")[0] not in GAMES:
            yield f"schiri tournament {text}"


@pytest.mark.parametrize("page", _SHORT)
def test_commands_inside_a_sentence_exist(page: str) -> None:
    """They may leave out what is required: only unknown commands and options are faults."""
    texts = list(_written_out((ROOT / page).read_text("utf-8")))
    assert len(texts) > 40
    said = {text: fault(text) for text in texts}
    left_out = re.compile("$|Missing |.*requires an argument")
    assert {text: each for text, each in said.items() if not left_out.match(each)} == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schiri keys new", "Missing argument 'NAME'."),
        ("schiri dsk", "No such command 'dsk'"),
        ("schiri desk --prot 1", "No such option '--prot'."),
        ("schiri demo --seats many", "'many' is not a valid int range."),
        ("schiri tournament print slips|nonsense -o FILE", "'nonsense' is not one of"),
        ("make runs", "make knows no runs"),
        ("make play ARG=--lan", "make knows no ARG"),
        ("schiri desk user list now", "one word too many"),
        ("schiri keys new NAME", ""),
        ("schiri box set --table N", ""),
        ('make run ARGS="--slip"', ""),
    ],
)
def test_what_is_wrong_is_seen(text: str, said: str) -> None:
    assert (fault(text) == "") == (said == "")
    assert said.strip(".") in fault(text).replace("integer range", "int range")


def test_every_hint_can_be_copied() -> None:
    wrong = {hint: why for hint in hints() if (why := fault(hint.text))}
    assert wrong == {}


# -- the pages, run -------------------------------------------------------------------------------

DEVICES = {
    "desk",
    "hall",
    "play",
    "twin",
    "sync",
    "box",
    "tag",
    "slip",
    "demo",
    "firmware",
    "doctor",
}
"""These serve until they are stopped, need a box or take long; their calls are only read."""
AT_ANOTHER_TIME = {
    "lot p004": "only the draw knows who is level",
    "forfeit A-4 p017": "only the draw knows who plays there",
    "enter K2-1 16:16 --winner p003": "only the draw knows who gets there",
    "take-back A-3": "called, and not entered",
    "start A-3": "called, and not entered",
    "deck-back A-3": "called, and not entered",
    "remove p017": "before the draw",
    "correct A-3 19:13 --yes": "before the tree is drawn",
    "correct A-3 --void": "before the tree is drawn",
}
"""What may be refused when a page is run in one piece, and what it would need instead."""
PLAYERS = 64


def _play_out(db: str, wanted: str) -> None:
    """What goes before a line of the page: everybody comes, all groups, the whole tree."""
    with closing(TournamentService.open(db)) as service:
        if wanted == "draw":
            service.do("desk", "", lambda state: entrants.check_in_many(state, state.players))
            return
        for _ in range(8):
            state = service.state
            rounds = state.ko_matches() if wanted == "final" else state.matches.values()
            todo = [match.id for match in rounds if match.status in ("open", "called")]
            while tied := knockout.cut_ties(service.state) if rounds and not todo else []:
                service.do("desk", "drawn", command(knockout.lot, tied[0]))
            for match_id in todo:
                service.do("desk", "", command(matches.enter, match_id, (20, 12), "played", None))


BEFORE = {
    "schiri tournament draw": "draw",
    "schiri tournament ko --draw": "groups",
    "schiri tournament export": "final",
}


def _needs_more(words: list[str]) -> bool:
    """Something of the reader's own, a box, a browser, or the whole of a long day."""
    return (
        words[0] != "schiri"
        or len(words) == 1
        or words[1] in DEVICES
        or words[1:3] in (["decks", "edit"], ["tournament", "simulate"])
        or bool({"--port", "--reader", "--follow", "…"} & {*words})
        or (words[1] == "provision" and not {"--dry-run", "--files"} & {*words})
        or any(_PLACEHOLDER.fullmatch(word) for word in words)
    )


IN_ENGLISH = {
    "Die Suppe ist da": "Soup is ready",
    "ausweise.pdf": "badges.pdf",
    "ergebnisse.txt": "results.txt",
    "gaeste.pdf": "guests.pdf",
    "mein-deck": "my-deck",
    "mein-deck.pdf": "my-deck.pdf",
    "nachgezählt": "counted again",
    "spieler.csv": "players.csv",
    "tische.pdf": "tables.pdf",
    "urkunden.pdf": "certificates.pdf",
    "zettel.pdf": "slips.pdf",
}
"""What a reader names. A German call that is more than these words is run too."""


def _calls_of(page: str) -> list[tuple[Hint, list[str]]]:
    of_page = [hint for hint in hints() if hint.place.startswith(f"docs/{page}.md:")]
    calls = [(hint, words) for hint in of_page for words in spellings(hint.text)]
    return [(hint, words) for hint, words in calls if not _needs_more(words)]


def _not_yet_run(page: str, calls: list[tuple[Hint, list[str]]]) -> list[tuple[Hint, list[str]]]:
    run = [words for _, words in calls]
    found = _calls_of(page)
    return [one for one in found if [IN_ENGLISH.get(word, word) for word in one[1]] not in run]


@pytest.mark.parametrize("pages", first_of([("tournament", "turnier"), ("cards", "karten")]))
def test_the_commands_of_a_page_run_in_their_order(
    pages: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a fresh home, in process, with the files that the page takes for granted; then what only
    the German page says.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    listed = "id,name,club\np001,Anna Egli,Bern\np002,Ben Frey,Aarau\n"
    listed += "".join(f"p{n:03},Player {n},Club {n % 9}\n" for n in range(3, PLAYERS + 1))
    for name in ("players.csv", "spieler.csv"):
        Path(name).write_text(listed)
    for name in ("results.txt", "ergebnisse.txt"):
        Path(name).write_text("B-1 20 12\n")
    cars = "".join(f"A{n},Car {n},{n}\n" for n in range(1, 9))
    Path("autos.csv").write_text(f"code,name,kmh\n{cars}")
    own = places.files_of("deck")
    own.mkdir(parents=True)
    for name in ("my-deck", "mein-deck"):
        (own / f"{name}.toml").write_bytes(deck_path("berge").read_bytes())
    calls, refused = _calls_of(pages[0]), {}
    for hint, words in [*calls, *_not_yet_run(pages[1], calls)]:
        for start, wanted in BEFORE.items():
            if hint.text.startswith(start):
                _play_out(str(places.database()), wanted)
        done = CliRunner().invoke(schiri, words[1:], input="")
        if done.exit_code:
            refused[f"{hint.place} {hint.text}"] = f"{done.exception} {done.output[-300:]}"
    wrong = [
        f"{call}: {why}"
        for call, why in refused.items()
        if not any(f" {part}" in call for part in AT_ANOTHER_TIME)
    ]
    assert "\n".join(wrong) == ""
    assert len(calls) > 5
