"""Letters between players: to whom one goes, when, under which name, and how many a game takes."""

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path

import pytest
from small_game import NOON, found

from pbem.mail import config, press, requests
from pbem.mail.config import Config
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.request import Request

OTHERS = ["red", "yellow", "black"]


@pytest.fixture
def desk(tmp_path: Path) -> MailDesk:
    """Everybody has an address but Black; Yellow reads the forum."""
    found(tmp_path / "g")
    made = MailDesk(tmp_path / "g", now=NOON)
    made.tray.addresses = {seat: [f"{seat}@example.com"] for seat in ("red", "blue", "yellow")}
    made.enter({"seat": "yellow", "name": "Chiara", "channel": "paste"})
    return made


@pytest.fixture
def mailbox(tmp_path: Path) -> Config:
    return config.write(tmp_path / "mail.yaml", {
        "address": "host@example.org", "imap": {"host": "localhost", "user": "x"}, "smtp": {"host": "localhost", "user": "x"},
        "secret": {"env": "X"}, "games": ["g"]})


def written(desk: MailDesk, text: str, mailbox: Config | None = None) -> tuple[list[str], str]:
    """To whom mails go at once, and what Blue is told."""
    ask = Request(desk, mailbox, Sender("blue", f"m{len(desk.mail.press_total)}"), [], [])
    told = requests.answer(ask, text).text
    assert bool(ask.failed) == ("Your letter goes to" not in told)
    return [one.seat for one in ask.mails], " ".join(told.split())


@pytest.mark.parametrize(("to", "seats"), [
    ("red", ["red"]), ("Anna", ["red"]), ("rot", ["red"]), ("to red and ANNA", ["red"]), ("red, black", ["red", "black"]),
    ("all", OTHERS), ("now red held", ["red"]), ("blue red", ["red"]), ("blue", []), ("red green", []), ("held", []),
    ("and", [])])
def test_whom_a_letter_is_for(desk: MailDesk, to: str, seats: list[str]) -> None:
    _, told = written(desk, f"press {to}: hello")
    assert [one.to for one in desk.tray.letters] == ([seats] if seats else [])
    assert ("there are Red, Yellow and Black" in told) == (not seats)
    assert desk.mail.press_total == ({"blue": 1} if seats else {})


@pytest.mark.parametrize(("to", "held", "at_once", "waits"), [
    ("all", False, ["red"], ["yellow", "black"]), ("all held", False, [], OTHERS), ("all", True, [], OTHERS),
    ("all now", True, ["red"], ["yellow", "black"]), ("all now held", True, [], OTHERS), ("red", False, ["red"], None)])
def test_a_letter_goes_at_once_to_whoever_reads_mail_or_with_the_next_report(
        desk: MailDesk, mailbox: Config, to: str, held: bool, at_once: list[str], waits: list[str] | None) -> None:
    desk.tray.press.held = held
    mails, told = written(desk, f"press {to}: hello", mailbox)
    assert mails == at_once and [one.waits for one in desk.tray.letters] == ([] if waits is None else [waits])
    assert ("with the next report" in told) == (not at_once)


def test_without_a_mailbox_a_letter_waits_for_the_next_report(desk: MailDesk) -> None:
    mails, told = written(desk, "press red: hello")
    assert mails == [] and "with the next report" in told and press.for_reader(desk, "red") == [
        "Bruno (Blue) writes:\n\n    hello\n"]


def test_who_has_no_name_is_on_no_list_of_readers(desk: MailDesk) -> None:
    assert "not allowed" in written(desk, "press all anonymous: hello")[1] and desk.tray.letters == []
    desk.tray.press.anonymous = True
    assert "without your name" in written(desk, "press all anonymous: hello")[1]
    assert "without your name" not in written(desk, "press all: hello")[1]
    assert [text.splitlines()[0] for text in press.for_reader(desk, "red")] == [
        "Somebody writes:", "Bruno (Blue) writes to Red, Yellow and Black:"]


def test_of_several_readers_each_sees_who_else_reads_it(desk: MailDesk) -> None:
    for to in ("red", "red black"):
        written(desk, f"press {to}: hello")
    assert [text.splitlines()[0] for text in press.for_reader(desk, "red")] == [
        "Bruno (Blue) writes:", "Bruno (Blue) writes to Red and Black:"]


def test_a_letter_waits_until_each_of_its_readers_has_had_a_report(desk: MailDesk) -> None:
    written(desk, "press all held: hello")
    for seat, left in zip(OTHERS, (["yellow", "black"], ["black"], None), strict=True):
        assert len(press.for_reader(desk, seat)) == 1 and press.for_reader(desk, "blue") == []
        press.delivered(desk, seat)
        assert [one.waits for one in desk.tray.letters] == ([] if left is None else [left])
        assert press.for_reader(desk, seat) == []


@pytest.mark.parametrize(("text", "told"), [
    ("press red: \n\n/press", "There is no text"), ("press red:", "There is no text"),
    ("press red", "I could not read to whom"),
    (f"press red: {'x' * 6000}", "goes to Red"), (f"press red: {'x' * 6001}", "6001 characters"),
    ("press red: one\ntwo three four five six seven\n/press", '2 lines, ending "two three four five six seven"'),
    ("press red: one two three four five six seven", '1 line, ending "two three four five six seven"'),
])
def test_what_is_sent_is_told_with_its_last_words_and_nothing_is_sent_in_part(desk: MailDesk, text: str, told: str) -> None:
    assert told in written(desk, text)[1] and len(desk.tray.letters) == ("goes" in told or "ending" in told)


RULED = {"daily": (3, 4), "held": ("held", "now"), "anonymous": ("yes", "no"), "off": ("yes", "no")}
SAID = ("daily", "when", "anonymous", "off")


@pytest.mark.parametrize("place", range(len(RULED)))
@pytest.mark.parametrize("turned", [0, 1])
def test_the_moderator_rules_on_letters_one_by_one_and_leaves_the_rest(desk: MailDesk, place: int, turned: int) -> None:
    name = list(RULED)[place]
    for usual in ((2, "held", "yes", "yes"), (2, "now", "no", "no")):
        press.ruled(desk, *usual)
        before = asdict(desk.tray.press)
        press.ruled(desk, **{**dict.fromkeys(SAID), SAID[place]: RULED[name][turned]})
        wanted = RULED[name][turned] if name == "daily" else not turned
        assert asdict(desk.tray.press) == {**before, name: wanted}


@pytest.mark.parametrize(("lines", "count"), [
    (["press red: hello", "/press", "roll"], 2), (["press red:", "one", "", "/PRESS", "/press"], 4), (["/press"], 1), ([], 0),
    (["press red: hello", "roll"], 0)])
def test_a_letter_has_its_lines_up_to_the_first_that_ends_it(lines: list[str], count: int) -> None:
    assert press.ends(lines) == count


def test_where_letters_are_off_none_is_carried(desk: MailDesk) -> None:
    desk.tray.press.off = True
    assert "not carried" in written(desk, "press red: hello")[1] and desk.tray.letters == []


def test_so_many_letters_of_a_seat_go_in_a_day_and_what_could_not_be_sent_is_not_counted(desk: MailDesk) -> None:
    desk.tray.press.daily = 2
    written(desk, "press red:")
    assert ["goes to" in written(desk, f"press red: {number}")[1] for number in range(3)] == [True, True, False]
    assert "2 letters today" in written(desk, "press red: 4")[1] and desk.mail.press_total == {"blue": 2}
    desk.now += timedelta(days=1)
    assert "goes to" in written(desk, "press red: 5")[1] and desk.mail.press_total == {"blue": 3}
