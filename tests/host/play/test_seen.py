"""The cards on the table of a replay, worked out by hand."""

import json
from pathlib import Path

from host_tools.core.json_types import Json
from host_tools.sim.table.replays import Replay, read_replay

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
CODES = [group + number for group in "ABC" for number in "1234"]
KILOS = {"A1": 5, "B1": 5, "A2": 7, "B2": 3}


def deck() -> Json:
    """Twelve cards with one value; what is not in KILOS weighs nothing."""
    cards = [{"code": c, "name": f"Beast {c}", "values": [KILOS.get(c, 0)]} for c in CODES]
    category = {"key": "kg", "title": "Weight", "unit": "kg", "best": "high"}
    return {"id": "zoo", "title": "Zoo", "categories": [category], "cards": cards}


def replay_of(header: Json, *commands: Json) -> Replay:
    lines: list[Json] = [{"schiri": 1, **header}]
    lines += [{"t": 1000 * number, **command} for number, command in enumerate(commands)]
    return read_replay("\n".join(json.dumps(line) for line in lines).encode(), "by hand", "en")


def tap(card: str) -> Json:
    return {"do": "tap", "card": card}


def middles(replay: Replay) -> list[Json]:
    views = replay.walk.views(0)
    assert len(views) == len(replay.steps) + 1
    return [view["middle"] for view in views]


def test_a_trumpf_round_lies_there_until_the_next_card() -> None:
    replay = replay_of(
        {"game": "trumpf", "preset": "gastro", "seats": 2, "deck": deck()},
        {"do": "begin", "seat": 0},
        tap("A1"),
        {"do": "call", "category": "kg"},
        tap("B1"),  # 5 against 5: a tie, two cards in the pot
        tap("A2"),
        {"do": "call", "category": 0},
        tap("C1"),  # 0 against 7: seat 0 wins these two and the pot
        {"do": "undo", "why": "it was another card"},
        tap("B2"),  # 3 against 7
    )
    seen = middles(replay)
    nothing: Json = {"lying": [[], []], "pot": 0, "category": None, "won": None, "tied": []}
    assert seen[0] == seen[1] == nothing
    assert seen[2] == {**nothing, "lying": [["A1"], []], "callable": ["kg"]}  # TR-11
    assert seen[3] == {**nothing, "lying": [["A1"], []], "category": "kg"}
    tie = {"lying": [["A1"], ["B1"]], "pot": 2, "category": "kg", "won": None, "tied": [0, 1]}
    assert seen[4] == tie
    called = {**nothing, "lying": [["A2"], []], "pot": 2, "category": "kg"}
    assert seen[6] == seen[8] == called
    assert seen[7] == {**called, "lying": [["A2"], ["C1"]], "won": 0}
    assert seen[9] == {**called, "lying": [["A2"], ["B2"]], "won": 0}
    # six cards each; one each went into the pot; seat 0 gets its own two back and two more
    seats = replay.walk.views(9)[0]["seats"]
    assert [(s["score"], s["gain"], s["won"]) for s in seats] == [(8, 3, True), (4, -1, False)]
    face = replay.fixed["faces"]["A2"]
    assert (face["name"], face["rows"][0]["value"]) == ("Beast A2", "7 kg")


def test_two_tricks_of_hattrick_have_two_winners() -> None:
    replay = replay_of(
        {"game": "hattrick", "seats": 3},
        {"do": "begin", "seat": 2},  # deals; seat 0 leads (HA-2)
        tap("R5"),
        tap("R9"),
        tap("R9"),  # refused: it lies there already
        tap("G3"),  # opens the second trick and takes it alone (HA-4)
        tap("B7"),  # seat 1 leads: 9 is the highest (HA-5)
        {"do": "undo", "why": "misread"},
        {"do": "undo", "why": "misread"},
    )
    seen = middles(replay)
    red = [
        {"seat": 0, "code": "R5", "won": False},
        {"seat": 1, "code": "R9", "won": False},
    ]
    assert seen[3]["lying"] == seen[4]["lying"] == red
    assert seen[5]["lying"] == [
        {"seat": 0, "code": "R5", "won": False},
        {"seat": 1, "code": "R9", "won": True},
        {"seat": 2, "code": "G3", "won": True},
    ]
    assert [(t["suit"], t["leads"]) for t in seen[5]["tricks"]] == [("R", 1), ("G", 2)]
    assert seen[6]["lying"] == [{"seat": 1, "code": "B7", "won": False}]
    assert seen[7]["lying"] == []
    assert seen[8]["lying"] == red
    cards = [[seat["cards"] for seat in view["seats"]] for view in replay.walk.views(0)]
    assert cards[3] == [19, 19, 20]
    assert cards[5] == [19, 19, 19]
    assert cards[6] == [19, 18, 19]


def test_what_quartett_players_hear_and_see() -> None:
    four = ["A1", "A2", "A3", "A4"]
    replay = replay_of(
        {"game": "quartett", "seats": 3, "deck": deck()},
        {"do": "begin", "seat": 0},
        {"do": "ask", "seat": 1, "card": "A2"},
        tap("A2"),
        {"do": "ask", "seat": 2, "card": "B1"},
        {"do": "deny"},
        {"do": "lay", "seat": 0, "cards": four},
        {"do": "undo", "why": "not yet"},
    )
    seen = middles(replay)
    assert seen[1]["shown"] is None
    assert seen[2]["shown"] == {"is": "asked", "seats": [0, 1], "codes": ["A2"]}
    assert seen[3]["shown"] == {"is": "given", "seats": [1, 0], "codes": ["A2"]}
    assert seen[3]["sizes"] == [5, 3, 4]
    assert seen[5]["shown"] == {"is": "denied", "seats": [2], "codes": ["B1"]}
    assert seen[6]["shown"] == {"is": "quartet", "seats": [0], "codes": four}
    assert seen[6]["quartets"] == [["A"], [], []]
    assert seen[7]["quartets"] == [[], [], []]
    assert set(replay.fixed["faces"]) == {*four, "B1"}


def test_guests_of_a_cleared_table_are_seen_once_more() -> None:
    """CA-2: the guests leave with the very command that fills their table."""
    data = (TRANSCRIPTS / "cafe_app" / "ca-2-who-stays.ndjson").read_bytes()
    replay = read_replay(data, "ca-2", "en")
    seen = middles(replay)
    plan = replay.fixed["plan"]
    cleared = [n for n, step in enumerate(replay.steps, 1) if "leared" in step["text"]]
    assert cleared
    for n in cleared:
        for table in seen[n]["full"]:
            chairs = [chair for chair, tables in plan["links"].items() if table in tables]
            assert all(chair in seen[n]["guests"] for chair in chairs)
            assert seen[n]["nations"][table] is not None
            assert not all(chair in seen[n + 1]["guests"] for chair in chairs)
        assert seen[n]["fresh"][0] in seen[n]["guests"]


def test_no_hand_is_shown() -> None:
    """A record does not hold hands; what is sent names only cards that were tapped or named."""
    replay = replay_of(
        {"game": "trumpf", "preset": "gastro", "seats": 2, "deck": deck()},
        {"do": "begin", "seat": 0},
        tap("A1"),
    )
    sent = json.dumps([replay.as_json(), replay.walk.views(0)])
    assert [code for code in CODES if f'"{code}"' in sent] == ["A1"]
