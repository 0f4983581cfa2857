"""The quick matches behind a deck's statistics, and the same deals by the box's rules."""

from typing import Any

import pytest

from host_tools.cards.decks import load_deck
from host_tools.cards.decks.balance import Balance, BalanceRound, Values, play
from host_tools.core.json_types import Json
from host_tools.games.deck_rules import directions
from host_tools.sim.demo.dry_run import command_of, dealt

ROUNDS = 60


def by_the_rules(table: Any, deck: Json, codes: list[str]) -> list[BalanceRound]:
    """The rounds that the rules decide while its robots play at this table."""
    keys = [category["key"] for category in deck["categories"]]
    found: list[BalanceRound] = []
    caller, category, laid, t_ms = 0, 0, {}, 0
    while len(found) < ROUNDS and table.match.awaits().what not in ("nothing", "decide"):
        act = table.act()
        t_ms += 1000
        for event in table.play(command_of(act, t_ms)).get("events", ()):
            if event["is"] == "called":
                caller, category = event["seat"], keys.index(event["category"])
            elif event["is"] == "played":
                laid[event["seat"]] = codes.index(event["cards"][0])
            elif event["is"] in ("round_won", "round_tied"):
                winner = event["seat"] if event["is"] == "round_won" else None
                found.append(BalanceRound(caller, category, laid, winner))
                laid = {}
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_simulated_rounds_are_those_of_the_rules(seats: int) -> None:
    deck = load_deck("gastro")
    codes = [card["code"] for card in deck["cards"]]
    names = ["Anna", "Beat", "Chiara", "Dürte"][:seats]
    header = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": seats, "names": names}
    ties = 0
    for seed in range(8):
        table = dealt({**header, "deck": deck}, seed, faultless=True)
        piles = [[codes.index(code) for code in hand] for hand in table.hands]
        mine = play(Values(deck, directions(deck, "gastro")), piles, table.starter())
        rounds = by_the_rules(table, deck, codes)
        assert len(rounds) > 5
        assert [next(mine, None) for _ in rounds] == rounds
        ties += sum(one.winner is None for one in rounds)
    assert ties  # or the pot is not proved


def test_the_holder_of_the_lowest_card_in_play_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """TR-2, also with the first card put aside: five cards for two."""
    deals: list[tuple[list[list[int]], int]] = []
    monkeypatch.setattr(
        "host_tools.cards.decks.balance.play",
        lambda _, piles, starter: deals.append((piles, starter)) or (),
    )
    category = {"key": "v", "title": "V", "best": "high", "decimals": 0, "unit": ""}
    cards = [{"code": f"A{n}", "name": "", "values": [n]} for n in range(1, 6)]
    Balance(Values({"categories": [category], "cards": cards}, ["high"]), seats=2).run(60)
    assert {starter for _, starter in deals} == {0, 1}
    assert any(0 not in piles[0] + piles[1] and starter for piles, starter in deals)
    for piles, starter in deals:
        assert min(piles[starter]) < min(piles[1 - starter])


def test_shares_of_a_deck_that_can_be_worked_out() -> None:
    """The higher card wins whatever is called; all are equal in `same`, which nobody calls."""
    deck = {
        "categories": [
            {"key": "high", "title": "High", "best": "high", "decimals": 0, "unit": ""},
            {"key": "low", "title": "Low", "best": "low", "decimals": 0, "unit": ""},
            {"key": "same", "title": "Same", "best": "high", "decimals": 0, "unit": ""},
        ],
        "cards": [{"code": f"A{n}", "name": "", "values": [n, 10 - n, 7]} for n in range(1, 7)],
    }
    balance = Balance(Values(deck, directions(deck, None)), seats=2)
    balance.run(200)
    found = balance.report()
    wins = {card["code"]: card["wins"] for card in found["cards"]}
    assert (wins["A1"], wins["A6"]) == (0, 1)
    assert found["matches"] == 200
    assert [(one["key"], one["dead"]) for one in found["categories"]] == [
        ("high", False),
        ("low", True),  # as strong as `high`, which comes first
        ("same", True),
    ]
    assert [one["tied"] for one in found["categories"]] == [0, 0, 0]
