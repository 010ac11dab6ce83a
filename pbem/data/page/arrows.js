// What happened, on the map: marches as arrows along their paths, fights, sieges, changes of control, each with a number.

const OFF = 23;                                             // from where an arrow points to
const STAR = "M0-11L3-4 10-6 6 0 11 5 4 5 2 11-2 5-9 8-6 2-11-2-5-4z";
const DASH = { tried: "4 5", sailed: "14 3", retreated: "9 4", withdrew: "9 4", evaded: "9 4" };

class Arrows {
  /** @param {Board} board @param {Room} room */
  constructor(board, room) {
    this.board = board;
    this.room = room;
    /** Where the number of a change would like to stand. @type {Record<number, Point[]>} */
    this.wanted = {};
  }

  /** The march along the paths of the board, a little beside them. */
  *legs(way, aside, atSea) {
    const { board } = this, paths = /** @type {Chart} */ (board.chart).board.paths;
    for (let place = 1; place < way.length; place++) {
      const [a, b] = [way[place - 1], way[place]];
      if (!board.layout.places[a] || !board.layout.places[b]) continue;
      const found = paths.find(([one, other, kind]) => (kind === "sea" || kind === "trans") === atSea
        && (one === a && other === b || one === b && other === a));
      let [start, over, end] = found ? board.curve(found[0], found[1], found[2])
        : [board.at(a), [(board.at(a)[0] + board.at(b)[0]) / 2, (board.at(a)[1] + board.at(b)[1]) / 2], board.at(b)];
      if (found && found[0] !== a) [start, end] = [end, start];
      const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
      const across = [-(end[1] - start[1]) / length * aside, (end[0] - start[0]) / length * aside];
      yield [start, [over[0] + 2 * across[0], over[1] + 2 * across[1]], end];
    }
  }

  shaft(one, aside) {
    const found = [...this.legs(one.path, aside, one.how === "sailed")];
    return found.map(([a, c, b], place) => {
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      return cut(a, c, b, place ? 0 : Math.min(0.3, 13 / length), place === found.length - 1 ? 1 - Math.min(0.4, OFF / length) : 1);
    });
  }

  arrow(one) {
    if (one.what !== "move") return null;
    const first = [4, -4, 9, -9][one.number % 4], { look } = this.board;
    const ways = [first, -first, 16, -16].map(aside => this.shaft(one, aside));
    if (!ways[0].length) return null;
    let way = ways[0], head = null;
    search: for (const other of ways) for (const corners of heads(other)) if (this.room.isFree(around(corners))) {
      [way, head] = [other, corners];
      break search;
    }
    const d = `M${way[0][0].map(round).join(" ")}` + way.map(([, c, b]) => `Q${[...c, ...b].map(round).join(" ")}`).join("");
    const edge = one.seat === "black" || look.patterned ? PAPER : INKED, ink = look.line(one.seat);
    const drawn = [
      path(d, { stroke: edge, "stroke-width": 6.4, "stroke-linejoin": "round", "stroke-opacity": 0.85 }),
      path(d, { stroke: ink, "stroke-width": 4, "stroke-linejoin": "round", "stroke-dasharray": DASH[one.how] }),
    ];
    if (head) {
      this.room.take(around(head));
      drawn.push(path(`M${head.map(point => point.map(round).join(" ")).join("L")}z`,
        { fill: one.how === "tried" ? PAPER : ink, stroke: edge === PAPER ? INKED : edge, "stroke-width": 1.3 }));
    }
    this.wanted[one.number] = way.flatMap(([a, c, b]) => [0.5, 0.3, 0.7].map(t => /** @type {Point} */ (cut(a, c, b, 0, t)[2])));
    return svg("g", { "data-change": one.number }, ...drawn);
  }

