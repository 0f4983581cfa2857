"""Generated matches give the same bytes in both interpreters."""

import random
from typing import Any

import pytest

from firmware.games import open_match
from firmware.rules.answers import write_answer, write_result
from host_tools.replay.engines import replay_in_vm
from tests.rules.oracle_trumpf import Oracle
from tests.rules.test_trumpf_oracle import Table, random_header

LENGTH = 120


def random_match(seed: int) -> list[dict[str, Any]]:
    """A header and commands, many of them wrong."""
    chance = random.Random(seed)
    header = random_header(chance)
    oracle, table = Oracle(header), Table(header, chance)
    lines, t_ms = [header], 0
    for _ in range(LENGTH):
        if oracle.s["over"] and chance.random() < 0.3:
            break
        table.follow(oracle)
        t_ms += chance.choice([0, 10, 400, 3000])
        lines.append({"t": t_ms, **table.command(oracle)})
        oracle.apply(lines[-1])
    return lines


def replay_here(lines: list[dict[str, Any]]) -> list[str]:
    match = open_match(lines[0])
    told = ["opened"] + [write_answer(match.apply(command)) for command in lines[1:]]
    return [*told, write_result(match.result())]


def compare(seeds: range) -> None:
    matches = [random_match(seed) for seed in seeds]
    for seed, lines, told in zip(seeds, matches, replay_in_vm(matches), strict=True):
        assert told == replay_here(lines), f"seed {seed}"


@pytest.mark.vm
def test_both_interpreters_write_the_same_bytes() -> None:
    compare(range(60))


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize("block", range(20))
def test_both_interpreters_write_the_same_bytes_for_long(block: int) -> None:
    compare(range(1000 + block * 100, 1100 + block * 100))
