"""Journals of boxes on the laptop: reading, checking, and the verdict of the desk."""
