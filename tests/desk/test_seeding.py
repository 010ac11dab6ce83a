"""The ceremony before a game, and what is published of it afterwards."""

import shutil
import stat
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from small_game import go_on, private_of

from pbem.base.errors import BadLog, Diverged, NotNow, PbemError, Refused
from pbem.chance import scheme
from pbem.chance.check import FAILED, OK
from pbem.chance.hidden import Hidden
from pbem.desk import openings, publishing, seeding, showing
from pbem.desk import tray as trays
from pbem.desk.desk import Desk
from pbem.desk.tray import Answer, Turn
from pbem.log import gamelog
from pbem.play.verify import WITH_REMARKS, exit_code, verify
from pbem.table import position

HEADER = """\
# written by hand
game: anabasis
engine: 0.1.0
rules: {edition: fourth, windows: asked}   # as agreed in May
seats: {red: {name: Anna}, blue: {name: Bruno}, yellow: {name: Chiara}}
"""
SECRETS: dict[str, Any] = {"deck": bytes(range(32)).hex(), "last_link": bytes(range(32, 64)).hex(), "links": 20}
START = {
    "turn": 2, "phase": "deal", "spaces": {"halikarnassos": "red", "sardeis": "blue", "pella": "yellow"},
    "forces": [
        {"owner": "red", "at": "halikarnassos", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}},
        {"owner": "blue", "at": "sardeis", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}},
        {"owner": "yellow", "at": "pella", "generals": ["antipatros"], "cus": {"mercenary": 2}},
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(HEADER + "log:\n")
    return tmp_path


def refused(kind: type[PbemError], key: str, act: Any) -> dict[str, Any]:
    with pytest.raises(kind) as caught:
        act()
    assert caught.value.key == key
    return caught.value.facts


# --- The promise --------------------------------------------------------------


def test_new_promises_what_the_private_file_keeps(folder: Path) -> None:
    post = seeding.new(folder, 7, deadline="2026-11-20T09:00Z")
    secrets = scheme.Secrets.from_plain("anabasis", private_of(folder)["secrets"])
    assert secrets.commitments() == {"deck": post.deck, "dice": post.dice}
    assert (post.links, secrets.links) == (7, 7)
    assert stat.S_IMODE((folder / "private.yaml").stat().st_mode) == 0o600
    assert secrets.deck.hex() not in (folder / "game.yaml").read_text()
    assert seeding.status(folder).fits


def test_the_post_says_all_that_players_need(folder: Path) -> None:
    text = showing.promise(seeding.new(folder, 7, deadline="2026-11-20T09:00Z"))
    promised = gamelog.read_game(folder).header["chance"]
    wanted = [promised["deck"], promised["dice"], "links   7", "Red (Anna), Blue (Bruno), Yellow (Chiara)",
              "until Fri 20 Nov, 09:00 UTC", "beacon  none", "1 to 200 characters", "no beacon, the last of you"]
    assert [told for told in wanted if told not in text] == []
    assert max(map(len, text.splitlines())) <= 76
    assert SECRETS["deck"] not in text
    assert showing.promise(seeding.post(folder)) == text


def test_the_rest_of_the_header_stays_as_it_was_written(folder: Path) -> None:
    seeding.new(folder)
    seeding.enter_word(folder, "red", "first snow in Pella")
    text = (folder / "game.yaml").read_text()
    assert text.startswith(HEADER + "chance:\n")
    assert text.endswith("log:\n")
    assert gamelog.hand_edits(gamelog.read_game(folder)) == []


def test_a_second_promise_is_refused(folder: Path) -> None:
    """Whoever may draw again may draw until it pleases him."""
    post = seeding.new(folder)
    facts = refused(NotNow, "already_promised", lambda: seeding.new(folder))
    assert facts["deck"] == post.deck
    assert seeding.post(folder) == post


def test_a_run_killed_before_its_promise_is_taken_up(folder: Path) -> None:
    gamelog.write_private(folder, {"tray": 2, "secrets": SECRETS, "observers": ["a@example.org"]})
    post = seeding.new(folder)
    assert post.links == 20
    assert private_of(folder) == {"tray": 2, "secrets": SECRETS, "observers": ["a@example.org"]}


