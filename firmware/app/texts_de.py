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
why|Warum?
which_group|Welche Gruppe?
which_card|Welche Karte?
round|Stich
menu_game|Spiel
menu_preset|Variante
menu_deck|Deck
menu_no_deck|auflegen
menu_seats|Plätze
menu_options|Hausregeln
options_usual|üblich
options_changed|{} geändert
options_unknown|Unbekannte Hausregel: {}. Es gilt das Übliche.
menu_clock|Spielzeit
clock_off|ohne
menu_turn|Zeit je Zug
turn_off|ohne
minutes|{} min
seconds|{} s
menu_language|Sprache
menu_volume|Ton
volume_0|aus
volume_1|leise
volume_2|mittel
volume_3|laut
menu_start|Start →
lay_deck|Leg eine Deckkarte oder eine Karte des Decks auf.
journal_full|Der Speicher ist voll. Erst die Partien abholen.
cannot_open|Kein Start
deck_unfit|Dieses Deck passt nicht zu {}.
board_unfit|Dieses Brett stimmt nicht. Prüf es am Laptop.
bad_file|Die Datei von Deck oder Brett ist kaputt. Kopier sie neu auf die Box.
cannot_play|So eine Partie kennt diese Firmware nicht.
no_file|Die Datei von Deck oder Brett fehlt auf der Box.
back|← zurück
hall_join|Hallen-WLAN verwenden?
hall_no_radio|Diese Platine hat kein WLAN.
who_begins|Wer beginnt?
begin_lot|Das Los entscheidet
begin_deal|Vor dem Spiel
deal_each|Je {} Karten ausgeben.
deal_each_one|Je eine Karte ausgeben.
deal_aside|Beiseite: {}.
whose_card|Wer hat {}?
lay_card|Karte auflegen
news_undone|Zug {} ist zurückgenommen.
news_time_up|Die Zeit ist um!
news_seat_out|{} ist ausgeschieden.
no_not_now|Das ist jetzt nicht dran.
no_clock_stopped|Die Uhr steht. JURY drücken, dann „Uhr läuft weiter“.
no_wrong_seat|Dieser Platz ist nicht dran.
no_unknown_card|Diese Karte gehört nicht zum Spiel.
no_not_yours|Diese Karte kann hier nicht sein: Sie liegt woanders.
no_already_played|Diese Karte liegt schon.
no_joker_not_allowed|Joker spielen nicht mit.
no_over|Die Partie ist aus.
no_nothing_to_undo|Es gibt nichts zurückzunehmen.
no_bad_value|Diese Angabe stimmt nicht.
tag_two|Zwei Karten! Bitte nur eine auflegen.
tag_unreadable|Nicht lesbar. Noch einmal ruhig auflegen.
tag_empty|Das Tag ist leer.
tag_foreign|Ein fremdes Tag, keine Spielkarte.
tag_torn|Das Tag ist nur halb beschrieben.
tag_short|Das Tag ist nur halb beschrieben.
tag_wrong_version|Das Tag hat eine andere Version.
tag_malformed|Der Inhalt des Tags ist kaputt.
tag_unsealed|Die Karte hat kein Siegel.
tag_unknown_key|Das Siegel ist von einer anderen Liga.
tag_bad_seal|Das Siegel ist falsch: kopiert oder verändert.
tag_replaced|{}: Dieses Tag wurde ersetzt. Nimm das neue.
tag_wrong_kind|Diese Karte hat hier keine Bedeutung.
tag_wrong_deck|Die Karte ist aus einem anderen Deck.
tag_unknown_deck|Dieses Deck kennt die Box nicht. Leg die Deckkarte auf.
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
arbiter_abandon|Partie abbrechen
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
over_time|Zeit abgelaufen
over_hand_empty|Hand ist leer
cards|{} Karten
cards_one|{} Karte
result_points|{} Punkte
result_points_one|{} Punkt
result_ok|OK: Ergebnis gilt
result_slip|OK: gilt; Tag: Zettel
slip_written|Der Spielzettel ist geschrieben. Bring ihn zum Turniertisch.
slip_no_key|Die Box hat keinen Schlüssel. Ohne ihn kein Spielzettel.
slip_too_small|Das Tag ist zu klein oder gesperrt. Nimm ein NTAG215.
slip_failed|Nicht geschrieben. Noch einmal ruhig auflegen.
own_key|Schlüssel der Box
own_key_lost|Er war beschädigt, es gibt einen neuen. Box neu eintragen.
own_key_weak|Die Zufallsquelle ist gestört: kein eigener Schlüssel. Ergebnisse ohne Unterschrift.
slip_title|Spielzettel
slip_signing|Unterschrift: {} %
slip_stay|Liegen lassen.
enrol_box|Box:
enrol_desk|Laptop:
update_refused|Neue Firmware
update_no_signature|Abgelehnt: Sie hat keine Unterschrift. Die Box will die ihres Laptops.
update_bad_signature|Abgelehnt: Die Unterschrift passt nicht. Nichts wurde geändert.
update_old_version|Abgelehnt: Sie ist älter als die, die läuft. Nichts wurde geändert.
update_other_board|Abgelehnt: Sie ist für eine andere Platine. Nichts wurde geändert.
enrol_compare|Gleich am Laptop? OK
resumed_title|Weiter geht's
resuming|Einen Moment: Die Partie wird geladen.
resumed|Der Strom war weg. Spielt weiter, es fehlt nichts.
resumed_clock|Der Strom war weg, die Uhr steht. JURY: weiter.
journal_lost|Die letzte Partie ist nicht mehr lesbar. Jury rufen.
journal_damaged|Der Strom war weg, das Journal ist beschädigt. Jury rufen.
stuck_title|Partie {} klemmt
stuck|Dreimal ohne Erfolg geöffnet. Jury rufen.
stuck_again|Noch einmal öffnen
stuck_aside|Für die Leitung aufheben
stuck_done|Es bleibt ganz auf der Box, bis die Leitung es holt.
"""
