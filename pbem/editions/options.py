"""The optional rules and cards (16), each a replacement of rule points.

A rule may be named by its slug or its number, in the other books also by the number that it has there; a card by its
number or its name. Any of them go together; what a variant already has, or does not know, is refused with the reason.
What each is called in a report stands in the templates, under `agreed` and its number.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType as Frozen
from typing import NamedTuple

from pbem.base.errors import Refused, nearest
from pbem.components import catalogue
from pbem.editions import books, cavalry
from pbem.editions.record import Ruleset

ALL_CARDS = "16.1"
ALL_CARDS_SLUG = "optional-cards"


class Option(NamedTuple):
    """A rule that may be agreed on: the number by which it is cited, a name to type, and what it replaces."""

    number: str
    slug: str
    change: Callable[[Ruleset], Ruleset]


def herakles(rules: Ruleset) -> Ruleset:
    """16.2 Herakles waits off map and appears at Pergamon when Alexandros has died."""
    return rules._replace(waiting_royals=Frozen({"herakles": ("alexandros", "pergamon")}))


def faster_cart(rules: Ruleset) -> Ruleset:
    """16.3 A 4 OPs card finishes the Funeral Cart in Game Turn I."""
    return rules._replace(finish_cart_ops=(4,))


def cart_destroyed(rules: Ruleset) -> Ruleset:
    """16.4 The Funeral Cart is destroyed where Independents would take it."""
    return rules._replace(cart_destroyed=True)


def garrison_absorbs(rules: Ruleset) -> Ruleset:
    """16.5 CUs inside a Major City die one by one instead of the Siege Point that would take it."""
    return rules._replace(garrison_absorbs=True)


def royals_and_sieges(rules: Ruleset) -> Ruleset:
    """16.6 Royal Army CUs of a besieger with less Prestige do not count among the three."""
    return rules._replace(royals_always_besiege=False)


def forage_attrition(rules: Ruleset) -> Ruleset:
    """16.7 Attrition in the Forage Segment."""
    return rules._replace(forage_attrition=True)


def march_limit(rules: Ruleset) -> Ruleset:
    """16.8 No more than 8 CUs move or intercept together, except to evade; the 8 of a voyage are another limit (B43)."""
    return rules._replace(march_limit=8)


def fleets_by_card(rules: Ruleset) -> Ruleset:
    """16.10 Dispersed Fleets come back one by one, each for an Event or Bonus card."""
    return rules._replace(fleets_return=False)


def independent_reactions(rules: Ruleset) -> Ruleset:
    """16.11 Independent Armies intercept and evade, each time for a Surprise card."""
    return rules._replace(independents_react=True)


def short_game(rules: Ruleset) -> Ruleset:
    """16.12 The game ends with Game Turn IV."""
    return rules._replace(last_turn=4)


def popular(rules: Ruleset) -> Ruleset:
    """23.1 of the 3rd edition: who beats an Independent Army gains a Popularity Point."""
    return rules._replace(independents_make_popular=True)


def counterstroke(rules: Ruleset) -> Ruleset:
    """23.2 of the 3rd edition: whoever has intercepted may attack, before the mover withdraws or evades."""
    before = rules.land_movement.index("withdrawal")
    return rules._replace(land_movement=(*rules.land_movement[:before], "counterstroke", *rules.land_movement[before:]))


def set_aside(rules: Ruleset) -> Ruleset:
    """23.5 of the 3rd edition: Seleukos and Eumenes wait for a faction that has lost a Major General, for a card of 4 OPs."""
    return rules._replace(set_aside=frozenset({"seleukos", "eumenes"}), recruit_ops=(4,))


def six_generals(rules: Ruleset, players: int, more: Mapping[str, str]) -> Ruleset:
    """24.1, 24.2 of the 3rd edition: to so many players six Generals are dealt, Lysimachos and Leonnatos are cards."""
    groups = Frozen({"lysimachos": "event", "leonnatos": "event", **more})
    return rules._replace(groups=Frozen({**rules.groups, players: groups}))


def abilities(rules: Ruleset) -> Ruleset:
    """19.2 of the draft: Special Abilities, which the 4th edition has anyway."""
    return rules._replace(abilities=True)


def into_transit(rules: Ruleset) -> Ruleset:
    """19.3.1 of the draft: 1 is taken off the die of who intercepts into a Transit Point."""
    return rules._replace(into_transit=-1)


def evasion_into_transit(rules: Ruleset) -> Ruleset:
    """19.5 of the draft: and off that of who evades into one."""
    return rules._replace(evasion_into_transit=-1)


def capitals(rules: Ruleset) -> Ruleset:
    """19.8 of the draft: a Capital is built without a card; it falls with two Siege Points, and one CU fits in."""
    return rules._replace(capitals_without_card=True, capital_points=2, capital_inside=1, capital_scores=False)


def elephants_stay_outside(rules: Ruleset) -> Ruleset:
    """19.10 of the draft: no Elephants inside a Major City."""
    return rules._replace(elephants_stay_outside=True)


def illegitimate_son(rules: Ruleset) -> Ruleset:
    """19.12 of the draft: Herakles begins at Halikarnassos and does not come of age."""
    return rules._replace(royal_starts=Frozen({"herakles": "halikarnassos"}), regency_heirs=Frozen(
        {turn: heir for turn, heir in rules.regency_heirs.items() if heir != "herakles"}))


OPTIONS = {one.number: one for one in (
    Option("16.2", "herakles", herakles),
    Option("16.3", "faster-cart", faster_cart),
    Option("16.4", "cart-destroyed", cart_destroyed),
    Option("16.5", "garrison-absorbs", garrison_absorbs),
    Option("16.6", "royals-and-sieges", royals_and_sieges),
    Option("16.7", "forage-attrition", forage_attrition),
    Option("16.8", "eight-cu-limit", march_limit),
    Option("16.9", "cavalry", cavalry.cavalry),
    Option("16.10", "fleets-by-card", fleets_by_card),
    Option("16.11", "independent-reactions", independent_reactions),
    Option("16.12", "short-game", short_game),
    Option("19.2", "abilities", abilities),
    Option("19.3.1", "interception-into-transit", into_transit),
    Option("19.5", "evasion-into-transit", evasion_into_transit),
    Option("19.8", "capital-building", capitals),
    Option("19.9", "elite-cavalry", cavalry.elite_cavalry),
    Option("19.10", "elephants-outside", elephants_stay_outside),
    Option("19.12", "illegitimate-son", illegitimate_son),
    Option("23.1", "prestige-for-independents", popular),
    Option("23.2", "interceptor-attacks", counterstroke),
    Option("23.5", "seleukos-and-eumenes-aside", set_aside),
    Option("24.1", "two-with-three-each", lambda rules: six_generals(rules, 2, {})),
    Option("24.2", "three-with-two-each", lambda rules: six_generals(rules, 3, {"eumenes": "event"})),
)}


@cache
def cards() -> Mapping[str, str]:
    """16.1 The optional cards in the order of the deck, each with the slug of its name; some names are on two cards."""
    return Frozen({card: slug(fact["name"]) for card, fact in catalogue.facts().cards.items() if fact["optional"]})


def slug(text: str) -> str:
    """What somebody typed, or what is printed, as a name of small letters."""
    return text.strip().lower().replace("_", "-").replace(" ", "-").replace("'", "")


def applied(rules: Ruleset, chosen: Iterable[str]) -> Ruleset:
    """The rules with what was chosen, or why that cannot be."""
    wanted: list[str] = []
    for text in chosen:
        wanted += judged(text, rules)
    for number, option in OPTIONS.items():
        if number in wanted:
            rules = option.change(rules)
    return rules._replace(options=in_order(wanted), extra_cards=frozenset(wanted) & cards().keys())


def judged(text: str, rules: Ruleset) -> list[str]:
    """16 Does this variant know it, as something to choose?"""
    found = numbers(text, rules)
    for rule in {rule_of(number) for number in found}:
        if rule in rules.standard_options:
            raise Refused(rule, "optional_rule_is_standard", text=text, edition=rules.name)
        if rule in rules.foreign_options:
            raise Refused(rule, "optional_rule_elsewhere", text=text, edition=rules.name)
    return found


def judge_new(rules: Ruleset) -> None:
    """16 What games of before could agree on, and their book does not have, none that begins now can."""
    for number in rules.options:
        if number in rules.past_options:
            raise Refused(number, "optional_rule_elsewhere", text=number, edition=rules.name)


def numbers(text: str, rules: Ruleset) -> list[str]:
    """What somebody typed as the numbers of rules or cards; 16.1 means all the cards."""
    found = names(rules.book).get(slug(text))
    if found is None:
        known = {number: (books.printed(number, rules.book) or number, name) for number, name in offered(rules).items()}
        raise Refused("16", "unknown_optional_rule", text=text, cards=ALL_CARDS in known,
                      nearest=nearest(slug(text), dict.fromkeys(slug(name) for pair in known.values() for name in pair)),
                      known=[" ".join(pair) for pair in known.values()])
    return found


@cache
def names(book: str) -> Mapping[str, list[str]]:
    """Everything that may be typed -> the numbers that it means; rules also go by the numbers of the book that is cited."""
    found = {ALL_CARDS: list(cards()), ALL_CARDS_SLUG: list(cards()), **{card.lower(): [card] for card in cards()}}
    for card, name in cards().items():
        found[name] = [*found.get(name, ()), card]
    for number, option in OPTIONS.items():
        found |= {name: [number] for name in (books.printed(number, book), number, option.slug) if name}
    return Frozen(found)


def offered(rules: Ruleset) -> dict[str, str]:
    """16 What may be chosen, with the name to type: the cards all together and one by one, then the rules."""
    every = {ALL_CARDS: ALL_CARDS_SLUG, **cards(), **{number: option.slug for number, option in OPTIONS.items()}}
    closed = rules.standard_options | rules.foreign_options | rules.past_options
    return {number: name for number, name in every.items() if rule_of(number) not in closed}


def rule_of(number: str) -> str:
    """The rule by which a card is in the deck, or the rule itself."""
    return ALL_CARDS if number in cards() else number


def in_order(chosen: Iterable[str]) -> tuple[str, ...]:
    """Each once, in the order of the book; all the cards together are 16.1."""
    found = set(chosen)
    some = [card for card in cards() if card in found]
    return (*([ALL_CARDS] if len(some) == len(cards()) else some), *(number for number in OPTIONS if number in found))
