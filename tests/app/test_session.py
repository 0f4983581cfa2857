"""Time, journal and power cuts: what a match must survive (CL-1, CL-2, CL-3)."""

import json
from pathlib import Path
from typing import Any

import pytest

from card_tags.deck_card import deck_number
from firmware.app import sounds
from firmware.app.journal import JournalFull
from host_tools.cli import main
from host_tools.store.journal import replaying
from host_tools.store.journal.reading import read_journal
from host_tools.store.journal.replaying import first_difference

from .fakes import WRAP, Box
from .pictures import stock
from .sample_decks import DECKS, card_values
from .script import Script

NUMBER = deck_number("gipfel")
SCRIPT = Path(__file__).parent / "scripts/16_values_with_the_tap.txt"


def new_box(folder: Path, now_ms: int = 0) -> Box:
    stock(folder)
    return Box(folder, now_ms=now_ms)


def open_swiss(box: Box) -> Any:
    box.press("OK+", "OK")
    assert box.app.session is not None
    return box.app.session


def lay(box: Box, code: str) -> None:
    box.lay_card(NUMBER, code, card_values("gipfel", code))


def commands(box: Box) -> list[dict[str, Any]]:
    number = box.journal.entries()[-1].number
    records = [line.record for line in box.journal.lines(number)]
    payloads = [record.payload for record in records if record is not None]
    return [json.loads(payload.split("\t")[0]) for payload in payloads[1:]]


def test_the_clock_runs_on_when_the_tick_counter_wraps(tmp_path: Path) -> None:
    box = new_box(tmp_path, now_ms=WRAP - 5000)
    session = open_swiss(box)
    lay(box, "A1")
    before = session.left_ms()
    box.wait(20_000)  # the counter wraps after about five seconds
    assert before - session.left_ms() == 20_000
    assert [c["t"] for c in commands(box)] == sorted(c["t"] for c in commands(box))


