"""The words of the pages, German and English; a page gets one language as one object."""

# key -> (German, English)
_TEXTS = {
    "title": ("Spieltisch", "Virtual table"),
    "intro": (
        "Eine Schiri-Box mit der echten Firmware. Leg Karten auf, drück Knöpfe, schummle.",
        "A Schiri box with the real firmware. Tap cards, press buttons, cheat.",
    ),
    "tables": ("Tische", "Tables"),
    "table": ("Tisch", "Table"),
    "new_table": ("Neuer Tisch", "New table"),
    "close_table": ("Tisch schließen", "Close the table"),
    "box": ("Die Box", "The box"),
    "screen": ("Bildschirm der Box", "Screen of the box"),
    "reader": ("Kartenleser", "Card reader"),
    "reader_empty": ("Karte hierher ziehen", "Drag a card here"),
    "lift": ("Wegnehmen", "Take away"),
    "up": ("Auf", "Up"),
    "down": ("Ab", "Down"),
    "ok": ("OK", "OK"),
    "jury": ("Jury", "Jury"),
    "power": ("Strom", "Power"),
    "cable": ("USB-Kabel", "USB cable"),
    "sound": ("Ton", "Sound"),
    "on": ("an", "on"),
    "off": ("aus", "off"),
    "plugged": ("steckt", "plugged in"),
    "unplugged": ("gezogen", "pulled out"),
    "speed": ("Zeit", "Time"),
    "speed_0": ("Pause", "Paused"),
    "speed_1": ("×1", "×1"),
    "speed_10": ("×10", "×10"),
    "speed_1000": ("Eilzug", "Rush"),
    "match": ("Partie", "Match"),
    "no_match": ("Noch keine Partie.", "No match yet."),
    "start": ("Partie aufbauen", "Set up the match"),
    "start_hint": (
        "Hände an der Box wählen Spiel und Namen und sagen, wer beginnt. "
        "Du kannst es auch selbst tun, mit den Knöpfen der Box.",
        "Hands at the box choose game and names and say who begins. "
        "You can also do it yourself, with the buttons of the box.",
    ),
    "game": ("Spiel", "Game"),
    "seats": ("Plätze", "Seats"),
    "me": ("Ich spiele", "I play"),
    "only_first": ("Platz 1, der Rest von selbst", "seat 1, the others by themselves"),
    "all": ("alle Plätze (reihum)", "all seats (hot seat)"),
    "nobody": ("niemand, ich schaue zu", "nobody, I watch"),
    "hand_of": ("Karten von {}", "Cards of {}"),
    "cover": ("Verdeckt. Gib das Gerät an {}.", "Covered. Hand the device to {}."),
    "uncover": ("Ich bin {}: zeigen", "I am {}: show"),
    "hide": ("Verdecken", "Cover"),
    "hand_empty": ("Keine Karten.", "No cards."),
    "face_down": ("verdeckte Karte", "card face down"),
    "top_card": ("oberste Karte", "top card"),
    "tap_card": ("{} auf die Box legen", "Tap {} on the box"),
    "auto": ("spielt von selbst", "plays by itself"),
    "cards": ("Karten", "cards"),
    "middle": ("Auf dem Tisch", "On the table"),
    "pot": ("Topf", "Pot"),
    "bar": ("Bar", "Bar"),
    "bag": ("Beutel", "Bag"),
    "full": ("voll", "full"),
    "asked": ("{} wird nach {} gefragt", "{} is asked for {}"),
    "ask": ("Fragen", "Ask"),
    "ask_whom": ("Wen?", "Whom?"),
    "ask_card": ("Welche Karte?", "Which card?"),
    "deny": ("Habe ich nicht", "I do not have it"),
    "quartets": ("Quartette", "Quartets"),
    "passes": ("Pässe", "Passes"),
    "lay_quartet": ("Quartett {} ablegen", "Lay quartet {}"),
    "end_turn": ("Zug beenden", "End the turn"),
    "to_bar": ("Gast an die Bar", "Guest to the bar"),
    "table_card": ("Tischkarte {} auflegen", "Tap table card {}"),
    "wait_for": ("{} ist dran: {}", "{}: {}"),
    "for_begin": ("Wer beginnt? Wähle es auf der Box.", "Who begins? Choose it on the box."),
    "for_tap": ("Karte auflegen", "tap a card"),
    "for_call": ("Kategorie ansagen", "call a category"),
    "for_ask": ("nach einer Karte fragen", "ask for a card"),
    "for_answer": ("Karte hergeben oder verneinen", "hand over the card or deny it"),
    "for_lay": ("Quartett ablegen oder fertig", "lay a quartet or be done"),
    "for_place": ("einen Gast setzen", "seat a guest"),
    "for_table_card": ("neue Tischkarte auflegen", "tap a new table card"),
    "for_leftover": ("Restkarten auflegen", "tap what is left in the hand"),
    "for_decide": ("Die Jury entscheidet (JURY).", "The jury decides (JURY)."),
    "for_nothing": (
        "Fertig. OK auf der Box schließt die Partie.",
        "Over. OK on the box closes it.",
    ),
    "closed": ("Das Ergebnis gilt.", "The result is final."),
    "news": ("Was die Box entschied", "What the box decided"),
    "news_none": ("Noch nichts.", "Nothing yet."),
    "rule": ("Regel {}", "rule {}"),
    "page": ("Seite {}", "page {}"),
    "cheat": ("Schummeln (für die Schulung)", "Cheating (for training)"),
    "cheat_seat": ("Platz", "Seat"),
    "save": ("Mitschrift sichern", "Save the transcript"),
    "load": ("Mitschrift ansehen", "Look at a transcript"),
    "load_hint": (
        "Eine Mitschrift oder das Journal einer Box, Zeile für Zeile.",
        "A transcript, or the journal of a box, line by line.",
    ),
    "real_box": ("Echte Box anschließen", "Connect a real box"),
    "crash": ("Die Box steht.", "The box has stopped."),
    "crash_hint": (
        "Nach dem Neustart geht die Partie aus dem Journal weiter.",
        "After a restart the match goes on from the journal.",
    ),
    "restart": ("Neu starten", "Restart"),
    "lost": ("Verbindung verloren, ich versuche es weiter …", "Connection lost, trying again …"),
    "seat_links": ("Links für die Plätze", "Links for the seats"),
    "seat_link": ("Platz {} auf einem anderen Gerät", "Seat {} on another device"),
    "keys": (
        "Tasten: Pfeile, Enter = OK, J = Jury; 1–9 legen die Karte, M = Ton.",
        "Keys: arrows, Enter = OK, J = jury; 1–9 tap the card, M = sound.",
    ),
    "step": ("Schritt", "Step"),
    "of": ("von", "of"),
    "first": ("Anfang", "First"),
    "back": ("Zurück", "Back"),
    "next": ("Weiter", "Next"),
    "last": ("Ende", "Last"),
    "agrees": (
        "Alle Antworten stimmen mit den Regeln überein.",
        "All answers agree with the rules.",
    ),
    "differs": (
        "Schritt {} stimmt nicht mit den Regeln überein.",
        "Step {} differs from the rules.",
    ),
    "no_answers": (
        "Die Datei enthält keine Antworten; sie sind nachgerechnet.",
        "The file holds no answers; they are computed.",
    ),
    "connect": ("Verbinden", "Connect"),
    "disconnect": ("Trennen", "Disconnect"),
    "no_serial": (
        "Dieser Browser hat kein Web Serial: nimm Chromium oder Chrome.",
        "This browser has no Web Serial: use Chromium or Chrome.",
    ),
    "serial_hint": (
        "Liest nur: das Bild der Box und ihr Journal. Nichts wird verändert.",
        "Only reads: the picture of the box and its journal. Nothing is changed.",
    ),
    "journal": ("Journal", "Journal"),
    "save_journal": ("Journal sichern", "Save the journal"),
    "state_run": ("läuft", "being played"),
    "state_end": ("fertig", "finished"),
    "state_ok": ("abgeholt", "fetched"),
    "women": ("Frau", "woman"),
    "men": ("Mann", "man"),
    "chair": ("Stuhl {}", "Chair {}"),
    "free": ("frei", "free"),
    "suit_R": ("Rot", "Red"),
    "suit_G": ("Grün", "Green"),
    "suit_B": ("Blau", "Blue"),
    "joker": ("Joker", "Joker"),
    "not_here": ("Das geht nur bei Trumpf.", "Only in Trumpf."),
    "robot_gave_up": (
        "Der Automat kommt nicht weiter: übernimm den Platz.",
        "The robot is stuck: take over the seat.",
    ),
}

