"""A resume from a checkpoint is a resume from the journal: the same state, whatever happens to
either. The journal alone says what was played.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from firmware.app import session as session_module
from firmware.app.journal import Journal
from firmware.app.session import Session
from firmware.games import open_match
from firmware.rules.match import Match
from tests.rules.test_standing import told_by
from tests.sampling import Sample, examples
from tests.support.power import LittleFlash, empty_image, images

from .fakes import Box
from .pictures import stock

BLOCKS = 64
SOME = 5  # commands from checkpoint to checkpoint, so that few commands make many
CHECKPOINT = "checkpoint"
DECK = [colour + str(value) for colour in "RGB" for value in range(1, 21)]
SOUND_MS = 1_500


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "_KEEP_EVERY", SOME)


def begun(folder: Path, **options: Any) -> Box:
    """Hattrick with three seats; the first one begins."""
    stock(folder)
    box = Box(folder, "en", **options)
    box.set_choice(game="hattrick", preset=None, seats=3)
    box.press("OK+")
    play(box, "begin", seat=0)
    return box


def play(box: Box, do: str, **fields: Any) -> None:
    """A command as a page gives it, and what the loop does behind it."""
    assert box.app.session is not None
    box.app.session.apply(do, tuple(fields.items()))
    box.step()


def play_cards(box: Box, count: int, seed: int = 1) -> None:
    """Any cards; some are refused, and some commands are undos."""
    chance = random.Random(seed)
    for _ in range(count):
        if match_of(box).awaits().what == "begin":
            play(box, "begin", seat=chance.randrange(3))
        elif chance.random() < 0.15:
            play(box, "undo")
        else:
            play(box, "tap", card=chance.choice(DECK))


def match_of(box: Box) -> Any:
    assert box.app.session is not None
    return box.app.session.match


def replayed(box: Box) -> tuple[str, list[bytes]]:
    """What the journal alone makes of the match."""
    return told_by(alone(box))


def alone(box: Box) -> Any:
    journal = Journal(box.flash, "box1", bytes)
    lines = journal.resume(1)
    header = json.loads(next(lines)[0])
    session = Session(open_match(header), header, journal, box.clock)
    session.replay(lines)
    return session.match


def boot(box: Box) -> None:
    """The power comes back, and the boot proves sound (app/resuming.py)."""
    box.power_on()
    box.wait(SOUND_MS)


def judged_by_a_resume(box: Box, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many commands a boot gives to the rules."""
    judged: list[object] = []
    apply = Match.apply
    with monkeypatch.context() as patched:
        patched.setattr(Match, "apply", lambda *given: (judged.append(0), apply(*given))[1])
        boot(box)
    return len(judged)


def test_a_resume_judges_the_rest_and_the_state_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = begun(tmp_path)
    for count in (20, 20, 150):
        play_cards(box, count)
        before = told_by(match_of(box))
        assert judged_by_a_resume(box, monkeypatch) == match_of(box).n - kept_at(box)
        assert told_by(match_of(box)) == before == replayed(box)
    assert match_of(box).n == 191
    assert kept_at(box) >= 191 - 32


def kept_at(box: Box) -> int:
    """After which command the checkpoint was written; 0 without one."""
    path = box.folder / CHECKPOINT
    if not path.exists():
        return 0
    return int(json.loads(path.read_bytes().partition(b"\n")[0])[3][0])


def test_a_match_without_a_checkpoint_gets_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = begun(tmp_path)
    play_cards(box, 40)
    (tmp_path / CHECKPOINT).unlink()
    assert judged_by_a_resume(box, monkeypatch) == 41
    assert judged_by_a_resume(box, monkeypatch) == 0


@pytest.mark.usefixtures("often")
def test_everything_can_be_undone_behind_a_resume(tmp_path: Path) -> None:
    box = begun(tmp_path)
    play_cards(box, 32)
    boot(box)
    both = [match_of(box), alone(box)]
    for _ in range(40):
        answers = [match.apply({"t": 10**6, "do": "undo"}) for match in both]
        assert answers[0] == answers[1]
    assert answers[0].refusal.reason == "nothing_to_undo"
    assert told_by(both[0]) == told_by(both[1])


