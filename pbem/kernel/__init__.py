"""Procedures that stop and ask; it knows nothing of any game.

Imports the errors of base and touches nothing.
"""
