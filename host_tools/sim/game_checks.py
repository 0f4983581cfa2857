"""What every game must do, built in or not: `schiri games GAME`.

A game is played by its own players and by commands drawn at random, on the rules alone, in the
MicroPython VM, and on a box of the twin. Every check gives one sentence a fault.
"""

import ast
import json
import tempfile
import traceback
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from firmware import games as on_the_box
from firmware.app.words import Words
from firmware.games import open_match, rules_of
from firmware.rules.answers import known_events, write_answer, write_result
from firmware.rules.errors import Malformed
from firmware.rules.match import Match
from hardware.twin.errors import TwinError
from hardware.twin.inproc import InprocEngine, Loader
from hardware.twin.session import TwinSession
from host_tools.core import texts
from host_tools.core.json_types import Json
from host_tools.core.texts import read
from host_tools.games import GAMES, folder_of
from host_tools.games.base import Game
from host_tools.games.loading import FAULTS, firmware_sources, where
from host_tools.games.options import options_of
from host_tools.games.table_view import TableView
from host_tools.replay.engines import replay_in_vm
from host_tools.sim import game_ends
from host_tools.sim.demo.dry_run import MOST_COMMANDS, SETTLED, dealt, moves_of
from host_tools.sim.demo.stage import Stage
from host_tools.sim.game_trial import ROOT, Trial, named
from host_tools.sim.table.box_setup import set_up
from host_tools.sim.table.tags import TagTray

LANGUAGES = ("de", "en")
SHORT_ACTS = 30
"""So much of a match is played on the box in the short form."""
MOST_SILENT = 3
"""After so many acts of the hands that the box does not answer they give up."""
_LETTER_HEIGHT, _DIGIT_HEIGHT = 10, 14
# what a refused command changes: it is counted, and time has passed until it came
_COUNTED = ("n", "t_ms")
# fields of a command of which a replay says nothing, or that stand in its event
_UNSAID = ("t", "do", "seat", "why")
_PLAIN = (int, str, bytes, bool, type(None))


class GameCheckFault(NamedTuple):
    """What a game does wrong, and the check that found it."""

    check: str
    sentence: str


