// The record of an evening with leaders, votes and roles: how it goes on, which records cannot be, and files.
// ruse.people.records in Python refuses the same records in the same words.
//
// {title, table, roleset, names, missions: [{proposals: [{leader, team, votes, approved}], sabotages}], me, model, slip,
//  roles, shot, notes}. Teams are lists of seats. votes: by seat, or null where nobody noted them, and then `approved`
//  says what came of them. sabotages: null before the cards are shown. me: {seat, role, sees}, sees null or a list.
import { listed, subsets } from "./companion-cells.js";
import { assess, bits } from "./companion-people.js";
import { KIND, RecordError, USUAL_SLIP, checkNames, checkTable, readRounds } from "./companion-record.js";
import { POINTS } from "./companion-worth.js";

export const VERSION = 2;
export const MISSIONS = 5;
export const PROPOSALS = 5;
export const GOOD_ROLES = ["loyal", "merlin", "percival"];
export const SPY_ROLES = ["minion", "morgana", "mordred", "oberon"];
export const SPECIAL_ROLES = ["merlin", "percival", "morgana", "mordred", "oberon"];
export const MODELS = ["people", "facts", "perfect", "slips"];
export const CLAIMS = ["is a spy", "is loyal", "is Merlin", "claims to be Merlin", "claims to be Percival"];
const SHOWN = { merlin: ["minion", "morgana", "oberon"], percival: ["merlin", "morgana"], minion: ["minion", "morgana", "mordred"], morgana: ["minion", "morgana", "mordred"], mordred: ["minion", "morgana", "mordred"] };
const MOST_TEXT = 200;

const letter = (seat) => String.fromCharCode(97 + seat);
const letters = (seats) => seats.map(letter).join("");
const whole = (value) => Number.isInteger(value);
export const isSpy = (role) => SPY_ROLES.includes(role);
export const spiesOf = (roles) => [...roles.keys()].filter((seat) => isSpy(roles[seat]));
/** The seats that a seat is shown before the first mission. */
export const sight = (roles, seat) => [...roles.keys()].filter((other) => (SHOWN[roles[seat]] ?? []).includes(roles[other]));
const refuse = (wrong, sentence) => { if (wrong) throw new RecordError(sentence()); };

/** An evening before its first proposal; seats without a name are called by their letters. */
export function begin(table, names, title = "", roleset = []) {
  const called = names.map((name, seat) => name.trim() || letter(seat).toUpperCase());
  return checked({ title, table, roleset, names: called, missions: [], me: null, model: "people", slip: USUAL_SLIP, roles: null, shot: null, notes: [] });
}

// Where an evening is.

export const approved = ({ votes, approved: said }) => (votes ? 2 * votes.filter(Boolean).length > votes.length : said);
export const played = (evening) => evening.missions.filter((mission) => mission.sabotages !== null);
export const teamOf = (mission) => mission.proposals.at(-1).team;
export const results = (evening) => played(evening).map((mission, index) => (mission.sabotages < evening.table.sabotages[index] ? "+" : "-")).join("");

export function score(evening) {
  const passed = [...results(evening)].filter((one) => one === "+").length;
  return [passed, played(evening).length - passed];
}

/** Whether five teams were rejected. */
export function hung(evening) {
  const last = evening.missions.at(-1);
  return Boolean(last) && last.sabotages === null && last.proposals.length === PROPOSALS && approved(last.proposals.at(-1)) === false;
}

export const missionsOver = (evening) => score(evening).includes(POINTS) || hung(evening);

/** What comes next: a proposal, the cards of a team that was approved, the Assassin's shot, or nothing. */
export function stage(evening) {
  if (missionsOver(evening)) return score(evening)[0] === POINTS && evening.roleset.includes("merlin") && evening.shot === null ? "shot" : "over";
  const last = evening.missions.at(-1);
  return last && last.sabotages === null && last.proposals.length && approved(last.proposals.at(-1)) ? "cards" : "propose";
}

/** The mission and the proposal that come next, from 0. */
export function place(evening) {
  const last = evening.missions.at(-1);
  if (!last || last.sabotages !== null) return [evening.missions.length, 0];
  return [evening.missions.length - 1, last.proposals.length];
}

/** Who leads next: the seat after the last leader; nobody where that is unknown. */
export function nextLeader(evening) {
  const last = evening.missions.flatMap((mission) => mission.proposals).at(-1);
  if (!last) return 0;
  return last.leader === null ? null : (last.leader + 1) % evening.table.players;
}

