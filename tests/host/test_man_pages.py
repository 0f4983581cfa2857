"""Manual pages: every command and option is in them, and roff takes them without a word."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hardware.twin.node import ROOT
from host_tools.core.errors import Exit
from host_tools.core.help_table import FRAME, read_table, texts
from tests.host.test_help import ALL
from tools import man_pages

MACROS = {"TH", "SH", "SS", "PP", "TP", "RS", "RE", "nf", "fi", "B", "BR"}


@pytest.fixture(scope="module", params=["", "de"])
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    return man_pages.pages(read_table(), "9.9.9", request.param)


def plain(page: str) -> str:
    """The text without what roff reads."""
    words = re.sub(r"^\.(?:TH|SH|SS|B|BR) ", "", page, flags=re.M)
    return words.replace("\\-", "-").replace("\\&", "").replace("\\(ga", "`").replace('"', "")


def test_every_command_and_option_is_in_its_page(pages: dict[str, str]) -> None:
    for path, context in ALL.items():
        words = path.removesuffix(" ARGS").partition(" [")[0].split()
        text = plain(pages["-".join(words[:2])])
        assert " ".join(words) in text
        for option in context.command.params:
            assert all(name in text for name in option.opts if name.startswith("-")), path


def test_the_exit_codes_are_those_of_the_table(pages: dict[str, str]) -> None:
    status = re.split(r"^\.SH EXIT.*STATUS\n", pages["schiri"], flags=re.M)[1]
    assert re.findall(r"^\.B (\d+)$", status.partition(".SH")[0], re.M) == [
        str(int(each)) for each in Exit
    ]


def test_the_pages_say_what_help_says() -> None:
    """In German not one English sentence of a help is left."""
    german = plain("".join(man_pages.pages(read_table(), "9.9.9", "de").values()))
    sentences = {text for text in texts(read_table()) if text and text not in FRAME}
    assert [text for text in sentences if text in german] == []
    assert "Beide sind am Tisch und beginnen: Niemand ist mehr verspätet (SW-7)." in german


def test_no_line_of_text_is_taken_for_a_command(pages: dict[str, str]) -> None:
    used = {macro for page in pages.values() for macro in re.findall(r"^[.'](\S*)", page, re.M)}
    assert used <= MACROS
    table = json.loads(json.dumps(read_table()))
    table["program"]["help"] = [".so /etc/passwd", "It says \\n and -- x.", "'quoted'"]
    page = man_pages.pages(table, "1")["schiri"]
    assert "\\&.so /etc/passwd" in page
    assert "It says \\en and \\-\\- x." in page
    assert "\\&'quoted'" in page


def test_roff_has_nothing_to_complain_of(tmp_path: Path) -> None:
    """By groff, where it is here: it is no package that tests need."""
    made = man_pages.write(ROOT, tmp_path, "9.9.9")
    assert len(made) == 2 * (len(read_table()["program"]["commands"]) + 1)
    if shutil.which("groff") is None:
        return
    for page in made:
        words = ["groff", "-man", "-ww", "-Tutf8", "-K", "utf8", "-z", str(page)]
        done = subprocess.run(words, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), page.name
