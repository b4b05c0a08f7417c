"""Playing in the page: a hint, a move taken back, games that were left, and the whole of it once more at the end."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from fitting import fits, press


def begin(page: Page, game: str, seed: int) -> None:
    page.goto(f"/play?game={game}")
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("/play/.+"))


def test_a_hint_is_told_when_it_is_asked_for(page: Page) -> None:
    begin(page, "kuhn", 3)
    expect(page.locator("#hint")).to_have_count(0)
    page.wait_for_load_state()  # else the key goes to the page before
    page.get_by_role("link", name="Hint").focus()
    press(page, "Enter")
    expect(page.locator("#hint")).to_contain_text("Optimal play: always check")
    fits(page)
    told = page.request.get(f"{page.url.partition('?')[0]}.json?hint=true").json()
    assert told["hint"] == "Optimal play: always check. bet costs 1/6 ≈ 0.167 (against an optimal Player 2)"


def test_a_move_is_taken_back_and_the_same_move_gives_the_same_game(page: Page) -> None:
    begin(page, "leduc", 2)
    first = page.locator("#known-title ~ .chips").inner_text()
    page.get_by_role("button", name="call", exact=True).click()
    back = page.get_by_role("button", name="Take back call")
    expect(back).to_be_visible()
    second = page.locator("#known-title ~ .chips").inner_text()
    back.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Take back call")).to_have_count(0)
    assert page.locator("#known-title ~ .chips").inner_text() == first != second
    page.get_by_role("button", name="call", exact=True).click()
    expect(page.locator("#known-title ~ .chips")).to_have_text(re.compile(second.replace("\n", r"\s*")))


def test_unfinished_games_are_listed_and_can_be_deleted(page: Page) -> None:
    begin(page, "nim", 1)
    where = page.url
    page.goto("/play")
    page.get_by_role("link", name="nim as Player 1").first.click()
    expect(page).to_have_url(where)
    page.goto("/play")
    fits(page)
    listed = page.locator(f".unfinished li:has(a[href='{where[where.index('/play/') :]}'])")
    expect(listed).to_have_count(1)
    listed.get_by_role("button", name="Delete").click()
    expect(listed).to_have_count(0)


def test_a_game_is_replayed_at_its_end(page: Page) -> None:
    begin(page, "kuhn", 3)
    page.get_by_role("button", name="check", exact=True).click()
    page.get_by_role("button", name="call", exact=True).click()
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    replay = page.get_by_role("region", name="Replay")
    expect(replay).to_contain_text("The end")
    press(page, "ArrowLeft")
    expect(replay).to_contain_text("Before your move 2: you played call")
    expect(replay).to_contain_text("kuhn@Q/check/bet")
    expect(replay).to_contain_text("the other side kuhn@K/check/bet")
    fits(page)
    page.get_by_role("link", name="Back one move").click()
    expect(replay).to_contain_text("Before your move 1: you played check")
    expect(page.get_by_role("link", name="Back one move")).to_have_count(0)
    press(page, "ArrowRight")
    expect(replay).to_contain_text("Before your move 2")
    over = page.url.partition("?")[0][page.url.index("/play/") :]
    page.goto("/play")
    expect(page.locator(f".unfinished a[href='{over}']")).to_have_count(0)


def test_a_drill_by_keyboard(page: Page) -> None:
    page.goto("/play?game=kuhn")
    page.get_by_role("link", name="drills").click()
    expect(page.get_by_label("Game", exact=True)).to_have_value("kuhn")
    page.get_by_role("radio", name="Player 2").check()
    page.get_by_role("button", name="Deal").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What do you do, Player 2?")
    page.wait_for_load_state()
    page.get_by_role("group", name="Your moves").get_by_role("button").first.focus()
    press(page, "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Right|Not optimal"))
    expect(page.locator(".coach")).to_contain_text("cost")
    fits(page)
    page.get_by_role("link", name="Next decision").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What do you do, Player 2?")
    page.get_by_role("link", name="Your scores").click()
    expect(page.get_by_role("heading", name="kuhn as Player 2")).to_be_visible()
    fits(page)
