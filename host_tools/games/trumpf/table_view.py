"""The table of Trumpf: piles face down, the top card in the hand, a pot (TR-3, TR-6)."""

from collections.abc import Sequence

from host_tools.cards.decks.values import written
from host_tools.core.json_types import Json
from host_tools.games.decks import CardLooks
from host_tools.games.player import Act
from host_tools.games.steps import Move, pick
from host_tools.games.table_view import DealtCards, Moves, TableView, filled
from host_tools.games.trumpf.bot import TrumpfBot
from host_tools.games.trumpf.player import CHOOSE_FROM, TrumpfPlayer


class TrumpfTableView(TableView):
    """Hands are piles, the top card first. A round that was just decided still lies there."""

    player = TrumpfPlayer
    bot = TrumpfBot
    all_shown = True

    def prepare(self) -> None:
        self._cards = {card["code"]: card for card in self.header["deck"]["cards"]}
        self._looks = CardLooks(self.header["deck"])
        self._decided: Json | None = None
        self._callable: list[str] = []
        self._lying: list[list[str]] = [[] for _ in range(self.seats)]
        # with the seat it is from: TR-8 may give it back
        self._pot: list[tuple[int, str]] = []
        self._seen: set[str] = set()
        self._kept: dict[str, int] = {}  # card -> the seat whose it is
        self._first = 0

    def deal(self) -> None:
        """TR-1: all get equally many, the rest is put aside."""
        codes = list(self._cards)
        self.chance.shuffle(codes)
        size = len(codes) // self.seats
        self.hands = [codes[seat * size : (seat + 1) * size] for seat in range(self.seats)]
        self._first = self.chance.randrange(self.seats)

    @classmethod
    def dealt_in(cls, header: Json, moves: Moves) -> DealtCards:
        """TR-1: a card that a seat presents before anybody has seen it was dealt to that seat, in
        this order.
        """
        seats = header["seats"]
        hands: list[list[str]] = [[] for _ in range(seats)]
        seen: set[str] = set(header.get("aside", ()))
        for _, answer in moves:
            for event in answer.get("events", ()):
                if event["is"] == "played":
                    hands[event["seat"]] += [card for card in event["cards"] if card not in seen]
                    seen.update(event["cards"])
        codes = [card["code"] for card in header["deck"]["cards"]]
        rest = [code for code in codes if code not in seen]
        return [filled(hands, rest, len(codes) // seats)]

    def starter(self) -> int:
        """TR-2: the holder of A1, or of the lowest card in play; the Swiss start by lot."""
        if self.header["preset"] == "swiss":
            return self._first
        lowest = [
            (min(codes), seat)
            for seat, pile in enumerate(self.hands)
            if (codes := [code for code in pile if not self._cards[code].get("joker")])
        ]
        return min(lowest)[1] if lowest else self._first

    # -- the piles

    def move_cards(self, seat: int | None, command: Json, events: list[Json]) -> None:
        if command["do"] == "tap" and seat is not None:
            card = command["card"]
            self.bring(seat, card)
            self.hands[seat].remove(card)
            self._seen.add(card)
            self._lying[seat].append(card)
        for event in events:
            self._move(event)

    def _move(self, event: Json) -> None:
        name = event["is"]
        if name == "round_won":
            self._pick_up(event["seat"], event["cards"])
        elif name == "round_tied":
            self._pot += [(seat, card) for seat, lying in enumerate(self._lying) for card in lying]
            self._clear()
        elif name == "pot_won":
            self._pick_up(event["seat"], [card for _, card in self._pot])
        elif name == "pot_returned":
            for seat, card in self._pot:
                self.hands[seat].append(card)
            self._pot = []
        elif name == "moved":  # SW-8: the penalty comes from the back of the pile
            pile = self.hands[event["from"]]
            self.hands[event["to"]] += pile[len(pile) - event["count"] :]
            del pile[len(pile) - event["count"] :]
        elif name in ("extended", "sudden"):
            for seat, lying in enumerate(self._lying):
                # a round without a call does not count: what was presented lies on top again
                self.hands[seat] = lying + self.hands[seat]
            self._clear()

    def _pick_up(self, seat: int, cards: list[str]) -> None:
        self.hands[seat] += cards
        self._pot = []
        self._clear()

    def _clear(self) -> None:
        self._lying = [[] for _ in range(self.seats)]

    def bring(self, seat: int, code: str, keep: Sequence[str] = ()) -> None:
        """A card that nobody holds (TR-1: it was put aside) comes for another one."""
        holder = next((pile for pile in self.hands if code in pile), None)
        if holder is self.hands[seat] or not self.hands[seat]:
            return
        mine = self.hands[seat][0]
        self.hands[seat][0] = code
        if holder is not None:
            holder[holder.index(code)] = mine

    def visible(self, seat: int) -> list[bool]:
        """The top card; all of them when three or fewer are left (TR-9); a joker and its card."""
        hand = self.hands[seat]
        if len(hand) + len(self._lying[seat]) <= CHOOSE_FROM:
            return [True] * len(hand)
        jokers = [bool(self._cards[code].get("joker")) for code in hand]
        first = jokers.index(False) if False in jokers else len(hand)
        return [place <= first for place in range(len(hand))]

    def sights(self) -> set[str]:
        """TR-9: a card is awaited of a seat that may choose it."""
        awaits = self.match.awaits()
        few = awaits.what == "tap" and len(self.hands[awaits.seat]) <= CHOOSE_FROM
        return {"three_cards"} if few else set()

    def steps_of(self, act: Act) -> Move:
        if act.do != "call":
            return ()
        return (pick(self.header["deck"]["categories"][act.fields["category"]]["title"]),)

    # -- what an arbiter's training needs

    def bring_up(self, seat: int, code: str) -> None:
        """A card of a pile trades places with the top one, as when it was dropped (TR-13)."""
        pile = self.hands[seat]
        if code in pile:  # after an undo it may be elsewhere
            place = pile.index(code)
            pile[0], pile[place] = pile[place], pile[0]

    def won_from(self, seat: int) -> list[str]:
        """Cards in a seat's pile that everybody has seen, the newest first."""
        return [card for card in reversed(self.hands[seat]) if card in self._seen]

    def lost_cards(self, seat: int) -> list[str]:
        """Cards in other piles that everybody has seen: this seat cannot have them."""
        others = (other for other in range(self.seats) if other != seat)
        return [code for other in others for code in self.won_from(other)]

    def keep_lost(self, seat: int, code: str) -> None:
        """A card of another pile is back on top of this one."""
        owner = next((other for other, pile in enumerate(self.hands) if code in pile), None)
        if owner is not None:
            self._kept[code] = owner
            self.hands[owner].remove(code)
            self.hands[seat].insert(0, code)

    def take_in(self, command: Json, answer: Json) -> None:
        """A kept card that is refused goes back under the pile to which it belongs."""
        super().take_in(command, answer)
        code = command.get("card", "")
        if code in self._kept and "refused" in answer:
            for pile in self.hands:
                if code in pile:
                    pile.remove(code)
            self.hands[self._kept.pop(code)].append(code)

    # -- what everybody sees

    def remember(self) -> None:
        self._before = self._presented()

    def _presented(self) -> list[list[str]]:
        codes = self.match.deck.codes
        seats = range(self.match.seats)
        return [[codes[card] for card in self.match.presented(seat)] for seat in seats]

    def note(self, command: Json, answer: Json) -> None:
        self._decided = None
        self._callable = self._may_be_called()
        for event in answer["events"]:
            if event["is"] == "round_won":
                self.won = [event["seat"]]
                self._decide(command, event, [])
            elif event["is"] == "round_tied":
                self._decide(command, event, event["seats"])
            elif event["is"] == "pot_won":
                self.won = [event["seat"]]

    def _may_be_called(self) -> list[str]:
        """The categories of which the caller's card has a value (TR-11)."""
        if self.match.awaits().what != "call":
            return []
        keys = [category["key"] for category in self.header["deck"]["categories"]]
        return [key for key in keys if self.judge("call", category=key).refusal is None]

    def _decide(self, command: Json, event: Json, tied: list[int]) -> None:
        if command["do"] == "tap" and self._awaited is not None:
            # remembered before the command, which has laid this one
            self._before[self._awaited].append(command["card"])
        self._decided = {
            "lying": self._before,
            "pot": event["pot"],
            "category": event["category"],
            "won": self.won[0] if self.won else None,
            "tied": tied,
        }

    def is_decided(self) -> bool:
        return self._decided is not None

    def middle(self) -> Json:
        if self._decided is not None:
            return self._decided
        category = self.match.category
        return {
            "lying": self._presented(),
            "pot": self.match.pot_size(),
            "category": None if category is None else self.match.deck.categories[category].key,
            "won": None,
            "tied": [],
            **({"callable": self._callable} if self._callable else {}),
        }

    def shown(self) -> list[str]:
        return [code for codes in self.middle()["lying"] for code in codes]

    def cards(self) -> list[int]:
        return list(self.match.counts())

    def face(self, code: str) -> Json:
        """A card of the rules' deck with its values as people write them; a joker has none."""
        deck = self.match.deck
        card = deck.index(code)
        joker = bool(deck.jokers[card])
        rows = [
            self._row(category, deck.categories[place].best, deck.value(card, place))
            for place, category in enumerate(self.header["deck"]["categories"])
            if not joker
        ]
        name = self._cards[code].get("name", "")
        said = {"kind": "trumpf", "code": code, "name": name, "joker": joker, "rows": rows}
        return said | self._looks.of(code)

    def _row(self, category: Json, best: str, value: int | None) -> Json:
        """A record's deck may say no more than keys; which end wins is then the rules' word."""
        # a view knows the box's words, not their language
        lang = "de" if self.say("decimal_mark") == "," else "en"
        text = written(value, category, lang)
        key = category["key"]
        return {"key": key, "title": category.get("title", key), "value": text, "best": best}
