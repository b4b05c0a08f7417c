"""The companion's engine in the browser against the one in Python, on a thousand evenings."""

from __future__ import annotations

from random import Random

from playwright.sync_api import Browser

from amounts import some
from companions import SORTS, records, same, solution, told
from ruse.explorer.companion import SCRIPTS, joined
from ruse.games.resistance.companion import packed

ENGINE = SCRIPTS[: SCRIPTS.index("companion-store.js")]
ASK = """([records, strategies]) => {
  const { Companion } = modules["companion-engine.js"];
  const { readRounds } = modules["companion-record.js"];
  const { letters } = modules["companion-cells.js"];
  return records.map(([sort, record]) => {
    let evening;
    try { evening = readRounds(record); } catch (error) { return { refused: error.message }; }
    const companion = new Companion(evening, strategies[sort]);
    const { role, slip } = evening;
    const believed = companion.beliefs(slip, role);
    const facts = companion.facts(role);
    const missions = companion.missions(role);
    const order = companion.over ? null : companion.order(missions.at(-1).team, companion.allowed(role)[0]);
    return {
      facts: facts.seats, seats: believed.seats, deals: facts.deals, slips: believed.slips, odd: companion.oddCounts,
      missions: missions.map(({ team, gloss, proved, worth, loss, sent, risk, fails }) => (
        [letters(team), gloss, proved, worth, loss, sent, risk, fails])),
      order: order && [order.aboard, order.sabotage, order.passing, order.failing],
    };
  });
}"""


def test_a_thousand_evenings_are_told_the_same_in_the_browser(browser: Browser) -> None:
    asked = records(Random(2026))
    mine = [told(record, solution(*sort)) for sort, record in asked]
    refused = [one for one in mine if "refused" in one]
    assert some(50) < len(refused) < len(asked) / 2
    assert len({one["refused"].split(",")[0] for one in refused}) > some(5, 2)
    strategies = {str(sort): packed(solution(*sort)) for sort in SORTS}
    page = browser.new_context().new_page()
    page.set_default_timeout(300_000)
    page.add_script_tag(content=f"{joined(ENGINE)}\nwindow.modules = modules;")
    theirs = page.evaluate(ASK, [[[str(sort), record] for sort, record in asked], strategies])
    page.context.close()
    wrong = [
        (record, one, other)
        for (_, record), one, other in zip(asked, mine, theirs, strict=True)
        if not same(one, other)
    ]
    assert not wrong, wrong[0]
