"""The pictures of a replay against those of a box that was really played on."""

from pathlib import Path

import pytest

from host_tools.cards.public_keys import SigningKey
from host_tools.core.json_types import Json
from host_tools.games.box_words import box_words
from host_tools.sim.table.box_screens import picture_of
from host_tools.sim.table.replays import CHUNK, Replay, read_replay
from tests.sampling import one_in
from tests.support.signed_journals import played, signed

from .played_box import PlayedBox

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
SHORT = 30
LONG = 2_000
MATCHES: dict[str, Json] = {
    "gastro": {"game": "trumpf", "preset": "gastro", "seats": 3, "deck": "gastro"},
    "kneipe": {"game": "trumpf", "preset": "kneipe", "seats": 4, "deck": "kneipe"},
    "quartett": {"game": "quartett", "seats": 3, "deck": "gastro"},
    "board": {"game": "cafe", "preset": "board", "seats": 2, "board": "cafe"},
    "app": {"game": "cafe", "preset": "app", "seats": 3, "board": "cafe_app"},
    "hattrick": {"game": "hattrick", "seats": 4},
}


def views_of(replay: Replay) -> list[Json]:
    """All of them, chunk by chunk as the page asks."""
    views: list[Json] = []
    for first in range(0, len(replay.steps) + 1, CHUNK):
        views += replay.walk.views(first)
    return views


def rows_of(frame: bytes) -> str:
    """A frame buffer as the page gets it."""
    return "".join(f"{row:032x}" for row in picture_of(frame).rows)


def check(box: PlayedBox, data: bytes) -> Replay:
    replay = read_replay(data, "a box", "en")
    assert replay.differs is None
    views = views_of(replay)
    assert len(views) == len(box.shown) == len(replay.steps) + 1
    for place, (view, frame) in enumerate(zip(views, box.shown, strict=True)):
        # a tick may fall while fingers wander through a list: no record holds the lit item
        if place == 0 or replay.steps[place - 1]["text"] != "Passing of time.":
            assert view["screens"][0]["rows"] == rows_of(frame), f"step {place}"
    return replay


@pytest.mark.parametrize("name", one_in(2, MATCHES))
def test_every_picture_is_the_box_s_own(name: str, tmp_path: Path) -> None:
    box = PlayedBox(tmp_path, {"schiri": 1, **MATCHES[name]})
    box.play(SHORT)
    box.undo()
    box.undo()
    assert len(box.shown) > SHORT
    replay = check(box, box.journal_bytes())  # .run: the match is still open
    assert [step["refused"] for step in replay.steps].count(True) >= 1
    assert [step["undone"] for step in replay.steps].count(True) == 2
    torn = read_replay(box.journal_bytes() + b'1f {"t": 99', "torn", "en")  # by a power cut
    assert (len(torn.steps), torn.damaged) == (len(replay.steps), 0)
    lines = box.journal_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"t"', b'"T"')
    holed = read_replay(b"".join(lines), "holed", "en")
    assert (len(holed.steps), holed.damaged) == (len(replay.steps) - 1, 1)


def test_a_whole_swiss_match_with_its_clock(tmp_path: Path) -> None:
    header = {"game": "trumpf", "preset": "swiss", "seats": 2, "deck": "berge", "stage": "group"}
    box = PlayedBox(tmp_path, {"schiri": 1, **header}, seed=6)  # nobody has all cards in time
    box.play(LONG)
    box.read_messages()
    box.press("OK")  # the result is final
    assert max(tmp_path.glob("m??????.*")).suffix == ".end"
    replay = check(box, box.journal_bytes())
    last = replay.walk.views(len(replay.steps))[0]
    told = [line["text"] for line in last["screens"][-1]["lines"]]
    # what OK leads to on a box that has no key of its own to sign a slip with; time was up
    assert told[-1] == "OK: result is final\tSW-3"
    assert sorted(line[:2] for line in told[2:4]) == ["1.", "2."]
    assert told[2].startswith(f"1. {told[1]}\t")  # the winner in large letters


@pytest.mark.parametrize("key", [None, SigningKey(bytes(31) + b"\x07")], ids=["bare", "enrolled"])
def test_a_box_that_can_sign_asks_for_a_slip(key: SigningKey | None, tmp_path: Path) -> None:
    bare = played(str(tmp_path))
    replay = read_replay(bare if key is None else signed(bare, key), "a box", "en")
    last = replay.walk.views(len(replay.steps))[0]
    told = [line["text"] for line in last["screens"][-1]["lines"]]
    assert any("tag: slip" in line for line in told) == (key is not None)


def test_who_cannot_pay_is_asked() -> None:
    """CB-11: the box opens a question by itself; nothing else of its menus is in a record."""
    data = (TRANSCRIPTS / "cafe" / "cb-11-who-cannot-pay.ndjson").read_bytes()
    replay = read_replay(data, "cb-11", "en")
    refused = [n for n, step in enumerate(replay.steps, 1) if "refused: not" in step["text"]]
    views = views_of(replay)
    assert refused
    for n in refused:
        texts = [line["text"] for line in views[n]["screens"][0]["lines"]]
        assert texts[0] == box_words("en").get("cafe_cannot_pay")
        assert box_words("en").get("cafe_forced") in texts


def test_going_back_shows_the_same() -> None:
    data = (TRANSCRIPTS / "trumpf" / "undo-reopens-a-called-round.ndjson").read_bytes()
    replay = read_replay(data, "undo", "de")
    ahead = replay.walk.views(5)
    assert replay.walk.views(8) == replay.walk.views(8) == ahead[3:]
    assert replay.walk.views(0)[5:] == ahead
