"""How a desk speaks to each reader: whose words, whose view, and what is said where no report or question is asked for."""

from pathlib import Path

import pytest
from small_game import MARCH, NOON, SEATS, at_window, found, header

from pbem.base.errors import Refused
from pbem.base.folder import Lock
from pbem.chance import scheme
from pbem.components.corrections import as_written
from pbem.desk import beginning, seeding, showing
from pbem.desk.desk import Desk
from pbem.desk.publishing import Published
from pbem.desk.showing import PUBLIC
from pbem.desk.tray import Tray
from pbem.rules.war import MODERATOR

# --- words and views -------------------------------------------------------------------------------------------------


def test_each_reader_has_his_language_and_his_zone(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.enter({"seat": "blue", "name": "Bruno", "language": "de", "zone": "Europe/Berlin"})
    at = "2026-11-18T12:00Z"
    told = {reader: (showing.words(desk, reader).language, str(showing.words(desk, reader).phrase(
        "awaited_due", due=at, then=""))) for reader in (PUBLIC, "red", "blue", MODERATOR)}
    assert told["blue"][0] == "de" and "13:00" in told["blue"][1]
    assert {told[reader] for reader in (PUBLIC, "red", MODERATOR)} == {("en", told["red"][1])} and "12:00 UTC" in told["red"][1]
    desk.language = "it"
    assert showing.words(desk, "blue").language == "it"


def test_words_are_made_once_and_anew_when_somebody_or_something_is_called_otherwise(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    first = showing.words(desk)
    assert showing.words(desk) is first and "Bruno" in first.phrase("waiting_for", sides=["blue"], what="", due="")
    desk.enter({"seat": "blue", "name": "Bert"})
    assert "Bert (Blue)" in showing.words(desk).phrase("waiting_for", sides=["blue"], what="", due="")
    desk.amend(as_written([{"datum": "generals.krateros.battle", "value": 2}]), "read off the card")
    assert showing.words(desk).facts is desk.match.g.facts and showing.words(desk).names is desk.match.names


def test_a_seat_without_a_name_goes_by_its_colour(tmp_path: Path) -> None:
    with Lock(tmp_path):
        Desk.found(tmp_path, header() | {"seats": {**SEATS, "blue": {}}}, dict(MARCH), Tray())
    desk = Desk(tmp_path, now=NOON)
    assert showing.words(desk).phrase("waiting_for", sides=["red", "blue"], what="x", due="") == (
        "Waiting for Anna (Red) and Blue (x).")
    assert showing.seats_data(desk)["blue"]["history"] == [{"entry": 0, "name": ""}]


def test_a_hand_is_its_owners_to_see_and_who_has_answered_the_moderators(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", cards=True)
    assert showing.seen(desk, PUBLIC)["question"]["due"] == ""
    desk.order("red", "roll\nmarch Antigonos > Ephesos")
    desk.order("blue", "pass")
    views = {reader: showing.seen(desk, reader) for reader in (PUBLIC, "red", "blue", MODERATOR)}
    assert [view["reader"] for view in views.values()] == [None, "red", "blue", MODERATOR]
    assert views["red"]["hand"] == ["1", "57"] and not views[PUBLIC].get("hand") and not views[MODERATOR].get("hand")
    assert "blue" in str(views[MODERATOR]["question"].get("answered"))
    assert not any(views[reader]["question"].get("answered") for reader in (PUBLIC, "red", "blue"))
    assert views["red"]["question"]["due"] == "2026-11-20T12:00Z"
    desk.ruling("Agreed", facts={"over": {"by": "agreement"}})
    assert showing.seen(desk, MODERATOR)["question"] is None


def test_where_cards_are_dealt_at_a_table_nobodys_hand_is_known_here(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", secrets=False)
    assert desk.match.g.secret is None and not showing.seen(desk, "red").get("hand")


def test_a_game_goes_by_its_title_or_else_by_its_name(tmp_path: Path) -> None:
    assert showing.title(found(tmp_path / "g")) == "small"
    with Lock(tmp_path):
        Desk.found(tmp_path, header() | {"title": "The War of the East"}, dict(MARCH), Tray())
    assert showing.title(Desk(tmp_path, now=NOON)) == "The War of the East"


def test_a_ruling_and_an_undo_are_quoted_by_the_number_of_their_entry(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    (number, *_) = desk.ruling("A point", adjust={"red": {"VP": 1}}, reason="as agreed")
    assert [event.facts["number"] for event in (showing.numbered(*one) for one in desk.match.marks)] == [number]
    plain = {event.key: event for _, event in desk.match.history}["marched"]
    assert showing.numbered(4, plain) is plain


# --- seats -----------------------------------------------------------------------------------------------------------


def test_who_sits_where_and_since_when(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    (came, *_) = desk.enter({"seat": "blue", "name": "Bert", "people": "two of them", "language": "de"})
    desk.enter({"seat": "blue", "name": "Bert", "language": "it"})
    (left, *_) = desk.enter({"seat": "yellow", "neutral": "yes", "reason": "left"})
    assert showing.seats_data(desk)["blue"]["history"] == [{"entry": 0, "name": "Bruno"}, {"entry": came, "name": "Bert"}]
    assert showing.seats(desk).splitlines()[0] == "Anna (Red): Anna from the start"
    assert f"Bruno from the start, then Bert since entry {came}; two of them, it" in showing.seats(desk)
    assert f"Chiara from the start, then nobody since entry {left}" in showing.seats(desk)


# --- the promise, and what is published ------------------------------------------------------------------------------


def test_the_promise_asks_for_words_as_long_as_anybody_can_give_one(tmp_path: Path) -> None:
    beginning.found(tmp_path / "g", "dark", SEATS, {"edition": "fourth"}, by_hand=False, words_until="", write=True)
    post = seeding.post(tmp_path / "g")
    said = showing.plain_words()
    facts = {**post._asdict(), "longest": scheme.LONGEST_WORD}
    last, asks = (" ".join(str(said.phrase(key, **facts)).split()) for key in ("promise_last", "promise_word"))
    flat = {name: " ".join(showing.promise(one).split()) for name, one in {
        "open": post, "begun": post._replace(begun=True),
        "lit": post._replace(beacon="drand:quicknet:12", beacon_at="2026-12-01T18:00Z")}.items()}
    assert [name for name, text in flat.items() if asks in text] == ["open", "lit"]
    assert [name for name, text in flat.items() if last in text] == ["open"]
    assert "until I say that we begin" in flat["open"] and "until I say that we begin" not in flat["begun"]
    assert showing.promise(post, showing.plain_words("de")) != showing.promise(post)


def test_how_far_the_ceremony_is_is_said_in_the_words_of_whoever_reads_it(tmp_path: Path) -> None:
    beginning.found(tmp_path / "g", "dark", SEATS, {"edition": "fourth"}, by_hand=False, words_until="", write=True)
    so_far = seeding.status(tmp_path / "g")
    assert showing.ceremony(so_far, showing.plain_words("de")) != showing.ceremony(so_far)
    assert len(showing.ceremony(so_far._replace(seeded=False))) == 1 < len(showing.ceremony(so_far))


def test_a_public_copy_tells_only_of_what_there_is_in_it(tmp_path: Path) -> None:
    said = showing.plain_words()
    bare = Published([Path("game.yaml")], [], 12, "ab" * 32, 0, 0, "", written=True)
    assert len(showing.published(bare, said).splitlines()) == 2
    for more, told in (({"opened": 3}, "is over: 3"), ({"comments": 4}, "are public too: 4"), ({"stray": "cd" * 32}, "cdcd"),
                       ({"removed": [Path("old.yaml")]}, "old.yaml")):
        text = showing.published(bare._replace(**more), said)
        assert told in text and len(text.splitlines()) == 3


def test_a_refusal_names_the_entry_in_which_it_came_unless_it_says_so_itself() -> None:
    here, named, nowhere = Refused("0", "no_act"), Refused("0", "no_act", entry=3), Refused("0", "no_act")
    here.entry = named.entry = 3
    assert "3" in showing.sentence(here) and "3" not in showing.sentence(named)
    assert showing.sentence(nowhere) == showing.sentence(named) != showing.sentence(here)
    assert showing.sentence(here, showing.plain_words("de")) != showing.sentence(here)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_book_of_plain_words_is_the_usual_one(language: str) -> None:
    assert showing.plain_words(language).language == language
