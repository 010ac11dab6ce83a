// Handing over: the text as it goes out, by mail or into the thread, with the log in its last line that it was written for.

const MAIL_MOST = 1900;                                     // signs of a link that every mail program opens

class HandOver {
  /** @param {OrderDesk} desk */
  constructor(desk) {
    this.desk = desk;
    this.question = "";
    const { parts } = desk;
    this.made = parts.made;
    this.section = document.createElement("div");
    this.section.append(
      parts.one("send_title", "h3", { "data-desk": "send_title" }), parts.one("send_intro", "p", { "data-desk": "send_intro" }),
      parts.row(parts.labelled("address", parts.one("address", "input", { type: "email", size: "24", autocomplete: "off" }))),
      parts.row(parts.one("mail", "a", { "data-desk": "mail" }), parts.button("copy", () => this.copied(this.letter())),
        parts.button("bold", () => this.copied(this.bold())),
        parts.one("file", "a", { "data-desk": "file", download: "orders.eml" })),
      parts.one("sent", "p", { role: "status" }));
    this.made.address.addEventListener("input", () => this.follow());
  }

  /** What is asked names the mail. @param {Row} found */
  opened(found) { this.question = found.question; }

  /** What is sent: the lines, and in the last which log they were written for. */
  letter() {
    const { data } = this.desk.page;
    return `${this.made.orders.value.trim()}\n# pbem ${data.engine}, ${data.game}, ${this.desk.log.log.length}: ${data.head.slice(0, 32)}\n`;
  }

  bold() {
    return this.letter().trim().split("\n").map(line => `[b]${line}[/b]`).join("\n") + "\n";
  }

  subject() { return `[${this.desk.page.data.game} ${this.question}]`; }

  /** The links go with the text. */
  follow() {
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
    sent.textContent = this.desk.say("copied");
  }
}
