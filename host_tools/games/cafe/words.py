"""The words of Café International, German and English: replay, and page of the virtual table."""

from host_tools.games.base import GameWords

WORDS = GameWords(
    # {name} is a field of the event; seats are names of players (replay/words.py)
    events={
        "en": {
            "placed": "{seat} seats {tile} on {chair}: {points} points ({scores}).",
            "completed": "Table {table} is full{one_nation}.",
            "cleared": "Cleared: {tables}; the guest's points count {factor} times.",
            "barred": "{seat} sends {tile} to bar field {field}: {points} points.",
            "swapped": "{seat} takes {joker} from {chair} and seats {tile}.",
            "drew": "{seat} draws {count} from the bag.",
            "table_set": "New card of table {table}: {nation}.",
            "left_over": "{seat} is left with {tiles}: {points} points.",
            "turn": "{seat} is to play.",
        },
        "de": {
            "placed": "{seat} setzt {tile} auf {chair}: {points} Punkte ({scores}).",
            "completed": "Tisch {table} ist voll{one_nation}.",
            "cleared": "Geräumt: {tables}; die Punkte des Gasts zählen {factor}-fach.",
            "barred": "{seat} schickt {tile} auf Barfeld {field}: {points} Punkte.",
            "swapped": "{seat} nimmt {joker} von {chair} und setzt {tile}.",
            "drew": "{seat} zieht {count} aus dem Beutel.",
            "table_set": "Neue Karte für Tisch {table}: {nation}.",
            "left_over": "{seat} bleibt auf {tiles} sitzen: {points} Punkte.",
            "turn": "{seat} ist am Zug.",
        },
    },
    commands={
        "en": {
            "place": ("Guest", {"tile": "{}", "chair": "on {}"}),
            "bar": ("Bar", {"tile": "for {}"}),
            "swap": ("Swap", {"chair": "on {}", "tile": "with {}"}),
            "table_card": ("New table card", {"nation": "{}", "table": "for {}"}),
            "leftover": ("Leftover guests", {"tiles": "{}", "seat": "of {}"}),
        },
        "de": {
            "place": ("Gast", {"tile": "{}", "chair": "auf {}"}),
            "bar": ("Bar", {"tile": "für {}"}),
            "swap": ("Tausch", {"chair": "auf {}", "tile": "gegen {}"}),
            "table_card": ("Neue Tischkarte", {"nation": "{}", "table": "für {}"}),
            "leftover": ("Restgäste", {"tiles": "{}", "seat": "von {}"}),
        },
    },
    refusals={
        "en": {
            "chair_taken": "the chair is taken",
            "wrong_nation": "wrong nation",
            "sexes": "women and men do not match",
            "no_score": "this guest would not score",
            "alone": "the guest would stay alone",
            "joker_fits": "this joker can still be seated",
            "cannot_pay": "not enough points",
            "no_joker_there": "no joker sits there",
            "not_in_hand": "not in this hand",
        },
        "de": {
            "chair_taken": "der Stuhl ist besetzt",
            "wrong_nation": "falsche Nation",
            "sexes": "Frauen und Männer passen nicht",
            "no_score": "dieser Gast brächte keine Punkte",
            "alone": "der Gast bliebe allein",
            "joker_fits": "dieser Joker passt noch an einen Tisch",
            "cannot_pay": "zu wenig Punkte",
            "no_joker_there": "dort sitzt kein Joker",
            "not_in_hand": "nicht in dieser Hand",
        },
    },
    # key -> (German, English)
    page={
        "bar": ("Bar", "Bar"),
        "bag": ("Beutel", "Bag"),
        "full": ("voll", "full"),
        "end_turn": ("Zug beenden", "End the turn"),
        "to_bar": ("Gast an die Bar", "Guest to the bar"),
        "table_card": ("Tischkarte {} auflegen", "Tap table card {}"),
        "for_place": ("einen Gast setzen", "seat a guest"),
        "for_table_card": ("neue Tischkarte auflegen", "tap a new table card"),
        "for_leftover": ("Restkarten auflegen", "tap what is left in the hand"),
        "unit_cafe": ("Punkte", "Points"),
        "women": ("Frau", "woman"),
        "men": ("Mann", "man"),
        "chair": ("Stuhl {}", "Chair {}"),
        "free": ("frei", "free"),
        "swap_joker": ("Joker {} von Stuhl {} tauschen", "Swap joker {} on chair {}"),
    },
)
