"""What `make` runs beside the programs."""
