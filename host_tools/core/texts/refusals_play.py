"""Refusals of the virtual table, German and English.

A test compares keys and placeholders. The English ones have no full stop, as everywhere.
"""

PLAY = {
    "de": {
        # who asks
        "play_link": "Der Link ist unvollständig; bitte den öffnen, den schiri gezeigt hat.",
        "play_other_page": "Diese Anfrage kommt von einer anderen Seite.",
        "play_host_only": "Dieser Link ist für einen Platz; das geht nur auf der Seite des "
        "Tisches.",
        "play_hand": "Dieses Blatt gehört jemand anderem.",
        # whose turn it is
        "play_no_seat_now": "Auf diesem Platz wird gerade nicht gespielt.",
        "play_not_your_turn": "Du bist nicht dran; {name} ist dran.",
        "play_at_the_table": "Das geschieht jetzt auf der Seite des Tisches.",
        "play_clock_stands": "Die Uhr steht; die Jury lässt sie auf der Seite des Tisches "
        "weiterlaufen.",
        "play_jury_only": "Die Jury wählt auf der Seite des Tisches.",
        "play_not_in_hand": "Das liegt nicht auf deiner Hand.",
        "play_no_quartet": "Vier Karten {group} hat dieser Platz nicht.",
        "play_question_open": "Erst wird die Frage beantwortet, dann abgelegt.",
        "play_busy": "Die Box hört gerade nicht; bitte gleich noch einmal.",
        # what there is
        "play_no_table": "Diesen Tisch gibt es nicht.",
        "play_many_tables": "Es gibt schon {most} Tische; bitte zuerst einen abbauen.",
        "play_no_replay": "Diese Mitschrift ist nicht mehr da; bitte noch einmal laden.",
        "play_short_replay": "So lang ist die Mitschrift nicht.",
        "play_no_record": "Es gibt noch keine Partie zum Ansehen.",
        "play_not_a_record": "{name}: ist weder eine Mitschrift noch das Journal einer Box.",
        "play_box_cannot": "Die Box kann diese Partie nicht aufbauen.",
        "play_no_thing": "Auf diesem Tisch gibt es {code!r} nicht.",
        "play_no_seat": "Platz {seat} gibt es nicht.",
        "play_no_trick": "Diesen Trick gibt es nicht.",
        "play_no_action": "Das kann die Jury nicht.",
        # what is asked
        "play_running": "Es läuft eine Partie: bitte zu Ende spielen oder abbrechen (JURY).",
        "play_nothing_to_repeat": "Eine Revanche gibt es nach einer Partie.",
        "play_names": "Jeder Platz braucht einen Namen von höchstens 40 Buchstaben.",
        "play_needs_reason": "Dazu braucht es einen der Gründe.",
        "play_by_hand": "Von Hand lassen sich nur Karten dieses Tisches eingeben.",
        "play_labels": "Bitte ein bis vier Punkte der Liste, jeder mit höchstens 60 Buchstaben.",
        "play_no_hex": "Die Bytes für das Kabel sind nicht hexadezimal.",
        "play_too_long": "Das sind mehr als {limit} Bytes.",
        "play_malformed": "Das ist keine Nachricht dieser Seite: {reason}.",
    },
    "en": {
        # who asks
        "play_link": "the link is incomplete: open the one that schiri printed",
        "play_other_page": "this request comes from another page",
        "play_host_only": "this link is for a seat: that is done on the table's page",
        "play_hand": "this hand belongs to somebody else",
        # whose turn it is
        "play_no_seat_now": "nobody plays on this seat now",
        "play_not_your_turn": "it is not your turn: it is {name}'s",
        "play_at_the_table": "that is done on the table's page now",
        "play_clock_stands": "the clock stands: the jury lets it go on, on the table's page",
        "play_jury_only": "the jury chooses on the table's page",
        "play_not_in_hand": "that is not in your hand",
        "play_no_quartet": "this seat does not hold four cards {group}",
        "play_question_open": "the question is answered first, then quartets are laid",
        "play_busy": "the box does not listen now: try again in a moment",
        # what there is
        "play_no_table": "there is no such table",
        "play_many_tables": "there are {most} tables already: close one",
        "play_no_replay": "there is no such transcript any more: load it again",
        "play_short_replay": "the transcript is not that long",
        "play_no_record": "there is no match to look at yet",
        "play_not_a_record": "{name}: is neither a transcript nor the journal of a box",
        "play_box_cannot": "the box cannot open this match",
        "play_no_thing": "there is no {code!r} on this table",
        "play_no_seat": "there is no seat {seat}",
        "play_no_trick": "there is no such trick",
        "play_no_action": "the jury has no such action",
        # what is asked
        "play_running": "a match is being played: finish it, or abandon it (JURY)",
        "play_nothing_to_repeat": "there is a rematch after a match",
        "play_names": "every seat needs a name of at most 40 letters",
        "play_needs_reason": "this action needs one of its reasons",
        "play_by_hand": "only a card of this table is entered by hand",
        "play_labels": "one to four items of the list, of at most 60 letters each",
        "play_no_hex": "the bytes for the cable are not in hex",
        "play_too_long": "that is more than {limit} bytes",
        "play_malformed": "not a message of this page: {reason}",
    },
}
