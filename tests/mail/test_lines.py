"""Which lines of a mail are requests, orders, or talk, and where a letter in it ends."""

import re
import textwrap
from pathlib import Path

import pytest
from small_game import NOON, at_window
from table import Unconnected, body
from test_time import asked_for_interception

from pbem.desk import posing
from pbem.desk.showing import plain_words
from pbem.desk.tray import Priced
from pbem.mail import lines, reading
from pbem.mail.desk import MailDesk
from pbem.mail.lines import Lines
from pbem.mail.quotes import QUOTED, Cut
from pbem.orders.tongues import TONGUES

HELLO, OTHER = "press red: hello", "press blue: b"
IN_MARKS = re.compile(r"""["„«]([^"“»„«]+)["“»]""")
STANDING = "standing: pass on interception,"
ATTACHED = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n{}\n--b\nContent-Type: text/plain; name=a.txt\n\nend\n--b--\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> MailDesk:
    """Blue is asked whether he intercepts; Black is not asked. Nothing here changes it."""
    folder: Path = tmp_path_factory.mktemp("lines") / "g"
    at_window(folder)
    return MailDesk(folder, now=NOON)


@pytest.mark.parametrize(("given", "requests", "orders", "talk"), [
    (["Hello Anna", "roll", "what a mess", "end", "I think that is all"], [], ["roll", "what a mess", "end"],
     ["I think that is all"]),
    (["mrach Antigonos > Ephesos", "roll", "mrach Demetrios > Issos"], [],
     ["mrach Antigonos > Ephesos", "roll", "mrach Demetrios > Issos"], []),
    (["mrach Antigonos > Ephesos", "what a day it was"], [], ["mrach Antigonos > Ephesos"], ["what a day it was"]),
    (["what a day it was", "thanks"], [], [], ["what a day it was"]),
    (["roll, " + "and on it goes " * 20], [], [], ["roll, " + ("and on it goes " * 20).strip()]),
    (["check", "roll", "march Demetrios > Issos"], ["check\nroll\nmarch Demetrios > Issos"], [], []),
    (["check", "roll", "status", "end"], ["check\nroll", "status"], ["end"], []),
    (["status", "", "roll"], ["status"], ["roll"], []),
    (["march Demetrios >", "Issos"], [], ["march Demetrios > Issos"], []),
    (["march Demetrios >", "status"], ["status"], ["march Demetrios >"], []),
    (["march Demetrios >", "", "Issos"], [], ["march Demetrios >"], ["Issos"]),
    (["march Demetrios >", "roll"], [], ["march Demetrios >", "roll"], []),
    (["march Demetrios >", "Issos", "roll"], [], ["march Demetrios > Issos", "roll"], []),
    (["march Demetrios >", "what a mess"], [], ["march Demetrios >"], ["what a mess"]),
    (["march Demetrios", "> Issos"], [], ["march Demetrios"], ["> Issos"]),
    (["march Demetrios with 1 mercenary,", "2 loyal >", "Issos"], [],
     ["march Demetrios with 1 mercenary, 2 loyal > Issos"], []),
    ([STANDING, "status"], ["status"], [STANDING], []), ([STANDING, "roll"], [], [STANDING, "roll"], []),
    ([STANDING, "always,", "Blue"], [], [f"{STANDING} always, Blue"], []),
    (["roll", "mrach Demetrios > Issos", "I think that is all"], [], ["roll", "mrach Demetrios > Issos"],
     ["I think that is all"]),
    (["[ ] pass", "[x] pass"], [], ["pass"], ["[ ] pass"]),
    (["standing: pass on interception, always"], [], ["standing: pass on interception, always"], []),
    (["", "  ", "roll", "", "end"], [], ["roll", "end"], []),
])
def test_what_is_meant(desk: MailDesk, given: list[str], requests: list[str], orders: list[str], talk: list[str]) -> None:
    found = lines.sort(desk, "black", given)
    assert (list(found.requests), list(found.orders), [one.strip() for one in found.talk], list(found.unclear)) == (
        requests, orders, talk, [])
    assert found.counts() is any(not one.startswith("standing") for one in orders)


