// The companion for a real evening: what is on the screen, and what a touch does.
import { modelsFor } from "./companion-beliefs.js";
import { button, download, field, fold, make, panel, paragraph, refold } from "./companion-elements.js";
import { emptyDraft, emptyNote, entryPanel, notesPanel, revealPanel, rolePanel, trackPanel } from "./companion-entry.js";
import { SPECIAL_ROLES, approved, begin, checked, place, read, results, stage, toJson } from "./companion-evening.js";
import { advicePanel, beliefPanel, reviewPanel } from "./companion-panels.js";
import { RecordError, checkTable } from "./companion-record.js";
import { fresh, keyOf, list, load, packed, remove, revisionOf, save, unpacked } from "./companion-store.js";
import { brief, counted, roleName, sentence, standing, summary } from "./companion-words.js";

const MOST_UNDO = 50;
const LISTEN = 2000; // milliseconds
const root = document.getElementById("companion");
const setting = JSON.parse(document.getElementById("companion-setting").textContent);
const live = document.getElementById("live");
const say = (text) => { live.textContent = ""; requestAnimationFrame(() => { live.textContent = text; }); };

// entry: {id, revision, evening, undo: [{evening, what}]}; draft: what is being entered; trouble: why that was refused.
const state = { entry: null, draft: emptyDraft(null), note: emptyNote(), editing: null, reveal: null, trouble: "", strategy: null, mine: false, kept: "", conflict: null, fields: null };
const app = { state, show, redraw, record, fail, edit, cancel, turn, people };

// Strategies: within the file, or from the server that the page is from.

const tableKey = (table) => JSON.stringify([table.players, table.spies, table.missions, table.sabotages]);
const strategies = new Map((setting.strategies ?? []).map((one) => [tableKey(one.table), one]));
const OFFICIAL = setting.official;

/** The model of people, which knows the official tables. */
function people(evening) {
  const official = OFFICIAL[evening.table.players];
  return official && tableKey(official) === tableKey(evening.table) ? setting.people : null;
}

async function findStrategy(table) {
  const key = tableKey(table);
  if (strategies.has(key)) return strategies.get(key);
  if (!setting.address) return null;
  const query = new URLSearchParams(Object.entries(table).map(([name, value]) => [name, String(value)]));
  for (let tries = 0; tries < 120; tries += 1) {
    let answer;
    try { answer = await fetch(`${setting.address}?${query}`, { headers: { accept: "application/json" } }); } catch { return null; }
    if (answer.ok && answer.status !== 202) {
      strategies.set(key, await answer.json());
      return strategies.get(key);
    }
    if (answer.status !== 202) return null;
    await new Promise((resolve) => { setTimeout(resolve, 1000); });
  }
  return null;
}

// The evening that is open.

const KEPT = {
  kept: "Kept in this browser.",
  again: "It had been cleared from this browser, and is kept again.",
  full: "Not kept: this browser's storage is full. Nothing is lost on this screen; save a file below.",
  off: "Not kept: this browser keeps nothing here. Nothing is lost on this screen; save a file below.",
};

function keep(entry) {
  const answer = save(entry);
  state.entry = answer.entry;
  if (answer.state === "changed") state.conflict = answer.theirs;
  else { state.conflict = null; state.kept = answer.state; }
  return answer.state;
}

/** Why something cannot be, where the person sees and hears it. */
function fail(text) {
  state.trouble = text;
  say(text);
  show();
  document.getElementById("trouble")?.scrollIntoView({ block: "center" });
}

function refuse(error) {
  if (!(error instanceof RecordError)) throw error;
  fail(sentence(error.message));
}

/** Another evening in place of this one, with the way back; refused with its reason, and then nothing changes. */
function record(evening, what, here = false) {
  try {
    checked(evening);
  } catch (error) {
    refuse(error);
    return false;
  }
  state.trouble = "";
  const undo = [...state.entry.undo, { evening: packed(state.entry.evening), what }].slice(-MOST_UNDO);
  keep({ ...state.entry, evening, undo });
  if (here) state.note = emptyNote();
  else clearDraft();
  say(`${sentence(what)} ${standing(evening)}`);
  show();
  if (!here) document.getElementById("mission-title")?.focus({ preventScroll: true });
  return true;
}

/** Another model or slider, without a step to undo. */
function turn(change) {
  keep({ ...state.entry, evening: { ...state.entry.evening, ...change } });
  show();
}

function undo() {
  const steps = state.entry.undo;
  if (!steps.length) return;
  const { evening, what } = steps.at(-1);
  const { model, slip } = state.entry.evening;
  keep({ ...state.entry, evening: { ...unpacked(evening), model, slip }, undo: steps.slice(0, -1) });
  clearDraft();
  say(`Undone: ${what}.`);
  show();
}

