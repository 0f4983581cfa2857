"""What the house rules of whist mean, in German."""

TABLE = """
last_trick|Der letzte Stich zählt {}.
clock_off|Es gibt keine Uhr.
clock|Nach {} Minuten ist Schluss; ein begonnener Stich wird beendet.
turn_off|Für einen Zug gibt es keine Uhr.
turn|Nach {} Sekunden ertönt ein Ton; der Zug geht weiter.
"""