// Steps. Each gives another evening, which is not checked yet.

export function propose(evening, proposal) {
  const [mission] = place(evening);
  const missions = [...evening.missions];
  missions[mission] = { sabotages: null, ...missions[mission], proposals: [...(missions[mission]?.proposals ?? []), proposal] };
  return { ...evening, missions };
}

export const showCards = (evening, sabotages) => ({ ...evening, missions: [...evening.missions.slice(0, -1), { ...evening.missions.at(-1), sabotages }] });

/** With another proposal in its place, and where it went another number of sabotages. */
export function amend(evening, mission, number, proposal, sabotages) {
  const missions = evening.missions.map((one, index) => (index !== mission ? one : {
    proposals: one.proposals.map((old, at) => (at === number ? proposal : old)),
    sabotages: number + 1 === one.proposals.length ? sabotages : one.sabotages,
  }));
  return { ...evening, missions };
}

/** Without a proposal and all that came after it. */
export function cut(evening, mission, number) {
  const kept = evening.missions.slice(0, mission);
  const proposals = evening.missions[mission].proposals.slice(0, number);
  if (proposals.length) kept.push({ proposals, sabotages: null });
  const early = (note) => note.mission < mission || (note.mission === mission && note.proposal <= number);
  return { ...evening, missions: kept, roles: null, shot: null, notes: evening.notes.filter(early) };
}

/** The same evening after so many missions. */
export const before = (evening, missions) => ({ ...evening, missions: evening.missions.slice(0, missions) });

/** Sets of spies that the cards allow. */
export function dealsLeft(evening) {
  const { players, spies } = evening.table;
  const shown = played(evening).filter((mission) => mission.sabotages);
  return subsets(players, spies).filter((set) => shown.every((mission) => teamOf(mission).filter((seat) => set.includes(seat)).length >= mission.sabotages));
}

// What cannot be.

/** The same evening, or a RecordError that says why it cannot be. */
export function checked(evening) {
  const { table, names, missions, slip, shot, notes } = evening;
  checkTable(table);
  checkNames(table, names);
  checkRoles(evening);
  refuse(missions.length > MISSIONS, () => `expected at most ${MISSIONS} missions, got ${missions.length}`);
  missions.forEach((mission, number) => {
    refuse(missionsOver(before(evening, number)), () => `the game was over before mission ${number + 1}; remove what comes after its end`);
    checkMission(evening, mission, number);
  });
  const left = dealsLeft(evening);
  refuse(!left.length, () => `no ${table.spies} spies can have made all these sabotages; check the missions and their teams`);
  refuse(evening.roles && !left.some((set) => String(set) === String(spiesOf(evening.roles))), () => `the spies cannot be ${listed(spiesOf(evening.roles).map((seat) => names[seat]))}: they cannot have made these sabotages`);
  checkMe(evening);
  refuse(!(slip >= 0 && slip <= 1), () => `expected a chance of slips from 0 to 1, got ${slip}`);
  refuse(shot !== null && (!whole(shot) || shot < 0 || shot >= table.players), () => "expected the shot to name a seat of this table");
  refuse(notes.some((note) => [note.by, note.about].some((seat) => seat !== null && (!whole(seat) || seat < 0 || seat >= table.players))), () => "expected notes about seats of this table");
  return evening;
}

function checkRoles({ table, roleset, roles }) {
  const { players, spies } = table;
  for (const role of roleset) {
    refuse(!SPECIAL_ROLES.includes(role), () => `unknown role '${role}' in the role set; expected some of ${SPECIAL_ROLES.join(", ")}`);
    refuse(roleset.indexOf(role) !== roleset.lastIndexOf(role), () => `expected each special role once, got ${role} twice`);
  }
  const [evil, good] = [roleset.filter(isSpy), roleset.filter((role) => !isSpy(role))];
  refuse(evil.length > spies, () => `${players} seats have ${spies} spies, too few for ${evil.join(", ")}`);
  refuse(good.length > players - spies, () => `${players} seats have ${players - spies} loyal seats, too few for ${good.join(", ")}`);
  if (!roles) return;
  const found = roles.filter(isSpy).length;
  refuse(found !== spies, () => `expected ${spies} spies among ${players} seats, got ${found}`);
  for (const role of SPECIAL_ROLES) {
    const times = roles.filter((one) => one === role).length;
    refuse(times !== Number(roleset.includes(role)), () => `the role set has ${role} ${Number(roleset.includes(role))} times, the seats ${times}`);
  }
}

