"""`schiri tournament …`: a small day on the command line, and bad input as sentences."""

import csv
import io
import itertools
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from stat import S_IMODE
from typing import Any

import pytest

from host_tools.cli import main
from host_tools.commands.tournament.group import SUBCOMMANDS
from host_tools.core.errors import UserError
from host_tools.tournament.actions.boxes import leave_to_desk
from host_tools.tournament.actions.matches import report
from host_tools.tournament.events import Reported
from host_tools.tournament.log_file import read_log
from host_tools.tournament.model import read_file
from host_tools.tournament.players_csv import read_players
from host_tools.tournament.service import TournamentService
from tests.sampling import Sample

from .hall import from_box

Run = Callable[..., tuple[int, str, str]]
SAMPLE = Sample(37)
PLAYERS = "Name;Verein;Setzplatz\nÇiğdem Öztürk;Zürich;1\nJörg Egli;Bern;2\nAnna;Bern;\nEmil;;\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Run:
    """Runs `schiri tournament` with a database of its own: exit code, output, errors."""
    monkeypatch.setenv("SCHIRI_DATABASE_URL", str(tmp_path / "schiri.db"))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)

    def run_it(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["tournament", *arguments])
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run_it


def data(run: Run, *arguments: str):
    """The JSON that a command prints."""
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def day(run: Run, tmp_path: Path) -> Run:
    """Four players in one group, drawn."""
    players = tmp_path / "players.csv"
    players.write_text(PLAYERS, encoding="utf8")
    assert run("new", "Zürich Cup", "--ko-size", "2", "--tables", "2", "--deck", "berge")[0] == 0
    assert run("import", str(players))[0] == 0
    assert run("checkin", "--all")[0] == 0
    assert run("draw", "--size", "4", "--seed", "5")[0] == 0
    return run


def test_a_player_is_entered_with_all_that_was_typed(run: Run, tmp_path: Path) -> None:
    """A seed of 0 is none."""
    assert run("new", "Cup")[0] == 0
    names = ("--first", "Emil", "--surname", "Egli")
    assert run("add", "", *names, "--club", "Bern", "--country", "CH", "--seed", "2")[0] == 0
    assert run("add", "Anna", "--seed", "0")[0] == 0
    service = TournamentService.open(str(tmp_path / "schiri.db"))
    emil, anna = service.state.players.values()
    service.close()
    assert (emil.name, emil.first, emil.surname) == ("Emil Egli", "Emil", "Egli")
    assert (emil.club, emil.country, emil.seed) == ("Bern", "CH", 2)
    assert (anna.name, anna.first, anna.seed) == ("Anna", "", None)


def finish(run: Run) -> None:
    """All matches that are open: the first player wins, more clearly each time."""
    for number, match in enumerate(data(run, "matches", "--status", "open")):
        assert run("enter", match["match"], f"{20 + number}:{12 - number}")[0] == 0


def test_the_jurys_word_at_a_level_semi_final_is_one_option(run: Run, tmp_path: Path) -> None:
    """The command that docs/tournament.md and the help of `enter` show (SW-5)."""
    names = "Name\n" + "".join(f"Player {n}\n" for n in range(1, 5))
    assert run("new", "Cup", "--ko-size", "4")[0] == 0
    (tmp_path / "names.csv").write_text(names, encoding="utf8")
    for command in (
        ("import", str(tmp_path / "names.csv")),
        ("draw", "--size", "4", "--everybody"),
    ):
        assert run(*command)[0] == 0
    for number, match in enumerate(data(run, "matches")):
        assert run("enter", match["match"], f"{20 + number}:{12 - number}")[0] == 0
    data(run, "lot") and run("lot", "--draw")
    assert run("ko", "--draw")[0] == 0
    semi = next(m for m in data(run, "matches", "--status", "open") if m["match"] == "K2-1")
    # what is to be added, ready to be copied but for the choice
    assert f"--winner {semi['a']}, {semi['b']}" in run("enter", "K2-1", "16:16")[2]
    assert run("enter", "K2-1", "16:16", "--winner", semi["b"])[0] == 0
    done = next(m for m in data(run, "matches") if m["match"] == "K2-1")
    assert (done["cards"], done["status"]) == ([16, 16], "checked")
    assert done["word"] == ""


def test_what_goes_with_no_option_is_named_as_it_was_typed(run: Run) -> None:
    assert run("new", "Cup")[0] == 0
    refused = run("forfeit", "A-1", "p002", "--both")
    assert refused[0] == 2
    assert "p002 does not go with --both" in refused[2]


CIRCLE = "Name\nAnna\nBerta\nCarla\n"


