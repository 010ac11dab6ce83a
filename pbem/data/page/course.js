// The position after any entry: each is made of the one before, and shares with it all that did not change.

/** @param {any} value */
const isPlain = value => value !== null && typeof value === "object" && !Array.isArray(value);

/** @param {Row} old @param {Row} change @returns {Row} */
function put(old, change) {
  const made = { ...old };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete made[key];
    else made[key] = isPlain(value) && isPlain(made[key]) ? put(made[key], value) : value;
  }
  return made;
}

class Course {
  /** @param {Data} data */
  constructor(data) {
    this.entries = data.entries;
    this.last = data.entries.length;
    /** @type {Row[]} */
    this.states = [{}];
    for (const change of data.puts) this.states.push(put(this.states[this.states.length - 1], change));
    /** Where each player turn, phase or Game Turn begins: numbers of entries. @type {number[]} */
    this.turns = [1, ...this.entries.filter(one => one.number > 1 && one.lines.some(line => line.what === HEADING))
      .map(one => one.number)];
  }

  /** @param {number} number @returns {Chart} */
  at(number) {
    const state = this.states[number];
    const list = name => Object.values(state[name] || {});
    return /** @type {Chart} */ ({ ...state, armies: list("armies"), sieges: list("sieges"), fleets: list("fleets"),
      royals: list("royals"), standings: (state.turn_order || []).map(seat => state.standings[seat]).filter(Boolean) });
  }

  /** The player turn in which an entry is: its first entry, and the first behind it. @param {number} number */
  turn(number) {
    const place = this.turns.filter(first => first <= number).length - 1;
    return { place, first: this.turns[place], end: this.turns[place + 1] || this.last + 1 };
  }

  /** What of these entries can be drawn, steps of one march as one. @param {number} first @param {number} last @returns {Row[]} */
  shown(first, last) {
    /** @type {Row[]} */
    const rows = [];
    for (let number = first; number <= last; number++) {
      const entry = this.entries[number - 1];
      if (entry.undone && first !== last) continue;
      for (const line of entry.lines) for (const row of line.shown) {
        const before = rows[rows.length - 1], longer = before && together(before, row);
        if (longer) rows[rows.length - 1] = { ...longer, lines: [...before.lines, line] };
        else rows.push({ ...row, lines: [line] });
      }
    }
    return rows.map((row, place) => ({ ...row, number: place + 1 }));
  }

  /** The sentences that speak of a place, the last one first. @param {string} space */
  of(space) {
    const found = [];
    for (let number = this.last; number; number--)
      for (const line of this.entries[number - 1].lines)
        if (line.places.includes(space)) found.push({ number, line });
    return found;
  }
}

const [HEADING, SEGMENT, SENTENCE, ASKED, PRIVATE] = [0, 1, 2, 3, 4];

/** Both as one, where the second goes on with the first. @param {Row} first @param {Row} then */
function together(first, then) {
  if (first.what === "control" && then.what === "control" && first.seat === then.seat)
    return { ...first, spaces: [...first.spaces, ...then.spaces] };
  const same = first.what === "move" && then.what === "move" && first.how === then.how && first.how !== "tried"
    && ["seat", "general", "cus"].every(key => first[key] === then[key]) && first.path[first.path.length - 1] === then.path[0];
  return same ? { ...first, path: [...first.path, ...then.path.slice(1)] } : null;
}