@pytest.mark.parametrize(("given", "word", "requests", "orders", "unclear"), [
    ([HELLO, "", "roll"], "", [HELLO, ""], [], ["roll"]),
    ([HELLO, "", "roll"], lines.ENDS, [f"{HELLO}\n"], ["roll"], []),
    ([HELLO, "", "roll"], lines.GOES_ON, [f"{HELLO}\n\nroll"], [], []),
    ([HELLO, "", "it will rain"], "", [f"{HELLO}\n\nit will rain"], [], []),
    ([HELLO, "/press", "roll"], "", [f"{HELLO}\n/press"], ["roll"], []),
    (["press red:", "", "roll"], "", ["press red:\n\nroll"], [], []),
    ([HELLO, "roll"], "", [f"{HELLO}\nroll"], [], []), ([HELLO, "it", "roll"], "", [f"{HELLO}\nit\nroll"], [], []),
    ([HELLO, "/press", "roll", "", OTHER, "/press"], "", [f"{HELLO}\n/press", f"{OTHER}\n/press"], ["roll"], []),
    ([HELLO, "", OTHER, "", "status"], "", [HELLO, ""], [], [OTHER, "status"]),
    ([HELLO, "", OTHER, "/press"], "", [HELLO, ""], [], [OTHER, "/press"]),
    ([HELLO, "", "status", "/press", "roll"], "", [f"{HELLO}\n\nstatus\n/press"], ["roll"], []),
    ([HELLO, "", "Standing there I saw you"], "", [f"{HELLO}\n\nStanding there I saw you"], [], []),
    ([HELLO, "", "standing: pass on interception, always"], "", [HELLO, ""], [], ["standing: pass on interception, always"]),
])
def test_where_a_letter_ends_is_sure_or_asked(
        desk: MailDesk, given: list[str], word: str, requests: list[str], orders: list[str], unclear: list[str]) -> None:
    found = lines.sort(desk, "black", given, word)
    assert (list(found.requests), list(found.orders), list(found.unclear)) == (requests, orders, unclear)


@pytest.mark.parametrize(("text", "requests", "orders", "are_attached"), [
    (ATTACHED.format("roll"), [], ["roll"], False), (ATTACHED.format("hello"), [], ["end"], True),
    (ATTACHED.format("status"), ["status"], [], False),
    ("\nhello\n", [], [], False), ("\nroll\n\nend\n", [], ["roll", "end"], False),
    (f"\n{HELLO}\n\nit rains\n", [f"{HELLO}\n\nit rains"], [], False),
    ("\nHello\n[ ] pass\nb [x] Lysimachos\n", [], ["b"], False),
])
def test_an_attachment_counts_where_a_mail_says_nothing_itself(
        desk: MailDesk, text: str, requests: list[str], orders: list[str], are_attached: bool) -> None:
    found = lines.meant(desk, "blue", reading.understand(f"From: bruno@example.org\n{text}".encode()))
    assert (list(found.requests), list(found.orders), found.are_attached) == (requests, orders, are_attached)


@pytest.mark.parametrize(("quoted", "told"), [
    ("march Antigonos > Ephesos", "march Antigonos > Ephesos"), ("[x] Lysimachos", "[x] Lysimachos"), ("hello there", ""),
    ("intercept Lysimachos from Sardeis with 2 loyal, 2", ""), ("intercept Lysimachos from", ""),
    ("intercept Lysimachos", "intercept Lysimachos"), ("pass", "pass"),
    ("hello there\n> march Antigonos > Ephesos", "march Antigonos > Ephesos"),
    ("b intercept Lysimachos from Sardeis with 2 loyal, 2 mercenary", ""),
])
def test_of_what_he_quotes_only_that_is_told_which_is_not_ours(desk: MailDesk, quoted: str, told: str) -> None:
    found = lines.meant(desk, "blue", reading.understand(f"From: bruno@example.org\n\nroll\n\n> {quoted}\n".encode()))
    assert found.like_an_order == told and found.orders == ["roll"]


