// What a table of The Resistance may believe after an evening's missions, and what to send next.
//
// The same mathematics as ruse.games.resistance.companion and .worth in Python, in floats; the tests compare the two.
// Seats with the same record are alike: a position is its cells, a set of spies is how many sit in each cell (counts),
// and a mission is how many go from each. Strategies are filed by positions in which the seats that went most often
// have the first letters.

export const POINTS = 3;
export const MOST_WORK = 2_000_000; // teams times deals of a mission, for advice
const TIED = 1e-12;

// Counting.

export function choose(n, k) {
  let found = 1;
  for (let i = 1; i <= k; i += 1) found = (found * (n - k + i)) / i;
  return k < 0 || k > n ? 0 : Math.round(found);
}

/** Every set of `size` out of 0 to n - 1, in the order of the dictionary. */
export function subsets(n, size) {
  const found = [];
  const grow = (chosen, from) => {
    if (chosen.length === size) { found.push(chosen); return; }
    for (let seat = from; seat <= n - (size - chosen.length); seat += 1) grow([...chosen, seat], seat + 1);
  };
  grow([], 0);
  return found;
}

/** Every way to take `total` from cells of these sizes, the first cells' largest shares first. */
export function splits(sizes, total) {
  const found = [];
  const grow = (taken, left) => {
    const cell = taken.length;
    if (cell === sizes.length) { if (left === 0) found.push(taken); return; }
    let room = 0;
    for (let later = cell; later < sizes.length; later += 1) room += sizes[later];
    if (left > room) return;
    for (let some = Math.min(sizes[cell], left); some >= 0; some -= 1) grow([...taken, some], left - some);
  };
  grow([], total);
  return found;
}

export const letters = (seats) => seats.map((seat) => String.fromCharCode(97 + seat)).join("");
const seatsOf = (text) => [...text].map((letter) => letter.charCodeAt(0) - 97);
const members = (sizes, counts) => sizes.reduce((ways, size, cell) => ways * choose(size, counts[cell]), 1);
const together = (team, spies) => team.reduce((count, seat) => count + (spies.includes(seat) ? 1 : 0), 0);

// Cells.

class Cells {
  constructor(sizes, aboard, results) {
    this.sizes = sizes;
    this.aboard = aboard; // for each cell: on which missions it went
    this.results = results; // "+-", shorter than the records while a mission is out
  }

  /** The filed position without its title: "/ab+/abc?". */
  get steps() {
    if (this.text === undefined) {
      this.text = "";
      for (let number = 0; number < this.aboard[0].length; number += 1) {
        const team = this.firstSeats(this.sizes.map((size, cell) => (this.aboard[cell][number] ? size : 0)));
        this.text += `/${letters(team)}${this.results[number] ?? "?"}`;
      }
    }
    return this.text;
  }

  get score() {
    const passed = [...this.results].filter((one) => one === "+").length;
    return [passed, this.results.length - passed];
  }

  send(mission) {
    const sizes = [];
    const aboard = [];
    this.sizes.forEach((size, cell) => {
      for (const [part, goes] of [[mission[cell], true], [size - mission[cell], false]]) {
        if (part) { sizes.push(part); aboard.push([...this.aboard[cell], goes]); }
      }
    });
    return new Cells(sizes, aboard, this.results);
  }

  then(result) { return new Cells(this.sizes, this.aboard, this.results + result); }

  /** The seats that a class is named by: the first of each cell. */
  firstSeats(counts) {
    const seats = [];
    let offset = 0;
    this.sizes.forEach((size, cell) => {
      for (let seat = offset; seat < offset + counts[cell]; seat += 1) seats.push(seat);
      offset += size;
    });
    return seats;
  }

  counts(seats) {
    const found = [];
    let offset = 0;
    for (const size of this.sizes) {
      const [from, to] = [offset, offset + size];
      found.push(seats.filter((seat) => seat >= from && seat < to).length);
      offset = to;
    }
    return found;
  }

  /** The cells after so many missions, the last of them out, and which of them each of these comes from. */
  before(missions) {
    const sizes = [];
    const records = [];
    const origin = [];
    this.sizes.forEach((size, cell) => {
      const record = this.aboard[cell].slice(0, missions);
      if (records.length && String(records.at(-1)) === String(record)) sizes[sizes.length - 1] += size;
      else { sizes.push(size); records.push(record); }
      origin.push(sizes.length - 1);
    });
    return [new Cells(sizes, records, this.results.slice(0, Math.max(0, missions - 1))), origin];
  }
}

