"""The cards, one short function each, entered by effect into the registry that the rules consult (6.2)."""

from pbem.cards import battle, campaigns, factions, independents, optional, raids, royals, surprise, troops, unrest

__all__ = ["battle", "campaigns", "factions", "independents", "optional", "raids", "royals", "surprise", "troops", "unrest"]
