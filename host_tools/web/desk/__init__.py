"""`schiri desk`: the public board of the hall and, behind a login, the pages of the desk.

`follower` follows the log, `view` and `tree_layout` say what is shown, `board` and `pages` serve
it, `actions` write. Nothing here decides about the tournament: that is `host_tools.tournament`.
"""
