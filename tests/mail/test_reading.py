"""Real mail, from the harmless to the hostile: what pbem takes from it."""

from pathlib import Path
from typing import Any

import pytest

from pbem import yamlfile
from pbem.mail import reading

CORPUS = Path(__file__).with_name("corpus")
EXPECTED: dict[str, dict[str, Any]] = {
    f"{group.stem}/{name}": wanted for group in sorted(CORPUS.glob("*.yaml")) for name, wanted in yamlfile.load(group).items()
}


def raw(name: str) -> bytes:
    return (CORPUS / f"{name}.eml").read_bytes()


@pytest.mark.parametrize("name", EXPECTED)
def test_mail(name: str) -> None:
    wanted, mail = EXPECTED[name], reading.understand(raw(name))
    assert mail.class_ == wanted["class"], mail.why
    assert mail.from_ == (wanted.get("from", "anna@example.org") or "")
    if "lines" in wanted:
        assert list(mail.lines) == [str(line) for line in wanted["lines"]], mail.removed
    assert list(mail.attached) == wanted.get("attached", [])
    if "removed" in wanted:
        assert list(dict.fromkeys(cut.reason for cut in mail.removed)) == wanted["removed"]
    for text in wanted.get("removed_has", []):
        assert any(text in cut.text for cut in mail.removed)
    if "subject" in wanted:
        assert mail.subject == (wanted["subject"] or "")
    if "id" in wanted:
        assert mail.message_id == (wanted["id"] or "")
    if "orders" in wanted:
        assert list(mail.orders) == wanted["orders"]
    assert str(mail.hold).lower() == wanted.get("hold", "false")
    if wanted.get("looks") == "true":
        assert mail.looks_like_orders
