"""A round of sending, decision by decision: the server is a list of what it says to whom."""

import re
import smtplib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON
from test_outbox import mail

from pbem.base.clock import moment, stamp
from pbem.mail import sending
from pbem.mail.config import Config
from pbem.mail.outbox import CONFIRM, Item, Open, Outbox
from pbem.mail.sending import DATA, FROM, TO, Reply

Says = Callable[[str], Exception]
ANNA, BRUNO = "anna@example.com", "bruno@example.com"


def config(**more: Any) -> Config:
    return Config({"address": "host@example.org", "imap": {"host": "i"}, "smtp": {"host": "s", **more.pop("smtp", {})}, **more},
                  Path("mail.yaml"))


class Server:
    """Takes every mail, but those for which it has something to say; each of these once."""

    def __init__(self) -> None:
        self.says: list[tuple[str, Says]] = []
        self.took: list[tuple[str, str]] = []
        self.sessions = 0
        self.is_open = False

    def login(self, config: Config) -> "Server":
        self.sessions += 1
        self.is_open = True
        return self

    def sendmail(self, sender: str, to: list[str], data: bytes) -> None:
        for one in self.says:
            if one[0] in data.decode():
                self.says.remove(one)
                raise one[1](to[0])
        self.took.append((to[0], data.decode()))

    def quit(self) -> None:
        self.is_open = False

    close = quit


def refuses(code: int, text: str, at: str = DATA) -> Says:
    def says(to: str) -> Exception:
        if at == TO:
            return smtplib.SMTPRecipientsRefused({to: (code, text.encode())})
        return smtplib.SMTPSenderRefused(code, text.encode(), "h") if at == FROM else smtplib.SMTPDataError(code, text.encode())
    return says


def hangs_up(to: str) -> Exception:
    return smtplib.SMTPServerDisconnected("gone")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    found = Server()
    monkeypatch.setattr(sending, "login", found.login)
    return found


@pytest.fixture
def box(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "out")


OF_A_LETTER = ("to", "seat", "window", "story", "text", "html", "refusal", "failed", "guide")


def put(box: Outbox, *names: str, minutes: float = 0, **more: Any) -> None:
    """Mails for Anna, each named by its kind and a word."""
    for name in names:
        kind, _, word = name.partition(" ")
        own = {key: value for key, value in more.items() if key in OF_A_LETTER}
        made = stamp(NOON + timedelta(minutes=minutes))
        rest = {key: value for key, value in more.items() if key not in own}
        box.put(mail(word or kind, kind=kind, **own)._replace(made=made, next=made, **rest))


def sends(box: Outbox, **later: float) -> sending.Sent:
    return sending.send(config(), [box], NOON + timedelta(**later))


def texts(server: Server) -> list[list[str]]:
    """Which of the words of its mails each that went out has, in their order."""
    return [re.findall(r"text of (w-\d)", data.partition("text/html")[0]) for _, data in server.took]


# --- what a refusal means --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at", "code", "final"), [(TO, 500, True), (TO, 499, False), (DATA, 550, True), (FROM, 550, False)])
def test_only_the_last_word_about_a_mailbox_is_final(at: str, code: int, final: bool) -> None:
    assert sending.is_final(Reply(at, code, "5.1.1 user unknown")) is final


def test_a_lost_line_is_no_word_of_anybody() -> None:
    lost = Reply(DATA, 0, "TimeoutError: user unknown")
    assert sending.meaning(lost) == "lost" and not sending.is_final(lost)


def test_what_a_code_says_counts_more_than_words_unless_they_speak_of_a_limit() -> None:
    assert sending.meaning(Reply(TO, 550, "5.2.2 user unknown")) == "full"
    assert sending.meaning(Reply(TO, 550, "5.7.1 too many mails")) == "policy"
    assert sending.meaning(Reply(TO, 550, "9.1.1 mailbox full")) == "full"


# --- again, or given up ------------------------------------------------------------------------------------------------------


