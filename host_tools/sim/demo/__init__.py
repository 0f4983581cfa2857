"""`schiri demo`: the whole line in one go, from writing the tags to the result slip."""
