"""What the tricks of Trumpf are called and what becomes of them, German and English."""

TEXTS = {
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
}
