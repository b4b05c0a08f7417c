"""The model of people in the browser against the one in Python: a thousand random records, some of them refused."""

from __future__ import annotations

from random import Random
from typing import Any

from playwright.sync_api import Browser

from amounts import some
from companions import same
from evenings_of_people import CASTS, evening
from ruse import people
from ruse.core.game import RuseError
from ruse.explorer.companion import SCRIPTS, joined
from ruse.games.resistance.companion import habits, official
from ruse.people.beliefs import Beliefs, BeliefTracker, SeatKnowledge
from ruse.people.records import EveningRecord, letters, read_record
from ruse.people.review import review
from ruse.people.situations import TableState, sight
from ruse.people.tables import PEOPLE_TABLES, seat_sets

ENGINE = SCRIPTS[: SCRIPTS.index("companion-store.js")]
ASK = """([asked, model, official]) => {
  const { fromJson, forPeople, stage } = modules["companion-evening.js"];
  const { assess, teamRisks } = modules["companion-people.js"];
  const { review } = modules["companion-review.js"];
  return asked.map(([record, viewer]) => {
    let evening;
    try { evening = fromJson(record, official); } catch (error) { return { refused: error.message }; }
    const told = (people) => {
      const found = assess(forPeople(evening), people, viewer);
      const next = stage(evening) === "propose" ? teamRisks(found, model) : [];
      const letters = (team) => team.map((seat) => String.fromCharCode(97 + seat)).join("");
      return {
        spies: found.spies,
        merlin: evening.roleset.includes("merlin") ? found.merlin : [],
        deals: found.deals,
        teams: Object.fromEntries(next.map(({ team, risk, fails }) => [letters(team), [risk, fails]])),
      };
    };
    const lines = evening.roles && evening.missions.some((one) => one.sabotages !== null) ? review(evening, model) : [];
    try {
      return { people: told(model), facts: told(null), review: lines };
    } catch (error) { return { refused: error.message }; }
  });
}"""


def records(random: Random, count: int) -> list[tuple[dict[str, Any], dict[str, Any] | None]]:
    """Games of people, cut short, with holes and, one in six, a contradiction; and somebody who asks."""
    asked = []
    for number in range(count):
        players = random.choice((5, 5, 5, 6, 6, 7, 7, 8, 9, 10))
        record = evening(random, players, random.choice(CASTS))
        assert record.roles is not None
        seat = random.randrange(players)
        seen = sight(record.roles, seat) if random.random() < 0.7 else None
        spy = bool((record.spies or 0) >> seat & 1)
        viewer = {"seat": seat, "role": record.roles[seat], "spy": spy, "sees": seen}
        data = record.to_json()
        if random.random() < 0.6:
            shorten(random, data)
        data["names"] = {chr(ord("a") + one): f"Seat {one + 1}" for one in range(players)}
        for mission in data["missions"]:
            del mission["saboteurs"]  # nobody at a table knows that
            for proposal in mission["proposals"]:
                if random.random() < 0.05:
                    proposal["votes"] = None
                if random.random() < 0.05:
                    proposal["leader"] = None
        if random.random() < 0.7:
            del data["roles"]
        if number % 6 == 0:
            random.choice(CONTRADICTIONS)(random, data)
        asked.append((data, viewer if random.random() < 0.8 else None))
    return asked


def shorten(random: Random, data: dict[str, Any]) -> None:
    """Stop somewhere: after a mission, after some proposals, or before the cards are shown."""
    del data["missions"][random.randint(1, len(data["missions"])) :]
    last = data["missions"][-1]
    if random.random() < 0.7:
        last["sabotages"] = None
        if random.random() < 0.7:
            del last["proposals"][random.randint(0, len(last["proposals"]) - 1) :]


def _seat_that_is_not_there(random: Random, data: dict[str, Any]) -> None:
    data["missions"][0]["proposals"] += [{"leader": "a", "team": "ab", "votes": {"z": True}}]


def _sixth_proposal(random: Random, data: dict[str, Any]) -> None:
    team = "abcde"[: PEOPLE_TABLES[data["players"]].missions[0]]
    votes = {chr(ord("a") + seat): False for seat in range(data["players"])}
    data["missions"][0] = {"proposals": [{"leader": "a", "team": team, "votes": votes}] * 6, "sabotages": None}


