"""What the desks of a database have enrolled: lines are added and revoked, never taken away."""

from collections.abc import Callable
from pathlib import Path

import pytest

from host_tools.cards.public_keys import SigningKey, read_list
from host_tools.core.errors import UserError
from host_tools.store import open_store
from host_tools.store.enrolled import EnrolledKeys
from host_tools.store.store import Store

FIRST, SECOND = SigningKey(bytes(31) + b"\x07"), SigningKey(bytes(31) + b"\x08")


class Clock:
    """Unix time that a test sets."""

    now = 1000.9

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(store: Store, clock: Clock) -> EnrolledKeys:
    return EnrolledKeys(store.engine, store.errors, clock)


def why(do: Callable[[], object]) -> str:
    with pytest.raises(UserError) as refused:
        do()
    return refused.value.sentence.key


def test_a_key_is_enrolled_once(keys: EnrolledKeys) -> None:
    assert keys.of("b1") == []
    assert keys.enrol("b1", FIRST.public, "Anna")
    assert not keys.enrol("b1", FIRST.public, "Ben")
    (line,) = keys.of("b1")
    assert (line.box, line.public, line.since, line.by) == ("b1", FIRST.public, 1000, "Anna")
    assert line.revoked is None


def test_a_new_key_comes_behind_the_old_one_which_stays(keys: EnrolledKeys, clock: Clock) -> None:
    keys.enrol("b1", FIRST.public, "Anna")
    clock.now = 900.0  # set back meanwhile
    keys.enrol("b1", SECOND.public, "Anna")
    assert [(line.id, line.since) for line in keys.of("b1")] == [
        (FIRST.id, 1000),
        (SECOND.id, 1001),
    ]


def test_one_key_in_two_boxes_is_a_copied_flash(keys: EnrolledKeys) -> None:
    keys.enrol("b1", FIRST.public, "Anna")
    assert why(lambda: keys.enrol("b2", FIRST.public, "Anna")) == "public_key_elsewhere"
    assert keys.of("b2") == []


def test_a_revoked_key_stays_and_does_not_come_back(keys: EnrolledKeys, clock: Clock) -> None:
    keys.enrol("b1", FIRST.public, "Anna")
    clock.now = 2000.0
    assert keys.revoke(FIRST.id[:4] + " " + FIRST.id[4:], "Ben").revoked == 2000
    assert [line.revoked for line in keys.of("b1")] == [2000]
    assert why(lambda: keys.revoke(FIRST.id, "Ben")) == "public_key_revoked"
    assert why(lambda: keys.enrol("b1", FIRST.public, "Anna")) == "public_key_revoked"
    assert why(lambda: keys.revoke("0" * 16, "Ben")) == "public_key_unknown"


def test_it_is_not_revoked_before_it_was_there(keys: EnrolledKeys, clock: Clock) -> None:
    keys.enrol("b1", FIRST.public, "Anna")
    clock.now = 10.0
    assert keys.revoke(FIRST.id, "Ben").revoked == 1000


@pytest.mark.parametrize("box", ["B1", " b1", "b1 ", "b\u043b"])
def test_ids_that_are_none(keys: EnrolledKeys, box: str) -> None:
    assert why(lambda: keys.enrol(box, FIRST.public, "Anna")) == "box_id_bad"


def test_ids_that_people_may_confuse(keys: EnrolledKeys) -> None:
    keys.enrol("box-1", FIRST.public, "Anna")
    assert why(lambda: keys.enrol("box-l", SECOND.public, "Anna")) == "box_id_alike"
    assert [line.box for line in keys.all().keys] == ["box-1"]


@pytest.mark.parametrize("by", ["", " Anna", "An\u202ena", "x" * 81])
def test_people_have_names_that_a_list_can_show(keys: EnrolledKeys, by: str) -> None:
    assert why(lambda: keys.enrol("b1", FIRST.public, by)) == "key_name"


def test_desks_of_one_database_share_the_list(tmp_path: Path) -> None:
    one, other = open_store(str(tmp_path / "a.db")), open_store(str(tmp_path / "a.db"))
    one.enrolled.enrol("b1", FIRST.public, "Anna")
    assert [line.id for line in other.enrolled.of("b1")] == [FIRST.id]


def test_the_published_list_is_signed_by_this_desk(store: Store) -> None:
    store.enrolled.enrol("b1", FIRST.public, "Anna")
    found = read_list(store.enrolled.published())
    desk = store.enrolled.desk()
    assert found.signer == desk.id
    assert [(key.box, key.id) for key in found.keys] == [("", desk.id), ("b1", FIRST.id)]
    store.enrolled.revoke(desk.id, "Anna")
    assert why(store.enrolled.published) == "public_key_revoked"
