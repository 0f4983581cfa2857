"""Café boards made by a formula, so that tests on both interpreters need no file."""

NATIONS = ("AF", "CN", "CU", "DE", "ES", "FR", "GB", "IN", "IT", "RU", "TR", "US")


def name(letter: str, number: int) -> str:
    """A name with two digits."""
    return letter + ("0" if number < 10 else "") + str(number)


def _tables(chairs: "list[list[str]]") -> "dict[str, object]":
    tables = {}
    for table in range(len(chairs)):
        row = {"nation": NATIONS[table % 12], "chairs": chairs[table]}
        tables[name("T", table + 1)] = row
    return {"tables": tables}


def ring_board() -> "dict[str, object]":
    """24 tables in a ring, a chair between neighbours, four more across; 40 chairs alone."""
    chairs = [[name("S", table), name("S", (table + 1) % 24)] for table in range(24)]
    for table in range(4):
        chairs[table].append(name("X", table))
        chairs[table + 6].append(name("X", table))
    for table in range(24):
        while len(chairs[table]) < 4:
            own = name("A", table) + str(len(chairs[table]))
            chairs[table].append(own)
    return _tables(chairs)


def ring_app() -> "dict[str, object]":
    """12 tables in a ring; four chairs join three tables, four more pairs, four chairs alone."""
    chairs = [[name("S", table), name("S", (table + 1) % 12)] for table in range(12)]
    for table in range(12):
        chairs[table].append(name("M", table % 4))
    for table in (0, 1, 4, 5):
        chairs[table].append(name("X", table))
        chairs[table + 2].append(name("X", table))
    for table in range(8, 12):
        chairs[table].append(name("A", table))
    return _tables(chairs)
