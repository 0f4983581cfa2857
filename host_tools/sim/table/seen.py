"""What everybody saw on the table after a command of a record: cards, chairs, who won them.

Hands are not here, for a record does not hold them. The questions are put to the firmware's own
match; only what it forgets at once (the cards of a decided round) is remembered from the step
before. `seen_at` is the door.
"""

from abc import ABC, abstractmethod
from typing import Any

from host_tools.sim.table.worlds.faces import hattrick_face, quartett_face, trumpf_face
from host_tools.sim.table.worlds.room_plan import plan_of

Json = dict[str, Any]
_HATTRICK_CARDS = 60
_HATTRICK_TAPS = ("opened", "followed", "passed", "shed")


class Seen(ABC):
    """The table of one match. Before every command `look`, behind it `see`.

    `header` holds deck and board as objects; `match` is the rules' own.
    """

    def __init__(self, header: Json, match: Any, lang: str) -> None:
        self.header = header
        self.match = match
        self.lang = lang
        self.won: list[int] = []
        self._scores = self._scores_before = self._scored()

    # -- what a game fills in

    def look(self) -> None:
        """Remember what the next command may sweep away; by itself nothing is."""
        return

    @abstractmethod
    def follow(self, command: Json, answer: Json) -> None:
        """Take in what a command has brought; `won` is empty before."""

    @abstractmethod
    def middle(self) -> Json:
        """The cards on the table by their codes, as `expanded` of static/replay.js reads them."""

    @abstractmethod
    def cards(self) -> list[int]:
        """How many cards or guests each seat holds."""

    def face(self, code: str) -> Json | None:
        """What is printed on a card that the rules have accepted; None if it is drawn without."""
        return None

    def fixed(self) -> Json:
        """What the page needs of this game once."""
        return {}

    # -- for all

    def see(self, command: Json, answer: Json) -> None:
        """The box has answered."""
        self.won = []
        self._scores_before, self._scores = self._scores, self._scored()
        self.follow(command, {"events": [], **answer})

    def _scored(self) -> list[int]:
        """Cards, quartets or points, as the result line has them."""
        result = dict(self.match.result())
        scores: list[int] = result["scores"] if "scores" in result else result["counts"]
        return list(scores)

    def seats(self) -> list[Json]:
        """Score and what it has just changed by, cards, whether the seat has just won something,
        and its place at the end.
        """
        cards = self.cards()
        places: dict[int, int] = {}
        for level in dict(self.match.result()).get("ranking", ()):
            places.update(dict.fromkeys(level, len(places) + 1))
        return [
            {
                "score": score,
                "gain": score - self._scores_before[seat],
                "cards": cards[seat],
                "won": seat in self.won,
                "place": places.get(seat),
            }
            for seat, score in enumerate(self._scores)
        ]


class TrumpfSeen(Seen):
    """Cards lying and the pot; a round that was just decided still lies there."""

    def __init__(self, header: Json, match: Any, lang: str) -> None:
        super().__init__(header, match, lang)
        self._names = {card["code"]: card.get("name", "") for card in header["deck"]["cards"]}
        self._decided: Json | None = None
        self.look()

    def look(self) -> None:
        self._before = self._lying()
        self._awaited = self.match.awaits().seat

    def _lying(self) -> list[list[str]]:
        codes = self.match.deck.codes
        seats = range(self.match.seats)
        return [[codes[card] for card in self.match.presented(seat)] for seat in seats]

    def follow(self, command: Json, answer: Json) -> None:
        self._decided = None
        for event in answer["events"]:
            if event["is"] == "round_won":
                self.won = [event["seat"]]
                self._decide(command, event, [])
            elif event["is"] == "round_tied":
                self._decide(command, event, event["seats"])
            elif event["is"] == "pot_won":
                self.won = [event["seat"]]

    def _decide(self, command: Json, event: Json, tied: list[int]) -> None:
        if command["do"] == "tap":
            self._before[self._awaited].append(command["card"])
        self._decided = {
            "lying": self._before,
            "pot": event["pot"],
            "category": event["category"],
            "won": self.won[0] if self.won else None,
            "tied": tied,
        }

    def middle(self) -> Json:
        if self._decided is not None:
            return self._decided
        category = self.match.category
        return {
            "lying": self._lying(),
            "pot": self.match.pot_size(),
            "category": None if category is None else self.match.deck.categories[category].key,
            "won": None,
            "tied": [],
        }

    def cards(self) -> list[int]:
        counts: list[int] = self.match.counts()
        return counts

    def face(self, code: str) -> Json | None:
        return trumpf_face(self.match.deck, code, self._names[code], self.lang)


