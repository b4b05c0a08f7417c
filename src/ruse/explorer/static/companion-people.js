// Who may be a spy as people play: the model of ruse.people in the browser (situations.py, model.py and beliefs.py there,
// whose comments say what each number is). The tests compare the two. Teams and sets of spies are bits of seats.
import { subsets } from "./companion-cells.js";
import { RecordError } from "./companion-record.js";

const SABOTAGES = [0.25, 0.65, 0.75, 0.9, 0.95];
const LONE_OF_TWO = 0.5;
const LEAST_CLEAN = 0.005;
const USUAL_APPROVAL = [0.36, 0.7];
const STAGES = ["1 0-0", "2 1-0", "2 0-1", "3 2-0", "3 1-1", "3 0-2", "4 2-1", "4 1-2", "5 2-2"];

export const bits = (seats) => seats.reduce((sum, seat) => sum | (1 << seat), 0);
export const seatsIn = (set) => [...Array(26).keys()].filter((seat) => (set >> seat) & 1);
const count = (set) => { let found = 0; for (let rest = set; rest; rest &= rest - 1) found += 1; return found; };
const setsOf = (players, size) => subsets(players, size).map(bits);
const choose = (n, k) => { let found = 1; for (let i = 1; i <= k; i += 1) found = (found * (n - k + i)) / i; return k < 0 || k > n ? 0 : found; };
const dot = (one, other) => other.reduce((sum, value, at) => sum + one[at] * value, 0);
const logLogistic = (value) => (value > 0 ? -Math.log1p(Math.exp(-value)) : value - Math.log1p(Math.exp(value)));
const logit = (share) => { const kept = Math.min(Math.max(share, LEAST_CLEAN), 1 - LEAST_CLEAN); return Math.log(kept / (1 - kept)); };
const sum = (values) => values.reduce((total, value) => total + value, 0);
const logSum = (values) => { const most = Math.max(...values); return most + Math.log(sum(values.map((value) => Math.exp(value - most)))); };

/** What everybody has seen. */
class TableState {
  constructor(table, plain) {
    const { players, spies } = table;
    Object.assign(this, { table, plain, mission: 0, passed: 0, failed: 0, rejected: [], lastTeam: 0, lastPassed: 0, lastFailed: 0, votes: 0 });
    this.weights = setsOf(players, spies).map((set) => [set, 1]);
    this.habits = Array.from({ length: players }, () => [0, 0]);
    this.agreed = Array.from({ length: players }, () => new Array(players).fill(0));
    this.cache = new Map();
  }

  get needed() { return this.table.sabotages[Math.min(this.mission, 4)]; }

  propose({ team, votes }) {
    const number = this.rejected.length;
    this.rejected = [...this.rejected, team];
    this.lastTeam = team;
    this.cache.clear();
    if (!votes) return;
    if (number < 4) this.habits = this.habits.map(([extra, seen], seat) => [extra + Number(votes[seat]) - USUAL_APPROVAL[(team >> seat) & 1], seen + 1]);
    this.agreed = this.agreed.map((row, seat) => row.map((same, other) => same + Number(votes[seat] === votes[other])));
    this.votes += 1;
  }

  play(team, sabotages) {
    const fails = sabotages >= this.needed;
    const odds = [0, 1, 2, 3, 4].map((aboard) => this.thumb(aboard, sabotages));
    this.weights = this.weights.filter(([set]) => count(set & team) >= sabotages).map(([set, weight]) => [set, weight * odds[count(set & team)]]);
    if (fails) { this.failed += 1; this.lastFailed = team; } else { this.passed += 1; this.lastPassed = team; }
    this.mission += 1;
    this.rejected = [];
    this.cache.clear();
  }

  thumb(aboard, sabotages) {
    if (sabotages > aboard) return 0;
    const share = aboard < this.needed ? LONE_OF_TWO : SABOTAGES[this.mission];
    return choose(aboard, sabotages) * share ** sabotages * (1 - share) ** (aboard - sabotages);
  }

  kept(key, make) {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return this.cache.get(key);
  }

  view(seat) {
    return this.kept(`view ${seat}`, () => {
      const found = this.weights.filter(([set]) => !((set >> seat) & 1));
      const seen = found.length ? found : this.weights;
      return [seen, sum(seen.map(([, weight]) => weight))];
    });
  }

  suspicion(seat, other) {
    return this.kept(`suspicion ${seat} ${other}`, () => {
      const [view, total] = this.view(seat);
      return sum(view.map(([set, weight]) => ((set >> other) & 1 ? weight : 0))) / total;
    });
  }

