"""Who may command: the table of the contract, the tokens, and what our own mail server says of a sender."""

import secrets
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import Table, Unconnected

from pbem.mail import reading, rights, tokens

SECRET = "9f" * 20


# --- The table ------------------------------------------------------------------------------------

ROWS = [
    # address of the seat, token, DMARC, open windows -> what to do
    (True, "valid", "pass", 1, "apply"), (True, "valid", "none", 0, "apply"), (True, "valid", "none", 3, "apply"),
    (True, "valid", "fail", 1, "hold_and_answer"),
    (True, "none", "pass", 1, "apply_with_note"), (True, "none", "pass", 0, "confirm"), (True, "none", "pass", 2, "confirm"),
    (True, "none", "none", 1, "confirm"), (True, "none", "fail", 1, "confirm"),
    (False, "valid", "pass", 1, "hold"), (False, "valid", "fail", 0, "hold"),
    (True, "other", "pass", 1, "quarantine_and_tell"), (True, "other", "fail", 0, "quarantine_and_tell"),
    (False, "none", "pass", 1, "quarantine"), (False, "none", "fail", 0, "quarantine"),
]


@pytest.mark.parametrize(("known", "token", "dmarc", "windows", "verdict"), ROWS)
def test_table(known: bool, token: str, dmarc: str, windows: int, verdict: str) -> None:
    assert rights.judge(known, token, dmarc, windows) == verdict


def test_nothing_applies_without_the_address() -> None:
    for token, dmarc, windows in product(("valid", "other", "none"), ("pass", "fail", "none"), (0, 1, 2)):
        assert rights.judge(False, token, dmarc, windows) in ("hold", "quarantine")


def test_a_value_that_the_table_does_not_know_gives_no_rights() -> None:
    assert rights.judge(True, "expired", "pass", 1) == "quarantine_and_tell"
    assert rights.judge(True, "valid", "maybe", 1) == "quarantine_and_tell"


# --- Tokens ---------------------------------------------------------------------------------------


def test_tokens_differ_by_secret_game_seat_and_window() -> None:
    made = {
        tokens.make(secret, game, seat, window)
        for secret, game, seat, window in product(
            (SECRET, secrets.token_hex(20)), ("a", "ab"), ("red", "blue"), ("T2.R3.red.5", "T2.R3.red.6", "turn:2", "b"))
    }
    assert len(made) == 32


def test_a_token_has_more_than_80_bits_and_survives_mail_programs() -> None:
    made = tokens.make(SECRET, "anabasis", "red", "turn:2")
    assert tokens.LENGTH * 5 >= 80
    assert made == made.lower() and made.isalnum()
    assert tokens.in_text(f"> Ref: {made.upper()}.") == [made]


def test_long_words_are_no_tokens() -> None:
    made = tokens.make(SECRET, "anabasis", "red", "turn:2")
    assert not tokens.in_text("abcdefghijklmnopqrstuvwx antidisestablishmentarism")
    assert not tokens.in_text(f"x{made} {made}y {made[:-1]}")
    assert not tokens.in_text(made[:-1] + ("a" if made[-1] != "a" else "b"))


def mail(**over: str) -> reading.Mail:
    fields = {"From": "Anna <anna@example.org>", "To": "pbem@games.example", "Subject": "x", **over}
    body = fields.pop("body", "pass")
    return reading.understand(("\n".join(f"{name}: {value}" for name, value in fields.items()) + f"\n\n{body}\n").encode())


def test_tokens_are_found_in_all_three_places_the_surest_first() -> None:
    plus, answered, older, text = (tokens.make(SECRET, "anabasis", "red", f"T2.R3.red.{number}") for number in range(4))
    found = mail(**{
        "To": f"Desk <pbem+{plus}@games.example>", "In-Reply-To": f"<{answered}.0123456789abcdef@games.example>",
        "References": f"<{older}.0123456789abcdef@games.example> <{answered}.0123456789abcdef@games.example>",
        "body": f"pass\n\n> Ref: {text}"})
    assert tokens.brought(found, "games.example") == [plus, answered, older, text]


def test_ids_of_others_carry_no_tokens() -> None:
    made = tokens.make(SECRET, "anabasis", "red", "turn:2")
    assert tokens.brought(mail(**{"In-Reply-To": f"<{made}.0123456789abcdef@evil.example>"}), "games.example") == []


def test_headers_of_ours_that_come_in_are_dropped() -> None:
    made = tokens.make(SECRET, "anabasis", "red", "turn:2")
    assert tokens.brought(mail(**{"X-Pbem-Token": made, "Reply-To": f"pbem+{made}@games.example"}), "games.example") == []


