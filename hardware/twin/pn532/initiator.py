"""The chip as a reader of type A tags: listing, exchanging, releasing (UM0701-02, 7.3)."""

from dataclasses import dataclass

from hardware.twin import iso14443
from hardware.twin.iso14443 import TagAnswer
from hardware.twin.pn532 import registers, status
from hardware.twin.pn532.radio import POLL_PERIOD_US, NfcRadio, Target
from hardware.twin.pn532.registers import Registers
from hardware.twin.pn532.steps import WAIT_FOR_FIELD, BadSyntax, Steps

MAX_TARGETS = 2
FOR_EVER = 0xFF  # MxRtyPassiveActivation (7.3.1, item 5), and the count of InAutoPoll
REPLY_DATA_MAX = 262  # an extended frame less TFI, code and status
_TYPE_A_106 = 0
_OTHER_MODULATIONS = (1, 2, 3, 4)  # FeliCa 212/424, type B, Jewel: nobody answers here
_COMPAT_WRITE = 0xA0
_MIFARE_AUTHENTICATION = (0x60, 0x61)
_POLL_UNIT_US = 150_000
_AUTO_POLL_TYPE_A = (0x00, 0x10)  # generic 106 kbit/s type A, Mifare card
_AUTO_POLL_TYPES = frozenset((0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x12, 0x20, 0x23)) | {
    *range(0x40, 0x43),
    *range(0x80, 0x83),
}
_NO_TAG_FIFO = iso14443.REQA  # what nfcpy looks for after an empty list


@dataclass
class RfSettings:
    """What RFConfiguration sets; the defaults are those of 7.3.1."""

    retry_timeout: int = 0x0A
    exchange_retries: int = 0x00
    activation_retries: int = FOR_EVER

    @property
    def timeout_us(self) -> int:
        """Time-out of an exchange: 100 µs × 2^(n-1), 0 = none."""
        return 100 << (self.retry_timeout - 1) if self.retry_timeout else 0