def test_a_mail_is_tried_again_later_and_later_and_given_up_after_two_days(box: Outbox, server: Server) -> None:
    put(box, "question")
    tried = list[int]()
    while unsent := box.unsent():
        now = moment(unsent[0].next)
        tried.append(int((now - NOON).total_seconds() // 60))
        server.says.append(("", refuses(451, "4.3.0 later")))
        assert unsent[0].tries == len(tried) - 1
        done = sending.send(config(), [box], now)
    assert tried == [0, 1, 6, 21, *range(81, 2962, 240)] and len(done.failed) == 1
    assert (done.sent, done.left, box.failed()[0].error) == (0, 0, "451 4.3.0 later")


def test_a_full_mailbox_is_given_up_after_two_days_though_more_is_written_to_it(box: Outbox, server: Server) -> None:
    """What refuses becomes one mail with what is new, and the moderator hears of it in time."""
    failed = list[int]()
    for hours in range(0, 60, 6):
        put(box, f"report w-{hours // 6}", minutes=60 * hours)
        server.says.append(("", refuses(452, "4.2.2 mailbox full")))
        failed += [hours] * len(sends(box, hours=hours).failed)
    assert failed == [54]


def test_what_is_refused_for_good_is_given_up_at_once(box: Outbox, server: Server) -> None:
    put(box, "question")
    server.says = [("", refuses(550, "5.1.1 no such user", TO))]
    done = sends(box)
    assert [(one.error, one.tries) for one in done.failed] == [("550 5.1.1 no such user", 0)]
    assert box.unsent() == [] and box.failed() == done.failed


def test_two_days_to_the_second_are_not_over(box: Outbox, server: Server) -> None:
    put(box, "question", first=stamp(NOON - timedelta(days=2)), tries=9)
    server.says = [("", refuses(451, "4.3.0 later"))]
    assert sends(box).failed == [] and box.unsent()[0].tries == 10


def test_what_is_not_due_waits_and_what_is_due_to_the_second_goes(box: Outbox, server: Server) -> None:
    put(box, "question", minutes=5)
    assert sends(box, minutes=4.9)[:2] == (0, 1) and server.sessions == 0
    assert sends(box, minutes=5)[:2] == (1, 0) and not server.is_open


def test_what_was_given_up_goes_again_as_if_it_had_never_been_tried(box: Outbox, server: Server) -> None:
    for name in ("one", "two"):
        box.put(mail(name)._replace(state="failed", tries=9, first=stamp(NOON), error="550 x"))
    later = NOON + timedelta(days=9)
    assert [one.key for one in sending.again(box, later, "question-two")] == ["question-two"]
    (again,) = box.unsent()
    assert (again.tries, again.first, again.next) == (0, "", stamp(later)) and len(box.failed()) == 1
    assert [one.key for one in sending.again(box, later)] == ["question-one"] and box.failed() == []


# --- when the server is left alone ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("says", "sent", "has_problem"), [
    ([refuses(550, "5.1.1 unknown", TO)], 3, False), ([refuses(451, "4.3.0 later")], 3, False),
    ([refuses(550, "5.4.5 daily limit")], 0, True), ([refuses(421, "4.3.2 going down")], 0, True),
    ([refuses(422, "4.3.2 x")], 3, False), ([refuses(420, "4.3.2 x")], 3, False),
    ([refuses(550, "5.7.1 no", FROM)], 0, True), ([refuses(552, "5.3.4 size", FROM)], 3, False),
    ([hangs_up], 3, False), ([hangs_up, hangs_up], 0, True),
    ([hangs_up, refuses(451, "4.3.0 later"), hangs_up], 1, False),
    ([refuses(451, "4.3.0 later"), hangs_up, hangs_up], 0, True)])
