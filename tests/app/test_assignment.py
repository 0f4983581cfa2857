"""A box that was given its match: through its own link, with badges, presses and power cuts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from card_tags.deck_card import deck_number
from card_tags.kinds import BADGE, Badge
from host_tools.box.assigning import (
    Assignment,
    Given,
    Seat,
    ask,
    give,
    say,
    sign,
    withdraw,
)
from host_tools.box.link import BoxLink
from host_tools.box.link import BoxRefusal as Refused
from host_tools.cards.public_keys import load_desk_key
from host_tools.core import places
from host_tools.core.errors import UserError
from host_tools.store.journal.reading import read_journal

from .fakes import Box
from .pictures import stock

NOON = 1_800_000_000
FINAL = Assignment(
    id="cup/KF",
    title="Finale",
    seats=(Seat("p1", "Anna"), Seat("p2", "Ben")),
    table=3,
    stage="final",
    deck="gipfel",
    clock_s=1200,
    start_by=NOON + 95,
)


class Desk:
    """A laptop at the box's cable."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.link = BoxLink(box)
        self.now = NOON

    def give(self, match: Assignment = FINAL) -> Given:
        self.now += 1
        return give(self.link, "box1", match, self.now)

    def ask(self) -> Given:
        return ask(self.link)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    stock(tmp_path)
    found = Box(tmp_path, "en", cable=True)
    desk = load_desk_key(make="Cup")
    assert desk is not None
    found.give_key(desk.public)
    return found


@pytest.fixture
def desk(box: Box) -> Desk:
    return Desk(box)


def badge(box: Box, player: str, name: str) -> None:
    box.lay_tag(BADGE, Badge(player, name, "cup"))


@pytest.mark.parametrize(
    ("match", "event", "is_here"),
    [
        ("cup/KF", "cup", True),
        ("cup/KF", "Cup", True),
        ("aarau-2026/KF", "Aarau 2026", True),
        ("cup/KF", "Aarau 2026", False),
        ("cup/KF", "cup-2", False),
        ("zurich-cup/KF", "Zürich-Cup", False),  # unless the desk says that its badges have it
    ],
)
def test_a_badge_of_another_event_is_nobody_here(
    box: Box, desk: Desk, match: str, event: str, is_here: bool
) -> None:
    """Ids begin anew in every event: this `p1` may be somebody else, whatever the name."""
    desk.give(replace(FINAL, id=match))
    box.lay_tag(BADGE, Badge("p1", "Anna", event))
    assert desk.ask().here == (["p1"] if is_here else [])
    words = box.words().replace("| ", "")  # of lines as the screen breaks them
    assert ("not of this tournament" in words) != is_here


def test_the_desk_says_what_its_badges_are_called(box: Box, desk: Desk) -> None:
    desk.give(replace(FINAL, id="zurich-cup/KF", event="Zürich-Cup"))
    box.lay_tag(BADGE, Badge("p1", "Née-Anna", "Zürich-Cup"))
    assert desk.ask().here == ["p1"]


@pytest.mark.parametrize(("name", "here"), [("Anna", ["p1"]), ("Xaver", [])])
def test_an_id_without_its_event_counts_beside_its_name_only(
    box: Box, desk: Desk, name: str, here: list[str]
) -> None:
    desk.give()
    box.lay_tag(BADGE, Badge("p1", name, ""))
    assert desk.ask().here == here


def header(box: Box, number: int = 1) -> dict[str, Any]:
    return dict(read_journal((box.folder / f"m{number:06}.run").read_bytes()).header)


def refused(desk: Desk, match: Assignment, **changes: object) -> str:
    with pytest.raises(UserError) as caught:
        desk.give(replace(match, **changes))  # type: ignore[arg-type]
    return caught.value.sentence.key


