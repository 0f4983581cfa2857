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
    north_i2c: int  # the second screen's
    north_sda: int
    north_scl: int
    buttons: tuple[int, int, int, int]
    buzzer: int
    keep_alive: int = 14  # the load of revision 2; a pin that leads nowhere on revision 1
    led: int = 25

    def gpios(self) -> tuple[int, ...]:
        """Everything that may be opened as a plain pin in some way."""
        reader = (self.reader_tx, self.reader_rx, self.reader_reset, self.reader_irq)
        screens = (self.oled_sda, self.oled_scl, self.north_sda, self.north_scl)
        return (*reader, *screens, *self.buttons, self.buzzer, self.keep_alive, self.led)


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
    north_i2c=0,
    north_sda=4,
    north_scl=5,
    buttons=(10, 11, 12, 13),
    buzzer=15,
)
