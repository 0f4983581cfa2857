"""What one player is told: chances, times of day, the calendar, the map. Worked out by hand."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from host_tools.core.errors import UserError
from host_tools.core.texts import TEXTS
from host_tools.tournament import events as ev
from host_tools.tournament import view
from host_tools.tournament.actions import matches
from host_tools.tournament.model import Entrant, Group
from host_tools.tournament.service import command
from host_tools.tournament.state import TournamentState, fold
from host_tools.web.desk.floor_plan import HallMap, calendar_of
from tests.support.hall_day import StepClock, call_next, open_day


def two_groups(*played: tuple[str, tuple[int, int]], ko_size: int = 2) -> TournamentState:
    """a, b, c in one group, d, e, f in the other; slots of 13 minutes from 10:00 UTC."""
    bodies: list[ev.AnyBody] = [
        ev.Created(
            name="Cup; Zürich", ko_size=ko_size, tables=2, begins="2026-05-02T10:00:00+00:00"
        )
    ]
    bodies += [ev.PlayerAdded(player=Entrant(id=i, name=i.upper())) for i in "abcdef"]
    groups = [Group("A", ["a", "b", "c"]), Group("B", ["d", "e", "f"])]
    bodies.append(ev.GroupsDrawn(groups=groups, random_seed=0))
    for table, (group, (x, y, z)) in enumerate((("A", "abc"), ("B", "def")), 1):
        for slot, (one, two) in enumerate(((x, y), (y, z), (z, x)), 1):
            match = f"{group}-{slot}"
            bodies.append(
                ev.MatchPlanned(match=match, group=group, a=one, b=two, slot=slot, table=table)
            )
    bodies += [ev.Checked(match=match, cards=cards) for match, cards in played]
    return fold(
        ev.LogEntry(seq=n, at="2026-05-02T09:00:00+00:00", actor="", body=body)
        for n, body in enumerate(bodies, 1)
    )


def test_chances_are_bounds_by_points() -> None:
    # two of six go on; a and five others may still reach 4
    assert view.outlook(two_groups(), "a") == ("open", 0)
    # a beat b and c: 4 points, nobody of A can reach 4 any more (b and c lost to a: 2 at most).
    # d, e and f still may: three others with 4 or more, of two places. Open.
    played = [("A-1", (20, 12)), ("A-3", (12, 20))]
    assert view.outlook(two_groups(*played), "a") == ("open", 0)
    # d beat e and f too: those have 2 at most. Only a and d can have 4: both are in.
    won = [*played, ("B-1", (20, 12)), ("B-3", (12, 20))]
    assert view.outlook(two_groups(*won), "a") == ("in", 0)
    assert view.outlook(two_groups(*won), "d") == ("in", 0)
    # e may reach 2, two others have 4 already: out
    assert view.outlook(two_groups(*won), "e") == ("out", 0)
    # four go on, b may have 2 in the end: so may c instead, a and d have 4, and e or f has 2
    assert view.outlook(two_groups(*won, ko_size=4), "b") == ("open", 0)
    # five go on, e has beaten f: with one point b is ahead of f, behind four at most
    five = two_groups(*won, ("B-2", (20, 12)), ko_size=5)
    assert view.outlook(five, "b") == ("enough", 1)


def test_slots_have_times_that_follow_the_last_call() -> None:
    state = two_groups()
    ten = datetime(2026, 5, 2, 10, 0, tzinfo=UTC)
    minutes = {
        slot: (at - ten).total_seconds() / 60 for slot, at in view.slot_times(state).items()
    }
    assert minutes == {1: 0, 2: 13, 3: 26}
    # slot 2 is called at 10:40, so slot 3 is expected at 10:53, and slot 1 is over
    late = state.copy()
    late.apply(
        ev.LogEntry(
            seq=state.seq + 1,
            at="2026-05-02T10:40:00+00:00",
            actor="",
            body=ev.Called(match="A-2", table=1),
        )
    )
    assert view.slot_times(late) == {3: datetime(2026, 5, 2, 10, 53, tzinfo=UTC)}
    assert view.slot_times(fold([])) == {}


def test_times_follow_how_long_a_slot_has_taken(tmp_path: Path) -> None:
    """Planned are 13 minutes; slots 1, 2 and 3 were called 10:00, 10:20 and 10:36."""
    clock = StepClock(datetime(2026, 5, 2, 10, 0, tzinfo=UTC))
    service = open_day(str(tmp_path / "day.db"), players=8, tables=2, clock=clock)
    for slot, minutes in ((1, 20), (2, 16), (3, 0)):
        for match in [m.id for m in service.state.matches.values() if m.slot == slot]:
            service.do("Anna", "", command(matches.call, match))
            service.do("Anna", "", command(matches.enter, match, (20, 12)))
        clock.advance(minutes * 60)
    # the median of 20 and 16 behind 10:36
    at = view.slot_times(service.state)
    assert at[4] == datetime(2026, 5, 2, 10, 54, tzinfo=UTC)
    assert at[5] == datetime(2026, 5, 2, 11, 12, tzinfo=UTC)
    clock.advance(180 * 60)  # lunch is no pace: twice the plan at most
    for match in [m.id for m in service.state.matches.values() if m.slot == 4]:
        service.do("Anna", "", command(matches.call, match))
    later = view.slot_times(service.state)
    assert later[6] - later[5] == timedelta(minutes=20)  # of 16, 20 and 180 the one between
    service.close()


def test_a_calendar_holds_the_matches_to_come() -> None:
    text = calendar_of(two_groups(("A-1", (20, 12))), "b", TEXTS["de"], "http://hall")
    assert text.split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Schiri//board//EN",
        "X-WR-CALNAME:Cup\\; Zürich",
        "REFRESH-INTERVAL;VALUE=DURATION:PT5M",
        "BEGIN:VEVENT",
        "UID:A-2.b@schiri",
        "DTSTAMP:20260502T101300Z",
        "DTSTART:20260502T101300Z",
        "DTEND:20260502T102300Z",
        "SUMMARY:Tisch 1: gegen C",
        "LOCATION:Cup\\; Zürich\\, Tisch 1",
        "URL:http://hall/player/b",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]
    long = two_groups()
    long.players["c"] = Entrant(id="c", name="Ü" * 60)
    lines = calendar_of(long, "b", TEXTS["de"], "http://hall").encode().split(b"\r\n")
    assert max(map(len, lines)) <= 75
    joined = b"".join(lines).replace(b" " + "Ü".encode(), "Ü".encode())
    assert ("Ü" * 60).encode() in joined


MAPS = [
    ("1 2\n 2\n", "map.txt:2: table 2 is on the map twice"),
    ("1 5\n", "map.txt:1: there is no table 5, there are 4"),
    ("Stage\n", "map.txt: there is no table on the map"),
]


@pytest.mark.parametrize(("drawn", "told"), MAPS)
def test_a_map_that_cannot_be_is_refused_with_its_line(
    tmp_path: Path, drawn: str, told: str
) -> None:
    path = tmp_path / "map.txt"
    path.write_text(drawn, encoding="utf8")
    with pytest.raises(UserError) as refused:
        HallMap.of_file(path, 4)
    assert str(refused.value).endswith(told)


def test_a_map_is_read_as_it_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "map.txt"
    path.write_text(" 1 2   Große Bühne\n\n3     Jury 1\n", encoding="utf8")
    places = HallMap.of_file(path, 3).places
    assert places == (
        ("1", 1, 0),
        ("2", 3, 0),
        ("Große Bühne", 7, 0),
        ("3", 0, 2),
        ("Jury 1", 6, 2),
    )


def test_announcements_are_one_line_and_not_said_twice(tmp_path: Path) -> None:
    service = open_day(str(tmp_path / "day.db"), players=8, ko_size=4, clock=StepClock())
    call_next(service, 1)
    service.do("Anna", "", command(matches.announce, " Lunch\n at one "))
    assert list(service.state.announcements.values()) == ["Lunch at one"]
    assert service.do("Anna", "", command(matches.announce, "Lunch at one")) == []
    with pytest.raises(UserError, match="empty"):
        service.do("Anna", "", command(matches.announce, "  "))
    service.close()
