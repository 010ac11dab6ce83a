"""The position part of a report: nothing that lasts beyond a step goes without a word."""

from typing import Any

import pytest
import small_position
from small_position import FACTS, stated

from pbem.base.language import sentences
from pbem.orders.names import Names
from pbem.table import position
from pbem.table.state import DEAD, Game
from pbem.telling import lasting
from pbem.telling.report import report, status
from pbem.telling.views import view
from pbem.telling.words import Words

SEATS = small_position.SEATS[:4]
WORDS = Words("en", Names(FACTS, {seat: {} for seat in SEATS}), FACTS)
ITEMS = {"now": "2026-11-18T08:00Z"}

# What a position has -> what a report says of it.
TOLD: dict[str, list[tuple[dict[str, Any], str]]] = {
    "turn": [({"turn": 3}, "Game Turn III")],
    "round": [({"round": 4}, "round 4")],
    "phase": [({"phase": "isolation"}, "Isolation Phase")],
    "player": [({"segment": {"player": "blue", "kind": "tyche"}}, "Blue, Tyche Segment")],
    "segment": [({"segment": {"player": "red", "kind": "forage"}}, "Forage Segment")],
    "turn_order": [({"turn_order": ["black", "red", "blue", "yellow"]},
                    "Black Champion 3 0 0 Red Champion 3 0 0 Blue")],
    "seats": [({"seating": ["red", "black", "blue", "yellow"]}, "Seated to the left: Red, Black, Blue and Yellow")],
    "champion": [({"champions": {"red": "no"}}, "Red Successor 0 0")],
    "usurper": [({"usurper": "blue"}, "Blue Champion, Usurper")],
    "hands": [({"hands": {"red": 5}}, "Red Champion 3 0 5")],
    "adjusted": [({"adjust": {"red": {"L": 2}}}, "Red: 5 L = Champion 3, the moderator's ruling 2")],
    "over": [({"over": {"winner": "red", "by": "end"}}, "The game is over: Red has won")],
    "pc": [({"spaces": {"pella": "red", "larisa": "independent"}}, "PCs of Red: Makedonia (Pella)."),
           ({"provinces": {"makedonia": "blue"}}, "PCs of Blue: all of Makedonia.")],
    "cus": [({"forces": [{"owner": "red", "at": "pella", "cus": {"loyal": 2}}]},
             "Macedonia and Greece: Pella (Red): 2 loyal CUs.")],
    "generals": [({"forces": [{"owner": "red", "at": "pella", "generals": ["krateros"]}]}, "Pella (Red): Krateros."),
                 ({"dead": ["perdikkas"], "dealt": {"red": ["perdikkas", "krateros"]}},
                  "Generals dead: Perdikkas. Living Major Generals, with the number dealt: Red 0 (2)")],
    "dispersed": [({"dispersed": {"blue": {"generals": ["krateros"], "cus": {"loyal": 2}}}},
                   "In the Dispersed Box of Blue: Krateros and 2 loyal CUs")],
    "royals": [({"family": {"kleopatra": {"at": "sardeis"}, "olympias": {"at": "pella", "owner": "red"}}},
                "Olympias at Pella with Red; Kleopatra at Sardeis"),
               ({"family": {"kleopatra": {"at": "sardeis"}}, "dead": ["olympias"]}, "dead: Olympias"),
               ({"tomb": {"at": "babylon"}}, "Alexander's Tomb is at Babylon: whoever controls the space")],
    "fleets": [({"fleets": {"red": ["karia+", "rhodos"]}}, "Fleets of Red: Karia 2 (upgraded), Rhodos 2"),
               ({"dispersed": {"red": {"fleets": ["karia"]}}}, "Karia 1 (dispersed)")],
    "siege_points": [({"spaces": {"pella": "blue"}, "siege_points": {"pella": {"by": "red", "points": 2}}},
                      "Siege of Pella: Red has 2 of 3 Siege Points")],
    "helepolis": [({"helepolis": "pella"}, "The Helepolis stands before Pella")],
    "helepolis_by": [({"helepolis": "pella", "helepolis_by": "red"}, "before Pella, brought by Red")],
    "looted": [({"looted": ["babylon", "sousa"]}, "Babylon and Sousa have been looted")],
    "buried_by": [({"buried_by": "blue"}, "Blue has buried Alexander at Pella")],
    "dealt": [({"dealt": {"red": ["perdikkas", "krateros"]}, "dead": ["perdikkas"]}, "Red 0 (2) (6.2 D)")],
    "popularity": [({"popularity": {"krateros": 2}}, "Krateros has earned 2 P of Popularity")],
    "condemned": [({"forces": [{"owner": "red", "at": "pella", "generals": ["krateros"]}], "condemned": {"krateros": 2}},
                   "Krateros (Red) is condemned: 2 L less")],
    "training": [({"training": {"red": {"type": "loyal", "at": 3}}}, "Red has 1 loyal CU in training: 3 of 7 OPs paid")],
    "due": [({"due": {"red": {"cus": {"mercenary": 2}}}}, "Red has yet to place 2 mercenary CUs")],
    "due_generals": [({"due": {"red": {"generals": ["krateros"]}}}, "Red has yet to place Krateros")],
    "offers": [({"offers": {"kleopatra": "red"}}, "Kleopatra is offered in marriage to Red")],
    "truces": [({"truces": [["red", "blue"]]}, "Blue and Red have a truce")],
    "oracle": [({"oracle": "red"}, "The Oracle has spoken for Red")],
    "construction": [({"construction": {"red": "korinthos"}}, "Red is building a Capital at Korinthos")],
    "capitals": [({"capitals": {"red": "korinthos"}}, "Korinthos is Red's Capital and a Major City")],
    "captured": [({"captured_capitals": {"red": "blue"}}, "Red has lost the Capital for good; its marker is Blue's"),
                 ({"captured_capitals": {"red": "independent"}}, "its marker counts for nobody")],
    "cart_finished": [({"turn": 1, "cart_finished": 1}, "The Funeral Cart is finished and may move")],
    "kept": [({"kept": {"26": "red"}}, '"Persian Popular Support" counts for Red')],
    "face_down": [({"face_down": 3}, "face down on the table: 3")],
    "deck": [({"deck": {"name": "main,2", "cards": ["1", "2"], "left": 2}}, "Cards in the deck: 2")],
    "discards": [({"discards": ["57"]}, "since the deal: \"The Gift of Oratory\"")],
    "out": [({"out": ["26"]}, 'Cards out of the game: "Persian Popular Support"')],
}

