"""The words of Quartett, German and English: in a replay, and on the page of the virtual table."""

from host_tools.games.base import GameWords

WORDS = GameWords(
    # {name} is a field of the event; seats are names of players (replay/words.py)
    events={
        "en": {
            "asked": "{seat} asks {to} for {card}.",
            "given": "{from} gives {card} to {to}.",
            "denied": "{seat} does not have {card}.",
            "quartet": "{seat} lays quartet {group}.",
            "false_denial": "{seat} had denied {card} (command {at}).",
        },
        "de": {
            "asked": "{seat} fragt {to} nach {card}.",
            "given": "{from} gibt {card} an {to}.",
            "denied": "{seat} hat {card} nicht.",
            "quartet": "{seat} legt das Quartett {group}.",
            "false_denial": "{seat} hatte {card} verleugnet (Befehl {at}).",
        },
    },
    commands={
        "en": {
            "ask": ("Question", {"seat": "to {}", "card": "for {}"}),
            "deny": ("Denial", {}),
            "lay": ("Quartet", {"cards": "{}", "seat": "of {}"}),
        },
        "de": {
            "ask": ("Frage", {"seat": "an {}", "card": "nach {}"}),
            "deny": ("Verneinen", {}),
            "lay": ("Quartett", {"cards": "{}", "seat": "von {}"}),
        },
    },
    refusals={
        "en": {
            "own_card": "the caller holds this card",
            "known_holder": "that seat is known to hold the card",
            "cannot_hold": "the caller can hold none of this group",
            "not_a_quartet": "not a quartet",
            "not_asked": "another card was asked for",
        },
        "de": {
            "own_card": "der Fragende hat diese Karte",
            "known_holder": "dieser Platz hat die Karte bekanntlich",
            "cannot_hold": "der Fragende kann keine der Gruppe haben",
            "not_a_quartet": "kein Quartett",
            "not_asked": "nach einer anderen Karte wurde gefragt",
        },
    },
    # key -> (German, English)
    page={
        "asked": ("{} wird nach {} gefragt", "{} is asked for {}"),
        "ask": ("Fragen", "Ask"),
        "ask_whom": ("Wen?", "Whom?"),
        "ask_card": ("Welche Karte?", "Which card?"),
        "deny": ("Habe ich nicht", "I do not have it"),
        "quartets": ("Quartette", "Quartets"),
        "lay_quartet": ("Quartett {} ablegen", "Lay quartet {}"),
        "for_ask": ("nach einer Karte fragen", "ask for a card"),
        "for_answer": ("Karte hergeben oder verneinen", "hand over the card or deny it"),
        "for_lay": ("Quartett ablegen oder fertig", "lay a quartet or be done"),
        "unit_quartett": ("Quartette", "Quartets"),
    },
)
