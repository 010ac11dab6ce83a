"""The cards, one short function each; what they do stands in one table by effect, which a game is handed (6.2).

Calls the rules as the rules call each other; no card knows another.
"""

from pbem.cards import battle, campaigns, factions, independents, optional, raids, royals, ruled, surprise, troops, unrest
from pbem.rules.effects import Effects

EFFECTS: Effects = {
    **battle.EFFECTS, **campaigns.EFFECTS, **factions.EFFECTS, **independents.EFFECTS, **optional.EFFECTS,
    **raids.EFFECTS, **royals.EFFECTS, **ruled.EFFECTS, **surprise.EFFECTS, **troops.EFFECTS, **unrest.EFFECTS,
}
