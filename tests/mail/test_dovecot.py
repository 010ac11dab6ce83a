"""The mailbox session against Dovecot: UIDs, cut connections, mails that are gone, giants, tokens instead of passwords."""

import sys
from datetime import timedelta
from email.message import EmailMessage

import pytest
from imap_server import CuttingProxy, DovecotServer
from table import HOST, Table, body

from pbem.base.errors import PbemError
from pbem.mail import config
from pbem.mail.box import Box


def letters(table: Table, number: int, size: int = 500) -> None:
    for count in range(number):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Message-ID"] = "a@example.net", HOST, f"<{count}@example.net>"
        mail.set_content(f"{count} " + "x" * size)
        table.deliver(mail.as_bytes())


def through(table: Table, port: int) -> config.Config:
    """The same table, reached over another port."""
    return config.Config({**table.config.data, "imap": {**table.config.data["imap"], "port": port}}, table.config.path)


def test_a_mail_is_fetched_as_it_came_and_not_marked_as_seen(table: Table) -> None:
    table.started()
    raw = table.reply("red", "roll")
    with Box(table.config) as box:
        found = box.listed(1)
        (one, got), = box.fetch(found, 10_000)
    assert got is not None and got.replace(b"\r\n", b"\n") == raw.replace(b"\r\n", b"\n")
    assert abs(one.received - table.now) < timedelta(seconds=2)
    assert not any("S" in path.name.partition(":2,")[2] for path in table.imap.maildir(HOST).glob("*/*"))


def test_new_means_from_the_next_uid_on_although_the_server_names_an_old_one(table: Table) -> None:
    letters(table, 3)
    with Box(table.config) as box:
        last = box.uidnext - 1
        assert [one.uid for one in box.listed(last)] == [last] and box.listed(last + 1) == []


@pytest.mark.parametrize("how", [{}, {"reset": True}, {"stall": True}])
def test_a_connection_cut_in_mid_fetch_is_built_anew(table: Table, how: dict[str, bool]) -> None:
    table.started()
    letters(table, 20, 4000)
    with CuttingProxy(table.imap.ssl_port, 30_000, **how) as proxy:
        made = through(table, proxy.port)
        made.limits["read"] = 1
        with Box(made) as box:
            found = box.listed(1)
            got = list(box.fetch(found, 1_000_000))
    assert len(got) == len(found) >= 20 and all(raw for _, raw in got)
    assert proxy.connections > 1


def test_a_server_that_always_hangs_up_ends_the_run_and_what_was_fetched_is_kept(table: Table) -> None:
    table.started()
    letters(table, 12, 9000)
    with CuttingProxy(table.imap.ssl_port, 45_000) as proxy:
        made = through(table, proxy.port)
        from pbem.mail import loop

        summary = loop.poll(made, made.games(), table.now)
    assert "was lost" in summary.text() if summary.failed else summary.fetched == 12
    table.run()
    assert len(table.states()) == 12


def test_a_folder_that_was_numbered_anew_in_between_is_not_read_on(table: Table, imap: DovecotServer) -> None:
    with Box(table.config) as box:
        imap.break_uidvalidity(HOST)
        with pytest.raises(PbemError) as problem:
            box.again()
    assert problem.value.key == "mail_no_uidvalidity"


def test_a_connection_that_is_lost_again_and_again_is_told(table: Table) -> None:
    letters(table, 8, 90_000)
    with CuttingProxy(table.imap.ssl_port, 30_000) as proxy, Box(through(table, proxy.port)) as box:
        found = box.listed(1)
        with pytest.raises(PbemError) as problem:
            list(box.fetch(found, 1_000_000))
        assert problem.value.key == "mail_lost"
        box._client.shutdown()
        with pytest.raises(PbemError) as problem:
            box.listed(1)
        assert problem.value.key == "mail_lost"


def test_a_mail_that_is_gone_does_not_stop_the_others(table: Table) -> None:
    table.started()
    letters(table, 4)
    with Box(table.config) as box:
        found = box.listed(1)
        with Box(table.config) as other:
            other._client.add_flags([found[-3].uid], [b"\\Deleted"])
            other._client.expunge()
        got = list(box.fetch(found, 1_000_000))
    assert [one.uid for one, raw in got if raw is None] in ([found[-3].uid], [])
    assert sum(raw is not None for _, raw in got) >= len(found) - 1


