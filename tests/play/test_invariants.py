"""Every invariant notices what it is there for: a sound position, one thing wrong, one sentence about it."""

from collections import Counter
from collections.abc import Callable

import pytest
import small_position
from small_position import SEATS

from pbem.play.invariants import broken
from pbem.rules import victory
from pbem.table.state import DEAD, DISPERSED, FRESH, INDEPENDENT, OFF, Game, Past, Unit

SOUND = {
    "turn": 2, "segment": {"player": "red", "kind": "activation"}, "turn_order": ["red", "blue", "yellow"],
    "spaces": {"pella": "red", "larisa": "blue", "athenai": "blue", "elymaioi": "independent"},
    "forces": [
        {"at": "pella", "loc": "inside", "owner": "red", "generals": ["antipatros"], "cus": {"royal": 2}},
        {"at": "pella", "owner": "blue", "generals": ["eumenes"], "cus": {"loyal": 2, "silver": 2}},
        {"at": "larisa", "owner": "blue", "generals": [], "cus": {"mercenary": 1}},
        {"at": "athenai", "owner": "red", "generals": ["philoxenos"], "cus": {"mercenary": 3}},
        {"at": "lamia", "owner": "independent", "generals": ["leosthenes"], "cus": {"independent": 6}},
        {"at": "babylon", "owner": "yellow", "generals": ["perdikkas"], "cus": {"royal": 6}},
    ],
    "cart": {"at": "babylon", "owner": "yellow"}, "family": {"olympias": {"at": "pella", "loc": "inside", "owner": "red"}},
    "siege_points": {"pella": {"by": "blue", "points": 1}}, "hands": {"red": 3},
    "deck": {"name": "main,2", "cards": ["1"], "left": 60}, "discards": ["1", "2", "3"], "out": ["47B", "O60", "O61", "O62"],
}


def game() -> Game:
    g = small_position.stated(SOUND, seats=SEATS[:3])
    victory.settle(g)
    return g


def add(at: str, seat: str, kind: str, number: int = 1, past: Past = FRESH) -> Callable[[Game], None]:
    return lambda g: g.add(at, seat, {Unit(kind, past): number})


def general(name: str, **facts: str) -> Callable[[Game], None]:
    return lambda g: stated(g.generals[name], facts)


def royal(name: str, **facts: str) -> Callable[[Game], None]:
    return lambda g: stated(g.royals[name], facts)


def stated(piece: object, facts: dict[str, str]) -> None:
    for fact, value in facts.items():
        setattr(piece, fact, value)


def change(field: str, value: object) -> Callable[[Game], None]:
    return lambda g: setattr(g, field, value)


def empty_stack(g: Game) -> None:
    g.cus["larisa"]["blue"] = Counter()


def stale_province(g: Game) -> None:
    """PCs changed behind the back of `set_pc`, which forgets what was counted."""
    g.province_controller("makedonia")
    g.pc.update(dict.fromkeys(g.board.spaces_of("makedonia"), "red"))


def upgraded_in_no_hands(g: Game) -> None:
    g.fleets["kilikia"].upgraded = True


def forgotten_totals(g: Game) -> None:
    g.champion["red"] = not g.champion["red"]


def armed_with_nothing(g: Game) -> None:
    g.remove("lamia", INDEPENDENT, dict(g.units("lamia", INDEPENDENT)))


