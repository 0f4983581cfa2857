"""Sizes of cards and sheets, which the command line names before anything is drawn."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CardSize:
    """Of a card, in millimetres."""

    width: float
    height: float


SIZES = {
    "large": CardSize(62, 100),  # eight on a sheet of A4
    # 2 1/4 x 3 1/2 inches: narrower than the other usual format, poker's 2 1/2 x 3 1/2
    "bridge": CardSize(57.15, 88.9),
    "tile": CardSize(45, 45),
    "badge": CardSize(85.6, 53.98),  # ID-1, ISO/IEC 7810: as a bank card
}
PAPERS = {"a4": CardSize(210, 297), "letter": CardSize(215.9, 279.4)}
FLIPS = ("long", "short")
