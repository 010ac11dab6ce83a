// The order desk: a text of orders, and below it what the program itself says to it. The text is the truth and the only thing that is
// sent; buttons and the map write lines into it. What is asked of the rules goes to the engine in a worker.

const PAUSE = 350;                                          // milliseconds after the last key before the text is tried

class OrderDesk {
  /** @param {Row} words @param {Row} log */
  constructor(words, log) {
    this.words = words;
    this.log = log;
    this.page = /** @type {Row} */ (window.pbem);
    this.parts = new Parts();
    this.made = this.parts.made;
    this.engine = new Runtime();
    this.out = new HandOver(this);
    this.advance = new InAdvance(this);
    /** @type {string[]} */
    this.texts = [""];
    this.place = 0;
    /** @type {Row | null} */
    this.reach = null;
    this.marching = "";                                     // whose ways are told
    this.pointed = "";                                      // the place of which it is told, and not written at once
    this.led = false;
    this.refused = false;
    this.latest = 0;
    this.standing = () => "";
    /** @type {Set<string>} */
    this.unfolded = new Set();
    /** @type {Row[]} */
    this.armies = [];
    /** @type {any} */
    this.timer = 0;
    this.built();
    this.speak();
    document.addEventListener("pbem:language", () => this.spokenAnew());
    document.addEventListener("pbem:general", event => this.general(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("pbem:place", event => {      // a touched Army tells its place first, then its General
      this.led = false;
      const { space } = /** @type {CustomEvent} */ (event).detail;
      setTimeout(() => { if (!this.led) this.chosen(space); });
    });
  }

  /** A word of the desk in the reader's language. @param {string} key @param {Row} [facts] */
  say(key, facts = {}) {
    return (this.words[this.page.said.language] || this.words.en)[key].replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));
  }

  // --- what stands there ---------------------------------------------------------------------------------------------

