"""Provisioning through a box: the firmware on the twin lends its reader over the USB line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tag_desk import Hand, fresh_213, uid

from card_tags import codec, seal
from hardware.twin.session import TwinSession
from hardware.twin.tags import NtagTwin
from host_tools.box.link import BoxLink, BoxRefusal
from host_tools.cards.keys import LeagueKey
from host_tools.cards.tag_items import Set
from host_tools.games.cafe.tags import guest_items
from host_tools.provision.batch import Batch, WriteOptions
from host_tools.provision.box_port import BoxPort
from host_tools.provision.ledger import TagLedger
from host_tools.provision.port import TagLost, TagRefused, TwoTags
from host_tools.sim.demo.usb import TwinPort

KEY = LeagueKey("league", bytes(range(32)))
GUESTS = Set("few", guest_items().items[:2])


ENGINES = ["cpython", pytest.param("micropython", marks=pytest.mark.vm)]


@pytest.fixture
def box(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TwinSession]:
    """A box that has booted; on CPython unless the test asks for an engine."""
    with TwinSession(getattr(request, "param", "cpython"), tmp_path / "flash") as session:
        session.boot()
        session.run_for(1500)
        yield session


@pytest.fixture
def port(box: TwinSession) -> BoxPort:
    return BoxPort(BoxLink(TwinPort(box)), lambda seconds: box.run_for(int(1000 * seconds)))


def wait_for(port: BoxPort, wanted: bytes | None) -> None:
    """Look until the reader says so; the box needs a few polls."""
    for _ in range(40):
        if port.find() == wanted:
            return
        port.pause()
    pytest.fail(f"the reader never said {wanted!r}")


@pytest.mark.parametrize("box", ENGINES, indirect=True)
def test_a_batch_through_the_box_with_a_tag_pulled_away(
    box: TwinSession, port: BoxPort, tmp_path: Path
) -> None:
    first, second = fresh_213(2)
    first.tear_write(4, 2)
    hand = Hand(box, [first, first, second])  # type: ignore[arg-type]  # it has a field too
    Batch(port, GUESTS, TagLedger(tmp_path / "l.jsonl"), hand, WriteOptions(KEY, lock=True)).run()
    assert len(hand.told("failed")) == 1
    for tag, item in zip((first, second), GUESTS.items, strict=True):
        found = codec.decode(tag.user)
        seal.verify(found, tag.uid, {KEY.number: KEY.secret})
        assert found.content == item.content
        assert all(tag.memory.refuses(page) for page in range(3, 40))


def test_what_the_box_says_about_tags(box: TwinSession, port: BoxPort) -> None:
    tag, other = fresh_213(2)
    assert port.find() is None
    box.field.place(tag)
    wait_for(port, tag.uid)
    assert (port.version(), port.signature()) == (tag.model.version, tag.signature)
    assert port.read(0, 45) == bytes(tag.memory.readable())
    with pytest.raises(TagRefused):
        port.write_page(45, bytes(4))
    box.field.place(other)
    box.run_for(300)
    with pytest.raises(TwoTags):
        port.find()
    box.field.clear()
    with pytest.raises(TagLost):
        port.read(4, 12)
    box.run_for(1000)  # both must be away for the grace time
    wait_for(port, None)


def test_a_clone_has_neither_version_nor_signature(box: TwinSession, port: BoxPort) -> None:
    clone = NtagTwin.fudan(bytes.fromhex("1D000000000001"))
    box.field.place(clone)
    wait_for(port, clone.uid)
    assert (port.version(), port.signature()) == (None, None)
    assert port.read(4, 36) == clone.user


def test_the_box_is_silent_about_cards_while_its_reader_is_lent(
    box: TwinSession, port: BoxPort
) -> None:
    before = box.screen()
    for _ in range(4):
        port.find()
        box.run_for(100)
    box.field.place(NtagTwin.ntag213(uid(1)))
    wait_for(port, uid(1))
    assert box.screen() == before


def test_requests_that_make_no_sense_are_refused(port: BoxPort) -> None:
    link = port._link
    for fields in ({"page": 4, "count": 61}, {"page": -1, "count": 1}, {"page": 4}):
        with pytest.raises(BoxRefusal, match="bad_request"):
            link.request("tag_read", **fields)
    with pytest.raises(BoxRefusal, match="bad_request"):
        link.request("tag_write", page=4, data="00")
