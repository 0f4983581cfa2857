"""What the tricks of Hattrick are called and what becomes of them, German and English."""

TEXTS = {
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
}