  built() {
    const { made } = this;
    const { parts } = this, one = parts.one.bind(parts), button = parts.button.bind(parts), labelled = parts.labelled.bind(parts);
    const row = parts.row.bind(parts);
    const section = /** @type {HTMLElement} */ (document.getElementById("desk"));
    section.setAttribute("aria-labelledby", "desk-title");
    section.append(
      one("title", "h2", { id: "desk-title", "data-desk": "title" }), one("intro", "p", { "data-desk": "intro" }),
      row(button("begin", () => this.begin())), one("state", "p", { role: "status" }),
      one("room", "div", { hidden: "" },
        row(labelled("seat", one("seat", "select")), labelled("hand", one("hand", "input", { size: "20", autocomplete: "off" }))),
        one("asked", "pre"), one("asked_more", "div"),
        one("generals_title", "p", { "data-desk": "choose_general" }), one("generals", "p", { class: "buttons" }),
        one("told", "p", { role: "status" }), one("reached", "div"), one("offers", "div"),
        labelled("orders", one("orders", "textarea", { rows: "6", spellcheck: "false", autocapitalize: "off" })),
        row(button("undo", () => this.step(-1)), button("redo", () => this.step(1))),
        one("tried", "p", { "data-desk": "tried", hidden: "" }), one("receipt", "pre", { role: "status", tabindex: "-1" }), one("prices", "p", { class: "buttons" }),
        one("beside", "div", { role: "status" }), one("branches", "div", { class: "answers" }),
        this.advance.section, this.out.section));
    section.hidden = false;
    made.orders.addEventListener("input", () => {
      this.write(made.orders.value, false);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.tried(), PAUSE);
    });
    for (const field of [made.seat, made.hand]) field.addEventListener("change", () => this.tried());
  }

  speak() {
    for (const one of document.querySelectorAll("[data-desk]")) one.textContent = this.say(one.getAttribute("data-desk") || "");
    for (const one of this.made.seat.options) one.textContent = this.page.said.seat(one.value);
    this.made.state.textContent = this.standing();
  }

  /** What the engine has told stands there in the language in which it was asked: it is asked again. */
  async spokenAnew() {
    const { marching, pointed } = this;
    this.speak();
    await (this.refused ? this.opened() : this.tried());
    if (marching) await this.general({ general: marching });
    if (pointed) this.chosen(pointed);
  }

  /** How it stands with the engine, in any language. @param {string} key @param {Row} [facts] */
  now(key, facts) {
    this.standing = () => this.say(key, facts);
    this.made.state.textContent = this.standing();
  }

  // --- the engine ----------------------------------------------------------------------------------------------------

  /** The reader wants it: the map can be used meanwhile. */
  async begin() {
    const { begin } = this.made, megabytes = size => (size / 1e6).toFixed(1);
    begin.disabled = true;
    this.now("fetching");
    try {
      await this.engine.start((read, size) => this.now("reading", { read: megabytes(read), of: megabytes(size) }));
      await this.opened();
    } catch (error) {
      const { key, facts } = error instanceof Problem ? error : { key: "broken", facts: { problem: String(error) } };
      this.now(key, facts);
      begin.disabled = false;
    }
  }

  /** @param {string} what @param {Row} facts @returns {Promise<Row>} */
  ask(what, facts) { return this.engine.ask({ ask: what, language: this.page.said.language, ...facts }); }

  async opened() {
    const { state, seat, hand, room, begin } = this.made, found = await this.ask("open", { log: this.log });
    this.refused = Boolean(found.error);
    if (this.refused) {
      this.standing = () => found.error;
      state.textContent = found.error;
      return;
    }
    this.out.opened(found);
    seat.append(...found.seats.map(name => new Option(this.page.said.seat(name), name)));
    seat.value = this.page.data.reader in this.page.said.words.seat && this.page.data.reader || found.asked[0] || found.seats[0];
    hand.value = (this.page.data.hand || []).join(" ");     // a seat's own page brings its cards
    const { data } = this.page, key = found.head !== data.head ? "another_log" : found.engine !== data.engine ? "another_engine" : "ready";
    this.now(key, { engine: found.engine, page: data.engine });
    begin.hidden = true;
    room.hidden = false;
    if (document.activeElement === document.body) seat.focus();     // the button is gone that was pressed
    document.dispatchEvent(new CustomEvent("pbem:desk"));
    await this.tried();
  }

  facts() {
    const { seat, hand, orders } = this.made;
    return { seat: seat.value, hand: hand.value.split(/[\s,;]+/).filter(Boolean), lines: orders.value };
  }

  // --- the text ------------------------------------------------------------------------------------------------------

  /** @param {string} text */
  write(text, shown = true) {
    if (text !== this.texts[this.place]) this.texts.splice(++this.place, this.texts.length, text);
    if (shown) this.made.orders.value = text;
  }

  /** One text back, or forth again. @param {number} by */
  step(by) {
    this.place = Math.max(0, Math.min(this.texts.length - 1, this.place + by));
    this.made.orders.value = this.texts[this.place];
    this.tried();
  }

  /** @param {string} line */
  add(line) {
    const text = this.made.orders.value.trimEnd();
    this.write(text ? `${text}\n${line}` : line);
    return this.tried();
  }

  /** Lines in the place of another, or below all. @param {{ text: string, instead: string }} one */
  put({ text, instead }) {
    if (!instead) return this.add(text);
    const lines = this.made.orders.value.split("\n"), place = lines.findIndex(line => line.trim() === instead.trim());
    this.write(lines.map((line, at) => at === place ? text : line).join("\n"));
    return this.tried();
  }

  /** The text as it is now, judged by the program; the map shows where it leads. */
  async tried() {
    if (!this.engine.worker || this.made.room.hidden) return;
    const { receipt, orders, offers, undo, redo, reached, generals } = this.made, facts = this.facts(), now = ++this.latest;
    const answer = await this.ask("check", facts), question = await this.ask("question", facts);
    if (this.latest !== now) return;                        // it has been changed since
    const focus = document.activeElement, was = this.made.room.contains(focus) && focus ? focus.textContent : null;
    receipt.textContent = answer.error || answer.text;
    this.made.tried.hidden = !answer.text;
    if (answer.position && orders.value.trim()) this.page.draw(answer.position, answer.position.changes || []);
    else this.page.show(this.page.data.entries.length);
    this.made.prices.replaceChildren(...(answer.priced || []).map(line => this.button(this.say("pay", { line }),
      () => this.put({ text: `${line} yes`, instead: line }))));
    this.armies = ((answer.position || {}).armies || []).filter(one => one.seat === facts.seat);
    this.made.generals_title.hidden = !this.armies.some(one => one.generals.length);
    generals.replaceChildren(...this.armies.flatMap(one => one.generals).map(general =>
      this.button(this.page.said.name("general", general), () => this.general({ general }))));
    this.advance.follow(answer, question, facts.seat);
    this.asking(question.error || question.text);
    offers.replaceChildren(...(question.offers || []).map(one => this.group(one)));
    reached.replaceChildren();
    this.made.told.textContent = "";
    this.reach = null;
    this.marching = this.pointed = "";
    undo.disabled = this.place === 0;
    redo.disabled = this.place === this.texts.length - 1;
    this.out.follow();
    if (was !== null && document.activeElement !== focus || focus && focus.matches(":disabled")) this.goOn(was);
    document.dispatchEvent(new CustomEvent("pbem:tried", { detail: answer }));
  }

  /** What is asked, in short, without the subject of its mail; all that may be answered is on the buttons below, and in words where
   *  somebody unfolds them. @param {string} whole */
  asking(whole) {
    const text = whole.replace(/^\[[^\n]*\]\n+/, ""), cut = text.search(/\n\n[^\n]+\n {2}/), list = document.createElement("pre");
    this.made.asked.textContent = cut < 0 ? text : text.slice(0, cut);
    list.textContent = text.slice(cut).trim();
    this.made.asked_more.replaceChildren(...(cut < 0 ? [] : [this.folded("asked", this.say("in_words"), [list], false)]));
  }

  /** What was written by a button, and what is said to it, comes into sight; keys go on from there. */
  seen() {
    this.made.receipt.focus({ preventScroll: true });
    this.made.orders_label.scrollIntoView({ block: "start" });
  }

  /** What had the focus is gone: whoever works by keyboard goes on where the same is said, or with what was answered.
   *  @param {string | null} was */
  goOn(was) {
    const same = [...this.made.room.querySelectorAll("button:enabled")].find(one => one.textContent === was && one.offsetParent);
    (same || this.made.receipt).focus({ preventScroll: true });
  }

  /** The offers of one verb. @param {Row} one */
  group(one) {
    const name = one.verb === "more" ? this.say("more_answers") : !one.verb ? this.say("answers")
      : one.lines.length > 1 ? one.lines[0].text.split(" ")[0] : one.lines[0].text;
    const group = this.folded(`verb ${one.verb || "answers"}`, name, one.lines.map(line => this.written(line.text, line.letter ? `${line.letter}  ${line.text}` : line.text)));
    group.open ||= !one.verb;
    return group;
  }

  /** Things under a name, to be opened by whoever wants them; what was opened stays so when the engine has told more, and in
   *  another language: it is known by its key. @param {string} key @param {string} name @param {Element[]} things */
  folded(key, name, things, counted = true) {
    const group = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = counted ? `${name} (${things.length})` : name;
    group.open = this.unfolded.has(key);
    group.addEventListener("toggle", () => this.unfolded[group.open ? "add" : "delete"](key));
    // A toggle is told later, and the engine may answer in between: what is clicked counts at once.
    summary.addEventListener("click", () => this.unfolded[group.open ? "delete" : "add"](key));
    group.append(summary, ...things);
    return group;
  }

  /** @param {string} text */
  sentence(text) {
    const element = document.createElement("p");
    element.textContent = text;
    return element;
  }

  /** A button that writes a line. @param {string} line @param {string} text */
  written(line, text) { return this.button(text, () => this.add(line).then(() => this.seen())); }

  /** @param {string} text @param {() => void} does */
  button(text, does) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", does);
    return button;
  }

  // --- the map -------------------------------------------------------------------------------------------------------

  /** Where he could go, and for how much. @param {{ general: string }} one */
  async general({ general }) {
    if (!this.engine.worker || !this.armies.some(one => one.generals.includes(general))) return;
    this.led = true;
    this.marching = general;
    this.pointed = "";
    const facts = this.facts(), found = await this.ask("reach", { ...facts, general });
    if (found.error) { this.made.told.textContent = found.error; return; }
    if (this.marching !== general) return;                  // meanwhile the text is another one, or he asks for somebody else
    this.reach = found;
    const said = this.page.said, rows = Object.entries(found.spaces).flatMap(([space, one]) => (one.ways || []).map(way => ({ space, ...way })))
      .sort((a, b) => a.cost - b.cost);
    const name = said.name("general", general);
    const why = /** @type {any} */ (Object.values(found.spaces)[0]).why;
    this.made.told.textContent = rows.length ? this.say("reach", { general: name }) : this.say("no_reach", { general: name, why });
    this.made.reached.replaceChildren(...rows.flatMap(one => this.way(one)));
  }

  /** The button that writes a way, and what would be met on it. @param {Row} one */
  way({ space, path, cost, line, prices, risks, by }) {
    const { said } = this.page, how = by === "sea" ? `, ${this.say("by_sea")}` : "";
    const along = path.length > 1 ? `: ${path.map(step => said.space(step)).join(" > ")}` : "";
    const text = `${said.space(space)} (${cost}${how})${along} ${prices.join(" ")}`;
    const met = risks.map(risk => this.sentence(risk));
    return [this.written(line, text.trim()), ...(met.length ? [this.folded(`risks ${by} ${path.join(" ")}`, this.say("risks"), met)] : [])];
  }

  /** A place was chosen: after a General the line that takes him there, or why he cannot go; else whoever leads an Army there.
   *  @param {string} space */
  chosen(space) {
    const one = this.reach && this.reach.spaces[space], army = this.armies.find(led => led.space === space && led.generals.length);
    const ways = one && one.ways || [], land = ways.filter(way => way.by === "land"), meant = land.length ? land : ways;
    if (army) this.general({ general: army.generals[0] });
    else if (meant.length === 1) this.add(meant[0].line);     // who would rather sail finds it in the list
    else if (one) this.pointed = space;
    if (this.pointed !== space) return;
    if (one.ways) this.made.reached.prepend(...one.ways.flatMap(way => this.way({ space, ...way })));
    else this.made.told.textContent = `${this.page.said.space(space)}: ${one.why}`;
  }

}

/** @param {Row} words @param {string} packed @param {number} size */
function desk(words, packed, size) {
  window.pbemDesk = new OrderDesk(words, JSON.parse(new TextDecoder().decode(decoded(bytesOf(packed), size))));
}
