"""League keys: their file, its rights, and the commands."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from card_tags.seal import tag_key_id
from host_tools.cards.keys import KeyRing, LeagueKey, load_keys, new_key, save_keys
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.core.own_files import write_for_owner
from tests.sampling import Sample


def keys(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(schiri, ["keys", "--file", str(path), *arguments])


def test_new_show_export_import(tmp_path: Path) -> None:
    path, copy, other = tmp_path / "a/keys.json", tmp_path / "copy.json", tmp_path / "b.json"
    assert keys(path, "new", "league-2026").exit_code == 0
    assert keys(path, "new", "league-2027").exit_code == 0
    ring = load_keys(path)
    assert [key.name for key in ring.keys] == ["league-2026", "league-2027"]
    assert ring.current.name == "league-2027"
    shown = keys(path, "show").output
    assert "league-2027 (seals new cards)" in shown
    assert all(key.secret.hex() not in shown for key in ring.keys)
    told = keys(path, "show", "--json").output
    assert [(key["name"], key["current"]) for key in json.loads(told)] == [
        ("league-2026", False),
        ("league-2027", True),
    ]
    assert all(key.secret.hex() not in told for key in ring.keys)
    assert keys(path, "export", "-o", str(copy), "--name", "league-2026").exit_code == 0
    assert keys(other, "import", str(copy)).exit_code == 0
    assert load_keys(other).by_number() == {ring.keys[0].number: ring.keys[0].secret}
    for file in (path, copy, other):
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_others_may_read_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys(path, "new", "x")
    os.chmod(path, 0o640)
    with pytest.raises(UserError, match="chmod 600"):
        load_keys(path)


def secret_in(path: Path) -> bytes | str:
    """The newest key, or the middle of the sentence that refuses the file."""
    try:
        return load_keys(path).current.secret
    except UserError as error:
        return str(error).split(": ")[1].split(";")[0]


def test_any_bit_flipped_in_a_key_file_never_makes_another_key(
    tmp_path: Path, sampled: Sample
) -> None:
    """Either the file is refused, or its keys are the same (a bit in a name of a field)."""
    path = tmp_path / "keys.json"
    keys(path, "new", "league")
    sound = path.read_bytes()
    secret = load_keys(path).current.secret
    refused = 0
    for bit in sampled(range(8 * len(sound))):
        bent = bytearray(sound)
        bent[bit // 8] ^= 1 << bit % 8
        path.write_bytes(bent)
        found = secret_in(path)
        assert found in (secret, "is not a key file"), bit
        refused += found != secret
    assert refused * sampled.step > 8 * 64, "every bit of the secret is seen"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"schiri_keys": 2, "keys": []}',
        '{"schiri_keys": 1, "keys": [{"name": 1}]}',
    ],
)
def test_a_damaged_file_is_said_to_be_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content, encoding="utf8")
    path.chmod(0o600)
    with pytest.raises(UserError, match="is not a key file"):
        load_keys(path)


def test_without_a_key_the_sentence_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="schiri keys new"):
        _ = load_keys(tmp_path / "none.json").current


def test_a_second_key_of_the_same_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys(path, "new", "x")
    assert isinstance(keys(path, "new", "x").exception, UserError)
    assert len(load_keys(path).keys) == 1


def test_numbers_are_1_to_255_and_belong_to_the_key() -> None:
    numbers = {tag_key_id(bytes([value]) * 32) for value in range(256)}
    assert min(numbers) >= 1
    assert max(numbers) <= 255
    ring = KeyRing()
    assert len({new_key(ring, str(number)).number for number in range(50)}) == 50


def test_an_import_that_is_refused_tells_of_no_key(tmp_path: Path) -> None:
    """The second key of the file is there already: the first one is not taken either."""
    path, source = tmp_path / "keys.json", tmp_path / "copy.json"
    save_keys(KeyRing([LeagueKey("b", bytes(32))]), path)
    save_keys(KeyRing([LeagueKey("a", bytes(range(32))), LeagueKey("b", bytes(32))]), source)
    refused = keys(path, "import", str(source))
    assert isinstance(refused.exception, UserError)
    assert refused.exception.sentence.key == "key_exists"
    assert refused.output == ""
    assert [key.name for key in load_keys(path).keys] == ["b"]


def test_a_key_does_not_show_itself(tmp_path: Path) -> None:
    key = LeagueKey("x", bytes(range(32)))
    assert "0102" not in repr(key)
    assert r"\x01" not in repr(key)


def test_an_interrupted_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    save_keys(KeyRing([LeagueKey("x", bytes(32))]), path)
    (tmp_path / f"keys.json.{os.getpid()}.new").write_text("half", encoding="utf8")
    save_keys(KeyRing([LeagueKey("y", bytes(32))]), path)
    assert json.loads(path.read_text(encoding="utf8"))["keys"][0]["name"] == "y"


def test_two_programs_may_save_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two desks that start together both write the users' file."""
    path, fsync = tmp_path / "users.json", os.fsync

    def meanwhile(handle: int) -> None:
        fsync(handle)
        monkeypatch.undo()
        monkeypatch.setattr(os, "getpid", lambda: 1)
        write_for_owner(path, b"the other's")

    monkeypatch.setattr(os, "fsync", meanwhile)
    write_for_owner(path, b"ours")
    assert path.read_bytes() == b"ours"
    assert [found.name for found in tmp_path.iterdir()] == ["users.json"]


# -- the lives of keys ----------------------------------------------------------------------------


def test_a_key_is_chosen_retired_and_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    for name in ("old", "new"):
        keys(path, "new", name)
    assert keys(path, "use", "old").exit_code == 0
    assert load_keys(path).current.name == "old"
    assert keys(path, "retire", "old").exit_code == 0
    ring = load_keys(path)
    assert ring.current.name == "new"
    assert len(ring.by_number()) == 2  # what it has sealed is read as before
    assert "old (retired)" in keys(path, "show").output
    assert keys(path, "retire", "new").exit_code == 0
    refused = keys(path, "export", "-o", str(tmp_path / "out"))
    assert isinstance(refused.exception, UserError)
    assert refused.exception.sentence.key == "key_all_retired"
    assert keys(path, "use", "old").exit_code == 0
    assert load_keys(path).current.name == "old"


def test_a_key_goes_only_when_it_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    keys(path, "new", "try-out")
    asked = CliRunner().invoke(schiri, ["keys", "--file", str(path), "remove", "try-out"], "n\n")
    assert "count as unsealed" in asked.output
    assert [key.name for key in load_keys(path).keys] == ["try-out"]
    assert keys(path, "remove", "try-out", "--sure").exit_code == 0
    assert load_keys(path).keys == []


@pytest.mark.parametrize("name", ["", " ", " x", "x ", "a\tb", "\x1b[2J", "\u202e", "x" * 41])
def test_a_name_that_no_list_can_show_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "keys.json"
    refused = keys(path, "new", name)
    assert isinstance(refused.exception, UserError)
    assert refused.exception.sentence.key == "key_name"
    assert not path.exists()
