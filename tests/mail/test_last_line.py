"""Orders from a page's desk say in their last line which log they were written for; who sent them hears when that is not the
present one, by mail, in a thread and at the moderator's desk. It changes nothing of what becomes of them."""

import pytest
from at_the_shell import said as pbem
from table import Table, all_of, token_of

from pbem import __version__
from pbem.mail import entered, paste

MARCH = "march Antigonos > Ephesos"
OLDER = "Your page had the log up to entry 2; the log has 3 entries now"


def last_line(table: Table, entries: int, head: str = "", version: str = __version__) -> str:
    return f"# pbem {version} {entries} {head or table.desk().game.head(entries)[:32]}"


@pytest.fixture
def rolled(table: Table) -> Table:
    table.started()
    table.reply("red", "roll")
    table.run()
    assert len(table.log()) == 3
    return table


def test_an_old_page_is_told_of_in_the_receipt_of_a_mail(rolled: Table) -> None:
    rolled.reply("red", f"Hello!\n\n{MARCH}\n{last_line(rolled, 2)}\n-- \nAnna", quote=True)
    rolled.run()
    told = all_of(rolled.inbox("red"))
    assert OLDER in " ".join(told.split()) and "# pbem" not in told and rolled.did()[-1].startswith("march Antigonos")


def test_the_present_page_is_told_nothing(rolled: Table) -> None:
    rolled.reply("red", f"{MARCH}\n{last_line(rolled, 3)}")
    rolled.run()
    assert "Your page" not in all_of(rolled.inbox("red")) and rolled.did()[-1].startswith("march Antigonos")


@pytest.mark.parametrize(("line", "told"), [
    (f"# pbem {__version__} 3 {'0' * 32}", "another log than this game"),
    (f"# pbem {__version__} 999 {'0' * 32}", "another log than this game"),
    ("# pbem 9.9 {head}", "made by pbem 9.9"),
])
def test_a_page_of_another_log_or_program_is_told_of_in_the_thread(rolled: Table, line: str, told: str) -> None:
    line = line.format(head=f"3 {rolled.desk().game.head()[:32]}")
    answer = paste.order(rolled.game, "red", "4711", f"[b]{MARCH}[/b]\n[b]{line}[/b]\n", rolled.now)
    assert told in answer and f"1. [i]{MARCH}[/i]" in answer and "2." not in answer
    assert rolled.did()[-1].startswith("march Antigonos")


def test_what_the_moderator_enters_for_somebody_says_it_too(rolled: Table) -> None:
    file = rolled.folder / "letter.txt"
    file.write_text(f"{MARCH}\n{last_line(rolled, 2)}\n")
    assert OLDER in pbem("order", rolled.game, "red", "--file", file) and rolled.did()[-1].startswith("march Antigonos")


def test_what_a_seats_own_page_knows_brings_its_mail_home(rolled: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Address, subject and reference are those of the question that it was sent; nothing is given out by looking."""
    monkeypatch.setenv("PBEM_MAIL", str(rolled.config.path))
    before = rolled.desk().mail.issued
    back = entered.way_back(rolled.game, "red")
    token = back["reference"].split()[-1]
    assert rolled.desk().mail.issued == before and token in {token_of(one) for one in rolled.inbox("red")}
    assert token in back["address"] and "Re: [small T2.R1.red" in back["subject"]
    rolled.post("red", f"{MARCH}\n{last_line(rolled, 3)}\n\n{back['reference']}", sender="new@example.com")
    rolled.run()
    assert rolled.states()[-1] == "held"                # from an address that nobody knows: the reference was read
    rolled.post("red", f"{MARCH}\n{last_line(rolled, 3)}\n\n{back['reference']}", to=back["address"], subject=back["subject"])
    rolled.run()
    told = all_of(rolled.inbox("red"))
    assert rolled.did()[-1].startswith("march Antigonos") and "no reference of mine" not in told and "Your page" not in told
    monkeypatch.setenv("PBEM_MAIL", str(rolled.folder / "none.yaml"))
    assert entered.way_back(rolled.game, "red") == {}
