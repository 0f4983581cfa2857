"""What the tricks of Quartett are called and what becomes of them, German and English."""

TEXTS = {
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
}
