"""An error repeats at most 200 characters of a value, as text and as JSON, and in bounded time."""

import json
import time
from pathlib import Path

import pytest

from host_tools.cli import main
from host_tools.core.errors import Sentence, UserError, as_data, recognised
from host_tools.core.names import LONGEST_ECHO

LONG = "X" * 3_000_000
MOST_CPU_S = 5.0  # 58 s once
HEADER = {
    "schiri": 1,
    "game": "trumpf",
    "preset": "gastro",
    "seats": 2,
    "deck": {
        "categories": [{"key": "v", "best": "high"}],
        "cards": [{"code": "A1", "values": [1]}, {"code": "A2", "values": [2]}],
    },
}
BEGIN = {"t": 0, "do": "begin", "seat": 0}
TAP = {"t": 1, "do": "tap", "card": "A1"}
RECORDS = {
    "card": [HEADER, BEGIN, {"t": 1, "do": "tap", "card": LONG}],
    "category": [HEADER, BEGIN, TAP, {"t": 2, "do": "call", "category": LONG}],
    "do": [HEADER, {"t": 1, "do": LONG}],
    "preset": [{**HEADER, "preset": LONG}],
    "game": [{**HEADER, "game": LONG}],
    "deck": [{**HEADER, "deck": LONG}],
    "field": [{**HEADER, "seats": LONG, LONG: 1}],
    "aside": [{**HEADER, "aside": [LONG]}],
    "option": [{**HEADER, "options": {LONG: 1}}],
    "best": [{**HEADER, "deck": {"categories": [{"key": "v", "best": LONG}], "cards": []}}],
    "answer": [HEADER, BEGIN, {"n": 1, "events": [{"is": LONG}]}],
}


@pytest.mark.parametrize("as_json", [["--json"], [], ["--check"], ["--check", "--lang", "de"]])
@pytest.mark.parametrize("name", [*RECORDS, "twice"])
def test_a_record_with_a_very_long_value(
    name: str, as_json: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.ndjson"
    lines = [json.dumps(line) for line in RECORDS.get(name, ())]
    path.write_text("\n".join(lines) or f'{{"{LONG}":1,"{LONG}":2}}')
    before = time.process_time()
    with pytest.raises(SystemExit):
        main(["replay", *as_json, str(path)])
    assert time.process_time() - before < MOST_CPU_S
    told = "".join(capsys.readouterr())
    assert "X" * (LONGEST_ECHO + 1) not in told.replace("\n", "")
    assert len(told) < 3000


def test_what_an_error_holds_is_short_for_programs_too() -> None:
    inner = Sentence("json_twice", field=LONG)
    error = UserError("transcript_fault", file=Path(LONG), line=1, where=LONG, detail=inner)
    data = as_data(error.sentence, "de")
    for text in (
        data["fields"]["file"],
        data["fields"]["where"],
        data["fields"]["detail"]["text"],
    ):
        assert text.count("X") < LONGEST_ECHO
    told = str(UserError("option_unknown", name="Z" * 5000, preset="a", offered="b"))
    assert told.count("Z") == LONGEST_ECHO - 1
    assert len(recognised(LONG)) <= 1000
