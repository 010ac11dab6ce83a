"""The variants that can be played, and what may be agreed on beside the book: each a frozen `Ruleset`.

Knows the catalogue and the books, and no game. A new variant is a module here and a line below.
"""

from pbem.base.errors import Refused, nearest
from pbem.editions import draft, fourth, options, third
from pbem.editions.fixes import NEWEST, mended
from pbem.editions.record import Ruleset

__all__ = ["EDITIONS", "NEWEST", "USUAL", "Ruleset", "mended", "ruleset"]

EDITIONS = {rules.name: rules for rules in (
    fourth.RULES,
    draft.RULES,
    third.RULES,
)}
USUAL = next(iter(EDITIONS))            # what is played where nobody says otherwise


def ruleset(name: str, chosen: tuple[str, ...] = (), fixes: int = NEWEST) -> Ruleset:
    """The rules a game is played by; optional rules may be named by slug or by their printed number. `fixes` is how many mended
    rules are in force."""
    if name not in EDITIONS:
        raise Refused("0", "unknown_edition", text=name, nearest=nearest(name, EDITIONS), known=list(EDITIONS))
    return options.applied(mended(EDITIONS[name], fixes), chosen)
