"""The words of Hattrick, German and English: in a replay, and on the page of the virtual table."""

from host_tools.games.base import GameWords

WORDS = GameWords(
    # {name} is a field of the event; seats are names of players (replay/words.py)
    events={
        "en": {
            "opened": "{seat} opens a trick with {card}.",
            "followed": "{seat} follows with {card}.",
            "passed": "{seat} passes with {card}.",
            "shed": "{seat} sheds {card}.",
            "round_over": "Round over: {tricks}. {leader} leads.",
            "hand_over": "Hand over: {scores}. Totals: {totals}. {dealer} deals next.",
        },
        "de": {
            "opened": "{seat} eröffnet einen Stich mit {card}.",
            "followed": "{seat} bedient mit {card}.",
            "passed": "{seat} passt mit {card}.",
            "shed": "{seat} legt {card} ab.",
            "round_over": "Runde zu Ende: {tricks}. {leader} spielt aus.",
            "hand_over": "Alle Karten gespielt: {scores}. Summen: {totals}. Nun gibt {dealer}.",
        },
    },
    commands={"en": {}, "de": {}},
    refusals={"en": {}, "de": {}},
    # key -> (German, English)
    page={
        "passes": ("Pässe", "Passes"),
        "unit_hattrick": ("Punkte", "Points"),
        "suit_R": ("Rot", "Red"),
        "suit_G": ("Grün", "Green"),
        "suit_B": ("Blau", "Blue"),
    },
)