@pytest.mark.parametrize("lot", list(itertools.permutations(["p001", "p002", "p003"])))
def test_a_circle_of_three_obeys_the_lot_in_every_order(
    run: Run, tmp_path: Path, lot: tuple[str, ...]
) -> None:
    (tmp_path / "circle.csv").write_text(CIRCLE, encoding="utf8")
    for command in (
        ("new", "Circle", "--ko-size", "2"),
        ("import", str(tmp_path / "circle.csv")),
        ("draw", "--size", "3", "--everybody"),
    ):
        assert run(*command)[0] == 0
    beats = {("p001", "p002"), ("p002", "p003"), ("p003", "p001")}
    for match in data(run, "matches"):
        cards = "20:12" if (match["a"], match["b"]) in beats else "12:20"
        assert run("enter", match["match"], cards)[0] == 0
    assert [sorted(tie) for tie in data(run, "lot")] == [["p001", "p002", "p003"]]
    assert run("lot", *lot, "--by", "Jury")[0] == 0
    rows = data(run, "standings")["groups"]["A"]
    assert [row["player"] for row in rows] == list(lot)
    assert [row["decided_by"] for row in rows] == ["lot"] * 3
    seeds = data(run, "ko", "--draw")["seeds"]
    assert [seed["player"] for seed in seeds] == list(lot[:2])


def test_a_day_from_the_list_to_the_champion(day: Run, tmp_path: Path) -> None:
    assert day("call", "--slot", "1")[0] == 0
    assert [m["late_in_s"] > 100 for m in data(day, "matches", "--status", "called")] == [True] * 2
    for match in data(day, "matches", "--status", "called"):
        assert day("enter", match["match"], "20:12")[0] == 0
    finish(day)
    data(day, "lot") and day("lot", "--draw")
    assert data(day, "ko", "--draw")["size"] == 2
    final = data(day, "matches", "--status", "open")[0]
    assert (final["match"], final["minutes"]) == ("KF", 20)
    word = ("enter", "KF", "16:16", "--winner", final["b"])
    assert day(*word, "--why", "the pile was seen")[0] == 0
    told = day("matches", "--lang", "en")[1].replace("\n", " ")
    assert "jury's word" in told
    log = day("log", "--match", "KF")[1]
    assert "won by the jury's word" in log
    assert "the pile was seen" in log
    assert data(day, "matches")[-1]["word"] == "the pile was seen"
    assert data(day, "ko")["champion"] == final["b"]
    assert day("lock", "--all")[0] == 0
    assert data(day, "verify")["events"] == len(json.loads(day("log", "--json")[1]))
    assert {m["status"] for m in data(day, "matches")} == {"locked"}


def test_standings_of_the_store_and_of_its_export_are_the_same(day: Run, tmp_path: Path) -> None:
    finish(day)
    file = tmp_path / "cup.json"
    assert day("export", "-o", str(file))[0] == 0
    assert data(day, "standings") == data(day, "standings", str(file))
    assert data(day, "ko") == data(day, "ko", str(file))
    assert read_file(file).players[0].name == "Çiğdem Öztürk"


def test_ratings_refuse_an_event_that_is_not_here(day: Run) -> None:
    assert len(data(day, "ratings", "--event", "zurich-cup")) == 4
    code, out, err = day("ratings", "--event", "zurich-cup", "--event", "bern-cup")
    assert (code, out) == (2, "")
    sentence = "there is no tournament 'bern-cup'; `schiri tournament list` shows them"
    assert err == f"schiri: {sentence}\n"


def test_exports_come_back(day: Run, tmp_path: Path) -> None:
    finish(day)
    for kind, name in (("proof", "cup.ndjson"), ("json", "cup.json"), ("players", "list.csv")):
        assert day("export", "--format", kind, "-o", str(tmp_path / name))[0] == 0
        assert S_IMODE((tmp_path / name).stat().st_mode) == 0o600  # names of people
    assert day("restore", str(tmp_path / "cup.ndjson"), "--id", "copy")[0] == 0
    assert day("new", "Third", "--tables", "2", "--deck", "berge")[0] == 0
    assert day("import", str(tmp_path / "cup.json"), "-t", "third")[0] == 0
    one, *others = (data(day, "standings", "-t", t) for t in ("zurich-cup", "copy", "third"))
    assert others == [one, one]
    assert [p.name for p in read_players(tmp_path / "list.csv")][:2] == [
        "Çiğdem Öztürk",
        "Jörg Egli",
    ]


@pytest.fixture
def log_file(day: Run, tmp_path: Path) -> Path:
    """The exported log of a finished day, which holds."""
    finish(day)
    path = tmp_path / "cup.ndjson"
    assert day("export", "--format", "proof", "-o", str(path))[0] == 0
    code, out, _ = day("verify", str(path))
    count = path.read_bytes().count(b'"seq"')
    assert (code, f"{count} entries of the file hold." in out) == (0, True)
    return path


