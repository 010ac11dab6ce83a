"""The order language: what players type, what the log writes, and that both mean the same."""

import copy
import pickle
import subprocess
import sys
from operator import setitem
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbem import orders
from pbem.base.errors import Ambiguous, PbemError, Unreadable
from pbem.components.catalogue import facts
from pbem.orders import (
    ALL,
    CU_ORDER,
    NONE,
    VERBS,
    Alternative,
    Condition,
    Line,
    Order,
    Pieces,
    parse,
    read_answer,
    read_line,
    say,
    say_answer,
    say_line,
)
from pbem.orders.names import Names

FACTS = facts()
SEATS = {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}, "yellow": {}, "green": {"name": "Dora"}}
NAMES = Names(FACTS, SEATS)


# --- Canonical text -------------------------------------------------------------------------------

CANONICAL = {
    "roll": Order("roll"),
    "raise mercenary at inside Pella": Order("raise_mercenary", location="pella/inside"),
    "activate Kassandros": Order("activate", general="kassandros"),
    "march Kassandros > Lamia": Order("march", general="kassandros", path=("lamia",)),
    "march Kassandros with 2 loyal, 3 mercenary > Lamia > Larisa": Order(
        "march", general="kassandros", pieces=Pieces.of(cus={"mercenary": 3, "loyal": 2}),
        path=("lamia", "larisa"),
    ),
    "march Attalos with all leaving 1 royal, Philippos > Lamia asking passage of Blue, Yellow openly": Order(
        "march", general="attalos", pieces=ALL, leave=Pieces.of(cus={"royal": 1}, royals=["philippos"]),
        path=("lamia",), passage=("blue", "yellow"), openly=True,
    ),
    "march Kassandros > Lamia openly via Lamia > Larisa > Pella": Order(
        "march", general="kassandros", path=("lamia",), route=("lamia", "larisa", "pella")
    ),
    "shift Kassandros with Philoxenos, 2 silver shields inside at Pella": Order(
        "shift", general="kassandros", pieces=Pieces.of(["philoxenos"], {"silver": 2}),
        to="inside", at="pella",
    ),
    "shift with 2 loyal outside": Order("shift", pieces=Pieces.of(cus={"loyal": 2}), to="outside"),
    "pick up Krateros, 2 loyal, Olympias": Order(
        "pick_up", pieces=Pieces.of(["krateros"], {"loyal": 2}, ["olympias"])
    ),
    "drop 2 mercenary inside under Philoxenos": Order(
        "drop", pieces=Pieces.of(cus={"mercenary": 2}), loc="inside", minor="philoxenos"
    ),
    "drop 2 mercenary under a minor": Order("drop", pieces=Pieces.of(cus={"mercenary": 2}), minor="any"),
    "split inside Pella leaving 2 loyal under a minor": Order(
        "split", location="pella/inside", pieces=Pieces.of(cus={"loyal": 2}), minor="any"
    ),
    "place minor at Larisa": Order("place_minor", at="larisa"),
    "place minor Philoxenos at Larisa from at sea off Pella": Order(
        "place_minor", minor="philoxenos", at="larisa", from_="pella/sea"
    ),
    "remove minor Philoxenos": Order("remove_minor", minor="philoxenos"),
    "remove minor at Larisa": Order("remove_minor", at="larisa"),
    "disband 2 royal at Pella": Order("disband", number=2, location="pella"),
    "place pc at Larisa, Haimos pass": Order("place_pc", spaces=("larisa", "tp_haimos")),
    "independent Leosthenes > Larisa": Order("independent_move", general="leosthenes", path=("larisa",)),
    "independent Leosthenes place pc at Larisa": Order("independent_move", general="leosthenes", space="larisa"),
    "embark Krateros with 2 loyal escorted by Karia, Rhodos": Order(
        "embark", general="krateros", pieces=Pieces.of(cus={"loyal": 2}), fleets=("karia", "rhodos")
    ),
    "embark Krateros leaving 2 loyal escorted by no fleets": Order(
        "embark", general="krateros", leave=Pieces.of(cus={"loyal": 2}), fleets=()
    ),
    "sail Krateros > Rhodos > Xanthos": Order("sail", general="krateros", path=("rhodos", "xanthos")),
    "disembark Krateros outside asking passage of Blue": Order(
        "disembark", general="krateros", loc="outside", passage=("blue",)
    ),
    "naval battle with Karia": Order("naval_battle", fleets=("karia",)),
    "remove pc at Lamia with Kassandros": Order("remove_pc", space="lamia", general="kassandros"),
    "siege Pella with Kassandros": Order("siege", space="pella", general="kassandros"),
    "siege Pella with Kassandros playing 49": Order("siege", space="pella", general="kassandros", card="49"),
    "siege Pella with Kassandros using 3 mercenary": Order(
        "siege", space="pella", general="kassandros", pieces=Pieces.of(cus={"mercenary": 3})
    ),
    "end activation": Order("end_activation"),
    "end segment": Order("end"),
    "play 32 as ops": Order("play", card="32", how="ops"),
    "play 32 as ops 3": Order("play", card="32", how="ops", number=3),
    "play 57 as surprise on Krateros": Order(
        "play", card="57", how="surprise", target=("general", "krateros")
    ),
    "play 47A as event on Blue at inside Pella": Order(
        "play", card="47A", how="event", target=("seat", "blue"), at="pella/inside"
    ),
    "play 50 as surprise on card 55": Order("play", card="50", how="surprise", target=("card", "55")),
    "deploy Krateros at Issos": Order("deploy", general="krateros", at="issos"),
    "give back Eumenes": Order("give_back", general="eumenes"),
    "sit Blue, Red, Yellow": Order("sit", seating=("blue", "red", "yellow")),
    "first player Blue right": Order("first_player", seat="blue", direction="right"),
    "reinforce inside Pella with Krateros, 2 loyal": Order(
        "reinforce", location="pella/inside", pieces=Pieces.of(["krateros"], {"loyal": 2})
    ),
    "reinforce Larisa with 2 mercenary under a minor": Order(
        "reinforce", location="larisa", pieces=Pieces.of(cus={"mercenary": 2}), minor="any"
    ),
    "bury Alexander": Order("bury"),
    "build capital at Larisa": Order("build_capital", space="larisa"),
    "turn up 17": Order("turn_up", card="17"),
    "loot": Order("loot"),
    "loot Sousa": Order("loot", space="sousa"),
    "play 16 as event at Memphis taking loyal under a minor": Order(
        "play", card="16", how="event", at="memphis", kind="loyal", minor="any"
    ),
    "play 10 as bonus on Krateros choosing Larisa, Lamia": Order(
        "play", card="10", how="bonus", target=("general", "krateros"), spaces=("larisa", "lamia")
    ),
    "play 38 as event at Persepolis placing pc": Order("play", card="38", how="event", at="persepolis", pc=True),
    "train mercenary 4 then loyal": Order("train", kind="mercenary", number=4, then="loyal"),
    "train loyal": Order("train", kind="loyal"),
    "finish cart with 20": Order("finish_cart", card="20"),
    "retrieve fleet Athenai with 20": Order("retrieve_fleet", fleet="athenai", card="20"),
    "upgrade fleet Athenai with 20": Order("upgrade_fleet", fleet="athenai", card="20"),
    "recruit Seleukos with 5 at Babylon placing pc": Order(
        "recruit", general="seleukos", card="5", at="babylon", pc=True
    ),
    "lose 1 mercenary inside": Order("lose", pieces=Pieces.of(cus={"mercenary": 1}), loc="inside"),
    "raise mercenary at Larisa under a minor": Order("raise_mercenary", location="larisa", minor="any"),
    "force march Krateros 2": Order("force_march", general="krateros", number=2),
    "discard O60": Order("discard", card="O60"),
    "pass": Order("pass"),
    "intercept Lysimachos with all": Order("intercept", general="lysimachos", pieces=ALL),
    "intercept Lysimachos from Chersonesos with 2 loyal placing Philoxenos to lead": Order(
        "intercept", general="lysimachos", from_="chersonesos", pieces=Pieces.of(cus={"loyal": 2}),
        minor="philoxenos", minor_role="lead",
    ),
    "intercept Lysimachos with 2 loyal placing a minor to stay": Order(
        "intercept", general="lysimachos", pieces=Pieces.of(cus={"loyal": 2}), minor="any", minor_role="stay"
    ),
    "withdraw": Order("withdraw"),
    "stay": Order("stay"),
    "intercept Leosthenes from Lamia discarding": Order("intercept", general="leosthenes", from_="lamia", discarding=True),
    "evade Leosthenes discarding": Order("evade", general="leosthenes", discarding=True),
    "remove pc at Lamia with Kassandros using 2 mercenary, 1 cavalry": Order(
        "remove_pc", space="lamia", general="kassandros", pieces=Pieces.of(cus={"mercenary": 2, "cavalry": 1})),
    "evade": Order("evade"),
    "evade Krateros": Order("evade", general="krateros"),
    "evade > Lamia": Order("evade", path=("lamia",)),
    "evade Krateros > Lamia > Larisa": Order("evade", general="krateros", path=("lamia", "larisa")),
    "inside Krateros, 2 loyal": Order("sort_inside", pieces=Pieces.of(["krateros"], {"loyal": 2})),
    "outside nothing": Order("sort_outside", pieces=NONE),
    "grant": Order("grant"),
    "refuse": Order("refuse"),
    "reroll": Order("reroll"),
    "choose 2": Order("choose", number=2),
    "command Krateros": Order("command", general="krateros"),
    "use ability of Eumenes": Order("use_ability", general="eumenes"),
    "attack": Order("attack"),
    "honour": Order("honour"),
    "break": Order("break"),
    "lose 1 elephant, 1 cavalry": Order("lose", pieces=Pieces.of(cus={"cavalry": 1, "elephant": 1})),
    "c": Order("letter", letter="c"),
    "c 2 loyal": Order("letter", letter="c", pieces=Pieces.of(cus={"loyal": 2})),
}


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_text_is_read_and_written(text: str) -> None:
    assert parse(text, NAMES) == (CANONICAL[text],)
    assert say(CANONICAL[text], NAMES) == text


