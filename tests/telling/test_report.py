"""Reports: what they say, who may read it, that they fit, and that nothing a player typed becomes markup."""

import html
import json
import re
import subprocess
import sys
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest
import small_position
from forum import open_tags
from hypothesis import example, given, settings
from hypothesis import strategies as st
from small_position import FACTS, Dice, stated, table
from texts import flat

from pbem.base.errors import PbemError
from pbem.base.language import WIDTH, clean
from pbem.base.paths import languages
from pbem.dev.choices import some_answer, wild_order
from pbem.dev.positions import random_position, seats_of
from pbem.kernel.procedures import Table
from pbem.orders import Order
from pbem.orders.names import Names
from pbem.rules import sequence
from pbem.table import position
from pbem.table.events import ALL, Event
from pbem.table.state import Game
from pbem.telling.formats import FORMATS, bgg, block, markdown
from pbem.telling.offers import lettered
from pbem.telling.putting import put
from pbem.telling.report import armies as armies_told
from pbem.telling.report import course, hours, report, status, title, waiting
from pbem.telling.story import going_on, joined
from pbem.telling.views import armies, view
from pbem.telling.words import Words

ROOT = Path(__file__).resolve().parents[2]
SEATS = small_position.SEATS[:4]
NAMES = Names(FACTS, {seat: {} for seat in SEATS})


class Hands:
    """A hidden side in which everybody holds what he is given."""

    def __init__(self, **hands: list[str]) -> None:
        self.hands = hands
        self.deck = [card for card in FACTS.cards if not any(card in hand for hand in hands.values())]

    def holds(self, seat: str, card: str) -> bool:
        return card in self.hands.get(seat, ())

    def hand(self, seat: str) -> tuple[str, ...]:
        return tuple(self.hands.get(seat, ()))

    def draw(self, seat: str) -> str:
        self.hands.setdefault(seat, []).append(self.deck[0])
        return self.deck.pop(0)

    def play(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)

    def take(self, thief: str, victim: str, place: int) -> str:
        card = self.hands[victim].pop(place)
        self.hands[thief].append(card)
        return card


def game(*dice: int, secret: Any = None, **more: Any) -> tuple[Game, Table]:
    """Red's Kassandros at Larisa, Blue's Lysimachos at Pella, both Champions; Yellow near, but across the mountains."""
    g = stated({
        "turn": 2, "round": 3, "segment": {"player": "red", "kind": "activation"},
        "spaces": {"larisa": "red", "amphipolis": "blue"},
        "forces": [
            {"owner": "red", "at": "larisa", "generals": ["kassandros"], "cus": {"loyal": 2, "mercenary": 3}},
            {"owner": "blue", "at": "pella", "generals": ["lysimachos"], "cus": {"loyal": 3, "mercenary": 1}},
        ],
        "family": {"alexandros": {"at": "larisa", "owner": "red"}}, "hands": {"red": 2, "blue": 2, "yellow": 1}, **more,
    }, dice=Dice(dice, seed=0), secret=secret)
    return g, table(g)


def words(**more: Any) -> Words:
    return Words("en", NAMES, FACTS, **more)


def give(table: Table, seat: str, order: Order) -> None:
    assert table.question is not None
    table.answer({seat: table.question.read(seat, order)})


def marched(*dice: int, **more: Any) -> tuple[Game, Table]:
    """Kassandros has set out to Lamia, and Lysimachos at Larisa's other side is asked."""
    g, table = game(*dice, forces=[
        {"owner": "red", "at": "larisa", "generals": ["kassandros"], "cus": {"loyal": 2, "mercenary": 3}},
        {"owner": "blue", "at": "boiotia", "generals": ["lysimachos"], "cus": {"loyal": 3, "mercenary": 1}},
    ], **more)
    give(table, "red", Order("roll"))
    give(table, "red", Order("march", general="kassandros", path=("lamia",)))
    return g, table


def intercepted(*dice: int) -> tuple[Game, Table]:
    g, table = marched(*dice)
    assert table.question is not None
    table.answer({"blue": dict(lettered(table.question, "blue"))["b"]})
    return g, table


# --- Questions ----------------------------------------------------------------


def asked(g: Game, table: Table, seat: str, **more: Any) -> str:
    assert table.question is not None
    return put(words(**more), table.question, seat, view(g, seat, table.question, due="2026-11-20T08:00Z"))


