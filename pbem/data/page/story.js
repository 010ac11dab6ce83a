// What happened, in sentences: each points at the map, and each place of the map at its sentences.

class Story {
  /** @param {Course} course @param {Said} said @param {Walk} walk @param {(number: number) => void} go */
  constructor(course, said, walk, go) {
    this.course = course;
    this.said = said;
    this.walk = walk;
    this.go = go;
    this.turn = /** @type {HTMLSelectElement} */ (document.getElementById("turn"));
    this.list = /** @type {HTMLElement} */ (document.getElementById("entries"));
    this.here = /** @type {HTMLElement} */ (document.getElementById("here"));
    this.shownTurn = -1;
    this.many = 0;
    this.space = "";
    this.turn.addEventListener("change", () => go(this.course.turns[Number(this.turn.value)]));
  }

  /** Everything anew: the language has changed. */
  rename() {
    this.turn.replaceChildren(...this.course.turns.map((first, place) => {
      const heading = this.course.entries[first - 1].lines.find(line => line.what === HEADING);
      return html("option", { value: place }, heading ? this.said.line(heading) : this.said.ui("beginning"));
    }));
    this.shownTurn = -1;
    if (this.space) this.place(this.space);
  }

  /** The player turn of an entry, with that entry marked. @param {number} number */
  show(number) {
    const { place, first, end } = this.course.turn(number);
    if (place !== this.shownTurn) {
      this.turn.value = String(place);
      this.list.replaceChildren(...this.course.entries.slice(first - 1, end - 1).map(one => this.entry(one)));
      this.shownTurn = place;
    }
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.list.querySelector(`[data-entry="${number}"]`);
    row?.setAttribute("aria-current", "step");
    if (row && this.list.scrollHeight > this.list.clientHeight)
      this.list.scrollTop = /** @type {HTMLElement} */ (row).offsetTop - this.list.offsetTop - this.list.clientHeight / 3;
  }

  /** @param {Entry} one */
  entry(one) {
    const row = html("li", { "data-entry": one.number, class: one.undone ? "undone" : null },
      this.button(String(one.number), one.number, "number", this.said.ui("entry", { n: one.number })));
    if (one.undone) row.append(html("strong", { class: "mark" }, this.said.ui("undone", { n: one.undone })), " ");
    if (one.says) row.append(html("code", {}, one.says), " ");
    for (const line of one.lines) row.append(this.sentence(line, one.number), " ");
    if (!one.says && !one.lines.length) row.append(html("span", { class: "quiet" }, this.said.name("entry", one.kind)));
    return row;
  }

  /** @param {Line} line @param {number} number */
  sentence(line, number) {
    const said = this.said.line(line);
    if (line.what === HEADING || line.what === SEGMENT) return html("strong", { class: line.what === HEADING ? "turn" : null }, said);
    const made = line.places.length || line.shown.length ? this.button(said, number, "sentence") : html("span", {}, said);
    if (line.what === PRIVATE) made.classList.add("private");
    if (line.what === ASKED) made.classList.add("asked");
    for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => this.walk.mark(line.places));
    for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => this.walk.mark([]));
    return made;
  }

  /** @param {string} said @param {number} number @param {string} kind @param {string | null} [name] */
  button(said, number, kind, name = null) {
    const made = html("button", { type: "button", class: kind, "aria-label": name }, said);
    made.addEventListener("click", () => this.go(number));
    return made;
  }

  /** Who holds a place, what stands there, and what was told of it. @param {string} space */
  place(space, more = false) {
    this.many = more ? this.many + 24 : 8;
    this.space = space;
    const chart = /** @type {Chart} */ (this.walk.board.chart), here = this.walk.board.pieces.bySpace(chart)[space];
    const found = this.course.of(space), rest = found.length - this.many;
    const rows = found.slice(0, this.many).map(({ number, line }) =>
      html("li", {}, this.button(String(number), number, "number", this.said.ui("entry", { n: number })), this.sentence(line, number)));
    this.here.replaceChildren(
      html("h3", {}, this.said.space(space)),
      html("p", {}, this.said.place(space, chart, here) + "."),
      html("ul", {}, ...rows),
    );
    if (rest > 0) {
      const button = html("button", { type: "button" }, this.said.ui("more", { n: rest }));
      button.addEventListener("click", () => this.place(space, true));
      this.here.append(button);
    }
    this.here.hidden = false;
  }
}
