"""Somebody who presses anything, at the pages of a virtual table and at its box in turn.

What a page lights is pressed, and what it does not light; every press must be answered, and the
box must take what was lit and nothing else. Nothing runs in threads here: a press is followed
until the hands are off the box.
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from firmware.app.arbiter import ASKS, MENU, REASONS
from firmware.app.chooser import TURN
from host_tools.core.json_types import Json
from host_tools.games.options import header_for, options_of
from host_tools.sim.table import messages
from host_tools.sim.table.asking import HOST, BadMessage
from host_tools.sim.table.play_table import PlayTable
from host_tools.sim.table.runner import UNBOUND
from host_tools.sim.table.table_state import hand_of, state_of

TURN_MS = 10
MOST_TURNS = 6_000
"""A minute of the box: no act of hands takes as long."""
AFTER_MS = 100
"""The screen is drawn, and the box has been asked what it says."""
VARIANTS: dict[str, list[tuple[str, str, tuple[int, ...]]]] = {
    "trumpf": [
        ("swiss", "berge", (2,)),
        ("gastro", "gastro", (2, 3)),
        ("kneipe", "kneipe", (3, 4)),
    ],
    "quartett": [("", "gastro", (3, 4)), ("", "berge", (3,))],
    "cafe": [("board", "", (2, 3)), ("app", "", (2, 4))],
    "hattrick": [("", "", (3, 4))],
}
LONGEST = 400
"""Presses in one match; then the next variant has its turn."""
_LIT, _UNLIT, _OTHER = "lit", "unlit", "other"


class Press(NamedTuple):
    """One press: whose, what a page told of it, and what is sent."""

    kind: str
    seat: int
    message: messages.TableMessage
    light: str = _OTHER


class Ear:
    """A device that listens, without a server."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.refused: list[str] = []
        self.tones = 0

    def put(self, kind: str, content: Json) -> None:
        """What the table tells."""
        if kind == "refused":
            self.refused.append(content["text"])
        elif kind == "tone":
            self.tones += 1

    def close(self) -> None:
        """Nothing to end."""


