"""The words of a human-readable replay, German and English: one table each.

Here are the words that games share; what a game alone says stands in its own folder
(`host_tools/games/<game>/words.py`).
"""

from typing import Any

from host_tools.games import GAMES

# Every `{name}` is a field of the event; `{seat}`, `{to}`, `{from}`, `{giver}` are player names.
_EVENTS = {
    "en": {
        "began": "{seat} begins.",
        "played": "{seat} presents {cards}.",
        "seat_out": "{seat} is out ({reason}).",
        "time_up": "Time is up.",
        "extended": "Extended: {left_ms} left.",
        "sudden": "The next decided round wins.",
        "forfeited": "{seat} forfeits the match.",
        "excluded": "{seat} is excluded.",
        "undone": "Command {n} is taken back.",
        "match_over": "Match over ({reason}): {ranking}.",
    },
    "de": {
        "began": "{seat} beginnt.",
        "played": "{seat} legt {cards}.",
        "seat_out": "{seat} scheidet aus ({reason}).",
        "time_up": "Die Zeit ist um.",
        "extended": "Verlängerung: noch {left_ms}.",
        "sudden": "Der nächste entschiedene Stich gewinnt.",
        "forfeited": "{seat} verliert forfait.",
        "excluded": "{seat} wird ausgeschlossen.",
        "undone": "Befehl {n} ist zurückgenommen.",
        "match_over": "Partie zu Ende ({reason}): {ranking}.",
    },
}

PHRASES = {
    "en": {
        "seat": "Seat {number}",
        "refused": "refused: {reason}",
        "rule": " (rule {rule})",
        "open": "Not over.",
        "result": "Result: {fields}.",
        "agrees": "{name}: {count} answers and the result agree.",
        "differs": "{name}: line {line}: {what} differs.\n"
        "  file:     {expected}\n  computed: {computed}",
        "answer": "answer {n}",
        "the_result": "the result",
        "place": "{place}. {seats}",
        "takes": "{seat} takes {cards}",
        "one_nation": " with one nation",
        "no_nation": "none is left",
        "counts": "cards",
        "scores": "score",
        "points": "points",
        "pot": "pot",
    },
    "de": {
        "seat": "Platz {number}",
        "refused": "abgelehnt: {reason}",
        "rule": " (Regel {rule})",
        "open": "Nicht zu Ende.",
        "result": "Ergebnis: {fields}.",
        "agrees": "{name}: {count} Antworten und das Ergebnis stimmen.",
        "differs": "{name}: Zeile {line}: {what} weicht ab.\n"
        "  Datei:     {expected}\n  berechnet: {computed}",
        "answer": "Antwort {n}",
        "the_result": "das Ergebnis",
        "place": "{place}. {seats}",
        "takes": "{seat} sticht {cards}",
        "one_nation": " mit einer Nation",
        "no_nation": "keine mehr da",
        "counts": "Karten",
        "scores": "Wertung",
        "points": "Punkte",
        "pot": "Topf",
    },
}

# What people wanted, for every command of TRANSCRIPT.md: a name, and the words round its fields.
_COMMANDS: dict[str, dict[str, tuple[str, dict[str, str]]]] = {
    "en": {
        "begin": ("Start", {"seat": "by {}"}),
        "tap": ("Card", {"card": "{}"}),
        "done": ("End of the turn", {}),
        "tick": ("Passing of time", {}),
        "pause": ("Stopping the clock", {}),
        "resume": ("Restarting the clock", {}),
        "penalty": ("Penalty", {"seat": "for {}"}),
        "forfeit": ("Forfeit", {"seat": "by {}"}),
        "exclude": ("Exclusion", {"seat": "of {}"}),
        "decide": ("Jury's decision", {"seat": "for {}"}),
        "undo": ("Taking back", {}),
    },
    "de": {
        "begin": ("Start", {"seat": "durch {}"}),
        "tap": ("Karte", {"card": "{}"}),
        "done": ("Zugende", {}),
        "tick": ("Verstreichen der Zeit", {}),
        "pause": ("Anhalten der Uhr", {}),
        "resume": ("Weiterlaufen der Uhr", {}),
        "penalty": ("Strafe", {"seat": "für {}"}),
        "forfeit": ("Forfait", {"seat": "von {}"}),
        "exclude": ("Ausschluss", {"seat": "von {}"}),
        "decide": ("Jury-Entscheid", {"seat": "für {}"}),
        "undo": ("Zurücknehmen", {}),
    },
}

# Refusal reasons of TRANSCRIPT.md for people
_REFUSALS = {
    "en": {
        "not_now": "not now",
        "wrong_seat": "another seat is awaited",
        "unknown_card": "not part of this game",
        "already_played": "already played",
        "joker_not_allowed": "jokers are sorted out",
        "clock_stopped": "the clock stands",
        "over": "the match is over",
        "nothing_to_undo": "nothing to take back",
        "bad_value": "this value cannot be",
    },
    "de": {
        "not_now": "jetzt nicht",
        "wrong_seat": "ein anderer Platz ist dran",
        "unknown_card": "gehört nicht zu diesem Spiel",
        "already_played": "schon gespielt",
        "joker_not_allowed": "Joker sind aussortiert",
        "clock_stopped": "die Uhr steht",
        "over": "die Partie ist zu Ende",
        "nothing_to_undo": "nichts zurückzunehmen",
        "bad_value": "dieser Wert geht nicht",
    },
}


def _with_games(ours: dict[str, Any], part: str) -> dict[str, Any]:
    """Our words and those of every game: a record may hold a command of another game, refused."""
    games = [getattr(game.words, part) for game in GAMES.values()]
    return {
        lang: {name: words for table in (ours, *games) for name, words in table[lang].items()}
        for lang in ours
    }


EVENTS: dict[str, dict[str, str]] = _with_games(_EVENTS, "events")
COMMANDS: dict[str, dict[str, tuple[str, dict[str, str]]]] = _with_games(_COMMANDS, "commands")
REFUSALS: dict[str, dict[str, str]] = _with_games(_REFUSALS, "refusals")
