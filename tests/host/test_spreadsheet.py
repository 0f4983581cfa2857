"""One reader for every list: the bytes that spreadsheets write, at each import."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from host_tools.cards.decks import load_deck
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.core.spreadsheet import parse_table
from host_tools.provision.items import badge_items
from host_tools.tournament.players_csv import parse_players, read_players

# written out byte by byte, as each program saves them
ENCODED = {
    "Excel, CSV (Windows-1252)": b"K\xf6nig \x80;\xdcnl\xfc\r\n",
    "Excel, CSV UTF-8": b"\xef\xbb\xbfK\xc3\xb6nig \xe2\x82\xac;\xc3\x9cnl\xc3\xbc\r\n",
    "LibreOffice, UTF-8": b"K\xc3\xb6nig \xe2\x82\xac;\xc3\x9cnl\xc3\xbc\n",
    "UTF-16, little end first": b"\xff\xfeK\0\xf6\0n\0i\0g\0 \0\xac\x20;\0"
    b"\xdc\0n\0l\0\xfc\0\r\0\n\0",
    "UTF-16, big end first": b"\xfe\xff\0K\0\xf6\0n\0i\0g\0 \x20\xac\0;\0\xdc\0n\0l\0\xfc",
}
NO_TABLES = {
    "a workbook": b"PK\x03\x04\x14\x00\x06\x00",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "UTF-32": "Name;Verein\n".encode("utf-32"),
    "UTF-16 without its mark": "Name;Verein\n".encode("utf-16-le"),
    "half of a UTF-16 letter": b"\xff\xfeN\0a\0\xf6",
    "a byte that Windows-1252 has not": b"Name\nJ\x81rg\n",
}
DECK = """Code;Name;Leistung (PS);Preis [€];Höchstgeschwindigkeit (km/h)
Best;;HIGH;low;high
decimals;;;2;
A1;Käfer;34;4200,50;116
A2;Großer Wagen;510;120000;
"""


@pytest.mark.parametrize("raw", ENCODED.values(), ids=ENCODED)
def test_every_encoding_gives_the_same_cells(raw: bytes) -> None:
    assert [row.cells for row in parse_table(raw, "list")] == [["König €", "Ünlü"]]


@pytest.mark.parametrize("raw", NO_TABLES.values(), ids=NO_TABLES)
def test_what_is_no_table_is_one_sentence_at_every_door(raw: bytes, tmp_path: Path) -> None:
    assert told_at_every_door(raw, tmp_path) == {"is no text file; save it as CSV (UTF-8)"}


def test_a_quote_that_is_never_closed_is_named_with_its_line(tmp_path: Path) -> None:
    (told,) = told_at_every_door(b'Name\n"' + b"Anna\n" * 30_000, tmp_path)
    assert told.startswith("line 2: a quotation mark opens here")


def told_at_every_door(raw: bytes, tmp_path: Path) -> set[str]:
    """What is said of a file, wherever one is read."""
    path = tmp_path / "list.csv"
    path.write_bytes(raw)
    sentences = set()
    for reader in (load_deck, read_players, lambda file: badge_items(file, "Aarau")):
        with pytest.raises(UserError) as told:
            reader(path)
        place, sentence = str(told.value)[: len(str(path))], str(told.value)[len(str(path)) + 2 :]
        assert place == str(path)
        sentences.add(sentence)
    return sentences


@pytest.mark.parametrize(
    "text",
    [
        "a;b\n1;2\n",
        "a,b\n1,2\n",
        "a\tb\n1\t2\n",
        "sep=;\na;b\n1;2\n",
        '"a";"b"\n1;2\n',
        "a;b\r1;2\r",
        "\n a ; b \n;\n1;2\n\n",
    ],
)
def test_what_separates_is_seen(text: str) -> None:
    assert [row.cells for row in parse_table(text.encode(), "list")] == [["a", "b"], ["1", "2"]]


def test_a_separator_inside_quotes_does_not_count() -> None:
    rows = parse_table(b'"a, b, or c";d\n"1, 2";3\n', "list")
    assert [row.cells for row in rows] == [["a, b, or c", "d"], ["1, 2", "3"]]


def test_lines_are_those_of_the_file() -> None:
    rows = parse_table(b'a;b\n"two\nlines";x\n\nlast;y\n', "list")
    assert [row.line for row in rows] == [1, 2, 5]


def test_one_column_may_hold_commas() -> None:
    players = parse_players(b"Name\nMeier, Anna\n", "list")
    assert [player.name for player in players] == ["Meier, Anna"]


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8", "utf-8-sig"])
def test_a_deck_as_people_write_it(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "Alte Autos.csv"
    path.write_bytes(DECK.replace("\n", "\r\n").encode(encoding))
    deck = load_deck(path)
    assert (deck["id"], deck["title"]) == ("alte_autos", "Alte Autos")
    assert [(c["key"], c["title"], c["unit"], c["best"]) for c in deck["categories"]] == [
        ("leistung", "Leistung", "PS", "high"),
        ("preis", "Preis", "€", "low"),
        ("hoechstgeschwindigkeit", "Höchstgeschwindigkeit", "km/h", "high"),
    ]
    assert deck["cards"] == [
        {"code": "A1", "name": "Käfer", "values": [34, 420050, 116]},
        {"code": "A2", "name": "Großer Wagen", "values": [510, 12000000, None]},
    ]


def test_columns_that_a_spreadsheet_adds_are_none(tmp_path: Path) -> None:
    path = tmp_path / "autos.csv"
    path.write_text("code;name;ps;;\nbest;;high;;\nA1;x;1;;\nA2;y;2;;\n", encoding="utf8")
    assert [card["values"] for card in load_deck(path)["cards"]] == [[1], [2]]


def test_two_headings_that_come_to_the_same_are_a_fault_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "autos.csv"
    text = "Code;Name;Höhe (m);Hoehe (ft)\nbest;;high;high\nA1;x;1;2\nA2;y;2;3\n"
    path.write_text(text, encoding="utf8")
    with pytest.raises(UserError, match=r"autos.csv:1: categories\[1\].key: 'hoehe' is already"):
        load_deck(path)


def test_badges_from_the_same_lists(tmp_path: Path) -> None:
    path = tmp_path / "players.csv"
    path.write_bytes("ID;Name;Verein\r\np1;Änne;Zürich\r\n".encode("cp1252"))
    assert [item.name for item in badge_items(path, "Aarau").items] == ["Änne"]


def test_the_command_line_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "autos.csv"
    path.write_bytes(DECK.encode("utf-16"))
    done = CliRunner().invoke(schiri, ["decks", "check", str(path)])
    assert (done.exit_code, done.exception) == (0, None), done.output
