// Numbers and findings as sentences, and the summary of an evening as one file.
import { choose, listed } from "./companion-cells.js";
import { Companion } from "./companion-engine.js";
import { results, score, toJson } from "./companion-record.js";
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

/** Where the game stands, in a sentence. */
export function standing(evening) {
  const [passed, failed] = score(evening);
  if (passed === POINTS) return `The resistance has won, ${passed} to ${failed}.`;
  if (failed === POINTS) return `The spies have won, ${failed} to ${passed}.`;
  const next = evening.rounds.length;
  const { missions, sabotages } = evening.table;
  return `Mission ${next + 1} of 5 sends ${missions[next]}; ${counted(sabotages[next], "sabotage")} ${sabotages[next] === 1 ? "fails" : "fail"} it. Resistance ${passed}, spies ${failed}.`;
}

/** A mission that was recorded, in a sentence. */
export function told(evening, index) {
  const round = evening.rounds[index];
  const shown = round.sabotages === 0 ? "no sabotage" : counted(round.sabotages, "sabotage");
  const result = results(evening)[index] === "+" ? "passed" : "failed";
  return `${names(evening, round.team)} went: ${shown}, ${result}.`;
}

/** Who led it and who voted against, where that was recorded. */
export function voted(evening, index) {
  const { leader, against } = evening.rounds[index];
  const said = [];
  if (leader !== null) said.push(`${evening.names[leader]} led.`);
  if (against) said.push(against.length ? `${names(evening, against)} voted against.` : "Nobody voted against.");
  return said.join(" ");
}

/** An evening in a list of them. */
export function brief(evening) {
  const [passed, failed] = score(evening);
  if (passed === POINTS || failed === POINTS) return `${passed === POINTS ? "Resistance" : "Spies"} won, ${Math.max(passed, failed)} to ${Math.min(passed, failed)}`;
  return `Mission ${evening.rounds.length + 1} of 5, ${counted(evening.table.players, "player")}`;
}

/** What the facts prove, and what solved spies would not have done. */
export function proved(companion, role = null) {
  const { evening, table } = companion;
  const { seats, deals } = companion.facts(role);
  const which = (value) => [...seats.keys()].filter((seat) => seats[seat] === value);
  const [spies, loyal] = [which(1), which(0)];
  const sentences = [];
  if (spies.length) sentences.push(`Proved ${role ? "to you" : "by the missions"}: ${names(evening, spies)} ${spies.length === 1 ? "is a spy" : "are spies"}.`);
  if (loyal.length) sentences.push(`Proved ${role ? "to you" : "by the missions"}: ${names(evening, loyal)} ${loyal.length === 1 ? "is" : "are"} loyal.`);
  const all = choose(table.players, table.spies);
  const ways = `${all} ways in which ${counted(table.spies, "spy", "spies")} can sit`;
  const fit = role ? "what you know" : "what everybody saw";
  sentences.push(deals === all ? `All ${ways} fit ${fit}.` : `Of the ${ways}, ${deals} ${deals === 1 ? "fits" : "fit"} ${fit}.`);
  return sentences;
}

export function surprises(companion) {
  return companion.oddCounts.map((index) => {
    const round = companion.evening.rounds[index];
    const needed = companion.table.sabotages[index];
    return `Mission ${index + 1} showed ${counted(round.sabotages, "sabotage")}. Solved spies show exactly ${needed} or none, so under them this has probability 0: somebody slipped.`;
  });
}

const escape = (text) => String(text).replace(/[&<>"]/g, (one) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[one]);

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { line-height: 1.2; } table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { text-align: left; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid #8888; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }`;

/** The whole evening as one page without scripts, which the companion can open again. */
export function summary(evening, strategy, withRole) {
  const slip = strategy ? evening.slip : 1;
  const stages = evening.rounds.map((_, index) => new Companion({ ...evening, rounds: evening.rounds.slice(0, index + 1) }, strategy));
  const missions = evening.rounds.map((_, index) => `<li>${escape([told(evening, index), voted(evening, index)].filter(Boolean).join(" "))}</li>`);
  const table = (name, heads, body) => `<div class="wide" tabindex="0" role="region" aria-label="${name}"><table><thead><tr>${heads.map((head, column) => `<th scope="col"${column ? ' class="number"' : ""}>${escape(head)}</th>`).join("")}</tr></thead><tbody>${body.map(([first, ...rest]) => `<tr><th scope="row">${escape(first)}</th>${rest.map((cell) => `<td${/%$/.test(cell) ? ' class="number"' : ""}>${escape(cell)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>`;
  const beliefs = evening.names.map((name, seat) => [
    evening.revealed?.includes(seat) ? `${name} (spy)` : name,
    ...stages.map((stage) => percent(stage.beliefs(slip).seats[seat])),
    percent((stages.at(-1) ?? new Companion(evening, strategy)).facts().seats[seat]),
  ]);
  const last = new Companion(evening, strategy);
  const role = withRole && evening.role ? `<p>${escape(evening.names[evening.role.seat])} kept this record and was ${evening.role.loyal ? "loyal" : "a spy"}.</p>` : "";
  const end = evening.revealed ? `<p>The spies were ${escape(names(evening, evening.revealed))}.</p>` : "";
  const carried = JSON.stringify(toJson(evening, withRole)).replace(/</g, "\\u003c");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>${escape(evening.title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escape(evening.title)}</h1>
<p>The Resistance: ${escape(counted(evening.table.players, "player"))}, ${escape(counted(evening.table.spies, "spy", "spies"))}. ${escape(standing(evening))}</p>${end}${role}
<h2>Missions</h2><ol>${missions.join("")}</ol>
<h2>Who looked like a spy</h2>
<p>After each mission, if the spies follow the solved strategy but slip ${percent(slip)} of the time; in the last column by the facts alone, at the end.</p>
${table("Who looked like a spy", ["Seat", ...stages.map((_, index) => `After ${index + 1}`), "Facts"], beliefs)}
${[...proved(last), ...surprises(last)].map((one) => `<p>${escape(one)}</p>`).join("\n")}
<p>Votes prove nothing by themselves, so no number here uses them.</p>
</main>
<script type="application/json" id="evening">${carried}<\/script>
</body></html>
`;
}
