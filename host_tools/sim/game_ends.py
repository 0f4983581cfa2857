"""What every game must do at the end of a match and behind it: a part of `schiri games GAME`.

Bots of every strength play; why a match ended has its words; slip, stored result and tournament
read the result; the pages after the match are made. Every check gives one sentence a fault.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

from card_tags import codec
from card_tags.errors import TagError
from card_tags.kinds import SLIP, Slip, Tag
from card_tags.slip import HEAD_BYTES
from firmware.app.slip import slip_content
from firmware.app.words import Words
from firmware.games import open_match
from firmware.rules.answers import write_result
from firmware.rules.match import Match
from host_tools.core import texts
from host_tools.core.json_types import Json
from host_tools.core.texts import read
from host_tools.games.base import Game
from host_tools.games.bot import MEDIUM, RANDOM, Bot
from host_tools.games.box_words import proper_name
from host_tools.games.table_view import TableView
from host_tools.sim.demo.dry_run import MOST_COMMANDS, dealt, is_settled, moves_of
from host_tools.sim.demo.plan import NAMES
from host_tools.sim.game_trial import Trial, named
from host_tools.sim.table.analysis import analysed
from host_tools.sim.table.replays import read_replay
from host_tools.store.journal.reading import counts_of
from host_tools.store.models import Box, StoredMatch
from host_tools.store.showing import as_slip, as_table
from host_tools.store.store import seat_results
from host_tools.tournament.collecting import of_box
from host_tools.tournament.slips import slip_lines

CLOCK_MS = 60_000
SLOW_MS = 2_700
"""With this clock, and so long for a move, a match is ended by time."""
LONGEST_GAME = 16  # StoredMatch.game
"""Letters of a game's name that the store keeps."""
_COMMON = ("time", "jury")
"""Why any match may end."""
_WITH_BOT = "give its view of the table a `bot`, a class below Bot (host_tools/games/bot.py)"


# -- bots


def bots(trial: Trial) -> Iterator[str]:
    """Bots of every strength that is offered finish a match and do nothing that is refused, and
    each of their options is allowed.
    """
    bot = trial.game.table.bot
    if bot is None:
        yield f"laptop/__init__.py names no bot: {_WITH_BOT}"
        return
    headers = trial.headers if trial.whole else trial.headers[:1]
    with _hasty(bot):
        for header in headers:
            for strength in (*trial.game.strengths, RANDOM):
                fault = _bots_fault(header, strength)
                if fault:
                    yield f"{named(header)}: {fault}"
                    return


@contextmanager
def _hasty(bot: type[Bot] | None) -> Iterator[None]:
    """Bots imagine one deal for a decision: whether they may do it is asked, not how well."""
    if bot is None:
        yield
        return
    samples, bot.samples = bot.samples, 1
    try:
        yield
    finally:
        bot.samples = samples


def _bots_fault(header: Json, strength: str) -> str:
    table = dealt(header, 1, strengths=[strength] * header["seats"])
    for command, answer in moves_of(table):
        if command["do"] == "undo":  # who holds cards then is not followed (TableView.take_in)
            return ""
        why = answer.get("refused", {}).get("reason", "over")
        if why != "over":  # the clock may run out while a command is on its way
            return (
                f"the {strength} bot's {json.dumps(command)} is refused ({why}):"
                " let `options` and the player offer only what the rules take"
            )
        wrong = _wrong_option(table) if strength == MEDIUM else ""
        if wrong:
            return wrong
    if is_settled(table):
        return ""
    return f"{strength} bots do not end a match in {MOST_COMMANDS} moves: let them come to an end"


def _wrong_option(table: TableView) -> str:
    """An option of the seat on turn that the rules refuse, or that is not judged."""
    seat = table.match.awaits().seat
    bot = table.players[seat] if seat is not None else None
    if not isinstance(bot, Bot) or seat is None:
        return ""
    hand = table.sight(seat)
    options = bot.options(hand)
    for act in options:
        refusal = table.judge(act.do, **act.fields).refusal
        if refusal is not None:
            said = json.dumps({"do": act.do, **act.fields})
            why = refusal.reason
            return f"`options` of the bot has {said}, which is refused ({why}): leave it out"
    if len(options) > 1 and not bot.judge(hand, 1):
        return "`search` of the bot judges no option: return an Option for each it was given"
    return ""


# -- the result


