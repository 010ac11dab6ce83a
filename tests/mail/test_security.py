"""Hostile mail: forged, replayed, malformed, enormous. The game does not move, nobody else is bothered, nothing leaks."""

import email
import os
import re
import resource
import shutil
import subprocess

import pytest
from click.testing import CliRunner
from table import HOST, PASSWORD, PEOPLE, Table, body, token_of

from pbem.base import yamlfile
from pbem.base.errors import PbemError
from pbem.cli.main import main
from pbem.desk.tray import Letter
from pbem.log import gamelog
from pbem.mail import config, handover, paste, people, status


def head(table: Table) -> str:
    return table.desk().game.heads()[-1]


def test_a_spoofed_sender_gets_nothing_done(table: Table) -> None:
    table.started()
    before = head(table)
    table.post("red", "roll", subject="[small T2.R1.red.1] orders")
    table.post("red", "roll", subject="Re: x", Authentication_Results="evil.example.net; dmarc=pass")
    table.post("red", "roll", Authentication_Results="mx.example.org.evil.net; dmarc=pass")
    table.run()
    assert head(table) == before and set(table.states()) == {"confirm"}


def test_only_the_topmost_result_of_our_own_server_counts(table: Table) -> None:
    table.started()
    raw = table.write("red", "roll", Authentication_Results="mx.example.org; dmarc=pass")
    table.deliver(b"Authentication-Results: mx.example.org; dmarc=fail\r\n" + raw)
    table.run()
    assert table.did() == []


def test_a_display_name_gives_no_rights(table: Table) -> None:
    table.started()
    raw = table.write("mallory@example.net", "roll", answers=table.last("red"))
    table.deliver(raw.replace(b"Somebody <mallory@example.net>", b'"anna@example.com" <mallory@example.net>'))
    raw = table.write("mallory@example.net", "roll", answers=table.last("red"), Reply_To="anna@example.com")
    table.deliver(raw)
    table.run()
    assert table.did() == [] and set(table.states()) == {"held"}


def test_a_replayed_mail_is_ignored_and_a_replayed_token_is_dead(table: Table) -> None:
    table.started()
    asked = table.last("red")
    raw = table.post("red", "roll\nmarch Antigonos > Ephesos", answers=asked)
    table.run()
    before = head(table)
    table.deliver(raw)
    table.deliver(raw.replace(b"Message-ID: <", b"Message-ID: <again."))
    table.run()
    assert head(table) == before and table.states() == ["applied", "refused"]


def test_guessed_tokens_do_not_help(table: Table) -> None:
    table.started()
    real = token_of(table.last("red"))
    for guess in (real[:-1] + ("a" if real[-1] != "a" else "b"), "a" * len(real), real[::-1]):
        table.post("red", "roll", to=f"host+{guess}@example.org")
    table.run()
    assert table.did() == [] and set(table.states()) == {"confirm"}


def test_a_token_works_for_its_own_seat_and_question_only(table: Table) -> None:
    table.started()
    table.post("blue", "pass", to=f"host+{token_of(table.last('red'))}@example.org")
    table.run()
    assert table.states() == ["quarantined"] and table.did() == []


@pytest.mark.parametrize("name", [b"Subject", b"From", b"Message-ID", b"To"])
def test_headers_from_a_mail_never_become_headers_of_ours(table: Table, name: bytes) -> None:
    table.started()
    raw = table.write("red", "roll", answers=table.last("red"))
    evil = re.sub(
        rb"^" + name + rb": ([^\n]*)", name + rb": =?utf-8?q?x=0D=0ABcc:_victim@example.net=0D=0A?= \1", raw, flags=re.MULTILINE
    )
    table.deliver(evil)
    table.run()
    for one in table.smtp.messages:
        assert one.recipients[0] in (*PEOPLE.values(), "boss@example.net")
        assert "victim" not in str(email.message_from_bytes(one.data)["Bcc"])


@pytest.mark.parametrize("game", ["../../etc/passwd", "small/../../x", "..", "a" * 300, "small\x00"])
def test_names_in_mails_are_never_paths(table: Table, game: str) -> None:
    table.started()
    raw = table.write("red", f"press {game}: x\ncheck march {game} > {game}\nword {game}", answers=table.last("red"))
    table.deliver(raw.replace(b"Subject: Re: [small", f"Subject: Re: [{game}".encode()))
    table.run()
    inside = {path.relative_to(table.folder).parts[0] for path in table.folder.rglob("*")}
    assert inside == {".gitignore", "games", "mail.yaml", "mailbox", "password"}
    assert all(len(path.name) < 200 for path in table.folder.rglob("*"))


