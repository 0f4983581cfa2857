"""Every document as PDF, read back: all names whole, slips four on a page, QR codes that work."""

import io
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import segno
from click.testing import CliRunner
from msgspec.structs import replace
from pypdf import PdfReader

from host_tools.cards.check_links import PAPER, read_link
from host_tools.cards.public_keys import SigningKey, verify
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.print import DOCUMENTS, make
from host_tools.print.calls import sort_key
from host_tools.print.certificates import places
from host_tools.print.paper import Paper
from host_tools.print.signs import badge_text
from host_tools.print.slips import qr_text
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, rounds
from host_tools.tournament.model import Entrant
from host_tools.tournament.state import TournamentState
from tests.host.tournament.hall import MemoryHall
from tests.support.hall_day import open_day, play_groups, play_knock_out

BASE = "http://192.168.1.5:8010"
SIZE_MM = 30.0
PAGE_MM = 297.0
MM = 25.4 / 72
RECTANGLE = re.compile(r"([\d.]+) ([\d.]+) ([\d.]+) -?[\d.]+ re f")


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, TournamentState]:
    """A tournament of 16 as it stood after the draw, after the groups, and at the end."""
    service = open_day(str(tmp_path_factory.mktemp("day") / "day.db"))
    kept = {"drawn": service.state.after(())}
    play_groups(service)
    kept["groups"] = service.state.after(())
    play_knock_out(service)
    kept["end"] = service.state.after(())
    service.close()
    return kept


def pages(data: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(data)).pages]