  clean(seat, team) {
    return this.kept(`clean ${seat} ${team}`, () => {
      const [view, total] = this.view(seat);
      return logit(sum(view.map(([set, weight]) => (set & team ? 0 : weight))) / total);
    });
  }
}

const number = (value) => Number(Boolean(value));

function voteFeatures(state, leader, team, seat) {
  const { table, mission, plain } = state;
  const place = Math.min(state.rejected.length, 4);
  const on = (team >> seat) & 1;
  const size = count(team);
  const clean = state.clean(seat, team);
  const sure = !on && size >= table.players - table.spies;
  const [extra, seen] = state.habits[seat];
  const suspicion = leader !== null && leader !== seat ? state.suspicion(seat, leader) - table.spies / (table.players - 1) : 0;
  const atRandom = logit(choose(table.players - 1 - (size - on), table.spies) / choose(table.players - 1, table.spies));
  const seats = (table.players - 7) / 2;
  const later = place > 0 && place < 4;
  return [
    1, plain, seats, mission === 1, mission === 2, mission === 3, mission === 4, place === 1, place === 2, place === 3, place === 4,
    state.passed === 2, state.failed === 2, on, on && mission === 0, on && mission >= 3, on && later, leader === seat, plain && on,
    clean * on, clean * (1 - on), atRandom, clean * number(plain), sure, sure && mission >= 3, suspicion,
    state.rejected.length && team === state.rejected.at(-1), state.lastPassed && !(state.lastPassed & ~team),
    extra / (seen + 3), sum(state.habits.map(([one]) => one)) / (seen + 3) / table.players, mission === 0 && later,
    leader === seat && mission === 0, on * seats,
  ].map(Number);
}

function voteInsights(state, aboard, on, own, leading) {
  const { mission } = state;
  const none = aboard === 0;
  return [
    none, none && !on, aboard === 2, aboard >= 3, aboard > 0 && aboard < state.needed, none && mission === 0, none && mission >= 2,
    none && mission === 4, none && state.passed === 2, none && state.failed === 2, none && state.rejected.length === 4,
    on && aboard > 1, leading && !own, none && state.plain, aboard >= 2 && mission === 0, aboard >= 2 && !on && mission === 0,
    none && !on && mission === 0, aboard >= 2 && own, aboard === 2 && !on, aboard >= 3 && !on,
  ].map(number);
}

function teamFeatures(state, leader, team) {
  const { table, mission, plain } = state;
  const size = count(team);
  const on = (team >> leader) & 1;
  const clean = state.clean(leader, team);
  const beside = (step) => (team >> ((leader + step + table.players) % table.players)) & 1;
  const others = seatsIn(team & ~(1 << leader));
  const alike = others.length ? sum(others.map((seat) => state.agreed[leader][seat])) / others.length : 0;
  const shared = (other) => count(team & other) / size;
  return [
    on, on && mission === 0, on && plain, clean, clean * number(mission >= 3), clean * number(plain), state.rejected.includes(team),
    state.rejected.length ? shared(state.lastTeam) : 0, shared(state.lastPassed),
    state.lastPassed && (!(state.lastPassed & ~team) || !(team & ~state.lastPassed)), shared(state.lastFailed),
    beside(1), beside(1) && mission === 0, beside(-1), (alike - state.votes / 2) / (state.votes + 2), (on * (table.players - 7)) / 2,
  ].map((value) => (typeof value === "number" ? value : number(value)));
}

function teamInsights(state, aboard) {
  const { mission, plain } = state;
  const seats = (state.table.players - 7) / 2;
  return [
    aboard === 0, aboard === 0 && mission === 0, aboard === 0 && mission >= 2, aboard === 0 && state.passed === 2, aboard === 2, aboard >= 3,
    aboard > 0 && aboard < state.needed, aboard === 2 && mission === 0, aboard === 2 && plain,
    number(aboard === 2) * seats, number(aboard === 0) * seats, aboard >= 2 && mission >= 2, number(aboard >= 3) * seats,
  ].map(Number);
}

/** The odds of 0, 1, 2, … sabotages on the next mission with so many spies aboard. */
export function cardOdds(model, state, aboard) {
  const { table, plain, mission, passed, needed } = state;
  const stage = `${mission + 1} ${passed}-${mission - passed}`;
  const values = [...Array(aboard + 1).keys()].map((cards) => {
    const some = cards > 0;
    const further = Math.max(0, cards - 1);
    const features = [
      ...STAGES.map((name) => some && stage === name), some && plain, (number(some && mission === 0) * (table.players - 7)) / 2, some && mission === 0 && plain,
      some && aboard === 2, some && aboard >= 3, some && aboard < needed, further, further * number(mission === 0), further * number(mission >= 3),
      further * number(plain), cards >= 2 && needed === 2, needed === 2 ? Math.max(0, cards - needed) : 0, cards * number(aboard >= 3),
    ].map(Number);
    return choose(aboard, cards) * Math.exp(dot(model.cards, features));
  });
  const total = sum(values);
  return values.map((value) => value / total);
}