function gathered(counts, origin) {
  const found = new Array(origin.at(-1) + 1).fill(0);
  counts.forEach((count, cell) => { found[origin[cell]] += count; });
  return found;
}

/** Teams that went, the last of them perhaps still out: the cells, and what each seat is called in them. */
function filed(players, teams, results) {
  const record = (seat) => teams.map((team) => team.includes(seat));
  const seats = [...Array(players).keys()];
  const order = (one, two) => {
    for (const team of teams) {
      const difference = Number(team.includes(two)) - Number(team.includes(one));
      if (difference) return difference;
    }
    return one - two;
  };
  const names = [];
  const sizes = [];
  const aboard = [];
  seats.sort(order).forEach((seat, place) => {
    names[seat] = place;
    if (aboard.length && String(aboard.at(-1)) === String(record(seat))) sizes[sizes.length - 1] += 1;
    else { sizes.push(1); aboard.push(record(seat)); }
  });
  const cells = new Cells(sizes, aboard, results);
  return { cells, counts: (some) => cells.counts(some.map((seat) => names[seat])) };
}

// Worths.

/** What positions are worth to the resistance. `base` says how likely each class of spies is after `done` missions. */
class Worth {
  constructor(table, strategy, done, base) {
    Object.assign(this, { table, strategy, done, base });
    this.kept = new Map();
    this.leads = new Set(); // positions from which the strategy can come to one that it says something about
    for (const position of Object.keys(strategy.resistance)) {
      for (let cut = position.lastIndexOf("/"); cut >= 0; cut = position.lastIndexOf("/", cut - 1)) {
        this.leads.add(position.slice(0, cut));
        if (cut === 0) break;
      }
    }
    this.sets = subsets(table.players, table.spies);
  }

  once(what, cells, spies, find) {
    const key = `${what}${cells.steps}|${spies}`;
    if (!this.kept.has(key)) this.kept.set(key, find());
    return this.kept.get(key);
  }

  aboard(cells, spies, number) {
    return spies.reduce((count, some, cell) => count + (cells.aboard[cell][number] ? some : 0), 0);
  }

  /** The odds that spies fail the mission that is out. */
  sabotage(out, spies) {
    const number = out.results.length;
    if (this.aboard(out, spies, number) < this.table.sabotages[number]) return 0;
    if (out.score.includes(POINTS - 1)) return 1;
    return this.strategy.spies[`@${letters(out.firstSeats(spies))}${out.steps}`] ?? this.strategy.usual[number];
  }

  /** Who may be spies at a position: classes with what one set of each weighs; the fewest slips count. */
  suspects(cells) {
    return this.once("suspects", cells, "", () => {
      const likely = [];
      const origin = this.done ? cells.before(this.done)[1] : cells.sizes.map(() => 0);
      for (const spies of splits(cells.sizes, this.table.spies)) {
        const base = this.base.get(String(gathered(spies, origin)));
        const enough = [...cells.results].every((result, number) => result === "+" || this.aboard(cells, spies, number) >= this.table.sabotages[number]);
        if (!base || !enough) continue;
        let [slips, weight] = base;
        for (let number = this.done; number < cells.results.length; number += 1) {
          const [out, from] = cells.before(number + 1);
          const share = this.sabotage(out, gathered(spies, from));
          const odds = cells.results[number] === "-" ? share : 1 - share;
          if (odds) weight *= odds;
          else slips += 1;
        }
        likely.push({ spies, slips, weight });
      }
      const least = Math.min(...likely.map((one) => one.slips));
      const masses = likely.filter((one) => one.slips === least);
      const total = masses.reduce((sum, one) => sum + members(cells.sizes, one.spies) * one.weight, 0);
      return new Map(masses.map((one) => [String(one.spies), one.weight / total]));
    });
  }

  listed(cells) { return cells.steps in this.strategy.resistance; }

  /** The missions that the resistance sends, with their odds: its strategy's, or the first of the best. */
  missions(cells) {
    return this.once("missions", cells, "", () => {
      if (this.listed(cells)) {
        return Object.entries(this.strategy.resistance[cells.steps]).map(([team, share]) => [cells.counts(seatsOf(team)), share]);
      }
      const worths = this.worths(cells);
      const best = Math.max(...worths.map(([, worth]) => worth));
      return [[worths.find(([, worth]) => worth >= best - TIED)[0], 1]];
    });
  }