def test_slips_are_four_on_a_page_and_each_match_has_one(
    stages: dict[str, TournamentState],
) -> None:
    texts = pages(make("slips", stages["drawn"], "de", BASE))
    matches = stages["drawn"].matches
    assert len(texts) == -(-len(matches) // 4) == 6
    for match_id in matches:
        assert sum(text.split().count(match_id) for text in texts) == 1


def test_a_match_with_a_result_gets_no_slip(stages: dict[str, TournamentState]) -> None:
    with pytest.raises(UserError, match="every match has a result"):
        make("slips", stages["groups"])


@pytest.mark.parametrize("document", ["slips", "groups", "calls"])
def test_umlauts_and_turkish_letters_are_whole(
    stages: dict[str, TournamentState], document: str
) -> None:
    text = "\n".join(pages(make(document, stages["drawn"])))
    for player in stages["drawn"].players.values():
        assert player.name in text
    assert {"ş", "ı", "ğ", "İ", "ü", "ß", "Ł", "ř"} <= set(text)


def test_letters_that_the_typeface_lacks_become_a_question_mark() -> None:
    assert Paper("de").readable("Zoë 王 🂡 İpek") == "Zoë ? ? İpek"


def test_a_long_name_shrinks_instead_of_running_out_of_its_field() -> None:
    """Down to 7 points, then over two lines, then condensed; what does not fit even so is cut."""
    name = "Wolfeschlegelsteinhausenbergerdorff Öztürk-Yıldırım"
    for width, lines in ((95, [name]), (48, name.split()), (30, name.split())):
        paper = Paper("de")
        paper.set_compression(False)
        paper.add_page()
        paper.write_at(10, 10, width, name, 16)
        drawn = paper.data()
        assert pages(drawn)[0].split("\n") == lines
        sizes = [float(size) for size in re.findall(rb"/F\d+ ([\d.]+) Tf", drawn)]
        assert min(sizes) >= 7
        stretch = min([100.0, *(float(part) for part in re.findall(rb"([\d.]+) Tz", drawn))])
        paper.set_font_size(min(sizes))
        assert max(map(paper.get_string_width, lines)) * stretch / 100 <= width + 0.1


def test_names_in_other_scripts_are_written_if_their_typeface_is_installed() -> None:
    paper = Paper("de")
    paper.add_page()
    paper.write_at(10, 10, 90, "דוד Öz 🂡", 16)
    text = pages(paper.data())[0]
    assert set("דוד") <= set(text)
    assert "Öz" in text


def test_one_slip_alone_and_homonyms_with_their_club(stages: dict[str, TournamentState]) -> None:
    state = stages["groups"].after([])
    match = next(iter(state.matches.values()))
    twin = replace(state.players[match.b], name=state.players[match.a].name)
    state = state.after([ev.PlayerChanged(player=twin)])
    texts = pages(make("slips", state, matches=[match.id]))  # also of one that has a result
    assert len(texts) == 1
    for player in (match.a, match.b):
        known = state.players[player]
        assert f"{known.name} ({known.club})" in texts[0].replace("\n", " ")


def test_badges_open_the_page_of_their_player(stages: dict[str, TournamentState]) -> None:
    state = stages["drawn"]
    drawn = make("badges", state, base=BASE)
    assert len(pages(drawn)) == 2  # ten on a page
    player = next(iter(state.players))
    assert badge_text(player, BASE) == f"{BASE}/player/{player}"
    for base in (BASE, ""):
        assert entrants.meant(state, badge_text(player, base)) == player


def test_the_list_of_honour_has_everybody_once(stages: dict[str, TournamentState]) -> None:
    state = stages["end"]
    text = " ".join(pages(make("honours", state))).replace("\n", " ")
    for player in state.players:
        assert text.count(state.label(player)) == 1


def test_group_sheets_show_results_from_both_sides(stages: dict[str, TournamentState]) -> None:
    state = stages["groups"]
    texts = pages(make("groups", state))
    assert len(texts) == len(state.groups) == 4
    for group, text in zip(state.groups, texts, strict=True):
        for result in state.group_results():
            if result.group == group.id:
                assert f"{result.cards[0]}:{result.cards[1]}" in text
                assert f"{result.cards[1]}:{result.cards[0]}" in text


def test_the_call_list_is_in_the_order_of_tables_and_of_names(
    stages: dict[str, TournamentState],
) -> None:
    text = "\n".join(pages(make("calls", stages["drawn"])))
    by_table, _, by_name = text.partition("Aufrufliste nach Namen")
    ids = [word for word in by_table.split() if word in stages["drawn"].matches]
    assert len(ids) == 24
    slots = [stages["drawn"].matches[match].slot for match in ids]
    assert slots == sorted(slots)
    where = [by_name.index(f"\n{name}") for name in ("Ayşe", "Çağrı", "Élodie", "Ludmiła")]
    assert where == sorted(where)


def test_a_round_of_a_swiss_is_printed_by_table_and_by_name() -> None:
    """Five players at one table: a–c, b–d in two slots, e without an opponent; no Group S."""
    hall = MemoryHall(mode="swiss", rounds=3, tables=1)
    names = ("Anna", "Ben", "Cara", "Dora", "Emil")
    players = [Entrant(id=n, name=n, seed=seed) for seed, n in enumerate(names, 1)]
    hall.do(entrants.add_players, players)
    hall.do(entrants.draw, 4, 1, True)
    with pytest.raises(UserError, match="no round is paired yet"):
        make("pairings", hall.state, "de", BASE)
    hall.do(rounds.pair_round)
    by_table, by_name = pages(make("pairings", hall.state, "de", BASE))
    assert "Paarungen, Runde 1 von 3" in by_table
    for order in (
        ("Durchgang 1", "Anna", "Durchgang 2", "Spielfrei", "Emil"),
        ("Anna", "Cara"),
    ):
        where = [by_table.index(part) for part in order]
        assert where == sorted(where)
    first = [line.split()[0] for line in by_name.splitlines() if line.strip()]
    assert [word for word in first if word in names] == list(names)
    assert "Emil Spielfrei" in " ".join(by_name.split())
    calls = "\n".join(pages(make("calls", hall.state, "de", BASE)))
    assert "Runde 1 · Durchgang 2" in calls
    printed = [make(document, hall.state, "de", BASE) for document in ("slips", "groups")]
    assert "Schweizer System" in "\n".join(pages(printed[1]))
    for text in ("\n".join(pages(made)) for made in printed):
        assert "Gruppe S" not in text


def test_names_are_sorted_as_people_look_for_them() -> None:
    names = ["Zoë", "Łukasz", "Özgür", "Änne", "Ole", "Đorđe", "Anna", "İpek", "Emil"]
    expected = ["Anna", "Änne", "Đorđe", "Emil", "İpek", "Łukasz", "Ole", "Özgür", "Zoë"]
    assert sorted(names, key=sort_key) == expected


def test_the_poster_names_everybody_of_the_tree_and_the_champion(
    stages: dict[str, TournamentState],
) -> None:
    state = stages["end"]
    (text,) = pages(make("tree", state, "en"))
    for player in state.ko_seeds:
        assert state.players[player].name in text
    assert state.bracket is not None
    assert f"Champion: {state.players[state.bracket.champion or ''].name}" in text
    width, height = PdfReader(io.BytesIO(make("tree", state))).pages[0].mediabox[2:]
    assert round(width / 72 * 25.4) == 420
    assert round(height / 72 * 25.4) == 297


def test_certificates_are_for_the_best_four(stages: dict[str, TournamentState]) -> None:
    state = stages["end"]
    final, third = state.matches["KF"].result, state.matches["K3"].result
    assert final is not None
    assert third is not None
    best = [final.ahead(), final.a if final.ahead() == final.b else final.b, third.ahead()]
    assert [player for _, player in places(state)][:3] == best
    texts = pages(make("certificates", state))
    assert len(texts) == 4
    for place, (text, (_, player)) in enumerate(zip(texts, places(state), strict=True), 1):
        assert f"{place}. Platz" in text
        assert state.players[player].name in text


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ("tree", "not drawn yet"),
        ("certificates", "final is not decided yet"),
        ("certificates_all", "not decided"),
        ("honours", "not decided"),
    ],
)
def test_what_cannot_be_printed_yet_is_said_to_be_so(
    stages: dict[str, TournamentState], document: str, sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        make(document, stages["drawn"])


def test_the_qr_code_names_the_match() -> None:
    assert qr_text("A-1", BASE) == "http://192.168.1.5:8010/desk/enter?match=A-1"
    assert qr_text("A-1", "").endswith("?match=A-1")


def test_the_drawn_qr_code_is_segnos_matrix_with_its_quiet_zone() -> None:
    """Read back from the rectangles in the page's own drawing commands."""
    paper = Paper("de")
    paper.set_compression(False)
    paper.add_page()
    text = qr_text("A-1", BASE)
    paper.qr_at(text, 0, 0, SIZE_MM)
    expected = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    module = SIZE_MM / (len(expected) + 8)
    drawn = [bytearray(len(expected)) for _ in expected]
    for left, top, width in RECTANGLE.findall(paper.data().decode("latin-1")):
        x = round(float(left) * MM / module) - 4
        y = round((PAGE_MM - float(top) * MM) / module) - 4
        for column in range(x, x + round(float(width) * MM / module)):
            drawn[y][column] = 1
    assert [bytes(row) for row in drawn] == expected


# -- what the desk signs on paper -----------------------------------------------------------------

DESK = SigningKey(bytes(31) + b"\x09", "Cup")


def claims(monkeypatch: pytest.MonkeyPatch, *printed: Any) -> list[list[str]]:
    """The lines of every code that anybody can check, on the papers that `make` prints."""
    found = []

    def drawn(
        _paper: Paper, text: str, _x: float, _y: float, size: float, error: str = "m"
    ) -> None:
        if "/verify#" not in text:
            return
        claim = read_link(text)
        assert verify(DESK.public, PAPER, claim.payload, claim.signature)
        assert (claim.key, text.startswith(f"{BASE}/verify#")) == (DESK.id, True)
        modules = len(segno.make(text, error=error, micro=False).matrix) + 8
        assert size / modules > 0.28  # of a millimetre; a phone reads 0.25
        found.append(claim.payload.decode().split("\n"))

    monkeypatch.setattr(Paper, "qr_at", drawn)
    make(*printed, desk=DESK)
    return found


def test_certificates_carry_what_they_say_signed(
    stages: dict[str, TournamentState], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = stages["end"]
    found = claims(monkeypatch, "certificates", state, "de", BASE)
    champion = state.players[state.final_places()[0].player].name
    assert found[0] == [state.setup.name, "Urkunde", "1. Platz", champion]
    assert len(found) == 4
    assert len(claims(monkeypatch, "certificates_all", state, "de", BASE)) == 16


def test_group_sheets_carry_their_table_signed_once_there_is_one(
    stages: dict[str, TournamentState], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert claims(monkeypatch, "groups", stages["drawn"], "de", BASE) == []
    state = stages["groups"]
    found = claims(monkeypatch, "groups", state, "de", BASE)
    assert [lines[1] for lines in found] == ["Gruppe A", "Gruppe B", "Gruppe C", "Gruppe D"]
    first = state.group_rows("A")[0]
    assert found[0][2] == f"1. {state.players[first.player].name} {first.points}"


def test_a_slip_of_a_result_that_counts_carries_it_signed(
    stages: dict[str, TournamentState], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = stages["end"]
    assert claims(monkeypatch, "slips", stages["drawn"], "de", BASE) == []
    found = claims(monkeypatch, "slips", state, "de", BASE, (), ("A-1",))
    match = state.matches["A-1"]
    names = " – ".join(state.players[player].name for player in (match.a, match.b))
    assert match.result is not None
    score = ":".join(map(str, match.result.cards))
    assert found == [[state.setup.name, "A-1", names, score]]


def test_nothing_is_signed_without_a_key(stages: dict[str, TournamentState]) -> None:
    text = "\n".join(pages(make("certificates", stages["end"], "de", BASE)))
    assert "hier prüfen" not in text
    signed = "\n".join(pages(make("certificates", stages["end"], "de", BASE, desk=DESK)))
    assert signed.count("hier prüfen") == 4


@pytest.mark.parametrize("document", sorted(DOCUMENTS))
def test_the_command_writes_every_document(tmp_path: Path, document: str) -> None:
    db = str(tmp_path / "day.db")
    service = open_day(db, players=4, tables=2, ko_size=4)
    if document in ("tree", "certificates", "certificates_all", "honours"):
        play_groups(service)
        play_knock_out(service)
    if document == "pairings":
        service.do(
            "Anna", "", partial(entrants.change, changes=ev.Changed(mode="swiss", rounds=2))
        )
        service.do("Anna", "", partial(entrants.draw, random_seed=7))
        service.do("Anna", "", rounds.pair_round)
    service.close()
    out = tmp_path / "out.pdf"
    arguments = ["tournament", "print", document, "-o", str(out), "--db", db, "--lang", "en"]
    done = CliRunner().invoke(schiri, arguments)
    assert done.exit_code == 0, done.output
    assert out.read_bytes().startswith(b"%PDF")