def test_secrets_of_something_else_are_told(folder: Path) -> None:
    seeding.new(folder)
    gamelog.write_private(folder, {"secrets": SECRETS})
    assert seeding.status(folder).fits is False
    gamelog.write_private(folder, {"secrets": {"deck": "zz"}})
    with pytest.raises(BadLog):
        seeding.status(folder)
    gamelog.write_private(folder, {"secrets": {**SECRETS, "deck": "not in hex"}})
    refused(BadLog, "secrets_unreadable", lambda: seeding.status(folder))


def test_a_chain_has_at_least_one_link(folder: Path) -> None:
    refused(Refused, "links_out_of_range", lambda: seeding.new(folder, 0))
    assert not (folder / "private.yaml").exists()


@pytest.mark.parametrize(("links", "fits"), [(1, True), (10_000, True), (10_001, False)])
def test_dice_last_one_game_turn_at_least_and_ten_thousand_at_most(folder: Path, links: int, fits: bool) -> None:
    if fits:
        assert seeding.new(folder, links).links == links
    else:
        assert refused(Refused, "links_out_of_range", lambda: seeding.new(folder, links))["most"] == 10_000


@pytest.mark.parametrize(("form", "scheme_of_it"), [(2, 1), (3, 2)])
def test_a_log_is_promised_by_the_scheme_of_its_form(folder: Path, form: int, scheme_of_it: int) -> None:
    (folder / "game.yaml").write_text(f"{HEADER}format: {form}\nlog:\n")
    seeding.new(folder)
    promised = gamelog.read_game(folder).header["chance"]
    assert (promised["scheme"], "deadline" in promised) == (scheme_of_it, False)


@pytest.mark.parametrize("half", ["deck", "dice"])
def test_half_a_promise_is_one(folder: Path, half: str) -> None:
    (folder / "game.yaml").write_text(f"{HEADER}chance: {{{half}: {'00' * 32}}}\nlog:\n")
    refused(NotNow, "already_promised", lambda: seeding.new(folder))
    refused(NotNow, "not_seeded", lambda: seeding.enter_word(folder, "red", "first snow"))


def test_of_a_promise_written_by_hand_the_words_may_be_left_out(folder: Path) -> None:
    seeding.new(folder)
    text = (folder / "game.yaml").read_text()
    assert "  words: {}\n" in text
    (folder / "game.yaml").write_text(text.replace("  words: {}\n", ""))
    assert seeding.enter_word(folder, "red", "first snow").words == {"red": "first snow"}


def test_a_chance_that_cannot_be_replaced_line_by_line_is_left_alone(folder: Path) -> None:
    text = HEADER + 'chance:\n  words: {}\n# what red said\n  beacon: none\nlog:\n'
    (folder / "game.yaml").write_text(text)
    facts = refused(BadLog, "header_not_plain", lambda: seeding.new(folder))
    assert facts["line"] == 6
    assert (folder / "game.yaml").read_text() == text
    assert not (folder / "private.yaml").exists()


# --- Words --------------------------------------------------------------------


def test_words_are_collected_and_mixed(folder: Path) -> None:
    seeding.new(folder)
    assert seeding.status(folder).missing == ["red", "blue", "yellow"]
    status = seeding.enter_word(folder, "blue", "  42 elephants ")
    assert (status.words, status.missing) == ({"blue": "42 elephants"}, ["red", "yellow"])
    promised = gamelog.read_game(folder).header["chance"]
    mixed = scheme.entropy("anabasis", {"red": "", "blue": "42 elephants", "yellow": ""})
    assert promised["entropy"] == status.entropy == mixed.hex()
    assert exit_code(verify(folder)) == WITH_REMARKS          # two words are missing


def test_the_order_in_which_words_come_does_not_matter(folder: Path) -> None:
    seeding.new(folder)
    seeding.enter_word(folder, "yellow", "λόγος")
    seeding.enter_word(folder, "red", "first snow in Pella")
    assert list(gamelog.read_game(folder).header["chance"]["words"]) == ["red", "yellow"]


def test_no_word_before_the_promise(folder: Path) -> None:
    refused(NotNow, "not_seeded", lambda: seeding.enter_word(folder, "red", "first snow"))
    status = seeding.status(folder)
    assert (status.seeded, status.begun, status.fits) == (False, False, None)