class Initiator:
    """Keeps the listed targets and which of them is active."""

    def __init__(self, radio: NfcRadio, release_halts: bool = True) -> None:
        """`release_halts`: InRelease and InDeselect send HLTA; the tag then ignores REQA."""
        self.radio = radio
        self.registers = Registers()
        self.settings = RfSettings()
        self.targets: dict[int, Target] = {}
        self.active = 0  # number of the active target, 0 = none
        self._release_halts = release_halts

    def reset(self) -> None:
        """As after power-up."""
        self.registers = Registers()
        self.settings = RfSettings()
        self.forget_targets()

    def forget_targets(self) -> None:
        """The targets are lost, the settings stay."""
        self.targets = {}
        self.active = 0

    # InListPassiveTarget 4A

    def list_passive_targets(self, args: bytes) -> Steps[bytes]:
        """4A maxTg brTy [UID]: silent until a tag comes, unless the retries are limited."""
        if len(args) < 2 or not 1 <= args[0] <= MAX_TARGETS:
            raise BadSyntax
        if args[1] in _OTHER_MODULATIONS:
            yield from self._find_nothing()
            return b"\x00"
        if args[1] != _TYPE_A_106:
            raise BadSyntax
        uid = _wanted_uid(args[2:])
        self.forget_targets()
        self.registers.set_crc(True)
        first = yield from self._poll(uid)
        if first is None:
            self.registers[registers.FIFO_DATA] = _NO_TAG_FIFO
            return b"\x00"
        self.targets[1] = first
        self.active = 1
        if args[0] == MAX_TARGETS and self.radio.saw_collision:
            yield from self._look_for_second()
        found = b"".join(bytes([tg]) + t.describe() for tg, t in self.targets.items())
        return bytes([len(self.targets)]) + found

    def _poll(self, uid: bytes | None) -> Steps[Target | None]:
        """Call until a tag answers or the retries are used up."""
        yield from self.radio.guard()
        wake = iso14443.WUPA if uid else iso14443.REQA
        attempts = 0
        while True:
            began_us = self.radio.clock.now_us
            target = yield from self.radio.activate(wake, uid)
            if target is not None:
                return target
            yield max(0, began_us + POLL_PERIOD_US - self.radio.clock.now_us)
            attempts += 1
            if self.settings.activation_retries != FOR_EVER:
                if attempts > self.settings.activation_retries:
                    return None
            elif not self.radio.field.tags:
                yield WAIT_FOR_FIELD

    def _find_nothing(self) -> Steps[None]:
        yield from self.radio.guard()
        if self.settings.activation_retries == FOR_EVER:
            while True:
                yield WAIT_FOR_FIELD
        yield POLL_PERIOD_US * (self.settings.activation_retries + 1)

    def _look_for_second(self) -> Steps[None]:
        """Halt the first tag and call once more; without an answer wake the first again.

        Only after a collision: a single tag listed with maxTg 2 is reported to be found at every
        second poll, so the chip cannot have halted it (it would then miss every later REQA).
        """
        yield from self.radio.halt()
        second = yield from self.radio.activate(iso14443.REQA)
        if second is not None:
            self.targets[2] = second
            self.active = 2
        else:
            self.active = 0
            yield from self._make_active(1)

    # exchanges

    def _make_active(self, tg: int) -> Steps[bool]:
        """Halt the tag that is active and wake the wanted one by its UID; False if it is gone."""
        if self.active == tg:
            return True
        if self.active:
            yield from self.radio.halt()
        found = yield from self.radio.activate(iso14443.WUPA, self.targets[tg].uid)
        self.active = tg if found else 0
        return found is not None

    def data_exchange(self, args: bytes) -> Steps[bytes]:
        """40 Tg data: status, data. The chip knows the answers of Mifare-like tags."""
        if not args:
            raise BadSyntax
        tg, body = args[0] & 0x0F, args[1:]
        if tg not in self.targets:
            return bytes([status.NOT_ACCEPTABLE])
        if not self.radio.field.on:
            return bytes([status.FIELD_OFF])
        if not body:
            return bytes([status.BAD_PARAMETER])
        if not (yield from self._make_active(tg)):
            return bytes([status.TIMEOUT])
        if body[0] in _MIFARE_AUTHENTICATION:
            yield from self._repeat(body)
            return bytes([status.AUTHENTICATION_ERROR])
        if body[0] == _COMPAT_WRITE and len(body) == 18:
            return (yield from self._compat_write(body))
        return _judge((yield from self._repeat(body)))

    def _compat_write(self, body: bytes) -> Steps[bytes]:
        """A0 page and 16 bytes go out as two frames; each must be ACKed."""
        first = _judge((yield from self._repeat(body[:2])))
        if first[0] != status.OK:
            return first
        return _judge((yield from self._repeat(body[2:])))

    def _repeat(self, body: bytes) -> Steps[list[TagAnswer]]:
        """Send with CRC, again after silence as often as MaxRtyCOM says."""
        frame = iso14443.with_crc(body)
        for _ in range(self.settings.exchange_retries + 1):
            answers = yield from self.radio.send_bytes(frame, self.settings.timeout_us)
            if answers:
                return answers
        return []

    def communicate_thru(self, data: bytes) -> Steps[bytes]:
        """42 data: bytes to and from whichever tag is active, as the CIU registers say."""
        if not self.radio.field.on:
            return bytes([status.FIELD_OFF])
        if not data:
            yield self.settings.timeout_us
            return bytes([status.TIMEOUT])
        frame = iso14443.with_crc(data) if self.registers.adds_crc else data
        last_bits = self.registers[registers.BIT_FRAMING] & 0x07
        bits = 8 * len(frame) - (8 - last_bits if last_bits else 0)
        answers = yield from self.radio.exchange(frame, bits, self.settings.timeout_us)
        if not answers:
            return bytes([status.TIMEOUT])
        return self._received(answers)

    def _received(self, answers: list[TagAnswer]) -> bytes:
        answer = answers[0]
        self.registers[registers.CONTROL] = answer.bits % 8
        data = answer.data
        if self.registers.checks_crc:
            if len(answers) > 1 or not iso14443.crc_is_right(data):
                return bytes([status.CRC_ERROR])
            data = data[:-2]
        return _with_status(data)

    # selection

    def select(self, args: bytes) -> Steps[bytes]:
        """54 Tg: wake and select a listed target."""
        if len(args) != 1:
            raise BadSyntax
        if args[0] not in self.targets:
            return bytes([status.NOT_ACCEPTABLE])
        found = yield from self._make_active(args[0])
        return bytes([status.OK if found else status.TIMEOUT])

    def deselect(self, args: bytes) -> Steps[bytes]:
        """44 Tg (0 = all): the tag is halted but stays listed."""
        return (yield from self._dismiss(args, forget=False))

    def release(self, args: bytes) -> Steps[bytes]:
        """52 Tg (0 = all): the tag is halted and forgotten."""
        return (yield from self._dismiss(args, forget=True))

    def _dismiss(self, args: bytes, forget: bool) -> Steps[bytes]:
        if len(args) != 1:
            raise BadSyntax
        numbers = [args[0]] if args[0] else list(self.targets)
        if args[0] and args[0] not in self.targets:
            return bytes([status.NOT_ACCEPTABLE])
        for tg in numbers:
            if tg == self.active and self._release_halts:
                yield from self.radio.halt()
                self.active = 0
            if forget:
                del self.targets[tg]
        if self.active not in self.targets:
            self.active = 0
        return bytes([status.OK])

    # InAutoPoll 60

    def auto_poll(self, args: bytes) -> Steps[bytes]:
        """60 count period types: poll on its own; count FF = for ever, period × 150 ms."""
        types = args[2:]
        periods = 1 <= args[1] <= 15 if len(args) > 2 else False
        if not periods or args[0] == 0 or any(t not in _AUTO_POLL_TYPES for t in types):
            raise BadSyntax
        self.forget_targets()
        self.registers.set_crc(True)
        yield from self.radio.guard()
        rounds = 0
        while args[0] == FOR_EVER or rounds < args[0]:
            for kind in types:
                target = None
                if kind in _AUTO_POLL_TYPE_A:
                    target = yield from self.radio.activate(iso14443.REQA)
                if target is not None:
                    self.targets[1], self.active = target, 1
                    found = b"\x01" + target.describe()
                    return bytes((1, kind, len(found))) + found
                yield args[1] * _POLL_UNIT_US
            rounds += 1
        return b"\x00"


def _wanted_uid(data: bytes) -> bytes | None:
    """The UID filter of 4A: 4 bytes as they are, longer ones with their cascade tags."""
    if not data:
        return None
    if len(data) not in (4, 8, 12) or any(
        data[i] != iso14443.CASCADE_TAG for i in range(0, len(data) - 4, 4)
    ):
        raise BadSyntax
    return b"".join(data[i + 1 : i + 4] for i in range(0, len(data) - 4, 4)) + data[-4:]


def _judge(answers: list[TagAnswer]) -> bytes:
    """Status and data of an InDataExchange; a NAK of a type 2 tag is an error status."""
    if not answers:
        return bytes([status.TIMEOUT])
    answer = answers[0]
    if answer.bits == iso14443.ACK_BITS:
        return bytes([status.OK if answer.data[0] == 0x0A else status.BAD_FORMAT])
    if len(answers) > 1 or not iso14443.crc_is_right(answer.data):
        return bytes([status.CRC_ERROR])
    return _with_status(answer.data[:-2])


def _with_status(data: bytes) -> bytes:
    """OK and the data, if they fit into a reply."""
    if len(data) > REPLY_DATA_MAX:
        return bytes([status.BUFFER_TOO_SMALL])
    return bytes([status.OK]) + data
