// What may be sent besides orders and answers: lines for what others may do where the desk stops, free acts, cards, standing
// orders, letters. All of it is written into the same text; the engine says which lines everybody may read.

const SORTS = { free: "free_acts", surprise: "surprises", standing: "standing_orders", file: "filed_cards" };

class InAdvance {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    const { parts } = desk;
    this.made = parts.made;
    this.thread = "";                                       // the lines that everybody may read
    /** @type {Row} */
    this.letters = {};                                      // how one begins, by whom it goes to, and how it ends
    this.section = document.createElement("details");
    this.section.append(
      parts.one("advance", "summary", { "data-desk": "advance" }), parts.one("sorts", "div"),
      parts.one("letter_title", "h3", { "data-desk": "letter_title" }),
      parts.row(parts.labelled("letter_to", parts.one("readers", "select"))),
      parts.labelled("letter_text", parts.one("letter", "textarea", { rows: "4" })),
      parts.row(parts.button("add_letter", () => this.posted())));
  }

  /** What the engine tells of the text as it is now. @param {Row} answer @param {Row} question @param {string} seat */
  follow(answer, question, seat) {
    const { desk } = this, { beside, branches, sorts, readers } = this.made;
    this.thread = answer.thread || "";
    this.letters = question.letters || {};
    beside.replaceChildren(...(answer.beside || []).map(one => desk.sentence(`${one.line.split("\n")[0]}: ${one.text}`)));
    const lines = answer.branches || [];
    branches.replaceChildren(...(lines.length ? [desk.sentence(desk.say("branches")), ...lines.map(one => desk.button(one.text.replace("\n", "; "), () => desk.put(one)))] : []));
    const form = (question.form || []).join("\n");
    sorts.replaceChildren(...(form ? [desk.written(form, desk.say("whole_turn"))] : []), ...(question.ahead || []).map(one => {
      const name = desk.say(SORTS[/** @type {keyof typeof SORTS} */ (one.sort)]);
      return desk.folded(`ahead ${one.sort}`, name, one.lines.map(line => desk.written(line, line)));
    }));
    sorts.append(desk.folded("requests", desk.say("requests"), (question.requests || []).map(one => this.request(one))));
    const others = [...this.made.seat.options].map(one => one.value).filter(one => one !== seat), { value } = readers;
    readers.replaceChildren(new Option(desk.say("everybody"), "all"), ...others.map(one => new Option(desk.page.said.seat(one), one)));
    readers.value = [...others, "all"].includes(value) ? value : "all";
  }

  /** What the game answers by mail: a sentence, and the lines that ask for it. @param {Row} one */
  request({ told, lines }) {
    const row = document.createElement("div");
    row.append(this.desk.sentence(told), ...lines.map(line => this.desk.written(line, line)));
    return row;
  }

  /** The letter becomes lines of the text. */
  posted() {
    const { letter, readers } = this.made, text = letter.value.trim();
    if (!text) return letter.focus();
    letter.value = "";
    return this.desk.add(`${this.letters[readers.value]} ${text}\n${this.letters.end}`);
  }
}
