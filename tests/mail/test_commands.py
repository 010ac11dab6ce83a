"""What answers a player's requests, at a desk: which days are meant, what is sent again, what is put aside and taken back."""

import re
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON, at_window, found
from table import PEOPLE, settings

from pbem.base.folder import Lock
from pbem.mail import letters, maps, outbox, requests
from pbem.mail.body import Piece
from pbem.mail.desk import MailDesk
from pbem.mail.letters import Sender
from pbem.mail.request import BY_MAIL, BY_POST, Request


@pytest.fixture
def desk(tmp_path: Path) -> MailDesk:
    """Blue and Yellow are asked whether they intercept; all hold cards that act only where they are filed."""
    at_window(tmp_path / "g", cards={"red": ["1"], "blue": ["50", "51"]}, windows="filed")
    made = MailDesk(tmp_path / "g", now=NOON)
    made.tray.addresses = {seat: [address] for seat, address in PEOPLE.items()}
    return made


def ask(desk: MailDesk, seat: str, line: str, *, mailbox: bool = True, channel: str = BY_MAIL, **more: str) -> Piece:
    made = settings(desk.folder, **more) if mailbox else None
    return requests.answer(Request(desk, made, Sender(seat, "m1", PEOPLE[seat]), [], [], channel), line)


def said(desk: MailDesk, seat: str, line: str, **more: Any) -> str:
    return " ".join(ask(desk, seat, line, **more).text.split())


# --- days -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "span"), [
    ("absent 18.11. to 19.11.", ("2026-11-18", "2026-11-19")), ("absent 17.11. to 19.11.", None),
    ("absent 1.12.", ("2026-12-01", "2026-12-01")), ("absent 17.11.2027", ("2027-11-17", "2027-11-17")),
    ("absent 20.12. to 2.1.", ("2026-12-20", "2027-01-02")), ("absent 2026-11-01 to 2026-11-18", ("2026-11-01", "2026-11-18")),
    ("absent 2026-11-01 to 2026-11-17", None), ("absent 1.12.2026 to 30.1.2027", ("2026-12-01", "2027-01-30")),
    ("absent 1.12. to 32.12.", None), ("absent 31.11.", None), ("absent 1.11.2026 to 18.11.2026", ("2026-11-01", "2026-11-18")),
    ("absent 1.12.2026 to 31.1.2027", None), ("absent 1.12. 2.12. 3.12.", None), ("absent soon", None)])
def test_days_are_those_that_come_next_and_not_too_many(desk: MailDesk, line: str, span: tuple[str, str] | None) -> None:
    told = said(desk, "red", line)
    assert desk.tray.absences.get("red", []) == ([span] if span else []) and told.startswith("Noted: away") is bool(span)


def test_the_same_days_are_noted_once(desk: MailDesk) -> None:
    for _ in range(2):
        said(desk, "red", "absent 1.12. to 5.12.")
    assert desk.tray.absences["red"] == [("2026-12-01", "2026-12-05")]
    assert sum("note" in entry for entry in desk.game.entries) == 1


@pytest.mark.parametrize("line", ["history", "file back", "undo", "standing: cancel", "absent"])
def test_no_number_is_too_long_for_an_answer(desk: MailDesk, line: str) -> None:
    assert said(desk, "blue", f"{line} {'9' * 5000}") and desk.tray.wishes == []


# --- what he sees -----------------------------------------------------------------------------------------------------------


def test_what_is_sent_again_is_the_last_report_or_question_of_this_seat(desk: MailDesk) -> None:
    assert said(desk, "red", "resend") == "Nothing was sent to you so far."
    box = outbox.of_game(desk.folder)
    for seat in ("blue", "red"):
        for item in letters.question(desk, settings(desk.folder), "blue") if seat == "blue" else letters.report(
                desk, settings(desk.folder), "red", 1):
            box.put(item)
    told = said(desk, "blue", "resend")
    box.put(letters.refusal(desk, settings(desk.folder), Sender("blue", "m2"), "x", "not this")[0]._replace(
        made="2026-11-18T13:00:00Z"))
    assert said(desk, "blue", "resend") == told and "Do you intercept?" in told and "<b>" in ask(desk, "blue", "resend").html
    assert "Antigonos marched" in said(desk, "red", "resend") and "Do you intercept?" not in said(desk, "red", "resend")


def test_who_reads_the_thread_is_shown_again_what_was_to_be_pasted(desk: MailDesk) -> None:
    desk.match.seats["red"]["channel"] = "paste"
    for box, text in ((outbox.of_game(desk.folder), "by mail"), (outbox.of_thread(desk.folder), "into the thread\n\n& more")):
        (item,) = letters.report(desk, settings(desk.folder), "red", 1)
        box.put(item._replace(text=text, html=""))
    found_ = ask(desk, "red", "resend")
    assert "into the thread" in found_.text and "by mail" not in found_.text and "&amp; more</p>" in found_.html
    for line in ("reports daily", "map on"):
        assert "Your reports stand in the thread" in said(desk, "red", line)
    assert "red" not in desk.tray.settings


def test_hands_are_told_to_whom_they_are(desk: MailDesk) -> None:
    assert [said(desk, seat, "hand").partition('"')[0].strip() for seat in ("blue", "yellow")] == [
        "Your hand:", "Your hand is empty."]
    desk.match.g.secret = None
    assert said(desk, "red", "hand").startswith("This table has no hidden hands")


@pytest.mark.parametrize(("line", "is_his"), [("guide card", False), ("guide", True)])
def test_the_guide_is_the_players_if_no_other_is_wanted(desk: MailDesk, line: str, is_his: bool) -> None:
    assert (said(desk, "red", line) == said(desk, "red", "guide player")) is is_his


