"""The catalogues: every text is asked for, what is asked for is there, in every language and with
the same placeholders; a language is a file.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest
from babel.messages.pofile import read_po

from firmware.games.cafe.board import NATIONS
from firmware.rules.match import ALL_COMMANDS
from hardware.twin.harness import Modules, ScreenModule
from host_tools.box.assigning import STATES
from host_tools.box.bringup.faults import faults as bringup_faults
from host_tools.box.updating import REASONS
from host_tools.core.texts import FOLDER, LANGS, ORIGINAL, Texts, read
from host_tools.games import GAMES
from host_tools.games.bot import STRENGTHS
from host_tools.print import DOCUMENTS
from host_tools.provision.ledger import STATES as STATES_OF_TAGS
from host_tools.replay.comparing import event_fields
from host_tools.sim.box_sounds import box_sounds
from host_tools.sim.table.phones import COLOURS
from host_tools.sim.table.tricks import TRICKS
from host_tools.store import open_store
from host_tools.tournament import events as ev
from host_tools.tournament import phases, view
from host_tools.tournament.export import FORMATS
from host_tools.tournament.fields import FIELDS, FLAG
from host_tools.tournament.ko import round_name
from host_tools.tournament.match_state import Status
from host_tools.tournament.model import MODES, Kind
from host_tools.tournament.rights import Role
from host_tools.tournament.slips import SENTENCES
from host_tools.tournament.standings import Compare
from host_tools.web.desk.pages import MENU
from host_tools.web.desk.wall import STAKES
from tests.german import counted_nouns, german_faults
from tests.host.catalogue_uses import uses
from tests.tags.tag_examples import REASONS as TAG_REASONS

FOLDERS = (FOLDER, *(game.folder for game in GAMES.values()))
FILES = [folder / f"{lang}.po" for folder in FOLDERS for lang in LANGS]
REPO = Path(__file__).resolve().parents[2]
ROUNDS = {round_name(2**power) for power in range(1, 7)} | {"third"}


def of(prefix: str, names: object) -> set[str]:
    return {prefix + str(name) for name in names}  # type: ignore[attr-defined]


RULES = {
    rule: row["rule"]
    for path in (REPO / "docs/rules").glob("*.toml")
    if path.stem in GAMES  # those of the desk are on no page of a game
    for rule, row in tomllib.loads(path.read_text("utf-8")).items()
}
# context -> keys that are put together from what the running program lists
NEEDED: dict[str, set[str]] = {
    "desk": of("d_", MENU)
    | of("phase_", phases.PHASES)
    | of("mode_", MODES)
    | of("stake_", STAKES)
    | of("at_box_", STATES)
    | of("outlook_", set(get_args(view.Outlook)) - {""})
    | of("role_", get_args(Role))
    | of("status_", get_args(Status))
    | of("source_", get_args(ev.Source))
    | of("kind_", get_args(Kind))
    | of("print_", DOCUMENTS)
    | of("compare_", get_args(Compare))
    | of("penalty_", get_args(ev.Penalty))
    | of("export_", FORMATS)
    | {field.label or name for name, field in FIELDS.items() if field.kind != FLAG},
    "paper": of("nation_", (*NATIONS, "JK")),
    "round": ROUNDS,
    "table": of("colour_", COLOURS) | of("unit_", GAMES) | of("strength_", STRENGTHS),
    "refusal": of("slip_", {*TAG_REASONS} - {"unsealed", "unknown_key"})  # of seals, not of slips
    | of("beside_", SENTENCES)
    | of("tag_fault_", (*TAG_REASONS, "slip"))
    | of("update_", REASONS)
    | of("ledger_", STATES_OF_TAGS),
    "event": {str(body.__struct_config__.tag) for body in get_args(ev.AnyBody)},
    "tournament": {*get_args(Status), *get_args(ev.Source), *get_args(Kind)} - {"played"}
    | of("at_box_", STATES),
    "bringup": {
        fault.kind for fault in bringup_faults("rev1", Modules(ScreenModule(), ScreenModule()))
    },
    "mode": {*ev.Changed.__struct_fields__, *MODES},
    "sound": {sound.name for sound in box_sounds() if not sound.seat},
    "replay event": set(event_fields()),
    "replay command": set(ALL_COMMANDS),
    "rule": set(RULES),
    "trick": set(TRICKS),
    "trick told": set(TRICKS),
}


# put together where no word of a source tells: by a script, or for one game
BUILT = {"state_run", "state_end", "state_ok", "began_hattrick", "counts_quartett"}


def keys(lang: str = ORIGINAL) -> dict[str, set[str]]:
    """Context -> keys of all catalogues of a language."""
    found: dict[str, set[str]] = {}
    for folder in FOLDERS:
        for context, texts in read(folder / f"{lang}.po").items():
            found.setdefault(context, set()).update(texts)
    return found


# -- the sources and the catalogues ---------------------------------------------------------------


def test_every_text_that_is_asked_for_is_there() -> None:
    asked = [use for use in uses() if use.key]
    assert len(asked) > 400  # the sources were read
    assert not [use for use in asked if use.key not in keys()[use.context]]
    assert not {
        context: found for context, names in NEEDED.items() if (found := names - keys()[context])
    }


def test_every_text_is_asked_for() -> None:
    """Its key is a word of a source, or begins as one that is put together there."""
    words: set[str] = set()
    for top in ("host_tools", "firmware", "card_tags", "tools"):
        for path in (REPO / top).rglob("*"):
            if path.suffix in (".py", ".html", ".js") and path.parent != FOLDER:
                words.update(re.findall(r"\w+", path.read_text("utf-8")))
    beginnings = tuple(word for word in words if word.endswith("_") and len(word) > 2)
    left = {
        (context, key)
        for context, texts in keys().items()
        for key in texts
        if context not in ("rule", "sound", "system") and not key.startswith(beginnings)
        if not {part for part in re.split("[/.-]", key) if not part.isdigit()} <= words
    }
    assert {(context, key) for context, key in left if key not in BUILT} == set()


# -- the languages --------------------------------------------------------------------------------


def test_every_catalogue_is_there() -> None:
    assert LANGS == ("de", "en")
    assert [path for path in FILES if not path.exists()] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_catalogue_is_whole(path: Path) -> None:
    """The same keys in the same order as in English, nothing empty, doubtful or twice."""
    source = path.read_text("utf-8")
    assert "fuzzy" not in source
    texts, english = read(path), read(path.with_name(f"{ORIGINAL}.po"))
    assert [(c, list(t)) for c, t in texts.items()] == [(c, list(t)) for c, t in english.items()]
    assert source.count("\nmsgctxt ") == sum(map(len, texts.values()))
    for context, found in texts.items():
        for key, text in found.items():
            same = english[context][key]
            assert (text[0] == " ", text[-1] == " ") == (same[0] == " ", same[-1] == " "), key
            assert placeholders(text) == placeholders(same), (context, key)


# number and noun where it is never 1: the other text of a pair, 2 at least, a word in front
NEVER_ONE = {
    *("many_card", "many_guest", "one_card", "one_guest"),
    *("tags_failed", "faults_found", "slips_contradict_journals", "hall_faults"),
    *("game_faults_found", "play_many_tables", "deck_many_cards", "deck_many_pictures"),
    *("demo_seats_game", "simulating", "played"),
    *("of", "first_seat"),  # paper: so many take part; desk: name (12 Karten)
}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_german_is_right_german(folder: Path) -> None:
    """A noun behind a number that can be 1 stands in the placeholder."""
    for context, texts in read(folder / "de.po").items():
        for key, text in texts.items():
            assert german_faults(text) == [], (context, key, text)
            assert not counted_nouns(text) or key in NEVER_ONE, (context, key, text)
            if context in ("table", "deck"):  # a script fills them in
                assert "|" not in text, key


def test_a_noun_follows_its_number() -> None:
    text = Texts("replay event")["de"]["moved"]
    assert text.format(**{"from": "Ada", "to": "Bea"}, count=1) == "Ada gibt 1 Karte an Bea ab."
    assert text.format(**{"from": "Ada", "to": "Bea"}, count=10) == "Ada gibt 10 Karten an Bea ab."


def placeholders(text: str) -> Counter[str]:
    return Counter(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def test_rules_of_the_page_are_the_sentences_of_the_documentation() -> None:
    assert dict(Texts("rule")[ORIGINAL]) == RULES


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_babel_reads_the_same(path: Path) -> None:
    with path.open("rb") as file:
        catalogue = read_po(file)
    assert str(catalogue.locale) == path.stem
    found: dict[str | None, dict[str, str]] = {}
    for message in catalogue:
        if message.id:
            found.setdefault(message.context, {})[str(message.id)] = str(message.string)
    assert found == read(path)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_english_explains_every_placeholder(folder: Path) -> None:
    with (folder / f"{ORIGINAL}.po").open("rb") as file:
        for message in read_po(file):
            meanings = dict(comment.split(": ", 1) for comment in message.auto_comments)
            text = str(message.string) if message.id else ""
            assert set(meanings) == {f"{{{name}}}" for name in placeholders(text)}, message.id
            assert all(meanings.values())


def test_german_of_switzerland_has_no_sharp_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHIRI_GERMAN", "de-CH")
    fresh = read.__wrapped__  # what was read before is kept
    swiss = fresh(FOLDER / "de.po")
    assert swiss["desk"]["exclude"] == "Ausschliessen"
    assert not [text for texts in swiss.values() for text in texts.values() if "ß" in text]
    monkeypatch.setenv("SCHIRI_GERMAN", "de")  # also where the locale is of Switzerland
    monkeypatch.setenv("LANG", "de_CH.UTF-8")
    assert fresh(FOLDER / "de.po")["desk"]["exclude"] == "Ausschließen"


def test_a_text_that_needs_work_is_left_out_and_long_ones_are_put_together(tmp_path: Path) -> None:
    path = tmp_path / "fr.po"
    path.write_text(
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n\n'
        '#. a comment\n#, fuzzy\nmsgctxt "desk"\nmsgid "save"\nmsgstr "Sauver ?"\n\n'
        'msgctxt "desk"\nmsgid "call"\nmsgstr ""\n\n'
        'msgctxt "desk"\nmsgid "late"\nmsgstr ""\n"Trop \\"tard\\"\\n"\n"déjà"\n\n'
        '#~ msgctxt "desk"\n#~ msgid "old"\n#~ msgstr "vieux"\n',
        "utf-8",
    )
    assert read(path) == {"desk": {"late": 'Trop "tard"\ndéjà'}}
    assert read(tmp_path / "it.po") == {}


# -- a third language -----------------------------------------------------------------------------

FRENCH = """
msgid ""
msgstr ""
"Language: fr\\n"