function checkMission({ table, missions, roles }, { proposals, sabotages }, number) {
  const where = `mission ${number + 1}`;
  refuse(sabotages === null && number + 1 < missions.length, () => `${where} has no number of sabotages, but another mission follows it`);
  refuse(proposals.length > PROPOSALS, () => `${where} has ${proposals.length} proposals; after ${PROPOSALS} rejected ones the game is over`);
  refuse(!proposals.length && sabotages !== null, () => `${where} was played without a team; add the proposal that was approved`);
  proposals.forEach((proposal, at) => {
    const { team } = proposal;
    refuse(team.length !== table.missions[number], () => `expected ${table.missions[number]} seats on ${where}, got ${letters(team)}`);
    const last = at + 1 === proposals.length;
    refuse(approved(proposal) && !last, () => `proposal ${at + 1} of ${where} was approved, but another proposal follows it`);
    refuse(approved(proposal) === false && last && sabotages !== null, () => `${where} was played, but its last proposal ${letters(team)} was rejected`);
  });
  if (sabotages === null) return;
  const team = teamOf({ proposals });
  const aboard = team.length < table.spies ? `${team.length} seats` : `only ${table.spies} spies`;
  refuse(sabotages < 0 || sabotages > Math.min(team.length, table.spies), () => `${where} cannot show ${sabotages} ${sabotages === 1 ? "sabotage" : "sabotages"} with ${aboard}`);
  const spies = roles ? team.filter((seat) => isSpy(roles[seat])).length : sabotages;
  refuse(sabotages > spies, () => `${where} shows ${sabotages} ${sabotages === 1 ? "sabotage" : "sabotages"}, but only ${spies} of its seats are spies`);
}

/** How many seats a role is shown, besides itself. */
export function shownTo(role, { spies }, roleset) {
  if (role === "merlin") return spies - Number(roleset.includes("mordred"));
  if (role === "percival") return Number(roleset.includes("merlin")) + Number(roleset.includes("morgana"));
  return isSpy(role) && role !== "oberon" ? spies - 1 - Number(roleset.includes("oberon")) : 0;
}

function checkMe(evening) {
  const { me, table, roleset, names, roles } = evening;
  if (!me) return;
  const { seat, role, sees } = me;
  refuse(!whole(seat) || seat < 0 || seat >= table.players || ![...GOOD_ROLES, ...SPY_ROLES].includes(role), () => "expected your seat and role to be of this table");
  refuse(SPECIAL_ROLES.includes(role) && !roleset.includes(role), () => `this game has no ${role}; its special roles are ${roleset.join(", ") || "none"}`);
  refuse(sees?.some((other) => !whole(other) || other < 0 || other >= table.players || other === seat), () => "expected you to see other seats of this table");
  refuse(sees && sees.length > shownTo(role, table, roleset), () => `expected ${role} to see ${shownTo(role, table, roleset)} seats, got ${listed(sees.map((other) => names[other]))}`);
  const spy = isSpy(role);
  assess(forPeople(evening), null, viewer(evening)); // refuses what fits no deal
  refuse(roles && isSpy(roles[seat]) !== spy, () => `${names[seat]} was ${spy ? "loyal" : "a spy"} in the end; change your role, or the roles`);
}

// For the engines.

/** As companion-people.js reads it. */
export function forPeople({ table, roleset, missions }) {
  return { table, roleset, missions: missions.map(({ proposals, sabotages }) => ({ sabotages, proposals: proposals.map(({ leader, team, votes }) => ({ leader, team: bits(team), votes })) })) };
}

/** Whose beliefs companion-people.js is asked for: sees as bits, with the seat itself for spies; null while it is incomplete. */
export function viewer({ me, table, roleset }) {
  if (!me) return null;
  const spy = isSpy(me.role);
  const full = me.sees !== null && me.sees.length === shownTo(me.role, table, roleset);
  return { seat: me.seat, role: me.role, spy, sees: full ? bits(spy ? [me.seat, ...me.sees] : me.sees) : null };
}