def test_what_a_mail_says_is_harmless_in_the_log_in_mails_and_on_the_terminal(table: Table) -> None:
    table.started()
    evil = "press all: <script>alert(1)</script> [b]bold[/b] {{ 7*7 }} !!python/object:os.system \x1b[31mred \u202eltr"
    table.post("blue", evil, answers=table.last("blue"), subject="\x1b[2J<script>")
    table.run()
    got = table.last("red", "from Bruno")
    page = got.get_body(("html",)).get_content()
    assert "<script>" not in page and "&lt;script&gt;" in page and "49" not in body(got).split("-- ")[0]
    assert "\x1b" not in body(got) and "\u202e" not in body(got)
    games = table.config.games()
    shown = status.show(table.config, "1", games=games, look=True, now=table.now) + status.text(table.config, games)
    assert "\x1b" not in shown and "\u202e" not in shown
    letter = paste.quoted(table.desk(), Letter(seat="blue", to=["red"], text=evil, waits=["red"]), "red")
    assert letter.replace("[c][/c]", "").count("[") == letter.count("[q]") + letter.count("[/q]") == 2 and "<" not in letter


def test_a_page_with_remote_content_is_read_without_any_network(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.started()
    raw = (
        f"From: {PEOPLE['red']}\r\nTo: host+{token_of(table.last('red'))}@example.org\r\nSubject: x\r\n"
        "Message-ID: <h@example.com>\r\n"
        "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        '<img src="http://evil.example.net/x.png"><link rel=stylesheet href="//evil.example.net/y"><p>roll</p>'
    ).encode()
    table.deliver(raw)
    asked: list[str] = []
    import socket
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *more, **named: asked.append(str(host)) or real(host, *more, **named)
    )
    table.run()
    assert table.did() == ["roll"] and set(asked) <= {"localhost", "127.0.0.1"}


def test_a_mail_of_a_hundred_megabytes_costs_next_to_nothing(table: Table) -> None:
    table.started()
    raw = table.write("red", "roll", answers=table.last("red"))
    table.deliver(raw)
    path = max((table.imap.maildir(HOST) / "new").iterdir(), key=lambda one: one.stat().st_mtime_ns)
    chunk = (b"x" * 75 + b"\n") * 1000
    with path.open("ab") as stream:
        for _ in range(1320):
            stream.write(chunk)
    os.utime(path, (table.now.timestamp(),) * 2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    summary = table.run()
    assert summary.fetched == 1 and table.did() == [] and table.states() == ["refused"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000
    assert "no more than" in body(table.last("red", "not taken"))
    assert sum(path.stat().st_size for path in (table.config.folder / "raw").iterdir()) < 200_000


def test_a_nest_of_parts_is_broken_and_held(table: Table) -> None:
    table.started()
    raw = table.write("red", "roll", answers=table.last("red")).split(b"\n\n")[0]
    raw = re.sub(rb"^(Content-Type|Content-Transfer-Encoding|MIME-Version):.*\n", b"", raw + b"\n", flags=re.MULTILINE)
    nest = b""
    for number in range(40):
        nest += f"Content-Type: multipart/mixed; boundary=b{number}\n\n--b{number}\n".encode()
    table.deliver(raw + b"MIME-Version: 1.0\n" + nest)
    table.reply("red", "roll")
    table.run()
    assert sorted(table.states()) == ["applied", "held"] and table.did() == ["roll"]


def test_nothing_in_the_mailbox_folder_can_be_read_by_others(table: Table) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    files = [path for folder in (table.config.folder, table.game / "out") for path in folder.rglob("*") if path.is_file()]
    assert files and not [path for path in files if path.stat().st_mode & 0o077 and path.name != ".gitignore"]


def test_git_takes_nothing_private_from_a_table(table: Table) -> None:
    """All that rounds of mail, a copy, a packet and its opening leave behind; and what is public is taken."""
    copied = {"file": "copies/all.bin", "encrypt": "cat", "decrypt": "cat"}
    table.config = config.write(table.config.path, {**table.config.data, "backup": copied})
    (table.folder / "copies").mkdir()
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos\nend")
    table.run()
    handover.pack(table.game, table.folder / "small-handover.tar.gz", table.config.path, table.now)
    handover.unpack(table.folder / "small-handover.tar.gz", table.folder / "games" / "there")
    private = {"packet of red#1": ("handover",), "cards.yaml": ("position", "--cards"), "red.html": ("page", "--to", "red")}
    for name, (command, *more) in private.items():                      # whatever a moderator calls them
        done = CliRunner().invoke(main, [command, str(table.game), "-o", str(table.folder / name), *more])
        assert done.exit_code == 0, done.output
        assert (table.folder / name).stat().st_mode & 0o077 == 0
    there = {str(one.relative_to(table.folder)) for one in table.folder.rglob("*") if one.is_file()}
    assert private.keys() < there
    assert {"mailbox/ledger.jsonl", "copies/all.bin", "games/there/private.yaml", "password"} < there
    assert any(one.startswith("mailbox/raw/") for one in there) and any(one.startswith("games/small/out/") for one in there)
    for args in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *args], cwd=table.folder, check=True)
    staged = subprocess.run(["git", "ls-files"], cwd=table.folder, check=True, capture_output=True, text=True).stdout.split()
    assert {one for one in staged if not one.endswith(".gitignore")} == {"games/small/game.yaml", "games/there/game.yaml"}