/** How likely somebody of a kind, who knows these spies (bits), approves a team. */
export function voteOdds(model, state, { leader, team }, seat, kind, known) {
  const features = voteFeatures(state, leader, team, seat);
  const on = Boolean((team >> seat) & 1);
  const leading = leader !== null && Boolean((known >> leader) & 1);
  const insights = model.votes[kind].length > features.length ? voteInsights(state, count(known & team), on, leader === seat, leading) : [];
  return Math.exp(logLogistic(dot(model.votes[kind], [...features, ...insights])));
}

/** How likely what was seen is, as logarithms, for whatever each seat could be. */
export class Evidence {
  constructor(model, table, roleset) {
    const { players, spies } = table;
    const scores = (size) => new Map(setsOf(players, size).map((set) => [set, new Array(players).fill(0)]));
    Object.assign(this, { model, table, roleset, state: new TableState(table, !roleset.length) });
    this.cards = new Map(setsOf(players, spies).map((set) => [set, 0]));
    this.good = new Array(players).fill(0);
    this.oberon = new Array(players).fill(0);
    this.spy = scores(spies - number(roleset.includes("oberon")));
    this.merlin = roleset.includes("merlin") ? scores(spies - number(roleset.includes("mordred"))) : new Map();
  }

  propose(proposal) {
    if (this.model && proposal.votes) this.addVotes(proposal);
    if (this.model && proposal.leader !== null) this.addTeam(proposal);
    this.state.propose(proposal);
  }

  play(team, sabotages) {
    const { model, state, table } = this;
    const odds = model ? [...Array(table.spies + 1).keys()].map((aboard) => cardOdds(model, state, aboard)) : null;
    const fitting = [...this.cards].filter(([set]) => count(set & team) >= sabotages);
    this.cards = new Map(fitting.map(([set, score]) => [set, odds ? score + model.trust[0] * Math.log(odds[count(set & team)][sabotages]) : score]));
    state.play(team, sabotages);
  }

  addVotes({ leader, team, votes }) {
    const { model, state } = this;
    const trust = model.trust[1];
    const features = votes.map((_, seat) => voteFeatures(state, leader, team, seat));
    const score = (seat, value) => trust * logLogistic(votes[seat] ? value : -value);
    votes.forEach((_, seat) => {
      this.good[seat] += score(seat, dot(model.votes.good, features[seat]));
      this.oberon[seat] += score(seat, dot(model.votes.oberon, features[seat]));
    });
    for (const [kind, scores] of [["spy", this.spy], ["merlin", this.merlin]]) {
      const plain = model.votes[kind].slice(0, features[0].length);
      const insights = model.votes[kind].slice(features[0].length);
      const common = scores.size ? features.map((row) => dot(plain, row)) : [];
      const more = new Map();
      for (const [known, row] of scores) {
        const aboard = count(known & team);
        const leading = leader !== null && Boolean((known >> leader) & 1);
        votes.forEach((_, seat) => {
          if (Boolean((known >> seat) & 1) !== (kind === "spy")) return;
          const on = Boolean((team >> seat) & 1);
          const key = `${aboard} ${on} ${leader === seat} ${leading}`;
          if (!more.has(key)) more.set(key, dot(insights, voteInsights(state, aboard, on, leader === seat, leading)));
          row[seat] += score(seat, common[seat] + more.get(key));
        });
      }
    }
  }

  addTeam({ leader, team }) {
    const { model, state, table } = this;
    const trust = model.trust[2];
    const teams = setsOf(table.players, table.missions[state.mission]);
    const features = teams.map((one) => teamFeatures(state, leader, one));
    const at = teams.indexOf(team);
    for (const [kind, scores] of [["good", this.good], ["oberon", this.oberon]]) {
      const values = features.map((row) => Math.exp(dot(model.teams[kind], row)));
      scores[leader] += trust * Math.log(values[at] / sum(values));
    }
    for (const [kind, scores] of [["spy", this.spy], ["merlin", this.merlin]]) {
      if (!scores.size) continue;
      const plain = model.teams[kind].slice(0, features[0].length);
      const insights = model.teams[kind].slice(features[0].length);
      const values = features.map((row) => Math.exp(dot(plain, row)));
      const factors = [...Array(table.spies + 1).keys()].map((aboard) => Math.exp(dot(insights, teamInsights(state, aboard))));
      for (const [known, row] of scores) {
        if (Boolean((known >> leader) & 1) !== (kind === "spy")) continue;
        const total = teams.reduce((all, one, place) => all + values[place] * factors[count(one & known)], 0);
        row[leader] += trust * Math.log((values[at] * factors[count(team & known)]) / total);
      }
    }
  }

