"""What the house rules of Trumpf mean, in German (firmware/app/options.py)."""

TABLE = """
tie_scope_all|Bei Gleichstand spielen alle um den Topf weiter.
tie_scope_tied|Nur wer gleichauf lag, spielt um den Topf weiter.
clock_off|Es gibt keine Uhr.
clock|Nach {} Minuten ist Schluss; ein angesagter Stich zählt noch.
turn_off|Für einen Zug gibt es keine Uhr.
turn|Nach {} Sekunden ertönt ein Ton; der Zug geht weiter.
"""
