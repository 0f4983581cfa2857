"""Whatever people are called: each spelling at every door becomes the same name, or is refused in
a sentence.
"""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from card_tags import codec, kinds, seal
from card_tags.wire import LONGEST_TEXT
from firmware.app.canvas import Canvas
from firmware.app.link_frames import trade_quotes
from firmware.app.words import LONGEST_NAME as ON_SCREEN
from firmware.app.words import short_name
from host_tools.box import assigning
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.core.names import graphemes, shown, within
from host_tools.provision.items import badge_items
from host_tools.sim.table import messages
from host_tools.sim.table.phones import read_claim
from host_tools.tournament.actions.entrants import add_players
from host_tools.tournament.fields import Form
from host_tools.tournament.model import Entrant
from host_tools.tournament.players_csv import parse_pasted, parse_players
from host_tools.tournament.state import TournamentState
from tests.app.fakes import FakeDisplay

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
KISS = "\U0001f469\U0001f3fb\u200d\u2764\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3ff"
# what is typed -> the name, and its letters as people count them
NAMES = {
    "plain": ("Anna", "Anna", 4),
    "pasted": ("\u00a0Anna\u2003Egli ", "Anna Egli", 9),
    "accents apart": ("E\u0301milie Zoe\u0308", "\u00c9milie Zo\u00eb", 10),
    "quotes": ("D'Arcy \u201eO\u2019Neill\u201c", "D'Arcy \u201eO\u2019Neill\u201c", 16),
    "Turkish": ("\u0130brahim \u00c7i\u011fdem", "\u0130brahim \u00c7i\u011fdem", 14),
    "Korean": ("\uae40" * 16, "\uae40" * 16, 16),
    "Korean in jamo": ("\u1112\u1161\u11ab" * 20, "\ud55c" * 20, 20),
    "Chinese": ("\u845b\U000e0100\u57ce", "\u845b\U000e0100\u57ce", 2),
    "Persian with ZWNJ": ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647", "", 6),
    "Hindi": ("\u0915\u094d\u0937\u0924\u094d\u0930\u093f\u092f", "", 3),
    "Hindi with ZWJ": ("\u0915\u094d\u200d\u0937", "", 1),
    "Malayalam, ZWJ at the end": ("\u0d05\u0d35\u0d28\u0d4d\u200d", "", 3),
    "Hebrew with points": ("\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd", "", 4),
    "Thai": ("\u0e1b\u0e34\u0e48\u0e19", "", 2),
    "a family": (FAMILY, "", 1),
    "twenty families": (FAMILY * 20, "", 20),
    "skins, heart, kiss": (KISS, "", 1),
    "a flag": ("\U0001f1e8\U0001f1ed", "", 1),
    "a formula": ("=Anna", "", 5),
}
REFUSED = {
    "an escape": "\x1b[2J",
    "a zero byte": "An\x00na",
    "two lines": "Anna\nEgli",
    "direction turned": "Anna\u202egro",
    "an isolate": "\u2066Anna\u2069",
    "no width": "An\u200bna",
    "a soft hyphen": "An\u00adna",
    "a joiner that joins nothing": "Anna\u200d",
    "a joiner at the end": "\u0645\u06cc\u200c",
    "half a family": "\U0001f468\u200d",
    "an unseen selector": "An\ufe0fna",
    "hidden letters": "Anna\U000e0061",
    "an unseen letter": "\u3164",
    "a tower of accents": "Anna" + "\u0301" * 60,
    "half a pair": "\ud83d",
}


def _page(typed: str) -> str:
    start = {"do": "start", "game": "trumpf", "preset": "gastro", "names": [typed, "B"]}
    message: Any = messages.read_message(json.dumps(start).encode())
    message.check(SimpleNamespace(log=SimpleNamespace(closed=True)))
    return str(message.names[0])


def _phone(typed: str) -> str:
    return read_claim(json.dumps({"name": typed, "colour": "red", "seat": 0}).encode()).name


