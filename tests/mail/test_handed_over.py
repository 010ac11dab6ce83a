"""What the order desk hands over is taken by the moderator's program without any special path: the script that hands over runs
here (QuickJS, with the fields of a page and nothing else), and what it makes goes through the mailbox, into the thread, or into
`pbem order --file`; from an old page the receipt says so, and a mail from a seat's own page finds its game by the reference."""

import json
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import quickjs
from at_the_shell import said as pbem
from table import Table, all_of, body

from pbem import __version__
from pbem.base.language import sentences
from pbem.base.paths import data_dir, languages
from pbem.mail import config, entered, paste

MARCH = {"en": "march Antigonos > Ephesos", "de": "marschiere Antigonos > Ephesos", "it": "marcia Antigonos > Ephesos",
         "ru": "поход Антигон > Эфес"}
DONE = "march Antigonos with 2 loyal, 3 mercenary > Ephesos"
OLDER = "Your page had the log up to entry 2"
FIELDS = """
let kept = "";
const field = () => ({ value: "", append() {}, addEventListener() {}, hidden: false, textContent: "" });
const document = { createElement: field }, navigator = { share() {} };
const URL = { createObjectURL: blob => { kept = blob.text; return "blob:"; }, revokeObjectURL() {} };
const Blob = class { constructor(parts) { this.text = parts.join(""); } };
const bytes = text => { const coded = unescape(encodeURIComponent(text)); return [...coded].map(sign => sign.charCodeAt(0)); };
const TextEncoder = class { encode(text) { return bytes(text); } };
const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const btoa = text => {
    let made = "";
    for (let at = 0; at < text.length; at += 3) {
        const [a, b, c] = [0, 1, 2].map(place => at + place < text.length ? text.charCodeAt(at + place) : NaN);
        made += signs[a >> 2] + signs[(a & 3) << 4 | b >> 4];
        made += (isNaN(b) ? "=" : signs[(b & 15) << 2 | c >> 6]) + (isNaN(c) ? "=" : signs[c & 63]);
    }
    return made;
};
const made = {};
const parts = {
    made, one: name => made[name] = field(), button: name => made[name] = field(), labelled: (name, one) => one, row: field };
"""


class Ways:
    """A page's hand-over with these orders in it."""

    def __init__(self, table: Table, orders: str, back: dict[str, str], entries: int = 3) -> None:
        asked = table.desk().match.question
        opened = {"question": asked.id if asked else "", "entries": entries, "head": table.desk().game.head(entries)}
        page = {"engine": __version__, "game": "small", "way_back": back}
        code = (data_dir() / "desk/hand_over.js").read_text("utf-8")
        self.context = quickjs.Context()
        self.context.eval(f"{FIELDS}{code}\nvar out = new HandOver({{ parts, page: {{ data: {json.dumps(page)} }}, "
                          f"say: key => key, advance: {{ thread: {json.dumps(orders)} }} }});")
        self.context.eval(f"out.opened({json.dumps(opened)}); made.orders = {{ value: {json.dumps(orders)} }}; out.follow();")

    def said(self, what: str) -> Any:
        return self.context.eval(what)


