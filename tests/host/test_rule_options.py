"""The house rules of a tournament, from the page of the desk to the standings."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from desk_web import Clock, Web, token, users
from starlette.testclient import TestClient

from card_tags.deck_card import deck_number
from host_tools.box.assigning import games_of_several, give
from host_tools.box.link import BoxLink
from host_tools.cards.decks import load_deck
from host_tools.cli import schiri
from host_tools.core.errors import UserError
from host_tools.games.options import offered
from host_tools.print import slips
from host_tools.store.journal.reading import read_journal
from host_tools.tournament import events as ev
from host_tools.tournament import rule_options
from host_tools.tournament.actions import entrants, matches, rounds
from host_tools.tournament.boxes import assignment
from host_tools.tournament.collecting import Collector
from host_tools.tournament.incoming import as_report
from host_tools.tournament.model import Entrant
from host_tools.tournament.service import TournamentService, command
from host_tools.tournament.wording import event_text
from host_tools.web.desk.app import make_app
from tests.app.fakes import Box

NOON = 1_800_000_000
NAMES = ("Anna", "Ben", "Cleo")
VALUES = {card["code"]: card["values"] for card in load_deck("gastro")["cards"]}
USUAL = {"tie_scope": "all"}
CHOSEN = {"tie_scope": "tied", "clock": 10, "turn": 30}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TournamentService]:
    """Three players at one table, who play a game with one house rule."""
    setup = ev.Created(
        name="Cup", mode="tables", seats=3, rounds=2, tables=1, decks=["gastro"],
        game="trumpf-gastro", options=rule_options.in_force("trumpf-gastro", {}),
    )  # fmt: skip
    made = TournamentService.create(str(tmp_path / "cup.db"), "desk", setup)
    players = [Entrant(id=f"p{n}", name=name) for n, name in enumerate(NAMES, 1)]
    made.do("desk", "", command(entrants.add_players, players))
    made.do("desk", "", command(entrants.draw, 3, 1, True))
    made.do("desk", "", command(rounds.pair_round))
    yield made
    made.close()


@pytest.fixture
def jury(service: TournamentService, tmp_path: Path) -> Iterator[TestClient]:
    accounts = users(tmp_path)
    app = make_app(service, accounts)
    with TestClient(app) as running:
        client = Web(app, running, accounts, Clock()).visitor("jury")
        client.headers["accept-language"] = "en"
        client.follow_redirects = True
        yield client


def choose(client: TestClient, *options: str) -> str:
    form = {"csrf": token(client, "/desk"), "options": list(options), "page": "draw"}
    return client.post("/desk/do/mode", data=form).text


class Table:
    """A box at its cable, at the table of a match that it was given."""

    def __init__(self, folder: Path, service: TournamentService) -> None:
        (folder / "decks").mkdir(parents=True)
        (folder / "decks" / "gastro.json").write_text(json.dumps(load_deck("gastro")), "utf8")
        self.box = Box(folder, "en", cable=True)
        enrolled = service.store.enrolled
        enrolled.enrol("box1", self.box.give_key(enrolled.desk().public), "Ada")
        self.service = service

    def play(self, match_id: str = "R1-1") -> dict[str, Any]:
        """Give the match, play one round that B1 wins, and let the clock run out. Returns the
        header of the record.
        """
        state, box = self.service.state, self.box
        made = assignment(state, self.service.id, state.matches[match_id], "en")
        give(BoxLink(box), "box1", made, NOON)
        box.press("OK", "OK", "OK", "OK")
        box.choose(NAMES[0])
        for card in ("A2", "A3", "B1"):
            box.lay_card(deck_number("gastro"), card, VALUES[card])
            if card == "A2":
                box.press("OK")
            box.wait(3000)
        box.wait(600_000, 1000)
        box.press("OK", "OK", "OK")
        box.wait(9000)  # until the match is signed
        raw = next(box.folder.glob("m000001.end")).read_bytes()
        self.service.store.add(raw)
        return dict(read_journal(raw).header)


def test_what_the_page_chooses_is_played_and_counts(
    jury: TestClient, service: TournamentService, tmp_path: Path
) -> None:
    # every option of the menu with its words is on the page
    page = jury.get("/desk/draw").text
    for rule in offered("trumpf", "gastro", "en"):
        for choice in rule["choices"]:
            assert f'value="{rule["name"]}={choice["value"]}"' in page
    assert "House rules:" not in page
    page = choose(jury, "tie_scope=tied", "clock=10", "turn=30")
    assert service.state.setup.options == CHOSEN
    line = rule_options.line(service.state.setup, "en")
    # the sentences of the box, in its order
    assert line.startswith("House rules: ")
    assert "30" in line
    for address in ("/desk", "/desk/draw"):
        assert line in jury.get(address).text.replace("&#39;", "'")
    service.do("desk", "", command(matches.call, "R1-1"))
    header = Table(tmp_path / "box", service).play()
    assert header["options"] == {"tie_scope": "tied"}
    assert (header["clock_ms"], header["turn_ms"]) == (600_000, 30_000)
    assert (header["game"], header["preset"], header["seats"]) == ("trumpf", "gastro", 3)
    Collector(service, "desk", check=True).collect()
    match = service.state.matches["R1-1"]
    assert match.reports[0].other_rules == {}
    assert match.status == "checked"
    # who won the round has 9 + 3 cards and the first place, worth 8 at three seats as 4 2 0
    assert sorted(match.result.cards) == [9, 9, 12]
    assert [row.points for row in service.state.overall_rows()] == [4, 1, 1]


def test_a_record_of_other_rules_waits_for_the_jury(
    jury: TestClient, service: TournamentService, tmp_path: Path
) -> None:
    """The players began a match of their own at the box, from its menu, with the same game."""
    choose(jury, "tie_scope=tied", "clock=10", "turn=30")
    service.do("desk", "", command(matches.call, "R1-1"))
    table = Table(tmp_path / "box", service)
    # a desk that has not heard of the change yet gave it
    real = service.state.setup
    service.state.setup = ev.Created(
        name="Cup", mode="tables", seats=3, game="trumpf-gastro", options={"clock": 10}
    )
    header = table.play()
    service.state.setup = real
    assert header["options"] == USUAL
    assert "turn_ms" not in header
    collector = Collector(service, "desk", check=True)
    collector.collect()
    match = service.state.matches["R1-1"]
    assert match.reports[0].other_rules == {"tie_scope": "all", "turn": "off"}
    assert match.reports[0].trust == "verified"
    assert (match.status, match.doubtful) == ("reported", True)
    with pytest.raises(UserError) as refused:
        matches.check(service.state, "R1-1")
    assert refused.value.sentence.key == "rules_otherwise"
    assert matches.check_all(service.state) == []
    # paper that says the same places does not settle by which rules they were played
    same = matches.enter_places(service.state, "R1-1", match.reports[0].places)
    assert [type(body) for body in same] == [ev.Reported]
    page = jury.get("/desk/match/R1-1").text
    assert "other rules than the tournament" in page
    assert "R1-1" in jury.get("/desk").text.partition("disagree")[2]
    said = [event_text(service.state, event, "en") for event in service.events()]
    assert any("played by other rules: tie_scope=all, turn=off" in one for one in said)
    chosen = matches.check(service.state, "R1-1", *_said(match.reports[0]))
    service.do("Jury", "they had not been told", lambda state: chosen)
    assert not service.state.matches["R1-1"].doubtful


def _said(report: ev.Reported) -> tuple[Any, ...]:
    return report.cards, report.kind, report.winner, report.places


def test_rules_do_not_change_under_a_match_that_is_played(
    jury: TestClient, service: TournamentService
) -> None:
    service.do("desk", "", command(matches.call, "R1-1"))
    assert "R1-1 is being played by the old house rules" in choose(jury, "tie_scope=tied")
    assert service.state.setup.options == USUAL


@pytest.mark.parametrize(
    ("option", "key"),
    [
        ("tie_scope=some", "option_no_choice"),
        ("between=both", "option_unknown"),
        ("tie_scope", "option_form"),
        ("=tied", "option_unknown"),
        ("turn=31", "option_no_choice"),
    ],
)
def test_what_no_menu_has_is_refused(option: str, key: str) -> None:
    setup = ev.Created(name="Cup", game="trumpf-gastro")
    with pytest.raises(UserError) as refused:
        rule_options.changed(setup, None, rule_options.typed([option]))
    assert refused.value.sentence.key == key


def test_house_rules_without_a_game_are_refused() -> None:
    with pytest.raises(UserError) as refused:
        rule_options.changed(ev.Created(name="Cup"), None, rule_options.typed(["tie_scope=tied"]))
    assert refused.value.sentence.key == "rules_need_game"


def test_another_game_begins_with_its_usual_rules() -> None:
    setup = ev.Created(name="Cup", game="trumpf-gastro", options=dict(CHOSEN))
    assert rule_options.changed(setup, "cafe-app", {}) == {
        "between": "either",
        "mono": "same",
        "mono_bonus": "any_size",
        "cards_end": "missing",
        "bar_joker": "seat",
    }
    assert rule_options.changed(setup, "", {}) == {}
    assert rule_options.changed(setup, None, {"turn": "off"}) == {"tie_scope": "tied", "clock": 10}
    assert rule_options.changed(setup, "trumpf-gastro", {}) is None


def test_the_command_line_sets_them_and_shows_them(tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "cup.db"), "--lang", "en"]
    made = run("new", "Cup", "--mode", "tables", "--game", "cafe-app", "--turn", "30", *db)
    assert '"turn": 30' in json.dumps(json.loads(made)[0]["body"]["options"])
    run("mode", "--house-rule", "between=both", *db)
    shown = json.loads(run("mode", *db))
    assert shown["options"]["between"] == "both"
    assert shown["options"]["turn"] == 30
    run("mode", "--turn", "0", *db)
    assert "turn" not in json.loads(run("mode", *db))["options"]
    twice = ["--house-rule", "between=both", "--house-rule", "between=either"]
    refused = CliRunner().invoke(schiri, ["tournament", "mode", *twice, *db])
    assert isinstance(refused.exception, UserError)


def run(*words: str) -> str:
    done = CliRunner().invoke(schiri, ["tournament", *words, "--json"])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("lang", ["de", "en"])
def test_slips_say_only_what_differs_from_the_usual(service: TournamentService, lang: str) -> None:
    usual = drawn_texts(service, lang)
    assert not any("tie" in text.lower() or "Hausregeln" in text for text in usual)
    options = rule_options.in_force("trumpf-gastro", {"tie_scope": "tied", "turn": "30"})
    service.do("Jury", "", command(entrants.change, ev.Changed(options=options)))
    assert rule_options.line(service.state.setup, lang) in drawn_texts(service, lang)


def drawn_texts(service: TournamentService, lang: str) -> list[str]:
    """What is written on the slips that is longer than a line, besides the rest."""
    found: list[str] = []
    wrap = slips.Paper.wrap_at

    def wrapped(self: Any, x: float, y: float, width: float, text: str, *rest: Any) -> float:
        found.append(text)
        return wrap(self, x, y, width, text, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slips.Paper, "wrap_at", wrapped)
        assert slips.make(service.state, lang, "").startswith(b"%PDF")
    return found


@pytest.mark.parametrize("lang", ["de", "en"])
@pytest.mark.parametrize("game", list(games_of_several()))
def test_all_house_rules_of_a_game_fit_on_a_slip(game: str, lang: str, tmp_path: Path) -> None:
    """Every option changed, as many seats as the game has: the last player is above the foot."""
    rules = games_of_several()[game]
    wanted = {
        r["name"]: r["choices"][-1]["value"] for r in offered(rules.game, rules.preset, lang)
    }
    setup = ev.Created(
        name="Cup", mode="tables", seats=rules.most, rounds=1, tables=1, game=game,
        options=rule_options.in_force(game, wanted),
    )  # fmt: skip
    service = TournamentService.create(str(tmp_path / "cup.db"), "desk", setup)
    players = [Entrant(id=f"p{n}", name=f"Player {n}") for n in range(rules.most)]
    service.do("desk", "", command(entrants.add_players, players))
    service.do("desk", "", command(entrants.draw, rules.most, 1, True))
    service.do("desk", "", command(rounds.pair_round))
    lines: list[float] = []
    box_at = slips.Paper.box_at

    def boxed(self: Any, x: float, y: float, width: float, height: float, *rest: Any) -> None:
        if width == 11:  # where the place is written
            lines.append(y)
        box_at(self, x, y, width, height, *rest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slips.Paper, "box_at", boxed)
        slips.make(service.state, lang, "")
    service.close()
    assert len(lines) == rules.most
    assert lines[0] > 57
    assert lines[-1] + 6 < 127
    assert all(lower - upper >= 6 for upper, lower in pairwise(lines))


def seen(**rules: Any) -> ev.Unplaced:
    return ev.Unplaced(
        source="box", label="", box="b", journal="j", trust="verified", counts=(1, 2, 3),
        ranking=[[2], [1], [0]], reason="", names=[], players=["p1", "p2", "p3"], tournament="",
        match="", stage="group", table=1, duration_s=1, received="", rules=rules,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rules", "other"),
    [
        ({"game": "trumpf-gastro", "tie_scope": "all", "clock": "off", "turn": "off"}, {}),
        ({"game": "trumpf-kneipe", "tie_scope": "all"}, {"game": "trumpf-kneipe"}),
        ({"game": "quartett"}, {"game": "quartett"}),
        ({"game": "trumpf"}, {}),  # a slip: it names the game alone
        ({"game": "cafe"}, {"game": "cafe"}),
        ({"game": "trumpf-gastro", "tie_scope": "tied"}, {"tie_scope": "tied"}),
        ({"game": "trumpf-gastro", "turn": 30}, {"turn": 30}),
        ({"game": "trumpf-gastro", "bar_values": "[1]"}, {"bar_values": "[1]"}),
        ({}, {}),  # a contested record, whose header may be anything
    ],
)
def test_what_counts_as_other_rules(
    service: TournamentService, rules: dict[str, Any], other: dict[str, Any]
) -> None:
    report = as_report(service.state.matches["R1-1"], seen(**rules), service.state)
    assert report.other_rules == other


def test_a_log_of_before_house_rules_accuses_nobody() -> None:
    """Its setup names a game and no options: only times, which are off unless said, differ."""
    old = ev.Created(name="Cup", game="trumpf-gastro")
    played = rule_options.played_by(
        {"game": "trumpf", "preset": "gastro", "seats": 3, "options": {"tie_scope": "tied"}}
    )
    assert played == {"game": "trumpf-gastro", "tie_scope": "tied", "clock": "off", "turn": "off"}
    assert rule_options.otherwise(old, played) == {}
    assert rule_options.otherwise(old, {**played, "turn": 30}) == {"turn": 30}
