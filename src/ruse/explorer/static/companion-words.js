// Numbers and findings as sentences, and the summary of an evening as one file.
import { choose, listed } from "./companion-cells.js";
import { believe } from "./companion-beliefs.js";
import { approved, before, hung, place, played, results, score, spiesOf, stage, teamOf, toJson } from "./companion-evening.js";
import { review } from "./companion-review.js";
import { POINTS } from "./companion-worth.js";

/** A share as people read it: 70%, 33.3%, and never 0% or 100% of what is neither. */
export function percent(share) {
  if (share <= 0 || share >= 1) return share <= 0 ? "0%" : "100%";
  const told = (100 * share).toFixed(1).replace(/\.0$/, "");
  if (told === "0") return share < 1e-12 ? "0%" : "under 0.1%";
  if (told === "100") return share > 1 - 1e-12 ? "100%" : "over 99.9%";
  return `${told}%`;
}

/** A difference of two shares, in percentage points. */
export function points(share) {
  if (share < 1e-12) return "nothing";
  const told = (100 * share).toFixed(1).replace(/\.0$/, "");
  return told === "0" ? "under 0.1 points" : `${told} ${told === "1" ? "point" : "points"}`;
}

export const counted = (count, word, many = `${word}s`) => `${count} ${count === 1 ? word : many}`;
export const names = (evening, seats) => listed(seats.map((seat) => evening.names[seat]));
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
export const roleName = (role) => (role === "loyal" ? "loyal" : role === "minion" ? "a spy" : role.charAt(0).toUpperCase() + role.slice(1));
export const MODEL_WORDS = {
  people: "as people play in recorded games",
  facts: "if every deal that fits the sabotages is as likely as any, and spies who can fail a mission do",
  perfect: "if the spies follow the solved strategy without a slip",
  slips: "if the spies follow the solved strategy, and slip as often as your slider says",
};

const sideOf = (evening) => (evening.roleset.length ? "good side" : "resistance");

/** Where the game stands, in a sentence. */
export function standing(evening) {
  const [passed, failed] = score(evening);
  const side = sideOf(evening);
  const next = stage(evening);
  if (next === "shot") return "Three missions passed. The Assassin names Merlin now.";
  if (passed === POINTS) {
    if (evening.shot === null || !evening.roles) return `The ${side} has won, ${passed} to ${failed}.`;
    return evening.roles[evening.shot] === "merlin" ? `The spies have won: ${evening.names[evening.shot]} was Merlin.` : `The ${side} has won: ${evening.names[evening.shot]} was not Merlin.`;
  }
  if (failed === POINTS) return `The spies have won, ${failed} to ${passed}.`;
  if (hung(evening)) return "The spies have won: five teams were rejected.";
  const [mission, proposal] = place(evening);
  const { missions, sabotages } = evening.table;
  if (next === "cards") return `${names(evening, teamOf(evening.missions.at(-1)))} go on mission ${evening.missions.length} of 5.`;
  const which = proposal ? `, proposal ${proposal + 1} of 5` : "";
  return `Mission ${mission + 1} of 5${which}: ${missions[mission]} go, ${counted(sabotages[mission], "sabotage")} ${sabotages[mission] === 1 ? "fails" : "fail"} it. ${sentence(side)} ${passed}, spies ${failed}.`.replace(". Resistance.", ". Resistance").replace(". Good side.", ". Good side");
}

/** What came of a proposal. */
export function outcome(evening, mission, number) {
  const { proposals, sabotages } = evening.missions[mission];
  if (number + 1 < proposals.length || approved(proposals[number]) === false) return "rejected";
  if (sabotages === null) return "goes";
  return `${sabotages < evening.table.sabotages[mission] ? "passed" : "failed"}, ${sabotages === 0 ? "no sabotage" : counted(sabotages, "sabotage")}`;
}

/** A proposal in a sentence. */
export function told(evening, mission, number) {
  const { leader, team, votes } = evening.missions[mission].proposals[number];
  const led = leader === null ? "Somebody" : evening.names[leader];
  const against = votes && [...votes.keys()].filter((seat) => !votes[seat]);
  const vote = !votes ? "" : against.length ? ` ${names(evening, against)} voted against.` : " Nobody voted against.";
  return `${led} proposed ${names(evening, team)}: ${outcome(evening, mission, number)}.${vote}`;
}

/** An evening in a list of them. */
export function brief(evening) {
  const over = stage(evening) === "over";
  return over ? standing(evening) : `Mission ${place(evening)[0] + 1} of 5, ${counted(evening.table.players, "player")}`;
}

