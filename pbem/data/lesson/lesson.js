// The tutorial in a page: a step as the program tells it, and a terminal in which the program itself answers. What is to be typed may
// be clicked; what a button does is a line, too. The folder is kept in this browser, where it keeps anything.

const PLACE = "pbem tutorial";                              // in localStorage; and the command that looks whether a step is done
const MAP = "pbem map game --focus Ephesos --plain --since last", NEAR = "390 60 640 580";       // where the lesson is played

class Lesson {
  /** @param {Record<string, Record<string, string>>} words @param {Record<string, string>} brought @param {string} version */
  constructor(words, brought, version) {
    this.words = words;
    this.brought = brought;
    this.version = version;
    this.get = id => /** @type {any} */ (document.getElementById(id));
    this.engine = new Runtime();
    this.kept = remembered();
    this.language = this.kept.language in words ? this.kept.language : document.documentElement.lang;
    /** @type {Row} */
    this.found = {};
    /** @type {string[]} */
    this.lines = [];
    this.place = 0;
    this.last = this.drawn = this.shown = "";
    this.standing = () => "";
    this.listen();
    this.speak();
    for (const one of document.querySelectorAll("[data-alive]")) /** @type {HTMLElement} */ (one).hidden = false;
  }

  /** @param {string} key @param {Row} [facts] */
  say(key, facts = {}) { return this.words[this.language][key].replace(/\{(\w+)\}/g, (_, name) => String(facts[name])); }

