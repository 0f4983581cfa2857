"""A role is not passed by spelling, neither of a value nor of an address. Every form of every
operation is in `make test-long`; here are those in which a value takes a bigger role.
"""

from collections import Counter
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from host_tools.core.errors import UserError
from host_tools.core.texts import LANGS, TEXTS
from host_tools.tournament.fields import FIELDS, FLAG, Choice, Form, Whole
from host_tools.tournament.operations import OPERATIONS
from host_tools.tournament.rights import Role
from tests.host.spelled import (
    HARMLESS,
    SPELLINGS,
    VALUES,
    Judging,
    addresses,
    attempts,
    doubled,
    hand_in,
    judge_no_state,
    judge_raw,
    may,
)
from tests.host.test_desk_roles import (  # noqa: F401 - two are fixtures
    CASES,
    Case,
    Sessions,
    desk,
    files_of,
    id_of,
    prepared,
    ready,
    sessions,
)

TRIED = ("enter", "no_show", "remove_player")
ONE_IN = 50
"""So many forms go straight to where requests end, and then one through the app."""
ROLES: tuple[Role, ...] = ("viewer", "desk")


def spelled(value: str) -> set[str]:
    """Everything that looks like the value and is not."""
    return {spell(value) for spell in SPELLINGS.values()} - {value}


class Attack:
    """One operation, by whoever may not do it: `tried` in which way, and what `passed`."""

    def __init__(self, case: Case, day: Path, folder: Path, known: Sessions) -> None:
        service, self._form = ready(case, day, folder)
        service.close()
        self._name, self._day, self._sessions = case.action, day, known
        self._service = Judging.open(str(folder / "day.db"), clock=service.clock)
        self._files = files_of(self._form)
        self.tried: Counter[str] = Counter()
        self.passed: list[str] = []
        self.reached = False
        """The jury got through: it was the role that stood in the way."""

    def run(self) -> "Attack":
        path = f"/desk/do/{self._name}"
        pairs = [
            (name, text)
            for name, texts in self._form.items()
            for text in (texts if isinstance(texts, list) else [texts])
        ]
        with desk(self._day, self._service) as browser:
            self._send(browser(self._sessions["jury"]), path, [*pairs, *self._token("jury")])
            self.reached = bool(self._service.taken())
            nobody = browser(self._sessions[None])
            for role in ROLES:
                client = browser(self._sessions[role])
                for number, (label, spelled_pairs) in enumerate(attempts(self._name, pairs)):
                    if number % ONE_IN:
                        hand_in(self._service, role, self._name, spelled_pairs)
                    else:
                        self._send(client, path, [*spelled_pairs, *self._token(role)])
                    self._judge(role, label, "form")
                for address in addresses(self._name):
                    self._send(client, address, [*pairs, *self._token(role)])
                    self._judge(role, address, "address")
                    self._send(nobody, address, [*pairs, *self._token(None)])
                    self._judge(None, address, "address")
        return self

    def _token(self, role: str | None) -> list[tuple[str, str]]:
        return [("csrf", self._sessions[role].csrf)]

    def _send(self, client: TestClient, path: str, pairs: list[tuple[str, str]]) -> None:
        data: dict[str, list[str]] = {}
        for key, value in pairs:
            data.setdefault(key, []).append(value)
        client.post(path, data=data, files=self._files)

    def _judge(self, role: Role | None, what: str, kind: str) -> None:
        self.tried[kind] += 1
        made = self._service.taken()
        if not all(role and may(role, body, self._service, self._name) for body in made):
            self.passed.append(f"{role}: {self._name}, {what}")


@pytest.mark.parametrize(
    "case",
    [c if c.action in TRIED else pytest.param(c, marks=pytest.mark.long) for c in CASES],
    ids=id_of,
)
def test_no_spelling_gets_through_that_the_exact_value_or_address_would_not(
    case: Case,
    prepared: Path,  # noqa: F811
    sessions: Sessions,  # noqa: F811
    tmp_path: Path,
) -> None:
    attack = Attack(case, prepared, tmp_path, sessions).run()
    assert attack.reached
    assert attack.passed == []
    spellings = len(SPELLINGS) + len(doubled("kind", "excluded"))
    fields = len(OPERATIONS[case.action].form.fields)
    assert attack.tried["form"] >= len(ROLES) * fields * len(VALUES) * spellings
    assert attack.tried["address"] == 2 * len(ROLES) * len(addresses("call"))


FAULTS = {"raw": (judge_raw, "enter"), "no state": (judge_no_state, "check")}
"""What is put in, and the operation with an excluded player at which it shows."""


@pytest.mark.thorough
@pytest.mark.parametrize("fault", FAULTS)
def test_a_desk_that_judges_something_else_is_found_out(
    fault: str,
    prepared: Path,  # noqa: F811
    sessions: Sessions,  # noqa: F811
    tmp_path: Path,
) -> None:
    put, action = FAULTS[fault]
    (case,) = (one for one in CASES if one.action == action and "excluded" in one.value)
    with put():
        assert Attack(case, prepared, tmp_path, sessions).run().passed != []


def test_every_value_that_takes_a_bigger_role_is_tried() -> None:
    taken = {
        str(int(value) if value is True else value)
        for row in OPERATIONS.values()
        for values in row.values.values()
        for value in values
    }
    assert taken <= set(VALUES)
    fields = {
        name for row in OPERATIONS.values() for name in row.values if name in row.form.fields
    }
    assert fields == set(HARMLESS)


# -- the door -------------------------------------------------------------------------------------

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
