"""Every rule id has a module, a transcript and a sentence, and docs/rules.md says so."""

import pytest

from tests.rules.rules_index import PAGE, all_ids, modules, page, sentences, transcripts


@pytest.mark.parametrize("rule", all_ids())
def test_a_transcript_shows_the_rule(rule: str) -> None:
    assert transcripts()[rule], f"no header in tests/transcripts lists {rule} under rules"


@pytest.mark.parametrize("rule", all_ids())
def test_a_module_names_the_rule(rule: str) -> None:
    assert modules()[rule]


@pytest.mark.parametrize("rule", all_ids())
def test_the_rule_has_its_sentence(rule: str) -> None:
    assert sentences()[rule]["rule"]


def test_nothing_names_a_rule_that_does_not_exist() -> None:
    known = set(all_ids())
    assert set(transcripts()) <= known
    assert {rule for rule in modules() if rule[:2] in ("TR", "KN", "SW", "CL")} <= known


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.rules.rules_index"
