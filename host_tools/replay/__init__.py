"""Replay of transcripts: read strictly, recompute on either interpreter, compare, tell."""
