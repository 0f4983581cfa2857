"""What the tricks of all games are called and what becomes of them, German and English."""

# trick -> (button, what the box makes of it), German and English
TEXTS = {
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
            "Das Tag dieser Karte antwortet nicht mehr, die Box schweigt. JURY, „Karte von Hand“: "
            "Gruppe, Karte, Grund. Die Mitschrift nennt den Grund. Noch einmal drücken heilt es.",
            "The tag of this card answers no more, the box is silent. JURY, “Card by hand”: "
            "group, card, reason. The record keeps the reason. Press again to heal it.",
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
    "flash": (
        ("Flash streikt kurz", "The flash fails for a moment"),
        (
            "Der nächste Entscheid lässt sich nicht speichern. Die Box zeigt ihn nicht, sondern "
            "den Fehler, und startet neu; die Partie steht, wo sie vorher stand. Legt die Karte "
            "dann noch einmal auf.",
            "The next decision cannot be stored. The box does not show it but its fault, and "
            "restarts; the match stands where it stood before. Then tap the card again.",
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
