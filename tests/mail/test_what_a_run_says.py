"""The line that a run says of itself, for whoever reads cron's mail."""

from typing import Any

import pytest
from test_outgoing import written

from pbem.mail.run import Summary
from pbem.mail.sending import Sent


@pytest.mark.parametrize(("what", "said"), [
    ({}, "0 fetched"),
    ({"fetched": 3, "counts": {"refused": 1, "applied": 2}}, "3 fetched; 2 applied; 1 refused"),
    ({"left": 2}, "0 fetched; 2 unread"),
    ({"closed": ["small T2.R1.red.1", "other T1.R1.red.1"]}, "0 fetched; closed: small T2.R1.red.1, other T1.R1.red.1"),
    ({"sent": Sent(4, 1, [], "", [])}, "0 fetched; 4 sent, 1 waiting"),
    ({"sent": Sent(0, 1, [written(), written("receipt")], "", [])}, "0 fetched; 0 sent, 1 waiting, 2 failed"),
    ({"problems": ["the disk", "a game"]}, "0 fetched\nthe disk\na game"),
])
def test_a_run_says_what_it_did_and_nothing_of_what_it_did_not(what: dict[str, Any], said: str) -> None:
    assert Summary(**what).text() == said
    assert Summary(**what).failed is ("problems" in what)


@pytest.mark.parametrize(("what", "said"), [({"busy": ["small"]}, "small"), ({"taken_over": ["mailbox"]}, "mailbox"),
                                            ({"clock": "backward"}, "clock")])
def test_what_somebody_should_look_at_has_a_line_of_its_own(what: dict[str, Any], said: str) -> None:
    first, line = Summary(**what).text().split("\n")
    assert first == "0 fetched" and said in line and not Summary(**what).failed


def test_mails_are_counted_by_what_became_of_them() -> None:
    summary = Summary()
    for state in ("applied", "refused", "applied"):
        summary.count(state)
    assert summary.counts == {"applied": 2, "refused": 1}
