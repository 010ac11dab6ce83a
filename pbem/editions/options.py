"""The optional rules and cards (16), each a replacement of rule points.

A rule may be named by its slug or its number, in the other editions also by the number that it has there; a card by
its number. Any of them go together; what an edition already has, or does not know, is refused with the reason.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType as Frozen

from pbem.base.errors import Refused
from pbem.editions import Ruleset, cavalry

Change = Callable[[Ruleset], Ruleset]

CARDS = ("O60", "O61", "O62", "O63", "O64", "O65", "O66", "O67", "O68", "O69")
CARD_SLUGS: Mapping[str, tuple[str, ...]] = Frozen({
    "cavalry-superiority": ("O60", "O61"),
    "foundation-of-a-capital": ("O62",),
    "diplomatic-marriage": ("O63",),
    "oracle": ("O64",),
    "alexanders-ghost": ("O65",),
    "superior-admiral": ("O66", "O67"),
    "price-of-failure": ("O68",),
    "port-re-supplied": ("O69",),
})


def herakles(rules: Ruleset) -> Ruleset:
    """16.2 Herakles waits off map and appears at Pergamon when Alexandros has died."""
    return replace(rules, waiting_royals=Frozen({"herakles": ("alexandros", "pergamon")}))


def faster_cart(rules: Ruleset) -> Ruleset:
    """16.3 A 4 OPs card finishes the Funeral Cart in Game Turn I."""
    return replace(rules, finish_cart_ops=(4,))


def cart_destroyed(rules: Ruleset) -> Ruleset:
    """16.4 The Funeral Cart is destroyed where Independents would take it."""
    return replace(rules, cart_destroyed=True)


def garrison_absorbs(rules: Ruleset) -> Ruleset:
    """16.5 CUs inside a Major City die one by one instead of the Siege Point that would take it."""
    return replace(rules, garrison_absorbs=True)


def royals_and_sieges(rules: Ruleset) -> Ruleset:
    """16.6 Royal Army CUs of a besieger with less Prestige do not count among the three."""
    return replace(rules, royals_always_besiege=False)


def forage_attrition(rules: Ruleset) -> Ruleset:
    """16.7 Attrition in the Forage Segment."""
    return replace(rules, forage_attrition=True)


def march_limit(rules: Ruleset) -> Ruleset:
    """16.8 No more than 8 CUs move or intercept together, except to evade; the 8 of a voyage are another limit (B43)."""
    return replace(rules, march_limit=8)


def fleets_by_card(rules: Ruleset) -> Ruleset:
    """16.10 Dispersed Fleets come back one by one, each for an Event or Bonus card."""
    return replace(rules, fleets_return=False)


def independent_reactions(rules: Ruleset) -> Ruleset:
    """16.11 Independent Armies intercept and evade, each time for a Surprise card."""
    return replace(rules, independents_react=True)


def short_game(rules: Ruleset) -> Ruleset:
    """16.12 The game ends with Game Turn IV."""
    return replace(rules, last_turn=4)


OPTIONS: dict[str, tuple[str, Change]] = {
    "16.2": ("herakles", herakles),
    "16.3": ("faster-cart", faster_cart),
    "16.4": ("cart-destroyed", cart_destroyed),
    "16.5": ("garrison-absorbs", garrison_absorbs),
    "16.6": ("royals-and-sieges", royals_and_sieges),
    "16.7": ("forage-attrition", forage_attrition),
    "16.8": ("eight-cu-limit", march_limit),
    "16.9": ("cavalry", cavalry.cavalry),
    "16.10": ("fleets-by-card", fleets_by_card),
    "16.11": ("independent-reactions", independent_reactions),
    "16.12": ("short-game", short_game),
}

# The numbers of the other editions (editions.md A21), where the rule is the same.
ELSEWHERE: dict[str, dict[str, str]] = {
    "draft": {"19.4": "16.11", "19.6": "16.7", "19.7": "16.10", "19.11": "16.3"},
    "third": {"23.3": "16.11", "23.4": "16.10"},
}

# What needs no choosing: part of the game in this edition anyway.
STANDARD: dict[str, frozenset[str]] = {
    "fourth": frozenset(),
    "draft": frozenset({"16.5"}),
    "third": frozenset({"16.5"}),
}

# What this edition has otherwise, or not at all.
UNKNOWN: dict[str, frozenset[str]] = {
    "fourth": frozenset(),
    "draft": frozenset({"16.1", "16.2", "16.9", *CARDS}),
    "third": frozenset({"16.1", "16.9", *CARDS}),
}


def numbers(text: str, edition: str = "fourth") -> tuple[str, ...]:
    """What somebody typed as the numbers of rules or cards; 16.1 means all the cards."""
    word = text.strip().lower().replace("_", "-").replace(" ", "-").replace("'", "")
    if word in ("16.1", "optional-cards"):
        return CARDS
    if word.upper() in CARDS:
        return (word.upper(),)
    if word in CARD_SLUGS:
        return CARD_SLUGS[word]
    named = {slug: number for number, (slug, _) in OPTIONS.items()}
    number = ELSEWHERE.get(edition, {}).get(word) or named.get(word, word)
    if number not in OPTIONS:
        closed = STANDARD[edition] | UNKNOWN[edition]
        cards = CARD_SLUGS if "16.1" not in closed else ()
        raise Refused("16", "unknown_optional_rule", text=text, cards=bool(cards),
                      known=[*(slug for slug, one in named.items() if one not in closed), *cards])
    return (number,)


def in_order(chosen: Iterable[str]) -> tuple[str, ...]:
    """Each once, in the order of the book; all ten cards together are 16.1."""
    found = set(chosen)
    cards = [card for card in CARDS if card in found]
    return (*(["16.1"] if len(cards) == len(CARDS) else cards), *(number for number in OPTIONS if number in found))


def applied(rules: Ruleset, chosen: Iterable[str]) -> Ruleset:
    """The rules with what was chosen, or why that cannot be."""
    wanted: list[str] = []
    for text in chosen:
        wanted += judged(text, rules.name)
    for number in OPTIONS:
        if number in wanted:
            rules = OPTIONS[number][1](rules)
    return replace(rules, options=in_order(wanted), extra_cards=frozenset(wanted) & frozenset(CARDS))


def judged(text: str, edition: str) -> tuple[str, ...]:
    """16 Does this edition know it, as something to choose?"""
    found = numbers(text, edition)
    for number in found:
        rule = "16.1" if number in CARDS else number
        if number in STANDARD[edition]:
            raise Refused(rule, "optional_rule_is_standard", text=text, edition=edition)
        if number in UNKNOWN[edition]:
            raise Refused(rule, "optional_rule_elsewhere", text=text, edition=edition)
    return found
