"""What people see of stored matches: table, slip, JSON, two languages; and a journal's faults."""

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.app.flash import Flash
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.store import open_store
from host_tools.store import store as store_module
from host_tools.store.journal.reading import read_journal, taken_back
from host_tools.store.journal.verdict import Verdict
from tests.sampling import Sample
from tests.support.memory_box import MemoryBox, journal_of, play

SWISS = {"schiri": 1, "game": "trumpf", "preset": "swiss", "seats": 2, "names": ["Özil", "Zoë"]}
RESULT = {
    "over": True,
    "reason": "time",
    "ranking": [[1], [0]],
    "counts": [13, 19],
    "points": [0, 2],
    "pot": 0,
}


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """One verified Swiss match, and one contested journal without a header."""
    path = str(tmp_path / "schiri.db")
    store = open_store(path)
    header = {**SWISS, "box": "b7", "match": 4, "born": "01"}
    store.see_box("b7", "Tisch 7", "0.1.0")
    monkeypatch.setattr(store_module, "judge", lambda *given: Verdict("verified"))
    store.add(journal_of(header, {"result": RESULT}))
    monkeypatch.undo()
    store.add(b"two")
    store.close()
    return path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(schiri, arguments)


@pytest.mark.parametrize(("locale", "word"), [("de_CH.UTF-8", "geprüft"), ("en_GB", "verified")])
def test_the_language_is_that_of_the_locale(
    database: str, locale: str, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert word in run("results", "--db", database).output


def test_the_table_names_players_cards_and_state(database: str) -> None:
    out = run("results", "--db", database, "--lang", "de").output
    assert "Özil 13 : 19 Zoë" in out
    assert "geprüft" in out
    assert "strittig" in out
    assert "Tisch 7" in out


@pytest.mark.parametrize(
    ("lang", "title", "ended"),
    [
        ("de", "ERGEBNISZETTEL", "Ende: Zeit abgelaufen"),
        ("en", "RESULT SLIP", "End: time is up"),
    ],
)
def test_the_slip_has_places_cards_and_points(
    database: str, lang: str, title: str, ended: str
) -> None:
    lines = run("results", "--db", database, "--lang", lang, "1", "--slip").output.splitlines()
    assert lines[0].strip() == title
    assert lines[3].split()[:3] == ["2.", "Özil", "13"]
    assert lines[4].split()[:4] == ["1.", "Zoë", "19", "2"]
    assert lines[6] == ended


def test_show_tells_the_history_with_reasons(database: str) -> None:
    out = run("results", "--db", database, "--lang", "en", "2").output
    assert "contested: line 1, the header, cannot be read" in out
    assert "no result" in out


def test_json_has_every_field(database: str) -> None:
    first, second = json.loads(run("results", "--db", database, "--json").output)
    assert first["result"] == RESULT
    assert first["seats"][1] == {"seat": 1, "name": "Zoë", "place": 1, "count": 19, "points": 2}
    assert (second["state"], second["seats"], second["box"]) == ("contested", [], "?")


@pytest.mark.parametrize("number", ["9", "9" * 400])
def test_a_match_that_is_not_there_is_a_sentence(database: str, number: str) -> None:
    outcome = run("results", "--db", database, number)
    assert isinstance(outcome.exception, UserError)
    assert f"no stored match {number[:9]}" in str(outcome.exception)


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    open_store(str(tmp_path / "new.db")).close()
    out = run("results", "--db", str(tmp_path / "new.db"), "--lang", "en").output
    assert out.strip() == "No match is stored yet."


@pytest.fixture
def journal_file(tmp_path: Path) -> Path:
    box = MemoryBox(Flash(str(tmp_path / "box")))
    play(box.journal)
    return tmp_path / "box" / "m000001.end"


def test_verify_counts_the_records(journal_file: Path) -> None:
    outcome = run("verify", str(journal_file))
    assert "unverified" in str(outcome.exception)  # nothing proves it: no key is known
    # header, begin, 60 taps, result, seal
    assert "box b0c5, match 1: 64 records, unverified" in outcome.output


def test_verify_fails_for_a_journal_that_does_not_hold(journal_file: Path) -> None:
    raw = journal_file.read_bytes()
    journal_file.write_bytes(raw.replace(b'"R7"', b'"R8"', 1))
    outcome = run("verify", "--json", str(journal_file))
    assert isinstance(outcome.exception, UserError)
    assert outcome.exception.exit_code == 1
    report = json.loads(outcome.output)
    assert not report["holds"]
    line = raw[: raw.index(b'"R7"')].count(b"\n") + 1
    assert f"63 records, contested (line {line} cannot be read)" in report["says"][0]


def test_verify_of_no_file_is_a_sentence(tmp_path: Path) -> None:
    outcome = run("verify", str(tmp_path / "none"))
    assert "cannot be read" in str(outcome.exception)


def test_every_flipped_bit_of_a_journal_is_contested_or_changes_nothing(
    journal_file: Path, sampled: Sample
) -> None:
    """One byte in 37, all its bits: no flip may leave a journal that looks sound but differs."""
    raw = journal_file.read_bytes()
    sound = list(read_journal(raw).transcript())
    for at, bit in sampled(product(range(0, len(raw) - 1, 37), range(8))):
        flipped = bytearray(raw)
        flipped[at] ^= 1 << bit
        read = read_journal(bytes(flipped))
        assert any(fault.kind == "damaged" for fault in read.faults), (at, bit)
        assert set(read.transcript()) <= set(sound)


def test_records_left_out_swapped_or_repeated_break_the_chain(journal_file: Path) -> None:
    lines = journal_file.read_bytes().splitlines(keepends=True)
    for changed in (
        lines[:5] + lines[6:],
        [*lines[:5], lines[6], lines[5], *lines[7:]],
        [*lines[:6], *lines[5:]],
        lines[1:],
    ):
        faults = {fault.kind for fault in read_journal(b"".join(changed)).faults}
        assert "chain" in faults or "sequence" in faults


def test_only_an_undo_takes_commands_back() -> None:
    answers = [
        {"n": 3, "events": [{"is": "swapped", "n": 1}, {"is": "undone", "n": 2}]},
        {"n": 4, "events": [{"is": "undone"}]},
        {"n": 5, "refused": {"reason": "over"}},
    ]
    assert taken_back(answers) == {2}