def test_a_question_tells_what_happens_what_is_needed_and_until_when() -> None:
    g, table = marched(4)
    assert asked(g, table, "blue", zone="Europe/Berlin") == """\
Red marches Kassandros (5 CUs: 2 loyal, 3 mercenary) from Larisa into Lamia,
which is uncontrolled. Do you intercept? If you arrive, you defend; Red may
then back off.

You may answer:
  a  pass                                       (also if you are silent)
  b  intercept Lysimachos from Boiotia with 3 loyal, 1 mercenary
     needs 4+: 50%
  c  intercept Alketas from Boiotia with 3 loyal, 1 mercenary placing
     Alketas to lead
     needs 5+: 33%

With part of them: the letter and the CUs, e.g. "b 1 loyal".
A standing order for next time: e.g. "standing: intercept Red into Lamia
with Lysimachos, all, once".
To answer so from now on: "a always", "a always against Red", "a always
unless I win 60%", "a always until the turn ends".
Lysimachos with everything, if he arrives and nobody backs off: you win 37%,
draw 25%; your commander falls 4%.
If you are silent this counts: pass
Answer by Fri 20 Nov, 09:00 (Berlin).
"""


def test_a_price_stands_below_the_answer_that_costs_it() -> None:
    g, table = intercepted(4, 5)
    text = asked(g, table, "red")
    assert "  a  withdraw" in text and "  b  stay" in text
    assert text.index("-3 L") > text.index("  b  stay")


def test_others_who_are_asked_are_named_and_nobody_who_has_answered() -> None:
    g, table = marched(4)
    position.state(g, {"forces": [{"owner": "yellow", "at": "boiotia", "generals": ["krateros"], "cus": {"loyal": 1}}]})
    table.remake()
    text = asked(g, table, "blue")
    assert "Yellow is asked the same. Answers stay sealed until all are in." in text
    assert 'e.g. "b if Yellow passes"' in text


def test_who_is_near_and_not_asked_hears_why() -> None:
    g, table = marched(4)
    position.state(g, {"spaces": {"lamia": "black"}, "forces": [
        {"owner": "blue", "at": "lamia", "loc": "outside", "generals": [], "cus": {}},
        {"owner": "yellow", "at": "boiotia", "generals": ["krateros"], "cus": {"loyal": 1}}]})
    seen = view(g, None, table.question)
    assert seen["question"]["not_asked"][-1]["rule"] == "11.1A"


def test_the_same_question_has_the_same_letters() -> None:
    g, table = marched(4)
    assert table.question is not None
    first = lettered(table.question, "blue")
    table.remake()
    assert lettered(table.question, "blue") == first
    assert [letter for letter, _ in first] == ["a", "b", "c"]


def test_letters_differ_in_more_than_the_number_of_cus() -> None:
    g, table = marched(4)
    assert table.question is not None
    generals = [answer[0].general for _, answer in lettered(table.question, "blue") if answer[0].verb == "intercept"]
    assert len(generals) == len(set(generals))


def test_in_one_s_own_turn_the_orders_are_listed_by_kind() -> None:
    g, table = game()
    give(table, "red", Order("roll"))
    text = asked(g, table, "red")
    assert re.search(r"^  march Kassandros > .* or Lamia", text, re.MULTILINE)
    assert "  end segment\n" in text


@pytest.mark.parametrize("seed", range(8))
def test_no_line_of_a_question_is_too_wide(seed: int) -> None:
    rng = Random(seed)
    g, table = game()
    for _ in range(12):
        question = table.question
        if question is None or question.sides == ("moderator",):
            return
        for side in question.sides:
            assert max(map(len, asked(g, table, side).splitlines())) <= WIDTH
        table.answer({side: question.sample(side, rng) for side in question.sides})


# --- What happened ------------------------------------------------------------


def told(g: Game, table: Table, fmt: str = "text", reader: str | None = None, *, whole: bool = False, **more: Any) -> str:
    seen = view(g, reader, table.question, due="2026-11-20T08:00Z", title="anabasis", head="7f3a91c2" * 8, entries=214, **more)
    return report(seen, g.events, (), words(people={"blue": "Bruno"}), fmt, whole=whole)


def test_a_report_says_who_is_awaited_for_what_until_when() -> None:
    g, table = marched(4)
    assert "Waiting for Bruno (Blue) (interception at Lamia) until Fri 20 Nov, 08:00 UTC." in flat(told(g, table))


def test_an_interception_is_one_sentence() -> None:
    g, table = intercepted(4, 5)
    assert ("At Lamia, Lysimachos (Blue) came over from Boiotia with 4 CUs (3 loyal, 1 mercenary) - he needed a 4 and "
            "rolled 5 - and defends there.") in flat(told(g, table))


def test_where_nobody_near_may_intercept_the_report_says_why() -> None:
    g, table = marched(4, spaces={"larisa": "red", "lamia": "red"})
    assert table.question is not None and table.question.kind == "activation"
    assert "Blue could not intercept at Lamia: somebody else controls the space (11.1 A)." in flat(told(g, table))


