"""`schiri provision` from the command line, on the twin's reader behind a pty."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tag_desk import uid

from card_tags import codec, kinds, seal
from card_tags.hall import password_of
from hardware.twin.reader_pty import ReaderPty
from hardware.twin.tags import NtagTwin
from host_tools.cards.decks import load_deck
from host_tools.cards.keys import KeyRing, LeagueKey, save_keys
from host_tools.cards.tag_items import deck_items
from host_tools.cli import schiri
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.provision.console import Console

KEY = LeagueKey("league", bytes(range(32)))


class Desk:
    """A reader with one tag, and the program in front of it."""

    def __init__(self, reader: ReaderPty, tag: NtagTwin) -> None:
        self.tag = tag
        self._reader = reader
        self._where = ["--reader", "pn532", "--port", str(reader.path)]

    def say(self, *arguments: str) -> Result:
        return CliRunner().invoke(schiri, ["provision", *arguments, *self._where])

    def lay(self, tag: NtagTwin) -> None:
        """This tag instead of the one that lies there."""
        with self._reader.lock:
            self._reader.field.clear()
            self._reader.field.place(tag)

    def read_tag(self, *arguments: str) -> Result:
        return CliRunner().invoke(schiri, ["tag", "read", *arguments, *self._where])


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    save_keys(KeyRing([KEY]), tmp_path / "keys.json")
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "keys.json"))
    monkeypatch.chdir(tmp_path)
    tag = NtagTwin.ntag213(uid(1))
    with ReaderPty() as reader:
        with reader.lock:
            reader.field.place(tag)
        yield Desk(reader, tag)


def test_a_jury_card_is_written_taken_back_written_and_locked(desk: Desk) -> None:
    factory = desk.tag.user
    written = desk.say("jury", "Frau Graf")
    assert written.output.splitlines() == [
        "[1/1] jury1 Frau Graf — lay the card",
        f"\a  written: NTAG213 {desk.tag.uid.hex()}, NOT signed by NXP, sealed with key "
        f"{KEY.number}; take it away",
        f"1 written, 0 were there already; see {places.tags()}.",
    ]
    tag = codec.decode(desk.tag.user)
    seal.verify(tag, desk.tag.uid, {KEY.number: KEY.secret})
    assert tag.content == kinds.Jury(1, "Frau Graf")
    german = ["Bitte das Tag auf den Leser legen.", "jury1 Frau Graf: zurückgenommen."]
    assert desk.say("undo", "--lang", "de").output.splitlines() == german
    assert desk.say("jury", "Frau Graf").exit_code == 0
    assert "jury1 Frau Graf: taken back." in desk.say("undo").output
    assert desk.tag.user == factory
    assert desk.say("jury", "Frau Graf").exit_code == 0
    assert "0 written, 1 were there already" in desk.say("jury", "Frau Graf").output
    assert "jury1 Frau Graf: locked." in desk.say("lock").output
    assert all(desk.tag.memory.refuses(page) for page in range(3, 40))
    refused = desk.say("undo")
    assert isinstance(refused.exception, UserError)
    assert "locked for good" in str(refused.exception)


def test_ctrl_c_counts_no_card_that_this_run_has_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three the first is written, and was asked for by --again."""

    def stop(*_told: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Console, "written", stop)
    stopped = desk.say("jury", "Graf", "Moser", "Hess", "--again", "jury1")
    assert isinstance(stopped.exception, UserError)
    assert (stopped.exception.exit_code, stopped.exception.sentence.values["count"]) == (1, 2)


def test_a_card_that_was_never_written_is_not_called_there(desk: Desk) -> None:
    written = desk.say("jury", "Graf", "Moser", "Hess", "--only", "jury2")
    assert written.output.splitlines()[-1].startswith("1 written, 0 were there already;")
    desk.lay(NtagTwin.ntag213(uid(2)))
    written = desk.say("jury", "Graf", "Moser", "Hess", "--only", "jury3")
    assert written.output.splitlines()[-1].startswith("1 written, 1 were there already;")


def test_the_report_lists_tags_and_fails_if_one_did(desk: Desk) -> None:
    desk.say("jury", "Frau Graf", "--no-seal")
    runner = CliRunner()
    good = runner.invoke(schiri, ["provision", "report"])
    assert f"jury1 {desk.tag.uid.hex()} written Frau Graf" in good.output
    ledger = places.tags()
    last = ledger.read_text(encoding="utf8").splitlines()[-1]
    failed = last.replace('"written"', '"failed"').replace('"reason": ""', '"reason": "dead"')
    ledger.write_text(failed + "\n", encoding="utf8")
    bad = runner.invoke(schiri, ["provision", "report"])
    assert "failed: dead" in bad.output
    assert isinstance(bad.exception, UserError)
    assert bad.exception.exit_code == 1


def test_the_report_as_data(desk: Desk) -> None:
    desk.say("jury", "Frau Graf", "--no-seal")
    told = CliRunner().invoke(schiri, ["provision", "report", "--json"])
    (entry,) = json.loads(told.output)
    assert (entry["code"], entry["uid"], entry["state"], entry["key_number"]) == (
        "jury1",
        desk.tag.uid.hex(),
        "written",
        0,
    )


