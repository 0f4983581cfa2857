"""Settings on the flash: defaults, both files damaged or one, values of another firmware."""

from pathlib import Path

from firmware.app.flash import Flash
from firmware.app.settings import SETTINGS, Settings
from tests.sampling import Sample


def settings_in(folder: Path) -> Settings:
    return Settings(Flash(str(folder)))


def test_a_new_box_has_the_first_values(tmp_path: Path) -> None:
    assert settings_in(tmp_path).all() == {
        "name": "",
        "table": 0,
        "language": "de",
        "volume": 2,
        "sealed_only": False,
        "screen": 0,
        "screen_fast": True,
        "keep_alive": False,
    }
    assert settings_in(tmp_path).key() is None


def test_every_flipped_bit_gives_the_settings_before_never_wrong_ones(
    tmp_path: Path, sampled: Sample
) -> None:
    settings = settings_in(tmp_path)
    settings.set({"name": "old"})
    settings.set({"name": "new"})
    newest = next(path for path in tmp_path.glob("settings.*") if b"new" in path.read_bytes())
    sound = newest.read_bytes()
    for bit in sampled(range(8 * len(sound))):
        flipped = bytearray(sound)
        flipped[bit // 8] ^= 1 << bit % 8
        newest.write_bytes(flipped)
        assert settings_in(tmp_path).get("name") == "old", bit


def test_any_bit_flipped_in_the_newest_key_leaves_the_old_key(
    tmp_path: Path, sampled: Sample
) -> None:
    settings = settings_in(tmp_path)
    settings.set_key(bytes([1]) * 32)
    settings.set_key(bytes([2]) * 32)
    newest = next(p for p in tmp_path.glob("key.*") if b"0202" in p.read_bytes())
    sound = newest.read_bytes()
    for bit in sampled(range(8 * len(sound))):
        bent = bytearray(sound)
        bent[bit // 8] ^= 1 << bit % 8
        newest.write_bytes(bent)
        assert settings_in(tmp_path).key() == bytes([1]) * 32, bit


def test_with_both_files_gone_bad_the_box_starts_with_the_first_values(tmp_path: Path) -> None:
    settings_in(tmp_path).set({"name": "x"})
    for path in tmp_path.glob("settings.*"):
        path.write_bytes(b"rubbish")
    assert settings_in(tmp_path).get("name") == SETTINGS["name"][0]


def test_unknown_and_impossible_values_of_another_firmware_are_left_out(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    settings._file.store('{"table": 9, "volume": 77, "colour": "red"}')
    again = settings_in(tmp_path)
    assert (again.get("table"), again.get("volume")) == (9, 2)
    assert "colour" not in again.all()


def test_after_a_damaged_newest_file_the_next_change_counts(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    settings.set({"name": "old"})
    settings.set({"name": "new"})
    for path in tmp_path.glob("settings.*"):
        if b"new" in path.read_bytes():
            path.write_bytes(b"")
    settings_in(tmp_path).set({"table": 5})
    assert settings_in(tmp_path).all()["table"] == 5
