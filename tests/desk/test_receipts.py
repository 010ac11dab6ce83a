"""A receipt proves that a sealed answer was taken, that its close lists it and that it was played; and it tells nobody else."""

import re
from pathlib import Path
from typing import Any

import pytest
from small_game import NOON, again, at_window, found

from pbem.base import yamlfile
from pbem.chance import receipts, scheme
from pbem.chance.check import CLOSED, FAILED, OK, WORD
from pbem.desk import answering, reporting, showing
from pbem.desk.desk import Desk
from pbem.dev import page
from pbem.log import gamelog
from pbem.play import proof
from pbem.play.receipts import receipt_checks

CALL = "intercept Lysimachos from Sardeis with 2 loyal"
LIAR = "surprise 50"


def answered(desk: Desk, seat: str, text: str) -> str:
    """What the moderator sends back, as it stands in a mail."""
    (outcome,) = desk.order(seat, text)
    assert outcome.state == "sealed", outcome.error
    return answering.receipt(desk, [outcome])


def kept(folder: Path, *texts: str) -> list[Path]:
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"receipt{number}.txt")
        files[-1].write_text(text)
    return files


def said(folder: Path, *texts: str) -> list[tuple[str, str]]:
    return [(check.state, check.detail) for check in receipt_checks(folder / "g", kept(folder, *texts))]


def close_of(desk: Desk) -> dict[str, Any]:
    return dict(next(entry for entry in reversed(desk.game.entries) if "close" in entry))


def rewritten(folder: Path, change: Any) -> None:
    """A moderator who edits his log, and the copy by which edits are noticed."""
    game = gamelog.read_game(folder / "g")
    change(game.entries)
    (folder / "g/game.yaml").write_text(yamlfile.dump_file(game.header) + "log:\n" + "".join(
        f"- {gamelog.dump_entry(entry)}\n" for entry in game.entries))


