"""What the desk may do, and when, by subject. `host_tools.tournament.desk` has them all.

Each function checks a wish against the state and returns the events it makes. Nothing here writes.
A wish that cannot be granted raises UserError with one sentence.
"""