/** The missions alone, as companion-engine.js reads them. */
export function forSolved(evening) {
  const rounds = played(evening).map((mission) => ({ team: teamOf(mission), sabotages: mission.sabotages, leader: null, against: null }));
  return { table: evening.table, names: evening.names, rounds, slip: evening.model === "perfect" ? 0 : evening.slip, role: null, revealed: null };
}

// Files: the records' format (docs/reference/json.md), and besides it names, notes and what the person who asks knows.

const bySeat = (values) => Object.fromEntries(values.map((value, seat) => [letter(seat), value]));

export function toJson(evening, withRole = true) {
  const { title, table, roleset, names, missions, me, model, slip, roles, shot, notes } = evening;
  const found = { kind: KIND, version: VERSION, title, players: table.players, table, roleset, names: bySeat(names) };
  if (roles) found.roles = bySeat(roles);
  found.missions = missions.map(({ proposals, sabotages }) => ({
    proposals: proposals.map((one) => ({
      leader: one.leader === null ? null : letter(one.leader), team: letters(one.team), votes: one.votes ? bySeat(one.votes) : null, ...(one.votes ? {} : { approved: approved(one) }),
    })),
    sabotages,
    saboteurs: null,
  }));
  if (shot !== null) found.assassin = { seat: null, target: letter(shot), hit: roles ? roles[shot] === "merlin" : null };
  found.notes = notes.map((note) => ({ ...note, by: note.by === null ? null : letter(note.by), about: note.about === null ? null : letter(note.about) }));
  found.me = withRole && me ? { seat: letter(me.seat), role: me.role, sees: me.sees === null ? null : letters(me.sees) } : null;
  return { ...found, model, slip };
}

/** The evening that a file holds: a record, an evening of an earlier version, or a summary with either in it. */
export function read(text, official) {
  const tag = '<script type="application/json" id="evening">';
  const from = text.indexOf(tag);
  let found;
  try {
    found = JSON.parse(from < 0 ? text : text.slice(from + tag.length).split("<\/script>")[0]);
  } catch {
    throw new RecordError("this is not a saved evening: it is not JSON");
  }
  return fromJson(found, official);
}

/** A value in the words of Python's messages. */
const shown = (value) => (typeof value === "string" ? `'${value}'` : value === null || value === undefined ? "None" : value === true ? "True" : value === false ? "False" : JSON.stringify(value)).slice(0, 40);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export function fromJson(found, official) {
  if (isObject(found) && Array.isArray(found.rounds)) return fromRounds(readRounds(found));
  refuse(!isObject(found) || !("players" in found) || !("missions" in found), () => "expected a record with players and missions");
  const { players } = found;
  refuse(!whole(players), () => `expected a number of players, got ${shown(players)}`);
  refuse(!found.table && !official[players], () => `expected 5 to 10 players, for whom there is an official table, got ${players}`);
  const table = readTable(found.table ?? official[players], players);
  const missions = asList(found.missions, "missions").map((mission) => readMission(table, mission));
  const seats = (text, what) => readSeats(table, text, what);
  const seat = (text, what) => (text === null || text === undefined ? null : seats(text, what)[0]);
  const role = (text) => readRole(text);
  const me = isObject(found.me) ? { seat: seat(found.me.seat, "a view"), role: role(found.me.role), sees: found.me.sees === null || found.me.sees === undefined ? null : seats(found.me.sees, "a view") } : null;
  const target = isObject(found.assassin) && found.assassin.target ? seats(found.assassin.target, "a shot") : [];
  return checked({
    title: String(found.title ?? "Evening"),
    table,
    roleset: asList(found.roleset ?? [], "roleset").filter((one) => one !== "assassin").map(String),
    names: found.names ? readBySeat(table, found.names, "name", String) : [...Array(players).keys()].map((one) => letter(one).toUpperCase()),
    missions,
    me,
    model: MODELS.includes(found.model) ? found.model : "people",
    slip: Number(found.slip ?? USUAL_SLIP),
    roles: found.roles && Object.keys(found.roles).length ? readBySeat(table, found.roles, "role", role) : null,
    shot: target.length === 1 ? target[0] : null,
    notes: asList(found.notes ?? [], "notes").filter(isObject).map((note) => ({
      mission: Number(note.mission) || 0, proposal: Number(note.proposal) || 0, by: seat(note.by, "a note"), about: seat(note.about, "a note"),
      claim: CLAIMS.includes(note.claim) ? note.claim : "", text: String(note.text ?? "").slice(0, MOST_TEXT),
    })),
  });
}

