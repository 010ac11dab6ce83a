"""A mail in HTML becomes lines. Where mail programs mark quotes and signatures, the marks are kept with each line.

Nothing is fetched, nothing is run, and no text is believed that its reader could not see. The scanner reads every
character a bounded number of times: the parser of the standard library takes minutes over 300 kB of `<!--`.
"""

import html
import re
from collections.abc import Mapping

from pbem.mail.quotes import EARLIER, FORWARDED, HIDDEN, LEAD, QUOTED, SIGNATURE, Row, clean
from pbem.mail.visible import PLAIN, Look, Sheet, is_seen, look_of

LONGEST = 500_000

BLOCKS = frozenset("""
    address article aside blockquote body center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr html li
    main nav ol p pre section table tbody tfoot thead tr ul
""".split())
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
UNSEEN = frozenset("head title style script template noscript object svg textarea select".split())
RAW = frozenset(("style", "script", "title", "textarea"))           # no tags are read inside these
PARAGRAPHS = frozenset("p h1 h2 h3 h4 h5 h6 ul ol table".split())

_ATTRIBUTE = re.compile(r"""([a-zA-Z][-\w]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]*)")
_GIVEN = re.compile(r"""((?:[^=>]++|=\s*+(?:"[^"]*"|'[^']*'|(?!["'])))*+)>""")       # a > may stand inside of quotation marks

# What mail programs call their own parts: class or id (also with the `x_` that a second program puts before it).
PARTS = {
    "gmail_attr": LEAD, "moz-cite-prefix": LEAD, "gmx_quote": QUOTED, "yahoo_quoted": QUOTED, "protonmail_quote": QUOTED,
    "tutanota_quote": QUOTED, "zmail_extra": QUOTED, "applemailquote": QUOTED, "iossymantecquote": QUOTED,
    "appleoriginalcontents": EARLIER, "divrplyfwdmsg": EARLIER, "mail-editor-reference-message-container": EARLIER,
    "outlookmessageheader": EARLIER, "moz-forward-container": FORWARDED, "isforwardcontent": FORWARDED,
    "gmail_signature": SIGNATURE, "gmail_signature_prefix": SIGNATURE, "moz-signature": SIGNATURE,
    "ms-outlook-mobile-signature": SIGNATURE, "protonmail_signature_block": SIGNATURE, "applemailsignature": SIGNATURE,
    "messagereplysection": QUOTED, "messagesignaturesection": SIGNATURE,
    "signature": SIGNATURE, "yahoo-signature": SIGNATURE, "mobile_signature": SIGNATURE,
}
TO_THE_END = frozenset(("appendonsend", "divrplyfwdmsg", "stopspelling", "outlookmessageheader"))


class _Reduction:
    """Text and tags in, rows out. The stack holds open elements with what they mean for the text inside."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.text: list[str] = []
        self.text_why = ""
        self.unseen: list[str] = []
        self.stack: list[tuple[str, str, bool, bool, Look]] = []        # tag, why, keeps line breaks, seen, how it looks
        self.sheet = Sheet()
        self.open: dict[str, int] = {}
        self.rest = ""                                          # reason to cut everything from here on

    @property
    def why(self) -> str:
        return self.rest or (self.stack[-1][1] if self.stack else "")

    @property
    def keeps_breaks(self) -> bool:
        return bool(self.stack) and self.stack[-1][2]

    @property
    def seen(self) -> bool:
        return not self.stack or self.stack[-1][3]

    def data(self, text: str) -> None:
        if not self.seen:
            return
        text = _unescaped(text)
        if self.why == HIDDEN:
            self.unseen.append(text)
            return
        if text.strip() and self.why != self.text_why:
            self.line()
            self.text_why = self.why
        if not self.keeps_breaks:
            self.text.append(re.sub(r"[ \t\r\n\f\xa0]+", " ", text))
            return
        for number, line in enumerate(re.split(r"\r\n|\r|\n", text)):
            if number:
                self.line(blank=True)
                self.text_why = self.why
            self.text.append(line)

    def hidden(self, text: str) -> None:
        """What only the source of the page shows."""
        if self.seen:
            self.unseen.append(_unescaped(text))

    def line(self, blank: bool = False) -> None:
        text = clean("".join(self.text)).strip()
        self.text.clear()
        if text:
            self.rows.append(Row(text, self.text_why))
        elif blank:
            self.rows.append(Row(""))
        if unseen := clean(" ".join(self.unseen)).strip():
            self.rows.append(Row(unseen, HIDDEN))
        self.unseen.clear()

    def start(self, tag: str, given: str) -> None:
        if tag == "br":
            self.line(blank=True)
            return
        if tag in BLOCKS:
            self.line(blank=tag in PARAGRAPHS)
        elif tag in ("td", "th"):
            self.text.append(" ")
        attributes = _attributes(given)
        marks = _marks(attributes)
        if marks & TO_THE_END:
            self.rest = EARLIER
        if tag in VOID:
            return
        why = (self.why if self.why != HIDDEN else "") or _meaning(tag, attributes, marks)
        seen = self.seen and tag not in UNSEEN
        now = look_of(self.stack[-1][4] if self.stack else PLAIN, attributes, self.sheet.of(tag, attributes))
        if not is_seen(now):
            why = HIDDEN
        self.stack.append((tag, why, tag == "pre" or self.keeps_breaks or "pre-wrap" in attributes.get("style", ""), seen, now))
        self.open[tag] = self.open.get(tag, 0) + 1

    def end(self, tag: str) -> None:
        if tag in BLOCKS:
            self.line(blank=tag in PARAGRAPHS)
        if not self.open.get(tag):
            return
        while True:
            last, *_ = self.stack.pop()
            self.open[last] -= 1
            if last == tag:
                return


def rows_of(page: str) -> list[Row]:
    """The lines of a page, those in quotes, signatures and earlier mails with their reason."""
    made = _Reduction()
    page = page[:LONGEST]
    place = 0
    while (opened := page.find("<", place)) >= 0:
        made.data(page[place:opened])
        place = _tag(page, opened, made)
    made.data(page[place:])
    made.line()
    return made.rows


def _tag(page: str, at: int, made: _Reduction) -> int:
    """Take in what begins with `<`; the place after it. What never ends no browser shows."""
    if page.startswith("<!--", at):
        end = _next(page, "-->", at)
        if not page.startswith("<!--[", at):                    # what one mail program writes for another: `<!--[if mso]>`
            made.hidden(page[at + len("<!--"):end])
        return end + len("-->")
    name = _NAME.match(page, at)
    if name is None and page.startswith(("<!", "<?", "</"), at):
        return _next(page, ">", at) + 1
    if name is None:
        made.data("<")
        return at + 1
    given = _GIVEN.match(page, name.end())
    if given is None:
        made.hidden(page[at:])
        return len(page)
    tag = name[2].lower()
    if name[1]:
        made.end(tag)
        return given.end()
    made.start(tag, given[1])
    if tag not in RAW:
        return given.end()
    closing = re.compile(f"</{tag}", re.IGNORECASE).search(page, given.end())
    end = closing.start() if closing is not None else len(page)
    if tag == "style":
        made.sheet.read(page[given.end():end])
    return end


def _next(page: str, sign: str, at: int) -> int:
    """Where a sign stands next; the end if it does not."""
    found = page.find(sign, at)
    return found if found >= 0 else len(page)


def _attributes(given: str) -> dict[str, str]:
    found = {name.lower(): _unescaped(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(given)}
    if re.search(r"\shidden(?:\s|/|\Z)", given):
        found["hidden"] = ""
    return found


def _unescaped(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:                                          # &#99999...; with more digits than Python counts
        return text


def _marks(attributes: Mapping[str, str]) -> set[str]:
    names = " ".join(attributes.get(one, "") for one in ("class", "id", "name", "data-smartmail", "fairemail")).lower().split()
    return {re.sub(r"\A(?:x_)+", "", name) for name in names}


def _meaning(tag: str, attributes: Mapping[str, str], marks: set[str]) -> str:
    if tag == "blockquote":
        indented = "border:none" in re.sub(r"\s", "", attributes.get("style", "")) and attributes.get("type") != "cite"
        return "" if indented else QUOTED
    if tag == "div" and attributes.get("name") == "quote":
        return QUOTED
    for mark in marks:
        if mark in PARTS:
            return PARTS[mark]
        if mark.endswith(("yahoo_quoted", "yahoo_quoted_begin")):
            return QUOTED
    return ""
