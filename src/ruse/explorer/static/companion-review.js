// An evening looked back on, once the roles are out: who could have known what when, and which votes gave it away.
// The same as ruse.people.review in Python, in the same words.
import { listed, subsets } from "./companion-cells.js";
import { before, forPeople, isSpy, played, sight, spiesOf } from "./companion-evening.js";
import { Evidence, assess, bits, seatsIn, voteOdds } from "./companion-people.js";

const TELLING = 1.5; // how many times as likely from a spy a vote has to be to be worth telling
const MOST_TOLD = 5;
const INSIDERS = ["merlin", "spy"];
const letters = (seats) => seats.map((seat) => String.fromCharCode(97 + seat)).join("");
const kindOf = (role) => (role === "merlin" || role === "oberon" ? role : isSpy(role) ? "spy" : "good");

/** What each loyal seat without a special role could know after a mission: who is proved, and how likely the spies are. */
function known(evening, model, number) {
  const record = forPeople(before(evening, number));
  const spies = bits(spiesOf(evening.roles));
  return evening.roles.flatMap((role, seat) => {
    if (role !== "loyal") return [];
    const viewer = { seat, role, spy: false, sees: null };
    const sure = assess(record, null, viewer).spies;
    const proved = bits([...sure.keys()].filter((other) => sure[other] > 1 - 1e-9));
    return [{ seat, proved, found: assess(record, model, viewer).sets.get(spies) ?? 0 }];
  });
}

/** The votes of spies and of Merlin that gave them away most, by how people vote. */
export function tellingVotes(evening, model) {
  const record = forPeople(evening);
  const { state } = new Evidence(null, record.table, record.roleset);
  const votes = [];
  record.missions.forEach(({ proposals, sabotages }, mission) => {
    proposals.forEach((proposal, at) => {
      (proposal.votes ?? []).forEach((vote, seat) => {
        const kind = kindOf(evening.roles[seat]);
        if (kind === "good") return;
        const seen = INSIDERS.includes(kind) ? bits(sight(evening.roles, seat)) : 0;
        const [odds, usual] = [[kind, seen], ["good", 0]].map(([one, sees]) => voteOdds(model, state, proposal, seat, one, sees));
        votes.push({ mission: mission + 1, proposal: at + 1, team: proposal.team, seat, approves: vote, ratio: vote ? odds / usual : (1 - odds) / (1 - usual) });
      });
      state.propose(proposal);
    });
    if (sabotages !== null) state.play(proposals.at(-1).team, sabotages);
  });
  return votes.filter((vote) => vote.ratio >= TELLING).sort((one, two) => two.ratio - one.ratio).slice(0, MOST_TOLD);
}

function toldVote(evening, { mission, proposal, team, seat, approves, ratio }) {
  const role = evening.roles[seat];
  const kind = isSpy(role) ? "a spy" : `${role[0].toUpperCase()}${role.slice(1)}`;
  return `${evening.names[seat]} ${approves ? "approved" : "rejected"} ${letters(seatsIn(team))} (mission ${mission}, proposal ${proposal}): ${ratio.toFixed(1)} times as likely from ${kind} as from somebody who knows nothing.`;
}

/** The review in sentences. */
export function review(evening, model) {
  const { players, spies } = evening.table;
  const named = (set) => listed(seatsIn(set).map((seat) => evening.names[seat]));
  const guess = 100 / subsets(players - 1, spies).length;
  const lines = [`The spies were ${named(bits(spiesOf(evening.roles)))}.`];
  const alone = new Map(); // what a seat could be sure of, beyond what the cards proved to everybody
  played(evening).forEach((_, index) => {
    const seats = known(evening, model, index + 1);
    if (!seats.length) return;
    const share = Math.exp(seats.reduce((sum, one) => sum + Math.log(Math.max(one.found, 1e-9)), 0) / seats.length);
    const proved = seats.reduce((all, one) => all & one.proved, seats[0].proved);
    const sure = proved ? `the cards proved ${named(proved)} to be spies` : "the cards proved nobody a spy";
    lines.push(`After mission ${index + 1} ${sure}. Somebody loyal who weighs votes and teams too gives these spies ${(100 * share).toFixed(0)}%, where a guess among all has ${guess.toFixed(0)}%.`);
    for (const one of seats) {
      if (!(one.proved & ~proved) || one.proved === alone.get(one.seat)) continue;
      alone.set(one.seat, one.proved);
      lines.push(`  ${evening.names[one.seat]} could be sure of ${named(one.proved)} by then.`);
    }
  });
  const telling = tellingVotes(evening, model).map((vote) => toldVote(evening, vote));
  return [...lines, ...(telling.length ? telling : ["No vote of a spy stood out."])];
}