function open(entry) {
  Object.assign(state, { entry, mine: false, conflict: null, strategy: null, note: emptyNote() });
  refold("private");
  clearDraft();
  const { table } = entry.evening;
  state.waiting = Boolean(setting.address) && !strategies.has(tableKey(table));
  findStrategy(table).then((found) => {
    if (state.entry?.id !== entry.id) return;
    state.strategy = found;
    state.waiting = false;
    show();
  });
  show();
}

function clearDraft() {
  Object.assign(state, { draft: emptyDraft(state.entry?.evening), editing: null, reveal: null, trouble: "" });
}

function edit(mission, number) {
  const { evening } = state.entry;
  const { proposals, sabotages } = evening.missions[mission];
  const { leader, team, votes } = proposals[number];
  state.editing = [mission, number];
  state.trouble = "";
  state.draft = { leader, team: new Set(team), against: new Set(votes ? [...votes.keys()].filter((seat) => !votes[seat]) : []), noted: votes !== null, sabotages: number + 1 === proposals.length ? sabotages : null, touched: true };
  show();
  document.getElementById("mission-title").scrollIntoView();
  document.getElementById("mission-title").focus();
}

function cancel() {
  clearDraft();
  show();
}

/** What another tab has made of this evening is taken over, unless something is being entered here. */
function hear() {
  if (!state.entry || state.conflict) return;
  const revision = revisionOf(state.entry.id);
  if (revision === state.entry.revision) return;
  const theirs = revision === null ? null : load(state.entry.id);
  if (!theirs) {
    if (state.kept === "kept" || state.kept === "again") { state.kept = "gone"; show(); }
    return;
  }
  if (state.editing || state.draft.touched) state.conflict = theirs;
  else { state.entry = theirs; state.kept = "kept"; clearDraft(); say("Changed in another tab."); }
  show();
}

window.addEventListener("storage", (event) => {
  if (state.entry && (event.key === null || event.key === keyOf(state.entry.id))) hear();
});
window.addEventListener("focus", hear);
setInterval(hear, LISTEN); // events may be lost, as those that come while this tab is frozen

// Screens.

function show() {
  const focused = document.activeElement?.id;
  root.replaceChildren(...(state.entry ? eveningScreen() : startScreen()));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Draw the form again, and nothing else: the rest stays as it is while a proposal is entered. */
function redraw() {
  const focused = document.activeElement?.id;
  document.getElementById("mission").replaceWith(entryPanel(app, state.entry.evening));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function startScreen() {
  state.fields ??= { players: String(setting.players), names: [...(setting.names ?? [])], spies: "", missions: "", sabotages: "", roles: new Set(setting.roleset ?? []) };
  const { fields } = state;
  const players = Number(fields.players);
  const official = OFFICIAL[players];
  const seats = Number.isInteger(players) && players >= 2 && players <= 26 ? players : 0;
  const wrong = make("p", { id: "table-wrong", class: "trouble note", role: "alert", hidden: true });
  const look = () => { // numbers that cannot be are refused as they are typed
    const text = tableTrouble(fields);
    wrong.hidden = !text;
    wrong.textContent = text;
  };
  const remember = (name) => (event) => { fields[name] = event.target.value; look(); };
  const named = [...Array(seats).keys()].map((seat) => field(`name-${seat}`, `Seat ${seat + 1}`, {
    value: fields.names[seat] ?? "", maxlength: "24", placeholder: String.fromCharCode(65 + seat), oninput: (event) => { fields.names[seat] = event.target.value; },
  }));
  const roles = make("fieldset", {}, make("legend", {}, "Roles of Avalon, if you play with them"), make("div", { class: "seats-row" }, SPECIAL_ROLES.map((role) => make("label", { class: "choice seat" },
    make("input", { type: "checkbox", id: `with-${role}`, checked: fields.roles.has(role), onchange: (event) => { if (event.target.checked) fields.roles.add(role); else fields.roles.delete(role); look(); } }), roleName(role)))));
  const custom = fold("own-table", Boolean(fields.spies || fields.missions || fields.sabotages || !official), "Other spies or missions",
    field("spies", "Spies", { value: fields.spies, inputmode: "numeric", placeholder: official ? String(official.spies) : "", oninput: remember("spies") }),
    field("missions", "Seats on each mission", { value: fields.missions, placeholder: official ? official.missions.join(" ") : "2 3 2 3 3", oninput: remember("missions") }, "Five numbers"),
    field("sabotages", "Sabotages that fail each mission", { value: fields.sabotages, placeholder: (official?.sabotages ?? [1, 1, 1, 1, 1]).join(" "), oninput: remember("sabotages") }, "Five numbers"));
  const form = make("form", { class: "panel", novalidate: "", onsubmit: start },
    make("h2", {}, "A new evening"),
    make("div", { class: "field" }, make("label", { for: "players" }, "Players"), make("select", { id: "players", onchange: (event) => { fields.players = event.target.value; show(); } },
      [...Array(25).keys()].map((one) => make("option", { value: String(one + 2), selected: one + 2 === players }, `${one + 2}${OFFICIAL[one + 2] ? "" : " (your own table)"}`)))),
    official && paragraph(`${counted(official.spies, "spy", "spies")}; missions of ${official.missions.map((size, index) => `${size}${"*".repeat(official.sabotages[index] - 1)}`).join(", ")}${Math.max(...official.sabotages) > 1 ? " (* takes two sabotages)" : ""}.`, "quiet"),
    make("fieldset", {}, make("legend", {}, "Names round the table, the first leader first"), make("div", { class: "names" }, named)),
    roles, custom, wrong,
    state.trouble && make("p", { id: "trouble", class: "trouble note", role: "alert" }, state.trouble),
    make("p", { class: "toolbar" }, make("button", { class: "button main-action" }, "Begin")));
  look();
  const kept = list();
  const evenings = kept.length ? panel("evenings", "Kept here", make("ul", { class: "evenings" }, kept.map((one) => make("li", {},
    button([make("b", {}, one.evening.title), make("span", { class: "gloss" }, brief(one.evening))], () => { open(one); state.kept = "kept"; say(`Opened ${one.evening.title}`); }, { class: "button evening" }),
    button("Delete", () => forget(one), { "aria-label": `Delete ${one.evening.title}` }))))) : null;
  return [
    make("div", { class: "lead" }, make("h1", {}, "Companion"), paragraph("For a real evening of The Resistance or Avalon: note who proposes whom, who votes how, and how many sabotages appear, and see what that proves, what to believe, and whom to send next. Nothing is sent anywhere.")),
    evenings, form, panel("open", "Open a file", importField()),
  ].filter(Boolean);
}

function importField() {
  return make("div", { class: "field" }, make("label", { for: "import" }, "A saved evening, a record or a summary"),
    make("input", { id: "import", type: "file", accept: ".json,.html,application/json,text/html", onchange: async (event) => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        const evening = read(await file.text(), OFFICIAL);
        state.trouble = "";
        adopt(evening);
      } catch (error) {
        refuse(error);
      }
    } }));
}

