"""What came in the box, as the program uses it: the catalogue, the map, where each datum comes from.

Reads pbem/data; knows no game that is under way.
"""
