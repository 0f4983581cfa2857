"""Why something was refused: a sentence with a key, in every language we have."""
