"""Made-up players. Umlauts and Turkish letters are meant: screens and prints must bear them."""

import random

from host_tools.tournament.model import Entrant


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST = _words(
    """Anna Berta Çiğdem Dörte Emil Fatih Gül Hülya İbrahim Jörg Käthe Leyla Mübeccel Noé Ömer
    Petra Quirin Renée Şebnem Thérèse Uğur Vreni Wafa Xaver Yıldız Zoë"""
)
LAST = _words(
    """Aebischer Bächtold Çelik Dürr Egli Frößl Gökçe Hürlimann Işık Jäggi Köhler Lüthi Müller
    Nüßli Öztürk Pfäffli Quéloz Rüegg Şahin Tschäni Ünal Vögtlin Wüthrich Yılmaz Zürcher"""
)
CLUBS = ("Zürich", "Bern", "Basel", "Köln", "Graz", "İzmir", "Malmö", "")
SEEDED = 8
"""Every eighth player is seeded."""
MOST = len(FIRST) * len(LAST)


def players(count: int, chance: random.Random) -> list[Entrant]:
    """`count` players (`MOST` at most) with different names."""
    pairs = [f"{first} {last}" for first in FIRST for last in LAST]
    return [
        Entrant(
            id=f"p{number:03}",
            name=name,
            club=chance.choice(CLUBS),
            seed=number if number <= count // SEEDED else None,
        )
        for number, name in enumerate(chance.sample(pairs, count), 1)
    ]
