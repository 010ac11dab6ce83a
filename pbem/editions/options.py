"""The optional rules, each a replacement of rule points, named by slug or by printed number (16)."""

from collections.abc import Callable
from dataclasses import replace

from pbem.editions import Ruleset
from pbem.errors import Refused


def march_limit(rules: Ruleset) -> Ruleset:
    """16.8 No more than 8 CUs move or intercept together, except to evade."""
    return replace(rules, march_limit=8)


def garrison_absorbs(rules: Ruleset) -> Ruleset:
    """16.5 CUs inside a Major City die one by one instead of the Siege Point that would take it."""
    return replace(rules, garrison_absorbs=True)


def royals_and_sieges(rules: Ruleset) -> Ruleset:
    """16.6 Royal Army CUs of a besieger with less Prestige do not count among the three."""
    return replace(rules, royals_always_besiege=False)


OPTIONS: dict[str, tuple[str, Callable[[Ruleset], Ruleset]]] = {
    "16.5": ("garrison-absorbs", garrison_absorbs),
    "16.6": ("royals-and-sieges", royals_and_sieges),
    "16.8": ("eight-cu-limit", march_limit),
}
_SLUGS = {slug: number for number, (slug, _) in OPTIONS.items()}


def applied(rules: Ruleset, options: tuple[str, ...]) -> Ruleset:
    """The rules with the chosen options; one that is not written yet refuses with its number."""
    for option in options:
        number = _SLUGS.get(option, option)
        if number not in OPTIONS:
            raise Refused(option if option[:2] == "16" else "16", "option_not_written", option=option)
        rules = OPTIONS[number][1](rules)
    return rules
