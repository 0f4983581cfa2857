"""The PN532 commands the box uses, as whole frames made once (UM0701-02 section 7)."""

from micropython import const

from firmware.drivers.pn532.frame import build

GET_VERSION = build(b"\x02")
SET_PARAMETERS = build(b"\x12\x00")  # no automatic RATS: an NTAG has none, a bank card stays short
# normal mode, time-out 20 x 50 ms (unused in this mode), IRQ pin in use
SAM_NORMAL = build(b"\x14\x01\x14\x01")
SAM_NORMAL_SHORT = build(b"\x14\x01")  # some clones refuse the two optional bytes (nfcpy#158)
# SetSerialBaudRate (UM0701-02 section 7.2.9), in the order of `Hsu.speeds`
SET_SPEEDS = (build(b"\x10\x04"), build(b"\x10\x05"), build(b"\x10\x06"), build(b"\x10\x07"))
FIELD_OFF = build(b"\x32\x01\x00")
FIELD_ON = build(b"\x32\x01\x01")
# item 2: time-outs 100 us x 2^(n-1); 08 = 12.8 ms, above the 10 ms a WRITE may take
RF_TIMEOUTS = build(b"\x32\x02\x00\x08\x08")
RF_REPEATS = build(b"\x32\x04\x01")  # item 4: repeat a disturbed exchange once
# item 5: by default a list waits for ever; this is three tries, which also covers the tag that
# takes the first REQA as an error and answers the second
LIST_TRIES = build(b"\x32\x05\xff\x01\x02")
# while a card is awaited: sixteen, 80 ms; for ever would hide a chip that has died
PATIENT_TRIES = build(b"\x32\x05\xff\x01\x0f")
LIST_CARDS = build(b"\x4a\x02\x00")  # up to two cards, ISO 14443A at 106 kbit/s

CONFIGURE = (RF_TIMEOUTS, RF_REPEATS, LIST_TRIES)

# how long the chip may take, after its ACK
QUICK_MS = const(20)  # commands that touch no card
LIST_MS = const(100)  # three tries for two cards, field start included
PATIENT_MS = const(180)  # sixteen
EXCHANGE_MS = const(60)  # two tries of 12.8 ms and a long answer


def exchange(tag_command: bytes) -> bytes:
    """InDataExchange with card 1: the chip keeps the card selected and knows its ACK and NAK."""
    return build(b"\x40\x01" + tag_command)


def through(tag_command: bytes) -> bytes:
    """InCommunicateThru: the bytes as they are, with CRC; for commands the chip does not know."""
    return build(b"\x42" + tag_command)
