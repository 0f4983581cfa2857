"""docs/security.md names a test for each threat; those are there."""

import re

from hardware.twin.node import ROOT

TEST = re.compile(r"^def (test_\w+)", re.M)
PAGE = (ROOT / "docs/security.md").read_text("utf8")


def test_every_test_that_the_page_names_is_there() -> None:
    there = {
        name
        for path in (ROOT / "tests").rglob("*.py")
        for name in TEST.findall(path.read_text("utf8"))
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named <= there, named - there


def test_every_threat_names_a_test() -> None:
    tables = PAGE.partition("## Threats")[2]
    rows = [row for row in tables.splitlines() if re.match(r"\| (?!threat|gives)", row)]
    assert len(rows) > 25
    bare = [row.split("|")[1].strip() for row in rows if "`test_" not in row]
    # the rules' own tests are many, and of a password nothing is to be shown
    assert bare == [
        "one card as two in a match",
        "password of the Wi-Fi: change it after the event",
    ]
