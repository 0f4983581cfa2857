"""A whole simulated day: drawn, played on boxes with journals, mended, to champion and third."""

from pathlib import Path

import pytest

from host_tools.core.errors import UserError
from host_tools.sim.tournament.day import rehearse
from host_tools.sim.tournament.names import MOST, players
from host_tools.store.models import StoredMatch
from host_tools.tournament.ko import bracket_of
from host_tools.tournament.verifying import verify


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory):
    """A day with 16 players."""
    folder: Path = tmp_path_factory.mktemp("day")
    service, day = rehearse(str(folder / "schiri.db"), 16, seed=3)
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
        service, day = rehearse(str(tmp_path / f"{place}.db"), 8, seed)
        days.append((service.state.digest(), day))
        service.close()
    assert days[0] == days[1]
    assert days[0] != days[2]


def test_a_day_on_either_database(database: str) -> None:
    service, day = rehearse(database, 8, seed=4)
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
        rehearse(str(tmp_path / "x.db"), 4, 1)
