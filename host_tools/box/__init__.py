"""Looking after boxes: finding, settings, keys, backup."""
