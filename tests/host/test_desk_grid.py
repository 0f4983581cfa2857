"""Entering one result after the other, without a browser; and what the field at the top finds."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from desk_web import Web, result, running_web

from host_tools.tournament import view
from host_tools.tournament.actions import matches
from host_tools.tournament.service import TournamentService, command
from tests.support.hall_day import open_day


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TournamentService]:
    """One small tournament for all tests of this file; each touches matches of its own."""
    opened = open_day(str(tmp_path_factory.mktemp("day") / "day.db"), players=8, ko_size=4)
    yield opened
    opened.close()


SCRIPT = {"accept": "application/json", "accept-language": "en"}


def test_a_script_is_told_in_a_sentence_what_became_of_an_entry(
    web: Web, service: TournamentService
) -> None:
    client = web.visitor("desk")
    done = client.post("/desk/do/enter", data=result(client, "A-1"), headers=SCRIPT)
    assert (done.status_code, done.json()) == (200, {"match": "A-1"})
    assert "Saved." not in client.get("/desk").text  # nothing waits for the next page
    odd = result(client, "A-2", cards_a="20", cards_b="11")
    asked = client.post("/desk/do/enter", data=odd, headers=SCRIPT)
    assert (asked.status_code, asked.json()["ask"]) == (409, "sure")
    assert "20:11 makes 31 cards" in asked.json()["refused"]
    assert service.state.matches["A-2"].status == "open"
    sure = client.post("/desk/do/enter", data={**odd, "sure": "1"}, headers=SCRIPT)
    assert sure.status_code == 200
    undone = client.post("/desk/do/undo", data={"csrf": odd["csrf"]}, headers=SCRIPT)
    assert undone.json() == {"match": "A-2"}
    assert [service.state.matches[match].counts for match in ("A-1", "A-2")] == [True, False]


def test_the_grid_is_first_of_what_is_at_the_tables_whatever_its_slot(tmp_path: Path) -> None:
    service = open_day(str(tmp_path / "day.db"), players=8, ko_size=4)
    with running_web(service, tmp_path) as web, closing(service):

        def do(call: Callable[..., Any], *arguments: Any) -> None:
            service.do("desk", "", command(call, *arguments))
            web.running.portal.call(web.app.state.follower.catch_up)  # type: ignore[union-attr]

        def shown(query: str = "") -> list[str]:
            page = web.visitor("desk").get(f"/desk/grid{query}").text
            return re.findall(r'<li id="row-([^"]+)"', page)

        slots = [[m.id for m in view.of_stage(service.state, slot)] for slot in ("1", "2")]
        assert shown() == slots[0]  # nothing is called: what is planned
        first, other = slots[0][:2]
        for match in slots[0]:
            do(matches.call, match)
        for match in [one for one in slots[0] if one != other]:
            do(matches.enter, match, (20, 12))
        assert shown() == slots[0]  # with the results that are in, so that they can be undone
        busy = set(service.state.matches[other].players)
        second = next(m for m in slots[1] if not busy & {*service.state.matches[m].players})
        do(matches.call, second, 1)
        # at table 1 the match of slot 2, at the others those of slot 1
        assert shown() == [second, *slots[0][1:]]
        assert shown("?stage=1") == slots[0]
        assert first not in shown("?stage=now")


def test_without_scripts_the_grid_is_forms_that_lead_back_to_it(
    web: Web, service: TournamentService
) -> None:
    client = web.visitor("desk")
    page = client.get("/desk/grid?stage=2&lang=en").text
    form = re.search(r'<form method="post" action="/desk/do/enter"(.*?)</form>', page, re.DOTALL)
    assert form
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))
    sent = {**fields, "cards_a": "20", "cards_b": "12"}
    answer = client.post("/desk/do/enter", data=sent)
    assert answer.headers["location"] == "/desk/grid?stage=2"
    assert service.state.matches[fields["match"]].counts
    row = client.get(answer.headers["location"]).text.partition(f'id="row-{fields["match"]}"')[2]
    assert "/desk/do/undo" in row.partition("</li>")[0]
    others = web.visitor("jury").get("/desk/grid?stage=2").text
    assert "/desk/do/undo" not in others
    assert "<form method" not in web.visitor("viewer").get("/desk/grid").text.partition("<ol")[2]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("a-1", ["A-1"]),
        ("aeschbacher ayse", ["Ayşe Aeschbacher"]),
        ("lodz", ["Łódź"]),
        ("table 3", ["/desk/match/"]),
        ("3", ["/desk/match/"]),
        ("xyzzy", ["Nothing is called so."]),
    ],
)
def test_players_tables_and_matches_are_found(web: Web, wanted: str, found: list[str]) -> None:
    client = web.visitor("viewer")
    page = client.get("/desk/search", params={"q": wanted, "lang": "en"}).text
    assert [text for text in found if text not in page.partition('id="finds"')[2]] == []
    led = client.get("/desk/enter", params={"match": wanted}).headers.get("location", "")
    places = {"a-1": "/desk/match/A-1", "xyzzy": ""}
    assert led == places.get(wanted, f"/desk/search?q={wanted.replace(' ', '+')}")