/** A new entry for an evening, kept at once. */
function adopt(evening, undoSteps = []) {
  const made = { id: fresh(), revision: null, evening, undo: undoSteps };
  open(made);
  keep(made);
  show();
  say(standing(evening));
}

function forget(one) {
  if (!confirm(`Delete ${one.evening.title} from this browser?`)) return;
  remove(one.id);
  say(`Deleted ${one.evening.title}`);
  show();
}

const numbers = (text) => text.trim().split(/[\s,]+/).filter(Boolean).map(Number);

function tableOf(fields) {
  const players = Number(fields.players);
  const official = OFFICIAL[players] ?? { spies: NaN, missions: [], sabotages: [1, 1, 1, 1, 1] };
  return {
    players,
    spies: fields.spies.trim() ? Number(fields.spies) : official.spies,
    missions: fields.missions.trim() ? numbers(fields.missions) : official.missions,
    sabotages: fields.sabotages.trim() ? numbers(fields.sabotages) : official.sabotages,
  };
}

const rolesOf = (fields) => SPECIAL_ROLES.filter((role) => fields.roles.has(role));

/** Why these fields are no table, once somebody has typed into them. */
function tableTrouble(fields) {
  const table = tableOf(fields);
  const typed = fields.spies.trim() || fields.missions.trim() || fields.sabotages.trim();
  if (!typed && !OFFICIAL[table.players]) return "";
  try {
    if (typed) checkTable(table);
    begin(table, new Array(table.players).fill(""), "", rolesOf(fields));
    return "";
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return sentence(error.message);
  }
}

function start(event) {
  event.preventDefault();
  const { fields } = state;
  const table = tableOf(fields);
  const title = `Evening of ${new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" })}`;
  try {
    state.trouble = "";
    adopt(begin(table, [...Array(table.players).keys()].map((seat) => fields.names[seat] ?? ""), title, rolesOf(fields)));
  } catch (error) {
    refuse(error);
  }
}

function eveningScreen() {
  const { evening } = state.entry;
  const over = stage(evening) === "over";
  return [
    head(evening), messages(),
    entryPanel(app, evening),
    over && revealPanel(app, evening),
    reviewPanel(app, evening),
    advicePanel(app, evening),
    beliefPanel(app, evening),
    trackPanel(app, evening),
    notesPanel(app, evening),
    rolePanel(app, evening),
    sharePanel(evening),
    modelPanel(evening),
  ].filter(Boolean);
}

