"""The board to look at: the position as a picture, and in words for whoever sees none.

Reads the position as data and the layout; knows no game, no file of one, and writes nothing.
"""
