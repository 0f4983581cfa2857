"""What a match was like, told afterwards: who won, where it turned, every player's best and worst
decision by the judgement of the strong bot, and what the cards were worth
(docs/decisions/bots.md).

Nobody's hand is in a record. The hands are those that were dealt at a virtual table, or what the
record shows: who played a card that had never been seen had it from the start.
"""

from collections.abc import Iterator
from typing import NamedTuple

from firmware.games import open_match
from firmware.rules.match import is_of_game
from host_tools.core.json_types import Json
from host_tools.games import game_of, table_view
from host_tools.games.bot import EASY, MEDIUM, Bot, Option
from host_tools.games.table_view import Moves, TableView
from host_tools.replay.wording import Teller
from host_tools.sim.demo.dry_run import moves_of
from host_tools.store.journal.reading import taken_back

MOST_TURNS = 3
_DEALS = 2_400
"""So many imagined deals are spent on a first look at all decisions of a match."""
_LEAST = 4
_LOOKED_AT = 3
"""So many decisions of a seat, of either kind, are judged once more, with care."""
_CAREFUL = 3
"""Times as many deals as for a move."""
_FROM_HAND = ("tap", "lay", "place", "bar", "swap", "leftover")
_AGAIN = 12
"""So often the same cards are played by equal players."""


class Decision(NamedTuple):
    """One command of a seat that had a choice: what it was worth, and the best of the others."""

    n: int
    seat: int
    made: Option
    other: Option

    @property
    def gain(self) -> float:
        """How much better than the best alternative, in points of the game; below 0 worse."""
        return self.made.value - self.other.value


