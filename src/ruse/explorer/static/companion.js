// The companion for a real evening: what is on the screen, and what a touch does.
import { button, download, field, fold, make, panel, paragraph, refold } from "./companion-elements.js";
import { Companion } from "./companion-engine.js";
import { advicePanel, beliefPanel, orders } from "./companion-panels.js";
import { RecordError, begin, checked, read, results, score, toJson } from "./companion-record.js";
import { fresh, keyOf, list, load, remove, save } from "./companion-store.js";
import { brief, counted, sentence, standing, summary, told, voted } from "./companion-words.js";
import { POINTS } from "./companion-worth.js";

const MOST_UNDO = 50;
const LISTEN = 2000; // milliseconds
const root = document.getElementById("companion");
const setting = JSON.parse(document.getElementById("companion-setting").textContent);
const live = document.getElementById("live");
const say = (text) => { live.textContent = ""; requestAnimationFrame(() => { live.textContent = text; }); };

// entry: {id, revision, evening, undo: [{evening, what}]}; draft: what is being entered; trouble: why that was refused.
const state = { entry: null, draft: null, editing: null, trouble: "", strategy: null, mine: false, kept: "", conflict: null, fields: null };
const app = { state, keep, show };

// Strategies: within the file, or from the server that the page is from.

const tableKey = (table) => JSON.stringify([table.players, table.spies, table.missions, table.sabotages]);
const strategies = new Map((setting.strategies ?? []).map((one) => [tableKey(one.table), one]));

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

/** Why something was refused, where the person sees and hears it. */
function refuse(error) {
  if (!(error instanceof RecordError)) throw error;
  state.trouble = sentence(error.message);
  say(state.trouble);
  show();
  document.getElementById("trouble")?.scrollIntoView({ block: "center" });
}

/** Another evening in place of this one, with the way back; refused with its reason, and then nothing changes. */
function change(evening, what) {
  try {
    checked(evening);
  } catch (error) {
    refuse(error);
    return false;
  }
  state.trouble = "";
  const undo = [...state.entry.undo, { evening: state.entry.evening, what }].slice(-MOST_UNDO);
  keep({ ...state.entry, evening, undo });
  say(`${what}. ${standing(evening)}`);
  return true;
}

function undo() {
  const steps = state.entry.undo;
  if (!steps.length) return;
  const { evening, what } = steps.at(-1);
  keep({ ...state.entry, evening: { ...evening, slip: state.entry.evening.slip }, undo: steps.slice(0, -1) });
  clearDraft();
  say(`Undone: ${what}.`);
  show();
}

