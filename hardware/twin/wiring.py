"""What hangs on which pin of the twin. Written down again on purpose: a wrong pin in the board
file must be seen.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wiring:
    """GP numbers of one box. `buttons` in the order up, down, OK, jury."""

    reader_uart: int
    reader_tx: int  # of the Pico
    reader_rx: int
    reader_reset: int  # RSTPD_N
    reader_irq: int
    oled_i2c: int
    oled_sda: int
    oled_scl: int
    oled_address: int
    buttons: tuple[int, int, int, int]
    buzzer: int
    led: int = 25


# docs/ARCHITECTURE.md and hardware/wiring.yml draw the same harness
PICO = Wiring(
    reader_uart=0,
    reader_tx=0,
    reader_rx=1,
    reader_reset=7,
    reader_irq=6,
    oled_i2c=1,
    oled_sda=2,
    oled_scl=3,
    oled_address=0x3C,
    buttons=(10, 11, 12, 13),
    buzzer=15,
)
