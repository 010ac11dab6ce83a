"""One table of requests: by mail, in a post, at the desk; help in the reader's words; undo asked for before all eyes."""

import re
from pathlib import Path

import pytest
from at_the_shell import said
from small_game import MARCH
from table import Table, Unconnected, all_of, body
from texts import flat

from pbem.base.errors import PbemError
from pbem.base.folder import Lock
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.desk import requesting, showing
from pbem.desk.requesting import PRIVATE, REFUSED, TAKEN
from pbem.mail import entered, outbox, paste, requests
from pbem.mail.request import AT_DESK
from pbem.mail.requests import COMMANDS

WRITTEN = {  # of every request a line that can be answered in the small game
    "guide": "guide card",
    "help": "help", "status": "status", "options": "options", "hand": "hand", "map": "map Lydia", "history": "history 1",
    "resend": "resend", "check": "check roll", "standing": "standing: evade blue at Ephesos, always", "file": "file",
    "reserve": "reserve", "proof": "proof",
    "undo": "undo: wrong General", "press": "press blue: shall we?", "absent": "absent 2026-12-01 to 2026-12-05",
    "reports": "reports daily", "observe": "observe friend@example.net"}


pytestmark = pytest.mark.without_servers


@pytest.fixture
def thread(table: Table) -> Table:
    """Red reads the forum, and has rolled."""
    with Lock(table.game):
        desk = table.desk()
        desk.enter({"seat": "red", "name": "Anna", "channel": "paste"})
        desk.order("red", "roll")
        desk.run()
        desk.commit()
    table.run()
    return table


def test_each_request_has_a_sentence_in_every_language_and_no_sentence_is_left_over() -> None:
    rest = {"help_now", "help_requests", "help_private", "help_orders"}
    for language in languages():
        found = {key for key in sentences(language, "mail") if key.startswith("help_")}
        assert found == {f"help_{word}" for word in COMMANDS} | rest


def test_whatever_can_be_written_is_answered() -> None:
    assert requesting.FORMS.keys() == COMMANDS.keys()


@pytest.mark.parametrize("word", COMMANDS)
def test_the_examples_of_the_table_are_requests_and_nothing_but_that(word: str) -> None:
    for line in COMMANDS[word].written:
        assert requesting.split(line)[0] == word and requesting.is_whole(line), line


@pytest.mark.parametrize("line", [
    "Help is on its way, my friend", "Brief gesagt, ich passe", "Status quo is fine with me", "Undo the damage you did to me",
    "Hand in hand we go", "Map of my plans: none", "Storia lunga", "Stand by me now", "Карта мира сего и того и ещё"])
def test_talk_is_no_request(line: str) -> None:
    assert requesting.command_of(line) == ""


@pytest.mark.parametrize("word", WRITTEN)
def test_in_a_thread_each_request_is_taken_or_answered_in_private_or_refused_with_the_private_way(
        thread: Table, word: str) -> None:
    before = (thread.game / "private.yaml").read_text()
    answer = paste.order(thread.game, "red", "7", f"[b]{WRITTEN[word]}[/b]", thread.now)
    public, _, alone = answer.partition("\n\n--- ")
    assert (COMMANDS[word].post == PRIVATE) == alone.startswith("send this to Anna (Red) alone")
    if COMMANDS[word].post == REFUSED:
        assert "pbem ask GAME red" in flat(public) and "private message" in flat(public)
        after = (thread.game / "private.yaml").read_text()
        assert after.replace("posts: [red post-7]", "").split() == before.replace("posts: []", "").split() or (
            "Ephesos" not in after and "shall we" not in after and "friend@" not in after)
    assert "private message" in flat(public) or COMMANDS[word].post != REFUSED


@pytest.mark.parametrize("word", WRITTEN)
def test_the_moderator_enters_a_request_for_a_seat(table: Table, word: str) -> None:
    table.started()
    said("order", table.game, "red", "roll")
    assert requests.way(COMMANDS[word], AT_DESK) == TAKEN
    answer = said("ask", table.game, "Anna", *WRITTEN[word].split())
    assert "pbem" not in answer and "Requests begin" not in answer


