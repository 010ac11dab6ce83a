"""The page of a game: one that anybody opens with a browser, from a disk, a mail or a web server, and needs nothing else.

Reads a desk that is open, writes text and no file. What stands on the page of everybody comes from the published log alone.
"""
