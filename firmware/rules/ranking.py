"""Places of a finished match: equal keys share a place (RULES.md TR-10, QU-6, CB-14, HA-8)."""


def rank(keys: "list[tuple[int, ...]]") -> "list[list[int]]":
    """Seats grouped by place, best first; of two keys the higher one is better."""
    return [
        [seat for seat in range(len(keys)) if keys[seat] == key]
        for key in sorted(set(keys), reverse=True)
    ]