  /** Every set of spies that fits, with how likely it is; and how likely each seat is Merlin. */
  deals(viewer) {
    const { roleset } = this;
    const everyone = (1 << this.table.players) - 1;
    const merlins = this.good.map(() => []);
    const weights = new Map();
    for (const [spies, cards] of this.cards) {
      if (viewer && Boolean((spies >> viewer.seat) & 1) !== viewer.spy) continue;
      const scores = [];
      for (const oberon of roleset.includes("oberon") ? seatsIn(spies) : [null]) {
        const known = oberon === null ? spies : spies & ~(1 << oberon);
        if (viewer && !knows(viewer, spies, known)) continue;
        let score = cards + sum(seatsIn(known).map((seat) => this.spy.get(known)[seat] - this.good[seat]));
        if (oberon !== null) score += this.oberon[oberon] - this.good[oberon];
        if (!roleset.includes("merlin")) { scores.push(score); continue; }
        for (const mordred of roleset.includes("mordred") ? seatsIn(known) : [null]) {
          const seen = mordred === null ? spies : spies & ~(1 << mordred);
          for (const seat of seatsIn(everyone & ~spies)) {
            if (viewer && !mayBeMerlin(viewer, roleset, seat, spies, seen)) continue;
            const value = score + this.merlin.get(seen)[seat] - this.good[seat];
            scores.push(value);
            merlins[seat].push(value);
          }
        }
      }
      if (scores.length) weights.set(spies, logSum(scores));
    }
    if (!weights.size) throw new RecordError("no deal of roles fits these missions and this role; check the role and the seat");
    const most = Math.max(...weights.values());
    const total = sum([...weights.values()].map((weight) => Math.exp(weight - most)));
    return {
      sets: new Map([...weights].map(([spies, weight]) => [spies, Math.exp(weight - most) / total])),
      merlin: merlins.map((values) => sum(values.map((value) => Math.exp(value - most))) / total),
    };
  }
}

function knows({ seat, role, spy, sees }, spies, known) {
  if (role === "oberon") return known !== spies && !((known >> seat) & 1);
  return !spy || (Boolean((known >> seat) & 1) && (sees === null || sees === known));
}

function mayBeMerlin({ seat: mine, role, sees }, roleset, seat, spies, seen) {
  if (role === "merlin") return seat === mine && (sees === null || sees === seen);
  if (seat === mine) return false;
  if (role !== "percival" || sees === null) return true;
  return Boolean((sees >> seat) & 1) && (!roleset.includes("morgana") || !(sees & ~(1 << seat) & ~spies));
}

/** What somebody may believe at the end of a record, and how likely each team fails as people play.
 *
 *  A record is {table, roleset, missions: [{proposals: [{leader, team, votes}], sabotages}]} with teams as bits, votes by
 *  seat or null, and sabotages null while a mission is open. Without a model: the facts, every deal that fits alike.
 *  viewer: {seat, role, spy, sees}, sees as bits or null; null for what everybody may believe. */
export function assess(record, model, viewer = null) {
  const evidence = new Evidence(model, record.table, record.roleset);
  for (const { proposals, sabotages } of record.missions) {
    for (const proposal of proposals) evidence.propose(proposal);
    if (sabotages !== null) evidence.play(proposals.at(-1).team, sabotages);
  }
  const { sets, merlin } = evidence.deals(viewer);
  const chance = (holds) => sum([...sets].map(([spies, weight]) => (holds(spies) ? weight : 0)));
  return {
    spies: evidence.good.map((_, seat) => chance((spies) => (spies >> seat) & 1)),
    merlin,
    deals: sets.size,
    sets,
    state: evidence.state,
  };
}

/** Every team of the next mission: how likely enough spies are aboard to fail it, and how likely they do as people play;
 *  without a model they do whenever they can. */
export function teamRisks(found, model) {
  const { state, sets } = found;
  const { needed, table } = state;
  const fails = [...Array(table.spies + 1).keys()].map((aboard) => (model ? sum(cardOdds(model, state, aboard).slice(needed)) : number(aboard >= needed)));
  return setsOf(table.players, table.missions[state.mission]).map((team) => {
    let [risk, failing] = [0, 0];
    for (const [spies, weight] of sets) {
      const aboard = count(spies & team);
      if (aboard >= needed) risk += weight;
      failing += weight * fails[aboard];
    }
    return { team: seatsIn(team), risk, fails: failing };
  }).sort((one, two) => one.fails - two.fails || one.risk - two.risk);
}
