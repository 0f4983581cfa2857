"""Every rule id has a module, a transcript and a sentence, and docs/rules.md says so."""

import re

from tests.rules.rules_index import (
    DESK,
    PAGE,
    ROOT,
    all_ids,
    modules,
    named_in,
    page,
    sentences,
    transcripts,
)

EVERY = [*all_ids(), *DESK]


def test_a_transcript_shows_every_rule() -> None:
    """Its header lists the rule under `rules`."""
    shown = transcripts()
    assert [rule for rule in EVERY if not shown[rule]] == []


def test_a_module_names_every_rule() -> None:
    named = modules()
    assert [rule for rule in EVERY if not named[rule]] == []


def test_every_rule_has_its_sentence() -> None:
    said = sentences()
    assert [rule for rule in EVERY if not said[rule]["rule"]] == []


def test_nothing_names_a_rule_that_does_not_exist() -> None:
    known = set(EVERY)
    assert set(transcripts()) <= known
    assert {rule for rule in modules() if rule[:2] in ("TR", "KN", "SW", "CL")} <= known


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.rules.rules_index"


def test_every_rule_that_a_page_or_a_program_names_is_on_the_page() -> None:
    """The group alone, such as SW or TO, is no rule."""
    on_page = set(re.findall(r"^\| ([A-Z]{2}(?:-\d+b?)?) \|", page(), re.MULTILINE))
    prefixes = {rule[:2] for rule in EVERY}
    named = {
        (rule, path.relative_to(ROOT).as_posix())
        for folder in ("docs", "host_tools", "firmware", "card_tags", "examples/feed")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md", ".po", ".js", ".html")
        for rule in named_in(path.read_text("utf-8"))
        if rule[:2] in prefixes
    }
    assert len(named) > 500
    assert sorted((rule, path) for rule, path in named if rule not in on_page) == []