# What no report tells of a position, and why.
UNTOLD = {
    "it is no part of the position": "doubted facts printed board rules effects chance secret events moves minors",
    "it is counted from the rest, or counts what was done": """
        drawn asked begun in_procedure settled tallies deck_name deck_cards
        _provinces _ruled _recount _news _last_told _control_changes counting stands family touched royal_changes lived
    """,
    "the open question says how far a phase has come": """
        step chooser placed overflowed arrived foraged resolver called dying defeated
    """,
    "it ends with the segment, and the story of the segment tells it": """
        oratory movement_roll allowance activation activated apart naval_used naval_declared battle sieges fallen traitor
        pcs_at_start card event_due ops spending cancelled ruled
    """,
    "every card that lies open is an offer of marriage, and told as that": "shown",
}


def game(**given: Any) -> Game:
    g = stated({"turn": 2, "segment": {"player": "red", "kind": "activation"}})
    position.state(g, given)
    return g


def told(g: Game, fmt: str = "text") -> str:
    return " ".join(report(view(g, None), (), (), WORDS, fmt, whole=True).split())


EXAMPLES = [(given, wanted) for examples in TOLD.values() for given, wanted in examples]


@pytest.mark.parametrize(("given", "wanted"), EXAMPLES, ids=[wanted for _, wanted in EXAMPLES])
def test_a_report_says_what_lasts(given: dict[str, Any], wanted: str) -> None:
    assert wanted in told(game(**given))


def test_every_part_of_a_position_is_told_or_has_a_reason_not_to_be() -> None:
    untold = " ".join(UNTOLD.values()).split()
    assert sorted([*TOLD, *untold]) == sorted(vars(game()))


def test_in_the_ordinary_state_nothing_is_in_force() -> None:
    g = game()
    assert lasting.lines(g, lasting.MARKS) == [] and "In force" not in told(g)


