"""How a match ends on the page: a winner, the numbers, a rematch, the replay; or nothing."""

import re

import pytest
from playwright.sync_api import Page, expect

from host_tools.sim.table import autoplay, messages
from host_tools.sim.table.runner import FAST, REAL
from tests.processes import wait

from .clicking import finish, resize
from .play_desk import MATCH_MS, PlayDesk


def test_the_end_tells_who_has_won_and_what_it_was_like(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    expect(chromium.locator("#end")).to_be_hidden()
    play.start(chromium, "Trumpf – Gastro", me="nobody", seats=3)
    play.wait_until_closed(chromium)
    result = play.check_result(chromium)
    names = ["Anna", "Beat", "Chiara"]
    order = [seat for level in result["ranking"] for seat in level]
    winners = [names[seat] for seat in result["ranking"][0]]
    title = f"{winners[0]} wins!" if len(winners) == 1 else f"A shared win: {', '.join(winners)}"
    expect(chromium.locator("#end-title")).to_have_text(title)
    rows = chromium.locator("#end tbody tr")
    for place, seat in enumerate(order):
        cells = rows.nth(place).locator("td").all_inner_texts()
        assert cells[1:3] == [names[seat], str(result["counts"][seat])]
    steps = play.table.transcript().splitlines()
    won = [line for line in steps if '"round_won"' in line]
    tricks = rows.locator("td:nth-child(4)").all_inner_texts()
    assert sum(int(text) for text in tricks) == len(won)
    chromium.locator("#end summary").click()
    expect(chromium.locator("#end")).to_contain_text(re.compile(r"Time \d+:\d\d, moves \d+"))


def test_the_result_counts_without_a_press_and_another_game_is_chosen(
    chromium: Page, play: PlayDesk
) -> None:
    """On a phone. The end is one screen with two buttons; all else is folded."""
    resize(chromium, 390, 844)
    play.open(chromium)
    play.start(chromium, "Trumpf – Gastro", me="first", seats=3)
    finish(play)
    end = chromium.locator("#end")
    expect(end.get_by_role("status").filter(has_text="Worst")).to_be_visible(timeout=MATCH_MS)
    expect(end.get_by_role("button")).to_have_text(["Rematch", "Something else"])
    parts = chromium.locator("#end-title, #rematch, #another, .story, .curve, dt.worst")
    assert parts.count() == 6
    for part in parts.all():
        expect(part).to_be_in_viewport(ratio=1)
    end.get_by_text("More about this match").click()
    expect(end.get_by_role("button", name="Same deal again")).to_be_visible()
    play.drawer(chromium, "Jury menu")
    expect(chromium.locator("#arbiter")).to_contain_text("Nothing for the jury to do now.")
    chromium.get_by_role("button", name="Something else").click()
    expect(chromium.get_by_label("Trumpf – Gastro")).to_be_focused()
    chromium.get_by_label("Hattrick").check()
    chromium.get_by_role("button", name="Play", exact=True).click()
    wait(lambda: play.table.log.header["game"] == "hattrick")


def test_an_open_jury_menu_keeps_the_result_open(
    chromium: Page, play: PlayDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a last card that slipped out of a hand could not be taken back."""
    play.table.do(messages.Speed(speed=FAST))  # not in haste: people look at the last decision
    play.open(chromium)
    play.start(chromium, "Trumpf – Gastro", me="nobody", seats=8)
    wait(lambda: play.table.log.count > 30)  # of 41: in the last round
    monkeypatch.setattr(autoplay, "VERDICT_MS", 60_000)
    wait(lambda: play.table.log.world.match.over())
    play.table.do(messages.Speed(speed=REAL))  # else a press is a long one for the box
    jury = chromium.get_by_role("button", name="JURY", exact=True)
    jury.press("Enter", delay=80)
    disputed = chromium.get_by_text("The jury menu is open on the box.")
    expect(disputed).to_be_visible()
    rematch = chromium.locator("#rematch").element_handle()
    monkeypatch.setattr(autoplay, "VERDICT_MS", 500)
    seen_ms = play.table.session.now_ms
    wait(lambda: play.table.session.now_ms > seen_ms + 5_000)
    assert not play.table.log.closed
    jury.press("Enter", delay=80)
    expect(disputed).to_be_hidden()
    play.wait_until_closed(chromium)
    assert rematch.evaluate("button => button.isConnected")  # a finger on it presses it


@pytest.mark.usefixtures("judged_with_care")
def test_the_end_says_what_was_best_and_worst_and_what_would_have_been_better(
    chromium: Page, play: PlayDesk
) -> None:
    """In the words of the page after the match, of which this is the part that weighs most."""
    play.play_unseen("gastro", seats=3)
    play.open(chromium)
    judged = chromium.locator("#end").get_by_role("status")
    expect(judged).to_have_attribute("aria-busy", "false", timeout=MATCH_MS)
    (replay,) = play.server.replays.values()
    players, names = replay.after()["players"], replay.after()["names"]
    for kind, most in (("best", max), ("worst", min)):
        made = [(one[kind], name) for one, name in zip(players, names, strict=True) if one[kind]]
        wanted = play.said("after_none")
        if made:
            one, name = most(made, key=lambda pair: pair[0]["gain"])
            wanted = f"{name}, Step {one['n']}: {one['made']} instead of {one['other']}"
        expect(judged.locator(f"dt.{kind} + dd")).to_contain_text(wanted)
    chromium.get_by_role("button", name="Rematch").press("Enter")  # nothing was in its way
    wait(lambda: play.table.log.number == 2)


def test_another_match_at_any_time(chromium: Page, play: PlayDesk) -> None:
    """On a phone, in the middle of a match: nothing happens unless it is said what is lost."""
    resize(chromium, 390, 844)
    play.open(chromium)
    play.start(chromium, "Hattrick", me="first", seats=3)
    expect(chromium.locator("#prompt")).to_contain_text("It is your turn", timeout=MATCH_MS)
    expect(chromium.locator("#end")).to_be_hidden()
    play.drawer(chromium, "New match")
    chromium.get_by_label("Quartett").check()
    chromium.get_by_role("button", name="Play", exact=True).click()
    asked = chromium.get_by_label("abandon it, without a result")
    expect(asked).to_be_focused()  # the browser says that it must be ticked
    assert play.table.log.header["game"] == "hattrick"
    asked.check()
    chromium.get_by_role("button", name="Play", exact=True).click()
    wait(lambda: play.table.log.header["game"] == "quartett" and play.table.log.count > 0)
    expect(chromium.locator("#match-title")).not_to_be_empty()
    assert play.table.log.number == 2
    expect(chromium.locator("#problem")).to_be_empty()


def test_a_rematch_is_the_same_match_once_more(chromium: Page, play: PlayDesk) -> None:
    play.play_unseen("gastro", seats=4)
    play.open(chromium)
    play.wait_until_closed(chromium)
    first = play.table.log.header
    number = play.table.log.number
    chromium.get_by_role("button", name="Rematch").click()
    wait(lambda: play.table.log.header["match"] == number + 1)
    again = play.table.log.header
    for field in ("game", "preset", "seats", "names", "deck"):
        assert again[field] == first[field]
    expect(chromium.locator("#end")).to_be_hidden(timeout=MATCH_MS)
    play.wait_until_closed(chromium)  # the robots have kept their seats


def test_the_replay_of_the_match_is_one_click_away(chromium: Page, play: PlayDesk) -> None:
    play.play_unseen("gastro", seats=3)
    play.open(chromium)
    play.wait_until_closed(chromium)
    count = play.table.log.count
    play.press_more(chromium, "Look at it step by step")
    expect(chromium.locator("#at")).to_have_attribute("max", str(count), timeout=MATCH_MS)
    expect(chromium.locator("#judged")).to_contain_text("agree with the rules")


def test_an_abandoned_match_has_no_winner(chromium: Page, play: PlayDesk) -> None:
    play.open(chromium)
    play.start(chromium, "Hattrick", me="all", seats=3)
    wait(lambda: not play.table.runner.busy)
    play.drawer(chromium, "Jury menu")
    chromium.locator("[data-action=abandon]").click()
    chromium.get_by_role("button", name="Choose it on the box").click()
    gone = "Abandoned: there is no result."
    expect(chromium.locator("#prompt")).to_have_text(gone, timeout=MATCH_MS)
    expect(chromium.locator("#end-title")).to_have_text(gone)
    expect(chromium.locator("#end table")).to_have_count(0)
    expect(chromium.get_by_text("wins!")).to_have_count(0)
    expect(chromium.get_by_role("button", name="Rematch")).to_be_visible()
    play.press_more(chromium, "Look at it step by step")
    expect(chromium.locator("#judged")).to_contain_text("agree with the rules", timeout=MATCH_MS)


def test_after_the_robots_signed_off_the_start_menu_is_untouched(play: PlayDesk) -> None:
    play.play_unseen("gastro", seats=3)
    wait(lambda: not play.table.runner.busy)
    now_ms = play.table.session.now_ms
    wait(lambda: play.table.session.now_ms > now_ms + 1000)  # whatever was pressed has come down
    menu = play.table.screen.last.rows
    assert "Game\tTrumpf" in menu
    assert "Variant	Gastro" in menu
    assert play.table.screen.last.chosen == menu.index("Game	Trumpf")