  /** Stars for fights, rings for sieges and for what changed hands. */
  signs(one) {
    if (!["fight", "siege", "fell", "control", "dropped"].includes(one.what)) return [];
    const { board } = this, drawn = [];
    for (const space of spacesOf(one)) {
      if (!board.layout.places[space]) continue;
      const [x, y] = board.at(space), r = RADIUS[/** @type {Chart} */ (board.chart).board.spaces[space].kind] + 5;
      (this.wanted[one.number] = this.wanted[one.number] || []).push([x, y]);
      const facts = { "data-change": one.number, cx: x, cy: y, r, fill: "none" };
      if (one.what === "fight") drawn.push(path(STAR, { fill: "#ffe14d", stroke: "#9c1458", "stroke-width": 1.4,
        transform: `translate(${x} ${y}) scale(${round((r + 7) / 10)})`, "data-change": one.number }));
      else if (one.what === "control") drawn.push(svg("circle", { ...facts, stroke: board.look.line(one.seat || "independent"), "stroke-width": 3 }));
      else if (one.what !== "dropped") drawn.push(svg("circle", { ...facts, stroke: "#9c1458", "stroke-width": 2.4, "stroke-dasharray": "4 3" }));
    }
    return drawn;
  }

  /** Each number once, where it covers nothing, with CUs that went or stayed; what has no room is in the list. */
  number(one) {
    const spots = this.wanted[one.number] || [], flag = carries(one);
    for (const carried of flag ? [flag, ""] : [""]) {
      const high = one.number < 100 ? 18 : 22, width = high + (carried ? wide(carried, 11) + 5 : 0);
      const boxes = [...(one.what === "move" ? spots.map(([x, y]) => centred(x, y, width, high)) : []),
        ...spots.flatMap(([x, y]) => [...beside(x, y, width, high, 10, 5, 7)])];
      const box = settled(this.room, boxes);
      if (box) return badge(one, box, carried, this.board);
    }
    return null;
  }
}

/** What is shown beside the number: CUs that went or stayed, the dice of a fight, Siege Points gained. */
function carries(one) {
  if (one.what === "siege") return one.points ? `+${one.points}` : "";
  if (one.what !== "fight") return one.cus ? String(one.cus) : "";
  const rolled = (one.dice || []).map(dice => dice.join(" "));
  return rolled.every(Boolean) ? rolled.join(" / ") : "";
}

const spacesOf = one => one.spaces || one.path || (one.space ? [one.space] : []);

/** The part of a bent line between two of its moments. */
function cut(a, c, b, start, end) {
  const at = (p, q, t) => [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
  const point = t => at(at(a, c, t), at(c, b, t), t);
  return [point(start), at(at(a, c, start), at(c, b, start), end), point(end)];
}

/** Where the head may sit: at the end, or where something stands there, back along the way. */
function* heads(way) {
  for (const [a, c, b] of [...way].reverse()) for (let step = 0; step < 10; step++) {
    const [, over, end] = cut(a, c, b, 0, 1 - step / 10), size = Math.hypot(end[0] - over[0], end[1] - over[1]) || 1;
    const dx = (end[0] - over[0]) / size, dy = (end[1] - over[1]) / size, x = end[0] - dx * 3, y = end[1] - dy * 3;
    yield [[end[0] + dx * 9, end[1] + dy * 9], [x - dy * 7, y + dx * 7], [x + dy * 7, y - dx * 7]];
  }
}

/** @returns {Box} */
function around(corners) {
  const xs = corners.map(one => one[0]), ys = corners.map(one => one[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The number in a circle; CUs in the colour of whose they are. */
function badge(one, box, cus, board) {
  const r = (box[3] - box[1]) / 2 - 1, x = box[0] + r + 1, y = (box[1] + box[3]) / 2, seat = one.seat || "";
  return svg("g", { "data-number": one.number },
    cus ? rect(x, y - 7, box[2] - x - 0.5, 14, board.look.body(seat), { rx: 3, stroke: INKED }) : null,
    cus ? label((x + r + box[2]) / 2, y, cus, 11, { "font-weight": 700, "text-anchor": "middle", fill: board.look.ink(seat) }) : null,
    svg("circle", { cx: x, cy: y, r, fill: PAPER, stroke: "#9c1458", "stroke-width": 1.6 }),
    label(x, y, String(one.number), 11, { "font-weight": 700, "text-anchor": "middle", fill: "#9c1458" }));
}
