"""What a receipt says of a mail: which it is of its sender's, what it takes the place of, what counts if nothing more comes."""

import pytest
from table import Unconnected, body


@pytest.fixture
def table(quiet: Unconnected) -> Unconnected:
    return quiet.started()


def receipt(table: Unconnected, seat: str, text: str) -> tuple[str, str]:
    """Its subject up to what there is to do, and its text in one line."""
    table.reply(seat, text)
    table.run()
    mail = table.last(seat, "received")
    return str(mail["Subject"]).partition(":")[0], " ".join(body(mail).split())


def marched(table: Unconnected) -> None:
    assert receipt(table, "red", "roll\nmarch Antigonos > Ephesos")[0] == "[small] received, version 1"


def test_versions_are_counted_for_each_question_and_only_of_mails_with_orders(table: Unconnected) -> None:
    marched(table)
    asked = "[small T2.R1.red.3] received"
    assert [receipt(table, "blue", text)[0] for text in (
        "pass", "status", "standing: pass on evasion, always", "intercept Lysimachos with all", "press red: hello")] == [
        f"{asked}, version 1", asked, asked, f"{asked}, version 2", asked]
    assert [receipt(table, "black", text)[0] for text in ("roll", "status", "end")] == [
        "[small] received, version 1", "[small] received", "[small] received, version 2"]


def test_what_waited_is_replaced_and_its_sender_is_told(table: Unconnected) -> None:
    marched(table)
    assert "This replaces" not in receipt(table, "black", "roll\nmarch Demetrios > Issos")[1]
    assert "This replaces" not in receipt(table, "black", "status")[1] and len(table.desk().waiting("black")) == 2
    assert "This replaces what had not happened yet of your version 1." in receipt(table, "black", "roll")[1]
    assert "This replaces what had not happened yet of your version 2." in receipt(table, "black", "roll")[1]
    assert table.desk().waiting("black") == ["roll"]
    receipt(table, "blue", "pass")
    assert "This replaces" not in receipt(table, "blue", "intercept Lysimachos with all")[1], "that it takes its place is said"


def test_what_counts_if_nothing_more_comes_is_the_answer_that_lies_there(table: Unconnected) -> None:
    marched(table)
    silence = "If nothing more comes from you until Fri 20 Nov, 12:00 UTC, this counts: pass."
    told = receipt(table, "blue", "status")[1]
    assert silence in told and "You have answered" not in told
    receipt(table, "blue", "intercept Lysimachos with all")
    told = receipt(table, "blue", "status")[1]
    assert silence not in told and "You have answered this already: intercept Lysimachos" in told
    told = receipt(table, "blue", "intercept Lysimachos with 9 loyal")[1]
    assert "not allowed" in told and "You have answered this already: intercept Lysimachos from Sardeis with 2 loyal" in told
    told = receipt(table, "black", "status")[1]
    assert silence not in told and "You have answered" not in told


def test_a_receipt_tells_what_came_of_this_mail_and_nothing_of_before(table: Unconnected) -> None:
    assert "Red rolled a" in receipt(table, "red", "roll")[1]
    assert "Red rolled a" not in receipt(table, "red", "status")[1]
    told = receipt(table, "red", "march Antigonos > Ephesos")[1]
    assert "Antigonos marched" in told and "Red rolled" not in told


@pytest.mark.parametrize(("text", "is_wrong"), [
    ("status", False), ("roll", False), ("roll\nmarch Antigonos > Pella", True), ("roll\npress green: hello", True),
    ("press green: hello", True), ("The weather is fine here.", True)])
def test_the_subject_says_where_something_could_not_be_done(table: Unconnected, text: str, is_wrong: bool) -> None:
    table.reply("red", text)
    table.run()
    assert str(table.last("red", "received")["Subject"]).startswith("[small") != is_wrong


def test_what_proves_a_sealed_answer_stands_in_text_and_html_and_nowhere_else(table: Unconnected) -> None:
    marched(table)
    receipt(table, "blue", "pass")
    for seat, is_sealed in (("red", False), ("blue", True)):
        mail = table.last(seat, "received")
        shown = str(mail.get_body(("html",)).get_content())
        assert ["Keep this receipt" in body(mail), "Keep this receipt" in shown] == [is_sealed] * 2
        assert ["salt" in body(mail), "salt" in shown] == [is_sealed] * 2


def test_the_lines_of_a_mail_are_numbered_in_text_and_html(table: Unconnected) -> None:
    receipt(table, "red", "roll\nmarch Antigonos > Ephesos")
    mail = table.last("red", "received")
    shown = str(mail.get_body(("html",)).get_content())
    for number, line in ((1, "roll"), (2, "march Antigonos")):
        assert f"\n{number}  {line}" in f"\n{body(mail)}" and f"<b>{number}&nbsp; {line}" in shown