/** A note in a sentence. */
export function noted(evening, { mission, proposal, by, about, claim, text }) {
  const who = by === null ? "" : evening.names[by];
  const says = about === null ? who : claim.startsWith("claims") ? `${evening.names[about]} ${claim}` : `${who || "Somebody"} says that ${evening.names[about]} ${claim || "…"}`;
  return `Mission ${mission + 1}, before proposal ${proposal + 1}: ${[says, text].filter(Boolean).join(": ")}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** What the facts prove. */
export function proved(evening, facts, mine) {
  const which = (value) => [...facts.spies.keys()].filter((seat) => Math.abs(facts.spies[seat] - value) < 1e-9);
  const [spies, loyal] = [which(1), which(0)];
  const to = mine ? "to you" : "by the missions";
  const sentences = [];
  if (spies.length) sentences.push(`Proved ${to}: ${names(evening, spies)} ${spies.length === 1 ? "is a spy" : "are spies"}.`);
  if (loyal.length) sentences.push(`Proved ${to}: ${names(evening, loyal)} ${loyal.length === 1 ? "is" : "are"} ${evening.roleset.length ? "good" : "loyal"}.`);
  const all = choose(evening.table.players, evening.table.spies);
  const ways = `${all} ways in which ${counted(evening.table.spies, "spy", "spies")} can sit`;
  const fit = mine ? "what you know" : "what everybody saw";
  sentences.push(facts.deals === all ? `All ${ways} fit ${fit}.` : `Of the ${ways}, ${facts.deals} ${facts.deals === 1 ? "fits" : "fit"} ${fit}.`);
  return sentences;
}

/** Missions that showed another number of sabotages than solved spies ever show. */
export function surprises(evening) {
  return played(evening).flatMap(({ sabotages }, index) => {
    const needed = evening.table.sabotages[index];
    return [0, needed].includes(sabotages) ? [] : [`Mission ${index + 1} showed ${counted(sabotages, "sabotage")}. Solved spies show exactly ${needed} or none, so under them this has probability 0: somebody slipped.`];
  });
}

const escape = (text) => String(text).replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one]);

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { line-height: 1.2; } table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid #8888; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }`;

/** The whole evening as one page without scripts, which the companion can open again. */
export function summary(evening, { strategy, people }, withRole) {
  const shown = { ...evening, me: null };
  const stages = played(evening).map((_, index) => believe(before({ ...shown, roles: null, shot: null }, index + 1), strategy, people));
  const proposals = evening.missions.flatMap((mission, index) => mission.proposals.map((_, number) => `<li>Mission ${index + 1}, proposal ${number + 1}. ${escape(told(evening, index, number))}</li>`));
  const table = (name, heads, body) => `<div class="wide" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${heads.map((head, column) => `<th scope="col"${column ? ' class="number"' : ""}>${escape(head)}</th>`).join("")}</tr></thead><tbody>${body.map(([first, ...rest]) => `<tr><th scope="row">${escape(first)}</th>${rest.map((cell) => `<td${/%$/.test(cell) ? ' class="number"' : ""}>${escape(cell)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>`;
  const beliefs = evening.names.map((name, seat) => [
    evening.roles && evening.roles[seat] !== "loyal" ? `${name} (${roleName(evening.roles[seat]).replace("a spy", "spy")})` : name,
    ...stages.map((found) => percent(found.spies[seat])),
    percent((stages.at(-1) ?? believe(shown, strategy, people)).facts.spies[seat]),
  ]);
  const end = evening.roles ? `<p>The spies were ${escape(names(evening, spiesOf(evening.roles)))}.</p>` : "";
  const looked = evening.roles && people && results(evening) ? `<h2>Review</h2>${review(evening, people).map((line) => `<p>${escape(line)}</p>`).join("\n")}` : "";
  const said = evening.notes.length ? `<h2>Notes</h2><ul>${evening.notes.map((note) => `<li>${escape(noted(evening, note))}</li>`).join("")}</ul>` : "";
  const role = withRole && evening.me ? `<p>${escape(evening.names[evening.me.seat])} kept this record and was ${escape(roleName(evening.me.role))}.</p>` : "";
  const carried = JSON.stringify(toJson(evening, withRole)).replace(/</g, "\\u003c");
  const title = evening.roleset.length ? `Avalon with ${listed(evening.roleset.map(roleName))}` : "The Resistance";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${escape(evening.title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escape(evening.title)}</h1>
<p>${escape(title)}: ${escape(counted(evening.table.players, "player"))}, ${escape(counted(evening.table.spies, "spy", "spies"))}. ${escape(standing(evening))}</p>${end}${role}
<h2>Proposals, votes and missions</h2><ol>${proposals.join("")}</ol>${said}
<h2>Who looked like a spy</h2>
<p>After each mission, for somebody without a role, ${escape(MODEL_WORDS[evening.model])}; in the last column by the facts alone, at the end.</p>
${table("Who looked like a spy", ["Seat", ...stages.map((_, index) => `After ${index + 1}`), "Facts"], beliefs)}
${looked}
</main>
<script type="application/json" id="evening">${carried}<\/script>
</body></html>
`;
}
