"""Every text exists in both languages, is used, and fits where it is shown."""

import ast
from pathlib import Path

import pytest

from firmware import games
from firmware.app import arbiter, table, words
from firmware.app.canvas import WIDTH, Canvas
from firmware.app.options import meaning
from firmware.app.reader_news import NEWS
from firmware.app.words import load_table
from firmware.rules.game import FIELD
from tests.german import counted_nouns, german_faults
from tests.tags.tag_examples import REASONS

from .fakes import FakeDisplay, option_words, words_in

APP = Path(words.__file__).parent
GAMES = [games.row(name) for name in games.names()]
PAGES = {game.page[0] for game in GAMES} | {
    preset.before[0] for game in GAMES for preset in game.presets if preset.before
}
APP_AND_PAGES = sorted(
    [
        *APP.rglob("*.py"),
        *(path for name in PAGES for path in (APP.parent / "games").rglob(f"{name}.py")),
    ]
)
MENU = ("game", "preset", "deck", "seats", "options", "language", "volume")
# TRANSCRIPT.md, refusal reasons and ends of a match
TRANSCRIPT_REASONS = frozenset(
    """not_now wrong_seat unknown_card not_yours already_played aside joker_not_allowed
    no_such_category value_missing own_card known_holder cannot_hold not_a_quartet not_asked
    chair_taken wrong_nation sexes no_score alone joker_fits cannot_pay no_joker_there
    not_in_hand clock_stopped over nothing_to_undo bad_value""".split()  # noqa: SIM905 a long list reads better so
)
END_REASONS = frozenset(
    """all_cards time jury forfeit excluded all_tied seat_out hand_empty last_seat chairs_full
    bar_full bag no_table_card hands target""".split()  # noqa: SIM905 a long list reads better so
)
SENTENCE_WIDTH = 102  # a message's text stands right of its picture
MOST_LINES = 4  # above the line of the standing
MOST_MEANING = 3  # above two choices
SAMPLES = ("Friederike M", "12", "T24", "136")  # a long name, a count, a table, a score
LEAST_WORDS, LEAST = 2, 3  # words of a sentence, and letters of its last, if not in SHORT_ENDS
CLOCK_WIDTH = 38  # "10:00" and the strokes beside it


def rows() -> list[tuple[str, str, str]]:
    german, english = (
        [
            line.split("|", 1)
            for table in words_in(language).tables
            for line in table.strip("\n").split("\n")
        ]
        for language in ("de", "en")
    )
    assert [key for key, _ in german] == [key for key, _ in english]
    return [(key, text, other) for (key, text), (_, other) in zip(german, english, strict=True)]


def built_keys() -> set[str]:
    """Keys that the app puts together from a beginning and a name."""
    made = {
        "game_": games.names(),
        "preset_": [preset.name for game in GAMES for preset in game.presets if preset.name],
        **{
            own.name + "_": [choice for choice in own.choices if isinstance(choice, str)]
            for game in GAMES
            for own in game.rows
        },
        "menu_": [*MENU, *(own.name for game in GAMES for own in game.rows)],
        "no_": TRANSCRIPT_REASONS,
        "arbiter_": [*arbiter.REASONS, "resume"],
        "why_": [why for reasons in arbiter.REASONS.values() for why in reasons],
        "over_": END_REASONS,
        "lay_": ("joker", "choose"),
        "volume_": range(4),
        "hint_": ("joker", "choose"),
        "suit_": "RGB",
        "quartett_": ("asks", "which"),
        "cards": ("", "_one"),
        "result_points": ("", "_one"),
        "update_": ("no_signature", "bad_signature", "old_version", "other_board"),
        "news_": ("given", "denied", "quartet", "false_denial"),
    }
    keys = {begin + str(name) for begin, names in made.items() for name in names}
    pages = [table.Table, *(games.page_of(game) for game in GAMES)]
    return keys | {news[1] for page in pages for news in page.NEWS.values()}


