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
        parts.button("copy", () => this.copied(this.letter())), parts.button("bold", () => this.copied(this.bold())),
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

  /** The lines, and below them which log they were written for. */
  text() { return `${this.made.orders.value.trim()}\n${this.stamp}`; }

  letter() { return this.back.reference ? `${this.text()}\n\n${this.back.reference}\n` : `${this.text()}\n`; }

  bold() { return this.text().split("\n").filter(line => line.trim()).map(line => `[b]${line}[/b]\n`).join(""); }

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
    sent.textContent = this.desk.say("copied");
  }
}

/** Words in the head of a mail, where nothing but ASCII may stand: short ones, each coded for itself. @param {string} words */
function headed(words) {
  const coded = part => `=?utf-8?B?${btoa(String.fromCharCode(...new TextEncoder().encode(part)))}?=`;
  return /^[ -~]*$/.test(words) ? words : (words.match(/.{1,18}/gsu) || []).map(coded).join("\r\n ");
}
