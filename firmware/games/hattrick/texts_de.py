"""What the box says about Hattrick, in German: as `firmware/app/texts_de.py`."""

TABLE = """
menu_hands|Anzahl Spiele
menu_target|Zielpunkte
game_hattrick|Hattrick
target_off|keine
who_deals|Wer gibt?
hattrick_hand|Spiel {} von {}
hattrick_last|Letzte Karte
suit_R|Rot
suit_G|Grün
suit_B|Blau
hattrick_passes|Pässe
hattrick_totals|Punkte
hattrick_leads|{} spielt aus
hattrick_deals|{} gibt
hattrick_scores|Abrechnung
over_hands|Alle Spiele
over_target|Ziel erreicht
"""
