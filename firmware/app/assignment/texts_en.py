"""What the box says about a match given to it, in English: as `firmware/app/texts_en.py`."""

TABLE = """
desk|Tournament desk
desk_title|{}, table {}
desk_here|is here
desk_not_here|OK?
desk_menu|Another game
desk_who_is_missing|Everybody must be here first: lay a badge, or OK at the name.
desk_other_event|A badge of {}, not of this tournament. Else press OK at the name.
desk_wrong_badge|{} does not play here. Here play: {}.
"""