  worth(cells) {
    if (cells.score.includes(POINTS)) return Number(cells.score[0] === POINTS);
    return this.once("worth", cells, "", () => (this.listed(cells)
      ? this.missions(cells).reduce((sum, [mission, share]) => sum + share * this.worthSent(cells, mission), 0)
      : Math.max(...this.worths(cells).map(([, worth]) => worth))));
  }

  worthSent(cells, mission) {
    const here = this.suspects(cells);
    const out = cells.send(mission);
    const parents = cells.sizes.flatMap((size, cell) => [mission[cell], size - mission[cell]].filter(Boolean).map(() => cell));
    const odds = { "+": 0, "-": 0 };
    for (const spies of splits(out.sizes, this.table.spies)) {
      const mass = here.get(String(gathered(spies, parents)));
      if (!mass) continue;
      const share = this.sabotage(out, spies);
      const weight = members(out.sizes, spies) * mass;
      odds["-"] += share * weight;
      odds["+"] += (1 - share) * weight;
    }
    return (odds["+"] && odds["+"] * this.worth(out.then("+"))) + (odds["-"] && odds["-"] * this.worth(out.then("-")));
  }

  /** Each class of missions with what it is worth. */
  worths(cells) {
    return this.once("worths", cells, "", () => {
      if (!cells.score.includes(POINTS - 1)) {
        return splits(cells.sizes, this.table.missions[cells.results.length]).map((mission) => [mission, this.worthSent(cells, mission)]);
      }
      const goesOn = cells.score[0] === POINTS - 1 ? "-" : "+";
      return this.guessing(cells).map(([mission, worth]) => (this.leads.has(cells.steps) && this.listed(cells.send(mission).then(goesOn))
        ? [mission, this.worthSent(cells, mission)]
        : [mission, worth]));
    });
  }

  /** Once a side has two points the spies sabotage what they can, so the resistance guesses lists of missions. */
  guessing(cells) {
    const number = cells.results.length;
    const oneIsEnough = cells.score[0] === POINTS - 1;
    const masses = this.suspects(cells);
    const bySet = this.sets.map((spies) => masses.get(String(cells.counts(spies))) ?? 0);
    const live = [...bySet.keys()].filter((set) => bySet[set]);
    const sign = oneIsEnough ? -1 : 1; // play is to stay open on little, or on much
    const stays = (from, round, team) => {
      const row = this.enough(round, team);
      return from.filter((set) => row[set] === Number(oneIsEnough));
    };
    const heaviest = (from, here, round, teams) => {
      if (round === this.table.missions.length) return from.reduce((sum, set) => sum + sign * bySet[set], 0);
      let best = -Infinity;
      if (round === this.table.missions.length - 1) {
        for (const row of this.rows(round)) {
          let sum = 0;
          for (const set of from) if (row[set] === Number(oneIsEnough)) sum += bySet[set];
          if (sign * sum > best) best = sign * sum;
        }
        return best;
      }
      for (const mission of teams ?? splits(here.sizes, this.table.missions[round])) {
        const sent = here.send(mission);
        const kept = stays(from, round, here.firstSeats(mission));
        best = Math.max(best, heaviest(kept, sent, round + 1));
      }
      return best;
    };
    return splits(cells.sizes, this.table.missions[number]).map((mission) => {
      const kept = stays(live, number, cells.firstSeats(mission));
      return [mission, Number(oneIsEnough) + heaviest(kept, cells.send(mission), number + 1)];
    });
  }

  /** For a team, which sets of spies have enough aboard to fail it. */
  enough(round, team) {
    this.byTeam ??= this.table.missions.map(() => new Map());
    const key = letters(team);
    if (!this.byTeam[round].has(key)) {
      this.byTeam[round].set(key, Uint8Array.from(this.sets, (spies) => Number(together(team, spies) >= this.table.sabotages[round])));
    }
    return this.byTeam[round].get(key);
  }

  rows(round) {
    this.allRows ??= [];
    this.allRows[round] ??= subsets(this.table.players, this.table.missions[round]).map((team) => this.enough(round, team));
    return this.allRows[round];
  }

