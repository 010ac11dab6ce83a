"""Where a datum of any edition's box comes from: from what its own book tells, else it is as in the 4th.

Like `sources`, which knows the 4th, this serves the form, `pbem components show` and the tests; in play nobody asks.
"""

from collections.abc import Mapping
from functools import cache

from pbem.components import sources
from pbem.components.otherwise import BLOCKS

AS_IN_THE_FOURTH = "as in the 4th edition:"
NAMES = {"rank_stars": "third.stars"}                           # of the files -> of the tree


def provenance(datum: str, edition: str = "") -> str:
    """Its src, then what the file says about it; a part of a whole that is told answers with that whole."""
    if edition:
        said = told_of(edition)
        if source := said.get(datum) or said.get(".".join(datum.split(".")[:2])):
            return source
    source = sources.provenance(datum)
    return f"{AS_IN_THE_FOURTH} {source}" if edition else source


def is_firm(datum: str, edition: str = "") -> bool:
    """Is it read in a text of that edition, and not only its gist? What is taken over from the 4th is a guess there."""
    return provenance(datum, edition).split()[0] in sources.FIRM if edition else sources.is_firm(datum)


@cache
def told_of(edition: str) -> Mapping[str, str]:
    """What the files say of an edition under its own name, datum by datum."""
    said: dict[str, str] = {}
    for part, things in (("generals", "major_generals"), ("cards", "cards")) if edition in BLOCKS else ():
        for one in sources.files()[part][things]:
            for key, source in ((one["third_edition"] or {}).get("prov") or {}).items():
                if isinstance(source, Mapping) and not source.get("carried"):
                    said[f"{part}.{one['id']}.{NAMES.get(key, key)}"] = f"{source['src']} {source.get('ref', '')}".strip()
    for one in sources.files()["otherwise"][edition]:
        said[one["datum"]] = f"{one['src']} {one['ref']}"
    return said
