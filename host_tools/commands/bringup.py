"""`schiri box bringup` and `certify`: a new box proved part by part, and beside its twin."""

import re
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from hardware.twin.harness import NORTH, SOUTH, Modules, ScreenModule
from hardware.twin.session import ENGINES, TwinSession
from host_tools.box.bringup import diagnosis, measuring, report
from host_tools.box.bringup.faults import revisions, right
from host_tools.box.bringup.signs import NOBODY
from host_tools.box.link import BoxLink, BoxRefusal, LinkLost, open_link
from host_tools.cards.keys import LeagueKey, load_keys
from host_tools.commands.options import PORT, echo_json
from host_tools.core.command_line import json_option, lang_option
from host_tools.core.errors import Exit, UserError
from host_tools.core.own_files import written_below
from host_tools.core.texts import BRINGUP, ORIGINAL
from host_tools.sim.demo.usb import TwinPort

SCREENS = {"both": (SOUTH, NORTH), "south": (SOUTH,), "north": (NORTH,)}
LISTED = ScreenModule("sh1106")  # or ssd1306: hardware/rev*/bom.csv allows either
BOOT_MS = 5_000
LANGUAGE = lang_option("Language; default from the locale.")


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
        number = self._ask("ask_window", name=name)
        if not number:
            return "dark", None
        if not self._yes("ask_whole", name=name):
            return "shifted", None
        return "whole", int(number) if number.isdecimal() else None

    def press(self, button: str) -> None:
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
                if answer and word.startswith(answer):
                    return word == yes
            click.echo(f"{yes} / {no} / ?", err=True)


@click.command()
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
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("bringup.json"),
    help="Where the report goes; a page to read lies beside it.",
)
@json_option("Print the report and nothing else.")
@LANGUAGE
def bringup(port: str, revision: str, screens: str, path: Path, as_json: bool, lang: str) -> None:
    """Go through a new box part by part; exit code 1 if a wire or a part is wrong.

    Presses, pictures, tones and a tag need you: it asks. The report can be attached to an issue.

    schiri box bringup --port /dev/ttyACM0
    """
    names = SCREENS[screens]
    hello, findings = _measured(port, Terminal(lang, as_json), names)
    found = diagnosis.diagnose(findings.signs, revision, diagnosis.modules_of(names, LISTED))
    said = report.sentences(found, findings.signs, lang)
    signed = report.sign(report.make_report(hello, revision, findings, found), _newest_key())
    with written_below(path):
        page = report.write_report(path, signed, said, lang)
    if as_json:
        echo_json(signed)
    else:
        for line in said:
            click.echo(line)
        click.echo(BRINGUP[lang]["report"].format(path=path, page=page))
    if not found.is_good:
        raise UserError(
            "first_fault", Exit.CHECK, detail=report.headline(found, findings.signs, lang)
        )


def _measured(
    port: str, builder: Terminal, names: tuple[str, ...]
) -> tuple[dict[str, Any], measuring.Findings]:
    """What the box says of itself and what was found; a box that is silent is a sign, too."""
    link = open_link(port)
    try:
        hello = link.hello()
    except LinkLost:
        link.close()
        return {}, measuring.Findings({"alive": False})
    try:
        with suppress(BoxRefusal):  # a firmware of before keys
            hello["public"] = link.request("key_public")["public"]
        return hello, measuring.measure(link, builder, names)
    finally:
        link.close()


def _newest_key() -> LeagueKey | None:
    return load_keys().sealing


@click.command()
@PORT
@click.option(
    "--engine",
    type=click.Choice(sorted(ENGINES)),
    default="cpython",
    help="What runs the twin's firmware.",
)
@json_option("Print data.")
@LANGUAGE
def certify(port: str, engine: str, as_json: bool, lang: str) -> None:
    """Measure a box and its twin in the same way, and print them side by side.

    The twin gets the screens that the box has found. Where they differ our model may be wrong:
    please send us what this prints; schiri box report packs it.

    schiri box certify --port /dev/ttyACM0
    """
    link = open_link(port)
    try:
        link.hello()
        screens = measuring.kinds(link.request("bringup", part="screens"))
        metal = measuring.figures(link)
    finally:
        link.close()
    twin = _figures_of_twin(engine, screens)
    rows = [(name, twin.get(name), metal.get(name)) for name in {**twin, **metal}]
    if as_json:
        echo_json({name: {"twin": one, "box": two} for name, one, two in rows})
        return
    words = BRINGUP[lang]
    heads = (words["certify_head"], words["certify_twin"], words["certify_box"])
    named = [(row_name(name, words), one, two) for name, one, two in rows]
    for name, one, two in (heads, *named):
        click.echo(f"{name:<48} {_shown(one):>10} {_shown(two):>10}")


def row_name(name: str, words: Mapping[str, str]) -> str:
    """A figure as people call it; in data it has its English name. Pins are called alike."""
    for key, english in BRINGUP[ORIGINAL].items():
        if key.startswith("row_"):
            found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(english)), name)
            if found:
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
        return measuring.figures(BoxLink(TwinPort(box), first_id=1))