def changed(lines: list[bytes]) -> Iterator[tuple[str, int, list[bytes]]]:
    """What somebody could do to a log: what, the line that is named, the lines then."""
    turned = next(n for n, line in enumerate(lines) if b"[20,12]" in line)
    then = lines[turned].replace(b"[20,12]", b"[12,20]")
    yield "a result turned", turned + 1, [*lines[:turned], then, *lines[turned + 1 :]]
    for n in (1, 12):
        yield "doubled", n + 1, [*lines[:n], lines[n - 1], *lines[n:]]
    for n in (1, 12, len(lines)):
        yield "dropped", n, [*lines[: n - 1], *lines[n:]]
    yield "the end doubled", len(lines), [*lines, lines[-1]]
    yield "swapped", 7, [*lines[:6], lines[7], lines[6], *lines[8:]]
    yield "cut behind a line", 20, lines[:19]
    yield "one added behind the end", len(lines), [*lines, lines[-2]]
    unlinked = lines[4].partition(b',"link"')[0] + b"}"
    yield "a link taken away", 5, [*lines[:4], unlinked, *lines[5:]]


def test_a_log_that_was_changed_is_refused_by_its_line(day: Run, log_file: Path) -> None:
    *lines, signature = log_file.read_bytes().splitlines()
    for what, line, then in changed(lines):
        log_file.write_bytes(b"\n".join((*then, signature)) + b"\n")
        refused_by_line(day, log_file, line, what)
    log_file.write_bytes(b"\r\n".join((*lines, signature)) + b"\r\n")
    refused_by_line(day, log_file, 1, "saved by an editor")


def refused_by_line(run: Run, path: Path, line: int, what: str) -> None:
    for command in (("verify", str(path)), ("restore", str(path), "--id", "copy")):
        code, out, err = run(*command)
        assert (code, out) == (1, ""), what
        assert f"cup.ndjson, line {line}: changed, added, moved or missing" in err, what
        assert err.count("\n") == 1


def test_no_byte_of_a_log_can_be_changed_or_cut_off(log_file: Path, tmp_path: Path) -> None:
    whole = log_file.read_bytes()
    path = tmp_path / "other.ndjson"
    # of the signature `verify --export` judges
    for place in SAMPLE(range(1, whole.index(b'{"signer"'))):
        line = whole[:place].count(b"\n") + 1
        for data in (bytes([whole[place] ^ 1 << place % 8]), b"", b" " + whole[place : place + 1]):
            path.write_bytes(whole[:place] + data + whole[place + 1 :])
            with pytest.raises(UserError, match=rf"other.ndjson, line ({line}|{line + 1}): "):
                read_log(path)
        path.write_bytes(whole[:place])
        with pytest.raises(UserError, match=r"other.ndjson, line \d+: "):
            read_log(path)


def test_another_log_than_the_one_whose_head_was_written_down(day: Run, log_file: Path) -> None:
    head = data(day, "verify")["head"]
    assert data(day, "verify", str(log_file), "--head", head)["head"] == head
    code, _, err = day("verify", str(log_file), "--head", "0" * 64)
    assert (code, f"its own is {head}" in err) == (1, True)


def test_a_log_without_its_links_proves_nothing_and_is_refused(
    day: Run, log_file: Path, tmp_path: Path
) -> None:
    *lines, _end, _signature = log_file.read_bytes().splitlines()
    log_file.write_bytes(b"".join(line.partition(b',"link"')[0] + b"}\n" for line in lines))
    refused_by_line(day, log_file, 1, "without links")


def test_spreadsheets_and_the_page(day: Run, tmp_path: Path) -> None:
    finish(day)
    for kind in ("standings", "results", "site"):
        assert day("export", "--format", kind, "-o", str(tmp_path / kind))[0] == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "results").read_text(encoding="utf-8-sig"))))
    assert len(rows) == 1 + 6
    assert {len(row) for row in rows} == {13}
    assert "ahead by" in (tmp_path / "standings").read_text(encoding="utf-8-sig")
    page = (tmp_path / "site/ranking.html").read_text(encoding="utf8")
    assert "Çiğdem Öztürk" in page
    assert "<script" not in page
    assert "http" not in page


