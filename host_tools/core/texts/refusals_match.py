"""Refusals of the tournament's desk, German and English: players, draws, matches, prints.

A test compares keys and placeholders. The English ones have no full stop: `schiri: ` goes before.
"""

AND = {"de": " und ", "en": " and "}

MATCHES = {
    "de": {
        # setting up
        "no_name": "Das Turnier braucht einen Namen.",
        "no_power_of_two": "Am K.-o. nehmen 2, 4, 8, 16 … Spieler teil, nicht {ko_size}.",
        "no_tables": "Ein Turnier braucht mindestens einen Tisch, nicht {tables}.",
        "no_minutes": "Eine Runde dauert mindestens eine Minute, nicht {minutes}.",
        "size_fixed": "Das K.-o. ist ausgelost; wie viele teilnehmen, steht damit fest.",
        "compare_fixed": "Das K.-o. ist ausgelost; wie die Gruppen verglichen werden, steht damit "
        "fest.",
        # players and groups
        "no_player": "«{player}» steht nicht in der Spielerliste.",
        "several_called": "Den Namen {name} gibt es mehrmals; bitte genauer: {ids}.",
        "id_taken": "Die Nummer «{id}» ist vergeben; bitte eine andere wählen.",
        "entered_already": "{name} ist schon eingetragen, mit der Nummer «{id}».",
        "left_already": "«{player}» ist schon ausgeschieden.",
        "excluded_already": "«{player}» ist schon ausgeschlossen.",
        "not_left": "«{player}» ist nicht ausgeschieden.",
        "group_too_small": "Eine Gruppe braucht mindestens zwei Spieler, nicht {size}.",
        "too_few_present": "Mit {count} Anwesenden gibt es keine Gruppe; bitte zuerst einchecken.",
        "groups_begun": "Die Partie {match} ist schon {status}; "
        "die Gruppen lassen sich nicht mehr auslosen.",
        "nothing_to_plan": "Keine Gruppenpartie ist offen; es gibt nichts zu planen.",
        "not_drawn_yet": "Die Gruppen sind noch nicht ausgelost; bitte wie üblich eintragen.",
        "too_late": "Das K.-o. ist ausgelost; jetzt kann niemand mehr dazukommen.",
        "no_group": "Es gibt keine Gruppe «{group}», nur {groups}.",
        "in_group_already": "{name} spielt schon in der Gruppe {group}.",
        "has_left": "{name} ist ausgeschieden; bitte zuerst wieder aufnehmen.",
        "player_nameless": "«{player}» braucht einen Namen.",
        "seed_taken": "Setzplatz {seed} hat schon {name}.",
        "not_removed": "«{player}» wurde nicht gelöscht.",
        "remove_undrawn": "{name} ist in Gruppe {group} ausgelost, mit {count} Partien, "
        "{played} davon gespielt. Bitte auschecken und neu auslosen; danach lässt sich der "
        "Eintrag löschen.",
        "remove_drawn": "{name} spielt in Gruppe {group}: {count} Partien, {played} davon "
        "gespielt. Bitte zurückziehen; was gespielt ist, bleibt, die übrigen Partien gewinnen "
        "die Gegner.",
        # calls
        "no_match": "Es gibt keine Partie «{match}»; siehe die Liste der Partien.",
        "not_callable": "Die Partie {match} ist {status}; aufrufen lässt sie sich nicht mehr.",
        "no_table": "Es gibt keinen Tisch {table}; in der Halle stehen die Tische 1 bis {tables}.",
        "table_busy": "Partie {match}: An Tisch {table} läuft noch die Partie {other}.",
        "player_busy": "Partie {match}: Jemand von den beiden spielt noch die Partie {other}.",
        "tables_taken": "Alle Tische sind besetzt; bitte zuerst ein Ergebnis eintragen.",
        "not_late": "Die Partie {match} ist {status}; zu spät ist nur, wer aufgerufen ist.",
        "still_time": "Partie {match}: Von den zwei Minuten bleiben noch {seconds} s (SW-7).",
        # results
        "negative_cards": "Partie {match}: Weniger als 0 Karten hat niemand.",
        "too_many_cards": "Partie {match}: {cards} ergibt {total} Karten, gespielt wird mit "
        "{most}; bitte den Zettel noch einmal ansehen.",
        "odd_result": "Partie {match}: {detail}. Bitte noch einmal ansehen; wenn es stimmt, "
        "bestätigen.",
        "odd_cards": "{cards} ergibt {total} Karten, eine ungerade Zahl",
        "no_such_report": "Die Partie {match} hat keine solche Meldung.",
        "report_stays": "Partie {match}: Zurücknehmen lässt sich nur eine Meldung von Hand; was "
        "eine Box oder ein Chip-Zettel sagt, bleibt.",
        "not_to_start": "Die Partie {match} ist {status}; beginnen kann nur eine aufgerufene.",
        "has_begun": "Die Partie {match} läuft seit {time} Uhr (UTC): beide sind da.",
        "no_unplaced": "«{journal}» ist keines der Ergebnisse, die zu keiner Partie passen.",
        "seats_unclear": "Partie {match}: Die Namen sagen nicht, wer welchen Platz hatte; "
        "bitte angeben.",
        "not_playing": "Partie {match}: «{player}» spielt darin nicht.",
        "counts_twelve": "Partie {match}: «{kind}» zählt 12:0 oder 0:12 (SW-7).",
        "wrong_winner": "Partie {match}: Nach Karten siegt «{ahead}», nicht «{winner}».",
        "winner_needed": "Partie {match}: Im K.-o. braucht es einen Sieger; "
        "die Jury entscheidet (SW-5).",
        "locked": "Die Partie {match} ist gesperrt; es braucht eine Korrektur der Jury.",
        "counted_already": "Die Partie {match} ist schon {status}; bitte stattdessen korrigieren.",
        "no_report": "Die Partie {match} ist noch nicht gemeldet; bitte die Karten eintragen.",
        "reports_disagree": "Partie {match}: Die Meldungen widersprechen sich ({reports}); "
        "bitte eintragen, was zählt.",
        "journal_contested": "Partie {match}: Das Protokoll der Box ist strittig; "
        "bitte eintragen, was zählt.",
        "not_lockable": "Die Partie {match} ist {status}; "
        "sperren lässt sich nur ein geprüftes Ergebnis.",
        "many_cards": "{cards} ergibt {total} Karten; ein Deck hat höchstens {most}",
        "few_cards": "{cards} ergibt nur {total} Karten",
        # corrections
        "nothing_to_correct": "Die Partie {match} hat kein Ergebnis zum Korrigieren; "
        "bitte eintragen.",
        "same_result": "Die Partie {match} hat dieses Ergebnis schon.",
        "played_on": "Partie {match}: Auf diesem Ergebnis wurde weitergespielt ({matches}); "
        "nur die Jury kann die Korrektur erzwingen.",
        "seeds_move": "Partie {match}: Die Korrektur ändert, wer sich qualifiziert oder wer wie "
        "gesetzt ist, und das K.-o. ist ausgelost. Aufgerufen ist daraus noch nichts: bitte den "
        "Baum mit der Korrektur neu auslosen, oder die Jury erzwingt sie, und die Setzliste "
        "bleibt.",
        "seeds_stay": "Partie {match}: Die Korrektur ändert, wer sich qualifiziert oder wer wie "
        "gesetzt ist, und aus dem K.-o. ist {begun} schon {status}. Nur die Jury kann sie "
        "erzwingen; die ausgeloste Setzliste bleibt.",
        "redraw_tied": "Partie {match}: Mit der Korrektur sind gleichauf in allem: {players}. "
        "Bitte die Korrektur erzwingen, dann das Los ziehen und den Baum neu auslosen.",
        "nothing_to_void": "Die Partie {match} hat kein Ergebnis; es gibt nichts zu öffnen.",
        "void_later_first": "Partie {match}: Darauf wurde weitergespielt ({matches}); "
        "bitte zuerst dort wieder öffnen.",
        "void_drawn_on": "Partie {match}: Das K.-o. ist aus den Gruppen ausgelost; "
        "nur die Jury kann es erzwingen.",
        # lots and knock-out
        "lot_too_early": "Es sind noch Gruppenpartien zu spielen; das Los kommt nach der letzten.",
        "no_such_tie": "Diese Spieler sind nicht gleichauf; die Tabellen zeigen, wer es ist.",
        "no_tie": "Es fehlt kein Los.",
        "no_groups": "Es gibt noch keine Gruppen; bitte zuerst auslosen.",
        "tree_begun": "Die Partie {match} ist schon {status}; "
        "der K.-o.-Baum lässt sich nicht mehr auslosen.",
        "groups_unfinished": "Gruppenpartien noch nicht geprüft ({count}): {shown}",
        "lot_first": "Gleichauf in allem: {players}. Bitte zuerst das Los ziehen.",
        "too_few_left": "Ein K.-o. braucht zwei Spieler; zu viele sind ausgeschieden.",
        "too_few_qualify": "Ein K.-o. braucht zwei Spieler; "
        "bitte nachsehen, wer in den Gruppen und wer ausgeschlossen ist.",
        # prints
        "nothing_to_call": "Alle Partien haben ein Ergebnis; es gibt nichts aufzurufen.",
        "no_slips": "Alle Partien haben ein Ergebnis; es gibt keinen Zettel zu drucken.",
        "no_tree": "Das K.-o. ist noch nicht ausgelost; bitte zuerst auslosen.",
        "no_final": "Der Final ist noch nicht entschieden; die Urkunden kommen danach.",
        "no_certificate": "«{player}» hat keinen Platz in der Schlussrangliste.",
        # boxes and slips without a match: said behind the box's name
        "other_tournament": "gehört zum Turnier «{tournament}»",
        "names_no_match": "nennt die Partie «{match}», die es nicht gibt",
        "no_pairing": "{a} und {b} haben keine Partie gegeneinander",
        "several_fit": "passt zu {matches}; bitte von Hand eintragen",
        "names_no_two": "nennt keine zwei Spieler; vor der Partie die Ausweise auf die Box legen",
        "badge_of_two": "bringt den Ausweis {player} von «{name}»; das sind hier zwei Personen",
        "names_several": "nennt «{player}», diesen Namen haben mehrere; "
        "nur Ausweise sagen, wer es war",
        "names_stranger": "nennt «{player}», der Name steht nicht in der Spielerliste",
    },
    "en": {
        # setting up
        "no_name": "the tournament needs a name",
        "no_power_of_two": "the knock-out takes 2, 4, 8, 16 … players, not {ko_size}",
        "no_tables": "a tournament needs a table, not {tables}",
        "no_minutes": "a slot lasts a minute at least, not {minutes}",
        "size_fixed": "the knock-out is drawn; its size cannot be changed any more",
        "compare_fixed": "the knock-out is drawn; how groups are compared cannot be changed any "
        "more",
        # players and groups
        "no_player": "there is no player {player!r}; see `schiri tournament players`",
        "several_called": "several players are called {name}; say which: {ids}",
        "id_taken": "player id {id!r} is taken; choose another",
        "entered_already": "{name} is entered already, as {id!r}",
        "left_already": "{player!r} has left already",
        "excluded_already": "{player!r} is excluded already",
        "not_left": "{player!r} has not left",
        "group_too_small": "a group needs two players at least, not {size}",
        "too_few_present": "{count} players cannot be drawn into groups; check players in first",
        "groups_begun": "match {match} is {status} already; the groups cannot be drawn again",
        "nothing_to_plan": "no group match is open; there is nothing to plan",
        "not_drawn_yet": "the groups are not drawn yet; enter the player as usual",
        "too_late": "the knock-out is drawn; nobody can enter any more",
        "no_group": "there is no group {group!r}; there are {groups}",
        "in_group_already": "{name} plays in group {group}",
        "has_left": "{name} has left the tournament; reinstate them first",
        "player_nameless": "{player!r} needs a name",
        "seed_taken": "{name} has seed {seed} already",
        "not_removed": "{player!r} was not removed",
        "remove_undrawn": "{name} is drawn into group {group} with {count} matches, {played} of "
        "them played; check them out and draw again, then the entry can be removed",
        "remove_drawn": "{name} plays in group {group}: {count} matches, {played} of them played; "
        "withdraw them instead: what was played stands, their opponents win the others",
        # calls
        "no_match": "there is no match {match!r}; see `schiri tournament matches`",
        "not_callable": "match {match} is {status}; it cannot be called",
        "no_table": "there is no table {table}; the hall has {tables}",
        "table_busy": "match {match}: table {table} is busy with match {other}",
        "player_busy": "match {match}: one of the players is busy with match {other}",
        "tables_taken": "all tables are taken; enter a result first",
        "not_late": "match {match} is {status}; only a called player can be late",
        "still_time": "match {match}: {seconds} seconds are left of the two minutes (SW-7)",
        # results
        "negative_cards": "match {match}: cards cannot be negative",
        "too_many_cards": "match {match}: {cards} makes {total} cards, {most} are played with; "
        "look at the slip again",
        "odd_result": "match {match}: {detail}; look again, and confirm it if it is right",
        "odd_cards": "{cards} makes {total} cards, an odd number",
        "no_such_report": "match {match} has no such report",
        "report_stays": "match {match}: only a report by hand can be taken back; what a box or a "
        "slip tag says stays",
        "not_to_start": "match {match} is {status}; only a called one can begin",
        "has_begun": "match {match} runs since {time} (UTC): both are there",
        "no_unplaced": "{journal!r} is none of the results that fit no match",
        "seats_unclear": "match {match}: the names do not tell who sat where; please say",
        "not_playing": "match {match}: {player!r} does not play in it",
        "counts_twelve": "match {match}: a {kind} match counts 12:0 or 0:12 (SW-7)",
        "wrong_winner": "match {match}: the cards make {ahead!r} the winner, not {winner!r}",
        "winner_needed": "match {match}: a knock-out match needs a winner; "
        "the jury decides (SW-5)",
        "locked": "match {match} is locked; a jury correction is needed",
        "counted_already": "match {match} is {status} already; correct it instead",
        "no_report": "match {match} has no report yet; enter the cards",
        "reports_disagree": "match {match}: the reports disagree ({reports}); enter what counts",
        "journal_contested": "match {match}: the box's journal is contested; enter what counts",
        "not_lockable": "match {match} is {status}; only a checked result can be locked",
        "many_cards": "{cards} makes {total} cards; a deck has {most} at most",
        "few_cards": "{cards} makes only {total} cards",
        # corrections
        "nothing_to_correct": "match {match} has no result to correct; enter it instead",
        "same_result": "match {match} has this result already",
        "played_on": "match {match}: {matches} was played on this result; "
        "only the jury can force the correction",
        "seeds_move": "match {match}: the correction changes who qualified or how they are "
        "seeded, and the knock-out is drawn; none of it was called yet: draw the tree anew with "
        "the correction, or the jury forces it and the seeds stay",
        "seeds_stay": "match {match}: the correction changes who qualified or how they are "
        "seeded, and {begun} of the knock-out is {status} already; only the jury can force it, "
        "and the drawn seeds stay",
        "redraw_tied": "match {match}: the correction makes {players} level in everything; force "
        "the correction, then draw the lot and the tree again",
        "nothing_to_void": "match {match} has no result to void",
        "void_later_first": "match {match}: {matches} was played on it; void that first",
        "void_drawn_on": "match {match}: the knock-out is drawn on the groups; "
        "only the jury can force it",
        # lots and knock-out
        "lot_too_early": "group matches are still to be played; a lot comes after the last one",
        "no_such_tie": "these players are not an open tie; see `standings` for the open ones",
        "no_tie": "there is no open tie",
        "no_groups": "there are no groups yet; draw them first",
        "tree_begun": "match {match} is {status} already; the tree cannot be drawn again",
        "groups_unfinished": "{count} group matches are not checked yet: {shown}",
        "lot_first": "level in everything: {players}; draw the lot first",
        "too_few_left": "a knock-out needs two players; too many have left",
        "too_few_qualify": "a knock-out needs two players; check the groups and who was excluded",
        # prints
        "nothing_to_call": "every match has a result; there is nothing to call",
        "no_slips": "every match has a result; there is no slip to print",
        "no_tree": "the knock-out is not drawn yet; draw it first",
        "no_final": "the final is not decided yet; certificates come after it",
        "no_certificate": "{player!r} has no place in the final ranking",
        # boxes and slips without a match: said behind the box's name
        "other_tournament": "belongs to the tournament {tournament!r}",
        "names_no_match": "names match {match!r}, which does not exist",
        "no_pairing": "{a} and {b} have no match against each other",
        "several_fit": "fits {matches}; enter it by hand",
        "names_no_two": "names no two players; lay the badges on the box before a match",
        "badge_of_two": "brings the badge {player} of {name!r}; these are two players here",
        "names_several": "names {player!r}, and several are called so; only badges can tell",
        "names_stranger": "names {player!r}, who is not in the player list",
    },
}
