// Tables and names, and evenings of version 1, which have one proposal for each mission: which cannot be, and why. The
// same as ruse.games.resistance.companion_record in Python, in the same words.
import { choose, letters, listed, subsets } from "./companion-cells.js";
import { POINTS } from "./companion-worth.js";

export const KIND = "ruse evening";
const VERSION = 1;
const ROUNDS = 5;
const MOST_NAME = 24;
const MOST_SEATS = 26;
const MOST_DEALS = 20_000;
export const USUAL_SLIP = 0.1;

export class RecordError extends Error {}

const number = (count, word, many = `${word}s`) => `${count} ${count === 1 ? word : many}`;
const spiesTold = (count) => number(count, "spy", "spies");
const seatsTold = (count) => number(count, "seat");
const thousands = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
const whole = (value) => Number.isInteger(value);
const shown = (seats) => `[${seats.join(", ")}]`;

function results(evening) {
  return evening.rounds.map((round, index) => (round.sabotages < evening.table.sabotages[index] ? "+" : "-")).join("");
}

function score(evening) {
  const passed = [...results(evening)].filter((one) => one === "+").length;
  return [passed, evening.rounds.length - passed];
}

/** The same evening, or a RecordError that says why it cannot be. */
function checked(evening) {
  const { table, names, rounds, slip, revealed } = evening;
  checkTable(table);
  checkNames(table, names);
  const deals = choose(table.players, table.spies);
  refuse(deals > MOST_DEALS, () => `expected a table with at most ${thousands(MOST_DEALS)} possible sets of spies, got ${thousands(deals)}`);
  rounds.forEach((round, index) => {
    refuse(score({ ...evening, rounds: rounds.slice(0, index) }).includes(POINTS), () => `expected no mission once a side has ${POINTS} points, got mission ${index + 1}`);
    checkRound(table, round, index);
  });
  const allowed = subsets(table.players, table.spies).filter((spies) => rounds.every((round) => round.team.filter((seat) => spies.includes(seat)).length >= round.sabotages));
  const saw = rounds.flatMap((round, index) => (round.sabotages ? [`${round.sabotages} on mission ${index + 1}`] : []));
  refuse(!allowed.length, () => `expected sabotages that ${spiesTold(table.spies)} could cause, got ${listed(saw)}`);
  checkRole(evening, allowed);
  refuse(!(slip >= 0 && slip <= 1), () => `expected a chance of slips from 0 to 1, got ${slip}`);
  refuse(revealed?.some((seat) => seat < 0 || seat >= table.players), () => `expected seats of this table as the spies, got ${shown(revealed)}`);
  refuse(revealed && !allowed.some((spies) => String(spies) === String(revealed)), () => `expected ${spiesTold(table.spies)} who could cause these missions, got ${listed(revealed.map((seat) => names[seat]))}`);
  return evening;
}

function refuse(wrong, sentence) {
  if (wrong) throw new RecordError(sentence());
}

export function checkTable({ players, spies, missions, sabotages }) {
  refuse(!whole(players) || players < 2 || players > MOST_SEATS, () => `expected 2 to ${MOST_SEATS} players, got ${players}`);
  refuse(!whole(spies) || spies < 1 || spies >= players, () => `expected 1 to ${players - 1} spies among ${players} players, got ${spies}`);
  for (const [what, numbers] of [["mission sizes", missions], ["sabotage counts", sabotages]]) {
    refuse(numbers.length !== ROUNDS, () => `expected ${ROUNDS} ${what}, got ${numbers.length}`);
  }
  missions.forEach((size, index) => {
    refuse(!whole(size) || size < 1 || size > players, () => `expected mission ${index + 1} to send 1 to ${players} seats, got ${size}`);
    const most = Math.min(spies, size);
    const fails = sabotages[index];
    refuse(!whole(fails) || fails < 1 || fails > most, () => `expected mission ${index + 1} to fail at 1 to ${most} sabotages (it sends ${size} of ${players} seats, ${spies} of them spies), got ${fails}`);
  });
}

