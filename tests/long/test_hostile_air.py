"""What somebody says who has a box's own password raises nowhere, stops nothing, and changes
nothing that is not its own; and each planted fault is found.
"""

import random

import pytest

from tests.long import hostile_air

FEW, MANY = 3_000, 100_000
KINDS = {"bad_value", "unsigned", "bad_mac", "damaged", "replayed", "foreign_topic", "chain"}


@pytest.mark.parametrize("messages", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_no_message_raises_stops_or_changes_what_is_not_its_own(
    database: str, messages: int
) -> None:
    seed = 3 if messages == FEW else random.randrange(1 << 16)
    print("seed", seed)
    hall = hostile_air.run(database, messages, seed)
    assert hall.faults == {}
    assert hall.messages > messages
    assert hall.lines > 30  # matches went on meanwhile
    assert set(hall.reception.refusals) >= KINDS


@pytest.mark.thorough
@pytest.mark.parametrize("fault", hostile_air.PLANTED)
def test_each_planted_fault_is_found(database: str, fault: str) -> None:
    with hostile_air.PLANTED[fault]():
        assert hostile_air.run(database, FEW, seed=2).faults