# --- DMARC ----------------------------------------------------------------------------------------


def dmarc(*results: str, server: str = "mx.games.example", sender: str = "anna@example.org") -> str:
    head = "".join(f"Authentication-Results: {one}\n" for one in results)
    return reading.understand(f"{head}From: {sender}\n\npass\n".encode(), server=server).dmarc


@pytest.mark.parametrize(("result", "verdict"), [
    ("mx.games.example; dmarc=pass header.from=example.org", "pass"),
    ("MX.games.example 1; spf=pass; dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=example.org", "pass"),
    ("mx.games.example; dmarc=fail header.from=example.org", "fail"),
    ("mx.games.example; dmarc=none", "none"), ("mx.games.example; dmarc=temperror", "none"), ("mx.games.example; none", "none"),
    ("mx.games.example; spf=pass; dkim=pass", "none"),
    ("mx.games.example; dmarc=pass header.from=evil.example", "none"),
    ("mx.games.example; dmarc=fail; dmarc=pass", "none"),
    ("mx.games.example; spf=fail (x; dmarc=pass)", "none"), ('mx.games.example; x="a; dmarc=pass"', "none"),
    ("evil.example; dmarc=pass", "none"), ("mx.games.example.evil; dmarc=pass", "none"), ("; dmarc=pass", "none"),
    (";", "none"),
])
def test_result_of_our_server(result: str, verdict: str) -> None:
    assert dmarc(result) == verdict


def test_only_the_topmost_result_counts() -> None:
    ours = "mx.games.example; dmarc=pass"
    assert dmarc("evil.example; dmarc=fail", ours) == "none"
    assert dmarc("mx.games.example; dmarc=fail", ours) == "fail"


def test_where_our_server_s_word_stands_is_known() -> None:
    ours, way = "Authentication-Results: mx.games.example; dmarc=pass\n", "Received: from a by mx.games.example\n"
    for head, place in ((ours + way, reading.ABOVE), (way + ours, reading.BELOW), (way, reading.SAID_NOTHING), (
            way + ours.replace("mx.games", "mx.evil") + ours, reading.SAID_NOTHING)):
        mail = reading.understand(f"{head}From: anna@example.org\n\npass\n".encode(), server="mx.games.example")
        assert mail.voucher == place, head


def test_a_good_word_below_the_first_received_counts_only_of_a_server_that_never_keeps_silent(table: Table) -> None:
    table.started()
    good = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"
    way = b"Received: from a by mx.example.org\n"
    table.deliver(way + good + table.write("red", "roll"))
    table.run()
    assert table.did() == ["roll"] and table.states() == ["applied"]
    table.reply("red", "status")
    table.run()
    table.deliver(way + good + table.write("red", "march Antigonos > Ephesos"))
    table.run()
    assert table.did() == ["roll"] and table.states()[-1] == "confirm", "it was silent about a mail: this word may be anybody's"
    table.deliver(good + way + table.write("red", "march Antigonos > Ephesos"))
    table.run()
    assert len(table.did()) == 2 and table.states()[-1] == "applied"


BELOW = b"Received: from a by mx.example.org\nAuthentication-Results: mx.example.org; dmarc=%s header.from=example.com\n"


@pytest.mark.parametrize("server", ["mx.example.org", ""])
def test_a_server_keeps_silent_about_people_and_only_if_it_was_named(quiet: Unconnected, server: str) -> None:
    quiet.config.authserv = server
    quiet.started().reply("red", "status", **({"Auto_Submitted": "auto-replied"} if server else {}))
    quiet.run()
    quiet.config.authserv = "mx.example.org"
    quiet.deliver(BELOW % b"pass" + quiet.write("red", "roll"))
    quiet.run()
    assert quiet.did() == ["roll"]


def test_a_bad_word_counts_wherever_it_stands_and_however_silent_the_server_is(quiet: Unconnected) -> None:
    quiet.started().reply("red", "status")
    quiet.run()
    quiet.deliver(BELOW % b"fail" + quiet.write("red", "roll", answers=quiet.last("red")))
    quiet.run()
    assert quiet.states() == ["applied", "held"] and quiet.did() == []


def test_without_a_configured_server_nobody_is_believed() -> None:
    assert dmarc("mx.games.example; dmarc=pass", server="") == "none"


@given(st.text(alphabet="mx.games;=dmarcpfail \"()\\", max_size=60))
def test_any_result_gives_one_of_three_words(text: str) -> None:
    assert dmarc(f"mx.games.example; {text}") in ("pass", "fail", "none")
