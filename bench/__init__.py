"""Figures for `make bench`."""
