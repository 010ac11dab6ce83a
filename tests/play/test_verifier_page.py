"""The page that checks games: one for all of them, without a network, and it finds what the other checkers find."""

import hashlib
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from small_game import at_window, found

from pbem.base.paths import languages
from pbem.chance import check, scheme
from pbem.chance.check import CLOSED, FAILED, OK
from pbem.desk import answering
from pbem.dev import forging, page, tampering
from pbem.play import proof
from pbem.play.verify import json_of

ROOT = Path(__file__).parents[2]
# The vectors of docs/chance.md that are no more than bytes.
CANONICAL = '{"b":[1,-2,null,"\\"\\\\\\n\\u007f \u00e9 \U0001f418"],"a":{"10":1,"9":0}}'


def whole(desk: tampering.Glass) -> str:
    return scheme.canonical({**desk.game.header, "log": desk.game.entries}).decode()


@pytest.fixture(scope="module")
def small() -> tampering.Glass:
    return tampering.small_game()


def test_it_is_one_constant_file_whose_digest_the_readme_has() -> None:
    data = (ROOT / "pbem/data/verifier.html").read_bytes()
    assert hashlib.sha256(data).hexdigest() in (ROOT / "README.md").read_text()
    assert len(data) < 100_000


def test_nothing_in_it_reaches_out() -> None:
    text = proof.page()
    assert "default-src 'none'" in text
    assert not re.search(r"https?:|//[a-z]|\bsrc=|\bhref=|@import|url\(|fetch|XMLHttp|WebSocket|EventSource|sendBeacon|import\("
                         r"|localStorage|indexedDB|document\.cookie|innerHTML|eval\(|crypto\.", text)


def test_it_speaks_every_language_in_the_same_words() -> None:
    def keys(words: dict[str, object]) -> set[str]:
        return {f"{key}.{inner}" if isinstance(value, dict) else key for key, value in words.items()
                for inner in (value if isinstance(value, dict) else ("",))}

    told = page.words()
    assert sorted(told) == languages()
    for words in told.values():
        assert keys(words) == keys(told["en"])
        for key, text in words["why_"].items():
            assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", told["en"]["why_"][key])), key
    said = set(re.findall(r'wrong\("(\w+)"|\[(?:OK|WORD|CLOSED|HAND|LATE), "(\w+)"', proof.page()))
    assert {one or other for one, other in said} <= told["en"]["why_"].keys()


def test_its_canonical_form_and_digests_are_those_of_the_definition() -> None:
    run = page.core().eval
    assert run(f"Checker.hex(Checker.sha256(Checker.canonical(Checker.parsed({json.dumps(CANONICAL)}).value)))") == (
        "8201a14146764b0a103bd72f39d83f49ded2fc130dc2cfa94dbf6bb75e033fa8")
    for size in (0, 1, 55, 56, 63, 64, 65, 1000):
        data = (bytes(range(256)) * 4)[:size]
        assert run(f"Checker.hex(Checker.sha256(Uint8Array.from({list(data)})))") == hashlib.sha256(data).hexdigest()
    for odd in ('{"a":1.5}', '{"a":true}', '{"a":1,"a":2}', '{"a":01}', '{"a":1234567890123456789}'):
        with pytest.raises(Exception, match="unreadable"):
            page.checks(odd)


def test_a_ruling_may_state_nothing(small: tampering.Glass) -> None:
    """docs/chance.md: `facts` may be null. All three read it so."""
    log = json.loads(whole(small))
    log["log"].append({"ruling": "so be it", "reason": "nobody knows", "facts": None})
    assert tampering.seen(log).apart == []
    last = [state for at, _, state in tampering.long_form(check.check_game(log)) if at == len(log["log"])]
    assert check.FAILED not in last
    assert [one for one in page.checks(scheme.canonical(log).decode()) if one[:2] == (len(log["log"]), "entry")] == []


def test_it_says_what_the_program_says_of_a_game_and_of_forgeries(small: tampering.Glass) -> None:
    def alike(log: dict[str, Any]) -> None:
        wanted = [(one.entry, one.what, one.state) for one in check.check_game(log) if one.what != "head"]
        assert [one for one in page.checks(scheme.canonical(log).decode()) if one[1] != "head"] == wanted

    honest, rng = json.loads(whole(small)), Random("page")
    alike(honest)
    for _ in range(4):
        alike(forging.forged(honest, rng)[0])


def test_a_stacked_deck_is_not_excused_by_stating_its_order_at_the_end(small: tampering.Glass) -> None:
    """Only a deck that was adopted is stated; all three say so."""
    log = json.loads(whole(small))
    assert small.keys is not None
    dealt = next(entry for entry in log["log"] if "deck" in entry)
    name, stacked = dealt["deck"]["name"], sorted(dealt["deck"]["cards"], reverse=True)
    dealt["deck"]["root"] = scheme.Deck(small.keys.deck, log["game"], tuple(name.split(",")), stacked).root.hex()
    next(entry for entry in log["log"] if "deck_secret" in entry.get("open", ()))["open"]["orders"] = {name: stacked}
    texts = page.checks(scheme.canonical(log).decode()), tampering.long_form(check.check_game(log)), tampering.short_form(log)
    for told in texts:
        assert (log["log"].index(dealt) + 1, f"deck {name}", FAILED) in told


def test_it_finds_heads_receipts_and_hands_in_what_a_player_kept(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    (outcome,) = desk.order("blue", "intercept Lysimachos from Sardeis with 2 loyal")
    mail = answering.receipt(desk, [outcome]) + f"\n17 Einträge im Protokoll, Prüfsumme {desk.game.heads()[-1][:32]}."
    desk.order("yellow", "pass")
    log = proof.log_text(desk.game)
    made = page.checked(log, "\n".join(f"> {line}" for line in mail.splitlines()))
    assert [(state, key) for _, what, state, key in made["checks"] if what.startswith("receipt")] == [
        (OK, "receipt_whole"), (OK, "receipt_listed"), (CLOSED, "receipt_code_closed")]
    assert [state for _, what, state, _ in made["checks"] if what.startswith("head ")] == [OK]
    forged = page.checked(log, mail.replace("2 loyal", "1 loyal"))
    assert (FAILED, "receipt_altered") in [(state, key) for *_, state, key in forged["checks"]]
    other = page.checked(log, "Head 0123456789abcdef0123456789abcdef")
    assert (FAILED, "head_unknown") in [(state, key) for *_, state, key in other["checks"]]


def test_it_reads_mails_as_they_lie_in_a_file(tmp_path: Path) -> None:
    desk = at_window(tmp_path / "g")
    head = desk.game.heads()[-1][:32]
    mail = f"Content-Transfer-Encoding: quoted-printable\n\nKopf: Pr=C3=BCfsumme {head[:20]}=\n{head[20:]}"
    assert page.checked(proof.log_text(desk.game), mail)["kept"]["heads"][-1] == head


def test_the_log_that_players_get_is_the_log(tmp_path: Path) -> None:
    desk = found(tmp_path / "g")
    desk.enter({"note": "</script><script>alert(1)</script>"})
    assert json.loads(proof.log_text(desk.game)) == json.loads(json_of(desk.game))
    inside = proof.with_log(desk.game)
    assert inside.count("</script>") == proof.page().count("</script>") and "alert(1)" in inside
    assert page.checks(proof.log_text(desk.game).replace(" ", "\\u0020")) == page.checks(proof.log_text(desk.game))
    assert page.checked(f"Your log:\n\n{proof.log_text(desk.game)}\n-- \nthe desk")["heads"] == desk.game.heads()