def test_a_badge_and_a_press_say_who_is_here_and_the_start_opens_the_match(
    box: Box, desk: Desk
) -> None:
    assert desk.ask() == Given()
    assert desk.give().state == "shown"
    assert (  # it was 1:34, and the box has looked at the signature meanwhile
        box.words() == "Finale, table 3 | OK? | Anna | OK? | Ben | 1:33 | Start → | Another game"
    )
    badge(box, "p2", "Ben")
    assert (desk.ask().here, desk.ask().state) == (["p2"], "shown")
    box.press("OK")  # Anna's row is lit
    told = desk.ask()
    assert (told.here, told.state) == (["p1", "p2"], "here")
    assert "1:3" not in box.words()  # the two minutes have stopped (SW-7)
    box.press("OK")
    told = desk.ask()
    assert (told.state, told.match, told.plays) == ("running", 1, "cup/KF")
    assert (told.clock, told.ticking) == (1200, False)  # it runs from the first card (CL-1)
    assert header(box) == header(box) | {
        "game": "trumpf",
        "preset": "swiss",
        "seats": 2,
        "stage": "final",
        "deck": "gipfel",
        "clock_ms": 1_200_000,
        "names": ["Anna", "Ben"],
        "players": ["p1", "p2"],
        "tournament": "cup",
        "tournament_match": "KF",
        "table": 3,
        "assignment": told.issued,
    }


def test_the_match_is_over_and_the_menu_comes_back(box: Box, desk: Desk) -> None:
    desk.give()
    box.press("OK", "OK", "OK", "OK", "JURY")
    box.choose("Exclude")
    box.press("OK", "OK", "OK")
    assert desk.ask().state == "running"  # until somebody says that the result counts
    box.press("OK")
    told = desk.ask()
    assert (told.state, told.match, told.plays) == ("ended", 1, None)
    assert "Language" in box.words()
    assert "Anna" not in box.words()
    box.power_on()
    assert Desk(box).ask().state == "ended"
    assert "Anna" not in box.words()


def test_power_cuts_lose_neither_the_match_given_nor_who_is_here(box: Box, desk: Desk) -> None:
    given = desk.give()
    badge(box, "p1", "Anna")
    box.power_on()
    assert "is here | Anna | OK? | Ben" in box.words()
    told = Desk(box).ask()
    assert (told.assigned, told.issued, told.here) == ("cup/KF", given.issued, ["p1"])
    box.press("OK", "OK")
    box.power_on()  # in the match
    assert Desk(box).ask().state == "running"


def test_another_match_is_given_while_people_tap(box: Box, desk: Desk) -> None:
    desk.give()
    badge(box, "p1", "Anna")
    other = replace(
        FINAL, id="cup/K3", title="Place 3", seats=(Seat("p1", "Anna"), Seat("p4", "Eva"))
    )
    told = desk.give(other)
    assert (told.assigned, told.here, told.state) == ("cup/K3", [], "shown")
    assert "Place 3, table 3 | OK? | Anna | OK? | Eva" in box.words()
    told = withdraw(desk.link, "box1", desk.now + 1)
    assert (told.assigned, told.state, told.here) == (None, "none", [])
    assert "Anna" not in box.words()


def test_a_badge_of_somebody_else_is_refused_by_name(box: Box, desk: Desk) -> None:
    desk.give()
    badge(box, "p9", "Zoe")
    assert "Zoe does not play here. Here play: Anna – Ben." in box.words().replace(" | ", " ")
    box.press("OK", "UP", "UP", "OK")  # away with it, and round to the start
    assert "Everybody must be here first" in box.words().replace(" | ", " ")
    assert desk.ask().here == []


def test_what_plays_on_is_not_disturbed_and_the_next_one_comes_behind_it(
    box: Box, desk: Desk
) -> None:
    box.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    box.press("OK+")
    before = box.words()
    told = desk.give()
    assert (told.state, told.plays) == ("waiting", "")
    # a second goes by while the box looks at the signature
    assert box.words() == before.replace("2:00", "1:59")
    box.press("OK", "JURY")
    box.choose("Exclude")
    box.press("OK", "OK", "OK", "OK")
    assert desk.ask().state == "shown"
    assert "Anna" in box.words()


def test_another_match_than_the_one_given_is_told(box: Box, desk: Desk) -> None:
    desk.give()
    box.choose("Another game")
    assert "Anna" not in box.words()
    box.wait(121_000)
    assert "Anna" in box.words()  # it is offered again
    box.choose("Another game")
    box.set_choice(game="trumpf", preset="swiss", seats=2, deck="gipfel")
    box.press("OK+")
    told = desk.ask()
    assert (told.state, told.plays, told.assigned) == ("other", "", "cup/KF")
    assert "assignment" not in header(box)


def test_the_same_twice_and_an_older_one_change_nothing(box: Box, desk: Desk) -> None:
    fields = {"id": None, "issued": 7, "box": "box1"}
    given = desk.give()
    badge(box, "p1", "Anna")
    told = Given.of(desk.link.request("assign", **sign("assign", fields)))
    assert told == replace(given, here=["p1"])
    desk.now = NOON - 3600  # a second desk, whose clock is an hour behind
    told = desk.give(replace(FINAL, id="cup/K3"))
    assert (told.assigned, told.issued) == ("cup/K3", given.issued + 1)