def test_what_is_said_of_the_steps_of_a_march_does_not_break_it_up() -> None:
    g, table = game()
    troop = {"seat": "red", "general": "kassandros", "generals": [], "cus": {"loyal": 2}, "royals": []}
    for origin, target in (("pella", "larisa"), ("larisa", "lamia")):
        g.tell(ALL, "marched", **troop, origin=origin, target=target, cost=1, left=3)
        g.tell(ALL, "interception_barred", seats=["blue"], space=target, why="target_not_open", rule="11.1A")
    assert ("Kassandros marched from Pella via Larisa to Lamia with 2 loyal CUs: 2 MPs, 3 left. "
            "Blue could not intercept at Larisa and Lamia:") in flat(told(g, table))


def test_a_failed_interception_is_one_sentence_too() -> None:
    g, table = intercepted(4, 2)
    text = flat(told(g, table))
    assert ("tried to come over from Boiotia to Lamia with 4 CUs (3 loyal, 1 mercenary), needed a 4 and rolled 2: he stays"
            " where he was.") in text
    assert "declared" not in text


def test_what_is_the_same_for_several_is_one_sentence() -> None:
    g, table = game()
    for seat in ("red", "blue", "yellow"):
        g.tell(ALL, "dealt", seat=seat, count=4)
    for province in ("hellas", "thrake"):
        g.tell(ALL, "province_changed", province=province, old="", new="red")
    for space in ("larisa", "trikka"):
        g.tell(ALL, "pc_placed", seat="red", space=space)
    text = flat(told(g, table))
    assert "Red, Blue and Yellow were dealt 4 cards each. Hellas and Thrake came under the control of Red." in text
    assert "Red placed PCs at Larisa and Trikka." in text


def test_a_pc_that_takes_the_place_of_another_is_told_once_and_so_are_cards_that_go_together() -> None:
    g, table = game()
    g.tell(ALL, "pc_removed", seat="red", owner="blue", space="larisa")
    g.tell(ALL, "pc_placed", seat="red", space="larisa")
    g.tell(ALL, "pc_removed", seat="red", owner="blue", space="pella")
    g.tell(ALL, "pc_placed", seat="red", space="trikka")
    for card in ("48", "50", "54"):
        g.tell(ALL, "card_discarded", seat="red", card=card)
        g.tell(ALL, "card_drawn", seat="red")
    text = flat(told(g, table))
    assert "At Larisa, Red's PC replaced Blue's. Red removed Blue's PC from Pella" in text
    assert text.count("discarded") == text.count("drew") == 1 and "drew a new card for each" in text


def test_a_story_that_begins_in_the_middle_has_its_headings() -> None:
    """Who has read the beginning of a segment reads below what its rest belongs."""
    began = [Event("player_turn_began", {"seat": "red", "round": 2}, ALL), Event("segment_began", {
        "seat": "red", "segment": "activation"}, ALL)]
    placed, next_one = Event("pc_placed", {"seat": "red", "space": "larisa"}, ALL), Event(
        "segment_began", {"seat": "red", "segment": "forage"}, ALL)
    assert going_on(began, [placed]) == began
    assert going_on(began, [next_one]) == began[:1]
    assert going_on([*began, Event("turn_began", {"turn": 3}, ALL)], [placed])[0].key == "turn_began"
    assert going_on(began, began) == going_on(began, []) == []


def test_no_heading_stands_over_nothing() -> None:
    """Whose turn has just begun stands at the top; below his heading the reader's hand would seem to be his."""
    g, table = game()
    g.tell(ALL, "player_turn_began", seat="red", round=2)
    g.tell(ALL, "pc_placed", seat="red", space="larisa")
    g.tell(ALL, "player_turn_began", seat="blue", round=2)
    text = told(g, table, "md")
    assert "Red, round 2" in text and "Blue, round 2" not in text


def test_a_phase_begins_a_paragraph() -> None:
    g, table = game()
    g.tell(ALL, "phase_began", phase="isolation", turn=2)
    g.tell(ALL, "isolated", seat="red", space="larisa", cus=[], pcs=[])
    assert "\n\n**Isolation Phase.** Red's PC at Larisa was isolated" in told(g, table, "md")


def test_steps_of_one_march_are_one_march() -> None:
    g, table = game(4)
    give(table, "red", Order("roll"))
    for target in ("trikka", "larisa"):
        give(table, "red", Order("march", general="kassandros", path=(target,)))
        while table.question is not None and table.question.kind == "interception":
            table.answer(dict.fromkeys(table.question.sides, table.question.default))
    assert "Kassandros marched from Larisa via Trikka to Larisa with" in flat(told(g, table))


def test_everything_told_is_in_the_sequence_of_play() -> None:
    g, table = intercepted(4, 5)
    give(table, "red", Order("stay"))
    text = told(g, table)
    places = [text.index(part) for part in ("rolled a 4 for movement", "marched", "came over", "chose to stand")]
    assert places == sorted(places)


