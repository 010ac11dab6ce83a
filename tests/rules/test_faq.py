"""What players ask and get wrong (tests/cases/faq-topics.md): each row's right words come, at the right moment."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import small_game
from small_position import army

from pbem.desk import answering, posing, reporting, showing
from pbem.desk.desk import Desk

Act = tuple[Any, ...]                           # who, what, then the dice thrown for it; "?" reads the question

TURN = {"turn": 2, "turn_order": ["red", "blue", "yellow", "black"]}
MARCH = {**TURN, "segment": {"player": "red", "kind": "activation"}}
TYCHE = {**TURN, "segment": {"player": "red", "kind": "tyche"}}
SURRENDER = {**TURN, "segment": {"player": "red", "kind": "surrender"}}


KASSANDROS = army("red", "larisa", "kassandros", loyal=2, mercenary=3)
MEETING = {**MARCH, "spaces": {"larisa": "red", "lamia": "blue"}, "forces": [
    KASSANDROS, army("blue", "lamia", "lysimachos", loyal=3, mercenary=1)]}
WAY_OPEN = {**MARCH, "spaces": {"larisa": "red"}, "forces": [KASSANDROS, army("blue", "boiotia", "lysimachos", loyal=3)]}
BEFORE_ATHENAI = {**MARCH, "spaces": {"athenai": "blue"}, "forces": [
    army("red", "athenai", "kassandros", loyal=2, mercenary=3)]}
AT_SEA = {**MARCH, "spaces": {"paphos": "red", "rhodos": "blue", "salamis": "red"},
          "fleets": {"red": ["kypros"], "blue": ["rhodos"]},
          "forces": [army("red", "paphos", "kassandros", loyal=2)]}


class Row(NamedTuple):
    """A row of the list: its number, what it is about, a position, what is done, and what has to be said."""

    number: int
    about: str
    position: dict[str, Any]
    acts: list[Act]
    wanted: list[str]
    hands: dict[str, list[str]] = {}


OPENING = {**TURN, "phase": "preparations", "cart": {"at": "babylon", "owner": "red"}, "spaces": {"babylon": "red"}}
HEIR = {"family": {"alexandros": {"at": "pella", "owner": "blue"}}, "forces": [army("blue", "pella", "lysimachos", loyal=1)]}
LEOSTHENES = {"owner": "independent", "at": "lamia", "generals": ["leosthenes"], "cus": {"independent": 6}}

ROLL = ("red", "roll", 4)
SAIL = [ROLL, ("red", "embark Kassandros with 2 loyal escorted by Kypros"), ("red", "sail Kassandros > Phaselis")]
ROWS = [
    Row(1, "a march that makes a Successor", MEETING, [ROLL, ("red", "march Kassandros > Lamia")],
        ["this makes Red a Successor (-3 L, from 3 to 0): Blue, who stands at Lamia", "not the Usurper (3.7)", 'Add "yes"']),
    Row(1, "who stays before an interceptor attacks him", WAY_OPEN,
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "?"), ("blue", "b", 6), ("red", "?"), ("red", "stay")],
        ["If you arrive, you defend", "b stay This makes Red a Successor (-3 L", "allowed, but this makes Red a Successor"]),
    Row(1, "a siege roll, even without result", BEFORE_ATHENAI, [ROLL, ("red", "siege Athenai with Kassandros")],
        ["this makes Red a Successor (-3 L, from 3 to 0), even if the die brings nothing: Blue, who holds Athenai"]),
    Row(1, "standing before a city costs nothing", {
        **BEFORE_ATHENAI, "forces": [army("red", "boiotia", "kassandros", loyal=2)]},
        [ROLL, ("red", "march Kassandros > Athenai")], ["Red: 3 L = Champion 3"]),
    Row(1, "afterwards: who, why, and the new L", BEFORE_ATHENAI, [ROLL, ("red", "siege Athenai with Kassandros yes", 5)],
        ["By attacking Blue at Athenai, Red is no longer a Champion but a Successor (15.2, 3.7).",
         "Red's Legitimacy fell from 3 to 0"]),
    Row(1, "a Naval Battle that is fought", AT_SEA, [*SAIL, ("blue", "?")],
        ["If the Naval Battle off Phaselis is fought it makes Blue a Successor (-3 L, from 3 to 0)"]),

    Row(2, "the uses of a card, event before points", {**TYCHE, "family": {"kleopatra": {"at": "sardeis"}}}, [("red", "?")],
        ["of a Bonus card the event comes before the points", "(31): play 31 as ops; play 31 as event; play 31 as bonus",
         '"Persian Popular Support" (26): play 26 as ops'], {"red": ["26", "31"]}),
    Row(2, "no plain discard", TYCHE, [("red", "discard 31")],
        ["Event and Bonus cards are played, not thrown away. It may be played for its Operation Points"],
        {"red": ["26", "31"]}),
    Row(2, "one use of one card", TYCHE, [("red", "play 26 as ops"), ("red", "play 31 as bonus")],
        ['"Persian Popular Support" has been played, and there is one card a segment'], {"red": ["26", "31"]}),
    Row(2, "who plays first in a battle", {**MEETING, "champions": {"red": "no"}, "hands": {"red": 1, "blue": 1}},
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "pass"), ("blue", "?")],
        ["the attacker's come first, then the defender's"], {"red": ["48"], "blue": ["46"]}),

    Row(3, "the die with its parts, and how far it is", BEFORE_ATHENAI, [ROLL, ("red", "siege Athenai with Kassandros yes", 6)],
        ["with 5 CUs (2 loyal, 3 mercenary): rolled 6, −1 port without fleet, makes 5, 1 Siege Point; now 1 of 3."]),
    Row(3, "too few who count", {**BEFORE_ATHENAI, "forces": [army("red", "athenai", "kassandros", loyal=2)]},
        [ROLL, ("red", "siege Athenai with Kassandros")],
        ["a siege of Athenai takes 3 CUs neither moved by another General nor dropped off, and which did not fight"]),
    Row(3, "when a PC may follow", {**BEFORE_ATHENAI, "siege_points": {"athenai": {"by": "red", "points": 2}}},
        [ROLL, ("red", "siege Athenai with Kassandros yes", 6)],
        ["Athenai fell to Red: Blue's PC is gone. With a CU there Red may place a PC in the next Surrender Segment (6.1)."]),
    Row(3, "an empty city does not surrender", BEFORE_ATHENAI, [ROLL, ("red", "remove pc at Athenai with Kassandros")],
        ["Athenai is a Major City. Its PC falls only to a siege: order \"siege\" with an Army that stands before it."]),

    Row(4, "both Prestige sums, after the loss of Champion status", {
        **MEETING, "family": {"alexandros": {"at": "lamia", "owner": "blue"}},
        "forces": [army("red", "larisa", "kassandros", royal=2), army("blue", "lamia", "lysimachos", royal=1, mercenary=2)]},
        [ROLL, ("red", "march Kassandros > Lamia yes"), ("blue", "pass")],
        ["a Successor (10 H, 3.7). Prestige: Red 0; Blue 8. Red's 2 royal CUs went over"]),
    Row(4, "set apart is neither strength nor loss", {
        **MEETING, "family": {"alexandros": {"at": "lamia", "owner": "blue"}},
        "forces": [army("red", "larisa", "kassandros", royal=2, mercenary=3),
                   army("blue", "lamia", "lysimachos", mercenary=2)]},
        [ROLL, ("red", "march Kassandros > Lamia yes"), ("blue", "pass", 1, 2, 1, 1)],
        ["royal CUs refuse to fight"]),

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
        ["Whoever rolls for movement cannot raise a Mercenary in this segment", "the movement die has fallen (4)"]),

    Row(8, "Game Turn I", {**OPENING, "turn": 1}, [], [
        "Reminder for Red: the Funeral Cart does not move before Game Turn II; it is at Babylon."]),
    Row(8, "Game Turn II", OPENING, [], [
        "Reminder for Red: the Funeral Cart may move, and Alexander may be buried in this Game Turn and the next, at a Major"
        " City, in one's own Forage Segment or at the Turn End (3.8); it is at Babylon."]),
    Row(8, "Game Turn III", {**OPENING, "turn": 3}, [], ["this is the last Game Turn in which Alexander may be buried"]),
    Row(8, "Game Turn IV", {**OPENING, "turn": 4}, [], [
        "The Funeral Cart at Babylon is lost: nobody buried Alexander in time."]),
    Row(8, "the Cart comes to a Major City", {
        **MARCH, "cart": {"at": "sippara", "owner": "red"}, "spaces": {"babylon": "red"},
        "forces": [army("red", "sippara", "perdikkas", loyal=2)]},
        [ROLL, ("red", "march Perdikkas with 2 loyal, cart > Babylon"), ("red", "bury")],
        ["Reminder for Red: the Funeral Cart has come to a Major City; in Game Turns II and III Alexander may be buried there",
         "Alexander is buried in one's own Forage Segment or at the Turn End, not in the Activation Segment."]),

    Row(9, "who will decide about the Heir", {**OPENING, "turn": 3, **HEIR}, [], [
        "Reminder for Blue: Alexandros comes of age at the start of the next Game Turn. Whoever controls him wins with the"]),
    Row(9, "all totals, and who controls the Heir", {**OPENING, "turn": 4, **HEIR, "adjust": {"red": {"VP": 9}}}, [], [
        "L and VP together, for Alexandros, controlled by Blue: Red 12, Blue 8, Yellow 3 and Black 3.",
        "Alexandros was murdered: Blue, who controlled him, has 8 L and VP, and another has 12."]),

    Row(10, "every change with its sources, and who is near", {
        **SURRENDER, "forces": [army("red", "amphipolis", "kassandros", mercenary=3)], "adjust": {"red": {"L": 10}},
        "spaces": {"pella": "red", "edessa": "red", "lynkos": "red"}}, [("red", "place pc at Amphipolis")],
        ["Makedonia came under the control of Red", "Red's Victory Points rose from 0 to 3: Makedonia 3",
         "Red's Legitimacy rose from 13 to 15: Champion 3, Makedonia 2, the moderator's ruling 10",
         "Red is 3 L from an instant victory (3.1)"]),

    Row(11, "the count, and that it is enough", {
        **MEETING, "champions": {"red": "no"}, "forces": [KASSANDROS, army("blue", "lamia", "lysimachos", mercenary=1)]},
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "pass")],
        ["Red overruns Blue at Lamia: 5 CUs to 1 are at least 5 to 1 (10 J)."]),
    Row(11, "the count, and why it is not", {**MEETING, "champions": {"red": "no"}},
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "pass", 5, 2, 2, 1)],
        ["Red attacks Blue at Lamia: a Land Battle, 5 CUs to 4."]),

    Row(12, "who may come out, why, and against what", AT_SEA, [*SAIL, ("blue", "?")],
        ["escorted by the fleet of Kypros", "towards Phaselis, escorted by Kypros, strength 1. Do you come out against him?",
         "You have Rhodos, and your PC at Rhodos is near enough (13.3 A). One declaration a segment; a draw lets him slip"]),
    Row(12, "a price that several answers have", {
        **AT_SEA, "spaces": {**AT_SEA["spaces"], "athenai": "blue"}}, [*SAIL, ("blue", "?")],
        ["b naval battle with Athenai, Rhodos If the Naval Battle off Phaselis is fought it makes Blue a Successor",
         "c naval battle with Athenai the same price (3.7)"]),
    Row(12, "who has Fleets and is not asked", {
        **AT_SEA, "spaces": {**AT_SEA["spaces"], "athenai": "yellow"}}, [*SAIL, ("blue", "?")],
        ["Yellow is not asked (13.3 A): no own PC lies within 2 sea paths of Phaselis."]),

    Row(13, "dice, what was added, the total and the roll", {**MEETING, "champions": {"red": "no"}},
        [ROLL, ("red", "march Kassandros > Lamia"), ("blue", "pass", 6, 3, 2, 1, 5)],
        ["dice 2 1, raised to 3 3: 6; score 3", "dice 6 3: 9; score 5",
         "With a total of 9, Kassandros dies on 6 (14.8): rolled 5, lives."]),

    Row(14, "where the trace was cut", {**TURN, "phase": "isolation", "spaces": {
        "larisa": "red", "trikka": "blue", "lamia": "blue", "pella": "blue"}}, [],
        ["Red's PC at Larisa was isolated and is gone: the trace was cut by PCs at Pella, Trikka and Lamia."]),

    Row(15, "which may move, how far, and what they cannot do", {**TYCHE, "forces": [LEOSTHENES]},
        [("red", "play 33 as event"), ("red", "?"), ("red", "independent Leosthenes > Boiotia"),
         ("red", "independent Leosthenes place pc at Boiotia")],
        ["You move the Independent Armies: Leosthenes and Glaukias, each once, in any sequence, with 3 MPs",
         "Leosthenes stays in Thessalia and Hellas.", "besiege a city by standing before it, and never roll (9.5)",
         "Leosthenes has begun to move; the PC takes all of his MPs"], {"red": ["33"]}),

    Row(16, "a march that leaves CUs without an owner", {**WAY_OPEN, "spaces": {}, "forces": [KASSANDROS]},
        [ROLL, ("red", "march Kassandros with 2 loyal > Lamia")],
        ["allowed, but 3 CUs left at Larisa with neither a General nor your PC disperse when the procedure ends (7.2 A)"]),
    Row(16, "a Minor General who goes", {**MARCH, "forces": [KASSANDROS, army("red", "lamia", "philoxenos", loyal=1)]},
        [("red", "remove minor Philoxenos")], ["allowed, but 1 CU left at Lamia with neither a General nor your PC disperses"]),

    Row(17, "a lone General", MEETING, [ROLL, ("red", "march Kassandros with nothing > Lamia")],
        ["allowed, but Kassandros comes to Lamia without CUs: Blue's CUs there disperse him (10 I)"]),

    Row(18, "dealt, alive, needed", {**TYCHE, "dealt": {"red": ["kassandros"]}, "forces": [KASSANDROS]},
        [("red", "recruit Nearchos with 46 at Larisa")],
        ["you have 1 living Major General and were dealt 1: until Game Turn IV fewer must be alive. Dispersed ones are alive."],
        {"red": ["46"]}),
    Row(18, "dealt and alive when one comes", {
        **TYCHE, "turn": 4, "dealt": {"red": ["kassandros"]}, "forces": [KASSANDROS], "spaces": {"pella": "red"}},
        [("red", "recruit Nearchos with 46 at Pella")], ["1 of 1 Generals dealt was alive"], {"red": ["46"]}),

    Row(19, "the promise, and that it was broken", {**MEETING, "champions": {"red": "no"}}, [
        ROLL, ("red", "march Kassandros > Lamia asking passage of Blue"), ("blue", "grant"), ("red", "?"), ("red", "break")],
        ["Blue granted Red Free Passage at Lamia", "Do you keep to it? Then he has to move on",
         "Red breaks the Free Passage that Blue granted at Lamia"]),
    Row(19, "not in Major City spaces", {**BEFORE_ATHENAI, "forces": [
        army("red", "boiotia", "kassandros", loyal=2), army("blue", "athenai", "lysimachos", loyal=2)]},
        [ROLL, ("red", "march Kassandros > Athenai asking passage of Blue")],
        ["Athenai holds a Major City, and there is no Free Passage at one"]),

    Row(20, "where to, after the die", MEETING,
        [ROLL, ("red", "march Kassandros > Lamia yes"), ("blue", "?"), ("blue", "evade", 6), ("blue", "?"),
         ("blue", "evade > Larisa")],
        ["everything you have there goes with him. If it fails you have no Local Troops", "b evade > Boiotia > Athenai",
         "Larisa is where the enemy came from"]),

    Row(21, "allowance, spent and left", {**MARCH, "forces": [KASSANDROS, army("red", "lamia", "krateros", loyal=2)]},
        [ROLL, ("red", "march Kassandros > Lamia"), ("red", "pick up Krateros"), ("red", "drop Krateros"),
         ("red", "pick up 2 loyal")],
        ["Krateros took over the command from Kassandros: 3 MPs, 1 spent already, 2 left.",
         "Kassandros took over the command from Krateros: 4 MPs, 1 spent already, 3 left.",
         "Kassandros has 4 MPs, 1 spent, 3 left."]),

    Row(22, "the roll is announced", {**MARCH, "spaces": {"sparta": "independent"}, "forces": [
        army("red", "megalopolis", "kassandros", loyal=4)]}, [ROLL, ("red", "march Kassandros > Sparta"), ("red", "?")],
        ["Going on from Sparta in this activation costs a roll for attrition on column 2 (10 A)."]),

    Row(23, "a line for each at Turn III", {
        **OPENING, "turn": 3, "dealt": {"yellow": ["antipatros"], "blue": ["antigonos"]},
        "forces": [army("yellow", "larisa", "antipatros", loyal=1)]}, [],
        ["Polyperchon took the place of Antipatros (Yellow) at Larisa.", "Demetrios joined Blue."]),
    Row(23, "a line also for who does not come", {**OPENING, "turn": 3}, [],
        ["Antipatros is not in play, and Polyperchon does not take his place",
         "nobody was dealt Antigonos, and Demetrios does"]),

    Row(24, "Condemnation for the second time", {
        **TYCHE, "condemned": {"krateros": 2}, "forces": [
            army("blue", "lamia", "krateros", loyal=1), army("yellow", "larisa", "lysimachos", loyal=1)]},
        [("red", "play 15 as event on Lysimachos")],
        ["Krateros (Blue) is condemned no more: 2 L come back. Blue's Legitimacy rose from 1 to 3",
         "Lysimachos (Yellow) is condemned: 3 L less for his Faction. Yellow's Legitimacy fell from 3 to 0"],
        {"red": ["15"]}),
    Row(24, "Hemlock before one's own city", {
        **TYCHE, "spaces": {"athenai": "blue"}, "champions": {"red": "no"}, "forces": [
            army("red", "athenai", "kassandros", loyal=3),
            {**army("blue", "athenai", "lysimachos", loc="inside", loyal=1), "family": ["olympias"]}]},
        [("red", "play 1 as event on Olympias")], ["Olympias inside Athenai drank the hemlock and is dead, lost to Blue."],
        {"red": ["1"]}),
    Row(24, "Ahura Mazda: who draws", TYCHE, [("red", "surprise 58 on Blue"), ("clock", "")],
        ["Red took a card at random out of Blue's hand: the die showed place", "Blue drew a card."],
        {"red": ["58", "26"], "blue": ["5"]}),

    Row(25, "nothing is handed over", MARCH, [("red", "give 2 mercenary to Blue")],
        ["promises are free, but cards, CUs, PCs and Fleets cannot be handed over (6.2)"]),
]


def said(tmp_path: Path, row: Row) -> str:
    """Everything that is told: questions, receipts, and the report from the first entry on."""
    thrown = any(len(act) > 2 for act in row.acts)
    game = found(tmp_path / "g", row, secrets=not thrown)
    texts = []
    for who, text, *dice in row.acts:
        if who == "clock":                      # the fixed time of a card window is over
            assert game.match.question is not None
            game.now += timedelta(hours=48)
            game.close(game.match.question.id, by="clock")
        elif text == "?":
            texts.append(posing.question_text(game, who))
        else:
            texts.append(answering.receipt(game, game.order(who, text, throws=[(die, "") for die in dice], reason="test")))
            game.run()
    texts.append(reporting.report(game, showing.PUBLIC, 1, "text", whole=True))
    return " ".join(" ".join(texts).split())


def found(folder: Path, row: Row, *, secrets: bool) -> Desk:
    hands = {seat: row.hands.get(seat, []) for seat in small_game.SEATS}
    game = small_game.found(folder, {**row.position, "hands": {seat: len(hand) for seat, hand in hands.items() if hand}},
                      secrets=secrets, cards=hands if row.hands else False)
    game.run()
    return game


def test_every_row_of_the_list_has_its_test() -> None:
    topics = Path(__file__).parents[1] / "cases" / "faq-topics.md"
    listed = re.findall(r"^\| (\d+) \|", topics.read_text("utf-8"), re.MULTILINE)
    assert sorted({row.number for row in ROWS}) == [int(number) for number in listed]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.number} {row.about}" for row in ROWS])
def test_the_right_words_at_the_right_moment(tmp_path: Path, row: Row) -> None:
    text = said(tmp_path, row)
    assert [wanted for wanted in row.wanted if wanted not in text] == [], text