def test_a_box_obeys_only_its_desk_and_says_what_it_cannot_play(box: Box, desk: Desk) -> None:
    fields = {"id": None, "issued": 1, "box": "box1"}
    with pytest.raises(Refused) as caught:
        desk.link.request("assign", **{**sign("assign", fields), "sig": "00" * 64})
    assert caught.value.reason == "bad_signature"
    with pytest.raises(Refused) as caught:
        desk.link.request("assign", **sign("assign", fields | {"box": "box2"}))
    assert caught.value.reason == "other_box"
    assert refused(desk, FINAL, deck="cars") == "assign_no_deck"
    assert refused(desk, FINAL, preset="chess") == "assign_bad_assignment"
    assert refused(desk, FINAL, seats=FINAL.seats * 2) == "assign_bad_assignment"
    assert refused(desk, FINAL, title="x" * 900) == "assignment_too_long"
    assert desk.ask() == Given()


@pytest.mark.parametrize("key", [False, True])
def test_a_box_that_no_desk_has_enrolled_obeys_nobody(
    tmp_path: Path, key: bool, box: Box, desk: Desk
) -> None:
    """With a league key, which every box and every desk of the league has."""
    (tmp_path / "new").mkdir()
    stock(tmp_path / "new")
    new = Box(tmp_path / "new", "en", cable=True)
    new.settings.set_key(bytes(range(32)))
    if key:
        new.give_key()
    other = Desk(new)
    assert refused(other, FINAL) == "assign_not_enrolled"
    with pytest.raises(UserError) as caught:
        say(other.link, "box1", "Lunch", 1)
    assert caught.value.sentence.key == "assign_not_enrolled"
    told = other.ask()
    assert (told.assigned, told.state, told.notice) == (None, "none", None)


def test_a_desk_without_a_key_can_give_nothing(box: Box, desk: Desk) -> None:
    places.desk_key().unlink()
    assert refused(desk, FINAL) == "assign_not_enrolled"


def test_without_a_deck_the_players_lay_one(box: Box, desk: Desk) -> None:
    desk.give(replace(FINAL, deck=None))
    box.app.choice["deck"] = None
    box.press("OK", "OK", "OK")
    assert "Lay down a deck card" in box.words().replace(" | ", " ")
    box.lay_card(0, "A1")
    assert "does not know" in box.words().replace(" | ", " ")
    box.lay_card(deck_number("gipfel"), "A1")
    box.press("OK")
    assert header(box)["deck"] == "gipfel"


def test_what_the_desk_says_is_shown_and_acknowledged_and_waits_for_a_match(
    box: Box, desk: Desk
) -> None:
    desk.give()
    told = say(desk.link, "box1", "Next round 14:30", 1)
    assert (told.notice, told.notice_state) == (1, "shown")
    assert "Next round 14:30" in box.words().replace(" | ", " ")
    box.press("OK")
    assert desk.ask().notice_state == "acknowledged"
    assert "Anna" in box.words()
    box.press("OK", "OK", "OK")
    assert say(desk.link, "box1", "Lunch", 2).notice_state == "waiting"
    assert "Lunch" not in box.words()
    box.press("OK", "JURY")
    box.choose("Stop the clock")
    box.choose("interruption")
    assert desk.ask().notice_state == "shown"  # in the pause
    assert "Lunch" in box.words()


def test_a_table_of_six_gets_its_game(box: Box, desk: Desk) -> None:
    """Hattrick has no rules of its own name, no deck, no knock-out and here no clock."""
    names = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn")
    table = Assignment(
        id="cup/R1-2",
        title="Table 2",
        seats=tuple(Seat(name[0], name) for name in names),
        table=2,
        game="hattrick",
        preset=None,
        stage=None,
    )
    assert desk.give(table).state == "shown"
    badge(box, "D", "Dan")
    assert desk.ask().here == ["D"]
    box.press(*["OK"] * 5)
    assert (desk.ask().state, desk.ask().here) == ("here", list("ABCDEF"))
    box.press("OK")
    assert (desk.ask().state, desk.ask().plays) == ("running", "cup/R1-2")
    found = header(box)
    assert (found["game"], found["seats"], found["names"]) == ("hattrick", 6, list(names))
    assert found["players"] == list("ABCDEF")
    assert not {"preset", "stage", "deck", "clock_ms"} & found.keys()
    assert refused(desk, replace(table, seats=table.seats[:2])) == "assign_bad_assignment"