def test_every_verb_has_a_canonical_example() -> None:
    assert {order.verb for order in CANONICAL.values()} == set(VERBS)


# --- What people type -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("ROLL", "roll"),
        ("roll movement", "roll"),
        ("roll_movement", "roll"),
        ("raise a merc in Pella inside", "raise mercenary at inside Pella"),
        ("Raise 1 mercenary at pella", "raise mercenary at Pella"),
        ("activate Кассандр.", "activate Kassandros"),
        ("act Kass", "activate Kassandros"),
        ("MARCH cassander -> larissa→Lamia", "march Kassandros > Larisa > Lamia"),
        ("march Kassandros to Larisa to Lamia", "march Kassandros > Larisa > Lamia"),
        ("march Kassandros > Larisa, Lamia", "march Kassandros > Larisa > Lamia"),
        ("move Kassandros>Lamia", "march Kassandros > Lamia"),
        ("march Kassandros > Lamia with 2 loyals and 3 mercs",
         "march Kassandros with 2 loyal, 3 mercenary > Lamia"),
        ("march Kassandros openly to Lamia with all 4 CUs", "march Kassandros with all > Lamia openly"),
        (
            "march Kassandros asking passage of Bruno and Yellow leaving a RA > Lamia",
            "march Kassandros leaving 1 royal > Lamia asking passage of Blue, Yellow",
        ),
        ("march Kassandros with 2 Söldner + 1 слон > Lamia",
         "march Kassandros with 1 elephant, 2 mercenary > Lamia"),
        ("march Kassandros with 1 SS 2 RA 1 merc > Lamia",
         "march Kassandros with 2 royal, 1 silver shields, 1 mercenary > Lamia"),
        ("march Kassandros with 1 loyal, Philippos, 1 loyal, Attalos > Lamia",
         "march Kassandros with Attalos, 2 loyal, Philippos > Lamia"),
        ("march Kassandros with no CUs > Lamia", "march Kassandros with nothing > Lamia"),
        ("march Kassandros with all, Philippos > Lamia", "march Kassandros with all, Philippos > Lamia"),
        ("shift Kassandros inside Pella", "shift Kassandros inside at Pella"),
        ("shift outside with 2 loyal", "shift with 2 loyal outside"),
        ("shift out Kassandros", None),
        ("pickup three loyal", "pick up 3 loyal"),
        ("drop off 2 merc outside", "drop 2 mercenary outside"),
        ("drop 2 merc under any minor", "drop 2 mercenary under a minor"),
        ("split Pella leaving 2 loyal led by Philoxenos", "split Pella leaving 2 loyal under Philoxenos"),
        ("place a minor at Larisa", "place minor at Larisa"),
        ("place Philoxenos at Larisa", "place minor Philoxenos at Larisa"),
        ("place minor from Pella at Larisa", "place minor at Larisa from Pella"),
        ("remove a minor at Larisa", "remove minor at Larisa"),
        ("remove Philoxenos", "remove minor Philoxenos"),
        ("disband 2 RA in Pella", "disband 2 royal at Pella"),
        ("place PCs at Larisa, Lamia and Trikka", "place pc at Larisa, Lamia, Trikka"),
        ("besiege Pella with Kassandros", "siege Pella with Kassandros"),
        ("end", "end segment"),
        ("end turn", "end segment"),
        ("play 32 ops", "play 32 as ops"),
        ("play 32 for its points", "play 32 as ops"),
        ("play #32 for 3", None),
        ("play card 32 as ops", "play 32 as ops"),
        ("play Thessalonike as event", "play 32 as event"),
        ("play Traitor Inside City as bonus at Pella", "play 49 as bonus at Pella"),
        ("surprise 57 on Krateros", "play 57 as surprise on Krateros"),
        ("surprise Cretan Liar on Storms at Sea", None),  # two copies of the Liar
        ("surprise 50 on Storms at Sea", "play 50 as surprise on card 55"),
        ("play 50 as surprise on Storms at Sea", "play 50 as surprise on card 55"),
        ("play 32 on Krateros as event", "play 32 as event on Krateros"),
        ("play 2 as event on province Rhodos", "play 2 as event on province Rhodos"),
        ("play 2 as event on Rhodos", "play 2 as event on Rhodos"),
        ("play 2 as event on fleet Makedonia", "play 2 as event on fleet Makedonia"),
        ("force-march Krateros +2", "force march Krateros 2"),
        ("force march Krateros by 2", "force march Krateros 2"),
        ("discard Rednergabe", "discard 57"),
        ("no", "pass"),
        ("None.", "pass"),
        ("yes", None),
        ("intercept Lysimachos with 2 loyal from Chersonesos",
         "intercept Lysimachos from Chersonesos with 2 loyal"),
        ("evade to Lamia", "evade > Lamia"),
        ("honor", "honour"),
        ("sit Bruno red  YELLOW", "sit Blue, Red, Yellow"),
        ("C: 2 loyal", "c 2 loyal"),
        ("b)", "b"),
    ],
)
def test_forgiving_in_strict_out(typed: str, written: str | None) -> None:
    if written is None:
        with pytest.raises((Unreadable, Ambiguous)):
            parse(typed, NAMES)
        return
    assert "; ".join(say(order, NAMES) for order in parse(typed, NAMES)) == written
    assert parse(written, NAMES) == parse(typed, NAMES)