@pytest.fixture
def rolled(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("PBEM_MAIL", str(table.config.path))
    table.started()
    table.reply("red", "roll")
    table.run()
    return table


def ways(table: Table, language: str = "en", *, entries: int = 3, own: bool = True) -> Ways:
    back = entered.way_back(table.game, "red") if own else {}
    return Ways(table, MARCH[language], back, entries)


def by_link(table: Table, found: Ways) -> None:
    link = urlsplit(found.said("made.mail.href"))
    told = parse_qs(link.query)
    to = unquote(link.path) or "host@example.org"
    table.post("red", told["body"][0].replace("\r\n", "\n"), subject=told["subject"][0], to=to)


def by_file(table: Table, found: Ways) -> None:
    """The .eml as a mail program sends it, with whose it is and when."""
    sent = f"From: anna@example.com\r\nMessage-ID: <eml.1@example.com>\r\n{found.said('kept')}"
    table.deliver(sent.encode())


def by_answer(table: Table, found: Ways) -> None:
    """Copied, or shared, into an answer to the mail that asked."""
    table.reply("red", found.said("out.letter()"), quote=True)


WAYS = {"mailto": by_link, "eml": by_file, "copy": by_answer}


@pytest.mark.parametrize("entries", [3, 2])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("language", languages())
def test_by_mail(rolled: Table, way: str, language: str, entries: int) -> None:
    pbem("seat", rolled.game, "red", "--language", language)
    WAYS[way](rolled, ways(rolled, language, entries=entries))
    rolled.run()
    told = " ".join(all_of(rolled.inbox("red")).split())
    assert rolled.did()[-1] == DONE and rolled.states()[-1] == "applied"
    assert "# pbem" not in told
    if language == "en":
        assert (OLDER in told) is (entries == 2)


def test_from_everybodys_page_a_new_mail_is_asked_whether_it_is_his_and_an_answer_is_not(rolled: Table) -> None:
    """It has no reference; so its words say that one had best answer the mail that asked."""
    found, asked = ways(rolled, own=False), rolled.desk().match.question
    assert asked is not None
    assert "eference" not in found.said("out.letter()") and found.said("out.subject()") == f"[small {asked.id}]"
    by_link(rolled, found)
    rolled.run()
    assert rolled.states()[-1] == "confirm" and rolled.did()[-1] != DONE
    rolled.reply("red", "yes")
    rolled.run()
    assert rolled.did()[-1] == DONE
    assert "answer with it the mail that asked you" in sentences("en", "desk")["send_intro"]


def test_an_answer_with_what_everybodys_page_gives_counts_at_once(rolled: Table) -> None:
    by_answer(rolled, ways(rolled, own=False))
    rolled.run()
    assert rolled.did()[-1] == DONE and rolled.states()[-1] == "applied"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("entries", [3, 2])
def test_in_the_thread_and_at_the_moderators_desk(rolled: Table, language: str, entries: int) -> None:
    """Nothing that brings a mail home stands in the thread; the moderator's copy of a letter may have it."""
    found = ways(rolled, language, entries=entries)
    bold = found.said("out.bold()")
    assert entered.way_back(rolled.game, "red")["reference"].split()[-1] not in bold and "@" not in bold
    file = rolled.folder / "letter.txt"
    file.write_text(found.said("out.letter()"))
    told = " ".join(pbem("order", rolled.game, "red", "--file", file, "--dry-run").split())
    assert DONE in told
    answer = " ".join(paste.order(rolled.game, "red", "4711", bold, rolled.now).split())
    assert rolled.did()[-1] == DONE and (OLDER in answer) is (entries == 2)


@pytest.mark.parametrize(("language", "most"), [("en", 25), ("ru", 7)])
def test_a_link_is_there_while_every_mail_program_opens_it(rolled: Table, language: str, most: int) -> None:
    for lines, hidden in ((1, False), (most, False), (40, True)):
        back = entered.way_back(rolled.game, "red")
        found = Ways(rolled, "\n".join([MARCH[language]] * lines), back)
        assert found.said("made.mail.hidden") is hidden, (lines, len(found.said("made.mail.href")))
        assert hidden or len(found.said("made.mail.href")) <= 1900


def test_a_question_leads_to_the_page_where_there_is_one(table: Table) -> None:
    table.config = config.write(table.config.path, {**table.config.data, "pages": "https://example.org/{game}/"})
    table.started()
    assert "https://example.org/small/" in body(table.last("red"))
    table.waited(40)
    assert "https://example.org/small/" in body(table.last("red", "still open"))


def test_and_to_none_where_there_is_none(table: Table) -> None:
    table.started()
    assert "example.org/" not in body(table.last("red"))
