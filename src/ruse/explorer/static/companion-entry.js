// What is entered of an evening: proposals and votes, cards, the shot, roles at the end, notes.
//
// `app` is the page: its state, and what it does when something is touched.
import { listed } from "./companion-cells.js";
import { button, field, fold, make, panel, paragraph } from "./companion-elements.js";
import {
  CLAIMS, PROPOSALS, SPECIAL_ROLES, amend, approved, checked, cut, dealsLeft, isSpy, nextLeader, place, played, propose, shownTo, showCards, spiesOf, stage, teamOf,
} from "./companion-evening.js";
import { orders } from "./companion-panels.js";
import { RecordError } from "./companion-record.js";
import { counted, names, noted, outcome, roleName, sentence } from "./companion-words.js";

export const emptyDraft = (evening) => ({ leader: evening ? nextLeader(evening) : 0, team: new Set(), against: new Set(), noted: true, sabotages: null, touched: false });
const ordered = (set) => [...set].sort((one, two) => one - two);
const majority = (players) => Math.floor(players / 2) + 1;

/** Why a change cannot be, or nothing. */
function reason(evening) {
  try { checked(evening); return ""; } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return sentence(error.message);
  }
}

const chips = (kind, seats, evening, chosen, more = () => ({})) => make("div", { class: "seats-row" }, seats.map((seat) => make("label", { class: "choice seat" },
  make("input", { type: "checkbox", id: `${kind}-${seat}`, checked: chosen.has(seat), ...more(seat) }), evening.names[seat])));

const trouble = (app) => app.state.trouble && make("p", { id: "trouble", class: "trouble note", role: "alert" }, app.state.trouble);
const everyone = (evening) => [...evening.names.keys()];

/** What comes next, as a form. */
export function entryPanel(app, evening) {
  if (app.state.editing) return proposalForm(app, evening);
  const next = stage(evening);
  if (next === "cards") return cardsPanel(app, evening);
  if (next === "shot") return shotPanel(app, evening);
  return next === "propose" ? proposalForm(app, evening) : null;
}

function proposalForm(app, evening) {
  const { draft, editing } = app.state;
  const [mission, number] = editing ?? place(evening);
  const size = evening.table.missions[mission];
  const { players } = evening.table;
  const touch = (set, seat) => (event) => { if (event.target.checked) set.add(seat); else set.delete(seat); draft.touched = true; app.redraw(); };
  const against = draft.against.size;
  const goes = 2 * (players - against) > players;
  const live = `${players - against} approve, ${against} ${against === 1 ? "rejects" : "reject"}: ${goes ? "the team goes" : "rejected"} (it takes ${majority(players)}).`;
  const last = !editing || number + 1 === evening.missions[mission].proposals.length;
  const withCards = editing && last && evening.missions[mission].sabotages !== null;
  const submit = (said) => {
    const votes = draft.noted ? everyone(evening).map((seat) => !draft.against.has(seat)) : null;
    const proposal = { leader: draft.leader, team: ordered(draft.team), votes, approved: votes ? null : said };
    if (draft.team.size !== size) { app.fail(`Mission ${mission + 1} takes ${counted(size, "seat")}, and you marked ${draft.team.size}.`); return; }
    const next = editing ? amend(evening, mission, number, proposal, draft.sabotages) : propose(evening, proposal);
    const what = editing ? `proposal ${number + 1} of mission ${mission + 1} changed` : `proposal ${number + 1} of mission ${mission + 1} recorded`;
    app.record(next, what);
  };
  const title = editing ? `Change proposal ${number + 1} of mission ${mission + 1}` : `Mission ${mission + 1}, proposal ${number + 1}: ${size} go`;
  const warn = !editing && number + 1 === PROPOSALS && paragraph("This is the fifth proposal: if it is rejected, the spies win.", "note");
  const saved = editing ? (approvedBefore(evening, mission, number)) : null;
  return panel("mission", title, make("form", { novalidate: "", onsubmit: (event) => { event.preventDefault(); submit(saved); } },
    make("div", { class: "field" }, make("label", { for: "leader" }, "Leader"), make("select", { id: "leader", onchange: (event) => { draft.leader = event.target.value === "" ? null : Number(event.target.value); draft.touched = true; } },
      make("option", { value: "", selected: draft.leader === null }, "not noted"), everyone(evening).map((seat) => make("option", { value: String(seat), selected: draft.leader === seat }, evening.names[seat])))),
    warn,
    make("fieldset", {}, make("legend", {}, "Team", make("span", { class: "quiet" }, ` ${draft.team.size} of ${size}`)), chips("team", everyone(evening), evening, draft.team, (seat) => ({ onchange: touch(draft.team, seat), disabled: draft.team.size >= size && !draft.team.has(seat) }))),
    draft.noted && make("fieldset", {}, make("legend", {}, "Who rejects it?"), chips("against", everyone(evening), evening, draft.against, (seat) => ({ onchange: touch(draft.against, seat) })), make("p", { id: "vote-told", class: "quiet" }, live)),
    make("label", { class: "choice" }, make("input", { type: "checkbox", id: "unnoted", checked: !draft.noted, onchange: (event) => { draft.noted = !event.target.checked; app.redraw(); } }), "Nobody noted the votes"),
    withCards && make("fieldset", {}, make("legend", {}, "Sabotages that appeared"), countChips(app, evening, mission, (count) => { draft.sabotages = count; app.redraw(); }, draft.sabotages)),
    trouble(app),
    make("p", { class: "toolbar" },
      draft.noted || editing ? make("button", { class: "button main-action", id: "record" }, editing ? "Save the change" : goes ? "Record: it goes" : "Record: rejected") : [
        button("It goes", () => submit(true), { class: "button main-action", id: "goes" }), button("It is rejected", () => submit(false), { id: "rejected" })],
      editing && button("Delete this and all later", () => app.record(cut(evening, mission, number), `proposal ${number + 1} of mission ${mission + 1} and all later deleted`), { id: "cut" }),
      editing && button("Cancel", () => app.cancel()))));
}

