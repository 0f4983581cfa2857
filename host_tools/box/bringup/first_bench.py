"""The first bench of a box: twelve measurements, photos, bring-up and certify in one file.

first_bench.toml says what is measured and what is right; the printed page reads it, too. Nothing
of a person is packed: of a picture only its pixels, of a bring-up neither its key nor its seal.
"""

import io
import json
import math
import tomllib
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from host_tools.core.errors import UserError
from host_tools.core.own_files import read_input, write_output

FORMAT = 1
PICTURES = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png"}
_TABLE = Path(__file__).with_name("first_bench.toml")
_PERSONAL = ("key", "hmac", "sha256")  # a league's name, and what no longer fits without it
# the earliest that a zip can hold
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Measurement:
    """One of the twelve. `low` and `high` bound each of its readings; None: no bound."""

    id: str
    unit: str
    readings: tuple[str, ...]
    low: float | None
    high: float | None
    said: Mapping[str, Mapping[str, str]]

    def is_right(self, value: float) -> bool:
        """Is a reading within the bounds, both included?"""
        above = self.low is None or value >= self.low
        return above and (self.high is None or value <= self.high)

    def span(self) -> str:
        """The bounds as people write them."""
        if self.low is None:
            return f"<= {self.high:g}"
        return f">= {self.low:g}" if self.high is None else f"{self.low:g} .. {self.high:g}"


@cache
def measurements() -> tuple[Measurement, ...]:
    """All twelve, in the order in which they are made."""
    return tuple(
        Measurement(
            row["id"], row["unit"], tuple(row["readings"]), row.get("low"), row.get("high"),
            {name: row[name] for name in ("title", "red", "black", "otherwise")},
        )
        for row in _read()["measurement"]
    )  # fmt: skip


@cache
def photo_places() -> dict[str, Mapping[str, str]]:
    """What is to be photographed: place -> language -> what is to be seen."""
    return {row["id"]: row["what"] for row in _read()["photo"]}


@cache
def _read() -> dict[str, Any]:
    return tomllib.loads(_TABLE.read_text(encoding="utf8"))


def reading(given: str) -> tuple[str, float]:
    """`short.3V3-GND=5600` as its name and value. UserError: no such reading, or no number."""
    name, _, value = given.partition("=")
    if name not in names():
        raise UserError("no_reading", name=name, known=", ".join(names()))
    try:
        # a decimal comma, as Germans type it
        number = float(value.strip().replace(",", "."))
    except ValueError as error:
        raise UserError("reading_no_number", name=name, value=value) from error
    if not math.isfinite(number):  # JSON has no such numbers
        raise UserError("reading_no_number", name=name, value=value)
    return name, number


def names() -> list[str]:
    """Of every reading: `<measurement>.<reading>`."""
    return [f"{one.id}.{label}" for one in measurements() for label in one.readings]


def judged(values: Mapping[str, float]) -> list[dict[str, Any]]:
    """Each reading as a row; `value` and `right` are null for one that was not made."""
    rows = []
    for one in measurements():
        for label in one.readings:
            value = values.get(f"{one.id}.{label}")
            right = None if value is None else one.is_right(value)
            row = {"id": one.id, "reading": label, "unit": one.unit, "expected": one.span()}
            rows.append({**row, "value": value, "right": right})
    return rows


class Photo(NamedTuple):
    """A picture for the zip, without what is of a person; `name`: the one that it has in there."""

    name: str
    data: bytes


def pack(
    path: Path,
    values: Mapping[str, float],
    bringup: Mapping[str, Any] | None,
    certify: Mapping[str, Any] | None,
    photos: Mapping[str, Photo],
) -> list[str]:
    """Write the zip; the names in it. `photos`: by their places. Raises UserError."""
    rows = judged(values)
    given = {place: photo.name for place, photo in photos.items()}
    report = {
        "schiri_first_bench": FORMAT,
        "measurements": rows,
        "bringup": _without_person(bringup),
        "certify": certify,
        "photos": {place: given.get(place) for place in photo_places()},
    }
    files = {"report.json": json.dumps(report, indent=1, ensure_ascii=False).encode()}
    files |= {photo.name: photo.data for photo in photos.values()}
    write_output(path, _zipped(files.items()))
    return list(files)


def bare(photos: Mapping[str, Path]) -> dict[str, Photo]:
    """The pictures by their places. Raises UserError for a file that is none."""
    return {
        place: Photo(f"photos/{place}{path.suffix.lower()}", _bare(path))
        for place, path in sorted(photos.items())
    }


def _without_person(bringup: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if bringup is None:
        return None
    return {name: value for name, value in bringup.items() if name not in _PERSONAL}


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """The same bytes whenever it is made: no time of this computer in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), data)
    return packed.getvalue()


def _bare(path: Path) -> bytes:
    """A picture without place, time, camera and thumbnail. Raises UserError for any other file."""
    data = read_input(path)
    kind = PICTURES.get(path.suffix.lower())
    if kind == "jpeg" and data.startswith(b"\xff\xd8"):
        return _bare_jpeg(data, path)
    if kind == "png" and data.startswith(b"\x89PNG\r\n\x1a\n"):
        return _bare_png(data, path)
    raise UserError("no_picture", path=path)


def _bare_jpeg(data: bytes, path: Path) -> bytes:
    """Without its APP1 to APP15 and comments (ITU-T T.81, B.2.4); pixels begin at SOS."""
    kept, at = [data[:2]], 2
    while data[at : at + 1] == b"\xff" and at + 4 <= len(data):
        kind, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xDA:
            end = data.rfind(b"\xff\xd9")  # phones put a second picture behind the first one
            # within a scan 0xFF is always stuffed (T.81, B.1.1.5), so this is its end
            first = data.find(b"\xff\xd9", at)
            return b"".join(kept) + data[at : (first if first > 0 else end) + 2]
        # 0xE1 to 0xEF: APP1, where Exif has the place, to APP15; 0xFE: a comment
        if not (0xE1 <= kind <= 0xEF or kind == 0xFE):
            kept.append(data[at : at + 2 + size])
        at += 2 + size
    raise UserError("no_picture", path=path)


def _bare_png(data: bytes, path: Path) -> bytes:
    """Only the chunks that make the picture (PNG, third edition, section 11.2 and 11.3.1)."""
    kept, at = [data[:8]], 8
    while at + 12 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if kind in (b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS"):
            kept.append(data[at : at + 12 + size])
        if kind == b"IEND":
            return b"".join(kept)
        at += 12 + size
    raise UserError("no_picture", path=path)
