"""Commands that spoke only English once, called in German."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from card_tags import kinds
from card_tags.hall import Hall
from card_tags.options import Options
from host_tools.cli import schiri
from host_tools.commands.bringup import row_name
from host_tools.commands.options import ask_password, new_password
from host_tools.core.command_line import confirmed
from host_tools.core.errors import in_words
from host_tools.core.texts import BRINGUP
from host_tools.games.cafe.board_entry import enter
from host_tools.provision.items import describe
from host_tools.provision.ledger import LedgerEntry, TagLedger


def called(*words: str, typed: str = "") -> str:
    done = CliRunner().invoke(schiri, ["--lang", "de", *words], input=typed)
    assert done.exception is None, done.output
    return done.output


def test_a_simulated_day_and_its_tree(tmp_path: Path) -> None:
    db = str(tmp_path / "day.db")
    told = called("tournament", "simulate", "--players", "8", "--db", db, "--lang", "de")
    assert "Durchgang 1 von" in told
    assert "Finale: 1 Partie" in told
    assert "\nfinal: " not in told
    tree = called("tournament", "ko", "--db", db, "--lang", "de")
    assert "Finale  1  " in tree
    assert "third" not in tree


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("j", True), ("Ja", True), ("y", True), ("", False), ("nein", False), ("N", False)],
)
def test_a_question_takes_ja_and_nein(typed: str, answer: bool) -> None:
    @click.command()
    def ask() -> None:
        click.echo(confirmed("Löschen?", "de"))

    done = CliRunner().invoke(ask, input=f"was\n{typed}\n")  # what is neither is asked again
    assert done.output.count("Löschen? [j/N]: ") == 2
    assert done.output.endswith(f"{answer}\n")


def test_a_password_is_asked_for_until_both_are_the_same() -> None:
    @click.command()
    def ask() -> None:
        click.echo(f"{ask_password()} {new_password()}")

    done = CliRunner().invoke(ask, input="eins\neins\nzwei\ndrei\ndrei\n", env={"LC_ALL": "de"})
    assert "Passwort: " in done.output
    assert done.output.count("Beide sind nicht gleich.") == 1
    assert done.output.endswith("eins drei\n")


@pytest.mark.parametrize(
    ("content", "german"),
    [
        (kinds.Badge("p1", "Anna", ""), "Ausweis von Anna (p1) für –"),
        (kinds.Jury(2, "Frau Graf"), "Jury-Karte 2 von Frau Graf"),
        (kinds.TableTag("T01", "FR"), "Tisch T01 FR"),
        (kinds.TableTag("", "FR"), "Tischkarte FR"),
        (kinds.Guest("FRf1"), "Gast FRf1"),
        (kinds.NumberedCard("R07"), "Hattrick-Karte R07"),
        (
            Hall("Boxen", "10.0.0.1", 1883, b"", b"x"),
            "Halle Boxen, Broker 10.0.0.1:1883, Passwort verborgen",
        ),
        (
            Options("trumpf", "swiss", (("tie_scope", "tied"),)),
            "Hausregeln von trumpf swiss tie_scope=tied",
        ),
    ],
)
def test_what_a_tag_holds(content: object, german: str) -> None:
    assert in_words(describe(content), "de") == german


def test_what_the_ledger_knows(tmp_path: Path) -> None:
    ledger = TagLedger(tmp_path / "tags.jsonl")
    ledger.add(LedgerEntry("berge 1", "A1", "Eiger", "04aa", "written"))
    ledger.add(LedgerEntry("berge 1", "A2", "Mönch", "04bb", "failed", reason="the tag went away"))
    done = CliRunner().invoke(schiri, ["--lang", "de", "provision", "report", str(ledger.path)])
    assert "berge 1: A1 04aa geschrieben Eiger" in done.output
    assert "berge 1: A2 04bb misslungen: Das Tag ging weg" in done.output


@pytest.mark.parametrize(
    ("name", "german"),
    [
        ("supply, mV", "Versorgung, mV"),
        ("echo at 921600 baud, faults", "Echo bei 921600 Baud, Fehler"),
        ("self-test: flash", "Selbsttest: flash"),
        ("GP4", "GP4"),
    ],
)
def test_figures_of_a_box(name: str, german: str) -> None:
    assert row_name(name, BRINGUP["de"]) == german


def test_a_board_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def ask() -> None:
        enter("x", "x", "board")

    typed = "XX\nFR\n1 2 3\n1 2 3 x\n1 2 3 4\n"
    said = CliRunner().invoke(ask, input=typed, env={"LC_ALL": "de_DE"}).output
    assert "T01: seine Nation: XX\nXX ist keine Nation; es gibt " in said
    assert "T01 FR: seine vier Stühle: 1 2 3\nEin Tisch hat vier verschiedene Stühle" in said
    assert "x ist kein Stuhl" in said
    assert "T02: seine Nation" in said
