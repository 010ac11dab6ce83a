"""13 and 9.5 beyond the rule cases: what cards, dropped pieces, full cities and holding boxes do at sea and on the march."""

from collections.abc import Sequence
from typing import Any

import pytest
from small_position import Dice, army, stated, table

from pbem.base.errors import Refused
from pbem.orders import Order, Pieces
from pbem.rules import independents
from pbem.rules.generals import FREE_ACTS
from pbem.table import position
from pbem.table.state import BOX, DISPERSED, INDEPENDENT

PASS = (Order("pass"),)


class Play:
    """A game in one segment of red's, with orders and answers given to the real engine."""

    def __init__(self, given: dict[str, Any], dice: Sequence[int] = (), rules: str = "fourth") -> None:
        self.g = stated({"turn": 2, "phase": "strategy", "segment": {"player": "red", "kind": "activation"}, **given},
                        edition=rules, dice=Dice(dice))
        self.table = table(self.g)

    @property
    def kind(self) -> str:
        assert self.table.question is not None
        return self.table.question.kind

    def asked(self) -> tuple[str, ...]:
        assert self.table.question is not None
        return self.table.question.sides

    def do(self, *orders: Order) -> "Play":
        """Orders of the one who is asked; windows before them are answered with nothing."""
        for order in orders:
            self.answer()
            question = self.table.question
            assert question is not None
            self.table.answer({question.sides[0]: question.read(question.sides[0], order)})
        return self

    def answer(self, **said: Any) -> "Play":
        """What the open window hears; sides that are not named pass. Without a word all windows are passed by."""
        question = self.table.question
        while question is not None and question.sealed:
            assert set(said) <= set(question.sides)
            self.table.answer({side: question.read(side, said.get(side, PASS)) for side in question.sides})
            if said:
                break
            question = self.table.question
        return self


def embark(general: str, *fleets: str, **cus: int) -> Order:
    return Order("embark", general=general, fleets=fleets, pieces=Pieces.of(cus=cus) if cus else None)


def sail(general: str, port: str) -> Order:
    return Order("sail", general=general, path=(port,))


# --- 13 Naval Movement -------------------------------------------------------------------------------------------


def test_storms_send_the_movement_home_and_end_the_activation() -> None:
    play = Play({"forces": [army("red", "ake", "seleukos", mercenary=3)], "spaces": {"ake": "red"}, "mp": {"seleukos": 4},
                 "hands": {"blue": 1}, "deck": {"name": "x", "cards": [], "left": 9}})
    play.do(embark("seleukos"), sail("seleukos", "gaza"))
    assert (play.kind, play.asked()) == ("naval_cards", ("blue",))
    play.answer(blue=(Order("play", card="55", how="surprise"),)).answer()
    assert play.g.generals["seleukos"].at == "ake"
    assert play.g.activation is None and play.g.activated["seleukos"] == 0


def test_whoever_is_at_sea_comes_home_although_the_general_who_was_activated_is_no_more() -> None:
    """13.1 Dropped off at the port he has died by a ruling, which also ends the activation: his companion is still red's."""
    play = Play({"forces": [army("red", "ake", "antigonos", "asandros", mercenary=2)], "spaces": {"ake": "red"},
                 "mp": {"antigonos": 4, "asandros": 4}})
    play.do(embark("antigonos"), Order("drop", pieces=Pieces.of(["antigonos"])))
    position.state(play.g, {"dead": ["antigonos"]})
    play.table.abandon("activation")
    assert play.g.generals["asandros"].at == "ake" and play.g.kinds("ake", "red") == {"mercenary": 2}


@pytest.mark.parametrize(("port", "asked"), [("tyros", True), ("sidon", False)])
def test_two_sea_paths_from_the_port_announced_are_the_reach(port: str, asked: bool) -> None:
    """13.3 A Gaza - Ake - Tyros - Sidon: two paths from Gaza end at Tyros."""
    play = Play({"forces": [army("red", "pelousion", "seleukos", mercenary=1)], "mp": {"seleukos": 4},
                 "spaces": {"pelousion": "red", port: "blue"}, "fleets": {"blue": ["kilikia"]}})
    play.do(embark("seleukos"), sail("seleukos", "gaza"))
    assert (play.kind == "naval_battle") is asked


@pytest.mark.parametrize("rules", ["fourth", "third"])
def test_what_fog_calls_off_costs_no_status(rules: str) -> None:
    """13.3 B Neither where it is the battle nor where it is its declaration that counts."""
    play = Play({"forces": [army("red", "ake", "seleukos", mercenary=1)], "mp": {"seleukos": 4}, "spaces": {"gaza": "blue"},
                 "fleets": {"blue": ["kilikia"]}, "hands": {"red": 1}, "deck": {"name": "x", "cards": [], "left": 9},
                 "champions": {"red": "yes", "blue": "yes"}}, rules=rules)
    play.do(embark("seleukos"), sail("seleukos", "gaza")).answer(blue=(Order("naval_battle", fleets=("kilikia",)),))
    play.answer(red=(Order("play", card="53", how="surprise"),)).answer()
    assert play.g.champion["blue"]
    assert play.g.activation is not None and play.g.activation.here == "gaza/sea"


