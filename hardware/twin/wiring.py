"""What hangs on which pin of the twin. Written down again on purpose: a wrong pin in the board
file must be seen.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Wiring:
    """GP numbers of one box. `buttons` in the order up, down, OK, jury."""

    reader_uart: int = 0
    reader_tx: int = 0  # of the Pico
    reader_rx: int = 1
    reader_reset: int = 7  # RSTPD_N
    reader_irq: int = 6
    oled_i2c: int = 1
    oled_sda: int = 2
    oled_scl: int = 3
    north_i2c: int = 0  # the second screen's
    north_sda: int = 4
    north_scl: int = 5
    buttons: tuple[int, int, int, int] = (10, 11, 12, 13)
    buzzer: int = 15
    keep_alive: int = 14  # the load of revision 2; a pin that leads nowhere on revision 1
    led: int = 25

    def gpios(self) -> tuple[int, ...]:
        """Everything that may be opened as a plain pin in some way."""
        reader = (self.reader_tx, self.reader_rx, self.reader_reset, self.reader_irq)
        screens = (self.oled_sda, self.oled_scl, self.north_sda, self.north_scl)
        return (*reader, *screens, *self.buttons, self.buzzer, self.keep_alive, self.led)


# docs/ARCHITECTURE.md and hardware/wiring.yml draw the same harness
PICO = Wiring()
