"""docs/cheats.md: every cheat that can be shown is played here, and each checker has to see it where the table says.

The crook writes what a log would have, with the real keys, and knows no rules; what only the rules see is tested with them.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.base.language import sentences
from pbem.chance import scheme, verify_min
from pbem.chance.check import FAILED, OK, check_game
from pbem.chance.course import Course
from pbem.chance.draws import Keys, Live
from pbem.dev import page

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (\d+) \| (.+?) \| `(.+?)`: (.+?) \| (.+?) \|$", re.MULTILINE)
WORDS = {"blue": "42 elephants", "green": "λόγος", "red": "first snow in Pella"}
CARDS = [str(number) for number in range(1, 21)]
THEFT = "T1,R1,red,tyche,theft,blue,1"


class Crook:
    """A moderator with all secrets, whose log holds together but for what he is told to cheat with."""

    def __init__(self, words: dict[str, str] = WORDS) -> None:
        self.secrets = scheme.Secrets("crook", bytes(range(32)), bytes(range(32, 64)), 9)
        self.header: dict[str, Any] = {
            "game": "crook", "format": 3, "engine": "1", "rules": {"edition": "fourth"}, "seats": dict.fromkeys(WORDS, {}),
            "chance": {"scheme": 2, **self.secrets.commitments(), "links": 9, "words": words, "beacon": "none"}}
        self.keys = Keys("crook", self.secrets, {seat: words.get(seat, "") for seat in WORDS})
        self.log: list[dict[str, Any]] = []
        self.course = Course(self.header)
        self.order: list[str] = []
        self.next = 0
        self.hands: dict[str, list[int]] = {}
        self.table: list[int] = []
        self.shown: list[str] = []

    @property
    def whole(self) -> dict[str, Any]:
        return json.loads(json.dumps({**self.header, "log": self.log}))

    def write(self, **entry: Any) -> int:
        self.log.append(entry)
        self.course.take_in(entry)
        return len(self.log)

    def die(self, name: str, sides: int = 6) -> list[Any]:
        source = Live(self.keys, self.course)
        source.draw(tuple(name.split(",")), 1, sides)
        return source.made[0]

    def deal(self, turn: int, **more: Any) -> int:
        source = Live(self.keys, self.course)
        name = more.get("name") or source.deck_name(f"main,{turn}", tuple(CARDS))
        source.shuffle(name, tuple(CARDS))
        self.order = list(self.keys.shuffled(name, CARDS).cards)
        self.hands, self.table, self.next, self.shown = {"red": [0, 1, 2], "blue": [3, 4, 5]}, [6, 7], 8, []
        moves = [["deck", name], ["deal", "red", 3], ["deal", "blue", 3], ["lay", 2]]
        return self.write(by="red", do="end", deck=source.deck, cards=moves)

    def card(self, place: int) -> str:
        self.shown.append(self.order[place])
        return self.order[place]

    def play(self, seat: str, at: int = 0) -> int:
        return self.write(by=seat, do="play", cards=[["play", seat, self.card(self.hands[seat].pop(at))]])

    def draw(self, seat: str) -> int:
        self.hands[seat].append(self.next)
        self.next += 1
        return self.write(by=seat, do="draw", cards=[["draw", seat, 1]])

    def up(self) -> int:
        return self.write(by="moderator", do="turn up", cards=[["up", self.card(self.table.pop(0))]])

    def steal(self, place: int = 0) -> int:
        roll = self.die(THEFT, len(self.hands["blue"]))
        taken = place or roll[1]
        self.hands["red"].append(self.hands["blue"].pop(taken - 1))
        return self.write(by="red", do="steal", dice=[roll], cards=[["take", "red", "blue", taken]])

    def openings(self) -> None:
        deck = self.keys.shuffled(self.course.entries[-1]["deck"]["name"] if "deck" in self.log[-1] else self.deck, CARDS)
        cards = [deck.opening(place).plain() for place, card in enumerate(deck.cards) if card in self.shown]
        self.write(openings={"deck": self.deck, "cards": cards})

    @property
    def deck(self) -> str:
        return next(entry["deck"]["name"] for entry in reversed(self.log) if "deck" in entry)

    def link(self, epoch: int) -> dict[str, Any]:
        return {"epoch": epoch, "link": self.secrets.link(epoch).hex()}

    def end_turn(self, turn: int) -> None:
        opened = {"open": self.link(turn)} if turn > self.course.spent else {}
        self.write(turn_end=turn, position={"turn": turn + 1}, **opened)
        self.openings()

    def undo(self, entry: int, **more: Any) -> int:
        made = {"undo": entry, "reason": "a slip", "stain": self.course.stain(entry)}
        return self.write(**{**made, "consent": list(WORDS), **more})

    def finish(self, **more: Any) -> None:
        self.write(ruling="it ends", over={"by": "agreement"})
        last = self.link(max(self.course.used, self.course.spent + 1))
        self.write(open={**last, "deck_secret": self.secrets.deck.hex(), **more})


def story(crook: Crook) -> Crook:
    """A Game Turn in which all happens that can happen to cards, and the beginning of another."""
    crook.deal(1)
    crook.write(by="red", do="roll", dice=[crook.die("T1,R1,red,activation,movement,1")])
    crook.play("red")
    crook.steal()
    crook.draw("blue")
    crook.up()
    crook.play("blue", 1)
    crook.end_turn(1)
    crook.deal(2)
    crook.write(by="blue", do="roll", dice=[crook.die("T2,R1,blue,activation,movement,1")])
    return crook


def told(log: dict[str, Any]) -> list[tuple[int, str, str]]:
    return [(one.entry, one.what, one.state) for one in check_game(log)]


def small(log: dict[str, Any]) -> list[tuple[int, str, str]]:
    try:
        return [(at, what, {True: OK, False: FAILED}.get(right, str(right))) for at, what, right in verify_min.verify(log)]
    except verify_min.UNREADABLE:
        return []


def test_the_honest_story_holds_for_all_three() -> None:
    for ended in (False, True):
        crook = story(Crook())
        crook.undo(10)
        crook.write(by="blue", do="roll", dice=[crook.die("T2,R1,blue,activation,movement,1")])
        if ended:
            crook.finish()
        checks = told(crook.whole)
        assert {state for _, _, state in checks} <= {OK, "not open yet", "unchecked"}
        assert not ended or {state for _, _, state in checks} == {OK, "unchecked"}
        assert small(crook.whole) == checks
        assert page.checks(json.dumps(crook.whole)) == checks


def test_grinding_gains_nothing() -> None:
    """Four deals are one deal; a player's own die and the next turn's dice stay what they are, however often all is undone."""
    crook = Crook()
    deals = []
    for _ in range(4):
        at = crook.deal(1)
        deals.append(crook.log[-1]["deck"])
        crook.undo(at)
    crook.deal(1)
    assert [crook.log[-1]["deck"]] * 4 == deals
    own = "T1,R1,red,activation,movement,1"
    thrown = []
    for _ in range(4):
        thrown.append(crook.die(own))
        at = crook.write(by="red", do="roll", dice=[thrown[-1]])
        crook.undo(at)
    assert thrown == [thrown[0]] * 4
    crook.write(by="red", do="roll", dice=[thrown[0]])
    last = crook.write(by="blue", do="end segment")
    crook.end_turn(1)
    following = [crook.die(f"T2,R1,{seat},activation,movement,1") for seat in WORDS]
    for again in range(3):                                      # the last act before the link, anew
        crook.undo(last, words=dict.fromkeys(WORDS, f"rain {again}"))
        last = crook.write(by="blue", do="end segment")
        crook.end_turn(1)
        assert [crook.die(f"T2,R1,{seat},activation,movement,1") for seat in WORDS] == following
    crook.write(by="red", do="roll", dice=[following[0]])
    crook.finish()
    assert {state for _, _, state in told(crook.whole)} == {OK, "unchecked"}
    assert small(crook.whole) == told(crook.whole) == page.checks(json.dumps(crook.whole))


def test_only_new_words_make_other_dice_of_a_turn_that_is_played_again() -> None:
    def thrown(word: str) -> list[Any]:
        crook = Crook()
        crook.deal(1)
        crook.end_turn(1)
        crook.undo(1, words={"blue": word, "green": "late snow"})
        return [crook.die(f"T1,R1,red,activation,movement,{number}")[1] for number in range(8)]

    assert thrown("late rain") == thrown("late rain") != thrown("early rain")


# --- the cheats --------------------------------------------------------------------------------------------------


def entry_with(crook: Crook, key: str, number: int = 0) -> dict[str, Any]:
    return [entry for entry in crook.log if key in entry][number]


def deals_from_elsewhere() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.hands["red"][0] = 15
    crook.play("red")
    crook.end_turn(1)
    return crook


def deals_a_card_twice() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.play("red")
    crook.hands["blue"][0] = 0
    crook.play("blue")
    crook.end_turn(1)
    return crook


def hides_a_draw() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.draw("red")
    crook.log.pop()
    crook.play("red", 3)
    crook.end_turn(1)
    return crook


def keeps_the_deck_closed() -> Crook:
    crook = story(Crook())
    crook.write(ruling="it ends", over={"by": "agreement"})
    return crook


def opens_the_end_without_its_dice() -> Crook:
    crook = story(Crook())
    crook.write(ruling="it ends", over={"by": "agreement"})
    crook.write(open={"deck_secret": crook.secrets.deck.hex()})
    return crook


def withholds_a_link() -> Crook:
    crook = story(Crook())
    del entry_with(crook, "turn_end")["open"]
    return crook


def is_late_with_a_link() -> Crook:
    crook = withholds_a_link()
    crook.write(open=crook.link(1))
    return crook


def withholds_an_opening() -> Crook:
    crook = story(Crook())
    entry_with(crook, "openings")["openings"]["cards"].pop()
    return crook


def deals_anew() -> Crook:
    crook = Crook()
    crook.undo(crook.deal(1))
    crook.deal(1, name="main,1,2")
    return crook


def undoes_unasked() -> Crook:
    crook = story(Crook())
    crook.undo(10, consent=[])
    return crook


def lets_a_player_take_back_his_die() -> Crook:
    crook = story(Crook())
    crook.undo(10, consent=["blue"])
    return crook


def hushes_up_what_became_known() -> Crook:
    crook = story(Crook())
    crook.undo(10, stain=[], consent=[])
    return crook


def overrides() -> Crook:
    crook = story(Crook())
    crook.undo(10, consent=[], override="yes")
    return crook


def goes_back_without_new_words() -> Crook:
    crook = story(Crook())
    crook.undo(3)
    return crook


def foresees_the_dice_of_a_turn_played_again() -> Crook:
    crook = story(Crook())
    crook.undo(2, words={"blue": "late rain", "green": "late snow"})
    key = crook.keys.dice(2)                                    # with the old words
    crook.write(by="red", do="roll", dice=[["T1,R1,red,activation,movement,1", scheme.dice(
        key, "crook", ("dice", "T1", "R1", "red", "activation", "movement", "1"), 1)[0] % 6 + 1]])
    crook.write(turn_end=1, position={"turn": 2})
    crook.write(turn_end=2, position={"turn": 3}, open=crook.link(2))
    return crook


def takes_back_what_is_gone() -> Crook:
    crook = story(Crook())
    crook.undo(10)
    crook.write(undo=10, reason="again", consent=["green", "red"])
    return crook


def opens_a_link_to_move_the_dice() -> Crook:
    crook = story(Crook())
    crook.write(open=crook.link(2))
    return crook


def changes_a_die() -> Crook:
    crook = story(Crook())
    roll = crook.log[1]["dice"][0]
    roll[1] = roll[1] % 6 + 1
    return crook


def rolls_on_a_table_that_nobody_sees() -> Crook:
    crook = story(Crook())
    crook.write(by="red", do="roll", dice=[["T2,R1,red,activation,movement,1", 6, {"by": "hand", "reason": "at home"}]])
    return crook


def claims_another_hand() -> Crook:
    crook = story(Crook())
    crook.log[1]["dice"][0].append({"by": "somebody"})
    return crook


def swaps_the_deck() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.write(note="again", deck={**crook.log[0]["deck"], "root": "5e" * 32})
    return crook


def stacks_the_deck() -> Crook:
    crook = Crook()
    crook.deal(1)
    deck = scheme.Deck(crook.keys.deck, "crook", ("main", "1"), CARDS)
    crook.log[0]["deck"]["root"] = deck.root.hex()
    crook.finish()
    return crook


def slips_a_card_into_the_deck() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.log[0]["deck"]["cards"][0] = "99"
    crook.finish()
    return crook


def opens_another_card() -> Crook:
    crook = story(Crook())
    entry_with(crook, "openings")["openings"]["cards"][0][1] = "99"
    return crook


def opens_another_place() -> Crook:
    crook = story(Crook())
    entry_with(crook, "openings")["openings"]["cards"][0][0] += 1
    return crook


def opens_a_hand() -> Crook:
    crook = story(Crook())
    crook.shown = [crook.order[3]]
    crook.openings()
    return crook


def steals_a_better_card() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.steal(crook.die(THEFT, 3)[1] % 3 + 1)
    return crook


def steals_without_a_die() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.steal()
    del crook.log[-1]["dice"]
    return crook


def steals_from_nowhere() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.write(by="red", do="steal", cards=[["take", "red", "blue", 4]])
    return crook


def turns_up_another_card() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.table.reverse()
    crook.up()
    crook.end_turn(1)
    return crook


def turns_up_what_was_never_laid() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.up()
    crook.up()
    crook.write(by="moderator", do="turn up", cards=[["up", crook.order[9]]])
    return crook


def draws_from_an_empty_deck() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.write(by="red", do="draw", cards=[["draw", "red", 13]])
    return crook


def speaks_of_another_deck() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.log[0]["cards"][0] = ["deck", "main,2"]
    return crook


def opens_another_deck_secret() -> Crook:
    crook = story(Crook())
    crook.finish(deck_secret="5e" * 32)
    return crook


def opens_another_link() -> Crook:
    crook = story(Crook())
    entry_with(crook, "turn_end")["open"]["link"] = "5e" * 32
    return crook


def opens_a_link_beyond_the_chain() -> Crook:
    crook = story(Crook())
    crook.write(open={"epoch": 10, "link": "5e" * 32})
    return crook


def changes_a_word() -> Crook:
    crook = story(Crook())
    crook.header["chance"] |= {"words": {**WORDS, "red": "first snow in Pydna"}, "entropy": crook.course.mixed.hex()}
    return crook


def leaves_words_out() -> Crook:
    return story(Crook({"red": "first snow in Pella"}))


def gives_a_word_to_nobody() -> Crook:
    return story(Crook({**WORDS, "black": "here"}))


def begins_by_old_rules() -> Crook:
    crook = story(Crook())
    crook.header["chance"]["scheme"] = 1
    return crook


def shuffles_what_everybody_foresees() -> Crook:
    crook = story(Crook())
    crook.finish()
    crook.deal(3)
    return crook


def adopted(order: list[str], opened: list[str]) -> Crook:
    """Hands that were stated at the beginning: red's is what was promised, `opened` what is said of it at the end."""
    crook = Crook()
    promised = scheme.Deck(crook.keys.deck, "crook", ("adopted", "2"), order)
    crook.write(position={"turn": 2, "hands": {"red": 2}}, cards=[["deck", "adopted,2"], ["deal", "red", 2]],
                deck={"name": "adopted,2", "cards": sorted(order), "root": promised.root.hex(), "stated": "yes"})
    crook.write(by="red", do="play", cards=[["play", "red", "3"]])
    crook.finish(orders={"adopted,2": opened})
    return crook


