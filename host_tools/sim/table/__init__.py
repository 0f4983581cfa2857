"""`schiri play`: the virtual table. The unmodified firmware on the twin, served to a browser."""