@pytest.mark.parametrize("text", ["", "   ", "two\nlines", "x" * 201])
def test_a_word_is_one_line_of_up_to_200_characters(folder: Path, text: str) -> None:
    seeding.new(folder)
    before = (folder / "game.yaml").read_text()
    assert refused(Refused, "word_unfit", lambda: seeding.enter_word(folder, "red", text))["longest"] == 200
    assert (folder / "game.yaml").read_text() == before


def test_a_word_is_tried_and_nothing_is_written(folder: Path) -> None:
    seeding.new(folder)
    before = (folder / "game.yaml").read_text()
    status = seeding.enter_word(folder, "red", "first snow", dry_run=True)
    assert (status.words, status.missing) == ({"red": "first snow"}, ["blue", "yellow"])
    assert (folder / "game.yaml").read_text() == before
    assert status.entropy == seeding.enter_word(folder, "red", "first snow").entropy


@pytest.mark.parametrize(("deadline", "there_is_time"), [
    ("2026-11-20T09:01Z", True), ("2026-11-20T09:00Z", False), ("2026-11-20T09:01", True), ("2026-11-20T09:00", False),
    ("2026-11-20T10:30+02:00", False), ("2026-11-20T11:30+02:00", True), ("on Friday", False), ("", False)])
def test_until_when_a_word_is_waited_for(deadline: str, there_is_time: bool) -> None:
    assert seeding.is_open(deadline, datetime(2026, 11, 20, 9, tzinfo=UTC)) is there_is_time


def test_only_seats_have_a_word(folder: Path) -> None:
    seeding.new(folder)
    facts = refused(Refused, "unknown_seat", lambda: seeding.enter_word(folder, "black", "hello"))
    assert facts["known"] == ["red", "blue", "yellow"]


def test_the_first_word_stands_unless_the_moderator_corrects_it(folder: Path) -> None:
    seeding.new(folder)
    seeding.enter_word(folder, "red", "first snow")
    assert seeding.enter_word(folder, "red", "first snow ").words == {"red": "first snow"}
    assert refused(NotNow, "word_given", lambda: seeding.enter_word(folder, "red", "sun"))["word"] == "first snow"
    assert "--instead" in showing.plain_words().refusal(NotNow("word_given", seat="red", word="first snow"))
    assert seeding.enter_word(folder, "red", "first snow in Pella", instead=True).words == {"red": "first snow in Pella"}


def test_nothing_is_added_once_the_game_has_begun(folder: Path) -> None:
    seeding.new(folder)
    gamelog.append(folder, [{"note": "we begin"}])
    before = (folder / "game.yaml").read_bytes()
    for act in (lambda: seeding.enter_word(folder, "red", "late"), lambda: seeding.new(folder)):
        assert refused(NotNow, "game_has_begun", act) == {"game": "anabasis", "entries": 1}
    assert (folder / "game.yaml").read_bytes() == before
    assert seeding.status(folder).begun


def test_the_status_says_what_is_missing(folder: Path) -> None:
    assert showing.ceremony(seeding.status(folder)) == ["anabasis: nothing is promised yet"]
    seeding.new(folder, deadline="2026-11-20T09:00Z")
    assert showing.ceremony(seeding.enter_word(folder, "red", "first snow")) == [
        "anabasis: words until Fri 20 Nov, 09:00 UTC", 'word of Red: "first snow"', "no word from Blue and Yellow",
        "the secrets here keep the promise"]
    seeding.enter_word(folder, "blue", "42 elephants")
    gamelog.write_private(folder, {})
    assert showing.ceremony(seeding.enter_word(folder, "yellow", "λόγος"))[-2:] == [
        "all words are in", "the secrets are not here"]


# --- Beacon -------------------------------------------------------------------


def test_a_beacon_that_nobody_knows_is_refused_before_anything_is_promised_or_drawn(folder: Path) -> None:
    """Announced and left out would be worse than none: the verifiers would call every die wrong."""
    game = folder / "game.yaml"
    game.write_text(HEADER + "chance: {beacon: first quicknet round after the deadline}\nlog:\n")
    assert "quicknet" in refused(Refused, "beacon_not_known", lambda: seeding.new(folder))["beacon"]
    assert not (folder / "private.yaml").exists()
    game.write_text(HEADER + "chance: {beacon: 'drand:quicknet:1'}\nlog:\n")
    assert refused(Refused, "beacon_too_early", lambda: seeding.new(folder, deadline="2020-01-01"))["until"] == ""
    game.write_text(HEADER + "chance: {beacon: first quicknet round after the deadline}\nlog:\n")
    gamelog.write_private(folder, {"secrets": SECRETS})
    refused(Refused, "beacon_not_known", lambda: Desk(folder))
    game.write_text(HEADER + "chance: {beacon: none}\nlog:\n")
    assert seeding.new(folder).links == 20


