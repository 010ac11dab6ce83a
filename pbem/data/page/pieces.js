// The pieces as they are drawn: how large each is, and how it is painted once it has found its place.

const STRIP = 14;
const CROWN = "M0 8V2l2.5 3L5 0l2.5 5L10 2v6z";
const WHEEL = "M5 0a5 5 0 1 1 0 10a5 5 0 1 1 0-10M5 0v10M0 5h10M1.5 1.5l7 7M8.5 1.5l-7 7";
const STONE = "M1 10V5a4 4 0 0 1 8 0v5z";
const SHIP = "M0 6h12l-2 4H2zM5.5 6V0l4.5 4.5z";
const TOWER = "M1 11V2h2v2h2V2h2v2h2V2h2v9z";
const RAM = "M0 4h9l3 2-3 2H0z";

class Pieces {
  /** @param {Look} look @param {Said} said */
  constructor(look, said) {
    this.look = look;
    this.said = said;
  }

  /** What stands beside each space, the most important first. @param {Chart} chart @returns {Record<string, Row[]>} */
  bySpace(chart) {
    /** @type {Record<string, Row[]>} */
    const found = {};
    const add = (space, piece) => { (found[space] = found[space] || []).push(piece); };
    const rank = seat => (chart.turn_order.indexOf(seat) + 9) % 9;
    for (const row of chart.sieges) add(row.space, this.siege(row));
    for (const mark of chart.marks) if (mark.what === "helepolis") add(mark.facts.space,
      this.tag(mark.facts.seat, TOWER, false, this.said.ui("helepolis"), INKED, this.said.ui("helepolis")));
    for (const row of [...chart.armies].sort((a, b) => rank(a.seat) - rank(b.seat))) add(row.space, this.army(row));
    for (const row of chart.royals) add(row.space, this.royal(row));
    for (const row of chart.fleets) if (row.seat && !row.dispersed) add(home(row, chart), this.fleet(row));
    return found;
  }

  /** A stack: whose, its total and commander, its kinds; walls around it inside a city, waves below it at sea. @param {Row} one */
  army(one) {
    const { look, said } = this, seat = one.seat, letter = said.letter(seat);
    const kinds = said.kinds(one.cus), names = one.generals.map(general => said.name("general", general));
    const lead = names.length ? names[0] + (names.length > 1 ? ` +${names.length - 1}` : "") : "";
    /** @type {[string, number, boolean][]} */
    const rows = lead ? (one.total ? [[`${one.total} ${lead}`, 12.5, true], [kinds, 11.5, false]] : [[lead, 12.5, true]])
      : [[Object.keys(one.cus).length === 1 ? kinds : `${one.total}: ${kinds}`, 12.5, true]];
    const frame = one.part === "inside" ? 3 : 0.5, wave = one.part === "sea" ? 4 : 0;
    const inner = STRIP + 3 + Math.max(...rows.map(([text, size, bold]) => wide(text, size, bold))) + 4;
    const high = 16 + 13 * (rows.length - 1);
    const paint = ([left, top]) => {
      const x = left + frame, y = top + frame;
      return [
        one.part === "inside" ? rect(x - 1.2, y - 1.2, inner + 2.4, high + 2.4, "none", { stroke: INKED, "stroke-width": 3.4,
          "stroke-dasharray": "5 2" }) : null,
        rect(x, y, inner, high, look.body(seat), { rx: one.total ? 2 : 8, stroke: one.part === "inside" && one.total ? PAPER : INKED }),
        rect(x + 2, y + 2, STRIP - 2, high - 4, look.patterned ? look.fill(seat) : PAPER, { rx: one.total ? 2 : 6 }),
        label(x + STRIP / 2 + 1, y + high / 2, letter, 11.5, { "font-weight": 700, "text-anchor": "middle", ...HALOED }),
        ...rows.map(([text, size, bold], row) => label(x + STRIP + 3, y + 8 + 13 * row, text, size,
          { "font-weight": bold ? 700 : null, fill: look.ink(seat) })),
        wave ? path(`M${x} ${y + high + 3}q3-4 6 0${"t6 0".repeat(Math.max(0, Math.floor(inner / 6 - 1)))}`,
          { stroke: "#1f4fa8", "stroke-width": 1.6 }) : null,
      ];
    };
    return { seat, width: inner + 2 * frame, height: high + 2 * frame + wave, line: said.army(one), paint, generals: one.generals };
  }

  /** A small white label with a sign: the Royal Family, Fleets, Sieges. */
  tag(seat, sign, hollow, text, ink, line) {
    const { look } = this, letter = seat ? this.said.letter(seat) : "", lead = letter ? STRIP : 2;
    const width = lead + 15 + wide(text, 12) + 4;
    const paint = ([left, top]) => {
      const x = left + 0.5, y = top + 0.5;
      return [
        rect(x, y, width, 16, PAPER, { rx: 3, stroke: ink, "stroke-width": 1.3 }),
        letter ? rect(x + 1.5, y + 1.5, STRIP - 2, 13, look.fill(seat), { rx: 2 }) : null,
        letter ? label(x + STRIP / 2 + 0.5, y + 8, letter, 11, { "font-weight": 700, "text-anchor": "middle", fill: look.ink(seat),
          ...(look.patterned ? HALOED : {}) }) : null,
        path(sign, { fill: hollow ? "none" : ink, stroke: hollow ? ink : null, transform: `translate(${x + lead + 1.5} ${y + 3})` }),
        label(x + lead + 15, y + 8, text, 12, { "font-weight": 700, fill: ink }),
      ];
    };
    return { seat, width: width + 1, height: 17, line: letter ? `${this.said.seat(seat)}: ${line}` : line, paint };
  }

  royal(one) {
    const name = this.said.name("royal", one.royal);
    const [sign, hollow] = one.royal === "cart" ? [WHEEL, true] : one.royal === "tomb" ? [STONE, false] : [CROWN, false];
    return this.tag(one.seat, sign, hollow, name, "#5b1a7a", name);
  }

  siege(one) {
    const said = `${one.points}/${one.needed}`;
    return this.tag(one.points_of || one.by[0] || "", RAM, false, said, INKED, this.said.siege(one));
  }

  fleet(one) {
    const said = `${one.strength}${one.upgraded ? "+" : ""}`;
    return this.tag(one.seat, SHIP, false, said, "#174a80", `${this.said.name("fleet", one.fleet)} ${said}`);
  }
}

const HALOED = { stroke: "#fff", "stroke-width": 2.6, "paint-order": "stroke" };

/** Beside which space a Fleet is drawn: its Major City, or the first port of its Province. @param {Row} fleet @param {Chart} chart */
function home(fleet, chart) {
  const { spaces } = chart.board;
  if (fleet.place in spaces) return fleet.place;
  const own = Object.keys(spaces).filter(space => spaces[space].province === fleet.place);
  const ports = own.filter(space => spaces[space].port);
  return ports.find(space => spaces[space].kind === "major") || ports[0] || own[0];
}