@pytest.mark.parametrize(("found", "told"), [
    (Lines(), []), (Lines(removed=[Cut("\n", QUOTED)]), []),
    (Lines(talk=["what a day", "bye"]), ['Not read as orders: 2 lines around them, beginning "what a day".']),
    (Lines(removed=[Cut("> x\n\n> y", QUOTED)]), ["I cut 2 lines; none looked like orders."]),
    (Lines(talk=["bye"], removed=[Cut("> roll", QUOTED)], like_an_order="roll"), [
        'Not read as orders: 1 line around them, beginning "bye".',
        'Some of what I cut reads like orders, for instance "roll".']),
])
def test_what_was_passed_over_is_remarked(found: Lines, told: list[str]) -> None:
    said = lines.remarks(plain_words(), found)
    assert len(said) == len(told) and all(one.startswith(start) for one, start in zip(said, told, strict=True))


# --- our own words, where a mail program has set no marks before them ---------------------------------------------------------


@pytest.mark.parametrize(("above", "below"), [("roll", ""), ("", "roll"), ("roll", "march Antigonos > Ephesos")])
def test_our_mail_that_comes_back_without_marks_is_cut_out_and_what_stands_around_it_counts(
        quiet: Unconnected, above: str, below: str) -> None:
    first = quiet.started().last("red")
    quiet.post("red", f"{above}\n\n{body(first).replace('-- ', '')}\n\n{below}\n", answers=first)
    quiet.run()
    assert [one.split()[0] for one in quiet.did()] == [one.split()[0] for one in (above, below) if one]
    told = " ".join(body(quiet.last("red")).split())
    assert "none looked like orders" in told and "Not read as orders" not in told


def test_our_mail_is_known_though_it_was_broken_otherwise_and_ends_in_a_signature(quiet: Unconnected) -> None:
    first = quiet.started().last("red")
    broken = "\n".join(line for part in body(first).split("\n\n") for line in textwrap.wrap(" ".join(part.split()), 60))
    own, _, foot = broken.rpartition("-- ")
    quiet.post("red", f"roll\n\n{own}\n-- \n{foot}", answers=first)
    quiet.run()
    assert quiet.did() == ["roll"] and "Not read as orders" not in " ".join(body(quiet.last("red")).split())


@pytest.mark.parametrize("above", [
    "march Antigonos > Ephesos", "Here is what I thought about it for so long:\nmarch Antigonos > Ephesos"])
def test_above_our_words_an_order_counts_though_we_offered_it_in_the_same_words(quiet: Unconnected, above: str) -> None:
    quiet.started().reply("red", "roll")
    quiet.run()
    ours = body(quiet.last("red"))
    assert "march Antigonos > Ephesos" in ours
    quiet.reply("red", f"{above}\n\n{ours.replace('-- ', '')}")
    quiet.run()
    assert [one.split()[0] for one in quiet.did()] == ["roll", "march"]


def test_what_he_quotes_of_an_older_mail_is_ours_as_well(quiet: Unconnected) -> None:
    first = quiet.started().last("red")
    quiet.reply("red", "roll")
    quiet.run()
    assert "raise mercenary at Halikarnassos" in body(first)
    for line, told in (("raise mercenary at Halikarnassos", "none looked"), ("raise mercenary at Pella", "for instance")):
        quiet.reply("red", f"status\n\n> {line}")
        quiet.run()
        assert told in " ".join(body(quiet.last("red")).split())


def test_what_stands_in_marks_cuts_nothing_of_what_he_says_in_our_words(quiet: Unconnected) -> None:
    first = quiet.started().last("red")
    ours = "Your Activation Segment, Game Turn II, round 1. The movement die has not fallen yet."
    assert ours in body(first)
    quiet.reply("red", f"{ours}\nroll", quote=True)
    quiet.run()
    assert quiet.did() == ["roll"]