@pytest.mark.parametrize(("what", "given", "rows"), [
    ("cart_finished", {"turn": 1}, []), ("cart_finished", {"turn": 1, "cart_finished": 1}, [{}]),
    ("cart_finished", {"turn": 2, "cart_finished": 1}, []), ("popularity", {"popularity": {"krateros": 0}}, []),
    ("due", {"due": {"red": {"cus": {"mercenary": 0}}}}, []),
    ("due", {"due": {"red": {"generals": ["krateros"]}}}, [{"seat": "red", "cus": {}, "generals": ["krateros"]}]),
    ("control", {"spaces": {"pella": "red"}}, [{"seat": "red", "whole": [], "parts": {"makedonia": ["pella"]}}]),
    ("control", {"provinces": {"makedonia": "independent"}}, [{"seat": "independent", "whole": ["makedonia"], "parts": {}}]),
    ("family", {"dead": ["olympias"], "tomb": {"at": "babylon"}}, []),
    ("family", {"family": {"kleopatra": {"at": "sardeis"}}, "dead": ["olympias"], "tomb": {"at": "babylon"}},
     [{"there": [{"royal": "kleopatra", "at": "sardeis", "seat": ""}], "dead": ["olympias"]}]),
    ("tomb", {}, []), ("fleets", {}, []), ("dispersed", {}, []),
    ("dispersed", {"dispersed": {"blue": {"cus": {"loyal": 2}}}}, [{"seat": "blue", "generals": [], "cus": {"loyal": 2}}]),
    ("dispersed", {"dispersed": {"blue": {"generals": ["krateros"]}}}, [{"seat": "blue", "generals": ["krateros"], "cus": {}}]),
    ("generals", {"dealt": {"red": ["perdikkas"]}}, []), ("deck", {}, []),
    ("deck", {"face_down": 3}, [{"left": 0, "face_down": 3}]),
    ("discards", {}, []), ("out", {"out": ["26", "O66"]}, [{"cards": ["26"]}]), ("out", {"out": ["O66"]}, []),
])
def test_a_line_has_what_is_so_and_nothing_else(what: str, given: dict[str, Any], rows: list[dict[str, Any]]) -> None:
    assert list({**lasting.MARKS, **lasting.PLACES}[what](game(**given))) == rows


def test_a_card_that_was_chosen_besides_is_out_of_the_game_when_it_has_left_it() -> None:
    """16.1"""
    g = stated({"turn": 2, "out": ["O66", "O67"]}, options=["O66"])
    assert list(lasting.out(g)) == [{"cards": ["O66"]}]


def test_what_is_nobodys_is_told_where_it_cannot_be_asked_for() -> None:
    """6.2 A Fleet that is dispersed; not a Cart that is no more, which is nobody's death."""
    g = game(family={"kleopatra": {"at": "sardeis"}})
    g.fleets["karia"].dispersed, g.royals["cart"].at = True, DEAD
    (row,) = lasting.fleets(g)
    assert (row["seat"], [one["fleet"] for one in row["fleets"]]) == ("", ["karia"])
    assert [row["dead"] for row in lasting.family(g)] == [[]]


@pytest.mark.parametrize(("edition", "seats", "told"), [("fourth", 2, 0), ("fourth", 3, 1), ("fourth", 4, 1), ("third", 4, 0)])
def test_who_sits_where_is_told_where_that_was_chosen_and_means_something(edition: str, seats: int, told: int) -> None:
    """4.4"""
    g = stated({"turn": 2}, edition=edition, seats=SEATS[:seats])
    assert list(lasting.seating(g)) == [{"seats": list(SEATS[:seats])}] * told


def test_every_kind_of_line_has_its_sentence() -> None:
    assert {*lasting.MARKS, *lasting.PLACES} == sentences("en", "lasting").keys()


def test_the_to_do_list_reminds_of_marks_but_not_of_every_piece() -> None:
    g = game(oracle="red", spaces={"pella": "red"})
    text = status(view(g, None), ITEMS, WORDS)
    assert "in force  The Oracle has spoken for Red" in text and "PCs of" not in text


def test_markdown_lists_the_same_lines() -> None:
    assert "### In force - The Oracle has spoken for Red;" in told(game(oracle="red"), "md")


def test_oratory_is_told_while_it_lasts() -> None:
    g = game()
    g.oratory["krateros"] += 2
    assert "Krateros is 2 P more popular until the segment ends." in told(g)
    g.oratory["krateros"] -= 2
    assert list(lasting.oratory(g)) == []