# --- Openings and the public copy ---------------------------------------------


@pytest.fixture(scope="module")
def played_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seeded, then played over a Game Turn into the next."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "game.yaml").write_text(HEADER + "log:\n")
    gamelog.write_private(folder, {"secrets": SECRETS, "addresses": {"red": "anna@example.org"}})
    seeding.new(folder)
    seeding.enter_word(folder, "red", "first snow in Pella")
    desk = Desk(folder)
    desk.enter({"position": START})
    desk.enter({"note": "welcome to this game"})
    go_on(desk, 3)
    return folder


@pytest.fixture
def desk(played_on: Path, tmp_path: Path) -> Desk:
    return Desk(Path(shutil.copytree(played_on, tmp_path / "game")))


def hidden_cards(desk: Desk) -> set[str]:
    secret = desk.match.g.secret
    assert isinstance(secret, Hidden)
    return {*secret.deck, *secret.face_down, *(card for hand in secret.hands.values() for card in hand)}


def published_openings(folder: Path) -> list[tuple[str, str]]:
    told = [entry["openings"] for entry in gamelog.read_game(folder).entries if "openings" in entry]
    return [(one["deck"], card[1]) for one in told for card in one["cards"]]


def played(desk: Desk) -> set[str]:
    return {event.facts["card"] for _, event in desk.match.history
            if event.key in ("card_played", "card_discarded", "surprise_played")}


def test_cards_are_opened_when_their_turn_is_over_and_once(desk: Desk, tmp_path: Path) -> None:
    used = played(desk)
    assert used
    published = publishing.publish(desk.folder, tmp_path / "public")
    assert sorted(published_openings(desk.folder)) == sorted(("main,2", card) for card in used)
    again = publishing.publish(desk.folder, tmp_path / "public")
    assert (again.opened, again.head, again.stray) == (0, published.head, "")
    checks = list(verify(tmp_path / "public"))
    assert exit_code(checks) == WITH_REMARKS
    assert sum(check.what.startswith("opening main,2") for check in checks) == len(used)


def test_a_card_of_a_turn_that_goes_on_stays_closed(desk: Desk) -> None:
    def due() -> list[dict[str, Any]]:
        shown = openings.due(desk.game.entries, desk.match, desk.keys)
        return [entry for entry in shown if entry["openings"]["deck"] == "main,3"]

    before = due()
    while not played(desk) & set(desk.match.g.discards):
        question = desk.match.question
        assert question is not None
        desk.close(question.id, by="moderator")
    assert due() == before == []


def test_a_player_can_check_his_hand(desk: Desk, tmp_path: Path) -> None:
    entry = openings.hand(desk.game.entries, desk.match, desk.keys, "blue")
    assert entry is not None and desk.match.g.secret is not None
    assert {card[1] for card in entry["openings"]["cards"]} == set(desk.match.g.secret.hand("blue"))
    mail = tmp_path / "hand.txt"
    quoted = gamelog.dump_entry(entry).replace("]], ", "]],\n> ")
    mail.write_text(f"Hello Bruno,\n\n> {quoted}\n")
    publishing.publish(desk.folder, tmp_path / "public")
    checks = [check for check in verify(tmp_path / "public", hand=mail) if check.what.startswith("hand ")]
    assert [check.state for check in checks] == [OK] * desk.match.g.hands["blue"]

    entry["openings"]["cards"][0][1] = entry["openings"]["cards"][1][1]
    mail.write_text(gamelog.dump_entry(entry))
    assert [check.state for check in verify(tmp_path / "public", hand=mail)].count(FAILED) >= 1


