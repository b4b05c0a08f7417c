// What the companion says of an evening: who may be a spy, whom to send, what the spies would want.
//
// `app` is the page: its state, and what it does when something is touched.
import { choose } from "./companion-cells.js";
import { bar, fold, make, panel, paragraph, refold } from "./companion-elements.js";
import { Companion } from "./companion-engine.js";
import { counted, percent, points, proved, surprises } from "./companion-words.js";

const FEW = 6; // missions that are shown before one asks for all

export function beliefPanel(app, evening, companion, role) {
  const slip = companion.strategy ? evening.slip : 1;
  const output = make("output", { for: "slip", id: "slip-told" }, percent(slip));
  const rows = make("tbody", {}, beliefRows(evening, companion, role, slip));
  const words = make("div", { id: "belief-words" }, beliefWords(companion, role, slip));
  const slide = (event) => {
    const chosen = Number(event.target.value) / 100;
    output.textContent = percent(chosen);
    event.target.setAttribute("aria-valuetext", slipTold(chosen));
    const moved = new Companion({ ...evening, slip: chosen }, app.state.strategy);
    rows.replaceChildren(...beliefRows(evening, moved, role, chosen));
    words.replaceChildren(...beliefWords(moved, role, chosen));
  };
  const settle = (event) => { app.keep({ ...app.state.entry, evening: { ...app.state.entry.evening, slip: Number(event.target.value) / 100 } }); app.show(); };
  const slider = companion.strategy ? make("div", { class: "field slider" }, make("label", { for: "slip" }, "How often spies slip: ", output),
    make("input", { id: "slip", type: "range", min: "0", max: "100", step: "1", value: String(Math.round(100 * evening.slip)), "aria-valuetext": slipTold(slip), oninput: slide, onchange: settle }),
    make("p", { class: "ends quiet" }, make("span", {}, "0%: solved spies"), make("span", {}, "100%: random cards"))) : paragraph(app.state.waiting ? "Solving this table …" : "There is no solved strategy of this table here, so spies are assumed to play random cards.", "quiet");
  return panel("beliefs", "Who may be a spy", evening.role && viewChoice(app, evening), slider,
    make("table", { class: "seats suspects" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Seat"), make("th", { scope: "col" }, "With slips"), make("th", { scope: "col", class: "right" }, "Facts"))), rows), words);
}

const slipTold = (slip) => (slip === 0 ? "never: solved spies" : slip === 1 ? "always: random cards" : `${percent(slip)} of the time`);

function beliefRows(evening, companion, role, slip) {
  const [believed, facts] = [companion.beliefs(slip, role).seats, companion.facts(role).seats];
  return evening.names.map((name, seat) => make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "often" }, bar(believed[seat]), make("span", { class: "odds" }, percent(believed[seat]))), make("td", { class: "right number" }, percent(facts[seat]))));
}

function beliefWords(companion, role, slip) {
  const { slips } = companion.beliefs(slip, role);
  const found = [...proved(companion, role), ...surprises(companion)];
  if (companion.oddCounts.length) found.push("The rest still works.");
  if (slips) found.push(`Solved spies who never slip would not have come here. Shown is what follows if they slipped as rarely as possible: ${counted(slips, "time")}.`);
  else if (slip === 0) found.push("These numbers hold only if the spies play exactly as solved. People do not: move the slider.");
  if (slip === 1) found.push("At 100% each spy plays a random card. That is still more than the facts: a passed mission then speaks for those who went.");
  return found.map((one) => paragraph(one, "finding"));
}

function viewChoice(app, evening) {
  const pick = (mine, text) => make("label", { class: "choice seat" }, make("input", { type: "radio", name: "view", id: mine ? "view-mine" : "view-all", checked: app.state.mine === mine, onchange: () => { app.state.mine = mine; if (!mine) refold("private"); app.show(); } }), text);
  return make("fieldset", {}, make("legend", {}, "Seen by"), make("div", { class: "seats-row" }, pick(false, "everybody"), pick(true, `${evening.names[evening.role.seat]} (private)`)));
}

/** What the solved spies would do with the team that is chosen, for a spy who knows all partners. */
export function orders(app, evening, companion) {
  const { role, table } = evening;
  if (role.partners.length < table.spies - 1) return paragraph("Name all your partners below to hear what solved spies would do.", "quiet");
  if (!companion.advises || app.state.draft.team.size !== table.missions[evening.rounds.length]) return null;
  const team = [...app.state.draft.team].sort((one, two) => one - two);
  const found = companion.order(team, [role.seat, ...role.partners].sort((one, two) => one - two));
  if (found.failing === null) return paragraph(`Private: ${counted(found.aboard, "spy", "spies")} aboard, too few to fail it. Pass.`, "note");
  return paragraph(`Private: the solved strategy sabotages this team ${percent(found.sabotage)} of the time. If all go on as solved, you win ${percent(1 - found.failing)} if it fails and ${percent(1 - found.passing)} if it passes.`, "note");
}

