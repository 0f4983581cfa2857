"""Trumpf: piles face down, the top card in the hand, a pot in the middle (TR-3, TR-6)."""

from collections import deque
from collections.abc import Sequence

from host_tools.sim.demo.people import CHOOSE_FROM, TrumpfPeople
from host_tools.sim.table.worlds.base import Json, Move, Say, World, lay, pick
from host_tools.sim.table.worlds.faces import trumpf_face


class TrumpfWorld(World):
    """The people of the demo hold the cards; here they make no mistakes."""

    def __init__(self, header: Json, seed: int, say: Say) -> None:
        super().__init__(header, seed, say)
        self._people = TrumpfPeople(header, seed, faultless=True)
        self._cards = {card["code"]: card for card in header["deck"]["cards"]}
        self._category: str | None = None
        self._kept: dict[str, int] = {}  # card -> the seat whose it is
        self._look()

    def starter(self) -> int:
        """TR-2; the Swiss start by lot."""
        value = self._people.act({"seat": None, "for": "begin"}, None).value
        return int(value or 0)

    def move(self, seat: int) -> Move:
        what = self.match.awaits().what
        act = self._people.act({"seat": seat, "for": what}, self._category)
        if act.do == "call":
            return (pick(self.header["deck"]["categories"][int(act.value or 0)]["title"]),)
        return (lay(str(act.value)),) if act.do == "tap" else ()

    def follow(self, seat: int | None, command: Json, events: list[Json]) -> None:
        people = self._people
        if command["do"] == "tap" and seat is not None:
            self.bring(seat, command["card"])
            people.tapped(seat, command["card"])
        for event in events:
            people.see(event)
            if event["is"] == "called":
                self._category = event["category"]
            elif event["is"] in ("round_won", "round_tied", "extended", "sudden"):
                self._category = None
        self._look()

    def visible(self, seat: int) -> list[bool]:
        """The top card; all of them when three or fewer are left (TR-9); a joker and its card."""
        hand = self.hands[seat]
        if len(hand) + len(self._people.lying[seat]) <= CHOOSE_FROM:
            return [True] * len(hand)
        seen = [False] * len(hand)
        for place, code in enumerate(hand):
            seen[place] = True
            if not self._cards[code].get("joker"):
                break
        return seen

    def middle(self) -> Json:
        people = self._people
        return {
            "lying": [[self.face(code) for code in cards] for cards in people.lying],
            "pot": len(people.pot),
            "category": self._category,
        }

    def face(self, code: str) -> Json:
        lang = "de" if self.say("decimal_mark") == "," else "en"
        return trumpf_face(self.match.deck, code, self._cards[code].get("name", ""), lang)

    # -- what an arbiter's training needs

    def bring(self, seat: int, code: str, keep: Sequence[str] = ()) -> None:
        """A card that nobody holds (TR-1: it was put aside) comes for another one."""
        piles: list[deque[str]] = self._people.piles
        holder = next((pile for pile in piles if code in pile), None)
        if holder is piles[seat] or not piles[seat]:
            return
        mine = piles[seat].popleft()
        piles[seat].appendleft(code)
        if holder is not None:
            holder[holder.index(code)] = mine

    def bring_up(self, seat: int, code: str) -> None:
        """A card of a pile trades places with the top one, as when it was dropped (TR-13)."""
        pile = self._people.piles[seat]
        if code in pile:  # after an undo it may be elsewhere
            place = pile.index(code)
            pile[0], pile[place] = pile[place], pile[0]
            self._look()

    def lost_cards(self, seat: int) -> list[str]:
        """Cards in other piles that everybody has seen: this seat cannot have them."""
        others = (other for other in range(self.seats) if other != seat)
        return [code for other in others for code in self._people.won_from(other)]

    def keep_lost(self, seat: int, code: str) -> None:
        """A card of another pile is back on top of this one."""
        for owner, pile in enumerate(self._people.piles):
            if code in pile:
                self._kept[code] = owner
                pile.remove(code)
                self._people.piles[seat].appendleft(code)
                self._look()
                return

    def see(self, command: Json) -> bool:
        """A kept card that is refused goes back under the pile to which it belongs."""
        accepted = super().see(command)
        code = command.get("card", "")
        if code in self._kept and not accepted:
            for pile in self._people.piles:
                if code in pile:
                    pile.remove(code)
            self._people.piles[self._kept.pop(code)].append(code)
            self._look()
        return accepted

    def _look(self) -> None:
        piles: list[deque[str]] = self._people.piles
        self.hands = [list(pile) for pile in piles]
