"""A log becomes a position: the fold, what must hold in any position, exact chances.

Calls rules and cards; writes nothing.
"""