def test_one_line_holds_several_orders_and_a_comment() -> None:
    two = (Order("activate", general="krateros"), Order("roll"))
    assert parse("activate Krateros; roll", NAMES) == two
    assert parse(" activate Krateros ;; roll ; # the die decides; roll", NAMES) == two
    both = parse("intercept Krateros with all; and intercept Eumenes with 1 ele", NAMES)
    assert [order.general for order in both] == ["krateros", "eumenes"]
    assert parse("intercept Krateros with all and intercept Eumenes with 1 elephant", NAMES) == both
    assert parse("# nothing here", NAMES) == ()


def test_within_narrows_what_names_can_mean() -> None:
    hand = {"card": ["18", "32"]}
    assert parse("play Unrest as event", NAMES, hand) == (Order("play", card="18", how="event"),)
    assert parse("discard fog", NAMES, {"card": {"56"}}) == (Order("discard", card="56"),)
    with pytest.raises(Ambiguous):
        parse("discard fog", NAMES)


@pytest.mark.parametrize(
    ("text", "key", "facts"),
    [
        ("march Kasandros > Lamia", "unknown_name", {"kind": "general", "text": "Kasandros"}),
        ("march Kassandros > Lamja with 2 loyal", "unknown_name", {"kind": "space", "text": "Lamja"}),
        ("march Kassandros with 2 hoplites > Lamia", "unknown_name", {"kind": "cu", "text": "hoplites"}),
        ("march Kassandros with 2 loyal, Zeus > Lamia", "unknown_name", {"text": "Zeus"}),
        ("march Kassandros with mercenaries > Lamia", "how_many", {"kind": "mercenary"}),
        ("march Kassandros with all, 2 loyal > Lamia", "all_and_some", {"text": "all, 2 loyal"}),
        ("drop 2 loyal under Kassandros", "unknown_name", {"text": "Kassandros"}),  # he is no Minor General
        ("march Pol > Lamia", "ambiguous_name", {"text": "Pol"}),
        ("intercept", "unreadable_order", {"text": "intercept"}),
        ("dance", "unreadable_order", {"text": "dance"}),
        ("roll " + "x" * 2000, "line_too_long", {"longest": orders.LONGEST_ORDER}),
        ("roll; " * 2000, "line_too_long", {"longest": orders.LONGEST_LINE}),
    ],
)
def test_what_cannot_be_read_is_named(text: str, key: str, facts: dict[str, Any]) -> None:
    with pytest.raises((Unreadable, Ambiguous)) as refused:
        parse(text, NAMES)
    assert refused.value.key == key
    assert {name: refused.value.facts[name] for name in facts} == facts


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("siege", "siege SPACE [with GENERAL] [using PIECES] [playing CARD]"),
        ("activate", "activate GENERAL"),
        ("march Kassandros", orders.VERBS["march"][0].shown()),
        ("disbnad 2 royal at Pella", "disband NUMBER royal at LOCATION"),
        ("surprise", "play CARD as event|ops|bonus|surprise [NUMBER] [on TARGET] [at LOCATION] [choosing SPACES] "
         "[taking mercenary|loyal|cavalry] [under MINOR] [placing pc]"),
        ("remove", "remove minor at LOCATION"),
    ],
)
def test_unreadable_orders_suggest_the_nearest_patterns(text: str, first: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(text, NAMES)
    assert refused.value.key == "unreadable_order"
    assert refused.value.facts["suggestions"][0] == first
    assert len(refused.value.facts["suggestions"]) <= 3


# --- Round trips ----------------------------------------------------------------------------------

KINDS_OF_TARGET = {
    "seat": [*SEATS, "independent"], "general": [*FACTS.generals, *FACTS.minors, *FACTS.independents],
    "royal": list(FACTS.royals), "space": list(FACTS.spaces), "province": list(FACTS.provinces),
    "card": list(FACTS.cards), "fleet": list(FACTS.fleets),
}
any_of = {kind: st.sampled_from(ids) for kind, ids in KINDS_OF_TARGET.items()}
locations = st.tuples(any_of["space"], st.sampled_from(["", "/inside", "/sea"])).map("".join)


@st.composite
def some_pieces(draw: st.DrawFn) -> Pieces:
    people = draw(st.lists(any_of["general"], max_size=2)), draw(st.lists(any_of["royal"], max_size=2))
    if draw(st.booleans()):
        return Pieces.of(people[0], {}, people[1])._replace(everything=True)
    cus = draw(st.dictionaries(st.sampled_from(CU_ORDER), st.integers(0, 20), max_size=3))
    return Pieces.of(people[0], cus, people[1])


VALUES: dict[str, st.SearchStrategy[Any]] = {
    **any_of,
    "location": locations,
    "pieces": some_pieces(),
    "path": st.lists(any_of["space"], min_size=1, max_size=4).map(tuple),
    "spaces": st.lists(any_of["space"], min_size=1, max_size=4).map(tuple),
    "seats": st.lists(any_of["seat"], min_size=1, max_size=3).map(tuple),
    "circle": st.lists(any_of["seat"], min_size=2, max_size=4).map(tuple),
    "minor": st.sampled_from([*FACTS.minors, "any"]),
    "fleets": st.just(("all",)) | st.lists(any_of["fleet"], max_size=3).map(tuple),
    "number": st.integers(0, 20),
    "letter": st.sampled_from(sorted(orders.LETTERS)),
    "target": st.sampled_from(
        [(kind, id) for kind, ids in KINDS_OF_TARGET.items() for id in ids]
    ),
    "flag": st.just(True),
}


def _args(draw: st.DrawFn, nodes: tuple[orders.Node, ...]) -> dict[str, Any]:
    args: dict[str, Any] = {}
    for node in nodes:
        if isinstance(node, orders.Maybe):
            if draw(st.booleans()):
                args.update(_args(draw, node.nodes))
        elif isinstance(node, orders.Slot):
            args[node.arg] = draw(st.sampled_from(node.words) if node.kind == "choice" else VALUES[node.kind])
    return args


@st.composite
def some_order(draw: st.DrawFn) -> Order:
    form = draw(st.sampled_from([form for forms in VERBS.values() for form in forms]))
    return Order(form.verb, **_args(draw, form.understood().nodes))


@given(some_order())
def test_every_order_is_read_back_as_it_was_written(order: Order) -> None:
    text = say(order, NAMES)
    assert parse(text, NAMES) == (order,)
    assert parse(text.upper(), NAMES) == (order,)


conditions = st.one_of(
    st.builds(Condition, st.just("mp"), st.none(), st.sampled_from(["<", "<=", "=", ">=", ">"]),
              st.integers(0, 99)),
    st.builds(Condition, st.just("general"), any_of["general"], st.sampled_from(["at", "not at"]), locations),
    st.builds(Condition, st.just("space"), any_of["space"], st.sampled_from(["is", "is not"]),
              st.sampled_from([*SEATS, "independent", "uncontrolled"])),
    st.builds(Condition, st.just("seat"), any_of["seat"], st.sampled_from(["acts", "passes"]),
              st.none()),
)
some_orders = st.lists(some_order(), min_size=1, max_size=3).map(tuple)


@given(st.builds(Line, some_orders, st.none() | conditions, st.booleans(), st.booleans(), st.just("")))
def test_every_line_is_read_back(line: Line) -> None:
    read = read_line(say_line(line, NAMES), NAMES)
    assert read is not None
    assert read._replace(text="") == line


alternatives = st.builds(
    Alternative, some_orders,
    st.none() | st.builds(
        Condition, st.just("seat"), any_of["seat"], st.sampled_from(["acts", "passes"]), st.none()
    ),
    st.none(),
)
steps = st.dictionaries(any_of["space"], st.lists(alternatives, min_size=1, max_size=2), max_size=2)


@given(st.lists(alternatives, max_size=2), steps)
def test_every_answer_is_read_back(here: list[Alternative], later: dict[str, list[Alternative]]) -> None:
    answer = (*here, *(one._replace(at=space) for space, some in later.items() for one in some))
    text = say_answer(answer, NAMES)
    assume(answer and len(text) <= orders.LONGEST_LINE)
    assert read_answer(text, NAMES) == answer


VOCABULARY = """
march Kassandros with 2 loyal > Lamia at Larisa if unless Blue passes else yes regardless and all inside
play 32 as ops on c MP >= # openly via is | Söldner Πέλλα intercept leaving { [ ( ; : ,
"""
WORDS = [*VOCABULARY.split(), "\n", "", "\\"]


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    for read in (parse, read_line, read_answer):
        try:
            read(text, NAMES)
        except PbemError as refused:
            assert refused.key in {
                "unreadable_order", "unreadable_condition", "unknown_name", "ambiguous_name", "how_many",
                "all_and_some",
            }


# --- Lines of one's own turn ----------------------------------------------------------------------

END = (Order("end_activation"),)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("if MP >= 3: end activation", Condition("mp", None, ">=", 3)),
        ("If MPs at least 3 : end activation", Condition("mp", None, ">=", 3)),
        ("if mp<2: end activation", Condition("mp", None, "<", 2)),
        ("if Kassandros at Lamia: end activation", Condition("general", "kassandros", "at", "lamia")),
        ("if Kassandros is not in Pella/inside: end activation",
         Condition("general", "kassandros", "not at", "pella/inside")),
        ("if Larisa is blue: end activation", Condition("space", "larisa", "is", "blue")),
        ("if Larissa is uncontrolled: end activation", Condition("space", "larisa", "is", "uncontrolled")),
        ("if Lamia is not independent: end activation", Condition("space", "lamia", "is not", "independent")),
        ("if Blue passed: end activation", Condition("seat", "blue", "passes")),
        ("if Bruno did not intercept: end activation", Condition("seat", "blue", "passes")),
        ("if Bruno doesn’t: end activation", Condition("seat", "blue", "passes")),
        ("if Kassandros at Haimos pass: end activation", Condition("general", "kassandros", "at", "tp_haimos")),
        ("end activation if MP >= 3", Condition("mp", None, ">=", 3)),
        ("end activation, but only if Larisa is blue", Condition("space", "larisa", "is", "blue")),
        ("if Blue intercepts: end activation", Condition("seat", "blue", "acts")),
    ],
)
def test_conditions_of_a_line(text: str, condition: Condition) -> None:
    assert read_line(text, NAMES) == Line(END, condition, False, False, text)


