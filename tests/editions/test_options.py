"""The optional rules (16): choosing them, what each changes, and how they play together."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_position import BOARD, FACTS, SEATS, Dice, holds, stated, table, told

from pbem import editions
from pbem.base.errors import PbemError, Refused
from pbem.base.language import sentences
from pbem.base.paths import languages
from pbem.chance.hidden import Hidden
from pbem.components.shipped import STATE
from pbem.desk.beginning import header_of
from pbem.editions import books
from pbem.editions.options import OPTIONS, cards, offered
from pbem.orders import Order
from pbem.orders.names import Names
from pbem.play import invariants
from pbem.play.match import Match, in_force
from pbem.rules import ownership, victory
from pbem.rules.setup import starting
from pbem.table import position
from pbem.table.state import NOWHERE, Game
from pbem.telling.words import Words

CARDS = tuple(cards())
HERE = tuple(number for number in OPTIONS if number in offered(editions.EDITIONS["fourth"]))
EVERYTHING = (*HERE, "16.1")
WORDS = Words("en", Names(FACTS, dict.fromkeys(SEATS, {})), FACTS)
ACTIVATION = {"player": "red", "kind": "activation"}
TYCHE = {"player": "red", "kind": "tyche"}
SURPRISES = ("53", "55")

chosen = st.lists(st.sampled_from((*HERE, *CARDS)), unique=True)


class Hands(Hidden):
    def shuffled(self, name: str, cards: tuple[str, ...]) -> None:
        self.deck, self.hands, self.face_down = sorted(cards), {}, []
        Random(name).shuffle(self.deck)


def game(*options: str, players: int = 4, hands: Mapping[str, list[str]] | None = None, **given: Any) -> Game:
    held = {seat: list(cards) for seat, cards in (hands or {}).items()}
    return stated({"hands": {seat: len(cards) for seat, cards in held.items()}, **given}, options=options,
                  seats=SEATS[:players], dice=Dice(seed=1), secret=Hands(None, held, []))


# --- choosing ----------------------------------------------------------------------------------------------------


@given(chosen)
def test_any_of_them_go_together_in_any_order(some: list[str]) -> None:
    rules = editions.ruleset("fourth", tuple(some))
    assert rules == editions.ruleset("fourth", tuple(reversed(some)))
    assert rules == editions.ruleset("fourth", rules.options)


@pytest.mark.parametrize("number", HERE)
def test_each_may_be_named_by_its_slug_and_changes_something(number: str) -> None:
    slug = OPTIONS[number].slug
    rules = editions.ruleset("fourth", (slug.upper(),))
    assert rules == editions.ruleset("fourth", (number, slug))
    assert rules.options == (number,)
    plain = editions.ruleset("fourth")
    assert any(getattr(rules, name) != getattr(plain, name) for name in rules._fields if name != "options")


def test_cards_may_be_chosen_one_by_one_by_name_or_all_together() -> None:
    """16.1"""
    assert editions.ruleset("fourth", ("o64", "O62")).options == ("O62", "O64")
    assert editions.ruleset("fourth", ("Superior Admiral",)).extra_cards == {"O66", "O67"}
    assert editions.ruleset("fourth", ("16.1",)) == editions.ruleset("fourth", tuple(cards().values()))
    assert editions.ruleset("fourth", ("16.1",)).options == ("16.1",)


@pytest.mark.parametrize(("edition", "text", "rule", "key"), [
    ("fourth", "16.13", "16", "unknown_optional_rule"),
    ("fourth", "cavalery", "16", "unknown_optional_rule"),
    ("third", "16.5", "16.5", "optional_rule_is_standard"),
    ("third", "O62", "16.1", "optional_rule_elsewhere"),
    ("draft", "cavalry", "16.9", "optional_rule_elsewhere"),
])
def test_what_cannot_be_chosen_says_why(edition: str, text: str, rule: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        editions.ruleset(edition, (text,))
    assert (refused.value.rule, refused.value.key) == (rule, key)


def test_a_game_of_the_4th_chooses_what_16_has() -> None:
    for number, option in OPTIONS.items():
        if number.startswith("16."):
            assert editions.ruleset("fourth", (option.slug,)).options == (number,)
        else:
            key = "optional_rule_is_standard" if number in ("19.2", "23.1") else "optional_rule_elsewhere"
            with pytest.raises(Refused, match=key.replace("_", " ")):
                editions.ruleset("fourth", (option.slug,))


@pytest.mark.parametrize("edition", ["third", "draft"])
def test_a_game_chooses_only_what_its_own_book_has_as_an_option(edition: str) -> None:
    """23 and 24 of the 3rd edition, 19 of the draft; games of before keep what they have agreed on."""
    book, seats = books.elsewhere(edition), {"red": {"name": "Anna"}, "blue": {"name": "Bruno"}}
    chapters = {"third": ("23.", "24."), "draft": ("19.",)}[edition]
    for number, option in OPTIONS.items():
        chosen: dict[str, Any] = {"edition": edition, "options": [option.slug]}
        if number in book and book[number][0].startswith(chapters):
            assert header_of("g", seats, chosen)["rules"]["options"] == [option.slug]
            assert number in offered(editions.EDITIONS[edition])
        else:
            with pytest.raises(Refused, match=f"optional rule .*{edition}"):
                header_of("g", seats, chosen)
            assert number not in offered(editions.EDITIONS[edition])
    assert Match({"data": STATE, "rules": {"edition": edition, "options": ["16.12"]}, "seats": seats}).g.rules.last_turn == 4


@pytest.mark.parametrize(("text", "meant"), [
    ("cavalery", "cavalry"), ("16.13", "16.12"), ("O6", "o60"), ("short", "short-game")])
def test_what_is_no_option_is_refused_with_the_nearest_names(text: str, meant: str) -> None:
    with pytest.raises(Refused) as refused:
        editions.ruleset("fourth", (text,))
    assert meant in refused.value.facts["nearest"]
    assert f" Perhaps {' or '.join(refused.value.facts['nearest'][:1])}" in WORDS.refusal(refused.value)


@pytest.mark.parametrize("text", ["", "nonsense", "16"])
def test_nothing_crashes_over_what_is_no_option(text: str) -> None:
    with pytest.raises(Refused, match="unknown optional rule"):
        editions.ruleset("third", (text,))


def test_every_option_is_a_rule_of_the_book() -> None:
    """So that refusals cite it by its title, and `pbem rules` finds it."""
    assert OPTIONS.keys() <= books.known()


@pytest.mark.parametrize(("option", "players", "dealt"), [("24.1", 2, 3), ("24.2", 3, 2)])
def test_six_generals_are_dealt_and_two_are_cards(option: str, players: int, dealt: int) -> None:
    """24.1, 24.2 of the 3rd edition: Lysimachos and Leonnatos come by card; the other numbers play as ever."""
    seats: dict[str, Any] = {seat: {} for seat in SEATS[:players]}
    header = {"data": STATE, "rules": {"edition": "third", "options": [option]}, "seats": seats}
    g = Match(header).g
    assert len(starting(g)) == dealt * players and not {"lysimachos", "leonnatos", "eumenes", "seleukos"} & {*starting(g)}
    assert {"61", "62", "63", "64"} <= {*g.facts.cards} - {*g.out}
    assert len(starting(Match({**header, "seats": {seat: {} for seat in SEATS[:4]}}).g)) == 8
    usual = Match({**header, "rules": {"edition": "third"}}).g
    assert {"63", "64"} <= {*usual.out} and ("61" in usual.out) is (players == 3)
    aside = Match({**header, "rules": {"edition": "third", "options": ["23.5"]}}).g
    assert {"61", "62"} <= {*aside.out} and aside.group("seleukos") == "reserve"


@pytest.mark.parametrize("language", languages())
def test_every_option_has_its_term(language: str) -> None:
    """Else a report would say "16.13 (16.13)"."""
    agreed = sentences(language, "terms")["agreed"]
    assert agreed.keys() == {*OPTIONS, "16.1"}
    words = Words(language, Names(FACTS, dict.fromkeys(SEATS, {})), FACTS)
    for number in (*HERE, *CARDS, "16.1"):
        header = {"rules": {"edition": "fourth", "options": [number]}, "seats": {seat: {} for seat in SEATS}}
        said = words.event(in_force(header, editions.ruleset("fourth", (number,))))
        assert number in said and f"{number} ({number})" not in said


@pytest.mark.parametrize(("edition", "text", "number"), [
    ("third", "24.2", "24.2"), ("third", "23.4", "16.10"), ("third", "23.3", "16.11"), ("draft", "19.6", "16.7"),
    ("draft", "19.1", "23.1"), ("draft", "19.3.2", "23.2"), ("draft", "19.9", "19.9"), ("draft", "19.8", "19.8"),
    ("draft", "abilities", "19.2"), ("draft", "19.12", "19.12"),
    ("draft", "illegitimate-son", "19.12")])
def test_other_editions_know_them_by_their_own_numbers(edition: str, text: str, number: str) -> None:
    assert editions.ruleset(edition, (text,)).options == (number,)


def test_the_first_report_prints_them_in_words() -> None:
    header = {"rules": {"edition": "fourth", "options": ["16.10", "oracle", "16.9"]}, "seats": {seat: {} for seat in SEATS}}
    match = Match(header)
    match.apply({"position": {"turn": 2, "segment": TYCHE, "hands": {"red": 1}}}, 1)
    event = match.told[0]
    assert event.key == "rules_in_force" and event.facts["rules"] == ["O64", "16.9", "16.10"]
    assert WORDS.event(event).startswith(
        'This game follows the 4th edition, and besides the book: O64 ("Oracle" is in the deck); 16.9 (Cavalry CUs); 16.10'
        " (Dispersed Fleets come back one by one, each for an Event or Bonus card). Whoever may react")


def test_the_first_report_says_also_that_there_are_none() -> None:
    match = Match({"rules": {"edition": "fourth"}, "seats": {seat: {} for seat in SEATS}})
    match.apply({"position": {"turn": 2, "segment": TYCHE}}, 1)
    assert "4th edition, with no optional rules and no optional cards (16)." in WORDS.event(match.told[0])


def test_the_first_report_shows_the_words_in_the_dice_and_who_gave_none() -> None:
    match = Match({"rules": {"edition": "fourth"}, "seats": {seat: {} for seat in SEATS}, "chance": {
        "words": {"red": "first snow", "blue": ""}}})
    match.apply({"position": {"turn": 2, "segment": TYCHE}}, 1)
    assert WORDS.event(match.told[1]).endswith('every shuffle: Red "first snow". No word from Blue, Yellow, Black and Green.')


# --- whole games -------------------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(chosen, st.integers(2, 5), st.integers(0, 10**6))
def test_a_game_begins_and_goes_on_with_any_of_them(some: list[str], players: int, seed: int) -> None:
    g = game(*some, players=players, phase="setup", turn=1)
    assert set(g.out) & set(CARDS) == set(CARDS) - set(some)
    rng, desk = Random(seed), table(g)
    for _ in range(60):
        question = desk.question
        if question is None:
            break
        try:
            desk.answer({side: question.sample(side, rng) for side in question.sides})
        except PbemError as refusal:
            raise AssertionError(question.kind) from refusal
        assert not invariants.broken(g, settled=False)
    again = game(*some, players=players)
    position.state(again, position.written(g))
    assert position.written(again) == position.written(g)


def test_what_cards_say_otherwise_stays_in_the_game_that_agreed_on_it() -> None:
    """16.9 The components are shared by all games."""
    before = {card: dict(fact["params"]) for card, fact in FACTS.cards.items()}
    g = game("16.9")
    assert g.facts.cards["39"]["params"]["cus"] == {"mercenary": 2, "cavalry": 1}
    assert {card: dict(fact["params"]) for card, fact in FACTS.cards.items()} == before
    assert game().facts is FACTS


# --- 16.1 Capitals -----------------------------------------------------------------------------------------------


def test_the_state_of_capitals_outlives_writing() -> None:
    stated = {"capitals": {"blue": "alexandria"}, "construction": {"red": "larisa"}, "captured_capitals": {"yellow": "red"},
              "truces": [["blue", "red"]], "oracle": "black", "cart_finished": 1,
              "spaces": {"alexandria": "blue", "larisa": "red"},
              "forces": [{"at": "alexandria", "loc": "inside", "owner": "blue", "cus": {"mercenary": 2}},
                         {"at": "larisa", "owner": "red", "cus": {"mercenary": 1}}]}
    g, again = game("16.1", **stated), game("16.1")
    position.state(again, position.written(g))
    assert position.written(again) == position.written(g)
    assert {key: position.written(g)[key] for key in stated if key not in ("spaces", "forces")} == {
        key: value for key, value in stated.items() if key not in ("spaces", "forces")}
    assert again.board.kind("alexandria") == "major" and BOARD.kind("alexandria") == "minor"
    assert [victory.points(again, seat) for seat in ("blue", "red")] == [2, 1]


def test_nobody_stays_inside_where_the_walls_have_gone() -> None:
    """16.1, 9.4 However the Capital was lost."""
    g = game("O62", capitals={"blue": "alexandria"}, spaces={"alexandria": "blue"},
             forces=[{"at": "alexandria", "loc": "inside", "owner": "blue", "generals": ["ptolemaios"], "cus": {"loyal": 1}}])
    desk = table(g)
    position.state(g, {"spaces": {"alexandria": "independent"}})
    desk.interrupt(victory.settling(g))
    ownership.end_of_procedure(g)
    assert g.captured == {"blue": "independent"} and not g.capitals
    assert g.generals["ptolemaios"].at == "alexandria" and g.kinds("alexandria", "blue")["loyal"] == 1


# --- 16.2 Herakles -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("options", "at"), [((), "damaskos"), (("16.2",), NOWHERE)])
def test_herakles_waits(options: tuple[str, ...], at: str) -> None:
    g = game(*options, phase="setup", turn=1)
    desk = table(g)
    assert desk.question is not None and g.royals["herakles"].at == at


# --- 16.3, 16.10 Uses of a card ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("order", "rule"), [("finish_cart", "16.3"), ("retrieve_fleet", "16.10")])
def test_a_use_that_was_not_agreed_on_is_refused(order: str, rule: str) -> None:
    step = {"by": "red", "do": "play_card", "card": "event-4", "as": order, "fleet": "makedonia"}
    holds(rule, {"turn": 1, "segment": TYCHE, "hands": {"red": ["event-4"]}, "cart": {"at": "babylon", "owner": "red"},
                 "spaces": {"babylon": {"pc": "red"}}}, [step], {"refused": rule})


def test_only_whoever_controls_the_cart_finishes_it() -> None:
    holds("16.3", {"options": ["16.3"], "turn": 1, "segment": TYCHE, "hands": {"red": ["event-4"]},
                   "spaces": {"babylon": {"pc": "blue"}}, "cart": {"at": "babylon", "owner": "blue"}},
          [{"by": "red", "do": "play_card", "card": "event-4", "as": "finish_cart"}], {"refused": "16.3"})


@pytest.mark.parametrize(("card", "fleets", "owner"), [
    ("surprise-any", {"dispersed": {"red": {"fleets": ["makedonia"]}}}, "red"),
    ("event-2", {"fleets": {"red": ["makedonia"]}}, "red"),
    ("event-2", {"dispersed": {"blue": {"fleets": ["makedonia"]}}}, "blue"),
])
def test_a_fleet_comes_back_for_an_event_card_from_the_box_to_its_owner(card: str, fleets: dict[str, Any], owner: str) -> None:
    holds("16.10", {"options": ["16.10"], "segment": TYCHE, "hands": {"red": [card]}, **fleets},
          [{"by": "red", "do": "play_card", "card": card, "as": "retrieve_fleet", "fleet": "makedonia"}], {"refused": "16.10"})


# --- 16.7 Forage Attrition ---------------------------------------------------------------------------------------


def test_attrition_takes_from_inside_and_outside_together_an_elephant_first() -> None:
    stated = {"options": ["16.7"], "segment": {"player": "red", "kind": "forage"}, "spaces": {"pella": {"pc": "red"}},
              "forces": [{"owner": "red", "at": "pella", "loc": "inside", "cus": {"elephant": 1, "mercenary": 1}},
                         {"owner": "red", "at": "pella", "loc": "outside", "generals": ["minor"], "cus": {"mercenary": 8}}]}
    holds("16.7", stated, [{"roll": "attrition", "by": "red", "group": 10, "die": 5, "reads": "2e"},
                           {"window": "losses", "answers": {"red": {"mercenary": 1}}}],
          {"eliminated": {"red": {"elephant": 1, "mercenary": 1}}})
    holds("6.4", {**stated, "options": []}, [{"window": "losses", "answers": {"red": {"mercenary": 1}}}],
          {"eliminated": {"red": {"mercenary": 1}}})


# --- 16.9 Cavalry ------------------------------------------------------------------------------------------------


def test_an_independent_army_always_has_some() -> None:
    """16.9 Who marches Independents at somebody makes it harder to get away."""
    stated: dict[str, Any] = {
        "segment": {"player": "yellow", "kind": "tyche"}, "mp": {"leosthenes": 3},
        "forces": [{"owner": "independent", "general": "leosthenes", "at": "lamia", "cus": {"independent": 6}},
                   {"owner": "blue", "at": "larisa", "generals": ["seleukos"], "cus": {"mercenary": 2}}]}
    steps = [{"by": "yellow", "do": "independent_move", "general": "leosthenes", "path": ["lamia", "larisa"]},
             {"window": "evasion", "answers": {"blue": "seleukos"}},
             {"roll": "evasion", "by": "blue", "for": "seleukos", "die": 3},
             {"by": "blue", "do": "move", "general": "seleukos", "path": ["larisa", "pella"]}]
    holds("12.2", stated, steps, {"at": {"seleukos": "pella"}})
    battle = [{"roll": "battle", "by": "independent", "dice": [3, 3], "reads": 4},
              {"roll": "battle", "by": "blue", "dice": [5, 5], "reads": 4}]
    holds("16.9", {**stated, "options": ["16.9"]}, [*steps[:3], *battle], {"roll": {"independent": 7, "blue": 10}})


def test_an_elephant_that_shows_strength_frightens_horses() -> None:
    holds("16.9", {"options": ["16.9"], "segment": ACTIVATION, "champions": {"red": False}, "mp": {"red-minor": 2},
                   "forces": [{"owner": "red", "at": "lamia", "generals": ["minor"], "cus": {"mercenary": 3, "cavalry": 1}},
                              {"owner": "blue", "at": "larisa", "generals": ["minor"], "cus": {"cavalry": 1, "elephant": 1}}]},
          [{"by": "red", "do": "move", "general": "red-minor", "path": ["lamia", "larisa"]},
           {"roll": "elephant", "by": "blue", "die": 5},
           {"roll": "battle", "by": "red", "dice": [3, 4], "reads": 3},
           {"roll": "battle", "by": "blue", "dice": [3, 3], "reads": 4}],
          {"roll": {"red": 7, "blue": 7}})


@pytest.mark.parametrize(("cus", "accepted"), [({"mercenary": 2, "cavalry": 1}, True), ({"mercenary": 3}, False)])
def test_cavalry_has_to_be_named_to_ride(cus: dict[str, int], accepted: bool) -> None:
    """16.9 A Siege of an Independent Minor City for 1 MP."""
    holds("9.3C", {"options": ["16.9"], "segment": ACTIVATION, "mp": {"seleukos": 1},
                   "spaces": {"larisa": {"pc": "independent"}},
                   "forces": [{"owner": "red", "at": "larisa", "generals": ["seleukos"],
                               "cus": {"mercenary": 3, "cavalry": 1}}]},
          [{"by": "red", "do": "siege", "at": "larisa", "general": "seleukos", "cus": cus},
           {"roll": "siege", "by": "red", "die": 4, "reads": "1/-"}][:2 if accepted else 1],
          {"accepted": True} if accepted else {"refused": "9.3C"})


@pytest.mark.parametrize(("cus", "verdict"), [
    ({"cavalry": 1, "mercenary": 2}, {"accepted": True}), ({"mercenary": 3}, {"refused": "9.3D"}),
    ({"cavalry": 2, "mercenary": 1}, {"refused": "9.3D"}), ({"cavalry": 1}, {"refused": "9.3D"}),
])
def test_the_cus_named_take_a_pc_away(cus: dict[str, int], verdict: dict[str, Any]) -> None:
    """9.3 D Three of those that are there, and one of them on horseback for 1 MP."""
    holds("9.3D", {"options": ["16.9"], "segment": ACTIVATION, "spaces": {"larisa": {"pc": "black"}}, "mp": {"seleukos": 1},
                   "forces": [{"owner": "red", "at": "larisa", "generals": ["seleukos"],
                               "cus": {"mercenary": 3, "cavalry": 1}}]},
          [{"by": "red", "do": "remove_pc", "at": ["larisa"], "general": "seleukos", "cus": cus}], verdict)


GREEKS = [
    ("greek-mercenaries", "larisa", {}, {"mercenary": 1, "cavalry": 1}),
    ("greek-mercenaries", "lamia", {}, {"mercenary": 2}),
    ("cappadocian-mercenaries", "dana", {}, {"mercenary": 1, "cavalry": 1}),
    ("egyptian-military-colonists", "alexandria", {"take": "cavalry"}, {"cavalry": 1}),
    ("macedonian-reinforcements", "lamia", {"take": "cavalry"}, {"cavalry": 1}),
    ("macedonian-reinforcements", "lamia", {"take": "loyal"}, {"loyal": 1}),
]


@pytest.mark.parametrize(("card", "at", "more", "cus"), GREEKS)
def test_cards_bring_other_troops(card: str, at: str, more: dict[str, Any], cus: dict[str, int]) -> None:
    holds("16.9", {"options": ["16.9"], "segment": TYCHE, "hands": {"red": [card]}, "spaces": {at: {"pc": "red"}}},
          [{"by": "red", "do": "play_card", "card": card, "as": "event", "at": at, **more}],
          {"stack": {"owner": "red", "at": at, "cus": cus, "generals": []}})


def test_persian_support_may_send_each_of_its_sorts_elsewhere() -> None:
    holds("16.9", {"options": ["16.9"], "segment": TYCHE, "hands": {"red": ["persian-popular-support"]},
                   "spaces": {"sousa": {"pc": "red"}, "charax": {"pc": "red"}}},
          [{"by": "red", "do": "play_card", "card": "persian-popular-support", "as": "event", "spaces": ["sousa", "charax"]}],
          {"stack": {"owner": "red", "at": "sousa", "loc": "outside", "cus": {"mercenary": 1}, "generals": []}},
          {"stack": {"owner": "red", "at": "charax", "cus": {"cavalry": 1}, "generals": []}})


def test_mutiny_may_take_cavalry() -> None:
    holds("16.9", {"options": ["16.9"], "segment": ACTIVATION, "champions": {"red": False}, "hands": {"blue": ["mutiny"]},
                   "score": {"red": {"L": 2}, "blue": {"L": 9}}, "mp": {"red-minor": 2},
                   "forces": [{"owner": "red", "at": "lamia", "generals": ["minor"], "cus": {"mercenary": 3, "cavalry": 1}},
                              {"owner": "blue", "at": "larisa", "generals": ["minor"], "cus": {"mercenary": 2}}]},
          [{"by": "red", "do": "move", "general": "red-minor", "path": ["lamia", "larisa"]},
           {"by": "blue", "do": "play_card", "card": "mutiny", "as": "surprise"}],
          {"stack": {"owner": "blue", "at": "larisa", "cus": {"mercenary": 2, "cavalry": 1}, "generals": ["minor"]}})


# --- 16.11 Independent Army Reactions ----------------------------------------------------------------------------

MARCH = {"by": "red", "do": "move", "general": "red-minor", "path": ["pella", "larisa"]}
REACTING: dict[str, Any] = {
    "options": ["16.11"], "segment": ACTIVATION, "hands": {"blue": ["surprise-any"], "yellow": ["event-2"]},
    "mp": {"red-minor": 2},
    "forces": [{"owner": "red", "at": "pella", "loc": "outside", "generals": ["minor"], "cus": {"mercenary": 2}},
               {"owner": "independent", "general": "leosthenes", "at": "lamia", "cus": {"independent": 6}}]}
OFFER = {"discard": "surprise-any", "from": "lamia", "general": "leosthenes"}


def test_everybody_with_a_card_in_hand_is_asked_whatever_it_is() -> None:
    """16.11 The window opens on public facts: black has no card, red moves."""
    holds("16.11", REACTING, [MARCH], {"offered": {"interception": ["blue", "yellow"]}},
          {"at": {"red-minor": "larisa", "leosthenes": "lamia"}}, {"hand": {"blue": 1}})
    holds("16.11", REACTING, [MARCH], {"not_offered": {"interception": ["black"]}})
    holds("11.1", {**REACTING, "options": []}, [MARCH], {"not_offered": {"interception": ["blue", "yellow"]}})


def test_who_holds_no_surprise_card_cannot_pay() -> None:
    offer = {**OFFER, "discard": "event-2"}
    holds("16.11", REACTING, [MARCH, {"window": "interception", "answers": {"yellow": offer}}], {"refused": "16.11"})


@pytest.mark.parametrize(("origin", "target", "asked"), [("lynkos", "pella", "not_offered"), ("molossia", "trikka", "offered")])
def test_independents_do_not_leave_their_provinces(origin: str, target: str, asked: str) -> None:
    """9.5, 16.11 Leosthenes goes anywhere in Thessalia and Hellas, and never to Makedonia."""
    holds("9.5", {**REACTING, "forces": [
        {"owner": "red", "at": origin, "generals": ["minor"], "cus": {"mercenary": 2}},
        {"owner": "independent", "general": "leosthenes", "at": "larisa", "cus": {"independent": 6}}]},
        [{**MARCH, "path": [origin, target]}], {asked: {"interception": ["blue"]}})


def test_a_lapsed_offer_shows_no_card() -> None:
    """16.11 Which card is paid with is asked only of whoever is first in Turn Order."""
    first, second = SURPRISES[:2]
    g = game("16.11", hands={"blue": [first], "yellow": [second]}, segment=ACTIVATION, mp={"kassandros": 3},
             forces=[{"owner": "red", "at": "pella", "generals": ["kassandros"], "cus": {"mercenary": 2}},
                     {"owner": "independent", "general": "leosthenes", "at": "lamia", "cus": {"independent": 6}}],
             deck={"name": "d", "cards": [], "left": 3})
    g.secret.deck = ["2", "3"]  # type: ignore[union-attr]  # Hands above
    desk = table(g)
    assert desk.question is not None
    desk.answer({"red": desk.question.read("red", Order("march", general="kassandros", path=("larisa",)))})
    offer = (Order("intercept", general="leosthenes", from_="lamia", discarding=True),)
    assert desk.question.kind == "interception" and desk.question.sides == ("blue", "yellow")
    desk.answer({side: desk.question.read(side, offer) for side in ("blue", "yellow")})
    assert desk.question.kind == "reaction_card" and desk.question.sides == ("blue",)
    desk.answer({"blue": desk.question.read("blue", Order("discard", card=first))})
    assert g.discards == [first] and g.hands["yellow"] == 1
    assert [facts["seat"] for facts in told(g, "reaction_lapsed")] == ["yellow"]
    assert len(told(g, "interception_rolled")) == 1


def test_who_does_not_pay_after_all_makes_room_for_the_next() -> None:
    first, second = SURPRISES[:2]
    g = game("16.11", hands={"blue": [first], "yellow": [second]}, segment=ACTIVATION, mp={"kassandros": 3},
             forces=[{"owner": "red", "at": "pella", "generals": ["kassandros"], "cus": {"mercenary": 2}},
                     {"owner": "independent", "general": "leosthenes", "at": "lamia", "cus": {"independent": 6}}])
    desk = table(g)
    assert desk.question is not None
    desk.answer({"red": desk.question.read("red", Order("march", general="kassandros", path=("larisa",)))})
    offer = (Order("intercept", general="leosthenes", from_="lamia", discarding=True),)
    desk.answer({side: desk.question.read(side, offer) for side in ("blue", "yellow")})
    desk.answer({"blue": desk.question.read("blue", Order("pass"))})
    assert desk.question.kind == "reaction_card" and desk.question.sides == ("yellow",)


EVADING = {**REACTING, "forces": [
    {"owner": "red", "at": "pella", "loc": "outside", "generals": ["minor"], "cus": {"mercenary": 2}},
    {"owner": "independent", "general": "leosthenes", "at": "larisa", "cus": {"independent": 6}}]}
TRY = {"window": "evasion", "answers": {"blue": {"discard": "surprise-any", "general": "leosthenes"}}}


def test_independents_get_away_all_together() -> None:
    holds("16.11", {**EVADING, "champions": {"red": False}},
          [MARCH, TRY, {"roll": "evasion", "by": "blue", "for": "leosthenes", "die": 6},
           {"by": "blue", "do": "move", "general": "leosthenes", "path": ["larisa", "lamia"]}],
          {"at": {"leosthenes": "lamia", "red-minor": "larisa"}}, {"hand": {"blue": 1}},
          {"stack": {"owner": "independent", "at": "lamia", "cus": {"independent": 6}, "generals": ["leosthenes"]}},
          {"battle": "none"})


def test_who_fails_to_get_away_has_no_local_troops() -> None:
    """12.2 B, 16.11 Lamia and its Province are the Independents', and it does not help them."""
    stated = {**EVADING, "provinces": {"thessalia": "independent"}}
    fight = [{"roll": "battle", "by": "red", "dice": [3, 3], "reads": 4},
             {"roll": "battle", "by": "independent", "dice": [3, 3], "reads": 4}]
    holds("14.5", stated, [MARCH, *fight], {"strength": {"independent": 9}})
    holds("16.11", stated, [MARCH, TRY, {"roll": "evasion", "by": "blue", "for": "leosthenes", "die": 2}, *fight],
          {"strength": {"independent": 6}})


# --- 16.12 Short game --------------------------------------------------------------------------------------------


def test_without_the_agreement_the_game_goes_on_after_turn_four() -> None:
    holds("3.3", {"turn": 4, "phase": "turn_end", "score": {"red": {"VP": 6}}}, [{"go": "turn_end"}], {"over": False})
