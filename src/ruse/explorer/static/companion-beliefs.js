// Who may be a spy, and whom to send, in the model that was chosen.
import { Companion } from "./companion-engine.js";
import { forPeople, forSolved, stage, viewer } from "./companion-evening.js";
import { assess, seatsIn, teamRisks } from "./companion-people.js";

const SOLVED = ["perfect", "slips"];
export const isSolved = (model) => SOLVED.includes(model);

/** The models that this table has: people at official tables, solved spies where there is a strategy. */
export function modelsFor(strategy, people) {
  return [...(people ? ["people"] : []), "facts", ...(strategy ? SOLVED : [])];
}

/** What anybody may believe, or the person who asks: {model, spies, merlin, facts, slips}, and what teamsFor needs. */
export function believe(evening, strategy, people, mine = false) {
  const model = modelsFor(strategy, people).includes(evening.model) ? evening.model : people ? "people" : "facts";
  const who = mine ? viewer(evening) : null;
  const record = forPeople(evening);
  const facts = assess(record, null, who);
  if (!isSolved(model)) {
    const found = model === "people" ? assess(record, people, who) : facts;
    return { ...found, model, facts, slips: 0, viewer: who, people: model === "people" ? people : null };
  }
  const companion = new Companion(forSolved({ ...evening, model }), strategy);
  const role = who && { seat: who.seat, loyal: !who.spy, partners: seatsIn(who.sees ?? 0).filter((seat) => seat !== who.seat), deals: [...facts.sets.keys()].map(seatsIn) };
  const { seats, slips } = companion.beliefs(model === "perfect" ? 0 : evening.slip, role);
  return { spies: seats, merlin: null, model, facts, slips, companion, role, viewer: who };
}

/** The teams of the next mission, the best first: {team, risk, fails}, against solved spies also what they win. */
export function teamsFor(evening, found) {
  if (stage(evening) !== "propose") return [];
  if (!found.companion) return teamRisks(found, found.people);
  const near = (value) => Math.round(value * 1e9);
  const suspect = ({ team }) => team.reduce((sum, seat) => sum + found.spies[seat], 0);
  return [...found.companion.missions(found.role)].sort((one, two) => (
    near(one.loss) - near(two.loss) || near(one.fails) - near(two.fails) || near(one.risk) - near(two.risk) || near(suspect(one) - suspect(two)) || near(two.sent) - near(one.sent)));
}

/** How often the resistance wins after a team passes and after it fails, against solved spies; null where that cannot be. */
export function afterwards({ companion, role }, team) {
  const [, weights] = companion.weights(companion.allowed(role), companion.evening.slip);
  const totals = { pass: [0, 0], fail: [0, 0] };
  for (const [spies, weight] of weights) {
    const { sabotage, passing, failing } = companion.order(team, spies);
    for (const [kind, share, worth] of [["pass", 1 - sabotage, passing], ["fail", failing === null ? 0 : sabotage, failing ?? 0]]) {
      totals[kind][0] += weight * share;
      totals[kind][1] += weight * share * worth;
    }
  }
  const mean = ([all, worth]) => (all > 1e-12 ? worth / all : null);
  return { passing: mean(totals.pass), failing: mean(totals.fail) };
}
