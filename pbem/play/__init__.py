"""A log becomes a position: the fold, the check of all of it, what must hold in any position, exact chances.

Calls rules and cards; writes nothing.
"""
