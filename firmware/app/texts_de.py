"""Every word the box shows, in German: `key|text`, one a line. English: `texts_en.py`, same keys.

What begins with `news_`, `no_`, `tag_` or holds a full stop is wrapped over several lines; all
else must fit one line. `{}` is filled in. A test finds missing, unused and too wide texts. A
language is one long string: a table of strings costs three times the memory, and a constant of a
frozen firmware, or of one in ROM, costs none at all.
"""

TABLE = """
seat|Platz {}
jury|Jury
reader|Kartenleser
refused|Geht nicht
language|Deutsch
decimal_mark|,
why|Warum?
which_group|Welche Gruppe?
which_card|Welche Karte?
counts|Stand
pot|Topf {}
round|Stich
menu_game|Spiel
menu_preset|Variante
menu_deck|Deck
menu_no_deck|auflegen
menu_seats|Plätze
menu_stage|Runde
menu_deals|Anzahl Spiele
menu_target|Zielpunkte
menu_language|Sprache
menu_start|Start →
lay_deck|Leg eine Deckkarte oder eine Karte des Decks auf.
game_trumpf|Trumpf
game_quartett|Quartett
game_cafe|Café
game_hattrick|Hattrick
preset_swiss|Schweizer
preset_gastro|Gastro
preset_kneipe|Kneipe
preset_board|Brettspiel
preset_app|App-Spiel
target_off|keine
stage_group|Gruppe
stage_ko|K.-o.
stage_final|Finale
journal_full|Der Speicher ist voll. Erst die Spiele abholen.
cannot_open|Kein Start
no_file|Die Datei von Deck oder Brett fehlt auf der Box.
back|← zurück
who_deals|Wer gibt?
hattrick_hand|Spiel {} von {}
hattrick_last|{}: letzte Karte
suit_R|Rot
suit_G|Grün
suit_B|Blau
hattrick_passes|Pässe
hattrick_totals|Punkte
hattrick_trick|{} ({}): {}
hattrick_leads|{} spielt aus
hattrick_deals|{} gibt
hattrick_scores|Abrechnung
quartett_asks|{} fragt
quartett_which|{}: welche Karte?
quartett_asked|{}: hast du {}?
quartett_has|{} K. {} Q.
quartett_hand_over|Ja: Karte auflegen
quartett_deny|Nein, habe ich nicht
quartett_tap|Leg die Karte auf den Leser.
quartett_lay|Quartett ablegen
quartett_done|Kein Quartett mehr
quartett_who_lays|Wer legt ab?
quartett_lays|{} legt ab
quartett_four_taps|Vier Karten auflegen
quartett_back|OK: zurück
news_given|{} gibt {} die {}.
news_denied|{} hat {} nicht und fragt weiter.
news_quartet|{} legt das Quartett {}.
news_false_denial|{} hatte {} doch! Gelogen bei Zug {}.
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
cafe_again|Von vorn
cafe_chair_first|Erst den Stuhl für diesen Gast wählen.
cafe_joker_first|Erst den Stuhl des Jokers wählen.
cafe_cannot_pay|Nicht genug Punkte
cafe_forced|Trotzdem: raus
cafe_placed|{} auf {}
cafe_points|+{} Punkte = {}
cafe_points_one|+{} Punkt = {}
news_completed|Tisch {} ist voll.
news_completed_one|Tisch {} ist voll, nur Landsleute: Handlimit −1.
news_cleared|Tisch {} wird geräumt, Wertung ×{}.
news_barred|{} an der Bar, Feld {}: {} Punkte = {}
news_barred_one|{} an der Bar, Feld {}: {} Punkt = {}
news_swapped|{} kommt auf die Hand, {} auf den Stuhl.
news_left_over|{}: {} Punkte für die Restgäste.
who_begins|Wer beginnt?
lay_card|{}: Karte auflegen
jury_decides|Die Jury entscheidet
trumpf_call|{} sagt an
hint_joker|Joker! Jetzt die Karte
hint_choose|Karte frei wählbar
hint_paused|Uhr steht: JURY
unsealed_mark|ohne Siegel
late_left|Verspätung: {}
late_over|Zeit um: SW-7
late|Zwei Minuten
late_sentence|Wer jetzt fehlt, kann 12:0 verlieren. JURY drücken.
news_round_won|{} gewinnt
news_round_tied|Gleichstand!
news_cards|{} Karten
news_cards_pot|{} Karten, Topf {}
news_value_missing|Karte von {}: keine Angabe zu {}. Bitte neu ansagen.
news_moved|{} gibt {} Karten: {}
news_order_suspect|{}: {} kann nicht die oberste Karte sein ({}).
news_time_up|Die Zeit ist um!
news_extended|Unentschieden: 3 Minuten Verlängerung.
news_sudden|Immer noch gleich: der nächste Stich gewinnt.
news_forfeited|{} verliert 12:0, nicht angetreten.
news_excluded|{} ist ausgeschlossen und verliert 12:0.
news_undone|Zug {} ist zurückgenommen.
news_pot_won|{} bekommt den Topf: {} Karten.
news_pot_returned|Alle nehmen ihre Topfkarten zurück.
news_seat_out|{} ist ausgeschieden.
no_not_now|Das ist jetzt nicht dran.
no_wrong_seat|Dieser Platz ist nicht dran.
no_unknown_card|Diese Karte gehört nicht zum Spiel.
no_not_yours|Diese Karte kann hier nicht sein: sie liegt woanders.
no_already_played|Diese Karte liegt schon.
no_aside|Diese Karte wurde beiseitegelegt.
no_joker_not_allowed|Joker spielen nicht mit.
no_no_such_category|Diese Angabe gibt es nicht.
no_value_missing|Diese Angabe steht nicht auf der Karte.
no_own_card|Diese Karte hast du selbst.
no_known_holder|Die Karte ist nachweislich hier.
no_cannot_hold|Du kannst keine Karte dieser Gruppe haben.
no_not_a_quartet|Das ist kein Quartett.
no_not_asked|Nach dieser Karte wurde nicht gefragt.
no_chair_taken|Der Stuhl ist besetzt.
no_wrong_nation|Falsche Nation für diesen Stuhl.
no_sexes|Damen und Herren passen hier nicht.
no_no_score|Der Gast bringt hier keine Punkte.
no_alone|Der Gast darf nicht allein bleiben.
no_joker_fits|Der Joker passt noch an einen Tisch.
no_cannot_pay|Dafür reichen die Punkte nicht.
no_no_joker_there|Auf diesem Stuhl sitzt kein Joker.
no_not_in_hand|Dieser Gast kann nicht auf der Hand sein.
no_clock_stopped|Die Uhr steht. JURY drücken, dann „Uhr läuft weiter“.
no_over|Das Spiel ist aus.
no_nothing_to_undo|Es gibt nichts zurückzunehmen.
no_bad_value|Diese Angabe stimmt nicht.
tag_two|Zwei Karten! Bitte nur eine auflegen.
tag_unreadable|Nicht lesbar. Noch einmal ruhig auflegen.
tag_empty|Das Tag ist leer.
tag_foreign|Ein fremder Tag, keine Spielkarte.
tag_torn|Das Tag ist nur halb beschrieben.
tag_short|Das Tag ist nur halb beschrieben.
tag_wrong_version|Das Tag hat eine andere Version.
tag_malformed|Der Inhalt des Tags ist kaputt.
tag_unsealed|Die Karte hat kein Siegel.
tag_unknown_key|Das Siegel ist von einer anderen Liga.
tag_bad_seal|Das Siegel ist falsch: kopiert oder verändert.
tag_wrong_kind|Diese Karte hat hier keine Bedeutung.
tag_wrong_deck|Die Karte ist aus einem anderen Deck.
tag_unknown_deck|Dieses Deck kennt die Box nicht. Leg die Deckkarte auf.
tag_other_values|Das Tag sagt andere Werte als das Deck.
reader_restarted|Der Leser wurde neu gestartet. Noch einmal auflegen.
reader_broken|Der Leser antwortet nicht. Kabel prüfen.
arbiter_pause|Uhr anhalten
arbiter_resume|Uhr läuft weiter
arbiter_undo|Letzten Zug zurück
arbiter_hand|Karte von Hand
arbiter_penalty|10 Karten Strafe
arbiter_forfeit|Nicht angetreten
arbiter_exclude|Ausschließen
arbiter_decide|Sieger bestimmen
arbiter_abandon|Spiel abbrechen
hand_no_values|Die Werte dieser Karte kennt die Box noch nicht.
why_wrong_card|falsche Karte
why_wrong_call|falsch angesagt
why_reader|Lesefehler
why_jury|Jury-Entscheid
why_dead_card|Tag ist kaputt
why_no_tag|Karte ohne Tag
why_delay|Spielverzögerung
why_late|zu spät
why_left|weggegangen
why_cheating|Betrug
why_conduct|Verhalten
why_level|Gleichstand
why_dispute|Streitfall
why_break|Unterbrechung
why_fault|Technik
over_all_cards|Alle Karten!
over_time|Zeit abgelaufen
over_jury|Jury-Entscheid
over_forfeit|Nicht angetreten
over_excluded|Ausgeschlossen
over_all_tied|Unentschieden
over_seat_out|Einer ist fertig
over_hand_empty|Hand ist leer
over_last_seat|Nur noch einer
over_chairs_full|Alle Stühle voll
over_bar_full|Bar ist voll
over_bag|Beutel ist leer
over_no_table_card|Keine Tischkarte
over_hands|Alle Runden
over_target|Ziel erreicht
result_points|{} K. {} P.
result_ok|OK: Ergebnis gilt
result_slip|OK: gilt; Tag: Zettel
slip_written|Der Zettel ist geschrieben. Bring ihn zum Turniertisch.
slip_no_key|Die Box hat keinen Schlüssel. Ohne ihn kein Zettel.
slip_too_small|Das Tag ist zu klein oder gesperrt. Nimm ein NTAG215.
slip_failed|Nicht geschrieben. Noch einmal ruhig auflegen.
resumed_title|Weiter geht's
resumed|Strom war weg, die Uhr steht. JURY: weiter.
journal_lost|Das letzte Spiel ist nicht mehr lesbar. Jury rufen.
journal_damaged|Strom war weg und das Protokoll ist beschädigt. Jury rufen.
stuck_title|Spiel {} klemmt
stuck|Dreimal ohne Erfolg geöffnet. Jury rufen.
stuck_again|Noch einmal öffnen
stuck_aside|Für die Leitung aufheben
stuck_done|Es bleibt ganz auf der Box, bis die Leitung es holt.
"""
