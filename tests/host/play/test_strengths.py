"""Which bots a table takes: those that the game offers (docs/decisions/bots.md)."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from host_tools.games import GAMES
from host_tools.games.bot import EASY, MEDIUM, STRENGTHS, STRONG
from host_tools.games.cafe.bot import CafeBot
from host_tools.sim.table.runner import UNBOUND
from host_tools.web.table.server import PlayServer
from tests.host.play_table import ask
from tests.processes import wait

LESS = {"cafe": [EASY, MEDIUM]}
"""The games that do not offer everything."""


def test_every_game_offers_medium_and_the_cafe_no_strong_bots() -> None:
    for name, game in GAMES.items():
        assert list(game.strengths) == LESS.get(name, list(STRENGTHS)), name


@pytest.mark.parametrize("preset", ["board", "app"])
@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "no bot of this game plays strong; choose one of these: easy, medium"),
        (
            "de",
            "Kein Bot dieses Spiels spielt strong; bitte eines davon wählen: easy, medium.",
        ),
    ],
)
def test_the_cafe_refuses_strong_bots_and_has_medium_ones_in_their_place(
    preset: str, lang: str, sentence: str
) -> None:
    """At a table where bots are strong as a rule (`schiri play --robots strong`)."""
    server = PlayServer("cpython", lang, speed=UNBOUND, usual=STRONG)
    try:
        table = server.open_table()
        press = door(server)
        start = {"do": "start", "game": "cafe", "preset": preset, "seats": 2}
        assert press({**start, "strengths": ["", STRONG]}) == (400, sentence)
        assert not table.log.header  # nothing was begun
        assert press({**start, "strengths": [EASY, ""]})[0] == 200
        wait(lambda: table.log.count == 1 and not table.runner.busy)
        assert [table.log.strength(seat) for seat in range(2)] == [EASY, MEDIUM]

        auto = {"do": "auto", "seat": 0, "on": False}
        assert press({**auto, "strength": STRONG}) == (400, sentence)
        assert ask(table, lambda world: [bot.strength for bot in world.players]) == [EASY, MEDIUM]
        assert press({**auto, "strength": MEDIUM})[0] == 200
        wait(lambda: table.log.strength(0) == MEDIUM)
        bots = ask(table, lambda world: world.players)
        assert all(isinstance(bot, CafeBot) and bot.strength == MEDIUM for bot in bots)
    finally:
        server.close()


def test_another_game_has_the_strong_bots_of_its_table() -> None:
    server = PlayServer("cpython", "en", speed=UNBOUND, usual=STRONG)
    try:
        table = server.open_table()
        start = {"do": "start", "game": "hattrick", "seats": 3, "strengths": [EASY, STRONG]}
        assert door(server)(start)[0] == 200
        wait(lambda: table.log.count == 1 and not table.runner.busy)
        assert [table.log.strength(seat) for seat in range(3)] == [EASY, STRONG, STRONG]
    finally:
        server.close()


def door(server: PlayServer) -> Callable[[dict[str, object]], tuple[int, str]]:
    """Send table 1 a message as its page does: status and text of the answer."""
    origin = "http://127.0.0.1"
    client = TestClient(server.app, base_url=origin, headers={"origin": origin})

    def press(message: dict[str, object]) -> tuple[int, str]:
        answer = client.post("/t/1/do", params={"key": server.key}, json=message)
        return answer.status_code, answer.text

    return press
