"""What the house rules of the café mean, in German (firmware/app/options.py)."""

TABLE = """
between_either|Auf einem geteilten Stuhl genügt ein Tisch, der zählt.
between_both|Auf einem geteilten Stuhl müssen beide Tische zählen.
drawing_shrink|Wer einen Tisch nur mit Landsleuten füllt, hält ab jetzt einen Gast weniger.
drawing_leaflet|Wer einen Tisch nur mit Landsleuten füllt, zieht in diesem Zug nicht nach.
mono_bonus_any_size|Ein Tisch nur mit Landsleuten zählt immer doppelt.
mono_bonus_full_only|Nur ein voller Tisch mit lauter Landsleuten zählt doppelt.
mono_same|Sitzt an einem Tisch nur eine Nation, auch eine fremde, zählt jeder Gast zwei.
mono_table|Nur Gäste der Nation des Tischs zählen doppelt.
bag_end|Schluss nach dem Zug, der nur {} Gäste im Beutel lässt.
cards_end_missing|Schluss, wenn für einen geräumten Tisch keine neue Karte da ist.
cards_end_last|Schluss nach dem Zug, in dem die letzte Tischkarte gelegt wird.
clock_off|Es gibt keine Uhr.
clock|Nach {} Minuten ist Schluss; ein begonnener Zug wird beendet.
turn_off|Für einen Zug gibt es keine Uhr.
turn|Nach {} Sekunden ertönt ein Ton; der Zug geht weiter.
bar_joker_seat|Ein Joker darf nur an die Bar, wenn er nirgends allein sitzen darf.
bar_joker_score|Ein Joker darf an die Bar, wenn er allein nirgends punktet.
"""
