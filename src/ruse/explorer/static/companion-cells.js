// Sets of seats, and positions of The Resistance up to the names of seats (ruse.games.resistance.cells in Python).
//
// Seats with the same record are alike: a position is its cells, a set of spies is how many sit in each cell (counts),
// and a mission is how many go from each. Strategies are filed by positions in which the seats that went most often
// have the first letters.

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
export const seatsOf = (text) => [...text].map((letter) => letter.charCodeAt(0) - 97);
export const members = (sizes, counts) => sizes.reduce((ways, size, cell) => ways * choose(size, counts[cell]), 1);
export const together = (team, spies) => team.reduce((count, seat) => count + (spies.includes(seat) ? 1 : 0), 0);

/** Words in a sentence: "Ann, Ben and Cleo". */
export function listed(words) {
  if (words.length < 2) return words[0] ?? "nobody";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export class Cells {
  constructor(sizes, aboard, results) {
    this.sizes = sizes;
    this.aboard = aboard; // for each cell: on which missions it went
    this.results = results; // "+-", shorter than the records while a mission is out
  }

  /** The representative position without its title: "/ab+/abc?". */
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

export function gathered(counts, origin) {
  const found = new Array(origin.at(-1) + 1).fill(0);
  counts.forEach((count, cell) => { found[origin[cell]] += count; });
  return found;
}

/** Teams that went, the last of them perhaps still out: the cells, and what each seat is called in them. */
export function filed(players, teams, results) {
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
