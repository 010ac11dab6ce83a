// The page comes to life: what was drawn and written for everybody becomes a map that can be walked, and a course to go through.

const MOST_SHOWN = 60;                                      // changes that are drawn and listed: the last of them

class Whole {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.get = id => /** @type {HTMLElement} */ (document.getElementById(id));
    this.said = new Said(data);
    this.said.use(wished(data));
    this.look = new Look(data.palette);
    this.course = new Course(data);
    this.board = new Board(/** @type {any} */ (document.querySelector("#board svg")), data, this.look, this.said);
    this.walk = new Walk(this.board, this.said, space => this.choose(space));
    this.time = new Time(this.course, this.said, (now, since) => this.show(now, since));
    const go = number => { this.time.stop(); this.time.go(number); };
    this.story = new Story(this.course, this.said, this.walk, go);
    this.tables = new Tables(this.board, this.course, this.said, go);
    this.zoom = new Zoom(this.get("board"), this.board);
    this.settings();
    this.speak();
    document.documentElement.classList.add("alive");
    this.zoom.begin();
    if (!this.time.follow()) this.time.go(this.course.last, data.since);
  }

  settings() {
    const language = /** @type {HTMLSelectElement} */ (this.get("language")), patterns = /** @type {HTMLInputElement} */ (this.get("patterns"));
    language.value = this.said.language;
    language.addEventListener("change", () => {
      this.said.use(language.value);
      this.speak();
      this.show(this.time.now, this.time.since);
      document.dispatchEvent(new CustomEvent("pbem:language", { detail: { language: language.value } }));
    });
    patterns.checked = false;
    patterns.addEventListener("change", () => {
      this.look.patterned = patterns.checked;
      this.show(this.time.now, this.time.since);
    });
    this.get("fresh").addEventListener("input", () => this.compared());
    this.get("lastvisit").addEventListener("click", () => this.time.go(this.course.last, Math.min(this.course.last, visited(this.data) + 1)));
    this.get("lastturn").addEventListener("click", () => this.time.go(this.course.last, this.data.since));
    this.get("lastvisit").hidden = !visited(this.data);
    for (const one of document.querySelectorAll("[data-alive]")) /** @type {HTMLElement} */ (one).hidden = false;
  }

  /** All words of the page in the language that was chosen. */
  speak() {
    const { said } = this;
    document.documentElement.lang = said.language;
    document.title = said.words.title;
    for (const one of document.querySelectorAll("[data-word]")) one.textContent = said.ui(one.getAttribute("data-word") || "");
    for (const one of document.querySelectorAll("[data-name-word]"))
      one.setAttribute("aria-label", said.ui(one.getAttribute("data-name-word") || ""));
    for (const [name, text] of Object.entries(said.words.parts))
      for (const one of document.querySelectorAll(`[data-part="${name}"]`))
        one.innerHTML = text;           // eslint-disable-line no-restricted-properties -- escaped where it was made
    this.board.rename();
    this.board.picture.setAttribute("aria-label", said.words.title);
    this.time.named();
    this.story.rename();
    this.compared();
    this.tables.rename();
  }

  /** What a mail that was pasted says of this page. */
  compared() {
    const { value } = /** @type {HTMLTextAreaElement} */ (this.get("fresh"));
    this.get("freshness").textContent = value.trim() ? this.said.ui(...fresh(value, this.data)) : "";
  }

  /** The position after an entry, with what that entry did, or all that happened since another.
   *  @param {number} now @param {number} since */
  show(now, since) {
    const chart = this.course.at(now), entry = this.course.entries[now - 1];
    const shown = this.course.shown(since || now, now).slice(-MOST_SHOWN);
    this.draw(chart, shown);
    const moment = this.said.ui("moment", { n: now, of: this.course.last, where: this.said.moment(chart) });
    this.time.name(moment);
    this.get("moment").textContent = moment;
    const caption = this.get("caption");
    if (since) caption.replaceChildren(html("p", {}, this.said.ui(shown.length ? "since_entry" : "since_nothing", { n: since })), html("ol", {},
      ...shown.map(row => html("li", { value: row.number }, ...row.lines.map(line => this.story.sentence(line, this.number(line)))))));
    else caption.replaceChildren(html("p", {}, ...(entry.undone ? [html("strong", { class: "mark" }, this.said.ui("undone", { n: entry.undone })), " "] : []),
      ...entry.lines.flatMap(line => [this.story.sentence(line, now), " "]),
      ...(entry.lines.length ? [] : [`${this.said.name("entry", entry.kind)}${entry.says ? `: ${entry.says}` : ""}`])));
    this.story.show(now);
    this.zoom.toward([...shown.slice(-1).flatMap(spacesOf), ...entry.lines.flatMap(line => line.places)].pop() || "");
    if (this.story.space) this.story.place(this.story.space);
    document.dispatchEvent(new CustomEvent("pbem:shown", { detail: { entry: now, since } }));
  }

  /** Which entry a sentence is of. @param {Line} line */
  number(line) { return 1 + this.course.entries.findIndex(one => one.lines.includes(line)); }

  /** Any position; what stands in bundles is listed below the map. @param {Chart} chart @param {Row[]} shown */
  draw(chart, shown) {
    this.board.draw(chart, shown);
    this.walk.name();
    this.tables.follow();
    this.get("bundles").replaceChildren(...this.board.bundles.map(one =>
      html("li", {}, `${this.said.space(one.space)}: ${one.group.map(piece => piece.line).join("; ")}`)));
  }

  /** @param {string} space */
  choose(space) {
    this.story.place(space);
    document.dispatchEvent(new CustomEvent("pbem:place", { detail: { space } }));
  }
}

/** Everybody's page opens in the first of its languages that the reader's browser asks for, if whoever made it chose none; a
 *  private one in that of its owner. @param {Data} data */
function wished(data) {
  const asked = data.reader || data.chosen ? [] : navigator.languages.map(one => one.split("-")[0]);
  return asked.find(one => one in data.words) || data.language;
}

/** The entry up to which this browser has seen this game, where it may remember that. @param {Data} data */
function visited(data) {
  const key = `pbem ${data.game} ${data.reader || ""}`;
  try {
    const before = Number(localStorage.getItem(key));
    if (before !== data.entries.length) sessionStorage.setItem(key, String(before));
    localStorage.setItem(key, String(data.entries.length));
    return Number(sessionStorage.getItem(key)) || 0;
  } catch {                                                 // not on every disk and in every window
    return 0;
  }
}

/** @param {string} packed @param {number} size */
function start(packed, size) {
  try {
    const whole = new Whole(unpacked(packed, size));
    window.pbem = { version: 1, page: whole, data: whole.data, said: whole.said, course: whole.course, board: whole.board,
      position: () => whole.course.at(whole.course.last), draw: (chart, shown = []) => whole.draw(chart, shown),
      show: (now, since = 0) => whole.time.go(now, since) };
    document.dispatchEvent(new CustomEvent("pbem:ready"));
  } catch (error) {
    /** @type {HTMLElement} */ (document.getElementById("problem")).hidden = false;
    throw error;
  }
}
