"""The reader's side of ISO 14443-3: exchanges with their durations, anticollision, activation."""

from dataclasses import dataclass

from hardware.twin import iso14443
from hardware.twin.clock import VirtualClock
from hardware.twin.field import RfField
from hardware.twin.iso14443 import TagAnswer
from hardware.twin.pn532.steps import WAIT_FOR_FIELD, Steps
from hardware.twin.tag_memory import block_check

FIELD_GUARD_US = 5_000  # ISO 14443-3: no frame earlier than 5 ms after the field came up
POLL_PERIOD_US = 5_000  # from one REQA to the next while nobody answers [estimate]
SELECT_TIMEOUT_US = 1_000


@dataclass(frozen=True)
class Target:
    """A tag as the chip knows it."""

    atqa: bytes  # in the order of the air
    sak: int
    uid: bytes

    def describe(self) -> bytes:
        """ATQA (high byte first), SAK, length, UID: as in InListPassiveTarget."""
        return self.atqa[::-1] + bytes((self.sak, len(self.uid))) + self.uid


def split_uid(uid: bytes) -> list[bytes]:
    """A UID of 4, 7 or 10 bytes in parts of 4, with cascade tags."""
    parts = []
    while len(uid) > 4:
        parts.append(bytes([iso14443.CASCADE_TAG]) + uid[:3])
        uid = uid[3:]
    return [*parts, uid]


class NfcRadio:
    """Sends frames into the field. All methods that take time are generators, see `steps`."""

    def __init__(self, clock: VirtualClock, field: RfField, reads_long_uids: bool = True) -> None:
        """`reads_long_uids=False`: the clone boards that know UIDs of 4 bytes only."""
        self.clock = clock
        self.field = field
        self.reads_long_uids = reads_long_uids
        self.saw_collision = False  # in the last activation

    def exchange(self, frame: bytes, bits: int, timeout_us: int) -> Steps[list[TagAnswer]]:
        """Send a frame; what came back, empty after `timeout_us` (0 = no time-out) of silence."""
        yield round(iso14443.reader_frame_us(bits))
        heard = self.field.send(frame, bits)
        sessions = [(tag, tag.session) for tag, _ in heard]
        answers = list(dict.fromkeys(answer for _, answer in heard))  # equal bits are one answer
        busy_us = max((answer.busy_us for answer in answers), default=0)
        if not answers or (timeout_us and busy_us > timeout_us):
            yield from self._silence(timeout_us)
            return []
        air_us = max(iso14443.tag_frame_us(answer.bits) for answer in answers)
        yield round(iso14443.TAG_ANSWERS_AFTER_US + busy_us + air_us)
        if any(tag.session != session for tag, session in sessions):
            yield from self._silence(timeout_us)
            return []
        yield round(iso14443.READER_GOES_ON_AFTER_US)
        return answers

    @staticmethod
    def _silence(timeout_us: int) -> Steps[None]:
        """Wait for an answer that does not come; without a time-out only the host ends this."""
        while timeout_us == 0:
            yield WAIT_FOR_FIELD
        yield timeout_us

    def send_bytes(self, frame: bytes, timeout_us: int) -> Steps[list[TagAnswer]]:
        """Exchange whole bytes."""
        return (yield from self.exchange(frame, 8 * len(frame), timeout_us))

    def guard(self) -> Steps[None]:
        """Switch the field on if need be and wait until tags may be called."""
        if not self.field.on:
            self.field.switch(True)
        left_us = self.field.on_since_us + FIELD_GUARD_US - self.clock.now_us
        if left_us > 0:
            yield left_us

    def halt(self) -> Steps[None]:
        """HLTA: the active tag falls silent; it gives no answer, 1 ms of silence confirms."""
        yield from self.send_bytes(iso14443.with_crc(iso14443.HLTA), SELECT_TIMEOUT_US)

    def activate(self, wake: int, uid: bytes | None = None) -> Steps[Target | None]:
        """Wake (REQA or WUPA) and select one tag: `uid`, or who wins the anticollision."""
        self.saw_collision = False
        call = bytes([wake])
        answers = yield from self.exchange(call, iso14443.SHORT_FRAME_BITS, SELECT_TIMEOUT_US)
        if not answers:
            return None
        wanted = split_uid(uid) if uid else []
        known = b""
        for level in range(len(iso14443.SELECT_LEVELS)):
            part = yield from self._find(level, wanted)
            sak = (yield from self._select(level, part)) if part else None
            if part is None or sak is None:
                return None
            if not sak & iso14443.SAK_CASCADE:
                return Target(answers[0].data, sak, known + part)
            if not self.reads_long_uids:
                return None
            known += part[1:]
        return None

    def _find(self, level: int, wanted: list[bytes]) -> Steps[bytes | None]:
        """The 4 UID bytes of a cascade level: known beforehand, or by anticollision."""
        if wanted:
            return wanted[level] if level < len(wanted) else None
        found = yield from self._anticollision(iso14443.SELECT_LEVELS[level])
        if found is None or len(found) != 5 or block_check(found) != 0:
            return None
        return found[:4]

    def _anticollision(self, select: int) -> Steps[bytes | None]:
        """Ask for the rest bit by bit; where tags collide, go on with those that sent a 1."""
        known: list[int] = []
        while True:
            whole, rest = divmod(len(known), 8)
            nvb = iso14443.ANTICOLLISION + (whole << 4) + rest
            frame = bytes((select, nvb)) + iso14443.from_bits(known)
            answers = yield from self.exchange(frame, 16 + len(known), SELECT_TIMEOUT_US)
            if not answers:
                return None
            strings = [known + iso14443.to_bits(a.data, a.bits) for a in answers]
            columns = list(zip(*strings, strict=False))
            collisions = [i for i, column in enumerate(columns) if len(set(column)) > 1]
            if not collisions:
                return iso14443.from_bits(strings[0])
            self.saw_collision = True
            known = [*strings[0][: collisions[0]], 1]

    def _select(self, level: int, part: bytes) -> Steps[int | None]:
        head = bytes((iso14443.SELECT_LEVELS[level], iso14443.SELECT_ALL))
        frame = iso14443.with_crc(head + part + bytes([block_check(part)]))
        answers = yield from self.send_bytes(frame, SELECT_TIMEOUT_US)
        if len(answers) != 1 or not iso14443.crc_is_right(answers[0].data):
            return None
        return answers[0].data[0]
