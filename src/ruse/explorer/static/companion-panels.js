// What the companion says of an evening: who may be a spy, whom to send and why, and what the evening shows looked back on.
//
// `app` is the page: its state, and what it does when something is touched.
import { afterwards, believe, isSolved, modelsFor, teamsFor } from "./companion-beliefs.js";
import { listed } from "./companion-cells.js";
import { bar, fold, make, panel, paragraph, refold } from "./companion-elements.js";
import { isSpy, played, stage, teamOf } from "./companion-evening.js";
import { bits, cardOdds } from "./companion-people.js";
import { review } from "./companion-review.js";
import { MODEL_WORDS, counted, names, percent, points, proved, sentence, surprises } from "./companion-words.js";

const FEW = 6; // teams that are shown before one asks for all
const MODEL_NAMES = { people: "People", facts: "Facts only", perfect: "Perfect spies", slips: "My own slider" };

/** What may be believed now; kept until something changes. */
export function current(app) {
  const { state } = app;
  const { evening } = state.entry;
  const mine = Boolean(state.mine && evening.me);
  const key = app.believed;
  if (key?.evening !== evening || key.mine !== mine || key.strategy !== state.strategy) {
    const people = app.people(evening);
    app.believed = { evening, mine, strategy: state.strategy, found: believe(evening, state.strategy, people, mine) };
  }
  return app.believed.found;
}

export function beliefPanel(app, evening) {
  const found = current(app);
  const rows = make("tbody", {}, beliefRows(evening, found));
  const words = make("div", { id: "belief-words" }, beliefWords(evening, found, app.state.mine));
  const heads = ["Seat", "Spy", ...(found.merlin && showsMerlin(evening, found) ? ["Merlin"] : []), "Facts"];
  return panel("beliefs", "Who may be a spy", evening.me && viewChoice(app, evening), modelChoice(app, evening, found),
    found.model === "slips" && slider(app, evening, rows, words),
    make("table", { class: "seats suspects" }, make("thead", {}, make("tr", {}, heads.map((head, column) => make("th", { scope: "col", class: column > 1 ? "right" : null }, head)))), rows), words);
}

const showsMerlin = (evening, found) => evening.roleset.includes("merlin") && found.viewer?.role !== "merlin";

function modelChoice(app, evening, found) {
  const known = modelsFor(app.state.strategy, app.people(evening));
  const missing = app.state.waiting ? "Solving this table …" : app.state.strategy ? "" : "There is no solved strategy of this table here, so it has no model of perfect spies.";
  const own = app.people(evening) ? "" : "The model of people knows the official tables only.";
  return make("fieldset", {}, make("legend", {}, "How the others play"), make("div", { class: "seats-row" }, known.map((model) => make("label", { class: "choice seat" },
    make("input", { type: "radio", name: "model", id: `model-${model}`, checked: found.model === model, onchange: () => app.turn({ model }) }), MODEL_NAMES[model]))),
  missing && paragraph(missing, "quiet"), own && paragraph(own, "quiet"));
}

function slider(app, evening, rows, words) {
  const output = make("output", { for: "slip", id: "slip-told" }, percent(evening.slip));
  const slide = (event) => {
    const slip = Number(event.target.value) / 100;
    output.textContent = percent(slip);
    event.target.setAttribute("aria-valuetext", slipTold(slip));
    const moved = { ...evening, slip };
    const found = believe(moved, app.state.strategy, app.people(evening), Boolean(app.state.mine && evening.me));
    rows.replaceChildren(...beliefRows(moved, found));
    words.replaceChildren(...beliefWords(moved, found, app.state.mine));
  };
  return make("div", { class: "field slider" }, make("label", { for: "slip" }, "How often spies slip: ", output),
    make("input", { id: "slip", type: "range", min: "0", max: "100", step: "1", value: String(Math.round(100 * evening.slip)), "aria-valuetext": slipTold(evening.slip), oninput: slide, onchange: (event) => app.turn({ slip: Number(event.target.value) / 100 }) }),
    make("p", { class: "ends quiet" }, make("span", {}, "0%: solved spies"), make("span", {}, "100%: random cards")));
}

