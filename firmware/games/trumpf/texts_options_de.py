"""What the house rules of Trumpf mean, in German (firmware/app/options.py)."""

TABLE = """
tie_scope_all|Bei Gleichstand spielen alle um den Topf weiter.
tie_scope_tied|Nur wer gleichauf lag, spielt um den Topf weiter.
"""
