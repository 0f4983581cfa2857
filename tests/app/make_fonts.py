"""Draws `firmware/app/fonts/*.py` from the pictures in `*.art`: run it after changing a picture.

    python -m tests.app.make_fonts

A test compares the result with the files in the repository.
"""

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "firmware" / "app" / "fonts"
BODY_TOP = 2  # rows above a capital: the accents of capitals
X_TOP = 2  # further rows above a small letter
MARKS = {
    "DOTS": "ÄA ÖO ÜU äa öo üu ëe ïı ÏI",
    "ACUTE": "ÁA ÉE ÍI ÓO ÚU áa ée íı óo úu śs ńn źz ćc",
    "GRAVE": "ÀA ÈE àa èe ìı òo ùu",
    "HAT": "ÂA ÊE ÎI ÔO ÛU âa êe îı ôo ûu",
    "BREVE": "ĞG ğg",
    "DOT": "İI żz",
    "TILDE": "ÑN ñn ãa õo",
    "RING": "ÅA åa ůu",
    "CARON": "ČC ŠS ŽZ čc šs žz ěe řr",
    "CEDILLA": "ÇC çc ŞS şs",
}
BENT = ("HAT", "BREVE", "CARON")  # in one row these are a bar, the others their first row
ASCII = 128
SPACES = " \xa0"  # the second one does not break a line
SPACE = 3  # columns
Picture = list[str]


def read_art(text: str) -> dict[str, Picture]:
    """Glyph name -> rows. Raises ValueError for rows of unequal width."""
    glyphs: dict[str, Picture] = {}
    names: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(("= ", "~ ")):
            names = line[2:].split(" ")
            glyphs.update((name, []) for name in names)
        elif names and line and not set(line) - set("#.|"):
            parts = line.split("|")
            if len(parts) != len(names):
                raise ValueError(f"line {number}: {len(parts)} parts for {len(names)} glyphs")
            for name, part in zip(names, parts, strict=True):
                if glyphs[name] and len(glyphs[name][0]) != len(part):
                    raise ValueError(f"line {number}: {name} changes its width")
                glyphs[name].append(part)
        elif not line:
            names = []
    return glyphs


def shifted(picture: Picture, top: int) -> Picture:
    return ["." * len(picture[0])] * top + picture


