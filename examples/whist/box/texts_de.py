"""What the box says about Whist, in German: `key|text`, as `firmware/app/texts_de.py`."""

TABLE = """
game_whist|Whist
menu_last_trick|Letzter Stich zählt
whist_trick|Stich {} von {}
whist_points|Punkte:
whist_taken|{} nimmt den Stich: {}.
whist_revoked|{} hätte bedienen müssen: {}. Ein Punkt weg.
over_all_laid|Alle Karten gelegt!
"""
