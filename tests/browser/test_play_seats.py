"""Every seat on a device of its own: its link and QR code, whose turn it is, who may play."""

import io

import zxingcpp
from PIL import Image
from playwright.sync_api import Page

from .play_desk import PlayDesk

SCANNED_WIDTH = 600


def scanned(raw: bytes) -> list[str]:
    """What a phone reads in a picture; the reader shares nothing with the writer of the codes."""
    picture = Image.open(io.BytesIO(raw)).convert("L")
    height = SCANNED_WIDTH * picture.height // picture.width
    found = zxingcpp.read_barcodes(picture.resize((SCANNED_WIDTH, height)))
    return [code.text for code in found]


def test_the_qr_code_of_a_seat_leads_where_its_link_leads(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    chromium.get_by_text("Links for the seats").click()
    for seat in range(3):
        picture = chromium.locator("#links img").nth(seat)
        picture.scroll_into_view_if_needed()
        chromium.wait_for_function("image => image.complete", arg=picture.element_handle())
        assert picture.evaluate("image => image.naturalWidth") > 0
        link = chromium.locator("#links a").nth(seat).evaluate("a => a.href")
        assert scanned(picture.screenshot()) == [link]
        assert play.table.seat_keys[seat] in link
