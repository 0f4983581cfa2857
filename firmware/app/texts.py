"""Every word the box shows: the key, then the German and the English text.

What begins with `news_`, `no_`, `tag_` or holds a full stop is wrapped over several lines; all
else must fit one line. `{}` is filled in. A test finds missing, unused and too wide texts. It is
one long string because a table of strings costs three times the memory.
"""

TABLE = """
seat
    Platz {}
    Seat {}
jury
    Jury
    Jury
reader
    Kartenleser
    Card reader
refused
    Geht nicht
    Not possible
language
    Deutsch
    English
decimal_mark
    ,
    .
why
    Warum?
    Why?
which_group
    Welche Gruppe?
    Which group?
which_card
    Welche Karte?
    Which card?
counts
    Stand
    Cards
pot
    Topf {}
    Pot {}
round
    Stich
    Trick
menu_game
    Spiel
    Game
menu_preset
    Variante
    Variant
menu_deck
    Deck
    Deck
menu_no_deck
    auflegen
    lay it down
menu_seats
    Plätze
    Seats
menu_stage
    Runde
    Stage
menu_language
    Sprache
    Language
menu_start
    Start →
    Start →
lay_deck
    Leg eine Deckkarte oder eine Karte des Decks auf.
    Lay down a deck card or a card of the deck.
game_trumpf
    Trumpf
    Trumpf
game_quartett
    Quartett
    Quartett
game_cafe
    Café
    Café
game_hattrick
    Hattrick
    Hattrick
preset_swiss
    Schweizer
    Swiss
preset_gastro
    Gastro
    Gastro
preset_kneipe
    Kneipe
    Kneipe
preset_board
    Brettspiel
    Board game
preset_app
    App-Spiel
    App game
stage_group
    Gruppe
    Group
stage_ko
    K.-o.
    Knock-out
stage_final
    Finale
    Final
journal_full
    Der Speicher ist voll. Erst die Spiele abholen.
    The memory is full. Fetch the matches first.
cannot_open
    Kein Start
    No start
no_file
    Die Datei von Deck oder Brett fehlt auf der Box.
    The file of the deck or board is not on the box.
back
    ← zurück
    ← back
who_deals
    Wer gibt?
    Who deals?
hattrick_hand
    Spiel {} von {}
    Hand {} of {}
hattrick_last
    {}: letzte Karte
    {}: last card
suit_R
    Rot
    Red
suit_G
    Grün
    Green
suit_B
    Blau
    Blue
hattrick_passes
    Pässe
    Passes
hattrick_totals
    Punkte
    Points
hattrick_trick
    {} ({}): {}
    {} ({}): {}
hattrick_leads
    {} spielt aus
    {} leads
hattrick_deals
    {} gibt
    {} deals
hattrick_scores
    Abrechnung
    Scores
quartett_asks
    {} fragt
    {} asks
quartett_which
    {}: welche Karte?
    {}: which card?
quartett_asked
    {}: hast du {}?
    {}: have you {}?
quartett_has
    {} K. {} Q.
    {} c. {} q.
quartett_hand_over
    Ja: Karte auflegen
    Yes: lay the card
quartett_deny
    Nein, habe ich nicht
    No, I do not
quartett_tap
    Leg die Karte auf den Leser.
    Lay the card on the reader.
quartett_lay
    Quartett ablegen
    Lay a quartet
quartett_done
    Kein Quartett mehr
    No more quartets
quartett_who_lays
    Wer legt ab?
    Who lays?
quartett_lays
    {} legt ab
    {} lays
quartett_four_taps
    Vier Karten auflegen
    Tap four cards
quartett_back
    OK: zurück
    OK: back
news_given
    {} gibt {} die {}.
    {} gives {} the {}.
news_denied
    {} hat {} nicht und fragt weiter.
    {} has no {} and asks on.
news_quartet
    {} legt das Quartett {}.
    {} lays quartet {}.
news_false_denial
    {} hatte {} doch! Gelogen bei Zug {}.
    {} had {} after all! False in move {}.
cafe_lay_guest
    Gast auflegen, OK: mehr
    Lay a guest, OK: more
cafe_lay_bar
    Gast für die Bar auflegen
    Lay a guest for the bar
cafe_lay_swap
    Gast für den Tausch
    Lay the guest to swap in
cafe_new_card
    Neue Tischkarte {}
    New table card {}
cafe_no_card
    keine mehr da
    none is left
cafe_which_joker
    Welcher Joker?
    Which joker?
cafe_chair_for
    {}: welcher Stuhl?
    {}: which chair?
cafe_table_for
    {}: welcher Tisch?
    {}: which table?
cafe_leftover
    Rest auflegen {}/{}
    Lay the rest {}/{}
cafe_hands
    Hand {}
    Hands {}
cafe_bar_bag
    Bar {}  Beutel {}
    Bar {}  Bag {}
cafe_done
    Zug beenden
    End the turn
cafe_bar
    Gast an die Bar
    Guest to the bar
cafe_swap
    Joker tauschen
    Swap a joker
cafe_again
    Von vorn
    From the start
cafe_chair_first
    Erst den Stuhl für diesen Gast wählen.
    First choose the chair of this guest.
cafe_joker_first
    Erst den Stuhl des Jokers wählen.
    First choose the joker's chair.
cafe_cannot_pay
    Nicht genug Punkte
    Not enough points
cafe_forced
    Trotzdem: raus
    Do it: I am out
cafe_placed
    {} auf {}
    {} on {}
cafe_points
    +{} Punkte = {}
    +{} points = {}
news_completed
    Tisch {} ist voll.
    Table {} is full.
news_completed_one
    Tisch {} ist voll, nur Landsleute: Handlimit −1.
    Table {} is full, one nation: hand limit −1.
news_cleared
    Tisch {} wird geräumt, Wertung ×{}.
    Table {} is cleared, score ×{}.
news_barred
    {} an der Bar, Feld {}: {} Punkte = {}
    {} at the bar, field {}: {} points = {}
news_swapped
    {} kommt auf die Hand, {} auf den Stuhl.
    {} into the hand, {} onto the chair.
news_left_over
    {}: {} Punkte für die Restgäste.
    {}: {} points for guests left over.
who_begins
    Wer beginnt?
    Who begins?
lay_card
    {}: Karte auflegen
    {}: lay your card
jury_decides
    Die Jury entscheidet
    The jury decides
trumpf_call
    {} sagt an
    {} calls
hint_joker
    Joker! Jetzt die Karte
    Joker! Now the card
hint_choose
    Karte frei wählbar
    Choose any card
hint_paused
    Uhr steht: JURY
    Clock stopped: JURY
unsealed_mark
    ohne Siegel
    unsealed
late_left
    Verspätung: {}
    Late in: {}
late_over
    Zeit um: SW-7
    Time is up: SW-7
late
    Zwei Minuten
    Two minutes
late_sentence
    Wer jetzt fehlt, kann 12:0 verlieren. JURY drücken.
    Who is absent now may lose 12:0. Press JURY.
news_round_won
    {} gewinnt
    {} wins
news_round_tied
    Gleichstand!
    A tie!
news_cards
    {} Karten
    {} cards
news_cards_pot
    {} Karten, Topf {}
    {} cards, pot {}
news_value_missing
    Die Karte von {} hat kein(e) {}. Bitte neu ansagen.
    {}'s card has no {}. Call again.
news_moved
    {} gibt {} Karten: {}
    {} hands {} cards: {}
news_order_suspect
    {}: {} kann nicht die oberste Karte sein ({}).
    {}: {} cannot be the top card ({}).
news_time_up
    Die Zeit ist um!
    Time is up!
news_extended
    Unentschieden: 3 Minuten Verlängerung.
    Level: 3 minutes more.
news_sudden
    Immer noch gleich: der nächste Stich gewinnt.
    Still level: the next trick wins.
news_forfeited
    {} verliert 12:0, nicht angetreten.
    {} loses 12:0 by forfeit.
news_excluded
    {} ist ausgeschlossen und verliert 12:0.
    {} is excluded and loses 12:0.
news_undone
    Zug {} ist zurückgenommen.
    Move {} is taken back.
news_pot_won
    {} bekommt den Topf: {} Karten.
    {} gets the pot: {} cards.
news_pot_returned
    Alle nehmen ihre Topfkarten zurück.
    Everybody takes the pot cards back.
news_seat_out
    {} ist ausgeschieden.
    {} is out.
no_not_now
    Das ist jetzt nicht dran.
    Not now.
no_wrong_seat
    Dieser Platz ist nicht dran.
    It is not this seat's turn.
no_unknown_card
    Diese Karte gehört nicht zum Spiel.
    This card is not part of the game.
no_not_yours
    Diese Karte kann hier nicht sein: sie liegt woanders.
    This card cannot be here: it lies elsewhere.
no_already_played
    Diese Karte liegt schon.
    This card has been played already.
no_aside
    Diese Karte wurde beiseitegelegt.
    This card was put aside.
no_joker_not_allowed
    Joker spielen nicht mit.
    Jokers are not in play.
no_no_such_category
    Diese Angabe gibt es nicht.
    There is no such category.
no_value_missing
    Diese Angabe steht nicht auf der Karte.
    The card does not have this value.
no_own_card
    Diese Karte hast du selbst.
    You hold this card yourself.
no_known_holder
    Die Karte ist nachweislich hier.
    The card is known to be here.
no_cannot_hold
    Du kannst keine Karte dieser Gruppe haben.
    You can hold no card of this group.
no_not_a_quartet
    Das ist kein Quartett.
    These are no quartet.
no_not_asked
    Nach dieser Karte wurde nicht gefragt.
    This card was not asked for.
no_chair_taken
    Der Stuhl ist besetzt.
    The chair is taken.
no_wrong_nation
    Falsche Nation für diesen Stuhl.
    Wrong nation for this chair.
no_sexes
    Damen und Herren passen hier nicht.
    Women and men do not balance here.
no_no_score
    Der Gast bringt hier keine Punkte.
    The guest scores nothing here.
no_alone
    Der Gast darf nicht allein bleiben.
    The guest may not stay alone.
no_joker_fits
    Der Joker passt noch an einen Tisch.
    The joker still fits at a table.
no_cannot_pay
    Dafür reichen die Punkte nicht.
    Not enough points for that.
no_no_joker_there
    Auf diesem Stuhl sitzt kein Joker.
    No joker sits on this chair.
no_not_in_hand
    Dieser Gast kann nicht auf der Hand sein.
    This guest cannot be in the hand.
no_clock_stopped
    Die Uhr steht. JURY drücken, dann „Uhr läuft weiter“.
    The clock is stopped. Press JURY, then “Resume clock”.
no_over
    Das Spiel ist aus.
    The match is over.
no_nothing_to_undo
    Es gibt nichts zurückzunehmen.
    There is nothing to take back.
no_bad_value
    Diese Angabe stimmt nicht.
    This cannot be right.
tag_two
    Zwei Karten! Bitte nur eine auflegen.
    Two cards! Lay down one only.
tag_unreadable
    Nicht lesbar. Noch einmal ruhig auflegen.
    Not readable. Lay it down again, calmly.
tag_empty
    Der Tag ist leer.
    The tag is empty.
tag_foreign
    Ein fremder Tag, keine Spielkarte.
    A foreign tag, no playing card.
tag_torn
    Der Tag ist nur halb beschrieben.
    The tag is only half written.
tag_short
    Der Tag ist nur halb beschrieben.
    The tag is only half written.
tag_wrong_version
    Der Tag hat eine andere Version.
    The tag has another version.
tag_malformed
    Der Inhalt des Tags ist kaputt.
    The tag's content is broken.
tag_unsealed
    Die Karte hat kein Siegel.
    The card has no seal.
tag_unknown_key
    Das Siegel ist von einer anderen Liga.
    The seal is of another league.
tag_bad_seal
    Das Siegel ist falsch: kopiert oder verändert.
    The seal is wrong: copied or changed.
tag_wrong_kind
    Diese Karte hat hier keine Bedeutung.
    This card means nothing here.
tag_wrong_deck
    Die Karte ist aus einem anderen Deck.
    The card is of another deck.
tag_unknown_deck
    Dieses Deck kennt die Box nicht. Leg die Deckkarte auf.
    The box does not know this deck. Lay down its deck card.
tag_other_values
    Der Tag sagt andere Werte als das Deck.
    The tag's values differ from the deck's.
reader_restarted
    Der Leser wurde neu gestartet. Noch einmal auflegen.
    The reader was restarted. Lay it down again.
reader_broken
    Der Leser antwortet nicht. Kabel prüfen.
    The reader does not answer. Check its cable.
arbiter_pause
    Uhr anhalten
    Stop the clock
arbiter_resume
    Uhr läuft weiter
    Resume clock
arbiter_undo
    Letzten Zug zurück
    Take back last move
arbiter_hand
    Karte von Hand
    Card by hand
arbiter_penalty
    10 Karten Strafe
    Penalty: 10 cards
arbiter_forfeit
    Nicht angetreten
    Forfeit
arbiter_exclude
    Ausschließen
    Exclude
arbiter_decide
    Sieger bestimmen
    Name the winner
arbiter_abandon
    Spiel abbrechen
    Abandon the match
hand_no_values
    Die Werte dieser Karte kennt die Box noch nicht.
    The box does not know this card's values yet.
why_wrong_card
    falsche Karte
    wrong card
why_wrong_call
    falsch angesagt
    wrong call
why_reader
    Lesefehler
    reading error
why_jury
    Jury-Entscheid
    jury's decision
why_dead_card
    Tag ist kaputt
    tag is dead
why_no_tag
    Karte ohne Tag
    card without tag
why_delay
    Spielverzögerung
    delaying the game
why_late
    zu spät
    too late
why_left
    weggegangen
    left the table
why_cheating
    Betrug
    cheating
why_conduct
    Verhalten
    conduct
why_level
    Gleichstand
    level match
why_dispute
    Streitfall
    dispute
why_break
    Unterbrechung
    interruption
why_fault
    Technik
    technical fault
over_all_cards
    Alle Karten!
    All cards!
over_time
    Zeit abgelaufen
    Time is up
over_jury
    Jury-Entscheid
    Jury's decision
over_forfeit
    Nicht angetreten
    Forfeit
over_excluded
    Ausgeschlossen
    Excluded
over_all_tied
    Unentschieden
    Drawn
over_seat_out
    Einer ist fertig
    A seat is out
over_hand_empty
    Hand ist leer
    Hand is empty
over_last_seat
    Nur noch einer
    Last one left
over_chairs_full
    Alle Stühle voll
    All chairs taken
over_bar_full
    Bar ist voll
    The bar is full
over_bag
    Beutel ist leer
    The bag is empty
over_no_table_card
    Keine Tischkarte
    No table card
over_hands
    Alle Runden
    All hands
over_target
    Ziel erreicht
    Target reached
result_points
    {} K. {} P.
    {} c. {} pts
result_ok
    OK: Ergebnis gilt
    OK: result is final
result_slip
    OK: gilt; Tag: Zettel
    OK: final; tag: slip
slip_written
    Der Zettel ist geschrieben. Bring ihn zum Turniertisch.
    The slip is written. Carry it to the desk.
slip_no_key
    Die Box hat keinen Schlüssel. Ohne ihn kein Zettel.
    The box has no key. Without it no slip.
slip_too_small
    Der Tag ist zu klein oder gesperrt. Nimm einen NTAG215.
    The tag is too small or locked. Take an NTAG215.
slip_failed
    Nicht geschrieben. Noch einmal ruhig auflegen.
    Not written. Lay it down again, calmly.
resumed_title
    Weiter geht's
    Match goes on
resumed
    Strom war weg, die Uhr steht. JURY: weiter.
    Power was lost, the clock is stopped. JURY: go on.
journal_lost
    Das letzte Spiel ist nicht mehr lesbar. Jury rufen.
    The last match cannot be read any more. Call the jury.
journal_damaged
    Strom war weg und das Protokoll ist beschädigt. Jury rufen.
    Power was lost and the record is damaged. Call the jury.
"""
