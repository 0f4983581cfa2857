"""A deck from a table that somebody pastes: what is guessed, what is kept, who may ask."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from host_tools.cards.decks import deck_path, load_deck, load_deck_file
from host_tools.cards.decks.draft import Draft, as_toml, from_table, load_draft, plain_values
from host_tools.cli import schiri
from host_tools.core.spreadsheet import parse_table
from host_tools.web.decks.server import DeckEditor

CARS = (
    "Modell\tLeistung (PS)\tGewicht in kg\t0–100 km/h\tHubraum [cm³]\tPreis\n"
    "Golf\t150 PS\t1.345\t8,5 s\t1'395\t25.000 €\n"
    "Käfer\t44\t820\t-\t1'192\tk.A.\n"
)


def read(raw: bytes, name: str = "") -> Draft:
    return from_table([row.cells for row in parse_table(raw, name)], name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_units_directions_codes_and_numbers_are_guessed(encoding: str) -> None:
    draft = read(CARS.encode(encoding), "Autos für alle")
    assert (draft.id, draft.title) == ("autos_fuer_alle", "Autos für alle")
    assert [(c.title, c.unit, c.best) for c in draft.categories] == [
        ("Leistung", "PS", "high"),
        ("Gewicht", "kg", "low"),
        ("0–100 km/h", "s", "low"),
        ("Hubraum", "cm³", "high"),
        ("Preis", "€", "low"),
    ]
    assert [(card.code, card.name, card.values) for card in draft.cards] == [
        ("A1", "Golf", ["150", "1345", "8,5", "1395", "25000"]),
        ("A2", "Käfer", ["44", "820", "-", "1192", "-"]),
    ]


def test_three_decimals_stay_where_other_numbers_are_longer() -> None:
    draft = read(b"Name;Weg;Zeit\nA;1.345;1,5\nB;1200;2\n")
    assert [card.values for card in draft.cards] == [["1.345", "1,5"], ["1200", "2"]]


def test_a_table_without_headings_and_one_in_the_form_of_a_deck_file() -> None:
    bare = read(b"B1\tEiger\t3967\nB2\tJungfrau\t4158\n")
    assert [(card.code, card.name, card.values) for card in bare.cards] == [
        ("B1", "Eiger", ["3967"]),
        ("B2", "Jungfrau", ["4158"]),
    ]
    told = read("code;name;hoehe\ntitle;;Höhe\nbest;;low\nA1;Eiger;3967\n".encode())
    (category,) = told.categories
    assert (category.title, category.best) == ("Höhe", "low")
    assert [card.code for card in told.cards] == ["A1"]


@pytest.mark.parametrize("deck_id", ["berge", "gastro", "kneipe"])
def test_a_kept_deck_is_the_same_deck(tmp_path: Path, deck_id: str) -> None:
    draft, _ = load_draft(load_deck_file(deck_id).path)
    (tmp_path / "deck.toml").write_text(as_toml(draft), encoding="utf8")
    assert load_deck(tmp_path) == load_deck(deck_id)
    assert load_deck_file(tmp_path).preset == load_deck_file(deck_id).preset


def test_what_is_wrong_in_a_kept_deck_stays_to_be_mended(tmp_path: Path) -> None:
    """Quotes, a control character, a value that is none: nothing is lost, nothing ends it."""
    draft = Draft("x", 'A "b" \\ \x7f\n', "", "", read(CARS.encode()).categories)
    draft.cards = read(CARS.encode()).cards
    draft.cards[0].values[0] = "viel"
    path = tmp_path / "deck.toml"
    path.write_text(as_toml(draft), encoding="utf8")
    again, _ = load_draft(path)
    assert (again.title, again.cards[0].values[0]) == (draft.title, "viel")


def test_only_the_link_opens_the_page_and_no_code_leads_out_of_the_folder(tmp_path: Path) -> None:
    editor = DeckEditor(tmp_path / "deck", None, "en")
    client = TestClient(editor.app, base_url="http://127.0.0.1")
    assert client.get("/").status_code == 403
    keyed = {"key": editor.key, "lang": "de"}
    assert client.get("/", params=keyed).status_code == 200
    foreign = {"origin": "http://elsewhere.example"}
    for path in ("/save", "/check", "/import", "/pictures", "/balance", "/print"):
        assert client.post(path, content=b"{}").status_code == 403
        assert client.post(path, params=keyed, content=b"{}", headers=foreign).status_code == 403
    refused = client.post("/check", params=keyed, content=b"[1]")
    assert refused.status_code == 400
    no_picture = client.post("/pictures", params={**keyed, "name": "a.jpg"}, content=b"text")
    assert (no_picture.status_code, "a.jpg ist kein lesbares Bild" in no_picture.text) == (
        400,
        True,
    )
    gif = (
        b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x00\x00\x00\x00\x00"
    )
    gif += b",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
    picture = client.post("/pictures", params=keyed, content=gif).json()["picture"]
    cards = [
        {"code": "../../x", "name": "", "values": [], "picture": picture},
        {"code": "A1", "name": "", "values": [], "picture": picture},
    ]
    kept = client.post("/save", params=keyed, content=json.dumps({"cards": cards}))
    assert kept.status_code == 200
    found = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*"))
    assert found == ["deck/deck.toml", "deck/pictures/A1.jpg"]
    client.post("/save", params=keyed, content=json.dumps({"cards": cards[:1]}))
    assert list((tmp_path / "deck" / "pictures").iterdir()) == []  # shown no more


def test_a_file_becomes_a_folder_and_no_deck_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "autos.csv").write_bytes(CARS.encode("cp1252"))
    words = ["decks", "import", str(tmp_path / "autos.csv"), "-o", str(tmp_path / "autos")]
    words.append("--json")
    told = json.loads(CliRunner().invoke(schiri, words).output)
    assert (told["cards"], told["faults"], len(told["categories"])) == (2, [], 5)
    assert load_deck(tmp_path / "autos")["cards"][1]["name"] == "Käfer"
    again = CliRunner().invoke(schiri, words)
    assert "is there already" in str(again.exception)
    weighed = ["decks", "balance", str(tmp_path / "autos"), "--seats", "2", "--json"]
    cards = json.loads(CliRunner().invoke(schiri, weighed).output)["cards"]
    assert [card["wins"] for card in cards] == [1, 0]  # A1 begins (TR-2) and has all


@pytest.mark.parametrize(
    ("cells", "unit", "plain"),
    [  # worked out by hand
        (["281.000,00 €", "95,5 €"], "€", ["281000,00", "95,5"]),
        (["€ 281.000,00", "$1,200.50"], "", ["281000,00", "1200.50"]),
        (["281,000.00 EUR"], "", ["281000.00"]),
        (["1.345 kg", "820 kg"], "kg", ["1.345", "820"]),  # either way: somebody is asked
        (
            ["15.500 \u20ac", "281.000,00 \u20ac", "900 \u20ac"],
            "\u20ac",
            ["15500", "281000,00", "900"],
        ),
        (["1.980 PS", "2'120 PS", "950 PS"], "PS", ["1.980", "2120", "950"]),
        (["1.345", "12,5"], "", ["1345", "12,5"]),
        (["1.345", "1.2"], "", ["1.345", "1.2"]),
        (["0.345", "1.345"], "", ["0.345", "1.345"]),
        (["1.345", "1,345"], "", ["1.345", "1,345"]),
        (["1,345", "1,234,567"], "", ["1345", "1234567"]),
        (["1’345 kg"], "kg", ["1345"]),
        (["1.345", "2000,5"], "", ["1.345", "2000,5"]),  # 2000 has no point
        (["€ 1.000.000", "9,5"], "", ["1000000", "9,5"]),
        (["-1.234.567,8"], "", ["-1234567,8"]),
        (["-", "kg", "12 kg"], "kg", ["-", "kg", "12"]),
        (["viele", "1.2.3"], "", ["viele", "1.2.3"]),
    ],
)
def test_values_as_people_type_them(cells: list[str], unit: str, plain: list[str]) -> None:
    assert plain_values(cells, unit) == plain


def test_a_translation_goes_with_its_text(tmp_path: Path) -> None:
    draft, _ = load_draft(deck_path("kneipe"))
    draft.categories[0].title = "Erbaut"
    path = tmp_path / "deck.toml"
    path.write_text(as_toml(draft), encoding="utf8")
    english = load_deck(path, "en")
    assert [one["title"] for one in english["categories"]][:3] == [
        *("Erbaut", "Price of 0.5 l beer", "Days closed a year")
    ]
    assert english["title"] == "Pub Quartet"