def test_a_city_holds_two_when_a_beaten_voyage_comes_back() -> None:
    """13.3 D, 9.4 Picked up on the way, they do not all fit into the city that the two had left."""
    play = Play({"forces": [army("red", "tyros", "seleukos", loc="inside", loyal=2), army("red", "ake", mercenary=1)],
                 "spaces": {"tyros": "red", "ake": "red", "gaza": "blue"}, "fleets": {"blue": ["kilikia"]},
                 "mp": {"seleukos": 4}}, dice=[1, 1, 6, 6, 1])
    play.do(embark("seleukos"), sail("seleukos", "ake")).answer()
    play.do(Order("pick_up", pieces=Pieces.of(cus={"mercenary": 1})), sail("seleukos", "gaza"))
    play.answer(blue=(Order("naval_battle", fleets=("kilikia",)),)).answer()
    assert play.g.kinds("tyros/inside", "red") == {"loyal": 2}
    assert play.g.kinds("tyros", "red") == {"mercenary": 1}
    assert play.g.generals["seleukos"].at == "tyros/inside"


def test_dropped_pieces_are_intercepted_and_withdraw_to_the_port() -> None:
    """11.1, 11.3 They go back alone; their General sails on."""
    given = {"forces": [army("red", "kyklades", "seleukos", mercenary=3), army("blue", "boiotia", "demetrios", mercenary=4)],
             "spaces": {"kyklades": "red"}, "mp": {"seleukos": 4}}
    play = Play(given, dice=[6])
    play.do(embark("seleukos"), sail("seleukos", "athenai"), sail("seleukos", "korinthos"))
    play.do(Order("drop", pieces=Pieces.of(cus={"mercenary": 2}), minor="any"))
    assert (play.kind, play.asked()) == ("interception", ("blue",))
    play.answer(blue=(Order("intercept", general="demetrios", from_="boiotia", pieces=Pieces.of(cus={"mercenary": 4})),))
    play.do(Order("withdraw"))
    assert play.g.kinds("kyklades", "red") == {"mercenary": 2}
    assert play.g.kinds("korinthos/sea", "red") == {"mercenary": 1}
    play.do(sail("seleukos", "athenai"), Order("disembark"))
    assert play.g.generals["seleukos"].at == "athenai"


def test_a_lone_interceptor_is_dispersed_by_what_was_dropped_before() -> None:
    """10 I The second party withdraws, the first one still stands there with a CU."""
    play = Play({"forces": [army("red", "kyklades", "seleukos", mercenary=3), army("blue", "boiotia", "demetrios")],
                 "spaces": {"kyklades": "red"}, "mp": {"seleukos": 4}}, dice=[6])
    play.do(embark("seleukos"), sail("seleukos", "athenai"), sail("seleukos", "korinthos"))
    play.do(Order("drop", pieces=Pieces.of(cus={"mercenary": 1}), minor="any")).answer()
    play.do(Order("drop", pieces=Pieces.of(cus={"mercenary": 1})))
    play.answer(blue=(Order("intercept", general="demetrios", from_="boiotia", pieces=Pieces.of()),))
    play.do(Order("withdraw"))
    assert play.g.sides_at("korinthos") == ["red"]
    assert play.g.generals["demetrios"].at == DISPERSED


def test_a_minor_general_does_not_leave_his_army_at_sea() -> None:
    play = Play({"forces": [army("red", "ake", "philoxenos", mercenary=2), army("red", "pella", mercenary=1)],
                 "spaces": {"ake": "red", "pella": "red"}, "mp": {"philoxenos": 3}})
    play.do(embark("philoxenos"))
    for order in (Order("place_minor", minor="philoxenos", from_="ake/sea", at="pella"), Order("remove_minor", at="ake/sea")):
        with pytest.raises(Refused) as refused:
            FREE_ACTS[order.verb].judge(play.g, "red", order)
        assert refused.value.rule == "13.1"


def test_silence_at_sea_means_landing() -> None:
    play = Play({"forces": [army("red", "ake", "seleukos", mercenary=2)], "spaces": {"ake": "red"}, "mp": {"seleukos": 3}})
    play.do(embark("seleukos"), sail("seleukos", "gaza")).answer()
    question = play.table.question
    assert question is not None
    play.do(question.default)
    assert play.g.generals["seleukos"].at == "gaza"


def silent(play: Play) -> str:
    """What the silence of the player whose turn it is does."""
    play.answer()
    question = play.table.question
    assert question is not None
    play.do(question.default)
    return str(question.default.verb)


def test_silence_off_a_hostile_shore_sails_on_to_a_free_port() -> None:
    play = Play({"forces": [army("red", "ake", "seleukos", mercenary=2), army("blue", "gaza", "demetrios", mercenary=4)],
                 "spaces": {"ake": "red"}, "mp": {"seleukos": 3}})
    play.do(embark("seleukos"), sail("seleukos", "gaza"))
    assert [silent(play), silent(play)] == ["sail", "disembark"]
    assert not play.g.sides_at(play.g.generals["seleukos"].at)[1:] and play.g.champion["red"]


