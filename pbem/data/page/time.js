// The course of the game by slider, keys, address and by itself.

const PACE = 1100;                                          // milliseconds for which an entry stands when it plays

class Time {
  /** @param {Course} course @param {Said} said @param {(now: number, since: number) => void} show */
  constructor(course, said, show) {
    this.course = course;
    this.said = said;
    this.show = show;
    this.now = course.last;
    this.since = 0;
    this.playing = 0;
    const get = id => /** @type {HTMLInputElement} */ (document.getElementById(id));
    this.slider = get("when");
    this.field = get("since");
    this.button = get("play");
    this.slider.max = this.field.max = String(course.last);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.slider.addEventListener("keydown", event => this.typed(event));
    get("sinceform").addEventListener("submit", event => {
      event.preventDefault();
      this.go(this.course.last, Math.min(this.course.last, Math.max(1, Number(this.field.value) || 1)));
    });
    const clicks = { first: () => this.go(1), turnback: () => this.turn(-1), back: () => this.go(this.now - 1), play: () => this.play(),
      forth: () => this.go(this.now + 1), turnforth: () => this.turn(1), last: () => this.go(course.last) };
    for (const [id, act] of Object.entries(clicks)) get(id).addEventListener("click", () => {
      if (id !== "play") this.stop();
      act();
    });
    window.addEventListener("hashchange", () => this.follow());
  }

  /** Up and down a player turn at a time; left, right, home and end are the slider's own. @param {KeyboardEvent} event */
  typed(event) {
    const way = { PageDown: 1, ArrowDown: 1, PageUp: -1, ArrowUp: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    this.turn(way);
  }

  /** @param {number} way */
  turn(way) {
    const { place, first } = this.course.turn(this.now);
    this.go(way < 0 && this.now > first ? first : this.course.turns[place + way] || (way > 0 ? this.course.last : 1));
  }

  /** @param {number} number @param {number} since */
  go(number, since = 0) {
    this.now = Math.min(this.course.last, Math.max(1, number));
    this.since = since && since <= this.now ? since : 0;
    this.slider.value = String(this.now);
    this.write();
    this.show(this.now, this.since);
  }

  /** What the slider says aloud. @param {string} said */
  name(said) { this.slider.setAttribute("aria-valuetext", said); }

  // --- the address -------------------------------------------------------------------------------------------------

  write() {
    const chart = this.course.states[this.now], from = this.since ? `s${this.since}.` : "";
    try {
      history.replaceState(null, "", `#t${chart.turn}.r${chart.round}.${from}e${this.now}`);
    } catch {                                               // some browsers refuse it to a file: the page does without
    }
  }

  /** Where the address points to, if it names an entry. */
  follow() {
    const entry = /(?:^#|\.)e(\d+)$/.exec(location.hash), since = /(?:#|\.)s(\d+)/.exec(location.hash);
    if (!entry) return false;
    this.go(Number(entry[1]), since ? Number(since[1]) : 0);
    return true;
  }

  // --- by itself ---------------------------------------------------------------------------------------------------

  play() {
    if (this.playing) {
      this.stop();
      return;
    }
    if (this.since) this.go(this.since);
    else if (this.now === this.course.last) this.go(this.course.turn(this.now).first);
    this.playing = window.setInterval(() => this.step(), PACE);
    this.named();
  }

  stop() {
    window.clearInterval(this.playing);
    this.playing = 0;
    this.named();
  }

  named() {
    this.button.textContent = this.playing ? "❚❚" : "▶";
    this.button.setAttribute("aria-label", this.said.ui(this.playing ? "pause" : "play"));
  }

  /** On to the next entry that has something to show. */
  step() {
    let next = this.now + 1;
    while (next < this.course.last && !this.course.entries[next - 1].lines.length) next++;
    if (next > this.course.last) this.stop();
    else this.go(next);
  }
}
