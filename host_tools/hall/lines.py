"""The lines of one match as they come by air: doubled, late, with gaps; taken once, in order."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from firmware.app.link_frames import CHAIN_START, Record, chain_after, read_record
from host_tools.hall.protocol import RefusedMessage
from host_tools.store.said import MatchHeader, Unfit, converted, read_parts


@dataclass
class MatchLines:
    """What is known of a match on a box: the links of its lines, not their text."""

    number: int
    box: str = ""
    """Whose they are; "": any."""
    boot: str = ""
    """Of the box when they began to come."""
    born: str = ""
    event: str = ""
    """The tournament that its header names."""
    links: list[bytes] = field(default_factory=list)
    """One for each line: the record's link, or the digest of a line that cannot be read."""
    sealed: bool = False
    chain: bytes = CHAIN_START
    _gap: bool = False  # behind a damaged line the chain is not followed

    def __len__(self) -> int:
        return len(self.links)

    def is_of(self, lines: int, head: str) -> bool | None:
        """False if a box whose journal has so many lines, the last with this link (hex), holds
        other bytes: of another box with its id, or somebody has sent lines in its name. None if
        that cannot be told yet.
        """
        if not head or not 0 < lines <= len(self.links) or not self.links[lines - 1]:
            return None
        return self.links[lines - 1].hex() == head

    def take(self, first: int, lines: Sequence[bytes], asked: bool = False) -> list[bytes]:
        """The lines that are new, in order; none if there is a gap before them. `asked`: the box
        has sent them as a signed answer, so that a damaged line is what its flash holds.

        Raises RefusedMessage if they do not go with what is known.
        """
        # without the lines before it nobody can tell whether it follows
        if first > len(self.links):
            return []
        new: list[bytes] = []
        for at, raw in enumerate(lines, first):
            try:
                if at < len(self.links):
                    self._compare(at, raw)
                else:
                    self._append(raw, asked)
                    new.append(raw)
            except RefusedMessage:
                if not new:
                    raise
                break  # what was good is taken; the rest is asked for
        return new

    def _compare(self, at: int, raw: bytes) -> None:
        record = _record(raw)
        # a damaged copy proves nothing against the line that is already known
        if record is not None and record.chain != self.links[at]:
            raise RefusedMessage(
                "chain", f"match {self.number}, line {at}: other bytes than before"
            )

    def _append(self, raw: bytes, asked: bool) -> None:
        record = _record(raw)
        where = f"match {self.number}, line {len(self.links)}"
        if record is None:
            if not asked:
                raise RefusedMessage("damaged", where)
            # a damaged line has its place, so that indexes stay those of the box
            self.links.append(b"")
            self._gap = True
            return
        payload = record.payload
        if not asked:
            self._look(payload, where)
        follows = chain_after(self.chain, record.seq, payload.encode()) == record.chain
        if not follows and not (self._gap and asked):
            raise RefusedMessage("chain", f"{where} does not follow")
        if not self.links:
            header = _header(payload)
            self.born, self.event = header.born, header.tournament or ""
        self.links.append(record.chain)
        self.chain, self._gap = record.chain, False
        self.sealed = payload.startswith('{"seal"')

    def _look(self, payload: str, where: str) -> None:
        """What came unasked may be anybody's. Raises RefusedMessage."""
        try:
            parts = read_parts(payload)
            header = converted(MatchHeader, parts[0]) if not self.links else MatchHeader()
        except Unfit as error:
            raise RefusedMessage("bad_value", f"{where}: {error}") from error
        if header.match not in (None, self.number) or header.box not in (
            None,
            self.box or header.box,
        ):
            raise RefusedMessage("foreign_topic", f"{where} is of {header.box}: {header.match}")


def _record(raw: bytes) -> Record | None:
    try:
        return read_record(raw)
    except ValueError:  # the CRC is right but a field does not parse; anyone can compute a CRC
        return None


def _header(payload: str) -> MatchHeader:
    """What a header says; nothing if a box has written something else there."""
    try:
        return converted(MatchHeader, read_parts(payload)[0])
    except Unfit:
        return MatchHeader()
