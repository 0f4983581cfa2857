"""People with a real bag and real hands sit in the café beside the referee, board and app
(hypothesis state machine). What the wood allows is accepted, what it forbids is refused.
"""

import random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from host_tools.games.cafe.boards import load_board
from tests.rules.cafe_wood_model import NATIONS, TILES, CafeWood
from tests.rules.physical_machine import PICKS, PhysicalMachine
from tests.sampling import examples


class CafeMachine(PhysicalMachine):
    """Mostly scoring moves; some at random, for which the wood foretells the referee's answer."""

    table: CafeWood

    @initialize(seed=PICKS, preset=st.sampled_from(["board", "app"]), seats=st.integers(2, 4))
    def sit_down(self, seed: int, preset: str, seats: int) -> None:
        chance = random.Random(seed)
        options: dict[str, Any] = {"mono_bonus": chance.choice(["any_size", "full_only"])}
        options["bag_end"] = chance.choice([3, 4])
        options["bar_joker"] = chance.choice(["score", "seat"])
        options["between"] = chance.choice(["either", "both"])
        if preset == "board":
            options["drawing"] = chance.choice(["shrink", "leaflet"])
        else:
            options["cards_end"] = chance.choice(["missing", "last"])
            options["mono"] = chance.choice(["table", "same"])
        if chance.random() < 0.5:
            options["bar_values"] = [chance.choice([-9, -3, -1, 0, 2]) for _ in range(20)]
        board = {"tables": load_board("cafe" if preset == "board" else "cafe_app")["tables"]}
        if preset == "app":
            cards = chance.sample(NATIONS * 2, 12)
            for row, nation in zip(board["tables"].values(), cards, strict=True):
                row["nation"] = nation
        self.eager = chance.choice([0.5, 0.98])
        header = {"schiri": 1, "game": "cafe", "preset": preset, "seats": seats}
        header |= {"options": options, "board": board}
        self.open(header, CafeWood(header, chance))

    def act(self, chance: random.Random) -> None:
        what = self.match.awaits().what
        if what == "begin":
            self.say("begin", seat=chance.randrange(self.table.seats))
            return
        assert self.match.awaits().seat == self.table.turn or what == "leftover"
        {"place": self.turn, "table_card": self.table_card, "leftover": self.leftover}[what](
            chance
        )

    # -- a turn -----------------------------------------------------------------------------------

    def turn(self, chance: random.Random) -> None:
        wood = self.table
        hand = wood.hands[wood.turn]
        if not hand:  # the only guest has sat down
            assert wood.placed == 1
            self.end_turn()
            return
        self.somewhere(chance)
        moves = [(t, c) for t in hand for c in wood.at if wood.fault(t, c) is None]
        scoring = [(t, c) for t, c in moves if sum(wood.worth(t, c).values())]
        if wood.placed and (not scoring or chance.random() < 0.2):
            self.end_turn()
        elif scoring and chance.random() < self.eager:
            tile, chair = chance.choice(scoring)
            self.say("place", tile=tile, chair=chair)
        elif moves and not scoring and chance.random() < self.eager:
            tile, chair = chance.choice(moves)  # opens an empty table (CB-5)
            self.say("place", tile=tile, chair=chair)
        elif not wood.placed:
            self.swap_or_bar(chance)

    def somewhere(self, chance: random.Random) -> None:
        """Any guest on any chair, legal or not: the wood knows what must come of it."""
        wood = self.table
        tile, chair = chance.choice(wood.hands[wood.turn]), chance.choice(list(wood.at))
        fault = wood.fault(tile, chair)
        assert (chair in self.match.legal_chairs(tile)) == (fault is None)
        if fault is not None:
            self.refused({fault}, "place", tile=tile, chair=chair)

    def end_turn(self) -> None:
        wood = self.table
        self.refused({"not_now"}, "bar", tile="FRf1")
        if wood.lone and not wood.very_first():
            self.refused({"alone"}, "done")
            self.take_back_one()  # the guest cannot be joined: back into the hand
        else:
            self.say("done")

    def swap_or_bar(self, chance: random.Random) -> None:
        wood = self.table
        hand = wood.hands[wood.turn]
        self.refused({"not_now"}, "done")
        jokers = [chair for chair, tile in wood.sit.items() if tile[:2] == "JK"]
        for chair in jokers:
            for tile in hand:
                fault = self.swap_fault(tile, chair)
                if fault is not None:
                    self.refused({fault}, "swap", tile=tile, chair=chair)
                elif chance.random() < 0.7:
                    self.say("swap", tile=tile, chair=chair)
                    return
        self.to_bar(chance.choice(hand))

    def swap_fault(self, tile: str, chair: str) -> str | None:
        """CB-12."""
        wood = self.table
        if wood.sit[chair][2] != tile[2]:
            return "sexes"
        fits = tile[:2] in [wood.nation[table] for table in wood.at[chair]]
        return None if fits else "wrong_nation"

    def to_bar(self, tile: str) -> None:
        """CB-9 to CB-11."""
        wood = self.table
        if tile[:2] == "JK" and wood.fits_somewhere(tile):
            self.refused({"joker_fits"}, "bar", tile=tile)
        elif wood.broke():
            self.refused({"cannot_pay"}, "bar", tile=tile)
            self.say("bar", tile=tile, forced=True)
        else:
            self.say("bar", tile=tile)

    # -- the app's cards, the hands at the end ----------------------------------------------------

    def table_card(self, chance: random.Random) -> None:
        wood = self.table
        table = wood.waiting[0]
        left = [nation for nation in NATIONS if wood.cards[nation] < 2]
        twice = [nation for nation in NATIONS if wood.cards[nation] == 2]
        if twice:
            self.refused({"already_played"}, "table_card", table=table, nation=twice[0])
        other = next(name for name in wood.tables if name != table)
        self.refused({"bad_value"}, "table_card", table=other, nation=NATIONS[0])
        self.refused({"not_now"}, "place", tile="FRf1", chair="C01")
        if left:
            self.refused({"bad_value"}, "table_card", table=table, nation=None)
        self.say("table_card", table=table, nation=chance.choice(left) if left else None)

    def leftover(self, chance: random.Random) -> None:
        wood = self.table
        seat = self.match.awaits().seat
        tiles = list(wood.hands[seat])
        assert tiles
        self.refused({"bad_value"}, "leftover", seat=seat, tiles=tiles[1:])
        self.refused({"wrong_seat"}, "leftover", seat=seat + 1, tiles=tiles)
        gone = [*wood.sit.values(), *wood.barred]
        mine = {joker for joker, holder in wood.known.items() if holder == seat}
        if gone and not mine:
            swapped = [gone[0], *tiles[1:]]
            self.refused({"already_played"}, "leftover", seat=seat, tiles=swapped)
        if wood.named and not mine:
            stolen = [wood.named[0], *tiles[1:]]
            self.refused({"not_in_hand"}, "leftover", seat=seat, tiles=stolen)
        chance.shuffle(tiles)
        self.say("leftover", seat=seat, tiles=tiles)

    # -- what cannot be ---------------------------------------------------------------------------

    @precondition(lambda self: self.match.awaits().what == "place")
    @rule(pick=PICKS, do=st.sampled_from(["place", "bar", "swap"]))
    def tiles_that_cannot_be(self, pick: int, do: str) -> None:
        wood = self.table
        if do != "place" and wood.placed:
            return
        chair = sorted(wood.at)[pick % len(wood.at)]
        self.refused({"unknown_card"}, do, tile="XXf1", chair=chair)
        for tile in wood.hands[wood.turn][:1] if do != "bar" else ():
            self.refused({"unknown_card"}, do, tile=tile, chair="C99")
        gone = [*wood.sit.values(), *wood.barred]
        for tile in (*wood.gone_jokers, *gone[pick % max(len(gone), 1) :][:1]):
            self.refused({"already_played"}, do, tile=tile, chair=chair)
        for joker, holder in wood.known.items():
            if holder != wood.turn:
                self.refused({"not_in_hand"}, do, tile=joker, chair=chair)
        if do == "swap" and chair in wood.sit and wood.sit[chair][:2] != "JK":
            self.refused({"no_joker_there"}, do, tile=wood.hands[wood.turn][0], chair=chair)

    @precondition(lambda self: self.match.awaits().what == "place")
    @rule()
    def all_legal_chairs(self) -> None:
        """The screen's list is exactly what the wood allows."""
        wood = self.table
        for tile in wood.hands[wood.turn]:
            legal = {chair for chair in wood.at if wood.fault(tile, chair) is None}
            assert set(self.match.legal_chairs(tile)) == legal

    @invariant()
    def check(self) -> None:
        if not hasattr(self, "match"):
            return
        wood, match = self.table, self.match
        assert sorted(wood.everywhere()) == sorted(TILES)
        assert match.hand_sizes() == [len(hand) for hand in wood.hands]
        assert match.bag() == len(wood.bag)
        assert match.scores() == wood.score
        for name, nation, guests in match.tables():
            assert guests == [wood.sit.get(chair) for chair in wood.chairs[name]]
            if name not in wood.waiting:
                assert nation == wood.nation[name]
        field = match.bar_field()
        assert (20 if field is None else field[0] - 1) == len(wood.barred)
        if match.over():
            assert wood.reason == wood.ended()


TestCafeMachine = CafeMachine.TestCase
TestCafeMachine.settings = settings(
    max_examples=examples(60), stateful_step_count=20, deadline=None
)