def results(trial: Trial) -> Iterator[str]:
    """Why a match ends is said on box and laptop; slip, store and tournament read the result."""
    game = trial.game
    if len(game.name) > LONGEST_GAME:
        yield f"the name {game.name} has over {LONGEST_GAME} letters, which cuts it: shorten it"
    reasons = _reasons_on_box(game)
    for header in trial.headers:
        fault = _wrong_numbers(header, dict(open_match(header).result()))
        if fault:
            yield f"{named(header)}: {fault}"
            return
    for header, match in _finished(trial):
        result = json.loads(write_result(match.result()))["result"]
        reason = result.get("reason")
        if not isinstance(reason, str):
            yield f"{named(header)}: the result has no `reason`: add it in `result()` of the rules"
            return
        reasons.add(reason)
        if not match.end_rule(reason):
            yield f"`end_rule` of the rules names no rule for the end {reason}: return its id"
        fault = _wrong_numbers(header, result) or _wrong_result(header, result)
        fault = fault or _wrong_slip(game, header, match) or _not_stored(game, header, result)
        if fault:
            yield f"{named(header)}: {fault}"
            return
    yield from _missing_reasons(game, reasons)


def _reasons_on_box(game: Game) -> set[str]:
    """Those that have a text on the box, whether or not a match has shown them."""
    table = Words("en", game.on_box.package).tables[-1]
    keys = (line.partition("|")[0] for line in table.split("\n"))
    return {key.removeprefix("over_") for key in keys if key.startswith("over_")}


def _finished(trial: Trial) -> Iterator[tuple[Json, Match]]:
    """Matches at their end: as they were played, and ended by the clock if the game has one."""
    for header, commands in trial.played:
        header = {**header, "names": list(NAMES[: header["seats"]])}
        match = open_match(header)
        for command in commands:
            match.apply(command)
        if match.over():
            yield header, match
    if any(row.name == "clock" for row in trial.game.on_box.rows):
        for header in trial.headers:
            header = {**header, "clock_ms": CLOCK_MS, "names": list(NAMES[: header["seats"]])}
            table = dealt(header, 1, faultless=True)
            for _ in moves_of(table, SLOW_MS):
                pass
            if table.match.over():
                yield header, table.match


def _wrong_numbers(header: Json, result: Json) -> str:
    numbers = counts_of(result)
    if len(numbers) == header["seats"] and all(type(number) is int for number in numbers):
        return ""
    return (
        "the result has neither `counts` nor `scores` with an integer a seat: add one in"
        " `result()` of the rules"
    )


def _wrong_result(header: Json, result: Json) -> str:
    """What the ranking page, slips and tables cannot read."""
    numbers = counts_of(result)
    in_rules = "in `result()` of the rules"
    ranking = result.get("ranking", [])
    if sorted(seat for level in ranking for seat in level) != list(range(header["seats"])):
        return f"the ranking {ranking} does not name every seat once: mend it {in_rules}"
    levels = [[numbers[seat] for seat in level] for level in ranking]
    for better, worse in pairwise(levels):
        # in every game more is better: leads and luck are computed from these numbers
        if min(better) < max(worse):
            return (
                f"the ranking {ranking} puts a lower number of {numbers} before a higher one:"
                f" count so that the higher number is the better one, {in_rules}"
            )
    return ""


def _wrong_slip(game: Game, header: Json, match: Match) -> str:
    """The slip, as the box writes it and the desk reads it."""
    slip = _slip_of(header, match)
    try:
        # any key and signature: only whether the content fits and comes back is asked
        covered = codec.covered_bytes(SLIP, slip, 1)
        tag = Tag(SLIP, slip, 1, bytes(codec.check_bytes(SLIP, 1)), covered)
        back = codec.decode(codec.encode(tag)).content
    except (TagError, ValueError) as fault:
        return (
            f"no slip can be written of the result ({fault}): shorten `reason`, or mend `result()`"
        )
    if back != slip:
        return f"a slip does not bring back {slip}: mend `result()` of the rules"
    for lang in texts.LANGS:
        said = "\n".join(
            slip_lines(slip, proper_name(game.name, header.get("preset"), lang), lang)
        )
        for name in header["names"]:
            if name not in said:
                return f"{name} is not on the slip in {lang}: `ranking` must name every seat"
    return ""


def _slip_of(header: Json, match: Match) -> Slip:
    """What the box would write."""
    # everything that `slip_content` reads of an app and its session
    journal = SimpleNamespace(
        entries=lambda: [SimpleNamespace(number=1)],
        born="0" * 8,
        box="",  # a slip names its box by the key alone
        head=bytes(HEAD_BYTES),
    )
    settings = SimpleNamespace(get=lambda key: 1)
    session: Any = SimpleNamespace(
        match=match, header=header, seat_name=lambda seat: header["names"][seat]
    )
    app: Any = SimpleNamespace(journal=journal, settings=settings)
    return slip_content(app, session)


