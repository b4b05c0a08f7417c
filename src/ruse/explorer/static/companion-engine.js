// What a table of The Resistance may believe after an evening's missions, and what to send next.
//
// The same mathematics as ruse.games.resistance.companion in Python, in floats; the tests compare the two.
import { choose, filed, letters, listed, subsets, together } from "./companion-cells.js";
import { POINTS, TIED, Worth } from "./companion-worth.js";

const MOST_WORK = 2_000_000; // teams times deals of a mission, for advice

/** The odds of 0, 1, 2, ... sabotages of spies who each slip with a probability, if so many of them were told to. */
function shown(told, cards, slip) {
  let odds = [1];
  for (let card = 0; card < cards; card += 1) {
    const share = card < told ? 1 - slip / 2 : slip / 2;
    const [passes, sabotages] = [odds.map((one) => one * (1 - share)), odds.map((one) => one * share)];
    odds = [...passes, 0].map((one, count) => one + (count ? sabotages[count - 1] : 0));
  }
  return odds;
}

/** How many slips at least make so many sabotages under one of these orders, and the odds of all else. */
function fewestSlips(orders, cards, count) {
  const least = Math.min(...orders.map(([told]) => Math.abs(count - told)));
  const near = orders.filter(([told]) => Math.abs(count - told) === least);
  const odds = near.reduce((sum, [told, share]) => sum + (share * choose(count > told ? cards - told : told, least)) / 2 ** least, 0);
  return [least, odds];
}

/** All that can be said at one moment of an evening. Without a strategy: facts, and slips at 1. */
export class Companion {
  constructor(evening, strategy) {
    Object.assign(this, { evening, strategy, table: evening.table });
    const { rounds, table } = evening;
    this.teams = rounds.map((round) => round.team);
    this.results = rounds.map((round, number) => (round.sabotages < table.sabotages[number] ? "+" : "-")).join("");
    this.place = filed(table.players, this.teams, this.results);
    this.outs = this.teams.map((_, number) => filed(table.players, this.teams.slice(0, number + 1), this.results.slice(0, number)));
    this.plain = strategy && new Worth(table, strategy, 0, new Map([[String([table.spies]), [0, 1]]]));
    this.sent = new Map(); // teams that may go next
    this.told = new Map(); // missions, by role
  }

  get score() { return this.place.cells.score; }

  get over() { return this.score.includes(POINTS); }

  get advises() {
    const { players, spies, missions } = this.table;
    return Boolean(this.strategy) && Math.max(...missions.map((size) => choose(players, size))) * choose(players, spies) <= MOST_WORK;
  }

  /** The sets of spies that the facts allow: k sabotages at once prove that at least k spies were aboard. */
  get deals() {
    this.dealt ??= subsets(this.table.players, this.table.spies).filter((spies) => (
      this.evening.rounds.every((round) => together(round.team, spies) >= round.sabotages)));
    return this.dealt;
  }

  allowed(role) {
    if (!role) return this.deals;
    if (role.deals) return role.deals; // what roles show besides partners
    const known = [role.seat, ...role.partners];
    return this.deals.filter((spies) => (role.loyal ? !spies.includes(role.seat) : known.every((seat) => spies.includes(seat))));
  }

  /** How likely each seat is a spy, by counting alone. */
  facts(role = null) {
    const allowed = this.allowed(role);
    return { seats: this.bySeat(allowed.map((spies) => [spies, 1])), deals: allowed.length, slips: 0 };
  }

  /** The same against the stored spies, who slip with that probability; without slips, the fewest that it takes. */
  beliefs(slip, role = null) {
    const allowed = this.allowed(role);
    const [slips, weights] = this.weights(allowed, slip);
    return { seats: this.bySeat(weights), deals: allowed.length, slips };
  }

  weights(allowed, slip) {
    const likely = allowed.map((spies) => [spies, ...this.likely(spies, slip)]);
    const least = Math.min(...likely.map(([, slips]) => slips));
    return [least, likely.filter(([, slips]) => slips === least).map(([spies, , weight]) => [spies, weight])];
  }

  bySeat(weights) {
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    return this.evening.names.map((_, seat) => weights.reduce((sum, [spies, weight]) => sum + (spies.includes(seat) ? weight : 0), 0) / total);
  }

  /** The odds of what the missions showed; as slips become rare, how many there were, and the odds of all else. */
  likely(spies, slip) {
    let [slips, weight] = [0, 1];
    this.evening.rounds.forEach((round, number) => {
      const cards = together(round.team, spies);
      const { cells, counts } = this.outs[number];
      const share = slip < 1 ? this.plain.sabotage(cells, counts(spies)) : 0; // random cards follow no order
      const orders = [[0, 1 - share], [this.table.sabotages[number], share]].filter(([, odds]) => odds);
      if (slip) weight *= orders.reduce((sum, [told, odds]) => sum + odds * shown(told, cards, slip)[round.sabotages], 0);
      else {
        const [more, rest] = fewestSlips(orders, cards, round.sabotages);
        slips += more;
        weight *= rest;
      }
    });
    return [slips, weight];
  }