def accented(base: Picture, mark: Picture, top: int) -> Picture:
    """The letter with the mark laid over it, the mark's middle over the letter's."""
    width = max(len(base[0]), max(row.rstrip(".").__len__() for row in mark))
    height = max(len(base), top + len(mark), 9)
    rows = [list("." * width) for _ in range(height)]
    left = (width - len(base[0])) // 2
    mark_left = max(0, (width - len(mark[0])) // 2)
    for picture, from_top, from_left in ((base, 0, left), (mark, top, mark_left)):
        for y, row in enumerate(picture):
            for x, dot in enumerate(row):
                if dot == "#":
                    rows[y + from_top][x + from_left] = "#"
    return ["".join(row) for row in rows]


def small_glyphs(art: dict[str, Picture]) -> dict[str, Picture]:
    """All letters on their 11 rows, accented ones composed."""
    letters = {name: shifted(rows, BODY_TOP) for name, rows in art.items() if name not in MARKS}
    for mark, pairs in MARKS.items():
        for accented_letter, base in pairs.split(" "):
            below = mark == "CEDILLA"
            small = base.islower()
            top = BODY_TOP + 7 if below else (X_TOP - 1 if small else 0)
            picture = art[mark]
            if not below and not small:
                picture = [_merged(picture) if mark in BENT else picture[0]]
            letters[accented_letter] = accented(letters[base], picture, top)
    return letters


def _merged(mark: Picture) -> str:
    """A mark squeezed into one row: a capital has no room for two."""
    return "".join("#" if "#" in column else "." for column in zip(*mark, strict=True))


def columns(picture: Picture) -> list[int]:
    """One 16-bit number a column, bit 0 on top (MONO_VLSB)."""
    return [
        sum(1 << y for y, row in enumerate(picture) if row[x] == "#")
        for x in range(len(picture[0]))
    ]


def font_module(title: str, source: str, glyphs: dict[str, Picture], missing: str) -> str:
    """`missing`: the letter that stands for every other."""
    others = sorted(letter for letter in glyphs if ord(letter) >= ASCII)
    codes = [chr(code) for code in range(ASCII)] + others
    rows = max(len(picture) for picture in glyphs.values())
    bands = (rows + 7) // 8
    places: dict[str, int] = {}
    dots = [bytearray() for _ in range(bands)]
    for letter, picture in sorted(glyphs.items()):
        places[letter] = len(dots[0])
        for column in columns(picture):
            for band, row in enumerate(dots):
                row.append(column >> 8 * band & 0xFF)
    known = [letter if letter in glyphs else missing for letter in codes]
    pairs = [letter.encode() for letter in others if len(letter.encode()) == 2]
    tables = {
        "OTHERS": "".join(others).encode(),
        "WIDTHS": bytes(len(glyphs[letter][0]) for letter in known),
        "STARTS": b"".join(places[letter].to_bytes(2, "little") for letter in known),
        "DOTS": b"".join(dots),
    }
    return (
        f'"""{title}\n\n'
        f"Generated from {source} by tests/app/make_fonts.py: change the picture.\n\n"
        "A letter's code is its byte in ASCII, and 128 and more by its place in OTHERS (UTF-8;\n"
        "the first PAIRS of them have two bytes, the rest three); what nobody drew looks like\n"
        "MISSING. By code: WIDTHS, and STARTS, two bytes each, in each band of DOTS of 8 rows.\n"
        f'"""\n\nROWS = {rows}\nMISSING = {ord(missing)}\nPAIRS = {len(pairs)}\n'
        + "".join(lines(name, data) for name, data in tables.items())
    )


def doubled(glyphs: dict[str, Picture]) -> dict[str, Picture]:
    """Every dot as 2 x 2."""
    return {
        letter: ["".join(2 * dot for dot in row) for row in picture for _ in range(2)]
        for letter, picture in glyphs.items()
    }


def spaced(glyphs: dict[str, Picture], spaces: str = SPACES) -> dict[str, Picture]:
    """With letters that are blank."""
    return {**glyphs, **{space: [SPACE * "."] for space in spaces}}


def letters_of(font: Any) -> str:
    """The letters of a generated font that were drawn."""
    drawn = [
        chr(code)
        for code in range(ASCII)
        if code == font.MISSING or start_of(font, code) != start_of(font, font.MISSING)
    ]
    return "".join(drawn) + str(font.OTHERS.decode())


def columns_of(font: Any, letter: str) -> list[int]:
    """The columns of a letter that was drawn, the uppermost dot in bit 0."""
    code = ord(letter)
    if code >= ASCII:
        code = ASCII + font.OTHERS.decode().index(letter)
    start = start_of(font, code)
    bands = (font.ROWS + 7) // 8
    stride = len(font.DOTS) // bands
    return [
        sum(font.DOTS[at + band * stride] << 8 * band for band in range(bands))
        for at in range(start, start + font.WIDTHS[code])
    ]


def start_of(font: Any, code: int) -> int:
    """Where the dots of a code begin."""
    return int.from_bytes(font.STARTS[2 * code : 2 * code + 2], "little")


def lines(name: str, data: bytes) -> str:
    """A bytes constant in lines of 20, as ruff leaves it."""
    chunks = (
        "".join(f"\\x{byte:02x}" for byte in data[at : at + 20]) for at in range(0, len(data), 20)
    )
    if len(data) <= 20:
        return f'{name} = b"{"".join(chunks)}"\n'
    return f"{name} = (\n" + "".join(f'    b"{chunk}"\n' for chunk in chunks) + ")\n"


def icon_module(glyphs: dict[str, Picture]) -> str:
    body = "".join(
        f"{name} = (\n" + "".join(f'    b"{row}"\n' for row in icon_rows(picture)) + ")\n"
        for name, picture in sorted(glyphs.items())
    )
    return (
        '"""Pictures of 22 x 22 dots for messages, three rows of bytes each (MONO_VLSB).\n\n'
        'Generated from icons.art by tests/app/make_fonts.py: change the picture.\n"""\n\n'
        "SIZE = 22\n" + body
    )


def icon_rows(picture: Picture) -> list[str]:
    numbers = columns(picture)
    return [
        "".join(f"\\x{number >> (8 * band) & 0xFF:02x}" for number in numbers) for band in range(3)
    ]


def modules() -> dict[str, str]:
    """File name -> text, for all generated modules."""
    read = {
        name: read_art((FOLDER / name).read_text("utf8"))
        for name in ("small.art", "big.art", "icons.art")
    }
    small = spaced(small_glyphs(read["small.art"]))
    big = spaced(read["big.art"], " ")
    large = doubled(small)
    return {
        "small.py": font_module("Small letters, 11 rows.", "small.art", small, "?"),
        "big.py": font_module("Big digits, 14 rows.", "big.art", big, "+"),
        "large.py": font_module(
            "The small letters with every dot as 2 x 2.", "small.art", large, "?"
        ),
        "icons.py": icon_module(read["icons.art"]),
    }


if __name__ == "__main__":
    for file_name, text in modules().items():
        (FOLDER / file_name).write_text(text, "utf8")