@pytest.mark.parametrize("start", ["=", "+", "-", "@"])
def test_no_cell_begins_like_a_formula_and_the_list_is_read_back(
    run: Run, tmp_path: Path, start: str
) -> None:
    (tmp_path / "in.csv").write_text(f"Name,Verein\n{start}1 Anna,{start}club\n", encoding="utf8")
    assert run("new", "Cup")[0] == 0
    assert run("import", str(tmp_path / "in.csv"))[0] == 0
    for kind in ("players", "standings", "results"):
        assert run("export", "--format", kind, "-o", str(tmp_path / kind))[0] == 0
        rows = list(csv.reader(io.StringIO((tmp_path / kind).read_text(encoding="utf-8-sig"))))
        assert "'+/-" not in rows[0]
        assert not [cell for row in rows[1:] for cell in row if cell.startswith(start)]
    assert read_players(tmp_path / "players")[0].name == f"{start}1 Anna"
    assert read_players(tmp_path / "players")[0].club == f"{start}club"


def test_a_name_never_becomes_a_formula_or_a_tag(run: Run, tmp_path: Path) -> None:
    players = tmp_path / "players.csv"
    players.write_text('name\n=1+1\n"<script>x"\n', encoding="utf8")
    run("new", "Cup")
    assert run("import", str(players))[0] == 0
    run("draw", "--everybody")
    for kind in ("players", "site"):
        assert run("export", "--format", kind, "-o", str(tmp_path / kind))[0] == 0
    assert "'=1+1" in (tmp_path / "players").read_text(encoding="utf-8-sig")
    pages = [path.read_text(encoding="utf8") for path in (tmp_path / "site").glob("*.html")]
    assert any("&lt;script&gt;x" in page for page in pages)
    assert not any("<script>" in page for page in pages)


def test_a_correction_is_shown_before_it_is_made(day: Run) -> None:
    assert day("enter", "A-1", "20:12")[0] == 0
    code, out, _ = day("correct", "A-1", "12:20")
    assert code == 0
    assert "rank" in out
    assert "Only a preview" in out
    assert data(day, "matches", "--status", "checked")[0]["cards"] == [20, 12]
    assert day("correct", "A-1", "12:20", "--yes", "--by", "Jury", "--why", "again")[0] == 0
    assert data(day, "matches", "--status", "checked")[0]["cards"] == [12, 20]
    assert "Jury: A-1" in day("log", "--match", "A-1")[1]


def test_late_withdraw_exclude_void_forfeit_and_plan(day: Run) -> None:
    assert day("add", "Spät", "--group", "A")[0] == 0
    assert len(data(day, "plan")["matches"]) == 10
    match = data(day, "matches")[0]
    assert day("call", match["match"])[0] == 0
    code, _, err = day("forfeit", match["match"], match["a"])
    assert code == 2
    assert "seconds are left" in err
    assert day("forfeit", match["match"], match["a"], "--force")[0] == 0
    assert day("correct", match["match"], "--void")[0] == 0
    assert day("withdraw", "Emil")[0] == 0
    assert day("withdraw", "Anna", "--exclude")[0] == 0
    assert day("withdraw", "Anna", "--undo")[0] == 0
    left = [p["name"] for p in data(day, "players") if p["withdrawn"]]
    assert left == ["Emil"]
    assert day("plan", "--tables", "1", "--again")[0] == 0
    open_ones = [m for m in data(day, "matches") if m["status"] == "open"]
    assert {match["table"] for match in open_ones} == {1}


def test_a_straggler_does_not_hold_up_its_slot(day: Run) -> None:
    first = data(day, "matches")[0]
    assert day("call", first["match"], "--table", "1")[0] == 0
    code, out, err = day("call", "--slot", "2")
    assert code == 0
    waiting = [m for m in data(day, "matches") if m["slot"] == 2 and m["status"] == "open"]
    assert [f"match {m['match']}: " in err for m in waiting] == [True] * len(waiting)
    assert len(waiting) == 2  # with four players in one group, both need one who still plays
    assert "Nothing to do" in out


def test_an_odd_result_is_entered_by_who_is_sure(day: Run) -> None:
    code, _, err = day("enter", "A-1", "5:5")
    assert code == 2
    assert "makes only 10 cards" in err
    assert day("enter", "A-1", "5:5", "--sure")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("enter", "A-9", "20:12"), "there is no match 'A-9'"),
        (("enter", "A-1", "twenty"), "'twenty' is no result"),
        (("enter", "A-1", "20:-2"), "is no result"),
        (("call", "A-1", "--table", "9"), "no table 9"),
        (("withdraw", "Nobody"), "there is no player 'Nobody'"),
        (("standings", "-t", "none"), "no tournament 'none'"),
        (("standings", "gone.json"), "gone.json: cannot be read"),
        (("import", "gone.csv"), "gone.csv: cannot be read"),
        (("import", "gone.json"), "gone.json: cannot be read"),
        (("restore", "gone.ndjson"), "gone.ndjson: cannot be read"),
        (("collect", "--slips", "gone.jsonl"), "gone.jsonl: cannot be read"),
        (("export", "-o", "no/such/folder"), "cannot be written"),
        (("draw", "--size", "1"), "a group needs two players"),
        (("new", "Zürich Cup"), "there is a tournament 'zurich-cup' already"),
        (("new", "x", "--ko-size", "48"), "2, 4, 8, 16"),
        (("ko", "--draw", "some.json"), "only a stored tournament is drawn"),
        (("lot", "Anna", "Emil"), "still to be played"),
        (("simulate", "--players", "3"), "8 to 650 players"),
    ],
)
def test_bad_input_is_one_sentence(day: Run, arguments: tuple[str, ...], words: str) -> None:
    before = data(day, "verify")["events"]
    code, out, err = day(*arguments)
    assert code in (2, 3)
    assert out == ""
    assert words in err
    assert err.startswith("schiri: ")
    assert len(err.strip().splitlines()) == 1
    assert data(day, "verify")["events"] == before


