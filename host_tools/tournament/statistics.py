"""What was remarkable: longest pot of a tie, card that was taken most, closest match."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from host_tools.cards.decks import deck_ids, load_deck
from host_tools.core.texts import WORDS
from host_tools.store.journal.reading import read_journal, taken_back
from host_tools.tournament.events import MatchId
from host_tools.tournament.match_state import MatchState
from host_tools.tournament.state import TournamentState
from host_tools.tournament.wording import cards_text, match_name

MOST_TAKEN = 10
BINS = 6
"""Cards of difference that stand in one bar."""
BAR_H, LABEL_W, CHART_W, NUMBER_W = 26, 190, 560, 50


@dataclass
class Statistics:
    """`pot`: cards that lay in the pot of ties when it was won, most first; `taken`: deck, code
    and how often a card changed its owner in a round; `closest` and `longest` by result and time
    of play; `differences`: how many matches ended with a difference of so many cards.
    """

    matches: int = 0
    journals: int = 0
    pot: tuple[int, MatchId] | None = None
    taken: list[tuple[str, str, int]] = field(default_factory=list)
    closest: MatchId = ""
    longest: tuple[int, MatchId] | None = None
    differences: dict[int, int] = field(default_factory=dict)


def statistics(state: TournamentState, journals: Mapping[str, bytes]) -> Statistics:
    """Of the results that count, and of the `journals` (by digest) of boxes that reported them."""
    played = [m for m in state.matches.values() if m.result and m.result.kind == "played"]
    found = Statistics(matches=len(played))
    taken: Counter[tuple[str, str]] = Counter()
    for match in played:
        raw = _journal(match, journals)
        if raw is not None:
            found.journals += 1
            _read(raw, match.id, found, taken)
    ranked = sorted(taken.items(), key=lambda each: (-each[1], each[0]))
    found.taken = [(deck, card, count) for (deck, card), count in ranked[:MOST_TAKEN]]
    # points of several players have no one difference
    of_two = [match for match in played if not match.more]
    found.differences = dict(sorted(Counter(map(_difference, of_two)).items()))
    decided = [m for m in of_two if _difference(m)]
    if decided:
        # of equally close ones the longest, then by id: the same on every machine
        found.closest = min(decided, key=lambda m: (_difference(m), -_seconds(m), m.id)).id
    timed = [(seconds, match.id) for match in played if (seconds := _seconds(match))]
    found.longest = max(timed) if timed else None
    return found


def _difference(match: MatchState) -> int:
    assert match.result is not None
    return abs(match.result.cards[0] - match.result.cards[1])


def _seconds(match: MatchState) -> int:
    return max((report.duration_s or 0 for report in match.reports), default=0)


def _journal(match: MatchState, journals: Mapping[str, bytes]) -> bytes | None:
    # one journal a match: two boxes of one match would count its cards twice
    known = (journals.get(report.journal) for report in match.reports if report.source == "box")
    return next((raw for raw in known if raw is not None), None)


def _read(raw: bytes, match: MatchId, found: Statistics, taken: Counter[tuple[str, str]]) -> None:
    journal = read_journal(raw)
    deck = str((journal.header or {}).get("deck", ""))
    for pot, lost in rounds([answer for _, _, answer in journal.steps]):
        if pot and (found.pot is None or pot > found.pot[0]):
            found.pot = (pot, match)
        taken.update((deck, card) for card in lost)


def rounds(answers: Sequence[dict[str, Any]]) -> Iterator[tuple[int, list[str]]]:
    """Of every round that stands: how many cards lay in the pot of ties, and the cards that
    changed their owner, none in a tie. What was taken back did not happen.
    """
    undone = taken_back(answers)
    # a round that was taken back is played again and would count twice
    stand = (answer for answer in answers if answer.get("n") not in undone)
    laid: dict[int, list[str]] = {}
    for event in (event for answer in stand for event in answer.get("events", ())):
        if event.get("is") == "played":
            laid[event["seat"]] = event["cards"]
        elif event.get("is") in ("round_won", "round_tied"):
            winner = event.get("seat") if event["is"] == "round_won" else None
            others = (cards for seat, cards in laid.items() if winner not in (None, seat))
            yield event.get("pot", 0), [card for cards in others for card in cards]
            laid = {}


# -- for people -----------------------------------------------------------------------------------


def card_name(deck: str, code: str) -> str:
    """`A4 Eiger`; the code alone of a deck that is not the project's own."""
    if deck not in deck_ids():
        return code
    names = {card["code"]: card["name"] for card in load_deck(deck)["cards"]}
    return f"{code} {names[code]}" if code in names else code


def lines(state: TournamentState, found: Statistics, lang: str) -> list[tuple[str, str]]:
    """(what, what it was), what is known of it."""
    words = WORDS[lang]

    def said_in(match: MatchId, what: str) -> str:
        return words["stat_in"].format(what=what, match=match_name(state, match))

    rows = [("stat_matches", str(found.matches))]
    if found.pot:
        pot, match = found.pot
        rows.append(("stat_pot", said_in(match, words["stat_cards"].format(count=pot))))
    if found.taken:
        deck, card, count = found.taken[0]
        often = words["stat_times"].format(what=card_name(deck, card), count=count)
        rows.append(("stat_taken", often))
    if found.closest:
        result = state.matches[found.closest].result
        assert result is not None
        rows.append(("stat_closest", said_in(found.closest, cards_text(result.cards))))
    if found.longest:
        seconds, match = found.longest
        time = f"{seconds // 60}:{seconds % 60:02}"
        rows.append(("stat_longest", said_in(match, time)))
    return [(words[what], text) for what, text in rows]


def pictures(found: Statistics, lang: str) -> list[tuple[str, str]]:
    """(title, SVG) of what is better seen than read."""
    words = WORDS[lang]
    made = []
    if found.taken:
        bars = [(card_name(deck, card), count) for deck, card, count in found.taken]
        made.append((words["stat_taken_most"], bars))
    if found.differences:
        binned: Counter[int] = Counter()
        for difference, count in found.differences.items():
            binned[difference // BINS] += count
        bars = [
            (f"{step * BINS}–{step * BINS + BINS - 1}", binned[step])
            for step in range(max(binned) + 1)
        ]
        made.append((words["stat_differences"], bars))
    return [(title, bars_svg(title, bars)) for title, bars in made]


def bars_svg(title: str, bars: Iterable[tuple[str, int]]) -> str:
    """Bars with their label and number, as a picture of its own without scripts or styles."""
    rows = list(bars)
    top = max((count for _, count in rows), default=1) or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" '
        f'viewBox="0 0 {LABEL_W + CHART_W + NUMBER_W} {BAR_H * len(rows)}" '
        'font-family="system-ui,sans-serif" font-size="15">'
    ]
    for number, (label, count) in enumerate(rows):
        y, width = number * BAR_H, round(CHART_W * count / top)
        parts.append(
            f'<text x="{LABEL_W - 8}" y="{y + 18}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{LABEL_W}" y="{y + 4}" width="{width}" height="{BAR_H - 8}" '
            f'fill="#1d4f86"/><text x="{LABEL_W + width + 6}" y="{y + 18}">{count}</text>'
        )
    return "".join([*parts, "</svg>"])