class PlayedMatch:
    """A finished match: a resolved header, its commands with answers, `seed` if the cards of the
    virtual table are known. `moves` without those that were taken back.
    """

    def __init__(self, header: Json, moves: Moves, seed: int | None = None) -> None:
        undone = taken_back(answer for _, answer in moves)
        self.header = header
        self.moves = [
            (command, answer)
            for command, answer in moves
            if command["do"] != "undo" and answer["n"] not in undone
        ]
        self.seed = seed
        view = game_of(header).table
        self.deals = None if seed is not None else view.dealt_in(header, self.moves)
        self.known = seed is not None or view.all_shown

    def table(self, strength: str = MEDIUM, salt: int = 0) -> TableView:
        """The table before the first command, with bots and the cards of this match."""
        seats = self.header["seats"]
        match = open_match(self.header)
        seed = self.seed or 0
        # no words are shown, so keys do for them
        table = table_view(self.header, match, lambda key: key, seed, strengths=[strength] * seats)
        for player in table.players:
            if isinstance(player, Bot):
                player.stir(salt)
        if self.deals is not None:
            table.deal_these(self.deals)
        return table

    def positions(self) -> Iterator[tuple[int, Json, TableView]]:
        """Number, command and table before every command that was accepted."""
        table = self.table()
        for command, answer in self.moves:
            if "refused" not in answer:
                yield answer["n"], command, table
            self.follow(table, command, answer)

    def follow(self, table: TableView, command: Json, answer: Json) -> None:
        """The table judges a command of the record; its cards are where the record says."""
        seat = command.get("seat", table.match.awaits().seat)
        from_hand = command["do"] in _FROM_HAND or is_of_game(command["do"])
        if "refused" not in answer and from_hand and seat is not None:
            for code in _cards_of(command):
                _hold(table, seat, code)
        table.play(command)

    # -- decisions

    def decisions(self) -> list[Decision]:
        """The best and the worst ones of every seat, judged with care."""
        # all of them with few deals; the three best and worst of a seat are worth a closer look
        first = list(self._judged(None, 0))
        found = []
        for seat in range(self.header["seats"]):
            mine = sorted((one for one in first if one.seat == seat), key=lambda one: one.gain)
            found += mine[:_LOOKED_AT] + mine[-_LOOKED_AT:]
        return list(self._judged({one.n for one in found}, _CAREFUL))

    def _judged(self, only: set[int] | None, careful: int) -> Iterator[Decision]:
        count = max(1, sum("refused" not in answer for _, answer in self.moves))
        for n, command, table in self.positions():
            seat = table.match.awaits().seat
            if seat is None or (only is not None and n not in only):
                continue
            bot = table.players[seat] if table.players else None
            if isinstance(bot, Bot):
                samples = careful * bot.samples or min(bot.samples, max(_LEAST, _DEALS // count))
                decision = _judge(bot, n, command, self._sight(table, seat, n), samples)
                if decision is not None:
                    yield decision

    def _sight(self, table: TableView, seat: int, n: int) -> list[str]:
        """What the seat held: as it was dealt, or as far as the record shows it."""
        if self.seed is not None:
            return table.sight(seat)
        return table.sight_in(self.moves, seat, n)

    # -- luck

    def worth_of_cards(self, times: int = 0) -> list[float] | None:
        """The average result of every seat when equal players play these cards so often (0: as
        often as needed); None: unknown.
        """
        if not self.known:
            return None
        times = times or _AGAIN
        sums = [0.0] * self.header["seats"]
        for salt in range(times):
            # easy bots, because they vary
            table = self.table(EASY, salt)
            for _ in moves_of(table):
                pass
            for seat, score in enumerate(table.scores()):
                sums[seat] += score
        return [total / times for total in sums]


def _cards_of(command: Json) -> list[str]:
    named = [command[field] for field in ("card", "tile") if field in command]
    return [*named, *command.get("cards", ()), *command.get("tiles", ())]


def _hold(table: TableView, seat: int, code: str) -> None:
    """The seat holds this card, wherever it was thought to be."""
    hand = table.hands[seat]
    if code in hand:
        return
    table.bring(seat, code)
    if code not in hand:
        for other in table.hands:
            if code in other:
                other.remove(code)
        hand.insert(0, code)


def _judge(bot: Bot, n: int, command: Json, hand: list[str], samples: int) -> Decision | None:
    judged = bot.judge(hand, samples)
    made = next((option for option in judged if _is(option, command, bot)), None)
    others = [option for option in judged if option is not made]
    if made is None or not others:
        return None
    return Decision(n, bot.seat, made, others[0])  # the best: `judge` sorts them


def _is(option: Option, command: Json, bot: Bot) -> bool:
    if "category" in command:  # a box writes the key, a bot the number of it
        number = bot.match.deck.category(command["category"])
        command = {**command, "category": number}
    return option.act.do == command["do"] and all(
        command.get(field, value) == value for field, value in option.act.fields.items()
    )


# -- as the page reads it -------------------------------------------------------------------------


def analysed(header: Json, moves: Moves, seed: int | None, lang: str, times: int = 0) -> Json:
    """Everything that the page after the match says, in words; a few seconds of work. `luck`: how
    far a result lies above the average, in two parts: what the cards were worth (by playing them
    `times` times), and the play.
    """
    match = PlayedMatch(header, moves, seed)
    teller = Teller(header, lang)
    seats = range(header["seats"])
    names = [teller.seat(seat) for seat in seats]
    table, turns, turned = _turning_points(match, teller)
    decisions = match.decisions()
    result = dict(table.match.result())
    return {
        "names": names,
        "over": bool(result["over"]),
        # the page tells when hands were inferred from the record
        "dealt": seed is not None,
        "ranking": result.get("ranking", []),
        "first": ", ".join(names[seat] for seat in (result.get("ranking") or [[]])[0]),
        "rows": _rows(result.get("ranking", []), names, table.scores()),
        "turns": turns,
        "turned": turned,
        "players": [_player(decisions, seat, teller) for seat in seats],
        "luck": _luck(match.worth_of_cards(times), table.scores()) if result["over"] else None,
    }


def _rows(ranking: list[list[int]], names: list[str], scores: list[int]) -> list[Json]:
    """One row a player, the best first; who shares a place has the same."""
    rows: list[Json] = []
    for level in ranking:
        place = len(rows) + 1
        rows += [{"place": place, "name": names[s], "score": scores[s]} for s in level]
    return rows


def _turning_points(
    match: PlayedMatch, teller: Teller
) -> tuple[TableView, list[Json], Json | None]:
    """Where the winner took the lead or lost it; then where it changed most. Last, where the
    winner took it for good; None if nobody else ever had it.
    """
    table = match.table()
    leads = []
    standings: list[tuple[Json, Json, list[int]]] = []
    for command, answer in match.moves:
        match.follow(table, command, answer)
        standings.append((command, answer, table.scores()))
    ranking = dict(table.match.result()).get("ranking")
    if ranking and len(ranking[0]) == 1:
        first = ranking[0][0]
        lead = 0
        for command, answer, scores in standings:
            now = scores[first] - max(s for seat, s in enumerate(scores) if seat != first)
            leads.append((abs(now - lead), answer["n"], command, answer, lead, now))
            lead = now
    # a change of the leader counts before any other change
    most = sorted(leads, key=lambda one: (not _turns(*one[4:]), -one[0], one[1]))[:MOST_TURNS]
    was_behind = any(now < 0 for *_, now in leads)
    taken = [one for one in leads if one[4] <= 0 < one[5]] if was_behind else []
    told = [
        {"n": n, "text": teller.sentence(command, answer), "before": before, "after": after}
        for change, n, command, answer, before, after in [
            *sorted(most, key=lambda one: one[1]),
            *taken[-1:],
        ]
        if change
    ]
    return (table, told[:-1], told[-1]) if taken else (table, told, None)


def _turns(before: int, after: int) -> bool:
    """Has the lead gone to somebody else?"""
    return (before > 0) != (after > 0)


def _player(decisions: list[Decision], seat: int, teller: Teller) -> Json:
    mine = sorted((one for one in decisions if one.seat == seat), key=lambda one: one.gain)
    # as it is written: what counts less than 0.1 is no decision to speak of
    best = mine[-1] if mine and round(mine[-1].gain, 1) > 0 else None
    worst = mine[0] if mine and round(mine[0].gain, 1) < 0 else None
    return {"best": _in_words(best, teller), "worst": _in_words(worst, teller)}


def _in_words(decision: Decision | None, teller: Teller) -> Json | None:
    if decision is None:
        return None
    return {
        "n": decision.n,
        "made": teller.wanted(decision.made.act.do, decision.made.act.fields),
        "other": teller.wanted(decision.other.act.do, decision.other.act.fields),
        "gain": round(decision.gain, 1),
    }


def _luck(worth: list[float] | None, scores: list[int]) -> list[Json] | None:
    if worth is None:
        return None
    fair, mean = sum(worth) / len(worth), sum(scores) / len(scores)
    return [
        {
            "above": round(score - mean, 1),
            "cards": round(worth[seat] - fair, 1),
            "play": round(score - mean - worth[seat] + fair, 1),
        }
        for seat, score in enumerate(scores)
    ]