def test_many_dice_of_one_kind_are_a_table() -> None:
    g, table = game()
    for at in ("larisa", "pella", "lamia"):
        g.tell(ALL, "attrition_rolled", seat="red", at=at, column="3", die=6, name="x", modifier=0, result="2", group=3,
               least=0)
        g.tell(ALL, "eliminated", seat="red", at=at, cus={"elephant": 1}, why="attrition")
        g.tell(ALL, "eliminated", seat="red", at=at, cus={"mercenary": 1}, why="attrition")
    rows = [line for line in told(g, table, "md").splitlines() if line.startswith("| Red,")]
    assert rows[0] == "| Red, Larisa | 3 | 3 | 6 | 1 elephant and 1 mercenary |" and len(rows) == 3


def test_standings_show_the_parts_of_every_sum() -> None:
    g, table = game()
    whole, short = (flat(told(g, table, whole=which)) for which in (True, False))
    for part in ("Red: 8 L = Champion 3, Alexandros 5; 0 VP.", "Pieces and cards", "PCs of Red: Thessalia (Larisa)."):
        assert part in whole and part not in short


def test_whoever_is_near_to_winning_is_named() -> None:
    g, table = game(adjust={"blue": {"L": 13}})
    assert "Blue is 2 L from an instant victory." in flat(told(g, table))
    for adjusted, left in ((11, []), (12, [("blue", "L", 3)]), (14, [("blue", "L", 1)]), (15, [])):
        found = view(game(adjust={"blue": {"L": adjusted}})[0], None)["near"]
        assert [tuple(one.values()) for one in found] == left
    position.state(g, {"turn": 1})
    assert "instant victory" not in told(g, table)


def test_a_game_that_is_over_waits_for_nobody() -> None:
    g, table = game()
    g.over = {"winner": "blue", "by": "regency"}
    assert "The game is over: Blue has won (as Regent of the Heir)." in flat(told(g, table))


def test_an_undo_that_no_story_tells_stands_among_the_rulings() -> None:
    g, table = game()
    mark = Event("undone", ALL, {"entry": 200, "last": 211, "at": "2026-11-18T12:00Z", "reason": "wrong General",
                                 "stain": ["die T2,R3,red,x,1"], "consent": ["blue"], "override": "", "words": {},
                                 "number": 212})
    text = flat(told(g, table, marks=[mark]))
    assert "Rulings and corrections" in text and "212: Entries 200 to 211 were taken back" in text and "Agreed: Blue" in text


@pytest.mark.parametrize(("since", "told_again"), [(212, True), (213, False)])
def test_what_was_taken_back_before_a_report_is_a_number_there(since: int, told_again: bool) -> None:
    g, table = game()
    mark = Event("undone", ALL, {"entry": 200, "last": 211, "at": "2026-11-18T12:00Z", "reason": "wrong General", "stain": [],
                                 "consent": [], "override": "", "words": {}, "number": 212})
    def said(events: tuple[Event, ...] = (), *, whole: bool = False) -> str:
        return flat(report(view(g, None, table.question, marks=[mark]), events, (), words(), "text", since=since, whole=whole))

    assert ("212: Entries 200 to 211 were taken back" in said()) == told_again
    assert ("before this report: entry 212 of the log" in said()) == ("before this report" in said()) == (not told_again)
    assert "212: Entries 200 to 211 were taken back" in said(whole=True) and "before this report" not in said(whole=True)
    if told_again:                                                      # once: in the story, if that tells it
        assert "212: Entries" not in said((mark,)) and "Entries 200 to 211 were taken back" in said((mark,))
        assert "212: Entries" in said((mark,), whole=True)


def test_the_proof_line_has_the_head_of_the_log() -> None:
    g, table = game()
    assert "head 7f3a91c27f3a91c27f3a91c27f3a91c2." in flat(told(g, table))
    assert "head `7f3a91c27f3a91c27f3a91c27f3a91c2`." in told(g, table, "md")


@pytest.mark.parametrize("seed", range(10))
def test_plain_text_fits_a_mail(seed: int) -> None:
    rng = Random(seed)
    g, table = game()
    for _ in range(15):
        question = table.question
        if question is None or question.sides == ("moderator",):
            break
        table.answer({side: question.sample(side, rng) for side in question.sides})
    text = told(g, table)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert not re.search(r"[ \t]$|\n\n\n", text, re.MULTILINE)


# --- Who may read it ----------------------------------------------------------


def test_a_card_drawn_is_known_to_its_owner_alone() -> None:
    g, table = game(secret=Hands(blue=["57"], red=["51"]))
    g.tell(("blue",), "card_seen", seat="blue", card="58")
    assert "Ahriman" in told(g, table, reader="blue")
    for reader in (None, "red", "moderator"):
        assert "Ahriman" not in told(g, table, reader=reader)


