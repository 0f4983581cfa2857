"""The carrier board of revision 2: from data to schematic, board, and what a fabricator needs."""