def _sheet(*rows: list[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode(errors="surrogatepass")


def _badges(typed: str) -> str:
    path = Path("badges.csv")
    path.write_bytes(_sheet(["id", "name"], ["p001", typed]))
    (item,) = badge_items(path, "Cup").items
    assert isinstance(item.content, kinds.Badge)
    sealed = seal.sealed(item.kind, item.content, bytes(7), 1, bytes(seal.KEY_BYTES))
    assert codec.decode(codec.encode(sealed)).content == item.content
    assert item.content.name == within(item.name, LONGEST_TEXT)
    return item.name


def _entered(typed: str) -> str:
    (added,) = add_players(TournamentState(), [Entrant(id="p001", name=typed)])
    return added.player.name  # type: ignore[union-attr]


DOORS: dict[str, Callable[[str], str]] = {
    "page": _page,
    "phone": _phone,
    "desk": lambda typed: Form.of("add", {"name": ""}).read([("name", typed)]).name,
    "log, JSON, service": _entered,
    "list": lambda typed: parse_players(_sheet(["name"], [typed]), "x")[0].name,
    "pasted list": lambda typed: parse_pasted(f'"{typed}"', "x")[0].name,
    "badges": _badges,
}
BLIND = {("two lines", "pasted list"), ("half a pair", "list"), ("half a pair", "badges")}
"""A line is a name there; and no file, page or tag in UTF-8 holds half a pair."""


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", NAMES)
def test_every_door_takes_every_name(kind: str, door: str) -> None:
    typed, name, letters = NAMES[kind]
    assert DOORS[door](typed) == (name or typed)
    assert len(graphemes(name or typed)) == letters
    assert shown(name or typed) == (name or typed)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", REFUSED)
def test_no_door_takes_what_is_not_seen(kind: str, door: str) -> None:
    if (kind, door) in BLIND:
        return
    with pytest.raises((UserError, UnicodeEncodeError)) as refused:
        DOORS[door](REFUSED[kind])
    assert isinstance(refused.value, UserError) or kind == "half a pair"


@pytest.mark.parametrize("door", ["page", "phone"])
def test_at_a_table_a_name_has_twenty_letters(door: str) -> None:
    for letter in ("A", "\uae40", FAMILY, KISS):
        assert DOORS[door](letter * 20) == letter * 20
        with pytest.raises(UserError) as refused:
            DOORS[door](letter * 21)
        assert str(refused.value).endswith("has 21 characters; 20 are possible")
    with pytest.raises(UserError):
        DOORS[door]("\u00a0")


def test_the_command_line_enters_every_name(tmp_path: Path) -> None:
    there = ["tournament", "--db", str(tmp_path / "cup.db")]
    run = CliRunner().invoke
    assert run(schiri, [*there, "new", "Cup"]).exit_code == 0
    for typed, _, _ in NAMES.values():
        added = run(schiri, [*there, "add", "--", typed])
        assert added.exit_code == 0, added.output
    told = json.loads(run(schiri, [*there, "players", "--json"]).stdout)
    assert [one["name"] for one in told] == [name or typed for typed, name, _ in NAMES.values()]


def test_the_box_shows_what_its_font_has() -> None:
    """And fails on nothing; who is called alike there has the number of the seat."""
    names = [within(name or typed, LONGEST_TEXT) for typed, name, _ in NAMES.values()]
    for name in names:
        for font_size in ("text", "large"):
            display = FakeDisplay()
            getattr(Canvas(display.frame), font_size)(0, 0, short_name([name, "B"], 0))
        assert len(short_name([name, "B"], 0)) <= ON_SCREEN
    called = [short_name(names, seat) for seat in range(len(names))]
    assert len({*called}) == len(called)


def test_a_name_is_cut_between_letters() -> None:
    assert within(FAMILY * 20, LONGEST_TEXT) == FAMILY * 2  # 25 bytes each
    assert within("\uae40" * 20, LONGEST_TEXT) == "\uae40" * 20
    assert within("A" * 59 + "\u00e9", LONGEST_TEXT) == "A" * 59
    assert shown(FAMILY * 81) == FAMILY * 79 + "\u2026"


def test_a_box_is_told_shorter_names_rather_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight players with long Indic names: 6 bytes a code point in the request."""
    key = SimpleNamespace(sign=lambda purpose, text: bytes(64))
    monkeypatch.setattr(assigning, "load_desk_key", lambda: key)
    fields = {"id": "cup/A-1", "title": "A-1", "box": "b1", "issued": 1}
    hindi = NAMES["Hindi"][0]
    for name, most in (("Anna", 4), (hindi * 4, 3)):
        seats = [{"id": f"p{number:03}", "name": name} for number in range(8)]
        text = assigning._signed({**fields, "seats": seats})["assignment"]
        told = json.loads(trade_quotes(text))
        assert {one["name"] for one in told["seats"]} == {"".join(graphemes(name)[:most])}
