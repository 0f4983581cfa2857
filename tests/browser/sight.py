"""What a player needs of the table at a moment, and whether it lies inside the window."""

from collections.abc import Callable, Iterator
from typing import Any

from host_tools.sim.table import messages
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.table_state import state_of
from tests.processes import wait

HIDDEN = """() => {
    // how much of it has to be seen: its middle, and four points as near to its corners
    const needed = {
        "#prompt": 0.2, // whose turn it is, and what is asked
        "#seats li b": 0.3,
        "#seats li .score": 0.3,
        "#verdict:not([hidden]) .text": 0.2,
        "#middle .called:not(:empty)": 0.5,
        "#middle .lying .card": 0.15,
        "#middle .lying ~ p:not(:empty)": 0.5, // who leads which trick
        ".room .chair": 0.3,
        ".room .bar circle": 0.3,
        "#hand .cards > *": 0.5, // laid one over the other: their middles are free
        "#actions button": 0.3,
    };
    const owner = e => (e instanceof SVGCircleElement ? e.parentNode : e);
    const sees = (e, inset) => {
        const { x, y, width, height } = e.getBoundingClientRect();
        const far = 1 - inset;
        return width > 0 && [[0.5, 0.5], [inset, inset], [far, inset], [inset, far], [far, far]]
            .map(([right, down]) => [x + right * width, y + down * height])
            .map(at => document.elementFromPoint(...at))
            .every(found => found && owner(e).contains(found));
    };
    return Object.entries(needed).flatMap(([name, inset]) => [...document.querySelectorAll(name)]
        .filter(e => getComputedStyle(e).visibility !== "hidden" && !sees(e, inset))
        .map(e => `${name}: ${e.outerHTML.slice(0, 80)}`));
}"""
"""What is needed and not in sight; a page that was not scrolled."""
OFTEN = 160
"""Moves; states that a match has not come to by then are not looked at."""

State = Callable[[PlayTable], Any]


def mine(table: PlayTable, what: str) -> bool:
    """Is the first seat awaited for that?"""
    return bool(table.log.awaits["seat"] == 0 and table.log.awaits["for"] == what)


def lying(table: PlayTable) -> int:
    """Cards on the table."""
    laid = table.log.world.middle()["lying"] if table.log.world else []
    return sum(len(one) if isinstance(one, list) else 1 for one in laid)


def full(table: PlayTable) -> bool:
    """A card of every seat lies there."""
    return table.log.world is not None and lying(table) >= table.log.world.seats


def picked(table: PlayTable) -> bool:
    """A guest of the first seat is picked, the one that may sit on the most chairs."""
    if not mine(table, "place") or table.log.world is None:
        return False
    many, code = max((len(card["may"]), card["code"]) for card in table.log.world.hand(0))
    if not many:
        return False
    table.queue(table.hands.tap(table.tray[code]))
    return True


def later(count: int, state: State) -> State:
    """The same, once so many things were decided."""
    return lambda table: table.log.count > count and state(table)


STATES: dict[str, dict[str, State]] = {
    "trumpf": {
        "my turn": lambda table: mine(table, "tap") and lying(table),
        "I call": later(4, lambda table: mine(table, "call")),
        "compared": full,
    },
    "quartett": {
        "I ask": lambda table: mine(table, "ask"),
        "I am asked": lambda table: mine(table, "answer"),
        "a quartet": lambda table: (
            (table.log.world.middle()["shown"] or {}).get("is") == "quartet"
        ),  # type: ignore[union-attr]
        "I ask late": later(30, lambda table: mine(table, "ask")),
    },
    "hattrick": {
        "first": lambda table: mine(table, "tap"),
        "full": full,
        "late": later(30, lambda table: mine(table, "tap") and lying(table)),
    },
    "cafe": {
        "first": lambda table: mine(table, "place"),
        "picked": picked,
        "late": later(26, lambda table: mine(table, "place")),
        "picked late": later(26, picked),
        "latest": later(50, lambda table: mine(table, "place")),
        "picked at last": later(50, picked),
    },
}


def stands_still(table: PlayTable) -> bool:
    return table.log.count > 0 and not table.runner.busy


def stepped(table: PlayTable, game: str, preset: str, seats: int) -> Iterator[str]:
    """Play a match move by move and stop at each state of its game once; gives their names. The
    first seat is a person's.
    """
    autoplay = table.auto.next_act
    table.auto.next_act = lambda: (  # type: ignore[method-assign]
        autoplay() if table.log.awaits["for"] == "begin" else None
    )
    names = ["Anna", "Beatrice", "Chiara", "Dürte", "Emil", "Franziska", "Gustav", "Hannelore"]
    start = messages.Start(game=game, preset=preset, seats=seats, names=names[:seats])
    start.auto = list(range(1, seats))
    table.do(start)
    wait(lambda: stands_still(table))
    still_open = dict(STATES[game])
    for _ in range(OFTEN):
        for name, state in list(still_open.items()):
            if table.runner.ask(lambda state=state: bool(state(table))):  # type: ignore[misc]
                wait(lambda: stands_still(table))
                del still_open[name]
                yield name
                put_back(table)
        if not still_open or table.log.closed or table.log.awaits["seat"] is None:
            return
        move(table)


def put_back(table: PlayTable) -> None:
    """A guest that was picked: the robot picks its own."""
    if table.runner.ask(lambda: state_of(table)["match"]["picked"]):
        table.do(messages.Choose(labels=[table.say("back")], at=table.log.at))
        wait(lambda: stands_still(table))


def move(table: PlayTable) -> None:
    """Whoever is awaited."""
    count, seat = table.log.count, table.log.awaits["seat"]
    table.runner.call(lambda: table.queue(table.robot.play(seat)))
    wait(lambda: table.log.count != count and stands_still(table))
