"""Decks as data: the project's own, and every fault with its line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from card_tags import codec, kinds, seal
from card_tags.deck_card import deck_object
from host_tools.cards.decks import check_deck, deck_ids, deck_path, load_deck, load_deck_file
from host_tools.cards.decks.contents import card_contents, deck_content, tag_hints
from host_tools.cards.decks.values import FaultyValue, decimal, scaled_value, shown_value, written
from host_tools.cli import schiri
from host_tools.core.errors import UserError

OWN = ("berge", "gastro", "kneipe")


def column(deck_id: str, number: int) -> list[int | None]:
    cards = load_deck(deck_id)["cards"]
    return [card["values"][number] for card in cards if not card.get("joker")]


def test_the_decks_of_the_project() -> None:
    assert tuple(deck_ids()) == OWN
    assert [len(load_deck(deck_id)["cards"]) for deck_id in OWN] == [34, 32, 34]
    assert [load_deck_file(deck_id).preset for deck_id in OWN] == ["swiss", "gastro", "kneipe"]


@pytest.mark.parametrize("deck_id", OWN)
def test_every_category_has_a_tie_and_some_values_are_missing(deck_id: str) -> None:
    missing = 0
    for number, _ in enumerate(load_deck(deck_id)["categories"]):
        values = column(deck_id, number)
        present = [value for value in values if value is not None]
        assert len(set(present)) < len(present)
        missing += len(values) - len(present)
    assert missing > 0


def test_directions_are_those_of_the_seeds() -> None:
    gastro = {entry["key"]: entry["best"] for entry in load_deck("gastro")["categories"]}
    assert [key for key, best in gastro.items() if best == "low"] == ["eroeffnet", "oepnv"]
    assert len(gastro) == 9
    kneipe = load_deck("kneipe")["categories"]
    assert [entry["best"] for entry in kneipe] == ["low"] * 3 + ["high"] * 4
    assert [entry["title"] for entry in kneipe if entry.get("joker")] == ["Fassungsvermögen"]


def test_codes_are_complete() -> None:
    plain = [f"{letter}{number}" for letter in "ABCDEFGH" for number in range(1, 5)]
    assert [card["code"] for card in load_deck("gastro")["cards"]] == plain
    assert [card["code"] for card in load_deck("kneipe")["cards"]] == [*plain, "J1", "J2"]
    assert [card["code"] for card in load_deck("berge")["cards"]] == [*plain, "I1", "I2"]


def test_veggie_dishes_are_among_the_dishes() -> None:
    dishes, veggie = column("gastro", 4), column("gastro", 5)
    assert all(few <= many for few, many in zip(veggie, dishes, strict=True) if few and many)


@pytest.mark.parametrize("deck_id", OWN)
def test_every_card_fits_into_one_read(deck_id: str) -> None:
    deck = load_deck(deck_id)
    assert tag_hints(deck) == []
    for content in card_contents(deck):
        tag = seal.sealed(kinds.CARD, content, bytes(7), 255, bytes(32))
        assert len(codec.encode(tag)) <= 48


def test_ten_large_values_fill_one_read_to_the_last_byte() -> None:
    """Two bytes each but 12, 126 and 48: 17 bytes of values, and 31 for all the rest."""
    values = (2015, 12, 160, 160, 160, 126, 160, 48, 6400, 160)
    card = kinds.Card(1, "A1", False, values)
    tag = seal.sealed(kinds.CARD, card, bytes(7), 1, bytes(32))
    assert len(codec.encode(tag)) == 48


@pytest.mark.parametrize("deck_id", OWN)
def test_the_deck_card_describes_the_deck(deck_id: str) -> None:
    deck = load_deck(deck_id)
    content = deck_content(deck)
    assert content is not None
    length = len(codec.encode(codec.unsealed(kinds.DECK, content), lock_control=False))
    assert length <= 496  # NTAG215
    described = deck_object(content)
    assert described["categories"] == deck["categories"]
    assert [card["code"] for card in described["cards"]] == [c["code"] for c in deck["cards"]]


# -- values --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "decimals", "expected"),
    [
        (5, 0, 5),
        (3250, 2, 3250),
        ("32,50", 2, 3250),
        ("32.5", 2, 3250),
        ("32", 2, 3200),
        ("-0,5", 1, -5),
        ("-", 0, None),
        ("–", 0, None),
        (None, 0, None),
        (0, 0, 0),
    ],
)
def test_values_are_scaled(value: object, decimals: int, expected: int | None) -> None:
    assert scaled_value(value, decimals) == expected


@pytest.mark.parametrize("value", [1.5, True, "1.000,5", "12,345", "abc", "1e3", 2**30, [1]])
def test_what_is_no_value_is_refused(value: object) -> None:
    with pytest.raises(FaultyValue):
        scaled_value(value, 2)


def test_values_for_people() -> None:
    assert [shown_value(*pair) for pair in ((3250, 2), (-5, 1), (5, 2), (7, 0), (None, 1))] == [
        "32,50",
        "-0,5",
        "0,05",
        "7",
        "–",
    ]


# -- faults --------------------------------------------------------------------------------

TOML = """id = "Bad Id"
categories = [
  { key = "a", best = "hihg" },
  { key = "a", bset = "low", best = "low", decimals = 9 },
]

