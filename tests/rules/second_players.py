"""Random matches for the second referees: people with real hands who make every kind of slip.

The hands follow what the second referee knows (`follow`), so they stay possible after an `undo`, a
lie or a card that nobody expected.
"""

import random
from typing import Any

from tests.rules.second_cafe import JOKERS, NATIONS, TILES, SecondCafe
from tests.rules.second_hattrick import DECK, SecondHattrick
from tests.rules.second_quartett import SecondQuartett


def with_times(header: dict[str, Any], r: random.Random) -> dict[str, Any]:
    """CL-5, CL-7: commands come 2.5 ms apart on average."""
    if r.random() < 0.4:
        header["clock_ms"] = r.choice([1, 20, 100, 300, 600])
        if r.random() < 0.3:
            header["extension_ms"] = r.choice([None, 50])
    if r.random() < 0.3:
        header["turn_ms"] = r.choice([1, 5, 15])
    return header


# -- Quartett -------------------------------------------------------------------------------------


def quartett_header(r: random.Random) -> dict[str, Any]:
    groups = r.choice([1, 2, 2, 3, 3, 4, 8])
    seats = r.randint(3, min(6, 4 * groups))
    codes = [f"{'ABCDEFGH'[g]}{k}" for g in range(groups) for k in range(1, 5)]
    r.shuffle(codes)
    cards: list[dict[str, Any]] = [{"code": code, "values": [1]} for code in codes]
    jokers = r.choice([0, 0, 1, 2])
    cards += [{"code": f"J{k + 1}", "joker": True} for k in range(jokers)]
    category = {"key": "k", "best": "high", **({"joker": True} if jokers else {})}
    header: dict[str, Any] = {
        "schiri": 1,
        "game": "quartett",
        "seats": seats,
        "deck": {"id": "x", "categories": [category], "cards": cards},
    }
    if r.random() < 0.6:
        cuts = sorted(r.sample(range(1, len(codes)), seats - 1))
        header["hand_sizes"] = [
            b - a for a, b in zip([0, *cuts], [*cuts, len(codes)], strict=True)
        ]
    return with_times(header, r)


class QuartettPeople:
    def __init__(self, header: dict[str, Any], r: random.Random) -> None:
        self.r, self.seats = r, header["seats"]
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.lies = r.choice([0.05, 0.4, 0.8])
        self.eager = r.choice([0.05, 0.5, 0.95])

    def follow(self, ref: SecondQuartett) -> None:
        where, laid = ref.s["where"], ref.s["laid"]
        unseen = [c for c in ref.cards if c not in where and c not in laid]
        self.r.shuffle(unseen)
        hands = []
        for seat in range(self.seats):
            kept = [c for c in self.hands[seat] if c in unseen][: ref.unseen(seat)]
            for card in kept:
                unseen.remove(card)
            hands.append(kept)
        for seat in range(self.seats):
            while len(hands[seat]) < ref.unseen(seat):
                hands[seat].append(unseen.pop())
            hands[seat] += [c for c, s in where.items() if s == seat]
        self.hands = hands

    def command(self, ref: SecondQuartett) -> dict[str, Any]:
        r, waiting = self.r, ref.awaits()
        roll = r.random()
        anything = [*ref.cards, *ref.jokers, "Z9", "J9"]
        if roll < 0.06:
            return {"do": "undo"}
        if roll < 0.09:
            return {"do": r.choice(["tick", "pause", "resume", "done", "penalty", "place", "bar"])}
        if roll < 0.11:
            return {"do": r.choice(["begin", "decide"]), "seat": r.randint(-1, self.seats)}
        if roll < 0.14:
            cards = (
                r.sample(anything, 4) if r.random() < 0.5 else ref.group(r.choice(ref.cards)[0])
            )
            if r.random() < 0.15:
                cards[0] = cards[1]
            return {"do": "lay", "seat": r.randint(-1, self.seats), "cards": cards}
        if roll < 0.17:
            return {"do": "ask", "seat": r.randint(-1, self.seats), "card": r.choice(anything)}
        if roll < 0.20:
            c = {"do": "tap", "card": r.choice(anything)}
            return {**c, "seat": r.randint(-1, self.seats)} if r.random() < 0.4 else c
        if roll < 0.21:
            return {"do": "deny"}
        if waiting["for"] == "begin":
            return {"do": "begin", "seat": r.randrange(self.seats)}
        if waiting["for"] == "answer":
            card = ref.s["asked"][1]
            if card not in self.hands[waiting["seat"]]:
                return {"do": "deny"} if r.random() < 0.95 else {"do": "tap", "card": card}
            return {"do": "deny"} if r.random() < self.lies else {"do": "tap", "card": card}
        for seat, hand in enumerate(self.hands):
            for card in hand:
                group = ref.group(card[0])
                if all(other in hand for other in group) and r.random() < self.eager:
                    return {"do": "lay", "seat": seat, "cards": r.sample(group, 4)}
        if waiting["for"] == "lay":
            return {"do": "done"}
        mine = self.hands[waiting["seat"]]
        groups = [c[0] for c in mine] or [r.choice(ref.cards)[0]]
        wanted = [c for c in ref.cards if c[0] in groups and c not in mine] or ref.cards
        card = r.choice(wanted)
        holders = [s for s, hand in enumerate(self.hands) if card in hand]
        if holders and r.random() < 0.7:
            return {"do": "ask", "seat": holders[0], "card": card}
        return {"do": "ask", "seat": r.randrange(self.seats), "card": card}


