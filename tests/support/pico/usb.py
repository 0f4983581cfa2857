"""The laptop's end of an emulated Pico's USB, on the twin's line (hardware/twin/usb.py).

Two faults of rp2040py 0.3.6 are mended from our side: it answers every offer to receive with an
empty packet, 10 µs later, which keeps the emulated processor in its USB interrupt most of the
time; and its host has fetched every packet before it is sent, so that none can stay unread.
"""

from collections import deque
from typing import Any

from rp2040py.peripherals.usb import RPUSBController

from hardware.twin.usb import CTRL_C, UsbQueues

_FIFO_ROOM = 256  # bytes; the host's FIFO takes 512 and drops the rest silently


class _PatientUsb(RPUSBController):
    """A packet to the host stays in the endpoint until the host fetches it."""

    host: "UsbHost"

    def _indicate_buffer_ready(self, endpoint: int, out: bool) -> None:
        if not out and self.host.refuses(endpoint):
            self.host.unread.append(endpoint)
        else:
            super()._indicate_buffer_ready(endpoint, out)

    def fetched(self, endpoint: int) -> None:
        """The host has fetched a packet that it had left lying."""
        super()._indicate_buffer_ready(endpoint, False)


class UsbHost:
    """What hangs on the cable. `raw` bytes go out before those of the line, as they are."""

    def __init__(self, device: Any, line: UsbQueues) -> None:
        self.unread: deque[int] = deque()
        self.raw = bytearray()
        self.connected = False
        self._line = line
        self._packets: deque[bytes] = deque()
        self._cdc = device.cdc
        self._controller = device.mcu.usb_ctrl
        self._controller.__class__ = _PatientUsb
        self._controller.host = self
        self._answer = self._controller.on_endpoint_read
        self._offer: tuple[int, int] | None = None
        self._controller.on_endpoint_read = self._offered
        self._cdc.on_serial_data = self._packets.append
        self._cdc.on_device_connected = self._connect

    def refuses(self, endpoint: int) -> bool:
        """The program that has the port open does not read."""
        return endpoint == self._cdc._in_endpoint and self._line.packet_ms is None

    def exchange(self) -> None:
        """Fetch what the box has sent, and send what it has room for."""
        if self._line.packet_ms is not None:
            while self.unread:
                self._controller.fetched(self.unread.popleft())
            while self._packets:
                self._line.deliver(bytes(self._packets.popleft()))
        if self.connected and not self._cdc.tx_fifo.item_count:
            self._send()

    def _send(self) -> None:
        if self._line.interrupted:
            self._line.interrupted = False
            self.raw.append(CTRL_C)
        data = bytes(self.raw[:_FIFO_ROOM])
        del self.raw[:_FIFO_ROOM]
        data += self._line.take(_FIFO_ROOM - len(data))
        for byte in data:
            self._cdc.send_serial_byte(byte)
        if data and self._offer is not None:
            offer, self._offer = self._offer, None
            self._answer(*offer)

    def _offered(self, endpoint: int, size: int) -> None:
        if endpoint == self._cdc._out_endpoint and not self._cdc.tx_fifo.item_count:
            self._offer = (endpoint, size)
        else:
            self._answer(endpoint, size)

    def _connect(self) -> None:
        self.connected = True
