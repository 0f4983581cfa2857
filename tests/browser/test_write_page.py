"""The page that writes tags with a phone, with a Web NFC that only notes what it is asked."""

from pathlib import Path

from playwright.sync_api import Page, expect

from card_tags import codec
from host_tools.cards.links import message_of
from host_tools.cards.tag_items import Set, linked
from host_tools.provision.batch import WriteOptions
from host_tools.provision.items import jury_items
from host_tools.provision.phone import PAGE, write_files

NFC = """() => { window.written = [];
window.NDEFReader = class extends EventTarget {
    async scan() { window.reader = this; }
    async write({ records }) {
        window.written.push(records.map(({ recordType, data }) =>
            [recordType, typeof data === "string" ? data : [...data]]));
    }
}; }"""
LAY = """uid => window.reader.dispatchEvent(
    Object.assign(new Event("reading"), { serialNumber: uid }))"""


def test_tags_are_written_one_after_the_other(chromium: Page, tmp_path: Path) -> None:
    batch: Set = linked(jury_items(("Frau Graf", "Jürg")), "https://example.org/{code}")
    write_files(batch, WriteOptions(), tmp_path, {})
    chromium.goto((tmp_path / PAGE).as_uri())
    chromium.evaluate(NFC)
    chromium.locator("#start").click()
    for number, item in enumerate(batch.items):
        expect(chromium.locator("#now")).to_have_text(f"{item.code} {item.name}")
        chromium.evaluate(LAY, f"04:00:00:00:00:00:0{number}")
        expect(chromium.locator("li.done")).to_have_count(number + 1)
    expect(chromium.locator("#now")).to_have_text("✓")
    for item, written in zip(batch.items, chromium.evaluate("window.written"), strict=True):
        alone = message_of(codec.encode(codec.unsealed(item.kind, item.content)))
        payload = list(alone[3 + 5 :])  # flags, lengths and the type in front
        assert written == [["sch:j", payload], ["url", f"https://example.org/{item.code}"]]
