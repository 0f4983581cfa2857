"""`schiri box bringup`, `certify` and `report`: a new box proved part by part, then beside its
twin; what a first bench found, in one file to send.
"""

import json
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, TypedDict

import click

from hardware.twin.harness import NORTH, SOUTH, Modules, ScreenModule
from hardware.twin.session import ENGINES, TwinSession
from host_tools.box.bringup import diagnosis, first_bench, measuring, report
from host_tools.box.bringup.faults import revisions, right
from host_tools.box.bringup.signs import NOBODY
from host_tools.box.link import BoxLink, LinkLost, open_link
from host_tools.cards.keys import load_keys
from host_tools.commands.options import JSON, PORT, echo_json, prints
from host_tools.core.command_line import FILE, asked_language, command, named, output_option
from host_tools.core.errors import Exit, UserError, in_words, pattern
from host_tools.core.json_types import Json
from host_tools.core.own_files import read_input, written_below
from host_tools.core.texts import BRINGUP, ORIGINAL
from host_tools.sim.demo.usb import TwinPort

SCREENS = {"both": (SOUTH, NORTH), "south": (SOUTH,), "north": (NORTH,)}
LISTED = ScreenModule("sh1106")  # or ssd1306: hardware/rev*/bom.csv allows either
BOOT_MS = 5_000


class Reading(TypedDict):
    """One of the printed page; `value` and `right` are null for one that was not made."""

    id: str
    reading: str
    unit: str
    expected: str
    value: float | None
    right: bool | None


class BenchReport(TypedDict):
    """`holds`: the names in the file to send."""

    file: str
    holds: list[str]
    measurements: list[Reading]


class Beside(TypedDict):
    """A figure of the twin beside that of the box."""

    # null in either: only the other has such a figure
    twin: float | str | None
    box: float | str | None


class Terminal:
    """The builder at a terminal; answers may come from a pipe."""

    def __init__(self, language: str, quiet: bool) -> None:
        self._words = BRINGUP[language]
        self._quiet = quiet

    def say(self, key: str, **values: object) -> None:
        if not self._quiet:
            click.echo(self._words[key].format(**values))

    def resists(self) -> bool | None:
        return self._yes("ask_short")

    def apart(self) -> bool | None:
        return self._yes("ask_apart")

    def window(self, name: str) -> tuple[str, int | None]:
        # Enter alone: no number is to be seen
        number = self._ask("ask_window", name=name)
        if not number:
            return "dark", None
        if not self._yes("ask_whole", name=name):
            # as by two columns, if the controller is taken for the other one
            return "shifted", None
        return "whole", int(number) if number.isdecimal() else None

    def press(self, button: str) -> None:
        # stdout is the report, with --json a document: what is asked goes to stderr
        click.echo(self._words["ask_press"].format(button=button), err=True)

    def hears(self) -> bool | None:
        return self._yes("ask_tone")

    def holds(self, mm: int) -> bool:
        return bool(self._yes("ask_card", mm=mm))

    def wait(self) -> None:
        time.sleep(0.2)

    def _ask(self, key: str, **values: object) -> str:
        question = self._words[key].format(**values)
        answer: str = click.prompt(question, default="", show_default=False, err=True)
        return answer.strip()

    def _yes(self, key: str, **values: object) -> bool | None:
        """None: somebody does not know (?). Enter alone is no answer."""
        yes, no = self._words["yes"], self._words["no"]
        while True:
            answer = self._ask(key, **values).lower()
            if answer == "?":
                return None
            for word in (yes, no):
                # every word begins with an empty answer
                if answer and word.startswith(answer):
                    return word == yes
            click.echo(f"{yes} / {no} / ?", err=True)