def test_after_which_words_nothing_more_is_asked_of_a_server(
        box: Outbox, server: Server, says: list[Says], sent: int, has_problem: bool) -> None:
    put(box, *(f"question {number}" for number in range(4)))
    server.says = [("", one) for one in says]
    done = sends(box)
    assert (done.sent, bool(done.problem)) == (sent, has_problem)
    assert done.sent + done.left + len(done.failed) == 4 and not server.is_open
    assert server.sessions == 1 + says.count(hangs_up) - (says[-1] is hangs_up and not sent)


def test_a_server_at_which_nobody_answers_leaves_every_mail_as_it_was(box: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(config: Config) -> None:
        asked.append(config)
        raise ConnectionRefusedError("nobody there")

    asked: list[Config] = []
    monkeypatch.setattr(sending, "login", nobody)
    put(box, "question one", "question two")
    done = sends(box)
    assert done.problem == "ConnectionRefusedError: nobody there" and done.left == 2 and len(asked) == 1
    assert [(one.state, one.tries) for one in box.unsent()] == [("queued", 0)] * 2


def test_an_outbox_that_cannot_be_read_does_not_stop_the_others(box: Outbox, server: Server) -> None:
    other = Outbox(box.folder.with_name("other") / "out")
    put(other, "question w-1")
    put(box, "question w-2")
    (spoilt,) = other.folder.glob("*.json")
    spoilt.write_text("{")
    done = sending.send(config(), [other, box], NOON)
    assert done.sent == 1 and [fault.facts["file"] for fault in done.faults] == [str(spoilt)]


def test_an_address_that_cannot_be_written_to_is_given_up_and_does_not_stop_the_others(box: Outbox, server: Server) -> None:
    put(box, "question w-1", to="jörg@example.com")
    put(box, "question w-2")
    assert sends(box)[:2] == (1, 0) and [one.to for one in box.failed()] == ["jörg@example.com"]


# --- one mail instead of many --------------------------------------------------------------------------------------------


def test_a_receipt_goes_together_with_the_news_of_its_run(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", "receipt w-2", "press w-3")
    put(box, "report w-4", minutes=0)
    put(box, "report w-5", minutes=-5)
    sends(box)
    assert sorted(texts(server)) == [["w-1"], ["w-2", "w-4"], ["w-3"], ["w-5"]]


@pytest.mark.parametrize("names", [("receipt w-1", "press w-2"), ("question w-1", "report w-2")])
def test_without_a_receipt_and_news_nothing_is_put_together(box: Outbox, server: Server, names: tuple[str, ...]) -> None:
    put(box, *names)
    sends(box)
    assert sorted(texts(server)) == [["w-1"], ["w-2"]]


def test_what_was_tried_before_goes_alone_and_for_each_reader_his_own(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", tries=1)
    put(box, "report w-2")
    put(box, "report w-3", to=BRUNO)
    put(box, "report w-4", seat="blue")
    put(box, "receipt w-5", to=BRUNO)
    sends(box)
    assert sorted(texts(server)) == [["w-1"], ["w-2"], ["w-4"], ["w-5", "w-3"]]


@pytest.mark.parametrize(("seconds", "mails"), [(0, 2), (1, 1)])
def test_what_waited_longer_than_two_hours_goes_as_one(box: Outbox, server: Server, seconds: int, mails: int) -> None:
    put(box, "receipt w-1", "receipt w-2")
    sends(box, hours=2, seconds=seconds)
    assert len(server.took) == mails


def test_what_may_have_arrived_is_never_put_together(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", state="sending")
    put(box, "receipt w-2", "receipt w-3")
    sends(box, hours=9)
    assert sorted(texts(server)) == [["w-1"], ["w-2", "w-3"]]


def test_what_waits_for_tomorrow_goes_then_as_one_and_not_before(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", "receipt w-2", state="tomorrow")
    for one in box.unsent():
        box.change(one._replace(next=stamp(NOON + timedelta(hours=1))))
    put(box, "receipt w-3")
    assert sends(box)[:2] == (1, 2) and texts(server) == [["w-3"]]
    assert sends(box, minutes=59).sent == 0
    assert sends(box, hours=1).sent == 1 and texts(server)[1:] == [["w-1", "w-2"]]


def test_one_that_waited_for_tomorrow_goes_as_it_is(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", state="tomorrow")
    put(box, "answer w-2", state="tomorrow", refusal=CONFIRM)
    assert sends(box).sent == 2 and texts(server) == [["w-2"], ["w-1"]]
    assert {one.key for one in box.past()} == {"receipt-w_1", "answer-w_2"}


def test_cut_off_between_the_one_mail_and_its_parts_it_goes_once(
        box: Outbox, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    put(box, "receipt w-1", "report w-2")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Outbox, "change", cut_off_at(2))
        sends(box)
    put(box, "receipt w-3")
    assert sends(box).sent == 2 and sorted(texts(server)) == [["w-1", "w-2"], ["w-3"]]
    assert sends(box, hours=9).sent == 0


def cut_off_at(number: int) -> Callable[[Outbox, Item], None]:
    left, real = [None] * (number - 1), Outbox.change

    def change(box: Outbox, one: Item) -> None:
        if not left:
            raise KeyboardInterrupt
        left.pop()
        real(box, one)

    return change


def whole(box: Outbox) -> Item:
    """The one mail that they become."""
    sending.merge(box, config(), NOON + timedelta(hours=9))
    (found,) = box.unsent()
    return found


def test_the_one_mail_is_made_now_and_answers_what_the_first_answers(box: Outbox) -> None:
    his = {"in_reply_to": "<his@example.com>", "references": "<root> <his@example.com>", "auto": "auto-replied"}
    put(box, "receipt one", tries=3, **his)
    put(box, "report two", minutes=1, window="T2.R1.red.2")
    found = whole(box)
    later = stamp(NOON + timedelta(hours=9))
    assert (found.kind, found.state, found.tries, found.made, found.next) == ("merged", "queued", 0, later, later)
    assert {name: getattr(found, name) for name in his} == his
    assert found.parts == ("receipt-one", "report-two") and found.subject == "[small] two"
    assert found.key.startswith("merged-red-") and "a" * 24 in found.message_id
    assert {one.into for one in box.past()} == {found.key}


def test_the_one_mail_begins_with_what_answers_its_reader(box: Outbox) -> None:
    put(box, "question w-1", "receipt w-2")
    put(box, "report w-3", "receipt w-4", minutes=1)
    assert re.findall(r"text of (w-\d)", whole(box).text) == ["w-2", "w-4", "w-1", "w-3"]


def test_the_one_mail_of_somebody_without_a_seat_has_a_name_too(box: Outbox) -> None:
    put(box, "notice one", "notice two", seat="")
    assert whole(box).key.startswith("merged-reader-")


def test_what_could_not_be_done_stands_in_the_subject_of_the_one_mail(box: Outbox) -> None:
    put(box, "receipt bad", failed=True)
    put(box, "report new", minutes=1)
    found = whole(box)
    assert (found.subject, found.failed) == ("[small] bad", True)


def test_the_one_mail_puts_the_question_that_its_parts_put(box: Outbox) -> None:
    put(box, "question q", window="T2.R1.red.4")
    put(box, "reminder r", window="T2.R1.red.3", minutes=1)
    put(box, "press p", window="", minutes=2)
    assert whole(box).window == "T2.R1.red.4"


def test_the_one_mail_has_one_signature_in_its_text_and_the_html_of_each_or_its_text(box: Outbox) -> None:
    put(box, "receipt one", text="First.\n\n-- \nbelow\n", html="<b>first</b>")
    put(box, "press two", text="Second.\n\n-- \nbelow\n", html="", minutes=1)
    found = whole(box)
    assert [line for line in found.text.split("\n") if line] == ["First.", "=" * 72, "Second.", "-- ", "below"]
    first, second = found.html.split("<hr>")
    assert first.strip() == "<b>first</b>" and "Second." in second and "below" not in second


@pytest.mark.parametrize(("minutes", "is_cut"), [(0, True), (5, True), (-5, False)])
def test_a_receipt_is_cut_by_what_a_report_of_then_or_later_tells(box: Outbox, minutes: int, is_cut: bool) -> None:
    put(box, "receipt one", text="Done.\nTold.\nTold.\n", story="Told.", html="<p>Done.</p><p>Told.</p><p>Told.</p>")
    box.change(box.unsent()[0]._replace(story_html="<p>Told.</p>"))
    put(box, "report two", minutes=minutes)
    found = whole(box)
    assert (found.text.count("Told."), found.html.count("Told.")) == ((1, 1) if is_cut else (2, 2))


def test_without_a_report_a_receipt_is_told_as_it_is(box: Outbox) -> None:
    put(box, "receipt one", text="Done.\nTold.\n", story="Told.")
    put(box, "question two")
    assert "Told." in whole(box).text


def test_a_receipt_of_which_a_report_tells_nothing_is_told_as_it_is(box: Outbox) -> None:
    put(box, "receipt one", text="Done.\nAll of it.\n")
    put(box, "report two")
    assert "Done.\nAll of it.\n" in whole(box).text


def test_after_an_outage_every_letter_and_every_notice_is_told(box: Outbox, server: Server) -> None:
    """Each says what no other does."""
    put(box, "press w-1", "press w-2", "notice w-3", "notice w-4")
    sends(box, hours=9)
    assert [sorted(one) for one in texts(server)] == [["w-1", "w-2", "w-3", "w-4"]]


def test_what_was_put_together_before_an_outage_is_not_lost_when_all_goes_as_one_mail(box: Outbox, server: Server) -> None:
    for number, hours in enumerate((0, 1, 4)):                          # the first two become one before the third comes
        put(box, f"receipt w-{number}", f"question w-{number + 5}", minutes=60 * hours)
        sending.merge(box, config(), NOON + timedelta(hours=hours, minutes=5))
    assert len(box.unsent()) == 1
    assert sends(box, hours=5).sent == 1 and sends(box, hours=9).sent == 0
    assert [sorted(one) for one in texts(server)] == [["w-0", "w-1", "w-2", "w-7"]]


def test_what_was_put_together_stays_whole_where_a_part_of_it_is_gone(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", "question w-2")
    sending.merge(box, config(), NOON)
    (box.sent / "receipt-w_1.json").unlink()
    put(box, "receipt w-3", minutes=5)
    sends(box, hours=9)
    assert sorted(texts(server)[0]) == ["w-1", "w-2", "w-3"]


def test_what_waits_to_be_tried_again_goes_with_the_others_after_an_outage(box: Outbox, server: Server) -> None:
    put(box, "receipt w-1", tries=3)
    box.change(box.unsent()[0]._replace(next=stamp(NOON + timedelta(hours=12))))
    put(box, "receipt w-2")
    sends(box, hours=9)
    assert texts(server) == [["w-1", "w-2"]]


def test_of_earlier_news_what_no_other_mail_tells_goes_with_the_last(box: Outbox, server: Server) -> None:
    for number, kind in enumerate(("report", "question", "report", "question")):
        put(box, f"{kind} w-{number}", story=f"what happened then {number}", guide=number == 1, minutes=number)
    put(box, "report w-9", minutes=-9)
    found = whole(box)
    assert re.findall(r"(happened then|text of) w?-?(\d)", found.text) == [
        ("happened then", "0"), ("happened then", "1"), ("text of", "2"), ("text of", "3")]
    assert found.guide


def test_a_receipt_keeps_its_story_and_its_question_where_the_report_beside_it_is_older(box: Outbox, server: Server) -> None:
    """The mover reads in his receipts what came of his orders, and no report tells it again."""
    put(box, "report w-1")
    put(box, "receipt w-2", minutes=5, text="text of w-2\nThe dice fell.\n", story="The dice fell.")
    sends(box, minutes=5)
    assert texts(server) == [["w-1"], ["w-2"]] and "The dice fell." in server.took[1][1]


def test_what_is_asked_back_is_never_put_together_with_other_mails(box: Outbox, server: Server) -> None:
    """Only the token of that question brings the answer home."""
    put(box, "answer w-1", "receipt w-2", "receipt w-3")
    sends(box, hours=9)
    assert sorted(texts(server)) == [["w-1"], ["w-2", "w-3"]]


# --- pointless ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "more", "goes"), [
    ("question", {"window": "Q1"}, False), ("question", {"window": "Q2"}, True), ("question", {"window": ""}, True),
    ("reminder", {"window": "Q1", "seat": "blue"}, False), ("reminder", {"window": "Q2", "seat": "blue"}, True),
    ("reminder", {"window": "Q2"}, False), ("report", {"window": "Q1"}, True),
    ("question", {"window": "Q1", "state": "sending"}, True), ("question", {"window": "Q1", "story": "once"}, True)])
def test_what_is_pointless_goes_no_more(box: Outbox, server: Server, name: str, more: dict[str, str], goes: bool) -> None:
    put(box, name, **more)
    box.mark({}, Open("Q2", ("blue",)))
    assert sends(box).sent == goes and len(box.past()) == 1 and box.past()[0].state == ("sent" if goes else "dropped")


def test_where_nobody_knows_what_is_open_nothing_is_pointless(box: Outbox, server: Server) -> None:
    put(box, "question", window="Q1")
    assert sends(box).sent == 1


# --- the session ---------------------------------------------------------------------------------------------------------


class Session:
    """What is said before the first mail."""

    said: list[str]

    def __init__(self, host: str, port: int, **more: Any) -> None:
        Session.said = [f"{type(self).__name__} {host} {port}"]

    def starttls(self, **more: Any) -> None:
        self.said.append("starttls")

    def auth(self, name: str, what: Callable[[], str]) -> None:
        self.said.append(f"{name} {what()}")

    def login(self, user: str, secret: str) -> None:
        if secret == "wrong":
            raise smtplib.SMTPAuthenticationError(535, b"no")
        self.said.append(f"login {user} {secret}")

    def close(self) -> None:
        self.said.append("close")


class Sealed(Session):
    pass


@pytest.mark.parametrize(("smtp", "kind", "said"), [
    ({"user": "u", "tls": "starttls"}, "", ["Session s 587", "starttls", "login u pw"]),
    ({"user": "u", "tls": "tls"}, "", ["Sealed s 465", "login u pw"]),
    ({"tls": "tls"}, "", ["Sealed s 465"]), ({}, "oauth", ["Session s 587", "starttls"]),
    ({"user": "u"}, "oauth", ["Session s 587", "starttls", "XOAUTH2 user=u\x01auth=Bearer pw\x01\x01"])])
def test_nothing_is_said_in_clear_and_a_secret_only_where_there_is_a_user(
        monkeypatch: pytest.MonkeyPatch, smtp: dict[str, str], kind: str, said: list[str]) -> None:
    monkeypatch.setattr(smtplib, "SMTP", Session)
    monkeypatch.setattr(smtplib, "SMTP_SSL", Sealed)
    if "user" in smtp:
        monkeypatch.setenv("PBEM_PASSWORD", "pw")
    else:
        monkeypatch.delenv("PBEM_PASSWORD", raising=False)
    sending.login(config(smtp=smtp, secret={"env": "PBEM_PASSWORD", "kind": kind}))
    assert Session.said == said


def test_a_session_at_which_the_login_fails_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smtplib, "SMTP", Session)
    monkeypatch.setenv("PBEM_PASSWORD", "wrong")
    with pytest.raises(smtplib.SMTPAuthenticationError):
        sending.login(config(smtp={"user": "u"}, secret={"env": "PBEM_PASSWORD"}))
    assert Session.said[-1] == "close"
