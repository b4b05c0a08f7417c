// What positions of The Resistance are worth if the spies follow their stored strategy and the resistance replies as well
// as it can (`After` of ruse.games.resistance.companion in Python, in floats).
import { choose, gathered, letters, members, seatsOf, splits, subsets, together } from "./companion-cells.js";

export const POINTS = 3;
export const TIED = 1e-12;

/** What positions are worth to the resistance. `base` says how likely each class of spies is after `done` missions. */
export class Worth {
  constructor(table, strategy, done, base) {
    Object.assign(this, { table, strategy, done, base });
    this.kept = new Map();
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

  /** What the stored strategy of the resistance sends, with odds; nothing where it says nothing. */
  storedMissions(cells) {
    return Object.entries(this.strategy.resistance[cells.steps] ?? {}).map(([team, share]) => [cells.counts(seatsOf(team)), share]);
  }

  /** The missions that the resistance sends, with their odds: the best that its stored strategy sends, or the first. */
  missions(cells) {
    return this.once("missions", cells, "", () => {
      const worths = this.worths(cells);
      const best = Math.max(...worths.map(([, worth]) => worth));
      const good = worths.filter(([, worth]) => worth >= best - TIED).map(([mission]) => mission);
      const kept = this.storedMissions(cells).filter(([mission]) => good.some((one) => String(one) === String(mission)));
      const total = kept.reduce((sum, [, share]) => sum + share, 0);
      return total ? kept.map(([mission, share]) => [mission, share / total]) : [[good[0], 1]];
    });
  }

  worth(cells) {
    if (cells.score.includes(POINTS)) return Number(cells.score[0] === POINTS);
    return this.once("worth", cells, "", () => Math.max(...this.worths(cells).map(([, worth]) => worth)));
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
      if (cells.score.includes(POINTS - 1)) return this.guessing(cells);
      return splits(cells.sizes, this.table.missions[cells.results.length]).map((mission) => [mission, this.worthSent(cells, mission)]);
    });
  }

  /** Once a side has two points the spies sabotage what they can, so the resistance guesses lists of missions. */
  guessing(cells) {
    const number = cells.results.length;
    const oneIsEnough = cells.score[0] === POINTS - 1;
    const masses = this.suspects(cells);
    const bySet = Float64Array.from(this.sets, (spies) => masses.get(String(cells.counts(spies))) ?? 0);
    const live = Uint16Array.from([...bySet.keys()].filter((set) => bySet[set]));
    const sign = oneIsEnough ? -1 : 1; // play is to stay open on little, or on much
    const last = this.table.missions.length - 1;
    const stays = (from, round, team) => {
      const row = this.enough(round, team);
      return from.filter((set) => row[set] === Number(oneIsEnough));
    };
    const heaviest = (from, here, round) => {
      const mass = Float64Array.from(from, (set) => bySet[set]);
      if (round > last) return sign * mass.reduce((sum, one) => sum + one, 0);
      if (round === last) return sign * heaviestRow(this.rows(round), from, mass, Number(oneIsEnough), sign);
      const missions = splits(here.sizes, this.table.missions[round]);
      return Math.max(...missions.map((mission) => heaviest(stays(from, round, here.firstSeats(mission)), here.send(mission), round + 1)));
    };
    return splits(cells.sizes, this.table.missions[number]).map((mission) => {
      const kept = stays(live, number, cells.firstSeats(mission));
      return [mission, Number(oneIsEnough) + heaviest(kept, cells.send(mission), number + 1)];
    });
  }

  /** For a team, which sets of spies have enough aboard to fail it. */
  enough(round, team) {
    this.byTeam ??= this.table.missions.map(() => new Map());
    this.masks ??= Int32Array.from(this.sets, mask);
    const key = mask(team);
    let row = this.byTeam[round].get(key);
    if (!row) {
      row = new Uint8Array(this.masks.length);
      for (let set = 0; set < row.length; set += 1) row[set] = Number(ones(this.masks[set] & key) >= this.table.sabotages[round]);
      this.byTeam[round].set(key, row);
    }
    return row;
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

const mask = (seats) => seats.reduce((bits, seat) => bits | (1 << seat), 0);

function ones(bits) {
  let count = 0;
  for (let left = bits; left; left &= left - 1) count += 1;
  return count;
}

/** The largest or smallest mass of the sets that a row of 0 and 1 holds a value for, over all rows. */
function heaviestRow(rows, sets, mass, value, sign) {
  let best = -sign * Infinity;
  for (const row of rows) {
    let sum = 0;
    for (let i = 0; i < sets.length; i += 1) if (row[sets[i]] === value) sum += mass[i];
    if (sign * sum > sign * best) best = sum;
  }
  return best;
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