# cheat -> (button, what the box makes of it), German and English
_CHEATS = {
    "swap": (
        ("Stapel verwechselt", "Swap two cards in a pile"),
        (
            "Zwei Karten im Stapel sind vertauscht. Legt der Platz jetzt auf, meldet die Box "
            "eine Karte, die nicht oben liegen dürfte. Sie verweigert sie nicht: Stapel fallen.",
            "Two cards of the pile have traded places. When the seat taps, the box reports a card "
            "that cannot be on top. It does not refuse it: piles get dropped.",
        ),
    ),
    "keep": (
        ("Verlorene Karte behalten", "Keep a lost card"),
        (
            "Eine verlorene Karte liegt wieder oben auf diesem Stapel. Die Box hat gesehen, wem "
            "sie gehört, und verweigert sie.",
            "A lost card is back on top of this pile. The box knows whose it is and refuses it.",
        ),
    ),
    "two": (
        ("Zwei Karten auf einmal", "Lay two cards"),
        (
            "Zwei Tags liegen im Feld: Die Box zählt keine von beiden und bittet um eine.",
            "Two tags lie in the field: the box counts neither and asks for one.",
        ),
    ),
    "pull": (
        ("Beim Lesen wegziehen", "Pull the card while it is read"),
        (
            "Das Tag ging während des Lesens weg. Was nicht ganz gelesen ist, zählt nicht.",
            "The tag left while it was being read. What is not read whole does not count.",
        ),
    ),
    "foreign": (
        ("Fremdes Tag", "A foreign tag"),
        (
            "Auf dem Tag steht die Notiz eines Telefons. Die Box sagt es und zählt nichts.",
            "The tag holds somebody's note. The box says so and counts nothing.",
        ),
    ),
    "empty": (
        ("Leeres Tag", "An empty tag"),
        (
            "Ein Tag aus dem Laden. Nur ein fertiges Ergebnis würde darauf geschrieben.",
            "A tag from the shop. Only a finished result would be written onto it.",
        ),
    ),
    "torn": (
        ("Halb beschriebenes Tag", "A half written tag"),
        (
            "Das Beschreiben brach ab. Prüfsumme oder Siegel passen nicht: neu schreiben.",
            "Writing broke off. Checksum or seal do not fit; write the card again.",
        ),
    ),
    "copied": (
        ("Kopierte Karte", "A copied card"),
        (
            "Dieselben Bytes auf einem anderen Chip. Das Siegel gilt nur für den ersten.",
            "The same bytes on another chip. The seal holds only for the first.",
        ),
    ),
    "dead": (
        ("Totes Tag", "A dead tag"),
        (
            "Das Tag antwortet nicht, die Box schweigt. JURY, „Karte von Hand“: Gruppe, Karte, "
            "Grund. Die Mitschrift nennt den Grund.",
            "The tag does not answer, the box is silent. JURY, “Card by hand”: group, card, "
            "reason. The record keeps the reason.",
        ),
    ),
    "cut": (
        ("Strom weg beim Lesen", "Cut the power while it reads"),
        (
            "Die Box startet neu und macht aus dem Journal weiter. Kein gezeigter Entscheid geht "
            "verloren; die Uhr steht, bis es weitergeht.",
            "The box boots and goes on from its journal. No verdict that was shown is lost; the "
            "clock stands until play goes on.",
        ),
    ),
    "unplug": (
        ("USB-Kabel ziehen", "Pull the USB cable"),
        (
            "Das Kabel ist zwei Sekunden draußen. Der Partie ist es gleich.",
            "The cable is out for two seconds. The match does not care.",
        ),
    ),
}
LANGUAGES = ("de", "en")


def texts(lang: str) -> dict[str, str]:
    """All words of a page in one language."""
    return {key: pair[LANGUAGES.index(lang)] for key, pair in _TEXTS.items()}


def cheat_texts(lang: str) -> dict[str, dict[str, str]]:
    """For every trick its button and what becomes of it."""
    column = LANGUAGES.index(lang)
    return {
        name: {"button": button[column], "told": told[column]}
        for name, (button, told) in _CHEATS.items()
    }