export function checkNames(table, names) {
  refuse(names.length !== table.players, () => `expected ${table.players} names, got ${names.length}`);
  names.forEach((name, seat) => {
    const length = [...name].length;
    refuse(!name.trim() || length > MOST_NAME, () => `expected names of 1 to ${MOST_NAME} characters, got ${JSON.stringify([...name].slice(0, 40).join(""))}`);
    refuse(names.indexOf(name) < seat, () => `expected different names, got ${JSON.stringify(name)} twice`);
  });
}

function checkRound(table, round, index) {
  const mission = `mission ${index + 1}`;
  const size = table.missions[index];
  const { team, sabotages, leader, against } = round;
  for (const [what, seats] of [["on", team], ["against", against ?? []]]) {
    refuse(new Set(seats).size < seats.length || seats.some((seat) => !whole(seat) || seat < 0 || seat >= table.players), () => `expected different seats of this table ${what} ${mission}, got ${shown(seats)}`);
  }
  refuse(team.length !== size, () => `expected ${seatsTold(size)} on ${mission}, got ${team.length}`);
  refuse(sabotages < 0, () => `expected 0 or more sabotages on ${mission}, got ${sabotages}`);
  refuse(sabotages > table.spies, () => `expected at most ${table.spies} sabotages on ${mission}, as there are only ${spiesTold(table.spies)}, got ${sabotages}`);
  refuse(sabotages > size, () => `expected at most ${size} sabotages on ${mission}, as only ${seatsTold(size)} went, got ${sabotages}`);
  refuse(leader !== null && (leader < 0 || leader >= table.players), () => `expected a leader of ${mission} who sits at this table, got seat ${leader + 1}`);
}

function checkRole({ table, names, role }, deals) {
  if (!role) return;
  const known = [role.seat, ...role.partners];
  const named = (seats) => listed(seats.map((seat) => names[seat]));
  refuse(new Set(known).size < known.length || known.some((seat) => !whole(seat) || seat < 0 || seat >= table.players), () => `expected different seats of this table as you and your partners, got ${shown(known)}`);
  const most = role.loyal ? "no partners of a loyal seat" : `at most ${table.spies - 1} other spies`;
  refuse(role.partners.length > (role.loyal ? 0 : table.spies - 1), () => `expected ${most}, got ${named(role.partners)}`);
  const fits = (spies) => (role.loyal ? !spies.includes(role.seat) : known.every((seat) => spies.includes(seat)));
  refuse(!deals.some(fits), () => `expected a role that the missions allow, got ${role.loyal ? `${names[role.seat]} as loyal` : `${named([...known].sort((one, two) => one - two))} as spies`}`);
}

// Files.

/** The evening that a file of version 1 holds. */
export function readRounds(found) {
  refuse(typeof found !== "object" || found === null || found.kind !== KIND, () => `this is not a saved evening of kind '${KIND}'`);
  refuse(found.version !== VERSION, () => `expected an evening of version ${VERSION}, got ${JSON.stringify(found.version) ?? "none"}`);
  try {
    const { players, spies } = found.table;
    const ordered = (seats) => [...seats].map(counted).sort((one, two) => one - two);
    return checked({
      kind: KIND,
      version: VERSION,
      title: String(found.title ?? ""),
      table: { players, spies, missions: [...found.table.missions], sabotages: [...found.table.sabotages] },
      names: found.names.map(String),
      rounds: found.rounds.map((round) => ({
        team: ordered(round.team),
        sabotages: counted(round.sabotages),
        leader: round.leader === null || round.leader === undefined ? null : counted(round.leader),
        against: round.against ? ordered(round.against) : null,
      })),
      role: found.role ? { seat: counted(found.role.seat), loyal: Boolean(found.role.loyal), partners: ordered(found.role.partners) } : null,
      slip: Number(found.slip ?? USUAL_SLIP),
      revealed: found.revealed ? ordered(found.revealed) : null,
    });
  } catch (error) {
    if (error instanceof RecordError) throw error;
    throw new RecordError("this evening is damaged: its numbers or lists cannot be read");
  }
}

function counted(value) {
  if (!whole(value)) throw new TypeError(String(value));
  return value;
}
