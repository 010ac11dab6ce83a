"""Real mail, from the harmless to the hostile: what pbem takes from it."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.base import yamlfile
from pbem.dev import fuzz
from pbem.mail import quotes, reading, shown
from pbem.mail.quotes import Cut
from pbem.mail.sentences import why_of_class

CORPUS = Path(__file__).with_name("corpus")
EXPECTED: dict[str, dict[str, Any]] = {
    f"{group.stem}/{name}": wanted for group in sorted(CORPUS.glob("*.yaml")) for name, wanted in yamlfile.load(group).items()
}


def raw(name: str) -> bytes:
    return (CORPUS / f"{name}.eml").read_bytes()


@pytest.mark.parametrize("name", EXPECTED)
def test_mail(name: str) -> None:
    wanted, mail = EXPECTED[name], reading.understand(raw(name))
    assert mail.class_ == wanted["class"], why_of_class(mail.why)
    assert mail.from_ == (wanted.get("from", "anna@example.org") or "")
    if "lines" in wanted:
        assert list(mail.lines) == [str(line) for line in wanted["lines"]], mail.removed
    assert list(mail.attached) == wanted.get("attached", [])
    if "removed" in wanted:
        assert list(dict.fromkeys(cut.reason for cut in mail.removed)) == wanted["removed"]
    for text in wanted.get("removed_has", []):
        assert any(text in cut.text for cut in mail.removed)
    if "subject" in wanted:
        assert mail.subject == (wanted["subject"] or "")
    if "id" in wanted:
        assert mail.message_id == (wanted["id"] or "")
    if "orders" in wanted:
        assert list(mail.orders) == wanted["orders"]
    assert str(mail.hold).lower() == wanted.get("hold", "false")
    if "bounce" in wanted:
        found = mail.bounce._asdict() if mail.bounce is not None else {}
        told = {key: str(value).lower() if isinstance(value, bool) else value for key, value in found.items()}
        assert {**told, "recipients": list(found.get("recipients", ()))} == (wanted["bounce"] or {"recipients": []})
    if wanted.get("looks") == "true":
        assert mail.looks_like_orders


# --- What is true of every mail -------------------------------------------------------------------


def test_the_corpus_is_whole() -> None:
    files = {str(path.relative_to(CORPUS).with_suffix("")) for path in CORPUS.rglob("*.eml")}
    assert files == set(EXPECTED)
    assert len(files) >= 200


def test_mutated_mails_are_read_or_broken() -> None:
    assert fuzz.mails(1_500, seed=1).failures == []


def test_mutated_order_lines_are_read_or_refused() -> None:
    assert fuzz.order_lines(600, seed=1, each=300).failures == []


def test_the_fuzzer_sees_what_is_wrong() -> None:
    good = reading.understand(raw("answers/one-pass"))
    assert list(fuzz.faults(good)) == []
    for bad in (good._replace(lines=("pass\x1b[2J",)), good._replace(lines=("",)), good._replace(from_="a, b"),
                good._replace(lines=("END",)), good._replace(removed=(Cut("\x00", "quoted"),))):
        assert list(fuzz.faults(bad))


@given(st.binary(max_size=400), st.sampled_from(sorted(EXPECTED)))
def test_any_bytes_can_be_read(noise: bytes, name: str) -> None:
    start = raw(name)
    for data in (noise, noise + start, start + noise, start[:200] + noise + start[200:]):
        mail = reading.understand(data)
        assert "taken apart" not in why_of_class(mail.why)
        assert mail.size == len(data)
        assert list(fuzz.faults(mail)) == []


# --- Bounds ---------------------------------------------------------------------------------------

HEAD = b"From: anna@example.org\nSubject: x\nMIME-Version: 1.0\n"


def nested(depth: int) -> bytes:
    return HEAD + b"".join(b"Content-Type: multipart/mixed; boundary=n%d\n\n--n%d\n" % (one, one) for one in range(depth))


BOMBS = {
    "100 MB": (HEAD + b"\n" + b"pass\n" * 20_000_000, "too large: larger than 10 MB"),
    "header": (HEAD + b"X: y\n" * 80_000 + b"\npass", "too large: a header of more than 256 kB"),
    "nested": (nested(40) + b"\npass", "too large: too many parts in parts"),
    "deep": (nested(20) + b"\npass", "too large: parts nested too deeply"),
    "deep and long": (nested(25) + b"\n" + b"x\n" * 500_000, "too large: too many lines"),
    "parts": (HEAD + b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\npass\n" * 5_000, "too large: too many parts"),
    "many": (HEAD + b"Content-Type: text/plain\n" * 5_000 + b"\npass", "too large: too many parts"),
    "report": (HEAD + b"Content-Type: message/delivery-status\n\n" + b"Status: 5.0.0\n\n" * 6_000,
               "too large: a report that never ends"),
    "type": (HEAD + b"Content-Type: text/a" + b"; a=b" * 2_000 + b"\n\npass", "too large: a type of a part that never ends"),
    "lines": (HEAD + b"\n" + b"\r" * 9_000_000, "too large: too many lines"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_a_reason(name: str) -> None:
    data, why = BOMBS[name]
    start = time.process_time()
    mail = reading.understand(data)
    assert (mail.class_, why_of_class(mail.why), mail.lines) == ("broken", why, ())
    assert mail.from_ == "anna@example.org"
    assert mail.subject == "x"
    assert time.process_time() - start < 2


@pytest.mark.parametrize("page", ["<!--", "<a ", '<a b="', "<div>", "&#1", "<", "</", "<![CDATA[", "<script>", "<blockquote>"])
def test_a_page_that_never_ends_is_read_quickly(page: str) -> None:
    start = time.process_time()
    reading.understand(HEAD + b"Content-Type: text/html\n\n" + page.encode() * (300_000 // len(page)))
    assert time.process_time() - start < 4


def test_many_accents_and_numbers_are_read_quickly() -> None:
    start = time.process_time()
    reading.understand(HEAD + b"Content-Type: text/plain; charset=utf-8\n\n" + ("a" + "\u0300\u0316" * 200_000).encode())
    reading.understand(HEAD + b"Content-Type: text/html\n\n&#" + b"9" * 400_000 + b";")
    reading.understand(b"From: " + b"(" * 200_000 + b"\n\npass")
    assert time.process_time() - start < 4


def test_many_signatures_are_read_quickly() -> None:
    start = time.process_time()
    reading.understand(HEAD + b"\n" + b"--\n\n" * 20_000)
    assert time.process_time() - start < 1


def test_a_header_for_ten_thousand_people_is_read_quickly() -> None:
    start = time.process_time()
    many = ",\n ".join(f"u{number}@m.example" for number in range(10_000))
    ways = "".join(f"Received: from a{number}.example by b.example; Wed, 18 Nov 2026 09:00:00\n" for number in range(1_000))
    mail = reading.understand(f"{ways}To: {many}\n".encode() + HEAD + b"\npass\n")
    assert (mail.class_, mail.from_, mail.lines) == ("human", "anna@example.org", ("pass",))
    assert time.process_time() - start < 2


def test_a_report_without_end_is_still_a_bounce() -> None:
    data = (HEAD + b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n--b\n'
            b"Content-Type: message/delivery-status\n\n" + b"Status: 5.1.1\n\n" * 200_000)
    start = time.process_time()
    assert reading.understand(data).class_ == "bounce"
    assert time.process_time() - start < 2


def test_a_robot_is_a_robot_however_large() -> None:
    assert reading.understand(b"Auto-Submitted: auto-replied\n" + HEAD + b"\n" + b"x\n" * 6_000_000).class_ == "robot"


@pytest.mark.parametrize("kind", ["multipart/report; report-type=disposition-notification", "application/x-return-receipt"])
def test_that_a_mail_was_read_is_no_answer(kind: str) -> None:
    mail = reading.understand(f"From: anna@example.org\nContent-Type: {kind}\n\npass\n".encode())
    assert mail.class_ == "robot" and "read" in why_of_class(mail.why)


# --- Ours -----------------------------------------------------------------------------------------


def ours(head: str) -> str:
    return reading.understand(f"{head}\nFrom: anna@games.example\n\npass\n".encode(), own_domain="games.example",
                              own_loop="pbem@games.example").class_


# --- Who or what wrote it: sign by sign -----------------------------------------------------------

FROM = "From: anna@example.org\n"
STATUS = "Final-Recipient: rfc822; bruno@example.com\nAction: {}\nStatus: {}\n"


def report(*kinds: str, head: str = "From: mailer-daemon@mx.example\n") -> str:
    """A mail of several parts, each with its kind in the first line."""
    return f"{head}Content-Type: multipart/mixed; boundary=b\n\n" + "".join(
        f"--b\nContent-Type: {one}\n" for one in kinds) + "--b--\n"


@pytest.mark.parametrize(("mail", "class_", "why", "detail"), [
    (FROM + "Return-Path: <anna@example.org>\n\npass", "human", "human", ""),
    (FROM + "Return-Path: <>\n\npass", "robot", "no_return_path", ""),
    (FROM + "Return-Path:\n\npass", "robot", "no_return_path", ""),
    ("Subject: x\n\npass", "broken", "no_sender", ""),
    ("From: anna@example.org, bruno@example.org\n\npass", "broken", "several_senders", ""),
    (FROM + "From: \n\npass", "broken", "several_senders", ""),
    (FROM + "From: bruno@example.org\n\npass", "broken", "several_senders", ""),
    (FROM + "X-Post-MessageClass: 9; Autoresponder\n\npass", "robot", "header", "x-post-messageclass"),
    (FROM + "X-Post-MessageClass: 1\n\npass", "human", "human", ""),
    (FROM + "Content-Type: multipart/report; report-type=other; boundary=b\n\n--b--", "robot", "server_report", ""),
    (FROM + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b--", "bounce", "undelivered", ""),
    (FROM + "Subject: Out of office: x\n\npass", "robot", "away_subject", ""),
    (FROM + "Subject: [small] Abwesend\n\npass", "robot", "away_subject", ""),
    (FROM + "Subject: Abwesenden Generälen\n\npass", "human", "human", ""),
    (FROM + "X-Failed-Recipients: bruno@example.com\n\npass", "bounce", "undelivered", ""),
    ("From: bounces@mx.example\nSubject: Undeliverable: x\n\nSorry.", "bounce", "undelivered", ""),
    ("From: bounces@mx.example\nSubject: x\n\nSorry.", "robot", "nobody", ""),
    (FROM + "Subject: Undeliverable: x\nReturn-Path: <>\n\nSorry.", "bounce", "undelivered", ""),
    (FROM + "Subject: Re: Undeliverable: x\nReturn-Path: <>\n\nSorry.", "robot", "no_return_path", ""),
    (FROM + "Subject: Undeliverable: x\n\nSorry.", "human", "human", ""),
    (FROM + "Return-Path: <>\n\nIt could not be delivered.", "bounce", "undelivered", ""),
    ("From: qmail@mx.example\n\nIt could not be delivered.", "bounce", "undelivered", ""),
    ("From: qmail@mx.example\n\nIt could be delivered.", "human", "human", ""),
    (FROM + "\nIt could not be delivered.", "human", "human", ""),
    (report("message/rfc822\n\nSubject: x\n\nIt could not be delivered.", head="From: qmail@mx.example\n"),
     "human", "human", ""),
    (report(*("message/delivery-status\n\nReporting-MTA: dns; x\n\n" + "\n".join(
        STATUS.format(action, "2.0.0") for action in ("delivered", "relayed", "expanded")) for _ in range(1))),
     "robot", "delivery_report", ""),
    (report("text/calendar; method=REPLY\n\nBEGIN:VCALENDAR", head=FROM), "robot", "calendar", ""),
    (report("text/calendar; method=REQUEST\n\nMETHOD:REPLY", head=FROM), "human", "human", ""),
    (report("text/calendar\n\nMETHOD:COUNTER", head=FROM), "robot", "calendar", ""),
    (report("text/calendar\n\nBEGIN:VCALENDAR", head=FROM), "human", "human", ""),
    (report("text/calendar; method=REPLY\n\nBEGIN:VCALENDAR", head=FROM + "List-Id: x\n"), "list", "header", "list-id"),
    (report("text/plain\n\nhello", "text/x-notes; method=REPLY\n\nMETHOD:REPLY", head=FROM), "human", "human", ""),
    (report("text/plain\n\nhello", "message/rfc822\n\nContent-Type: text/calendar; method=REPLY\n\nx", head=FROM),
     "human", "human", ""),
])
def test_by_which_sign_it_is_known(mail: str, class_: str, why: str, detail: str) -> None:
    found = reading.understand(f"{mail}\n".encode(), own_domain="games.example")
    assert (found.class_, found.why.key, found.why.of if detail else "") == (class_, why, detail)


@pytest.mark.parametrize(("line", "could_be"), [
    ("roll", True), ("pass", True), ("march Antigonos > Ephesos", True), ("march", False), ("", False), ("!", False),
    ("march to Ephesos?", False), ("pass?", False), ("I march", False), ("march " + "on " * 98, True),
    ("march on", True), ("march " + "on " * 98 + "!", False),
    ("march " + "on " * 99, False)])
def test_what_could_be_an_order_where_no_game_is_at_hand(line: str, could_be: bool) -> None:
    assert reading.could_be_order(line) is could_be


@pytest.mark.parametrize("reason", [quotes.QUOTED, quotes.SIGNATURE, quotes.LEAD, quotes.EMPTY_FIELD, reading.NO_TEXT])
def test_what_was_cut_out_is_read_without_its_marks(reason: str) -> None:
    is_text = reason in (quotes.QUOTED, quotes.SIGNATURE)
    found = list(reading.unmarked(Cut("> roll\n| pass\n\n>\nEND\n» end", reason)))
    assert found == (["roll", "pass", "end"] if is_text else [])


def test_who_can_read_orders_is_asked_what_a_cut_line_looks_like() -> None:
    mail = f"{FROM}\nhello\n\n> xyzzy\n".encode()
    assert reading.understand(mail, reads=lambda line: line == "xyzzy").looks_like_orders
    assert not reading.understand(mail).looks_like_orders


@pytest.mark.parametrize("more", [0, 1])
def test_of_an_attachment_a_part_is_read_and_the_rest_is_told(more: int) -> None:
    mail = report("text/plain\n\nhello\n", "text/plain; name=a.txt\nContent-Disposition: attachment\n\n" + "roll\n" * (
        reading.MOST_ATTACHED + more), head=FROM)
    found = reading.understand(mail.encode())
    assert len(found.attached) == reading.MOST_ATTACHED
    assert [one for one in found.removed if one.reason == quotes.TOO_LONG] == [Cut("roll", quotes.TOO_LONG)] * more


def test_nothing_is_no_mail() -> None:
    found = [reading.understand(raw) for raw in (b"", b"\n\n", b"hello\n")]
    assert [one.class_ for one in found] == ["broken"] * 3 and found[0].why.key == "no_header"


LONG = "march Antigonos with 2 loyal, 3 mercenary > Ephesos > Sardeis > Pergamon"


@pytest.mark.parametrize(("plain", "page", "read"), [
    ("This is an HTML message", "", ["This is an HTML message"]),
    ("Your mail program does not show HTML", "<p>roll</p>", ["roll"]),
    (LONG.replace(" > Pergamon", "\n> Pergamon"), f"<p>{LONG.replace('>', '&gt;')}</p>", [LONG]),
    ("roll\nend", "<p>roll</p>", ["roll", "end"]), ("march\non", "<p>march on</p>", ["march on"]),
    ("roll", "<p>roll</p><p>end</p>", ["roll"]),
    ("This HTML of yours is odd\nroll\n" + "\n".join(["so it goes"] * 22), "<p>end</p>",
     ["This HTML of yours is odd", "roll", *["so it goes"] * 22]),
    ("roll\nBruno wrote\nend", "<p>roll</p><blockquote>Bruno wrote end</blockquote>", ["roll"]),
])
def test_the_page_says_where_a_text_ends_and_never_more(plain: str, page: str, read: list[str]) -> None:
    mail = report(f"text/plain\n\n{plain}\n", *([f"text/html\n\n{page}\n"] if page else []), head=FROM).replace(
        "multipart/mixed", "multipart/alternative")
    assert list(reading.understand(mail.encode()).lines) == read


@pytest.mark.parametrize(("mail", "told"), [
    (report("message/delivery-status\n\nReporting-MTA: dns; x\n\n" + STATUS.format("failed", "5.1.1")),
     (("bruno@example.com",), "5.1.1", True, "")),
    (report("message/delivery-status\n\nReporting-MTA: dns; x\n\n" + STATUS.format("delayed", "5.1.1")),
     (("bruno@example.com",), "5.1.1", False, "")),
    (report("message/delivery-status\n\nReporting-MTA: dns; x\n\n" + STATUS.format("delayed", "4.1.1") + "\n"
            + STATUS.format("failed", "5.1.1")), (("bruno@example.com",), "5.1.1", True, "")),
    (report("message/delivery-status\n\nReporting-MTA: dns; x\n\nOriginal-Recipient: rfc822; unknown\n"
            + STATUS.format("failed", "5.1.1")), (("bruno@example.com",), "5.1.1", True, "")),
    (report("message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: message/delivery-status\n\n"
            "Reporting-MTA: dns; x\n\n" + STATUS.format("failed", "5.1.1") + "--c--\n"), ((), "", True, "")),
    (report("text/x-notes\n\nMessage-ID: <wrong@x.example>\n\nx", "text/rfc822-headers\n\nMessage-ID: <right@x.example>\n",
            "text/rfc822-headers\n\nMessage-ID: <other@x.example>\n", "text/plain\n\nx"), ((), "", True, "<right@x.example>")),
    ("From: mailer-daemon@mx.example\n\nbruno@example.com and [x]@y.example are unknown, 5.1.1",
     (("bruno@example.com",), "5.1.1", True, "")),
])
def test_what_a_bounce_tells(mail: str, told: tuple[Any, ...]) -> None:
    found = reading.understand(mail.encode()).bounce
    assert found is not None and tuple(found) == told


@pytest.mark.parametrize(("id", "is_ours"), [
    ("0123456789abcdef@Games.example", True), ("0123456789abcdef@example.org", False), ("0123456789abcde@games.example", False),
    (f"{'a' * 24}.0123456789abcdef@games.example", True)])
def test_an_id_is_ours_by_its_domain_and_its_shape(id: str, is_ours: bool) -> None:
    mail = reading.understand(f"{FROM}Message-ID: <{id}>\n\npass\n".encode(), own_domain="games.example")
    assert (mail.class_, mail.why.key) == (("own", "own_id") if is_ours else ("human", "human"))


@pytest.mark.parametrize(("marks", "loop", "class_"), [
    ("me@games.example", "me@games.example", "own"), ("me@games.example", "", "own"),
    ("you@games.example", "me@games.example", "robot")])
def test_the_mark_of_another_mailbox_is_that_of_a_robot(marks: str, loop: str, class_: str) -> None:
    assert reading.understand(f"{FROM}X-Pbem-Loop: {marks}\n\npass\n".encode(), own_loop=loop).class_ == class_


@pytest.mark.parametrize(("head", "voucher", "dmarc"), [
    ("Authentication-Results: MX.example; dmarc=pass header.from=example.org\nReceived: x\n", "above", "pass"),
    ("Received: x\nAuthentication-Results: mx.example; dmarc=pass header.from=example.org\n", "below", "pass"),
    ("Received: x\nAuthentication-Results: other.example; dmarc=pass header.from=example.org\n", "", "none"),
    ("Subject: x\nAuthentication-Results: mx.example; dmarc=pass header.from=example.org\n", "above", "pass"),
    ("Authentication-Results: \n", "", "none"), ("Authentication-Results: mx.example; dmarc=\n", "above", "none"),
    ("Authentication-Results: mx.example; spf=pass\n", "above", "none"),
    ("Authentication-Results: mx.example; dmarc=pass; dmarc=fail\n", "above", "none"),
    ("Authentication-Results: mx.example; dmarc=pass header.from=example.com\n", "above", "none"),
    ("Received: x\n", "", "none")])
def test_where_the_word_of_our_server_stands(head: str, voucher: str, dmarc: str) -> None:
    mail = reading.understand(f"{head}{FROM}\npass\n".encode(), server="mx.example")
    assert (mail.voucher, mail.dmarc) == (voucher, dmarc)
    silent = reading.understand(f"{head}{FROM}\npass\n".encode())
    assert (silent.voucher, silent.dmarc) == ("", "none")


@pytest.mark.parametrize(("date", "told"), [
    ("Wed, 18 Nov 2026 12:00:00 -0000", "2026-11-18T12:00:00+00:00"),
    ("Wed, 18 Nov 2026 12:00:00 +0200", "2026-11-18T10:00:00+00:00"),
    ("soon", "None")])
def test_when_it_was_written(date: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    written = reading.understand(f"{FROM}Date: {date}\n\npass\n".encode()).date
    monkeypatch.undo()
    time.tzset()
    assert (written.isoformat() if written is not None else "None") == told


def test_our_own_mails_are_known_by_loop_header_and_id() -> None:
    assert ours("X-Pbem-Loop: pbem@games.example") == "own"
    assert ours("X-Pbem-Loop: other@elsewhere.example") == "robot"
    assert ours(f"Message-ID: <{'a2' * 12}.0123456789abcdef@games.example>") == "own"
    assert ours("Message-ID: <0123456789abcdef@Games.example>") == "own"


def test_players_may_live_at_our_domain() -> None:
    assert ours("Message-ID: <CAF+abc@games.example>") == "human"


# --- `pbem mail read` -----------------------------------------------------------------------------


def test_read_files_and_show(tmp_path: Path) -> None:
    files = [CORPUS / "signatures" / "dashes.eml", tmp_path / "missing.eml"]
    told = [shown.read_file(file) for file in files]
    assert list(told[0]) == ["file", "class", "from", "subject", "lines", "attached", "removed"]
    assert told[0]["lines"] == ["pass"]
    assert told[0]["removed"] == [{"text": "--\nAnna Beispiel\nmarch Antigonos > Ephesos", "reason": "signature"}]
    assert told[1]["class"] == "broken"
    assert shown.show(told).splitlines() == [
        f"{files[0]}: human", "from     anna@example.org", "subject  Re: [anabasis T2.R3.red.5]", "lines    pass",
        "removed  signature, 3 lines: --", "",
        f"{files[1]}: broken", "from     -", "subject  -", "removed  the file cannot be opened (No such file or directory)"]


def test_each_line_of_a_mail_is_shown_and_named_once(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_text("From: anna@example.org\nSubject: x\n\nroll\nend\n\n> one\n> two\n")
    assert shown.show([shown.read_file(tmp_path / "a.eml")] * 2).count("lines    roll\n         end\nremoved  ") == 2


def test_json_of_every_mail() -> None:
    told = [shown.read_file(file) for file in sorted(CORPUS.rglob("*.eml"))[:100]]
    assert json.loads(json.dumps(told)) == told
