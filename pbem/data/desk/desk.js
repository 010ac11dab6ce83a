// The order desk: a text of orders, and below it what the program itself says to it. The text is the truth and the only thing that is
// sent; buttons and the map write lines into it. What is asked of the rules goes to the engine in a worker.

const MAIL_MOST = 1900;                                     // signs of a link that every mail program opens
const PAUSE = 350;                                          // milliseconds after the last key before the text is tried

class OrderDesk {
  /** @param {Row} words @param {Row} log */
  constructor(words, log) {
    this.words = words;
    this.log = log;
    this.page = /** @type {Row} */ (window.pbem);
    this.number = 0;
    /** @type {Record<string, any>} */
    this.made = {};
    /** @type {Map<number, (answer: Row) => void>} */
    this.waiting = new Map();
    /** @type {string[]} */
    this.texts = [""];
    this.place = 0;
    /** @type {Row | null} */
    this.reach = null;
    this.led = false;
    this.latest = 0;
    this.question = "";
    /** @type {Row[]} */
    this.armies = [];
    /** @type {any} */
    this.worker = null;
    /** @type {any} */
    this.timer = 0;
    this.built();
    this.speak();
    document.addEventListener("pbem:language", () => { this.speak(); this.tried(); });
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
    const one = (name, kind, facts = {}, ...inside) => {
      const element = made[name] = document.createElement(kind);
      for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
      element.append(...inside);
      return element;
    };
    const button = (name, does) => {
      const element = one(name, "button", { type: "button", "data-desk": name });
      element.addEventListener("click", does);
      return element;
    };
    const labelled = (name, field) => {
      const label = document.createElement("label");
      label.append(one(`${name}_label`, "span", { "data-desk": name }), " ", field);
      return label;
    };
    const row = (...inside) => {
      const element = document.createElement("p");
      element.className = "buttons";
      element.append(...inside);
      return element;
    };
    const section = /** @type {HTMLElement} */ (document.getElementById("desk"));
    section.setAttribute("aria-labelledby", "desk-title");
    section.append(
      one("title", "h2", { id: "desk-title", "data-desk": "title" }), one("intro", "p", { "data-desk": "intro" }),
      row(button("begin", () => this.begin())), one("state", "p", { role: "status" }),
      one("room", "div", { hidden: "" },
        row(labelled("seat", one("seat", "select")), labelled("hand", one("hand", "input", { size: "20", autocomplete: "off" }))),
        one("asked", "pre"),
        labelled("orders", one("orders", "textarea", { rows: "6", spellcheck: "false", autocapitalize: "off" })),
        row(button("undo", () => this.step(-1)), button("redo", () => this.step(1))),
        one("receipt", "pre", { role: "status", "aria-live": "polite" }),
        one("generals", "p", { class: "buttons" }), one("reached", "div"), one("offers", "div"),
        one("send_title", "h3", { "data-desk": "send_title" }), one("send_intro", "p", { "data-desk": "send_intro" }),
        row(labelled("address", one("address", "input", { type: "email", size: "24", autocomplete: "off" }))),
        row(one("mail", "a", { "data-desk": "mail" }), button("copy", () => this.copied(this.letter())),
          button("bold", () => this.copied(this.bold())), one("file", "a", { "data-desk": "file", download: "orders.eml" })),
        one("sent", "p", { role: "status" })));
    section.hidden = false;
    made.orders.addEventListener("input", () => {
      this.write(made.orders.value, false);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.tried(), PAUSE);
    });
    for (const field of [made.seat, made.hand]) field.addEventListener("change", () => this.tried());
    made.address.addEventListener("input", () => this.handed());
  }

  speak() {
    for (const one of document.querySelectorAll("[data-desk]")) one.textContent = this.say(one.getAttribute("data-desk") || "");
    for (const one of this.made.seat.options) one.textContent = this.page.said.seat(one.value);
  }

  // --- the engine ----------------------------------------------------------------------------------------------------

  begin() {
    const { begin, state } = this.made;
    begin.disabled = true;
    const problem = key => { state.textContent = this.say(key); begin.disabled = false; };
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") { problem("too_old"); return; }
    state.textContent = this.say("fetching");
    const script = document.createElement("script");
    script.src = "engine.js";
    script.addEventListener("error", () => problem("no_engine"));
    script.addEventListener("load", () => this.start());
    document.head.append(script);
  }

  start() {
    const { state, begin } = this.made, engine = /** @type {Row} */ (window.pbemEngine), megabytes = size => (size / 1e6).toFixed(1);
    let read = 0;
    this.worker = engine.start();
    this.worker.onerror = () => { state.textContent = this.say("broken", { problem: "worker" }); };
    this.worker.onmessage = ({ data }) => {
      if (data.read) state.textContent = this.say("reading", { read: megabytes(read += data.read), of: megabytes(engine.size) });
      else if (data.ready) this.opened();
      else if (data.problem) {
        state.textContent = this.say("broken", data);
        begin.disabled = false;
        for (const done of this.waiting.values()) done({ error: data.problem });
        this.waiting.clear();
      }
      else {
        const answer = JSON.parse(data.answer), done = this.waiting.get(answer.number);
        this.waiting.delete(answer.number);
        if (done) done(answer);
      }
    };
    this.worker.postMessage({ parts: engine.parts });
    engine.parts = null;                                    // the worker has them now
  }

  /** @param {string} what @param {Row} facts @returns {Promise<Row>} */
  ask(what, facts) {
    const number = ++this.number;
    const request = JSON.stringify({ pbem: 1, number, ask: what, language: this.page.said.language, ...facts });
    return new Promise(done => {
      this.waiting.set(number, done);
      this.worker.postMessage({ request });
    });
  }

  async opened() {
    const { state, seat, hand, room, begin } = this.made, found = await this.ask("open", { log: this.log });
    if (found.error) { state.textContent = found.error; return; }
    this.question = found.question;
    seat.append(...found.seats.map(name => new Option(this.page.said.seat(name), name)));
    seat.value = this.page.data.reader in this.page.said.words.seat && this.page.data.reader || found.asked[0] || found.seats[0];
    hand.value = (this.page.data.hand || []).join(" ");     // a seat's own page brings its cards
    state.textContent = this.say(found.head === this.page.data.head ? "ready" : "another_log", { engine: found.engine });
    begin.hidden = true;
    room.hidden = false;
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

  /** The text as it is now, judged by the program; the map shows where it leads. */
  async tried() {
    if (!this.worker || this.made.room.hidden) return;
    const { receipt, orders, asked, offers, undo, redo, reached, generals } = this.made, facts = this.facts(), now = ++this.number;
    this.latest = now;
    const answer = await this.ask("check", facts), question = await this.ask("question", facts);
    if (this.latest !== now) return;                        // it has been changed since
    receipt.textContent = answer.error || answer.text;
    if (answer.position && orders.value.trim()) this.page.draw(answer.position, answer.position.changes || []);
    else this.page.show(this.page.data.entries.length);
    this.armies = ((answer.position || {}).armies || []).filter(one => one.seat === facts.seat);
    generals.replaceChildren(...this.armies.flatMap(one => one.generals).map(general =>
      this.button(this.page.said.name("general", general), () => this.general({ general }))));
    asked.textContent = question.error || question.text;
    offers.replaceChildren(...(question.offers || []).map(one => this.group(one)));
    reached.replaceChildren();
    this.reach = null;
    undo.disabled = this.place === 0;
    redo.disabled = this.place === this.texts.length - 1;
    this.handed();
    document.dispatchEvent(new CustomEvent("pbem:tried", { detail: answer }));
  }

  /** The offers of one verb. @param {Row} one */
  group(one) {
    const group = document.createElement("details"), summary = document.createElement("summary");
    summary.textContent = one.verb ? one.lines[0].text.split(" ")[0] + ` (${one.lines.length})` : this.say("answers");
    group.open = !one.verb;
    group.append(summary, ...one.lines.map(line => this.written(line.text, line.letter ? `${line.letter}  ${line.text}` : line.text)));
    return group;
  }

  /** A button that writes a line. @param {string} line @param {string} text */
  written(line, text) { return this.button(text, () => this.add(line)); }

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
    if (!this.worker || !this.armies.some(one => one.generals.includes(general))) return;
    this.led = true;
    const facts = this.facts(), found = await this.ask("reach", { ...facts, general });
    if (found.error) { this.made.reached.textContent = found.error; return; }
    this.reach = found;
    const said = this.page.said, rows = Object.entries(found.spaces).filter(([, one]) => one.path)
      .sort(([, a], [, b]) => a.cost - b.cost);
    const head = document.createElement("p"), name = said.name("general", general);
    const why = /** @type {any} */ (Object.values(found.spaces)[0]).why;
    head.textContent = rows.length ? this.say("reach", { general: name }) : this.say("no_reach", { general: name, why });
    this.made.reached.replaceChildren(head, ...rows.map(([space, one]) => this.written(one.line,
      `${said.space(space)} (${one.cost}): ${one.path.map(step => said.space(step)).join(" > ")} ${one.prices.join(" ")}`.trim())));
  }

  /** A place was chosen: after a General the line that takes him there, or why he cannot go; else whoever leads an Army there.
   *  @param {string} space */
  chosen(space) {
    const one = this.reach && this.reach.spaces[space], army = this.armies.find(army => army.space === space && army.generals.length);
    if (army) this.general({ general: army.generals[0] });
    else if (one && one.line) this.add(one.line);
    else if (one) {
      const why = document.createElement("p");
      why.textContent = `${this.page.said.space(space)}: ${one.why}`;
      this.made.reached.prepend(why);
    }
  }

  // --- handing over --------------------------------------------------------------------------------------------------

  /** What is sent: the lines, and in the last which log they were written for. */
  letter() {
    const { data } = this.page;
    return `${this.made.orders.value.trim()}\n# pbem ${data.engine}, ${data.game}, ${this.log.log.length}: ${data.head.slice(0, 32)}\n`;
  }

  bold() {
    return this.letter().trim().split("\n").map(line => `[b]${line}[/b]`).join("\n") + "\n";
  }

  subject() { return `[${this.page.data.game} ${this.question}]`; }

  handed() {
    const { address, mail, file } = this.made, text = this.letter().replace(/\n/g, "\r\n");
    const link = `mailto:${encodeURIComponent(address.value)}?subject=${encodeURIComponent(this.subject())}&body=${encodeURIComponent(text)}`;
    mail.hidden = link.length > MAIL_MOST;
    mail.href = link;
    const head = [...(address.value ? [`To: ${address.value.replace(/[\r\n]/g, "")}`] : []), `Subject: ${this.subject()}`,
      "X-Unsent: 1", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"];
    if (file.href) URL.revokeObjectURL(file.href);
    file.href = URL.createObjectURL(new Blob([`${head.join("\r\n")}\r\n\r\n${text}`], { type: "message/rfc822" }));
  }

  /** @param {string} text */
  async copied(text) {
    const { sent } = this.made;
    try {
      await navigator.clipboard.writeText(text);
    } catch {                                               // a page from a disk may not, in some browsers
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    sent.textContent = this.say("copied");
  }
}

/** @param {Row} words @param {string} packed @param {number} size */
function desk(words, packed, size) {
  window.pbemDesk = new OrderDesk(words, JSON.parse(new TextDecoder().decode(decoded(bytesOf(packed), size))));
}