  /** Missions that showed another number of sabotages than solved spies ever show. */
  get oddCounts() {
    return this.evening.rounds.flatMap((round, number) => ([0, this.table.sabotages[number]].includes(round.sabotages) ? [] : [number]));
  }

  get after() {
    if (!this.worthAfter) {
      const base = new Map(this.deals.map((spies) => [String(this.place.counts(spies)), this.likely(spies, this.evening.slip)]));
      this.worthAfter = new Worth(this.table, this.strategy, this.teams.length, base);
    }
    return this.worthAfter;
  }

  get listed() { return this.after.storedMissions(this.place.cells).length > 0; }

  /** One mission of each sort that whoever asks can tell apart, the best for the resistance first.
   *  Of several that are as good, those with fewer proved spies, then the stored strategy's own. */
  missions(role = null) {
    const key = JSON.stringify(role);
    if (!this.told.has(key)) this.told.set(key, this.over ? [] : this.findMissions(role));
    return this.told.get(key);
  }

  /** Whether `missions` can answer at once. */
  knows(role) { return this.told.has(JSON.stringify(role)); }

  findMissions(role) {
    const number = this.teams.length;
    const [, weights] = this.weights(this.allowed(role), this.evening.slip);
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    const groups = this.groups(role);
    const sorts = new Map();
    for (const team of subsets(this.table.players, this.table.missions[number])) {
      const sort = String(groups.map((group) => together(group, team)));
      if (!sorts.has(sort)) sorts.set(sort, team);
    }
    const sent = new Map(this.after.storedMissions(this.place.cells).map(([mission, share]) => [String(mission), share]));
    const proved = this.facts(role).seats;
    const found = [...sorts.values()].map((team) => {
      const { cells, counts } = this.out(team);
      let [worth, risk, fails] = [0, 0, 0];
      for (const [spies, weight] of weights) {
        worth += weight * this.after.winOut(cells, counts(spies));
        fails += weight * this.after.sabotage(cells, counts(spies));
        if (together(team, spies) >= this.table.sabotages[number]) risk += weight;
      }
      const often = sent.get(String(this.place.counts(team))) ?? 0;
      return { team, gloss: this.gloss(groups, team), worth: worth / total, risk: risk / total, fails: fails / total, sent: often, proved: team.filter((seat) => proved[seat] === 1).length, price: null };
    });
    const best = Math.max(...found.map((one) => one.worth));
    for (const one of found) one.loss = Math.max(0, best - one.worth);
    const near = (value) => Math.round(value / TIED);
    return found.sort((one, two) => near(one.loss) - near(two.loss) || one.proved - two.proved || near(two.sent) - near(one.sent) || near(one.risk) - near(two.risk) || (letters(one.team) < letters(two.team) ? -1 : 1));
  }

  /** Seats that are alike to whoever asks: the same record, and nothing known of them. */
  groups(role) {
    const found = new Map();
    for (let seat = 0; seat < this.table.players; seat += 1) {
      const mark = role && seat === role.seat ? 2 : Number(Boolean(role?.partners.includes(seat)));
      const key = `${this.place.counts([seat])}|${mark}`;
      found.set(key, [...(found.get(key) ?? []), seat]);
    }
    return [...found.values()];
  }

  /** Which missions one stands for: "Ann, Ben and 2 of Dan/Eve/Finn". */
  gloss(groups, team) {
    if (groups.length === 1 && team.length < groups[0].length) return `any ${team.length}`;
    const named = (seats) => seats.map((seat) => this.evening.names[seat]);
    return listed(groups.flatMap((group) => {
      const count = together(group, team);
      if (count === group.length) return named(group);
      return count ? [`${count} of ${named(group).join("/")}`] : [];
    }));
  }

  out(team) {
    const key = letters(team);
    if (!this.sent.has(key)) this.sent.set(key, filed(this.table.players, [...this.teams, team], this.results));
    return this.sent.get(key);
  }

  /** What these spies can do about a team, and what the stored strategy does. */
  order(team, spies) {
    const { cells, counts } = this.out(team);
    const some = counts(spies);
    const aboard = together(team, spies);
    return {
      aboard,
      sabotage: this.after.sabotage(cells, some),
      passing: this.after.win(cells.then("+"), some),
      failing: aboard >= this.table.sabotages[this.teams.length] ? this.after.win(cells.then("-"), some) : null,
    };
  }
}
