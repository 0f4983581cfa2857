"""The words of Trumpf, German and English: in a replay, and on the page of the virtual table."""

from host_tools.games.base import GameWords

WORDS = GameWords(
    # {name} is a field of the event; seats are names of players (replay/words.py)
    events={
        "en": {
            "called": "{seat} calls {category}.",
            "value_missing": "{seat} has no {category}: another category.",
            "round_won": "{seat} wins the trick with {category}: {values}. Cards: {cards}.",
            "round_tied": "Tie between {seats}; {pot} cards in the pot.",
            "order_suspect": "{seat}: {card} should not be on top ({rule}).",
            "moved": "{from} hands {count} cards to {to}.",
            "pot_won": "{seat} takes the pot of {pot} cards.",
            "pot_returned": "The pot goes back; cards now: {counts}.",
        },
        "de": {
            "called": "{seat} sagt {category} an.",
            "value_missing": "{seat} hat kein {category}: andere Kategorie.",
            "round_won": "{seat} macht den Stich mit {category}: {values}. Karten: {cards}.",
            "round_tied": "Gleichstand zwischen {seats}; {pot} Karten im Topf.",
            "order_suspect": "{seat}: {card} dürfte nicht oben liegen ({rule}).",
            "moved": "{from} gibt {count} Karten an {to} ab.",
            "pot_won": "{seat} erhält den Topf mit {pot} Karten.",
            "pot_returned": "Der Topf geht zurück; Karten jetzt: {counts}.",
        },
    },
    commands={
        "en": {"call": ("Call", {"category": "of {}"})},
        "de": {"call": ("Ansage", {"category": "{}"})},
    },
    refusals={
        "en": {
            "not_yours": "this card cannot be there",
            "aside": "this card was put aside",
            "no_such_category": "no such category",
            "value_missing": "the card has no such value",
        },
        "de": {
            "not_yours": "diese Karte kann dort nicht sein",
            "aside": "diese Karte wurde weggelegt",
            "no_such_category": "keine solche Kategorie",
            "value_missing": "die Karte hat diesen Wert nicht",
        },
    },
    # key -> (German, English)
    page={
        "pot": ("Topf", "Pot"),
        "for_call": ("Kategorie ansagen", "call a category"),
        "unit_trumpf": ("Karten", "Cards"),
    },
)
