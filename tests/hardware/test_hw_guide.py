"""The build guide: pictures and tables fresh, both languages alike, nothing promised falsely."""

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware import bom, build, guide, wire_steps, wiring
from hardware.board_file import read_board
from hardware.carrier import made
from hardware.case import dimensions, lit, openscad, stamp
from hardware.guide import Facts
from hardware.revision import REV1, REV2, REVISIONS, ROOT, Revision
from host_tools.commands.box import PARTS

LANGUAGES = sorted(guide.NAMES)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
ANCHOR = re.compile(r"\]\(([^)#]*)#([^)]+)\)")


BY_HAND = {"reader.svg", "range.svg", "sticker.svg"}  # nothing in them follows from numbers
BOTH = pytest.mark.parametrize("revision", REVISIONS, ids=lambda revision: revision.name)


def text_of(language: str, revision: Revision = REV1) -> str:
    return (revision.folder / guide.NAMES[language]).read_text(encoding="utf8")


# --- tables ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_is_fresh(language: str, known: Facts) -> None:
    """Words from guide.md, tables from the data."""
    written = guide.write(language, known, REV1.folder)
    assert written == text_of(language), "run `make hardware`"


def test_a_block_without_its_german_twin_is_refused() -> None:
    one = "<!-- both -->\n# A\n\n<!-- en -->\nyes\n<!-- de -->\nja\n"
    assert guide.split(one, "en") == f"# A\n\n{guide._NOTE}\n\nyes\n"
    assert guide.split(one, "de") == f"# A\n\n{guide._NOTE}\n\nja\n"
    with pytest.raises(ValueError, match="followed by the same one in German"):
        guide.split(one.replace("<!-- de -->\nja\n", ""), "en")


def test_a_table_by_hand(known: Facts) -> None:
    """Battery 7.4 Wh x 0.9 at (40 + 40 + 0.5 + 110) mA x 3.3 V / 0.85: 9.00 h."""
    row = next(line for line in text_of("en").splitlines() if line.startswith("| LiPo 2000 mAh"))
    assert row.split("|")[2].strip() == "9 h"


# --- pictures ----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_leads_to_a_file(language: str, revision: Revision) -> None:
    for target in LINK.findall(text_of(language, revision)):
        if not target.startswith("http"):
            assert (revision.folder / target).exists(), target


