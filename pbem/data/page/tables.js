// The tables behind the game: every die with what was needed, every window with who was asked until when. Made when opened.

const FOLDS = ["places", "numbers", "dice", "windows"];

class Tables {
  /** @param {Board} board @param {Course} course @param {Said} said @param {(number: number) => void} go */
  constructor(board, course, said, go) {
    this.board = board;
    this.course = course;
    this.said = said;
    this.go = go;
    for (const id of FOLDS) {
      const fold = /** @type {HTMLDetailsElement} */ (document.getElementById(id));
      fold.addEventListener("toggle", () => { if (fold.open) this.fill(id); });
    }
  }

  /** What is open anew: the language has changed. */
  rename() {
    for (const id of FOLDS) if (/** @type {HTMLDetailsElement} */ (document.getElementById(id)).open) this.fill(id);
  }

  /** The table of what is drawn, if anybody looks at it. */
  follow() { if (/** @type {HTMLDetailsElement} */ (document.getElementById("places")).open) this.fill("places"); }

  /** @param {string} id */
  fill(id) {
    const [heads, rows] = id === "dice" ? this.dice() : id === "windows" ? this.windows() : id === "places" ? this.places() : this.totals();
    const table = html("table", {},
      html("thead", {}, html("tr", {}, ...heads.map(head => html("th", { scope: "col" }, head)))),
      html("tbody", {}, ...rows.map(cells => html("tr", {}, ...cells.map(cell => html("td", {}, cell))))));
    /** @type {HTMLElement} */ (document.querySelector(`#${id} .wide`)).replaceChildren(table);
  }

  link(number) {
    const made = html("button", { type: "button", class: "number", "aria-label": this.said.ui("entry", { n: number }) }, String(number));
    made.addEventListener("click", () => this.go(number));
    return made;
  }

  /** @param {string[]} keys */
  heads(keys) { return keys.map(key => this.said.ui(key)); }

  /** The board that is drawn, a row a space. @returns {[string[], (string | Element)[][]]} */
  places() {
    const chart = /** @type {Chart} */ (this.board.chart), here = this.board.pieces.bySpace(chart);
    return [this.heads(["head_place", "head_province", "head_control", "head_pieces"]), Object.entries(chart.board.spaces).map(([space, fact]) => [
      this.said.space(space), this.said.label(fact.province, "province")[0], this.said.seat(chart.control.spaces[space] || ""),
      (here[space] || []).map(piece => piece.line).join("; ")])];
  }

  /** VP and L at the end of each player turn. @returns {[string[], (string | Element)[][]]} */
  totals() {
    const { totals, layout: { seats } } = this.said.data, each = seats.flatMap(seat => ["L", "VP"].map(what => [seat, what]));
    return [[...this.heads(["head_turn", "head_round", "head_entry"]), ...each.map(([seat, what]) => `${this.said.name("seat", seat)} ${what}`)],
      totals.map(row => [String(row.turn), String(row.round), this.link(row.entry), ...each.map(([seat, what]) => String(row.seats[seat][what]))])];
  }

  /** @returns {[string[], (string | Element)[][]]} */
  dice() {
    const seats = this.course.states[this.course.last].turn_order, places = this.said.data.layout.places;
    const rows = this.course.entries.flatMap(entry => entry.dice.map(([name, value, needed, enough]) => {
      const parts = name.split(","), seat = parts.filter(part => seats.includes(part)).pop() || "";
      const space = parts.find(part => part in places) || "";
      return [this.link(entry.number), this.said.die(name), seat ? this.said.seat(seat) : "", space ? this.said.space(space) : "",
        needed ? `${needed}` : "", String(value), enough === null ? "" : this.said.ui(enough ? "enough" : "not_enough")];
    }));
    return [this.heads(["head_entry", "head_die", "head_seat", "head_place", "head_needed", "head_rolled", "head_result"]), rows];
  }

  /** @returns {[string[], (string | Element)[][]]} */
  windows() {
    const rows = [], open = {};
    for (const entry of this.course.entries) {
      const { window: one, number } = entry;
      if (one.id && "due" in one) {
        open[one.id] = { ...one, asked: number };
        rows.push(open[one.id]);
      } else if (one.id) {
        if (!open[one.id]) rows.push(open[one.id] = { ...one, asked: 0, due: "" });
        Object.assign(open[one.id], { closed: number, how: one.how, silent: one.silent });
      } else if (entry.kind === "by") {
        for (const row of rows) if (!row.closed && !row.sealed && entry.seats.includes(row.sides[0])) row.closed = number;
      }
    }
    const names = seats => seats.map(seat => this.said.name("seat", seat)).join(", ");
    return [this.heads(["head_window", "head_asked", "head_seat", "head_due", "head_closed", "head_how"]), rows.map(row => [
      this.said.name("window", row.kind), row.asked ? this.link(row.asked) : "", names(row.sides), this.said.date(row.due),
      row.closed ? this.link(row.closed) : this.said.ui("still_open"),
      [row.how ? this.said.ui(`how_${row.how}`) : "", row.silent && row.silent.length ? this.said.ui("silent", { seats: names(row.silent) }) : ""]
        .filter(Boolean).join("; ")])];
  }
}
