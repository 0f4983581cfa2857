"""Result slips at the desk: a tag with the signed result, carried like a paper slip."""