def anchor_of(heading: str) -> str:
    """As the forge makes it: small letters, no marks, dashes for blanks."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


@BOTH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_to_a_heading_finds_it(language: str, revision: Revision) -> None:
    for file, anchor in ANCHOR.findall(text_of(language, revision)):
        path = revision.folder / (file or guide.NAMES[language])
        headings = re.findall(r"^#+ (.*)", path.read_text(encoding="utf8"), re.MULTILINE)
        assert anchor in map(anchor_of, headings), (file, anchor)


@BOTH
def test_every_picture_is_made_by_make_hardware_and_shown(revision: Revision) -> None:
    made = {*build.sketches(revision), "wiring.svg"}
    made |= {f"{view.name}.png" for view in openscad.views(revision)}
    made |= {"board_top.png", "board_bottom.png"} if revision == REV2 else BY_HAND
    assert {path.name for path in revision.pictures.iterdir()} == made
    for language in LANGUAGES:
        text = text_of(language, revision)
        assert made <= {Path(target).name for target in LINK.findall(text)}
        for words, target in PICTURE.findall(text):
            assert target.startswith(("pictures/", "../../docs/screens/"))
            assert words, f"{target} has no words for those who cannot see it"


@BOTH
def test_sketches_are_fresh(revision: Revision) -> None:
    for name, content in build.sketches(revision).items():
        assert (revision.pictures / name).read_bytes() == content, f"{name}: run `make hardware`"
        ElementTree.fromstring(content)


@BOTH
def test_pictures_of_the_case_are_of_this_case(revision: Revision) -> None:
    for view in openscad.views(revision):
        stamped = stamp.read_stamp(revision.pictures / f"{view.name}.png")
        assert stamped == openscad.digest(view, revision), f"{view.name}: run `make hardware`"


@pytest.mark.parametrize(("language", "readme"), [("en", "README.md"), ("de", "README.de.md")])
def test_the_box_of_the_readme_is_this_one_with_this_screen(language: str, readme: str) -> None:
    picture = lit.TARGETS[language]
    assert stamp.read_stamp(picture) == lit.digest(language), "run `make screens`"
    text = (lit.ROOT / readme).read_text("utf8")
    assert "![" in text.partition(f"(docs/{picture.name})")[0]


@BOTH
def test_each_wire_is_new_in_one_picture_and_grey_in_all_later_ones(revision: Revision) -> None:
    """Counted in the pictures: a new wire is two strokes, an earlier one is grey."""
    harness = wiring.load_wiring(revision.wiring)
    earlier = 0
    for cable in dict.fromkeys(harness.cables):
        picture = build.sketches(revision)[f"wires_{cable}.svg"].decode()
        new = harness.cables.count(cable)
        assert picture.count('stroke-width="1.5"') == picture.count('stroke-width="2.1"') == new
        assert picture.count('stroke="#c9c9c9"') == earlier
        earlier += new
    assert earlier == len(harness.wires)


def test_each_part_of_the_board_is_soldered_in_one_step() -> None:
    board = made.load_made()
    parts = sorted(ref for ref in board.parts if ref[0] != "H" and ref[:2] != "TP")
    assert sorted(ref for _, refs in wire_steps.SOLDER for ref in refs.split()) == parts
    backs = {ref: part.back for ref, part in board.parts.items()}
    for side, refs in wire_steps.SOLDER:
        assert {backs[ref] for ref in refs.split()} == {side == "bottom"}


def test_the_bench_leaves_out_the_pad_that_is_soldered_later() -> None:
    """7.2 solders RSTPD_N, the bench is step 4: its pin is drawn, and no wire in grey to it."""
    drawn = build.sketches(REV1)["breadboard.svg"].decode()
    harness = wiring.load_wiring(REV1.wiring)
    of_reader = [
        (wire, colour)
        for wire, colour in zip(harness.wires, harness.colours, strict=True)
        if "RSTPD_N" in [end.label for end in wire]
    ]
    assert len(of_reader) == 1
    assert wire_steps.COLOURS[of_reader[0][1]] not in drawn


def test_both_revisions_are_added_up(known: Facts) -> None:
    """The sums of the lists again, in cents, from the raw files."""
    table = guide.TABLES["totals"]("en", known)
    for column, revision in enumerate(REVISIONS, start=2):
        with revision.bom.open(encoding="utf8", newline="") as file:
            rows = list(csv.DictReader(file))
        spans = [
            sum(round(float(row[name]) * 100) * int(row["quantity"]) for row in rows) / 100
            for name in ("low_eur", "high_eur")
        ]
        line = next(line for line in table.splitlines() if line.startswith("| all of it"))
        assert line.split(" | ")[column - 1].strip(" |") == f"{spans[0]:.0f} – {spans[1]:.0f}"


def test_the_sketch_of_the_pico_follows_the_board_file() -> None:
    """GP7 is pin 10; its signal is the reader's reset."""
    words = [e.text for e in ElementTree.fromstring(build.sketches()["pico.svg"]).iter()]
    for name, gp in read_board().signals().items():
        assert f"GP{gp}  {name}" in words


def test_switch_places_in_the_text_are_those_of_the_dimensions() -> None:
    """The text counts holes from 1, the file from 0."""
    strip = dimensions.load()["strip"]
    holes = [int(strip[name]) + 1 for name in ("ok", "down", "up", "jury")]
    assert "holes {}, {}, {} and {} from the south end".format(*holes) in text_of("en")
    assert "Löchern {}, {}, {} und {} vom Südende".format(*holes) in text_of("de")
    buzzer = int(strip["buzzer"]) + 1
    assert re.search(rf"buzzer on hole {buzzer}\b", text_of("en"))
    assert re.search(rf"Summer\s+auf Loch {buzzer}\b", text_of("de"))


# --- words -------------------------------------------------------------------------------------