def written_strings() -> set[str]:
    """Every string constant of the app."""
    return {
        node.value
        for path in APP_AND_PAGES
        if not path.name.startswith("texts_")
        for node in ast.walk(ast.parse(path.read_text("utf8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_every_key_is_there_once_in_both_languages() -> None:
    keys = [key for key, _, _ in rows()]
    assert len(keys) == len(set(keys))
    assert all(german and english for _, german, english in rows())


def test_no_key_is_missing_and_none_is_unused() -> None:
    keys = {key for key, _, _ in rows()}
    assert built_keys() - keys == set()
    assert keys - built_keys() - written_strings() == set()


def test_every_fault_of_a_tag_has_its_picture_text_and_sound() -> None:
    assert {what for what in NEWS if type(what) is str} == set(REASONS)
    assert all(key == f"tag_{what}" for what, (_, key, _) in NEWS.items() if type(what) is str)


def test_every_say_with_a_literal_key_has_its_text() -> None:
    keys = {key for key, _, _ in rows()}
    for path in APP_AND_PAGES:
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "say":
                key = node.args[0]
                if isinstance(key, ast.Constant):
                    assert key.value in keys, f"{path.name}: {key.value}"


@pytest.mark.parametrize("column", [1, 2], ids=["de", "en"])
def test_every_text_fits(column: int) -> None:
    canvas = Canvas(FakeDisplay().frame)
    for row in rows():
        text = row[column]
        filled = text.format(*SAMPLES[: text.count("{}")])
        if is_wrapped(row[0], text):
            assert len(canvas.wrap(filled, SENTENCE_WIDTH)) <= MOST_LINES, row
            assert all(canvas.small.width(word) <= SENTENCE_WIDTH for word in filled.split()), row
        else:
            assert canvas.small.width(filled) <= WIDTH, row


@pytest.mark.parametrize("language", ["de", "en"])
def test_every_choice_of_a_house_rule_has_a_sentence_that_fits(language: str) -> None:
    canvas = Canvas(FakeDisplay().frame)
    used = set()
    for game in GAMES:
        for row in game.rows if any(row.way != FIELD for row in game.rows) else ():
            table = load_table(game.package, f"options_{language}")
            for number, value in enumerate(row.choices if row.way != FIELD else ()):
                sentence = meaning(table, row, number)
                assert 0 < len(canvas.wrap(sentence, WIDTH)) <= MOST_MEANING, sentence
                used |= {f"{row.name}_{value}", row.name}
    assert option_words(language).keys() <= used


def is_wrapped(key: str, text: str) -> bool:
    return key.startswith(("news_", "no_", "tag_", "reader_")) or "." in text


def test_german_is_right_german() -> None:
    """A number that can be 1 has a text of its own, `…_one`; the others are 2 at least."""
    never_one = {
        *("news_cards_pot", "news_pot_won"),  # every seat of a trick gives a card
        "news_moved",  # ten (SW-8)
        "news_left_over",  # -5 for each guest (CB-14)
        "news_cleared",  # two tables at least
    }
    keys = {key for key, _, _ in rows()}
    for key, german, _ in rows():
        assert german_faults(german) == [], (key, german)
        if counted_nouns(german) and key not in never_one and not key.endswith("_one"):
            assert f"{key}_one" in keys, (key, german)


@pytest.mark.parametrize("column", [1, 2], ids=["de", "en"])
def test_headings_beside_the_clock_fit(column: int) -> None:
    canvas = Canvas(FakeDisplay().frame)
    headings = ("preset_swiss", "who_begins", "jury", "why", "which_group", "which_card", "reader")
    headings += ("refused", "round", "late", "resumed_title", "trumpf_call", "arbiter_forfeit")
    headings += tuple(
        "over_" + why for why in ("time", "jury", "forfeit", "excluded", "all_cards")
    )
    for row in rows():
        if row[0] in headings:
            wide = canvas.small.width(row[column].format("Friederike M"))
            assert wide <= WIDTH - CLOCK_WIDTH, row


@pytest.mark.parametrize("column", [1, 2], ids=["de", "en"])
def test_both_languages_fill_in_the_same_number_of_values(column: int) -> None:
    assert all(row[column].count("{}") == row[1].count("{}") for row in rows())