def test_a_seat_reads_its_own_hand_and_nobody_else_does() -> None:
    g, table = game()
    seen = view(g, "red", table.question, hand=("57",))
    assert "Oratory" in report(seen, (), (), words(), "text")
    assert "hand" not in view(g, None, table.question, hand=("57",))
    assert "hand" not in view(g, "moderator", table.question, hand=("57",))


def test_where_nothing_is_asked_nobody_is_and_outside_of_the_strategy_phase_it_is_nobody_s_turn() -> None:
    g, _ = game()
    seen = view(g, "red")
    assert (seen["question"], seen["odds"], seen["player"], seen["segment"]) == (None, [], "red", "activation")
    assert view(g, "moderator")["question"] is None and seen["active"] is None
    assert view(marched(4)[0], None)["active"] == {"general": "kassandros", "at": "lamia", "left": 3}
    g.phase = "isolation"
    assert (view(g, None)["player"], view(g, None)["segment"]) == ("", "")


def test_only_the_moderator_sees_who_has_answered() -> None:
    g, table = marched(4)
    for reader in (None, "red", "blue"):
        assert "answered" not in json.dumps(view(g, reader, table.question, answered=["blue"]), default=list)
    assert view(g, "moderator", table.question, answered=["blue"])["question"]["answered"] == ["blue"]


class Forbidden:
    """A hidden side that nobody may look at."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a view asked the hidden side for {name}")


@pytest.mark.parametrize("reader", [None, "red", "moderator"])
def test_a_view_never_looks_at_the_hidden_side(reader: str | None) -> None:
    g, table = marched(4)
    g.secret = Forbidden()  # type: ignore[assignment]
    told(g, table, reader=reader)


def test_a_view_is_plain_data() -> None:
    g, table = marched(4)
    seen = view(g, None, table.question)
    assert json.loads(json.dumps(seen)) == json.loads(json.dumps(seen, default=None))


def surprise(secret: Any) -> tuple[Game, Table]:
    from pbem.rules import surprise

    g, table = game(secret=secret)
    order = surprise.judge(g, "red", Order("play", card="57", how="surprise", target=("general", "kassandros")))
    table.interrupt(surprise.play(g, "red", order))
    return g, table


def public(g: Game, table: Table) -> list[str]:
    """Everything that goes out to everybody, line by line."""
    seen = view(g, None, table.question)
    return "\n".join([*(report(seen, g.events, (), words(), fmt) for fmt in FORMATS),
                      status(seen, {"now": "2000-01-01T00:00+00:00"}, words())]).splitlines()


def compared(without: tuple[Game, Table], having: tuple[Game, Table]) -> list[str]:
    """What is public only with the private side, or only without it."""
    return sorted({*public(*without)} ^ {*public(*having)})


def test_public_texts_are_the_same_with_and_without_the_private_side() -> None:
    assert compared(surprise(None), surprise(Hands(red=["57", "3"], blue=["51", "4"]))) == []


def test_a_leaky_event_is_caught() -> None:
    without, having = surprise(None), surprise(Hands(red=["57", "3"], blue=["51", "4"]))
    having[0].tell(ALL, "card_seen", seat="red", card="4")         # should have been told to Red alone
    found = compared(without, having)
    assert any(FACTS.cards["4"]["name"] in line for line in found)


def test_a_hand_that_shows_in_the_waiting_line_is_caught() -> None:
    without, having = marched(4), marched(4)
    having[0].hands["blue"] -= 1
    assert compared(without, having) != []


# --- Foreign text -------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "*bold*", "[a](http://x.example)", "<script>", "![x](y)", "`code`", "a | b", "# no heading", "~~gone~~", "www.x.example",
    "http://x.example", "a@b.example", ":100:", "&lt;b&gt;", "$x$", "==x==", "1. list", "- list", "> quote", "two\n\nlines",
])
def test_markdown_makes_nothing_of_what_a_player_types(text: str) -> None:
    shown = markdown(text)
    for sign in "*[]<`|~$@":
        assert not re.search(rf"(?<!\\){re.escape(sign)}", shown)
    assert "\n" not in shown and not re.match(r"[-#=>+]|\d+[.)]", block(shown))
    assert not re.search(r"(?<!\\):(//|\w+:)|www\.", shown)


@pytest.mark.parametrize("text", ["[b]bold[/b]", "a < b <c", ":d6-1:", "2:D", ":)", ";(", "[o]"])
def test_a_forum_makes_nothing_of_what_a_player_types(text: str) -> None:
    shown = bgg(text)
    assert not re.search(r"\[(?!/?c\])|<|[:;](?=[()DpP])|:[\w+-]+:", shown)


def test_a_report_for_a_forum_has_its_tags_in_pairs() -> None:
    g, table = intercepted(4, 5)
    give(table, "red", Order("stay"))
    seen = view(g, "blue", table.question, title="[b]anabasis", head="7f3a91c2" * 8, entries=214, hand=["57"])
    said = words(people={"red": "[i]Anna"})
    layout, ink = FORMATS["bgg"].question
    before, at_window = marched(4)
    assert at_window.question is not None
    asked = put(said.inked(ink), at_window.question, "blue", view(before, "blue", at_window.question), layout)
    text = report(seen, g.events, [asked], said, "bgg")
    assert open_tags(text) == []
    assert text.startswith("[size=18](b)anabasis - Game Turn II") and "[i]The Gift of Oratory[/i]" in text
    assert "Do you intercept?" in text and "\n[c]  a  pass" in text and "needs 4+: 50%" in text


@given(st.text(max_size=60))
@example("a\u202eb")
@settings(max_examples=200)
def test_escaped_text_reads_as_it_was_typed(text: str) -> None:
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown(text)) == clean(text)


def test_a_name_full_of_markup_stays_a_name() -> None:
    g, table = marched(4)
    name = "**[x](http://evil.example)** | <b>"
    seen = view(g, None, table.question, title="`t`")
    text = report(seen, [Event("note", ALL, {"text": name, "noted": {}})], (), words(people={"blue": name}), "md")
    assert not re.search(r"(?<!\\)\[x", text) and "<b>" not in html.unescape(re.sub(r"\\<", "", text))
    assert all(line.count(" | ") in (0, 4) for line in text.splitlines() if line.startswith("|"))


# --- The to-do list -----------------------------------------------------------


ITEMS = {
    "now": "2026-11-18T08:00Z", "waiting": [
        {"seat": "blue", "asked_since": "2026-11-17T06:00Z", "answered": True, "then": "pass"}],
    "to_post": [{"what": "reports 211-214 for the thread", "command": "pbem report games/anabasis --to public"}],
    "next": "nothing to do before Fri 08:00",
}


def to_do(reader: str | None) -> str:
    g, table = marched(4)
    seen = view(g, reader, table.question, due="2026-11-20T08:00Z", title="anabasis", head="7f3a91c2" * 8, entries=214)
    return status(seen, ITEMS, words(people={"blue": "Bruno"}))


def test_the_to_do_list() -> None:
    assert to_do("moderator") == """\
