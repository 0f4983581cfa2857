"""What the box says about a match given to it, in German: as `firmware/app/texts_de.py`."""

TABLE = """
desk|Turnierleitung
desk_title|{}, Tisch {}
desk_here|ist da
desk_not_here|OK?
desk_menu|Anderes Spiel
desk_who_is_missing|Erst müssen alle da sein: Ausweis auflegen oder OK beim Namen.
desk_other_event|Ausweis von „{}“, nicht von diesem Turnier. Sonst OK beim Namen.
desk_wrong_badge|{} spielt hier nicht. Hier spielen: {}.
"""
