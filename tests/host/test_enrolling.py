"""`schiri box enrol`, `keys`, `revoke`, and `schiri keys desk`, `publish`, as people use them."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware.app.flash import Flash
from host_tools.box.bringup import report
from host_tools.box.link import BoxRefusal
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cards.public_keys import SigningKey, fingerprint, key_id, load_desk_key, read_list
from host_tools.cli import schiri
from host_tools.commands import enrolling
from host_tools.core import places
from host_tools.core.errors import Exit, UserError
from host_tools.store import open_store
from tests.support.memory_box import MemoryBox, play
from tools.schemas import fits

FIRST, SECOND = SigningKey(bytes(31) + b"\x07"), SigningKey(bytes(31) + b"\x08")
ENROL = ("box", "enrol", "--port", "here", "--by", "Anna")


class BoxWithKey:
    """The laptop's end of a box that has a key (docs/link.md)."""

    def __init__(self, box: str = "b1", key: SigningKey = FIRST) -> None:
        self.box, self.key, self.shown = box, key, ""
        self.asked: list[str] = []
        self.waiting, self.making = 0, 1

    def hello(self) -> dict[str, Any]:
        return {"box": self.box}

    def close(self) -> None:
        self.asked.append("close")

    def request(self, do: str, **fields: Any) -> dict[str, Any]:
        self.asked.append(do)
        if do == "status":
            return {"waiting": self.waiting}
        public = self.key.public.hex()
        if do == "key_make":
            assert fields == {"old": self.key.id}
            self.key, self.making = SECOND, 2
            return {"made": 0}
        if self.making:
            self.making -= 1
            return {"public": None, "made": 0, "desk": None}
        if do == "key_enrol":
            self.shown = f"{fields['name']} {fingerprint(bytes.fromhex(fields['desk']))}"
            desk = key_id(bytes.fromhex(fields["desk"]))
            return {"public": public, "key": self.key.id, "desk": desk}
        return {"public": public, "made": 1}


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> BoxWithKey:
    made = BoxWithKey()
    monkeypatch.setattr(enrolling, "open_link", lambda _port: made)
    monkeypatch.setattr(enrolling, "MAKING_S", 0)
    return made


def run(*words: str, answer: str = "") -> Result:
    done = CliRunner().invoke(schiri, words, input=answer)
    if done.exit_code == 0 and "--json" in words:
        assert fits(f"schiri {words[0]} {words[1]}", json.loads(done.stdout))
    return done


def why(done: Result) -> str:
    assert isinstance(done.exception, UserError), done.output
    return done.exception.sentence.key


def enrolled() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("box", "list", "--enrolled", "--json").stdout)
    return [line for line in found if line["box"]]


def test_a_person_compares_what_box_and_laptop_show(box: BoxWithKey) -> None:
    done = run(*ENROL, answer="y\n")
    assert done.exit_code == 0, done.output
    desk = load_desk_key()
    assert desk is not None
    assert f"Box b1 has the key {fingerprint(FIRST.public)}." in done.stderr
    assert f"This desk has the key {fingerprint(desk.public)}." in done.stderr
    assert box.shown == f"Schiri {fingerprint(desk.public)}"
    assert [(line["box"], line["id"], line["by"], line["revoked"]) for line in enrolled()] == [
        ("b1", FIRST.id, "Anna", None)
    ]
    assert box.asked[-1] == "close"


def test_results_of_before_are_verified_once_the_box_is_enrolled(
    box: BoxWithKey, tmp_path: Path
) -> None:
    """`schiri sync` has named the command; `schiri results` shows what became of them."""
    box.box = "b0c5"
    memory = MemoryBox(Flash(str(tmp_path / "flash")), key=FIRST)
    play(memory.journal)
    play(memory.journal)
    with closing(open_store()) as store:
        for number in (1, 2):
            stored = store.add((tmp_path / "flash" / f"m{number:06}.end").read_bytes())
            assert stored.state == "unverified"
            assert "`schiri box enrol`" in stored.reason
    done = run(*ENROL, "--yes")
    assert "Earlier results that are verified now: 2" in done.stdout
    with closing(open_store()) as store:
        assert [match.state for match in store.matches()] == ["verified", "verified"]
    assert json.loads(run(*ENROL, "--yes", "--json").stdout)["proved"] == 0