def test_silence_takes_ship_where_the_way_out_is_the_sea() -> None:
    """10 C At Chalkis one MP is left, and the strait takes two."""
    armies = [army("red", "boiotia", "seleukos", mercenary=2), army("blue", "chalkis", "demetrios", mercenary=4)]
    play = Play({"forces": armies, "spaces": {"boiotia": "red"}, "mp": {"seleukos": 3}})
    play.do(Order("march", general="seleukos", path=("chalkis",), passage=("blue",)))
    play.answer(blue=(Order("grant"),)).do(Order("honour"))
    assert [silent(play) for _ in range(3)] == ["embark", "sail", "disembark"]
    assert play.g.sides_at("chalkis") == ["blue"] and not play.g.dispersed["red"]


@pytest.mark.parametrize(("path", "dice"), [(("megalopolis", "sparta"), [6]), (("sparta",), [])])
def test_sparta_is_passed_freely_by_sea_alone(path: tuple[str, ...], dice: list[int]) -> None:
    """10 A Entered by land and left by sea it costs Attrition on column 2; who starts there pays nothing."""
    play = Play({"forces": [army("red", path[0], "seleukos", mercenary=3)], "mp": {"seleukos": 4},
                 "spaces": {"sparta": "independent", "megalopolis": "red"}}, dice=dice)
    for space in path[1:]:
        play.do(Order("march", general="seleukos", path=(space,)))
    play.do(embark("seleukos"), sail("seleukos", "kydonia")).answer()
    rolled = [event for event in play.g.events if event.key == "attrition_rolled"]
    assert [event.facts["column"] for event in rolled] == ["2"] * len(dice)


# --- 9.5 Independent Armies --------------------------------------------------------------------------------------


def called(card: str, given: dict[str, Any], dice: Sequence[int] = ()) -> Play:
    play = Play({"segment": {"player": "red", "kind": "tyche"}, "hands": {"red": 1}, **given}, dice)
    return play.do(Order("play", card=card, how="event"))


def move(general: str, space: str) -> Order:
    return Order("independent_move", general=general, path=(space,))


def test_the_army_that_was_called_has_to_come() -> None:
    play = called("34", {"forces": [army(INDEPENDENT, "lamia", "leosthenes", independent=6)]})
    with pytest.raises(Refused) as refused:
        play.do(Order("pass"))
    assert refused.value.key == "must_enter"
    play.do(move("seuthes", "getai"), Order("pass"))
    assert play.g.generals["seuthes"].at == "getai" and play.kind == "tyche"


def test_intercepted_on_entering_it_may_withdraw_into_its_box() -> None:
    """11.3 And is inactive there; who moves it decides."""
    play = called("34", {"forces": [army("blue", "apollonia", "demetrios", mercenary=3)]}, dice=[6])
    play.do(move("seuthes", "istros"))
    play.answer(blue=(Order("intercept", general="demetrios", from_="apollonia", pieces=Pieces.of(cus={"mercenary": 3})),))
    assert (play.kind, play.asked()) == ("withdrawal", ("red",))
    play.do(Order("withdraw"))
    assert play.g.generals["seuthes"].at == BOX and not play.g.count(BOX, INDEPENDENT)
    assert independents.active(play.g) == []


def test_whoever_moves_it_does_not_react_to_it() -> None:
    play = called("34", {"forces": [army("red", "apollonia", "demetrios", mercenary=3)]})
    play.do(move("seuthes", "istros"))
    assert play.kind == "independent_move"


def test_of_two_armies_in_a_space_one_moves_with_its_own_cus() -> None:
    play = called("33", {"forces": [army(INDEPENDENT, "getai", "seuthes", "glaukias", independent=11)]})
    play.do(move("glaukias", "triballoi"))
    assert play.g.kinds("getai", INDEPENDENT) == {INDEPENDENT: 6}


def test_back_from_a_drawn_battle_it_removes_no_pc() -> None:
    """9.5, 14.10 (B34)."""
    play = called("34", {"forces": [army(INDEPENDENT, "lamia", "leosthenes", independent=6),
                                    army("blue", "larisa", "demetrios", mercenary=5)],
                         "spaces": {"lamia": "black", "larisa": "blue"}}, dice=[3, 3, 3, 3])
    play.do(move("leosthenes", "larisa")).answer()
    assert [event.key for event in play.g.events if event.key.startswith("battle_")][-1] == "battle_drawn"
    assert play.g.generals["leosthenes"].at == "lamia" and play.g.controller("lamia") == "black"


def test_silence_brings_the_called_army_in_and_moves_nobody_else() -> None:
    play = called("35", {"forces": [army(INDEPENDENT, "lamia", "leosthenes", independent=6)], "spaces": {"lamia": "black"}})
    for _ in range(3):
        question = play.table.question
        if question is None or question.kind != "independent_move":
            break
        play.do(question.default)
    assert play.g.on_map(play.g.generals["philon"]) and play.g.controller("lamia") == "black"