def test_the_clock_starts_with_the_first_card(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    session = open_swiss(box)
    box.wait(30_000)
    assert session.left_ms() == 600_000
    lay(box, "A1")
    box.wait(1000)
    assert session.left_ms() == 599_000


def test_a_power_cut_loses_no_command_and_at_most_five_seconds(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    session = open_swiss(box)
    lay(box, "A1")
    box.press("OK")
    box.wait(61_700)
    left, counts = session.left_ms(), session.match.counts()
    box.power_on()
    back: Any = box.app.session
    assert back.match.counts() == counts
    assert back.match.awaits() == session.match.awaits()
    assert back.paused()
    assert 0 <= back.left_ms() - left <= 5000  # what is lost is given to the players
    box.wait(10_000)
    assert 0 <= back.left_ms() - left <= 5000  # paused until the jury lets it go on
    assert commands(box)[-1]["why"] == "power"


def test_a_match_without_a_clock_is_resumed_too(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    box.set_choice(game="quartett", preset=None, seats=3)
    box.press("OK+", "OK")
    box.power_on()
    session: Any = box.app.session
    assert session.match.awaits().what == "ask"
    assert not session.paused()


def test_a_finished_match_waits_for_its_confirmation(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    box.press("JURY")
    box.choose("Nicht angetreten")
    box.press("OK")
    box.choose("zu spät")
    box.press("OK")
    box.power_on()
    box.press("OK")
    assert "OK: Ergebnis gilt" in box.words()
    box.press("OK")
    assert box.journal.entries()[-1].state == "end"
    box.power_on()
    assert box.app.session is None


class OneFullFlash:
    """Lets `append_ahead` fail as a full flash does."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.shown_before = b""

    def append_ahead(self, command: str, answer: str) -> None:
        self.shown_before = box_picture(self.box)
        raise JournalFull(28)


def box_picture(box: Box) -> bytes:
    return box.display.shown


def test_nothing_is_shown_that_the_journal_does_not_have(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    session = open_swiss(box)
    session.journal = OneFullFlash(box)
    picture = box_picture(box)
    with pytest.raises(JournalFull):
        lay(box, "A1")
    assert box_picture(box) == picture
    box.power_on()  # what main does after such a fault
    again: Any = box.app.session
    assert again.match.counts() == [4, 4]
    assert again.match.awaits().what == "tap"


def test_refused_commands_are_in_the_journal_too(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    lay(box, "A1")
    box.press("OK")
    lay(box, "A1")
    number = box.journal.entries()[-1].number
    last = list(box.journal.lines(number))[-1].record
    assert last is not None
    assert json.loads(last.payload.split("\t")[1])["refused"]["reason"] == "already_played"


def test_each_warning_sounds_once(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    lay(box, "A1")
    box.wait(600_000)
    warnings = [sound for sound in box.buzzer.played if sound == sounds.WARNING_60]
    assert len(warnings) == 1
    assert box.buzzer.played.count(sounds.WARNING_10) == 1


def test_zero_is_told_at_once_and_only_once(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    session = open_swiss(box)
    lay(box, "A1")
    box.press("OK")  # called: the round counts after time-out (SW-4)
    box.wait(600_000, 10)
    ticks = [c for c in commands(box) if c["do"] == "tick"]
    assert session.left_ms() == 0
    box.wait(60_000)
    assert len([c for c in commands(box) if c["do"] == "tick"]) == len(ticks)


def test_a_damaged_journal_is_told_to_the_players(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    lay(box, "A1")
    box.press("OK")
    lay(box, "A2")
    path = next(tmp_path.glob("m*.run"))
    data = bytearray(path.read_bytes())
    lines = bytes(data).split(b"\n")
    lines[2] = lines[2][:40] + b"x" + lines[2][41:]  # not the last line
    path.write_bytes(b"\n".join(lines))
    box.power_on()
    assert "beschädigt" in box.words().replace(" | ", " ")


@pytest.mark.parametrize(
    ("at", "old", "new", "told"),
    [
        (1, "", "", False),
        (1, ":", ": ", False),  # as an older firmware might have written it
        (1, '{"n":2', '{"n":3', True),
        (1, '"for":"call"', '"for":"tap"', True),
        (1, '{"is":"played","seat":0,"cards":["A1"]}', "", True),
        (1, ',"awaits"', ',"refused":{"reason":"not_now","rule":""},"awaits"', True),
        (-1, '"cards":["A2"]', '"cards":["A3"]', True),  # only the last is compared whole
    ],
)
def test_an_answer_that_the_rules_do_not_give_is_told_to_the_players(
    tmp_path: Path, at: int, old: str, new: str, told: bool
) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    lay(box, "A1")
    box.press("OK")
    lay(box, "A2")
    lines = [line.record for line in box.journal.lines(1)]
    payloads = [record.payload for record in lines if record is not None]
    steps = [payload.split("\t") for payload in payloads[1:]]
    assert old in steps[at][1]
    steps[at][1] = steps[at][1].replace(old, new)
    box.journal.open_match(payloads[0])
    for command, answer in steps:
        box.journal.append(command, answer)
    box.power_on()
    assert ("beschädigt" in box.words().replace(" | ", " ")) is told


def test_a_match_whose_header_is_lost_does_not_stop_the_box(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    lay(box, "A1")
    path = next(tmp_path.glob("m*.run"))
    data = path.read_bytes()
    path.write_bytes(b"x" + data[1:])
    box.power_on()
    assert "Kein Start" in box.words()
    box.press("OK")
    assert "Spiel" in box.words()
    open_swiss(box)  # the lost match is put aside, a new one opens


def test_a_match_whose_deck_is_gone_does_not_stop_the_box(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    (tmp_path / "decks" / "gipfel.json").unlink()
    box.power_on()
    assert "Die Datei" in box.words()
    (tmp_path / "decks" / "gipfel.json").write_text("{")
    box.power_on()
    assert "Kein Start" in box.words()


def test_a_record_that_cannot_be_followed_does_not_stop_the_box(tmp_path: Path) -> None:
    box = new_box(tmp_path)
    open_swiss(box)
    box.journal.append('{"t":1,"do":"fly"}', '{"n":2}')
    box.power_on()
    assert "Kein Start" in box.words()
    assert "nicht mehr lesbar" in box.words().replace(" | ", " ")


def test_values_of_a_refused_or_undone_tap_are_not_kept(tmp_path: Path) -> None:
    """A deck known from its deck card alone: what the record says of it, everybody recomputes."""
    box = new_box(tmp_path)
    Script(box, lambda name, picture: None).run(SCRIPT)
    box.press("JURY")
    box.choose("Nicht angetreten")
    box.press("OK")
    box.choose("zu spät")
    box.press("OK", "OK", "OK")
    (file,) = tmp_path.glob("m000001.*")
    journal = read_journal(file.read_bytes())
    taps = [(c.get("values"), "refused" in a) for _, c, a in journal.steps if c["do"] == "tap"]
    assert taps == [([1, 1, 1], True), ([4505, 1235, 1861], False), ([7, 8, 9], False)]
    assert first_difference(journal) == ""
    path = tmp_path / "raw.ndjson"
    path.write_text("".join(line + "\n" for line in journal.transcript()), "utf-8")
    for engine in ("cpython", "micropython"):
        with pytest.raises(SystemExit) as left:
            main(["replay", "--check", "--engine", engine, str(path)])
        assert left.value.code == 0


def test_a_tag_that_says_something_else_than_the_laptops_deck_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box knew the deck from its deck card alone and took the tags' word for it."""
    box = new_box(tmp_path)
    Script(box, lambda name, picture: None).run(SCRIPT)
    (file,) = tmp_path.glob("m000001.*")
    journal = read_journal(file.read_bytes())
    monkeypatch.setattr(replaying, "load_deck", lambda deck: DECKS["gipfel"])
    deck = (journal.header or {})["deck"]["id"]
    assert first_difference(journal) == f"the tag of card A3 has other values than deck {deck}"


def test_the_lowest_card_in_play_tells_who_starts_when_a1_was_put_aside(tmp_path: Path) -> None:
    """TR-2: eight cards, three seats: A1 and A2 are left over, so A3 is the lowest one."""
    box = new_box(tmp_path)
    header = {"schiri": 1, "game": "trumpf", "preset": "gastro", "seats": 3, "deck": "gipfel"}
    box.journal.open_match(json.dumps({**header, "aside": ["A1", "A2"], "own_values": False}))
    box.power_on()
    box.press("OK")  # the news of the restart
    script = Script(box, lambda name, picture: None)
    script.do_see("@who_begins")
    for code in ("A1", "A4"):  # put aside, and not the lowest
        script.do_card(code)
        script.do_hide("@whose_card")
        box.press("OK")
    script.do_card("A3")
    script.do_see("@whose_card")
    script.do_see("A3")
    box.press("DOWN", "OK")
    script.do_hide("@who_begins")
    (file,) = tmp_path.glob("m000001.run")
    steps = read_journal(file.read_bytes()).steps
    assert [command["seat"] for _, command, _ in steps if command["do"] == "begin"] == [1]
