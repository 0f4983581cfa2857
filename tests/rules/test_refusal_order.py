"""Every command in every phase of every game, against what TRANSCRIPT.md, *Exactly*, says by hand:
`over`, `clock_stopped`, `not_now`, `wrong_seat` come in this order and before every other reason.

`POSITIONS` tells how each phase is reached and which commands it takes; nothing here is read from
the tables of the rules.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from firmware.games import open_match
from firmware.rules.match import Match
from host_tools.games.cafe.boards import load_board
from tests.rules.small_matches import small_deck

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
FIRST_REASONS = ("over", "clock_stopped", "not_now", "wrong_seat")
STOPPED_BY_A_PAUSE = ("begin", "tap", "call")
BOARDS = {preset: load_board(name) for preset, name in (("board", "cafe"), ("app", "cafe_app"))}

# Every command of TRANSCRIPT.md but `undo` and `tick`, which are never out of place, with fields
# that are wrong wherever a field can be: only the order decides which fault is told.
WRONG: dict[str, dict[str, Any]] = {
    "begin": {"seat": 99},
    "tap": {"card": "??", "seat": 99},
    "call": {"category": "no such value"},
    "ask": {"seat": 99, "card": "??"},
    "deny": {},
    "lay": {"seat": 99, "cards": ["??"]},
    "place": {"tile": "??", "chair": "??"},
    "bar": {"tile": "??"},
    "swap": {"chair": "??", "tile": "??"},
    "done": {},
    "table_card": {"table": "??", "nation": "??"},
    "leftover": {"seat": 99, "tiles": ["??"]},
    "pause": {},
    "resume": {},
    "penalty": {"seat": 99},
    "forfeit": {"seat": 99},
    "exclude": {"seat": 99},
    "decide": {"seat": 99},
}
NAME_A_SEAT = [do for do, fields in WRONG.items() if "seat" in fields]

# A command as one text: its name and then its fields, in the order of WRONG.
Line = str


def trumpf(**changes: Any) -> dict[str, Any]:
    header = {"schiri": 1, "game": "trumpf", "preset": "swiss", "seats": 2, "stage": "ko"}
    return {**header, "deck": small_deck([9, 5, 8, 4, 7, 3, 6, 2]), **changes}


def with_joker() -> dict[str, Any]:
    deck = small_deck([9, 5, 8, 4, 7, 3, 6, 2])
    deck["categories"][0]["joker"] = True  # type: ignore[index]
    deck["cards"].append({"code": "J1", "joker": True})  # type: ignore[attr-defined]
    deck["cards"].append({"code": "J2", "joker": True})  # type: ignore[attr-defined]
    return trumpf(deck=deck)


def quartett() -> dict[str, Any]:
    header = {"schiri": 1, "game": "quartett", "seats": 3, "hand_sizes": [10, 1, 1]}
    return {**header, "deck": small_deck([1] * 12)}


def cafe(preset: str) -> dict[str, Any]:
    header = {"schiri": 1, "game": "cafe", "preset": preset, "seats": 2}
    return {**header, "board": BOARDS[preset], "options": {"bar_values": [1] * 20}}


HATTRICK = {"schiri": 1, "game": "hattrick", "seats": 3, "options": {"hands": 1}}
HATTRICK_TAPS = [f"tap {suit}{value}" for suit in "RGB" for value in range(1, 21)]
BAR = [f"bar {nation}{sex}{n}" for nation in ("AF", "CN", "CU") for sex in "fm" for n in "1234"][
    :20
]
LEVEL = trumpf(deck=small_deck([9, 9]))
SWISS = "forfeit exclude pause"
PLAIN = trumpf(preset="gastro", stage="group")
ROUND = ["begin 0", "tap A1", "call v"]

# game, phase: header, the commands that lead there, the commands that may come there
POSITIONS: dict[str, tuple[dict[str, Any], list[Line], str]] = {
    "trumpf begin": (trumpf(), [], f"begin {SWISS}"),
    "trumpf first card": (trumpf(), ["begin 0"], f"tap penalty {SWISS}"),
    "trumpf behind a joker": (with_joker(), ["begin 0", "tap J1"], f"tap {SWISS}"),
    "trumpf call": (trumpf(), ["begin 0", "tap A1"], f"call {SWISS}"),
    "trumpf next seat": (trumpf(), ROUND, f"tap {SWISS}"),
    "trumpf next round": (trumpf(), [*ROUND, "tap A2"], f"tap penalty {SWISS}"),
    "trumpf decide": (LEVEL, [*ROUND, "tap A2"], f"decide {SWISS}"),
    "trumpf over": (trumpf(), ["begin 0", "forfeit 0"], ""),
    "trumpf without a clock: begin": (PLAIN, [], "begin"),
    "trumpf without a clock: first card": (PLAIN, ["begin 0"], "tap"),
    "trumpf without a clock: call": (PLAIN, ["begin 0", "tap A1"], "call"),
    "trumpf without a clock: decide": (
        {**LEVEL, "preset": "gastro"},
        [*ROUND, "tap A2"],
        "decide",
    ),
    "quartett begin": (quartett(), [], "begin"),
    "quartett ask": (quartett(), ["begin 0"], "ask lay"),
    "quartett answer": (quartett(), ["begin 0", "ask 1 A1"], "tap deny"),
    "quartett lay": (quartett(), ["begin 0", "ask 1 A1", "tap A1"], "lay done"),
    "quartett over": (quartett(), ["begin 0", "ask 1 A1", "tap A1", "done"], ""),
    "cafe begin": (cafe("board"), [], "begin"),
    "cafe turn": (cafe("board"), ["begin 0"], "place bar swap"),
    "cafe alone": (cafe("board"), ["begin 0", "place DEf1 C22"], "place done"),
    "cafe second guest": (
        cafe("board"),
        ["begin 0", "place DEf1 C22", "done", "place DEm1 C27"],
        "place done",
    ),
    "cafe leftover": (cafe("board"), ["begin 0", *BAR], "leftover"),
    "cafe_app turn": (cafe("app"), ["begin 0"], "place bar swap"),
    "cafe_app over": (cafe("app"), ["begin 0", *BAR], ""),
    "hattrick begin": (HATTRICK, [], "begin"),
    "hattrick tap": (HATTRICK, ["begin 0"], "tap"),
    "hattrick last cards": (HATTRICK, ["begin 0", *HATTRICK_TAPS[:57]], "tap"),
    "hattrick over": (HATTRICK, ["begin 0", *HATTRICK_TAPS], ""),
}
# Longer ways are taken from a transcript: file, the command after which to stop, as above.
FROM_TRANSCRIPTS = {
    "trumpf sudden, first card": (
        "trumpf/sw05-both-time-outs-at-once",
        5,
        f"tap decide penalty {SWISS}",
    ),
    "trumpf sudden, call": ("trumpf/sw05-both-time-outs-at-once", 6, f"call decide {SWISS}"),
    "trumpf sudden, next seat": ("trumpf/sw05-both-time-outs-at-once", 7, f"tap decide {SWISS}"),
    "cafe_app table card": ("cafe_app/ca-2-who-stays", 6, "table_card"),
}
ALL_POSITIONS = [*POSITIONS, *FROM_TRANSCRIPTS]


def command_of(line: Line) -> dict[str, Any]:
    """`tap A1` as a command: the fields that WRONG names, in its order."""
    do, *values = line.split(" ")
    named = {key: value for key, value in zip(WRONG[do], values, strict=False)}
    if "seat" in named:
        named["seat"] = int(named["seat"])
    return {"do": do, **named}


def reach(position: str) -> tuple[Match, int, str]:
    """A match in that position, its time, and the commands that may come."""
    if position in POSITIONS:
        header, lines, allowed = POSITIONS[position]
        commands = [{"t": 0, **command_of(line)} for line in lines]
    else:
        name, last, allowed = FROM_TRANSCRIPTS[position]
        header, commands = from_transcript(name, last)
    match = open_match(header)
    for command in commands:
        assert match.apply(command).refusal is None, command
    return match, match.t_ms, allowed


def from_transcript(name: str, last: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    lines = [json.loads(line) for line in (TRANSCRIPTS / f"{name}.ndjson").open(encoding="utf-8")]
    header = dict(lines[0])
    if header["game"] == "cafe":
        header["board"] = BOARDS[header["preset"]]
    accepted = [c for c, answer in pairwise(lines[1:]) if "do" in c and "refused" not in answer]
    return header, accepted[:last]


def reason(match: Match, t_ms: int, do: str, **fields: Any) -> str:
    """The reason of the refusal, or "accepted"; the match stays where it was."""
    command = {"t": t_ms, "do": do, **WRONG[do], **fields}
    refusal = match.apply(command).refusal
    if refusal is not None:
        return refusal.reason
    if do in ("pause", "resume"):
        match.apply({"t": t_ms, "do": "resume" if do == "pause" else "pause"})
    else:
        match.apply({"t": t_ms, "do": "undo"})
    return "accepted"


def expected(match: Match, do: str, allowed: str, paused: bool) -> str:
    """What a command with every field wrong is refused for; "" if not for one of the first."""
    if match.over():
        return "over"
    if paused and do in (*STOPPED_BY_A_PAUSE, "pause"):
        return "clock_stopped"
    if do == "resume":
        return "" if paused else "not_now"
    if do not in allowed.split(" "):
        return "not_now"
    return "wrong_seat" if do in NAME_A_SEAT else ""


def check(match: Match, t_ms: int, allowed: str, paused: bool) -> None:
    for do in WRONG:
        got = reason(match, t_ms, do)
        wanted = expected(match, do, allowed, paused)
        assert got == wanted or (wanted == "" and got not in FIRST_REASONS), (do, got, wanted)


@pytest.mark.parametrize("position", ALL_POSITIONS)
def test_the_first_reasons_come_in_their_order(position: str) -> None:
    match, t_ms, allowed = reach(position)
    check(match, t_ms, allowed, paused=False)


@pytest.mark.parametrize("position", [name for name in ALL_POSITIONS if "trumpf" in name])
def test_a_pause_comes_before_them_all_but_the_end(position: str) -> None:
    match, t_ms, allowed = reach(position)
    pauses = "pause" in allowed
    assert (match.apply({"t": t_ms, "do": "pause"}).refusal is None) == pauses
    check(match, t_ms, allowed, paused=pauses)


@pytest.mark.parametrize("position", ALL_POSITIONS)
def test_with_the_right_seat_another_fault_is_told(position: str) -> None:
    """A seat that may be named is never `wrong_seat`: then the next wrong field is looked at."""
    match, t_ms, allowed = reach(position)
    awaited = match.awaits().seat
    for do in allowed.split(" ") if allowed else []:
        if do not in NAME_A_SEAT:
            continue
        right = [seat for seat in range(match.seats) if is_right(do, seat, awaited)]
        assert right
        for seat in range(-1, match.seats + 1):
            got = reason(match, t_ms, do, seat=seat)
            assert (got == "wrong_seat") == (seat not in right), (do, seat, got)


def is_right(do: str, seat: int, awaited: int | None) -> bool:
    """May this seat of the match be named? (*Exactly*: tap and leftover the awaited one, ask any
    but the caller, the others any.)
    """
    if do in ("tap", "leftover"):
        return seat == awaited
    return do != "ask" or seat != awaited


def test_a_tap_or_call_whose_own_time_takes_cards_back_is_out_of_place() -> None:
    """*Time*: the cards lie on their piles again, and the command was meant for another moment."""
    for lines, command in (
        (["begin 0", "tap A1"], {"do": "call", "category": "v"}),
        (["begin 0", "tap J1"], {"do": "tap", "card": "A1"}),
    ):
        match = open_match({**with_joker(), "clock_ms": 1000})
        for line in lines:
            assert match.apply({"t": 0, **command_of(line)}).refusal is None
        answer = match.apply({"t": 1000, **command})
        assert answer.refusal is not None
        assert answer.refusal.reason == "not_now"
        assert [event[0] for event in answer.events] == ["time_up", "extended"]


def test_every_command_of_the_page_is_tried() -> None:
    from firmware.rules.match import ALL_COMMANDS

    assert set(WRONG) == set(ALL_COMMANDS) - {"undo", "tick"}