@pytest.mark.usefixtures("often")
def test_another_build_replays_from_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = begun(tmp_path)
    play_cards(box, 20)
    box.build = "build 2"
    assert judged_by_a_resume(box, monkeypatch) == 21
    assert judged_by_a_resume(box, monkeypatch) < SOME


@pytest.mark.usefixtures("often")
def test_no_torn_or_flipped_checkpoint_is_used(tmp_path: Path, sampled: Sample) -> None:
    box = begun(tmp_path)
    play_cards(box, 24)
    path = tmp_path / CHECKPOINT
    right, wanted = path.read_bytes(), told_by(match_of(box))
    for at in sampled(range(len(right))):
        for wrong in (right[:at], right[:at] + bytes([right[at] ^ 4]) + right[at + 1 :]):
            path.write_bytes(wrong)
            boot(box)
            assert told_by(match_of(box)) == wanted, at
    path.write_bytes(right + b"0")
    boot(box)
    assert told_by(match_of(box)) == wanted


@pytest.mark.usefixtures("often")
def test_damage_before_the_checkpoint_is_seen(
    tmp_path: Path, sampled: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = begun(tmp_path)
    play_cards(box, 24)
    path = tmp_path / "m000001.run"
    right, kept = path.read_bytes(), (tmp_path / CHECKPOINT).read_bytes()
    lines = right.split(b"\n")
    for at in sampled(range(1, 20)):
        place = sum(len(line) + 1 for line in lines[:at]) + len(lines[at]) // 2
        path.write_bytes(right[:place] + bytes([right[place] ^ 1]) + right[place + 1 :])
        (tmp_path / CHECKPOINT).write_bytes(kept)
        assert judged_by_a_resume(box, monkeypatch) >= 20
        assert box.journal.damaged
        assert told_by(match_of(box)) == replayed(box)
        assert judged_by_a_resume(box, monkeypatch) >= 20, "and again at the next boot"


@pytest.mark.usefixtures("often")
def test_nothing_is_kept_behind_a_torn_line(tmp_path: Path) -> None:
    box = begun(tmp_path)
    play_cards(box, 12)
    path = tmp_path / "m000001.run"
    path.write_bytes(path.read_bytes()[:-20])
    for name in ("checkpoint", "ahead/record"):  # so that one is due at once
        (tmp_path / name).unlink()
    boot(box)
    assert match_of(box).n == 12
    assert not (tmp_path / CHECKPOINT).exists()
    play_cards(box, 9)
    boot(box)
    assert box.journal.damaged == []
    assert match_of(box).n == 21
    assert told_by(match_of(box)) == replayed(box)


@pytest.mark.usefixtures("often")
def test_a_checkpoint_of_another_match_is_not_used(tmp_path: Path) -> None:
    """Of a match with the same number and more commands, as when a backup was brought back."""
    folders = [tmp_path / name for name in ("one", "two")]
    boxes = []
    for seed, folder in enumerate(folders):
        folder.mkdir()
        box = begun(folder)
        play_cards(box, 12 + 10 * seed, seed)
        boxes.append(box)
    (folders[0] / CHECKPOINT).write_bytes((folders[1] / CHECKPOINT).read_bytes())
    wanted = told_by(match_of(boxes[0]))
    boot(boxes[0])
    assert told_by(match_of(boxes[0])) == wanted
    # and of this very match, when it had gone on from here
    longer = begun(tmp_path)
    play_cards(longer, 9)
    path = tmp_path / "m000001.run"
    shorter, wanted = path.read_bytes(), told_by(match_of(longer))
    play_cards(longer, 20)
    path.write_bytes(shorter)
    boot(longer)
    assert told_by(match_of(longer)) == wanted


@pytest.mark.usefixtures("often")
def test_a_cut_at_every_operation_of_the_flash(tmp_path: Path, sampled: Sample) -> None:
    start = empty_image(BLOCKS)
    flash = LittleFlash(bytearray(start))
    box = begun(tmp_path, files=flash)
    shown = [(len(flash.chip.operations), 1)]
    chance = random.Random(3)
    for n in range(2, 18):
        assert box.app.session is not None
        box.app.session.apply("tap", (("card", chance.choice(DECK)),))
        shown.append((len(flash.chip.operations), n))
        box.step()
    kept = 0
    for done, image in sampled(images(start, flash.chip.operations)):
        promised = max([n for at, n in shown if at <= done], default=0)
        after = Box(tmp_path, "en", files=LittleFlash(bytearray(image)))
        if after.app.session is None:
            assert promised == 0
            continue
        assert match_of(after).n >= promised
        assert told_by(match_of(after)) == replayed(after)
        assert after.journal.damaged == []
        kept += CHECKPOINT in LittleFlash(bytearray(image)).names()
    assert kept > 3


class Cuts(RuleBasedStateMachine):
    """A box that is played on, cut, damaged and updated; whatever it says is what its journal
    alone makes of the match.
    """

    folder: Path
    number = 0

    @initialize(seed=st.integers(0, 99))
    def begin(self, seed: int) -> None:
        Cuts.number += 1
        folder = self.folder / str(Cuts.number)
        folder.mkdir()
        self.box = begun(folder)
        self.chance = random.Random(seed)
        self.damaged = False
        self.old = b""

    @rule(count=st.integers(1, 9))
    def cards(self, count: int) -> None:
        play_cards(self.box, count, self.chance.randrange(1000))

    @rule(count=st.integers(1, 12))
    def undo(self, count: int) -> None:
        for _ in range(count):
            play(self.box, "undo")

    @rule()
    def cut(self) -> None:
        before = told_by(match_of(self.box))
        boot(self.box)
        if not self.damaged:
            assert told_by(match_of(self.box)) == before

    @rule()
    def cut_before_the_match_has_the_record(self) -> None:
        assert self.box.app.session is not None
        self.box.app.session.apply("tap", (("card", self.chance.choice(DECK)),))
        self.cut()

    @rule()
    def update(self) -> None:
        self.box.build = f"build {self.chance.randrange(3)}"
        self.cut()

    @rule()
    def keep_an_old_checkpoint(self) -> None:
        self.old = self.checkpoint.read_bytes() if self.checkpoint.exists() else b""

    @precondition(lambda self: self.old)
    @rule()
    def bring_it_back(self) -> None:
        self.checkpoint.write_bytes(self.old)
        self.cut()

    @precondition(lambda self: self.checkpoint.exists())
    @rule()
    def tear_the_checkpoint(self) -> None:
        data = self.checkpoint.read_bytes()
        self.checkpoint.write_bytes(data[: self.chance.randrange(len(data))])
        self.cut()

    @precondition(lambda self: not self.damaged)
    @rule()
    def damage_the_journal(self) -> None:
        path = self.box.folder / "m000001.run"
        data = bytearray(path.read_bytes())
        lines = bytes(data).split(b"\n")[:-1]
        if len(lines) > 3:
            line = self.chance.randrange(1, len(lines) - 1)
            data[sum(len(one) + 1 for one in lines[:line]) + 4] ^= 1
            path.write_bytes(data)
            self.damaged = True
            boot(self.box)
            assert self.box.journal.damaged

    @property
    def checkpoint(self) -> Path:
        return self.box.folder / CHECKPOINT

    @invariant()
    def is_what_the_journal_says(self) -> None:
        if hasattr(self, "box"):
            assert told_by(match_of(self.box)) == replayed(self.box)


@pytest.mark.usefixtures("often")
def test_cuts_damage_and_updates_in_any_order(tmp_path: Path) -> None:
    Cuts.folder = tmp_path
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Cuts, settings=settings(max_examples=examples(90), stateful_step_count=12, deadline=None)
    )
