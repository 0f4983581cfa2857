"""Arbiters' training at a table of Café International: what people get up to with their cards."""

from collections.abc import Iterator

from host_tools.games.base import Action, Attempt, Exercise, awaited, refused
from host_tools.games.cafe.table_view import CafeTableView
from host_tools.games.steps import lay, pick

JOKER = "JK"


def seated_again(table: CafeTableView) -> Action | None:
    """CB-3: a guest who sits already is taken along to another chair."""
    seated = list(table.middle()["guests"].values())
    return refused(table, _seatings(table, seated), ("already_played",))


def foreign_table(table: CafeTableView) -> Action | None:
    """CB-3: a guest at a table of another nation."""
    return refused(table, _seatings(table, table.hand_now()), ("wrong_nation",))


def second_woman(table: CafeTableView) -> Action | None:
    """CB-4: a second woman at a table with one woman, and the like."""
    return refused(table, _seatings(table, table.hand_now()), ("sexes",))


def somebodys_joker(table: CafeTableView) -> Action | None:
    """CB-12: everybody has seen in whose hand a swapped joker lies; another seat plays it."""
    seat, _ = awaited(table)
    hands = (hand for other, hand in enumerate(table.hands) if other != seat)
    jokers = [tile for hand in hands for tile in hand if tile.startswith(JOKER)]
    return refused(table, _seatings(table, jokers), ("not_in_hand",))


def joker_to_the_bar(table: CafeTableView) -> Action | None:
    """CB-10: a joker goes to the bar although a chair would take it."""
    jokers = [tile for tile in table.hand_now() if tile.startswith(JOKER)]
    bar = table.say("cafe_bar")
    attempts = (Attempt("bar", {"tile": tile}, (pick(bar), lay(tile))) for tile in jokers)
    return refused(table, attempts, ("joker_fits",))


def _seatings(table: CafeTableView, tiles: list[str]) -> Iterator[Attempt]:
    """Every guest on every free chair, by the box's lists: the table first, then the chair."""
    for tile in tiles:
        held = table.match.is_held(tile)
        if held and not table.match.good_chairs(tile):
            # the box says that this guest fits nowhere, and shows no list to choose from
            continue
        for name, _, _ in table.match.tables():
            for chair in table.match.free_chairs(name):
                # without ticks, which only what is legal has: hands find a row by its name alone
                chosen = (pick(name), pick(chair)) if held else ()  # else refused when tapped
                yield Attempt("place", {"tile": tile, "chair": chair}, (lay(tile), *chosen))


TRICKS = {
    "seated_again": Exercise("CB-3", seated_again),
    "foreign_table": Exercise("CB-3", foreign_table),
    "crowd": Exercise("CB-4", second_woman),
    "somebodys_joker": Exercise("CB-12", somebodys_joker),
    "joker_to_the_bar": Exercise("CB-10", joker_to_the_bar),
}
