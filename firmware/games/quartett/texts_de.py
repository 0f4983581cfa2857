"""What the box says about Quartett, in German: as `firmware/app/texts_de.py`."""

TABLE = """
game_quartett|Quartett
quartett_deal|Karten je Platz: {}.
quartett_jokers|Joker aussortieren.
quartett_asks|{} fragt
quartett_which|{}: welche Karte?
quartett_asked|{}: hast du {}?
quartett_hand_over|Ja: Karte auflegen
quartett_deny|Nein, habe ich nicht
quartett_tap|Leg die Karte auf den Leser.
quartett_lay|Quartett ablegen
quartett_done|Kein Quartett mehr
quartett_who_lays|Wer legt ab?
quartett_lays|{} legt ab
quartett_four_taps|Vier Karten auflegen
quartett_back|OK: zurück
quartett_numbers|Quartette
news_given|{} gibt {} die {}.
news_denied|{} hat {} nicht und fragt weiter.
news_quartet|{} legt das Quartett {}.
news_false_denial|{} hatte {} doch! Gelogen bei Zug {}.
no_own_card|Diese Karte hast du selbst.
no_known_holder|Die Karte ist nachweislich hier.
no_cannot_hold|Du kannst keine Karte dieser Gruppe haben.
no_not_a_quartet|Das ist kein Quartett.
no_not_asked|Nach dieser Karte wurde nicht gefragt.
"""
