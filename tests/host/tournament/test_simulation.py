"""A whole simulated day: drawn, played on boxes with journals, mended, to champion and third."""

import io
import re
import zipfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import anyio
import pytest
from click.testing import CliRunner
from python_calamine import CalamineWorkbook

from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.sim.tournament.day import MOST, players, simulate_day
from host_tools.store.models import StoredMatch
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants
from host_tools.tournament.export import FORMATS, as_site, site_files, statistics_of
from host_tools.tournament.ko import bracket_of
from host_tools.tournament.model import Entrant
from host_tools.tournament.ratings import ratings, season_of
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.statistics import (
    BAR_H,
    CHART_W,
    Statistics,
    bars_svg,
    card_name,
    pictures,
    rounds,
)
from host_tools.tournament.verifying import verify
from host_tools.web.desk.board_page import AskedPage
from host_tools.web.desk.follower import Follower
from host_tools.web.desk.live_tables import LiveTables
from host_tools.web.desk.rendering import BoardRenderer
from tests.host.tournament.hall import MemoryHall


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory):
    """A day with 16 players."""
    folder: Path = tmp_path_factory.mktemp("day")
    service, day = simulate_day(str(folder / "schiri.db"), 16, seed=3)
    yield service, day
    service.close()


def test_it_ends_with_a_champion_and_a_third(played) -> None:
    service, day = played
    assert day.champion
    assert day.third
    assert day.champion != day.third
    assert all(match.status == "locked" for match in service.state.matches.values())


def test_every_played_result_has_a_journal_or_was_on_paper(played) -> None:
    service, day = played
    fought = [m for m in service.state.matches.values() if m.result and m.result.kind == "played"]
    by_box = [m for m in fought if any(r.source == "box" for r in m.reports)]
    assert len(by_box) + day.on_paper >= len(fought) - len(day.corrected)
    for match in by_box:
        said = next(report for report in match.reports if report.source == "box")
        assert said.trust == "verified"
        assert said.journal in stored(service)
    assert day.on_paper > 0


def stored(service) -> dict[str, StoredMatch]:
    return {match.digest: match for match in service.store.matches()}


def test_results_are_what_the_journals_say_unless_the_jury_corrected(played) -> None:
    service, day = played
    journals = stored(service)
    for match in service.state.matches.values():
        for said in match.reports:
            if said.source == "box" and match.id not in day.corrected:
                journal = journals[said.journal]
                names = [service.state.players[p].name for p in (match.a, match.b)]
                counts = dict(zip(journal.header["names"], journal.result["counts"], strict=True))
                assert list(match.result.cards) == [counts[name] for name in names]


def test_everything_that_goes_wrong_did_go_wrong(played) -> None:
    _, day = played
    assert len(day.corrected) == 2
    assert len(day.withdrawn) == len(day.excluded) == len(day.late) == 1


def test_who_left_is_not_in_the_tree(played) -> None:
    service, day = played
    assert not {*day.withdrawn, *day.excluded} & set(service.state.ko_seeds)


def test_the_log_holds_and_the_export_gives_the_same_tree(played) -> None:
    service, day = played
    assert verify(service).without_journal == []
    bracket, strays = bracket_of(service.state.as_tournament())
    assert strays == []
    assert bracket.champion == day.champion


def test_another_seed_is_another_day_and_the_same_one_the_same(tmp_path: Path) -> None:
    days = []
    for place, seed in enumerate((1, 1, 2)):
        service, day = simulate_day(str(tmp_path / f"{place}.db"), 8, seed)
        days.append((service.state.digest(), day))
        service.close()
    assert days[0] == days[1]
    assert days[0] != days[2]


def test_a_day_on_either_database(database: str) -> None:
    service, day = simulate_day(database, 8, seed=4)
    assert verify(service).events == service.last_seq()
    assert service.state.bracket is not None
    assert service.state.bracket.champion == day.champion
    service.close()


def test_names_are_different_and_bear_umlauts() -> None:
    import random

    made = players(MOST, random.Random(1))
    assert len({player.name for player in made}) == MOST >= 512
    assert any("Ş" in player.name for player in made)


def test_too_few_players_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="8 to 650 players, not 4"):
        simulate_day(str(tmp_path / "x.db"), 4, 1)


# -- what is left of the day ----------------------------------------------------------------------


