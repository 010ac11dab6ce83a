"""At a Game Turn's end everybody gets the same block, in every language, by mail and in the thread; two logs, two blocks."""

import json
import re
import shutil
from pathlib import Path

import pytest
from small_game import MARCH, found, go_on

from pbem.chance import verify_min
from pbem.chance.check import FAILED, OK
from pbem.desk.answering import turn_proof
from pbem.desk.desk import Desk
from pbem.dev import page
from pbem.mail import config, letters, paste
from pbem.mail.desk import MailDesk
from pbem.mail.outbox import Bookmark, Item
from pbem.play import proof
from pbem.play.verify import heads_in, witness_checks

BLOCK = re.compile(r'\{"turn": \{.*?\}\}')


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Game Turn is over."""
    folder = tmp_path_factory.mktemp("turn") / "g"
    desk = found(folder, {key: value for key, value in MARCH.items() if key != "segment"} | {"phase": "deal"})
    go_on(desk, 3)
    desk.enter({"seat": "blue", "name": "Bruno", "language": "de"})
    return folder


def block_of(text: str) -> dict[str, object]:
    """As a player finds it, quoted or not."""
    (found,) = BLOCK.findall(" ".join(re.sub("(?m)^> ?", "", text).split()))
    made: dict[str, object] = json.loads(found)["turn"]
    return made


def told(folder: Path) -> list[str]:
    *mails, post = laid_out(folder)
    return [*(mail.text for mail in mails if isinstance(mail, Item)), str(post)]


def laid_out(folder: Path) -> list[Item | str]:
    """A mail for each seat, one for an observer, and what goes into the thread."""
    desk = MailDesk(folder)
    mailbox = config.write(folder / "mail.yaml", {
        "address": "host@example.org", "imap": {"host": "localhost"}, "smtp": {"host": "localhost"}, "games": ["."]})
    desk.tray.addresses = {seat: [f"{seat}@example.com"] for seat in desk.match.seats}
    mails = [letters.report(desk, mailbox, seat, 1)[0] for seat in desk.match.seats]
    public = letters.public_report(desk, mailbox, "friend@example.net", 1)
    return [*mails, public, paste.post(desk, {paste.THREAD: Bookmark(entry=0)})]


def test_everybody_gets_the_same_block(played: Path) -> None:
    texts = told(played)
    blocks = [block_of(text) for text in texts]
    assert len(texts) == 6 and all(one == blocks[0] for one in blocks)
    game = Desk(played).game
    end = next(number for number, entry in enumerate(game.entries, 1) if "turn_end" in entry)
    opened = game.entries[end - 1]["open"]
    assert blocks[0] == {"game": "small", "turn": 2, "entries": end, "head": game.heads()[end][:32], **opened}
    assert turn_proof(Desk(played), "public", end + 1) == []


def test_everybody_gets_it_in_a_mail_of_his_own(played: Path) -> None:
    """Nobody's address stands in another's mail, nor the token with which his answers come back."""
    mails = [mail for mail in laid_out(played) if isinstance(mail, Item)]
    assert len({mail.to for mail in mails}) == len(mails) and not any(set(mail.to) & set(", ;\n") for mail in mails)
    for mail in mails:
        others = {theirs for other in mails if other is not mail
                  for theirs in (other.to, other.reply_to, other.message_id) if theirs}
        assert not any(theirs in text for theirs in others for text in (mail.text, mail.html, mail.reply_to, mail.references))


def test_two_players_with_two_logs_see_it_and_each_checker_says_where(played: Path, tmp_path: Path) -> None:
    """A moderator keeps two logs and shows each player another one."""
    other = Path(shutil.copytree(played, tmp_path / "g"))
    text = (other / "game.yaml").read_text()
    (other / "game.yaml").write_text(text.replace("Bruno", "Brutus"))
    (other / ".mirror").unlink(missing_ok=True)
    ours, theirs = block_of(told(played)[0]), block_of(told(other)[0])
    assert ours["head"] != theirs["head"] and ours["entries"] == theirs["entries"]
    kept = tmp_path / "kept.txt"
    kept.write_text(json.dumps({"turn": theirs}))
    desk = Desk(played)
    seen = {check.what.split()[0]: check.state for check in witness_checks(desk.game, [kept])}
    assert seen == {"block": FAILED, "head": FAILED}
    log = json.loads(proof.log_text(desk.game))
    assert (theirs["entries"], "block", False) in list(verify_min.verify(log, (), verify_min.parts(kept.read_bytes())))
    found = page.checked(proof.log_text(desk.game), kept.read_text())["checks"]
    assert [(state, key) for _, what, state, key in found if what == "block"] == [(FAILED, "block_head")]


def test_the_block_of_this_log_is_right_for_all_three(played: Path, tmp_path: Path) -> None:
    """In a mail as it lies in a file, quoted and wrapped."""
    game = Desk(played).game
    log, mail = proof.log_text(game), tmp_path / "mail.eml"
    mail.write_text("".join(f"> {line}\n" for line in told(played)[1].splitlines()))
    at = block_of(told(played)[0])["entries"]
    assert (at, "block", OK) in [(check.entry, check.what, check.state) for check in witness_checks(game, [mail])]
    assert (at, "block", True) in list(verify_min.verify(json.loads(log), (), verify_min.parts(mail.read_bytes())))
    assert [at, "block", OK] in [one[:3] for one in page.checked(log, mail.read_text())["checks"]]


@pytest.mark.parametrize(("key", "other"), [
    ("turn", 1), ("entries", 3), ("entries", "3"), ("head", "0" * 32), ("link", "0" * 64), ("epoch", 1), ("game", "large")])
def test_a_block_that_was_changed_is_wrong_for_all_three(played: Path, tmp_path: Path, key: str, other: object) -> None:
    game, mail = Desk(played).game, tmp_path / "mail"
    mail.write_text(json.dumps({"turn": {**block_of(told(played)[0]), key: other}}))
    log = proof.log_text(game)
    assert [check.state for check in witness_checks(game, [mail]) if check.what == "block"] == [FAILED]
    assert [right for _, what, right in verify_min.verify(json.loads(log), (), verify_min.parts(mail.read_bytes()))
            if what == "block"] == [False]
    assert [state for _, what, state, _ in page.checked(log, mail.read_text())["checks"] if what == "block"] == [FAILED]


def test_a_head_is_found_in_every_language_and_nothing_else_is_taken_for_one(played: Path) -> None:
    """A mail with a hand, a receipt and a block is full of digests."""
    game = Desk(played).game
    for text in told(played):
        assert {head[:16] for head in heads_in([text], game, game.heads(), bare=False)} <= {head[:16] for head in game.heads()}
