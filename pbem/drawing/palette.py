"""Colours, hatches and symbols: who is who, for every eye and for grey paper too.

No colour stands alone: a letter goes with it, and on Provinces a hatch. `tests/drawing/test_palette.py` holds the distances.
"""

COLOUR = {
    "red": "#c8322b",
    "blue": "#1f4fa8",
    "yellow": "#f7d417",
    "green": "#3f9f6b",
    "black": "#141414",
    "independent": "#b9b5ae",
    "": "#ffffff",
}
INK = {"red": "#fff", "blue": "#fff", "yellow": "#000", "green": "#000", "black": "#fff", "independent": "#000", "": "#000"}
TINT = {
    "red": "#f3c4ba",
    "blue": "#bdcbe6",
    "yellow": "#fbeea6",
    "green": "#c3e2cc",
    "black": "#c4c0b8",
    "independent": "#e6e0d4",
    "": "#f5efe2",
}
# What is drawn over the tint, in a square of ten: told apart without any colour.
HATCH = {
    "red": "M-1 11L11-1M-1 1L1-1M9 11L11 9",
    "blue": "M-1-1L11 11M9-1L11 1M-1 9L1 11",
    "yellow": "M2.5 2.5h.1M7.5 7.5h.1",
    "green": "M0 2.5h10M0 7.5h10",
    "black": "M-1 11L11-1M-1-1L11 11M-1 1L1-1M9 11L11 9M9-1L11 1M-1 9L1 11",
    "independent": "M2.5 0v10M7.5 0v10",
}

# Borders and hatches: on grey paper the lightest would be lost on their tints.
EDGE = {**COLOUR, "yellow": "#a88700", "independent": "#87827a"}

SEA, LAND, COAST, INKED, PAPER = "#cfe0ea", "#ebe4d3", "#7390a2", "#1a1a1a", "#fbf8f0"
ROYAL = "#5b1a7a"
RIVER = "#86aec4"
ROAD, PASS, LANE, OPEN_SEA = "#6d5c40", "#6b3f16", "#2c6c94", "#174a80"
HALO = "#f8f4ea"
NAME, SEA_NAME, FAINT = "#4a3410", "#3d7496", "#555"         # of Provinces and seas; what is said beside
DOT, BORDER, GRID = "#d9cba8", "#a8946c", "#c9c1ae"          # Transit Points, Provinces that nobody has, lines of the plot
MARK, FIGHT = "#9c1458", "#ffe14d"                           # what happened

# All of them: a PNG has these colours and no others.
PAINTED = tuple(dict.fromkeys([
    *COLOUR.values(), *INK.values(), *TINT.values(), *EDGE.values(), SEA, LAND, COAST, INKED, PAPER, ROYAL, RIVER, ROAD, PASS,
    LANE, OPEN_SEA, HALO, NAME, SEA_NAME, FAINT, DOT, BORDER, GRID, MARK, FIGHT,
]))