def test_who_sees_another_fingerprint_enrols_nothing(box: BoxWithKey) -> None:
    done = run(*ENROL, answer="n\n")
    assert (why(done), enrolled()) == ("enrol_differs", [])
    assert isinstance(done.exception, UserError)
    assert done.exception.exit_code == Exit.CHECK


def test_what_it_has_played_is_fetched_first(box: BoxWithKey) -> None:
    box.waiting = 2
    assert (why(run(*ENROL, "--yes")), enrolled()) == ("enrol_waiting", [])
    assert "key_enrol" not in box.asked


def test_a_box_that_makes_no_key(box: BoxWithKey, monkeypatch: pytest.MonkeyPatch) -> None:
    box.making = 1000
    assert (why(run(*ENROL, "--yes")), enrolled()) == ("box_makes_no_key", [])
    weak = {"public": None, "made": 0, "weak": True}
    real = box.request
    monkeypatch.setattr(
        box, "request", lambda do, **f: weak if do == "key_public" else real(do, **f)
    )
    assert (why(run(*ENROL, "--yes")), enrolled()) == ("box_weak", [])


def test_a_box_that_changes_its_key_meanwhile_is_not_enrolled(
    box: BoxWithKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = box.request

    def changing(do: str, **fields: Any) -> dict[str, Any]:
        if do == "key_enrol":
            box.key = SECOND
        return real(do, **fields)

    monkeypatch.setattr(box, "request", changing)
    assert (why(run(*ENROL, "--yes")), enrolled()) == ("box_other_public", [])


def test_a_key_off_the_curve_is_not_enrolled(
    box: BoxWithKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = FIRST.public[:-1] + bytes((FIRST.public[-1] ^ 1,))
    monkeypatch.setattr(FIRST, "public", bad)
    assert (why(run(*ENROL, "--yes")), enrolled()) == ("public_key_bad", [])


def test_a_new_key_in_mid_season_and_an_erased_flash(box: BoxWithKey) -> None:
    assert json.loads(run(*ENROL, "--yes", "--json").stdout)["new"] is True
    assert json.loads(run(*ENROL, "--yes", "--json").stdout)["new"] is False
    run(*ENROL, "--yes", "--new-key")
    assert box.asked.count("key_make") == 1
    assert [line["id"] for line in enrolled()] == [FIRST.id, SECOND.id]
    box.key = SigningKey(bytes(31) + b"\x09")  # erased: it made itself another one
    run(*ENROL, "--yes")
    assert [line["id"] for line in enrolled()] == [FIRST.id, SECOND.id, box.key.id]


def test_a_new_key_waits_until_the_box_has_signed(
    box: BoxWithKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = box.request, [2]

    def busy(do: str, **fields: Any) -> dict[str, Any]:
        if do == "key_make" and left[0]:
            left[0] -= 1
            raise BoxRefusal("unsigned", "a finished match waits for its signature")
        return real(do, **fields)

    monkeypatch.setattr(box, "request", busy)
    assert run(*ENROL, "--yes", "--new-key").exit_code == 0
    left[0] = 1000
    assert why(run(*ENROL, "--yes", "--new-key")) == "box_refused"


def test_a_copied_flash_is_told(box: BoxWithKey) -> None:
    run(*ENROL, "--yes")
    box.box = "b2"
    assert why(run(*ENROL, "--yes")) == "public_key_elsewhere"


def test_a_revoked_key_says_since_when(box: BoxWithKey) -> None:
    run(*ENROL, "--yes")
    asked = run("box", "revoke", fingerprint(FIRST.public), answer="n\n")
    assert (asked.exit_code, enrolled()[0]["revoked"]) == (1, None)
    done = run("box", "revoke", fingerprint(FIRST.public), "--yes", "--json")
    assert json.loads(done.stdout)["revoked"] >= enrolled()[0]["since"]
    assert "revoked" in run("box", "list", "--enrolled").output
    assert why(run("box", "revoke", "0" * 16)) == "public_key_unknown"


def test_the_key_of_a_bring_up_report(tmp_path: Path) -> None:
    ring = KeyRing([LeagueKey("league", bytes(range(32)))])
    save_keys(ring, places.keys())
    path = tmp_path / "bringup.json"
    bare = {"schiri_bringup": 2, "box": "b1", "public": FIRST.public.hex(), "good": True}
    signed = report.sign(bare, ring.current)
    words = ("box", "enrol", "--report", str(path), "--yes")
    for changes, key in (
        ({"public": SECOND.public.hex()}, "report_changed"),
        (report.sign({**bare, "public": SECOND.public.hex()}, None), "report_changed"),
        ({"hmac": "0" * 64}, "report_changed"),
        (report.sign({**bare, "public": None}, ring.current), "report_no_key"),
    ):
        path.write_text(json.dumps({**signed, **changes}))
        assert (why(run(*words)), enrolled()) == (key, [])
    path.write_text("[]")
    assert why(run(*words)) == "report_none"
    path.write_text(json.dumps(signed))
    assert run(*words).exit_code == 0
    assert [line["id"] for line in enrolled()] == [FIRST.id]


def test_a_desk_key_is_named_and_replaced() -> None:
    first = json.loads(run("keys", "desk", "--league", "Cup", "--json").stdout)
    again = json.loads(run("keys", "desk", "--json").stdout)
    assert again == first
    named = json.loads(run("keys", "desk", "--league", "Quartet", "--json").stdout)
    assert (named["id"], named["league"]) == (first["id"], "Quartet")
    run("box", "revoke", first["id"], "--yes")
    assert why(run("keys", "desk")) == "public_key_revoked"
    other = json.loads(run("keys", "desk", "--new", "--json").stdout)
    assert other["id"] != first["id"]
    assert "secret" not in json.dumps([first, other])


def test_the_published_list_is_a_file_for_any_web_space(box: BoxWithKey, tmp_path: Path) -> None:
    run("keys", "desk", "--league", "Cup")
    run(*ENROL, "--yes")
    path = tmp_path / "keys.json"
    assert run("keys", "publish", "-o", str(path)).exit_code == 0
    found = read_list(path.read_bytes())
    desk = load_desk_key()
    assert desk is not None
    assert (found.league, found.signer) == ("Cup", desk.id)
    assert [key.id for key in found.of("b1")] == [FIRST.id]
    assert desk.secret.hex() not in path.read_text()
    folder = tmp_path / "verify"
    assert run("keys", "publish", "--folder", str(folder)).exit_code == 0
    assert (folder / "keys.json").read_bytes() == path.read_bytes()
    assert why(run("keys", "publish")) == "publish_where"


def test_the_database_holds_no_private_key(box: BoxWithKey) -> None:
    """So neither does a backup of it."""
    run(*ENROL, "--yes")
    open_store().close()
    desk = load_desk_key()
    assert desk is not None
    kept = b"".join(path.read_bytes() for path in places.database().parent.glob("schiri.db*"))
    assert FIRST.public.hex().encode() in kept
    assert desk.secret.hex().encode() not in kept
    assert desk.secret not in kept


# -- a box of the twin, on a pty like a real one --------------------------------------------------


def test_a_box_is_enrolled_over_usb_and_its_key_comes_back_the_same(port: str) -> None:
    """Firmware and laptop together."""
    words = ("box", "enrol", "--port", port, "--by", "Anna", "--yes")
    assert why(run(*words)) == "enrol_waiting"
    assert run("sync", "--port", port).exit_code == 0
    first = json.loads(run(*words, "--json").stdout)
    assert json.loads(run(*words, "--json").stdout) == {**first, "new": False}
    assert [(line["box"], line["id"]) for line in enrolled()] == [(first["box"], first["id"])]
    # nobody has pressed OK on the box: its page with the fingerprints still stands there
    done = run(*words, "--new-key", "--json")
    assert done.exit_code == 0, done.output
    assert [line["id"] for line in enrolled()] == [first["id"], json.loads(done.stdout)["id"]]
