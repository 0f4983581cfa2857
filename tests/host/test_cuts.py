"""Power cuts at every operation of the flash during an upload, settings changes and an update."""

import pytest

from bench.cuts import Outcome, cut_settings, cut_update, cut_upload


@pytest.mark.parametrize(
    ("run", "least"), [(cut_upload, 3), (cut_settings, 25), (cut_update, 100)]
)
def test_no_cut_costs_anything(run: type, least: int) -> None:
    outcome: Outcome = run()
    assert outcome[1] == 0
    assert outcome[0] >= least