@pytest.mark.parametrize(
    ("raw", "names"),
    [
        (b"\xef\xbb\xbfname\nJ\xc3\xb6rg\n", ["Jörg"]),
        (b"name\nJ\xf6rg\n", ["Jörg"]),
    ],
)
def test_lists_in_latin_1_or_with_a_bom(run: Run, tmp_path: Path, raw: bytes, names) -> None:
    (tmp_path / "players.csv").write_bytes(raw)
    run("new", "Cup")
    assert run("import", str(tmp_path / "players.csv"))[0] == 0
    assert [player["name"] for player in data(run, "players")] == names


def test_faults_of_a_list_name_their_lines(run: Run, tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text("name,seed\nAnna,1\nAnna,x\n", encoding="utf8")
    run("new", "Cup")
    code, _, err = run("import", str(tmp_path / "players.csv"))
    assert code == 2
    assert "line 3, name" in err
    assert "line 3, seed" in err
    assert data(run, "players") == []


def test_a_second_list_goes_on_counting_and_gives_no_id_again(run: Run, tmp_path: Path) -> None:
    run("new", "Cup")
    for number, names in enumerate(("Anna\nBerta\nCarl", "Dora\nEmil")):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"name\n{names}\n", encoding="utf8")
        assert run("import", str(path))[0] == 0
        assert run("remove", "p001" if number == 0 else "p004")[0] == 0
    assert [p["id"] for p in data(run, "players")] == ["p002", "p003", "p005"]


def test_two_of_one_name_and_club_are_told_apart_by_country(run: Run, tmp_path: Path) -> None:
    lines = ["name,club,country", "Anna,Bern,CH", "Anna,bern,AT", "Anna,Bern,"]
    run("new", "Cup")
    path = tmp_path / "list.csv"
    path.write_text("\n".join(lines), encoding="utf8")
    code, _, err = run("import", str(path))
    assert (code, "line 4, name: 'Anna' of the same club stands in line 2" in err) == (2, True)
    assert "line 3" not in err
    path.write_text("\n".join(lines[:3]), encoding="utf8")
    assert run("import", str(path))[0] == 0
    said = run("checkin", "--all")[1]
    assert "Anna (Bern, CH)" in said
    assert "Anna (bern, AT)" in said
    assert run("edit", "p002", "--country", "ch")[0] == 2


@pytest.mark.parametrize("content", ["nonsense\n", '{"seq": 2}\n'])
def test_a_log_that_is_none_names_the_line(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "cup.ndjson").write_text(content, encoding="utf8")
    code, _, err = run("restore", str(tmp_path / "cup.ndjson"))
    assert code == 2
    assert "cup.ndjson, line 1" in err


@pytest.mark.parametrize("name", sorted(SUBCOMMANDS))
def test_every_command_explains_itself_with_an_example(run: Run, name: str) -> None:
    code, out, _ = run(name, "--help")
    assert code == 0
    assert f"schiri tournament {name}" in out


def test_announcements_and_the_beginning(day: Run) -> None:
    assert "Durchsage: Suppe ist da" in day("announce", "Suppe  ist da", "--lang", "de")[1]
    day("announce", "Lost: a scarf")
    first, second = data(day, "announce")
    assert (first["text"], second["text"]) == ("Suppe ist da", "Lost: a scarf")
    assert (
        f"announcement {first['announcement']} taken down"
        in day("announce", "Suppe ist da", "--end")[1]
    )
    assert day("announce")[1] == f"{second['announcement']}: Lost: a scarf\n"
    day("announce", "--end")
    assert data(day, "announce") == []
    assert data(day, "plan")["begins"] is None
    assert day("plan", "--begins", "2026-11-28 9:99")[0] == 2
    assert "2026-11-28 10:00" in day("plan", "--begins", "2026-11-28 10:00")[1]
    assert "2026-11-28 10:00\n" in day("plan")[1]
    seen = datetime.fromisoformat(data(day, "plan")["begins"])
    assert seen == datetime(2026, 11, 28, 10).astimezone()


