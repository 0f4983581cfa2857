"""What the house rules of I Doubt It mean, in German."""

TABLE = """
piles|Wenn der {}. Stapel genommen ist, ist Schluss.
clock_off|Es gibt keine Uhr.
clock|Nach {} Minuten ist Schluss; ein begonnener Stapel wird beendet.
turn_off|Für einen Zug gibt es keine Uhr.
turn|Nach {} Sekunden ertönt ein Ton; der Zug geht weiter.
"""
