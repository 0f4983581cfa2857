"""Raspberry Pi Pico: every pin, bus and speed of the box, revision 1.

Pico W, Pico 2 and Pico 2 W have the same pins and run the same firmware; what else they are stands
in pico_w.py, pico_2.py and pico_2_w.py. No pin number stands anywhere else; hardware/wiring.yml is
checked against this file. Importing does nothing: each function makes its object when it is
called.

    GP0, GP1    UART0 TX, RX     PN532 over HSU (DIP switches as delivered: both off)
    GP6         IRQ of the PN532, low while a frame waits: looked at by bring-up only
    GP7         RSTPD_N of the PN532: a hard reset; driven high, because the board's own divider
                leaves it too low at 3.3 V (research of ESPEasy #3586)
    GP2, GP3    I2C1 SDA, SCL    OLED of the south; that of the north: north_screen.py
    GP10..13    buttons up, down, OK, jury, each to ground
    GP15        passive buzzer, PWM

The processor runs at 200 MHz: certified with a core voltage of 1.15 V or more (pico-sdk 2.1.1,
release notes; its platform_defs.h and clocks.h say the same). docs/decisions/tap.md.
"""

import sys

from micropython import const

TYPE_CHECKING = const(False)
if TYPE_CHECKING:
    import machine

NAME = "pico-1"
MACHINE = "Raspberry Pi Pico with RP2040"  # sys.implementation._machine
RAM_BYTES = const(264 * 1024)
FLASH_BYTES = const(2048 * 1024)
# How `make image` cuts the flash, from its end: the file system, the two slots, the interpreter
STORAGE_BYTES = const(1024 * 1024)
SLOTS_BYTES = const(576 * 1024)
CPU_HZ = const(200_000_000)
# The public key, 65 bytes, of who signs releases; none: a box that no desk has enrolled takes any
# firmware, and an enrolled one what its desk has signed.
RELEASE_KEY = b""
STORAGE = "/box"  # journal, settings, decks: the only folder the box writes to

READER_UART = const(0)
READER_TX = const(0)
READER_RX = const(1)
READER_IRQ = const(6)
READER_RESET = const(7)
READER_BAUD = const(115200)  # the PN532 starts with it
READER_BUFFER = const(256)  # bytes: more than one answer, should the box be busy drawing

DISPLAY_I2C = const(1)
DISPLAY_SDA = const(2)
DISPLAY_SCL = const(3)
DISPLAY_HZ = const(400000)
DISPLAY_FAST_HZ = const(1000000)  # the RP2040's most; its edges and the modules' pull-ups bear it
DISPLAY_TIMEOUT_US = const(20000)  # a stuck bus holds the box for no longer

BUTTON_PINS = (10, 11, 12, 13)  # up, down, OK, jury
BUZZER_PIN = const(15)
_VREG = const(0x40064000)  # RP2040 data sheet 2.10.7: bits 7 to 4 choose the core voltage
_VOLTAGE = const(0xF0)
_VOLTS_1_15 = const(0xC0)


def full_speed() -> None:
    """The voltage, then the clock; before anything that is clocked by the processor's clock (I2C,
    PWM) is opened. An RP2350 is left as it starts, and so is a laptop.
    """
    if not getattr(sys.implementation, "_machine", "").endswith("RP2040"):
        return
    from time import sleep_ms

    import machine

    machine.mem32[_VREG] = machine.mem32[_VREG] & ~_VOLTAGE | _VOLTS_1_15
    sleep_ms(1)  # as the SDK: SYS_CLK_VREG_VOLTAGE_AUTO_ADJUST_DELAY_US
    machine.freq(CPU_HZ)


def reader_uart() -> "machine.UART":
    """The PN532's UART; reads never wait."""
    from machine import UART, Pin

    return UART(
        READER_UART,
        baudrate=READER_BAUD,
        tx=Pin(READER_TX),
        rx=Pin(READER_RX),
        rxbuf=READER_BUFFER,
        timeout=0,
    )


def reader_reset() -> "machine.Pin":
    """RSTPD_N, released."""
    from machine import Pin

    return Pin(READER_RESET, Pin.OUT, value=1)


def display_bus(fast: bool = False) -> "machine.I2C":
    """The OLED's bus; the modules bring their own pull-ups. `fast`: beyond their data sheets."""
    from machine import I2C, Pin

    return I2C(
        DISPLAY_I2C,
        sda=Pin(DISPLAY_SDA),
        scl=Pin(DISPLAY_SCL),
        freq=DISPLAY_FAST_HZ if fast else DISPLAY_HZ,
        timeout=DISPLAY_TIMEOUT_US,
    )


def display_lines() -> "tuple[machine.Pin, machine.Pin]":
    """SCL and SDA as open-drain outputs, to free a bus that a display holds."""
    from machine import Pin

    return Pin(DISPLAY_SCL, Pin.OPEN_DRAIN, value=1), Pin(DISPLAY_SDA, Pin.OPEN_DRAIN, value=1)


def button_pins() -> "tuple[machine.Pin, ...]":
    """UP, DOWN, OK, JURY. Pulled up: a pull-down would meet erratum E9 of the RP2350."""
    from machine import Pin

    return tuple([Pin(number, Pin.IN, Pin.PULL_UP) for number in BUTTON_PINS])


def buzzer_pwm() -> "machine.PWM":
    """The buzzer, silent."""
    from machine import PWM, Pin

    pwm = PWM(Pin(BUZZER_PIN))
    pwm.duty_u16(0)
    return pwm
