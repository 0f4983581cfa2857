"""Bring-up against volts and ohms: boxes that the judge's own model has not made."""

import pytest

from bench import bringup_proof as proof
from bench.electric import V33, Build, ElectricBox, N, S, ScreenPart, gp, wires_of
from tests.sampling import Sample


def sums(found: dict[str, object]) -> tuple[object, object]:
    return found.get("wrong", 0), found.get("good", 0)


def test_every_single_fault_is_judged_right(sampled: Sample) -> None:
    """Both revisions, both controllers; nothing wrong in a hundred, no broken box called good."""
    rows = proof.of_singles(19 if sampled.step > 1 else 1)
    found = proof.tally(rows)
    assert found.get("good", 0) == 0, found["amiss"]
    assert 100 * found.get("wrong", 0) <= found["boxes"], found["amiss"]


def test_two_faults_are_never_called_good(sampled: Sample) -> None:
    found = proof.tally(proof.of_pairs(2000 if sampled.step == 1 else 25))
    assert found.get("good", 0) == 0, found["amiss"]


def test_a_sound_box_has_no_fault(sampled: Sample) -> None:
    found = proof.tally(proof.of_sound(500 if sampled.step == 1 else 15))
    assert found.get("right", 0) == found["boxes"], found["amiss"]


def test_garbage_is_unknown(sampled: Sample) -> None:
    """No measurement that no box makes leads to a name, or to "good"."""
    found = proof.tally(proof.of_garbage(2000 if sampled.step == 1 else 6))
    assert found.get("unknown", 0) == found["boxes"], found["amiss"]


def lines(build: Build) -> dict[int, tuple[int, int]]:
    box = ElectricBox(build, 1)
    return {
        gpio: (low, high) for gpio, low, high in box.request("bringup", part="lines")["levels"]
    }


def test_the_network_by_hand() -> None:
    """4.7 kohm to 3.3 V beside a pull-down of 50 to 80 kohm leave 3.0 to 3.1 V; without a wire
    only the pull is left; 60 ohm to ground beside 4.7 kohm leave 0.04 V.
    """
    build = Build("rev1", wires_of("rev1"), {S: ScreenPart(), N: ScreenPart()})
    assert lines(build)[2] == (1, 1)
    build.screens[S].state = "holds SDA"
    assert lines(build)[2] == (0, 0)
    build.screens[S].state = "fine"
    build.wires.remove((gp(2), (S, "SDA")))
    assert lines(build)[2] == (0, 1)


@pytest.mark.parametrize(("ohm", "volt"), [(1000.0, 3.3 * 1000 / 65_000)])
def test_a_divider(ohm: float, volt: float) -> None:
    """64 kohm up and 1 kohm down: the voltage is worked out by hand."""
    build = Build("rev1", [], {}, shorts=[(gp(2), ("PICO", "GND"), ohm)])
    box = ElectricBox(build, 1)
    picture = box.circuit.solve([(gp(2), V33, 64_000.0)], 3.3)
    assert picture.volts[gp(2)] == pytest.approx(volt, rel=0.01)
