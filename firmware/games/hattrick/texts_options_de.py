"""What the house rules of Hattrick mean, in German (firmware/app/options.py)."""

TABLE = """
hands|Jeder gibt {}-mal die Karten.
target_off|Es werden alle Spiele gespielt.
target|Schluss nach dem Spiel, in dem jemand {} Punkte erreicht.
"""
