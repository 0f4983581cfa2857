"""What the house rules of Hattrick mean, in English (firmware/app/options.py)."""

TABLE = """
hands_1|Everybody deals once.
hands|Everybody deals {} times.
target_off|All games are played.
target|It ends after the game in which somebody reaches {} points.
clock_off|There is no clock.
clock|It ends after {} minutes; a hand that was begun is finished.
turn_off|There is no clock for a turn.
turn|After {} seconds there is a tone; the turn goes on.
"""