def test_german_is_spoken_where_it_is_wanted(day: Run) -> None:
    assert "gemeldet" in day("enter", "A-1", "20:12", "--lang", "de")[1]
    assert "Punkte" in day("standings", "--lang", "de")[1]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("enter", "A-9", "20:12"), 2, "Es gibt keine Partie „A-9“; siehe die Liste der Partien."),
        (("withdraw", "Nobody"), 2, "„Nobody“ steht nicht in der Spielerliste."),
        (("import", "gone.csv"), 2, "gone.csv lässt sich nicht lesen: Datei oder Ordner fehlt."),
        (
            ("export", "-o", "no/such/folder"),
            3,
            "no/such/folder lässt sich nicht schreiben: Datei oder Ordner fehlt.",
        ),
        (
            ("new", "x", "--ko-size", "48"),
            2,
            "Am K.-o. nehmen 2, 4, 8, 16 … Spieler teil, nicht 48.",
        ),
        (
            ("print", "tree", "-o", "x.pdf"),
            2,
            "Das K.-o. ist noch nicht ausgelost; bitte zuerst auslosen.",
        ),
    ],
)
def test_refusals_are_german_where_german_is_wanted(
    day: Run, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    assert day(*arguments, "--lang", "de") == (code, "", f"schiri: {sentence}\n")
    english_code, _, english = day(*arguments)
    assert english_code == code
    assert english != f"schiri: {sentence}\n"


def test_warnings_and_stragglers_are_german_where_german_is_wanted(day: Run) -> None:
    assert "20:20 ergibt 40 Karten" in day("enter", "A-1", "20:20", "--lang", "de")[2]
    first = next(m for m in data(day, "matches", "--status", "open") if m["slot"] == 2)
    assert day("call", first["match"], "--table", "1")[0] == 0
    assert "An Tisch 1 läuft noch" in day("call", "--slot", "3", "--lang", "de")[2]


# -- results that fit no match --------------------------------------------------------------------

TRIALS = {"f00dcafe01": ["Anna", "Unknown"], "beefbeef02": ["Emil", "Nobody"]}


@pytest.fixture
def tasks(day: Run, tmp_path: Path) -> Run:
    """Two results of a box that name somebody who is not in the player list."""
    service = TournamentService.open(str(tmp_path / "schiri.db"), None)
    for journal, names in TRIALS.items():
        told = from_box(f"b1 {journal}", journal, names=names)
        service.do("sync", "", lambda state, told=told: leave_to_desk(state, told))
    service.close()
    return day


def match_of(run: Run, *names: str) -> dict[str, Any]:
    """The match of these two players."""
    ids = {player["id"] for player in data(run, "players") if player["name"] in names}
    return next(m for m in data(run, "matches") if {m["a"], m["b"]} == ids)


@pytest.mark.parametrize(
    ("lang", "why", "none"),
    [
        ("en", "who is not in the player list", "Nothing to do"),
        ("de", "steht nicht in der Spielerliste", "Nichts zu tun"),
    ],
)
def test_what_fits_no_match_is_listed_with_its_reason(
    tasks: Run, lang: str, why: str, none: str
) -> None:
    code, out, _ = tasks("unplaced", "--lang", lang)
    lines = out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == list(TRIALS)
    assert all("20:12" in line and why in line for line in lines)
    assert [task["names"] for task in data(tasks, "unplaced")] == list(TRIALS.values())
    for journal in TRIALS:
        assert tasks("unplaced", journal, "--dismiss", "--why", "a trial")[0] == 0
    assert none in tasks("unplaced", "--lang", lang)[1]


def test_a_task_is_given_to_its_match_by_who_sat_first(tasks: Run) -> None:
    match = match_of(tasks, "Anna", "Emil")
    for lang, words in (
        ("en", "the names do not tell who sat where"),
        ("de", "Die Namen sagen nicht, wer welchen Platz hatte"),
    ):
        code, out, err = tasks("unplaced", "f00d", match["match"], "--lang", lang)
        assert (code, out) == (2, "")
        assert words in err
    assert tasks("unplaced", "f00d", match["match"], "--first", "Anna", "--why", "badge")[0] == 0
    now = match_of(tasks, "Anna", "Emil")
    anna = next(p["id"] for p in data(tasks, "players") if p["name"] == "Anna")
    cards = [20, 12] if now["a"] == anna else [12, 20]
    assert [(said["journal"], said["cards"]) for said in now["reports"]] == [("f00dcafe01", cards)]
    assert [task["journal"] for task in data(tasks, "unplaced")] == ["beefbeef02"]


def test_a_dismissed_task_says_why_and_can_still_be_assigned(tasks: Run) -> None:
    code, _, err = tasks("unplaced", "beef", "--dismiss")
    assert code == 2
    assert "say --why" in err
    assert len(data(tasks, "unplaced")) == 2
    code, out, _ = tasks("unplaced", "beef", "--dismiss", "--why", "a trial", "--lang", "de")
    assert code == 0
    assert "gehört zu keiner Partie" in out
    assert [task["journal"] for task in data(tasks, "unplaced")] == ["f00dcafe01"]
    match = match_of(tasks, "Anna", "Emil")
    assert tasks("unplaced", "beef", match["match"], "--first", "Emil")[0] == 0
    assert len(match_of(tasks, "Anna", "Emil")["reports"]) == 1


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "is none of the results that fit no match"), ("de", "ist keines der Ergebnisse")],
)
@pytest.mark.parametrize(
    "command", [("unplaced", "abc", "A-1"), ("unplaced", "abc", "--dismiss", "--why", "gone")]
)
def test_a_journal_that_is_no_task_is_refused(
    tasks: Run, command: tuple[str, ...], lang: str, words: str
) -> None:
    code, out, err = tasks(*command, "--lang", lang)
    assert (code, out) == (2, "")
    assert words in err


