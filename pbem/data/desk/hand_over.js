// Handing over: the text as it goes out, by mail or into the thread. Its last line says for which log it was written; what brings
// a mail home, its address, subject and reference, stands on a seat's own page, and in nothing that goes into the thread.

const MAIL_MOST = 1900;                                     // signs of a link that every mail program opens

class HandOver {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    this.question = "";
    /** @type {Record<string, string>} */
    this.back = desk.page.data.way_back || {};
    const { parts } = desk;
    this.made = parts.made;
    this.section = document.createElement("div");
    this.section.append(
      parts.one("send_title", "h3", { "data-desk": "send_title" }), parts.one("send_intro", "p", { "data-desk": "send_intro" }),
      parts.row(parts.labelled("address", parts.one("address", "input", { type: "email", size: "36", autocomplete: "off" }))),
      parts.row(parts.one("mail", "a", { "data-desk": "mail" }), parts.button("share", () => this.shared()),
        parts.button("copy", () => this.copied(this.letter())), parts.button("bold", () => this.posted()),
        parts.one("file", "a", { "data-desk": "file", download: "orders.eml" })),
      parts.one("sent", "p", { role: "status" }));
    this.made.address.value = this.back.address || "";
    this.made.share.hidden = typeof navigator.share !== "function";
    this.made.address.addEventListener("input", () => this.follow());
  }

  /** What is asked names the mail. @param {Row} found */
  opened(found) {
    this.question = found.question;
    this.stamp = `# pbem ${this.desk.page.data.engine} ${found.entries} ${found.head.slice(0, 32)}`;
  }

  /** The lines without remarks, for they may name a card; below them which log they were written for. */
  text() {
    const lines = this.made.orders.value.split("\n").filter(line => !line.trim().startsWith("#"));
    return `${lines.join("\n").trim()}\n${this.stamp}`;
  }

  letter() { return this.back.reference ? `${this.text()}\n\n${this.back.reference}\n` : `${this.text()}\n`; }

  /** For the thread, without the lines that would tell everybody what is for one. */
  bold() {
    const lines = `${this.desk.advance.thread}\n${this.stamp}`.split("\n").filter(line => line.trim());
    return lines.map(line => `[b]${line.trim()}[/b]\n`).join("");
  }

  /** The text may have been changed since the engine looked at it. */
  async posted() {
    await this.desk.tried();
    const counted = /** @param {string} text */ text => text.split("\n").filter(line => line.trim()).length;
    const whole = counted(this.desk.advance.thread) === counted(this.text()) - 1;
    return this.copied(this.bold(), whole ? "copied_bold" : "copied_without");
  }

  subject() { return this.back.subject || `[${this.desk.page.data.game} ${this.question}]`; }

  /** The links go with the text. */
  follow() {
    const { address, mail, file } = this.made, text = this.letter().replace(/\n/g, "\r\n"), to = address.value.replace(/[\r\n]/g, "");
    const link = `mailto:${encodeURIComponent(to)}?subject=${encodeURIComponent(this.subject())}&body=${encodeURIComponent(text)}`;
    mail.hidden = link.length > MAIL_MOST;
    mail.href = link;
    const head = [...(to ? [`To: ${to}`] : []), `Subject: ${headed(this.subject())}`, "X-Unsent: 1", "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"];
    if (file.href) URL.revokeObjectURL(file.href);
    file.href = URL.createObjectURL(new Blob([`${head.join("\r\n")}\r\n\r\n${text}`], { type: "message/rfc822" }));
  }

  /** By whatever the reader's machine has for it. */
  async shared() {
    try {
      await navigator.share({ title: this.subject(), text: this.letter() });
    } catch { /* he has thought better of it */ }
  }

  /** @param {string} text @param {string} told */
  async copied(text, told = "copied") {
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
    sent.setAttribute("data-desk", told);                   // it follows the reader's language
    sent.textContent = this.desk.say(told);
  }
}

/** Words in the head of a mail, where nothing but ASCII may stand: short ones, each coded for itself. @param {string} words */
function headed(words) {
  const coded = part => `=?utf-8?B?${btoa(String.fromCharCode(...new TextEncoder().encode(part)))}?=`;
  return /^[ -~]*$/.test(words) ? words : (words.match(/.{1,18}/gsu) || []).map(coded).join("\r\n ");
}
