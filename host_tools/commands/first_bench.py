"""`schiri box report`: what a first bench found, in one file to send."""

import json
from pathlib import Path
from typing import Any

import click

from host_tools.box.bringup import first_bench
from host_tools.commands.options import echo_json
from host_tools.core.command_line import json_option, lang_option, named, output_option
from host_tools.core.errors import UserError, in_words
from host_tools.core.own_files import read_input
from host_tools.core.texts import BRINGUP

BRINGUP_FILE, CERTIFY_FILE = Path("bringup.json"), Path("certify.json")
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("report")
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
@json_option("Print the readings, judged, as data.")
@lang_option("Language; default from the locale.")
def bench_report(
    bringup_file: Path | None,
    certify_file: Path | None,
    measured: tuple[str, ...],
    photos: tuple[str, ...],
    output: Path,
    as_json: bool,
    lang: str,
) -> None:
    """Pack bring-up, certify, the twelve measurements and photos into one file to send us.

    It holds nothing of you: no name, no key, no place or time of a picture. Look into it: it is a
    zip with report.json and the photos. What you leave out stays out.

    schiri box report --measured supply.3V3=3.31 --measured usb.VBUS=5.02 --photo wiring=box.jpg
    """
    words = BRINGUP[lang]
    pictures = named("--photo", map(_photo, photos))
    values = named("--measured", map(first_bench.reading, measured)) if measured else _asked(lang)
    bringup = _read(bringup_file, BRINGUP_FILE)
    certify = _read(certify_file, CERTIFY_FILE)
    files = first_bench.pack(output, values, bringup, certify, pictures)
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
