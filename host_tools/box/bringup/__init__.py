"""Bring-up of a box: what is measured, what each wrong wire would give, and what is said of it."""