def test_an_answer_is_proved_taken_listed_and_played(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    mail = answered(desk, "blue", CALL)
    assert said(tmp_path, mail) == [(OK, "receipt_whole"), (CLOSED, "receipt_open"), (CLOSED, "receipt_code_closed")]
    answered(desk, "yellow", "pass")
    assert close_of(desk)["closed"] == "complete" and close_of(desk)["receipts"].keys() == {"blue", "yellow"}
    quoted = "\n".join(f"> {line}" for line in re.sub(r'(?<=,) (?=")', "\n   ", mail).splitlines())
    for text in (mail, quoted):
        assert said(tmp_path, text) == [(OK, "receipt_whole"), (OK, "receipt_listed"), (OK, "receipt_played"),
                                        (CLOSED, "receipt_code_closed")]


def test_a_later_answer_takes_the_place_of_an_earlier_one_and_says_so(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    first, second = answered(desk, "blue", CALL), answered(desk, "blue", "pass")
    answered(desk, "yellow", "pass")
    assert (OK, "receipt_replaced") in said(tmp_path, first, second)
    assert [state for state, _ in said(tmp_path, first, second)].count(FAILED) == 0
    assert (FAILED, "receipt_left_out") in said(tmp_path, first)


def test_an_answer_that_was_left_out_or_changed_is_found(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    mail = answered(desk, "blue", CALL)
    desk.tray.answers.clear()                               # "it never came"
    desk.close(desk.match.question.id, by="clock")
    assert (FAILED, "receipt_left_out") in said(tmp_path, mail)
    on_the_page = page.checked(proof.log_text(desk.game), mail)["checks"]
    assert (FAILED, "receipt_left_out") in [(state, key) for *_, state, key in on_the_page]

    def claim(entries: list[Any]) -> None:
        close = next(entry for entry in entries if "close" in entry)
        close["receipts"] = {"blue": re.findall(r'"digest":\s+"(\w+)"', mail)[0]}

    rewritten(tmp_path, claim)                              # "it came, and said: pass"
    assert (FAILED, "receipt_other") in said(tmp_path, mail)


@pytest.mark.parametrize(("part", "other"), [("2 loyal", "1 loyal"), ('"number": 1', '"number": 2'), ("T12:00", "T11:00")])
def test_a_receipt_that_was_changed_is_found(tmp_path: Path, part: str, other: str) -> None:
    mail = answered(at_window(tmp_path / "g"), "blue", CALL)
    assert part in mail
    assert said(tmp_path, mail.replace(part, other)) == [(FAILED, "receipt_altered")]


def test_a_receipt_of_another_log_is_found(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    mail = answered(at_window(tmp_path / "other/g", seating="given"), "blue", CALL)
    at_window(tmp_path / "g")
    assert said(tmp_path, mail) == [(FAILED, "receipt_head")]
    assert said(tmp_path, "hello")[0] == (FAILED, "no_receipt")
    assert said(tmp_path, '{"receipt": {"game": "small"}}')[0] == (FAILED, "receipt_unread")


def test_what_was_taken_back_is_told(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    asked = next(number for number, entry in enumerate(desk.game.entries, 1) if "Ephesos" in entry.get("do", ""))
    mail = answered(desk, "blue", CALL)
    desk.undo(asked, "the wrong place", consent=["red", "blue", "yellow", "black"])
    assert (WORD, "receipt_undone") in said(tmp_path, mail)


def test_the_code_convinces_others_once_the_deck_secret_is_open(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    mail = answered(desk, "blue", CALL)
    answered(desk, "yellow", "pass")
    desk.enter({"open": {"deck_secret": desk.keys.secrets.deck.hex()}})
    assert said(tmp_path, mail)[-1] == (OK, "receipt_code")
    code = re.findall(r'"code":\s+"(\w+)"', mail)[0]
    assert said(tmp_path, mail.replace(code, "0" * 64))[-1] == (FAILED, "receipt_code_other")


def test_in_a_card_window_every_seat_has_a_digest_and_the_silent_cannot_be_told(tmp_path: Path) -> None:
    """Who answers, how often, and whether at all: the closes differ in nothing but numbers that look drawn."""
    closes = []
    for number, lines in enumerate([[], ["pass"], ["pass", LIAR, "pass"]]):
        (tmp_path / str(number)).mkdir()
        desk = found(tmp_path / str(number) / "g", cards=True, windows="asked")
        desk.order("red", "roll\nsurprise 57 on Antigonos")
        assert desk.match.question.kind == "surprise" and "blue" in desk.match.question.sides
        mails = [answered(desk, "blue", text) for text in lines]
        desk.close(desk.match.question.id, by="clock")
        closes.append(close_of(desk))
        assert set(closes[-1]["receipts"]) == set(closes[0]["receipts"]) >= {"yellow", "blue", "black"}
        if mails:
            assert (OK, "receipt_listed") in said(tmp_path / str(number), mails[-1])
    assert len({close["receipts"]["blue"] for close in closes}) == 3
    assert len({str({**close, "receipts": ""}) for close in closes}) == 1
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for close in closes for digest in close["receipts"].values())


def test_the_moderator_says_by_what_right_he_closes(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    desk.close(desk.match.question.id, by="they told me by telephone")
    assert close_of(desk)["closed"] == "early"
    told = reporting.report(desk, showing.PUBLIC, None, "text")
    assert "closed the question before its deadline (they told me by telephone), without waiting for" in told.replace("\n", " ")
    (tmp_path / "late").mkdir()
    at_window(tmp_path / "late/g")
    late = again(tmp_path / "late/g", now=NOON.replace(month=12))
    late.close(late.match.question.id, by="nobody answers")
    assert close_of(late)["closed"] == "moderator"


def test_nothing_is_promised_and_nothing_is_proved_by_hand(tmp_path: Path) -> None:
    desk = found(tmp_path / "g", secrets=False)
    desk.order("red", "roll", throws=[(5, "")], reason="at the table")
    desk.order("red", "march Antigonos > Ephesos")
    (outcome,) = desk.order("blue", CALL)
    assert outcome.receipt is None and "receipt" not in answering.receipt(desk, [outcome])


def test_vectors() -> None:
    """The numbers of docs/chance.md."""
    secrets = scheme.Secrets("demo-1", bytes(range(32)), bytes(range(32, 64)), links=3)
    unsigned = receipts.Receipt("demo-1", "T1.R1.red.1", "blue", 2, 7, "ab" * 16, "2026-11-18T12:00Z", "pass", "cd" * 16,
                                "ef" * 32, "", "")
    assert unsigned.own_digest == "9b8c9b5a3415c01d1def78ebaef37998edb80b671f13684d40d541769f5ad048"
    assert receipts.code(secrets.deck, "demo-1", unsigned.own_digest) == (
        "b89fefaa8869c0ad2864e772d953cb3e96e1966e80783c84f5ee003ade246a76")
