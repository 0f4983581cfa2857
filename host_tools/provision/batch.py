"""A batch: one tag after the other; prompt, write, verify, lock, and next when it is gone."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from card_tags import codec, seal
from card_tags.errors import EMPTY, FOREIGN, TORN, TagError
from card_tags.kinds import DECK, HALL, OPTIONS
from card_tags.options import bytes_needed
from host_tools.cards.keys import LeagueKey
from host_tools.cards.links import options_in, with_link, with_options
from host_tools.cards.tag_items import Item, Set
from host_tools.core.errors import Exit, Sentence, UserError
from host_tools.provision import ledger as states
from host_tools.provision.chips import FIRST_USER_PAGE, PAGE_BYTES, Chip
from host_tools.provision.items import describe
from host_tools.provision.ledger import LedgerEntry, TagLedger
from host_tools.provision.originality import is_genuine
from host_tools.provision.port import TagLost, TagPort, TagRefused, TwoTags, user_memory
from host_tools.provision.writer import (
    Unwritable,
    VerifyFailed,
    holds_record,
    identify,
    lock,
    write_memory,
    write_record,
)

_WRITTEN_ANEW = (DECK, HALL)  # onto the same tag, when their content has changed
_GONE_AFTER = 2  # looks in a row that find nothing: a resting 7-byte UID misses every second one


class News(Protocol):
    """What a batch tells the person at the reader, and the one thing it asks."""

    def prompt(self, number: int, count: int, item: Item) -> None:
        """Lay this card now. Called once per card, and again after a failure."""
        ...

    def same_tag(self, entry: LedgerEntry) -> None:
        """This tag is a card of this set already."""
        ...

    def ask_overwrite(self, item: Item, holds: str) -> bool:
        """The tag holds something; write all the same?"""
        ...

    def written(self, item: Item, entry: LedgerEntry) -> None:
        """Written, verified and, if asked for, locked. Take it away."""
        ...

    def failed(self, item: Item, reason: str) -> None:
        """Not written; the same card is asked for again."""
        ...

    def replaced(self, item: Item, old: LedgerEntry) -> None:
        """The tag that was this card is revoked: boxes refuse it once they saw the deck card."""
        ...

    def two_tags(self) -> None:
        """One at a time, please."""
        ...


@dataclass
class WriteOptions:
    """`key` None = unsealed. `genuine_only` refuses tags without NXP's signature. `link_first`:
    links stand before our record, where Android looks.

    `again`: codes to be written once more, for a card whose tag is lost or dead; `only`: and no
    others.
    """

    key: LeagueKey | None = None
    lock: bool = False
    genuine_only: bool = False
    link_first: bool = False
    again: frozenset[str] = frozenset()
    only: bool = False
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


@dataclass
class Batch:
    """Writes the items of a set that the ledger does not have yet."""

    port: TagPort
    items: Set
    ledger: TagLedger
    news: News
    options: WriteOptions = field(default_factory=WriteOptions)
    _lying: bytes | None = field(default=None, init=False)  # the tag that must go first
    _done: set[str] = field(default_factory=set, init=False)  # codes that this run has written

    def pending(self) -> list[Item]:
        """What is still to be written, in order."""
        key = self.items.key
        again = self.options.again
        return [
            item
            for item in self.items.items
            if item.code in again or not (self.options.only or self.ledger.of_item(key, item.code))
        ]

    def left(self) -> int:
        """How many tags this run has not written yet; `again` names those that it has, too."""
        late = self._outdated_deck_card()
        codes = {item.code for item in self.pending()} - self._done
        return len(codes if late is None else codes | {late.code})

    def there(self) -> int:
        """How many cards were written before this run, and not in it."""
        key = self.items.key
        others = (item.code for item in self.items.items if item.code not in self._done)
        return sum(self.ledger.of_item(key, code) is not None for code in others)

    def run(self) -> int:
        """Write everything that is pending; returns how many tags were written. A card that was
        replaced needs a new deck card, which comes last.
        """
        pending = self.pending()
        for item in pending:
            self._write_one(item)
        late = self._outdated_deck_card() if pending else None
        if late is not None:
            self._write_one(late)
        return len(pending) + (late is not None)

    def _write_one(self, item: Item) -> None:
        number = self.items.items.index(item) + 1
        while not self._try(item, number, len(self.items.items)):
            pass

    def _outdated_deck_card(self) -> Item | None:
        """The deck card, if its tag does not name all tags that were replaced."""
        entries = self.ledger.entries
        for item in self.items.items:
            now = self.ledger.of_item(self.items.key, item.code)
            if item.kind == DECK and now is not None:
                revoked = self.ledger.revoked(self.items.key)
                late = [one for one in revoked if entries.index(one) > entries.index(now)]
                # its own old tag stands on it already (_record)
                return item if any(one.code != item.code for one in late) else None
        return None

    def _try(self, item: Item, number: int, count: int) -> bool:
        """One tag on the reader; True if it became this card."""
        # else the tag that was just written would be taken for the next card
        if self._lying is not None:
            self._wait_until_gone(self._lying)
        self.news.prompt(number, count, item)
        uid = self._lying = self._wait_for_tag()
        try:
            done = self._provision(item, uid)
        except (TagLost, TagRefused, VerifyFailed, Unwritable) as error:
            reason = str(error) or str(Sentence("tag_gone"))
            self.ledger.add(self._entry(item, uid, states.FAILED, reason=reason))
            self.port.signal(False)
            self.news.failed(item, reason)
            done = False
        return done

    def _provision(self, item: Item, uid: bytes) -> bool:
        known = self.ledger.of_tag(uid.hex())
        again = known is not None and known.code == item.code and item.kind in _WRITTEN_ANEW
        mine = known is not None and not again and known.set_key == self.items.key
        # before anything is asked of the tag: a finished card that is laid twice costs no read
        if known is not None and mine and known.state in states.DONE:
            self.port.signal(False)
            self.news.same_tag(known)
            return False
        chip = identify(self.port)
        genuine = self._genuine(uid)
        record = self._record(item, uid, chip)
        number = self.options.key.number if self.options.key else 0
        facts: dict[str, Any] = {"chip": chip.name, "key_number": number, "genuine": genuine}
        if not holds_record(self.port, record, chip):
            interrupted = known is not None and known.state in (states.BEGUN, states.FAILED)
            holds = held(self.port, chip)
            if holds and not interrupted and not self.news.ask_overwrite(item, holds):
                return False
            self._write(item, uid, record, chip, facts)
        # undo goes by the last entry of a tag
        facts["before"] = self.ledger.original(uid.hex())
        self._finish(item, uid, chip, facts)
        return True

    def _write(
        self, item: Item, uid: bytes, record: bytes, chip: Chip, facts: dict[str, Any]
    ) -> None:
        """Write and verify; the ledger knows before that it was begun, and what stood there."""
        count = -(-len(record) // PAGE_BYTES)
        before = self.port.read(FIRST_USER_PAGE, count).hex()
        self.ledger.add(self._entry(item, uid, states.BEGUN, before=before, **facts))
        write_record(self.port, record, chip)

    def _finish(self, item: Item, uid: bytes, chip: Chip, facts: dict[str, Any]) -> None:
        """The record stands: note it, lock if asked for, and say so."""
        entry = self._entry(item, uid, states.WRITTEN, **facts)
        self.ledger.add(entry)
        alike = item.kind == HALL  # a hall may have many tags
        # after WRITTEN is in the ledger: a cut in between leaves two cards, never none
        others = () if alike else self.ledger.others(self.items.key, item.code, uid.hex())
        for old in others:
            self.ledger.add(replace(old, state=states.REVOKED, at=entry.at))
            self.news.replaced(item, old)
        # last, and a step of its own: a lock cannot be undone, so a verified card is noted first
        if self.options.lock:
            lock(self.port, chip)
            entry = self._entry(item, uid, states.LOCKED, **facts)
            self.ledger.add(entry)
        self._done.add(item.code)
        self.port.signal(True)
        self.news.written(item, entry)

    def _record(self, item: Item, uid: bytes, chip: Chip) -> bytes:
        if item.kind == DECK:
            key = self.items.key
            # the tag under the writer is left out: its own deck card must not refuse it
            old = [*self.ledger.revoked(key), *self.ledger.others(key, item.code, uid.hex())]
            uids = b"".join(bytes.fromhex(entry.uid) for entry in old if entry.uid != uid.hex())
            item = replace(item, content=item.content._replace(revoked=uids))
        return record_of(item, uid, chip, self.options)

    def _genuine(self, uid: bytes) -> bool | None:
        signature = self.port.signature()
        genuine = None if signature is None else is_genuine(uid, signature)
        if self.options.genuine_only and not genuine:
            raise Unwritable(Sentence("tag_not_genuine"))
        return genuine

    def _entry(self, item: Item, uid: bytes, state: str, **facts: object) -> LedgerEntry:
        at = _at(self.options.now())
        return LedgerEntry(self.items.key, item.code, item.name, uid.hex(), state, at, **facts)  # type: ignore[arg-type]  # named facts

    def _wait_for_tag(self) -> bytes:
        two = False
        while True:
            try:
                uid = self.port.find()
                two = False
            except TwoTags:
                if not two:  # once, however long they lie there
                    self.news.two_tags()
                two = True
                uid = None
            except TagLost:
                uid = None
            if uid is not None:
                return uid
            self.port.pause()

    def _wait_until_gone(self, uid: bytes) -> None:
        missing = 0
        while missing < _GONE_AFTER:
            self.port.pause()
            try:
                found = self.port.find()
            except (TwoTags, TagLost):
                # neither says that the tag has gone: the count of empty looks stays as it is
                continue
            if found is not None and found != uid:
                return
            missing = missing + 1 if found is None else 0


def undo(port: TagPort, ledger: TagLedger, uid: bytes) -> LedgerEntry:
    """Give the tag back the content it had before the batch. Raises UserError."""
    entry = ledger.of_tag(uid.hex())
    if entry is None or entry.state not in states.DONE:
        raise UserError("undo_not_written", Exit.CHECK, uid=uid.hex())
    if entry.state == states.LOCKED:
        raise UserError("undo_locked", Exit.CHECK, code=entry.code)
    if not entry.before:
        raise UserError("undo_nothing", Exit.CHECK, code=entry.code)
    identify(port)
    write_memory(port, bytes.fromhex(entry.before))
    taken_back = replace(entry, state=states.UNDONE, at=_at(datetime.now(UTC)))
    ledger.add(taken_back)
    return taken_back


def lock_written(port: TagPort, ledger: TagLedger, uid: bytes) -> LedgerEntry:
    """Lock a tag that a batch wrote and left open. Raises UserError."""
    entry = ledger.of_tag(uid.hex())
    if entry is None or entry.state != states.WRITTEN:
        raise UserError("lock_not_open", Exit.CHECK, uid=uid.hex())
    lock(port, identify(port))
    locked = replace(entry, state=states.LOCKED, at=_at(datetime.now(UTC)))
    ledger.add(locked)
    return locked


def _at(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def record_of(item: Item, uid: bytes, chip: Chip, options: WriteOptions) -> bytes:
    """What stands on the tag from page 4 on. Raises Unwritable if the link is too long."""
    record = _encoded(item.kind, item.content, uid, chip, options.key)
    if item.options is not None:
        if item.link and options.link_first:
            # our record is the last one then (card_tags/FORMAT.md)
            raise Unwritable(Sentence("options_link_first", code=item.code))
        rules = _encoded(OPTIONS, item.options, uid, chip, options.key)
        record = with_options(record, rules)
    if not item.link:
        return record
    try:
        return with_link(record, item.link, options.link_first)
    except ValueError as error:
        raise Unwritable(Sentence("link_too_long", code=item.code)) from error


def _encoded(kind: str, content: Any, uid: bytes, chip: Chip, key: LeagueKey | None) -> bytes:
    if key is None:
        tag = codec.unsealed(kind, content)
    else:
        tag = seal.sealed(kind, content, uid, key.number, key.secret)
    return codec.encode(tag, lock_control=chip.lock_control)


def held(port: TagPort, chip: Chip, deck: dict[str, Any] | None = None) -> str:
    """What stands on the tag, for people; "" if nothing that would be lost.

    `deck`: a deck object that may be the card's, besides the project's own.
    """
    try:
        memory = user_memory(port, chip.user_bytes)
        tag = codec.decode(memory)
        # house rules may go on behind the bytes that the first record needs
        more = min(bytes_needed(memory), chip.user_bytes)
        if more > len(memory):
            memory = port.read(FIRST_USER_PAGE, -(-more // PAGE_BYTES))
        rules = options_in(memory)
    except TagError as error:
        if error.reason in (EMPTY, TORN):
            return ""
        return Sentence("holds_foreign" if error.reason == FOREIGN else "holds_older")
    found = [describe(one.content, deck) for one in (tag, rules) if one is not None]
    return found[0] if len(found) == 1 else Sentence("holds_both", detail=found[0], more=found[1])
