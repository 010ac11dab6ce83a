"""What the mailbox keeps in files: typed, strict, and what earlier versions wrote is read."""

import json
from pathlib import Path

import pytest

from pbem.base.errors import BadLog
from pbem.mail.ledger import Ledger, Row
from pbem.mail.outbox import Bookmark, Item, Open, Outbox
from pbem.mail.run import State

LEDGER = """\
{"id":"d07472061cbf6406","where":"h@example.org@imap/INBOX","uidvalidity":33,"uid":1,"state":"received",\
"file":"33-1-d07472061cbf6406.mbox","from":69,"length":242,"at":"2026-11-18T12:00:01Z","size":242}
{"id":"d07472061cbf6406","message_id":"<1@example.com>","sender":"anna@example.com","subject":"[other]","sort":"human"}
{"id":"d07472061cbf6406","state":"confirm","why":"it waits for its sender to confirm","game":"other","seat":"red"}
{"id":"d07472061cbf6406","where":"h@example.org@imap/INBOX","uidvalidity":33,"uid":8,"seen":2}
{"id":"d07472061cbf6406","confirmed_by":"3bfb97e5470d4c51"}
{"id":"d07472061cbf6406","state":"refused","why":"it may be for several games","games":["small","other"]}
"""
STATE = """{"where": "h@example.org@imap/INBOX", "uidvalidity": 33, "next": 102, "began": "2026-11-18T12:00:01Z",
 "tries": {"101": 2}, "good": "2026-11-26T10:07:34Z", "back": "2026-11-26T10:07:32Z", "last_run": "2026-11-26T10:07:34Z",
 "refused": {"2026-11-26 held red anna@example.com": "d07472061cbf6406"},
 "resting": {"/games/small": {"since": "2026-11-26T10:07:34Z", "until": "2026-11-27T10:07:34Z",
 "marks": ["0.1.0", [1, 2], []]}},
 "rests": {"/games/small": {"since": "2026-11-26T10:07:34Z", "until": "2026-11-27T10:07:34Z", "marks": "0.1.0 1/2/3/4 -"}}}"""
LAST = """{
 "red": {"entry": 16, "at": "2026-11-24T18:07:28Z", "question": "T2.R1.red.4"},
 "observer friend@example.net": {"entry": 12},
 "_game": {"question": "T2.R1.black.1", "awaited": ["black"], "entries": 16}
}"""
REPORT = {
    "key": "report-1_red", "kind": "report", "game": "small", "seat": "red", "window": "T2.R1.red.1", "to": "anna@example.com",
    "subject": "[small] T2.R1.red.1", "text": "what happened\n", "message_id": "<a@example.org>",
    "in_reply_to": "<b@example.org>", "references": "<b@example.org>", "reply_to": "host+t@example.org",
    "auto": "auto-generated", "state": "queued", "tries": 1, "next": "2026-11-18T12:00:01Z", "made": "2026-11-18T12:00:01Z",
    "entries": 2, "first": "2026-11-18T12:00:01Z", "error": "451 x"}
POST = {"key": "post-thread-1", "kind": "post", "seat": "", "to": "", "text": "x", "subject": "small", "state": "queued",
        "made": "2026-11-18T12:00:01Z", "next": "2026-11-18T12:00:01Z", "tries": 0, "window": "", "game": "small"}


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_ledger_of_an_earlier_version_is_read_and_carried_on(tmp_path: Path) -> None:
    path = written(tmp_path / "ledger.jsonl", LEDGER)
    ledger = Ledger(tmp_path)
    row = Row("d07472061cbf6406", 1, "h@example.org@imap/INBOX", 33, 8, "33-1-d07472061cbf6406.mbox", 69, 242,
              "2026-11-18T12:00:01Z", 242, "refused", "it may be for several games", "<1@example.com>", "anna@example.com",
              "[other]", "human", "other", "red", ("small", "other"), "3bfb97e5470d4c51", 2)
    assert ledger.mails == {row.id: row}
    assert {copy.uid for copy in ledger.copies} == {1, 8}
    ledger.put(row._replace(state="rejected"))
    ledger.settle()
    assert path.read_text() == LEDGER + '{"id":"d07472061cbf6406","state":"rejected"}\n'
    assert Ledger(tmp_path).mails == {row.id: row._replace(state="rejected")}


