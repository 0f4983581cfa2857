"""The result as a picture: what is drawn, saved or handed to another app."""

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, expect

from .play_desk import MATCH_MS, PlayDesk

RECORDS = """
window.drawn = []; window.shared = [];
const pen = OffscreenCanvasRenderingContext2D.prototype, fill = pen.fillText;
pen.fillText = function (text, x, y) {
  window.drawn.push([text, this.measureText(text).width]); fill.call(this, text, x, y);
};
"""
SHARES = """
() => {
  navigator.canShare = () => true;
  navigator.share = async ({ files: [file], title }) => {
    window.shared.push([file.type, file.size, title]);
  };
}
"""


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_result_is_a_picture(context: BrowserContext, lang: str) -> None:
    with PlayDesk.opened("cpython", lang=lang) as play:
        play.play_unseen("gastro", seats=4)
        page = context.new_page()
        page.add_init_script(RECORDS)
        play.open(page)
        button = page.get_by_role("button", name=play.said("share_picture"))
        page.locator("#end summary").click(timeout=MATCH_MS)
        with page.expect_download() as saved:
            button.click()
        assert saved.value.suggested_filename == "schiri.png"
        picture = Image.open(saved.value.path()).convert("RGB")
        assert picture.size == (1080, 400 + 4 * 92 + 120)
        colours = picture.getcolors(1 << 24)
        assert colours is not None
        assert {(31, 90, 65), (255, 224, 138)} <= {colour for _, colour in colours}
        texts = [text for text, _ in page.evaluate("drawn")]
        counts = play.table.log.result["counts"]
        names = ["Anna", "Beat", "Chiara", "Dürte"]
        for name, count in zip(names, counts, strict=True):
            at = next(number for number, text in enumerate(texts) if text.endswith(f". {name}"))
            assert texts[at + 1] == str(count)
        assert page.locator("#end-title").inner_text() in texts
        assert max(width for _, width in page.evaluate("drawn")) <= 1080 - 2 * 80
        page.evaluate(SHARES)
        button.click()
        page.wait_for_function("() => shared.length === 1")
        kind, size, title = page.evaluate("shared")[0]
        assert (kind, size > 5000) == ("image/png", True)
        expect(page.locator("#end-title")).to_have_text(title)
