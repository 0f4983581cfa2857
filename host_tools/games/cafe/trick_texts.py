"""What the tricks of the café are called and what becomes of them, German and English."""

TEXTS = {
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
}
