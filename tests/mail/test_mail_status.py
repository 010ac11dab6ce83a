"""What the moderator sees of the mailbox, and does with a mail: looks at it, lets it through, turns it away."""

from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from at_the_shell import said
from table import Unconnected, changed

from pbem.base.clock import stamp
from pbem.base.errors import PbemError
from pbem.mail import outbox, parts, status
from pbem.mail import shown as files
from pbem.mail.ledger import Copy, Ledger
from pbem.mail.outbox import Item, Outbox
from pbem.mail.run import MAILBOX_OUT, Run, State

AT = "2026-11-18T12:00:00Z"

def shown(table: Unconnected, name: str, *, look: bool = False) -> str:
    return status.show(table.config, name, games=table.config.games(), look=look, now=table.now)


def text(table: Unconnected) -> list[str]:
    return status.text(table.config, table.config.games(), table.now).splitlines()


def written(box: Outbox, name: str, state: str) -> None:
    """A mail lies there."""
    box.change(Item(name, "report", "anna@example.com", f"about {name}", "t", AT, AT, game="small", state=state))


def kept(table: Unconnected, raw: bytes) -> None:
    """Fetched by a run that was cut off before it looked at the mail."""
    with ExitStack() as stack:
        ledger = Run(table.config, table.config.games(), table.now, stack).ledger
        ledger.receive(Copy("here", 1, len(ledger.mails) + 1), raw.replace(b"\n", b"\r\n"), table.now, len(raw))
        ledger.settle()


# --- a mail ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "words", "is_sealed"), [
    ("red", "roll", True), ("red", "press blue: hello\n\nroll", True), ("stranger", "hello", False)])
def test_what_a_player_sent_is_shown_only_where_the_log_tells_of_it(
        quiet: Unconnected, seat: str, words: str, is_sealed: bool) -> None:
    quiet.started()
    if seat == "red":
        quiet.reply(seat, words)
    else:
        quiet.post(seat, words, sender="who@example.net")
    quiet.run()
    before = quiet.log()
    told = shown(quiet, "1")
    assert (words.splitlines()[-1] not in told) == ("--look" in told) == is_sealed and quiet.log() == before
    assert words.splitlines()[-1] in shown(quiet, "1", look=True)
    assert [entry["says"]["seat"] for entry in quiet.log()[len(before):]] == (["red"] if is_sealed else [])


def test_a_mail_that_no_run_has_come_to_yet_is_sealed_as_well(quiet: Unconnected) -> None:
    quiet.started()
    kept(quiet, quiet.write("red", "play 57 as surprise", answers=quiet.last("red")))
    assert "play 57" not in shown(quiet, "1") and "play 57" in shown(quiet, "1", look=True)
    assert any("for the next run: 1 from ?" in line for line in text(quiet))


def test_a_mail_that_waits_for_the_moderator_is_shown_but_not_to_one_who_plays(quiet: Unconnected) -> None:
    quiet.started().post("red", "roll")
    quiet.run()
    assert quiet.states() == ["confirm"] and "    roll" in shown(quiet, "1").splitlines()
    for blind, is_sealed in (("blue", True), ("red", False)):
        with changed(quiet.game) as tray:
            tray.blind = blind
        assert ("--look" in shown(quiet, "1")) == is_sealed


def test_a_mail_is_of_the_game_that_it_was_for(quiet: Unconnected) -> None:
    """Red sits in two games; that one of them is blind is nothing to the other."""
    other = quiet.add("other")
    quiet.started().post("red", "roll", subject="[small]")
    quiet.run()
    with changed(other) as tray:
        tray.blind = "blue"
    assert quiet.states() == ["confirm"] and "    roll" in shown(quiet, "1").splitlines()


def test_what_was_cut_out_of_a_mail_is_shown_by_its_beginning(quiet: Unconnected) -> None:
    quiet.started().post("who", f"hello\n\n> {'x' * 100}\n> y", sender="who@example.net")
    quiet.run()
    rows = shown(quiet, "1").splitlines()
    assert "    hello" in rows and any(row.startswith("  > ") and row.count("x") == 68 for row in rows)


@pytest.mark.parametrize("act", [
    lambda table: status.release(table.config, table.config.games(), "1", now=table.now),
    lambda table: status.reject(table.config, "1")])
def test_only_what_waits_is_let_through_or_turned_away(quiet: Unconnected, act: Callable[[Unconnected], str]) -> None:
    quiet.started().reply("red", "status")
    quiet.run()
    with pytest.raises(PbemError) as problem:
        act(quiet)
    assert problem.value.key == "mail_settled"
    for name in ("7777777", "zz"):
        with pytest.raises(PbemError) as problem:
            shown(quiet, name)
        assert problem.value.key == "mail_unknown"


def test_what_is_let_through_counts_in_its_game_now(quiet: Unconnected) -> None:
    quiet.add("other")
    quiet.started().post("red", "roll", subject="[small]")
    quiet.run()
    assert quiet.states() == ["confirm"]
    assert status.release(quiet.config, quiet.config.games(), "1") == "applied" and quiet.did() == ["roll"]


def test_whose_a_held_mail_is_may_be_said_where_nobody_can_tell(quiet: Unconnected) -> None:
    quiet.add("other")
    quiet.started().post("who", "roll", sender="who@example.net")
    quiet.run()
    now = quiet.now.replace(microsecond=5) + timedelta(hours=5)
    assert status.release(quiet.config, quiet.config.games(), "1", status.Whose("small", "red"), now) == "applied"
    assert quiet.did() == ["roll"]
    assert [one.made for one in outbox.of_game(quiet.game).unsent() if one.kind == "receipt"] == [stamp(now)]