def exchanges_adopted_cards() -> Crook:
    return adopted(["1", "2", "3", "4"], ["3", "2", "1", "4"])


def plays_what_was_not_adopted() -> Crook:
    return adopted(["1", "2", "3", "4"], ["1", "2", "3", "4"])


def holds_what_nobody_promised() -> Crook:
    crook = Crook()
    crook.write(position={"turn": 2, "hands": {"red": 2}})
    crook.write(by="red", do="play", cards=[["play", "red", "3"]])
    return crook


def takes_back_a_rivals_die() -> Crook:
    crook = story(Crook())
    crook.undo(11, consent=["green", "red"])                            # blue rolled it, and has not asked for anything
    return crook


def gives_up_a_seat_to_be_rid_of_it() -> Crook:
    crook = story(Crook())
    crook.write(seat="green", neutral="yes")
    crook.undo(11, consent=["blue", "red"])
    crook.write(seat="green", name="Gina")
    return crook


def states_a_deck_that_was_due() -> Crook:
    crook = story(Crook())
    order = [str(number) for number in range(1, 21)]
    promised = scheme.Deck(crook.keys.deck, "crook", ("main", "3"), order)
    crook.end_turn(2)
    crook.write(by="red", do="end", cards=[["deck", "main,3"], ["deal", "red", 3]],
                deck={"name": "main,3", "cards": sorted(order), "root": promised.root.hex(), "stated": "yes"})
    crook.finish(orders={"main,3": order})
    return crook


