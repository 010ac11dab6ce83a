// Every place of the map by name, for the keyboard, for touch and for a screen reader: arrows walk along the paths.

class Walk {
  /** @param {Board} board @param {Said} said @param {(space: string) => void} chosen */
  constructor(board, said, chosen) {
    this.board = board;
    this.said = said;
    this.chosen = chosen;
    this.layer = svg("g", { "data-layer": "places", role: "group" });
    board.picture.append(this.layer);
    board.picture.setAttribute("role", "group");
    board.picture.querySelectorAll(":scope > :not([data-layer=places])").forEach(one => one.setAttribute("aria-hidden", "true"));
    /** @type {Record<string, SVGElement>} */
    this.places = {};
    const spaces = Object.entries(board.layout.places);
    for (const [space, { at: [x, y] }] of spaces) {
      const near = Math.min(...spaces.map(([other, { at }]) => other === space ? 99 : Math.hypot(at[0] - x, at[1] - y)));
      const place = svg("g", { role: "button", tabindex: -1, "data-space": space, class: "place" },
        svg("circle", { cx: x, cy: y, r: Math.max(12, Math.min(24, near / 2)), class: "target" }),
        svg("circle", { cx: x, cy: y, r: 17, class: "ring" }));
      this.places[space] = place;
      this.layer.append(place);
    }
    this.focused = spaces[0][0];
    this.places[this.focused].setAttribute("tabindex", "0");
    this.layer.addEventListener("click", event => this.touched(event.target));
    this.layer.addEventListener("focusin", event => this.roved(event.target));
    this.layer.addEventListener("keydown", event => this.typed(/** @type {KeyboardEvent} */ (event)));
    board.layer("pieces").addEventListener("click", event => this.touched(event.target));
    document.getElementById("here")?.addEventListener("keydown", event => { if (event.key === "Escape") this.go(this.focused); });
  }

  /** All names anew, for the position that is drawn. */
  name() {
    const chart = /** @type {Chart} */ (this.board.chart), here = this.board.pieces.bySpace(chart);
    this.layer.setAttribute("aria-label", this.said.ui("places"));
    for (const [space, place] of Object.entries(this.places)) {
      place.toggleAttribute("hidden", !(space in chart.board.spaces));
      if (space in chart.board.spaces) place.setAttribute("aria-label", this.said.place(space, chart, here[space]));
    }
  }

  touched(target) {
    const found = /** @type {Element} */ (target).closest("[data-space]");
    if (!found) return;
    const space = found.getAttribute("data-space") || "", general = found.getAttribute("data-general");
    this.places[space].focus({ preventScroll: true });
    this.chosen(space);
    if (general) document.dispatchEvent(new CustomEvent("pbem:general", { detail: { general, space } }));
  }

  roved(target) {
    const space = /** @type {Element} */ (target).getAttribute("data-space");
    if (!space) return;
    this.places[this.focused].setAttribute("tabindex", "-1");
    this.places[space].setAttribute("tabindex", "0");
    this.focused = space;
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    const turn = { ArrowRight: 0, ArrowDown: 90, ArrowLeft: 180, ArrowUp: 270 }[event.key];
    let next = "";
    if (turn !== undefined) next = this.along(turn);
    else if (event.key === "Enter" || event.key === " ") {
      this.touched(event.target);
      document.getElementById("here")?.focus();             // so that it is read; Escape leads back
    }
    else if (event.key === "Home") next = Object.keys(this.places)[0];
    else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) next = this.army(event.key);
    else return;
    event.preventDefault();
    if (next) this.go(next);
  }

  /** @param {string} space */
  go(space) { this.places[space].focus(); }

  /** The neighbour that lies best in this direction. @param {number} turn degrees */
  along(turn) {
    const { paths } = /** @type {Chart} */ (this.board.chart).board, [x, y] = this.board.at(this.focused);
    let best = "", least = 75;
    for (const [a, b] of paths) {
      const other = a === this.focused ? b : b === this.focused ? a : "";
      if (!other || !this.places[other]) continue;
      const [u, v] = this.board.at(other), angle = Math.atan2(v - y, u - x) * 180 / Math.PI;
      const off = Math.abs(((angle - turn + 540) % 360) - 180);
      if (off < least) [best, least] = [other, off];
    }
    return best;
  }

  /** The next place with an army of the seat of this letter. @param {string} key */
  army(key) {
    const order = Object.keys(this.places), chart = /** @type {Chart} */ (this.board.chart);
    const own = order.filter(space => chart.armies.some(one => one.space === space
      && this.said.letter(one.seat).toLowerCase() === key.toLowerCase()));
    return own.find(space => order.indexOf(space) > order.indexOf(this.focused)) || own[0] || "";
  }

  /** Rings around some places, for as long as somebody points at their sentence. @param {string[]} spaces */
  mark(spaces) {
    for (const [space, place] of Object.entries(this.places)) place.classList.toggle("marked", spaces.includes(space));
  }
}
