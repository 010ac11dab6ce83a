"""What the scripts of the page say by themselves, in one language: its own words, and the names of the game."""

from collections.abc import Iterable
from typing import Any

from pbem.base.language import PLAIN, sentences
from pbem.drawing.ground import FACE
from pbem.drawing.layout import SIZE
from pbem.drawing.lettering import wide
from pbem.drawing.voice import Voice
from pbem.log.entries import TOLD
from pbem.orders import CU_ORDER
from pbem.telling.words import Words

Row = dict[str, Any]
TERMS = ("phase", "segment", "window", "draw")
SPREAD = 1.6                            # between the letters of a Province


def speech(words: Words, chart: Row, generals: Iterable[str]) -> Row:
    """As data: the scripts put names and numbers between the words, and never decline any of them."""
    said, voice, board = words.inked(PLAIN), Voice(words, chart["edition"]), chart["board"]
    terms, drawn = sentences(words.language, "terms"), sentences(words.language, "drawing")
    facts = said.facts
    return {
        "ui": own(words.language),
        "label": {
            "space": {space: [voice.space(space), round(wide(voice.space(space), SIZE[fact["kind"]], FACE[fact["kind"]]), 1)]
                      for space, fact in board["spaces"].items()},
            "province": {one: [name, round(wide(name, 13, "bold") + SPREAD * (len(name) - 1), 1)]
                         for one in board["provinces"] for name in [voice.province(one).upper()]},
        },
        "general": {general: str(said.general(general)) for general in generals},
        "royal": {royal: voice.royal(royal) for royal in facts.royals},
        "fleet": {fleet: str(said.fleet(fleet)) for fleet in facts.fleets},
        "seat": {one["seat"]: str(said.player(one["seat"])) for one in chart["seats"]}
        | {"independent": str(said.seat("independent")), "moderator": str(said.seat("moderator"))},
        "sea": drawn["sea"],
        "letter": drawn["letter"],
        "cu": {kind: drawn["cu"][kind] for kind in CU_ORDER},
        "unit": {kind: said.term(kind, "cu") for kind in CU_ORDER},
        "kind": drawn["kind"],
        "path": drawn["path"],
        "entry": {kind: said.term(f"entry {kind}", "checked") for kind in TOLD},
        **{name: {key: str(value) for key, value in terms[name].items()} for name in TERMS},
    }


def own(language: str) -> dict[str, str]:
    """The words of the page; its glossary is told elsewhere."""
    return {key: value for key, value in sentences(language, "page").items() if isinstance(value, str)}