# -- Hattrick -------------------------------------------------------------------------------------


def hattrick_header(r: random.Random) -> dict[str, Any]:
    header: dict[str, Any] = {"schiri": 1, "game": "hattrick", "seats": r.randint(3, 6)}
    options: dict[str, Any] = {}
    if r.random() < 0.8:
        options["hands"] = r.choice([1, 1, 2, 3])
    if r.random() < 0.5:
        options["target"] = r.choice([None, 1, 3, 8, 20])
    if options or r.random() < 0.5:
        header["options"] = options
    return with_times(header, r)


class HattrickPeople:
    def __init__(self, header: dict[str, Any], r: random.Random) -> None:
        self.r, self.seats = r, header["seats"]
        self.style = r.choice(["any", "same", "low"])

    def follow(self, ref: SecondHattrick) -> None:
        pass

    def command(self, ref: SecondHattrick) -> dict[str, Any]:
        r, roll = self.r, self.r.random()
        if roll < 0.03:
            return {"do": "undo"}
        if roll < 0.05:
            return {"do": r.choice(["tick", "pause", "resume", "done", "bar", "deny"])}
        if roll < 0.07:
            return {"do": r.choice(["begin", "decide"]), "seat": r.randint(-1, self.seats)}
        if roll < 0.10:
            card = r.choice([*DECK, "R0", "R21", "R01", "A1", "r1", "", "G", "Bx"])
            return {"do": "tap", "card": card, "seat": r.randint(-1, self.seats)}
        if ref.s["dealer"] is None:
            return {"do": "begin", "seat": r.randrange(self.seats)}
        left = [card for card in DECK if card not in ref.s["seen"]] or DECK
        if self.style == "same" and ref.s["round"] and r.random() < 0.8:
            # pairs: the value that lies already, in another suit
            value = ref.s["round"][-1][1][1:]
            left = [card for card in left if card[1:] == value] or left
        if self.style == "low":
            left = left[: 3 + r.randrange(9)]
        return {"do": "tap", "card": r.choice(left)}


# -- Café -----------------------------------------------------------------------------------------

SLIPS = (
    "undo undo tick pause resume done done place place place bar bar swap swap table_card leftover"
    " begin decide deny forfeit"
)
DEGREES = {"board": (24, {1: 40, 2: 28}), "app": (12, {1: 4, 2: 16, 3: 4})}


def random_board(r: random.Random, preset: str) -> dict[str, Any]:
    """Any board with CB-1's (or the app's) numbers: chairs fall on tables at random."""
    count, degrees = DEGREES[preset]
    width = r.choice([1, 2])
    names = [f"T{k:0{width}d}" for k in range(1, count + 1)]
    if r.random() < 0.5:
        r.shuffle(names)
    nations = r.sample([n for n in NATIONS for _ in (1, 2)], count)
    if preset == "app" and r.random() < 0.3:
        nations = r.sample(NATIONS, 6) * 2
    while True:
        free = {name: 4 for name in names}
        chairs: dict[str, list[str]] = {name: [] for name in names}
        sizes = [d for d, many in degrees.items() for _ in range(many)]
        sizes.sort(reverse=True)
        try:
            for number, size in enumerate(sizes):
                open_names = [n for n in names if free[n]]
                weights = [free[n] for n in open_names]
                chosen: set[str] = set()
                if len(open_names) < size:
                    raise ValueError
                while len(chosen) < size:
                    chosen.add(r.choices(open_names, weights)[0])
                for name in chosen:
                    free[name] -= 1
                    chairs[name].append(f"C{number + 1:02d}")
        except ValueError:
            continue
        break
    for seats in chairs.values():
        r.shuffle(seats)
    return {
        "tables": {
            name: {"nation": nation, "chairs": chairs[name]}
            for name, nation in zip(names, nations, strict=True)
        }
    }


