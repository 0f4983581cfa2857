"""A role is not passed by spelling, neither of a value nor of an address: a form holds the exact
value or is refused, and nothing but the exact address does anything. What each exact value takes
is in test_desk_roles.py.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.core.errors import UserError
from host_tools.core.texts import LANGS, TEXTS
from host_tools.tournament.fields import FIELDS, FLAG, Choice, Form, Whole
from tests.host.test_desk_roles import (  # noqa: F401 - two are fixtures
    CASES,
    Sessions,
    desk,
    prepared,
    ready,
    sessions,
)

_WIDE = {ord(char): ord(char) + 0xFEE0 for char in "0123456789abcdefghijklmnopqrstuvwxyz"}
_BOLD = {ord("a") + place: 0x1D41A + place for place in range(26)} | {ord("1"): 0x1D7CF}
_LIKE = str.maketrans({"e": "\u0435", "o": "\u043e", "c": "\u0441", "1": "\u0661", "j": "\u0458"})

# how a value is spelled: name -> value -> text
SPELLINGS: dict[str, Callable[[str], str]] = {
    "a space before": lambda v: f" {v}",
    "a space behind": lambda v: f"{v} ",
    "spaces around": lambda v: f"  {v}  ",
    "a tab before": lambda v: f"\t{v}",
    "a tab behind": lambda v: f"{v}\t",
    "a line before": lambda v: f"\n{v}",
    "a line behind": lambda v: f"{v}\n",
    "a carriage return": lambda v: f"{v}\r",
    "a vertical tab": lambda v: f"\x0b{v}",
    "a form feed": lambda v: f"{v}\x0c",
    "next line U+0085": lambda v: f"\x85{v}",
    "NBSP before": lambda v: f"\xa0{v}",
    "NBSP behind": lambda v: f"{v}\xa0",
    "em space": lambda v: f"\u2003{v}",
    "ideographic space": lambda v: f"{v}\u3000",
    "line separator": lambda v: f"{v}\u2028",
    "NUL before": lambda v: f"\x00{v}",
    "NUL inside": lambda v: f"{v[:1]}\x00{v[1:]}",
    "NUL behind": lambda v: f"{v}\x00",
    "zero-width space before": lambda v: f"\u200b{v}",
    "zero-width space inside": lambda v: f"{v[:1]}\u200b{v[1:]}",
    "zero-width joiner": lambda v: f"{v[:1]}\u200d{v[1:]}",
    "zero-width non-joiner": lambda v: f"{v}\u200c",
    "byte order mark": lambda v: f"\ufeff{v}",
    "right to left": lambda v: f"\u202e{v}",
    "soft hyphen": lambda v: f"{v[:1]}\xad{v[1:]}",
    "word joiner": lambda v: f"{v}\u2060",
    "variation selector": lambda v: f"{v}\ufe0f",
    "upper case": str.upper,
    "title case": str.title,
    "swapped first letter": lambda v: v[:1].swapcase() + v[1:],
    "full width": lambda v: v.translate(_WIDE),
    "mathematical bold": lambda v: v.translate(_BOLD),
    "look-alikes": lambda v: v.translate(_LIKE),
    "an accent": lambda v: f"{v}\u0301",
    "sixty accents": lambda v: v + "\u0301" * 60,
    "percent-encoded again": lambda v: "".join(f"%{ord(char):02x}" for char in v),
    "an encoded space": lambda v: f"%20{v}",
    "an entity": lambda v: f"&#{ord(v[:1])};{v[1:]}",
    "an escape": lambda v: f"\\u{ord(v[:1]):04x}{v[1:]}",
    "quoted": lambda v: f'"{v}"',
    "a list in JSON": lambda v: f'["{v}"]',
    "one of two": lambda v: f"{v},{v}",
    "a number of another form": lambda v: f"0{v}",
    "a float": lambda v: f"{v}.0",
    "a sign": lambda v: f"+{v}",
    "true": lambda v: "true" if v == "1" else f"{v}\\",
}


def spelled(value: str) -> set[str]:
    """Everything that looks like the value and is not."""
    return {spell(value) for spell in SPELLINGS.values()} - {value}


def addresses(name: str) -> list[str]:
    """What looks like the address of an operation, and is or is not."""
    path, first = f"/desk/do/{name}", f"%{ord(name[0]):02x}{name[1:]}"
    behind = ("/", "%20", "%00", "%e2%80%8b", ";x", "?role=jury", "#", "/.", ".json")
    spelled = [path + more for more in behind]
    around = ("//", "/./", "/x/../", "/%2e/", "/%20")
    spelled += [f"/desk/do{more}{name}" for more in around]
    return [*spelled, f"/desk/do/{name.upper()}", f"/desk/do/{first}", f"/DESK/do/{name}"]


@pytest.mark.parametrize("role", [None, "viewer", "desk"])
def test_no_other_address_does_what_the_exact_one_may_not(
    prepared: Path,  # noqa: F811
    sessions: Sessions,  # noqa: F811
    tmp_path: Path,
    role: str | None,
) -> None:
    (case,) = (one for one in CASES if one.action == "draw")
    service, form = ready(case, prepared, tmp_path)
    before = service.last_seq()
    form["csrf"] = sessions[role].csrf
    with desk(prepared, service) as browser:
        client = browser(sessions[role])
        for address in addresses(case.action):
            client.post(address, data=form)
            assert service.last_seq() == before, address


FORM = Form.of("form", {"cards_a": 0, "kind": "played", "force": False, "name": "", "players": ()})


@pytest.mark.parametrize("flag", [name for name, field in FIELDS.items() if field.kind == FLAG])
def test_a_flag_is_1_or_nothing(flag: str) -> None:
    form = Form.of("flag", {flag: False})
    assert getattr(form.read([(flag, "1")]), flag) is True
    assert getattr(form.read([(flag, "")]), flag) is False
    for text in spelled("1"):
        with pytest.raises(UserError) as refused:
            form.read([(flag, text)])
        assert refused.value.sentence.key == "field_choice"


@pytest.mark.parametrize(
    "name", [name for name, field in FIELDS.items() if isinstance(field.kind, Choice)]
)
def test_a_choice_is_one_of_its_values_exactly(name: str) -> None:
    form, values = Form.of("choice", {name: None}), FIELDS[name].choices
    for value in filter(None, values):
        assert getattr(form.read([(name, value)]), name) == value
        for text in spelled(value):
            with pytest.raises(UserError):
                form.read([(name, text)])


@pytest.mark.parametrize(
    ("typed", "number"),
    [("20", 20), (" 20 ", 20), ("0", 0), ("007", 7), ("999999999", 999_999_999)],
)
def test_a_number_is_read_as_people_write_it(typed: str, number: int) -> None:
    assert FORM.read([("cards_a", typed)]).cards_a == number


@pytest.mark.parametrize(
    "typed",
    [
        *("1e999", "1" + "0" * 400, "9" * 10, "-1", "+1", "1.0", "0x10", "1_000", "NaN", "inf"),
        *("２０", "٢٠", "²", "20\x00", "\xa020", "20\u200b", "\t20", "2 0", "twenty"),
    ],
)
def test_a_number_is_digits_and_not_too_many(typed: str) -> None:
    with pytest.raises(UserError) as refused:
        FORM.read([("cards_a", typed)])
    assert refused.value.sentence.key == "form_number"


@pytest.mark.parametrize("name", [n for n, f in FIELDS.items() if isinstance(f.kind, Whole)])
def test_a_number_has_its_limits(name: str) -> None:
    kind, form = FIELDS[name].kind, Form.of("number", {name: None})
    assert isinstance(kind, Whole)
    for outside in [kind.least - 1] * (kind.least > 0):
        with pytest.raises(UserError, match="from 1 to"):
            form.read([(name, str(outside))])


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Anna Egli", "Anna Egli"),
        (" Anna \u00a0 Egli\t", "Anna Egli"),
        ("Zoe\u0308", "Zoë"),  # composed
        ("\u0646\u0627\u0645\u200c\u0647", "\u0646\u0627\u0645\u200c\u0647"),  # how it is spelled
        ("Þór", "Þór"),
        ("O'Neil-Łódź 3", "O'Neil-Łódź 3"),
    ],
)
def test_a_name_is_read_as_people_mean_it(typed: str, name: str) -> None:
    assert FORM.read([("name", typed)]).name == name


@pytest.mark.parametrize(
    "typed",
    [
        *("An\u200bna", "Anna\u2028Egli", "Anna\u202egro", "An\xadna", "Anna\x00", "\x1b[2J"),
        *("Anna\u200d", "\ufeffAnna", "Anna\nEgli", "\u3164", "Anna\u2060", "\ue000"),
        "Anna" + "\u0301" * 60,
        "A" * 81,
    ],
)
def test_a_name_holds_nothing_that_is_not_seen(typed: str) -> None:
    with pytest.raises(UserError) as refused:
        FORM.read([("name", typed)])
    assert refused.value.sentence.key == "text_fault"


@pytest.mark.parametrize(
    ("pairs", "key"),
    [
        ([("kind", "played"), ("kind", "excluded")], "field_twice"),
        ([("kind", "excluded"), ("kind", "played")], "field_twice"),
        ([("force", ""), ("force", "1")], "field_twice"),
        ([("kind[]", "excluded")], "field_unknown"),
        ([("Kind", "excluded")], "field_unknown"),
        ([("force ", "1")], "field_unknown"),
        ([("kind", b"excluded")], "field_unknown"),
    ],
)
def test_a_field_is_given_once_and_by_its_name(
    pairs: list[tuple[str, str | bytes]], key: str
) -> None:
    with pytest.raises(UserError) as refused:
        FORM.read(pairs)
    assert refused.value.sentence.key == key


def test_what_may_come_more_than_once_does() -> None:
    assert FORM.read([("players", "p001"), ("players", "p002")]).players == ("p001", "p002")


@pytest.mark.parametrize("lang", LANGS)
def test_every_field_has_a_name_for_people(lang: str) -> None:
    labels = {field.label or name for name, field in FIELDS.items() if field.kind != FLAG}
    assert labels <= set(TEXTS[lang])
