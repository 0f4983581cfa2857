"""Other interpreters for our own code: the MicroPython VM under Node."""
