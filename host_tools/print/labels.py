"""A sheet of labels: A4, three columns, each with code, name and a QR code that names the card."""

from pathlib import Path

from host_tools.cards.tag_items import Item, Set
from host_tools.core.own_files import write_output
from host_tools.print.paper import INK, LINE, SOFT, Paper
from host_tools.provision.ledger import TagLedger

_COLUMNS = 3
_ROWS = 8
_LEFT_MM = 7.0
_TOP_MM = 12.0
_WIDTH_MM = 65.0
_HEIGHT_MM = 34.0
_QR_MM = 33.0  # with its quiet zone
_GAP_MM = 3.0
_TEXT_MM = _WIDTH_MM - _QR_MM - _GAP_MM
_CODE_MM = 10.0
_LANG = "de"
"""Of the document, for screen readers: the names of our own sets are German."""


def qr_text(item: Item, set_title: str) -> str:
    """What the QR code says: enough to find the card by hand when its tag is dead."""
    return f"SCHIRI {set_title} {item.code}"


def write_labels(batch: Set, ledger: TagLedger | None, output: Path) -> None:
    """Write the PDF. Raises UserError if the file cannot be written."""
    paper = Paper(_LANG)
    paper.set_title(batch.title)
    for number, item in enumerate(batch.items):
        place = number % (_COLUMNS * _ROWS)
        if place == 0:
            paper.add_page()
        x = _LEFT_MM + place % _COLUMNS * _WIDTH_MM
        y = _TOP_MM + place // _COLUMNS * _HEIGHT_MM
        entry = ledger.of_item(batch.key, item.code) if ledger else None
        _draw(paper, item, batch.title, entry.uid if entry else "", x, y)
    write_output(output, paper.data())


def _draw(paper: Paper, item: Item, title: str, uid: str, x: float, y: float) -> None:
    paper.box_at(x, y, _WIDTH_MM, _HEIGHT_MM, 0.2, LINE)
    paper.qr_at(qr_text(item, title), x, y + (_HEIGHT_MM - _QR_MM) / 2, _QR_MM)
    left, top = x + _QR_MM, y + _GAP_MM
    paper.write_at(left, top + _CODE_MM / 2, _TEXT_MM, item.code, 22)
    top = paper.wrap_at(left, top + _CODE_MM, _TEXT_MM, item.name, 9, INK)
    for text in (title, uid):
        top = paper.wrap_at(left, top, _TEXT_MM, text, 7, SOFT)