def everything(thing: Any) -> Any:
    """All that can be reached from `thing`, as plain values that can be compared."""
    if isinstance(thing, _PLAIN):
        return thing
    if isinstance(thing, bytearray | array):
        return list(thing)
    if isinstance(thing, dict):
        return {key: everything(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [everything(value) for value in thing]
    fields = {name: value for name, value in vars(thing).items() if name not in _COUNTED}
    return (type(thing).__name__, everything(fields))


# -- the checks


def _words(trial: Trial) -> Iterator[str]:
    """The rows and the words: what the menu, the screens and a replay say, in both languages."""
    game, box = trial.game, trial.game.on_box
    if not game.demos:
        yield "demos is empty: `schiri demo` cannot play it"
    keys = {f"game_{game.name}", *(f"menu_{row.name}" for row in box.rows)}
    keys |= {f"preset_{preset.name}" for preset in box.presets if preset.name}
    keys |= {f"{row.name}_{one}" for row in box.rows for one in row.choices if type(one) is str}
    for header, commands in trial.drawn:
        match = open_match(header)
        for command in commands:
            answer = _answer(match, command)
            trial.events |= {event["is"] for event in answer.get("events", ())}
            trial.reasons |= {answer["refused"]["reason"]} if "refused" in answer else set()
            keys |= {
                f"over_{e['reason']}" for e in answer.get("events", ()) if e["is"] == "match_over"
            }
    trial.reasons |= set(_in_refusals(trial.halves[0], 0))  # those that no match has shown, too
    yield from _missing_texts(box.package, keys | {f"no_{reason}" for reason in trial.reasons})
    for preset in box.presets:
        for rule in options_of(game.name, preset.name):
            for lang in LANGUAGES:
                if not all(rule.meanings(lang)):
                    yield f"texts_options_{lang}.py has no sentence for each choice of {rule.name}"
    yield from _missing_words(game, trial)
    yield from _missing_fields(game, trial)
    if folder_of(game.name) is not None:
        yield from game_ends.borrowed(game, [other for other in GAMES.values() if other != game])


def _in_refusals(half: Path, place: int) -> Iterator[str]:
    """What each `Refusal("not_yours", "WH-3")` of the rules has there: 0 why, 1 by which rule."""
    for path in half.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refusal":
                for given in node.args[place : place + 1]:
                    if isinstance(given, ast.Constant) and given.value:
                        yield str(given.value)


def _missing_texts(package: str, keys: set[str]) -> Iterator[str]:
    tables = {
        lang: [
            line.split("|", 1)
            for table in Words(lang, package).tables
            for line in table.strip().split("\n")
        ]
        for lang in LANGUAGES
    }
    found = {lang: {row[0]: row[-1] for row in rows} for lang, rows in tables.items()}
    for lang, other in (LANGUAGES, LANGUAGES[::-1]):
        for key in sorted((keys | found[other].keys()) - found[lang].keys()):
            yield f"texts_{lang}.py has no text {key}"
    for key, text in found["de"].items():
        if text.count("{}") != found["en"].get(key, text).count("{}"):
            yield f"text {key} takes another number of values in German than in English"


def _missing_words(game: Game, trial: Trial) -> Iterator[str]:
    match = open_match(trial.headers[0])
    wanted: dict[str, Iterable[str]] = {
        "replay event": trial.events,
        "replay command": match.TABLE,
        "replay refusal": trial.reasons,
        "table": {f"unit_{game.name}", *(f"for_{what}" for what in match.AWAITED)},
        "rule": {*_in_refusals(trial.halves[0], 1), *(row[2] for row in match.TABLE.values())}
        - {""},
    }
    for lang in texts.LANGS:
        for context, keys in wanted.items():
            for key in sorted(set(keys) - _known(game, lang, context).keys()):
                yield f"{lang}.po of the game has no text {key} of context {context!r}: add it"


def _known(game: Game, lang: str, context: str) -> dict[str, str]:
    """The texts of a context that games share, and the game's own."""
    found: dict[str, str] = {}
    for folder in (texts.FOLDER, game.folder):
        found |= read(folder / f"{lang}.po").get(context, {})
    return found


def _missing_fields(game: Game, trial: Trial) -> Iterator[str]:
    """What a command names stands in `do.field`, round one `{}`; the text of `do` takes none."""
    fields = {
        (command["do"], name)
        for _, commands in trial.played
        for command in commands
        for name, value in command.items()
        if name not in _UNSAID and type(value) in (str, list)
    }
    own = open_match(trial.headers[0]).TABLE
    for lang in texts.LANGS:
        known = _known(game, lang, "replay command")
        for do, name in sorted(fields):
            if do in own and f"{do}.{name}" not in known:
                yield (
                    f"{lang}.po of the game has no text {do}.{name} of context 'replay command':"
                    " add the words round the field, with {} for it"
                )
        for key, text in sorted(known.items()):
            if key.partition(".")[0] in own and text.replace("{}", "", "." in key).count("{"):
                yield (
                    f"{lang}.po of the game: {key} of context 'replay command' takes"
                    f" {'one {}' if '.' in key else 'no value'}: mend {text!r}"
                )


def _events(trial: Trial) -> Iterator[str]:
    """No event of the game is called as another one with other fields."""
    for name in on_the_box.names():
        rules_of(on_the_box.row(name))
    fields: dict[str, list[str]] = {}
    for event in known_events():
        if fields.setdefault(event[0], event[1:]) != event[1:]:
            has = " ".join(fields[event[0]])
            yield f"event {event[0]} is there already, with the fields {has}"


def _bot(trial: Trial) -> Iterator[str]:
    """Its players finish a match, and faultless ones do nothing that is refused."""
    for header in trial.headers:
        for faultless in (True, False):
            table = dealt(header, 1, faultless=faultless)
            for command, answer in moves_of(table):
                if faultless and "refused" in answer:
                    yield (
                        f"{named(header)}: a faultless player's {json.dumps(command)} is refused:"
                        f" {answer['refused']['reason']}"
                    )
                    return
            # players that did not know an option once repeated a refused move without end
            if table.match.awaits().what not in SETTLED:
                yield f"{named(header)}: its players do not end a match in {MOST_COMMANDS} moves"
                return


def _refusals(trial: Trial) -> Iterator[str]:
    """A refused or malformed command changes nothing."""
    for header, commands in trial.drawn:
        match = open_match(header)
        for command in commands:
            if command["t"] >= match.t_ms:
                for _ in range(2):  # what time causes is not the command's doing
                    match.apply({"t": command["t"], "do": "tick"})
            before, n = everything(match), match.n
            answer = _answer(match, command)
            if "events" in answer and "refused" not in answer:
                continue
            if everything(match) != before or (not answer and match.n != n):
                what = "refused" if answer else "malformed"
                yield f"{named(header)}: {what} {json.dumps(command)} has changed something"
                return


def _undo(trial: Trial) -> Iterator[str]:
    """Undo takes every accepted command back, one by one, to the start."""
    for header, commands in trial.drawn:
        match = open_match(header)
        states = [_state(match)]
        accepted = []
        for command in commands:
            if command["do"] in ("undo", "tick", "pause", "resume"):
                continue
            still = {**command, "t": 0}  # time is not taken back
            answer = _answer(match, still)
            if answer and "refused" not in answer:
                states.append(_state(match))
                accepted.append(still)
        for command in reversed(accepted):
            states.pop()
            answer = _answer(match, {"t": 0, "do": "undo"})
            if "refused" in answer or _state(match) != states[-1]:
                yield f"{named(header)}: undo does not take {json.dumps(command)} back"
                return
        if match.clock is None and not _same_again(header, commands, match):
            yield f"{named(header)}: after undo of everything the same commands go another way"
            return


def _state(match: Match) -> Any:
    return [list(match.cells.now), match.awaits(), write_result(match.result())]


def _same_again(header: Json, commands: list[Json], undone: Match) -> bool:
    """A match that was taken back to its start goes on as a new one."""
    # a game may hold in a field of its own what a cell merely counts: only playing on shows it
    fresh = open_match(header)
    undone.n = 0  # events name commands by their numbers
    late = [{**one, "t": 0} for one in commands if one["do"] != "undo"]
    return [_line(undone, one) for one in late] == [_line(fresh, one) for one in late]


def _cards(trial: Trial) -> Iterator[str]:
    """No card is in two hands or lost, and none is played twice."""
    for header in trial.headers:
        codes = {item.code for item in trial.game.things(header)}
        table = dealt(header, 1, faultless=False)
        fault = _wrong_hands(table, codes)
        for command, answer in moves_of(table):
            fault = fault or _wrong_hands(table, codes) or _again(table, command, answer)
            if fault:
                yield f"{named(header)}: after {json.dumps(command)} {fault}"
                return


def _wrong_hands(table: TableView, codes: set[str]) -> str:
    held = [code for hand in table.hands for code in hand]
    for code in held:
        if held.count(code) > 1:
            return f"{code} is in two hands"
        if code not in codes:
            return f"a hand holds {code}, which has no tag"
    if table.match.awaits().what in ("begin", *SETTLED):
        return ""
    for seat, (hand, count) in enumerate(zip(table.hands, table.cards(), strict=True)):
        if not len(hand) <= count <= len(hand) + len(table.shown()):  # some still lie there
            return f"seat {seat} holds {len(hand)} cards, and the rules count {count}"
    return ""


def _again(table: TableView, command: Json, answer: Json) -> str:
    """A card that was just played, and is in no hand, cannot be played once more."""
    card = command.get("card")
    held = any(card in hand for hand in table.hands)
    if command["do"] != "tap" or "refused" in answer or held:
        return ""
    if table.match.awaits().what in SETTLED:
        return ""
    refused = table.judge("tap", card=card).refusal is not None
    return "" if refused else f"{card} is taken once more, though it was just played"


def _bytes(trial: Trial) -> Iterator[str]:
    """CPython and the MicroPython VM answer with the same bytes."""
    matches, expected = [], []
    for header, commands in trial.drawn:
        match = open_match(header)
        good = [(one, answer) for one in commands if (answer := _line(match, one))]
        matches.append([header, *(one for one, _ in good)])
        expected.append(["opened", *(line for _, line in good), write_result(match.result())])
    for (header, *commands), here, there in zip(
        matches, expected, replay_in_vm(matches), strict=True
    ):
        # the VM stops at the first line it finds malformed, and then returns fewer
        pairs = zip(["the header", *commands, "the result"], here, [*there, ""], strict=False)
        for command, line, other in pairs:
            if line != other:
                yield (
                    f"{named(header)}: {json.dumps(command)}: CPython says {line},"
                    f" MicroPython {other}"
                )
                return


def _pages(trial: Trial) -> Iterator[str]:
    """On a box: its players' hands finish a match, and all that the pages draw fits."""
    headers = trial.headers if trial.whole else trial.headers[-1:]
    for lang in LANGUAGES:
        for header in headers:
            for sentence in sorted(_on_box(trial, header, lang)):
                yield f"{named(header)}: in {lang} {sentence}"


def _on_box(trial: Trial, header: Json, lang: str) -> set[str]:
    cut: set[str] = set()
    loaders: list[Loader] = []

    class Watched(InprocEngine):
        def prepare(self, loader: Loader) -> None:
            loaders.append(loader)
            _watch(loader.load("firmware.app.canvas"), cut)

    tray = TagTray()
    tray.fill(trial.game.things(header))
    tags = {item.code: tray[item.code] for item in trial.game.things(header)}
    with tempfile.TemporaryDirectory(prefix="schiri-check-") as folder:
        set_up(Path(folder), lang, "")
        with TwinSession(Watched, Path(folder), sources=firmware_sources()) as box:
            stage = Stage(box, tags, dealt(header, 1, lang))
            try:
                _play(trial, stage, header)
            except TwinError as fault:
                # a sentence, or a traceback whose last line is one
                last = str(fault).strip().splitlines()[-1]
                return {f"the box stops: {last}"}
    faults = {f"this does not fit on the screen: {text}" for text in cut}
    if trial.whole and stage.table.match.awaits().what not in SETTLED:
        faults.add("its players do not end a match on the box")
    return faults | set(_loaded(trial, loaders[0]))


def _play(trial: Trial, stage: Stage, header: Json) -> None:
    stage.power_on()
    stage.set_menu(header)
    stage.set_rows(header)
    stage.start_match()
    silent = 0
    for _ in range(MOST_COMMANDS if trial.whole else SHORT_ACTS):
        if stage.table.match.awaits().what in SETTLED or silent == MOST_SILENT:
            return
        silent = 0 if stage.perform(stage.table.act()) else silent + 1


def _watch(canvas: ModuleType, cut: set[str]) -> None:
    """Note every text that is drawn over its limit or over the edge of the screen."""
    write = canvas.Canvas._write

    def watched(self: Any, font: Any, x: int, y: int, text: str, limit: int, ink: int) -> int:
        height = _DIGIT_HEIGHT if font is self.digits else _LETTER_HEIGHT
        # the totals of six players once ran off the screen, from two digits on
        edge = min(limit, canvas.WIDTH)
        if x < 0 or x + font.width(text) > edge or y < 0 or y + height > canvas.HEIGHT:
            cut.add(text)
        behind: int = write(self, font, x, y, text, limit, ink)
        return behind

    # the twin loads the firmware anew for every boot: only this box has the changed class
    canvas.Canvas._write = watched


def _loaded(trial: Trial, loader: Loader) -> Iterator[str]:
    """The menu has rows and texts of other games; their rules and pages are not loaded."""
    for name in sorted(loader.modules):
        place = name.split(".")
        # firmware.games.NAME itself is the row, which the menu needs of every game
        of_a_game = place[:2] == ["firmware", "games"] and len(place) > 3
        if of_a_game and place[2] != trial.game.name and not place[3].startswith("texts_"):
            yield f"the box loads {name}, which is another game's"


def _imports(trial: Trial) -> Iterator[str]:
    """No file of a game imports another game."""
    others = [name for name in GAMES if name != trial.game.name]
    for half in trial.halves:
        for path in sorted(half.glob("*.py")):
            for name in _imported(ast.parse(path.read_text(encoding="utf8"))):
                place = name.split(".")
                if place[1:2] == ["games"] and place[2:3] and place[2] in others:
                    yield f"{half.name}/{path.name} imports {name}, which is another game's"


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        # a relative import stays within the game
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _line(match: Match, command: Json) -> str:
    """The answer line; "" for a malformed command."""
    try:
        return write_answer(match.apply(command))
    except Malformed:
        return ""


def _answer(match: Match, command: Json) -> Json:
    """The answer; {} for a malformed command."""
    answer: Json = json.loads(_line(match, command) or "{}")
    return answer


CHECKS: dict[str, Callable[[Trial], Iterator[str]]] = {
    "imports": _imports,
    "events": _events,
    "players": _bot,
    "words": _words,
    "refusals": _refusals,
    "undo": _undo,
    "cards": _cards,
    "interpreters": _bytes,
    "pages": _pages,
    **game_ends.CHECKS,
}


def check_game(
    trial: Trial, checks: Iterable[str], begin: Callable[[str], None]
) -> Iterator[GameCheckFault]:
    """Do these checks; `begin` is called with each. What the game's code raises is a fault too."""
    for name in checks:
        begin(name)
        try:
            for sentence in CHECKS[name](trial):
                yield GameCheckFault(name, sentence)
        except FAULTS as fault:
            yield GameCheckFault(name, _raised(trial, fault))


def _raised(trial: Trial, fault: BaseException) -> str:
    """Where the game's code has raised; or our line that has not found what it asked for."""
    folder = folder_of(trial.game.name) or ROOT
    said = where(fault, folder)
    frames = traceback.extract_tb(fault.__traceback__)
    if any(Path(frame.filename).resolve().is_relative_to(folder) for frame in frames):
        return f"{said}: mend that line"
    place = Path(frames[-1].filename)
    place = place.relative_to(ROOT) if place.is_relative_to(ROOT) else place
    return f"{said}: {place}:{frames[-1].lineno} asks the game for it, add it"
