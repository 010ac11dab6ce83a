// The board: any position that the page or an engine hands over becomes the picture. What lies below the pieces was drawn before.

const RADIUS = { major: 10.5, minor: 8, stronghold: 9, transit: 4 };
const MOST = 4;                                             // pieces that stand beside a space; more are a bundle

class Board {
  /** @param {SVGSVGElement} picture @param {Data} data @param {Look} look @param {Said} said */
  constructor(picture, data, look, said) {
    this.picture = picture;
    this.layout = data.layout;
    this.look = look;
    this.said = said;
    this.pieces = new Pieces(look, said);
    this.layer = name => /** @type {SVGGElement} */ (picture.querySelector(`[data-layer="${name}"]`));
    picture.prepend(look.patterns([...data.layout.seats, "independent"]));
    for (const pill of this.layer("worth").querySelectorAll("[data-vp]")) this.centre(/** @type {SVGRectElement} */ (pill));
    /** Pieces that found no room beside their space: its number, the space, what stands there. @type {Row[]} */
    this.bundles = [];
  }

  at(space) { return this.layout.places[space].at; }

  /** A path from end to end over its control point. @returns {[Point, Point, Point]} */
  curve(a, b, kind) {
    const { bends } = this.layout, bend = bends[`${a} ${b} ${kind}`] ?? -(bends[`${b} ${a} ${kind}`] ?? 0);
    const [x1, y1] = this.at(a), [x2, y2] = this.at(b);
    return [[x1, y1], [(x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend], [x2, y2]];
  }

  /** @param {Chart} chart @param {Row[]} shown what happened, as `Course.shown` numbers it */
  draw(chart, shown) {
    this.chart = chart;
    const [width, height] = this.layout.size, room = new Room(width, height);
    for (const [space, fact] of Object.entries(chart.board.spaces)) {
      if (!this.layout.places[space]) continue;
      const [x, y] = this.at(space), r = RADIUS[fact.kind];
      room.take([x - r, y - r, x + r, y + r]);
    }
    for (const name of /** @type {NodeListOf<SVGTextElement>} */ (this.layer("names").querySelectorAll("g:not([fill]) > text"))) {
      const { x, y, width: w, height: h } = name.getBBox();
      room.take([x, y, x + w, y + h]);
    }
    this.provinces(chart, room);
    const groups = this.pieces.bySpace(chart);
    for (const space of Object.keys(groups)) if (!this.layout.places[space]) delete groups[space];
    const kept = Object.fromEntries(Object.keys(groups).map(space => [space, room.take(this.slot(space))]));
    const arrows = new Arrows(this, room);
    this.layer("arrows").replaceChildren(...shown.map(one => arrows.arrow(one)).filter(one => one !== null));
    this.layer("signs").replaceChildren(...shown.flatMap(one => arrows.signs(one)));
    const leaders = this.settle(groups, kept, room);
    this.towns(chart, leaders);
    this.layer("numbers").replaceChildren(...shown.map(one => arrows.number(one)).filter(one => one !== null));
  }

  slot(space) {
    const [x, y] = this.layout.places[space].bundle;
    return centred(x, y, 30, 17);
  }

  /** Where name and worth of a Province have their middle, in any language. @param {SVGRectElement} pill */
  centre(pill) {
    const name = this.layer("names").querySelector(`[fill] > [data-name="${pill.getAttribute("data-vp")}"]`);
    const right = pill.x.baseVal.value + pill.width.baseVal.value;
    pill.setAttribute("data-centre", String((Number(name?.getAttribute("x")) + right) / 2));
  }

  provinces(chart, room) {
    for (const shape of this.picture.querySelectorAll('[data-mark^="province "]')) {
      const seat = chart.control.provinces[(shape.getAttribute("data-mark") || "").split(" ")[1]] || "";
      shape.setAttribute("fill", this.look.province(seat));
      shape.setAttribute("stroke", seat ? this.look.edge(seat) : "#a8946c");
      shape.setAttribute("stroke-width", seat ? "3" : "1.2");
    }
    for (const pill of /** @type {NodeListOf<SVGRectElement>} */ (this.layer("worth").querySelectorAll("[data-vp]"))) {
      const province = pill.getAttribute("data-vp") || "", seat = chart.control.provinces[province] || "";
      const points = [seat ? this.said.letter(seat) : "", (chart.board.provinces[province] || {}).vp].join(" ").trim();
      const text = /** @type {SVGTextElement} */ (pill.nextElementSibling), w = wide(points, 12) + 8;
      const name = /** @type {SVGTextElement} */ (this.layer("names").querySelector(`[fill] > [data-name="${province}"]`));
      const named = this.said.label(province, "province")[1], left = Number(pill.getAttribute("data-centre")) - (named + 3 + w) / 2;
      for (const [one, facts] of [[name, { x: left }], [pill, { x: left + named + 3, width: w, fill: this.look.body(seat) }],
        [text, { x: left + named + 3 + w / 2, fill: this.look.ink(seat) }]])
        for (const [key, value] of Object.entries(facts)) /** @type {Element} */ (one).setAttribute(key, value);
      text.textContent = points;
      text.removeAttribute("textLength");
      room.take([left, pill.y.baseVal.value, left + named + 3 + w, pill.y.baseVal.value + 16]);
    }
  }

  towns(chart, leaders) {
    const capitals = Object.fromEntries(chart.marks.filter(one => one.what === "capitals").map(one => [one.facts.space, 1]));
    const drawn = [];
    let waves = "";
    for (const [space, fact] of Object.entries(chart.board.spaces)) {
      if (!this.layout.places[space]) continue;
      const [x, y] = this.at(space), seat = chart.control.spaces[space] || "";
      if (fact.port) waves += `M${x - 4} ${y + RADIUS[fact.kind] + 2}q2 3 4 0q2 3 4 0`;
      drawn.push(symbol(fact.kind, x, y, fact.kind === "transit" ? "#d9cba8" : this.look.fill(seat)));
      if (space in capitals) drawn.push(rect(x - 12.5, y - 12.5, 25, 25, "none", { stroke: INKED, "stroke-width": 1.2 }));
      if (seat) drawn.push(label(x, y, this.said.letter(seat), 11, { "font-weight": 700, "text-anchor": "middle",
        fill: this.look.ink(seat), ...(this.look.patterned ? HALOED : {}) }));
    }
    this.layer("towns").replaceChildren(path(waves, { stroke: "#2c6c94", "stroke-width": 1.6 }), ...leaders, ...drawn);
  }

  /** Every piece beside its space, or in a bundle: gives the lines that lead to them. */
  settle(groups, kept, room) {
    const order = Object.keys(this.layout.places), placed = [], leaders = [];
    this.bundles = [];
    for (const space of Object.keys(groups).sort((a, b) => groups[a].length - groups[b].length || order.indexOf(a) - order.indexOf(b))) {
      room.leave(kept[space]);
      const boxes = groups[space].length <= MOST ? this.boxes(groups[space], space, room) : null;
      if (!boxes) {
        room.take(kept[space]);
        this.bundles.push({ space, group: groups[space] });
        continue;
      }
      const [x, y] = this.at(space);
      groups[space].forEach((piece, place) => {
        const box = boxes[place];
        placed.push(svg("g", { "data-space": space, "data-general": (piece.generals || [])[0] },
          svg("title", {}, piece.line), ...piece.paint(box)));
        leaders.push(path(`M${x} ${y}L${Math.min(Math.max(x, box[0]), box[2])} ${Math.min(Math.max(y, box[1]), box[3])}`,
          { stroke: piece.seat ? this.look.line(piece.seat) : INKED, "stroke-width": 1.6 }));
      });
    }
    this.bundles.sort((a, b) => order.indexOf(a.space) - order.indexOf(b.space));
    this.bundles.forEach((one, place) => placed.push(this.bundle(place + 1, kept[one.space], one)));
    this.layer("pieces").replaceChildren(...placed);
    return leaders;
  }

  boxes(group, space, room) {
    const [x, y] = this.at(space), kind = /** @type {Chart} */ (this.chart).board.spaces[space].kind, found = [];
    for (const piece of group) {
      const box = settled(room, beside(x, y, piece.width, piece.height, RADIUS[kind] + 3));
      if (!box) {
        found.forEach(one => room.leave(one));
        return null;
      }
      found.push(box);
    }
    return found;
  }

  bundle(number, [x, y], one) {
    return svg("g", { "data-space": one.space }, svg("title", {}, one.group.map(piece => piece.line).join("; ")),
      rect(x + 3, y + 0.5, 26, 14, "#fff", { rx: 2, stroke: INKED }), rect(x + 1, y + 2.5, 26, 14, INKED, { rx: 2 }),
      label(x + 14, y + 9.5, String(number), 12.5, { "font-weight": 700, "text-anchor": "middle", fill: "#fff" }));
  }

  /** Names in the language of the reader, as wide as they were measured. */
  rename() {
    for (const name of this.layer("names").querySelectorAll("[data-name]")) {
      const kind = name.parentElement?.hasAttribute("fill") ? "province" : "space";
      const [said, width] = this.said.label(name.getAttribute("data-name") || "", kind);
      name.textContent = said;
      if (width) name.setAttribute("textLength", String(width)); else name.removeAttribute("textLength");
    }
    for (const sea of this.picture.querySelectorAll("[data-sea]")) {
      sea.textContent = this.said.name("sea", sea.getAttribute("data-sea") || "");
      sea.removeAttribute("textLength");
    }
  }
}

/** Square, hexagon, circle, dot: as the kinds of spaces are. */
function symbol(kind, x, y, fill) {
  const r = RADIUS[kind], line = { fill, stroke: INKED, "stroke-width": kind === "major" ? 2 : 1.5 };
  if (kind === "major") return svg("rect", { x: x - r + 1, y: y - r + 1, width: 2 * r - 2, height: 2 * r - 2, ...line });
  if (kind === "stronghold") return svg("polygon", { ...line,
    points: [0, 1, 2, 3, 4, 5].map(k => `${round(x + r * Math.cos(Math.PI / 3 * k))},${round(y + r * Math.sin(Math.PI / 3 * k))}`).join(" ") });
  return svg("circle", { cx: x, cy: y, r: r - (kind === "transit" ? 0 : 0.5), ...line });
}
