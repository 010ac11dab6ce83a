"""What happened, as a story: what several events become together, where a paragraph ends, what is not said twice."""

from copy import copy
from typing import Any

import pytest

from pbem.components import catalogue
from pbem.orders.names import Names
from pbem.table.events import ALL, Event
from pbem.telling.formats import FORMATS
from pbem.telling.story import drafted, going_on, story
from pbem.telling.words import Words

FACTS = catalogue.facts()
WORDS = Words("en", Names(FACTS, {seat: {} for seat in ("red", "blue", "yellow")}), FACTS)
TROOP: dict[str, Any] = {"seat": "red", "general": "kassandros", "generals": [], "cus": {"loyal": 2}, "royals": []}


def event(key: str, **facts: Any) -> Event:
    return Event(key, ALL, facts)


def marched(origin: str, target: str, left: int = 3, **other: Any) -> Event:
    return event("marched", **{**TROOP, **other}, origin=origin, target=target, cost=1, left=left)


def counted(general: str = "kassandros") -> Event:
    return event("mps_counted", seat="red", general=general, mps=4, spent=0, left=4)


def placed(space: str, seat: str = "red") -> Event:
    return event("pc_placed", seat=seat, space=space)


def fought(space: str) -> Event:
    sides = {"attackers": 2, "defenders": 3, "ratio": 4}
    return event("battle_began", attacker="red", defender="blue", space=space, **sides)


def told(*events: Event, numbers: dict[int, int] | None = None) -> list[str]:
    return [str(block) for section in story(events, WORDS, FORMATS["mail"], numbers or {}) for block in section.blocks]


# --- one sentence of several events ----------------------------------------------------------------------------------


def test_a_march_of_three_steps_names_all_of_its_way_and_what_it_cost() -> None:
    steps = [marched("pella", "larisa", 3), marched("larisa", "lamia", 2), marched("lamia", "boiotia", 1)]
    way = "Kassandros marched from Pella via Larisa and Lamia to Boiotia with 2 loyal CUs: 3 MPs, 1 left."
    assert told(*steps) == [way]
    assert told(*steps, numbers={id(steps[0]): 1, id(steps[2]): 2}) == [f"(1, 2) {way}"]


def test_another_general_marches_in_a_sentence_of_his_own() -> None:
    (text,) = told(marched("pella", "larisa"), marched("larisa", "lamia", general="krateros"))
    assert text == ("Kassandros marched from Pella to Larisa with 2 loyal CUs: 1 MP, 3 left. "
                    "Krateros marched from Larisa to Lamia with 2 loyal CUs: 1 MP, 3 left.")


def test_three_of_a_kind_are_one_sentence() -> None:
    provinces = [event("province_changed", province=one, old="", new="red") for one in ("hellas", "thrake", "karia")]
    royals = [event(key, royal=one, seat=seat, at="pella") for one in ("alexandros", "herakles", "kleopatra")
              for key, seat in (("royal_lost", "red"), ("royal_gained", "blue"))]
    assert told(placed("larisa"), placed("trikka"), placed("lamia"), *provinces, *royals) == [
        "Red placed PCs at Larisa, Trikka and Lamia. Hellas, Thrake and Karia came under the control of Red. "
        "Alexandros, Herakles and Kleopatra at Pella passed from Red to Blue."]


def test_what_is_told_in_between_makes_two_sentences_of_what_was_to_be_one() -> None:
    (text,) = told(placed("larisa"), event("dealt", seat="blue", count=4), placed("lamia"))
    assert text.count("Red placed") == 2


# --- paragraphs ------------------------------------------------------------------------------------------------------


def test_an_activation_begins_a_paragraph_and_is_not_said() -> None:
    assert told(placed("pella"), event("activated", general="kassandros", seat="red"), placed("lamia")) == [
        "Red placed a PC at Pella.", "Red placed a PC at Lamia."]
    assert told(event("activated", general="kassandros", seat="red")) == []


def test_movement_points_are_told_unless_the_march_that_follows_says_how_many_are_left() -> None:
    points = "Kassandros has 4 MPs, 0 spent, 4 left."
    march = "Kassandros marched from Pella to Larisa with 2 loyal CUs: 1 MP, 3 left."
    assert told(counted(), marched("pella", "larisa")) == [march]
    assert told(marched("pella", "larisa"), counted()) == [f"{march} {points}"]
    assert told(counted(), marched("pella", "larisa", general="krateros"))[0].startswith(points)
    assert told(counted(), placed("pella")) == [f"{points} Red placed a PC at Pella."]
    assert told(counted(), event("activation_ended", general="kassandros", seat="red")) == [points]