class QuartettSeen(Seen):
    """The question, the card handed over, the quartet just laid, and those laid before."""

    def __init__(self, header: Json, match: Any, lang: str) -> None:
        super().__init__(header, match, lang)
        names = {card["code"]: card.get("name", "") for card in header["deck"]["cards"]}
        self._names = {code: names[code] for code in match.codes()}
        self._laid: list[tuple[int, int, str]] = []  # number of the command, seat, group
        self._shown: Json | None = None

    def follow(self, command: Json, answer: Json) -> None:
        self._shown = None
        for event in answer["events"]:
            self._take(event, command, answer["n"])

    def _take(self, event: Json, command: Json, number: int) -> None:
        name = event["is"]
        if name == "asked":
            self._shown = _shown(name, [event["seat"], event["to"]], [event["card"]])
        elif name == "given":
            self._shown = _shown(name, [event["from"], event["to"]], [event["card"]])
        elif name == "denied":
            self._shown = _shown(name, [event["seat"]], [event["card"]])
        elif name == "quartet":
            self.won = [event["seat"]]
            self._laid.append((number, event["seat"], event["group"]))
            self._shown = _shown(name, [event["seat"]], command["cards"])
        elif name == "undone":
            self._laid = [laid for laid in self._laid if laid[0] != event["n"]]

    def middle(self) -> Json:
        quartets: list[list[str]] = [[] for _ in range(self.match.seats)]
        for _, seat, group in self._laid:
            quartets[seat].append(group)
        return {
            "asked": None,
            "quartets": quartets,
            "sizes": self.match.hand_sizes(),
            "shown": self._shown,
        }

    def cards(self) -> list[int]:
        sizes: list[int] = self.match.hand_sizes()
        return sizes

    def face(self, code: str) -> Json | None:
        return quartett_face(code, self._names)


def _shown(name: str, seats: list[int], codes: list[str]) -> Json:
    return {"is": name, "seats": seats, "codes": codes}


class CafeSeen(Seen):
    """The room; guests of a table that was just cleared (CA-2) still sit there."""

    def __init__(self, header: Json, match: Any, lang: str) -> None:
        super().__init__(header, match, lang)
        self._tables = header["board"]["tables"]
        self._fresh: list[str] = []
        self._full: list[str] = []
        self.look()
        self._room = self._before

    def look(self) -> None:
        self._before = self._now()

    def _now(self) -> tuple[Json, Json]:
        """Nation of every table, guest on every taken chair."""
        nations: Json = {}
        guests: Json = {}
        for name, nation, seated in self.match.tables():
            nations[name] = nation
            chairs = zip(self._tables[name]["chairs"], seated, strict=True)
            guests.update({chair: guest for chair, guest in chairs if guest})
        return nations, guests

    def follow(self, command: Json, answer: Json) -> None:
        self._fresh = []
        self._full = []
        self._room = self._now()
        for event in answer["events"]:
            if event["is"] in ("placed", "swapped"):
                self._fresh = [event["chair"]]
                self._before[1][event["chair"]] = event["tile"]
            if event["is"] == "completed":
                self._full.append(event["table"])
            if event["is"] == "cleared":
                self._room = self._before

    def middle(self) -> Json:
        field = self.match.bar_field()
        nations, guests = self._room
        return {
            "nations": nations,
            "guests": guests,
            "fresh": self._fresh,
            "full": self._full,
            "bar": None if field is None else {"field": field[0], "points": field[1]},
            "bag": self.match.bag(),
        }

    def cards(self) -> list[int]:
        sizes: list[int] = self.match.hand_sizes()
        return sizes

    def fixed(self) -> Json:
        return {"plan": plan_of(self.header["board"], self.header["preset"])}


class HattrickSeen(Seen):
    """The cards of the round and who laid them; those of a round just decided still lie there."""

    def __init__(self, header: Json, match: Any, lang: str) -> None:
        super().__init__(header, match, lang)
        self._lying: list[tuple[int, str]] = []
        self._before: dict[int, list[tuple[int, str]]] = {}  # number of a tap -> what lay before
        self._decided: Json | None = None

    def follow(self, command: Json, answer: Json) -> None:
        self._decided = None
        for event in answer["events"]:
            name = event["is"]
            if name in _HATTRICK_TAPS:
                self._before[answer["n"]] = list(self._lying)
                self._lying.append((event["seat"], event["card"]))
            elif name == "undone":
                self._lying = self._before.pop(event["n"], [])
            elif name in ("round_over", "hand_over"):
                self._decide(event.get("tricks", []))

    def _decide(self, tricks: list[Json]) -> None:
        taken = {trick["suit"]: trick["seat"] for trick in tricks}
        self.won = sorted(set(taken.values()))
        self._decided = self._table(
            [
                {"suit": trick["suit"], "leads": trick["seat"], "cards": trick["cards"]}
                for trick in tricks
            ],
            taken,
        )
        self._lying = []

    def _table(self, tricks: list[Json], taken: Json) -> Json:
        """`taken`: colour -> the seat whose card takes that trick (HA-4); {} while it is open."""
        return {
            "lying": [
                {"seat": seat, "code": code, "won": taken.get(code[0]) == seat}
                for seat, code in self._lying
            ],
            "tricks": tricks,
            "passes": self.match.passes(),
        }

    def middle(self) -> Json:
        if self._decided is not None:
            return self._decided
        tricks = [
            {"suit": suit, "leads": seat, "cards": cards}
            for suit, seat, cards in self.match.tricks_lying()
        ]
        return self._table(tricks, {})

    def cards(self) -> list[int]:
        seats = range(self.match.seats)
        if self.match.over():
            return [0 for _ in seats]
        if self.match.dealer() is None:
            return [_HATTRICK_CARDS // self.match.seats for _ in seats]
        laid = {seat for seat, _ in self._lying}
        return [self.match.cards_left() - (seat in laid) for seat in seats]

    def face(self, code: str) -> Json | None:
        return hattrick_face(code)


_SEEN: dict[str, type[Seen]] = {
    "trumpf": TrumpfSeen,
    "quartett": QuartettSeen,
    "cafe": CafeSeen,
    "hattrick": HattrickSeen,
}


def seen_at(header: Json, match: Any, lang: str) -> Seen:
    """The table of a match that was just opened; `header` holds deck and board as objects."""
    return _SEEN[header["game"]](header, match, lang)