  /** How often the resistance wins against spies of a class; no mission is out. */
  win(cells, spies) {
    if (cells.score.includes(POINTS)) return Number(cells.score[0] === POINTS);
    return this.once("win", cells, spies, () => {
      let found = 0;
      for (const [mission, share] of this.missions(cells)) {
        const out = cells.send(mission);
        const size = members(cells.sizes, mission);
        for (const [ways, after] of spySplits(cells, mission, spies)) found += (share * ways * this.winOut(out, after)) / size;
      }
      return found;
    });
  }

  winOut(out, spies) {
    const share = this.sabotage(out, spies);
    return (share < 1 && (1 - share) * this.win(out.then("+"), spies)) + (share && share * this.win(out.then("-"), spies));
  }
}

/** Every way in which missions of a class split the spies of a class: how many do, and the spies of each cell then. */
function spySplits(cells, mission, spies) {
  let found = [[1, []]];
  cells.sizes.forEach((size, cell) => {
    const [taken, some] = [mission[cell], spies[cell]];
    found = found.flatMap(([ways, after]) => {
      const grown = [];
      for (let inside = Math.max(0, some - (size - taken)); inside <= Math.min(some, taken); inside += 1) {
        const parts = [[taken, inside], [size - taken, some - inside]].filter(([part]) => part).map(([, count]) => count);
        grown.push([ways * choose(some, inside) * choose(size - some, taken - inside), [...after, ...parts]]);
      }
      return grown;
    });
  });
  return found;
}

// The companion.

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
    this.sent = new Map();
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

  likely(spies, slip) {
    let [slips, weight] = [0, 1];
    this.evening.rounds.forEach((round, number) => {
      const cards = together(round.team, spies);
      const slipped = choose(cards, round.sabotages) / 2 ** cards;
      let followed = 0;
      if (slip < 1) {
        const { cells, counts } = this.outs[number];
        const share = this.plain.sabotage(cells, counts(spies));
        if (round.sabotages === this.table.sabotages[number]) followed = share;
        else if (round.sabotages === 0) followed = 1 - share;
      }
      if (slip) weight *= (1 - slip) * followed + slip * slipped;
      else if (followed) weight *= followed;
      else { slips += 1; weight *= slipped; }
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

  get listed() { return this.after.listed(this.place.cells); }

  /** One mission of each sort that whoever asks can tell apart, the best for the resistance first. */
  missions(role = null) {
    if (this.over) return [];
    const number = this.teams.length;
    const [, weights] = this.weights(this.allowed(role), this.evening.slip);
    const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
    const groups = this.groups(role);
    const sorts = new Map();
    for (const team of subsets(this.table.players, this.table.missions[number])) {
      const sort = String(groups.map((group) => together(group, team)));
      if (!sorts.has(sort)) sorts.set(sort, team);
    }
    const sent = new Map(this.after.missions(this.place.cells).map(([mission, share]) => [String(mission), share]));
    const found = [...sorts.values()].map((team) => {
      let [worth, risk] = [0, 0];
      for (const [spies, weight] of weights) {
        worth += weight * this.winOut(team, spies);
        if (together(team, spies) >= this.table.sabotages[number]) risk += weight;
      }
      return { team, gloss: this.gloss(groups, team), worth: worth / total, risk: risk / total, sent: sent.get(String(this.place.counts(team))) ?? 0, price: null };
    });
    const best = Math.max(...found.map((one) => one.worth));
    for (const one of found) one.loss = Math.max(0, best - one.worth);
    const near = (value) => Math.round(value / TIED);
    return found.sort((one, two) => near(one.loss) - near(two.loss) || near(two.sent) - near(one.sent) || near(one.risk) - near(two.risk) || (letters(one.team) < letters(two.team) ? -1 : 1));
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

  gloss(groups, team) {
    const names = (seats) => listed(seats.map((seat) => this.evening.names[seat]));
    return groups.flatMap((group) => {
      const count = together(group, team);
      if (count === group.length) return group.map((seat) => this.evening.names[seat]);
      return count ? [`${count} of ${names(group)}`] : [];
    }).join(", ");
  }

  out(team) {
    const key = letters(team);
    if (!this.sent.has(key)) this.sent.set(key, filed(this.table.players, [...this.teams, team], this.results));
    return this.sent.get(key);
  }

  winOut(team, spies) {
    const { cells, counts } = this.out(team);
    return this.after.winOut(cells, counts(spies));
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

/** Words in a sentence: "Ann, Ben and Cleo". */
export function listed(words) {
  if (words.length < 2) return words[0] ?? "nobody";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
