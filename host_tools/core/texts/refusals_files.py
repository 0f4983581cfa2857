"""Refusals about files, the log, the database and the command line, German and English.

A test compares keys and placeholders. Names of fields and options stay as programs know them.
"""

import errno

FILES = {
    "de": {
        "unreadable": "{path} lässt sich nicht lesen: {system}.",
        "unwritable": "{path} lässt sich nicht schreiben: {system}.",
        # player lists
        "no_text_file": "{file} ist keine Textdatei; bitte als CSV (UTF-8) speichern.",
        "list_empty": "{file} ist leer; die erste Zeile nennt die Spalten: Name, Verein, "
        "Setzplatz.",
        "list_nameless": "{file}, Zeile 1: Die Spalte «Name» fehlt; möglich sind Name, Verein, "
        "Setzplatz.",
        "faults": "{faults}",
        "list_fault": "{file}, Zeile {line}, {column}: {detail}",
        "fault_missing": "fehlt",
        "fault_same_name": "«{name}» aus demselben Verein steht schon in Zeile {earlier}",
        "fault_same_id": "«{id}» steht schon in Zeile {earlier}",
        "fault_same_seed": "{seed} steht schon in Zeile {earlier}",
        "fault_no_seed": "«{text}» ist keine Zahl ab 1",
        "fault_unsafe": "enthält ein Zeichen, das sich nicht zeigen lässt ({code})",
        "fault_long": "hat {count} Zeichen; höchstens {most} gehen",
        "text_fault": "«{text}» {detail}.",
        # tournament files
        "file_fault": "{file}: {detail}",
        "place_fault": "{place}: {detail}",
        "fault_format": "Das Format ist «{format}», dieses Programm liest «{known}»",
        "fault_ko_size": "ko_size {ko_size} ist keine Zweierpotenz",
        "fault_player_twice": "«{id}» steht zweimal in der Spielerliste",
        "fault_group_twice": "Die Gruppe «{group}» gibt es zweimal",
        "fault_stranger": "«{id}» steht nicht in der Spielerliste",
        "fault_group_stranger": "Gruppe «{group}»: «{id}» steht nicht in der Spielerliste",
        "fault_two_groups": "«{id}» steht in den Gruppen «{group}» und «{other}»",
        "fault_named_twice": "«{id}» steht zweimal da",
        "fault_lot_twice": "lots[{number}] nennt jemanden zweimal",
        "fault_result_twice": "{a} gegen {b} hat schon ein Ergebnis",
        "fault_no_place": "braucht entweder eine Gruppe oder eine Runde",
        "fault_alone": "«{id}» kann nicht gegen sich selbst spielen",
        "fault_negative": "Weniger als 0 Karten hat niemand",
        "fault_winner": "«{id}» hat gewonnen, aber nicht gespielt",
        "fault_no_group": "Es gibt keine Gruppe «{group}»",
        "fault_not_in_group": "«{id}» spielt nicht in {group}",
        "fault_not_in_tournament": "«{id}» spielt nicht in diesem Turnier",
        "import_not_empty": "Das Turnier hat schon Spieler; bitte in ein neues einlesen.",
        "fits_no_match": "{a} gegen {b} passt zu keiner Partie des K.-o.-Baums.",
        "stray_result": "{path}: {a} gegen {b} in «{round}» ist keine Partie des K.-o.-Baums; "
        "bitte den Namen der Runde prüfen, und ob frühere Ergebnisse dorthin führen.",
        "file_not_drawn": "Ausgelost wird nur ein gespeichertes Turnier; "
        "eine Datei zeigt ihren Baum ohnehin.",
        # logs and books
        "line_fault": "{path}, Zeile {line}: {detail}",
        "fault_gap": "ist Eintrag {event}; eine Zeile fehlt",
        "fault_no_slip": "ist kein gebuchter Zettel",
        "log_headless": "Das Protokoll beginnt nicht mit dem Anlegen eines Turniers.",
        "event_unreadable": "Eintrag {event} des Protokolls lässt sich nicht lesen ({detail}); er "
        "ist beschädigt, oder ein neueres schiri hat ihn geschrieben: bitte dieses aktualisieren.",
        "event_unfitting": "Eintrag {event} des Protokolls passt zu nichts davor; die Datenbank "
        "wurde von Hand geändert: bitte die letzte Sicherung nehmen.",
        "event_missing": "Eintrag {event} fehlt im Protokoll.",
        "event_changed": "Eintrag {event} des Protokolls wurde nachträglich geändert.",
        "state_differs": "Vor Eintrag {event} steht das Turnier anders da, als der Turniertisch "
        "es damals sah; hat ein anderes schiri den Eintrag geschrieben?",
        "log_differs": "Das Protokoll ergibt ein anderes Turnier, als dieser Turniertisch zeigt.",
        # tournaments in the database
        "no_tournament": "Es gibt kein Turnier «{tournament}»; `schiri tournament list` zeigt "
        "alle.",
        "none_yet": "Es gibt noch kein Turnier; `schiri tournament new NAME` legt eines an.",
        "which_tournament": "Welches Turnier? Bitte --tournament mit einem davon: {ids}.",
        "bad_id": "«{id}» taugt nicht als Kennung; erlaubt sind kleine Buchstaben, Ziffern und "
        "Bindestriche.",
        "tournament_exists": "Das Turnier «{tournament}» gibt es schon; bitte mit --id eine "
        "andere Kennung wählen.",
        "desks_busy": "Andere Turniertische schreiben ununterbrochen; bitte gleich noch einmal.",
        # the database
        "db_url": "{text} ist keine Adresse einer Datenbank; so sieht eine aus: "
        "postgresql://user@host/name.",
        "db_missing": "Die Datenbank {where} gibt es nicht; ist der Name richtig?",
        "db_unmade": "{where} lässt sich nicht anlegen: {system}.",
        "db_driver": "Für {driver} fehlt der Treiber; bitte schiri[postgres] installieren.",
        "db_newer": "{where} stammt von einem neueren schiri (Version {version} der Tabellen); "
        "bitte dieses aktualisieren.",
        "db_locked": "Ein anderes Programm hält die Datenbank {where} gesperrt; bitte zuerst "
        "beenden.",
        "db_full": "Der Datenträger mit {where} ist voll; bitte Platz schaffen und neu starten.",
        "db_closed": "{where} lässt sich nicht öffnen; gibt es den Ordner?",
        "db_read_only": "{where} lässt sich nur lesen; bitte die Rechte von Datei und Ordner "
        "prüfen.",
        "db_none": "{where} ist keine Datenbank; bitte mit --db eine andere Datei angeben.",
        "db_damaged": "{where} ist beschädigt; bitte die letzte Kopie nehmen und die Boxen neu "
        "abgleichen.",
        "db_unreachable": "Die Datenbank {where} ist nicht erreichbar; läuft sie, stimmt das "
        "Passwort?",
        "db_says": "Die Datenbank {where} meldet: {text}",
        # users and addresses of the desk
        "users_damaged": "{path} ist keine Liste von Benutzern: {detail}",
        "user_nameless": "Ein Benutzer braucht einen Namen ohne Leerzeichen darum.",
        "user_exists": "Den Benutzer «{user}» gibt es schon; bitte das Passwort ändern oder ihn "
        "zuerst entfernen.",
        "no_user": "Es gibt keinen Benutzer «{user}»; `schiri desk user list` zeigt alle.",
        "password_short": "Ein Passwort braucht mindestens {shortest} Zeichen.",
        "not_listening": "{host}, Port {port}, ist nicht zu haben: {system}; "
        "bitte einen anderen --port wählen.",
        # the command line
        "no_cards": "«{text}» ist kein Ergebnis; bitte die Karten beider, etwa 20:12.",
        "day_size": "Eine Probe hat {fewest} bis {most} Spieler, nicht {count}.",
    },
    "en": {
        "unreadable": "{path}: cannot be read: {system}",
        "unwritable": "{path}: cannot be written: {system}",
        # player lists
        "no_text_file": "{file}: is no text file; save it as CSV (UTF-8)",
        "list_empty": "{file}: is empty; the first line names the columns: name, club, seed",
        "list_nameless": "{file}, line 1: no column 'name'; the headings are name, club, seed",
        "faults": "{faults}",
        "list_fault": "{file}, line {line}, {column}: {detail}",
        "fault_missing": "is missing",
        "fault_same_name": "{name!r} of the same club stands in line {earlier} already",
        "fault_same_id": "{id!r} stands in line {earlier} already",
        "fault_same_seed": "{seed} is given in line {earlier} already",
        "fault_no_seed": "{text!r} is no number from 1",
        "fault_unsafe": "holds a character that cannot be shown ({code})",
        "fault_long": "has {count} characters; {most} are possible",
        "text_fault": "{text!r} {detail}",
        # tournament files
        "file_fault": "{file}: {detail}",
        "place_fault": "{place}: {detail}",
        "fault_format": "format is {format!r}, this program reads {known!r}",
        "fault_ko_size": "ko_size {ko_size} is not a power of two",
        "fault_player_twice": "player {id!r} is listed twice",
        "fault_group_twice": "group {group!r} is listed twice",
        "fault_stranger": "player {id!r} is not in the player list",
        "fault_group_stranger": "group {group!r}: player {id!r} is not in the player list",
        "fault_two_groups": "player {id!r} is in group {group!r} and {other!r}",
        "fault_named_twice": "player {id!r} is listed twice",
        "fault_lot_twice": "lots[{number}] names a player twice",
        "fault_result_twice": "{a} against {b} has a result already",
        "fault_no_place": "needs either a group or a round",
        "fault_alone": "{id!r} cannot play against themselves",
        "fault_negative": "cards cannot be negative",
        "fault_winner": "winner {id!r} did not play",
        "fault_no_group": "there is no group {group!r}",
        "fault_not_in_group": "player {id!r} does not play in {group}",
        "fault_not_in_tournament": "player {id!r} does not play in this tournament",
        "import_not_empty": "the tournament has players already; import into a new one",
        "fits_no_match": "{a} against {b} fits no match of the tree",
        "stray_result": "{path}: {a} against {b} in {round!r} is no match of the tree; "
        "check the round's name, and whether earlier results lead there",
        "file_not_drawn": "only a stored tournament is drawn; a file shows its tree anyway",
        # logs and books
        "line_fault": "{path}, line {line}: {detail}",
        "fault_gap": "is event {event}; a line is missing",
        "fault_no_slip": "is no booked slip",
        "log_headless": "the log does not begin with the making of a tournament",
        "event_unreadable": "event {event} of the log cannot be read ({detail}); it is damaged, "
        "or a newer schiri wrote it: update this one",
        "event_unfitting": "event {event} of the log fits nothing before it; the database was "
        "changed by hand: take the last backup",
        "event_missing": "event {event} is missing in the log",
        "event_changed": "event {event} of the log was changed after it was written",
        "state_differs": "before event {event} the tournament stands otherwise than the desk saw "
        "it then; was the event written by another version of schiri?",
        "log_differs": "the log gives another tournament than this desk shows",
        # tournaments in the database
        "no_tournament": "there is no tournament {tournament!r}; `schiri tournament list` shows "
        "them",
        "none_yet": "there is no tournament yet; make one with `schiri tournament new NAME`",
        "which_tournament": "which tournament? Say --tournament with one of {ids}",
        "bad_id": "{id!r} is no id; small letters, digits and hyphens are allowed",
        "tournament_exists": "there is a tournament {tournament!r} already; choose another id "
        "with --id",
        "desks_busy": "other desks write all the time; try again in a moment",
        # the database
        "db_url": "{text} is no database URL; write postgresql://user@host/name",
        "db_missing": "there is no database {where}; is its name right?",
        "db_unmade": "{where} cannot be made: {system}",
        "db_driver": "no driver for {driver}; install schiri[postgres]",
        "db_newer": "{where} was made by a newer schiri (version {version} of its tables); "
        "update this one",
        "db_locked": "another program keeps the database {where} locked; close it first",
        "db_full": "the disk with {where} is full; make room and start again",
        "db_closed": "{where} cannot be opened; does its folder exist?",
        "db_read_only": "{where} may only be read; check the rights of file and folder",
        "db_none": "{where} is no database; give another file with --db",
        "db_damaged": "{where} is damaged; take the last copy and sync the boxes again",
        "db_unreachable": "the database {where} cannot be reached; is it running, is the password "
        "right?",
        "db_says": "the database {where} says: {text}",
        # users and addresses of the desk
        "users_damaged": "{path}: is no list of desk users: {detail}",
        "user_nameless": "a user needs a name without spaces around it",
        "user_exists": "user {user!r} exists; change the password or remove it first",
        "no_user": "there is no user {user!r}; `schiri desk user list` shows them",
        "password_short": "a password needs {shortest} characters at least",
        "not_listening": "cannot listen on {host} port {port}: {system}; choose another --port",
        # the command line
        "no_cards": "{text!r} is no result; write the cards of both players, such as 20:12",
        "day_size": "a day is simulated with {fewest} to {most} players, not {count}",
    },
}

# what the operating system says, by its number; unknown ones stay in the system's words
SYSTEM: dict[str, dict[int, str]] = {
    "de": {
        errno.ENOENT: "Datei oder Ordner fehlt",
        errno.EACCES: "keine Berechtigung",
        errno.EPERM: "nicht erlaubt",
        errno.EISDIR: "das ist ein Ordner",
        errno.ENOTDIR: "das ist kein Ordner",
        errno.ENOSPC: "der Datenträger ist voll",
        errno.EROFS: "der Datenträger lässt sich nur lesen",
        errno.EADDRINUSE: "ein anderes Programm benutzt ihn",
        errno.EADDRNOTAVAIL: "diese Adresse hat der Laptop nicht",
    },
    "en": {},
}