def test_options_are_asked_for_whole_or_of_one_kind_and_answered_by_a_link(desk: MailDesk) -> None:
    assert "Do you intercept?" in said(desk, "blue", "options") and "Do you intercept?" not in said(desk, "black", "options")
    assert ["mailto:" in ask(desk, "blue", "options", mailbox=mailbox).html for mailbox in (True, False)] == [True, False]
    assert ask(desk, "black", "options").html.startswith("<p"), "nobody asks him"
    every, some = said(desk, "blue", "options all"), said(desk, "blue", "options intercept")
    assert len({every, some, said(desk, "blue", "options")}) == 3 and "pass" in every and "intercept Lysimachos" in some


def test_a_map_has_the_title_of_the_game_or_its_name(desk: MailDesk) -> None:
    assert said(desk, "blue", "map").startswith("Map of small.")
    path = desk.folder / "game.yaml"
    path.write_text(path.read_text().replace("game: small\n", "game: small\ntitle: War of the kings\n", 1))
    assert said(desk, "blue", "map").startswith("Map of War of the kings.")


def test_only_what_is_written_can_be_checked(desk: MailDesk) -> None:
    tried = said(desk, "blue", "check intercept Lysimachos with all")
    assert tried.startswith("Only tried, nothing of this was done: 1 intercept")
    assert "Write the orders to be tried behind the word" in said(desk, "blue", "check")


def test_what_happened_is_told_from_an_entry_on_or_whole(desk: MailDesk) -> None:
    assert ["Red rolled" in said(desk, "blue", line) for line in ("history 2", "history 4")] == [True, False]
    assert len(said(desk, "blue", "history whole")) > len(said(desk, "blue", "history"))


# --- what he lays down ------------------------------------------------------------------------------------------------------


def test_what_is_put_aside_is_listed_by_number_and_taken_back_by_it(desk: MailDesk) -> None:
    assert said(desk, "blue", "file") == "Nothing is put aside."
    for card in ("50", "51"):
        told = said(desk, "blue", f"file {card} card")
    assert re.search(r": 1 card.* play 50 .* 2 card.* play 51 ", told)
    told = said(desk, "blue", "file back 1")
    assert re.search(r": 1 card.* play 51 ", told) and "play 50" not in told
    for wrong in ("file forward 1", "file back", "file back one"):
        assert said(desk, "blue", "file") == told != said(desk, "blue", wrong)


def test_moments_are_reserved_before_all_eyes_and_given_back(tmp_path: Path) -> None:
    found(tmp_path / "r", windows="reserved")
    desk = MailDesk(tmp_path / "r", now=NOON)
    told = said(desk, "blue", "reserve battle and sea")
    assert "You are asked for Surprise cards" in told and said(desk, "blue", "reserve") == told
    assert len(desk.match.reserved["blue"]) == 2
    for nothing in ("reserve nothing", "reserve none"):
        said(desk, "blue", "reserve battle")
        assert said(desk, "blue", nothing) == said(desk, "blue", "reserve") and not desk.match.reserved.get("blue")


def test_a_friend_is_asked_for_once_and_who_watches_may_stop(desk: MailDesk) -> None:
    for line in ("observe <Friend@example.net>", "observe friend@example.net"):
        assert "friend@example.net may have the public reports" in said(desk, "red", line)
    assert desk.mail.observers_asked == ["friend@example.net"]
    assert "I could not read the address" in said(desk, "red", "observe my friend")
    desk.tray.observers = [PEOPLE["red"].title(), "friend@example.net"]
    assert f"{PEOPLE['red']} gets no more reports" in said(desk, "red", "observe stop")
    assert desk.tray.observers == ["friend@example.net"]


def test_the_map_is_a_picture_only_in_a_mail_that_may_have_one(desk: MailDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "shown", lambda desk, said, since, place: Piece(f"a picture of {place}", ""))
    assert "a picture of None" in said(desk, "blue", "map", pictures="yes")
    assert "a picture of ('province', 'lydia')" in said(desk, "blue", "map Lydia", pictures="yes")
    for more in ({"pictures": "no"}, {"mailbox": False}, {"pictures": "yes", "channel": BY_POST}):
        told = said(desk, "blue", "map Lydia", **more)
        assert "a picture" not in told and "Sardeis" in told and told != said(desk, "blue", "map", **more)


def test_reports_and_maps_are_wished_for_apart(desk: MailDesk) -> None:
    assert "once a day" in said(desk, "red", "reports daily") and "no map" in said(desk, "red", "map OFF")
    assert "no map" not in said(desk, "red", "reports at once")
    assert "each turn" in said(desk, "red", "reports sometimes")
    own = desk.tray.settings["red"]
    assert (own.reports, own.map) == ("immediate", "off")


def test_a_word_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    from pbem.desk import beginning

    folder = tmp_path / "new"
    beginning.found(folder, "small", {seat: {"name": seat.title()} for seat in PEOPLE}, {}, by_hand=False, words_until="",
                    write=True)
    desk = MailDesk(folder, now=NOON)
    with Lock(folder):
        told = [said(desk, "red", f"word {word}") for word in ("snow", "snow", "ice")]
    assert ["instead of" in one for one in told] == [False, False, True] and 'instead of "snow"' in told[2]


def test_a_game_in_which_nothing_is_mixed_takes_no_word(desk: MailDesk) -> None:
    del desk.game.header["chance"]
    assert "word" in said(desk, "red", "word snow") and not desk.tray.wishes
