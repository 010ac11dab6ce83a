"""What players ask and get wrong (tests/cases/faq-topics.md): each row's right words come, at the right moment."""

from pathlib import Path
from typing import Any, NamedTuple

import desk
import pytest

from pbem import showing
from pbem.moderator import Moderator

Act = tuple[Any, ...]                           # who, what, then the dice thrown for it; "?" reads the question

TURN = {"turn": 2, "turn_order": ["red", "blue", "yellow", "black"]}
MARCH = {**TURN, "segment": {"player": "red", "kind": "activation"}}
TYCHE = {**TURN, "segment": {"player": "red", "kind": "tyche"}}
SURRENDER = {**TURN, "segment": {"player": "red", "kind": "surrender"}}


def army(owner: str, at: str, general: str | None = None, loc: str = "outside", **cus: int) -> dict[str, Any]:
    generals = [general] if general else []
    return {"owner": owner, "at": at, "generals": generals, "cus": cus, **({"loc": loc} if loc == "inside" else {})}


KASSANDROS = army("red", "larisa", "kassandros", loyal=2, mercenary=3)
MEETING = {**MARCH, "spaces": {"larisa": "red", "lamia": "blue"}, "forces": [
    KASSANDROS, army("blue", "lamia", "lysimachos", loyal=3, mercenary=1)]}
WAY_OPEN = {**MARCH, "spaces": {"larisa": "red"}, "forces": [KASSANDROS, army("blue", "boiotia", "lysimachos", loyal=3)]}
BEFORE_ATHENAI = {**MARCH, "spaces": {"athenai": "blue"}, "forces": [army("red", "athenai", "kassandros", loyal=2, mercenary=3)]}
AT_SEA = {**MARCH, "spaces": {"paphos": "red", "rhodos": "blue", "halikarnassos": "yellow", "salamis": "red"},
          "fleets": {"red": ["kypros"], "blue": ["rhodos"], "yellow": ["karia"]},
          "forces": [army("red", "paphos", "kassandros", loyal=2)]}


class Row(NamedTuple):
    """A row of the list: its number, what it is about, a position, what is done, and what has to be said."""

    number: int
    about: str
    position: dict[str, Any]
    acts: list[Act]
    wanted: list[str]
    hands: dict[str, list[str]] = {}


