"""Every command the chip knows here: code → work. Any other code gets the error frame."""

from collections.abc import Callable, Container

from hardware.twin.pn532 import status
from hardware.twin.pn532.frames import EXTENDED_MAX
from hardware.twin.pn532.initiator import Initiator
from hardware.twin.pn532.steps import BadSyntax, Steps

BAUD_RATES = (9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000)
VERSION = bytes((0x32, 0x01, 0x06, 0x07))  # PN532 v1.6, ISO 14443 A and B, ISO 18092
# RFConfiguration: item → length of its data (7.3.1)
_RF_ITEMS = {0x01: 1, 0x02: 3, 0x04: 1, 0x05: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9}
_TIMEOUT_INDEX_MAX = 0x10
_SELF_TESTS_WITHOUT_FAULT = (0x01, 0x02)  # ROM, RAM
_ISO_DEP_PRESENCE, _ANTENNA = 0x06, 0x07


class Commands:
    """The commands and their settings. The chip reads the effects on power and line here."""

    def __init__(self, initiator: Initiator) -> None:
        self.initiator = initiator
        self.reset()

    def reset(self) -> None:
        """As after power-up."""
        self.initiator.reset()
        self.configured = False  # SAMConfiguration has ended LowVbat mode
        self.uses_irq = True
        self.new_baud: int | None = None  # waits for the host's ACK
        self.wake_sources: int | None = None  # PowerDown waits for its reply to be fetched
        self._gpio = [0x3F, 0x07]

    def run(self, code: int, args: bytes) -> Steps[bytes]:
        """The data behind the reply code. Raises `BadSyntax`."""
        if code in _OF_INITIATOR and self.configured:
            return (yield from _OF_INITIATOR[code](self.initiator, args))
        lengths, answer = _AT_ONCE.get(code, ((), None))
        if answer is None or len(args) not in lengths:
            raise BadSyntax
        return answer(self, args)

    def _diagnose(self, args: bytes) -> bytes:
        if args[0] == 0x00:  # communication line: everything comes back
            return args
        if args[0] in _SELF_TESTS_WITHOUT_FAULT or args[0] == _ANTENNA:
            return bytes([status.OK])
        if args[0] == _ISO_DEP_PRESENCE:
            return bytes([status.NOT_ACCEPTABLE])  # no type 2 tag speaks ISO-DEP
        raise BadSyntax

    def _version(self, args: bytes) -> bytes:
        return VERSION

    def _general_status(self, args: bytes) -> bytes:
        """Last error, field, targets with rates and type, SAM."""
        targets = b"".join(bytes((tg, 0, 0, 0x10)) for tg in self.initiator.targets)
        field_on = int(self.initiator.radio.field.on)
        return bytes((0, field_on, len(self.initiator.targets))) + targets + b"\x00"

    def _read_register(self, args: bytes) -> bytes:
        if len(args) % 2:
            raise BadSyntax
        addresses = [int.from_bytes(args[i : i + 2], "big") for i in range(0, len(args), 2)]
        return bytes(self.initiator.registers[address] for address in addresses)

    def _write_register(self, args: bytes) -> bytes:
        if len(args) % 3:
            raise BadSyntax
        for i in range(0, len(args), 3):
            self.initiator.registers[int.from_bytes(args[i : i + 2], "big")] = args[i + 2]
        return b""

    def _read_gpio(self, args: bytes) -> bytes:
        """P3, P7, and the interface pins I0/I1 (00 = HSU)."""
        return bytes((*self._gpio, 0x00))

    def _write_gpio(self, args: bytes) -> bytes:
        for i, value in enumerate(args):
            if value & 0x80:  # bit 7: this port is meant
                self._gpio[i] = value & 0x7F
        return b""

    def _baud_rate(self, args: bytes) -> bytes:
        """The new rate holds once the host has ACKed the reply (7.2.9)."""
        if args[0] >= len(BAUD_RATES):
            raise BadSyntax
        self.new_baud = BAUD_RATES[args[0]]
        return b""

    def _set_parameters(self, args: bytes) -> bytes:
        return b""

    def _sam_configuration(self, args: bytes) -> bytes:
        """Mode, time-out, IRQ; only the normal mode (01) makes sense without a SAM."""
        if not 1 <= args[0] <= 4:
            raise BadSyntax
        self.configured = True
        self.uses_irq = len(args) < 3 or bool(args[2])
        return b""

    def _power_down(self, args: bytes) -> bytes:
        self.wake_sources = args[0]
        return bytes([status.OK])

    def _rf_configuration(self, args: bytes) -> bytes:
        if len(args) - 1 != _RF_ITEMS.get(args[0]):
            raise BadSyntax
        settings, data = self.initiator.settings, args[1:]
        if args[0] == 0x01:
            self.initiator.radio.field.switch(bool(data[0] & 0x01))
        elif args[0] == 0x02:
            if max(data[1:]) > _TIMEOUT_INDEX_MAX:
                raise BadSyntax
            settings.retry_timeout = data[2]
        elif args[0] == 0x04:
            settings.exchange_retries = data[0]
        elif args[0] == 0x05:
            settings.activation_retries = data[2]
        return b""


_SOME = range(1, EXTENDED_MAX - 1)  # what a frame holds behind TFI and code
# code -> how many bytes may follow it, answer
_AT_ONCE: dict[int, tuple[Container[int], Callable[[Commands, bytes], bytes]]] = {
    0x00: (_SOME, Commands._diagnose),
    0x02: ((0,), Commands._version),
    0x04: ((0,), Commands._general_status),
    0x06: (_SOME, Commands._read_register),
    0x08: (_SOME, Commands._write_register),
    0x0C: ((0,), Commands._read_gpio),
    0x0E: ((2,), Commands._write_gpio),
    0x10: ((1,), Commands._baud_rate),
    0x12: ((1,), Commands._set_parameters),
    0x14: ((1, 2, 3), Commands._sam_configuration),
    0x16: ((1, 2), Commands._power_down),
    0x32: (_SOME, Commands._rf_configuration),
}
# in LowVbat mode the chip refuses what needs the RF part until SAMConfiguration (7.2.10)
_OF_INITIATOR: dict[int, Callable[[Initiator, bytes], Steps[bytes]]] = {
    0x40: Initiator.data_exchange,
    0x42: Initiator.communicate_thru,
    0x44: Initiator.deselect,
    0x4A: Initiator.list_passive_targets,
    0x52: Initiator.release,
    0x54: Initiator.select,
    0x60: Initiator.auto_poll,
}