GASTRO = replace(
    FINAL,
    seats=(Seat("p1", "Anna"), Seat("p2", "Ben"), Seat("p3", "Eva")),
    preset="gastro",
    stage=None,
    deck="gipfel",
    clock_s=None,
    start_by=None,
)


def started(box: Box, seats: int) -> dict[str, Any]:
    """The header of the match given, without what the desk and the box name it by."""
    box.press(*["OK"] * (seats + 1))
    named = ("names", "players", "tournament", "tournament_match", "table", "assignment")
    own = ("born", "box", "match")
    return {name: value for name, value in header(box).items() if name not in (*named, *own)}


def test_what_the_desk_does_not_choose_is_written_as_the_menu_would(box: Box, desk: Desk) -> None:
    cafe = replace(GASTRO, game="cafe", preset="board", deck=None)
    desk.give(cafe)
    given = started(box, 3)
    box.app.show_menu()
    box.set_choice(game="cafe", preset="board", seats=3)
    menu: Any = box.app.pages[0]
    assert given == menu.header()
    assert given["options"] == {
        "between": "either",
        "drawing": "leaflet",
        "mono_bonus": "any_size",
        "bag_end": 3,
        "bar_joker": "seat",
    }


def test_the_desk_chooses_house_rules_and_times(box: Box, desk: Desk) -> None:
    desk.give(replace(GASTRO, options={"tie_scope": "tied", "turn": 30, "clock": 20}))
    assert started(box, 3) == {
        "schiri": 1,
        "game": "trumpf",
        "preset": "gastro",
        "seats": 3,
        "deck": "gipfel",
        "options": {"tie_scope": "tied"},
        "turn_ms": 30_000,
        "clock_ms": 1_200_000,
    }


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"fog": "on"}, "gastro has no option fog"),
        ({"drawing": "shrink"}, "gastro has no option drawing"),  # the café's
        ({"stage": "ko"}, "gastro has no option stage"),
        ({"tie_scope": "some"}, "tie_scope is one of all, tied"),
        ({"turn": 31}, "turn is one of off, 15, 30, 45, 60, 90, 120"),
        ({"turn": True}, "turn is one of"),
        ({"turn": "30"}, "turn is one of"),
        ({"tie_scope": ["tied"]}, "tie_scope is one of"),
        (["tie_scope"], "options are an object"),
        ("tied", "options are an object"),
    ],
)
def test_options_that_the_box_does_not_have_are_refused_in_a_sentence(
    box: Box, desk: Desk, options: Any, said: str
) -> None:
    before = desk.ask()
    with pytest.raises(UserError) as caught:
        desk.give(replace(GASTRO, options=options))
    assert caught.value.sentence.key == "assign_bad_assignment"
    assert said in caught.value.sentence
    assert desk.ask() == before


def test_a_desk_that_says_nothing_of_options_means_the_usual_ones(box: Box, desk: Desk) -> None:
    fields = {"id": "cup/1", "title": "T", "table": 0, "game": "trumpf", "preset": "gastro"}
    seats = [{"id": "p1", "name": "A"}, {"id": "p2", "name": "B"}]
    rest = {"stage": None, "deck": "gipfel", "clock_s": None, "start_by": None}
    signed = sign("assign", {**fields, **rest, "seats": seats, "issued": 5, "box": "box1"})
    desk.link.request("assign", **signed)
    assert started(box, 2)["options"] == {"tie_scope": "all"}


def test_a_deck_that_the_game_is_not_played_with_is_refused_or_not_taken(
    box: Box, desk: Desk
) -> None:
    """The kneipen of these tests have seven cards and a joker."""
    quartett = replace(GASTRO, game="quartett", preset=None, deck="kneipen")
    with pytest.raises(UserError, match="quartett is not played with kneipen"):
        desk.give(quartett)
    desk.give(replace(quartett, deck=None))
    box.app.choice["deck"] = "kneipen"
    box.press("OK", "OK", "OK", "OK")
    assert box.app.session is None
    assert "Lay down a deck card" in box.words().replace(" | ", " ")
    box.press("OK")
    box.lay_card(deck_number("gipfel"), "A1", [4478, 1043, 1865])
    box.press("OK")
    assert header(box)["game"] == "quartett"
