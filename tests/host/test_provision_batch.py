"""Batches on the twin: what is written, what is asked, and what happens when a tag is pulled."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tag_desk import Hand, Stopped, fresh_213, open_desk, uid

from card_tags import codec, kinds, seal
from card_tags.errors import TagError
from hardware.twin.tags import NtagTwin
from host_tools.cards.decks import load_deck
from host_tools.cards.keys import LeagueKey
from host_tools.cards.links import link_in
from host_tools.cards.tag_items import Item, Set, deck_items, linked
from host_tools.games.cafe.tags import guest_items
from host_tools.provision import items, ledger
from host_tools.provision.batch import Batch, WriteOptions, lock_written, undo
from host_tools.provision.ledger import TagLedger
from host_tools.provision.port import TwoTags
from host_tools.provision.writer import erase, identify

KEY = LeagueKey("league", bytes(range(32)))
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
SEALED = WriteOptions(KEY, now=lambda: NOON)
GUESTS = Set("few", guest_items().items[:3])


def read(tag: NtagTwin) -> kinds.Tag:
    found = codec.decode(tag.user)
    seal.verify(found, tag.uid, {KEY.number: KEY.secret})
    return found


def provision(
    tags: list[NtagTwin], path: Path, batch_items: Set = GUESTS, options: WriteOptions = SEALED
) -> Hand:
    bench, port = open_desk()
    hand = Hand(bench, tags)
    Batch(port, batch_items, TagLedger(path), hand, options).run()
    return hand


def test_a_whole_deck_with_its_deck_card(tmp_path: Path) -> None:
    batch_items = deck_items(load_deck("berge"), with_deck_card=True)
    tags = [*fresh_213(34), NtagTwin.ntag215(uid(99))]
    hand = provision(tags, tmp_path / "l.jsonl", batch_items)
    assert hand.told("prompt")[6] == "[7/35] B3 Schilthorn"
    assert [read(tag).content for tag in tags] == [item.content for item in batch_items.items]
    book = TagLedger(tmp_path / "l.jsonl")
    assert book.of_item(batch_items.key, "B3").uid == uid(7).hex()
    assert provision([], tmp_path / "l.jsonl", batch_items).said == []


def test_an_interrupted_batch_goes_on_where_it_was(tmp_path: Path) -> None:
    tags = fresh_213(3)
    with pytest.raises(Stopped):
        provision(tags[:2], tmp_path / "l.jsonl")
    hand = provision(tags[2:], tmp_path / "l.jsonl")
    assert hand.told("prompt") == ["[3/3] AFf3 AF Frau 3"]
    assert [read(tag).content.tile for tag in tags] == ["AFf1", "AFf2", "AFf3"]


def test_the_same_tag_again_says_which_card_it_is(tmp_path: Path) -> None:
    first, second, third = fresh_213(3)
    hand = provision([first, first, second, third], tmp_path / "l.jsonl")
    assert hand.told("same_tag") == ["AFf1"]
    assert read(second).content.tile == "AFf2"


def test_overwriting_asks_and_no_leaves_the_tag_alone(tmp_path: Path) -> None:
    (used,) = fresh_213(1, first=50)
    provision([used], tmp_path / "other.jsonl", Set("x", items.jury_items(("Graf",)).items))
    before = used.user
    bench, port = open_desk()
    hand = Hand(bench, [used, *fresh_213(3)], overwrite=False)
    Batch(port, GUESTS, TagLedger(tmp_path / "l.jsonl"), hand, SEALED).run()
    assert hand.told("ask") == ["jury card 1 of Graf"]
    assert used.user == before


def test_a_foreign_tag_is_named_as_such(tmp_path: Path) -> None:
    tags = fresh_213(3)
    tags[0].load_user(b"\x03\x09\xd1\x01\x05T\x02dehi\xfe")
    hand = provision(tags, tmp_path / "l.jsonl")
    assert hand.told("ask") == ["something that is not ours"]
    assert read(tags[0]).content.tile == "AFf1"


def test_two_tags_are_told_and_one_is_written(tmp_path: Path) -> None:
    bench, port = open_desk()
    already_there = NtagTwin.ntag213(uid(77))
    bench.field.place(already_there)
    hand = Hand(bench, fresh_213(3))
    Batch(port, GUESTS, TagLedger(tmp_path / "l.jsonl"), hand, SEALED).run()
    assert hand.told("two_tags") == [""]
    assert read(already_there).content == GUESTS.items[0].content


def test_two_tags_that_stay_are_told_once(tmp_path: Path) -> None:
    bench, port = open_desk()
    hand = Hand(bench, fresh_213(4))
    hand.two_tags = lambda: hand.said.append(("two_tags", ""))  # type: ignore[method-assign]
    find, turns = port.find, iter([True] * 30 + [False] + [True] * 30)

    def find_two() -> bytes | None:
        two = next(turns, None)
        if two:
            raise TwoTags
        return find() if two is None else None

    port.find = find_two  # type: ignore[method-assign]
    Batch(port, GUESTS, TagLedger(tmp_path / "l.jsonl"), hand, SEALED).run()
    assert hand.told("two_tags") == ["", ""]  # they were taken away once in between


def test_a_clone_without_fast_read_is_written_too(tmp_path: Path) -> None:
    tags = [NtagTwin.fudan(bytes.fromhex("1D000000000001")), *fresh_213(2)]
    provision(tags, tmp_path / "l.jsonl")
    assert read(tags[0]).content.tile == "AFf1"
    assert TagLedger(tmp_path / "l.jsonl").entries[1].genuine is None


def test_genuine_only_refuses_what_nxp_did_not_sign(tmp_path: Path) -> None:
    genuine = [NtagTwin.ntag213(bytes.fromhex("04E10CDA993C80"))]
    tags = fresh_213(1) + genuine
    one = Set("one", GUESTS.items[:1])
    hand = provision(tags, tmp_path / "l.jsonl", one, WriteOptions(KEY, genuine_only=True))
    assert hand.told("failed") == ["this tag does not carry NXP's signature"]
    assert TagLedger(tmp_path / "l.jsonl").entries[-1].genuine is True
    assert tags[0].user == fresh_213(1)[0].user


def test_a_deck_card_does_not_fit_on_an_ntag213(tmp_path: Path) -> None:
    deck_card = deck_items(load_deck("berge"), True).items[-1:]
    tags = [*fresh_213(1), NtagTwin.ntag215(uid(9))]
    hand = provision(tags, tmp_path / "l.jsonl", Set("d", deck_card))
    assert hand.told("failed")[0].endswith("bytes do not fit on an NTAG213")
    assert [entry.uid for entry in TagLedger(tmp_path / "l.jsonl").failures("d")] == []


# -- locks ---------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [NtagTwin.ntag213, NtagTwin.ntag215, NtagTwin.ntag216])
def test_a_locked_tag_takes_no_more_writes(tmp_path: Path, make: object) -> None:
    tag = make(uid(1))  # type: ignore[operator]  # one of three constructors
    one = Set("one", GUESTS.items[:1])
    provision([tag], tmp_path / "l.jsonl", one, WriteOptions(KEY, lock=True))
    assert read(tag).content.tile == "AFf1"
    last_user_page = tag.model.dynamic_lock_page - 1
    assert all(tag.memory.refuses(page) for page in range(3, last_user_page + 1))
    block_bits = tag.memory.page(2)[2] & 0x07
    assert (block_bits, tag.memory.page(tag.model.dynamic_lock_page)[2]) == (0, 0)
    hand = provision([tag, *fresh_213(1, 60)], tmp_path / "m.jsonl", Set("b", GUESTS.items[1:2]))
    assert hand.told("failed") == ["this tag is locked for good"]
    assert read(tag).content.tile == "AFf1"


def test_undo_gives_the_old_content_back_until_the_tag_is_locked(tmp_path: Path) -> None:
    bench, port = open_desk()
    (tag,) = fresh_213(1)
    factory = tag.user
    book = TagLedger(tmp_path / "l.jsonl")
    one = Set("one", GUESTS.items[:1])
    Batch(port, one, book, Hand(bench, [tag]), SEALED).run()
    bench.field.place(tag)
    assert port.find() == tag.uid
    undo(port, book, tag.uid)
    assert tag.user == factory
    assert book.of_item(one.key, "AFf1") is None
    bench.field.clear()
    Batch(port, one, book, Hand(bench, [tag]), SEALED).run()
    bench.field.place(tag)
    assert port.find() == tag.uid
    lock_written(port, book, tag.uid)
    with pytest.raises(Exception, match="locked for good"):
        undo(port, book, tag.uid)


def test_erase_leaves_an_empty_ndef_tag() -> None:
    bench, port = open_desk()
    (tag,) = fresh_213(1)
    tag.load_user(codec.encode(codec.unsealed(kinds.GUEST, kinds.Guest("FRf1"))))
    bench.field.place(tag)
    assert port.find() == tag.uid
    erase(port, identify(port))
    with pytest.raises(TagError, match="empty"):
        codec.decode(tag.user)


# -- pulled away ---------------------------------------------------------------------------

OLD = Item("old", "", kinds.NUMBERED, kinds.NumberedCard("R7"))
NEW = Item("new", "", kinds.BADGE, kinds.Badge("p1", "Someone With A Long Name", "Aarau"))


def outcome(tag: NtagTwin) -> object:
    """The content, or None for anything that is not accepted."""
    try:
        return read(tag).content
    except TagError:
        return None


@pytest.mark.parametrize("start", ["blank", "old"])
def test_a_tag_pulled_at_any_write_and_byte_is_old_unfinished_or_new(
    tmp_path: Path, start: str
) -> None:
    batch_items = Set("new", (NEW,))
    writes = 0
    pulled = 0
    while pulled == writes:
        writes += 1
        for done in range(5):
            (tag,) = fresh_213(1)
            if start == "old":
                tagged = seal.sealed(OLD.kind, OLD.content, tag.uid, KEY.number, KEY.secret)
                tag.load_user(codec.encode(tagged))
            bench, port = open_desk()
            seen = _Looking(bench, [tag, tag], tag)
            tag.tear_write(writes, done)
            path = tmp_path / f"{start}{writes}{done}.jsonl"
            Batch(port, batch_items, TagLedger(path), seen, SEALED).run()
            assert set(seen.after_failure) <= {None, OLD.content, NEW.content}
            assert read(tag).content == NEW.content
            assert seen.told("ask") == (["Hattrick card R7"] if start == "old" else [])
        pulled = writes if seen.after_failure else pulled
    assert writes > 10  # a badge of 59 bytes needs at least fifteen pages


class _Looking(Hand):
    """Looks at the tag whenever it is told that something failed."""

    def __init__(self, bench: object, tags: list[NtagTwin], tag: NtagTwin) -> None:
        super().__init__(bench, tags)  # type: ignore[arg-type]  # a ReaderBench
        self._tag = tag
        self.after_failure: list[object] = []

    def failed(self, item: Item, reason: str) -> None:
        super().failed(item, reason)
        self.after_failure.append(outcome(self._tag))


def test_a_power_cut_in_the_ledger_loses_only_the_cut_line(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    provision(fresh_213(3), path)
    whole = path.read_text(encoding="utf8")
    path.write_text(whole[:-20], encoding="utf8")
    book = TagLedger(path)
    assert [entry.state for entry in book.entries] == [
        ledger.BEGUN,
        ledger.WRITTEN,
        ledger.BEGUN,
        ledger.WRITTEN,
        ledger.BEGUN,
    ]
    assert TagLedger(path).entries == book.entries


def test_a_damaged_ledger_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    provision(fresh_213(3), path)
    lines = path.read_text(encoding="utf8").splitlines()
    lines[1] = "{}"
    path.write_text("\n".join(lines), encoding="utf8")
    with pytest.raises(Exception, match=r"l\.jsonl:2: is not a line of a ledger"):
        TagLedger(path)


def test_a_tag_pulled_while_it_is_locked_is_locked_the_second_time(tmp_path: Path) -> None:
    one = Set("one", GUESTS.items[:1])
    for nth in range(1, 16):
        (tag,) = fresh_213(1)
        tag.tear_write(nth, 2)
        provision([tag, tag], tmp_path / f"{nth}.jsonl", one, WriteOptions(KEY, lock=True))
        assert read(tag).content.tile == "AFf1"
        assert all(tag.memory.refuses(page) for page in range(3, 40))


def test_undo_after_an_interrupted_write_gives_the_first_content_back(tmp_path: Path) -> None:
    bench, port = open_desk()
    (tag,) = fresh_213(1)
    factory = tag.user
    book = TagLedger(tmp_path / "l.jsonl")
    tag.tear_write(3, 1)
    Batch(port, Set("one", GUESTS.items[:1]), book, Hand(bench, [tag, tag]), SEALED).run()
    bench.field.place(tag)
    assert port.find() == tag.uid
    undo(port, book, tag.uid)
    assert tag.user == factory


def test_a_dead_card_gets_another_tag(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    provision(fresh_213(3), path)
    (spare,) = fresh_213(1, first=40)
    options = WriteOptions(KEY, again=frozenset(["AFf2"]))
    hand = provision([spare], path, options=options)
    assert hand.told("prompt") == ["[2/3] AFf2 AF Frau 2"]
    assert TagLedger(path).of_item(GUESTS.key, "AFf2").uid == spare.uid.hex()


def few_of_a_deck() -> Set:
    """B2, B3 and the deck card."""
    whole = deck_items(load_deck("berge"), with_deck_card=True)
    return Set(whole.title, (*whole.items[5:7], whole.items[-1]))


def test_a_replaced_tag_is_revoked_and_the_deck_card_names_it(tmp_path: Path) -> None:
    """B3's tag is lost, then the deck card itself; a tag that is found again may serve anew."""
    path = tmp_path / "l.jsonl"
    deck_tag = NtagTwin.ntag215(uid(99))
    batch_items = few_of_a_deck()
    provision([*fresh_213(2), deck_tag], path, batch_items)
    assert read(deck_tag).content.revoked == b""
    (spare,) = fresh_213(1, first=40)
    options = WriteOptions(KEY, again=frozenset(["B3"]))
    hand = provision([spare, deck_tag], path, batch_items, options)  # asks for the deck card too
    assert hand.told("prompt") == ["[2/3] B3 Schilthorn", "[3/3] deck Schweizer Berge"]
    assert hand.told("replaced") == [f"B3 {uid(2).hex()}"]
    assert read(deck_tag).content.revoked == uid(2)
    assert [(entry.code, entry.uid) for entry in TagLedger(path).revoked(batch_items.key)] == [
        ("B3", uid(2).hex())
    ]
    assert provision([], path, batch_items).said == []  # all is done
    new_card = NtagTwin.ntag215(uid(98))
    lost = WriteOptions(KEY, again=frozenset(["deck"]), only=True)
    assert provision([new_card], path, batch_items, lost).told("written") == ["deck"]
    assert read(new_card).content.revoked == uid(2) + uid(99)  # the lost one too