@pytest.mark.parametrize("address", ["a@b@c", "a b@c", "a@b\r\nBcc: x@y", "<a@b>", "a", "ä@b.example"])
def test_an_address_that_is_none_is_not_taken(table: Table, address: str) -> None:
    with pytest.raises(PbemError):
        people.addresses(table.game, "red", [address])


def test_secrets_are_in_no_mail(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("blue", "intercept Lysimachos with all")
    table.run()
    private = yamlfile.load(table.game / "private.yaml")
    own = str(private.pop("answers"))                           # what a receipt proves is its owner's, and in his mail
    secrets = re.findall(r"\b[0-9a-f]{40,64}\b", str(private))
    public = (table.game / "game.yaml").read_text()
    mails = b"".join(one.data for one in table.smtp.messages).decode()
    assert secrets and not [one for one in secrets if one in mails and one not in public]
    others = b"".join(one.data for one in table.smtp.messages if PEOPLE["blue"] not in one.recipients).decode()
    digests = re.findall(r"\b[0-9a-f]{40,64}\b", own)
    assert digests and not [one for one in digests if one in others]
    written = b"".join(one.read_bytes() for one in table.folder.rglob("*") if one.is_file() and one.name != "password")
    assert (table.folder / "password").read_text().strip() == PASSWORD
    assert PASSWORD not in mails and PASSWORD.encode() not in written


@pytest.mark.parametrize("word", [
    "']}, {by: red", "!!python/object/apply:os.system [id]", "&a *a", "- x: y # z", "[1, 2", "a: b: c", "null"])
def test_what_a_word_says_is_one_text_in_the_log(table: Table, word: str) -> None:
    from pbem.desk import beginning

    shutil.rmtree(table.game)
    seats = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": "Chiara"}, "black": {"name": "Dora"}}
    beginning.found(table.game, "small", seats, {}, by_hand=False, words_until="2026-12-01T00:00Z", write=True)
    for seat, address in PEOPLE.items():
        people.addresses(table.game, seat, [address])
    table.run()
    table.reply("red", f"word {word}")
    table.run()
    assert gamelog.read_game(table.game).header["chance"]["words"] == {"red": word}
    assert gamelog.read_game(table.game).entries == []


def test_a_server_whose_words_are_for_the_terminal_is_shown_without_them(table: Table) -> None:
    table.smtp.refuse_rcpt["anna@example.com"] = "550 \x1b[2Jgone"
    table.started()
    shown = status.text(table.config, table.config.games())
    assert "550" in shown and "\x1b" not in shown


def test_a_forged_bounce_holds_nothing_up_but_is_told(table: Table) -> None:
    table.started()
    table.post("blue", "sorry", sender="MAILER-DAEMON@example.com", subject="Undelivered Mail", Return_Path="<>",
               X_Failed_Recipients=PEOPLE["red"])
    table.run()
    assert table.states() == ["bounce"] and not table.desk().mail.unreachable
    assert any(b"may not reach anna@example.com" in one.data for one in table.smtp.messages)


def test_what_is_sealed_is_read_by_the_moderator_only_if_everybody_is_told(table: Table) -> None:
    table.started()
    table.reply("red", "roll\nmarch Antigonos > Ephesos")
    table.run()
    table.reply("blue", "intercept Lysimachos with all")
    table.run()
    games = table.config.games()
    before = table.log()
    assert "Lysimachos" not in status.show(table.config, "2", games=games) and table.log() == before
    assert "Lysimachos" in status.show(table.config, "2", games=games, look=True, now=table.now)
    assert "The moderator has read a mail that Blue sent" in table.log()[-1]["note"]
