"""The picture at the top of the README, in its two languages: the closed box as OpenSCAD draws it,
its screens lit with what the firmware draws, and one of them as large as a reader needs it.

    python -m hardware.case.lit
"""

import hashlib
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage  # type: ignore[import-untyped]  # no types

from hardware.case.stamp import copy_stamped
from hardware.revision import REV1, ROOT

CASE = REV1.pictures / "case_closed.png"
SCREENS = ROOT / "docs/screens"
TARGETS = {"en": ROOT / "docs/box.png", "de": ROOT / "docs/box.de.png"}
GLASS = (117, 193, 241)  # what schiri.scad paints the lit part of a screen with
NEAR = 30  # of a colour, in each channel: shading
LIT, DARK = (200, 232, 255), (9, 13, 22)
INSET = (60, 760)
FINE = 4  # dots are drawn so many times finer, then shrunk
Corners = tuple[tuple[float, float], ...]


def _screen(language: str) -> Path:
    return SCREENS / language / "trumpf_won.png"


def digest(language: str) -> str:
    """A fingerprint of the two pictures."""
    return hashlib.sha256(CASE.read_bytes() + _screen(language).read_bytes()).hexdigest()[:16]


def compose(language: str) -> Image.Image:
    """Both screens show the same, each for its side of the table."""
    case = Image.open(CASE).convert("RGB")
    shown = Image.open(_screen(language)).convert("L")
    glass = (np.abs(np.asarray(case, dtype=int) - GLASS) < NEAR).all(axis=2)
    labels, _ = ndimage.label(glass)
    sizes = np.bincount(labels.ravel())[1:]
    for label in np.argsort(sizes)[-2:] + 1:
        mask = labels == label
        rows, _ = np.nonzero(mask)
        far = rows.mean() < case.height * 0.4  # the north player's, who sits opposite
        _light(case, mask, shown.rotate(180) if far else shown)
    case.paste(Image.new("RGB", (shown.width + 16, shown.height + 16), DARK), INSET)
    case.paste(_glowing(shown), (INSET[0] + 8, INSET[1] + 8))
    return case


def _glowing(shown: Image.Image) -> Image.Image:
    """White as the light of the screen, black as its dark glass."""
    lit, dark = (Image.new("RGB", shown.size, colour) for colour in (LIT, DARK))
    return Image.composite(lit, dark, shown)


def _light(case: Image.Image, mask: "np.ndarray", shown: Image.Image) -> None:
    """Lay a screen's picture over the glass that `mask` marks."""
    rows, columns = np.nonzero(mask)
    spots = np.stack([columns, rows], axis=1).astype(float)
    # seen from this camera: the left end of the screen is low, its top is high
    corners = tuple(
        tuple(spots[index])
        for index in (rows.argmin(), columns.argmax(), rows.argmax(), columns.argmin())
    )
    fine = shown.resize((shown.width * FINE, shown.height * FINE), Image.Resampling.NEAREST)
    size = (case.width * 2, case.height * 2)
    doubled = tuple((2 * x, 2 * y) for x, y in corners)
    laid = fine.transform(
        size, Image.Transform.PERSPECTIVE, _onto(doubled, fine.size), Image.Resampling.BILINEAR
    )
    laid = laid.resize(case.size, Image.Resampling.BOX)
    case.paste(_glowing(laid), mask=Image.fromarray(mask))


def _onto(corners: Corners, size: tuple[int, int]) -> list[float]:
    """Pillow's eight coefficients: from the corners (top left, then clockwise) to a picture."""
    width, height = size
    lines, wanted = [], []
    for (x, y), (u, v) in zip(
        corners, ((0, 0), (width, 0), (width, height), (0, height)), strict=True
    ):
        lines += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    return [float(one) for one in np.linalg.solve(lines, wanted)]


def main() -> None:
    """Write both."""
    with tempfile.TemporaryDirectory() as folder:
        for language, target in TARGETS.items():
            drawn = Path(folder) / target.name
            compose(language).save(drawn)
            copy_stamped(drawn, target, digest(language))


if __name__ == "__main__":
    main()
