"""What the house rules of Hattrick mean, in German (firmware/app/options.py)."""

TABLE = """
hands_1|Jeder gibt einmal die Karten.
hands|Jeder gibt {}-mal die Karten.
target_off|Es werden alle Spiele gespielt.
target|Schluss nach dem Spiel, in dem jemand {} Punkte erreicht.
clock_off|Es gibt keine Uhr.
clock|Nach {} Minuten ist Schluss; ein begonnenes Spiel wird beendet.
turn_off|Für einen Zug gibt es keine Uhr.
turn|Nach {} Sekunden ertönt ein Ton; der Zug geht weiter.
"""