const approvedBefore = (evening, mission, number) => approved(evening.missions[mission].proposals[number]);

/** Numbers of sabotages to touch; those that cannot be say why, and change nothing. */
function countChips(app, evening, mission, pick, chosen = null) {
  const size = evening.table.missions[mission];
  const why = (count) => {
    const { spies } = evening.table;
    if (count > size) return `Only ${counted(size, "seat")} went, so there cannot be ${count} sabotages.`;
    if (count > spies) return `There are only ${counted(spies, "spy", "spies")}, so there cannot be ${count} sabotages.`;
    const missions = evening.missions.map((one, index) => (index === mission ? { ...one, sabotages: count } : one));
    if (!dealsLeft({ ...evening, missions }).length) return `No ${spies} spies can have made ${counted(count, "sabotage")} here and the earlier ones.`;
    return "";
  };
  return make("div", { class: "seats-row" }, [...Array(size + 1).keys()].map((count) => {
    const wrong = why(count);
    return button(String(count), () => { if (wrong) app.fail(wrong); else pick(count); }, {
      id: `sabotages-${count}`, class: `button count${wrong ? " impossible" : ""}`, "aria-disabled": wrong ? "true" : null, "aria-pressed": chosen === count ? "true" : null, "aria-label": counted(count, "sabotage"), title: wrong,
    });
  }));
}

function cardsPanel(app, evening) {
  const mission = evening.missions.length - 1;
  const needed = evening.table.sabotages[mission];
  return panel("mission", `Mission ${mission + 1} is out`,
    paragraph(`${names(evening, teamOf(evening.missions[mission]))} went. How many sabotages appeared? ${sentence(`${counted(needed, "sabotage")} ${needed === 1 ? "fails" : "fail"} it`)}`),
    orders(app, evening),
    countChips(app, evening, mission, (count) => app.record(showCards(evening, count), `mission ${mission + 1}: ${counted(count, "sabotage")}`)),
    trouble(app));
}

function shotPanel(app, evening) {
  return panel("mission", "Whom does the Assassin name?",
    paragraph("The spies win if it is Merlin."),
    make("div", { class: "seats-row" }, everyone(evening).map((seat) => button(evening.names[seat], () => app.record({ ...evening, shot: seat }, `${evening.names[seat]} named by the Assassin`), { id: `shot-${seat}` }))),
    trouble(app));
}

// What happened so far.