@pytest.mark.parametrize(
    ("text", "regardless", "confirmed"),
    [
        ("end activation", False, False),
        ("regardless: end activation", True, False),
        ("regardless end activation", True, False),
        ("end activation regardless", True, False),
        ("end activation, yes", False, True),
        ("end activation YES!", False, True),
        ("end activation regardless yes", True, True),
        ("end activation yes, regardless", True, True),
        ("- end activation", False, False),
        ("3. end activation   # as agreed", False, False),
    ],
)
def test_words_around_a_line(text: str, regardless: bool, confirmed: bool) -> None:
    assert read_line(text, NAMES) == Line(END, None, regardless, confirmed, text)


def test_condition_and_regardless_together() -> None:
    for text in ("regardless: if MP >= 3: end activation yes", "if MP >= 3: regardless end activation yes"):
        assert read_line(text, NAMES) == Line(END, Condition("mp", None, ">=", 3), True, True, text)


@pytest.mark.parametrize("text", ["", "   ", "# only a remark", "  # march Krateros > Lamia"])
def test_blank_lines_and_comments_are_nothing(text: str) -> None:
    assert read_line(text, NAMES) is None


@pytest.mark.parametrize("text", ["if the gods will: end", "if Blue sings: end", "if MP > many: end"])
def test_unreadable_conditions(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_line(text, NAMES)
    assert refused.value.key == "unreadable_condition"
    assert refused.value.facts["suggestions"]


@pytest.mark.parametrize(("text", "unknown"), [
    ("if Kasandroz at Haimos pass: end", "Kasandroz"), ("if Kassandros is at Nowhere: end", "Nowhere"),
    ("if Nobody passes: end", "Nobody"), ("if Nowhere is blue: end", "Nowhere")])
def test_of_what_a_condition_may_mean_the_first_says_what_is_unknown(text: str, unknown: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_line(text, NAMES)
    assert (refused.value.key, refused.value.facts["text"]) == ("unknown_name", unknown)


def test_a_line_has_one_condition() -> None:
    with pytest.raises(Unreadable):
        read_line("if MP >= 3: end activation if Larisa is blue", NAMES)


@pytest.mark.parametrize("words", [
    "one two three four five six seven eight nine ten", "ein zwei drei vier fünf sechs sieben acht neun zehn",
    "un due tre quattro cinque sei sette otto nove dieci", "один две три четыре пять шесть семь восемь девять десять"])
def test_a_number_may_be_a_word(words: str) -> None:
    for number, word in enumerate(words.split(), start=1):
        assert parse(f"drop {word} loyal", NAMES) == (Order("drop", pieces=Pieces.of(cus={"loyal": number})),)


@pytest.mark.parametrize(("text", "same"), [
    ("sit Blue Red Yellow", "sit Blue, Red, Yellow"), ("sit Blue > Red > Yellow", "sit Blue, Red, Yellow"),
    ("naval battle with all my fleets", "naval battle with all"), ("naval battle with nobody", "naval battle with no fleets")])
def test_a_list_may_be_written_otherwise(text: str, same: str) -> None:
    assert parse(text, NAMES) == parse(same, NAMES)


# --- Sealed answers -------------------------------------------------------------------------------

INTERCEPT = (Order("intercept", general="lysimachos", pieces=Pieces.of(cus={"loyal": 2})),)
PASS = (Order("pass"),)
YELLOW_PASSES = Condition("seat", "yellow", "passes")
BLUE_PASSES = Condition("seat", "blue", "passes")
BLUE_ACTS = Condition("seat", "blue", "acts")


def letter(which: str, **cus: int) -> tuple[Order, ...]:
    return (Order("letter", letter=which, pieces=Pieces.of(cus=cus) if cus else None),)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("pass", (Alternative(PASS),)),
        (
            "intercept Lysimachos with 2 loyal unless yellow does else pass",
            (Alternative(INTERCEPT, YELLOW_PASSES), Alternative(PASS)),
        ),
        ("intercept Lysimachos with 2 loyal if blue passes", (Alternative(INTERCEPT, BLUE_PASSES),)),
        ("intercept Lysimachos with 2 loyal, but only if Blue does not",
         (Alternative(INTERCEPT, BLUE_PASSES),)),
        ("intercept Lysimachos with 2 loyal if Bruno doesn't intercept",
         (Alternative(INTERCEPT, BLUE_PASSES),)),
        ("intercept Lysimachos with 2 loyal if blue intercepts too", (Alternative(INTERCEPT, BLUE_ACTS),)),
        ("intercept Lysimachos with 2 loyal unless blue passes", (Alternative(INTERCEPT, BLUE_ACTS),)),
        ("pass unless blue act", (Alternative(PASS, BLUE_PASSES),)),
        ("if blue passes: a, otherwise c 2 loyal | pass",
         (Alternative(letter("a"), BLUE_PASSES), Alternative(letter("c", loyal=2)), Alternative(PASS))),
        ("a unless yellow intercepts", (Alternative(letter("a"), YELLOW_PASSES),)),
        ("B", (Alternative(letter("b")),)),
        ("c: 2 loyal, 1 merc", (Alternative(letter("c", loyal=2, mercenary=1)),)),
        ("at Larisa: pass", (Alternative(PASS, None, "larisa"),)),
        (
            "pass; at Larisa: a if blue acts else pass\nat Lamia: intercept Lysimachos with 2 loyal # far",
            (Alternative(PASS), Alternative(letter("a"), BLUE_ACTS, "larisa"),
             Alternative(PASS, None, "larisa"), Alternative(INTERCEPT, None, "lamia")),
        ),
    ],
)
def test_sealed_answers(text: str, answer: tuple[Alternative, ...]) -> None:
    assert read_answer(text, NAMES) == answer
    assert read_answer(say_answer(answer, NAMES), NAMES) == answer


