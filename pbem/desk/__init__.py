"""One game folder: what comes in, what is kept until it counts, what is written.

Every change of a game's files is made here.
"""