export function advicePanel(app, evening, companion, role) {
  const holder = panel("advice", "Whom to send", paragraph("Working it out …", "quiet"));
  if (!companion.strategy) holder.lastChild.textContent = app.state.waiting ? "Solving this table …" : "There is no solved strategy of this table here. `ruse companion` with this table and --out makes a file that has one.";
  else if (!companion.advises) holder.lastChild.textContent = `This table has ${choose(evening.table.players, evening.table.spies).toLocaleString("en")} possible sets of spies: too many to advise on.`;
  else {
    const tell = () => holder.replaceChildren(holder.firstChild, ...advice(evening, companion, role));
    if (companion.knows(role)) tell();
    else setTimeout(() => { if (holder.isConnected) tell(); }); // after the screen is drawn
  }
  return holder;
}

function advice(evening, companion, role) {
  const spy = role && !role.loyal;
  const found = companion.missions(role);
  const best = spy ? found.at(-1) : found[0];
  const plan = found.find((one) => one.sent > 0);
  const words = [];
  if (spy) {
    words.push(`Private: your side does best if ${best.gloss} go. It then wins ${percent(1 - best.worth)} if all go on as solved.`);
  } else {
    const first = plan && plan.proved <= best.proved ? plan : best;
    words.push(`Send ${first.gloss}${first === plan ? ", as the solved strategy does" : ""}. The resistance then wins ${percent(first.worth)} if the spies play as solved from here on.`);
    if (!companion.listed) words.push("The solved strategy never comes here by itself: this is the best reply to these spies.");
    else if (first !== plan) words.push(`The solved strategy sends ${plan.gloss}, with ${counted(plan.proved, "proved spy", "proved spies")} aboard: it goes by passed and failed, not by the number of sabotages.`);
    else if (plan.loss > 1e-9) words.push(`Against these spies ${best.gloss} would win ${points(plan.loss)} more, but only the solved strategy is safe against all spies.`);
  }
  const wanted = spy ? [] : [make("h3", {}, "What the spies would want"), ...wishes(found).map((one) => paragraph(one))];
  const rows = spy ? [...found].reverse() : found;
  return [
    ...words.map((one) => paragraph(one)), missionList(rows.slice(0, FEW), spy),
    rows.length > FEW && fold("all-sorts", false, `All ${rows.length} sorts of missions`, missionList(rows, spy)),
    ...wanted,
    paragraph(`How often ${spy ? "the spies win" : "the resistance wins"}, and what a mission costs beside the best one, hold against spies who may have slipped so far, as the slider says, and follow the solved strategy from here on, while the resistance sends the best mission each time${role ? ", at a table that does not know what you know" : ""}. Seats that went on the same missions are alike.`, "assumption"),
  ].filter(Boolean);
}

/** Which missions spies would like to see sent, and what solved spies do with the one that is advised. */
function wishes(missions) {
  const [best, worst] = [missions[0], missions.at(-1)];
  const found = worst.loss < 1e-9 ? ["Whoever is sent, it is all the same to the spies."] : [`Spies would want ${worst.gloss} to go: the resistance then wins ${percent(worst.worth)}, which is ${points(worst.loss)} less than with the best mission.`];
  if (best.risk > 1e-12) found.push(`If enough spies are aboard the best mission, solved spies sabotage it ${percent(best.fails / best.risk)} of the time.`);
  return found;
}

function missionList(missions, spy) {
  const wins = (one) => (spy ? 1 - one.worth : one.worth);
  const best = Math.max(...missions.map(wins));
  return make("ol", { class: "sorts" }, missions.map((one) => make("li", {},
    make("div", {}, make("b", {}, one.gloss), one.sent > 0 && make("span", { class: "quiet" }, ` solved strategy${one.sent < 1 ? `, ${percent(one.sent)} of the time` : ""}`)),
    make("div", { class: "numbers" }, [
      `${spy ? "spies win" : "wins"} ${percent(wins(one))}`,
      `costs ${points(best - wins(one))}`,
      one.price === null ? "" : `if always sent: ${points(one.price)}`, // what ruse insight finds; not known here yet
      `spies can fail it: ${percent(one.risk)}`,
    ].filter(Boolean).map((text) => make("span", {}, text))))));
}
