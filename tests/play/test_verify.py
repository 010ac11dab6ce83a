"""Verification of real games: an honest one passes, and whatever is changed is found where it was changed."""

import base64
import gzip
import hmac
import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from small_game import go_on

from pbem.base.errors import Refused
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.chance import verify_min
from pbem.chance.check import CLOSED, FAILED, HAND, NOTHING, OK, WORD, Check
from pbem.cli.main import main
from pbem.desk import publishing, seeding
from pbem.desk.checking import check as shown
from pbem.desk.checking import facts_of
from pbem.desk.desk import Desk
from pbem.desk.showing import plain_words, promise
from pbem.log import gamelog
from pbem.log.entries import KINDS
from pbem.log.gamelog import GameFile
from pbem.play.verify import NOT_KEPT, NOT_REACHED, TAKEN_BACK, exit_code, json_log, rolls, verify

HEADER = {
    "game": "anabasis", "format": 3, "engine": "0.1.0", "rules": {"edition": "fourth", "windows": "asked"},
    "seats": {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {"name": "Chiara"}},
}
SECRETS: dict[str, Any] = {"deck": bytes(range(32)).hex(), "last_link": bytes(range(32, 64)).hex(), "links": 20}
START = {
    "turn": 2, "phase": "deal", "spaces": {"halikarnassos": "red", "sardeis": "blue", "pella": "yellow"},
    "forces": [
        {"owner": "red", "at": "halikarnassos", "generals": ["antigonos"], "cus": {"mercenary": 3, "loyal": 2}},
        {"owner": "blue", "at": "sardeis", "generals": ["lysimachos"], "cus": {"mercenary": 2, "loyal": 2}},
        {"owner": "yellow", "at": "pella", "generals": ["antipatros"], "cus": {"mercenary": 2}},
    ],
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game that was seeded, played over a Game Turn with an undo in it, and published up to there."""
    folder = tmp_path_factory.mktemp("game")
    gamelog.create(folder, HEADER)
    gamelog.write_private(folder, {"secrets": SECRETS})
    seeding.new(folder)
    seeding.enter_word(folder, "red", "first snow in Pella")
    seeding.enter_word(folder, "yellow", "λόγος")
    seeding.enter_word(folder, "blue", "42 elephants")
    desk = Desk(folder)
    desk.enter({"position": START})
    desk.enter({"note": "welcome to this game"})
    noted = len(desk.game.entries)
    desk.enter({"note": "this was a mistake"})
    desk.undo(noted + 1, "wrong file")
    go_on(desk, 3)
    desk.order(desk.match.g.player, "end")
    publishing.publish(folder, folder / "public")
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "game"))


@pytest.fixture
def public(folder: Path) -> Path:
    return folder / "public"


def wording(check: Check) -> str:
    return facts_of(check, plain_words())


def failed(checks: list[Check]) -> list[tuple[int, str]]:
    return [(check.entry, check.what) for check in checks if check.state == FAILED]


def changed(place: Path, old: str, new: str) -> int:
    """Change a text at its first place in the log; the number of the entry (0 is the header)."""
    path = gamelog.game_path(place)
    text = path.read_text()
    at = text.index(old)
    path.write_text(text[:at] + new + text[at + len(old):])
    return text.count("\n- ", 0, at)


def first(game: GameFile, key: str) -> tuple[int, Any]:
    return next((at, entry[key]) for at, entry in enumerate(game.entries, 1) if key in entry)


def other_digit(text: str) -> str:
    return ("0" if text[0] != "0" else "1") + text[1:]


# --- An honest game -----------------------------------------------------------


def test_an_honest_game_passes(folder: Path) -> None:
    checks = list(verify(folder))
    assert exit_code(checks) == 0
    assert {check.state for check in checks} == {OK, CLOSED, NOTHING}
    idle = [check.what for check in checks if check.state == NOTHING]
    assert idle[0] == "head" and set(idle[1:]) == {"adopted", "ruling"}                 # nothing to compare them with
    kinds = {check.what.split()[0] for check in checks}
    assert kinds == {"changes", "chance", "words", "die", "deck", "cards", "link", "due", "undo", "opening", "head", "position",
                     "rules", "adopted", "ruling"}


def test_the_published_copy_says_the_same_but_of_changes_by_hand(folder: Path, public: Path) -> None:
    own, copy = list(verify(folder)), list(verify(public))
    assert (own[0].state, copy[0].state) == (OK, NOT_KEPT)
    assert own[1:] == copy[1:]


def test_the_private_file_is_not_even_looked_at(folder: Path) -> None:
    (folder / "private.yaml").write_bytes(b"\0")
    assert exit_code(verify(folder)) == 0


def test_at_the_end_the_deck_is_checked_too(folder: Path) -> None:
    gamelog.append(folder, [{"open": {"deck_secret": SECRETS["deck"]}}])
    decks = [check for check in verify(folder) if check.what.startswith("deck ")]
    assert [check.what for check in decks] == ["deck main,2", "deck main,3", "deck secret"]
    assert [(check.state, check.detail) for check in decks] == [(OK, "cards"), (OK, "cards"), (FAILED, "secret_early")]


def test_only_one_epoch(folder: Path) -> None:
    game = gamelog.read_game(folder)
    checks = list(verify(folder, epoch=2))
    dice = [check for check in checks if check.what.startswith("die ")]
    wanted = [roll for roll in rolls(game) if roll.epoch == 2]
    assert [(check.entry, check.what) for check in dice] == [(roll.entry, f"die {roll.name}") for roll in wanted]
    assert {check.what for check in checks} == {"chance", "words", "link 2"} | {check.what for check in dice}
    assert ("link 3", CLOSED) in [(check.what, check.state) for check in verify(folder, epoch=3)]
    assert exit_code(verify(folder, epoch=101)) == 1


# --- Entry by entry -----------------------------------------------------------


def rows(place: Path) -> dict[int, str]:
    """Number of the entry -> its row, as it is told."""
    return {one.entry: shown(one, plain_words()).partition(": ")[2]
            for one in verify(place, entries=True) if one.what.startswith("entry ")}


def test_every_entry_has_a_row_that_says_what_was_checked_of_it(folder: Path) -> None:
    game = gamelog.read_game(folder)
    told = rows(folder)
    assert list(told) == [*range(1, len(game.entries) + 1)]
    kinds = {next(iter(entry)): told[at] for at, entry in enumerate(game.entries, 1)}       # the last of each kind
    assert kinds["note"] == "note: taken back"
    welcome, _ = first(game, "note")
    assert told[welcome] == "note: nothing to check"
    undone, number = first(game, "undo")
    assert told[undone] == f"undo: ok: taken back ({number}); undo {number}"
    assert kinds["ask"] == "question: ok: rules"
    assert kinds["ruling"] == "ruling: nothing to check"
    assert kinds["turn_end"].startswith("end of the Game Turn: ok: rules; link 2; link due 2; openings due; position (")
    assert kinds["openings"].startswith("openings: ok: opening main,2 ")
    thrown = next(rolls(game))
    assert told[thrown.entry] == f"order: ok: rules; die {thrown.name} ({thrown.values[0]})"
    dealt, deck = first(game, "deck")
    assert told[dealt] == f"adopted position: not open yet: deck {deck['name']} not open yet (59 cards); who drew what"


def test_what_is_stated_or_taken_back_is_not_called_right_by_its_dice(tmp_path: Path) -> None:
    """The first entry of a kept log says where the game begins; of that only the dice of the deal follow from anything."""
    kept = Path(__file__).parent.parent / "log/kept/draft.yaml.gz"
    (tmp_path / gamelog.GAME).write_bytes(gzip.decompress(kept.read_bytes()))
    told = rows(tmp_path)
    assert re.match(r"adopted position: nothing to check: but for die T1,R0,all,setup,deal,\d,1 \(\d\); die ", told[1])
    assert any(re.match(r"\w+: taken back: die T\S+ \(\d", one) for one in told.values())
    assert len(told) == len(gamelog.read_game(tmp_path).entries) and "failed" not in " ".join(told.values())


def test_the_rows_leave_nothing_out(folder: Path) -> None:
    """All that is checked without them stands in them, or beside them."""
    with_rows = list(verify(folder, entries=True))
    told = [*(one for one in with_rows if not one.what.startswith("entry ")),
            *(part for one in with_rows for part in one.facts.get("parts", ()))]
    assert {str(one) for one in verify(folder) if one.what not in ("ruling", "adopted")} <= {*map(str, told)}   # those are rows


def test_no_row_is_ok_that_was_not_looked_at(public: Path) -> None:
    """From the first order that does not fit the rules on nothing was played: dice are all that is known of it."""
    at = changed(public, "do: roll", "do: end segment")
    checks = [one for one in verify(public, entries=True) if one.what.startswith("entry ")]
    assert {one.state for one in checks[:at - 1]} <= {OK, NOTHING, CLOSED, TAKEN_BACK}
    assert rows(public)[at].startswith("order: failed: die ") and "; rules failed (the log and the rules" in rows(public)[at]
    assert "rules;" not in rows(public)[at]
    orders = [one for one in checks[at:] if one.what in ("entry by", "entry ask", "entry close", "entry turn_end")]
    assert orders and {one.state for one in orders} == {NOT_REACHED}
    assert exit_code(verify(public, entries=True)) == 1


def test_what_comes_after_a_wrong_hash_was_not_reached(folder: Path) -> None:
    game = gamelog.append(folder, [{"note": "a hash", "now": "7f3a91c2"}, {"note": "later"}])
    told = rows(folder)
    assert told[len(game.entries) - 1].startswith("note: failed: position failed (")
    assert told[len(game.entries)] == "note: not reached"


def test_what_is_not_open_yet_is_told_by_its_name(folder: Path) -> None:
    game = gamelog.append(folder, [{"blinds": {"1": "00" * 32}}])
    assert rows(folder)[len(game.entries)] == "blinds: not open yet: blind 1 not open yet"


def test_a_changed_entry_fails_in_its_row(folder: Path) -> None:
    at = changed(folder, "welcome to this game", "welcome to my game")
    assert rows(folder)[at].startswith("note: failed: changed by hand failed (line ")
    assert failed(list(verify(folder, entries=True))) == [(at, "entry note")]


def test_an_undo_of_nothing_leaves_no_row_ok(public: Path) -> None:
    at, _ = first(gamelog.read_game(public), "undo")
    changed(public, f"undo: {at - 1}", "undo: 900")
    checks = list(verify(public, entries=True))
    assert (0, "rules") in failed(checks)
    assert {one.state for one in checks if one.what in ("entry by", "entry close", "entry note")} == {NOT_REACHED}
    assert [one.state for one in checks if one.what == "entry undo"] == [FAILED]


def test_an_entry_that_does_nothing_is_told(tmp_path: Path) -> None:
    """Only a log of the first format can have one."""
    first = {key: value for key, value in HEADER.items() if key != "format"}
    gamelog.create(tmp_path, first, [{"position": {"turn": 2, "segment": {"player": "red", "kind": "activation"}}},
                                     {"interrupt": "17", "do": "roll"}])
    said = 'entry 2: entry interrupt: nothing to check: it does nothing; a new log would have "by" there'
    for entries in (False, True):
        checks = list(verify(tmp_path, entries=entries))
        assert [shown(one, plain_words()) for one in checks].count(said) == 1
        assert exit_code(checks) == 3                   # nothing was promised for its dice


@pytest.mark.parametrize("language", languages())
def test_every_kind_of_entry_has_a_word(language: str) -> None:
    words = sentences(language, "terms")["checked"]
    assert {f"entry {word}" for word, kind in KINDS.items() if kind.effect} <= words.keys()


# --- Changes ------------------------------------------------------------------


def test_any_changed_byte_is_found_where_it_is(folder: Path) -> None:
    """What changes nothing but the look of a line is no change."""
    path, chance = folder / "game.yaml", random.Random(5)
    data, before = path.read_bytes(), [*gamelog.read_game(folder).lines]
    changes = 0
    for _ in range(90):
        at = chance.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << chance.randrange(7)]) + data[at + 1:])
        entry, line = data.count(b"\n- ", 0, at), data.count(b"\n", 0, at) + 1
        checks = list(verify(folder))
        wrong = [check for check in checks if check.state == FAILED]
        if wrong and wrong[0].what == "file":
            assert abs(int(wrong[0].facts["error"].facts["line"]) - line) <= (1 if entry else 20)
        elif wrong:
            assert any(check.what == "changed by hand" and abs(check.entry - entry) <= 1 for check in wrong)
        else:
            assert gamelog.read_game(folder).lines == before
            continue
        changes += 1
    assert changes > 60


def test_a_change_by_hand_is_shown_with_both_texts(folder: Path) -> None:
    at = changed(folder, "welcome to this game", "welcome to my game")
    (check,) = [check for check in verify(folder) if check.state == FAILED]
    assert (check.entry, check.what) == (at, "changed by hand")
    for told in ("welcome to this game", "welcome to my game", f"line {gamelog.read_game(folder).entries[at - 1].line}"):
        assert told in wording(check)


def test_an_accepted_change_is_none(folder: Path) -> None:
    at = changed(folder, "welcome to this game", "welcome to my game")
    gamelog.append(folder, [{"amend": {"entry": at}, "reason": "better so"}])
    assert exit_code(verify(folder)) == 0


def test_chance_that_was_changed_is_found_by_all(public: Path) -> None:
    """Without the mirror too; and the second verifier points at the same lines."""
    game = gamelog.read_game(public)
    text = (public / "game.yaml").read_text()
    roll = next(rolls(game))
    _, deck = first(game, "deck")
    link_at, link = first(game, "open")
    shown_at, shown = first(game, "openings")
    position, _, salt, path = shown["cards"][0]
    cases = [
        (f'"{roll.name}", {roll.values[0]}', f'"{roll.name}", {roll.values[0] % 6 + 1}', (roll.entry, f"die {roll.name}")),
        (f'"{roll.name}"', f'"{roll.name}1"', (roll.entry, f"die {roll.name}1")),
        (f'"{roll.name}"', f'"9{roll.name[1:]}"', (roll.entry, "entry")),                     # no T before the Game Turn
        (link["link"], other_digit(link["link"]), (link_at, "link 2")),
        (salt, other_digit(salt), (shown_at, f"opening main,2 {position}")),
        (path[0], other_digit(path[0]), (shown_at, f"opening main,2 {position}")),
        (deck["root"], other_digit(deck["root"]), (shown_at, f"opening main,2 {position}")),
        ("first snow", "First snow", (0, "words")),
    ]
    for old, new, where in cases:
        (public / "game.yaml").write_text(text)
        changed(public, old, new)
        assert where in failed(list(verify(public))), old
        second = [(at, what) for at, what, right in verify_min.verify(json.loads(json_log(public))) if right is False]
        assert where in second, old


def test_both_verifiers_agree_on_every_check(public: Path, tmp_path: Path) -> None:
    game = gamelog.read_game(public)
    states = {True: OK, False: FAILED}
    told = {(at, what, states.get(right, right)) for at, what, right in verify_min.verify(json.loads(json_log(public)))}
    own = {(check.entry, check.what, check.state) for check in verify(public)}
    assert told <= own
    assert {what.split()[0] for _, what, _ in own - told} == {"changes", "position", "rules", "adopted", "ruling"}
    (tmp_path / "game.json").write_text(json_log(public))
    assert verify_min.main(str(tmp_path / "game.json"), game.heads()[-1]) == 0


def test_a_changed_order_is_found_by_the_rules(public: Path) -> None:
    game = gamelog.read_game(public)
    at = changed(public, "do: roll", "do: end segment")
    assert failed(list(verify(public))) == [(at, "rules")]
    assert "do: roll" in game.text


def test_a_written_position_has_to_come_out(public: Path) -> None:
    at, _ = first(gamelog.read_game(public), "turn_end")
    changed(public, "turn_end: 2, position: {turn: 3", "turn_end: 2, position: {turn: 4")
    assert failed(list(verify(public))) == [(at, "rules")]


def test_a_written_hash_has_to_come_out(folder: Path) -> None:
    gamelog.append(folder, [{"note": "a hash", "now": "7f3a91c2"}])
    assert failed(list(verify(folder))) == [(len(gamelog.read_game(folder).entries), "position")]


def test_a_line_that_breaks_the_rules_is_a_failed_check(public: Path) -> None:
    changed(public, "owner: red", "owner: nobody")
    assert (1, "rules") in failed(list(verify(public)))


def test_a_file_that_cannot_be_read_is_a_failed_check_with_its_line(public: Path) -> None:
    changed(public, "- {note: welcome to this game}", "- {note: welcome")
    (check,) = verify(public)
    assert (check.what, check.state) == ("file", FAILED)
    assert wording(check).startswith(f"{public / 'game.yaml'}, line ")
    assert exit_code(verify(public / "nothing.yaml")) == 1


def test_overrides_belong_to_the_game(public: Path) -> None:
    (public / "overrides.yaml").write_text("- {datum: generals.nobody.battle, value: 3}\n")
    assert "rules" in [what for _, what in failed(list(verify(public)))]


def test_a_card_in_two_places_is_found(folder: Path) -> None:
    _, shown = first(gamelog.read_game(folder), "openings")
    position, card, salt, path = shown["cards"][0]
    twice = {"deck": shown["deck"], "cards": [[position + 1, card, salt, path], [position, "99", salt, path]]}
    gamelog.append(folder, [{"openings": twice}])
    details = [wording(check) for check in verify(folder) if check.state == FAILED]
    assert f"{card} was shown in place {position} too" in details or any("in the same place" in one for one in details)
    assert "99 was not among the cards that were shuffled" in details


# --- Games with dice of their own ---------------------------------------------


def test_without_a_promise_every_die_is_thrown_by_hand(tmp_path: Path) -> None:
    name = "T2,R1,red,activation,movement,1"
    gamelog.create(tmp_path, HEADER, [{"note": "thrown", "dice": [[name, 5, {"by": "hand", "reason": "on the table"}]]}])
    dice = [check for check in verify(tmp_path) if check.what == f"die {name}"]
    assert [(check.state, wording(check)) for check in dice] == [(HAND, "on the table")]
    gamelog.append(tmp_path, [{"note": "thrown", "dice": [[name, 5]]}])
    assert (2, f"die {name}") in failed(list(verify(tmp_path)))


# --- Witnesses ----------------------------------------------------------------


def rewritten(public: Path) -> None:
    """Change history so that neither chance nor rules can tell."""
    changed(public, "welcome to this game", "welcome to my game")


@pytest.mark.parametrize("said", [
    "**Proof.** head `{}`, dice of Game Turn I opened.",
    "anabasis - Game Turn II - log 40 entries, head {}",
    "Head: {}…", "[b]head[/b] [i]{}[/i]", "> the head\n> {}", "my note: {} was the last one",
])
def test_a_rewritten_log_is_found_by_a_witness(public: Path, tmp_path: Path, said: str) -> None:
    head = gamelog.read_game(public).heads()[20]
    post = tmp_path / "post.txt"
    # Bare numbers are only taken for heads if they cannot be anything else.
    post.write_text(said.format(head[:32]))
    *_, check = verify(public, witness=[post])
    assert (check.entry, check.state) == (20, OK)
    assert "post.txt" in wording(check)
    post.write_text(said.format(head[:16]))         # as texts of before had it: understood, and a remark
    *_, check = verify(public, witness=[post])
    assert (check.entry, check.state) == (20, WORD)
    rewritten(public)
    assert exit_code(verify(public)) == 0
    wrong = failed(list(verify(public, witness=[post])))
    assert [what.split()[0] for _, what in wrong] == ["head"]


def test_what_is_missing_tells_how_far_the_log_is_the_old_one(public: Path, tmp_path: Path) -> None:
    heads = gamelog.read_game(public).heads()
    (tmp_path / "late.txt").write_text(f"head {heads[30]}")
    (tmp_path / "early.txt").write_text(f"head {heads[1]}, and before it head {heads[0]}")
    rewritten(public)
    start, early, late = list(verify(public, witness=[tmp_path / "late.txt", tmp_path / "early.txt"]))[-3:]
    assert (start.entry, start.state) == (0, OK)
    assert (early.entry, early.state) == (1, OK)
    assert (late.entry, late.state) == (1, FAILED)
    assert "late.txt" in wording(late)


def test_mails_are_read_as_they_were_written(public: Path, tmp_path: Path) -> None:
    head = gamelog.read_game(public).heads()[7]
    body = base64.encodebytes(f"Grüße\n\nhead {head}\n".encode()).decode()
    mail = tmp_path / "report.eml"
    mail.write_text("From: anna@example.org\nSubject: report\nMIME-Version: 1.0\n"
                    "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + body)
    *_, check = verify(public, witness=[mail])
    assert (check.entry, check.state) == (7, OK)


def test_numbers_that_mean_something_else_are_no_heads(public: Path, tmp_path: Path) -> None:
    game = gamelog.read_game(public)
    post = tmp_path / "start.txt"
    post.write_text(f"deck {game.header['chance']['deck']}, head {game.heads()[3]}, mail deadbeef01")
    assert exit_code(verify(public, witness=[post])) == 0
    post.write_text(f"a link {game.header['chance']['deck']}")
    assert failed(list(verify(public, witness=[post]))) == [(0, "witness start.txt")]


def test_the_start_post_is_a_witness_and_a_promise_made_anew_is_found(folder: Path, public: Path) -> None:
    post = folder / "start.txt"
    for language in languages():
        post.write_text(promise(seeding.post(folder), plain_words(language)))
        *_, check = verify(public, witness=[post])
        assert (check.state, wording(check)) == (OK, "the promise in it is that of this log: start.txt")
        post.write_text(post.read_text().replace(gamelog.read_game(public).header["chance"]["dice"], "5e" * 32))
        *_, check = verify(public, witness=[post])
        assert (check.state, wording(check)) == (FAILED, "it promises other numbers than this log: start.txt")


def test_a_summary_says_first_what_was_checked_and_what_cannot_be_yet(folder: Path) -> None:
    told = CliRunner().invoke(main, ["verify", str(folder)])
    assert told.exit_code == 0
    right, closed, word, verdict = told.output.splitlines()
    assert right.startswith("Checked, and right: ") and "who drew what (" in right and "rules (1)" in right
    assert "head" not in right
    assert closed.startswith("Not open yet: deck (2), die (3). ") and "when the game is over" in closed
    assert word.startswith("Rests on the moderator's word, or came late: ")
    assert "adopted position (1)" in word and "ruling (" in word
    assert verdict == "This log holds. Every check: --details."
    every = CliRunner().invoke(main, ["verify", str(folder), "--details"]).output.splitlines()
    assert len(every) == 4 + len(list(verify(folder))) and every[3] == "This log holds."


def test_what_rests_on_the_moderators_word_is_a_remark_with_its_own_exit_code(folder: Path) -> None:
    desk = Desk(folder)
    thrown = max(roll.entry for roll in rolls(desk.game))
    desk.undo(thrown, "a slip", override=True)
    told = CliRunner().invoke(main, ["verify", str(folder)])
    assert told.exit_code == 3
    assert "Rests on the moderator's word, or came late: undo (1), adopted position (1)" in told.output
    said = f": undo {thrown}: by the moderator's word: the moderator overrode Blue and Yellow"
    assert told.output.splitlines()[-1].endswith(said)
    changed(folder, "welcome to this game", "welcome to my game")
    assert CliRunner().invoke(main, ["verify", str(folder)]).exit_code == 1


def test_a_witness_that_says_nothing_is_no_proof(public: Path, tmp_path: Path) -> None:
    post = tmp_path / "post.txt"
    post.write_text("nothing of that kind on 20261120")
    assert failed(list(verify(public, witness=[post]))) == [(0, "witness post.txt")]
    assert failed(list(verify(public, witness=[tmp_path / "none"]))) == [(0, "witness none")]


def test_a_hand_that_says_nothing_is_no_proof(public: Path, tmp_path: Path) -> None:
    letter = tmp_path / "hand.txt"
    for text in ("no cards", "{openings: {deck: [], cards: [[1]]}}", '{openings: {deck: "main,9", cards: [[]]}}'):
        letter.write_text(text)
        assert exit_code(verify(public, hand=letter)) == 1
    assert exit_code(verify(public, hand=tmp_path / "none")) == 1


# --- One die by hand ----------------------------------------------------------


def test_one_die_is_explained(public: Path) -> None:
    roll = next(rolls(gamelog.read_game(public)))
    checks = list(verify(public, explain=f"dice, {roll.name.replace(',', ', ')}"))
    assert [check.what for check in checks] == [
        "chance", "words", "step 1", "step 2", "step 3", "step 4", "face 1", f"die {roll.name}"]
    assert wording(checks[-1]) == str(roll.values[0])
    assert exit_code(checks) == 0


def test_the_commands_of_an_explanation_give_what_it_says(public: Path) -> None:
    """Written for openssl; what openssl would do is done here."""
    roll = next(rolls(gamelog.read_game(public)))
    told = [wording(check) for check in verify(public, explain=roll.name) if check.what in ("step 3", "step 4")]
    assert len(told) == 2
    for detail in told:
        found = re.search(r"printf (\w+) \| xxd -r -p \| openssl .* hexkey:(\w+) gives (?:K = )?(\w+)$", detail)
        assert found
        message, key, result = map(bytes.fromhex, found.groups())
        assert hmac.digest(key, message, "sha256") == result


def test_an_explanation_ends_with_what_is_wrong(public: Path) -> None:
    roll = next(rolls(gamelog.read_game(public)))
    changed(public, f'"{roll.name}", {roll.values[0]}', f'"{roll.name}", {roll.values[0] % 6 + 1}')
    *_, check = verify(public, explain=roll.name)
    assert check.state == FAILED
    assert f"this gives {roll.values[0]}" in wording(check)


def test_what_cannot_be_derived_says_why(folder: Path) -> None:
    gamelog.append(folder, [
        {"note": "later", "dice": [["T3,R1,red,activation,movement,1", 5]]},
        {"note": "elsewhere", "dice": [["T2,R1,red,activation,movement,9", 5, {"by": "hand"}]]}])
    for name, state in (("T3,R1,red,activation,movement,1", CLOSED), ("T2,R1,red,activation,movement,9", HAND)):
        *_, check = verify(folder, explain=name)
        assert (check.what, check.state) == (f"die {name}", state)


def test_several_dice_and_other_dice_are_explained(folder: Path) -> None:
    """From one stream, face by face; what lies beyond the last whole run of faces is passed over."""
    from pbem.chance import scheme

    game = gamelog.read_game(folder)
    secrets = scheme.Secrets.from_plain("anabasis", SECRETS)
    mixed = bytes.fromhex(game.header["chance"]["entropy"])
    key = scheme.dice_key(secrets.link(3), "anabasis", mixed, 3)
    faces = scheme.dice(key, "anabasis", ("dice", "T3", "many"), 11, 3 * 2**30)
    gamelog.append(folder, [{"note": "many", "dice": [["T3,many", faces, {"sides": 3 * 2**30}]]},
                            {"open": {"epoch": 3, "link": secrets.link(3).hex()}}])
    checks = list(verify(folder, explain="T3,many"))
    assert [check.what for check in checks].count("step 5") == 1
    assert sum(check.what.startswith("face ") for check in checks) == 11
    assert any(check.what == "passed over" for check in checks)
    assert exit_code(checks) == 0


def test_a_draw_that_is_not_there_is_refused_with_the_nearest(public: Path) -> None:
    roll = next(rolls(gamelog.read_game(public)))
    with pytest.raises(Refused) as caught:
        list(verify(public, explain=roll.name + "1"))
    assert caught.value.key == "unknown_draw"
    assert roll.name in caught.value.facts["nearest"]
