"""nfcpy 1.0.4: raises the baud rate, reads and writes NDEF, signature, password."""

from collections.abc import Iterator

import ndef
import nfc
import nfc.clf.pn532
import nfc.clf.transport
import nfc.tag
import pytest
from nfc.clf import RemoteTarget

from hardware.twin.pn532.chip import PowerMode
from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tag_models import PUBLIC_SIGNATURES
from hardware.twin.tags import NtagTwin
from tests.peers.conftest import PEER_LIMIT_S, UID, wait_until

pytestmark = pytest.mark.peers

URI = "https://example.org/schiri"


class PatientLine(nfc.clf.transport.TTY):
    """nfcpy's serial line, which gives the chip minutes instead of its 50 to 100 ms.

    A busy machine cannot promise a tenth of a second. What the twin does not answer at all still
    fails, only later; what it answers, and in which order, is nfcpy's own business as before.
    """

    def read(self, timeout: int) -> bytearray:
        """One frame; `timeout` is in ms."""
        return super().read(max(timeout, PEER_LIMIT_S * 1000))


def opened(reader: ReaderPty) -> nfc.ContactlessFrontend:
    """nfcpy's own objects; its path syntax knows no /dev/pts, so the line is handed over."""
    contactless = nfc.ContactlessFrontend()
    contactless.device = nfc.clf.pn532.init(PatientLine(reader.path))
    return contactless


@pytest.fixture
def frontend(reader: ReaderPty) -> Iterator[nfc.ContactlessFrontend]:
    """A reader that nfcpy has found."""
    contactless = opened(reader)
    yield contactless
    contactless.close()


def activate(frontend: nfc.ContactlessFrontend) -> nfc.tag.Tag:
    found = nfc.tag.activate(frontend, frontend.sense(RemoteTarget("106A")))
    assert found is not None
    return found


def test_raises_the_baud_rate(frontend: nfc.ContactlessFrontend) -> None:
    """nfcpy raises its own side only after the chip has accepted SetSerialBaudRate.

    The chip's side is not looked at: nfcpy throws its ACK away if the pty has not been read within
    1 ms, which a busy machine cannot promise. tests/twin/test_twin_power.py has the chip's side.
    """
    assert frontend.device.chipset.transport.baudrate == 921_600
    assert activate(frontend).identifier == UID


def test_knows_the_product(frontend: nfc.ContactlessFrontend) -> None:
    found = activate(frontend)
    assert found.product == "NXP NTAG213"
    assert found.identifier == UID


def test_writes_ndef_and_reads_it_back(frontend: nfc.ContactlessFrontend, tag: NtagTwin) -> None:
    activate(frontend).ndef.records = [ndef.UriRecord(URI)]
    # 5 bytes lock control TLV from the factory, then 03, length, record, FE (Type 2 Tag, 2.3)
    record = b"".join(ndef.message_encoder([ndef.UriRecord(URI)]))
    message = bytes((0x03, len(record))) + record + b"\xfe"
    assert tag.user[5 : 5 + len(message)] == message
    assert [r.iri for r in activate(frontend).ndef.records] == [URI]


def test_reads_the_originality_signature(frontend: nfc.ContactlessFrontend) -> None:
    assert bytes(activate(frontend).signature) == PUBLIC_SIGNATURES[UID]


def test_password_guards_writing(frontend: nfc.ContactlessFrontend, tag: NtagTwin) -> None:
    assert activate(frontend).protect(b"geheim") is True
    # 4 bytes PWD, 2 bytes PACK
    assert tag.memory.page(0x2B) + tag.memory.page(0x2C)[:2] == b"geheim"
    assert activate(frontend).authenticate(b"falsch") is False
    with pytest.raises(nfc.tag.tt2.Type2TagCommandError):
        activate(frontend).write(8, b"abcd")
    friend = activate(frontend)
    assert friend.authenticate(b"geheim") is True
    assert friend.write(8, b"abcd") is True
    assert tag.user[16:20] == b"abcd"


def test_sees_no_tag_in_an_empty_field(
    frontend: nfc.ContactlessFrontend, reader: ReaderPty
) -> None:
    with reader.lock:
        reader.field.clear()
    assert frontend.sense(RemoteTarget("106A")) is None


def test_sends_the_chip_to_sleep(reader: ReaderPty) -> None:
    opened(reader).close()
    wait_until(lambda: reader.chip.power is PowerMode.ASLEEP)
    assert not reader.field.on