def test_an_alternative_may_hold_several_orders() -> None:
    (both, neither) = read_answer(
        "intercept Krateros with all; and intercept Eumenes with all unless blue does else pass", NAMES
    )
    assert [order.general for order in both.orders] == ["krateros", "eumenes"]
    assert both.condition == BLUE_PASSES
    assert neither == Alternative(PASS)


def test_an_unreadable_condition_of_an_answer_is_named() -> None:
    with pytest.raises(Unreadable) as refused:
        read_answer("intercept Lysimachos with 2 loyal unless the moon is full else pass", NAMES)
    assert refused.value.key == "unreadable_condition"
    assert refused.value.facts["text"] == "unless the moon is full"


def test_an_endless_answer_is_refused() -> None:
    with pytest.raises(Unreadable) as refused:
        read_answer("pass else\n" * 1000, NAMES)
    assert refused.value.key == "line_too_long"


# --- Orders and pieces as values ------------------------------------------------------------------


def test_an_order_is_a_value() -> None:
    order = Order("march", general="kassandros", path=("lamia",))
    assert order == Order("march", path=("lamia",), general="kassandros")
    assert hash(order) == hash(Order("march", path=("lamia",), general="kassandros"))
    assert order != Order("evade", general="kassandros", path=("lamia",))
    assert order != "march"
    assert order.general == "kassandros"
    assert order.pieces is None
    assert Order("march", general="kassandros", path=("lamia",), openly=False, route=None) == order
    assert repr(order) == "Order('march', general='kassandros', path=('lamia',))"
    assert copy.deepcopy(order) == pickle.loads(pickle.dumps(order)) == order


