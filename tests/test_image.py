"""`make image`: which sources it takes, and what is frozen beside MicroPython. Building itself
needs a compiler for the chip and some minutes; what comes out is run by `make test-pico`.
"""

import subprocess
from pathlib import Path

import pytest

from host_tools.box.firmware.build import Build, BuiltFile, compiled, find_mpy_cross
from host_tools.core.errors import UserError
from tools import image

LONG = "a_name_of_more_letters_than_mpy_tool_interns"


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run(["git", *who, "-C", folder, *words], check=True, capture_output=True)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """What looks like MicroPython at the tag."""
    folder = tmp_path / "micropython"
    for path in ("ports/rp2/main.c", *(f"lib/{name}/x.c" for name in image.LIBRARIES)):
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_text("int x;\n")
    git(tmp_path, "init", "-q", str(folder))
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    git(folder, "tag", "-am", "it", image.TAG)
    return folder


def refusal(folder: Path) -> str:
    with pytest.raises(UserError) as caught:
        image.check_sources(folder)
    return str(caught.value)


def test_sources_at_the_tag_are_taken(sources: Path) -> None:
    image.check_sources(sources)


def test_a_changed_file_is_refused(sources: Path) -> None:
    (sources / "ports/rp2/main.c").write_text("int y;\n")
    assert f"is at {image.TAG}-dirty" in refusal(sources)


def test_another_commit_is_refused(sources: Path) -> None:
    git(sources, "commit", "-q", "--allow-empty", "-m", "two")
    assert f"is at {image.TAG}-1-g" in refusal(sources)
    assert f"git checkout {image.TAG}" in refusal(sources)


def test_a_folder_without_micropython_is_refused(tmp_path: Path) -> None:
    assert "holds no MicroPython" in refusal(tmp_path)


@pytest.mark.parametrize("name", image.LIBRARIES)
def test_a_library_that_was_not_fetched_is_named(sources: Path, name: str) -> None:
    git(sources, "rm", "-rq", f"lib/{name}")
    (sources / "lib" / name).mkdir(exist_ok=True)
    git(sources, "commit", "-qm", "two")
    git(sources, "tag", "-fam", "it", image.TAG)
    assert f"lib/{name} is empty" in refusal(sources)


def test_without_the_compilers_it_says_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(image, "which", lambda program: None if "arm" in program else "/bin/x")
    with pytest.raises(UserError, match=r"Missing: arm-none-eabi-gcc\. On Debian: sudo apt"):
        image.images(tmp_path, "", [])
    assert not list(tmp_path.iterdir())


def test_the_names_of_a_module_are_those_that_it_brings_along() -> None:
    text = "class Pile:\n    def höher(self):\n        self.append(self.ober_karte, 'kurz')\n"
    names = image.names_in(compiled(find_mpy_cross(), "firmware/pile.py", text))
    assert {"Pile", "höher", "ober_karte", "kurz"} <= names
    assert "append" not in names, "every MicroPython has that one"


def test_every_name_is_frozen_once(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.mkdir()
    for name in ("a", "b"):
        text = f"def teil_{name}():\n    return gemeinsam.{LONG}\n"
        code = compiled(find_mpy_cross(), name, text)
        (box / f"{name}.mpy").write_bytes(code)
    built = Build(tmp_path, (BuiltFile("a.mpy", 1), BuiltFile("b.mpy", 1)), b"")
    image.write_names(built, tmp_path)
    frozen = (tmp_path / "names.mpy").read_bytes()
    assert frozen.count(b"gemeinsam") == 1
    assert {"gemeinsam", "teil_a", "teil_b", LONG} <= image.names_in(frozen)