msgctxt "desk"
msgid "language"
msgstr "Français"

msgctxt "desk"
msgid "ranking"
msgstr "Classement"

msgctxt "results"
msgid "none"
msgstr "Aucune partie."

msgctxt "refusal"
msgid "key_none"
msgstr "Pas encore de clé."

msgctxt "number"
msgid "decimal_mark"
msgstr ","
"""
LOOK_AT_THE_BOARD = """
import sys
import tomllib
from pathlib import Path
from starlette.testclient import TestClient
from tests.support.hall_day import open_day
from host_tools.core import texts
from host_tools.games import page_texts
from host_tools.games.box_words import box_words
from host_tools.web.desk.accounts import Accounts
from host_tools.web.desk.app import make_app

assert Path(texts.__file__).is_relative_to(sys.argv[1]), texts.__file__
service = open_day(sys.argv[1] + "/day.db", players=8, tables=2, ko_size=4)
with TestClient(make_app(service, Accounts(Path(sys.argv[1]) / "users.json"))) as client:
    print(client.get("/?lang=fr").text)
    print(client.get("/?lang=de").text)
print(page_texts("fr")["new_table"], box_words("fr").get("arbiter_resume"))
"""


@pytest.fixture(scope="module")
def with_french(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with one more file: a catalogue with a few texts."""
    root = tmp_path_factory.mktemp("checkout")
    for room in ("host_tools", "firmware", "card_tags", "hardware", "schiri"):
        shutil.copytree(REPO / room, root / room)  # with what is compiled, which takes longest
    (root / "host_tools/core/texts/fr.po").write_text(FRENCH, "utf-8")
    open_store(str(root / "new.db")).close()
    return root