def _not_stored(game: Game, header: Json, result: Json) -> str:
    """The row of the results, the paper slip, and a tournament's report between two."""
    match = StoredMatch(
        id=1,
        box=Box(id="0", name="Box", firmware=""),
        box_id="0",
        number=1,
        born="0",
        game=game.name[:LONGEST_GAME],
        header=header,
        result=result,
        state="verified",
        reason="",
        digest="0" * 64,
        duration_s=1,
        received=None,
        seats=seat_results(header, result),
    )
    for lang in texts.LANGS:
        as_table([match], lang)
        if any(name not in as_slip(match, lang) for name in header["names"]):
            return f"a name is not on the paper slip in {lang}: mend `result()` of the rules"
    if header["seats"] == 2 and of_box(match) is None:
        return "a tournament cannot read the result between two: mend `result()` of the rules"
    return ""


def _missing_reasons(game: Game, reasons: set[str]) -> Iterator[str]:
    """Their words: an added game has those of its own ends itself."""
    for lang in texts.LANGS:
        said = [read(folder / f"{lang}.po") for folder in (texts.FOLDER, game.folder)]
        known = {key for catalogue in said for key in catalogue.get("results", ())}
        for reason in sorted(reasons):
            if f"reason_{reason}" not in known:
                yield (
                    f"{lang}.po of the game has no text reason_{reason} of context 'results':"
                    " add why the match ended"
                )
        box = Words(lang, game.on_box.package)
        for reason in sorted(reasons):
            try:
                box.get(f"over_{reason}")
            except KeyError:
                yield f"texts_{lang}.py has no text over_{reason}: add why the match ended"


def borrowed(game: Game, others: Sequence[Game]) -> Iterator[str]:
    """Texts of an added game's catalogues that say something else elsewhere; they would be said
    there, too. And ends whose words are another game's.
    """
    for lang in texts.LANGS:
        own = read(game.folder / f"{lang}.po")
        ends: dict[str, str] = {}
        for folder in (texts.FOLDER, *(other.folder for other in others)):
            known = read(folder / f"{lang}.po")
            ends |= known.get("results", {})
            for context, words in own.items():
                for key, text in words.items():
                    if known.get(context, {}).get(key, text) != text:
                        yield (
                            f"{lang}.po of the game has another text {key} of context"
                            f" {context!r} than {folder.name}: use a name of its own"
                        )
        # an added game said "all cards won" at an end of its own: it met the text of another one
        for reason in sorted(_reasons_on_box(game) - set(_COMMON)):
            key = f"reason_{reason}"
            if key in ends and key not in own.get("results", {}):
                yield (
                    f"{lang}.po of the game has no text {key} of context 'results', and another"
                    f" game says {ends[key]!r}: use a name of its own"
                )


# -- behind the match


def after(trial: Trial) -> Iterator[str]:
    """The replay of a match and the page after it are made, with and without the cards dealt."""
    headers = trial.headers if trial.whole else trial.headers[:1]
    with _hasty(trial.game.table.bot):
        for header in headers:
            table = dealt(header, 1, faultless=False)
            moves = list(moves_of(table))
            for lang in texts.LANGS if trial.whole else texts.LANGS[:1]:
                fault = _page_fault(trial.game, header, moves, lang)
                if fault:
                    yield f"{named(header)}: in {lang} {fault}"
                    return


def _page_fault(game: Game, header: Json, moves: list[tuple[Json, Json]], lang: str) -> str:
    lines = "".join(json.dumps(line) + "\n" for line in [header, *(one for one, _ in moves)])
    replay = read_replay(lines.encode(), "match.ndjson", lang)
    codes = {
        card["code"]
        # 20 is `replays.CHUNK`: so every view is drawn, and only once
        for place in range(0, len(replay.steps) + 1, 20)
        for view in replay.walk.views(place)
        for card in view["middle"].get("lying", ())
        if isinstance(card, dict)
    }
    for code in sorted(codes - replay.fixed["faces"].keys()):
        return (
            f"the replay shows {code}, which no command names in its field `card`: add that field"
        )
    # with the cards that were dealt, then with those that the record shows
    for seed in (1, None):
        summary = analysed(header, moves, seed, lang, times=1)  # it is made; never how well
        if len(summary["rows"]) != header["seats"]:
            return (
                "the page after the match does not list every seat: mend `ranking` of the result"
            )
    return ""


CHECKS: dict[str, Callable[[Trial], Iterator[str]]] = {
    "bots": bots,
    "results": results,
    "after": after,
}
