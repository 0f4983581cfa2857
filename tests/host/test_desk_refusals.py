"""What the desk's pages refuse, they refuse in the language of the page."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import pytest
from desk_web import Web, log_in, result, running_web, token
from httpx import Response
from starlette.testclient import TestClient

from host_tools.core.texts import EVENTS, MODE, REFUSALS, ROUNDS, TEXTS, WORDS
from host_tools.tournament import events as ev
from host_tools.tournament.actions import entrants, matches
from host_tools.tournament.service import TournamentService
from host_tools.tournament.wording import reason
from host_tools.web.desk.app import login_log_path
from host_tools.web.desk.pages import MENU
from tests.support.hall_day import StepClock, open_day, play_groups, play_knock_out

GERMAN = {"accept-language": "de-CH"}
NEVER_LATE = StepClock(datetime(2999, 1, 1, tzinfo=UTC))
"""Matches are called in a far year, so that nobody's two minutes are over while a test runs."""
ALERT = re.compile(r'role="alert">([^<]*)<')


def shown(answer: Response) -> str:
    """The sentence of the alert."""
    found = ALERT.search(answer.text)
    assert found, answer.text
    return unescape(found[1])


def served(service: TournamentService, folder: Path) -> Iterator[Web]:
    """The app of a tournament while it runs."""
    with running_web(service, folder) as web:
        yield web
    service.close()


def report(service: TournamentService, match: str, cards: tuple[int, int], source: str) -> None:
    said = ev.Reported(match=match, cards=cards, source=source)  # type: ignore[arg-type]
    service.do("Anna", "", lambda state: matches.report(state, said))