def test_nothing_private_is_published(desk: Desk, tmp_path: Path) -> None:
    publishing.publish(desk.folder, tmp_path / "public")
    files = sorted(path.name for path in (tmp_path / "public").iterdir())
    assert files == ["game.yaml", "head.txt", "proof.json", "verifier.html"]
    text = (tmp_path / "public" / "game.yaml").read_text()
    secrets = scheme.Secrets.from_plain("anabasis", SECRETS)
    for secret in (secrets.deck, *(secrets.link(epoch) for epoch in range(3, 21))):
        assert secret.hex() not in text
    assert "anna@example.org" not in text
    # Nobody can tell where a card lies that was not turned up in a Game Turn which is over, nor who holds it.
    shown = published_openings(tmp_path / "public")
    unplayed = hidden_cards(desk)
    assert unplayed
    assert not {card for deck, card in shown if deck == "main,3"} & unplayed
    assert {card for _, card in shown} <= played(desk)
    alone = Desk(tmp_path / "public", published=True)
    assert alone.match.g.secret is None
    assert alone.match.g.hands == desk.match.g.hands


@pytest.mark.parametrize("what, told", [
    ("write to anna@example.org", "private.yaml addresses.red"),
    (f"the next link is {scheme.Secrets.from_plain('anabasis', SECRETS).link(3).hex()}", "dice secret of epoch 3"),
    (f"by mistake {SECRETS['deck']}", "deck secret"),
    ("blue will intercept Lysimachos with 2 loyal", "private.yaml answers.text"),
])
def test_a_slip_of_the_pen_is_not_published(desk: Desk, tmp_path: Path, what: str, told: str) -> None:
    desk.enter({"note": what})
    desk.tray.answers = [Answer(seat="blue", question="T3.R1.red.9", text="intercept Lysimachos with 2 loyal")]
    desk.keep()
    facts = refused(Refused, "private_in_public", lambda: publishing.publish(desk.folder, tmp_path / "public"))
    assert told in showing.plain_words().leaked(facts["what"])
    assert what not in str(facts)
    assert not (tmp_path / "public").exists()


def test_every_number_that_is_not_open_yet_is_looked_for(desk: Desk) -> None:
    """Two epochs are open, and none before the first entry."""
    numbers = dict(publishing.secret_numbers(desk))
    for what in ("dice_secret", "dice_key"):
        assert {leak.of for leak in numbers if leak.what == what} == set(range(3, 21))
    assert {leak.what for leak in numbers} == {"dice_secret", "dice_key", "deck_secret", "deck_key", "card_salt"}
    assert set(publishing.leaks(desk, "\n".join(numbers.values()))) == set(numbers)
    desk.enter({"open": {"deck_secret": SECRETS["deck"]}})
    assert {leak.what for leak, _ in publishing.secret_numbers(desk)} == {"dice_secret", "dice_key", "card_salt"}


def test_before_anything_is_open_every_link_is_looked_for(folder: Path) -> None:
    seeding.new(folder, 5)
    assert {leak.of for leak, _ in publishing.secret_numbers(Desk(folder)) if leak.what == "dice_secret"} == set(range(1, 6))


@pytest.mark.parametrize(("line", "is_known_again"), [("march o", False), ("march on", True)])
def test_a_text_of_fewer_than_eight_letters_stands_in_the_log_by_chance(
        desk: Desk, tmp_path: Path, line: str, is_known_again: bool) -> None:
    desk.enter({"note": f"we {line}"})
    trays.write(desk.folder, replace(desk.tray, turns=[Turn(seat="red", lines=[line])]))
    if is_known_again:
        refused(Refused, "private_in_public", lambda: publishing.publish(desk.folder, tmp_path / "public"))
    else:
        assert publishing.publish(desk.folder, tmp_path / "public").written


def test_a_public_copy_is_not_published_onto_itself(desk: Desk, tmp_path: Path) -> None:
    publishing.publish(desk.folder, tmp_path / "public")
    refused(Refused, "target_is_private", lambda: publishing.publish(tmp_path / "public", tmp_path / "public"))


def test_comments_are_looked_at_too(desk: Desk, tmp_path: Path) -> None:
    path = desk.folder / "game.yaml"
    trays.write(desk.folder, replace(desk.tray, turns=[Turn(seat="red", lines=["march Antigonos > Sardeis"])]))
    path.write_text(path.read_text().replace("# written by hand", "# Red: march Antigonos > Sardeis"))
    facts = refused(Refused, "private_in_public", lambda: publishing.publish(desk.folder, tmp_path / "public"))
    assert showing.plain_words().leaked(facts["what"]) == "private.yaml turns.lines"


