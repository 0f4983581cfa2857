"""The three host interfaces of the chip, in virtual time; how to use them: package docstring."""

from hardware.twin.pn532.hsu import HsuPort
from hardware.twin.pn532.i2c import CALM, HARSH, I2cHabits, I2cPort
from hardware.twin.pn532.spi import SpiPort

__all__ = ["CALM", "HARSH", "HsuPort", "I2cHabits", "I2cPort", "SpiPort"]