[[cards]]
code = "A1"
values = [1, "x"]

[[cards]]
code = "A1"
values = [1.5]

[[cards]]
code = "J1"
joker = true
"""

JSON = """{
 "id": "x", "categories": [
  {"key": "a", "best": "high"},
  {"key": "b", "best": "low"}
 ],
 "cards": [
  {"code": "A1", "values": [1, 2]},
  {"code": "A2",
   "values": [1, "]"]},
  {"code": "A{", "values": [1, 2]}
 ]
}
"""

CSV = """code;name;a;b
title;;Höhe;Preis
best;;high;sideways
decimals;;;2
A1;Eins;5;3,50
A2;Zwei;;3,555
"""


def found(tmp_path: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = tmp_path / name
    path.write_text(text, encoding="utf8")
    return [(fault.line, fault.field) for fault in check_deck(path).faults]


def test_every_fault_of_a_toml_file_has_line_and_field(tmp_path: Path) -> None:
    assert found(tmp_path, "bad.toml", TOML) == [
        (1, "id"),
        (2, "categories"),
        (3, "categories[0].best"),
        (4, "categories[1].bset"),
        (4, "categories[1].decimals"),
        (4, "categories[1].key"),
        (9, "cards[0].values[1]"),
        (12, "cards[1].code"),
        (13, "cards[1].values"),
        (13, "cards[1].values[0]"),
    ]


def test_every_fault_of_a_json_file_has_line_and_field(tmp_path: Path) -> None:
    assert found(tmp_path, "bad.json", JSON) == [(9, "cards[1].values[1]"), (10, "cards[2].code")]


def test_every_fault_of_a_csv_file_has_line_and_field(tmp_path: Path) -> None:
    assert found(tmp_path, "bad.csv", CSV) == [
        (3, "categories[1].best"),
        (6, "cards[1].values[1]"),
    ]


def test_the_same_deck_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "autos.csv"
    path.write_text(CSV.replace("sideways", "low").replace("3,555", "3,55"), encoding="utf-8-sig")
    deck = load_deck(path)
    assert deck["id"] == "autos"
    assert [card["values"] for card in deck["cards"]] == [[5, 350], [None, 355]]
    assert [entry["title"] for entry in deck["categories"]] == ["Höhe", "Preis"]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("x.toml", "id = ", "not TOML"),
        ("x.json", "{", ":1: not JSON"),
        ("x.json", "[]", "a deck is an object"),
        ("x.csv", "a,b\n", "the first line must be"),
        ("x.txt", "", "ends in .toml, .csv or .json"),
    ],
)
def test_a_file_that_is_no_deck_at_all_is_one_sentence(
    tmp_path: Path, name: str, text: str, sentence: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf8")
    with pytest.raises(UserError, match=sentence):
        check_deck(path)


def test_an_unknown_deck_names_the_known_ones() -> None:
    with pytest.raises(UserError, match="known are berge, gastro, kneipe"):
        load_deck("nothing")


def test_check_says_faults_and_exits_with_1(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(TOML, encoding="utf8")
    result = CliRunner().invoke(schiri, ["decks", "check", str(path)])
    assert len(result.output.splitlines()) == 10
    assert isinstance(result.exception, UserError)
    assert result.exception.exit_code == 1


def test_list_and_check_as_data(tmp_path: Path) -> None:
    runner = CliRunner()
    listed = json.loads(runner.invoke(schiri, ["decks", "show", "--json"]).output)
    assert [deck["id"] for deck in listed] == ["berge", "gastro", "kneipe"]
    assert (listed[0]["cards"], listed[0]["preset"]) == (34, "swiss")
    path = tmp_path / "bad.csv"
    path.write_text(CSV, encoding="utf8")
    told = runner.invoke(schiri, ["decks", "check", str(path), "berge", "--json"])
    bad, good = json.loads(told.output)
    assert [(fault["line"], fault["field"]) for fault in bad["faults"]] == [
        (3, "categories[1].best"),
        (6, "cards[1].values[1]"),
    ]
    assert (bad["cards"], good["cards"], good["faults"]) == (None, 34, [])
    assert isinstance(told.exception, UserError)


def test_list_and_show(tmp_path: Path) -> None:
    runner = CliRunner()
    assert "34 cards, preset swiss" in runner.invoke(schiri, ["decks", "show"]).output
    shown = runner.invoke(schiri, ["decks", "show", "berge"]).output
    assert "Schilthorn" in shown
    path = tmp_path / "copy.json"
    path.write_text(runner.invoke(schiri, ["decks", "show", "--json", "kneipe"]).output, "utf8")
    assert load_deck(path) == load_deck("kneipe")


def test_the_csv_of_the_manual_is_a_deck(tmp_path: Path) -> None:
    manual = Path(__file__).parents[2] / "docs/provisioning.md"
    example = manual.read_text(encoding="utf8").split("```\ncode;name;")[1].split("```")[0]
    path = tmp_path / "example.csv"
    path.write_text("code;name;" + example, encoding="utf8")
    assert [card["values"] for card in load_deck(path)["cards"]] == [[4634, 1925], [2128, None]]


def test_an_english_deck_has_english_words() -> None:
    """Of the German ones only what English has too is left."""
    english = load_deck("kneipe", "en")
    assert english["title"] == "Pub Quartet"
    assert [one["title"] for one in english["categories"]][2:4] == [
        "Days closed a year",
        "Capacity",
    ]
    assert [one["unit"] for one in english["categories"]] == [
        "",
        "€",
        "days",
        "guests",
        "",
        "h",
        "",
    ]
    assert english["cards"] == load_deck("kneipe")["cards"]
    for deck_id in OWN:
        pairs = zip(
            *(load_deck(deck_id, lang)["categories"] for lang in ("de", "en")), strict=True
        )
        same = {one["title"] for one, other in pairs if one["title"] == other["title"]}
        assert same <= {"Cocktails"}
        assert load_deck(deck_id, "de") == load_deck(deck_id)
        assert load_deck(deck_id, "xx") == load_deck(deck_id)


def test_a_translation_of_what_is_not_there_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    whole = deck_path("berge").read_text(encoding="utf8")
    path.write_text(whole.replace('"Höhe" = "Elev', '"Hohe" = "Elev'), encoding="utf8")
    (fault,) = check_deck(path).faults
    assert fault.field == "translations.en.Hohe"
    path.write_text(whole + '"Höhe!" = 7\n', encoding="utf8")
    fields = {fault.field for fault in check_deck(path).faults}
    assert fields == {"translations.en.Höhe!"}
    path.write_text('translations = "x"\n' + whole.partition("[translations")[0], encoding="utf8")
    assert [fault.field for fault in check_deck(path).faults] == ["translations"]


@pytest.mark.parametrize(
    ("value", "decimals", "german", "english"),
    [
        (281000, 0, "281.000", "281,000"),
        (28100000, 2, "281.000,00", "281,000.00"),
        (4634, 0, "4634", "4634"),  # and so is the year 1855
        (463400, 2, "4634,00", "4634.00"),
        (-12345, 0, "-12.345", "-12,345"),
        (-12345, 1, "-1234,5", "-1234.5"),
        (1073741823, 0, "1.073.741.823", "1,073,741,823"),
        (5, 3, "0,005", "0.005"),
    ],
)
def test_values_as_people_write_them(value: int, decimals: int, german: str, english: str) -> None:
    assert decimal(value, decimals, "de") == german
    assert decimal(value, decimals, "en") == english
    category = {"unit": "€", "decimals": decimals}
    assert written(value, category, "de") == f"{german} €"
    assert written(None, category, "en") == "–"
    assert written(value, {**category, "unit": ""}, "en") == english