const slipTold = (slip) => (slip === 0 ? "never: solved spies" : slip === 1 ? "always: random cards" : `${percent(slip)} of the time`);

function beliefRows(evening, found) {
  const merlin = found.merlin && showsMerlin(evening, found);
  return evening.names.map((name, seat) => make("tr", {}, make("th", { scope: "row" }, name),
    make("td", { class: "often" }, bar(found.spies[seat]), make("span", { class: "odds" }, percent(found.spies[seat]))),
    merlin && make("td", { class: "right number" }, percent(found.merlin[seat])),
    make("td", { class: "right number" }, percent(found.facts.spies[seat]))));
}

function beliefWords(evening, found, mine) {
  const words = [`${sentence(MODEL_WORDS[found.model])}${found.model === "people" ? " Votes and proposed teams count, talk does not." : isSolved(found.model) ? " Votes count nothing." : ""}${isSolved(found.model) && evening.roleset.length ? " Roles besides spy are left out." : ""}`, ...proved(evening, found.facts, Boolean(mine && evening.me))];
  if (isSolved(found.model)) words.push(...surprises(evening));
  if (found.slips) words.push(`Solved spies who never slip would not have come here. Shown is what follows if they slipped as rarely as possible: ${counted(found.slips, "time")}.`);
  else if (found.model === "perfect" || (found.model === "slips" && evening.slip === 0)) words.push("These numbers hold only if the spies play exactly as solved. People do not.");
  if (found.model === "slips" && evening.slip === 1) words.push("At 100% each spy plays a random card. That is still more than the facts: a passed mission then speaks for those who went.");
  return words.map((one) => paragraph(one, "finding"));
}

function viewChoice(app, evening) {
  const pick = (mine, text) => make("label", { class: "choice seat" }, make("input", { type: "radio", name: "view", id: mine ? "view-mine" : "view-all", checked: Boolean(app.state.mine) === mine, onchange: () => { app.state.mine = mine; if (!mine) refold("private"); app.show(); } }), text);
  return make("fieldset", {}, make("legend", {}, "Seen by"), make("div", { class: "seats-row" }, pick(false, "everybody"), pick(true, `${evening.names[evening.me.seat]} (private)`)));
}

/** What a spy on the team that goes does in this model. */
export function orders(app, evening) {
  const { me, table } = evening;
  const team = teamOf(evening.missions.at(-1));
  if (!app.state.mine || !me || !isSpy(me.role) || !team.includes(me.seat)) return null;
  const found = current(app);
  const spies = [me.seat, ...(me.sees ?? [])].sort((one, two) => one - two);
  const aboard = team.filter((seat) => spies.includes(seat)).length;
  const needed = table.sabotages[evening.missions.length - 1];
  const people = app.people(evening);
  const said = [];
  if (people && found.model === "people") {
    const odds = cardOdds(people, found.state, aboard);
    said.push(`Private: ${counted(aboard, "spy", "spies")} you know ${aboard === 1 ? "is" : "are"} aboard. People fail this mission ${percent(odds.slice(needed).reduce((sum, one) => sum + one, 0))} of the time there.`);
  } else if (found.companion && spies.length === table.spies) {
    const order = found.companion.order(team, spies);
    said.push(order.failing === null ? `Private: ${counted(order.aboard, "spy", "spies")} aboard, too few to fail it. Pass.` : `Private: the solved strategy sabotages this team ${percent(order.sabotage)} of the time. If all go on as solved, you win ${percent(1 - order.failing)} if it fails and ${percent(1 - order.passing)} if it passes.`);
  }
  return said.length ? paragraph(said.join(" "), "note") : null;
}

// Whom to send.

export function advicePanel(app, evening) {
  if (stage(evening) !== "propose") return null;
  const holder = panel("advice", "Whom to send", paragraph("Working it out …", "quiet"));
  const found = current(app);
  if (found.companion && !found.companion.advises) holder.lastChild.textContent = "This table has too many possible sets of spies to advise on against solved spies. Choose another model.";
  else {
    const tell = () => holder.replaceChildren(holder.firstChild, ...advice(evening, found));
    if (!found.companion || found.companion.knows(found.role)) tell();
    else setTimeout(() => { if (holder.isConnected) tell(); }); // after the screen is drawn
  }
  return holder;
}

