"""A sample of `python -m bench.hostile_air`, and that it finds what it is there to find."""

import pytest

from bench import hostile_air

MESSAGES = 3_000


def test_no_message_raises_stops_or_changes_what_is_not_its_own(database: str) -> None:
    outcome = hostile_air.run(database, MESSAGES, seed=3)
    assert outcome.faults == {}
    assert outcome.messages > MESSAGES
    assert outcome.lines > 30  # matches went on meanwhile
    kinds = {"bad_value", "unsigned", "bad_mac", "damaged", "replayed", "foreign_topic", "chain"}
    assert kinds <= set(outcome.refused)


@pytest.mark.thorough
@pytest.mark.parametrize("name", hostile_air.FAULTS)
def test_a_deliberate_fault_is_found(database: str, name: str) -> None:
    with hostile_air.FAULTS[name]():
        assert hostile_air.run(database, MESSAGES, seed=2).faults