def test_a_seat_of_the_thread_can_announce_an_absence_and_all_read_it_in_the_language_of_the_thread(thread: Table) -> None:
    with Lock(thread.game):
        desk = thread.desk()
        desk.enter({"seat": "red", "language": "de"})
        desk.commit()
    answer = paste.order(thread.game, "red", "8", "[b]abwesend 1.12. bis 5.12.[/b]", thread.now)
    assert "Noted: away from Tue 1 Dec to Sat 5 Dec" in flat(answer)
    assert thread.desk().tray.absences["red"] == [("2026-12-01", "2026-12-05")]
    assert thread.log()[-1]["note"] == "Red is away from Tue 1 Dec to Sat 5 Dec."


@pytest.mark.parametrize("days", ["2026-12-05 to 2026-12-01", "tomorrow", "31.2. to 5.3.", "1.12. 2.12. 3.12.", "1.12.2020"])
def test_days_that_cannot_be_are_refused(table: Table, days: str) -> None:
    table.started()
    assert "I could not read the days" in flat(said("ask", table.game, "red", "absent", days, code=1))


def test_a_letter_entered_at_the_desk_waits_for_the_next_report_where_no_mailbox_is(table: Table) -> None:
    table.started()
    told = said("ask", table.game, "red", "press blue: shall we?\\n\\nI hope so")
    assert "Your letter goes to Blue with the next report: 3 lines" in flat(told)
    assert [one.waits for one in table.desk().tray.letters] == [["blue"]]
    assert '"/press"' in said("ask", table.game, "red", "press blue: hello\\n\\nstatus", code=1)


def test_what_is_no_request_is_told_with_the_way_for_orders(table: Table) -> None:
    table.started()
    told = said("ask", table.game, "red", "march Antigonos > Ephesos", code=1)
    assert "Requests begin with help, status" in flat(told) and f"pbem order {table.game} red" in flat(told)
    assert "You can write now" in said("ask", table.game, "red")


def test_a_trial_of_a_request_writes_nothing(table: Table) -> None:
    table.started()
    before = [(path, path.read_bytes()) for path in sorted(table.game.glob("*.yaml"))]
    said("ask", table.game, "red", "absent 2026-12-01 to 2026-12-05", "--dry-run")
    said("ask", table.game, "red", "press blue: x", "--dry-run")
    assert before == [(path, path.read_bytes()) for path in sorted(table.game.glob("*.yaml"))]


# --- help -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "start"), [
    ("en", "You can write now"), ("de", "Du kannst jetzt"), ("it", "Adesso puoi"), ("ru", "Сейчас можно")])
def test_help_is_in_the_readers_language_with_examples_of_his_own_pieces_that_can_be_given(
        table: Table, language: str, start: str) -> None:
    with Lock(table.game):
        desk = table.desk()
        desk.enter({"seat": "red", "language": language})
        desk.enter({"seat": "blue", "language": language})
        desk.commit()
    table.run()
    own, other = (said("ask", table.game, seat, "help") for seat in ("red", "blue"))
    assert own.startswith(start) and other.startswith(start)
    roll, march = {"de": ("würfeln", "marschieren Lysimachos > "), "it": ("tira", "marcia Lysimachos > "),
                   "ru": ("бросок", "идти Лисимахом > ")}.get(language, ("roll", "march Lysimachos > "))
    ahead = {"de": "Dauerbefehl: abfangen", "it": "ordine permanente: intercetta", "ru": "постоянный приказ: перехватить"}.get(
        language, "standing: intercept")
    assert f"  {roll}\n" in own and march in other and other.count(ahead) == 2
    assert all(len(line) <= 80 for line in (own + other).splitlines())
    written = re.sub(r"\n(?!  )", " ", other.split("\n\n")[0])            # what was too long for a line of a terminal
    for line in [line.strip() for line in written.splitlines()[1:]]:
        if line.startswith(ahead):
            assert line.partition(": ")[2].partition(",")[0] in " ".join(said("ask", table.game, "blue", line).split())


def test_help_names_apart_what_is_not_for_the_thread(thread: Unconnected) -> None:
    with Lock(thread.game):
        thread.reply("blue", "help")
    thread.run()
    by_mail = body(thread.last("blue", "received"))
    by_post = paste.order(thread.game, "red", "9", "[b]help[/b]", thread.now)
    assert "  observe friend@" in by_mail and "Not here, because" not in flat(by_mail)
    above, _, below = by_post.partition("Not here, because")
    assert "  status" in above and "  observe friend@" not in above and "observe" in below and "status" not in below


@pytest.mark.parametrize(("written", "rows"), [("x" * 32, 1), ("x" * 33, 2)])
def test_what_a_request_does_stands_beside_it_or_below_where_it_is_long(written: str, rows: int) -> None:
    assert len(requests.row(written, "does something")) == rows