function advice(evening, found) {
  const spy = Boolean(found.viewer?.spy);
  const teams = teamsFor(evening, found);
  const rows = spy ? (found.companion ? [...teams].sort((one, two) => one.worth - two.worth) : [...teams].reverse()) : teams;
  const words = spy ? spyWords(evening, found, rows) : found.companion ? solvedWords(found, rows) : openWords(evening, found, rows);
  return [
    ...words.map((one) => paragraph(one)), teamList(evening, found, rows.slice(0, FEW)),
    rows.length > FEW && fold("all-teams", false, `All ${rows.length} ${found.companion ? "sorts of teams" : "teams"}`, teamList(evening, found, rows)),
    paragraph(found.companion
      ? `How often ${spy ? "the spies win" : "the resistance wins"}, and what a team costs beside the best one, hold against spies who may have slipped so far, and follow the solved strategy from here on, while the resistance sends the best team each time. Seats that went on the same missions are alike.`
      : `Computed ${MODEL_WORDS[found.model]}${found.viewer ? `, for what ${evening.names[found.viewer.seat]} knows` : ", for what everybody saw"}. Only this mission counts here, not what it would teach for later ones.`, "assumption"),
  ].filter(Boolean);
}

const gloss = (evening, one) => one.gloss ?? names(evening, one.team);

/** In the models of people and of facts: the team that fails least, and why. */
function openWords(evening, found, rows) {
  const [best] = rows;
  const same = rows.filter((one) => one.fails - best.fails < 1e-9);
  const fails = found.model === "people" ? `fails ${percent(best.fails)} of the time as people play; enough spies to fail it are aboard in ${percent(best.risk)}` : `can be failed in ${percent(best.risk)} of the deals that fit`;
  const size = best.team.length;
  if (same.length === rows.length) return [`All teams of ${size} are alike here: each ${fails}.`];
  const words = [`Send ${names(evening, best.team)}: the team ${fails}.${same.length > 1 ? ` ${counted(same.length - 1, "other team is", "other teams are")} as good.` : ""}`];
  const odds = best.team.map((seat) => `${evening.names[seat]} ${seat === found.viewer?.seat ? "(you)" : percent(found.spies[seat])}`);
  words.push(`Why: ${listed(odds)} ${size === 1 ? "is" : "are"} the least likely ${size === 1 ? "spy" : "spies"} together.`);
  const left = [...evening.names.keys()].filter((seat) => !best.team.includes(seat)).sort((one, two) => found.spies[two] - found.spies[one]);
  const because = left.filter((seat) => found.spies[seat] - Math.max(...best.team.map((one) => found.spies[one])) > 1e-9).slice(0, 2).map((seat) => `${evening.names[seat]} (${percent(found.spies[seat])}) stays at home: ${against(evening, found, seat)}.`);
  words.push(...because);
  const swap = rows.find((one) => one.fails - best.fails > 1e-9 && one.team.filter((seat) => !best.team.includes(seat)).length === 1);
  if (swap) {
    const [[inn], [out]] = [swap.team.filter((seat) => !best.team.includes(seat)), best.team.filter((seat) => !swap.team.includes(seat))];
    words.push(`With ${evening.names[inn]} instead of ${evening.names[out]} it ${found.model === "people" ? "fails" : "can be failed in"} ${percent(swap.fails)}: ${points(swap.fails - best.fails)} more.`);
  }
  return words;
}

/** What speaks against a seat. */
function against(evening, found, seat) {
  const on = played(evening).flatMap((mission, index) => (teamOf(mission).includes(seat) ? [[index, mission.sabotages]] : []));
  const failed = on.filter(([, sabotages]) => sabotages > 0);
  if (found.facts.spies[seat] > 1 - 1e-9) return "proved a spy";
  if (failed.length) return `${failed.length === 1 ? "mission" : "missions"} ${listed(failed.map(([index]) => String(index + 1)))} had ${failed.length === 1 && failed[0][1] === 1 ? "a sabotage" : "sabotages"} with them aboard`;
  if (!on.length && played(evening).length) return "never aboard, so no mission speaks for them";
  return found.model === "people" ? "votes and proposed teams speak against them" : "the others fit what happened better";
}

