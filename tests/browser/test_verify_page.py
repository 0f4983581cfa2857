"""The page that checks signatures in the visitor's browser, without asking anybody."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, Route, expect

from host_tools.cards import public_keys
from host_tools.cards.check_links import PAPER, SLIP, SignedClaim, paper_claim
from host_tools.cards.public_keys import ORDER, EnrolledKey, KeyList, SigningKey, publish
from host_tools.cli import schiri
from host_tools.sim.tournament.day import simulate_day
from host_tools.tournament.export import FORMATS
from tests.support.signed_journals import a_slip

from .desk_hall import DeskHall

STRANGER = SigningKey(bytes(31) + b"\x07")
LINES = ["Cup", "A-1", "Ayşe Öztürk 20 : 12 Björn"]
SLOW_FIRST_FILE = """() => {
  const read = File.prototype.arrayBuffer;
  File.prototype.arrayBuffer = async function () {
    const slow = this.name === "theirs.json";
    if (slow) await new Promise((done) => setTimeout(done, 500));
    const found = await read.call(this);
    if (slow) document.documentElement.dataset.read = this.name;
    return found;
  };
}"""


class Verifier:
    """The page, as somebody opens it."""

    def __init__(self, page: Page, hall: DeskHall) -> None:
        self.page, self.hall = page, hall
        self.desk = hall.service.store.enrolled.desk("Cup")

    def claim(self, lines: list[str] = LINES) -> SignedClaim:
        return paper_claim(self.desk, lines)

    def open(self, link: str = "", lang: str = "en") -> None:
        fragment = link.partition("#")[2]
        self.page.goto("about:blank")
        self.page.goto(f"{self.hall.base}/verify?lang={lang}#{fragment}")

    def choose(self, *files: Path) -> None:
        self.page.set_input_files("#file", list(files))

    def expect(self, state: str) -> None:
        expect(self.page.locator("#verdict")).to_have_attribute("data-state", state)
        # what the page cannot check to its end is never green
        colours = {"paper_proves": "good", "slip_proves": "good"}
        colours |= {"export_proves": "half", "journal_proves": "half"}
        expect(self.page.locator("#verdict")).to_have_class(colours.get(state, "bad"))

    @property
    def shown(self) -> list[str]:
        return self.page.locator("#signed li").all_text_contents()


@pytest.fixture
def verifier(chromium: Page, hall: DeskHall) -> Verifier:
    return Verifier(chromium, hall)


def test_a_paper_of_the_desk_holds_in_both_languages(verifier: Verifier) -> None:
    for lang, sentence in (
        ("en", "This proves that the desk of Cup"),
        ("de", "Das beweist, dass"),
    ):
        verifier.open(verifier.claim().link("https://cup.example"), lang)
        verifier.expect("paper_proves")
        assert verifier.shown == LINES
        expect(verifier.page.locator("#verdict")).to_contain_text(sentence)
        grouped = public_keys.grouped(verifier.desk.id)
        expect(verifier.page.locator("#list")).to_contain_text(grouped)


def test_what_is_signed_goes_to_no_server(verifier: Verifier) -> None:
    asked: list[str] = []
    verifier.page.on("request", lambda request: asked.append(request.url))
    claim = verifier.claim()
    verifier.open(claim.link(""))
    verifier.expect("paper_proves")
    assert all(url.startswith(verifier.hall.base) or url == "about:blank" for url in asked)
    assert not any(claim.signature.hex()[:12] in url or "#" not in claim.link("") for url in asked)
    paths = {url.removeprefix(verifier.hall.base).partition("#")[0] for url in asked}
    assert {"/verify?lang=en", "/keys.json", "/static/verify.js"} <= paths


def test_it_needs_no_network_once_it_has_loaded(verifier: Verifier) -> None:
    verifier.open()
    verifier.expect("nothing")
    verifier.page.context.set_offline(True)
    try:
        for lines, other in ((LINES, False), (["another"], False), (["third"], True)):
            fragment = verifier.claim(lines).link("").partition("#")[2]
            changed = fragment[:-1] + ("A" if fragment[-1] != "A" else "Q")
            verifier.page.evaluate("to => { location.hash = to }", changed if other else fragment)
            verifier.expect("claim_wrong" if other else "paper_proves")
    finally:
        verifier.page.context.set_offline(False)


@pytest.mark.parametrize("at", [9, 40, 72, 73, -1])
def test_a_changed_byte_is_seen(verifier: Verifier, at: int) -> None:
    claim = verifier.claim()
    data = bytearray(claim.signature + claim.payload)
    data[at - 9 if at > 0 else at] ^= 1
    changed = SignedClaim(PAPER, claim.key, bytes(data[:64]), bytes(data[64:]))
    verifier.open(changed.link(""))
    verifier.expect("claim_wrong")
    assert verifier.shown == []


@pytest.mark.parametrize("what", ["r 0", "s 0", "r n", "high s", "half"])
def test_r_and_s_out_of_range(verifier: Verifier, what: str) -> None:
    claim = verifier.claim()
    r, s = (int.from_bytes(part) for part in (claim.signature[:32], claim.signature[32:]))
    r, s = {"r 0": (0, s), "s 0": (r, 0), "r n": (ORDER, s), "high s": (r, ORDER - s)}.get(
        what, (r, s)
    )
    made = r.to_bytes(32) + s.to_bytes(32)
    if what == "half":
        verifier.open(claim.link("")[:60])
        verifier.expect("link_none")
        return
    verifier.open(SignedClaim(PAPER, claim.key, made, claim.payload).link(""))
    verifier.expect("claim_wrong")


def test_a_stranger_and_a_key_for_something_else(verifier: Verifier) -> None:
    verifier.open(paper_claim(STRANGER, LINES).link(""))
    verifier.expect("claim_unknown")
    verifier.hall.service.store.enrolled.enrol("b1", STRANGER.public, "Anna")
    verifier.open(paper_claim(STRANGER, LINES).link(""))
    verifier.expect("claim_unknown")  # a box signs no papers
    verifier.open("#!")
    verifier.expect("link_none")


def test_a_slip_of_a_box(verifier: Verifier) -> None:
    claim = a_slip(STRANGER)
    verifier.hall.service.store.enrolled.enrol("b1", STRANGER.public, "Anna")
    verifier.open(claim.link("https://cup.example"))
    verifier.expect("slip_proves")
    assert verifier.shown == [
        "Match 12-0a1b2c3d, table 7, trumpf, 8:01 min, ended: all_cards",
        "1. Ayşe: 20 (2)",
        "2. Björn: 12 (0)",
    ]
    expect(verifier.page.locator("#verdict")).to_contain_text("box b1")
    for at in (0, 5, 9, 11, -1):
        payload = bytearray(claim.payload)
        payload[at] ^= 1
        verifier.open(SignedClaim(SLIP, claim.key, claim.signature, bytes(payload)).link(""))
        verifier.expect("claim_wrong")
    verifier.hall.service.store.enrolled.revoke(STRANGER.id, "Anna")
    verifier.open(claim.link(""))
    verifier.expect("claim_revoked")


@pytest.mark.parametrize("payload", [b"\x07", b"\x00s\x02", b"\x00s\x02\x00\x01", b"\xff"])
def test_a_box_that_signed_nonsense(verifier: Verifier, payload: bytes) -> None:
    verifier.hall.service.store.enrolled.enrol("b1", STRANGER.public, "Anna")
    claim = SignedClaim(SLIP, STRANGER.id, STRANGER.sign(SLIP, payload), payload)
    verifier.open(claim.link(""))
    verifier.expect("link_none")


def written(folder: Path, data: bytes, name: str = "keys.json") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_another_desk_of_a_known_league_waits_until_somebody_has_compared_it(
    verifier: Verifier, tmp_path: Path
) -> None:
    late = EnrolledKey("", verifier.desk.public, 100, "Cup", revoked=200)
    other = EnrolledKey("", STRANGER.public, 300, "Cup")
    path = written(tmp_path, publish(KeyList("ＣＵＰ ", (late, other)), STRANGER))
    verifier.open(verifier.claim().link(""))
    verifier.expect("paper_proves")
    page, accept = verifier.page, verifier.page.get_by_role("button", name="I have compared")
    expect(accept).to_be_hidden()
    for _ in range(2):  # a page that is loaded again does not forget
        verifier.choose(path)
        verifier.expect("key_list_other_desk")
        for desk in (STRANGER.id, verifier.desk.id):
            expect(page.locator("#verdict")).to_contain_text(public_keys.grouped(desk))
        expect(page.locator("#list")).to_have_text("")
        page.reload()
        verifier.expect("paper_proves")
    verifier.choose(path)
    accept.click()
    verifier.expect("claim_revoked")  # the list of the desk that was accepted
    expect(accept).to_be_hidden()
    expect(page.locator("#list")).to_contain_text(public_keys.grouped(STRANGER.id))
    page.reload()
    verifier.choose(path)
    verifier.expect("claim_revoked")


def test_the_wrong_list_and_a_changed_one(verifier: Verifier, tmp_path: Path) -> None:
    theirs = KeyList("Other", (EnrolledKey("", STRANGER.public, 300, "Other"),))
    verifier.open(verifier.claim().link(""))
    verifier.choose(written(tmp_path, publish(theirs, STRANGER)))
    verifier.expect("claim_unknown")
    content: dict[str, Any] = json.loads(publish(theirs, STRANGER))
    for changes, state in (
        ({"league": "Cup"}, "key_list_forged"),
        ({"issued": 1}, "key_list_contradicts"),
        ({"signature": "00" * 64}, "key_list_forged"),
        ({"format": "x"}, "key_list_none"),
    ):
        verifier.open(verifier.claim().link(""))
        verifier.choose(written(tmp_path, json.dumps({**content, **changes}).encode()))
        verifier.expect(state)


@pytest.mark.parametrize("good", [True, False])
def test_the_list_of_the_desk_that_comes_late_changes_nothing(
    verifier: Verifier, tmp_path: Path, good: bool
) -> None:
    theirs = publish(KeyList("Other", (EnrolledKey("", STRANGER.public, 300, "Other"),)), STRANGER)
    held: list[Route] = []
    page = verifier.page

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/keys.json", hold)
    verifier.open(verifier.claim().link(""))
    verifier.choose(written(tmp_path, theirs if good else theirs.replace(b"Other", b"Cup")))
    state = "claim_unknown" if good else "key_list_forged"
    verifier.expect(state)
    with page.expect_response("**/keys.json"):
        held.pop().continue_()
    page.wait_for_timeout(300)  # long enough for a wrong answer to be shown
    verifier.expect(state)
    page.unroute("**/keys.json", hold)


def test_the_last_file_wins_over_one_that_is_read_slowly(
    verifier: Verifier, tmp_path: Path
) -> None:
    theirs = publish(KeyList("Other", (EnrolledKey("", STRANGER.public, 300, "Other"),)), STRANGER)
    mine = verifier.hall.service.store.enrolled.published()
    page = verifier.page
    verifier.open(verifier.claim().link(""))
    verifier.expect("paper_proves")
    page.evaluate(SLOW_FIRST_FILE)
    verifier.choose(written(tmp_path, theirs, "theirs.json"))
    verifier.choose(written(tmp_path, mine, "mine.json"))
    expect(page.locator("html")).to_have_attribute("data-read", "theirs.json")
    page.wait_for_timeout(300)  # long enough for a wrong answer to be shown
    verifier.expect("paper_proves")
    expect(page.locator("#list")).to_contain_text("Cup")


def test_an_off_curve_key_in_a_list_that_is_signed(verifier: Verifier, tmp_path: Path) -> None:
    theirs = KeyList("Other", (EnrolledKey("", STRANGER.public, 300, "Other"),))
    content: dict[str, Any] = json.loads(publish(theirs, STRANGER))
    bad = STRANGER.public[:-1] + bytes((STRANGER.public[-1] ^ 1,))
    line = {"box": "b1", "public": bad.hex(), "id": public_keys.key_id(bad)}
    content["keys"] = [{**line, "since": 1, "by": "x", "revoked": None}]
    content["signature"] = STRANGER.sign("keys", public_keys.canonical(content)).hex()
    verifier.open()
    verifier.choose(written(tmp_path, json.dumps(content).encode()))
    verifier.expect("public_key_bad")


def test_names_of_all_scripts_in_a_list(verifier: Verifier, tmp_path: Path) -> None:
    """Python and the browser write the same canonical bytes."""
    league = 'Liga „Süd" \\ 漢\u2028\u007f 🃏'
    lines = (EnrolledKey("", STRANGER.public, 300, 'Çiğdem "Ö"'),)
    verifier.open(paper_claim(STRANGER, LINES).link(""))
    verifier.choose(written(tmp_path, publish(KeyList(league, lines), STRANGER)))
    verifier.expect("paper_proves")


def test_an_older_list_of_the_same_desk_is_not_gone_back_to(
    verifier: Verifier, tmp_path: Path
) -> None:
    """Somebody serves the list of before a key was revoked."""
    desk = EnrolledKey("", STRANGER.public, 100, "Cup")
    mine = EnrolledKey("", verifier.desk.public, 100, "Cup")
    revoked = EnrolledKey("", verifier.desk.public, 100, "Cup", revoked=200)
    old = publish(KeyList("Other", (desk, mine)), STRANGER)
    new = publish(KeyList("Other", (desk, revoked)), STRANGER)
    verifier.open(verifier.claim().link(""))
    for data, state in ((old, "paper_proves"), (new, "claim_revoked"), (old, "claim_revoked")):
        verifier.choose(written(tmp_path, data))
        verifier.expect(state)
    expect(verifier.page.locator("#list")).to_contain_text("older than one that this browser")


def test_a_revoked_desk_cannot_take_the_league_back(verifier: Verifier, tmp_path: Path) -> None:
    """Its key signs lists in which nothing is revoked, of before and with a later date."""
    thief, other, third = (SigningKey(bytes(31) + bytes((n,))) for n in (9, 10, 11))
    mine, stolen = (EnrolledKey("", key.public, 100, "Cup") for key in (STRANGER, thief))
    revoked = EnrolledKey("", thief.public, 100, "Cup", revoked=200)
    box = EnrolledKey("b1", third.public, 900, "Cup")
    late = EnrolledKey("", other.public, 9_000, "Other")
    verifier.open(paper_claim(thief, LINES).link(""))
    for keys, signer, state in (
        ((stolen, mine), thief, "paper_proves"),
        ((mine, revoked), STRANGER, "claim_revoked"),
        ((stolen, mine), thief, "claim_revoked"),
        ((stolen, box), thief, "claim_revoked"),  # the first list of before named both desks
        # who is in nobody's list puts none out of use, and speaks for no league that is known
        ((late, mine), other, "key_list_other_desk"),
        ((mine, revoked, box), STRANGER, "claim_revoked"),
    ):
        verifier.choose(written(tmp_path, publish(KeyList("Other", keys), signer)))
        verifier.expect(state)
    expect(verifier.page.locator("#list")).not_to_contain_text("older")


def test_without_a_list_it_asks_for_one(verifier: Verifier, tmp_path: Path) -> None:
    data = verifier.hall.service.store.enrolled.published()

    def none(route: Route) -> None:
        route.fulfill(status=404)

    verifier.page.route("**/keys.json", none)
    verifier.open(verifier.claim().link(""))
    verifier.expect("no_list")
    verifier.choose(written(tmp_path, data))
    verifier.expect("paper_proves")
    verifier.page.unroute("**/keys.json", none)


# -- a copy on a web space of the league ----------------------------------------------------------


@pytest.fixture
def web_space(verifier: Verifier, tmp_path: Path) -> Iterator[Page]:
    """Where the folder of `schiri keys publish --folder` lies at /verify, with HTTPS and without:
    nothing else answers.
    """
    folder, page = tmp_path / "verify", verifier.page
    db = ("--db", str(verifier.hall.service.store.engine.url.database))
    words = ["keys", "publish", "--folder", str(folder), "--lang", "de", *db]
    done = CliRunner().invoke(schiri, words)
    assert done.exit_code == 0, done.output

    def serve(route: Route) -> None:
        name = route.request.url.partition("/verify/")[2].partition("?")[0] or "index.html"
        path = folder / name
        route.fulfill(path=path) if path.is_file() else route.fulfill(status=404)

    page.route("**://league.example/**", serve)
    yield page
    page.unroute("**://league.example/**", serve)


def test_a_static_copy_checks_and_needs_no_network_once_it_has_loaded(
    verifier: Verifier, web_space: Page
) -> None:
    lost: list[str] = []
    web_space.on("requestfailed", lambda request: lost.append(request.url))
    web_space.on("response", lambda got: got.ok or lost.append(got.url))
    web_space.on("console", lambda message: lost.append(message.text))
    fragment = verifier.claim().link("").partition("#")[2]
    web_space.goto(f"https://league.example/verify/#{fragment}")
    verifier.expect("paper_proves")
    assert verifier.shown == LINES
    expect(web_space.locator("#verdict")).to_contain_text("Das beweist, dass")
    expect(web_space.locator("#list")).to_contain_text(public_keys.grouped(verifier.desk.id))
    web_space.context.set_offline(True)
    try:
        web_space.evaluate("to => { location.hash = to }", fragment[:-1] + "A")
        verifier.expect("claim_wrong")
    finally:
        web_space.context.set_offline(False)
    web_space.get_by_role("link", name="English").click()
    expect(web_space.locator("h1")).to_have_text("Check a result")
    assert lost == []


def test_without_https_the_browser_lends_no_crypto_and_the_page_says_what_to_do(
    verifier: Verifier, web_space: Page
) -> None:
    for page, sentence in (("de", "mit https:// öffnen"), ("en", "page by https://")):
        web_space.goto(f"http://league.example/verify/{page}.html#{verifier.claim().link('')[9:]}")
        assert web_space.evaluate("globalThis.crypto.subtle") is None
        verifier.expect("no_crypto")
        expect(web_space.locator("#verdict")).to_contain_text(sentence)


# -- an exported tournament -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[bytes, bytes]]:
    """A proof and the list of its league."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("day")
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        with closing(simulate_day(str(folder / "day.db"), 8, seed=1)[0]) as service:
            yield FORMATS["proof"](service, "en"), service.store.enrolled.published()