def _sabotages_by_nobody(random: Random, data: dict[str, Any]) -> None:
    data["missions"][0]["sabotages"] = random.randint(2, 5)


def _too_large_a_team(random: Random, data: dict[str, Any]) -> None:
    data["missions"][-1]["proposals"] = [{"leader": "b", "team": "abcdefghij"[: data["players"]], "votes": None}]


def _roles_that_cannot_be_dealt(random: Random, data: dict[str, Any]) -> None:
    data["roleset"] = random.choice((["morgana", "mordred", "oberon"], ["wizard"], ["merlin", "merlin"], ["percival"]))


def _nobody_there(random: Random, data: dict[str, Any]) -> None:
    data["players"] = random.choice((0, 4, 11, "five", None))


CONTRADICTIONS = (
    _seat_that_is_not_there,
    _sixth_proposal,
    _sabotages_by_nobody,
    _too_large_a_team,
    _roles_that_cannot_be_dealt,
    _nobody_there,
)


def told(data: dict[str, Any], viewer: dict[str, Any] | None) -> dict[str, Any]:
    """What Python says of a record."""
    try:
        record = read_record(data)
        return {
            "people": _told(record, viewer, people.model()),
            "facts": _told(record, viewer, None),
            "review": review(record) if record.roles and record.played else [],
        }
    except RuseError as error:
        return {"refused": str(error)}


def _told(record: EveningRecord, viewer: dict[str, Any] | None, model: people.PeopleModel | None) -> dict[str, Any]:
    tracker = BeliefTracker(record.table, record.roleset, model)
    for mission in record.missions:
        for proposal in mission.proposals:
            tracker.proposal(proposal)
        if mission.sabotages is not None:
            tracker.mission(mission.team, mission.sabotages)
    who = None if viewer is None else SeatKnowledge(viewer["seat"], viewer["role"], viewer["sees"])
    found = tracker.beliefs(who)
    last = record.missions[-1] if record.missions else None
    out = last is not None and last.sabotages is None and bool(last.proposals) and last.proposals[-1].approved
    unknown = last is not None and last.sabotages is None and bool(last.proposals) and last.proposals[-1].votes is None
    open_ = not record.over and not out and not unknown
    return {
        "spies": [*found.spies],
        "merlin": [*found.merlin] if "merlin" in record.roleset else [],
        "deals": found.deals,
        "teams": _team_risks(tracker.state, found) if open_ else {},
    }


def _team_risks(state: TableState, found: Beliefs) -> dict[str, list[float]]:
    """Of every team of the next mission: how likely enough spies are aboard to fail it, and do as people play."""
    needed, table = state.needed, state.table
    fails = [sum(people.model().card_odds(state, aboard)[needed:]) for aboard in range(table.spies + 1)]
    risks = {}
    for team in seat_sets(table.players, table.missions[state.mission]):
        aboard = [((spies & team).bit_count(), weight) for spies, weight in found.sets.items()]
        risk = sum(weight for spies, weight in aboard if spies >= needed)
        risks[letters(team)] = [float(risk), sum(weight * fails[spies] for spies, weight in aboard)]
    return risks


def test_a_thousand_records_are_told_the_same_in_the_browser(browser: Browser) -> None:
    asked = records(Random(27), some(1000))
    mine = [told(data, viewer) for data, viewer in asked]
    refused = [one["refused"] for one in mine if "refused" in one]
    assert len(asked) / 20 < len(refused) < len(asked) / 2
    assert sum(bool(one.get("review")) for one in mine) > len(asked) / 20
    page = browser.new_context().new_page()
    page.set_default_timeout(300_000)
    page.add_script_tag(content=f"{joined(ENGINE)}\nwindow.modules = modules;")
    theirs = page.evaluate(ASK, [asked, habits(), official()])
    page.context.close()
    wrong = [
        (data, one, other) for (data, _), one, other in zip(asked, mine, theirs, strict=True) if not same(one, other)
    ]
    assert not wrong, (len(wrong), *wrong[0])