def test_what_was_ordered_before_may_be_prepared_again(desk: Desk, tmp_path: Path) -> None:
    order = next(entry["do"] for entry in desk.game.entries if " " in entry.get("do", ""))
    trays.write(desk.folder, replace(desk.tray, turns=[Turn(seat="red", lines=[order])]))
    publishing.publish(desk.folder, tmp_path / "public", write=False)


def test_an_address_is_private_everywhere(desk: Desk, tmp_path: Path) -> None:
    desk.enter({"note": "as agreed", "via": "anna@example.org"})
    refused(Refused, "private_in_public", lambda: publishing.publish(desk.folder, tmp_path / "public"))


def test_a_log_that_needs_the_private_file_is_not_published(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(position, "fingerprint", lambda g: "alone" if g.secret is None else "private")
    facts = refused(Diverged, "other_alone", lambda: publishing.publish(desk.folder, tmp_path / "public"))
    assert (facts["wanted"], facts["found"]) == ("private", "alone")
    assert not (tmp_path / "public").exists()


def test_an_opening_too_early_is_not_published(desk: Desk, tmp_path: Path) -> None:
    entry = openings.hand(desk.game.entries, desk.match, desk.keys, "red")
    assert entry is not None
    desk.enter(entry)
    facts = refused(Refused, "private_in_public", lambda: publishing.publish(desk.folder, tmp_path / "public"))
    assert facts["what"] == [publishing.Leak("early_opening", len(desk.game.entries))]
    assert "an opening of a card" in showing.plain_words().leaked(facts["what"])


def test_when_all_cards_were_opened_no_opening_is_too_early(desk: Desk, tmp_path: Path) -> None:
    for entry in (openings.hand(desk.game.entries, desk.match, desk.keys, "red"), {"open": {"deck_secret": SECRETS["deck"]}}):
        assert entry is not None
        desk.enter(entry)
    assert publishing.publish(desk.folder, tmp_path / "public").written


def test_a_dry_run_looks_and_writes_nothing(desk: Desk, tmp_path: Path) -> None:
    before = (desk.folder / "game.yaml").read_bytes()
    said = showing.published(publishing.publish(desk.folder, tmp_path / "public", write=False), showing.words(desk))
    assert f"to be written: {tmp_path / 'public' / 'game.yaml'}" in said
    assert not (tmp_path / "public").exists()
    assert (desk.folder / "game.yaml").read_bytes() == before
    desk.enter({"note": "write to anna@example.org"})
    refused(Refused, "private_in_public", lambda: publishing.publish(desk.folder, tmp_path / "public", write=False))


def test_overrides_go_with_the_game_and_go_away_with_them(desk: Desk, tmp_path: Path) -> None:
    overrides, copy = desk.folder / "overrides.yaml", tmp_path / "public" / "overrides.yaml"
    overrides.write_text("[]\n")
    assert copy in publishing.publish(desk.folder, tmp_path / "public").files
    overrides.unlink()
    assert publishing.publish(desk.folder, tmp_path / "public").removed == [copy]
    assert not copy.exists()


def test_a_private_folder_is_no_place_to_publish_in(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "private.yaml").write_text("{}\n")
    for target in (desk.folder, other):
        refused(Refused, "target_is_private", lambda target=target: publishing.publish(desk.folder, target))


def test_a_copy_of_another_log_is_remarked(desk: Desk, tmp_path: Path) -> None:
    publishing.publish(desk.folder, tmp_path / "public")
    path = desk.folder / "game.yaml"
    path.write_text(path.read_text().replace("welcome to this game", "welcome to my game"))
    published = publishing.publish(desk.folder, tmp_path / "public")
    assert published.stray
    assert "which this log never had" in showing.published(published, showing.words(desk))


def test_the_head_file_is_a_witness(desk: Desk, tmp_path: Path) -> None:
    publishing.publish(desk.folder, tmp_path / "public")
    desk = Desk(desk.folder)
    desk.enter({"note": "later"})
    checks = list(verify(desk.folder, witness=[tmp_path / "public" / "head.txt"]))
    assert exit_code(checks) == WITH_REMARKS
    assert checks[-1].what.startswith("head ")
