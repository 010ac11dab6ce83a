// What the page says of a position by itself, in the reader's language: names, armies, a place with all that stands there.

class Said {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.language = data.language;
    this.words = data.words[data.language];
  }

  /** @param {string} language */
  use(language) {
    this.language = language;
    this.words = this.data.words[language];
  }

  /** A word of the page, with facts put in. @param {string} key @param {Row} [facts] */
  ui(key, facts = {}) {
    const said = this.words.ui[key];
    if (said === undefined) throw new Error(`no word ${key}`);
    return said.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));
  }

  /** A sentence of the log. @param {Line} line */
  line(line) { return this.data.texts[this.words.place][line.text]; }

  letter(seat) { return this.words.letter[seat]; }

  seat(seat) { return seat ? this.words.seat[seat] || seat : this.ui("nobody"); }

  /** @param {string} kind @param {string} id */
  name(kind, id) { return (this.words[kind] || {})[id] || id.replace(/_/g, " "); }

  /** The name of a space or a Province on the map, and how wide it is there. @returns {[string, number]} */
  label(id, kind = "space") { return this.words.label[kind][id] || [id, 0]; }

  space(id) { return this.label(id)[0]; }

  /** `4L 3m`. */
  kinds(cus) {
    return Object.keys(this.words.cu).filter(kind => cus[kind]).map(kind => `${cus[kind]}${this.words.cu[kind]}`).join(" ");
  }

  /** A stack in full. @param {Row} one */
  army(one) {
    const cus = Object.keys(this.words.unit).filter(kind => one.cus[kind]).map(kind => `${one.cus[kind]} ${this.words.unit[kind]}`);
    const parts = [this.seat(one.seat), ...one.generals.map(general => this.name("general", general)),
      ...(one.total ? [`${this.ui("cus", { n: one.total })} (${cus.join(", ")})`] : [])];
    const where = one.part === "inside" ? this.ui("inside") : one.part === "sea" ? this.ui("at_sea") : "";
    return parts.join(", ") + (where ? `, ${where}` : "");
  }

  /** @param {Row} one */
  siege(one) {
    const facts = { points: one.points, needed: one.needed, by: one.by.map(seat => this.seat(seat)).join(", ") };
    return this.ui(one.by.length ? "besieged" : "siege_waits", facts);
  }

  /** Who holds a place, what stands there, where its ways lead. @param {string} space @param {Chart} chart */
  place(space, chart, here) {
    const fact = chart.board.spaces[space], kind = this.words.kind[fact.kind];
    const ways = chart.board.paths.filter(([a, b]) => a === space || b === space)
      .map(([a, b, way]) => `${this.space(a === space ? b : a)} (${this.words.path[way]})`);
    return [
      `${this.space(space)}: ${kind}${fact.port ? `, ${this.ui("port")}` : ""}`,
      fact.kind === "transit" ? "" : this.ui("held_by", { seat: this.seat(chart.control.spaces[space] || "") }),
      ...(here || []).map(piece => piece.line),
      ways.length ? this.ui("ways", { ways: ways.join(", ") }) : "",
    ].filter(Boolean).join(". ");
  }

  /** Where the game stood. @param {Chart} chart */
  moment(chart) {
    if (chart.over && Object.keys(chart.over).length) return this.ui("over");
    const turn = this.ui("turn", { turn: ["0", "I", "II", "III", "IV", "V", "VI"][chart.turn] });
    if (chart.phase !== "strategy") return `${turn}, ${this.words.phase[chart.phase] || chart.phase}`;
    return `${turn}, ${this.ui("round", { n: chart.round })}: ${this.seat(chart.player)}, ${this.words.segment[chart.segment] || chart.segment}`;
  }

  /** What a die was for, out of its name in the log. @param {string} name */
  die(name) {
    const what = name.split(",").find(part => part in this.words.draw);
    return what ? this.words.draw[what] : this.ui("other_draw");
  }

  /** A deadline. @param {string} moment */
  date(moment) {
    return moment ? new Date(moment).toLocaleString(this.language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }) + " UTC" : "";
  }
}