def test_a_run_takes_a_bounded_number_of_mails_and_the_next_one_goes_on(table: Table) -> None:
    table.started()
    letters(table, 7)
    table.config.limits["mails"] = 3
    assert [table.run().fetched for _ in range(4)] == [3, 3, 1, 0]


def test_mails_that_were_dealt_with_get_a_keyword_only_after_they_are_kept(table: Table) -> None:
    table.started()
    letters(table, 1)
    table.run()
    with Box(table.config) as box:
        (_, found), = box._client.fetch([box.uidnext - 1], ["FLAGS"]).items()
        kept = box._client.select_folder("INBOX")[b"PERMANENTFLAGS"]
    assert (b"$PbemDone" in found[b"FLAGS"]) == (b"\\*" in kept) and b"\\Seen" not in found[b"FLAGS"]


def test_or_they_are_moved(table: Table) -> None:
    table.started()
    with Box(table.config) as box:
        if not box._client.folder_exists("Processed"):
            box._client.create_folder("Processed")
    table.config.imap.done = "Processed"
    table.reply("red", "roll")
    table.run()
    assert table.did() == ["roll"]
    with Box(table.config) as box:
        assert box.listed(1) == []


def test_a_wrong_password_is_told_without_the_password(table: Table) -> None:
    (table.folder / "password").write_text("sesame-street")
    summary = table.run()
    assert summary.failed and "did not let host@example.org in" in summary.text() and "sesame" not in summary.text()


def test_a_server_nobody_answers_at(table: Table) -> None:
    made = through(table, 1)
    with pytest.raises(PbemError) as problem, Box(made):
        pass
    assert problem.value.key == "mail_no_login"


def test_a_certificate_of_somebody_else_is_refused(table: Table) -> None:
    made = through(table, table.imap.ssl_port)
    made.cafile = ""
    with pytest.raises(PbemError) as problem, Box(made):
        pass
    assert "CERTIFICATE" in str(problem.value.facts["what"]).upper()


def test_starttls(table: Table) -> None:
    made = config.Config(
        {**table.config.data, "imap": {"host": "localhost", "port": table.imap.port, "tls": "starttls", "user": HOST}},
        table.config.path,
    )
    with Box(made) as box:
        assert box.uidvalidity


def test_a_token_from_a_command_instead_of_a_password(table: Table) -> None:
    script = table.folder / "token"
    script.write_text(f"#!{sys.executable}\nprint({table.imap.oauth_token(HOST)!r})\n")
    script.chmod(0o700)
    data = {**table.config.data, "secret": {"command": str(script), "kind": "oauth"}}
    with Box(config.Config(data, table.config.path)) as box:
        assert box.uidvalidity
    script.write_text(f"#!{sys.executable}\nprint({table.imap.oauth_token(HOST, lifetime=-60)!r})\n")
    with pytest.raises(PbemError), Box(config.Config(data, table.config.path)):
        pass


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_password_file_that_others_can_read_is_refused(table: Table, mode: int) -> None:
    (table.folder / "password").chmod(mode)
    with pytest.raises(PbemError) as problem:
        table.config.secret()
    assert problem.value.key == "mail_secret_open"


def test_uidvalidity_that_changes_between_runs_and_mails_that_came_meanwhile(table: Table, imap: DovecotServer) -> None:
    table.started()
    table.reply("red", "roll")
    table.run()
    for _ in range(3):
        imap.break_uidvalidity(HOST)
        table.run()
    assert table.did() == ["roll"] and table.states() == ["applied"]
    table.reply("red", "march Antigonos > Ephesos")
    imap.break_uidvalidity(HOST)
    table.run()
    assert len(table.did()) == 2


def test_old_mail_stays_old_when_the_server_numbers_anew(table: Table, imap: DovecotServer) -> None:
    table.post("red", "roll")
    table.later(minutes=1)
    table.started()
    imap.break_uidvalidity(HOST)
    table.run()
    assert table.states() == ["old"] and table.did() == []
    assert len(table.inbox("red")) == 1 and "confirm" not in body(table.inbox("red")[0])