def shape(text: str) -> list[str]:
    """Headings' numbers, pictures, tables and code, in order: what two languages must share."""
    rough = re.sub(r"docs/screens/\w+/", "docs/screens/", text)
    rough = re.sub(r"!\[[^\]]*\]", "!", rough)
    marks = r"^#+ [\d.]*|^```.*?^```|!\([^)]+\)|<!-- table \w+"
    return re.findall(marks, rough, re.MULTILINE | re.DOTALL)


@BOTH
def test_both_languages_have_the_same_steps(revision: Revision) -> None:
    texts = [text_of(language, revision) for language in LANGUAGES]
    assert shape(texts[0]) == shape(texts[1])
    rows = [len(re.findall(r"^\|", text, re.M)) for text in texts]
    assert rows[0] == rows[1]
    steps = [re.findall(r"^(\d)\. ", text, re.M) for text in texts]
    assert steps[0] == steps[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_self_test_prints_what_the_guide_shows(language: str) -> None:
    good = "\n".join(f"{part:<8} good" for part in PARTS)
    dead = {"reader": "FAILS", "reset": "not tested"}
    bad = "\n".join(f"{part:<8} {dead.get(part, 'good')}" for part in PARTS)
    assert good in text_of(language)
    assert bad in text_of(language)
    for part in PARTS:
        assert f"| `{part}` |" in text_of(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_screen_of_the_list_gets_its_driver(language: str) -> None:
    """The box finds it; a module that says the wrong thing is told by a setting."""
    row = next(row for row in bom.load_bom() if row.id == "screen")
    listed = [chip for chip in bom.CONTROLLERS if chip in row.variant]
    assert listed
    for chip in listed:
        assert chip in text_of(language)
    assert "`schiri box set --screen sh1106`" in text_of(language)


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Nobody has built this box yet."), ("de", "Diese Box hat noch niemand gebaut.")],
)
def test_the_guide_says_that_nobody_has_built_it(language: str, said: str) -> None:
    assert said in text_of(language)[:900]


# --- make hardware, as a person would meet it --------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what `make hardware` reads."""
    shutil.copytree(
        ROOT / "hardware",
        tmp_path / "hardware",
        ignore=shutil.ignore_patterns("twin", "__pycache__"),
    )
    for name in (
        "boards/pico.py",
        "boards/carrier.py",
        "boards/north_screen.py",
        "drivers/reader.py",
    ):
        copy = tmp_path / "firmware" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "firmware" / name, copy)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "firmware/boards/pico.py",
            "READER_RESET = const(7)",
            "READER_RESET = const(9)",
            "does not fit: the firmware has the reader reset on GP9, but wiring.yml does not lead "
            "GP9 to RSTPD_N of READER.",
        ),
        (
            "hardware/rev1/bom.csv",
            "35.4 x 33.5",
            "27.3 x 27.8",
            "does not fit: bom.csv buys a 1.3 inch OLED of 27.3 x 27.8 mm, but the case has room "
            "for 35.4 x 33.5 mm ([screen]).",
        ),
        pytest.param(
            "hardware/rev1/case/dimensions.toml",
            "lid = 3.2",
            "lid = 2.5",
            "does not fit: the lid is 0.5 mm thin under the card.",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "hardware/rev1/case/dimensions.toml",
            "lid = 3.2",
            'lid = "thick"',
            "does not fit: dimensions.toml: case.lid must be a number, not 'thick'",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "hardware/rev1/case/dimensions.toml",
            "lid = 3.2",
            "",
            "does not fit: 'lid' is missing in dimensions.toml, parts.toml, wiring.yml, bom.csv "
            "or pico.py.",
            marks=pytest.mark.long,
        ),
    ],
)
def test_one_change_breaks_make_hardware_with_a_sentence(
    project: Path, file: str, old: str, new: str, said: str
) -> None:
    path = project / file
    source = path.read_text(encoding="utf8")
    assert source.count(old) == 1
    path.write_text(source.replace(old, new), encoding="utf8")
    done = subprocess.run(
        [sys.executable, "-m", "hardware.build"], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert said in done.stderr.splitlines()
    assert "Traceback" not in done.stderr


def test_make_hardware_without_openscad_is_one_sentence(project: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hardware.build"],
        cwd=project,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert done.stderr == (
        "openscad is missing; it builds the case. On Debian or Ubuntu: sudo make system\n"
    )
