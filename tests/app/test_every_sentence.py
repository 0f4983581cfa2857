"""Every event of every game, in both languages, with 0, 1, 2 and 5 of what it counts: what a
replay tells and what the box says. Numbers agree with their nouns, and no word is of the other
language.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware import games
from firmware.app import opening
from firmware.games.cafe.rules import Cafe
from firmware.games.hattrick.rules import Hattrick
from firmware.games.quartett.rules import Quartett
from firmware.games.trumpf.rules import Trumpf
from firmware.rules.answers import Answer, Awaits, Pairs, known_events
from host_tools.replay.engines import resolve
from host_tools.replay.wording import Teller

from .fakes import Box
from .pictures import stock
from .sample_decks import DECKS

COUNTS = (0, 1, 2, 5)
LANGUAGES = ("de", "en")
NAMES = ["Anna", "Beat", "Chiara"]
Fields = dict[str, Any]
TIMES = {"clock_ms": 600_000, "turn_ms": 30_000}
HEADERS: dict[str, Fields] = {
    "trumpf": {"preset": "gastro", "deck": "gipfel", **TIMES},
    "quartett": {"deck": "gipfel", **TIMES},
    "cafe": {"preset": "board", "board": "cafe", **TIMES},
    "hattrick": TIMES,
}
RULES = {"trumpf": Trumpf, "quartett": Quartett, "cafe": Cafe, "hattrick": Hattrick}
# Why a match of the game ends, by RULES.md
ENDS = {
    "trumpf": {
        **dict.fromkeys(("all_cards", "seat_out"), "TR-10"),
        "time": "CL-6",
        "jury": "SW-5",
        "forfeit": "SW-7",
        "excluded": "SW-9",
        "all_tied": "TR-8",
    },
    "quartett": {"hand_empty": "QU-6", "time": "CL-6"},
    "cafe": {
        "last_seat": "CB-11",
        **dict.fromkeys(("chairs_full", "bar_full", "hand_empty", "bag"), "CB-13"),
        "time": "CL-6",
    },
    "hattrick": {"hands": "HA-8", "target": "HA-8", "time": "CL-6"},
}
SHARED = {"began", "seat_out", "time_up", "turn_up", "undone", "match_over"}
OWN = {
    "trumpf": "played called value_missing round_won round_tied order_suspect moved extended"
    " sudden forfeited excluded pot_won pot_returned",
    "quartett": "asked given denied quartet false_denial",
    "cafe": "placed completed cleared barred swapped drew table_set left_over turn",
    "hattrick": "opened followed passed shed round_over hand_over",
}
# Below that an event does not come: a trick has a card of each seat, a clearing a table.
LEAST = {"round_won": 2, "round_tied": 2, "pot_won": 2, "moved": 1, "cleared": 1, "barred": 0}

_PLURALS = (
    r"points|cards|guests|hands|quartets|times|tables|seats|moves|Punkte|Karten|Gäste|Quartette"
    r"|Tische|Plätze|Züge|Spiele"
)
_SINGULARS = r"point|card|guest|quartet|Punkt|Karte|Gast|Quartett"
FAULTS = {
    "one of many": rf"(?<![\d.:]){{0}}1 (?:{_PLURALS})\b".format(""),
    "many of one": rf"(?<![\d.:,])(?:0|2|5) (?:{_SINGULARS})\b",
    "onefold": r"\b1-fach|×1\b|\b1 times",
    "an unfilled place": r"[{}]|None",
    "a name of the program": r"\b[a-z]+_[a-z_]+\b",
    "the bag is not empty": r"(?i)bag is empty|Beutel (?:ist )?leer",
}
OTHER = {
    "de": r"\b(?:the|of|and|is|are|with|by|over|seat|card|rule)\b",
    "en": r"\b(?:der|die|das|und|ist|mit|von|zu|Platz|Karte|Regel)\b",
}


def faults(text: str, lang: str) -> list[str]:
    patterns = {**FAULTS, "another language": OTHER[lang]}
    return [what for what, pattern in patterns.items() if re.search(pattern, text)]


def test_the_faults_are_found() -> None:
    assert faults("field 1: 1 points", "en") == ["one of many"]
    assert faults("Anna hands 1 cards", "en") == ["one of many"]
    assert faults("Anna zieht 5 Gast", "de") == ["many of one"]
    assert faults("die Punkte zählen 1-fach", "de") == ["onefold"]
    assert faults("Partie zu Ende (hand_empty)", "de") == ["a name of the program"]
    assert faults("End (the bag is empty)", "en") == ["the bag is not empty"]
    assert faults("Ende, 3. third place of Anna", "de") == ["another language"]
    assert faults("1:0, 11 Karten, 0:5 Karten, 21 points", "de") == []


def header_of(game: str) -> Fields:
    return {"schiri": 1, "game": game, "seats": 3, "names": NAMES, **HEADERS[game]}


def whole(game: str) -> Fields:
    header = header_of(game)
    return resolve({**header, "deck": DECKS["gipfel"]} if "deck" in header else header)


def value(field: str, event: str, game: str, count: int) -> Any:
    """What stands in a field when the event counts so many."""
    guests = ["FRf1", "FRm1", "DEf1", "DEm1", "JKf1"][:count]
    cards = ["A1", "A2", "B1", "B2", "B3"][:count]
    table = {"T04": count, "T05": count}
    trick = {"suit": "R", "seat": 1, "cards": ["R1", "R2", "R3", "R4", "R5"][: max(count, 1)]}
    a_list = event in ("hand_over", "pot_returned")
    values = {
        "seat": 0,
        "to": 1,
        "from": 2,
        "leader": 1,
        "dealer": 1,
        "seats": [0, 1],
        "card": "R1" if game == "hattrick" else "A1",
        "cards": cards,
        "tiles": guests,
        "tile": "FRf1",
        "joker": "JKf1",
        "chair": "C10",
        "table": "T04",
        "nation": "FR",
        "tables": ["T04", "T05", "T06"][: max(count, 1)],
        "one_nation": True,
        "scores": [count] * 3 if a_list else table,
        "totals": [count] * 3,
        "counts": [count] * 3,
        "values": [4478, 2502, None],
        "category": "hoehe",
        "points": -5 * count if event == "left_over" else count,
        "pot": count,
        "count": count,
        "factor": count,
        "times": count,
        "field": count,
        "n": count,
        "at": count,
        "group": "A",
        "rule": "TR-13",
        "left_ms": 1000 * count,
        "tricks": [trick],
        "ranking": [[0], [1, 2]],
        "reason": "cannot_pay",
    }
    return values[field]


def events_of(game: str) -> Iterator[tuple[list[str], int, str]]:
    """(name and fields, count, reason of the end) of every event that the game may tell."""
    assert RULES[game].TABLE  # its rules, and so its events, are loaded
    known = {event[0]: event for event in known_events()}
    own = set(OWN[game].split())
    assert own | SHARED <= known.keys()
    for name in sorted(own | SHARED):
        if name == "seat_out" and game != "cafe":
            continue
        for count in COUNTS:
            if count >= LEAST.get(name, 0):
                for reason in ENDS[game] if name == "match_over" else ("",):
                    yield known[name], count, reason


def test_every_event_belongs_to_a_game() -> None:
    told = {name for names in OWN.values() for name in names.split()}
    extra = {"laid", "taken", "revoked"}  # of the example game, if a test has loaded it
    assert {event[0] for event in known_events()} - extra <= told | SHARED


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_a_replay_counts_and_names_rightly(game: str, lang: str) -> None:
    walked = 0
    teller = Teller(whole(game), lang)
    for (name, *fields), count, reason in events_of(game):
        event = {"is": name, **{field: value(field, name, game, count) for field in fields}}
        if reason:
            event["reason"] = reason
        text = teller.sentence({"do": "tick"}, {"n": 1, "events": [event]})
        assert faults(text, lang) == [], (text, event)
        if reason:
            assert f", {ENDS[game][reason]})" in text, text
        walked += 1
    assert walked >= 40


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_the_box_counts_rightly(game: str, lang: str, tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, lang)
    box.app.pages = []
    assert opening.start(box.app, header_of(game))
    told = 0
    for (name, *fields), count, _ in events_of(game):
        values = [value(field, name, game, count) for field in fields]
        if name == "placed":
            values[3] = Pairs(list(values[3].items()))
        if name == "round_over":
            values[0] = [Pairs(list(trick.items())) for trick in values[0]]
        assert box.app.table is not None
        if name != "match_over":
            box.app.table.show(Answer(1, [(name, *values)], None, Awaits(0, "begin", ())))
            box.step()
            text = " ".join(box.words().split(" | "))
            assert faults(text, lang) == [], (text, name, values)
            told += 1
            box.app.table.show(Answer(1, [], None, Awaits(None, "begin", ())))
    assert told >= 30


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", games.names())
def test_a_refusal_after_the_end_names_the_game_s_own_rule(game: str, lang: str) -> None:
    match = games.open_match(whole(game))
    for reason, rule in ENDS[game].items():
        assert match.end_rule(reason) == rule
