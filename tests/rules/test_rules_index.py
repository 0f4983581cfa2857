"""Every rule id has a module, a transcript and a sentence, and docs/rules.md says so."""

from tests.rules.rules_index import PAGE, all_ids, modules, page, sentences, transcripts


def test_a_transcript_shows_every_rule() -> None:
    """Its header lists the rule under `rules`."""
    shown = transcripts()
    assert [rule for rule in all_ids() if not shown[rule]] == []


def test_a_module_names_every_rule() -> None:
    named = modules()
    assert [rule for rule in all_ids() if not named[rule]] == []


def test_every_rule_has_its_sentence() -> None:
    said = sentences()
    assert [rule for rule in all_ids() if not said[rule]["rule"]] == []


def test_nothing_names_a_rule_that_does_not_exist() -> None:
    known = set(all_ids())
    assert set(transcripts()) <= known
    assert {rule for rule in modules() if rule[:2] in ("TR", "KN", "SW", "CL")} <= known


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.rules.rules_index"