def run(root: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env={**os.environ, "SCHIRI_KEYS": str(root / "none.json"), "LC_ALL": "fr_FR.UTF-8"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_third_language_can_be_chosen_on_the_command_line(with_french: Path) -> None:
    assert "[de|en|fr]" in run(with_french, "-m", "schiri", "--help").stdout
    said = run(with_french, "-m", "schiri", "results", "--db", "new.db")  # the locale is French
    assert said.stdout == "Aucune partie.\n"
    refused = run(with_french, "-m", "schiri", "--lang", "fr", "keys", "export", "-o", "key")
    assert refused.stderr == "schiri: Pas encore de clé.\n"


def test_what_a_third_language_lacks_is_english(with_french: Path) -> None:
    refused = run(with_french, "-m", "schiri", "results", "--db", "new.db", "9")
    assert refused.stderr == "schiri: there is no stored match 9; see `schiri results`\n"
    transcript = REPO / "tests/transcripts/trumpf/tr14-decimals.ndjson"
    told = run(with_french, "-m", "schiri", "replay", str(transcript), "--lang", "fr").stdout
    assert "wins the trick with p: Seat 1 19,25, Seat 2 19,26." in told


def test_the_board_speaks_a_third_language(with_french: Path) -> None:
    done = run(with_french, "-c", LOOK_AT_THE_BOARD, str(with_french))
    assert done.returncode == 0, done.stderr
    french, german = done.stdout.split("</html>")[:2]
    assert '<html lang="fr"' in french
    assert "Classement" in french
    assert "Full screen for the hall" in french
    for code, name in (("de", "Deutsch"), ("en", "English")):
        assert f'lang="{code}">{name}</a>' in french
    assert 'lang="fr">Français</a>' in german
    assert done.stdout.endswith("New table Resume clock\n")