def test_a_deck_card_that_names_no_replaced_tag_yet_is_still_left(tmp_path: Path) -> None:
    """B3 is written anew; then somebody goes home in front of the deck card."""
    path = tmp_path / "l.jsonl"
    batch_items = few_of_a_deck()
    provision([*fresh_213(2), NtagTwin.ntag215(uid(99))], path, batch_items)
    bench, port = open_desk()
    hand = Hand(bench, fresh_213(1, first=40))
    options = WriteOptions(KEY, again=frozenset(["B3"]))
    batch = Batch(port, batch_items, TagLedger(path), hand, options)
    with pytest.raises(Stopped):
        batch.run()
    assert hand.told("prompt")[-1] == "[3/3] deck Schweizer Berge"
    # the deck card; B2 and the old deck card were there
    assert (batch.left(), batch.there()) == (1, 2)


def test_a_lost_deck_card_is_made_without_writing_the_cards(tmp_path: Path) -> None:
    """Also where the ledger is lost with it: nothing else is asked for."""
    batch_items = few_of_a_deck()
    tag = NtagTwin.ntag215(uid(5))
    lost = WriteOptions(KEY, again=frozenset(["deck"]), only=True)
    hand = provision([tag], tmp_path / "new.jsonl", batch_items, lost)
    assert hand.told("prompt") == ["[3/3] deck Schweizer Berge"]


def test_a_tag_with_a_link_is_written_and_read(tmp_path: Path) -> None:
    guests = linked(GUESTS, "https://example.org/{code}")
    tags = fresh_213(3)
    provision(tags, tmp_path / "l.jsonl", guests)
    assert [link_in(bytes(tag.user)) for tag in tags] == [
        f"https://example.org/{code}" for code in ("AFf1", "AFf2", "AFf3")
    ]
    assert [read(tag).content for tag in tags] == [item.content for item in GUESTS.items]
    assert guests.key == GUESTS.key  # a link makes no other set
