"""The files of a game: what may stand in game.yaml, undo, the chain of heads.

Reads and writes a game's folder; knows no rule.
"""
