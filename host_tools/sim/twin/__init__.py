"""`schiri twin`: the software twin of the electronics, for people and their programs."""