def test_what_only_names_a_reference_of_ours_is_not_cut(quiet: Unconnected) -> None:
    """Nothing of the mail that it belongs to stands above it, or only a word that anybody writes."""
    first = quiet.started().last("red")
    reference = body(first).split()[-1]
    quiet.post("red", f"You are Red.\nroll\n{reference}\n", answers=first)
    quiet.run()
    told = " ".join(body(quiet.last("red")).split())
    assert quiet.did() == ["roll"] and 'beginning "You are Red."' in told


def test_a_line_of_an_order_is_broken_by_an_empty_one_only_where_a_letter_stands(desk: MailDesk) -> None:
    broken = "march Demetrios >\n\nIssos"
    for text, orders in ((broken, ["march Demetrios > Issos"]), (f"{broken}\n{HELLO}", ["march Demetrios >"])):
        assert lines.meant(desk, "black", reading.understand(f"From: dora@example.org\n\n{text}\n".encode())).orders == orders


@pytest.mark.parametrize(("quoted", "told"), [("Roll", "none looked like orders"), ("- end segment", "none looked like orders"),
                                              ("end now", 'for instance "end now"')])
def test_a_short_line_that_he_quotes_is_ours_only_as_a_whole(quiet: Unconnected, quoted: str, told: str) -> None:
    quiet.started().reply("red", f"roll\n\n> {quoted}")
    quiet.run()
    assert told in " ".join(body(quiet.last("red")).split())


@pytest.mark.parametrize(("line", "is_meant"), [
    ("b always", True), ("B always against Red", True), ("*b* always.", True), ("b immer", True),
    ("T2.R1.red.3: b always", True),
    ("pass always unless I win 60 %", True), ("intercept Lysimachos with all always", True),
    ("I always thought so", False), ("We are always late", False), ("Thanks as always", False)])
def test_an_answer_that_is_to_last_is_read_only_from_whom_it_is_asked(desk: MailDesk, line: str, is_meant: bool) -> None:
    """As his mail told him to write it; a sentence with the same word is talk."""
    assert lines.sort(desk, "blue", ["Hello", line]).orders == ([line] if is_meant else [])
    assert not lines.sort(desk, "black", ["b always"]).orders


def test_talk_between_an_answer_that_is_to_last_and_an_order_hides_none_of_them(desk: MailDesk) -> None:
    given = ["pass always against Red", "what a day it was", "roll"]
    assert [lines.sort(desk, seat, given).orders for seat in ("blue", "black")] == [given, ["roll"]]


@pytest.mark.parametrize("language", ["en", *TONGUES])
def test_whatever_a_question_shows_in_quotation_marks_is_read_as_an_order(window: MailDesk, language: str) -> None:
    window.enter({"seat": "blue", "language": language})
    shown = [" ".join(one.split()) for one in IN_MARKS.findall(posing.question_text(window, "blue"))]
    assert len(shown) == 7
    for line in shown:
        assert lines.sort(window, "blue", [line]).orders == [line]
        assert all(one.error is None for one in window.dry_run("blue", line)), line


def test_an_answer_by_its_letter_that_is_to_last_counts_by_mail(quiet: Unconnected) -> None:
    asked_for_interception(quiet.started())
    quiet.reply("blue", "Hello Anna\na always against Red\nThanks")
    quiet.run()
    assert "blue" in quiet.desk().sealed(quiet.desk().match.question)
    assert [one.text for one in quiet.desk().tray.standing] == ["pass on interception against Red, always"]


def test_the_yes_to_a_price_is_an_order_only_of_whom_it_was_told(window: MailDesk) -> None:
    assert not lines.is_order(window, "blue", "yes")
    window.tray.priced["blue"] = Priced(question="T2.R1.red.3", lines=["b"])
    assert [lines.is_order(window, seat, "yes") for seat in ("blue", "red")] == [True, False]


@pytest.mark.parametrize("seat", ["blue", "black"])
def test_a_letter_with_marks_around_it_answers_where_one_is_asked(desk: MailDesk, seat: str) -> None:
    assert lines.is_order(desk, seat, "T2.R1.red.3: *b*") == (seat == "blue")
