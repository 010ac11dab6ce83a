"""What we write by hand for the wire: the library reads it as what was meant, and no line of it is too long or too strange."""

import email
import email.policy
from email.message import EmailMessage

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pbem.mail import wire

LETTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=400)
WORDS = st.lists(st.text(st.characters(categories=["L", "M", "N", "P", "S"]), min_size=1, max_size=40), min_size=1, max_size=6)


def read(raw: bytes) -> EmailMessage:
    assert all(len(line) <= 78 and line.isascii() and b"\r" not in line and b"\n" not in line for line in raw.split(b"\r\n"))
    return email.message_from_bytes(raw, policy=email.policy.default)


def said(part: EmailMessage) -> str:
    return str(part.get_content()).replace("\r\n", "\n").rstrip("\n")


@settings(max_examples=100, phases=[Phase.generate])
@given(WORDS.map(" ".join), TEXTS, TEXTS, st.binary(max_size=300))
def test_what_is_written_is_read_again(subject: str, plain: str, page: str, data: bytes) -> None:
    whole = wire.several("multipart/alternative", [
        wire.text("text/plain; format=\"flowed\"", plain),
        wire.several("multipart/related", [wire.text("text/html", page), wire.picture("map-1", data)])])
    hangs = wire.text("text/html", page, "Content-Disposition: attachment; filename=\"guide-ru.html\"")
    made = read(wire.mail({"From": "a@example.org", "Subject": subject, "To": "b@example.com"},
                          wire.several("multipart/mixed", [whole, hangs])))
    if "=?" not in subject:
        assert made["Subject"] == subject
    assert (made["From"], made["To"], made["MIME-Version"]) == ("a@example.org", "b@example.com", "1.0")
    kinds = [(one.get_content_type(), one.get_content_disposition()) for one in made.walk()]
    assert kinds == [("multipart/mixed", None), ("multipart/alternative", None), ("text/plain", None),
                     ("multipart/related", None), ("text/html", None), ("image/png", "inline"), ("text/html", "attachment")]
    text, html, image, guide = [one for one in made.walk() if not one.is_multipart()]
    assert text["Content-Type"].params["format"] == "flowed" and image["Content-ID"] == "<map-1@pbem>"
    assert image.get_content() == data and guide.get_filename() == "guide-ru.html"
    assert said(text) == plain.rstrip("\n") and said(html) == page.rstrip("\n") == said(guide)


@settings(max_examples=100, phases=[Phase.generate])
@given(st.text(LETTERS, max_size=200), st.text(LETTERS, max_size=200))
def test_no_value_begins_another_line_of_the_head(one: str, other: str) -> None:
    head = {"Subject": f"{one}\r\nBcc: {other}", "Reply-To": f"{other}\nBcc: {one}"}
    made = read(wire.mail(head, wire.text("text/plain", "x")))
    assert set(made.keys()) == {"Subject", "Reply-To", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}


def test_ids_are_never_encoded_and_each_may_have_a_line_of_its_own() -> None:
    ids = [f"<{'x' * 40}{number}@example.org>" for number in range(4)]
    made = read(wire.mail({"References": " ".join(ids)}, wire.text("text/plain", "x")))
    assert str(made["References"]).split() == ids
    assert b"In-Reply-To: <?@example.org>\r\n" in wire.mail({"In-Reply-To": "<ü@example.org>"}, wire.text("text/plain", "x"))


def test_a_long_subject_in_plain_letters_stays_plain() -> None:
    said = "word, " * 40 + "end"
    raw = wire.mail({"Subject": said}, wire.text("text/plain", "x"))
    assert read(raw)["Subject"] == said and b"=?" not in raw


def test_a_single_part_stands_alone_and_the_same_mail_is_the_same_bytes() -> None:
    part = wire.text("text/plain", "x")
    assert wire.several("multipart/mixed", [part]) is part
    two = [part, wire.text("text/html", "<p>x</p>")]
    assert wire.several("multipart/alternative", two) == wire.several("multipart/alternative", two)
