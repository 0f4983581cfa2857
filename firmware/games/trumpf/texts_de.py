"""What the box says about Trumpf, in German: as `firmware/app/texts_de.py`."""

TABLE = """
decimal_mark|,
pot|Topf {}
menu_stage|Runde
menu_tie_scope|Stechen
tie_scope_all|alle
tie_scope_tied|nur Gleiche
game_trumpf|Trumpf
preset_swiss|Schweizer
preset_gastro|Gastro
preset_kneipe|Kneipe
stage_group|Gruppe
stage_ko|K.-o.
stage_final|Finale
swiss_begins|Wer Schere, Stein, Papier gewinnt, sagt zuerst an.
jury_decides|Die Jury entscheidet
trumpf_call|{} sagt an
lay_choose|Freie Wahl
lay_joker|Jetzt die Karte
hint_joker|Joker! Jetzt die Karte
hint_choose|Karte frei wählbar
hint_paused|Uhr steht: JURY
unsealed_mark|ohne Siegel
late_left|Verspätung: {}
late_over|Zwei Minuten um
late|Zwei Minuten
late_sentence|Wer jetzt fehlt, kann 12:0 verlieren. JURY drücken.
news_round_tied|Gleichstand!
news_cards_pot|{} Karten, Topf {}
news_value_missing|Karte von {}: keine Angabe zu {}. Bitte neu ansagen.
news_moved|{} gibt {} Karten: {}
news_order_suspect|{}: {} kann nicht die oberste Karte sein ({}).
news_extended|Unentschieden: 3 Minuten Verlängerung.
news_sudden|Immer noch gleich: der nächste Stich gewinnt.
news_forfeited|{} verliert 12:0, nicht angetreten.
news_excluded|{} ist ausgeschlossen und verliert 12:0.
news_pot_won|{} bekommt den Topf: {} Karten.
news_pot_returned|Alle nehmen ihre Topfkarten zurück.
no_aside|Diese Karte wurde beiseitegelegt.
no_no_such_category|Diese Angabe gibt es nicht.
no_value_missing|Diese Angabe steht nicht auf der Karte.
tag_other_values|Das Tag sagt andere Werte als das Deck.
hand_no_values|Die Werte dieser Karte kennt die Box noch nicht.
over_all_cards|Alle Karten!
over_jury|Jury-Entscheid
over_forfeit|Nicht angetreten
over_excluded|Ausgeschlossen
over_all_tied|Unentschieden
over_seat_out|Jemand ist fertig
"""
