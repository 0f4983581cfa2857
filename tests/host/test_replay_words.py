"""Every line of replay_words.txt: what is malformed, what is refused, what is taken."""

import copy
import json
from pathlib import Path
from typing import Any

from host_tools.core.errors import UserError
from host_tools.games.cafe.boards import load_board
from host_tools.replay.engines import recompute
from host_tools.replay.reading import read_transcript

TABLE = Path(__file__).with_name("replay_words.txt")
BEGIN = {"t": 0, "do": "begin", "seat": 0}
# Twelve cards; `kg` has two decimals and a low best.
DECK: dict[str, Any] = {
    "id": "x",
    "categories": [{"key": "ps", "best": "high"}, {"key": "kg", "best": "low", "decimals": 2}],
    "cards": [{"code": f"{g}{n}", "values": [n, "1,5"]} for g in "ABC" for n in (1, 2, 3, 4)],
}
JOKER_DECK = {
    "id": "x",
    "categories": [{**DECK["categories"][0], "joker": True}, DECK["categories"][1]],
    "cards": [*DECK["cards"], {"code": "J1", "joker": True}],
}
TRUMPF = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 2, "deck": DECK}
QUARTETT = {"schiri": 1, "game": "quartett", "seats": 3, "deck": DECK}
CAFE = {"schiri": 1, "game": "cafe", "preset": "board", "seats": 2}
HEADERS: dict[str, dict[str, Any]] = {
    "trumpf": TRUMPF,
    "swiss": {**TRUMPF, "preset": "swiss"},
    "kneipe": {**TRUMPF, "preset": "kneipe"},
    "trumpf+joker": {**TRUMPF, "deck": JOKER_DECK},
    "quartett": QUARTETT,
    "quartett+joker": {**QUARTETT, "deck": JOKER_DECK},
    "board": CAFE,
    "app": {**CAFE, "preset": "app"},
    "board+own": {**CAFE, "board": {"tables": load_board("cafe")["tables"]}},
    "app+own": {**CAFE, "preset": "app", "board": {"tables": load_board("cafe_app")["tables"]}},
    "hattrick": {"schiri": 1, "game": "hattrick", "seats": 4},
}


def rows() -> list[str]:
    lines = TABLE.read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def change(header: dict[str, Any], words: str) -> None:
    """`deck.cards.0.code="A2"` sets (one past the end of a list: adds), `-deck` takes away."""
    path, _, value = words.removeprefix("-").partition("=")
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner: Any = header
    for step in way:
        inner = inner[step]
    if words.startswith("-"):
        del inner[last]
    elif isinstance(inner, list) and last == len(inner):
        inner.append(json.loads(value))
    else:
        inner[last] = json.loads(value)


def told(base: str, changes: str, commands: str) -> str:
    """The word of `schiri replay` about the file."""
    header = copy.deepcopy(HEADERS[base])
    for words in filter(None, changes.split("; ")):
        change(header, words)
    lines = [json.dumps(header)]
    for command in filter(None, commands.split(" ; ")):
        lines.append(json.dumps(BEGIN) if command == "begin" else command)
    try:
        answers = recompute(read_transcript("\n".join(lines).encode(), "table"))
    except UserError:
        return "malformed"
    last = json.loads(answers[-2]) if len(answers) > 1 else {}
    return str(last["refused"]["reason"]) if "refused" in last else "ok"


def test_every_row_gets_its_word() -> None:
    found = {}
    for row in rows():
        word, *file = [part.strip() for part in row.split(" |")]
        if (said := told(*file)) != word:
            found[row] = said
    assert found == {}
