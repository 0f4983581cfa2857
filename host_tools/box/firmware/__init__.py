"""From `firmware/` and `card_tags/` to the files on a Pico: which ones, compiled, listed, and how
large.
"""
