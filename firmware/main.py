"""Wiring only: board -> drivers -> app -> loop.

The box's own `main.py` on the flash root says `from firmware.main import run; run()`. `build()` gives the app without
the loop (tests, REPL). `run()` never returns; Ctrl-C reaches the REPL and a running match survives it in the journal.
"""
