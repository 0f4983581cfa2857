"""The tournament: draws, standings, knock-out. Rules TO-1 to TO-5 of the rule book.

Pure modules (`model`, `standings`, `ko`, `draw`, `schedule`) know no database, no web
and no clock.
"""
