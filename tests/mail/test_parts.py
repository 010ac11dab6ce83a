"""The parts of a mail, its letters and its bounds: what is read of them, in whatever odd way they were written."""

from typing import Any

import pytest

from pbem.mail import parts, reading
from pbem.mail.quotes import QUOTED
from pbem.mail.reading import EMBEDDED, NO_TEXT, Mail

HEAD = "From: anna@example.org\n"


def mail_of(text: str) -> Mail:
    return reading.understand(text.encode())


def several(*bodies: str, head: str = HEAD) -> str:
    """A mail of parts, each with its head."""
    return f"{head}Content-Type: multipart/mixed; boundary=b\n\n" + "".join(f"--b\n{one}\n" for one in bodies) + "--b--\n"


def in_each_other(depth: int) -> str:
    return HEAD + "".join(f"Content-Type: multipart/mixed; boundary=n{one}\n\n--n{one}\n" for one in range(depth)) + "\npass\n"


# --- Bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "most", "mail", "why"), [
    ("MOST_BYTES", 100, lambda n: HEAD + "\npass\n" + "x" * (n - len(HEAD) - 6), "much_in_all"),
    ("MOST_HEADER", 100, lambda n: HEAD + "X: " + "y" * (n - len(HEAD) - 5) + "\n\npass\n" + "x\n" * 100, "much_header"),
    ("MOST_NESTED", 5, lambda n: HEAD + "\npass\n" + "content-type: multipart/x\n" * n, "much_in_parts"),
    ("MOST_ANNOUNCED", 5, lambda n: HEAD + "\npass\n" + "Content-Type: text/x\nx content-type: y\n" * n, "much_parts"),
    ("MOST_DASHED", 5, lambda n: HEAD + "\npass\n- --\n" + "--x\n" * n, "much_parts"),
    ("MOST_DASHED", 5, lambda n: HEAD + "\npass\n" + "--x\n" * min(n, 5) + "x --x\n" * 9 + "\r--x" * (n - 5), "much_parts"),
    ("LONGEST_TYPE", 50, lambda n: "Content-Type: text/plain; a=" + "b" * (n - 28) + f"\n{HEAD}\npass", "much_type"),
    ("LONGEST_TYPE", 50, lambda n: HEAD + "Content-Type: text/plain;\n a=" + "b" * (n - 29) + "\n\npass", "much_type"),
    ("MOST_BLOCKS", 5, lambda n: HEAD + "\npass\ndelivery-status" + "\n\nx" * (n - 2) + "\r\n\r\n", "much_report"),
    ("MOST_STEPS", 50, lambda n: HEAD + "\npass\n" + "x\n" * (n - 15) + "\r" * 12, "much_lines"),
    ("MOST_STEPS", 50, lambda n: HEAD + "\npass\ncontent-type: message/x" + "\n" * (n * 2 // 3 - 3), "much_lines"),
    ("MOST_PARTS", 5, lambda n: several(*["\npass\n"] * (n - 1)), "much_parts"),
    ("MOST_DEPTH", 5, in_each_other, "much_depth"),
])
def test_what_is_just_small_enough_is_read(limit: str, most: int, mail: Any, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, limit, most)
    good, bad = (mail_of(mail(number)) for number in (most, most + 1))
    assert (good.class_, good.lines[:1]) == ("human", ("pass",)), good.why
    assert (bad.class_, bad.why.key) == ("broken", why)


def test_many_paragraphs_are_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_BLOCKS", 5)
    assert mail_of(f"{HEAD}\n" + "pass\n\n" * 9).class_ == "human"


# --- Header fields --------------------------------------------------------------------------------


@pytest.mark.parametrize("mail", [
    f">From anna Wed Nov 18\n{HEAD}\npass\n", f"{HEAD}>From anna Wed Nov 18\n\npass\n",
    f"{HEAD}>From anna Wed Nov 18\n\npass\n".replace("\n", "\r\n"), f"{HEAD}>From anna Wed Nov 18\nSubject: x\n\npass\n"])
def test_the_mark_of_an_old_mailbox_ends_no_head(mail: str) -> None:
    found = mail_of(mail)
    assert (found.class_, found.from_, found.lines, found.removed) == ("human", "anna@example.org", ("pass",), ())


def test_in_a_text_such_a_mark_is_a_quote() -> None:
    assert [tuple(one) for one in mail_of(f"{HEAD}\npass\n>From here on\n").removed] == [(">From here on", QUOTED)]


@pytest.mark.parametrize(("value", "read"), [
    ("x =? y", "x =? y"), ("=?utf-8?q?Z=C3=BCge?= of Anna", "Züge of Anna"), ("Züge", "Züge"),
    ("=?utf-8?b?x?= of", "=?utf-8?b?x?= of"),
])
def test_a_subject_is_read_as_people_read_it(value: str, read: str) -> None:
    assert mail_of(f"{HEAD}Subject: {value}\n\npass\n").subject == read