def test_a_mail_of_which_nothing_new_is_known_leaves_no_line(tmp_path: Path) -> None:
    path = written(tmp_path / "ledger.jsonl", LEDGER)
    ledger = Ledger(tmp_path)
    ledger.put(next(iter(ledger.mails.values())))
    ledger.settle()
    assert path.read_text() == LEDGER


def test_the_state_of_an_earlier_version_is_read_and_its_resting_games_are_looked_at(tmp_path: Path) -> None:
    written(tmp_path / "state.json", STATE)
    state = State.read(tmp_path)
    assert (state.next, state.uidvalidity, state.tries) == (102, 33, {"101": 2})
    assert state.refused == {"2026-11-26 held red anna@example.com": "d07472061cbf6406"}
    assert (state.last_run, state.good, state.back) == ("2026-11-26T10:07:34Z", "2026-11-26T10:07:34Z", "2026-11-26T10:07:32Z")
    state.save(tmp_path)
    assert State.read(tmp_path) == state


def test_mails_and_bookmarks_of_an_earlier_version_are_read(tmp_path: Path) -> None:
    box = Outbox(tmp_path)
    written(tmp_path / "report-1_red.json", json.dumps(REPORT))
    written(tmp_path / "sent" / "post-thread-1.json", json.dumps(POST | {"state": "sent", "post": "4711"}))
    written(tmp_path / "told" / "last.json", LAST)
    assert [{**REPORT, **one._asdict()} == {**one._asdict(), **REPORT} for one in box.unsent()] == [True]
    assert [(one.key, one.post) for one in box.past()] == [("post-thread-1", "4711")]
    assert box.bookmarks() == {"red": Bookmark(16, "2026-11-24T18:07:28Z", "T2.R1.red.4"),
                               "observer friend@example.net": Bookmark(12)}
    assert box.open() == Open("T2.R1.black.1", ("black",))


def test_a_bookmark_that_is_set_leaves_the_others_and_what_is_open(tmp_path: Path) -> None:
    box = Outbox(tmp_path)
    written(tmp_path / "told" / "last.json", LAST)
    box.mark({"red": Bookmark(17)})
    assert box.bookmarks()["red"] == Bookmark(17) and box.bookmarks()["observer friend@example.net"] == Bookmark(12)
    assert box.open() == Open("T2.R1.black.1", ("black",))


@pytest.mark.parametrize("changed", [{"kinds": "report"}, {"tries": "1"}, {"to": ["anna@example.com"]}, {"seat": None}])
def test_what_a_record_does_not_know_is_refused_with_the_file(tmp_path: Path, changed: dict[str, object]) -> None:
    path = written(tmp_path / "one.json", json.dumps(REPORT | changed))
    with pytest.raises(BadLog) as problem:
        Outbox(tmp_path).unsent()
    assert problem.value.facts["file"] == str(path)


@pytest.mark.parametrize("text", ["[]", "{", '{"id": "a", "uid": "7"}', '{"id": "a", "games": ["x", 7]}'])
def test_a_ledger_that_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    written(tmp_path / "ledger.jsonl", text + "\n")
    with pytest.raises(BadLog):
        Ledger(tmp_path)


def test_a_mail_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = Item("k", "receipt", "a@example.com", "s", "t\n", "2026-11-18T12:00:01Z", "2026-11-18T12:00:01Z", state="tomorrow")
    Outbox(tmp_path).put(one)
    assert Outbox(tmp_path).get("k") == one
