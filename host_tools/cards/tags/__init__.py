"""`schiri tag`: read, dump or erase whatever tag lies on the reader."""