HOUSE_RULES = (
    ("between", "both", ("board", "app")),
    ("drawing", "leaflet", ("board",)),
    ("cards_end", "last", ("app",)),
    ("mono", "same", ("app",)),
    ("bar_joker", "seat", ("board", "app")),
)


def cafe_header(r: random.Random, own: dict[str, Any]) -> dict[str, Any]:
    preset = r.choice(["board", "app"])
    header: dict[str, Any] = {
        "schiri": 1,
        "game": "cafe",
        "preset": preset,
        "seats": r.randint(2, 4),
        "board": own[preset] if r.random() < 0.5 else random_board(r, preset),
    }
    options: dict[str, Any] = {}
    if r.random() < 0.4:
        options["mono_bonus"] = r.choice(["any_size", "full_only"])
    if r.random() < 0.4:
        options["bag_end"] = r.choice([3, 4])
    for name, other, where in HOUSE_RULES:
        if preset in where and r.random() < 0.4:
            options[name] = other
    if r.random() < 0.6:
        low, high = r.choice([(-3, 3), (-30, -1), (0, 9), (-6, 1)])
        options["bar_values"] = [r.randint(low, high) for _ in range(20)]
    if options:
        header["options"] = options
    return with_times(header, r)


class CafePeople:
    def __init__(self, header: dict[str, Any], r: random.Random) -> None:
        self.r, self.seats = r, header["seats"]
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.bar = r.choice([0.0, 0.05, 0.3, 0.9])
        self.slip = r.choice([0.02, 0.1, 0.25])
        self.stop = r.choice([0.0, 0.2, 0.9])
        self.swap = r.choice([0.0, 0.2, 0.9])
        self.pure = r.random() < 0.5
        self.joker_first = r.random() < 0.5

    def follow(self, ref: SecondCafe) -> None:
        s = ref.s
        used = {*s["gone"], *s["on"].values(), *s["jokers"]}
        bag = [tile for tile in TILES if tile not in used]
        self.r.shuffle(bag)
        hands = []
        for seat in range(self.seats):
            kept = [t for t in self.hands[seat] if t in bag][: ref.unseen(seat)]
            for tile in kept:
                bag.remove(tile)
            hands.append(kept)
        for seat in range(self.seats):
            while len(hands[seat]) < ref.unseen(seat) and bag:
                hands[seat].append(bag.pop())
            hands[seat] += [j for j, holder in s["jokers"].items() if holder == seat]
        self.hands = hands

    def command(self, ref: SecondCafe) -> dict[str, Any]:
        r = self.r
        if r.random() < self.slip or ref.s["over"]:
            return self.slipped(ref)
        waiting = ref.awaits()
        if waiting["for"] == "begin":
            return {"do": "begin", "seat": r.randrange(self.seats)}
        if waiting["for"] == "leftover":
            return self.named(ref, waiting["seat"])
        if waiting["for"] == "table_card":
            left = [n for n in NATIONS if ref.s["shown_cards"].count(n) < 2]
            nation = r.choice(left) if left else None
            return {"do": "table_card", "table": waiting["table"], "nation": nation}
        return self.turn(ref, waiting)

    def turn(self, ref: SecondCafe, waiting: dict[str, Any]) -> dict[str, Any]:
        r, s = self.r, ref.s
        mine = self.hands[s["seat"]]
        if s["guests"] == 0 and r.random() < self.swap:
            for chair, joker in s["on"].items():
                fits = [t for t in mine if ref.suits(t, chair) and t[2] == joker[2]]
                if joker in JOKERS and fits:
                    return {"do": "swap", "chair": chair, "tile": r.choice(fits)}
        if s["guests"] == 1 and not s["alone_at"] and r.random() < self.stop:
            return {"do": "done"}
        if s["guests"] or r.random() >= self.bar:
            found = self.good_place(ref, mine, waiting.get("tables"))
            if found:
                return {"do": "place", "tile": found[0], "chair": found[1]}
        if s["guests"]:
            return {"do": r.choice(["undo", "done"] if s["alone_at"] else ["done"])}
        plain = [t for t in mine if t not in JOKERS] or mine
        tile = r.choice(mine if r.random() < 0.2 else plain) if mine else "FRf1"
        command: dict[str, Any] = {"do": "bar", "tile": tile}
        value = ref.bar_values[s["bar"]] if s["bar"] < 20 else 0
        if value < 0 and s["scores"][s["seat"]] + value < 0 and r.random() < 0.8:
            command["forced"] = r.random() < 0.9
        elif r.random() < 0.03:
            command["forced"] = True
        return command

    def good_place(
        self, ref: SecondCafe, mine: list[str], tables: list[str] | None
    ) -> tuple[str, str] | None:
        r, s = self.r, ref.s
        free = [chair for chair in ref.tables_of if chair not in s["on"]]
        r.shuffle(free)
        if r.random() < 0.6:  # shared chairs first
            free.sort(key=lambda chair: -len(ref.tables_of[chair]))
        best, lone = None, None
        best_points = 0
        hand = sorted(mine, key=lambda t: t not in JOKERS) if self.joker_first else mine
        for chair in free:
            at = ref.tables_of[chair]
            if tables and not any(table in tables for table in at):
                continue
            for tile in hand:
                if not (ref.suits(tile, chair) and ref.sexes_fit(tile, chair)):
                    continue
                scores = ref.score(tile, chair)
                points = sum(scores.values())
                if not ref.scores_enough(scores):
                    partner = [t for t in mine if t != tile and t[2] != tile[2]]
                    partner = [t for t in partner if ref.suits(t, chair)]
                    if ref.both and partner and r.random() < 0.9:
                        known = [t for t, _ in ref.partners(tile, chair)]
                        partner = [t for t in partner if t in known]
                    if partner or r.random() < 0.02:
                        lone = (tile, chair)
                elif points > best_points:
                    best, best_points = (tile, chair), points
                    if not self.pure:
                        return best
        if lone and s["guests"] == 0 and r.random() < 0.4:
            return lone
        return best or (lone if s["guests"] == 0 else None)

    def named(self, ref: SecondCafe, seat: int) -> dict[str, Any]:
        r = self.r
        tiles = list(self.hands[seat])
        r.shuffle(tiles)
        roll = r.random()
        if tiles and roll < 0.35:
            others = [t for hand in self.hands for t in hand] + [*ref.s["gone"], *TILES, "FRx1"]
            tiles[r.randrange(len(tiles))] = r.choice(others)
        elif roll < 0.4:
            tiles = tiles[1:]
        elif tiles and roll < 0.45:
            tiles[0] = tiles[-1]
        return {"do": "leftover", "seat": seat, "tiles": tiles}

    def slipped(self, ref: SecondCafe) -> dict[str, Any]:
        r, s = self.r, ref.s
        tile = r.choice(
            [
                r.choice(TILES),
                r.choice(JOKERS),
                r.choice(["FRf5", "FRf0", "XXf1", "JKf3", "FR", "", "frf1", "FRf11"]),
                r.choice([t for hand in self.hands for t in hand] or ["FRf1"]),
                r.choice([*s["on"].values(), *s["gone"]] or ["FRf1"]),
            ]
        )
        chair = r.choice([*ref.tables_of, *s["on"], *s["on"], "C00", "T01", ""])
        busy = [c for c in s["on"] if s["on"][c] in JOKERS]
        if r.random() < 0.5:
            tile = r.choice(self.hands[s["seat"] or 0] or [tile])
            free = [c for c in ref.tables_of if c not in s["on"]]
            if r.random() < 0.5:  # the nation fits, the sex perhaps not
                free = [c for c in free if ref.suits(tile, c)]
            chair = r.choice(free or [chair])
        table = r.choice([*ref.chairs_of, *s["to_draw"] * 9, "T99"])
        do = r.choice(SLIPS.split())
        if s["phase"] == "table_card" and r.random() < 0.7:
            do = "table_card"
        elif busy and r.random() < 0.4:
            do, chair = "swap", r.choice(busy)
        if do in ("place", "swap"):
            return {"do": do, "tile": tile, "chair": chair}
        if do == "bar":
            return {"do": do, "tile": tile, **({"forced": True} if r.random() < 0.05 else {})}
        if do == "table_card":
            nation = r.choice([*NATIONS, None, "XX", "JK", ""])
            return {"do": do, "table": table, "nation": nation}
        if do == "leftover":
            return {
                "do": do,
                "seat": r.randint(-1, self.seats),
                "tiles": r.sample(TILES, r.randint(0, 5)),
            }
        if do in ("begin", "decide"):
            return {"do": do, "seat": r.randint(-1, self.seats)}
        return {"do": do}