def test_who_was_turned_away_is_told_nothing_and_what_he_wrote_does_nothing(quiet: Unconnected) -> None:
    quiet.started().post("red", "roll")
    quiet.run()
    before = len(quiet.inbox("red"))
    assert status.reject(quiet.config, "1") == "rejected" and quiet.states() == ["rejected"]
    quiet.run()
    assert len(quiet.inbox("red")) == before and quiet.did() == []


# --- all of it ------------------------------------------------------------------------------------------------------------


def test_before_the_first_run_there_is_nothing(quiet: Unconnected) -> None:
    assert text(quiet)[0] == "last run never; mails: none" and not any("on the server" in row for row in text(quiet))


def test_each_mail_that_waits_is_listed_with_what_can_be_done(quiet: Unconnected) -> None:
    quiet.started().post("red", "roll")
    quiet.reply("blue", "status")
    quiet.run()
    State.read(quiet.config.folder)._replace(left=2, tries={"12": 1, "3": 1}).save(quiet.config.folder)
    rows = text(quiet)
    assert "2 still on the server; not to be had so far: number 3 and 12" in rows
    assert "held 1: anna@example.com: orders" in rows and any("release 1 or reject 1" in row for row in rows)
    found = status.data(quiet.config, quiet.config.games(), quiet.now)
    assert found["ledger"] == {"confirm": 1, "applied": 1} and [row["n"] for row in found["held"]] == [1]


def test_what_waits_to_go_out_and_what_was_given_up_is_told_apart(quiet: Unconnected) -> None:
    quiet.started()
    written(outbox.of_game(quiet.game), "one", "queued")
    written(Outbox(quiet.config.folder / MAILBOX_OUT), "two", "failed")
    rows = [row for row in text(quiet) if "about" in row]
    assert rows[0].startswith("given up: about two") and "pbem mail resend two" in rows[0]
    assert "about one to anna" in rows[1] and "given up" not in rows[1]


def test_a_game_tells_what_holds_it_up_and_nothing_else(quiet: Unconnected) -> None:
    quiet.started()
    assert [row for row in text(quiet) if row.startswith("small: ")][0].startswith("small: no mail has come yet from")
    with changed(quiet.game) as tray:
        tray.mail.heard = ["red", "blue", "yellow", "black"]
        tray.mail.observers_asked = ["fan@example.net"]
    assert [row for row in text(quiet) if row.startswith("small: ") and "paused" not in row][0] == (
        "small: fan@example.net would like the public reports: pbem mail observer GAME ADDRESS")


# --- anew -----------------------------------------------------------------------------------------------------------------


def test_what_was_given_up_goes_once_more_all_of_it_or_one(quiet: Unconnected) -> None:
    quiet.started()
    for name in ("one", "two"):
        written(outbox.of_game(quiet.game), name, "failed")
    games = quiet.config.games()
    assert "1 mail" in status.resend(quiet.config, games, "one", quiet.now)
    with pytest.raises(PbemError):
        status.resend(quiet.config, games, "one", quiet.now)
    assert "1 mail" in status.resend(quiet.config, games, "", quiet.now)
    assert "Nothing was given up" in status.resend(quiet.config, games, "", quiet.now)


def test_a_ledger_that_is_made_anew_knows_what_the_games_say_of_their_mails(quiet: Unconnected) -> None:
    quiet.started().reply("red", "roll")
    quiet.reply("blue", "status")
    quiet.post("who", "hello", sender="who@example.net")
    quiet.run()
    before = {row.id: (row.state, row.game) for row in quiet.ledger().mails.values()}
    made = status.rebuild(quiet.config, quiet.config.games())
    assert isinstance(made, Ledger) and {id: (row.state, row.game) for id, row in made.mails.items() if row.game} == {
        id: known for id, known in before.items() if known[1]}


# --- a mail as a file -----------------------------------------------------------------------------------------------------


def mail_file(folder: Path, text: str) -> Path:
    path = folder / "one.eml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(("mail", "rows"), [
    ("From: anna@example.org\nSubject: hello\n\nroll\nend\n\n> so\n> on\n", [
        "human", "from     anna@example.org", "subject  hello", "lines    roll", "         end",
        "removed  quoted, 2 lines: > so"]),
    ("Subject: hello\n\nroll\n\n> so\n\n-- \nAnna\n", [
        "broken", "from     -", "subject  hello", "lines    roll", "removed  no sender that can be read",
        "removed  quoted: > so", "removed  signature, 2 lines: --"])])
def test_how_a_file_is_understood_is_told_in_a_line_for_each_part(tmp_path: Path, mail: str, rows: list[str]) -> None:
    path = mail_file(tmp_path, mail)
    assert [row.rstrip() for row in said("mail", "read", path).splitlines()] == [f"{path}: {rows[0]}", *rows[1:]]


def test_a_file_that_is_too_large_is_told_as_such_before_what_was_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = mail_file(tmp_path, "From: anna@example.org\n\nroll\n\n> so\n")
    monkeypatch.setattr(parts, "MOST_BYTES", path.stat().st_size)
    assert files.read_file(path)["class"] == "human"
    monkeypatch.setattr(parts, "MOST_BYTES", path.stat().st_size - 1)
    assert files.read_file(path)["class"] == "broken"