@command()
@PORT
@click.option(
    "--revision",
    type=click.Choice(revisions()),
    default="rev1",
    show_default=True,
    help="How the box is wired: docs/bringup.md.",
)
@click.option(
    "--screens", type=click.Choice(list(SCREENS)), default="both", help="Those built in."
)
@click.option(
    "--report",
    "path",
    type=FILE,
    default=Path("bringup.json"),
    help="Where the report goes; a page to read lies beside it.",
)
@JSON
@prints(Json)
def bringup(port: str, revision: str, screens: str, path: Path, as_json: bool) -> None:
    """Go through a new box part by part; exit code 1 if a wire or a part is wrong.

    Presses, pictures, tones and a tag need you: it asks. The report can be attached to an issue.

    schiri box bringup --port /dev/ttyACM0
    """
    lang, names = asked_language(), SCREENS[screens]
    hello, findings = _measured(port, Terminal(lang, as_json), names)
    found = diagnosis.diagnose(findings.signs, revision, diagnosis.modules_of(names, LISTED))
    said = report.sentences(found, findings.signs, lang)
    # `sealing`, not `current`, which demands a key: a new bench may have none
    signed = report.sign(report.make_report(hello, revision, findings, found), load_keys().sealing)
    with written_below(path):
        page = report.write_report(path, signed, said, lang)
    if as_json:
        echo_json(signed)
    else:
        for line in said:
            click.echo(line)
        click.echo(BRINGUP[lang]["report"].format(path=path, page=page))
    # last: with a fault the report is what helps
    if not found.is_good:
        raise UserError(
            "first_fault", Exit.CHECK, detail=report.headline(found, findings.signs, lang)
        )


def _measured(
    port: str, builder: Terminal, names: tuple[str, ...]
) -> tuple[dict[str, Any], measuring.Findings]:
    """What the box says of itself and what was found; a box that is silent is a sign, too."""
    with closing(open_link(port)) as link:
        try:
            hello = link.hello()
        except LinkLost:
            return {}, measuring.Findings({"alive": False})
        hello["public"] = link.request("key_public")["public"]
        return hello, measuring.measure(link, builder, names)


@command()
@PORT
@click.option(
    "--engine",
    type=click.Choice(sorted(ENGINES)),
    default="cpython",
    help="What runs the twin's firmware.",
)
@JSON
@prints(dict[str, Beside])
def certify(port: str, engine: str, as_json: bool) -> None:
    """Measure a box and its twin in the same way, and print them side by side.

    The twin gets the screens that the box has found. Where they differ our model may be wrong:
    please send us what this prints; schiri box report packs it.

    schiri box certify --port /dev/ttyACM0
    """
    with closing(open_link(port)) as link:
        link.hello()
        screens = measuring.kinds(link.request("bringup", part="screens"))
        metal = measuring.figures(link)
    twin = _figures_of_twin(engine, screens)
    rows = [(name, twin.get(name), metal.get(name)) for name in {**twin, **metal}]
    if as_json:
        echo_json({name: {"twin": one, "box": two} for name, one, two in rows})
        return
    words = BRINGUP[asked_language()]
    heads = (words["certify_head"], words["certify_twin"], words["certify_box"])
    named = [(row_name(name, words), one, two) for name, one, two in rows]
    for name, one, two in (heads, *named):
        click.echo(f"{name:<48} {_shown(one):>10} {_shown(two):>10}")


def row_name(name: str, words: Mapping[str, str]) -> str:
    """A figure as people call it; in data it has its English name. Pins are called alike."""
    for key, english in BRINGUP[ORIGINAL].items():
        if key.startswith("row_") and (found := pattern(english).fullmatch(name)):
            return words[key].format(**found.groupdict())
    return name


def _shown(value: object) -> str:
    return "-" if value is None else str(value)


def _figures_of_twin(engine: str, screens: dict[str, tuple[int, str]]) -> dict[str, float | str]:
    """Of a twin with these screens; without any it would show nothing, and gets one."""
    there = {
        name: ScreenModule(kind, address)
        for name, (address, kind) in screens.items()
        if (address, kind) != NOBODY
    }
    modules = Modules(south=there.get(SOUTH), north=there.get(NORTH)) if there else Modules()
    harness, number = right("rev1", modules), 0 if modules.south else 1
    with (
        tempfile.TemporaryDirectory(prefix="schiri-twin-") as folder,
        TwinSession(engine, Path(folder), harness=harness) as box,
    ):
        box.boot()
        if not box.run_until(lambda: not box.screen(number).dark, BOOT_MS):
            raise UserError("twin_no_picture", Exit.CHECK)
        # not random: a run of the twin repeats itself to the byte
        return measuring.figures(BoxLink(TwinPort(box), first_id=1))


BRINGUP_FILE, CERTIFY_FILE = Path("bringup.json"), Path("certify.json")


