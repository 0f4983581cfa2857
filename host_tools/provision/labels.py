"""A sheet of labels: A4, three columns, each with code, name and a QR code that names the card."""

from pathlib import Path

import segno
from fpdf import FPDF

from host_tools.errors import UserError
from host_tools.provision.items import Item, Set
from host_tools.provision.ledger import Ledger

_COLUMNS = 3
_ROWS = 8
_LEFT_MM = 7.0
_TOP_MM = 12.0
_WIDTH_MM = 65.0
_HEIGHT_MM = 34.0
_QR_MM = 26.0
_GAP_MM = 3.0


def qr_text(item: Item, set_title: str) -> str:
    """What the QR code says: enough to find the card by hand when its tag is dead."""
    return f"SCHIRI {set_title} {item.code}"


def write_labels(batch: Set, ledger: Ledger | None, output: Path) -> None:
    """Write the PDF. Raises UserError if the file cannot be written."""
    pdf = FPDF(format="A4")
    pdf.set_auto_page_break(False)
    for number, item in enumerate(batch.items):
        place = number % (_COLUMNS * _ROWS)
        if place == 0:
            pdf.add_page()
        x = _LEFT_MM + place % _COLUMNS * _WIDTH_MM
        y = _TOP_MM + place // _COLUMNS * _HEIGHT_MM
        entry = ledger.of_item(batch.key, item.code) if ledger else None
        _draw(pdf, item, batch.title, entry.uid if entry else "", x, y)
    try:
        pdf.output(str(output))
    except OSError as error:
        raise UserError(f"{output}: cannot be written: {error.strerror}.") from error


def _draw(pdf: FPDF, item: Item, title: str, uid: str, x: float, y: float) -> None:
    pdf.set_draw_color(200)
    pdf.rect(x, y, _WIDTH_MM, _HEIGHT_MM)
    _draw_qr(pdf, qr_text(item, title), x + _GAP_MM, y + _GAP_MM)
    text_x = x + _QR_MM + 2 * _GAP_MM
    width = _WIDTH_MM - _QR_MM - 3 * _GAP_MM
    lines = ((item.code, 22, 10.0), (item.name, 9, 4.0), (title, 7, 3.5), (uid, 7, 3.5))
    top = y + _GAP_MM
    for text, size, height in lines:
        pdf.set_font("helvetica", size=size)
        pdf.set_xy(text_x, top)
        pdf.multi_cell(width, height, _latin(text), align="L", max_line_height=height)
        top = pdf.get_y()


def _draw_qr(pdf: FPDF, text: str, x: float, y: float) -> None:
    """Draw the modules as squares: sharp at any size, no picture file needed."""
    rows = [bytes(row) for row in segno.make(text, error="m", micro=False).matrix]
    size = _QR_MM / len(rows)
    pdf.set_fill_color(0)
    for down, row in enumerate(rows):
        for across, dark in enumerate(row):
            if dark:
                pdf.rect(x + across * size, y + down * size, size, size, style="F")


def _latin(text: str) -> str:
    """The built-in font has Western European letters only; others become a question mark."""
    return text.encode("latin-1", "replace").decode("latin-1")