@pytest.fixture(scope="module")
def jury(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Two groups of four. A-1 is called, A-4 locked, A-5 odd, B-1 doubtful, Jürgen (p005) gone, so
    that B-2, B-3 and B-6 count as forfeits. Refusals change nothing: one jury does for all.
    """
    folder = tmp_path_factory.mktemp("day")
    service = open_day(str(folder / "day.db"), players=8, ko_size=4, clock=NEVER_LATE)
    service.do("Anna", "", lambda state: matches.call(state, "A-1"))
    service.do("Anna", "", lambda state: matches.enter(state, "A-4", (20, 12)))
    service.do("Anna", "", lambda state: matches.lock(state, "A-4"))
    service.do("Anna", "", lambda state: entrants.withdraw(state, "p005"))
    changed = ev.Changed(ko_size=4, compare="per-match")
    service.do("Anna", "", lambda state: entrants.change(state, changed))
    report(service, "A-5", (20, 11), "paper")
    report(service, "B-1", (20, 12), "box")
    report(service, "B-1", (19, 13), "slip")
    for web in served(service, folder):
        yield web.visitor("jury")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Web]:
    """Everything is played: two semi-finals, the match for third place, the final."""
    service = open_day(str(tmp_path / "day.db"), players=8, ko_size=4)
    play_groups(service)
    play_knock_out(service)
    yield from served(service, tmp_path)


def post(client: TestClient, action: str, fields: dict[str, str], lang: str = "de") -> Response:
    """A form, as its page would send it."""
    form = {"csrf": token(client, "/desk"), "why": "Probe", **fields}
    if "match" in fields:
        form = {**result(client, fields["match"], action), **form}
    return client.post(f"/desk/do/{action}", data=form, headers={"accept-language": lang})


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        ("call", {"match": "A-3"}, "Partie A-3: An Tisch 1 läuft noch die Partie A-1."),
        (
            "no_show",
            {"match": "A-2", "missing": "a"},
            "Die Partie A-2 ist offen; zu spät ist nur, wer aufgerufen ist.",
        ),
        (
            "enter",
            {"match": "A-2", "cards_a": "500"},
            "Partie A-2: 500:12 ergibt 512 Karten, gespielt wird mit 36; "
            "bitte den Zettel noch einmal ansehen.",
        ),
        (
            "enter",
            {"match": "A-2", "winner": "b"},
            "Partie A-2: Nach Karten siegt „Priska Großmann“, nicht „Élodie Nägeli“.",
        ),
        (
            "check",
            {"match": "B-1"},
            "Partie B-1: Die Meldungen widersprechen sich (Box 20:12 und "
            "Spielzettel (Chip) 19:13); bitte eintragen, was zählt.",
        ),
        ("withdraw", {"player": "p005"}, "„Jürgen Dvořák“ ist schon ausgeschieden."),
        ("exclude", {"player": "p099"}, "„p099“ steht nicht in der Spielerliste."),
        (
            "draw_ko",
            {},
            "Gruppenpartien noch nicht geprüft (8): A-1, A-2, B-1, A-3, B-4 …",
        ),
    ],
)
def test_the_desk_refuses_in_german(
    jury: TestClient, action: str, fields: dict[str, str], sentence: str
) -> None:
    answer = post(jury, action, fields)
    assert answer.status_code == 409
    assert shown(answer) == sentence


def test_who_is_not_late_yet_is_told_so_in_german(jury: TestClient) -> None:
    answer = post(jury, "no_show", {"match": "A-1", "missing": "a"})
    assert re.fullmatch(
        r"Partie A-1: Von den zwei Minuten bleiben noch \d+ s \(SW-7\)\.", shown(answer)
    )


@pytest.mark.parametrize(
    ("action", "fields", "sentence"),
    [
        (
            "void",
            {"match": "K2-1"},
            "Partie K2-1: Darauf wurde weitergespielt (K3, KF); bitte zuerst dort wieder öffnen.",
        ),
        (
            "add_player",
            {"name": "Emil"},
            "Es ist zu spät; jetzt kann niemand mehr dazukommen.",
        ),
    ],
)
def test_after_the_final_the_desk_still_refuses_in_german(
    evening: Web, action: str, fields: dict[str, str], sentence: str
) -> None:
    assert shown(post(evening.visitor("jury"), action, fields)) == sentence


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        (
            "/desk/print/tree.pdf",
            409,
            "Das K.-o. ist noch nicht ausgelost; bitte zuerst auslosen.",
        ),
        ("/desk/nowhere", 404, "Diese Seite gibt es nicht."),
        ("/nowhere", 404, "Diese Seite gibt es nicht."),
        (
            "/desk/match/B-2?preview=1&cards_a=12&cards_b=0&kind=forfeit",
            200,
            "Die Partie B-2 hat dieses Ergebnis schon.",
        ),
    ],
)
def test_what_cannot_be_shown_is_told_in_german(
    jury: TestClient, path: str, status: int, sentence: str
) -> None:
    answer = jury.get(path, headers=GERMAN)
    assert (answer.status_code, shown(answer)) == (status, sentence)


def test_what_is_odd_about_a_result_is_told_in_german(jury: TestClient) -> None:
    page = jury.get("/desk/match/A-5", headers=GERMAN).text
    assert "Auffällig: 20:11 ergibt 31 Karten, eine ungerade Zahl" in page


def test_the_log_tells_changes_of_the_mode_in_german(jury: TestClient) -> None:
    page = jury.get("/desk/log", headers=GERMAN).text
    assert "Modus geändert: Teilnehmer am K.-o. 4, Vergleich der Gruppen je Partie" in page


@pytest.mark.parametrize(("why", "shown_why"), [(ev.WALKOVER, "kampflos"), ("krank", "krank")])
def test_the_log_gives_reasons_in_german(why: str, shown_why: str) -> None:
    event = ev.LogEntry(seq=1, at="", actor="Anna", why=why, body=ev.Withdrawn(player="p005"))
    assert reason(event, "de") == shown_why


def test_in_english_the_sentences_are_those_of_the_command_line(jury: TestClient) -> None:
    fields = {"match": "A-2", "table": "9"}
    assert shown(post(jury, "call", fields, "en")) == "there is no table 9; the hall has 4"
    fields = {"match": "A-2", "winner": "b"}  # but with names: pages show no ids
    assert shown(post(jury, "enter", fields, "en")) == (
        "match A-2: the cards make 'Priska Großmann' the winner, not 'Élodie Nägeli'"
    )


def test_a_file_that_cannot_be_written_is_told_in_german(evening: Web) -> None:
    book = login_log_path(evening.accounts.path)
    book.unlink(missing_ok=True)
    book.mkdir()
    client = evening.visitor()
    client.headers.update(GERMAN)
    answer = log_in(client, "jury")
    assert answer.status_code == 503
    assert answer.text == f"{book} lässt sich nicht schreiben: das ist ein Ordner.\n"


# -- nothing English is left on German pages ------------------------------------------------------

TABLES = (TEXTS, ROUNDS, EVENTS, WORDS, MODE, REFUSALS)
PLACES = ("/", "/groups", "/tree", "/ranking", "/?kiosk=1", "/desk/match/A-5", "/desk/match/B-1")


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{3,}", text.lower()))


def words_in(lang: str) -> set[str]:
    """Every word of the texts of a language, placeholders left out."""
    sentences = [text for table in TABLES for text in table[lang].values()]
    return words_of(" ".join(re.sub(r"{[^}]*}", " ", text) for text in sentences))


def visible(page: str) -> str:
    """What people see or hear of a page; the name of a language is marked as being of it."""
    page = re.sub(r'<a class="lang"[^>]* lang="en">English</a>', "", page)
    spoken = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', page)
    return " ".join([re.sub(r"<script.*?</script>|<[^>]*>", " ", page), *spoken])


@pytest.mark.parametrize("path", [*PLACES, *(f"/desk/{page}" for page in MENU if page != "home")])
def test_german_pages_have_no_word_that_only_english_texts_know(
    jury: TestClient, path: str
) -> None:
    page = jury.get(path, headers=GERMAN)
    assert page.status_code == 200
    only_english = words_in("en") - words_in("de")
    assert {"please", "match", "checked"} <= only_english
    assert not words_of(unescape(visible(page.text))) & only_english