function readTable(found, players) {
  refuse(!isObject(found) || !Array.isArray(found.missions) || !Array.isArray(found.sabotages), () => "expected a table with spies, missions and sabotages");
  return { players, spies: found.spies, missions: [...found.missions], sabotages: [...found.sabotages] };
}

/** An evening of version 1, in which each mission has the one proposal that went. */
function fromRounds({ title, table, names, rounds, role, slip, revealed }) {
  const missions = rounds.map(({ team, sabotages, leader, against }) => ({
    proposals: [{ leader, team, votes: votesFor(table, against), approved: true }], sabotages,
  }));
  const me = role && { seat: role.seat, role: role.loyal ? "loyal" : "minion", sees: role.loyal ? null : role.partners };
  const roles = revealed && names.map((_, seat) => (revealed.includes(seat) ? "minion" : "loyal"));
  return checked({ title, table, roleset: [], names, missions, me, model: "people", slip, roles, shot: null, notes: [] });
}

/** Votes of a team that went; null where they contradict that, as version 1 allowed. */
function votesFor({ players }, against) {
  if (!against || 2 * (players - against.length) <= players) return null;
  return [...Array(players).keys()].map((seat) => !against.includes(seat));
}

function asList(value, what) {
  refuse(!Array.isArray(value), () => `expected ${what} to be a list, got ${shown(value)}`);
  return value;
}

function readRole(role) {
  const known = { assassin: "minion", servant: "loyal", spy: "minion" }[role] ?? role;
  refuse(![...GOOD_ROLES, ...SPY_ROLES].includes(known), () => `unknown role ${shown(role)}; expected one of ${[...GOOD_ROLES, ...SPY_ROLES].join(", ")}`);
  return known;
}

function readBySeat(table, values, what, readOne) {
  refuse(!isObject(values), () => `expected a ${what} for each seat, got ${shown(values)}`);
  Object.keys(values).forEach((seat) => readSeats(table, seat, `a ${what}`));
  const seats = [...Array(table.players).keys()];
  const missing = seats.map(letter).filter((seat) => !(seat in values));
  refuse(missing.length, () => `expected a ${what} of every seat, got none of ${missing.join(", ")}`);
  return seats.map((seat) => readOne(values[letter(seat)]));
}

/** Letters as seats, in order; each has to be there, and once. */
function readSeats({ players }, text, what) {
  const seats = [...(typeof text === "string" ? text : [text])].map((sign) => {
    const seat = typeof sign === "string" && sign.length === 1 ? sign.charCodeAt(0) - 97 : -1;
    refuse(seat < 0 || seat >= players, () => `there is ${what} of seat ${shown(sign)}, but the seats are a to ${letter(players - 1)}`);
    return seat;
  });
  refuse(new Set(seats).size < seats.length, () => `expected each seat once, got ${shown(text)}`);
  return seats.sort((one, two) => one - two);
}

function readMission(table, mission) {
  refuse(!isObject(mission), () => `expected a mission with proposals and sabotages, got ${shown(mission)}`);
  const sabotages = mission.sabotages ?? null;
  refuse(sabotages !== null && !whole(sabotages), () => `expected a number of sabotages, got ${shown(sabotages)}`);
  const found = asList(mission.proposals ?? [], "proposals");
  const proposals = found.map((one, at) => readProposal(table, one, at + 1 === found.length));
  return { proposals, sabotages };
}

function readProposal(table, proposal, last) {
  refuse(!isObject(proposal) || typeof proposal.team !== "string", () => `expected a proposal with leader, team and votes, got ${shown(proposal)}`);
  let leader = null;
  if (proposal.leader !== null && proposal.leader !== undefined) {
    const seats = readSeats(table, proposal.leader, "a leader");
    refuse(seats.length !== 1, () => `expected one leader, got ${shown(proposal.leader)}`);
    [leader] = seats;
  }
  const team = readSeats(table, proposal.team, "a team member");
  const votes = proposal.votes === null || proposal.votes === undefined ? null : readBySeat(table, proposal.votes, "vote", readVote);
  return { leader, team, votes, approved: votes ? null : last ? (proposal.approved ?? true) : false };
}

function readVote(vote) {
  refuse(typeof vote !== "boolean", () => `expected votes to be true or false, got ${shown(vote)}`);
  return vote;
}
