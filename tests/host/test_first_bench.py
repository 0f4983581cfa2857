"""`schiri box report`: what is packed, what is said of it, and what never gets into it."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from host_tools.box.bringup import first_bench
from host_tools.box.bringup.measuring import VSYS_MV
from host_tools.cli import schiri
from host_tools.core.errors import UserError

MAKER, PLACE = 0x010F, 0x8825  # Exif: Make, and the table of the place


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def packed(*more: str, answers: str = "") -> Result:
    return CliRunner().invoke(schiri, ["box", "report", *more], input=answers)


def held(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def photo(path: Path, kind: str) -> Path:
    """A picture as a phone makes it: with a maker and a place."""
    picture = Image.new("RGB", (32, 24), (200, 30, 30))
    exif = Image.Exif()
    exif[MAKER] = "Somebody's phone"
    exif.get_ifd(PLACE)[2] = (48.0, 8.0, 1.0)
    picture.save(path, kind, exif=exif, comment="taken at home")
    assert b"phone" in path.read_bytes()
    return path


def test_there_are_twelve_and_each_is_whole() -> None:
    assert len(first_bench.measurements()) == 12
    assert len(set(first_bench.names())) == len(first_bench.names())
    for one in first_bench.measurements():
        assert one.low is not None or one.high is not None
        assert one.unit in ("ohm", "volt", "milliampere")
        assert all(words[lang] for words in one.said.values() for lang in ("de", "en"))


def test_the_page_and_the_box_judge_vsys_alike() -> None:
    vsys = next(one for one in first_bench.measurements() if one.id == "vsys")
    assert vsys.low is not None
    assert 1000 * vsys.low == VSYS_MV[0]
    assert not vsys.is_right(3.99)
    assert vsys.is_right(4.0)


def test_all_of_it_in_one_file(tmp_path: Path) -> None:
    """A bring-up with a league's key, a comparison, readings and two pictures."""
    bringup = {"box": "e6614c", "good": True, "key": "Annas Liga", "hmac": "00", "sha256": "11"}
    (tmp_path / "bringup.json").write_text(json.dumps(bringup), encoding="utf8")
    (tmp_path / "certify.json").write_text('{"heap": {"twin": 1, "box": 2}}', encoding="utf8")
    pictures = {"wiring": photo(tmp_path / "IMG_1.jpg", "JPEG")}
    pictures["strip"] = photo(tmp_path / "IMG_2.png", "PNG")
    told = [f"--photo={place}={path}" for place, path in pictures.items()]
    outcome = packed("--measured", "supply.3V3=3,31", "--measured", "short.3V3-GND=40", *told)
    assert outcome.exit_code == 0, outcome.output
    assert "short.3V3-GND is 40 ohm, right is >= 100." in outcome.output
    files = held(tmp_path / "schiri-bench.zip")
    assert sorted(files) == ["photos/strip.png", "photos/wiring.jpg", "report.json"]
    report = json.loads(files["report.json"])
    assert report["bringup"] == {"box": "e6614c", "good": True}
    assert report["certify"] == {"heap": {"twin": 1, "box": 2}}
    assert report["photos"]["wiring"] == "photos/wiring.jpg"
    assert report["photos"]["case"] is None
    rows = {f"{row['id']}.{row['reading']}": row for row in report["measurements"]}
    assert (rows["supply.3V3"]["value"], rows["supply.3V3"]["right"]) == (3.31, True)
    assert (rows["usb.VBUS"]["value"], rows["usb.VBUS"]["right"]) == (None, None)
    whole = (tmp_path / "schiri-bench.zip").read_bytes()
    for secret in (b"Annas", b"phone", b"home", b"IMG_1"):
        assert all(secret not in data for data in (whole, *files.values()))
    for name, place in (("photos/wiring.jpg", "wiring"), ("photos/strip.png", "strip")):
        sent = Image.open(io.BytesIO(files[name]))
        assert not sent.getexif()
        assert (
            sent.convert("RGB").tobytes() == Image.open(pictures[place]).convert("RGB").tobytes()
        )


def test_it_asks_for_each_reading(tmp_path: Path) -> None:
    """In German; what is no number is asked again, Enter leaves out."""
    readings = len(first_bench.names())
    outcome = packed("--lang", "de", answers="5k6\n5600\n" + "\n" * (readings - 1))
    assert outcome.exit_code == 0, outcome.output
    assert "Kein Kurzschluss der Versorgung" in outcome.output
    assert f"Messwerte: 1 von {readings}." in outcome.output
    report = json.loads(held(tmp_path / "schiri-bench.zip")["report.json"])
    assert report["measurements"][0]["value"] == 5600


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--bringup", "gone.json"], "gone.json"),
        (["--certify", "text.jpg"], "is no report"),
        (["--photo", "case=gone.jpg"], "gone.jpg"),
        (["--photo", "case=text.jpg"], "no JPEG or PNG"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_before_a_reading_is_typed(
    tmp_path: Path, more: list[str], said: str
) -> None:
    (tmp_path / "text.jpg").write_text("no picture", encoding="utf8")
    outcome = packed(*more, answers="5600\n" + "\n" * (len(first_bench.names()) - 1))
    assert isinstance(outcome.exception, UserError), outcome.output
    assert said in str(outcome.exception)
    assert outcome.output == ""


@pytest.mark.parametrize("value", ["nan", "-inf", "1e999", "", "3,3,1"])
def test_what_json_cannot_hold_or_is_no_number_is_refused(tmp_path: Path, value: str) -> None:
    outcome = packed("--measured", f"supply.3V3={value}")
    assert isinstance(outcome.exception, UserError)
    assert outcome.exception.sentence.key == "reading_no_number"
    assert not (tmp_path / "schiri-bench.zip").exists()


def test_the_same_bytes_again(tmp_path: Path) -> None:
    packed("--measured", "usb.VBUS=5.0", "-o", "one.zip")
    packed("--measured", "usb.VBUS=5.0", "-o", "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--measured", "usb.VUSB=5"], "there is no reading 'usb.VUSB'"),
        (["--measured", "usb.VBUS=five"], "'five' is no number"),
        (["--measured", "usb.VBUS=5", "--photo", "garden=a.jpg"], "there is no photo 'garden'"),
        (["--measured", "usb.VBUS=5", "--photo", "case=gone.jpg"], "gone.jpg"),
        (["--measured", "usb.VBUS=5", "--photo", "case=text.jpg"], "no JPEG or PNG"),
        (["--measured", "usb.VBUS=5", "--bringup", "text.jpg"], "is no report"),
        (["--measured", "usb.VBUS=5", "--certify", "gone.json"], "gone.json"),
    ],
)
def test_a_slip_is_one_sentence_and_no_file(tmp_path: Path, more: list[str], said: str) -> None:
    (tmp_path / "text.jpg").write_text("no picture", encoding="utf8")
    outcome = packed(*more)
    assert isinstance(outcome.exception, UserError), outcome.output
    assert outcome.exception.exit_code == 2
    assert said in str(outcome.exception)
    assert not (tmp_path / "schiri-bench.zip").exists()