@command("report")
@click.option(
    "--bringup", "bringup_file", type=FILE, help="Report of bringup; default bringup.json."
)
@click.option(
    "--certify",
    "certify_file",
    type=FILE,
    help="What certify --json printed; default certify.json.",
)
@click.option(
    "--measured",
    multiple=True,
    metavar="NAME=VALUE",
    help="A reading of the printed page; without one, each is asked for.",
)
@click.option(
    "--photo",
    "photos",
    multiple=True,
    metavar="PLACE=FILE",
    help="A picture for one of: " + ", ".join(first_bench.photo_places()) + ".",
)
@output_option("The file to send.", "schiri-bench.zip")
@JSON
@prints(BenchReport)
def bench_report(
    bringup_file: Path | None,
    certify_file: Path | None,
    measured: tuple[str, ...],
    photos: tuple[str, ...],
    output: Path,
    as_json: bool,
) -> None:
    """Pack bring-up, certify, the twelve measurements and photos into one file to send us.

    It holds nothing of you: no name, no key, no place or time of a picture. Look into it: it is a
    zip with report.json and the photos. What you leave out stays out.

    schiri box report --measured supply.3V3=3.31 --measured usb.VBUS=5.02 --photo wiring=box.jpg
    """
    lang = asked_language()
    words = BRINGUP[lang]
    # before readings are asked for: a wrong place or file would have them typed again
    pictures = named("--photo", map(_photo, photos))
    packed = first_bench.bare(pictures)
    bringup = _read(bringup_file, BRINGUP_FILE)
    certify = _read(certify_file, CERTIFY_FILE)
    values = named("--measured", map(first_bench.reading, measured)) if measured else _asked(lang)
    files = first_bench.pack(output, values, bringup, certify, packed)
    rows = first_bench.judged(values)
    if as_json:
        echo_json({"file": str(output), "holds": files, "measurements": rows})
        return
    for line in _lines(rows, lang):
        click.echo(line)
    for key, given in (("without_bringup", bringup), ("without_certify", certify)):
        if given is None:
            click.echo(words[key])
    for place, what in first_bench.photo_places().items():
        if place not in pictures:
            click.echo(words["photo_wanted"].format(place=place, what=what[lang]))
    click.echo(words["bench_written"].format(path=output))


def _asked(lang: str) -> dict[str, float]:
    """Each reading from the page; Enter leaves it out."""
    words, values = BRINGUP[lang], {}
    for one in first_bench.measurements():
        title, red, black = (one.said[name][lang] for name in ("title", "red", "black"))
        click.echo(words["bench_step"].format(title=title, red=red, black=black), err=True)
        for label in one.readings:
            given = f"{one.id}.{label} [{one.unit}, {one.span()}]"
            value = _one(given, f"{one.id}.{label}", lang)
            if value is not None:
                values[f"{one.id}.{label}"] = value
    return values


def _one(given: str, name: str, lang: str) -> float | None:
    while True:
        answer = click.prompt(given, default="", show_default=False, err=True).strip()
        if not answer:
            return None
        try:
            return first_bench.reading(f"{name}={answer}")[1]
        # asked again: the readings before it stay
        except UserError as error:
            click.echo(in_words(error.sentence, lang), err=True)


def _lines(rows: list[dict[str, Any]], lang: str) -> list[str]:
    """What is not right, with what to do; how many were made."""
    words = BRINGUP[lang]
    otherwise = {one.id: one.said["otherwise"][lang] for one in first_bench.measurements()}
    made = [row for row in rows if row["value"] is not None]
    lines = [words["bench_made"].format(made=len(made), of=len(rows))]
    for row in made:
        if not row["right"]:
            name = f"{row['id']}.{row['reading']}"
            found = {"value": f"{row['value']:g}", "unit": row["unit"], "wanted": row["expected"]}
            lines.append(words["bench_amiss"].format(name=name, **found))
            lines.append(otherwise[row["id"]])
    return lines


def _read(path: Path | None, usual: Path) -> dict[str, Any] | None:
    """None without such a file; one that was asked for by name must be there."""
    if path is None and not usual.exists():
        return None
    path = path or usual
    try:
        found = json.loads(read_input(path))
    except ValueError as error:
        raise UserError("no_bench_report", path=path) from error
    if not isinstance(found, dict):
        raise UserError("no_bench_report", path=path)
    return found


def _photo(given: str) -> tuple[str, Path]:
    place, _, name = given.partition("=")
    known = first_bench.photo_places()
    if place not in known:
        raise UserError("no_photo_place", name=place, known=", ".join(known))
    return place, Path(name)