ROLL = ("red", "roll", 4)
ROWS = [
    Row(1, "a march that makes a Successor", MEETING, [ROLL, ("red", "march Kassandros > Lamia")],
        ["this makes Red a Successor (-3 L, from 3 to 0): Blue, who stands at Lamia", "not the Usurper (3.7)", 'Add "yes"']),
    Row(1, "who stays before an interceptor attacks him", WAY_OPEN,
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "?"), ("blue", "b", 6), ("red", "?"), ("red", "stay")],
        ["If you arrive, you defend", "b stay this makes Red a Successor (-3 L", "allowed, but this makes Red a Successor"]),
    Row(1, "a siege roll, even without result", BEFORE_ATHENAI, [ROLL, ("red", "siege Athenai with Kassandros")],
        ["this makes Red a Successor (-3 L, from 3 to 0), even if the die brings nothing: Blue, who holds Athenai"]),
    Row(1, "standing before a city costs nothing", {**BEFORE_ATHENAI, "forces": [army("red", "boiotia", "kassandros", loyal=2)]},
        [ROLL, ("red", "march Kassandros > Athenai")], ["Red: 3 L = Champion 3"]),
    Row(1, "afterwards: who, why, and the new L", BEFORE_ATHENAI, [ROLL, ("red", "siege Athenai with Kassandros yes", 5)],
        ["By attacking Blue at Athenai Red ceased to be a Champion and is a Successor now (15.2, 3.7).",
         "Red's Legitimacy fell from 3 to 0 L"]),
    Row(1, "a Naval Battle that is fought", AT_SEA, [
        ROLL, ("red", "embark Kassandros with 2 loyal escorted by Kypros"), ("red", "sail Kassandros > Phaselis"), ("blue", "?")],
        ["if the Naval Battle off Phaselis is fought it makes Blue a Successor (-3 L, from 3 to 0)"]),

    Row(2, "the uses of a card, event before points", {**TYCHE, "family": {"kleopatra": {"at": "sardeis"}}}, [("red", "?")],
        ["of a Bonus card the event comes before the points", "(31): play 31 as ops; play 31 as event; play 31 as bonus",
         '"Persian Popular Support" (26): play 26 as ops'], {"red": ["26", "31"]}),
    Row(2, "no plain discard", TYCHE, [("red", "discard 31")],
        ["Event and Bonus cards are played, not thrown away. It may be played for its Operation Points"], {"red": ["26", "31"]}),
    Row(2, "one use of one card", TYCHE, [("red", "play 26 as ops"), ("red", "play 31 as bonus")],
        ['"Persian Popular Support" has been played, and there is one card a segment'], {"red": ["26", "31"]}),
    Row(2, "who plays first in a battle", {**MEETING, "champions": {"red": "no"}, "hands": {"red": 1, "blue": 1}},
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "pass"), ("blue", "?")],
        ["the attacker's come first, then the defender's"], {"red": ["48"], "blue": ["46"]}),

    Row(3, "the die with its parts, and how far it is", BEFORE_ATHENAI, [ROLL, ("red", "siege Athenai with Kassandros yes", 6)],
        ["with 5 CUs (2 loyal, 3 mercenary): rolled 6, -1 port without fleet, made 5: 1 Siege Point",
         "Red has 1 of the 3 Siege Points that Athenai takes"]),
    Row(3, "too few who count", {**BEFORE_ATHENAI, "forces": [army("red", "athenai", "kassandros", loyal=2)]},
        [ROLL, ("red", "siege Athenai with Kassandros")],
        ["a siege of Athenai takes 3 CUs that were neither moved by another General nor dropped off and did not fight"]),
    Row(3, "when a PC may follow", {**BEFORE_ATHENAI, "siege_points": {"athenai": {"by": "red", "points": 2}}},
        [ROLL, ("red", "siege Athenai with Kassandros yes", 6)],
        ["Athenai fell to Red: Blue's PC is gone. With a CU there Red may place a PC in the next Surrender Segment (6.1)."]),
    Row(3, "an empty city does not surrender", BEFORE_ATHENAI, [ROLL, ("red", "remove pc at Athenai with Kassandros")],
        ["Athenai is a Major City. Its PC falls only to a siege."]),

    Row(4, "both Prestige sums, after the loss of Champion status", {
        **MEETING, "family": {"alexandros": {"at": "lamia", "owner": "blue"}},
        "forces": [army("red", "larisa", "kassandros", royal=2), army("blue", "lamia", "lysimachos", royal=1, mercenary=2)]},
        [ROLL, ("red", "march Kassandros > Lamia yes"), ("blue", "pass")],
        ["a Successor now (10 H, 3.7). Prestige at Lamia: Red 0; Blue 8 = Legitimacy 8. Red's 2 royal CUs at Lamia went over"]),
    Row(4, "set apart is neither strength nor loss", {
        **MEETING, "family": {"alexandros": {"at": "lamia", "owner": "blue"}},
        "forces": [army("red", "larisa", "kassandros", royal=2, mercenary=3), army("blue", "lamia", "lysimachos", mercenary=2)]},
        [ROLL, ("red", "march Kassandros > Lamia yes"), ("blue", "pass", 1, 2, 1, 1, 1)],
        ["royal CUs at Lamia refuse to fight and are set apart: neither strength nor loss"]),

    Row(5, "who is not asked, and why", {**WAY_OPEN, "spaces": {"larisa": "red", "lamia": "black"}, "forces": [
        KASSANDROS, army("black", "boiotia", "lysimachos", loyal=3), army("blue", "trikka", "krateros", loyal=1)]},
        [ROLL, ("red", "march Kassandros > Lamia"), ("black", "?")],
        ["Blue is not asked (11.1 A): Lamia is Black's, and no own CU stands there: nobody intercepts into foreign ground"]),

    Row(6, "too far", {**TYCHE, "spaces": {"larisa": "red"}}, [("red", "play 7 as ops"), ("red", "place pc at Sardeis")],
        ["Sardeis is farther than 2 MPs from every PC you had when the segment began. The nearest is Larisa."], {"red": ["7"]}),
    Row(6, "barred", {**TYCHE, "spaces": {"larisa": "red", "lamia": "blue"}},
        [("red", "play 7 as ops"), ("red", "place pc at Boiotia")],
        ["Boiotia is near enough to Larisa, but the way is barred at Lamia"], {"red": ["7"]}),
    Row(6, "a PC is never replaced", {**TYCHE, "spaces": {"larisa": "red", "lamia": "blue"}},
        [("red", "play 7 as ops"), ("red", "place pc at Lamia")],
        ["a PC of Blue lies at Lamia; only uncontrolled spaces take a new one"], {"red": ["7"]}),

    Row(7, "where reinforcements go", {**TURN, "phase": "reinforcements", "spaces": {"larisa": "red", "trikka": "red"},
                                       "forces": [army("blue", "trikka", "lysimachos", loyal=1)]},
        [("red", "reinforce Trikka with 2 mercenary")],
        ["nothing may be placed at Trikka: Blue stands there, and no General of yours was there before. Open: Larisa."]),
    Row(7, "two CUs in a space", {**TURN, "phase": "reinforcements", "spaces": {"larisa": "red", "trikka": "red"}},
        [("red", "reinforce Larisa with 3 mercenary")],
        ["Larisa takes 2 more, not 3: beyond two CUs a space needs a Major General or a Major City of yours. Open:"]),
    Row(7, "a step ends the right to raise", {**WAY_OPEN, "forces": [KASSANDROS]}, [ROLL, ("red", "raise mercenary at Larisa")],
        ["whoever rolls for movement cannot raise a Mercenary in this segment", "the movement die has fallen (4)"]),
]


def said(tmp_path: Path, row: Row) -> str:
    """Everything that is told: questions, receipts, and the report from the first entry on."""
    thrown = any(len(act) > 2 for act in row.acts)
    game = found(tmp_path / "g", row, secrets=not thrown)
    texts = []
    for who, text, *dice in row.acts:
        if text == "?":
            texts.append(showing.question_text(game, who))
        else:
            texts.append(showing.receipt(game, game.order(who, text, throws=[(die, "") for die in dice], reason="test")))
            game.run()
    texts.append(showing.report(game, showing.PUBLIC, 1, "text"))
    return " ".join(" ".join(texts).split())


def found(folder: Path, row: Row, *, secrets: bool) -> Moderator:
    hands = {seat: row.hands.get(seat, []) for seat in desk.SEATS}
    game = desk.found(folder, {**row.position, "hands": {seat: len(hand) for seat, hand in hands.items() if hand}},
                      secrets=secrets, cards=hands if row.hands else False)
    game.run()
    return game


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.number} {row.about}" for row in ROWS])
def test_the_right_words_at_the_right_moment(tmp_path: Path, row: Row) -> None:
    text = said(tmp_path, row)
    assert [wanted for wanted in row.wanted if wanted not in text] == [], text
