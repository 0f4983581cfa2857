"""What the box says about the café, in German: as `firmware/app/texts_de.py`."""

TABLE = """
menu_between|Geteilter Stuhl
between_either|ein Tisch
between_both|beide
menu_drawing|Nachziehen
drawing_shrink|Limit sinkt
drawing_leaflet|Faltblatt
menu_mono_bonus|Landsleute ×2
mono_bonus_any_size|immer
mono_bonus_full_only|voller Tisch
menu_mono|Nur eine Nation
mono_same|zählt je 2
mono_table|nur eigene
menu_bag_end|Ende: Beutel
menu_cards_end|Ende: Karte
cards_end_missing|fehlt
cards_end_last|die letzte
menu_bar_joker|Joker zur Bar
bar_joker_seat|nie sitzbar
bar_joker_score|ohne Punkte
game_cafe|Café
preset_board|Brettspiel
preset_app|App-Spiel
cafe_draw|Jeder zieht blind fünf Gäste.
cafe_card_of|Tischkarten {}/12
cafe_next_card|Karte für {}
cafe_last_back|Letzte zurück
cafe_third|Von dieser Nation liegen schon beide Karten.
cafe_lay_out|Auslegen, dann OK
cafe_lay_guest|Gast auflegen, OK: mehr
cafe_lay_bar|Gast für die Bar auflegen
cafe_lay_swap|Gast für den Tausch
cafe_new_card|Neue Tischkarte {}
cafe_no_card|keine mehr da
cafe_which_joker|Welcher Joker?
cafe_chair_for|{}: welcher Stuhl?
cafe_table_for|{}: welcher Tisch?
cafe_leftover|Rest auflegen {}/{}
cafe_hands|Hand {}
cafe_bar_bag|Bar {}  Beutel {}
cafe_done|Zug beenden
cafe_bar|Gast an die Bar
cafe_swap|Joker tauschen
cafe_take_back|Gast zurücknehmen
cafe_again|Von vorn
cafe_nowhere|{} passt jetzt nirgends. OK: an die Bar oder tauschen.
cafe_chair_first|Erst den Stuhl für diesen Gast wählen.
cafe_joker_first|Erst den Stuhl des Jokers wählen.
cafe_cannot_pay|Nicht genug Punkte
cafe_forced|Trotzdem: raus
cafe_placed|{} auf {}
cafe_points|+{} Punkte = {}
cafe_points_one|+{} Punkt = {}
news_completed|Tisch {} ist voll.
news_completed_dry|Tisch {} ist voll, nur Landsleute: nichts nachziehen.
news_completed_one|Tisch {} ist voll, nur Landsleute: Handlimit −1.
news_cleared|Geräumt: {}. Der Gast zählt {}-fach.
news_cleared_one|Tisch {} wird geräumt.
news_barred|{} an der Bar, Feld {}: {} Punkte = {}
news_barred_one|{} an der Bar, Feld {}: {} Punkt = {}
news_swapped|{} kommt auf die Hand, {} auf den Stuhl.
news_left_over|{}: {} Punkte für die Restgäste.
no_chair_taken|Der Stuhl ist besetzt.
no_wrong_nation|Falsche Nation für diesen Stuhl.
no_sexes|Frauen und Männer passen hier nicht.
no_no_score|Der Gast bringt hier keine Punkte.
no_alone|Der Gast darf nicht allein bleiben.
no_joker_fits|Der Joker passt noch an einen Tisch.
no_cannot_pay|Dafür reichen die Punkte nicht.
no_no_joker_there|Auf diesem Stuhl sitzt kein Joker.
no_not_in_hand|Dieser Gast kann nicht auf der Hand sein.
over_last_seat|Nur noch ein Platz
over_chairs_full|Alle Stühle voll
over_bar_full|Bar ist voll
over_bag|Beutel: Schluss
over_no_table_card|Keine Tischkarte
"""
