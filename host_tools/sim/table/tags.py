"""The things that lie on the table: every card, tile and badge is one tag of the twin."""

from card_tags import codec, framing, kinds, seal
from card_tags.wire import LONGEST_TEXT
from hardware.twin.tag_models import FIRST_USER_PAGE, NTAG213, PAGE_BYTES
from hardware.twin.tags import NtagTwin
from host_tools.cards.tag_items import Item
from host_tools.core.names import within
from host_tools.sim.demo.tags import blank

LEAGUE_KEY = bytes(range(100, 100 + seal.KEY_BYTES))
"""The virtual table's own league: seals can be tried out, and prove nothing outside of it."""
_PHONE_NOTE = bytes.fromhex("0314D101105402656E53686F7070696E67206C697374FE00")
"""What a phone writes on a tag: an NDEF text."""


class TagTray:
    """Tags by code, made when they are first needed; `fill` brings those of another game."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._tags: dict[str, NtagTwin] = {}
        self._count = 0
        self.dead: list[str] = []
        """The codes of the tags that do not answer any more."""

    def kill(self, code: str) -> None:
        """This tag breaks: the reader never hears it again."""
        self[code].dead = True
        self.dead.append(code)

    def heal(self) -> None:
        """All broken tags are whole again."""
        for code in self.dead:
            self[code].dead = False
        self.dead = []

    def fill(self, items: list[Item]) -> None:
        """Add things to the tray; a code that is there already is replaced if it differs."""
        for item in items:
            if self._items.get(item.code) != item:
                self._items[item.code] = item
                self._tags.pop(item.code, None)

    def __contains__(self, code: str) -> bool:
        return code in self._items

    def __getitem__(self, code: str) -> NtagTwin:
        """The tag of a thing. KeyError for a code that is not there."""
        if code not in self._tags:
            self._tags[code] = self._written(self._items[code])
        return self._tags[code]

    def code_of(self, tag: NtagTwin) -> str:
        """The code of a tag; "?" for one that is none of the table's things."""
        # by identity: the bytes of a copied card are the same
        return next((code for code, known in self._tags.items() if known is tag), "?")

    def copied(self, code: str) -> NtagTwin:
        """The same bytes on another chip: the seal was made for the first one."""
        first = self[code]
        tag = self._blank(code)
        # without UID, lock bits and configuration: those are the chip's own
        for page in range(FIRST_USER_PAGE, first.model.dynamic_lock_page):
            tag.memory.set_page(page, first.memory.page(page))
        return tag

    def half_written(self, code: str) -> NtagTwin:
        """A tag that was taken away while it was written."""
        tag = self.copied(code)
        data = bytearray(tag.memory.user_bytes())
        at, _ = framing.length_at(bytes(data))
        data[at] = 0  # writers clear the length first and set it last
        write(tag, bytes(data))
        return tag

    def empty(self) -> NtagTwin:
        """A tag from the shop."""
        return self._blank("")

    def foreign(self) -> NtagTwin:
        """A tag on which somebody's phone has written a note."""
        tag = self._blank("")
        write(tag, _PHONE_NOTE)
        return tag

    def _blank(self, code: str) -> NtagTwin:
        self._count += 1
        # a UID of its own: seals are made for one, so a copy is found out
        return blank(code, self._count)

    def _written(self, item: Item) -> NtagTwin:
        tag = self._blank(item.code)
        number = seal.tag_key_id(LEAGUE_KEY)
        content = seal.sealed(item.kind, item.content, tag.memory.uid, number, LEAGUE_KEY)
        # of the chips that we take only the NTAG213 comes with a lock control TLV
        write(tag, codec.encode(content, lock_control=tag.model is NTAG213))
        return tag


def write(tag: NtagTwin, data: bytes) -> None:
    """Put bytes into the user memory, as a programmer would."""
    data += bytes(-len(data) % PAGE_BYTES)
    for at in range(0, len(data), PAGE_BYTES):
        page = FIRST_USER_PAGE + at // PAGE_BYTES
        tag.memory.set_page(page, data[at : at + PAGE_BYTES])


def badges(names: list[str], code: str = "badge", event: str = "table") -> list[Item]:
    """One badge per player: `badge1`, `badge2` … A name that a tag has no room for is cut."""
    return [
        Item(f"{code}{number}", name, kinds.BADGE, kinds.Badge(f"p{number}", name, event))
        for number, name in enumerate(map(on_badge, names), 1)
    ]


def on_badge(name: str) -> str:
    """A name as a badge has room for it."""
    return within(name, LONGEST_TEXT)


def jury_card() -> Item:
    """The arbiter's card."""
    return Item("jury", "Jury", kinds.JURY, kinds.Jury(1, "Jury"))
