"""What every trick of the cheat menu is called and what becomes of it, German and English."""

from host_tools.core.texts.table import LANGUAGES

# trick -> (button, what the box makes of it), German and English
_CHEATS = {
    "swap": (
        ("Stapel verwechselt", "Swap two cards in a pile"),
        (
            "Im Stapel dessen, der dran ist, sind zwei Karten vertauscht. Legt er auf, meldet "
            "die Box eine Karte, die nicht oben liegen dürfte. Sie verweigert sie nicht: Stapel "
            "fallen.",
            "Two cards in the pile of the seat whose turn it is have traded places. When it taps, "
            "the box reports a card that cannot be on top. It does not refuse it: piles get "
            "dropped.",
        ),
    ),
    "keep": (
        ("Verlorene Karte behalten", "Keep a lost card"),
        (
            "Eine verlorene Karte liegt wieder oben auf dem Stapel dessen, der dran ist. Die Box "
            "hat gesehen, wem sie gehört, und verweigert sie.",
            "A lost card is back on top of the pile of the seat whose turn it is. The box knows "
            "whose it is and refuses it.",
        ),
    ),
    "card_again": (
        ("Gespielte Karte noch einmal", "Tap a played card again"),
        (
            "Eine Karte, die in dieser Runde der Karten schon gespielt ist, wird noch einmal "
            "aufgelegt. Die Box hat sie gesehen und verweigert sie.",
            "A card that was played earlier in this hand is tapped again. The box has seen it and "
            "refuses it.",
        ),
    ),
    "out_of_turn": (
        ("Außer der Reihe auflegen", "Tap out of turn"),
        (
            "Der nächste Platz legt zu früh auf. Am Tag sieht die Box nicht, wessen Karte es ist: "
            "Sie zählt sie für den, der dran ist. Rückgängig: JURY, „Letzten Zug "
            "zurück“.",
            "The next seat taps too early. A tag does not say whose card it is: the box counts it "
            "for the seat whose turn it is. To mend it: JURY, “Take back last move”.",
        ),
    ),
    "quartet_again": (
        ("Quartett noch einmal ablegen", "Lay a quartet again"),
        (
            "Ein Quartett, das schon auf dem Tisch liegt, wird noch einmal abgelegt. Die Box "
            "verweigert es.",
            "A quartet that lies on the table already is laid once more. The box refuses it.",
        ),
    ),
    "other_card": (
        ("Falsche Karte hergeben", "Hand over another card"),
        (
            "Der Gefragte legt eine andere Karte auf als die, nach der gefragt wurde. Die Box "
            "verweigert sie.",
            "The seat that was asked taps another card than the one it was asked for. The box "
            "refuses it.",
        ),
    ),
    "false_denial": (
        ("Karte verleugnen", "Deny a card that is held"),
        (
            "Der Gefragte hat die Karte und verneint. Weiß die Box, dass er sie hat, verweigert "
            "sie es. Sonst glaubt sie ihm und meldet die Lüge, sobald die Karte bei ihm "
            "auftaucht.",
            "The seat that was asked holds the card and denies it. If the box knows, it refuses. "
            "Else it believes, and reports the lie as soon as the card shows up with that seat.",
        ),
    ),
    "impossible_question": (
        ("Unmöglich fragen", "Ask the impossible"),
        (
            "Gefragt wird nach einer Karte, die der Fragende selbst hat oder von deren Gruppe er "
            "keine haben kann. Die Box verweigert nur, was sie sicher weiß.",
            "The caller asks for a card of their own, or of a group of which they can hold none. "
            "The box refuses only what it knows for sure.",
        ),
    ),
    "seated_again": (
        ("Sitzenden Gast umsetzen", "Move a seated guest"),
        (
            "Ein Gast, der schon sitzt, soll auf einen anderen Stuhl. Wer sitzt, bleibt sitzen: "
            "Die Box verweigert ihn.",
            "A guest who sits already is to take another chair. Who sits stays: the box refuses.",
        ),
    ),
    "foreign_table": (
        ("An den falschen Tisch", "At the wrong table"),
        (
            "Ein Gast soll an einen Tisch, der nicht der seiner Nation ist. Die Box bietet den "
            "Stuhl ohne Häkchen an und verweigert ihn.",
            "A guest is to sit at a table of another nation. The box lists the chair without a "
            "tick and refuses it.",
        ),
    ),
    "crowd": (
        ("Zu viele Frauen oder Männer", "Too many women or men"),
        (
            "Mit diesem Gast wären an einem Tisch zu viele Frauen oder zu viele Männer. Die Box "
            "verweigert ihn.",
            "With this guest a table would have too many women or too many men. The box refuses.",
        ),
    ),
    "somebodys_joker": (
        ("Fremden Joker setzen", "Seat somebody else's joker"),
        (
            "Alle haben gesehen, wer den Joker eingetauscht hat; jetzt setzt ihn ein anderer. Nur "
            "bei solchen Jokern weiß die Box, in welcher Hand ein Gast ist, und verweigert ihn.",
            "Everybody saw who swapped the joker in; now somebody else seats it. Only of such "
            "jokers does the box know the hand, and it refuses.",
        ),
    ),
    "joker_to_the_bar": (
        ("Joker an die Bar", "Joker to the bar"),
        (
            "Ein Joker soll an die Bar, obwohl er auf einen Stuhl passt. Die Box verweigert ihn.",
            "A joker is to go to the bar although a chair would take it. The box refuses.",
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


def cheat_texts(lang: str) -> dict[str, dict[str, str]]:
    """For every trick its button and what becomes of it."""
    column = LANGUAGES.index(lang)
    return {
        name: {"button": button[column], "told": told[column]}
        for name, (button, told) in _CHEATS.items()
    }
