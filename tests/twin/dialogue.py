"""A host in virtual time for the chip on HSU, and builders for readable dialogues in hex."""

from hardware.twin.clock import VirtualClock
from hardware.twin.faults import FaultPlan
from hardware.twin.field import RfField
from hardware.twin.pn532.chip import NO_HAND_OFF, HandOff, Pn532Chip
from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.tags import NtagTwin

ACK = bytes.fromhex("0000FF00FF00")
NACK = bytes.fromhex("0000FFFF0000")
ERROR = bytes.fromhex("0000FF01FF7F8100")
WAKE_UP = bytes.fromhex("5555") + bytes(14)
SECOND_US = 1_000_000
UID = bytes.fromhex("04A1B2C3D4E5F6")
OTHER_UID = bytes.fromhex("04A1B2C3D4E5F7")


def framed(body: bytes) -> bytes:
    """A normal frame around TFI and data."""
    head = bytes((len(body), 256 - len(body)))
    return b"\x00\x00\xff" + head + body + bytes(((256 - sum(body) % 256) % 256, 0))


def cmd(text: str) -> bytes:
    """The frame of a command: `cmd("4A 01 00")`."""
    return framed(b"\xd4" + bytes.fromhex(text))


def rsp(text: str) -> bytes:
    """ACK and the frame of a reply: `rsp("4B 00")`."""
    return ACK + framed(b"\xd5" + bytes.fromhex(text))


class Bench:
    """Chip, field and host on one clock; the chip is awake and configured unless `asleep`."""

    def __init__(
        self,
        *,
        asleep: bool = False,
        baud: int = 115_200,
        hand_off: HandOff = NO_HAND_OFF,
        faults: FaultPlan | None = None,
        release_halts: bool = True,
        reads_long_uids: bool = True,
        stacked: bool = False,
    ) -> None:
        self.clock = VirtualClock()
        self.field = RfField(self.clock, stacked=stacked)
        self.chip = Pn532Chip(
            self.clock,
            self.field,
            hand_off=hand_off,
            faults=faults,
            release_halts=release_halts,
            reads_long_uids=reads_long_uids,
        )
        self.port = HsuPort(self.chip)
        if not asleep:
            self.say(WAKE_UP)
            assert self.ask("14 01") == rsp("15")
        if baud != 115_200:
            self.raise_baud(baud)

    def raise_baud(self, baud: int) -> None:
        """SetSerialBaudRate and the host's ACK."""
        index = (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600).index(baud)
        self.ask(f"10 {index:02X}")
        self.say(ACK)
        self.clock.advance_to(self.port.idle_at_us)
        self.port.baud = baud

    def lay(self, uid: bytes = UID) -> NtagTwin:
        """A fresh NTAG213 on the reader, long enough to be ready."""
        tag = NtagTwin.ntag213(uid)
        self.field.place(tag)
        self.clock.advance(10_000)
        return tag

    def say(self, data: bytes) -> None:
        """Write bytes."""
        self.port.write(data)

    def hear(self, limit_us: int = SECOND_US) -> bytes:
        """All bytes that come until nothing more is under way, at most for `limit_us`."""
        end_us = self.clock.now_us + limit_us
        heard = b""
        while True:
            heard += self.port.read(1000)
            due = self.port.next_arrival_us() or self.clock.next_due_us()
            if due is None or due > end_us:
                return heard
            self.clock.advance_to(due)

    def ask(self, text: str, limit_us: int = SECOND_US) -> bytes:
        """Send a command, return everything the chip sends."""
        self.say(cmd(text))
        return self.hear(limit_us)

    def took_us(self, text: str) -> int:
        """How long a command takes, from its first bit to the reply's last."""
        start_us = self.clock.now_us
        self.ask(text)
        return self.clock.now_us - start_us
