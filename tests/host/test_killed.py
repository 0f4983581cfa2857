"""Of three receivers one hangs and one is killed: nothing is lost, nothing doubled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from bench import killed


@pytest.mark.thorough
def test_boxes_of_a_receiver_that_hangs_or_dies_are_received_by_the_others(
    needs: Callable[[str], str],
) -> None:
    """Real Mosquitto, PostgreSQL and nginx; one box in each share plays through both faults."""
    needs("mosquitto")
    needs("nginx")
    with ThreadPoolExecutor(1) as threads:  # in this one the browser's own loop may be running
        work = killed.run(3, ("hung", "receiver"))
        found = threads.submit(asyncio.run, work).result()
    assert (found.lost, found.doubled, found.kept_back) == (0, 0, 0)
    assert found.played == 6
    assert all(taken < killed.LIMIT_S for seen in found.seen_s.values() for taken in seen)
