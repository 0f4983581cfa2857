"""A box with a key of its own: made, enrolled, changed, and what it signs; the power goes at any
moment.
"""

import gc
import json
import random
import weakref
from collections.abc import Callable, Iterator
from math import comb
from pathlib import Path
from typing import Any

import pytest

from card_tags.deck_card import deck_number
from card_tags.p256 import finished as finished_steps
from firmware.app.journal import Journal
from firmware.app.own_key import _FREQUENT, _REPEATED, FILE, OwnKey, judging
from firmware.app.signing import Signing
from firmware.app.slots import TwoFiles
from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.cards.public_keys import EnrolledKey, SigningKey, fingerprint, key_id
from host_tools.store.journal.reading import JournalFile, read_journal
from host_tools.store.journal.verdict import UNVERIFIED, VERIFIED, vouched
from tests.sampling import Sample
from tests.support.power import LittleFlash, empty_image, images

from .fakes import Box, FakeClock
from .pictures import stock
from .sample_decks import card_values

DESK = SigningKey(bytes(range(1, 33)))
OTHER_DESK = SigningKey(bytes(range(2, 34)))
LEAGUE = bytes(range(32))
NOW = 1_800_000_000
BLOCKS = 64


def drawing(seed: int = 1) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def with_key(box: Box, draw: Callable[[int], bytes] | None = None) -> Box:
    """As firmware/main.py does it."""
    box.app.signing = Signing(box.journal, draw or drawing(), box.clock)
    if box.cable:
        box.app.hardware.link.signing = box.app.signing
    box.wait(9000)
    return box


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    found = Box(tmp_path, "en", cable=True)
    found.settings.set_key(LEAGUE)
    return with_key(found)


@pytest.fixture
def link(box: Box) -> BoxLink:
    return BoxLink(box)  # type: ignore[arg-type]  # its cable


@pytest.fixture
def enrolled(box: Box, link: BoxLink) -> EnrolledKey:
    link.request("time", unix=NOW)
    said = link.request("key_enrol", desk=DESK.public.hex(), name="Cup")
    box.press("OK")
    return EnrolledKey("box1", bytes.fromhex(said["public"]), NOW - 10, "Ada")


def play(box: Box, end: bool = True) -> None:
    """Trumpf, 8 to 0; `end`: OK makes it final."""
    box.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    box.press("OK+", "OK")
    for first, second in (("A1", "A4"), ("A2", "B1"), ("A3", "B2"), ("B3", "B4")):
        box.lay_card(deck_number("gipfel"), first, card_values("gipfel", first))
        box.press("OK")
        box.lay_card(deck_number("gipfel"), second, card_values("gipfel", second))
    while type(box.app.page()).__name__ == "Message":
        box.press("OK")
    if end:
        box.press("OK")


def ended(box: Box, number: int = 1) -> JournalFile:
    return read_journal((box.folder / f"m{number:06}.end").read_bytes())


def verdict(journal: JournalFile, *keys: EnrolledKey) -> tuple[str, str]:
    """What holds, but for the rules, which do not know the test's deck."""
    from host_tools.store.journal import verdict as judging

    if judging._seal_fits(journal):
        return "unfit", judging._seal_fits(journal)
    found = judging._seal_holds(journal, lambda _: keys, NOW)
    return found.state, found.reason


# -- the key --------------------------------------------------------------------------------------


def test_a_new_box_makes_a_key_and_tells_its_public_half(box: Box, link: BoxLink) -> None:
    said = link.request("key_public")
    secret = bytes.fromhex(TwoFiles(box.flash, FILE).load().split(" ")[0])  # type: ignore[union-attr]
    assert said["public"] == SigningKey(secret).public.hex()
    assert (said["made"], said["desk"], said["weak"]) == (1, None, False)
    again = with_key(Box(box.folder, "en", cable=True), drawing(2))
    assert again.app.signing is not None
    assert again.app.signing.public.hex() == said["public"]