def test_players_who_begin_are_not_late(day: Run) -> None:
    match = data(day, "matches")[0]["match"]
    assert day("call", match)[0] == 0
    assert data(day, "matches", "--status", "called")[0]["late_in_s"] > 100
    assert "has begun" in day("start", match.lower())[1]
    called = data(day, "matches", "--status", "called")[0]
    assert called["started_at"]
    assert called["late_in_s"] is None


def test_a_deck_is_ticked_off_on_the_command_line(day: Run) -> None:
    assert day("call", "A-1")[0] == 0
    [out] = data(day, "deck-back")
    assert (out["match"], out["deck"], out["status"]) == ("A-1", "berge", "called")
    assert "berge, A-1" in day("deck-back")[1]
    assert "the deck is back" in day("deck-back", "a-1")[1]
    assert data(day, "deck-back") == []
    assert "das Deck fehlt noch" in day("deck-back", "A-1", "--still-out", "--lang", "de")[1]
    assert "Nothing" in day("deck-back", "--all")[1]  # the match is being played
    assert day("enter", "A-1", "20:14")[0] == 0
    assert "the deck is back" in day("deck-back", "--all")[1]
    code, out, err = day("deck-back", "A-2", "--lang", "de")
    assert (code, out) == (2, "")
    assert "kein Deck draussen" in err


def test_only_a_called_match_can_begin(day: Run) -> None:
    match = data(day, "matches")[0]["match"]
    for lang, words in (("en", "only a called one can"), ("de", "kann nur eine aufgerufene")):
        code, out, err = day("start", match, "--lang", lang)
        assert (code, out) == (2, "")
        assert words in err
    assert day("call", match)[0] == 0
    assert day("start", match, "--lang", "de")[1].endswith(" läuft\n")


def test_the_jurys_book_is_kept_on_the_command_line(day: Run) -> None:
    one = data(day, "matches")[0]
    match, player = one["match"], one["a"]
    bare = day("jury", "protest", player, "too late", "--match", match)
    assert (bare[0], "comes with a deposit" in bare[2]) == (2, True)
    assert day("jury", "protest", player, "too late", "--match", match, "--deposit", "20")[0] == 0
    assert day("jury", "penalize", player, "delays", "--cards", "10")[0] == 0
    assert day("jury", "observe", "signs from behind")[0] == 0
    assert day("jury", "postpone", match, "--why", "at the doctor's")[0] == 0
    notes = data(day, "jury", "list")
    assert [note["body"]["is"] for note in notes] == [
        "protest_filed",
        "penalized",
        "observed",
        "postponed",
    ]
    protest, penalty = notes[0]["seq"], notes[1]["seq"]
    assert [note["seq"] for note in data(day, "jury", "list", "--open")] == [protest]
    assert day("jury", "decide", str(protest), "no", "--rejected")[0] == 0
    assert day("jury", "penalize", str(penalty), "--lift")[0] == 0
    code, _, err = day("jury", "penalize", str(penalty), "--lift")
    assert code == 2
    assert "Traceback" not in err
    code, _, err = day("jury", "penalize", "p001")
    assert (code, "Text: please fill it in" in err) == (2, True)
    code, _, err = day("jury", "penalize", str(penalty), "late", "--lift")
    assert (code, "late does not go with --lift" in err) == (2, True)
    out = day("jury", "list", "--lang", "de")[1]
    assert "(aufgehoben)" in out
    assert "(offen)" not in out