def adopts_in_the_middle() -> Crook:
    crook = adopted(["3", "2", "1", "4"], ["3", "2", "1", "4"])
    crook.log.pop()
    promised = scheme.Deck(crook.keys.deck, "crook", ("adopted", "3"), ["1", "2", "3", "4"])
    crook.write(position={"turn": 3, "hands": {"red": 2}}, cards=[["deck", "adopted,3"], ["deal", "red", 2]],
                deck={"name": "adopted,3", "cards": ["1", "2", "3", "4"], "root": promised.root.hex(), "stated": "yes"})
    return crook


def opens_the_decks_while_it_is_played() -> Crook:
    crook = story(Crook())
    crook.write(open={**crook.link(9), "deck_secret": crook.secrets.deck.hex()})
    return crook


def rules_a_hand() -> Crook:
    crook = Crook()
    crook.deal(1)
    crook.write(ruling="red shall have other cards", facts={"hands": {"red": 3}})
    crook.play("red")
    crook.finish()
    return crook


CHEATS: dict[int, Callable[[], Crook]] = dict(enumerate((
    deals_from_elsewhere, deals_a_card_twice, hides_a_draw, keeps_the_deck_closed, opens_the_end_without_its_dice,
    withholds_a_link,
    is_late_with_a_link, withholds_an_opening, deals_anew, undoes_unasked, lets_a_player_take_back_his_die,
    hushes_up_what_became_known, overrides, goes_back_without_new_words, foresees_the_dice_of_a_turn_played_again,
    takes_back_what_is_gone, opens_a_link_to_move_the_dice, changes_a_die, rolls_on_a_table_that_nobody_sees,
    claims_another_hand,
    swaps_the_deck, stacks_the_deck, slips_a_card_into_the_deck, opens_another_card, opens_another_place, opens_a_hand,
    steals_a_better_card, steals_without_a_die, steals_from_nowhere, turns_up_another_card, turns_up_what_was_never_laid,
    draws_from_an_empty_deck, speaks_of_another_deck, opens_another_deck_secret, opens_another_link,
    opens_a_link_beyond_the_chain,
    changes_a_word, leaves_words_out, gives_a_word_to_nobody, begins_by_old_rules, shuffles_what_everybody_foresees,
    exchanges_adopted_cards, plays_what_was_not_adopted, holds_what_nobody_promised, rules_a_hand,
    takes_back_a_rivals_die, gives_up_a_seat_to_be_rid_of_it, states_a_deck_that_was_due, adopts_in_the_middle,
    opens_the_decks_while_it_is_played), 1))