def test_an_order_does_not_change() -> None:
    order = Order("march", general="kassandros", path=("lamia",))
    with pytest.raises(AttributeError):
        order.general = "krateros"
    with pytest.raises(AttributeError):
        del order.verb
    with pytest.raises(TypeError):
        setitem(order.args, "general", "krateros")
    assert order.but(general="krateros", path=None) == Order("march", general="krateros")
    assert order.general == "kassandros"
    assert not hasattr(order, "__html__")


def test_an_order_has_room_for_every_argument_of_the_patterns_and_for_nothing_else() -> None:
    asked = {slot.arg for forms in VERBS.values() for form in forms for slot in form.understood().slots}
    assert asked == {name for name in Order.__annotations__ if name != "verb"}
    assert not hasattr(Order("march"), "generl")


def test_saying_an_order_that_the_table_has_no_room_for() -> None:
    with pytest.raises(ValueError, match="no form of 'march'"):
        say(Order("march", general="kassandros"), NAMES)
    with pytest.raises(ValueError, match="no form of 'pass'"):
        say(Order("pass", general="kassandros"), NAMES)


def test_pieces_are_kept_in_one_order() -> None:
    pieces = Pieces.of(["krateros", "krateros"], {"mercenary": 3, "loyal": 2, "royal": 0}, ["philippos"])
    assert pieces == (("krateros",), (("loyal", 2), ("mercenary", 3)), ("philippos",), False)
    assert pieces.count() == 5
    assert pieces.number_of("mercenary") == 3
    assert pieces.number_of("royal") == 0
    assert Pieces.of() == NONE
    assert ALL.everything and ALL.count() == 0


def test_reading_nothing_loads_and_compiles_nothing() -> None:
    program = (
        "import re, sys; compiled = []; real = re._compiler.compile;"
        "re._compiler.compile = lambda *args: compiled.append(args) or real(*args);"
        "import pbem.base.errors, pbem.components.catalogue; compiled.clear(); import pbem.orders;"
        "print(len(compiled), sorted({'difflib', 'anyascii', 'yaml', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0 []"