export function trackPanel(app, evening) {
  const heads = evening.names.map((name) => make("th", { scope: "col", title: name }, make("abbr", { title: name }, [...name].slice(0, 3).join(""))));
  const rows = evening.missions.flatMap((mission, index) => mission.proposals.map((proposal, number) => make("tr", { class: outcome(evening, index, number).split(",")[0] },
    make("th", { scope: "row" }, button(`${index + 1}.${number + 1}`, () => app.edit(index, number), { id: `edit-${index}-${number}`, "aria-label": `Change proposal ${number + 1} of mission ${index + 1}` })),
    evening.names.map((name, seat) => {
      const vote = proposal.votes ? (proposal.votes[seat] ? "✓" : "✗") : "·";
      const told = [proposal.leader === seat && "leads", proposal.team.includes(seat) && "on the team", proposal.votes && (proposal.votes[seat] ? "approves" : "rejects")].filter(Boolean).join(", ");
      return make("td", { class: [proposal.team.includes(seat) && "aboard", proposal.leader === seat && "leads"].filter(Boolean).join(" ") || null, "aria-label": `${name}: ${told || "not noted"}` }, vote);
    }),
    make("td", { class: "outcome", "aria-label": outcome(evening, index, number) }, short(evening, index, number)))));
  return rows.length > 0 && panel("history", "Proposals and votes",
    make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "The table of votes" }, make("table", { class: "track" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "#"), heads, make("th", { scope: "col" }, "Result"))), make("tbody", {}, rows))),
    paragraph("✓ approves, ✗ rejects; framed: on the team; underlined: leads; the result has the number of sabotages. Touch a number to change or delete that proposal.", "quiet"));
}

/** What came of a proposal, for a narrow column. */
function short(evening, mission, number) {
  const [result] = outcome(evening, mission, number).split(",");
  const { sabotages } = evening.missions[mission];
  return { rejected: "no", goes: "goes", passed: `pass ${sabotages}`, failed: `fail ${sabotages}` }[result];
}

export function notesPanel(app, evening) {
  const { note } = app.state;
  const select = (id, label, value, empty, pick) => make("div", { class: "field" }, make("label", { for: id }, label), make("select", { id, onchange: (event) => { pick(event.target.value === "" ? null : Number(event.target.value)); } },
    make("option", { value: "" }, empty), everyone(evening).map((seat) => make("option", { value: String(seat), selected: value === seat }, evening.names[seat]))));
  const add = (event) => {
    event.preventDefault();
    if (note.about === null && !note.text.trim()) { app.fail("Say whom it is about, or write something."); return; }
    const [mission, proposal] = place(evening);
    app.record({ ...evening, notes: [...evening.notes, { ...note, mission: Math.min(mission, 4), proposal, text: note.text.trim() }] }, "note added", true);
  };
  const list = evening.notes.map((one, index) => make("li", {}, make("span", {}, noted(evening, one)), button("Delete", () => app.record({ ...evening, notes: evening.notes.filter((_, at) => at !== index) }, "note deleted", true), { "aria-label": `Delete note ${index + 1}` })));
  return panel("notes", "Accusations and notes", list.length > 0 && make("ul", { class: "log" }, list),
    fold("add-note", false, "Add one", make("form", { novalidate: "", onsubmit: add },
      make("div", { class: "names" }, select("note-by", "Who says it", note.by, "nobody in particular", (seat) => { note.by = seat; }), select("note-about", "About", note.about, "nobody", (seat) => { note.about = seat; }),
        make("div", { class: "field" }, make("label", { for: "note-claim" }, "That this seat"), make("select", { id: "note-claim", onchange: (event) => { note.claim = event.target.value; } }, CLAIMS.filter((claim) => evening.roleset.includes("merlin") || !/Merlin|Percival/.test(claim)).map((claim) => make("option", { value: claim, selected: note.claim === claim }, claim))))),
      field("note-text", "Note", { value: note.text, maxlength: "200", oninput: (event) => { note.text = event.target.value; } }),
      make("p", { class: "toolbar" }, make("button", { class: "button", id: "note" }, "Add")))),
    paragraph("They are kept with the evening, and change no number: no record says how often people accuse rightly.", "quiet"));
}

export const emptyNote = () => ({ by: null, about: null, claim: CLAIMS[0], text: "" });

// Roles.

const rolesOf = (evening, spy) => [...(spy ? [] : ["loyal"]), ...evening.roleset.filter((role) => isSpy(role) === spy), ...(spy && evening.roleset.filter(isSpy).length < evening.table.spies ? ["minion"] : [])];

