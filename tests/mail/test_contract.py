"""Each line of what the mailbox promises is held by a test or by a mail of the corpus: `contract.yaml` names them."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from at_the_shell import said
from table import Table, body
from test_time import asked_for_interception

from pbem.base import yamlfile

HERE = Path(__file__).parent
CONTRACT: dict[str, dict[str, str]] = yamlfile.load(HERE / "contract.yaml")


def is_there(name: str) -> bool:
    module, _, test = name.partition("::")
    if not test:
        return (HERE / f"{name}.eml").exists() and name.startswith("corpus/")
    return bool(re.search(rf"(?m)^def {test}\(", (HERE / f"{module}.py").read_text()))


@pytest.mark.parametrize("part", CONTRACT)
def test_each_line_is_held(part: str) -> None:
    for line, held in CONTRACT[part].items():
        assert held.split() and [name for name in held.split() if not is_there(name)] == [], line


def test_no_line_is_forgotten() -> None:
    assert sum(map(len, CONTRACT.values())) >= 160


# --- what no other test holds ----------------------------------------------------------------------------------------------


def test_a_mail_without_an_id_is_known_by_its_content(table: Table) -> None:
    table.started()
    raw = b"\n".join(line for line in table.write("red", "roll", answers=table.last("red")).split(b"\n")
                     if not line.startswith(b"Message-ID"))
    for _ in range(2):
        table.deliver(raw)
        table.run()
    assert table.did() == ["roll"] and table.states() == ["applied"]
    assert sum("received" in one for one in table.subjects("red")) == 1


def test_a_receipt_says_until_when_and_what_silence_means(table: Table) -> None:
    asked_for_interception(table.started())
    table.reply("blue", "hand")
    table.run()
    text = " ".join(body(table.last("blue", "received")).split())
    assert re.search(r"If nothing more comes from you until Fri 20 Nov, 1\d:00 UTC, this counts: pass", text), text


def test_by_hand_the_mailbox_is_named_that_has_to_look(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for_interception(table.started())
    monkeypatch.setenv("PBEM_NOW", (table.now + timedelta(days=9)).isoformat())
    assert "looks whether a mail lies there" in " ".join(said("run", table.game, "--overdue").split())
    assert not any("close" in entry for entry in table.log())