anabasis - Game Turn II, round 3 - Red, Activation Segment - log 214
entries, head 7f3a91c27f3a91c27f3a91c27f3a91c2

waiting   T2.R3.red.3: interception at Lamia
          Bruno (Blue) (answered)
          due Fri 20 Nov, 08:00 UTC, then: pass
to post   reports 211-214 for the thread: pbem report games/anabasis --to
          public
to rule   nothing
standings VP Red 0, Blue 0, Yellow 0, Black 0 / L Red 8 (Champion), Blue 3
          (Champion), Yellow 3 (Champion), Black 3 (Champion)
next      nothing to do before Fri 08:00
"""


def test_what_waits_at_the_mailbox_stands_in_the_list_if_there_is_any() -> None:
    g, table = marched(4)
    mail = {"mail": [{"what": "two mails to let go", "command": "pbem mail status"}]}
    told = status(view(g, "moderator", table.question), {**ITEMS, **mail}, words())
    assert "\nmail      two mails to let go: pbem mail status\n" in told and "\nmail " not in to_do("moderator")


def test_the_list_says_that_nobody_is_awaited_and_why_the_clock_stands_still() -> None:
    g, table = marched(4)
    seen, said = view(g, None, table.question), words()
    assert said.phrase("nobody_awaited") in status({**seen, "question": None}, ITEMS, said)
    held = status({**seen, "held": "moving house"}, ITEMS, said)
    assert "moving house" in held and "interception at Lamia" in held and "moving house" not in status(seen, ITEMS, said)
    assert waiting({**seen, "question": None}, said) == said.phrase("nobody_awaited")
    assert waiting({**seen, "held": "moving house"}, said) == said.phrase("on_hold", reason="moving house")
    over = {**seen, "over": {"winner": "blue", "by": "regency"}, "question": None}
    assert waiting(over, said) == said.phrase("game_over", **over["over"]) and "The game is over" in status(over, ITEMS, said)


def test_the_list_begins_with_what_to_do_without_the_secrets_and_ends_with_what_is_kept() -> None:
    g, table = marched(4)
    seen, people = view(g, "moderator", table.question), [{"seat": "blue", "asked_since": "2026-11-17T06:00Z"}]
    told = status(seen, {"now": "2026-11-18T08:00Z", "waiting": people, "secrets": "Bring the private file.", "held": [
        {"seat": "blue", "count": 2}]}, words())
    assert "\nsecrets   Bring the private file.\n" in told and "answered" not in told and "next" not in told
    assert "\nheld      2 lines of Blue: something happened that could not be foreseen\n" in told
    assert "secrets" not in to_do("moderator")
    assert "why it is open" in status(seen, {**ITEMS, "closing": "why it is open"}, words())
    assert "\n\nwaiting   T2.R3.red.3: interception at Lamia\nto post " in status(seen, {"now": "x"}, words())
    assert [hours("2026-11-17T06:00Z", until) for until in ("2026-11-21T09:59Z", "2026-11-21T10:00Z")] == [99, 100]


def test_one_looks_over_the_board_from_west_to_east() -> None:
    g, _ = game(forces=[{"owner": "red", "at": at, "cus": {"loyal": 1}} for at in (
        "tyros", "ekbatana", "larisa", "pella", "ephesos", "alexandria", "sardeis")])
    told = armies_told(view(g, None), words(), ())
    assert [re.findall(r"(\w+) \(Red\)", line) for line in told] == [
        ["Pella", "Larisa"], ["Alexandria"], ["Sardeis", "Ephesos"], ["Tyros"], ["Ekbatana"]]


@pytest.mark.parametrize(("region", "behind"), [("africa", "Memphis"), ("asia", "Sardeis"), ("beyond", "Ekbatana")])
def test_a_province_that_only_another_box_has_comes_behind_the_others_of_its_region(region: str, behind: str) -> None:
    """And that of an unknown region behind all of them; a Province that the box has not is no help."""
    box = copy(FACTS)
    box.provinces = {name: fact for name, fact in FACTS.provinces.items() if name != "makedonia"}
    box.provinces["nova"] = {**FACTS.provinces["hyrkania"], "region": region}
    box.spaces = {**FACTS.spaces, "kyrene": {**FACTS.spaces["kyrene"], "province": "nova"}}
    stacks = [{"seat": "red", "at": at, "generals": [], "cus": {"loyal": 1}, "royals": []}
              for at in ("kyrene", "larisa", "memphis", "sardeis", "ekbatana")]
    told = " ".join(armies_told({"armies": stacks}, Words("en", NAMES, box), ()))
    places = re.findall(r"(\w+) \(Red\)", told)
    assert places[places.index("Kyrene") - 1] == behind


def test_where_it_is_nobody_s_turn_the_title_says_the_phase() -> None:
    g, table = marched(4)
    seen = {**view(g, None, table.question), "player": "", "phase": "strategy"}
    assert "Game Turn II - Strategy Phase" in title(seen, words()) and "Red" not in title(seen, words())


def test_a_status_for_everybody_does_not_say_who_has_answered() -> None:
    assert "answered" not in to_do(None)
    assert "asked 26 h ago" in to_do(None)


# --- What it costs ------------------------------------------------------------


def test_sentences_are_not_compiled_before_they_are_needed() -> None:
    """Everything that runs at each start does so without jinja2."""
    code = "import sys; import pbem.telling.words, pbem.telling.views, pbem.telling.report; " \
           "sys.exit('jinja2' in sys.modules or 'yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


# --- Whatever happens ---------------------------------------------------------


def played(seed: int, decisions: int) -> list[str]:
    """Everything that is said in a stretch of random play: questions, refusals of wild orders, the report."""
    rng = Random(seed)
    given_position = random_position(rng, rng.randint(2, 5))
    seats = seats_of(given_position)
    g = stated(given_position, seats=seats, dice=Dice(seed=seed))
    table = Table(sequence.play(g), g.next_question)
    said = Words("en", Names(FACTS, {seat: {} for seat in seats}), FACTS)
    texts = []
    for _ in range(decisions):
        question = table.question
        if question is None or question.sides == ("moderator",):
            break
        seen = view(g, None, question)
        for side in question.sides:
            texts.append(put(said, question, side, seen))
            for _ in range(4):
                order = wild_order(g, rng)
                try:
                    question.read(side, (order,) if isinstance(question.default, tuple) else order)
                except PbemError as error:
                    texts.append(said.refusal(error))
        table.answer({side: some_answer(question, side, rng) for side in question.sides})
    seen = view(g, None, table.question)
    texts += [report(seen, g.events, (), said, fmt) for fmt in FORMATS]
    return texts + [said.event(event) for event in g.events]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_can_be_told(seed: int) -> None:
    for text in played(seed, 15):
        assert not re.search(r"None|\{|\}|\[\(|Undefined|object at", text), text


def test_the_royal_family_is_shown_with_the_army_it_goes_with_and_nowhere_else() -> None:
    g, _ = game()
    assert [(one["at"], one["generals"], one["royals"]) for one in armies(g)] == [
        ("larisa", ["kassandros"], ["alexandros"]), ("pella", ["lysimachos"], [])]


def test_at_the_end_it_is_told_how_the_totals_went() -> None:
    """What each seat had when a Game Turn ended, and at the end of the game; before that there is nothing to tell."""
    def row(turn: int, red: int, blue: int) -> dict[str, Any]:
        return {"turn": turn, "seats": {"red": {"VP": red, "L": 3}, "blue": {"VP": blue, "L": 0}}}

    view = {"standings": [{"seat": "blue"}, {"seat": "red"}]}
    words = Words("en", Names(FACTS, {}), FACTS)
    rows = [row(1, 0, 0), row(1, 9, 9), row(2, 2, 4), row(2, 7, 7), row(3, 3, 6), row(3, 4, 8)]
    assert course(rows, view, words) == ["Blue: VP ▄▆█ 4 6 8; L ▁▁▁ 0 0 0", "Red: VP ▂▃▄ 2 3 4; L ███ 3 3 3"]
    assert course((), view, words) == []
    assert course([row(1, 0, 0), row(2, 0, 0)], view, words)[0] == "Blue: VP ▁▁ 0 0; L ▁▁ 0 0"
    few = course([row(1, 0, 0), row(2, -2, 1)], view, words)           # a bar is never less than none
    assert few == ["Blue: VP ██ 1 1; L ▁▁ 0 0", "Red: VP ▁▁ -2 -2; L ██ 3 3"]


def test_below_its_table_a_fight_does_not_say_again_where_it_is() -> None:
    """But what happens elsewhere says so."""
    g, table = game()
    for seat in ("red", "blue"):
        g.tell(ALL, "battle_strength", seat=seat, space="larisa", general="", parts=[("loyal", 2, 4)], total=4)
        g.tell(ALL, "battle_rolled", seat=seat, space="larisa", general="", rating=0, dice=[5, 4], raised=[5, 4], bonus=0,
               total=9, strength=4, score=4 if seat == "red" else 3, name="x")
    g.tell(ALL, "battle_won", seat="red", loser="blue", space="larisa", scores={"red": 4, "blue": 3})
    g.tell(ALL, "eliminated", seat="blue", at="larisa", cus={"mercenary": 1}, why="defeat")
    g.tell(ALL, "eliminated", seat="red", at="pella", cus={"mercenary": 1}, why="isolated")
    text = flat(told(g, table))
    assert "battle at Larisa" in text
    assert "Red won, 4 to 3. Blue lost 1 mercenary CU. Red lost 1 mercenary CU at Pella" in text


@pytest.mark.parametrize(("again", "told"), [("blue", ["royal_lost", "royal_gained"]), ("red", ["royal_lost+royal_gained"])])
def test_nobody_is_said_to_have_taken_what_he_had(again: str, told: list[str]) -> None:
    """An Army that leaves and comes back in one activation loses whom it left and has him again."""
    lost, gained = ({"seat": seat, "royal": "alexandros", "at": "chalonitis"} for seat in ("blue", again))
    assert [one.key for one in joined([Event("royal_lost", ALL, lost), Event("royal_gained", ALL, gained)])] == told


@pytest.mark.parametrize(("book", "cited"), [("fourth", "(10 H, 3.7)"), ("third", "(17.5)")])
def test_a_section_is_cited_once(book: str, cited: str) -> None:
    facts = {"seat": "red", "against": "blue", "space": "lamia", "rule": "10H", "attackers": 3, "defenders": 2}
    for language in languages():
        words = Words(language, Names(FACTS, {}), FACTS, book=book)
        for key in ("champion_lost", "champion_lost+battle_began"):
            assert words.tell("events", key, facts).endswith(f"{cited}.")


@pytest.mark.parametrize("language", languages())
def test_what_was_asked_this_very_hour_was_asked_no_hours_ago(language: str) -> None:
    words = Words(language, Names(FACTS, {}), FACTS)
    said = [words.phrase("awaited", seat="red", answered=False, hours=hours) for hours in (0, 3)]
    assert "0" not in said[0] and " 3 " in said[1]


def test_what_one_reader_alone_knows_is_no_part_of_what_all_are_told() -> None:
    placed = [Event("pc_placed", audience, {"seat": "red", "space": "pella"}) for audience in (ALL, ("red",))]
    assert [(one.key, one.private) for one in joined(placed)] == [("pc_placed", False), ("pc_placed", True)]


@pytest.mark.parametrize(("why", "space", "told"), [("beaten", "pella", 1), ("beaten", "larisa", 2), ("retreat", "pella", 2)])
def test_a_general_is_told_with_his_army_where_both_were_beaten(why: str, space: str, told: int) -> None:
    army = Event("cus_dispersed", ALL, {"seat": "red", "at": "pella", "why": why, "cus": {"loyal": 2}})
    general = Event("general_dispersed", ALL, {"seat": "red", "general": "krateros", "space": space})
    assert len(joined([army, general])) == told
