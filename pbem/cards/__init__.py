"""The cards, one short function each, entered by effect into the registry that the rules consult (6.2)."""

from pbem.cards import battle, independents, surprise

__all__ = ["battle", "independents", "surprise"]
