"""What lies on the table: the pieces, the position, and the events that tell what became of them.

Plain data and its changes; knows no file, no rule and no word.
"""