# -- tables of several ----------------------------------------------------------------------------


def test_an_evening_at_tables_of_several_goes_out_as_a_file_and_comes_back(
    run: Run, tmp_path: Path
) -> None:
    """Five: a table of three and a match of two; in round 2 one has left. By 5 3 2 a shared first
    place is worth 4.
    """
    players = tmp_path / "players.csv"
    players.write_text("Name\nAnna\nBen\nCleo\nDan\nEva\n", encoding="utf8")
    evening = ("--mode", "tables", "--seats", "3", "--rounds", "2", "--tables", "2")
    for wrong in ("5,3", "2,3,5", "5;x;2", "0,0,0"):
        code, _, err = run("new", "Wrong", *evening, "--points", wrong)
        assert (code, "3 whole numbers" in err, err.count("\n")) == (2, True, 1)
    assert run("new", "Evening", *evening, "--points", "5,3,2")[0] == 0
    assert data(run, "mode")["points"] == [5, 3, 2]
    assert run("import", str(players))[0] == 0
    assert run("checkin", "--all")[0] == 0
    assert run("draw", "--seed", "1")[0] == 0
    slips = tmp_path / "slips.txt"
    assert run("pair")[0] == 0
    slips.write_text("1 1 1 2\n2 2 1\nR1-1 Nobody, Anna\n1\n", encoding="utf8")
    code, _, err = run("enter", "--from", str(slips))
    assert (code, err.count("slips.txt")) == (2, 4)
    assert "3 places are needed" in err
    slips.write_text("1 113  # table of three\nR1-2 20:12\n", encoding="utf8")
    for _ in range(2):  # the same slips once more change nothing
        assert run("enter", "--from", str(slips))[0] == 0
    table, two = data(run, "matches")
    assert (table["places"], two["cards"]) == ([1, 1, 3], [20, 12])
    points = {row["player"]: row["points"] for row in data(run, "standings")["overall"]}
    first, second, third, winner, loser = (
        *(table[k] for k in "ab"),
        *table["more"],
        *(two[k] for k in "ab"),
    )
    assert points == {first: 4, second: 4, third: 2, winner: 5, loser: 3}
    assert run("withdraw", third, "--why", "ill")[0] == 0
    assert run("pair")[0] == 0
    for match in data(run, "matches", "--status", "open"):
        assert run("enter", match["match"], "16:16")[0] == 0
    assert run("verify")[0] == 0
    before = data(run, "standings")
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert run("export", "--format", "json", "-o", str(first))[0] == 0
    assert json.loads(first.read_bytes())["points"] == [5, 3, 2]
    assert data(run, "standings", str(first))["overall"] == before["overall"]
    assert run("new", "Copy", "--id", "copy")[0] == 0
    assert run("import", str(first), "--tournament", "copy")[0] == 0
    assert run("verify", "--tournament", "copy")[0] == 0
    there = ("--tournament", "copy", "-o", str(second))
    assert run("export", "--format", "json", *there)[0] == 0
    assert second.read_bytes() == first.read_bytes()


# -- taking back ----------------------------------------------------------------------------------


def test_a_result_that_rested_on_the_report_is_open_again(day: Run) -> None:
    """As an organiser types it: entered in the wrong line, it counts at once."""
    assert day("enter", "A-1", "20:12", "--by", "desk")[0] == 0
    code, out, _ = day("take-back", "A-1", "--why", "typed the wrong match")
    assert (code, "no result counts any more" in out) == (0, True)
    first = next(line for line in data(day, "matches") if line["match"] == "A-1")
    assert first["status"] == "open"
    assert "12" not in day("standings")[1]
    assert day("enter", "A-1", "12:20")[0] == 0


def test_what_another_report_says_as_well_goes_on_counting(day: Run) -> None:
    assert day("enter", "A-1", "20:12")[0] == 0
    with_box = TournamentService.open()
    match = with_box.state.matches["A-1"]
    with_box.do(
        "box",
        "",
        lambda state: report(state, Reported(match=match.id, cards=(20, 12), source="box")),
    )
    with_box.close()
    code, out, _ = day("take-back", "A-1", "--why", "the slip was of A-2", "--report", "1")
    assert (code, "no result counts" in out) == (0, False)
    assert day("matches")[1].count("checked") == 1


def test_a_result_that_something_was_drawn_on_is_not_taken_back(day: Run) -> None:
    for number, match in enumerate(data(day, "matches")):
        assert day("enter", match["match"], f"{20 + number}:{12 - number}")[0] == 0
    code, _, err = day("ko", "--draw")
    assert code == 0, err
    code, _, err = day("take-back", "A-1", "--why", "typed the wrong match")
    assert (code, "the knock-out is drawn" in err) == (2, True)
