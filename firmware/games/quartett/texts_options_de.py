"""What the house rules of Quartett mean, in German (firmware/app/options.py)."""

TABLE = """
clock_off|Es gibt keine Uhr.
clock|Nach {} Minuten ist Schluss; fertige Quartette werden noch abgelegt.
turn_off|Für einen Zug gibt es keine Uhr.
turn|Nach {} Sekunden ertönt ein Ton; der Zug geht weiter.
"""