def test_any_match_of_an_exported_tournament_step_by_step(
    verifier: Verifier, exported: tuple[bytes, bytes], tmp_path: Path
) -> None:
    proof, keys = exported
    page = verifier.page
    verifier.open()
    verifier.choose(written(tmp_path, keys), written(tmp_path, proof, "cup.ndjson"))
    verifier.expect("export_proves")
    assert page.locator("#matches button").count() == 7  # what boxes have reported
    page.get_by_role("button", name="A-1").click()
    expect(page.locator("#match-verdict")).to_contain_text(
        "This proves that box sim01 with the key"
    )
    expect(page.locator("#step")).to_contain_text('"preset": "swiss"')
    page.get_by_role("button", name="Next").click()
    expect(page.locator("#step")).to_contain_text('"do"')
    expect(page.locator("#step-number")).to_contain_text("2 / ")


def test_a_changed_or_shortened_export_is_refused(
    verifier: Verifier, exported: tuple[bytes, bytes], tmp_path: Path
) -> None:
    proof, keys = exported
    lines = proof.splitlines(keepends=True)
    end = next(n for n, line in enumerate(lines) if b'"end":' in line)
    verifier.open()
    verifier.choose(written(tmp_path, keys), written(tmp_path, proof, "good.ndjson"))
    verifier.expect("export_proves")
    for data in (
        proof.replace(b"Probelauf", b"Probelauv", 1),
        b"".join(lines[:-1]),
        b"".join(lines[: end + 1]),
        b"".join(lines[: end + 2]),
        b"".join([lines[0], *lines[2:]]),
        b"".join([*lines[:-1], lines[-2]]),
        proof[:-1],
    ):
        verifier.choose(written(tmp_path, proof, "good.ndjson"))
        verifier.expect("export_proves")
        verifier.choose(written(tmp_path, data, "bad.ndjson"))
        verifier.expect("log_changed")
    signature = json.loads(lines[end + 1])["signature"]
    other = proof.replace(signature.encode(), signature.replace(signature[:2], "00", 1).encode())
    verifier.choose(written(tmp_path, other, "bad.ndjson"))
    verifier.expect("export_forged")