@pytest.mark.parametrize("draw", [drawing(), lambda count: bytes(count)])
def test_what_made_a_key_leaves_the_memory(
    draw: Callable[[int], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An object that stays keeps its whole module, 2 kB on a box."""
    used: list[weakref.ref[OwnKey]] = []

    class Watched(OwnKey):
        def __init__(self, flash: Any) -> None:
            super().__init__(flash)
            used.append(weakref.ref(self))

    monkeypatch.setattr("firmware.app.own_key.OwnKey", Watched)
    stock(tmp_path)
    box = with_key(Box(tmp_path, "en", cable=True), draw)
    gc.collect()
    assert used
    assert [left() for left in used if left() is not None] == []
    assert box.app.signing is not None


def test_the_cut_offs_are_those_of_sp_800_90b() -> None:
    """4.4, for four bits of entropy a byte and one false alarm in 2^30."""
    assert _REPEATED - 1 == -(-30 // 4)
    below = 0.0
    for count in range(512):
        below += comb(512, count) * (1 / 16) ** count * (15 / 16) ** (512 - count)
        if below >= 1 - 2**-30:
            assert count + 1 == _FREQUENT
            return


@pytest.mark.parametrize(
    ("noise", "good"),
    [
        (bytes(1024), False),
        (b"\x5a" * 1024, False),
        (bytes(range(256)) * 4, True),
        (random.Random(1).randbytes(1024), True),
        (bytes(range(1, 200)) + b"\x07" * 8 + bytes(range(200, 256)) * 15, True),
        (bytes(range(1, 200)) + b"\x07" * 9 + bytes(range(200, 256)) * 15, False),
        (b"\x01" + b"\x01\x02\x03\x04\x05\x06" * 69 + bytes(range(9, 100)) * 7, True),
        (b"\x01" + b"\x01\x02\x03\x04\x05\x06" * 70 + bytes(range(9, 100)) * 7, False),
        (bytes(range(256)) * 2 + b"\x00\xff" * 256, False),
    ],
)
def test_a_source_that_repeats_itself_is_refused(noise: bytes, good: bool) -> None:
    assert finished_steps(judging(noise)) is good


def test_without_a_random_source_the_box_says_so_and_plays_on(tmp_path: Path) -> None:
    stock(tmp_path)
    box = Box(tmp_path, "en", cable=True)
    box.settings.set_key(LEAGUE)
    with_key(box, bytes)
    assert "The random source fails" in box.words().replace(" | ", " ")
    link = BoxLink(box)  # type: ignore[arg-type]
    said = link.request("key_public")
    assert (said["public"], said["made"], said["desk"], said["weak"]) == (None, 0, None, True)
    with pytest.raises(BoxRefusal) as refused:
        link.request("key_enrol", desk=DESK.public.hex(), name="")
    assert refused.value.reason == "no_key"
    box.press("OK")
    play(box)
    seal = ended(box).seal
    assert seal is not None
    assert (seal.id, seal.sig) == (None, None)
    assert verdict(ended(box)) == (UNVERIFIED, "the box had no key to sign with")


@pytest.mark.parametrize(("damaged", "told"), [((".0",), False), ((".0", ".1"), True)])
def test_a_key_that_cannot_be_read_any_more_is_told(
    damaged: tuple[str, ...], told: bool, box: Box, enrolled: EnrolledKey
) -> None:
    for end in damaged:
        (box.folder / (FILE + end)).write_bytes(b"?" * 200)
    again = with_key(Box(box.folder, "en", cable=True), drawing(2))
    said = "It was damaged: there is a new one. Enrol the box again."
    assert (said in again.words().replace(" | ", " ")) == told
    assert (again.app.signing or Any).public != b""
    assert ((again.app.signing or Any).public != enrolled.public) == told
    again.press("OK")
    again.wait(9000)
    assert "damaged" not in again.words()
    assert "damaged" not in with_key(Box(box.folder, "en", cable=True), drawing(2)).words()


def test_both_fingerprints_are_shown_until_ok(box: Box, link: BoxLink) -> None:
    said = link.request("key_enrol", desk=DESK.public.hex(), name="Cup")
    public = bytes.fromhex(said["public"])
    assert (said["key"], said["desk"]) == (key_id(public), DESK.id)
    box.step()
    for words in (fingerprint(public), fingerprint(DESK.public), "Laptop: Cup"):
        assert words in box.words()
    assert box.canvas.cut == []
    box.lay(b"")
    box.wait(2000)
    assert fingerprint(public) in box.words()
    assert link.request("key_enrol", desk=DESK.public.hex(), name="Cup")["key"] == said["key"]
    box.press("OK")
    assert fingerprint(public) not in box.words()


def test_a_box_obeys_one_desk_until_it_has_a_new_key(
    box: Box, link: BoxLink, enrolled: EnrolledKey
) -> None:
    def refused(do: str, **fields: object) -> str:
        with pytest.raises(BoxRefusal) as refusal:
            link.request(do, **fields)
        return refusal.value.reason

    assert refused("key_enrol", desk=OTHER_DESK.public.hex(), name="") == "other_desk"
    assert refused("key_make", old=DESK.id) == "other_key"
    off = DESK.public[:-1] + bytes((DESK.public[-1] ^ 1,))
    for wrong in (off.hex(), "04", DESK.public[:-1].hex(), "zz"):
        assert refused("key_enrol", desk=wrong, name="") == "bad_request"
    play(box, end=False)
    assert refused("key_make", old=enrolled.id) == "in_match"
    assert refused("key_enrol", desk=DESK.public.hex(), name="") == "in_match"
    box.press("OK")
    box.wait(9000)
    assert link.request("key_make", old=enrolled.id)["made"] == 0
    box.wait(9000)
    said = link.request("key_public")
    assert (said["made"], said["desk"]) == (1, None)
    assert said["public"] != enrolled.public.hex()
    for name in (FILE + ".0", FILE + ".1"):
        assert said["public"] in (box.folder / name).read_text()  # the old one is gone


def test_a_new_key_is_made_before_and_right_behind_an_enrolment(box: Box, link: BoxLink) -> None:
    first = bytes.fromhex(link.request("key_public")["public"])
    assert link.request("key_make", old=key_id(first))["made"] == 0  # no desk: nothing to sign
    box.wait(9000)
    said = link.request("key_enrol", desk=DESK.public.hex(), name="Cup")
    box.wait(1000)  # the page with the fingerprints still stands there
    assert link.request("key_make", old=said["key"])["made"] == 0


def test_no_answer_and_no_backup_holds_the_private_key(
    box: Box, link: BoxLink, enrolled: EnrolledKey
) -> None:
    from host_tools.box.backup import make_backup

    secret = TwoFiles(box.flash, FILE).load().split(" ")[0]  # type: ignore[union-attr]
    play(box)
    box.wait(9000)
    told = [json.dumps(make_backup(link))]
    signing: Any = box.app.signing
    asked = ("hello", "status", "matches", "settings", "time", "log", "assign")
    for do in (*asked, "key_public", "key_enrol", "key_make"):
        fields = {"match": 1, "old": "", "desk": DESK.public.hex(), "number": 1}
        try:
            told.append(json.dumps(link.request(do, **fields)))
        except BoxRefusal as refusal:
            told.append(str(refusal))
    for text in (*told, str(vars(signing)), (box.folder / "m000001.end").read_text()):
        assert secret not in text
        assert str(int(secret, 16)) not in text


# -- the seal -------------------------------------------------------------------------------------


def test_a_match_is_signed_behind_its_end(box: Box, enrolled: EnrolledKey) -> None:
    play(box)
    assert (box.folder / "m000001.due").exists()
    box.wait(9000)
    journal = ended(box)
    assert journal.faults == []
    assert (journal.seal or Any).id == enrolled.id
    assert verdict(journal, enrolled) == (VERIFIED, "")
    assert vouched(journal, lambda _: (enrolled,))
    assert not vouched(journal)
    assert verdict(journal)[0] == UNVERIFIED


def test_a_box_that_nobody_enrolled_signs_with_its_own_key_too(box: Box, link: BoxLink) -> None:
    """So that what it played is proved as soon as a desk knows the key."""
    play(box)
    assert (box.folder / "m000001.due").exists()
    box.wait(9000)
    public = bytes.fromhex(link.request("key_public")["public"])
    assert link.request("key_public")["desk"] is None
    assert verdict(ended(box)) == (UNVERIFIED, "the box is not enrolled: `schiri box enrol`")
    assert verdict(ended(box), EnrolledKey("box1", public, NOW, "Ada")) == (VERIFIED, "")


def test_a_match_that_is_opened_meanwhile_keeps_the_seal_waiting(
    box: Box, enrolled: EnrolledKey
) -> None:
    play(box)
    play(box)  # faster than anybody: at each press one turn
    box.wait(18_000)
    for number in (1, 2):
        assert verdict(ended(box, number), enrolled) == (VERIFIED, "")


# -- power ----------------------------------------------------------------------------------------


def chip_with(act: Callable[[LittleFlash], None], image: bytearray) -> list[bytearray]:
    """The chip as it was at every cut while `act` ran, and at its end."""
    flash = LittleFlash(bytearray(image))
    act(flash)
    return [chip for _, chip in images(image, flash.chip.operations)]


def finished(flash: LittleFlash, then: Callable[[Signing], None] | None = None) -> Signing:
    """A box at its menu, until nothing is left to do."""
    app: Any = type("Menu", (), {"session": None, "say": str, "message": lambda *words: None})()
    journal = Journal(flash, "b1", drawing(5))
    signing = Signing(journal, drawing(6), FakeClock(0))
    for step in range(400):
        signing.step(app)
        if step == 200 and then is not None:
            then(signing)
    return signing


@pytest.mark.parametrize("what", ["making", "enrolling", "rotating"])
def test_a_cut_at_every_operation_of_the_flash(what: str, sampled: Sample) -> None:
    image = empty_image(BLOCKS)
    old = b""
    if what != "making":
        flash = LittleFlash(image)
        old = finished(flash, lambda signing: enrol_if(signing, what == "rotating")).public
        image = bytearray(flash.chip.buffer)

    def act(flash: LittleFlash) -> None:
        own = OwnKey(flash)
        if what == "enrolling":
            own.enrol(DESK.public)
        else:
            for _ in own.making(drawing(9)):
                pass

    for chip in sampled(chip_with(act, image)):
        own = OwnKey(LittleFlash(bytearray(chip)))
        stored = TwoFiles(LittleFlash(bytearray(chip)), FILE).load()
        if stored is None:
            assert (what, own.public) == ("making", b"")
        else:
            assert SigningKey(bytes.fromhex(stored.split(" ")[0])).public == own.public
            assert own.desk in (b"", DESK.public)
            assert what != "enrolling" or own.public == old
            assert what != "rotating" or (own.desk != b"") == (own.public == old)
        again = finished(LittleFlash(bytearray(chip)))
        assert again.public != b""
        assert not own.public or again.public == own.public


def enrol_if(signing: Signing, wanted: bool) -> None:
    if wanted:
        signing.enrol(DESK.public)


def test_a_cut_at_every_operation_of_result_and_seal(sampled: Sample) -> None:
    """After the next start the match is sealed, or it still runs and can be ended."""
    image = empty_image(BLOCKS)
    flash = LittleFlash(image)
    public = finished(flash, lambda signing: signing.enrol(DESK.public)).public
    journal = Journal(flash, "b1", drawing(7))
    journal.open_match(json.dumps({"schiri": 1, "game": "hattrick", "seats": 3}))
    journal.append("{}", "{}")
    del journal
    image = bytearray(flash.chip.buffer)
    key = EnrolledKey("b1", public, NOW - 1, "Ada")

    def act(flash: LittleFlash) -> None:
        journal = Journal(flash, "b1", drawing(7))
        signing = Signing(journal, drawing(8), FakeClock(0))
        for _ in journal.resume(1):
            pass
        journal.close('{"result": {}}')
        app: Any = type("Menu", (), {"session": None})()
        for _ in range(120):
            signing.step(app)
        assert flash.names()[-1] == "own_key.1" or "m000001.end" in flash.names()

    outcomes = set()
    for chip in sampled(chip_with(act, image)):
        flash = LittleFlash(bytearray(chip))
        finished(flash)
        state = next(name[8:] for name in flash.names() if name.startswith("m000001."))
        outcomes.add(state)
        if state == "end":
            file = flash.open("m000001.end", "rb")
            found = verdict(read_journal(file.read()), key)
            assert found == (VERIFIED, "")
        else:
            assert state == "run"
    assert "end" in outcomes


def half_written(box: Box) -> Iterator[bytes]:
    whole = (box.folder / "m000001.end").read_bytes()
    begins = whole[:-1].rindex(b"\n") + 1
    yield from (whole[:cut] for cut in range(begins, len(whole) + 1, 7))
    yield whole[:-1]
    yield whole


def test_a_seal_that_was_torn_is_made_again(box: Box, enrolled: EnrolledKey) -> None:
    """On a disk that keeps any prefix of what was written."""
    play(box)
    box.wait(9000)
    for torn in list(half_written(box)):
        (box.folder / "m000001.end").unlink()
        (box.folder / "m000001.due").write_bytes(torn)
        again = with_key(Box(box.folder, "en"), drawing(3))
        journal = ended(again)
        assert [fault.kind for fault in journal.faults] in ([], ["torn"])
        assert verdict(journal, enrolled) == (VERIFIED, ""), len(torn)


# -- orders of the desk ---------------------------------------------------------------------------


def order(key: SigningKey, kind: str, fields: dict[str, object]) -> dict[str, str]:
    """A request as a desk with this key makes it (docs/link.md)."""
    from firmware.app.link_frames import trade_quotes

    text = json.dumps(fields)
    signed = key.sign("order", f"{kind}\n{text}".encode())
    name = "assignment" if kind == "assign" else kind
    return {name: trade_quotes(text), "sig": signed.hex()}


def test_an_enrolled_box_obeys_its_desk_alone(
    box: Box, link: BoxLink, enrolled: EnrolledKey
) -> None:
    fields: dict[str, object] = {"id": 1, "text": "Hello", "until": None, "box": "box1"}
    good = order(DESK, "notice", fields)
    wrong = {
        "of another desk": order(OTHER_DESK, "notice", fields),
        "unsigned": {name: word for name, word in good.items() if name != "sig"},
        "no hex": {**good, "sig": "zz"},
        "empty": {**good, "sig": ""},
        "of another text": {
            **order(DESK, "notice", {**fields, "id": 2}),
            "notice": good["notice"],
        },
        "for an assignment": {**good, "sig": order(DESK, "assign", fields)["sig"]},
        "high s": {**good, "sig": high_s(good["sig"])},
        "claims to be proven": {**good, "sig": "0" * 128, "proven": "1", "checked": "1"},
    }
    for what, request in wrong.items():
        with pytest.raises(BoxRefusal) as refused:
            link.request("notice", **request)
        assert refused.value.reason in ("bad_signature", "bad_request"), what
        assert link.request("notice")["notice"] is None
    box.app.hardware.link.signing = None  # a link that does not check, as a careless change makes
    with pytest.raises(BoxRefusal) as refused:
        link.request("notice", **good)
    assert refused.value.reason == "bad_signature"
    box.app.hardware.link.signing = box.app.signing
    assert link.request("notice", **good)["notice"] == 1
    other = order(DESK, "notice", {**fields, "id": 3, "box": "box2"})
    with pytest.raises(BoxRefusal) as refused:
        link.request("notice", **other)
    assert refused.value.reason == "other_box"
    assert link.request("notice", **order(DESK, "notice", {**fields, "id": 0}))["notice"] == 1


def high_s(signature: str) -> str:
    from host_tools.cards.public_keys import ORDER

    return signature[:64] + f"{ORDER - int(signature[64:], 16):064x}"


def test_a_box_that_nobody_enrolled_obeys_nobody(box: Box, link: BoxLink) -> None:
    fields: dict[str, object] = {"id": 1, "text": "Hello", "until": None, "box": "all"}
    with pytest.raises(BoxRefusal) as refused:
        link.request("notice", **order(DESK, "notice", fields))
    assert (refused.value.reason, "schiri box enrol" in str(refused.value)) == (
        "not_enrolled",
        True,
    )
    assert link.request("notice")["notice"] is None