TABLE = (ROOT / "docs/cheats.md").read_text("utf-8")
ROWS = {int(number): (check, sentence) for number, _, check, sentence, _ in ROW.findall(TABLE)}


def test_the_table_has_a_row_for_each_cheat() -> None:
    assert list(ROWS) == list(CHEATS)


def test_each_other_cheat_names_a_test_that_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)`: `(test_\w+)`", TABLE)
    assert len(named) > 15
    for file, test in named:
        assert f"\ndef {test}(" in (ROOT / file).read_text("utf-8"), (file, test)
    kept = TABLE.partition("## Seen by what players kept")[2].partition("## Not to be shown")[0]
    assert [row for row in kept.splitlines() if row.startswith("| ") and "test" not in row] == []
    told = sentences("en", "checks").keys() | page.words()["en"]["why_"].keys()
    assert set(re.findall(r"`((?:receipt|block)_\w+)`", TABLE)) <= told


@pytest.mark.parametrize("number", CHEATS)
def test_a_cheat_is_seen_by_all_three_where_the_table_says(number: int) -> None:
    what, sentence = ROWS[number]
    log = CHEATS[number]().whole
    wanted, _, state = what.rpartition(" ")
    found = [one for one in check_game(log) if one.what == wanted and one.state == state.replace("-", " ")]
    assert found, [str(one) for one in check_game(log) if one.state != OK]
    assert any(sentences("en", "checks").get(one.detail, "") and one.detail == sentence.strip("`") for one in found), [
        one.detail for one in found]
    places = {(one.entry, one.what, one.state) for one in found}
    assert places & set(small(log)) or small(log) == [] and state == FAILED
    assert places & set(page.checks(json.dumps(log)))