export function rolePanel(app, evening) {
  const { me, table, roleset } = evening;
  const set = (next) => {
    if (app.record({ ...evening, me: next }, next ? "your role changed" : "your role removed", true)) { app.state.mine = Boolean(next); app.show(); }
  };
  const seat = make("select", { id: "role-seat", onchange: (event) => set(event.target.value === "" ? null : { seat: Number(event.target.value), role: "loyal", sees: null }) },
    make("option", { value: "" }, "I keep that to myself"), everyone(evening).map((one) => make("option", { value: String(one), selected: me?.seat === one }, `I am ${evening.names[one]}`)));
  const kinds = me && make("fieldset", {}, make("legend", {}, "I am"), make("div", { class: "seats-row" }, [...rolesOf(evening, false), ...rolesOf(evening, true)].map((role) => make("label", { class: "choice seat" },
    make("input", { type: "radio", name: "my-role", id: `role-${role}`, checked: me.role === role, onchange: () => set({ ...me, role, sees: null }) }), role === "minion" && roleset.includes("merlin") ? "another spy" : roleName(role)))));
  const size = me ? shownTo(me.role, table, roleset) : 0;
  const seen = new Set(me?.sees ?? []);
  const partners = size > 0 && make("fieldset", {}, make("legend", {}, `${isSpy(me.role) ? "The other spies" : me.role === "merlin" ? "The spies whom you see" : "Whom you see"} (${seen.size} of ${size})`), chips("sees", everyone(evening).filter((one) => one !== me.seat), evening, seen, (one) => ({
    disabled: seen.size >= size && !seen.has(one), onchange: (event) => { if (event.target.checked) seen.add(one); else seen.delete(one); set({ ...me, sees: seen.size ? ordered(seen) : null }); },
  })));
  return panel("role", "Your own role", fold("private", Boolean(me && app.state.mine), "For private advice",
    paragraph("Only you should see this screen then. The screen opens with what everybody may see, and a summary leaves your role out unless you say otherwise.", "quiet"),
    make("div", { class: "field" }, make("label", { for: "role-seat" }, "Your seat"), seat), kinds, partners, size > 0 && seen.size < size && seen.size > 0 && paragraph(`Mark all ${size}: until then only your own side counts.`, "quiet")));
}

/** Who was who, once the evening is over. */
export function revealPanel(app, evening) {
  const { table, roleset } = evening;
  const draft = app.state.reveal ?? evening.roles ?? everyone(evening).map(() => "loyal");
  const settle = (next) => {
    app.state.reveal = next;
    app.state.trouble = "";
    const tried = { ...evening, roles: next };
    const full = spiesOf(next).length === table.spies && SPECIAL_ROLES.every((role) => next.filter((one) => one === role).length === Number(roleset.includes(role)));
    if (full) {
      const wrong = reason(tried);
      if (wrong) app.fail(wrong);
      else app.record(tried, "the roles revealed", true);
    } else if (evening.roles) app.record({ ...evening, roles: null }, "the roles hidden again", true);
    else app.show();
  };
  const special = roleset.length > 0;
  const body = special
    ? make("div", { class: "names" }, everyone(evening).map((seat) => make("div", { class: "field" }, make("label", { for: `was-${seat}` }, evening.names[seat]),
      make("select", { id: `was-${seat}`, onchange: (event) => settle(draft.map((role, at) => (at === seat ? event.target.value : role))) }, [...rolesOf(evening, false), ...rolesOf(evening, true)].map((role) => make("option", { value: role, selected: draft[seat] === role }, roleName(role)))))))
    : make("div", { class: "seats-row" }, everyone(evening).map((seat) => make("label", { class: "choice seat" }, make("input", { type: "checkbox", id: `was-${seat}`, checked: isSpy(draft[seat]), onchange: (event) => settle(draft.map((role, at) => (at === seat ? (event.target.checked ? "minion" : "loyal") : role))) }), evening.names[seat])));
  const left = table.spies - spiesOf(draft).length;
  return panel("reveal", special ? "Who was who?" : "Who were the spies?", body,
    !evening.roles && paragraph(left > 0 ? `${counted(left, "spy", "spies")} to go.` : left < 0 ? `That is ${counted(-left, "spy", "spies")} too many.` : special ? `Give every role of this evening to one seat: ${listed(roleset.map(roleName))}.` : "", "quiet"), trouble(app));
}