def test_a_dry_run_says_whether_it_would_seal(desk: Desk) -> None:
    """FORMAT.md: a seal is four bytes longer than the CRC."""
    sealed = desk.say("jury", "Frau Graf", "--dry-run").output
    plain = desk.say("jury", "Frau Graf", "--dry-run", "--no-seal").output
    found = re.fullmatch(r"\[1/1\] jury1 Frau Graf: (\d+) bytes sealed, NTAG213\n", sealed)
    assert found is not None
    length = int(found[1]) - 4
    assert plain == f"[1/1] jury1 Frau Graf: {length} bytes unsealed, NTAG213\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["deck", "kneipe", "--house-rule", "tie_scope"], "a house rule is NAME=CHOICE"),
        (
            ["deck", "kneipe", "--house-rule", "fog=on"],
            "no house rule fog with kneipe; there are:",
        ),
        (["deck", "berge", "--house-rule", "tie_scope=tied"], "with swiss; there are: –."),
        (["deck", "kneipe", "--house-rule", "tie_scope=no"], "choose from: all, tied."),
        (["tables", "--house-rule", "bag_end=4"], "no house rule bag_end with app;"),
        (["deck", "kneipe", "--no-deck-card", "--house-rule", "tie_scope=tied"], "the deck card,"),
    ],
)
def test_house_rules_that_no_menu_has_are_refused(
    desk: Desk, arguments: list[str], said: str
) -> None:
    result = desk.say(*arguments, "--dry-run", "--no-seal")
    assert isinstance(result.exception, UserError)
    assert said in str(result.exception)


def test_house_rules_stand_on_the_table_cards_and_read_as_they_were_written(desk: Desk) -> None:
    written = ["tables", "--board", "cafe", "--only", "T01", "--house-rule", "between=both"]
    assert desk.say(*written).exit_code == 0
    assert desk.read_tag().output.splitlines()[1:] == [
        "holds table T01 AF; house rules of cafe board between=both",
        f"the seal fits: key {KEY.number}",
    ]


AUTOS = "code;name;PS;Preis (Fr.)\nbest;;high;low\ndecimals;;;2\nA1;x;34;4200,50\nA2;y;-;3\n"


def test_a_tag_reads_as_the_card_is_printed(desk: Desk, tmp_path: Path) -> None:
    """A card carries 420050; that it stands for 4200,50 only its deck knows."""
    (tmp_path / "autos.csv").write_text(AUTOS, encoding="utf8")
    card = deck_items(load_deck("autos.csv"), False).items[0]
    laid = codec.encode(codec.unsealed(card.kind, card.content))
    desk.tag.load_user(laid)
    alone = desk.read_tag()
    assert "34, 420050 (without decimal points: this deck is not known here" in alone.output
    assert isinstance(alone.exception, UserError)
    assert "is not sealed" in str(alone.exception)
    with_deck = desk.read_tag("--deck", "autos.csv")
    assert "holds card A1 of deck autos: PS 34, Preis 4200,50 Fr." in with_deck.output
    told = desk.read_tag("--deck", "autos.csv", "--json")
    assert json.loads(told.output) == {
        "chip": "NTAG213",
        "uid": desk.tag.uid.hex(),
        "genuine": False,
        "holds": "card A1 of deck autos: PS 34, Preis 4200,50 Fr.",
        "link": "",
        "key": None,
        "wrong": "unsealed",
        "memory": laid.hex().ljust(2 * 144, "0"),  # NTAG213: pages 4 to 39
    }
    assert isinstance(told.exception, UserError)


def test_a_card_of_our_own_decks_needs_no_word(desk: Desk) -> None:
    card = deck_items(load_deck("berge"), False).items[0]
    desk.tag.load_user(codec.encode(codec.unsealed(card.kind, card.content)))
    assert f"holds card {card.code} of deck berge: " in desk.read_tag().output


def test_a_missing_reader_is_one_sentence(desk: Desk) -> None:
    arguments = ["provision", "jury", "x", "--reader", "pn532", "--port", "no/such/device"]
    result = CliRunner().invoke(schiri, arguments)
    assert isinstance(result.exception, UserError)
    assert (result.exception.exit_code, "cannot be opened" in str(result.exception)) == (3, True)


def test_sealing_without_a_key_says_how_to_make_one(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCHIRI_KEYS", str(tmp_path / "none.json"))
    result = desk.say("jury", "x")
    assert isinstance(result.exception, UserError)
    assert "schiri keys new" in str(result.exception)


def test_again_wants_a_card_of_the_set(desk: Desk) -> None:
    result = desk.say("jury", "x", "--again", "B3")
    assert isinstance(result.exception, UserError)
    assert "--again B3: no such card in jury" in str(result.exception)


def test_a_hall_tag_gets_another_password_and_the_ledger_knows_none(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Onto the same tag; what the ledger files it under would else let a password be tried."""
    uids = desk.tag.uid
    for password in ("zwölf Tische", "elf Tische"):
        monkeypatch.setenv("SCHIRI_WIFI_PASSWORD", password)
        said = desk.say("hall", "Boxes", "--broker", "192.168.1.10", "--yes")
        assert "1 written" in said.output
        tag = codec.decode(desk.tag.user)
        seal.verify(tag, uids, {KEY.number: KEY.secret})
        assert password_of(tag.content, uids, KEY.secret) == password
    lines = places.tags().read_text(encoding="utf8").splitlines()
    assert len({json.loads(line)["set_key"] for line in lines}) == 1
    planned = desk.say("hall", "Boxes", "--broker", "192.168.1.10", "--dry-run")
    assert planned.exception is None