def _tables(raw: bytes) -> dict[str, list[list[object]]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def test_the_workbook_holds_the_final_order_and_every_result(played) -> None:
    service, day = played
    xlsx = _tables(FORMATS["xlsx"](service, "de"))
    final = xlsx["Schlussrangliste"]
    champion = service.state.players[day.champion].name
    assert final[1][:2] == [1, champion]
    assert len(final) == 1 + len(service.state.final_places())
    counted = [row for row in xlsx["Partie"][1:] if row[6] != ""]
    assert len(counted) == sum(
        match.result is not None for match in service.state.matches.values()
    )


def test_statistics_say_what_the_journals_say(played) -> None:
    service, _ = played
    found = statistics_of(service)
    pots: dict[int, set[str]] = {}
    taken: Counter[str] = Counter()
    for match in service.state.matches.values():
        if match.result is None or match.result.kind != "played":
            continue
        known = [report.journal for report in match.reports if report.source == "box"]
        for raw in service.store.journals(known).values():
            text = raw.decode()
            for pot in re.findall(r'"pot":(\d+)}', text.partition('"result"')[0]):
                pots.setdefault(int(pot), set()).add(match.id)
            # the winner's own card stands first, the other one second, then the pot (TRANSCRIPT)
            taken.update(re.findall(r'"round_won".*?"cards":\["\w+","(\w+)"', text))
    assert found.pot is not None
    assert found.pot[0] == max(pots)
    assert found.pot[1] in pots[max(pots)]
    assert [count for _, _, count in found.taken] == [n for _, n in taken.most_common(10)]
    assert all(taken[card] == count for _, card, count in found.taken)
    closest = service.state.matches[found.closest].result
    gaps = [
        abs(m.result.cards[0] - m.result.cards[1])
        for m in service.state.matches.values()
        if m.result and m.result.kind == "played"
    ]
    assert abs(closest.cards[0] - closest.cards[1]) == min(gap for gap in gaps if gap)
    assert sum(found.differences.values()) == len(gaps) == found.matches


def test_what_was_taken_back_is_in_no_statistics() -> None:
    """Also where something was refused between the command and its undo."""

    def played(seat: int, card: str) -> dict[str, object]:
        return {"is": "played", "seat": seat, "cards": [card]}

    answers = [
        {"n": 1, "events": [played(0, "A1")]},
        {"n": 2, "events": [played(1, "B1"), {"is": "round_tied"}]},
        {"n": 3, "events": [played(0, "A2")]},
        {"n": 4, "refused": {"reason": "wrong_seat", "rule": "TR-2"}},
        {"n": 5, "events": [{"is": "undone", "n": 3}]},
        {"n": 6, "events": [played(0, "A3")]},
        {"n": 7, "events": [played(1, "B2"), {"is": "round_won", "seat": 1, "pot": 2}]},
    ]
    assert list(rounds(answers)) == [(0, []), (2, ["A3"])]
    assert list(rounds([*answers[:2], {"n": 3, "events": [{"is": "undone", "n": 2}]}])) == []


def test_the_site_needs_nothing_but_its_own_files(played, tmp_path: Path) -> None:
    service, day = played
    before = service.state.short_names
    service.do("jury", "", command(entrants.public_names, "short"))
    files = site_files(service, "de")
    short = service.state.in_public().label(day.champion)
    service.do("jury", "", command(entrants.public_names, "short" if before else "whole"))
    for path, content in files.items():
        text = content.decode("utf-8-sig")
        used = re.findall(r'(?:href|src)="([^"#]+)', text)
        assert set(used) <= set(files), path
        assert "<script" not in text
        for player in service.state.players.values():
            assert " " not in player.name or player.name not in text, (path, player.name)
    assert short in files["index.html"].decode()


def test_the_site_in_one_archive_is_the_site(played) -> None:
    service, _ = played
    with zipfile.ZipFile(io.BytesIO(as_site(service, "de"))) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    assert found == site_files(service, "de")


def test_the_pictures_of_the_statistics_say_their_numbers() -> None:
    """Differences of 0 to 5 cards are one bar, 12 to 17 the third; the longest one fills it."""
    found = Statistics(taken=[("swiss", "A1", 4)], differences={0: 1, 5: 2, 12: 6, 17: 0})
    (_, taken), (_, differences) = pictures(found, "en")
    assert bars(taken) == [(card_name("swiss", "A1"), CHART_W, 4)]
    assert bars(differences) == [("0–5", CHART_W // 2, 3), ("6–11", 0, 0), ("12–17", CHART_W, 6)]
    assert pictures(Statistics(), "en") == []
    assert ">&lt;b&gt;<" in bars_svg("<", [("<b>", 1)])


def bars(svg: str) -> list[tuple[str, int, int]]:
    """Label, width and number of each bar, from above."""
    parts = list(ElementTree.fromstring(svg))
    assert [float(rect.get("y", "")) for rect in parts[1::3]] == [
        4 + BAR_H * row for row in range(len(parts) // 3)
    ]
    rows = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return [
        (label.text or "", int(rect.get("width", "")), int(number.text or ""))
        for label, rect, number in rows
    ]


def test_ratings_go_on_from_event_to_event(tmp_path: Path) -> None:
    """Three players, two events under other ids: who wins is above, a draw of equals moves nobody
    ahead, and an event without names is left out.
    """

    def event(*names: str) -> MemoryHall:
        hall = MemoryHall(ko_size=2)
        hall.do(entrants.add_players, [Entrant(id=n[0] + names[0], name=n) for n in names])
        hall.do(entrants.draw, 3, 1, True)
        return hall

    def rated(*halls: MemoryHall) -> list[tuple[str, int, int, int]]:
        rows = ratings(hall.state for hall in halls)
        return [(row.name, row.events, row.matches, round(row.rating)) for row in rows]

    first, second = event("Ada", "Bea", "Çem"), event("çem", "ada", "Bea")
    level = event("Ada", "Bea")
    level.play_groups(lambda a, b: (16, 16))
    even = ratings([level.state])
    assert even[0].skill.mu == pytest.approx(even[1].skill.mu)
    assert even[0].rating > 0  # two matches less unsure
    names = {
        p.id: p.name.casefold() for hall in (first, second) for p in hall.state.players.values()
    }
    order = ("ada", "bea", "çem")
    for hall in (first, second):
        hall.play_groups(
            lambda a, b: (20, 12) if order.index(names[a]) < order.index(names[b]) else (12, 20)
        )
    once, twice = rated(first), rated(first, second)
    assert [row[0].casefold() for row in once] == [row[0].casefold() for row in twice] == [*order]
    assert [row[1:3] for row in once] == [(1, 2)] * 3
    assert [row[1:3] for row in twice] == [(2, 4)] * 3
    assert twice[0][3] > once[0][3]
    assert rated(first, MemoryHall()) == once
    one_season = ratings([first.state, second.state], ["2025", "2025"])
    two_seasons = ratings([first.state, second.state], ["2025", "2026"])
    best, less_sure = one_season[0], two_seasons[0]
    assert round(best.rating) == twice[0][3]
    assert less_sure.at_the_end["2025"] == pytest.approx(ratings([first.state])[0].rating)
    assert less_sure.at_the_end["2026"] == less_sure.rating
    assert less_sure.skill.sigma > best.skill.sigma
    assert less_sure.skill.mu > best.skill.mu  # who is less sure learns more from a win
    assert season_of("2026-08-31T12:00:00+00:00", (9, 1)) == "2025/26"
    assert season_of("2026-09-02T12:00:00+00:00", (9, 1)) == "2026/27"
    assert season_of("2026-01-02T12:00:00+00:00") == "2026"


def test_after_the_event_no_name_is_left_in_the_database(tmp_path: Path) -> None:
    db = tmp_path / "day.db"
    service, day = simulate_day(str(db), 8, seed=5, tables=2)
    names = {player.name for player in service.state.players.values()}
    places = [(line.place, line.player) for line in service.state.final_places()]
    final = service.state.overall_rows()
    run = CliRunner()
    service.close()
    running = TournamentService.open(str(db))  # a desk that nobody ends
    desk = Follower(running, LiveTables(running.store.live))
    board = BoardRenderer(desk)
    anyio.run(desk.catch_up)
    groups, tree = AskedPage("groups", "en"), AskedPage("tree", "en")
    assert any(name in board.page(groups).data.decode() for name in names)
    line = ["tournament", "forget", "--db", str(db), "--lang", "en"]
    assert "then say --yes" in str(run.invoke(schiri, line).exception)
    done = run.invoke(schiri, [*line, "--yes"])
    assert done.exit_code == 0, done.output
    assert "Names are still in what was written before" in done.output
    assert "Boxes still have matches with names: " in done.output
    anyio.run(desk.catch_up)
    assert running.state.forgotten
    seen = [board.page(page).data.decode() for page in (groups, tree)]
    seen += [*map(ev.encode, desk.log), *map(ev.encode, running.events())]
    assert not [name for name in names for text in seen if name in text]
    running.close()
    assert "the names of this tournament are deleted already" in str(
        run.invoke(schiri, [*line, "--yes"]).exception
    )
    for file in tmp_path.iterdir():
        raw = file.read_bytes()
        assert not [name for name in names if name.encode() in raw], file.name
    service = TournamentService.open(str(db))
    assert [(line.place, line.player) for line in service.state.final_places()] == places
    assert service.state.overall_rows() == final
    assert service.state.label(day.champion) == day.champion
    verify(service)
    service.close()


def test_an_evening_of_several_at_a_table_is_played_by_boxes(tmp_path: Path) -> None:
    """Nine players, four rounds of three tables: everybody plays each, and all of it holds."""
    service, day = simulate_day(str(tmp_path / "day.db"), 9, seed=3, game="hattrick", tables=3)
    with closing(service):
        state = service.state
        assert [match.counts for match in state.matches.values()] == [True] * 12
        assert {row.played for row in state.overall_rows()} == {4}
        assert (day.played, day.champion) == (12, state.champion)
        assert verify(service).without_journal == []
        # three of at most four at a table: 12 6 0
        assert sum(row.points for row in state.overall_rows()) == 12 * 18


@pytest.mark.parametrize("game", ["cafe-app", "bridge"])
def test_what_the_simulated_boxes_cannot_play_is_refused(tmp_path: Path, game: str) -> None:
    with pytest.raises(UserError) as refused:
        simulate_day(str(tmp_path / "day.db"), 9, seed=3, game=game)
    assert str(refused.value) == (
        f"'{game}' is no game of tables of several; choose one of"
        " trumpf-gastro, trumpf-kneipe, quartett, hattrick"
    )
    assert not (tmp_path / "day.db").exists()
