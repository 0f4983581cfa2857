"""The power budget against sums done by hand."""

from dataclasses import replace

import pytest

from hardware.power import Budget, check_power, constant_of, load_budget

# Pico 25, screens 20, buzzer 0.5; reader 36 idle, 110 with field
HAND = Budget(
    loads={
        "pico": {"typical": 25, "worst": 40},
        "radio": {"typical": 60, "worst": 320},
        "reader_idle": {"typical": 36, "worst": 40},
        "reader_field": {"typical": 110, "worst": 150},
        "screens": {"typical": 20, "worst": 40},
        "buzzer": {"typical": 0.5, "worst": 5},
    },
    waiting_on_ms=10,
    resting_on_ms=10,
    dark_ms=30,
    calm_ms=40,
    supply={
        "volts": 3.3,
        "converter": 0.85,
        "out_limit": 300,
        "regulator": 800,
        "bank_sleeps_below": 100,
    },
    sources={"pack": {"name_en": "pack", "watt_hours": 7.4, "boost": 0.9}},
    keep_alive={"ohms": 25, "on_ms": 20, "every_ms": 1000},
)


def test_currents_by_hand() -> None:
    assert HAND.draw_ma(1.0) == pytest.approx(155.5)
    assert HAND.draw_ma(0.0) == pytest.approx(81.5)
    assert HAND.draw_ma(0.25) == pytest.approx(100.0)  # 81.5 + 74 / 4
    assert HAND.usb_ma(0.25) == pytest.approx(77.65, abs=0.01)  # 100 x 3.3 / 5 / 0.85


def test_the_radio_by_hand() -> None:
    """60 mA more at 3.3 V; at worst 40 + 320 + 150 + 40 + 5, of 800."""
    assert HAND.draw_ma(0.25, radio=True) == pytest.approx(160.0)
    assert HAND.usb_ma(0.25, radio=True) == pytest.approx(124.24, abs=0.01)
    assert HAND.hours("pack", 0.25, radio=True) == pytest.approx(10.722, abs=0.001)
    assert HAND.draw_ma(1.0, "worst", radio=True) == 555


def test_a_radio_beyond_the_regulator_is_told() -> None:
    loads = {**HAND.loads, "radio": {"typical": 60, "worst": 600}}
    assert check_power(replace(HAND, loads=loads)) == [
        "the Pico's regulator would have to give 835 mA with the radio on; 800 mA is its limit."
    ]


def test_200_mhz_by_hand() -> None:
    """18 mA x 5 V x 0.85 / 3.3 V are 23 mA; x 200 / 125 x (1.15 / 1.1)^2 are 40."""
    by_hand = 18 * 5 * 0.85 / 3.3 * (200 / 125) * (1.15 / 1.1) ** 2
    assert load_budget().loads["pico"]["typical"] == pytest.approx(by_hand, abs=1.0)


def test_duties_are_on_time_by_on_and_dark_time() -> None:
    assert HAND.duties == {"always": 1.0, "waiting": 0.25, "resting": 0.2}


def test_hours_by_hand() -> None:
    """7.4 Wh x 0.9 = 6.66 Wh; 100 mA x 3.3 V / 0.85 = 0.38824 W; 17.15 h."""
    assert HAND.hours("pack", 0.25) == pytest.approx(17.154, abs=0.001)


def test_the_keep_alive_load_by_hand() -> None:
    """5 V over 25 ohms is 200 mA, a fiftieth of the time: 4 mA, 20 mW on top of 388.24 mW."""
    assert HAND.pulse_ma() == pytest.approx(200)
    assert HAND.keep_alive_ma() == pytest.approx(4)
    assert HAND.hours("pack", 0.25, kept_alive=True) == pytest.approx(16.314, abs=0.001)


def test_the_committed_duties_are_those_that_were_measured() -> None:
    """75 % while a card is awaited, 19 % while one lies there."""
    duties = load_budget().duties
    assert round(duties["waiting"], 2) == 0.75
    assert round(duties["resting"], 2) == 0.19


def test_two_screens_at_their_data_sheets_worst() -> None:
    """150 field + 2 x 50 screens + 5 buzzer, of 300."""
    assert load_budget().worst_out_ma() == 255


def test_the_pulse_is_what_was_published_to_keep_a_bank_on() -> None:
    """22 ohms, 227 mA, did; 27 ohms, 185 mA, did not."""
    assert 185 < load_budget().pulse_ma() <= 230


def test_the_regulator_carries_the_worst_case() -> None:
    assert HAND.worst_out_ma() == 195
    assert check_power(HAND) == []


def test_the_committed_budget_holds() -> None:
    budget = load_budget()
    assert check_power(budget) == []
    assert all(load["source"] for load in budget.loads.values())
    assert budget.worst_out_ma() <= 300


def test_the_dark_time_is_the_firmwares() -> None:
    from firmware.drivers import reader

    budget = load_budget()
    assert (budget.dark_ms, budget.calm_ms) == (reader._POLL_MS, reader._CALM_POLL_MS)


def test_a_hungry_reader_is_told() -> None:
    loads = {**HAND.loads, "reader_field": {"typical": 110, "worst": 260}}
    said = check_power(replace(HAND, loads=loads))
    assert said == [
        "3V3(OUT) would have to give 305 mA; 300 mA is what the Pico's regulator is meant for."
    ]


def test_a_small_pack_is_told() -> None:
    small = {"pack": {"name_en": "a small pack", "watt_hours": 1.85, "boost": 0.9}}
    assert check_power(replace(HAND, sources=small)) == [
        "a small pack lasts 3 h, less than a tournament day."
    ]


def test_a_power_bank_may_sleep() -> None:
    def may_sleep(budget: Budget) -> bool:
        return budget.usb_ma(budget.duties["resting"]) < budget.supply["bank_sleeps_below"]

    assert may_sleep(HAND)
    assert not may_sleep(replace(HAND, calm_ms=0))  # 155.5 mA are 121 mA at 5 V


def test_a_constant_that_is_gone_is_told() -> None:
    from hardware.power import READER_FILE

    with pytest.raises(ValueError, match=r"reader.py has no _GONE_MS"):
        constant_of(READER_FILE, "_GONE_MS")
