"""The Pico's 40 pins (Raspberry Pi Pico data sheet, section 2.1; Pico W and Pico 2 are alike)."""

GROUND = (3, 8, 13, 18, 23, 28, 33, 38)
SUPPLY = {"VBUS": 40, "VSYS": 39, "3V3_EN": 37, "3V3(OUT)": 36, "ADC_VREF": 35, "RUN": 30}
# GP number -> pin of the board; GP23 to GP25 serve the board itself and have none
_GP0_TO_22 = (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29)
GP_TO_PIN = {**dict(enumerate(_GP0_TO_22)), 26: 31, 27: 32, 28: 34}
# RP2040 data sheet, table 2 "GPIO functions": UART number -> GPs that can be its TX or RX
UART_TX = {0: (0, 12, 16, 28), 1: (4, 8, 20, 24)}
UART_RX = {0: (1, 13, 17, 29), 1: (5, 9, 21, 25)}


def i2c_of(gp: int) -> int:
    """The I2C controller a GP belongs to: pairs alternate (same table)."""
    return gp // 2 % 2


def is_sda(gp: int) -> bool:
    """Even GPs are SDA, odd ones SCL (same table)."""
    return gp % 2 == 0