function head(evening) {
  const shown = results(evening);
  const [coming] = place(evening);
  const over = ["over", "shot"].includes(stage(evening));
  const steps = evening.table.missions.map((size, index) => {
    const result = shown[index];
    const word = result === undefined ? (over ? "not played" : index === coming ? "next" : "to come") : result === "+" ? "passed" : "failed";
    const star = "*".repeat(evening.table.sabotages[index] - 1);
    return make("li", { class: result === undefined ? "out" : word, "aria-current": word === "next" ? "step" : null },
      make("b", {}, `${size}${star}`), make("span", {}, word));
  });
  const rejected = stage(evening) === "propose" ? (evening.missions.at(-1)?.sabotages === null ? evening.missions.at(-1).proposals.filter((one) => approved(one) === false).length : 0) : 0;
  const last = state.entry.undo.at(-1);
  return make("div", {}, make("h1", {}, evening.title), make("p", { class: "standing" }, standing(evening)), make("ol", { class: "score", "aria-label": "The five missions" }, steps),
    rejected > 0 && paragraph(`${counted(rejected, "team")} rejected; the fifth rejection wins for the spies.`, "quiet"),
    make("p", { class: "toolbar" },
      button("Undo", undo, { id: "undo", disabled: !last, "aria-label": last ? `Undo: ${last.what}` : "Undo" }),
      button("All evenings", () => { state.entry = null; state.trouble = ""; show(); root.querySelector("h1").focus?.(); }, { id: "leave" })));
}

function messages() {
  const kept = state.kept === "gone" ? "This evening was cleared from the browser, here or in another tab. It is still on this screen." : KEPT[state.kept];
  const found = [make("p", { class: "quiet", id: "kept" }, kept ?? "")];
  if (state.kept === "gone") found.push(make("p", { class: "toolbar" }, button("Keep it again", () => { keep({ ...state.entry, revision: null }); show(); })));
  if (state.conflict) {
    const theirs = state.conflict;
    found.push(make("div", { class: "banner", role: "alert", id: "conflict" },
      paragraph(`This evening was changed in another tab: ${standing(theirs.evening)} Nothing is lost yet: what you see here is not written over it.`),
      make("p", { class: "toolbar" },
        button("Keep mine as a copy", () => {
          const { evening, undo: steps } = state.entry;
          const { draft, editing } = state;
          adopt({ ...evening, title: `${evening.title} (copy)` }, steps);
          Object.assign(state, { draft, editing });
          show();
        }),
        button("Show the other tab's", () => { state.entry = load(theirs.id) ?? theirs; state.conflict = null; state.kept = "kept"; clearDraft(); say("This is the other tab's evening now."); show(); }))));
  }
  return make("div", {}, found);
}

function sharePanel(evening) {
  const stem = evening.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "evening";
  const withRole = make("input", { type: "checkbox", id: "with-role" });
  const shown = { ...evening, model: modelsFor(state.strategy, people(evening)).includes(evening.model) ? evening.model : "facts" };
  return panel("share", "Keep and share", field("title", "Title", { value: evening.title, maxlength: "60", onchange: (event) => { record({ ...evening, title: event.target.value.trim() || evening.title }, "the title changed", true); } }),
    evening.me && make("label", { class: "choice" }, withRole, "Tell my role in the summary"),
    make("p", { class: "toolbar" },
      button("Save the summary", () => download(`${stem}.html`, "text/html", summary(shown, { strategy: state.strategy, people: people(evening) }, withRole.checked)), { id: "summary" }),
      button("Save a file", () => download(`${stem}.json`, "application/json", `${JSON.stringify(toJson(evening), null, 1)}\n`), { id: "export" })),
    paragraph("The summary is one page to share; the companion opens it again. The file is a record in JSON, also for ruse companion --from; it has your role in it too. Nothing is sent anywhere.", "quiet"));
}

function modelPanel(evening) {
  return fold("left-out", false, "What these numbers leave out",
    paragraph("“People” weighs every deal of roles by how likely people make what you noted: the cards, every vote and every proposed team, as fitted on 6,367 recorded games. It knows no talk, and not your friends."),
    paragraph("“Facts only” counts every way in which the spies can sit that fits the sabotages. “Perfect spies” and the slider ask how likely each way makes what you saw, if the spies follow the solved strategy, and slip as often as the slider says by playing a random card. They count no leaders and no votes, and roles besides spy are left out."),
    evening.roleset.length > 0 && paragraph("A good player with a role may know more than the numbers “for everybody”. Say your own role for private advice."));
}

show();