  listen() {
    const { get } = this, language = get("language"), line = get("line");
    language.addEventListener("change", () => this.translated(language.value));
    get("begin").addEventListener("click", () => this.begin({ kept: this.kept.kept || "" }));
    get("anew").addEventListener("click", () => this.begin({ anew: true }));
    get("hint").addEventListener("click", () => this.type(`${PLACE} --hint`));
    get("reset").addEventListener("click", () => this.type(`${PLACE} --reset`));
    get("seen-form").addEventListener("submit", event => {
      event.preventDefault();
      this.type(`${PLACE} ${get("seen").value}`.trim());
    });
    get("line-form").addEventListener("submit", event => {
      event.preventDefault();
      this.type(line.value);
    });
    line.addEventListener("keydown", event => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.place = Math.max(0, Math.min(this.lines.length, this.place + step));
      line.value = this.lines[this.place] || "";
    });
  }

  // --- words ---------------------------------------------------------------------------------------------------------

  speak() {
    const { get } = this;
    document.documentElement.lang = get("language").value = this.language;
    document.title = this.say("title");
    for (const one of document.querySelectorAll("[data-lesson]")) one.replaceChildren(...inside(this.say(one.getAttribute("data-lesson") || "")));
    get("printed").setAttribute("aria-label", this.say("printed"));
    const { step, of } = this.kept;
    get("begin").textContent = step > of ? this.say("go_on_over") : step ? this.say("go_on", { step }) : this.say("begin");
    get("anew").hidden = !step && !this.found.step;
    if (get("state").textContent !== this.standing()) get("state").textContent = this.standing();
  }

  /** How it stands, in any language. @param {string} key @param {Row} [facts] */
  now(key, facts) {
    this.standing = () => this.say(key, facts);
    this.get("state").textContent = this.standing();
  }

  /** @param {string} language */
  async translated(language) {
    this.language = language;
    this.speak();
    if (this.found.step) this.stand(await this.ask("open", {}));
  }

  // --- the program ---------------------------------------------------------------------------------------------------

  /** @param {string} what @param {Row} facts @returns {Promise<Row>} */
  async ask(what, facts) {
    this.get("printed").setAttribute("aria-busy", "true");
    const found = await this.engine.ask({ ask: what, language: this.language, ...facts });
    this.get("printed").setAttribute("aria-busy", "false");
    return found;
  }

  /** From where it was kept, or from the first step. @param {Row} facts */
  async begin(facts) {
    const { begin, anew } = { begin: this.get("begin"), anew: this.get("anew") }, megabytes = size => (size / 1e6).toFixed(1);
    begin.disabled = anew.disabled = true;
    try {
      if (!this.engine.worker)
        await this.engine.start((read, of) => this.now("reading", { read: megabytes(read), of: megabytes(of) }), this.brought);
      const { version } = /** @type {Row} */ (window.pbemEngine);
      if (version !== this.version) throw new Problem("another_engine", { engine: version, page: this.version });
      this.now(this.last = "working");
      for (const name of ["step", "terminal"]) this.get(name).hidden = false;
      this.get("printed").replaceChildren();
      this.stand(await this.ask("open", facts));
      begin.hidden = this.get("start").hidden = true;
      this.get("step-title").focus();
    } catch (error) {
      const { key, facts: why } = error instanceof Problem ? error : { key: "broken", facts: { problem: String(error) } };
      this.now(key, why);
    }
    begin.disabled = anew.disabled = false;
  }

  /** A line goes to the program, and what it prints below it. @param {string} line */
  async type(line) {
    const { get } = this, before = this.found.step;
    if (!line.trim() || get("printed").getAttribute("aria-busy") === "true") return;
    this.lines.push(line);
    this.place = this.lines.length;
    const typed = block("pre", `$ ${line}`, "typed"), below = block("pre", "...");
    const up = () => { get("printed").scrollTop = typed.offsetTop - get("printed").offsetTop; };
    get("printed").append(typed, below);
    up();
    get("line").value = get("seen").value = "";
    const found = await this.ask("type", { line });
    below.textContent = found.error || found.printed;
    up();
    this.stand(found);
    if (found.step && found.step !== before || line.trim() === `${PLACE} --reset`) get("step-title").focus();
    else typed.scrollIntoView({ block: "nearest" });
  }

  // --- the step ------------------------------------------------------------------------------------------------------

  /** What the program says of the lesson. @param {Row} found */
  stand(found) {
    if (found.error && !found.step) { this.standing = () => found.error; this.speak(); return; }
    const { get } = this, { step, of, blocks, kept } = this.found = found;
    this.kept = { step, of, kept, language: this.language };
    const told = remember(this.kept) ? "ready" : "ready_not_kept";
    if (told !== this.last) this.now(this.last = told);
    this.draw(found.head);
    const is_over = step > of;
    get("count").textContent = is_over ? this.say("all_done", { of }) : this.say("count", { step, of });
    const shown = `${step} ${this.language}`;
    if (this.shown !== shown) {                             // a button that was pressed stays, with the focus on it
      this.shown = shown;
      get("step-title").textContent = blocks[0].lines[0];
      get("told").replaceChildren(...blocks.slice(1).flatMap(one => one.kind === "lines" ? one.lines.map(line => this.told(line)) : [block("p", one.lines[0])]));
    }
    get("seen-form").hidden = is_over;
    get("seen").parentElement.hidden = !found.asks;
    this.speak();
  }

  /** The board, where it is another one than before. @param {string} head */
  async draw(head) {
    const map = this.get("map"), drawn = this.drawn = `${head} ${this.language}`;
    if (map.dataset.drawn === drawn) return;
    const { printed, code } = await this.engine.ask({ ask: "type", language: this.language, line: MAP });
    if (code || this.drawn !== drawn) return;
    const picture = document.importNode(new DOMParser().parseFromString(printed, "image/svg+xml").documentElement, true);
    picture.setAttribute("viewBox", NEAR);
    map.replaceChildren(picture);
    map.dataset.drawn = drawn;
    map.hidden = false;
  }

  /** A line to be typed, and the button that does. @param {string} line */
  told(line) {
    const row = document.createElement("div"), code = document.createElement("code"), button = document.createElement("button");
    row.className = "do";
    code.textContent = line;
    button.type = "button";
    button.textContent = this.say("type");
    button.setAttribute("aria-label", `${this.say("type")}: ${line}`);
    button.addEventListener("click", () => this.type(line));
    row.append(code, button);
    return row;
  }
}

/** @param {string} kind @param {string} text @param {string} [name] */
function block(kind, text, name = "") {
  const made = document.createElement(kind);
  made.className = name;
  made.append(...(kind === "pre" ? [text] : inside(text)));
  return made;
}

/** A text with what stands between its backticks as code. @param {string} text */
function inside(text) {
  return text.split("`").map((part, place) => {
    if (place % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

/** What this browser has kept of an earlier day, if anything. @returns {Row} */
function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) || "{}");
    return kept && typeof kept.kept === "string" && kept.step > 0 ? kept : {};
  } catch {                                                 // not on every disk and in every window
    return {};
  }
}

/** @param {Row} kept */
function remember(kept) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

/** @param {Record<string, Record<string, string>>} words @param {Record<string, string>} brought @param {string} version */
function lesson(words, brought, version) { window.pbemLesson = new Lesson(words, brought, version); }
