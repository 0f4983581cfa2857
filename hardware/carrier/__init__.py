"""The carrier board of revision 2: its KiCad project read, checked and exported."""