/** Against solved spies: what wins most; if that team fails more often than another, what this buys. */
function solvedWords(found, rows) {
  const [best] = rows;
  const safest = [...rows].sort((one, two) => one.fails - two.fails || one.risk - two.risk)[0];
  const plan = rows.find((one) => one.sent > 0);
  const words = [`Send ${best.gloss}${best.sent > 0 ? ", as the solved strategy does" : ""}. The resistance then wins ${percent(best.worth)} if the spies play as solved from here on; they fail this mission ${percent(best.fails)} of the time, and could in ${percent(best.risk)}.`];
  if (best.fails - safest.fails > 1e-9) {
    const then = (one) => { const { failing } = afterwards(found, one.team); return failing === null ? "" : `, and once it fails the resistance still wins ${percent(failing)}`; };
    words.push(`${sentence(safest.gloss).slice(0, -1)} fails less often: ${percent(safest.fails)} of the time${then(safest)}. What the risk buys: ${best.gloss} wins ${percent(best.worth)} of games instead of ${percent(safest.worth)}, ${points(best.worth - safest.worth)} more${then(best) && `, because once it fails the resistance still wins ${percent(afterwards(found, best.team).failing)}`}.`);
  }
  if (!plan) words.push("The solved strategy never comes here by itself: this is the best reply to these spies.");
  else if (plan !== best) words.push(plan.loss > 1e-9
    ? `The solved strategy sends ${plan.gloss}, which is safe against all spies. Against these it wins ${points(plan.loss)} less.`
    : `The solved strategy sends ${plan.gloss}, which wins as often against these spies and is safe against all.`);
  const worst = rows.at(-1);
  words.push(worst.loss < 1e-9 ? "Whoever is sent, it is all the same to the spies." : `Spies would want ${worst.gloss} to go: the resistance then wins ${percent(worst.worth)}, which is ${points(worst.loss)} less.`);
  return words;
}

function spyWords(evening, found, rows) {
  const [best] = rows;
  if (found.companion) return [`Private: your side does best if ${best.gloss} go. It then wins ${percent(1 - best.worth)} if all go on as solved.`];
  return [`Private: your side does best now if ${names(evening, best.team)} go: the mission then fails ${percent(best.fails)} of the time${found.model === "people" ? " as people play" : ", if the spies aboard sabotage"}.`];
}

function teamList(evening, found, rows) {
  const best = rows[0];
  const spy = Boolean(found.viewer?.spy);
  const wins = (one) => (spy ? 1 - one.worth : one.worth);
  const numbers = (one) => (found.companion
    ? [`${spy ? "spies win" : "wins"} ${percent(wins(one))}`, `costs ${points(Math.max(0, wins(best) - wins(one)))}`, `fails ${percent(one.fails)}`, `spies can fail it: ${percent(one.risk)}`]
    : [...(found.model === "people" ? [`fails ${percent(one.fails)}`] : []), `spies can fail it: ${percent(one.risk)}`]);
  return make("ol", { class: "sorts" }, rows.map((one) => make("li", { "data-team": bits(one.team) },
    make("div", {}, make("b", {}, gloss(evening, one)), one.sent > 0 && make("span", { class: "quiet" }, ` solved strategy${one.sent < 1 ? `, ${percent(one.sent)} of the time` : ""}`)),
    make("div", { class: "numbers" }, numbers(one).map((text) => make("span", {}, text))))));
}

/** Who could have known what when, and which votes gave it away. */
export function reviewPanel(app, evening) {
  if (!evening.roles) return null;
  const people = app.people(evening);
  if (!people) return null;
  return panel("review", "The evening looked back on", make("ul", { class: "review" }, review(evening, people).map((line) => make("li", { class: line.startsWith(" ") ? "gloss" : null }, line.trim()))),
    paragraph("“Somebody loyal” is each loyal seat without a role, on average; the guess weighs cards, votes and teams by the model of people.", "assumption"));
}