ALWAYS = [
    (add("tp_tigris", "red", "royal"), "9 Royal Army CUs (7.2F)"),
    (add("larisa", "blue", "silver"), "the Silver Shields are 3 CUs"),
    (add("pella/inside", "red", "loyal"), "more than 2 CUs inside pella (9.4)"),
    (add("larisa/inside", "blue", "loyal"), "CUs at larisa/inside, which is no location"),
    (add("athenai/inside", "red", "loyal"), "CUs of red inside athenai, which is blue (9.4)"),
    (add("larisa", "green", "loyal"), "CUs of green at larisa"),
    (add("larisa", "blue", "independent"), "blue has independent CUs at larisa"),
    (add("larisa", INDEPENDENT, "independent"), "1 Independent CUs at larisa, their Armies have 0 (7.5)"),
    (armed_with_nothing, "0 Independent CUs at lamia, their Armies have 6 (7.5)"),
    (empty_stack, "blue has an empty or negative stack at larisa"),
    (add("larisa", "blue", "loyal", past=Past("eumenes")), "loyal of blue at larisa were moved by eumenes (9.1)"),
    (general("eumenes", mover="krateros"), "eumenes was moved by krateros (9.1)"),
    (general("eumenes", at="nowhere"), "eumenes is in 'nowhere'"),
    (general("eumenes", seat=""), "eumenes on the map serves nobody"),
    (general("eumenes", at="athenai/inside", seat="red"), "eumenes of red is inside athenai (9.4)"),
    (general("philoxenos", at=DISPERSED), "Minor Generals only leave the map (7.1C)"),
    (general("philoxenos", seat="blue"), "philoxenos serves blue, not red (7.1C)"),
    (general("leosthenes", at=OFF), "leosthenes is independent's in 'off map' (7.5)"),
    (royal("tomb", at="memphis"), "both Funeral Cart and Tomb are on the map (3.8)"),
    (royal("herakles", seat="red"), "herakles (nowhere) is controlled by red (8.2)"),
    (royal("kleopatra", at="memphis/inside"), "kleopatra is inside memphis, which no player controls (9.4)"),
    (upgraded_in_no_hands, "Fleet kilikia is upgraded without being available (7.4)"),
    (lambda g: g.set_pc("tp_tigris", "red"), "a PC on tp_tigris (2)"),
    (lambda g: g.set_pc("larisa", "green"), "a PC of green on larisa (2)"),
    (stale_province, "makedonia is thought to be nobody's, not red's"),
    (change("deck", 61), "71 cards of 70"),
    (lambda g: g.discards.append("1"), "card 1 lies open 2 times"),
    (change("card", "4"), "card 4 is being played and lies nowhere"),
    (change("turn_order", ("red", "blue")), "turn order red, blue of red, blue, yellow (5.1C)"),
    (change("usurper", "green"), "the Usurper is green (5.1B)"),
]
SETTLED = [
    (general("perdikkas", at=DISPERSED), "nothing shows that the CUs at babylon are yellow's (7.2A)"),
    (general("philoxenos", at="memphis"), "philoxenos is alone at memphis (7.1C)"),
    (general("antipatros", at="athenai"), "philoxenos is subordinate at athenai (7.1C)"),
    (general("eumenes", at="babylon"), "blue and yellow stand together at babylon (10)"),
    (royal("cart", seat=""), "yellow does not control cart at babylon (8.2)"),
    (royal("cart", seat="red"), "red controls cart at babylon without General or PC (8.3)"),
    (royal("olympias", seat=""), "olympias is uncontrolled inside pella (8.3)"),
    (lambda g: g.siege_points.update(athenai=("blue", 1)), "Siege Points of blue at athenai without a CU there (15.3)"),
    (lambda g: g.siege_points.update(lamia=("red", 1)), "Siege Points of red at lamia without a CU there (15.3)"),
    (forgotten_totals, "red has L and VP"),
    (general("eumenes", at=DEAD, seat=""), "nothing shows that the CUs at pella are blue's (7.2A)"),
]


def test_a_sound_position_is_sound() -> None:
    assert broken(game()) == []


@pytest.mark.parametrize(("spoil", "said"), ALWAYS, ids=[said for _, said in ALWAYS])
def test_what_always_holds(spoil: Callable[[Game], None], said: str) -> None:
    g = game()
    spoil(g)
    assert any(said in one for one in broken(g, settled=False)), broken(g, settled=False)


@pytest.mark.parametrize(("spoil", "said"), SETTLED, ids=[said for _, said in SETTLED])
def test_what_holds_after_a_procedure(spoil: Callable[[Game], None], said: str) -> None:
    """In the middle of a Procedure it may be otherwise."""
    g = game()
    spoil(g)
    assert any(said in one for one in broken(g)), broken(g)
    assert broken(g, settled=False) == []
