"""German words of the toy game."""

TABLE = """
game_claps|Klatschen
preset_quick|Quick
preset_slow|Slow
menu_claps|Claps
menu_last|Last clap
last_wins|wins
last_loses|loses
claps_clap|{} claps
news_clapped|{} clapped, {} left
over_clapped|Clapped out
"""
