"""A match that is resumed is played to its end, on a heap as small as the chip's; `make test-pico`
does the same on an emulated Pico.
"""

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.twin.session import TwinSession
from host_tools.cards.decks import load_deck
from host_tools.games import game_of
from host_tools.sim.demo.dry_run import dealt
from host_tools.sim.demo.stage import Stage
from host_tools.sim.table.tags import TagTray
from tests.sampling import one_in
from tests.support.laid import LONG_NAME, MATCHES, Laid, lay_down

from .test_resume_on_chip import comes_back
from .test_sync_on_chip import fetched

Boxes = Callable[..., TwinSession]
SETTLED_MS = 500
RESUMED_MS = 2_000
THINK_MS = 400  # the tones before are over: hands listen for new ones
# cut a few commands before their end
TO_THE_END = {
    "swiss": Laid("Swiss", MATCHES["swiss"].header, 1, 45),
    "cafe": Laid("Café", MATCHES["cafe"].header, 4, 112),
    "hattrick": Laid("Hattrick", {"game": "hattrick", "seats": 3}, 1, 356),
    "quartett": Laid("Quartett", {"game": "quartett", "seats": 3, "deck": "gastro"}, 7, 25),
}


def seated(box: TwinSession, laid: Laid, resumed_ms: int) -> Stage:
    """Players at a box whose match was laid down; they know what was played so far."""
    names = [f"{LONG_NAME} {seat + 1}" for seat in range(laid.header["seats"])]
    header = {"schiri": 1, **laid.header, "names": names}
    if "deck" in header:
        header["deck"] = load_deck(header["deck"])
    table = dealt(game_of(header).resolved(header), laid.seed, "de", faultless=True)
    tray = TagTray()
    for one in game_of(table.header).tag_sets(table.header):
        tray.fill(list(one.items))
    box.boot()
    comes_back(box, resumed_ms)
    stage = Stage(box, tray, table)  # type: ignore[arg-type]
    assert len(stage.news()) >= laid.commands
    stage.press("ok")  # the news of the restart
    if table.match.clock is not None:
        stage.press("jury", "ok")  # the clock runs again
    return stage


def plays_on_to_its_end(
    chip: Boxes, storage: Path, folder: Path, laid: Laid, resumed_ms: int
) -> None:
    """The desk plays every answer again: all of them are those of the rules on CPython."""
    lay_down(storage, laid)
    with chip() as box:
        stage = seated(box, laid, resumed_ms)
        while not stage.table.match.over():
            act = stage.table.act()
            quick = dataclasses.replace(act, think_ms=THINK_MS)
            assert stage.perform(quick) or act.do == "wait", f"the box says nothing to {act}"
        stage.sign_off()
        box.run_for(SETTLED_MS)
        assert box.resets == []
    assert (storage / "m000001.end").exists()
    with TwinSession("cpython", storage) as desk:  # over the line of a Pico it takes minutes
        desk.boot()
        desk.run_for(SETTLED_MS)
        assert [(one.number, one.state) for one in fetched(desk, folder)] == [(1, "verified")]


@pytest.mark.parametrize("game", one_in(2, TO_THE_END))
def test_a_match_is_played_on_to_its_end(
    chip: Boxes, storage: Path, tmp_path: Path, game: str
) -> None:
    plays_on_to_its_end(chip, storage, tmp_path, TO_THE_END[game], RESUMED_MS)
