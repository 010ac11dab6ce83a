"""Seats without e-mail: posts of a forum thread in, a to-paste list out."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from forum import open_tags
from hypothesis import given
from hypothesis import strategies as st
from small_game import MARCH, NOON, again, at_window, found, go_on, header
from table import Table, Unconnected, body

from pbem.base.errors import NotNow, PbemError
from pbem.base.folder import Lock
from pbem.cli.main import main
from pbem.desk.desk import Desk
from pbem.desk.submission import Outcome
from pbem.desk.tray import Priced, Tray
from pbem.drawing import drawn
from pbem.mail import maps, outbox, paste
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Bookmark
from pbem.telling.formats import LONGEST_POST, bgg, posts

TYCHE = {**MARCH, "segment": {"player": "red", "kind": "tyche"}}


pytestmark = pytest.mark.without_servers


@pytest.mark.parametrize(("post", "found"), [
    ("[b]roll[/b]", ["roll"]),
    ("Hello all\n[b]roll\nmarch Antigonos > Ephesos[/b]\nsee you", ["roll", "march Antigonos > Ephesos"]),
    ("roll", []),
    ('[q="Anna"]I say\n[b]end[/b][/q]\n[b]roll[/b]', ["roll"]),
    ("[quote][q][b]end[/b][/q][b]end[/b][/quote][b]roll[/b]", ["roll"]),
    ("[b][COLOR=#FF0000]roll[/COLOR][/b]", ["roll"]),
    ("[B]roll[/B] and [b]end[/b]", ["rollend"]),
    ("[b]roll[/b]\n[-][b]end[/b][/-]", ["roll"]),
    ("[b][q]end[/q]roll[/b]", ["roll"]),
    ("[b]roll", ["roll"]),
    ("[/b][/q]roll[b]end[/b]", ["end"]),
    ("[o][b]roll[/b] and [spoiler=x]more[/spoiler][/o]\n[c][b]end[/b][/c]", ["roll", "end"]),
    ("[-][s][b]roll[/b][/s][b]end[/b][/-]\n**roll**", ["roll"]),
])
def test_bold_lines_outside_of_quotes_are_orders(post: str, found: list[str]) -> None:
    assert paste.orders(post) == found


def test_orders_of_a_post_are_taken_with_its_number_and_once(table: Table) -> None:
    answer = paste.order(table.game, "red", "4711", "Here goes:\n[b]roll[/b]", table.now)
    assert "1. [i]roll[/i]\ndone" in answer and table.did() == ["roll"]
    assert next(entry["via"] for entry in table.log() if entry.get("do") == "roll") == "post-4711"
    with pytest.raises(PbemError) as problem:
        paste.order(table.game, "red", "4711", "[b]roll[/b]", table.now)
    assert problem.value.key == "post_taken" and table.did() == ["roll"]


@pytest.mark.parametrize(("number", "post", "key"), [("12", "roll", "post_empty"), ("../x", "[b]roll[/b]", "post_number")])
def test_a_post_that_cannot_be_taken_changes_nothing(table: Table, number: str, post: str, key: str) -> None:
    with pytest.raises(PbemError) as problem:
        paste.order(table.game, "red", number, post, table.now)
    assert problem.value.key == key and table.did() == []


@pytest.mark.parametrize("line", ["roll", "status", ""])
def test_a_post_of_nobody_is_refused(table: Table, line: str) -> None:
    with pytest.raises(PbemError) as problem:
        paste.order(table.game, "green", "12", f"[b]{line}[/b]", table.now)
    assert problem.value.key == "unknown_seat"


def test_a_post_of_which_a_line_was_refused_may_come_again_corrected_and_what_was_taken_counts_once(quiet: Unconnected) -> None:
    def post(text: str) -> str:
        return paste.order(quiet.game, "red", "7", f"[b]{text}[/b]", quiet.now)

    assert "not allowed" in post("roll\nmarch Antigonos > Pella\nend") and paste.may_be_corrected(quiet.game, "red", "7")
    with pytest.raises(PbemError) as problem:
        post("march Antigonos > Ephesos")
    assert problem.value.key == "post_otherwise"
    post("roll\nmarch Antigonos > Ephesos")
    assert quiet.did()[0] == "roll" and len(quiet.did()) == 2 and not paste.may_be_corrected(quiet.game, "red", "7")
    with pytest.raises(PbemError) as problem:
        post("roll\nmarch Antigonos > Ephesos")
    assert problem.value.key == "post_taken"


def test_a_post_with_an_answer_that_is_to_last_may_come_again_corrected_as_well(quiet: Unconnected) -> None:
    paste.order(quiet.game, "red", "6", "[b]roll\nmarch Antigonos > Ephesos[/b]", quiet.now)
    for text in ("# who knows\nb always\nintercept Demetrios with all", "b always\nintercept Krateros with all", "b always"):
        assert f"blue {quiet.desk().mail.posts}".count("post-7") == 0
        paste.order(quiet.game, "blue", "7", f"[b]{text}[/b]", quiet.now)
        assert quiet.desk().mail.half.get("blue post-7") == (["b always"] if "intercept" in text else None)
    assert len(quiet.desk().tray.standing) == 1 and "blue post-7" in quiet.desk().mail.posts


def test_a_request_in_a_post_leaves_alone_what_waits(quiet: Unconnected) -> None:
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.set_waiting("blue", ["roll"], since=3)
        desk.commit()
    before = quiet.desk().tray.turn("blue")
    paste.order(quiet.game, "blue", "7", "[b]status[/b]", quiet.now)
    assert before is not None and quiet.desk().tray.turn("blue") == before


def test_a_request_in_a_post_leaves_the_price_that_was_told(quiet: Unconnected) -> None:
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.run()
        desk.tray.priced["red"] = Priced(question="T2.R1.red.1", lines=["roll"])
        desk.commit()
    paste.order(quiet.game, "red", "7", "[b]status[/b]", quiet.now)
    assert "red" in quiet.desk().tray.priced
    paste.order(quiet.game, "red", "8", "[b]yes[/b]", quiet.now)
    assert "red" not in quiet.desk().tray.priced


def test_what_stands_below_a_letter_in_a_post_is_of_it_up_to_its_end(quiet: Unconnected) -> None:
    for number, text, did in (("1", "press blue: hello\nroll", []), ("2", "press blue: hello\nend\n/press\nroll", ["roll"])):
        told = paste.order(quiet.game, "red", number, f"[b]{text}[/b]", quiet.now)
        assert "private message" in " ".join(told.split()) and quiet.did() == did and quiet.desk().tray.letters == []


def test_in_a_thread_a_request_is_answered_in_its_language_and_alone_in_that_of_who_asks(quiet: Unconnected) -> None:
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.enter({"seat": "red", "language": "de"})
        desk.commit()
    public, _, alone = paste.order(quiet.game, "red", "1", "[b]status\nhand[/b]", quiet.now).partition("\n\n--- ")
    assert public.count("Waiting for") == 2 and "Deine Hand" in alone


def test_what_a_checker_reads_stands_as_it_is_in_the_answer_to_a_request(quiet: Unconnected) -> None:
    quiet.anew(position=TYCHE, cards=True)
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.enter({"note": "[/c][b]roll[/b]"})
        desk.commit()
    alone = [paste.order(quiet.game, "red", number, f"[b]{line}[/b]", quiet.now).partition("\n\n--- ")[2]
             for number, line in (("1", "hand"), ("2", "proof"))]
    hand, log = (json.loads(re.sub(r"\n ", " ", text.partition("[c]")[2].removesuffix("[/c]"))) for text in alone)
    assert [card for _, card, *_ in hand["openings"]["cards"]] == ["1", "57"] and hand["openings"]["deck"] == "adopted,2"
    assert "[/c][b]roll[/b]" in str(log["log"][-1])
    assert [re.findall(r"\[/?[a-z]\w*\]", text) for text in alone] == [["[c]", "[/c]"]] * 2


def test_what_was_posted_is_sent_again_as_it_was_and_of_a_mail_nothing_becomes_markup(thread: Unconnected) -> None:
    thread.run()
    paste.listed(thread.game, thread.now)
    (posted,) = outbox.of_thread(thread.game).unsent()
    assert "[u]Standings[/u]" in posted.text
    assert posted.text.strip() in paste.order(thread.game, "red", "1", "[b]resend[/b]", thread.now)
    thread.reply("yellow", 'press blue held: look\n{"[b]roll[/b]')
    thread.run()
    paste.order(thread.game, "red", "2", "[b]roll\nmarch Antigonos > Ephesos[/b]", thread.now)
    thread.run()
    assert '{"[b]roll[/b]' in body(thread.last("blue"))
    assert '{"(b)roll(/b)' in paste.order(thread.game, "blue", "3", "[b]resend[/b]", thread.now)


def test_what_somebody_is_called_is_no_markup_in_what_he_is_answered(thread: Unconnected) -> None:
    with Lock(thread.game):
        desk = thread.desk()
        desk.enter({"seat": "red", "name": "Anna [b]roll[/b]", "channel": "paste"})
        desk.commit()
    assert paste.orders(paste.order(thread.game, "red", "1", "[b]status[/b]", thread.now)) == []


@pytest.mark.parametrize(("lines", "told"), [
    ([], []), (["a [b]"], ["a (b)"]), (["a", '{"b": [1]}'], ["a", '[c]{"b": [1]}[/c]']), (["{b [1]}"], ["{b (1)}"]),
    (['{"b": [', ' "c"]}', "", "[d]", '{"e [f] \\" [g]": [2]}'],
     ['[c]{"b": [\n "c"]}[/c]', "", "(d)", '[c]{"e \\u005bf] \\" \\u005bg]": [2]}[/c]'])])
def test_what_a_checker_reads_ends_with_the_next_empty_line(lines: list[str], told: list[str]) -> None:
    assert paste.as_code(lines) == told


def test_what_is_refused_is_kept_from_the_thread_only_of_who_is_asked_in_secret(quiet: Unconnected) -> None:
    assert "send this to" not in paste.order(quiet.game, "red", "1", "[b]march Lysimachos > Pella[/b]", quiet.now)
    paste.order(quiet.game, "red", "2", "[b]roll\nmarch Antigonos > Ephesos[/b]", quiet.now)
    for number, seat, line, is_secret in (
            ("3", "black", "march Lysimachos > Pella", False), ("4", "blue", "intercept Demetrios", True),
            ("5", "red", "march Lysimachos > Pella", False)):
        told = paste.order(quiet.game, seat, number, f"[b]{line}[/b]", quiet.now)
        assert ("send this to" in told, line in told.partition("\n\n--- ")[0]) == (is_secret, not is_secret), seat


def test_what_a_player_asks_in_private_is_answered_in_his_language_with_what_proves_his_answer(quiet: Unconnected) -> None:
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.enter({"seat": "blue", "language": "de"})
        desk.order("red", "roll\nmarch Antigonos > Ephesos")
        desk.commit()
    public, _, alone = paste.order(quiet.game, "blue", "1", "[b]hand\npassen[/b]", quiet.now).partition("\n\n--- ")
    assert "Waiting for Bruno (Blue) and Chiara" in public and "[c]" not in public
    assert "Deine Hand" in alone and "\n[c]{" in alone and open_tags(alone) == []
    only = paste.order(quiet.game, "blue", "2", "[b]hand[/b]", quiet.now).partition("\n\n--- ")[2]
    assert only.partition("\n")[2].startswith("Deine Hand") and "[c]" not in only


@pytest.fixture
def thread(table: Table) -> Table:
    """Red reads the forum, the others have mail."""
    with Lock(table.game):
        desk = table.desk()
        desk.enter({"seat": "red", "name": "Anna", "channel": "paste"})
        desk.run()
        desk.commit()
    return table


def names(listed: str) -> list[str]:
    return [line.split()[1].rstrip(":") for line in listed.splitlines() if line.startswith("--- ")]


def test_what_a_seat_of_the_thread_is_told_waits_to_be_pasted_and_is_ticked_off(thread: Table) -> None:
    thread.run()
    assert thread.inbox("red") == [] and thread.inbox("blue")
    listed = paste.listed(thread.game, thread.now)
    (name,) = names(listed)
    assert "post this in the thread" in listed and "[size=18]small - Game Turn" in listed
    assert "Anna (Red) is asked:" in listed
    assert "You may order now" in listed and "[small" not in listed
    assert paste.listed(thread.game, thread.now) == listed
    with pytest.raises(PbemError, match="post number"):
        paste.tick(thread.game, name, "no post")
    paste.tick(thread.game, name, "99")
    assert outbox.of_thread(thread.game).past()[0].post == "99"
    assert thread.desk().tray.posted == len(thread.desk().game.entries)
    assert paste.listed(thread.game, thread.now) == "Nothing is to be pasted."
    with pytest.raises(PbemError):
        paste.tick(thread.game, name, "99")


def test_the_receipt_for_the_thread_never_says_what_is_sealed(thread: Table) -> None:
    thread.started()
    paste.order(thread.game, "red", "1", "[b]roll\nmarch Antigonos > Ephesos[/b]", thread.now)
    for number, line, secret in (
            ("2", "b", "Lysimachos"), ("3", "intercept Lysimachos with 2 loyal", "Lysimachos"),
            ("4", "intercept Demetrios", "Demetrios")):
        public, _, alone = paste.order(thread.game, "blue", number, f"[b]{line}[/b]", thread.now).partition("\n\n--- ")
        assert public.startswith("1. An answer came in" if number in "23" else "1. What became of this line")
        assert secret not in public and line not in public
        assert alone.startswith("send this to Bruno (Blue) alone, never into the thread\n1. ") and secret in alone
        assert "Waiting for Bruno (Blue) and Chiara (Yellow)" in public


@pytest.mark.parametrize(("order", "told"), [
    (("own", "half", "first", "rest"), [0, 0, 1, 2]), (("first", "half", "own", "rest"), [1, 1, 1, 2])])
def test_what_everybody_was_told_is_posted_when_no_part_up_to_there_is_left(
        quiet: Unconnected, order: tuple[str, ...], told: list[int]) -> None:
    quiet.started()
    kept = outbox.of_thread(quiet.game)
    now = "2026-11-18T12:00:00Z"
    for name, entries in (("first", 1), ("half", 2), ("rest", 2), ("own", 0)):
        kept.put(outbox.Item(name, paste.POST if entries else "message", "", "s", "t", now, now, game="small", entries=entries))
    posted = []
    for name in order:
        paste.tick(quiet.game, name, "5")
        posted.append(quiet.desk().tray.posted)
    assert posted == told


def test_what_becomes_of_the_lines_of_others_is_not_told_to_the_thread(thread: Table) -> None:
    paste.order(thread.game, "red", "1", "[b]roll\nmarch Antigonos > Ephesos\nmarch Antigonos > Pella[/b]", thread.now)
    paste.order(thread.game, "yellow", "2", "[b]pass[/b]", thread.now)
    answer = paste.order(thread.game, "blue", "3", "[b]pass[/b]", thread.now)
    assert "Pella" not in answer and thread.desk().is_held("red")


def test_everybody_in_the_thread_reads_the_same_report_once(thread: Table) -> None:
    with Lock(thread.game):
        desk = thread.desk()
        for seat, name in (("blue", "Bruno"), ("yellow", "Chiara")):
            desk.enter({"seat": seat, "name": name, "channel": "paste"})
        desk.commit()
    paste.listed(thread.game, thread.now)
    paste.order(thread.game, "red", "7", "[b]roll\nmarch Antigonos > Ephesos[/b]", thread.now)
    newest = paste.listed(thread.game, thread.now).rpartition("--- ")[2]
    assert newest.count("Antigonos marched from") == 1 and newest.count("Do you intercept?") == 2
    assert "Waiting for Bruno (Blue) and Chiara (Yellow)" in newest


def test_the_thread_is_told_again_only_where_something_is_new(thread: Unconnected) -> None:
    """A note is news; so is a question to somebody in the thread, but not one to somebody who has mail."""
    paste.tick(thread.game, paste.ALL, "1") if names(paste.listed(thread.game, thread.now)) else None
    steps = (("roll\nmarch Antigonos > Ephesos", True), ("status", False))
    for number, (text, is_new) in enumerate(steps, 2):
        paste.order(thread.game, "red", str(number), f"[b]{text}[/b]", thread.now)
        assert bool(names(paste.listed(thread.game, thread.now))) == is_new
        if is_new:
            paste.tick(thread.game, paste.ALL, "1")
    with Lock(thread.game):
        desk = thread.desk()
        desk.enter({"note": "The moderator is away on Sunday."})
        desk.commit()
    assert "away on Sunday" in paste.listed(thread.game, thread.now)


def test_where_nobody_reads_a_thread_nothing_is_to_be_pasted(quiet: Unconnected) -> None:
    assert paste.listed(quiet.started().game, quiet.now) == "Nothing is to be pasted."


def test_a_map_is_named_with_the_post_that_it_belongs_to_and_not_with_a_message(quiet: Unconnected) -> None:
    quiet.anew(position=TYCHE, cards=True)
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.enter({"seat": "red", "name": "Anna", "channel": "paste"})
        desk.commit()
    first, second = names(listed := paste.listed(quiet.game, quiet.now))
    assert first.startswith("post-thread-") and second.startswith("message-red-") and listed.count("[img]") == 1
    paste.tick(quiet.game, first, "1")
    assert names(listed := paste.listed(quiet.game, quiet.now)) == [second] and "[img]" not in listed


def test_whoever_is_not_asked_is_shown_no_question(thread: Unconnected) -> None:
    with Lock(thread.game):
        desk = thread.desk()
        desk.enter({"seat": "black", "name": "Dora", "channel": "paste"})
        desk.commit()
    listed = paste.listed(thread.game, thread.now)
    assert "Anna (Red) is asked:" in listed and "Dora (Black) is asked:" not in listed


def test_a_question_about_a_hand_is_put_once_and_where_nobody_is_asked_there_is_none(quiet: Unconnected) -> None:
    quiet.anew(position=TYCHE, cards=True)
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.enter({"seat": "red", "name": "Anna", "channel": "paste"})
        desk.commit()
    assert "play 1 as ops" in paste.listed(quiet.game, quiet.now)
    desk, before = quiet.desk(), outbox.of_thread(quiet.game).bookmarks()
    assert paste.message(desk, "red", before) == "" and "play 1 as ops" in paste.message(desk, "red", {})
    desk.match.table.question = None
    assert "play 1 as ops" not in paste.message(desk, "red", {}) and paste.post(desk, {})
    assert "--- " not in paste.receipts(desk, "red", [Outcome("roll", "unread")])


def test_what_depends_on_a_hand_goes_into_a_message_and_never_into_the_thread(table: Table) -> None:
    table.anew(position=TYCHE, cards=True)
    with Lock(table.game):
        desk = table.desk()
        desk.enter({"seat": "red", "name": "Anna", "channel": "paste"})
        desk.commit()
    listed = paste.listed(table.game, table.now)
    thread, _, alone = listed.partition("--- message-red")
    assert "send this to Anna (Red) alone, never into the thread" in listed
    assert "play 1 as ops" in alone and "The Gift of Oratory" in alone
    assert "play 1 as ops" not in thread and "Drink the Hemlock" not in thread and "Oratory" not in thread


@pytest.mark.parametrize("how", ["", " held"])
def test_a_letter_to_somebody_without_mail_is_put_on_the_list(thread: Table, how: str) -> None:
    thread.run()
    paste.listed(thread.game, thread.now)
    thread.reply("blue", f"press red yellow{how}: shall we?")
    thread.run()
    assert not thread.inbox("red")
    listed = paste.listed(thread.game, thread.now)
    assert "Bruno (Blue) writes to Red and Yellow:" in listed and "[q]shall we?[/q]" in listed and "--- message-red" in listed
    first, second = names(listed)
    assert "--done all" in listed
    paste.tick(thread.game, first, "12")
    assert "--done all" not in paste.listed(thread.game, thread.now)
    paste.tick(thread.game, second, "geekmail")
    assert paste.listed(thread.game, thread.now) == "Nothing is to be pasted."


def test_killed_before_it_was_noted_the_list_is_the_same(thread: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(paste, "mark", lambda desk: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            paste.listed(thread.game, thread.now)
    before = len(outbox.of_thread(thread.game).unsent())
    assert len(names(paste.listed(thread.game, thread.now))) == before == 1


def test_what_is_pasted_holds_nothing_private(thread: Table) -> None:
    thread.run()
    listed = paste.listed(thread.game, thread.now)
    secrets = thread.desk().mail.secret
    assert secrets not in listed and "Reference" not in listed


@given(st.text(max_size=500))
def test_no_text_becomes_markup(text: str) -> None:
    rest = bgg(text).replace("[c][/c]", "")
    assert not set(rest) & set("[]<")


def test_what_is_pasted_is_balanced_and_keeps_the_lines_of_a_table(thread: Table) -> None:
    paste.order(thread.game, "red", "7", "[b]roll[/b]", thread.now)
    listed = paste.listed(thread.game, thread.now)
    assert open_tags(listed) == []
    assert "\n[c]  march Antigonos > " in listed and "\n  end" in listed.partition("[c]  march")[2]


def test_a_long_text_is_split_between_its_lines_and_its_tags_are_closed() -> None:
    text = "[b]title[/b]\n\n[c]" + "\n".join(f"[i]line[/i] {number}" for number in range(5000)) + "[/c]"
    parts = posts("small", text)
    assert len(parts) > 2 and all(len(part) < LONGEST_POST + 200 and open_tags(part) == [] for part in parts)
    assert parts[1].startswith(f"[u]small[/u] (2/{len(parts)})\n\n[c][i]line[/i] ")
    assert re.findall(r"line\[/i\] (\d+)", "".join(parts)) == [str(number) for number in range(5000)]


def test_the_first_post_says_in_five_lines_what_this_is_who_plays_how_to_answer_and_where_help_is(thread: Table) -> None:
    first = paste.listed(thread.game, thread.now)
    lead = first.partition("\n")[2].splitlines()[:6]
    assert [line.partition(" ")[0] for line in lead[:5]] == ["This", "At", "Write", "What", "A"] and lead[5] == ""
    assert "Anna (Red), Bruno (Blue)" in lead[1] and '"guide"' in lead[4] and '"help"' in lead[4]
    paste.tick(thread.game, names(first)[0], "1")
    paste.order(thread.game, "red", "2", "[b]roll\nmarch Antigonos > Ephesos[/b]", thread.now)
    assert "This thread is the table" not in paste.listed(thread.game, thread.now)


def test_the_map_of_a_report_is_a_file_with_a_name_that_stays_and_a_line(thread: Table) -> None:
    told = paste.listed(thread.game, thread.now)
    (path,) = (thread.game / "out/paste").glob("map-*")
    assert path.name == f"map-{len(thread.desk().game.entries)}-en.png" and path.read_bytes().startswith(b"\x89PNG")
    linked = CliRunner().invoke(main, ["report", str(thread.game)]).output
    assert f"![{path.stem}](out/paste/{path.name})" in linked
    assert str(path) in told and f"[img]https://.../{path.name}[/img]" in told
    for name in names(told):
        paste.tick(thread.game, name, "12")
    assert "map-" not in paste.listed(thread.game, thread.now)


def test_a_line_of_a_post_that_waited_and_was_refused_then_is_told_so_and_may_be_corrected(tmp_path: Path) -> None:
    """Blue and Yellow have answered in advance: the line behind the march is looked at before the receipt is written."""
    game = found(tmp_path / "g").folder
    desk = again(game)
    for seat in ("blue", "yellow"):
        desk.order(seat, "standing: pass on interception, always")
    told = paste.order(game, "red", "7", "[b]roll\nmarch Antigonos > Ephesos\nsiege Tarsos[/b]", NOON)
    assert "[i]siege Tarsos[/i]\nnot allowed" in told and "Waiting until" not in told
    told = paste.order(game, "red", "7", "[b]roll\nmarch Antigonos > Ephesos\nend activation[/b]", NOON)
    assert "[i]end activation[/i]\ndone" in told and again(game).waiting("red") == []


def test_a_line_of_a_post_that_waited_and_was_done_then_is_told_once(tmp_path: Path) -> None:
    game = found(tmp_path / "g").folder
    desk = again(game)
    for seat in ("blue", "yellow"):
        desk.order(seat, "standing: pass on interception, always")
    told = paste.order(game, "red", "7", "[b]roll\nmarch Antigonos > Ephesos\nend activation[/b]", NOON)
    assert told.count("[i]end activation[/i]\ndone") == 1


def test_behind_an_answer_in_a_post_the_orders_for_ones_own_turn_wait_as_they_do_by_mail(tmp_path: Path) -> None:
    game = at_window(tmp_path / "g").folder
    told = paste.order(game, "blue", "7", "[b]pass\nroll\nmarch Lysimachos > Ephesos[/b]", NOON)
    assert "not allowed" not in told and again(game).waiting("blue") == ["roll", "march Lysimachos > Ephesos"]
    assert "[i]march Lysimachos > Ephesos[/i]" in told.partition("\n\n--- ")[0], "it is no secret"
    with pytest.raises(NotNow, match="post taken"):
        paste.order(game, "blue", "7", "[b]pass[/b]", NOON)


def test_what_answers_nothing_that_is_open_does_not_wait_in_ones_own_turn(tmp_path: Path) -> None:
    game = found(tmp_path / "g").folder
    told = paste.order(game, "red", "7", "[b]roll\nintercept Lysimachos with all[/b]", NOON)
    assert "[i]intercept Lysimachos with all[/i]\nnot now" in told and again(game).waiting("red") == []


def test_before_a_game_begins_a_post_brings_a_word_for_its_dice(tmp_path: Path) -> None:
    new = ["new", str(tmp_path / "g"), "--seat", "red=Anna", "--seat", "blue=Bruno", "--words-until", "2030-01-01"]
    assert CliRunner().invoke(main, new).exit_code == 0
    assert 'Your word is in: "snow".' in paste.order(tmp_path / "g", "red", "7", "[b]word snow[/b]", NOON)


# --- since when a list tells --------------------------------------------------------------------------------------------


def in_the_thread(folder: Path, seat: str, position: dict[str, Any] = MARCH, **more: Any) -> MailDesk:
    """A game of which one seat reads the thread; all that is done at its desk stands on the disk."""
    found(folder, position, **more).enter({"seat": seat, "channel": "paste"})
    return MailDesk(folder, now=NOON)


def told_since(desk: MailDesk, entry: int) -> tuple[str, str]:
    """What the next list says to the thread, and to red alone, where the last one ended with an entry."""
    before = {name: Bookmark(entry) for name in (paste.THREAD, "red")}
    return paste.post(desk, before), paste.message(desk, "red", before)


def test_a_list_tells_what_has_happened_since_the_one_before(tmp_path: Path) -> None:
    desk = in_the_thread(tmp_path / "g", "red", TYCHE, cards={"red": ["57", "58"], "blue": ["50"]})
    with Lock(tmp_path / "g"):
        (discarded,) = desk.order("red", "discard 57")[0].entries
        desk.commit()
    for entry, is_new in ((discarded - 1, True), (discarded, False)):
        thread, alone = told_since(desk, entry)
        assert ("Red discarded" in thread, "you now hold" in alone, "What proves these cards" in alone) == (is_new,) * 3
        assert alone.startswith("[u]small: for Anna (Red)[/u]\n\n") and "Your hand: " in alone


def test_the_end_of_a_game_turn_is_proved_in_the_first_list_behind_it(tmp_path: Path) -> None:
    begins = {key: value for key, value in MARCH.items() if key != "segment"} | {"phase": "deal"}
    go_on(found(tmp_path / "g", begins), 3)
    desk = MailDesk(tmp_path / "g", now=NOON)
    ended = next(number for number, entry in enumerate(desk.game.entries, 1) if "turn_end" in entry)
    assert ['{"turn": ' in told_since(desk, entry)[0] for entry in (ended - 1, ended)] == [True, False]


@pytest.mark.parametrize(("seat", "told"), [("blue", True), ("red", False)])
def test_whoever_is_asked_reads_how_things_stand_though_nothing_has_happened(tmp_path: Path, seat: str, told: bool) -> None:
    """Where Blue's Tyche Segment ends and his Movement Segment begins there is nothing to tell, but a question to him."""
    desk = in_the_thread(tmp_path / "g", seat, {**MARCH, "segment": {"player": "blue", "kind": "tyche"}}, cards=True)
    with Lock(tmp_path / "g"):
        ended = desk.order("blue", "play 2 as ops\nend")[-1].entries[0]
        desk.commit()
    thread, _ = told_since(desk, ended - 1)
    assert (thread != "", "[u]Standings[/u]" in thread, "is asked:" in thread) == (told,) * 3


