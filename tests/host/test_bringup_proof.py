"""Bring-up against volts and ohms: boxes that the judge's own model has not made."""

from itertools import permutations

import pytest

from tests.host import bringup_faults as proof
from tests.sampling import Sample
from tests.support.electric import V33, BuiltBox, ElectricBox, N, S, ScreenPart, gp, wires_of

pytestmark = pytest.mark.box


def test_every_single_fault_is_judged_right(sampled: Sample) -> None:
    """Both revisions, both controllers; nothing wrong in a hundred, no broken box called good."""
    counts, amiss = proof.tally(proof.of_singles(19 if sampled.step > 1 else 1))
    assert counts["good"] == 0, amiss
    assert 100 * counts["wrong"] <= counts.total(), amiss


def test_a_bridge_that_is_hardly_any_is_never_called_good(sampled: Sample) -> None:
    """20 ohm, which the drivers nearly overcome."""
    rows = proof.of_singles(19 if sampled.step > 1 else 1, which=proof.weak_bridges)
    counts, amiss = proof.tally(rows)
    assert counts["good"] == 0, amiss


def test_two_faults_are_never_called_good(sampled: Sample) -> None:
    counts, amiss = proof.tally(proof.of_pairs(2000 if sampled.step == 1 else 25))
    assert counts["good"] == 0, amiss


def test_a_sound_box_has_no_fault(sampled: Sample) -> None:
    counts, amiss = proof.tally(proof.of_sound(500 if sampled.step == 1 else 15))
    assert counts["right"] == counts.total(), amiss


def test_garbage_is_unknown(sampled: Sample) -> None:
    """No measurement that no box makes leads to a name, or to "good"."""
    counts, amiss = proof.tally(proof.of_garbage(2000 if sampled.step == 1 else 6))
    assert counts["unknown"] == counts.total(), amiss


# what a review saw judged wrong, and what must stand first instead: one kind for each fault
SEEN = [
    (["supply 3.3 V, 0.4 ohm"], ["supply_low"]),
    (["button OK stuck"], ["bridge"]),
    (["short GND GP12 0.1 ohm"], ["bridge"]),
    (["short GP11 GP10 0.1 ohm"], ["bridge"]),
    (["short GP3 GP2 0.1 ohm"], ["bridge"]),
    (["reader glitches"], ["glitches"]),
    (["buzzer dead"], ["silent_buzzer"]),
    (["buttons without ground"], ["no_button"]),
    ([f"{S} no pull-ups", f"{N} no pull-ups"], ["no_pull_ups", "no_pull_ups"]),
    ([f"{S} absent", f"{N} absent"], ["absent", "absent"]),
    ([f"{S} lies", f"{N} lies"], ["false_status", "false_status"]),
    ([f"{S} holds SDA", "buzzer dead"], ["holds", "silent_buzzer"]),
]


@pytest.mark.parametrize("controller", ["sh1106", "ssd1306"])
@pytest.mark.parametrize("revision", proof.REVISIONS)
def test_what_was_judged_wrong(revision: str, controller: str) -> None:
    """Each is among what is printed; no supply is called short; nothing else is named besides."""
    known = {one.name: one for one in proof.singles(revision)}
    for faults, kinds in SEEN:
        build = proof.sound(revision, (controller, controller))
        for name in faults:
            known[name].apply(build)
        found = proof.judged(build, 1)
        printed = [{fault.kind for fault in alike[:3]} for alike in found.causes]
        assert not found.is_good
        assert len(printed) == len(kinds), (faults, found.causes)
        matches = permutations(kinds)
        assert any(all(map(set.__contains__, printed, order)) for order in matches), faults
        assert not any(fault.harness.shorted for fault in found.all_faults()), faults


@pytest.mark.parametrize("revision", proof.REVISIONS)
def test_a_screen_with_its_supply_turned_round_is_said_first(revision: str) -> None:
    swap = next(
        one
        for one in proof.singles(revision)
        if one.name.startswith("swapped") and one.name.count(S) == 2
        and f"{S} VCC" in one.name and f"{S} GND" in one.name
    )  # fmt: skip
    build = proof.sound(revision, ("sh1106", "sh1106"))
    swap.apply(build)
    assert proof.judged(build, 1).causes[0][0].kind == "reversed"


def test_a_bridge_that_draws_current_is_found_with_the_meter() -> None:
    """20 ohm between 3V3 and GND: the box works, and only the person's meter tells."""
    build = proof.sound("rev1", ("sh1106", "sh1106"))
    build.shorts.append((V33, ("PICO", "GND"), 20.0))
    assert ElectricBox(build, 1).alive
    assert [alike[0].kind for alike in proof.judged(build, 1).causes] == ["load"]


def lines(build: BuiltBox) -> dict[int, tuple[int, int]]:
    box = ElectricBox(build, 1)
    return {
        gpio: (low, high) for gpio, low, high in box.request("bringup", part="lines")["levels"]
    }


def test_the_network_by_hand() -> None:
    """4.7 kohm to 3.3 V beside a pull-down of 50 to 80 kohm leave 3.0 to 3.1 V; without a wire
    only the pull is left; 60 ohm to ground beside 4.7 kohm leave 0.04 V.
    """
    build = BuiltBox("rev1", wires_of("rev1"), {S: ScreenPart(), N: ScreenPart()})
    assert lines(build)[2] == (1, 1)
    build.screens[S].state = "holds SDA"
    assert lines(build)[2] == (0, 0)
    build.screens[S].state = "fine"
    build.wires.remove((gp(2), (S, "SDA")))
    assert lines(build)[2] == (0, 1)


@pytest.mark.parametrize(("ohm", "volt"), [(1000.0, 3.3 * 1000 / 65_000)])
def test_a_divider(ohm: float, volt: float) -> None:
    """64 kohm up and 1 kohm down: the voltage is worked out by hand."""
    build = BuiltBox("rev1", [], {}, shorts=[(gp(2), ("PICO", "GND"), ohm)])
    box = ElectricBox(build, 1)
    picture = box.circuit.solve([(gp(2), V33, 64_000.0)], 3.3)
    assert picture.volts[gp(2)] == pytest.approx(volt, rel=0.01)