function open(entry) {
  Object.assign(state, { entry, mine: false, conflict: null, trouble: "", strategy: null, reveal: null });
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

const emptyDraft = () => ({ team: new Set(), sabotages: null, leader: null, votes: false, against: new Set() });
const touched = () => state.editing !== null || state.draft.team.size > 0 || state.draft.sabotages !== null;

function clearDraft() {
  state.draft = emptyDraft();
  state.editing = null;
}

/** What another tab has made of this evening is taken over, unless something is being entered here. */
function hear() {
  if (!state.entry || state.conflict) return;
  const theirs = load(state.entry.id);
  if (!theirs) {
    if (state.kept === "kept" || state.kept === "again") { state.kept = "gone"; show(); }
    return;
  }
  if (theirs.revision === state.entry.revision) return;
  if (touched()) state.conflict = theirs;
  else { state.entry = theirs; state.kept = "kept"; say("Changed in another tab."); }
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

const OFFICIAL = setting.official;

function startScreen() {
  state.fields ??= { players: String(setting.players), names: [], spies: "", missions: "", sabotages: "", title: "" };
  const { fields } = state;
  const players = Number(fields.players);
  const official = OFFICIAL[players];
  const remember = (name) => (event) => { fields[name] = event.target.value; };
  const seats = Number.isInteger(players) && players >= 2 && players <= 26 ? players : 0;
  const named = [...Array(seats).keys()].map((seat) => field(`name-${seat}`, `Seat ${seat + 1}`, {
    value: fields.names[seat] ?? "", maxlength: "24", placeholder: String.fromCharCode(65 + seat), oninput: (event) => { fields.names[seat] = event.target.value; },
  }));
  const custom = fold("own-table", Boolean(fields.spies || fields.missions || fields.sabotages || !official), "Other spies or missions",
    field("spies", "Spies", { value: fields.spies, inputmode: "numeric", placeholder: official ? String(official.spies) : "", oninput: remember("spies") }),
    field("missions", "Seats on each mission", { value: fields.missions, placeholder: official ? official.missions.join(" ") : "2 3 2 3 3", oninput: remember("missions") }, "Five numbers"),
    field("sabotages", "Sabotages that fail each mission", { value: fields.sabotages, placeholder: (official?.sabotages ?? [1, 1, 1, 1, 1]).join(" "), oninput: remember("sabotages") }, "Five numbers"));
  const form = make("form", { class: "panel", onsubmit: start },
    make("h2", {}, "A new evening"),
    make("div", { class: "field" }, make("label", { for: "players" }, "Players"), make("select", { id: "players", onchange: (event) => { fields.players = event.target.value; show(); } },
      [...Array(25).keys()].map((one) => make("option", { value: String(one + 2), selected: one + 2 === players }, `${one + 2}${OFFICIAL[one + 2] ? "" : " (your own table)"}`)))),
    official && paragraph(`${counted(official.spies, "spy", "spies")}; missions of ${official.missions.map((size, index) => `${size}${"*".repeat(official.sabotages[index] - 1)}`).join(", ")}${Math.max(...official.sabotages) > 1 ? " (* takes two sabotages)" : ""}.`, "quiet"),
    make("fieldset", {}, make("legend", {}, "Names round the table"), make("div", { class: "names" }, named)),
    custom,
    state.trouble && make("p", { id: "trouble", class: "trouble note", role: "alert" }, state.trouble),
    make("p", { class: "toolbar" }, make("button", { class: "button main-action" }, "Begin")));
  const kept = list();
  const evenings = kept.length ? panel("evenings", "Kept here", make("ul", { class: "evenings" }, kept.map((one) => make("li", {},
    button([make("b", {}, one.evening.title), make("span", { class: "gloss" }, brief(one.evening))], () => { open(one); state.kept = "kept"; say(`Opened ${one.evening.title}`); }, { class: "button evening" }),
    button("Delete", () => forget(one), { "aria-label": `Delete ${one.evening.title}` }))))) : null;
  return [
    make("div", { class: "lead" }, make("h1", {}, "Companion"), paragraph("For a real evening of The Resistance: write down who went and how many sabotages appeared, and see what that proves, what to believe, and whom to send next. Nothing is sent anywhere.")),
    evenings, form, panel("open", "Open a file", importField()),
  ].filter(Boolean);
}

function importField() {
  return make("div", { class: "field" }, make("label", { for: "import" }, "A saved evening or a summary"),
    make("input", { id: "import", type: "file", accept: ".json,.html,application/json,text/html", onchange: async (event) => {
      const [file] = event.target.files;
      if (!file) return;
      try {
        const evening = read(await file.text());
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

function start(event) {
  event.preventDefault();
  const { fields } = state;
  const players = Number(fields.players);
  const official = OFFICIAL[players] ?? { spies: NaN, missions: [], sabotages: [1, 1, 1, 1, 1] };
  const table = {
    players,
    spies: fields.spies.trim() ? Number(fields.spies) : official.spies,
    missions: fields.missions.trim() ? numbers(fields.missions) : official.missions,
    sabotages: fields.sabotages.trim() ? numbers(fields.sabotages) : official.sabotages,
  };
  const title = `Evening of ${new Date().toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" })}`;
  try {
    adopt(begin(table, [...Array(players).keys()].map((seat) => fields.names[seat] ?? ""), title));
  } catch (error) {
    refuse(error);
  }
}

/** The companion of an evening, once it is found; an evening that is changed is another one. */
function companionOf(evening) {
  if (state.companion?.evening !== evening || state.companion.strategy !== state.strategy) state.companion = new Companion(evening, state.strategy);
  return state.companion;
}

function eveningScreen() {
  const { evening } = state.entry;
  const companion = companionOf(evening);
  const role = state.mine ? evening.role : null;
  const over = score(evening).includes(POINTS);
  return [
    head(evening), messages(),
    (!over || state.editing !== null) && missionForm(evening, companion),
    beliefPanel(app, evening, companion, role),
    !over && advicePanel(app, evening, companion, role),
    evening.rounds.length > 0 && historyPanel(evening),
    rolePanel(evening),
    sharePanel(evening, over),
    modelPanel(),
  ].filter(Boolean);
}

function head(evening) {
  const steps = evening.table.missions.map((size, index) => {
    const result = results(evening)[index];
    const coming = score(evening).includes(POINTS) ? "not played" : index === evening.rounds.length ? "next" : "to come";
    const word = result === undefined ? coming : result === "+" ? "passed" : "failed";
    const star = "*".repeat(evening.table.sabotages[index] - 1);
    return make("li", { class: result === undefined ? "out" : result === "+" ? "passed" : "failed", "aria-current": word === "next" ? "step" : null },
      make("b", {}, `${size}${star}`), make("span", {}, word));
  });
  const last = state.entry.undo.at(-1);
  return make("div", {}, make("h1", {}, evening.title), make("p", { class: "standing" }, standing(evening)), make("ol", { class: "score", "aria-label": "The five missions" }, steps),
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
      paragraph(`This evening was changed in another tab, where ${counted(theirs.evening.rounds.length, "mission")} ${theirs.evening.rounds.length === 1 ? "is" : "are"} recorded now. Nothing is lost yet: what you see here is not written over it.`),
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

/** Draw the form again, and nothing else: the rest stays as it is while a mission is entered. */
function redraw() {
  const focused = document.activeElement?.id;
  const { evening } = state.entry;
  document.getElementById("mission").replaceWith(missionForm(evening, companionOf(evening)));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function missionForm(evening, companion) {
  const { draft, editing } = state;
  const index = editing ?? evening.rounds.length;
  const size = evening.table.missions[index];
  const seats = (set, kind) => make("div", { class: "seats-row" }, evening.names.map((name, seat) => make("label", { class: "choice seat" },
    make("input", { type: "checkbox", id: `${kind}-${seat}`, checked: set.has(seat), onchange: (event) => { if (event.target.checked) set.add(seat); else set.delete(seat); redraw(); } }), name)));
  const count = make("span", { class: "quiet" }, ` ${draft.team.size} of ${size}`);
  const submit = (event) => {
    event.preventDefault();
    if (draft.sabotages === null) { state.trouble = "Say how many sabotages appeared."; say(state.trouble); show(); return; }
    const ordered = (set) => [...set].sort((one, two) => one - two);
    const round = { team: ordered(draft.team), sabotages: draft.sabotages, leader: draft.leader, against: draft.votes ? ordered(draft.against) : null };
    const rounds = editing === null ? [...evening.rounds, round] : evening.rounds.map((old, number) => (number === index ? round : old));
    if (change({ ...evening, rounds }, `mission ${index + 1} ${editing === null ? "recorded" : "changed"}`)) {
      clearDraft();
      show();
      document.getElementById("mission-title")?.focus({ preventScroll: true });
    }
  };
  const order = state.mine && evening.role && !evening.role.loyal && editing === null ? orders(app, evening, companion) : null;
  const form = make("form", { onsubmit: submit, novalidate: "" },
    make("fieldset", {}, make("legend", {}, "Who went", count), seats(draft.team, "team")),
    order,
    make("fieldset", {}, make("legend", {}, "Sabotages that appeared"), make("div", { class: "seats-row" }, [...Array(size + 1).keys()].map((some) => make("label", { class: "choice seat" },
      make("input", { type: "radio", name: "sabotages", id: `sabotages-${some}`, checked: draft.sabotages === some, onchange: () => { draft.sabotages = some; } }), String(some))))),
    fold("votes-too", draft.votes || draft.leader !== null, "Leader and votes, if you like",
      make("div", { class: "field" }, make("label", { for: "leader" }, "Leader"), make("select", { id: "leader", onchange: (event) => { draft.leader = event.target.value === "" ? null : Number(event.target.value); } },
        make("option", { value: "" }, "not recorded"), evening.names.map((name, seat) => make("option", { value: String(seat), selected: draft.leader === seat }, name)))),
      make("label", { class: "choice" }, make("input", { type: "checkbox", id: "votes", checked: draft.votes, onchange: (event) => { draft.votes = event.target.checked; redraw(); } }), "Record who voted against the team"),
      draft.votes && make("fieldset", {}, make("legend", {}, "Voted against"), seats(draft.against, "against")),
      paragraph("Votes prove nothing: a spy may vote like anybody else, and loyal people vote against good teams. They are kept for you to remember, and change no number here.", "quiet")),
    state.trouble && make("p", { id: "trouble", class: "trouble note", role: "alert" }, state.trouble),
    make("p", { class: "toolbar" }, make("button", { class: "button main-action", id: "record" }, editing === null ? "Record mission" : "Save the change"),
      editing !== null && button("Cancel", () => { clearDraft(); state.trouble = ""; show(); })));
  return panel("mission", editing === null ? `Mission ${index + 1}: ${size} go` : `Change mission ${index + 1}`, form);
}


function historyPanel(evening) {
  return panel("history", "Missions so far", make("ol", { class: "log" }, evening.rounds.map((round, index) => make("li", {},
    make("div", {}, make("b", {}, `Mission ${index + 1} `), told(evening, index),
      make("span", { class: "gloss" }, voted(evening, index))),
    button("Edit", () => {
      state.editing = index;
      state.trouble = "";
      state.draft = { team: new Set(round.team), sabotages: round.sabotages, leader: round.leader, votes: round.against !== null, against: new Set(round.against ?? []) };
      show();
      document.getElementById("mission-title").scrollIntoView();
      document.getElementById("mission-title").focus();
    }, { id: `edit-${index}`, "aria-label": `Edit mission ${index + 1}` })))));
}

function rolePanel(evening) {
  const { role, table } = evening;
  const set = (next) => {
    const what = next ? "your role changed" : "your role removed";
    if (change({ ...evening, role: next }, what)) { state.mine = Boolean(next); show(); }
  };
  const seat = make("select", { id: "role-seat", onchange: (event) => set(event.target.value === "" ? null : { seat: Number(event.target.value), loyal: true, partners: [] }) },
    make("option", { value: "" }, "I keep that to myself"), evening.names.map((name, one) => make("option", { value: String(one), selected: role?.seat === one }, `I am ${name}`)));
  const kinds = role && make("fieldset", {}, make("legend", {}, "I am"), make("div", { class: "seats-row" }, [[true, "loyal"], [false, "a spy"]].map(([loyal, text]) => make("label", { class: "choice seat" },
    make("input", { type: "radio", name: "loyal", id: loyal ? "role-loyal" : "role-spy", checked: role.loyal === loyal, onchange: () => set({ ...role, loyal, partners: [] }) }), text))));
  const partners = role && !role.loyal && table.spies > 1 && make("fieldset", {}, make("legend", {}, "The other spies"), make("div", { class: "seats-row" }, evening.names.map((name, one) => one !== role.seat && make("label", { class: "choice seat" },
    make("input", { type: "checkbox", id: `partner-${one}`, checked: role.partners.includes(one), onchange: (event) => set({ ...role, partners: event.target.checked ? [...role.partners, one].sort((a, b) => a - b) : role.partners.filter((other) => other !== one) }) }), name))));
  return panel("role", "Your own role", fold("private", Boolean(role && state.mine), "For private advice",
    paragraph("Only you should see this screen then. The screen opens with what everybody may see, and a summary leaves your role out unless you say otherwise.", "quiet"),
    make("div", { class: "field" }, make("label", { for: "role-seat" }, "Your seat"), seat), kinds, partners));
}

function sharePanel(evening, over) {
  const stem = evening.title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "evening";
  const revealed = new Set(evening.revealed ?? state.reveal ?? []);
  const reveal = over && make("fieldset", {}, make("legend", {}, "Who were the spies?"), make("div", { class: "seats-row" }, evening.names.map((name, seat) => make("label", { class: "choice seat" },
    make("input", { type: "checkbox", id: `spy-${seat}`, checked: revealed.has(seat), onchange: (event) => {
      if (event.target.checked) revealed.add(seat); else revealed.delete(seat);
      state.reveal = [...revealed].sort((one, two) => one - two);
      if (state.reveal.length === evening.table.spies) change({ ...evening, revealed: state.reveal }, "the spies revealed");
      else if (evening.revealed) change({ ...evening, revealed: null }, "the spies hidden again");
      show();
    } }), name))), state.trouble && make("p", { id: "trouble", class: "trouble note", role: "alert" }, state.trouble));
  const withRole = make("input", { type: "checkbox", id: "with-role" });
  return panel("share", "Keep and share", field("title", "Title", { value: evening.title, maxlength: "60", onchange: (event) => { if (change({ ...evening, title: event.target.value.trim() || evening.title }, "the title changed")) show(); } }), reveal,
    evening.role && make("label", { class: "choice" }, withRole, "Tell my role in the summary"),
    make("p", { class: "toolbar" },
      button("Save the summary", () => download(`${stem}.html`, "text/html", summary(evening, state.strategy, withRole.checked)), { id: "summary" }),
      button("Save a file", () => download(`${stem}.json`, "application/json", `${JSON.stringify(toJson(evening), null, 1)}\n`), { id: "export" })),
    paragraph("The summary is one page to share; the companion opens it again. The file has your role in it too. Nothing is sent anywhere.", "quiet"));
}

function modelPanel() {
  return fold("left-out", false, "What these numbers leave out",
    paragraph("They know no leaders, no votes and no talk. The resistance counts as one mind that does not know its own members, and the spies as one team that has agreed on what to do: votes then decide nothing, since the loyal are the majority and can agree beforehand."),
    paragraph("\"Facts\" counts every way in which the spies can sit that fits the sabotages. \"With slips\" asks how likely each way makes what you saw, if the spies follow the solved strategy, but each spy aboard slips as often as the slider says, and then plays a random card."));
}

show();