@pytest.mark.parametrize(("written", "first"), [("x" * 32, f"  {'x' * 32}  does"), ("x" * 33, " " * 36 + "does")])
def test_what_a_request_does_begins_and_goes_on_in_one_column(written: str, first: str) -> None:
    *_, begins, goes_on = requests.row(written, "does " * 12)
    assert begins.startswith(first) and re.match(r" {36}does", goes_on)


def test_whoever_has_no_general_on_the_map_is_shown_a_request(quiet: Unconnected) -> None:
    quiet.anew(position={**MARCH, "forces": MARCH["forces"][:3]})
    assert requests.examples(quiet.desk(), "black") == ["status"] and "march" in requests.examples(quiet.desk(), "blue")[0]


@pytest.mark.parametrize("island", ["rhodos", "lesbos", "kyklades"])
def test_so_is_whoever_has_them_only_on_islands(quiet: Unconnected, island: str) -> None:
    """From there no march leads anywhere; the next one who may march is named instead."""
    *others, last = MARCH["forces"]
    quiet.anew(position={**MARCH, "forces": [*others, {**last, "at": island}]})
    assert requests.examples(quiet.desk(), "black") == ["status"]
    more = {"owner": "black", "at": "tarsos", "generals": ["lykiskos"], "cus": {"loyal": 1}}
    quiet.anew(position={**MARCH, "forces": [*others, {**last, "at": island}, more]})
    assert requests.examples(quiet.desk(), "black")[0].startswith("march Lykiskos > ")


def test_the_example_of_a_standing_order_is_in_the_readers_words() -> None:
    said = showing.plain_words("de")
    assert requests.as_written(COMMANDS["standing"].written[0], said).startswith("Dauerbefehl: abfangen")
    assert requests.as_written("help", said) == "hilfe"


@pytest.mark.parametrize(("line", "is_meant"), [("status", True), ("/press", True), ("roll", True), ("hello there", False)])
def test_what_could_be_for_us_where_no_game_is_at_hand(line: str, is_meant: bool) -> None:
    assert requests.could_be_meant(line) == is_meant


def test_at_a_window_help_shows_its_letters(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("blue", "hilfe")
    table.run()
    told = body(table.last("blue", "received"))
    assert "  b  (intercept Lysimachos" in told and "  status  " in told and "press blue and yellow" in told


# --- undo -----------------------------------------------------------------------------------------------------------------


def test_an_undo_is_asked_for_before_all_eyes_agreed_to_and_carried_out_by_the_command_of_status(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    for seat in ("blue", "yellow"):
        table.reply(seat, "pass")
    table.run()
    table.reply("red", "undo: I meant Halikarnassos; sorry")
    table.run()
    wish = table.desk().tray.wishes[0]
    note = table.log()[-1]["note"]
    assert note.startswith(f"Red asks to take back everything from entry {wish.entry} on: I meant Halikarnassos")
    told = [one.subject for one in outbox.of_game(table.game).past() if one.to == "boss@example.net"]
    assert "blue" in wish.asked and any("asks to take something back" in one for one in told)
    table.reply("blue", "undo yes")
    table.run()
    table.reply("yellow", "undo no")
    table.run()
    assert "Red asks to take back" in flat(all_of(table.inbox("yellow")))
    status = said("status", table.game)
    assert "agreed: Blue" in flat(status) and "against it: Yellow" in flat(status)
    assert f"{wish.entry} --reason 'I meant Halikarnassos; sorry' --consent red --consent blue" in flat(status)
    said("undo", table.game, wish.entry, "--reason", wish.reason, "--consent", "red", "--consent", "blue", "--override")
    assert "asks to take back" not in flat(said("status", table.game))


def test_the_moderator_refuses_an_undo_by_one_command(table: Table) -> None:
    table.started()
    said("ask", table.game, "red", "undo", code=1)                       # nothing was done yet
    said("order", table.game, "red", "roll")
    told = flat(said("ask", table.game, "red", "undo"))
    assert "Everybody is told that you ask" in told and "no reason given" in table.log()[-1]["note"]
    entry = table.desk().tray.wishes[0].entry
    said("undo", table.game, entry, "--refuse", "--reason", "a die has fallen")
    assert table.desk().tray.wishes == [] and "a die has fallen" in table.log()[-1]["note"]
    assert "nobody has asked" in said("undo", table.game, entry, "--refuse", "--reason", "again", code=1)
    assert "nobody has asked" in flat(said("ask", table.game, "blue", "undo yes", code=1))


def test_a_wish_for_what_is_not_there_is_refused(table: Table) -> None:
    table.started()
    assert "there is no entry 99" in flat(said("ask", table.game, "red", "undo 99: x", code=1))


@pytest.mark.parametrize(("line", "since", "reason"), [
    ("undo", "march", "no reason given"), ("undo: the wrong General", "march", "the wrong General"),
    ("undo {roll}: before  that: all of it", "roll", "before that: all of it"), ("Undo {roll}", "roll", "no reason given")])
def test_an_undo_names_an_entry_or_means_what_was_done_last(quiet: Unconnected, line: str, since: str, reason: str) -> None:
    quiet.started().reply("red", "roll\nmarch Antigonos > Ephesos")
    quiet.run()
    places = {entry["do"].split()[0]: number for number, entry in enumerate(quiet.log(), 1) if "do" in entry}
    quiet.reply("red", line.format(**places))
    quiet.run()
    (wish,) = quiet.desk().tray.wishes
    assert (wish.entry, wish.reason) == (places[since], reason)
    assert sum(one.to == "boss@example.net" for one in outbox.of_game(quiet.game).past()) == 1
    for seat, text in (("blue", "undo Yes!"), ("yellow", "undo no")):
        quiet.reply(seat, text)
    quiet.run()
    assert "you agree to what Red asks for" in flat(body(quiet.last("blue")))
    assert "you do not agree to what Red asks for" in flat(body(quiet.last("yellow")))
    assert len(quiet.desk().tray.wishes) == 1


# --- at the desk ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("who", "text", "more", "told"), [
    ("green", "status", [], 'no player "green"'), ("red", "march Antigonos > Ephesos", [], "Requests begin with"),
    ("red", "press blue: hello\n\nstatus", [], '"/press"'), ("red", "word salt", ["--dry-run"], "word")])