@pytest.mark.parametrize("value", ["Anna <a:b@example.org>", "anna@example.org, root"])
def test_who_names_no_address_or_more_than_one_has_no_sender(value: str) -> None:
    assert mail_of(f"From: {value}\n\npass\n").why.key in ("no_sender", "several_senders")


# --- Bytes to text --------------------------------------------------------------------------------


@pytest.mark.parametrize(("data", "charset", "read"), [
    ("模".encode("gbk"), "gbk", "模"), ("да".encode("utf-16"), "utf-16", "да"), ("да".encode("utf-16-be"), "utf-16", "да"),
    ("no Ȁ".encode("utf-16-be"), "utf-16", "no Ȁ"), ("no".encode("utf-16-le"), "utf-16", "no"),
    ("łódź".encode("iso8859-2"), "ISO 8859-2", "łódź"), ("Züge".encode(), "us-ascii", "Züge"), (b"x", "", "x"),
    ("Züge".encode(), "\x00", "Züge"), ("Züge".encode(), "punycode", "Züge"), ("Züge".encode(), "iso-8859-1", "Züge"),
    ("Züge".encode("cp1252"), "iso-8859-1", "Züge"),
])
def test_letters_are_read_in_the_way_that_gives_words(data: bytes, charset: str, read: str) -> None:
    assert parts.text_of(data, charset) == read


@pytest.mark.parametrize("charset", ["", "utf-8", "koi8-r"])
def test_only_a_page_says_itself_how_its_letters_are_written(charset: str) -> None:
    said = f"; charset={charset}" if charset else ""
    text = "<meta charset=koi8-r>да".encode("koi8-r" if charset == "koi8-r" else "utf-8")
    mail = reading.understand(f"{HEAD}Content-Type: text/plain{said}\nContent-Transfer-Encoding: 8bit\n\n".encode() + text)
    assert mail.lines == ("<meta charset=koi8-r>да",)


# --- How it travelled -----------------------------------------------------------------------------


@pytest.mark.parametrize(("how", "body", "read"), [
    ("quoted-printable", "a=3D41", "a=41"), ("Quoted-Printable (by x)", "roll=\n ing", "roll ing"),
    ("base64", "cGFzcw==", "pass"), ("base64", "cGFzcw", "pass"),
    ("base64", "cm9sbCB0aGUgZGljZSBvZiB0aGUgZ29kcyBhbmQga2luZ", "roll the dice of the gods and kin"),
])
def test_a_text_is_read_however_it_travelled(how: str, body: str, read: str) -> None:
    assert mail_of(f"{HEAD}Content-Transfer-Encoding: {how}\n\n{body}\n").lines == (read,)


# --- The tree of parts ----------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "name"), [
    ("filename=map.pdf", "map.pdf"), ("filename*=utf-8''k%C3%A4se.pdf", "käse.pdf"), ("filename*=koi8-r''%C4%C1.pdf", "да.pdf"),
    ("filename*=''k%C3%A4se.pdf", "käse.pdf"), ("filename*=map.pdf", "map.pdf"), ("x=y", "application/pdf")])
def test_what_is_no_text_is_told_by_its_name_or_kind(field: str, name: str) -> None:
    part = f"Content-Type: application/pdf\nContent-Disposition: attachment; {field}\n\nx"
    assert [tuple(one) for one in mail_of(several("\npass", part)).removed] == [(name, NO_TEXT)]


TEXT, NAMED = "Content-Type: text/plain\n\nroll", "Content-Type: text/plain; name=a.txt\n\nend"


@pytest.mark.parametrize(("mail", "lines", "attached"), [
    (several(TEXT, NAMED), ["roll"], ["end"]), (several(NAMED, TEXT), ["roll"], ["end"]), (HEAD + NAMED, ["end"], []),
    (several(TEXT, TEXT.replace("roll", "end")), ["roll"], ["end"]), (several(TEXT.replace("roll", " "), TEXT), ["roll"], []),
    (several(NAMED.replace("\n", "\nContent-Disposition: attachment\n", 1), TEXT), ["roll"], ["end"]),
])
def test_what_bears_a_name_hangs_on_the_mail(mail: str, lines: list[str], attached: list[str]) -> None:
    found = mail_of(mail)
    assert (list(found.lines), list(found.attached)) == (lines, attached)


def test_of_mails_inside_of_a_mail_five_texts_are_told() -> None:
    inside = [f"Content-Type: message/rfc822\n\nContent-Type: text/{kind}\n\n{number}" for number in range(7)
              for kind in ("html", "plain")]
    found = mail_of(several(TEXT, *inside))
    assert found.lines == ("roll",)
    assert [tuple(one) for one in found.removed] == [(str(number), EMBEDDED) for number in range(5)]


def test_how_a_part_of_a_bounce_says_its_letters_are_written_is_not_asked() -> None:
    mail = "From: mailer-daemon@mx.example\nContent-Type: text/plain; charset*=utf-8''utf-8\n\nbruno@example.com is unbekännt\n"
    assert mail_of(mail).class_ == "bounce"
