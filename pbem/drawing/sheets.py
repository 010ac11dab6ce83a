"""The board as sheets to print and lay beside the real one: a page a Province, each space with its number in the form."""

from collections.abc import Mapping
from copy import copy
from html import escape
from typing import Any

from pbem.components.lines import numbered
from pbem.drawing import said
from pbem.drawing.picture import picture
from pbem.orders.names import Names
from pbem.play.match import Match
from pbem.telling.chart import chart
from pbem.telling.words import Words

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>body{{font-family:sans-serif;margin:0}}section{{break-after:page;padding:1em}}svg{{width:100%;height:auto;max-height:90vh}}</style>
{pages}</html>
"""


def sheets(box: Mapping[str, Any], title: str) -> str:
    """One page of HTML with all of them; `box` is what a header has of a filled form."""
    match = Match({"game": "", "seats": {"red": {}, "blue": {}}, "rules": {}, "box": dict(box)})
    facts = copy(match.g.facts)
    number = numbered({"spaces": facts.spaces, "provinces": facts.provinces})
    facts.spaces = {id: {**space, "name": f"{number[id]} {space['name']}"} for id, space in facts.spaces.items()}
    words = Words("en", Names(facts, match.seats), facts, book=match.g.rules.book)
    board = chart(match, None)
    pages = []
    for id, province in facts.provinces.items():
        if any(space["province"] == id for space in facts.spaces.values()):
            drawn = picture(board, words, focus=said.around(board, "province", id), plain=True, described=province["name"])
            pages.append(f"<section><h1>{escape(province['name'])}</h1>\n{drawn}</section>\n")
    return PAGE.format(title=escape(title), pages="".join(pages))