def test_who_has_movement_points_and_falls_has_them_told() -> None:
    killed = event("general_killed", seat="red", general="kassandros", space="pella")
    assert told(counted(), killed)[0].startswith("Kassandros has 4 MPs, 0 spent, 4 left. Kassandros (Red) was killed")


def test_a_segment_stands_before_the_first_thing_that_is_said_of_it() -> None:
    segment = event("segment_began", seat="red", segment="activation")
    activated = event("activated", general="kassandros", seat="red")
    assert told(segment, activated, placed("lamia")) == ["Red's Activation Segment. Red placed a PC at Lamia."]
    assert told(segment, activated) == []


def test_what_was_said_before_a_table_stands_above_it_and_nothing_below() -> None:
    rolled = event("siege_rolled", seat="red", general="krateros", space="tyros", cus={"loyal": 3}, die=4, name="x",
                   modifiers=[], total=4, result="1", points=1, loss=0, rides_off=False)
    gained = event("siege_points_changed", seat="red", space="tyros", old=0, new=1, needed=3)
    sieges = [rolled, gained, rolled, gained._replace(facts={**gained.facts, "old": 1, "new": 2})]
    before, table = told(placed("lamia"), *sieges)
    assert before == "Red placed a PC at Lamia." and table.count("Tyros") == 2
    assert told(*sieges) == [table]


def test_only_the_segment_that_is_open_stands_over_what_goes_on() -> None:
    turn, segment = event("player_turn_began", seat="red", round=2), event("segment_began", seat="red", segment="activation")
    assert going_on([turn, segment, placed("pella")], [placed("lamia")]) == [turn, segment]
    assert going_on([turn, placed("pella")], [placed("lamia")]) == [turn]


# --- a fight -------------------------------------------------------------------------------------------------------


def test_where_a_fight_is_is_said_once() -> None:
    killed = event("general_killed", seat="blue", general="krateros", space="lamia")
    lost = event("eliminated", seat="red", at="lamia", cus={"loyal": 1}, why="defeat")
    (text,) = told(fought("lamia"), killed, lost)
    assert text.count("Lamia") == 1 and "Krateros (Blue) was killed." in text and "Red lost 1 loyal CU." in text
    assert "killed at Lamia" in told(killed)[0] and "at Lamia" in told(lost)[0]


def test_what_happens_elsewhere_or_is_no_part_of_a_fight_says_where() -> None:
    elsewhere = event("general_killed", seat="blue", general="krateros", space="pella")
    (text,) = told(fought("lamia"), elsewhere, placed("lamia"))
    assert "Krateros (Blue) was killed at Pella." in text and "Red placed a PC at Lamia." in text
    (text,) = told(fought("lamia"), fought("pella"), elsewhere)
    assert "Krateros (Blue) was killed." in text


def test_where_else_it_happened_stands_though_its_name_begins_like_that_of_the_fight() -> None:
    box = copy(FACTS)
    box.spaces = {**FACTS.spaces, "pella": {**FACTS.spaces["pella"], "name": "Lamia Kato"}}
    words = Words("en", Names(box, {seat: {} for seat in ("red", "blue", "yellow")}), box)
    killed = event("general_killed", seat="blue", general="krateros", space="pella")
    (section,) = story([fought("lamia"), killed], words, FORMATS["mail"])
    assert section.blocks[0].endswith("Krateros (Blue) was killed at Lamia Kato.")


def test_what_one_reader_alone_may_know_is_told_as_such() -> None:
    seen = Event("card_seen", ("red",), {"seat": "red", "card": "1"})
    (text,) = told(placed("lamia"), seen)
    assert text.startswith("Red placed a PC at Lamia. Only for you: ")


# --- a draft -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "settled"), [(2, False), (3, True)])
def test_so_many_generals_arrive_together_only_in_a_set_up(number: int, settled: bool) -> None:
    arrived = [event("general_arrived", seat="red", general=one, at="pella")
               for one in ("perdikkas", "krateros", "kassandros")[:number]]
    provinces = [event("province_changed", province=one, old="", new=seat)
                 for one, seat in (("hellas", "red"), ("karia", "blue"), ("thrake", ""))]
    order = [one.facts["province"] for one in drafted([*provinces, *arrived]) if one.key == "province_changed"]
    assert order == (["thrake", "karia", "hellas"] if settled else ["hellas", "karia", "thrake"])