class StillTable(PlayTable):
    """A table whose box runs only while somebody asks."""

    def __init__(self, seed: int) -> None:
        super().__init__(1, "cpython", "en", speed=UNBOUND, seed=seed)
        self.runner.call = lambda task: task()  # type: ignore[method-assign]
        self.runner._keep_pace = lambda: None  # type: ignore[method-assign]

    def start(self) -> None:
        self.session.boot()

    def _in_turn(self, act: Any) -> Any:
        return act()

    def run(self, ms: int) -> None:
        """So long in virtual time."""
        for _ in range(ms // TURN_MS):
            self.runner._turn(TURN_MS)
            assert not self.crash, self.crash

    def settle(self) -> None:
        """Until the hands are off the box, and it has said what it shows."""
        for _ in range(MOST_TURNS):
            self.runner._turn(TURN_MS)
            assert not self.crash, self.crash
            if not self.runner.busy:
                break
        else:
            raise AssertionError("the hands come to no end")
        self.run(AFTER_MS)
        while self.screen.now() is None:
            self.runner._turn(TURN_MS)


class Presser:
    """Presses at one game after the other of its variants. `counts` of every kind of press;
    `unanswered` and `wrong` (lit but refused, or the other way round) in words.
    """

    def __init__(self, game: str, seed: int) -> None:
        self.game = game
        self.chance = random.Random(f"presser/{game}/{seed}")
        self.table = StillTable(seed)
        self.ears = [Ear(seat) for seat in (HOST, *range(8))]
        self.table._listeners = list(self.ears)  # type: ignore[arg-type]
        self.counts: Counter[str] = Counter()
        self.unanswered: list[str] = []
        self.wrong: list[str] = []
        self.stuck: list[str] = []
        self.finished = 0
        self._now: Json = {}
        """What is seen, until the next press."""
        self._variants = self._all_variants()

    def _all_variants(self) -> Iterator[tuple[str, str, int]]:
        while True:
            for preset, deck, seats in VARIANTS[self.game]:
                yield preset, deck, self.chance.choice(seats)

    def press(self, count: int) -> None:
        """So many presses, over as many matches as that takes."""
        self.table.start()
        self.table.run(2_000)
        done = 0
        while done < count:
            self._open()
            for _ in range(LONGEST):
                if self.table.log.closed or done >= count:
                    break
                self._once()
                done += 1

    def close(self) -> None:
        """End the box."""
        self.table.session.close()
        self.table.close()

    # -- a match

    def _open(self) -> None:
        preset, deck, seats = next(self._variants)
        rules = options_of(self.game, preset or None)
        options = {rule.name: self.chance.choice(rule.row.choices) for rule in rules}
        header_for(self.game, preset, seats, options)
        start = messages.Start(
            game=self.game, preset=preset, deck=deck, seats=seats, options=options, abandon=True
        )
        number = self.table.log.number
        self.table.do(start)
        self.table.settle()
        assert self.table.log.number > number, _short(self._seen())
        self._now = self._seen()

    def state(self) -> Json:
        """What pages are told."""
        return state_of(self.table)

    def _once(self) -> None:
        table = self.table
        before = self._now
        press = self._next(before["state"])
        ear = next(one for one in self.ears if one.seat == press.seat)
        told, tones, lines = len(ear.refused), ear.tones, self._lines()
        count = table.log.count
        refused = ""
        try:
            table.do(press.message, press.seat)
            if isinstance(press.message, messages.Button):
                table.run(100)
                table.do(messages.Button(button=press.message.button, down=False), press.seat)
        except BadMessage as no:
            refused = no.sentence.key if hasattr(no.sentence, "key") else str(no.sentence)
        table.settle()
        if not refused and len(ear.refused) > told:
            refused = ear.refused[-1]
        after = self._now = self._seen()
        self.counts[press.kind] += 1
        what = f"{press} {refused!r}: {_short(before)} -> {_short(after)}"
        if not refused and after == before and self._lines() == lines:
            if ear.tones == tones:
                self.unanswered.append(what)
            else:
                self.counts["answered by a tone alone"] += 1
        match = after["state"]["match"]
        # CB-11: a refusal with a question
        asked_on = before["state"]["match"]["asks"] != match["asks"] == "cannot_pay"
        self._judge(press, bool(refused) or (self._told_no(lines) and not asked_on), what)
        if match["over"] and not before["state"]["match"]["over"]:
            self.finished += 1
        if not table.log.closed and not match["over"] and not self._ways(after["state"]):
            self.stuck.append(what)
        del count

    def _lines(self) -> int:
        news = self.table.log.news
        return int(news[-1]["line"]) if news else -1

    def _told_no(self, lines: int) -> bool:
        """Has the box refused something since?"""
        return any(line["refused"] for line in self.table.log.news if line["line"] > lines)

    def _judge(self, press: Press, refused: bool, what: str) -> None:
        """What was lit is taken, what was not is refused."""
        if (press.light == _LIT and refused) or (press.light == _UNLIT and not refused):
            clock = self.table.log.world.match.clock  # type: ignore[union-attr]
            turns = self.table.log.world.match.turns  # type: ignore[union-attr]
            if press.light == _LIT and (clock or turns) and self._time_came():
                return
            self.wrong.append(what)

    def _time_came(self) -> bool:
        """A tick of the last moment changed what is awaited: the press came too late."""
        steps = self.table.log.steps[-3:]
        return any(command["do"] == "tick" and answer["events"] for command, answer in steps)

    def _seen(self) -> Json:
        """All that a person sees: the state, the hand of who is awaited, the box's screen."""
        state = self.state()
        state["busy"] = state["doing"] = None
        match = state["match"]
        seat = match["awaits"]["seat"] if match else None
        hand = hand_of(self.table, seat)["cards"] if seat is not None else []
        screen = self.table.screen.last
        rows = screen.rows, screen.chosen, screen.title.split("\t")[0]
        state["match"] = {**match, "count": 0, "news": len(match["news"])} if match else None
        return {"state": {**state, "match": match}, "hand": hand, "screen": rows}

    # -- what may be pressed

    def _ways(self, state: Json) -> bool:
        """Is there a way on, for the seat that is awaited or for the host?"""
        match = state["match"]
        if match["asks"] not in ("", TURN, "cannot_pay"):
            return True  # a list that the host answers at the box
        arbiter = match["arbiter"] or {"actions": []}
        if match["paused"]:
            return "resume" in arbiter["actions"]
        if match["awaits"]["for"] == "begin":
            return True  # the box lists the seats
        if match["awaits"]["for"] == "decide":
            return "decide" in arbiter["actions"]
        return bool(list(self._lit(match)))

    def _lit(self, match: Json) -> Iterator[Press]:
        """What the page of the awaited seat offers: cards, and what page.js draws beside them."""
        seat = match["awaits"]["seat"]
        if seat is None or match["closed"] or match["over"] or match["paused"]:
            return
        if match["asks"] in (MENU, ASKS):
            return
        hand = self._now["hand"]
        for card in hand:
            if card.get("may") and card["code"] != match["picked"]:
                yield self._tap(seat, card["code"], _LIT)
        yield from getattr(self, f"_lit_{match['awaits']['for']}", self._nothing)(
            match, seat, hand
        )

    def _nothing(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        yield from ()

    def _tap(self, seat: int, code: str, light: str) -> Press:
        return Press("tap " + light, seat, messages.Tap(code=code, at=self.table.log.at), light)

    def _choose(self, seat: int, *labels: str, light: str = _LIT) -> Press:
        message = messages.Choose(labels=list(labels), at=self.table.log.at)
        return Press("choose " + light, seat, message, light)

    def _lit_call(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        code = match["middle"]["lying"][seat][-1]
        may = match["middle"].get("callable", ())
        rows = [row for row in match["faces"][code]["rows"] if row["key"] in may]
        yield from (self._choose(seat, row["title"]) for row in rows)

    def _back(self, seat: int) -> Press:
        return self._choose(seat, self.table.say("back"))

    def _lit_ask(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        half = match["half"]
        if half.get("chooses") or half.get("layer", -1) >= 0:
            yield self._back(seat)
            return
        mine = {card["code"] for card in hand}
        letters = {code[0] for code in mine}
        for number, other in enumerate(match["seats"]):
            if number == seat or not other["cards"]:
                continue
            for code in match["fixed"]["codes"]:
                if code[0] in letters and code not in mine:
                    yield self._choose(seat, other["box_name"], code[0], code)
        yield from self._quartets(seat, hand)

    def _quartets(self, seat: int, hand: list[Json]) -> Iterator[Press]:
        groups = Counter(card["code"][:1] for card in hand)
        for group, count in groups.items():
            if count == 4:
                message = messages.Quartet(seat=seat, group=group, at=self.table.log.at)
                yield Press("quartet lit", seat, message, _LIT)

    def _lit_answer(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        if match["middle"]["may_deny"]:
            yield self._choose(seat, self.table.say("quartett_deny"))

    def _lit_lay(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        half = match["half"]
        if half.get("chooses") or half.get("layer", -1) >= 0:
            yield self._back(seat)
            return
        yield from self._quartets(seat, hand)
        yield self._choose(seat, self.table.say("quartett_done"))

    def _lit_leftover(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        if match["half"].get("left"):
            yield self._choose(seat, self.table.say("cafe_again"))

    def _lit_table_card(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        nation = match["middle"]["next_card"]
        if nation:
            yield self._tap(seat, f"{nation}1", _LIT)
        else:
            yield self._choose(seat, self.table.say("cafe_no_card"))

    def _lit_place(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        say, middle, half = self.table.say, match["middle"], match["half"]
        if match["asks"] == "cannot_pay":
            yield self._choose(seat, say("cafe_forced"))
            yield self._back(seat)
            return
        swapping = half.get("mode") == "swap"
        if half.get("mode") == "bar" or swapping:
            yield self._back(seat)
            if swapping and not half["chair"]:
                yield from self._swaps(match, seat, hand)
            return
        if match["picked"]:
            yield self._back(seat)
            yield from self._chairs(match, seat, hand)
        elif middle["seated"]:
            if middle["may_end"]:
                yield self._choose(seat, say("cafe_done"))
            if middle["may_take_back"]:
                yield Press("take back lit", seat, messages.TakeBack(at=self.table.log.at), _LIT)
        else:
            if middle["bar"]:
                yield self._choose(seat, say("cafe_bar"))
            yield from self._swaps(match, seat, hand)

    def _chairs(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        # None: a guest out of the bag, which somebody at the box has tapped
        may = next((card["may"] for card in hand if card["code"] == match["picked"]), None)
        for chair in may or ():
            tables = match["fixed"]["plan"]["links"][chair]
            # a place at a table that was cleared away is no place
            yield self._choose(seat, self.chance.choice(tables), chair)

    def _swaps(self, match: Json, seat: int, hand: list[Json]) -> Iterator[Press]:
        plan, middle = match["fixed"]["plan"], match["middle"]
        for chair, joker in middle["guests"].items():
            nations = {middle["nations"][table] for table in plan["links"][chair]}
            fits = any(
                card["code"][2] == joker[2] and card["code"][:2] in nations for card in hand
            )
            if joker.startswith("JK") and fits:
                yield self._choose(seat, self.table.say("cafe_swap"), chair)

    # -- the next press

    def _next(self, seen: Json) -> Press:
        match = seen["match"]
        draw = self.chance.random()
        awaits = match["awaits"]
        if match["over"]:
            return self._at_the_end()
        if awaits["for"] == "begin" and draw < 0.5:
            world = self.table.log.world
            assert world is not None
            return self._choose(HOST, world.box_name(world.starter()), light=_OTHER)
        if (match["paused"] or awaits["for"] == "decide") and draw < 0.5:
            return self._arbiter(match)
        lit = list(self._lit(match))
        if lit and draw < 0.55:
            # no match of the café gets on while people send guests to the bar
            return self._weighed(lit)
        return self._anything(match)

    def _weighed(self, lit: list[Press]) -> Press:
        on = [press for press in lit if press.kind != "choose lit" or self._leads_on(press)]
        return self.chance.choice(on if on and self.chance.random() < 0.8 else lit)

    def _leads_on(self, press: Press) -> bool:
        labels = getattr(press.message, "labels", [])
        return labels[:1] not in ([self.table.say("back")], [self.table.say("cafe_bar")])

    def _at_the_end(self) -> Press:
        draw = self.chance.random()
        if draw < 0.3:
            return Press("end: rematch", HOST, messages.Rematch())
        if draw < 0.6:
            return self._button("ok")
        return self._anything(self.state()["match"])

    def _button(self, button: str = "") -> Press:
        name: Any = button or self.chance.choice(["up", "down", "ok", "ok", "jury"])
        return Press(f"button {name}", HOST, messages.Button(button=name, down=True))

    def _anything(self, match: Json) -> Press:
        seats = len(match["seats"])
        seat = self.chance.choice([HOST, *range(seats)])
        kinds = [
            *(self._any_card, self._any_card, self._unlit, self._unlit, self._unlit_choice),
            *(self._button, self._any_thing, self._any_labels, self._any_quartet),
            *(self._any_take_back, self._seat_button),
        ]
        draw = self.chance.randrange(len(kinds) + 1)
        if draw == len(kinds):
            return self._arbiter(match)
        chosen: Any = kinds[draw]
        return chosen() if chosen == self._button else chosen(match, seat)  # type: ignore[no-any-return]

    def _any_card(self, match: Json, seat: int) -> Press:
        world = self.table.log.world
        assert world is not None
        cards = [code for hand in world.hands for code in hand]
        if not cards:
            return self._button()
        return self._tap(seat, self.chance.choice(cards), _OTHER)

    def _unlit(self, match: Json, seat: int) -> Press:
        awaited = match["awaits"]["seat"]
        hand = self._now["hand"]
        dark = [card["code"] for card in hand if card.get("may") in (False, [])]
        chairs = self.game == "cafe" and not match["picked"] and not match["half"].get("mode")
        if not dark or match["paused"]:
            return self._any_card(match, seat)
        # a guest that nobody of this hand can follow is dark, but the box cannot know the hand
        code = self.chance.choice(dark)
        world: Any = self.table.log.world
        light = _UNLIT
        if self.game == "cafe" and match["awaits"]["for"] == "place":
            known = not match["picked"] and match["half"].get("mode") in (None, "guest")
            if known and not match["asks"] and world.match.legal_chairs(code):
                light = _OTHER
        del chairs
        return self._tap(awaited, code, light)

    def _unlit_choice(self, match: Json, seat: int) -> Press:
        """A free chair that is not lit, or a card that nobody may ask for."""
        awaited = match["awaits"]["seat"]
        if awaited is None:
            return self._button()
        what = match["awaits"]["for"]
        if what == "place" and match["picked"] and not match["asks"]:
            hand = self._now["hand"]
            may = next((c["may"] for c in hand if c["code"] == match["picked"]), None)
            world: Any = self.table.log.world
            legal = world.match.legal_chairs(match["picked"])
            links, guests = match["fixed"]["plan"]["links"], match["middle"]["guests"]
            dark = [chair for chair in links if chair not in legal and chair not in guests]
            if dark and may is not None:
                chair = self.chance.choice(dark)
                return self._choose(awaited, links[chair][0], chair, light=_UNLIT)
        if what == "ask" and not (match["half"].get("layer", -1) >= 0):
            hand = self._now["hand"]
            mine = [card["code"] for card in hand]
            others = [s["box_name"] for n, s in enumerate(match["seats"]) if n != awaited]
            if mine:
                code = self.chance.choice(mine)
                return self._choose(
                    awaited, self.chance.choice(others), code[0], code, light=_OTHER
                )
        return self._any_labels(match, seat)

    def _any_thing(self, match: Json, seat: int) -> Press:
        """Another game's card, a table's tag, an empty tag, a jury card."""
        codes = [code for code in self.table.tray._items if self.chance.random() < 0.1]
        code = self.chance.choice([*codes, "jury"])
        return self._tap(HOST, code, _OTHER)

    def _any_labels(self, match: Json, seat: int) -> Press:
        screen = self.table.screen.last
        rows = screen.rows if screen.chosen is not None else []
        words = [self.table.say(key) for key in ("back", "game_cafe", "jury")]
        labels = [*rows, *words, *match["seats"][0]["name"].split(), "A", "?"]
        label = self.chance.choice(labels).split("\t")[0].strip() or "?"
        return self._choose(seat, label, light=_OTHER)

    def _any_quartet(self, match: Json, seat: int) -> Press:
        who = max(seat, 0)
        group = self.chance.choice("ABCDEFGH")
        return Press("quartet", seat, messages.Quartet(seat=who, group=group))

    def _any_take_back(self, match: Json, seat: int) -> Press:
        return Press("take back", seat, messages.TakeBack())

    def _seat_button(self, match: Json, seat: int) -> Press:
        return self._button()._replace(seat=seat)

    def _at_hand(self, match: Json) -> list[str]:
        world = self.table.log.world
        assert world is not None
        seat = match["awaits"]["seat"]
        seen = world.sight(seat) if seat is not None else []
        return [code for code in seen if code in (match["arbiter"] or {"cards": []})["cards"]]

    def _arbiter(self, match: Json) -> Press:
        offered = (match["arbiter"] or {"actions": [], "cards": []})["actions"]
        actions = [action for action in offered if action != "abandon"] or ["undo"]
        if match["paused"] and "resume" in actions:
            actions = ["resume"]
        elif self.chance.random() < 0.3:
            actions = [action for action in REASONS if action != "abandon"]
        action = self.chance.choice(actions)
        card = ""
        if action == "hand":
            # one whose tag is dead: the jury enters no card that is not there
            cards = self._at_hand(match)
            if not cards:
                return self._button()
            card = self.chance.choice(cards)
        why = self.chance.choice(REASONS.get(action, ("",)))
        seat = self.chance.randrange(len(match["seats"]))
        message = messages.Arbiter(action=action, seat=seat, card=card, why=why)
        return Press(f"jury {action}", HOST, message)


def _short(seen: Json) -> str:
    match = seen["state"]["match"]
    news = [line["text"] for line in match["news"][-1:]]
    return f"{match['awaits']} {match['half']} {news} {seen['screen']}"