def test_what_cannot_be_entered_for_a_seat_is_refused_with_the_way_out(
        quiet: Unconnected, who: str, text: str, more: list[str], told: str) -> None:
    before = quiet.desk().tray.plain()
    assert told in flat(said("ask", quiet.game, who, text, *more, code=1)) and quiet.desk().tray.plain() == before


def test_two_letters_that_are_entered_in_one_second_both_arrive(quiet: Unconnected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_MAIL", str(quiet.config.path))
    quiet.started()
    for seat, text in (("red", "one"), ("red", "two"), ("black", "two")):
        assert entered.answered(quiet.game, seat, f"press blue: {text}", quiet.now, write=True).met
    quiet.run()
    assert {(str(one["Subject"]).split()[-1], body(one).splitlines()[2].strip()) for one in quiet.inbox("blue")[1:]} == {
        ("(Red)", "one"), ("(Red)", "two"), ("(Black)", "two")}


# --- a word ---------------------------------------------------------------------------------------------------------------


def test_a_word_can_be_mended_until_the_game_begins(tmp_path: Path) -> None:
    said("new", tmp_path / "g", "--seat", "red=Anna", "--seat", "blue=Bruno", "--words-until", "2030-01-01")
    assert 'Your word is in: "snow".' in said("ask", tmp_path / "g", "red", "word snow")
    assert 'instead of "snow"' in flat(said("ask", tmp_path / "g", "red", "word rain"))
    assert "red: rain" in (tmp_path / "g/game.yaml").read_text()


def test_a_request_that_fails_in_a_post_does_not_stop_its_orders(thread: Table) -> None:
    post = "[b]press blue: x\n/press\nmap Nowhere\nmarch Antigonos > Ephesos[/b]"
    answer = paste.order(thread.game, "red", "9", post, thread.now)
    assert "march Antigonos" in thread.did()[-1] and "private message" in flat(answer)
    with pytest.raises(PbemError):
        paste.order(thread.game, "red", "9", "[b]status[/b]", thread.now)


@pytest.mark.parametrize("line", [
    "Dauerbefehl: passe beim Abfangen, immer", "ordini permanenti: elenco", "Постоянный приказ: отменить 2", "standing: list"])
def test_a_standing_order_is_a_request_in_every_language(line: str) -> None:
    assert requesting.split(line)[0] == "standing" and requesting.is_whole(line)
