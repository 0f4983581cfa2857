"""The contactless interface unit's registers, as far as hosts look at them (UM0701-02, 8)."""

TX_MODE = 0x6302  # bit 7: the chip adds the CRC
RX_MODE = 0x6303  # bit 7: the chip checks and removes the CRC
TX_AUTO = 0x6305
FIFO_DATA = 0x6339
CONTROL = 0x633C  # bits 0-2: valid bits of the last byte received
BIT_FRAMING = 0x633D  # bits 0-2: bits of the last byte to send, 0 = all
CRC_ENABLED = 0x80

_RESET_VALUES = {TX_AUTO: 0x43}


class Registers:
    """A store of bytes; those that act are read by the radio."""

    def __init__(self) -> None:
        self._values = dict(_RESET_VALUES)

    def __getitem__(self, address: int) -> int:
        return self._values.get(address, 0)

    def __setitem__(self, address: int, value: int) -> None:
        self._values[address] = value

    def set_crc(self, enabled: bool) -> None:
        """Both CRC bits, as InListPassiveTarget leaves them."""
        for address in (TX_MODE, RX_MODE):
            rest = self[address] & ~CRC_ENABLED
            self[address] = rest | (CRC_ENABLED if enabled else 0)

    @property
    def adds_crc(self) -> bool:
        """True if the chip adds the CRC when it sends."""
        return bool(self[TX_MODE] & CRC_ENABLED)

    @property
    def checks_crc(self) -> bool:
        """True if the chip checks and removes the CRC when it receives."""
        return bool(self[RX_MODE] & CRC_ENABLED)