def test_a_question_about_cards_that_lie_on_a_table_elsewhere_is_put_without_a_hand(tmp_path: Path) -> None:
    head = {key: value for key, value in header().items() if key != "chance"}
    (tmp_path / "g").mkdir()
    with Lock(tmp_path / "g"):
        Desk.found(tmp_path / "g", head, TYCHE, Tray())
    _, alone = told_since(MailDesk(tmp_path / "g", now=NOON), 0)
    assert "orders for the Tyche Segment" in alone and "hand" not in alone


def test_the_map_of_a_list_shows_what_has_happened_since_the_one_before(
        thread: Unconnected, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg", None)
    drawn.painted.cache_clear()
    paste.order(thread.game, "red", "1", "[b]roll[/b]", thread.now)
    for act, is_drawn in (("march", True), ("note", False)):
        paste.listed(thread.game, thread.now)
        with Lock(thread.game):
            desk = thread.desk()
            desk.order("red", "march Antigonos > Xanthos") if act == "march" else desk.enter({"note": "hello"})
            desk.commit()
        paste.listed(thread.game, thread.now)
        (path,) = maps.of_entry(thread.game / "out/paste", len(thread.desk().game.entries))
        assert ("data-change" in path.read_text()) == is_drawn


def test_the_parts_of_a_list_are_counted_and_a_message_is_no_part_of_what_everybody_is_told(quiet: Unconnected) -> None:
    quiet.anew(position=TYCHE, cards=True)
    with Lock(quiet.game):
        desk = quiet.desk()
        desk.enter({"seat": "red", "name": "Anna", "channel": "paste"})
        desk.commit()
    number = len(quiet.desk().game.entries)
    first, second = names(paste.listed(quiet.game, quiet.now))
    assert first.startswith(f"post-thread-{number}_1_") and second.startswith(f"message-red-{number}_1_")
    assert [one.entries for one in outbox.of_thread(quiet.game).unsent()] == [0, number]
    kept = outbox.of_thread(quiet.game)
    kept.change(kept.unsent()[1]._replace(state="dropped"))
    paste.tick(quiet.game, second, "geekmail")
    assert quiet.desk().tray.posted == 0
